"""Circles of things whose comparisons are intervals; reached through `softclust.plotting`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..scaling import IntervalMDS

#: Okabe-Ito without yellow, which is too light for outlines
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
_MARKERS = "osD^vPX"
_LINES = ("-", "--", "-.", ":")
_FONT = 9.0        # points
_DIRECTIONS = 16   # tried for each label
_REACH = (7.0, 14.0, 24.0, 36.0)   # points between an edge and its label
_CROSSED = 40.0    # what an outline through a name costs, in squared points


def plot_circles(circles: IntervalMDS, *, ax: Axes | None = None) -> Axes:
    """Draw the circles of an interval scaling with equal axes and their names.

    Parameters
    ----------
    circles : IntervalMDS
        What `softclust.interval_mds` returned, with one or two dimensions.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        One outline and one centre marker a thing, both with its name as gid; names stand where
        they cover the least, with a line to their circle.

    Raises
    ------
    ImportError
        If matplotlib is missing.
    ValueError
        If there are more than two dimensions.

    Examples
    --------
    >>> import softclust as sc
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> circles = sc.interval_mds([[0, 2], [2, 0]], [[0, 4], [4, 0]], names=["a", "b"])
    >>> ax = sc.plotting.plot_circles(circles)
    >>> [text.get_text() for text in ax.texts]
    ['a', 'b']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    import numpy as np

    from .figures import check_record, pyplot, written
    check_record("circles", circles, "IntervalMDS", "interval_mds(lower, upper)")
    n, p = circles.centers.shape
    if p > 2:
        raise ValueError(f"the circles have {p} dimensions; scale with n_components=2 to draw them")
    plt = pyplot()
    if ax is None:
        _, ax = plt.subplots(figsize=(6.4, 6.4), layout="constrained")
    names = tuple(written(name) for name in circles.names)
    places = np.zeros((n, 2))
    places[:, :p] = circles.centers
    # Large circles first, so that small ones stay visible.
    for k in sorted(range(n), key=lambda k: -circles.radii[k]):
        _draw_circle(ax, k, names[k], places[k], float(circles.radii[k]))
    _set_limits(ax, places, circles.radii)
    _draw_names(ax, names, places, circles.radii)
    ax.set_title(f"Circles of interval dissimilarities (normalised stress "
                 f"{circles.normalized_stress:.3g})", loc="left", fontsize=10.5)
    ax.set_xlabel("distance between circles: from nearest to farthest points", fontsize=8)
    ax.tick_params(labelsize=8)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax


def _draw_circle(ax: Axes, k: int, name: str, place: Any, radius: float) -> None:
    from matplotlib.patches import Circle
    colour = _COLOURS[k % len(_COLOURS)]
    x, y = float(place[0]), float(place[1])
    if radius > 0.0:
        ax.add_patch(Circle((x, y), radius, facecolor=colour, alpha=0.08, lw=0))
        ax.add_patch(Circle((x, y), radius, facecolor="none", edgecolor=colour, lw=1.6,
                            ls=_LINES[k % len(_LINES)], gid=name))
    ax.plot([x], [y], color=colour, ls="", marker=_MARKERS[k % len(_MARKERS)], ms=7.0,
            mec="white", mew=0.6, zorder=3, gid=name)


def _set_limits(ax: Axes, places: Any, radii: Any) -> None:
    """Equal axes that hold every circle and some room for names."""
    low, high = (places - radii[:, None]).min(axis=0), (places + radii[:, None]).max(axis=0)
    middle, half = (low + high) / 2, float((high - low).max()) / 2 or 0.5
    ax.set_aspect("equal")
    ax.set_xlim(middle[0] - 1.15 * half, middle[0] + 1.15 * half)
    ax.set_ylim(middle[1] - 1.15 * half, middle[1] + 1.15 * half)


def _draw_names(ax: Axes, names: tuple[str, ...], places: Any, radii: Any) -> None:
    """Each name beside its circle, in the direction that covers the least."""
    import numpy as np
    from matplotlib.font_manager import FontProperties
    from matplotlib.patheffects import Normal, Stroke
    from matplotlib.textpath import TextPath
    figure: Any = ax.figure
    figure.draw_without_rendering()   # settles the layout, so that points can be measured
    scale = 72.0 / figure.dpi
    at = ax.transData.transform(places) * scale
    edge = (ax.transData.transform(places + [[0.0, 1.0]])[:, 1] * scale - at[:, 1]) * radii
    inside = np.asarray(ax.bbox.extents) * scale
    bold = FontProperties(weight="bold")
    taken = [(x - 3, y - 3, x + 3, y + 3) for x, y in at]
    for k in sorted(range(len(names)), key=lambda k: radii[k]):
        # Four points of room on either side: names that touch read as one.
        width = TextPath((0, 0), names[k], size=_FONT, prop=bold).get_extents().width + 8.0
        height = 1.2 * _FONT
        spots = _spots(at[k], float(edge[k]), width, height)
        box, foot, _ = min(spots, key=lambda spot: (
            sum(_overlap(spot[0], other) for other in taken) + _outside(spot[0], inside)
            + _CROSSED * _crossed(spot[0], at, edge) + 1.5 * spot[2]))
        taken.append(box)
        colour = _COLOURS[k % len(_COLOURS)]
        middle = ((box[0] + box[2]) / 2 / scale, (box[1] + box[3]) / 2 / scale)
        start = (foot[0] / scale, foot[1] / scale)
        back = ax.transData.inverted()
        ax.annotate(names[k], xy=tuple(back.transform(start)), xytext=tuple(back.transform(middle)),
                    ha="center", va="center", fontsize=_FONT, color=colour, fontweight="bold",
                    zorder=5, arrowprops={"arrowstyle": "-", "color": colour, "lw": 0.7,
                                          "shrinkA": 5.0, "shrinkB": 0.0},
                    path_effects=[Stroke(linewidth=2.5, foreground="white"), Normal()])


def _spots(center: Any, edge: float, width: float, height: float
           ) -> list[tuple[tuple[float, float, float, float], tuple[float, float], float]]:
    """(box of the name, where it points to, distance) around a circle, in points; upwards first."""
    spots = []
    for reach in _REACH:
        for d in range(_DIRECTIONS):
            # 90 degrees, then alternately to both sides of it
            angle = math.pi / 2 + (1 - 2 * (d % 2)) * ((d + 1) // 2) * 2 * math.pi / _DIRECTIONS
            c, s = math.cos(angle), math.sin(angle)
            foot = center[0] + edge * c, center[1] + edge * s
            x, y = foot[0] + c * (reach + width / 2), foot[1] + s * (reach + height / 2)
            spots.append(((x - width / 2, y - height / 2, x + width / 2, y + height / 2), foot,
                          reach))
    return spots


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """Area that two boxes share."""
    return (max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
            * max(0.0, min(a[3], b[3]) - max(a[1], b[1])))


def _crossed(box: tuple[float, ...], at: Any, edge: Any) -> int:
    """Number of outlines that pass between corners of the box."""
    count = 0
    for (x, y), radius in zip(at, edge):
        within = [math.hypot(a - x, b - y) < radius for a in box[::2] for b in box[1::2]]
        count += any(within) and not all(within)
    return count


def _outside(box: tuple[float, ...], frame: Any) -> float:
    """Area of the box beyond the frame."""
    area = (box[2] - box[0]) * (box[3] - box[1])
    return 2.0 * (area - _overlap(box, tuple(frame)))
