"""Commands of the R package's groups "matching, ensembles", "one clustering" and "fitting".

Each takes decoded arguments (`_front.decode`) and returns a record as a dict with the names that
R shows. Positions (labels, clusters, objects) count from 1 in what R gets and gives.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

import softclust as sc

from . import RError
from ._dendrogram import merges_from_r
from ._front import command, crossing, from_one

Options = Mapping[str, Any]


def from_zero(positions: Any, name: str) -> np.ndarray:
    """Convert R's positions, counted from 1, to positions from 0."""
    values = np.asarray(positions)
    if values.dtype.kind not in "iu":
        whole = np.asarray(values, dtype=np.float64)
        if not (np.isfinite(whole) & (whole == np.floor(whole))).all():
            raise sc.ClusteringError(f"{name} holds numbers that are not whole")
        values = whole.astype(np.int64)
    if values.size and values.min() < 1:
        raise sc.ClusteringError(f"{name} holds {values.min()}; in R positions count from 1")
    return values - 1


def list_of(value: Any) -> list[Any]:
    """Return an R vector as a list; one of length 1 arrives as a plain value."""
    return value.tolist() if isinstance(value, np.ndarray) else (
        list(value) if isinstance(value, (list, tuple)) else [value])


#: parameters of Python that the R functions take by themselves or not at all
_NOT_OPTIONS = {"self", "X", "n_clusters", "criterion", "random_state", "rng", "executor",
                "estimator", "clusterer", "warm_start", "keep_estimators", "checkpoint",
                "n_resamples", "prior"}


def checked(function: Any, options: Options, what: str, more: tuple[str, ...] = (),
            elsewhere: tuple[str, ...] = (), renamed: Options | None = None) -> dict[str, Any]:
    """Check that `function` takes all `options`; the error uses R's names.

    `more` are options in spite of `_NOT_OPTIONS`; `elsewhere` reach Python by another way.
    """
    called = dict(renamed or {})
    allowed = [name for name in inspect.signature(function).parameters
               if name not in _NOT_OPTIONS or name in more]
    for name in options:
        if name not in allowed:
            shown = sorted([*(called.get(v, v) for v in allowed), *elsewhere])
            raise TypeError(f"{what} has no option {called.get(name, name)!r}; its options are "
                            + ", ".join(shown))
    return dict(options)


# -- matching, ensembles ------------------------------------------------------------------------
@command
def match(x: Any, y: Any, method: str, options: Options, seed: Any = None) -> dict[str, Any]:
    """`softclust.match_clusters`, and y with the cluster names of x."""
    found = sc.match_clusters(x, y, method=method, rng=seed, **options)
    return _matching(found) | {"clustering": found.apply(y)}


@command
def match_table(table: Any, method: str, names: list[Any], options: Options, seed: Any = None
                ) -> dict[str, Any]:
    """`softclust.match_table`."""
    return _matching(sc.match_table(table, method=method, row_names=names[0],
                                    column_names=names[1], rng=seed, **options))


def _matching(found: sc.results.Matching) -> dict[str, Any]:
    names = [_cluster_names(given, found.table.shape[side])
             for side, given in enumerate((found.row_names, found.column_names))]
    on_pairs = found.table[found.pairs[:, 0], found.pairs[:, 1]]
    # Ties between matchings and in the order of the pairs are broken at random.
    drew = bool(found.n_optimal != 1 or np.unique(on_pairs).size < on_pairs.size)
    return {"drew": drew, "x_clusters": names[0], "y_clusters": names[1], **crossing(
        found, "table score matched_table objective diagonal n_optimal method margins",
        "pairs permutation row_order column_order")}


def _cluster_names(names: Any, count: int) -> list[str]:
    """Names of clusters; those without any are numbered from 1."""
    own = names is not None and all(isinstance(name, str) for name in names)
    return [str(name) for name in (names if own else range(1, count + 1))]


@command
def consensus(ensemble: Any, method: str, options: Options, seed: Any = None
              ) -> dict[str, Any]:
    """`softclust.consensus`, or with method "mmcc" `softclust.mmcc`."""
    options = dict(options)
    if "order" in options:
        options["order"] = from_zero(options["order"], "order")
    if method != "mmcc":
        return _consensus(sc.consensus(ensemble, method=method, rng=seed, **options))
    if "matching" in options:
        options["method"] = options.pop("matching")
    ready = "uniforms" in options   # a generator beside them is an error
    return _consensus(sc.mmcc(ensemble, rng=None if ready else seed, **options))


