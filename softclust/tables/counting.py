"""Counts of the objects with each pair of labels: a dense table, or a list of cells."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..clusterings.labels import sampled_range
from ..running.threads import Progress, run_chunks
from . import _kernels

#: a dense table may have four cells per object, or up to a million if at most 64 per object
#: (emptying more cells than that takes longer than sorting the objects)
DENSE_CELLS_PER_OBJECT = 4
DENSE_CELLS = 1_000_000
DENSE_CELLS_AT_MOST = 64
#: up to this many objects numpy counts, so that small clusterings need not wait for numba
SMALL = 1024
#: and in a table up to this many cells
FEW_CELLS = 4096
#: from this many objects on plain labels are counted without coding them first
LABELS_FROM = 1 << 14
#: beyond this many cells counting is not dense, and `Contingency.dense` raises (1 GiB of int64)
MOST_DENSE_CELLS = 1 << 27
#: objects that are counted at a time, and cells of four tables that fit the second-level cache
_BLOCK, _TURNS_CELLS = 1 << 13, 1 << 18
_OBJECTS_AT_ONCE = 1 << 31


# -- exact sums of whole numbers -------------------------------------------------------------------
#: sums in double precision below which those of int64 do not overflow
_FITS = 2.0**62


def exact_dot(u: np.ndarray, v: np.ndarray) -> int:
    """Sum of u * v of whole numbers from 0 to 2^63 - 1, as an exact Python integer."""
    if not u.size or float(u.max()) * v.sum(dtype=np.float64) < _FITS:
        return int(np.dot(u.astype(np.int64), v.astype(np.int64)))
    return int(np.dot(u.astype(object), v.astype(object)))


def exact_total(values: np.ndarray) -> int:
    """Sum of whole numbers from 0 to 2^63 - 1, as an exact Python integer."""
    if values.sum(dtype=np.float64) < _FITS:
        return int(values.sum(dtype=np.int64))
    return int(values.astype(object).sum())


# -- tables ----------------------------------------------------------------------------------------
class Cells(NamedTuple):
    """The non-zero cells of a table in row-major order, and its margins; all int64."""

    rows: np.ndarray
    cols: np.ndarray
    counts: np.ndarray
    a: np.ndarray
    b: np.ndarray


def count_labels(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """The table of two arrays of integer labels, read once and never coded, and its labels.

    None where that does not pay off or is impossible: few objects, labels in a wide range, other
    arrays. The same as that of their codes.
    """
    n = x.shape[0]
    if n < LABELS_FROM:
        return None
    (low_x, high_x), (low_y, high_y) = sampled_range(x), sampled_range(y)
    for exact in (False, True):
        if exact:
            low_x, high_x = int(x.min()), int(x.max())
            low_y, high_y = int(y.min()), int(y.max())
        r, s = high_x - low_x + 1, high_y - low_y + 1
        if not fits(r * s, n):
            return None
        table = count_dense(x, y, low_x, low_y, r, s)
        if table is not None:
            used = [np.flatnonzero(table.any(axis=axis)) for axis in (1, 0)]
            if (len(used[0]), len(used[1])) != (r, s):
                table = np.ascontiguousarray(table[np.ix_(*used)])
            return table, used[0] + low_x, used[1] + low_y
    raise AssertionError("no label is outside the exact range")


def cross_counts(x: np.ndarray, y: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """Objects by codes of x and of y, (rows, columns) int64; without those of negative code."""
    both = (x >= 0) & (y >= 0)
    cells = x[both].astype(np.int64) * columns + y[both]
    return np.bincount(cells, minlength=rows * columns).reshape(rows, columns)


def count_few(x: np.ndarray, y: np.ndarray) -> Cells | None:
    """The cells of two arrays of up to `SMALL` integer labels; None for labels in a wide range."""
    low_x, low_y = int(x.min()), int(y.min())
    r, s = int(x.max()) - low_x + 1, int(y.max()) - low_y + 1
    if r * s > FEW_CELLS:
        return None
    table = np.bincount((x - low_x) * s + (y - low_y), minlength=r * s).reshape(r, s)
    a, b = table.sum(axis=1), table.sum(axis=0)
    if not (a.all() and b.all()):
        table, a, b = table[a > 0][:, b > 0], a[a > 0], b[b > 0]
    rows, cols = table.nonzero()
    return Cells(rows, cols, table[rows, cols], a, b)


def is_dense(cells: int, n: int) -> bool:
    """Test whether the pairs of n objects are counted, and added up, in a dense table."""
    return n > SMALL and fits(cells, n)


def fits(cells: int, n: int) -> bool:
    """Test whether a table with this many cells may be dense."""
    limit = max(DENSE_CELLS_PER_OBJECT * n, min(DENSE_CELLS, DENSE_CELLS_AT_MOST * n))
    return cells <= min(limit, MOST_DENSE_CELLS)


def count_dense(x: np.ndarray, y: np.ndarray, low_x: int, low_y: int, r: int, s: int
                ) -> np.ndarray | None:
    """Counts of the cells of labels from low_x and low_y on, (r, s); None if one is outside."""
    n = x.shape[0]
    if n > _OBJECTS_AT_ONCE:   # counters have 32 bits
        parts = [count_dense(x[i:i + _OBJECTS_AT_ONCE], y[i:i + _OBJECTS_AT_ONCE], low_x, low_y,
                             r, s) for i in range(0, n, _OBJECTS_AT_ONCE)]
        counted = [part for part in parts if part is not None]
        return None if len(counted) < len(parts) else np.array(counted, np.int64).sum(axis=0)
    tables = 4 if 4 * r * s <= _TURNS_CELLS else 1
    every: list[tuple[np.ndarray, np.ndarray]] = []
    idle: deque[tuple[np.ndarray, np.ndarray]] = deque()
    failed = False

    def work(start: int, stop: int) -> None:
        nonlocal failed
        # A thread takes tables that are free (deque is thread-safe) and gives them back.
        try:
            mine = idle.pop()
        except IndexError:
            mine = np.zeros(tables * r * s, np.uint8), np.zeros(r * s, np.uint32)
            every.append(mine)
        for block in range(start, stop):
            objects = slice(block * _BLOCK, (block + 1) * _BLOCK)
            failed = failed or _kernels.cells.count_cells(
                _writable(x[objects]), _writable(y[objects]), low_x, low_y, r, s, *mine) < 0
        idle.append(mine)

    blocks = -(-n // _BLOCK)
    run_chunks(work, blocks, min(max(16, blocks // 16), 1 << 11))
    if failed:
        return None
    total = every[0][1]
    total *= np.uint32(256)
    for counters, carries in every:
        if carries is not total:
            total += np.uint32(256) * carries
        for table in counters.reshape(tables, r * s):
            total += table
    return total.reshape(r, s)


def _writable(labels: np.ndarray) -> np.ndarray:
    """`labels` as writable int64: kernels are compiled for one kind of array."""
    if labels.dtype == np.int64 and labels.flags.writeable and labels.flags.c_contiguous:
        return labels
    return labels.astype(np.int64)


# -- many pairs of clusterings ----------------------------------------------------------------
#: steps of a kernel, and cells of all tables, of one task
_STEPS, _CELLS = 1 << 24, 1 << 20


def sweep_tables(labels: np.ndarray, pairs: np.ndarray,
                 use: Callable[[int, np.ndarray], object], *,
                 progress: Progress | None = None) -> bool:
    """Call ``use(first, tables)`` for the tables of counts of all pairs, some at a time.

    Parameters
    ----------
    labels : ndarray of shape (B, n), int64
        Clusters 0, 1, ... of the objects in each clustering; -1 for an object that is absent.
    pairs : ndarray of shape (P, 2), int64
        Which two rows of `labels`.
    use : callable
        Takes the position of the first pair and tables (p, K, K) int64 of that and the next ones,
        K the largest number of clusters; on threads, in any order.
    progress : callable, optional
        Called with (pairs_done, pairs_total).

    Returns
    -------
    bool
        False, and nothing done, where tables would be large beside the objects.

    Notes
    -----
    Time O(P (n + K^2)).
    """
    n = labels.shape[1]
    width = int(labels.max()) + 1
    if not fits(width * width, n):
        return False
    labels, pairs = (np.array(array, np.int64, order="C") for array in (labels, pairs))

    def work(start: int, stop: int) -> None:
        tables = np.zeros((stop - start, width, width), np.int64)
        _kernels.cells.count_objects(labels, pairs[start:stop], tables)
        use(start, tables)

    run_chunks(work, pairs.shape[0], max(1, min(_STEPS // n, _CELLS // width**2)),
               progress=progress)
    return True
