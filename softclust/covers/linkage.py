"""Linkage and segmentation.

Clusters as a scorer of records or pixels sees them: disjoint, and an object may be absent
from a side. x is evaluated against the truth y.
"""

from __future__ import annotations

import functools
import math
from numbers import Real
from typing import Any, Literal

import numpy as np

from .._checks import check_choice, shown, warn_undefined
from .._types import ClusteringLike, FScorePart, SourceLike
from ..measures import Claim, Shares, Word, measure, value_of
from ..measures.limit_rules import NOT_SIMULATED, Like, NoLimits, only_soft
from ..measures.record import claims
from ..measures.statistic import Source
from ..tables.contingency import Contingency
from ..tables.entropy import TableInformation
from ..tables.quotient import quotient
from .disjoint import DisjointOverlaps, expected_cells

KINDS = ("hard", "cover")
PARTS = ("f1", "precision", "recall")

#: a measure of disjoint clusters
of_disjoint = functools.partial(
    measure, DisjointOverlaps, sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    cost="O(n + cells)", in_compare=False)


def by_part(*names: str, parts: tuple[str, ...] = PARTS) -> tuple[str | Claim, ...]:
    """Claims of a measure with parts: these for the default, two more for every part."""
    return (*names, *claims("reflexive", "relabelling-invariant", part=parts))


def words_of_parts(word: str, field: str, f1: str = "", note: str = "", **options: str
                   ) -> tuple[Word, ...]:
    """Words of a field for F, precision and recall."""
    return (Word(word + f1, field, options, note=note),
            *(Word(f"{word} {part}", field, {**options, "part": part}) for part in PARTS[1:]))


def of_sums(part: str, both: Any, of_x: Any, of_y: Any, *, name: str, same: Any) -> Any:
    """Precision, recall, or F of a common numerator and two denominators.

    `same` may be None for two hard clusterings, which are the same where all three are equal.
    """
    equal = (both == of_x) & (both == of_y) if same is None else same
    over = 2 * both if part == "f1" else both
    under = {"f1": of_x + of_y, "precision": of_x, "recall": of_y}[part]
    side = {"f1": "either side", "precision": "x", "recall": "y"}[part]
    return quotient(over, under, equal=equal, name=name,
                    reason=f"{side} has nothing to count (0/0)")


def _or_zero(part: Any, other: Any) -> Any:
    """A part; 0 where it is 0/0, as in sides with absent objects, and the other part is 0."""
    if isinstance(part, float):
        return 0.0 if math.isnan(part) and other == 0.0 else part
    return np.where(np.isnan(part) & (other == 0.0), 0.0, part) if isinstance(
        part, np.ndarray) else part


def harmonic(part: str, precision: Any, recall: Any) -> Any:
    """The part. F = 2 tp/(2 tp + fp + fn) is 0 where one part is, also if the other is 0/0."""
    if part == "f1":
        precision, recall = _or_zero(precision, recall), _or_zero(recall, precision)
        total = precision + recall
        return quotient(2.0 * precision * recall, total, equal=total == 0.0, at_equal=0.0, name="",
                        reason="")
    return precision if part == "precision" else recall


# -- pairs ----------------------------------------------------------------------------------------
def _pair_f(o: DisjointOverlaps, *, part: str = "f1", self_pairs: bool = False) -> Any:
    sums = o.squares if self_pairs else o.joined
    return of_sums(part, *sums, name="pair_f_index", same=o.same)


def _pair_f_chance(source: Source, part: str = "f1", self_pairs: bool = False) -> float:
    if not source.both_hard:
        return math.nan
    o = source.statistic(DisjointOverlaps)
    (_, in_x, in_y), pairs = o.joined, source.n_pairs
    mean, more = in_x * in_y / pairs, o.n * self_pairs / 2
    return of_sums(part, mean + more, in_x + more, in_y + more, name="pair_f_index",
                   same=not (in_x or in_y or more))