def _consensus(found: Any) -> dict[str, Any]:
    kept = crossing(found, "clustering membership method n_members objective converged n_iter "
                    "history votes bound gap optimal n_starts n_hits quality",
                    "labels permutations")
    return kept | {"entropy": found.entropies, "start_index": found.start_index + 1}


@command
def medoid(ensemble: Any, measure: str, options: Options) -> dict[str, Any]:
    """`softclust.medoid`."""
    found = sc.medoid(ensemble, measure=measure, **options)
    return {"index": found.index + 1} | crossing(found, "name clustering total totals measure")


@command
def lattice(members: Any, what: str) -> Any:
    """The meet or the join of hard clusterings."""
    return sc.meet(*members) if what == "meet" else sc.join(*members)


# -- one clustering -----------------------------------------------------------------------------
@command
def of_one(x: Any, what: str, options: Options) -> Any:
    """A number or vector that describes one clustering."""
    functions: dict[str, Any] = {
        "fuzziness": sc.fuzziness, "margin": sc.margin, "entropy": sc.membership_entropy,
        "nonspecificity": sc.nonspecificity}
    return functions[what](x, **options)


@command
def pairwise_entropy(x: Any, options: Options) -> dict[str, Any]:
    """`softclust.pairwise_entropy`."""
    found = sc.pairwise_entropy(x, **options)
    return {"matrix": found.matrix, "maximum": found.maximum,
            "pair": None if found.pair is None else from_one(found.pair)}


@command
def cic(x: Any) -> dict[str, Any]:
    """`softclust.cluster_information_criterion`."""
    return _cic(sc.cluster_information_criterion(x))


def _cic(found: Any) -> dict[str, Any]:
    return crossing(found, "criterion information uncertainty complexity effective_clusters "
                    "n_objects")


# -- clusterers ---------------------------------------------------------------------------------
_CLUSTERERS = {"rough_kmeans": "RoughKMeans", "fuzzy_cmeans": "FuzzyCMeans",
               "possibilistic_cmeans": "PossibilisticCMeans",
               "evidential_cmeans": "EvidentialCMeans", "slaglo": "SLAGLO", "sldid": "SLDID"}
_HIERARCHICAL = ("slaglo", "sldid")
#: what `assign` of a fitted clusterer reads besides its parameters and centres
_FITTED = {"possibilistic_cmeans": {"eta": "eta_"}, "evidential_cmeans":
           {"focal_sets": "focal_sets_"}}


@command
def cluster(data: np.ndarray, n_clusters: Any, method: str, options: Options,
            sample_weight: Any = None, seed: Any = None) -> dict[str, Any]:
    """Fit a clusterer of `softclust.cluster`."""
    kind = getattr(sc.cluster, _CLUSTERERS[method])
    # Weights go to `fit`; the message names them with the rest.
    weighted = () if method in _HIERARCHICAL else ("sample_weight",)
    if sample_weight is not None and not weighted:
        options = {"sample_weight": None, **options}
    fitted = kind(n_clusters, **checked(kind, options, f'method "{method}"', elsewhere=weighted))
    if method in _HIERARCHICAL:
        fitted.fit(data)
        return {"clustering": fitted.clustering_, "labels": from_one(fitted.labels_),
                "merges": fitted.merges_, "isolated": from_one(fitted.isolated_)}
    fitted.set_params(random_state=seed)
    fitted.fit(data, sample_weight=sample_weight)
    found = {"clustering": fitted.clustering_, "labels": from_one(fitted.labels_),
             "centers": fitted.cluster_centers_, "objective": fitted.objective_,
             "history": fitted.objective_history_, "n_iter": fitted.n_iter_,
             "converged": bool(fitted.converged_)}
    for name, attribute in _FITTED.get(method, {}).items():
        found[name] = getattr(fitted, attribute)
    return found


