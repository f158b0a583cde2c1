"""Further hard indices: oracles on all small partitions, stored R values, rules, odd input."""

import json
import math
import warnings
from pathlib import Path

import naive
import numpy as np
import pytest
from strategies import all_partitions, partition_pairs
from together import SOME_OR_ALL

import softclust as sc
from softclust.tables import matching as assignment
from softclust.tables.contingency import contingency_from_table

GOLDEN = Path(__file__).parent / "golden" / "r"
EXACT = ("rand_distance", "symmetric_difference_distance", "wallace_index",
         "prediction_strength_index", "transfer_distance", "normalized_accuracy_index",
         "matched_kappa_index", "purity_index", "van_dongen_distance", "lattice_distance")
ROUNDED = ("katz_powell_index", "normalized_variation_of_information",
           "normalized_information_distance", "adjusted_asymmetric_accuracy_index",
           "pair_sets_index", "larsen_aone_index")
NAMES = (*EXACT, *ROUNDED, "adjusted_fowlkes_mallows_index")
NOT_SYMMETRIC = ("wallace_index", "prediction_strength_index", "purity_index",
                 "larsen_aone_index", "adjusted_asymmetric_accuracy_index")
#: 1 also where x refines y
LENIENT = ("wallace_index", "prediction_strength_index", "purity_index")
WHOLE = ("symmetric_difference_distance", "transfer_distance", "van_dongen_distance",
         "lattice_distance")


def stored(name):
    return json.loads((GOLDEN / name).read_text(encoding="utf-8"))["cases"]


