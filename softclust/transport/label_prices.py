"""Most moved objects of rough sides: whole prices of labels prove how many every choice keeps.

With a hard side prices descend; what they leave open, and two rough
sides, are integer programs.
"""

from __future__ import annotations

import numpy as np

from . import _kernels
from .integer_programs import MOST_ENTRIES, least_kept
from .label_matching import assignable
from .problem import Finding, Limits, Problem
from .relabellings import moved_bounds
from .rough_types import MOST_SUBSET_LABELS, RoughTypes, rough_types
from .solvers import solver


@solver("exact", cost="O(n + 2^c), else an integer program", fits=assignable,
        cheap=lambda p: p.c <= 6)
def label_prices(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most moved objects of a hard and a rough side, by prices of labels."""
    return most_moved(rough_types(problem), limits)


@solver("exact", cost="O(n), two integer programs", fits=assignable, cheap=lambda p: p.c <= 3)
def integer_programs(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most moved objects of two rough sides (Hausdorff), by two integer programs."""
    return most_moved(rough_types(problem), limits)


def most_moved(types: RoughTypes, limits: Limits) -> Finding:
    """Most moved objects of types: prices with a hard side, then integer programs."""
    low, high, status, note = 0, types.n, "ok", ""
    hard = types.hard_first()
    if hard is not None and hard.c <= MOST_SUBSET_LABELS:
        cnt = hard.counts_by_mask()
        bel, bounds = np.zeros_like(cnt), np.zeros(2, np.int64)
        _kernels.hard_tables.beliefs(cnt, bel)
        _kernels.hard_tables.hard_h1(cnt, bel, bounds)
        low, high = int(bounds[0]), int(bounds[1])
    elif types.n_cells <= MOST_ENTRIES:
        low, high = moved_bounds(types)
    if low < high and types.n_cells > MOST_ENTRIES:
        status, note = "max_states", "too many types for an integer program"
    elif low < high:
        directed = 0
        # With a hard side only the labels of the other one are open.
        for side in (types, types.swapped()) if hard is None else (hard.swapped(),):
            least, most, stopped = least_kept(side, limits)
            low, directed = max(low, types.n - most), max(directed, types.n - least)
            status = status if stopped == "ok" else stopped
        high = min(high, directed)
    return Finding.integers(low, high, status, note=note)
