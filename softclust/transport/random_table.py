"""Hard against fuzzy: the contingency table, its rows independent random counts.

Moved objects are n minus the largest sum of this table over the permutations of its columns.
An upper bound is Jensen's: the best permutation of the mean table.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

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
    mean : (K, K) float64
        Expected counts.
    best : (K,) int64
        Best label of each class for the mean table.
    jensen : float
        Moved objects for these labels: an upper bound of their mean.
    """

    membership: np.ndarray
    bounds: np.ndarray
    mean: np.ndarray
    best: np.ndarray
    jensen: float

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
    return problem.kept("random table", lambda: make_table(
        problem.x.labels, problem.y.membership))


def make_table(labels: np.ndarray, membership: np.ndarray) -> RandomTable:
    """The table of `labels` (n,) against `membership` (n, c)."""
    from scipy.optimize import linear_sum_assignment
    n = labels.shape[0]
    classes, codes = np.unique(labels, return_inverse=True)
    used = np.flatnonzero((membership > 0).any(axis=0))
    size = max(classes.shape[0], used.shape[0])
    u = np.zeros((n, size))
    u[:, :used.shape[0]] = membership[np.argsort(codes, kind="stable")][:, used]
    counts = np.bincount(codes, minlength=size)
    bounds = np.concatenate([[0], np.cumsum(counts)])
    mean = np.array([u[a:b].sum(axis=0) for a, b in itertools.pairwise(bounds)])
    _, best = linear_sum_assignment(mean, maximize=True)
    # Sums of what is moved, not n minus what stays: nearly hard memberships keep their digits.
    others = 1.0 - np.eye(size)[best]
    return RandomTable(membership=u, bounds=bounds, mean=mean, best=best,
                       jensen=math.fsum((mean * others).ravel()))


def row_cells(table: RandomTable) -> int:
    """Cells of the laws of all rows."""
    return sum((int(m) + 1) ** (table.size - 1) for m in table.free)


def quick_bounds(problem: Problem) -> Finding:
    """What stands when a limit stops an exact algorithm, in O(n K).

    High is Jensen's. Low: m moved objects change at most m(2n - m - 1)/2 pairs, which is
    concave in m, so the mean of m is at least the m of the mean of the pairs.
    """
    pairs, n = expected_disagreements(problem), problem.n
    width = 2 * n - 1
    low = (width - math.sqrt(max(0.0, width * width - 8 * pairs))) / 2
    return Finding(low=low, high=max(low, random_table(problem).jensen))
