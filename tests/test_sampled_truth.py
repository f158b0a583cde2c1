"""Truth that is known for a sample: golden values, loops, all samples of small populations."""

import json
import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import softclust as sc

from .naive import dependence as naive

CASES = [case for case in json.loads(
    (Path(__file__).parent / "golden" / "dependence.json").read_text())["cases"]
    if case["function"].startswith("sampled")]


def call(case):
    given = dict(case["input"])
    function = sc.sampled_pairs if case["function"] == "sampled_pairs" else sc.sampled_truth
    places = ("i", "j", "same") if case["function"] == "sampled_pairs" else ("truth",)
    return function(given.pop("predicted"), *[given.pop(name) for name in places], **given,
                    **case["kwargs"])


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_golden(case):
    found = call(case)
    for name, expected in case["expected"].items():
        row = found[name]
        assert row.method == expected["method"]
        for field, value in expected.items():
            if field != "method":
                np.testing.assert_allclose(getattr(row, field), np.nan if value is None else value,
                                           rtol=0, atol=case["abs_tol"], err_msg=f"{name} {field}")


def population(seed, n=14, n_true=6):
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_true, size=n)
    predicted = np.where(rng.random(n) < 0.7, truth, rng.integers(n_true, size=n))
    return predicted.tolist(), truth.tolist(), rng


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("design", ["clusters", "objects"])
def test_value_and_error_are_those_of_loops(seed, design):
    predicted, truth, rng = population(seed)
    pi = rng.uniform(0.2, 0.9, size=14)
    if design == "clusters":
        drawn = sorted(set(truth))[:4]
        pi = pi[truth]
        units = [(e, 1.0) for e in drawn]
        probabilities = [float(pi[truth.index(e)]) for e in drawn]
        options = {}
    else:
        sample = [1, 3, 4, 8, 11]
        drawn = {truth[k] for k in sample}
        units = [(truth[k], 1 / truth.count(truth[k])) for k in sample]
        probabilities = pi[sample].tolist()
        options = {"sample": sample}
    known = [e if e in drawn else None for e in truth]
    found = sc.sampled_truth(predicted, known, design=design, probabilities=pi, **options)
    for row in found:
        value, error = naive.sampled(row.name, predicted, truth, units, probabilities)
        assert row.value == pytest.approx(value, abs=1e-12)
        assert row.standard_error == pytest.approx(error, abs=1e-8)


def test_totals_are_unbiased_over_all_samples():
    predicted, truth, _ = population(5, n=7, n_true=4)
    everything = sc.sampled_truth(predicted, truth, design="clusters", probabilities=1)
    names = sorted(set(truth))
    k, n = 3, len(truth)
    assert (n, len(names)) == (7, 4)
    by_cluster, by_object = [], []
    for drawn in combinations(names, k):
        by_cluster.append(sc.sampled_truth(
            predicted, [e if e in drawn else None for e in truth], design="clusters",
            probabilities=k / len(names)).totals)
    for sample in combinations(range(n), k):
        by_object.append(sc.sampled_truth(predicted, truth, design="objects", sample=sample,
                                          probabilities=k / n).totals)
    p = sc.pair_counts(truth, predicted)
    assert dict(everything.totals) == {
        "joined_in_both": p.n11, "joined_in_truth": p.in_x, "joined_in_predicted": p.in_y,
        "objects": n}
    for all_samples in (by_cluster, by_object):
        for name, total in everything.totals.items():
            assert np.mean([t[name] for t in all_samples]) == pytest.approx(total, abs=1e-11)


def test_a_census_has_the_plain_value_and_no_error():
    predicted, truth, _ = population(7)
    found = sc.sampled_truth(predicted, truth, design="clusters", probabilities=1.0)
    other = sc.sampled_truth(predicted, truth, design="objects", sample=range(14),
                             probabilities=1.0)
    for name in ("rand_index", "adjusted_rand_index", "jaccard_index"):
        value = getattr(sc, name)(predicted, truth)
        for row in (found[name], other[name]):
            assert row.value == pytest.approx(value, abs=1e-14)
            assert (row.standard_error, row.low, row.high) == (0.0, row.value, row.value)
            assert row.method == "census"
    p = sc.pair_counts(truth, predicted)
    every = list(combinations(range(14), 2))
    pairs = sc.sampled_pairs(predicted, *zip(*every), [truth[i] == truth[j] for i, j in every],
                             probabilities=1)
    assert pairs["pair_precision"].value == p.n11 / p.in_y
    assert pairs["pair_recall"].value == p.n11 / p.in_x
    assert {row.method for row in pairs} == {"census"}


