"""Assignments of several tables: enumeration, certificates, rectangles."""

import naive.matching as oracle
import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import softclust as sc
from softclust.tables.matching import best_assignments, matched_cells


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


def test_components_are_matched_apart():
    """The value of SciPy's assignment of the whole table, for tables in many pieces."""
    rng = np.random.default_rng(4)
    for trial in range(300):
        r, s = rng.integers(1, 13, size=2)
        table = rng.integers(1, 5, size=(r, s)) * (rng.random((r, s)) < rng.choice([0.1, 0.2, 0.5]))
        if trial % 2:
            table = table * rng.random((r, s))
        rows, cols = np.nonzero(table)
        if not rows.size:
            continue
        cells = matched_cells(rows, cols, table[rows, cols])
        assert np.unique(rows[cells]).size == np.unique(cols[cells]).size == cells.size
        best = table[linear_sum_assignment(table, maximize=True)].sum()
        assert table[rows[cells], cols[cells]].sum() == pytest.approx(best, rel=1e-12)


def test_matched_objects_of_many_small_clusters(monkeypatch):
    rng = np.random.default_rng(0)
    x = np.arange(3000) // 2
    y = np.where(rng.random(3000) < 0.1, rng.integers(1500, size=3000), x)
    table = sc.contingency_table(x, y).dense()
    kept = table[linear_sum_assignment(table, maximize=True)].sum()
    assert sc.coclassification_index(x, y) == kept / 3000
    whole = sc.match_clusters(x, y, rng=0)
    monkeypatch.setattr("softclust.memberships.matching.DENSE_CELLS", 1000)
    sparse = sc.match_clusters(x, y, rng=0)
    assert sparse.objective == whole.objective == kept
    assert sparse.diagonal == whole.diagonal
    assert sparse.kappa == pytest.approx(whole.kappa)
    frame = sparse.to_frame()
    assert frame["count"].is_monotonic_decreasing
    assert frame["count"].sum() == kept
    assert sorted(sparse.permutation) == sorted(set(sparse.permutation))
    assert "more pairs: to_frame() has them" in str(sparse)
    assert sc.coclassification_index(x, sparse.apply(y)) == kept / 3000
    with pytest.raises(ValueError, match="too large to draw"):
        sparse.plot()
