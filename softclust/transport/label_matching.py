"""Fewest moved objects of two hard or rough sides: an assignment of labels."""

from __future__ import annotations

import numpy as np

from . import _kernels
from .problem import Finding, Limits, Problem
from .relabellings import meetings, moved_by
from .rough_types import RoughTypes, rough_types
from .solvers import solver
from .type_search import SLICE, in_slices

#: permutations of labels are searched for up to so many labels
MOST_PERMUTED = 12
#: an assignment may have so many labels
_MOST_ASSIGNED = 4000


def assignable(problem: Problem, limits: Limits) -> str:
    types = rough_types(problem)
    size = max(types.k, types.c)
    return "" if size <= _MOST_ASSIGNED else f"{size} labels; assignments stop at {_MOST_ASSIGNED}"


@solver("label_matching", guarantee="exact", bases=("partition",), ends=("lower",),
        cost="O(n + c^3)", fits=assignable, cheap=lambda p: p.c <= 100)
def closest_partition(problem: Problem, end: str, limits: Limits) -> Finding:
    """Fewest moved objects of two hard or rough sides, by an assignment of labels."""
    return fewest_moved(rough_types(problem), limits)


def fewest_moved(types: RoughTypes, limits: Limits) -> Finding:
    """Fewest moved objects of types."""
    x_size, y_size = types.x_sets.sum(axis=1)[types.rows], types.y_sets.sum(axis=1)[types.cols]
    size = max(types.k, types.c)
    always = x_size + y_size > size   # these sets meet under every relabelling
    simple = (x_size == 1) | (y_size == 1)
    from scipy.optimize import linear_sum_assignment
    if bool((always | simple).all()):
        table = meetings(types, ~always)
        rows, columns = linear_sum_assignment(table, maximize=True)
        value = types.n - int(types.m[always].sum()) - int(table[rows, columns].sum())
        return Finding(low=float(value), high=float(value))
    return _by_permutations(types, ~always, limits)


def _by_permutations(types: RoughTypes, chosen: np.ndarray, limits: Limits) -> Finding:
    """Search of one-to-one maps of labels; an assignment bounds them from below."""
    from scipy.optimize import linear_sum_assignment
    if types.c > types.k:   # tables of subsets are made for the side with fewer labels
        types = types.swapped()
    table = meetings(types, chosen)
    rows, columns = linear_sum_assignment(table, maximize=True)
    low = max(0, int(types.m[chosen].sum()) - int(table[rows, columns].sum()))
    high = moved_by(types, columns[:types.k])
    if low == high:
        return Finding(low=float(low), high=float(high))
    if types.c > MOST_PERMUTED or not types.masked:
        return Finding(low=float(low), high=float(high), status="max_nodes",
                       note=f"{types.c} labels are too many to try their permutations")
    masks, group = np.unique(types.a[chosen], return_inverse=True)
    apart = np.zeros((masks.shape[0], 1 << types.c), np.int64)
    np.add.at(apart, (group.reshape(-1), types.b[chosen]), types.m[chosen])
    _kernels.hard_tables.beliefs(apart, apart)
    relabelling = np.zeros(types.k, np.int64)
    state = np.full(3 + types.k, -1, np.int64)
    state[:3] = 0, high, 0
    step = max(1, SLICE // (20 * masks.shape[0] * types.k))
    status = in_slices(
        lambda until: _kernels.type_search.h0_permutations(masks, apart, types.k, types.c,
                                                           relabelling, state, until),
        lambda: bool(state[0] < 0), step, limits, "fewest moved objects")
    best = int(state[1])
    if status == "ok":
        low = best
    return Finding(low=float(low), high=float(best), n_nodes=int(state[2]),
                   status="ok" if low == best else status)
