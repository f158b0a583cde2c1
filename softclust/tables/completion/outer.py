"""Bounds that hold for every completion, whatever the clusters, in O(r s).

Pairs are counted by what each side says of them: same, different, or not known because an object
has no label. Pairs that one side knows go to either of two counts, pairs that none knows to
agreement or disagreement in any proportion; the best and worst of these is a bound.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
from scipy.special import xlogy

from .problem import Problem
from .values import DISTANCES, Expected, sums_of, values_of


def outer_bounds(problem: Problem, name: str, any_cluster: bool) -> tuple[float, float]:
    """Bounds below and above all values."""
    n = problem.n
    if name == "variation_of_information":
        return _information_bounds(problem, any_cluster)
    if name == "mutual_information":
        r, s = problem.shape
        most = math.log(n if any_cluster else max(1, min(r, s)))
        return 0.0, most
    if name in ("normalized_mutual_information", "normalized_variation_of_information"):
        return 0.0, 1.0
    if name == "adjusted_mutual_information":
        least, most = _information_bounds(problem, any_cluster)
        return adjusted_bounds(problem, any_cluster, least, most)
    if name == "transfer_distance":
        return 0.0, float(n - 1)
    low, high = _pair_bounds(problem, name)
    return low, high


def _information_bounds(problem: Problem, any_cluster: bool) -> tuple[float, float]:
    n, known = problem.n, int(problem.table.sum())
    r, s = problem.shape
    most = math.log(n)
    if not any_cluster:
        most = min(most, math.log(max(r, 1)) + math.log(max(s, 1)))
    if known == 0:
        return 0.0, most
    value = float(values_of("variation_of_information", sums_of(problem.table[None]),
                            Expected())[0])
    # n VI never falls when an object is added.
    return max(0.0, known * value / n * (1.0 - 1e-12)), most


def adjusted_bounds(problem: Problem, any_cluster: bool, least: float, most: float
                    ) -> tuple[float, float]:
    """Bounds on the adjusted mutual information from those on the variation of information.

    The index is 1 - VI / 2 / (mean entropy - E). E, the expected information, is at least 0 and at
    most (r - 1)(s - 1)/(n - 1): Jensen's inequality for the size-biased hypergeometric counts, and
    ln u <= u - 1.
    """
    gaps = int(problem.columns.sum()) + problem.both, int(problem.rows.sum()) + problem.both
    known = [problem.table.sum(axis=1) + problem.rows, problem.table.sum(axis=0) + problem.columns]
    if any_cluster:
        known = [np.append(a, np.zeros(gap, np.int64)) for a, gap in zip(known, gaps)]
    chance = (known[0].size - 1) * (known[1].size - 1) / (problem.n - 1)
    ends = [_entropies(a, gap) for a, gap in zip(known, gaps)]
    narrow = (ends[0][0] + ends[1][0]) / 2 - chance
    wide = (ends[0][1] + ends[1][1]) / 2
    return (1.0 - most / 2 / narrow * (1.0 + 1e-12) if narrow > 0.0 else -math.inf,
            1.0 - least / 2 / wide * (1.0 - 1e-12) if wide > 0.0 else 1.0)


def _entropies(counts: np.ndarray, gap: int) -> tuple[float, float]:
    """Bounds on the entropy of cluster sizes: one cluster takes all gaps, or the smallest do."""
    n = int(counts.sum()) + gap
    ordered = np.sort(counts)
    level, k = 0.0, np.arange(1, counts.size + 1)
    if gap:   # the smallest k are raised to the same height, above which the others stand
        heights = (np.cumsum(ordered) + gap) / k
        level = float(heights[np.flatnonzero(ordered < heights)[-1]])
    full = np.append(ordered[:-1], ordered[-1] + gap) / n
    even = np.maximum(ordered, level) / n
    return float(-xlogy(full, full).sum()), float(-xlogy(even, even).sum())


def _two(counts: np.ndarray) -> int:
    return int((counts * (counts - 1)).sum()) // 2


def _pairs_by_state(problem: Problem) -> np.ndarray:
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


def _pair_bounds(problem: Problem, name: str) -> tuple[float, float]:
    pairs = _pairs_by_state(problem)
    values: list[float] = []
    for to_x, to_y, to_same, to_other in product((0, 1), repeat=4):
        base = pairs[:2, :2].astype(np.float64)
        base[0, to_x] += float(pairs[0, 2])
        base[1, to_y] += float(pairs[1, 2])
        base[to_same, 0] += float(pairs[2, 0])
        base[to_other, 1] += float(pairs[2, 1])
        free = float(pairs[2, 2])
        for first, second in (((0, 0), (1, 1)), ((0, 1), (1, 0))):
            values += _along(base, first, second, free, name)
    slack = 1e-12 * (1.0 + max(abs(v) for v in values))
    return min(values) - slack, max(values) + slack


def _along(base: np.ndarray, first: tuple[int, int], second: tuple[int, int], free: float,
           name: str) -> list[float]:
    """Values on an edge: its ends and where the measure is stationary."""
    def at(t: float) -> np.ndarray:
        moved = base.copy()
        moved[first] += t
        moved[second] += free - t
        return moved

    places = [0.0, free]
    if free > 0.0:
        # Numerator and denominator have degree 2 at most: three points give them.
        spots = np.array([0.0, free / 2, free])
        parts = np.array([_parts(at(t), name) for t in spots])
        num, den = (np.polynomial.Polynomial.fit(spots, parts[:, k], 2).convert() for k in (0, 1))
        slope = num.deriv() * den - num * den.deriv()
        with np.errstate(all="ignore"):
            found: Any = slope.trim(1e-300).roots() if np.isfinite(slope.coef).all() else []
            roots = np.atleast_1d(np.asarray(found, dtype=np.complex128))
        places += [float(root.real) for root in roots
                   if abs(root.imag) < 1e-6 * free and 0.0 < root.real < free]
    return [_value(at(t), name) for t in places]


def _parts(counts: np.ndarray, name: str) -> tuple[float, float]:
    """Numerator and denominator; of the square for Fowlkes and Mallows."""
    (n11, n10), (n01, n00) = counts
    total = counts.sum()
    if name == "rand_index":
        return n11 + n00, total
    if name == "rand_distance":
        return n10 + n01, total
    if name == "symmetric_difference_distance":
        return n10 + n01, 1.0
    if name == "jaccard_index":
        return n11, n11 + n10 + n01
    if name == "fowlkes_mallows_index":
        return n11 * n11, (n11 + n10) * (n11 + n01)
    return (2 * (n11 * n00 - n10 * n01),
            (n11 + n10) * (n10 + n00) + (n11 + n01) * (n01 + n00))


def _value(counts: np.ndarray, name: str) -> float:
    top, bottom = _parts(counts, name)
    if bottom == 0.0:
        if name == "fowlkes_mallows_index":
            return 0.0
        return 0.0 if name in DISTANCES else 1.0
    return math.sqrt(max(0.0, top / bottom)) if name == "fowlkes_mallows_index" else top / bottom
