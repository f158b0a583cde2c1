"""One replicate of any clusterer: draw, fit, rename the clusters like the base clustering's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from .. import _kernels
from .._checks import ClusteringError
from ..cluster.batched_kmeans import batched_kmeans
from ..clusterings import FuzzyClustering
from ..statistics.matching import match_columns, method_code, n_choices
from ._draws import PROPER, Scheme, draw_one
from ._kmeans_votes import Ready, nearest_shares
from ._replicates import Streams
from .prior import sample_from


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """A replicate's votes, its clusters renamed like the base clusters.

    Attributes
    ----------
    objects, labels : (v,) int64
        Votes: object and cluster.
    membership : (n, K) float64, or None
        Soft votes of all objects in their place.
    cluster : (k,) int64
        Base cluster of each cluster of the replicate; numbers from the number of base clusters
        on stand for clusters that were left over.
    n_clusters : int
        Columns that the votes need.
    tied : int
        1 when several matchings were equally good.
    centers : (K, d) float64, or None
        Aligned centres (own k-means).
    estimator : (fit, codes (k,), cluster (k,)), or None
        The fit with its own labels and their base clusters, when it is to be kept.
    """

    objects: np.ndarray
    labels: np.ndarray
    membership: np.ndarray | None
    cluster: np.ndarray
    n_clusters: int
    tied: int
    centers: np.ndarray | None
    estimator: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class FitReplicate:
    """The task of a replicate; picklable. Fields as in `KMeansVotes`.

    Attributes
    ----------
    estimator : clusterer, or None for the own k-means
    n_clusters : int or None
        Set as the clusterer's parameter where it has one.
    n_base : int
        Base clusters.
    matching : str
    keep : bool
        Whether the fit comes back.
    """

    estimator: Any
    n_clusters: int | None
    n_base: int
    scheme: Scheme
    streams: Streams
    sampler: Any
    ready: Ready | None
    x: np.ndarray
    base_labels: np.ndarray
    weighted: bool
    overlap: str
    voting: str
    matching: str
    n_init: int
    max_iter: int
    keep: bool

    def part(self, start: int, stop: int) -> FitReplicate:
        """What replicates `start` to `stop` - 1 need of this."""
        return self if self.ready is None else replace(self, ready=self.ready.rows(start, stop))

    def __call__(self, b: int) -> Aligned:
        state = self.streams.states(b, b + 1)[0]
        source, points, weights = self._draw(b, state)
        taken = source >= 0
        sample = self.x[np.where(taken, source, 0)]
        if points.shape[0]:
            sample[~taken] = points[~taken]
        uniforms = np.empty(2 + self.n_base)
        fit: Any
        if self.estimator is None:
            starts = np.empty(self.n_init * self.n_base)
            _kernels.random.fill_uniforms(state, starts)
            fit = _KMeans(starts.reshape(1, self.n_init, self.n_base), self.max_iter)
            _kernels.random.fill_uniforms(state, uniforms[1:])
        else:
            _kernels.random.fill_uniforms(state, uniforms)
            fit = prepared(self.estimator, self.n_clusters, int(uniforms[0] * 2**31))
        labels = fitted_labels(fit, sample, weights * weights.size if self.weighted else None)
        return self._align(fit, source, labels, uniforms[1:])

    def _draw(self, b: int, state: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        source, points, weights = draw_one(self.scheme, state)
        if self.ready is not None:
            rows = self.ready.rows(b, b + 1)
            return rows.source[0], rows.points[0], rows.weights[0]
        if self.scheme.code == PROPER and self.scheme.prior is None and (source < 0).any():
            points = sample_from(self.sampler, self.scheme.m, self.scheme.d,
                                 self.streams.generator(b))
        return source, points, weights

    def _align(self, fit: Any, source: np.ndarray, labels: np.ndarray, uniforms: np.ndarray
               ) -> Aligned:
        soft = everyone(fit, self.x) if self.voting == "all" else None
        if isinstance(soft, FuzzyClustering):
            return self._align_soft(fit, soft, uniforms)
        if soft is not None:
            objects, values = np.arange(self.x.shape[0]), soft
            over, given = objects, values
        else:
            drawn = source >= 0
            objects, values = source[drawn], labels[drawn]
            over, given = objects, values
            first = np.unique(objects, return_index=True)[1]
            if self.voting == "once":
                objects, values = objects[first], values[first]
            if self.overlap == "once":
                over, given = over[first], given[first]
        codes = np.unique(np.concatenate([values, given]))
        _check_labels(codes)
        table = np.zeros((self.n_base, codes.size), dtype=np.int64)
        np.add.at(table, (self.base_labels[over], np.searchsorted(codes, given)), 1)
        cluster, tied = self._match(table, uniforms)
        aligned = cluster[np.searchsorted(codes, values)]
        return self._result(fit, objects, aligned, None, cluster, codes, tied)

    def _align_soft(self, fit: Any, soft: FuzzyClustering, uniforms: np.ndarray) -> Aligned:
        u = soft.membership
        table = np.array([u[self.base_labels == k].sum(axis=0) for k in range(self.n_base)])
        cluster, tied = self._match(table, uniforms)
        membership = np.zeros((u.shape[0], max(self.n_base, int(cluster.max()) + 1)))
        membership[:, cluster] = u
        nothing = np.empty(0, dtype=np.int64)
        return self._result(fit, nothing, nothing, membership, cluster, np.arange(u.shape[1]),
                            tied)

    def _match(self, table: np.ndarray, uniforms: np.ndarray) -> tuple[np.ndarray, int]:
        """Base cluster of each column, and whether several matchings are equally good."""
        rows, columns = table.shape
        if not columns:
            return np.empty(0, dtype=np.int64), 0
        code = method_code(self.matching, "remaining")
        of_row, found = match_columns(table, code, uniforms[:n_choices(code, rows, columns)])
        cluster = np.full(columns, -1, dtype=np.int64)
        matched = np.flatnonzero(of_row >= 0)
        cluster[of_row[matched]] = matched
        cluster[cluster < 0] = rows + np.arange(int((cluster < 0).sum()))
        return cluster, int(found is not None and found > 1)

    def _result(self, fit: Any, objects: np.ndarray, labels: np.ndarray,
                membership: np.ndarray | None, cluster: np.ndarray, codes: np.ndarray, tied: int
                ) -> Aligned:
        centers = None
        if isinstance(fit, _KMeans):
            # Clusters that nobody of the voters belongs to have no name of their own yet.
            names = np.full(self.n_base, -1)
            names[codes] = cluster
            names[names < 0] = np.setdiff1d(np.arange(self.n_base), cluster)
            centers = np.empty_like(fit.centers_)
            centers[names] = fit.centers_
        most = self.n_base if not cluster.size else max(self.n_base, int(cluster.max()) + 1)
        return Aligned(objects=objects, labels=labels, membership=membership, cluster=cluster,
                       n_clusters=most, tied=tied, centers=centers,
                       estimator=(fit, codes, cluster) if self.keep and centers is None else None)


class _KMeans:
    """The batched k-means as a clusterer of one data set."""

    def __init__(self, uniforms: np.ndarray, max_iter: int) -> None:
        self.uniforms, self.max_iter = uniforms, max_iter

    def fit(self, X: np.ndarray, sample_weight: np.ndarray | None = None) -> _KMeans:
        """Fit; labels of points of weight 0 are those of the nearest centre."""
        fit = batched_kmeans(X, weights=sample_weight, uniforms=self.uniforms,
                             max_iter=self.max_iter)
        self.centers_ = fit.centers[0]
        self.labels_ = self.predict(X)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Nearest centre, the lowest on ties."""
        return np.asarray(nearest_shares(X, self.centers_[None]).argmax(axis=1))


