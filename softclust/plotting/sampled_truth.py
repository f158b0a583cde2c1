"""Estimates from a sampled truth with their limits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .figures import COLOURS, chart, check_record, pyplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..comparison.sampled_record import SampledTruth


@chart
def plot_sampled_truth(found: SampledTruth, *, ax: Axes | None = None) -> Axes:
    """Estimates of agreement with a sampled truth, with their confidence limits.

    Parameters
    ----------
    found : SampledTruth
        What `softclust.sampled_truth` or `softclust.sampled_pairs` returned.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        Measure k is drawn at y = k: a line from low to high with the value as a marker, hollow
        where there are no limits.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.sampled_truth([0, 0, 1, 1], [0, 0, 0, 1], design="clusters",
    ...                              probabilities=1).plot()
    >>> ax.get_title(loc="left")
    '2 true clusters sampled (design: clusters)'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("found", found, "SampledTruth", "sampled_truth(predicted, truth, ...)")
    if ax is None:
        _, ax = pyplot().subplots(figsize=(7.2, 0.3 * len(found) + 1.2), layout="constrained")
    colour = COLOURS["agreement"]
    for place, row in enumerate(found):
        none = math.isnan(row.low)
        if not none:
            ax.plot([row.low, row.high], [place, place], color=colour, lw=1.6, gid="limits")
        ax.plot([row.value], [place], marker="o", ms=6, color=colour,
                mfc="white" if none else colour, gid="value")
    ax.set_ylim(len(found) - 0.5, -0.5)
    ax.set_yticks(range(len(found)), [row.name for row in found])
    ax.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.set_xlabel(f"estimate, about {100 * found.level:g} % limits; hollow: no limits", fontsize=9)
    ax.set_title(found.title, loc="left", fontsize=10)
    return ax
