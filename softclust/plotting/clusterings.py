"""Charts of clusterings themselves: memberships, sizes, and what an ensemble has in common."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError, check_choice, shown
from ..clusterings import as_clustering
from ..clusterings.incidence import transposed
from ..results.text import position
from ..tables.counting import cross_counts
from .figures import (
    PALETTE,
    RAIL,
    TEXT,
    chart,
    colour,
    marker,
    name_columns,
    name_rows,
    new_axes,
    written,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .._types import ArrayLike, ClusteringLike, Side
    from ..clusterings import Aligned, Ensemble
    from ..clusterings.tabulation import Tabulation
    from ..covers.element_centric import ElementCentric

#: rows that can still be read
MOST_ROWS = 40
#: clusters with a strip of their own; smaller ones share the last
_STRIPS = 20
#: share of the objects from which on the number of a cluster is written into its part
_NUMBERED = 0.04
#: membership from which on an object counts as lying in the corner of its cluster
_CORNER = 0.95


# -- one clustering ---------------------------------------------------------------------------
@chart()
def plot_clustering(clustering: ClusteringLike, *, ax: Axes | None = None) -> Axes:
    """Draw a clustering of few objects: a bar for every object and cluster.

    The dark part of a bar is the belief that the object belongs to the cluster, dark and light
    together are the plausibility. Hard: one full dark bar per row. Fuzzy: dark bars that sum to 1.
    Rough and possibilistic: light parts show ambiguity. More than 40 objects are drawn as
    the sizes of their clusters, by `plot_sizes`.

    Parameters
    ----------
    clustering : clustering-like
        Each object has a row, up to 40 objects.

    Returns
    -------
    matplotlib.axes.Axes
        Object i at y = i, cluster k from x = k to k + 1.

    Examples
    --------
    >>> import softclust
    >>> rough = softclust.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]],
    ...                                              object_names=["ann", "bob", "cid", "dee"])
    >>> ax = softclust.plotting.plot_clustering(rough)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['ann', 'bob', 'cid', 'dee']
    """
    partition: Any = as_clustering(clustering, name="clustering")
    n, c = partition.n_objects, partition.n_clusters
    if n > MOST_ROWS:
        return plot_sizes(partition, ax=ax)
    ax = new_axes(ax, 0.55 * c + 1.6, 0.26 * n + 1.0)
    if partition.kind == "cover":
        belief = plausibility = partition.membership.toarray().astype(float)
    else:
        belief, plausibility = partition.belief(), partition.plausibility()
    for k in range(c):
        ax.axvline(k, color=RAIL, lw=0.8, zorder=0)
        ax.barh(range(n), 0.94 * plausibility[:, k], left=k, height=0.72, color=colour(k),
                alpha=0.3, lw=0, gid="plausibility")
        ax.barh(range(n), 0.94 * belief[:, k], left=k, height=0.72, color=colour(k), lw=0,
                gid="belief")
    name_rows(ax, [written(name, 28) for name in partition.object_names or range(n)])
    name_columns(ax, [k + 0.5 for k in range(c)],
                 [written(name, 20) for name in partition.cluster_names], longest=6,
                 above=True)
    ax.tick_params(length=0)
    ax.set_xlim(0, c)
    ax.set_title(f"{partition.kind}{_PALE if (plausibility > belief).any() else ''}")
    return ax
#: what pale bars are, in a title
_PALE = "; pale: possible"


@chart()
def plot_sizes(clustering: ClusteringLike, *, ax: Axes | None = None) -> Axes:
    """Draw how many objects each cluster has: belief dark, ambiguity light.

    Parameters
    ----------
    clustering : clustering-like
        Of any number of objects.

    Returns
    -------
    matplotlib.axes.Axes
        Cluster k at y = k; at most 40 clusters, the largest ones.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> rough = softclust.cluster.RoughKMeans(3, ratio=1.5, random_state=0).fit(iris.data)
    >>> ax = softclust.plotting.plot_sizes(rough)
    >>> ax.get_title(loc="left")
    'rough, 150 objects; pale: possible'
    """
    partition: Any = as_clustering(clustering, name="clustering")
    sure: Any
    possible: Any
    if partition.kind == "hard":
        sure = possible = np.bincount(partition.labels, minlength=partition.n_clusters)
    elif partition.kind == "cover":
        sure = possible = partition.sizes
    else:
        sure, possible = partition.belief().sum(axis=0), partition.plausibility().sum(axis=0)
    names = partition.cluster_names
    shown_clusters = np.sort(np.argsort(-possible, kind="stable")[:MOST_ROWS])
    ax = new_rows(ax, len(shown_clusters))
    for row, k in enumerate(shown_clusters.tolist()):
        ax.barh(row, possible[k], height=0.7, color=colour(k), alpha=0.3, lw=0, gid="plausibility")
        ax.barh(row, sure[k], height=0.7, color=colour(k), lw=0, gid="belief")
    finish_rows(ax, [written(names[k]) for k in shown_clusters], "objects",
            f"{partition.kind}, {partition.n_objects:,} objects"
            f"{_PALE if (possible > sure).any() else ''}")
    return ax


@chart("Aligned", "align(x, y)")
def plot_alignment(aligned: Aligned, *, ax: Axes | None = None) -> Axes:
    """Draw how many objects of each side are labelled, noise, missing or absent.

    Parameters
    ----------
    aligned : Aligned
        Result of `align`.

    Returns
    -------
    matplotlib.axes.Axes
        Side s at y = s; the title says how many objects are compared.

    Examples
    --------
    >>> import softclust
    >>> ax = softclust.align([0, 0, 1, None, 2, 2], [0, -1, 1, 1, 1, 0], noise="drop",
    ...                      missing="drop").plot()
    >>> ax.get_title(loc="left")
    '4 objects compared'
    """
    sides = len(aligned.names)
    ax = new_rows(ax, sides, legend=True)
    absent = np.array(aligned.n_absent)
    noise, missing = np.array(aligned.n_noise), np.array(aligned.n_missing)
    if aligned.objects == "all":   # absent objects are among the missing ones there
        missing = missing - absent
    labelled = np.maximum(np.array(aligned.n_given) - noise - missing, 0)
    left = np.zeros(sides)
    for name, widths, face, hatch in (
            ("labelled", labelled, PALETTE[0], ""), ("noise", noise, PALETTE[3], "//"),
            ("missing label", missing, PALETTE[5], ".."), ("absent", absent, RAIL, "xx")):
        if widths.any():
            ax.barh(range(sides), widths, left=left, height=0.6, color=face, hatch=hatch,
                    edgecolor="white", lw=0.5, label=name)
        left = left + widths
    finish_rows(ax, [written(name) for name in aligned.names], "objects",
            f"{aligned.n_objects:,} objects compared")
    ax.locator_params(axis="x", integer=True)
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), handlelength=1.4)
    return ax


# -- an ensemble: each row a clustering, each object at one place ---------------------------------
@chart("Ensemble", "Ensemble(clusterings)")
def plot_members(ensemble: Ensemble, *, ax: Axes | None = None) -> Axes:
    """Draw where each object is in each member of an ensemble.

    Objects stand from left to right in the order of the first member's clusters, so that equal
    partitions look the same. Clusters have the colour of the cluster of the first member that they
    match, and its number where there is room. A soft member is drawn by its most plausible
    clusters; white objects have no label.

    Parameters
    ----------
    ensemble : Ensemble

    Returns
    -------
    matplotlib.axes.Axes
        Member b at y = b; at most 40 members, the first ones.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import AgglomerativeClustering, KMeans
    >>> iris = softclust.datasets.load_iris()
    >>> linkages = ("ward", "average", "single")
    >>> runs = {name: AgglomerativeClustering(3, linkage=name).fit(iris.data) for name in linkages}
    >>> ax = softclust.Ensemble({"species": iris.labels} | runs).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['species', 'ward', 'average', 'single']
    """
    count = min(len(ensemble), MOST_ROWS)
    if ensemble.is_complete:
        # The most plausible cluster of each object, the first one of a cover.
        members: list[Any] = [ensemble[b] for b in range(count)]
        labels = np.array([
            (member.membership.toarray() if member.kind == "cover" else member.plausibility()
             ).argmax(axis=1) for member in members])
    else:
        labels = ensemble.labels[:count]
    return stripes(ax, labels, [written(name) for name in ensemble.names[:count]],
                    f"{len(ensemble)} clusterings of {ensemble.n_objects:,} objects"
                    + (f", the first {count}" if len(ensemble) > count else ""))


@chart("Tabulation", "Ensemble.tabulate()")
def plot_tabulation(tabulation: Tabulation, *, ax: Axes | None = None) -> Axes:
    """Draw how often each distinct clustering occurs, the most frequent ones on top.

    Parameters
    ----------
    tabulation : Tabulation
        Result of `Ensemble.tabulate`.

    Returns
    -------
    matplotlib.axes.Axes
        At most 40 distinct clusterings.

    Examples
    --------
    >>> import softclust
    >>> ax = softclust.Ensemble([[0, 0, 1], [1, 1, 0], [0, 1, 1]]).tabulate().plot()
    >>> [int(bar.get_width()) for bar in ax.patches]
    [2, 1]
    """
    order = np.argsort(-tabulation.counts, kind="stable")[:MOST_ROWS]
    ax = new_rows(ax, len(order))
    distinct = tabulation.clusterings
    ax.barh(range(len(order)), tabulation.counts[order], height=0.7, color=PALETTE[0])
    finish_rows(ax, [f"{written(distinct.names[i])} ({distinct.n_clusters[i]} clusters)"
                 for i in order], "equal members",
            f"{len(tabulation.counts)} distinct among {int(tabulation.counts.sum())} clusterings")
    ax.locator_params(axis="x", integer=True)
    return ax


def stripes(ax: Axes | None, labels: np.ndarray, names: Sequence[str], title: str) -> Axes:
    """Labels (rows, objects) as coloured stripes, matched to the clusters of the first row."""
    from matplotlib.colors import to_rgb
    count, n = labels.shape
    ax = new_rows(ax, count)
    matched = np.array([_matched(labels[0], row) for row in labels])
    matched = matched[:, np.lexsort(matched[::-1])]
    palette = np.array([(1.0, 1.0, 1.0), *map(to_rgb, PALETTE)])
    ax.imshow(palette[np.where(matched < 0, 0, matched % len(PALETTE) + 1)], aspect="auto",
              interpolation="nearest", extent=(0, n, count - 0.5, -0.5))
    for row in range(count):
        ax.axhline(row + 0.5, color="white", lw=4)
        edges = np.flatnonzero(np.diff(matched[row], prepend=-2, append=-2))
        for start, end in pairwise(edges):
            if end - start >= _NUMBERED * n and matched[row, start] >= 0:
                ax.text((start + end) / 2, row, str(position(matched[row, start])), color="white",
                        ha="center", va="center", fontsize="small", fontweight="bold")
    finish_rows(ax, names, "objects, in the order of the first row", title)
    ax.set_xlim(0, n)
    return ax


def _matched(reference: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Labels renamed to the clusters of `reference` that they match, others to further numbers."""
    from scipy.optimize import linear_sum_assignment
    table = cross_counts(reference, labels, int(reference.max()) + 1, int(labels.max()) + 1)
    rows, columns = linear_sum_assignment(table, maximize=True)
    names = np.full(table.shape[1] + 1, -1)   # the last one is that of missing labels
    names[columns] = rows
    others = np.setdiff1d(np.arange(table.shape[1]), columns)
    names[others] = table.shape[0] + np.arange(others.size)
    return np.asarray(names[labels])


