"""Leaf orders of two dendrograms in which few lines between equal objects cross."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from ..._checks import ClusteringError, check_choice, check_whole, frozen, named_keywords
from ..._types import RNG, ArrayLike, Side
from ...results.records import POSITION, Drawn, Record
from ...results.summary import SummaryTable
from ...results.text import number
from ...running.random_numbers import as_generator
from . import _kernels
from .dendrogram import Dendrogram, two_dendrograms
from .types import DendrogramLike

#: rounds of exact one-sided steps from one start
_ROUNDS = 1000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TreeOrders(Drawn, Record):
    """Leaf orders of two dendrograms; made by `untangle`.

    Attributes
    ----------
    x_order, y_order : (n,) int64
        Objects in the order of the leaves.
    crossings : int
        Pairs of objects whose order differs, which are crossing lines in a tanglegram.
    entanglement : float
        Value of `entanglement` for these orders.
    trees : (Dendrogram, Dendrogram)

    Examples
    --------
    >>> import softclust
    >>> x = [[0, 1, 1.0], [2, 3, 1.5], [4, 5, 2.0]]
    >>> y = [[1, 3, 1.0], [0, 2, 1.5], [4, 5, 2.0]]
    >>> orders = softclust.untangle(x, y, rng=0)
    >>> orders.crossings
    1
    """

    _chart = "plot_tanglegram"

    def _table(self) -> SummaryTable:
        columns = {}
        for side, order, tree in zip("xy", (self.x_order, self.y_order), self.trees):
            names = tree.object_names
            columns[side] = [i if names is None else names[i] for i in order.tolist()]
        return SummaryTable.of(columns, title=f"Leaves of two dendrograms: {self.crossings} "
                               f"crossings, entanglement {number(self.entanglement)}")

    x_order: Annotated[np.ndarray, "i n <n"] = field(metadata=POSITION)
    y_order: Annotated[np.ndarray, "i n <n"] = field(metadata=POSITION)
    crossings: int
    entanglement: float
    trees: tuple[Dendrogram, Dendrogram]

    def _check(self) -> None:
        if any(tree.n_objects != self.x_order.size for tree in self.trees):
            raise ClusteringError("the dendrograms of stored orders have other numbers of objects")


@named_keywords
def untangle(x: DendrogramLike, y: DendrogramLike, *, fixed: Side | None = None,
             x_order: ArrayLike | None = None, y_order: ArrayLike | None = None, n_starts: int = 10,
             rng: RNG = None) -> TreeOrders:
    """Turn the branches of two dendrograms so that few lines between them cross.

    Parameters
    ----------
    x, y : Dendrogram, merges or fitted estimator
        Of the same objects.
    fixed : {None, "x", "y"}
        The side that keeps its order; the order of the other is then optimal.
    x_order, y_order : array-like of int, shape (n,), optional
        Initial orders; by default those of the merges.
    n_starts : int
        Number of starts when both sides are free: the initial orders and random ones.
    rng : None, int or numpy Generator, optional
        Seed or Generator of the random starts.

    Returns
    -------
    TreeOrders

    Raises
    ------
    ClusteringError
        If a side is not a dendrogram, the objects differ, or an order is not a leaf order of its
        tree.

    See Also
    --------
    entanglement, order_flows, dendrogram_curve

    Notes
    -----
    With one side fixed, each merge can be turned independently of the others: the result is exact
    and takes time O(n log^2 n). With both sides free the problem is NP-hard; exact steps on either
    side alternate until the crossings no longer decrease, which gives a local optimum.

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    H. Fernau, M. Kaufmann and M. Poths (2005), Comparing trees via crossing minimization, FSTTCS,
    457-469.

    Examples
    --------
    >>> import softclust
    >>> x = [[0, 1, 1.0], [2, 3, 1.5], [4, 5, 2.0]]
    >>> y = [[1, 3, 1.0], [0, 2, 1.5], [4, 5, 2.0]]
    >>> softclust.untangle(x, y, fixed="x").crossings
    1
    """
    if fixed is not None:
        check_choice("fixed", fixed, ("x", "y"))
    n_starts = check_whole("n_starts", n_starts)
    x, y = two_dendrograms(x, y)
    first, second = _checked_order(x, x_order, "x_order"), _checked_order(y, y_order, "y_order")
    if fixed == "x":
        return _orders(x, y, first, _untangled(y, second, first)[0])
    if fixed == "y":
        return _orders(x, y, _untangled(x, first, second)[0], second)
    rng = as_generator(rng)
    best: tuple[int, np.ndarray, np.ndarray] | None = None
    for start in range(n_starts):
        if start:
            first = _arranged(x, rng.random(x.n_objects - 1) < 0.5)
        crossings, one, other = -1, first, second
        for _ in range(_ROUNDS):   # one-sided steps until the crossings no longer decrease
            before = crossings
            other = _untangled(y, other, one)[0]
            one, crossings = _untangled(x, one, other)
            if crossings == before:
                break
        if best is None or crossings < best[0]:
            best = crossings, one, other
        if best[0] == 0:
            break
    assert best is not None
    return _orders(x, y, best[1], best[2])


def entanglement(x_order: ArrayLike, y_order: ArrayLike, *, power: float = 1.5) -> float:
    r"""Entanglement: distance of the objects between two orders, from 0 (equal) to 1 (reversed).

    Parameters
    ----------
    x_order, y_order : array-like, shape (n,)
        The same objects in two orders.
    power : float
        Exponent of the differences of positions.

    Returns
    -------
    float
        Sum of |difference|^power over that of the reversed order; 0 for one object.

    Raises
    ------
    ClusteringError
        If the orders are of different objects.

    See Also
    --------
    untangle, cophenetic_correlation

    Notes
    -----
    .. math:: \frac{\sum_i | x_i - y_i |^L}{\sum_i | i - (n + 1 - i) |^L}

    R: ``dendextend::entanglement(d1, d2, L = power)``.

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    T. Galili (2015), dendextend: an R package for visualizing, adjusting and comparing trees of
    hierarchical clustering, Bioinformatics 31, 3718-3720.

    Examples
    --------
    >>> import softclust
    >>> softclust.entanglement([0, 1, 2], [2, 1, 0])
    1.0
    """
    places = {v: i for i, v in enumerate(np.asarray(x_order).tolist())}
    other = np.asarray(y_order).tolist()
    if len(places) != len(other) or set(places) != set(other):
        raise ClusteringError("x_order and y_order must be orders of the same objects, each once")
    n = len(other)
    apart = np.abs(np.array([places[v] for v in other], dtype=np.float64) - np.arange(n))
    reversed_apart = np.abs(2.0 * np.arange(n) - (n - 1.0))
    total = float((reversed_apart ** power).sum())
    return float((apart ** power).sum()) / total if total else 0.0


def _orders(x: Dendrogram, y: Dendrogram, first: np.ndarray, second: np.ndarray) -> TreeOrders:
    # Crossings are pairs of objects whose order differs.
    crossed, size, m = _crossed(x, second), x.intervals[0], x.checked
    crossed = np.where(_first_left(x, first), crossed, size[m.left] * size[m.right] - crossed)
    return TreeOrders(x_order=frozen(first), y_order=frozen(second), crossings=int(crossed.sum()),
                      entanglement=entanglement(first, second), trees=(x, y))


def _checked_order(tree: Dendrogram, order: Any, name: str) -> np.ndarray:
    """The initial order, a leaf order of the tree."""
    if order is None:
        return np.array(tree.order)
    order = np.asarray(order)
    n = tree.n_objects
    if order.shape != (n,) or not np.array_equal(np.sort(order), np.arange(n)):
        raise ClusteringError(f"{name} must have each of the {n} objects once")
    order = order.astype(np.int64)
    if not np.array_equal(_arranged(tree, _first_left(tree, order)), order):
        raise ClusteringError(f"{name} is not a leaf order of its dendrogram: a cluster does not "
                              "stand together")
    return order


def _places(order: np.ndarray) -> np.ndarray:
    places = np.empty(order.size, np.int64)
    places[order] = np.arange(order.size)
    return places


def _first_left(tree: Dendrogram, order: np.ndarray) -> np.ndarray:
    """Mask of the merges whose left part comes first in an order, (n - 1,) bool."""
    low, m = tree.extent(_places(order))[0], tree.checked
    return np.asarray(low[m.left] < low[m.right])


def _arranged(tree: Dendrogram, first_left: np.ndarray) -> np.ndarray:
    """The leaf order with these turns."""
    m = tree.checked
    n = tree.n_objects
    size, start = np.empty(2 * n - 1, np.int64), np.empty(2 * n - 1, np.int64)
    order = np.empty(n, np.int64)
    _kernels.trees.leaf_order(np.where(first_left, m.left, m.right),
                               np.where(first_left, m.right, m.left), size, start, order)
    return order


def _crossed(tree: Dendrogram, against: np.ndarray) -> np.ndarray:
    """Reversed pairs of each merge when its left part comes first, (n - 1,) int64."""
    m = tree.checked
    n = tree.n_objects
    crossings = np.zeros(n - 1, np.int64)
    _kernels.trees.count_crossings(m.left, m.right, *tree.intervals[:2], *tree.heavy,
                                   _places(against)[tree.intervals[2]],
                                   np.zeros(n + 1), crossings)
    return crossings


def _untangled(tree: Dendrogram, order: np.ndarray, against: np.ndarray
               ) -> tuple[np.ndarray, int]:
    """The best order of a tree against a fixed one, turns kept where it does not matter."""
    m = tree.checked
    crossed = _crossed(tree, against)
    size = tree.intervals[0]
    other = size[m.left] * size[m.right] - crossed
    turned = np.where(crossed == other, _first_left(tree, order), crossed < other)
    return _arranged(tree, turned), int(np.minimum(crossed, other).sum())
