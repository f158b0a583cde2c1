"""Pictures of the page: the matrix itself, data sets, mosaics, objects, rejection rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

import softclust as sc

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9")
MARKERS = ("o", "^", "s", "D", "v")
GREY = "#555555"
#: shades and hatches of the four outcomes, as in softclust's mosaics
CELLS = {"BR": ("#D9E8F2", ""), "RW": ("#0072B2", "//"), "WR": ("#D55E00", "\\\\"),
         "BW": ("#8C8C8C", "..")}


def draw_scheme() -> Any:
    """Figure 1: what the cells of the matrix count."""
    figure, ax = plt.subplots(figsize=(6.2, 3.6), layout="constrained")
    what = (("BR", "both right", "$|R_p \\cap R_q|$", 0, 1), ("RW", "only the primary right",
            "$|R_p \\cap W_q|$", 1, 1), ("WR", "only the alternative right",
            "$|W_p \\cap R_q|$", 0, 0), ("BW", "both wrong", "$|W_p \\cap W_q|$", 1, 0))
    for name, words, formula, x, y in what:
        colour, hatch = CELLS[name]
        ax.add_patch(plt.Rectangle((x + .02, y + .03), .96, .94, facecolor=colour, hatch=hatch,
                                   edgecolor="white", lw=0))
        ax.text(x + .5, y + .5, f"{name}: {words}\n{formula}", ha="center", va="center",
                bbox={"boxstyle": "round,pad=.35", "facecolor": "white", "edgecolor": "none"})
    ax.set_xticks([.5, 1.5], ["right", "wrong"])
    ax.set_yticks([.5, 1.5], ["wrong", "right"])
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.set_xlabel("alternative, on a pair of objects")
    ax.set_ylabel("primary")
    ax.set_xlim(0, 2)
    ax.set_ylim(0, 2)
    _no_frame(ax)
    return figure


def draw_clusterings(points: Mapping[str, np.ndarray],
                     labels: Mapping[str, Mapping[str, np.ndarray]], names: Mapping[str, str],
                     every: int = 3) -> Any:
    """Figure 2: data sets by row, truth and algorithms by column; misplaced objects are black.

    Clusters carry the colour of the class they are matched with (most common objects).
    """
    columns = list(next(iter(labels.values())))
    figure, axes = plt.subplots(len(points), len(columns), figsize=(2.05 * len(columns),
                                2.0 * len(points)), layout="constrained")
    for row, data in enumerate(points):
        x, truth = points[data], labels[data]["truth"]
        for ax, name in zip(axes[row], columns):
            found = _matched(truth, labels[data][name])
            _scatter(ax, x[::every], found[::every], wrong=(found != truth)[::every])
            if row == 0:
                ax.set_title(name, fontsize=10.5)
            if name != "truth":
                ax.set_xlabel(f"{np.count_nonzero(found != truth):,} misplaced", fontsize=8.5,
                              color=GREY)
            _no_frame(ax, ticks=False)
        axes[row, 0].set_ylabel(names[data], fontsize=10.5)
    return figure


def _matched(truth: np.ndarray, found: np.ndarray) -> np.ndarray:
    """Labels of `found` by the class each cluster is matched with; others get new numbers."""
    matching = sc.match_clusters(truth, found)
    classes, clusters = np.unique(truth), np.unique(found)
    new = {int(clusters[j]): int(classes[i]) for i, j in matching.pairs if i >= 0 and j >= 0}
    rest = iter(range(len(classes), len(classes) + len(clusters)))
    for cluster in clusters:
        if int(cluster) not in new:
            new[int(cluster)] = next(rest)
    return np.array([new[int(k)] for k in found])


def _scatter(ax: Any, x: np.ndarray, found: np.ndarray, wrong: np.ndarray) -> None:
    for k in np.unique(found):
        rows = (found == k) & ~wrong
        ax.scatter(*x[rows].T, s=7, marker=MARKERS[k % 5], c=COLOURS[k % 5], linewidths=0)
        rows = (found == k) & wrong
        ax.scatter(*x[rows].T, s=9, marker=MARKERS[k % 5], c="black", linewidths=0)
    ax.set_aspect("equal")


def draw_mosaics(tables: Mapping[str, Any], primary: str, others: Sequence[str],
                 names: Mapping[str, str]) -> Any:
    """Figure 3: matrices of `primary` with the others, areas are shares of pairs."""
    figure, axes = plt.subplots(len(tables), len(others), figsize=(3.3 * len(others),
                                2.9 * len(tables)), layout="constrained")
    for row, (data, table) in zip(axes, tables.items()):
        for ax, other in zip(row, others):
            _mosaic(ax, table[primary, other])
            ax.set_xlabel(f"{primary} right                              wrong", fontsize=8)
            if data == next(iter(tables)):
                ax.set_title(f"against {other}", fontsize=10.5)
            _no_frame(ax, ticks=False)
        row[0].set_ylabel(names[data], fontsize=10.5)
    handles = [plt.Rectangle((0, 0), 1, 1, facecolor=CELLS[k][0], hatch=CELLS[k][1],
                             edgecolor="white", lw=0, label=label)
               for k, label in (("BR", "both right"), ("RW", f"only {primary} right"),
                                ("WR", "only the other right"), ("BW", "both wrong"))]
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False,
                  fontsize=9, handlelength=2.4, handleheight=1.3)
    return figure


def _mosaic(ax: Any, result: Any) -> None:
    counts = dict(zip(("BR", "RW", "WR", "BW"), result.counts))
    left = 0.0
    for pair in (("BR", "RW"), ("WR", "BW")):
        width = sum(counts[k] for k in pair) / result.pairs
        bottom = 0.0
        for name in pair:
            height = counts[name] / result.pairs / width if width else 0.0
            if not height:
                continue
            colour, hatch = CELLS[name]
            ax.add_patch(plt.Rectangle((left, bottom), width, height, facecolor=colour,
                                       hatch=hatch, edgecolor="white", lw=1.2))
            if width > .2 and height > .12:
                ax.text(left + width / 2, bottom + height / 2, f"{name}\n{counts[name]:,}",
                        ha="center", va="center", fontsize=8,
                        bbox={"boxstyle": "round,pad=.2", "facecolor": "white",
                              "edgecolor": "none", "alpha": .9})
            bottom += height
        left += width
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)


def draw_objects(x: np.ndarray, objects: Any, primary: str, alternative: str) -> Any:
    """Where one clustering is right on more pairs than the other, object by object."""
    figure, ax = plt.subplots(figsize=(6.8, 4.6), layout="constrained")
    advantage = objects.advantage
    order = np.argsort(np.abs(advantage))
    for sign, marker, name in ((1, "^", primary), (-1, "v", alternative)):
        rows = order[(np.sign(advantage[order]) == sign)]
        if rows.size:
            drawn = ax.scatter(*x[rows].T, c=advantage[rows], cmap="PuOr_r", vmin=-1, vmax=1,
                               marker=marker, s=8 + 60 * np.abs(advantage[rows]),
                               edgecolors="#444444", linewidths=.3,
                               label=f"{name} right on more pairs ({rows.size:,} objects)")
    figure.colorbar(drawn, ax=ax, label=f"advantage of {primary}", shrink=.8)
    ax.set_xlabel("first feature")
    ax.set_ylabel("second feature")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), fontsize=8.5, frameon=False)
    ax.set_aspect("equal")
    return figure


def draw_rejections(rates: Any, level: float, repeats: int) -> Any:
    """Shares of true null hypotheses that are rejected, by number of objects."""
    figure, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
    for column, colour, marker, style in (("McNemar on pairs", "#D55E00", "s", "--"),
                                          ("jackknife over objects", "#0072B2", "o", "-")):
        values = rates[column].to_numpy()
        error = 1.96 * np.sqrt(values * (1 - values) / repeats)
        ax.errorbar(rates.index, values, yerr=error, color=colour, marker=marker, ls=style,
                    capsize=3, label=column)
    ax.axhline(level, color=GREY, lw=1, ls=":")
    ax.text(1.01, level, f"nominal {level}", va="center", fontsize=8.5, color=GREY,
            transform=ax.get_yaxis_transform())
    ax.set_xscale("log")
    ax.set_xticks(rates.index, [f"{n:,}" for n in rates.index])
    ax.minorticks_off()
    ax.set_xlabel("objects")
    ax.set_ylabel("share of rejected true nulls")
    ax.set_ylim(0, 1)
    ax.legend(loc="center left", frameon=False)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return figure


def _no_frame(ax: Any, ticks: bool = True) -> None:
    for spine in ax.spines.values():
        spine.set_visible(False)
    ax.tick_params(length=0)
    if not ticks:
        ax.set_xticks([])
        ax.set_yticks([])
