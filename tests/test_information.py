"""Information measures: oracles, 50 digits, scikit-learn, R's stored values, degenerate cases."""

import json
import math
import os
from decimal import Decimal, localcontext
from itertools import pairwise
from pathlib import Path

import naive
import numpy as np
import pytest
from strategies import all_partitions, partition_pairs

import softclust as sc
from softclust.tables import counting
from softclust.tables import entropy as information
from softclust.tables.contingency import contingency, contingency_from_table

GOLDEN = Path(__file__).parent / "golden" / "r"
JIT_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
AVERAGES = ("arithmetic", "max", "min", "geometric")
#: the oracles subtract entropies of order 1
CLOSE = 1e-14
#: scikit-learn's logarithms of factorials lose some digits (specified: 1e-10)
AMI_CLOSE = 1e-10


@pytest.fixture
def threads():
    yield sc.set_num_threads
    sc.set_num_threads(None)


def stored(name):
    return json.loads((GOLDEN / name).read_text(encoding="utf-8"))["cases"]


def quiet(function, *given, **options):
    """Value and reason of an undefined measure."""
    import warnings
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = function(*given, **options)
    assert all(issubclass(w.category, sc.UndefinedMeasureWarning) for w in caught)
    assert bool(caught) == math.isnan(value)
    return value


def same(value, expected, tolerance=CLOSE):
    return (math.isnan(value) and math.isnan(expected)) or value == pytest.approx(
        expected, rel=tolerance, abs=tolerance)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_all_pairs_of_partitions(n, monkeypatch):
    # few objects are counted by numpy into a list of cells; for odd n here by kernels in a table
    monkeypatch.setattr(counting, "SMALL", 0 if n % 2 else 1024)
    for x, y in partition_pairs(n):
        joint = sc.Joint(x, y)
        assert same(sc.mutual_information(joint), naive.mutual_information(x, y))
        assert same(sc.variation_of_information(joint), naive.variation_of_information(x, y))
        for average in (*AVERAGES, "joint"):
            assert same(quiet(sc.normalized_mutual_information, joint, average=average),
                        naive.normalized_mutual_information(x, y, average))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_adjusted_mutual_information_by_all_orders(n):
    for x in all_partitions(n):
        for y in all_partitions(n)[::1 if n < 4 else 2]:
            joint = sc.Joint(x, y)
            mean = naive.mean_over_orders(naive.mutual_information, x, y)
            assert same(information.TableInformation(joint.contingency).expected, mean)
            for average in AVERAGES:
                assert same(quiet(sc.adjusted_mutual_information, joint, average=average),
                            naive.adjusted_mutual_information(x, y, average), 1e-13)


@pytest.mark.parametrize("seed", range(8))
def test_random_labels_against_oracles_and_scikit_learn(seed):
    from sklearn import metrics
    from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information
    rng = np.random.default_rng(seed)
    x, y = rng.integers(2 + seed, size=80), rng.integers(6, size=80)
    if seed % 2:
        y = np.where(rng.random(80) < 0.7, x % 6, y)
    joint = sc.Joint(x, y)
    assert same(sc.mutual_information(joint), naive.mutual_information(x, y))
    assert same(sc.variation_of_information(joint), naive.variation_of_information(x, y))
    for average in AVERAGES:
        assert same(sc.normalized_mutual_information(joint, average=average),
                    metrics.normalized_mutual_info_score(x, y, average_method=average), 1e-12)
        assert same(sc.adjusted_mutual_information(joint, average=average),
                    metrics.adjusted_mutual_info_score(x, y, average_method=average), AMI_CLOSE)
    assert same(information.TableInformation(joint.contingency).expected,
                expected_mutual_information(contingency_matrix(x, y, sparse=True), 80), 1e-11)


def test_averages_are_ordered():
    rng = np.random.default_rng(1)
    for _ in range(50):
        joint = sc.Joint(rng.integers(4, size=30), rng.integers(5, size=30))
        values = [sc.normalized_mutual_information(joint, average=average)
                  for average in ("min", "geometric", "arithmetic", "max", "joint")]
        assert all(a >= b - CLOSE for a, b in pairwise(values))


# -- 50 digits -------------------------------------------------------------------------------


