"""Conversion of labels of any type to codes 0, ..., c - 1 and names of the clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._checks import ClusteringError, shown
from . import _kernels
from .arrays import TWO_CLASSES, on_host

#: labels in a range up to this many times n (or 65,536) are coded by a table of the range
TABLE_RANGE_PER_OBJECT = 4
#: labels at either end that are read to estimate their range
BLOCK = 1 << 16
#: up to this many objects numpy sorts the labels, without waiting for numba
FEW = 1024
#: below this every whole number is a float
MAX_EXACT_FLOAT = 2.0**53

Coded = tuple[np.ndarray, int, "tuple[Any, ...] | None"]


def label_codes(labels: Any, n_clusters: int | None = None) -> Coded:
    """Codes, number of clusters and names of `labels`.

    Parameters
    ----------
    labels : array-like, shape (n,)
        As in `HardClustering`.
    n_clusters : int, optional
        `labels` are codes 0, ..., n_clusters - 1 already.

    Returns
    -------
    codes : ndarray of shape (n,)
        A new array of the smallest unsigned type that holds c - 1.
    n_clusters : int
    names : tuple or None
        None when the names are 0, ..., c - 1.

    Raises
    ------
    ClusteringError
        As in `HardClustering`.
    """
    if n_clusters is not None:
        if isinstance(n_clusters, (bool, np.bool_)) or (
                not isinstance(n_clusters, (int, np.integer))):
            raise TypeError(f"n_clusters is {shown(n_clusters)}; a whole number >= 1 is needed")
        count = int(n_clusters)
        if count < 1:
            raise ClusteringError(f"n_clusters is {count}; a whole number >= 1 is needed")
        values = None if _categories(labels) is not None else label_values(labels)
        if not isinstance(values, np.ndarray) or values.dtype == np.bool_:
            raise ClusteringError(f"labels are not integers; with n_clusters or cluster_names they "
                                  f"must be codes 0 to {count - 1}")
        low, high = int(values.min()), int(values.max())
        if low < 0 or high >= count:
            raise ClusteringError(f"labels reach from {low} to {high}; with n_clusters={count} "
                                  f"they must lie in 0 to {count - 1}")
        return values.astype(np.min_scalar_type(count - 1), copy=True), count, None

    names: tuple[Any, ...] | None
    plain = type(labels) in (list, np.ndarray)
    categories = _categories(labels) if not plain and is_pandas(labels) else None
    if categories is not None:
        # clusters in the order of the categories
        holder = labels.cat if hasattr(labels, "cat") else labels
        codes = _one_dimension(np.asarray(holder.codes))
        _refuse_missing(codes < 0)
        codes, count, positions = _integer_codes(np.ascontiguousarray(codes))
        called = categories.tolist()
        names = tuple(called[k] for k in positions or range(count))
    else:
        values = _list_values(labels) if type(labels) is list else label_values(labels)
        if isinstance(values, np.ndarray):
            codes, count, names = _integer_codes(values)
        else:
            # strings and long integers: a sort of the distinct, then a look-up each
            distinct = sorted(set(values))
            count = len(distinct)
            rank = dict(zip(distinct, range(count)))
            codes = np.fromiter(map(rank.__getitem__, values), np.min_scalar_type(count - 1),
                                count=len(values))
            # Plain strings also from numpy.str_ and from enumerations derived from str.
            names = tuple(map(str.__str__, distinct) if isinstance(distinct[0], str) else distinct)
    numbered = (names is not None and names[0] == 0 and names == tuple(range(count))
                and set(map(type, names)) == {int})
    return codes, count, None if numbered else names


def label_values(labels: Any) -> np.ndarray | list[Any]:
    """`labels` as a contiguous array of native integers or bool, or as a list of hashables.

    Lists hold one type: str, bytes, or Python integers beyond 64 bits.
    """
    if isinstance(labels, Sequence) and not isinstance(labels, (str, bytes)):
        return _list_values(list(labels))
    if isinstance(labels, np.ma.MaskedArray):
        _refuse_missing(np.ma.getmaskarray(labels))
        labels = labels.data
    elif is_pandas(labels):
        _check_levels(labels)
        if getattr(labels, "ndim", 1) != 1:
            raise ClusteringError(f"labels is a {type(labels).__name__} of shape {labels.shape}; "
                                  "one column is needed: frame['name']")
        _refuse_missing(np.asarray(labels.isna()))
        # Masked and arrow types name their numpy type, sparse ones a subtype.
        dtype = labels.dtype
        plain = getattr(dtype, "numpy_dtype", getattr(dtype, "subtype", dtype))
        labels = (labels.to_numpy(dtype=plain) if dtype.kind in "iubf" else labels.to_numpy())
    elif not isinstance(labels, np.ndarray):
        labels = foreign_array(labels)

    array = _one_dimension(np.asarray(labels))
    kind = array.dtype.kind
    if kind in "iub":
        return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("="))
    if kind == "f":
        return _whole_numbers(array)
    if kind in "OUS" or type(array.dtype).__name__ == "StringDType":
        return _list_values(array.tolist())
    what = "dates or durations" if kind in "mM" else f"of dtype {array.dtype}"
    raise ClusteringError(f"labels are {what}; integers, strings, booleans or categoricals are "
                          "needed: labels.astype(str) makes strings")


def _list_values(values: list[Any]) -> np.ndarray | list[Any]:
    """Labels of one type; a mixture of types raises an error that names them."""
    if not values:
        raise ClusteringError("labels is empty; at least one object is needed")
    types = set(map(type, values))
    if types == {str}:
        return values
    if types == {int}:
        try:
            return np.array(values, dtype=np.int64)
        except OverflowError:
            return values
    if any(is_missing_type(t) for t in types):
        _refuse_missing(np.array([is_missing(v) for v in values]))
    if all(issubclass(t, str) for t in types) or all(issubclass(t, bytes) for t in types):
        return values
    if all(issubclass(t, (bool, np.bool_)) for t in types):
        return np.array(values, dtype=np.bool_)
    if not any(issubclass(t, (bool, np.bool_)) for t in types):
        if all(issubclass(t, (int, np.integer)) for t in types):
            try:
                return np.array(values, dtype=np.int64)
            except OverflowError:
                return [int(v) for v in values]
        if all(issubclass(t, (int, float, np.integer, np.floating)) for t in types):
            return _whole_numbers(np.array([float(v) for v in values]))
    if any(issubclass(t, (list, tuple, np.ndarray)) for t in types):
        raise ClusteringError("labels is a nested list; one label per object is needed (for a "
                              "matrix of memberships use FuzzyClustering or as_clustering, for "
                              "several labels of each object CoverClustering.from_labels)")
    if any(issubclass(t, (set, frozenset)) for t in types):
        raise ClusteringError("labels are sets, and each may be a cluster or the labels of an "
                              "object: CoverClustering.from_labels reads the labels of each "
                              "object, CoverClustering.from_clusters the objects of each cluster")
    names = sorted({t.__name__ for t in types})
    mixed = f"{'a mixture of' if len(names) > 1 else 'of type'} {', '.join(names)}"
    raise ClusteringError(f"labels are {mixed}; all integers, all strings or all booleans are "
                          "needed: [str(v) for v in labels] makes strings")


def _whole_numbers(array: np.ndarray) -> np.ndarray:
    """Float labels as int64: like scikit-learn, 1.0 is label 1; fractions raise."""
    array = np.asarray(array, dtype=np.float64)
    _refuse_missing(np.isnan(array))
    broken = (array != np.trunc(array)) | (np.abs(array) >= MAX_EXACT_FLOAT)
    if broken.any():
        i = int(np.flatnonzero(broken)[0])
        value, advice = str(array[i]), "continuous values are not a clustering"
        if array.min() >= 0.0 and array.max() <= 1.0:
            advice += f"; {TWO_CLASSES}"
        if array[i] == np.trunc(array[i]):
            value, advice = f"{array[i]:.17g}", "give larger ones as strings"
        raise ClusteringError(f"labels[{i}] is {value}; float labels must be whole numbers below "
                              f"2**53: {advice}")
    return array.astype(np.int64)


# -- coding -----------------------------------------------------------------------------------
def _integer_codes(values: np.ndarray) -> Coded:
    """Codes by rank among the distinct values of integers or booleans."""
    if values.dtype == np.bool_:
        codes, count, names = _integer_codes(values.view(np.uint8))
        return codes, count, tuple(bool(v) for v in names or range(count))
    if values.shape[0] > FEW:
        low, high = int(values.min()), int(values.max())
        if high - low < max(1 << 16, TABLE_RANGE_PER_OBJECT * values.shape[0]):
            # flags of the labels that occur, then a table of ranks
            lowest = np.array(low, values.dtype).astype(np.int64)   # right modulo 2^64
            places = values.astype(np.int64) - lowest
            occurs = np.zeros(high - low + 1, dtype=np.bool_)
            occurs[places] = True
            count = int(np.count_nonzero(occurs))
            kind = np.min_scalar_type(count - 1)
            if count == occurs.size:
                names = None if low == 0 else tuple(range(low, high + 1))
                return places.astype(kind), count, names
            ranks = (np.cumsum(occurs) - 1).astype(kind)
            return ranks[places], count, tuple(k + low for k in np.flatnonzero(occurs).tolist())

        # a wide range: a hash table, unless too many are distinct
        coding = _kernels.coding
        values = values.astype(np.uint64 if values.dtype == np.uint64 else np.int64)   # writable
        first_codes = np.empty(values.shape[0], dtype=np.uint16)
        bits = np.empty(coding.MAX_DISTINCT, dtype=np.uint64)
        slots = np.full(coding.SLOTS, -1, dtype=np.int32)
        count = coding.code_by_hash(values.view(np.uint64), first_codes, bits, slots)
        if count >= 0:
            distinct = bits[:count].view(values.dtype)
            order = np.argsort(distinct)
            kind = np.min_scalar_type(count - 1)
            table = np.empty(count, dtype=kind)
            table[order] = np.arange(count, dtype=kind)
            return table[first_codes], count, tuple(distinct[order].tolist())
    distinct, ranks = np.unique(values, return_inverse=True)
    count = distinct.shape[0]
    return (ranks.reshape(-1).astype(np.min_scalar_type(count - 1)), count,
            tuple(distinct.tolist()))


def sampled_range(values: np.ndarray) -> tuple[int, int]:
    """The least and the greatest label among both ends and a sample in between."""
    sample = np.concatenate([values[:BLOCK], values[-BLOCK:], values[::1 + values.shape[0] // 256]])
    return int(sample.min()), int(sample.max())


def by_appearance(codes: np.ndarray) -> np.ndarray:
    """Codes >= 0 renumbered by first appearance: equal for equal partitions.

    O(n) where the range of the codes is small.
    """
    n, largest = codes.shape[0], int(codes.max())
    if largest >= TABLE_RANGE_PER_OBJECT * n + FEW:
        codes = np.unique(codes, return_inverse=True)[1].reshape(-1)
        largest = int(codes.max())
    first = np.full(largest + 1, n)
    np.minimum.at(first, codes, np.arange(n))
    seen = np.flatnonzero(first < n)
    rank = np.empty(largest + 1, dtype=np.int64)
    rank[seen[np.argsort(first[seen])]] = np.arange(seen.size)
    return rank[codes]


# -- pandas and others ------------------------------------------------------------------------
def is_pandas(obj: Any) -> bool:
    return type(obj).__module__.partition(".")[0] == "pandas"


def _categories(labels: Any) -> Any:
    """The categories of a pandas categorical, else None."""
    return getattr(labels.dtype, "categories", None) if hasattr(labels, "dtype") else None


def _check_levels(labels: Any) -> None:
    """Raise for an index of pandas with several levels."""
    if (levels := getattr(labels, "nlevels", 1)) > 1:
        raise ClusteringError(f"labels is a MultiIndex of {levels} levels; one label per object is "
                              "needed: labels.get_level_values(0) is one of them")


def foreign_array(labels: Any) -> np.ndarray:
    """A numpy array from a library that offers `to_numpy`, else by numpy's own protocols."""
    if hasattr(labels, "to_numpy"):
        if type(labels).__module__.partition(".")[0] == "pyarrow":
            return labels.to_numpy(zero_copy_only=False)
        return labels.to_numpy()
    array = None
    if not isinstance(labels, (str, bytes)) and not hasattr(labels, "toarray"):
        array = np.asarray(on_host(labels))
    if array is None or array.ndim == 0:
        raise ClusteringError(f"labels is of type {type(labels).__name__}; a list or array with "
                              "one label per object is needed")
    return array


