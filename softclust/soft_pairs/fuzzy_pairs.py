"""Counts of pairs, fuzzy and rough clusterings.

Pair counts of fuzzy clusterings and the indices built on them.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from .._types import ClusteringLike, PairRelation, SourceLike, TConorm, TNorm
from ..measures import Answer, Claim, RCall, get_measure, measure, value_of
from ..measures.joint import as_source
from ..measures.limit_rules import PLAIN
from ..measures.record import claims
from ..measures.statistic import Source
from ..memberships.joint_table import (
    WHERE_DEFINED,
    ZERO,
    as_alpha_rand,
    zero_where_defined,
)
from ..tables import pair_counts as quotients
from ..tables.pair_counts import PairCounts
from ..tables.quotient import largest, quotient, root
from .fuzzy_pair_sums import RELATIONS, FuzzyPairCounts, SharedPairCounts

KINDS = ("hard", "fuzzy")
MORE_KINDS = {"relation": {"t_norm": ("possibilistic",)}}
_SOURCE = "Campello 2007; Frigui, Hwang, Rhee 2007; Brouwer 2009"
_COST = 'O(n r s); "t_norm" O(n^2 (r + s))'
_SHAPE = claims("symmetric", "relabelling-invariant", relation=RELATIONS)


def _reduces(target: str, condition: str = WHERE_DEFINED) -> tuple[Claim, ...]:
    return (Claim(name="reduces-to", target=target, options={"relation": RELATIONS},
                  condition=condition),)


def fuzzy_pair_counts(x: ClusteringLike, y: ClusteringLike | None = None, *,
                      relation: PairRelation = "product", t_norm: TNorm = "minimum",
                      t_conorm: TConorm = "maximum") -> PairCounts:
    r"""Fuzzy pair counts: sums of the degrees to which each clustering joins the pairs.

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings of the same n >= 2 objects, for `relation` "t_norm" also
        possibilistic ones; or a `Joint` as x and no y.
    relation : {"product", "cosine", "t_norm"}
        The degree to which i and j are together: the inner product of their memberships, its
        cosine, or S_k T(u_ik, u_jk). The degree to which they are apart: 1 minus that, or S_{k !=
        l} T(u_ik, u_jl).
    t_norm : {"minimum", "product", "lukasiewicz", "drastic"}
        T of `relation` "t_norm", also between the clusterings; the other relations multiply.
        lukasiewicz is max(0, a + b - 1); drastic is min(a, b) if one is 1, else 0.
    t_conorm : {"maximum", "bounded_sum", "probabilistic_sum", "drastic_sum"}
        S of `relation` "t_norm". bounded_sum is min(1, a + b); drastic_sum is max(a, b) if one is
        0, else 1. The dual of the minimum is the maximum, of the product the probabilistic sum, of
        lukasiewicz the bounded sum, of drastic the drastic sum.

    Returns
    -------
    PairCounts
        n11, n10, n01, n00 >= 0 as floats; Python integers for two hard clusterings. Their sum
        is n(n-1)/2 except for "t_norm".

    Raises
    ------
    ClusteringError
        If a side is of another kind, or the objects differ.
    ValueError
        If an option is not known.

    See Also
    --------
    pair_counts, fuzzy_rand_index, membership_sums

    Notes
    -----
    .. math:: n_{11} = \sum_{i<j} \psi_{ij}(U) \psi_{ij}(V)

    product, cosine: n11 = (||U'V||^2 - sum |u_i|^2 |v_i|^2)/2 and so on, O(n r s) without a loop
    over pairs. t_norm: all pairs in blocks, O(n^2 (r + s)) for the maximum and for the product
    with the bounded sum, else O(n^2 (r^2 + s^2)); memory O(n (r + s)). For rows that sum to 1
    "t_norm" with product and bounded sum equals "product". R: fclust's fuzzy Rand, adjusted Rand
    and Jaccard indices use "t_norm" with the maximum.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    R. J. G. B. Campello (2007), A fuzzy extension of the Rand index and other related indexes for
    clustering and classification assessment, Pattern Recognition Letters 28, 833-841.
    H. Frigui, C. Hwang, F. C.-H. Rhee (2007), Clustering and aggregation of relational data with
    applications to image database categorization, Pattern Recognition 40, 3053-3068.

    Examples
    --------
    >>> import softclust
    >>> softclust.fuzzy_pair_counts([0, 0, 1],
    ...                             softclust.FuzzyClustering([[1, 0], [0.5, 0.5], [0, 1]]))
    PairCounts(n11=0.5, n10=0.5, n01=0.5, n00=1.5)
    """
    source = as_source(x, y)
    get_measure("fuzzy_rand_index").check_kinds(source, {"relation": relation})
    p = source.statistic(FuzzyPairCounts, relation=relation, t_norm=t_norm, t_conorm=t_conorm)
    return PairCounts(n11=p.n11, n10=p.n10, n01=p.n01, n00=p.n00)


_fuzzy = functools.partial(
    measure, FuzzyPairCounts, more_kinds=MORE_KINDS, limits=PLAIN, sense="agreement", kinds=KINDS,
    bounds=(0.0, 1.0), cost=_COST, source=_SOURCE, from_sums={"relation": ("product",)})


def _index(parts: Callable[[PairCounts], tuple[Any, Any]], name: str, reason: str
           ) -> Callable[[PairCounts], Any]:
    """The formula of a hard index on sums of degrees."""
    def formula(p: PairCounts) -> Any:
        return quotient(*parts(p), zero=ZERO, name=name, reason=reason)
    return formula


def _fclust(function: str) -> tuple[RCall, ...]:
    """Calls of R's fclust, for hard x with labels 1, ..., r."""
    return tuple(RCall(f"fclust::{function}(match(x_labels, unique(x_labels)), y_membership, "
                       f"t_norm = '{norm}')", {"relation": "t_norm", "t_norm": norm})
                 for norm in ("minimum", "product"))


def _rand_chance(source: Source, kind: type[PairCounts] = FuzzyPairCounts) -> float:
    """Counts expected by chance: sums of each side stay, sums of products are means over pairs."""
    p = source.statistic(kind)
    first, second, n = p.n11 + p.n10, p.n11 + p.n01, p.n_pairs
    return (n - first - second + 2 * first * second / n) / n


def _fowlkes_mallows_chance(source: Source) -> float:
    p = source.statistic(FuzzyPairCounts)
    mean = math.sqrt((p.n11 + p.n10) * (p.n11 + p.n01))
    return mean / p.n_pairs if mean > ZERO else math.nan


_rand = _index(quotients.rand, "fuzzy_rand_index", "all degrees are 0 (0/0)")


@_fuzzy(
    _rand,
    properties=(*_SHAPE, *_reduces("rand_index", ""),
                Claim(name="metric", kinds=("hard",), condition="hard clusterings")),
    r=_fclust("RI.F"), listed_for="soft",
    chance=_rand_chance,
    abbreviations=("RI.F",),
    place=10, same_as=as_alpha_rand,
)
def fuzzy_rand_index(x: SourceLike, y: ClusteringLike | None = None, *,
                     relation: PairRelation = "product", t_norm: TNorm = "minimum",
                     t_conorm: TConorm = "maximum") -> float:
    r"""Rand index of fuzzy clusterings: share of the degrees that agree.

    Parameters
    ----------
    relation, t_norm, t_conorm
        As in `fuzzy_pair_counts`.

    Returns
    -------
    float
        (n11 + n00)/(n11 + n10 + n01 + n00), in [0, 1]. Below 1 for a soft clustering against
        itself, except by the t-norms lukasiewicz and drastic, whose small degrees are 0. nan, with
        a warning, when all degrees are 0.

    See Also
    --------
    fuzzy_adjusted_rand_index
    rand_index
    concordance_index

    Notes
    -----
    .. math:: \frac{n_{11} + n_{00}}{n_{11} + n_{10} + n_{01} + n_{00}}

    with sums of degrees over pairs of objects: together in both (n11), in x only (n10), in y only
    (n01), in neither (n00); see `fuzzy_pair_counts`.

    1 - index satisfies the triangle inequality for "product" and "cosine" (it is the chance that
    independent draws disagree), not for "t_norm". For fuzzy clusterings "product" equals
    `credal_rand_index` with ``distance="conflict"``. Cost and R call as in `fuzzy_pair_counts`.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    R. J. G. B. Campello (2007), A fuzzy extension of the Rand index and other related indexes for
    clustering and classification assessment, Pattern Recognition Letters 28, 833-841.
    H. Frigui, C. Hwang, F. C.-H. Rhee (2007), Clustering and aggregation of relational data with
    applications to image database categorization, Pattern Recognition 40, 3053-3068.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.fuzzy_rand_index([0, 0, 1], x), 4)
    0.6267
    """
    return value_of(fuzzy_rand_index, x, y, relation=relation, t_norm=t_norm, t_conorm=t_conorm)


_adjusted_rand = _index(quotients.adjusted_rand, "fuzzy_adjusted_rand_index",
                        "both join all pairs or none (0/0)")


@_fuzzy(
    _adjusted_rand,
    bounds=(-1.0, 1.0),
    properties=(*_SHAPE, *_reduces("adjusted_rand_index"),
                Claim(name="chance-corrected", options={"relation": ("product", "cosine")},
                      condition="product, cosine")),
    r=_fclust("ARI.F"), listed_for="soft",
    chance=zero_where_defined(FuzzyPairCounts, _adjusted_rand),
    abbreviations=("ARI.F",),
    place=6,
)
def fuzzy_adjusted_rand_index(x: SourceLike, y: ClusteringLike | None = None, *,
                              relation: PairRelation = "product", t_norm: TNorm = "minimum",
                              t_conorm: TConorm = "maximum") -> float:
    r"""Adjusted Rand index of fuzzy clusterings.

    Parameters
    ----------
    relation, t_norm, t_conorm
        As in `fuzzy_pair_counts`.

    Returns
    -------
    float
        In [-1, 1]. Below 1 for a soft clustering against itself. nan, with a warning, when both
        sides join all pairs fully or none at all (0/0).

    See Also
    --------
    fuzzy_rand_index
    adjusted_rand_index
    frobenius_adjusted_rand_index

    Notes
    -----
    .. math::

        \frac{2 (n_{11} n_{00} - n_{10} n_{01})}{n_{10}^2 + n_{01}^2 + 2 n_{11} n_{00} + (n_{11} +
        n_{00})(n_{10} + n_{01})}

    with sums of degrees over pairs of objects: together in both (n11), in x only (n10), in y only
    (n01), in neither (n00); see `fuzzy_pair_counts`.

    For "product" and "cosine" it is 0 on average over random permutations of the objects. For
    "t_norm" it is the formula of hard clusterings, applied to fuzzy counts. Cost as in
    `fuzzy_pair_counts`. R: ``fclust::ARI.F`` for a hard side and "t_norm" with the maximum.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    R. J. G. B. Campello (2007), A fuzzy extension of the Rand index and other related indexes for
    clustering and classification assessment, Pattern Recognition Letters 28, 833-841.
    R. K. Brouwer (2009), Extending the Rand, adjusted Rand and Jaccard indices to fuzzy
    partitions, Journal of Intelligent Information Systems 32, 213-235.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.fuzzy_adjusted_rand_index([0, 0, 1], x), 4)
    0.2075
    """
    return value_of(fuzzy_adjusted_rand_index, x, y, relation=relation, t_norm=t_norm,
                    t_conorm=t_conorm)


_jaccard = _index(quotients.jaccard, "fuzzy_jaccard_index", "neither side joins a pair (0/0)")


@_fuzzy(
    _jaccard,
    properties=(*_SHAPE, *_reduces("jaccard_index")),
    r=_fclust("JACCARD.F"), in_compare=False,
    abbreviations=("JACCARD.F",),
)
def fuzzy_jaccard_index(x: SourceLike, y: ClusteringLike | None = None, *,
                        relation: PairRelation = "product", t_norm: TNorm = "minimum",
                        t_conorm: TConorm = "maximum") -> float:
    r"""Jaccard index of fuzzy clusterings: degrees joined in both among those joined in either.

    Parameters
    ----------
    relation, t_norm, t_conorm
        As in `fuzzy_pair_counts`.

    Returns
    -------
    float
        n11/(n11 + n10 + n01), in [0, 1]. Below 1 for a soft clustering against itself. nan,
        with a warning, when no pair is joined at all (0/0).

    See Also
    --------
    jaccard_index
    fuzzy_fowlkes_mallows_index

    Notes
    -----
    .. math:: \frac{n_{11}}{n_{11} + n_{10} + n_{01}}

    with sums of degrees over pairs of objects: together in both (n11), in x only (n10), in y only
    (n01), in neither (n00); see `fuzzy_pair_counts`.

    Cost as in `fuzzy_pair_counts`. R: ``fclust::JACCARD.F`` for a hard side and "t_norm" with
    the maximum.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    R. J. G. B. Campello (2007), A fuzzy extension of the Rand index and other related indexes for
    clustering and classification assessment, Pattern Recognition Letters 28, 833-841.
    R. K. Brouwer (2009), Extending the Rand, adjusted Rand and Jaccard indices to fuzzy
    partitions, Journal of Intelligent Information Systems 32, 213-235.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.fuzzy_jaccard_index([0, 0, 1], x), 4)
    0.3333
    """
    return value_of(fuzzy_jaccard_index, x, y, relation=relation, t_norm=t_norm, t_conorm=t_conorm)


_fowlkes_mallows = _index(quotients.fowlkes_mallows, "fuzzy_fowlkes_mallows_index",
                          "a side joins no pair (0/0)")


@_fuzzy(
    _fowlkes_mallows,
    properties=(*_SHAPE, *_reduces("fowlkes_mallows_index")),
    in_compare=False,
    chance=_fowlkes_mallows_chance,
)
def fuzzy_fowlkes_mallows_index(x: SourceLike, y: ClusteringLike | None = None, *,
                                relation: PairRelation = "product", t_norm: TNorm = "minimum",
                                t_conorm: TConorm = "maximum") -> float:
    r"""Fowlkes-Mallows index of fuzzy clusterings.

    Parameters
    ----------
    relation, t_norm, t_conorm
        As in `fuzzy_pair_counts`.

    Returns
    -------
    float
        n11/sqrt((n11 + n10)(n11 + n01)), in [0, 1]. Below 1 for a soft clustering against
        itself. nan, with a warning, when a side joins no pair at all (0/0).

    See Also
    --------
    fowlkes_mallows_index
    fuzzy_jaccard_index

    Notes
    -----
    .. math:: \frac{n_{11}}{\sqrt{(n_{11} + n_{10})(n_{11} + n_{01})}}

    with sums of degrees over pairs of objects: together in both (n11), in x only (n10), in y only
    (n01), in neither (n00); see `fuzzy_pair_counts`.

    Geometric mean of the shares of joined pairs of each side that the other joins. Cost as in
    `fuzzy_pair_counts`.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    R. J. G. B. Campello (2007), A fuzzy extension of the Rand index and other related indexes for
    clustering and classification assessment, Pattern Recognition Letters 28, 833-841.
    H. Frigui, C. Hwang, F. C.-H. Rhee (2007), Clustering and aggregation of relational data with
    applications to image database categorization, Pattern Recognition 40, 3053-3068.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.fuzzy_fowlkes_mallows_index([0, 0, 1], x), 4)
    0.5029
    """
    return value_of(fuzzy_fowlkes_mallows_index, x, y, relation=relation, t_norm=t_norm,
                    t_conorm=t_conorm)


_gamma = _index(quotients.gamma, "fuzzy_gamma_index", "a side joins all pairs or none (0/0)")


@_fuzzy(
    _gamma,
    bounds=(-1.0, 1.0),
    properties=(*_SHAPE,
                Claim(name="chance-corrected", options={"relation": ("product", "cosine")},
                      condition="product, cosine")),
    in_compare=False,
    chance=zero_where_defined(FuzzyPairCounts, _gamma),
)
def fuzzy_gamma_index(x: SourceLike, y: ClusteringLike | None = None, *,
                      relation: PairRelation = "product", t_norm: TNorm = "minimum",
                      t_conorm: TConorm = "maximum") -> float:
    r"""Hubert's gamma of fuzzy clusterings: correlation of the degrees to which pairs are joined.

    Parameters
    ----------
    relation, t_norm, t_conorm
        As in `fuzzy_pair_counts`.

    Returns
    -------
    float
        In [-1, 1]; the correlation of the two relations for hard clusterings. nan, with a
        warning, when a side joins all pairs fully or none at all (0/0).

    See Also
    --------
    fuzzy_adjusted_rand_index
    katz_powell_index

    Notes
    -----
    .. math::

        \frac{N n_{11} - (n_{11} + n_{10})(n_{11} + n_{01})}{\sqrt{(n_{11} + n_{10})(n_{11} +
        n_{01})(n_{01} + n_{00})(n_{10} + n_{00})}}

    with sums of degrees over pairs of objects: together in both (n11), in x only (n10), in y only
    (n01), in neither (n00); see `fuzzy_pair_counts`.

    N is the sum of all four. Cost as in `fuzzy_pair_counts`.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    R. J. G. B. Campello (2007), A fuzzy extension of the Rand index and other related indexes for
    clustering and classification assessment, Pattern Recognition Letters 28, 833-841.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.fuzzy_gamma_index([0, 0, 1], x), 4)
    0.2106
    """
    return value_of(fuzzy_gamma_index, x, y, relation=relation, t_norm=t_norm, t_conorm=t_conorm)


def _minkowski(p: PairCounts) -> Any:
    over, under = quotients.minkowski(p)
    return root(quotient(largest(over, 0.0), under, zero=ZERO,
                         name="fuzzy_minkowski_dissimilarity",
                         reason="x joins no pair (division by 0)"))


@_fuzzy(
    _minkowski,
    sense="dissimilarity", bounds=(0.0, None),
    properties=_SHAPE[1:],
    in_compare=False,
)
def fuzzy_minkowski_dissimilarity(x: SourceLike, y: ClusteringLike | None = None, *,
                                  relation: PairRelation = "product", t_norm: TNorm = "minimum",
                                  t_conorm: TConorm = "maximum") -> float:
    r"""Minkowski measure of fuzzy clusterings: disagreeing pairs relative to those joined in x.

    Parameters
    ----------
    relation, t_norm, t_conorm
        As in `fuzzy_pair_counts`.

    Returns
    -------
    float
        sqrt((n10 + n01)/(n11 + n10)), in [0, inf). Not symmetric: x is the reference. 0
        for equal hard clusterings. nan, with a warning, when x joins no pair at all.

    See Also
    --------
    fuzzy_rand_index
    fuzzy_jaccard_index

    Notes
    -----
    .. math:: \sqrt{\frac{n_{10} + n_{01}}{n_{11} + n_{10}}}

    with sums of degrees over pairs of objects: together in both (n11), in x only (n10), in y only
    (n01), in neither (n00); see `fuzzy_pair_counts`.

    Cost as in `fuzzy_pair_counts`.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    R. J. G. B. Campello (2007), A fuzzy extension of the Rand index and other related indexes for
    clustering and classification assessment, Pattern Recognition Letters 28, 833-841.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.fuzzy_minkowski_dissimilarity([0, 0, 1], x), 4)
    1.0583
    """
    return value_of(fuzzy_minkowski_dissimilarity, x, y, relation=relation, t_norm=t_norm,
                    t_conorm=t_conorm)


@measure(
    SharedPairCounts, _rand,
    limits=PLAIN,
    sense="agreement", kinds=("hard", "rough"), bounds=(0.0, 1.0), cost="O(n r s)",
    source="Depaolini, Ciucci, Calegari, Dominoni 2018", listed_for="soft",
    properties=("symmetric", "relabelling-invariant",
                Claim(name="reduces-to", target="rand_index"),
                Claim(name="metric", kinds=("hard",), condition="hard clusterings")),
    chance=lambda source: _rand_chance(source, SharedPairCounts),
    answers=(Answer("share", 2, "objects choose evenly among the clusters they may belong to"),),
    place=11,
)
def rough_rand_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Rand index of rough clusterings; objects choose evenly among their possible clusters.

    Returns
    -------
    float
        In [0, 1]. Below 1 for a clustering with undecided objects against itself.

    See Also
    --------
    fuzzy_rand_index
    alpha_rand_interval

    Notes
    -----
    .. math::

        \frac{n_{11} + n_{00}}{n_{11} + n_{10} + n_{01} + n_{00}}, \quad u_{ik} = \frac{1}{|T_i|}
        \text{ for } k \in T_i

    with T_i the candidates of object i.

    `fuzzy_rand_index` (product) of the memberships 1/|T_i| on the possible clusters T_i of each
    object, summed over i < j. For other indices convert by ``to_fuzzy()`` and use the fuzzy ones.
    Time O(n r s).

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    M. R. Depaolini, D. Ciucci, S. Calegari, M. Dominoni (2018), External indices for rough
    clustering, International Joint Conference on Rough Sets, 378-391.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[1, 0], [1, 1], [0, 1]])
    >>> round(softclust.rough_rand_index([0, 0, 1], x), 4)
    0.6667
    """
    return value_of(rough_rand_index, x, y)
