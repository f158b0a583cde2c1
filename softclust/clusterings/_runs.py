"""Labels of runs as one matrix: from arrays, frames, lists with gaps, or by indices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import index as as_index
from typing import Any

import numpy as np

from .._checks import ClusteringError, shown
from ..results.frames import run_columns
from ._base import Clustering
from .labels import MAX_EXACT_FLOAT, by_appearance, known_labels, label_values
from .objects import check_indexes

ABSENT = -1
_TYPES = (np.int8, np.int16, np.int32)


def read_runs(labels: Any, absent_label: int | None, names: Iterable[str] | None
              ) -> tuple[Iterator[np.ndarray], tuple[str, ...]]:
    """Labels of each run, (n,) int64 with -1 for absent, read when needed; and names."""
    absent = _absent_number(absent_label)
    whole = _matrix(labels)
    if whole is not None:
        run_names = _run_names(names, [str(b) for b in range(whole.shape[0])])
        return (_checked(row, absent, name) for row, name in zip(whole, run_names)), run_names
    runs, keys = _columns(labels)
    run_names = _run_names(names, keys)
    check_indexes((f"run {name!r}", run) for name, run in zip(run_names, runs))
    return _of_list(runs, run_names, absent), run_names


def _of_list(runs: list[Any], names: tuple[str, ...], absent: int | None) -> Iterator[np.ndarray]:
    size = -1
    for run, name in zip(runs, names):
        row = _checked(_read(run, name), absent, name)
        if size not in (-1, row.size):
            raise ClusteringError(f"run {name!r} has {row.size} labels and {names[0]!r} has "
                                  f"{size}; all runs need an entry for every object, {absent} "
                                  "where it is absent, or use Ensemble.from_indices")
        size = row.size
        yield row


def runs_from_indices(labels: Any, indices: Any, n_objects: Any, absent_label: int | None,
                      names: Iterable[str] | None) -> tuple[Iterator[np.ndarray], tuple[str, ...]]:
    """Labels of runs that name the objects they label, in the form of `read_runs`."""
    absent, n = _absent_number(absent_label), as_index(n_objects)
    if n < 1:
        raise ClusteringError(f"n_objects is {n}; at least one object is needed")
    runs, places = list(labels), list(indices)
    if not runs or len(runs) != len(places):
        raise ClusteringError(f"labels holds {len(runs)} runs and indices {len(places)}; as many, "
                              "and at least one, are needed")
    run_names = _run_names(names, [str(b) for b in range(len(runs))])
    return (_placed(_checked(_read(run, name), absent, name), place, n, name)
            for run, place, name in zip(runs, places, run_names)), run_names


def _placed(labels: np.ndarray, place: Any, n: int, name: str) -> np.ndarray:
    """Labels of n objects: `labels` at the indices `place`, the others absent."""
    where = np.asarray(place)
    if where.ndim != 1 or where.dtype.kind not in "iu" or not where.size:
        raise ClusteringError(f"indices of run {name!r} have shape {where.shape} and type "
                              f"{where.dtype}; a list of whole numbers is needed")
    if labels.size != where.size:
        raise ClusteringError(f"run {name!r} has {labels.size} labels for {where.size} indices; "
                              "one label for each is needed")
    if where.min() < 0 or where.max() >= n:
        raise ClusteringError(f"indices of run {name!r} reach from {where.min()} to {where.max()}; "
                              f"with n_objects={n} they must lie in 0 to {n - 1}")
    row = np.full(n, ABSENT, dtype=np.int64)
    row[where] = labels
    clash = np.flatnonzero(row[where] != labels)
    if clash.size:
        i = int(where[clash[0]])
        raise ClusteringError(f"run {name!r} gives object {i} the labels {labels[clash[0]]} and "
                              f"{row[i]}; copies of an object need one label: keep that of the "
                              "first copy, or mark it absent")
    return row


def numbered_by_appearance(rows: Iterable[np.ndarray], names: tuple[str, ...]) -> np.ndarray:
    """Labels (B, n) renumbered in each run by first appearance, in the smallest signed type."""
    matrix = np.empty((0, 0), dtype=_TYPES[0])
    for b, row in enumerate(rows):
        if b == 0:
            matrix = np.empty((len(names), row.size), dtype=_TYPES[0])
        held = row != ABSENT
        if not held.any():
            raise ClusteringError(f"run {names[b]!r} labels no object; every run needs at least "
                                  "one: leave it out")
        places: Any = slice(None) if held.all() else np.flatnonzero(held)
        codes = by_appearance(row[places])
        largest = int(codes.max())
        if largest > np.iinfo(matrix.dtype).max:
            matrix = matrix.astype(next(t for t in _TYPES if largest <= np.iinfo(t).max))
        matrix[b] = ABSENT
        matrix[b, places] = codes
    return matrix


# -- names -----------------------------------------------------------------------------------
def check_run_names(labels: tuple[Any, ...], count: int, names: Any,
                    what: str = "clusterings") -> None:
    """Raise unless there are `count` distinct strings; `names` is the user's input."""
    if isinstance(names, str):
        raise ClusteringError(f"names is the string {names!r}; a list of names is needed")
    if len(labels) != count:
        raise ClusteringError(f"names has {len(labels)} names for {count} {what}; "
                              "give one name each")
    for label in labels:
        if not isinstance(label, str):
            raise ClusteringError(f"the name {label!r} is of type {type(label).__name__}; names "
                                  f"must be strings, such as {str(label)!r}: numbers are positions")
    if len(set(labels)) != count:
        twice = next(v for v in labels if labels.count(v) > 1)
        raise ClusteringError(f"the name {twice!r} is repeated; names must be distinct")


