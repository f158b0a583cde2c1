"""Counts of pairs, hard clusterings.

Pair-counting indices of two hard clusterings.

All are quotients of the exact pair counts. The formulas and the names of their authors:
L. Hubert and P. Arabie (1985), Comparing partitions, Journal of Classification 2, 193-218.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, shown
from .._types import ArrayLike, ClusteringLike, NullModel, Side, SourceLike
from ..measures import Answer, Shares, measure, value_of
from ..measures import limit_rules as rules
from ..measures.joint import as_source, plain_labels
from ..measures.limit_rules import PLAIN
from ..results.text import position
from . import pair_counts as quotients
from .pair_counts import PairCounts
from .partition_models import FIXED, check_model, joined_of_all, joined_of_number
from .quotient import quotient, root
from .strata import PAIRS, check_unmodelled, strata_of

_COST = "O(n + r s)"


def pair_counts(x: SourceLike, y: ClusteringLike | None = None, *,
                pairs: tuple[ArrayLike, ArrayLike] | None = None) -> PairCounts:
    """Pairs of objects by whether each clustering joins them.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or a `Joint` or `ContingencyTable` as x and
        no y.
    pairs : (i, j), two arrays of m >= 1 positions from 0, optional
        Only these pairs count, such as the edges of a graph or neighbours in space; a pair that is
        listed twice counts twice. All pairs by default.

    Returns
    -------
    PairCounts
        n11 (together in both), n10 (in x only), n01 (in y only), n00 (apart in both): Python
        integers, exact for any n, with sum n(n-1)/2, or m. Floats, sums of w_i w_j, for a table of
        objects with weights. Measures on pair counts take it in place of x and y.

    Raises
    ------
    ClusteringError
        If a side is not hard, the objects differ, or `pairs` are not positions of two different
        objects.

    See Also
    --------
    fuzzy_pair_counts, rand_index, contingency_table

    Notes
    -----
    From the contingency table, n11 = (sum of squared counts - n)/2 and so on: time O(n + r s)
    for r and s clusters while r s <= 4n, else O(n log n); memory O(n). Given pairs are counted one
    by one, O(m): `adjusted_rand_index` of them is the graph-aware index AGRI of Poulin and
    Théberge (2021), whose numerator has mean 0 under permutation. It sees boundaries only: 1 does
    not mean equal.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    V. Poulin, F. Théberge (2021), Comparing graph clusterings: set partition measures vs.
    graph-aware measures, IEEE Transactions on Pattern Analysis and Machine Intelligence 43,
    2127-2132.

    Examples
    --------
    >>> import softclust
    >>> softclust.pair_counts([0, 0, 1, 1], [0, 0, 1, 2])
    PairCounts(n11=1, n10=1, n01=0, n00=4)
    >>> path = softclust.pair_counts([0, 0, 1, 1], [0, 0, 1, 2], pairs=([0, 1, 2], [1, 2, 3]))
    >>> path
    PairCounts(n11=1, n10=1, n01=0, n00=1)
    >>> softclust.rand_index(path)
    0.6666666666666666
    """
    if pairs is not None:
        source = as_source(x, y)
        if not source.has_objects:
            raise ClusteringError("given pairs need the objects, which a table does not know; "
                                  "give both clusterings")
        i, j = _positions(pairs, source.n_objects)
        in_x, in_y = (codes[i] == codes[j] for codes in source.objects.codes)
        return PairCounts(n11=int((in_x & in_y).sum()), n10=int((in_x & ~in_y).sum()),
                          n01=int((in_y & ~in_x).sum()), n00=int((~in_x & ~in_y).sum()),
                          self_pairs=0)
    labels = plain_labels(x, y)
    counts = PairCounts.of_labels(*labels) if labels is not None else None
    if counts is not None:   # counted as they are, without clusterings
        return counts
    return as_source(x, y).statistic(PairCounts)


def _positions(pairs: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of pairs of different objects 0, ..., n - 1."""
    try:
        i, j = (np.asarray(end) for end in pairs)
    except (TypeError, ValueError):
        i = j = np.zeros((1, 1))
    if i.ndim != 1 or j.ndim != 1:
        raise ClusteringError(f"pairs={shown(pairs)}; pairs must be two arrays of positions "
                              "(i, j)")
    if len(i) != len(j):
        raise ClusteringError(f"pairs: {len(i)} positions i and {len(j)} positions j; each pair "
                              "has one of both")
    if not len(i):
        raise ClusteringError("pairs is empty; at least one pair is needed")
    for name, end in (("i", i), ("j", j)):
        if end.dtype.kind not in "iu":
            raise ClusteringError(f"pairs: {name} has dtype {end.dtype}; whole numbers are needed, "
                                  "positions of objects from 0")
        if (outside := np.flatnonzero((end < 0) | (end >= n))).size:
            raise ClusteringError(f"pairs: {name} of pair {position(outside[0])} is "
                                  f"{end[outside[0]]}; positions from 0 to {n - 1} are "
                                  f"needed for {n} objects")
    if (same := np.flatnonzero(i == j)).size:
        raise ClusteringError(f"pairs: pair {position(same[0])} is object {i[same[0]]} with "
                              "itself; two different objects are needed")
    return i, j


