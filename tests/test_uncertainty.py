"""Uncertainty of one clustering: definitions, stored values, degenerate cases, messages."""

import json
import math
from pathlib import Path

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import KINDS, clusterings, naive_masses, random_clustering, same_content

import softclust as sc

CASES = json.loads((Path(__file__).parent / "golden" / "conversions.json").read_text(
    encoding="utf-8"))["entropies"]
#: sums of a few numbers in [0, 1]
CLOSE = 1e-14


# -- nonspecificity -------------------------------------------------------------------------------


@given(st.data())
def test_nonspecificity_by_definition(data):
    x = data.draw(clusterings(data.draw(st.integers(1, 5))))
    value = sc.nonspecificity(x)
    assert type(value) is float
    assert 0 <= value <= 1
    assert abs(value - naive.nonspecificity(naive_masses(x))) <= CLOSE
    assert abs(value - sc.nonspecificity(x.to_evidential())) <= CLOSE
    for y in same_content(x):
        assert abs(value - sc.nonspecificity(y)) <= CLOSE


def test_nonspecificity_extremes():
    for kind in ("hard", "fuzzy"):
        assert sc.nonspecificity(random_clustering(np.random.default_rng(0), kind, 6, 3)) == 0
    assert sc.nonspecificity(sc.RoughClustering.from_upper(np.ones((4, 3)))) == 1
    assert sc.nonspecificity(sc.PossibilisticClustering(np.ones((4, 3)))) == 1
    assert sc.nonspecificity(sc.PossibilisticClustering(np.zeros((4, 3)))) == 1
    assert sc.nonspecificity(sc.EvidentialClustering([[1.0]], [[0, 0, 0]])) == 1
    half = sc.RoughClustering.from_upper([[1, 1, 0, 0]])
    assert abs(sc.nonspecificity(half) - 0.5) <= CLOSE


def test_nonspecificity_of_one_cluster_is_zero():
    for x in (sc.HardClustering([0, 0]), sc.RoughClustering.from_upper([[1]]),
              sc.FuzzyClustering([[1.0]]), sc.PossibilisticClustering([[0.5]]),
              sc.EvidentialClustering([[0.5, 0.5]], [[0], [1]])):
        assert sc.nonspecificity(x) == 0


def test_nonspecificity_grows_with_the_sets():
    rng = np.random.default_rng(1)
    for _ in range(20):
        upper = rng.random((5, 4)) < 0.5
        upper[:, 0] = True
        wider = upper | (rng.random((5, 4)) < 0.3)
        assert (sc.nonspecificity(sc.RoughClustering.from_upper(upper))
                <= sc.nonspecificity(sc.RoughClustering.from_upper(wider)) + CLOSE)


def test_normalizing_by_yager_keeps_nonspecificity():
    """Mass on the empty set counts as mass on all clusters."""
    rng = np.random.default_rng(2)
    for kind in ("possibilistic", "evidential"):
        for _ in range(10):
            x = random_clustering(rng, kind, 5, 3, empty=True)
            assert abs(sc.nonspecificity(x) - sc.nonspecificity(x.normalize("yager"))) <= CLOSE


def test_nonspecificity_takes_anything():
    assert sc.nonspecificity([0, 1, 1]) == 0
    assert sc.nonspecificity(sc.as_clustering([[True, True]] * 2, kind="rough")) == 1
    with pytest.raises(sc.ClusteringError, match="x: an object of type str is not a clustering"):
        sc.nonspecificity("abc")


# -- entropy of memberships -----------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_golden_entropies(case):
    u = np.array(case["input"]["membership"], dtype=float)
    expected, tolerance = case["expected"], case["tolerance"]
    each = sc.membership_entropy(u, average=False)
    np.testing.assert_allclose(each, expected["entropy"], rtol=0, atol=tolerance)
    assert abs(sc.membership_entropy(u) - expected["mean_entropy"]) <= tolerance
    nats = sc.membership_entropy(u, log_base=math.e)
    assert abs(nats - expected["mean_entropy_nats"]) <= tolerance


@given(clusterings(5, kinds=("fuzzy",)))
def test_entropy_by_definition(x):
    value = sc.membership_entropy(x)
    assert type(value) is float
    assert 0 <= value <= math.log2(x.n_clusters) + CLOSE
    rows = x.membership.tolist()
    for base in (2, 10, math.e):
        assert abs(sc.membership_entropy(x, log_base=base)
                   - naive.membership_entropy(rows, base=base)) <= CLOSE
    each = sc.membership_entropy(x, average=False)
    np.testing.assert_allclose(each, naive.membership_entropy(rows, average=False), rtol=0,
                               atol=CLOSE)


def test_entropy_extremes():
    assert sc.membership_entropy([0, 1, 2]) == 0
    assert sc.membership_entropy([0, 1, 2], average=False).tolist() == [0, 0, 0]
    assert sc.membership_entropy(np.eye(3)) == 0
    assert sc.membership_entropy([[1.0], [1.0]]) == 0
    assert sc.membership_entropy(np.full((3, 4), 0.25)) == 2
    assert sc.membership_entropy(np.full((3, 4), 0.25), log_base=4) == 1
    # within the tolerance of row sums, not below 0
    assert sc.membership_entropy([[1.0 + 5e-9, 0.0]]) == 0


def test_entropy_over_several_blocks():
    rng = np.random.default_rng(3)
    u = rng.dirichlet([0.3, 0.5, 1.0], size=9000)
    u /= u.sum(axis=1, keepdims=True)
    plain = -(u * np.log2(np.where(u > 0, u, 1.0))).sum(axis=1)
    try:
        values = []
        for threads in (1, 8):
            sc.set_num_threads(threads)
            values.append(sc.membership_entropy(u, average=False))
    finally:
        sc.set_num_threads(None)
    np.testing.assert_array_equal(values[0], values[1])
    np.testing.assert_allclose(values[0], plain, rtol=0, atol=CLOSE)


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("hard", "fuzzy")])
def test_entropy_needs_memberships(kind):
    x = random_clustering(np.random.default_rng(0), kind, 4, 3)
    with pytest.raises(sc.ClusteringError, match=rf"x is {kind}; .*x\.to_fuzzy\(\) or"):
        sc.membership_entropy(x)
    assert sc.membership_entropy(x.to_fuzzy()) >= 0


@pytest.mark.parametrize(("base", "error", "message"), [
    (1, sc.ClusteringError, "log_base is 1; a number above 1"),
    (0.5, sc.ClusteringError, "log_base is 0.5"),
    (-2, sc.ClusteringError, "log_base is -2"), (math.inf, sc.ClusteringError, "base is inf"),
    (math.nan, sc.ClusteringError, "log_base is nan"), ("two", TypeError, "not 'two'"),
    (None, TypeError, "not None"),
])
def test_wrong_base(base, error, message):
    with pytest.raises(error, match=message):
        sc.membership_entropy([[1.0, 0.0]], log_base=base)


@pytest.mark.parametrize("name", ["nonspecificity", "membership_entropy"])
def test_records(name):
    m = sc.get_measure(name)
    assert m.arity == 1
    assert m.sense == "uncertainty"
    assert m.family == "uncertainty"
    assert name not in [row.name for row in sc.compare([0, 0, 1], [0, 1, 1])]
