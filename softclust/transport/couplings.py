"""What the bounds of two random sides share: couplings object by object, laws of sums."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np

from .._parallel import run_chunks
from . import _kernels
from .problem import Limits, Side

#: relabellings are listed up to so many labels
MAX_LISTED = 6
#: elementary steps of a kernel in about 30 ms
_SLICE = 2e7


@dataclass(frozen=True)
class Masses:
    """Independent random sets: mass (n, f) float64, C order, on sets (f, c) bool."""

    mass: np.ndarray
    sets: np.ndarray

    @property
    def n(self) -> int:
        """Number of objects."""
        return int(self.mass.shape[0])

    @property
    def c(self) -> int:
        """Number of labels."""
        return int(self.sets.shape[1])

    @cached_property
    def pignistic(self) -> np.ndarray:
        """Masses divided evenly over the labels of their sets, (n, c)."""
        return self.mass @ (self.sets / self.sets.sum(axis=1, keepdims=True))

    @cached_property
    def plausibility(self) -> np.ndarray:
        """Mass of the sets that contain each label, (n, c)."""
        return self.mass @ self.sets.astype(np.float64)

    @cached_property
    def members(self) -> tuple[np.ndarray, np.ndarray]:
        """Labels of set s: ``labels[start[s]:start[s + 1]]``; (start, labels) int64."""
        start = np.concatenate([[0], np.cumsum(self.sets.sum(axis=1))]).astype(np.int64)
        return start, np.nonzero(self.sets)[1].astype(np.int64)

    def selected(self, choice: np.ndarray) -> Masses:
        """The random labels that `choice` takes from the sets: (f,) or, by object, (n, f)."""
        membership = np.zeros((self.n, self.c))
        rows = np.arange(self.n)
        for s in range(self.sets.shape[0]):
            label = choice[s] if choice.ndim == 1 else choice[:, s]
            membership[rows, label] += self.mass[:, s]
        return Masses(membership, np.eye(self.c, dtype=bool))


def masses(side: Side) -> Masses:
    """The masses of a side; rows that sum to 1 within rounding (1e-8) are divided by it."""
    mass = side.mass
    return Masses(np.ascontiguousarray(mass / mass.sum(axis=1, keepdims=True)), side.sets)


@dataclass(frozen=True)
class Relations:
    """How the set tau A stands to B, (f, g) float64 of 0 and 1, under one relabelling tau."""

    apart: np.ndarray       # they are disjoint
    outside: np.ndarray     # tau A is not within B
    missing: np.ndarray     # B is not within tau A

    @property
    def unequal(self) -> np.ndarray:
        """They differ."""
        return np.maximum(self.outside, self.missing)


def relations(x: Masses, y: Masses, relabelling: tuple[int, ...]) -> Relations:
    """`Relations` of the sets of x and y: label a of x is called ``relabelling[a]``."""
    a = x.sets.astype(np.float64)
    b = y.sets[:, list(relabelling)].astype(np.float64)
    return Relations(apart=(a @ b.T == 0).astype(np.float64),
                     outside=(a @ (1 - b).T > 0).astype(np.float64),
                     missing=((1 - a) @ b.T > 0).astype(np.float64))


def relabellings(x: Masses, y: Masses) -> list[tuple[int, ...]]:
    """All relabellings up to `MAX_LISTED` labels, the most promising first; else that alone."""
    shared = x.pignistic.T @ y.pignistic
    if x.c > MAX_LISTED:
        from scipy.optimize import linear_sum_assignment
        return [tuple(int(b) for b in linear_sum_assignment(-shared)[1])]
    labels = np.arange(x.c)
    return sorted(permutations(range(x.c)),
                  key=lambda tau: (-round(float(shared[labels, list(tau)].sum()), 9), tau))


def coupled_means(x: Masses, y: Masses, costs: np.ndarray, tables: np.ndarray, limits: Limits
                  ) -> tuple[np.ndarray, np.ndarray]:
    """Cheapest couplings of each object: costs (n, q), and means (n, q, r) of `tables`."""
    k = _kernels.couplings
    f, g = costs.shape[1:]
    values = np.empty((x.n, costs.shape[0]))
    means = np.empty((x.n, costs.shape[0], tables.shape[0]))
    costs, tables = np.ascontiguousarray(costs), np.ascontiguousarray(tables)

    def work(first: int, stop: int) -> None:
        k.coupled_means(x.mass, y.mass, costs, tables, first, stop, values, means,
                        np.empty(k.numbers_size(f, g)), np.empty(k.marks_size(f, g), np.int64))

    run_chunks(work, x.n, _objects(f, g, costs.shape[0]), progress=_checking(limits))
    return values, means


def coupled_prices(x: Masses, y: Masses, cost: np.ndarray, limits: Limits
                   ) -> tuple[np.ndarray, np.ndarray]:
    """Prices u (n, f), v (n, g) of the cheapest couplings: u + v <= cost on the supports."""
    k = _kernels.couplings
    f, g = cost.shape
    u, v = np.empty((x.n, f)), np.empty((x.n, g))
    cost = np.ascontiguousarray(cost)

    def work(first: int, stop: int) -> None:
        k.coupled_prices(x.mass, y.mass, cost, first, stop, u, v,
                         np.empty(k.numbers_size(f, g)), np.empty(k.marks_size(f, g), np.int64))

    run_chunks(work, x.n, _objects(f, g, 1), progress=_checking(limits))
    return u, v


def coupled_totals(x: Masses, y: Masses, cost: np.ndarray, table: np.ndarray, limits: Limits
                   ) -> tuple[np.ndarray, np.ndarray]:
    """Sum over objects of the cheapest couplings (f, g); moments (n, 2) of `table` under them."""
    k = _kernels.couplings
    f, g = cost.shape
    total, moments = np.zeros((f, g)), np.empty((x.n, 2))
    scratch = np.empty(k.numbers_size(f, g)), np.empty(k.marks_size(f, g), np.int64)
    cost, table = np.ascontiguousarray(cost), np.ascontiguousarray(table)
    step = _objects(f, g, 1)
    for first in range(0, x.n, step):   # in order: one sum
        k.coupled_totals(x.mass, y.mass, cost, table, first, min(first + step, x.n), total,
                         moments, *scratch)
        limits.check()
    return total, moments


def _objects(f: int, g: int, problems: int) -> int:
    """Objects whose transports take about 30 ms."""
    return max(1, int(_SLICE / (problems * (500.0 + 60.0 * f * g))))


def _checking(limits: Limits):  # type: ignore[no-untyped-def]
    def progress(done: int, total: int) -> None:
        limits.check()
    return progress


class SumLaw:
    """Law of a sum over objects of independent whole numbers: values and mass (n, f).

    Mass above the window of sums that is kept is below 1e-30 a sum and counts as if it were at
    the largest sum; mass below it was moved up: `excess` and `squares` stay upper bounds.
    """

    def __init__(self, values: np.ndarray, mass: np.ndarray, limits: Limits) -> None:
        used = mass > 0.0
        least = np.where(used, values, np.inf).min(axis=1)
        steps = np.where(used, values - least[:, None], 0.0)
        reach = int(steps.max(axis=1).sum())
        steps = np.ascontiguousarray(steps.astype(np.int64))
        law, spare = np.zeros(reach + 1), np.zeros(reach + 1)
        law[0] = 1.0
        window = np.zeros(2, dtype=np.int64)
        n, first = mass.shape[0], 0
        while first < n:
            wide = float(window[1] - window[0] + 50)
            stop = min(n, first + max(1, int(_SLICE / (4.0 * wide * mass.shape[1]))))
            stop = min(stop, 2 * first + 1000)   # the window may have grown
            _kernels.couplings.add_steps(steps, mass, first, stop, law, spare, window)
            first = stop
            limits.check()
        low, high = (int(w) for w in window)
        self._most = reach + int(least.sum())
        self._cut = reach * _kernels.couplings.NEGLIGIBLE if high < reach else 0.0
        self.low = low + int(least.sum())        #: least sum of the window
        self.high = high + int(least.sum())      #: largest sum of the window
        self.law = law[low:high + 1].copy()      #: probabilities of the window
        above = np.cumsum(law[low:high + 1][::-1])[::-1]     # P(sum >= low + t)
        self._total = float(above[0])
        # E (sum - s)^+ = sum of P(sum > t) over t >= s: positive terms alone.
        self._excess = np.append(np.cumsum(above[1:][::-1])[::-1], 0.0)
        # E ((sum - s)^+)^2 = sum over t >= s of 2 E (sum - t)^+ - P(sum > t).
        terms = np.maximum(2.0 * self._excess - np.append(above[1:], 0.0), 0.0)
        self._squares = np.cumsum(terms[::-1])[::-1]

    @property
    def mean(self) -> float:
        """Mean of the sum."""
        return self.low * self._total + float(self._excess[0])

    def excess(self, s: np.ndarray) -> np.ndarray:
        """E (sum - s)^+ for whole numbers s."""
        inside = np.clip(s - self.low, 0, self.high - self.low)
        return (self._excess[inside] + np.maximum(self.low - s, 0) * self._total
                + self._cut * np.maximum(self._most - s, 0))

    def squares(self, s: np.ndarray) -> np.ndarray:
        """E ((sum - s)^+)^2 for whole numbers s."""
        inside = np.clip(s - self.low, 0, self.high - self.low)
        under = np.maximum(self.low - s, 0)
        return (self._squares[inside] + 2.0 * under * self._excess[0] * (under > 0)
                + under * under * self._total + self._cut * np.maximum(self._most - s, 0.0) ** 2)


def count_law(p: np.ndarray, limits: Limits) -> SumLaw:
    """Law of the number of objects, the i-th counted with probability p_i."""
    p = np.clip(p[p > 0.0], 0.0, 1.0)
    steps = np.array([[0.0, 1.0]]).repeat(p.size, axis=0)
    return SumLaw(steps, np.ascontiguousarray(np.column_stack([1.0 - p, p])), limits)


def deviation(p: np.ndarray) -> float:
    """Standard deviation of that number."""
    return math.sqrt(max(0.0, float((p * (1 - p)).sum())))


def least_split(first: SumLaw, second: SumLaw) -> float:
    """min over whole s of E (first - s)^+ + E (second + s)^+ (convex in s)."""
    ends = (first.low, first.high, -second.high, -second.low)
    s = np.arange(min(ends), max(ends) + 1)
    return float((first.excess(s) + second.excess(-s)).min())


def touched(moves: float, n: int) -> float:
    """Most pairs of objects that so many moves change; concave, so means may be put in."""
    return moves * (2 * n - moves - 1) / 2


def moves_for(pairs: float, n: int) -> float:
    """Fewest moves, in the mean, that change so many pairs in the mean (the inverse)."""
    edge = 2.0 * n - 1.0
    return (edge - math.sqrt(max(0.0, edge * edge - 8.0 * pairs))) / 2.0
