"""Distances between membership matrices whose columns are matched one to one (clue's)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._checks import ClusteringError
from .._joint import Joint, as_joint
from ..clusterings import Clustering
from ..statistics.assignment import most_matched
from ._registry import Claim, measure

KINDS = ("hard", "fuzzy")
_SOURCE = "Hornik 2005, A CLUE for CLUster Ensembles"


@measure(
    sense="dissimilarity", kinds=KINDS,
    bounds=lambda joint: (0.0, math.sqrt(2 * joint.n_objects)),
    properties=("symmetric", "metric", "relabelling-invariant"),
    cost="O(n r s + c^3)", source=_SOURCE, by_object=True,
    r="clue::cl_dissimilarity(x, y, method = 'euclidean')", in_compare=False,
)
def euclidean_membership_distance(x: Any, y: Any = None) -> float:
    """Euclidean distance of the membership matrices, columns matched as well as possible.

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        min over column orders P of ||U - V P||_F, in [0, sqrt(2 n)]; the narrower matrix gets
        zero columns. 0 exactly for equal clusterings. sqrt(2 * objects to move) for hard ones.

    Raises
    ------
    ClusteringError
        If a side is rough, possibilistic or evidential; the message names the conversions.

    Notes
    -----
    A metric. One assignment of columns; never n x n. R:
    ``clue::cl_dissimilarity(x, y, method = "euclidean")``, the default there.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust as sc
    >>> sc.euclidean_membership_distance([0, 0, 1, 1], [1, 1, 0, 2])
    1.4142135623730951
    """
    joint = as_joint(x, y)
    if _both_hard(joint):
        return math.sqrt(2.0 * (joint.n_objects - _most_matched(joint)))
    # From differences: from products, equal clusterings would be 1e-8 apart.
    return math.sqrt(_products(joint).squared)


@measure(
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    properties=("symmetric", "metric", "relabelling-invariant"),
    cost="as euclidean_membership_distance", source=_SOURCE, by_object=True,
    r="clue::cl_agreement(x, y, method = 'euclidean')",
)
def euclidean_membership_index(x: Any, y: Any = None) -> float:
    """1 - Euclidean membership distance / its largest value.

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        1 - d / sqrt(2 n), in [0, 1]; 1 exactly for equal clusterings.

    Raises
    ------
    ClusteringError
        If a side is rough, possibilistic or evidential.

    Notes
    -----
    R: ``clue::cl_agreement(x, y, method = "euclidean")``, the default there.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust as sc
    >>> sc.euclidean_membership_index([0, 0, 1, 1], [1, 1, 0, 2])
    0.5
    """
    joint = as_joint(x, y)
    return 1.0 - euclidean_membership_distance(joint) / math.sqrt(2 * joint.n_objects)


@measure(
    sense="dissimilarity", kinds=KINDS, bounds=lambda joint: (0.0, 2.0 * joint.n_objects),
    properties=("symmetric", "metric", "relabelling-invariant"),
    cost="O(n r s + c^3)", source=_SOURCE, by_object=True,
    r=("clue::cl_dissimilarity(x, y, method = 'manhattan')",
       "clue::cl_dissimilarity(x, y, method = 'Mallows')"), in_compare=False,
)
def manhattan_membership_distance(x: Any, y: Any = None) -> float:
    """Sum of absolute differences of the memberships, columns matched as well as possible.

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        min over column orders of sum |u_ik - v_ik|, in [0, 2 n]. 0 exactly for equal
        clusterings. Twice the number of objects to move for hard ones.

    Raises
    ------
    ClusteringError
        If a side is rough, possibilistic or evidential.

    Notes
    -----
    A metric, with an assignment of its own: the best order need not be the Euclidean one. R:
    ``clue::cl_dissimilarity(x, y, method = "manhattan")``; also its "Mallows" with defaults.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust as sc
    >>> sc.manhattan_membership_distance([0, 0, 1], [[1, 0], [.5, .5], [0, 1]])
    1.0
    """
    joint = as_joint(x, y)
    if _both_hard(joint):
        return 2.0 * (joint.n_objects - _most_matched(joint))

    def least() -> float:
        from scipy.optimize import linear_sum_assignment

        from .. import _kernels
        u, v = _padded(joint)
        cost = np.empty((u.shape[0], v.shape[0]))
        _kernels.columns.absolute_distances(u, v, cost)
        rows, columns = linear_sum_assignment(cost)
        return float(cost[rows, columns].sum())
    return joint.kept("manhattan_membership", least)


@measure(
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    properties=("symmetric", "metric", "relabelling-invariant"),
    cost="as manhattan_membership_distance", source=_SOURCE, by_object=True,
    r="clue::cl_agreement(x, y, method = 'manhattan')", in_compare=False,
)
def manhattan_membership_index(x: Any, y: Any = None) -> float:
    """1 - Manhattan membership distance / its largest value.

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        1 - d / (2 n), in [0, 1]; 1 exactly for equal clusterings.

    Raises
    ------
    ClusteringError
        If a side is rough, possibilistic or evidential.

    Notes
    -----
    R: ``clue::cl_agreement(x, y, method = "manhattan")``.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust as sc
    >>> sc.manhattan_membership_index([0, 0, 1], [[1, 0], [.5, .5], [0, 1]])
    0.8333333333333334
    """
    joint = as_joint(x, y)
    return 1.0 - manhattan_membership_distance(joint) / (2 * joint.n_objects)


@measure(
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    properties=("symmetric", "reflexive", "separating", "relabelling-invariant"),
    cost="as euclidean_membership_distance", source=_SOURCE, by_object=True,
    r="clue::cl_agreement(x, y, method = 'angle')", in_compare=False,
)
def matched_cosine_index(x: Any, y: Any = None) -> float:
    """Cosine of the angle between the membership matrices, columns matched.

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        sum(U * V P) / sqrt(sum U^2 sum V^2), P of the Euclidean match, in [0, 1]; 1 exactly for
        equal clusterings.

    Raises
    ------
    ClusteringError
        If a side is rough, possibilistic or evidential.

    Notes
    -----
    R: ``clue::cl_agreement(x, y, method = "angle")``.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust as sc
    >>> sc.matched_cosine_index([0, 0, 1, 1], [1, 1, 0, 2])
    0.75
    """
    products = _products(as_joint(x, y))
    return min(products.matched / math.sqrt(products.own_x * products.own_y), 1.0)


@measure(
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    properties=("symmetric", "relabelling-invariant",
                Claim(name="metric", kinds=("hard",), condition="hard clusterings")),
    cost="as euclidean_membership_distance", source=_SOURCE, by_object=True,
    r="clue::cl_agreement(x, y, method = 'diag')", in_compare=False,
)
def coclassification_index(x: Any, y: Any = None) -> float:
    """Mean probability that both clusterings put an object into matched clusters.

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        sum(U * V P) / n, P of the Euclidean match, in [0, 1]. For hard clusterings 1 - the share
        of objects to move. Below 1 for a fuzzy clustering against itself.

    Raises
    ------
    ClusteringError
        If a side is rough, possibilistic or evidential.

    Notes
    -----
    R: ``clue::cl_agreement(x, y, method = "diag")``.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust as sc
    >>> sc.coclassification_index([0, 0, 1, 1], [1, 1, 0, 2])
    0.75
    """
    joint = as_joint(x, y)
    return _products(joint).matched / joint.n_objects


@measure(
    sense="dissimilarity", kinds=KINDS, bounds=lambda joint: (0.0, float(joint.n_objects)),
    properties=("symmetric", "pseudo-metric", "relabelling-invariant",
                Claim(name="metric", kinds=("hard",), condition="hard clusterings")),
    cost="O(n (r + s)^2)", source=_SOURCE,
    r="clue::cl_dissimilarity(x, y, method = 'comemberships')", in_compare=False,
)
def comembership_dissimilarity(x: Any, y: Any = None) -> float:
    """Euclidean distance of the n x n matrices of inner products of memberships.

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings of the same n >= 2 objects; or x a `Joint` and no y.

    Returns
    -------
    float
        ||U U' - V V'||_F, in [0, n]. sqrt(2 * disagreeing pairs) for hard clusterings. Different
        fuzzy clusterings can be at distance 0.

    Raises
    ------
    ClusteringError
        If a side is rough, possibilistic or evidential.

    Notes
    -----
    Computed as sqrt(||U'U||^2 - 2 ||U'V||^2 + ||V'V||^2); the n x n matrices are never built. R:
    ``clue::cl_dissimilarity(x, y, method = "comemberships")``.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust as sc
    >>> sc.comembership_dissimilarity([0, 0, 1, 1], [1, 1, 0, 2])
    1.4142135623730951
    """
    joint = as_joint(x, y)
    if _both_hard(joint):
        counts = joint.contingency.pair_counts()
        return math.sqrt(2.0 * (counts.n10 + counts.n01))

    def own(side: str) -> float:
        width = max(joint.x.n_clusters, joint.y.n_clusters)
        u = _rows(joint, side, width)
        return joint.of_side(side, ("own comemberships", width),
                             lambda _: float(((u @ u.T) ** 2).sum()))

    def squared() -> float:
        u, v = _padded(joint)
        cross = u @ v.T
        a, b, c = own("x"), float((cross * cross).sum()), own("y")
        # Differences below rounding are none.
        rest = a - 2.0 * b + c
        return rest if rest > 64 * np.finfo(float).eps * (a + c) else 0.0
    return math.sqrt(joint.kept("comembership", squared))


@measure(
    sense="dissimilarity", kinds=KINDS,
    bounds=lambda joint: (0.0, math.sqrt(2 * joint.n_objects)),
    properties=("symmetric", "reflexive", "relabelling-invariant"),
    cost="O(n r s + c^3)", source="Gordon, Vichi 2001, model 1", by_object=True,
    r="clue::cl_dissimilarity(x, y, method = 'GV1')", in_compare=False,
)
def gordon_vichi_dissimilarity(x: Any, y: Any = None) -> float:
    """Distance over disjoint pairs of clusters; clusters without a partner cost nothing.

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings of the same n >= 2 objects; or x a `Joint` and no y. Empty
        clusters take no part.

    Returns
    -------
    float
        Square root of the least sum of ||u_k - v_l||^2 over min(r, s) disjoint pairs of clusters,
        in [0, sqrt(2 n)].

    Raises
    ------
    ClusteringError
        If a side is rough, possibilistic or evidential.

    Notes
    -----
    The triangle inequality fails: (0,0,0,0,0,1), (0,0,0,0,0,0), (0,0,0,1,1,0) give
    sqrt 6 > 1 + sqrt 2. R: ``clue::cl_dissimilarity(x, y, method = "GV1")``.

    References
    ----------
    A. D. Gordon, M. Vichi (2001), Fuzzy partition models for fitting a set of partitions,
    Psychometrika 66, 229-248.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.gordon_vichi_dissimilarity([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0])
    1.0
    """
    from scipy.optimize import linear_sum_assignment
    joint = as_joint(x, y)
    products = _products(joint)
    used = np.ix_(products.squares_x > 0, products.squares_y > 0)
    cost = (products.squares_x[:, None] + products.squares_y[None, :] - 2.0 * products.cross)[used]
    rows, columns = linear_sum_assignment(cost)
    if _both_hard(joint):
        return math.sqrt(float(cost[rows, columns].sum()))
    from .. import _kernels
    u, v = _padded(joint)
    return math.sqrt(_kernels.columns.squared_distance(
        u, v, np.flatnonzero(products.squares_x > 0)[rows],
        np.flatnonzero(products.squares_y > 0)[columns]))


# -- what they share --------------------------------------------------------------------------
class _Products:
    """Inner products of membership columns of both sides, and the best match of columns."""

    def __init__(self, joint: Joint) -> None:
        if _both_hard(joint):
            contingency = joint.contingency
            n = float(joint.n_objects)
            self.own_x = self.own_y = n
            self.matched = float(_most_matched(joint))
            self._table = contingency
            return
        from scipy.optimize import linear_sum_assignment
        u, v = self._sides = _padded(joint)
        self.cross = u @ v.T
        width = ("membership squares", u.shape[0])
        self.squares_x = joint.of_side("x", width, lambda _: (u * u).sum(axis=1))
        self.squares_y = joint.of_side("y", width, lambda _: (v * v).sum(axis=1))
        self.own_x, self.own_y = float(self.squares_x.sum()), float(self.squares_y.sum())
        self._match = linear_sum_assignment(self.cross, maximize=True)
        self.matched = float(self.cross[self._match].sum())

    @property
    def squared(self) -> float:
        """Squared distance of the matched columns."""
        from .. import _kernels
        return float(_kernels.columns.squared_distance(*self._sides, *self._match))

    def __getattr__(self, name: str) -> Any:
        # Columns of two hard sides: the dense table is made for those who ask.
        if name not in ("cross", "squares_x", "squares_y") or "_table" not in self.__dict__:
            raise AttributeError(name)
        self.cross = self._table.dense().astype(np.float64)
        self.squares_x, self.squares_y = self.cross.sum(axis=1), self.cross.sum(axis=0)
        return self.__dict__[name]


def _products(joint: Joint) -> _Products:
    return joint.kept("membership_products", lambda: _Products(joint))


def _most_matched(joint: Joint) -> int:
    return joint.kept("most_matched", lambda: most_matched(joint.contingency))


def _both_hard(joint: Joint) -> bool:
    for name, side in (("x", joint.x), ("y", joint.y)):
        if side.kind not in KINDS:
            raise ClusteringError(
                f"{name} is {side.kind}; a hard or fuzzy clustering is needed: {name}.to_fuzzy() "
                f"or {name}.harden() makes one by a named rule")
    return joint.x.kind == joint.y.kind == "hard"


def _padded(joint: Joint) -> tuple[np.ndarray, np.ndarray]:
    """Memberships of both sides (c, n), with the same number of clusters."""
    c = max(joint.x.n_clusters, joint.y.n_clusters)
    return _rows(joint, "x", c), _rows(joint, "y", c)


def _rows(joint: Joint, side: str, c: int) -> np.ndarray:
    """Memberships of one side, a row for each cluster and rows of zeros up to `c`."""
    def padded(clustering: Clustering) -> np.ndarray:
        values = np.asarray(clustering.to_fuzzy().membership)
        rows = np.zeros((c, values.shape[0]))
        rows[:values.shape[1]] = values.T
        return rows
    return joint.of_side(side, ("membership rows", c), padded)
