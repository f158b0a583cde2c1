"""Evidential c-means: stored fits, the naive oracle, limits, weights, symmetries, odd data."""

import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from naive.rough_evidential import credal_masses, evidential_cmeans
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator
from together import SPARSE_CHECKS

import softclust as sc
from softclust.cluster import EvidentialCMeans

GOLDEN = json.loads((Path(__file__).parent / "golden" / "clusterers.json").read_text())
CASES = {case["id"]: case for case in GOLDEN["cases"]
         if case.get("estimator") == "EvidentialCMeans"}
#: J is a sum of up to 150 terms >= 0 of the same size
ROUNDING = 1e-12


def data_of(case):
    x = load_iris().data if case["data"] == "iris" else np.array(GOLDEN["data"][case["data"]]["X"])
    return x, case["sample_weight"] and GOLDEN["weights"][case["sample_weight"]]


def blobs(seed, n=60, p=2, c=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)) + 4.0 * rng.normal(size=(c, p))[rng.integers(c, size=n)]


def tuples(sets):
    return [tuple(np.flatnonzero(row)) for row in sets]


def fit_after(n_iter, x, start, weights=None, **settings):
    """The state after exactly `n_iter` updates."""
    estimator = EvidentialCMeans(len(start), init=start, tol=0, max_iter=n_iter, **settings)
    with pytest.warns(ConvergenceWarning, match=f"max_iter={n_iter}"):
        return estimator.fit(x, sample_weight=weights)


@pytest.mark.parametrize("name", CASES)
def test_stored_fits(name):
    case = CASES[name]
    expected, tolerance = case["expected"], case["tolerance"]
    x, weights = data_of(case)
    # The stored centres, rather than the stored start, save iris hundreds of updates.
    start = expected["cluster_centers"] if case["data"] == "iris" else GOLDEN["starts"][
        case["init"]]
    fit = EvidentialCMeans(len(start), init=start, **case["params"]).fit(x, sample_weight=weights)
    assert fit.converged_
    np.testing.assert_allclose(fit.cluster_centers_, expected["cluster_centers"], rtol=0,
                               atol=tolerance["cluster_centers"])
    assert fit.objective_ == pytest.approx(expected["objective"], abs=tolerance["objective"])
    assert fit.focal_sets_.astype(int).tolist() == expected["focal_sets"]
    for i, row in expected.get("mass_rows", dict(enumerate(expected.get("mass", ())))).items():
        np.testing.assert_allclose(fit.mass_[int(i)], row, rtol=0, atol=tolerance["mass"])
    # means of masses, which are as good as these
    assert fit.clustering_.empty_mass.mean() == pytest.approx(expected["mean_empty_mass"],
                                                              abs=tolerance["mass"])
    assert sc.nonspecificity(fit.clustering_) == pytest.approx(expected["nonspecificity"],
                                                               abs=tolerance["mass"])
    counts = np.bincount(fit.labels_, minlength=len(start))
    assert counts.tolist() == expected["max_plausibility_counts"]
    sets = np.bincount(fit.mass_.argmax(axis=1), minlength=fit.mass_.shape[1])
    assert sets.tolist() == expected["max_mass_set_counts"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CASES if "iris" in name])
def test_stored_fits_of_iris_from_the_stored_start(name):
    case = CASES[name]
    x, _ = data_of(case)
    start = GOLDEN["starts"][case["init"]]
    fit = EvidentialCMeans(3, init=start, **case["params"]).fit(x)
    np.testing.assert_allclose(fit.cluster_centers_, case["expected"]["cluster_centers"], rtol=0,
                               atol=case["tolerance"]["cluster_centers"])
    assert (np.diff(fit.objective_history_) <= ROUNDING * fit.objective_).all()


