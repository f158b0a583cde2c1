"""Commands of the R package that fit: clusterers and bagging.

Each takes decoded arguments (`_front.decode`) and returns a record as a dict with the names that
R shows. Positions (labels, clusters, objects) count from 1 in what R gets and gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc

from . import RError
from ._front import Encoded, command, crossing, from_one, from_zero, strings, whole
from ._front_records import FIELDS, Options, checked

# -- clusterers ---------------------------------------------------------------------------------
_CLUSTERERS = {"rough_kmeans": "RoughKMeans", "fuzzy_cmeans": "FuzzyCMeans",
               "possibilistic_cmeans": "PossibilisticCMeans",
               "evidential_cmeans": "EvidentialCMeans", "slaglo": "SLAGLO", "sldid": "SLDID"}
_HIERARCHICAL = ("slaglo", "sldid")
#: what R gets of a fitted clusterer (`crossing`)
_TREE = "clustering=clustering_ labels=labels_@# merges=merges_ isolated=isolated_@#"
_CENTERS = ("clustering=clustering_ labels=labels_@# centers=cluster_centers_ "
            "objective=objective_ history=objective_history_ n_iter=n_iter_ converged=converged_")
#: what `assign` of a fitted clusterer reads besides its parameters and centres
_FITTED = {"possibilistic_cmeans": "eta", "evidential_cmeans": "focal_sets"}


@command
def cluster(data: np.ndarray, n_clusters: Any, method: str, options: Options,
            sample_weight: Any = None, seed: Any = None) -> dict[str, Any]:
    """Fit a clusterer of `softclust.cluster`."""
    kind = getattr(sc.cluster, _CLUSTERERS[method])
    # Weights go to `fit`; the message names them with the rest.
    weighted = () if method in _HIERARCHICAL else ("sample_weight",)
    if sample_weight is not None and not weighted:
        options = {"sample_weight": None, **options}
    fitted = kind(n_clusters, **checked(kind, options, f'method "{method}"', weighted))
    if method in _HIERARCHICAL:
        return crossing(fitted.fit(data), _TREE)
    fitted.set_params(random_state=seed).fit(data, sample_weight=sample_weight)
    own = _FITTED.get(method)
    return crossing(fitted, _CENTERS, {own: getattr(fitted, f"{own}_")} if own else None)


@command
def assign(data: np.ndarray, method: str, centers: np.ndarray, options: Options,
           fitted: Options) -> dict[str, Any]:
    """Assign new objects by the centres of a fit: their clustering and labels."""
    again = getattr(sc.cluster, _CLUSTERERS[method])(centers.shape[0], **options)
    again.cluster_centers_ = centers
    again.n_features_in_ = centers.shape[1]
    for name, value in fitted.items():
        setattr(again, f"{name}_", np.atleast_1d(value))
    return {"clustering": again.assign(data), "labels": whole(again.predict(data) + 1)}


# -- bagging ------------------------------------------------------------------------------------
class ReadyFits:
    """Clusterer whose fits were made in R; the b-th call of `fit` is replicate b.

    Replicates run one after another in the order of their numbers, so counting is enough.

    Parameters
    ----------
    drawn : (B, m) array
        Labels of the drawn objects of each replicate, from 1; ones where the fit failed.
    everyone : (B, n) array or None
        Labels of all objects, if R predicted them.
    failures : list of str
        Why the fit failed, or "".
    indices : (B, m) int64
        Who was drawn.
    """

    def __init__(self, drawn: np.ndarray, everyone: np.ndarray | None, failures: list[str],
                 indices: np.ndarray) -> None:
        self.drawn, self.everyone, self.failures, self.indices = (drawn, everyone, failures,
                                                                  indices)
        self.replicate = -1
        if everyone is not None:
            self.predict = self._predict

    def __sklearn_clone__(self) -> ReadyFits:
        return self

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return no parameters: R has already used them."""
        return {}

    def set_params(self) -> ReadyFits:
        """Do nothing: there are no parameters."""
        return self

    def fit(self, X: Any) -> ReadyFits:
        """Advance to the next replicate."""
        self.replicate += 1
        failure = self.failures[self.replicate]
        if failure:
            raise RError(failure)
        self.labels_ = from_zero(np.atleast_1d(self.drawn[self.replicate]), "labels")
        return self

    def _predict(self, X: Any) -> np.ndarray:
        assert self.everyone is not None
        labels = from_zero(np.atleast_1d(self.everyone[self.replicate]), "predicted labels")
        if len(X) == labels.size:
            return labels
        left = np.setdiff1d(np.arange(labels.size), self.indices[self.replicate])
        return np.asarray(labels[left])


@command
def bootstrap(n: int, n_resamples: int, seed: Any) -> np.ndarray:
    """Bootstrap samples for R's clusterers, objects from 1."""
    return np.asarray(sc.bootstrap_indices(n, n_resamples, rng=seed) + 1)


