"""Shares of pairs, one side as reference.

Shares of the joined pairs of x that y keeps together: pair counting that is not symmetric.
"""

from __future__ import annotations

import numpy as np

from .._checks import warn_undefined
from .._types import ClusteringLike, SourceLike
from ..measures import OF_CLASSES, Shares, measure, value_of
from ..measures import limit_rules as rules
from .contingency import Contingency, by_rows
from .pair_counts import PairCounts
from .quotient import quotient

#: products of counts fit int64 up to this number of objects
_PRODUCTS_FIT = 3_037_000_499


@measure(
    PairCounts, lambda p: quotient(p.n11, p.in_x, equal=p.equal, name="wallace_index",
                                   reason="no pair of objects is together in x (0/0)"),
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("reflexive", "relabelling-invariant"), cost="O(n + r s)",
    source="Wallace (1983)",
    r="partitionComparison::wallaceI(methods::new('Partition', x_labels), "
      "methods::new('Partition', y_labels))",
    in_compare=False,
    weight_degree=0, linear="rows", limits=rules.WALLACE,
    shares=Shares("pairs", merge=False),
)
def wallace_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Share of the pairs of objects joined by x that y joins too.

    Parameters
    ----------
    x, y
        Not symmetric: x is the reference.

    Returns
    -------
    float
        n11 / (n11 + n10), from 0 to 1; 1 exactly where x refines y. Undefined, nan with a
        warning, when x is all singletons and y is not.

    See Also
    --------
    fowlkes_mallows_index
    prediction_strength_index

    Notes
    -----
    .. math:: \frac{n_{11}}{n_{11} + n_{10}}

    with the numbers of pairs of objects together in both (n11), in x only (n10), in y only (n01)
    and in neither (n00).

    The geometric mean of both directions is `fowlkes_mallows_index`. Time O(n + r s). R:
    ``partitionComparison::wallaceI``; ``wallaceII`` is ``wallace_index(y, x)`` (not on Debian).

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    D. L. Wallace (1983), comment on Fowlkes and Mallows, Journal of the American Statistical
    Association 78, 569-576.

    Examples
    --------
    >>> import softclust
    >>> softclust.wallace_index([0, 0, 1, 1], [0, 0, 1, 2])
    0.5
    >>> softclust.wallace_index([0, 0, 1, 2], [0, 0, 1, 1])
    1.0
    """
    return value_of(wallace_index, x, y)


def _prediction_strength(c: Contingency) -> float:
    if c.same_partition:
        return 1.0
    counts, sizes = c.counts, c.a[c.a > 0]
    shares: list[float] = []
    if c.own_rows is not None:
        # Objects with weights w: sums of w_i w_j over the pairs of distinct objects.
        single, objects = c.own_rows
        squares = [0] * c.r
        for row, count in zip(c.rows.tolist(), counts.tolist()):
            squares[row] += count * count
        shares = [(squares[k] - single[k]) / (a * a - single[k])
                  for k, a in enumerate(c.a.tolist()) if objects[k] > 1]
    if not (shares if c.own_rows is not None else (sizes > 1).any()):
        return warn_undefined("prediction_strength_index", "every cluster of x has a single "
                              "object, so there is no pair to keep")
    if shares:
        return min(shares)
    if c.n > _PRODUCTS_FIT:
        counts, sizes = counts.astype(object), sizes.astype(object)
    joined = by_rows(c, np.add, counts * (counts - 1))
    pairs = sizes * (sizes - 1)
    return float(min(k / p for k, p in zip(joined.tolist(), pairs.tolist()) if p))


@measure(
    Contingency, _prediction_strength, no_limits=OF_CLASSES,
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("reflexive", "relabelling-invariant"), cost="O(n + r s)",
    source="Tibshirani and Walther (2005)", r="clue::cl_agreement(x, y, method = 'PS')",
    in_compare=False,
    weight_degree=0,
)
def prediction_strength_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Share of the pairs in the worst cluster of x that y keeps together.

    Parameters
    ----------
    x, y
        Not symmetric: the clusters are those of x, the prediction is y.

    Returns
    -------
    float
        Smallest share of joined pairs over the clusters of x with at least 2 objects, from 0 to 1;
        1 exactly where x refines y. Undefined, nan with a warning, when x is all singletons and
        y is not.

    See Also
    --------
    wallace_index
    purity_index

    Notes
    -----
    .. math:: \min_k \frac{\sum_l T_{kl} (T_{kl} - 1)}{a_k (a_k - 1)}

    with the contingency table T, its row sums a and column sums b.

    The minimum is over the clusters of x with at least 2 objects. Time O(n + r s). R:
    ``clue::cl_agreement(x, y, method = "PS")`` (Inf there for all singletons).

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    R. Tibshirani and G. Walther (2005), Cluster validation by prediction strength, Journal of
    Computational and Graphical Statistics 14, 511-528.

    Examples
    --------
    >>> import softclust
    >>> softclust.prediction_strength_index([0, 0, 0, 1, 1], [0, 0, 1, 1, 1])
    0.3333333333333333
    """
    return value_of(prediction_strength_index, x, y)
