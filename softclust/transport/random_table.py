"""Hard against fuzzy: the contingency table, its rows independent random counts.

Moved objects are n minus the largest sum of this table over the permutations of its columns.
An upper bound is Jensen's: the best permutation of the mean table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .couplings import moves_for
from .expected_pairs import expected_disagreements
from .problem import Finding, Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomTable:
    """Classes of x against the labels in use of y, both padded with empty ones to K.

    Attributes
    ----------
    membership : (n, K) float64
        Objects ordered by class.
    bounds : (K + 1,) int64
        Objects of class a are bounds[a] to bounds[a + 1] - 1.
    """

    membership: np.ndarray
    bounds: np.ndarray

    @property
    def n(self) -> int:
        return int(self.membership.shape[0])

    @property
    def size(self) -> int:
        """K: classes and labels after padding."""
        return int(self.membership.shape[1])

    @property
    def free(self) -> np.ndarray:
        """Objects of each class whose label is not certain, (K,) int64."""
        free = (self.membership < 1.0).all(axis=1)
        return np.diff(np.concatenate([[0], np.cumsum(free)])[self.bounds])

    def members(self, a: int) -> np.ndarray:
        """Memberships of the objects of class a, (n_a, K)."""
        return self.membership[self.bounds[a]:self.bounds[a + 1]]


def random_table(problem: Problem) -> RandomTable:
    """The table of a hard x and a fuzzy y, made once a problem."""
    def make() -> RandomTable:
        membership = problem.y.membership
        classes, codes = np.unique(problem.x.labels, return_inverse=True)
        used = np.flatnonzero((membership > 0).any(axis=0))
        size = max(classes.shape[0], used.shape[0])
        u = np.zeros((problem.n, size))
        u[:, :used.shape[0]] = membership[np.argsort(codes, kind="stable")][:, used]
        counts = np.bincount(codes, minlength=size)
        return RandomTable(membership=u, bounds=np.concatenate([[0], np.cumsum(counts)]))
    return problem.kept("random table", make)


def row_cells(table: RandomTable) -> int:
    """Cells of the laws of all rows."""
    return sum((int(m) + 1) ** (table.size - 1) for m in table.free)


def quick_bounds(problem: Problem) -> Finding:
    """What stands when a limit stops an exact algorithm, in O(n K).

    High is Jensen's. Low: so many moved objects change the disagreeing pairs in the mean.
    """
    from scipy.optimize import linear_sum_assignment
    table = random_table(problem)
    mean = np.array([table.members(a).sum(axis=0) for a in range(table.size)])
    _, best = linear_sum_assignment(mean, maximize=True)
    # Sums of what is moved, not n minus what stays: nearly hard memberships keep their digits.
    return Finding(low=moves_for(expected_disagreements(problem), problem.n),
                   high=math.fsum((mean * (1.0 - np.eye(table.size)[best])).ravel()))
