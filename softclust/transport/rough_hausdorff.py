"""Two rough clusterings: most disagreeing pairs (Hausdorff), enumerated or enclosed (D6, D7)."""

from __future__ import annotations

import math

import numpy as np

from .._parallel import run_chunks
from . import _kernels
from .problem import Finding, LimitReached, Limits, Problem
from .rough import fewest_pairs, list_orders
from .rough_bounds import meetings, near_labels, relabellings, settled_pairs, starts, touched
from .rough_types import MOST_SUBSET_LABELS, RoughTypes, rough_types
from .solvers import solver

#: nodes of one inner search, over rows and, where there are too many orders, over cells
_ROW_NODES, _CELL_NODES = 2000, 50
#: nodes of all inner problems of one climb, and how many starts climb
_CLIMB_NODES = 200_000
_CLIMBS = 3
#: an assignment may have so many labels
_MOST_ASSIGNED = 4000
#: relabellings that policies begin with
_MOST_RELABELLINGS = 24
#: a policy may use so many cells (tables of all their subsets are made)
_MOST_POLICY_CELLS = 16
#: sets of cells looked at while policies are improved, some 0.2 s
_POLICY_WORK = 1 << 25
#: the same for one fixed answer, per label
_FIXED_WORK = 1 << 22
#: states of a block
_CHUNK = 512


