"""Most disagreeing pairs of a hard and a rough side: a branch and bound over cluster sizes.

Boxes of sizes of the rough side; the chord of the squared sizes decouples the classes and
bounds a box.
"""

from __future__ import annotations

import numpy as np

from . import _kernels
from .problem import Finding, Limits, Problem
from .rough_types import RoughTypes, few_subsets, rough_types
from .solvers import solver
from .type_search import SLICE, in_slices


@solver("exact", cost="O(n), branch and bound over cluster sizes", fits=few_subsets,
        cheap=lambda p: p.c <= 3)
def box_search(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most disagreeing pairs of a hard and a rough side, by boxes of cluster sizes."""
    return most_pairs(rough_types(problem), limits)


def most_pairs(types: RoughTypes, limits: Limits) -> Finding:
    """Most disagreeing pairs of types, one side hard."""
    hard = types.hard_first()
    assert hard is not None
    cnt = hard.counts_by_mask()
    bel = np.zeros_like(cnt)
    _kernels.hard_tables.beliefs(cnt, bel)
    kernels = _kernels.box_search
    sizes, proved = kernels.hard_sizes(hard.c), np.zeros(3, np.int64)
    boxes, bounds, state = kernels.d1_begin(bel, sizes, hard.c)
    step = max(1, SLICE // (8 * bel.size * hard.c))
    status = in_slices(lambda until: kernels.d1_search(bel, sizes, hard.c, boxes, bounds, state,
                                                       until, 1 << 62),
                       lambda: bool(state[0] == 0), step, limits, "most disagreeing pairs")
    kernels.hard_bounds(bel, bounds, state, proved)
    return Finding.integers(int(proved[0]), int(proved[1]), status, n_nodes=int(proved[2]))
