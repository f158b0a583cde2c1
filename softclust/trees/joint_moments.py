"""Moments of the pairs that two cuts join, over permutations of the objects.

F_j is the sum over clusters of size (size - 1) ... (size - j + 1). With n^(j) likewise, the
moments of n11 are sums over how two or three pairs may share objects; whole numbers of any size
and one division, because floating point would cancel.
"""

from __future__ import annotations

from math import lcm
from typing import Any

import numpy as np

from .dendrogram import Dendrogram

#: orders of the falling sums that are kept
FALLING = (2, 3, 4, 5, 6)


def falling_sums(tree: Dendrogram, merges: np.ndarray, orders: tuple[int, ...] = FALLING[:3]
                 ) -> np.ndarray:
    """F_j of `orders` after so many merges, (orders, g) of Python integers."""
    m = tree.checked
    n, size = tree.n_objects, tree.intervals[0]
    found = np.empty((len(orders), merges.size), dtype=object)
    for row, j in enumerate(orders):
        if n ** j >= 1 << 62:
            size = size.astype(object)
        grown = _falling(size[n:], j) - _falling(size[m.left], j) - _falling(size[m.right], j)
        found[row] = np.concatenate([[0], np.cumsum(grown)])[merges]
    return found


def _falling(size: np.ndarray, j: int) -> np.ndarray:
    product = size
    for i in range(1, j):
        product = product * (size - i)
    return product


def joined_moments(n: int, x: np.ndarray, y: np.ndarray, third: bool = False
                   ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, standard deviation and skewness (nan unless `third`) of n11, (g,) float64 each."""
    down = [1]
    for i in range(6):
        down.append(down[-1] * (n - i))
    mean_top = x[0] * y[0]                      # mean = this / (2 n^(2))
    # Two ordered pairs: the same one, adjacent ones, ones apart.
    second = [(mean_top, 2 * down[2]), (x[1] * y[1], down[3]),
              (_apart(x) * _apart(y), 4 * down[4])]
    mean = _divided(mean_top, 2 * down[2])
    variance = _combined([*second, (-mean_top * mean_top, 4 * down[2] * down[2])])
    sd = np.sqrt(np.maximum(variance, 0.0))
    skew = np.full(sd.shape, np.nan)
    if third:
        # Three: how the types of three pairs share objects, with the number of orders of each.
        cubes = [(mean_top, 2 * down[2]), (3 * x[1] * y[1], down[3]),
                 (3 * _apart(x) * _apart(y), 4 * down[4]), (x[1] * y[1], down[3]),
                 (x[2] * y[2], down[4]), (3 * x[2] * y[2], down[4]),
                 (3 * _two_and_three(x) * _two_and_three(y), 2 * down[5]),
                 (_three_apart(x) * _three_apart(y), 8 * down[6])]
        mixed = [(-3 * mean_top * top, 2 * down[2] * below) for top, below in second]
        central = _combined([*cubes, *mixed,
                             (2 * mean_top * mean_top * mean_top, 8 * down[2] ** 3)])
        with np.errstate(divide="ignore", invalid="ignore"):
            skew = np.where(sd > 0, central / sd ** 3, 0.0)
    return mean, sd, skew


def _apart(f: np.ndarray) -> Any:
    """Ordered placements of two pairs without a common object."""
    return f[0] * f[0] - 4 * f[1] - 2 * f[0]


def _two_and_three(f: np.ndarray) -> Any:
    """A path of two pairs and a pair apart."""
    return f[1] * f[0] - 6 * f[2] - 6 * f[1]


def _three_apart(f: np.ndarray) -> Any:
    """Three pairs apart: in one cluster, in two, in three."""
    two_two = f[2] + 4 * f[1] + 2 * f[0]                       # sum of (a^(2))^2
    four_two = f[4] + 8 * f[3] + 12 * f[2]                     # sum of a^(4) a^(2)
    twos = f[4] + 12 * f[3] + 38 * f[2] + 32 * f[1] + 4 * f[0]   # sum of (a^(2))^3
    return (f[4] + 3 * (f[2] * f[0] - four_two)
            + f[0] ** 3 - 3 * f[0] * two_two + 2 * twos)


def _combined(terms: list[tuple[Any, int]]) -> np.ndarray:
    """Sum of top / below in whole numbers; terms with n^(j) = 0 are left out."""
    kept = [(top, below) for top, below in terms if below]
    common = lcm(*(below for _, below in kept))
    total = sum(top * (common // below) for top, below in kept)
    return _divided(total, common)


def _divided(top: Any, below: int) -> np.ndarray:
    """Whole numbers over one whole number, each rounded once."""
    return np.array([int(t) / below for t in top], dtype=np.float64)
