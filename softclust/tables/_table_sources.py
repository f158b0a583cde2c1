"""Labels and counts that go into a tally: vectors, matrices, frames, results of GROUP BY."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ..clusterings.objects import check_indexes, names_in, ordered
from .table_counts import Chunk, Tally


def from_counts(counts: Any, rows: Any, columns: Any) -> Tally:
    """A tally of a matrix or of a vector of counts."""
    if hasattr(counts, "iloc") and hasattr(counts, "columns"):
        rows = counts.index if rows is None else rows
        columns = counts.columns if columns is None else columns
        frame, counts = counts, counts.to_numpy()
        r, s = counts.shape
        if min(r, s) > 1 and frame.index[-1] == frame.columns[-1]:   # sums of the others?
            inner = counts[:-1, :-1]
            named = frame.index[-1] == "All" or max(r, s) > 2
            if named and counts.dtype.kind in "iuf" and counts.any() and (
                    (counts[-1] == np.append(inner.sum(axis=0), inner.sum())).all()
                    and (counts[:-1, -1] == inner.sum(axis=1)).all()):
                raise ClusteringError(
                    f"the last row and column, {frame.index[-1]!r}, are the sums of the others: "
                    "margins would count every object again; leave them out: "
                    "pandas.crosstab(a, b) without margins=True, or frame.iloc[:-1, :-1]")
    if hasattr(counts, "tocoo"):
        coo = counts.tocoo()
        return _cells(np.asarray(coo.row), np.asarray(coo.col), coo.data, coo.shape, rows, columns)
    values = _numbers(counts)
    if values.ndim == 1:
        if rows is None or columns is None:
            raise ClusteringError("counts is a vector; rows and columns give the two labels of "
                                  "each count")
        return _vector(values, _listed(rows), _listed(columns))
    if values.ndim != 2:
        raise ClusteringError(f"counts has shape {values.shape}; a matrix, or a vector with rows "
                              "and columns, is needed")
    rows_used, others = np.nonzero(values)
    return _cells(rows_used, others, values[rows_used, others], values.shape, rows, columns)


def from_frame(frame: Any, x: Any, y: Any, count: Any) -> Tally:
    """A tally of columns x, y and count."""
    if hasattr(frame, "collect") and not hasattr(frame, "to_numpy"):
        frame = frame.collect()   # a lazy frame of polars
    if not isinstance(frame, Mapping) and not hasattr(frame, "__getitem__"):
        raise ClusteringError(f"frame is of type {type(frame).__name__}; a data frame of pandas, "
                              "polars or pyarrow, or a mapping of columns, is needed")
    names = list(getattr(frame, "column_names", getattr(frame, "columns", frame)))
    for name in (x, y, count):
        if name not in names:
            raise ClusteringError(f"the frame has no column {name!r}; its columns are "
                                  f"{', '.join(map(repr, names))}")
    values = frame[count]
    values = values.to_numpy() if hasattr(values, "to_numpy") else values
    return _vector(_numbers(values), frame[x], frame[y])


def _listed(labels: Any) -> Any:
    return list(labels) if isinstance(labels, str) else labels


def _vector(counts: np.ndarray, x: Any, y: Any) -> Tally:
    whole = whole_counts(counts, "counts")
    tally = Tally()
    chunk = Chunk(x, y, whole, "raise", " (a pair of labels without a name: pandas' groupby and "
                  "crosstab drop such rows unless dropna=False)")
    tally.add_chunk(chunk, frequencies=True)
    return tally


def _cells(rows: np.ndarray, cols: np.ndarray, counts: Any, shape: Any, x: Any, y: Any) -> Tally:
    r, s = shape
    labels: list[Any] = []
    for name, names, size, codes in (("rows", x, r, rows), ("columns", y, s, cols)):
        if names is None:
            labels.append(codes.astype(np.int64))
            continue
        named = _listed(names)
        if len(named) != size:
            raise ClusteringError(f"{name} has {len(named)} labels for a table of {r} by {s}")
        labels.append(named.take(codes) if hasattr(named, "take")
                      else list(map(list(named).__getitem__, codes.tolist())))
    return _vector(np.asarray(counts), *labels)


def _numbers(counts: Any) -> np.ndarray:
    values = np.asarray(counts)
    if values.dtype.kind == "O":
        flat = values.reshape(-1).tolist()
        if all(isinstance(v, (int, np.integer)) and not isinstance(v, bool) for v in flat) and any(
                abs(int(v)) >= 1 << 63 for v in flat):
            raise ClusteringError("counts has a number of 2^63 or more; counts below 2^63 are "
                                  "needed")
        try:
            values = np.asarray(flat, np.float64 if any(isinstance(v, float) for v in flat)
                               else np.int64).reshape(values.shape)
        except (TypeError, ValueError, OverflowError):
            raise ClusteringError("counts has values that are not numbers; whole numbers >= 0 are "
                                  "needed") from None
    return values


def whole_counts(counts: Any, what: str) -> np.ndarray:
    """Whole numbers from 0 to 2^63 - 1 as int64."""
    values = _numbers(counts)
    if values.dtype.kind not in "iuf":
        raise ClusteringError(f"{what} has dtype {values.dtype}; whole numbers >= 0 are needed")
    if not values.size:
        return values.astype(np.int64)
    if values.dtype.kind == "f":
        bad = ~np.isfinite(values) | (values != np.trunc(values))
        if bad.any():
            raise ClusteringError(f"{what} has the value {values[bad][0]:g}; whole numbers >= 0 "
                                  "are needed (weights= takes fractions)")
    if values.min() < 0:
        raise ClusteringError(f"{what} has the value {values.min()}; whole numbers >= 0 are needed")
    if values.max() >= 2**63:
        raise ClusteringError(f"{what} has the value {values.max()}; whole numbers below 2^63 are "
                              "needed")
    return values.astype(np.int64)


def object_weights(weights: Any) -> np.ndarray:
    """Finite weights >= 0 as float64."""
    try:
        values = np.asarray(weights.to_numpy() if hasattr(weights, "to_numpy") else weights,
                            dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError("weights are not numbers; finite numbers >= 0, one per object, are "
                              "needed") from None
    if values.ndim != 1:
        raise ClusteringError(f"weights has shape {values.shape}; one weight per object is needed")
    bad = ~np.isfinite(values) | (values < 0)
    if bad.any():
        i = int(bad.argmax())
        raise ClusteringError(f"weights[{i}] is {values[i]:g}; finite numbers >= 0 are needed")
    return values


def count_into(tally: Tally, x: Any, y: Any, weights: Any, frequencies: Any, missing: str,
               where: str) -> None:
    """Count labels; frequencies are counts, weights are sums."""
    if weights is not None and frequencies is not None:
        raise ValueError("weights and frequencies exclude each other: copies of objects form "
                         "pairs, the parts of a weight do not")
    if weights is not None or frequencies is not None:
        names = next((own for own in map(names_in, (x, y)) if own is not None), None)
        weights, frequencies = (
            each if each is None or np.shape(each) != (len(x),) else
            ordered(each, names, called=("x", name))
            for name, each in (("weights", weights), ("frequencies", frequencies)))
    check_indexes((("x", x), ("y", y)), where)
    numbers = (whole_counts(frequencies, "frequencies") if frequencies is not None
               else object_weights(weights) if weights is not None else None)
    if numbers is not None and numbers.ndim != 1:
        raise ClusteringError(f"frequencies has shape {numbers.shape}; one per object is needed")
    chunk = Chunk(x, y, numbers, missing, where)
    tally.add_chunk(chunk, frequencies=frequencies is not None, where=where)
