"""Match the clusters of tables: the largest trace, truematch, and their heuristics.

Tables have r rows (clusters of the reference) and s columns. A cell's score is
sign(D) D^2 / (n a_k b_l), D = n T_kl - a_k b_l, and 0 where a margin is 0. Counts are compared
exactly, in Python's integers where others do not suffice. Equal candidates are numbered in
lexicographic order of their columns, a row without one counting as s, and number floor(u N) of N
is taken with the uniform number u that the caller gives.
"""
from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np

from .._checks import check_choice
from ..clusterings.arrays import components
from .contingency import Contingency, OfTables

METHODS = ("trace", "truematch", "truematch_heuristic", "trace_heuristic")
MARGINS = ("remaining", "all")
TIE_TOLERANCE = 1e-12
#: rules: the methods, the truematch heuristic with the margins of what remains or of the full table
TRACE, TRUEMATCH, REMAINING, ALL, GREEDY = 0, 1, 2, 3, 4
#: optima are counted over subsets of at most this many columns
COUNTED = 12
#: n T_kl and a_k b_l fit an int64 up to this many objects
_PRODUCTS_FIT = 3_000_000_000
#: float64 does not order scores of counts with a smaller relative difference
_NEAR = 1e-12
#: up to this many cells the assignment is solved on the full table
_DENSE_ASSIGNMENT = 1 << 20
#: equal masses are split into at most this many parts per side
_EQUAL_PARTS = 512
#: share of the cells that a round must settle for another one
_SETTLED = 0.05
#: matchings of square tables up to this size are listed
_LISTED = 5


def method_code(method: Any, margins: Any) -> int:
    """The number of a rule."""
    check_choice("method", method, METHODS)
    check_choice("margins", margins, MARGINS)
    if method == "trace_heuristic":
        return GREEDY
    return METHODS.index(method) + (method == "truematch_heuristic" and margins == "all")


def is_heuristic(code: int) -> bool:
    """Test whether matches are found round by round."""
    return code >= REMAINING


def n_choices(code: int, r: int, s: int) -> int:
    """Number of uniform random numbers that a match takes."""
    return min(r, s) if is_heuristic(code) else 1


