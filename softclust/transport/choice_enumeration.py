"""Most disagreeing pairs of two rough sides (Hausdorff): every table of choices of labels.

Where there are too many, a few choices of one side bound them from below, and a fixed answer to
all choices from above.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations

import numpy as np

from .box_search import most_pairs
from .problem import Finding, LimitReached, Limits, Problem
from .relabellings import near_labels
from .rough_types import RoughTypes, few_subsets, rough_types, types_of_masks
from .solvers import solver
from .type_search import TypeSearch, all_relabellings

#: tables of a block
_BLOCK = 512
#: all orders of labels are tried up to so many labels
_MOST_ORDERED = 5
#: nodes of a search for the answer to one choice, and for the choice farthest from one answer
_NODES, _MOST_NODES = 2000, 20_000


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
    # With more labels the search inside each state is some 20 times as long.
    types = rough_types(problem)
    return few_subsets(problem, limits) or limits.too_many(
        states(types) * (1 if max(types.k, types.c) <= 3 else 20))


@solver("exact", cost="count tables of both sides", fits=_enumeration_fits)
def choice_enumeration(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most disagreeing pairs of two rough sides (Hausdorff), all count tables enumerated."""
    return enumerate_choices(rough_types(problem), limits)


@solver("certificate", cost="O(n), some small searches", fits=few_subsets,
        cheap=lambda p: p.c <= 3)
def choice_bounds(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most disagreeing pairs of two rough sides, between some choices and one answer to all."""
    return bound_choices(rough_types(problem), limits)


def bound_choices(types: RoughTypes, limits: Limits) -> Finding:
    """Bounds of types: choices by orders of the labels, and answers near the other side."""
    limits = replace(limits, max_nodes=min(limits.max_nodes, _MOST_NODES))
    found, low, high = Finding(), 0, 0
    try:
        for side in (types, types.swapped()):
            labels = np.arange(side.k)
            orders = permutations(labels) if side.k <= _MOST_ORDERED else (
                np.roll(labels, turn) for turn in labels)
            for order in orders:
                chosen = np.where(side.x_sets, np.array(order), side.k).argmin(axis=1)[side.rows]
                tables = np.bincount(chosen * side.y_sets.shape[0] + side.cols, side.m,
                                     side.k * side.y_sets.shape[0]).astype(np.int64)
                low = max(low, _farthest_answer(side, tables[None], limits)[0])
            # Every choice of x has this choice of y among its answers: max of min <= max.
            fixed = types_of_masks(side.a, 1 << near_labels(side), side.m)
            answered = most_pairs(fixed, limits)
            high, found.n_nodes = max(high, int(answered.high)), found.n_nodes + answered.n_nodes
            if answered.status not in ("ok", "max_nodes"):
                found.status = answered.status
    except LimitReached as stop:
        found.status, high = stop.status, types.n * (types.n - 1) // 2
    found.low, found.high = float(low), float(high)
    return found


def enumerate_choices(types: RoughTypes, limits: Limits) -> Finding:
    """The enumeration on types."""
    low, most, done, status = 0, 0, 0, "ok"
    try:
        for side in (types, types.swapped()):
            parts = [_columns(side, np.flatnonzero(side.cols == g))
                     for g in range(side.y_sets.shape[0])]
            total = math.prod(len(p) for p in parts)
            for first in range(0, total, _BLOCK):
                limits.check(first / total, f"{total} count tables")
                rest = np.arange(first, min(total, first + _BLOCK))
                tables = np.empty((rest.size, side.k, len(parts)), np.int64)
                for g, part in reversed(list(enumerate(parts))):
                    rest, row = np.divmod(rest, len(part))
                    tables[:, :, g] = part[row]
                least, above = _farthest_answer(side, tables.reshape(len(tables), -1), limits)
                low, most, done = max(low, least), max(most, above), done + len(tables)
    except LimitReached as stop:
        most, status = types.n * (types.n - 1) // 2, stop.status
    if status == "ok" and low < most:
        status = "max_nodes"   # of an inner search
    return Finding(low=float(low), high=float(most), n_states=done, status=status)


def _farthest_answer(types: RoughTypes, tables: np.ndarray, limits: Limits) -> tuple[int, int]:
    """Bounds of the largest fewest pairs of tables (m, k g): labels of x by sets of y."""
    x = np.repeat(np.eye(types.k, dtype=bool), len(types.y_sets), axis=0)
    search = TypeSearch(x, np.tile(types.y_sets, (types.k, 1)), all_relabellings(types.k, types.c))
    low = high = 0
    for table, start in zip(tables, search.started(tables).tolist()):
        if start <= low:
            continue   # no table is farther than some answer to it
        search.begin(table, start)
        search.run(min(_NODES if types.c > 3 else 1 << 20, limits.max_nodes))
        least, most, _ = search.bounds()
        low, high = max(low, least), max(high, most)
    return low, max(low, high)


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
