"""Common parts of all charts: matplotlib, one style, colours, files."""

from __future__ import annotations

import functools
import inspect
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from ..results.text import position, visible
from ..results.writing import whole_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from .._types import StrPath

#: cluster k has colour k everywhere: Okabe-Ito, with a dark red for its yellow, which is too light
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#882255")
#: shapes, so that charts can be read in grey: one more than colours, so that the first 56 clusters
#: differ in colour or in shape
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "<")
LINES = ("-", "--", "-.", ":")
#: heat maps: darker blue is more alike, whatever the measure; darker orange is more disagreement
HEAT, HEAT_OF_DISTANCES, HEAT_OF_DISAGREEMENT = "Blues", "Blues_r", "Oranges"
#: what agreements and dissimilarities look like everywhere
COLOURS = {"agreement": "#0072B2", "dissimilarity": "#D55E00"}
RAIL = "#C8C8C8"
TEXT = "#555555"
#: rows and columns of a heat map whose numbers are written
WITH_NUMBERS = 20
#: the style of all charts; sizes of text follow the user's font.size
STYLE = {"axes.titlelocation": "left", "axes.titlesize": "medium", "axes.labelsize": "small",
         "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
         "xtick.labelsize": "small", "ytick.labelsize": "small", "legend.fontsize": "small",
         "legend.title_fontsize": "small", "legend.frameon": False,
         "figure.constrained_layout.use": True}

_AX = """
ax : matplotlib axes, optional
    Where to draw; a new figure of fitting size by default."""
_RAISES = """

Raises
------
ImportError
    If matplotlib is missing; the message says how to install it."""
_SECTIONS = re.compile(r"\n\n(Warns|See Also|Notes|References|Examples)\n-")
F = TypeVar("F", bound=Callable[..., Any])


def chart(record: str = "", made_by: str = "") -> Callable[[F], F]:
    """Make a function a chart: its style, the check of its record, and what all docstrings share.

    The parameter `ax` and the error of a missing matplotlib are added to the docstring.

    Parameters
    ----------
    record : str, optional
        Name of the class of the first argument; anything else raises TypeError.
    made_by : str, optional
        The call that returns such a record, for the message.

    Returns
    -------
    callable
        A decorator.
    """
    def decorate(function: F) -> F:
        parameters = inspect.signature(function).parameters
        first = next(iter(parameters))

        @functools.wraps(function)
        def draw(*args: Any, **options: Any) -> Any:
            if record and (args or first in options):
                check_record(first, args[0] if args else options[first], record, made_by)
            with pyplot().rc_context(STYLE):
                drawn = function(*args, **options)
            if hasattr(drawn, "spines"):   # axes, which may be the user's own
                drawn.spines[["top", "right"]].set_visible(False)
            return drawn

        doc = inspect.cleandoc(function.__doc__ or "")
        if "ax" in parameters:
            doc = doc.replace("\n\nReturns\n", f"{_AX}\n\nReturns\n", 1)
        if "\n\nRaises\n" in doc:
            doc = doc.replace("\n\nRaises\n------", _RAISES, 1)
        else:
            doc = _SECTIONS.sub(rf"{_RAISES}\g<0>", doc, count=1)
        draw.__doc__ = doc
        return cast(F, draw)
    return decorate


def check_record(name: str, value: Any, wanted: str, made_by: str) -> None:
    """Raise TypeError unless `value` is a record of the class called `wanted`.

    Parameters
    ----------
    name : str
        The argument.
    value : object
    wanted : str
        Name of the class.
    made_by : str
        What returns such a record.
    """
    if wanted not in {c.__name__ for c in type(value).__mro__}:
        raise TypeError(f"{name} is of type {type(value).__name__}; a {wanted} is needed, as "
                        f"{made_by} returns")


def pyplot() -> Any:
    """The module `matplotlib.pyplot`, imported when it is needed.

    Returns
    -------
    module

    Raises
    ------
    ImportError
        If matplotlib is missing; the message says how to install it.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("charts need matplotlib, which is not installed: "
                          "pip install 'softclust[plot]'") from error
    return plt


def new_axes(ax: Axes | None, width: float, height: float) -> Axes:
    """`ax`, or axes of a new figure of this size in inches."""
    return cast("Axes", pyplot().subplots(figsize=(width, height))[1]) if ax is None else ax


def colour(k: int) -> str:
    """The colour of cluster k."""
    return PALETTE[k % len(PALETTE)]


def marker(k: int) -> str:
    """The marker of cluster k."""
    return MARKERS[k % len(MARKERS)]


def written(name: object, length: int = 40) -> str:
    """A user's name as charts write it: on one line, shortened in its middle, never a formula."""
    from matplotlib import rcParams
    text = visible(position(name))
    if len(text) > length:
        text = (f"{text[:length // 2]}\N{HORIZONTAL ELLIPSIS}"
                f"{text[-(length - length // 2 - 1):]}")
    if rcParams["text.parse_math"]:
        text = text.replace("$", r"\$")
    # Legends leave out labels that start with an underscore.
    return f" {text}" if text.startswith("_") else text


