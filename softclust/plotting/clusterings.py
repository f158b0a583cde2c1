"""Chart of one clustering: what it says of every object and cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..clusterings import as_clustering
from .figures import PALETTE, RAIL, TEXT, chart, name_columns, pyplot, written
from .shares import plot_sizes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: rows that can still be read
MOST_OBJECTS = 40


@chart
def plot_clustering(clustering: Any, *, ax: Axes | None = None) -> Axes:
    """Draw a clustering of few objects: a bar for every object and cluster.

    The dark part of a bar is the belief that the object belongs to the cluster, dark and light
    together are the plausibility. Hard: one full dark bar a row. Fuzzy: dark bars that sum to 1.
    Rough and possibilistic: light parts are what is left open. More than 40 objects are drawn as
    the sizes of their clusters, by `plot_sizes`.

    Parameters
    ----------
    clustering : clustering-like
        Each object has a row up to 40 objects.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        Object i at y = i, cluster k from x = k to k + 1.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.plotting.plot_clustering([[1, 0], [0.4, 0.6], [0, 1]])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['0', '1', '2']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    partition: Any = as_clustering(clustering, name="clustering")
    n, c = partition.n_objects, partition.n_clusters
    if n > MOST_OBJECTS:
        return plot_sizes(partition, ax=ax)
    if ax is None:
        _, ax = pyplot().subplots(figsize=(0.55 * c + 1.1, 0.26 * n + 0.8), layout="constrained")
    if partition.kind == "cover":
        belief = plausibility = partition.membership.toarray().astype(float)
    else:
        belief, plausibility = partition.belief(), partition.plausibility()
    for k in range(c):
        colour = PALETTE[k % len(PALETTE)]
        ax.axvline(k, color=RAIL, lw=0.8, zorder=0)
        ax.barh(range(n), 0.94 * plausibility[:, k], left=k, height=0.72, color=colour, alpha=0.3,
                lw=0, gid="plausibility")
        ax.barh(range(n), 0.94 * belief[:, k], left=k, height=0.72, color=colour, lw=0,
                gid="belief")
    names = partition.object_names or [str(i) for i in range(n)]
    columns = partition.cluster_names or [str(k) for k in range(c)]
    ax.set_yticks(range(n), [written(name, 28) for name in names], fontsize=8)
    name_columns(ax, [k + 0.5 for k in range(c)], [written(name, 20) for name in columns], most=6,
                 above=True, fontsize=8)
    ax.set_xlim(0, c)
    ax.set_ylim(n - 0.4, -0.6)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.set_title(partition.kind, fontsize=9.5, color=TEXT)
    return ax
