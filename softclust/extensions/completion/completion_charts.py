"""Chart of the range over all completions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...plotting.figures import TEXT, bracket, chart
from ...results.text import in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .bounds_record import CompletionBounds


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
    ax = bracket(ax, (bounds.low_bound, bounds.high_bound), (bounds.low, bounds.high), None)
    missing = sum(bounds.n_missing)
    ax.set_xlabel(in_words(bounds.measure), color=TEXT)
    ax.set_title(f"all ways to label {missing} of {bounds.n_objects:,} objects")
    return ax
