"""Moved objects of two soft sides from above, any alpha: some couplings object by object."""

from __future__ import annotations

import math

import numpy as np

from .coupled_matching import kept_matched, sides
from .couplings import Masses, coupled, relations
from .laws import SumLaw
from .problem import Finding, Limits, Problem
from .solvers import solver


@solver("certificate", cost="2 c! n small transports, 2 c! convolutions",
        cheap=lambda p: p.c <= 4 and p.n * math.factorial(p.c) <= 3000)
def coupling_bound(problem: Problem, end: str, limits: Limits) -> Finding:
    """An upper bound at any alpha: the best of some couplings object by object."""
    alpha = problem.alpha_of(end)
    x, y = sides(problem)
    with Finding() as bounds:
        for tau, least in kept_matched(problem, limits).tried.items():
            if least < bounds.high:   # the bound under tau is at least what meeting costs
                bounds.high = min(bounds.high, _high_under(x, y, tau, alpha, limits))
    return bounds


def _high_under(x: Masses, y: Masses, tau: tuple[int, ...], alpha: float, limits: Limits
                ) -> float:
    """The bound under one relabelling.

    The closest labels need no more moves than objects are apart; the farthest no more than the
    larger number of objects that are not within, or do not contain.
    """
    r = relations(x, y, tau)
    # One cost is near what is bounded, the other no worse than total variation.
    costs = [(1 - alpha) * r.apart + alpha * (r.outside + r.missing) / 2, r.unequal]
    only_outside, only_missing = r.outside * (1 - r.missing), r.missing * (1 - r.outside)
    tables = np.array([r.apart, r.outside, only_outside, only_missing])
    best = math.inf
    for cost in costs:
        apart, outside, down, up = coupled(x, y, cost, tables, limits)[1].T
        law = SumLaw(np.column_stack([down, np.maximum(1.0 - down - up, 0.0), up]), -1, limits)
        most = float(outside.sum()) + law.positive()
        best = min(best, (1 - alpha) * float(apart.sum()) + alpha * most)
    return best
