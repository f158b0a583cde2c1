"""Expected moved objects of a hard and a fuzzy side with three labels, from laws of rows.

A row of the random table counts the labels drawn for the objects of one class: a
Poisson-multinomial vector. Laws are lists of cells: counts (k, K) int64 with their
probabilities (k,).
"""

from __future__ import annotations

import math

import numpy as np

from . import _kernels
from .problem import Finding, Limits, Problem
from .random_table import quick_bounds, random_table, row_cells
from .solvers import solver

Cells = tuple[np.ndarray, np.ndarray]
#: pairs of cells (or states and cells) between two looks at the clock: some 30 ms
PAIRS = 1 << 23
#: objects from which on the least likely cells are left out
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
    kept = np.flatnonzero(law)
    if drop > 0:
        order = kept[np.argsort(law[kept], kind="stable")]
        kept = np.sort(order[np.cumsum(law[order]) > drop])
    counts = np.empty((kept.shape[0], size), dtype=np.int64)
    left = kept
    for b in range(size - 1):
        counts[:, b], left = np.divmod(left, strides[b])
    counts[:, size - 1] = m - counts[:, :size - 1].sum(axis=1)
    return counts + fixed, np.ascontiguousarray(law[kept])


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
    with quick_bounds(problem) as found:
        rows = [likely_cells(table.members(a), limits, drop / 3)
                for a in np.argsort(table.free, kind="stable")]
        largest = expected_largest(rows, limits)
        lost = 0.0 if n <= MANY else max(0.0, 1.0 - math.prod(math.fsum(p) for _, p in rows))
        return Finding(low=n - largest - n * lost, high=n - largest,
                       n_states=sum(counts.shape[0] for counts, _ in rows))
    return found


def expected_largest(rows: list[Cells], limits: Limits) -> float:
    """Expected largest matching of a 3 x 3 table of independent rows, over the cells given.

    The matching takes label l for row 3 and the better pairing of the others for rows 1 and 2:
    max_l (a_l + T_l). All that matters of rows 1 and 2 is (a_0 - a_2, a_1 - a_2).
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
