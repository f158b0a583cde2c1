"""Measures as ratios whose level sets are linear in X, Y and W: Dinkelbach's rule.

A measure is at least (a distance: at most) lambda where beta (X + Y) - alpha W <= a constant. Where
y is complete, Y is that constant. Pair counts: exact rationals; logarithms: floats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .problem import Problem
from .values import LOGS, PAIRS, Expected, sums_of, values_of

#: measures whose level sets are linear, and do not depend on the level
LINEAR = ("rand_index", "rand_distance", "symmetric_difference_distance",
          "variation_of_information", "mutual_information")
#: ratios
RATIOS = ("adjusted_rand_index", "jaccard_index", "normalized_mutual_information",
          "normalized_variation_of_information")
Number = int | float | Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Cost beta (X + Y) - alpha W of a table: small where the clusterings are alike."""

    alpha: int | float
    beta: int | float
    pairs: bool

    def phi(self, t: int) -> int | float:
        """t^2 or t ln t."""
        if self.pairs:
            return t * t
        return t * math.log(t) if t > 0 else 0.0

    def of(self, table: np.ndarray) -> int | float:
        """The cost of a table."""
        cells = sum(self.phi(int(t)) for t in table.ravel())
        rows = sum(self.phi(int(t)) for t in table.sum(axis=1))
        columns = sum(self.phi(int(t)) for t in table.sum(axis=0))
        return self.beta * (rows + columns) - self.alpha * cells


def costs_at(name: str, level: Number, problem: Problem) -> Costs:
    """The costs whose level set at `level` is that of the measure."""
    pairs = name in PAIRS
    alpha: Number
    beta: Number
    if name == "mutual_information":
        alpha, beta = 1, 1
    elif name in LINEAR:
        alpha, beta = 2, 1
    elif name == "jaccard_index":
        alpha, beta = 1 + level, level
    elif name == "adjusted_rand_index":
        column_sums = problem.table.sum(axis=0) + problem.columns
        q = Fraction(int((column_sums * (column_sums - 1)).sum()), problem.n * (problem.n - 1))
        alpha, beta = Fraction(1), q * (1 - level) + Fraction(level) / 2
    elif name == "normalized_mutual_information":
        alpha, beta = 2.0, 2.0 - float(level)
    else:   # I / H(x, y) = 1 - the measure
        alpha, beta = 2.0 - float(level), 1.0
    if pairs:
        a, b = Fraction(alpha), Fraction(beta)
        unit = math.lcm(a.denominator, b.denominator)
        return Costs(alpha=int(a * unit), beta=int(b * unit), pairs=True)
    return Costs(alpha=float(alpha), beta=float(beta), pairs=False)


def level_of(name: str, table: np.ndarray) -> Number:
    """The measure of a table, exact for pair counts."""
    if name in LOGS:
        return float(values_of(name, sums_of(table[None]), Expected())[0])
    t = table.astype(object)
    n = int(t.sum())
    both, p, q = (int((v * (v - 1)).sum()) // 2 for v in (t, t.sum(axis=1), t.sum(axis=0)))
    m = n * (n - 1) // 2
    apart = p + q - 2 * both
    if name == "symmetric_difference_distance":
        return apart
    if name in ("rand_index", "rand_distance"):
        return Fraction(m - apart if name == "rand_index" else apart, m)
    if apart == 0:
        return 1
    if name == "fowlkes_mallows_index":
        return both / math.sqrt(p * q) if p * q else math.nan
    if name == "jaccard_index":
        return Fraction(both, p + q - both)
    return (both - Fraction(p * q, m)) / (Fraction(p + q, 2) - Fraction(p * q, m))
