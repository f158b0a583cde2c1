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

from .._checks import check_choice, warn_undefined
from ..measures import Answer, Claim, RCall, measure, value_of
from ..measures import limit_rules as rules
from ..measures.statistic import Source
from . import entropy as information
from .contingency import Contingency
from .entropy import Variation
from .partition_models import sides
from .quotient import quotient

_AVERAGES = ("arithmetic", "max", "min", "geometric")
#: denominators up to this are 0
_ZERO = 1e-12


def _entropies(c: Contingency) -> tuple[float, float]:
    return information.row_entropy(c), information.column_entropy(c)


def _average(c: Contingency, average: str) -> float:
    h_x, h_y = _entropies(c)
    if average == "arithmetic":
        return (h_x + h_y) / 2.0
    if average == "geometric":
        return math.sqrt(h_x * h_y)
    if average == "joint":
        return h_x + h_y - information.mutual_information(c)
    return max(h_x, h_y) if average == "max" else min(h_x, h_y)


def _constant_sides(c: Contingency) -> str:
    """Which sides are one cluster or all singletons, in words."""
    words = []
    for name, sizes in (("x", c.a), ("y", c.b)):
        used = int(np.count_nonzero(sizes))
        if used in (1, c.n):
            words.append(f"{name} is {'one cluster' if used == 1 else 'all singletons'}")
    return " and ".join(words)


def _mutual_bounds(source: Source) -> tuple[float, float]:
    return 0.0, min(_entropies(source.statistic(Contingency)))


def _mutual_chance(source: Source) -> float:
    return information.expected_mutual_information(source.statistic(Contingency))


def _normalized_chance(source: Source) -> float:
    c = source.statistic(Contingency)
    average = _average(c, "arithmetic")
    return _mutual_chance(source) / average if average > _ZERO else 1.0


def _information_distance_chance(source: Source) -> float:
    most = max(_entropies(source.statistic(Contingency)))
    return 1.0 - _mutual_chance(source) / most if most > _ZERO else 0.0


def _adjusted_chance(source: Source) -> float:
    """0; but 1 where all permutations are equal partitions."""
    c = source.statistic(Contingency)
    constant = information.is_constant(c.a, c.n)
    return 1.0 if constant and c.same_partition else 0.0


def _variation_bounds(source: Source) -> tuple[float, float]:
    return 0.0, min(math.log(source.n_objects), sum(_entropies(source.statistic(Contingency))))


def _variation_chance(source: Source) -> float:
    return sum(_entropies(source.statistic(Contingency))) - 2.0 * _mutual_chance(source)


@measure(
    Contingency, information.mutual_information,
    sense="agreement", kinds=("hard",), bounds=_mutual_bounds,
    properties=("symmetric", "relabelling-invariant"), cost="O(n + r s)",
    source="Shannon (1948)", r="genieclust::mi_score(x_labels, y_labels)", chance=_mutual_chance,
    weight_degree=0, limits=rules.MUTUAL,
    abbreviations=("MI", "mutual_info_score"),
)
def mutual_information(x: Any, y: Any = None) -> float:
    r"""What the cluster of an object in x tells about its cluster in y, in nats.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        I = H(x) + H(y) - H(x, y) in nats, from 0 (independent) to min(H(x), H(y)). It is 0 where
        a side is one cluster. Never undefined.

    Raises
    ------
    ClusteringError
        If a side is not hard, or the objects differ.

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
    >>> import softclust as sc
    >>> round(sc.mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.69314718056
    """
    return value_of(mutual_information, x, y)


def _normalized(c: Contingency, *, average: str = "arithmetic") -> float:
    check_choice("average", average, (*_AVERAGES, "joint"))
    if c.same_partition:
        return 1.0
    divisor = _average(c, average)
    if divisor <= _ZERO:
        return warn_undefined("normalized_mutual_information", f"{_constant_sides(c)}, so the "
                              f"{average} of the entropies is 0 (0/0)")
    return min(1.0, information.mutual_information(c) / divisor)


