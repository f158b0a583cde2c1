"""Charts of clusterings over the number of clusters: ROC curves, errors, parts of the labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .._text import number
from .figures import MARKERS, PALETTE, RAIL, TEXT, chart, check_record, pyplot, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..trees.roc_records import PairRoc, PairRocSubsets

#: least distance between two labels of k, in parts of the axes
_APART = 0.09


@chart
def plot_roc(curves: PairRoc | Mapping[str, PairRoc], *, ax: Axes | None = None) -> Axes:
    """Draw ROC curves over the number of clusters: nearer to the lower left corner is better.

    Parameters
    ----------
    curves : PairRoc or mapping of str to PairRoc
        One curve, or several by name.
    ax : matplotlib axes, optional
        Where to draw; a new square figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The share of separated pairs of the same class (eps1) is horizontal, that of merged pairs
        of different classes (eps2) vertical; the dashed diagonal is chance. The filled marker is
        the best k; some points carry their k. The closing line of a curve that stops before n
        clusters is dotted.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> roc = softclust.pair_roc_partitions([0, 0, 1, 1],
    ...                                     {1: [0] * 4, 2: [0, 0, 1, 1], 3: [0, 0, 1, 2]})
    >>> ax = softclust.plotting.plot_roc({"mine": roc})
    >>> ax.get_legend_handles_labels()[1]
    ['mine: area 0.0000, best k 2', 'chance: area 0.5']
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    named = _named(curves)
    if ax is None:
        _, ax = pyplot().subplots(figsize=(5.6, 5.6), layout="constrained")
    placed: list[tuple[float, float]] = []
    for i, (name, roc) in enumerate(named.items()):
        _draw_curve(ax, roc, name, PALETTE[i % len(PALETTE)], MARKERS[i % len(MARKERS)])
    for i, roc in enumerate(named.values()):
        _label_points(ax, roc, PALETTE[i % len(PALETTE)], placed)
    ax.plot([0, 1], [1, 0], color=TEXT, ls="--", lw=1, zorder=1, label="chance: area 0.5")
    ax.set_xlim(-0.03, 1.03)
    ax.set_ylim(-0.03, 1.03)
    ax.set_aspect("equal")
    ax.set_xlabel("separated pairs of the same class (share)", fontsize=9)
    ax.set_ylabel("merged pairs of different classes (share)", fontsize=9)
    ax.legend(loc="upper right", fontsize=8, frameon=True, framealpha=0.9, edgecolor="none")
    _plain(ax)
    return ax


@chart
def plot_roc_errors(curves: PairRoc | Mapping[str, PairRoc], *, ax: Axes | None = None) -> Axes:
    """Draw the errors against the number of clusters.

    Parameters
    ----------
    curves : PairRoc or mapping of str to PairRoc
        Of one curve eps1, eps2 and the error that the best k minimises are drawn; of several
        that error alone.

    Returns
    -------
    matplotlib.axes.Axes
        The filled marker is the best k. The axis of k is logarithmic from 50 clusters on.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> roc = softclust.pair_roc_partitions([0, 0, 1, 1],
    ...                                     {1: [0] * 4, 2: [0, 0, 1, 1], 3: [0, 0, 1, 2]})
    >>> ax = softclust.plotting.plot_roc_errors(roc)
    >>> ax.get_xlabel()
    'number of clusters k'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    named = _named(curves)
    if ax is None:
        _, ax = pyplot().subplots(figsize=(6.4, 4.2), layout="constrained")
    criteria = {roc.criterion for roc in named.values()}
    words = {"sum": "sum of both shares", "pair_error": "share of wrong pairs"}
    for i, (name, roc) in enumerate(named.items()):
        colour, marker = PALETTE[i % len(PALETTE)], MARKERS[i % len(MARKERS)]
        what = words[roc.criterion] if len(named) == 1 else name
        if len(criteria) > 1:
            what += f" ({words[roc.criterion]})"
        ax.plot(roc.k, roc.error, color=colour, lw=1.8, marker=marker, ms=3.5, mfc="white",
                markevery=_sparse(roc.k.size), label=f"{what}, best k {roc.k_best}", zorder=3)
        _mark_best(ax, roc, roc.k.astype(float), roc.error, colour, marker)
    if len(named) == 1:
        roc = next(iter(named.values()))
        for j, (values, text, style) in enumerate((
                (roc.eps1, "separated pairs of the same class", "--"),
                (roc.eps2, "merged pairs of different classes", ":")), start=1):
            ax.plot(roc.k, values, color=PALETTE[j], lw=1.4, ls=style, label=text, zorder=2)
    most = max(int(roc.k[-1]) for roc in named.values())
    if most >= 50:
        ax.set_xscale("log")
        ticks = [t for t in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**4, 10**5, 10**6)
                 if t <= most]
        ax.set_xticks(ticks, [str(t) for t in ticks])
        ax.minorticks_off()
    elif most <= 12:
        ax.set_xticks(range(1, most + 1))
    ax.set_ylim(bottom=0.0)
    ax.set_xlabel("number of clusters k", fontsize=9)
    label = words[criteria.pop()] if len(named) > 1 and len(criteria) == 1 else "error"
    ax.set_ylabel(label, fontsize=9)
    ax.legend(loc="best", fontsize=8, frameon=True, framealpha=0.9, edgecolor="none")
    _plain(ax)
    return ax


@chart
def plot_roc_subsets(parts: PairRocSubsets | Mapping[str, PairRocSubsets], *,
                     ax: Axes | None = None) -> Axes:
    """Draw the mean area, with a band of one standard deviation, against the labelled share.

    Parameters
    ----------
    parts : PairRocSubsets or mapping of str to PairRocSubsets
        One record, or several by name.

    Returns
    -------
    matplotlib.axes.Axes
        The dashed line is the area with all labels.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from scipy.cluster.hierarchy import linkage
    >>> iris = softclust.datasets.load_iris()
    >>> parts = softclust.pair_roc_subsets(iris.labels, linkage(iris.data), n_draws=5, rng=0)
    >>> ax = softclust.plotting.plot_roc_subsets(parts)
    >>> ax.get_ylabel()
    'area under the curve'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    named = ({"mean": parts} if not isinstance(parts, Mapping)
             else {written(name): part for name, part in parts.items()})
    _check_some(named)
    for part in named.values():
        check_record("parts", part, "PairRocSubsets", "pair_roc_subsets(...)")
    if ax is None:
        _, ax = pyplot().subplots(figsize=(6.4, 4.2), layout="constrained")
    for i, (name, part) in enumerate(named.items()):
        colour, marker = PALETTE[i % len(PALETTE)], MARKERS[i % len(MARKERS)]
        x = 100 * part.fractions
        sd = np.nan_to_num(part.sd)
        ax.fill_between(x, part.mean - sd, part.mean + sd, color=colour, alpha=0.18, lw=0,
                        label="one standard deviation" if len(named) == 1 else None, zorder=1)
        ax.plot(x, part.mean, color=colour, marker=marker, ms=5, lw=1.6, zorder=3, label=name)
        ax.axhline(part.auc_all, color=colour, ls="--", lw=1, zorder=2,
                   label="all labels" if len(named) == 1 else None)
    ax.set_xlim(0, 103)
    ax.set_ylim(bottom=max(0.0, ax.get_ylim()[0]))
    ax.set_xlabel("labelled objects, %", fontsize=9)
    ax.set_ylabel("area under the curve", fontsize=9)
    title = "" if len(named) == 1 else "band: one standard deviation; dashed: all labels"
    ax.legend(loc="best", fontsize=8, title=title, title_fontsize=7.5, frameon=True,
              framealpha=0.9, edgecolor="none")
    _plain(ax)
    return ax


