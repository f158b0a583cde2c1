"""Density clusterers as base of bagging: noise casts no vote and enters no centre."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.cluster import DBSCAN, HDBSCAN, OPTICS

import softclust as sc


def blobs(n=40, apart=8.0):
    rng = np.random.default_rng(0)
    return np.vstack([rng.normal(0, 0.6, (n // 2, 2)), rng.normal(apart, 0.6, (n // 2, 2)),
                      [[apart / 2, apart / 2]]])


@pytest.mark.parametrize("clusterer", [
    DBSCAN(eps=1.2, min_samples=4), OPTICS(min_samples=5, max_eps=3.0, cluster_method="dbscan"),
    HDBSCAN(min_cluster_size=6, min_samples=4, copy=True)], ids=lambda c: type(c).__name__)
def test_density_clusterers(clusterer):
    x = blobs()[:-1]
    with pytest.raises(sc.ClusteringError, match="noise='drop'"):
        sc.BaggedClustering(estimator=DBSCAN(eps=0.3, min_samples=4), n_resamples=5).fit(x)
    fit = sc.BaggedClustering(estimator=clusterer, noise="drop", n_resamples=15,
                              random_state=0).fit(x)
    assert np.allclose(fit.membership_.sum(axis=1), 1.0)
    truth = np.repeat([0, 1], 20)
    assert sc.rand_index(truth, fit.labels_) > 0.9
    assert (fit.n_votes_ <= fit.n_selected_).all()
    assert (fit.n_votes_ == fit.votes_.sum(axis=1)).all()


class Scripted(BaseEstimator):
    """Labels by a rule on the first feature, -1 between two thresholds."""

    def __init__(self, noise_above=10.0, random_state=None):
        self.noise_above = noise_above
        self.random_state = random_state

    def fit(self, x):
        self.labels_ = np.where(x[:, 0] > self.noise_above, -1, (x[:, 0] > 2).astype(int))
        return self

    def predict(self, x):
        return clone(self).fit(x).labels_


class Moody(Scripted):
    """Every second seed calls the objects above a threshold noise."""

    def fit(self, x):
        super().fit(x)
        if self.random_state % 2:
            self.labels_ = (x[:, 0] > 2).astype(int)
        return self


def test_shares_are_of_votes_cast():
    """By the definition: votes of replicates, noise left out."""
    x = np.array([[0.0], [1.0], [3.0], [4.0], [5.0]])
    draws = np.random.default_rng(0).integers(0, 5, (30, 5))
    fit = sc.BaggedClustering(estimator=Moody(4.5), noise="drop", random_state=3).fit(
        x, base=np.array([0, 0, 1, 1, -1]), indices=draws)
    selected = np.array([(draws == i).any(axis=1).sum() for i in range(5)])
    assert fit.n_selected_.tolist() == selected.tolist()
    assert fit.n_votes_[:4].tolist() == selected[:4].tolist()
    assert 0 < fit.n_votes_[4] < selected[4]
    assert fit.membership_[4].tolist() == [0.0, 1.0]
    assert fit.labels_.tolist() == [0, 0, 1, 1, 1]
    assert fit.base_centers_.ravel().tolist() == [0.5, 3.5]
    assert fit.base_labels_.tolist() == [0, 0, 1, 1, -1]


def test_an_object_without_votes():
    x = np.array([[0.0], [1.0], [3.0], [4.0], [5.0]])
    model = sc.BaggedClustering(estimator=Scripted(4.5), noise="drop", n_resamples=20,
                                random_state=0)
    with pytest.warns(sc.ResamplingWarning, match="1 of 5 objects are noise in every replicate"):
        fit = clone(model).fit(x)
    assert np.isnan(fit.membership_).any(axis=1).tolist() == [False] * 4 + [True]
    assert fit.labels_[4] == -1
    assert fit.n_votes_[4] == 0 < fit.n_selected_[4]
    assert not np.isnan(fit.mean_entropy_)
    with pytest.raises(sc.ClusteringError, match="1 objects have no votes"):
        _ = fit.clustering_
    with pytest.warns(sc.ResamplingWarning, match="are noise in every replicate"):
        fit = clone(model).set_params(never_selected="base").fit(x, base=[0, 0, 1, 1, 1])
    assert fit.membership_[4].tolist() == [0.0, 1.0]
    with pytest.raises(sc.ClusteringError, match="finds noise alone in X"):
        clone(model).set_params(estimator=Scripted(-1.0)).fit(x)
    with pytest.raises(ValueError, match="'raise', 'drop'"):
        clone(model).set_params(noise="lose").fit(x)
    everyone = clone(model).set_params(votes="all", estimator=Moody(4.5)).fit(x)
    assert everyone.n_selected_.tolist() == [20] * 5
    assert everyone.membership_.sum(axis=1).tolist() == [1.0] * 5


def test_noise_of_hdbscan_loses_no_work():
    x = np.vstack([blobs(), [[40.0, -40.0]]])
    model = sc.BaggedClustering(estimator=HDBSCAN(copy=True), noise="drop", n_resamples=30,
                                random_state=0)
    with pytest.warns(sc.ResamplingWarning, match="objects are noise in every replicate"):
        fit = model.fit(x)
    assert fit.n_resamples_ == 30
    assert np.isnan(fit.membership_[-1]).all()
    assert fit.labels_[-1] == -1
    np.testing.assert_allclose(fit.membership_[fit.n_votes_ > 0].sum(axis=1), 1)


def test_without_noise_the_bits_are_the_same():
    x = blobs()[:-1]
    one, two = (sc.BaggedClustering(estimator=Scripted(100.0), noise=noise, n_resamples=20,
                                    random_state=1).fit(x) for noise in ("raise", "drop"))
    assert np.array_equal(one.membership_, two.membership_)
    assert np.array_equal(one.n_votes_, two.n_votes_)
    again = sc.BaggedClustering(estimator=Moody(8.0), noise="drop", n_resamples=10, warm_start=True,
                                random_state=1).fit(x)
    again.set_params(n_resamples=20).fit(x)
    whole = sc.BaggedClustering(estimator=Moody(8.0), noise="drop", n_resamples=20,
                                random_state=1).fit(x)
    assert np.array_equal(again.votes_, whole.votes_)
    assert np.array_equal(again.n_votes_, whole.n_votes_)
