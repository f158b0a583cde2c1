"""Charts of what objects are divided into: clusters, members, aligned sides, cores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .figures import PALETTE, RAIL, TEXT, chart, check_record, pyplot, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..clusterings import Aligned, Ensemble
    from ..clusterings.tabulation import Tabulation
    from ..ensembles.posterior import PartitionCore, PartitionRepresentatives

#: rows that can still be read
MOST_ROWS = 40
#: clusters of a row that are told apart; the others are one part
MOST_PARTS = 12


@chart
def plot_sizes(clustering: Any, *, ax: Axes | None = None) -> Axes:
    """Draw how many objects each cluster has: belief dark, what is left open light.

    Parameters
    ----------
    clustering : clustering-like
        Of any number of objects.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        Cluster k at y = k; at most 40 clusters, the largest ones.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.plotting.plot_sizes(["a", "a", "b"])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    from ..clusterings import as_clustering
    partition: Any = as_clustering(clustering, name="clustering")
    sure: Any
    possible: Any
    if partition.kind == "hard":
        sure = possible = np.bincount(partition.labels, minlength=partition.n_clusters)
    elif partition.kind == "cover":
        sure = possible = partition.sizes
    else:
        sure, possible = partition.belief().sum(axis=0), partition.plausibility().sum(axis=0)
    names = partition.cluster_names or tuple(range(partition.n_clusters))
    shown = np.sort(np.argsort(-possible, kind="stable")[:MOST_ROWS])
    ax = _rows(ax, len(shown))
    for row, k in enumerate(shown):
        colour = PALETTE[row % len(PALETTE)]
        ax.barh(row, possible[k], height=0.7, color=colour, alpha=0.3, lw=0, gid="plausibility")
        ax.barh(row, sure[k], height=0.7, color=colour, lw=0, gid="belief")
    _finish(ax, [written(names[k]) for k in shown], "objects",
            f"{partition.kind}, {partition.n_objects:,} objects")
    return ax


@chart
def plot_members(ensemble: Ensemble, *, ax: Axes | None = None) -> Axes:
    """Draw how each member of an ensemble divides the objects: a bar in parts for each.

    Parts are clusters from the largest to the smallest. Objects without a label in a run are the
    hatched part at the end.

    Parameters
    ----------
    ensemble : Ensemble
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        Member b at y = b, shares of the objects on x; at most 40 members, the first ones.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.Ensemble([[0, 0, 1], [0, 1, 2]], names=["first", "second"]).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['first', 'second']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("ensemble", ensemble, "Ensemble", "Ensemble(clusterings)")
    count = min(len(ensemble), MOST_ROWS)
    ax = _rows(ax, count)
    for row in range(count):
        _member(ax, row, ensemble[row], ensemble.n_objects)
    left_out = len(ensemble) - count
    _finish(ax, [written(name) for name in ensemble.names[:count]], "share of the objects",
            f"{len(ensemble)} clusterings of {ensemble.n_objects:,} objects"
            + (f", the first {count}" if left_out else ""))
    ax.set_xlim(0, 1)
    return ax


@chart
def plot_tabulation(tabulation: Tabulation, *, ax: Axes | None = None) -> Axes:
    """Draw how often each distinct clustering occurs, the most frequent ones on top.

    Parameters
    ----------
    tabulation : Tabulation
        What `Ensemble.tabulate` returned.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        At most 40 distinct clusterings.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.Ensemble([[0, 0, 1], [1, 1, 0], [0, 1, 1]]).tabulate().plot()
    >>> [int(bar.get_width()) for bar in ax.patches]
    [2, 1]
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("tabulation", tabulation, "Tabulation", "Ensemble.tabulate()")
    order = np.argsort(-tabulation.counts, kind="stable")[:MOST_ROWS]
    ax = _rows(ax, len(order))
    distinct = tabulation.clusterings
    ax.barh(range(len(order)), tabulation.counts[order], height=0.7, color=PALETTE[0])
    _finish(ax, [f"{written(distinct.names[i])} ({distinct.n_clusters[i]} clusters)"
                 for i in order], "members that are equal",
            f"{len(tabulation.counts)} distinct among {int(tabulation.counts.sum())} clusterings")
    locator: Any = ax.xaxis.get_major_locator()
    locator.set_params(integer=True)
    return ax


