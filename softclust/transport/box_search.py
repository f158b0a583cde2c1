"""Most disagreeing pairs of a hard and a rough side: a branch and bound over cluster sizes.

Boxes of sizes of the rough side; the chord of the squared sizes decouples the classes and
bounds a box.
"""

from __future__ import annotations

import numpy as np

from . import _kernels
from .problem import Finding, Limits, Problem
from .rough_types import RoughTypes, few_subsets, rough_types
from .solvers import solver
from .type_search import SLICE, in_slices

#: boxes on one path of the search are at most so many times labels: each split leaves at most
#: three quarters of a range below 2^31
_SPLITS = 80


@solver("exact", cost="O(n), branch and bound over cluster sizes", fits=few_subsets,
        cheap=lambda p: p.c <= 3)
def box_search(problem: Problem, end: str, limits: Limits) -> Finding:
    """Most disagreeing pairs of a hard and a rough side, by boxes of cluster sizes."""
    return most_pairs(rough_types(problem), limits)


def most_pairs(types: RoughTypes, limits: Limits) -> Finding:
    """Most disagreeing pairs of types, one side hard."""
    hard = types.hard_first()
    assert hard is not None
    cnt = hard.counts_by_mask()
    search = BoxSearch(*cnt.shape)
    search.begin(cnt)
    step = max(1, SLICE // (8 * cnt.size * hard.c))
    status = in_slices(search.run, lambda: search.finished, step, limits, "most disagreeing pairs")
    low, high, nodes = search.bounds()
    return Finding.integers(low, high, status, n_nodes=nodes)


def beliefs(cnt: np.ndarray) -> np.ndarray:
    """Counts (..., 2^c) by label set summed over subsets: objects whose set lies within each."""
    bel = np.array(cnt, dtype=np.int64)
    bit = 1
    while bit < bel.shape[-1]:
        view = bel.reshape(*bel.shape[:-1], -1, 2, bit)
        view[..., 1, :] += view[..., 0, :]
        bit *= 2
    return bel


class BoxSearch:
    """A search and its arrays, for tables (k, f) of classes by label sets; see the kernel."""

    def __init__(self, k: int, f: int) -> None:
        c = f.bit_length() - 1
        self.boxes = np.empty((_SPLITS * c + 2, 2, c), np.int64)
        self.limits = np.empty(_SPLITS * c + 2, np.int64)
        self.state = np.zeros(4, np.int64)
        self.rows = np.zeros((k, c), np.int64)
        self.scratch = (np.empty((4, c), np.int64), np.empty((k, c), np.int64), self.rows,
                        np.empty((c + 1, 3), np.int64), np.zeros(f, np.int64))

    def begin(self, cnt: np.ndarray) -> None:
        """Start anew with a table of counts."""
        self.bel = beliefs(cnt)
        sizes = self.bel[:, -1]
        n = int(sizes.sum())
        singles = 1 << np.arange(self.rows.shape[1])
        self.boxes[0] = self.bel[:, singles].sum(axis=0), n - self.bel[:, -1 - singles].sum(axis=0)
        self.limits[0] = 2 * n * n
        self.state[:] = 1, -2 * n * n - 1, 0, n
        self.squares = int((sizes**2).sum())

    def run(self, until: int) -> None:
        """Search until so many nodes."""
        _kernels.box_search.search_boxes(self.bel, self.boxes, self.limits, self.state,
                                         *self.scratch, until)

    @property
    def finished(self) -> bool:
        return bool(self.state[0] == 0)

    def bounds(self) -> tuple[int, int, int]:
        """What is proved, in disagreeing pairs, and the nodes: low, high, nodes."""
        best = int(self.state[1])
        high = max([best, *self.limits[:self.state[0]].tolist()])
        return max(0, (self.squares + best) // 2), (self.squares + high) // 2, int(self.state[2])
