"""Checked copies of the matrices that clusterings are made of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from .._checks import ROW_SUM_TOLERANCE, ClusteringError
from ..results.frames import as_frame, column_names, library

#: a sparse matrix that would take more bytes than this as dense float64 is an error
MAX_DENSE_BYTES = 2**31

#: sums of single precision numbers come this near to 1
SINGLE_TOLERANCE = 1e-6
#: sums that are no further from 1 than this look like rounding, to 2 or more decimals
ROUNDED = 0.05
#: hint in messages about rounded rows
NORMALIZE_ROWS = """as_clustering(..., normalize="rows") divides each row by its sum (on the \
command line: --normalize)"""

#: hint in messages about a matrix (clusters, objects)
TRANSPOSE = "its columns sum to 1, as in scikit-fuzzy: pass matrix.T, with a row for each object"

#: hint in messages about a matrix of text
ONE_DIMENSION = """; labels must be one-dimensional: .ravel() of a label image or of one column \
(CoverClustering.from_labels reads several labels of each object)"""

#: hint in messages about one column of fractions
TWO_CLASSES = """if they are probabilities p of the second of two classes, np.column_stack([1 - p, \
p]) makes memberships"""

Names = Collection[Any] | None


class _Numbered(tuple[Any, ...]):
    """One object, also after pickling."""

    __slots__ = ()

    def __reduce__(self) -> str:
        return "NUMBERED"


class Keys(tuple[Any, ...]):
    """Object names that are the keys of a mapping, whose own order means nothing."""

    __slots__ = ()


#: the default index of a pandas object: its objects match as 0, ..., n - 1 but have no
#: `object_names`, because nobody named them
NUMBERED: tuple[Any, ...] = _Numbered()


def float_matrix(values: Any, name: str, *, columns: str = "clusters") -> np.ndarray:
    """A new float64 (n, c) array in C order; finite, not empty, or ClusteringError."""
    array = number_array(values, name, columns=columns)
    if array.dtype.kind == "b":
        array = array.view(np.uint8)
    matrix = np.array(array, dtype=np.float64, order="C")
    with np.errstate(over="ignore", invalid="ignore"):
        total = matrix.sum()  # one pass without a temporary; a sum may overflow
    if not np.isfinite(total):
        finite = np.isfinite(matrix)
        if not finite.all():
            i, k = np.argwhere(~finite)[0]
            raise ClusteringError(f"{name}[{i}, {k}] is {matrix[i, k]}; finite numbers are "
                                  "needed: remove or impute this object first")
    return matrix


def boolean_matrix(values: Any, name: str) -> np.ndarray:
    """A new bool (n, c) array in C order from a boolean or 0/1 matrix, or ClusteringError."""
    array = number_array(values, name)
    if array.dtype.kind == "b":
        return np.array(array, dtype=np.bool_, order="C")
    wrong = (array != 0) & (array != 1)
    if wrong.any():
        i, k = np.argwhere(wrong)[0]
        way = (': as_clustering(matrix, kind=..., missing="drop") leaves such rows out, '
               '"uncovered" (covers), "unknown" and "singletons" keep them'
               if array[i, k] != array[i, k] else "")
        raise ClusteringError(f"{name}[{i}, {k}] is {array[i, k]:g}; "
                              f"True/False or 0/1 entries are needed{way}")
    return np.array(array, dtype=np.bool_, order="C")


def number_array(values: Any, name: str, *, columns: str = "clusters") -> np.ndarray:
    """`values` as a matrix of booleans, integers or floats, not always a copy."""
    array = (values if type(values) is np.ndarray
             else _plain_array(dense(values, name), name, columns))
    if array.ndim != 2:
        raise ClusteringError(f"{name} has shape {array.shape}; "
                              f"(objects, {columns}) with two dimensions is needed")
    if 0 in array.shape:
        raise ClusteringError(f"{name} is empty (shape {array.shape}); at least one object "
                              f"and one of the {columns} are needed")
    if array.dtype.kind == "O":
        # Python's numbers as floats, missing ones as nan
        given, array = array, np.empty(array.shape)
        for (i, k), value in np.ndenumerate(given):
            if value is None or type(value).__name__ in ("NAType", "NaTType"):
                array[i, k] = np.nan
            elif isinstance(value, (str, bytes, complex)) or not hasattr(value, "__float__"):
                raise ClusteringError(f"{name}[{i}, {k}] is {value!r}; real numbers are needed"
                                      + ONE_DIMENSION * isinstance(value, str))
            else:
                array[i, k] = float(value)
    if array.dtype.kind not in "biuf":
        raise ClusteringError(f"{name} has dtype {array.dtype}; real numbers are needed"
                              + ONE_DIMENSION * (array.dtype.kind in "US"))
    return array


def _plain_array(values: Any, name: str, columns: str) -> np.ndarray:
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values)
        if mask.any():
            first = tuple(int(v) for v in np.argwhere(mask)[0])
            raise ClusteringError(f"{name} has {int(mask.sum())} masked entries, the first at "
                                  f"{first}; numbers are needed: remove these objects first")
        return values.data
    if type(values).__module__.partition(".")[0] == "pandas" and hasattr(values, "dtypes"):
        # numbers of any type of pandas; other columns come as objects
        kinds = {getattr(d, "kind", "O")
                 for d in np.atleast_1d(np.asarray(values.dtypes, dtype=object))}
        if not kinds <= set("biuf"):
            return np.asarray(values)
        if kinds <= set("biu") and not np.asarray(values.isna()).any():
            return values.to_numpy(dtype=np.bool_ if kinds == {"b"} else None if "b" in kinds
                                   else np.int64)
        return values.to_numpy(dtype=np.float64, na_value=np.nan)
    if (frame := as_frame(values)) is not None:
        return frame.to_numpy()
    try:
        return np.asarray(on_host(values))
    except ValueError:
        raise ClusteringError(f"{name} has rows of different lengths; an (objects, {columns}) "
                              "matrix is needed") from None


def on_host(values: Any) -> Any:
    """A tensor of torch, an array of cupy or one with DLPack as a numpy array; others unchanged."""
    if hasattr(values, "detach") and hasattr(values, "cpu"):
        return values.detach().cpu()
    if hasattr(values, "__cuda_array_interface__") and hasattr(values, "get"):
        return values.get()
    if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        return np.from_dlpack(values)
    return values


def dense(matrix: Any, argument: str) -> Any:
    """`matrix` itself, or a sparse matrix as a dense array.

    Parameters
    ----------
    matrix : object
        A scipy sparse matrix or array is recognised by the module of its type, so that scipy is
        loaded only when needed.
    argument : str
        Its name in messages.

    Raises
    ------
    ClusteringError
        If the dense float64 matrix would take more than `MAX_DENSE_BYTES` (2 GiB).
    """
    if not type(matrix).__module__.startswith("scipy.sparse"):
        return matrix
    size = 8
    for length in matrix.shape:
        size *= int(length)
    if size > MAX_DENSE_BYTES:
        raise ClusteringError(
            f"{argument} is a sparse matrix of shape {matrix.shape}, {size / 2**30:.3g} GiB when "
            f"dense; at most {MAX_DENSE_BYTES / 2**30:.3g} GiB are made dense: keep the labels "
            "of the largest entries (a hard clustering), fewer clusters, or a part of the objects")
    return matrix.toarray()


def check_range(matrix: np.ndarray, name: str, high: float = np.inf) -> None:
    """Raise ClusteringError naming the first entry of `matrix` outside [0, high].

    Entries that are outside by rounding, at most 1e-8 of the largest of their row (or of 1), are
    set to the limit, in place.
    """
    if matrix.min() >= 0.0 and matrix.max() <= high:
        return
    slack = ROW_SUM_TOLERANCE * np.maximum(1.0, matrix.max(axis=1, keepdims=True))
    outside = (matrix < -slack) | (matrix > high + slack)
    if not outside.any():
        np.clip(matrix, 0.0, high, out=matrix)
        return
    i, k = np.argwhere(outside)[0]
    allowed = ">= 0" if high == np.inf else f"in [0, {high:g}]"
    raise ClusteringError(f"{name}[{i}, {k}] is {matrix[i, k]:.16g}; numbers {allowed} are needed")


def check_row_sums(matrix: np.ndarray, name: str, way_out: str, *, original: Any = None) -> None:
    """Raise ClusteringError naming the first row of `matrix` whose sum is not 1.

    `original` is the user's input. Rows in single precision whose sums are within 1e-6 of 1 are
    divided by their sums, in place: single precision allows no better.
    """
    sums = matrix.sum(axis=1)
    errors = np.abs(sums - 1.0)
    largest = errors.max()
    if largest <= SINGLE_TOLERANCE and is_single_precision(original):
        matrix /= sums[:, None]
        return
    if largest <= ROW_SUM_TOLERANCE:
        return
    wrong = np.flatnonzero(~(errors <= ROW_SUM_TOLERANCE))
    i = int(wrong[0])
    more = f" ({wrong.size} such rows)" if wrong.size > 1 else ""
    if columns_sum_to_one(matrix):
        way_out = TRANSPOSE
    elif largest <= ROUNDED:
        way_out = f"these are rounded numbers; {NORMALIZE_ROWS}"
    raise ClusteringError(f"{name} row {i} sums to {sums[i]:.12g}{more}; every row must sum "
                          f"to 1 within {ROW_SUM_TOLERANCE:g}: {way_out}")


def columns_sum_to_one(matrix: np.ndarray) -> bool:
    """Test whether a matrix looks like memberships with clusters as rows."""
    return bool((np.abs(matrix.sum(axis=0) - 1.0) <= ROW_SUM_TOLERANCE).all())


def divided_by_row_sums(matrix: np.ndarray, name: str) -> np.ndarray:
    """`matrix` (n, c) of finite numbers >= 0 with each row divided by its sum; sums of 0 raise."""
    check_range(matrix, name)
    # Scaled by a power of two first, so that no sum overflows and the quotients keep their bits.
    _, power = np.frexp(matrix.max(axis=1, keepdims=True))
    scaled = np.ldexp(matrix, -power)
    sums = scaled.sum(axis=1, keepdims=True)
    if (sums == 0.0).any():
        i = int(np.flatnonzero(sums[:, 0] == 0.0)[0])
        raise ClusteringError(f"{name} row {i} sums to 0, so normalize=\"rows\" cannot divide by "
                              "it; leave this object out, or say what it is (typicalities: "
                              'kind="possibilistic")')
    return scaled / sums


def is_single_precision(values: Any) -> bool:
    """Test whether the type of `values` shows numbers of 32 bits or fewer."""
    if type(values) is np.ndarray:
        return values.dtype.kind == "f" and values.dtype.itemsize < 8
    kinds = getattr(values, "dtypes", None)
    if kinds is None:
        if isinstance(values, Sequence) and not isinstance(values, (str, bytes)) and len(values):
            values = values[0]   # a list of rows
        kinds = [getattr(values, "dtype", None)]
    return any(str(kind).lower().removesuffix("[pyarrow]").endswith(("float16", "float32", "float"))
               and str(kind) != "float" for kind in kinds)


def frame_names(obj: Any) -> tuple[Names, Names]:
    """Names of the rows and columns of `obj`, None where it has none.

    Parameters
    ----------
    obj : object
        A pandas Series or DataFrame, or an array of xarray; of frames of other libraries only the
        columns count.

    Returns
    -------
    index : sequence or None
        `NUMBERED` for the default index 0, ..., n - 1 of pandas.
    columns : list or None
        None for the default columns 0, ..., c - 1.
    """
    if type(obj) is np.ndarray:
        return None, None
    if library(obj) == "xarray" and hasattr(obj, "indexes"):
        names = [obj.indexes[dim].tolist() if dim in obj.indexes else None for dim in obj.dims]
        return names[0], names[1] if len(names) > 1 else None
    if library(obj) != "pandas":
        return None, column_names(obj)
    if not hasattr(obj, "index") or not hasattr(obj, "iloc"):
        return None, None
    columns = getattr(obj, "columns", None)
    index: Names = NUMBERED if _is_default(obj.index) else obj.index.tolist()
    if columns is None or _is_default(columns):
        return index, None
    return index, columns.tolist()


def index_of(obj: Any) -> Any:
    """The index of a pandas Series or DataFrame; None of anything else."""
    return obj.index if library(obj) == "pandas" and hasattr(obj, "iloc") else None


def _is_default(index: Any) -> bool:
    """Test whether an index is the default index of pandas."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def checked_names(names: Iterable[Any] | None, count: int, what: str) -> tuple[Any, ...] | None:
    """Distinct names, one for each "object" or "cluster", as Python values; None stays None."""
    if names is None or names is NUMBERED:
        return None
    argument = f"{what}_names"
    if isinstance(names, (str, bytes)):
        raise ClusteringError(f"{argument} is {names!r}; a list of names is needed")
    result = names if isinstance(names, Keys) else tuple(names)
    if any(issubclass(kind, np.generic) for kind in set(map(type, result))):
        result = type(result)(n.item() if isinstance(n, np.generic) else n for n in result)
    if len(result) != count:
        raise ClusteringError(f"{argument} has {len(result)} names for {count} {what}s; "
                              "give one name each")
    if len(set(result)) == count:
        return result
    position: dict[Any, int] = {}
    for i, name in enumerate(result):
        if position.setdefault(name, i) != i:
            raise ClusteringError(
                f"{argument} has the name {name!r} at {position[name]} and at {i}; names must be "
                "distinct (frame.reset_index(drop=True) drops the index of a pandas object)")
    return result


