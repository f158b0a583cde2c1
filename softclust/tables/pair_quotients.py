"""Indices as quotients of pair counts, which may be fuzzy: (numerator, denominator)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .pair_counts import PairCounts
from .quotient import root


def rand(p: PairCounts) -> tuple[Any, Any]:
    """Share of agreeing pairs."""
    return p.n11 + p.n00, p.n_pairs


def adjusted_rand(p: PairCounts) -> tuple[Any, Any]:
    """Hubert and Arabie's correction of the Rand index."""
    a, b, c, d = p.n11, p.n10, p.n01, p.n00
    return 2 * (a * d - b * c), b * b + c * c + 2 * a * d + (a + d) * (b + c)


def jaccard(p: PairCounts) -> tuple[Any, Any]:
    """Joined pairs of both among those of either."""
    return p.n11, p.n11 + p.n10 + p.n01


def fowlkes_mallows(p: PairCounts) -> tuple[Any, Any]:
    """Joined pairs of both over the geometric mean of those of each."""
    return p.n11, root(p.n11 + p.n10) * root(p.n11 + p.n01)


def gamma(p: PairCounts) -> tuple[Any, Any]:
    """Correlation of "same" in x and in y."""
    n, first, second = p.n_pairs, p.n11 + p.n10, p.n11 + p.n01
    under: Any = 1
    for margin in (first, second, n - first, n - second):
        under = under * root(np.maximum(margin, 0.0) if isinstance(margin, np.ndarray)
                             else max(margin, 0.0))
    return n * p.n11 - first * second, under


def minkowski(p: PairCounts) -> tuple[Any, Any]:
    """Squared Minkowski measure, reference x."""
    return p.n10 + p.n01, p.n11 + p.n10