@command
def bayesian_draws(data: np.ndarray, base: Any, n_resamples: int, options: Options, seed: Any
                   ) -> dict[str, Any]:
    """Samples of the proper Bayesian bootstrap for R's clusterers, with their sources."""
    own = dict(options)
    labels = from_zero(base, "base labels")
    centers = np.array([data[labels == k].mean(axis=0) for k in range(int(labels.max()) + 1)])
    prior = sc.GaussianMixturePrior.from_labels(
        data, labels, centers, **{k: own[k] for k in ("scale", "ddof", "covariance") if k in own})
    draws = sc.proper_bayesian_bootstrap(
        data, prior=prior, prior_weight=own.get("prior_weight", 0.5), n_resamples=n_resamples,
        rng=seed, **{k: own[k] for k in ("sample_size", "prior_draws") if k in own})
    return {"points": draws.points, "source": from_one(draws.source), "weights": draws.weights}


_BAGGED = ("membership=membership_ labels=labels_@# entropy=entropy_ votes=votes_ "
           "n_resamples=n_resamples_ clustering failures centers")
_BAGGING = {"bagclust1": "BaggedClustering", "bbc": "BayesianBaggedClustering",
            "mmcc": "MultipleMatchClustering"}


@command
def bagging_options(method: str, options: Options) -> None:
    """Raise for unknown options before R runs its clusterer on every resample."""
    # R takes `method` for itself.
    renamed = {"method": "matching"} if method == "mmcc" else {}
    checked(getattr(sc, _BAGGING[method]), options, f'method "{method}"', renamed=renamed)


@command
def bagged(data: np.ndarray, n_clusters: int, method: str, options: Options, seed: Any,
           n_resamples: Any = None, indices: Any = None, weights: Any = None,
           base: Any = None, ready: Options | None = None, draws: Options | None = None
           ) -> dict[str, Any]:
    """Fit one of the three bagging estimators, by k-means or by fits made in R."""
    options = dict(options)
    if n_resamples is not None:
        options["n_resamples"] = n_resamples
    given = None if indices is None else from_zero(indices, "indices")
    if ready is not None:
        source = given if draws is None else _source(draws)
        assert source is not None
        options["estimator"] = ReadyFits(ready["drawn"], ready.get("everyone"),
                                         ready["failures"], source)
    fit = getattr(sc, _BAGGING[method])(n_clusters=n_clusters, random_state=seed, **options)
    arguments: dict[str, Any] = {} if base is None else {"base": from_zero(base, "base labels")}
    if method == "bbc":
        arguments["draws"] = _draws(data, given, weights, draws)
    elif method == "mmcc":
        if weights is not None:
            raise sc.ClusteringError('weights belong to "bagclust1" and "bbc"; "mmcc" takes '
                                     "indices")
        arguments["indices"] = given
    else:
        arguments |= {"indices": given, "weights": weights}
    fit.fit(data, **arguments)
    pairs = method != "mmcc"
    more = {"failures": Encoded(strings([f"resample {f.replicate + 1}: {f.reason}"
                                         for f in fit.failures_])),
            "clustering": None if np.isnan(fit.membership_).any() else fit.clustering_,
            "centers": fit.cluster_centers_ if ready is None else None,
            "mean_entropy": fit.mean_entropy_ if pairs else float(np.nanmean(fit.entropy_))}
    if pairs:
        return crossing(fit, _BAGGED + " n_selected=n_selected_ mean_entropy "
                        "pairwise_entropy=pairwise_entropy_.matrix base_labels=base_labels_@# "
                        "base_centers=base_centers_ n_overlap_ties=n_overlap_ties_", more)
    import pandas as pd
    return crossing(fit, _BAGGED + " cic n_attempts=n_attempts_ n_dropped=n_dropped_ "
                    "converged=converged_ mean_entropy history", more | {
                        "cic": crossing(fit.cic_, FIELDS["CIC"]),
                        "history": pd.DataFrame(fit.history_)})


def _source(draws: Options) -> np.ndarray:
    """Drawn objects from 0; -1 for points of the prior, NA in R."""
    given = np.asarray(draws["source"], dtype=np.float64)
    return np.where(np.isnan(given), 0.0, given).astype(np.int64) - 1


def _draws(data: np.ndarray, indices: Any, weights: Any, draws: Options | None) -> Any:
    if indices is not None and weights is not None:
        raise sc.ClusteringError("give indices or weights, not both")
    if draws is not None:
        return sc.BootstrapDraws(points=draws["points"], source=_source(draws),
                                 weights=draws["weights"])
    if indices is not None:
        return sc.BootstrapDraws.from_indices(data, indices)
    return None if weights is None else sc.BootstrapDraws.from_weights(data, weights)


@command
def shares(data: np.ndarray, centers: np.ndarray) -> dict[str, Any]:
    """Share of the replicates whose k-th centre is nearest to new objects; the lowest on ties."""
    votes = np.zeros((data.shape[0], centers.shape[1]))
    rows = np.arange(data.shape[0])
    for replicate in centers:
        distances = ((data[:, None, :] - replicate[None]) ** 2).sum(axis=2)
        votes[rows, distances.argmin(axis=1)] += 1.0
    clustering = sc.FuzzyClustering(votes / centers.shape[0])
    return {"clustering": clustering, "labels": whole(votes.argmax(axis=1) + 1)}
