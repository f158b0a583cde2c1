"""Objects in the plane with what a soft clustering says of them; see `softclust.plotting`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._checks import ClusteringError
from ..clusterings import as_clustering
from .figures import TEXT, chart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..clusterings import Clustering

#: clusters that a legend names, and those in one of its columns
_NAMED, _COLUMN = 56, 14


@chart
def plot_objects(X: Any, clustering: Any, *, centers: Any = None, ax: Axes | None = None) -> Axes:
    """Draw objects by their first two features, coloured by what a clustering says of them.

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
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.plotting.plot_objects([[0, 0], [1, 1], [5, 5]], [[1, 0], [0.8, 0.2], [0, 1]])
    >>> len(ax.collections)
    2
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    import numpy as np
    from matplotlib.colors import to_rgb

    from .figures import MARKERS, PALETTE, pyplot
    try:
        x = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ClusteringError("X cannot be read as numbers; a matrix (objects, features) is "
                              "needed") from None
    partition = as_clustering(clustering, name="clustering")
    if x.ndim != 2 or x.shape[1] < 2 or x.shape[0] != partition.n_objects:
        raise ClusteringError(f"X has shape {x.shape}; ({partition.n_objects}, 2 or more "
                              "features) is needed")
    if ax is None:
        _, ax = pyplot().subplots(figsize=(4.6, 4.2), layout="constrained")
    plausibility, belief = partition.plausibility(), partition.belief()
    present = plausibility.max(axis=1)
    best = plausibility.argmax(axis=1)
    open_ = (plausibility >= belief.max(axis=1, keepdims=True) - 1e-12) & (plausibility > 0)
    hollow = open_.sum(axis=1) > 1
    palette = np.array([to_rgb(PALETTE[k % len(PALETTE)]) for k in range(plausibility.shape[1])])
    weights = partition.pignistic(normalized=False)
    inside = weights.sum(axis=1)
    outlier = inside < 0.5
    share = weights / np.where(inside > 0, inside, 1.0)[:, None]
    # Grey rather than a mixture of colours, which could be taken for another cluster; what lies on
    # the empty set fades the colour, too.
    c = max(2, plausibility.shape[1])
    certain = np.clip((share.max(axis=1) - 1 / c) / (1 - 1 / c), 0.0, 1.0) * np.clip(inside, 0, 1)
    kept = (0.25 + 0.75 * certain)[:, None]
    colours = np.clip(kept * palette[best] + (1 - kept) * 0.72, 0.0, 1.0)
    for k in range(plausibility.shape[1]):
        for ring in (False, True):
            rows = (best == k) & (hollow == ring) & ~outlier & (present > 0)
            if rows.any():
                ax.scatter(x[rows, 0], x[rows, 1], s=22, marker=MARKERS[k % len(MARKERS)],
                           facecolors="none" if ring else colours[rows],
                           edgecolors=colours[rows] if ring else "white",
                           linewidths=1.3 if ring else 0.4, zorder=3 if ring else 2)
    rows = outlier | (present <= 0)
    if rows.any():
        ax.scatter(x[rows, 0], x[rows, 1], s=16, marker="x", color="#555555", linewidths=0.9,
                   zorder=1)
    if centers is not None:
        v = np.asarray(centers, dtype=np.float64)
        ax.scatter(v[:, 0], v[:, 1], s=150, marker="*", color="black", edgecolors="white",
                   linewidths=0.8, zorder=4)
    ax.set_aspect("equal")
    ax.tick_params(labelsize=8)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    marked = ~rows
    _legend(ax, partition, pale=bool((certain[marked & ~hollow] < 0.75).any()),
            hollow=bool((hollow & marked).any()), cross=bool(rows.any()),
            star=centers is not None)
    return ax


def _legend(ax: Axes, partition: Clustering, *, pale: bool, hollow: bool, cross: bool, star: bool
            ) -> None:
    """Name the clusters and whatever else has a look of its own."""
    from matplotlib.lines import Line2D

    from .figures import MARKERS, PALETTE, written
    c = partition.n_clusters
    names = list(partition.cluster_names or range(c)) if 1 < c <= _NAMED else []
    handles = [Line2D([], [], ls="", marker=MARKERS[k % len(MARKERS)],
                      color=PALETTE[k % len(PALETTE)], ms=4.5, label=written(name, 20))
               for k, name in enumerate(names)]
    looks = ((pale, "o", "#B9C8D2", "#B9C8D2", "uncertain (greyer)"),
             (hollow, "o", "none", TEXT, "several possible"),
             (cross, "x", TEXT, TEXT, "no cluster"), (star, "*", "black", "black", "centre"))
    handles += [Line2D([], [], ls="", marker=marker, mfc=inside, mec=edge, ms=4.5, label=text)
                for present, marker, inside, edge, text in looks if present]
    if handles:
        ax.legend(handles=handles, title="cluster" if names else None, fontsize=7.5,
                  title_fontsize=7.5, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0),
                  handletextpad=0.1, columnspacing=0.8, borderaxespad=0.0,
                  ncols=-(-len(handles) // _COLUMN))