def _rand(p: PairCounts) -> Any:
    return (p.n11 + p.n00) / p.n_pairs


@measure(
    PairCounts, _rand,
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "metric", "relabelling-invariant"), cost=_COST,
    source="Rand (1971)",
    r=("clue::cl_agreement(x, y, method = 'Rand')",
       "e1071::classAgreement(table(x_labels, y_labels))$rand"),
    weight_degree=0, linear="sums", limits=rules.RAND,
    abbreviations=("RI", "rand_score"),
    answers=(Answer("share", 1, "plain share; near 1 by chance when there are many clusters"),),
    place=9,
    shares=Shares("pairs"),
)
def rand_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Share of the pairs of objects that both clusterings join or both separate.

    Returns
    -------
    float
        (n11 + n00) / (n(n-1)/2), from 0 (one cluster against all singletons) to 1 (exactly for
        equal partitions). Never undefined.

    See Also
    --------
    adjusted_rand_index
    rand_distance

    Notes
    -----
    .. math:: \frac{n_{11} + n_{00}}{N}

    with the numbers of pairs of objects together in both (n11), in x only (n10), in y only (n01)
    and in neither (n00), and N their sum.

    1 - Rand is a metric. Time O(n + r s). R: ``clue::cl_agreement(x, y, method = "Rand")``.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    W. M. Rand (1971), Objective criteria for the evaluation of clustering methods, Journal of
    the American Statistical Association 66, 846-850.

    Examples
    --------
    >>> import softclust
    >>> softclust.rand_index([0, 0, 1, 1], [0, 0, 1, 2])
    0.8333333333333334
    """
    return value_of(rand_index, x, y)


def _apart(p: PairCounts) -> Any:
    return (p.n10 + p.n01) / p.n_pairs


@measure(
    PairCounts, _apart,
    sense="dissimilarity", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "metric", "relabelling-invariant"), cost=_COST,
    source="Rand (1971); Barthelemy, Leclerc (1995)",
    r=("clue::cl_dissimilarity(x, y, method = 'Rand')",
       "clue::cl_dissimilarity(x, y, method = 'BA/D')"), in_compare=False,
    weight_degree=0, linear="sums", limits=rules.RAND,
    shares=Shares("pairs"),
)
def rand_distance(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Share of the pairs of objects that one clustering joins and the other separates.

    Returns
    -------
    float
        (n10 + n01) / (n(n-1)/2) = 1 - `rand_index`, from 0 (exactly for equal partitions) to 1
        (one cluster against all singletons). Never undefined.

    See Also
    --------
    rand_index
    symmetric_difference_distance

    Notes
    -----
    .. math:: \frac{n_{10} + n_{01}}{N}

    with the numbers of pairs of objects together in both (n11), in x only (n10), in y only (n01)
    and in neither (n00), and N their sum.

    A metric. Time O(n + r s). R: ``clue::cl_dissimilarity(x, y, method = "Rand")``; the same as
    ``method = "BA/D"``.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    W. M. Rand (1971), Objective criteria for the evaluation of clustering methods, Journal of the
    American Statistical Association 66, 846-850.
    J.-P. Barthelemy, B. Leclerc (1995), The median procedure for partitions, DIMACS Series in
    Discrete Mathematics 19, 3-34.

    Examples
    --------
    >>> import softclust
    >>> softclust.rand_distance([0, 0, 1, 1], [0, 0, 1, 2])
    0.16666666666666666
    """
    return value_of(rand_distance, x, y)


