"""Charts of values with their intervals: comparisons, rankings, chance, strata, samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from .._checks import shown
from ..results.records import Interval
from ..results.text import in_words, number, short
from .figures import (
    COLOURS,
    RAIL,
    TEXT,
    chart,
    check_record,
    name_rows,
    new_axes,
    pyplot,
    written,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..comparison import ComparedMeasure, Comparison
    from ..comparison.batch import BatchEffect
    from ..comparison.chance_record import Chance, ChanceRow
    from ..comparison.matrix import ComparisonMatrix
    from ..comparison.ranking import Ranking
    from ..comparison.sampled_truth import SampledTruth
    from ..comparison.strata import StrataAgreement

_MARKERS = {"agreement": "o", "dissimilarity": "D"}
_ROW_HEIGHT = 0.3   # inches
_TITLE = 40         # characters of two names that fit on one line
_LINE = 70          # characters of an answer in one line of a title
#: confidence intervals
LIMITS = "#333333"
_BINS = 40
#: an observed value is drawn at its place up to this many widths of the null values beside them
_FAR = 2.0


@chart("Comparison", "compare(x, y)")
def plot_comparison(comparison: Comparison, *, ax: Axes | None = None) -> Axes:
    """Draw a comparison: one line per measure, further right is more alike.

    Agreements with a best value of 1 share one axis. Other measures are drawn as a share of their
    range, whose ends are written beside the line; the ranges of dissimilarities run from right to
    left.

    Parameters
    ----------
    comparison : Comparison
        Result of `softclust.compare`.

    Returns
    -------
    matplotlib.axes.Axes
        Row i of the comparison is drawn at y = i: a marker for a number, a bar for an interval,
        a tick for the chance level, a line with caps for the confidence interval (that of an
        interval covers both of its ends); undefined measures have no marker.

    Notes
    -----
    The common axis runs from 0 to 1, or from -0.25, -0.5 or -1 if a value, a chance level or a
    confidence interval is negative. A value beyond the axis is an arrow at its end; its number is
    at the right in any case.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> fuzzy = softclust.cluster.FuzzyCMeans(3, random_state=0).fit(iris.data[::3])
    >>> ax = softclust.compare(iris.labels[::3], fuzzy, names=("species", "fuzzy"),
    ...                        ci="jackknife").plot()
    >>> ax.get_title(loc="left")
    'species (hard) and fuzzy (fuzzy), 50 objects'
    """
    ax = new_axes(ax, 8.5, _ROW_HEIGHT * max(1, len(comparison)) + 1.1)
    # The common axis starts at 0, or as far left as negative values need, at most at -1.
    smallest = min((v for row in comparison.rows if _on_axis(row)
                    for v in (row.low, row.chance, row.ci_low) if math.isfinite(v)), default=0.0)
    left = next((end for end in (0.0, -0.25, -0.5) if smallest >= end), -1.0)
    for i, row in enumerate(comparison.rows):
        _draw_row(ax, i, row, left)
    _finish(ax, comparison, left)
    return ax


@chart()
def plot_comparisons(comparisons: Sequence[Comparison], *, columns: int = 2,
                     title: str = "") -> Figure:
    """Draw several comparisons, one panel each, in one figure.

    Parameters
    ----------
    comparisons : sequence of Comparison
    columns : int, optional
        Panels side by side.
    title : str, optional
        Title of the figure.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If there is nothing to draw.

    Examples
    --------
    >>> import softclust
    >>> one = softclust.compare([0, 0, 1, 1], [0, 0, 1, 2], names=("truth", "one"))
    >>> other = softclust.compare([0, 0, 1, 1], [0, 1, 1, 1], names=("truth", "other"))
    >>> figure = softclust.plotting.plot_comparisons([one, other], columns=1)
    >>> len(figure.axes)
    2
    """
    if not isinstance(comparisons, Sequence):
        raise TypeError(f"comparisons is of type {type(comparisons).__name__}; a list of "
                        "Comparisons is needed, as compare(x, y) returns them")
    if not comparisons:
        raise ValueError("comparisons is empty; give at least one Comparison")
    for comparison in comparisons:
        check_record("an item of comparisons", comparison, "Comparison", "compare(x, y)")
    columns = min(columns, len(comparisons))
    rows = -(-len(comparisons) // columns)
    heights = [max(map(len, comparisons[i * columns:(i + 1) * columns])) * _ROW_HEIGHT + 0.8
               for i in range(rows)]
    figure, axes = pyplot().subplots(rows, columns, squeeze=False, height_ratios=heights,
                                     figsize=(7.5 * columns, sum(heights) + 0.5))
    for comparison, ax in zip(comparisons, axes.flat):
        plot_comparison(comparison, ax=ax)
    for ax in axes.flat[len(comparisons):]:
        ax.remove()
    if title:
        figure.suptitle(written(title, 200), fontweight="bold")
    return cast("Figure", figure)


def _on_axis(row: ComparedMeasure) -> bool:
    """Return True if a row belongs on the common axis: an agreement with best value 1."""
    return row.sense == "agreement" and row.range[1] in (1.0, math.inf)


def _place(row: ComparedMeasure, value: float, left: float) -> float:
    """Position of `value`: itself on the common axis; else its share of the range, 1 most alike."""
    if _on_axis(row):
        return min(max(value, left), 1.0)
    low, high = row.range
    if math.isinf(high):
        high = 1.25 * max(row.high, low) or 1.0
    share = min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 1.0
    return share if row.sense == "agreement" or high == low else 1.0 - share


def _draw_row(ax: Axes, i: int, row: ComparedMeasure, left: float) -> None:
    colour = COLOURS[row.sense]
    start = max(left, row.range[0]) if _on_axis(row) else 0.0
    ax.plot([start, 1], [i, i], color=RAIL, lw=1.2, marker="|", ms=5, mew=1.2, zorder=1,
            solid_capstyle="butt", gid="rail")
    if not _on_axis(row):
        ends = row.range if row.sense == "agreement" else row.range[::-1]
        for x, end, side in ((-0.012, ends[0], "right"), (1.012, ends[1], "left")):
            ax.text(x, i, short(end), ha=side, va="center", fontsize="x-small", color=TEXT)
    if math.isfinite(row.chance):
        at = _place(row, row.chance, left)
        ax.plot([at, at], [i - 0.26, i + 0.26], color="black", lw=1.4, zorder=2, gid="chance")
    right: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "va": "center",
                             "fontsize": "small", "clip_on": False}
    if not (math.isnan(row.ci_low) or math.isnan(row.ci_high)):
        ax.plot([_place(row, v, left) for v in (row.ci_low, row.ci_high)], [i, i], color=LIMITS,
                lw=1.6, marker="|", ms=9, mew=1.6, zorder=3.5, solid_capstyle="butt", gid="limits")
    if math.isnan(row.low):
        ax.text(1.015, i, "undefined", color=TEXT, style="italic", **right)
    elif isinstance(row.value, Interval):
        places = sorted((_place(row, row.low, left), _place(row, row.high, left)))
        ax.plot(places, [i, i], color=colour, lw=7, alpha=0.45, solid_capstyle="butt", zorder=3,
                gid="interval")
        # End caps keep an interval of width 0 visible.
        ax.plot(places, [i, i], color=colour, ls="", marker="|", ms=13, mew=1.8, zorder=4)
        ax.text(1.015, i, f"{number(row.low)} to {number(row.high)}", **right)
    else:
        marker = _MARKERS[row.sense]
        if _on_axis(row) and not left <= row.value <= 1.0:
            marker = "<" if row.value < left else ">"   # beyond the axis
        ax.plot([_place(row, row.value, left)], [i], color=colour, ls="", marker=marker,
                ms=7, mec="white", mew=0.8, zorder=4, gid="value")
        ax.text(1.015, i, number(row.value), **right)


def _finish(ax: Axes, comparison: Comparison, left: float) -> None:
    (a, b), (kind_a, kind_b) = map(written, comparison.names), comparison.kinds
    between = "\n" if len(a) + len(b) > _TITLE else " "
    ax.set_title(f"{a} ({kind_a}) and{between}{b} ({kind_b}), {comparison.n_objects} objects")
    name_rows(ax, [written(in_words(row.label), 60) for row in comparison.rows])
    common = [_on_axis(row) for row in comparison.rows]
    ax.set_xlim(left - (0.04 if all(common) else 0.12), 1.04 if all(common) else 1.12)
    ax.xaxis.tick_top()
    if any(common):
        ticks = [k / 4 for k in range(int(4 * left), 5)]
        ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks], color=TEXT)
        ax.grid(axis="x", color="#EBEBEB", lw=0.7, zorder=0)
    else:
        ax.set_xticks([0, 1], ["least alike", "most alike"], color=TEXT)
        left_label, right_label = ax.get_xticklabels()
        left_label.set_horizontalalignment("left")
        right_label.set_horizontalalignment("right")
    ax.tick_params(length=0)

    # The legend names the marks that occur.
    from matplotlib.lines import Line2D
    handles = []
    for sense in ("agreement", "dissimilarity"):
        if any(row.sense == sense for row in comparison.rows):
            handles.append(Line2D([], [], color=COLOURS[sense], ls="", marker=_MARKERS[sense],
                                  mec="white", ms=7, label=sense))
    if any(isinstance(row.value, Interval) for row in comparison.rows):
        handles.append(Line2D([], [], color=TEXT, lw=6, alpha=0.45, solid_capstyle="butt",
                              label="range left open"))
    if any(math.isfinite(row.ci_low) for row in comparison.rows):
        handles.append(Line2D([], [], color=LIMITS, lw=1.6, marker="|", ms=9, mew=1.6,
                              label=f"{100 * comparison.level:g} % interval"))
    if any(math.isfinite(row.chance) for row in comparison.rows):
        handles.append(Line2D([], [], color="black", ls="", marker="|", ms=9, mew=1.4,
                              label="chance"))
    if handles:
        ax.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0.0),
                  ncols=len(handles), borderaxespad=0.4, handletextpad=0.6, columnspacing=1.2)


@chart("ComparisonMatrix", "compare_all(clusterings)")
def plot_against(matrix: ComparisonMatrix, reference: str, *, ax: Axes | None = None) -> Axes:
    """Draw how much the other clusterings of a matrix are like a reference: one row each.

    Parameters
    ----------
    matrix : ComparisonMatrix
        Result of `softclust.compare_all`.
    reference : str
        Name of the clustering that the others are compared with.

    Returns
    -------
    matplotlib.axes.Axes
        One row per clustering, in the order of the matrix.

    Raises
    ------
    KeyError
        If no clustering is called `reference`.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> fuzzy = softclust.cluster.FuzzyCMeans(3, random_state=0).fit(iris.data)
    >>> rough = softclust.cluster.RoughKMeans(3, ratio=1.5, random_state=0).fit(iris.data)
    >>> matrix = softclust.compare_all({"species": iris.labels, "fuzzy": fuzzy, "rough": rough},
    ...                                measure="alpha_rand_interval")
    >>> ax = softclust.plotting.plot_against(matrix, "species")
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['fuzzy (fuzzy)', 'rough (rough)']
    """
    if reference not in matrix.names:
        raise KeyError(f"no clustering is called {shown(reference)}; the names are "
                       + ", ".join(map(repr, matrix.names)))
    at = matrix.names.index(reference)
    others = [i for i in range(len(matrix)) if i != at]
    ax = new_axes(ax, 6.5, 0.5 * len(others) + 1.4)
    colour = COLOURS[matrix.sense]
    for row, i in enumerate(others):
        low, high = float(matrix.lower[at, i]), float(matrix.upper[at, i])
        ax.plot([low, high], [row, row], color=colour, lw=7, alpha=0.45, solid_capstyle="butt",
                gid="interval")
        # End caps keep an interval of width 0 visible.
        ax.plot([low, high], [row, row], color=colour, ls="", marker="|", ms=13, mew=1.8)
        ax.text(1.02, row, matrix.text(at, i), transform=ax.get_yaxis_transform(), va="center",
                fontsize="small", clip_on=False)
    name_rows(ax, [f"{written(matrix.names[i])} ({matrix.kinds[i]})" for i in others])
    if matrix.sense == "agreement":
        ax.set_xlim(min(0.0, float(matrix.lower.min())), 1.0)
    ax.grid(axis="x", color=RAIL, lw=0.8)
    best = "right" if matrix.sense == "agreement" else "left"
    ax.set_xlabel(f"{in_words(matrix.label)} (more alike: to the {best})", color=TEXT)
    ax.set_title(f"compared with {written(reference)}, {matrix.objects_text}")
    return ax


@chart("Ranking", "rank_clusterings(truth, clusterings)")
def plot_ranking(ranking: Ranking, *, ax: Axes | None = None) -> Axes:
    """Draw the lead of each clustering over the best of the others, the nearest on top.

    Parameters
    ----------
    ranking : Ranking
        Result of `softclust.rank_clusterings`.

    Returns
    -------
    matplotlib.axes.Axes
        Row i of the order is drawn at y = i: the lead as a marker, filled where the clustering may
        be the best, and its simultaneous confidence interval; the line at 0 is no lead.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> iris = softclust.datasets.load_iris()
    >>> fits = {name: AgglomerativeClustering(3, linkage=name).fit(iris.data)
    ...         for name in ("ward", "average", "complete", "single")}
    >>> ax = softclust.rank_clusterings(iris.labels, fits).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['average', 'ward', 'complete', 'single']
    """
    ax = new_axes(ax, 7.2, 0.35 * len(ranking) + 1.4)
    ax.axvline(0.0, color=RAIL, lw=1.0, zorder=0)
    for place, i in enumerate(ranking.order):
        best = i in ranking.possibly_best
        _estimate(ax, place, float(ranking.gain[i]), float(ranking.low[i]), float(ranking.high[i]),
                  hollow=not best, colour=COLOURS["agreement"] if best else TEXT, gid="lead")
    name_rows(ax, [written(ranking.names[i]) for i in ranking.order], frame=True)
    ax.set_xlabel(f"lead over the best of the others ({in_words(ranking.measure)}), simultaneous "
                  f"{100 * ranking.level:g} % intervals; filled: may be the best")
    ax.set_title(_answer(ranking.answer))
    return ax


@chart("SampledTruth", "sampled_truth(predicted, truth, ...)")
def plot_sampled_truth(estimates: SampledTruth, *, ax: Axes | None = None) -> Axes:
    """Draw estimates of agreement with a sampled truth, with their confidence intervals.

    Parameters
    ----------
    estimates : SampledTruth
        Result of `softclust.sampled_truth` or `softclust.sampled_pairs`.

    Returns
    -------
    matplotlib.axes.Axes
        Measure k is drawn at y = k: a line from low to high with the value as a marker, hollow
        where there is no interval.

    Examples
    --------
    >>> import numpy as np, softclust
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.integers(300, size=1500)
    >>> predicted = np.where(rng.random(1500) < 0.9, truth, rng.integers(300, size=1500))
    >>> known = [k if k < 100 else None for k in truth.tolist()]
    >>> ax = softclust.sampled_truth(predicted, known, design="clusters",
    ...                              probabilities=1 / 3).plot()
    >>> ax.get_title(loc="left")
    '97 true clusters sampled (design: clusters)'
    """
    ax = new_axes(ax, 7.2, 0.3 * len(estimates) + 1.2)
    for place, row in enumerate(estimates):
        _estimate(ax, place, row.value, row.low, row.high, hollow=math.isnan(row.low))
    name_rows(ax, [in_words(row.name) for row in estimates], frame=True)
    ax.set_xlabel(f"estimate with an interval of about {100 * estimates.level:g} %; hollow: no "
                  "interval")
    ax.set_title(estimates.title)
    return ax


@chart("StrataAgreement", "agreement_by_strata(x, y, strata)")
def plot_strata(agreement: StrataAgreement, *, ax: Axes | None = None) -> Axes:
    """Draw the adjusted Rand index of each stratum, of all objects, and beyond strata.

    Parameters
    ----------
    agreement : StrataAgreement
        Result of `softclust.agreement_by_strata`.

    Returns
    -------
    matplotlib.axes.Axes
        Stratum h is drawn at y = h, then "all objects" and "beyond strata" (hollow).

    Examples
    --------
    >>> import numpy as np, softclust
    >>> rng = np.random.default_rng(0)
    >>> batch = np.repeat(["one", "two", "three"], 40)
    >>> x, y = (np.repeat([0, 1, 2], 40) + (rng.random(120) < 0.2) for _ in range(2))
    >>> ax = softclust.agreement_by_strata(x, y, batch).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['one', 'three', 'two', 'all objects', 'beyond strata']
    """
    names = [*map(written, agreement.names), "all objects", "beyond strata"]
    ax = new_axes(ax, 7.2, 0.3 * len(names) + 1.2)
    ax.axvline(0.0, color=RAIL, lw=1.0, zorder=0)
    for place, value in enumerate([*agreement.values.tolist(), agreement.total,
                                   agreement.adjusted]):
        _estimate(ax, place, value, hollow=place == len(names) - 1,
                  colour=COLOURS["agreement"] if place >= len(agreement) else TEXT)
    name_rows(ax, names, frame=True)
    ax.set_xlabel("adjusted Rand index")
    ax.set_title(_answer(agreement.answer))
    return ax


@chart("BatchEffect", "batch_effect(clusters, batch)")
def plot_batch_effect(effect: BatchEffect, *, ax: Axes | None = None) -> Axes:
    """Draw the share of the batch that clusters tell in each class, and in all.

    Parameters
    ----------
    effect : BatchEffect
        Result of `softclust.batch_effect`.

    Returns
    -------
    matplotlib.axes.Axes
        Class h is drawn at y = h, filled where there is evidence, then "all"; a tick marks the mean
        share by chance.

    Examples
    --------
    >>> import numpy as np, softclust
    >>> kind, batch = np.repeat(["B", "T"], 20), np.tile([0, 1], 20)
    >>> ax = softclust.batch_effect(batch, batch, within=kind, rng=0).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['B', 'T', 'all classes']
    """
    rows = [*((str(row["class"]), row["share"], row["expected"], row["p_value"])
              for row in effect.by_class if effect.within),
            ("all classes" if effect.within else "all objects", effect.share, effect.expected,
             effect.p_value)]
    ax = new_axes(ax, 7.2, 0.3 * len(rows) + 1.2)
    for place, (_, share, expected, p) in enumerate(rows):
        if not math.isnan(share):
            _estimate(ax, place, share, hollow=not p <= effect.significance,
                      colour=TEXT if place == len(rows) - 1 else COLOURS["agreement"])
            ax.plot([expected], [place], ls="", marker="|", ms=10, mew=1.5, color=TEXT,
                    gid="expected")
    name_rows(ax, [written(name) for name, *_ in rows], frame=True)
    ax.set_xlim(-0.03, 1.03)
    ax.set_xlabel("share of the batch that the clusters tell; |: mean by chance")
    ax.set_title(_answer(effect.answer))
    return ax


def _estimate(ax: Axes, place: int, value: float, low: float = math.nan, high: float = math.nan, *,
              hollow: bool, colour: str = COLOURS["agreement"], gid: str = "value") -> None:
    """A marker for an estimate and a line for its interval, where there is one."""
    if not math.isnan(low):
        ax.plot([low, high], [place, place], color=colour, lw=1.6, solid_capstyle="butt",
                gid="limits")
    ax.plot([value], [place], marker="o", ms=6, color=colour, mfc="white" if hollow else colour,
            gid=gid)


def _answer(text: str) -> str:
    """A sentence as a title of some lines."""
    return "\n".join(wrap(written(text, 3 * _LINE), _LINE))


@chart("Chance", "chance(x, y, measure)")
def plot_chance(chance: Chance, *, ax: Axes | None = None) -> Axes:
    """Draw a histogram of the null values of each row, with the observed value as a diamond.

    Parameters
    ----------
    chance : Chance
        Result of `softclust.chance`.

    Returns
    -------
    matplotlib.axes.Axes
        One strip per row, row k on the line y = k, in the units of the measure; rows of several
        measures in standard deviations from their null means. An observed value so far out that
        the bars would shrink to a line is written beside the frame, with an arrow.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> iris = softclust.datasets.load_iris()
    >>> widths = KMeans(3, n_init=10, random_state=0).fit(iris.data[:, 1:2])
    >>> ax = softclust.chance(iris.labels, widths, "adjusted_rand_index", rng=0).plot()
    >>> ax.get_xlabel()
    'adjusted Rand index'
    """
    if not chance.n_permutations:
        raise ValueError(f'the result of method="{chance.method}" has no draws to plot; '
                         'chance(..., method="tables") draws some')
    rows = list(chance)
    ax = new_axes(ax, 7.2, 0.75 * len(rows) + 1.5)
    one = len(set(chance.measures)) == 1
    limits = _limits(rows, standardised=not one)
    names = []
    for k, row in enumerate(rows):
        _strip(ax, k, row, limits, standardised=not one)
        p = "undefined" if np.isnan(row.p_value) else f"p = {row.p_value:.2g}"
        above = in_words(row.label) if not one else "" if row.end == "value" else f"{row.end} end"
        names.append(f"{above}\n{p}" if above else p)
    ax.axhline(len(rows) - 1, color=RAIL, lw=0.8, zorder=0)
    name_rows(ax, names, frame=True)
    ax.set_ylim(len(rows) - 0.75, -0.95)
    if one:
        ax.set_xlabel(in_words(rows[0].label.removesuffix(f", {rows[0].end} end")), color=TEXT)
    else:
        ax.axvline(0.0, color=RAIL, lw=0.8, zorder=0)
        ax.set_xlabel("standard deviations from the mean of the permutations", color=TEXT)
    ax.margins(x=0.04)
    ax.set_title(f"{chance.draws} of {chance.n_objects} objects (bars); black: observed value")
    return ax


def _scaled(row: ChanceRow, standardised: bool) -> tuple[np.ndarray, float]:
    """Null values without nan and the observed one, as they are drawn."""
    values, observed = row.null[~np.isnan(row.null)], row.observed
    if standardised:
        scale = row.sd if row.sd > 0 else 1.0
        values, observed = (values - row.mean) / scale, (observed - row.mean) / scale
    return values, float(observed)


def _limits(rows: list[ChanceRow], *, standardised: bool) -> tuple[float, float]:
    """Ends of the axis: the null values, and room of their width for values near them."""
    null = [values for values in (_scaled(row, standardised)[0] for row in rows) if values.size]
    if not null:
        return -np.inf, np.inf
    low, high = min(float(v.min()) for v in null), max(float(v.max()) for v in null)
    room = _FAR * (high - low)
    return (low - room, high + room) if room > 0 else (-np.inf, np.inf)


def _strip(ax: Axes, k: int, row: ChanceRow, limits: tuple[float, float], *, standardised: bool
           ) -> None:
    values, observed = _scaled(row, standardised)
    colour = COLOURS[row.sense]
    if values.size:
        distinct = np.unique(values.round(12))
        if distinct.size <= _BINS:   # few possible values: one bar each
            heights = np.array([(values.round(12) == v).sum() for v in distinct], dtype=float)
            gaps = np.diff(distinct)
            width = 0.8 * gaps.min() if gaps.size else max(0.01, 0.01 * abs(distinct[0]))
            left = distinct - width / 2
        else:
            counts, edges = np.histogram(values, bins=_BINS)
            heights, left, width = counts.astype(float), edges[:-1], edges[1] - edges[0]
        ax.bar(left, -0.7 * heights / heights.max(), width=width, bottom=k, align="edge",
               color=colour, alpha=0.45, lw=0, gid="null")
    if not np.isnan(observed):
        if limits[0] <= observed <= limits[1]:
            ax.plot([observed, observed], [k, k - 0.45], color="black", lw=1.2)
            ax.plot([observed], [k - 0.45], ls="", marker="D", ms=7, color="black", gid="observed")
        else:   # beyond the frame: no place on the axis is its own
            far = f"{observed:.0f} SD" if standardised else number(observed)
            right = observed > limits[1]
            ax.annotate(f"{far} \N{RIGHTWARDS ARROW}" if right
                        else f"\N{LEFTWARDS ARROW} {far}", (1.0 if right else 0.0, k - 0.35),
                        (6 if right else -6, 0), xycoords=ax.get_yaxis_transform(), va="center",
                        ha="left" if right else "right", textcoords="offset points",
                        fontsize="small", fontweight="bold", annotation_clip=False, gid="observed")
    ax.axhline(k, color=RAIL, lw=0.8, zorder=0)
