"""Initial centres of the clusterers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from .._checks import ClusteringError
from .._types import ArrayLike
from ..running.random_numbers import as_generator, spawn
from .checks import check_count, check_weights
from .passes import Data, hard_pass

NAMES = ("k-means", "k-means++", "random", "var-part", "pca-part")
#: deterministic starts, of which one is enough
DETERMINISTIC = ("var-part", "pca-part")
#: relative difference below which sums of squares are tied: their rounding errors are smaller
_TIE = 1e-12
#: largest number of k-means passes before a start; more would not improve the fit
PASSES = 10


def starts(data: Data, n_clusters: int, init: Any, n_init: int, random_state: Any
           ) -> list[np.ndarray]:
    """The starting centres of all runs, each (n_clusters, p).

    Parameters
    ----------
    data : Data
        Objects of weight 0 are never chosen.
    n_clusters : int
    init : str or array-like (n_clusters, p)
        "k-means" (at most `PASSES` passes of k-means from greedy k-means++ seeds), "k-means++"
        (the seeds only), "random" (distinct objects), "var-part", "pca-part", or centres.
    n_init : int
        Number of starts; an array and the deterministic ones make a single start.
    random_state : None, int, Generator or RandomState

    Raises
    ------
    ClusteringError
        If `init` is not known, has the wrong shape, is not finite or has equal rows.
    """
    if not isinstance(init, str):
        return [_given(init, n_clusters, data.x.shape[1])]
    if init not in NAMES:
        raise ClusteringError(f"init={init!r} is not known; choose one of "
                              + ", ".join(map(repr, NAMES)) + ", or give centres (array)")
    if init in DETERMINISTIC:
        part = var_part if init == "var-part" else pca_part
        centers = part(data.x, n_clusters, sample_weight=data.weights)
        if len(centers) < n_clusters:
            raise ClusteringError(f"init={init!r} finds only {len(centers)} different parts for "
                                  f"n_clusters={n_clusters}")
        return [centers]
    children = spawn(as_generator(random_state, "random_state"), n_init)
    if init == "random":
        return [_objects(data.x[data.weights > 0], n_clusters, child) for child in children]
    # 2 + log c candidates, as scikit-learn takes them
    shape = n_clusters, 2 + int(np.log(n_clusters))
    seeds = [greedy_seeds(data, child.random(shape)) for child in children]
    return seeds if init == "k-means++" else [few_passes(data, centers) for centers in seeds]


def _given(init: Any, n_clusters: int, p: int) -> np.ndarray:
    try:
        centers = np.array(init, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise ClusteringError("init is neither a known name nor a matrix of numbers") from None
    if centers.shape != (n_clusters, p):
        raise ClusteringError(f"init has shape {centers.shape}; ({n_clusters}, {p}) is needed, "
                              "one row per cluster")
    if not np.isfinite(centers).all():
        raise ClusteringError("init has entries that are not finite")
    if np.unique(centers, axis=0).shape[0] < n_clusters:
        raise ClusteringError("init has equal rows; equal centres would stay equal for ever")
    return centers


def _objects(x: np.ndarray, n_clusters: int, rng: np.random.Generator) -> np.ndarray:
    rng.integers(2**31)   # a number once drawn for another start: seeds keep their objects
    distinct = np.unique(x, axis=0)
    return distinct[rng.choice(distinct.shape[0], n_clusters, replace=False)]


def greedy_seeds(data: Data, uniforms: np.ndarray) -> np.ndarray:
    """Weighted greedy k-means++ (Arthur, Vassilvitskii 2007), (c, p).

    The first seed is an object drawn in proportion to the weights. Then `uniforms` (c, L) draw L
    candidates in proportion to weight times squared distance to the nearest seed; the one that
    leaves the least sum is taken, the first object on ties.
    """
    x, weights = data.x, data.weights
    seeds = np.empty((uniforms.shape[0], x.shape[1]))
    values, nearest = weights, np.full(weights.size, np.inf)
    for k in range(seeds.shape[0]):
        candidates = np.unique(_positions(values, uniforms[k] if k else uniforms[0, :1]))
        squares = np.minimum(cdist(x[candidates], x, "sqeuclidean"), nearest)
        best = (squares * weights).sum(axis=1).argmin()
        seeds[k], nearest = x[candidates[best]], squares[best]
        values = weights * nearest
        if not values.any():   # all remaining squares vanish
            values = weights
    return seeds


def _positions(values: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """The first positions whose cumulated values exceed `uniforms` of their total."""
    sums = values.cumsum()
    positions = np.searchsorted(sums, uniforms * sums[-1], side="right")
    # Rounding may leave the total itself; the first position that reaches it is positive.
    return np.minimum(positions, np.searchsorted(sums, sums[-1]))


def few_passes(data: Data, centers: np.ndarray) -> np.ndarray:
    """Centres after at most `PASSES` passes of k-means; a cluster without objects stays."""
    for _ in range(PASSES):
        steps = hard_pass(data, centers).steps
        if np.abs(steps).max() <= _TIE * data.scale:
            break
        centers = centers + steps
    return centers


def var_part(X: ArrayLike, n_clusters: int, *, sample_weight: ArrayLike | None = None
             ) -> np.ndarray:
    """Starting centres by splitting at the mean of the most variable feature.

    Deterministic: the centres do not depend on a seed, nor (up to rounding) on the order of the
    objects.

    Parameters
    ----------
    X : array-like, shape (n, p)
        Objects in the rows; finite numbers.
    n_clusters : int
        At least 1.
    sample_weight : array-like, shape (n,), optional
        Weights >= 0; a whole number k counts as k copies of the object, and objects of weight 0
        are left out.

    Returns
    -------
    ndarray, shape (m, p), float64
        Means of the parts, in the unit of X. m = `n_clusters`, or the number of distinct objects
        of positive weight when that is smaller.

    Raises
    ------
    ClusteringError
        If X is not a finite matrix, or `n_clusters` or the weights are not allowed.

    See Also
    --------
    pca_part

    Notes
    -----
    All objects form the first part. While there are fewer than `n_clusters` parts, the part with
    the largest within sum of squares (ties: the first) is cut at its mean along the feature of
    largest variance (ties: the first feature); objects at or below the mean keep the place of
    the part, the others are appended. Values that differ only by rounding count as tied.

    Time O(`n_clusters` n p), memory O(n p). No recommended R package has such a function.

    References
    ----------
    T. Su, J. Dy, In search of deterministic methods for initializing K-means and Gaussian
    mixture clustering, Intelligent Data Analysis 11 (2007) 319-338.
    M. E. Celebi, H. A. Kingravi, Deterministic initialization of the k-means algorithm using
    hierarchical clustering, arXiv:1304.7465.

    Examples
    --------
    >>> import softclust
    >>> softclust.cluster.var_part([[0, 0], [0, 1], [9, 0], [9, 1], [30, 0]], 3)
    array([[ 0. ,  0.5],
           [30. ,  0. ],
           [ 9. ,  0.5]])
    """
    return _parts(X, n_clusters, sample_weight, _most_variable)


def pca_part(X: ArrayLike, n_clusters: int, *, sample_weight: ArrayLike | None = None
             ) -> np.ndarray:
    """Starting centres by splitting at the mean along the first principal direction.

    Deterministic: the centres do not depend on a seed, nor (up to rounding) on the order of the
    objects.

    Parameters
    ----------
    X : array-like, shape (n, p)
        Objects in the rows; finite numbers.
    n_clusters : int
        At least 1.
    sample_weight : array-like, shape (n,), optional
        Weights >= 0; a whole number k counts as k copies of the object, and objects of weight 0
        are left out.

    Returns
    -------
    ndarray, shape (m, p), float64
        Means of the parts, in the unit of X. m = `n_clusters`, or the number of distinct objects
        of positive weight when that is smaller.

    Raises
    ------
    ClusteringError
        If X is not a finite matrix, or `n_clusters` or the weights are not allowed.

    See Also
    --------
    var_part

    Notes
    -----
    The method is that of `var_part`, but each cut is along the first principal direction of the
    part, its sign chosen so that the largest absolute entry (ties: the first) is positive; the
    order of the parts depends on that. Where the two largest variances are equal (a square, a ball)
    the first principal direction is not determined by the data, and neither are the centres.

    Time O(`n_clusters` n p min(n, p)), memory O(n p + min(n, p)^2).

    References
    ----------
    T. Su, J. Dy, In search of deterministic methods for initializing K-means and Gaussian
    mixture clustering, Intelligent Data Analysis 11 (2007) 319-338.
    M. E. Celebi, H. A. Kingravi, Deterministic initialization of the k-means algorithm using
    hierarchical clustering, arXiv:1304.7465.

    Examples
    --------
    >>> import softclust
    >>> softclust.cluster.pca_part([[0, 0], [1, 1], [8, 8], [9, 9]], 2)
    array([[0.5, 0.5],
           [8.5, 8.5]])
    """
    return _parts(X, n_clusters, sample_weight, _principal)


def _parts(X: Any, n_clusters: int, sample_weight: Any,
           direction: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """Means of the parts; the widest is cut at its mean along the direction, again and again."""
    x, weights = _positive(X, n_clusters, sample_weight)
    parts = [_part(x, weights, np.arange(x.shape[0]))]
    while len(parts) < n_clusters:
        squares = np.array([part.squares for part in parts])
        if not squares.any():
            break   # every part holds equal objects: there is nothing left to split
        k = _first_largest(squares)
        members = parts[k].members
        points = x[members]
        centred = points - parts[k].mean
        axis = direction(centred, weights[members])
        # An object on the mean must not change sides with the rounding of the mean.
        rounding = 4 * np.finfo(float).eps * float(np.abs(points).max(axis=0) @ np.abs(axis))
        left = (centred * axis).sum(axis=1) <= rounding
        if left.all() or not left.any():
            # The part is as narrow as the rounding: its largest value of the widest feature is
            # split off.
            feature = int(np.argmax(np.ptp(points, axis=0)))
            left = points[:, feature] < points[:, feature].max()
        parts[k] = _part(x, weights, members[left])
        parts.append(_part(x, weights, members[~left]))
    return np.array([part.mean for part in parts])


def _positive(X: Any, n_clusters: int, sample_weight: Any) -> tuple[np.ndarray, np.ndarray]:
    """Objects of positive weight and their weights, checked."""
    try:
        x = np.array(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError("X cannot be read as a matrix of numbers") from None
    if x.ndim != 2 or not x.size:
        raise ClusteringError(f"X has shape {x.shape}; (n, p) with n, p >= 1 is needed, one row "
                              "per object")
    if not np.isfinite(x).all():
        raise ClusteringError("X has entries that are not finite; remove or impute them")
    check_count("n_clusters", n_clusters)
    weights = check_weights(sample_weight, x.shape[0])
    return x[weights > 0], weights[weights > 0]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Subset:
    """Indices of some objects, their weighted mean (p,) and sum of squares around it."""

    members: np.ndarray
    mean: np.ndarray
    squares: float


def _part(x: np.ndarray, weights: np.ndarray, members: np.ndarray) -> _Subset:
    points, w = x[members], weights[members, None]
    # Around an object of the part equal objects have the mean and the sum of squares exactly.
    shifted = points - points[0]
    offset = (w * shifted).sum(axis=0) / w.sum()
    return _Subset(members=members, mean=points[0] + offset,
                 squares=float((w * (shifted - offset) ** 2).sum()))


def _first_largest(values: np.ndarray) -> int:
    """Index of the largest value >= 0; among values tied but for rounding, the first."""
    return int(np.argmax(values >= values.max() * (1 - _TIE)))


def _most_variable(centred: np.ndarray, weights: np.ndarray) -> np.ndarray:
    axis = np.zeros(centred.shape[1])
    axis[_first_largest((weights[:, None] * centred**2).sum(axis=0))] = 1.0
    return axis


def _principal(centred: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """First principal direction, its largest absolute entry positive."""
    scaled = np.sqrt(weights)[:, None] * centred / np.abs(centred).max()
    if scaled.shape[1] <= scaled.shape[0]:
        axis = np.linalg.eigh(scaled.T @ scaled)[1][:, -1]
    else:   # fewer objects than features: the small matrix is that of the objects
        axis = scaled.T @ np.linalg.eigh(scaled @ scaled.T)[1][:, -1]
        axis = axis / np.linalg.norm(axis)
    return axis if axis[_first_largest(np.abs(axis))] > 0 else -axis
