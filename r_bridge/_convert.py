"""The only place that converts between Python and R, and the only one that shifts labels by 1.

Matrices travel as plain doubles; R's S3 objects are built and taken apart by R code. What has no
counterpart raises: nothing is dropped, rounded or guessed.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

import softclust as sc

from . import RConversionError, _r_code
from ._gate import Gate

if TYPE_CHECKING:
    from rpy2.rinterface_lib.sexp import Sexp

R_INTEGER_LIMIT = 2**31
EXACT_DOUBLE_LIMIT = 2**53

PYTHON_TYPES = ("numbers, strings, None, numpy arrays of bool, int or float, lists, dicts with "
                "string keys, clusterings, an Ensemble, a Dendrogram")


# -- Python to R --------------------------------------------------------------------------------
def to_sexp(gate: Gate, value: Any) -> Sexp:
    """Convert `value` to an R object; call only inside the gate."""
    from rpy2 import rinterface as ri
    from rpy2.rinterface_lib.sexp import Sexp
    if value is None:
        return ri.NULL
    if isinstance(value, Sexp):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return _array_to_r(value)
    if isinstance(value, (bool, int, float)):
        return _number_to_r(value)
    if isinstance(value, str):
        return ri.StrSexpVector([value])
    if isinstance(value, dict):
        return _dict_to_r(gate, value)
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(v, str) for v in value):
            return ri.StrSexpVector(list(value))
        return ri.ListSexpVector([to_sexp(gate, v) for v in value])
    return _clustering_to_r(gate, value)


def _number_to_r(value: bool | int | float) -> Sexp:
    from rpy2 import rinterface as ri
    if isinstance(value, bool):
        return ri.BoolSexpVector([value])
    if isinstance(value, float):
        return ri.FloatSexpVector([value])
    if abs(value) < R_INTEGER_LIMIT:
        return ri.IntSexpVector([value])
    if abs(value) > EXACT_DOUBLE_LIMIT:
        raise RConversionError(f"the integer {value} is beyond 2^53 and R cannot hold it exactly; "
                               "give a float if an approximation will do")
    return ri.FloatSexpVector([float(value)])


def _array_to_r(values: np.ndarray | np.generic) -> Sexp:
    from rpy2 import rinterface as ri
    if isinstance(values, np.ma.MaskedArray):
        raise RConversionError("a masked array has no R counterpart; fill it first "
                               "(values.filled(...))")
    array = np.asarray(values)
    kind = array.dtype.kind
    if kind == "f" and array.dtype.itemsize <= 8:
        vector = _from_flat(ri.FloatSexpVector, array, np.float64)
    elif kind in "iu":
        if isinstance(values, np.integer):
            return _number_to_r(int(values))
        if array.size and not (int(array.min()) > -R_INTEGER_LIMIT
                               and int(array.max()) < R_INTEGER_LIMIT):
            raise RConversionError("an integer array has values beyond +-(2^31 - 1), the range of "
                                   "R's integers; convert it to float first")
        vector = _from_flat(ri.IntSexpVector, array, np.intc)
    elif kind == "b":
        vector = _from_flat(ri.BoolSexpVector, array, np.intc)
    elif kind == "U" and array.ndim < 2:
        vector = ri.StrSexpVector(np.atleast_1d(array).tolist())
    else:
        raise RConversionError(f"an array of dtype {array.dtype} with {array.ndim} dimensions has "
                               f"no R counterpart; R gets {PYTHON_TYPES}")
    if array.ndim > 1:
        vector.do_slot_assign("dim", ri.IntSexpVector(list(array.shape)))
    return vector


def _from_flat(cls: Any, array: np.ndarray, dtype: Any) -> Sexp:
    flat = np.ravel(np.asarray(array, dtype=dtype), order="F")
    if flat.size == 0:
        return cls([])
    return cls.from_memoryview(memoryview(flat))


def _dict_to_r(gate: Gate, value: dict[Any, Any]) -> Sexp:
    from rpy2 import rinterface as ri
    wrong = [k for k in value if not isinstance(k, str) or not k]
    if wrong:
        raise RConversionError(f"the dict has the key {wrong[0]!r}; an R list needs non-empty "
                               "strings as names")
    result = ri.ListSexpVector([to_sexp(gate, v) for v in value.values()])
    if value:
        result.names = ri.StrSexpVector(list(value))
    return result


def _clustering_to_r(gate: Gate, value: Any) -> Sexp:
    from rpy2 import rinterface as ri
    if isinstance(value, sc.HardClustering):
        ids = to_sexp(gate, value.labels + 1)
        return gate.run(_r_code.HARD_TO_R, [ids, _names_to_r(value.object_names)])
    if isinstance(value, sc.FuzzyClustering):
        named = value.cluster_names != tuple(range(value.n_clusters))
        clusters = _names_to_r(value.cluster_names if named else None)
        return gate.run(_r_code.FUZZY_TO_R, [to_sexp(gate, value.membership),
                                      _names_to_r(value.object_names), clusters])
    if isinstance(value, sc.EvidentialClustering):
        mass, sets = credpart_order(value.mass, value.focal_sets)
        return gate.run(_r_code.EVIDENTIAL_TO_R, [to_sexp(gate, mass), to_sexp(gate, sets)])
    if isinstance(value, sc.RoughClustering):
        return _dict_to_r(gate, {"lower": value.lower.astype(np.float64),
                                 "upper": value.upper.astype(np.float64)})
    if isinstance(value, sc.PossibilisticClustering):
        return to_sexp(gate, value.typicality)
    if isinstance(value, sc.Ensemble):
        others = [m.kind for m in value if m.kind not in ("hard", "fuzzy")]
        if others:
            raise RConversionError(f"the ensemble has a member of kind {others[0]}; clue takes "
                                   "hard and fuzzy members")
        members = ri.ListSexpVector([to_sexp(gate, m) for m in value])
        return gate.run(_r_code.ENSEMBLE_TO_R, [members])
    if isinstance(value, sc.Dendrogram):
        n, nodes = value.n_objects, value.merges[:, :2].astype(np.int64)
        return gate.run(_r_code.TREE_TO_R, [
            to_sexp(gate, np.where(nodes < n, -nodes - 1, nodes - n + 1)),
            to_sexp(gate, value.heights), to_sexp(gate, value.order + 1),
            _names_to_r(value.object_names)])
    raise RConversionError(f"{type(value).__module__}.{type(value).__qualname__} has no R "
                           f"counterpart; R gets {PYTHON_TYPES}. Make an array of it, or a "
                           "clustering by softclust.as_clustering")


def _names_to_r(names: tuple[Any, ...] | None) -> Sexp:
    from rpy2 import rinterface as ri
    return ri.NULL if names is None else ri.StrSexpVector([str(n) for n in names])


def credpart_order(mass: np.ndarray, sets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Masses and 0/1 focal sets in the only order for which evclust is right.

    The empty set first, then every single cluster in order (mass 0 where it is missing), then
    the other sets as they came; both as float64.
    """
    c = sets.shape[1]
    sizes = sets.sum(axis=1)
    rest = np.flatnonzero(sizes > 1)
    out = np.zeros((mass.shape[0], 1 + c + rest.size))
    out[:, 0] = mass[:, sizes == 0].sum(axis=1)
    for b in np.flatnonzero(sizes == 1):
        out[:, 1 + int(np.argmax(sets[b]))] = mass[:, b]
    out[:, 1 + c:] = mass[:, rest]
    focal = np.vstack([np.zeros((1, c)), np.eye(c), sets[rest].astype(np.float64)])
    return out, focal


