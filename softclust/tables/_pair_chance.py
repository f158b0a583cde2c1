"""Means of pair-counting indices when the objects of y are permuted at random."""

from __future__ import annotations

import math

from ..measures.statistic import Source
from .contingency import Contingency, exact_squares
from .pair_counts import PairCounts


def _expected_n11(p: PairCounts) -> float:
    """Mean of n11 when the objects of y are permuted at random."""
    return (p.n11 + p.n10) * (p.n11 + p.n01) / p.n_pairs


def rand_chance(source: Source) -> float:
    """Mean of the Rand index when the objects of y are permuted at random."""
    p = source.statistic(PairCounts)
    joined = 2 * p.n11 + p.n10 + p.n01
    return (p.n_pairs - joined + 2 * _expected_n11(p)) / p.n_pairs


def adjusted_chance(source: Source) -> float:
    """0; but 1 where all permutations are equal partitions."""
    p = source.statistic(PairCounts)
    trivial = p.n11 + p.n10 in (0, p.n_pairs)
    return 1.0 if trivial and p.n10 == p.n01 == 0 else 0.0


def adjusted_fowlkes_mallows_chance(source: Source) -> float:
    """0; but 1 where all permutations are equal partitions, nan where all are undefined."""
    chance = fowlkes_mallows_chance(source)
    return adjusted_chance(source) if chance == chance else chance


def katz_powell_chance(source: Source) -> float:
    c = source.statistic(Contingency)
    a, b = exact_squares(c.a, c.n), exact_squares(c.b, c.n)
    if c.n**2 in (a, b):
        return 1.0 if a == b else math.nan
    squares = c.n + 2.0 * _expected_n11(source.statistic(PairCounts))
    return ((c.n**2 * squares - a * b)
            / (math.sqrt(a * (c.n**2 - a)) * math.sqrt(b * (c.n**2 - b))))


def fowlkes_mallows_chance(source: Source) -> float:
    p = source.statistic(PairCounts)
    if p.n11 + p.n10 == 0 or p.n11 + p.n01 == 0:
        return 1.0 if p.n10 == p.n01 == 0 else math.nan
    return math.sqrt((p.n11 + p.n10) * (p.n11 + p.n01)) / p.n_pairs
