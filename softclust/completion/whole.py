"""The most alike completion: objects of which the same is known stay together.

With one side complete a best completion keeps every type of object whole, for each measure whose
cost is beta (X + Y) - alpha W with 0 <= beta <= alpha: the cost is concave along moves of a type,
since a cell is never larger than its row. With gaps on both sides the same holds for the Rand and
Jaccard indices and the variation of information. Depth first over the types, largest first.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from .problem import Problem
from .ratios import LINEAR, RATIOS, Costs, Number, costs_at, level_of
from .values import DISTANCES

#: measures that are best with whole types also where both sides have gaps
BOTH_SIDES = ("rand_index", "rand_distance", "symmetric_difference_distance", "jaccard_index",
              "variation_of_information")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A table, its level, whether the search was finished, and what it proves if not."""

    table: np.ndarray
    level: float
    exact: bool
    n_nodes: int
    bound: float | None = None


@dataclass(slots=True, kw_only=True)
class Limits:
    """What is left of nodes and time."""

    nodes: int
    until: float

    @property
    def over(self) -> bool:
        """Whether nothing is left."""
        return self.nodes <= 0 or time.monotonic() > self.until


@dataclass(frozen=True, slots=True)
class _Type:
    """`count` objects that go to one of the cells; which margins they are not in yet."""

    count: int
    cells: tuple[tuple[int, int], ...]
    row: bool
    column: bool


def most_alike(problem: Problem, name: str, limits: Limits, any_cluster: bool = False
               ) -> Found | None:
    """The table most alike; None where whole types are not proved best."""
    if name not in LINEAR + RATIOS or not (problem.one_side or name in BOTH_SIDES):
        return None
    start = costs_at("rand_index" if name != "mutual_information" and _pairs(name) else
                     "variation_of_information", 0, problem)
    search = WholeTypes(problem, any_cluster, start, limits)
    table = search.run()
    if name in LINEAR and name != "mutual_information":
        return Found(table=table, level=float(level_of(name, table)), exact=search.finished,
                     n_nodes=search.n_nodes)
    level, nodes, exact = level_of(name, table), search.n_nodes, search.finished
    while True:
        costs = costs_at(name, level, problem)
        if costs.beta < 0 or costs.beta > costs.alpha:
            return None
        search = WholeTypes(problem, any_cluster, costs, limits)
        table_now = search.run(table)
        nodes, exact = nodes + search.n_nodes, search.finished
        level_now = level_of(name, table_now)
        if not _better(name, level_now, level) or not exact:
            if _better(name, level_now, level):
                table, level = table_now, level_now
            return Found(table=table, level=float(level), exact=exact, n_nodes=nodes)
        table, level = table_now, level_now


def _pairs(name: str) -> bool:
    return name in ("rand_index", "rand_distance", "symmetric_difference_distance",
                    "adjusted_rand_index", "jaccard_index")


def _better(name: str, now: Number, before: Number) -> bool:
    margin = 0 if _pairs(name) else 1e-13
    return now < before - margin if name in DISTANCES else now > before + margin


def _types(problem: Problem, any_cluster: bool) -> list[_Type]:
    """Types of objects with the cells they may go to; a new cluster of its own for each."""
    r, s = problem.shape
    rows, columns = list(range(r)), list(range(s))
    types = []
    for j in np.flatnonzero(problem.columns).tolist():
        cells = [(k, j) for k in range(r)]
        if any_cluster:
            cells.append((len(rows), j))
            rows.append(len(rows))
        types.append(_Type(int(problem.columns[j]), tuple(cells), True, False))
    for k in np.flatnonzero(problem.rows).tolist():
        cells = [(k, j) for j in range(s)]
        if any_cluster:
            cells.append((k, len(columns)))
            columns.append(len(columns))
        types.append(_Type(int(problem.rows[k]), tuple(cells), False, True))
    if problem.both:
        if any_cluster:
            rows.append(len(rows))
            columns.append(len(columns))
        types.append(_Type(problem.both, tuple((k, j) for k in rows for j in columns), True, True))
    return sorted(types, key=lambda t: -t.count)


