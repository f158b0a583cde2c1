"""Memberships as points of a simplex: strip, triangle, or polygon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError, shown
from ..clusterings import as_clustering
from .figures import MARKERS, PALETTE, TEXT, chart, pyplot, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@chart
def plot_simplex(clustering: Any, *, labels: Any = None, clusters: Sequence[int] | None = None,
                 sizes: Any = None, ax: Axes | None = None) -> Axes:
    """Draw memberships by where they lie between the clusters.

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
        is a projection (different memberships can fall together).

    Raises
    ------
    ClusteringError
        If the clustering is of another kind or has one cluster.
    ValueError
        If `clusters`, `labels` or `sizes` do not fit.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.plotting.plot_simplex([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.0, 0.1, 0.9]])
    >>> ax.get_title(loc="left")
    '3 objects, 3 clusters'
    >>> import matplotlib.pyplot as plt
    >>> plt.close("all")
    """
    x = as_clustering(clustering)
    if not x.has_memberships:
        raise ClusteringError(f"the clustering is {x.kind}; a fuzzy one is needed: .to_fuzzy() "
                              "makes one by a named rule")
    u = x.memberships()
    names = [written(v, 20) for v in (x.cluster_names or range(x.n_clusters))]
    n = u.shape[0]
    label = u.argmax(axis=1) if labels is None else _per_object("labels", labels, n).astype(int)
    area = np.full(n, 26.0) if sizes is None else _areas(_per_object("sizes", sizes, n))
    title = f"{n} objects, {x.n_clusters} clusters"
    if clusters is not None:
        chosen = _chosen(clusters, x.n_clusters)
        total = u[:, chosen].sum(axis=1)
        kept = total > 0
        u, label, area = u[kept][:, chosen] / total[kept, None], label[kept], area[kept]
        title = (f"clusters {', '.join(names[k] for k in chosen)}, renormalised"
                 + (f"; {n - int(kept.sum())} objects not in them" if not kept.all() else ""))
        names = [names[k] for k in chosen]
    c = u.shape[1]
    if c < 2:
        raise ClusteringError("one cluster has no simplex; at least 2 clusters are needed")
    if ax is None:
        ax = pyplot().subplots(figsize=(5, 2.4) if c == 2 else (4.8, 4.6),
                               layout="constrained")[1]
    if c == 2:
        _draw_strip(ax, u, label, area, names)
    else:
        _draw_polygon(ax, u, label, area, names)
        if c > 3:
            title += " (projection)"
    ax.set_title(title, loc="left", fontsize=10.5)
    return ax


def _per_object(name: str, values: Any, n: int) -> np.ndarray:
    array = np.asarray(values)
    if array.shape != (n,):
        raise ValueError(f"{name} has shape {array.shape}; one for each of {n} objects is needed")
    return array


def _areas(sizes: np.ndarray) -> np.ndarray:
    values = sizes.astype(float)
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise ValueError("sizes must be finite and not negative")
    return np.asarray(4.0 + 50.0 * values / max(float(values.max()), 1e-300))


def _chosen(clusters: Sequence[int], c: int) -> list[int]:
    chosen = [int(k) for k in clusters]
    if len(chosen) not in (2, 3) or len(set(chosen)) < len(chosen) or not all(
            0 <= k < c for k in chosen):
        raise ValueError(f"clusters is {shown(clusters)}; two or three different ones of 0, ..., "
                         f"{c - 1} are needed")
    return chosen


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
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


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
            ax.plot(*np.column_stack([middle, half]), color="#C8C8C8", lw=0.9, ls="--", zorder=1)
    places = u @ corners
    _scatter(ax, places[:, 0], places[:, 1], label, area)
    for (px, py), name in zip(corners * 1.1, names):
        ax.text(px, py, name, ha="center", va="center", fontsize=10)
    ax.set_aspect("equal")
    ax.set_xlim(-1.25, 1.25)
    ax.set_ylim(-1.25 if c > 3 else -0.75, 1.25)
    ax.set_axis_off()


def _scatter(ax: Axes, x: np.ndarray, y: np.ndarray, label: np.ndarray, area: np.ndarray) -> None:
    for j, value in enumerate(np.unique(label)):
        own = label == value
        ax.scatter(x[own], y[own], s=area[own], color=PALETTE[j % len(PALETTE)],
                   marker=MARKERS[j % len(MARKERS)], alpha=0.75, edgecolor="white", lw=0.4,
                   zorder=3)
