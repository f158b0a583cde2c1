"""warm_start and checkpoints: what may change between a fit and its continuation, and what not."""

import pickle

import numpy as np
import pytest
import scipy.stats
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans, MeanShift
from sklearn.mixture import GaussianMixture

import softclust as sc

X = np.random.default_rng(0).normal(scale=0.2, size=(18, 2)) + np.repeat(
    [[0, 0], [3, 0], [0, 3]], 6, axis=0)


def bagged(**options):
    return sc.BaggedClustering(**{"n_clusters": 3, "n_resamples": 4, "n_init": 1,
                                  "warm_start": True, "random_state": 0,
                                  "never_selected": "base", **options})


def matched(**options):
    return sc.MultipleMatchClustering(**{"n_clusters": 3, "n_resamples": 4, "tol": None,
                                         "n_init": 1, "warm_start": True, "random_state": 0,
                                         **options})


@pytest.mark.parametrize("make", [bagged, matched])
def test_a_clusterer_may_not_change_inside(make):
    fit = make(estimator=KMeans(3, n_init=1)).fit(X)
    fit.estimator.set_params(max_iter=7)
    with pytest.raises(sc.ClusteringError, match="estimator__max_iter was 300 and is 7"):
        fit.set_params(n_resamples=6).fit(X)
    assert fit.n_resamples_ == 4


@pytest.mark.parametrize("make", [bagged, matched])
def test_an_equal_clusterer_goes_on(make):
    fit = make(estimator=KMeans(3, n_init=1)).fit(X)
    assert fit.set_params(n_resamples=6, estimator=KMeans(3, n_init=1)).fit(X).n_resamples_ == 6
    whole = make(estimator=KMeans(3, n_init=1), n_resamples=6).fit(X)
    np.testing.assert_array_equal(fit.votes_, whole.votes_)


@pytest.mark.parametrize("make", [bagged, matched])
def test_starts_given_as_an_array_are_compared_number_by_number(make):
    # Texts of parameters are cut where they are long; the last number of the array differs.
    wide = np.c_[X, np.zeros((18, 600))]
    starts = wide[[0, 6, 12]]
    other = starts.copy()
    other[-1, -1] = 1.0
    fit = make(estimator=KMeans(3, n_init=1, init=starts)).fit(wide)
    with pytest.raises(sc.ClusteringError, match="estimator__init was an array"):
        fit.set_params(n_resamples=6, estimator=KMeans(3, n_init=1, init=other)).fit(wide)


@pytest.mark.parametrize("make", [bagged, matched])
def test_another_seed_is_refused_and_none_goes_on(make):
    fit = make().fit(X)
    with pytest.raises(sc.ClusteringError, match="random_state was 0 and is 7 now"):
        fit.set_params(n_resamples=6, random_state=7).fit(X)
    assert fit.set_params(random_state=np.int64(0)).fit(X).n_resamples_ == 6
    fit.set_params(n_resamples=8, random_state=None).fit(X)
    np.testing.assert_array_equal(fit.votes_, make(n_resamples=8).fit(X).votes_)


@pytest.mark.parametrize("make", [bagged, matched])
def test_a_pickled_fit_goes_on(make):
    fit = make(estimator=KMeans(3, n_init=1), random_state=np.random.default_rng(1)).fit(X)
    back = pickle.loads(pickle.dumps(fit)).set_params(n_resamples=7).fit(X)
    assert back.n_resamples_ == 7
    np.testing.assert_array_equal(back.votes_, fit.set_params(n_resamples=7).fit(X).votes_)


def test_another_prior_is_refused():
    fit = sc.BayesianBaggedClustering(
        3, n_resamples=4, warm_start=True, random_state=0, never_selected="base",
        prior=scipy.stats.multivariate_normal([0, 0])).fit(X)
    with pytest.raises(sc.ClusteringError, match="prior was a multivariate_normal_frozen"):
        fit.set_params(n_resamples=6, prior=scipy.stats.multivariate_normal([9, 9])).fit(X)