@measure(
    PairCounts, lambda p: p.n10 + p.n01,
    sense="dissimilarity", kinds=("hard",), bounds=lambda source: (0.0, float(source.n_pairs)),
    properties=("symmetric", "metric", "relabelling-invariant"), cost=_COST,
    source="Mirkin, Chernyi (1970)", r="clue::cl_dissimilarity(x, y, method = 'symdiff')",
    in_compare=False,
    weight_degree=2, linear="sums", limits=rules.Like(
        measure="rand_distance", value=lambda share, source: share * source.n_pairs),
    shares=Shares("pairs"),
)
def symmetric_difference_distance(x: SourceLike, y: ClusteringLike | None = None) -> int:
    """Number of pairs of objects that one clustering joins and the other separates.

    Returns
    -------
    int
        n10 + n01, exact, from 0 (equal partitions) to n(n-1)/2. Never undefined.

    See Also
    --------
    rand_distance
    transfer_distance

    Notes
    -----
    .. math:: n_{10} + n_{01}

    with the numbers of pairs of objects together in both (n11), in x only (n10), in y only (n01)
    and in neither (n00).

    A metric; Mirkin's metric is twice it. Time O(n + r s). R: ``clue::cl_dissimilarity(x, y,
    method = "symdiff")``, rounded there.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    B. G. Mirkin, L. B. Chernyi (1970), Measurement of the distance between distinct partitions of
    a finite set of objects, Automation and Remote Control 31, 786-792.

    Examples
    --------
    >>> import softclust
    >>> softclust.symmetric_difference_distance([0, 0, 1, 1], [0, 1, 1, 2])
    3
    """
    return value_of(symmetric_difference_distance, x, y)


def adjusted_rand(p: PairCounts, *, model: str = "permutation", fixed: str | None = None) -> Any:
    """The adjusted Rand index; 1 for equal partitions."""
    if model != "permutation" or fixed is not None:
        check_model(model, fixed)
        return _modelled_rand(p, model, fixed)
    over, under = quotients.adjusted_rand(p)
    return quotient(over, under, equal=p.equal, name="adjusted_rand_index", reason="0/0")


def _modelled_rand(p: PairCounts, model: str, fixed: str | None) -> Any:
    """(R - E) / (1 - E), E the mean under another model than permutations."""
    if model == "permutation":
        raise ValueError(FIXED)
    if p.shape is None:
        raise ClusteringError(f'model="{model}" needs the numbers of clusters: pair counts have no '
                              "objects, and resampled objects change them; confidence intervals "
                              'need model="permutation"')
    n, r, s = p.shape
    shares = [joined / p.n_pairs if side == fixed else
              joined_of_number(n, k) if model == "number" else joined_of_all(n)
              for side, joined, k in (("x", p.in_x, r), ("y", p.in_y, s))]
    expected = shares[0] * shares[1] + (1.0 - shares[0]) * (1.0 - shares[1])
    return quotient(_rand(p) - expected, 1.0 - expected, equal=p.equal,
                    name="adjusted_rand_index", reason="1 - E = 0")


