"""Best overlaps of clusters.

Measures that let each cluster choose its best partner, and the distance in the lattice.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from .._checks import check_choice
from .._types import ClusteringLike, SourceLike
from ..clusterings.arrays import components
from ..measures import OF_CLASSES, Claim, Shares, Word, measure, value_of
from ..measures import limit_rules as rules
from ..measures.statistic import Source
from .best_choice import LargestCounts, nearly_tied
from .contingency import Contingency, by_rows
from .quotient import quotient


def purity(largest: LargestCounts) -> Any:
    """Share of the objects in the largest cell of their row."""
    return quotient(largest.of_x, largest.n, equal=largest.same, name="purity_index",
                    reason="x has no object in a cluster (0/0)")


@measure(
    LargestCounts, purity,
    sense="agreement", kinds=("hard", "cover"), bounds=(0.0, 1.0),
    properties=("reflexive", "relabelling-invariant"), cost="O(n + r s)",
    source="Zhao and Karypis (2004)", r="clue::cl_agreement(x, y, method = 'purity')",
    in_compare=False,
    weight_degree=0, limits=rules.of_classes_unless_hard(rules.Share(choice="rows")),
    words=(Word("cluster purity", "diarization"),
           Word("cluster coverage", "diarization", swap=True),
           Word("Meila-Heckerman", "networks"),
           Word("achievable segmentation accuracy", "segmentation"),
           Word("ASA", "segmentation"),
           Word("undersegmentation error", "segmentation", complement=True,
                note="corrected, 1 - ASA; others count whole superpixels"),),
    shares=Shares("partner", merge=False),
)
def purity_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Share of objects in the most frequent true class of their cluster (y is the truth).

    Parameters
    ----------
    x, y
        Not symmetric: x is evaluated, y is the truth.

    Returns
    -------
    float
        (1/n) sum over clusters k of x of max_l T_kl, from 0 to 1; of two hard clusterings above 0,
        and 1 exactly where x refines y. For covers n is the sum of the sizes of x's clusters, so
        that objects in no cluster of x (silence) do not count; nan, with a warning, if there are
        none.

    See Also
    --------
    wallace_index
    rough_purity_index

    Notes
    -----
    .. math:: \frac{1}{n} \sum_k \max_l T_{kl}

    with the contingency table T, its row sums a and column sums b.

    Time O(n + r s). R: ``clue::cl_agreement(x, y, method = "purity")``; ``mclust::classError`` is
    1 - the smaller of the two directions.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    Y. Zhao and G. Karypis (2004), Empirical and theoretical comparisons of selected criterion
    functions for document clustering, Machine Learning 55, 311-331.

    Examples
    --------
    >>> import softclust
    >>> softclust.purity_index([0, 0, 0, 1], [0, 0, 1, 2])
    0.75
    >>> softclust.purity_index([0, 0, 1, 2], [0, 0, 0, 1])
    1.0
    """
    return value_of(purity_index, x, y)


def _nearly_tied(source: Source) -> str:
    c = source.statistic(Contingency)
    tied = nearly_tied(c.rows, c.counts) or nearly_tied(c.cols, c.counts)
    return f"{OF_CLASSES}, and some cluster has two partners that are nearly as good" * tied


_SIDES = ("both", "x", "y")


def _van_dongen(largest: LargestCounts, *, side: str = "both") -> Any:
    outside = largest.n - largest.of_x if side != "y" else 0
    return outside + (largest.n - largest.of_y if side != "x" else 0)


@measure(
    LargestCounts, _van_dongen,
    sense="dissimilarity", kinds=("hard",),
    bounds=lambda source: (0.0, 2.0 * (source.total_weight - (not source.weighted))),
    properties=("symmetric", "metric",
                Claim(name="reflexive", options={"side": _SIDES}),
                Claim(name="relabelling-invariant", options={"side": _SIDES})), cost="O(n + r s)",
    source="van Dongen (2000)",
    r="partitionComparison::dongensMetric(methods::new('Partition', x_labels), "
      "methods::new('Partition', y_labels))", in_compare=False,
    weight_degree=1, limits=rules.LogScale(
        statistic=LargestCounts, formula=lambda largest: _van_dongen(largest) / (2 * largest.n),
        units=lambda source: 2.0 * source.n_objects, bounds=(0.0, 1.0), unless=_nearly_tied,
        unbiased=True),
    words=(Word("split-join", "networks", note="igraph gives both sides: side='x', side='y'"),),
    shares=(Shares("partner", options={"side": "both"}),
            Shares("partner", merge=False, options={"side": "x"}),
            Shares("partner", split=False, options={"side": "y"})),
)
def van_dongen_distance(x: SourceLike, y: ClusteringLike | None = None, *,
                        side: Literal["both", "x", "y"] = "both") -> int:
    r"""Objects outside the best partner of their cluster, counted from both sides.

    Parameters
    ----------
    side : {"both", "x", "y"}, optional
        Count from both sides, or only the objects outside the best partner of their cluster of x,
        n (1 - `purity_index`), or of y. The split-join distance of igraph is the sum of both.

    Returns
    -------
    int
        2 n - sum_k max_l T_kl - sum_l max_k T_kl, exact, from 0 (equal partitions) to less than
        2 n; from one side 0 where its clusters lie inside those of the other. Never undefined.

    See Also
    --------
    purity_index
    transfer_distance

    Notes
    -----
    .. math:: 2 n - \sum_k \max_l T_{kl} - \sum_l \max_k T_{kl}

    with the contingency table T, its row sums a and column sums b.

    A metric. Time O(n + r s). R: ``partitionComparison::dongensMetric`` (not on Debian).

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    S. van Dongen (2000), Performance criteria for graph clustering and Markov cluster
    experiments, report INS-R0012, CWI Amsterdam.

    Examples
    --------
    >>> import softclust
    >>> softclust.van_dongen_distance([0, 0, 1, 1], [0, 1, 1, 2])
    3
    """
    check_choice("side", side, _SIDES)
    return value_of(van_dongen_distance, x, y, side=side)


