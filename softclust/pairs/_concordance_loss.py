"""How far the distances of pairs of objects differ between two clusterings, on average."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import check_choice
from .._parallel import Progress
from ..measures.draws import Draws, objects_left_out
from ..measures.statistic import Replicates, Source, Statistic
from ..tables.pair_counts import PairCounts
from .moments import sides
from .row_distances import METRICS, Distances, concordance_rows, concordance_sums, distances

#: metrics in which objects of different hard clusters are at distance 1
REDUCING = ("total_variation", "maximum", "euclidean", "cosine")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcordanceLoss(Statistic):
    """Mean of |d1 - d2| over the pairs i < j, d1 and d2 the distances in x and in y."""

    mean: Any

    @classmethod
    def of(cls, source: Source, *, metric: str = "total_variation",
           progress: Progress | bool | None = None) -> ConcordanceLoss:
        """Over all pairs; of two hard clusterings from the pair counts."""
        check_choice("metric", metric, tuple(METRICS))
        if source.both_hard:
            p = source.statistic(PairCounts)
            return cls(mean=crisp_loss(source, metric, p) / p.n_pairs)
        return cls(mean=means(source, metric, progress)[0])

    @classmethod
    def left_out(cls, source: Source, *, metric: str = "total_variation") -> Replicates | None:
        """Without each object, O(n^2); of a sample of the objects where pairs are too many."""
        if source.both_hard:
            return cls._crisp(source, metric, source.without_each(PairCounts))
        n, objects = source.n_objects, objects_left_out(source.n_objects)
        rows = concordance_rows(*row_distances(source, metric), objects)
        total = source.statistic(cls, metric=metric).mean * source.n_pairs
        return Replicates(times=np.ones(objects.shape[0], np.int64), of_sample=len(objects) < n,
                          statistic=cls(mean=(total - rows) / ((n - 1) * (n - 2) / 2)))

    @classmethod
    def of_groups(cls, source: Any, *, metric: str = "total_variation",
                  progress: Progress | bool | None = None) -> ConcordanceLoss:
        """Over pairs of objects of different groups."""
        total, _, pairs, _ = cls._between(source, metric)
        return cls(mean=total / pairs)

    @classmethod
    def left_out_groups(cls, source: Any, *, metric: str = "total_variation") -> Replicates:
        """The same without each group, O(n^2)."""
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
    def resampled(cls, source: Source, draws: Draws, *, metric: str = "total_variation"
                  ) -> Replicates | None:
        """Of two hard clusterings whose objects are drawn again; None for others."""
        return (cls._crisp(source, metric, source.redrawn(PairCounts, draws))
                if source.both_hard else None)

    @classmethod
    def _crisp(cls, source: Source, metric: str, found: Replicates | None) -> Replicates | None:
        if found is None or found.lacking:
            return found
        p = found.statistic
        return Replicates(times=found.times, statistic=cls(
            mean=crisp_loss(source, metric, p) / p.n_pairs))


def crisp_distance(metric: str, n_clusters: int) -> float:
    """Distance of objects in two different hard clusters."""
    if metric in REDUCING:
        return 1.0
    ratio = 2.0 / n_clusters
    return ratio if metric == "manhattan" else math.sqrt(ratio)


def crisp_loss(source: Source, metric: str, p: PairCounts) -> float:
    """Sum of |d1 - d2| for two hard clusterings with (expected) pair counts p."""
    first, second = (crisp_distance(metric, c) for c in source.n_clusters)
    return p.n10 * second + p.n01 * first + p.n00 * abs(first - second)


def row_distances(source: Source, metric: str) -> tuple[Distances, Distances]:
    """Rows of both sides with the metric."""
    x, y = sides(source)
    return distances(x, metric), distances(y, metric)


def means(source: Source, metric: str, progress: Progress | bool | None = None
          ) -> tuple[float, float, float]:
    """Means over i < j of |d1 - d2|, d1, d2."""
    check_choice("metric", metric, tuple(METRICS))
    sums = source.kept(("concordance", metric), lambda: concordance_sums(
        *row_distances(source, metric), progress))
    a, b, c = (value / source.n_pairs for value in sums)
    return a, b, c
