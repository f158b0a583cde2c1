"""Dissimilarity and agreement of the heights of two dendrograms, by the methods of clue."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from ..._checks import ClusteringError, check_choice, warn_undefined
from ...clusterings import HardClustering
from ...measures import get_measure
from ...running.threads import run_chunks
from . import _kernels
from .dendrogram import Dendrogram, two_dendrograms
from .types import DendrogramLike
from .whole_trees import (
    cluster_set_distance,
    cophenetic_correlation,
    count_concordant,
    sum_height_products,
)

#: pairs of objects in a chunk
_CHUNK = 4_000_000
#: methods with a dissimilarity, and those with an agreement
DISSIMILARITIES = ("euclidean", "manhattan", "cophenetic", "gamma", "Chebyshev", "Lyapunov", "BO",
                   "spectral", "symdiff", "cosine", "dice")
AGREEMENTS = ("euclidean", "manhattan", "cophenetic", "gamma", "angle", "dice")


def dendrogram_proximity(x: DendrogramLike, y: DendrogramLike, *, method: str = "euclidean",
                         sense: Literal["dissimilarity", "agreement"] = "dissimilarity",
                         delta: str = "symmetric_difference_distance") -> float:
    r"""Dissimilarity or agreement of two dendrograms, by the methods of R's clue.

    Parameters
    ----------
    x, y : Dendrogram, merges or fitted estimator
        Of the same objects.
    method : str
        For u, v the heights at which the trees join each pair of objects, n (n - 1) / 2 numbers:

        ============ =========================================== ==============================
        method       dissimilarity d                             agreement
        ============ =========================================== ==============================
        "euclidean"  root of the sum of (u - v)^2                1 / (1 + d)
        "manhattan"  sum of abs(u - v)                           1 / (1 + d)
        "cophenetic" 1 - c^2, c the correlation of u and v       c
        "gamma"      2 (share of pairs of pairs in other order)  1 - d
        "Chebyshev"  largest abs(u - v)                          none
        "Lyapunov"   log(largest u / v) - log(smallest u / v)    none
        "BO"         integral over h of delta(cuts at height h)  none
        "spectral"   largest abs(eigenvalue) of the matrix u - v none
        "symdiff"    number of clusters of only one tree         none
        "angle"      none                                        cosine of the angle of u and v
        "cosine"     1 - cosine of the angle of u and v          none
        "dice"       1 - agreement                               clusters of both / mean number
        ============ =========================================== ==============================
    sense : {"dissimilarity", "agreement"}
        Which of the two.
    delta : str
        For "BO": measure of the two hard clusterings at a height, such as "rand_distance".

    Returns
    -------
    float
        In the unit of the heights for "euclidean", "manhattan", "Chebyshev", "spectral" and "BO".
        nan with a warning where undefined: a correlation with a tree of one height, an angle with
        heights that are all 0, "gamma" of two objects, "Lyapunov" with a negative height or a pair
        at height 0 in both trees. "Lyapunov" is infinite if only one tree joins a pair at 0.

    Raises
    ------
    ClusteringError
        If a side is not a dendrogram, the objects differ, or "BO" meets falling heights.
    ValueError
        If the method has no value of this sense.

    Warns
    -----
    UndefinedMeasureWarning
        If the value is undefined.

    See Also
    --------
    cophenetic_correlation, cluster_set_distance, dendrogram_curve

    Notes
    -----
    .. math::

        \| u - v \|_2, \quad \| u - v \|_1, \quad \max | u - v |, \quad
        \log \frac{\max u / v}{\min u / v}, \quad \int_0^\infty \delta(x_h, y_h) \, dh

    "euclidean", "manhattan", "Chebyshev", "Lyapunov" and "gamma" take time O(n^2), "BO" n values of
    delta, the others O(n log^3 n); memory is O(n log n). "BO" with delta the symmetric difference
    is "manhattan" for merges at heights from 0 on, and Rand's distance is that per pair. "gamma"
    is clue's, from 0 to 2. "symdiff" and "dice" count clusters of more than one and fewer than n
    objects. R: ``clue::cl_dissimilarity(h1, h2, method)``, ``clue::cl_agreement``, which have no
    "cosine" and "dice" for trees, and take no trees with falling heights.

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    S. A. Boorman and D. C. Olivier (1973), Metrics on spaces of finite trees, Journal of
    Mathematical Psychology 10, 26-59.

    Examples
    --------
    >>> import softclust
    >>> x = [[0, 1, 1.0], [2, 3, 2.0], [4, 5, 3.0]]
    >>> y = [[0, 1, 1.0], [2, 4, 2.0], [3, 5, 3.0]]
    >>> softclust.dendrogram_proximity(x, y, method="manhattan")
    3.0
    >>> softclust.dendrogram_proximity(x, y, method="manhattan", sense="agreement")
    0.25
    """
    check_choice("sense", sense, ("dissimilarity", "agreement"))
    check_choice("method", method, DISSIMILARITIES if sense == "dissimilarity" else AGREEMENTS)
    x, y = two_dendrograms(x, y)
    agreement = sense == "agreement"
    if method == "cophenetic":
        c = cophenetic_correlation(x, y)
        return c if agreement else 1.0 - c * c
    if method in ("symdiff", "dice"):
        apart = cluster_set_distance(x, y, normalize=method == "dice")
        return 1.0 - apart if agreement else apart
    if method in ("angle", "cosine"):
        sizes = [sum_height_products(t, t, t.checked.heights, t.checked.heights) for t in (x, y)]
        if min(sizes) == 0.0:
            warn_undefined("dendrogram_proximity", "all heights of a dendrogram are 0")
            return math.nan
        product = sum_height_products(x, y, x.checked.heights, y.checked.heights)
        cosine = min(1.0, max(-1.0, product / math.sqrt(sizes[0]) / math.sqrt(sizes[1])))
        return cosine if agreement else 1.0 - cosine
    if method == "gamma":
        pairs = x.n_objects * (x.n_objects - 1) // 2
        if pairs == 1:
            warn_undefined("dendrogram_proximity", "two objects have one pair")
            return math.nan
        apart = 4.0 * count_concordant(x, y)[1] / (pairs * (pairs - 1.0))
        return 1.0 - apart if agreement else apart
    if method == "BO":
        return _between_cuts(x, y, delta)
    if method == "spectral":
        return _spectral_norm(x, y)

    # Sums of abs(u - v) and (u - v)^2, largest abs(u - v), smallest and largest u / v.
    n = x.n_objects
    sides = [(t.checked.left, t.checked.right, *t.intervals, t.parent, t.checked.heights)
             for t in (x, y)]
    out = np.empty((n - 1, 5))

    def work(first: int, last: int) -> None:
        _kernels.trees.height_differences(first, last, *sides[0], *sides[1], out)

    run_chunks(work, n - 1, max(1, _CHUNK // n))
    if method == "Lyapunov":
        low, high = float(out[:, 3].min()), float(out[:, 4].max())
        if math.isnan(low) or min(x.heights.min(), y.heights.min()) < 0.0:
            warn_undefined("dendrogram_proximity", "both trees join a pair of objects at height 0, "
                                                   "or a height is negative")
            return math.nan
        return math.inf if low == 0.0 else math.log(high / low)
    apart = (float(out[:, 2].max()) if method == "Chebyshev" else
             math.fsum(out[:, 0]) if method == "manhattan" else math.sqrt(math.fsum(out[:, 1])))
    return 1.0 / (1.0 + apart) if agreement else apart


def _spectral_norm(x: Dendrogram, y: Dendrogram) -> float:
    """Largest absolute eigenvalue of the difference of the two matrices of heights."""
    n = x.n_objects

    def product(vector: np.ndarray) -> np.ndarray:
        out = np.zeros(n)
        for tree, sign in ((x, 1.0), (y, -1.0)):
            _kernels.trees.add_product(tree.checked.left, tree.checked.right,
                                       sign * tree.checked.heights, vector.reshape(-1), out)
        return out

    if n <= 40:
        matrix = np.column_stack([product(column) for column in np.eye(n)])
        return float(np.abs(np.linalg.eigvalsh(matrix)).max())
    start = np.cos(np.arange(n))   # of no symmetry that an eigenvector may have
    if not np.any(product(start)):
        return 0.0
    operator = LinearOperator((n, n), matvec=product, dtype=np.float64)
    return float(abs(eigsh(operator, k=1, which="LM", v0=start, return_eigenvectors=False)[0]))


def _between_cuts(x: Dendrogram, y: Dendrogram, delta: str) -> float:
    """Integral over h of delta of the clusters at height h, for h from 0 on."""
    measure, n = get_measure(delta), x.n_objects
    if measure.sense == "agreement" or not measure.takes("hard", "hard"):
        raise ValueError(f"delta={delta!r} is no dissimilarity of hard clusterings; "
                         "'rand_distance' is one")
    if any((np.diff(t.checked.heights) < 0.0).any() for t in (x, y)):
        raise ClusteringError("method='BO' cuts at heights, which must not fall from merge to "
                              "merge; a tree has an inversion")
    labels = [np.arange(n), np.arange(n)]
    merges = sorted((height, side, t) for side, tree in enumerate((x, y))
                    for t, height in enumerate(tree.checked.heights.tolist()))
    total, before, apart = [], 0.0, 0.0
    for height, side, t in merges:
        if height > before:
            apart = float(measure.function(*(HardClustering(each) for each in labels)))
            total.append((height - before) * apart)
            before = height
        size, start, order = (x, y)[side].intervals
        objects = order[start[n + t]:start[n + t] + size[n + t]]
        labels[side][objects] = labels[side][objects[0]]
    return math.fsum(total)
