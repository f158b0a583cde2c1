"""A lower bound of the closest disagreeing pairs, by chords of the contingency table.

Two hard clusterings with sizes r, s and contingency table T disagree on
(|r|^2 + |s|^2) / 2 - |T|^2 pairs. Whatever the coupling, a cell T = T_ab is at most M, the
number of objects that may have label a on one side or label b on the other, whichever is
rarer; it is at least N, the number that must have both. So T^2 lies below a line in three ways:

- the chord of two fixed numbers, what lies outside of them added in expectation;
- T^2 <= M^2 - (M + N)(M - T), where M + N falls below a number only rarely;
- T^2 <= N^2 + (M + N)(T - N), where M + N exceeds a number only rarely.

|r|^2 lies above its tangents (its mean is known where a side is fuzzy), and the pairs lie above
a sum over objects of weights w(a, b): its least mean is a small transport for each object.

Proof of the lines. M and N are each one sum over the sets of x and one over those of y; within
a side objects are independent, between the sides nothing is assumed (`Reach`). N <= T <= M.

- Chord of low <= high: T^2 = (low + high) T - low high + (T - low)(T - high), and the product is
  at most Z^2 + (high - low) Z, with Z = (M - high)^+ for T > high, (low - N)^+ for T < low.
- From the top: T^2 - (M^2 - (M + N)(M - T)) = (T - N)(T - M) <= 0, and for any number t
  -(M + N)(M - T) <= -t (M - T) + (t - M - N)^+ (M - T), where M - T <= M - N. From the bottom
  likewise with (M + N - t)^+. E M, E N are known, their variances are at most the squares of
  the sums of the deviations of both sides (Minkowski), and so is that of M - N.

A line in T stays one under expectation, for any coupling and any choice of labels; an average
of lines is one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .coupled_matching import sides
from .couplings import Masses, coupled, deviation
from .laws import SumLaw, count_law
from .problem import Finding, Limits, Problem
from .size_chords import MAX_CELLS, Replies
from .solvers import solver

#: ends of the chords beyond the mean numbers, in standard deviations: the best are taken
SPREADS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
#: distances of M + N from its mean, in standard deviations, that count as rare
ANCHORED = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
#: rounds that move the table
ROUNDS = 6
#: cells of a table; each needs six laws
MAX_LABELS = 8


@dataclass(frozen=True)
class Reach:
    """How far a sum of two counts gets beyond a number, whatever their dependence."""

    first: SumLaw
    second: SumLaw

    @property
    def mean(self) -> float:
        """Mean of the sum."""
        return self.first.mean + self.second.mean

    def beyond(self, t: int, weights: np.ndarray) -> np.ndarray:
        """Above E Z^2 + weight E Z for Z = (sum - t)^+, for each of `weights`."""
        means, roots = self._parts(t)
        return (roots * roots + weights[:, None] * means).min(axis=1)

    def times(self, t: int, mean: float, deviation: float) -> float:
        """Above E Z W for Z = (sum - t)^+ and any W >= 0 of this mean and deviation.

        E Z W = E Z E W + cov(Z, W), and cov(Z, W) <= (E Z^2)^(1/2) times the deviation of W.
        """
        means, roots = self._parts(t)
        return float((mean * means + deviation * roots).min())

    def _parts(self, t: int) -> tuple[np.ndarray, np.ndarray]:
        """Above E Z and the root of E Z^2, for Z <= (first - s)^+ + (second - t + s)^+, by s."""
        one, two = self.first, self.second
        ends = (one.low, one.high, t - two.high, t - two.low)
        s = np.arange(min(ends), max(ends) + 1)
        return (one.excess(s) + two.excess(t - s),
                np.sqrt(one.squares(s)) + np.sqrt(two.squares(t - s)))


class Cell:
    """Lines above T^2 for one cell T of the contingency table."""

    def __init__(self, x: Masses, y: Masses, must: tuple[np.ndarray, np.ndarray], a: int, b: int,
                 limits: Limits) -> None:
        may = x.plausibility[:, a], y.plausibility[:, b]
        sure = must[0][:, a], must[1][:, b]
        rarer = may[0] <= may[1]
        both = sure[0] + sure[1] > 1.0   # objects that have both labels at least sometimes
        counted = np.where(rarer, may[0], 0.0), np.where(rarer, 0.0, may[1])
        absent = np.where(both, 1.0 - sure[0], 0.0), np.where(both, 1.0 - sure[1], 0.0)
        self._n, self._both = x.n, int(both.sum())
        self._most = Reach(*(count_law(p, limits) for p in counted))
        self._absent = Reach(*(count_law(p, limits) for p in absent))
        self._spread = sum(map(deviation, counted)), sum(map(deviation, absent))
        self.mean = self._both - self._absent.mean, self._most.mean     # of N, of M
        # M + N = both + one sum for each side; a label is sure, possible or absent.
        values = [np.column_stack([one, one * 1.0 - both, -1.0 * both]) for one in (rarer, ~rarer)]
        mass = [np.ascontiguousarray(np.clip(np.column_stack([s, m - s, 1.0 - m]), 0.0, 1.0))
                for s, m in zip(sure, may)]
        self._over = Reach(*(SumLaw.of(v, m, limits) for v, m in zip(values, mass)))
        self._under = Reach(*(SumLaw.of(-v, m, limits) for v, m in zip(values, mass)))
        self._wide = sum(math.sqrt(max(0.0, float(((v * v * m).sum(axis=1)
                                                   - (v * m).sum(axis=1) ** 2).sum())))
                         for v, m in zip(values, mass))

    def lines(self) -> np.ndarray:
        """Lines above E T^2 as a function of E T: (lines, 2) slopes and constants."""
        return np.array([*self._chords(), *self._anchored()])

    def _chords(self) -> list[tuple[float, float]]:
        """Chords between fixed numbers."""
        highs = sorted({min(self._n, math.ceil(self.mean[1] - 1e-9 + k * self._spread[0]))
                        for k in SPREADS})
        lows = sorted({max(0, math.floor(self.mean[0] + 1e-9 - k * self._spread[1]))
                       for k in SPREADS})
        width = np.array([[max(high - low, 0) for low in lows] for high in highs],
                         dtype=np.float64)
        above = [self._most.beyond(high, row) for high, row in zip(highs, width)]
        # T below low: low - T is at most low - both + how many miss one of the labels.
        below = [self._absent.beyond(self._both - low, column) if low > 0
                 else np.zeros(len(highs)) for low, column in zip(lows, width.T)]
        return [(float(low + high), float(above[i][j] + below[j][i]) - low * high)
                for i, high in enumerate(highs) for j, low in enumerate(lows) if low <= high]

    def _anchored(self) -> list[tuple[float, float]]:
        """Lines through the largest and through the least that the cell can be."""
        least, most = self.mean
        middle = least + most
        apart = most - least, sum(self._spread)      # mean and deviation of M - N
        lines = []
        for k in ANCHORED:
            t = math.ceil(self._both - middle + k * self._wide)
            slope = float(self._both - t)
            constant = most ** 2 + self._spread[0] ** 2 - slope * most
            lines.append((slope, constant + self._under.times(t, *apart)))
            t = math.ceil(middle - self._both + k * self._wide)
            slope = float(self._both + t)
            constant = least ** 2 + self._spread[1] ** 2 - slope * least
            lines.append((slope, constant + self._over.times(t, *apart)))
        return lines


def box_low(x: Masses, y: Masses, limits: Limits) -> float:
    """The bound.

    The mean table solves a convex problem over the couplings. Linear at any table, it has a
    least mean by small transports, a bound; the tables follow these steps (Frank and Wolfe),
    and so does an average of the lines, itself lines that hold.
    """
    sure = [z.mass[:, z.single] @ z.sets[z.single].astype(np.float64) for z in (x, y)]
    cells = [[Cell(x, y, (sure[0], sure[1]), a, b, limits) for b in range(x.c)]
             for a in range(x.c)]
    lines = [[cell.lines() for cell in row] for row in cells]
    minorant = _Minorant(x, y, limits)
    low, high = (np.array([[cell.mean[k] for cell in row] for row in cells]) for k in (0, 1))
    # The first table: by chords without what lies outside.
    table = minorant.least(low + high, -low * high, low)[1]
    best, average = -math.inf, np.zeros((2, x.c, x.c))
    for k in range(ROUNDS):
        step = 2.0 / (k + 2.0)
        chosen = np.empty_like(average)
        for a in range(x.c):
            for b in range(x.c):
                here = lines[a][b]
                chosen[:, a, b] = here[np.argmin(here[:, 0] * table[a, b] + here[:, 1])]
        average += step * (chosen - average)
        value, mean = minorant.least(chosen[0], chosen[1], table)
        smooth, other = minorant.least(average[0], average[1], table)
        best = max(best, value, smooth)
        table = table + step * ((mean if value > smooth else other) - table)
    return best


class _Minorant:
    """Least mean over couplings of a linear function below the disagreeing pairs."""

    def __init__(self, x: Masses, y: Masses, limits: Limits) -> None:
        self._sides, self._limits = (x, y), limits
        self._replies = Replies(x, y)

    def least(self, slopes: np.ndarray, constants: np.ndarray, at: np.ndarray
              ) -> tuple[float, np.ndarray]:
        """With these lines above the squared cells (c, c), tangents at the table `at`.

        The least mean, and the mean table there.
        """
        x, y = self._sides
        weights, constant = -slopes, -float(constants.sum())
        for axis, z in enumerate((x, y)):
            if z.single.all():   # fuzzy: the mean of |r|^2 is known
                p = z.plausibility
                constant += float((p.sum(axis=0) ** 2 + (p * (1 - p)).sum(axis=0)).sum()) / 2
            else:
                sizes = at.sum(axis=1 - axis)
                weights = weights + (sizes[:, None] if axis == 0 else sizes[None, :])
                constant -= float((sizes ** 2).sum()) / 2
        cost, a, b = self._replies.closest(weights)
        total = coupled(x, y, cost, cost[None], self._limits)[0]
        mean = np.zeros_like(slopes)
        np.add.at(mean, (a, b), total)
        return constant + float((total * cost).sum()), mean


def few_cells(x: Masses, y: Masses) -> bool:
    """Whether the tables of labels and of labels and sets stay small."""
    return x.c <= MAX_LABELS and x.c * x.sets.shape[0] * y.sets.shape[0] <= MAX_CELLS


def _few_labels(problem: Problem, limits: Limits) -> str:
    if not few_cells(*sides(problem)):
        return f"at most {MAX_LABELS} labels and some thousand sets are served"
    return ""


@solver("certificate", cost="6 c^2 convolutions, a dozen times n small transports",
        fits=_few_labels, cheap=lambda p: p.n * p.x.table.n_sets * p.y.table.n_sets <= 50_000)
def cell_chords(problem: Problem, end: str, limits: Limits) -> Finding:
    """A lower bound of the fewest disagreeing pairs: cells of the contingency table by chords."""
    with Finding() as bounds:
        bounds.low = box_low(*sides(problem), limits)
    return bounds
