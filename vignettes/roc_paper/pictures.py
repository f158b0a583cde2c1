"""Pictures of the page: sets of points, strategies of k-means, labels in class order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import softclust as sc

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9")
MARKERS = ("o", "^", "s", "D", "v", "P")
STYLES = ("-", "--", "-.", ":")
GREY = "#555555"


def draw_points(sets: Mapping[str, Any]) -> Any:
    """Figure 2: classes by colour and marker."""
    figure, axes = plt.subplots(1, len(sets), figsize=(4.6 * len(sets), 3.2),
                                layout="constrained")
    for ax, (name, data) in zip(np.atleast_1d(axes), sets.items()):
        for k in np.unique(data.labels):
            rows = data.labels == k
            ax.scatter(*data.data[rows].T, s=13, c=COLOURS[k], marker=MARKERS[k], linewidths=0,
                       label=f"class {k + 1}")
        ax.set_title(name, fontsize=10.5, loc="left")
        ax.set_xlabel("first feature")
        ax.set_ylabel("second feature")
        ax.legend(loc="lower right", bbox_to_anchor=(1, 1), fontsize=8, ncols=2, frameon=False)
        _open(ax)
    return figure


def draw_two(curves: Mapping[str, Any], kmax: int) -> Any:
    """Figure 1: the curves, and their errors over the number of clusters."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.6, 4.9), layout="constrained")
    sc.plotting.plot_roc(curves, ax=left)
    sc.plotting.plot_roc_errors(curves, ax=right)
    left.set_title("ROC curves", fontsize=10.5, loc="left")
    right.set_title(f"error rate, k = 1 to {kmax}", fontsize=10.5, loc="left")
    return figure


def draw_many(panels: Mapping[str, Mapping[str, Any]]) -> Any:
    """Figure 4: curves of all methods, one panel per data set."""
    rows = -(-len(panels) // 2)
    figure, axes = plt.subplots(rows, 2, figsize=(10.6, 5.0 * rows), layout="constrained")
    for ax, (name, curves) in zip(axes.ravel(), panels.items()):
        sc.plotting.plot_roc(curves, ax=ax)
        ax.set_title(name, fontsize=10.5, loc="left")
    for ax in axes.ravel()[len(panels):]:
        ax.set_axis_off()
    figure.get_layout_engine().set(h_pad=.1)
    return figure


def draw_strategies(panels: Mapping[str, tuple[Any, Mapping[str, Any]]]) -> Any:
    """Figure 3: runs of k-means as points, ways to make one curve of them as lines."""
    figure, axes = plt.subplots(1, len(panels), figsize=(5.3 * len(panels), 5.0),
                                layout="constrained")
    for ax, (name, (points, curves)) in zip(axes, panels.items()):
        ax.scatter(points[0].ravel(), points[1].ravel(), s=5, c="#BBBBBB", linewidths=0,
                   label="one run", zorder=1)
        for i, (way, roc) in enumerate(curves.items()):
            ax.plot(np.r_[0, roc.eps1, 1], np.r_[1, roc.eps2, 0], color=COLOURS[i],
                    ls=STYLES[i], marker=MARKERS[i], ms=4, mfc="white", lw=1.8, zorder=3,
                    label=f"{way}: {roc.auc:.4f}{'' if roc.proper else ', improper'}")
        ax.set_title(name, fontsize=10.5, loc="left")
        ax.set_xlabel("separated pairs of the same class (share)")
        ax.set_ylabel("merged pairs of different classes (share)")
        ax.set_xlim(-.02, 1.02)
        ax.set_ylim(-.02, 1.02)
        ax.set_aspect("equal")
        ax.legend(loc="upper right", fontsize=8.5)
        _open(ax)
    return figure


def draw_subsets(panels: Mapping[str, Mapping[str, Any]]) -> Any:
    """Figure 5: areas by the share of labelled objects."""
    rows = -(-len(panels) // 2)
    figure, axes = plt.subplots(rows, 2, figsize=(10.6, 3.9 * rows), layout="constrained")
    for ax, (name, parts) in zip(axes.ravel(), panels.items()):
        sc.plotting.plot_roc_subsets(parts, ax=ax)
        ax.set_title(name, fontsize=10.5, loc="left")
    for ax in axes.ravel()[len(panels):]:
        ax.set_axis_off()
    figure.get_layout_engine().set(h_pad=.1)
    return figure


def draw_order(sets: Mapping[str, tuple[Any, Any]]) -> Any:
    """The same dendrogram judged by labels drawn at random, or taken class by class."""
    figure, axes = plt.subplots(1, len(sets), figsize=(5.3 * len(sets), 3.8),
                                layout="constrained")
    top = 1.08 * max(max(found.mean.max() for found in pair) for pair in sets.values())
    for ax, (name, (uniform, in_order)) in zip(axes, sets.items()):
        limits = 1.96 * uniform.sd / np.sqrt(np.maximum(uniform.defined, 1))
        ax.errorbar(100 * uniform.fractions, uniform.mean, yerr=limits, color=COLOURS[0],
                    marker="o", capsize=3, label="drawn at random: mean, 95 % interval")
        ax.plot(100 * in_order.n_labelled / in_order.n_objects, in_order.mean, color="#D55E00",
                marker="s", ls="--", label="taken class by class")
        ax.axhline(uniform.auc_all, color=GREY, lw=1, ls=":", label="all labels")
        ax.set_title(name, fontsize=10.5, loc="left")
        ax.set_xlabel("objects with a label, %")
        ax.set_ylim(0, top)
        ax.legend(loc="lower left", fontsize=8.5)
        _open(ax)
    axes[0].set_ylabel("area under the curve")
    return figure


def draw_ties(ranges: Mapping[str, Any], printed: Mapping[str, float]) -> Any:
    """Areas over ways to break ties, and of the row order, less the printed one."""
    figure, ax = plt.subplots(figsize=(7.6, .4 * len(ranges) + 1.2), layout="constrained")
    ax.axvspan(-5e-4, 5e-4, color="#D55E00", alpha=.35, lw=0, label="printed, its rounding")
    for i, (name, found) in enumerate(ranges.items()):
        low, high, given = (v - printed[name] for v in (found.low, found.high, found.given))
        ax.plot([low, high], [i, i], color="#56B4E9", lw=5, alpha=.6, solid_capstyle="butt",
                label="range over ties" if i == 0 else None)
        ax.plot(found.auc - printed[name], np.full(len(found.auc), i), "|", color=COLOURS[0],
                ms=9, alpha=.6, label="one way to break them" if i == 0 else None)
        ax.plot(given, i, "o", color="black", ms=6, mfc="none",
                label="order of the rows" if i == 0 else None)
    ax.set_yticks(range(len(ranges)), list(ranges))
    ax.invert_yaxis()
    ax.set_xlabel("area less printed area")
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=8.5, frameon=False)
    _open(ax)
    return figure


def _open(ax: Any) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