def quiet(name, x, y, **options):
    """A value; nan where undefined, whose warnings are tested apart."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
        return getattr(sc, name)(x, y, **options)


@pytest.mark.parametrize("name", [*EXACT, *ROUNDED])
@SOME_OR_ALL
def test_all_pairs_of_partitions(name, whole):
    for n in (2, 3, 4, 5):
        for x, y in list(partition_pairs(n))[::1 if whole or n < 5 else 4]:
            value, expected = quiet(name, x, y), getattr(naive, name)(x, y)
            if name in EXACT:
                # one division of whole numbers, rounded as the fraction is
                assert value == float(expected) or math.isnan(value) == math.isnan(expected)
            # entropies of the oracle are differences of numbers of order 1
            assert value == pytest.approx(float(expected), rel=0, abs=1e-14, nan_ok=True)


@pytest.mark.parametrize("simplified", [False, True])
def test_pair_sets_index_on_all_partitions(simplified):
    for x, y in partition_pairs(5):
        assert sc.pair_sets_index(x, y, simplified=simplified) == pytest.approx(
            float(naive.pair_sets_index(x, y, simplified)), rel=0, abs=1e-14)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_adjusted_fowlkes_mallows_is_the_index_less_its_mean(n):
    for x in all_partitions(n):
        for y in all_partitions(n):
            expected = naive.adjusted_fowlkes_mallows_index(x, y)
            # the oracle divides sums of n! roots
            assert quiet("adjusted_fowlkes_mallows_index", x, y) == pytest.approx(
                expected, rel=0, abs=1e-13, nan_ok=True)


@pytest.mark.parametrize("name", [*EXACT, *ROUNDED])
def test_random_labels(name):
    if name == "lattice_distance":
        pytest.skip("the oracle searches paths; 5 objects are its limit")
    rng = np.random.default_rng(6)
    for _ in range(15):
        x, y = (rng.integers(k, size=30).tolist() for k in rng.integers(1, 6, size=2))
        assert quiet(name, x, y) == pytest.approx(
            float(getattr(naive, name)(x, y)), rel=1e-12, abs=1e-13, nan_ok=True)


# -- R --------------------------------------------------------------------------------------------

CLUE = {
    ("dissimilarity", "Rand"): "rand_distance",
    ("dissimilarity", "BA/D"): "rand_distance",
    ("dissimilarity", "symdiff"): "symmetric_difference_distance",
    ("dissimilarity", "BA/A"): "transfer_distance",
    ("dissimilarity", "BA/C"): "lattice_distance",
    ("dissimilarity", "BA/E"): "normalized_variation_of_information",
    ("agreement", "KP"): "katz_powell_index",
    ("agreement", "PS"): "prediction_strength_index",
    ("agreement", "purity"): "purity_index",
}
PACKAGES = {
    ("aricode", "NVI"): "normalized_variation_of_information",
    ("aricode", "NID"): "normalized_information_distance",
    ("partitionComparison", "wallaceI"): "wallace_index",
    ("partitionComparison", "dongensMetric"): "van_dongen_distance",
    ("partitionComparison", "larsenAone"): "larsen_aone_index",
    ("genieclust", "adjusted_fm_score"): "adjusted_fowlkes_mallows_index",
    ("genieclust", "normalized_accuracy"): "normalized_accuracy_index",
    ("genieclust", "adjusted_asymmetric_accuracy"): "adjusted_asymmetric_accuracy_index",
    ("genieclust", "pair_sets_index"): "pair_sets_index",
}


def agrees(value, expected, x, y, best):
    """`value` is R's number; R's NaN, Inf or error is our best for equal ones, else nan."""
    if isinstance(expected, (str, dict)):
        return math.isnan(value) or (value == best and naive.same_partition(x, y))
    return value == pytest.approx(expected, rel=1e-12, abs=1e-13)


def best_of(name):
    return 1.0 if sc.get_measure(name).sense == "agreement" else 0.0


@pytest.mark.parametrize("name", [
    name for name, case in stored("clue_pairs.json").items()
    if all(case["is_hard"]) and not isinstance(case["x"][0], list)])
def test_stored_values_of_clue(name):
    case = stored("clue_pairs.json")[name]
    x, y = case["x"], case["y"]
    for (kind, method), measure in CLUE.items():
        expected = case[kind][method]
        if isinstance(expected, dict) and method == "BA/C":
            # clue stops at classes with other numbers than 1, ..., k
            assert "error" in expected
            continue
        assert agrees(quiet(measure, x, y), expected, x, y, best_of(measure)), method
        if kind == "agreement":
            assert agrees(quiet(measure, y, x), case["agreement_y_x"][method], x, y, 1.0), method


@pytest.mark.parametrize("name", list(stored("hard_packages.json")))
def test_stored_values_of_other_r_packages(name):
    case = stored("hard_packages.json")[name]
    x, y = case["x"], case["y"]
    for (package, function), measure in PACKAGES.items():
        assert agrees(quiet(measure, x, y), case[package][function], x, y,
                      best_of(measure)), function
    assert agrees(quiet("pair_sets_index", x, y, simplified=True),
                  case["genieclust"]["pair_sets_index_simplified"], x, y, 1.0)
    assert agrees(quiet("wallace_index", y, x), case["partitionComparison"]["wallaceII"], x, y, 1.0)
    assert 1 - min(sc.purity_index(x, y), sc.purity_index(y, x)) == pytest.approx(
        case["mclust_classError"], rel=1e-12, abs=1e-14)
    assert 2 * sc.symmetric_difference_distance(x, y) == case["partitionComparison"]["mirkinMetric"]


def test_stored_lattice_of_clue():
    for case in json.loads((GOLDEN / "clue_misc.json").read_text())["lattice"].values():
        a, b, c = case["A"], case["B"], case["C"]
        assert sc.lattice_distance(a, b) == case["lattice_distance_AB"]
        for found, expected in ((sc.meet(a, b), "meet_AB"), (sc.join(a, b), "join_AB"),
                                (sc.meet(a, b, c), "meet_ABC"), (sc.join(a, b, c), "join_ABC")):
            assert sc.rand_distance(found, case[expected]) == 0
        assert sc.is_refinement(a, b) == case["order"]["A_le_B"]
        assert sc.is_refinement(b, a) == case["order"]["B_le_A"]


# -- rules ----------------------------------------------------------------------------------------

ONE, SINGLES, OTHER = [0, 0, 0, 0], [0, 1, 2, 3], [0, 0, 1, 1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("labels", [ONE, SINGLES, OTHER])
def test_equal_partitions_have_the_best_value(name, labels):
    wide = sc.HardClustering([k + 2 for k in labels], n_clusters=9)
    assert getattr(sc, name)(labels, wide) == best_of(name)
    assert getattr(sc, name)(wide, labels) == best_of(name)


@pytest.mark.parametrize(("name", "x", "y", "reason"), [
    ("katz_powell_index", ONE, OTHER, "x is one cluster"),
    ("katz_powell_index", OTHER, ONE, "y is one cluster"),
    ("adjusted_fowlkes_mallows_index", SINGLES, OTHER, "together in x"),
    ("adjusted_fowlkes_mallows_index", OTHER, SINGLES, "together in y"),
    ("adjusted_asymmetric_accuracy_index", ONE, OTHER, "x is one cluster"),
    ("wallace_index", SINGLES, OTHER, "no pair of objects is together in x"),
    ("prediction_strength_index", SINGLES, ONE, "every cluster of x has a single object"),
])
def test_undefined_values_are_nan_with_one_warning(name, x, y, reason):
    with pytest.warns(sc.UndefinedMeasureWarning, match=f"{name} is undefined: .*{reason}") as said:
        assert math.isnan(getattr(sc, name)(x, y))
    assert len(said) == 1


@pytest.mark.parametrize("name", NAMES)
def test_empty_clusters_change_nothing(name):
    x, y = [0, 0, 1, 1, 2], [0, 1, 1, 2, 2]
    wide = [sc.HardClustering([3 * k + 1 for k in side], n_clusters=12) for side in (x, y)]
    assert getattr(sc, name)(*wide) == getattr(sc, name)(x, y)


@pytest.mark.parametrize("name", NOT_SYMMETRIC)
def test_not_symmetric(name):
    x, y = [0, 0, 0, 1, 1], [0, 0, 1, 2, 2]
    assert getattr(sc, name)(x, y) != getattr(sc, name)(y, x)
    assert "symmetric" not in {c.name for c in sc.get_measure(name).properties}


@pytest.mark.parametrize("name", NAMES)
def test_the_best_value_for_unequal_partitions(name):
    coarse, fine = [0, 0, 0, 1, 1], [0, 0, 1, 2, 2]
    assert (getattr(sc, name)(fine, coarse) == best_of(name)) == (name in LENIENT)


@pytest.mark.parametrize("name", ["katz_powell_index", "adjusted_fowlkes_mallows_index"])
def test_below_zero(name):
    assert getattr(sc, name)([0, 0, 0, 1], [0, 0, 1, 0]) < 0


def test_adjusted_asymmetric_accuracy_below_zero():
    # y splits the clusters of x evenly into more clusters than x has
    x, y = [0] * 4 + [1] * 4, [0, 1, 2, 3] * 2
    assert sc.adjusted_asymmetric_accuracy_index(x, y) == -0.5


@pytest.mark.parametrize("labels", [[0, 1, 2], [1, 2, 0]])
def test_matched_kappa_of_cohens_table(labels):
    """Cohen (1960), table 1, of 200 objects: the names agree most as they are."""
    table = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    x, y = (np.repeat(side.reshape(-1), table.reshape(-1)) for side in np.indices((3, 3)))
    value = sc.matched_kappa_index(x, np.array(labels)[y])
    assert round(value, 3) == 0.492
    assert value == pytest.approx(sc.match_clusters(x, y).kappa, rel=1e-14)


def test_matched_kappa_takes_the_best_of_tied_matchings():
    table = np.array([[50, 25], [25, 0]])
    source = contingency_from_table(table)
    found = {sc.match_table(table, rng=seed).kappa for seed in range(20)}
    assert len(found) == 2
    assert sc.matched_kappa_index(source) == pytest.approx(max(found), rel=1e-14)
    # 49 % are kept by the other matching, whose kappa would be larger
    assert sc.matched_kappa_index(contingency_from_table(np.array([[51, 25], [24, 0]]))) < 0


def test_small_distances_keep_their_digits():
    """One object of a million moved: differences of entropies would leave some ten digits."""
    k = 500_000
    x, y = np.repeat([0, 1], k), np.repeat([0, 1], [k + 1, k - 1])
    # H(x | y) + H(y | x): of x only the second cluster, of y only the first is mixed
    apart = (math.log1p(1 / k) * k + math.log(k + 1)
             + math.log1p(1 / (k - 1)) * (k - 1) + math.log(k)) / (2 * k)
    both = (k * math.log(2) + (k - 1) * math.log(2 * k / (k - 1)) + math.log(2 * k)) / (2 * k)
    assert sc.normalized_variation_of_information(x, y) == pytest.approx(apart / both, rel=1e-13,
                                                                         abs=0)
    given_y = (math.log1p(1 / k) * k + math.log(k + 1)) / (2 * k)
    # H(x | y) from VI and H(x) - H(y), which is known to 1e-16 only
    assert sc.normalized_information_distance(x, y) == pytest.approx(
        given_y / math.log(2), rel=1e-11, abs=0)


@pytest.mark.parametrize("name", WHOLE)
def test_counts_are_whole_numbers(name):
    x, y = np.arange(12) % 4, np.arange(12) % 3
    assert type(getattr(sc, name)(x, y)) is int
    assert sc.compare(x, y, measures=name).value(name) == getattr(sc, name)(x, y)


@pytest.mark.parametrize("shape", [(2, 2), (5, 3), (3, 5), (30, 40)])
@pytest.mark.parametrize("density", [0.1, 0.5, 1.0])
def test_the_sparse_weighted_assignment_equals_the_dense_one(shape, density, monkeypatch):
    rng = np.random.default_rng(int(10 * density))
    table = np.where(rng.random(shape) < density, rng.integers(1, 50, size=shape), 0)
    table[0, 0] += 1
    c = contingency_from_table(table)
    weights = c.counts / c.a[c.rows]
    dense = assignment.best_matched(c, weights)
    monkeypatch.setattr(assignment, "_DENSE_ASSIGNMENT", 0)
    # SciPy's sparse algorithm rounds differences of costs of order 1
    assert assignment.best_matched(c, weights) == pytest.approx(dense, rel=1e-13)


def test_many_clusters_need_no_table(monkeypatch):
    x = np.repeat(np.arange(3000), 5)
    y = x.copy()
    y[::400] = (y[::400] + 1) % 3000
    joint = sc.Joint(x, y)
    monkeypatch.setattr(type(joint.contingency), "dense", None)
    moved = len(x[::400])
    assert sc.transfer_distance(joint) == moved
    assert sc.lattice_distance(joint) == 2 * moved
    for name in set(NAMES) - {"matched_kappa_index"}:   # it matches clusters without objects, too
        assert math.isfinite(getattr(sc, name)(joint))


def test_counts_of_many_objects_are_exact():
    """Pairs beyond 2^53: the last digit is right."""
    n = 400_000_000
    c = contingency_from_table(np.array([[n - 3, 1], [1, 1]]))
    assert sc.symmetric_difference_distance(c) == 2 * (n - 3 + 1)
    assert sc.wallace_index(c) == ((n - 3) * (n - 4) // 2) / ((n - 2) * (n - 3) // 2 + 1)
    assert sc.prediction_strength_index(c) == 0.0


@pytest.mark.parametrize("name", NAMES)
def test_soft_sides_are_refused_with_the_way_out(name):
    rough = sc.RoughClustering.from_upper([[1, 1], [1, 0]])
    with pytest.raises(sc.ClusteringError, match=r"y is rough; a hard .* y\.harden\(\)"):
        getattr(sc, name)([0, 1], rough)


@pytest.mark.parametrize("name", NAMES)
def test_compare_lists_them_on_request_only(name):
    x, y = [0, 0, 1, 1], [0, 1, 1, 2]
    assert name not in [row.name for row in sc.compare(x, y)]
    assert sc.compare(x, y, measures=name).value(name) == getattr(sc, name)(x, y)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n", [2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_the_names_of_scikit_learn_have_its_values_on_all_small_partitions(n):
    from sklearn import metrics

    def exchanged(measure):
        return lambda truth, labels: measure(labels, truth)

    same = {"adjusted_rand_score": sc.adjusted_rand_index, "rand_score": sc.rand_index,
            "adjusted_mutual_info_score": sc.adjusted_mutual_information,
            "normalized_mutual_info_score": sc.normalized_mutual_information,
            "mutual_info_score": sc.mutual_information,
            "fowlkes_mallows_score": sc.fowlkes_mallows_index,
            "v_measure_score": exchanged(sc.v_measure_index),
            "homogeneity_score": exchanged(sc.homogeneity_index),
            "completeness_score": exchanged(sc.completeness_index)}
    for truth, labels in partition_pairs(n):
        for name, measure in same.items():
            theirs, ours = getattr(metrics, name)(truth, labels), measure(truth, labels)
            if name == "fowlkes_mallows_score" and n in (len(set(truth)), len(set(labels))):
                assert theirs == 0   # a side joins no pair: 0/0
                assert ours == 1 if truth == labels else math.isnan(ours)
            else:
                assert ours == pytest.approx(theirs, abs=1e-9)