def exact_expected(a, b):
    """Expected mutual information by the definition, in 60-digit arithmetic."""
    n = sum(a)
    with localcontext(prec=60):
        total = Decimal(0)
        for k in a:
            for m in b:
                for t in range(max(1, k + m - n), min(k, m) + 1):
                    share = Decimal(math.comb(k, t) * math.comb(n - k, m - t)) / math.comb(n, m)
                    total += share * t / n * (Decimal(n * t) / (k * m)).ln()
        return total


def exact_information(table):
    """I and the variation of information in 60-digit arithmetic."""
    n = sum(map(sum, table))
    a, b = [sum(row) for row in table], [sum(column) for column in zip(*table)]
    with localcontext(prec=60):
        mutual = variation = Decimal(0)
        for k, row in zip(a, table):
            for m, t in zip(b, row):
                if t:
                    mutual += Decimal(t) / n * (Decimal(n * t) / (k * m)).ln()
                    variation += Decimal(t) / n * (Decimal(k * m) / (t * t)).ln()
        return mutual, variation


def relative_error(value, exact):
    with localcontext(prec=60):
        return abs(float((Decimal(value) - exact) / exact))


@pytest.mark.parametrize(("a", "b"), [
    ([2, 1], [1, 2]),
    ([5, 5], [5, 5]),
    ([97, 3], [1, 98, 1]),
    ([50, 30, 20], [60, 25, 15]),
    ([1] * 40 + [30], [2] * 30 + [10]),     # many equal sizes, means below 1
    ([199, 1], [199, 1]),
    ([120, 80], [110, 90]),
    ([300, 150, 50], [400, 99, 1]),
])
def test_expected_mutual_information_to_fifteen_digits(a, b):
    """Specified: 3e-14; reached: about 1e-15, relative."""
    c = contingency_from_table(some_table(a, b))
    assert c.a.tolist() == a
    assert c.b.tolist() == b
    assert relative_error(information._expected(c.a, c.b, c.n), exact_expected(a, b)) < 3e-15


def some_table(a, b):
    """A table with these margins: north-west corner rule."""
    table, b = np.zeros((len(a), len(b)), int), list(b)
    for k, left in enumerate(a):
        for m in range(len(b)):
            table[k, m] = min(left, b[m])
            left -= table[k, m]
            b[m] -= table[k, m]
    return table


@pytest.mark.parametrize(("a", "b", "expected"), [
    ([60_000, 40_000], [30_000, 70_000], "0.00000500009927588576047075223050"),
    ([900_000, 100_000], [500_000, 300_000, 200_000], "0.00000100000786442118542811964961"),
    ([999_999_000, 1000], [998_000_000, 2_000_000], "5.69715395088616811903698810068E-10"),
])
def test_expected_mutual_information_of_many_objects(a, b, expected):
    """Stored: the hypergeometric recurrence from the mode in 60-digit arithmetic."""
    if JIT_OFF:
        a, b, expected = [5, 4], [3, 6], str(exact_expected([5, 4], [3, 6]))
    value = information._expected(np.array(a), np.array(b), sum(a))
    assert relative_error(value, Decimal(expected)) < 3e-15


@pytest.mark.parametrize("table", [
    [[5, 5], [5, 6]],
    [[1000, 1000], [1000, 1001]],                     # I is about 1e-8: differences lose it
    [[10**6, 10**6], [10**6, 10**6 + 3]],
    [[500, 1], [0, 499]],
    [[10**6, 1], [0, 10**6]],                         # nearly equal
    [[3, 0, 2], [0, 7, 0], [1, 0, 0]],
    [[10**9, 10**8], [10**8, 10**9 + 1]],
    [[10**11, 10**10], [10**10, 3 * 10**11]],         # beyond int64 products
])
def test_small_and_large_tables_keep_their_digits(table):
    c = contingency_from_table(np.array(table))
    mutual, variation = exact_information(table)
    assert relative_error(information.TableInformation(c).mutual, mutual) < 3e-15
    assert relative_error(information.TableInformation(c).variation, variation) < 3e-15


