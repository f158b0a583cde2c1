"""Figures of the page `truecluster.py`."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from softclust.plotting.figures import MARKERS, PALETTE

_LINES = ("-", "--", ":")


def mean_diagonals(sizes: Any, shares: dict[str, list[float]]) -> Any:
    """Expected share on the diagonal over the size of the smaller cluster, a line a rule."""
    _, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    for (rule, values), colour, marker, line in zip(shares.items(), PALETTE, MARKERS, _LINES):
        ax.plot(sizes, values, color=colour, marker=marker, ls=line, label=rule.replace("_", " "))
    ax.axhline(0.5, color="#999999", lw=0.8)
    ax.set_xlabel("size of the smaller cluster (of 100 objects)")
    ax.set_ylabel("expected share on the diagonal")
    ax.set_ylim(0, 1.02)
    ax.set_title("Two independent partitions", loc="left", fontsize=10.5)
    ax.legend(frameon=False, fontsize=8.5)
    _without_box(ax)
    return ax


def entropies_over_fractions(simulation: Any) -> Any:
    """Uncertainty of the votes (marks) and of the clusterer itself (dotted), two rules."""
    fractions, reliabilities = simulation.fractions, simulation.reliabilities
    figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.7), sharey=True, layout="constrained")
    for m, ax in enumerate(axes):
        for r, colour, marker in zip((0.0, 0.2, 0.5, 0.8), PALETTE, MARKERS):
            j = np.argmin(np.abs(reliabilities - r))
            ax.plot(fractions, clusterer_entropy(fractions, reliabilities[j]), color=colour,
                    lw=1.3, ls=":", zorder=1)
            ax.plot(fractions, simulation.uncertainty[m, 0, :, j], color=colour, marker=marker,
                    ms=4.5, lw=1.3, markevery=max(1, len(fractions) // 16),
                    label=f"r = {reliabilities[j]:g}")
        ax.set_xlabel("fraction f of the first cluster")
        ax.set_title(f"{simulation.methods[m]}; dotted: entropy of the clusterer", loc="left",
                     fontsize=10.5)
        _without_box(ax)
    axes[0].set_ylabel("uncertainty H (bits)")
    axes[0].set_ylim(0, 1.05)
    figure.legend(*axes[1].get_legend_handles_labels(), frameon=False, fontsize=9, ncols=4,
                  loc="outside lower center")
    return figure


def clusterer_entropy(fractions: np.ndarray, r: float) -> np.ndarray:
    """f h(p1) + (1 - f) h(p0): mean entropy of a clusterer of reliability r."""
    p1, p0 = r + (1 - r) * fractions, r + (1 - r) * (1 - fractions)
    return np.asarray(fractions * _coin(p1) + (1 - fractions) * _coin(p0))


def _coin(p: np.ndarray) -> np.ndarray:
    p = np.clip(p, 1e-300, 1 - 1e-16)
    return np.asarray(-(p * np.log2(p) + (1 - p) * np.log2(1 - p)))


def _without_box(ax: Any) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
