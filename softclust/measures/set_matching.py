"""Measures that match the clusters of one side to clusters of the other, one to one."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._joint import as_joint
from .._statistics.counting import Contingency
from ._registry import measure

#: up to this many cells the assignment is solved on the full table
_DENSE_ASSIGNMENT = 1 << 20


@measure(
    sense="dissimilarity", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "metric", "relabelling-invariant"),
    cost="O(n + r s min(r, s))", source="Campagner, Ciucci, Denoeux 2023, section 2.3.2",
    r="clue::cl_dissimilarity(x, y, method = 'BA/A') / (length(x_labels) - 1)",
)
def partition_distance(x: Any, y: Any = None) -> float:
    """Share of the objects, of n - 1, that must change their cluster to turn x into y.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        (n - matched) / (n - 1), where `matched` is the largest number of objects that a
        one-to-one matching of clusters of x to clusters of y can keep: from 0 (exactly for equal
        partitions) to 1 (one cluster against all singletons). Never undefined.

    Raises
    ------
    ClusteringError
        If a side is not hard, or the objects differ.

    Notes
    -----
    A metric. With at most c clusters it stays below 1. Time O(n + r s min(r, s)) for r and s
    clusters; for many clusters the matching works on the non-zero cells alone. R:
    ``clue::cl_dissimilarity(x, y, method = "BA/A")`` is (n - 1) times this.

    References
    ----------
    D. Gusfield (2002), Partition-distance: a problem and class of perfect graphs arising in
    clustering, Information Processing Letters 82, 159-164.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.partition_distance([0, 0, 1, 1], [0, 0, 1, 2])
    0.3333333333333333
    """
    c = as_joint(x, y).contingency
    return (c.n - most_matched(c)) / (c.n - 1)


def most_matched(c: Contingency) -> int:
    """Largest sum of counts over pairs of clusters, each cluster in at most one pair."""
    if c.x_refines_y or c.y_refines_x:
        # Each cluster of the coarser side keeps its largest part.
        keep = np.zeros(c.s if c.x_refines_y else c.r, np.int64)
        np.maximum.at(keep, c.cols if c.x_refines_y else c.rows, c.counts)
        return int(keep.sum())
    if c.r * c.s <= _DENSE_ASSIGNMENT:
        from scipy.optimize import linear_sum_assignment
        table = c.dense()
        rows, columns = linear_sum_assignment(table, maximize=True)
        return int(table[rows, columns].sum())
    return _most_matched_sparse(c)


def _most_matched_sparse(c: Contingency) -> int:
    """The same on the non-zero cells.

    scipy matches every row, so each cluster of x gets a column of its own that keeps nothing.
    Costs are ``most - count``, with most above every count (zeros would count as no edge).
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching
    used, rows = np.unique(c.rows, return_inverse=True)
    own = np.arange(used.shape[0])
    most = int(c.counts.max()) + 1
    costs = np.concatenate([most - c.counts, np.full(own.shape[0], most)]).astype(np.float64)
    where = np.concatenate([rows, own]), np.concatenate([c.cols, c.s + own])
    graph = csr_array((costs, where), shape=(own.shape[0], c.s + own.shape[0]))
    i, j = min_weight_full_bipartite_matching(graph)
    return most * own.shape[0] - int(graph[i, j].sum())