@command
def assign(data: np.ndarray, method: str, centers: np.ndarray, options: Options,
           fitted: Options) -> dict[str, Any]:
    """Assign new objects by the centres of a fit: their clustering and labels."""
    again = getattr(sc.cluster, _CLUSTERERS[method])(centers.shape[0], **options)
    again.cluster_centers_ = centers
    again.n_features_in_ = centers.shape[1]
    for name, attribute in _FITTED.get(method, {}).items():
        setattr(again, attribute, np.atleast_1d(fitted[name]))
    return {"clustering": again.assign(data), "labels": from_one(again.predict(data))}


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
    given = None if indices is None else _indices(indices, data.shape[0])
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
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit.fit(data, **arguments)
    for warning in caught:
        text: Any = warning.message
        if issubclass(warning.category, sc.FailedReplicatesWarning):
            # Its own text numbers the replicates from 0.
            text = (f"{len(fit.failures_)} of {len(fit.failures_) + fit.n_resamples_} resamples "
                    f"failed and do not count, see $failures; {_failures(fit)[0]}")
        warnings.warn(text, warning.category, stacklevel=2)
    return _bagged(fit, method, keep_centers=ready is None)


def _indices(indices: Any, n: int) -> np.ndarray:
    taken = from_zero(np.atleast_2d(indices), "indices")
    if taken.size and taken.max() >= n:
        raise sc.ClusteringError(f"indices go up to {taken.max() + 1}; data has {n} objects")
    return taken


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


def _failures(fit: Any) -> list[str]:
    return [f"resample {f.replicate + 1}: {f.reason}" for f in fit.failures_]


def _bagged(fit: Any, method: str, keep_centers: bool) -> dict[str, Any]:
    missing = bool(np.isnan(fit.membership_).any())
    found: dict[str, Any] = {
        "membership": fit.membership_, "labels": from_one(fit.labels_), "entropy": fit.entropy_,
        "votes": fit.votes_, "n_resamples": fit.n_resamples_,
        "clustering": None if missing else fit.clustering_,
        "failures": _failures(fit),
        "centers": fit.cluster_centers_ if keep_centers else None}
    if method == "mmcc":
        return found | {"cic": _cic(fit.cic_), "n_attempts": fit.n_attempts_,
                        "n_dropped": fit.n_dropped_, "converged": bool(fit.converged_),
                        "mean_entropy": float(np.nanmean(fit.entropy_)),
                        "history": {name: fit.history_[name] for name in fit.history_.dtype.names}}
    pairs = fit.pairwise_entropy_
    return found | {"n_selected": fit.n_selected_, "mean_entropy": fit.mean_entropy_,
                    "pairwise_entropy": pairs.matrix, "base_labels": from_one(fit.base_labels_),
                    "base_centers": fit.base_centers_, "n_overlap_ties": fit.n_overlap_ties_}


@command
def shares(data: np.ndarray, centers: np.ndarray) -> dict[str, Any]:
    """Share of the replicates whose k-th centre is nearest to new objects; the lowest on ties."""
    votes = np.zeros((data.shape[0], centers.shape[1]))
    rows = np.arange(data.shape[0])
    for replicate in centers:
        distances = ((data[:, None, :] - replicate[None]) ** 2).sum(axis=2)
        votes[rows, distances.argmin(axis=1)] += 1.0
    clustering = sc.FuzzyClustering(votes / centers.shape[0])
    return {"clustering": clustering, "labels": from_one(votes.argmax(axis=1))}


# -- the number of clusters ---------------------------------------------------------------------
@command
def cluster_number(data: np.ndarray, n_clusters: Any, criterion: str, options: Options, seed: Any
                   ) -> dict[str, Any]:
    """`softclust.cluster_number`."""
    options = checked(sc.cluster_number, options, "sc_cluster_number()", more=("n_resamples",))
    found = sc.cluster_number(data, [int(k) for k in list_of(n_clusters)], criterion=criterion,
                              rng=seed, **options)
    kept = crossing(found, "title rule n_clusters scale mc_error best_by_scale entropy "
                    "pairwise_entropy n_resamples failures missing notes", "pair")
    return kept | {"best": np.nan if found.best is None else found.best,
                   "criterion": found.method, "value": found.criterion, "given_up": found.behind}


@command
def pair_roc(merge: np.ndarray, height: Any, truth: Any, options: Options) -> dict[str, Any]:
    """`softclust.pair_roc` of an hclust tree."""
    merges = merges_from_r({"merge": np.atleast_2d(merge), "height": np.atleast_1d(height)})
    found = sc.pair_roc(merges=merges, truth=truth, **options)
    return crossing(found, "k eps1 eps2 auc k_best min_sum criterion proper ties pair_error "
                    "pairs_same pairs_different max_clusters max_clusters_used inversions "
                    "n_objects n_labelled expected")
