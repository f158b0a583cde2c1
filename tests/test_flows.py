"""Orders of clusters in which few flows cross."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import softclust as sc

STORED = json.loads((Path(__file__).parent / "golden" / "covers.json").read_text())
CASES = [c for c in STORED["cases"] if c["function"] == "order_flows"]


def crossings(table, rows, columns):
    """By the definition, over all pairs of flows."""
    cells = [(i, j, table[k][m]) for i, k in enumerate(rows) for j, m in enumerate(columns)]
    return sum(a * b for (i, j, a), (k, m, b) in itertools.product(cells, repeat=2)
               if i < k and j > m)


def least(table):
    table = np.asarray(table)
    return min(crossings(table.tolist(), rows, columns)
               for rows in itertools.permutations(range(table.shape[0]))
               for columns in itertools.permutations(range(table.shape[1])))


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["id"])
def test_stored_crossings(case):
    found = sc.order_flows(*case["args"])
    assert found.exact
    assert found.crossings == case["expected"]["crossings"]
    assert crossings(case["args"][0], *found.orders) == found.crossings


def test_small_tables_are_exact():
    rng = np.random.default_rng(0)
    for shape in ((1, 3), (3, 3), (4, 3), (3, 4), (4, 4), (2, 5)):
        table = rng.integers(0, 6, shape)
        found = sc.order_flows(table)
        assert (found.crossings, found.exact) == (least(table), True)
        assert [len(order) for order in found.orders] == list(shape)


def test_larger_tables_are_local_optima():
    rng = np.random.default_rng(1)
    for shape in ((9, 8), (20, 15)):
        table = rng.integers(0, 9, shape) * (rng.random(shape) < 0.5)
        found = sc.order_flows(table)
        assert not found.exact
        given = crossings(table.tolist(), range(shape[0]), range(shape[1]))
        assert crossings(table.tolist(), *found.orders) == found.crossings < given
        rows, columns = map(list, found.orders)
        for i in range(shape[1] - 1):
            other = [*columns[:i], columns[i + 1], columns[i], *columns[i + 2:]]
            assert crossings(table.tolist(), rows, other) >= found.crossings


def test_equal_partitions_do_not_cross():
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 10, 200)
    names = rng.permutation(10)
    found = sc.order_flows([labels, names[labels], labels])
    assert (found.crossings, len(found.orders), len(found.tables)) == (0, 3, 2)
    frame = found.to_frame()
    assert frame.groupby("clustering")["place"].apply(sorted).tolist() == [list(range(10))] * 3


def test_tables_and_clusterings_come_in_several_forms():
    x, y = np.array([0, 0, 1, 1, 2]), np.array([1, 1, 0, 2, 2])
    wanted = sc.order_flows([x, y])
    for given in ({"a": x, "b": y}, sc.Ensemble([x, y]), wanted.tables[0],
                  sc.contingency_table(x, y), wanted.tables[0].tolist(),
                  wanted.tables[0].astype(float)):
        found = sc.order_flows(given)
        assert found.crossings == wanted.crossings
        assert [o.tolist() for o in found.orders] == [o.tolist() for o in wanted.orders]


@pytest.mark.parametrize(("given", "message"), [
    ([[1, 2], [3]], "different lengths"), ([[1, -2]], "negative"), (3, "of type int"),
    ({"a": [0, 1]}, "one clustering"), (np.zeros((0, 2)), "shape"),
    ({"a": [0, 1], "b": [[0.5, 0.5], [0, 1]]}, "clustering 'b' is fuzzy"),
])
def test_bad_flows(given, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.order_flows(given)


def test_plots():
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    ax = sc.plotting.plot_flows({"one": ["a", "b", "b"], "$two": ["p", "p", "q"], "3": [0, 0, 0]})
    assert [label.get_text() for label in ax.get_xticklabels()] == ["one", r"\$two", "3"]
    assert "cross" in ax.get_title(loc="left")
    ax = sc.element_centric(sc.CoverClustering([[1, 0], [1, 1], [0, 0]]), [0, 0, 1]).plot("x")
    assert [t.get_text() for t in ax.get_xticklabels()] == ["0", "1", "in none"]
    many = sc.element_centric(np.arange(60) % 30, np.arange(60) % 7)
    assert "11 smaller" in [t.get_text() for t in many.plot().get_xticklabels()]
    fuzzy = sc.element_centric([[0.9, 0.1], [0.2, 0.8]], [0, 1])
    assert len(fuzzy.plot().get_xticklabels()) == 2
    with pytest.raises(TypeError, match="ElementCentric is needed"):
        sc.plotting.plot_element_centric(3)
    plt.close("all")
