"""How many objects share each pair of labels: a dense table, or a list of cells."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .. import _kernels
from .._checks import ClusteringError
from .._parallel import run_chunks
from ..clusterings.labels import sampled_range

#: a dense table may have four cells an object, or up to a million when that is at most 64 an
#: object (emptying more cells than that takes longer than sorting the objects)
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
#: objects are folded (see the kernel) while the folded table stays below this; four such tables
#: of bytes fill the first-level cache
_FOLDED_CELLS = 10_240
_FOLDED_FROM = 1 << 16


class Cells(NamedTuple):
    """The non-zero cells of a table in row-major order, and its margins; all int64."""

    rows: np.ndarray
    cols: np.ndarray
    counts: np.ndarray
    a: np.ndarray
    b: np.ndarray


def count_codes(x_codes: np.ndarray, r: int, y_codes: np.ndarray, s: int) -> np.ndarray | Cells:
    """Count the pairs of codes of the same objects.

    Parameters
    ----------
    x_codes : ndarray, shape (n,), unsigned integer
        Codes 0, ..., r - 1.
    r : int
    y_codes : ndarray, shape (n,), unsigned integer
        Codes 0, ..., s - 1.
    s : int

    Returns
    -------
    ndarray of shape (r, s), or Cells
        A table where that is small beside the objects, else its non-zero cells.

    Notes
    -----
    Time O(n + r s) and memory O(r s) per thread while r s <= max(4 n, 1e6); beyond that the
    pairs are sorted by counting: time and memory O(n + r + s).
    """
    n = x_codes.shape[0]
    if is_dense(r * s, n):
        return _count_codes(x_codes, y_codes, s, r * s).reshape(r, s)
    return _count_sorted(x_codes, r, y_codes, s)


def count_labels(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """The table of two arrays of integer labels, read once and never coded, and its labels.

    None where that does not pay or work: few objects, labels in a wide range, other arrays.
    The same as that of their codes.
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
        counts = _count_labels(x, y, low_x, low_y, r, s)
        if counts is not None:
            table = counts.reshape(r, s)
            used = [np.flatnonzero(table.any(axis=axis)) for axis in (1, 0)]
            if (len(used[0]), len(used[1])) != (r, s):
                table = np.ascontiguousarray(table[np.ix_(*used)])
            return table, used[0] + low_x, used[1] + low_y
    raise AssertionError("no label is outside the exact range")


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
    return _listed(table, a, b)


def _listed(table: np.ndarray, a: np.ndarray, b: np.ndarray) -> Cells:
    rows, cols = table.nonzero()
    return Cells(rows, cols, table[rows, cols], a, b)


def is_dense(cells: int, n: int) -> bool:
    """Whether the pairs of n objects are counted, and added up, in a dense table."""
    return n > SMALL and fits(cells, n)


def fits(cells: int, n: int) -> bool:
    """Whether a table with so many cells may be dense."""
    most = max(DENSE_CELLS_PER_OBJECT * n, min(DENSE_CELLS, DENSE_CELLS_AT_MOST * n))
    return cells <= min(most, MOST_DENSE_CELLS)


class _Counters:
    """Private tables of one thread, and the scratch that it needs."""

    def __init__(self, block: int, tables: int, width: int) -> None:
        self.numbers = np.empty(block, np.uint16 if width <= 1 << 16 else np.uint32)
        self.tables = np.zeros((tables, width), np.uint8)
        self.carries = np.zeros(width, np.uint32)
        self.carried = 0


def _total(counters: list[_Counters], n: int) -> np.ndarray:
    """The sum of all tables, (w,). Memory is touched only where it must be."""
    first = counters[0].tables
    if len(counters) == 1 and len(first) == 1 and not counters[0].carried:
        return first[0]
    total = np.zeros(first.shape[1], np.uint32 if n < 1 << 32 else np.int64)
    for c in counters:
        _kernels.counting.add_counts(c.tables, total)
        if c.carried:
            _kernels.counting.add_carries(c.carries, total)
    return total


