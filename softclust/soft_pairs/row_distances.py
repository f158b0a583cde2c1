"""A number for every pair of objects, computed again when needed and never stored for all.

The expectation of a loss |a - b| over all pairs of x and all pairs of y needs both lists of
numbers sorted. They are sorted in ranges of values: one pass counts them in bins, then each pass
collects and sorts what falls into some bins. Memory stays at `HELD` numbers, whatever the number
of pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice
from ..measures.resamples import Draws, objects_left_out
from ..measures.statistic import Replicates, Statistic
from ..running.threads import Progress, progress_bar, run_chunks
from ..tables.pair_counts import PairCounts
from .bilinear import column_sums
from .moments import MembershipColumns, sides
from .pair_rows import products, run_triangle

#: numbers collected and sorted at a time, of both sides together (a bin may hold more: 2^16
#: equal numbers are one bin), and numbers made at a time
HELD = 1 << 22
_MADE = 1 << 19
_BINS = 1 << 14
#: sorted numbers of x merged at a time
_VALUE_STEP = 1 << 14


@dataclass(frozen=True, slots=True, kw_only=True)
class PairValues:
    """Rule for the numbers of pairs: ``between(rows, columns)`` gives those of two slices."""

    n: int
    between: Callable[[slice, slice], np.ndarray]

    @property
    def n_pairs(self) -> int:
        """n(n - 1)/2."""
        return self.n * (self.n - 1) // 2

    def parts(self) -> list[tuple[int, int]]:
        """Ranges of blocks of rows with about `_MADE` pairs."""
        rows = np.arange(0, self.n, BLOCK)
        before = rows * (2 * self.n - rows - 1) // 2
        ends = np.unique(np.concatenate([
            np.searchsorted(before, np.arange(0, self.n_pairs, _MADE)), [rows.size]]))
        return [(int(a), int(b)) for a, b in pairwise(ends)]

    def make(self, first: int, stop: int) -> np.ndarray:
        """The numbers of the pairs i < j, i in the blocks first, ..., stop - 1, in order."""
        values = []
        for start in range(first * BLOCK, min(stop * BLOCK, self.n), BLOCK):
            end = min(start + BLOCK, self.n)
            right = np.arange(start, self.n) > np.arange(start, end)[:, None]
            values.append(self.between(slice(start, end), slice(start, self.n))[right])
        return np.concatenate(values)


def mean_gaps(parts: Iterable[Sequence[np.ndarray]], m: int, k: int) -> tuple[float, float]:
    """Means of |x_p - y_q| and max(x_p - y_q, 0) over all p and q, from sorted parts of m and k
    numbers. Both are integrals over z of products of the shares of x and y up to z.
    """
    whole = above = 0.0
    seen_x = seen_y = 0
    last: float | None = None
    for x, y in parts:
        cuts = np.arange(_VALUE_STEP, x.size, _VALUE_STEP)
        for one, two in zip(np.split(x, cuts), np.split(y, np.searchsorted(y, x[cuts]))):
            z = np.concatenate([one, two])
            if not z.size:
                continue
            order = np.argsort(z, kind="stable")
            z, of_x = z[order], order < one.size
            # numbers of x and y before each
            before_x: np.ndarray = np.cumsum(of_x) - of_x
            f = (seen_x + before_x) / m
            g = (seen_y + np.arange(z.size) - before_x) / k
            gaps = np.diff(z, prepend=z[0] if last is None else last)
            higher = gaps * (1.0 - f) * g
            above += float(higher.sum())
            whole += float((higher + gaps * f * (1.0 - g)).sum())
            seen_x, seen_y, last = seen_x + one.size, seen_y + two.size, z[-1]
    return whole, above


def mean_gaps_of_pairs(x: PairValues, y: PairValues,
                       progress: Progress | bool | None = False) -> tuple[float, float]:
    """Means of |a - b| and max(a - b, 0) over all pairs of x and all pairs of y."""
    edges = _edges(x, y) if x.n_pairs + y.n_pairs > HELD else np.array([-np.inf, np.inf])

    def inside(low: float, high: float) -> Callable[[np.ndarray], np.ndarray]:
        return lambda made: made[(made >= low) & (made < high)]

    def parts(show: Progress | None) -> Iterator[list[np.ndarray]]:
        for k, ends in enumerate(pairwise(edges)):
            yield [np.sort(np.concatenate(_over(side, inside(*ends)))) for side in (x, y)]
            if show is not None:
                show(k + 1, edges.size - 1)

    with progress_bar(progress, "pairs of pairs") as callback:
        return mean_gaps(parts(callback), x.n_pairs, y.n_pairs)


def _edges(x: PairValues, y: PairValues) -> np.ndarray:
    """Ends of ranges with about `HELD` numbers each, from counts in equal bins."""
    extremes = [ends for side in (x, y)
                for ends in _over(side, lambda made: (made.min(), made.max()))]
    low, high = min(v for v, _ in extremes), max(v for _, v in extremes)
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
    """Results of `look` for each part, in order."""
    parts = side.parts()
    results: list = [None] * len(parts)

    def work(start: int, stop: int) -> None:
        for k in range(start, stop):
            results[k] = look(side.make(*parts[k]))

    run_chunks(work, len(parts), 1)
    return results


# -- distances of all pairs of rows, compared between two sides; expectations over pairs of pairs -
#: distance, as SciPy calls it, and its factor for c clusters
METRICS = {
    "total_variation": ("cityblock", lambda c: 0.5), "maximum": ("chebyshev", lambda c: 1.0),
    "euclidean": ("euclidean", lambda c: math.sqrt(0.5)), "cosine": ("cosine", lambda c: 1.0),
    "manhattan": ("cityblock", lambda c: 1.0 / c),
    "euclidean_cube": ("euclidean", lambda c: math.sqrt(1.0 / c)),
}
#: rows of a block
BLOCK = 32
_STEP = 1 << 16  # sampled pairs at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Distances:
    """Rows of one side (n, c) and their distance; rows of length 1 for "cosine"."""

    x: np.ndarray
    norm: str
    scale: float

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.x.shape[0]

    def between(self, rows: Any, columns: slice) -> np.ndarray:
        """The distances of rows and columns."""
        from scipy.spatial.distance import cdist
        if self.norm == "cosine":
            return np.maximum(1.0 - products(self.x[rows].T, self.x[columns].T), 0.0)
        return cdist(self.x[rows], self.x[columns], self.norm) * self.scale

    def of_all_pairs(self) -> PairValues:
        """The distances of all pairs i < j."""
        return PairValues(n=self.n, between=self.between)

    def of_pairs(self, pairs: np.ndarray) -> np.ndarray:
        """The distances of the listed pairs (m, 2)."""
        out = np.empty(pairs.shape[0])
        for first in range(0, pairs.shape[0], _STEP):
            part = pairs[first:first + _STEP]
            u, v = self.x[part[:, 0]], self.x[part[:, 1]]
            gaps = np.abs(u - v)
            if self.norm == "cityblock":
                values = gaps.sum(axis=1)
            elif self.norm == "chebyshev":
                values = gaps.max(axis=1)
            elif self.norm == "euclidean":
                values = np.sqrt((gaps * gaps).sum(axis=1))
            else:
                values = np.maximum(1.0 - (u * v).sum(axis=1), 0.0)
            out[first:first + _STEP] = self.scale * values
        return out


def distances(side: MembershipColumns, metric: str) -> Distances:
    """One side with a metric of `METRICS`."""
    norm, factor = METRICS[metric]
    rows = side.unit_rows() if metric == "cosine" else side
    return Distances(x=rows.dense(), norm=norm, scale=factor(side.n_clusters))


def concordance_sums(x: Distances, y: Distances, progress: Progress | bool | None = False
                     ) -> tuple[float, float, float]:
    """Sums over i < j of |d1 - d2|, d1 and d2, O(n^2 (r + s)) time, O(n (r + s)) memory."""
    sums = np.empty((-(-x.n // BLOCK), 3))

    def work(start: int, stop: int) -> None:
        for block in range(start, stop):
            rows = slice(block * BLOCK, min((block + 1) * BLOCK, x.n))
            d1, d2 = (np.triu(z.between(rows, slice(rows.start, x.n)), 1) for z in (x, y))
            sums[block] = np.abs(d1 - d2).sum(), d1.sum(), d2.sum()

    run_triangle(work, x.n, BLOCK, x.x.shape[1] + y.x.shape[1] + 8, progress=progress)
    a, b, c = column_sums(sums).tolist()
    return a, b, c


def concordance_rows(x: Distances, y: Distances, objects: np.ndarray) -> np.ndarray:
    """Sums of |d1 - d2| over the pairs of each of these objects, (m,). O(m n (r + s))."""
    out = np.empty(objects.shape[0])

    def work(start: int, stop: int) -> None:
        d1, d2 = (z.between(objects[start:stop], slice(None)) for z in (x, y))
        out[start:stop] = np.abs(d1 - d2).sum(axis=1)

    run_chunks(work, objects.shape[0], BLOCK)
    return out


def gaps_of_others(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Compute `mean_gaps` over p != q, unbiased for pairs drawn independently."""
    m, d = x.size, x - y
    of_pairs = float(np.abs(d).sum()), float(np.maximum(d, 0.0).sum())
    means = mean_gaps([(np.sort(x), np.sort(y))], m, m)
    whole, above = ((m * m * mean - total) / (m * (m - 1.0))
                    for mean, total in zip(means, of_pairs))
    return whole, above


