"""Assignments of several tables: enumeration, certificates, rectangles."""

import naive.matching as oracle
import numpy as np
import pytest

from softclust.tables.assignment import best_assignments


@pytest.mark.parametrize("r", range(1, 6))
@pytest.mark.parametrize("c", range(1, 6))
def test_values_by_enumeration(r, c):
    tables = np.random.default_rng(10 * r + c).integers(-4, 5, (20, r, c))
    columns, values = best_assignments(tables)
    for table, chosen, value in zip(tables, columns, values):
        assert value == oracle.best_assignment(table.tolist())[0]
        rows = np.flatnonzero(chosen >= 0)
        assert rows.size == min(r, c) == np.unique(chosen[rows]).size
        assert value == table[rows, chosen[rows]].sum()


@pytest.mark.parametrize("m", [4, 7, 12])
def test_prices_prove_the_optimum(m):
    rng = np.random.default_rng(m)
    for high in (3, 50, 10**6):
        table = rng.integers(0, high + 1, (m, m))
        columns, values = best_assignments(table[None])
        u, v = oracle.prices(table.tolist(), columns[0].tolist())
        assert (np.add.outer(u, v) >= table).all()
        assert sum(u) + sum(v) == values[0]
