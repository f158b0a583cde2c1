"""Where names stand in a chart: beside their points and circles, on nothing else if possible."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: left, below, right, above, in points
Box = tuple[float, float, float, float]

_DIRECTIONS = 16   # tried for each name
_REACH = (7.0, 14.0, 24.0, 36.0, 52.0, 72.0)   # points between an edge and its name
_CROSSED = 600.0   # what an outline through a name costs, in squared points of names on names
_STEP = 4.0        # points between the places of a line that names keep clear of


def draw_labels(ax: Axes, names: Sequence[str], places: np.ndarray, colours: Sequence[str], *,
                radii: np.ndarray | None = None, lines: Sequence[np.ndarray] = (),
                fontsize: float = 9.0, weight: str = "bold") -> None:
    """Write each name beside its point or circle, where it covers the least.

    The limits of the axes must be final.

    Parameters
    ----------
    ax : matplotlib axes
    names, colours : sequence of str
        One for each point.
    places : ndarray, shape (n, 2)
        Points, or centres of circles.
    radii : ndarray, shape (n,), optional
        Of the circles, in the units of the data.
    lines : sequence of ndarray, shape (k, 2)
        Corners of lines that names keep clear of.
    fontsize : float
    weight : str
    """
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath
    figure: Any = ax.figure
    figure.draw_without_rendering()   # settles the layout, so that points can be measured
    scale = 72.0 / figure.dpi
    radii = np.zeros(len(names)) if radii is None else radii
    at = ax.transData.transform(places) * scale
    edge = (ax.transData.transform(places + [[0.0, 1.0]])[:, 1] * scale - at[:, 1]) * radii
    frame = tuple(np.asarray(ax.bbox.extents) * scale)
    font = FontProperties(weight=weight)
    taken = [(x - 3, y - 3, x + 3, y + 3) for x, y in at]
    for line in lines:
        taken += _line_boxes(ax.transData.transform(line) * scale)
    for k in sorted(range(len(names)), key=lambda k: radii[k]):
        # Four points of room on either side: names that touch read as one.
        width = TextPath((0, 0), names[k], size=fontsize, prop=font).get_extents().width + 8.0
        spots = _spots(at[k], float(edge[k]), width, 1.2 * fontsize)
        box, foot, _ = min(spots, key=lambda spot: (
            sum(_overlap(spot[0], other) for other in taken) + _outside(spot[0], frame)
            + _CROSSED * _crossed(spot[0], at, edge) + 1.5 * spot[2]))
        taken.append(box)
        _write(ax, names[k], box, foot, scale, color=colours[k], fontsize=fontsize,
               fontweight=weight)


def _write(ax: Axes, name: str, box: Box, foot: tuple[float, float], scale: float, **text: Any
           ) -> None:
    """The name in its box, with a line to its foot and a white rim."""
    from matplotlib.patheffects import Normal, Stroke
    back = ax.transData.inverted()
    middle = ((box[0] + box[2]) / 2 / scale, (box[1] + box[3]) / 2 / scale)
    ax.annotate(name, xy=tuple(back.transform((foot[0] / scale, foot[1] / scale))),
                xytext=tuple(back.transform(middle)), ha="center", va="center", zorder=5,
                arrowprops={"arrowstyle": "-", "color": text["color"], "lw": 0.7, "shrinkA": 5.0,
                            "shrinkB": 0.0},
                path_effects=[Stroke(linewidth=2.5, foreground="white"), Normal()], **text)


def _line_boxes(corners: np.ndarray) -> list[Box]:
    """Small boxes along a line, in points."""
    boxes = []
    for a, b in pairwise(corners):
        if np.isfinite([*a, *b]).all():
            for t in np.linspace(0.0, 1.0, int(math.hypot(*(b - a)) / _STEP) + 2):
                x, y = a + t * (b - a)
                boxes.append((x - 1.5, y - 1.5, x + 1.5, y + 1.5))
    return boxes


def _spots(center: Any, edge: float, width: float, height: float
           ) -> list[tuple[Box, tuple[float, float], float]]:
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


def _overlap(a: Box, b: Box) -> float:
    """Area that two boxes share."""
    return (max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
            * max(0.0, min(a[3], b[3]) - max(a[1], b[1])))


def _crossed(box: Box, at: np.ndarray, edge: np.ndarray) -> int:
    """Number of outlines that pass through the box."""
    count = 0
    for (x, y), radius in zip(at, edge):
        left, below, right, above = box[0] - x, box[1] - y, box[2] - x, box[3] - y
        nearest = math.hypot(max(left, 0.0, -right), max(below, 0.0, -above))
        farthest = math.hypot(max(-left, right), max(-below, above))
        count += nearest < radius < farthest
    return count


def _outside(box: Box, frame: Box) -> float:
    """Area of the box beyond the frame, which costs twice."""
    area = (box[2] - box[0]) * (box[3] - box[1])
    return 2.0 * (area - _overlap(box, frame))
