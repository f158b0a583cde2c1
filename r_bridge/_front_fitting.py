"""Commands of the R package that fit: clusterers and bagging.

Each takes decoded arguments (`_front.decode`) and returns a record as a dict with the names that
R shows. Positions (labels, clusters, objects) count from 1 in what R gets and gives.
"""

from __future__ import annotations

import hashlib
import inspect
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

import softclust as sc

from . import RError
from ._front import command, from_one, from_zero, named, whole
from ._front_records import Options, run


# -- clusterers ---------------------------------------------------------------------------------
@command
def assign(data: np.ndarray, method: str, centers: np.ndarray, options: Options,
           fitted: Options) -> dict[str, Any]:
    """Assign new objects by the centres of a fit: their clustering and labels."""
    again = named(method)(centers.shape[0], **options)
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
        self.drawn, self.everyone, self.failures = drawn, everyone, failures
        self.indices = indices
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


#: classes of R's methods, and their resamples where R's clusterer is not told how many
_BAGGERS = {"bagclust1": ("BaggedClustering", 200), "bbc": ("BayesianBaggedClustering", 200),
            "mmcc": ("MultipleMatchClustering", 1000)}


@command
def check_bagging(method: str, n_clusters: int, options: Options, by_r: bool, everyone: bool,
                  weights: Any = None, indices: Any = None, n_resamples: Any = None,
                  data: Any = None) -> None:
    """Check what `bagging` gets before a clusterer of R runs."""
    if n_resamples is not None and (indices is not None or weights is not None):
        raise ValueError("leave out `n_resamples`: the number of resamples is the number of rows "
                         "of `indices` or `weights`")
    run(_BAGGERS[method][0], {"n_clusters": n_clusters}, options, then="get_params",
        what=f'method "{method}"')
    if weights is not None and (method == "mmcc" or by_r):
        raise sc.ClusteringError('weights belong to "bagclust1" and "bbc"; "mmcc" takes indices'
                                 if method == "mmcc" else "an R function as `estimator` takes no "
                                 "weights of objects; give `indices` instead of `weights`, or "
                                 "leave out `estimator`")
    if everyone and not by_r:
        raise ValueError("`predict` belongs to `estimator`")
    if by_r and options.get("votes") == "all" and not everyone:
        raise sc.ClusteringError('votes = "all" needs labels of objects that were not drawn; give '
                                 "`predict`")
    if by_r and options.get("weighted"):
        raise ValueError("weighted = TRUE needs a clusterer that accepts weights of objects; an R "
                         "function as `estimator` does not")
    if by_r and options.get("scheme", "bootstrap") != "bootstrap":
        raise ValueError('with an R function as `estimator` the scheme is "bootstrap"; give other '
                         "draws as `indices`")


def _drawn(method: str, data: np.ndarray, options: Options, seed: Any, base: Any,
           n_resamples: int | None, indices: Any) -> Any:
    """The draws of "bbc", or who is drawn, from 0, for a clusterer of R."""
    count = n_resamples or _BAGGERS[method][1]
    if indices is not None:
        who = from_zero(indices, "indices")
        return sc.BootstrapDraws.from_indices(data, who) if method == "bbc" else who
    if method != "bbc":
        return sc.bootstrap_indices(len(data), n_resamples=count, rng=seed)
    own = {name: {option: options[option] for option in names if option in options}
           for name, names in (("prior", ("scale", "ddof", "covariance")),
                               ("draws", ("prior_weight", "sample_size", "prior_draws")))}
    prior = sc.GaussianMixturePrior.from_labels(data, from_zero(base, "base"), **own["prior"])
    return sc.proper_bayesian_bootstrap(data, prior=prior, n_resamples=count, rng=seed,
                                        **{"prior_weight": 0.5, **own["draws"]})


@command
def samples(method: str, data: np.ndarray, options: Options, seed: Any, n_clusters: int,
            base: Any = None, n_resamples: int | None = None, indices: Any = None
            ) -> dict[str, Any]:
    """Resamples for a clusterer of R: who is drawn and, where not all are objects, the points."""
    found = _drawn(method, data, options, seed, base, n_resamples, indices)
    if isinstance(found, np.ndarray):
        return {"source": found + 1}
    return {"source": from_one(found.source), "points": None if indices is not None
            else found.points}


