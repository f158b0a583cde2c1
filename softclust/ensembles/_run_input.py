"""Ready runs as the functions of stability take them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_weights
from .._parallel import run_chunks
from ..clusterings import Ensemble
from . import _kernels


def as_runs(runs: Any, name: str = "runs", *, least: int = 1) -> Ensemble:
    """`runs` as labels of `least` runs or more; an error where labels are negative."""
    found = _read(runs, name)
    if found.n_runs < least:
        raise ClusteringError(f"{name} holds {found.n_runs} run; at least {least} are needed")
    return found


def _read(runs: Any, name: str) -> Ensemble:
    if isinstance(runs, np.ndarray) and runs.ndim == 2 and runs.dtype.kind in "iu":
        if runs.size and runs.min() < 0:
            raise ClusteringError(_negative(name, int(runs.min())))
    elif not isinstance(runs, Ensemble):
        runs = Ensemble(runs)
        check_labels(runs, name)
    return Ensemble.from_runs(runs)


def check_labels(members: Ensemble, name: str = "runs") -> None:
    """Raise where a hard clustering that was given as labels has negative ones."""
    for member in members:
        low = member.cluster_names[0] if member.hard_codes is not None else 0
        if isinstance(low, int) and low < 0:
            raise ClusteringError(_negative(name, low))


def _negative(name: str, label: int) -> str:
    return (f"{name} holds the label {label}, which may mean absent or noise: give "
            "Ensemble.from_runs(labels, absent_label=) for objects that a run does not hold, or "
            "Ensemble(labels, noise=) to say what noise is")


def run_weights(weights: Any, count: int) -> np.ndarray | None:
    """Weights of runs, finite and >= 0, not all 0; None where all are equal."""
    if weights is None:
        return None
    w = check_weights(weights, count, "runs")
    return None if (w == w[0]).all() else w


# -- pairs of runs: all of them, or a sample ------------------------------------------------------
#: pairs of runs up to which all are looked at
MOST = 5_000


def pairs_of_runs(count: int, rng: np.random.Generator, most: int = MOST) -> np.ndarray:
    """Pairs b < c of runs, (m, 2) int64: all, or `most` different ones drawn at random."""
    total = count * (count - 1) // 2
    if total <= most:
        first, second = np.triu_indices(count, 1)
        return np.column_stack([first, second]).astype(np.int64)
    places = np.sort(rng.choice(total, size=most, replace=False))
    # Pair t of the rows 0-1, 0-2, ..., 1-2, ...: row b begins at b (2 B - b - 1) / 2.
    starts = np.arange(count) * (2 * count - np.arange(count) - 1) // 2
    first = np.searchsorted(starts, places, side="right") - 1
    return np.column_stack([first, places - starts[first] + first + 1]).astype(np.int64)


# -- with whom runs put objects: tables against a reference, and the company of each object -------
#: entries of tables of several runs at once; objects of a chunk
_ENTRIES, _CHUNK = 1 << 22, 1 << 12


def run_tables(runs: Ensemble, codes: np.ndarray, clusters: int) -> Iterator[np.ndarray]:
    """Counts of each run, its clusters by those of the reference `codes`, (s, r) int64."""
    for labels, count in zip(runs.labels, runs.n_clusters):
        yield counted(labels, codes, count, clusters)


def counted(x: np.ndarray, y: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """Counts of the objects of both by label of x and label of y, (rows, columns) int64."""
    both = (x >= 0) & (y >= 0)
    cells = x[both].astype(np.int64) * columns + y[both]
    return np.bincount(cells, minlength=rows * columns).reshape(rows, columns)


def company(runs: Ensemble, codes: np.ndarray, clusters: int) -> np.ndarray:
    """How often each object is together with the others of each reference cluster, (n, r)."""
    n = runs.n_objects
    together, held = (np.zeros((n, clusters), dtype=np.int64) for _ in range(2))
    tables: list[np.ndarray] = []
    first = 0
    for b, table in enumerate(run_tables(runs, codes, clusters)):
        tables.append(table)
        if b + 1 == runs.n_runs or sum(t.size for t in tables) > _ENTRIES:
            _add(runs.labels[first:b + 1], tables, codes, together, held)
            tables, first = [], b + 1
    return ratio(together, held)


def _add(labels: np.ndarray, tables: list[np.ndarray], codes: np.ndarray, together: np.ndarray,
         held: np.ndarray) -> None:
    labels, codes = np.array(labels, dtype=np.int32), np.array(codes)
    starts = np.cumsum([0, *(t.shape[0] for t in tables)])[:-1]
    rows, sizes = np.concatenate(tables), np.array([t.sum(axis=0) for t in tables])
    run_chunks(lambda first, last: _kernels.runs.add_company(
        labels, starts, rows, sizes, codes, first, last, together, held), codes.size, _CHUNK)


def ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole, nan where whole is 0."""
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)
