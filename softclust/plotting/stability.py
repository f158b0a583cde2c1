"""Charts of the stability of runs: pairs, clusters, objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..clusterings import as_clustering
from .figures import HEAT, PALETTE, RAIL, TEXT, chart, check_record, name_columns, pyplot, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..ensembles import ClusterStability, Coassociation, ElementConsistency

#: characters of a name that fits below its bar
_SHORT = 8


@chart
def plot_coassociation(pairs: Coassociation, *, lower: float = 0.1, upper: float = 0.9,
                       ax: Axes | None = None) -> Axes:
    """The CDF of the co-association of pairs of objects, with the window of PAC shaded.

    Parameters
    ----------
    pairs : Coassociation
    lower, upper : float
        The window of PAC.

    Returns
    -------
    matplotlib.axes.Axes
        Steps; flat within the window where all pairs are clear. Drawn pairs have a band that
        holds the CDF of all pairs with probability .95.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.coassociation([[0, 0, 1, 1], [0, 0, 0, 1]]).plot()
    >>> ax.get_xlabel()
    'share of runs that join the pair'
    >>> import matplotlib.pyplot as plt
    >>> plt.close("all")
    """
    check_record("pairs", pairs, "Coassociation", "coassociation(runs)")
    if ax is None:
        ax = pyplot().subplots(figsize=(5.0, 3.6), layout="constrained")[1]
    x = np.concatenate([[0.0], pairs.values, [1.0]])
    y = np.concatenate([[0.0], pairs.cdf(pairs.values), [1.0]])
    ax.axvspan(lower, upper, color=PALETTE[4], alpha=0.2, lw=0, gid="window")
    if not pairs.exact:
        band = np.vstack([[[0.0, 0.0]], pairs.cdf_band(), [[1.0, 1.0]]])
        ax.fill_between(x, band[:, 0], band[:, 1], step="post", color=PALETTE[0], alpha=0.2, lw=0,
                        gid="band")
    ax.step(x, y, where="post", color=PALETTE[0], lw=1.6, gid="cdf")
    for t in (lower, upper):
        ax.plot([t, t], [0.0, pairs.cdf(t)], color=TEXT, lw=0.8, ls=":")
    how = "" if pairs.exact else f", {pairs.n_draws} pairs drawn"
    ax.set_title(f"PAC {pairs.pac(lower, upper):.3f} ({lower:g} to {upper:g}){how}", loc="left",
                 fontsize=10.5)
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, 1.02)
    ax.set_xlabel("share of runs that join the pair")
    ax.set_ylabel("share of pairs, cumulated")
    _open(ax)
    return ax


@chart
def plot_coassociation_matrix(pairs: Coassociation, *, order: Any = None, ax: Axes | None = None
                              ) -> Axes:
    """The co-association of all pairs of up to 2,000 objects, similar objects side by side.

    Parameters
    ----------
    pairs : Coassociation
    order : clustering-like, optional
        Objects in the order of its clusters, with lines between them; by default in the order of
        an average-linkage dendrogram of 1 - M.

    Returns
    -------
    matplotlib.axes.Axes
        Dark: always together; grey hatching of pairs that no run holds.

    Raises
    ------
    ClusteringError
        If there are more than 2,000 objects.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> pairs = softclust.coassociation([[0, 1, 0, 1], [0, 1, 0, 0]])
    >>> ax = pairs.plot(kind="matrix", order=[0, 1, 0, 1])
    >>> ax.get_title(loc="left")
    'co-association of 4 objects in 2 runs'
    >>> import matplotlib.pyplot as plt
    >>> plt.close("all")
    """
    check_record("pairs", pairs, "Coassociation", "coassociation(runs)")
    matrix = pairs.matrix()
    places, ends = _object_order(matrix, pairs.mean, order)
    if ax is None:
        ax = pyplot().subplots(figsize=(5.0, 4.4), layout="constrained")[1]
    ax.set_facecolor(RAIL)
    shown = np.ma.masked_invalid(matrix[np.ix_(places, places)])
    image = ax.imshow(shown, cmap=HEAT, vmin=0.0, vmax=1.0, interpolation="nearest")
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.8)
    bar.set_label("share of runs that join the pair")
    for end in ends:
        ax.axhline(end - 0.5, color=PALETTE[5], lw=0.8)
        ax.axvline(end - 0.5, color=PALETTE[5], lw=0.8)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_title(f"co-association of {pairs.runs.n_objects} objects in {pairs.runs.n_runs} runs",
                 loc="left", fontsize=10.5)
    if pairs.never_together:
        ax.set_xlabel("grey: pairs that no run holds", fontsize=8, color=TEXT)
    return ax


def _object_order(matrix: np.ndarray, mean: float, order: Any) -> tuple[np.ndarray, np.ndarray]:
    """Places of the objects, and where clusters end."""
    n = matrix.shape[0]
    if order is not None:
        clustering = as_clustering(order, name="order")
        if (codes := clustering.hard_codes) is None or clustering.n_objects != n:
            raise ValueError(f"order is a {clustering.kind} clustering of {clustering.n_objects} "
                             f"objects; a hard one of {n} objects is needed")
        return np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1]
    if n < 3:
        return np.arange(n), np.empty(0)
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform
    apart = 1.0 - np.where(np.isnan(matrix), mean, matrix)
    return leaves_list(linkage(squareform(apart, checks=False), "average")), np.empty(0)


@chart
def plot_cluster_stability(stability: ClusterStability, *, ax: Axes | None = None) -> Axes:
    """A bar for the mean Jaccard index of each cluster, with lines at both limits.

    Parameters
    ----------
    stability : ClusterStability

    Returns
    -------
    matplotlib.axes.Axes
        Dots are runs, whiskers one standard error; below a name stands the size.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.cluster_stability([0, 0, 1, 1], [[0, 0, 1, 1], [0, 1, 1, 1]]).plot()
    >>> ax.get_ylabel()
    'Jaccard index with the best match'
    >>> import matplotlib.pyplot as plt
    >>> plt.close("all")
    """
    check_record("stability", stability, "ClusterStability", "cluster_stability(reference, runs)")
    means, errors = stability.jaccard, stability.standard_error
    r = means.size
    if ax is None:
        ax = pyplot().subplots(figsize=(max(4.0, 0.55 * r + 2.2), 3.6), layout="constrained")[1]
    at = np.arange(r)
    ax.bar(at, np.nan_to_num(means), width=0.62, color=PALETTE[0], alpha=0.55, gid="bars")
    ax.errorbar(at, means, yerr=np.nan_to_num(errors), fmt="none", ecolor="black", capsize=3, lw=1)
    low, high = stability.limits
    for limit, text, style in ((low, "dissolved", ":"), (high, "recovered", "--")):
        ax.axhline(limit, color=PALETTE[5], lw=1, ls=style)
        ax.annotate(text, (1.0, limit), xycoords=("axes fraction", "data"), xytext=(3, 0),
                    textcoords="offset points", fontsize=8, color=PALETTE[5], va="center",
                    annotation_clip=False)
    shift = np.linspace(-0.22, 0.22, stability.n_runs) if stability.n_runs > 1 else np.zeros(1)
    for k in range(r):
        ax.plot(k + shift, stability.values[:, k], ls="", marker="o", ms=2.2, mfc=TEXT, mec="none",
                alpha=0.5)
    sizes = stability.reference.sizes
    names = [written(name, 20) for name in stability.reference.cluster_names]
    between = "\n" if max(map(len, names)) <= _SHORT else " "
    name_columns(ax, at, [f"{name}{between}({size})" for name, size in zip(names, sizes)],
                 most=_SHORT + 8, fontsize=8)
    ax.set_ylim(0.0, 1.05)
    ax.set_xlabel("cluster (objects)")
    ax.set_ylabel("Jaccard index with the best match")
    ax.set_title(f"stability in {stability.n_runs} runs", loc="left", fontsize=10.5)
    _open(ax)
    return ax


@chart
def plot_element_consistency(consistency: ElementConsistency, *, ax: Axes | None = None) -> Axes:
    """How consistently runs keep each object with the same others, in rising order.

    Parameters
    ----------
    consistency : ElementConsistency

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.element_consistency([[0, 0, 1, 1], [0, 1, 1, 1]]).plot()
    >>> ax.get_ylabel()
    'element-centric consistency'
    >>> import matplotlib.pyplot as plt
    >>> plt.close("all")
    """
    check_record("consistency", consistency, "ElementConsistency", "element_consistency(runs)")
    if ax is None:
        ax = pyplot().subplots(figsize=(5.0, 3.4), layout="constrained")[1]
    values = np.sort(consistency.values[~np.isnan(consistency.values)])
    share = (np.arange(values.size) + 0.5) / max(1, values.size)
    ax.plot(share, values, color=PALETTE[0], lw=1.6, drawstyle="steps-mid")
    ax.axhline(consistency.index, color=PALETTE[5], lw=1, ls="--")
    ax.annotate(f"mean {consistency.index:.3f}", (0.02, consistency.index), xytext=(0, 3),
                textcoords="offset points", fontsize=8, color=PALETTE[5])
    ax.set_xlim(0.0, 1.0)
    ax.set_ylim(0.0, 1.02)
    ax.set_xlabel("share of objects, least consistent first")
    ax.set_ylabel("element-centric consistency")
    ax.set_title(f"{consistency.values.size} objects in {len(consistency.names)} runs", loc="left",
                 fontsize=10.5)
    _open(ax)
    return ax


def _open(ax: Axes) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
