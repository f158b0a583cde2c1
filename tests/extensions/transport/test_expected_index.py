"""Expected indices of a hard clustering against memberships."""

import math
import warnings

import naive
import numpy as np
import pytest
from extensions.transport.transport_cases import find
from strategies import JIT_OFF

import softclust as sc
from softclust.extensions.transport.expected import (
    COUNT_INDICES,
    PAIR_INDICES,
    Classes,
    count_index_bounds,
    pair_index_bounds,
)
from softclust.extensions.transport.problem import Limits

INDICES = (*PAIR_INDICES, *COUNT_INDICES)
CASES = [case for case in find(group="indices") if case.n <= (24 if JIT_OFF else 100)]
#: the same number by another formula: rounding, and 5e-14 of the sums of exponentials
CLOSE = 2e-13


def memberships(rng, n, c, zeros=0.2):
    u = rng.random((n, c)) * (rng.random((n, c)) > zeros)
    u[np.arange(n), rng.integers(c, size=n)] += rng.random(n)
    return u / u.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_stored_values(case):
    for index, expected in case.expected_index.items():
        result = sc.expected_index(case.x, case.y, index=index)
        assert result.value == pytest.approx(expected, abs=1e-12), index
        assert result.low <= expected <= result.high
        assert result.exact
        assert result.high - result.low < 1e-11


@pytest.mark.parametrize("index", INDICES)
def test_against_all_labellings(index):
    rng = np.random.default_rng(INDICES.index(index))
    for _ in range(10 if JIT_OFF else 60):
        n, c = int(rng.integers(2, 6)), int(rng.integers(1, 5))
        truth, u = rng.integers(int(rng.integers(1, 4)), size=n), memberships(rng, n, c)
        expected = naive.expected_index(truth.tolist(), u.tolist(), index)
        result = sc.expected_index(truth, sc.FuzzyClustering(u), index=index)
        assert result.value == pytest.approx(expected, abs=CLOSE)
        # The oracle rounds as well.
        assert result.low - 1e-14 <= expected <= result.high + 1e-14


@pytest.mark.parametrize(("index", "measure"), [
    ("jaccard", sc.jaccard_index), ("fowlkes_mallows", sc.fowlkes_mallows_index),
    ("adjusted_rand", sc.adjusted_rand_index), ("mutual_information", sc.mutual_information),
    ("variation_of_information", sc.variation_of_information)])
def test_hard_memberships_give_the_index_itself(index, measure):
    rng = np.random.default_rng(3)
    x, y = rng.integers(3, size=40), rng.integers(4, size=40)
    result = sc.expected_index(x, np.eye(4)[y], index=index)
    assert result.value == pytest.approx(measure(x, y), abs=CLOSE)


@pytest.mark.parametrize("index", INDICES)
def test_names_and_order_change_nothing(index):
    rng = np.random.default_rng(5)
    n = 12
    truth, u = rng.integers(3, size=n), memberships(rng, n, 3)
    order = rng.permutation(n)
    renamed = np.array([2, 0, 1])[truth]
    padded = np.column_stack([u[:, [1, 2, 0]], np.zeros(n)])
    plain = sc.expected_index(truth, u, index=index).value
    other = sc.expected_index(renamed[order] + 1, sc.FuzzyClustering(padded[order]), index=index)
    assert other.value == pytest.approx(plain, abs=CLOSE)


def test_one_object_a_class_against_as_many_labels():
    truth, u = [0, 1, 2], np.full((3, 3), 1 / 3)
    for index in PAIR_INDICES:
        # The labels differ, too, for 6 of 27 labellings.
        assert sc.expected_index(truth, u, index=index).value == pytest.approx(6 / 27, abs=CLOSE)


def test_one_joint_pair_among_many():
    # z of Jaccard's 1/z then runs up to 400 times its least value.
    rng = np.random.default_rng(2)
    n = 8
    truth, u = np.array([0, 0, *range(1, n - 1)]), memberships(rng, n, 2, zeros=0.0)
    expected = naive.expected_index(truth.tolist(), u.tolist(), "jaccard")
    result = sc.expected_index(truth, u, index="jaccard")
    assert result.value == pytest.approx(expected, abs=CLOSE)


