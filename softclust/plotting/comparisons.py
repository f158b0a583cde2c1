"""Charts of comparisons: one line per measure, further right is more alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .._records import Interval
from .._text import number, short
from .figures import COLOURS, RAIL, TEXT, chart, check_record, pyplot, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..comparison import ComparedMeasure, Comparison

_MARKERS = {"agreement": "o", "dissimilarity": "D"}
_ROW_HEIGHT = 0.3   # inches
_TITLE = 40         # characters of two names that fit on one line
#: confidence limits
LIMITS = "#333333"


@chart
def plot_comparison(comparison: Comparison, *, ax: Axes | None = None) -> Axes:
    """Draw a comparison: one line per measure, further right is more alike.

    Agreements with a best value of 1 share one axis. Other measures are drawn as a share of their
    range, whose ends are written beside the line; the ranges of dissimilarities run from right to
    left.

    Parameters
    ----------
    comparison : Comparison
        What `softclust.compare` returned.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        Row i of the comparison is drawn at y = i: a marker for a number, a bar for an interval,
        a tick for the chance level, a line with caps for confidence limits (those of an interval
        reach from its lower to its upper end); undefined measures have no marker.

    Notes
    -----
    The common axis runs from 0 to 1, or from -0.25, -0.5 or -1 if a value, a chance level or a
    confidence limit is negative. A value beyond the axis is an arrow at its end; its number is at
    the right in any case.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.plotting.plot_comparison(softclust.compare([0, 0, 1, 1], [0, 0, 1, 2]))
    >>> ax.get_title(loc="left")
    'x (hard) and y (hard), 4 objects'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("comparison", comparison, "Comparison", "compare(x, y)")
    plt = pyplot()
    if ax is None:
        height = _ROW_HEIGHT * max(1, len(comparison)) + 1.1
        _, ax = plt.subplots(figsize=(8.5, height), layout="constrained")
    left = _left_end(comparison.rows)
    for i, row in enumerate(comparison.rows):
        _draw_row(ax, i, row, left)
    _finish(ax, comparison, left)
    return ax


@chart
def plot_comparisons(comparisons: Sequence[Comparison], *, columns: int = 2,
                     title: str = "") -> Figure:
    """Draw several comparisons, one panel each, in one figure.

    Parameters
    ----------
    comparisons : sequence of Comparison
    columns : int, optional
        Stacks of panels side by side; each comparison goes to the lowest stack.
    title : str, optional
        Title of the figure.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If there is nothing to draw.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> one = softclust.compare([0, 0, 1, 1], [0, 0, 1, 2])
    >>> figure = softclust.plotting.plot_comparisons([one, one])
    >>> len(figure.axes)
    2
    >>> import matplotlib.pyplot as plt
    >>> plt.close(figure)
    """
    plt = pyplot()
    if not isinstance(comparisons, Sequence):
        raise TypeError(f"comparisons is of type {type(comparisons).__name__}; a list of "
                        "Comparisons is needed, as compare(x, y) returns them")
    if not comparisons:
        raise ValueError("comparisons is empty; give at least one Comparison")
    for comparison in comparisons:
        check_record("an item of comparisons", comparison, "Comparison", "compare(x, y)")
    stacks = _stacked(comparisons, min(columns, len(comparisons)))
    tallest = max(sum(map(_panel_height, stack)) for stack in stacks)
    figure = plt.figure(figsize=(7.5 * len(stacks), tallest + 0.5), layout="constrained")
    grid = figure.add_gridspec(1, len(stacks), wspace=0.05)
    for j, stack in enumerate(stacks):
        heights = [_panel_height(c) for c in stack]
        # What a shorter column lacks stays empty at its foot: rows are equally high everywhere.
        rest = tallest - sum(heights)
        inner = grid[0, j].subgridspec(len(stack) + 1, 1, height_ratios=[*heights, rest + 1e-3])
        for i, comparison in enumerate(stack):
            plot_comparison(comparison, ax=figure.add_subplot(inner[i, 0]))
    if title:
        figure.suptitle(written(title, 200), fontsize=13, fontweight="bold")
    return figure


def _panel_height(comparison: Comparison) -> float:
    return len(comparison) * _ROW_HEIGHT + 0.8


def _stacked(comparisons: Sequence[Comparison], columns: int) -> list[list[Comparison]]:
    """Each comparison in turn on the stack that is lowest so far."""
    stacks: list[list[Comparison]] = [[] for _ in range(columns)]
    for comparison in comparisons:
        min(stacks, key=lambda stack: sum(map(_panel_height, stack))).append(comparison)
    return stacks


def _on_axis(row: ComparedMeasure) -> bool:
    """Whether a row has its place on the common axis: an agreement that is 1 at best."""
    return row.sense == "agreement" and row.range[1] in (1.0, math.inf)


def _left_end(rows: Sequence[ComparedMeasure]) -> float:
    """Where the common axis begins: 0, or what negative values need, at most -1."""
    values = [v for row in rows if _on_axis(row)
              for v in (row.low, row.chance, row.ci_low) if math.isfinite(v)]
    least = min(values, default=0.0)
    return next((end for end in (0.0, -0.25, -0.5) if least >= end), -1.0)


