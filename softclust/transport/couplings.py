"""What the bounds of two random sides share: couplings object by object, laws of sums."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np

from .._parallel import run_chunks
from . import _kernels
from .problem import LimitReached, Limits, Side

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
    def single(self) -> np.ndarray:
        """Which sets have one label, (f,) bool."""
        return np.asarray(self.sets.sum(axis=1) == 1)

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
        """The random labels that `choice` (n, f) takes from the sets."""
        membership = np.zeros((self.n, self.c))
        rows = np.arange(self.n)
        for s in range(self.sets.shape[0]):
            membership[rows, choice[:, s]] += self.mass[:, s]
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


def scratch(f: int, g: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers and marks of the kernel that couples f and g sets."""
    return np.empty(2 * f * g + 3 * (f + g)), np.empty(3 * (f + g), dtype=np.int64)


def cheapest_plan(a: np.ndarray, b: np.ndarray, cost: np.ndarray, limits: Limits
                  ) -> tuple[np.ndarray, np.ndarray, np.ndarray, str]:
    """The cheapest plan that turns masses a (m,) into b (k,), its prices u, v, and the status.

    In slices: a limit leaves a plan that moves a part.
    """
    m, k = cost.shape
    cost = np.array(cost, dtype=np.float64, order="C")
    plan, u, v = np.empty((m, k)), np.empty(m), np.empty(k)
    work = np.concatenate([a, b, np.empty(m + k)])
    marks = np.full(2 * (m + k), -1, dtype=np.int64)
    paths = max(1, int(_SLICE / (m * k)))
    try:
        while not _kernels.couplings.move_mass(cost, plan, u, v, work, marks, paths):
            limits.check(fraction=1.0 - float(work[:m].sum()),
                         text="transport of focal clusterings")
    except LimitReached as stop:
        return plan, u, v, stop.status
    return plan, u, v, "ok"


Use = Callable[[int, int, np.ndarray, np.ndarray, np.ndarray], None]


def coupled_in_parts(x: Masses, y: Masses, cost: np.ndarray, limits: Limits, use: Use) -> None:
    """Cheapest couplings of each object at `cost` (f, g), some objects at a time.

    ``use(first, stop, plans, u, v)`` gets the couplings (m, f, g) of objects `first` to `stop` - 1
    and their prices: u + v <= cost on the supports. Threads call it.
    """
    f, g = cost.shape
    cost = np.array(cost, dtype=np.float64, order="C")

    def work(first: int, stop: int) -> None:
        m = stop - first
        found = np.zeros((m, f, g)), np.zeros((m, f)), np.zeros((m, g))
        _kernels.couplings.couple(
            x.mass, y.mass, cost, first, stop, *found, False, *x.members, *y.members,
            np.empty((0, 0, 0)), np.empty((0, 0)), np.empty((0, 0)), np.empty((0, 0), np.int64),
            *scratch(f, g))
        use(first, stop, *found)

    run_chunks(work, x.n, max(1, int(_SLICE / (500.0 + 60.0 * f * g))),   # some 30 ms
               progress=lambda done, total: limits.check())


def coupled(x: Masses, y: Masses, cost: np.ndarray, tables: np.ndarray, limits: Limits
            ) -> tuple[np.ndarray, np.ndarray]:
    """Sum over objects of the cheapest couplings, (f, g); by object means (n, r) of `tables`."""
    means = np.empty((x.n, tables.shape[0]))
    sums: dict[int, np.ndarray] = {}

    def use(first: int, stop: int, plans: np.ndarray, u: np.ndarray, v: np.ndarray) -> None:
        np.einsum("ifg,rfg->ir", plans, tables, out=means[first:stop])
        sums[first] = plans.sum(axis=0)

    coupled_in_parts(x, y, cost, limits, use)
    return np.sum([sums[first] for first in sorted(sums)], axis=0), means   # in order: same bits


def coupled_prices(x: Masses, y: Masses, cost: np.ndarray, limits: Limits
                   ) -> tuple[np.ndarray, np.ndarray]:
    """Prices u (n, f), v (n, g) of the cheapest couplings; 0 outside of the supports."""
    prices = np.empty(x.mass.shape), np.empty(y.mass.shape)

    def use(first: int, stop: int, plans: np.ndarray, u: np.ndarray, v: np.ndarray) -> None:
        prices[0][first:stop], prices[1][first:stop] = u, v

    coupled_in_parts(x, y, cost, limits, use)
    return prices


def deviation(p: np.ndarray) -> float:
    """Standard deviation of that number."""
    return math.sqrt(max(0.0, float((p * (1 - p)).sum())))


def touched(moves: float, n: int) -> float:
    """Most pairs of objects that so many moves change; concave, so means may be put in."""
    return moves * (2 * n - moves - 1) / 2


def moves_for(pairs: float, n: int) -> float:
    """Fewest moves, in the mean, that change so many pairs in the mean (the inverse)."""
    edge = 2.0 * n - 1.0
    return (edge - math.sqrt(max(0.0, edge * edge - 8.0 * pairs))) / 2.0
