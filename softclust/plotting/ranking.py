"""Charts of rankings: the lead of each clustering over the best of the others."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from .figures import COLOURS, RAIL, TEXT, chart, check_record, pyplot, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..comparison.ranking import Ranking

#: characters in a line of the title
_TITLE = 60


@chart
def plot_ranking(ranking: Ranking, *, ax: Axes | None = None) -> Axes:
    """Simultaneous limits of the lead of each clustering, the nearest on top.

    Parameters
    ----------
    ranking : Ranking
        What `softclust.rank_clusterings` returned.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        Row i of the order is drawn at y = i: a line from low to high with the lead as a marker,
        filled where the clustering may be the best; the line at 0 is no lead.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> truth = [0, 1, 2] * 20
    >>> found = {"a": [0, 1, 2] * 19 + [0, 2, 1], "b": [0, 1, 1] * 20}
    >>> ax = softclust.rank_clusterings(truth, found).plot()
    >>> ax.get_title(loc="left")
    'a is the best of 2 at level 0.95'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("ranking", ranking, "Ranking", "rank_clusterings(truth, clusterings)")
    if ax is None:
        _, ax = pyplot().subplots(figsize=(7.2, 0.35 * len(ranking) + 1.4), layout="constrained")
    ax.axvline(0.0, color=RAIL, lw=1.0, zorder=0)
    for place, i in enumerate(ranking.order):
        best = i in ranking.possibly_best
        colour = COLOURS["agreement"] if best else TEXT
        ax.plot([ranking.low[i], ranking.high[i]], [place, place], color=colour, lw=1.6,
                solid_capstyle="butt", gid="limits")
        ax.plot([ranking.gain[i]], [place], marker="o", ms=6, color=colour,
                mfc=colour if best else "white", gid="lead")
    ax.set_ylim(len(ranking) - 0.5, -0.5)
    ax.set_yticks(range(len(ranking)), [written(ranking.names[i]) for i in ranking.order])
    ax.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.set_xlabel(f"lead over the best of the others ({ranking.measure}), "
                  f"{100 * ranking.level:g} % limits; filled: may be the best", fontsize=9)
    ax.set_title("\n".join(wrap(written(ranking.answer, 3 * _TITLE), _TITLE)), loc="left",
                 fontsize=10)
    return ax
