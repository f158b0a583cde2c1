"""The farthest labels from below: one label is taken from each set of one side.

If x' is such a selection of x, then d1(x, y) >= d0(x', y).
"""

from __future__ import annotations

import numpy as np

from .coupled_matching import kept_matched, matched, moved_low, pairs_low, sides
from .couplings import MAX_LISTED, Masses, moves_for
from .problem import Finding, Limits, Problem
from .rough_types import many_subsets
from .solvers import solver


@solver("certificate", cost="coupled_matching (partition) or pair sums (rand) of some selections",
        fits=many_subsets, cheap=lambda p: p.c <= 3 and p.n <= 200)
def selection_bound(problem: Problem, end: str, limits: Limits) -> Finding:
    """A lower bound of the farthest: one label taken from each set of a side, others closest."""
    with Finding() as bounds:
        pairs = _selections(problem, limits)
        if problem.base == "partition" and problem.c <= MAX_LISTED:
            bounds.low = _moved_low(pairs, limits)
            return bounds
        for a, b in pairs:
            low = pairs_low(a, b, limits)
            bounds.low = max(bounds.low,
                             low if problem.base == "rand" else moves_for(low, problem.n))
    return bounds


def _moved_low(pairs: list[tuple[Masses, Masses]], limits: Limits) -> float:
    """Largest lower bound of moved objects over the selections, the most promising first."""
    tried = [(matched(a, b, limits), a, b) for a, b in pairs]
    low = 0.0
    for found, a, b in sorted(tried, key=lambda item: -item[0].high):
        low = max(low, moved_low(a, b, found, limits, enough=low))
    return low


def _selections(problem: Problem, limits: Limits) -> list[tuple[Masses, Masses]]:
    """Pairs of sides, one of them with a label taken from each set.

    Of each set the label that is least plausible on the other side, under the relabelling that
    fits best.
    """
    x, y = sides(problem)
    tau = np.array(kept_matched(problem, limits).best)
    inverse = np.argsort(tau)
    pairs = []
    for z, other, names in ((x, y, tau), (y, x, inverse)):
        if z.single.all():
            continue   # no choice: the sides as they are
        against = z.selected(np.column_stack([
            np.where(row, other.plausibility[:, names], np.inf).argmin(axis=1)
            for row in z.sets]))
        pairs.append((against, y) if z is x else (x, against))
    return pairs or [(x, y)]
