"""Information, hard clusterings.

Information measures of two hard clusterings, in nats.

M. Meila (2007), Comparing clusterings: an information based distance, Journal of Multivariate
Analysis 98, 873-895; N. X. Vinh, J. Epps, J. Bailey (2010), Information theoretic measures for
clusterings comparison, Journal of Machine Learning Research 11, 2837-2854.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._checks import check_choice
from .._types import ArrayLike, Average, AverageOrJoint, ClusteringLike, NullModel, Side, SourceLike
from ..measures import Answer, Claim, RCall, Shares, measure, value_of
from ..measures import limit_rules as rules
from ..measures.joint import as_source
from . import entropy as information
from .entropy import Information, adjusted_bounds, mutual_bounds, variation_bounds
from .partition_models import FIXED, check_model, sides
from .quotient import largest, least, quotient, root
from .strata import adjusted_mutual_information as stratified_information
from .strata import check_unmodelled, strata_of

_AVERAGES = ("arithmetic", "max", "min", "geometric")
#: denominators up to this are 0
_ZERO = 1e-12


def _average(i: Information, average: str) -> Any:
    if average == "arithmetic":
        return (i.h_x + i.h_y) / 2.0
    if average == "geometric":
        return root(i.h_x * i.h_y)
    if average == "joint":
        return i.h_x + i.h_y - i.mutual
    return (largest if average == "max" else least)(i.h_x, i.h_y)


def _constant_sides(i: Information) -> str:
    """Sentence that names the sides which are one cluster or all singletons."""
    if i.sizes is None:
        return "a side is one cluster or all singletons"
    words = []
    for name, sizes in zip("xy", i.sizes):
        used = int(np.count_nonzero(sizes))
        if used in (1, i.n):
            words.append(f"{name} is {'one cluster' if used == 1 else 'all singletons'}")
    return " and ".join(words)


@measure(
    Information, lambda i: i.mutual,
    sense="agreement", kinds=("hard",),
    bounds=lambda s: (0.0, min(s.statistic(Information).h_x, s.statistic(Information).h_y)),
    properties=("symmetric", "relabelling-invariant"), cost="O(n + r s)",
    source="Shannon (1948)", r="genieclust::mi_score(x_labels, y_labels)",
    weight_degree=0, linear="sums", limits=rules.MUTUAL, completion=mutual_bounds,
    abbreviations=("MI", "mutual_info_score"),
    favours_many={},
)
def mutual_information(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Information that the cluster of an object in x gives about that in y, in nats.

    Returns
    -------
    float
        I = H(x) + H(y) - H(x, y) in nats, from 0 (independent) to min(H(x), H(y)). It is 0 where
        a side is one cluster. Never undefined.

    See Also
    --------
    normalized_mutual_information
    adjusted_mutual_information

    Notes
    -----
    .. math:: \sum_{kl} \frac{T_{kl}}{n} \log \frac{n T_{kl}}{a_k b_l}

    with the contingency table T, its row sums a and column sums b.

    Summed over the contingency table in terms >= 0, so that small values keep their digits. Time
    O(n + r s). R: ``genieclust::mi_score`` of the contingency table; not in clue.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    C. E. Shannon (1948), A mathematical theory of communication, Bell System Technical Journal 27,
    379-423.
    N. X. Vinh, J. Epps, J. Bailey (2010), Information theoretic measures for clusterings
    comparison, Journal of Machine Learning Research 11, 2837-2854.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.69314718056
    """
    return value_of(mutual_information, x, y)


def _normalized(i: Information, *, average: str = "arithmetic") -> Any:
    check_choice("average", average, (*_AVERAGES, "joint"))
    value = quotient(i.mutual, _average(i, average), equal=i.equal, zero=_ZERO,
                     name="normalized_mutual_information", reason=lambda: (
                         f"{_constant_sides(i)}, so the {average} of the entropies is 0 (0/0)"))
    return least(value, 1.0)


