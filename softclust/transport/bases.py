"""Base distances between two hard clusterings, as functions of label tuples."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Labels = tuple[int, ...]
Distance = Callable[[Labels, Labels], float]


def canonical(labels: Any) -> Labels:
    """Labels numbered by first appearance: equal for equal partitions."""
    names: dict[Any, int] = {}
    return tuple(names.setdefault(label, len(names)) for label in labels)


def base_distance(base: Any) -> Distance:
    """Raw distance of two canonical labellings for "rand", "partition" or a function."""
    if base == "rand":
        return disagreeing_pairs
    if base == "partition":
        return moved_objects

    def distance(a: Labels, b: Labels) -> float:
        value = float(base(np.array(a), np.array(b)))
        if not math.isfinite(value):
            raise ValueError(f"the base dissimilarity is {value} for the labels {list(a)} and "
                             f"{list(b)}; a finite number for every pair is needed")
        return value
    return distance


def disagreeing_pairs(a: Labels, b: Labels) -> float:
    """Pairs together on one side only."""
    table = _table(a, b)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    return float((rows @ rows + columns @ columns - 2 * (table * table).sum()) // 2)


def moved_objects(a: Labels, b: Labels) -> float:
    """Objects outside the best one-to-one matching of clusters."""
    from scipy.optimize import linear_sum_assignment
    table = _table(a, b)
    rows, columns = linear_sum_assignment(table, maximize=True)
    return float(len(a) - table[rows, columns].sum())


def _table(a: Labels, b: Labels) -> np.ndarray:
    r, s = max(a) + 1, max(b) + 1
    return np.bincount(np.array(a) * s + np.array(b), minlength=r * s).reshape(r, s)
