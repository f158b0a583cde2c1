"""Agreement by stratum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .figures import COLOURS, RAIL, TEXT, chart, check_record, pyplot, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..comparison.strata import StrataAgreement


@chart
def plot_strata(found: StrataAgreement, *, ax: Axes | None = None) -> Axes:
    """Adjusted Rand index of each stratum, of all objects, and corrected within strata.

    Parameters
    ----------
    found : StrataAgreement
        What `softclust.agreement_by_strata` returned.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        Stratum h is drawn at y = h, then "all objects" and "beyond strata" (hollow).

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.agreement_by_strata([0, 0, 1, 1], [0, 0, 1, 2], ["a", "a", "b", "b"]).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b', 'all objects', 'beyond strata']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("found", found, "StrataAgreement", "agreement_by_strata(x, y, strata)")
    names = [*map(written, found.names), "all objects", "beyond strata"]
    values = [*found.values.tolist(), found.total, found.adjusted]
    if ax is None:
        _, ax = pyplot().subplots(figsize=(7.2, 0.3 * len(names) + 1.2), layout="constrained")
    ax.axvline(0.0, color=RAIL, lw=1.0, zorder=0)
    for place, value in enumerate(values):
        colour = COLOURS["agreement"] if place >= len(found) else TEXT
        ax.plot([value], [place], marker="o", ms=6, color=colour,
                mfc="white" if place == len(names) - 1 else colour, gid="value")
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.set_xlabel("adjusted Rand index", fontsize=9)
    ax.set_title(written(found.answer, 120), loc="left", fontsize=9)
    return ax