@pytest.mark.parametrize("beta", [1.01, 1.1, 1.5, 2.0, 3.7])
@pytest.mark.parametrize("focal", ["full", "simple", "pairs", "array"])
def test_random_data_against_the_oracle(beta, focal):
    """Some updates from objects: distances of 0, and for small beta masses down to underflow."""
    rng = np.random.default_rng(round(100 * beta))
    x = blobs(round(100 * beta), n=30, p=3, c=4)
    start = x[rng.choice(30, 4, replace=False)]
    weights = rng.choice([0.0, 0.5, 1.0, 2.0], 30)
    if focal == "array":
        focal = np.vstack([np.zeros((1, 4)), np.eye(4)[[2, 0, 1, 3]], [[1, 1, 0, 0], [0, 1, 1, 1]]])
    settings = {"alpha": 0.7, "beta": beta, "delta": 6.0}
    fit = fit_after(4, x, start, weights, focal=focal, **settings)
    mass, centers, objective = evidential_cmeans(x, start, tuples(fit.focal_sets_),
                                                 weights=weights, n_iter=4, **settings)
    # logarithms divided by beta - 1 = .01 lose two digits in the oracle
    np.testing.assert_allclose(fit.cluster_centers_, centers, rtol=0, atol=1e-9)
    np.testing.assert_allclose(fit.mass_, mass, rtol=0, atol=1e-8)
    assert fit.objective_ == pytest.approx(objective, rel=1e-9)


# a start far from the objects has no mass when beta is near 1
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("beta", [1.0001, 1.01, 1.1, 2.0, 8.0])
@pytest.mark.parametrize("alpha", [0.0, 1.0, 3.0])
def test_the_objective_never_rises(alpha, beta):
    x = blobs(2)
    for start in (x[:3], np.array([[0.0, 0], [0.001, 0], [9, 9]])):
        fit = EvidentialCMeans(3, alpha=alpha, beta=beta, delta=4, init=start,
                               tol=1e-5, max_iter=500).fit(x)
        assert np.isfinite(fit.mass_).all()
        history = fit.objective_history_
        assert len(history) == fit.n_iter_
        assert (np.diff(history) <= ROUNDING * history[:-1]).all()


def fuzzy_cmeans(x, centers, m, n_iter):
    """Fuzzy c-means by its definition: memberships of the returned centres, and these."""
    def memberships(centers):
        d2 = [[sum((a - b) ** 2 for a, b in zip(row, v)) for v in centers] for row in x]
        return np.array([[1 / sum((d / e) ** (1 / (m - 1)) for e in row) for d in row]
                         for row in d2])
    for _ in range(n_iter):
        u = memberships(centers) ** m
        centers = u.T @ x / u.sum(axis=0)[:, None]
    return memberships(centers), centers


@pytest.mark.parametrize("beta", [1.2, 2.0, 3.0])
def test_limit_of_fuzzy_c_means(beta):
    """With large alpha and delta only single clusters have mass."""
    x = blobs(3) / 10   # the empty set keeps about (distance / delta)^(2 / (beta - 1))
    start = x[:3] + 0.01
    fit = fit_after(5, x, start, alpha=60 * (beta - 1), beta=beta, delta=1e8)
    membership, centers = fuzzy_cmeans(x, start, beta, 5)
    np.testing.assert_allclose(fit.mass_[:, [1, 2, 4]], membership, rtol=0, atol=1e-8)
    np.testing.assert_allclose(fit.cluster_centers_, centers, rtol=0, atol=1e-8)


def test_delta_is_a_distance_in_data_units():
    x = blobs(4)
    for factor in (8.0, 1e-3, 1e5):
        fit = EvidentialCMeans(3, delta=3, init=x[:3]).fit(x)
        scaled = EvidentialCMeans(3, delta=3 * factor, init=factor * x[:3]).fit(factor * x)
        assert scaled.n_iter_ == fit.n_iter_
        np.testing.assert_allclose(scaled.mass_, fit.mass_, rtol=0, atol=1e-10)
        assert scaled.objective_ == pytest.approx(factor ** 2 * fit.objective_, rel=1e-10, abs=0)


