"""Charts of the choice of the number of clusters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._checks import check_choice
from ..results.text import in_words, position
from ..selection.criteria import no_entropies
from .figures import (
    HEAT,
    LINES,
    PALETTE,
    RAIL,
    TEXT,
    chart,
    colour,
    heat_map,
    marker,
    new_axes,
    pyplot,
    written,
)
from .objects import draw_labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..selection import (
        ClusterNumber,
        ClusterTest,
        PredictionStrength,
        Replication,
        SeparationTest,
        SettingsComparison,
    )


@chart("ClusterNumber", "cluster_number(X)")
def plot_cluster_number(chosen: ClusterNumber, *, ax: Axes | None = None) -> Axes:
    """Draw the criterion over the number of clusters, one line for each prior scale.

    Parameters
    ----------
    chosen : ClusterNumber

    Returns
    -------
    matplotlib.axes.Axes
        Best values are ringed; bars are one Monte Carlo error. Numbers of clusters dropped by
        early stopping are hollow, with their number of replicates, and no line leads to them.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.datasets.bbc_gaussians(1, rng=1).data
    >>> ax = softclust.cluster_number(x, criterion="silhouette", rng=0).plot()
    >>> ax.get_ylabel()
    'mean silhouette width'
    """
    ax = new_axes(ax, 5.4, 3.6)
    order = np.argsort(chosen.n_clusters)
    ks = chosen.n_clusters[order]
    for s, scale in enumerate(chosen.scale):
        values, errors = chosen.criterion[order, s], chosen.mc_error[order, s]
        # Shifted a little, so that error bars of several scales stay apart.
        at = ks + 0.05 * (s - (len(chosen.scale) - 1) / 2)
        behind = chosen.behind[order, s]
        look: dict[str, Any] = {"color": colour(s), "marker": marker(s), "ms": 5.5, "capsize": 2.5,
                                "elinewidth": 1}
        _points(ax, at, np.where(behind, np.nan, values), errors, lw=1.5,
                ls=LINES[s % len(LINES)], **look)
        if len(chosen.scale) > 1:   # the name of a line stands at its end
            ax.annotate(f"prior scale {scale:g}", (at[-1], values[-1]), xytext=(8, 0), va="center",
                        textcoords="offset points", color=colour(s), fontsize="small")
        if behind.any():
            _points(ax, at[behind], values[behind], errors[behind], ls="", mfc="white",
                    gid="given up", **look)
            for place in np.flatnonzero(behind):
                ax.annotate(f"{chosen.n_resamples[order[place], s]} of "
                            f"{chosen.n_resamples[:, s].max()}", (at[place], values[place]),
                            xytext=(6, 4), textcoords="offset points", fontsize="x-small",
                            color=TEXT)
        best = ks == chosen.best_by_scale[s]
        ax.plot(at[best], values[best], ls="", marker="o", ms=13, mfc="none", mec=colour(s),
                mew=1.3, gid="best")
    ax.set_xticks(ks)
    ax.set_xlabel("number of clusters K")
    ax.set_ylabel(chosen.title)
    ax.set_title(f"best: K = {chosen.best}" + (
        "" if math.isnan(chosen.scale[0]) else f" (scale {chosen.scale[0]:g})"))
    if chosen.given_up:
        ax.set_title("hollow: stopped early (replicates)", loc="right", fontsize="small",
                     color=TEXT)
    return ax


def _points(ax: Axes, at: np.ndarray, values: np.ndarray, errors: np.ndarray, **look: Any) -> None:
    """Points with bars of one error, where there are any."""
    ax.errorbar(at, values, yerr=None if np.isnan(errors).all() else errors, **look)


@chart("ClusterNumber", "cluster_number(X)")
def plot_taxonomy(chosen: ClusterNumber, *, ax: Axes | None = None) -> Axes:
    """Draw mean entropy against pairwise entropy, a point for each number of clusters.

    Low and low is a clear clustering; only the mean entropy high means many small doubts; a
    high pairwise entropy means that two clusters should probably be merged.

    Parameters
    ----------
    chosen : ClusterNumber
        Of a criterion of memberships, such as "entropy".

    Returns
    -------
    matplotlib.axes.Axes
        Points are labelled by K, with the pair of clusters that blurs most in parentheses. Numbers
        of clusters that a race dropped early are grey: both their entropies are too low.

    Raises
    ------
    ClusteringError
        If the criterion has no entropies.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.datasets.bbc_gaussians(1, rng=1).data
    >>> ax = softclust.cluster_number(x, [2, 3, 4], n_resamples=60, rng=0).plot(kind="taxonomy")
    >>> ax.get_xlabel()
    'mean membership entropy (bits)'
    """
    if not chosen.has_entropies:
        raise no_entropies(chosen.method)
    ax = new_axes(ax, 5.4, 4.2)
    # One line for each prior scale; numbers that a race dropped are hollow.
    order = np.argsort(chosen.n_clusters)
    names, places, colours = [], [], []
    for s, scale in enumerate(chosen.scale):
        x, y = chosen.entropy[order, s], chosen.pairwise_entropy[order, s]
        behind = chosen.behind[order, s]
        ax.plot(*(np.where(behind, np.nan, v) for v in (x, y)), color=colour(s), marker=marker(s),
                ms=5.5, lw=0.9, ls=LINES[s % len(LINES)],
                label=None if math.isnan(scale) else f"scale {scale:g}")
        ax.plot(x[behind], y[behind], ls="", marker=marker(s), ms=5.5, mfc="white", mec="0.6",
                gid="given up")
        for j, k in enumerate(order):
            if not np.isnan(x[j]):
                pair = "" if s else f" ({','.join(str(position(c)) for c in chosen.pair[k, s])})"
                names.append(f"{chosen.n_clusters[k]}{', stopped early' if behind[j] else pair}")
                places.append((x[j], y[j]))
                colours.append("0.6" if behind[j] else colour(s))
    points = np.reshape(places, (-1, 2))

    # Words in the corners have room of their own: the best numbers lie at the origin.
    right, top = (1.16 * max(side, default=1.0) or 1.0 for side in points.T)
    ax.set_xlim(0.0, right)
    ax.set_ylim(-0.1 * top, top)
    ax.set_yticks([tick for tick in ax.get_yticks() if 0.0 <= tick <= top])
    region: dict[str, Any] = {"transform": ax.transAxes, "fontsize": "small", "color": TEXT,
                              "style": "italic"}
    ax.text(0.02, 0.02, "clear", ha="left", va="bottom", **region)
    ax.text(0.98, 0.02, "many small doubts", ha="right", va="bottom", **region)
    ax.text(0.02, 0.98, "merge two clusters?", ha="left", va="top", **region)
    ax.set_xlabel("mean membership entropy (bits)")
    ax.set_ylabel("largest pairwise entropy (bits)")
    ax.set_title("each K with the two clusters that are hardest to tell apart")
    if len(chosen.scale) > 1:
        ax.legend()
    draw_labels(ax, names, points, colours, fontsize=8, weight="normal",
                lines=[np.asarray(line.get_xydata()) for line in ax.lines])
    return ax


@chart("PredictionStrength", "prediction_strength(X, estimator)")
def plot_prediction_strength(strength: PredictionStrength, *, ax: Axes | None = None) -> Axes:
    """Draw prediction strength over the number of clusters, with the threshold.

    Parameters
    ----------
    strength : PredictionStrength

    Returns
    -------
    matplotlib.axes.Axes
        The number chosen is ringed; bars are one standard error.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> x = softclust.datasets.bbc_gaussians(1, rng=1).data
    >>> ax = softclust.prediction_strength(x, KMeans(n_init=5), [2, 3, 4], n_splits=4, rng=0).plot()
    >>> ax.get_ylabel()
    'prediction strength'
    """
    ax = new_axes(ax, 5.4, 3.6)
    order = np.argsort(strength.n_clusters)
    ks, means = strength.n_clusters[order], strength.mean[order]
    ax.axhline(strength.threshold, color=PALETTE[5], lw=1, ls="--", gid="threshold")
    ax.errorbar(ks, means, yerr=np.nan_to_num(strength.standard_error[order]), color=PALETTE[0],
                marker=marker(0), ms=5.5, lw=1.5, capsize=2.5, elinewidth=1)
    best = ks == strength.best
    ax.plot(ks[best], means[best], ls="", marker="o", ms=13, mfc="none", mec=PALETTE[0], mew=1.3,
            gid="best")
    ax.set_xticks(ks)
    ax.set_ylim(0.0, 1.05)
    ax.set_xlabel("number of clusters K")
    ax.set_ylabel("prediction strength")
    ax.set_title(f"best: K = {strength.best} (threshold {strength.threshold:g})")
    return ax


@chart("ClusterTest", "cluster_test(X)")
def plot_cluster_test(test: ClusterTest, *, step: int | None = None, ax: Axes | None = None
                      ) -> Axes:
    """Draw the separation of each number of clusters over that of data without more clusters.

    Parameters
    ----------
    test : ClusterTest
    step : int, optional
        The step to draw, 1 for the first; by default the last one in which the data were more
        separated than the references.

    Returns
    -------
    matplotlib.axes.Axes
        Points are the data, the band is the middle 90 % of the references with their median, and
        the number with the largest separation is filled. For a single number of clusters a
        histogram of the references, with a line at the data.

    Raises
    ------
    ValueError
        If there is no such step.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.datasets.load_iris().data
    >>> ax = softclust.cluster_test(x, n_references=39, rng=0).plot()
    >>> ax.get_title(loc="left")
    'against 1 cluster: p = 0.025'
    """
    count = len(test.steps)
    if step is None:
        step = max([1, *(s + 1 for s in range(count) if test.p_value[s] <= test.significance)])
    if not 1 <= step <= count:
        raise ValueError(f"step is {step}; the test has steps 1 to {count}")
    drawn = test.steps[step - 1]
    ax = new_axes(ax, 5.4, 3.6)
    if drawn.n_clusters.size == 1:
        known = drawn.references[0][np.isfinite(drawn.references[0])]
        ax.hist(known, bins="auto", color="0.8", edgecolor="white")
        ax.axvline(drawn.statistic[0], color=PALETTE[0], lw=2, gid="data")
        ax.annotate("data", (drawn.statistic[0], ax.get_ylim()[1]), xytext=(4, -2), va="top",
                    textcoords="offset points", color=PALETTE[0])
        ax.set_xlabel(f"separation of {drawn.n_clusters[0]} clusters")
        ax.set_ylabel("references")
    else:
        ks = drawn.n_clusters
        low, middle, high = np.quantile(drawn.references, [0.05, 0.5, 0.95], axis=1)
        ax.fill_between(ks, low, high, color="0.85", lw=0, gid="references",
                        label="references, middle 90 %")
        ax.plot(ks, middle, color=TEXT, lw=1, ls="--", label="their median")
        ax.plot(ks, drawn.statistic, color=PALETTE[0], marker="o", ms=7, mfc="white", lw=1.5,
                label="data")
        ax.plot(ks[drawn.chosen], drawn.statistic[drawn.chosen], ls="", marker="o", ms=7,
                color=PALETTE[0], gid="chosen")
        ax.set_xticks(ks)
        ax.set_xlabel("number of clusters K")
        ax.set_ylabel("separation of the weakest pair")
        ax.set_ylim(bottom=0)
        ax.legend()
    many = "1 cluster" if drawn.against == 1 else f"{drawn.against} clusters"
    ax.set_title(f"against {many}: p = {drawn.p_value:.3f}")
    return ax


@chart("SeparationTest", "separation_test(X, labels)")
def plot_separation_test(test: SeparationTest, *, ax: Axes | None = None) -> Axes:
    """Draw the clusters at their means, joined where they may be one.

    Parameters
    ----------
    test : SeparationTest

    Returns
    -------
    matplotlib.axes.Axes
        Clusters are circles at their means, on the first two principal axes of the means; their
        areas grow with the number of objects, and a group has one colour. A line joins two
        clusters that were compared and are not apart as a pair; it is thicker the larger the
        p-value, and dotted if it is not part of the tree. Clusters too small to judge are hollow.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> ax = softclust.separation_test(iris.data, iris.labels, rng=0).plot()
    >>> ax.get_title(loc="left")
    '2 groups of 3 clusters'
    """
    k, means = len(test.clusters), test.means
    middle = means[:k].mean(axis=0)
    axes = np.linalg.svd(means[:k] - middle, full_matrices=False)[2][:2].T
    axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), range(axes.shape[1])] < 0, -1.0, 1.0)
    places = np.zeros((len(means), 2))
    places[:, :axes.shape[1]] = (means - middle) @ axes
    if k == 2:
        places[:k, 1] = 0.0   # what is left is rounding
    ax = new_axes(ax, 5.4, 4.2)
    pairs, tree = test.pairs, {*zip(test.edges.first.tolist(), test.edges.second.tolist())}
    lines = []
    for i, j, p in zip(pairs.first.tolist(), pairs.second.tolist(), pairs.p_value.tolist()):
        if p > test.significance + 1e-12:
            lines.append(places[[i, j]])
            ax.plot(*places[[i, j]].T, color="0.5", lw=1 + 3 * p, zorder=1,
                    ls="-" if (i, j) in tree else ":", gid=f"line {i} {j}")
    small = [np.count_nonzero(test.labels == test.n_groups + g) for g in range(len(test.small))]
    areas = 30 + 500 * np.array([*test.objects.tolist(), *small]) / test.objects.max()
    colours = [colour(g) for g in test.group] + ["0.6"] * len(small)
    for g, place in enumerate(places):
        shape = marker(int(test.group[g])) if g < k else "o"
        fill = colours[g] if g < k else "white"
        ax.scatter(place[0], place[1], s=areas[g], marker=shape, color=fill,
                   edgecolors=colours[g], linewidths=1.2, zorder=2, gid=f"cluster {g}")
    ax.set_xlabel("first principal axis of the means")
    ax.set_ylabel("second principal axis" if places[:, 1].any() else "")
    if not places[:, 1].any():
        ax.set_yticks([])
    groups = "1 group" if test.n_groups == 1 else f"{test.n_groups} groups"
    ax.set_title(f"{groups} of {k} clusters")
    figure: Any = ax.figure
    figure.draw_without_rendering()   # settles the layout: both axes get the same scale
    middle, spread = (places.max(axis=0) + places.min(axis=0)) / 2, np.ptp(places, axis=0)
    frame = np.array([ax.bbox.width, ax.bbox.height])
    unit = 0.62 * (spread / frame).max() or 1.0
    ax.set_xlim(*(middle[0] + unit * frame[0] * np.array([-1, 1])))
    ax.set_ylim(*(middle[1] + unit * frame[1] * np.array([-1, 1])))
    radii = np.sqrt(areas) / 2 * figure.dpi / 72 * 2 * unit
    draw_labels(ax, [written(position(name), 20) for name in (*test.clusters, *test.small)], places,
                colours, radii=radii, weight="normal", lines=lines)
    return ax


@chart("Replication", "replicate(cohorts, estimator)")
def plot_replication(found: Replication, *, kind: Literal["cohorts", "clusters"] = "cohorts",
                     ax: Axes | None = None) -> Axes:
    """Draw the agreement of cohorts, or how well each cluster is found again.

    Parameters
    ----------
    found : Replication
    kind : {"cohorts", "clusters"}
        A matrix from cohort (row) to cohort (column) with the ceiling on its diagonal and the floor
        and p-value in the cells; or the best overlap of each cluster in each other cohort, with its
        share in both.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import softclust
    >>> x = softclust.datasets.load_iris().data
    >>> labels = (x[:, 2] > 2.5).astype(int)
    >>> cohorts = {"odd": (x[::2], labels[::2]), "even": (x[1::2], labels[1::2])}
    >>> ax = softclust.replicate(cohorts).plot()
    >>> ax.get_xlabel()
    'found in'
    """
    check_choice("kind", kind, ("cohorts", "clusters"))
    if kind == "clusters":
        rows = found.clusters
        ax = new_axes(ax, 5.8, 0.8 + 0.36 * len(rows))
        places = np.arange(len(rows))
        ax.barh(places, [0.0 if math.isnan(row["jaccard"]) else row["jaccard"] for row in rows],
                color=PALETTE[0], height=0.5, label="overlap with its best cluster (Jaccard)")
        for name, shape, text in (("share", "|", "share where it was found"),
                                  ("carried_share", "D", "share in the other cohort")):
            ax.plot([row[name] for row in rows], places, ls="", marker=shape, mew=2,
                    color=PALETTE[5], ms=8 if shape == "|" else 5, label=text)
        ax.set_yticks(places, [f"{position(row['cluster'])} of {row['from']} in {row['to']} "
                               f"({row['event']})" for row in rows])
        ax.invert_yaxis()
        ax.set_xlim(0, 1.02)
        ax.set_xlabel("share")
        ax.legend(loc="lower left", bbox_to_anchor=(-0.3, 1.0), frameon=False)
        return ax
    count = len(found.names)
    texts = []
    for s in range(count):
        row = []
        for t in range(count):
            value = found.agreement[s, t]
            text = "" if math.isnan(value) else f"{value:.2f}"
            if s == t and text:
                text = f"ceiling\n{text}"
            elif not math.isnan(found.floor[s, t]):
                text += f"\nfloor {found.floor[s, t]:.2f}\np = {found.p_value[s, t]:.2g}"
            row.append(text)
        texts.append(row)
    names = [written(name, 20) for name in found.names]
    ax = heat_map(ax, found.agreement, names, names, limits=(0.0, 1.0), cmap=HEAT, texts=texts,
                  label=in_words(found.measure))
    ax.set(xlabel="found in", ylabel="clusters of", title="ceiling: halves of one cohort; "
                                                          "floor: one cluster")
    return ax


@chart("SettingsComparison", "compare_settings(X, estimator, param_grid)")
def plot_settings(found: SettingsComparison, *, kind: Literal["excess", "lines"] = "excess",
                  ax: Axes | None = None) -> Axes:
    """Draw the excess stability of settings, or stability over the number of clusters.

    Parameters
    ----------
    found : SettingsComparison
    kind : {"excess", "lines"}
        "excess": each setting with its interval over the band of data of one cluster; filled if it
        may be best, ringed if it is the best guess. Below, the number of clusters, with the middle
        80 % in halves (left out in given axes). A bar lies over settings that are the same
        clustering. "lines": the stability of the data and of one cluster over the number of
        clusters.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import numpy as np
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> centres = 8 * np.array([[0, 0], [1, 0], [0, 1]])[np.arange(96) % 3]
    >>> x = np.random.default_rng(0).normal(size=(96, 2)) + centres
    >>> found = softclust.compare_settings(x, KMeans(), {"n_clusters": [2, 3, 4]}, n_blocks=12,
    ...                                    n_references=19, rng=0)
    >>> found.plot().get_ylabel()
    'excess stability'
    """
    if check_choice("kind", kind, ("excess", "lines")) == "lines":
        return _stability_lines(found, ax)
    below: Any = None
    if ax is None:
        ax, below = pyplot().subplots(2, sharex=True, height_ratios=(2, 1), figsize=(
            max(4.6, 0.55 * len(found) + 1.5), 5.0))[1]
    assert ax is not None
    places, varied, name = _places(found)
    band = np.nanquantile(found.one_cluster_sets - found.one_cluster, [0.05, 0.95], axis=0)
    wide = 0.4 * np.diff(np.unique(places)).min()
    ax.axhline(0.0, color="0.6", lw=0.8)
    for k, x in enumerate(places):
        ax.fill_between([x - wide, x + wide], *band[:, [k]], color="0.88", lw=0,
                        label="one cluster, middle 90 %" if k == 0 else None)
        possible = k in found.possibly_best
        ax.errorbar(x, found.excess[k], yerr=[[found.excess[k] - found.low[k]],
                                              [found.high[k] - found.excess[k]]],
                    marker="o", ms=6, mfc=PALETTE[0] if possible else "white", mec=PALETTE[0],
                    ecolor=PALETTE[0], capsize=2.5, gid="possible" if possible else "setting")
    if found.best is not None:
        ax.plot(places[found.best], found.excess[found.best], ls="", marker="o", ms=12, mfc="none",
                mec=PALETTE[5], mew=1.8, gid="best", label="best guess")
    top = ax.get_ylim()[1]
    for plateau in found.plateaus:
        if len(plateau) > 1:
            ax.plot(places[[plateau[0], plateau[-1]]], [top, top], color=TEXT, lw=3,
                    solid_capstyle="butt", gid="plateau")
    ax.set_ylabel("excess stability")
    ax.legend()
    if below is not None:
        low, high = np.quantile(found.found, [0.1, 0.9], axis=1)
        below.vlines(places, low, high, color=RAIL, lw=6, label="in halves, middle 80 %")
        below.plot(places, found.n_clusters, ls="", marker="o", ms=4, color=TEXT,
                   label="all objects")
        below.set_ylabel("clusters")
        below.legend()
        below.spines[["top", "right"]].set_visible(False)
    lower = ax if below is None else below
    short = max(map(len, varied)) < 7
    lower.set_xticks(places, varied, rotation=0 if short else 60, ha="center" if short else "right")
    lower.set_xlabel(name)
    return ax


def _places(found: SettingsComparison) -> tuple[np.ndarray, list[str], str]:
    """Where settings stand, what is written there, and what the axis is."""
    keys = [key for key in found.parameters[0] if all(key in each for each in found.parameters)
            and len({repr(each[key]) for each in found.parameters}) > 1]
    if len(keys) == 1 and (found.family == found.family[0]).all():
        values = np.array([float(each[keys[0]]) for each in found.parameters])
        texts = [f"{value:g}" for value in values]
        if values.min() > 0 and values.max() > 10 * values.min():
            return np.log10(values), texts, f"{keys[0]} (logarithmic)"
        return values, texts, keys[0]
    return np.arange(float(len(found))), [written(name, 24) for name in found.names], ""


def _stability_lines(found: SettingsComparison, ax: Axes | None) -> Axes:
    """Stability of the data and of one cluster over the number of clusters, a colour per family."""
    ax = new_axes(ax, 5.4, 3.6)
    clusters = found.found.mean(axis=1)
    for f, first in enumerate(np.unique(found.family)):
        own = np.flatnonzero(found.family == first)
        own = own[np.argsort(clusters[own], kind="stable")]
        label = found.names[own[0]].rpartition("=")[0] or found.names[own[0]]
        ax.plot(clusters[own], found.stability[own], color=colour(f), marker=marker(f), ms=5,
                label=f"data, {label}")
        ax.plot(clusters[own], found.one_cluster[own], color=colour(f), ls="--", lw=1,
                label="one cluster" if f == 0 else None)
    ax.set(xlabel="mean number of clusters in halves", ylabel="adjusted Rand index of halves",
           ylim=(min(0.0, ax.get_ylim()[0]), 1.05))
    ax.legend()
    return ax
