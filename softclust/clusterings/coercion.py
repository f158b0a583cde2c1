"""`as_clustering`: labels, matrices, estimators and R objects converted to a clustering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from .._checks import ROW_SUM_TOLERANCE, ClusteringError, check_choice
from ..results.frames import columns_of
from ._base import Clustering
from ._clusters import read_labels
from ._matrices import read_matrix, read_rows
from ._policies import check_policy
from .arrays import (
    NUMBERED,
    Keys,
    checked_names,
    divided_by_row_sums,
    float_matrix,
    frame_names,
    on_host,
)
from .cover import CoverClustering
from .fuzzy import FuzzyClustering
from .hard import HardClustering
from .labels import known_labels
from .neighbours import PARTS, is_list_of_sets, is_series_of_sets, listed, of_neighbour
from .sides import NOISE_LABELS, WAYS, Asked, Side

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from .._types import ArrayLike, ClusteringLike, Kind, Missing, NoiseKept

__all__ = ["CONVERTER_GROUP", "as_clustering"]

#: types of labels
_PLAIN = frozenset({int, str, bool, float})
ALL_KINDS = ("hard", "rough", "fuzzy", "possibilistic", "evidential", "cover")
#: entry points of this group are named after the top-level module of the types they convert
CONVERTER_GROUP = "softclust.converters"
#: packages whose types are never looked up there
_KNOWN_PACKAGES = frozenset({"builtins", "collections", "numpy", "pandas", "polars", "pyarrow",
                             "scipy", "sklearn", "softclust"})
#: labels of scikit-learn's HDBSCAN for rows with infinities, and for rows with missing values
INFINITE, NOT_GIVEN = -2, -3


if TYPE_CHECKING:
    class AnyKind(Clustering):
        """A clustering whose kind only the data say, with the attributes of that kind."""

        codes: Any
        labels: Any
        sizes: Any
        membership: Any
        typicality: Any
        lower: Any
        upper: Any
        mass: Any
        focal_sets: Any
        clusters: Any
        multiplicity: Any
        uncovered: Any
        overlaps: Any
        patterns: Any
else:
    AnyKind = Clustering


def as_clustering(obj: ClusteringLike, kind: Kind | None = None, *, X: ArrayLike | None = None,
                  name: str | None = None, noise: NoiseKept | None = None, noise_label: Any = -1,
                  missing: Missing = "raise", normalize: Literal["rows"] | None = None
                  ) -> AnyKind:
    """Make a clustering of labels, memberships, a fitted estimator or other objects.

    Parameters
    ----------
    obj : clustering-like
        - a clustering: returned as it is;
        - 1-D labels (integers, strings, booleans, categoricals; lists, numpy, pandas, arrow):
          hard. Whole floats count as integers, as in scikit-learn. -1 is a label like any
          other: the noise of DBSCAN becomes a cluster unless `noise` says otherwise;
        - a mapping from objects to labels: hard, its keys are the names of the objects; keys 0 to
          n - 1 are put in order;
        - a list of sets of objects, such as the communities of networkx: hard where they are
          disjoint, else a cover; communities of igraph and cdlib;
        - a Series of sets, which are the labels of each object: a cover, as by
          `CoverClustering.from_labels`, which also takes lists and mappings;
        - 2-D matrix (n, c) whose rows sum to 1 within 1e-8: fuzzy, whatever the type of its
          entries; so is a one-hot matrix of booleans or integers, such as of ``get_dummies``
          (`FuzzyClustering.harden` makes labels of it). Rows in single precision may be off by
          1e-6 and are divided by their sums. Other matrices need `kind`: of 0/1 entries "rough"
          (belongs to one of these clusters) or "cover" (belongs to all of them);
        - a fitted estimator: its ``clustering_``; with `X` its ``predict_proba(X)``; else its
          ``labels_``;
        - a result of Python's evclust: evidential;
        - an R object (through ``r_bridge``), or any type for which an installed package offers
          a converter.
    kind : {"hard", "rough", "fuzzy", "possibilistic", "evidential", "cover"}, optional
        The kind of `obj`, where it cannot be inferred. "cover" takes a 0/1 matrix or a list
        of sets, "evidential" an (n, 2**c) matrix of masses on all sets of c clusters, in bit mask
        order: column b is the set of the clusters k with bit k of b set, column 0 the empty set;
        other focal sets: ``EvidentialClustering(mass, focal_sets)``. Nothing is converted from
        one kind to another.
    X : array-like, optional
        Data for ``predict_proba``, only with an estimator; its index gives the object names.
    name : str, optional
        Name of `obj` in error messages, for example "x".
    noise : {"cluster", "singletons", "unknown", "empty", "uncovered", "raise"}, optional
        How to treat noise: as one more cluster, as a cluster for each object, as objects of one
        unknown cluster (rough), as objects of no cluster (evidential, or with "uncovered" a cover),
        or as an error. If rows sum to less than 1, the rest is the probability of noise: "cluster"
        puts it into a last column named "noise" (fuzzy), "empty" and "unknown" assign it to the
        empty set and to the set of all clusters (evidential). For a fitted HDBSCAN with
        ``kind="fuzzy"`` or "evidential" the rest is 1 - ``probabilities_``, which measures how
        weakly an object belongs to its cluster and is not a probability of noise; hdbscan's
        membership vectors are matrices whose maximum may be elsewhere.
    noise_label : label or set of labels
        Label or labels that mean noise; the default -1 also means the text "-1".
    missing : {"raise", "cluster", "singletons", "unknown", "uncovered", "drop"}
        What to do with missing labels (None, nan, NA) and rows that hold a nan. To leave objects
        out of several clusterings, use `align`; with `kind` for a matrix "drop" makes them absent
        here: the others keep their names, or numbers, for ``objects="common"``.
    normalize : {"rows"}, optional
        Divide each row of memberships (or of masses, with ``kind="evidential"``) by its sum, for
        numbers that were rounded.

    Returns
    -------
    Clustering
        Of the given or inferred kind; its arrays are copies.

    Raises
    ------
    ClusteringError
        If `obj` is none of the above, could be of several kinds, or is not valid for its kind.

    See Also
    --------
    align, as_dendrogram, contingency_table

    Notes
    -----
    Time and memory O(n) for labels, O(n c) for matrices. Sparse matrices of scipy are made dense up
    to 2 GiB; those of covers stay sparse.

    Examples
    --------
    >>> import softclust
    >>> softclust.as_clustering(["a", "b", "a"])
    HardClustering(n_objects=3, n_clusters=2)
    >>> softclust.as_clustering([[0.9, 0.1], [0.4, 0.6]]).kind
    'fuzzy'
    >>> softclust.as_clustering([[0.9, 0.1], [0.4, 0.2]], kind="possibilistic").kind
    'possibilistic'
    """
    plain = kind is X is normalize is noise is None and missing == "raise"
    if plain and isinstance(obj, Clustering):
        return cast("AnyKind", obj)
    try:
        if plain and ((type(obj) is list and _PLAIN.issuperset(map(type, obj)))
                      or (type(obj) is np.ndarray and obj.ndim == 1)):
            return cast("AnyKind", HardClustering(obj))
        if (plain and type(obj) is np.ndarray and obj.ndim == 2 and obj.dtype == np.float64
                and obj.size):
            with np.errstate(invalid="ignore", over="ignore"):   # its class names what is infinite
                sums_to_one = abs(obj.sum(axis=1) - 1.0) <= ROW_SUM_TOLERANCE
            if sums_to_one.all():
                return cast("AnyKind", FuzzyClustering(obj))
        if kind is not None:
            check_choice("kind", kind, ALL_KINDS)
        if normalize is not None:
            check_choice("normalize", normalize, ["rows"])
        asked = Asked(kind=kind, X=X, by_rows=normalize is not None, noise=noise,
                      noise_label=noise_label, missing=missing)
        if noise is None and missing == "raise":
            result = read(obj, asked)
            return cast("AnyKind", result.whole() if isinstance(result, Side) else result)
        check_policy("noise", noise or "cluster")
        check_policy("missing", missing)
        if missing == "drop" != noise and kind not in (None, "hard"):
            side = _as_side(read(obj, asked), asked)
            names = range(side.n) if side.names is None else side.names
            kept = np.arange(side.n) if side.missing is None else np.flatnonzero(~side.missing)
            if not kept.size:
                raise ClusteringError(f"all {side.n} objects are missing; nothing is left")
            return cast("AnyKind", side.take(kept).renamed(
                side.naming if side.missing is None else [names[i] for i in kept.tolist()]))
        if "drop" in (noise, missing):
            raise ClusteringError('"drop" leaves objects out, of every clustering that they are '
                                  "compared in: align(x, y, noise=..., missing=...) does it")
        if asked.by_rows and noise is not None:
            raise ClusteringError('normalize="rows" and noise exclude each other: what rows lack '
                                  "to a sum of 1 is either rounding or noise")
        return cast("AnyKind", _as_side(read(obj, asked), asked).whole())
    except ClusteringError as error:
        if name is None:
            raise
        raise type(error)(f"{name}: {error}") from None


def read_side(obj: Any, asked: Asked, name: str) -> Side:
    """Read input before noise and missing labels are treated; errors begin with its name."""
    try:
        result = read(obj, asked)
    except ClusteringError as error:
        raise type(error)(f"{name}: {error}") from None
    return _as_side(result, asked)


def _as_side(result: Clustering | Side, asked: Asked) -> Side:
    return result if isinstance(result, Side) else asked.of_clustering(result)


def read(obj: Any, asked: Asked) -> Clustering | Side:
    """Read `obj` as a clustering; as a `Side` where some of its objects are noise or missing."""
    if is_estimator(obj):
        return _of_estimator(obj, asked)
    if asked.X is not None:
        raise ClusteringError("X is the data for predict_proba of an estimator; leave it out "
                              f"with a {type(obj).__name__}")
    if isinstance(obj, Clustering):
        return asked.checked(obj)
    obj = on_host(listed(obj))
    if asked.kind in (None, "hard") and getattr(obj, "shape", ())[1:] == (1,) and (
            columns := columns_of(obj)):
        obj = columns[0][1]   # a frame with one column is labels
    if is_series_of_sets(obj):
        return _of_label_sets(obj, asked)
    if is_list_of_sets(obj):
        # a partition where the sets are disjoint, else a cover
        several = sum(map(len, obj)) > len(frozenset().union(*obj))
        covers = asked.kind == "cover" or (asked.kind is None and several)
        return asked.checked((CoverClustering if covers else HardClustering).from_clusters(obj))
    if (entry := converter_of(obj)) is not None:
        return asked.checked(_converted(obj, asked.kind, entry))
    if (neighbour := of_neighbour(obj)) is not None:
        return asked.checked(neighbour)
    if isinstance(obj, Mapping):
        return _of_mapping(obj, asked)
    return _of_labels(obj, asked) if dimensions_of(obj) == 1 else read_matrix(obj, asked)


# -- labels -----------------------------------------------------------------------------------
def _of_labels(labels: Any, asked: Asked, names: tuple[Any, ...] | None = None
               ) -> Clustering | Side:
    if asked.kind not in (None, "hard"):
        raise ClusteringError(f"one-dimensional labels are a hard clustering, not {asked.kind}: "
                              f"as_clustering(labels).{WAYS[asked.kind]} converts, a matrix "
                              "(objects, clusters) can be given instead")
    # The constructor reports missing labels as well.
    mask, known = (None, labels) if asked.missing == "raise" else known_labels(labels)
    if mask is None:
        return asked.checked(HardClustering(labels, object_names=names))
    naming = frame_names(labels)[0] if names is None else names
    if naming is not NUMBERED:
        naming = checked_names(naming, mask.shape[0], "object")
    return asked.of_hard(None if mask.all() else HardClustering(known), naming, mask)


def _of_mapping(labels: Mapping[Any, Any], asked: Asked) -> Clustering | Side:
    """Labels by object; in the order of the keys if these are 0, ..., n - 1."""
    if not labels:
        raise ClusteringError("the mapping is empty; at least one object with its label is needed")
    if any(isinstance(v, (list, set, frozenset, dict, np.ndarray)) for v in labels.values()):
        raise ClusteringError(
            "this mapping has collections as values; a mapping from each object to its label is "
            "needed: CoverClustering.from_labels takes one from objects to sets of labels, "
            "HardClustering.from_clusters one from clusters to their objects, "
            "CoverClustering.from_clusters the same where clusters overlap, "
            "EvidentialClustering.from_dicts one from sets of clusters to masses for each object")
    n = len(labels)
    if set(map(type, labels)) <= {int} and all(i in labels for i in range(n)):
        labels = {i: labels[i] for i in range(n)}
    return _of_labels(list(labels.values()), asked, Keys(labels))


def _of_label_sets(sets: Any, asked: Asked) -> Side:
    """A cover from a Series with the labels of each object; missing sets as the policy says."""
    if asked.kind not in (None, "cover"):
        raise ClusteringError(f"a Series of sets is a cover, not {asked.kind}")
    known, missing, names = read_labels(sets, None, None)
    if names is not None and names is not NUMBERED:
        names = checked_names(names, missing.shape[0], "object")
    return asked.side(n=missing.shape[0], base=CoverClustering._of_labels(known, None),
                      naming=names, missing=missing)


def dimensions_of(obj: Any) -> int:
    """1 for labels, 2 for a matrix; an error for everything else."""
    shape = getattr(obj, "shape", None)
    if (way := PARTS.get(type(obj).__name__)) is not None:
        raise ClusteringError(f"an object of type {type(obj).__name__} is not a clustering; give "
                              f"{way}")
    if isinstance(shape, tuple):
        rank = len(shape)
    elif isinstance(obj, Sequence) and not isinstance(obj, (str, bytes)):
        types = set(map(type, obj))
        if any(issubclass(t, Clustering) for t in types):
            raise ClusteringError("this is a list of clusterings; one clustering is needed: pick "
                                  "one of them, such as clusterings[0]")
        rows = any((issubclass(t, Sequence) or hasattr(t, "__array__"))
                   and not issubclass(t, (str, bytes, np.generic)) for t in types)
        rank = 2 if rows else 1
    elif hasattr(obj, "__array__") and not isinstance(obj, type):
        rank = np.ndim(obj)
    else:
        what = (f"the class {obj.__name__}" if isinstance(obj, type)
                else f"an object of type {type(obj).__name__}")
        raise ClusteringError(
            f"{what} is not a clustering; give one label per object (1-D), a matrix (objects, "
            "clusters), a fitted estimator, or one of HardClustering, RoughClustering, "
            "FuzzyClustering, PossibilisticClustering, CoverClustering, EvidentialClustering (its "
            "from_dicts takes dictionaries)")
    if rank not in (1, 2):
        raise ClusteringError(f"an array with {rank} dimensions is not a clustering; "
                              "labels have one, matrices (objects, clusters) two")
    return rank


# -- estimators -------------------------------------------------------------------------------
def is_estimator(obj: Any) -> bool:
    """Test whether `obj` can be fitted or was fitted, as one with `labels_`."""
    fits = callable(getattr(obj, "fit", None)) or hasattr(obj, "labels_")
    return fits and not hasattr(obj, "__array__")


def finds_noise(obj: Any) -> bool:
    """Test whether `obj` is a fitted estimator with noise, which scikit-learn labels -1."""
    if isinstance(obj, (Clustering, type)) or not hasattr(obj, "fit"):
        return False
    labels = np.asarray(getattr(obj, "labels_", ()))
    ready = isinstance(getattr(obj, "clustering_", None), Clustering)
    return not ready and labels.dtype.kind == "i" and bool((labels == -1).any())


def _of_estimator(estimator: Any, asked: Asked) -> Clustering | Side:
    """The clustering of a fitted estimator: `clustering_`, `predict_proba(X)` or `labels_`."""
    what = type(estimator).__name__
    if isinstance(estimator, type):
        raise ClusteringError(f"{estimator.__name__} is a class; give an instance fitted to data")
    clustering = getattr(estimator, "clustering_", None)
    if isinstance(clustering, Clustering):
        if asked.X is not None:
            raise ClusteringError(f"the fitted {what} has a clustering_ already; leave out X (for "
                                  "other data use its methods for new objects)")
        return asked.checked(clustering)
    labels = getattr(estimator, "labels_", None)
    if labels is None or asked.X is not None:
        # the rule of scikit-learn: fitting leaves attributes that end in an underscore
        fitted = (estimator.__sklearn_is_fitted__() if hasattr(estimator, "__sklearn_is_fitted__")
                  else any(v.endswith("_") and not v.startswith("__")
                           for v in getattr(estimator, "__dict__", {})))
        if not fitted:
            raise ClusteringError(f"this {what} is not fitted; call fit(X) first")
    if asked.X is not None:
        return _probabilities(estimator, asked)
    if labels is not None:
        return _of_estimated_labels(estimator, np.asarray(labels), asked)
    if asked.by_rows:
        raise ClusteringError('normalize="rows" divides the rows of predict_proba(X); give X')
    if hasattr(estimator, "predict_proba"):
        raise ClusteringError(f"a {what} has no labels_; as_clustering(estimator, X=X) takes "
                              "predict_proba(X) as a fuzzy clustering, predict(X) gives labels")
    if hasattr(estimator, "steps"):
        raise ClusteringError(f"a {what} has no labels_; give its last step: estimator[-1]")
    raise ClusteringError(f"the fitted {what} has no clustering_, labels_ or predict_proba; give "
                          "its labels or memberships as an array")


def _probabilities(estimator: Any, asked: Asked) -> Clustering:
    if not hasattr(estimator, "predict_proba"):
        raise ClusteringError(f"the fitted {type(estimator).__name__} has no predict_proba, so X "
                              "has no use; leave it out to take labels_, or give predict(X)")
    membership = estimator.predict_proba(asked.X)
    if asked.by_rows:
        membership = divided_by_row_sums(float_matrix(membership, "predict_proba(X)"),
                                         "predict_proba(X)")
    return replace(asked, by_rows=False).checked(FuzzyClustering(
        membership, object_names=frame_names(asked.X)[0],
        cluster_names=getattr(estimator, "classes_", None)))


def _of_estimated_labels(estimator: Any, codes: np.ndarray, asked: Asked) -> Clustering | Side:
    missing, kind = np.zeros(codes.shape[0], dtype=np.bool_), type(estimator)
    if kind.__name__ == "HDBSCAN" and kind.__module__.startswith("sklearn.") and (
            hasattr(estimator, "probabilities_")):
        # labels -2 and -3 have a meaning in scikit-learn's HDBSCAN
        missing = codes == NOT_GIVEN
        if asked.noise_labels is NOISE_LABELS:
            # Rows with infinities are noise as well; one cluster of noise has one label.
            codes = np.where(codes == INFINITE, -1, codes)
    if asked.kind in ("fuzzy", "evidential") and hasattr(estimator, "probabilities_"):
        return _of_strengths(codes, missing, np.asarray(estimator.probabilities_, np.float64),
                             asked)
    replace(asked, by_rows=False).checked(HardClustering([0]))   # labels are hard
    if asked.by_rows:
        raise ClusteringError('normalize="rows" divides the rows of predict_proba(X); give X')
    if not missing.any():
        return HardClustering(codes)
    return asked.of_hard(None if missing.all() else HardClustering(codes[~missing]), None, missing)


def _of_strengths(codes: np.ndarray, missing: np.ndarray, strength: np.ndarray,
                  asked: Asked) -> Side:
    """Strength p_i on the label of each object, 1 - p_i on noise."""
    if strength.shape != codes.shape:
        raise ClusteringError(f"probabilities_ has shape {strength.shape} for {codes.shape[0]} "
                              "labels_; one number for each is needed")
    missing = missing | np.isnan(strength)
    outside = np.isin(codes, np.array(asked.noise_labels, dtype=object)) | missing
    wrong = ~outside & ~((strength >= 0.0) & (strength <= 1.0))
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        raise ClusteringError(f"probabilities_[{i}] is {strength[i]}; numbers in [0, 1] are needed")
    if outside.all():
        raise ClusteringError("no cluster was found: every object is noise or missing, so there "
                              f"is no {asked.kind} clustering; the labels are "
                              "as_clustering(estimator)")
    base = HardClustering(codes[~outside])
    rows = np.zeros((codes.shape[0], base.n_clusters))
    rows[np.flatnonzero(~outside), base.labels] = strength[~outside]
    rows[missing] = np.nan
    if asked.noise is None:
        raise ClusteringError(
            f"choose a rule for 1 - probabilities_ in a {asked.kind} clustering: "
            + ('noise="cluster" makes a column of it' if asked.kind == "fuzzy" else
               'noise="empty" gives it to the empty set, "unknown" to the set of all clusters'))
    return read_rows(rows, asked, names=base.cluster_names)


# -- other packages ---------------------------------------------------------------------------
def converter_of(obj: Any) -> EntryPoint | None:
    """The entry point for the package that defines the type of `obj`, or None."""
    package = type(obj).__module__.partition(".")[0]
    if package in _KNOWN_PACKAGES:
        return None
    from importlib.metadata import entry_points
    return next(iter(entry_points(group=CONVERTER_GROUP, name=package)), None)


def _converted(obj: Any, kind: str | None, entry: EntryPoint) -> Clustering:
    import inspect
    convert = entry.load()
    takes_kind = "kind" in inspect.signature(convert).parameters
    result = convert(obj, kind=kind) if takes_kind else convert(obj)
    if not isinstance(result, Clustering):
        raise TypeError(f"the converter {entry.value} returned a {type(result).__name__}; a "
                        "Clustering is needed")
    return result