def new_rows(ax: Axes | None, count: int, *, legend: bool = False) -> Axes:
    """Axes with room for `count` rows."""
    return new_axes(ax, 7.2 if legend else 6.0, 0.32 * count + 1.0)


def finish_rows(ax: Axes, names: Sequence[str], label: str, title: str) -> None:
    """Names of the rows from top to bottom, an axis that is named, no frame."""
    name_rows(ax, names, frame=True)
    ax.set_xlabel(label, color=TEXT)
    ax.set_title(title)


# -- memberships ------------------------------------------------------------------------------
@chart()
def plot_simplex(clustering: ClusteringLike, *, labels: ArrayLike | None = None,
                 clusters: Collection[int] | None = None, sizes: ArrayLike | None = None,
                 ax: Axes | None = None) -> Axes:
    """Draw each object at the place between the clusters that its memberships give.

    Parameters
    ----------
    clustering : clustering-like
        Fuzzy or hard, with c >= 2 clusters.
    labels : array-like of int, shape (n,), optional
        Colour and shape of each object; by default its largest membership.
    clusters : sequence of int, optional
        Three or two clusters to show; memberships are divided by their sum there, and objects
        without membership in them are left out (their number is in the title).
    sizes : array-like, shape (n,), optional
        Numbers shown as areas, such as votes of an object.

    Returns
    -------
    matplotlib.axes.Axes
        Two clusters: a strip with a histogram. Three: the triangle. More: a regular polygon, which
        is a projection (different memberships can fall together). A corner names its cluster and
        says how many objects have a membership of .95 or more in it, since they hide each other.

    Raises
    ------
    ClusteringError
        If the clustering is of another kind or has one cluster.
    ValueError
        If `clusters`, `labels` or `sizes` do not fit.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> fuzzy = softclust.cluster.FuzzyCMeans(3, random_state=0).fit(iris.data)
    >>> ax = softclust.plotting.plot_simplex(fuzzy, labels=iris.labels)
    >>> ax.get_title(loc="left")
    '150 objects, 3 clusters'
    """
    x = as_clustering(clustering)
    if not x.has_memberships:
        raise ClusteringError(f"the clustering is {x.kind}; a fuzzy one is needed: .to_fuzzy() "
                              "makes one by a named rule")
    u = x.memberships()
    names = [written(v, 20) for v in x.cluster_names]
    n = u.shape[0]
    label = u.argmax(axis=1) if labels is None else _per_object("labels", labels, n).astype(int)
    area = np.full(n, 26.0)
    if sizes is not None:
        given = _per_object("sizes", sizes, n).astype(float)
        if not (np.isfinite(given).all() and (given >= 0).all()):
            raise ValueError("sizes must be finite and not negative")
        area = 4.0 + 50.0 * given / max(float(given.max()), 1e-300)
    title = f"{n} objects, {x.n_clusters} clusters"
    if clusters is not None:
        chosen = [int(k) for k in clusters]
        if len(chosen) not in (2, 3) or len(set(chosen)) < len(chosen) or not all(
                0 <= k < x.n_clusters for k in chosen):
            raise ValueError(f"clusters is {shown(clusters)}; two or three different ones of "
                             f"0, ..., {x.n_clusters - 1} are needed")
        total = u[:, chosen].sum(axis=1)
        inside = total > 0
        u, label, area = u[inside][:, chosen] / total[inside, None], label[inside], area[inside]
        title = (f"clusters {', '.join(names[k] for k in chosen)}, renormalised"
                 + (f"; {n - int(inside.sum())} objects not in them" if not inside.all() else ""))
        names = [names[k] for k in chosen]
    c = u.shape[1]
    if c < 2:
        raise ClusteringError("one cluster has no simplex; at least 2 clusters are needed")
    ax = new_axes(ax, *((5, 2.4) if c == 2 else (4.8, 4.6)))
    if c == 2:
        _draw_strip(ax, u, label, area, names)
    else:
        _draw_polygon(ax, u, label, area, names)
        if c > 3:
            title += " (projection)"
    ax.set_title(title)
    return ax