@measure(
    Contingency, _normalized,
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
    chance=_normalized_chance,
    weight_degree=0, limits=rules.NORMALIZED,
    abbreviations=("NMI", "normalized_mutual_info_score"),
)
def normalized_mutual_information(x: Any, y: Any = None, *, average: str = "arithmetic") -> float:
    r"""Mutual information divided by an average of the two entropies.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` and no y.
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
    ClusteringError
        If a side is not hard, or the objects differ.
    ValueError
        If `average` is not known.

    Warns
    -----
    UndefinedMeasureWarning
        If the value is undefined: nan.

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
    >>> import softclust as sc
    >>> round(sc.normalized_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.8
    """
    return value_of(normalized_mutual_information, x, y, average=average)


def _adjusted(c: Contingency, *, average: str = "arithmetic", model: str = "permutation",
              fixed: str | None = None) -> float:
    check_choice("average", average, _AVERAGES)
    if model != "permutation":
        return _modelled(c, model, fixed)
    if c.same_partition:
        return 1.0
    expected = information.expected_mutual_information(c)
    divisor = _average(c, average) - expected
    if divisor <= _ZERO:
        return warn_undefined("adjusted_mutual_information", f"{_constant_sides(c)}, so the "
                              f"{average} of the entropies is its value by chance (0/0)")
    return min(1.0, (information.mutual_information(c) - expected) / divisor)


def _modelled(c: Contingency, model: str, fixed: str | None) -> float:
    """(I - E) / (H(fixed) - E), E the mean under another model than permutations."""
    x, y = sides(model, fixed, c.a, c.b, c.n)
    if fixed is None:
        raise ValueError(f'model="{model}" needs fixed="x" or "y": with both sides random the '
                         "mean of I can exceed both entropies")
    expected = information.modelled_information(x, y)
    most = information.row_entropy(c) if fixed == "x" else information.column_entropy(c)
    return quotient(information.mutual_information(c) - expected, most - expected,
                    equal=c.same_partition, zero=_ZERO, name="adjusted_mutual_information",
                    reason=f"{fixed} is one cluster (0/0)")


@measure(
    Contingency, _adjusted,
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
    chance=_adjusted_chance, limits=rules.Like(measure="normalized_mutual_information"),
    abbreviations=("AMI", "adjusted_mutual_info_score"),
    answers=(Answer("corrected", 2, "prefer it where a small cluster matters"),),
    place=2,
)
def adjusted_mutual_information(x: Any, y: Any = None, *, average: str = "arithmetic",
                                model: str = "permutation", fixed: str | None = None) -> float:
    r"""Mutual information corrected for chance: 0 on average for random, 1 for equal partitions.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` and no y.
    average : {"arithmetic", "max", "min", "geometric"}, optional
        Of H(x) and H(y). The default is scikit-learn's. For model="permutation" only.
    model : {"permutation", "number", "all"}, optional
        What chance means; see `chance_level`. The others need `fixed`, and give
        (I - E) / (H(fixed) - E).
    fixed : {None, "x", "y"}, optional
        The side that stays as it is under "number" and "all", such as a known truth.

    Returns
    -------
    float
        (I - E) / (average - E) with E the mean of I over all permutations of the objects; at
        most 1, negative below chance. Exactly 1 for equal partitions, also where it is 0/0.
        Undefined, nan with a warning, for unequal partitions when a side is one cluster
        (``"min"``, ``"geometric"``) or all singletons (``"min"``).

    Raises
    ------
    ClusteringError
        If a side is not hard, or the objects differ.
    ValueError
        If `average` is not known.

    Warns
    -----
    UndefinedMeasureWarning
        If the value is undefined: nan.

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
    >>> import softclust as sc
    >>> round(sc.adjusted_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.571428571429
    """
    return value_of(adjusted_mutual_information, x, y, average=average, model=model,
                    fixed=fixed)


def _variation(apart: Variation) -> float:
    return apart.value


