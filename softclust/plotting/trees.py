"""Charts of two dendrograms: tanglegram, agreement by number of clusters, map of cuts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .figures import HEAT, PALETTE, TEXT, chart, check_record, pyplot, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..trees.curve import DendrogramCurve, DendrogramMap
    from ..trees.dendrogram import Dendrogram
    from ..trees.orders import TreeOrders

#: objects up to which names are written
_NAMED = 60
#: numbers in the cells of a map up to this many cuts a side
_WRITTEN = 12


@chart
def plot_tanglegram(orders: TreeOrders, *, ax: Axes | None = None) -> Axes:
    """Draw two dendrograms face to face, with a line between the two places of each object.

    Parameters
    ----------
    orders : TreeOrders
        As `untangle` returns it.

    Returns
    -------
    matplotlib.axes.Axes
        The title says how many lines cross. Names are written for up to 60 objects.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> x = [[0, 1, 1.0], [2, 3, 1.5], [4, 5, 2.0]]
    >>> y = [[1, 3, 1.0], [0, 2, 1.5], [4, 5, 2.0]]
    >>> ax = softclust.plotting.plot_tanglegram(softclust.untangle(x, y, fixed="x"))
    >>> ax.get_title()
    '1 crossing, entanglement 0.16'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("orders", orders, "TreeOrders", "softclust.untangle")
    x, y = orders.trees
    n = orders.x_order.size
    if ax is None:
        _, ax = pyplot().subplots(figsize=(7.0, min(12.0, 2.0 + 0.18 * n)), layout="constrained")
    names = [written(name, 10) for name in x.object_names or range(n)] if n <= _NAMED else []
    gap = 0.04 + 0.025 * max(map(len, names), default=0)
    places = [np.argsort(order) for order in (orders.x_order, orders.y_order)]
    _draw_tree(ax, x, places[0], 0.0, 1.0, PALETTE[0])
    _draw_tree(ax, y, places[1], 3.0, 2.0, PALETTE[1 % len(PALETTE)])
    for i in range(n):
        ax.plot([1.0 + gap, 2.0 - gap], [places[0][i], places[1][i]], color=TEXT, lw=0.7,
                alpha=0.6)
    for i, name in enumerate(names):
        ax.text(1.01, places[0][i], name, fontsize=7, va="center")
        ax.text(1.99, places[1][i], name, fontsize=7, va="center", ha="right")
    ax.set_ylim(n - 0.3, -0.7)
    ax.set_axis_off()
    many = "crossing" if orders.crossings == 1 else "crossings"
    ax.set_title(f"{orders.crossings} {many}, entanglement {orders.entanglement:.2f}", fontsize=10)
    return ax


def _draw_tree(ax: Axes, tree: Dendrogram, places: np.ndarray, root: float, leaves: float,
               color: str) -> None:
    """Brackets from `leaves` (height 0) to `root` (the largest height)."""
    n, m = tree.n_objects, tree.checked
    most = float(np.abs(m.heights).max()) or 1.0
    across = np.concatenate([np.full(n, leaves),
                             leaves + (root - leaves) * 0.95 * m.heights / most])
    along = np.concatenate([places.astype(float), np.zeros(n - 1)])
    for t, (a, b) in enumerate(zip(m.left.tolist(), m.right.tolist())):
        along[n + t] = (along[a] + along[b]) / 2
        ax.plot([across[a], across[n + t], across[n + t], across[b]],
                [along[a], along[a], along[b], along[b]], color=color, lw=1.0)


@chart
def plot_dendrogram_curve(curve: DendrogramCurve, *, ax: Axes | None = None) -> Axes:
    """Draw the agreement of two dendrograms by number of clusters.

    Parameters
    ----------
    curve : DendrogramCurve
        As `dendrogram_curve` returns it.

    Returns
    -------
    matplotlib.axes.Axes
        The dashed line is the mean for unrelated trees, the band ends at the limit that those
        exceed in one of twenty cases. The axis of k is logarithmic from 50 clusters on.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> x = [[0, 1, 1.0], [2, 3, 1.5], [4, 5, 2.0]]
    >>> ax = softclust.plotting.plot_dendrogram_curve(softclust.dendrogram_curve(x, x))
    >>> ax.get_xlabel()
    'number of clusters k'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("curve", curve, "DendrogramCurve", "softclust.dendrogram_curve")
    if ax is None:
        _, ax = pyplot().subplots(figsize=(6.4, 4.2), layout="constrained")
    ax.plot(curve.k, curve.value, color=PALETTE[0], marker="o" if curve.k.size <= 50 else "",
            ms=4, label=curve.measure.replace("_", " "))
    if np.isfinite(curve.expected).any():
        ax.plot(curve.k, curve.expected, color=TEXT, ls="--", lw=1, label="mean if unrelated")
        ax.fill_between(curve.k, curve.expected, curve.limit(), color=TEXT, alpha=0.15,
                        label="up to the 95 % limit")
    if curve.k.size and curve.k[-1] > 50:
        ax.set_xscale("log")
    ax.set_xlabel("number of clusters k", fontsize=9)
    ax.set_ylabel(curve.measure.replace("_", " "), fontsize=9)
    ax.legend(fontsize=8, frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


@chart
def plot_dendrogram_map(record: DendrogramMap, *, ax: Axes | None = None) -> Axes:
    """Draw the agreement of all cuts of two dendrograms as coloured cells.

    Parameters
    ----------
    record : DendrogramMap
        As `dendrogram_map` returns it.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> x = [[0, 1, 1.0], [2, 3, 1.5], [4, 5, 2.0]]
    >>> ax = softclust.plotting.plot_dendrogram_map(softclust.dendrogram_map(x, x))
    >>> ax.get_ylabel()
    'clusters of x'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("record", record, "DendrogramMap", "softclust.dendrogram_map")
    if ax is None:
        _, ax = pyplot().subplots(figsize=(5.6, 4.8), layout="constrained")
    shown = ax.imshow(record.value, cmap=HEAT, origin="lower", aspect="auto")
    ax.set_xticks(range(record.k_y.size), [str(k) for k in record.k_y], fontsize=8)
    ax.set_yticks(range(record.k_x.size), [str(k) for k in record.k_x], fontsize=8)
    ax.set_xlabel("clusters of y", fontsize=9)
    ax.set_ylabel("clusters of x", fontsize=9)
    if max(record.value.shape) <= _WRITTEN:
        middle = (np.nanmin(record.value) + 2 * np.nanmax(record.value)) / 3
        for i, row in enumerate(record.value):
            for j, value in enumerate(row):
                ax.text(j, i, f"{value:.2f}", ha="center", va="center", fontsize=7,
                        color="white" if value > middle else "black")
    ax.figure.colorbar(shown, ax=ax, label=record.measure.replace("_", " "))
    return ax
