"""Charts of matched clusters and of what an ensemble agrees on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError
from .figures import PALETTE, TEXT, chart, check_record, name_columns, pyplot, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..columns.matching import Matching
    from ..comparison.medoid import Medoid


@chart
def plot_matching(matching: Matching, *, ax: Axes | None = None) -> Axes:
    """Draw a matched table as a heat map with the counts; pairs are framed.

    Parameters
    ----------
    matching : Matching
        What `softclust.match_clusters` returned.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        Row i of the matched table is drawn at y = i, column j at x = j. Colour is the score: blue
        where a cell holds more than independence lets expect, red where it holds less.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.match_table([[1, 5], [4, 0]]).plot()
    >>> [text.get_text() for text in ax.texts]
    ['5', '1', '0', '4']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("matching", matching, "Matching", "match_clusters(x, y)")
    from matplotlib.patches import Rectangle
    plt = pyplot()
    frame = matching.to_frame()
    table = matching.matched_table
    r, s = table.shape
    if ax is None:
        _, ax = plt.subplots(figsize=(0.75 * s + 3.0, 0.55 * r + 1.8), layout="constrained")
    score = matching.score[np.ix_(matching.row_order, matching.column_order)]
    limit = float(np.abs(score).max()) or 1.0
    drawn = ax.imshow(score, cmap="RdBu", vmin=-limit, vmax=limit, aspect="auto")
    whole = table.dtype == np.int64
    for i in range(r):
        for j in range(s):
            ax.text(j, i, f"{table[i, j]:d}" if whole else f"{table[i, j]:.3g}", ha="center",
                    va="center", fontsize=8.5,
                    bbox={"facecolor": "white", "alpha": 0.8, "lw": 0, "boxstyle": "round,pad=0.2"})
    for i in range(len(matching.pairs)):
        ax.add_patch(Rectangle((i - 0.47, i - 0.45), 0.94, 0.9, fill=False, lw=2.0,
                               edgecolor="black"))
    name_columns(ax, range(s), [written(name, 28) for name in frame.columns], most=9)
    ax.set_yticks(range(r), [written(name, 28) for name in frame.index], fontsize=8.5)
    ax.tick_params(length=0)
    ax.set_xlabel("cluster of y", fontsize=9)
    ax.set_ylabel("cluster of x", fontsize=9)
    for spine in ax.spines.values():
        spine.set_visible(False)
    bar = ax.figure.colorbar(drawn, ax=ax, shrink=0.9, pad=0.03)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8)
    bar.set_label("score: more (+) or less (-)\nthan expected", fontsize=8, color=TEXT)
    rule = matching.method.replace("_", " ")
    ax.set_title(f"Matched by {rule}; {100 * matching.diagonal:.1f} % on the pairs", loc="left",
                 fontsize=10.5)
    return ax


@chart
def plot_medoid(found: Medoid, *, ax: Axes | None = None) -> Axes:
    """Draw how far each member of an ensemble is from all others.

    Parameters
    ----------
    found : Medoid
        What `softclust.medoid` returned.

    Returns
    -------
    matplotlib.axes.Axes
        Member b at x = b; the medoid is filled.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.medoid([[0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 0, 1]],
    ...                       measure="rand_index").plot()
    >>> ax.get_xlabel()
    'member'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("found", found, "Medoid", "medoid(ensemble)")
    if ax is None:
        _, ax = pyplot().subplots(figsize=(5.6, 3.0), layout="constrained")
    colour = PALETTE[0]
    ax.plot(np.arange(found.totals.size), found.totals, ls="", marker="o", ms=5, mfc="white",
            mec=colour)
    ax.plot([found.index], [found.total], ls="", marker="o", ms=8, color=colour)
    ax.set_title(f"medoid: {written(found.name)}", loc="left", fontsize=10.5)
    ax.set_xlabel("member", fontsize=8.5)
    ax.set_ylabel(f"sum of dissimilarities\n({found.measure})", fontsize=8.5)
    ax.tick_params(labelsize=8.5)
    ax.margins(y=0.15)
    ax.locator_params(axis="x", integer=True)
    return ax


def _numbers(name: str, given: Any) -> np.ndarray:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ClusteringError(f"{name} cannot be read as numbers; a matrix is needed") from None


@chart
def plot_consensus(membership: Any, labels: Any, *, title: str, ax: Axes | None = None) -> Axes:
    """Draw the memberships of all objects as stacked bars, sorted by cluster and certainty.

    Parameters
    ----------
    membership : array-like, shape (n, c)
        Rows that sum to 1; rows with nan are left out.
    labels : array-like of int, shape (n,)
        Cluster of each object: objects are grouped by it.
    title : str

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from softclust.plotting import plot_consensus
    >>> ax = plot_consensus([[1.0, 0.0], [0.4, 0.6]], [0, 1], title="two objects")
    >>> ax.get_xlabel()
    'objects, grouped by cluster, most certain first'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    plt = pyplot()
    shares, groups = _numbers("membership", membership), np.asarray(labels)
    if shares.ndim != 2 or not shares.size:
        raise ClusteringError(f"membership has shape {shares.shape}; (objects, clusters) is needed")
    if groups.shape != shares.shape[:1] or groups.dtype.kind not in "iu" or not (
            (groups >= 0) & (groups < shares.shape[1])).all():
        raise ClusteringError(f"labels has shape {groups.shape} and type {groups.dtype}; a whole "
                              f"number from 0 to {shares.shape[1] - 1} for each of "
                              f"{shares.shape[0]} objects is needed")
    known = np.isfinite(shares).all(axis=1)
    shares, groups = shares[known], groups[known]
    own = shares[np.arange(len(groups)), groups]
    order = np.lexsort((-own, groups))
    shares, groups = shares[order], groups[order]
    n, c = shares.shape
    if ax is None:
        _, ax = plt.subplots(figsize=(6.5, 2.8), layout="constrained")
    edges = np.arange(n + 1)
    below = np.zeros(n)
    hatches = ("", "///", "...", "\\\\\\", "xxx", "++", "ooo", "---")   # one more than colours
    for k in range(c):
        above = below + shares[:, k]
        ax.stairs(above, edges, baseline=below, fill=True, color=PALETTE[k % len(PALETTE)],
                  hatch=hatches[k % len(hatches)], edgecolor="white", linewidth=0.0,
                  label=f"cluster {k}")
        below = above
    for start in np.flatnonzero(np.diff(groups)) + 1:
        ax.axvline(float(start), color="black", lw=1.2)
    ax.set_xlim(0, n)
    ax.set_ylim(0, 1)
    ax.set_xlabel("objects, grouped by cluster, most certain first", fontsize=9)
    ax.set_ylabel("membership", fontsize=9)
    ax.tick_params(labelsize=8)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8)
    ax.set_title(written(title, 200), loc="left", fontsize=10.5)
    return ax
