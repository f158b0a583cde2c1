"""Charts of the stability of runs: pairs, clusters, objects, and its simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..clusterings import as_clustering
from .figures import (
    HEAT,
    HEAT_OF_DISAGREEMENT,
    PALETTE,
    TEXT,
    chart,
    name_columns,
    new_axes,
    pair_matrix,
    written,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .._types import ClusteringLike
    from ..ensembles import ClusterStability, Coassociation, ElementConsistency

#: characters of a name that fits below its bar
_SHORT = 8
#: share of the points that a local fit looks at, and fewest points that are smoothed
_SHARE, _FEWEST = 0.15, 5
_PANELS = {"information": HEAT, "uncertainty": HEAT_OF_DISAGREEMENT, "criterion": HEAT}


@chart("Coassociation", "coassociation(runs)")
def plot_coassociation(pairs: Coassociation, *, lower: float = 0.1, upper: float = 0.9,
                       ax: Axes | None = None) -> Axes:
    """Draw the CDF of the co-association of pairs of objects, with the window of PAC shaded.

    Parameters
    ----------
    pairs : Coassociation
    lower, upper : float, optional
        The window of PAC.

    Returns
    -------
    matplotlib.axes.Axes
        Steps; flat within the window if no pair is ambiguous. Drawn pairs have a band that
        contains the CDF of all pairs with probability .95.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> runs = softclust.resampled_clusterings(iris.data, softclust.cluster.FuzzyCMeans(4),
    ...                                        n_resamples=20, rng=0)
    >>> ax = softclust.coassociation(runs).plot()
    >>> ax.get_xlabel()
    'share of runs that join the pair'
    """
    ax = new_axes(ax, 5.0, 3.6)
    x = np.concatenate([[0.0], pairs.values, [1.0]])
    y = np.concatenate([[0.0], pairs.cdf(pairs.values), [1.0]])
    ax.axvspan(lower, upper, color=PALETTE[4], alpha=0.2, lw=0, gid="window")
    if not pairs.exact:
        band = np.vstack([[[0.0, 0.0]], pairs.cdf_band(), [[1.0, 1.0]]])
        ax.fill_between(x, band[:, 0], band[:, 1], step="post", color=PALETTE[0], alpha=0.2, lw=0,
                        gid="band")
    ax.step(x, y, where="post", color=PALETTE[0], lw=1.6, gid="cdf")
    how = "" if pairs.exact else f", {pairs.n_draws} pairs drawn"
    ax.set_title(f"{100 * pairs.pac(lower, upper):.1f} % of pairs are ambiguous: together in\n"
                 f"{100 * lower:g} to {100 * upper:g} % of the runs (PAC){how}")
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, 1.02)
    ax.set_xlabel("share of runs that join the pair")
    ax.set_ylabel("share of pairs, cumulated")
    return ax


@chart("Coassociation", "coassociation(runs)")
def plot_coassociation_matrix(pairs: Coassociation, *, order: ClusteringLike | None = None,
                              ax: Axes | None = None) -> Axes:
    """Draw the co-association of all pairs of up to 2,000 objects, similar ones side by side.

    Parameters
    ----------
    pairs : Coassociation
    order : clustering-like, optional
        Objects in the order of its clusters, which are framed and named; by default in the order of
        an average-linkage dendrogram of 1 - M.

    Returns
    -------
    matplotlib.axes.Axes
        Dark: always together; grey: pairs that are in no run together.

    Raises
    ------
    ClusteringError
        If there are more than 2,000 objects.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> runs = softclust.resampled_clusterings(iris.data, softclust.cluster.FuzzyCMeans(4),
    ...                                        n_resamples=20, rng=0)
    >>> ax = softclust.coassociation(runs).plot(kind="matrix", order=iris.labels)
    >>> ax.get_title(loc="left")
    'co-association of 150 objects in 20 runs'
    """
    matrix = pairs.matrix()
    n = matrix.shape[0]
    places, sizes, names = np.arange(n), [], []
    if order is not None:   # the clusters that objects are ordered by
        clustering = as_clustering(order, name="order")
        if (codes := clustering.hard_codes) is None or clustering.n_objects != n:
            raise ValueError(f"order is a {clustering.kind} clustering of {clustering.n_objects} "
                             f"objects; a hard one of {n} objects is needed")
        places, sizes = np.argsort(codes, kind="stable"), np.bincount(codes).tolist()
        names = [written(name, 20) for name in clustering.cluster_names]
    elif n >= 3:
        from scipy.cluster.hierarchy import leaves_list, linkage
        from scipy.spatial.distance import squareform
        apart = 1.0 - np.where(np.isnan(matrix), pairs.mean, matrix)
        places = leaves_list(linkage(squareform(apart, checks=False), "average"))
    ax = pair_matrix(ax, matrix, places, sizes, names, "share of runs that join the pair")
    ax.set_title(f"co-association of {pairs.runs.n_objects} objects in {pairs.runs.n_runs} runs")
    if pairs.never_together:
        ax.set_xlabel("grey: pairs that no run holds", color=TEXT)
    return ax


@chart("ClusterStability", "cluster_stability(reference, runs)")
def plot_cluster_stability(stability: ClusterStability, *, ax: Axes | None = None) -> Axes:
    """Draw the mean Jaccard index of each cluster, with lines at both limits.

    Parameters
    ----------
    stability : ClusterStability

    Returns
    -------
    matplotlib.axes.Axes
        Diamonds are means with one standard error, dots are runs; the size is below the name.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> fuzzy = softclust.cluster.FuzzyCMeans(4, random_state=0)
    >>> runs = softclust.resampled_clusterings(iris.data, fuzzy, n_resamples=20, rng=0)
    >>> ax = softclust.cluster_stability(fuzzy.fit(iris.data).labels_, runs).plot()
    >>> ax.get_ylabel()
    'Jaccard index with the best match'
    """
    means, errors = stability.jaccard, stability.standard_error
    r = means.size
    ax = new_axes(ax, max(4.0, 0.55 * r + 2.2), 3.6)
    at = np.arange(r)
    ax.errorbar(at, means, yerr=np.nan_to_num(errors), fmt="D", ms=7, color=PALETTE[0],
                ecolor="black", capsize=4, lw=1.2, zorder=3, gid="means")
    low, high = stability.limits
    for limit, text, style in ((low, "dissolved", ":"), (high, "recovered", "--")):
        ax.axhline(limit, color=PALETTE[5], lw=1, ls=style)
        ax.annotate(text, (1.0, limit), xycoords=("axes fraction", "data"), xytext=(3, 0),
                    textcoords="offset points", fontsize="small", color=PALETTE[5], va="center",
                    annotation_clip=False)
    shift = np.linspace(-0.22, 0.22, stability.n_runs) if stability.n_runs > 1 else np.zeros(1)
    for k in range(r):
        ax.plot(k + shift, stability.values[:, k], ls="", marker="o", ms=2.2, mfc=TEXT, mec="none",
                alpha=0.5)
    sizes = stability.reference.sizes
    names = [written(name, 20) for name in stability.reference.cluster_names]
    between = "\n" if max(map(len, names)) <= _SHORT else " "
    name_columns(ax, at, [f"{name}{between}({size})" for name, size in zip(names, sizes)],
                 longest=_SHORT + 8)
    ax.set_ylim(0.0, 1.05)
    ax.set_xlabel("cluster (objects)")
    ax.set_ylabel("Jaccard index with the best match")
    ax.set_title(f"stability in {stability.n_runs} runs\n"
                 "(diamond: mean and standard error, dot: run)")
    return ax


@chart("ElementConsistency", "element_consistency(runs)")
def plot_element_consistency(consistency: ElementConsistency, *, ax: Axes | None = None) -> Axes:
    """Draw how consistently runs keep each object with the same others, in rising order.

    Parameters
    ----------
    consistency : ElementConsistency

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> runs = softclust.resampled_clusterings(iris.data, softclust.cluster.FuzzyCMeans(4),
    ...                                        n_resamples=20, rng=0)
    >>> ax = softclust.element_consistency(runs).plot()
    >>> ax.get_ylabel()
    'element-centric consistency'
    """
    ax = new_axes(ax, 5.0, 3.4)
    values = np.sort(consistency.values[~np.isnan(consistency.values)])
    share = (np.arange(values.size) + 0.5) / max(1, values.size)
    ax.plot(share, values, color=PALETTE[0], lw=1.6, drawstyle="steps-mid")
    ax.axhline(consistency.index, color=PALETTE[5], lw=1, ls="--")
    ax.annotate(f"mean {consistency.index:.3f}", (0.02, consistency.index), xytext=(0, 3),
                textcoords="offset points", fontsize="small", color=PALETTE[5])
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, 1.02)
    ax.set_xlabel("share of objects, least consistent first")
    ax.set_ylabel("element-centric consistency")
    ax.set_title(f"{consistency.values.size} objects in {len(consistency.names)} runs")
    return ax
