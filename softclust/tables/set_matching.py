"""Clusters matched one to one.

Measures that match the clusters of one side to clusters of the other, one to one.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from .._checks import check_alpha, check_choice, warn_undefined
from .._types import ClusteringLike, SourceLike
from ..measures import KINDS, OF_CLASSES, Answer, Claim, RCall, Shares, measure, value_of
from ..measures import limit_rules as rules
from ..measures.statistic import Source
from ..memberships.joint_table import without_ambiguity
from ..memberships.matched_columns import MatchingCosts
from ..results.records import Interval
from .contingency import Contingency
from .matching import MatchedObjects, best_matched


@measure(
    MatchedObjects, lambda m: m.moved / (m.n - 1),
    sense="dissimilarity", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "metric", "relabelling-invariant"),
    cost="O(n + r s min(r, s))", source="Campagner, Ciucci, Denoeux 2023, section 2.3.2",
    r="clue::cl_dissimilarity(x, y, method = 'BA/A') / (length(x_labels) - 1)", limits=rules.Share(
        choice="matching",
        value=lambda p, source: (1.0 - p) * (source.n_objects / (source.n_objects - 1))),
    linear="matched", answers=(Answer("metric", 2, "share of objects to move; easy to explain"),),
    shares=Shares("matching"),
)
def partition_distance(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Objects that must change their cluster to turn x into y, divided by n - 1.

    Returns
    -------
    float
        (n - matched) / (n - 1), where `matched` is the largest number of objects that a
        one-to-one matching of clusters of x to clusters of y can keep: from 0 (exactly for equal
        partitions) to 1 (one cluster against all singletons). Never undefined.

    See Also
    --------
    transfer_distance
    alpha_partition_dissimilarity

    Notes
    -----
    .. math:: \frac{n - \max_\tau \sum_k T_{k \tau(k)}}{n - 1}

    with the contingency table T, its row sums a and column sums b.

    A metric. It is below 1 unless one side is one cluster and the other all singletons. Time O(n +
    r s min(r, s)) for r and s clusters; for many clusters the matching works only on the non-zero
    cells. R: ``clue::cl_dissimilarity(x, y, method = "BA/A")`` is (n - 1) times this.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    D. Gusfield (2002), Partition-distance: a problem and class of perfect graphs arising in
    clustering, Information Processing Letters 82, 159-164.

    Examples
    --------
    >>> import softclust
    >>> softclust.partition_distance([0, 0, 1, 1], [0, 0, 1, 2])
    0.3333333333333333
    """
    return value_of(partition_distance, x, y)


@measure(
    MatchedObjects, lambda m: m.moved,
    sense="dissimilarity", kinds=("hard",),
    bounds=lambda source: (0.0, float(source.total_weight - (not source.weighted))),
    properties=("symmetric", "metric", "relabelling-invariant"),
    cost="O(n + r s min(r, s))", source="Regnier (1965); Boorman and Arabie (1972), A",
    r=("clue::cl_dissimilarity(x, y, method = 'BA/A')",
       # which stops for one class against one
       "if (all(x_labels == x_labels[1]) && all(y_labels == y_labels[1])) 0 else "
       "length(x_labels) * partitionComparison::classificationErrorDistance("
       "methods::new('Partition', x_labels), methods::new('Partition', y_labels))"),
    in_compare=False,
    weight_degree=1, linear="matched", limits=rules.Share(
        choice="matching", value=lambda p, source: (1.0 - p) * source.n_objects),
    answers=(Answer("move", 1, "their number"),),
    shares=Shares("matching"),
)
def transfer_distance(x: SourceLike, y: ClusteringLike | None = None) -> int:
    r"""Number of objects that must change their cluster to turn x into y.

    Returns
    -------
    int
        n - matched, exact, where `matched` is the largest number of objects that a one-to-one
        matching of clusters can keep: from 0 (equal partitions) to n - 1. Never undefined.

    See Also
    --------
    partition_distance
    lattice_distance

    Notes
    -----
    .. math:: n - \max_\tau \sum_k T_{k \tau(k)}

    with the contingency table T, its row sums a and column sums b.

    A metric, (n - 1) times `partition_distance`. Time O(n + r s min(r, s)) for r and s clusters;
    for many clusters the matching works only on the non-zero cells. R:
    ``clue::cl_dissimilarity(x, y, method = "BA/A")``;
    ``partitionComparison::classificationErrorDistance`` is this divided by n.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    S. Regnier (1965), Sur quelques aspects mathematiques des problemes de classification
    automatique, ICC Bulletin 4, 175-191.
    S. A. Boorman, P. Arabie (1972), Structural measures and the method of sorting, in: R. N.
    Shepard et al., Multidimensional Scaling 1, 225-249.

    Examples
    --------
    >>> import softclust
    >>> softclust.transfer_distance([0, 0, 1, 1], [0, 1, 1, 2])
    2
    """
    return value_of(transfer_distance, x, y)


