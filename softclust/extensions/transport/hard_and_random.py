"""Hard against fuzzy: the contingency table, its rows independent random counts.

Moved objects are n minus the largest sum of this table over the permutations of its columns.
An upper bound is Jensen's: the best permutation of the mean table.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from ...soft_pairs.bilinear import column_sums, group_sums, relation_masses
from . import _kernels
from .couplings import moves_for
from .laws import SumLaw
from .problem import Finding, Limits, Problem, solver


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
    """The table of a hard x and a fuzzy y, made once per problem."""
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
    """Bounds for when a limit stops an exact algorithm, in O(n K).

    High is Jensen's. Low is the smallest mean number of moved objects that can change the mean
    number of pairs.
    """
    from scipy.optimize import linear_sum_assignment
    table = random_table(problem)
    mean = np.array([table.members(a).sum(axis=0) for a in range(table.size)])
    _, best = linear_sum_assignment(mean, maximize=True)
    # Sums of what is moved, not n minus what stays: nearly hard memberships keep their digits.
    return Finding(low=moves_for(expected_disagreements(problem), problem.n),
                   high=math.fsum((mean * (1.0 - np.eye(table.size)[best])).ravel()))


# -- expected moved objects of a hard and a fuzzy side with three labels, from laws of rows -------
# A row of the random table counts the labels drawn for the objects of one class: a
# Poisson-multinomial vector. Laws are lists of cells: counts (k, K) int64 with their
# probabilities (k,).
Cells = tuple[np.ndarray, np.ndarray]
#: pairs of cells (or states and cells) between two checks of the clock, about 30 ms
PAIRS = 1 << 23
#: from this many objects on the least likely cells are left out
MANY = 300


def distinct_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct rows of whole numbers and, for each row, which one it is."""
    code, room = np.zeros(rows.shape[0], dtype=np.int64), 1   # one number a row sorts faster
    for column in rows.T:
        if room * (int(np.ptp(column)) + 1) >= 1 << 62:
            code, column = (np.unique(v, return_inverse=True)[1] for v in (code, column))
            room = int(code.max()) + 1
        span = int(np.ptp(column)) + 1
        code, room = code * span + (column - column.min()), room * span
    _, first, code = np.unique(code, return_index=True, return_inverse=True)
    return rows[first], code


