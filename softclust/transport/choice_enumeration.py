"""Most disagreeing pairs of two rough sides (Hausdorff): every table of choices of labels."""

from __future__ import annotations

import math

import numpy as np

from .._parallel import run_chunks
from . import _kernels
from .choice_bounds import enclose, list_orders
from .problem import Finding, LimitReached, Limits, Problem
from .rough_types import RoughTypes, few_subsets, rough_types
from .solvers import solver

#: states of a block
_CHUNK = 512


def states(types: RoughTypes) -> int:
    """Count tables of both sides, by formula (at most: different choices may give one table)."""
    return _states_of_x(types) + _states_of_x(types.swapped())


def _states_of_x(types: RoughTypes) -> int:
    total = 1
    x_size = types.x_sets.sum(axis=1)[types.rows]
    for group in range(types.y_sets.shape[0]):
        chosen = (types.cols == group) & (x_size > 1)
        separate = 1
        for m, size in zip(types.m[chosen].tolist(), x_size[chosen].tolist()):
            separate *= math.comb(m + size - 1, size - 1)
        union = int(types.x_sets[types.rows[chosen]].any(axis=0).sum())
        m_all = int(types.m[chosen].sum())
        total *= min(separate, math.comb(m_all + union - 1, union - 1) if union else 1)
    return total


def _enumeration_fits(problem: Problem, limits: Limits) -> str:
    if reason := few_subsets(problem, limits):
        return reason
    types = rough_types(problem)
    # With more labels the search inside each state is some 20 times as long.
    return limits.too_many(states(types) * (1 if max(types.k, types.c) <= 3 else 20))


@solver("exact", cost="count tables of both sides", fits=_enumeration_fits)
def choice_enumeration(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most disagreeing pairs of two rough sides (Hausdorff), all count tables enumerated."""
    types = rough_types(problem)
    enclosed = problem.kept("choice bounds", lambda: enclose(types, limits))
    if enclosed.status != "ok":   # a limit has been hit on the way
        return enclosed
    return enumerate_all(types, int(enclosed.low), int(enclosed.high), limits)


def enumerate_all(types: RoughTypes, low: int, high: int, limits: Limits) -> Finding:
    """The enumeration on types, when low <= value <= high is known."""
    done, most, status = 0, low, "ok"
    try:
        for side in (types, types.swapped()):
            low, above, tables = _enumerate(side, low, high, limits)
            most, done = max(most, above), done + tables
    except LimitReached as stop:
        most, status = high, stop.status
    most = min(most, high)
    if status == "ok" and low < most:
        status = "max_nodes"   # of an inner search
    return Finding(low=float(low), high=float(most), n_states=done, status=status)


def _enumerate(types: RoughTypes, low: int, high: int, limits: Limits) -> tuple[int, int, int]:
    """Bounds of the fewest pairs over the tables of x, at least `low`; number of tables."""
    masks, group = np.unique(types.b, return_inverse=True)
    group = group.reshape(-1)
    parts = [_columns(types, np.flatnonzero(group == g)) for g in range(masks.shape[0])]
    start = np.concatenate([[0], np.cumsum([len(p) for p in parts])]).astype(np.int64)
    vectors = np.ascontiguousarray(np.concatenate(parts), dtype=np.int64)
    states = math.prod(len(p) for p in parts)
    orders = list_orders(types.c)
    blocks = -(-states // _CHUNK)
    best, most = np.full(blocks, low, np.int64), np.full(blocks, low, np.int64)

    def work(first: int, last: int) -> None:
        for block in range(first, last):
            if best.max() >= high:   # nothing can be better; the result stays the same
                return
            best[block], most[block] = _kernels.choices.enumerate_tables(
                vectors, start, masks, types.k, orders, limits.max_nodes, low,
                block * _CHUNK, min(states, (block + 1) * _CHUNK))

    run_chunks(work, blocks, 16 if types.c <= 3 else 1, progress=lambda done, total: limits.check(
        done / total, f"{states} count tables"))
    return int(best.max()), int(most.max()), states


def _columns(types: RoughTypes, members: np.ndarray) -> np.ndarray:
    """Distinct counts of labels of x among the objects of some types, (v, k)."""
    vectors = np.zeros((1, types.k), np.int64)
    for i in members.tolist():
        labels = np.flatnonzero(types.x_sets[types.rows[i]])
        choices = np.zeros((math.comb(int(types.m[i]) + len(labels) - 1, len(labels) - 1),
                            types.k), np.int64)
        choices[:, labels] = _compositions(int(types.m[i]), len(labels))
        vectors = np.unique((vectors[:, None] + choices[None]).reshape(-1, types.k), axis=0)
    return vectors


def _compositions(total: int, parts: int) -> np.ndarray:
    """All ways to write `total` as an ordered sum of `parts` numbers >= 0."""
    if parts == 1:
        return np.full((1, 1), total, np.int64)
    found = [np.column_stack([np.full(rest.shape[0], first), rest])
             for first in range(total + 1) for rest in [_compositions(total - first, parts - 1)]]
    return np.concatenate(found)
