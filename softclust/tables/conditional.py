"""Information of one side, hard clusterings.

Homogeneity, completeness, V-measure and conditional entropy. x is evaluated against the truth y.

A. Rosenberg and J. Hirschberg (2007), V-measure: a conditional entropy-based external cluster
evaluation measure, EMNLP-CoNLL 2007, 410-420.
"""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from .._checks import shown
from .._types import ClusteringLike, SourceLike
from ..measures import Answer, Claim, Shares, Word, measure, value_of
from ..measures.limit_rules import Like
from .contingency import Contingency
from .entropy import Information
from .quotient import least, quotient

_COST, _SOURCE = "O(n + r s)", "Rosenberg and Hirschberg (2007)"
#: an entropy that is 0 but for rounding
_ZERO = 1e-12


def _told(share: Any, entropy: Any) -> Any:
    """Share of an entropy that is explained: 1 where there is nothing to explain."""
    return least(quotient(share, entropy, equal=entropy <= _ZERO, name="", reason=""), 1.0)


@measure(
    Information, lambda i: _told(i.mutual, i.h_y),
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("reflexive", "relabelling-invariant"), cost=_COST, source=_SOURCE,
    in_compare=False, linear="cells", weight_degree=0,
    words=(Word("homogeneity", "learning"),
           Word("homogeneity_score", "learning", swap=True,
                note="scikit-learn takes the truth first"),),
    answers=(Answer("told", 2, "rewards every split"),),
    shares=Shares("information", merge=False),
)
def homogeneity_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Share of the entropy of the truth y that the clusters of x explain.

    Parameters
    ----------
    x, y
        y is the truth.

    Returns
    -------
    float
        I(x, y)/H(y), from 0 to 1; 1 exactly where every cluster of x lies in one of y, also where
        y is one cluster. Never undefined.

    See Also
    --------
    completeness_index
    v_measure_index
    purity_index

    Notes
    -----
    .. math:: h = \frac{I(x, y)}{H(y)} = 1 - \frac{H(y \mid x)}{H(y)}

    with I the mutual information and H the entropy of cluster sizes.

    scikit-learn's ``homogeneity_score`` takes the truth first: its arguments are exchanged. Not
    corrected for chance: all singletons have homogeneity 1. Time O(n + r s).

    Theory: docs/theory/fields.md.

    References
    ----------
    A. Rosenberg and J. Hirschberg (2007), V-measure: a conditional entropy-based external cluster
    evaluation measure, EMNLP-CoNLL 2007, 410-420.

    Examples
    --------
    >>> import softclust
    >>> softclust.homogeneity_index([0, 0, 1, 2], [0, 0, 1, 1])
    1.0
    """
    return value_of(homogeneity_index, x, y)


@measure(
    Information, lambda i: _told(i.mutual, i.h_x),
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("reflexive", "relabelling-invariant"), cost=_COST, source=_SOURCE,
    in_compare=False, linear="cells", weight_degree=0,
    words=(Word("completeness", "learning"),
           Word("completeness_score", "learning", swap=True,
                note="scikit-learn takes the truth first"),),
    shares=Shares("information", split=False),
)
def completeness_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Share of the entropy of x that the clusters of the truth y explain.

    Parameters
    ----------
    x, y
        y is the truth.

    Returns
    -------
    float
        I(x, y)/H(x), from 0 to 1; 1 exactly where every cluster of y lies in one of x, also where
        x is one cluster. Never undefined.

    See Also
    --------
    homogeneity_index
    v_measure_index

    Notes
    -----
    .. math:: c = \frac{I(x, y)}{H(x)} = 1 - \frac{H(x \mid y)}{H(x)}

    with I the mutual information and H the entropy of cluster sizes.

    `homogeneity_index` with the sides exchanged. scikit-learn's ``completeness_score`` takes the
    truth first. One cluster has completeness 1. Time O(n + r s).

    Theory: docs/theory/fields.md.

    References
    ----------
    A. Rosenberg and J. Hirschberg (2007), V-measure: a conditional entropy-based external cluster
    evaluation measure, EMNLP-CoNLL 2007, 410-420.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.completeness_index([0, 0, 1, 2], [0, 0, 1, 1]), 12)
    0.666666666667
    """
    return value_of(completeness_index, x, y)


def _check_beta(beta: Any) -> float:
    if not isinstance(beta, Real) or not 0.0 <= float(beta) < math.inf:
        raise ValueError(f"beta={shown(beta)}; a finite number >= 0 is needed: the weight of "
                         "completeness relative to homogeneity")
    return float(beta)


def _v_measure(i: Information, *, beta: float = 1.0) -> Any:
    if i.equal is True:
        return 1.0
    return _told(i.mutual, (_check_beta(beta) * i.h_x + i.h_y) / (1.0 + beta))


_BETAS = (0.5, 1.0, 2.0)


