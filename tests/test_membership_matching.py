"""Membership measures of clue: stored R values, oracles, shared products, odd input."""

import json
import math
from pathlib import Path

import naive
import numpy as np
import pytest

import softclust as sc

NAMES = ("euclidean_membership_distance", "euclidean_membership_index",
         "manhattan_membership_distance", "manhattan_membership_index", "matched_cosine_index",
         "coclassification_index", "comembership_dissimilarity", "gordon_vichi_dissimilarity")

GOLDEN = Path(__file__).parent / "golden" / "r" / "clue_pairs.json"
STORED = json.loads(GOLDEN.read_text())["cases"]
CLUE = {
    ("dissimilarity", "euclidean"): "euclidean_membership_distance",
    ("dissimilarity", "manhattan"): "manhattan_membership_distance",
    ("dissimilarity", "comemberships"): "comembership_dissimilarity",
    ("dissimilarity", "GV1"): "gordon_vichi_dissimilarity",
    ("agreement", "euclidean"): "euclidean_membership_index",
    ("agreement", "manhattan"): "manhattan_membership_index",
    ("agreement", "angle"): "matched_cosine_index",
    ("agreement", "diag"): "coclassification_index",
}


@pytest.mark.parametrize("name", list(STORED))
def test_stored_values_of_clue(name):
    case = STORED[name]
    sides = []
    for side in (case["x"], case["y"]):
        if isinstance(side[0], list):
            rows = np.array(side, dtype=float)
            side = rows / rows.sum(axis=1, keepdims=True)   # printed rows sum to 1 up to 1e-15
        sides.append(side)
    for (kind, method), measure in CLUE.items():
        expected = case[kind][method]
        if isinstance(expected, dict):
            assert "error" in expected   # clue stops at costs that rounding made negative
            expected = 0.0
        # 2e-7: clue takes roots of sums that cancel
        assert getattr(sc, measure)(*sides) == pytest.approx(expected, abs=2e-7), measure


def random_side(rng, n, c):
    if rng.random() < 0.4:
        return rng.integers(0, c, n)
    rows = rng.dirichlet(np.full(c, 0.5), size=n)
    rows[rng.random(n) < 0.3] = np.eye(c)[0]
    return rows


def rows_of(side):
    return np.asarray(sc.as_clustering(side).to_fuzzy().membership).tolist()


@pytest.mark.parametrize("name", NAMES)
def test_against_every_order_of_columns(name):
    rng = np.random.default_rng(8)
    for _ in range(40):
        n = int(rng.integers(2, 8))
        x, y = (random_side(rng, n, int(rng.integers(1, 5))) for _ in range(2))
        value = getattr(sc, name)(x, y)
        # sums of 40 terms
        assert value == pytest.approx(getattr(naive, name)(rows_of(x), rows_of(y)), abs=1e-12)
        assert getattr(sc, name)(y, x) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_hard_clusterings_take_the_contingency_and_agree_with_one_hot_rows(name):
    rng = np.random.default_rng(2)
    for _ in range(20):
        x, y = rng.integers(0, 4, 9), rng.integers(0, 3, 9)
        soft = [sc.FuzzyClustering(np.eye(c)[side]) for side, c in ((x, 4), (y, 3))]
        assert getattr(sc, name)(x, y) == pytest.approx(getattr(sc, name)(*soft), abs=1e-12)


def test_reductions_to_hard_measures():
    rng = np.random.default_rng(3)
    for _ in range(20):
        x, y = rng.integers(0, 4, 12), rng.integers(0, 3, 12)
        transfer = sc.partition_distance(x, y) * 11
        assert sc.euclidean_membership_distance(x, y) == pytest.approx(math.sqrt(2 * transfer))
        assert sc.manhattan_membership_distance(x, y) == pytest.approx(2 * transfer)
        assert sc.matched_cosine_index(x, y) == pytest.approx(1 - transfer / 12)
        assert sc.coclassification_index(x, y) == pytest.approx(1 - transfer / 12)
        counts = sc.pair_counts(x, y)
        assert sc.comembership_dissimilarity(x, y) ** 2 == pytest.approx(
            2 * (counts.n10 + counts.n01))


def test_a_clustering_against_itself_is_at_distance_zero_exactly():
    u = np.random.default_rng(0).dirichlet([1, 1, 1, 1], size=50)
    for name in NAMES:
        if "distance" in name or "dissimilarity" in name:
            assert getattr(sc, name)(u, u[:, [2, 0, 3, 1]]) == 0.0
    assert sc.coclassification_index(u, u) < 1


def test_gordon_vichi_breaks_the_triangle():
    x, y, z = [0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 0]
    d = sc.gordon_vichi_dissimilarity
    assert d(x, z) == pytest.approx(math.sqrt(6))
    assert d(x, z) > d(x, y) + d(y, z) - 1e-12 + 0.03


def test_different_fuzzy_clusterings_with_equal_inner_products():
    a = np.array([[7, 4, 4], [4, 7, 4], [4, 4, 7]]) / 15
    b = np.array([[6, 6, 3], [3, 6, 6], [6, 3, 6]]) / 15
    assert sc.comembership_dissimilarity(a, b) == 0.0
    assert sc.euclidean_membership_distance(a, b) > 0.1


@pytest.mark.parametrize("name", NAMES)
def test_other_kinds_are_refused_with_the_way_out(name):
    rough = sc.RoughClustering.from_upper([[1, 0], [1, 1], [0, 1]])
    with pytest.raises(sc.ClusteringError, match=r"y is rough.*y\.to_fuzzy\(\)"):
        getattr(sc, name)([0, 0, 1], rough)


def test_many_objects_and_clusters_stay_in_the_contingency():
    labels = np.arange(200_000) % 1000
    assert sc.euclidean_membership_distance(labels, (labels + 1) % 1000) == 0.0