@measure(
    Information, _normalized,
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=(
        Claim(name="symmetric", options={"average": (*_AVERAGES, "joint")}),
        Claim(name="reflexive", options={"average": (*_AVERAGES, "joint")}),
        Claim(name="relabelling-invariant", options={"average": (*_AVERAGES, "joint")}),
        Claim(name="separating", options={"average": ("arithmetic", "max", "geometric", "joint")},
              condition='all averages but "min"'),
        Claim(name="metric", options={"average": ("max", "joint")},
              condition='average="max" or "joint"'),
    ),
    cost="O(n + r s)", source="Vinh, Epps, Bailey (2010), table 2",
    r=("genieclust::normalized_mi_score(x_labels, y_labels)",
       RCall("clue::cl_agreement(x, y, method = 'NMI')", {"average": "geometric"}),
       *(RCall(f"aricode::NMI(x_labels, y_labels, variant = '{variant}')", {"average": average})
         for variant, average in (("max", "max"), ("min", "min"), ("joint", "joint")))),
    weight_degree=0, linear="cells", limits=rules.NORMALIZED,
    abbreviations=("NMI", "normalized_mutual_info_score"),
    shares=Shares("information", options={"average": "arithmetic"}),
    favours_many={},
)
def normalized_mutual_information(x: SourceLike, y: ClusteringLike | None = None, *,
                                  average: AverageOrJoint = "arithmetic") -> float:
    r"""Mutual information divided by an average of the two entropies.

    Parameters
    ----------
    average : {"arithmetic", "max", "min", "geometric", "joint"}, optional
        Of H(x) and H(y); ``"joint"`` divides by H(x, y). The default is scikit-learn's.

    Returns
    -------
    float
        From 0 to 1. Exactly 1 for equal partitions, also where it is 0/0 (both one cluster);
        with ``"min"`` also where one refines the other. Undefined, nan with a warning, with
        ``"min"`` and ``"geometric"`` when only one side is one cluster.

    Raises
    ------
    ValueError
        If `average` is not known.

    See Also
    --------
    adjusted_mutual_information
    normalized_information_distance

    Notes
    -----
    .. math:: \frac{I(x, y)}{\mathrm{average}(H(x), H(y))}

    with I the mutual information and H the entropy of cluster sizes, in nats.

    1 - NMI is a metric with ``"max"`` and ``"joint"``. Not corrected for chance: it grows with
    the numbers of clusters. Time O(n + r s). R: ``clue::cl_agreement(x, y, method = "NMI")`` is
    ``average="geometric"`` (NaN there for 0/0), ``aricode::NMI`` is ``"max"``.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    N. X. Vinh, J. Epps, J. Bailey (2010), Information theoretic measures for clusterings
    comparison, Journal of Machine Learning Research 11, 2837-2854.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.normalized_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.8
    """
    return value_of(normalized_mutual_information, x, y, average=average)


def _adjusted(i: Information, *, average: str = "arithmetic", model: str = "permutation",
              fixed: str | None = None) -> Any:
    check_choice("average", average, _AVERAGES)
    if model != "permutation" or fixed is not None:
        check_model(model, fixed)
        return _modelled(i, model, fixed)
    if i.equal is True:
        return 1.0
    value = quotient(i.mutual - i.expected, _average(i, average) - i.expected, equal=i.equal,
                     zero=_ZERO, positive=True, name="adjusted_mutual_information",
                     reason=lambda: f"{_constant_sides(i)}, so the {average} of the entropies is "
                     "its value by chance (0/0)")
    return least(value, 1.0)


def _modelled(i: Information, model: str, fixed: str | None) -> Any:
    """(I - E) / (H(fixed) - E), E the mean under another model than permutations."""
    if model == "permutation":
        raise ValueError(FIXED)
    if fixed is None:
        raise ValueError(f'model="{model}" needs fixed="x" or "y": with both sides random the '
                         "mean of I can exceed both entropies")
    expected = information.modelled_information(*sides(
        model, fixed, i.sizes[0], i.sizes[1], i.n))
    high = i.h_x if fixed == "x" else i.h_y
    return quotient(i.mutual - expected, high - expected, equal=i.equal, zero=_ZERO,
                    name="adjusted_mutual_information", reason=f"{fixed} is one cluster (0/0)")


