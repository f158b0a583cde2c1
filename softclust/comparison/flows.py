"""Orders of the clusters of consecutive clusterings in which few flows between them cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from typing import Annotated, Any

import numpy as np

from .._checks import ClusteringError, named_keywords
from .._types import EnsembleLike
from ..clusterings import Ensemble
from ..measures.joint import hard
from ..measures.statistic import Source
from ..results.frames import column_names
from ..results.records import POSITION, Columns, Record
from ..results.summary import SummaryTable
from ..results.text import position, short
from ..tables.contingency import Contingency, contingency

#: most clusters of a side for which the best order is found by subsets, and of both by permutations
MOST_BY_SUBSETS, MOST_BOTH = 12, 7
#: maximum number of sweeps, of which few are needed
_ROUNDS = 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlowOrder(Record):
    """Orders of clusters in which few flows cross; made by `order_flows`.

    Attributes
    ----------
    orders : tuple of ndarray of int
        For each clustering, its clusters from top to bottom.
    crossings : int or float
        Sum, over pairs of flows that cross, of the products of their sizes: the number of pairs of
        objects whose lines cross.
    exact : bool
        True if no other orders have fewer crossings.
    tables : tuple of ndarray
        Flows between consecutive clusterings, with clusters in their original order.

    Notes
    -----
    ``to_frame()``: one row per cluster. Columns ``clustering`` and ``cluster``, as positions, and
    ``place`` from the top.

    Examples
    --------
    >>> import softclust
    >>> softclust.order_flows({"a": [0, 0, 1], "b": [1, 1, 0]}).to_frame()["cluster"].tolist()
    [0, 1, 1, 0]
    """

    orders: tuple[Annotated[np.ndarray, "i _"], ...] = field(metadata=POSITION)
    crossings: int | float
    exact: bool
    tables: tuple[Annotated[np.ndarray, "f _ _ >=0"], ...]
    #: names of the clusterings and of the clusters of each
    names: Annotated[tuple[Any, ...], "orders"] = ()
    cluster_names: Annotated[tuple[tuple[Any, ...], ...], "orders"] = ()

    def _check(self) -> None:
        sizes = [order.size for order in self.orders]
        if [table.shape for table in self.tables] != [*pairwise(sizes)] or any(
                not np.array_equal(np.sort(order), np.arange(order.size)) for order in self.orders
                ) or any(len(names) < size for names, size in zip(self.cluster_names, sizes)):
            raise ClusteringError("the orders, tables and names of stored flows do not fit")

    def _table(self) -> SummaryTable:
        return SummaryTable.of(
            {"clustering": self.names,
             "clusters from top to bottom": [
                ", ".join(str(position(names[k])) for k in order.tolist())
                for names, order in zip(self.cluster_names, self.orders)]},
            title=f"Flows with {short(self.crossings)} crossings"
                  + ("" if self.exact else ", a local minimum"))

    def _frame(self) -> Columns:
        places = [(i, int(k), place) for i, order in enumerate(self.orders)
                  for place, k in enumerate(order)]
        return Columns(dict(zip(("clustering", "cluster", "place"), zip(*places))))


@named_keywords
def order_flows(clusterings: EnsembleLike) -> FlowOrder:
    """Order the clusters of consecutive clusterings so that few flows between them cross.

    Parameters
    ----------
    clusterings : Ensemble, mapping, sequence of hard clusterings, or table
        At least two clusterings in order: an `Ensemble`, a mapping or a list of clusterings or
        arrays of labels. Or one table of counts: a two-dimensional array, a `ContingencyTable` or
        a list of rows. (A list of lists is always a table; make arrays of lists of labels.)

    Returns
    -------
    FlowOrder
        ``.orders``, ``.crossings``, ``.exact``.

    Raises
    ------
    ClusteringError
        If a clustering is not hard, there are fewer than two, or the table has negative entries.

    See Also
    --------
    match_clusters, untangle

    Notes
    -----
    For two clusterings of at most 7 clusters each the orders are exact: all permutations of one
    side are tried, and the other side is ordered by a recursion over subsets. Otherwise each
    clustering in turn is ordered between its neighbours, exactly up to 12 clusters and by
    barycentres and exchanges of neighbours beyond, until the number of crossings no longer falls: a
    local optimum.

    References
    ----------
    J. Rich, L. Oakes and L. Pachter (2025), arXiv:2509.03671 (order of alluvial plots).

    Examples
    --------
    >>> import softclust
    >>> found = softclust.order_flows([[0, 5], [7, 1]])
    >>> [order.tolist() for order in found.orders], found.crossings, found.exact
    ([[0, 1], [1, 0]], 0, True)
    """
    tables, names, cluster_names = _tables(clusterings)
    if len(tables) == 1 and max(tables[0].shape) <= MOST_BOTH:
        orders = list(_both(tables[0]))
        exact = True
    else:
        starts = [[np.arange(tables[0].shape[0]), *(np.arange(t.shape[1]) for t in tables)],
                  _matched(tables)]
        orders = min((_swept(tables, start) for start in starts),
                     key=lambda orders: _total(tables, orders))
        exact = False
    return FlowOrder(orders=tuple(orders), crossings=_total(tables, orders), exact=exact,
                     tables=tuple(tables), names=names, cluster_names=cluster_names)


def _tables(runs: Any) -> tuple[list[np.ndarray], tuple[Any, ...], tuple[tuple[Any, ...], ...]]:
    """Flows between consecutive clusterings, names of these, and names of their clusters."""
    table: Any = None
    if isinstance(runs, Source):
        table = runs.statistic(Contingency).dense()
    elif isinstance(runs, np.ndarray) and runs.ndim == 2:
        table = _checked(runs)
    elif type(runs).__module__.startswith("scipy.sparse"):
        table = _checked(runs.toarray())
    elif isinstance(runs, (list, tuple)) and runs and all(
            isinstance(row, (list, tuple)) for row in runs):
        if len(set(map(len, runs))) > 1:
            raise ClusteringError("the rows of the table have different lengths; give labels of "
                                  "clusterings as arrays")
        table = _checked(np.array(runs))
    if table is not None:
        own = ((runs.objects.x.cluster_names, runs.objects.y.cluster_names)
               if isinstance(runs, Source) and runs.has_objects else
               (getattr(runs, "x_names", None), getattr(runs, "y_names", None)))
        return [table], ("x", "y"), tuple(tuple(names or range(size))
                                          for names, size in zip(own, table.shape))
    if not isinstance(runs, (Ensemble, Mapping, Sequence)) and column_names(runs) is None:
        raise ClusteringError(f"clusterings is of type {type(runs).__name__}; an Ensemble, a "
                              "list of clusterings or a table is needed")
    runs = Ensemble(runs).complete()
    if len(runs) < 2:
        raise ClusteringError("there is one clustering; flows need at least two")
    sides = [hard(f"clustering {name!r}", x) for name, x in zip(runs.names, runs)]
    return ([contingency(x.codes, x.n_clusters, y.codes, y.n_clusters).dense()
             for x, y in pairwise(sides)], tuple(runs.names),
            tuple(x.cluster_names for x in sides))


def _checked(table: np.ndarray) -> np.ndarray:
    if table.ndim != 2 or not table.size or table.dtype.kind not in "biuf":
        raise ClusteringError(f"the table has shape {table.shape} and dtype {table.dtype}; "
                              "numbers in two dimensions are needed")
    values = table.astype(np.float64 if table.dtype.kind == "f" else np.int64)
    if not (np.isfinite(values) & (values >= 0)).all():
        raise ClusteringError("the table has entries that are negative or not finite; counts are "
                              "needed")
    return values


def crossings_of(table: np.ndarray) -> int | float:
    """Sum of T_kl T_k'l' over pairs of flows with k < k' and l > l'."""
    later = np.zeros_like(table)
    below = table[::-1].cumsum(axis=0)[::-1]
    later[:-1, 1:] = below[1:, :-1].cumsum(axis=1)
    return (table * later).sum().item()


def _total(tables: Sequence[np.ndarray], orders: Sequence[np.ndarray]) -> Any:
    return sum(crossings_of(table[np.ix_(a, b)]) for table, (a, b) in zip(tables, pairwise(orders)))


def _costs(table: np.ndarray) -> np.ndarray:
    """[l, l']: crossings of the flows of columns l and l' when l comes before l'."""
    above = np.zeros_like(table)
    above[1:] = table[:-1].cumsum(axis=0)
    # A flow to l from a later row crosses those to l' from earlier rows.
    return table.T @ above


# -- one side -------------------------------------------------------------------------------------
def _best(costs: np.ndarray, start: np.ndarray) -> np.ndarray:
    """An order with low cost, no worse than `start`."""
    c = costs.shape[0]
    if c <= MOST_BY_SUBSETS:
        return _by_subsets(costs[None])[1][0]
    return _exchanged(costs, start)


def _by_subsets(costs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Smallest costs (m,) and orders (m, c) for cost matrices (m, c, c), over all subsets."""
    m, c, _ = costs.shape
    cheapest = np.zeros((1 << c, m), dtype=costs.dtype)
    last = np.zeros((1 << c, m), dtype=np.int8)
    #: cost of placing each cluster after all of a subset
    after = np.zeros((c, 1 << c, m), dtype=costs.dtype)
    for s in range(1, 1 << c):
        low = (s & -s).bit_length() - 1
        after[:, s] = after[:, s & (s - 1)] + costs[:, low].T
        inside = [k for k in range(c) if s >> k & 1]
        candidates = np.stack([cheapest[s ^ 1 << k] + after[k, s ^ 1 << k] for k in inside])
        place = candidates.argmin(axis=0)
        cheapest[s] = np.take_along_axis(candidates, place[None], axis=0)[0]
        last[s] = np.array(inside, dtype=np.int8)[place]
    orders = np.empty((m, c), dtype=np.int64)
    sets, rows = np.full(m, (1 << c) - 1), np.arange(m)
    for place in range(c - 1, -1, -1):
        orders[:, place] = last[sets, rows]
        sets ^= 1 << orders[:, place]
    return cheapest[-1], orders


def _exchanged(costs: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Exchange neighbours and move clusters while this helps."""
    order = start.copy()
    gain = costs - costs.T   # gain[l, l'] > 0: l' had better stand before l
    moved = True
    while moved:
        moved = False
        for i in range(order.size):
            # Moving cluster i along the order changes the cost by partial sums.
            k = order[i]
            others = np.delete(order, i)
            change = np.concatenate([[0], np.cumsum(gain[others, k])])
            place = int(change.argmin())
            if change[place] < change[i]:
                order = np.insert(others, place, k)
                moved = True
    return order


# -- several sides --------------------------------------------------------------------------------
def _both(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The best orders of both sides, over the permutations of the smaller one."""
    if table.shape[0] > table.shape[1]:
        second, first = _both(table.T)
        return first, second
    r, s = table.shape
    orders = np.array(list(permutations(range(r))))
    # An order and its reverse are mirror images.
    orders = orders[orders[:, 0] <= orders[:, -1]]
    places = np.argsort(orders, axis=1)
    before = places[:, None, :] < places[:, :, None]   # [m, k, k']: k' above k
    products = np.einsum("kl,KL->kKlL", table, table).reshape(r * r, s * s)
    costs = (before.reshape(-1, r * r).astype(table.dtype) @ products).reshape(-1, s, s)
    lowest_costs, columns = _by_subsets(costs)
    best = int(lowest_costs.argmin())
    return orders[best], columns[best]


def _matched(tables: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Place each cluster opposite its partner in a matching, the others by their barycentres."""
    from scipy.optimize import linear_sum_assignment
    orders = [np.arange(tables[0].shape[0])]
    for table in tables:
        place = np.argsort(orders[-1])
        weights = table.sum(axis=0)
        centre = np.where(weights > 0, (place @ table) / np.where(weights > 0, weights, 1),
                          table.shape[0])
        rows, columns = linear_sum_assignment(table, maximize=True)
        wanted = centre.astype(np.float64)
        wanted[columns] = place[rows]
        orders.append(np.lexsort((centre, wanted)))
    return orders


def _swept(tables: Sequence[np.ndarray], orders: list[np.ndarray]) -> list[np.ndarray]:
    """Order each clustering in turn between its neighbours, until the cost stops falling."""
    orders, best = list(orders), _total(tables, orders)
    layers = range(len(orders))
    for _ in range(_ROUNDS):
        for i in (*layers, *reversed(layers)):
            parts = []
            if i > 0:
                parts.append(tables[i - 1][orders[i - 1]])
            if i < len(tables):
                parts.append(tables[i].T[orders[i + 1]])
            costs = np.sum([_costs(part) for part in parts], axis=0)
            improved = _best(costs, orders[i])
            if _cost(costs, improved) < _cost(costs, orders[i]):
                orders[i] = improved
        total = _total(tables, orders)
        if not total < best:
            break
        best = total
    return orders


def _cost(costs: np.ndarray, order: np.ndarray) -> Any:
    return np.triu(costs[np.ix_(order, order)], 1).sum()
