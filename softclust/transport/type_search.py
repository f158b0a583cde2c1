"""Fewest disagreeing pairs of two hard or rough sides: a branch and bound over types.

A type is a pair of label sets with the objects that have it. Some minimiser puts every type in
one pair of labels.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import _kernels
from .problem import Finding, LimitReached, Limits, Problem
from .relabellings import best_relabelling
from .rough_types import RoughTypes, rough_types
from .solvers import solver

#: elementary steps of a slice, some 30 ms when compiled
SLICE = 20_000_000
#: a type may have so many cells, and all types together
_MOST_CELLS = 200_000
#: and there may be so many types
_MOST_TYPES = 4000


def _few_types(problem: Problem, limits: Limits) -> str:
    types = rough_types(problem)
    if types.masked and types.n_cells <= _MOST_CELLS and types.m.shape[0] <= _MOST_TYPES:
        return ""
    return (f"{max(types.k, types.c)} labels and {types.m.shape[0]} types are too many for a "
            "branch and bound")


@solver("type_search", guarantee="exact", bases=("rand",), ends=("lower",),
        cost="O(n), branch and bound over types", fits=_few_types, cheap=lambda p: p.c <= 3)
def closest_pairs(problem: Problem, end: str, limits: Limits) -> Finding:
    """Fewest disagreeing pairs of two hard or rough sides, one cell for each type."""
    return fewest_pairs(rough_types(problem), limits)


def fewest_pairs(types: RoughTypes, limits: Limits) -> Finding:
    """Fewest disagreeing pairs of types."""
    kernels = _kernels.type_search
    fixed, counts, first, cell_a, cell_b, least, _ = kernels.d0_setup(
        types.a, types.b, types.m, types.k, types.c)
    chosen = np.zeros(counts.shape[0], np.int64)
    best = kernels.d0_start(fixed, counts, first, cell_a, cell_b,
                            best_relabelling(types)[None, :types.k], chosen)
    r, s = np.zeros(types.k, np.int64), np.zeros(types.c, np.int64)
    state = np.zeros(5, np.int64)
    state[kernels.COST] = kernels.disagreements(fixed, r, s)
    state[kernels.BEST] = best
    order, rise = np.zeros_like(cell_a), np.zeros_like(cell_a)
    following = np.full(counts.shape[0] + 1, -1, np.int64)
    root = kernels.rest_bound(0, state[kernels.COST], best, fixed, r, s, counts, first, cell_a,
                              cell_b, least)
    search = (fixed, r, s, counts, first, cell_a, cell_b, least, order, rise, following)
    step = max(1, SLICE // (4 * cell_a.shape[0] + 100))
    status = in_slices(lambda until: kernels.d0_search(*search, chosen, state, until),
                        lambda: bool(state[kernels.FINISHED]), step, limits,
                        "fewest disagreeing pairs")
    high = int(state[kernels.BEST])
    nodes = int(state[kernels.NODES])
    low = high if status == "ok" else min(high, int(root))
    return Finding(low=float(low), high=float(high), n_nodes=nodes,
                   status="ok" if low == high else status)


def in_slices(run: Callable[[int], object], finished: Callable[[], bool], step: int,
               limits: Limits, text: str) -> str:
    """Call ``run(until)`` with growing numbers of nodes until ``finished()``; the status."""
    done = 0
    try:
        while True:
            done = min(done + step, limits.max_nodes)
            run(done)
            if finished():
                return "ok"
            if done >= limits.max_nodes:
                return "max_nodes"
            limits.check(text=f"{text}, {done} nodes")
    except LimitReached as stop:
        return stop.status