@of_disjoint(
    _pair_f, properties=by_part("symmetric"), chance=_pair_f_chance, weight_degree=0,
    limits=only_soft(Like(measure="jaccard_index", value=lambda j, source: 2.0 * j / (1.0 + j)),
                     NoLimits(reason=NOT_SIMULATED)),
    source="van Rijsbergen (1979); Arganda-Carreras and others (2015)",
    words=(Word("pair precision", "linkage", {"part": "precision"}),
           Word("pair recall", "linkage", {"part": "recall"}),
           Word("pair F1", "linkage", {"part": "f1"}),
           Word("pairwise F1", "linkage"),
           Word("pairwise precision", "linkage", {"part": "precision"}),
           Word("pairwise recall", "linkage", {"part": "recall"}),
           Word("adapted Rand error", "segmentation", complement=True,
                note="scikit-image exchanges precision and recall against its docstring"),
           Word("adapted Rand precision", "segmentation", {"part": "precision"}),
           Word("adapted Rand recall", "segmentation", {"part": "recall"}),),
    shares=(Shares("pairs", options={"self_pairs": False, "part": "f1"}),
            Shares("pairs", merge=False, options={"self_pairs": False, "part": "precision"}),
            Shares("pairs", split=False, options={"self_pairs": False, "part": "recall"})),
)
def pair_f_index(x: SourceLike, y: ClusteringLike | None = None, *, part: FScorePart = "f1",
                 self_pairs: bool = False) -> float:
    r"""Precision, recall or F-measure of the pairs that x joins; y is the truth.

    Parameters
    ----------
    x, y : clustering-like
        Hard clusterings of the same n >= 2 objects, or covers with disjoint clusters; or a `Joint`
        as x and no y. y is the truth.
    part : {"f1", "precision", "recall"}, optional
        Precision divides the pairs that both join by those of x, recall by those of y.
    self_pairs : bool, optional
        Whether an object also pairs with itself, as in the article on the Rand F-score.

    Returns
    -------
    float
        From 0 to 1; 1 for equal clusterings. nan, with a warning, where nothing is joined and the
        clusterings differ; F is 0 where only one side joins nothing.

    Raises
    ------
    ClusteringError
        If a side is of another kind, an object is in two clusters, or the objects differ.

    See Also
    --------
    wallace_index
    jaccard_index
    cluster_f_index

    Notes
    -----
    .. math:: P = \frac{n_{11}}{P_x}, \quad R = \frac{n_{11}}{P_y}, \quad
              F = \frac{2 n_{11}}{P_x + P_y}

    with the pairs joined by both (n11), by x and by y.

    "Pairwise" scores of record linkage; 1 - F is the adapted Rand error. Precision is
    `wallace_index` of (x, y), recall that of (y, x); F is 2J/(1 + J) with J the
    `jaccard_index`. Not a metric. Objects in no cluster of a side form no pair there; the mean by
    chance is known for hard clusterings. Time O(n + cells).

    Theory: docs/theory/fields.md.

    References
    ----------
    C. J. van Rijsbergen (1979), Information Retrieval, 2nd edition, Butterworths.
    I. Arganda-Carreras and others (2015), Crowdsourcing the creation of image segmentation
    algorithms for connectomics, Frontiers in Neuroanatomy 9, 142.

    Examples
    --------
    >>> import softclust
    >>> x, y = [0, 0, 1, 1, 1], [0, 0, 0, 1, 1]
    >>> softclust.pair_f_index(x, y), softclust.pair_f_index(x, y, part="precision")
    (0.5, 0.5)
    """
    check_choice("part", part, PARTS)
    return value_of(pair_f_index, x, y, part=part, self_pairs=bool(self_pairs))


# -- whole clusters -------------------------------------------------------------------------------
def _check_threshold(threshold: Any, *, none: bool) -> float | None:
    if threshold is None and none:
        return None
    if not isinstance(threshold, Real) or not 0.5 <= float(threshold) < 1.0:
        raise ValueError(f"threshold={shown(threshold)}; a number from 0.5 to below 1 is needed"
                         + (", or None for equal clusters" if none else "")
                         + ": below 0.5 a cluster could match several")
    return float(threshold)


def _jaccards(o: DisjointOverlaps) -> np.ndarray:
    return o.counts / (o.a[o.rows] + o.b[o.cols] - o.counts)


def _cluster_f(o: DisjointOverlaps, *, part: str = "f1", threshold: float | None = None) -> Any:
    hits = o.equal if threshold is None else int((_jaccards(o) > threshold).sum())
    return of_sums(part, hits, *o.clusters, name="cluster_f_index", same=o.same)


def _cluster_f_chance(source: Source, part: str = "f1", threshold: float | None = None) -> float:
    if not source.both_hard or threshold is not None:
        return math.nan
    o = source.statistic(DisjointOverlaps)
    (a, times), (b, more) = (np.unique(v, return_counts=True) for v in (o.a, o.b))
    common, at_x, at_y = np.intersect1d(a, b, return_indices=True)
    mean = math.fsum(int(p) * int(q) / math.comb(o.n, k) for k, p, q in
                     zip(common.tolist(), times[at_x], more[at_y]))
    return of_sums(part, mean, o.a.size, o.b.size, name="cluster_f_index", same=False)


