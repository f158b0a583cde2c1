"""The least alike completion of x when y is complete: boxes of row sums.

Maximised is beta X - alpha W with alpha > 0, beta >= 0. In a box lo <= row sums <= hi each phi lies
below its chord, so that columns separate; each is filled by falling marginal gain. The filled table
is feasible. A side of width 1 needs no halving: there the chord meets phi at whole numbers inside
and lies below it outside. For the Fowlkes-Mallows index beta X is a multiple of sqrt(X - n), which
lies below each of its tangents.
"""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from . import _kernels
from .box_room import Task, grown_room, new_room
from .certificates import bound_on_unlike
from .problem import Problem
from .ratios import LINEAR, RATIOS, Number, costs_at, level_of
from .values import DISTANCES
from .whole import Found, Limits

#: boxes cut before the clock is looked at: at first, and at most
FIRST_NODES, MOST_NODES = 64, 16_384
#: of bounds, as a share of n^2 or n ln n: sums of doubles are not exact
MARGIN = 1e-12
#: W over the square root of X
ROOT = "fowlkes_mallows_index"


def least_alike(problem: Problem, name: str, limits: Limits) -> Found | None:
    """The table least alike; None where the boxes do not apply."""
    if name not in (*LINEAR, *RATIOS, ROOT) or not problem.one_side:
        return None
    best, nodes = problem.table + _even(problem), 0
    while True:
        level = level_of(name, best)
        search = _searcher(problem, name, level, limits)
        if search is None:
            return None
        table = search.run(best)
        nodes += search.n_nodes
        better = _worse(name, level_of(name, table), level)
        if better:
            best = table
        if not better or not search.finished or name in LINEAR:
            bound = None if search.finished else bound_on_unlike(
                name, problem, float(level), search.bound)
            return Found(table=best, level=float(level_of(name, best)), exact=search.finished,
                         n_nodes=nodes, bound=bound)


def _searcher(problem: Problem, name: str, level: Number, limits: Limits) -> _Boxes | None:
    """The search for a table below a level (a distance: above); None where there is none."""
    if name == ROOT:
        b = problem.table.sum(axis=0) + problem.columns
        root = float(level) * float((b * (b - 1)).sum()) ** 0.5
        return None if np.isnan(root) else _Boxes(problem, 0.0, root, True, limits)
    costs = costs_at(name, level, problem)
    if costs.beta < 0:
        return None
    # Scaled so that float arithmetic serves: what is compared is alpha : beta.
    return _Boxes(problem, float(costs.beta) / float(costs.alpha), 0.0, costs.pairs, limits)


def _worse(name: str, now: Number, before: Number) -> bool:
    margin = 1e-13 if isinstance(now, float) else 0
    return now > before + margin if name in DISTANCES else now < before - margin


def _even(problem: Problem) -> np.ndarray:
    """Each column spread evenly."""
    r = problem.shape[0]
    base, rest = np.divmod(problem.columns, r)
    return base[None] + (np.arange(r)[:, None] < rest[None])


class _Boxes:
    """One search for the greatest beta X - W, or root sqrt(X - n) - W."""

    def __init__(self, problem: Problem, beta: float, root: float, pairs: bool, limits: Limits
                 ) -> None:
        self.problem, self.limits = problem, limits
        self.used = problem.columns > 0
        table = np.ascontiguousarray(problem.table[:, self.used])
        fill = problem.columns[self.used]
        scale = float(problem.n) ** 2 if pairs else problem.n * np.log(problem.n)
        most = int(table.max(initial=0) + fill.max(initial=0)) + 2
        phis, steps = (np.zeros(0), np.zeros(0)) if pairs else _logarithms(most)
        others = problem.table[:, ~self.used]
        outside = np.square(others, dtype=np.float64) if pairs else xlogy(others, others)
        self.task = Task(
            table=table, fill=fill, a=problem.table.sum(axis=1), phis=phis, steps=steps, beta=beta,
            root=root, n=float(problem.n), outside=float(outside.sum()),
            margin=MARGIN * scale * (1.0 + beta + root / problem.n))
        self.n_nodes, self.finished = 0, True
        self.bound = np.inf

    def run(self, known: np.ndarray) -> np.ndarray:
        """The best table; `known` is feasible."""
        kernels, task = _kernels.box_search, self.task
        room = new_room(task.table.shape[0], task.table.shape[1], FIRST_NODES)
        starts = self._starts(known)
        status, nodes = kernels.PAUSED, FIRST_NODES
        while status != kernels.FINISHED:
            before = int(room.counts[kernels.NODES])
            status = kernels.search(task, room, starts, min(nodes, max(0, self.limits.nodes // 2)))
            self.limits.nodes -= int(room.counts[kernels.NODES]) - before
            nodes = min(2 * nodes, MOST_NODES)
            if status != kernels.FINISHED and self.limits.over:
                self.finished = False
                break
            if status == kernels.FULL:
                room = grown_room(room)
        self.n_nodes = int(room.counts[kernels.NODES])
        self.bound = float(room.best[0])
        if room.counts[kernels.OPEN]:
            self.bound = max(self.bound, float(room.bounds[room.heap[0]]))
        self.bound += task.margin
        out = self.problem.table.copy()
        out[:, self.used] += room.best_added
        return out

    def _starts(self, known: np.ndarray) -> np.ndarray:
        """Row sums to climb from: those known, and all objects in one row."""
        whole = self.task.a + np.diag(np.full(known.shape[0], self.task.fill.sum()))
        return np.vstack([known.sum(axis=1), whole])


def _logarithms(most: int) -> tuple[np.ndarray, np.ndarray]:
    """t ln t and its steps to the next t, for t < most."""
    t = np.arange(1.0, most)
    phis, steps = np.zeros(most), np.zeros(most)
    phis[1:] = t * np.log(t)
    # Not as differences: those of large numbers do not even rise.
    steps[1:] = t * np.log1p(1.0 / t) + np.log(t + 1.0)
    return phis, steps