def test_listed_cells_give_the_same_as_a_table(monkeypatch):
    rng = np.random.default_rng(4)
    x, y = (rng.integers(k, size=2000).astype(np.uint8) for k in (30, 20))
    y[x < 5] = 3
    dense = contingency(x, 30, y, 20)
    monkeypatch.setattr(counting, "fits", lambda cells, n: False)
    listed = contingency(x, 30, y, 20)
    assert listed.table is None
    of_listed, of_dense = (information.TableInformation(c) for c in (listed, dense))
    for name in ("mutual", "variation", "expected"):
        assert getattr(of_listed, name) == pytest.approx(getattr(of_dense, name), rel=CLOSE)


@pytest.mark.parametrize("d", [
    1e-17, -1e-17, 1e-9, -1e-9, 0.1, -0.1, 0.25, 0.41421356, 0.41421357, -0.29289321,
    -0.29289323, 0.5, -0.5, 0.999, 1.0, 1.83, 3.0, 7.5, 1e6, 1e17, -0.99, -1 + 1e-15])
def test_the_excess_keeps_its_digits(d):
    with localcontext(prec=60):
        y = 1 + Decimal(d)
        excess = y * y.ln() - Decimal(d)
    assert relative_error(excess_of(d), excess) < 3e-15


def test_the_excess_of_empty_and_expected_cells():
    assert excess_of(-1.0) == 1.0
    # rounding may leave the range
    assert excess_of(math.nextafter(-1.0, -2.0)) == pytest.approx(1.0, abs=1e-15)
    assert excess_of(0.0) == 0.0


def excess_of(d):
    return float(information.excess(np.array([d]))[0])


# -- structure --------------------------------------------------------------------------------


def test_a_refinement_has_exactly_the_entropy_of_the_coarser_side():
    rng = np.random.default_rng(6)
    coarse = rng.integers(7, size=500)
    fine = coarse * 10 + rng.integers(10, size=500)
    joint = sc.Joint(fine, coarse)
    assert sc.mutual_information(joint) == information.TableInformation(joint.contingency).h_y
    assert sc.normalized_mutual_information(joint, average="min") == 1.0
    assert sc.normalized_mutual_information(coarse, fine, average="min") == 1.0
    assert sc.adjusted_mutual_information(joint, average="min") == 1.0


def test_independence_is_zero():
    x, y = np.divmod(np.arange(60), 10)
    assert sc.mutual_information(x, y) == 0.0
    assert sc.normalized_mutual_information(x, y) == 0.0
    assert sc.adjusted_mutual_information(x, y) < 0.0


def test_sums_fit_together():
    rng = np.random.default_rng(7)
    x, y = rng.integers(9, size=400), rng.integers(11, size=400)
    c = sc.Joint(x, y).contingency
    h_x, h_y = information.TableInformation(c).h_x, information.TableInformation(c).h_y
    assert 2 * sc.mutual_information(x, y) + sc.variation_of_information(x, y) == pytest.approx(
        h_x + h_y, rel=CLOSE)
    assert h_x == pytest.approx(naive.entropies(x, y)[0], rel=CLOSE)


@pytest.mark.parametrize("clusters", [(12, 9), (300, 40)])
def test_threads_do_not_matter(threads, clusters, monkeypatch):
    """Small chunks, so that the threads have something to share."""
    monkeypatch.setattr(counting, "SMALL", 0)
    monkeypatch.setattr(information, "_CELLS", 32)
    rng = np.random.default_rng(3)
    n = 500 if JIT_OFF else 20_000
    x, y = (rng.integers(k, size=n) for k in clusters)
    w = rng.random(n)
    found = []
    for count in (1, 4):
        threads(count)
        joint = sc.Joint(x, y)
        found.append([sc.mutual_information(joint), sc.adjusted_mutual_information(joint),
                      sc.variation_of_information(joint),
                      sc.variation_of_information(joint, weights=w)])
    assert found[0] == found[1]


# -- R ----------------------------------------------------------------------------------------


def hard_clue_cases():
    return {name: case for name, case in stored("clue_pairs.json").items()
            if all(case["is_hard"]) and not isinstance(case["x"][0], list)}


