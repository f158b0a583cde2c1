"""Charts of where two clusterings disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import check_choice
from ..comparison.flows import order_flows
from .figures import TEXT, chart, check_record, pyplot, written
from .flows import _BAR, _spans, _stacked

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..comparison.explain import Explanation
    from ..comparison.influence import Influence

#: cells up to which the table is written out
_WRITTEN = 400


@chart
def plot_explanation(explanation: Explanation, kind: str = "flows", *, ax: Axes | None = None
                     ) -> Axes:
    """Draw where two clusterings disagree.

    Parameters
    ----------
    explanation : Explanation
    kind : {"flows", "table"}, optional
        Bands of objects between the clusters of both sides, or the table of counts with matched
        clusters along the diagonal. Darker cells and bands have a larger share.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.plotting.plot_explanation(softclust.explain([0, 0, 1, 1], [0, 1, 1, 1]),
    ...                                          "table")
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("explanation", explanation, "Explanation", "explain(x, y)")
    check_choice("kind", kind, ("flows", "table"))
    if ax is None:
        _, ax = pyplot().subplots(figsize=(5.4, 4.6), layout="constrained")
    r, s = (len(names) for names in explanation.cluster_names)
    table, shares = np.zeros((r, s), np.int64), np.zeros((r, s))
    rows, cols, counts = explanation.cells.T
    table[rows, cols], shares[rows, cols] = counts, explanation.cell_shares
    depth = shares / (shares.max() or 1.0)
    rows_order, cols_order = order_flows(table).orders
    draw = _draw_flows if kind == "flows" else _draw_table
    draw(ax, explanation, table, depth, rows_order, cols_order)
    ax.set_title(f"{explanation.label} = {explanation.total:.3g}", fontsize=10)
    return ax


def _draw_flows(ax: Axes, e: Explanation, table: np.ndarray, depth: np.ndarray,
                rows: np.ndarray, cols: np.ndarray) -> None:
    n = int(table.sum())
    left, right = _spans(table.sum(axis=1), rows, n), _spans(table.sum(axis=0), cols, n)
    starts = _stacked(table, rows.tolist(), cols.tolist(), left)
    ends = _stacked(table.T, cols.tolist(), rows.tolist(), right)
    steps = np.linspace(0.0, 1.0, 40)
    ease = steps * steps * (3.0 - 2.0 * steps)
    colours = pyplot().get_cmap("OrRd")
    for k, j in zip(*np.nonzero(table)):
        top = starts[k, j] + (ends[j, k] - starts[k, j]) * ease
        colour: Any = "0.75" if depth[k, j] <= 1e-9 else colours(0.25 + 0.75 * depth[k, j])
        ax.fill_between(_BAR / 2 + steps * (1.0 - _BAR), top, top + table[k, j], color=colour,
                        alpha=0.75, lw=0.3, edgecolor="white")
    for at, spans, names in ((0, left, e.cluster_names[0]), (1, right, e.cluster_names[1])):
        for name, (low, high) in zip(names, spans.tolist()):
            if high > low:
                ax.fill([at - _BAR / 2, at + _BAR / 2, at + _BAR / 2, at - _BAR / 2],
                        [low, low, high, high], color=TEXT, lw=0)
                ax.text(at + (2 * at - 1) * (_BAR / 2 + 0.02), (low + high) / 2,
                        written(name, 14), fontsize=8, va="center", ha="left" if at else "right")
    ax.set_xlim(-0.35, 1.35)
    ax.set_ylim(max(left.max(), right.max()) * 1.02, 0)
    ax.set_xticks((0, 1), [written(name, 20) for name in e.names], fontsize=9)
    ax.set_yticks([])
    ax.spines[["top", "right", "left", "bottom"]].set_visible(False)
    ax.tick_params(length=0)


def _draw_table(ax: Axes, e: Explanation, table: np.ndarray, depth: np.ndarray,
                rows: np.ndarray, cols: np.ndarray) -> None:
    ax.imshow(depth[np.ix_(rows, cols)], cmap="OrRd", vmin=0.0, vmax=1.25, aspect="auto")
    if table.size <= _WRITTEN:
        for i, k in enumerate(rows.tolist()):
            for j, m in enumerate(cols.tolist()):
                if table[k, m]:
                    ax.text(j, i, str(table[k, m]), ha="center", va="center", fontsize=8)
    for axis, order, side in ((ax.yaxis, rows, 0), (ax.xaxis, cols, 1)):
        axis.set_ticks(range(order.size), [written(e.cluster_names[side][k], 14)
                                           for k in order.tolist()], fontsize=8)
        axis.set_label_text(written(e.names[side], 20))


@chart
def plot_influence(influence: Influence, *, top: int = 20, ax: Axes | None = None) -> Axes:
    """Draw the objects that gain most by a move.

    Parameters
    ----------
    influence : Influence
    top : int, optional
        Objects that are drawn.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.plotting.plot_influence(softclust.influence([0, 0, 1, 1], [0, 1, 1, 1]))
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("influence", influence, "Influence", "influence(x, y)")
    found = influence.top(top)
    if ax is None:
        _, ax = pyplot().subplots(figsize=(5.4, 1.2 + 0.25 * max(1, len(found))),
                                  layout="constrained")
    ax.hlines(range(len(found)), 0.0, [gain for _, gain, _ in found], color="0.7")
    ax.plot([gain for _, gain, _ in found], range(len(found)), "o", color=TEXT)
    ax.set_yticks(range(len(found)), [written(name, 20) for name, _, _ in found], fontsize=8)
    ax.invert_yaxis()
    ax.set_xlim(left=0.0)
    ax.set_xlabel(f"gain of {influence.measure} by the best move in {influence.side}")
    return ax
