"""Frobenius indices of membership matrices (Andrews, Browne, Hvingelby 2022)."""

from __future__ import annotations

import math
from typing import Any

from .._checks import warn_undefined
from ..statistics.base import Source
from ..statistics.moments import FrobeniusMoments, MembershipMoments, frobenius_moments
from ..statistics.pair import Pair
from ..statistics.pair_counts import PairCounts
from ._memberships import WHERE_DEFINED, ZERO, unless_both_hard
from ._pair_quotients import adjusted_rand, rand
from ._registry import Claim, measure, value_of
from .pair_counting import rand_chance

KINDS = ("hard", "fuzzy", "possibilistic")
_SOURCE = "Andrews, Browne, Hvingelby 2022"
_COST = "O(n (r + s)^2)"


def _moments(source: Source) -> FrobeniusMoments:
    return frobenius_moments(source.statistic(MembershipMoments))


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


def _chance(source: Source) -> float:
    if source.both_hard:
        return rand_chance(source)
    m = _moments(source)
    return _rand(m, m.expected)


def _frobenius_rand(source: Source) -> float:
    if source.both_hard:
        agreeing, pairs = rand(source.statistic(PairCounts))
        return agreeing / pairs
    m = _moments(source)
    value = _rand(m, m.cross)
    if math.isnan(value):
        return warn_undefined("frobenius_rand_index", "all memberships of a side are 0 (0/0)")
    return value


@measure(
    Pair, _frobenius_rand,
    sense="agreement", kinds=KINDS, bounds=(None, 1.0),
    properties=("symmetric", "reflexive", "relabelling-invariant",
                Claim(name="reduces-to", target="rand_index")),
    cost=_COST, source=_SOURCE, r="FARI::fari(x_membership, y_membership)$fri",
    in_compare=False, chance=_chance,
    from_sums={},
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
    return value_of(frobenius_rand_index, x, y)


def _frobenius_adjusted_rand(source: Source) -> float:
    name = "frobenius_adjusted_rand_index"
    if source.both_hard:
        over, under = adjusted_rand(source.statistic(PairCounts))
        return over / under if under else warn_undefined(name, "both are constant (0/0)")
    m = _moments(source)
    scale, whole = _parts(m)
    if math.isnan(whole):
        return warn_undefined(name, "all memberships of a side are 0 (0/0)")
    under = whole - scale * m.expected
    # relative to its terms, of order n^2
    if abs(under) <= ZERO * max(1.0, whole):
        return warn_undefined(name, "the co-memberships of both sides are constant (0/0)")
    return min(scale * (m.cross - m.expected) / under, 1.0)


@measure(
    Pair, _frobenius_adjusted_rand,
    sense="agreement", kinds=KINDS, bounds=(None, 1.0),
    properties=("symmetric", "reflexive", "chance-corrected", "relabelling-invariant",
                Claim(name="reduces-to", target="adjusted_rand_index", condition=WHERE_DEFINED)),
    cost=_COST, source=_SOURCE, r="FARI::fari(x_membership, y_membership)$fari",
    in_compare=unless_both_hard, chance=lambda source: 0.0,
    from_sums={},
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
    return value_of(frobenius_adjusted_rand_index, x, y)
