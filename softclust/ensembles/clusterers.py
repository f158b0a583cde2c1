"""Clusterers of any kind: which engine fits them, copies with seeds, labels, their replicates."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import isfunction, signature
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ..clusterings import FuzzyClustering, HardClustering
from ..clusterings.object_table import ObjectTable, are_numeric, as_given, finite_rows, fresh
from ..tables.counting import cross_counts
from ..tables.matching import match_columns, method_code, n_choices
from .schemes import Drawing

#: label of an object in no cluster
NOISE = -1
#: what scikit-learn's KMeans has at most for the tolerance that the engine's fits keep: they
#: iterate until no label changes
_KMEANS_TOL = 1e-4
#: starts where KMeans leaves their number open (n_init="auto")
_KMEANS_STARTS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Clusterer:
    """The clusterer that is fitted to every sample.

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
        """The clusterer of a resampling estimator; `inits` are the starts its engine supports."""
        n_clusters, estimator = owner.n_clusters, owner.estimator
        if estimator is None and hasattr(n_clusters, "fit"):   # BaggedClustering(KMeans(10))
            n_clusters, estimator = None, n_clusters
        if n_clusters is not None and hasattr(estimator, "get_params") and (
                not isinstance(estimator, type)) and (name := counted(estimator)) is not None:
            # A clusterer that has its class's default may have got no number.
            number = estimator.get_params()[name]
            parameters = signature(type(last_step(estimator)).__init__).parameters
            default = parameters[name.rpartition("__")[2]].default
            if number not in (default, None, n_clusters):
                raise ClusteringError(f"n_clusters is {n_clusters} and the estimator's {name} is "
                                      f"{number}; give the number once, or the same twice")
        if estimator is not None and (owner.keep_estimators
                                      or not compiled_kmeans(estimator, inits)):
            return cls(estimator=estimator, n_clusters=n_clusters, init="k-means++",
                       n_init=owner.n_init, max_iter=owner.max_iter)
        if estimator is None:
            return cls(estimator=None, n_clusters=2 if n_clusters is None else n_clusters,
                       init=getattr(owner, "init", "k-means++"), n_init=owner.n_init,
                       max_iter=owner.max_iter)
        starts = _KMEANS_STARTS if estimator.n_init == "auto" else estimator.n_init
        return cls(estimator=None, init=estimator.init, n_init=starts, max_iter=estimator.max_iter,
                   n_clusters=estimator.n_clusters if n_clusters is None else n_clusters)

    @property
    def number(self) -> int | None:
        """The number of clusters: as asked for, or that of the estimator if it has one."""
        if self.n_clusters is not None or isinstance(self.estimator, type):
            return self.n_clusters
        name = counted(self.estimator)
        number = None if name is None else self.estimator.get_params()[name]
        return int(number) if isinstance(number, (int, np.integer)) else None


def compiled_kmeans(estimator: Any, inits: tuple[str, ...]) -> bool:
    """Return True if the compiled k-means replaces this clusterer."""
    if not type(estimator).__module__.startswith("sklearn.cluster."):
        return False
    from sklearn.cluster import KMeans
    return (type(estimator) is KMeans and isinstance(estimator.init, str)
            and estimator.init in inits and estimator.tol <= _KMEANS_TOL
            and estimator.algorithm in ("lloyd", "elkan") and not estimator.verbose)


def last_step(estimator: Any) -> Any:
    """The clusterer at the end of a Pipeline; `estimator` itself if it is not one."""
    steps = getattr(estimator, "steps", None)
    return steps[-1][1] if steps else estimator


def counted(estimator: Any) -> str | None:
    """The parameter that is the number of clusters, if there is one; of a Pipeline's last step."""
    last = last_step(estimator)
    names = last.get_params(deep=False) if hasattr(last, "get_params") else ()
    step = "" if last is estimator else f"{estimator.steps[-1][0]}__"
    return next((f"{step}{name}" for name in ("n_clusters", "n_components") if name in names), None)


def check_instance(estimator: Any, also: str = "") -> None:
    """Raise for a class, and for what cannot be fitted; `also` says what else may be given."""
    if isinstance(estimator, type):
        raise TypeError(f"estimator is the class {estimator.__name__}; an instance is needed, such "
                        f"as {estimator.__name__}()")
    for method in ("fit", "get_params"):
        if not callable(getattr(estimator, method, None)):
            what = ("is a function" if isfunction(estimator) else
                    f"is a {type(estimator).__name__} without {method}")
            raise TypeError(f"estimator {what}; a scikit-learn clusterer{also} is needed, such as "
                            "a class derived from sklearn.base.BaseEstimator whose fit(X) sets "
                            "labels_")