def test_outliers_get_mass_on_the_empty_set():
    x = np.vstack([blobs(5), [[1e6, -1e6]]])
    # the outlier is in the scale that tol refers to
    fit = EvidentialCMeans(3, delta=5, init=x[:3], tol=1e-12).fit(x)
    assert fit.clustering_.empty_mass[60] > 0.999
    inner = EvidentialCMeans(3, delta=5, init=x[:3], tol=1e-9).fit(x[:60])
    # two iterations stopped by their own tol, which lies 1e-7 apart here
    np.testing.assert_allclose(fit.cluster_centers_, inner.cluster_centers_, atol=1e-6)


def test_labels_of_outliers_without_any_other_mass():
    x = np.vstack([blobs(5), [[3e5, 0.0], [-3e5, 0.0]]])
    fit = EvidentialCMeans(2, beta=1.01, delta=5, init=[[-3, 0], [3, 0]], tol=1e-12).fit(x)
    assert fit.mass_[60:, 0].tolist() == [1.0, 1.0]
    order = fit.cluster_centers_[:, 0].argsort()
    assert fit.labels_[60:].tolist() == fit.predict(x[60:]).tolist() == order[::-1].tolist()


def test_whole_weights_are_copies():
    x, counts = blobs(6), np.random.default_rng(6).integers(0, 4, 60)
    copies = np.repeat(np.arange(60), counts)
    estimator = EvidentialCMeans(3, init=[[0.0, 1], [4, 0], [-4, 0]], tol=1e-9)
    one = clone(estimator).fit(x, sample_weight=counts)
    other = estimator.fit(x[copies])
    assert one.n_iter_ == other.n_iter_
    np.testing.assert_allclose(one.cluster_centers_, other.cluster_centers_, atol=1e-10)
    np.testing.assert_allclose(one.mass_[copies], other.mass_, atol=1e-10)
    assert one.objective_ == pytest.approx(other.objective_, rel=1e-10)


def test_weight_zero_leaves_the_centres_alone():
    x = np.vstack([blobs(7), [[50.0, 50.0]]])
    one = EvidentialCMeans(3, init=x[:3]).fit(x, sample_weight=np.append(np.ones(60), 0.0))
    other = EvidentialCMeans(3, init=x[:3]).fit(x[:60])
    # one more place in the last tile: sums of the same terms
    np.testing.assert_allclose(one.cluster_centers_, other.cluster_centers_, atol=1e-10)
    assert one.mass_[60].sum() == pytest.approx(1)


def test_symmetries():
    x, rng = blobs(8), np.random.default_rng(8)
    start = x[[0, 20, 40]]
    fit = EvidentialCMeans(3, init=start).fit(x)
    order = rng.permutation(60)
    other = EvidentialCMeans(3, init=start).fit(x[order])
    np.testing.assert_allclose(other.mass_, fit.mass_[order], atol=1e-9)
    swapped = EvidentialCMeans(3, init=start[[2, 0, 1]]).fit(x)
    np.testing.assert_allclose(swapped.cluster_centers_, fit.cluster_centers_[[2, 0, 1]],
                               atol=1e-9)
    # set b of the swapped fit is the set of the clusters that its bits stand for
    columns = [sum(1 << [2, 0, 1][k] for k in a) for a in tuples(swapped.focal_sets_)]
    np.testing.assert_allclose(swapped.mass_, fit.mass_[:, columns], atol=1e-9)
    moved = EvidentialCMeans(3, init=start + 100).fit(x + 100)
    np.testing.assert_allclose(moved.mass_, fit.mass_, atol=1e-8)
    np.testing.assert_allclose(moved.cluster_centers_ - 100, fit.cluster_centers_, atol=1e-8)


