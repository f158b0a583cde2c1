"""Fewest disagreeing pairs of two hard or rough sides: a branch and bound over types.

A type is a pair of label sets with the objects that have it. Some minimiser puts every type in
one pair of labels.
"""

from __future__ import annotations

from collections.abc import Callable

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


@solver("exact", cost="O(n), branch and bound over types", fits=_few_types,
        cheap=lambda p: p.c <= 3)
def type_search(problem: Problem, end: str, limits: Limits) -> Finding:
    """Fewest disagreeing pairs of two hard or rough sides, one cell for each type."""
    return fewest_pairs(rough_types(problem), limits)


def fewest_pairs(types: RoughTypes, limits: Limits) -> Finding:
    """Fewest disagreeing pairs of types."""
    kernels = _kernels.type_search
    search, root = kernels.d0_begin(types.a, types.b, types.m, types.k, types.c,
                                    best_relabelling(types)[None, :types.k])
    state = search[-1]
    step = max(1, SLICE // (4 * types.n_cells + 100))
    status = in_slices(lambda until: kernels.d0_search(*search, until),
                       lambda: bool(state[kernels.FINISHED]), step, limits,
                       "fewest disagreeing pairs")
    high = int(state[kernels.BEST])
    return Finding.integers(high if status == "ok" else min(high, int(root)), high, status,
                            n_nodes=int(state[kernels.NODES]))


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
