"""Charts of single values with their bounds and parts, and of small tables of numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .figures import (
    COLOURS,
    HEAT,
    PALETTE,
    RAIL,
    TEXT,
    chart,
    check_record,
    name_columns,
    pyplot,
    written,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..comparison.prayatul_records.objects import PrayatulObjects, PrayatulParts
    from ..ensembles.instability import LabelInstability
    from ..pairs.criterion import CIC
    from ..pairs.entropies import PairwiseEntropy
    from ..tables.completion import CompletionBounds
    from ..tables.contingency_table import ContingencyTable
    from ..transport.expected import ExpectedIndex
    from ..trees.roc_records import TieRange

#: rows and columns whose numbers are written
_WITH_NUMBERS = 20


@chart
def plot_completion(bounds: CompletionBounds, *, ax: Axes | None = None) -> Axes:
    """Draw the range of a measure over all completions, and what is proved of it.

    Parameters
    ----------
    bounds : CompletionBounds
        What `completion_bounds` returned.

    Returns
    -------
    matplotlib.axes.Axes
        A thick line from the least to the greatest value attained; thin ends where only a bound
        is proved.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.completion_bounds([0, 0, 1, None], [0, 0, 1, 1]).plot()
    >>> ax.get_xlabel()
    'adjusted_rand_index'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("bounds", bounds, "CompletionBounds", "completion_bounds(x, y)")
    ax = _bracket(ax, (bounds.low_bound, bounds.high_bound), (bounds.low, bounds.high), None)
    x_only, y_only, both = bounds.n_missing
    _named(ax, bounds.measure, f"all completions of {x_only + y_only + both} of "
                               f"{bounds.n_objects:,} objects")
    return ax


@chart
def plot_expected_index(expected: ExpectedIndex, *, ax: Axes | None = None) -> Axes:
    """Draw an expected value with its proved bounds.

    Parameters
    ----------
    expected : ExpectedIndex
        What `expected_index` returned.

    Returns
    -------
    matplotlib.axes.Axes
        A point at the value, a thin line between the bounds.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.expected_index([0, 1, 1], [[1, 0], [.5, .5], [0, 1]], index="purity").plot()
    >>> ax.get_xlabel()
    'expected purity'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("expected", expected, "ExpectedIndex", "expected_index(truth, x)")
    ax = _bracket(ax, (expected.low, expected.high), None, expected.value)
    _named(ax, f"expected {expected.index}", f"{'exact' if expected.exact else 'bounds'}, "
                                             f"{expected.n_objects:,} objects")
    return ax


@chart
def plot_criterion(criterion: CIC, *, ax: Axes | None = None) -> Axes:
    """Draw the cluster information criterion as information less uncertainty.

    Parameters
    ----------
    criterion : CIC
        What `cluster_information_criterion` returned.

    Returns
    -------
    matplotlib.axes.Axes
        Three bars in bits: information, uncertainty (to the left), criterion.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.cluster_information_criterion([0, 0, 1, 1]).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['information', 'uncertainty', 'criterion']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("criterion", criterion, "CIC", "cluster_information_criterion(x)")
    ax = _axes(ax, (5.4, 1.9))
    values = (criterion.information, -criterion.uncertainty, criterion.criterion)
    ax.barh(range(3), values, height=0.6, color=(PALETTE[0], PALETTE[1], "#444444"))
    for row, value in enumerate(values):
        ax.annotate(f"{value:.3f}", (value, row), xytext=(4 if value >= 0 else -4, 0),
                    textcoords="offset points", va="center", fontsize=8.5,
                    ha="left" if value >= 0 else "right")
    ax.axvline(0, color="black", lw=0.8)
    ax.set_yticks(range(3), ["information", "uncertainty", "criterion"], fontsize=8.5)
    ax.set_ylim(2.6, -0.6)
    ax.margins(x=0.18)
    _named(ax, "bits", f"cluster information criterion, {criterion.n_objects:,} objects")
    return ax


