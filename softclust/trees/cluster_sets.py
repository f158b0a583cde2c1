"""Clusters that one of two dendrograms has and the other has not."""

from __future__ import annotations

from typing import Any

import numpy as np

from .dendrogram import Dendrogram, two_dendrograms


def cluster_set_distance(x: Any, y: Any, *, normalize: bool = False) -> float:
    r"""Number of clusters that only one of two dendrograms has (rooted Robinson-Foulds).

    Parameters
    ----------
    x, y : Dendrogram, merges or fitted estimator
        Of the same objects.
    normalize : bool
        Divide by the number of clusters of both.

    Returns
    -------
    float
        Clusters with more than one and fewer than n objects count; of merges in one block of equal
        heights only the highest clusters. Normalized from 0 to 1; 0 where no tree has such
        clusters.

    Raises
    ------
    ClusteringError
        If a side is not a dendrogram, or the objects differ.

    See Also
    --------
    dendrogram_curve, cophenetic_correlation

    Notes
    -----
    .. math::

        \frac{|A \setminus B| + |B \setminus A|}{|A| + |B|} \quad \text{for the sets } A, B \text{
        of clusters}

    A metric on trees without heights. Clusters of x are intervals of its leaf order: time
    O(n log n), memory O(n), exact. Day (1985) has O(n).

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    W. H. E. Day (1985), Optimal algorithms for comparing trees with labeled leaves, Journal of
    Classification 2, 7-28.

    Examples
    --------
    >>> import softclust
    >>> x = [[0, 1, 1.0], [2, 3, 2.0], [4, 5, 3.0]]
    >>> y = [[0, 1, 1.0], [2, 4, 2.0], [3, 5, 3.0]]
    >>> softclust.cluster_set_distance(x, y)
    2.0
    """
    x, y = two_dendrograms(x, y)
    n = x.n_objects
    place = np.empty(n, dtype=np.int64)
    place[x.order] = np.arange(n)
    first, second = _proper(x), _proper(y)
    size, start, _ = x.intervals
    intervals = start[first] * n + size[first]
    low, high = _extent(y, place)
    size = y.intervals[0]
    whole = second[high[second] - low[second] + 1 == size[second]]
    both = np.isin(low[whole] * n + size[whole], intervals).sum()
    distance = float(first.size + second.size - 2 * both)
    if not normalize:
        return distance
    return distance / (first.size + second.size) if first.size + second.size else 0.0


def _proper(tree: Dendrogram) -> np.ndarray:
    """Nodes of the contracted tree that are clusters of more than one and fewer than n objects."""
    size = tree.intervals[0]
    return np.flatnonzero(tree.kept & (size > 1) & (size < tree.n_objects))


def _extent(tree: Dendrogram, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least and largest of `place` below each node, (2n - 1,) both."""
    n = tree.n_objects
    low, high = np.empty(2 * n - 1, np.int64), np.empty(2 * n - 1, np.int64)
    low[:n] = high[:n] = place
    m = tree.checked
    for t, (a, b) in enumerate(zip(m.left.tolist(), m.right.tolist())):
        low[n + t] = min(low[a], low[b])
        high[n + t] = max(high[a], high[b])
    return low, high
