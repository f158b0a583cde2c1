"""Coreference.

Clusters of mentions: disjoint, and a mention may be absent from a side. x is evaluated against the
truth y.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from .._checks import check_choice, warn_undefined
from .._types import ClusteringLike, FScorePart, SourceLike
from ..measures import Shares, Word, measure, value_of
from ..measures.joint import Pair
from ..measures.record import claims
from ..measures.statistic import Source
from ..running.warnings import quiet
from ..tables.counting import exact_total
from .cover_overlaps import BCubed
from .disjoint import DisjointOverlaps, best_cells, expected_cells
from .linkage import KINDS, PARTS, by_part, harmonic, of_disjoint, of_sums, words_of_parts


def _muc(o: DisjointOverlaps, *, part: str = "f1") -> Any:
    o.without_weights("muc_index")
    r, s = o.clusters
    return of_sums(part, o.shared - o.n_cells, o.in_x - r, o.in_y - s, name="muc_index",
                   same=o.same)


def _muc_chance(source: Source, part: str = "f1") -> float:
    if not source.both_hard:
        return math.nan
    o = source.statistic(DisjointOverlaps)
    return of_sums(part, o.n - expected_cells(o), o.n - o.a.size, o.n - o.b.size,
                   name="muc_index", same=o.n == o.a.size == o.b.size)


@of_disjoint(
    _muc, properties=by_part("symmetric"), source="Vilain and others (1995)", chance=_muc_chance,
    words=words_of_parts("MUC", "coreference"),
    shares=(Shares("operations", options={"part": "f1"}),
            Shares("operations", merge=False, options={"part": "precision"}),
            Shares("operations", split=False, options={"part": "recall"})),
)
def muc_index(x: SourceLike, y: ClusteringLike | None = None, *, part: FScorePart = "f1") -> float:
    r"""MUC: share of the links between mentions that are kept.

    Parameters
    ----------
    x, y : clustering-like
        Hard clusterings of the same n >= 2 objects, or covers with disjoint clusters (mentions that
        a side lacks are in no cluster); or a `Joint` as x and no y. y is the key (the truth), x the
        response.
    part : {"f1", "precision", "recall"}, optional
        Precision divides by the links of x, recall by those of y.

    Returns
    -------
    float
        From 0 to 1; 1 for equal clusterings. Clusters of one object have no effect. nan, with a
        warning, where there are no links.

    Raises
    ------
    ClusteringError
        If a side is of another kind, an object is in two clusters, the objects differ, or have
        weights.

    See Also
    --------
    ceaf_index
    lea_index
    conll_index

    Notes
    -----
    .. math:: P = \frac{m - |\{T_{kl} > 0\}|}{\sum_k a_k - r}, \quad
              R = \frac{m - |\{T_{kl} > 0\}|}{\sum_l b_l - s}

    with the overlaps T of the r and s clusters of sizes a and b, and m their sum.

    A cluster of a objects needs a - 1 links; a cluster that the other side splits into p parts
    keeps a - p of them. Not a metric. Time O(n + cells).

    Theory: docs/theory/fields.md.

    References
    ----------
    M. Vilain, J. Burger, J. Aberdeen, D. Connolly and L. Hirschman (1995), A model-theoretic
    coreference scoring scheme, MUC-6, 45-52.

    Examples
    --------
    >>> import softclust
    >>> softclust.muc_index([0, 0, 1, 1], [0, 0, 0, 0], part="recall")
    0.6666666666666666
    """
    check_choice("part", part, PARTS)
    return value_of(muc_index, x, y, part=part)


def _ceaf(o: DisjointOverlaps, *, part: str = "f1", similarity: str = "entity") -> float:
    if similarity == "mention":
        matched = exact_total(o.counts[best_cells(o.rows, o.cols, lambda at: o.counts[at])])
        return of_sums(part, matched, o.in_x, o.in_y, name="ceaf_index", same=o.same)
    o.without_weights('ceaf_index with similarity="entity"')
    if o.same:
        return 1.0
    alike = 2.0 * o.counts / (o.a[o.rows] + o.b[o.cols])
    total = math.fsum(alike[best_cells(o.rows, o.cols, lambda at: alike[at])].tolist())
    return of_sums(part, total, o.a.size, o.b.size, name="ceaf_index", same=o.same)


_SIMILARITIES = ("entity", "mention")


@of_disjoint(
    _ceaf,
    properties=(*claims("symmetric", "separating", similarity=_SIMILARITIES),
                *claims("reflexive", "relabelling-invariant", similarity=_SIMILARITIES,
                        part=PARTS)),
    cost="O(n + cells), and the matching of each component of the table",
    source="Luo (2005)", weight_degree=0,
    words=(*words_of_parts("CEAFe", "coreference"),
           *words_of_parts("CEAFm", "coreference", similarity="mention",
                           note="coval divides by numbers of clusters"))
)
def ceaf_index(x: SourceLike, y: ClusteringLike | None = None, *, part: FScorePart = "f1",
               similarity: Literal["entity", "mention"] = "entity") -> float:
    r"""CEAF: similarity of the best one-to-one pairs of clusters.

    Parameters
    ----------
    x, y : clustering-like
        Hard clusterings of the same n >= 2 objects, or covers with disjoint clusters (mentions that
        a side lacks are in no cluster); or a `Joint` as x and no y. y is the key (the truth), x the
        response.
    part : {"f1", "precision", "recall"}, optional
        Precision divides by the self-similarity of x, recall by that of y.
    similarity : {"entity", "mention"}, optional
        2T/(a + b) (CEAF-E, phi 4 of the article), or T (CEAF-M, phi 3), of two clusters that
        share T of their a and b objects.

    Returns
    -------
    float
        From 0 to 1; 1 exactly for equal clusterings. nan, with a warning, where a side that
        divides has no cluster.

    Raises
    ------
    ClusteringError
        If a side is of another kind, an object is in two clusters, the objects differ, or have
        weights (entity).

    See Also
    --------
    coclassification_index
    muc_index
    conll_index

    Notes
    -----
    .. math:: F = \frac{2 \max_\tau \sum_k \phi(k, \tau(k))}{D_x + D_y}, \quad
              \phi_4 = \frac{2 T_{kl}}{a_k + b_l}, \quad \phi_3 = T_{kl}

    with the overlaps T of clusters of sizes a and b, one-to-one pairs tau, and D the number of
    clusters (entity) or of objects in clusters (mention) of a side.

    For hard clusterings CEAF-M is `coclassification_index`. coval 0.0.1 divides CEAF-M by the
    numbers of clusters, which can exceed 1. 1 - CEAF-E is not a metric. The matching is found
    component by component of the table.

    Theory: docs/theory/fields.md.

    References
    ----------
    X. Luo (2005), On coreference resolution performance metrics, HLT-EMNLP 2005, 25-32.

    Examples
    --------
    >>> import softclust
    >>> x, y = [0, 0, 1, 1], [0, 0, 0, 1]
    >>> round(softclust.ceaf_index(x, y), 12), softclust.ceaf_index(x, y, similarity="mention")
    (0.733333333333, 0.75)
    """
    check_choice("part", part, PARTS)
    check_choice("similarity", similarity, _SIMILARITIES)
    return value_of(ceaf_index, x, y, part=part, similarity=similarity)


def _kept_links(o: DisjointOverlaps, sizes: np.ndarray, places: np.ndarray) -> float:
    """Mean over the objects of a side of the share of the links of their cluster that are kept."""
    total = exact_total(sizes)
    if not total:
        return math.nan
    t, size = o.counts.astype(np.float64), sizes.astype(np.float64)[places]
    with np.errstate(invalid="ignore"):
        shares = t * (t - 1.0) / (size - 1.0)   # a_k times C2(T)/C2(a_k)
    alone = (o.a[o.rows] == 1) & (o.b[o.cols] == 1)
    return math.fsum(np.where(size == 1.0, alone, shares).tolist()) / total


def _lea(o: DisjointOverlaps, *, part: str = "f1") -> float:
    o.without_weights("lea_index")
    if o.same:
        return 1.0
    value = harmonic(part, _kept_links(o, o.a, o.rows), _kept_links(o, o.b, o.cols))
    return warn_undefined("lea_index", "a side has no cluster (0/0)") if value != value else value


def _lea_chance(source: Source, part: str = "f1") -> float:
    if not source.both_hard or part == "f1":
        return math.nan
    o = source.statistic(DisjointOverlaps)
    judged, other = (o.a, o.b) if part == "precision" else (o.b, o.a)
    several = exact_total(judged[judged > 1])
    alone = int((judged == 1).sum()) * int((other == 1).sum()) / o.n
    return (several * o.pairs(other) / source.n_pairs + alone) / o.n


@of_disjoint(
    _lea, properties=by_part("symmetric", "separating"), source="Moosavi and Strube (2016)",
    chance=_lea_chance,
    words=words_of_parts("LEA", "coreference")
)
def lea_index(x: SourceLike, y: ClusteringLike | None = None, *, part: FScorePart = "f1") -> float:
    r"""LEA: share of the links of each cluster that are kept, weighted by its size.

    Parameters
    ----------
    x, y : clustering-like
        Hard clusterings of the same n >= 2 objects, or covers with disjoint clusters (mentions that
        a side lacks are in no cluster); or a `Joint` as x and no y. y is the key (the truth), x the
        response.
    part : {"f1", "precision", "recall"}, optional
        Precision is over the clusters of x, recall over those of y.

    Returns
    -------
    float
        From 0 to 1; 1 exactly for equal clusterings. nan, with a warning, where a side has no
        cluster.

    Raises
    ------
    ClusteringError
        If a side is of another kind, an object is in two clusters, the objects differ, or have
        weights.

    See Also
    --------
    muc_index
    blanc_index

    Notes
    -----
    .. math:: P = \frac{\sum_k a_k L_k}{\sum_k a_k}, \quad
              L_k = \frac{\sum_l T_{kl} (T_{kl} - 1)}{a_k (a_k - 1)}

    with the overlaps T and the sizes a of the clusters of x; a cluster of one object has L = 1
    where it is a cluster of y, else 0. Recall: sides exchanged. F is their harmonic mean.

    1 - F violates the triangle inequality from 5 objects on. The mean by chance is known for
    precision and recall of hard clusterings. Time O(n + cells).

    Theory: docs/theory/fields.md.

    References
    ----------
    N. S. Moosavi and M. Strube (2016), Which coreference evaluation metric do you trust? A proposal
    for a link-based entity aware metric, ACL 2016, 632-642.

    Examples
    --------
    >>> import softclust
    >>> softclust.lea_index([0, 0, 1, 1], [0, 0, 0, 0], part="recall")
    0.3333333333333333
    """
    check_choice("part", part, PARTS)
    return value_of(lea_index, x, y, part=part)


def _blanc_of(part: str, common: tuple[Any, Any], of_x: tuple[Any, Any], of_y: tuple[Any, Any]
              ) -> float:
    """Mean over the kinds of pairs (joined, separated) that y has; nan without any."""
    values = []
    for both, x, y in zip(common, of_x, of_y):
        if y:
            values.append(2 * both / (x + y) if part == "f1" else both / y if part == "recall"
                          else both / x if x else 0.0)
    return sum(values) / len(values) if values else math.nan


def _blanc(o: DisjointOverlaps, *, part: str = "f1") -> float:
    if o.same:
        return 1.0
    joined, in_x, in_y = (o.pairs(sizes) for sizes in (o.counts, o.a, o.b))
    all_x, all_y, both = (o.pairs(np.array([total])) for total in (o.in_x, o.in_y, o.shared))
    of_rows = np.bincount(o.rows, o.counts, o.a.size).astype(np.int64)
    of_cols = np.bincount(o.cols, o.counts, o.b.size).astype(np.int64)
    if o.self_weight is not None:   # weights: hard sides, whose margins are the sizes
        of_rows, of_cols = o.a, o.b
    apart = both - o.pairs(of_rows) - o.pairs(of_cols) + joined
    value = _blanc_of(part, (joined, apart), (in_x, all_x - in_x), (in_y, all_y - in_y))
    return warn_undefined("blanc_index", "y has no pair of objects") if value != value else value


def _blanc_chance(source: Source, part: str = "f1") -> float:
    if not source.both_hard:
        return math.nan
    o = source.statistic(DisjointOverlaps)
    in_x, in_y, pairs = o.pairs(o.a), o.pairs(o.b), source.n_pairs
    mean = in_x * in_y / pairs
    return _blanc_of(part, (mean, pairs - in_x - in_y + mean), (in_x, pairs - in_x),
                     (in_y, pairs - in_y))


@of_disjoint(
    _blanc, properties=by_part(), source="Recasens and Hovy (2011); Luo and others (2014)",
    chance=_blanc_chance, weight_degree=0,
    words=words_of_parts("BLANC", "coreference")
)
def blanc_index(x: SourceLike, y: ClusteringLike | None = None, *, part: FScorePart = "f1"
                ) -> float:
    r"""BLANC: mean of the scores of joined pairs and of separated pairs.

    Parameters
    ----------
    x, y : clustering-like
        Hard clusterings of the same n >= 2 objects, or covers with disjoint clusters (mentions that
        a side lacks are in no cluster); or a `Joint` as x and no y. y is the key (the truth), x the
        response. Not symmetric, even as F.
    part : {"f1", "precision", "recall"}, optional
        For each kind of pairs: common ones divided by those of x, by those of y, or F.

    Returns
    -------
    float
        From 0 to 1; 1 for equal clusterings. nan, with a warning, where y has no pair of objects.

    Raises
    ------
    ClusteringError
        If a side is of another kind, an object is in two clusters, or the objects differ.

    See Also
    --------
    rand_index
    lea_index
    conll_index

    Notes
    -----
    .. math:: F = \frac{1}{2} \left( \frac{2 |C_x \cap C_y|}{|C_x| + |C_y|}
              + \frac{2 |N_x \cap N_y|}{|N_x| + |N_y|} \right)

    with C the pairs joined and N the pairs separated by a side, within its own objects; a kind
    that y does not have is left out of the mean.

    The definition of the CoNLL scorer 8.01 for mentions that differ. Pairs of mentions of two
    documents would count: score each document, then average. The mean by chance is known for hard
    clusterings. Time O(n + cells).

    Theory: docs/theory/fields.md.

    References
    ----------
    M. Recasens and E. Hovy (2011), BLANC: implementing the Rand index for coreference evaluation,
    Natural Language Engineering 17, 485-510.
    X. Luo, S. Pradhan, M. Recasens and E. Hovy (2014), An extension of BLANC to system mentions,
    ACL 2014, 24-29.

    Examples
    --------
    >>> import softclust
    >>> softclust.blanc_index([0, 1, 2], [0, 0, 1]), softclust.blanc_index([0, 0, 1], [0, 1, 2])
    (0.4, 0.8)
    """
    check_choice("part", part, PARTS)
    return value_of(blanc_index, x, y, part=part)


def _conll(source: Source) -> float:
    o = source.statistic(DisjointOverlaps)
    if o.same:
        return 1.0
    with quiet():
        b = source.statistic(BCubed)
        value = (_muc(o) + harmonic("f1", b.precision, b.recall) + _ceaf(o)) / 3.0
    return warn_undefined("conll_index", "one of its parts is (0/0)") if value != value else value


@measure(
    Pair, _conll,
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    properties=("symmetric", "reflexive", "separating", "relabelling-invariant"),
    cost="as ceaf_index", source="Pradhan and others (2014)", in_compare=False,
    words=(Word("CoNLL", "coreference"),
           Word("CoNLL F1", "coreference"),)
)
def conll_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""CoNLL score: mean of the F-measures of MUC, BCubed and CEAF-E.

    Parameters
    ----------
    x, y : clustering-like
        Hard clusterings of the same n >= 2 objects, or covers with disjoint clusters (mentions that
        a side lacks are in no cluster); or a `Joint` as x and no y. y is the key (the truth), x the
        response.

    Returns
    -------
    float
        From 0 to 1; 1 exactly for equal clusterings. nan, with a warning, where one of the three
        is.

    Raises
    ------
    ClusteringError
        If a side is of another kind, an object is in two clusters, the objects differ, or have
        weights.

    See Also
    --------
    muc_index
    bcubed_index
    ceaf_index

    Notes
    -----
    .. math:: \frac{1}{3} \left( F_\mathrm{MUC} + F_\mathrm{BCubed} + F_\mathrm{CEAF-E} \right)

    Each F is the harmonic mean of its precision and recall.

    Identifiers of mentions and clusters must include the document. Scorers before version 8 changed
    the mentions of the response; version 8.01 and this function do not. CoNLL data have no clusters
    of one mention: `CoverClustering.drop_small` leaves them out of a response.

    Theory: docs/theory/fields.md.

    References
    ----------
    S. Pradhan, X. Luo, M. Recasens, E. Hovy, V. Ng and M. Strube (2014), Scoring coreference
    partitions of predicted mentions: a reference implementation, ACL 2014, 30-35.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.conll_index([0, 0, 1, 1], [0, 0, 0, 1]), 12)
    0.646405228758
    """
    return value_of(conll_index, x, y)
