"""Clusterers of any kind: which engine fits them, copies with seeds, labels, votes for others."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from .._checks import ClusteringError
from ..clusterings import FuzzyClustering, HardClustering

#: label of an object in no cluster
NOISE = -1
#: what scikit-learn's KMeans has at most for the tolerance that the engine's fits keep: they
#: iterate until no label changes
_KMEANS_TOL = 1e-4
#: starts where KMeans leaves their number open (n_init="auto")
_KMEANS_STARTS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Clusterer:
    """What is fitted to every sample.

    Attributes
    ----------
    estimator : clusterer, or None for the compiled k-means
    n_clusters : int or None
        To be set in the estimator; None leaves it its own number.
    init, n_init, max_iter
        Of the compiled k-means.
    """

    estimator: Any
    n_clusters: int | None
    init: str
    n_init: int
    max_iter: int

    @classmethod
    def of(cls, owner: Any, inits: tuple[str, ...]) -> Clusterer:
        """That of a resampling estimator; `inits` are the starts its engine knows."""
        n_clusters, given = owner.n_clusters, owner.estimator
        if given is None and hasattr(n_clusters, "fit"):   # BaggedClustering(KMeans(10))
            n_clusters, given = None, n_clusters
        _check_one_number(n_clusters, given)
        if given is not None and (owner.keep_estimators or not _compiled(given, inits)):
            return cls(estimator=given, n_clusters=n_clusters, init="k-means++",
                       n_init=owner.n_init, max_iter=owner.max_iter)
        if given is None:
            return cls(estimator=None, n_clusters=2 if n_clusters is None else n_clusters,
                       init=getattr(owner, "init", "k-means++"), n_init=owner.n_init,
                       max_iter=owner.max_iter)
        starts = _KMEANS_STARTS if given.n_init == "auto" else given.n_init
        return cls(estimator=None, init=given.init, n_init=starts, max_iter=given.max_iter,
                   n_clusters=given.n_clusters if n_clusters is None else n_clusters)

    @property
    def own_number(self) -> int | None:
        """The number of clusters: as asked for, or that of the estimator if it has one."""
        if self.n_clusters is not None or isinstance(self.estimator, type):
            return self.n_clusters
        name = counted(self.estimator)
        found = None if name is None else self.estimator.get_params(deep=False)[name]
        return int(found) if isinstance(found, (int, np.integer)) else None


def _check_one_number(n_clusters: Any, estimator: Any) -> None:
    """Raise where the clusterer was given another number of clusters.

    One that has its class's default may have got none.
    """
    if n_clusters is None or not hasattr(estimator, "get_params") or isinstance(estimator, type):
        return
    name = counted(estimator)
    if name is None:
        return
    own = estimator.get_params(deep=False)[name]
    default = signature(type(estimator).__init__).parameters[name].default
    if own != default and own is not None and own != n_clusters:
        raise ClusteringError(f"n_clusters is {n_clusters} and the estimator's {name} is {own}; "
                              "give the number once, or the same twice")


def _compiled(estimator: Any, inits: tuple[str, ...]) -> bool:
    """Whether the compiled k-means stands for this clusterer."""
    if not type(estimator).__module__.startswith("sklearn.cluster."):
        return False
    from sklearn.cluster import KMeans
    return (type(estimator) is KMeans and isinstance(estimator.init, str)
            and estimator.init in inits and estimator.tol <= _KMEANS_TOL
            and estimator.algorithm in ("lloyd", "elkan") and not estimator.verbose)


def counted(estimator: Any) -> str | None:
    """The parameter that is the number of clusters, if there is one."""
    names = estimator.get_params(deep=False)
    return next((name for name in ("n_clusters", "n_components") if name in names), None)


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
    chosen: dict[str, Any] = {name: seed for name in copy.get_params(deep=True)
                              if name == "random_state" or name.endswith("__random_state")}
    name = counted(copy)
    if n_clusters is not None and name is not None:
        chosen[name] = n_clusters
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


def fit_base(estimator: Any, x: np.ndarray, n_clusters: int | None, rng: np.random.Generator,
             drops_noise: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Labels 0, ..., K - 1, -1 for noise, and centres of the clusterer on all objects."""
    fit = prepared(estimator, n_clusters, int(rng.integers(2**31)))
    try:
        found = fitted_labels(fit, x, None)
    except Exception as error:
        error.add_note("raised by the base clustering of all objects, which no replicate can "
                       "replace; fit(X, base=labels) takes a ready one")
        raise
    codes, labels = np.unique(found, return_inverse=True)
    if drops_noise and codes.dtype.kind == "i" and codes[0] == NOISE:
        codes, labels = codes[1:], labels - 1
        if not codes.size:
            raise ClusteringError(f"{type(estimator).__name__} finds noise alone in X; choose "
                                  "parameters by which it finds clusters")
    check_labels(codes)
    centers: Any = getattr(fit, "cluster_centers_", None)
    if (np.shape(centers) != (codes.size, x.shape[1])
            or not np.array_equal(codes, np.arange(codes.size))):
        centers = [x[labels == k].mean(axis=0) for k in range(codes.size)]
    return labels.astype(np.int64), np.array(centers, dtype=np.float64)


def check_labels(codes: np.ndarray) -> None:
    if codes.dtype.kind not in "iu" or (codes.size and codes[0] < 0):
        raise ClusteringError(f"the clusterer's labels are {codes[:5].tolist()}, ...; whole "
                              "numbers >= 0 are needed (-1 marks noise, which belongs to no "
                              "cluster: BaggedClustering(noise='drop') lets it cast no vote)")


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


def complete(fit: Any, x: np.ndarray, labels: np.ndarray, left: np.ndarray, c: int) -> np.ndarray:
    """`labels` with the objects `left` assigned; memberships where the clusterer gives them."""
    if hasattr(fit, "assign"):
        found = fit.assign(x[left])
        if isinstance(found, FuzzyClustering):
            membership = np.zeros((labels.size, c))
            known = np.flatnonzero(labels >= 0)
            membership[known, labels[known]] = 1.0
            membership[left, :found.n_clusters] = found.membership
            return membership
        if isinstance(found, HardClustering):
            labels[left] = checked_labels(found.labels, c)
            return labels
    labels[left] = checked_labels(fit.predict(x[left]), c)
    return labels


def checked_labels(labels: Any, c: int) -> np.ndarray:
    """Labels of a fit as int32 in 0, ..., c - 1."""
    codes = np.asarray(labels)
    if codes.dtype.kind not in "iu":
        raise ClusteringError(f"the clusterer gave labels of type {codes.dtype}; whole numbers "
                              f"from 0 to n_clusters - 1 = {c - 1} are needed")
    if codes.size and not 0 <= codes.min() <= codes.max() < c:
        raise ClusteringError(f"the clusterer gave labels from {codes.min()} to {codes.max()}; "
                              f"whole numbers from 0 to n_clusters - 1 = {c - 1} are needed")
    return codes.astype(np.int32)