def _place(row: ComparedMeasure, value: float, left: float) -> float:
    """Position of `value`: itself on the common axis; else its share of the range, 1 most alike."""
    if _on_axis(row):
        return min(max(value, left), 1.0)
    low, high = row.range
    if math.isinf(high):
        high = 1.25 * max(row.high, low) or 1.0
    share = min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 1.0
    return share if row.sense == "agreement" or high == low else 1.0 - share


def _draw_row(ax: Axes, i: int, row: ComparedMeasure, left: float) -> None:
    colour = COLOURS[row.sense]
    start = max(left, row.range[0]) if _on_axis(row) else 0.0
    ax.plot([start, 1], [i, i], color=RAIL, lw=1.2, marker="|", ms=5, mew=1.2, zorder=1,
            solid_capstyle="butt", gid="rail")
    if not _on_axis(row):
        ends = row.range if row.sense == "agreement" else row.range[::-1]
        for x, end, side in ((-0.012, ends[0], "right"), (1.012, ends[1], "left")):
            ax.text(x, i, short(end), ha=side, va="center", fontsize=7, color=TEXT)
    if math.isfinite(row.chance):
        at = _place(row, row.chance, left)
        ax.plot([at, at], [i - 0.26, i + 0.26], color="black", lw=1.4, zorder=2, gid="chance")
    right: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "va": "center",
                             "fontsize": 8.5, "clip_on": False}
    if not (math.isnan(row.ci_low) or math.isnan(row.ci_high)):
        ax.plot([_place(row, v, left) for v in (row.ci_low, row.ci_high)], [i, i], color=LIMITS,
                lw=1.6, marker="|", ms=9, mew=1.6, zorder=3.5, solid_capstyle="butt", gid="limits")
    if math.isnan(row.low):
        ax.text(1.015, i, "undefined", color=TEXT, style="italic", **right)
    elif isinstance(row.value, Interval):
        places = sorted((_place(row, row.low, left), _place(row, row.high, left)))
        ax.plot(places, [i, i], color=colour, lw=7, alpha=0.45, solid_capstyle="butt", zorder=3,
                gid="interval")
        # End caps keep an interval of width 0 visible.
        ax.plot(places, [i, i], color=colour, ls="", marker="|", ms=13, mew=1.8, zorder=4)
        ax.text(1.015, i, f"{number(row.low)} to {number(row.high)}", **right)
    else:
        marker = _MARKERS[row.sense]
        if _on_axis(row) and not left <= row.value <= 1.0:
            marker = "<" if row.value < left else ">"   # beyond the axis
        ax.plot([_place(row, row.value, left)], [i], color=colour, ls="", marker=marker,
                ms=7, mec="white", mew=0.8, zorder=4, gid="value")
        ax.text(1.015, i, number(row.value), **right)


def _finish(ax: Axes, comparison: Comparison, left: float) -> None:
    (a, b), (kind_a, kind_b) = map(written, comparison.names), comparison.kinds
    between = "\n" if len(a) + len(b) > _TITLE else " "
    ax.set_title(f"{a} ({kind_a}) and{between}{b} ({kind_b}), {comparison.n_objects} objects",
                 loc="left", fontsize=10.5)
    ax.set_yticks(range(len(comparison)), [written(row.label, 60) for row in comparison.rows],
                  fontsize=8.5)
    ax.set_ylim(max(1, len(comparison)) - 0.4, -0.6)
    common = [_on_axis(row) for row in comparison.rows]
    ax.set_xlim(left - (0.04 if all(common) else 0.09), 1.04 if all(common) else 1.09)
    ax.xaxis.tick_top()
    if any(common):
        ticks = [k / 4 for k in range(int(4 * left), 5)]
        ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks], fontsize=8, color=TEXT)
        ax.grid(axis="x", color="#EBEBEB", lw=0.7, zorder=0)
        ax.set_axisbelow(True)
    else:
        ax.set_xticks([0, 1], ["least alike", "most alike"], fontsize=8, color=TEXT)
        left_label, right_label = ax.get_xticklabels()
        left_label.set_horizontalalignment("left")
        right_label.set_horizontalalignment("right")
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    handles = _legend_handles(comparison)
    if handles:
        ax.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), fontsize=7.5,
                  ncols=len(handles), frameon=False, borderaxespad=0.4, handletextpad=0.6,
                  columnspacing=1.2)


def _legend_handles(comparison: Comparison) -> list[Any]:
    from matplotlib.lines import Line2D
    handles = []
    for sense in ("agreement", "dissimilarity"):
        if any(row.sense == sense for row in comparison.rows):
            handles.append(Line2D([], [], color=COLOURS[sense], ls="", marker=_MARKERS[sense],
                                  mec="white", ms=7, label=sense))
    if any(isinstance(row.value, Interval) for row in comparison.rows):
        handles.append(Line2D([], [], color=TEXT, lw=6, alpha=0.45, solid_capstyle="butt",
                              label="interval"))
    if any(math.isfinite(row.ci_low) for row in comparison.rows):
        handles.append(Line2D([], [], color=LIMITS, lw=1.6, marker="|", ms=9, mew=1.6,
                              label=f"{100 * comparison.level:g} % limits"))
    if any(math.isfinite(row.chance) for row in comparison.rows):
        handles.append(Line2D([], [], color="black", ls="", marker="|", ms=9, mew=1.4,
                              label="chance"))
    return handles
