"""Pair-counting indices: oracles, scikit-learn, R's stored values, degenerate cases, big counts."""

import json
import math
from fractions import Fraction
from pathlib import Path

import naive
import numpy as np
import pytest
from strategies import all_partitions

import softclust as sc
from softclust.tables import counting
from softclust.tables.contingency import contingency_from_table

GOLDEN = Path(__file__).parent / "golden" / "r"
INDICES = ("rand_index", "adjusted_rand_index", "jaccard_index", "fowlkes_mallows_index")
CLUE = {"Rand": "rand_index", "cRand": "adjusted_rand_index", "Jaccard": "jaccard_index",
        "FM": "fowlkes_mallows_index"}
PACKAGES = {
    ("aricode", "RI"): "rand_index",
    ("aricode", "ARI"): "adjusted_rand_index",
    ("partitionComparison", "randIndex"): "rand_index",
    ("partitionComparison", "adjustedRandIndex"): "adjusted_rand_index",
    ("partitionComparison", "jaccardCoefficient"): "jaccard_index",
    ("partitionComparison", "folwkesMallowsIndex"): "fowlkes_mallows_index",
    ("genieclust", "adjusted_rand_score"): "adjusted_rand_index",
    ("genieclust", "rand_score"): "rand_index",
    ("genieclust", "fm_score"): "fowlkes_mallows_index",
    ("e1071", "rand"): "rand_index",
    ("e1071", "crand"): "adjusted_rand_index",
    ("fpc", "corrected.rand"): "adjusted_rand_index",
}
#: one or two roundings
CLOSE = 1e-15


def stored(name):
    return json.loads((GOLDEN / name).read_text(encoding="utf-8"))["cases"]


def hard_clue_cases():
    """Stored cases of clue with two hard sides given as labels."""
    return {name: case for name, case in stored("clue_pairs.json").items()
            if all(case["is_hard"]) and not isinstance(case["x"][0], list)}


def agrees(value, expected, x, y, tolerance):
    """`value` is R's number; R's NaN is our maximum for equal partitions, else nan."""
    if expected == "NaN":
        return math.isnan(value) or (value == 1.0 and naive.same_partition(x, y))
    return value == pytest.approx(expected, rel=tolerance, abs=tolerance)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_all_pairs_of_partitions(n, monkeypatch):
    # few objects are counted by numpy into a list of cells; for odd n here by kernels in a table
    monkeypatch.setattr(counting, "SMALL", 0 if n % 2 else 1024)
    for x in all_partitions(n):
        for y in all_partitions(n)[::1 if n < 5 else 3]:
            joint = sc.Joint(x, y)
            p = naive.pair_counts(x, y)
            assert sc.pair_counts(joint) == sc.PairCounts(**p._asdict())
            assert sc.rand_index(joint) == float(naive.rand_index(x, y))
            assert sc.jaccard_index(joint) == float(naive.jaccard_index(x, y))
            if 0 in (p.n11 + p.n10, p.n11 + p.n01) and x != y:
                with pytest.warns(sc.UndefinedMeasureWarning):
                    assert math.isnan(sc.fowlkes_mallows_index(joint))
                assert math.isnan(naive.fowlkes_mallows_index(x, y))
            else:
                assert sc.fowlkes_mallows_index(joint) == pytest.approx(
                    naive.fowlkes_mallows_index(x, y), rel=CLOSE, abs=0)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_adjusted_rand_is_the_rand_index_less_its_mean(n):
    """The closed formula against the mean over all n! orders, in exact fractions."""
    for x in all_partitions(n):
        for y in all_partitions(n):
            assert sc.adjusted_rand_index(x, y) == float(naive.adjusted_rand_index(x, y))


