"""How much measures vary when the objects of one side are permuted at random."""

from __future__ import annotations

import math

from ..measures.statistic import Source
from .contingency import Contingency
from .table_moments import pair_moments

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