def check_pairs(n_pairs: int, max_pairs: float, measure: str) -> None:
    """Raise ClusteringError if sorting all pairs would take longer than allowed."""
    if n_pairs > max_pairs:
        raise ClusteringError(
            f"{measure} sorts {n_pairs} numbers per side, in several passes over all pairs, for an "
            f"exact expectation; max_pairs is {max_pairs:g}: raise it, or take "
            'method="sampled" for an estimate from n_pairs random pairs')


# -- how far the distances of pairs of objects differ between two clusterings, on average ---------
#: metrics in which objects of different hard clusters are at distance 1
REDUCING = ("total_variation", "maximum", "euclidean", "cosine")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcordanceLoss(Statistic):
    """Mean of |d1 - d2| over the pairs i < j, d1 and d2 the distances in x and in y."""

    mean: Any

    @classmethod
    def of(cls, source: Any, *, metric: str = "total_variation",
           progress: Progress | bool | None = False) -> ConcordanceLoss:
        """Statistic over all pairs; for two hard clusterings from the pair counts."""
        check_choice("metric", metric, tuple(METRICS))
        if source.both_hard:
            return cls._crisp(source, metric)(source.statistic(PairCounts))
        return cls(mean=means(source, metric, progress)[0])

    @classmethod
    def left_out(cls, source: Any, *, metric: str = "total_variation") -> Replicates | None:
        """Without each object, O(n^2); of a sample of the objects where pairs are too many."""
        if source.both_hard:
            return source.without_each(PairCounts).mapped(cls._crisp(source, metric))
        n, objects = source.n_objects, objects_left_out(source.n_objects)
        rows = concordance_rows(*row_distances(source, metric), objects)
        total = source.statistic(cls, metric=metric).mean * source.n_pairs
        return Replicates(times=np.ones(objects.shape[0], np.int64), of_sample=len(objects) < n,
                          statistic=cls(mean=(total - rows) / ((n - 1) * (n - 2) / 2)))

    @classmethod
    def of_groups(cls, source: Any, *, metric: str = "total_variation",
                  progress: Progress | bool | None = False) -> ConcordanceLoss:
        """Statistic over pairs of objects of different groups."""
        total, _, pairs, _ = cls._between(source, metric)
        return cls(mean=total / pairs)

    @classmethod
    def left_out_groups(cls, source: Any, *, metric: str = "total_variation") -> Replicates:
        """Statistic without each group, O(n^2)."""
        total, without, pairs, left = cls._between(source, metric)
        return Replicates(times=np.ones(source.n_groups, np.int64),
                          statistic=cls(mean=(total - without) / (pairs - left)))

    @classmethod
    def _between(cls, source: Any, metric: str) -> tuple[float, Any, float, Any]:
        """Loss of all pairs of different groups and of those that each group is in, and numbers
        of these pairs."""
        def compute() -> tuple[float, Any, float, Any]:
            plain, n, sizes = source.plain, source.n_objects, source.sizes
            rows = concordance_rows(*row_distances(plain, metric), np.arange(n))
            inside = np.zeros(source.n_groups)
            for g in np.flatnonzero(sizes > 1):
                part = plain.objects.subset(np.flatnonzero(source.groups == g))
                inside[g] = cls.of(part, metric=metric).mean * part.n_pairs
            by_group = np.bincount(source.groups, weights=rows, minlength=source.n_groups)
            return (float(rows.sum() / 2 - inside.sum()), by_group - 2.0 * inside,
                    float(n * n - sizes @ sizes) / 2, sizes * (n - sizes))

        return source.kept(("between groups", metric), compute)

    @classmethod
    def resampled(cls, source: Any, draws: Draws, *, metric: str = "total_variation"
                  ) -> Replicates | None:
        """Statistic of two hard clusterings whose objects are drawn again; None for others."""
        return (source.redrawn(PairCounts, draws).mapped(cls._crisp(source, metric))
                if source.both_hard else None)

    @classmethod
    def _crisp(cls, source: Any, metric: str) -> Callable[[PairCounts], ConcordanceLoss]:
        """The statistic of two hard clusterings by their pair counts."""
        return lambda p: cls(mean=crisp_loss(source, metric, p) / p.n_pairs)


def crisp_distance(metric: str, n_clusters: int) -> float:
    """Distance of objects in two different hard clusters."""
    if metric in REDUCING:
        return 1.0
    ratio = 2.0 / n_clusters
    return ratio if metric == "manhattan" else math.sqrt(ratio)


def crisp_loss(source: Any, metric: str, p: PairCounts) -> float:
    """Sum of |d1 - d2| for two hard clusterings with (expected) pair counts p."""
    first, second = (crisp_distance(metric, c) for c in source.n_clusters)
    return p.n10 * second + p.n01 * first + p.n00 * abs(first - second)


def row_distances(source: Any, metric: str) -> tuple[Distances, Distances]:
    """Rows of both sides with the metric."""
    x, y = sides(source)
    return distances(x, metric), distances(y, metric)


def means(source: Any, metric: str, progress: Progress | bool | None = False
          ) -> tuple[float, float, float]:
    """Means over i < j of |d1 - d2|, d1, d2."""
    check_choice("metric", metric, tuple(METRICS))
    sums = source.kept(("concordance", metric), lambda: concordance_sums(
        *row_distances(source, metric), progress))
    a, b, c = (value / source.n_pairs for value in sums)
    return a, b, c
