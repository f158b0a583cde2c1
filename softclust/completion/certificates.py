"""What an unfinished search for the least alike completion still proves.

The search maximises beta X - W (alpha scaled to 1) and leaves a bound B on it. With y complete,
numerator - level * denominator of a ratio is a falling linear function of that, so the ratio is at
least level + G / D for the bound G < 0 of this difference and the least denominator D.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import xlogy

from .problem import Problem


def bound_on_unlike(name: str, problem: Problem, level: float, most: float) -> float | None:
    """Bound on the measure of the least alike completion from B = `most`; None where none is known.
    """
    n = problem.n
    b = (problem.table.sum(axis=0) + problem.columns).astype(np.float64)
    square, logs = float((b * b).sum()), float(xlogy(b, b).sum())
    pairs = n * (n - 1) / 2
    if name in ("rand_index", "rand_distance", "symmetric_difference_distance"):
        apart = min(pairs, most + square / 2)
        return {"rand_index": 1.0 - apart / pairs, "rand_distance": apart / pairs}.get(name, apart)
    if name == "variation_of_information":
        return (2 * most + logs) / n
    if name == "mutual_information":
        return max(0.0, math.log(n) - (most + logs) / n)
    q = (square - n) / 2
    if name == "jaccard_index":
        gap = -(1 + level) * (most + n) / 2 - level * (square - 2 * n) / 2
        return _lowered(level, gap, q)
    if name == "fowlkes_mallows_index":
        a = problem.table.sum(axis=1).astype(np.float64)
        return _lowered(level, -max(0.0, most + n) / math.sqrt(square - n),
                        math.sqrt(float((a * (a - 1)).sum())))
    if name == "adjusted_rand_index":
        share = q / pairs
        beta = share * (1 - level) + level / 2
        gap = (-most - n + beta * n) / 2 - level * q / 2
        a = problem.table.sum(axis=1).astype(np.float64)
        least = float((a * (a - 1)).sum()) / 2
        return _lowered(level, gap, q / 2 + min((0.5 - share) * least, (0.5 - share) * pairs))
    h_y = math.log(n) - logs / n
    if name == "normalized_mutual_information":
        gap = -2 * (most + logs) / n + 2 * math.log(n) - level * (2 * math.log(n) - logs / n)
        return _lowered(level, gap, h_y)
    shared = 1.0 - level   # I / H(x, y)
    gap = (-(1 + shared) * most - logs) / n + (1 - shared) * math.log(n)
    low = _lowered(shared, gap, h_y)
    return None if low is None else 1.0 - low


def _lowered(level: float, gap: float, least: float) -> float | None:
    if gap >= 0.0:
        return level
    return None if least <= 0.0 else level + gap / least
