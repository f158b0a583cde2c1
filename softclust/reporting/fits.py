"""Estimators that a report fits: the numbers of others, by shorter ways."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from .._checks import ClusteringError
from ..cluster import EvidentialCMeans, FuzzyCMeans, PossibilisticCMeans, RoughKMeans
from ..cluster.batched_kmeans import batched_kmeans
from ..clusterings import Clustering, FuzzyClustering, HardClustering
from ..running.warnings import process_filter
from ..tables.counting import cross_counts
from ..tables.matching import matched_first
from .plan import ALGORITHMS, BAGGED, BAGGED_TITLE, ReportPlan


class CompiledKMeans(BaseEstimator):
    """k-means with plain starts, compiled: for the criteria on many objects."""

    def __init__(self, n_clusters: int = 2, n_init: int = 10, random_state: int = 0) -> None:
        self.n_clusters, self.n_init, self.random_state = n_clusters, n_init, random_state

    def fit(self, X: Any, y: Any = None) -> CompiledKMeans:
        """Labels of the best start."""
        rng = np.random.default_rng(self.random_state)
        best = batched_kmeans(X, uniforms=rng.random((1, self.n_init, self.n_clusters)))
        assert best.labels is not None
        self.labels_ = best.labels[0]
        return self


# -- the clusterings of a report, with clusters in one order so that they can be read together ----
#: data sets of one cluster that are refitted, for tables with at most this many numbers times K
_ONE_CLUSTER, _REFITTED = 19, 40_000
#: factors on eta that possibilistic c-means is tried with, until its centres stay apart
ETA_FACTORS = (1.0, 0.5, 0.25, 0.1, 0.05)
#: centres nearer than this share of the scale of the data are one cluster found twice
APART = 0.1
#: number of clusters up to which evidential c-means uses every set of clusters
FULL_SETS = 4
#: distance at which an object is an outlier of evidential c-means, in root mean squared
#: distances from the mean of all objects
OUTLYING = 3.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """One algorithm's clustering, or why there is none.

    Attributes
    ----------
    key, title : str
    clustering : Clustering or None
        Clusters in the order of k-means.
    labels : HardClustering or None
        Hardened by largest plausibility.
    settings : str
        What the algorithm was told, in words.
    notes : tuple of str
        Its warnings.
    failure : str
        Why there is no clustering; empty when there is one.
    centers : (K, p) float64 or None
        k-means: centres on the scale that was clustered.
    """

    key: str
    title: str
    clustering: Clustering | None = None
    labels: HardClustering | None = None
    settings: str = ""
    notes: tuple[str, ...] = ()
    failure: str = ""
    centers: np.ndarray | None = None

    @property
    def found(self) -> HardClustering:
        """The labels of a fit that did not fail."""
        assert self.labels is not None
        return self.labels

    @property
    def sizes(self) -> np.ndarray:
        """Objects in each cluster, hardened."""
        return np.bincount(self.found.labels, minlength=self.found.n_clusters)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stability:
    """Stability of k-means from refits on resampled objects.

    Attributes
    ----------
    n_replicates : int
    share : (n,) float64
        Share of the refits that agree with the majority about the object, in [1/K, 1].
    entropy : (n,) float64
        Entropy of the shares in bits, in [0, log2 K].
    by_cluster : (K,) float64
        Mean of `share` over the objects of each cluster; nan for one without objects.
    pair : (int, int)
        The two clusters that most often exchange objects; (-1, -1) when none do.
    one_cluster : (R,) float64
        Mean share of data sets of one cluster, divided and refitted in the same way; empty if
        that takes too long.
    """

    n_replicates: int
    share: np.ndarray
    entropy: np.ndarray
    by_cluster: np.ndarray
    pair: tuple[int, int]
    one_cluster: np.ndarray = field(default_factory=lambda: np.empty(0))


def fit_algorithm(key: str, x: np.ndarray, n_clusters: int, plan: ReportPlan,
                  order: HardClustering | None) -> Fit:
    """Run one algorithm; what goes wrong in it is its failure, not the report's."""
    title = ALGORITHMS[key]
    with process_filter("always") as caught:
        try:
            fit = _FITS[key](x, n_clusters, plan)
            clustering: Clustering = (
                HardClustering(fit.labels_, cluster_names=range(n_clusters)) if key == "k-means"
                else FuzzyClustering(fit.predict_proba(x)) if key == "mixture"
                else fit.clustering_.normalize("maximum") if key == "possibilistic"
                else fit.clustering_)
            labels = clustering.harden("max_plausibility")
            sizes = np.bincount(labels.labels, minlength=labels.n_clusters)
            moved = (matched(order, labels) if order is not None
                     else np.argsort(-sizes, kind="stable"))   # from the largest to the smallest
            clustering, ordered = clustering.reordered(moved), labels.reordered(moved)
        except Exception as error:
            # An algorithm of another package may raise anything; the report goes on.
            text = str(error) or type(error).__name__
            return Fit(key=key, title=title, failure=text, notes=_notes(caught))
    settings = "; ".join([" ".join(repr(fit).split()), *filter(None, [_MEANING.get(key)])])
    return Fit(key=key, title=title, clustering=clustering, labels=ordered, settings=settings,
               notes=_notes(caught), centers=fit.cluster_centers_[moved] if key == "k-means" else
               None)