@of_disjoint(
    _cluster_f, properties=by_part("symmetric", "separating"), chance=_cluster_f_chance,
    source="Menestrina, Whang, Garcia-Molina (2010)",
    words=(*words_of_parts("cluster", "linkage", " F1"),
           Word("RQ", "segmentation", {"threshold": 0.5}),
           Word("recognition quality", "segmentation", {"threshold": 0.5}),)
)
def cluster_f_index(x: SourceLike, y: ClusteringLike | None = None, *, part: FScorePart = "f1",
                    threshold: float | None = None) -> float:
    r"""Precision, recall or F-measure of recovered clusters; y is the truth.

    Parameters
    ----------
    x, y : clustering-like
        Hard clusterings of the same n >= 2 objects, or covers with disjoint clusters; or a `Joint`
        as x and no y. y is the truth.
    part : {"f1", "precision", "recall"}, optional
        Precision divides the clusters found by the number of clusters of x, recall by that of y.
    threshold : float, optional
        A cluster is found where its Jaccard overlap with a cluster of the other side is above
        this number, 0.5 or more; by default only where the two are equal.

    Returns
    -------
    float
        From 0 to 1; without `threshold` 1 exactly for equal clusterings. nan, with a warning,
        where a side that divides has no cluster.

    Raises
    ------
    ClusteringError
        If a side is of another kind, an object is in two clusters, or the objects differ.
    ValueError
        If `part` is not known, or `threshold` is not from 0.5 to below 1.

    See Also
    --------
    panoptic_index
    best_match_index

    Notes
    -----
    .. math:: F = \frac{2 \, |\{(k, l): J_{kl} > u\}|}{r + s}, \quad
              J_{kl} = \frac{T_{kl}}{a_k + b_l - T_{kl}}

    with the overlaps T of clusters of sizes a and b, and r and s the numbers of clusters; equal
    clusters have J = 1.

    Above 1/2 every cluster has at most one partner. Not a metric. Not defined for weighted objects.
    Time O(n + cells).

    Theory: docs/theory/fields.md.

    References
    ----------
    D. Menestrina, S. E. Whang and H. Garcia-Molina (2010), Evaluating entity resolution results,
    Proceedings of the VLDB Endowment 3, 208-219.

    Examples
    --------
    >>> import softclust
    >>> x, y = [0, 0, 1, 1, 1], [0, 0, 1, 1, 2]
    >>> softclust.cluster_f_index(x, y), softclust.cluster_f_index(x, y, threshold=0.5)
    (0.4, 0.8)
    """
    check_choice("part", part, PARTS)
    return value_of(cluster_f_index, x, y, part=part,
                    threshold=_check_threshold(threshold, none=True))


def _panoptic(o: DisjointOverlaps, *, part: str = "pq", threshold: float = 0.5) -> float:
    matched = _jaccards(o)
    matched = matched[matched > threshold]
    if o.same:
        return 1.0
    total = math.fsum(matched.tolist())
    if part == "sq":
        return total / matched.size if matched.size else warn_undefined(
            "panoptic_index", "no cluster of x matches one of y, so their mean overlap is 0/0")
    return (total if part == "pq" else matched.size) / ((o.a.size + o.b.size) / 2)


