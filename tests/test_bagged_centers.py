"""Bagged centres: R's bclust, the definition with loops, options, interrupts, scikit-learn."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import is_valid_linkage
from sklearn.base import BaseEstimator
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.utils.estimator_checks import check_estimator

import softclust as sc
from softclust.datasets import load_iris
from softclust.running.random_numbers import Streams

STORED = json.loads((Path(__file__).parent / "golden" / "r" / "e1071_bclust.json").read_text(
    encoding="utf-8"))
X = load_iris().data


class Ready(BaseEstimator):
    """A clusterer that has given centres, one block after the other."""

    blocks: list

    def __init__(self, n_clusters=5, random_state=None):
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(self, x):
        self.cluster_centers_ = Ready.blocks.pop(0)
        return self


def ready(centers, per, **options):
    Ready.blocks = [np.array(centers[b:b + per]) for b in range(0, len(centers), per)]
    return sc.BaggedCenters(3, estimator=Ready(), n_base=per, n_resamples=len(Ready.blocks),
                            **options)


def naive_bagged_centers(x, centers, k, min_size=0):
    """Average linkage of the centres by its definition; objects go with their nearest centre."""
    def nearest(row, found):
        return min(range(len(found)), key=lambda j: sum((a - b) ** 2 for a, b in
                                                        zip(row, found[j])))
    sizes = [0] * len(centers)
    for row in x:
        sizes[nearest(row, centers)] += 1
    centers = [c for c, size in zip(centers, sizes) if size >= min_size]
    groups = [[j] for j in range(len(centers))]
    while len(groups) > k:
        _, a, b = min((np.mean([np.linalg.norm(centers[i] - centers[j]) for i in one
                                for j in other]), a, b)
                      for a, one in enumerate(groups) for b, other in enumerate(groups[:a]))
        groups[b] += groups.pop(a)
    group = {j: g for g, members in enumerate(groups) for j in members}
    return [group[nearest(row, centers)] for row in x]


def test_bclust_of_r_from_its_centres():
    fit = ready(STORED["centers"], 5).fit(X)
    assert sc.rand_index(fit.labels_, STORED["cluster"]) == 1
    assert len(set(fit.labels_)) == 3
    np.testing.assert_allclose(fit.merges_[:, 2], STORED["height"], rtol=0, atol=1e-12)
    assert is_valid_linkage(fit.merges_)
    np.testing.assert_array_equal(fit.cluster_centers_, STORED["centers"])


@pytest.mark.parametrize("min_size", [0, 3])
def test_by_definition(min_size):
    rng = np.random.default_rng(1)
    for _ in range(10):
        x, centers = rng.normal(size=(40, 2)), rng.normal(size=(12, 2))
        fit = ready(centers, 4, min_size=min_size).fit(x)
        assert sc.rand_index(fit.labels_, naive_bagged_centers(x, centers, 3, min_size)) == 1


def test_trees_whose_heights_fall_are_cut_in_the_order_of_merges():
    rng = np.random.default_rng(2)
    falling = 0
    for _ in range(30):
        centers = rng.normal(size=(12, 2))
        fit = ready(centers, 4, linkage="centroid").fit(rng.normal(size=(20, 2)))
        groups = {j: [j] for j in range(12)}
        for t, (a, b, *_) in enumerate(fit.merges_[:12 - 3]):
            groups[12 + t] = groups.pop(int(a)) + groups.pop(int(b))
        expected = [next(g for g, members in groups.items() if j in members) for j in range(12)]
        assert sc.rand_index(fit.center_labels_, expected) == 1
        falling += (np.diff(fit.merges_[:, 2]) < 0).any()
    assert falling > 3


def test_draws_base_clusterings_and_new_objects():
    fit = sc.BaggedCenters(3, n_base=6, n_resamples=4, random_state=5).fit(X)
    again = sc.BaggedCenters(3, n_base=6, n_resamples=4, random_state=5, executor="joblib",
                             estimator=KMeans(n_init=1)).fit(X)
    np.testing.assert_array_equal(fit.cluster_centers_, again.cluster_centers_)
    np.testing.assert_array_equal(fit.labels_, again.labels_)
    assert fit.cluster_centers_.shape == (24, 4)
    np.testing.assert_array_equal(fit.predict(X), fit.labels_)
    assert fit.n_resamples_ == 4
    # six centres of a resample are the means of their clusters: near those of k-means with 6
    assert sc.adjusted_rand_index(fit.labels_, load_iris().labels) > 0.5
    frame = pd.DataFrame(X, index=[f"i{k}" for k in range(150)])
    named = sc.BaggedCenters(3, n_base=6, n_resamples=2, random_state=0).fit(frame)
    assert named.clustering_.object_names[:2] == ("i0", "i1")


def test_ctrl_c_keeps_what_is_finished():
    class Stopped(Ready):
        def fit(self, x):
            if not Ready.blocks:
                raise KeyboardInterrupt
            return super().fit(x)

    Ready.blocks = [np.array(STORED["centers"][:5]), np.array(STORED["centers"][5:10])]
    with pytest.warns(sc.IncompleteWarning, match="after 2 of 7 resamples"):
        fit = sc.BaggedCenters(3, estimator=Stopped(), n_base=5, n_resamples=7).fit(X)
    assert (fit.n_resamples_, len(fit.cluster_centers_)) == (2, 10)


@pytest.mark.parametrize(("options", "message"), [
    ({"n_clusters": 0}, "n_clusters is 0"), ({"n_base": 151}, "n_base is 151 for n_samples=150"),
    ({"n_resamples": 0}, "n_resamples is 0"), ({"min_size": -1}, "min_size is -1"),
    ({"linkage": "best"}, "linkage='best' is not known"),
    ({"n_clusters": 9, "n_base": 2, "n_resamples": 2}, "4 centres are left for n_clusters=9"),
    ({"estimator": AgglomerativeClustering()}, "AgglomerativeClustering has no cluster_centers_")])
def test_wrong_options(options, message):
    with pytest.raises(ValueError, match=message):
        sc.BaggedCenters(**{"n_clusters": 3, "n_resamples": 2, **options}).fit(X)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_check_estimator():
    check_estimator(sc.BaggedCenters(2, n_base=3, n_resamples=2), on_skip=None)


def test_a_sample_with_few_distinct_objects_has_as_many_centres():
    x = np.random.default_rng(0).normal(size=(30, 2))
    fit = sc.BaggedCenters(2, n_resamples=4, random_state=0).fit(x)   # warnings are errors here
    distinct = [len(np.unique(rows)) for rows in (
        Streams(0).generator(b).integers(30, size=30) for b in range(4))]
    assert min(distinct) < 20
    assert len(fit.cluster_centers_) == sum(min(20, count) for count in distinct)
