"""Element-centric similarity of two dendrograms (Gates, Wood, Hetrick and Ahn 2019)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, frozen
from .._parallel import run_chunks
from ..covers.element_centric import ElementCentric
from . import _kernels
from .dendrogram import Dendrogram, two_dendrograms

#: entries of rows in a chunk of objects
_CHUNK = 4_000_000


def dendrogram_element_centric(x: Any, y: Any, *, r: float = 1.0, damping: float = 0.9,
                               levels: str = "path") -> ElementCentric:
    r"""Element-centric similarity of two dendrograms.

    Walks go from an object to a cluster that holds it and on to an object of this cluster; two
    trees are alike around an object if walks from it visit the same objects.

    Parameters
    ----------
    x, y : Dendrogram, merges or fitted estimator
        Of the same objects.
    r : float
        Clusters weigh exp(r level): larger values look at small clusters.
    damping : float in (0, 1)
        Probability to walk on (clusim calls it alpha).
    levels : {"path", "height"}
        Level of a cluster: steps from the root over those plus the longest way down; or
        1 - height / largest height. Single objects have level 1 and the root 0.

    Returns
    -------
    ElementCentric
        ``.values`` by object and ``.index``, their mean; 1 for equal trees. Its chance level is
        not known.

    Raises
    ------
    ClusteringError
        If a side is not a dendrogram, the objects differ, or an option is out of range.

    See Also
    --------
    element_centric, dendrogram_curve

    Notes
    -----
    .. math:: \frac{1}{n} \sum_i \left( 1 - \frac{1}{2} \sum_j | p_{ij} - q_{ij} | \right)

    p_i and q_i are the probabilities of where walks from object i end. All clusters count, also
    single objects and the root; of merges in one block of equal heights only the highest clusters.
    Exact, by one rank-one update for each cluster: time O(n^2), memory O(n). 1 - index is a
    pseudo-metric.

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    A. J. Gates, I. B. Wood, W. P. Hetrick and Y.-Y. Ahn (2019), Element-centric clustering
    comparison unifies overlaps and hierarchy, Scientific Reports 9, 8574.

    Examples
    --------
    >>> import softclust
    >>> x = [[0, 1, 1.0], [2, 3, 2.0], [4, 5, 3.0]]
    >>> y = [[0, 1, 1.0], [2, 4, 2.0], [3, 5, 3.0]]
    >>> round(softclust.dendrogram_element_centric(x, x).index, 4)
    1.0
    >>> round(softclust.dendrogram_element_centric(x, y).index, 4)
    0.8925
    """
    check_choice("levels", levels, ("path", "height"))
    if not 0.0 < damping < 1.0:
        raise ClusteringError(f"damping is {damping!r}; a number between 0 and 1 is needed")
    if not np.isfinite(r):
        raise ClusteringError(f"r is {r!r}; a finite number is needed")
    x, y = two_dendrograms(x, y)
    n = x.n_objects
    sides = [_parts(tree, float(r), float(damping), levels) for tree in (x, y)]
    apart = np.empty(n)

    def work(first: int, last: int) -> None:
        _kernels.walks.row_distances(first, last, *sides[0], *sides[1], damping, apart)

    run_chunks(work, n, max(1, _CHUNK // n))
    values = np.clip(1.0 - apart / (2.0 * damping), 0.0, 1.0)
    return ElementCentric(values=frozen(values), index=float(values.mean()),
                          object_names=x.object_names)


def _parts(tree: Dendrogram, r: float, damping: float, levels: str) -> tuple[np.ndarray, ...]:
    """What `row_distances` needs of one tree."""
    n, m = tree.n_objects, tree.checked
    size, start, order = tree.intervals
    level = r * (_path_levels(tree) if levels == "path" else _height_levels(tree))
    weight = np.where(tree.kept, np.exp(level - level[tree.kept].max()), 0.0)
    total, phi = np.empty(n), np.empty(n)
    factor, constant = np.empty(2 * n - 1), np.empty(2 * n - 1)
    _kernels.walks.page_rank_parts(m.left, m.right, size, weight, damping, total, factor,
                                   constant, phi)
    return m.left, m.right, size, start, order, tree.parent, constant, phi, total


def _path_levels(tree: Dendrogram) -> np.ndarray:
    """Steps from the root over those plus the longest way down, in the contracted tree."""
    n, m = tree.n_objects, tree.checked
    kept = tree.kept.astype(np.int64)
    depth, down = np.zeros(2 * n - 1, np.int64), np.zeros(2 * n - 1, np.int64)
    children = list(zip(m.left.tolist(), m.right.tolist()))
    for t, (a, b) in enumerate(children):
        down[n + t] = max(down[a] + kept[a], down[b] + kept[b])
    for t in range(n - 2, -1, -1):
        for child in children[t]:
            depth[child] = depth[n + t] + kept[child]
    return depth / np.maximum(depth + down, 1)


def _height_levels(tree: Dendrogram) -> np.ndarray:
    """1 - height / largest height; 1 for single objects."""
    n = tree.n_objects
    heights = tree.heights
    most = float(heights.max())
    level = np.ones(2 * n - 1)
    level[n:] = 1.0 - heights / most if most > 0.0 else 1.0
    return level
