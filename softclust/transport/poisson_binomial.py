"""Expected moved objects of a hard and a fuzzy side with two labels."""

from __future__ import annotations

import numpy as np

from .laws import SumLaw
from .problem import Finding, Limits, Problem
from .random_table import quick_bounds, random_table
from .solvers import solver


def _two_labels(problem: Problem, limits: Limits) -> str:
    if random_table(problem).size > 2:
        return "there are more than 2 labels"
    return limits.too_many(problem.n + 1)


@solver("exact", cost="O(n^1.5)", fits=_two_labels, cheap=lambda problem: problem.n <= 10_000)
def poisson_binomial(problem: Problem, end: str, limits: Limits) -> Finding:
    """Expected moved objects for 2 labels: the matched ones are a Poisson-binomial count."""
    table, n = random_table(problem), problem.n
    if table.size == 1:
        return Finding.exact(0.0, n_states=1)
    with quick_bounds(problem) as found:
        law = SumLaw(np.vstack([table.members(0)[:, ::-1], table.members(1)]), 0, limits)
        value = float(law.p @ np.minimum(law.values, n - law.values))
        return Finding.exact(value, n_states=n + 1)
    return found