@chart
def plot_alignment(aligned: Aligned, *, ax: Axes | None = None) -> Axes:
    """Draw what became of the objects of each side: compared, noise, missing, absent.

    Parameters
    ----------
    aligned : Aligned
        What `align` returned.

    Returns
    -------
    matplotlib.axes.Axes
        Side s at y = s; a line at the number of objects compared.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.align([0, 0, 1, None], [0, 1, 1, -1], missing="drop").plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['x', 'y']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("aligned", aligned, "Aligned", "align(x, y)")
    sides = len(aligned.names)
    ax = _rows(ax, sides, legend=True)
    absent = np.array(aligned.n_absent)
    noise, missing = np.array(aligned.n_noise), np.array(aligned.n_missing)
    if aligned.objects == "all":   # absent objects are among the missing ones there
        missing = missing - absent
    labelled = np.maximum(np.array(aligned.n_given) - noise - missing, 0)
    left = np.zeros(sides)
    parts = (("labelled", labelled, PALETTE[0], ""), ("noise", noise, PALETTE[3], "//"),
             ("missing label", missing, PALETTE[5], ".."), ("absent", absent, RAIL, "xx"))
    for name, widths, colour, hatch in parts:
        if widths.any():
            ax.barh(range(sides), widths, left=left, height=0.6, color=colour, hatch=hatch,
                    edgecolor="white", lw=0.5, label=name)
        left = left + widths
    ax.axvline(aligned.n_objects, color="black", lw=1.2, ls="--",
               label=f"{aligned.n_objects:,} compared")
    _finish(ax, [written(name) for name in aligned.names], "objects", "")
    ax.legend(frameon=False, fontsize=8, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=5,
              columnspacing=1.2, handlelength=1.4)
    return ax


@chart
def plot_core(core: PartitionCore, *, ax: Axes | None = None) -> Axes:
    """Draw the clusters of a partition core, and how many objects are left out of it.

    Parameters
    ----------
    core : PartitionCore
        What `softclust.partition_core` returned.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        Cluster k at y = k, at most the first 40; below them what is in no cluster of the core.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.partition_core([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]],
    ...                               probability=1).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['cluster 0', 'cluster 1', 'left out']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("core", core, "PartitionCore", "partition_core(draws)")
    sizes = np.bincount(core.labels)
    shown = sizes[:MOST_ROWS]
    more = f", {len(shown)} of {len(sizes)} clusters shown" if len(shown) < len(sizes) else ""
    ax = _rows(ax, len(shown) + 1)
    ax.barh(range(len(shown)), shown, height=0.7, lw=0,
            color=[PALETTE[k % len(PALETTE)] for k in range(len(shown))])
    ax.barh(len(shown), core.n_objects - core.objects.size, height=0.7, color="white",
            edgecolor=RAIL, hatch="///", lw=0.8)
    _finish(ax, [*(f"cluster {k}" for k in range(len(shown))), "left out"], "objects",
            f"{core.objects.size:,} of {core.n_objects:,} objects are parted so in "
            f"{100 * core.probability:.3g} % of the draws{more}")
    return ax


@chart
def plot_representatives(found: PartitionRepresentatives, *, ax: Axes | None = None) -> Axes:
    """Draw how each representative of posterior draws divides the objects.

    Parts are clusters from the largest to the smallest.

    Parameters
    ----------
    found : PartitionRepresentatives
        What `softclust.partition_representatives` returned.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        Representative k at y = k, named by the share of the draws that it stands for; at most 40.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.partition_representatives([[0, 0, 1], [0, 0, 1], [0, 1, 1]], 2, rng=0).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['66.7 % of the draws', '33.3 % of the draws']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    from ..clusterings import HardClustering
    check_record("found", found, "PartitionRepresentatives", "partition_representatives(draws, k)")
    count, n = min(len(found.labels), MOST_ROWS), found.labels.shape[1]
    ax = _rows(ax, count)
    for row in range(count):
        _member(ax, row, HardClustering(found.labels[row]), n)
    _finish(ax, [f"{100 * weight:.3g} % of the draws" for weight in found.weights[:count]],
            "share of the objects", f"{len(found.labels)} partitions of {n:,} objects for "
                                    f"{found.assignment.size:,} draws")
    ax.set_xlim(0, 1)
    return ax


# -- parts ------------------------------------------------------------------------------------
def _member(ax: Axes, row: int, member: Any, n: int) -> None:
    """One bar of shares, from the largest cluster to the smallest."""
    if member.kind == "hard":
        sizes = np.bincount(member.labels, minlength=member.n_clusters).astype(float)
    elif member.kind == "cover":
        sizes = np.asarray(member.sizes, float)
    else:
        sizes = member.plausibility().sum(axis=0)
    # Members that leave something open are scaled to the objects they speak of.
    covered = member.n_objects / n
    shares = np.sort(sizes / (sizes.sum() or 1.0) * covered)[::-1]
    if len(shares) > MOST_PARTS:
        shares = np.append(shares[:MOST_PARTS], shares[MOST_PARTS:].sum())
    left = 0.0
    for k, share in enumerate(shares):
        ax.barh(row, share, left=left, height=0.7, color=PALETTE[k % len(PALETTE)],
                edgecolor="white", lw=0.8)
        left += share
    if covered < 1.0:
        ax.barh(row, 1.0 - covered, left=left, height=0.7, color="white", edgecolor=RAIL,
                hatch="///", lw=0.8, gid="absent")


def _rows(ax: Axes | None, count: int, *, legend: bool = False) -> Axes:
    """Axes with room for `count` rows."""
    if ax is not None:
        return ax
    height = 0.32 * count + (1.5 if legend else 1.0)
    made: Axes = pyplot().subplots(figsize=(6.0, height), layout="constrained")[1]
    return made


def _finish(ax: Axes, names: list[str], label: str, title: str) -> None:
    """Names of the rows from top to bottom, an axis that is named, no frame."""
    ax.set_yticks(range(len(names)), names, fontsize=8.5)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_xlabel(label, fontsize=8.5, color=TEXT)
    ax.tick_params(length=0, labelsize=8.5)
    ax.set_axisbelow(True)
    for spine in ("top", "right", "left"):
        ax.spines[spine].set_visible(False)
    if title:
        ax.set_title(title, loc="left", fontsize=10.5)