@command
def bagging(method: str, data: np.ndarray, n_clusters: int, options: Options, seed: Any,
            base: Any = None, n_resamples: int | None = None, indices: Any = None,
            weights: Any = None, fits: Options | None = None) -> Any:
    """A bagged clustering by k-means, or by the `fits` that a clusterer of R has made."""
    own, given = dict(options), {"n_clusters": n_clusters}
    after = {"X": data, "base": base, "indices": indices, "weights": weights}
    if fits is not None:
        found = _drawn(method, data, options, seed, base, n_resamples, indices)
        who = found if isinstance(found, np.ndarray) else found.source
        after |= {"indices": who + 1} if who is found else {"indices": None, "draws": found}
        given["estimator"] = ReadyFits(fits["drawn"], fits.get("everyone"), fits["failures"], who)
        if method == "bbc":
            own["weighted"] = False
        elif method == "mmcc":
            own = {"out_of_bag": "predict" if "everyone" in fits else "skip", "tol": None, **own}
    elif n_resamples is not None:
        own["n_resamples"] = n_resamples
    if method == "bbc" and fits is None:
        if indices is not None and weights is not None:
            raise sc.ClusteringError("give indices or weights, not both")
        draws = sc.BootstrapDraws
        after |= {"indices": None, "weights": None, "draws": (
            draws.from_indices(data, from_zero(indices, "indices")) if indices is not None else
            draws.from_weights(data, weights) if weights is not None else None)}
    return run(_BAGGERS[method][0], given, own, seed=seed, then="fit",
               after={name: value for name, value in after.items() if value is not None},
               what=f'method "{method}"')


@command
def shares(data: np.ndarray, centers: np.ndarray) -> dict[str, Any]:
    """Share of the replicates whose k-th centre is nearest to new objects; the lowest on ties."""
    clusters = np.eye(centers.shape[1])
    nearest = (cdist(data, each, "sqeuclidean").argmin(axis=1) for each in centers)
    votes = sum(clusters[labels] for labels in nearest) / len(centers)
    return {"clustering": sc.FuzzyClustering(votes), "labels": whole(votes.argmax(axis=1) + 1)}


# -- clusterers of R where Python says what is clustered ------------------------------------------
#: bytes of the tables that are asked for in one round
_ROUND = 1 << 28


class _Later(Exception):
    """Labels of all objects are needed before anything else can be asked."""


class RClusterer:
    """A clusterer whose labels R makes, as an estimator or as a function.

    Calls whose labels are not known yet are noted, and have arbitrary labels meanwhile.

    Parameters
    ----------
    known : dict
        Labels from 0, or why there are none, by the key of the call.
    asked : dict
        Receives (table, arguments, named arguments) by key.
    n_clusters : int
    whole : (n, d) array
        All objects: their labels decide what else is asked.
    """

    def __init__(self, known: Mapping[str, Any], asked: dict[str, Any], n_clusters: int = 2,
                 whole: Any = None) -> None:
        self.known, self.asked, self.n_clusters, self.whole = known, asked, n_clusters, whole

    def __sklearn_clone__(self) -> RClusterer:
        return RClusterer(self.known, self.asked, self.n_clusters, self.whole)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the number of clusters, which may be set."""
        return {"n_clusters": self.n_clusters}

    def set_params(self, **values: int) -> RClusterer:
        """Set the number of clusters."""
        self.n_clusters = values.get("n_clusters", self.n_clusters)
        return self

    def fit(self, X: Any) -> RClusterer:
        """Take the labels of the rows, if they are known."""
        self.labels_ = self(X, self.n_clusters)
        if self.asked and np.array_equal(X, self.whole):
            raise _Later
        return self

    def __call__(self, rows: Any, *arguments: Any, **named: Any) -> np.ndarray:
        rows = np.ascontiguousarray(rows, dtype=np.float64)
        key = hashlib.sha256(repr((rows.shape, arguments, named)).encode() + rows.tobytes()
                             ).hexdigest()
        labels = self.known.get(key)
        if labels is None:
            if sum(table.nbytes for table, *_ in self.asked.values()) < _ROUND:
                self.asked[key] = rows, list(arguments), named
            return np.arange(len(rows)) % self.n_clusters
        if isinstance(labels, str):
            raise RError(labels)
        return np.atleast_1d(labels)


@command
def asking(name: str, arguments: Options, options: Options, seed: Any, known: Options,
           what: str | None = None) -> dict[str, Any]:
    """Call a function with a clusterer of R: its value, or the calls that R must make first."""
    asked: dict[str, Any] = {}
    own, given = dict(options), dict(arguments)
    estimator = RClusterer(known, asked, whole=given["X"])
    given["estimator"] = estimator
    if "n_clusters" not in inspect.signature(named(name)).parameters:
        estimator.n_clusters = given.pop("n_clusters", 2)
    bagged = {"entropy": "BayesianBaggedClustering", "pairwise_entropy": "BayesianBaggedClustering",
              "cic": "MultipleMatchClustering"}.get(given.get("criterion", ""))
    if bagged:
        moved = {option: own.pop(option) for option in ("n_resamples", "prior_weight")
                 if option in own}
        more = {"out_of_bag": "skip", "tol": None} if "Match" in bagged else {"weighted": False}
        given["estimator"] = named(bagged)(2, estimator=estimator, **more, **moved)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            value = run(name, given, own, seed=seed, what=what)
    except Exception:
        if not asked:
            raise
    if not asked:
        for warning in caught:
            warnings.warn(warning.message, warning.category, stacklevel=2)
        return {"value": value}
    tables, positional, by_name = zip(*asked.values())
    return {"keys": list(asked), "tables": list(tables), "arguments": list(positional),
            "named": list(by_name)}