def match_columns(table: np.ndarray, code: int, uniforms: np.ndarray, *,
                  tolerance: float = TIE_TOLERANCE) -> tuple[np.ndarray, int | None]:
    """The column of each row (-1 for none), and the number of optima where it is counted.

    `table` (r, s) int64 counts or float64 masses; `uniforms` as `n_choices` says. Masses are tied
    within `tolerance` of the largest.
    """
    if is_heuristic(code):
        return _heuristic(table, code, uniforms, tolerance), None
    if table.shape[1] > COUNTED:
        # An optimum of a large table after rows and columns were shuffled: random, not uniform.
        from scipy.optimize import linear_sum_assignment
        shuffle = np.random.default_rng(int(float(uniforms[0]) * 2.0**53))
        rows, cols = shuffle.permutation(table.shape[0]), shuffle.permutation(table.shape[1])
        scores = table if code == TRACE else score_table(table)
        i, j = linear_sum_assignment(scores[np.ix_(rows, cols)], maximize=True)
        columns = np.full(table.shape[0], -1, dtype=np.int64)
        columns[rows[i]] = cols[j]
        return columns, None
    values, near = table.tolist(), 0.0
    if table.dtype != np.int64:
        scores = table if code == TRACE else score_table(table)
        values, near = scores.tolist(), _margin(scores, table, tolerance)
    elif code != TRACE:   # exact scores, over a common denominator
        a, b = [sum(row) for row in values], [sum(column) for column in zip(*values)]
        n = sum(a)
        common = math.lcm(*(margin or 1 for margin in a)) * math.lcm(*(margin or 1 for margin in b))
        for k, row in enumerate(values):
            for m, t in enumerate(row):
                d = n * t - a[k] * b[m]
                row[m] = d * abs(d) * (common // ((a[k] or 1) * (b[m] or 1)))
    return _optimum(values, near, float(uniforms[0]))


def score_table(table: np.ndarray) -> np.ndarray:
    """sign(T - e) (T - e)^2 / e with e = a_k b_l / n, 0 where e is 0."""
    if table.dtype == np.int64 and int(table.sum()) > _PRODUCTS_FIT:
        table = table.astype(object)
    a, b, n = table.sum(axis=1), table.sum(axis=0), table.sum()
    expected = np.multiply.outer(a, b)   # times n
    if table.dtype == np.float64:
        difference = table - (expected / n if n > 0 else 0.0)
        known = (expected / n if n > 0 else expected) > 0
        expected = expected / n if n > 0 else expected
    else:
        difference = (n * table - expected).astype(np.float64)   # times n, rounded once
        known = expected > 0
        expected = expected.astype(np.float64) * float(n)
    score = np.zeros(table.shape)
    np.divide(difference * np.abs(difference), expected, out=score, where=known.astype(bool))
    return score


def _margin(scores: np.ndarray, table: np.ndarray, tolerance: float) -> float:
    """Differences of scores of masses that are ties."""
    # Scores are squares: for an independent table rounding leaves about 1e-32 n, taken as 0.
    return max(tolerance * float(np.abs(scores).max()), tolerance**2 * float(table.sum()))


def _optimum(values: list[list[Any]], near: float, uniform: float) -> tuple[np.ndarray, int]:
    """One of the assignments with the largest sum, chosen uniformly, and the number of them.

    Optimal prices leave the cells that some optimum holds: those whose value is the sum of the
    prices of row and column. The assignments within these cells are counted row by row.
    """
    r, s = len(values), len(values[0])
    wide = r <= s
    if wide:
        row_prices, columns, column_prices = _prices(values)
    else:
        column_prices, rows, row_prices = _prices(list(zip(*values)))
        columns = [rows.index(i) if i in rows else s for i in range(r)]
    cells = [[j for j in range(s) if j == columns[i]
              or row_prices[i] + column_prices[j] - values[i][j] <= near] for i in range(r)]
    # Rows and columns stay without a partner only at the price 0.
    idle = [not wide and price <= near for price in row_prices]
    needed = sum(1 << j for j in range(s) if wide and column_prices[j] > near)
    skips = max(0, r - s)

    def options(i: int, used: int) -> list[tuple[int, int]]:
        """Columns that row i may have (s: none) and the set that is taken then."""
        possible = [(j, used | 1 << j) for j in cells[i] if not used >> j & 1]
        if idle[i] and i - used.bit_count() < skips:
            possible.append((s, used))
        return possible

    reached: list[set[int]] = [{0}]
    for i in range(r):
        reached.append({after for chosen in reached[i] for _, after in options(i, chosen)})
    ways = [{chosen: int(needed & ~chosen == 0) for chosen in reached[r]}]
    for i in range(r - 1, -1, -1):
        ways.append({chosen: sum(ways[-1][after] for _, after in options(i, chosen))
                     for chosen in reached[i]})
    ways.reverse()
    number, chosen = min(int(uniform * ways[0][0]), ways[0][0] - 1), 0
    columns_of_rows = np.full(r, -1, dtype=np.int64)
    for i in range(r):
        for j, after in options(i, chosen):
            if number < ways[i + 1][after]:
                columns_of_rows[i] = j if j < s else -1
                chosen = after
                break
            number -= ways[i + 1][after]
    return columns_of_rows, ways[0][0]


def _prices(values: Any) -> tuple[list[Any], list[int], list[Any]]:
    """Prices of rows, columns of rows and prices of columns of an optimal assignment, r <= s.

    The prices of a row and a column add up to at least the value of their cell, and to the value
    where they are paired; column prices are >= 0, and 0 without a partner. Row after row gets a
    column by the cheapest alternating path. Integers stay exact.
    """
    r, s = len(values), len(values[0])
    row_prices: list[Any] = [0] * r
    prices: list[Any] = [0] * s
    owner, columns = [-1] * s, [-1] * r
    for start in range(r):
        row = values[start]
        row_prices[start] = max(v - p for v, p in zip(row, prices))
        distance = [row_prices[start] + p - v for v, p in zip(row, prices)]
        before, left, passed = [start] * s, list(range(s)), []
        while True:
            sink = min(left, key=distance.__getitem__)
            i, length = owner[sink], distance[sink]
            if i < 0:
                break
            left.remove(sink)
            passed.append(sink)
            base, row = length + row_prices[i], values[i]
            for j in left:
                through = base + prices[j] - row[j]
                if through < distance[j]:
                    distance[j], before[j] = through, i
        row_prices[start] -= length
        for j in passed:
            prices[j] += length - distance[j]
            row_prices[owner[j]] -= length - distance[j]
        while True:
            i = before[sink]
            owner[sink], columns[i], sink = i, sink, columns[i]
            if i == start:
                break
    return row_prices, columns, prices


def _heuristic(table: np.ndarray, code: int, uniforms: np.ndarray, tolerance: float
               ) -> np.ndarray:
    """Round by round the largest score (not "trace"), then the largest count, then chance."""
    (r, s), remaining = table.shape, code == REMAINING
    whole = table.dtype == np.int64
    if whole and int(table.sum()) > _PRODUCTS_FIT:
        table = table.astype(object)
    scores = score_table(table)
    near, near_mass = 0.0, 0.0
    if not whole:
        near, near_mass = _margin(scores, table, tolerance), tolerance * float(table.max())
    a, b = table.sum(axis=1), table.sum(axis=0)
    rows, columns = np.arange(r), np.arange(s)
    matched = np.full(r, -1, dtype=np.int64)
    for turn in range(min(r, s)):
        part = table[rows[:, None], columns]
        if code == GREEDY:
            values = np.zeros(part.shape)
        elif not remaining:
            values = scores[rows[:, None], columns]
        else:
            values = scores = score_table(part) if turn else scores
        top = float(values.max())
        cells = np.flatnonzero(values >= top - (_NEAR * abs(top) if whole else near))
        if whole and cells.size > 1 and code != GREEDY:
            # Those with the largest score, in exact arithmetic.
            of_rows, of_columns, n = ((part.sum(axis=1), part.sum(axis=0), part.sum()) if remaining
                                      else (a[rows], b[columns], a.sum()))
            exact = []
            for cell in cells.tolist():
                k, j = divmod(cell, part.shape[1])
                expected = int(of_rows[k]) * int(of_columns[j])   # times n
                d = int(n) * int(part[k, j]) - expected
                exact.append(Fraction(d * abs(d), expected or 1))
            best = max(exact)
            cells = cells[[score == best for score in exact]]
        masses = part.reshape(-1)[cells]
        cells = cells[masses >= masses.max() - near_mass]
        k, j = divmod(int(cells[min(int(uniforms[turn] * cells.size), cells.size - 1)]),
                      columns.size)
        matched[rows[k]] = columns[j]
        rows, columns = np.delete(rows, k), np.delete(columns, j)
    return matched


# -- the largest or cheapest assignment of tables of any size -------------------------------------
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


def matched_first(table: np.ndarray) -> np.ndarray:
    """Columns in the order of the rows that they match best, then the others."""
    from scipy.optimize import linear_sum_assignment
    columns = linear_sum_assignment(table, maximize=True)[1]   # by row
    return np.append(columns, np.setdiff1d(np.arange(table.shape[1]), columns))


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
