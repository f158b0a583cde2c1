"""Mosaics of Prayatul matrices: areas are shares of the pairs of objects."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...plotting.figures import (
    PALETTE,
    RAIL,
    TEXT,
    chart,
    name_rows,
    new_axes,
    pyplot,
    without_frame,
    written,
)
from ...results.text import number
from .per_object import RANGES, SYMBOLS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .inference import PrayatulIntervals
    from .per_object import PrayatulObjects, PrayatulParts
    from .result import PrayatulResult, PrayatulTable

#: colour and hatch of each outcome: agreement in grey tones, differences in colour
_TILES = {
    ("right", "right"): ("#D9E8F2", ""), ("right", "wrong"): (PALETTE[0], "//"),
    ("wrong", "right"): (PALETTE[1], "\\\\"), ("wrong", "wrong"): ("#8C8C8C", ".."),
}
_UNKNOWN = ("#F7F2DC", "xx")
_STATES = ("right", "wrong", "unknown")
#: width of the gaps between tiles; tiles smaller than this are written beside the mosaic
_GAP = 0.008
_LEAST_WIDTH, _LEAST_HEIGHT = 0.22, 0.13


@chart("PrayatulResult", "prayatul(truth, primary, alternative)")
def plot_prayatul(result: PrayatulResult, *, ax: Axes | None = None) -> Axes:
    """Draw a Prayatul matrix as a mosaic: two clusterings against a truth.

    Columns are the primary (right, wrong), their width the share of pairs; each is divided by
    the alternative (right below, wrong above). So areas are shares of all pairs.

    Parameters
    ----------
    result : PrayatulResult
        Result of `softclust.prayatul`; with bounds there is a third state, unknown.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> iris = softclust.datasets.load_iris()
    >>> fits = [AgglomerativeClustering(3, linkage=name).fit(iris.data)
    ...         for name in ("average", "single")]
    >>> ax = softclust.prayatul(iris.labels, *fits, names=("average", "single")).plot()
    >>> len(ax.patches)
    4
    """
    from matplotlib.patches import Patch
    ax = new_axes(ax, 6.4, 4.6)
    shares = _shares(result)
    primary, alternative = map(written, result.names)
    beside = _draw_tiles(ax, shares, alternative)

    # The primary above its columns, the alternative on the left of the first column.
    first = int(np.flatnonzero(shares.sum(axis=1))[0])
    options: dict[str, Any] = {"textcoords": "offset points", "fontsize": "small", "color": TEXT,
                               "annotation_clip": False}
    for i, j, left, bottom, width, height in _tiles(shares):
        if j == 0 and width >= (0.1 if i == 0 else 0.16):
            ax.annotate(f"{primary} {_STATES[i]}, {_percent(width)}", (left + width / 2, 1.0),
                        (0, 5), ha="center", va="bottom", **options)
        if i == first and height >= 0.25:
            ax.annotate(f"{alternative} {_STATES[j]}", (0.0, bottom + height / 2), (-5, 0),
                        ha="right", va="center", rotation=90, **options)

    # A legend for what is too small to write into, and for the two coloured tiles. Of nine tiles
    # those that are empty are left out, of four they are named.
    known = {(i, j): share for i, j, share in beside if share > 0 or 2 not in (i, j)}
    handles = []
    for i, j in sorted({*known, (0, 1), (1, 0)}):
        label = (f"both {_STATES[i]}" if i == j else
                 f"{primary} {_STATES[i]}, {alternative} {_STATES[j]}" if 2 in (i, j) else
                 f"only {alternative if i else primary} right")
        if (i, j) in known:
            label += f": {_percent(known[i, j])}"
        handles.append(Patch(**_look(i, j), lw=0, label=label))
    ax.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0), fontsize="small",
              ncols=min(2, len(handles)), handlelength=2.2, handleheight=1.2)

    delta = result.delta
    text = f"delta = {number(delta)}" if isinstance(delta, float) else f"delta in {delta:.3f}"
    ax.set_title(f"{primary} against {alternative}, pairs of {result.n:,} objects ({text})",
                 pad=22)
    ax.set_xlim(-0.005, 1.005)
    ax.set_ylim(-0.01, 1.01)
    ax.set_axis_off()
    return ax


def _shares(result: Any) -> np.ndarray:
    """The matrix, (2, 2) or (3, 3), as shares of all pairs."""
    if result.coupling == "evidential":
        return np.asarray(result.matrix / result.matrix.sum())
    # Python integers may be beyond what floats hold; their quotient is not.
    return np.array([value / result.pairs for value in result.counts]).reshape(2, 2)


def _look(i: int, j: int) -> dict[str, Any]:
    """Colour and hatch of the tile of these states of both clusterings."""
    face, hatch = _TILES.get((_STATES[i], _STATES[j]), _UNKNOWN)
    return {"facecolor": face, "hatch": hatch, "edgecolor": "white"}


def _tiles(shares: np.ndarray) -> Iterator[tuple[int, int, float, float, float, float]]:
    """States of both clusterings, left end, foot, width and height of each tile."""
    widths = shares.sum(axis=1)
    for i, width in enumerate(widths.tolist()):
        heights = shares[i] / width if width > 0 else np.zeros(shares.shape[1])
        for j, height in enumerate(heights.tolist()):
            yield (i, j, float(widths[:i].sum()), float(heights[:j].sum()), width, height)


def _draw_tiles(ax: Axes, shares: np.ndarray, alternative: str
                ) -> list[tuple[int, int, float]]:
    """Draw the tiles; those too small for text are returned, with their shares."""
    from matplotlib.patches import Rectangle
    beside = []
    for i, j, left, bottom, width, height in _tiles(shares):
        share = float(shares[i, j])
        if share > 0:
            gap = min(_GAP, width / 4), min(_GAP * 1.4, height / 4)
            ax.add_patch(Rectangle(
                (left + gap[0] / 2, bottom + gap[1] / 2), width - gap[0], height - gap[1],
                **_look(i, j), lw=0.0, gid=f"{_STATES[i]}-{_STATES[j]}"))
        if share > 0 and width >= _LEAST_WIDTH and height >= _LEAST_HEIGHT:
            what = _short(i, j, alternative)
            ax.text(left + width / 2, bottom + height / 2,
                    f"{what}\n{_percent(share)}" if what else _percent(share), ha="center",
                    va="center", fontsize="small", bbox={"boxstyle": "round,pad=0.25", "lw": 0,
                                                         "facecolor": "white", "alpha": 0.85})
        else:
            beside.append((i, j, share))
    return beside


def _short(i: int, j: int, alternative: str) -> str:
    """Text on a tile; the two coloured ones are in the legend."""
    if i == j:
        return f"both {_STATES[i]}"
    return f"{alternative} {_STATES[j]}" if 2 in (i, j) else ""


def _percent(share: float) -> str:
    if share == 0.0:
        return "none"
    return f"{100 * share:.1f} %" if share >= 0.001 else "< 0.1 %"


@chart("PrayatulTable", "prayatul_all(truth, clusterings)")
def plot_prayatul_table(table: PrayatulTable) -> Figure:
    """Draw small mosaics, one for each ordered pair of clusterings.

    Parameters
    ----------
    table : PrayatulTable
        Result of `softclust.prayatul_all`.

    Returns
    -------
    matplotlib.figure.Figure
        Row: primary, column: alternative. Below each mosaic its comparative deviation and delta;
        on the diagonal the Rand index with the truth.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> iris = softclust.datasets.load_iris()
    >>> fits = {name: AgglomerativeClustering(3, linkage=name).fit(iris.data)
    ...         for name in ("average", "ward", "single")}
    >>> figure = softclust.prayatul_all(iris.labels, fits).plot()
    >>> len(figure.axes)
    9
    """
    from matplotlib.patches import Patch, Rectangle
    k = len(table.names)
    figure, axes = pyplot().subplots(k, k, figsize=(1.0 + 1.9 * k, 1.2 + 1.75 * k), squeeze=False)
    for i, primary in enumerate(table.names):
        for j, alternative in enumerate(table.names):
            ax = axes[i, j]
            ax.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
            without_frame(ax)
            if i == j:
                rand = next(r for r in table.results if r.names[0] == primary).rand_primary
                ax.text(0.5, 0.5, f"Rand index\n{rand:.3f}", ha="center", va="center",
                        fontsize="small", color=TEXT)
            else:
                result = table[primary, alternative]
                for row, column, left, bottom, width, height in _tiles(_shares(result)):
                    if height > 0:
                        ax.add_patch(Rectangle((left, bottom), width, height, **_look(row, column),
                                               lw=0.8))
                delta, sigma = result.delta, result.comparative_deviation
                if isinstance(delta, float):
                    sigma = "undefined" if math.isnan(sigma) else f"{sigma:.3f}"
                    below = f"sigma {sigma}, delta {delta:.3f}"
                else:
                    below = f"delta {delta:.2f}"
                ax.set_xlabel(below, fontsize="x-small", color=TEXT, labelpad=3)
            if i == 0:
                ax.set_title(written(alternative, 16), loc="center")
            if j == 0:
                ax.set_ylabel(written(primary, 16))
    figure.suptitle("Pairs of objects: row (primary) against column (alternative)")
    cells = {"both right": (0, 0), "only row right": (0, 1), "only column right": (1, 0),
             "both wrong": (1, 1)}
    if len(table.results) and _shares(table.results[0]).shape[0] == 3:
        cells["unknown"] = (2, 2)
    figure.legend(handles=[Patch(**_look(*cell), lw=0, label=name)
                           for name, cell in cells.items()],
                  loc="outside lower center", ncols=3, handlelength=2.2, handleheight=1.2)
    return figure


@chart("PrayatulIntervals", "the bootstrap of a PrayatulResult")
def plot_prayatul_intervals(intervals: PrayatulIntervals, *, ax: Axes | None = None) -> Axes:
    """Draw confidence intervals of Prayatul measures, one line per measure.

    Parameters
    ----------
    intervals : PrayatulIntervals
        What `.jackknife()` or `.bootstrap()` of a result returned.

    Returns
    -------
    matplotlib.axes.Axes
        Row i is drawn at y = i: a marker for the estimate, a bar for the interval;
        only a marker if the interval is undefined.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> iris = softclust.datasets.load_iris()
    >>> fits = [AgglomerativeClustering(3, linkage=name).fit(iris.data)
    ...         for name in ("average", "single")]
    >>> ax = softclust.prayatul(iris.labels, *fits, names=("average", "single")).jackknife().plot()
    >>> len(ax.get_yticklabels())
    6
    """
    ax = new_axes(ax, 7.0, 2.9)
    for i, name in enumerate(intervals.measures):
        low, high = RANGES[name]
        ax.plot([low, high], [i, i], color=RAIL, lw=1.2, marker="|", ms=5, mew=1.2, zorder=1,
                gid="rail")
        estimate, ends = float(intervals.estimate[i]), intervals[name]
        if not math.isnan(ends.low):
            ax.plot([ends.low, ends.high], [i, i], color=PALETTE[0], lw=6, alpha=0.45,
                    solid_capstyle="butt", zorder=2, gid="interval")
        if not math.isnan(estimate):
            ax.plot([estimate], [i], color=PALETTE[0], marker="o", ms=6, mec="white", mew=0.8,
                    ls="", zorder=3, gid="value")
        text = "no interval" if math.isnan(ends.low) else f"{ends.low:.3f} to {ends.high:.3f}"
        ax.text(1.02, i, text, transform=ax.get_yaxis_transform(), va="center", fontsize="small",
                clip_on=False)
    ax.axvline(0.0, color="black", lw=0.8, ls=":", zorder=0)
    name_rows(ax, [name.replace("_", " ") + (f" ({SYMBOLS[name]})" if name in SYMBOLS else "")
                   for name in intervals.measures])
    ax.set_xlim(min(-1.02, float(np.nanmin(intervals.lower, initial=0.0)) - 0.02),
                max(1.02, float(np.nanmax(intervals.upper, initial=0.0)) + 0.02))
    primary, alternative = map(written, intervals.names)
    ax.set_title(f"{primary} against {alternative}: {100 * intervals.level:g} % "
                 f"{intervals.method} intervals")
    return ax


@chart("PrayatulObjects", "PrayatulResult.objects()")
def plot_prayatul_objects(objects: PrayatulObjects, *, top: int = 12,
                          ax: Axes | None = None) -> Axes:
    """Draw the objects at which two clusterings differ most, in both directions.

    Parameters
    ----------
    objects : PrayatulObjects
        Result of `PrayatulResult.objects`.
    top : int, optional
        Objects (or cells) from each end; those that differ by next to nothing are left out.

    Returns
    -------
    matplotlib.axes.Axes
        To the right the primary is right more often, to the left the alternative.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> iris = softclust.datasets.load_iris()
    >>> fits = [AgglomerativeClustering(3, linkage=name).fit(iris.data)
    ...         for name in ("ward", "complete")]
    >>> result = softclust.prayatul(iris.labels, *fits, names=("ward", "complete"))
    >>> ax = result.objects().plot(top=6)
    >>> len(ax.get_yticklabels())
    12
    """
    advantage = objects.advantage
    order = np.argsort(-advantage, kind="stable")
    if order.size > 2 * top:
        order = np.concatenate([order[:top], order[order.size - top:]])
    # Misplaced objects lower their partners a little: bars that cannot be seen are left out.
    visible = np.abs(advantage[order]) > 0.02 * np.abs(advantage).max()
    order = order[visible] if visible.any() else order[:1]
    ax = new_axes(ax, 5.6, 0.26 * order.size + 1.2)
    colours = [PALETTE[0] if advantage[i] >= 0 else PALETTE[1] for i in order]
    ax.barh(range(order.size), advantage[order], height=0.66, color=colours)
    ax.axvline(0, color="black", lw=0.8)
    name_rows(ax, [written(objects.labels[i], 24) for i in order], frame=True)
    primary, alternative = (written(name, 20) for name in objects.names)
    ax.set_xlabel(f"\N{LEFTWARDS ARROW} {alternative} better    share of partners    "
                  f"{primary} better \N{RIGHTWARDS ARROW}", color=TEXT)
    ax.set_title(f"{len(objects):,} {objects.by}s" + (
        f", the {order.size} that differ most" if order.size < len(objects) else ""))
    return ax


@chart("PrayatulParts", "PrayatulResult.parts()")
def plot_prayatul_parts(parts: PrayatulParts, *, ax: Axes | None = None) -> Axes:
    """Draw the errors that split classes and those that mix them.

    Parameters
    ----------
    parts : PrayatulParts
        Result of `PrayatulResult.parts`.

    Returns
    -------
    matplotlib.axes.Axes
        Two groups of bars: pairs of one class that were separated, pairs of two classes that
        were joined.

    Examples
    --------
    >>> import softclust
    >>> truth, one, other = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 1, 1, 1, 0]
    >>> ax = softclust.prayatul(truth, one, other, names=("one", "other")).parts().plot()
    >>> [int(bar.get_width()) for bar in ax.patches]
    [2, 2, 3, 3]
    """
    ax = new_axes(ax, 5.6, 2.2)
    wrong = np.array([parts.splits, parts.mixtures], float)
    for side, (name, colour) in enumerate(zip(parts.names, PALETTE)):
        ax.barh(np.arange(2) + 0.2 * (2 * side - 1), wrong[:, side], height=0.36, color=colour,
                hatch="" if side == 0 else "//", edgecolor="white", label=written(name, 20))
    name_rows(ax, ["classes split", "classes mixed"], frame=True)
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    ax.set_xlabel("pairs of objects that are wrong", color=TEXT)
    return ax
