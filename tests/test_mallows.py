"""Mallows distance and CSSD: stored values, every vertex of the plans, relations, odd input."""

import json
import math
from pathlib import Path

import naive
import numpy as np
import pytest

import softclust as sc
from softclust.tables import matching as assignment

FOLDER = Path(__file__).parent / "golden"
GOLDEN = json.loads((FOLDER / "soft-measures.json").read_text())
CLUE = json.loads((FOLDER / "r" / "clue_pairs.json").read_text())["cases"]


def built(name):
    given = GOLDEN["inputs"][name]
    return given["labels"] if given["kind"] == "hard" else np.array(given["membership"])


@pytest.mark.parametrize("case", [c for c in GOLDEN["cases"] if c["function"] in
                                  ("mallows_distance", "cssd_dissimilarity")],
                         ids=lambda c: c["id"])
def test_golden_values(case):
    value = getattr(sc, case["function"])(*map(built, case["args"]), **case["kwargs"])
    assert value == pytest.approx(case["expected"], rel=0, abs=case["abs_tol"])


def padded_side(given, c):
    """A stored side with c clusters: clue adds empty ones."""
    if isinstance(given[0], list):
        rows = np.array(given, dtype=float)
        rows = np.hstack([rows, np.zeros((len(rows), c - rows.shape[1]))])
        return rows / rows.sum(axis=1, keepdims=True)   # printed rows sum to 1 up to 1e-15
    names = sorted(set(given))
    return sc.HardClustering([names.index(label) for label in given], n_clusters=c)


@pytest.mark.parametrize("name", list(CLUE))
def test_stored_values_of_clue(name):
    case = CLUE[name]
    c = max(max(case["n_classes"]), *(len(np.atleast_1d(case[k][0])) for k in "xy"))
    x, y = padded_side(case["x"], c), padded_side(case["y"], c)
    for p, stored in ((1, case["dissimilarity"]["Mallows"]), (2, case["Mallows_p2"])):
        # a root of rounding errors in R
        assert sc.mallows_distance(x, y, p=p) * c ** (1 / p) == pytest.approx(
            stored, rel=1e-9, abs=1e-7)
    distances = np.array(case["CSSD"]["cost"], dtype=float)
    # For unequal numbers of clusters clue takes another set of plans.
    if distances.shape == (c, c):
        assert sc.cssd_dissimilarity(x, y, distances=distances) == pytest.approx(
            case["CSSD"]["value"], rel=1e-10, abs=1e-10)


def random_side(rng, n, c):
    if rng.random() < 0.3:
        return sc.HardClustering(rng.integers(0, c, n), n_clusters=c)
    rows = rng.dirichlet(np.full(c, 0.6), size=n)
    rows[rng.random(n) < 0.3] = np.eye(c)[0]
    return sc.FuzzyClustering(rows)


def rows_of(side):
    return np.asarray(side.to_fuzzy().membership).tolist()


@pytest.mark.parametrize("weights", ["uniform", "mass"])
@pytest.mark.parametrize("p", [1, 2, 3.5])
def test_against_every_vertex(p, weights):
    rng = np.random.default_rng(4)
    for _ in range(12):
        n = int(rng.integers(2, 7))
        x, y = (random_side(rng, n, int(rng.integers(1, 4))) for _ in range(2))
        value = sc.mallows_distance(x, y, p=p, weights=weights)
        # HiGHS stops at 1e-10 of the largest cost; the root of a small cost is larger
        expected = naive.mallows_distance(rows_of(x), rows_of(y), p, weights)
        assert value ** p == pytest.approx(expected ** p, rel=0, abs=1e-9)
        assert sc.mallows_distance(y, x, p=p, weights=weights) ** p == pytest.approx(
            value ** p, rel=0, abs=1e-9)
        assert 0 <= value <= n ** (1 / p) + 1e-9


def test_given_weights():
    x, y = np.array([[0.5, 0.5], [1, 0]]), np.array([[0.2, 0.3, 0.5], [0, 1, 0]])
    weights = [0.25, 0.75], [0.5, 0.5, 0.0]
    assert sc.mallows_distance(x, y, weights=weights) == pytest.approx(
        naive.mallows_distance(x.tolist(), y.tolist(), 1, weights), abs=1e-12)


def test_equal_parts_and_the_linear_programme_agree(monkeypatch):
    rng = np.random.default_rng(9)
    cost = rng.random((4, 6))
    rows, columns = np.full(4, 0.25), np.full(6, 1 / 6)
    exact = (assignment.cheapest_plan(cost, rows, columns) * cost).sum()
    monkeypatch.setattr(assignment, "_EQUAL_PARTS", 0)
    plan = assignment.cheapest_plan(cost, rows, columns)
    assert (plan * cost).sum() == pytest.approx(exact, rel=1e-9)
    np.testing.assert_allclose(plan.sum(axis=1), rows, atol=1e-9)
    np.testing.assert_allclose(plan.sum(axis=0), columns, atol=1e-9)


def test_relation_to_other_distances():
    """r = s, uniform, p = 1: the alpha partition dissimilarity and clue's Manhattan distance."""
    rng = np.random.default_rng(12)
    for _ in range(10):
        x, y = rng.dirichlet([1, 1, 1], size=7), rng.dirichlet([1, 1, 1], size=7)
        value = 3 * sc.mallows_distance(x, y)
        assert value == pytest.approx(sc.manhattan_membership_distance(x, y), rel=1e-12)
        assert value / 12 == pytest.approx(sc.alpha_partition_dissimilarity(x, y), rel=1e-12)