@measure(
    PairCounts, adjusted_rand,
    sense="agreement", kinds=("hard",), bounds=(-0.5, 1.0),
    properties=("symmetric", "reflexive", "separating", "chance-corrected",
                "relabelling-invariant"),
    cost=_COST, source="Hubert and Arabie (1985)",
    r=("clue::cl_agreement(x, y, method = 'cRand')",
       "mclust::adjustedRandIndex(x_labels, y_labels)"),
    weight_degree=0, weighted_bounds=(-1.0, 1.0), linear="cells",
    limits=rules.ADJUSTED_RAND, loss="omari",
    abbreviations=("ARI", "corrected Rand", "adjusted_rand_score"),
    answers=(Answer("corrected", 1, "the standard; counts pairs, so large clusters weigh most"),
             Answer("fast", 1, "one pass over the labels")),
    place=1,
    shares=Shares("pairs"),
)
def adjusted_rand_index(x: SourceLike, y: ClusteringLike | None = None, *,
                        model: NullModel = "permutation", fixed: Side | None = None,
                        strata: ArrayLike | None = None, pairs: Literal["all", "within"] = "all"
                        ) -> float:
    r"""Rand index corrected for chance: 0 on average for random, 1 for equal partitions.

    Parameters
    ----------
    model : {"permutation", "number", "all"}, optional
        Null model: partitions with the same cluster sizes, with the same number of
        clusters, or all partitions; see `chance_level`.
    fixed : {None, "x", "y"}, optional
        The side that stays as it is under "number" and "all", such as a known truth.
    strata : array-like, shape (n,), optional
        Stratum of each object (batch, site): objects are permuted within strata, so that
        agreement which the strata explain counts as chance; see `agreement_by_strata`.
    pairs : {"all", "within"}, optional
        With strata: all pairs of objects, or only pairs of one stratum, for labels that have a
        meaning only within a stratum.

    Returns
    -------
    float
        From -1/2 to 1; 1 exactly for equal partitions, also where the quotient is 0/0 (both one
        cluster, or both all singletons). Never undefined. Above -1 for objects with weights, no
        lower bound under other models. With strata: nan, with a warning, where every permutation
        within strata gives equal partitions.

    Raises
    ------
    ValueError
        If `pairs` is unknown, or given without strata.

    Warns
    -----
    UndefinedMeasureWarning
        If the strata determine the clusterings: nan.

    See Also
    --------
    rand_index
    adjusted_mutual_information
    frobenius_adjusted_rand_index

    Notes
    -----
    .. math::

        \frac{2 (n_{11} n_{00} - n_{10} n_{01})}{(n_{11} + n_{10})(n_{10} + n_{00}) + (n_{11} +
        n_{01})(n_{01} + n_{00})}

    with the numbers of pairs of objects together in both (n11), in x only (n10), in y only (n01)
    and in neither (n00).

    With strata it is (n11 - E) / ((P + Q)/2 - E), where E is the mean of n11 over permutations
    within strata, P and Q the pairs joined by x and by y (docs/theory/dependence.md).

    Computed in exact integers, with one division at the end. Time O(n + r s). R:
    ``clue::cl_agreement(x, y, method = "cRand")`` (NaN there for 0/0),
    ``mclust::adjustedRandIndex``.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    L. Hubert and P. Arabie (1985), Comparing partitions, Journal of Classification 2, 193-218.

    Examples
    --------
    >>> import softclust
    >>> softclust.adjusted_rand_index([0, 0, 1, 1], [0, 0, 1, 2])
    0.5714285714285714
    """
    if strata is None:
        if pairs != "all":
            raise ValueError(f"pairs={pairs!r} has no effect without strata; leave it out")
        return value_of(adjusted_rand_index, x, y, model=model, fixed=fixed)
    check_unmodelled(model, fixed)
    source = as_source(x, y)
    by_stratum = strata_of(source, strata)
    check_choice("pairs", pairs, PAIRS)
    return (value_of(adjusted_rand_index, source) if by_stratum is None
            else by_stratum.adjusted_rand(pairs))


def _jaccard(p: PairCounts) -> Any:
    over, under = quotients.jaccard(p)
    return quotient(over, under, equal=p.equal, name="jaccard_index", reason="0/0")


