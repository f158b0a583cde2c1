"""Charts of posterior draws of partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..._checks import check_choice
from ...plotting.clusterings import MOST_ROWS, finish_rows, new_rows, stripes
from ...plotting.figures import (
    HEAT,
    RAIL,
    TEXT,
    WITH_NUMBERS,
    chart,
    colour,
    marker,
    name_rows,
    new_axes,
    pair_matrix,
)
from ...results.text import position
from ...tables.counting import cross_counts
from ...tables.matching import matched_first

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._record import PosteriorPartition
    from .ball import CredibleBall
    from .core import PartitionCore
    from .representatives import PartitionRepresentatives


@chart("PosteriorPartition", "posterior_partition(draws)")
def plot_posterior(posterior: PosteriorPartition,
                   kind: Literal["matrix", "objects", "ball"] = "matrix", *, ax: Axes | None = None,
                   max_objects: int = 2000, level: float = 0.95) -> Axes:
    """Draw how certain an estimated partition is.

    Parameters
    ----------
    posterior : PosteriorPartition
        Result of `softclust.posterior_partition`.
    kind : {"matrix", "objects", "ball"}, optional
        "matrix": probability of each pair of objects to be together, objects ordered by the
        estimate and framed by cluster. "objects": for every object the mean probability of being
        together with its own cluster, and with the best other one. "ball": see `plot_ball`.
    max_objects : int, optional
        Largest number of objects for "matrix", which needs n x n numbers.
    level : float, optional
        Level of the ball.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ClusteringError
        If there are more than `max_objects` objects.

    Examples
    --------
    >>> import numpy as np, softclust
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([0, 1, 2], [30, 20, 10])
    >>> draws = np.where(rng.random((50, 60)) < 0.15, rng.integers(3, size=(50, 60)), labels)
    >>> ax = softclust.posterior_partition(draws, rng=0).plot()
    >>> ax.get_title(loc="left")
    '50 draws, 3 clusters'
    """
    check_choice("kind", kind, ("matrix", "objects", "ball"))
    if kind == "ball":
        return plot_ball(posterior.ball(level), ax=ax)
    if kind == "objects":
        return _objects(posterior, ax)
    p, labels = posterior.matrix(max_objects), posterior.labels
    sure = np.array([p[i, labels == k].mean() for i, k in enumerate(labels)])
    sizes = np.bincount(labels)
    ax = pair_matrix(ax, p, _order(labels, sure), sizes.tolist(),
                     [str(position(k)) for k in range(sizes.size)], "probability of being together")
    ax.set(xlabel="objects by cluster of the estimate", ylabel="objects",
           title=f"{posterior.n_draws} draws, {posterior.n_clusters} clusters")
    return ax


def _order(labels: np.ndarray, sure: np.ndarray) -> np.ndarray:
    """Objects by cluster, the most certain first."""
    return np.lexsort((-np.nan_to_num(sure), labels))


def _objects(posterior: PosteriorPartition, ax: Axes | None) -> Axes:
    ax = new_axes(ax, 7.0, 3.2)
    frame = posterior.objects()
    sure = frame["own"].to_numpy(dtype=float)
    order = _order(posterior.labels, sure)
    labels, places = posterior.labels[order], np.arange(order.size)
    size = 16 if order.size <= 200 else 6
    ax.scatter(places, frame["other_p"].to_numpy(dtype=float)[order], s=size, marker="x",
               color="#888888", lw=0.9, label="best other cluster")
    for k in range(posterior.n_clusters):
        rows = labels == k
        ax.scatter(places[rows], sure[order][rows], s=size, color=colour(k), marker=marker(k),
                   label="own cluster" if k == 0 else None)
    for edge in np.flatnonzero(np.diff(labels)) + 0.5:
        ax.axvline(float(edge), color="black", lw=0.8)
    ax.set_ylim(-0.03, 1.03)
    ax.set_xlim(-0.5, order.size - 0.5)
    ax.set(xlabel="objects, grouped by cluster, most certain first",
           ylabel="mean probability of being together",
           title=f"{posterior.n_clusters} clusters of {labels.size} objects, "
                 f"{posterior.n_draws} draws")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
    return ax


@chart("CredibleBall", "credible_ball(center, draws)")
def plot_ball(ball: CredibleBall, *, ax: Axes | None = None) -> Axes:
    """Draw the centre of a credible ball against its bounds, as matched tables.

    There is one table for the first partition of each bound: how many objects of each cluster of
    the centre (rows) lie in each cluster of the bound (columns, matched to the rows).

    Parameters
    ----------
    ball : CredibleBall
        Result of `softclust.credible_ball`.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import numpy as np, softclust
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([0, 1, 2], [30, 20, 10])
    >>> draws = np.where(rng.random((50, 60)) < 0.1, rng.integers(4, size=(50, 60)), labels)
    >>> ax = softclust.credible_ball(labels, draws).plot()
    >>> ax.get_xlabel()
    'cluster of the bound'
    """
    tables = {name: _matched(ball.center, bound.labels[0]) for name, bound in ball.bounds.items()}
    rows, widths = int(ball.center.max()) + 1, [t.shape[1] for t, _ in tables.values()]
    gap = max(2.0, 6.5 - float(np.mean(widths)))   # room for what is written above a table
    width = min(16.0, 0.42 * (sum(widths) + 2.0 * gap) + 1.6)
    ax = new_axes(ax, max(6.5, width), min(9.0, 0.34 * rows + 1.8))
    at, ticks, names = 0.0, [], []
    for (name, (table, columns)), bound in zip(tables.items(), ball.bounds.values()):
        _table(ax, table, at)
        ticks += [at + j for j in range(table.shape[1])]
        names += [str(position(c)) for c in columns]
        more = "" if len(bound.labels) == 1 else f", first of {len(bound.labels)}"
        ax.text(at - 0.5, -0.75, f"{name}: {bound.n_clusters} clusters{more}\n"
                f"distance {bound.distance:.3g}", fontsize="small", va="bottom")
        at += table.shape[1] + gap
    name_rows(ax, [str(position(k)) for k in range(rows)])
    ax.set_xlim(-0.6, at - gap + max(0.0, 6.0 - widths[-1]))
    ax.set_xticks(ticks, names, fontsize="small" if max(widths) <= WITH_NUMBERS else "xx-small")
    ax.set(xlabel="cluster of the bound", ylabel="cluster of the centre")
    ax.set_title(f"Credible ball of level {ball.level:g} ({ball.loss}), radius {ball.radius:.3g}",
                 pad=34)
    return ax


def _matched(center: np.ndarray, bound: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Counts with the columns in the order of their rows, and which columns these are."""
    table = cross_counts(center, bound, int(center.max()) + 1, int(bound.max()) + 1)
    order = matched_first(table)
    return table[:, order], order


