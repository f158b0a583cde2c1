"""Chart of a transport result: its interval, with what is proved and what is estimated."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .._text import number
from .figures import COLOURS, RAIL, TEXT, chart, check_record, pyplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..transport.result import TransportResult


@chart
def plot_transport(result: TransportResult, *, ax: Axes | None = None) -> Axes:
    """Draw lower end, value and upper end on the range from 0 to 1.

    Parameters
    ----------
    result : TransportResult

    Returns
    -------
    matplotlib.axes.Axes
        Filled markers are exact, open ones lie between the proved bounds drawn as a grey box;
        a thin line with caps is a confidence interval.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.transport_dissimilarity([0, 0, 1, 1],
    ...                                        [[.5, .5], [1, 0], [0, 1], [0, 1]]).plot()
    >>> len(ax.get_yticklabels())
    3
    >>> import matplotlib.pyplot as plt
    >>> plt.close("all")
    """
    check_record("result", result, "TransportResult", "transport(x, y)")
    if ax is None:
        ax = pyplot().subplots(figsize=(7, 1.9), layout="constrained")[1]
    colour = COLOURS[result.sense]
    rows = (("lower", "lower"), ("value", f"at alpha = {result.alpha:g}"), ("upper", "upper"))
    right: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "va": "center",
                             "fontsize": 8.5}
    for i, (name, _) in enumerate(rows):
        ax.plot([0, 1], [i, i], color=RAIL, lw=1.2, marker="|", ms=5, zorder=1)
        _draw_end(ax, i, result, name, colour)
        ax.text(1.02, i, number(getattr(result, name)), **right)
    if math.isfinite(result.lower) and math.isfinite(result.upper):
        ax.plot([result.lower, result.upper], [0, 2], color=colour, lw=0.8, ls=":", zorder=1)
    ax.set_yticks(range(3), [text for _, text in rows], fontsize=8.5)
    ax.set_ylim(2.6, -0.6)
    ax.set_xlim(-0.02, 1.02)
    ax.tick_params(axis="y", length=0)
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
    better = "larger is more alike" if result.sense == "agreement" else "smaller is more alike"
    ax.set_xlabel(f"transport {result.sense}, base {result.base} ({better})", fontsize=8.5,
                  color=TEXT)
    ax.set_title(f"{result.kinds[0]} and {result.kinds[1]}, {result.n_objects} objects",
                 loc="left", fontsize=10.5)
    return ax


def _draw_end(ax: Axes, i: int, result: TransportResult, name: str, colour: str) -> None:
    at = getattr(result, name)
    exact = getattr(result, f"exact_{name}")
    ci = getattr(result, f"{name}_ci")
    if not exact:
        low = max(0.0, getattr(result, f"{name}_low"))
        high = min(1.0, getattr(result, f"{name}_high"))
        ax.plot([low, high], [i, i], color=TEXT, lw=9, alpha=0.3, solid_capstyle="butt", zorder=2,
                gid="bounds")
    if ci is not None:
        ax.plot(list(ci), [i, i], color=colour, lw=1.6, marker="|", ms=9, zorder=3,
                gid="confidence")
    ax.plot([at], [i], color=colour, ls="", marker="o", ms=7, zorder=4,
            mfc=colour if exact else "white")
