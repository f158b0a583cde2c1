"""Fewest moved objects of two hard or rough sides: an assignment of labels."""

from __future__ import annotations

from .integer_programs import MOST_ENTRIES, fewest_apart
from .problem import Finding, Limits, Problem
from .relabellings import meetings, moved_by
from .rough_types import RoughTypes, rough_types
from .solvers import solver

#: an assignment may have so many labels
_MOST_ASSIGNED = 4000


def assignable(problem: Problem, limits: Limits) -> str:
    types = rough_types(problem)
    size = max(types.k, types.c)
    return "" if size <= _MOST_ASSIGNED else f"{size} labels; assignments stop at {_MOST_ASSIGNED}"


@solver("exact", cost="O(n + c^3)", fits=assignable, cheap=lambda p: p.c <= 100)
def label_matching(problem: Problem, end: str, limits: Limits) -> Finding:
    """Fewest moved objects of two hard or rough sides, by an assignment of labels."""
    return fewest_moved(rough_types(problem), limits)


def fewest_moved(types: RoughTypes, limits: Limits) -> Finding:
    """Fewest moved objects of types.

    An assignment bounds the relabellings from below, and decides where every type has one label
    on one side or meets under all of them; else an integer program decides.
    """
    from scipy.optimize import linear_sum_assignment
    x_size, y_size = types.x_sets.sum(axis=1)[types.rows], types.y_sets.sum(axis=1)[types.cols]
    open_ = x_size + y_size <= max(types.k, types.c)
    table = meetings(types, open_)
    rows, columns = linear_sum_assignment(table, maximize=True)
    low = max(0, int(types.m[open_].sum()) - int(table[rows, columns].sum()))
    if (~open_ | (x_size == 1) | (y_size == 1)).all():
        return Finding.exact(float(low))
    high, status, note = moved_by(types, columns[:types.k]), "ok", ""
    if low < high and types.n_cells > MOST_ENTRIES:
        status, note = "max_states", "too many types for an integer program"
    elif low < high:
        least, called, status = fewest_apart(types, limits)
        low = max(low, least)
        high = high if called is None else min(high, moved_by(types, called))
    return Finding.integers(low, high, status, note=note)