@chart
def plot_instability(instability: LabelInstability, *, ax: Axes | None = None) -> Axes:
    """Draw the instability of labels between 0 and that of labels at random.

    Parameters
    ----------
    instability : LabelInstability
        What `label_instability` returned.

    Returns
    -------
    matplotlib.axes.Axes
        A point at the value, a line at the value of labels at random.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from softclust.ensembles.instability import label_instability
    >>> ax = label_instability([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]]).plot()
    >>> ax.get_xlabel()
    'share of objects to move'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("instability", instability, "LabelInstability", "label_instability(runs)")
    ax = _bracket(ax, (0.0, instability.null), None, instability.value)
    ax.axvline(instability.null, color="black", lw=1.2, ls="--")
    ax.annotate("labels at random", (instability.null, 0.55), xytext=(4, 0),
                textcoords="offset points", ha="left", va="center", fontsize=8)
    _named(ax, "share of objects to move", f"{instability.n_pairs:,} pairs of runs")
    return ax


@chart
def plot_pairwise_entropy(entropy: PairwiseEntropy, *, ax: Axes | None = None) -> Axes:
    """Draw which pairs of clusters blur: the lower triangle of the matrix.

    Parameters
    ----------
    entropy : PairwiseEntropy
        What `pairwise_entropy` returned.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        Darker pairs are harder to tell apart.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.pairwise_entropy([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]).plot()
    >>> [text.get_text() for text in ax.texts]
    ['0.50', '0.00', '0.00']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("entropy", entropy, "PairwiseEntropy", "pairwise_entropy(x)")
    c = entropy.matrix.shape[0]
    names = [written(name, 20) for name in entropy.names]
    low = np.where(np.tril(np.ones((c, c), bool), -1), entropy.matrix, np.nan)[1:, :-1]
    if c < 2:
        low = np.full((1, 1), np.nan)
    top = max(1.0, float(np.nanmax(low))) if np.isfinite(low).any() else 1.0
    return _heat(ax, low, names[1:] or names, names[:-1] or names, "{:.2f}", (0.0, top),
                 "entropy (darker: harder to tell apart)", "pairs of clusters")


@chart
def plot_contingency(table: ContingencyTable, *, ax: Axes | None = None) -> Axes:
    """Draw a contingency table: counts, coloured by their share of the row.

    Parameters
    ----------
    table : ContingencyTable
        With at most 200 rows and columns.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        Rows are clusters of x, columns clusters of y; numbers up to 20 rows and columns.

    Raises
    ------
    ValueError
        If there are more rows or columns.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.contingency_table(["a", "b", "b"], [1, 1, 2]).plot()
    >>> [text.get_text() for text in ax.texts]
    ['1', '0', '1', '1']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("table", table, "ContingencyTable", "contingency_table(x, y)")
    if max(len(table.x_names), len(table.y_names)) > 200:
        raise ValueError(f"the table has {len(table.x_names)} rows and {len(table.y_names)} "
                         "columns; at most 200 can be drawn")
    counts = np.asarray(table.dense(), float)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    ax = _heat(ax, shares, [written(name, 20) for name in table.x_names],
               [written(name, 20) for name in table.y_names], "", (0.0, 1.0),
               "share of the row", f"{table.n_objects:,} objects", numbers=counts)
    ax.set_xlabel("clusters of y", fontsize=8.5, color=TEXT)
    ax.set_ylabel("clusters of x", fontsize=8.5, color=TEXT)
    return ax


@chart
def plot_prayatul_objects(objects: PrayatulObjects, *, most: int = 12,
                          ax: Axes | None = None) -> Axes:
    """Draw the objects at which two clusterings differ most, in both directions.

    Parameters
    ----------
    objects : PrayatulObjects
        What `PrayatulResult.objects` returned.
    most : int
        Objects (or cells) from each end; those that differ by next to nothing are left out.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        To the right the primary is right more often, to the left the alternative.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> found = softclust.prayatul([0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 1, 1, 1, 0])
    >>> ax = found.objects().plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['0', '3', '1', '4', '2']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("objects", objects, "PrayatulObjects", "PrayatulResult.objects()")
    advantage = objects.advantage
    order = np.argsort(-advantage, kind="stable")
    if order.size > 2 * most:
        order = np.concatenate([order[:most], order[order.size - most:]])
    # Misplaced objects lower their partners a little: bars that cannot be seen are left out.
    told = np.abs(advantage[order]) > 0.02 * np.abs(advantage).max()
    order = order[told] if told.any() else order[:1]
    ax = _axes(ax, (5.6, 0.26 * order.size + 1.2))
    colours = [PALETTE[0] if advantage[i] >= 0 else PALETTE[1] for i in order]
    ax.barh(range(order.size), advantage[order], height=0.66, color=colours)
    ax.axvline(0, color="black", lw=0.8)
    ax.set_yticks(range(order.size), [written(objects.labels[i], 24) for i in order], fontsize=8)
    ax.set_ylim(order.size - 0.4, -0.6)
    primary, alternative = (written(name, 20) for name in objects.names)
    _named(ax, f"share of partners: {alternative} right (left), {primary} right (right)",
           f"{len(objects):,} {objects.by}s" + (
               f", the {order.size} that differ most" if order.size < len(objects) else ""))
    return ax