# -- ready draws ----------------------------------------------------------------------------------
@pytest.mark.parametrize("make", [bagged, matched])
def test_ready_draws_are_fitted_in_one_go(make):
    indices = sc.bootstrap_indices(18, 8, rng=9)
    fit = make().fit(X, indices=indices[:4])
    for options in ({}, {"indices": indices}):
        with pytest.raises(sc.ClusteringError, match=r"fitted in one go, and 4 repl"):
            fit.set_params(n_resamples=8).fit(X, **options)
    assert fit.n_resamples_ == 4
    with pytest.raises(sc.ClusteringError, match="given draws; they are what you gave"):
        fit.resamples(X)
    with pytest.raises(sc.ClusteringError, match="fitted in one go"):
        make().fit(X).fit(X, indices=indices)


def test_ready_draws_of_a_checkpoint_are_fitted_in_one_go(tmp_path):
    options = {"degenerate": "keep", "checkpoint": tmp_path / "votes.npz"}
    matched(**options).fit(X, indices=sc.bootstrap_indices(18, 4, rng=9))
    with pytest.raises(sc.ClusteringError, match="fitted in one go"):   # as another process
        matched(n_resamples=8, **options).fit(X)


def test_matched_draws_can_be_exported_and_replayed(tmp_path):
    fit = matched(n_resamples=12, degenerate="keep").fit(X)
    draws = fit.resamples(X)
    draws.save(tmp_path / "draws.csv")
    back = sc.BootstrapDraws.load(tmp_path / "draws.csv")
    again = matched(degenerate="keep").fit(X, indices=back.source)
    np.testing.assert_array_equal(again.votes_, fit.votes_)
    np.testing.assert_array_equal(again.cluster_centers_, fit.cluster_centers_)
    np.testing.assert_array_equal(draws.points, X[draws.source])
    with pytest.raises(sc.ClusteringError, match="X is not the data"):
        fit.resamples(X + 1)
    with pytest.raises(sc.ClusteringError, match="they are what you gave"):
        again.resamples(X)


# -- stopping when the votes have settled ------------------------------------------------------
def test_a_stricter_tolerance_goes_on():
    fit = matched(n_resamples=400, tol=0.5).fit(X)
    assert fit.converged_
    assert fit.n_resamples_ == 200
    fit.set_params(tol=None, n_resamples=230).fit(X)
    assert not fit.converged_
    assert fit.n_resamples_ == 230
    np.testing.assert_array_equal(fit.votes_, matched(n_resamples=230).fit(X).votes_)
    settled = matched(n_resamples=400, tol=0.5).fit(X)
    assert settled.set_params(n_resamples=500).fit(X).n_resamples_ == 200, "as in one go"


def test_a_checkpoint_goes_on_with_a_stricter_tolerance(tmp_path):
    path = tmp_path / "votes.npz"
    assert matched(n_resamples=400, tol=0.5, checkpoint=path).fit(X).n_resamples_ == 200
    assert matched(n_resamples=250, checkpoint=path).fit(X).n_resamples_ == 250


# -- checkpoints ----------------------------------------------------------------------------------
def test_a_checkpoint_that_cannot_be_written_is_refused_before_the_fit(tmp_path):
    with pytest.raises(sc.ClusteringError, match=r"folder of checkpoint=.* does not exist; create"):
        matched(checkpoint=tmp_path / "none" / "a.npz").fit(X)
    with pytest.raises(TypeError, match="checkpoint is 3; the path of a file"):
        matched(checkpoint=3).fit(X)


def test_a_checkpoint_belongs_to_one_child_of_a_seed(tmp_path):
    path = tmp_path / "votes.npz"
    one, other = np.random.SeedSequence(5).spawn(2)
    matched(checkpoint=path, random_state=one).fit(X)
    with pytest.raises(sc.ClusteringError, match="begun with another random_state"):
        matched(checkpoint=path, random_state=other, n_resamples=6).fit(X)
    again = matched(checkpoint=path, random_state=one, n_resamples=6).fit(X)
    np.testing.assert_array_equal(again.votes_, matched(random_state=one, n_resamples=6)
                                  .fit(X).votes_)


def centre_distance(a, b):
    """A parameter that is a function: its address changes from process to process."""
    return np.abs(a - b).sum()


class Callable(ClusterMixin, BaseEstimator):
    """Has a function as parameter."""

    def __init__(self, metric=centre_distance, n_clusters=3):
        self.metric, self.n_clusters = metric, n_clusters

    def fit(self, X, y=None):
        self.labels_ = KMeans(self.n_clusters, n_init=1, random_state=0).fit(X).labels_
        return self


