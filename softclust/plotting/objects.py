"""Objects and clusterings as points and circles in the plane, with their names beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError
from ..clusterings import as_clustering
from ..clusterings.object_table import as_objects
from ..clusterings.objects import ordered
from .figures import LINES, PALETTE, TEXT, chart, colour, marker, new_axes, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .._types import ArrayLike, ClusteringLike
    from ..clusterings import Clustering
    from ..comparison.scaling import IntervalMDS

#: clusters that a legend names, and those in one of its columns
_NAMED, _COLUMN = 56, 16
#: what colours of uncertain objects turn to, how much of a colour stays, steps of the legend
_GREY, _STAYS, _STEPS = 0.75, 0.2, (1.0, 0.75, 0.5)


@chart()
def plot_objects(X: ArrayLike, clustering: ClusteringLike, *, centers: ArrayLike | None = None,
                 ax: Axes | None = None) -> Axes:
    """Draw objects by their first two features, coloured by their cluster and its certainty.

    Colour and marker are those of the most plausible cluster; the colour turns grey as the
    pignistic probabilities even out, and with mass on the empty set. Hollow: more than one
    cluster is possible (interval dominance). Cross: most mass is on the empty set. The legend names
    up to 56 clusters, which all differ in colour or marker.

    Parameters
    ----------
    X : array-like, shape (n, p), p >= 2
        Features; the first two are drawn.
    clustering : clustering-like
        Of the same n objects.
    centers : array-like, shape (c, p), optional
        Drawn as stars.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ClusteringError
        If X has fewer than two columns or another number of rows.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.datasets.overlapping_gaussians(300, separation=4.0).data
    >>> fuzzy = softclust.cluster.FuzzyCMeans(3, random_state=0).fit(x)
    >>> ax = softclust.plotting.plot_objects(x, fuzzy, centers=fuzzy.cluster_centers_)
    >>> [text.get_text() for text in ax.get_legend().get_texts()][-4:]
    ['certainty 1', '0.75', '0.5', 'centre']
    """
    from matplotlib.colors import to_rgb
    partition, table = as_clustering(clustering, name="clustering"), as_objects(X, minimum=1)
    x = table.numbers
    if x.shape[0] == partition.n_objects:
        partition = ordered(partition, table.matched_names, called=("X", "clustering"))
    if x.ndim != 2 or x.shape[1] < 2 or x.shape[0] != partition.n_objects:
        raise ClusteringError(f"X has shape {x.shape}; ({partition.n_objects}, 2 or more "
                              "features) is needed")
    ax = new_axes(ax, 5.4, 4.2)
    plausibility = partition.plausibility()
    c, best = plausibility.shape[1], plausibility.argmax(axis=1)
    hollow = partition.possible_clusters().sum(axis=1) > 1
    weights = partition.pignistic(normalized=False)
    inside = weights.sum(axis=1)
    share = weights / np.where(inside > 0, inside, 1.0)[:, None]
    outside = (inside < 0.5) | (plausibility.max(axis=1) <= 0)
    # Grey rather than a mixture of colours, which could be taken for another cluster; what lies on
    # the empty set fades the colour, too.
    floor = 1 / max(2, c)
    certain = np.clip((share.max(axis=1) - floor) / (1 - floor), 0.0, 1.0) * np.clip(inside, 0, 1)
    palette = np.array([to_rgb(colour(k)) for k in range(c)])
    colours = _faded(palette[best], certain[:, None])
    for k in range(c):
        for ring in (False, True):
            rows = (best == k) & (hollow == ring) & ~outside
            if rows.any():
                ax.scatter(x[rows, 0], x[rows, 1], s=22, marker=marker(k),
                           facecolors="none" if ring else colours[rows],
                           edgecolors=colours[rows] if ring else "white",
                           linewidths=1.3 if ring else 0.4, zorder=3 if ring else 2)
    if outside.any():
        ax.scatter(x[outside, 0], x[outside, 1], s=16, marker="x", color=TEXT, linewidths=0.9,
                   zorder=1)
    if centers is not None:
        v = np.asarray(centers, dtype=np.float64)
        ax.scatter(v[:, 0], v[:, 1], s=150, marker="*", color="black", edgecolors="white",
                   linewidths=0.8, zorder=4)
    ax.set_aspect("equal")
    _legend(ax, partition, pale=bool((certain[~outside & ~hollow] < 0.9).any()),
            hollow=bool((hollow & ~outside).any()), cross=bool(outside.any()),
            star=centers is not None)
    return ax


def _faded(colours: np.ndarray, certain: Any) -> np.ndarray:
    """Colours of objects by their certainty, from 0 (nearly grey) to 1."""
    return np.asarray(_GREY + (_STAYS + (1 - _STAYS) * certain) * (colours - _GREY)).clip(0.0, 1.0)


def _legend(ax: Axes, partition: Clustering, *, pale: bool, hollow: bool, cross: bool, star: bool
            ) -> None:
    """Name the clusters and whatever else has a look of its own."""
    from matplotlib.colors import to_rgb
    from matplotlib.lines import Line2D
    c = partition.n_clusters
    names = list(partition.cluster_names) if 1 < c <= _NAMED else []
    handles = [Line2D([], [], ls="", marker=marker(k), color=colour(k), ms=4.5,
                      label=written(name, 20)) for k, name in enumerate(names)]
    first = np.array(to_rgb(PALETTE[0]))
    greys = [(pale, "o", _faded(first, step), "white",
              f"{'certainty ' if step == _STEPS[0] else ''}{step:g}") for step in _STEPS]
    looks = ((hollow, "o", "none", TEXT, "several possible"),
             (cross, "x", TEXT, TEXT, "no cluster"), (star, "*", "black", "black", "centre"))
    handles += [Line2D([], [], ls="", marker=shape, mfc=inside, mec=edge, ms=4.5, label=text)
                for present, shape, inside, edge, text in (*greys, *looks) if present]
    if handles:
        ax.legend(handles=handles, title="cluster" if names else None, loc="upper left",
                  bbox_to_anchor=(1.0, 1.0), handletextpad=0.1, columnspacing=0.8,
                  borderaxespad=0.0, ncols=-(-len(handles) // _COLUMN))


@chart("IntervalMDS", "interval_mds(lower, upper)")
def plot_circles(circles: IntervalMDS, *, ax: Axes | None = None) -> Axes:
    """Draw the circles of an interval scaling with equal axes and their names.

    Parameters
    ----------
    circles : IntervalMDS
        What `softclust.interval_mds` returned, with one or two dimensions.

    Returns
    -------
    matplotlib.axes.Axes
        Two circles are as far apart as their clusterings are unlike, from their nearest to their
        farthest points; the bar is the scale. Each circle has an outline and a marker at its
        centre, both with its name as gid; names are placed where they cover least.

    Raises
    ------
    ValueError
        If there are more than two dimensions.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> fuzzy = softclust.cluster.FuzzyCMeans(3, random_state=0).fit(iris.data)
    >>> rough = softclust.cluster.RoughKMeans(3, ratio=1.5, random_state=0).fit(iris.data)
    >>> several = {"species": iris.labels, "fuzzy": fuzzy, "rough": rough,
    ...            "hardened": fuzzy.clustering_.harden()}
    >>> ax = softclust.compare_all(several, measure="alpha_rand_interval").mds(rng=0).plot()
    >>> sorted(text.get_text() for text in ax.texts)
    ['fuzzy', 'hardened', 'rough', 'species']
    """
    from matplotlib.patches import Circle
    n, p = circles.centers.shape
    if p > 2:
        raise ValueError(f"the circles have {p} dimensions; scale with n_components=2 to draw them")
    ax = new_axes(ax, 5.4, 5.4)
    names = tuple(written(name, 24) for name in circles.names)
    places = np.zeros((n, 2))
    places[:, :p] = circles.centers
    # Large circles first, so that small ones stay visible.
    for k in sorted(range(n), key=lambda k: -circles.radii[k]):
        (x, y), radius, ink = places[k].tolist(), float(circles.radii[k]), colour(k)
        if radius > 0.0:
            ax.add_patch(Circle((x, y), radius, facecolor=ink, alpha=0.08, lw=0))
            ax.add_patch(Circle((x, y), radius, facecolor="none", edgecolor=ink, lw=1.6,
                                ls=LINES[k % len(LINES)], gid=names[k]))
        ax.plot([x], [y], color=ink, ls="", marker=marker(k), ms=7.0, mec="white", mew=0.6,
                zorder=3, gid=names[k])
    low = (places - circles.radii[:, None]).min(axis=0)
    high = (places + circles.radii[:, None]).max(axis=0)
    middle, half = (low + high) / 2, 1.15 * (float((high - low).max()) / 2 or 0.5)
    ax.set_aspect("equal")
    ax.set_xlim(middle[0] - half, middle[0] + half)
    ax.set_ylim(middle[1] - half, middle[1] + half)
    draw_labels(ax, names, places, [colour(k) for k in range(n)], radii=circles.radii)
    ax.set_title(f"map of dissimilarities (normalised stress {circles.normalized_stress:.3g})")
    # Only distances count: no place on an axis means anything.
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[["left", "bottom"]].set_visible(False)
    step = float(f"{half / 2:.0e}")
    ax.hlines(-0.01, 0.0, step / (2 * half), transform=ax.transAxes, color=TEXT, lw=2.5,
              clip_on=False)
    ax.set_xlabel(f"bar: a dissimilarity of {step:g}; two circles: from their nearest to their "
                  "farthest points", loc="left", labelpad=10)
    return ax


# -- names beside points ----------------------------------------------------------------------
#: left, below, right, above, in points
Box = tuple[float, float, float, float]

_DIRECTIONS = 16   # tried for each name
_REACH = (7.0, 14.0, 24.0, 36.0, 52.0, 72.0)   # points between an edge and its name
_CROSSED = 600.0   # what an outline through a name costs, in squared points of names on names
_STEP = 4.0        # points between the places of a line that names keep clear of


def draw_labels(ax: Axes, names: Sequence[str], places: np.ndarray, colours: Sequence[str], *,
                radii: np.ndarray | None = None, lines: Sequence[np.ndarray] = (),
                fontsize: float = 9.0, weight: str = "bold") -> None:
    """Write each name beside its point or circle, where it covers least.

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
    from matplotlib.patheffects import Normal, Stroke
    from matplotlib.textpath import TextPath
    figure: Any = ax.figure
    figure.draw_without_rendering()   # settles the layout, so that points can be measured
    scale, back = 72.0 / figure.dpi, ax.transData.inverted()
    radii = np.zeros(len(names)) if radii is None else radii
    at = ax.transData.transform(places) * scale
    edge = (ax.transData.transform(places + [[0.0, 1.0]])[:, 1] * scale - at[:, 1]) * radii
    frame = tuple(np.asarray(ax.bbox.extents) * scale)
    font = FontProperties(weight=weight)
    boxes = [(x - 3, y - 3, x + 3, y + 3) for x, y in at]
    for line in lines:   # small boxes along it
        for a, b in pairwise(ax.transData.transform(line) * scale):
            if np.isfinite([*a, *b]).all():
                for t in np.linspace(0.0, 1.0, int(math.hypot(*(b - a)) / _STEP) + 2):
                    x, y = a + t * (b - a)
                    boxes.append((x - 1.5, y - 1.5, x + 1.5, y + 1.5))

    def cost(spot: tuple[Box, tuple[float, float], float]) -> float:
        """Area that a name covers there, beyond the frame at twice the price, and its distance."""
        box, _, distance = spot
        beyond = (box[2] - box[0]) * (box[3] - box[1]) - _overlap(box, frame)
        return (sum(_overlap(box, other) for other in boxes) + 2.0 * beyond
                + _CROSSED * _crossed(box, at, edge) + 1.5 * distance)

    for k in sorted(range(len(names)), key=lambda k: radii[k]):
        # Four points of room on either side: names that touch read as one.
        width = TextPath((0, 0), names[k], size=fontsize, prop=font).get_extents().width + 8.0
        spots = _spots(at[k], float(edge[k]), width, 1.2 * fontsize)
        box, foot, _ = min(spots, key=cost)
        boxes.append(box)
        # The name in its box, with a line to its foot and a white rim.
        middle = ((box[0] + box[2]) / 2 / scale, (box[1] + box[3]) / 2 / scale)
        ax.annotate(names[k], xy=tuple(back.transform((foot[0] / scale, foot[1] / scale))),
                    xytext=tuple(back.transform(middle)), ha="center", va="center", zorder=5,
                    arrowprops={"arrowstyle": "-", "color": colours[k], "lw": 0.7, "shrinkA": 5.0,
                                "shrinkB": 0.0},
                    path_effects=[Stroke(linewidth=2.5, foreground="white"), Normal()],
                    color=colours[k], fontsize=fontsize, fontweight=weight)


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