def fit_bagged(x: np.ndarray, base: Fit, plan: ReportPlan) -> tuple[Fit, Stability]:
    """k-means refitted on bootstrap samples, every object voting by its nearest centre."""
    from ..ensembles import BaggedClustering
    assert base.labels is not None
    k = base.labels.n_clusters
    with process_filter("always") as caught:
        bagged = BaggedClustering(n_clusters=k, n_resamples=plan.n_bagged, votes="all",
                                  n_init=3, random_state=plan.seed)
        bagged.fit(x, base=(base.labels.labels, base.centers))
        clustering = FuzzyClustering(bagged.membership_[:, :k])
    share = np.asarray(bagged.membership_.max(axis=1))
    groups = clustering.harden()
    means = np.array([share[groups.labels == c].mean() if (groups.labels == c).any() else np.nan
                      for c in range(k)])
    pair = bagged.pairwise_entropy_.pair if bagged.mean_entropy_ > 0.0 else None
    fit = Fit(key=BAGGED, title=BAGGED_TITLE, clustering=clustering, labels=groups,
              settings=f"{bagged.n_resamples_} refits of k-means on bootstrap samples, 3 starts "
                       "each; every object votes", notes=_notes(caught))
    return fit, Stability(n_replicates=int(bagged.n_resamples_), share=share,
                          entropy=np.asarray(bagged.entropy_), by_cluster=means,
                          pair=(int(pair[0]), int(pair[1])) if pair else (-1, -1))


def shares_of_one_cluster(x: np.ndarray, k: int, plan: ReportPlan) -> np.ndarray:
    """Mean share of agreeing refits in data of one cluster; empty if it takes too long."""
    from ..ensembles import BaggedClustering
    from ..selection.references import draw_references
    if plan.wide or x.size * k > _REFITTED:
        return np.empty(0)
    shares = []
    for rows in draw_references(x, n_references=_ONE_CLUSTER, rng=plan.seed):
        bagged = BaggedClustering(n_clusters=k, n_resamples=50, votes="all", n_init=3,
                                  random_state=plan.seed).fit(rows)
        shares.append(bagged.membership_.max(axis=1).mean())
    return np.array(shares)


# -- the algorithms, fitted -------------------------------------------------------------------
def _kmeans(x: np.ndarray, k: int, plan: ReportPlan) -> Any:
    from sklearn.cluster import KMeans
    return KMeans(n_clusters=k, n_init=plan.n_starts, random_state=plan.seed).fit(x)


def _mixture(x: np.ndarray, k: int, plan: ReportPlan) -> Any:
    from sklearn.mixture import GaussianMixture
    return GaussianMixture(n_components=k, covariance_type="diag" if plan.wide else "full",
                           n_init=min(plan.n_starts, 5), random_state=plan.seed).fit(x)


def _fuzzy(x: np.ndarray, k: int, plan: ReportPlan) -> Any:
    return FuzzyCMeans(k, n_init=plan.n_starts, random_state=plan.seed).fit(x)


def _rough(x: np.ndarray, k: int, plan: ReportPlan) -> Any:
    return RoughKMeans(k, n_init=plan.n_starts, random_state=plan.seed).fit(x)


def _evidential(x: np.ndarray, k: int, plan: ReportPlan) -> Any:
    radius = float(np.sqrt(x.var(axis=0).sum()))
    return EvidentialCMeans(k, alpha=2.0, delta=OUTLYING * radius, n_init=min(plan.n_starts, 3),
                            focal="full" if k <= FULL_SETS else "pairs",
                            random_state=plan.seed).fit(x)


def _possibilistic(x: np.ndarray, k: int, plan: ReportPlan) -> Any:
    scale = float(np.sqrt(x.var(axis=0).mean()))
    # Starts are those of the fuzzy fit before it, which seldom ends elsewhere.
    fit = PossibilisticCMeans(k, n_init=min(plan.n_starts, 2), random_state=plan.seed)
    for factor in ETA_FACTORS:
        with process_filter("ignore", "two centres of"):   # what is looked for here
            fit.set_params(eta_factor=factor).fit(x)
        if fit.min_center_distance_ > APART * scale:
            return fit
    raise ClusteringError(
        "two of its clusters coincide, even with the smallest eta factor tried "
        f"({ETA_FACTORS[-1]:g}). This is common where groups overlap and does not mean that the "
        "data are wrong")


_FITS: dict[str, Callable[[np.ndarray, int, ReportPlan], Any]] = {
    "k-means": _kmeans, "mixture": _mixture, "fuzzy": _fuzzy, "rough": _rough,
    "evidential": _evidential, "possibilistic": _possibilistic,
}
#: what the settings of an algorithm mean
_MEANING = {
    "rough": "a cluster is possible when its centre is at most 1.1 times as far as the nearest one",
    "evidential": f"delta, the distance of outliers, is {OUTLYING:g} root mean squared distances",
    "possibilistic": f"eta_factor is the largest of {', '.join(map(str, ETA_FACTORS))} that keeps "
    "centres apart; typicalities are divided by their largest"}


# -- one order of clusters --------------------------------------------------------------------
def matched(order: HardClustering, labels: HardClustering) -> np.ndarray:
    """Clusters of `labels` so that they share most objects with those of `order`."""
    return matched_first(cross_counts(order.labels, labels.labels, order.n_clusters,
                                      labels.n_clusters))


def _notes(caught: list[warnings.WarningMessage]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(w.message) for w in caught))
