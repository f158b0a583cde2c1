"""Checked merges of a dendrogram, ready to be walked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice
from ..clusterings import Clustering
from . import _kernels
from .roc_points import rates

#: heights that differ by less, relative to the largest, are equal
TIE_TOL = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Merges:
    """A checked dendrogram of n objects.

    Attributes
    ----------
    left, right : (n - 1,) int64
        Nodes that each merge joins; merge t makes node n + t.
    heights : (n - 1,) float64
    steps : (g,) int64
        Last merge of each step: blocks of equal heights, or every merge.
    inversions : bool
    ties : str
    """

    left: np.ndarray
    right: np.ndarray
    heights: np.ndarray
    steps: np.ndarray
    inversions: bool
    ties: str

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return self.left.shape[0] + 1

    def last_step(self, max_clusters: int) -> int:
        """Steps before the curve begins: k goes from the smallest attained one >= max_clusters."""
        return int(np.searchsorted(self.steps, self.n_objects - max_clusters - 1, side="right"))


def check_merges(merges: Any, n: int, ties: str, tie_tol: float) -> Merges:
    """`merges` of n objects, every id used once and after its creation."""
    check_choice("ties", ties, ("block", "order"))
    if not 0.0 <= tie_tol < 1.0:
        raise ClusteringError(f"tie_tol is {tie_tol}; a number in [0, 1) is needed")
    try:
        table = np.asarray(merges, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError("merges cannot be read as numbers; the array of "
                              "scipy.cluster.hierarchy.linkage is needed") from None
    if table.ndim != 2 or table.shape[1] not in (3, 4):
        raise ClusteringError(f"merges has shape {table.shape}; (n - 1, 4) as from "
                              "scipy.cluster.hierarchy.linkage, or (n - 1, 3), is needed")
    if table.shape[0] != n - 1:
        raise ClusteringError(f"merges has {table.shape[0]} rows for {n} objects; {n - 1} are "
                              "needed")
    ids = table[:, :2].reshape(-1)
    _refuse(~np.isfinite(table[:, 2]), table, "its height is not finite")
    _refuse(np.repeat(n + np.arange(n - 1), 2) <= ids, table, "it joins a node that is made by it "
            "or later (objects are 0 to n - 1, merge t makes node n + t)", per_row=2)
    _refuse(~((ids >= 0) & (ids == np.floor(ids))), table,
            "nodes are whole numbers >= 0 (R's negative numbers are objects counted from 1)",
            per_row=2)
    nodes = ids.astype(np.int64)
    first = np.full(2 * n - 1, -1, np.int64)
    first[nodes[::-1]] = np.arange(nodes.size)[::-1]
    _refuse(first[nodes] != np.arange(nodes.size), table, "it joins a node that is joined already",
            per_row=2)
    heights = np.ascontiguousarray(table[:, 2])
    change = np.diff(heights)
    equal = tie_tol * float(np.abs(heights).max(initial=0.0))
    steps = np.arange(n - 1)
    if ties == "block":
        steps = np.append(np.flatnonzero(np.abs(change) > equal), n - 2)[:n - 1]
    return Merges(left=np.ascontiguousarray(nodes[::2]), right=np.ascontiguousarray(nodes[1::2]),
                  heights=heights, steps=steps.astype(np.int64),
                  inversions=bool((change < -equal).any()), ties=ties)


def _refuse(bad: np.ndarray, table: np.ndarray, why: str, per_row: int = 1) -> None:
    if bad.any():
        row = int(np.flatnonzero(bad)[0]) // per_row
        shown = ", ".join(f"{v:g}" for v in table[row, :3])
        raise ClusteringError(f"merges row {row} ({shown}): {why}")


class Walk:
    """A dendrogram ready to count joined pairs for any labels."""

    def __init__(self, merges: Merges) -> None:
        n = merges.n_objects
        self.merges = merges
        self._size, self._start = (np.empty(2 * n - 1, np.int64) for _ in range(2))
        self._order = np.empty(n, np.int64)
        self._above, self._light = np.empty(2 * n - 1, np.int64), np.empty(n - 1, np.int64)
        kernels = _kernels.joined
        kernels.leaf_order(merges.left, merges.right, self._size, self._start, self._order)
        kernels.heavy_parents(merges.left, merges.right, self._size, self._above, self._light)

    def joined(self, truth: Clustering, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Same-class and different-class pairs that each merge joins, (n - 1,) both.

        int64 for hard classes; expected numbers, float64, for fuzzy ones.
        """
        n, m = self.merges.n_objects, self.merges
        if (codes := truth.hard_codes) is not None:
            classes = np.where(mask, codes.astype(np.int64), -1)[self._order]
            same, different = (np.empty(n - 1, np.int64) for _ in range(2))
            _kernels.joined.count_joined(
                m.left, m.right, self._size, self._start, self._above, self._light, classes,
                np.zeros(truth.n_clusters, np.int64), np.empty(2 * n - 1, np.int64), same,
                different)
            return same, different
        sums = np.where(mask[:, None], truth.memberships(), 0.0)
        expected = np.empty(n - 1), np.empty(n - 1)
        _kernels.joined.sum_joined(m.left, m.right, np.ascontiguousarray(sums),
                                        mask.astype(np.float64), np.empty(2 * n - 1, np.int64),
                                        *expected)
        return expected

    def errors(self, same: np.ndarray, different: np.ndarray, max_clusters: int
               ) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, float]:
        """k, eps1, eps2 (ascending k) and the numbers of same- and different-class pairs."""
        m = self.merges
        joined_same, joined_different = (np.concatenate([joined[:1] * 0, np.cumsum(joined)])
                                         for joined in (same, different))
        total_same, total_different = joined_same[-1].item(), joined_different[-1].item()
        ends = np.concatenate([[0], m.steps + 1])[m.last_step(max_clusters):][::-1]
        return (m.n_objects - ends, rates(total_same - joined_same[ends], total_same),
                rates(joined_different[ends], total_different), total_same, total_different)
