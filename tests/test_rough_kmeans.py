"""Rough k-means: stored fits, the naive oracle, circles, weights, symmetries, odd data."""

import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from naive.rough_evidential import rough_kmeans
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator
from together import SPARSE_CHECKS

import softclust as sc
from softclust.cluster import RoughKMeans
from softclust.cluster.base import Run

GOLDEN = json.loads((Path(__file__).parent / "golden" / "clusterers.json").read_text())
CASES = {case["id"]: case for case in GOLDEN["cases"]
         if case.get("estimator") == "RoughKMeans"}
VARIANTS = ("lingras-west", "peters-2006", "peters-2014")
#: sums of at most 150 numbers below 10 in another order
ROUNDING = 1e-11


def fit_case(case):
    x = load_iris().data if case["data"] == "iris" else np.array(GOLDEN["data"][case["data"]]["X"])
    start = GOLDEN["starts"][case["init"]]
    weights = case["sample_weight"] and GOLDEN["weights"][case["sample_weight"]]
    return RoughKMeans(len(start), init=start, **case["params"]).fit(x, sample_weight=weights)


def blobs(seed, n=60, p=2, c=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)) + 3.0 * rng.normal(size=(c, p))[rng.integers(c, size=n)]


def sets_of(fit):
    return [set(np.flatnonzero(row)) for row in fit.upper_]


@pytest.mark.parametrize("name", [name for name in CASES if "1.05" not in name])
def test_stored_fits(name):
    expected, tolerance = CASES[name]["expected"], CASES[name]["tolerance"]
    fit = fit_case(CASES[name])
    assert fit.converged_ is expected["converged"]
    assert fit.n_iter_ == expected["n_iter"] == len(fit.objective_history_)
    np.testing.assert_allclose(fit.cluster_centers_, expected["cluster_centers"], rtol=0,
                               atol=tolerance["cluster_centers"])
    assert fit.objective_ == pytest.approx(expected["criterion"], abs=tolerance["criterion"])
    assert fit.upper_.sum(axis=0).tolist() == expected["upper_sizes"]
    assert fit.lower_.sum(axis=0).tolist() == expected["lower_sizes"]
    boundary = np.flatnonzero(fit.upper_.sum(axis=1) > 1)
    assert boundary.size == expected["n_boundary"]
    if expected["boundary"] != "omitted":
        assert {str(i): np.flatnonzero(fit.upper_[i]).tolist() for i in boundary} == (
            expected["boundary"])
    assert fit.clustering_ == sc.RoughClustering(fit.lower_, fit.upper_)


def test_stored_circle():
    case = CASES["rkm-iris-lingras-west-1.05"]
    expected, state = case["expected"], case["expected"]["returned_state"]
    with pytest.warns(ConvergenceWarning, match=r"recur every 4 updates.*lowest criterion"):
        fit = fit_case(case)
    assert not fit.converged_
    assert fit.n_iter_ == expected["n_iter"]
    first = expected["same_as_after_n_updates"]
    np.testing.assert_allclose(fit.objective_history_[first:], expected["criterion_in_cycle"],
                               rtol=0, atol=case["tolerance"]["criterion"])
    assert fit.objective_ == fit.objective_history_[state["after_n_updates"] - 1]
    np.testing.assert_allclose(fit.cluster_centers_, state["cluster_centers"], rtol=0,
                               atol=case["tolerance"]["cluster_centers"])
    assert fit.upper_.sum(axis=0).tolist() == state["upper_sizes"]
    assert (fit.upper_.sum(axis=1) > 1).sum() == state["n_boundary"]
    with pytest.warns(ConvergenceWarning, match="max_iter=2 iterations while the sets of"):
        short = fit_case({**case, "params": {**case["params"], "max_iter": 2}})
    assert short.n_iter_ == 2


def test_row_of_table_2():
    """Column RKM of Table 2 of the transport paper, to its three digits."""
    case = CASES["rkm-table2"]
    expected = case["expected"]["comparison_with_reference_labels"]
    found, species = fit_case(case).clustering_, sc.HardClustering(load_iris().target)
    rand = sc.alpha_rand_interval(found, species)
    halves = sc.alpha_partition_interval(found, species, denominator="2n")
    others = sc.alpha_partition_interval(found, species)
    for interval, name in ((rand, "alpha_rand_interval"),
                           (halves, "alpha_partition_distance_interval_divided_by_2n"),
                           (others, "alpha_partition_distance_interval_divided_by_2n_minus_2")):
        # 11175 pairs, or 150 objects, of exact halves
        np.testing.assert_allclose([interval.low, interval.high], expected[name], atol=1e-12)
    assert (round(rand.low, 3), round(rand.high, 3)) == (0.871, 0.889)      # printed A-RI
    assert (round(halves.low, 3), round(halves.high, 3)) == (0.100, 0.113)  # printed S-PD