def test_no_estimate_of_a_random_design_leaves_0_to_1():
    rng = np.random.default_rng(11)
    for _ in range(60):
        n = int(rng.integers(6, 30))
        truth = rng.integers(rng.integers(2, 9), size=n)
        predicted = np.where(rng.random(n) < 0.6, truth, rng.integers(4, size=n))
        sample = np.flatnonzero(rng.random(n) < 0.5)
        if not sample.size:
            continue
        found = sc.sampled_truth(predicted, truth, design="objects", sample=sample,
                                 probabilities=rng.uniform(0.01, 1, n))
        for row in found:
            if row.name != "adjusted_rand_index" and not math.isnan(row.value):
                assert -1e-15 <= row.value <= 1 + 1e-15
                assert math.isnan(row.low) or 0 <= row.low <= row.value <= row.high <= 1


def test_a_cluster_that_holds_the_pairs_withholds_the_limits():
    truth = [0] * 40 + [k for k in range(1, 31) for _ in range(2)]
    predicted = [0] * 38 + [99, 99] + [k for k in range(1, 21) for _ in range(2)] + list(
        range(200, 220))
    found = sc.sampled_truth(predicted, truth, design="clusters", probabilities=0.5)
    assert found["pair_recall"].method == "none"
    assert found["pair_recall"].note == (
        "one true cluster holds most of the pairs: sample objects instead")
    assert found["bcubed_recall"].n_effective < 10
    assert found["cluster_recall"].method == "design"


def test_names_of_truth_may_be_missing_in_any_way():
    first = sc.sampled_truth([0, 0, 1, 1], ["a", "a", None, None], design="clusters",
                             probabilities=[.5, .5, None, None])
    import pandas as pd
    for truth in (np.array([1.0, 1.0, np.nan, np.nan]), pd.Series([1, 1, None, None]),
                  pd.Series(["a", "a", pd.NA, pd.NA], dtype="string")):
        other = sc.sampled_truth([0, 0, 1, 1], truth, design="clusters", probabilities=.5)
        assert [r.value for r in other][:2] == [r.value for r in first][:2]
    assert first.to_frame().loc["pair_precision", "value"] == 1.0


KNOWN = {"predicted": [0, 0, 1, 1], "truth": ["a", "a", "b", None], "design": "clusters",
         "probabilities": 0.5}


@pytest.mark.parametrize(("changed", "error", "text"), [
    ({"design": "people"}, ValueError, "design='people' is not known"),
    ({"truth": [None] * 4}, sc.ClusteringError, "the truth of no object is known"),
    ({"truth": ["a"]}, sc.ClusteringError, "truth has 1 labels and predicted has 4 objects"),
    ({"probabilities": 1.5}, sc.ClusteringError, "probability of object 0 is 1.5"),
    ({"probabilities": 0}, sc.ClusteringError, "probability of object 0 is 0"),
    ({"probabilities": [.5, None, .5, .5]}, sc.ClusteringError,
     "probability of object 1 is missing"),
    ({"probabilities": [.2, .4, .5, None]}, sc.ClusteringError, "a has 0.2 and 0.4"),
    ({"probabilities": [.5, .5]}, sc.ClusteringError, "probabilities has shape"),
    ({"probabilities": 1}, sc.ClusteringError, "truth of 1 of 4 objects is not known"),
    ({"design": "objects"}, sc.ClusteringError, "needs sample="),
    ({"design": "objects", "sample": [0, 3]}, sc.ClusteringError, "such as that of object 3"),
    ({"design": "objects", "sample": [0, 0]}, sc.ClusteringError, "object 0 twice"),
    ({"design": "objects", "sample": [0, 9]}, sc.ClusteringError, "position 9"),
    *(({"design": "objects", "sample": sample}, sc.ClusteringError, "or a mask of 4 objects")
      for sample in ([], [[0, 1]], [0.5], [math.nan], ["0"], ["a"], [None, 0], [True, False])),
    ({"design": "objects", "sample": [1e300]}, sc.ClusteringError, r"position 1e\+300"),
    ({"sample": [0]}, sc.ClusteringError, 'sample is for design="objects"'),
    ({"measures": "purity_index"}, sc.ClusteringError, "is not a ratio of sums over true clusters"),
])
def test_errors(changed, error, text):
    given = KNOWN | changed
    with pytest.raises(error, match=text):
        sc.sampled_truth(given.pop("predicted"), given.pop("truth"), **given)


def test_a_mask_is_a_sample():
    found = [sc.sampled_truth([0, 0, 1, 1], list("aabb"), design="objects", probabilities=0.5,
                              sample=sample).rows[0].value
             for sample in ([0, 2], [True, False, True, False], np.array([0, 2], object))]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(("i", "j", "same", "text"), [
    ([0, 1], [1, 0], [1, 1], "comes twice"),
    ([0, 1], [0, 2], [1, 1], "with itself"),
    ([0, 2], [1, 3], [1, 1], "recall cannot be estimated"),
    ([0, 1], [2, 3], [1, 1], "precision cannot be estimated"),
    ([0, 1], [2, 3], [1, 2], "True or False"),
    ([0, 1, 2], [2, 3], [1, 0], "i has 3 objects and j has 2"),
])
def test_errors_of_pairs(i, j, same, text):
    with pytest.raises(sc.ClusteringError, match=text):
        sc.sampled_pairs([0, 0, 1, 1], i, j, same, probabilities=0.5)
