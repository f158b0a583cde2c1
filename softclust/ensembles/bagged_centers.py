"""Bagged clustering by centres: centres of resamples joined by a hierarchical clustering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from .._checks import ClusteringError, check_choice, named_keywords
from .._types import RNG, ArrayLike, Estimator, Linkage, Workers
from ..cluster.checks import check_count, check_number, check_spread, count_distinct
from ..clusterings import HardClustering
from ..clusterings.object_table import validated
from ..clusterings.objects import named_after
from ..running.interrupts import keep_finished
from ..running.jobs import check_executor, run_jobs
from ..running.random_numbers import Streams
from ..running.threads import Progress
from ._pair_consensus import cut_merges
from .clusterers import prepared

_LINKAGES = ("average", "single", "complete", "weighted", "centroid", "median", "ward")


class BaggedCenters(ClusterMixin, BaseEstimator):
    """Bagged clustering of Leisch: centres of many resamples, joined by a hierarchical clustering.

    Parameters
    ----------
    n_clusters : int, default 8
        Number of clusters.
    estimator : clusterer with `cluster_centers_`, optional
        Base clusterer, by default scikit-learn's ``KMeans(n_init=1)``.
    n_base : int, default 20
        Number of clusters of the base clusterer, more than `n_clusters`; by default a sample with
        fewer distinct objects has as many as these.
    n_resamples : int, default 10
        Number of bootstrap samples.
    linkage : str, default "average"
        Of the hierarchical clustering of all centres by Euclidean distance: "average", "single",
        "complete", "weighted", "centroid", "median" or "ward".
    min_size : int, default 0
        Centres that are the nearest one of fewer objects are left out before they are joined.
    executor : None, "joblib" or executor, optional
        Where resamples are clustered.
    progress : bool or callable, default False
        Show a progress bar, or call with (done, total).
    random_state : None, int, Generator or RandomState
        Seed or generator of the samples and base clusterings.

    Attributes
    ----------
    cluster_centers_ : ndarray, shape (m, p)
        Centres of all resamples, except those left out by `min_size`.
    center_labels_ : ndarray, shape (m,)
        Cluster of each centre.
    labels_ : ndarray, shape (n,)
        Cluster of the nearest centre of each object.
    clustering_ : HardClustering
        `labels_` as a clustering.
    merges_ : ndarray, shape (m - 1, 4)
        The hierarchical clustering of the centres in SciPy's form.
    n_resamples_ : int
        Resamples that were clustered: fewer than `n_resamples` after Ctrl-C.

    Raises
    ------
    ClusteringError
        From `fit`: if a parameter is out of range, or fewer than `n_clusters` centres are
        left.

    Warns
    -----
    IncompleteWarning
        After Ctrl-C: the resamples that are finished are used.

    See Also
    --------
    BaggedClustering : counts votes for each object instead.

    Notes
    -----
    Clusters need not be convex: each is a union of the cells of some centres. Time is that of the
    base clusterings and O(m^2) for the m centres. R: ``e1071::bclust(x, centers, iter.base =
    n_resamples, base.centers = n_base, minsize = min_size)``.

    References
    ----------
    F. Leisch (1999), Bagged clustering, Working Paper 51, SFB "Adaptive Information Systems and
    Modeling in Economics and Management Science", Vienna.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> fit = softclust.BaggedCenters(3, random_state=0).fit(iris.data)
    >>> fit.cluster_centers_.shape, len(set(fit.labels_))
    ((200, 4), 3)
    """

    def __init__(self, n_clusters: int = 8, *, estimator: Estimator | None = None,
                 n_base: int = 20, n_resamples: int = 10, linkage: Linkage = "average",
                 min_size: int = 0, executor: Workers | None = None,
                 progress: Progress | bool | None = False, random_state: RNG = None) -> None:
        self.n_clusters = n_clusters
        self.estimator = estimator
        self.n_base = n_base
        self.n_resamples = n_resamples
        self.linkage = linkage
        self.min_size = min_size
        self.executor = executor
        self.progress = progress
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True   # made dense
        return tags

    @named_keywords
    def fit(self, X: ArrayLike, y: object = None) -> BaggedCenters:
        """Fit to the objects in the rows of X.

        Parameters
        ----------
        X : array-like, shape (n, p)
            Finite numbers.
        y : ignored

        Returns
        -------
        self
        """
        from scipy.cluster.hierarchy import linkage
        x = validated(self, X, reset=True)
        for name in ("n_clusters", "n_base", "n_resamples"):
            check_count(name, getattr(self, name))
        check_number("min_size", self.min_size, 0)
        check_choice("linkage", self.linkage, _LINKAGES)
        check_executor(self.executor)
        check_spread(x)
        if self.n_base > x.shape[0]:
            raise ClusteringError(f"n_base is {self.n_base} for n_samples={x.shape[0]}; at most as "
                                  "many as objects are possible")
        done: dict[int, np.ndarray] = {}
        task = _BaseFits(x=x, estimator=self.estimator, n_base=self.n_base,
                         streams=Streams(self.random_state, "random_state"))
        with keep_finished("resamples", self.n_resamples, lambda: len(done),
                           "fit again for all of them") as stop:
            run_jobs(task, range(self.n_resamples), done.__setitem__, executor=self.executor,
                     progress=self.progress, what="resamples")
        stop.warn()
        centers = np.concatenate(list(done.values()))
        centers = centers[np.bincount(_nearest(x, centers), minlength=len(centers))
                          >= self.min_size]
        if len(centers) < self.n_clusters:
            raise ClusteringError(f"{len(centers)} centres are left for n_clusters="
                                  f"{self.n_clusters}; a smaller min_size leaves more")
        self.n_resamples_ = len(done)
        self.cluster_centers_ = centers
        self.merges_ = linkage(centers, self.linkage) if len(centers) > 1 else np.zeros((0, 4))
        self.center_labels_ = cut_merges(self.merges_, self.n_clusters)
        self.labels_ = self.predict(X)
        self.clustering_ = named_after(HardClustering(self.labels_, n_clusters=self.n_clusters), X)
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels of new objects: the cluster of the nearest centre.

        Parameters
        ----------
        X : array-like, shape (m, p)

        Returns
        -------
        ndarray, shape (m,), int64
        """
        check_is_fitted(self)
        return self.center_labels_[_nearest(validated(self, X, reset=False),
                                            self.cluster_centers_)]


def _nearest(x: np.ndarray, centers: np.ndarray) -> np.ndarray:
    from scipy.spatial import KDTree
    return np.asarray(KDTree(centers).query(x)[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class _BaseFits:
    """The task of one resample: centres of a bootstrap sample."""

    x: np.ndarray
    estimator: Any
    n_base: int
    streams: Streams

    def __call__(self, b: int) -> np.ndarray:
        from sklearn.cluster import KMeans
        rng = self.streams.generator(b)
        sample = self.x[rng.integers(len(self.x), size=len(self.x))]
        count, estimator = self.n_base, self.estimator
        if estimator is None:   # of few objects a sample has fewer that differ
            count, estimator = min(count, count_distinct(sample, count)), KMeans(n_init=1)
        base = prepared(estimator, count, int(rng.integers(2**31))).fit(sample)
        centers = np.asarray(getattr(base, "cluster_centers_", None), dtype=np.float64)
        if centers.ndim != 2 or centers.shape[1] != self.x.shape[1]:
            raise ClusteringError(f"{type(base).__name__} has no cluster_centers_ after fit; a "
                                  "clusterer with centres is needed, such as KMeans")
        return centers
