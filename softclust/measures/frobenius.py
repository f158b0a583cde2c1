"""Frobenius indices of membership matrices (Andrews, Browne, Hvingelby 2022)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .._checks import warn_undefined
from .._joint import Joint, as_joint
from ._memberships import (
    WHERE_DEFINED,
    ZERO,
    both_hard,
    check_kinds,
    sides,
    unless_both_hard,
)
from ._pair_quotients import adjusted_rand, rand
from ._registry import Claim, measure

if TYPE_CHECKING:
    from ..statistics.moments import FrobeniusMoments

KINDS = ("hard", "fuzzy", "possibilistic")
_SOURCE = "Andrews, Browne, Hvingelby 2022"
_COST = "O(n (r + s)^2)"


def _moments(joint: Joint) -> FrobeniusMoments:
    from ..statistics.moments import frobenius_moments
    return joint.kept("frobenius", lambda: frobenius_moments(*sides(joint)))


def _parts(m: FrobeniusMoments) -> tuple[float, float]:
    """(2 kappa, SA^2/qA + SB^2/qB); nan when a side has no memberships at all."""
    if m.own_x == 0.0 or m.own_y == 0.0:
        return math.nan, math.nan
    return (2.0 * (m.sum_x / m.own_x) * (m.sum_y / m.own_y),
            m.sum_x * (m.sum_x / m.own_x) + m.sum_y * (m.sum_y / m.own_y))


def _rand(m: FrobeniusMoments, product: float) -> float:
    scale, whole = _parts(m)
    pairs = m.n * (m.n - 1)
    return (scale * product - whole + pairs) / pairs


def _chance(joint: Joint) -> float:
    if both_hard(joint):
        from .pair_counting import _rand_chance
        return _rand_chance(joint)
    m = _moments(joint)
    return _rand(m, m.expected)


@measure(
    sense="agreement", kinds=KINDS, bounds=(None, 1.0),
    properties=("symmetric", "reflexive", "relabelling-invariant",
                Claim(name="reduces-to", target="rand_index")),
    cost=_COST, source=_SOURCE, r="FARI::fari(x_membership, y_membership)$fri",
    in_compare=False, chance=_chance,
)
def frobenius_rand_index(x: Any, y: Any = None) -> float:
    """Rand index of memberships from the distance of their scaled co-membership matrices.

    Parameters
    ----------
    x, y : clustering-like
        Hard, fuzzy or possibilistic clusterings of the same n >= 2 objects; or x a `Joint` and
        no y.

    Returns
    -------
    float
        At most 1; it can be negative. 1 exactly when the scaled matrices are equal, which
        different memberships can have: all rows (1/2, 1/2) against all rows (0, 1). nan, with a
        warning, when all typicalities of a side are 0.

    Raises
    ------
    ClusteringError
        If a side is rough or evidential.

    Notes
    -----
    1 - ||(SA/qA) UU' - (SB/qB) VV'||^2 / (n(n-1)), SA the sum of UU', qA its squared Frobenius
    norm. Computed from U'U, U'V and V'V in O(n (r + s)^2); the n x n matrices are never built.
    1 - index breaks the triangle inequality. R: ``FARI::fari``.

    References
    ----------
    J. L. Andrews, R. Browne, C. D. Hvingelby (2022), On assessments of agreement between fuzzy
    partitions, Journal of Classification, doi 10.1007/s00357-021-09407-3.

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(sc.frobenius_rand_index([0, 0, 1], x), 4)
    0.6963
    """
    joint = as_joint(x, y)
    check_kinds(joint, KINDS)
    if both_hard(joint):
        agreeing, pairs = rand(joint.contingency.pair_counts())
        return agreeing / pairs
    m = _moments(joint)
    value = _rand(m, m.cross)
    if math.isnan(value):
        return warn_undefined("frobenius_rand_index", "all memberships of a side are 0 (0/0)")
    return value


@measure(
    sense="agreement", kinds=KINDS, bounds=(None, 1.0),
    properties=("symmetric", "reflexive", "chance-corrected", "relabelling-invariant",
                Claim(name="reduces-to", target="adjusted_rand_index", condition=WHERE_DEFINED)),
    cost=_COST, source=_SOURCE, r="FARI::fari(x_membership, y_membership)$fari",
    in_compare=unless_both_hard, chance=lambda joint: 0.0,
)
def frobenius_adjusted_rand_index(x: Any, y: Any = None) -> float:
    """Frobenius Rand index corrected for chance (FARI), exactly.

    Parameters
    ----------
    x, y : clustering-like
        Hard, fuzzy or possibilistic clusterings of the same n >= 2 objects; or x a `Joint` and
        no y.

    Returns
    -------
    float
        1 for equal memberships, 0 on average over random permutations of the objects; at most
        1, values near -1 occur. nan, with a warning, when both sides are constant (0/0); 0 when
        one is.

    Raises
    ------
    ClusteringError
        If a side is rough or evidential.

    Notes
    -----
    (FRI - E)/(1 - E) = 2 kappa (P - E[P]) / (SA^2/qA + SB^2/qB - 2 kappa E[P]), P = ||U'V||^2,
    kappa = SA SB/(qA qB); E[P] in closed form, so nothing is permuted. Time O(n (r + s)^2). R:
    ``FARI::fari``.

    References
    ----------
    J. L. Andrews, R. Browne, C. D. Hvingelby (2022), On assessments of agreement between fuzzy
    partitions, Journal of Classification, doi 10.1007/s00357-021-09407-3.

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(sc.frobenius_adjusted_rand_index([0, 0, 1], x), 4)
    0.365
    """
    name = "frobenius_adjusted_rand_index"
    joint = as_joint(x, y)
    check_kinds(joint, KINDS)
    if both_hard(joint):
        over, under = adjusted_rand(joint.contingency.pair_counts())
        return over / under if under else warn_undefined(name, "both are constant (0/0)")
    m = _moments(joint)
    scale, whole = _parts(m)
    if math.isnan(whole):
        return warn_undefined(name, "all memberships of a side are 0 (0/0)")
    under = whole - scale * m.expected
    # relative to its terms, of order n^2
    if abs(under) <= ZERO * max(1.0, whole):
        return warn_undefined(name, "the co-memberships of both sides are constant (0/0)")
    return min(scale * (m.cross - m.expected) / under, 1.0)