def check_clusterer(estimator: Any, *arguments: str, also: str = "") -> None:
    """Raise for what is neither a clusterer nor a function of these arguments.

    A function may take the keyword `also`, or not.
    """
    if isinstance(estimator, type) or hasattr(estimator, "fit") or not callable(estimator):
        check_instance(estimator, also=" or a function of the data that returns labels")
        return
    call = f"({', '.join(arguments)})"
    try:
        takes = signature(estimator)
        takes.bind(*arguments, **({also: None} if also in takes.parameters else {}))
    except ValueError:   # compiled functions may have no signature
        return
    except TypeError:
        raise TypeError(f"estimator is a function of {takes}; here it is called with {call} and "
                        "returns labels") from None


def needs(estimator: Any, *, weights: bool, everyone: bool) -> None:
    """Raise when the clusterer cannot do what the options ask for."""
    from sklearn.utils.validation import has_fit_parameter
    check_instance(estimator)
    name = type(estimator).__name__
    if weights and not has_fit_parameter(estimator, "sample_weight"):
        raise ClusteringError(f"{name}.fit takes no sample_weight, which the weights of the draws "
                              "need; set weighted=False, or choose another scheme or clusterer")
    if everyone and not (hasattr(estimator, "assign") or hasattr(estimator, "predict")):
        raise ClusteringError(f"{name} has no predict, which votes='all' needs for objects that "
                              "were not drawn; set votes='once' or 'draws'")


def prepared(estimator: Any, n_clusters: int | None, seed: int) -> Any:
    """A copy of the clusterer with its random_state, and number of clusters, set."""
    from sklearn.base import clone
    copy = clone(estimator)
    chosen: dict[str, Any] = {name: seed for name in copy.get_params(deep=True)
                              if name == "random_state" or name.endswith("__random_state")}
    name = counted(copy)
    if n_clusters is not None and name is not None:
        chosen[name] = n_clusters
    return copy.set_params(**chosen)


def fitted_labels(estimator: Any, x: Any, weights: np.ndarray | None) -> np.ndarray:
    """Labels of the rows of x after a fit to them; the clusterer may change its copy of x."""
    options = {} if weights is None else {"sample_weight": weights}
    estimator.fit(fresh(x), **options)
    labels = getattr(estimator, "labels_", None)
    if labels is None:
        if not callable(getattr(estimator, "predict", None)):
            raise ClusteringError(f"{type(estimator).__name__} has no labels_ after fit and no "
                                  "predict; one of them is needed")
        labels = estimator.predict(fresh(x))
    labels = np.asarray(labels)
    if labels.shape != (x.shape[0],):
        raise ClusteringError(f"{type(estimator).__name__} gave labels of shape {labels.shape} "
                              f"for {x.shape[0]} objects")
    if labels.dtype.kind == "O":
        HardClustering(labels)   # its error says what is wrong with them
    return labels