@pytest.mark.parametrize("weights", ["uniform", "mass"])
@pytest.mark.parametrize("p", [1, 2])
def test_equal_clusterings_are_at_distance_zero_exactly(p, weights):
    u = np.random.default_rng(0).dirichlet([1, 1, 1, 1], size=30)
    assert sc.mallows_distance(u, u[:, [2, 0, 3, 1]], p=p, weights=weights) == 0.0
    labels = np.arange(30) % 4
    assert sc.mallows_distance(labels, 3 - labels, p=p, weights=weights) == 0.0
    # nearly equal is not equal
    v = u.copy()
    v[0, :2] += (1e-3, -1e-3)
    assert sc.mallows_distance(u, v, p=p, weights=weights) > 1e-5


def test_empty_clusters_weigh_nothing_by_mass():
    u = np.random.default_rng(0).dirichlet([1, 1, 1], size=6)
    wide = np.hstack([u, np.zeros((6, 2))])
    assert sc.mallows_distance(u, wide, weights="mass") == 0.0
    assert sc.mallows_distance(u, wide) > 0.1


def test_cssd_against_every_vertex():
    rng = np.random.default_rng(3)
    for _ in range(15):
        n, r, s = rng.integers(2, 7), int(rng.integers(1, 4)), int(rng.integers(1, 4))
        x, y = random_side(rng, n, r), random_side(rng, n, s)
        alpha, beta = rng.random(r) + 0.1, rng.random(s) + 0.1
        beta *= alpha.sum() / beta.sum()
        distances = rng.random((r, s))
        value = sc.cssd_dissimilarity(x, y, distances=distances, x_weights=alpha, y_weights=beta)
        assert value == pytest.approx(naive.cssd_dissimilarity(
            rows_of(x), rows_of(y), distances.tolist(), alpha.tolist(), beta.tolist()),
            rel=0, abs=1e-9)


@pytest.mark.parametrize("metric", ["euclidean", "squared_euclidean", "manhattan"])
def test_cssd_metrics(metric):
    x, y = np.array([[0.6, 0.4], [0.1, 0.9], [1, 0]]), [0, 1, 1]
    p, q = np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([[1.0, 0.0], [3.0, 1.0]])
    gaps = p[:, None] - q[None]
    distances = {"euclidean": np.sqrt((gaps**2).sum(2)), "squared_euclidean": (gaps**2).sum(2),
                 "manhattan": abs(gaps).sum(2)}[metric]
    assert sc.cssd_dissimilarity(x, y, x_prototypes=p, y_prototypes=q, metric=metric) == (
        pytest.approx(sc.cssd_dissimilarity(x, y, distances=distances), rel=1e-14))


@pytest.mark.parametrize(("options", "message"), [
    ({"p": 0.5}, "p is 0.5; a finite number >= 1"),
    ({"p": math.inf}, "a finite number >= 1"),
    ({"weights": 3}, 'weights must be "uniform", "mass" or two arrays'),
    ({"weights": ([1, 0, 0], [0.5, 0.5])}, r"weights of x have shape \(3,\)"),
    ({"weights": ([1, 1], [0.5, 0.5])}, "weights of x sum to 2.0; .* divide them"),
    ({"weights": ([1, 0], [1.5, -0.5])}, "weights of y must be finite and >= 0"),
])
def test_odd_input_of_mallows(options, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.mallows_distance([0, 1, 1], [0, 0, 1], **options)


def test_unknown_words():
    with pytest.raises(ValueError, match="weights='sizes' is not known"):
        sc.mallows_distance([0, 1], [0, 1], weights="sizes")
    with pytest.raises(TypeError, match="p must be a number"):
        sc.mallows_distance([0, 1], [0, 1], p="one")
    with pytest.raises(ValueError, match="metric='cosine' is not known"):
        sc.cssd_dissimilarity([0, 1], [0, 1], distances=np.ones((2, 2)), metric="cosine")


@pytest.mark.parametrize(("options", "message"), [
    ({}, "give either x_prototypes and y_prototypes, or distances"),
    ({"x_prototypes": [[0], [1]], "distances": np.ones((2, 2))}, "give either"),
    ({"x_prototypes": [[0], [1]]}, r"y_prototypes has shape \(0,\)"),
    ({"x_prototypes": [[0], [1]], "y_prototypes": [[0, 1], [1, 2]]}, "1 columns and .* 2"),
    ({"distances": [[1, 2]]}, r"have shape \(1, 2\); .* of shape \(2, 2\)"),
    ({"distances": np.ones((2, 2)), "x_weights": [1, 2]}, "x_weights sum to 3 and y_weights to 2"),
    ({"distances": np.ones((2, 2)), "x_weights": [0, 2]}, "x_weights must be finite and > 0"),
])
def test_odd_input_of_cssd(options, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.cssd_dissimilarity([0, 1, 1], [0, 0, 1], **options)


def test_cssd_needs_weights_for_unequal_numbers():
    with pytest.raises(sc.ClusteringError, match="x has 2 and y has 3 clusters; give x_weights"):
        sc.cssd_dissimilarity([0, 1, 1], [0, 1, 2], distances=np.ones((2, 3)))


@pytest.mark.parametrize("function", [sc.mallows_distance, sc.cssd_dissimilarity])
def test_other_kinds_are_refused(function):
    rough = sc.RoughClustering.from_upper([[1, 1], [1, 0]])
    with pytest.raises(sc.ClusteringError, match=r"x is rough.*x\.to_fuzzy\(\)"):
        function(rough, [0, 1])
