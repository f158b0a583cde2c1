"""Laws of the rows of a random contingency table and expected largest matchings from them.

A row counts the labels drawn for the objects of one class: a Poisson-multinomial vector. Laws
are lists of cells: counts (k, K) int64 with their probabilities (k,).
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from . import _kernels
from .problem import Limits

Cells = tuple[np.ndarray, np.ndarray]

#: pairs of cells (or states and cells) between two looks at the clock: some 30 ms
PAIRS = 1 << 23
#: the same for whole arrays of numpy
ROWS = 1 << 18


def likely_cells(u: np.ndarray, limits: Limits | None, drop: float = 0.0) -> Cells:
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
        _kernels.random_tables.row_law(u, strides, start, min(start + step, m), laws)
        if limits is not None:
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


# -- three labels -------------------------------------------------------------------------------
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
        base += _kernels.random_tables.pair_maxima(
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


# -- any number of labels -----------------------------------------------------------------------
def predicted_states(free: np.ndarray) -> tuple[float, float]:
    """Upper bounds of the states of `subset_recursion` and of its steps from state to state.

    free : (K,) objects of each class whose label is not certain
    """
    size = free.shape[0]
    most, steps, states, products, objects = 1.0, 0.0, 1.0, 1.0, 0
    for a, m in enumerate(np.sort(free), start=1):
        cells = math.comb(int(m) + size - 1, size - 1)
        steps += states * cells
        products *= cells
        objects += int(m)
        # Differences of two values stay within as many places as objects are free, both ways.
        subsets = math.comb(size, a)
        states = min(products, float(2 * objects + 1) ** (subsets - 1))
        most = max(most, states * max(1.0, subsets / 8) if a < size else 1.0)
    return most, steps


def subset_recursion(rows: list[Cells], limits: Limits) -> tuple[float, int]:
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
        takes = _takes(size, a)
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


def _takes(size: int, a: int) -> list[list[tuple[int, int]]]:
    """For each set S of `a` labels: (number of S without b, b) for b in S."""
    numbers = {s: i for i, s in enumerate(itertools.combinations(range(size), a - 1))}
    return [[(numbers[tuple(x for x in s if x != b)], b) for b in s]
            for s in itertools.combinations(range(size), a)]


def _merged_parts(parts: list[Cells]) -> Cells:
    return _merged(np.concatenate([v for v, _ in parts]), np.concatenate([w for _, w in parts]))


def _merged(values: np.ndarray, weights: np.ndarray) -> Cells:
    """Distinct rows, of numbers <= 0, with their summed weights."""
    radix = 1 - int(values.min())
    width = values.shape[1]
    if float(radix) ** width < 2.0 ** 62:    # one number a row sorts faster
        keys = -values @ radix ** np.arange(width, dtype=np.int64)
        _, first, code = np.unique(keys, return_index=True, return_inverse=True)
        distinct = values[first]
    else:
        distinct, code = np.unique(values, axis=0, return_inverse=True)
    return distinct, np.bincount(code.ravel(), weights=weights, minlength=distinct.shape[0])
