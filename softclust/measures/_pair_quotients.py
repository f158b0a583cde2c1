"""Indices as quotients of pair counts, which may be fuzzy: (numerator, denominator)."""

from __future__ import annotations

import math

from .._records import PairCounts


def rand(p: PairCounts) -> tuple[float, float]:
    """Share of agreeing pairs."""
    return p.n11 + p.n00, p.n_pairs


def adjusted_rand(p: PairCounts) -> tuple[float, float]:
    """Hubert and Arabie's correction of the Rand index."""
    a, b, c, d = p.n11, p.n10, p.n01, p.n00
    return 2 * (a * d - b * c), b * b + c * c + 2 * a * d + (a + d) * (b + c)


def jaccard(p: PairCounts) -> tuple[float, float]:
    """Joined pairs of both among those of either."""
    return p.n11, p.n11 + p.n10 + p.n01


def fowlkes_mallows(p: PairCounts) -> tuple[float, float]:
    """Joined pairs of both over the geometric mean of those of each."""
    return p.n11, math.sqrt(p.n11 + p.n10) * math.sqrt(p.n11 + p.n01)


def gamma(p: PairCounts) -> tuple[float, float]:
    """Correlation of "same" in x and in y."""
    n, first, second = p.n_pairs, p.n11 + p.n10, p.n11 + p.n01
    margins = [math.sqrt(max(v, 0.0)) for v in (first, second, n - first, n - second)]
    return n * p.n11 - first * second, math.prod(margins)


def minkowski(p: PairCounts) -> tuple[float, float]:
    """Squared Minkowski measure, reference x."""
    return p.n10 + p.n01, p.n11 + p.n10
