"""What all charts share: matplotlib itself, colours, files."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from .._text import visible
from .._writing import whole_file

#: cluster k has colour k everywhere: Okabe-Ito, with a dark red for its yellow, which is too light
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#882255")
#: shapes, so that charts can be read in grey: one more than colours, so that the first 56 clusters
#: differ in colour or in shape
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "<")
#: heat maps: darker is more alike, whatever the measure
HEAT, HEAT_OF_DISTANCES = "Blues", "Blues_r"
#: what agreements and dissimilarities look like everywhere
COLOURS = {"agreement": "#0072B2", "dissimilarity": "#D55E00"}
RAIL = "#C8C8C8"
TEXT = "#555555"


_AX = """
ax : matplotlib axes, optional
    Where to draw; a new figure by default."""
_RAISES = """

Raises
------
ImportError
    If matplotlib is missing; the message says how to install it."""
_SECTIONS = re.compile(r"\n\n(Warns|See Also|Notes|References|Examples)\n-")
F = TypeVar("F", bound=Callable[..., Any])


def chart(function: F) -> F:
    """Add to the docstring of a chart what all charts share: `ax`, and a missing matplotlib.

    Parameters
    ----------
    function : callable

    Returns
    -------
    callable
        The function itself.
    """
    doc = inspect.cleandoc(function.__doc__ or "")
    if "ax" in inspect.signature(function).parameters and "\nax : " not in doc:
        doc = doc.replace("\n\nReturns\n", f"{_AX}\n\nReturns\n", 1)
    if "\n\nRaises\n" in doc:
        doc = doc.replace("\n\nRaises\n------", _RAISES, 1)
    else:
        doc = _SECTIONS.sub(rf"{_RAISES}\g<0>", doc, count=1)
    function.__doc__ = doc
    return function


def check_record(name: str, value: Any, wanted: str, made_by: str) -> None:
    """Raise TypeError unless `value` is a record of the class called `wanted`.

    Parameters
    ----------
    name : str
        The argument.
    value : object
    wanted : str
        Name of the class; several are joined by " or ".
    made_by : str
        What returns such a record.
    """
    if not {c.__name__ for c in type(value).__mro__} & set(wanted.split(" or ")):
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


def written(name: object, most: int = 40) -> str:
    """A user's name as charts write it: on one line, shortened in its middle, never a formula."""
    from matplotlib import rcParams
    text = visible(name)
    if len(text) > most:
        text = f"{text[:most // 2]}\N{HORIZONTAL ELLIPSIS}{text[-(most - most // 2 - 1):]}"
    if rcParams["text.parse_math"]:
        text = text.replace("$", r"\$")
    # Legends leave out labels that start with an underscore.
    return f" {text}" if text.startswith("_") else text


def name_columns(ax: Any, places: Any, names: list[str], *, most: int, upright: bool = False,
                 above: bool = False, fontsize: float = 8.5) -> None:
    """Write the names of columns at the x axis.

    Parameters
    ----------
    ax : matplotlib axes
    places : sequence of float
    names : list of str
    most : int
        They are turned if one of them has more characters.
    upright : bool
        They are written from bottom to top, because there are many.
    above : bool
        At the top of the chart.
    fontsize : float
    """
    turned: dict[str, Any] = {}
    if upright:
        turned = {"rotation": 90}
    elif any(len(name) > most for name in names):
        turned = {"rotation": 40, "ha": "left" if above else "right", "rotation_mode": "anchor"}
    ax.set_xticks(places, names, fontsize=fontsize, **turned)
    if above:
        ax.xaxis.tick_top()


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


def save_figure(figure: Any, path: Any, *, dpi: int = 110) -> None:
    """Write a figure to a file and close it.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        Such as ``ax.figure`` of a chart.
    path : str or Path
        The format is that of its ending, png without one. An older file stays until the new one
        is whole.
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
            figure.savefig(file, dpi=dpi, bbox_inches="tight",
                           format=Path(path).suffix[1:].lower() or "png")
    finally:
        plt.close(figure)
