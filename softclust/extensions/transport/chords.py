"""Disagreeing pairs of the farthest labels, bounded by chords of the cluster sizes.

Two hard clusterings with sizes r, s and contingency table T disagree on (|r|^2 + |s|^2) / 2 - |T|^2
pairs. A size stays between the number of objects that must have the label and of those that may:
its square lies below the chord there; the excess outside is added in expectation. -T^2 lies below
each of its tangents. So the pairs lie below a sum over objects of weights w(a, b): the farthest
label of a set against the closest reply costs max over a in A of min over b in B of w(a, b), for
whole clusterings the sum of these, and any coupling of the objects bounds the transport.

Proof of the chord. Let L <= r <= U count the objects that must and that may have a label, and
low <= high be fixed. r^2 = (low + high) r - low high + (r - low)(r - high); the last product is
at most (low - L)^+ (high - L) if r < low, (U - low)(U - high)^+ if r > high, else at most 0. Both
depend on the one side only, so their means hold under every coupling, for the labels that are
farthest as well.

Proof of the farthest. Let X and Y bound the two directions of the Hausdorff distance as above,
each with a table of tangents of its own. The squares are the same in both, so Y - X is a
constant and a sum over objects, independent under the coupling: mean and variance are sums.
E max(X, Y) = E X + E (Y - X)^+, the latter by `positive_part`. Where only one side has a choice,
the direction in which it chooses first is the farther one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .couplings import (
    MAX_LISTED,
    Masses,
    coupled,
    deviation,
    kept_matched,
    matched,
    moved_low,
    moves_for,
    pairs_low,
    relabellings,
    relations,
    sides,
    touched,
)
from .laws import SumLaw, count_law
from .problem import Finding, Limits, Problem, solver
from .rough_sides import many_subsets

#: rounds that move the tangents towards their tables
ROUNDS = 12
#: labels times sets of x times sets of y
MAX_CELLS = 2_000_000


@dataclass(frozen=True)
class Chord:
    """Above half the sum of squared sizes of one side: slopes (c,) by label, and a constant."""

    slope: np.ndarray
    constant: float


def chord(z: Masses, limits: Limits) -> Chord:
    """The chord of one side; without ambiguous sets the mean itself, without a slope."""
    must = z.mass[:, z.single] @ z.sets[z.single].astype(np.float64)   # mass of the set {a}
    may = z.plausibility
    if z.single.all():
        mean = must.sum(axis=0)
        return Chord(np.zeros(z.c), float((mean ** 2 + (must * (1 - must)).sum(axis=0)).sum()) / 2)
    slope, constant = np.zeros(z.c), 0.0
    for a in range(z.c):
        must_law, may_law = count_law(must[:, a], limits), count_law(may[:, a], limits)
        low, high = math.floor(must_law.mean), min(float(z.n), math.ceil(may_law.mean))
        high = max(low, high)
        slope[a] = (low + high) / 2
        below, above = must_law.values, may_law.values
        outside = (must_law.p @ np.where(below < low, (low - below) * (high - below), 0.0)
                   + may_law.p @ np.where(above > high, (above - low) * (above - high), 0.0))
        constant += (float(outside) - low * high) / 2
    return Chord(slope, constant)


def positive_part(mean: float, variance: float) -> float:
    """Largest E Z^+ for a mean and a variance: (|Z| + Z) / 2, and E |Z| <= root of E Z^2."""
    return (mean + math.sqrt(mean * mean + variance)) / 2


class Replies:
    """One label against the other: costs of pairs of sets at weights, and the cells used."""

    def __init__(self, x: Masses, y: Masses) -> None:
        self._x, self._y = x.sets, y.sets

    def closest(self, w: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """min over a and b of w: costs, labels a, labels b, each (f, g)."""
        costs, a, b = self.farthest(-w.T, swapped=True, replies_too=True)
        return -costs, a, b

    def farthest(self, w: np.ndarray, swapped: bool = False, replies_too: bool = False
                 ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """max over a of min over b of w, or with `swapped` the side of y chooses first.

        w is (labels of who chooses first, of who replies); `replies_too`: the reply is a max too.
        """
        first, second = (self._y, self._x) if swapped else (self._x, self._y)
        sign = -1.0 if replies_too else 1.0
        replies = np.where(second[None], sign * w[:, None, :], np.inf)      # (c, g, c)
        reply, value = replies.argmin(axis=2), sign * replies.min(axis=2)     # (c, g)
        options = np.where(first[:, :, None], value[None], -np.inf)          # (f, c, g)
        label, costs = options.argmax(axis=1), options.max(axis=1)
        answer = np.take_along_axis(reply, label, axis=0)
        if swapped:
            return costs.T, answer.T, label.T
        return costs, label, answer


def chord_high(x: Masses, y: Masses, alpha: float, limits: Limits) -> float:
    """The bound, with chords that end at the mean numbers."""
    first, second = chord(x, limits), chord(y, limits)
    tau = relabellings(x, y)[0]
    start = np.zeros((x.c, x.c))
    labels = np.arange(x.c)
    start[labels, list(tau)] = np.minimum(x.pignistic, y.pignistic[:, list(tau)]).sum(axis=0)
    bound = _Bound(x, y, alpha, first, second, relations(x, y, tau).apart, limits)
    tables, best = [start] * 3, math.inf
    for k in range(ROUNDS):
        value, means = bound(tables)
        best = min(best, value)
        step = 2.0 / (k + 2.0)
        tables = [t + step * (mean - t) for t, mean in zip(tables, means)]
    return best


class _Bound:
    """The bound for given tangents; both directions have equal weight in the couplings."""

    def __init__(self, x: Masses, y: Masses, alpha: float, first: Chord, second: Chord,
                 apart: np.ndarray, limits: Limits) -> None:
        self._sides, self._alpha, self._limits, self._apart = (x, y), alpha, limits, apart
        self._replies = Replies(x, y)
        self._slopes = first.slope[:, None] + second.slope[None, :]
        self._constant = first.constant + second.constant
        # With one label in each set of a side, the other side chooses farthest.
        self._x_chooses = not x.single.all()
        self._both = self._x_chooses and not y.single.all() and alpha > 0

    def __call__(self, tables: list[np.ndarray]) -> tuple[float, list[np.ndarray]]:
        """The bound, and the mean tables that its coupling leads to."""
        x, y = self._sides
        parts = [self._replies.closest(self._slopes - 2 * tables[0]),
                 self._replies.farthest(self._slopes - 2 * tables[1]),
                 self._replies.farthest((self._slopes - 2 * tables[2]).T, swapped=True)]
        squares = [float((t * t).sum()) for t in tables]
        if not self._both:   # one direction is never the farther one
            one = 1 if self._x_chooses else 2
            parts[1:], squares[1:] = [parts[one]] * 2, [squares[one]] * 2
        costs = [part[0] for part in parts]
        alpha = self._alpha
        gaps = costs[2] - costs[1]
        total, moments = coupled(x, y, (1 - alpha) * costs[0] + alpha * (costs[1] + costs[2]) / 2,
                                 np.array([gaps, gaps * gaps]), self._limits)
        near, ahead, behind = (self._constant + square + float((total * cost).sum())
                               for square, cost in zip(squares, costs))
        gap = behind - ahead
        variance = float(np.maximum(moments[:, 1] - moments[:, 0] ** 2, 0.0).sum())
        farthest = ahead + positive_part(gap, variance)   # E max(X, Y) = E X + E (Y - X)^+
        near = min(near, touched(min(float((total * self._apart).sum()), float(x.n)), x.n))
        means = []
        for _, a, b in parts:
            table = np.zeros((x.c, x.c))
            np.add.at(table, (a, b), total)
            means.append(table)
        return (1 - alpha) * near + alpha * farthest, means


def _few_sets(problem: Problem, limits: Limits) -> str:
    if reason := many_subsets(problem, limits):
        return reason
    cells = problem.c * problem.x.table.n_sets * problem.y.table.n_sets
    return "" if cells <= MAX_CELLS else f"{cells:.2g} triples of a label and two sets"


@solver("certificate", cost="a dozen times n small transports", fits=_few_sets,
        cheap=lambda p: p.n * p.x.table.n_sets * p.y.table.n_sets <= 50_000)
def size_chords(problem: Problem, end: str, limits: Limits) -> Finding:
    """An upper bound of the farthest: squares of cluster sizes by chords, tables by tangents."""
    x, y = sides(problem)
    with Finding() as bounds:
        bounds.high = chord_high(x, y, problem.alpha_of(end), limits)
    return bounds


# -- A lower bound of the closest disagreeing pairs, by chords of the contingency table -----------
# Two hard clusterings with sizes r, s and contingency table T disagree on
# (|r|^2 + |s|^2) / 2 - |T|^2 pairs. Whatever the coupling, a cell T = T_ab is at most M, the
# number of objects that may have label a on one side or label b on the other, whichever is
# rarer; it is at least N, the number that must have both. So T^2 lies below a line in three ways:
#
# - the chord of two fixed numbers, what lies outside of them added in expectation;
# - T^2 <= M^2 - (M + N)(M - T), where M + N falls below a number only rarely;
# - T^2 <= N^2 + (M + N)(T - N), where M + N exceeds a number only rarely.
#
# |r|^2 lies above its tangents (its mean is known where a side is fuzzy), and the pairs lie above
# a sum over objects of weights w(a, b): its least mean is a small transport for each object.
#
# Proof of the lines. M and N are each one sum over the sets of x and one over those of y; within
# a side objects are independent, between the sides nothing is assumed (`Reach`). N <= T <= M.
#
# - Chord of low <= high: T^2 = (low + high) T - low high + (T - low)(T - high), and the product is
#   at most Z^2 + (high - low) Z, with Z = (M - high)^+ for T > high, (low - N)^+ for T < low.
# - From the top: T^2 - (M^2 - (M + N)(M - T)) = (T - N)(T - M) <= 0, and for any number t
#   -(M + N)(M - T) <= -t (M - T) + (t - M - N)^+ (M - T), where M - T <= M - N. From the bottom
#   likewise with (M + N - t)^+. E M, E N are known, their variances are at most the squares of
#   the sums of the deviations of both sides (Minkowski), and so is that of M - N.
#
# A line in T stays one under expectation, for any coupling and any choice of labels; an average
# of lines is one.
#: ends of the chords beyond the mean numbers, in standard deviations: the best are taken
SPREADS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
#: distances of M + N from its mean, in standard deviations, that count as rare
ANCHORED = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
#: rounds that move the table
CELL_ROUNDS = 6
#: cells of a table; each needs six laws
MAX_LABELS = 8


@dataclass(frozen=True)
class Reach:
    """Bounds on the excess of a sum of two counts over a number, whatever their dependence."""

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
        # Chords between fixed numbers.
        low, high = self.mean
        highs = sorted({min(self._n, math.ceil(high - 1e-9 + k * self._spread[0]))
                        for k in SPREADS})
        lows = sorted({max(0, math.floor(low + 1e-9 - k * self._spread[1])) for k in SPREADS})
        width = np.array([[max(top - bottom, 0) for bottom in lows] for top in highs],
                         dtype=np.float64)
        above = [self._most.beyond(top, row) for top, row in zip(highs, width)]
        # T below a number: it lacks at most number - both + how many miss one of the labels.
        below = [self._absent.beyond(self._both - bottom, column) if bottom > 0
                 else np.zeros(len(highs)) for bottom, column in zip(lows, width.T)]
        lines = [(float(bottom + top), float(above[i][j] + below[j][i]) - bottom * top)
                 for i, top in enumerate(highs) for j, bottom in enumerate(lows) if bottom <= top]

        # Lines through the largest and through the least that the cell can be.
        middle = low + high
        apart = high - low, sum(self._spread)      # mean and deviation of M - N
        for k in ANCHORED:
            t = math.ceil(self._both - middle + k * self._wide)
            slope = float(self._both - t)
            constant = high ** 2 + self._spread[0] ** 2 - slope * high
            lines.append((slope, constant + self._under.times(t, *apart)))
            t = math.ceil(middle - self._both + k * self._wide)
            slope = float(self._both + t)
            constant = low ** 2 + self._spread[1] ** 2 - slope * low
            lines.append((slope, constant + self._over.times(t, *apart)))
        return np.array(lines)


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
    for k in range(CELL_ROUNDS):
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


def few_cells(problem: Problem, limits: Limits) -> str:
    """Test whether the tables of labels and of labels and sets stay small."""
    x, y = sides(problem)
    if x.c <= MAX_LABELS and x.c * x.sets.shape[0] * y.sets.shape[0] <= MAX_CELLS:
        return ""
    return f"at most {MAX_LABELS} labels and some thousand sets are supported"


@solver("certificate", cost="6 c^2 convolutions, a dozen times n small transports",
        fits=few_cells, cheap=lambda p: p.n * p.x.table.n_sets * p.y.table.n_sets <= 50_000)
def cell_chords(problem: Problem, end: str, limits: Limits) -> Finding:
    """A lower bound of the fewest disagreeing pairs: cells of the contingency table by chords."""
    with Finding() as bounds:
        bounds.low = box_low(*sides(problem), limits)
    return bounds


# -- the farthest labels from below: one label is taken from each set of one side -----------------
# If x' is such a selection of x, then d1(x, y) >= d0(x', y).
@solver("certificate", cost="coupled_matching (partition) or pair sums (rand) of some selections",
        fits=many_subsets, cheap=lambda p: p.c <= 3 and p.n <= 200)
def selection_bound(problem: Problem, end: str, limits: Limits) -> Finding:
    """A lower bound of the farthest: one label taken from each set of a side, others closest."""
    x, y = sides(problem)
    with Finding() as bounds:
        # Of each set the label that is least plausible on the other side, under the relabelling
        # that fits best.
        tau = np.array(kept_matched(problem, limits).best)
        pairs = []
        for z, other, names in ((x, y, tau), (y, x, np.argsort(tau))):
            if z.single.all():
                continue   # no choice: the sides as they are
            against = z.selected(np.column_stack([
                np.where(row, other.plausibility[:, names], np.inf).argmin(axis=1)
                for row in z.sets]))
            pairs.append((against, y) if z is x else (x, against))
        pairs = pairs or [(x, y)]

        if problem.base == "partition" and problem.c <= MAX_LISTED:
            tried = [(matched(a, b, limits), a, b) for a, b in pairs]
            for found, a, b in sorted(tried, key=lambda item: -item[0].high):   # promising first
                bounds.low = max(bounds.low, moved_low(a, b, found, limits, enough=bounds.low))
            return bounds
        for a, b in pairs:
            low = pairs_low(a, b, limits)
            bounds.low = max(bounds.low,
                             low if problem.base == "rand" else moves_for(low, problem.n))
    return bounds
