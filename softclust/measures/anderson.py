"""Pair counting indices on the product of two membership matrices (Anderson et al. 2010)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import check_choice, warn_undefined
from .._joint import Joint, as_joint
from ._memberships import WHERE_DEFINED, ZERO, both_hard, check_kinds, sides
from ._registry import Claim, measure

KINDS = ("hard", "fuzzy", "possibilistic")
_SOURCE = "Anderson, Bezdek, Popescu, Keller 2010"
_COST = "O(n r s)"
_SHAPE: tuple[str | Claim, ...] = (
    Claim(name="symmetric", options={"scale": ("none", "possibilistic")}),
    Claim(name="relabelling-invariant", options={"scale": ("none", "possibilistic")}))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    """The counts a, b, c, d, and joined pairs of each side, of the product C = phi U'V."""

    a: float
    b: float
    c: float
    d: float
    joined_x: float
    joined_y: float
    n_pairs: int


def _counts(x: Any, y: Any, scale: str) -> _Counts:
    check_choice("scale", scale, ("none", "possibilistic"))
    joint = as_joint(x, y)
    check_kinds(joint, KINDS)
    if both_hard(joint):
        p = joint.contingency.pair_counts()
        return _Counts(a=p.n11, b=p.n10, c=p.n01, d=p.n00, joined_x=p.n11 + p.n10,
                       joined_y=p.n11 + p.n01, n_pairs=p.n_pairs)
    return joint.kept(("anderson", scale), lambda: _soft_counts(joint, scale))


def _soft_counts(joint: Joint, scale: str) -> _Counts:
    from ..statistics.moments import cross, squared_norm
    n = joint.n_objects
    table = joint.kept("membership product", lambda: cross(*sides(joint)))
    if scale == "possibilistic":
        whole = math.fsum(table.ravel())
        table = table * (n / whole) if whole > 0.0 else np.full_like(table, math.nan)
    total = math.fsum(table.ravel())
    squares = squared_norm(table)
    rows, columns = squared_norm(table.sum(axis=1)), squared_norm(table.sum(axis=0))
    return _Counts(a=(squares - total) / 2, b=(rows - squares) / 2, c=(columns - squares) / 2,
                   d=(n * n + squares - rows - columns) / 2, joined_x=(rows - total) / 2,
                   joined_y=(columns - total) / 2, n_pairs=joint.n_pairs)


_NOTHING = "no object has membership in a cluster of x and in one of y (0/0)"


@measure(
    sense="agreement", kinds=KINDS, bounds=(None, None), cost=_COST, source=_SOURCE,
    properties=(*_SHAPE, Claim(name="reduces-to", target="rand_index")),
    r="dtwclust::cvi(x_membership, y_labels, type = 'RI')", in_compare=False,
)
def anderson_rand_index(x: Any, y: Any = None, *, scale: str = "none") -> float:
    """Rand index on the product of the membership matrices instead of a contingency table.

    Parameters
    ----------
    x, y : clustering-like
        Hard, fuzzy or possibilistic clusterings of the same n >= 2 objects; or x a `Joint` and
        no y.
    scale : {"none", "possibilistic"}
        "possibilistic" scales the product U'V to the sum n, for typicalities.

    Returns
    -------
    float
        Not bounded, and not 1 for a soft clustering against itself: uniform memberships of three
        objects in four clusters give 0.4375. At most 1 for fuzzy clusterings. nan, with a
        warning, when U'V is 0 and is to be scaled.

    Raises
    ------
    ClusteringError
        If a side is rough or evidential.

    Notes
    -----
    With C = U'V, a = (sum C^2 - sum C)/2, d = (n^2 + sum C^2 - sum of squared row and column
    sums)/2: (a + d)/(n(n-1)/2). Time O(n r s). Offered for the record: `frobenius_rand_index` and
    `concordance_index` are 1 for equal clusterings. R: ``dtwclust::cvi``, where y must
    be hard (memberships in y are cut to whole numbers).

    References
    ----------
    D. T. Anderson, J. C. Bezdek, M. Popescu, J. M. Keller (2010), Comparing fuzzy, probabilistic,
    and possibilistic partitions, IEEE Trans. Fuzzy Systems 18, 906-918.

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(sc.anderson_rand_index([0, 0, 1], x), 4)
    0.4633
    """
    p = _counts(x, y, scale)
    if math.isnan(p.a):
        return warn_undefined("anderson_rand_index", _NOTHING)
    return (p.a + p.d) / p.n_pairs