def fit_base(estimator: Any, x: Any, n_clusters: int | None, rng: np.random.Generator,
             drops_noise: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Labels 0, ..., K - 1, -1 for noise, and centres of the clusterer on all objects."""
    fit = prepared(estimator, n_clusters, int(rng.integers(2**31)))
    try:
        labels = fitted_labels(fit, x, None)
    except Exception as error:
        error.add_note("raised by the base clustering of all objects, which no replicate can "
                       "replace; fit(X, base=labels) takes a ready one")
        raise
    codes, labels = np.unique(labels, return_inverse=True)
    if drops_noise and codes.dtype.kind == "i" and codes[0] == NOISE:
        codes, labels = codes[1:], labels - 1
        if not codes.size:
            raise ClusteringError(f"{type(estimator).__name__} finds noise alone in X; choose "
                                  "parameters by which it finds clusters")
    check_labels(codes)
    centers: Any = getattr(fit, "cluster_centers_", None)
    if (np.shape(centers) != (codes.size, x.shape[1])
            or not np.array_equal(codes, np.arange(codes.size))):
        centers = means_of(x, labels, codes.size)
    return labels.astype(np.int64), np.array(centers, dtype=np.float64)


def means_of(x: Any, labels: np.ndarray, count: int) -> np.ndarray:
    """Means of clusters 0, ..., count - 1, (count, d); nan where objects are not numbers."""
    if not are_numeric(x):
        return np.full((count, x.shape[1]), np.nan)
    points = finite_rows(x)
    return np.array([points[labels == k].mean(axis=0) for k in range(count)])


def check_labels(codes: np.ndarray) -> None:
    if codes.dtype.kind not in "iu" or (codes.size and codes[0] < 0):
        raise ClusteringError(f"the clusterer's labels are {codes[:5].tolist()}, ...; whole "
                              "numbers from 0 to 2**63 - 1 are needed (-1 marks noise, which "
                              "belongs to no cluster: BaggedClustering(noise='drop') lets it cast "
                              "no vote)")


def everyone(fit: Any, x: Any) -> Any:
    """A fuzzy clustering of all objects by the fit, or their labels."""
    if hasattr(fit, "assign"):
        assigned = fit.assign(fresh(x))
        if isinstance(assigned, FuzzyClustering):
            return assigned
    return np.asarray(fit.predict(fresh(x)))


def shares_of_estimators(x: Any, fits: list[Any], n_clusters: int) -> np.ndarray:
    """Mean aligned vote of fits for new objects, (m, n_clusters)."""
    votes = np.zeros((x.shape[0], n_clusters))
    rows = np.arange(x.shape[0])
    for fit, codes, cluster in fits:
        labels = everyone(fit, x)
        if isinstance(labels, FuzzyClustering):
            votes[:, cluster] += labels.membership
            continue
        place = np.minimum(np.searchsorted(codes, labels), codes.size - 1)
        known = codes[place] == labels
        if not known.all():
            raise ClusteringError(f"a replicate predicts the label {labels[~known][0]!r}, which "
                                  "none of its voters had")
        votes[rows, cluster[place]] += 1
    return votes / len(fits)


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


# -- replicates of a clusterer ------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class ClustererReplicate(Drawing):
    """One replicate of any clusterer: a sample, the fit of a copy, and what it says of the objects.

    The random numbers of a replicate come from one stream: the sample, one seed, then ties.

    Attributes
    ----------
    estimator : clusterer
    n_clusters : int or None
    weighted : bool
        Whether the weights of the draws count.
    keep : bool
        Whether the fit comes back.
    """

    estimator: Any
    n_clusters: int | None
    weighted: bool
    keep: bool

    def __call__(self, b: int) -> Any:
        rng, source, points, weights = self.draw(b)
        drawn = source >= 0
        rows = self.x[np.where(drawn, source, 0)]
        if not drawn.all():
            values = finite_rows(rows)
            values[~drawn] = points[~drawn]
            rows = self.x.like(values) if isinstance(self.x, ObjectTable) else values
        fit = prepared(self.estimator, self.n_clusters, int(rng.integers(2**31)))
        labels = fitted_labels(fit, rows, weights * weights.size if self.weighted else None)
        return self.votes(fit, source, labels, rng)

    def votes(self, fit: Any, source: np.ndarray, labels: np.ndarray, rng: np.random.Generator
              ) -> Any:
        """The votes to count; row t of the sample is object source[t], -1 for none."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedVotes:
    """A replicate's votes, its clusters renamed like the base clusters.

    Attributes
    ----------
    objects, labels : (v,) int64
        Votes: object and cluster.
    silent : (w,) int64
        Objects that were to vote and are noise.
    membership : (n, K) float64, or None
        Soft votes of all objects in their place.
    n_clusters : int
        Columns that the votes need.
    tied : int
        1 when several matchings were equally good.
    estimator : (fit, codes (k,), cluster (k,)), or None
        The fit with its own labels and their base clusters, when it is to be kept.
    """

    objects: np.ndarray
    labels: np.ndarray
    silent: np.ndarray
    membership: np.ndarray | None
    n_clusters: int
    tied: int
    estimator: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class BaggedReplicate(ClustererReplicate):
    """Renames clusters for the largest overlap with a base clustering; see `BaggedClustering`.

    Attributes
    ----------
    base_labels : (n,) int64
    n_base : int
        Base clusters.
    overlap, voting : str
        Which votes count in the overlap and in the result.
    matching : str
    drops_noise : bool
        Whether objects labelled -1 cast no vote; they are an error otherwise.
    """

    base_labels: np.ndarray
    n_base: int
    overlap: str
    voting: str
    matching: str
    drops_noise: bool

    def votes(self, fit: Any, source: np.ndarray, labels: np.ndarray, rng: np.random.Generator
              ) -> AlignedVotes:
        uniforms = rng.random(1 + self.n_base)
        nobody = np.empty(0, dtype=np.int64)
        soft = everyone(fit, self.x) if self.voting == "all" else None
        if isinstance(soft, FuzzyClustering):
            u = soft.membership
            table = np.array([u[self.base_labels == k].sum(axis=0) for k in range(self.n_base)])
            return self._aligned(fit, table, np.arange(u.shape[1]), uniforms, nobody, nobody,
                                 nobody, u)
        if soft is not None:
            objects, values = np.arange(self.x.shape[0]), soft
            over, classes = objects, values
        else:
            objects, values = source[source >= 0], labels[source >= 0]
            over, classes = objects, values
            first = np.unique(objects, return_index=True)[1]
            if self.voting == "once":
                objects, values = objects[first], values[first]
            if self.overlap == "once":
                over, classes = over[first], classes[first]
        silent = nobody
        if self.drops_noise:
            silent = objects[values == NOISE]
            objects, values = objects[values != NOISE], values[values != NOISE]
            # Noise of the base clustering is in no cluster that could overlap.
            both = (classes != NOISE) & (self.base_labels[over] != NOISE)
            over, classes = over[both], classes[both]
        codes = np.unique(np.concatenate([values, classes]))
        check_labels(codes)
        table = cross_counts(self.base_labels[over], np.searchsorted(codes, classes), self.n_base,
                             codes.size)
        return self._aligned(fit, table, codes, uniforms, objects, np.searchsorted(codes, values),
                             silent)

    def _aligned(self, fit: Any, table: np.ndarray, codes: np.ndarray, uniforms: np.ndarray,
                 objects: np.ndarray, labels: np.ndarray, silent: np.ndarray,
                 soft: np.ndarray | None = None) -> AlignedVotes:
        """Votes with the columns of the table matched to base clusters; those left over follow."""
        rows, columns = table.shape
        cluster, optima = np.full(columns, -1, dtype=np.int64), None
        if columns:
            code = method_code(self.matching, "remaining")
            of_row, optima = match_columns(table, code, uniforms[:n_choices(code, rows, columns)])
            matched = np.flatnonzero(of_row >= 0)
            cluster[of_row[matched]] = matched
            cluster[cluster < 0] = rows + np.arange(int((cluster < 0).sum()))
        n_clusters = max(rows, int(cluster.max(initial=-1)) + 1)
        membership = None
        if soft is not None:
            membership = np.zeros((soft.shape[0], n_clusters))
            membership[:, cluster] = soft
        return AlignedVotes(
            objects=objects, labels=cluster[labels], silent=silent, membership=membership,
            n_clusters=n_clusters, tied=int(optima is not None and optima > 1),
            estimator=(fit, codes, cluster) if self.keep else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedVotes:
    """Labels (n,) int32, -1 for no vote, or memberships (n, c); numbers (n + c,) for ties of the
    majorities and the match; and the fit if it is kept."""

    votes: np.ndarray
    uniforms: np.ndarray
    estimator: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedReplicate(ClustererReplicate):
    """Labels of all objects under the fit's own names: they are matched with the votes of the
    replicates before, in their order; see `MultipleMatchClustering`."""

    n_clusters: int
    predict: bool

    def votes(self, fit: Any, source: np.ndarray, labels: np.ndarray, rng: np.random.Generator
              ) -> FittedVotes:
        c = self.n_clusters
        votes: np.ndarray = np.full(self.x.shape[0], -1, dtype=np.int32)
        objects, first = np.unique(source, return_index=True)
        votes[objects] = checked_labels(labels, c)[first]
        left = np.flatnonzero(votes < 0)
        if self.predict and left.size:
            assigned = fit.assign(as_given(self.x[left])) if hasattr(fit, "assign") else None
            if isinstance(assigned, FuzzyClustering):
                membership = np.zeros((votes.size, c))
                membership[objects, votes[objects]] = 1.0
                membership[left, :assigned.n_clusters] = assigned.membership
                votes = membership
            else:
                votes[left] = checked_labels(
                    assigned.labels if isinstance(assigned, HardClustering)
                    else fit.predict(as_given(self.x[left])), c)
        return FittedVotes(votes=votes, estimator=fit if self.keep else None,
                           uniforms=rng.random(self.x.shape[0] + c))
