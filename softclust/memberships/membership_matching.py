"""Matched columns of memberships.

Distances between membership matrices whose columns are matched one to one (clue's).
"""

from __future__ import annotations

import functools
import math
from typing import Any

from .._types import ClusteringLike, SourceLike
from ..measures import Answer, Claim, Shares, Word, measure, value_of
from ..measures import limit_rules as rules
from ..tables.quotient import root
from .matched_columns import MatchedColumns

KINDS = ("hard", "fuzzy")
_COST = "O(n r s + c^3)"

_matched = functools.partial(
    measure, MatchedColumns, sense="agreement", kinds=KINDS, bounds=(0.0, 1.0), cost=_COST,
    properties=("symmetric", "metric", "relabelling-invariant"),
    source="Hornik 2005, A CLUE for CLUster Ensembles", by_object=True, in_compare=False,
    limits=rules.only_soft(rules.Share(choice="matching"), rules.matched()), from_sums={})


def _euclidean(m: MatchedColumns) -> Any:
    return root(m.squared)


@_matched(
    _euclidean, sense="dissimilarity", bounds=lambda source: (0.0, math.sqrt(2 * source.n_objects)),
    r="clue::cl_dissimilarity(x, y, method = 'euclidean')",
    limits=rules.only_soft(rules.Share(
        choice="matching", value=lambda p, source: math.sqrt(2.0 * source.n_objects * (1.0 - p))),
        rules.matched(0.5)),
)
def euclidean_membership_distance(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Euclidean distance of the membership matrices with optimally matched columns.

    Returns
    -------
    float
        min over column orders P of ||U - V P||_F, in [0, sqrt(2 n)]; the narrower matrix gets
        zero columns. 0 exactly for equal clusterings. sqrt(2 * objects to move) for hard ones.

    See Also
    --------
    euclidean_membership_index
    manhattan_membership_distance

    Notes
    -----
    .. math:: \min_P \| U - V P \|_F

    with membership matrices U and V, and P the best order of the columns.

    A metric. One assignment of columns; never n x n. R:
    ``clue::cl_dissimilarity(x, y, method = "euclidean")``, the default there.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust
    >>> softclust.euclidean_membership_distance([0, 0, 1, 1], [1, 1, 0, 2])
    1.4142135623730951
    """
    return value_of(euclidean_membership_distance, x, y)


@_matched(
    lambda m: 1.0 - _euclidean(m) / math.sqrt(2 * m.n_objects),
    cost="as euclidean_membership_distance", in_compare=True,
    r="clue::cl_agreement(x, y, method = 'euclidean')", limits=rules.only_soft(rules.Share(
        choice="matching", value=lambda p, source: 1.0 - math.sqrt(1.0 - p)), rules.matched()),
)
def euclidean_membership_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Euclidean agreement of memberships: 1 - distance / largest distance.

    Returns
    -------
    float
        1 - d / sqrt(2 n), in [0, 1]; 1 exactly for equal clusterings.

    See Also
    --------
    euclidean_membership_distance
    matched_cosine_index

    Notes
    -----
    .. math:: 1 - \frac{\min_P \| U - V P \|_F}{\sqrt{2 n}}

    with membership matrices U and V, and P the best order of the columns.

    R: ``clue::cl_agreement(x, y, method = "euclidean")``, the default there.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust
    >>> softclust.euclidean_membership_index([0, 0, 1, 1], [1, 1, 0, 2])
    0.5
    """
    return value_of(euclidean_membership_index, x, y)


@_matched(
    lambda m: m.absolute, sense="dissimilarity",
    bounds=lambda source: (0.0, 2.0 * source.n_objects),
    r=("clue::cl_dissimilarity(x, y, method = 'manhattan')",
       "clue::cl_dissimilarity(x, y, method = 'Mallows')"),
    limits=rules.only_soft(rules.Share(
        choice="matching", value=lambda p, source: 2.0 * source.n_objects * (1.0 - p)),
        rules.matched(1.0)),
    answers=(Answer("metric", 4, "differences of memberships, clusters matched"),),
)
def manhattan_membership_distance(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Sum of absolute differences of the memberships with optimally matched columns.

    Returns
    -------
    float
        min over column orders of sum |u_ik - v_ik|, in [0, 2 n]. 0 exactly for equal
        clusterings. Twice the number of objects to move for hard ones.

    See Also
    --------
    manhattan_membership_index
    euclidean_membership_distance

    Notes
    -----
    .. math:: \min_P \sum_{ik} | U - V P |_{ik}

    with membership matrices U and V, and P the best order of the columns.

    A metric. The best order of columns need not be the Euclidean one. R:
    ``clue::cl_dissimilarity(x, y, method = "manhattan")``; also its "Mallows" with defaults.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust
    >>> softclust.manhattan_membership_distance([0, 0, 1], [[1, 0], [.5, .5], [0, 1]])
    1.0
    """
    return value_of(manhattan_membership_distance, x, y)


@_matched(
    lambda m: 1.0 - m.absolute / (2 * m.n_objects), cost="as manhattan_membership_distance",
    r="clue::cl_agreement(x, y, method = 'manhattan')",
)
def manhattan_membership_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Manhattan agreement of memberships: 1 - distance / largest distance.

    Returns
    -------
    float
        1 - d / (2 n), in [0, 1]; 1 exactly for equal clusterings.

    See Also
    --------
    manhattan_membership_distance
    euclidean_membership_index

    Notes
    -----
    .. math:: 1 - \frac{1}{2 n} \min_P \sum_{ik} | U - V P |_{ik}

    with membership matrices U and V, and P the best order of the columns.

    R: ``clue::cl_agreement(x, y, method = "manhattan")``.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust
    >>> softclust.manhattan_membership_index([0, 0, 1], [[1, 0], [.5, .5], [0, 1]])
    0.8333333333333334
    """
    return value_of(manhattan_membership_index, x, y)


@_matched(
    lambda m: m.cosine, cost="as euclidean_membership_distance",
    properties=("symmetric", "reflexive", "separating", "relabelling-invariant"),
    r="clue::cl_agreement(x, y, method = 'angle')",
)
def matched_cosine_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Cosine of the angle between the membership matrices with matched columns.

    Returns
    -------
    float
        sum(U * V P) / sqrt(sum U^2 sum V^2), P of the Euclidean match, in [0, 1]; 1 exactly for
        equal clusterings.

    See Also
    --------
    euclidean_membership_index
    coclassification_index

    Notes
    -----
    .. math:: \frac{\sum_{ik} U_{ik} (V P)_{ik}}{\sqrt{\sum U^2 \sum V^2}}

    with membership matrices U and V, and P the best order of the columns.

    R: ``clue::cl_agreement(x, y, method = "angle")``.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust
    >>> softclust.matched_cosine_index([0, 0, 1, 1], [1, 1, 0, 2])
    0.75
    """
    return value_of(matched_cosine_index, x, y)


@_matched(
    lambda m: m.matched / m.n_objects, cost="as euclidean_membership_distance",
    properties=("symmetric", "relabelling-invariant",
                Claim(name="metric", kinds=("hard",), condition="hard clusterings")),
    r="clue::cl_agreement(x, y, method = 'diag')", weight_degree=0, linear="matched",
    words=(Word("clustering accuracy", "learning"),
           Word("ACC", "learning",
                note="balanced, chance removed: "
                     "adjusted_asymmetric_accuracy_index, where x is the truth"),
           Word("Meila-Heckerman", "networks")),
    shares=Shares("matching"),
)
def coclassification_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Mean probability that both clusterings put an object into matched clusters.

    Returns
    -------
    float
        sum(U * V P) / n, P of the Euclidean match, in [0, 1]. For hard clusterings 1 - the share
        of objects to move. Below 1 for a fuzzy clustering against itself.

    See Also
    --------
    matched_cosine_index
    normalized_accuracy_index

    Notes
    -----
    .. math:: \frac{1}{n} \sum_{ik} U_{ik} (V P)_{ik}

    with membership matrices U and V, and P the best order of the columns.

    R: ``clue::cl_agreement(x, y, method = "diag")``.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust
    >>> softclust.coclassification_index([0, 0, 1, 1], [1, 1, 0, 2])
    0.75
    """
    return value_of(coclassification_index, x, y)


@_matched(
    lambda m: root(m.comembership), sense="dissimilarity",
    bounds=lambda source: (0.0, float(source.n_objects)), by_object=False,
    properties=("symmetric", "pseudo-metric", "relabelling-invariant",
                Claim(name="metric", kinds=("hard",), condition="hard clusterings")),
    cost="O(n (r + s)^2)", r="clue::cl_dissimilarity(x, y, method = 'comemberships')",
    limits=rules.only_soft(rules.Like(
        measure="rand_distance", value=lambda d, source: math.sqrt(2.0 * source.n_pairs * d)),
        rules.LogScale(degree=lambda options: 1.0)),
)
def comembership_dissimilarity(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Euclidean distance of the n x n matrices of inner products of memberships.

    Returns
    -------
    float
        ||U U' - V V'||_F, in [0, n]. sqrt(2 * disagreeing pairs) for hard clusterings. Different
        fuzzy clusterings can be at distance 0.

    See Also
    --------
    frobenius_rand_index
    symmetric_difference_distance

    Notes
    -----
    .. math:: \| U U' - V V' \|_F

    Computed as sqrt(||U'U||^2 - 2 ||U'V||^2 + ||V'V||^2); the n x n matrices are never built. R:
    ``clue::cl_dissimilarity(x, y, method = "comemberships")``.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust
    >>> softclust.comembership_dissimilarity([0, 0, 1, 1], [1, 1, 0, 2])
    1.4142135623730951
    """
    return value_of(comembership_dissimilarity, x, y)


@_matched(
    lambda m: root(m.squared_disjoint), sense="dissimilarity",
    bounds=lambda source: (0.0, math.sqrt(2 * source.n_objects)),
    properties=("symmetric", "reflexive", "relabelling-invariant"),
    source="Gordon, Vichi 2001, model 1", r="clue::cl_dissimilarity(x, y, method = 'GV1')",
    limits=rules.only_soft(rules.NoLimits(reason=rules.OF_CLASSES), rules.matched(0.5)),
)
def gordon_vichi_dissimilarity(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Distance over disjoint pairs of clusters; clusters without a partner cost nothing.

    Parameters
    ----------
    x, y
        Empty clusters take no part.

    Returns
    -------
    float
        Square root of the least sum of ||u_k - v_l||^2 over min(r, s) disjoint pairs of clusters,
        in [0, sqrt(2 n)].

    See Also
    --------
    euclidean_membership_distance
    mallows_distance

    Notes
    -----
    .. math:: \sqrt{ \min_{\tau} \sum_k \| u_{\cdot k} - v_{\cdot \tau(k)} \|^2 }

    The triangle inequality fails: (0,0,0,0,0,1), (0,0,0,0,0,0), (0,0,0,1,1,0) give
    sqrt 6 > 1 + sqrt 2. R: ``clue::cl_dissimilarity(x, y, method = "GV1")``.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    A. D. Gordon, M. Vichi (2001), Fuzzy partition models for fitting a set of partitions,
    Psychometrika 66, 229-248.

    Examples
    --------
    >>> import softclust
    >>> softclust.gordon_vichi_dissimilarity([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0])
    1.0
    """
    return value_of(gordon_vichi_dissimilarity, x, y)