@pytest.mark.parametrize("seed", range(6))
def test_random_labels_against_oracles_and_scikit_learn(seed):
    from sklearn import metrics
    rng = np.random.default_rng(seed)
    x, y = rng.integers(1 + seed, size=60), rng.integers(5, size=60)
    joint = sc.Joint(x, y)
    assert sc.pair_counts(joint) == sc.PairCounts(**naive.pair_counts(x, y)._asdict())
    assert sc.rand_index(joint) == pytest.approx(metrics.rand_score(x, y), rel=1e-12, abs=0)
    assert sc.adjusted_rand_index(joint) == pytest.approx(
        metrics.adjusted_rand_score(x, y), rel=1e-12, abs=1e-12)
    assert sc.fowlkes_mallows_index(joint) == pytest.approx(
        metrics.fowlkes_mallows_score(x, y), rel=1e-12, abs=0)


@pytest.mark.parametrize("name", list(hard_clue_cases()))
def test_stored_values_of_clue(name):
    case = hard_clue_cases()[name]
    x, y = case["x"], case["y"]
    for method, index in CLUE.items():
        for first, second, kind in ((x, y, "agreement"), (y, x, "agreement_y_x")):
            value = getattr(sc, index)(first, second)
            assert agrees(value, case[kind][method], x, y, 1e-12), (method, kind)
    p = sc.pair_counts(x, y)
    # clue's symmetric difference is rounded (a square root and its square)
    assert p.n10 + p.n01 == pytest.approx(case["dissimilarity"]["symdiff"], rel=1e-12, abs=0)


@pytest.mark.parametrize("name", list(stored("hard_packages.json")))
def test_stored_values_of_other_r_packages(name):
    case = stored("hard_packages.json")[name]
    x, y = case["x"], case["y"]
    p = sc.pair_counts(x, y)
    assert {k.upper(): v for k, v in zip(("n11", "n10", "n01", "n00"),
                                         (p.n11, p.n10, p.n01, p.n00))} == case["pairs"]
    for (package, function), index in PACKAGES.items():
        value = getattr(sc, index)(x, y)
        assert agrees(value, case[package][function], x, y, 1e-12), (package, function)
    assert sc.adjusted_rand_index(x, y) == pytest.approx(case["mclust_ari"], rel=1e-12, abs=1e-15)
    assert 2 * (p.n10 + p.n01) == case["partitionComparison"]["mirkinMetric"]


# -- degenerate cases ------------------------------------------------------------------------

ONE, SINGLES, OTHER = [0, 0, 0, 0], [0, 1, 2, 3], [0, 0, 1, 1]


@pytest.mark.parametrize("labels", [ONE, SINGLES, OTHER])
@pytest.mark.parametrize("index", INDICES)
def test_equal_partitions_have_the_maximum(index, labels):
    renamed = ["abcd"[k] for k in labels]
    assert getattr(sc, index)(labels, renamed) == 1.0
    # empty clusters change nothing
    wide = sc.HardClustering([k + 2 for k in labels], n_clusters=9)
    assert getattr(sc, index)(labels, wide) == 1.0


def test_one_cluster_against_singletons():
    assert sc.rand_index(ONE, SINGLES) == 0.0
    assert sc.adjusted_rand_index(ONE, SINGLES) == 0.0
    assert sc.jaccard_index(ONE, SINGLES) == 0.0
    with pytest.warns(sc.UndefinedMeasureWarning, match=r"fowlkes_mallows_index is undefined: no "
                      r"pair of objects is together in y \(0/0\); nan is returned"):
        assert math.isnan(sc.fowlkes_mallows_index(ONE, SINGLES))
    with pytest.warns(sc.UndefinedMeasureWarning, match="together in x") as caught:
        assert math.isnan(sc.fowlkes_mallows_index(SINGLES, OTHER))
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_least_adjusted_rand_index():
    """-1/2 is attained."""
    assert sc.adjusted_rand_index([0, 0, 1, 1], [0, 1, 0, 1]) == -0.5


# -- counts of a thousand million objects ----------------------------------------------------


def of_table(index, table):
    """An index from a table of counts."""
    return getattr(sc, index)(contingency_from_table(np.array(table)))