def _one_dimension(array: np.ndarray) -> np.ndarray:
    if array.ndim != 1:
        way_out = ": labels.ravel() makes it one" if array.ndim == 2 and 1 in array.shape else ""
        raise ClusteringError(f"labels has shape {array.shape}; one dimension, one label per "
                              f"object, is needed{way_out}")
    if array.shape[0] == 0:
        raise ClusteringError("labels is empty; at least one object is needed")
    return array


# -- missing values ---------------------------------------------------------------------------
def is_missing_type(kind: type) -> bool:
    return (kind is type(None) or issubclass(kind, (float, np.floating))
            or kind.__name__ in ("NAType", "NaTType"))


def is_missing(value: Any) -> bool:
    if isinstance(value, (float, np.floating)):
        return bool(value != value)
    return is_missing_type(type(value))


def _refuse_missing(missing: np.ndarray) -> None:
    count = int(np.count_nonzero(missing))
    if count:
        raise MissingLabels(missing_text(count, f"labels[{int(np.flatnonzero(missing)[0])}]"))


class MissingLabels(ClusteringError):
    """Error: labels are missing, and no policy says what to do with their objects."""


def missing_text(count: int, first: str) -> str:
    """Message about unexpected missing labels."""
    what = "1 label is" if count == 1 else f"{count} labels are"
    return (f"{what} missing (the first is {first}); every object needs one: missing=\"drop\" in "
            'align and compare leaves these objects out, "cluster", "singletons" and "unknown" '
            "keep them (on the command line: --missing drop)")


