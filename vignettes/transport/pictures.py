"""Charts of the page on the experiments: data, intervals, run times, circles, counts."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

import softclust as sc

from .charts import BLUE, GREEN, GREY, RED, bare

_CLASSES = ((BLUE, "o"), ("#E69F00", "s"), (GREEN, "^"))
_ROWS = {"printed": (GREY, "D"), "ours": (BLUE, "o"), "transport": (RED, "s"),
         "sampled": (GREEN, "^"), "alpha": (BLUE, "o")}


def scatter(x, labels, names, ax, size=14):
    """Objects by class, drawn in turn so that no class hides another."""
    order = np.random.default_rng(0).permutation(len(x))
    for k, name in enumerate(names):
        rows = order[labels[order] == k]
        colour, marker = _CLASSES[k]
        ax.plot(x[rows, 0], x[rows, 1], color=colour, marker=marker, ls="", ms=size**0.5,
                mec="white", mew=0.3, label=name, rasterized=len(x) > 2000, zorder=2)
    ax.set_aspect("equal")
    bare(ax)


def principal_components(data):
    """Figure 1: objects by their first two principal components."""
    centred = data.data - data.data.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    figure, ax = plt.subplots(figsize=(6.5, 2.9), layout="constrained")
    scatter(centred @ axes[:2].T, data.labels, data.label_names, ax, size=22)
    share = np.var(centred @ axes.T, axis=0)
    for k, label in enumerate((ax.set_xlabel, ax.set_ylabel)):
        label(f"component {k + 1} ({share[k] / share.sum():.0%} of the variance)", fontsize=8.5)
    ax.legend(frameon=False, fontsize=8)
    return figure


def clouds(data, part=3000):
    """Figure 2: all classes, and each alone before the others."""
    rows = np.random.default_rng(1).choice(len(data.data), min(part, len(data.data)), replace=False)
    x, labels = data.data[rows], data.labels[rows]
    figure, axes = plt.subplots(1, 4, figsize=(9.5, 2.7), layout="constrained", sharex=True,
                                sharey=True)
    scatter(x, labels, ["class 1", "class 2", "class 3"], axes[0], size=3)
    axes[0].set_title("all", fontsize=9)
    for k, ax in enumerate(axes[1:]):
        ax.plot(*x.T, color="#DDDDDD", marker=".", ls="", ms=1.5, rasterized=True)
        colour, marker = _CLASSES[k]
        ax.plot(*x[labels == k].T, color=colour, marker=marker, ls="", ms=2, mew=0,
                rasterized=True)
        ax.set_title(f"class {k + 1}", fontsize=9)
        ax.set_aspect("equal")
        bare(ax)
    for ax in axes:
        ax.set_xlabel("x1", fontsize=8.5)
    axes[0].set_ylabel("x2", fontsize=8.5)
    return figure


def intervals(groups, order, label, limits):
    """{group: {row: {series: (low, high)}}}: panels of intervals, one line per series."""
    figure, axes = plt.subplots(1, len(groups), figsize=(9.5, 0.42 * len(order) + 1.6),
                                layout="constrained", sharey=True, squeeze=False)
    for ax, (title, rows), at in zip(axes[0], groups.items(), limits):
        used = []
        for y, name in enumerate(order):
            for k, (series, (low, high)) in enumerate(rows[name].items()):
                colour, marker = _ROWS[series.split()[0]]
                place = y + 0.22 * (k - (len(rows[name]) - 1) / 2)
                ax.plot([low, high], [place, place], color=colour, marker=marker, ms=4.5, lw=2.2,
                        label=None if series in used else series)
                used.append(series)
        ax.set_yticks(range(len(order)), order, fontsize=9)
        ax.set_ylim(len(order) - 0.5, -0.5)
        for y in range(1, len(order)):
            ax.axhline(y - 0.5, color="#EEEEEE", lw=0.8, zorder=0)
        ax.set_xlim(*at)
        ax.set_xlabel(label[title] if isinstance(label, dict) else label, fontsize=8.5)
        ax.set_title(title, fontsize=10)
        bare(ax)
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=4,
                  frameon=False, fontsize=8)
    return figure


def run_times(printed, ours):
    """{metric: {algorithm: seconds}}: printed and ours on a logarithmic axis."""
    rows = [(metric, name) for metric in printed for name in printed[metric]]
    figure, ax = plt.subplots(figsize=(7.5, 0.19 * len(rows) + 1.1), layout="constrained")
    for y, (metric, name) in enumerate(rows):
        a, b = printed[metric][name], ours[metric][name]
        ax.plot([b, a], [y, y], color="#CCCCCC", lw=1.4, zorder=1)
        ax.plot([a], [y], color=GREY, marker="D", ms=5, ls="", label=None if y else "printed")
        ax.plot([b], [y], color=BLUE, marker="o", ms=5.5, ls="", label=None if y else "softclust")
    ax.set_yticks(range(len(rows)), [f"{metric}, {name}" for metric, name in rows], fontsize=7.5)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xscale("log")
    ax.set_xlabel("seconds (different machines)", fontsize=8.5)
    ax.legend(frameon=False, fontsize=8, loc="lower right")
    bare(ax)
    return figure


def fuzziness(exponents, values, printed):
    """Rand index of fuzzy c-means against the species, by the exponent m."""
    figure, ax = plt.subplots(figsize=(6.5, 2.9), layout="constrained")
    ax.plot(exponents, values, color=BLUE, marker="o", ms=4, lw=1.4, label="fuzzy c-means")
    ax.axhline(printed, color=GREY, ls="--", lw=1.2, label=f"printed for m = 5: {printed}")
    ax.set_xlabel("exponent m", fontsize=9)
    ax.set_ylabel("alpha-Rand index", fontsize=9)
    ax.legend(frameon=False, fontsize=8)
    bare(ax)
    return figure


def two_maps(left, right, titles):
    """Two configurations of circles side by side on the same scale."""
    figure, axes = plt.subplots(1, 2, figsize=(9.5, 4.9), layout="constrained")
    for ax, circles, title in zip(axes, (left, right), titles):
        sc.plotting.plot_circles(circles, ax=ax)
        ax.set_title(f"{title} (normalised stress {circles.normalized_stress:.3f})", fontsize=9.5,
                     loc="left")
    return figure


def counts(table, sets):
    """{column: {claim: count}}: dots for every claim, darker and larger when seen more often."""
    columns, claims = list(table), list(next(iter(table.values())))
    figure, ax = plt.subplots(figsize=(9.5, 0.36 * len(claims) + 1.3), layout="constrained")
    for x, column in enumerate(columns):
        for y, claim in enumerate(claims):
            share = table[column][claim] / sets
            ax.scatter([x], [y], s=40 + 260 * share, marker="s", linewidths=0.6, edgecolors=GREY,
                       color=plt.get_cmap("cividis_r")(share))
            ax.text(x, y, table[column][claim], ha="center", va="center", fontsize=8,
                    color="white" if share > 0.5 else "black")
    ax.set_xticks(range(len(columns)), columns, fontsize=8)
    ax.set_yticks(range(len(claims)), claims, fontsize=8.5)
    ax.set_xlim(-0.6, len(columns) - 0.4)
    ax.set_ylim(len(claims) - 0.4, -0.6)
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set_visible(False)
    return figure


def centres_meet(separations, distances):
    """Least distance of possibilistic centres, {eta_factor: values}, by separation of classes."""
    figure, ax = plt.subplots(figsize=(6.5, 2.9), layout="constrained")
    for (factor, values), colour, marker in zip(distances.items(), (BLUE, RED, GREEN), "os^"):
        ax.plot(separations, values, color=colour, marker=marker, ms=5, lw=1.3,
                label=f"eta_factor {factor:g}")
    ax.plot(separations, separations, color=GREY, ls="--", lw=1, label="class means")
    ax.set_xlabel("separation of the class means", fontsize=9)
    ax.set_ylabel("least distance of two centres", fontsize=9)
    ax.legend(frameon=False, fontsize=8)
    bare(ax)
    return figure
