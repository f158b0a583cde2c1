"""Charts of dendrograms: tanglegram, agreement by number of clusters, ROC curves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...plotting.figures import (
    PALETTE,
    RAIL,
    TEXT,
    bracket,
    chart,
    check_record,
    colour,
    heat_map,
    marker,
    new_axes,
    written,
)
from ...results.text import in_words, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .curve import DendrogramCurve, DendrogramMap
    from .dendrogram import Dendrogram
    from .nested import LevelAgreement
    from .orders import TreeOrders
    from .roc_records import PairRoc, PairRocSubsets, TieRange

#: objects up to which names are written
_NAMED = 60
#: smallest distance between two labels of k, in parts of the axes
_APART = 0.09
#: curves with more points get a marker now and then
_POINTS = 40


@chart("TreeOrders", "softclust.untangle")
def plot_tanglegram(orders: TreeOrders, *, ax: Axes | None = None) -> Axes:
    """Draw two dendrograms face to face, with a line between the two places of each object.

    Parameters
    ----------
    orders : TreeOrders
        Result of `untangle`.

    Returns
    -------
    matplotlib.axes.Axes
        The title says how many lines cross. Heights are drawn by their square roots, so that low
        merges can be seen beside high ones. Names are written for up to 60 objects.

    Examples
    --------
    >>> import softclust
    >>> from scipy.cluster.hierarchy import linkage
    >>> x = softclust.datasets.load_iris().data[::6]
    >>> ax = softclust.untangle(linkage(x, "ward"), linkage(x, "single"), fixed="x").plot()
    >>> ax.get_title(loc="left")
    'crossings: 18, entanglement 0.04'
    """
    x, y = orders.trees
    n = orders.x_order.size
    ax = new_axes(ax, 7.0, min(12.0, 2.0 + 0.18 * n))
    names = [written(name, 10) for name in x.object_names or range(n)] if n <= _NAMED else []
    gap = 0.04 + 0.025 * max(map(len, names), default=0)
    places = [np.argsort(order) for order in (orders.x_order, orders.y_order)]
    _draw_tree(ax, x, places[0], 0.0, 1.0, PALETTE[0])
    _draw_tree(ax, y, places[1], 3.0, 2.0, PALETTE[1])
    for i in range(n):
        ax.plot([1.0 + gap, 2.0 - gap], [places[0][i], places[1][i]], color=TEXT, lw=0.7,
                alpha=0.6)
    for i, name in enumerate(names):
        ax.text(1.01, places[0][i], name, fontsize="x-small", va="center")
        ax.text(1.99, places[1][i], name, fontsize="x-small", va="center", ha="right")
    ax.set_ylim(n - 0.3, -0.7)
    ax.set_axis_off()
    ax.set_title(f"crossings: {orders.crossings:,}, entanglement {orders.entanglement:.2f}")
    return ax


def _draw_tree(ax: Axes, tree: Dendrogram, places: np.ndarray, root: float, leaves: float,
               color: str) -> None:
    """Brackets from `leaves` (height 0) to `root` (the largest height), by roots of heights."""
    n, m = tree.n_objects, tree.checked
    heights = np.sqrt(np.abs(m.heights) / (float(np.abs(m.heights).max()) or 1.0))
    across = np.concatenate([np.full(n, leaves), leaves + (root - leaves) * 0.95 * heights])
    along = np.concatenate([places.astype(float), np.zeros(n - 1)])
    for t, (a, b) in enumerate(zip(m.left.tolist(), m.right.tolist())):
        along[n + t] = (along[a] + along[b]) / 2
        ax.plot([across[a], across[n + t], across[n + t], across[b]],
                [along[a], along[a], along[b], along[b]], color=color, lw=1.0)


@chart("DendrogramCurve", "softclust.dendrogram_curve")
def plot_dendrogram_curve(curve: DendrogramCurve, *, ax: Axes | None = None) -> Axes:
    """Draw the agreement of two dendrograms by number of clusters.

    Parameters
    ----------
    curve : DendrogramCurve
        Result of `dendrogram_curve`.

    Returns
    -------
    matplotlib.axes.Axes
        The dashed line is the mean for unrelated trees; they exceed the upper edge of the band in
        one of twenty cases. The axis of k is logarithmic from 50 clusters on.

    Examples
    --------
    >>> import softclust
    >>> from scipy.cluster.hierarchy import linkage
    >>> x = softclust.datasets.load_iris().data[::3]
    >>> ax = softclust.dendrogram_curve(linkage(x, "ward"), linkage(x, "average")).plot()
    >>> ax.get_xlabel()
    'number of clusters k'
    """
    ax = new_axes(ax, 6.4, 4.2)
    if np.isfinite(curve.expected).any():
        ax.fill_between(curve.k, curve.expected, curve.limit(), color=TEXT, alpha=0.15,
                        label="95 % of unrelated trees")
    return _draw_by_clusters(ax, curve)


@chart("LevelAgreement", "softclust.level_agreement")
def plot_level_agreement(levels: LevelAgreement, *, ax: Axes | None = None) -> Axes:
    """Draw the agreement of a clustering with the levels of a truth or the cuts of a dendrogram.

    Parameters
    ----------
    levels : LevelAgreement
        Result of `level_agreement`.

    Returns
    -------
    matplotlib.axes.Axes
        The dashed line is the mean by chance. The axis of k is logarithmic from 50 clusters on.

    Examples
    --------
    >>> import softclust
    >>> from scipy.cluster.hierarchy import linkage
    >>> iris = softclust.datasets.load_iris()
    >>> tree = softclust.Dendrogram(linkage(iris.data, "ward"))
    >>> ax = softclust.level_agreement(tree, iris.labels).plot()
    >>> ax.get_ylabel()
    'adjusted Rand index'
    """
    return _draw_by_clusters(new_axes(ax, 6.4, 4.2), levels)


def _draw_by_clusters(ax: Axes, curve: DendrogramCurve | LevelAgreement) -> Axes:
    """The value and its mean by chance over numbers of clusters."""
    measure = in_words(curve.measure)
    ax.plot(curve.k, curve.value, color=PALETTE[0], marker="o" if curve.k.size <= 50 else "", ms=4,
            label=measure)
    if np.isfinite(curve.expected).any():
        ax.plot(curve.k, curve.expected, color=TEXT, ls="--", lw=1, label="mean if unrelated")
    if curve.k.size:
        _numbers_of_clusters(ax, int(curve.k[-1]))
    ax.set_ylabel(measure)
    ax.legend()
    return ax


def _numbers_of_clusters(ax: Axes, largest: int) -> None:
    """The axis of k, logarithmic from 50 clusters on."""
    if largest >= 50:
        ax.set_xscale("log")
        ticks = [t for t in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**4, 10**5, 10**6)
                 if t <= largest]
        ax.set_xticks(ticks, [str(t) for t in ticks])
        ax.minorticks_off()
    elif largest <= 12:
        ax.set_xticks(range(1, largest + 1))
    ax.set_xlabel("number of clusters k")


# -- ROC curves of pairs ----------------------------------------------------------------------
@chart()
def plot_roc(curves: PairRoc | Mapping[str, PairRoc], *, ax: Axes | None = None) -> Axes:
    """Draw ROC curves over the number of clusters: nearer to the lower left corner is better.

    Parameters
    ----------
    curves : PairRoc or mapping of str to PairRoc
        One curve, or several by name.

    Returns
    -------
    matplotlib.axes.Axes
        The share of separated pairs of the same class (eps1) is horizontal, that of merged pairs
        of different classes (eps2) vertical; the dashed diagonal is chance. The usual ROC curve is
        this one upside down, with one minus its area. The filled marker is the best k; some points
        carry their k. The closing line of a curve that stops before n clusters is dotted.

    Examples
    --------
    >>> import softclust
    >>> from scipy.cluster.hierarchy import linkage
    >>> iris = softclust.datasets.load_iris()
    >>> ax = softclust.plotting.plot_roc({
    ...     name: softclust.pair_roc(iris.labels, linkage(iris.data, name))
    ...     for name in ("ward", "single")})
    >>> ax.get_legend_handles_labels()[1]
    ['ward: area 0.0643, best k 3', 'single: area 0.0841, best k 2', 'chance: area 0.5']
    """
    named = _named(curves)
    ax = new_axes(ax, 5.6, 5.8)
    for i, (name, roc) in enumerate(named.items()):
        x, y = np.append(0.0, roc.eps1), np.append(1.0, roc.eps2)
        label = f"area {number(roc.auc)}, best k {roc.k_best}"
        ax.plot(x, y, color=colour(i), lw=1.8, marker=marker(i), ms=3.5, mfc="white",
                markevery=_sparse(x.size), label=f"{name}: {label}" if name else label, zorder=3)
        if roc.truncated:
            ax.plot([x[-1], 1.0], [y[-1], 0.0], color=colour(i), lw=1.4, ls=":", zorder=2)
        _mark_best(ax, roc, roc.eps1, roc.eps2, i)
    # The number of clusters at the best k and, where there is room, at others.
    placed: list[tuple[float, float]] = []
    for i, roc in enumerate(named.values()):
        if np.isnan(roc.eps1).any() or np.isnan(roc.eps2).any():
            continue
        order = [*np.flatnonzero(roc.k == roc.k_best).tolist(), *range(roc.k.size)]
        for p in dict.fromkeys(order):
            at = float(roc.eps1[p]), float(roc.eps2[p])
            if any(np.hypot(at[0] - u, at[1] - v) < _APART for u, v in placed):
                continue
            placed.append(at)
            ax.annotate(f"{roc.k[p]}", at, xytext=(6, 5), textcoords="offset points",
                        fontsize="x-small", color=colour(i), zorder=6, gid="k",
                        bbox={"facecolor": "white", "alpha": 0.75, "lw": 0, "pad": 0.6})
    ax.plot([0, 1], [1, 0], color=TEXT, ls="--", lw=1, zorder=1, label="chance: area 0.5")
    ax.set_xlim(-0.03, 1.03)
    ax.set_ylim(-0.03, 1.03)
    ax.set_aspect("equal")
    ax.set(xlabel="separated pairs of the same class (share)",
           ylabel="merged pairs of different classes (share)",
           title="better: nearer to the lower left corner (area 0)")
    ax.legend(loc="upper right")
    ax.grid(color=RAIL, lw=0.6)
    return ax


@chart()
def plot_roc_errors(curves: PairRoc | Mapping[str, PairRoc], *, ax: Axes | None = None) -> Axes:
    """Draw the errors against the number of clusters.

    Parameters
    ----------
    curves : PairRoc or mapping of str to PairRoc
        For one curve, eps1, eps2 and the error that the best k minimises are drawn; for several,
        that error only.

    Returns
    -------
    matplotlib.axes.Axes
        The filled marker is the best k. The axis of k is logarithmic from 50 clusters on.

    Examples
    --------
    >>> import softclust
    >>> from scipy.cluster.hierarchy import linkage
    >>> iris = softclust.datasets.load_iris()
    >>> roc = softclust.pair_roc(iris.labels, linkage(iris.data, "ward"))
    >>> ax = softclust.plotting.plot_roc_errors(roc)
    >>> ax.get_xlabel()
    'number of clusters k'
    """
    named = _named(curves)
    ax = new_axes(ax, 6.4, 4.2)
    words = {"sum": "sum of both shares", "pair_error": "share of wrong pairs"}
    criteria = {words[roc.criterion] for roc in named.values()}
    for i, (name, roc) in enumerate(named.items()):
        what = name if len(named) > 1 else words[roc.criterion]
        if len(criteria) > 1:
            what += f" ({words[roc.criterion]})"
        ax.plot(roc.k, roc.error, color=colour(i), lw=1.8, marker=marker(i), ms=3.5, mfc="white",
                markevery=_sparse(roc.k.size), label=f"{what}, best k {roc.k_best}", zorder=3)
        _mark_best(ax, roc, roc.k.astype(float), roc.error, i)
    if len(named) == 1:
        roc = next(iter(named.values()))
        ax.plot(roc.k, roc.eps1, color=colour(1), lw=1.4, ls="--",
                label="separated pairs of the same class")
        ax.plot(roc.k, roc.eps2, color=colour(2), lw=1.4, ls=":",
                label="merged pairs of different classes")
    _numbers_of_clusters(ax, max(int(roc.k[-1]) for roc in named.values()))
    ax.set_ylim(bottom=0.0)
    ax.set_ylabel(criteria.pop() if len(named) > 1 and len(criteria) == 1 else "error")
    ax.legend()
    ax.grid(color=RAIL, lw=0.6)
    return ax


@chart()
def plot_roc_subsets(parts: PairRocSubsets | Mapping[str, PairRocSubsets], *,
                     ax: Axes | None = None) -> Axes:
    """Draw the mean area, with a band of one standard deviation, against the labelled share.

    Parameters
    ----------
    parts : PairRocSubsets or mapping of str to PairRocSubsets
        One result, or several by name.

    Returns
    -------
    matplotlib.axes.Axes
        The dashed line is the area with all labels.

    Examples
    --------
    >>> import softclust
    >>> from scipy.cluster.hierarchy import linkage
    >>> iris = softclust.datasets.load_iris()
    >>> parts = softclust.pair_roc_subsets(iris.labels, linkage(iris.data), n_draws=20, rng=0)
    >>> ax = softclust.plotting.plot_roc_subsets(parts)
    >>> ax.get_ylabel()
    'area under the curve (0 is best)'
    """
    named = _named(parts, "PairRocSubsets", "pair_roc_subsets(...)", "parts")
    ax = new_axes(ax, 6.4, 4.2)
    for i, (name, part) in enumerate(named.items()):
        x = 100 * part.fractions
        deviation = np.nan_to_num(part.sd)
        ax.fill_between(x, part.mean - deviation, part.mean + deviation, color=colour(i),
                        alpha=0.18, lw=0, zorder=1)
        ax.plot(x, part.mean, color=colour(i), marker=marker(i), ms=5, lw=1.6, zorder=3,
                label=name or "mean")
        ax.axhline(part.auc_all, color=colour(i), ls="--", lw=1, zorder=2)
    ax.set_xlim(0, 103)
    ax.set_ylim(bottom=max(0.0, ax.get_ylim()[0]))
    ax.set(xlabel="labelled objects, %", ylabel="area under the curve (0 is best)")
    ax.legend(title="band: one standard deviation;\ndashed: all labels")
    ax.grid(color=RAIL, lw=0.6)
    return ax


def _named(curves: Any, record: str = "PairRoc", made_by: str = "pair_roc(truth, merges)",
           argument: str = "curves") -> dict[str, Any]:
    """The records by the names that charts write; one without a name is called ""."""
    named = ({written(name): curve for name, curve in curves.items()}
             if isinstance(curves, Mapping) else {"": curves})
    if not named:
        raise ValueError("there is nothing to draw; give at least one result")
    for curve in named.values():
        check_record(argument, curve, record, made_by)
    return named


def _sparse(points: int) -> Any:
    """Points that get a marker: all, or those a little apart."""
    return 1 if points <= _POINTS else 0.02


def _mark_best(ax: Axes, roc: PairRoc, x: np.ndarray, y: np.ndarray, i: int) -> None:
    at = np.flatnonzero(roc.k == roc.k_best)
    ax.plot(x[at], y[at], color=colour(i), ls="", marker=marker(i), ms=9, mec="black", mew=1.0,
            zorder=5, gid="best")


@chart("DendrogramMap", "softclust.dendrogram_map")
def plot_dendrogram_map(record: DendrogramMap, *, ax: Axes | None = None) -> Axes:
    """Draw the agreement of all cuts of two dendrograms as coloured cells.

    Parameters
    ----------
    record : DendrogramMap
        Result of `dendrogram_map`.

    Returns
    -------
    matplotlib.axes.Axes
        Darker is more alike; the numbers of clusters rise to the right and upwards.

    Examples
    --------
    >>> import softclust
    >>> from scipy.cluster.hierarchy import linkage
    >>> x = softclust.datasets.load_iris().data[::3]
    >>> trees = (linkage(x, method) for method in ("ward", "average"))
    >>> ax = softclust.dendrogram_map(*trees, max_clusters=10).plot()
    >>> ax.get_ylabel()
    'clusters of x'
    """
    finite = record.value[np.isfinite(record.value)]
    ax = heat_map(ax, record.value, [str(k) for k in record.k_x], [str(k) for k in record.k_y],
                  limits=(min(0.0, finite.min(initial=0.0)), finite.max(initial=0.0) or 1.0),
                  label=f"{in_words(record.measure)} (darker: more alike)",
                  origin="lower")
    ax.set(xlabel="clusters of y", ylabel="clusters of x")
    return ax


@chart("TieRange", "tie_range(truth, X)")
def plot_tie_range(ties: TieRange, *, ax: Axes | None = None) -> Axes:
    """Draw the areas that a linkage has when equal distances are ordered at random.

    Parameters
    ----------
    ties : TieRange
        Result of `softclust.tie_range`.

    Returns
    -------
    matplotlib.axes.Axes
        A tick for each random order, a thin line from the smallest to the largest area, a point at
        the area of the data as given. The axis shows the range alone, unless it is a point.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> ax = softclust.tie_range(iris.labels, iris.data.round(), method="single",
    ...                          rng=0).plot()
    >>> ax.get_xlabel()
    'area under the ROC curve (0 is best, 0.5 is chance)'
    """
    margin = 0.15 * (ties.high - ties.low)
    ax = bracket(ax, (ties.low, ties.high), None, ties.given,
                  shown=(ties.low - margin, ties.high + margin) if margin else (0.0, 1.0))
    ax.plot(ties.auc, np.full(ties.auc.size, -0.35), ls="", marker="|", color=TEXT, alpha=0.5)
    ax.set_xlabel("area under the ROC curve (0 is best, 0.5 is chance)", color=TEXT)
    ax.set_title(f"{ties.method} linkage, {ties.auc.size} ways to break ties")
    return ax