# -- R to Python --------------------------------------------------------------------------------
_PROXIMITIES = frozenset({"dist", "cl_dissimilarity", "cl_agreement"})
#: classes whose attributes carry nothing beyond values and dim
_PLAIN = frozenset({"cl_cross_agreement", "cl_cross_dissimilarity", "cl_cross_proximity",
                    "solve_LSAP", "table",
                    "matrix", "array", "numeric", "integer", "logical", "character", "list"})
_TREES = frozenset({"hclust", "twins", "cl_dendrogram", "cl_hierarchy"})
_CLUSTERINGS = frozenset({"factor", "credpart", "cl_partition", "cl_membership", "cl_class_ids"})


def from_sexp(gate: Gate, value: Sexp) -> Any:
    """Convert `value` to plain Python; call only inside the gate."""
    from rpy2 import rinterface as ri
    if value is ri.NULL:
        return None
    classes = _classes(value)
    if _CLUSTERINGS.intersection(classes):
        return _clustering(gate, value, None)
    if "cl_partition_ensemble" in classes:
        return _ensemble_from_r(gate, value)
    if _TREES.intersection(classes) and not _PROXIMITIES.intersection(classes):
        parts = gate.run(_r_code.TREE_PARTS, [value])
        return sc.as_dendrogram({str(n): from_sexp(gate, v) for n, v in zip(parts.names, parts)})
    if classes and not (classes <= _PLAIN or _PROXIMITIES.intersection(classes)):
        raise _no_counterpart(value)
    if isinstance(value, ri.FloatSexpVector):
        return _copy(value, np.float64)
    if isinstance(value, (ri.IntSexpVector, ri.BoolSexpVector)):
        array = _copy(value, np.intc)
        if array.size and int(array.min()) == -R_INTEGER_LIMIT:
            where = "integer" if isinstance(value, ri.IntSexpVector) else "logical"
            raise RConversionError(f"an R {where} vector contains NA, which a Python array of "
                                   "this type cannot hold; as.numeric() in the R code makes it nan")
        return array.astype(np.int64 if isinstance(value, ri.IntSexpVector) else np.bool_)
    if isinstance(value, ri.StrSexpVector):
        texts = list(value)
        if any(t is ri.NA_Character for t in texts):
            raise RConversionError("an R character vector contains NA; replace it in the R code")
        if len(_dim(value)) > 1:
            raise RConversionError("an R character matrix has no Python counterpart; return its "
                                   "columns in a list")
        return [str(t) for t in texts]
    if isinstance(value, ri.ListSexpVector):
        return _list_from_r(gate, value)
    raise _no_counterpart(value)