def name_rows(ax: Axes, names: Sequence[str], *, frame: bool = False) -> None:
    """Write a name at each of the places 0, 1, ... of the y axis, from top to bottom.

    Parameters
    ----------
    ax : matplotlib axes
    names : sequence of str
    frame : bool
        Keep the line of the x axis.
    """
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(max(1, len(names)) - 0.4, -0.6)
    without_frame(ax, *(["bottom"] if frame else []))


def largest_rows(ax: Axes | None, rows: Sequence[tuple[Any, float]]) -> Axes:
    """Draw a point for each object and its value, from top to bottom."""
    ax = new_axes(ax, 5.4, 1.2 + 0.25 * max(1, len(rows)))
    values = [value for _, value in rows]
    ax.hlines(range(len(rows)), 0.0, values, color=RAIL)
    ax.plot(values, range(len(rows)), ls="", marker="o", color=PALETTE[0])
    name_rows(ax, [written(name, 20) for name, _ in rows], frame=True)
    ax.set_xlim(left=0.0)
    return ax


def name_columns(ax: Axes, places: Any, names: Sequence[str], *, longest: int,
                 upright: bool = False, above: bool = False) -> None:
    """Write the names of columns at the x axis.

    Parameters
    ----------
    ax : matplotlib axes
    places : sequence of float
    names : sequence of str
    longest : int
        They are turned if one of them has more characters.
    upright : bool
        They are written from bottom to top, because there are many.
    above : bool
        At the top of the chart.
    """
    turned: dict[str, Any] = {}
    if upright:
        turned = {"rotation": 90}
    elif any(len(name) > longest for name in names):
        turned = {"rotation": 40, "ha": "left" if above else "right", "rotation_mode": "anchor"}
    ax.set_xticks(places, names, **turned)
    if above:
        ax.xaxis.tick_top()


def without_frame(ax: Axes, *sides: str) -> None:
    """Remove ticks and all lines around the axes, except those of some sides."""
    for side, spine in ax.spines.items():
        spine.set_visible(side in sides)
    ax.tick_params(length=0)


def colour_bar(ax: Axes, drawn: Any, label: str, **options: Any) -> Any:
    """A colour bar without a frame.

    Parameters
    ----------
    ax : matplotlib axes or array of axes
    drawn : matplotlib artist
    label : str
    **options
        Of ``Figure.colorbar``.

    Returns
    -------
    matplotlib.colorbar.Colorbar
    """
    bar = drawn.figure.colorbar(drawn, ax=ax, **{"shrink": 0.9, "pad": 0.02, **options})
    bar.outline.set_visible(False)
    bar.set_label(label, color=TEXT)
    return bar