def agrees(value, expected, x, y, relative=1e-12):
    """`value` is R's number; R's NaN is our maximum for equal partitions, else nan."""
    if expected == "NaN":
        return math.isnan(value) or (value == 1.0 and naive.same_partition(x, y))
    return value == pytest.approx(expected, rel=relative, abs=1e-14)


@pytest.mark.parametrize("name", list(hard_clue_cases()))
def test_stored_values_of_clue(name):
    case = hard_clue_cases()[name]
    x, y = case["x"], case["y"]
    n = len(x)
    value = quiet(sc.normalized_mutual_information, x, y, average="geometric")
    assert agrees(value, case["agreement"]["NMI"], x, y)
    assert agrees(sc.variation_of_information(x, y), case["dissimilarity"]["VI"], x, y)
    assert agrees(sc.variation_of_information(x, y, weights=range(1, n + 1)),
                  case["VI_weights_1_to_n"], x, y)


@pytest.mark.parametrize("name", list(stored("hard_packages.json")))
def test_stored_values_of_other_r_packages(name):
    case = stored("hard_packages.json")[name]
    x, y = case["x"], case["y"]
    aricode, comparison, genie = (case[k] for k in ("aricode", "partitionComparison", "genieclust"))
    for function, average in (("NMI_max", "max"), ("NMI_min", "min"), ("NMI_sqrt", "geometric"),
                              ("NMI_sum", "arithmetic"), ("NMI_joint", "joint")):
        value = quiet(sc.normalized_mutual_information, x, y, average=average)
        assert agrees(value, aricode[function], x, y), function
    # aricode approximates factorials: in 60-digit arithmetic its values are off by up to 4e-9
    value = quiet(sc.adjusted_mutual_information, x, y, average="max")
    assert agrees(value, aricode["AMI"], x, y, 1e-6)
    assert agrees(sc.adjusted_mutual_information(x, y), genie["adjusted_mi_score"], x, y,
                  AMI_CLOSE)
    assert agrees(sc.mutual_information(x, y), genie["mi_score"], x, y)
    assert agrees(sc.mutual_information(x, y), comparison["mutualInformation"], x, y)
    assert agrees(sc.normalized_mutual_information(x, y), genie["normalized_mi_score"], x, y)
    assert agrees(sc.variation_of_information(x, y), comparison["variationOfInformation"], x, y)
    assert agrees(sc.variation_of_information(x, y), case["fpc"]["vi"], x, y)


# -- degenerate cases --------------------------------------------------------------------------

ONE, SINGLES, OTHER = [0, 0, 0, 0], [0, 1, 2, 3], [0, 0, 1, 2]


@pytest.mark.parametrize("labels", [ONE, SINGLES, OTHER])
@pytest.mark.parametrize("average", [*AVERAGES, "joint"])
def test_equal_partitions_have_the_maximum(labels, average):
    wide = sc.HardClustering([k + 2 for k in labels], n_clusters=9)
    assert sc.normalized_mutual_information(labels, wide, average=average) == 1.0
    if average != "joint":
        assert sc.adjusted_mutual_information(labels, wide, average=average) == 1.0
    assert sc.variation_of_information(labels, wide) == 0.0


@pytest.mark.parametrize(("x", "y", "average", "nmi", "ami"), [
    (ONE, OTHER, "arithmetic", 0.0, 0.0), (ONE, OTHER, "max", 0.0, 0.0),
    (ONE, OTHER, "min", None, None), (ONE, OTHER, "geometric", None, None),
    (ONE, SINGLES, "arithmetic", 0.0, 0.0), (ONE, SINGLES, "max", 0.0, 0.0),
    (ONE, SINGLES, "min", None, None), (ONE, SINGLES, "geometric", None, None),
    (SINGLES, OTHER, "arithmetic", 6 / 7, 0.0), (SINGLES, OTHER, "max", 3 / 4, 0.0),
    (SINGLES, OTHER, "min", 1.0, None), (SINGLES, OTHER, "geometric", math.sqrt(3 / 4), 0.0),
])
def test_constant_sides(x, y, average, nmi, ami):
    """H(singletons) = 2 log 2 and H(other) = 1.5 log 2; None: undefined."""
    for first, second in ((x, y), (y, x)):
        for function, expected in ((sc.normalized_mutual_information, nmi),
                                   (sc.adjusted_mutual_information, ami)):
            if expected is None:
                with pytest.warns(sc.UndefinedMeasureWarning, match=function.__name__) as caught:
                    assert math.isnan(function(first, second, average=average))
                assert len(caught) == 1
                assert caught[0].filename == __file__
            else:
                assert same(function(first, second, average=average), expected)


