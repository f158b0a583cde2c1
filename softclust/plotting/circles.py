"""Circles of things whose comparisons are intervals; reached through `softclust.plotting`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .figures import MARKERS, PALETTE, chart, check_record, pyplot, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..comparison.scaling import IntervalMDS

_LINES = ("-", "--", "-.", ":")


@chart
def plot_circles(circles: IntervalMDS, *, ax: Axes | None = None) -> Axes:
    """Draw the circles of an interval scaling with equal axes and their names.

    Parameters
    ----------
    circles : IntervalMDS
        What `softclust.interval_mds` returned, with one or two dimensions.

    Returns
    -------
    matplotlib.axes.Axes
        One outline and one centre marker per thing, both with its name as gid; names are placed
        where they cover the least, with a line to their circle.

    Raises
    ------
    ValueError
        If there are more than two dimensions.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> circles = softclust.interval_mds([[0, 2], [2, 0]], [[0, 4], [4, 0]], names=["a", "b"])
    >>> ax = softclust.plotting.plot_circles(circles)
    >>> [text.get_text() for text in ax.texts]
    ['a', 'b']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    import numpy as np

    from .labels import draw_labels
    check_record("circles", circles, "IntervalMDS", "interval_mds(lower, upper)")
    n, p = circles.centers.shape
    if p > 2:
        raise ValueError(f"the circles have {p} dimensions; scale with n_components=2 to draw them")
    plt = pyplot()
    if ax is None:
        _, ax = plt.subplots(figsize=(6.4, 6.4), layout="constrained")
    names = tuple(written(name, 24) for name in circles.names)
    places = np.zeros((n, 2))
    places[:, :p] = circles.centers
    # Large circles first, so that small ones stay visible.
    for k in sorted(range(n), key=lambda k: -circles.radii[k]):
        _draw_circle(ax, k, names[k], places[k], float(circles.radii[k]))
    _set_limits(ax, places, circles.radii)
    draw_labels(ax, names, places, [PALETTE[k % len(PALETTE)] for k in range(n)],
                radii=circles.radii)
    ax.set_title(f"map of dissimilarities (normalised stress {circles.normalized_stress:.3g})",
                 loc="left", fontsize=10.5)
    ax.set_xlabel("distance between circles: from nearest to farthest points\n"
                  "two radii: half the width of an interval, as near as it fits", fontsize=8)
    # Only distances count: no place on an axis means anything.
    ax.set_xticks([])
    ax.set_yticks([])
    for side in ("top", "right", "left", "bottom"):
        ax.spines[side].set_visible(False)
    return ax


def _draw_circle(ax: Axes, k: int, name: str, place: Any, radius: float) -> None:
    from matplotlib.patches import Circle
    colour = PALETTE[k % len(PALETTE)]
    x, y = float(place[0]), float(place[1])
    if radius > 0.0:
        ax.add_patch(Circle((x, y), radius, facecolor=colour, alpha=0.08, lw=0))
        ax.add_patch(Circle((x, y), radius, facecolor="none", edgecolor=colour, lw=1.6,
                            ls=_LINES[k % len(_LINES)], gid=name))
    ax.plot([x], [y], color=colour, ls="", marker=MARKERS[k % len(MARKERS)], ms=7.0,
            mec="white", mew=0.6, zorder=3, gid=name)


def _set_limits(ax: Axes, places: Any, radii: Any) -> None:
    """Equal axes that hold every circle and some room for names."""
    low, high = (places - radii[:, None]).min(axis=0), (places + radii[:, None]).max(axis=0)
    middle, half = (low + high) / 2, float((high - low).max()) / 2 or 0.5
    ax.set_aspect("equal")
    ax.set_xlim(middle[0] - 1.15 * half, middle[0] + 1.15 * half)
    ax.set_ylim(middle[1] - 1.15 * half, middle[1] + 1.15 * half)
