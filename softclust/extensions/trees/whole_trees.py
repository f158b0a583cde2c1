"""Comparison of whole dendrograms: correlation of heights, common clusters, walks of objects."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from ..._checks import ClusteringError, check_choice, frozen, warn_undefined
from ...covers.element_centric import ElementCentric
from ...running.threads import run_chunks
from . import _kernels
from .dendrogram import Dendrogram, two_dendrograms
from .types import DendrogramLike

METHODS = ("pearson", "spearman", "kendall", "gamma")
#: entries of rows in a chunk of objects
_CHUNK = 4_000_000


def cophenetic_correlation(x: DendrogramLike, y: DendrogramLike, *,
                           method: Literal["pearson", "spearman", "kendall", "gamma"] = "pearson"
                           ) -> float:
    r"""Correlation of the cophenetic distances of two dendrograms, over all pairs of objects.

    Parameters
    ----------
    x, y : Dendrogram, merges or fitted estimator
        Of the same objects.
    method : {"pearson", "spearman", "kendall", "gamma"}
        Kendall is tau-b; gamma is Goodman and Kruskal's, (C - D)/(C + D), which Baker (1974) uses.

    Returns
    -------
    float
        From -1 to 1; nan with a warning where a side joins all pairs at one height.

    Raises
    ------
    ClusteringError
        If a side is not a dendrogram, or the objects differ.

    Warns
    -----
    UndefinedMeasureWarning
        If the value is undefined: nan.

    See Also
    --------
    dendrogram_curve, untangle, cluster_set_distance

    Notes
    -----
    .. math::

        \mathrm{cor}_{i<j} \, (h_x(i, j), h_y(i, j)) \quad \text{of the heights that join } i
        \text{ and } j

    No matrix of all pairs is made. Pearson and Spearman: time O(n log^3 n), memory O(n), by
    heavy paths. Kendall and gamma: time O(n^2), memory O(n log n). Spearman is Pearson with
    mid-ranks instead of heights. R: ``cor(cophenetic(h1), cophenetic(h2), method = ...)``;
    dendextend's ``cor_bakers_gamma`` is Spearman's, although its help says otherwise.

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    F. B. Baker (1974), Stability of two hierarchical grouping techniques, Journal of the American
    Statistical Association 69, 440-445.

    Examples
    --------
    >>> import softclust
    >>> x = [[0, 1, 1.0], [2, 3, 2.0], [4, 5, 3.0]]
    >>> y = [[0, 1, 1.0], [2, 4, 2.0], [3, 5, 3.0]]
    >>> round(softclust.cophenetic_correlation(x, y), 4)
    0.5855
    """
    check_choice("method", method, METHODS)
    x, y = two_dendrograms(x, y)
    sides = [(_levels(tree), _joined(tree)) for tree in (x, y)]
    if any(np.unique(levels[joined > 0]).size < 2 for levels, joined in sides):
        warn_undefined("cophenetic_correlation", "a dendrogram joins all pairs at one height")
        return math.nan
    # Pairs by height, (g,), and all pairs.
    by_height = [np.bincount(levels, joined) for levels, joined in sides]
    pairs = float(sides[0][1].sum())
    if method in ("kendall", "gamma"):
        concordant, discordant = count_concordant(x, y)
        if method == "kendall":
            untied = [(float(many.sum()) ** 2 - float(many @ many)) / 2 for many in by_height]
            return (concordant - discordant) / math.sqrt(untied[0]) / math.sqrt(untied[1])
        if concordant + discordant == 0.0:
            warn_undefined("cophenetic_correlation", "every pair of pairs is tied in a dendrogram")
            return math.nan
        return (concordant - discordant) / (concordant + discordant)
    centred, spread = [], []
    for tree, (levels, joined), many in zip((x, y), sides, by_height):
        # Spearman: the mean rank of the pairs joined at the height of each merge.
        values = (np.array(tree.heights) if method == "pearson"
                  else (np.cumsum(many) - (many - 1.0) / 2)[levels])
        centred.append(values - math.fsum(values * joined) / pairs)
        spread.append(math.fsum(centred[-1] * centred[-1] * joined))
    product = sum_height_products(x, y, *centred)
    return min(1.0, max(-1.0, product / math.sqrt(spread[0]) / math.sqrt(spread[1])))


def _joined(tree: Dendrogram) -> np.ndarray:
    """Pairs that each merge joins, (n - 1,) float64."""
    size, m = tree.intervals[0], tree.checked
    return size[m.left].astype(np.float64) * size[m.right]


def _levels(tree: Dendrogram) -> np.ndarray:
    """Rank of the height of each merge, equal within a step, (n - 1,) int64."""
    m = tree.checked
    _, ranks = np.unique(m.heights[m.steps], return_inverse=True)
    return ranks.reshape(-1)[tree.step].astype(np.int64)


def sum_height_products(x: Dendrogram, y: Dendrogram, value_x: np.ndarray, value_y: np.ndarray
                        ) -> float:
    """Sum over pairs of the product of the values at which both trees join them."""
    n, m = x.n_objects, y.checked
    top, place = np.empty(2 * n - 1, np.int64), np.empty(2 * n - 1, np.int64)
    _kernels.trees.path_positions(m.left, m.right, y.intervals[0], top, place)
    fall = np.zeros(2 * n - 1)
    inner = np.arange(n, 2 * n - 2)
    fall[place[inner]] = value_y[y.parent[inner] - n] - value_y[:-1]
    prefix = np.concatenate([[0.0], np.cumsum(fall)])
    return float(_kernels.trees.sum_products(
        x.checked.left, x.checked.right, *x.intervals, *x.heavy,
        np.ascontiguousarray(value_x), top, place, y.parent, fall, prefix, float(value_y[-1]),
        np.zeros(2 * n), np.zeros(2 * n)))


def count_concordant(x: Dendrogram, y: Dendrogram) -> tuple[float, float]:
    """Numbers of concordant and of discordant pairs of pairs of objects."""
    n, m = x.n_objects, y.checked
    _, start, order = y.intervals
    place = np.empty(n, np.int64)
    place[order] = np.arange(n)
    # table[j, p]: the latest of the merges that join positions p, ..., p + 2^j.
    table = np.zeros((max(1, (n - 1).bit_length()), n - 1), np.int64)
    table[0, start[m.right] - 1] = np.arange(n - 1)
    for j in range(1, len(table)):
        half = 1 << (j - 1)
        table[j, :n - 2 * half] = np.maximum(table[j - 1, :n - 2 * half],
                                             table[j - 1, half:n - half])
    first, second = _levels(x), _levels(y)
    out = np.zeros(2)
    _kernels.trees.concordance(
        x.checked.left, x.checked.right, *x.intervals, first, np.argsort(first, kind="stable"),
        place, table, second, *np.zeros((2, int(second.max()) + 1), np.int64), out)
    return float(out[0]), float(out[1])


# -- clusters that one of two dendrograms has and the other has not -------------------------------
def cluster_set_distance(x: DendrogramLike, y: DendrogramLike, *, normalize: bool = False) -> float:
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
        heights only the highest clusters count. Normalized from 0 to 1; 0 where neither tree has
        such clusters.

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
    low, high = y.extent(place)
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


# -- element-centric similarity (Gates, Wood, Hetrick and Ahn 2019) -------------------------------
def dendrogram_element_centric(x: DendrogramLike, y: DendrogramLike, *, r: float = 1.0,
                               damping: float = 0.9, levels: Literal["path", "height"] = "path"
                               ) -> ElementCentric:
    r"""Element-centric similarity of two dendrograms.

    Walks go from an object to a cluster that holds it and on to an object of this cluster; two
    trees are alike around an object if walks from it visit the same objects.

    Parameters
    ----------
    x, y : Dendrogram, merges or fitted estimator
        Of the same objects.
    r : float
        Clusters have weight exp(r level): larger values emphasise small clusters.
    damping : float in (0, 1)
        Probability that a walk goes on (clusim calls it alpha).
    levels : {"path", "height"}
        Level of a cluster: "path", steps from the root divided by these plus the longest path down;
        "height", 1 - height / largest height. Single objects have level 1 and the root 0.

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

    p_i and q_i are the probabilities of the objects at which walks from object i end. All clusters
    count, also single objects and the root; of merges in one block of equal heights only the
    highest clusters. Exact, by one rank-one update for each cluster: time O(n^2), memory O(n). 1 -
    index is a pseudo-metric.

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
        _kernels.trees.row_distances(first, last, *sides[0], *sides[1], damping, apart)

    run_chunks(work, n, max(1, _CHUNK // n))
    values = np.clip(1.0 - apart / (2.0 * damping), 0.0, 1.0)
    return ElementCentric(values=frozen(values), index=float(values.mean()),
                          object_names=x.object_names)


def _parts(tree: Dendrogram, r: float, damping: float, levels: str) -> tuple[np.ndarray, ...]:
    """Input of `row_distances` for one tree."""
    n, m = tree.n_objects, tree.checked
    size, start, order = tree.intervals
    level = np.ones(2 * n - 1)
    if levels == "path":
        # Steps from the root over these plus the longest path down, in the contracted tree.
        is_cluster = tree.kept.astype(np.int64)
        depth, down = np.zeros(2 * n - 1, np.int64), np.zeros(2 * n - 1, np.int64)
        children = list(zip(m.left.tolist(), m.right.tolist()))
        for t, (a, b) in enumerate(children):
            down[n + t] = max(down[a] + is_cluster[a], down[b] + is_cluster[b])
        for t in range(n - 2, -1, -1):
            for child in children[t]:
                depth[child] = depth[n + t] + is_cluster[child]
        level = depth / np.maximum(depth + down, 1)
    elif (highest := float(tree.heights.max())) > 0.0:
        level[n:] = 1.0 - tree.heights / highest   # 1 for single objects
    level = r * level
    weight = np.where(tree.kept, np.exp(level - level[tree.kept].max()), 0.0)
    total, phi = np.empty(n), np.empty(n)
    factor, constant = np.empty(2 * n - 1), np.empty(2 * n - 1)
    _kernels.trees.page_rank_parts(m.left, m.right, size, weight, damping, total, factor,
                                   constant, phi)
    return m.left, m.right, size, start, order, tree.parent, constant, phi, total
