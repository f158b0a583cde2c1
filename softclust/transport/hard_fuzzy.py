"""Hard against fuzzy: the rows of the contingency table are independent random counts.

Everything here is about the labels drawn from the memberships u, one an object: disagreeing
pairs have a closed form, moved objects are n minus the largest sum of a random table over the
permutations of its columns. An upper bound of moved objects is Jensen's (the best permutation
of the mean table), a lower one subtracts how much other permutations can win, in expectation.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from ..statistics.bilinear import compensated, group_sums, self_masses
from .laws import MANY_TERMS, STEEPEST, expected_positive, law_of_sum, log_moments
from .problem import Finding, LimitReached, Limits, Problem
from .solvers import solver

#: permutations are listed up to so many labels
MAX_PERMUTED = 6


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


# -- disagreeing pairs ------------------------------------------------------------------------
@solver("A", guarantee="exact", bases=("rand",), cost="O(n c)", cheap=lambda problem: True)
def expected_pairs(problem: Problem, end: str, limits: Limits) -> Finding:
    """Expected disagreeing pairs, a closed form of sums of memberships by class."""
    value = problem.kept("A", lambda: _expected_pairs(problem))
    return Finding(low=value, high=value, solver="A")


def _expected_pairs(problem: Problem) -> float:
    """n_x + E n_y - 2 E n_11: pairs of x, of y, of both."""
    table = problem.y.table
    sums = group_sums(problem.x.labels, problem.c, table)[:, :-1]
    own = float(compensated(self_masses(table)[:, :1])[0])
    together = (float(np.sum(sums ** 2)) - own) / 2
    in_y = (float(np.sum(sums.sum(axis=0) ** 2)) - own) / 2
    sizes = np.bincount(problem.x.labels).astype(np.int64)
    in_x = int((sizes * (sizes - 1) // 2).sum())
    n = problem.n
    return min(max(0.0, in_x + in_y - 2 * together), float(n * (n - 1) // 2))


# -- moved objects: exact -----------------------------------------------------------------------
def _too_many(states: float, limits: Limits) -> str:
    if states > limits.max_states:
        return f"{states:.3g} states; max_states is {limits.max_states}"
    return ""


def _two_labels(problem: Problem, limits: Limits) -> str:
    if random_table(problem).size > 2:
        return "there are more than 2 labels"
    return _too_many(problem.n + 1, limits)


@solver("B1", guarantee="exact", bases=("partition",), cost="O(n^1.5)", fits=_two_labels,
        cheap=lambda problem: problem.n <= 10_000)
def moved_two_labels(problem: Problem, end: str, limits: Limits) -> Finding:
    """Expected moved objects for 2 labels: the matched ones are a Poisson-binomial count."""
    table, n = random_table(problem), problem.n
    if table.size == 1:
        return Finding(low=0.0, high=0.0, solver="B1", n_states=1)
    first, second = table.members(0), table.members(1)
    p = np.ascontiguousarray(np.vstack([first[:, ::-1], second]))
    try:
        law = law_of_sum(p, 0, limits)
    except LimitReached as stop:
        return _stopped(problem, "B1", stop)
    matched = law.values
    value = float(law.p @ np.minimum(matched, n - matched))
    return Finding(low=value, high=value, solver="B1", n_states=n + 1)


def _row_cells(table: RandomTable) -> int:
    """Cells of the laws of all rows."""
    return sum((int(m) + 1) ** (table.size - 1) for m in table.free)


def _three_labels(problem: Problem, limits: Limits) -> str:
    if random_table(problem).size != 3:
        return "there are not 3 labels"
    if problem.n > 300:
        return "there are more than 300 objects"
    return _too_many(_row_cells(random_table(problem)), limits)


def _three_labels_large(problem: Problem, limits: Limits) -> str:
    table = random_table(problem)
    if table.size != 3:
        return "there are not 3 labels"
    small = np.sort(table.free)[:2].astype(float)
    pairs = float(np.prod((small + 1) * (small + 2) / 2))
    return (_too_many(_row_cells(table), limits)
            or _too_many(pairs / 1000, limits))   # a pair of cells costs a nanosecond, no memory


def _three_labels_dropping(problem: Problem, limits: Limits) -> str:
    if random_table(problem).size != 3:
        return "there are not 3 labels"
    return _too_many(_row_cells(random_table(problem)), limits)


@solver("B2", guarantee="exact", bases=("partition",), cost="O(n^4) with a tiny constant",
        fits=_three_labels, cheap=lambda problem: True)
def moved_three_labels(problem: Problem, end: str, limits: Limits) -> Finding:
    """Expected moved objects for 3 labels and up to 300 objects, from the laws of the rows."""
    return _three_rows(problem, limits, "B2", 0.0)


@solver("B2 large", guarantee="exact", bases=("partition",), cost="O(n^4) with a tiny constant",
        fits=_three_labels_large)
def moved_three_labels_large(problem: Problem, end: str, limits: Limits) -> Finding:
    """As B2, for more objects."""
    return _three_rows(problem, limits, "B2 large", 0.0)


@solver("B2 dropping", guarantee="certificate", bases=("partition",), cost="O(n^2)",
        fits=_three_labels_dropping)
def moved_three_labels_dropping(problem: Problem, end: str, limits: Limits) -> Finding:
    """As B2 without the least likely counts: bounds as wide as their probability times n."""
    return _three_rows(problem, limits, "B2 dropping", limits.tol * problem.most / problem.n / 4)


def _three_rows(problem: Problem, limits: Limits, name: str, drop: float) -> Finding:
    """B2: two rows by pairs of cells (Laplace's expansion), the third from a table."""
    from .row_laws import expected_largest, likely_cells
    table = random_table(problem)
    order = np.argsort(table.free, kind="stable")
    try:
        rows = [likely_cells(table.members(a), limits, drop / 3) for a in order]
        largest = expected_largest(rows, limits)
    except LimitReached as stop:
        return _stopped(problem, name, stop)
    states = sum(counts.shape[0] for counts, _ in rows)
    high = problem.n - largest
    if not drop:
        return Finding(low=high, high=high, solver=name, n_states=states)
    lost = 1.0 - math.prod(math.fsum(p) for _, p in rows)
    return Finding(low=high - problem.n * max(0.0, lost), high=high, solver=name, n_states=states)


def _subsets_fit(problem: Problem, limits: Limits) -> str:
    table = random_table(problem)
    if table.size > 8:
        return "there are more than 8 labels"
    from .row_laws import predicted_states
    states, steps = predicted_states(table.free)
    return _too_many(max(_row_cells(table), states, steps / 10), limits)


@solver("B5", guarantee="exact", bases=("partition",), cost="O(states), predicted",
        fits=_subsets_fit)
def moved_by_subsets(problem: Problem, end: str, limits: Limits) -> Finding:
    """Expected moved objects by a recursion over classes and subsets of labels."""
    from .row_laws import likely_cells, subset_recursion
    table = random_table(problem)
    order = np.argsort(table.free, kind="stable")
    try:
        rows = [likely_cells(table.members(a), limits, 0.0) for a in order]
        largest, states = subset_recursion(rows, limits)
    except LimitReached as stop:
        return _stopped(problem, "B5", stop)
    value = problem.n - largest
    return Finding(low=value, high=value, solver="B5", n_states=states)


def _stopped(problem: Problem, name: str, stop: LimitReached) -> Finding:
    """What is known without work when a limit stops an exact algorithm.

    High is Jensen's. Low: m moved objects change at most m(2n - m - 1)/2 pairs, which is
    concave in m, so the mean of m is at least the m of the mean of the pairs.
    """
    pairs, n = _expected_pairs(problem), problem.n
    width = 2 * n - 1
    low = (width - math.sqrt(max(0.0, width * width - 8 * pairs))) / 2
    return Finding(low=low, high=max(low, random_table(problem).jensen), solver=name,
                   status=stop.status)


# -- moved objects: certificates ----------------------------------------------------------------
def _few_labels(problem: Problem, limits: Limits) -> str:
    return "" if random_table(problem).size <= MAX_PERMUTED else (
        f"there are more than {MAX_PERMUTED} labels")


@solver("B3", guarantee="certificate", bases=("partition",), cost="O(c! n^1.5)",
        fits=_few_labels, cheap=lambda problem: random_table(problem).size <= 4)
def bounds_by_permutations(problem: Problem, end: str, limits: Limits) -> Finding:
    """Bounds of expected moved objects: Jensen, and what each other permutation can win."""
    table = random_table(problem)
    enough = problem.rounding / 100
    others = [p for p in itertools.permutations(range(table.size)) if p != tuple(table.best)]
    try:
        if table.size > 3 or problem.n > MANY_TERMS:
            bounds = _chernoff_bounds(table, np.array(others).reshape(-1, table.size), limits)
        else:
            bounds = np.full(len(others), math.inf)
        small = bounds <= enough
        lost = math.fsum(bounds[small])
        for k in np.flatnonzero(~small):
            law = law_of_sum(_gain_terms(table, others[k]), -1, limits)
            lost += min(float(bounds[k]), law.positive())
            limits.check()
    except LimitReached as stop:
        return _stopped(problem, "B3", stop)
    return Finding(low=max(0.0, table.jensen - lost), high=table.jensen, solver="B3")


def _chernoff_bounds(table: RandomTable, permutations: np.ndarray, limits: Limits) -> np.ndarray:
    """Chernoff's bounds of what each permutation wins, one row of classes for all of them."""
    steps = STEEPEST * 0.75 ** np.arange(30)
    moments = np.zeros((steps.shape[0], table.size, table.size))
    for a in range(table.size):
        for b in range(table.size):
            if b != table.best[a]:
                moments[:, a, b] = log_moments(_differences(table.members(a), b, table.best[a]),
                                               -1, steps)
        limits.check()
    classes = np.arange(table.size)
    exponents = np.stack([m[classes, permutations].sum(axis=1) for m in moments])
    least = np.min(exponents - 1.0 - np.log(steps)[:, None], axis=0)
    # The factor covers the rounding of logarithms and products.
    return np.exp(np.minimum(least, 700.0)) * (1 + 1e-9)


def _gain_terms(table: RandomTable, permutation: tuple[int, ...]) -> np.ndarray:
    """P(-1), P(0), P(+1) of what each object adds to this permutation against the best one."""
    return np.concatenate([_differences(table.members(a), b, best) for a, (b, best)
                           in enumerate(zip(permutation, table.best)) if b != best])


def _differences(u: np.ndarray, b: int, best: int) -> np.ndarray:
    """P(-1), P(0), P(+1) of 1[label b] - 1[label best] of objects with memberships u."""
    return np.column_stack([u[:, best], np.maximum(0.0, 1.0 - u[:, b] - u[:, best]), u[:, b]])


@solver("B4", guarantee="certificate", bases=("partition",), cost="O(c^3 + c n^1.5)",
        cheap=lambda problem: random_table(problem).size <= 12)
def bounds_by_potentials(problem: Problem, end: str, limits: Limits) -> Finding:
    """Bounds of expected moved objects: Jensen, and prices of labels (weak duality)."""
    table = random_table(problem)
    prices = _prices(table.mean, table.best)
    lost = 0.0
    try:
        for a in range(table.size):
            u, best = table.members(a), table.best[a]
            shifts = prices[best] - prices
            if u.shape[0] == 0:
                lost += float(shifts.max())    # at least 0, for label best_a itself
                continue
            lost += math.fsum(
                expected_positive(_differences(u, b, best), -1, shift=float(shifts[b]),
                                  enough=problem.rounding / (100 * table.size), limits=limits)
                for b in range(table.size) if b != best)
            limits.check()
    except LimitReached as stop:
        return _stopped(problem, "B4", stop)
    return Finding(low=max(0.0, table.jensen - lost), high=table.jensen, solver="B4")


def _prices(mean: np.ndarray, best: np.ndarray) -> np.ndarray:
    """Prices v of labels for which the best label of each class of the mean table is best.

    mean[a, b] - mean[a, best_a] <= v_b - v_best_a. Of all solutions the mean of the least and
    the greatest one, for each label as the one of price 0.
    """
    size = mean.shape[0]
    longest = np.empty((size, size))
    longest[best] = mean - mean[np.arange(size), best][:, None]
    for k in range(size):
        longest = np.maximum(longest, longest[:, [k]] + longest[[k]])
    return ((longest - longest.T) / 2).mean(axis=0)
