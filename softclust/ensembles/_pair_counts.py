"""Counts of runs for all pairs of objects: that hold both, that join them."""

from __future__ import annotations

import threading

import numpy as np

from .._checks import frozen
from .._parallel import progress_bar, run_chunks
from ..clusterings import Ensemble
from . import _kernels

#: byte compares of a chunk of rows, about a tenth of a second
_CHUNK = 1 << 30
#: rows of weighted sums at once
_ROWS = 64


def pair_table(labels: np.ndarray) -> np.ndarray:
    """Numbers of pairs by runs that hold both and runs that join them, (B + 1, B + 1)."""
    many, n = labels.shape
    table, lock = np.zeros((many + 1, many + 1), dtype=np.int64), threading.Lock()
    labels = np.array(labels, dtype=np.int32)
    size = max(1, _CHUNK // (n * many))

    def work(first: int, last: int) -> None:
        own, block = np.zeros_like(table), _kernels.runs.BLOCK
        _kernels.runs.count_pairs(labels, first, last, *np.empty((2, block), np.int32), own)
        with lock:   # whole numbers: the order does not matter
            table[:] += own

    with progress_bar(False, "coassociation", "n_draws= looks at some pairs only.") as show:
        run_chunks(work, n, size, progress=show)
    return table


def pair_sums(labels: np.ndarray, weights: np.ndarray, first: int, last: int
              ) -> tuple[np.ndarray, np.ndarray]:
    """Weights of the runs that join, and that hold, rows of objects and all, (rows, n) each.

    labels : (B, n) int32
    """
    together = np.empty((last - first, labels.shape[1]))
    held = np.empty_like(together)
    _kernels.runs.weigh_pairs(labels, weights, first, last, together, held)
    return together, held


def weighted_pairs(labels: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """S and C of all pairs i < j, by weight."""
    n, labels = labels.shape[1], np.array(labels, dtype=np.int32)
    parts = []
    for first in range(0, n, _ROWS):
        last = min(n, first + _ROWS)
        together, held = pair_sums(labels, weights, first, last)
        rows, columns = np.triu_indices(last - first, first + 1, n)
        parts.append((together[rows, columns], held[rows, columns]))
    both = [np.concatenate(part) for part in zip(*parts)]
    return both[0], both[1]


def distinct_ratios(together: np.ndarray, held: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct values S/C where C > 0, and how often each occurs."""
    known = held > 0
    values, counts = np.unique(together[known] / held[known], return_counts=True)
    return values, counts.astype(np.int64)


def matrix_of(runs: Ensemble, weights: np.ndarray | None) -> np.ndarray:
    """S/C of all pairs, (n, n), nan where C is 0; the diagonal is 1."""
    n = runs.n_objects
    w = np.ones(runs.n_runs) if weights is None else np.array(weights)
    labels = np.array(runs.labels, dtype=np.int32)
    found = np.empty((n, n))

    def work(first: int, last: int) -> None:
        together, held = pair_sums(labels, w, first, last)
        found[first:last] = np.divide(together, held, out=np.full(held.shape, np.nan),
                                      where=held > 0)

    run_chunks(work, n, _ROWS)
    np.fill_diagonal(found, 1.0)
    return frozen(found)