@pytest.mark.parametrize("index", INDICES)
def test_bounds_hold(index):
    rng = np.random.default_rng(11)
    for _ in range(5 if JIT_OFF else 40):
        n, c = int(rng.integers(2, 12 if JIT_OFF else 60)), int(rng.integers(1, 4))
        u = memberships(rng, n, c)
        certain = rng.random(n) < rng.random()
        u[certain] = np.eye(c)[u[certain].argmax(axis=1)]
        classes = Classes(rng.integers(c, size=n), u)
        solve = {**PAIR_INDICES, **COUNT_INDICES}[index]
        bounds = pair_index_bounds if index in PAIR_INDICES else count_index_bounds
        exact, found = solve(classes, Limits()), bounds(index, classes)
        # Bounds that hold in real numbers, and rounding of the exact value.
        assert found.low - 1e-12 <= exact.value <= found.high + 1e-12
        assert found.low <= found.value <= found.high


@pytest.mark.parametrize("index", PAIR_INDICES)
def test_too_many_states_leave_narrow_bounds(index):
    rng = np.random.default_rng(4)
    n = 60 if JIT_OFF else 3000
    truth, u = rng.integers(2, size=n), memberships(rng, n, 2)
    with pytest.warns(sc.InexactWarning, match=f"{index}: stopped by max_states"):
        result = sc.expected_index(truth, u, index=index, max_states=1)
    assert not result.exact
    assert result.status == "max_states"
    exact = sc.expected_index(truth, u, index=index)
    assert exact.exact
    assert result.low <= exact.value <= result.high
    if not JIT_OFF:
        assert result.high - result.low < 1e-3   # O(1/n)


def test_long_column_sums_are_not_built():
    # Rows of 2 objects are small, but their column sums have 25^5 indices.
    rng = np.random.default_rng(6)
    u = memberships(rng, 24, 6, zeros=0.0)
    with pytest.warns(sc.InexactWarning, match="max_states"):
        result = sc.expected_index(np.arange(24) // 2, u, index="fowlkes_mallows")
    assert 0 <= result.low < result.value < result.high <= 1


@pytest.mark.parametrize("index", INDICES)
def test_limits_of_time_and_progress(index):
    truth, u = [0, 0, 1, 1], [[0.5, 0.5], [1.0, 0.0], [0.25, 0.75], [0.0, 1.0]]
    exact = sc.expected_index(truth, u, index=index).value
    with pytest.warns(sc.InexactWarning, match="time_limit"):
        late = sc.expected_index(truth, u, index=index, time_limit=1e-9)
    with pytest.warns(sc.InexactWarning, match="cancelled"):
        stopped = sc.expected_index(truth, u, index=index, progress=lambda *_: False)
    for result in (late, stopped):
        assert not result.exact
        assert result.low <= exact <= result.high


@pytest.mark.parametrize(("truth", "fuzzy", "message"), [
    ([[0.5, 0.5], [1.0, 0.0]], [0, 1], "truth is fuzzy; a hard clustering is needed"),
    ([0, 1], sc.RoughClustering.from_upper([[1, 1], [0, 1]]), "fuzzy is rough"),
    ([0, 1], sc.PossibilisticClustering([[1, 0.5], [0, 1]]), "fuzzy is possibilistic"),
    ([0, 1], sc.PossibilisticClustering([[0.5, 0.5], [0, 1]]), "fuzzy is possibilistic"),
    ([0, 1], sc.EvidentialClustering([[0.5, 0.5], [0, 1]], [[1, 0], [1, 1]]),
     "fuzzy is evidential"),
    ([0, 1, 1], [[0.5, 0.5], [1.0, 0.0]], "objects"),
])
def test_other_kinds_are_refused(truth, fuzzy, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.expected_index(truth, fuzzy, index="jaccard")


def test_masses_on_single_clusters_are_memberships():
    u = [[0.25, 0.75], [1.0, 0.0], [0.5, 0.5]]
    masses = sc.FuzzyClustering(u).to_evidential()
    assert (sc.expected_index([0, 1, 1], masses, index="purity").value
            == sc.expected_index([0, 1, 1], u, index="purity").value)


@pytest.mark.parametrize(("options", "message"), [
    ({"index": "rand"}, "'jaccard'"), ({"index": "purity", "max_states": 0}, "max_states is 0"),
    ({"index": "purity", "time_limit": 0}, "time_limit is 0")])
def test_odd_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        sc.expected_index([0, 1], [[0.5, 0.5], [1.0, 0.0]], **options)


def test_the_record_reads_as_a_number_a_table_and_a_frame():
    joint = sc.Joint([0, 1, 1], [[0.25, 0.75], [1.0, 0.0], [0.5, 0.5]])
    result = sc.expected_index(joint, index="purity")
    assert float(result) == result.value
    assert math.isclose(result, result.value)
    assert "purity" in str(result)
    assert result.to_frame().loc["purity", "value"] == result.value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.InexactWarning)
        stopped = sc.expected_index(joint, index="jaccard", max_states=1)
    assert "max_states" in str(stopped)