@chart
def plot_prayatul_parts(parts: PrayatulParts, *, ax: Axes | None = None) -> Axes:
    """Draw which errors are splits of classes and which are mixtures.

    Parameters
    ----------
    parts : PrayatulParts
        What `PrayatulResult.parts` returned.

    Returns
    -------
    matplotlib.axes.Axes
        Two groups of bars: pairs of one class that were separated, pairs of two classes that
        were joined.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> found = softclust.prayatul([0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 1, 1, 1, 0])
    >>> ax = found.parts().plot()
    >>> [int(bar.get_width()) for bar in ax.patches]
    [2, 2, 3, 3]
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("parts", parts, "PrayatulParts", "PrayatulResult.parts()")
    ax = _axes(ax, (5.6, 2.2))
    wrong = np.array([parts.splits, parts.mixtures], float)
    for side, (name, colour) in enumerate(zip(parts.names, PALETTE)):
        ax.barh(np.arange(2) + 0.2 * (2 * side - 1), wrong[:, side], height=0.36, color=colour,
                hatch="" if side == 0 else "//", edgecolor="white", label=written(name, 20))
    ax.set_yticks(range(2), ["classes split", "classes mixed"], fontsize=8.5)
    ax.set_ylim(1.6, -0.6)
    ax.legend(frameon=False, fontsize=8.5, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    _named(ax, "pairs of objects that are wrong", "")
    return ax


# -- parts ------------------------------------------------------------------------------------
def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    if ax is not None:
        return ax
    made: Axes = pyplot().subplots(figsize=size, layout="constrained")[1]
    return made


@chart
def plot_tie_range(found: TieRange, *, ax: Axes | None = None) -> Axes:
    """Draw the areas that a linkage has when equal distances are told apart at random.

    Parameters
    ----------
    found : TieRange
        What `softclust.tie_range` returned.

    Returns
    -------
    matplotlib.axes.Axes
        A thin line from the smallest to the largest area, a point at that of the data as given.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.tie_range([0, 0, 1, 1], [[0.0], [1.0], [2.0], [9.0]], method="single",
    ...                          rng=0).plot()
    >>> ax.get_xlabel()
    'area under the ROC curve (0 is best, 0.5 is chance)'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("found", found, "TieRange", "tie_range(truth, X)")
    ax = _bracket(ax, (found.low, found.high), None, found.given)
    _named(ax, "area under the ROC curve (0 is best, 0.5 is chance)",
           f"{found.method} linkage, {found.auc.size} ways to break ties")
    return ax


def _bracket(ax: Axes | None, outer: tuple[float, float], inner: tuple[float, float] | None,
             value: float | None) -> Axes:
    """A thin line for what is proved, a thick one for what is attained, a point for the value."""
    ax = _axes(ax, (5.6, 1.5))
    colour = COLOURS["agreement"]
    ax.plot(outer, [0, 0], color=RAIL, lw=3, marker="|", ms=12, mew=1.6, mec=TEXT, zorder=2)
    if inner is not None:
        ax.plot(inner, [0, 0], color=colour, lw=5, solid_capstyle="butt", zorder=3)
        for end, side in zip(inner, ("right", "left")):
            ax.annotate(f"{end:.3f}", (end, 0), xytext=(0, 10), textcoords="offset points",
                        ha=side if inner[0] != inner[1] else "center", fontsize=8.5)
    if value is not None:
        ax.plot([value], [0], color=colour, marker="o", ms=8, mec="white", zorder=4)
        ax.annotate(f"{value:.4f}", (value, 0), xytext=(0, 10), textcoords="offset points",
                    ha="center", fontsize=8.5)
    ends = [end for end in (*outer, *(inner or ())) if math.isfinite(end)]
    low, high = min([0.0, *ends]), max([1.0, *ends])
    ax.set_xlim(low - 0.08 * (high - low), high + 0.08 * (high - low))
    ax.set_ylim(-0.6, 0.8)
    ax.set_yticks([])
    return ax


def _heat(ax: Axes | None, values: Any, rows: list[str], columns: list[str], form: str,
          limits: tuple[float, float], label: str, title: str, *, numbers: Any = None) -> Axes:
    """A heat map of few cells with numbers that can be read on every colour."""
    r, s = values.shape
    ax = _axes(ax, (min(0.62 * s + 2.4, 14), min(0.42 * r + 1.4, 14)))
    image = ax.imshow(np.ma.masked_invalid(values), cmap=HEAT, vmin=limits[0], vmax=limits[1],
                      aspect="auto")
    written_too = max(r, s) <= _WITH_NUMBERS
    for i, j in np.argwhere(np.isfinite(values)) if written_too else ():
        shown = form.format(values[i, j]) if numbers is None else f"{numbers[i, j]:g}"
        dark = values[i, j] > limits[0] + 0.6 * (limits[1] - limits[0])
        ax.text(j, i, shown, ha="center", va="center", fontsize=8,
                color="white" if dark else "black")
    name_columns(ax, range(s), columns, most=6, fontsize=8.5 if written_too else 6)
    ax.set_yticks(range(r), rows, fontsize=8.5 if written_too else 6)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.9, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8)
    bar.set_label(label, fontsize=8, color=TEXT)
    ax.set_title(title, loc="left", fontsize=10.5)
    return ax


def _named(ax: Axes, label: str, title: str) -> None:
    ax.set_xlabel(label, fontsize=8.5, color=TEXT)
    ax.tick_params(labelsize=8.5)
    ax.tick_params(axis="y", length=0)
    ax.set_axisbelow(True)
    for spine in ("top", "right", "left"):
        ax.spines[spine].set_visible(False)
    if title:
        ax.set_title(title, loc="left", fontsize=10.5)
