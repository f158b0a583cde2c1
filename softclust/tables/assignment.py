"""Optimal assignments of tables of any size."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from ..clusterings.arrays import components
from .contingency import Contingency, OfTables

#: up to this many cells the assignment is solved on the full table
_DENSE_ASSIGNMENT = 1 << 20
#: equal masses are split into at most this many parts per side
_EQUAL_PARTS = 512
#: share of the cells that a round must settle for another one
_SETTLED = 0.05
#: matchings of square tables up to this size are listed
_LISTED = 5


def best_assignments(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct columns for the rows of each table with the largest sum.

    Parameters
    ----------
    tables : ndarray of shape (B, r, c)
        Finite int64 or float64, r, c >= 1; negate to minimise.

    Returns
    -------
    columns : ndarray of shape (B, r), int64
        -1 for rows without a column (r > c).
    values : ndarray of shape (B,)
        The sums, of the type of `tables`.
    """
    count, r, c = tables.shape
    if r == c <= _LISTED:   # all matchings of all tables at once
        matchings = np.array(list(permutations(range(r))))
        sums = tables[:, 0, matchings[:, 0]]
        for i in range(1, r):
            sums = sums + tables[:, i, matchings[:, i]]
        best = sums.argmax(axis=1)
        return matchings[best], sums[np.arange(count), best]
    from scipy.optimize import linear_sum_assignment
    columns = np.full((count, r), -1, dtype=np.int64)
    values = np.empty(count, dtype=tables.dtype)
    for b in range(count):
        rows, matched = linear_sum_assignment(tables[b], maximize=True)
        columns[b, rows] = matched
        values[b] = tables[b, rows, matched].sum()
    return columns, values