@measure(
    PairCounts, _jaccard,
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "metric", "relabelling-invariant"), cost=_COST,
    source="Jaccard (1901), on pairs of objects",
    r="clue::cl_agreement(x, y, method = 'Jaccard')",
    weight_degree=0, limits=rules.JACCARD,
    shares=Shares("pairs"),
)
def jaccard_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Pairs joined by both clusterings as a share of those joined by at least one.

    Returns
    -------
    float
        n11 / (n11 + n10 + n01), from 0 to 1; 1 exactly for equal partitions, also where it is
        0/0 (both all singletons). Never undefined.

    See Also
    --------
    fowlkes_mallows_index
    fuzzy_jaccard_index

    Notes
    -----
    .. math:: \frac{n_{11}}{n_{11} + n_{10} + n_{01}}

    with the numbers of pairs of objects together in both (n11), in x only (n10), in y only (n01)
    and in neither (n00).

    1 - Jaccard is a metric. Time O(n + r s). R: ``clue::cl_agreement(x, y, method =
    "Jaccard")`` (NaN there for 0/0).

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    P. Jaccard (1901), Distribution de la flore alpine dans le bassin des Dranses et dans quelques
    regions voisines, Bulletin de la Societe Vaudoise des Sciences Naturelles 37, 241-272.

    Examples
    --------
    >>> import softclust
    >>> softclust.jaccard_index([0, 0, 1, 1], [0, 0, 1, 2])
    0.5
    """
    return value_of(jaccard_index, x, y)


def _no_joined_pair(p: PairCounts) -> str:
    return f"no pair of objects is together in {'y' if p.in_x else 'x'} (0/0)"


def _fowlkes_mallows(p: PairCounts) -> Any:
    return quotient(p.n11, root(p.in_x * p.in_y), equal=p.equal, name="fowlkes_mallows_index",
                    reason=lambda: _no_joined_pair(p))


@measure(
    PairCounts, _fowlkes_mallows,
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "reflexive", "separating", "relabelling-invariant"), cost=_COST,
    source="Fowlkes and Mallows (1983)", r="clue::cl_agreement(x, y, method = 'FM')",
    weight_degree=0, linear="cells", limits=rules.FOWLKES_MALLOWS,
    abbreviations=("FM", "FMI", "fowlkes_mallows_score"),
)
def fowlkes_mallows_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Geometric mean of the shares of joined pairs of x and of y that the other joins too.

    Returns
    -------
    float
        n11 / sqrt((n11 + n10)(n11 + n01)), from 0 to 1; 1 exactly for equal partitions, also
        where it is 0/0. Undefined, nan with a warning, when only one side is all singletons.

    See Also
    --------
    adjusted_fowlkes_mallows_index
    wallace_index

    Notes
    -----
    .. math:: \frac{n_{11}}{\sqrt{(n_{11} + n_{10})(n_{11} + n_{01})}}

    with the numbers of pairs of objects together in both (n11), in x only (n10), in y only (n01)
    and in neither (n00).

    1 - FM is not a metric: the triangle inequality fails for (0, 0, 1), (0, 0, 0), (0, 1, 0).
    Time O(n + r s). R: ``clue::cl_agreement(x, y, method = "FM")`` (NaN there for 0/0).

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    E. B. Fowlkes and C. L. Mallows (1983), A method for comparing two hierarchical clusterings,
    Journal of the American Statistical Association 78, 553-569.

    Examples
    --------
    >>> import softclust
    >>> softclust.fowlkes_mallows_index([0, 0, 1, 1], [0, 0, 1, 2])
    0.7071067811865475
    """
    return value_of(fowlkes_mallows_index, x, y)


def _adjusted_fowlkes_mallows(p: PairCounts) -> Any:
    mean = root(p.in_x * p.in_y)
    return quotient(p.n11 * p.n_pairs - p.in_x * p.in_y, mean * (p.n_pairs - mean),
                    equal=p.equal, name="adjusted_fowlkes_mallows_index",
                    reason=lambda: _no_joined_pair(p))


