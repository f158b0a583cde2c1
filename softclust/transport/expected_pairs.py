"""Expected disagreeing pairs of a hard and a fuzzy side: a closed form."""

from __future__ import annotations

import numpy as np

from ..pairs.bilinear import column_sums, group_sums, self_masses
from .problem import Finding, Limits, Problem
from .solvers import solver


@solver("exact", cost="O(n c)", cheap=lambda problem: True)
def expected_pairs(problem: Problem, end: str, limits: Limits) -> Finding:
    """Expected disagreeing pairs, a closed form of sums of memberships by class."""
    return Finding.exact(problem.kept("expected pairs", lambda: expected_disagreements(problem)))


def expected_disagreements(problem: Problem) -> float:
    """n_x + E n_y - 2 E n_11: pairs of x, of y, of both."""
    table = problem.y.table
    sums = group_sums(problem.x.labels, problem.c, table)[:, :-1]
    own = float(column_sums(self_masses(table)[:, :1])[0])
    together = (float(np.sum(sums ** 2)) - own) / 2
    in_y = (float(np.sum(sums.sum(axis=0) ** 2)) - own) / 2
    sizes = np.bincount(problem.x.labels).astype(np.int64)
    in_x = int((sizes * (sizes - 1) // 2).sum())
    n = problem.n
    return min(max(0.0, in_x + in_y - 2 * together), float(n * (n - 1) // 2))
