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


def _falling(size: int, order: int) -> int:
    product = 1
    for k in range(order):
        product *= size - k
    return product


@dataclass(frozen=True, slots=True)
class _Placements:
    """Ways to place vertices of each type of graph, every component inside one cluster."""

    two: int
    three: int
    four: int
    two_two: int
    three_two: int
    two_two_two: int

    @classmethod
    def of(cls, sizes: np.ndarray) -> _Placements:
        power = dict.fromkeys(range(2, 7), 0)
        squares = cubes = two_three = two_four = 0
        for size, times in Counter(sizes.tolist()).items():
            f = {j: _falling(size, j) for j in range(2, 7)}
            for j, value in f.items():
                power[j] += times * value
            squares += times * f[2] ** 2
            cubes += times * f[2] ** 3
            two_three += times * f[2] * f[3]
            two_four += times * f[2] * f[4]
        two = power[2]
        apart = two * two - squares
        return cls(two, power[3], power[4], power[4] + apart,
                   power[5] + power[3] * two - two_three,
                   power[6] + 3 * (power[4] * two - two_four)
                   + two**3 - 3 * two * squares + 2 * cubes)


def pair_moments(a: np.ndarray, b: np.ndarray) -> JoinedPairsMoments:
    """Moments of n11 for cluster sizes a and b. Time O(r + s)."""
    n = int(sum(a.tolist()))
    x, y = _Placements.of(a), _Placements.of(b)

    def term(times: Fraction, u: int, v: int, vertices: int) -> Fraction:
        below = _falling(n, vertices)
        return times * Fraction(u * v, below) if below > 0 else Fraction(0)

    half, one = Fraction(1, 2), Fraction(1)
    mean = term(half, x.two, y.two, 2)
    second = (term(half, x.two, y.two, 2) + term(one, x.three, y.three, 3)
              + term(Fraction(1, 4), x.two_two, y.two_two, 4))
    third = (term(half, x.two, y.two, 2) + term(Fraction(3), x.three, y.three, 3)
             + term(Fraction(3, 4), x.two_two, y.two_two, 4) + term(one, x.three, y.three, 3)
             + term(one, x.four, y.four, 4) + term(Fraction(3), x.four, y.four, 4)
             + term(Fraction(3, 2), x.three_two, y.three_two, 5)
             + term(Fraction(1, 8), x.two_two_two, y.two_two_two, 6))
    variance = second - mean**2
    return JoinedPairsMoments(mean=mean, variance=variance,
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
#: objects below which the variance of n11 says nothing
_FEWEST = 5


def degrees(source: Source) -> int:
    """(r - 1)(s - 1), r and s the numbers of clusters that are not empty."""
    r, s = source.statistic(Contingency).n_used
    return (r - 1) * (s - 1)


def joined_sd(source: Source) -> float:
    """Standard deviation of the pairs together in both; 0 for fewer than 5 objects."""
    c = source.statistic(Contingency)
    return c.kept("sd of n11", lambda: pair_moments(c.a, c.b).sd if c.n >= _FEWEST else 0.0)


def information_sd(source: Source) -> float:
    """Standard deviation of the mutual information, of large samples."""
    return math.sqrt(2.0 * degrees(source)) / (2.0 * source.n_objects)
