"""What scikit-learn expects of clusterers: score, transform, names of features, grid search; which
engine bags k-means; warnings of replicates."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from strategies import JIT_OFF

import softclust as sc
from softclust.cluster import EvidentialCMeans, FuzzyCMeans, PossibilisticCMeans, RoughKMeans

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 2)) * 0.4 + np.array([[0, 0], [4, 0], [0, 4]])[np.arange(30) % 3]
FRAME = pd.DataFrame(X, columns=["width", "height"])
CENTROIDS = [FuzzyCMeans, PossibilisticCMeans, EvidentialCMeans, RoughKMeans]
FEW = {"n_resamples": 12, "n_init": 2, "random_state": 0}
RESAMPLED = [sc.BaggedClustering(3, **FEW), sc.BayesianBaggedClustering(3, votes="all", **FEW),
             sc.MultipleMatchClustering(3, tol=None, **FEW)]


def fit_centroids(estimator, n_clusters=3):
    return estimator(n_clusters, n_init=2, random_state=1)


# -- scores and features ----------------------------------------------------------------------


@pytest.mark.parametrize("estimator", CENTROIDS)
def test_score_is_minus_the_objective(estimator):
    fit = fit_centroids(estimator).fit(X)
    assert fit.score(X) == pytest.approx(-fit.objective_, rel=1e-12)
    half = fit.score(X[::2]), fit.score(X, sample_weight=np.arange(30) % 2 == 0)
    assert half[0] == pytest.approx(half[1], rel=1e-12)
    assert fit.score(X + 1) < fit.score(X)


def test_score_of_fuzzy_cmeans_by_loops():
    fit = fit_centroids(FuzzyCMeans).fit(X)
    new = X[:5] + 0.3
    total = 0.0
    for x in new:
        d2 = [((x - v) ** 2).sum() for v in fit.cluster_centers_]
        for one in d2:
            total += (1 / sum(one / other for other in d2)) ** 2 * one
    assert fit.score(new) == pytest.approx(-total, rel=1e-12)


@pytest.mark.parametrize("estimator", CENTROIDS)
def test_grid_search_without_a_scorer(estimator):
    found = GridSearchCV(fit_centroids(estimator), {"n_clusters": [2, 3]}, cv=2).fit(X)
    assert found.best_params_ == {"n_clusters": 3}
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("model", RESAMPLED)
def test_grid_search_of_resampling_estimators(model):
    found = GridSearchCV(model, {"n_init": [1, 2]}, cv=2).fit(X)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("estimator", CENTROIDS)
def test_transform_gives_distances_with_names(estimator):
    fit = fit_centroids(estimator).fit(FRAME)
    distances = np.sqrt(((X[:, None] - fit.cluster_centers_) ** 2).sum(axis=2))
    np.testing.assert_allclose(fit.transform(FRAME), distances, rtol=1e-12)
    assert fit.feature_names_in_.tolist() == ["width", "height"]
    name = estimator.__name__.lower()
    assert fit.get_feature_names_out().tolist() == [f"{name}{k}" for k in range(3)]
    frame = fit.set_output(transform="pandas").transform(FRAME)
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == [f"{name}{k}" for k in range(3)]
    with pytest.raises(ValueError, match="feature names"):
        fit.transform(FRAME.rename(columns={"width": "depth"}))


def test_memberships_are_probabilities():
    fit = fit_centroids(FuzzyCMeans).fit(X)
    assert np.array_equal(fit.predict_proba(X), fit.membership_)
    pipe = make_pipeline(StandardScaler(), fit_centroids(FuzzyCMeans)).fit(X)
    assert pipe.predict_proba(X).shape == (30, 3)
    assert np.isfinite(pipe.score(X))


@pytest.mark.parametrize("model", RESAMPLED)
def test_resampled_memberships_are_features_with_names(model):
    fit = clone(model).fit(FRAME)
    assert np.array_equal(fit.transform(FRAME), fit.predict_proba(FRAME))
    frame = fit.set_output(transform="pandas").transform(FRAME)
    assert list(frame.columns) == [f"{type(model).__name__.lower()}{k}" for k in range(3)]
    assert np.isfinite(fit.score(FRAME))


def test_scores_of_resampling_estimators_by_hand():
    fit = sc.BaggedClustering(3, **FEW).fit(X)
    u = fit.predict_proba(X)
    entropy = -np.where(u > 0, u * np.log2(np.where(u > 0, u, 1)), 0).sum(axis=1).mean()
    assert fit.score(X) == pytest.approx(-entropy, abs=1e-12)
    fit = sc.MultipleMatchClustering(3, tol=None, **FEW).fit(X)
    assert fit.score(X) == sc.cluster_information_criterion(fit.assign(X)).criterion


# -- n_clusters first, and the engine --------------------------------------------------------


@pytest.mark.parametrize(("kind", "more"), [
    (sc.BaggedClustering, {"never_selected": "base"}), (sc.MultipleMatchClustering, {"tol": None}),
    (sc.BayesianBaggedClustering, {"never_selected": "base"})])
def test_the_number_of_clusters_comes_first(kind, more):
    options = {"n_resamples": 4, "n_init": 1, "random_state": 0, **more}
    assert kind(3, **options).fit(X).membership_.shape == (30, 3)
    assert kind(**options).fit(X).membership_.shape == (30, 2)
    # that of the clusterer, in any place; a number of its own is set in one that was given none
    for model in (kind(KMeans(3), **options), kind(estimator=KMeans(3), **options),
                  kind(3, estimator=KMeans(), **options)):
        assert model.fit(X).membership_.shape == (30, 3)


class SlowKMeans(KMeans):
    """The same, but not recognised."""


@pytest.mark.skipif(JIT_OFF, reason="hundreds of k-means fits; nothing in them depends on JIT")
@pytest.mark.parametrize("kind", [sc.BaggedClustering, sc.MultipleMatchClustering])
@pytest.mark.parametrize("options", [{}, {"n_init": 4}, {"algorithm": "elkan", "tol": 1e-6}])
def test_kmeans_runs_on_the_engine_with_the_same_labels(kind, options):
    common = {"n_resamples": 20, "random_state": 1} | (
        {"tol": None} if kind is sc.MultipleMatchClustering else {})
    fast = kind(estimator=KMeans(3, **options), **common).fit(X)
    loop = kind(estimator=SlowKMeans(3, **options), **common).fit(X)
    assert fast.engine == "compiled k-means"
    assert loop.engine == "SlowKMeans.fit"
    assert sc.rand_index(fast.labels_, loop.labels_) == 1.0
    assert fast.cluster_centers_.shape == (20, 3, 2)


@pytest.mark.parametrize("options", [
    {"init": X[:3], "n_init": 1}, {"tol": 0.1}, {"verbose": 1}, {"init": lambda *a, **k: X[:3]}])
def test_kmeans_with_other_parameters_is_called(options):
    assert sc.BaggedClustering(estimator=KMeans(3, **options)).engine == "KMeans.fit"


def test_the_engine_leaves_kept_fits_to_the_clusterer():
    model = sc.BaggedClustering(estimator=KMeans(3), keep_estimators=True, n_resamples=3,
                                votes="all", random_state=0)
    assert model.engine == "KMeans.fit"
    assert len(model.fit(X).estimators_) == 3
    assert sc.BaggedClustering(estimator=KMeans(3, init="random")).engine == "compiled k-means"
    assert sc.MultipleMatchClustering(estimator=KMeans(3, init="random")).engine == "KMeans.fit"


def test_the_repr_names_the_engine():
    assert repr(sc.BaggedClustering(3)) == "BaggedClustering(n_clusters=3) on compiled k-means"
    text = repr(sc.MultipleMatchClustering(estimator=SlowKMeans(3)))
    assert text.endswith("estimator=SlowKMeans(n_clusters=3)) on SlowKMeans.fit")
    fit = pickle.loads(pickle.dumps(sc.BaggedClustering(KMeans(3), n_resamples=2,
                                                         votes="all").fit(X)))
    assert fit.engine == "compiled k-means"


def test_a_clusterer_without_a_number_needs_one():
    class Plain:
        def get_params(self, deep=True):
            return {}

        def fit(self, X):
            return self

    with pytest.raises(sc.ClusteringError, match="Plain has no number of clusters; give n_clus"):
        sc.MultipleMatchClustering(estimator=Plain(), out_of_bag="skip").fit(X)


# -- warnings within replicates --------------------------------------------------------------


class Restless(FuzzyCMeans):
    """Warns in replicates, not in the fit of all objects."""

    def fit(self, X, y=None, sample_weight=None):
        self.max_iter = 300 if np.unique(X, axis=0).shape[0] == len(X) else 1
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("kind", [sc.BaggedClustering, sc.MultipleMatchClustering])
def test_warnings_of_replicates_are_kept_and_never_errors(kind):
    options = {"n_resamples": 4, "random_state": 0} | (
        {"tol": None} if kind is sc.MultipleMatchClustering else {"votes": "all"})
    model = kind(estimator=Restless(3, n_init=1), **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = clone(model).fit(X)
    assert fit.failures_ == []
    assert fit.n_resamples_ == 4
    assert len(fit.warnings_) == 4
    assert fit.warnings_[1].startswith("replicate 1: Restless stopped after max_iter=1")
    with pytest.warns(sc.ResamplingWarning, match="warned in 4 replicates, see warnings_; repl"):
        clone(model).fit(X)


def test_warnings_of_cells_are_kept_and_never_errors():
    """Few replicates leave objects without votes: said in the record, no failure."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sc.cluster_number(X, [2, 3], n_resamples=2, rng=0)
    assert found.failures == ()
    assert np.isfinite(found.criterion).all()
    assert any("never selected" in note for note in found.notes)
    assert "never selected" in str(found)


@pytest.mark.parametrize(("estimator", "keyword", "near"), [
    (sc.BaggedClustering, "n_cluster", "n_clusters"), (sc.BaggedClustering, "rng", "random_state"),
    (sc.cluster.FuzzyCMeans, "n_starts", "n_init")])
def test_a_wrong_keyword_names_the_near_one(estimator, keyword, near):
    with pytest.raises(TypeError, match=f"^{estimator.__name__} has no keyword '{keyword}'; "
                                        f"did you mean '{near}'"):
        estimator(**{keyword: 3})
