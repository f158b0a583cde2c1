"""Charts of posterior draws of partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import check_choice
from .figures import HEAT, MARKERS, PALETTE, TEXT, chart, check_record, pyplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..ensembles.posterior import CredibleBall, PosteriorPartition

#: rows and columns of a table up to which counts are written
_WITH_NUMBERS = 14


@chart
def plot_posterior(found: PosteriorPartition, kind: str = "matrix", *, ax: Axes | None = None,
                   max_objects: int = 2000, level: float = 0.95) -> Axes:
    """Draw how certain an estimated partition is.

    Parameters
    ----------
    found : PosteriorPartition
        What `softclust.posterior_partition` returned.
    kind : {"matrix", "objects", "ball"}, optional
        "matrix": probability of each pair of objects to be together, objects ordered by the
        estimate and framed by cluster. "objects": for every object the mean probability to be
        together with its own cluster, and with the best other one. "ball": see `plot_ball`.
    ax : matplotlib axes, optional
        Where to draw; a new figure by default.
    max_objects : int, optional
        Largest number of objects for "matrix", which needs n x n numbers.
    level : float, optional
        Of the ball.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ClusteringError
        If there are more than `max_objects` objects.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
    >>> ax = softclust.posterior_partition(draws, rng=0).plot("objects")
    >>> ax.get_ylabel()
    'mean probability of being together'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("found", found, "PosteriorPartition", "posterior_partition(draws)")
    check_choice("kind", kind, ("matrix", "objects", "ball"))
    if kind == "ball":
        return plot_ball(found.ball(level), ax=ax)
    if kind == "objects":
        return _objects(found, ax)
    return _matrix(found, found.matrix(max_objects), ax)


def _order(found: PosteriorPartition, own: np.ndarray) -> np.ndarray:
    """Objects by cluster, the most certain first."""
    return np.lexsort((-np.nan_to_num(own), found.labels))


def _matrix(found: PosteriorPartition, p: np.ndarray, ax: Axes | None) -> Axes:
    from matplotlib.patches import Rectangle
    plt = pyplot()
    if ax is None:
        _, ax = plt.subplots(figsize=(5.6, 4.7), layout="constrained")
    own = np.array([p[i, found.labels == k].mean() for i, k in enumerate(found.labels)])
    order = _order(found, own)
    drawn = ax.imshow(p[np.ix_(order, order)], cmap=HEAT, vmin=0.0, vmax=1.0,
                      interpolation="nearest")
    start = 0
    for size in np.bincount(found.labels):
        ax.add_patch(Rectangle((start - 0.5, start - 0.5), size, size, fill=False, lw=0.9,
                               edgecolor="black"))
        start += int(size)
    ax.set_xlabel("objects, ordered by the estimate", fontsize=9)
    ax.set_ylabel("objects", fontsize=9)
    ax.tick_params(labelsize=8)
    bar = ax.figure.colorbar(drawn, ax=ax, shrink=0.9, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8)
    bar.set_label("probability of being together", fontsize=8, color=TEXT)
    ax.set_title(f"{found.n_draws} draws, {found.n_clusters} clusters",
                 loc="left", fontsize=10.5)
    return ax


def _objects(found: PosteriorPartition, ax: Axes | None) -> Axes:
    plt = pyplot()
    if ax is None:
        _, ax = plt.subplots(figsize=(7.0, 3.2), layout="constrained")
    frame = found.objects()
    own = frame["own"].to_numpy(dtype=float)
    order = _order(found, own)
    labels, places = found.labels[order], np.arange(order.size)
    size = 16 if order.size <= 200 else 6
    ax.scatter(places, frame["other_p"].to_numpy(dtype=float)[order], s=size, marker="x",
               color="#888888", lw=0.9, label="best other cluster")
    for k in range(found.n_clusters):
        held = labels == k
        ax.scatter(places[held], own[order][held], s=size, color=PALETTE[k % len(PALETTE)],
                   marker=MARKERS[k % len(MARKERS)],
                   label="own cluster" if k == 0 else None)
    for edge in np.flatnonzero(np.diff(labels)) + 0.5:
        ax.axvline(float(edge), color="black", lw=0.8)
    ax.set_ylim(-0.03, 1.03)
    ax.set_xlim(-0.5, order.size - 0.5)
    ax.set_xlabel("objects, grouped by cluster, most certain first", fontsize=9)
    ax.set_ylabel("mean probability of being together", fontsize=9)
    ax.tick_params(labelsize=8)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2, frameon=False, fontsize=8)
    ax.set_title(f"{found.n_clusters} clusters of {labels.size} objects, {found.n_draws} draws",
                 loc="left", fontsize=10.5)
    return ax