def _count_dense(x: np.ndarray, y: np.ndarray, cells: int,
                 count: Callable[[_Counters, int, int, int], int]) -> np.ndarray | None:
    """Counts of cells, (cells,) uint8, uint32, or int64 from 2^32 objects.

    ``count(counters, folds, start, stop)`` counts blocks of objects and returns the number of
    carries, or -1 to give up: then the result is None.
    """
    n = x.shape[0]
    folds, width = 0, cells
    while n >= _FOLDED_FROM and folds < 3 and width * width <= _FOLDED_CELLS:
        folds, width = folds + 1, width * width
    # Small inputs take a small block: what is filled up in the last block is counted for nothing.
    block = _kernels.counting.BLOCK if n >= _kernels.counting.BLOCK else 4 * (-(-n // 4))
    tables = 4 if width <= _FOLDED_CELLS or _repeats(x, y) > 0.25 else 1
    counters: list[_Counters] = []
    idle: deque[_Counters] = deque()
    failed = False

    def work(start: int, stop: int) -> None:
        nonlocal failed
        if failed:
            return
        # A thread takes tables that are free (deque is thread-safe) and gives them back.
        try:
            mine = idle.pop()
        except IndexError:
            mine = _Counters(block, tables, width)
            counters.append(mine)
        carried = count(mine, folds, start, stop)
        failed |= carried < 0
        mine.carried += carried
        idle.append(mine)

    blocks = -(-n // block)
    # About a millisecond a chunk at least, so that starting threads pays; 0.1 s at most.
    run_chunks(work, blocks, min(max(128, blocks // 16), 1 << 15))
    if failed:
        return None
    counts = _total(counters, n)
    for fold in reversed(range(folds)):
        half = cells ** (2 ** fold)
        folded = counts.reshape(half, half)
        counts = folded.sum(axis=0, dtype=counts.dtype) + folded.sum(axis=1, dtype=counts.dtype)
    if tables == 4:
        counts[0] -= blocks * block - n
    return counts


def _count_codes(x: np.ndarray, y: np.ndarray, s: int, cells: int) -> np.ndarray:
    """Counts of the cells x * s + y."""
    def count(c: _Counters, folds: int, start: int, stop: int) -> int:
        return _kernels.counting.count_codes(x, y, s, cells, folds, c.numbers, c.tables,
                                             c.carries, start, stop)

    counts = _count_dense(x, y, cells, count)
    assert counts is not None   # codes are in their range
    return counts


def _count_labels(x: np.ndarray, y: np.ndarray, low_x: int, low_y: int, r: int, s: int
                  ) -> np.ndarray | None:
    """Counts of the cells of labels from low_x and low_y on; None if one is outside."""
    def count(c: _Counters, folds: int, start: int, stop: int) -> int:
        mask = (1 << 8 * c.numbers.itemsize) - 1
        return _kernels.counting.count_labels(x, y, low_x, low_y, r, s, mask, folds, c.numbers,
                                              c.tables, c.carries, start, stop)

    return _count_dense(x, y, r * s, count)


def _repeats(x: np.ndarray, y: np.ndarray, length: int = 2048) -> float:
    """Share of objects whose cell is that of one of the two before, from three samples."""
    n = x.shape[0]
    shares = []
    for first in (0, max(0, n // 2 - length), max(0, n - length)):
        u, v = x[first:first + length], y[first:first + length]
        same = (u[2:] == u[1:-1]) & (v[2:] == v[1:-1])
        same |= (u[2:] == u[:-2]) & (v[2:] == v[:-2])
        shares.append(same.mean() if same.size else 0.0)
    return float(np.mean(shares))


def _count_sorted(x: np.ndarray, r: int, y: np.ndarray, s: int) -> Cells:
    """The cells from sorted keys x * s + y: no table, time and memory O(n + r + s)."""
    n = x.shape[0]
    if r * s >= 1 << 63:
        raise ClusteringError(f"{r} by {s} clusters are more than can be numbered; "
                              "leave out empty clusters")
    if n <= SMALL:
        keys = x.astype(np.int64) * s + y
        if r * s <= FEW_CELLS:
            table = np.bincount(keys, minlength=r * s).reshape(r, s)
            return _listed(table, table.sum(axis=1), table.sum(axis=0))
        cells, counts = np.unique(keys, return_counts=True)
        rows, cols = np.divmod(cells, s)
        a, b = np.bincount(x, minlength=r), np.bincount(y, minlength=s)
    else:
        kernels = _kernels.counting
        keys, moved = np.empty(n, np.int64), np.empty(n, np.int64)
        kernels.sort_pairs(x, r, y, s, moved, keys)
        n_cells = int(kernels.count_runs(keys))
        rows, cols, counts = (np.empty(n_cells, np.int64) for _ in range(3))
        kernels.list_runs(keys, s, rows, cols, counts)
        a, b = np.zeros(r, np.int64), np.zeros(s, np.int64)
        kernels.add_margins(rows, cols, counts, a, b)
    return Cells(rows, cols, counts, a, b)