def _per_object(name: str, values: Any, n: int) -> np.ndarray:
    array = np.asarray(values)
    if array.shape != (n,):
        raise ValueError(f"{name} has shape {array.shape}; one for each of {n} objects is needed")
    return array


def _draw_strip(ax: Axes, u: np.ndarray, label: np.ndarray, area: np.ndarray, names: list[str]
                ) -> None:
    """Membership in the second cluster along the axis, a histogram above."""
    counts, edges = np.histogram(u[:, 1], bins=20, range=(0.0, 1.0))
    ax.bar(edges[:-1], counts, width=np.diff(edges), align="edge", color="#D9D9D9",
           edgecolor="white", zorder=1)
    top = max(1, int(counts.max()))
    # Objects in order below the axis, so that none is hidden.
    place = -top * (0.12 + 0.28 * np.linspace(0, 1, u.shape[0]))
    _scatter(ax, u[:, 1], place, label, area)
    ax.set_ylim(-0.5 * top, 1.08 * top)
    ax.set_xlim(-0.02, 1.02)
    ax.set_yticks([0, top])
    ax.set_ylabel("objects")
    ax.set_xlabel(f"membership in cluster {names[1]} (the rest in {names[0]})")


def _draw_polygon(ax: Axes, u: np.ndarray, label: np.ndarray, area: np.ndarray,
                  names: list[str]) -> None:
    c = u.shape[1]
    angles = np.pi / 2 + 2 * np.pi * np.arange(c) / c
    corners = np.column_stack([np.cos(angles), np.sin(angles)])
    closed = np.vstack([corners, corners[:1]])
    ax.plot(closed[:, 0], closed[:, 1], color=TEXT, lw=1.2, zorder=1)
    if c == 3:
        middle = corners.mean(axis=0)
        for a, b in ((0, 1), (1, 2), (2, 0)):
            half = (corners[a] + corners[b]) / 2
            ax.plot(*np.column_stack([middle, half]), color=RAIL, lw=0.9, ls="--", zorder=1)
    places = u @ corners
    _scatter(ax, places[:, 0], places[:, 1], label, area)
    for (px, py), name, near in zip(corners * 1.12, names, (u >= _CORNER).sum(axis=0)):
        ax.text(px, py, f"{name}\n({near} here)" if near else name, ha="center", va="center",
                fontsize="small")
    ax.set_aspect("equal")
    ax.set_xlim(-1.25, 1.25)
    ax.set_ylim(-1.25 if c > 3 else -0.75, 1.25)
    ax.set_axis_off()