@measure(
    sense="agreement", kinds=KINDS, bounds=(None, None), cost=_COST, source=_SOURCE,
    properties=(*_SHAPE, Claim(name="reduces-to", target="adjusted_rand_index",
                               condition=WHERE_DEFINED)),
    r="dtwclust::cvi(x_membership, y_labels, type = 'ARI')", in_compare=False,
)
def anderson_adjusted_rand_index(x: Any, y: Any = None, *, scale: str = "none") -> float:
    """Adjusted Rand index on the product of the membership matrices.

    Parameters
    ----------
    x, y : clustering-like
        As in `anderson_rand_index`.
    scale : {"none", "possibilistic"}
        As in `anderson_rand_index`.

    Returns
    -------
    float
        Not bounded: uniform memberships of three objects in four clusters give 3 against
        themselves. nan, with a warning, when the denominator is 0.

    Raises
    ------
    ClusteringError
        If a side is rough or evidential.

    Notes
    -----
    The formula of hard clusterings put on U'V; it does not correct for random permutations of
    soft clusterings (`frobenius_adjusted_rand_index` and `adjusted_concordance_index` do). Time
    O(n r s).

    References
    ----------
    D. T. Anderson, J. C. Bezdek, M. Popescu, J. M. Keller (2010), Comparing fuzzy, probabilistic,
    and possibilistic partitions, IEEE Trans. Fuzzy Systems 18, 906-918.

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(sc.anderson_adjusted_rand_index([0, 0, 1], x), 4)
    -0.288
    """
    p = _counts(x, y, scale)
    chance = p.joined_x * p.joined_y / p.n_pairs
    under = (p.joined_x + p.joined_y) / 2 - chance
    if math.isnan(under):
        return warn_undefined("anderson_adjusted_rand_index", _NOTHING)
    if abs(under) <= ZERO:
        return warn_undefined("anderson_adjusted_rand_index",
                              "both sides join all pairs, or none (0/0)")
    return (p.a - chance) / under


@measure(
    sense="agreement", kinds=KINDS, bounds=(None, None), cost=_COST, source=_SOURCE,
    properties=(*_SHAPE, Claim(name="reduces-to", target="jaccard_index",
                               condition=WHERE_DEFINED)), in_compare=False,
)
def anderson_jaccard_index(x: Any, y: Any = None, *, scale: str = "none") -> float:
    """Jaccard index on the product of the membership matrices.

    Parameters
    ----------
    x, y : clustering-like
        As in `anderson_rand_index`.
    scale : {"none", "possibilistic"}
        As in `anderson_rand_index`.

    Returns
    -------
    float
        Not bounded: uniform memberships of three objects in four clusters give -2.6 against
        themselves. nan, with a warning, when the denominator is 0.

    Raises
    ------
    ClusteringError
        If a side is rough or evidential.

    Notes
    -----
    a/(a + b + c) with the counts of `anderson_rand_index`, b and c = (sum of squared row sums,
    column sums, less sum C^2)/2. Time O(n r s).

    References
    ----------
    D. T. Anderson, J. C. Bezdek, M. Popescu, J. M. Keller (2010), Comparing fuzzy, probabilistic,
    and possibilistic partitions, IEEE Trans. Fuzzy Systems 18, 906-918.

    Examples
    --------
    >>> import softclust as sc
    >>> x = sc.FuzzyClustering([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]])
    >>> round(sc.anderson_jaccard_index([0, 0, 1], x), 4)
    0.0417
    """
    p = _counts(x, y, scale)
    under = p.a + p.b + p.c
    if math.isnan(under):
        return warn_undefined("anderson_jaccard_index", _NOTHING)
    if abs(under) <= ZERO:
        return warn_undefined("anderson_jaccard_index", "no pair is joined by either side (0/0)")
    return p.a / under
