"""Charts of transport dissimilarities and of expected values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...plotting.figures import COLOURS, RAIL, TEXT, bracket, chart, name_rows, new_axes
from ...results.text import in_words, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .expected import ExpectedIndex
    from .result import TransportResult


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
    ax = bracket(ax, (expected.low, expected.high), None, expected.value)
    ax.set_xlabel(f"expected {in_words(expected.index)}", color=TEXT)
    ax.set_title(f"{expected.n_objects:,} objects, "
                 + ("exact value" if expected.exact else "value with proved bounds"))
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
    colour = COLOURS[result.sense]
    rows = {"lower": "lower", "value": f"at alpha = {result.alpha:g}", "upper": "upper"}
    for i, name in enumerate(rows):
        ax.plot([0, 1], [i, i], color=RAIL, lw=1.2, marker="|", ms=5, zorder=1)
        exact, interval = getattr(result, f"exact_{name}"), getattr(result, f"{name}_ci")
        if not exact:
            ends = (max(0.0, getattr(result, f"{name}_low")),
                    min(1.0, getattr(result, f"{name}_high")))
            ax.plot(ends, [i, i], color=TEXT, lw=9, alpha=0.3, solid_capstyle="butt", zorder=2,
                    gid="bounds")
        if interval is not None:
            ax.plot(interval, [i, i], color=colour, lw=1.6, marker="|", ms=9, zorder=3,
                    gid="confidence")
        ax.plot([getattr(result, name)], [i], color=colour, ls="", marker="o", ms=7, zorder=4,
                mfc=colour if exact else "white")
        ax.text(1.02, i, number(getattr(result, name)), transform=ax.get_yaxis_transform(),
                va="center", fontsize="small")
    name_rows(ax, list(rows.values()), frame=True)
    ax.set_xlim(-0.02, 1.02)
    better = "larger is more alike" if result.sense == "agreement" else "smaller is more alike"
    ax.set_xlabel(f"transport {result.sense}, base {result.base} ({better})", color=TEXT)
    ax.set_title(f"{result.kinds[0]} and {result.kinds[1]} clustering, {result.n_objects} objects")
    return ax