class WholeTypes:
    """One search for the least cost among tables that keep types of objects whole."""

    def __init__(self, problem: Problem, any_cluster: bool, costs: Costs, limits: Limits) -> None:
        self.types = _types(problem, any_cluster)
        problem = problem.grown() if any_cluster else problem
        self.problem, self.costs, self.limits = problem, costs, limits
        self.n_nodes, self.finished = 0, True
        self.best: int | float = math.inf
        self.best_cells: list[tuple[int, int]] | None = None
        scale = problem.n * math.log(problem.n)
        self.margin = 0 if costs.pairs else 1e-12 * scale
        self.table = problem.table.tolist()
        self.a = (problem.table.sum(axis=1) + problem.rows).tolist()
        self.b = (problem.table.sum(axis=0) + problem.columns).tolist()
        self.later = self._later()

    def _later(self) -> list[dict[tuple[int, int], int]]:
        """For each depth: what the types from there on could add to each cell."""
        found: list[dict[tuple[int, int], int]] = [{}]
        if self.problem.one_side:
            return [{}] * (len(self.types) + 1)
        for kind in reversed(self.types):
            more = dict(found[-1])
            for cell in kind.cells:
                more[cell] = more.get(cell, 0) + kind.count
            found.append(more)
        return found[::-1]

    def run(self, known: np.ndarray | None = None) -> np.ndarray:
        """The best table; `known` is a feasible one to start from."""
        if known is not None:
            # A little more than its cost, so that rounding does not hide what is as good.
            self.best = self.costs.of(known)
        phi = self.costs.phi
        start = (self.costs.beta * (sum(map(phi, self.a)) + sum(map(phi, self.b)))
                 - self.costs.alpha * sum(phi(t) for row in self.table for t in row))
        self._descend(0, start, [])
        if self.best_cells is None:
            return self._first() if known is None else known
        return self._filled(self.best_cells)

    def _first(self) -> np.ndarray:
        return self._filled([kind.cells[0] for kind in self.types])

    def _filled(self, cells: list[tuple[int, int]]) -> np.ndarray:
        out = self.problem.table.copy()
        for kind, (k, j) in zip(self.types, cells):
            out[k, j] += kind.count
        return out

    def _increment(self, kind: _Type, k: int, j: int, more: int) -> int | float:
        """What it costs to put a type into a cell that gets `more` from others besides."""
        c, phi, beta = kind.count, self.costs.phi, self.costs.beta
        cell = self.table[k][j] + more
        change = -self.costs.alpha * (phi(cell + c) - phi(cell))
        if kind.row:
            change += beta * (phi(self.a[k] + c) - phi(self.a[k]))
        if kind.column:
            change += beta * (phi(self.b[j] + c) - phi(self.b[j]))
        return change

    def _least(self, depth: int) -> int | float:
        """Margins only grow, so a type costs at least what it costs now in its best cell."""
        kind, later = self.types[depth], self.later
        return min(self._increment(kind, k, j, later[0].get((k, j), kind.count) - kind.count)
                   for k, j in kind.cells)

    def _descend(self, depth: int, cost: int | float, chosen: list[tuple[int, int]]) -> None:
        self.n_nodes += 1
        self.limits.nodes -= 1
        if self.limits.over:
            self.finished = False
            return
        if depth == len(self.types):
            if cost < self.best - self.margin:
                self.best, self.best_cells = cost, list(chosen)
            return
        rest = sum(self._least(d) for d in range(depth + 1, len(self.types)))
        kind = self.types[depth]
        moves = sorted((self._increment(kind, k, j, 0), k, j) for k, j in kind.cells)
        for change, k, j in moves:
            if cost + change + rest >= self.best - self.margin and self.problem.one_side:
                break
            if not self.problem.one_side:
                more = self.later[depth + 1].get((k, j), 0)
                if (cost + min(change, self._increment(kind, k, j, more)) + rest
                        >= self.best - self.margin):
                    continue
            self._place(kind, k, j, kind.count)
            chosen.append((k, j))
            self._descend(depth + 1, cost + change, chosen)
            chosen.pop()
            self._place(kind, k, j, -kind.count)

    def _place(self, kind: _Type, k: int, j: int, count: int) -> None:
        self.table[k][j] += count
        if kind.row:
            self.a[k] += count
        if kind.column:
            self.b[j] += count
