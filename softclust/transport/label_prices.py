"""Most moved objects of rough sides: whole prices of labels prove how many every choice keeps.

With a hard side prices descend; what they leave open, and two rough
sides, are integer programs.
"""

from __future__ import annotations

import numpy as np

from . import _kernels
from .integer_programs import least_kept, least_prices
from .label_matching import assignable
from .problem import Finding, Limits, Problem
from .relabellings import far_moved, touched
from .rough_types import MOST_SUBSET_LABELS, RoughTypes, rough_types
from .solvers import solver

#: an integer program may have so many entries
_MOST_ENTRIES = 1_000_000


@solver("label_prices", guarantee="exact", bases=("partition",), ends=("upper",),
        cost="O(n + 2^c), else an integer program", fits=assignable, cheap=lambda p: p.c <= 6)
def farthest_partition(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most moved objects of a hard and a rough side, by prices of labels."""
    return most_moved(rough_types(problem), limits)


@solver("integer_programs", guarantee="exact", bases=("partition",), ends=("upper",),
        cost="O(n), two integer programs", fits=assignable, cheap=lambda p: p.c <= 3)
def hausdorff_partition(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most moved objects of two rough sides (Hausdorff), by two integer programs."""
    return most_moved(rough_types(problem), limits)


def most_moved(types: RoughTypes, limits: Limits) -> Finding:
    """Most moved objects of types: prices with a hard side, else integer programs."""
    hard = types.hard_first()
    if hard is None or hard.c > MOST_SUBSET_LABELS:
        return _farthest_moved(types, hard, limits)
    kernels = _kernels.hard_tables
    cnt = hard.counts_by_mask()
    bel, bounds = np.zeros_like(cnt), np.zeros(2, np.int64)
    kernels.beliefs(cnt, bel)
    kernels.hard_h1(cnt, bel, bounds)
    low, high, status = int(bounds[0]), int(bounds[1]), "ok"
    if low < high:
        low, high, status = _by_prices(bel, low, high, limits)
    return Finding(low=float(low), high=float(high),
                   status="ok" if low == high else status)


def _by_prices(bel: np.ndarray, low: int, high: int, limits: Limits) -> tuple[int, int, str]:
    """Moved objects by an integer program, within [low, high]."""
    n = int(bel[:, -1].sum())
    least, most, status = least_prices(bel, limits)
    return max(low, n - most), min(high, n - least), status


def _farthest_moved(types: RoughTypes, hard: RoughTypes | None, limits: Limits) -> Finding:
    """Two rough sides, or many labels: integer programs over the labels of each open side."""
    low, high = far_moved(types), touched(types)[0]
    # With a hard side only the labels of the other one are open.
    sides = (types, types.swapped()) if hard is None else (hard.swapped(),)
    status, note = "ok", ""
    if low < high and types.n_cells > _MOST_ENTRIES:
        status, note = "max_states", "too many types for an integer program"
    elif low < high:
        directed = 0
        for side in sides:
            least, most, stopped = least_kept(side, limits)
            low, directed = max(low, types.n - most), max(directed, types.n - least)
            status = status if stopped == "ok" else stopped
        high = min(high, directed)
    return Finding(low=float(low), high=float(high), note=note,
                   status="ok" if low == high else status)
