"""Correlation of the heights at which two dendrograms join pairs of objects."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._checks import check_choice, warn_undefined
from . import _kernels
from .dendrogram import Dendrogram, two_dendrograms

METHODS = ("pearson", "spearman", "kendall", "gamma")


def cophenetic_correlation(x: Any, y: Any, *, method: str = "pearson") -> float:
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
    mid-ranks in place of heights. R: ``cor(cophenetic(h1), cophenetic(h2), method = ...)``;
    dendextend's ``cor_bakers_gamma`` is Spearman, though its help says otherwise.

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
    if method in ("kendall", "gamma"):
        return _by_order(x, y, sides, method)
    values = [np.array(t.heights) if method == "pearson" else _mid_ranks(levels, joined)
              for t, (levels, joined) in zip((x, y), sides)]
    return _pearson(x, y, values, [joined for _, joined in sides])


def _joined(tree: Dendrogram) -> np.ndarray:
    """Pairs that each merge joins, (n - 1,) float64."""
    size, m = tree.intervals[0], tree.checked
    return size[m.left].astype(np.float64) * size[m.right]


def _levels(tree: Dendrogram) -> np.ndarray:
    """Rank of the height of each merge, equal within a step, (n - 1,) int64."""
    m = tree.checked
    _, ranks = np.unique(m.heights[m.steps], return_inverse=True)
    return ranks.reshape(-1)[tree.step].astype(np.int64)


def _mid_ranks(levels: np.ndarray, joined: np.ndarray) -> np.ndarray:
    """Mean rank, among all pairs, of the pairs joined at the height of each merge."""
    many = np.bincount(levels, joined)
    return (np.cumsum(many) - (many - 1.0) / 2)[levels]


def _pearson(x: Dendrogram, y: Dendrogram, values: list[np.ndarray], joined: list[np.ndarray]
             ) -> float:
    pairs = float(joined[0].sum())
    centred = [v - math.fsum(v * many) / pairs for v, many in zip(values, joined)]
    spread = [math.fsum(v * v * many) for v, many in zip(centred, joined)]
    product = _sum_products(x, y, *centred)
    return min(1.0, max(-1.0, product / math.sqrt(spread[0]) / math.sqrt(spread[1])))


def _sum_products(x: Dendrogram, y: Dendrogram, value_x: np.ndarray, value_y: np.ndarray
                  ) -> float:
    """Sum over pairs of the product of the values at which both trees join them."""
    n, m = x.n_objects, y.checked
    top, place = np.empty(2 * n - 1, np.int64), np.empty(2 * n - 1, np.int64)
    _kernels.sweep.path_positions(m.left, m.right, y.intervals[0], top, place)
    fall = np.zeros(2 * n - 1)
    inner = np.arange(n, 2 * n - 2)
    fall[place[inner]] = value_y[y.parent[inner] - n] - value_y[:-1]
    prefix = np.concatenate([[0.0], np.cumsum(fall)])
    return float(_kernels.sweep.sum_products(
        x.checked.left, x.checked.right, *x.intervals, *x.heavy,
        np.ascontiguousarray(value_x), top, place, y.parent, fall, prefix, float(value_y[-1]),
        np.zeros(2 * n), np.zeros(2 * n)))


def _by_order(x: Dendrogram, y: Dendrogram, sides: list[tuple[np.ndarray, np.ndarray]],
              method: str) -> float:
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
    first, second = (levels for levels, _ in sides)
    out = np.zeros(2)
    _kernels.sweep.concordance(
        x.checked.left, x.checked.right, *x.intervals, first, np.argsort(first, kind="stable"),
        place, table, second, *np.zeros((2, int(second.max()) + 1), np.int64), out)
    concordant, discordant = float(out[0]), float(out[1])
    if method == "gamma":
        if concordant + discordant == 0.0:
            warn_undefined("cophenetic_correlation", "every pair of pairs is tied in a dendrogram")
            return math.nan
        return (concordant - discordant) / (concordant + discordant)
    untied = []
    for levels, joined in sides:
        many = np.bincount(levels, joined)
        total = float(many.sum())
        untied.append((total * total - float(many @ many)) / 2)
    return (concordant - discordant) / math.sqrt(untied[0]) / math.sqrt(untied[1])
