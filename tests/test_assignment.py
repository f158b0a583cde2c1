"""Assignment of small tables: enumeration, tie rule, certificates, bits."""

import naive.matching as oracle
import numpy as np
import pytest

from softclust import _kernels
from softclust._kernels._jit import JIT_ENABLED
from softclust.statistics.assignment import best_assignments

MANY = JIT_ENABLED


def solve(table, kernel=None):
    kernels = _kernels.assignment
    r, c = table.shape
    columns = np.full(r, -7, dtype=np.int64)
    scratch = (np.empty(kernels.numbers_size(r, c), table.dtype),
               np.empty(kernels.marks_size(r, c), np.int64))
    if kernel is None:
        return kernels.assign_max(table, columns, *scratch), columns.tolist()
    getattr(kernels, kernel)(table, columns, *scratch)
    return None, columns.tolist()


@pytest.mark.parametrize("r", range(1, 6))
@pytest.mark.parametrize("c", range(1, 6))
def test_value_and_lowest_columns_by_enumeration(r, c):
    rng = np.random.default_rng(10 * r + c)
    for t in range(40 if MANY else 6):
        high = (1, 2, 4, 1000)[t % 4]   # 1 and 2 leave many ties
        table = rng.integers(-high, high + 1, (r, c))
        value, columns = oracle.best_assignment(table.tolist())
        expected = [-1 if j is None else j for j in columns]
        assert solve(table) == (value, expected), table
        # halves: sums of few are exact in float64
        assert solve(table / 2) == (value / 2, expected), table


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (4, 4), (2, 4), (3, 4)])
def test_paths_and_subsets_agree(shape):
    rng = np.random.default_rng(3)
    for _ in range(100 if MANY else 10):
        table = rng.integers(0, 4, shape)
        assert solve(table, "by_paths")[1] == solve(table)[1]


@pytest.mark.parametrize("m", [7, 12, 32])
def test_prices_prove_the_optimum(m):
    rng = np.random.default_rng(m)
    for high in (3, 50, 10**6):
        table = rng.integers(0, high + 1, (m, m))
        value, columns = solve(table)
        assert sorted(columns) == list(range(m))
        u, v = oracle.prices(table.tolist(), columns)
        assert (np.add.outer(u, v) >= table).all()
        assert sum(u) + sum(v) == value


@pytest.mark.parametrize("shape", [(6, 9), (9, 6), (32, 5), (5, 32), (33, 33), (40, 20)])
def test_rectangles_have_the_value_of_scipy(shape):
    from scipy.optimize import linear_sum_assignment
    rng = np.random.default_rng(8)
    tables = rng.integers(-20, 21, (3, *shape))
    columns, values = best_assignments(tables)
    for table, chosen, value in zip(tables, columns, values):
        rows, best = linear_sum_assignment(table, maximize=True)
        used = chosen[chosen >= 0]
        assert len(used) == min(shape) == len(set(used))
        assert value == table[rows, best].sum() == table[chosen >= 0][np.arange(len(used)),
                                                                     used].sum()


def test_no_cycle_means_one_optimum():
    """`is_unique` only spares work: with it or without, the columns are the lowest."""
    rng = np.random.default_rng(4)
    for _ in range(200 if MANY else 20):
        table = rng.integers(0, 3, (5, 5))
        assert solve(table)[1] == list(oracle.best_assignment(table.tolist())[1])


def test_batches_do_not_depend_on_threads():
    import softclust as sc
    tables = np.random.default_rng(0).integers(0, 9, (300 if MANY else 20, 6, 6))
    try:
        sc.set_num_threads(1)
        one = best_assignments(tables)
        sc.set_num_threads(4)
        four = best_assignments(tables)
    finally:
        sc.set_num_threads(None)
    for a, b in zip(one, four):
        assert np.array_equal(a, b)
    assert one[0][0].tolist() == solve(tables[0])[1]
