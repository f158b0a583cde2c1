"""Flows of objects between consecutive clusterings, as bands that cross little."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..clusterings import Ensemble
from ..comparison.flows import FlowOrder, order_flows
from .figures import PALETTE, TEXT, chart, pyplot, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: width of the bars, share of the height that gaps take
_BAR, _GAPS = 0.08, 0.12


@chart
def plot_flows(clusterings: Any, *, ax: Axes | None = None) -> Axes:
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
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.plotting.plot_flows({"first": [0, 0, 1, 1, 2], "second": [1, 1, 0, 0, 0]})
    >>> ax.get_title()
    '0 pairs of objects cross'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    runs = Ensemble(clusterings).complete()
    found = order_flows(runs)
    if ax is None:
        width = 2.0 + 2.2 * len(found.tables)
        _, ax = pyplot().subplots(figsize=(min(width, 14.0), 4.6), layout="constrained")
    n = runs.n_objects
    spans = [_spans(x.sizes, order, n) for x, order in zip(runs, found.orders)]   # type: ignore[attr-defined]
    for i, table in enumerate(found.tables):
        _draw_bands(ax, i, table, found, spans)
    for i, (x, order) in enumerate(zip(runs, found.orders)):
        for k in order.tolist():
            low, high = spans[i][k]
            if high > low:
                ax.fill([i - _BAR / 2, i + _BAR / 2, i + _BAR / 2, i - _BAR / 2],
                        [low, low, high, high], color=TEXT, lw=0)
                last = i == len(found.orders) - 1
                ax.text(i + (1 if last else -1) * (_BAR / 2 + 0.02), (low + high) / 2,
                        written(x.cluster_names[k], 14), fontsize=8, va="center",
                        ha="left" if last else "right")
    ax.set_xlim(-0.35, len(runs) - 0.65)
    ax.set_ylim(n * (1 + _GAPS), 0)
    ax.set_xticks(range(len(runs)), [written(name, 20) for name in runs.names], fontsize=9)
    ax.set_yticks([])
    ax.spines[["top", "right", "left", "bottom"]].set_visible(False)
    ax.tick_params(length=0)
    many = "pair of objects crosses" if found.crossings == 1 else "pairs of objects cross"
    ax.set_title(f"{found.crossings} {many}", fontsize=10)
    return ax


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


def _draw_bands(ax: Axes, i: int, table: np.ndarray, found: FlowOrder, spans: list[np.ndarray]
                ) -> None:
    """Bands from clustering i to the next, stacked in the orders of both ends."""
    steps = np.linspace(0.0, 1.0, 40)
    ease = steps * steps * (3.0 - 2.0 * steps)
    across = i + _BAR / 2 + steps * (1.0 - _BAR)
    rows, columns = found.orders[i].tolist(), found.orders[i + 1].tolist()
    starts = _stacked(table, rows, columns, spans[i])
    ends = _stacked(table.T, columns, rows, spans[i + 1])
    for k in rows:
        for j in columns:
            size = table[k, j]
            if size:
                top = starts[k, j] + (ends[j, k] - starts[k, j]) * ease
                ax.fill_between(across, top, top + size, color=PALETTE[k % len(PALETTE)],
                                alpha=0.45, lw=0.3, edgecolor="white")


def _stacked(table: np.ndarray, rows: list[int], columns: list[int], spans: np.ndarray
             ) -> np.ndarray:
    """Where the band of each cell starts within its bar."""
    tops = np.zeros(table.shape)
    for k in rows:
        tops[k, columns] = spans[k, 0] + np.cumsum(np.append(0, table[k, columns]))[:-1]
    return tops