def likely_cells(u: np.ndarray, limits: Limits, drop: float = 0.0) -> Cells:
    """Cells of the row law of objects with memberships `u` (m, K).

    Without the least likely ones, of total probability at most `drop`. Time O(K m^K), m the
    objects whose label is not certain.
    """
    certain = (u == 1.0).any(axis=1)
    fixed = u[certain].sum(axis=0).astype(np.int64)
    u = np.ascontiguousarray(u[~certain])
    m, size = u.shape
    side = m + 1
    strides = np.append(side ** np.arange(size - 2, -1, -1, dtype=np.int64), 0)
    laws = np.zeros((2, side ** (size - 1)))
    laws[0, 0] = 1.0
    step = max(1, PAIRS // (laws.shape[1] * size))
    for start in range(0, m, step):
        _kernels.row_laws.row_law(u, strides, start, min(start + step, m), laws)
        limits.check()
    law = laws[m % 2]
    support = np.flatnonzero(law)
    if drop > 0:
        order = support[np.argsort(law[support], kind="stable")]
        support = np.sort(order[np.cumsum(law[order]) > drop])
    counts = np.empty((support.shape[0], size), dtype=np.int64)
    left = support
    for b in range(size - 1):
        counts[:, b], left = np.divmod(left, strides[b])
    counts[:, size - 1] = m - counts[:, :size - 1].sum(axis=1)
    return counts + fixed, np.ascontiguousarray(law[support])


def _three_labels(problem: Problem, limits: Limits) -> str:
    if random_table(problem).size != 3:
        return "there are not 3 labels"
    return limits.too_many(row_cells(random_table(problem)))


@solver("exact", cost="O(n^2 log n), three labels", fits=_three_labels,
        cheap=lambda problem: problem.n <= 300)
def row_laws(problem: Problem, end: str, limits: Limits) -> Finding:
    """Expected moved objects for 3 labels: two rows by pairs of cells, the third from a table.

    For many objects without the least likely cells, whose share of the value is within rounding.
    """
    table, n = random_table(problem), problem.n
    drop = 0.0 if n <= MANY else problem.rounding / (8 * n)
    with quick_bounds(problem) as finding:
        rows = [likely_cells(table.members(a), limits, drop / 3)
                for a in np.argsort(table.free, kind="stable")]
        largest = expected_largest(rows, limits)
        lost = 0.0 if n <= MANY else max(0.0, 1.0 - math.prod(math.fsum(p) for _, p in rows))
        return Finding(low=n - largest - n * lost, high=n - largest,
                       n_states=sum(counts.shape[0] for counts, _ in rows))
    return finding


def expected_largest(rows: list[Cells], limits: Limits) -> float:
    """Expected largest matching of a 3 x 3 table of independent rows, over the cells given.

    The matching takes label l for row 3 and the better pairing of the others for rows 1 and 2:
    max_l (a_l + T_l). Rows 1 and 2 matter only through (a_0 - a_2, a_1 - a_2).
    """
    (counts, p), (others, q), (last, last_p) = rows
    sums = [(np.maximum(one[:, i].min() + two[:, j].min(), one[:, j].min() + two[:, i].min()),
             np.maximum(one[:, i].max() + two[:, j].max(), one[:, j].max() + two[:, i].max()))
            for one, two in [(counts, others)] for i, j in ((1, 2), (0, 2), (0, 1))]
    firsts = [int(sums[b][0] - sums[2][1]) for b in (0, 1)]
    hist = np.zeros([int(sums[b][1] - sums[2][0]) - firsts[b] + 1 for b in (0, 1)])
    base = 0.0
    step = max(1, PAIRS // others.shape[0])
    for start in range(0, counts.shape[0], step):
        stop = min(start + step, counts.shape[0])
        base += _kernels.row_laws.pair_maxima(
            counts, p, others, q, start, stop, firsts[0], firsts[1], hist)
        limits.check()
    above = _mean_above(last[:, 0] - last[:, 2], last[:, 1] - last[:, 2], last_p,
                        *firsts, *hist.shape)
    return (base * math.fsum(last_p) + float(hist.sum()) * float(last_p @ last[:, 2])
            + float(np.sum(hist * above)))


def _mean_above(a: np.ndarray, b: np.ndarray, p: np.ndarray, first0: int, first1: int,
                n0: int, n1: int) -> np.ndarray:
    """E max(d0 + A, d1 + B, 0) for d0 = first0, ... (n0 values), d1 = first1, ... (n1).

    With x = -d0, y = -d1 it is the sum over j >= 0 of P(A > x + j or B > y + j), a suffix sum
    along diagonals that is one-dimensional from x >= max A or y >= max B on.
    """
    x = np.arange(-(first0 + n0 - 1), max(-first0, int(a.max())) + 1)
    y = np.arange(-(first1 + n1 - 1), max(-first1, int(b.max())) + 1)
    a0, b0 = int(a.min()), int(b.min())
    table = np.zeros((int(a.max()) - a0 + 1, int(b.max()) - b0 + 1))
    table[a - a0, b - b0] = p
    law_a, law_b = table.sum(axis=1), table.sum(axis=0)
    above_a = _survival(law_a)
    # [i, j]: P(A <= a0 + i - 1, B > b0 + j - 1)
    mixed = np.zeros((table.shape[0] + 1, table.shape[1] + 1))
    mixed[1:, :-1] = np.cumsum(np.cumsum(table[:, ::-1], axis=1)[:, ::-1], axis=0)
    at_x = np.clip(x - a0 + 1, 0, table.shape[0])
    at_y = np.clip(y - b0 + 1, 0, table.shape[1])
    above = np.empty((x.shape[0], y.shape[0]))
    above[-1] = _excess(law_b, b0, y)
    above[:, -1] = _excess(law_a, a0, x)
    for i in range(x.shape[0] - 2, -1, -1):
        above[i, :-1] = above_a[at_x[i]] + mixed[at_x[i], at_y[:-1]] + above[i + 1, 1:]
    return above[:n0, :n1][::-1, ::-1]


def _survival(law: np.ndarray) -> np.ndarray:
    """P(index >= i) for i = 0, ..., k."""
    return np.append(np.cumsum(law[::-1])[::-1], 0.0)


def _excess(law: np.ndarray, first: int, at: np.ndarray) -> np.ndarray:
    """E(A - x)^+ at the consecutive integers `at`; A is first, first + 1, ... by `law`."""
    above = _survival(law)[np.clip(at - first + 1, 0, law.shape[0])]
    return np.cumsum(above[::-1])[::-1]


# -- expected moved objects of a hard and a fuzzy side with two labels ----------------------------
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
    with quick_bounds(problem) as finding:
        law = SumLaw(np.vstack([table.members(0)[:, ::-1], table.members(1)]), 0, limits)
        value = float(law.p @ np.minimum(law.values, n - law.values))
        return Finding.exact(value, n_states=n + 1)
    return finding


# -- expected disagreeing pairs of a hard and a fuzzy side: a closed form -------------------------
@solver("exact", cost="O(n c)", cheap=lambda problem: True)
def expected_pairs(problem: Problem, end: str, limits: Limits) -> Finding:
    """Expected disagreeing pairs, a closed form of sums of memberships by class."""
    return Finding.exact(problem.kept("expected pairs", lambda: expected_disagreements(problem)))


def expected_disagreements(problem: Problem) -> float:
    """n_x + E n_y - 2 E n_11: pairs of x, of y, of both."""
    table = problem.y.table
    sums = group_sums(problem.x.labels, problem.c, table)[:, :-1]
    within = float(column_sums(relation_masses(table)[:, :1])[0])
    together = (float(np.sum(sums ** 2)) - within) / 2
    in_y = (float(np.sum(sums.sum(axis=0) ** 2)) - within) / 2
    sizes = np.bincount(problem.x.labels).astype(np.int64)
    in_x = int((sizes * (sizes - 1) // 2).sum())
    n = problem.n
    return min(max(0.0, in_x + in_y - 2 * together), float(n * (n - 1) // 2))


# -- expected moved objects of a hard and a fuzzy side by a recursion over classes and label sets -
#: values that are merged at a time
ROWS = 1 << 18


def _subsets_fit(problem: Problem, limits: Limits) -> str:
    table = random_table(problem)
    if table.size > 8:
        return "there are more than 8 labels"
    states, steps = predicted_states(table.free)
    return limits.too_many(max(row_cells(table), states, steps / 10))


@solver("exact", cost="O(states), predicted", fits=_subsets_fit)
def subset_recursion(problem: Problem, end: str, limits: Limits) -> Finding:
    """Expected moved objects by a recursion over classes and subsets of labels."""
    table = random_table(problem)
    order = np.argsort(table.free, kind="stable")
    with quick_bounds(problem) as finding:
        rows = [likely_cells(table.members(a), limits) for a in order]
        largest, states = largest_by_subsets(rows, limits)
        return Finding.exact(problem.n - largest, n_states=states)
    return finding


def predicted_states(free: np.ndarray) -> tuple[float, float]:
    """Upper bounds of the states of `largest_by_subsets` and of its steps from state to state.

    free : (K,) objects of each class whose label is not certain
    """
    size = free.shape[0]
    largest, steps, states, products, objects = 1.0, 0.0, 1.0, 1.0, 0
    for a, m in enumerate(np.sort(free), start=1):
        cells = math.comb(int(m) + size - 1, size - 1)
        steps += states * cells
        products *= cells
        objects += int(m)
        # Differences of two values stay within as many places as objects are free, both ways.
        subsets = math.comb(size, a)
        states = min(products, float(2 * objects + 1) ** (subsets - 1))
        largest = max(largest, states * max(1.0, subsets / 8) if a < size else 1.0)
    return largest, steps


def largest_by_subsets(rows: list[Cells], limits: Limits) -> tuple[float, int]:
    """Expected largest matching of a table of independent rows, and the states visited.

    V_a(S), |S| = a, is the largest matching of the first a rows with the labels S:
    V_a(S) = max over b in S of V_(a-1)(S - b) + T[a, b]. A state is V minus its maximum; equal
    states are merged and the expected maximum is added up on the way.
    """
    size = len(rows)
    values = np.zeros((1, 1), dtype=np.int64)
    weights = np.ones(1)
    largest, states = 0.0, 0
    for a, (counts, p) in enumerate(rows, start=1):
        # Steps to each set S of a labels: (number of S without b, b) for b in S.
        numbers = {s: i for i, s in enumerate(itertools.combinations(range(size), a - 1))}
        takes = [[(numbers[tuple(x for x in s if x != b)], b) for b in s]
                 for s in itertools.combinations(range(size), a)]
        step = max(1, ROWS // (counts.shape[0] * len(takes)))
        parts: list[Cells] = []
        for start in range(0, values.shape[0], step):
            chunk = values[start:start + step]
            new = np.stack([
                np.max([chunk[:, None, before] + counts[None, :, b] for before, b in options],
                       axis=0) for options in takes], axis=-1).reshape(-1, len(takes))
            weight = (weights[start:start + step, None] * p).ravel()
            top = new.max(axis=1)
            largest += float(weight @ top)
            if a < size:
                parts.append(_merged(new - top[:, None], weight))
                if sum(w.shape[0] for _, w in parts) > 4 * ROWS:
                    parts = [_merged_parts(parts)]
            limits.check()
        if a < size:
            values, weights = _merged_parts(parts)
            states += values.shape[0]
    return largest, states


def _merged_parts(parts: list[Cells]) -> Cells:
    return _merged(np.concatenate([v for v, _ in parts]), np.concatenate([w for _, w in parts]))


def _merged(values: np.ndarray, weights: np.ndarray) -> Cells:
    """Distinct rows with their summed weights."""
    distinct, code = distinct_rows(values)
    return distinct, np.bincount(code, weights=weights, minlength=distinct.shape[0])