@of_disjoint(
    _panoptic, properties=by_part("symmetric", "separating", parts=("pq", "sq", "rq")),
    source="Kirillov and others (2019)", weight_degree=0,
    words=(Word("PQ", "segmentation"),
           Word("panoptic quality", "segmentation"),
           Word("SQ", "segmentation", {"part": "sq"}),
           Word("segmentation quality", "segmentation", {"part": "sq"}),)
)
def panoptic_index(x: SourceLike, y: ClusteringLike | None = None, *,
                   part: Literal["pq", "sq", "rq"] = "pq", threshold: float = 0.5) -> float:
    r"""Panoptic quality of segments: share of those found times their mean overlap.

    Parameters
    ----------
    x, y : clustering-like
        Hard clusterings of the same n >= 2 objects, or covers with disjoint clusters; or a `Joint`
        as x and no y. y is the truth.
    part : {"pq", "sq", "rq"}, optional
        Panoptic quality, or one of its factors: segmentation quality (the mean Jaccard overlap of
        matched clusters) and recognition quality (`cluster_f_index` with this threshold).
    threshold : float, optional
        Clusters match where their Jaccard overlap is above this number, 0.5 or more.

    Returns
    -------
    float
        From 0 to 1; 1 for equal clusterings. The part "sq" is nan, with a warning, where no
        cluster matches.

    Raises
    ------
    ClusteringError
        If a side is of another kind, an object is in two clusters, or the objects differ.
    ValueError
        If `part` is not known, or `threshold` is not from 0.5 to below 1.

    See Also
    --------
    cluster_f_index
    best_match_index

    Notes
    -----
    .. math:: \mathrm{PQ} = \frac{\sum_{J_{kl} > u} J_{kl}}{(r + s)/2}, \quad
              J_{kl} = \frac{T_{kl}}{a_k + b_l - T_{kl}}

    with the overlaps T of clusters of sizes a and b, and r and s the numbers of clusters.

    This is for one class of segments; average over classes yourself. No segment is ignored: say
    which label is the background with ``align(x, y, noise="uncovered", noise_label=0)``. Do not
    drop it: a predicted segment that spills into the background would lose the pixels outside.
    Not a metric. Time O(n + cells).

    Theory: docs/theory/fields.md.

    References
    ----------
    A. Kirillov, K. He, R. Girshick, C. Rother and P. Dollar (2019), Panoptic segmentation, CVPR
    2019, 9404-9413.

    Examples
    --------
    >>> import softclust
    >>> x, y = [0, 0, 1, 1, 1], [0, 0, 1, 1, 2]
    >>> round(softclust.panoptic_index(x, y), 12)
    0.666666666667
    """
    check_choice("part", part, ("pq", "sq", "rq"))
    return value_of(panoptic_index, x, y, part=part,
                    threshold=_check_threshold(threshold, none=False))


# -- splits and merges ----------------------------------------------------------------------------
_COSTS, _EVENTS = ("operations", "pairs", "information"), ("total", "split", "merge")


def _potential(o: DisjointOverlaps, sizes: np.ndarray, cost: str) -> Any:
    """Sum of h over groups of these sizes: h(u + v) - h(u) - h(v) is the cost of merging two."""
    return -sizes.size if cost == "operations" else o.pairs(sizes)


def _merge_split(o: DisjointOverlaps, *, cost: str = "operations", part: str = "total") -> Any:
    if cost == "information":   # in terms >= 0
        t = o.counts.astype(np.float64)
        split, merge = (0.0 if sizes.size == t.size else math.fsum(
            (t * np.log1p((sizes[places] - o.counts) / t)).tolist())
            for sizes, places in ((o.a, o.rows), (o.b, o.cols)))
    else:
        cells = _potential(o, o.counts, cost)
        split, merge = (_potential(o, sizes, cost) - cells for sizes in (o.a, o.b))
    return {"total": split + merge, "split": split, "merge": merge}[part]


def _merge_split_chance(source: Source, cost: str = "operations", part: str = "total") -> float:
    o = source.statistic(DisjointOverlaps)
    if cost == "information":
        c = source.statistic(Contingency)
        i = TableInformation(c)
        split, merge = o.n * (i.h_y - i.expected), o.n * (i.h_x - i.expected)
    else:
        cells = (-expected_cells(o) if cost == "operations"
                 else o.pairs(o.a) * o.pairs(o.b) / source.n_pairs)
        split, merge = (_potential(o, sizes, cost) - cells for sizes in (o.a, o.b))
    return float({"total": split + merge, "split": split, "merge": merge}[part])


