"""Strips of element-centric similarity: one mark per object, sorted within clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..clusterings.incidence import transposed
from .figures import MARKERS, PALETTE, TEXT, chart, check_record, pyplot, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..clusterings import Clustering
    from ..covers.element_centric import ElementCentric

#: clusters with a strip of their own; smaller ones share the last
_STRIPS = 20


@chart
def plot_element_centric(record: ElementCentric, *, side: str = "x", ax: Axes | None = None
                         ) -> Axes:
    """Draw how alike two clusterings are around each object, sorted within clusters.

    Parameters
    ----------
    record : ElementCentric
        As `element_centric` or `dendrogram_element_centric` returns it.
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
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.plotting.plot_element_centric(softclust.element_centric([0, 0, 1, 1],
    ...                                                                        [0, 0, 1, 2]))
    >>> ax.get_ylabel()
    'similarity around each object'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("record", record, "ElementCentric", "softclust.element_centric")
    if ax is None:
        _, ax = pyplot().subplots(figsize=(6.8, 3.4), layout="constrained")
    strips: list[tuple[object, np.ndarray]] = [("", np.arange(record.values.size))]
    if record.clusterings is not None:
        strips = _strips(record.clusterings[side == "y"])
    gap = max(1.0, 0.04 * sum(members.size for _, members in strips))
    start, ticks = 0.0, []
    for k, (_, members) in enumerate(strips):
        values = np.sort(record.values[members])
        places = start + np.arange(values.size)
        ax.plot(places, values, color=PALETTE[k % len(PALETTE)], ls="",
                marker=MARKERS[k % len(MARKERS)], ms=3.5 if values.size <= 300 else 1.5)
        ax.plot([places[0] - gap / 4, places[-1] + gap / 4], [values.mean()] * 2, color=TEXT,
                lw=1.5)
        ticks.append(float(places.mean()))
        start += values.size + gap
    ax.axhline(record.index, color=TEXT, ls="--", lw=1)
    ax.annotate(f"mean {record.index:.3f}", (1.0, record.index), fontsize=8, color=TEXT, ha="right",
                xycoords=("axes fraction", "data"), xytext=(0, 3), textcoords="offset points")
    ax.set_ylim(0.0, 1.05)
    ax.set_ylabel("similarity around each object", fontsize=9)
    if record.clusterings is None:
        ax.set_xlabel("objects, the least alike first", fontsize=9)
    else:
        ax.set_xticks(ticks, [written(name, 12) for name, _ in strips], fontsize=8)
        ax.set_xlabel(f"clusters of {side}, in each the least alike object first", fontsize=9)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _strips(x: Clustering) -> list[tuple[object, np.ndarray]]:
    """Names and objects of the clusters to draw, the smallest ones in one."""
    starts, columns = x.by_object or (np.arange(x.n_objects + 1), x.memberships().argmax(axis=1))
    ends, rows = transposed(starts, columns, x.n_clusters)
    found = [(name, members) for name, members in zip(x.cluster_names, np.split(rows, ends[1:-1]))
             if members.size]
    if len(found) > _STRIPS:
        large = set(np.argsort([-members.size for _, members in found], kind="stable")
                    [:_STRIPS - 1].tolist())
        rest = np.unique(np.concatenate([m for k, (_, m) in enumerate(found) if k not in large]))
        found = [part for k, part in enumerate(found) if k in large]
        found.append((f"{x.n_clusters - len(found)} smaller", rest))
    alone = np.flatnonzero(np.diff(starts) == 0)
    return [*found, ("in none", alone)] if alone.size else found