def _scatter(ax: Axes, x: np.ndarray, y: np.ndarray, label: np.ndarray, area: np.ndarray) -> None:
    for value in np.unique(label):
        rows = label == value
        ax.scatter(x[rows], y[rows], s=area[rows], color=colour(value), marker=marker(value),
                   alpha=0.75, edgecolor="white", lw=0.4, zorder=3)


@chart()
def plot_consensus(membership: ArrayLike, labels: ArrayLike, *, title: str, ax: Axes | None = None
                   ) -> Axes:
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
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> fuzzy = softclust.cluster.FuzzyCMeans(3, random_state=0).fit(iris.data)
    >>> ax = softclust.plotting.plot_consensus(fuzzy.membership_, fuzzy.labels_,
    ...                                        title="iris flowers")
    >>> ax.get_xlabel()
    'objects, grouped by cluster, most certain first'
    """
    try:
        shares = np.asarray(membership, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ClusteringError("membership cannot be read as numbers; a matrix is needed"
                              ) from None
    groups = np.asarray(labels)
    if shares.ndim != 2 or not shares.size:
        raise ClusteringError(f"membership has shape {shares.shape}; (objects, clusters) is needed")
    if groups.shape != shares.shape[:1] or groups.dtype.kind not in "iu" or not (
            (groups >= 0) & (groups < shares.shape[1])).all():
        raise ClusteringError(f"labels has shape {groups.shape} and type {groups.dtype}; a whole "
                              f"number from 0 to {shares.shape[1] - 1} for each of "
                              f"{shares.shape[0]} objects is needed")
    known = np.isfinite(shares).all(axis=1)
    shares, groups = shares[known], groups[known]
    order = np.lexsort((-shares[np.arange(len(groups)), groups], groups))
    shares, groups = shares[order], groups[order]
    n, c = shares.shape
    ax = new_axes(ax, 6.5, 2.8)
    below = np.zeros(n)
    hatches = ("", "///", "...", "\\\\\\", "xxx", "++", "ooo", "---")   # one more than colours
    for k in range(c):
        above = below + shares[:, k]
        ax.fill_between(np.arange(n + 1), np.append(below, below[-1:]),
                        np.append(above, above[-1:]), step="post", facecolor=colour(k),
                        hatch=hatches[k % len(hatches)], edgecolor="white", linewidth=0.0,
                        label=f"cluster {position(k)}")
        below = above
    for start in np.flatnonzero(np.diff(groups)) + 1:
        ax.axvline(float(start), color="black", lw=1.2)
    ax.set_xlim(0, n)
    ax.set_ylim(0, 1)
    ax.set_xlabel("objects, grouped by cluster, most certain first")
    ax.set_ylabel("membership")
    ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    ax.set_title(written(title, 200))
    return ax


@chart("ElementCentric", "element_centric(x, y)")
def plot_element_centric(record: ElementCentric, *, side: Side = "x", ax: Axes | None = None
                         ) -> Axes:
    """Draw how alike two clusterings are around each object, sorted within clusters.

    Parameters
    ----------
    record : ElementCentric
        Result of `element_centric` or `dendrogram_element_centric`.
    side : {"x", "y"}
        Whose clusters. An object stands in each of its clusters of a cover, and in the cluster
        of its largest membership.

    Returns
    -------
    matplotlib.axes.Axes
        The dashed line is the mean of all objects, a short line that of a cluster. Of more than
        20 clusters the smallest ones share a strip. Dendrograms have one strip.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> iris = softclust.datasets.load_iris()
    >>> kmeans = KMeans(3, n_init=10, random_state=0).fit(iris.data)
    >>> ax = softclust.plotting.plot_element_centric(softclust.element_centric(iris.labels, kmeans))
    >>> ax.get_ylabel()
    'similarity around each object'
    """
    check_choice("side", side, ("x", "y"))
    ax = new_axes(ax, 6.8, 3.4)
    strips: list[tuple[object, np.ndarray]] = [("", np.arange(record.values.size))]
    if record.clusterings is not None:
        # The clusters by name, the smallest ones in one strip, objects in none in another.
        of = record.clusterings[side == "y"]
        starts, columns = of.by_object or (np.arange(of.n_objects + 1),
                                           of.memberships().argmax(axis=1))
        ends, rows = transposed(starts, columns, of.n_clusters)
        strips = [(name, members)
                  for name, members in zip(of.cluster_names, np.split(rows, ends[1:-1]))
                  if members.size]
        if len(strips) > _STRIPS:
            sizes = np.array([members.size for _, members in strips])
            large = set(np.argsort(-sizes, kind="stable")[:_STRIPS - 1].tolist())
            small = [members for k, (_, members) in enumerate(strips) if k not in large]
            strips = [strip for k, strip in enumerate(strips) if k in large]
            strips.append((f"{of.n_clusters - len(strips)} smaller",
                           np.unique(np.concatenate(small))))
        alone = np.flatnonzero(np.diff(starts) == 0)
        if alone.size:
            strips.append(("in none", alone))

    gap = max(1.0, 0.04 * sum(members.size for _, members in strips))
    start, ticks = 0.0, []
    for k, (_, members) in enumerate(strips):
        values = np.sort(record.values[members])
        places = start + np.arange(values.size)
        ax.plot(places, values, color=colour(k), ls="", marker=marker(k),
                ms=3.5 if values.size <= 300 else 1.5)
        ax.plot([places[0] - gap / 4, places[-1] + gap / 4], [values.mean()] * 2, color=TEXT,
                lw=1.5)
        ticks.append(float(places.mean()))
        start += values.size + gap
    ax.axhline(record.index, color=TEXT, ls="--", lw=1)
    ax.annotate(f"mean {record.index:.3f}", (1.0, record.index), xytext=(3, 0), color=TEXT,
                xycoords=("axes fraction", "data"), textcoords="offset points", va="center",
                fontsize="small", annotation_clip=False)
    ax.set_ylim(0.0, 1.05)
    ax.set_ylabel("similarity around each object")
    if record.clusterings is None:
        ax.set_xlabel("objects, the least alike first")
    else:
        name_columns(ax, ticks, [written(name, 12) for name, _ in strips],
                     longest=72 // len(strips))
        ax.set_xlabel(f"clusters of {side}, in each the least alike object first")
    return ax