def cheapest_plan(cost: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The plan W >= 0 (r, s) with these row and column sums that minimises the sum of W * cost.

    `rows` and `columns` have the same sum. Equal masses are assigned in equal parts, exactly;
    others go to SciPy's linear programme at its smallest tolerances.
    """
    from scipy.optimize import linear_sum_assignment, linprog
    r, s = cost.shape
    parts = math.lcm(r, s)
    if parts <= _EQUAL_PARTS and np.ptp(rows) == 0.0 and np.ptp(columns) == 0.0:
        many = np.repeat(np.repeat(cost, parts // r, axis=0), parts // s, axis=1)
        i, j = linear_sum_assignment(many)
        plan = np.zeros((r, s))
        np.add.at(plan, (i // (parts // r), j // (parts // s)), 1.0)
        return plan * (float(rows.sum()) / parts)
    from scipy.sparse import eye_array, kron, vstack
    sums = [kron(eye_array(r), np.ones((1, s))), kron(np.ones((1, r)), eye_array(s))]
    scale = float(abs(cost).max()) or 1.0
    solution = linprog(cost.ravel() / scale, A_eq=vstack(sums).tocsr(),
                    b_eq=np.concatenate([rows, columns]), method="highs",
                    options={"primal_feasibility_tolerance": 1e-10,
                             "dual_feasibility_tolerance": 1e-10})
    if solution.x is None:
        raise RuntimeError(f"the transport problem could not be solved: {solution.message}")
    return np.asarray(solution.x).reshape(r, s)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedObjects(OfTables):
    """Number of objects that the best one-to-one matching of clusters keeps.

    Attributes
    ----------
    n : int
        Number of objects.
    matched : int
        Objects whose clusters are matched; the largest possible number.
    n_used : (int, int)
        Numbers of clusters of x and y that are not empty.
    """

    n: int
    matched: int
    n_used: tuple[int, int]

    @property
    def moved(self) -> int:
        """Objects outside matched clusters."""
        return self.n - self.matched

    @classmethod
    def of(cls, source: Any) -> MatchedObjects:
        """Statistic of the table of two hard clusterings."""
        c = source.statistic(Contingency)
        return cls(n=c.n, matched=most_matched(c), n_used=c.n_used)


def most_matched(c: Contingency) -> int:
    """Largest sum of counts over pairs of clusters, each cluster in at most one pair."""
    if c.x_refines_y or c.y_refines_x:
        # Each cluster of the coarser side keeps its largest part.
        keep = np.zeros(c.s if c.x_refines_y else c.r, np.int64)
        np.maximum.at(keep, c.cols if c.x_refines_y else c.rows, c.counts)
        return int(keep.sum())
    if c.r * c.s <= _DENSE_ASSIGNMENT:
        from scipy.optimize import linear_sum_assignment
        table = c.dense()
        rows, columns = linear_sum_assignment(table, maximize=True)
        return int(table[rows, columns].sum())
    return int(c.counts[matched_cells(c.rows, c.cols, c.counts)].sum())


def best_matched(c: Contingency, weights: np.ndarray) -> float:
    """Largest sum of `weights` >= 0 of non-zero cells, each cluster in at most one cell."""
    return math.fsum(weights[matched_cells(c.rows, c.cols, weights)])


def matched_cells(rows: np.ndarray, cols: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Positions of the cells of the heaviest one-to-one matching of rows and columns.

    A cell that weighs as much as the two heaviest others of its row and of its column together is
    in a best matching, and its row and column are settled. What is left when few cells are settled
    at once falls into connected components, one assignment each. Ctrl-C is seen between them.
    O(cells log cells) without large components.
    """
    chosen, left = [], np.arange(weights.size)
    while left.size:
        i, j, w = rows[left], cols[left], weights[left]
        sure = left[w >= _heaviest_other(i, w) + _heaviest_other(j, w)]
        for side in (rows, cols):   # equal ones: the first
            sure = sure[np.unique(side[sure], return_index=True)[1]]
        chosen.append(sure)
        before, left = left.size, left[~np.isin(i, rows[sure]) & ~np.isin(j, cols[sure])]
        if before - left.size < _SETTLED * before:
            break
    if left.size:
        i, j = (np.unique(side[left], return_inverse=True)[1] for side in (rows, cols))
        r = int(i.max()) + 1
        part = components(_edges(i, r + j, r + int(j.max()) + 1))[1][i]
        order = np.argsort(part, kind="stable")
        for cells in np.split(order, np.flatnonzero(np.diff(part[order])) + 1):
            chosen.append(left[cells[_matched_part(i[cells], j[cells], weights[left[cells]])]])
    return np.concatenate(chosen)


def _heaviest_other(group: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The largest weight of the other cells in the group of each cell, 0 without any."""
    order = np.lexsort((-weights, group))
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    sizes, sorted_weights = np.diff(first, append=order.size), weights[order]
    other = np.repeat(sorted_weights[first], sizes)
    other[first] = np.where(sizes > 1, sorted_weights[np.minimum(first + 1, order.size - 1)], 0)
    result = np.empty_like(other)
    result[order] = other
    return result


def _edges(a: np.ndarray, b: np.ndarray, n: int) -> Any:
    from scipy.sparse import coo_array
    return coo_array((np.ones(a.size, np.int8), (a, b)), shape=(n, n))


def _matched_part(rows: np.ndarray, cols: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Positions of the matched cells of one component.

    A large one is matched on its non-zero cells. SciPy matches every row, so each gets a column of
    its own that keeps nothing, and costs are positive: zeros would count as no edge.
    """
    i, j = np.unique(rows, return_inverse=True)[1], np.unique(cols, return_inverse=True)[1]
    r, s = int(i.max()) + 1, int(j.max()) + 1
    if r * s <= _DENSE_ASSIGNMENT:
        from scipy.optimize import linear_sum_assignment
        table, place = np.zeros((r, s), weights.dtype), np.full((r, s), -1)
        table[i, j], place[i, j] = weights, np.arange(weights.size)
        chosen = place[linear_sum_assignment(table, maximize=True)]
        return chosen[chosen >= 0]
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching
    no_gain, idle = float(weights.max()) + 1.0, np.arange(r)
    costs = np.concatenate([no_gain - weights, np.full(r, no_gain)])
    graph = csr_array((costs, (np.concatenate([i, idle]), np.concatenate([j, s + idle]))),
                      shape=(r, s + r))
    left, right = min_weight_full_bipartite_matching(graph)
    left, right = left[right < s], right[right < s]
    order = np.lexsort((j, i))
    return order[np.searchsorted((i * s + j)[order], left * s + right)]
