"""Differences of distances of pairs, as observed and when objects are permuted at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import check_choice
from .._parallel import Progress
from .._random import as_generator
from ..measures.draws import Draws
from ..measures.statistic import Replicates, Source, Statistic
from ..tables.pair_counts import PairCounts
from ._concordance_loss import REDUCING, ConcordanceLoss, crisp_loss, means, row_distances
from ._pair_values import mean_gaps_of_pairs
from ._sampling import check_method, draw_pairs
from .row_distances import METRICS, check_pairs, gaps_of_others

#: pairs a side that may be sorted: some seconds
MAX_PAIRS = 5e7
#: pairs up to which the chance level is computed by sorting them without being asked
SORTED = 500_000
#: pairs a side whose distances are held to leave out each object
_HELD = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True)
class ConcordanceChance(Statistic):
    """Mean of |d1 - d2| over pairs of objects, and over all pairs of pairs.

    Attributes
    ----------
    mean : float
        Over the pairs i < j, d1 and d2 the distances in x and in y.
    expected : float
        d1 of any pair in x, d2 of any pair in y: the mean over all orders of the objects of y.
    """

    mean: Any
    expected: Any

    @classmethod
    def of(cls, source: Source, *, metric: str = "total_variation", method: str = "exact",
           max_pairs: float = MAX_PAIRS, n_pairs: int = 1_000_000, rng: Any = None,
           progress: Progress | bool | None = None) -> ConcordanceChance:
        """Over all pairs, or estimated from random ones."""
        check_method(method, n_pairs, rng)
        check_choice("metric", metric, tuple(METRICS))
        if method == "sampled":
            pairs = draw_pairs(source.n_objects, int(n_pairs), as_generator(rng))
            first, second = (z.of_pairs(pairs) for z in row_distances(source, metric))
            mean = float(np.abs(first - second).mean())
            return cls(mean=mean, expected=gaps_of_others(first, second)[0])
        expected = expected_loss(source, metric, max_pairs, progress)
        return cls(mean=source.statistic(ConcordanceLoss, metric=metric, progress=progress).mean,
                   expected=expected)

    @classmethod
    def left_out(cls, source: Source, *, metric: str = "total_variation", method: str = "exact",
                 **ignored: Any) -> Replicates | None:
        """Without each object, O(n^2 log n); None where the pairs are too many to hold."""
        if source.both_hard:
            return cls._crisp(source, metric, source.without_each(PairCounts))
        if method == "sampled" or source.n_pairs > _HELD:
            return None
        n = source.n_objects
        one, two = (_square(z.of_all_pairs().make(0, -(-n // z.of_all_pairs().block)), n)
                    for z in row_distances(source, metric))
        left = source.n_pairs - (n - 1)
        whole = source.statistic(ConcordanceLoss, metric=metric).mean * source.n_pairs
        mean = (whole - np.abs(one - two).sum(axis=1)) / left
        if _linear(source, metric):
            a, b = ((z.sum() / 2.0 - z.sum(axis=1)) / left for z in (one, two))
            expected = a * (1.0 - b) + (1.0 - a) * b
        else:
            expected = _expected_without_each(one, two) / left**2
        return Replicates(times=np.ones(n, np.int64), statistic=cls(mean=mean, expected=expected))

    @classmethod
    def resampled(cls, source: Source, draws: Draws, *, metric: str = "total_variation",
                  **ignored: Any) -> Replicates | None:
        """Of two hard clusterings whose objects are drawn again; None for others."""
        return (cls._crisp(source, metric, source.redrawn(PairCounts, draws))
                if source.both_hard else None)

    @classmethod
    def _crisp(cls, source: Source, metric: str, found: Replicates | None) -> Replicates | None:
        if found is None or found.lacking:
            return found
        p = found.statistic
        return Replicates(times=found.times, first_order=found.first_order, statistic=cls(
            mean=crisp_loss(source, metric, p) / p.n_pairs,
            expected=crisp_loss(source, metric, p.permuted()) / p.n_pairs))


def expected_loss(source: Source, metric: str, max_pairs: float = MAX_PAIRS,
                  progress: Progress | bool | None = None) -> float:
    """Mean of |d1 - d2| over all pairs of pairs."""
    if source.both_hard:
        p = source.statistic(PairCounts)
        return float(crisp_loss(source, metric, p.permuted()) / p.n_pairs)
    if _linear(source, metric):
        _, a, b = means(source, metric, progress)
        return a * (1.0 - b) + (1.0 - a) * b

    def sort() -> float:
        check_pairs(source.n_pairs, max_pairs, "adjusted_concordance_index")
        x, y = row_distances(source, metric)
        return mean_gaps_of_pairs(x.of_all_pairs(), y.of_all_pairs(), progress)[0]
    return source.kept(("expected concordance", metric), sort)


def _linear(source: Source, metric: str) -> bool:
    """Whether distances of one side are 0 or 1, so that |d1 - d2| is linear in the other's."""
    return metric in REDUCING and "hard" in source.kinds


def _square(values: np.ndarray, n: int) -> np.ndarray:
    """The distances of all pairs i < j in a symmetric matrix (n, n)."""
    out = np.zeros((n, n))
    out[np.triu_indices(n, 1)] = values
    return out + out.T


def _expected_without_each(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Sums of |d1 - d2| over all pairs of pairs without object i, (n,).

    From the sum over all pairs of pairs goes what has i in the first pair, and what has it in the
    second; what has it in both was taken twice.
    """
    n = one.shape[0]
    upper = np.triu_indices(n, 1)
    a, b = np.sort(one[upper]), np.sort(two[upper])
    to_second, to_first = _sums_of_gaps(one, b), _sums_of_gaps(two, a)
    others = ~np.eye(n, dtype=bool)
    of_object = [np.sort(z[others].reshape(n, n - 1), axis=1) for z in (one, two)]
    twice = [_sums_of_gaps(p, q).sum() for p, q in zip(*of_object)]
    whole = to_second[upper].sum()
    first, second = (z.sum(axis=1, where=others) for z in (to_second, to_first))
    return whole - first - second + np.array(twice)


def _sums_of_gaps(values: np.ndarray, ordered: np.ndarray) -> np.ndarray:
    """Sum of |v - w| over all w of a sorted list, for each v."""
    below = np.concatenate([[0.0], np.cumsum(ordered)])
    count = np.searchsorted(ordered, values)
    return values * (2 * count - ordered.size) - 2.0 * below[count] + below[-1]
