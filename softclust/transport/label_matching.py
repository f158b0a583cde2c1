"""Fewest moved objects of two hard or rough sides: an assignment of labels."""

from __future__ import annotations

import numpy as np

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
    """Fewest moved objects of types."""
    x_size, y_size = types.x_sets.sum(axis=1)[types.rows], types.y_sets.sum(axis=1)[types.cols]
    size = max(types.k, types.c)
    always = x_size + y_size > size   # these sets meet under every relabelling
    simple = (x_size == 1) | (y_size == 1)
    from scipy.optimize import linear_sum_assignment
    if bool((always | simple).all()):
        table = meetings(types, ~always)
        rows, columns = linear_sum_assignment(table, maximize=True)
        return Finding.exact(float(types.n - types.m[always].sum() - table[rows, columns].sum()))
    return _by_program(types, ~always, limits)


def _by_program(types: RoughTypes, chosen: np.ndarray, limits: Limits) -> Finding:
    """An assignment bounds the relabellings from below; an integer program decides."""
    from scipy.optimize import linear_sum_assignment
    table = meetings(types, chosen)
    rows, columns = linear_sum_assignment(table, maximize=True)
    low = max(0, int(types.m[chosen].sum()) - int(table[rows, columns].sum()))
    high, status, note = moved_by(types, columns[:types.k]), "ok", ""
    if low < high and types.n_cells > MOST_ENTRIES:
        status, note = "max_states", "too many types for an integer program"
    elif low < high:
        least, columns, status = fewest_apart(types, limits)
        low = max(low, least)
        high = high if columns is None else min(high, moved_by(types, columns))
    return Finding.integers(low, high, status, note=note)