# -- reading ----------------------------------------------------------------------------------
def _absent_number(absent_label: Any) -> int | None:
    if absent_label is None:
        return None
    try:
        return as_index(absent_label)
    except TypeError:
        raise TypeError(f"absent_label is {shown(absent_label)}; a whole number, or None when only "
                        "missing entries are absent, is needed") from None


def _run_names(names: Iterable[str] | None, defaults: Iterable[str]) -> tuple[str, ...]:
    defaults = tuple(defaults)
    if not defaults:
        raise ClusteringError("labels holds no run; at least one is needed")
    run_names = defaults if names is None or isinstance(names, str) else tuple(names)
    check_run_names(run_names, len(defaults), names, "runs")
    return tuple(str(v) for v in run_names)


def _matrix(labels: Any) -> np.ndarray | None:
    """A plain numeric matrix as it is, with nan for masked entries; None for anything else."""
    if not isinstance(labels, np.ndarray):
        return None
    if labels.ndim != 2:
        raise ClusteringError(f"labels has shape {labels.shape}; (runs, objects) is needed"
                              + (": for a single run give labels[None]" if labels.ndim == 1
                                 else ""))
    if 0 in labels.shape:
        raise ClusteringError(f"labels has shape {labels.shape}; at least one run and one object "
                              "are needed")
    if isinstance(labels, np.ma.MaskedArray):
        if labels.dtype.kind not in "iuf":
            return None
        return np.where(np.ma.getmaskarray(labels), np.nan, labels.data)
    return labels if labels.dtype.kind in "iuf" else None


def _columns(labels: Any) -> tuple[list[Any], list[str]]:
    """Runs and their names from a frame, a mapping or a list."""
    if (columns := run_columns(labels)) is not None:
        return columns
    if hasattr(labels, "items") and hasattr(labels, "keys"):
        return list(labels.values()), list(labels)
    if isinstance(labels, (Clustering, str, bytes)):
        raise ClusteringError(f"labels is a {type(labels).__name__}; a list of runs is needed")
    try:
        runs = list(labels)
    except TypeError:
        raise ClusteringError(f"labels is of type {type(labels).__name__}; a matrix (runs, "
                              "objects), a DataFrame or a list of runs is needed") from None
    return runs, [str(b) for b in range(len(runs))]


def _read(run: Any, name: str) -> np.ndarray:
    """One run as int64, or as float64 with nan for missing labels."""
    if isinstance(run, Clustering):
        return run.as_hard(f"run {name!r}").labels
    try:
        if np.ndim(run) == 0:
            raise ClusteringError(f"{run!r} is not a list of labels; a row of labels is needed, "
                                  "one per object (for a single run give [labels])")
        missing, known = known_labels(run)
        if missing is not None and missing.all():
            return np.full(missing.size, np.nan)
        values = label_values(known)
    except ClusteringError as error:
        raise ClusteringError(f"run {name!r}: {error}") from None
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "iu":
        kind = values.dtype if isinstance(values, np.ndarray) else type(values[0]).__name__
        raise ClusteringError(f"run {name!r} has labels of type {kind}; whole numbers are "
                              "needed: pandas.factorize(labels)[0] makes them, -1 for missing")
    if missing is None:
        return values
    values_or_nan = np.full(missing.size, np.nan)
    values_or_nan[~missing] = values
    return values_or_nan


def _checked(labels: np.ndarray, absent: int | None, name: str) -> np.ndarray:
    """Whole numbers >= 0 as int64, -1 for absent objects."""
    gone = np.isnan(labels) if labels.dtype.kind == "f" else np.zeros(labels.shape, np.bool_)
    if absent is not None:
        gone |= labels == absent
    known = np.where(gone, 0, labels)
    if known.dtype.kind == "f":
        broken = (known != np.trunc(known)) | (np.abs(known) >= MAX_EXACT_FLOAT)
        _raise_at(broken, labels, name, "whole numbers below 2**53, or nan for absent, are needed")
    _raise_at(known < 0, labels, name,
              "labels must be >= 0: give absent_label= for the label that means absent; noise is "
              "not absence, treat it first with align(..., noise=)")
    if known.dtype == np.uint64 and known.max() > np.iinfo(np.int64).max:
        known = np.unique(known, return_inverse=True)[1].reshape(-1)
    known = known.astype(np.int64)
    known[gone] = ABSENT
    return known


def _raise_at(wrong: np.ndarray, labels: np.ndarray, name: str, needed: str) -> None:
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        raise ClusteringError(f"run {name!r} has the label {labels[i]:g} for object {i}; {needed}")
