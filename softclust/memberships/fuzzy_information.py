"""Information, fuzzy clusterings.

Information measures of two fuzzy clusterings, from their joint table of memberships, in nats.

The table g = U'V / n is the joint law of two labels drawn independently for a random object.
"""

from __future__ import annotations

import functools
import math

from .._checks import check_choice
from .._types import ArrayLike, AverageOrJoint, ClusteringLike, SourceLike
from ..measures import Claim, RCall, measure, value_of
from ..measures.limit_rules import PLAIN
from ..measures.record import claims
from ..tables.quotient import quotient
from .joint_table import WHERE_DEFINED, ZERO, JointInformation

KINDS = ("hard", "fuzzy")
AVERAGES = ("arithmetic", "max", "min", "geometric", "joint")

_information = functools.partial(
    measure, JointInformation, limits=PLAIN, sense="agreement", kinds=KINDS, cost="O(n r s)",
    source="Lei et al. (2017)", in_compare=False, by_object=True, from_sums={"weights": (None,)})


@_information(
    lambda table: table.mutual,
    bounds=lambda source: (0.0, math.log(min(*source.n_clusters))),
    properties=("symmetric", "relabelling-invariant",
                Claim(name="reduces-to", target="mutual_information")),
)
def fuzzy_mutual_information(x: SourceLike, y: ClusteringLike | None = None, *,
                             weights: ArrayLike | None = None) -> float:
    r"""Mutual information of two labels drawn independently for a random object, in nats.

    Parameters
    ----------
    weights : array-like, shape (n,), optional
        Weights >= 0 of the objects, at least one of them > 0; the unit does not matter.

    Returns
    -------
    float
        sum g log(g / (p q)) in nats, g = U'V / n with margins p and q: from 0 to min(log r, log s).
        Not reflexive: the information of a fuzzy clustering about itself is less than its entropy.
        Never undefined.

    See Also
    --------
    fuzzy_normalized_mutual_information
    mutual_information

    Notes
    -----
    .. math:: \sum_{kl} g_{kl} \log \frac{g_{kl}}{p_k q_l}

    with the joint table g = U'V / n of memberships, its margins p and q, and their entropies H.

    Equal to `mutual_information` for hard clusterings. Time O(n r s), memory O(r s).

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    Y. Lei, J. C. Bezdek, J. Chan, N. X. Vinh, S. Romano, J. Bailey (2017), Extending
    information-theoretic validity indices for fuzzy clustering, IEEE Transactions on Fuzzy
    Systems 25, 1013-1018.

    Examples
    --------
    >>> import softclust
    >>> x = [[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]]
    >>> round(softclust.fuzzy_mutual_information([0, 0, 1], x), 4)
    0.1775
    """
    return value_of(fuzzy_mutual_information, x, y, weights=weights)


def _normalized(table: JointInformation, *, average: str = "arithmetic") -> float:
    check_choice("average", average, AVERAGES)
    if table.equal:
        return 1.0
    h_x, h_y = table.h_x, table.h_y
    divisor = {"arithmetic": (h_x + h_y) / 2.0, "max": max(h_x, h_y), "min": min(h_x, h_y),
               "geometric": math.sqrt(h_x * h_y) if min(h_x, h_y) > ZERO else 0.0,
               "joint": table.mutual + table.apart}[average]
    value = quotient(table.mutual, divisor, zero=ZERO, name="fuzzy_normalized_mutual_information",
                     reason=f"the {average} of the entropies is 0 (0/0)")
    return min(value, 1.0)