def test_addresses_do_not_count_in_checkpoints(tmp_path):
    path = tmp_path / "votes.npz"
    first = matched(estimator=Callable(), out_of_bag="skip", checkpoint=path).fit(X)
    assert "centre_distance" not in str(first._settings_)
    again = matched(estimator=Callable(), out_of_bag="skip", checkpoint=path, n_resamples=6)
    assert again.fit(X).n_resamples_ == 6


# -- what the clusterer must be ------------------------------------------------------------------
def test_the_base_clustering_has_the_clusters_that_were_asked_for():
    with pytest.raises(sc.ClusteringError, match="MeanShift found 3 clusters in X and n_clusters "
                                                 "is 5; set n_clusters=3"):
        sc.BayesianBaggedClustering(5, estimator=MeanShift(bandwidth=1), weighted=False).fit(X)
    fit = sc.BayesianBaggedClustering(3, estimator=MeanShift(bandwidth=1), weighted=False,
                                      n_resamples=5, never_selected="base",
                                      random_state=0).fit(X)
    assert fit.base_centers_.shape == (3, 2)


@pytest.mark.parametrize("make", [sc.BaggedClustering, sc.MultipleMatchClustering])
def test_a_class_is_no_clusterer(make):
    with pytest.raises(TypeError, match=r"class KMeans; an instance is needed, such as KMeans\(\)"):
        make(KMeans).fit(X)


class Broken(ClusterMixin, BaseEstimator):
    """Cannot fit."""

    def fit(self, X, y=None):
        raise RuntimeError("bad luck")


def test_an_error_of_the_base_clustering_says_so():
    with pytest.raises(RuntimeError, match="bad luck") as caught:
        sc.BaggedClustering(estimator=Broken()).fit(X)
    assert "base clustering of all objects" in caught.value.__notes__[0]


def test_a_clustering_can_be_the_base():
    labels = np.repeat([2, 0, 1], 6)
    fits = [bagged().fit(X, base=base) for base in (labels, sc.HardClustering(labels))]
    np.testing.assert_array_equal(fits[0].votes_, fits[1].votes_)


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"scheme": "subsample", "sample_size": 0}, sc.ClusteringError, "^sample_size is 0"),
])
def test_messages_of_bagged_clustering(options, error, message):
    with pytest.raises(error, match=message):
        bagged(**options).fit(X)


def test_weighted_is_a_flag():
    with pytest.raises(TypeError, match="weighted is 'no'; True or False"):
        sc.BayesianBaggedClustering(3, weighted="no").fit(X)


# -- clusterers without labels_ -------------------------------------------------------------------
def test_a_mixture_has_predict_in_place_of_labels():
    fit = matched(estimator=GaussianMixture(covariance_type="spherical"), n_resamples=6).fit(X)
    assert not fit.failures_
    assert sc.adjusted_rand_index(fit.labels_, np.repeat([0, 1, 2], 6)) == 1.0
    never = np.tile(np.r_[0:17, 0], (3, 1))   # object 17 has the label of a fit to all
    with pytest.warns(sc.ResamplingWarning, match="1 of 18 objects have no votes"):
        some = matched(estimator=GaussianMixture(covariance_type="spherical"),
                       out_of_bag="skip").fit(X, indices=never)
    assert some.labels_[17] == some.labels_[16]
    found = sc.cluster_number(X, [2, 3, 4], criterion="silhouette", rng=0,
                              estimator=GaussianMixture(covariance_type="spherical", n_init=5))
    assert found.best == 3
    assert not found.failures


class Mute(ClusterMixin, BaseEstimator):
    """Says nothing, or words."""

    def __init__(self, words=False):
        self.words = words

    def fit(self, X, y=None):
        if self.words:
            self.labels_ = np.where(X[:, 0] > 1, "a", "b")
        return self


def test_labels_that_cannot_be_used_are_named():
    with pytest.raises(sc.ClusteringError, match="Mute has no labels_ after fit and no predict"):
        sc.BaggedClustering(estimator=Mute()).fit(X)
    with pytest.raises(sc.ClusteringError, match="Mute has no labels_ after fit and no predict"):
        matched(estimator=Mute(), out_of_bag="skip").fit(X)
    with pytest.raises(sc.ClusteringError, match="gave labels of type <U1; whole numbers"):
        matched(estimator=Mute(words=True), out_of_bag="skip").fit(X)