def _normalized_accuracy(m: MatchedObjects, share: float | None = None) -> float:
    c = max(m.n_used)
    if c == 1:
        return 1.0
    return ((c * m.matched - m.n) / (m.n * (c - 1)) if share is None   # of whole numbers
            else (c * share - 1.0) / (c - 1))


@measure(
    MatchedObjects, _normalized_accuracy,
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "reflexive", "separating", "relabelling-invariant"),
    cost="O(n + r s min(r, s))", source="Gagolewski (2023), normalised clustering accuracy",
    # renamed after genieclust 1.1.3
    r="(if ('normalized_pivoted_accuracy' %in% getNamespaceExports('genieclust')) "
      "genieclust::normalized_pivoted_accuracy else genieclust::normalized_accuracy)"
      "(x_labels, y_labels)",
    in_compare=False,
    weight_degree=0, limits=rules.Share(
        choice="matching", unless=rules.unseen_clusters,
        value=lambda p, source: _normalized_accuracy(source.statistic(MatchedObjects), p)),
)
def normalized_accuracy_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Share of the objects in matched clusters, rescaled to run from 0 to 1.

    Returns
    -------
    float
        (C - 1/c) / (1 - 1/c) with C = `coclassification_index` and c the larger number of
        non-empty clusters, from 0 to 1; 1 exactly for equal partitions, also for one cluster.
        Never undefined.

    See Also
    --------
    adjusted_asymmetric_accuracy_index
    coclassification_index

    Notes
    -----
    .. math:: \frac{A - 1/c}{1 - 1/c}, \quad A = \frac{1}{n} \max_\tau \sum_k T_{k \tau(k)}

    with the contingency table T, its row sums a and column sums b.

    Time O(n + r s min(r, s)); with many clusters only the non-zero cells are used. R:
    ``genieclust::normalized_accuracy`` of the contingency table (not on Debian).

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    M. Gagolewski (2023), Normalised clustering accuracy: an asymmetric external cluster validity
    measure, arXiv 2209.02935.

    Examples
    --------
    >>> import softclust
    >>> softclust.normalized_accuracy_index([0, 0, 1, 1], [0, 0, 0, 1])
    0.5
    """
    return value_of(normalized_accuracy_index, x, y)


def _matched_kappa(c: Contingency) -> float:
    if c.same_partition:
        return 1.0
    from scipy.optimize import linear_sum_assignment
    table = c.dense()[c.a > 0][:, c.b > 0].astype(np.int64)
    chance = np.multiply.outer(table.sum(axis=1), table.sum(axis=0))
    # Chance counts only between equal traces; up to 2e5 objects these are whole numbers of floats.
    pairs = linear_sum_assignment(table * (c.n**2 + 1.0) - chance, maximize=True)
    observed, expected = int(table[pairs].sum()), int(chance[pairs].sum())
    return (c.n * observed - expected) / (c.n**2 - expected)


@measure(
    Contingency, _matched_kappa, no_limits=OF_CLASSES,
    sense="agreement", kinds=("hard",), bounds=(-1.0, 1.0),
    properties=("symmetric", "reflexive", "separating", "relabelling-invariant"),
    cost="O(n + r s min(r, s))", source="Cohen (1960), after matching the clusters",
    in_compare=False,
    weight_degree=0,
)
def matched_kappa_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Cohen's kappa of two clusterings whose clusters were matched one to one.

    Returns
    -------
    float
        From -1 to 1, exactly for equal partitions; 0 for the agreement of independent labels with
        these names and sizes. Negative values are possible, because the matching keeps the most
        objects, not the largest kappa.

    Raises
    ------
    ClusteringError
        If a side is not hard, the objects differ, or the table is too large to be filled.

    See Also
    --------
    match_clusters : the matching, whose `kappa` is this one where no other keeps as many objects.
    adjusted_rand_index : needs no matching.

    Notes
    -----
    .. math::

        \frac{p - p_0}{1 - p_0}, \quad p = \frac{1}{n} \sum_k T_{k \tau(k)}, \quad
        p_0 = \frac{1}{n^2} \sum_k a_k b_{\tau(k)}

    with the contingency table T, its row sums a and column sums b, and tau the one-to-one pairs of
    clusters with the largest p; of several the one with the largest kappa. Clusters without a
    partner count as different.

    Kappa corrects for chance as if the matching were given, so it is positive on average for
    independent labels, too. Codes that have a meaning need no matching: take
    ``statsmodels.stats.inter_rater.cohens_kappa``. R: ``irr::kappa2`` of the matched labels.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    J. Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological
    Measurement 20, 37-46.

    Examples
    --------
    >>> import softclust
    >>> softclust.matched_kappa_index([0, 0, 0, 1, 1, 1], ["b", "b", "a", "a", "a", "a"])
    0.6666666666666666
    """
    return value_of(matched_kappa_index, x, y)


