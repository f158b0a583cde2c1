"""Bounds that hold for every completion, whatever the clusters, in O(r s).

Pairs are counted by what each side says of them: same, different, or not known because an object
has no label. Pairs that one side knows go to either of two counts, pairs that none knows to
agreement or disagreement in any proportion; the best and worst of these is a bound.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from ...tables.pair_counts import PairCounts
from ...tables.sum_formula import Formula
from .problem import IncompleteTable

#: points of an edge, points of each smaller part that is refined, and number of such parts
_POINTS, _FINER, _TIMES = 257, 33, 6
#: pairs used instead of none, where a measure is undefined
_TINY = 1e-200


def outer_bounds(problem: IncompleteTable, formula: Formula, any_cluster: bool
                 ) -> tuple[float, float]:
    """Bounds below and above all values: those of the record, by pairs, or the range.

    Pairs that no side knows all agree, or all disagree, in any proportion of the two kinds; the
    least and the greatest value lie on the edges of what is possible.
    """
    m = formula.measure
    if m.completion is not None:
        return m.completion(problem, any_cluster)
    low, high = (None, None) if callable(m.bounds) else m.bounds
    ends = (-math.inf if low is None else low, math.inf if high is None else high)
    if m.statistic is not PairCounts:
        return ends

    # The edges: where each begins, and the step to its other end.
    pairs = _pairs_by_state(problem).astype(np.float64)
    free = pairs[2, 2]
    starts, steps = [], []
    for to_x, to_y, to_same, to_other in product((0, 1), repeat=4):
        base = pairs[:2, :2].copy()
        base[0, to_x] += pairs[0, 2]
        base[1, to_y] += pairs[1, 2]
        base[to_same, 0] += pairs[2, 0]
        base[to_other, 1] += pairs[2, 1]
        for first, second in (((0, 0), (1, 1)), ((0, 1), (1, 0))):
            start, step = base.copy(), np.zeros((2, 2))
            start[second] += free
            step[first], step[second] = free, -free
            starts.append(start)
            steps.append(step)
    begins, along = (np.array(v).reshape(-1, 4, 1) for v in (starts, steps))

    def at(t: np.ndarray) -> np.ndarray:
        n11, n10, n01, n00 = np.maximum(np.moveaxis(begins + along * t[:, None, :], 1, 0), 0.0)
        values = formula.at(PairCounts(n11=n11, n10=n10, n01=n01, n00=n00, self_pairs=problem.n))
        if np.isnan(values).any():   # towards the end of an edge it may have a limit
            near = [np.maximum(counts, _TINY) for counts in (n11, n10, n01, n00)]
            limit = formula.at(PairCounts(n11=near[0], n10=near[1], n01=near[2], n00=near[3],
                                          self_pairs=problem.n))
            values = np.where(np.isnan(values), limit, values)
        return values

    # The least and the greatest value on them, on finer and finer points.
    points = (1.0 - np.cos(np.linspace(0.0, np.pi, _POINTS if free else 2))) / 2.0
    extremes = []
    for sign in (1.0, -1.0):
        t = np.broadcast_to(points, (len(starts), points.size))
        best = np.inf
        for _ in range(_TIMES if free else 1):
            values = sign * at(t)
            if np.isnan(values).any():
                values = np.where(np.isnan(values), sign * ends[0 if sign > 0 else 1], values)
            best = min(best, float(values.min()))
            place = values.argmin(axis=1)[:, None]
            left, right = (np.take_along_axis(t, np.clip(place + d, 0, t.shape[1] - 1), axis=1)
                           for d in (-1, 1))
            t = left + (right - left) * np.linspace(0.0, 1.0, _FINER)
        extremes.append(sign * best)
    slack = 1e-12 * (1.0 + max(abs(v) for v in extremes))
    return extremes[0] - slack, extremes[1] + slack


def _two(counts: np.ndarray) -> int:
    return int((counts * (counts - 1)).sum()) // 2


def _pairs_by_state(problem: IncompleteTable) -> np.ndarray:
    """Pairs (3, 3) by same, different, unknown in x and in y."""
    t, n = problem.table, problem.n
    a, b = t.sum(axis=1), t.sum(axis=0)
    known = int(t.sum())
    both = _two(t.ravel())
    same_x, same_y = _two(a), _two(b)
    every = known * (known - 1) // 2
    x_known, y_known = known + int(problem.rows.sum()), known + int(problem.columns.sum())
    same_x_all, same_y_all = _two(a + problem.rows), _two(b + problem.columns)
    pairs = np.zeros((3, 3), dtype=object)
    pairs[0, 0], pairs[0, 1], pairs[1, 0] = both, same_x - both, same_y - both
    pairs[1, 1] = every - same_x - same_y + both
    pairs[0, 2] = same_x_all - same_x
    pairs[1, 2] = x_known * (x_known - 1) // 2 - every - pairs[0, 2]
    pairs[2, 0] = same_y_all - same_y
    pairs[2, 1] = y_known * (y_known - 1) // 2 - every - pairs[2, 0]
    pairs[2, 2] = n * (n - 1) // 2 - int(pairs.sum())
    return pairs