def _classes(value: Sexp) -> frozenset[str]:
    """The class attribute of an R object; empty when it has none."""
    from rpy2 import rinterface as ri
    try:
        attribute = value.do_slot("class")
    except LookupError:
        return frozenset()
    if not isinstance(attribute, ri.StrSexpVector):
        return frozenset()
    return frozenset(str(c) for c in attribute)


def _no_counterpart(value: Sexp) -> RConversionError:
    classes = "/".join(map(str, value.rclass))
    return RConversionError(
        f"an R object of class {classes} has no Python counterpart; return numbers, strings, lists "
        "or a clustering (unclass() drops a class, r_bridge.clustering_from_r reads clusterings)")


def _copy(value: Any, dtype: Any) -> np.ndarray:
    """Copy the numbers of an R vector or array into C-order memory."""
    # Not value.memoryview(): in rpy2 3.6.5 each call of it takes a reference from None, which
    # aborts Python before 3.12 after some thousands of calls.
    from rpy2.rinterface_lib import openrlib
    pointer = {np.float64: openrlib.REAL, np.intc: openrlib.INTEGER}[dtype]
    shape = _dim(value)
    count, cdata = len(value), value.__sexp__._cdata
    if count == 0:
        return np.empty(shape, dtype=dtype)
    raw = openrlib.ffi.buffer(pointer(cdata), count * np.dtype(dtype).itemsize)
    array = np.array(np.frombuffer(raw, dtype=dtype).reshape(shape, order="F"), order="C",
                     copy=True)
    if dtype is np.float64:
        # R's NA is a signalling NaN: numpy would warn of an invalid value in each sum.
        array[np.isnan(array)] = np.nan
    return array


def _dim(value: Any) -> tuple[int, ...]:
    try:
        return tuple(int(d) for d in value.do_slot("dim"))
    except LookupError:
        return (len(value),)


def _ensemble_from_r(gate: Gate, value: Any) -> sc.Ensemble:
    from rpy2 import rinterface as ri
    names = None if value.names is ri.NULL else [str(n) for n in value.names]
    return sc.Ensemble([_clustering(gate, v, None) for v in value], names)


def _list_from_r(gate: Gate, value: Any) -> Any:
    from rpy2 import rinterface as ri
    items = [from_sexp(gate, v) for v in value]
    names = [] if value.names is ri.NULL else [str(n) for n in value.names]
    if names and all(names):
        if len(set(names)) < len(names):
            raise RConversionError("an R list has repeated names; make them distinct or drop them "
                                   "(unname())")
        return dict(zip(names, items))
    return items