def _larsen_aone(c: Contingency) -> float:
    sizes = c.a.astype(np.float64)[c.rows] + c.b.astype(np.float64)[c.cols]
    best = by_rows(c, np.maximum, 2.0 * c.counts / sizes)
    return float(best.sum()) / best.shape[0]


@measure(
    Contingency, _larsen_aone, no_limits=OF_CLASSES,
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("reflexive", "separating", "relabelling-invariant"), cost="O(n + r s)",
    source="Larsen and Aone (1999)",
    r="partitionComparison::larsenAone(methods::new('Partition', x_labels), "
      "methods::new('Partition', y_labels))", in_compare=False,
    weight_degree=0,
)
def larsen_aone_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Mean over the clusters of x of the best F-measure with a cluster of y.

    Parameters
    ----------
    x, y
        Not symmetric: the mean is over the non-empty clusters of x (the classes in the article),
        with equal weights.

    Returns
    -------
    float
        mean_k max_l 2 T_kl / (a_k + b_l), above 0 and up to 1; 1 exactly for equal partitions.
        Never undefined.

    See Also
    --------
    purity_index
    pair_sets_index

    Notes
    -----
    .. math:: \frac{1}{r} \sum_k \max_l \frac{2 T_{kl}}{a_k + b_l}

    with the contingency table T, its row sums a and column sums b.

    Time O(n + r s). R: ``partitionComparison::larsenAone`` (not on Debian).

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    B. Larsen and C. Aone (1999), Fast and effective text mining using linear-time document
    clustering, KDD 1999, 16-22.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.larsen_aone_index([0, 0, 1, 1], [0, 0, 0, 1]), 12)
    0.733333333333
    """
    return value_of(larsen_aone_index, x, y)


def _lattice(c: Contingency) -> int:
    from scipy.sparse import coo_array
    edges = coo_array((np.ones(c.n_cells, np.int8), (c.rows, c.r + c.cols)),
                      shape=(c.r + c.s, c.r + c.s))
    parts, _ = components(edges)
    used = int(np.count_nonzero(c.a) + np.count_nonzero(c.b))
    # Empty clusters are components of their own.
    return used - 2 * (int(parts) - (c.r + c.s - used))


@measure(
    Contingency, _lattice, no_limits=OF_CLASSES,
    sense="dissimilarity", kinds=("hard",),
    bounds=lambda source: (0.0, float(source.n_objects - 1)),
    properties=("symmetric", "metric", "relabelling-invariant"), cost="O(n + r s)",
    source="Boorman and Arabie (1972), C", in_compare=False,
    abbreviations=("BA/C",),
    # Classes without a gap in their numbers: clue stops at others.
    r="clue::cl_dissimilarity(clue::as.cl_hard_partition(match(x_labels, unique(x_labels))), "
      "clue::as.cl_hard_partition(match(y_labels, unique(y_labels))), method = 'BA/C')",
    weight_degree=0,
)
def lattice_distance(x: SourceLike, y: ClusteringLike | None = None) -> int:
    r"""Minimum number of merges and splits of clusters that turn x into y.

    Returns
    -------
    int
        r + s - 2 (clusters of the `join`), r and s the numbers of non-empty clusters; from 0
        (equal partitions) to n - 1. Never undefined.

    See Also
    --------
    transfer_distance
    variation_of_information

    Notes
    -----
    .. math:: r + s - 2 \, |x \vee y|

    A metric: the length of the shortest path in the lattice of partitions, where a step merges two
    clusters or splits one. Clusters of the join are the connected components of the non-zero cells.
    Time O(n + r s). R: ``clue::cl_dissimilarity(x, y, method = "BA/C")``.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    S. A. Boorman and P. Arabie (1972), Structural measures and the method of sorting, in:
    R. N. Shepard et al., Multidimensional Scaling 1, 225-249.

    Examples
    --------
    >>> import softclust
    >>> softclust.lattice_distance([0, 0, 1, 1], [0, 1, 1, 2])
    3
    """
    return value_of(lattice_distance, x, y)
