"""Disagreeing pairs of the farthest labels, bounded by chords of the cluster sizes.

Two hard clusterings with sizes r, s and contingency table T disagree on
(|r|^2 + |s|^2) / 2 - |T|^2 pairs. A size stays between the number of objects that must have the
label and of those that may: its square lies below the chord there, what lies outside is added
in expectation. -T^2 lies below each of its tangents. So the pairs lie below a sum over objects
of weights w(a, b): the farthest label of a set against the closest reply costs
max over a in A of min over b in B of w(a, b), for whole clusterings the sum of these, and any
coupling of the objects bounds the transport.

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

from .coupled_matching import sides
from .couplings import (
    Masses,
    coupled,
    relabellings,
    relations,
    touched,
)
from .laws import count_law
from .problem import Finding, Limits, Problem
from .rough_types import many_subsets
from .solvers import solver

#: rounds that move the tangents towards the tables they lead to
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
        least, most = count_law(must[:, a], limits), count_law(may[:, a], limits)
        low, high = math.floor(least.mean), min(float(z.n), math.ceil(most.mean))
        high = max(low, high)
        slope[a] = (low + high) / 2
        below, above = least.values, most.values
        outside = (least.p @ np.where(below < low, (low - below) * (high - below), 0.0)
                   + most.p @ np.where(above > high, (above - low) * (above - high), 0.0))
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
        costs, a, b = self.farthest(-w.T, swapped=True, least=True)
        return -costs, a, b

    def farthest(self, w: np.ndarray, swapped: bool = False, least: bool = False
                 ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """max over a of min over b of w, or with `swapped` the side of y chooses first.

        w is (labels of who chooses first, of who replies); `least`: the reply is a max too.
        """
        first, second = (self._y, self._x) if swapped else (self._x, self._y)
        sign = -1.0 if least else 1.0
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
    """The bound for given tangents; the two directions weigh the same in the couplings."""

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