# -- clusterers -----------------------------------------------------------------------------
def needs(estimator: Any, *, weights: bool, everyone: bool) -> None:
    """Raise when the clusterer cannot do what the options ask for."""
    name = type(estimator).__name__
    if isinstance(estimator, type):
        raise TypeError(f"estimator is the class {estimator.__name__}; an instance is needed, such "
                        f"as {estimator.__name__}()")
    if not callable(getattr(estimator, "fit", None)):
        raise TypeError(f"estimator is a {name} without fit; a scikit-learn clusterer is needed")
    if weights and not has_fit_parameter(estimator, "sample_weight"):
        raise ClusteringError(f"{name}.fit takes no sample_weight, which the weights of the draws "
                              "need; set weighted=False, or choose another scheme or clusterer")
    if everyone and not (hasattr(estimator, "assign") or hasattr(estimator, "predict")):
        raise ClusteringError(f"{name} has no predict, which votes='all' needs for objects that "
                              "were not drawn; set votes='once' or 'draws'")


def prepared(estimator: Any, n_clusters: int | None, seed: int) -> Any:
    """A copy of the clusterer with its random_state, and number of clusters, set."""
    copy = clone(estimator)
    params = copy.get_params(deep=True)
    chosen: dict[str, Any] = {name: seed for name in params
                              if name == "random_state" or name.endswith("__random_state")}
    if n_clusters is not None:
        for name in ("n_clusters", "n_components"):
            if name in params:
                chosen[name] = n_clusters
                break
    return copy.set_params(**chosen)


