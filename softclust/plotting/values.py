"""Charts of single values with their bounds and parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..results.text import in_words, position
from .figures import PALETTE, TEXT, bracket, chart, largest_rows, name_rows, new_axes, written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..comparison.influence import Influence
    from ..comparison.medoid import Medoid
    from ..ensembles.instability import LabelInstability
    from ..soft_pairs.entropies import CIC


@chart("LabelInstability", "label_instability(runs)")
def plot_instability(instability: LabelInstability, *, ax: Axes | None = None) -> Axes:
    """Draw the instability of labels between 0 and that of random labels.

    Parameters
    ----------
    instability : LabelInstability
        Result of `label_instability`.

    Returns
    -------
    matplotlib.axes.Axes
        A point at the value, a line at the value of random labels.

    Examples
    --------
    >>> from softclust.ensembles.instability import label_instability
    >>> ax = label_instability([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]]).plot()
    >>> ax.get_xlabel()
    'share of objects to move'
    """
    ax = bracket(ax, (0.0, instability.null), None, instability.value)
    ax.annotate("random labels", (instability.null, 0), xytext=(0, -14), ha="center", va="center",
                textcoords="offset points", fontsize="small")
    ax.set_xlabel("share of objects to move", color=TEXT)
    ax.set_title(f"labels that change between runs, {instability.n_pairs:,} pairs")
    return ax


@chart("CIC", "cluster_information_criterion(x)")
def plot_criterion(criterion: CIC, *, ax: Axes | None = None) -> Axes:
    """Draw the cluster information criterion as information less uncertainty.

    Parameters
    ----------
    criterion : CIC
        Result of `cluster_information_criterion`.

    Returns
    -------
    matplotlib.axes.Axes
        Three bars in bits: information, uncertainty (to the left), criterion.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> fuzzy = softclust.cluster.FuzzyCMeans(3, random_state=0).fit(iris.data)
    >>> ax = softclust.cluster_information_criterion(fuzzy).plot()
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['information', 'uncertainty', 'criterion']
    """
    ax = new_axes(ax, 5.4, 1.9)
    values = (criterion.information, -criterion.uncertainty, criterion.criterion)
    ax.barh(range(3), values, height=0.6, color=(PALETTE[0], PALETTE[1], "#444444"))
    for row, value in enumerate(values):
        side: Any = ("left", 4) if value >= 0 else ("right", -4)
        ax.annotate(f"{value:.3f}", (value, row), xytext=(side[1], 0), ha=side[0], va="center",
                    textcoords="offset points", fontsize="small")
    ax.axvline(0, color="black", lw=0.8)
    name_rows(ax, ["information", "uncertainty", "criterion"], frame=True)
    ax.margins(x=0.18)
    ax.set_xlabel("bits", color=TEXT)
    ax.set_title(f"cluster information criterion, {criterion.n_objects:,} objects")
    return ax


@chart("Medoid", "medoid(ensemble)")
def plot_medoid(medoid: Medoid, *, ax: Axes | None = None) -> Axes:
    """Draw how far each member of an ensemble is from all others.

    Parameters
    ----------
    medoid : Medoid
        Result of `softclust.medoid`.

    Returns
    -------
    matplotlib.axes.Axes
        Member b at x = b; the medoid is filled.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> runs = softclust.resampled_clusterings(iris.data, softclust.cluster.FuzzyCMeans(3),
    ...                                        n_resamples=20, rng=0)
    >>> ax = softclust.medoid(runs, measure="rand_index").plot()
    >>> ax.get_xlabel()
    'member'
    """
    ax = new_axes(ax, 5.6, 3.0)
    first = position(0)
    ax.plot(first + np.arange(medoid.totals.size), medoid.totals, ls="", marker="o", ms=5,
            mfc="white", mec=PALETTE[0])
    ax.plot([first + medoid.index], [medoid.total], ls="", marker="o", ms=8, color=PALETTE[0])
    ax.set(title=f"medoid (filled): {written(medoid.name)}", xlabel="member",
           ylabel=f"sum of dissimilarities\n({in_words(medoid.measure)})")
    ax.margins(y=0.15)
    ax.locator_params(axis="x", integer=True)
    return ax


@chart("Influence", "influence(x, y)")
def plot_influence(influence: Influence, *, top: int = 20, ax: Axes | None = None) -> Axes:
    """Draw the objects whose best move to another cluster gains most.

    Parameters
    ----------
    influence : Influence
        Result of `softclust.influence`.
    top : int, optional
        Objects that are drawn.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> iris = softclust.datasets.load_iris()
    >>> kmeans = KMeans(3, n_init=10, random_state=0).fit(iris.data)
    >>> ax = softclust.influence(iris.labels, kmeans).plot(top=8)
    >>> len(ax.get_yticklabels())
    8
    """
    ax = largest_rows(ax, [(name, gain) for name, gain, _ in influence.top(top)])
    ax.set_xlabel(f"gain of {in_words(influence.measure)} by the best move in {influence.side}")
    return ax