def test_assign_and_predict_agree_with_fit():
    x = blobs(9)
    fit = EvidentialCMeans(3, init=x[:3]).fit(x)
    assert fit.assign(x) == fit.clustering_ == sc.EvidentialClustering(fit.mass_, fit.focal_sets_)
    np.testing.assert_array_equal(fit.predict(x), fit.labels_)
    np.testing.assert_array_equal(fit.labels_, fit.clustering_.harden().labels)
    np.testing.assert_array_equal(fit.assign(x[7:9]).mass, fit.mass_[7:9])
    fit.cluster_centers_ = [[0, 0], [2, 0], [9, 9]]
    # on a centre, and halfway between two: on the barycentre of both
    assert fit.assign([[2.0, 0.0], [1.0, 0.0]]).mass.tolist() == np.eye(8)[[2, 3]].tolist()


def test_an_object_on_coincident_centres_is_split_evenly():
    fit = EvidentialCMeans(2, init=[[0.0], [1.0]]).fit([[0.0], [1.0], [3.0]])
    fit.cluster_centers_ = np.zeros((2, 1))
    assert fit.assign([[0.0]]).mass.tolist() == [[0, 1 / 3, 1 / 3, 1 / 3]]


def test_odd_data():
    one = EvidentialCMeans(1, init=[[1.0]]).fit([[3.0]])
    np.testing.assert_allclose(one.cluster_centers_, [[3.0]], rtol=1e-15)
    np.testing.assert_allclose(one.mass_, [[0.0, 1.0]], atol=1e-15)
    same = EvidentialCMeans(1).fit([[0.1]] * 7)
    assert same.converged_
    assert same.labels_.tolist() == [0] * 7
    twice = np.repeat([[0.0], [5.0], [13.0]], 2, axis=0)
    fit = EvidentialCMeans(3, beta=1.1, random_state=0).fit(twice)   # c = distinct objects
    assert np.isfinite(fit.mass_).all()
    assert sorted(set(fit.labels_)) == [0, 1, 2]
    constant = np.column_stack([np.full(20, 4.0), np.r_[np.zeros(10), np.ones(10)]])
    fit = EvidentialCMeans(2, random_state=0).fit(constant)
    np.testing.assert_allclose(fit.cluster_centers_[:, 0], 4.0, rtol=1e-12)
    duplicates = EvidentialCMeans(2, random_state=0).fit(np.repeat(blobs(10, n=10), 5, axis=0))
    np.testing.assert_array_equal(duplicates.mass_[::5], duplicates.mass_[4::5])


def test_centres_that_are_not_determined_move_least():
    """With alpha = 0 and c = 2 objects between the centres leave their distance open."""
    x = np.array([[0.0], [0.0], [0.0]])
    system_of = EvidentialCMeans(2, alpha=0.0, beta=1.001, init=[[-1.0], [1.0]])
    with pytest.raises(sc.ClusteringError, match="1 distinct objects"):
        system_of.fit(x)
    x = np.array([[-1e-9], [0.0], [1e-9]])
    with pytest.warns(ConvergenceWarning, match="single cluster had no mass"):
        fit = system_of.fit(x)
    np.testing.assert_allclose(fit.cluster_centers_, [[-1.0], [1.0]], atol=1e-8)
    np.testing.assert_allclose(fit.mass_[:, 3], 1.0)


def test_a_tolerance_out_of_reach_warns():
    x = blobs(11)
    with pytest.warns(ConvergenceWarning, match=r"max_iter=3 .* still moved by .* of the scale"):
        fit = EvidentialCMeans(3, init=x[:3], tol=0, max_iter=3).fit(x)
    assert not fit.converged_
    assert fit.n_iter_ == 3


def test_masses_and_objective_belong_to_the_returned_centres():
    x = blobs(12)
    fit = EvidentialCMeans(3, beta=1.7, random_state=0, n_init=2).fit(x)
    mass = credal_masses(x, fit.cluster_centers_, tuples(fit.focal_sets_), 1.0, 1.7, 10.0)
    np.testing.assert_allclose(fit.mass_, mass, rtol=0, atol=1e-12)
    assert fit.objective_history_[-1] == fit.objective_


