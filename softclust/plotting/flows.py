"""Flows of objects between clusterings as bands, and where two clusterings disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._checks import check_choice
from ..clusterings import Ensemble
from ..comparison.flows import order_flows
from .figures import (
    HEAT_OF_DISAGREEMENT,
    RAIL,
    TEXT,
    chart,
    colour,
    heat_map,
    largest_rows,
    new_axes,
    pyplot,
    without_frame,
    written,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from .._types import EnsembleLike
    from ..comparison.explain import Explanation

#: width of the bars, share of the height that gaps take
_BAR, _GAPS = 0.08, 0.12


@chart()
def plot_flows(clusterings: EnsembleLike, *, ax: Axes | None = None) -> Axes:
    """Draw how objects move between the clusters of consecutive clusterings.

    Parameters
    ----------
    clusterings : Ensemble, mapping or sequence of hard clusterings
        At least two, in order; drawn from left to right.

    Returns
    -------
    matplotlib.axes.Axes
        Bars are clusters, in the orders of `order_flows`; bands have the colour of the cluster
        that they leave. The title says how many pairs of objects cross.

    Raises
    ------
    ClusteringError
        If a clustering is not hard, or there are fewer than two.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import AgglomerativeClustering, KMeans
    >>> iris = softclust.datasets.load_iris()
    >>> ax = softclust.plotting.plot_flows({
    ...     "species": iris.labels, "k-means": KMeans(3, n_init=10, random_state=0).fit(iris.data),
    ...     "single": AgglomerativeClustering(3, linkage="single").fit(iris.data)})
    >>> ax.get_title(loc="left")
    'crossing pairs of objects: 28'
    """
    runs = Ensemble(clusterings).complete()
    flow = order_flows(runs)
    ax = new_axes(ax, min(2.0 + 2.2 * len(flow.tables), 14.0), 4.6)
    n = runs.n_objects
    spans = [_spans(x.sizes, order, n) for x, order in zip(runs, flow.orders)]   # type: ignore[attr-defined]
    for i, table in enumerate(flow.tables):
        _draw_bands(ax, i, table, (spans[i], spans[i + 1]), (flow.orders[i], flow.orders[i + 1]),
                    lambda k, j: colour(k), 0.45)
    _draw_bars(ax, [x.cluster_names for x in runs], spans, runs.names)
    ax.set_title(f"crossing pairs of objects: {flow.crossings:,}")
    return ax


@chart("Explanation", "explain(x, y)")
def plot_explanation(explanation: Explanation, kind: Literal["flows", "table"] = "flows", *,
                     ax: Axes | None = None) -> Axes:
    """Draw where two clusterings disagree.

    Parameters
    ----------
    explanation : Explanation
        Result of `softclust.explain`.
    kind : {"flows", "table"}, optional
        Bands of objects between the clusters of both sides, or the table of counts with matched
        clusters along the diagonal. Darker orange is more disagreement: of each object in a band,
        of all objects in a cell. Without shares of cells "flows" is the objects with the largest
        shares.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> iris = softclust.datasets.load_iris()
    >>> kmeans = KMeans(3, n_init=10, random_state=0).fit(iris.data)
    >>> ax = softclust.explain(iris.labels, kmeans, names=("species", "k-means")).plot()
    >>> [label.get_text() for label in ax.get_xticklabels()]
    ['species', 'k-means']
    """
    check_choice("kind", kind, ("flows", "table"))
    if kind == "flows" and not explanation.has_cells:
        ax = largest_rows(ax, explanation.top())
        ax.set_xlabel(f"share of {explanation.label} = {explanation.total:.3g}")
        return ax
    r, s = (len(names) for names in explanation.cluster_names)
    table, shares = np.zeros((r, s), np.int64), np.zeros((r, s))
    rows, cols, counts = explanation.cells.T
    table[rows, cols], shares[rows, cols] = counts, explanation.cell_shares
    orders = order_flows(table).orders
    if kind == "table":
        depth = shares / (shares.max() or 1.0)
        at = np.ix_(*orders)
        named = [[written(names[k], 14) for k in order.tolist()]
                 for names, order in zip(explanation.cluster_names, orders)]
        ax = heat_map(ax, depth[at], *named, limits=(0.0, 1.25), cmap=HEAT_OF_DISAGREEMENT,
                      label="share of the disagreement", texts=table[at].astype(str))
        ax.set(ylabel=written(explanation.names[0], 20), xlabel=written(explanation.names[1], 20))
    else:
        ax = new_axes(ax, 5.4, 4.6)
        n = int(table.sum())
        spans = [_spans(table.sum(axis=1 - side), order, n) for side, order in enumerate(orders)]
        depth = shares / np.maximum(table, 1)
        depth /= depth.max() or 1.0
        shade = pyplot().get_cmap(HEAT_OF_DISAGREEMENT)
        _draw_bands(ax, 0, table, spans, orders, lambda k, j: (
            RAIL if depth[k, j] <= 1e-9 else shade(0.25 + 0.75 * depth[k, j])), 0.75)
        _draw_bars(ax, explanation.cluster_names, spans, explanation.names)
    ax.set_title(f"{explanation.label} = {explanation.total:.3g} (darker: more of it)")
    return ax


def _draw_bars(ax: Axes, cluster_names: Any, spans: Sequence[np.ndarray], names: Sequence[str]
               ) -> None:
    """A bar for each cluster with its name; the names of the clusterings below."""
    last = len(spans) - 1
    for i, (span, named) in enumerate(zip(spans, cluster_names)):
        for name, (low, high) in zip(named, span.tolist()):
            if high > low:
                ax.fill([i - _BAR / 2, i + _BAR / 2, i + _BAR / 2, i - _BAR / 2],
                        [low, low, high, high], color=TEXT, lw=0)
                side = 1 if i == last else -1
                ax.text(i + side * (_BAR / 2 + 0.02), (low + high) / 2, written(name, 14),
                        fontsize="small", va="center", ha="left" if i == last else "right")
    ax.set_xlim(-0.35, last + 0.35)
    ax.set_ylim(1.02 * max(float(span.max()) for span in spans), 0)
    ax.set_xticks(range(last + 1), [written(name, 20) for name in names])
    ax.set_yticks([])
    without_frame(ax)


def _spans(sizes: np.ndarray, order: np.ndarray, n: int) -> np.ndarray:
    """Top and bottom of each cluster, (c, 2); gaps share the same height in all clusterings."""
    used = int((sizes > 0).sum())
    gap = n * _GAPS / max(1, used - 1) if used > 1 else 0.0
    spans = np.zeros((sizes.size, 2))
    top = 0.0 if used > 1 else n * _GAPS / 2
    for k in order.tolist():
        spans[k] = top, top + sizes[k]
        if sizes[k]:
            top += sizes[k] + gap
    return spans


def _draw_bands(ax: Axes, i: int, table: np.ndarray, spans: Sequence[np.ndarray],
                orders: Sequence[np.ndarray], face: Callable[[int, int], Any], alpha: float
                ) -> None:
    """Bands from clustering i to the next, stacked in the orders of both ends."""
    steps = np.linspace(0.0, 1.0, 40)
    ease = steps * steps * (3.0 - 2.0 * steps)
    across = i + _BAR / 2 + steps * (1.0 - _BAR)
    rows, columns = (order.tolist() for order in orders)
    starts = _stacked(table, rows, columns, spans[0])
    ends = _stacked(table.T, columns, rows, spans[1])
    for k, j in np.argwhere(table):
        top = starts[k, j] + (ends[j, k] - starts[k, j]) * ease
        ax.fill_between(across, top, top + table[k, j], color=face(k, j), alpha=alpha, lw=0.3,
                        edgecolor="white")


def _stacked(table: np.ndarray, rows: list[int], columns: list[int], spans: np.ndarray
             ) -> np.ndarray:
    """Start of the band of each cell within its bar."""
    tops = np.zeros(table.shape)
    for k in rows:
        tops[k, columns] = spans[k, 0] + np.cumsum(np.append(0, table[k, columns]))[:-1]
    return tops
