"""Charts of many clusterings: heat map, and all against one of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .._checks import shown
from .figures import (
    COLOURS,
    HEAT,
    HEAT_OF_DISTANCES,
    RAIL,
    TEXT,
    chart,
    check_record,
    name_columns,
    pyplot,
    written,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..comparison.matrix import ComparisonMatrix

#: clusterings up to which the numbers are written
_WITH_NUMBERS = 16
#: room for an interval on one line
_INTERVAL_INCHES = 0.85


@chart
def plot_matrix(matrix: ComparisonMatrix, *, ax: Axes | None = None) -> Axes:
    """Draw a matrix of comparisons as a heat map with the numbers.

    Of a symmetric measure the lower triangle is drawn. Darker is more alike, also for a
    dissimilarity; colours run over the values of different clusterings. The diagonal has numbers
    without a colour. The cell of an interval
    is cut from bottom left to top right: the upper half has the colour of the upper end, the lower
    half that of the lower end. More than 16 clusterings are drawn without numbers.

    Parameters
    ----------
    matrix : ComparisonMatrix
        What `softclust.compare_all` returned.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        Row i is drawn at y = i, column j at x = j; undefined entries are grey.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.compare_all([[0, 0, 1, 1], [0, 0, 1, 2]], measure="rand_index").plot()
    >>> [text.get_text() for text in ax.texts]
    ['1.000', '0.833', '1.000']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("matrix", matrix, "ComparisonMatrix", "compare_all(clusterings)")
    from matplotlib.collections import PolyCollection
    plt = pyplot()
    n = len(matrix)
    many = n > _WITH_NUMBERS
    if ax is None:
        size = (0.17 * n + 2.6, 0.17 * n + 1.4)
        if not many:
            cell = 1.15 if matrix.interval_valued else 0.75
            size = (cell * n + 2.6, 0.6 * cell * n + 1.4)
        _, ax = plt.subplots(figsize=size, layout="constrained")
    colours = plt.get_cmap(
        HEAT if matrix.sense == "agreement" else HEAT_OF_DISTANCES).with_extremes(bad=RAIL)
    shown = [(i, j) for i in range(n) for j in range(i + 1 if matrix.symmetric else n)]
    cells, values = _half_cells(matrix, [(i, j) for i, j in shown if i != j])
    drawn = PolyCollection(cells, array=values, cmap=colours, edgecolors="face", linewidths=0.3,
                           clim=_colour_range(matrix, shown))
    ax.add_collection(drawn)
    narrow = ax.get_window_extent().width / ax.figure.dpi < _INTERVAL_INCHES * n
    for i, j in () if many else shown:
        text = matrix.text(i, j)
        ax.text(j, i, text.replace(", ", ",\n") if narrow else text, ha="center", va="center",
                fontsize=7.5,
                bbox={"facecolor": "white", "alpha": 0.8, "lw": 0, "boxstyle": "round,pad=0.2"})
    ax.set_xlim(-0.5, n - 0.5)
    ax.set_ylim(n - 0.5, -0.5)
    names = [written(name, 28) for name in matrix.names]
    name_columns(ax, range(n), names, most=14 if matrix.interval_valued else 9, upright=many,
                 above=not matrix.symmetric, fontsize=7 if many else 8.5)
    ax.set_yticks(range(n), names, fontsize=7 if many else 8.5)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    bar = ax.figure.colorbar(drawn, ax=ax, shrink=0.9, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8)
    bar.set_label(f"{matrix.sense} (darker: more alike)", fontsize=8, color=TEXT)
    ax.set_title(f"{matrix.label}, {matrix.objects_text}", loc="left", fontsize=10.5)
    return ax


@chart
def plot_against(matrix: ComparisonMatrix, reference: str, *, ax: Axes | None = None) -> Axes:
    """Draw how like a reference the other clusterings of a matrix are: one row of intervals.

    Parameters
    ----------
    matrix : ComparisonMatrix
        What `softclust.compare_all` returned.
    reference : str
        Name of the clustering that the others are held against.

    Returns
    -------
    matplotlib.axes.Axes
        One row per clustering, in the order of the matrix.

    Raises
    ------
    KeyError
        If no clustering is called `reference`.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> matrix = softclust.compare_all({"truth": [0, 0, 1, 1], "found": [0, 0, 1, 2]})
    >>> ax = softclust.plotting.plot_against(matrix, "truth")
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['found (hard)']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("matrix", matrix, "ComparisonMatrix", "compare_all(clusterings)")
    if reference not in matrix.names:
        raise KeyError(f"no clustering is called {shown(reference)}; the names are "
                       + ", ".join(map(repr, matrix.names)))
    at = matrix.names.index(reference)
    others = [i for i in range(len(matrix)) if i != at]
    if ax is None:
        _, ax = pyplot().subplots(figsize=(6.5, 0.5 * len(others) + 1.4), layout="constrained")
    colour = COLOURS[matrix.sense]
    for row, i in enumerate(others):
        low, high = float(matrix.lower[at, i]), float(matrix.upper[at, i])
        ax.plot([low, high], [row, row], color=colour, lw=7, alpha=0.45, solid_capstyle="butt",
                gid="interval")
        # End caps keep an interval of width 0 visible.
        ax.plot([low, high], [row, row], color=colour, ls="", marker="|", ms=13, mew=1.8)
        ax.text(1.02, row, matrix.text(at, i), transform=ax.get_yaxis_transform(), va="center",
                fontsize=8.5, clip_on=False)
    ax.set_yticks(range(len(others)), [f"{written(matrix.names[i])} ({matrix.kinds[i]})"
                                       for i in others], fontsize=8.5)
    ax.set_ylim(len(others) - 0.4, -0.6)
    if matrix.sense == "agreement":
        ax.set_xlim(min(0.0, float(matrix.lower.min())), 1.0)
    ax.grid(axis="x", color=RAIL, lw=0.8)
    ax.set_axisbelow(True)
    ax.tick_params(length=0, labelsize=8.5)
    for spine in ax.spines.values():
        spine.set_visible(False)
    best = "right" if matrix.sense == "agreement" else "left"
    ax.set_xlabel(f"{matrix.label} (more alike: to the {best})", fontsize=8.5, color=TEXT)
    ax.set_title(f"against {written(reference)}, {matrix.objects_text}", loc="left",
                 fontsize=10.5)
    return ax


def _half_cells(matrix: ComparisonMatrix, shown: list[tuple[int, int]]) -> tuple[list[Any], Any]:
    """Two triangles for an interval, a square for a number, and their values."""
    import numpy as np
    cells: list[Any] = []
    values: list[float] = []
    for i, j in shown:
        left, right, top, foot = j - 0.5, j + 0.5, i - 0.5, i + 0.5
        low, high = float(matrix.lower[i, j]), float(matrix.upper[i, j])
        if matrix.interval_valued and low != high:
            cells += [[(left, foot), (left, top), (right, top)],
                      [(left, foot), (right, foot), (right, top)]]
            values += [high, low]
        else:
            cells.append([(left, foot), (left, top), (right, top), (right, foot)])
            values.append(low)
    return cells, np.ma.masked_invalid(values)


def _colour_range(matrix: ComparisonMatrix, shown: list[tuple[int, int]]) -> tuple[float, float]:
    """From the least to the largest value of two different clusterings, so that these differ."""
    ends = [float(side[i, j]) for i, j in shown if i != j for side in (matrix.lower, matrix.upper)]
    finite = [v for v in ends if math.isfinite(v)]
    if not finite:
        return 0.0, 1.0
    low, high = min(finite), max(finite)
    return (low, high) if high > low else (low - 0.5, high + 0.5)
