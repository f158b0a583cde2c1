"""Charts of single values with their bounds and parts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..results.text import in_words, number, position
from .figures import COLOURS, PALETTE, RAIL, TEXT, chart, largest_rows, name_rows, new_axes, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..comparison.influence import Influence
    from ..comparison.medoid import Medoid
    from ..ensembles.instability import LabelInstability
    from ..pairs.entropies import CIC
    from ..tables.completion import CompletionBounds
    from ..transport.expected import ExpectedIndex
    from ..transport.result import TransportResult
    from ..trees.roc_records import TieRange


@chart("CompletionBounds", "completion_bounds(x, y)")
def plot_completion(bounds: CompletionBounds, *, ax: Axes | None = None) -> Axes:
    """Draw the range of a measure over all completions, and its proved bounds.

    Parameters
    ----------
    bounds : CompletionBounds
        Result of `completion_bounds`.

    Returns
    -------
    matplotlib.axes.Axes
        A thick line from the smallest to the largest value attained; thin ends where only a bound
        is proved.

    Examples
    --------
    >>> import numpy as np, softclust
    >>> from sklearn.cluster import KMeans
    >>> iris = softclust.datasets.load_iris()
    >>> kmeans = KMeans(3, n_init=10, random_state=0).fit_predict(iris.data)
    >>> kmeans[::10] = -1
    >>> ax = softclust.completion_bounds(iris.labels, kmeans, noise_label=-1).plot()
    >>> ax.get_xlabel()
    'adjusted Rand index'
    """
    ax = _bracket(ax, (bounds.low_bound, bounds.high_bound), (bounds.low, bounds.high), None)
    missing = sum(bounds.n_missing)
    ax.set_xlabel(in_words(bounds.measure), color=TEXT)
    ax.set_title(f"all ways to label {missing} of {bounds.n_objects:,} objects")
    return ax


@chart("ExpectedIndex", "expected_index(truth, x)")
def plot_expected_index(expected: ExpectedIndex, *, ax: Axes | None = None) -> Axes:
    """Draw an expected value with its proved bounds.

    Parameters
    ----------
    expected : ExpectedIndex
        Result of `expected_index`.

    Returns
    -------
    matplotlib.axes.Axes
        A point at the value, a thin line between the bounds.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> fuzzy = softclust.cluster.FuzzyCMeans(3, random_state=0).fit(iris.data)
    >>> ax = softclust.expected_index(iris.labels, fuzzy, index="purity").plot()
    >>> ax.get_xlabel()
    'expected purity'
    """
    ax = _bracket(ax, (expected.low, expected.high), None, expected.value)
    ax.set_xlabel(f"expected {in_words(expected.index)}", color=TEXT)
    ax.set_title(f"{expected.n_objects:,} objects, "
                 + ("exact value" if expected.exact else "value with proved bounds"))
    return ax


@chart("LabelInstability", "label_instability(runs)")
def plot_instability(instability: LabelInstability, *, ax: Axes | None = None) -> Axes:
    """Draw the instability of labels between 0 and that of random labels.

    Parameters
    ----------
    instability : LabelInstability
        Result of `label_instability`.

    Returns
    -------
    matplotlib.axes.Axes
        A point at the value, a line at the value of random labels.

    Examples
    --------
    >>> from softclust.ensembles.instability import label_instability
    >>> ax = label_instability([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]]).plot()
    >>> ax.get_xlabel()
    'share of objects to move'
    """
    ax = _bracket(ax, (0.0, instability.null), None, instability.value)
    ax.annotate("random labels", (instability.null, 0), xytext=(0, -14), ha="center", va="center",
                textcoords="offset points", fontsize="small")
    ax.set_xlabel("share of objects to move", color=TEXT)
    ax.set_title(f"labels that change between runs, {instability.n_pairs:,} pairs")
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
    ax = _bracket(ax, (ties.low, ties.high), None, ties.given,
                  shown=(ties.low - margin, ties.high + margin) if margin else (0.0, 1.0))
    ax.plot(ties.auc, np.full(ties.auc.size, -0.35), ls="", marker="|", color=TEXT, alpha=0.5)
    ax.set_xlabel("area under the ROC curve (0 is best, 0.5 is chance)", color=TEXT)
    ax.set_title(f"{ties.method} linkage, {ties.auc.size} ways to break ties")
    return ax


def _bracket(ax: Axes | None, outer: tuple[float, float], inner: tuple[float, float] | None,
             value: float | None, shown: tuple[float, float] = (0.0, 1.0)) -> Axes:
    """A thin line for what is proved, a thick one for what is attained, a point for the value."""
    ax = new_axes(ax, 5.6, 1.5)
    ax.plot(outer, [0, 0], color=RAIL, lw=3, marker="|", ms=12, mew=1.6, mec=TEXT, zorder=2)
    if inner is not None:
        ax.plot(inner, [0, 0], color=COLOURS["agreement"], lw=5, solid_capstyle="butt", zorder=3)
    if value is not None:
        ax.plot([value], [0], color=COLOURS["agreement"], marker="o", ms=8, mec="white", zorder=4)
    texts = {f"{v:.3f}": v for v in (inner or (value,)) if v is not None}
    for text, (place, side) in zip(texts, zip(texts.values(), ("right", "left"))):
        ax.annotate(text, (place, 0), xytext=(0, 10), textcoords="offset points",
                    ha=side if len(texts) == 2 else "center", fontsize="small")
    ends = [end for end in (*shown, *outer, *(inner or ())) if math.isfinite(end)]
    room = 0.08 * (max(ends) - min(ends))
    ax.set_xlim(min(ends) - room, max(ends) + room)
    name_rows(ax, [], frame=True)
    ax.set_ylim(-0.6, 0.8)
    return ax


@chart("TransportResult", "transport(x, y)")
def plot_transport(result: TransportResult, *, ax: Axes | None = None) -> Axes:
    """Draw lower end, value and upper end on the range from 0 to 1.

    Parameters
    ----------
    result : TransportResult

    Returns
    -------
    matplotlib.axes.Axes
        Filled markers are exact, open ones lie between the proved bounds drawn as a grey box;
        a thin line with caps is a confidence interval.

    Examples
    --------
    >>> import softclust
    >>> possible = [[1, 0], [1, 0], [1, 1], [1, 1], [0, 1], [0, 1]]
    >>> rough = softclust.RoughClustering.from_upper(possible)
    >>> ax = softclust.transport_dissimilarity([0, 0, 0, 1, 1, 1], rough).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['lower', 'at alpha = 0.5', 'upper']
    """
    ax = new_axes(ax, 7, 1.9)
    rows = {"lower": "lower", "value": f"at alpha = {result.alpha:g}", "upper": "upper"}
    for i, name in enumerate(rows):
        ax.plot([0, 1], [i, i], color=RAIL, lw=1.2, marker="|", ms=5, zorder=1)
        _draw_end(ax, i, result, name, COLOURS[result.sense])
        ax.text(1.02, i, number(getattr(result, name)), transform=ax.get_yaxis_transform(),
                va="center", fontsize="small")
    name_rows(ax, list(rows.values()), frame=True)
    ax.set_xlim(-0.02, 1.02)
    better = "larger is more alike" if result.sense == "agreement" else "smaller is more alike"
    ax.set_xlabel(f"transport {result.sense}, base {result.base} ({better})", color=TEXT)
    ax.set_title(f"{result.kinds[0]} and {result.kinds[1]} clustering, {result.n_objects} objects")
    return ax


def _draw_end(ax: Axes, i: int, result: TransportResult, name: str, colour: str) -> None:
    exact, interval = getattr(result, f"exact_{name}"), getattr(result, f"{name}_ci")
    if not exact:
        low = max(0.0, getattr(result, f"{name}_low"))
        high = min(1.0, getattr(result, f"{name}_high"))
        ax.plot([low, high], [i, i], color=TEXT, lw=9, alpha=0.3, solid_capstyle="butt", zorder=2,
                gid="bounds")
    if interval is not None:
        ax.plot(list(interval), [i, i], color=colour, lw=1.6, marker="|", ms=9, zorder=3,
                gid="confidence")
    ax.plot([getattr(result, name)], [i], color=colour, ls="", marker="o", ms=7, zorder=4,
            mfc=colour if exact else "white")


@chart("CIC", "cluster_information_criterion(x)")
def plot_criterion(criterion: CIC, *, ax: Axes | None = None) -> Axes:
    """Draw the cluster information criterion as information less uncertainty.

    Parameters
    ----------
    criterion : CIC
        Result of `cluster_information_criterion`.

    Returns
    -------
    matplotlib.axes.Axes
        Three bars in bits: information, uncertainty (to the left), criterion.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> fuzzy = softclust.cluster.FuzzyCMeans(3, random_state=0).fit(iris.data)
    >>> ax = softclust.cluster_information_criterion(fuzzy).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['information', 'uncertainty', 'criterion']
    """
    ax = new_axes(ax, 5.4, 1.9)
    values = (criterion.information, -criterion.uncertainty, criterion.criterion)
    ax.barh(range(3), values, height=0.6, color=(PALETTE[0], PALETTE[1], "#444444"))
    for row, value in enumerate(values):
        side: Any = ("left", 4) if value >= 0 else ("right", -4)
        ax.annotate(f"{value:.3f}", (value, row), xytext=(side[1], 0), ha=side[0], va="center",
                    textcoords="offset points", fontsize="small")
    ax.axvline(0, color="black", lw=0.8)
    name_rows(ax, ["information", "uncertainty", "criterion"], frame=True)
    ax.margins(x=0.18)
    ax.set_xlabel("bits", color=TEXT)
    ax.set_title(f"cluster information criterion, {criterion.n_objects:,} objects")
    return ax


@chart("Medoid", "medoid(ensemble)")
def plot_medoid(medoid: Medoid, *, ax: Axes | None = None) -> Axes:
    """Draw how far each member of an ensemble is from all others.

    Parameters
    ----------
    medoid : Medoid
        Result of `softclust.medoid`.

    Returns
    -------
    matplotlib.axes.Axes
        Member b at x = b; the medoid is filled.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> runs = softclust.resampled_clusterings(iris.data, softclust.cluster.FuzzyCMeans(3),
    ...                                        n_resamples=20, rng=0)
    >>> ax = softclust.medoid(runs, measure="rand_index").plot()
    >>> ax.get_xlabel()
    'member'
    """
    ax = new_axes(ax, 5.6, 3.0)
    first = position(0)
    ax.plot(first + np.arange(medoid.totals.size), medoid.totals, ls="", marker="o", ms=5,
            mfc="white", mec=PALETTE[0])
    ax.plot([first + medoid.index], [medoid.total], ls="", marker="o", ms=8, color=PALETTE[0])
    ax.set(title=f"medoid (filled): {written(medoid.name)}", xlabel="member",
           ylabel=f"sum of dissimilarities\n({in_words(medoid.measure)})")
    ax.margins(y=0.15)
    ax.locator_params(axis="x", integer=True)
    return ax


@chart("Influence", "influence(x, y)")
def plot_influence(influence: Influence, *, top: int = 20, ax: Axes | None = None) -> Axes:
    """Draw the objects whose best move to another cluster gains most.

    Parameters
    ----------
    influence : Influence
        Result of `softclust.influence`.
    top : int, optional
        Objects that are drawn.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> iris = softclust.datasets.load_iris()
    >>> kmeans = KMeans(3, n_init=10, random_state=0).fit(iris.data)
    >>> ax = softclust.influence(iris.labels, kmeans).plot(top=8)
    >>> len(ax.get_yticklabels())
    8
    """
    ax = largest_rows(ax, [(name, gain) for name, gain, _ in influence.top(top)])
    ax.set_xlabel(f"gain of {in_words(influence.measure)} by the best move in {influence.side}")
    return ax
