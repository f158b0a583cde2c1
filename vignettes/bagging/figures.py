"""Figures of the page `bayesian_bagging.py`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from chance import one_run

from softclust.plotting import plot_simplex
from softclust.plotting.figures import MARKERS, PALETTE

from .printed import TRUE_K, K

LEVEL = 0.99


def printed_and_drawn(printed: Any, drawn: Any, ylabel: str) -> Any:
    """A panel a data set: mean, standard deviation, 99 % interval of one draw; printed values."""
    figure, axes = plt.subplots(2, 3, figsize=(9.6, 5.0), sharex=True, layout="constrained")
    for number, (ax, row, values) in enumerate(zip(axes.flat, printed, drawn), start=1):
        mean, deviation = values.mean(axis=0), values.std(axis=0, ddof=1)
        if len(values) > 9:    # a few draws of the fast mode know no interval
            reach = [one_run(column, 0.0, level=LEVEL) for column in values.T]
            ax.errorbar(K, mean, yerr=reach, fmt="none", ecolor=PALETTE[4], elinewidth=1.2,
                        capsize=3, label="99 % of draws")
        ax.errorbar(K, mean, yerr=deviation, fmt="o", ms=5, color=PALETTE[0], elinewidth=3.2,
                    label="mean and sd")
        ax.plot(K, row, ls="", marker="X", ms=8, color=PALETTE[1], mec="white", mew=0.6,
                label="printed")
        ax.axvline(TRUE_K[number - 1], color="#BBBBBB", lw=0.8, ls=":", zorder=0)
        ax.set_title(f"data set {number}", loc="left", fontsize=9.5)
        ax.set_xticks(K)
        ax.tick_params(labelsize=8)
        if not (values < 0).any() and ax.get_ylim()[0] < 0:
            ax.set_ylim(bottom=0)
        without_box(ax)
    for ax in axes[-1]:
        ax.set_xlabel("number of clusters K", fontsize=9)
    for ax in axes[:, 0]:
        ax.set_ylabel(ylabel, fontsize=9)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3,
                  frameon=False, fontsize=9)
    return figure


def memberships_in_space_and_simplex(x: np.ndarray, fit: Any) -> Any:
    """Objects in the plane by their memberships, and the same objects in the simplex."""
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained")
    labels = fit.membership_.argmax(axis=1)
    shared = fit.membership_.max(axis=1) < 0.9
    for k, (colour, marker) in enumerate(zip(PALETTE, MARKERS)):
        for hollow in (False, True):
            own = (labels == k) & (shared == hollow)
            axes[0].scatter(*x[own].T, s=24, marker=marker, lw=1.1 if hollow else 0.4,
                            facecolors="none" if hollow else colour,
                            edgecolors=colour if hollow else "white")
    axes[0].set_aspect("equal")
    axes[0].set_xlabel("x1", fontsize=9)
    axes[0].set_ylabel("x2", fontsize=9)
    without_box(axes[0])
    axes[0].set_title("data; hollow: largest membership below 0.9", loc="left", fontsize=10.5)
    plot_simplex(fit.clustering_, ax=axes[1])
    return figure


def classes(data: Any, ax: Any) -> Any:
    """Objects of a data set by their true class."""
    for k, name in enumerate(data.label_names):
        own = data.labels == k
        ax.scatter(*data.data[own, :2].T, s=22, color=PALETTE[k], marker=MARKERS[k],
                   edgecolor="white", lw=0.4, label=f"component {name}")
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel("x1")
    ax.set_ylabel("x2")
    ax.legend(frameon=False, fontsize=8)
    without_box(ax)
    return ax


def three_readings(found: dict[str, np.ndarray], true_k: int) -> Any:
    """Mean entropies over K, a line a reading, with the standard deviation over data sets."""
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.5), layout="constrained")
    for q, (ax, label) in enumerate(zip(axes, ("mean entropy (nats)",
                                               "largest pairwise entropy (bits)"))):
        for j, (name, values) in enumerate(found.items()):
            at = np.array(K) + 0.06 * (j - 1)
            ax.errorbar(at, values[:, :, q].mean(axis=0), yerr=values[:, :, q].std(axis=0, ddof=1),
                        color=PALETTE[j], marker=MARKERS[j], ls=("-", "--", ":")[j], capsize=2.5,
                        lw=1.4, elinewidth=0.9, label=name)
        ax.axvline(true_k, color="#BBBBBB", lw=0.8, ls=":", zorder=0)
        ax.set_xticks(K)
        ax.set_ylim(bottom=0)
        ax.set_xlabel("number of clusters K")
        ax.set_ylabel(label)
        without_box(ax)
    axes[0].legend(frameon=False, fontsize=8.5)
    return figure


def entropy_curves(found: dict[str, Any]) -> Any:
    """Both entropies over K: one row per reading, one line per scale of the prior."""
    figure, axes = plt.subplots(len(found), 2, figsize=(9.6, 3.6 * len(found)), squeeze=False,
                                sharex=True, layout="constrained")
    for line, (reading, chosen) in zip(axes, found.items()):
        best = chosen.n_clusters[chosen.pairwise_entropy.argmin(axis=0)]
        pairs = replace(chosen, method="pairwise_entropy", criterion=chosen.pairwise_entropy,
                        mc_error=np.full(chosen.criterion.shape, np.nan),
                        best=int(best[0]), best_by_scale=best)
        for ax, record in zip(line, (chosen, pairs)):
            record.plot(ax=ax).set_title(f"{reading} reading", loc="left", fontsize=10.5)
            ax.set_ylim(bottom=0)
    return figure


def without_box(ax: Any) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