@measure(
    Information, _adjusted,
    sense="agreement", kinds=("hard",), bounds=(None, 1.0),
    properties=(
        Claim(name="symmetric", options={"average": _AVERAGES}),
        Claim(name="reflexive", options={"average": _AVERAGES}),
        Claim(name="relabelling-invariant", options={"average": _AVERAGES}),
        Claim(name="chance-corrected", options={"average": _AVERAGES}),
        Claim(name="separating", options={"average": ("arithmetic", "max", "geometric")},
              condition='all averages but "min"'),
    ),
    cost="O(n + r s + sqrt(n) r s)", source="Vinh, Epps, Bailey (2010), eq. 6",
    r=("genieclust::adjusted_mi_score(x_labels, y_labels)",
       # aricode sums the expected mutual information in single precision: off by up to 1e-7
       RCall("aricode::AMI(x_labels, y_labels)", {"average": "max"}, inexact=1e-6)),
    linear="cells", completion=adjusted_bounds,
    limits=rules.Like(measure="normalized_mutual_information"),
    abbreviations=("AMI", "adjusted_mutual_info_score"),
    answers=(Answer("corrected", 2, "prefer it where a small cluster matters"),),
    place=2,
    shares=Shares("information", options={"average": "arithmetic"}),
    favours_many={"average": ("arithmetic", "min", "geometric")},
)
def adjusted_mutual_information(x: SourceLike, y: ClusteringLike | None = None, *,
                                average: Average = "arithmetic", model: NullModel = "permutation",
                                fixed: Side | None = None, strata: ArrayLike | None = None
                                ) -> float:
    r"""Mutual information corrected for chance: 0 on average for random, 1 for equal partitions.

    Parameters
    ----------
    average : {"arithmetic", "max", "min", "geometric"}, optional
        Of H(x) and H(y). The default is scikit-learn's. For model="permutation" only.
    model : {"permutation", "number", "all"}, optional
        Null model; see `chance_level`. "number" and "all" need `fixed` and give (I - E) / (H(fixed)
        - E).
    fixed : {None, "x", "y"}, optional
        The side that stays as it is under "number" and "all", such as a known truth.
    strata : array-like, shape (n,), optional
        Stratum of each object (batch, site): E is the mean over permutations within strata, so
        that information which the strata explain counts as chance.

    Returns
    -------
    float
        (I - E) / (average - E) with E the mean of I over all permutations of the objects; at
        most 1, negative below chance. Exactly 1 for equal partitions, also where it is 0/0.
        Undefined, nan with a warning, for unequal partitions when a side is one cluster
        (``"min"``, ``"geometric"``) or all singletons (``"min"``), and where the strata determine
        the clusterings.

    Raises
    ------
    ValueError
        If `average` is not known.

    See Also
    --------
    adjusted_rand_index
    normalized_mutual_information

    Notes
    -----
    .. math:: \frac{I(x, y) - \mathrm{E} I}{\mathrm{average}(H(x), H(y)) - \mathrm{E} I}

    with I the mutual information and H the entropy of cluster sizes, in nats.

    E sums hypergeometric terms from their mode outwards, each from the one before, to a relative
    error of about 1e-15; equal cluster sizes are treated once. Time O(n + r s) and, for E,
    O(sqrt(n)) for each pair of different sizes. R: ``aricode::AMI`` is ``average="max"``.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    N. X. Vinh, J. Epps, J. Bailey (2010), Information theoretic measures for clusterings
    comparison, Journal of Machine Learning Research 11, 2837-2854.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.adjusted_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.571428571429
    """
    if strata is None:
        return value_of(adjusted_mutual_information, x, y, average=average, model=model,
                        fixed=fixed)
    check_unmodelled(model, fixed)
    check_choice("average", average, _AVERAGES)
    source = as_source(x, y)
    by_stratum = strata_of(source, strata)
    if by_stratum is None:
        return value_of(adjusted_mutual_information, source, average=average)
    return stratified_information(by_stratum, lambda c: _average(c, average))


@measure(
    Information, lambda i: i.variation,
    sense="dissimilarity", kinds=("hard",),
    bounds=lambda s: (0.0, min(math.log(s.n_objects), s.statistic(Information).h_x
                               + s.statistic(Information).h_y)),
    properties=("symmetric", "metric", "relabelling-invariant"), cost="O(n + r s)",
    source="Meila (2007)", r="clue::cl_dissimilarity(x, y, method = 'VI')",
    weight_degree=0, linear="sums", limits=rules.VARIATION, loss="vi",
    completion=variation_bounds,
    abbreviations=("VI", "VOI"),
    answers=(Answer("metric", 1, "in nats, additive over merges and splits"),),
    shares=Shares("information", options={"weights": None}),
)
def variation_of_information(x: SourceLike, y: ClusteringLike | None = None, *,
                             weights: ArrayLike | None = None) -> float:
    """Information in x that is not in y, plus that in y that is not in x, in nats.

    Parameters
    ----------
    weights : array-like, shape (n,), optional
        Weights >= 0 of the objects, at least one of them > 0; the unit does not matter.

    Returns
    -------
    float
        2 H(x, y) - H(x) - H(y) in nats, from 0 (exactly for equal partitions) to log n. Never
        undefined.

    See Also
    --------
    normalized_variation_of_information
    fuzzy_variation_of_information

    Notes
    -----
    .. math:: 2 H(x, y) - H(x) - H(y) = H(x) + H(y) - 2 I(x, y)

    with I the mutual information and H the entropy of cluster sizes, in nats.

    A metric. Summed over the contingency table in terms >= 0, so that small values keep their
    digits. Time O(n + r s); with weights O(n log n). R: ``clue::cl_dissimilarity(x, y, method =
    "VI")``.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    M. Meila (2007), Comparing clusterings: an information based distance, Journal of Multivariate
    Analysis 98, 873-895.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.variation_of_information([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.34657359028
    >>> x, y = [0, 0, 1, 1], [0, 0, 1, 2]
    >>> round(softclust.variation_of_information(x, y, weights=[1, 1, 0, 1]), 12)
    0.0
    """
    return value_of(variation_of_information, x, y, weights=weights)


