"""Moving clusters onto clusters (Mallows).

Distances that move weights between clusters (Zhou, Li and Zha 2005).
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from .._checks import ROW_SUM_TOLERANCE, ClusteringError, check_choice, shown
from .._types import ArrayLike, ClusteringLike, SourceLike
from ..measures import Answer, Claim, RCall, get_measure, measure, value_of
from ..measures.joint import Pair, as_joint
from ..measures.limit_rules import OF_CLASSES, LogScale, NoLimits, only_soft
from ..measures.record import claims
from ..measures.statistic import Source
from ..soft_pairs.moments import MembershipMoments, cross, sides
from ..tables.contingency import Contingency
from ..tables.matching import cheapest_plan

KINDS = ("hard", "fuzzy")
_METRICS = {"euclidean": "euclidean", "squared_euclidean": "sqeuclidean",
            "manhattan": "cityblock"}
#: a plan has a variable for each pair of clusters
MAX_CELLS = 1 << 20

#: clue adds empty clusters to the narrower side: they get weight 0
_MALLOWS = ("clue::cl_dissimilarity(x, y, method = 'Mallows', "
            "alpha = c(rep(1 / ncol(x_membership), ncol(x_membership)), "
            "numeric(max(0, ncol(y_membership) - ncol(x_membership)))), "
            "beta = c(rep(1 / ncol(y_membership), ncol(y_membership)), "
            "numeric(max(0, ncol(x_membership) - ncol(y_membership)))){})")


def _mallows(source: Source, *, p: float = 1, weights: Any = "uniform") -> float:
    try:
        power = float(p)
    except (TypeError, ValueError):
        raise TypeError(f"p must be a number >= 1, not {shown(p)}") from None
    if not 1.0 <= power < math.inf:
        raise ClusteringError(f"p is {p}; a finite number >= 1 is needed")
    alpha, beta = _weights(source, weights)
    cost = _costs(source, power)
    plan, rounding = cheapest_plan(cost, alpha, beta), 64 * np.finfo(float).eps
    total = float((plan * cost).sum())
    if total <= source.n_objects * rounding:
        # Equal sides in any order of clusters: 0, not the root of a rounding error.
        total = float((np.where(plan > rounding, plan, 0.0) * cost).sum())
    return max(0.0, total) ** (1.0 / power)


@measure(
    Pair, _mallows,
    sense="dissimilarity", kinds=KINDS, bounds=lambda source: (0.0, float(source.n_objects)),
    properties=(*claims("symmetric", "metric", "relabelling-invariant", p=(1, 2)),
                Claim(name="metric", options={"weights": ("mass",)},
                      condition='also weights="mass"')),
    cost="O(n r s + transport of r by s)", source="Zhou, Li, Zha (2005)",
    r=(_MALLOWS.format(""), RCall(_MALLOWS.format(", p = 2"), {"p": 2})),
    in_compare=False,
    from_sums={"p": (1, 2)},
    limits=only_soft(NoLimits(reason=OF_CLASSES), LogScale(
        degree=lambda options: 1.0 / options.get("p", 1), in_groups=("fuzzy",))),
    answers=(Answer("metric", 3, "moves weighted clusters; clusters need not be equal in number"),),
)
def mallows_distance(x: SourceLike, y: ClusteringLike | None = None, *, p: float = 1,
                     weights: Literal["uniform", "mass"] | tuple[ArrayLike, ArrayLike] = "uniform"
                     ) -> float:
    r"""Smallest cost of moving the weighted clusters of x onto those of y (Mallows, Wasserstein).

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings of the same n >= 2 objects with r and s clusters; or a `Joint` as
        x and no y.
    p : float, optional
        At least 1: the cost of moving cluster k onto l is sum_i |u_ik - v_il|^p.
    weights : {"uniform", "mass"} or pair of arrays of shape (r,) and (s,), optional
        Weights of the clusters: all equal, shares of the objects, or given (>= 0, sum 1).

    Returns
    -------
    float
        (min over plans W of sum_kl W_kl sum_i |u_ik - v_il|^p)^(1/p), W >= 0 with the weights as
        row and column sums: from 0 (exactly when the weighted sets of membership columns are
        equal) to n^(1/p). Never undefined. Empty clusters count with ``"uniform"``.

    Raises
    ------
    ClusteringError
        If a side is rough, possibilistic or evidential, p is below 1, weights are not as
        described, or r s exceeds 2^20.
    ValueError
        If `weights` is an unknown word.

    See Also
    --------
    euclidean_membership_distance
    manhattan_membership_distance

    Notes
    -----
    .. math:: \left( \min_W \sum_{kl} W_{kl} \sum_i | u_{ik} - v_{il} |^p \right)^{1/p}

    A metric up to the order of clusters. Time O(n r s) plus a transport problem; equal numbers of
    clusters with equal weights need one assignment. R: ``clue::cl_dissimilarity(x, y, method =
    "Mallows", p = p, alpha = , beta = )`` with these weights; clue's default weights are 1, and it
    adds empty clusters to the narrower side.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    D. Zhou, J. Li, H. Zha (2005), A new Mallows distance based metric for comparing clusterings,
    ICML, 1028-1035.

    Examples
    --------
    >>> import softclust
    >>> softclust.mallows_distance([0, 0, 1, 1], [[0.5, 0.5], [1, 0], [0, 1], [0, 1]])
    0.5
    """
    return value_of(mallows_distance, x, y, p=p, weights=weights)


def _weights(source: Source, weights: Any) -> tuple[np.ndarray, np.ndarray]:
    sizes = source.n_clusters
    if sizes[0] * sizes[1] > MAX_CELLS:
        raise ClusteringError(f"{sizes[0]} by {sizes[1]} clusters are more than the {MAX_CELLS} "
                              "pairs allowed; leave out empty clusters")
    if isinstance(weights, str):
        check_choice("weights", weights, ("uniform", "mass"))
        if weights == "uniform":
            return np.full(sizes[0], 1.0 / sizes[0]), np.full(sizes[1], 1.0 / sizes[1])
        if source.both_hard:
            c = source.statistic(Contingency)
            return c.a / c.n, c.b / c.n
        first, second = source.statistic(MembershipMoments).totals
        return first / math.fsum(first), second / math.fsum(second)
    try:
        of_x, of_y = weights
    except (TypeError, ValueError):
        raise ClusteringError('weights must be "uniform", "mass" or two arrays, the weights of '
                              "the clusters of x and of y") from None
    shares = []
    for name, values, size in (("x", of_x, sizes[0]), ("y", of_y, sizes[1])):
        w = _positive(f"weights of {name}", values, size, zero=True)
        if abs(math.fsum(w) - 1.0) > ROW_SUM_TOLERANCE:
            raise ClusteringError(f"weights of {name} sum to {math.fsum(w)}; weights with sum 1 "
                                  "are needed: divide them by their sum")
        # What is left within the tolerance, so that both sums are equal.
        shares.append(w / math.fsum(w))
    return shares[0], shares[1]


def _positive(what: str, weights: Any, size: int, *, zero: bool) -> np.ndarray:
    try:
        values = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError(f"{what} cannot be read as numbers") from None
    if values.shape != (size,):
        raise ClusteringError(f"{what} have shape {values.shape}; one number for each of the "
                              f"{size} clusters is needed")
    if not (np.isfinite(values) & ((values >= 0.0) if zero else (values > 0.0))).all():
        raise ClusteringError(f"{what} must be finite and {'>= 0' if zero else '> 0'}")
    return values


def _costs(source: Source, power: float) -> np.ndarray:
    """sum_i |u_ik - v_il|^p, (r, s)."""
    if source.both_hard:
        c = source.statistic(Contingency)
        return (c.a[:, None] + c.b[None, :] - 2 * c.dense()).astype(np.float64)
    if source.sums is not None and power in (1.0, 2.0):
        return source.sums.gaps if power == 1.0 else source.sums.squared_gaps
    u, v = (side.dense() for side in sides(source))
    cost = np.empty((u.shape[1], v.shape[1]))
    for k in range(u.shape[1]):
        gaps = np.abs(u[:, k, None] - v)
        cost[k] = (gaps if power == 1.0 else gaps ** power).sum(axis=0)
    return cost


def cssd_dissimilarity(x: ClusteringLike, y: ClusteringLike | None = None, *,
                       x_prototypes: ArrayLike | None = None, y_prototypes: ArrayLike | None = None,
                       distances: ArrayLike | None = None, x_weights: ArrayLike | None = None,
                       y_weights: ArrayLike | None = None,
                       metric: Literal["euclidean", "squared_euclidean", "manhattan"] = "euclidean"
                       ) -> float:
    r"""Cluster similarity sensitive distance: shared objects cost the distance of the prototypes.

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings of the same n >= 2 objects with r and s clusters; or a `Joint` as
        x and no y.
    x_prototypes, y_prototypes : array-like, shapes (r, q) and (s, q), optional
        Prototypes of the clusters, such as centres.
    distances : array-like, shape (r, s), optional
        Distances >= 0 between the prototypes, instead of the prototypes themselves.
    x_weights, y_weights : array-like, shapes (r,) and (s,), optional
        Weights > 0 of the clusters with equal sums; 1 each by default, which needs r = s.
    metric : {"euclidean", "squared_euclidean", "manhattan"}, optional
        Distance of prototypes.

    Returns
    -------
    float
        sum L - 2 max_W sum_kl W_kl L_kl / (alpha_k + beta_l) with L_kl = d_kl sum_i u_ik v_il, W
        a plan from the weights alpha to the weights beta. Not reflexive for fuzzy clusterings.

    Raises
    ------
    ClusteringError
        If a side is rough, possibilistic or evidential, or prototypes, distances or weights are
        not as described.
    ValueError
        If `metric` is not known.

    See Also
    --------
    mallows_distance, gordon_vichi_dissimilarity

    Notes
    -----
    .. math::

        \sum_{kl} L_{kl} - 2 \max_W \sum_{kl} \frac{W_{kl} L_{kl}}{\alpha_k + \beta_l},
        \quad L_{kl} = d_{kl} \sum_i u_{ik} v_{il}

    Time O(n r s) plus a transport problem of r by s. R: ``clue::cl_dissimilarity(x, y, method =
    "CSSD", L = distances, alpha = x_weights, beta = y_weights)``, which adds empty clusters for
    unequal numbers. Not registered, because it needs more than two clusterings.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    D. Zhou, J. Li, H. Zha (2005), A new Mallows distance based metric for comparing clusterings,
    ICML, 1028-1035.

    Examples
    --------
    >>> import softclust
    >>> centres = [[0.0], [4.0]]
    >>> softclust.cssd_dissimilarity([0, 0, 1], [0, 1, 1], x_prototypes=centres,
    ...                              y_prototypes=centres)
    0.0
    """
    joint = as_joint(x, y)
    get_measure("mallows_distance").check_kinds(joint)
    r, s = joint.n_clusters
    if x_weights is None and y_weights is None and r != s:
        raise ClusteringError(f"x has {r} and y has {s} clusters; give x_weights and y_weights "
                              "with equal sums")
    alpha = (np.ones(r) if x_weights is None
             else _positive("x_weights", x_weights, r, zero=False))
    beta = (np.ones(s) if y_weights is None
            else _positive("y_weights", y_weights, s, zero=False))
    if abs(alpha.sum() - beta.sum()) > ROW_SUM_TOLERANCE * alpha.sum():
        raise ClusteringError(f"x_weights sum to {alpha.sum():g} and y_weights to "
                              f"{beta.sum():g}; equal sums are needed")
    shared = cross(*sides(joint)) * _prototype_distances(
        x_prototypes, y_prototypes, distances, metric, (r, s))
    gains = shared / (alpha[:, None] + beta[None, :])
    plan = cheapest_plan(-gains, alpha, beta * (alpha.sum() / beta.sum()))
    return float(shared.sum() - 2.0 * (plan * gains).sum())


def _prototype_distances(first: Any, second: Any, distances: Any, metric: str,
                         shape: tuple[int, int]) -> np.ndarray:
    check_choice("metric", metric, _METRICS)
    if (distances is None) == (first is None and second is None):
        raise ClusteringError("give either x_prototypes and y_prototypes, or distances")
    if distances is None:
        from scipy.spatial.distance import cdist
        tables = []
        for name, prototypes, size in (("x", first, shape[0]), ("y", second, shape[1])):
            table = np.asarray([] if prototypes is None else prototypes, dtype=np.float64)
            if table.ndim != 2 or table.shape[0] != size:
                raise ClusteringError(f"{name}_prototypes has shape {table.shape}; one row for "
                                      f"each of the {size} clusters of {name} is needed")
            tables.append(table)
        if tables[0].shape[1] != tables[1].shape[1]:
            raise ClusteringError(f"x_prototypes has {tables[0].shape[1]} columns and "
                                  f"y_prototypes {tables[1].shape[1]}; equal numbers are needed")
        values = cdist(tables[0], tables[1], metric=_METRICS[metric])
    else:
        values = np.asarray(distances, dtype=np.float64)
    if values.shape != shape or not (np.isfinite(values) & (values >= 0.0)).all():
        raise ClusteringError(f"distances of prototypes have shape {values.shape}; finite numbers "
                              f">= 0 of shape {shape} are needed")
    return np.asarray(values)