def test_exact_rand_interval_of_table_2():
    """S-RI: the Rand index over all hard clusterings within the rough one."""
    case = CASES["rkm-table2"]
    fit, species = fit_case(case), load_iris().target
    values = []
    boundary = np.flatnonzero(fit.upper_.sum(axis=1) > 1)
    for choice in np.ndindex(*fit.upper_[boundary].sum(axis=1)):
        labels = fit.upper_.argmax(axis=1)
        for i, k in zip(boundary, choice):
            labels[i] = np.flatnonzero(fit.upper_[i])[k]
        values.append(sc.rand_index(labels, species))
    expected = case["expected"]["comparison_with_reference_labels"]["exact_rand_interval"]
    np.testing.assert_allclose([min(values), max(values)], expected, atol=1e-12)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("variant", VARIANTS)
# Not 2.5 = 1 / (1 - lower_weight): an object that is all of a lower part would lie exactly on the
# bound for a cluster without one, and rounding would decide.
@pytest.mark.parametrize("ratio", [1.0, 1.05, 1.3, 2.4])
def test_random_data_against_the_oracle(variant, ratio):
    circles = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        x = blobs(seed, n=40, p=1 + seed % 3)
        start = x[rng.choice(40, 3, replace=False)]
        weights = rng.choice([0.0, 0.5, 1.0, 2.0], 40) if seed % 2 else np.ones(40)
        guarantee = (None, True, False)[seed % 3]
        fit = RoughKMeans(3, variant=variant, ratio=ratio, lower_weight=0.6, init=start,
                          guarantee_lower=guarantee, max_iter=30).fit(x, sample_weight=weights)
        sets, centers, criterion, updates, converged = rough_kmeans(
            x.tolist(), start.tolist(), variant=variant, ratio=ratio, lower_weight=0.6,
            guarantee_lower=guarantee, weights=weights.tolist(), max_iter=30)
        assert sets_of(fit) == sets
        assert (fit.n_iter_, fit.converged_) == (updates, converged)
        np.testing.assert_allclose(fit.cluster_centers_, centers, atol=ROUNDING)
        assert fit.objective_ == pytest.approx(criterion, rel=ROUNDING)
        circles += not converged
    assert circles < 6


def test_ratio_one_is_k_means():
    x = blobs(7)
    fits = [RoughKMeans(3, variant=variant, ratio=1, init=x[:3]).fit(x) for variant in VARIANTS]
    peer = KMeans(3, init=x[:3], n_init=1, algorithm="lloyd", tol=0).fit(x)
    for fit in fits:
        np.testing.assert_allclose(fit.cluster_centers_, peer.cluster_centers_, atol=ROUNDING)
        np.testing.assert_array_equal(fit.labels_, peer.labels_)
        assert fit.objective_ == pytest.approx(peer.inertia_, rel=ROUNDING)
        assert (fit.lower_ == fit.upper_).all()
        assert (np.diff(fit.objective_history_) <= 1e-12 * fit.objective_).all()


def test_large_ratio_puts_all_objects_into_all_uppers():
    x = blobs(8)
    fit = RoughKMeans(3, ratio=1e6, init=x[:3], guarantee_lower=False).fit(x)
    assert fit.upper_.all()
    np.testing.assert_allclose(fit.cluster_centers_, [x.mean(axis=0)] * 3, atol=ROUNDING)


@pytest.mark.parametrize("variant", VARIANTS)
def test_whole_weights_are_copies(variant):
    x, counts = blobs(9), np.random.default_rng(9).integers(0, 4, 60)
    copies = np.repeat(np.arange(60), counts)
    start = x[copies[:3]] + [[0.1, 0], [0, 0.2], [0, 0]]
    estimator = RoughKMeans(3, variant=variant, ratio=1.3, init=start, guarantee_lower=False)
    one = clone(estimator).fit(x, sample_weight=counts)
    other = estimator.fit(x[copies])
    np.testing.assert_allclose(one.cluster_centers_, other.cluster_centers_, atol=ROUNDING)
    np.testing.assert_array_equal(one.upper_[copies], other.upper_)
    assert one.objective_ == pytest.approx(other.objective_, rel=ROUNDING)