def object_positions(indices: Any, n: int) -> np.ndarray:
    """Indices, a slice or a mask as positions, int64; negative ones count from the end."""
    rows = np.arange(n)[indices] if isinstance(indices, slice) else np.asarray(indices)
    if rows.ndim != 1:
        raise ClusteringError(f"indices has {rows.ndim} dimensions; one is needed")
    if rows.dtype == bool:
        if rows.shape[0] != n:
            raise ClusteringError(f"the mask has length {rows.shape[0]} for {n} objects")
        rows = np.flatnonzero(rows)
    if rows.size == 0:
        raise ClusteringError("indices selects no object; at least one is needed")
    if rows.dtype.kind not in "iu":
        raise TypeError(f"indices has dtype {rows.dtype}; integers or a boolean mask are needed")
    if rows.min() < -n or rows.max() >= n:
        raise ClusteringError(f"indices reach from {rows.min()} to {rows.max()} "
                              f"for {n} objects (0 to {n - 1})")
    return rows.astype(np.int64)


def components(edges: Any) -> tuple[int, np.ndarray]:
    """Number of connected components of a sparse matrix of edges, and that of each node.

    Old versions of scipy read only 32-bit indices and silently fail on others.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components
    csr = csr_array(edges)
    if max(csr.nnz, *csr.shape) < 2**31:
        csr = csr_array((csr.data, csr.indices.astype(np.int32), csr.indptr.astype(np.int32)),
                        shape=csr.shape)
    number, of = connected_components(csr, directed=False)
    return int(number), of
