"""Fewest disagreeing pairs of two hard or rough sides: a branch and bound over types.

A type is a pair of label sets with the objects that have it. Some minimiser puts every type in
one pair of labels.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np

from . import _kernels
from .problem import Finding, LimitReached, Limits, Problem
from .relabellings import best_relabelling
from .rough_types import RoughTypes, rough_types
from .solvers import solver

#: elementary steps of a slice, some 30 ms
SLICE = 20_000_000
#: a type may have so many cells, and all types together
_MOST_CELLS = 200_000
#: and there may be so many types
_MOST_TYPES = 4000
#: all relabellings begin searches up to so many labels
_MOST_STARTED = 4


def _few_types(problem: Problem, limits: Limits) -> str:
    types = rough_types(problem)
    if types.masked and types.n_cells <= _MOST_CELLS and types.m.shape[0] <= _MOST_TYPES:
        return ""
    return (f"{max(types.k, types.c)} labels and {types.m.shape[0]} types are too many for a "
            "branch and bound")


@solver("exact", cost="O(n), branch and bound over types", fits=_few_types,
        cheap=lambda p: p.c <= 3)
def type_search(problem: Problem, end: str, limits: Limits) -> Finding:
    """Fewest disagreeing pairs of two hard or rough sides, one cell for each type."""
    return fewest_pairs(rough_types(problem), limits)


def fewest_pairs(types: RoughTypes, limits: Limits) -> Finding:
    """Fewest disagreeing pairs of types."""
    search = TypeSearch(types.x_sets[types.rows], types.y_sets[types.cols],
                        best_relabelling(types)[None, :types.k])
    search.begin(types.m, int(search.started(types.m[None])[0]))
    status = in_slices(search.run, lambda: search.finished,
                       max(1, SLICE // (4 * types.n_cells + 100)), limits,
                       "fewest disagreeing pairs")
    low, high, nodes = search.bounds()
    return Finding.integers(low, high, status, n_nodes=nodes)


def all_relabellings(k: int, c: int) -> np.ndarray:
    """Labels of y for those of x: all ways for few labels, else all turns; (ways, k)."""
    size = max(k, c)
    if size <= _MOST_STARTED:
        return np.array(list(permutations(range(size))), dtype=np.int64)[:, :k]
    return np.asarray((np.arange(size)[:, None] + np.arange(k)) % size, dtype=np.int64)


class TypeSearch:
    """A search over types with label sets x (t, k), y (t, c), and its arrays; see the kernel.

    relabellings (ways, k) : a label of y for each label of x; choices of cells that follow one of
    them are what the search begins with.
    """

    def __init__(self, x: np.ndarray, y: np.ndarray, relabellings: np.ndarray) -> None:
        met = (x[:, :, None] & y[:, None, :])
        kinds, a, b = np.nonzero(met)
        self.shape = met.shape[1:]
        self.first = np.concatenate([[0], np.cumsum(np.bincount(kinds, minlength=len(x)))])
        self.cells = np.stack([a, b])
        follows = np.zeros((len(relabellings), *self.shape), dtype=bool)
        labels = np.arange(self.shape[0])
        for way, columns in zip(follows, relabellings):
            inside = columns < self.shape[1]
            way[labels[inside], columns[inside]] = True
        # The first cell of each type that follows, else its first one; (ways, t)
        best = (met.reshape(1, len(x), -1) * (1 + follows.reshape(len(follows), 1, -1)))
        self.choices = best.argmax(axis=2)
        self._arrays()

    def _arrays(self) -> None:
        """Arrays of a search of its own."""
        t, many = self.first.size - 1, self.cells.shape[1]
        self.table = np.zeros(self.shape, np.int64)
        self.margins = [np.zeros(size, np.int64) for size in self.shape]
        self.scratch = (np.empty(t, np.int64), np.empty(many, np.int64), np.empty(many, np.int64),
                        np.empty(t + 1, np.int64))
        self.state = np.zeros(6, np.int64)

    def started(self, counts: np.ndarray, *, each: bool = False) -> np.ndarray:
        """Fewest disagreeing pairs of the choices that follow a relabelling; counts (m, t).

        `each`: those of each choice, (ways, m).
        """
        size = self.shape[0] * self.shape[1]
        pairs = []
        for choice in self.choices:
            tables = (counts @ np.eye(size, dtype=np.int64)[choice]).reshape(-1, *self.shape)
            pairs.append(((tables.sum(axis=1)**2).sum(axis=1) + (tables.sum(axis=2)**2).sum(axis=1)
                          - 2 * (tables**2).sum(axis=(1, 2))) // 2)
        return np.array(pairs) if each else np.min(pairs, axis=0)

    def begin(self, counts: np.ndarray, best: int) -> None:
        """Start anew with counts (t,) of the types; `best` is reached by some choice."""
        self.counts = np.array(counts)
        for array in (self.table, *self.margins, self.state):
            array.fill(0)
        self.state[1] = best

    def run(self, until: int) -> None:
        """Search until so many nodes."""
        _kernels.type_search.search_types(self.counts, self.first, self.cells, self.table,
                                          *self.margins, *self.scratch, self.state, until)

    @property
    def finished(self) -> bool:
        return bool(self.state[0] < 0)

    def bounds(self) -> tuple[int, int, int]:
        """What is proved, and the nodes: low, high, nodes."""
        best, root = int(self.state[1]), int(self.state[5])
        return best if self.finished else min(best, root), best, int(self.state[3])


def in_slices(run: Callable[[int], object], finished: Callable[[], bool], step: int,
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