def _table(ax: Any, table: np.ndarray, at: float) -> None:
    """One table of counts with its left column at x = at; colour is the share of the row."""
    shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    r, s = table.shape
    ax.imshow(shares, cmap=HEAT, vmin=0.0, vmax=1.3, aspect="auto", interpolation="nearest",
              extent=(at - 0.5, at + s - 0.5, r - 0.5, -0.5))
    ax.plot([at - 0.5, at + s - 0.5, at + s - 0.5, at - 0.5, at - 0.5],
            [-0.5, -0.5, r - 0.5, r - 0.5, -0.5], color=TEXT, lw=0.8, clip_on=False)
    for i, j in np.argwhere(table) if max(r, s) <= WITH_NUMBERS else ():
        ax.text(at + j, i, str(table[i, j]), ha="center", va="center", fontsize="small")


@chart("PartitionCore", "partition_core(draws)")
def plot_core(core: PartitionCore, *, ax: Axes | None = None) -> Axes:
    """Draw the clusters of a partition core, and how many objects it leaves out.

    Parameters
    ----------
    core : PartitionCore
        Result of `softclust.partition_core`.

    Returns
    -------
    matplotlib.axes.Axes
        Cluster k at y = k, at most the first 40; below them the objects outside the core.

    Examples
    --------
    >>> import softclust
    >>> draws = [[0] * 6 + [1] * 4, [0] * 5 + [1] * 5, [0] * 6 + [1] * 4]
    >>> ax = softclust.partition_core(draws, level=1).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['cluster 0', 'cluster 1', 'left out']
    """
    sizes = np.bincount(core.labels)
    shown_sizes = sizes[:MOST_ROWS]
    rows = len(shown_sizes)
    ax = new_rows(ax, rows + 1)
    ax.barh(range(rows), shown_sizes, height=0.7, lw=0, color=[colour(k) for k in range(rows)])
    ax.barh(rows, core.n_objects - core.objects.size, height=0.7, color="white", edgecolor=RAIL,
            hatch="///", lw=0.8)
    more = f", {rows} of {len(sizes)} clusters shown" if rows < len(sizes) else ""
    finish_rows(ax, [*(f"cluster {position(k)}" for k in range(rows)), "left out"], "objects",
            f"{core.objects.size:,} of {core.n_objects:,} objects keep their clusters in "
            f"{100 * core.probability:.3g} % of the draws{more}")
    return ax


@chart("PartitionRepresentatives", "partition_representatives(draws, k)")
def plot_representatives(representatives: PartitionRepresentatives, *, ax: Axes | None = None
                         ) -> Axes:
    """Draw where each object is in each representative of posterior draws.

    Objects stand from left to right in the order of the first one's clusters; clusters have the
    colour, and where there is room the number, of the cluster of the first one that they match.

    Parameters
    ----------
    representatives : PartitionRepresentatives
        Result of `softclust.partition_representatives`.

    Returns
    -------
    matplotlib.axes.Axes
        Representative k at y = k, named by the share of the draws that it stands for; at most 40.

    Examples
    --------
    >>> import softclust
    >>> draws = [[0] * 6 + [1] * 4] * 2 + [[0] * 3 + [1] * 7]
    >>> ax = softclust.partition_representatives(draws, 2, rng=0).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['66.7 % of the draws', '33.3 % of the draws']
    """
    labels = representatives.labels
    return stripes(ax, labels[:MOST_ROWS], [f"{100 * weight:.3g} % of the draws"
                                             for weight in representatives.weights[:MOST_ROWS]],
                    f"{len(labels)} partitions of {labels.shape[1]:,} objects for "
                    f"{representatives.assignment.size:,} draws")