@measure(
    Information, lambda i: quotient(
        i.variation, i.variation + i.mutual, equal=i.equal, at_equal=0.0,
        name="normalized_variation_of_information", reason="0/0"),
    sense="dissimilarity", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "metric", "relabelling-invariant"), cost="O(n + r s)",
    source="Rajski (1961)", r=("clue::cl_dissimilarity(x, y, method = 'BA/E')",
                               "aricode::NVI(x_labels, y_labels)"), in_compare=False,
    weight_degree=0, limits=rules.NORMALIZED_VARIATION, loss="nvi",
    abbreviations=("NVI",),
    shares=Shares("information"),
)
def normalized_variation_of_information(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Variation of information divided by the joint entropy (Rajski's distance).

    Returns
    -------
    float
        1 - I / H(x, y), from 0 (exactly for equal partitions, also where it is 0/0) to 1
        (independent). Never undefined.

    See Also
    --------
    variation_of_information
    normalized_information_distance

    Notes
    -----
    .. math:: 1 - \frac{I(x, y)}{H(x, y)}

    with I the mutual information and H the entropy of cluster sizes, in nats.

    A metric. Time O(n + r s). R: ``clue::cl_dissimilarity(x, y, method = "BA/E")`` (NaN there for
    0/0), ``aricode::NVI``.

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    C. Rajski (1961), A metric space of discrete probability distributions, Information and
    Control 4, 371-377.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.normalized_variation_of_information([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.333333333333
    """
    return value_of(normalized_variation_of_information, x, y)


def _information_distance(i: Information) -> Any:
    # max(H(x | y), H(y | x)) = (VI + |H(x) - H(y)|) / 2
    value = quotient(i.variation + abs(i.h_x - i.h_y), 2.0 * largest(i.h_x, i.h_y), equal=i.equal,
                     at_equal=0.0, name="normalized_information_distance", reason="0/0")
    return least(value, 1.0)


@measure(
    Information, _information_distance,
    sense="dissimilarity", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "metric", "relabelling-invariant"), cost="O(n + r s)",
    source="Kraskov, Stoegbauer, Andrzejak, Grassberger (2005)",
    r="aricode::NID(x_labels, y_labels)", in_compare=False,
    weight_degree=0, linear="cells", limits=rules.INFORMATION_DISTANCE, loss="nid",
    abbreviations=("NID",),
)
def normalized_information_distance(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Share of the larger entropy that the other clustering does not explain.

    Returns
    -------
    float
        1 - I / max(H(x), H(y)), from 0 (exactly for equal partitions, also where it is 0/0) to 1.
        Never undefined.

    See Also
    --------
    normalized_variation_of_information
    normalized_mutual_information

    Notes
    -----
    .. math:: 1 - \frac{I(x, y)}{\max(H(x), H(y))}

    with I the mutual information and H the entropy of cluster sizes, in nats.

    A metric; 1 - ``normalized_mutual_information(average="max")``, computed from the variation of
    information so that small values keep their digits. Time O(n + r s). R: ``aricode::NID`` (not
    on Debian).

    Theory: docs/theory/hard-measures.md.

    References
    ----------
    A. Kraskov, H. Stoegbauer, R. G. Andrzejak, P. Grassberger (2005), Hierarchical clustering
    using mutual information, Europhysics Letters 70, 278-284.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.normalized_information_distance([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.333333333333
    """
    return value_of(normalized_information_distance, x, y)