ROW_SUM_TOLERANCE = 1e-8
#: masses below 0 by less are sums that rounding left there
ROUNDING = 1e-12


def _clustering(gate: Gate, value: Sexp, kind: str | None) -> Any:
    described = gate.run(_r_code.DESCRIBE, [value])
    parts = {str(n): from_sexp(gate, v) for n, v in zip(described.names, described)}
    return _assemble(parts, kind)


def _assemble(parts: dict[str, Any], kind: str | None) -> Any:
    found = parts["kind"][0]
    if found == "unknown":
        raise RConversionError(
            f"an R object of class {'/'.join(parts['classes'])} is not a clustering that softclust "
            "knows; give labels, a membership matrix, or an object that clue or evclust made "
            "(hclust: cutree() first)")
    if found in ("matrix", "integer matrix", "logical matrix"):
        return _from_matrix(parts, kind)
    if kind not in (None, found):
        raise sc.ClusteringError(f"the R object is a {found} clustering, but kind={kind!r} was "
                                 "asked for; convert it by name afterwards (.to_fuzzy(), ...)")
    if found == "hard":
        return _hard(parts)
    if found == "evidential":
        return _evidential(parts)
    if found == "fuzzy":
        return sc.FuzzyClustering(parts["matrix"], **_names(parts))
    if "lower" in parts:
        return sc.RoughClustering(parts["lower"], parts["matrix"], **_names(parts))
    return sc.RoughClustering.from_upper(parts["matrix"], **_names(parts))


def _from_matrix(parts: dict[str, Any], kind: str | None) -> Any:
    matrix = parts["matrix"]
    missing = np.flatnonzero(np.isnan(matrix).any(axis=1))
    if missing.size:
        raise sc.ClusteringError(f"row {missing[0] + 1} of the R matrix contains NA; remove or "
                                 "impute these objects first")
    if kind is None and parts["kind"][0] == "logical matrix":
        sc.as_clustering(matrix.astype(np.bool_))   # an error where it may mean two things
        kind = "fuzzy"
    if kind is None:
        if parts["kind"][0] == "integer matrix" and not (
                matrix.shape[1] > 1 and np.isin(matrix, (0, 1)).all()):
            raise sc.ClusteringError(
                "an R matrix of integers may be several things; say kind='rough', 'cover', 'fuzzy' "
                "or 'possibilistic', or give labels as a vector")
        sums = matrix.sum(axis=1)
        wrong = np.flatnonzero(~(np.abs(sums - 1.0) <= ROW_SUM_TOLERANCE))
        if wrong.size:
            raise sc.ClusteringError(
                f"row {wrong[0] + 1} of the R matrix sums to {sums[wrong[0]]:.12g}, so it is "
                "not a fuzzy clustering; use kind='possibilistic' or kind='rough', or give labels "
                "as a vector")
        kind = "fuzzy"
    makers = {"fuzzy": sc.FuzzyClustering, "possibilistic": sc.PossibilisticClustering,
              "rough": sc.RoughClustering.from_upper, "cover": sc.CoverClustering}
    if kind not in makers:
        raise sc.ClusteringError(f"kind={kind!r} cannot be read from a plain R matrix; choose one "
                                 f"of {', '.join(makers)}, or give labels as a vector")
    return makers[kind](matrix, **_names(parts))


def _hard(parts: dict[str, Any]) -> sc.HardClustering:
    ids, levels = parts["ids"], parts["levels"]
    names: dict[str, Any] = {"object_names": parts["objects"]}
    if levels is not None:
        return sc.HardClustering(ids - 1, n_clusters=len(levels), cluster_names=levels, **names)
    if isinstance(ids, np.ndarray) and ids.dtype == np.float64:
        if not (np.all(ids == np.trunc(ids)) and np.all(np.abs(ids) <= EXACT_DOUBLE_LIMIT)):
            raise sc.ClusteringError("the R vector contains fractions; labels must be whole "
                                     "numbers, strings or a factor")
        ids = ids.astype(np.int64)
    # R's own numbering 1..k of classes becomes 0..k-1; any other label is a name and stays.
    if parts["positions"][0] and isinstance(ids, np.ndarray) and ids.dtype.kind == "i":
        count = int(ids.max())
        if int(ids.min()) >= 1 and count <= ids.size and np.bincount(ids)[1:].all():
            return sc.HardClustering(ids - 1, n_clusters=count, **names)
    return sc.HardClustering(ids, **names)


