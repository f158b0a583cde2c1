"""Certificates for random sets on both sides: F2, F3 (they serve a rough side as well)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..clusterings import Clustering, EvidentialClustering, FuzzyClustering
from ..statistics.pairs import pair_sums
from .couplings import (
    MAX_LISTED,
    Masses,
    SumLaw,
    coupled_means,
    coupled_prices,
    least_split,
    masses,
    moves_for,
    relabellings,
    relations,
    touched,
)
from .problem import Finding, LimitReached, Limits, Problem
from .solvers import solver

#: weights of "not within" against "does not contain" in the couplings of F3
WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0)
#: the pair sum is left out for more objects where another bound exists
MAX_PAIR_OBJECTS = 20_000


def sides(problem: Problem) -> tuple[Masses, Masses]:
    """Both sides as masses, once a problem."""
    return problem.kept("masses", lambda: (masses(problem.x), masses(problem.y)))


def pairs_low(x: Masses, y: Masses, limits: Limits) -> float:
    """Sum over pairs of objects of r_0: below the mean of D_0 for every coupling."""
    def progress(done: int, total: int) -> None:
        limits.check()
    return pair_sums(_clustering(x), _clustering(y), progress=progress).r0


def _clustering(z: Masses) -> Clustering:
    if (z.sets.sum(axis=1) == 1).all():
        membership = np.zeros((z.n, z.c))
        membership[:, z.sets.argmax(axis=1)] = z.mass
        return FuzzyClustering(membership)
    return EvidentialClustering(z.mass, z.sets)


@dataclass(frozen=True)
class Matched:
    """The best relabelling of F2, its cost (an upper bound), and all that were tried."""

    best: tuple[int, ...]
    high: float
    tried: tuple[tuple[int, ...], ...]


def matched(x: Masses, y: Masses, limits: Limits) -> Matched:
    """Least sum over objects of the cost to meet, over the relabellings."""
    tried = relabellings(x, y)
    none = np.zeros((0, x.sets.shape[0], y.sets.shape[0]))
    costs = []
    for first in range(0, len(tried), 24):
        apart = np.array([relations(x, y, tau).apart for tau in tried[first:first + 24]])
        costs.extend(coupled_means(x, y, apart, none, limits)[0].sum(axis=0))
    best = int(np.argmin(costs))
    return Matched(best=tried[best], high=float(costs[best]), tried=tuple(tried))


def moved_low(x: Masses, y: Masses, found: Matched, limits: Limits,
              enough: float = -math.inf) -> float:
    """The lower bound of F2; -inf as soon as it cannot exceed `enough`."""
    if x.c > MAX_LISTED:
        return -math.inf
    low = found.high
    chosen = relations(x, y, found.best).apart
    for tau in found.tried:
        if tau == found.best:
            continue
        gain = chosen - relations(x, y, tau).apart
        if not (gain > 0).any():
            continue
        u, v = coupled_prices(x, y, -gain, limits)
        # Prices of the cheapest coupling at -gain: -u - v >= gain, whole numbers.
        low -= least_split(SumLaw(-u, x.mass, limits), SumLaw(-v, y.mass, limits))
        if low <= enough:
            return -math.inf
    return low


@solver("F2", guarantee="certificate", bases=("partition",), ends=("lower",),
        cost="c! n small transports, 2 c! convolutions", cheap=lambda p: p.c <= 4 and p.n <= 500)
def met_objects(problem: Problem, end: str, limits: Limits) -> Finding:
    """Bounds of the least moves: couplings object by object, one relabelling against the rest."""
    x, y = sides(problem)
    low, high = 0.0, float(problem.most)
    try:
        found = problem.kept("F2", lambda: matched(x, y, limits))
        high = found.high
        low = moved_low(x, y, found, limits)
        if problem.c > MAX_LISTED or (problem.n <= MAX_PAIR_OBJECTS and high - low > limits.tol):
            low = max(low, moves_for(kept_pairs_low(problem, limits), problem.n))
    except LimitReached as stop:
        return Finding(low=max(low, 0.0), high=high, solver="F2", status=stop.status)
    return Finding(low=max(low, 0.0), high=high, solver="F2")


def kept_pairs_low(problem: Problem, limits: Limits) -> float:
    """`pairs_low` of the problem, computed once."""
    return problem.kept("pairs low", lambda: pairs_low(*sides(problem), limits))


@solver("F3", guarantee="certificate", ends=("lower", "upper", "value"),
        cost="6 c! n small transports, 6 c! convolutions",
        cheap=lambda p: p.c <= 4 and p.n * math.factorial(p.c) <= 3000)
def coupled_objects(problem: Problem, end: str, limits: Limits) -> Finding:
    """An upper bound at any alpha: the best of some couplings object by object."""
    alpha = problem.alpha_of(end)
    x, y = sides(problem)
    high = float(problem.most)
    try:
        for tau in relabellings(x, y):
            high = min(high, _high_under(x, y, tau, alpha, problem.base, limits))
    except LimitReached as stop:
        return Finding(low=-math.inf, high=high, solver="F3", status=stop.status)
    return Finding(low=-math.inf, high=high, solver="F3")


def _high_under(x: Masses, y: Masses, tau: tuple[int, ...], alpha: float, base: str,
                limits: Limits) -> float:
    """The bound of F3 under one relabelling.

    The closest labels need no more moves than objects are apart; the farthest no more than the
    larger number of objects that are not within, or do not contain.
    """
    r = relations(x, y, tau)
    weights = WEIGHTS if alpha > 0 else WEIGHTS[:1]
    costs = [(1 - alpha) * r.apart + alpha * (w * r.outside + (1 - w) * r.missing)
             for w in weights]
    costs.append(r.unequal)
    only_outside, only_missing = r.outside * (1 - r.missing), r.missing * (1 - r.outside)
    _, means = coupled_means(x, y, np.array(costs),
                             np.array([r.apart, r.outside, only_outside, only_missing]), limits)
    steps = np.array([[-1.0, 0.0, 1.0]]).repeat(x.n, axis=0)
    best = math.inf
    for q in range(len(costs)):
        apart, most = float(means[:, q, 0].sum()), 0.0
        if alpha > 0:
            down, up = means[:, q, 2], means[:, q, 3]
            law = SumLaw(steps, np.ascontiguousarray(
                np.column_stack([down, np.maximum(1.0 - down - up, 0.0), up])), limits)
            most = float(means[:, q, 1].sum() + law.excess(np.array([0]))[0])
        if base == "rand":
            apart, most = touched(apart, x.n), touched(min(most, float(x.n)), x.n)
        best = min(best, (1 - alpha) * apart + alpha * most)
    return best
