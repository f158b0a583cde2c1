"""Blocks of rows against the columns right of them: how pair loops are cut into chunks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .._checks import ClusteringError
from .._parallel import Progress, progress_bar, run_ranges
from ..clusterings import Clustering, PossibilisticClustering
from .bilinear import disjoint_product

#: elementary steps (an entry of a pair) of one chunk: about 0.1 s
_STEPS = 1e8
_ADVICE = "A .subset of the objects estimates it in seconds."


def run_triangle(work: Callable[[int, int], object], n: int, block: int, depth: int, *,
                 progress: Progress | bool | None = None, advice: str = _ADVICE,
                 objects: int | None = None) -> None:
    """Call ``work(first, stop)`` on ranges of blocks of `block` rows with about equal work.

    `depth` is the number of elementary steps a pair takes. With `objects`, so many rows meet all
    columns, not only those right of them.
    """
    first = np.arange(0, n if objects is None else objects, block)
    last = np.minimum(first + block, n if objects is None else objects)
    # pairs of the rows first, ..., last - 1
    sizes = ((last - first) * n - (last * (last + 1) - first * (first + 1)) // 2
             if objects is None else (last - first) * (n - 1))
    target = max(1.0, _STEPS / max(depth, 1))
    ends = np.searchsorted(np.cumsum(sizes), np.arange(target, sizes.sum() + target, target))
    bounds = np.unique(np.concatenate([[0], np.minimum(ends + 1, sizes.size), [sizes.size]]))
    chunks = [(int(a), int(b)) for a, b in pairwise(bounds)]
    with progress_bar(progress, "pairs of objects", advice) as callback:
        run_ranges(work, chunks, [int(sizes[a:b].sum()) for a, b in chunks], progress=callback)


# -- one clustering as the features from which the masses of pairs of objects follow --------------
#: largest feature matrix of one side
MAX_BYTES = 1 << 33


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """Features of one side; see `_kernels.relations.relation_rows` for what they mean.

    Attributes
    ----------
    same : (k, n) float64
    left, right : (d, n) float64
        Empty when nothing is undetermined.
    order : (d, n) int64
        Of a possibilistic side, else empty.
    g : (n,) float64
        Mass off the empty set.
    normal : bool
        Whether no object has mass on the empty set.
    """

    same: np.ndarray
    left: np.ndarray
    right: np.ndarray
    order: np.ndarray
    g: np.ndarray
    normal: bool

    @property
    def arguments(self) -> tuple[np.ndarray, ...]:
        """In the kernel's order."""
        return self.same, self.left, self.right, self.order, self.g

    @property
    def depth(self) -> int:
        """Number of features that a pair reads."""
        return self.same.shape[0] + self.left.shape[0]

    @property
    def memberships(self) -> bool:
        """Whether all sets are single clusters and no mass is on the empty set."""
        return self.normal and not self.left.shape[0]

    @property
    def rows(self) -> np.ndarray:
        """What tells two objects apart, (n, ...)."""
        return np.concatenate([self.same, self.right, self.g[None]]).T

    def part(self, objects: np.ndarray) -> Side:
        """Statistic of some of the objects, in this order."""
        same, left, right, order = (np.ascontiguousarray(a[:, objects])
                                    for a in self.arguments[:4])
        return Side(same=same, left=left, right=right, order=order, g=self.g[objects].copy(),
                    normal=self.normal)

    def masses(self, rows: slice, columns: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(same, undetermined, off the empty set) of the pairs of rows and columns."""
        s = products(self.same[:, rows], self.same[:, columns])
        g = self.g[rows, None] * self.g[columns]
        if self.order.size:
            t, best = -s, np.zeros_like(s)
            for weights, which in zip(self.left[:, rows], self.order[:, rows]):
                np.maximum(best, self.right[which, columns], out=best)
                t += weights[:, None] * best
            return s, np.maximum(t, 0.0), g
        if self.left.shape[0]:
            return s, g + products(self.left[:, rows], self.right[:, columns]), g
        return s, np.zeros_like(s), g


def products(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """sum_k left[k, i] right[k, j]; one after the other, not by BLAS, so the bits are the same for
    any number of its threads."""
    total = np.zeros((left.shape[1], right.shape[1]))
    term = np.empty_like(total)
    for a, b in zip(left, right):
        if a.any():
            np.multiply(a[:, None], b, out=term)
            total += term
    return total


def side(clustering: Clustering) -> Side:
    """Features of `clustering`."""
    if isinstance(clustering, PossibilisticClustering):
        return _possibilistic_side(clustering.typicality)
    table = clustering.mass_table()
    n = clustering.n_objects
    if 24 * table.n_sets * n > MAX_BYTES:
        raise ClusteringError(
            f"a {clustering.kind} clustering of {n} objects with {table.n_sets} focal sets needs "
            f"{24e-9 * table.n_sets * n:.3g} GB in the pair loop, more than "
            f"{MAX_BYTES / 1e9:.3g} GB: merge clusters or sets, or take a .subset of the objects")
    masses = np.ascontiguousarray(table.dense().T)
    same, left, right = masses, masses[:0], masses[:0]
    if not table.all_single:
        same = np.ascontiguousarray(masses[table.single])
        # t = g - s - d: the sets that say "same" or "different" with some set
        left = disjoint_product(table, masses)
        left[table.single] += same
        used = np.flatnonzero(left.any(axis=1) & masses.any(axis=1))
        left, right = -left[used], np.ascontiguousarray(masses[used])
        if not used.size:   # nothing is said: t = g
            left = right = np.zeros((1, n))
    g = table.nonempty
    same, left, right = np.array(same), np.array(left), np.array(right)
    return Side(same=same, left=left, right=right, order=np.zeros((0, n), np.int64),
                g=np.array(g) if g.size else np.ones(n), normal=not g.size)


def _possibilistic_side(typicality: np.ndarray) -> Side:
    n, c = typicality.shape
    order = np.argsort(-typicality, axis=1, kind="stable")
    steps = np.take_along_axis(typicality, order, axis=1)
    top = steps[:, 0].copy()
    steps[:, :-1] -= steps[:, 1:]
    same = np.zeros((c, n))
    same[order[:, 0], np.arange(n)] = steps[:, 0]
    return Side(same=same, left=np.ascontiguousarray(steps.T),
                right=np.array(typicality.T, order="C"), order=np.ascontiguousarray(order.T),
                g=top, normal=bool(np.all(top == 1.0)))
