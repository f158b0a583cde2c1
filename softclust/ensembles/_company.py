"""With whom runs put objects: tables against a reference, and the company of each object."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._parallel import run_chunks
from ..clusterings import Ensemble
from . import _kernels

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
