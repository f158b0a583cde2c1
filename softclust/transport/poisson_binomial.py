"""Expected moved objects of a hard and a fuzzy side with two labels."""

from __future__ import annotations

import numpy as np

from .laws import SumLaw
from .problem import Finding, LimitReached, Limits, Problem
from .random_table import random_table, stopped, too_many
from .solvers import solver


def _two_labels(problem: Problem, limits: Limits) -> str:
    if random_table(problem).size > 2:
        return "there are more than 2 labels"
    return too_many(problem.n + 1, limits)


@solver("poisson_binomial", guarantee="exact", bases=("partition",), cost="O(n^1.5)",
        fits=_two_labels, cheap=lambda problem: problem.n <= 10_000)
def moved_two_labels(problem: Problem, end: str, limits: Limits) -> Finding:
    """Expected moved objects for 2 labels: the matched ones are a Poisson-binomial count."""
    table, n = random_table(problem), problem.n
    if table.size == 1:
        return Finding(low=0.0, high=0.0, n_states=1)
    first, second = table.members(0), table.members(1)
    p = np.ascontiguousarray(np.vstack([first[:, ::-1], second]))
    try:
        law = SumLaw(p, 0, limits)
    except LimitReached as stop:
        return stopped(problem, stop)
    matched = law.values
    value = float(law.p @ np.minimum(matched, n - matched))
    return Finding(low=value, high=value, n_states=n + 1)