def test_weight_zero_leaves_the_centres_alone():
    x = np.vstack([blobs(10), [[50.0, 50.0]]])
    weights = np.append(np.ones(60), 0.0)
    one = RoughKMeans(3, init=x[:3]).fit(x, sample_weight=weights)
    other = RoughKMeans(3, init=x[:3]).fit(x[:60])
    np.testing.assert_array_equal(one.cluster_centers_, other.cluster_centers_)
    assert one.upper_[60].any()


def test_guarantee_never_takes_an_object_of_weight_zero():
    x = [[0.0], [0.4], [1.0], [10.0], [10.5]]
    fit = RoughKMeans(2, ratio=100, init=[[0.0], [10.0]], max_iter=50).fit(
        x, sample_weight=[0, 1, 1, 0, 1])
    assert fit.lower_.sum(axis=0).min() == 1
    assert not fit.lower_[[0, 3]].any()
    assert (fit.assign(x).upper != fit.upper_).any()   # the guarantee acts in fit alone


@pytest.mark.parametrize("variant", VARIANTS)
def test_symmetries(variant):
    x, rng = blobs(11), np.random.default_rng(11)
    start = x[[0, 20, 40]]
    settings = {"variant": variant, "ratio": 1.2}
    fit = RoughKMeans(3, init=start, **settings).fit(x)
    order = rng.permutation(60)
    other = RoughKMeans(3, init=start, **settings).fit(x[order])
    np.testing.assert_array_equal(other.upper_, fit.upper_[order])
    np.testing.assert_allclose(other.cluster_centers_, fit.cluster_centers_, atol=ROUNDING)
    swapped = RoughKMeans(3, init=start[[2, 0, 1]], **settings).fit(x)
    np.testing.assert_array_equal(swapped.upper_, fit.upper_[:, [2, 0, 1]])
    moved = RoughKMeans(3, init=start + 100, **settings).fit(x + 100)
    np.testing.assert_array_equal(moved.upper_, fit.upper_)
    np.testing.assert_allclose(moved.cluster_centers_ - 100, fit.cluster_centers_, atol=1e-10)


@pytest.mark.parametrize("variant", VARIANTS)
def test_assign_and_predict_agree_with_fit(variant):
    x = blobs(12)
    fit = RoughKMeans(3, variant=variant, init=x[:3], guarantee_lower=False).fit(x)
    assert fit.assign(x) == fit.clustering_
    np.testing.assert_array_equal(fit.predict(x), fit.labels_)
    fit.cluster_centers_ = np.array([[0.0, 0.0], [0.0, 0.0], [9.0, 9.0]])
    assert fit.assign([[0.0, 0.0], [1.0, 0.0]]).upper.tolist() == [[True, True, False]] * 2
    assert fit.predict([[0.0, 0.0], [8.0, 8.0]]).tolist() == [0, 2]


def test_odd_data():
    one = RoughKMeans(1, init=[[1.0]]).fit([[3.0]])
    assert one.cluster_centers_.tolist() == [[3.0]]
    assert one.upper_.tolist() == [[True]]
    same = RoughKMeans(1).fit([[0.1]] * 7)
    assert same.converged_
    assert same.labels_.tolist() == [0] * 7
    twice = np.repeat(np.arange(3.0)[:, None] * 5, 2, axis=0)
    fit = RoughKMeans(3, random_state=0).fit(twice)      # c = number of distinct objects
    assert fit.objective_ == 0
    assert (fit.upper_.sum(axis=1) == 1).all()
    constant = np.column_stack([np.full(20, 4.0), np.r_[np.zeros(10), np.ones(10)]])
    assert set(RoughKMeans(2, random_state=0).fit(constant).cluster_centers_[:, 0]) == {4.0}
    outlier = np.vstack([blobs(13), [[1e12, 0.0]]])
    fit = RoughKMeans(2, random_state=0).fit(outlier)
    assert fit.lower_[60].any()
    assert np.isfinite(fit.cluster_centers_).all()


def test_a_cluster_without_objects_keeps_its_centre():
    x = [[0.0], [1.0], [2.0]]
    fit = RoughKMeans(2, variant="lingras-west", init=[[1.0], [50.0]]).fit(x)
    assert fit.cluster_centers_.tolist() == [[1.0], [50.0]]
    assert fit.clustering_.n_clusters == 2
    assert not fit.upper_[:, 1].any()
    taken = RoughKMeans(2, init=[[1.0], [50.0]]).fit(x)      # the guarantee prevents it
    assert taken.lower_.sum(axis=0).tolist() == [2, 1]


