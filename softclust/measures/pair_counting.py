"""Pair-counting indices of two hard clusterings.

All are quotients of the exact pair counts. The formulas and the names of their authors:
L. Hubert and P. Arabie (1985), Comparing partitions, Journal of Classification 2, 193-218.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .._checks import warn_undefined
from .._joint import Joint, as_joint
from ._registry import measure

if TYPE_CHECKING:
    from .._records import PairCounts

_COST = "O(n + r s)"


def pair_counts(x: Any, y: Any = None) -> PairCounts:
    """Pairs of objects by whether each clustering joins them.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    PairCounts
        n11 (together in both), n10 (in x only), n01 (in y only), n00 (apart in both): Python
        integers, exact for any n, with sum n(n-1)/2.

    Raises
    ------
    ClusteringError
        If a side is not hard, or the objects differ.

    Notes
    -----
    From the contingency table, n11 = (sum of squared counts - n)/2 and so on: time O(n + r s)
    for r and s clusters while r s <= 4n, else O(n log n); memory O(n).

    Examples
    --------
    >>> import softclust as sc
    >>> sc.pair_counts([0, 0, 1, 1], [0, 0, 1, 2])
    PairCounts(n11=1, n10=1, n01=0, n00=4)
    """
    return as_joint(x, y).contingency.pair_counts()


def _expected_n11(p: PairCounts) -> float:
    """Mean of n11 when the objects of y are permuted at random."""
    return (p.n11 + p.n10) * (p.n11 + p.n01) / p.n_pairs


def _rand_chance(joint: Joint) -> float:
    p = joint.contingency.pair_counts()
    joined = 2 * p.n11 + p.n10 + p.n01
    return (p.n_pairs - joined + 2 * _expected_n11(p)) / p.n_pairs


def _adjusted_chance(joint: Joint) -> float:
    """0; but 1 where all permutations are equal partitions."""
    p = joint.contingency.pair_counts()
    trivial = p.n11 + p.n10 in (0, p.n_pairs)
    return 1.0 if trivial and p.n10 == p.n01 == 0 else 0.0


def _fowlkes_mallows_chance(joint: Joint) -> float:
    p = joint.contingency.pair_counts()
    if p.n11 + p.n10 == 0 or p.n11 + p.n01 == 0:
        return 1.0 if p.n10 == p.n01 == 0 else math.nan
    return math.sqrt((p.n11 + p.n10) * (p.n11 + p.n01)) / p.n_pairs


@measure(
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "metric", "relabelling-invariant"), cost=_COST,
    source="Rand (1971)", r="clue::cl_agreement(x, y, method = 'Rand')", chance=_rand_chance,
)
def rand_index(x: Any, y: Any = None) -> float:
    """Share of the pairs of objects that both clusterings join or both separate.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        (n11 + n00) / (n(n-1)/2), from 0 (one cluster against all singletons) to 1 (exactly for
        equal partitions). Never undefined.

    Raises
    ------
    ClusteringError
        If a side is not hard, or the objects differ.

    Notes
    -----
    1 - Rand is a metric. Time O(n + r s). R: ``clue::cl_agreement(x, y, method = "Rand")``.

    References
    ----------
    W. M. Rand (1971), Objective criteria for the evaluation of clustering methods, Journal of
    the American Statistical Association 66, 846-850.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.rand_index([0, 0, 1, 1], [0, 0, 1, 2])
    0.8333333333333334
    """
    p = pair_counts(x, y)
    return (p.n11 + p.n00) / p.n_pairs


@measure(
    sense="agreement", kinds=("hard",), bounds=(-0.5, 1.0),
    properties=("symmetric", "reflexive", "separating", "chance-corrected",
                "relabelling-invariant"),
    cost=_COST, source="Hubert and Arabie (1985)",
    r="clue::cl_agreement(x, y, method = 'cRand')", chance=_adjusted_chance,
)
def adjusted_rand_index(x: Any, y: Any = None) -> float:
    """Rand index corrected for chance: 0 on average for random, 1 for equal partitions.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        From -1/2 to 1; 1 exactly for equal partitions, also where the quotient is 0/0 (both one
        cluster, or both all singletons). Never undefined.

    Raises
    ------
    ClusteringError
        If a side is not hard, or the objects differ.

    Notes
    -----
    2 (n11 n00 - n10 n01) / ((n11 + n10)(n10 + n00) + (n11 + n01)(n01 + n00)), one division of
    exact integers. Time O(n + r s). R: ``clue::cl_agreement(x, y, method = "cRand")`` (NaN there
    for 0/0), ``mclust::adjustedRandIndex``.

    References
    ----------
    L. Hubert and P. Arabie (1985), Comparing partitions, Journal of Classification 2, 193-218.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.adjusted_rand_index([0, 0, 1, 1], [0, 0, 1, 2])
    0.5714285714285714
    """
    return adjusted_rand_of_counts(pair_counts(x, y))


def adjusted_rand_of_counts(p: PairCounts) -> float:
    """The adjusted Rand index from pair counts."""
    if p.n10 == p.n01 == 0:
        return 1.0
    return (2 * (p.n11 * p.n00 - p.n10 * p.n01)
            / ((p.n11 + p.n10) * (p.n10 + p.n00) + (p.n11 + p.n01) * (p.n01 + p.n00)))


@measure(
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "metric", "relabelling-invariant"), cost=_COST,
    source="Jaccard (1901), on pairs of objects",
    r="clue::cl_agreement(x, y, method = 'Jaccard')",
)
def jaccard_index(x: Any, y: Any = None) -> float:
    """Share of the pairs joined by at least one clustering that both join.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        n11 / (n11 + n10 + n01), from 0 to 1; 1 exactly for equal partitions, also where it is
        0/0 (both all singletons). Never undefined.

    Raises
    ------
    ClusteringError
        If a side is not hard, or the objects differ.

    Notes
    -----
    1 - Jaccard is a metric. Time O(n + r s). R: ``clue::cl_agreement(x, y, method =
    "Jaccard")`` (NaN there for 0/0).

    Examples
    --------
    >>> import softclust as sc
    >>> sc.jaccard_index([0, 0, 1, 1], [0, 0, 1, 2])
    0.5
    """
    p = pair_counts(x, y)
    if p.n10 == p.n01 == 0:
        return 1.0
    return p.n11 / (p.n11 + p.n10 + p.n01)


@measure(
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "reflexive", "separating", "relabelling-invariant"), cost=_COST,
    source="Fowlkes and Mallows (1983)", r="clue::cl_agreement(x, y, method = 'FM')",
    chance=_fowlkes_mallows_chance,
)
def fowlkes_mallows_index(x: Any, y: Any = None) -> float:
    """Geometric mean of the shares of joined pairs of x and of y that the other joins too.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        n11 / sqrt((n11 + n10)(n11 + n01)), from 0 to 1; 1 exactly for equal partitions, also
        where it is 0/0. Undefined, nan with a warning, when only one side is all singletons.

    Raises
    ------
    ClusteringError
        If a side is not hard, or the objects differ.

    Notes
    -----
    1 - FM is not a metric: the triangle inequality fails for (0, 0, 1), (0, 0, 0), (0, 1, 0).
    Time O(n + r s). R: ``clue::cl_agreement(x, y, method = "FM")`` (NaN there for 0/0).

    References
    ----------
    E. B. Fowlkes and C. L. Mallows (1983), A method for comparing two hierarchical clusterings,
    Journal of the American Statistical Association 78, 553-569.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.fowlkes_mallows_index([0, 0, 1, 1], [0, 0, 1, 2])
    0.7071067811865475
    """
    p = pair_counts(x, y)
    if p.n10 == p.n01 == 0:
        return 1.0
    for name, joined in (("x", p.n11 + p.n10), ("y", p.n11 + p.n01)):
        if joined == 0:
            return warn_undefined("fowlkes_mallows_index", f"no pair of objects is together in "
                                  f"{name} (0/0)")
    return p.n11 / math.sqrt((p.n11 + p.n10) * (p.n11 + p.n01))