def fitted_labels(estimator: Any, x: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Labels of the rows of x after a fit to them."""
    options = {} if weights is None else {"sample_weight": weights}
    estimator.fit(x, **options)
    labels = getattr(estimator, "labels_", None)
    if labels is None:
        if not callable(getattr(estimator, "predict", None)):
            raise ClusteringError(f"{type(estimator).__name__} has no labels_ after fit and no "
                                  "predict; one of them is needed")
        labels = estimator.predict(x)
    labels = np.asarray(labels)
    if labels.shape != (x.shape[0],):
        raise ClusteringError(f"{type(estimator).__name__} gave labels of shape {labels.shape} "
                              f"for {x.shape[0]} objects")
    return labels


def fit_base(estimator: Any, x: np.ndarray, n_clusters: int | None, rng: np.random.Generator
             ) -> tuple[np.ndarray, np.ndarray]:
    """Labels 0, ..., K - 1 and centres of the clusterer on all objects."""
    fit = prepared(estimator, n_clusters, int(rng.integers(2**31)))
    try:
        found = fitted_labels(fit, x, None)
    except Exception as error:
        error.add_note("raised by the base clustering of all objects, which no replicate can "
                       "replace; fit(X, base=labels) takes a ready one")
        raise
    codes, labels = np.unique(found, return_inverse=True)
    _check_labels(codes)
    centers: Any = getattr(fit, "cluster_centers_", None)
    if (np.shape(centers) != (codes.size, x.shape[1])
            or not np.array_equal(codes, np.arange(codes.size))):
        centers = [x[labels == k].mean(axis=0) for k in range(codes.size)]
    return labels.astype(np.int64), np.array(centers, dtype=np.float64)


def _check_labels(codes: np.ndarray) -> None:
    if codes.dtype.kind not in "iu" or (codes.size and codes[0] < 0):
        raise ClusteringError(f"the clusterer's labels are {codes[:5].tolist()}, ...; whole "
                              "numbers >= 0 are needed (-1 marks noise, which belongs to no "
                              "cluster)")


def everyone(fit: Any, x: np.ndarray) -> Any:
    """A fuzzy clustering of all objects by the fit, or their labels."""
    if hasattr(fit, "assign"):
        given = fit.assign(x)
        if isinstance(given, FuzzyClustering):
            return given
    return np.asarray(fit.predict(x))


def shares_of_estimators(x: np.ndarray, kept: list[Any], n_clusters: int) -> np.ndarray:
    """Mean aligned vote of kept fits for new objects, (m, n_clusters)."""
    votes = np.zeros((x.shape[0], n_clusters))
    rows = np.arange(x.shape[0])
    for fit, codes, cluster in kept:
        given = everyone(fit, x)
        if isinstance(given, FuzzyClustering):
            votes[:, cluster] += given.membership
            continue
        place = np.minimum(np.searchsorted(codes, given), codes.size - 1)
        known = codes[place] == given
        if not known.all():
            raise ClusteringError(f"a replicate predicts the label {given[~known][0]!r}, which "
                                  "none of its voters had")
        votes[rows, cluster[place]] += 1
    return votes / len(kept)
