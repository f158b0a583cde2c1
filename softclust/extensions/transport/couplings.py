"""Shared parts of the bounds of two random sides: couplings object by object, laws of sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np

from ...clusterings import (
    Clustering,
    EvidentialClustering,
    FuzzyClustering,
    RoughClustering,
)
from ...measures.joint import Joint
from ...running.threads import run_chunks
from ...soft_pairs.pair_sums import PairSums
from . import _kernels
from .laws import SumLaw, least_split
from .problem import Finding, LimitReached, Limits, Problem, RandomSide, solver

#: relabellings are listed up to this many labels
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
        """Mask of the sets with one label, (f,) bool."""
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


def masses(side: RandomSide) -> Masses:
    """The masses of a side; rows that sum to 1 within rounding (1e-8) are divided by it."""
    mass = side.mass
    return Masses(np.ascontiguousarray(mass / mass.sum(axis=1, keepdims=True)), side.sets)


@dataclass(frozen=True)
class Relations:
    """Relations of the sets tau A and B under one relabelling tau, (f, g) float64 of 0 and 1."""

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
    """All relabellings, the most promising first; beyond `MAX_LISTED` labels only that one."""
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

    Computed in slices: after a limit the plan moves only a part.
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
        plan = np.zeros((m, f, g)), np.zeros((m, f)), np.zeros((m, g))
        _kernels.couplings.couple(
            x.mass, y.mass, cost, first, stop, *plan, False, *x.members, *y.members,
            np.empty((0, 0, 0)), np.empty((0, 0)), np.empty((0, 0)), np.empty((0, 0), np.int64),
            *scratch(f, g))
        use(first, stop, *plan)

    run_chunks(work, x.n, max(1, int(_SLICE / (500.0 + 60.0 * f * g))),   # about 30 ms
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
    """Largest number of pairs that this many moves change; concave, so means may be used."""
    return moves * (2 * n - moves - 1) / 2


def moves_for(pairs: float, n: int) -> float:
    """Smallest mean number of moves that changes this mean number of pairs (the inverse)."""
    edge = 2.0 * n - 1.0
    return (edge - math.sqrt(max(0.0, edge * edge - 8.0 * pairs))) / 2.0


# -- moved objects, closest labels of two soft sides: couplings object by object ------------------
#: the pair sum is left out for more objects where another bound exists
MAX_PAIR_OBJECTS = 20_000


def sides(problem: Problem) -> tuple[Masses, Masses]:
    """Both sides as masses, computed once per problem."""
    return problem.kept("masses", lambda: (masses(problem.x), masses(problem.y)))


def pairs_low(x: Masses, y: Masses, limits: Limits) -> float:
    """Sum over pairs of objects of r_0: below the mean of D_0 for every coupling."""
    def progress(done: int, total: int) -> None:
        limits.check()
    return PairSums.of(Joint.of_checked(_clustering(x), _clustering(y)), progress=progress).r0


def _clustering(z: Masses) -> Clustering:
    if z.single.all():
        membership = np.zeros((z.n, z.c))
        membership[:, z.sets.argmax(axis=1)] = z.mass
        return FuzzyClustering(membership)
    if (z.mass.max(axis=1) == 1.0).all():   # any number of labels
        return RoughClustering.from_upper(z.sets[z.mass.argmax(axis=1)])
    return EvidentialClustering(z.mass, z.sets)


@dataclass(frozen=True)
class MatchedCouplings:
    """The best relabelling, its cost (an upper bound), and the costs of all that were tried."""

    best: tuple[int, ...]
    high: float
    tried: dict[tuple[int, ...], float]


def matched(x: Masses, y: Masses, limits: Limits) -> MatchedCouplings:
    """Least sum over objects of the cost to meet, over the relabellings."""
    tried = {}
    for tau in relabellings(x, y):
        apart = relations(x, y, tau).apart
        tried[tau] = float(coupled(x, y, apart, apart[None], limits)[1].sum())
    best = min(tried, key=tried.__getitem__)
    return MatchedCouplings(best=best, high=tried[best], tried=tried)


def moved_low(x: Masses, y: Masses, matched: MatchedCouplings, limits: Limits,
              enough: float = 0.0) -> float:
    """A lower bound of moved objects; -inf as soon as it cannot exceed `enough`."""
    if x.c > MAX_LISTED:
        return -math.inf
    low = matched.high
    chosen = relations(x, y, matched.best).apart
    for tau in matched.tried:
        if tau == matched.best:
            continue
        gain = chosen - relations(x, y, tau).apart
        if not (gain > 0).any():
            continue
        u, v = coupled_prices(x, y, -gain, limits)
        # Prices of the cheapest coupling at -gain: -u - v >= gain, whole numbers.
        low -= least_split(SumLaw.of(-u, x.mass, limits), SumLaw.of(-v, y.mass, limits))
        if low <= enough:
            return -math.inf
    return low


@solver("certificate", cost="c! n small transports, 2 c! convolutions",
        cheap=lambda p: p.c <= 4 and p.n <= 500)
def coupled_matching(problem: Problem, end: str, limits: Limits) -> Finding:
    """Bounds of the least moves: couplings object by object, one relabelling against the rest."""
    x, y = sides(problem)
    with Finding() as bounds:
        matched = kept_matched(problem, limits)
        bounds.high = matched.high
        bounds.low = moved_low(x, y, matched, limits)
        if problem.c > MAX_LISTED or (problem.n <= MAX_PAIR_OBJECTS
                                      and bounds.high - bounds.low > limits.tol):
            bounds.low = max(bounds.low, moves_for(kept_pairs_low(problem, limits), problem.n))
    return bounds


def kept_matched(problem: Problem, limits: Limits) -> MatchedCouplings:
    """`matched` of the problem, computed once."""
    return problem.kept("matched", lambda: matched(*sides(problem), limits))


def kept_pairs_low(problem: Problem, limits: Limits) -> float:
    """`pairs_low` of the problem, computed once."""
    return problem.kept("pairs low", lambda: pairs_low(*sides(problem), limits))


# -- moved objects of two soft sides from above, any alpha: some couplings object by object -------
@solver("certificate", cost="2 c! n small transports, 2 c! convolutions",
        cheap=lambda p: p.c <= 4 and p.n * math.factorial(p.c) <= 3000)
def coupling_bound(problem: Problem, end: str, limits: Limits) -> Finding:
    """An upper bound at any alpha: the best of some couplings object by object."""
    alpha = problem.alpha_of(end)
    x, y = sides(problem)
    with Finding() as bounds:
        for tau, lowest in kept_matched(problem, limits).tried.items():
            if lowest >= bounds.high:   # the bound under tau is at least what meeting costs
                continue
            # The closest labels need no more moves than objects are apart; the farthest no more
            # than the larger number of objects that are not within, or do not contain.
            r = relations(x, y, tau)
            only_outside, only_missing = r.outside * (1 - r.missing), r.missing * (1 - r.outside)
            tables = np.array([r.apart, r.outside, only_outside, only_missing])
            # One cost is near what is bounded, the other no worse than total variation.
            for cost in ((1 - alpha) * r.apart + alpha * (r.outside + r.missing) / 2, r.unequal):
                apart, outside, down, up = coupled(x, y, cost, tables, limits)[1].T
                steps = np.column_stack([down, np.maximum(1.0 - down - up, 0.0), up])
                farthest = float(outside.sum()) + SumLaw(steps, -1, limits).positive()
                bounds.high = min(bounds.high,
                                  (1 - alpha) * float(apart.sum()) + alpha * farthest)
    return bounds


# -- disagreeing pairs, closest labels of two soft sides: pair sums below, descent above ----------
MAX_SWEEPS = 200
#: a descent ends when a sweep gains less than this share of all pairs
GAIN = 1e-12
#: numbers in all couplings of labels together; above, those of `matched` are used
MAX_JOINT = 20_000_000
#: elementary steps of the kernel in about 30 ms
_PAIR_SLICE = 2e7


class CouplingDescent:
    """Couplings of the labels of each object, improved object by object.

    The mean number of disagreeing pairs is linear in each object's coupling, so a step to the
    cheapest one never raises it.
    """

    def __init__(self, x: Masses, y: Masses, limits: Limits) -> None:
        self.x, self.y, self.limits = x, y, limits
        c, f, g = x.c, x.sets.shape[0], y.sets.shape[0]
        self._step = max(1, int(_PAIR_SLICE / (500.0 + 80.0 * f * g + 4.0 * c * c)))
        self._shape = c, f, g

    def start(self, tau: tuple[int, ...]) -> np.ndarray:
        """Couplings (n, c, c) that keep label a with tau(a) where they can."""
        c, f, g = self._shape
        identity = np.eye(c, dtype=bool)[list(tau)]
        pairs = self.x.sets[:, None, :, None] & self.y.sets[None, :, None, :]
        # The first pair of labels that is kept, else the first: (f, g)
        cell = (pairs * (1 + identity)).reshape(f * g, c * c).argmax(axis=1)
        cost = 1.0 - (pairs & identity).any(axis=(2, 3))
        joint = np.zeros((self.x.n, c, c))
        labels = np.eye(c * c)[cell]

        def use(first: int, stop: int, plans: np.ndarray, u: np.ndarray, v: np.ndarray) -> None:
            joint[first:stop] = np.einsum("ik,kl->il", plans.reshape(-1, f * g), labels
                                          ).reshape(-1, c, c)

        coupled_in_parts(self.x, self.y, cost, self.limits, use)
        return joint

    def sweep(self, joint: np.ndarray) -> float:
        """One round over the objects; the mean number of disagreeing pairs after it."""
        c, f, g = self._shape
        total = joint.sum(axis=0)   # anew: no rounding is carried along
        room = (np.empty((c, c)), np.empty((f, g), dtype=np.int64), *scratch(f, g))
        for first in range(0, self.x.n, self._step):
            _kernels.couplings.couple(
                self.x.mass, self.y.mass, np.empty((f, g)), first,
                min(first + self._step, self.x.n), np.empty((0, f, g)), np.empty((0, f)),
                np.empty((0, g)), True, *self.x.members, *self.y.members, joint, total, *room)
            self.limits.check()
        return self.pairs(joint)

    def pairs(self, joint: np.ndarray) -> float:
        """Mean number of disagreeing pairs when objects are independent."""
        def squares(masses: np.ndarray) -> float:
            """Sum over pairs of objects of how likely they are together, twice."""
            flat = masses.reshape(-1)
            return float((masses.sum(axis=0) ** 2).sum() - np.einsum("i,i->", flat, flat))

        return (squares(joint.sum(axis=2)) + squares(joint.sum(axis=1))) / 2 - squares(joint)


def descent_highs(problem: Problem, limits: Limits) -> Iterator[float]:
    """Mean numbers of disagreeing pairs of couplings, each no worse than the one before."""
    x, y = sides(problem)
    if problem.n * problem.c ** 2 > MAX_JOINT:
        yield touched(kept_matched(problem, limits).high, problem.n)
        return
    descent = CouplingDescent(x, y, limits)
    joint = descent.start(relabellings(x, y)[0])
    best = descent.pairs(joint)
    yield best
    for _ in range(MAX_SWEEPS):
        before, best = best, min(best, descent.sweep(joint))
        yield best
        if before - best <= GAIN * problem.most:
            return


@solver("certificate", cost="a pair sum; some ten sweeps of n small transports",
        cheap=lambda p: p.c <= 4 and p.n <= 500)
def coupling_descent(problem: Problem, end: str, limits: Limits) -> Finding:
    """Bounds of the fewest disagreeing pairs: pair by pair below, couplings by descent above."""
    with Finding() as bounds:
        bounds.low = kept_pairs_low(problem, limits)
        for high in descent_highs(problem, limits):
            bounds.high = high
    return bounds