def test_the_warning_names_the_reason():
    with pytest.warns(sc.UndefinedMeasureWarning, match=r"normalized_mutual_information is "
                      r"undefined: y is one cluster, so the min of the entropies is 0 \(0/0\)"):
        sc.normalized_mutual_information(OTHER, ONE, average="min")
    with pytest.warns(sc.UndefinedMeasureWarning, match=r"x is all singletons, so the min of the "
                      r"entropies is its value by chance \(0/0\)"):
        sc.adjusted_mutual_information(SINGLES, OTHER, average="min")


def test_one_cluster_against_singletons():
    assert sc.mutual_information(ONE, SINGLES) == 0.0
    assert sc.variation_of_information(ONE, SINGLES) == math.log(4)


# -- options and input --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_weights(seed):
    rng = np.random.default_rng(seed)
    x, y, w = rng.integers(3, size=40), rng.integers(4, size=40), rng.random(40)
    w[rng.random(40) < 0.3] = 0.0
    assert same(sc.variation_of_information(x, y, weights=w),
                naive.variation_of_information(x, y, w.tolist()))
    # copies of an object are its weight
    whole = rng.integers(4, size=40)
    assert same(sc.variation_of_information(x, y, weights=whole),
                sc.variation_of_information(np.repeat(x, whole), np.repeat(y, whole)))
    assert same(sc.variation_of_information(x, y, weights=np.full(40, 0.1)),
                sc.variation_of_information(x, y))
    assert sc.variation_of_information(x, 5 - x, weights=w) == 0.0


@pytest.mark.parametrize(("weights", "message"), [
    ([1, 1], r"weights has shape \(2,\); one number >= 0 for each of the 3 objects"),
    ([1, -1, 1], r"weights\[1\] is -1.0; finite numbers >= 0"),
    ([1, 1, math.nan], r"weights\[2\] is nan"),
    ([math.inf, 1, 1], r"weights\[0\] is inf"),
    ([0, 0, 0], "weights are all 0"),
    (["a", "b", "c"], "weights cannot be read as numbers"),
    ([[1, 1, 1]], r"weights has shape \(1, 3\)"),
])
def test_bad_weights_are_refused(weights, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.variation_of_information([0, 0, 1], [0, 1, 1], weights=weights)


def test_unknown_averages_are_refused():
    with pytest.raises(ValueError, match="average='mean' is not known; choose one of 'arithmetic'"):
        sc.normalized_mutual_information([0, 1], [0, 1], average="mean")
    with pytest.raises(ValueError, match="average='joint' is not known"):
        sc.adjusted_mutual_information([0, 1], [0, 1], average="joint")


def test_soft_sides_are_refused_with_the_way_out():
    soft = sc.FuzzyClustering([[0.5, 0.5], [1.0, 0.0]])
    for function in (sc.mutual_information, sc.normalized_mutual_information,
                     sc.adjusted_mutual_information, sc.variation_of_information):
        with pytest.raises(sc.ClusteringError, match="x is fuzzy; a hard clustering is needed"):
            function(soft, [0, 1])
    with pytest.raises(sc.ClusteringError, match="x is fuzzy; a hard clustering is needed"):
        sc.variation_of_information(soft, [0, 1], weights=[1, 2])


def test_chance_levels_of_larger_partitions():
    """Against means over random orders, within five standard errors."""
    rng = np.random.default_rng(8)
    x, y = rng.integers(3, size=40), rng.integers(4, size=40)
    joint = sc.Joint(x, y)
    for name in ("mutual_information", "normalized_mutual_information",
                 "adjusted_mutual_information", "variation_of_information"):
        m = sc.get_measure(name)
        values = [m.function(x, rng.permutation(y)) for _ in range(60)]
        assert m.mean_permuted(joint, {}) == pytest.approx(
            np.mean(values), abs=5 * np.std(values) / math.sqrt(len(values)))
