"""All counts that a random side can have: exact when they are few."""

from __future__ import annotations

import math

import numpy as np

from . import _kernels
from .count_tables import Layout
from .parts import MAX_ORDER_LABELS, MAX_SET_LABELS, Parts, few_labels, parts_of
from .problem import Finding, LimitReached, Limits, Problem
from .row_laws import Cells, distinct_rows
from .solvers import solver

#: a state whose inner problem has no kernel counts as so many
_SLOW = 400
#: entries of the tables of one block of states
_ENTRIES = 1 << 17


def predicted_states(parts: Parts) -> int:
    """At most so many joint states: a product of C(m + f - 1, f - 1) over groups.

    m objects of the group are not certain, f sets have mass on them.
    """
    total = 1
    for g in range(len(parts.fixed_masks)):
        mass = parts.mass[parts.fixed == g]
        random = ((mass > 0).sum(axis=1) > 1)
        m, f = int(random.sum()), int((mass[random] > 0).any(axis=0).sum())
        if m:
            total *= math.comb(m + f - 1, f - 1)
    return total


def _fits(problem: Problem, limits: Limits) -> str:
    hard = problem.x.kind == "hard" or problem.y.kind == "fuzzy"
    reason = few_labels(problem, MAX_SET_LABELS if hard else MAX_ORDER_LABELS)
    if reason:
        return reason
    states = problem.kept("predicted states", lambda: predicted_states(parts_of(problem)))
    return (f"{_shown(states)} states; max_states is {limits.max_states:.2g}"
            if states > limits.max_states else "")


def _shown(count: int) -> str:
    """A count that may be beyond floats."""
    return f"{count:.2g}" if count < 10**300 else f"1e{len(str(count)) - 1}"


@solver("count_enumeration", guarantee="exact", cost="O(states), one inner problem each",
        fits=_fits)
def all_states(problem: Problem, end: str, limits: Limits) -> Finding:
    """Every table of counts that can occur, with its probability and its exact distance."""
    parts = parts_of(problem)
    layout = problem.kept("layout", lambda: Layout(parts, problem.base))
    if layout.slow(end) and _SLOW * predicted_states(parts) > limits.max_states:
        return Finding(
            low=0.0, high=float(problem.most), status="max_states",
            note=f"{_shown(predicted_states(parts))} states with a slow inner problem, each "
                 f"counted as {_SLOW}; max_states is {limits.max_states:.2g}")
    laws = problem.kept("group laws", lambda: group_laws(parts, limits))
    sizes = np.array([len(chances) for _, chances in laws], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    counts, chances = (np.concatenate(parts) for parts in zip(*laws))
    total = math.prod(int(size) for size in sizes)
    block = max(1, _ENTRIES // layout.cells)
    tables = np.zeros((min(block, total), layout.cells), dtype=np.int64)
    weights = np.zeros(tables.shape[0])
    lows, highs, shares = [], [], []
    nodes, status, done = 0, "ok", 0
    try:
        while done < total:
            limits.check(done / total, "states of the counts")
            m = min(block, total - done)
            _kernels.count_tables.state_tables(done, done + m, starts, sizes, counts, chances,
                                                layout.cell, tables[:m], weights[:m])
            solved = layout.solve(tables[:m], end, limits)
            lows.append(math.fsum(weights[:m] * solved.low))
            highs.append(math.fsum(weights[:m] * solved.high))
            shares.append(math.fsum(weights[:m]))
            nodes += int(solved.nodes.sum())
            done += m
    except LimitReached as stop:
        status = stop.status
    low, high = math.fsum(lows), math.fsum(highs)
    if done < total:
        high += max(0.0, 1.0 - math.fsum(shares)) * problem.most
    elif low != high:
        status = "max_nodes"
    return Finding(low=low, high=high, n_states=done, n_nodes=nodes, status=status)


def group_laws(parts: Parts, limits: Limits) -> list[Cells]:
    """The laws of the count vectors of all groups; time O(objects * states) of the largest."""
    return [_group_law(parts.mass[parts.fixed == g], limits)
            for g in range(len(parts.fixed_masks))]


def _group_law(mass: np.ndarray, limits: Limits) -> Cells:
    """Object after object."""
    unit = np.eye(mass.shape[1], dtype=np.int64)
    random = (mass > 0).sum(axis=1) > 1
    counts: np.ndarray = (mass[~random] > 0).sum(axis=0)[None]
    chances: np.ndarray = np.ones(1)
    for row in mass[random]:
        limits.check(math.nan, "law of the counts")
        some = np.flatnonzero(row)
        counts, code = distinct_rows(np.concatenate([counts + unit[k] for k in some]))
        chances = np.bincount(code, np.concatenate([chances * row[k] for k in some]))
    return counts, chances
