"""Charts of the pages on the transport paper, where softclust.plotting has none."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

import softclust as sc

BLUE, RED, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#555555"


def bare(*axes):
    """Axes without box."""
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=8)


def five_clusterings(clusterings):
    figure, axes = plt.subplots(1, len(clusterings), figsize=(9, 2.1), layout="constrained",
                                sharey=True)
    for ax, (name, clustering) in zip(axes, clusterings.items()):
        sc.plotting.plot_clustering(clustering, ax=ax)
        ax.set_title(f"{name}: {clustering.kind}", fontsize=10, loc="left")
    return figure


def focal_distances(focal):
    """{name: [(sets of labels, mass, least, largest distance), ...]}: one panel per name."""
    figure, axes = plt.subplots(1, len(focal), figsize=(9.5, 2.8), layout="constrained",
                                sharex=True)
    for ax, (name, rows) in zip(axes, focal.items()):
        for y, (_, mass, low, high) in enumerate(rows):
            ax.plot([low, high], [y, y], color=BLUE, lw=1 + 14 * mass, alpha=0.5,
                    solid_capstyle="butt")
            ax.plot([low, high], [y, y], color=BLUE, ls="", marker="|", ms=9)
        for k, style in ((2, "-"), (3, "--")):
            ax.axvline(sum(row[1] * row[k] for row in rows), color=RED, ls=style, lw=1.4,
                       label=f"$d_{k - 2}$")
        ax.set_yticks(range(len(rows)), ["|".join("".join(map(str, s)) for s in row[0])
                                         for row in rows])
        ax.set_ylim(max(len(rows), 2) - 0.4, -0.6 if len(rows) > 1 else -1.4)
        ax.set_xlim(-0.03, 0.56)
        ax.set_title(f"C and {name}", fontsize=10)
        ax.set_xlabel("1 - Rand index to C", fontsize=8)
        bare(ax)
        ax.tick_params(axis="y", labelsize=7)
    axes[0].legend(fontsize=8, frameon=False, loc="lower center")
    return figure


def extremes_of_draws(every, ends):
    """The law of a distance, and the extremes of s draws from it beside the true ends."""
    sizes = np.unique(np.geomspace(1, 1000, 30).astype(int))
    draws = np.random.default_rng(1).choice(every, size=(400, 1000))
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.1), layout="constrained")
    values, counts = np.unique(every.round(9), return_counts=True)
    left.bar(values, counts / len(every), width=0.06, color=BLUE)
    left.axvline(every.mean(), color=RED, ls="--", lw=1.4, label="mean")
    left.set_xlim(-0.05, 1.05)
    left.set_xlabel("1 - Rand index to C", fontsize=9)
    left.set_ylabel(f"share of the {len(every)} clusterings", fontsize=9)
    left.legend(frameon=False, fontsize=8)
    for extreme, colour, marker, label in ((np.maximum, RED, "^", "largest drawn"),
                                           (np.minimum, BLUE, "v", "least drawn")):
        picked = extreme.accumulate(draws, axis=1)[:, sizes - 1]
        right.fill_between(sizes, *np.quantile(picked, [0.05, 0.95], axis=0), color=colour,
                           alpha=0.25, lw=0)
        right.plot(sizes, picked.mean(axis=0), color=colour, marker=marker, ms=3.5, lw=1,
                   label=label)
    for y, text in ends:
        right.axhline(y, color="black", lw=1, ls=":")
        right.annotate(text, (1.0, y), (4.0, 0.0), xycoords=("axes fraction", "data"),
                       textcoords="offset points", ha="left", va="center", fontsize=9)
    right.set_xscale("log")
    right.set_ylim(-0.05, 1.05)
    right.set_xlabel("number of draws s", fontsize=9)
    right.set_ylabel("1 - Rand index to C", fontsize=9)
    right.legend(frameon=False, fontsize=8, loc="center right")
    bare(left, right)
    return figure


def agreement_curves(reference, others):
    """Alpha-Rand and transport agreement for every cost of ambiguity."""
    alphas = np.linspace(0, 1, 41)
    figure, axes = plt.subplots(1, len(others), figsize=(9, 2.6), layout="constrained", sharey=True)
    for ax, (name, clustering) in zip(axes, others.items()):
        curve = sc.alpha_rand_curve(reference, clustering)
        ends = sc.transport_rand_index(reference, clustering)
        ax.plot([0, 1], [ends.upper, ends.lower], color=RED, lw=3.2, ls="--", label="transport")
        ax.plot(alphas, [curve.at(a) for a in alphas], color=BLUE, lw=1.4, label="alpha-Rand")
        ax.set_title(f"C and {name}", fontsize=10)
        ax.set_xlabel("alpha, the cost of ambiguity", fontsize=8)
        bare(ax)
    axes[0].set_ylabel("agreement", fontsize=9)
    axes[0].legend(frameon=False, fontsize=8, loc="lower left")
    return figure


def worst_factors(grid, worst):
    """Factor of the relaxed triangle inequality: found, corrected, printed."""
    figure, ax = plt.subplots(figsize=(6.5, 3.4), layout="constrained")
    fine = np.linspace(grid[0], 1, 200)
    ax.plot(fine, (1 + fine) / (2 * fine), color="black", lw=1.2, label="(1 + α)/(2α), corrected")
    ax.plot(fine, np.maximum(1, 1 / (2 * fine)), color=GREY, lw=1.2, ls="--",
            label="max(1, 1/(2α)), printed")
    for (name, values), colour, marker, size in zip(worst.items(), (BLUE, RED), "os", (7, 3.5)):
        ax.plot(grid, values, color=colour, marker=marker, ms=size, ls="",
                label=f"worst triple, {name}")
    ax.set_xlabel("alpha", fontsize=9)
    ax.set_ylabel("factor", fontsize=9)
    ax.set_ylim(0.8, None)
    ax.legend(frameon=False, fontsize=8)
    bare(ax)
    return figure


def seconds_by_size(sizes, seconds, names, share):
    """Run times of the exact ends, beside listing all compatible clusterings."""
    figure, ax = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
    for values, name, colour, marker in zip(np.transpose(seconds), names, (BLUE, RED), "os"):
        ax.plot(sizes, values, color=colour, marker=marker, ms=5, lw=1.2,
                label=f"softclust, {name}")
    listed = np.arange(60, 400)
    ax.plot(listed, 2.0 ** (share * listed) / 1e9, color=GREY, ls="--", lw=1.2,
            label="listing, 1e9 a second")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_ylim(1e-4, 1e10)
    ax.set_xlim(50, 20_000)
    ax.axhline(3.15e7, color=GREY, lw=0.8, ls=":")
    ax.text(18_000, 5e7, "one year", fontsize=8, color=GREY, ha="right")
    ax.set_xlabel("objects", fontsize=9)
    ax.set_ylabel("seconds", fontsize=9)
    ax.legend(frameon=False, fontsize=8, loc="center right")
    bare(ax)
    return figure


def bias_of_sampling(sizes, estimates, truth):
    figure, ax = plt.subplots(figsize=(6.5, 3.1), layout="constrained")
    s = np.geomspace(sizes[0], sizes[-1], 100)
    ax.fill_between(s, truth, np.minimum(1, truth + np.sqrt(np.log(40) / (2 * s))), color=GREY,
                    alpha=0.25, lw=0, label="printed 95 % bound")
    ax.plot(np.repeat(sizes, estimates.shape[1]), estimates.ravel(), color=RED, marker="^", ms=4,
            ls="", label="sampled value")
    ax.axhline(truth, color="black", lw=1.2, label="true value")
    ax.set_xscale("log")
    ax.set_ylim(-0.02, 1)
    ax.set_xlabel("draws on each side", fontsize=9)
    ax.set_ylabel("transport dissimilarity", fontsize=9)
    ax.legend(frameon=False, fontsize=8)
    bare(ax)
    return figure


def shares_of_failures(shares):
    figure, ax = plt.subplots(figsize=(6.5, 2.9), layout="constrained")
    rows = range(len(shares))
    ax.barh(rows, list(shares.values()), color=BLUE, height=0.6)
    for row, value in zip(rows, shares.values()):
        ax.text(value + 0.005, row, f"{value:.1%}" if value else "0", va="center", fontsize=8)
    ax.set_yticks(rows, list(shares), fontsize=8)
    ax.set_ylim(len(shares) - 0.4, -0.6)
    ax.set_xlabel("share of failures", fontsize=9)
    bare(ax)
    return figure
