"""Exact moments of the pairs together in both, when the objects of y are permuted.

Sums over types of two and three ordered pairs of objects, in integers; one division at the end,
because floats cancel.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..measures.statistic import Source
from .contingency import Contingency


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedPairsMoments:
    """Mean, variance and third central moment of n11, exact."""

    mean: Fraction
    variance: Fraction
    third: Fraction

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return _root(self.variance)

    @property
    def skewness(self) -> float:
        """Third central moment over the cubed standard deviation; nan where nothing varies."""
        if not self.variance:
            return float("nan")
        # Of equal degree: squared first, so that no float overflows.
        ratio = _root(self.third * self.third / self.variance**3)
        return ratio if self.third >= 0 else -ratio


def _root(value: Fraction) -> float:
    """Square root of a fraction of any size."""
    shift = (value.numerator.bit_length() - value.denominator.bit_length()) // 2
    scaled = value / Fraction(4) ** shift
    return float(float(scaled) ** 0.5) * 2.0**shift


#: vertices of the graphs of one, two and three pairs: components of 2, 3, 4, 2 + 2, 3 + 2 and
#: 2 + 2 + 2 vertices
_VERTICES = (2, 3, 4, 4, 5, 6)


def _placements(sizes: np.ndarray) -> tuple[int, ...]:
    """Ways to place the vertices of each graph, every component inside one cluster."""
    power, squares, cubes, two_three, two_four = [0] * 7, 0, 0, 0, 0
    for size, times in Counter(sizes.tolist()).items():
        for order in range(2, 7):
            power[order] += times * math.perm(size, order)
        two, three, four = math.perm(size, 2), math.perm(size, 3), math.perm(size, 4)
        squares += times * two**2
        cubes += times * two**3
        two_three += times * two * three
        two_four += times * two * four
    two = power[2]
    return (two, power[3], power[4], power[4] + two * two - squares,
            power[5] + power[3] * two - two_three,
            power[6] + 3 * (power[4] * two - two_four) + two**3 - 3 * two * squares + 2 * cubes)


def pair_moments(a: np.ndarray, b: np.ndarray) -> JoinedPairsMoments:
    """Moments of n11 for cluster sizes a and b. Time O(r + s)."""
    n, chances = sum(a.tolist()), []
    for u, v, vertices in zip(_placements(a), _placements(b), _VERTICES):
        chances.append(Fraction(u * v, math.perm(n, vertices)) if n >= vertices else Fraction(0))
    two, three, four, two_two, three_two, two_two_two = chances
    mean = two / 2
    second = mean + three + two_two / 4
    third = mean + 4 * three + 3 * two_two / 4 + 4 * four + 3 * three_two / 2 + two_two_two / 8
    return JoinedPairsMoments(mean=mean, variance=second - mean**2,
                              third=third - 3 * mean * second + 2 * mean**3)


def pearson_tails(moments: JoinedPairsMoments, n11: int) -> tuple[float, float]:
    """Chances of at least n11 and of at most n11, by Pearson's type III with these moments."""
    if not moments.variance:
        return 1.0, 1.0
    from scipy.stats import pearson3
    law: Any = pearson3(moments.skewness)
    half = Fraction(1, 2)

    def standard(value: Fraction) -> float:
        apart = value - moments.mean
        size = _root(apart * apart / moments.variance)
        return size if apart >= 0 else -size

    return (float(min(1.0, max(0.0, law.sf(standard(n11 - half))))),
            float(min(1.0, max(0.0, law.cdf(standard(n11 + half))))))


# -- how much measures vary -------------------------------------------------------------------
#: below this many objects the variance of n11 is not informative
_FEWEST = 5


def degrees(source: Source) -> int:
    """(r - 1)(s - 1), r and s the numbers of clusters that are not empty."""
    r, s = source.statistic(Contingency).n_used
    return (r - 1) * (s - 1)


def joined_sd(source: Source) -> float:
    """Standard deviation of the pairs together in both; 0 for fewer than 5 objects."""
    c = source.statistic(Contingency)
    if "sd of n11" not in c.memory:
        c.memory["sd of n11"] = (_root(pair_moments(c.a, c.b).variance) if c.n >= _FEWEST
                                 else 0.0)
    return c.memory["sd of n11"]


def information_sd(source: Source) -> float:
    """Standard deviation of the mutual information, of large samples."""
    return math.sqrt(2.0 * degrees(source)) / (2.0 * source.n_objects)