@_information(
    _normalized, bounds=(0.0, 1.0),
    properties=(
        *claims("symmetric", "relabelling-invariant", average=AVERAGES),
        Claim(name="reduces-to", target="normalized_mutual_information",
              condition=WHERE_DEFINED),
    ),
    r=(RCall("dtwclust::cvi(x_membership, y_labels, type = 'NMIM')", {"average": "max"}),),
)
def fuzzy_normalized_mutual_information(x: SourceLike, y: ClusteringLike | None = None, *,
                                        average: AverageOrJoint = "arithmetic",
                                        weights: ArrayLike | None = None) -> float:
    r"""Fuzzy mutual information divided by an average of the entropies of the cluster sizes.

    Parameters
    ----------
    average : {"arithmetic", "max", "min", "geometric", "joint"}, optional
        Of the entropies of both margins; ``"joint"`` divides by the entropy of the joint table.
    weights : array-like, shape (n,), optional
        Weights >= 0 of the objects, at least one of them > 0; the unit does not matter.

    Returns
    -------
    float
        From 0 to 1; below 1 for a fuzzy clustering against itself. Undefined, nan with a warning,
        when the average is 0 (both sides one cluster; with ``"min"`` and ``"geometric"`` one of
        them).

    Raises
    ------
    ValueError
        If `average` is not known.

    See Also
    --------
    fuzzy_mutual_information
    normalized_mutual_information

    Notes
    -----
    .. math::

        \frac{I}{\mathrm{average}(H(p), H(q))}, \quad I = \sum_{kl} g_{kl} \log \frac{g_{kl}}{p_k
        q_l}

    with the joint table g = U'V / n of memberships, its margins p and q, and their entropies H.

    For hard clusterings equal to `normalized_mutual_information`, which is set to 1 where both
    are one cluster. Time O(n r s), memory O(r s).

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    Y. Lei, J. C. Bezdek, J. Chan, N. X. Vinh, S. Romano, J. Bailey (2017), Extending
    information-theoretic validity indices for fuzzy clustering, IEEE Transactions on Fuzzy Systems
    25, 1013-1018.

    Examples
    --------
    >>> import softclust
    >>> x = [[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]]
    >>> round(softclust.fuzzy_normalized_mutual_information([0, 0, 1], x), 4)
    0.2671
    """
    check_choice("average", average, AVERAGES)
    return value_of(fuzzy_normalized_mutual_information, x, y, average=average, weights=weights)


@_information(
    lambda table: table.apart, sense="dissimilarity",
    bounds=lambda source: (0.0, sum(map(math.log, source.n_clusters))),
    properties=("symmetric", "relabelling-invariant",
                Claim(name="reduces-to", target="variation_of_information")),
    r=("clue::cl_dissimilarity(x, y, method = 'VI')",
       "dtwclust::cvi(x_membership, y_labels, type = 'VI', log.base = exp(1))"),
)
def fuzzy_variation_of_information(x: SourceLike, y: ClusteringLike | None = None, *,
                                   weights: ArrayLike | None = None) -> float:
    r"""Variation of information of two labels drawn independently for a random object, in nats.

    Parameters
    ----------
    weights : array-like, shape (n,), optional
        Weights >= 0 of the objects, at least one of them > 0; the unit does not matter.

    Returns
    -------
    float
        H(p) + H(q) - 2 I in nats, from 0 to log r + log s; above 0 for a fuzzy clustering
        against itself, so it is not a metric, but the triangle inequality holds. Never undefined.

    See Also
    --------
    fuzzy_mutual_information
    variation_of_information

    Notes
    -----
    .. math:: H(p) + H(q) - 2 \sum_{kl} g_{kl} \log \frac{g_{kl}}{p_k q_l}

    with the joint table g = U'V / n of memberships, its margins p and q, and their entropies H.

    Equal to `variation_of_information` for hard clusterings. Time O(n r s), memory O(r s). R:
    ``clue::cl_dissimilarity(x, y, method = "VI")``.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    Y. Lei, J. C. Bezdek, J. Chan, N. X. Vinh, S. Romano, J. Bailey (2017), Extending
    information-theoretic validity indices for fuzzy clustering, IEEE Transactions on Fuzzy Systems
    25, 1013-1018.

    Examples
    --------
    >>> import softclust
    >>> x = [[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]]
    >>> round(softclust.fuzzy_variation_of_information([0, 0, 1], x), 4)
    0.9746
    """
    return value_of(fuzzy_variation_of_information, x, y, weights=weights)