def known_labels(labels: Any) -> tuple[np.ndarray | None, Any]:
    """Mask (n,) of the missing labels, None when there are none, and the labels that are known.

    Known labels keep their type; they are checked later.
    """
    if isinstance(labels, Sequence) and not isinstance(labels, (str, bytes)):
        return _of_list(labels)
    if isinstance(labels, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(labels)
        return _split(mask, labels.data) if mask.ndim == 1 else (None, labels)
    if is_pandas(labels):
        _check_levels(labels)
        mask = np.asarray(labels.isna())
        return _split(mask, labels) if mask.ndim == 1 else (None, labels)
    array = labels if isinstance(labels, np.ndarray) else foreign_array(labels)
    if array.ndim != 1:
        return None, labels
    if array.dtype.kind == "f":
        return _split(np.isnan(array), array)
    if array.dtype.kind == "O":
        return _of_list(array.tolist())
    return None, array


def _of_list(values: Sequence[Any]) -> tuple[np.ndarray | None, Any]:
    if not any(map(is_missing_type, set(map(type, values)))):
        return None, values
    mask = np.fromiter(map(is_missing, values), dtype=np.bool_, count=len(values))
    if not mask.any():
        return None, values
    return mask, [value for value, missing in zip(values, mask) if not missing]


def _split(mask: np.ndarray, labels: Any) -> tuple[np.ndarray | None, Any]:
    return (mask, labels[~mask]) if mask.any() else (None, labels)