@chart
def plot_ball(ball: CredibleBall, *, ax: Axes | None = None) -> Axes:
    """Draw the center of a credible ball against its bounds, as matched tables.

    One table for the first partition of each bound: how many objects of each cluster of the
    center (rows) lie in each cluster of the bound (columns, matched to the rows).

    Parameters
    ----------
    ball : CredibleBall
        What `softclust.credible_ball` returned.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
    >>> ax = softclust.credible_ball([0, 0, 1, 1], draws).plot()
    >>> ax.get_title(loc="left")
    'Credible ball of level 0.95 (vi), radius 0.824'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("ball", ball, "CredibleBall", "credible_ball(center, draws)")
    plt = pyplot()
    tables = {name: _matched(ball.center, bound.labels[0]) for name, bound in ball.bounds.items()}
    rows, widths = int(ball.center.max()) + 1, [t.shape[1] for t, _ in tables.values()]
    gap = max(2.0, 6.5 - float(np.mean(widths)))   # room for what is written above a table
    if ax is None:
        width = min(16.0, 0.42 * (sum(widths) + 2.0 * gap) + 1.6)
        _, ax = plt.subplots(figsize=(max(6.5, width), min(9.0, 0.34 * rows + 1.8)),
                             layout="constrained")
    at, ticks, names = 0.0, [], []
    for (name, (table, columns)), bound in zip(tables.items(), ball.bounds.values()):
        _table(ax, table, at)
        ticks += [at + j for j in range(table.shape[1])]
        names += [str(c) for c in columns]
        more = "" if len(bound.labels) == 1 else f", first of {len(bound.labels)}"
        ax.text(at - 0.5, -0.75, f"{name}: {bound.n_clusters} clusters{more}\n"
                f"distance {bound.distance:.3g}", fontsize=8.5, va="bottom")
        at += table.shape[1] + gap
    ax.set_xlim(-0.6, at - gap + max(0.0, 6.0 - widths[-1]))
    ax.set_ylim(rows - 0.4, -0.6)
    ax.set_xticks(ticks, names, fontsize=8 if max(widths) <= _WITH_NUMBERS else 5)
    ax.set_yticks(range(rows), [str(k) for k in range(rows)],
                  fontsize=8.5 if rows <= _WITH_NUMBERS else 5)
    ax.tick_params(length=0)
    ax.set_xlabel("cluster of the bound", fontsize=9)
    ax.set_ylabel("cluster of the center", fontsize=9)
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.set_title(f"Credible ball of level {ball.level:g} ({ball.loss}), radius {ball.radius:.3g}",
                 loc="left", fontsize=10.5, pad=34)
    return ax


def _matched(center: np.ndarray, bound: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Counts with the columns in the order of their rows, and which columns these are."""
    from scipy.optimize import linear_sum_assignment
    table = np.zeros((int(center.max()) + 1, int(bound.max()) + 1), dtype=np.int64)
    np.add.at(table, (center, bound), 1)
    rows, columns = linear_sum_assignment(table, maximize=True)
    paired = columns[np.argsort(rows)]
    rest = np.setdiff1d(np.arange(table.shape[1]), paired)
    order = np.concatenate([paired, rest])
    return table[:, order], order


def _table(ax: Any, table: np.ndarray, at: float) -> None:
    """One table of counts with its left column at x = at; colour is the share of the row."""
    shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    r, s = table.shape
    ax.imshow(shares, cmap=HEAT, vmin=0.0, vmax=1.3, aspect="auto", interpolation="nearest",
              extent=(at - 0.5, at + s - 0.5, r - 0.5, -0.5))
    ax.plot([at - 0.5, at + s - 0.5, at + s - 0.5, at - 0.5, at - 0.5],
            [-0.5, -0.5, r - 0.5, r - 0.5, -0.5], color=TEXT, lw=0.8, clip_on=False)
    if max(r, s) > _WITH_NUMBERS:
        return
    for i in range(r):
        for j in range(s):
            if table[i, j]:
                ax.text(at + j, i, str(table[i, j]), ha="center", va="center", fontsize=8)