@measure(
    Variation, _variation,
    sense="dissimilarity", kinds=("hard",), bounds=_variation_bounds,
    properties=("symmetric", "metric", "relabelling-invariant"), cost="O(n + r s)",
    source="Meila (2007)", r="clue::cl_dissimilarity(x, y, method = 'VI')",
    chance=_variation_chance,
    weight_degree=0, limits=rules.VARIATION,
    abbreviations=("VI", "VOI"),
    answers=(Answer("metric", 1, "in nats, additive over merges and splits"),),
)
def variation_of_information(x: Any, y: Any = None, *, weights: Any = None) -> float:
    """What x tells that y does not, plus what y tells that x does not, in nats.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` and no y.
    weights : array-like, shape (n,), optional
        Weights >= 0 of the objects, at least one of them > 0; the unit does not matter.

    Returns
    -------
    float
        2 H(x, y) - H(x) - H(y) in nats, from 0 (exactly for equal partitions) to log n. Never
        undefined.

    Raises
    ------
    ClusteringError
        If a side is not hard, the objects differ, or `weights` are not as described.

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
    >>> import softclust as sc
    >>> round(sc.variation_of_information([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.34657359028
    >>> round(sc.variation_of_information([0, 0, 1, 1], [0, 0, 1, 2], weights=[1, 1, 0, 1]), 12)
    0.0
    """
    return value_of(variation_of_information, x, y, weights=weights)


def _normalized_variation(c: Contingency) -> float:
    if c.same_partition:
        return 0.0
    apart = information.variation(c)
    return apart / (apart + information.mutual_information(c))


@measure(
    Contingency, _normalized_variation,
    sense="dissimilarity", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "metric", "relabelling-invariant"), cost="O(n + r s)",
    source="Rajski (1961)", r=("clue::cl_dissimilarity(x, y, method = 'BA/E')",
                               "aricode::NVI(x_labels, y_labels)"), in_compare=False,
    weight_degree=0, limits=rules.NORMALIZED_VARIATION,
    abbreviations=("NVI",),
)
def normalized_variation_of_information(x: Any, y: Any = None) -> float:
    r"""Variation of information divided by the joint entropy (Rajski's distance).

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        1 - I / H(x, y), from 0 (exactly for equal partitions, also where it is 0/0) to 1
        (independent). Never undefined.

    Raises
    ------
    ClusteringError
        If a side is not hard, or the objects differ.

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
    >>> import softclust as sc
    >>> round(sc.normalized_variation_of_information([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.333333333333
    """
    return value_of(normalized_variation_of_information, x, y)


def _information_distance(c: Contingency) -> float:
    if c.same_partition:
        return 0.0
    h_x, h_y = _entropies(c)
    # max(H(x | y), H(y | x)) = (VI + |H(x) - H(y)|) / 2
    return min(1.0, (information.variation(c) + abs(h_x - h_y)) / (2.0 * max(h_x, h_y)))


@measure(
    Contingency, _information_distance,
    sense="dissimilarity", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "metric", "relabelling-invariant"), cost="O(n + r s)",
    source="Kraskov, Stoegbauer, Andrzejak, Grassberger (2005)",
    r="aricode::NID(x_labels, y_labels)", in_compare=False,
    chance=_information_distance_chance,
    weight_degree=0, limits=rules.INFORMATION_DISTANCE,
    abbreviations=("NID",),
)
def normalized_information_distance(x: Any, y: Any = None) -> float:
    r"""Share of the larger entropy that the other clustering does not explain.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        1 - I / max(H(x), H(y)), from 0 (exactly for equal partitions, also where it is 0/0) to 1.
        Never undefined.

    Raises
    ------
    ClusteringError
        If a side is not hard, or the objects differ.

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
    >>> import softclust as sc
    >>> round(sc.normalized_information_distance([0, 0, 1, 1], [0, 0, 1, 2]), 12)
    0.333333333333
    """
    return value_of(normalized_information_distance, x, y)
