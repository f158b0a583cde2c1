"""Rough clusterings (section 6): fewest and most disagreeing pairs and moved objects.

For the inner problems of random tables, on bit masks a, b (t,) and counts m (t,), all int64::

    inner_d0(a, b, m, limits), inner_h0(a, b, m, limits)      any two sides
    inner_d1(a, b, m, limits), inner_h1(a, b, m, limits)      d1: one hard side for exactness

each a `Finding` in raw units, low = high unless a limit is hit (`status`). Many tables with one
hard side: `inner_hard(tables, wanted, limits)`, on ``_kernels.rough_tables.hard_batch``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._parallel import run_chunks
from . import _kernels
from .problem import Finding, LimitReached, Limits, Problem
from .rough_bounds import (
    far_moved,
    far_pairs,
    meetings,
    moved_by,
    near_pairs,
    settled_pairs,
    starts,
    touched,
)
from .rough_programs import least_kept, least_prices
from .rough_types import MOST_SUBSET_LABELS, RoughTypes, rough_types, types_of_masks
from .solvers import solver

#: elementary steps of a slice, some 30 ms when compiled
_SLICE = 20_000_000
#: permutations of labels are searched for up to so many labels
MOST_PERMUTED = 12
#: a type may have so many cells, and all types together
_MOST_CELLS = 200_000
#: and there may be so many types
_MOST_TYPES = 4000
#: an assignment may have so many labels
_MOST_ASSIGNED = 4000
#: an integer program may have so many entries
_MOST_ENTRIES = 1_000_000


def inner_d0(a: np.ndarray, b: np.ndarray, m: np.ndarray, limits: Limits) -> Finding:
    """Fewest disagreeing pairs of types (a, b, m)."""
    return fewest_pairs(types_of_masks(a, b, m), limits)


def inner_d1(a: np.ndarray, b: np.ndarray, m: np.ndarray, limits: Limits) -> Finding:
    """Most disagreeing pairs of types (a, b, m), one side hard."""
    return most_pairs(types_of_masks(a, b, m), limits)


def inner_h0(a: np.ndarray, b: np.ndarray, m: np.ndarray, limits: Limits) -> Finding:
    """Fewest moved objects of types (a, b, m)."""
    return fewest_moved(types_of_masks(a, b, m), limits)


def inner_h1(a: np.ndarray, b: np.ndarray, m: np.ndarray, limits: Limits) -> Finding:
    """Most moved objects of types (a, b, m)."""
    return most_moved(types_of_masks(a, b, m), limits)


def inner_hard(tables: np.ndarray, wanted: int, limits: Limits
               ) -> tuple[np.ndarray, np.ndarray, int]:
    """Bounds of many tables with one hard side.

    tables (B, k, 2^c) int64 as in ``_kernels.rough_tables``; wanted a sum of its D0, D1, H0,
    H1. Returns low and high (B, 4) int64 in that order, and the nodes. Moved objects that the
    kernel leaves open are settled by integer programs.
    """
    kernels = _kernels.rough_tables
    many, k, f = tables.shape
    low, high = np.zeros((many, 4), np.int64), np.zeros((many, 4), np.int64)
    nodes = np.zeros(many, np.int64)
    c = f.bit_length() - 1
    orders = list_orders(c)

    def work(start: int, stop: int) -> None:
        kernels.hard_batch(tables, start, stop, wanted, orders, limits.max_nodes, low, high,
                           nodes)

    run_chunks(work, many, max(1, _SLICE // (200 * k * f * c)),
               progress=lambda done, total: limits.check(done / total, "tables"))
    if wanted & kernels.H1:
        bel = np.zeros((k, f), np.int64)
        for i in np.flatnonzero(low[:, 3] < high[:, 3]):
            kernels.beliefs(tables[i], bel)
            low[i, 3], high[i, 3], status = _by_prices(bel, int(low[i, 3]), int(high[i, 3]),
                                                       limits)
            if status != "ok":
                break
    return low, high, int(nodes.sum())


def _by_prices(bel: np.ndarray, low: int, high: int, limits: Limits) -> tuple[int, int, str]:
    """Moved objects by the integer program D2, within [low, high]."""
    n = int(bel[:, -1].sum())
    least, most, status = least_prices(bel, limits)
    return max(low, n - most), min(high, n - least), status


def list_orders(c: int) -> np.ndarray:
    """Orders of c labels when they are worth listing, else none."""
    kernels = _kernels.rough_tables
    return kernels.all_orders(c) if c <= kernels.MOST_ORDERED else np.zeros((0, c), np.int64)


# -- D4: fewest disagreeing pairs -------------------------------------------------------------
def fewest_pairs(types: RoughTypes, limits: Limits) -> Finding:
    """D4 on types."""
    if not types.masked or types.n_cells > _MOST_CELLS or types.m.shape[0] > _MOST_TYPES:
        return Finding(low=float(settled_pairs(types)), high=float(near_pairs(types)),
                       solver="D4", status="max_nodes",
                       note=f"{max(types.k, types.c)} labels and {types.m.shape[0]} types are too "
                            "many for a branch and bound")
    hard = types.hard_first()
    if hard is not None and hard.c <= _kernels.rough_tables.MOST_ORDERED:
        cnt = hard.counts_by_mask()
        bel = np.zeros_like(cnt)
        _kernels.rough_tables.beliefs(cnt, bel)
        orders = list_orders(hard.c)
        found = np.zeros(2, np.int64)
        _kernels.rough_tables.closest_rows(
            bel, orders, _kernels.rough_tables.rows_scratch(hard.k, orders), -1,
            min(limits.max_nodes, _kernels.rough_tables.MOST_ROW_NODES), found)
        if found[0] >= 0:
            return Finding(low=float(found[0]), high=float(found[0]), solver="D4",
                           n_nodes=int(found[1]))
    return _branch_and_bound(types, limits)


def _branch_and_bound(types: RoughTypes, limits: Limits) -> Finding:
    kernels = _kernels.rough_pairs
    fixed, counts, first, cell_a, cell_b, least, _ = kernels.d0_setup(
        types.a, types.b, types.m, types.k, types.c)
    chosen = np.zeros(counts.shape[0], np.int64)
    best = kernels.d0_start(fixed, counts, first, cell_a, cell_b, starts(types), chosen)
    r, s = np.zeros(types.k, np.int64), np.zeros(types.c, np.int64)
    state = np.zeros(5, np.int64)
    state[kernels.COST] = kernels.disagreements(fixed, r, s)
    state[kernels.BEST] = best
    order, rise = np.zeros_like(cell_a), np.zeros_like(cell_a)
    following = np.full(counts.shape[0] + 1, -1, np.int64)
    search = (fixed, r, s, counts, first, cell_a, cell_b, least, order, rise, following)
    step = max(1, _SLICE // (4 * cell_a.shape[0] + 100))
    status = _in_slices(lambda until: kernels.d0_search(*search, chosen, state, until),
                        lambda: bool(state[kernels.FINISHED]), step, limits,
                        "fewest disagreeing pairs")
    high = int(state[kernels.BEST])
    nodes = int(state[kernels.NODES])
    low = high if status == "ok" else int(kernels.d0_open_bound(*search, state))
    return Finding(low=float(low), high=float(high), solver="D4", n_nodes=nodes,
                   status="ok" if low == high else status)


def _in_slices(run: Callable[[int], object], finished: Callable[[], bool], step: int,
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


# -- D5: most disagreeing pairs, one hard side ------------------------------------------------
def most_pairs(types: RoughTypes, limits: Limits) -> Finding:
    """D5 on types with one hard side."""
    hard = types.hard_first()
    assert hard is not None
    if hard.c > MOST_SUBSET_LABELS:
        low, high = far_pairs(hard), touched(hard)[1]
        return Finding(low=float(low), high=float(high), solver="D5",
                       status="ok" if low == high else "max_nodes",
                       note=f"{hard.c} labels; tables of subsets stop at {MOST_SUBSET_LABELS}")
    cnt = hard.counts_by_mask()
    bel = np.zeros_like(cnt)
    _kernels.rough_tables.beliefs(cnt, bel)
    kernels = _kernels.rough_sizes
    room = kernels.SPLITS * hard.c + 2
    boxes, bounds = np.zeros((room, 2, hard.c), np.int64), np.zeros(room, np.int64)
    state, proved = np.zeros(4, np.int64), np.zeros(3, np.int64)
    kernels.d1_begin(bel, boxes, bounds, state)
    step = max(1, _SLICE // (8 * bel.size * hard.c))
    status = _in_slices(lambda until: kernels.d1_search(bel, boxes, bounds, state, until),
                        lambda: bool(state[0] == 0), step, limits, "most disagreeing pairs")
    kernels.d1_bounds(bel, bounds, state, proved)
    return Finding(low=float(proved[0]), high=float(proved[1]), solver="D5",
                   n_nodes=int(proved[2]), status="ok" if proved[0] == proved[1] else status)


# -- D1: fewest moved objects -----------------------------------------------------------------
def fewest_moved(types: RoughTypes, limits: Limits) -> Finding:
    """D1 on types."""
    x_size, y_size = types.x_sets.sum(axis=1)[types.rows], types.y_sets.sum(axis=1)[types.cols]
    size = max(types.k, types.c)
    always = x_size + y_size > size   # these sets meet under every relabelling
    simple = (x_size == 1) | (y_size == 1)
    from scipy.optimize import linear_sum_assignment
    if bool((always | simple).all()):
        table = meetings(types, ~always)
        rows, columns = linear_sum_assignment(table, maximize=True)
        value = types.n - int(types.m[always].sum()) - int(table[rows, columns].sum())
        return Finding(low=float(value), high=float(value), solver="D1")
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
        return Finding(low=float(low), high=float(high), solver="D1")
    if types.c > MOST_PERMUTED or not types.masked:
        return Finding(low=float(low), high=float(high), solver="D1", status="max_nodes",
                       note=f"{types.c} labels are too many to try their permutations")
    masks, group = np.unique(types.a[chosen], return_inverse=True)
    apart = np.zeros((masks.shape[0], 1 << types.c), np.int64)
    np.add.at(apart, (group.reshape(-1), types.b[chosen]), types.m[chosen])
    _kernels.rough_tables.beliefs(apart, apart)
    relabelling = np.zeros(types.k, np.int64)
    state = np.full(3 + types.k, -1, np.int64)
    state[:3] = 0, high, 0
    step = max(1, _SLICE // (20 * masks.shape[0] * types.k))
    status = _in_slices(
        lambda until: _kernels.rough_pairs.h0_permutations(masks, apart, types.k, types.c,
                                                           relabelling, state, until),
        lambda: bool(state[0] < 0), step, limits, "fewest moved objects")
    best = int(state[1])
    if status == "ok":
        low = best
    return Finding(low=float(low), high=float(best), solver="D1", n_nodes=int(state[2]),
                   status="ok" if low == best else status)


# -- D2, D3: most moved objects ---------------------------------------------------------------
def most_moved(types: RoughTypes, limits: Limits) -> Finding:
    """D2 with a hard side, else D3."""
    hard = types.hard_first()
    if hard is None or hard.c > MOST_SUBSET_LABELS:
        return _farthest_moved(types, hard, limits)
    kernels = _kernels.rough_tables
    cnt = hard.counts_by_mask()
    bel, bounds = np.zeros_like(cnt), np.zeros(2, np.int64)
    kernels.beliefs(cnt, bel)
    kernels.hard_h1(cnt, bel, bounds)
    low, high, status = int(bounds[0]), int(bounds[1]), "ok"
    if low < high:
        low, high, status = _by_prices(bel, low, high, limits)
    return Finding(low=float(low), high=float(high), solver="D2",
                   status="ok" if low == high else status)


def _farthest_moved(types: RoughTypes, hard: RoughTypes | None, limits: Limits) -> Finding:
    """D3, or D2 with many labels: integer programs over the labels of each open side."""
    low, high = far_moved(types), touched(types)[0]
    name = "D3" if hard is None else "D2"
    # With a hard side only the labels of the other one are open.
    sides = (types, types.swapped()) if hard is None else (hard.swapped(),)
    status, note = "ok", ""
    if low < high and types.n_cells > _MOST_ENTRIES:
        status, note = "max_states", "too many types for an integer program"
    elif low < high:
        directed = 0
        for side in sides:
            least, most, stopped = least_kept(side, limits)
            low, directed = max(low, types.n - most), max(directed, types.n - least)
            status = status if stopped == "ok" else stopped
        high = min(high, directed)
    return Finding(low=float(low), high=float(high), solver=name, note=note,
                   status="ok" if low == high else status)


# -- solvers ----------------------------------------------------------------------------------
def _assignable(problem: Problem, limits: Limits) -> str:
    types = rough_types(problem)
    size = max(types.k, types.c)
    return "" if size <= _MOST_ASSIGNED else f"{size} labels; assignments stop at {_MOST_ASSIGNED}"


@solver("D1", guarantee="exact", bases=("partition",), ends=("lower",), cost="O(n + c^3)",
        fits=_assignable, cheap=lambda p: p.c <= 100)
def closest_partition(problem: Problem, end: str, limits: Limits) -> Finding:
    """Fewest moved objects of two hard or rough sides, by an assignment of labels."""
    return fewest_moved(rough_types(problem), limits)


@solver("D2", guarantee="exact", bases=("partition",), ends=("upper",),
        cost="O(n + 2^c), else an integer program", fits=_assignable, cheap=lambda p: p.c <= 6)
def farthest_partition(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most moved objects of a hard and a rough side, by prices of labels."""
    return most_moved(rough_types(problem), limits)


@solver("D3", guarantee="exact", bases=("partition",), ends=("upper",),
        cost="O(n), two integer programs", fits=_assignable, cheap=lambda p: p.c <= 3)
def hausdorff_partition(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most moved objects of two rough sides (Hausdorff), by two integer programs."""
    return most_moved(rough_types(problem), limits)


@solver("D4", guarantee="exact", bases=("rand",), ends=("lower",),
        cost="O(n), branch and bound over types", cheap=lambda p: p.c <= 3)
def closest_pairs(problem: Problem, end: str, limits: Limits) -> Finding:
    """Fewest disagreeing pairs of two hard or rough sides, one cell for each type."""
    return fewest_pairs(rough_types(problem), limits)


@solver("D5", guarantee="exact", bases=("rand",), ends=("upper",),
        cost="O(n), branch and bound over cluster sizes", cheap=lambda p: p.c <= 3)
def farthest_pairs(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most disagreeing pairs of a hard and a rough side, by boxes of cluster sizes."""
    return most_pairs(rough_types(problem), limits)
