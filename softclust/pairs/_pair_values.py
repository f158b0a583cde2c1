"""A number for every pair of objects, made again whenever it is needed and never stored for all.

The expectation of a loss |a - b| over all pairs of x and all pairs of y needs both lists of
numbers sorted. They are sorted in ranges of values: one pass counts them in bins, then each pass
collects and sorts what falls into some bins. Memory stays at `HELD` numbers, whatever the number
of pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .._parallel import Progress, progress_bar, run_chunks

#: numbers collected and sorted at a time, of both sides together (a bin may hold more: 2^16
#: equal numbers are one bin), and numbers made at a time
HELD = 1 << 22
_MADE = 1 << 19
_BINS = 1 << 14
#: sorted numbers of x merged at a time
_STEP = 1 << 14


@dataclass(frozen=True, slots=True, kw_only=True)
class PairValues:
    """How the numbers of pairs are made.

    Attributes
    ----------
    n : int
        Objects.
    fill : callable
        ``fill(first, stop, out)`` writes the pairs (i, j), i < j, of the units of rows first, ...,
        stop - 1 in order to `out`.
    block : int
        Rows of a unit.
    """

    n: int
    fill: Callable[[int, int, np.ndarray], object]
    block: int

    @property
    def n_pairs(self) -> int:
        """n(n - 1)/2."""
        return self.n * (self.n - 1) // 2

    def parts(self) -> list[tuple[int, int]]:
        """Ranges of units of about `_MADE` pairs."""
        rows = np.arange(0, self.n, self.block)
        before = rows * (2 * self.n - rows - 1) // 2
        ends = np.unique(np.concatenate([
            np.searchsorted(before, np.arange(0, self.n_pairs, _MADE)), [rows.size]]))
        return [(int(a), int(b)) for a, b in pairwise(ends)]

    def make(self, first: int, stop: int) -> np.ndarray:
        """The numbers of the units first, ..., stop - 1."""
        def before(unit: int) -> int:
            row = min(unit * self.block, self.n)
            return row * (2 * self.n - row - 1) // 2
        out = np.empty(before(stop) - before(first))
        self.fill(first, stop, out)
        return out


class MeanGaps:
    """Means of |x_p - y_q| and max(x_p - y_q, 0) over all p and q, from sorted parts of m and k
    numbers. Both are integrals over z of products of the shares of x and y up to z.
    """

    def __init__(self, m: int, k: int) -> None:
        self.m, self.k = m, k
        self.apart = self.above = 0.0
        self._seen_x = self._seen_y = 0
        self._last: float | None = None

    def add(self, x: np.ndarray, y: np.ndarray) -> None:
        """The next numbers of both, sorted."""
        cuts = np.arange(_STEP, x.size, _STEP)
        for one, two in zip(np.split(x, cuts), np.split(y, np.searchsorted(y, x[cuts]))):
            z = np.concatenate([one, two])
            if not z.size:
                continue
            order = np.argsort(z, kind="stable")
            z, of_x = z[order], order < one.size
            # numbers of x and y before each
            before_x: np.ndarray = np.cumsum(of_x) - of_x
            f = (self._seen_x + before_x) / self.m
            g = (self._seen_y + np.arange(z.size) - before_x) / self.k
            gaps = np.diff(z, prepend=z[0] if self._last is None else self._last)
            above = gaps * (1.0 - f) * g
            self.above += float(above.sum())
            self.apart += float((above + gaps * f * (1.0 - g)).sum())
            self._seen_x += one.size
            self._seen_y += two.size
            self._last = z[-1]


def mean_gaps_of_pairs(x: PairValues, y: PairValues,
                       progress: Progress | bool | None = None) -> tuple[float, float]:
    """Means of |a - b| and max(a - b, 0) over all pairs of x and all pairs of y."""
    means = MeanGaps(x.n_pairs, y.n_pairs)
    edges = _edges(x, y) if x.n_pairs + y.n_pairs > HELD else np.array([-np.inf, np.inf])
    with progress_bar(progress, "pairs of pairs") as show:
        for k in range(edges.size - 1):
            held = [_collected(side, edges[k], edges[k + 1]) for side in (x, y)]
            means.add(*held)
            if show is not None:
                show(k + 1, edges.size - 1)
    return means.apart, means.above


def _edges(x: PairValues, y: PairValues) -> np.ndarray:
    """Ends of ranges with about `HELD` numbers each, from counts in equal bins."""
    extremes = [_over(side, lambda values: (values.min(), values.max())) for side in (x, y)]
    low = min(v for found in extremes for v, _ in found)
    high = max(v for found in extremes for _, v in found)
    if not low < high:
        return np.array([-np.inf, np.inf])
    inner = np.linspace(low, high, _BINS + 1)[1:-1]

    def count(values: np.ndarray) -> np.ndarray:
        # searchsorted decides as the collection does: a bin is edge <= value < next edge
        return np.bincount(np.searchsorted(inner, values, side="right"), minlength=_BINS)

    total = sum(sum(_over(side, count)) for side in (x, y))
    groups = np.cumsum(total) // HELD
    cuts = inner[np.flatnonzero(np.diff(groups))]
    return np.concatenate([[-np.inf], cuts, [np.inf]])


def _over(side: PairValues, look: Callable[[np.ndarray], object]) -> list:
    """What `look` says of each part, in order."""
    parts = side.parts()
    found: list = [None] * len(parts)

    def work(start: int, stop: int) -> None:
        for k in range(start, stop):
            found[k] = look(side.make(*parts[k]))

    run_chunks(work, len(parts), 1)
    return found


def _collected(side: PairValues, low: float, high: float) -> np.ndarray:
    """The numbers in [low, high), sorted."""
    if low == -np.inf and high == np.inf:
        values = np.concatenate(_over(side, lambda made: made))
    else:
        values = np.concatenate(_over(
            side, lambda made: made[(made >= low) & (made < high)]))
    values.sort()
    return values