def test_indices_of_huge_counts_are_rounded_once():
    """Table of the first two sides of the three-way table with n = 1e9 (doubles hold no pair
    count of it); every index against exact fractions.
    """
    table = [[230_000_000, 70_000_000], [200_000_000, 500_000_000]]
    joined = [sum(v * (v - 1) // 2 for v in values)
              for values in ([*table[0], *table[1]], map(sum, table), map(sum, zip(*table)))]
    n11, n10, n01 = joined[0], joined[1] - joined[0], joined[2] - joined[0]
    pairs = 10**9 * (10**9 - 1) // 2
    n00 = pairs - n11 - n10 - n01
    assert n11 + n00 > 2**53
    assert of_table("pair_counts", table) == sc.PairCounts(n11=n11, n10=n10, n01=n01, n00=n00)
    assert of_table("rand_index", table) == float(Fraction(n11 + n00, pairs))
    # golden/prayatul.json, counts-1e9: pairs right in the primary, with or without the other
    assert n11 + n00 == 186_299_999_500_000_000 + 116_600_000_000_000_000
    assert of_table("jaccard_index", table) == float(Fraction(n11, n11 + n10 + n01))
    mean = Fraction((n11 + n10) * (n11 + n01), pairs)
    largest = Fraction(2 * n11 + n10 + n01, 2)
    assert of_table("adjusted_rand_index", table) == float((n11 - mean) / (largest - mean))
    square = Fraction(n11 * n11, (n11 + n10) * (n11 + n01))
    assert of_table("fowlkes_mallows_index", table) == pytest.approx(math.sqrt(square), rel=CLOSE)


def test_nearly_equal_huge_partitions_are_told_apart():
    table = [[10**9 - 2, 1], [0, 1]]
    assert of_table("rand_index", table) < 1.0
    assert of_table("pair_counts", table).n01 == 1


# -- input -----------------------------------------------------------------------------------


def test_soft_sides_are_refused_with_the_way_out():
    soft = sc.FuzzyClustering([[0.5, 0.5], [1.0, 0.0]])
    for function in (sc.pair_counts, *(getattr(sc, name) for name in INDICES)):
        with pytest.raises(sc.ClusteringError,
                           match=r"y is fuzzy; a hard clustering is needed: y.harden\(\)"):
            function([0, 1], soft)


def test_unequal_numbers_of_objects():
    with pytest.raises(sc.ClusteringError, match="x has 3 objects and y has 2"):
        sc.rand_index([0, 1, 1], [0, 1])
    with pytest.raises(TypeError, match="y is missing"):
        sc.pair_counts([0, 1])


def test_chance_levels_of_large_partitions():
    """Closed forms against means over random orders (standard error about 1e-4)."""
    rng = np.random.default_rng(8)
    x, y = rng.integers(3, size=200), rng.integers(4, size=200)
    joint = sc.Joint(x, y)
    for name in ("rand_index", "adjusted_rand_index", "fowlkes_mallows_index"):
        m = sc.get_measure(name)
        values = [m.function(x, rng.permutation(y)) for _ in range(300)]
        assert m.mean_permuted(joint, {}) == pytest.approx(
            np.mean(values), abs=5 * np.std(values) / math.sqrt(len(values)))


@pytest.mark.parametrize("measure", ["adjusted_rand_index", "adjusted_mutual_information"])
def test_an_option_that_does_not_apply_raises(measure):
    function = getattr(sc, measure)
    for fixed in ("zzz", "x"):
        with pytest.raises(ValueError, match="fixed"):
            function([0, 0, 1, 1], [0, 0, 1, 2], fixed=fixed)
    with pytest.raises(ValueError, match="model"):
        function([0, 0, 1, 1], [0, 0, 1, 2], model="zzz")


def test_the_mean_under_permutation_is_the_formula_at_the_mean_sums():
    """Also where the options are not the defaults; `compare` had the mean of the default."""
    rng = np.random.default_rng(2)
    x, y = rng.integers(3, size=30), rng.integers(4, size=30)
    level = sc.chance_level(x, y, "normalized_mutual_information", average="max")
    values = [sc.normalized_mutual_information(x, rng.permutation(y), average="max")
              for _ in range(300)]
    assert level == pytest.approx(np.mean(values), abs=5 * np.std(values) / 300**.5)
