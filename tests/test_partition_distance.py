"""Partition distance: oracle, both ways of assignment, R's stored values, many clusters."""

import json
from pathlib import Path

import naive
import numpy as np
import pytest
from strategies import all_partitions

import softclust as sc
from softclust.tables import matching as assignment
from softclust.tables.contingency import contingency_from_table

GOLDEN = Path(__file__).parent / "golden" / "r"


def stored(name):
    return json.loads((GOLDEN / name).read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_all_pairs_of_partitions(n):
    for x in all_partitions(n):
        for y in all_partitions(n):
            assert sc.partition_distance(x, y) == float(naive.partition_distance(x, y))


@pytest.mark.parametrize("clusters", [(3, 3), (5, 2), (4, 6), (1, 5)])
def test_random_labels(clusters):
    rng = np.random.default_rng(sum(clusters))
    for _ in range(10):
        x, y = (rng.integers(k, size=40) for k in clusters)
        expected = float(naive.partition_distance(x.tolist(), y.tolist()))
        assert sc.partition_distance(x, y) == expected
        assert sc.partition_distance(y, x) == expected


@pytest.mark.parametrize("shape", [(2, 2), (5, 3), (3, 5), (30, 40), (60, 20)])
@pytest.mark.parametrize("density", [0.1, 0.5, 1.0])
def test_the_sparse_assignment_equals_the_dense_one(shape, density, monkeypatch):
    rng = np.random.default_rng(int(10 * density))
    for _ in range(5):
        table = np.where(rng.random(shape) < density, rng.integers(1, 50, size=shape), 0)
        table[0, 0] += 1
        table[:, -1] *= rng.random() < 0.5
        c = contingency_from_table(table)
        expected = assignment.most_matched(c)
        with monkeypatch.context() as patch:
            patch.setattr(assignment, "_DENSE_ASSIGNMENT", 0)
            assert assignment.most_matched(c) == expected


def test_many_clusters_use_the_sparse_assignment(monkeypatch):
    """3000 by 3000 clusters, most of them paired; the table is never built."""
    rng = np.random.default_rng(2)
    x = np.repeat(np.arange(3000), 5)
    y = x.copy()
    moved = rng.choice(len(x), size=40, replace=False)
    y[moved] = (y[moved] + 1) % 3000
    c = sc.Joint(x, y).contingency
    monkeypatch.setattr(type(c), "dense", None)
    assert c.r * c.s > assignment._DENSE_ASSIGNMENT
    # at most one object of each moved one's cluster was moved here, or the tie keeps as many
    assert sc.partition_distance(x, y) == 40 / (len(x) - 1)


def test_a_refinement_needs_no_assignment():
    """Each coarse cluster keeps its largest part."""
    coarse, fine = [0, 0, 0, 1, 1, 2], [0, 0, 1, 2, 3, 4]
    assert sc.partition_distance(coarse, fine) == 2 / 5
    assert sc.partition_distance(fine, coarse) == 2 / 5
    n = 20_000
    pairs, singles = np.arange(n) // 2, np.arange(n)
    assert sc.partition_distance(pairs, singles) == (n // 2) / (n - 1)


def test_extremes():
    assert sc.partition_distance([0, 0, 0], [0, 1, 2]) == 1.0
    assert sc.partition_distance([0, 0, 0], ["a", "a", "a"]) == 0.0
    assert sc.partition_distance([0, 1, 2], [2, 0, 1]) == 0.0
    wide = sc.HardClustering([7, 7, 3], n_clusters=9)
    assert sc.partition_distance([0, 0, 1], wide) == 0.0


def test_huge_counts_are_exact(monkeypatch):
    table = [[4 * 10**8, 10**8 + 1], [10**8 - 1, 4 * 10**8]]
    c = contingency_from_table(np.array(table))
    assert assignment.most_matched(c) == 8 * 10**8
    monkeypatch.setattr(assignment, "_DENSE_ASSIGNMENT", 0)
    assert assignment.most_matched(c) == 8 * 10**8


@pytest.mark.parametrize("name", [
    name for name, case in stored("clue_pairs.json").items()
    if all(case["is_hard"]) and not isinstance(case["x"][0], list)])
def test_stored_values_of_clue(name):
    """BA/A counts the objects that move."""
    case = stored("clue_pairs.json")[name]
    n = len(case["x"])
    assert sc.partition_distance(case["x"], case["y"]) == case["dissimilarity"]["BA/A"] / (n - 1)


@pytest.mark.parametrize("name", list(stored("hard_packages.json")))
def test_stored_values_of_partition_comparison(name):
    case = stored("hard_packages.json")[name]
    n = len(case["x"])
    expected = case["partitionComparison"]["classificationErrorDistance"]
    if isinstance(expected, dict):
        assert "error" in expected   # R stops where both sides are one cluster
        assert sc.partition_distance(case["x"], case["y"]) == 0.0
    else:
        # R's share of n comes from a difference of sums of shares
        assert sc.partition_distance(case["x"], case["y"]) * (n - 1) / n == pytest.approx(
            expected, rel=1e-12, abs=1e-14)


def test_soft_sides_are_refused_with_the_way_out():
    with pytest.raises(sc.ClusteringError, match="y is rough; a hard clustering is needed"):
        sc.partition_distance([0, 1], sc.RoughClustering.from_upper([[1, 1], [1, 0]]))
