"""Two hard clusterings: the base distances themselves."""

from __future__ import annotations

from ..tables.assignment import most_matched
from ..tables.contingency import Contingency, contingency
from ..tables.pair_counts import PairCounts
from .problem import Finding, Limits, Problem
from .solvers import solver


@solver("exact", cost="O(n + cells)", cheap=lambda p: True)
def contingency_table(problem: Problem, end: str, limits: Limits) -> Finding:
    """Disagreeing pairs of two hard clusterings from their contingency table."""
    pairs = PairCounts.of(_contingency(problem))
    return Finding.exact(float(pairs.n10 + pairs.n01))


@solver("exact", cost="O(n + c^3)", cheap=lambda p: True)
def assignment(problem: Problem, end: str, limits: Limits) -> Finding:
    """Moved objects of two hard clusterings by an assignment."""
    return Finding.exact(float(problem.n - most_matched(_contingency(problem))))


def _contingency(problem: Problem) -> Contingency:
    """Counts of objects by label of x and of y."""
    c = problem.c
    return problem.kept("contingency",
                        lambda: contingency(problem.x.labels, c, problem.y.labels, c))
