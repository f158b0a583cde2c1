"""Bounds of the most disagreeing pairs of two rough sides (Hausdorff).

From below good choices of labels of one side, from above good answers of the other to all of
them. Any number of objects.
"""

from __future__ import annotations

from itertools import cycle, permutations

import numpy as np

from . import _kernels
from .problem import Finding, LimitReached, Limits, Problem
from .relabellings import best_relabelling, meetings, near_labels
from .rough_types import RoughTypes, few_subsets, rough_types
from .solvers import solver

#: priority orders of labels are listed up to so many labels
MOST_ORDERED = 3
#: choices by all orders of labels begin up to so many labels
_MOST_STARTED = 4
#: nodes of one inner search, over rows and, where there are too many orders, over cells
_ROW_NODES, _CELL_NODES = 2000, 50
#: nodes of all inner problems of one climb
_CLIMB_NODES = 200_000
#: a policy may use so many cells (tables of all their subsets are made)
_MOST_POLICY_CELLS = 16
#: sets of cells looked at while policies are improved, some 0.2 s
_POLICY_WORK = 1 << 25
#: the same for one fixed answer, per label
_FIXED_WORK = 1 << 22


@solver("certificate", cost="O(n), some hundred small searches", fits=few_subsets,
        cheap=lambda p: p.c <= 3)
def choice_bounds(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most disagreeing pairs of two rough sides, between a good choice and a good answer to all."""
    types = rough_types(problem)
    return problem.kept("choice bounds", lambda: enclose(types, limits))


def enclose(types: RoughTypes, limits: Limits) -> Finding:
    """Bounds on types."""
    high = types.n * (types.n - 1) // 2
    status, found = "ok", [0]   # lower bounds, as they come
    sides = (types, types.swapped())
    try:
        limits.check(text="bounds of the most disagreeing pairs")
        for side in sides:
            _good_choice(side, limits, found)
        high = min(high, max(_fixed_answer(side, limits) for side in sides))
        high = min(high, max(_good_answer(side, max(found), high, limits) for side in sides))
    except LimitReached as stop:
        status = stop.status
    return Finding.integers(max(found), high, status)


def list_orders(c: int) -> np.ndarray:
    """All orders of c labels when they are worth listing, else none; (orders, c) int64."""
    listed = list(permutations(range(c))) if c <= MOST_ORDERED else []
    return np.array(listed, dtype=np.int64).reshape(-1, c)


def _good_choice(types: RoughTypes, limits: Limits, found: list[int]) -> None:
    """From below: choices of labels of x that are far from all of y, by climbing.

    Every value reached is appended to `found`, so that a limit on the way loses none.
    """
    orders = list_orders(types.c)
    nodes = min(_ROW_NODES if len(orders) else _CELL_NODES, limits.max_nodes)
    a, b = types.a, types.b
    used = np.zeros(4, np.int64)

    def climb(chosen: np.ndarray, value: int, first: int, last: int) -> int:
        limits.check(text="bounds of the most disagreeing pairs")
        found.append(int(_kernels.choices.climb_tables(
            a, b, chosen, orders, nodes, value, first, last, used)))
        return found[-1]

    # Each set gives its first label in some order; the farthest such choice climbs.
    ranks = (permutations(range(types.k)) if types.k <= _MOST_STARTED
             else [best_relabelling(types)[:types.k].argsort().argsort()])
    begin = [_first_labels(types, np.array(rank)) for rank in ranks]
    values = [climb(chosen, -1, 0, 0) for chosen in begin]
    value, quiet = max(values), 0
    chosen = begin[values.index(value)]
    movable = np.flatnonzero(a & (a - 1)).tolist()
    for i in cycle(movable):
        if quiet == len(movable) or used[3] >= _CLIMB_NODES:
            break
        new = climb(chosen, value, i, i + 1)
        value, quiet = new, quiet + 1 if new == value else 0


def _first_labels(types: RoughTypes, rank: np.ndarray) -> np.ndarray:
    """Each type on the first of its labels in an order, (t, k)."""
    cost = np.where(types.x_sets, rank[None, :], types.x_sets.shape[1] + rank.max() + 1)
    chosen = np.zeros((types.m.shape[0], types.k), np.int64)
    chosen[np.arange(types.m.shape[0]), cost.argmin(axis=1)[types.rows]] = types.m
    return chosen


def _fixed_answer(types: RoughTypes, limits: Limits) -> int:
    """From above: the most pairs of any choice of x and one fixed choice of labels of y.

    Every choice of x has that one among its replies: max of min <= max for this reply.
    """
    limits.check(text="bounds of the most disagreeing pairs")
    cnt = np.zeros((types.c, 1 << types.k), np.int64)
    np.add.at(cnt, (near_labels(types), types.a), types.m)
    bel, proved = np.zeros_like(cnt), np.zeros(3, np.int64)
    _kernels.hard_tables.beliefs(cnt, bel)
    nodes = min(limits.max_nodes, max(4, _FIXED_WORK // (bel.size * types.k)))
    _kernels.box_search.hard_d1(bel, nodes, proved)
    return int(proved[1])


def _good_answer(types: RoughTypes, low: int, high: int, limits: Limits) -> int:
    """From above: policies of y that stay close to every choice of x; at least `low`.

    A policy answers label a of x and set B of y by one label of B: a reply to every choice of x,
    so the most pairs under it bound this direction. The objects in the cells (a, answer) are the
    whole points of a base polytope (each type spreads over as many cells as it has labels of
    x), and what `most_of_policy` leaves open counts with its bound.
    """
    room = min(types.k * types.c, _MOST_POLICY_CELLS)
    masks, group = np.unique(types.b, return_inverse=True)
    group = np.ascontiguousarray(group.reshape(-1), dtype=np.int64)
    a, m, spent = types.a, types.m, np.zeros(1, np.int64)

    def most_pairs(policy: np.ndarray) -> int:
        """Most pairs under a policy; `best` when there are as many, or too many cells."""
        limits.check(text="bounds of the most disagreeing pairs")
        bound = _kernels.choices.most_of_policy(a, group, m, policy, types.k, types.c, best, room,
                                                limits.max_nodes, spent)
        return best if bound < 0 else int(bound)

    policy = _policy(masks, meetings(types)[:types.k, :types.c],
                     best_relabelling(types)[:types.k], types.c)
    best = high
    best = min(best, most_pairs(policy))
    # One entry after the other, until a whole round lowers nothing.
    entries = [(x, g) for x in range(types.k) for g in range(masks.shape[0])]
    quiet = 0
    for x, g in cycle(entries):
        if quiet == len(entries) or best <= low or spent[0] >= _POLICY_WORK:
            break
        before, kept = best, policy[x, g]
        for y in range(types.c):
            if masks[g] >> y & 1 and y != kept:
                policy[x, g] = y
                bound = most_pairs(policy)
                if bound < best:
                    best, kept = bound, y
        policy[x, g] = kept
        quiet = 0 if best < before else quiet + 1
    return max(best, low)


def _policy(masks: np.ndarray, weights: np.ndarray, columns: np.ndarray, c: int) -> np.ndarray:
    """Labels of y for each label of x and set of y: the relabelled one, else the likeliest."""
    allowed = (masks[:, None] >> np.arange(c)) & 1 == 1
    policy = np.where(allowed[None], weights[:, None, :], -1).argmax(axis=2)
    for x, y in enumerate(columns.tolist()):
        if y < c:
            policy[x, allowed[:, y]] = y
    return np.ascontiguousarray(policy, dtype=np.int64)