def test_names_of_focal_sets():
    def sets(focal, c):
        return tuples(EvidentialCMeans(c, focal=focal, max_iter=50, tol=1, random_state=0).fit(
            np.arange(9.0)[:, None]).focal_sets_)
    assert sets("full", 3) == [(), (0,), (1,), (0, 1), (2,), (0, 2), (1, 2), (0, 1, 2)]
    assert sets("simple", 3) == [(), (0,), (1,), (2,), (0, 1, 2)]
    assert sets("pairs", 4) == [(), (0,), (1,), (2,), (3,), (0, 1), (0, 2), (0, 3), (1, 2),
                                (1, 3), (2, 3), (0, 1, 2, 3)]
    assert sets("pairs", 2) == sets("simple", 2) == [(), (0,), (1,), (0, 1)]
    for focal in ("full", "simple", "pairs"):
        assert sets(focal, 1) == [(), (0,)]


@pytest.mark.parametrize(("settings", "message"), [
    ({"alpha": -0.1}, "alpha is -0.1; a finite number >= 0"),
    ({"alpha": 1000}, r"alpha is 1000; with 3 clusters at most 546\.1 can be computed"),
    ({"beta": 1.0}, "beta is 1.0; a finite number > 1"),
    ({"beta": np.inf}, "beta is inf"),
    ({"delta": 0}, "delta is 0; a finite number > 0"),
    ({"tol": -1}, "tol is -1"),
    ({"n_clusters": 61}, "60 distinct objects of positive weight; n_clusters=61"),
    ({"n_clusters": 13}, r"focal='full' with n_clusters=13 means 2\*\*13 focal sets; up to 12"),
    ({"focal": "singles"}, "focal='singles' is not known; choose one of 'full', 'simple', 'pairs'"),
    ({"focal": np.eye(3)}, "first row of focal is not the empty set"),
    ({"focal": [[0, 0], [1, 0], [0, 1]]}, "focal has 2 columns for n_clusters=3"),
    ({"focal": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 1]]}, "lacks the set of cluster 2 alone"),
    ({"focal": [[0, 0, 0], [1, 0, 0], [1, 0, 0]]}, "rows 1 and 2 are the same set"),
    ({"focal": [[0, 0, 2]]}, "0/1 entries are needed"),
    ({"init": [[0.0, 1.0]]}, r"init has shape \(1, 2\); \(3, 2\) is needed"),
])
def test_what_is_refused(settings, message):
    with pytest.raises(sc.ClusteringError, match=message):
        EvidentialCMeans(**{"n_clusters": 3, **settings}).fit(blobs(13))


def test_too_many_clusters_for_bit_masks():
    with pytest.raises(sc.ClusteringError, match="at most 64 clusters"):
        EvidentialCMeans(65, focal="simple").fit(np.arange(70.0)[:, None])


def test_as_a_scikit_learn_estimator():
    x = pd.DataFrame(blobs(14), columns=["a", "b"])
    estimator = EvidentialCMeans(3, random_state=1, n_init=2, focal=np.vstack(
        [np.zeros(3), np.eye(3)]))
    clone(estimator)
    fit = estimator.fit(x)
    copy = pickle.loads(pickle.dumps(fit))
    assert copy.assign(x) == fit.clustering_
    assert list(fit.feature_names_in_) == ["a", "b"]
    np.testing.assert_array_equal(clone(fit).fit(x).mass_, fit.mass_)
    np.testing.assert_array_equal(clone(fit).fit_predict(x), fit.labels_)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_check_estimator():
    # Two clusters: the checks of weights have four distinct objects. One start: time.
    reason = "random starts see different data, as in scikit-learn's KMeans"
    check_estimator(EvidentialCMeans(2, n_init=1), expected_failed_checks=SPARSE_CHECKS | {
        "check_sample_weight_equivalence_on_dense_data": reason,
        "check_sample_weight_equivalence_on_sparse_data": reason})