def _named(curves: Any) -> dict[str, PairRoc]:
    named = ({written(name): curve for name, curve in curves.items()}
             if isinstance(curves, Mapping) else {"": curves})
    _check_some(named)
    for curve in named.values():
        check_record("curves", curve, "PairRoc", "pair_roc(truth, merges)")
    return named


def _check_some(named: Mapping[str, Any]) -> None:
    if not named:
        raise ValueError("there is nothing to draw; give at least one record")


def _sparse(points: int) -> Any:
    """Which points get a marker: all, or those a little apart."""
    return 1 if points <= 40 else 0.02


def _draw_curve(ax: Axes, roc: PairRoc, name: str, colour: str, marker: str) -> None:
    x, y = np.append(0.0, roc.eps1), np.append(1.0, roc.eps2)
    label = f"area {number(roc.auc)}, best k {roc.k_best}"
    ax.plot(x, y, color=colour, lw=1.8, marker=marker, ms=3.5, mfc="white",
            markevery=_sparse(x.size), label=f"{name}: {label}" if name else label, zorder=3)
    if roc.truncated:
        ax.plot([x[-1], 1.0], [y[-1], 0.0], color=colour, lw=1.4, ls=":", zorder=2)
    _mark_best(ax, roc, roc.eps1, roc.eps2, colour, marker)


def _mark_best(ax: Axes, roc: PairRoc, x: np.ndarray, y: np.ndarray, colour: str, marker: str
               ) -> None:
    at = np.flatnonzero(roc.k == roc.k_best)
    ax.plot(x[at], y[at], color=colour, ls="", marker=marker, ms=9, mec="black", mew=1.0,
            zorder=5, gid="best")


def _label_points(ax: Axes, roc: PairRoc, colour: str, placed: list[tuple[float, float]]) -> None:
    """The number of clusters at the best k and, spaced, at others."""
    if np.isnan(roc.eps1).any() or np.isnan(roc.eps2).any():
        return
    order = [*np.flatnonzero(roc.k == roc.k_best).tolist(), 0, *range(1, roc.k.size)]
    for i in dict.fromkeys(order):
        at = float(roc.eps1[i]), float(roc.eps2[i])
        if any(np.hypot(at[0] - u, at[1] - v) < _APART for u, v in placed):
            continue
        placed.append(at)
        ax.annotate(f"{roc.k[i]}", at, xytext=(6, 5), textcoords="offset points", fontsize=7.5,
                    color=colour, zorder=6,
                    bbox={"facecolor": "white", "alpha": 0.75, "lw": 0, "pad": 0.6},
                    gid="k")


def _plain(ax: Axes) -> None:
    ax.grid(color=RAIL, lw=0.6)
    ax.set_axisbelow(True)
    ax.tick_params(labelsize=8.5, length=0)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
