"""All counts that a random side can have: exact when they are few."""

from __future__ import annotations

import math

import numpy as np

from .count_tables import Layout
from .parts import MAX_ORDER_LABELS, MAX_SET_LABELS, Parts, few_labels, parts_of
from .problem import Finding, Limits, Problem
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
    return (few_labels(problem, MAX_SET_LABELS if hard else MAX_ORDER_LABELS)
            or limits.too_many(_predicted(problem)))


def _predicted(problem: Problem) -> int:
    return problem.kept("predicted states", lambda: predicted_states(parts_of(problem)))


@solver("exact", cost="O(states), one inner problem each", fits=_fits)
def count_enumeration(problem: Problem, end: str, limits: Limits) -> Finding:
    """Every table of counts that can occur, with its probability and its exact distance."""
    parts = parts_of(problem)
    layout = problem.kept("layout", lambda: Layout(parts, problem.base))
    if layout.slow(end) and (reason := limits.too_many(_SLOW * _predicted(problem))):
        return Finding(status="max_states", note=f"{reason}; each of slow inner problems counts "
                                                 f"as {_SLOW}")
    laws = problem.kept("group laws", lambda: group_laws(parts, limits))
    total = math.prod(len(chances) for _, chances in laws)
    block = max(1, _ENTRIES // layout.cells)
    lows, highs, shares = [], [], []
    with Finding() as found:
        for first in range(0, total, block):
            limits.check(first / total, "states of the counts")
            tables, weights = _states(laws, layout, first, min(first + block, total))
            solved = layout.solve(tables, end, limits)
            lows.append(math.fsum(weights * solved.low))
            highs.append(math.fsum(weights * solved.high))
            shares.append(math.fsum(weights))
            found.n_nodes += int(solved.nodes.sum())
            found.n_states += tables.shape[0]
    found.low, found.high = math.fsum(lows), math.fsum(highs)
    if found.n_states < total:
        found.high += max(0.0, 1.0 - math.fsum(shares)) * problem.most
    elif found.low != found.high:
        found.status = "max_nodes"
    return found


def _states(laws: list[Cells], layout: Layout, first: int, stop: int
            ) -> tuple[np.ndarray, np.ndarray]:
    """Tables of the joint states `first` to `stop` - 1, the last group fastest; probabilities."""
    tables = np.zeros((stop - first, layout.cells), dtype=np.int64)
    weights = np.ones(stop - first)
    rest = np.arange(first, stop)
    for (counts, chances), cell in zip(reversed(laws), layout.cell[::-1]):
        rest, row = np.divmod(rest, len(chances))
        weights *= chances[row]
        tables[:, cell] = counts[row]
    return tables, weights


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