@measure(
    Information, _v_measure,
    sense="agreement", kinds=("hard",), bounds=(0.0, 1.0),
    properties=("symmetric", "separating",
                Claim(name="reflexive", options={"beta": _BETAS}),
                Claim(name="relabelling-invariant", options={"beta": _BETAS})),
    cost=_COST, source=_SOURCE, in_compare=False, linear="cells", weight_degree=0,
    words=(Word("V-measure", "learning"),
           Word("v_measure_score", "learning", swap=True,
                note="scikit-learn takes the truth first"),),
    limits=Like(measure="normalized_mutual_information"),
    shares=Shares("information", options={"beta": 1.0}),
    favours_many={},
)
def v_measure_index(x: SourceLike, y: ClusteringLike | None = None, *, beta: float = 1.0) -> float:
    r"""Weighted harmonic mean of homogeneity and completeness.

    Parameters
    ----------
    x, y
        y is the truth.
    beta : float >= 0, optional
        Weight of completeness relative to homogeneity, as in scikit-learn (not squared).

    Returns
    -------
    float
        (1 + beta) I/(beta H(x) + H(y)), from 0 to 1; with beta > 0 it is 1 exactly for equal
        partitions. Never undefined.

    Raises
    ------
    ValueError
        If `beta` is negative.

    See Also
    --------
    homogeneity_index
    completeness_index
    normalized_mutual_information

    Notes
    -----
    .. math:: V_\beta = \frac{(1 + \beta) h c}{\beta h + c}
              = \frac{(1 + \beta) I(x, y)}{\beta H(x) + H(y)}

    with h the homogeneity, c the completeness, I the mutual information and H the entropy.

    With beta = 1 it equals `normalized_mutual_information` with the arithmetic average.
    Time O(n + r s).

    Theory: docs/theory/fields.md.

    References
    ----------
    A. Rosenberg and J. Hirschberg (2007), V-measure: a conditional entropy-based external cluster
    evaluation measure, EMNLP-CoNLL 2007, 410-420.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.v_measure_index([0, 0, 1, 2], [0, 0, 1, 1]), 12)
    0.8
    """
    return value_of(v_measure_index, x, y, beta=_check_beta(beta))


def conditional(c: Contingency) -> float:
    """H(x | y) in nats, in terms >= 0."""
    if c.y_refines_x:
        return 0.0
    t, b = c.counts.astype(np.float64), c.b[c.cols].astype(np.float64)
    return math.fsum(t * np.log1p((b - t) / t)) / c.n


def _base(log_base: Any) -> float:
    if log_base is None:
        return 1.0
    if not isinstance(log_base, Real) or not 1.0 < float(log_base) < math.inf:
        raise ValueError(f"log_base={shown(log_base)}; a number above 1 is needed, such as 2 for "
                         "bits")
    return math.log(log_base)


@measure(
    Contingency, lambda c, *, log_base=None: conditional(c) / _base(log_base),
    sense="dissimilarity", kinds=("hard",), bounds=(0.0, None),
    properties=("reflexive", "relabelling-invariant"), cost=_COST,
    source="Shannon (1948)", in_compare=False, weight_degree=0,
    chance=lambda source, log_base=None: max(0.0, source.statistic(Information).h_x
                                             - source.statistic(Information).expected
                                             ) / _base(log_base),
    words=(Word("VI split", "segmentation", note="nats; scikit-image has bits"),
           Word("VI merge", "segmentation", swap=True, note="nats; scikit-image has bits"),),
    shares=Shares("information", split=False),
)
def conditional_entropy(x: SourceLike, y: ClusteringLike | None = None, *,
                        log_base: float | None = None) -> float:
    r"""Conditional entropy of x given y: the information in x that is not in y.

    Parameters
    ----------
    log_base : float > 1, optional
        Base of the logarithm: 2 for bits; nats by default.

    Returns
    -------
    float
        H(x | y), from 0 (exactly where y refines x) to H(x). Never undefined.

    Raises
    ------
    ValueError
        If `log_base` is not above 1.

    See Also
    --------
    variation_of_information
    homogeneity_index

    Notes
    -----
    .. math:: H(x \mid y) = \frac{1}{n} \sum_{kl} T_{kl} \log \frac{b_l}{T_{kl}}

    with the contingency table T and its column sums b.

    H(x | y) + H(y | x) is the variation of information. In segmentation H(x | y) is the part of
    splits ("VI split": x found, y truth) and H(y | x) that of merges. It satisfies the triangle
    inequality but is not symmetric. Time O(n + r s).

    Theory: docs/theory/fields.md.

    References
    ----------
    C. E. Shannon (1948), A mathematical theory of communication, Bell System Technical Journal 27,
    379-423.
    M. Meila (2007), Comparing clusterings: an information based distance, Journal of Multivariate
    Analysis 98, 873-895.

    Examples
    --------
    >>> import softclust
    >>> softclust.conditional_entropy([0, 0, 1, 2], [0, 0, 1, 1], log_base=2)
    0.5
    """
    _base(log_base)
    return value_of(conditional_entropy, x, y, log_base=log_base)
