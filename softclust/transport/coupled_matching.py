"""Moved objects, closest labels of two soft sides: couplings object by object."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..clusterings import (
    Clustering,
    EvidentialClustering,
    FuzzyClustering,
    RoughClustering,
)
from ..pairs.pair_sums import pair_sums
from .couplings import (
    MAX_LISTED,
    Masses,
    coupled,
    coupled_prices,
    masses,
    moves_for,
    relabellings,
    relations,
)
from .laws import SumLaw, least_split
from .problem import Finding, Limits, Problem
from .solvers import solver

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
    if z.single.all():
        membership = np.zeros((z.n, z.c))
        membership[:, z.sets.argmax(axis=1)] = z.mass
        return FuzzyClustering(membership)
    if (z.mass.max(axis=1) == 1.0).all():   # any number of labels
        return RoughClustering.from_upper(z.sets[z.mass.argmax(axis=1)])
    return EvidentialClustering(z.mass, z.sets)


@dataclass(frozen=True)
class Matched:
    """The best relabelling, its cost (an upper bound), and the costs of all that were tried."""

    best: tuple[int, ...]
    high: float
    tried: dict[tuple[int, ...], float]


def matched(x: Masses, y: Masses, limits: Limits) -> Matched:
    """Least sum over objects of the cost to meet, over the relabellings."""
    tried = {}
    for tau in relabellings(x, y):
        apart = relations(x, y, tau).apart
        tried[tau] = float(coupled(x, y, apart, apart[None], limits)[1].sum())
    best = min(tried, key=tried.__getitem__)
    return Matched(best=best, high=tried[best], tried=tried)


def moved_low(x: Masses, y: Masses, found: Matched, limits: Limits,
              enough: float = 0.0) -> float:
    """A lower bound of moved objects; -inf as soon as it cannot exceed `enough`."""
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
        found = kept_matched(problem, limits)
        bounds.high = found.high
        bounds.low = moved_low(x, y, found, limits)
        if problem.c > MAX_LISTED or (problem.n <= MAX_PAIR_OBJECTS
                                      and bounds.high - bounds.low > limits.tol):
            bounds.low = max(bounds.low, moves_for(kept_pairs_low(problem, limits), problem.n))
    return bounds


def kept_matched(problem: Problem, limits: Limits) -> Matched:
    """`matched` of the problem, computed once."""
    return problem.kept("matched", lambda: matched(*sides(problem), limits))


def kept_pairs_low(problem: Problem, limits: Limits) -> float:
    """`pairs_low` of the problem, computed once."""
    return problem.kept("pairs low", lambda: pairs_low(*sides(problem), limits))
