"""Drive the matching of tables: kernels, Python's integers where they cannot decide, SciPy."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .. import _kernels
from .._checks import check_choice

METHODS = ("trace", "truematch", "truematch_heuristic")
MARGINS = ("remaining", "all")
TIE_TOLERANCE = 1e-12
#: n T_kl and a_k b_l fit an int64 up to so many objects
_PRODUCTS_FIT = 3_000_000_000


def method_code(method: Any, margins: Any) -> int:
    """The number that kernels know a rule by."""
    check_choice("method", method, METHODS)
    check_choice("margins", margins, MARGINS)
    codes = _kernels.matching
    if method == "truematch_heuristic":
        return int(codes.REMAINING if margins == "remaining" else codes.ALL)
    return int(codes.TRACE if method == "trace" else codes.TRUEMATCH)


def is_heuristic(code: int) -> bool:
    """Whether matches are found round by round."""
    return code in (_kernels.matching.REMAINING, _kernels.matching.ALL)


def n_choices(code: int, r: int, s: int) -> int:
    """How many uniform numbers a match takes."""
    return min(r, s) if is_heuristic(code) else 1


def match_columns(table: np.ndarray, code: int, uniforms: np.ndarray, *,
                  tolerance: float = TIE_TOLERANCE) -> tuple[np.ndarray, int | None]:
    """The column of each row, -1 for none, and the number of optima when it is counted.

    `table` (r, s) int64 counts or float64 masses; `uniforms` as `n_choices` says.
    """
    kernels = _kernels.matching
    r, s = table.shape
    columns = np.full(r, -1, dtype=np.int64)
    if not is_heuristic(code) and s > kernels.COUNTED:
        return _match_by_scipy(table, code, float(uniforms[0])), None
    if table.dtype == np.int64:
        if code != kernels.TRACE and int(table.sum()) > _PRODUCTS_FIT:
            return settle(table, code, uniforms)
        found = kernels.match_counts(table, code, uniforms, columns, kernels.scratch(r, s, code))
        if found == kernels.UNSETTLED:
            return settle(table, code, uniforms)
    else:
        found = kernels.match_masses(table, code, tolerance, uniforms, columns,
                                     kernels.scratch(r, s, code))
    return columns, None if is_heuristic(code) else int(found)


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


def settle(table: np.ndarray, code: int, uniforms: np.ndarray) -> tuple[np.ndarray, int | None]:
    """The match of a table of counts in Python's integers: slow and always exact."""
    kernels = _kernels.matching
    rows = [[int(t) for t in row] for row in table]
    if is_heuristic(code):
        return _settle_heuristic(rows, code == kernels.REMAINING, uniforms), None
    if code == kernels.TRACE:
        values = rows
    else:
        values = _whole_scores(rows)
    return _settle_optimal(values, float(uniforms[0]))


def _whole_scores(rows: list[list[int]]) -> list[list[int]]:
    """Scores over a common denominator."""
    a = [sum(row) for row in rows]
    b = [sum(column) for column in zip(*rows)]
    n = sum(a)
    common = 1
    for margin in (*a, *b):
        common *= margin or 1
    return [[_signed_square(n * t - a[k] * b[j]) * (common // ((a[k] or 1) * (b[j] or 1)))
             for j, t in enumerate(row)] for k, row in enumerate(rows)]


def _signed_square(d: int) -> int:
    return d * abs(d)


def _settle_optimal(values: list[list[int]], uniform: float) -> tuple[np.ndarray, int]:
    r, s = len(values), len(values[0])
    skips = max(0, r - s)

    def options(i: int, taken: int) -> list[tuple[int, int]]:
        """Columns that row i may have (s: none) and what is taken then."""
        found = [(j, taken | 1 << j) for j in range(s) if not taken >> j & 1]
        if i - taken.bit_count() < skips:
            found.append((s, taken))
        return found

    @cache
    def best(i: int, taken: int) -> tuple[int, int]:
        """Largest sum of the rows from i on and in how many ways."""
        if i == r:
            return 0, 1
        sums = [(best(i + 1, after)[0] + (values[i][j] if j < s else 0), best(i + 1, after)[1])
                for j, after in options(i, taken)]
        most = max(value for value, _ in sums)
        return most, sum(ways for value, ways in sums if value == most)

    _, total = best(0, 0)
    number, taken = min(int(uniform * total), total - 1), 0
    columns = np.full(r, -1, dtype=np.int64)
    for i in range(r):
        for j, after in options(i, taken):
            value, ways = best(i + 1, after)
            if value + (values[i][j] if j < s else 0) < best(i, taken)[0]:
                continue
            if number < ways:
                columns[i] = j if j < s else -1
                taken = after
                break
            number -= ways
    return columns, total


def _settle_heuristic(rows: list[list[int]], remaining: bool, uniforms: np.ndarray
                      ) -> np.ndarray:
    from fractions import Fraction
    left, free = list(range(len(rows))), list(range(len(rows[0])))
    columns = np.full(len(rows), -1, dtype=np.int64)
    a, b, n = [0] * len(rows), [0] * len(rows[0]), 0
    for turn in range(min(len(left), len(free))):
        if remaining or turn == 0:
            for k in left:
                a[k] = sum(rows[k][j] for j in free)
            for j in free:
                b[j] = sum(rows[k][j] for k in left)
            n = sum(a[k] for k in left)
        ranks = {(k, j): (Fraction(_signed_square(n * rows[k][j] - a[k] * b[j]),
                                   (a[k] * b[j]) or 1), rows[k][j])
                 for k in left for j in free}
        top = max(ranks.values())
        ties = [cell for cell, rank in ranks.items() if rank == top]
        k, j = ties[min(int(uniforms[turn] * len(ties)), len(ties) - 1)]
        columns[k] = j
        left.remove(k)
        free.remove(j)
    return columns


def _match_by_scipy(table: np.ndarray, code: int, uniform: float) -> np.ndarray:
    """An optimum of a large table after rows and columns were shuffled: random, not uniform."""
    from scipy.optimize import linear_sum_assignment
    shuffle = np.random.default_rng(int(uniform * 2.0**53))
    r, s = table.shape
    rows, cols = shuffle.permutation(r), shuffle.permutation(s)
    values = table if code == _kernels.matching.TRACE else score_table(table)
    i, j = linear_sum_assignment(values[np.ix_(rows, cols)], maximize=True)
    columns = np.full(r, -1, dtype=np.int64)
    columns[rows[i]] = cols[j]
    return columns