@measure(
    PairCounts, _adjusted_fowlkes_mallows,
    limits=PLAIN,
    sense="agreement", kinds=("hard",), bounds=(-1.0, 1.0),
    properties=("symmetric", "reflexive", "separating", "chance-corrected",
                "relabelling-invariant"),
    cost=_COST, source="Hubert and Arabie (1985), of Fowlkes and Mallows (1983)",
    r="genieclust::adjusted_fm_score(x_labels, y_labels)",
    in_compare=False,
    weight_degree=0, linear="cells",
    abbreviations=("adjusted FM",),
)
def adjusted_fowlkes_mallows_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Fowlkes-Mallows index corrected for chance: 0 on average for random, 1 for equal ones.

    Returns
    -------
    float
        From -1 to 1; 1 exactly for equal partitions, also where it is 0/0. Undefined, nan with a
        warning, when only one side is all singletons.

    See Also
    --------
    fowlkes_mallows_index
    adjusted_rand_index

    Notes
    -----
    .. math::

        \frac{F - E}{1 - E}, \quad F = \frac{n_{11}}{\sqrt{(n_{11} + n_{10})(n_{11} + n_{01})}},
        \quad E = \frac{\sqrt{(n_{11} + n_{10})(n_{11} + n_{01})}}{N}

    with the numbers of pairs of objects together in both (n11), in x only (n10), in y only (n01)
    and in neither (n00), and N their sum.

    E is the mean of F over all permutations of the objects. Time O(n + r s). R:
    ``genieclust::adjusted_fm_score`` of the contingency table (not on Debian).

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    L. Hubert, P. Arabie (1985), Comparing partitions, Journal of Classification 2, 193-218.
    E. B. Fowlkes, C. L. Mallows (1983), A method for comparing two hierarchical clusterings,
    Journal of the American Statistical Association 78, 553-569.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.adjusted_fowlkes_mallows_index([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.616781257308
    """
    return value_of(adjusted_fowlkes_mallows_index, x, y)


def _katz_powell(p: PairCounts) -> Any:
    # ordered pairs, each object with itself among them
    if p.self_pairs is None:
        raise ClusteringError("katz_powell_index needs the number n of objects, which these pair "
                              "counts do not know: give PairCounts(..., self_pairs=n)")
    every, both, x, y = (p.self_pairs + 2 * pairs for pairs in (p.n_pairs, p.n11, p.in_x, p.in_y))
    return quotient(every * both - x * y, root(x * (every - x)) * root(y * (every - y)),
                    equal=p.equal, name="katz_powell_index",
                    reason=lambda: f"{'x' if x == every else 'y'} is one cluster (0/0)")


@measure(
    PairCounts, _katz_powell,
    sense="agreement", kinds=("hard",), bounds=(-1.0, 1.0),
    properties=("symmetric", "reflexive", "separating", "relabelling-invariant"), cost=_COST,
    source="Katz and Powell (1953)", r="clue::cl_agreement(x, y, method = 'KP')",
    in_compare=False,
    weight_degree=0, linear="cells", limits=rules.KATZ_POWELL,
)
def katz_powell_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Correlation of the two n x n co-membership matrices, diagonal included.

    Returns
    -------
    float
        From -1 to 1; 1 exactly for equal partitions, also where it is 0/0. Undefined, nan with a
        warning, when only one side is one cluster.

    See Also
    --------
    adjusted_rand_index
    fuzzy_gamma_index

    Notes
    -----
    .. math::

        \frac{n^2 S - A B}{\sqrt{A (n^2 - A) B (n^2 - B)}}, \quad S = \sum T^2, \quad A = \sum a^2,
        \quad B = \sum b^2

    with the contingency table T, its row sums a and column sums b.

    S, A and B are exact integers. Time O(n + r s). R: ``clue::cl_agreement(x, y, method = "KP")``
    (NaN there for 0/0).

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    L. Katz and J. H. Powell (1953), A proposed index of the conformity of one sociometric
    measurement to another, Psychometrika 18, 249-256.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.katz_powell_index([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.774596669241
    """
    return value_of(katz_powell_index, x, y)
