"""Co-membership matrices (Frobenius).

Frobenius indices of membership matrices (Andrews, Browne, Hvingelby 2022).
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from .._checks import warn_undefined
from .._types import ClusteringLike, SourceLike
from ..measures import Answer, Claim, measure, value_of
from ..measures.limit_rules import PLAIN
from ..measures.statistic import Source
from ..memberships.joint_table import WHERE_DEFINED, ZERO, zero_where_defined
from ..tables.pair_counts import PairCounts, adjusted_rand, rand
from ..tables.quotient import quotient
from .moments import FrobeniusMoments

KINDS = ("hard", "fuzzy", "possibilistic")


_frobenius = functools.partial(
    measure, FrobeniusMoments, limits=PLAIN, sense="agreement", kinds=KINDS, bounds=(None, 1.0),
    cost="O(n (r + s)^2)", source="Andrews, Browne, Hvingelby 2022", from_sums={})


def _parts(m: FrobeniusMoments) -> tuple[Any, Any]:
    """(2 kappa, SA^2/qA + SB^2/qB); nan when a side has no memberships at all."""
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = np.divide(m.sum_x, m.own_x), np.divide(m.sum_y, m.own_y)
    defined = (np.asarray(m.own_x) != 0.0) & (np.asarray(m.own_y) != 0.0)
    return (np.where(defined, 2.0 * x * y, np.nan),
            np.where(defined, m.sum_x * x + m.sum_y * y, np.nan))


def _rand(m: FrobeniusMoments, product: Any) -> Any:
    scale, whole = _parts(m)
    pairs = m.n * (m.n - 1)
    return (scale * product - whole + pairs) / pairs


def _chance(source: Source) -> float:
    if source.both_hard:
        over, under = rand(source.statistic(PairCounts).permuted())
        return float(over / under)
    m = source.statistic(FrobeniusMoments)
    return float(_rand(m, m.expected))


_NOTHING = "all memberships of a side are 0 (0/0)"


def _frobenius_rand(m: FrobeniusMoments) -> Any:
    if m.counts is not None:
        agreeing, pairs = rand(m.counts)
        return agreeing / pairs
    value = _rand(m, m.cross)
    if np.ndim(m.cross):
        return value
    return (warn_undefined("frobenius_rand_index", _NOTHING) if math.isnan(value)
            else float(value))


@_frobenius(
    _frobenius_rand,
    properties=("symmetric", "reflexive", "relabelling-invariant",
                Claim(name="reduces-to", target="rand_index")),
    r="FARI::fari(x_membership, y_membership)$fri",
    in_compare=False, chance=_chance,
    abbreviations=("FRI",),
)
def frobenius_rand_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Rand index of memberships from the distance of their scaled co-membership matrices.

    Returns
    -------
    float
        At most 1; it can be negative. 1 exactly when the scaled matrices are equal, which
        different memberships can have: all rows (1/2, 1/2) against all rows (0, 1). nan, with a
        warning, when all typicalities of a side are 0.

    See Also
    --------
    frobenius_adjusted_rand_index
    concordance_index

    Notes
    -----
    .. math::

        1 - \frac{1}{n(n-1)} \left\| \frac{S_U}{q_U} UU' - \frac{S_V}{q_V} VV' \right\|_F^2, \quad
        S_U = \sum UU', \quad q_U = \| UU' \|_F^2

    S_U is the sum of the entries of UU' and q_U its squared Frobenius norm; S_V and q_V are those
    of VV'. Computed from U'U, U'V and V'V in O(n (r + s)^2); the n x n matrices are never built. 1
    - index violates the triangle inequality. R: ``FARI::fari``.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    J. L. Andrews, R. Browne, C. D. Hvingelby (2022), On assessments of agreement between fuzzy
    partitions, Journal of Classification, doi 10.1007/s00357-021-09407-3.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.frobenius_rand_index([0, 0, 1], x), 4)
    0.6963
    """
    return value_of(frobenius_rand_index, x, y)


def _frobenius_adjusted_rand(m: FrobeniusMoments) -> Any:
    name = "frobenius_adjusted_rand_index"
    if m.counts is not None:
        over, under = adjusted_rand(m.counts)
        return quotient(over, under, name=name, reason="both are constant (0/0)")
    scale, whole = _parts(m)
    under = whole - scale * m.expected
    # relative to its terms, of order n^2
    constant = np.abs(under) <= ZERO * np.maximum(1.0, whole)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.minimum(scale * (m.cross - m.expected) / under, 1.0)
    if np.ndim(m.cross):
        return np.where(constant, np.nan, value)
    if math.isnan(whole):
        return warn_undefined(name, _NOTHING)
    if constant:
        return warn_undefined(name, "the co-memberships of both sides are constant (0/0)")
    return float(value)


@_frobenius(
    _frobenius_adjusted_rand,
    properties=("symmetric", "reflexive", "chance-corrected", "relabelling-invariant",
                Claim(name="reduces-to", target="adjusted_rand_index", condition=WHERE_DEFINED)),
    r="FARI::fari(x_membership, y_membership)$fari",
    listed_for="soft",
    chance=zero_where_defined(FrobeniusMoments, _frobenius_adjusted_rand),
    abbreviations=("FARI",),
    answers=(Answer("corrected", 3, "one pass over the objects; 1 for equal memberships"),
             Answer("fast", 2, "no pairs are visited")),
    place=3,
)
def frobenius_adjusted_rand_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Frobenius Rand index corrected for chance (FARI), exactly.

    Returns
    -------
    float
        1 for equal memberships, 0 on average over random permutations of the objects; at most
        1, values near -1 occur. nan, with a warning, when both sides are constant (0/0); 0 when
        one is.

    See Also
    --------
    frobenius_rand_index
    adjusted_concordance_index
    adjusted_rand_index

    Notes
    -----
    .. math:: \frac{S - E}{1 - E}

    with E the mean of the index S over all permutations of the objects.

    S is `frobenius_rand_index`; E has a closed form, so no permutations are needed. Time O(n (r +
    s)^2). R: ``FARI::fari``.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    J. L. Andrews, R. Browne, C. D. Hvingelby (2022), On assessments of agreement between fuzzy
    partitions, Journal of Classification, doi 10.1007/s00357-021-09407-3.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.frobenius_adjusted_rand_index([0, 0, 1], x), 4)
    0.365
    """
    return value_of(frobenius_adjusted_rand_index, x, y)