@of_disjoint(
    _merge_split, sense="dissimilarity", kinds=("hard",), bounds=(0.0, None),
    properties=(*claims("symmetric", "separating", cost=_COSTS),
                Claim(name="metric", options={"cost": ("pairs", "information")},
                      condition='cost="pairs" or "information"'),
                *claims("reflexive", "relabelling-invariant", cost=_COSTS, part=_EVENTS)),
    source="Menestrina, Whang, Garcia-Molina (2010)", chance=_merge_split_chance,
    words=(Word("generalized merge distance", "linkage"),
           Word("GMD", "linkage"),),
    shares=tuple(
        Shares(base, split=part != "merge", merge=part != "split",
               options={"cost": cost, "part": part})
        for cost, base in (("operations", "operations"), ("pairs", "pairs"),
                           ("information", "information"))
        for part in _EVENTS),
)
def merge_split_dissimilarity(x: SourceLike, y: ClusteringLike | None = None, *,
                              cost: Literal["operations", "pairs", "information"] = "operations",
                              part: Literal["total", "split", "merge"] = "total") -> float:
    r"""Cost of splitting x into its cells with y and merging these into y.

    Parameters
    ----------
    cost : {"operations", "pairs", "information"}, optional
        Cost of merging or splitting groups of u and v objects: 1; u v; or
        (u+v) log(u+v) - u log u - v log v.
    part : {"total", "split", "merge"}, optional
        Both, only the splits, or only the merges.

    Returns
    -------
    float
        From 0; the total is 0 exactly for equal partitions. Numbers of operations and of pairs
        are integers; information is in nats. Never undefined.

    Raises
    ------
    ClusteringError
        If a side is not hard, the objects differ, or have weights.

    See Also
    --------
    lattice_distance
    symmetric_difference_distance
    variation_of_information

    Notes
    -----
    .. math:: \sum_k h(a_k) + \sum_l h(b_l) - 2 \sum_{kl} h(T_{kl})

    with the contingency table T of clusters of sizes a and b; h is -1 for each group
    (operations), u(u-1)/2 (pairs) or u log u (information).

    The generalized merge distance; the order of operations does not change it. Pairs: the
    `symmetric_difference_distance`; information: n times the `variation_of_information`. The number
    of operations is not a metric (with 4 objects the path through the cells can be a detour of 2)
    and is at least `lattice_distance`. Time O(n + cells).

    Theory: docs/theory/fields.md.

    References
    ----------
    D. Menestrina, S. E. Whang and H. Garcia-Molina (2010), Evaluating entity resolution results,
    Proceedings of the VLDB Endowment 3, 208-219.

    Examples
    --------
    >>> import softclust
    >>> softclust.merge_split_dissimilarity([0, 0, 1, 1], [0, 1, 1, 2])
    3
    """
    check_choice("cost", cost, _COSTS)
    check_choice("part", part, _EVENTS)
    return value_of(merge_split_dissimilarity, x, y, cost=cost, part=part)


def _orphans(o: DisjointOverlaps) -> int:
    """Number of clusters of a side that are nearest to no cluster of the other; the larger side."""
    jaccards = _jaccards(o)
    counts = []
    for places, other, size, sizes in ((o.rows, o.cols, o.b.size, o.a.size),
                                       (o.cols, o.rows, o.a.size, o.b.size)):
        best = np.zeros(sizes)
        np.maximum.at(best, places, jaccards)
        reached = np.zeros(size, np.bool_)
        reached[other[jaccards == best[places]]] = True
        counts.append(size - int(reached.sum()))
    return max(counts)


@of_disjoint(
    _orphans, sense="dissimilarity",
    bounds=lambda source: (0.0, float(max(source.n_clusters))),
    properties=("symmetric", "reflexive", "relabelling-invariant"),
    source="Franti, Rezaei, Zhao (2014)",
    words=(Word("centroid index", "networks"),
           Word("CI", "networks",
                note="with the centroids of k-means the nearest are found by distance"),)
)
def orphan_clusters_dissimilarity(x: SourceLike, y: ClusteringLike | None = None) -> int:
    r"""Number of clusters that are not the nearest one of any cluster on the other side.

    Parameters
    ----------
    x, y : clustering-like
        Hard clusterings of the same n >= 2 objects, or covers with disjoint clusters; or a `Joint`
        as x and no y.

    Returns
    -------
    int
        The larger of both directions, from 0. Often 0 for clusterings that differ. Never
        undefined.

    Raises
    ------
    ClusteringError
        If a side is of another kind, an object is in two clusters, the objects differ, or have
        weights.

    See Also
    --------
    pair_sets_index
    best_match_index

    Notes
    -----
    .. math:: \max \left( |\{l: l \notin N(k) \; \forall k\}|, \;
              |\{k: k \notin N(l) \; \forall l\}| \right)

    with N(k) the clusters of the other side that have the largest Jaccard overlap with k.

    This is the centroid index computed from labels. Where several clusters are equally near, all of
    them count as nearest, so the order of clusters does not matter. The triangle inequality fails.
    Time O(n + cells).

    Theory: docs/theory/fields.md.

    References
    ----------
    P. Franti, M. Rezaei and Q. Zhao (2014), Centroid index: cluster level similarity measure,
    Pattern Recognition 47, 3034-3045.

    Examples
    --------
    >>> import softclust
    >>> softclust.orphan_clusters_dissimilarity([0, 0, 0, 0], [0, 0, 1, 1])
    0
    >>> softclust.orphan_clusters_dissimilarity([0, 0, 0, 0, 1], [0, 0, 0, 1, 2])
    1
    """
    return value_of(orphan_clusters_dissimilarity, x, y)
