"""Labels, matrices, estimators and objects of other packages to the clustering that they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ROW_SUM_TOLERANCE, ClusteringError
from ._base import Clustering
from .arrays import (
    NORMALIZE_ROWS,
    ROUNDED,
    SINGLE_TOLERANCE,
    dense,
    divided_by_row_sums,
    float_matrix,
    frame_names,
    is_single_precision,
    number_array,
)
from .cover import CoverClustering
from .evidential import EvidentialClustering
from .fuzzy import FuzzyClustering
from .hard import HardClustering
from .possibilistic import PossibilisticClustering
from .rough import RoughClustering

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: types of labels
_PLAIN = frozenset({int, str, bool, float})
#: kinds of uncertain single membership
KINDS = ("hard", "rough", "fuzzy", "possibilistic", "evidential")
ALL_KINDS = (*KINDS, "cover")
#: entry points of this group are named after the top-level module of the types they convert
CONVERTER_GROUP = "softclust.converters"
#: types of these packages are never looked up there
_KNOWN_PACKAGES = frozenset({"builtins", "collections", "numpy", "pandas", "polars", "pyarrow",
                             "scipy", "sklearn", "softclust"})
WAYS = {
    "hard": "harden()", "rough": "to_rough()", "fuzzy": "to_fuzzy()",
    "possibilistic": "to_possibilistic()", "evidential": "to_evidential()",
    "cover": "to_cover()",
}


#: tables of other packages by the names of their types, and what of them is a clustering
_FOREIGN = {
    "AnnData": 'the column of its obs that holds the labels, such as adata.obs["leiden"]',
    "DuckDBPyRelation": "a column of labels, such as relation.fetchnumpy()[name] after an ORDER "
                        "BY, or ContingencyTable.from_frame(relation.df()) of a GROUP BY with its "
                        "counts",
}


def read_foreign(obj: Any, entry: EntryPoint, kind: str | None, X: Any, by_rows: bool
                 ) -> Clustering:
    """The clustering that an installed package makes of `obj`."""
    refuse_data(X, obj)
    return _as_it_is(_from_converter(obj, kind, entry), kind, by_rows)


def read(obj: Any, kind: str | None = None, X: Any = None, by_rows: bool = False) -> Clustering:
    """The clustering that `obj`, of no foreign type, is, as `as_clustering` without policies.

    `by_rows`: the rows of a matrix are divided by their sums.
    """
    if isinstance(obj, Clustering):
        refuse_data(X, obj)
        return _as_it_is(obj, kind, by_rows)
    if type(obj) is list and X is None:
        types = set(map(type, obj))
        if types == {list}:
            return _from_matrix(obj, kind, by_rows)
        if kind is None and not by_rows and types <= _PLAIN:
            return HardClustering(obj)
    elif type(obj) is np.ndarray and obj.ndim == 1 and X is kind is None and not by_rows:
        return HardClustering(obj)
    if is_estimator(obj):
        return of_kind(_from_estimator(obj, X, by_rows), kind)
    refuse_data(X, obj)
    if isinstance(obj, Mapping):
        return _as_it_is(_from_mapping(obj), kind, by_rows)
    if is_list_of_sets(obj):
        return _as_it_is(_from_sets(obj, kind), kind, by_rows)
    dimensions = dimensions_of(obj)
    if dimensions == 1:
        if kind not in (None, "hard"):
            raise ClusteringError(f"one-dimensional labels are a hard clustering, not {kind}: "
                                  f"as_clustering(labels).{WAYS[kind]} converts, a matrix "
                                  "(objects, clusters) can be given instead")
        return _as_it_is(HardClustering(obj), kind, by_rows)
    return _from_matrix(obj, kind, by_rows)


def _as_it_is(clustering: Clustering, kind: str | None, by_rows: bool) -> Clustering:
    if by_rows:
        raise ClusteringError(f'normalize="rows" divides the rows of a matrix and this is a '
                              f"{clustering.kind} clustering; leave it out")
    return of_kind(clustering, kind)


def of_kind(clustering: Clustering, kind: str | None) -> Clustering:
    if kind is None or clustering.kind == kind:
        return clustering
    raise ClusteringError(f"this is a {clustering.kind} clustering and kind={kind!r} was asked; "
                          f"kind converts nothing{_way(clustering.kind, kind)}")


def _way(given: str, kind: str) -> str:
    """How to make another kind, as messages say it."""
    if kind == "cover":
        return {"hard": ": .to_cover() does",
                "rough": ": CoverClustering(x.upper) makes a cover of the possible clusters",
                "evidential": ": no rule makes a cover of masses"}.get(
                    given, ": .to_cover(threshold=...) does")
    if given == "cover":
        return (': .to_fuzzy(rule="shares") does' if kind == "fuzzy" else
                ': a cover has .to_fuzzy(rule="shares") and .patterns() alone')
    return f": .{WAYS[kind]} does, by a named rule"


def _from_sets(sets: Any, kind: str | None) -> Clustering:
    """A partition where the sets are disjoint, else a cover."""
    several = sum(map(len, sets)) > len(frozenset().union(*sets))
    if kind == "cover" or (kind is None and several):
        return CoverClustering.from_clusters(sets)
    return HardClustering.from_clusters(sets)


def refuse_data(X: Any, obj: Any) -> None:
    if X is not None:
        raise ClusteringError("X is the data for predict_proba of an estimator; leave it out "
                              f"with a {type(obj).__name__}")


# -- matrices ---------------------------------------------------------------------------------
def _from_matrix(obj: Any, kind: str | None, by_rows: bool = False) -> Clustering:
    if kind == "hard":
        raise ClusteringError("kind='hard' takes one-dimensional labels and this is a matrix; "
                              "as_clustering(matrix, kind=...) with its own kind, then "
                              ".harden(), makes labels by a named rule")
    if kind == "cover" and not by_rows:
        return CoverClustering(obj)
    matrix = dense(obj, "the matrix")
    if by_rows:
        return _of_divided_rows(matrix, kind)
    if kind is None:
        kind = _guess(number_array(matrix, "the matrix"), is_single_precision(matrix))
    if kind == "rough":
        return RoughClustering.from_upper(matrix)
    if kind == "fuzzy":
        return FuzzyClustering(matrix)
    if kind == "possibilistic":
        return PossibilisticClustering(matrix)
    return _from_power_set(matrix)


def _of_divided_rows(matrix: Any, kind: str | None) -> Clustering:
    """Memberships or masses of rows that are divided by their sums."""
    if kind not in (None, "fuzzy", "evidential"):
        raise ClusteringError(f'normalize="rows" is for memberships and masses, not for {kind} '
                              "clusterings; leave it out")
    if kind is None and number_array(matrix, "the matrix").dtype.kind != "f":
        raise ClusteringError('normalize="rows" of a matrix of whole numbers may be meant for '
                              'memberships or masses; say kind="fuzzy" or kind="evidential"')
    rows = divided_by_row_sums(float_matrix(matrix, "the matrix"), "the matrix")
    index, columns = frame_names(matrix)
    if kind == "evidential":
        return _from_power_set(rows, index)
    return FuzzyClustering(rows, object_names=index, cluster_names=columns)


def _guess(matrix: np.ndarray, single: bool) -> str:
    """Fuzzy where rows sum to 1, whatever the type of the entries; else an error with the kinds."""
    if matrix.dtype.kind in "biu":
        if _is_one_hot(matrix):
            return "fuzzy"
        if matrix.dtype.kind == "b":
            raise ClusteringError(_several_readings(matrix))
        binary = bool(((matrix == 0) | (matrix == 1)).all())
        what = "0/1 entries" if binary else "integers"
        raise ClusteringError(
            f"a matrix of {what} (shape {matrix.shape}) may be several things; say "
            'kind="rough" for the clusters possible for each object, '
            + ('kind="cover" for clusters that each object belongs to, ' if binary else "")
            + 'kind="fuzzy", "possibilistic" or "evidential" for memberships, typicalities or '
            "masses; labels must be one-dimensional")
    sums = matrix.sum(axis=1, dtype=np.float64)
    errors = np.abs(sums - 1.0)
    tolerance = SINGLE_TOLERANCE if single else ROW_SUM_TOLERANCE
    wrong = np.flatnonzero(errors > tolerance)   # a nan is for the constructor to name
    if wrong.size:
        i = int(wrong[0])
        rounded = f"if these are rounded memberships, {NORMALIZE_ROWS}; else "
        raise ClusteringError(
            f"row {i} of the matrix sums to {sums[i]:.12g}, so these are not fuzzy memberships "
            f"(each row sums to 1, within {'1e-6' if single else '1e-8'}); "
            f"{rounded if errors.max() <= ROUNDED else ''}use "
            'kind="possibilistic" for typicalities, "rough" for 0/1 entries, "evidential" for '
            'masses, or "fuzzy" for details on memberships')
    return "fuzzy"


def _is_one_hot(matrix: np.ndarray) -> bool:
    """One 1 in every row and 0 elsewhere; a single column of whole numbers is labels."""
    return (matrix.shape[1] > 1 and bool(((matrix == 0) | (matrix == 1)).all())
            and bool((matrix.sum(axis=1) == 1).all()))


def _several_readings(matrix: np.ndarray) -> str:
    if matrix.shape[1] == 1:
        return ("a boolean matrix with one column may be labels, which must be one-dimensional; "
                'else say kind="rough", "cover" or "fuzzy"')
    counts = matrix.sum(axis=1)
    i = int(np.flatnonzero(counts != 1)[0])
    return (f"row {i} of the boolean matrix has {counts[i] or 'no'} True, which may mean two "
            'things; say kind="rough" when each object belongs to one of these clusters and which '
            'is not known, kind="cover" when it belongs to all of them')


def _from_power_set(matrix: Any, names: Any = None) -> EvidentialClustering:
    columns = matrix.shape[1] if hasattr(matrix, "shape") else len(matrix[0])
    n_clusters = int(columns).bit_length() - 1
    if n_clusters < 1 or columns != 1 << n_clusters:
        raise ClusteringError(
            f"a matrix with {columns} columns does not list the masses of all 2**c sets of "
            "clusters; EvidentialClustering(mass, focal_sets) takes any sets")
    bits = np.arange(columns)[:, None] >> np.arange(n_clusters)
    if names is None:
        names = frame_names(matrix)[0]
    values = matrix if hasattr(matrix, "dtype") else _plain(matrix)
    return EvidentialClustering(values, bits & 1, object_names=names)


def _plain(matrix: Any) -> np.ndarray:
    """A frame as an array, in single precision when its numbers are."""
    array = np.asarray(matrix)
    return array.astype(np.float32) if is_single_precision(matrix) else array


def _from_mapping(labels: Mapping[Any, Any]) -> HardClustering:
    if not labels:
        raise ClusteringError("the mapping is empty; an object and its label is the least")
    if any(isinstance(v, (list, set, frozenset, dict, np.ndarray)) for v in labels.values()):
        raise ClusteringError(
            "this mapping has collections as values; a mapping from each object to its label is "
            "needed: HardClustering.from_clusters takes one from clusters to their objects, "
            "CoverClustering.from_clusters the same where clusters overlap, "
            "EvidentialClustering.from_dicts one from sets of clusters to masses for each object")
    return HardClustering(list(labels.values()), object_names=list(labels))


def is_list_of_sets(obj: Any) -> bool:
    return (isinstance(obj, (list, tuple)) and len(obj) > 0
            and all(isinstance(v, (set, frozenset)) for v in obj))


def dimensions_of(obj: Any) -> int:
    """1 for labels, 2 for a matrix; an error for everything else."""
    shape = getattr(obj, "shape", None)
    if (way := _FOREIGN.get(type(obj).__name__)) is not None:
        raise ClusteringError(f"an object of type {type(obj).__name__} is not a clustering; give "
                              f"{way}")
    if isinstance(shape, tuple):
        rank = len(shape)
    elif isinstance(obj, Sequence) and not isinstance(obj, (str, bytes)):
        rank = _list_rank(obj)
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


def _list_rank(values: Sequence[Any]) -> int:
    types = set(map(type, values))
    if any(issubclass(t, Clustering) for t in types):
        raise ClusteringError("this is a list of clusterings; one clustering is needed: pick one "
                              "of them, such as clusterings[0]")
    return 2 if any(map(_is_row_type, types)) else 1


def _is_row_type(kind: type) -> bool:
    if issubclass(kind, (str, bytes, np.generic)):
        return False
    return issubclass(kind, Sequence) or hasattr(kind, "__array__")


# -- estimators -------------------------------------------------------------------------------
def is_estimator(obj: Any) -> bool:
    """Whether `obj` can be fitted, or has been: something with `labels_`."""
    fits = callable(getattr(obj, "fit", None)) or hasattr(obj, "labels_")
    return fits and not hasattr(obj, "__array__")


def _from_estimator(estimator: Any, X: Any, by_rows: bool = False) -> Clustering:
    what = type(estimator).__name__
    if isinstance(estimator, type):
        raise ClusteringError(f"{estimator.__name__} is a class; give an instance fitted to data")
    found = getattr(estimator, "clustering_", None)
    if isinstance(found, Clustering):
        if X is not None:
            raise ClusteringError(f"the fitted {what} has a clustering_ already; leave out X (for "
                                  "other data its methods for new objects serve)")
        return found
    if not _is_fitted(estimator):
        raise ClusteringError(f"this {what} is not fitted; call fit(X) first")
    if X is not None:
        if not hasattr(estimator, "predict_proba"):
            raise ClusteringError(f"the fitted {what} has no predict_proba, so X serves nothing; "
                                  "leave it out to take labels_, or give predict(X)")
        given = estimator.predict_proba(X)
        if by_rows:
            given = divided_by_row_sums(float_matrix(given, "predict_proba(X)"), "predict_proba(X)")
        return FuzzyClustering(given, object_names=frame_names(X)[0],
                               cluster_names=getattr(estimator, "classes_", None))
    if by_rows:
        raise ClusteringError('normalize="rows" divides the rows of predict_proba(X); give X')
    if hasattr(estimator, "labels_"):
        return HardClustering(estimator.labels_)
    if hasattr(estimator, "predict_proba"):
        raise ClusteringError(f"a {what} keeps no labels_; as_clustering(estimator, X=X) takes "
                              "predict_proba(X) as a fuzzy clustering, predict(X) gives labels")
    if hasattr(estimator, "steps"):
        raise ClusteringError(f"a {what} keeps no labels_; give its last step: estimator[-1]")
    raise ClusteringError(f"the fitted {what} has no clustering_, labels_ or predict_proba; give "
                          "its labels or memberships as an array")


def _is_fitted(estimator: Any) -> bool:
    """The rule of scikit-learn: fitting leaves attributes that end in an underscore."""
    if hasattr(estimator, "__sklearn_is_fitted__"):
        return bool(estimator.__sklearn_is_fitted__())
    names = getattr(estimator, "__dict__", {})
    return any(v.endswith("_") and not v.startswith("__") for v in names)


# -- other packages ---------------------------------------------------------------------------
def converter_of(obj: Any) -> EntryPoint | None:
    """The entry point for the package that defines the type of `obj`, or None."""
    package = type(obj).__module__.partition(".")[0]
    if package in _KNOWN_PACKAGES:
        return None
    from importlib.metadata import entry_points
    return next(iter(entry_points(group=CONVERTER_GROUP, name=package)), None)


def _from_converter(obj: Any, kind: str | None, entry: EntryPoint) -> Clustering:
    import inspect
    convert = entry.load()
    takes_kind = "kind" in inspect.signature(convert).parameters
    result = convert(obj, kind=kind) if takes_kind else convert(obj)
    if not isinstance(result, Clustering):
        raise TypeError(f"the converter {entry.value} returned a {type(result).__name__}; a "
                        "Clustering is needed")
    return result