def _asymmetric_accuracy(c: Contingency) -> float:
    if c.same_partition:
        return 1.0
    r = c.n_used[0]
    if r == 1:
        return warn_undefined("adjusted_asymmetric_accuracy_index", "x is one cluster (0/0)")
    return (best_matched(c, c.counts / c.a[c.rows]) - 1.0) / (r - 1)


@measure(
    Contingency, _asymmetric_accuracy, no_limits=OF_CLASSES,
    sense="agreement", kinds=("hard",), bounds=(-1.0, 1.0),
    properties=("reflexive", "separating", "relabelling-invariant"),
    cost="O(n + r s min(r, s))", source="Gagolewski (2023), adjusted asymmetric accuracy",
    # renamed after genieclust 1.1.3
    r="(if ('normalized_clustering_accuracy' %in% getNamespaceExports('genieclust')) "
      "genieclust::normalized_clustering_accuracy else genieclust::adjusted_asymmetric_accuracy)"
      "(x_labels, y_labels)",
    in_compare=False,
    weight_degree=0,
)
def adjusted_asymmetric_accuracy_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Mean share of each cluster of x that its partner in y recovers, rescaled so that 1/r is 0.

    Parameters
    ----------
    x, y
        Not symmetric: x is the reference with r non-empty clusters; all of them weigh the same.

    Returns
    -------
    float
        (m - 1/r) / (1 - 1/r) with m the largest mean of T_kl / a_k over one-to-one pairs of
        clusters, from -1 to 1; 1 exactly for equal partitions. Undefined, nan with a warning,
        when x is one cluster and y is not.

    See Also
    --------
    normalized_accuracy_index
    pair_sets_index

    Notes
    -----
    .. math::

        \frac{m - 1/r}{1 - 1/r}, \quad m = \max_\tau \frac{1}{r} \sum_k \frac{T_{k \tau(k)}}{a_k}

    with the contingency table T, its row sums a and column sums b.

    The maximum is over one-to-one pairs of clusters; clusters of x without a partner count 0. Time
    O(n + r s min(r, s)); with many clusters only the non-zero cells are used. R:
    ``genieclust::adjusted_asymmetric_accuracy`` of the contingency table (not on Debian; -Inf
    there for r = 1).

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    M. Gagolewski (2023), Normalised clustering accuracy: an asymmetric external cluster validity
    measure, arXiv 2209.02935.

    Examples
    --------
    >>> import softclust
    >>> softclust.adjusted_asymmetric_accuracy_index([0, 0, 0, 0, 1], [0, 0, 0, 1, 1])
    0.75
    """
    return value_of(adjusted_asymmetric_accuracy_index, x, y)


def _pair_sets(c: Contingency, *, simplified: bool = False) -> float:
    if c.same_partition:
        return 1.0
    a, b = (np.sort(sizes[sizes > 0])[::-1] for sizes in (c.a, c.b))
    expected = 1.0
    if not simplified:
        # a b / max(a, b) = min(a, b)
        expected = int(np.minimum(a[:b.shape[0]], b[:a.shape[0]]).sum()) / c.n
    overlap = best_matched(c, c.counts / np.maximum(c.a[c.rows], c.b[c.cols]))
    return max(0.0, (overlap - expected) / (max(a.shape[0], b.shape[0]) - expected))


@measure(
    Contingency, _pair_sets, no_limits=OF_CLASSES,
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=(
        Claim(name="symmetric", options={"simplified": (False, True)}),
        Claim(name="reflexive", options={"simplified": (False, True)}),
        Claim(name="separating", options={"simplified": (False, True)}),
        Claim(name="relabelling-invariant", options={"simplified": (False, True)}),
    ),
    cost="O(n + r s min(r, s))", source="Rezaei and Franti (2016)",
    r=("genieclust::pair_sets_index(x_labels, y_labels)",
       RCall("genieclust::pair_sets_index(x_labels, y_labels, simplified = TRUE)",
             {"simplified": True})), in_compare=False,
    weight_degree=0,
    abbreviations=("PSI",),
)
def pair_sets_index(x: SourceLike, y: ClusteringLike | None = None, *, simplified: bool = False
                    ) -> float:
    r"""Overlap of matched clusters relative to the larger of the two, corrected for chance.

    Parameters
    ----------
    simplified : bool
        Whether to subtract 1 instead of the overlap expected by chance.

    Returns
    -------
    float
        max(0, (w - E) / (c - E)), from 0 to 1; 1 exactly for equal partitions. Never undefined.

    See Also
    --------
    normalized_accuracy_index
    adjusted_asymmetric_accuracy_index

    Notes
    -----
    .. math::

        \max \left( 0, \frac{w - E}{c - E} \right), \quad w = \max_\tau \sum_k \frac{T_{k
        \tau(k)}}{\max(a_k, b_{\tau(k)})}

    with the contingency table T, its row sums a and column sums b.

    The maximum is over one-to-one pairs of clusters; c is the larger number of non-empty clusters.
    E = sum_i a_(i) b_(i) / (n max(a_(i), b_(i))), where a_(i) and b_(i) are the i-th largest
    cluster sizes and i runs from 1 to min(r, s); ``simplified`` takes E = 1. Values below chance
    are set to 0, so the index is not 0 on average for random clusterings. Time O(n + r s min(r,
    s)); with many clusters only the non-zero cells are used. R: ``genieclust::pair_sets_index`` of
    the contingency table (not on Debian).

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    M. Rezaei and P. Franti (2016), Set matching measures for external cluster validity, IEEE
    Transactions on Knowledge and Data Engineering 28, 2173-2186.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.pair_sets_index([0, 0, 1, 1], [0, 0, 0, 1]), 12)
    0.333333333333
    """
    return value_of(pair_sets_index, x, y, simplified=simplified)


def _delta_bounds(source: Source) -> tuple[float, float]:
    """Bounds on the value; a random matching of memberships gets 1/c of the objects right."""
    if source.both_hard:
        return 0.0, 1.0
    c, n = max(source.n_clusters), source.n_objects
    factor = (c - 1) / c if set(source.kinds) <= {"hard", "fuzzy"} else c / 2
    return 0.0, factor * n / (n - 1)


_ALPHAS = (0.0, 0.2, 0.5, 0.8, 1.0)


def _alpha_partition(costs: MatchingCosts, *, alpha: float = 0.5,
                     denominator: str = "2(n-1)") -> Any:
    """Smallest total cost of matching clusters one to one, divided."""
    check_choice("denominator", denominator, ("2(n-1)", "2n"))
    n = costs.n_objects
    return costs.matched(check_alpha(alpha)) / (2 * n if denominator == "2n" else 2 * (n - 1))


@measure(
    MatchingCosts, _alpha_partition,
    sense="dissimilarity", kinds=KINDS, bounds=_delta_bounds, cost="O(n (f c + c^2) + c^3)",
    source="Campagner, Ciucci, Denoeux 2023, eq. 30",
    properties=(
        Claim(name="symmetric", options={"alpha": _ALPHAS}),
        Claim(name="reflexive", options={"alpha": _ALPHAS}),
        Claim(name="relabelling-invariant", options={"alpha": _ALPHAS}),
        Claim(name="metric", options={"alpha": (0.5, 0.75, 1.0)}, max_clusters=3,
              condition="alpha >= 1/2, at most 3 clusters"),
        Claim(name="pseudo-metric", options={"alpha": (0.5, 0.75, 1.0)}, condition="alpha >= 1/2"),
        Claim(name="monotone-in-alpha"),
        Claim(name="reduces-to", target="partition_distance", options={"alpha": _ALPHAS}),
    ),
    limits=rules.MATCHED_MASSES,
    answers=(Answer("metric", 5, "objects to move; pseudo-metric for alpha >= 1/2"),),
)
def alpha_partition_dissimilarity(x: SourceLike, y: ClusteringLike | None = None, *,
                                  alpha: float = 0.5,
                                  denominator: Literal["2(n-1)", "2n"] = "2(n-1)") -> float:
    r"""Partition distance of soft clusterings, with alpha as the cost of ambiguity.

    Parameters
    ----------
    x, y
        The side with fewer clusters gets empty ones.
    alpha : float
        In [0, 1]. 0 forgives ambiguity, 1 counts it as an error.
    denominator : {"2(n-1)", "2n"}
        "2n" reproduces the numbers printed in example 4.3 and Table 2 of the paper.

    Returns
    -------
    float
        In [0, c n / (2(n-1))], c the larger number of clusters; 0 for equal clusterings. It is
        not normalised: values above 1 occur for very ambiguous clusterings.

    Raises
    ------
    ClusteringError
        If alpha is outside [0, 1], n differs or is below 2.
    ValueError
        If `denominator` is not known.

    See Also
    --------
    alpha_partition_interval
    partition_distance

    Notes
    -----
    .. math:: d_\alpha = \frac{1}{2(n-1)} \min_\tau \sum_k \sum_i r_\alpha(m_{ik}, m'_{i \tau(k)})

    with r_alpha the dissimilarity of the masses of object i on {k, not k}, and tau a matching of
    the clusters.

    Equations 26 to 30 of the paper. One pass gives the costs for every alpha, O(n (f c + c^2))
    time and O(c^2) memory; the matching is `scipy.optimize.linear_sum_assignment`, O(c^3).

    A cluster that neither side uses adds nothing, unless the masses on the empty set differ: then
    it adds sum_i |e_i - e'_i| / (2(n-1)), because eq. 30 sums over all c clusters.

    With at most 3 clusters it is a metric when alpha >= 1/2. With 4 or more, different clusterings
    can be at distance 0, against theorem 4.6 of the paper.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    A. Campagner, D. Ciucci, T. Denoeux, "A general framework for evaluating and comparing soft
    clusterings", Information Sciences 623 (2023) 70-93.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> round(softclust.alpha_partition_dissimilarity([0, 0, 1, 1], x), 4)
    0.1667
    """
    return value_of(alpha_partition_dissimilarity, x, y, alpha=alpha, denominator=denominator)


@measure(
    MatchingCosts, lambda costs, *, denominator="2(n-1)": Interval(
        _alpha_partition(costs, alpha=0.0, denominator=denominator),
        _alpha_partition(costs, alpha=1.0, denominator=denominator)),
    sense="dissimilarity", kinds=KINDS, bounds=_delta_bounds, cost="O(n (f c + c^2) + c^3)",
    source="Campagner, Ciucci, Denoeux 2023, eq. 30",
    properties=("symmetric", "relabelling-invariant",
                Claim(name="reduces-to", target="partition_distance")),
    limits=rules.MATCHED_MASSES,
    answers=(Answer("move", 2, "share of n - 1 objects, ambiguity forgiven or not"),
             Answer("fast", 4, "no pairs are visited")),
    same_as=without_ambiguity("alpha_partition_dissimilarity"),
)
def alpha_partition_interval(x: SourceLike, y: ClusteringLike | None = None, *,
                             denominator: Literal["2(n-1)", "2n"] = "2(n-1)") -> Interval:
    r"""Interval of the alpha partition dissimilarity from alpha = 0 (lenient) to 1 (strict).

    Parameters
    ----------
    denominator : {"2(n-1)", "2n"}
        As in `alpha_partition_dissimilarity`.

    Returns
    -------
    Interval
        low = value at alpha 0, high = value at alpha 1.

    Raises
    ------
    ClusteringError, ValueError
        As in `alpha_partition_dissimilarity`.

    See Also
    --------
    alpha_partition_dissimilarity
    alpha_rand_interval

    Notes
    -----
    .. math::

        \left[ d_0, d_1 \right], \quad d_\alpha = \frac{1}{2(n-1)} \min_\tau \sum_k \sum_i
        r_\alpha(m_{ik}, m'_{i \tau(k)})

    with r_alpha the dissimilarity of the masses of object i on {k, not k}, and tau a matching of
    the clusters.

    Each end has its own best pairing of clusters. A point for two hard and for two fuzzy
    clusterings [proposition 4.5]. Time and memory as for one value.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    A. Campagner, D. Ciucci, T. Denoeux (2023), A general framework for evaluating and comparing
    soft clusterings, Information Sciences 623, 70-93.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> softclust.alpha_partition_interval([0, 0, 1, 1], x, denominator="2n")
    Interval(low=0.0, high=0.25)
    """
    return value_of(alpha_partition_interval, x, y, denominator=denominator)
