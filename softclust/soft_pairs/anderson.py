"""Products of memberships (Anderson).

Pair counting indices on the product of two membership matrices (Anderson et al. 2010).
"""

from __future__ import annotations

import functools
from typing import Any, Literal

from .._types import ClusteringLike, SourceLike
from ..measures import Claim, measure, value_of
from ..measures.limit_rules import only_hard
from ..measures.record import claims
from ..memberships.joint_table import WHERE_DEFINED, ZERO
from ..tables.quotient import quotient
from .moments import SCALES, MembershipPairs

KINDS = ("hard", "fuzzy", "possibilistic")
_SHAPE = claims("symmetric", "relabelling-invariant", scale=SCALES)


#: simulated intervals covered the large-sample value in 0 to 80 % of samples
_BIASED = ("its value is biased by pairs of an object with itself, by more than its standard "
           "error: see frobenius_rand_index and concordance_index")
_of_products = functools.partial(
    measure, MembershipPairs, sense="agreement", kinds=KINDS, bounds=(None, None), cost="O(n r s)",
    source="Anderson, Bezdek, Popescu, Keller 2010", in_compare=False, from_sums={},
    limits=only_hard(_BIASED))
_NOTHING = "no object has membership in a cluster of x and in one of y (0/0)"


def _rand(p: MembershipPairs) -> Any:
    return quotient(p.a + p.d, p.n_pairs, name="anderson_rand_index", reason=_NOTHING,
                    undefined=_NOTHING)


@_of_products(
    _rand, properties=(*_SHAPE, Claim(name="reduces-to", target="rand_index")),
    r="dtwclust::cvi(x_membership, y_labels, type = 'RI')",
)
def anderson_rand_index(x: SourceLike, y: ClusteringLike | None = None, *,
                        scale: Literal["none", "possibilistic"] = "none") -> float:
    r"""Rand index on the product of the membership matrices instead of a contingency table.

    Parameters
    ----------
    scale : {"none", "possibilistic"}
        "possibilistic" scales the product U'V to the sum n, for typicalities.

    Returns
    -------
    float
        Not bounded, and not 1 for a soft clustering against itself: uniform memberships of three
        objects in four clusters give 0.4375. At most 1 for fuzzy clusterings. nan, with a
        warning, when U'V is 0 and should be scaled.

    See Also
    --------
    anderson_adjusted_rand_index
    anderson_jaccard_index
    frobenius_rand_index

    Notes
    -----
    .. math::

        \frac{\frac{1}{2}(\sum C^2 - \sum C) + \frac{1}{2}(n^2 + \sum C^2 - \sum a^2 - \sum
        b^2)}{n(n-1)/2}

    with C = U'V, the product of the membership matrices, its row sums a and column sums b.

    The two terms of the numerator stand for the pairs together in both and apart in both. Time O(n
    r s). It is included for comparison with published results; `frobenius_rand_index` and
    `concordance_index` are better choices, because they are 1 for equal clusterings. R:
    ``dtwclust::cvi``, where y must be hard (memberships in y are cut to whole numbers).

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    D. T. Anderson, J. C. Bezdek, M. Popescu, J. M. Keller (2010), Comparing fuzzy, probabilistic,
    and possibilistic partitions, IEEE Trans. Fuzzy Systems 18, 906-918.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.anderson_rand_index([0, 0, 1], x), 4)
    0.4633
    """
    return value_of(anderson_rand_index, x, y, scale=scale)


def _adjusted_rand(p: MembershipPairs) -> Any:
    chance = p.joined_x * p.joined_y / p.n_pairs
    return quotient(p.a - chance, (p.joined_x + p.joined_y) / 2 - chance, zero=ZERO,
                    name="anderson_adjusted_rand_index",
                    reason="both sides join all pairs, or none (0/0)", undefined=_NOTHING)


@_of_products(
    _adjusted_rand, properties=(*_SHAPE, Claim(
        name="reduces-to", target="adjusted_rand_index", condition=WHERE_DEFINED)),
    r="dtwclust::cvi(x_membership, y_labels, type = 'ARI')",
)
def anderson_adjusted_rand_index(x: SourceLike, y: ClusteringLike | None = None, *,
                                 scale: Literal["none", "possibilistic"] = "none") -> float:
    r"""Adjusted Rand index on the product of the membership matrices.

    Parameters
    ----------
    scale : {"none", "possibilistic"}
        As in `anderson_rand_index`.

    Returns
    -------
    float
        Not bounded: uniform memberships of three objects in four clusters give 3 against
        themselves. nan, with a warning, when the denominator is 0.

    See Also
    --------
    anderson_rand_index
    frobenius_adjusted_rand_index

    Notes
    -----
    .. math::

        \frac{A - E}{M - E}, \quad A = \sum \tfrac{C(C-1)}{2}, \quad E = \frac{\sum
        \frac{a(a-1)}{2} \sum \frac{b(b-1)}{2}}{n(n-1)/2}, \quad M = \tfrac{1}{2} \left( \sum
        \tfrac{a(a-1)}{2} + \sum \tfrac{b(b-1)}{2} \right)

    with C = U'V, the product of the membership matrices, its row sums a and column sums b.

    The formula of hard clusterings, applied to U'V. Its mean over random permutations of soft
    clusterings is not 0; that of `frobenius_adjusted_rand_index` and `adjusted_concordance_index`
    is. Time O(n r s).

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    D. T. Anderson, J. C. Bezdek, M. Popescu, J. M. Keller (2010), Comparing fuzzy, probabilistic,
    and possibilistic partitions, IEEE Trans. Fuzzy Systems 18, 906-918.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.anderson_adjusted_rand_index([0, 0, 1], x), 4)
    -0.288
    """
    return value_of(anderson_adjusted_rand_index, x, y, scale=scale)


def _jaccard(p: MembershipPairs) -> Any:
    return quotient(p.a, p.a + p.b + p.c, zero=ZERO, name="anderson_jaccard_index",
                    reason="no pair is joined by either side (0/0)", undefined=_NOTHING)


@_of_products(
    _jaccard, properties=(*_SHAPE, Claim(
        name="reduces-to", target="jaccard_index", condition=WHERE_DEFINED)),
)
def anderson_jaccard_index(x: SourceLike, y: ClusteringLike | None = None, *,
                           scale: Literal["none", "possibilistic"] = "none") -> float:
    r"""Jaccard index on the product of the membership matrices.

    Parameters
    ----------
    scale : {"none", "possibilistic"}
        As in `anderson_rand_index`.

    Returns
    -------
    float
        Not bounded: uniform memberships of three objects in four clusters give -2.6 against
        themselves. nan, with a warning, when the denominator is 0.

    See Also
    --------
    anderson_rand_index
    fuzzy_jaccard_index

    Notes
    -----
    .. math:: \frac{\sum C^2 - \sum C}{\sum a^2 + \sum b^2 - \sum C^2 - \sum C}

    with C = U'V, the product of the membership matrices, its row sums a and column sums b.

    The Jaccard formula of hard clusterings, applied to U'V. Time O(n r s).

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    D. T. Anderson, J. C. Bezdek, M. Popescu, J. M. Keller (2010), Comparing fuzzy, probabilistic,
    and possibilistic partitions, IEEE Trans. Fuzzy Systems 18, 906-918.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(softclust.anderson_jaccard_index([0, 0, 1], x), 4)
    0.0417
    """
    return value_of(anderson_jaccard_index, x, y, scale=scale)