def heat_map(ax: Axes | None, values: np.ndarray, rows: Sequence[str], columns: Sequence[str], *,
             label: str, limits: tuple[float, float] = (0.0, 1.0), cmap: Any = HEAT,
             texts: Any = None, **options: Any) -> Axes:
    """Draw a matrix as coloured cells, with numbers that can be read on every colour.

    Parameters
    ----------
    ax : matplotlib axes or None
    values : ndarray, shape (r, s)
        Row i is drawn at y = i, column j at x = j; nan is left white.
    rows, columns : sequence of str
    label : str
        Of the colours.
    limits : (float, float)
        Values of the first and the last colour.
    cmap : str or Colormap
    texts : table of str, shape (r, s), optional
        What is written into the cells; their values by default, nothing in large tables.
    **options
        Of ``Axes.imshow``.

    Returns
    -------
    matplotlib.axes.Axes
    """
    r, s = values.shape
    small = max(r, s) <= WITH_NUMBERS
    ax = new_axes(ax, min(0.62 * s + 2.6, 14), min(0.42 * r + 1.5, 14))
    drawn = ax.imshow(np.ma.masked_invalid(values), vmin=limits[0], vmax=limits[1],
                      cmap=cmap, **{"aspect": "auto", **options})
    for i, j in np.argwhere(np.isfinite(values)) if small else ():
        red, green, blue, _ = drawn.cmap(drawn.norm(values[i, j]))
        ax.text(j, i, f"{values[i, j]:.2f}" if texts is None else texts[i][j], ha="center",
                va="center", fontsize="small",
                color="white" if 0.3 * red + 0.6 * green + 0.1 * blue < 0.55 else "black")
    if small:
        name_columns(ax, range(s), columns, longest=6)
        ax.set_yticks(range(r), rows)
    else:   # as many names as there is room for
        steps = [max(1, side // WITH_NUMBERS) for side in (r, s)]
        ax.set_yticks(range(0, r, steps[0]), rows[::steps[0]])
        name_columns(ax, range(0, s, steps[1]), columns[::steps[1]], longest=3)
    without_frame(ax)
    colour_bar(ax, drawn, label)
    return ax


def pair_matrix(ax: Axes | None, matrix: np.ndarray, order: np.ndarray, sizes: Sequence[int],
                names: Sequence[str], label: str) -> Axes:
    """Draw shares of pairs of objects, with a frame and a name for each block on the diagonal.

    Parameters
    ----------
    ax : matplotlib axes or None
    matrix : ndarray, shape (n, n)
        Shares; nan is left grey.
    order : ndarray of int, shape (n,)
        Objects as they are drawn.
    sizes : sequence of int
        Objects in each block, in this order; empty without blocks.
    names : sequence of str
        Of the blocks.
    label : str

    Returns
    -------
    matplotlib.axes.Axes
    """
    ax = new_axes(ax, 5.4, 4.6)
    ax.set_facecolor(RAIL)
    drawn = ax.imshow(np.ma.masked_invalid(matrix[np.ix_(order, order)]), cmap=HEAT, vmin=0.0,
                      vmax=1.0, interpolation="nearest")
    ends = np.cumsum(sizes)
    for end, size in zip(ends.tolist(), sizes):
        low, high = end - size - 0.5, end - 0.5
        ax.plot([low, high, high, low, low], [low, low, high, high, low], color=PALETTE[5], lw=1.1)
    middles = ends - np.asarray(sizes) / 2 - 0.5
    ax.set_yticks(middles, names)
    name_columns(ax, middles, names, longest=6)
    without_frame(ax)
    colour_bar(ax, drawn, label)
    return ax


def without_window() -> None:
    """Draw into files only: no chart opens a window.

    For scripts and servers without a screen; the command line does it, too.

    Raises
    ------
    ImportError
        If matplotlib is missing; the message says how to install it.

    Examples
    --------
    >>> import softclust
    >>> softclust.plotting.without_window()
    """
    pyplot().switch_backend("Agg")


def save_figure(figure: Figure | SubFigure, path: StrPath, *, dpi: int = 110) -> None:
    """Write a figure to a file and close it.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        Such as ``ax.figure`` of a chart.
    path : str or Path
        The extension sets the format, png without one. An older file is kept until the new one
        is complete.
    dpi : int
        Dots per inch, for formats made of dots.

    Raises
    ------
    ImportError
        If matplotlib is missing; the message says how to install it.

    Examples
    --------
    >>> import pathlib, tempfile, softclust
    >>> softclust.plotting.without_window()
    >>> ax = softclust.compare([0, 0, 1, 1], [0, 0, 1, 2]).plot()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "comparison.svg"
    ...     softclust.plotting.save_figure(ax.figure, path)
    ...     path.exists()
    True
    """
    plt = pyplot()
    try:
        with whole_file(path, "wb") as file:
            cast(Any, figure).savefig(file, dpi=dpi, bbox_inches="tight",
                                      format=Path(path).suffix[1:].lower() or "png")
    finally:
        plt.close(figure)


def bracket(ax: Axes | None, outer: tuple[float, float], inner: tuple[float, float] | None,
            value: float | None, shown: tuple[float, float] = (0.0, 1.0)) -> Axes:
    """Draw a thin line for what is proved, a thick one for what is attained, a point for one."""
    ax = new_axes(ax, 5.6, 1.5)
    ax.plot(outer, [0, 0], color=RAIL, lw=3, marker="|", ms=12, mew=1.6, mec=TEXT, zorder=2)
    if inner is not None:
        ax.plot(inner, [0, 0], color=COLOURS["agreement"], lw=5, solid_capstyle="butt", zorder=3)
    if value is not None:
        ax.plot([value], [0], color=COLOURS["agreement"], marker="o", ms=8, mec="white", zorder=4)
    texts = {f"{v:.3f}": v for v in (inner or (value,)) if v is not None}
    for text, (place, side) in zip(texts, zip(texts.values(), ("right", "left"))):
        ax.annotate(text, (place, 0), xytext=(0, 10), textcoords="offset points",
                    ha=side if len(texts) == 2 else "center", fontsize="small")
    ends = [end for end in (*shown, *outer, *(inner or ())) if math.isfinite(end)]
    room = 0.08 * (max(ends) - min(ends))
    ax.set_xlim(min(ends) - room, max(ends) + room)
    name_rows(ax, [], frame=True)
    ax.set_ylim(-0.6, 0.8)
    return ax