# -- D7: two labels ---------------------------------------------------------------------------
def _two_labels(types: RoughTypes, base: str, end: str) -> int:
    """Closed forms for at most two labels a side.

    With h label disagreements a pair of hard clusterings is at psi(h) = h (n - h) pairs or
    min(h, n - h) moved objects, both concave in h.
    """
    n = types.n
    a, b, m = types.a, types.b, types.m

    def psi(h: int) -> int:
        return h * (n - h) if base == "rand" else min(h, n - h)

    x_open, y_open = a == 3, b == 3
    p = int(m[~x_open & ~y_open & (a != b)].sum())
    x_only = int(m[x_open & ~y_open].sum())
    y_only = int(m[~x_open & y_open].sum())
    both = int(m[x_open & y_open].sum())
    if end == "lower":
        return min(psi(p), psi(p + x_only + y_only + both))
    ends = []
    for own, other in ((x_only, y_only), (y_only, x_only)):
        free = other + both
        # min(psi(h), psi(h + free)) rises up to h = (n - free) / 2 and falls after it.
        for h in {(n - free) // 2, (n - free + 1) // 2}:
            h = min(max(h, p), p + own)
            ends.append(min(psi(h), psi(h + free)))
    return max(ends)


def _not_two(problem: Problem, limits: Limits) -> str:
    types = rough_types(problem)
    return "" if max(types.k, types.c) <= 2 else f"{max(types.k, types.c)} labels; it is for 2"


@solver("D7", guarantee="exact", cost="O(n)", fits=_not_two, cheap=lambda p: True)
def two_label_forms(problem: Problem, end: str, limits: Limits) -> Finding:
    """Two rough sides with two labels: closed forms of the counts of open objects."""
    value = float(_two_labels(rough_types(problem), problem.base, end))
    return Finding(low=value, high=value, solver="D7")


# -- D6: enumeration --------------------------------------------------------------------------
def _states(types: RoughTypes) -> int:
    """Count tables of all C in x, by formula (at most: different choices may give one table)."""
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
    types = rough_types(problem)
    if max(types.k, types.c) > MOST_SUBSET_LABELS:
        return f"{max(types.k, types.c)} labels; tables of subsets stop at {MOST_SUBSET_LABELS}"
    # With more labels the search inside each state is some 20 times as long.
    work = (_states(types) + _states(types.swapped())) * (1 if max(types.k, types.c) <= 3 else 20)
    if work > limits.max_states:
        return f"{work:.3g} states; max_states is {limits.max_states:.3g}"
    return ""


@solver("D6", guarantee="exact", bases=("rand",), ends=("upper",),
        cost="count tables of both sides", fits=_enumeration_fits)
def farthest_tables(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most disagreeing pairs of two rough sides (Hausdorff), all count tables enumerated."""
    types = rough_types(problem)
    enclosed = problem.kept("D6 bounds", lambda: enclose(types, limits))
    if enclosed.status != "ok":   # a limit has been hit on the way
        return enclosed
    return enumerate_all(types, int(enclosed.low), int(enclosed.high), limits)


def enumerate_all(types: RoughTypes, low: int, high: int, limits: Limits) -> Finding:
    """D6 on types, when low <= value <= high is known."""
    done, most, status = 0, low, "ok"
    try:
        for side in (types, types.swapped()):
            low, above, states = _enumerate(side, low, high, limits)
            most, done = max(most, above), done + states
    except LimitReached as stop:
        most, status = high, stop.status
    most = min(most, high)
    if status == "ok" and low < most:
        status = "max_nodes"   # of an inner search
    return Finding(low=float(low), high=float(most), solver="D6", n_states=done, status=status)


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
            best[block], most[block] = _kernels.rough_hausdorff.enumerate_tables(
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


# -- D6 bounds --------------------------------------------------------------------------------
@solver("D6 bounds", guarantee="certificate", bases=("rand",), ends=("upper",),
        cost="O(n), some hundred small searches", cheap=lambda p: p.c <= 3)
def farthest_enclosed(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most disagreeing pairs of two rough sides, between a good choice and a good answer to all."""
    types = rough_types(problem)
    return problem.kept("D6 bounds", lambda: enclose(types, limits))


def enclose(types: RoughTypes, limits: Limits) -> Finding:
    """D6 bounds on types: valid for every number of labels."""
    high = types.n * (types.n - 1) // 2
    status, found = "ok", [settled_pairs(types)]   # lower bounds, as they come
    if max(types.k, types.c) <= _MOST_ASSIGNED:
        high = min(high, touched(types)[1])
    sides = (types, types.swapped())
    try:
        limits.check(text="bounds of the most disagreeing pairs")
        if max(types.k, types.c) <= MOST_SUBSET_LABELS:
            for side in sides:
                _good_choice(side, limits, found)
            high = min(high, max(_fixed_answer(side, limits) for side in sides))
            high = min(high, max(_good_answer(side, max(found), high, limits) for side in sides))
        else:
            closest = fewest_pairs(types, limits)   # d0 <= d1
            found.append(int(closest.low))
    except LimitReached as stop:
        status = stop.status
    low = max(found)
    return Finding(low=float(low), high=float(high), solver="D6 bounds",
                   status="ok" if low == high else status)


def _good_choice(types: RoughTypes, limits: Limits, found: list[int]) -> None:
    """From below: choices of labels of x that are far from all of y, by climbing.

    Every value reached is appended to `found`, so that a limit on the way loses none.
    """
    orders = list_orders(types.c)
    nodes = min(_ROW_NODES if len(orders) else _CELL_NODES, limits.max_nodes)
    begin = [_first_labels(types, order.argsort().argsort()) for order in starts(types)]
    begin.append(_filled(types, sum(begin[1:], begin[0]) // len(begin)))
    a, b = types.a, types.b
    used = np.zeros(4, np.int64)

    def climb(chosen: np.ndarray, value: int, first: int, last: int) -> int:
        limits.check(text="bounds of the most disagreeing pairs")
        found.append(int(_kernels.rough_hausdorff.climb_tables(
            a, b, chosen, orders, nodes, value, first, last, used)))
        return found[-1]

    values = [climb(chosen, -1, 0, 0) for chosen in begin]
    movable = np.flatnonzero(a & (a - 1)).tolist()
    for start in np.argsort(values, kind="stable")[::-1][:_CLIMBS].tolist():
        used[:] = 0
        value, quiet = values[start], 0
        while quiet < len(movable) and used[3] < _CLIMB_NODES:
            for i in movable:
                new = climb(begin[start], value, i, i + 1)
                value, quiet = new, quiet + 1 if new == value else 0
                if quiet >= len(movable) or used[3] >= _CLIMB_NODES:
                    break


def _first_labels(types: RoughTypes, rank: np.ndarray) -> np.ndarray:
    """Each type on the first of its labels in an order, (t, k)."""
    cost = np.where(types.x_sets, rank[None, :], types.x_sets.shape[1] + rank.max() + 1)
    chosen = np.zeros((types.m.shape[0], types.k), np.int64)
    chosen[np.arange(types.m.shape[0]), cost.argmin(axis=1)[types.rows]] = types.m
    return chosen


def _filled(types: RoughTypes, chosen: np.ndarray) -> np.ndarray:
    """Give each type's missing objects to the first of its labels."""
    first = types.x_sets.argmax(axis=1)[types.rows]
    chosen[np.arange(chosen.shape[0]), first] += types.m - chosen.sum(axis=1)
    return chosen


def _fixed_answer(types: RoughTypes, limits: Limits) -> int:
    """From above: the most pairs of any choice of x and one fixed choice of labels of y (D5).

    Every choice of x has that one among its replies: max of min <= max for this reply.
    """
    limits.check(text="bounds of the most disagreeing pairs")
    _, b = near_labels(types)
    cnt = np.zeros((types.c, 1 << types.k), np.int64)
    np.add.at(cnt, (b, types.a), types.m)
    bel, proved = np.zeros_like(cnt), np.zeros(3, np.int64)
    _kernels.rough_tables.beliefs(cnt, bel)
    nodes = min(limits.max_nodes, max(4, _FIXED_WORK // (bel.size * types.k)))
    _kernels.rough_sizes.hard_d1(bel, nodes, proved)
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
    weights = meetings(types)[:types.k, :types.c]
    a, m, spent = types.a, types.m, np.zeros(1, np.int64)
    kernels = _kernels.rough_hausdorff
    best, policy = high, None
    for columns in relabellings(types)[:_MOST_RELABELLINGS]:
        tried = _policy(masks, weights, columns[:types.k], types.c)
        bound = kernels.most_of_policy(a, group, m, tried, types.k, types.c, types.n, best, room,
                                       limits.max_nodes, spent)
        bound = best if bound < 0 else bound   # too many cells
        if policy is None or bound < best:
            best, policy = min(best, int(bound)), tried
        limits.check(text="bounds of the most disagreeing pairs")
    assert policy is not None
    entries = types.k * masks.shape[0]
    quiet = 0
    while quiet < entries and best > low and spent[0] < _POLICY_WORK:
        for e in range(entries):
            bound = kernels.improve_policy(a, group, m, masks, policy, types.k, types.c, types.n,
                                           best, room, limits.max_nodes, spent, e, e + 1)
            quiet = 0 if bound < best else quiet + 1
            best = int(bound)
            if quiet >= entries or best <= low or spent[0] >= _POLICY_WORK:
                break
            limits.check(text="bounds of the most disagreeing pairs")
    return max(best, low)


def _policy(masks: np.ndarray, weights: np.ndarray, columns: np.ndarray, c: int) -> np.ndarray:
    """Labels of y for each label of x and set of y: the relabelled one, else the likeliest."""
    allowed = (masks[:, None] >> np.arange(c)) & 1 == 1
    policy = np.where(allowed[None], weights[:, None, :], -1).argmax(axis=2)
    for x, y in enumerate(columns.tolist()):
        if y < c:
            policy[x, allowed[:, y]] = y
    return np.ascontiguousarray(policy, dtype=np.int64)