def _evidential(parts: dict[str, Any]) -> sc.EvidentialClustering:
    sets, mass = parts["sets"] != 0, parts["mass"]
    # evclust gives the empty set 1 - sum(u), which rounding may leave just below 0.
    mass = np.where((mass < 0.0) & (mass > -ROUNDING), 0.0, mass)
    order = np.argsort(sets.any(axis=1), kind="stable")  # the empty set first, the rest as it is
    return sc.EvidentialClustering(mass[:, order], sets[order])


def _names(parts: dict[str, Any]) -> dict[str, Any]:
    clusters = parts["clusters"]
    if clusters == [str(k + 1) for k in range(len(clusters or ()))]:
        clusters = None   # R's automatic numbers
    # Those of objects count: "1", "2", ... in order too, so that another order is noticed.
    return {"object_names": parts["objects"], "cluster_names": clusters}


# -- doors --------------------------------------------------------------------------------------
def to_r(value: Any) -> Sexp:
    """Convert a Python value to an R object for use with rpy2.

    Parameters
    ----------
    value : object
        As for the arguments of `r_bridge.call`.

    Returns
    -------
    rpy2.rinterface Sexp
        It lives outside the lock: keep it in the thread that uses R.

    Raises
    ------
    RUnavailableError, RConversionError
    """
    with Gate() as gate:
        return to_sexp(gate, value)


def from_r(value: Sexp) -> Any:
    """Convert an R object of rpy2 to plain Python.

    Parameters
    ----------
    value : rpy2 Sexp

    Returns
    -------
    object
        float64, int64 or bool arrays in C order with memory of their own; lists of str; dict or
        list; None; clusterings from factors, clue partitions and credal partitions. NA and NaN
        of doubles are both nan.

    Raises
    ------
    RConversionError
        For integer, logical or character NA and for classes without counterpart.
    """
    with Gate() as gate:
        return from_sexp(gate, value)


def clustering_from_r(value: Sexp, kind: str | None = None) -> Any:
    """Read a clustering from an R object, as `softclust.as_clustering` does.

    Parameters
    ----------
    value : rpy2 Sexp
        credpart (evclust), FKM (fclust), cmeans (e1071), Mclust, fanny, any clue partition
        (kmeans, pam, ...), lists with `upperApprox` or `lower` and `upper`, factors, label
        vectors, membership matrices, logical matrices.
    kind : str, optional
        Needed for plain matrices whose rows do not sum to 1: "possibilistic", "rough" or "cover".

    Returns
    -------
    clustering
        Levels and column names become cluster names (automatic column numbers do not), names and
        row names object names. A data frame always has row names, "1", "2", ... when it was given
        none (a tibble and a data.table have none); what has no names is compared by position.
        Class numbers 1..k of partitions become 0..k-1; labels in
        plain vectors are names and stay.

    Raises
    ------
    ClusteringError
        If labels are missing or the matrix is of no known kind.
    RConversionError
        If the class is unknown.
    """
    with Gate() as gate:
        return _read(gate, value, kind)


def _read(gate: Gate, value: Sexp, kind: str | None) -> Any:
    from . import RError
    try:
        return _clustering(gate, value, kind)
    except RError as error:
        raise sc.ClusteringError(f"the R object cannot be read as a clustering: {error}") from None


@functools.cache
def _make_converter() -> Any:
    from ._start import start
    start()
    import rpy2.robjects as robjects
    from rpy2 import rinterface as ri
    made = robjects.conversion.Converter("r_bridge", template=robjects.default_converter)
    for python in (np.ndarray, np.generic, list, tuple, dict, sc.HardClustering, sc.FuzzyClustering,
                   sc.RoughClustering, sc.PossibilisticClustering, sc.EvidentialClustering,
                   sc.Ensemble):
        made.py2rpy.register(python, to_r)
    for cls in (ri.FloatSexpVector, ri.IntSexpVector, ri.BoolSexpVector, ri.StrSexpVector,
                ri.ListSexpVector):
        made.rpy2py.register(cls, from_r)
    return made


def __getattr__(name: str) -> Any:
    if name == "converter":
        return _make_converter()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