def test_an_object_that_lies_on_several_centres_belongs_to_these():
    """Squared distances below 1e-99 count as equal to it."""
    fit = RoughKMeans(3, ratio=1.0, init=[[0.0], [1.0], [2.0]]).fit([[0.0], [1.0], [2.0]])
    fit.cluster_centers_ = np.array([[0.0], [1e-60], [1e-40]])
    assert fit.assign([[0.0]]).upper.tolist() == [[True, True, False]]


def test_converged_starts_come_before_circles():
    def run(objective, converged):
        return Run(centers=np.zeros((1, 1)), objective=objective, n_iter=1, converged=converged)
    runs = [run(1.0, False), run(3.0, True), run(2.0, True)]
    assert sorted(runs, key=RoughKMeans()._rank) == [runs[2], runs[1], runs[0]]


def test_the_best_of_several_starts_is_kept():
    x = blobs(14)
    many = RoughKMeans(3, ratio=1.2, init="random", n_init=8, random_state=3).fit(x)
    again = RoughKMeans(3, ratio=1.2, init="random", n_init=8, random_state=3).fit(x)
    np.testing.assert_array_equal(many.cluster_centers_, again.cluster_centers_)
    few = RoughKMeans(3, ratio=1.2, init="random", n_init=2, random_state=3).fit(x)
    assert many.objective_ <= few.objective_   # children 0 and 1 are the same


@pytest.mark.parametrize(("settings", "message"), [
    ({"ratio": 0.99}, r"ratio is 0.99; a finite number >= 1"),
    ({"ratio": np.nan}, "ratio is nan"),
    ({"lower_weight": 1.1}, r"lower_weight is 1.1; a finite number >= 0 and <= 1"),
    ({"variant": "peters"}, "variant='peters' is not known; choose one of 'lingras-west'"),
    ({"guarantee_lower": "yes"}, "guarantee_lower is 'yes'; True, False or None"),
    ({"n_clusters": 0}, "n_clusters is 0; a whole number >= 1"),
    ({"n_clusters": 61}, "60 distinct objects of positive weight; n_clusters=61"),
    ({"init": [[0.0, 1.0]]}, r"init has shape \(1, 2\); \(3, 2\) is needed"),
    ({"init": [[0.0, 1.0]] * 3}, "init has equal rows"),
    ({"max_iter": 0}, "max_iter is 0"),
])
def test_what_is_refused(settings, message):
    with pytest.raises(sc.ClusteringError, match=message):
        RoughKMeans(**{"n_clusters": 3, **settings}).fit(blobs(15))


def test_bad_data_is_refused():
    x = blobs(15)
    with pytest.raises(ValueError, match="NaN"):
        RoughKMeans(2).fit([[0.0], [np.nan], [1.0]])
    with pytest.raises(sc.ClusteringError, match=r"sample_weight\[0\] is -1"):
        RoughKMeans(2).fit(x, sample_weight=np.r_[-1.0, np.ones(59)])
    with pytest.raises(sc.ClusteringError, match="zero for every object"):
        RoughKMeans(2).fit(x, sample_weight=np.zeros(60))


def test_as_a_scikit_learn_estimator():
    x = pd.DataFrame(blobs(16), columns=["a", "b"])
    estimator = RoughKMeans(3, random_state=1)
    assert clone(estimator).get_params() == estimator.get_params()
    fit = estimator.fit(x)
    copy = pickle.loads(pickle.dumps(fit))
    np.testing.assert_array_equal(copy.predict(x), fit.labels_)
    assert list(fit.feature_names_in_) == ["a", "b"]
    assert sc.as_clustering(fit.clustering_) == fit.clustering_


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_check_estimator():
    # Two clusters: the checks of weights have four distinct objects. One start: time.
    reason = "random starts see different data, as in scikit-learn's KMeans"
    check_estimator(RoughKMeans(2, n_init=1), expected_failed_checks=SPARSE_CHECKS | {
        "check_sample_weight_equivalence_on_dense_data": reason,
        "check_sample_weight_equivalence_on_sparse_data": reason})


def test_more_clusters_than_bits_of_a_word_and_objects_that_two_clusters_want():
    x = blobs(4, n=120, p=2, c=70)
    start = x[:70].copy()
    start[1] = start[0] + 1e-9   # the same object is nearest to both
    fit = RoughKMeans(70, init=start, max_iter=2, guarantee_lower=True)
    with pytest.warns(ConvergenceWarning):
        fit.fit(x)
    sets, centers, *_ = rough_kmeans(x.tolist(), start.tolist(), guarantee_lower=True, max_iter=2)
    assert sets_of(fit) == sets
    np.testing.assert_allclose(fit.cluster_centers_, centers, atol=ROUNDING)
