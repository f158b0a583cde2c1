"""What the bagging estimators share: base clustering, votes, adding replicates, results."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from .._checks import ClusteringError, check_choice
from .._interrupts import interrupted
from .._warnings import quiet, warn
from ..cluster._base import check_count, check_size, count_distinct
from ..clusterings import FuzzyClustering, HardClustering
from ..clusterings._objects import named_after, naming_of
from ..measures.entropies import PairwiseEntropy, pairwise_of_rows, row_entropies
from ._draws import PROPER
from ._kmeans_votes import (
    STARTS,
    VOTES,
    BlockVotes,
    KMeansVotes,
    Ready,
    base_kmeans,
    nearest_shares,
)
from ._replicate_fit import (
    Aligned,
    FitReplicate,
    fit_base,
    needs,
    shares_of_estimators,
)
from ._replicates import (
    FailedReplicatesWarning,
    ReplicateFailure,
    ResamplingWarning,
    Streams,
    check_executor,
    check_failures,
    run_blocks,
    run_replicates,
)
from ._settings import (
    check_data_of_fit,
    check_same_objects,
    check_same_settings,
    described,
    digest_of,
    names_of,
    objects_of,
)
from .schemes import BootstrapDraws, draws_of

MATCHINGS = ("trace", "truematch", "truematch_heuristic")
#: parameters that may change between a fit and its continuation
_FREE = ("n_resamples", "warm_start", "executor", "progress", "random_state")
#: how an interrupted fit is continued
GO_ON = "the attributes hold their result; with warm_start=True, fit adds the others"
#: replicate number that nobody reaches: its stream serves ties of the final labels
_LAST_CHILD = 2**32 - 1


class Bagged(ClusterMixin, BaseEstimator):
    """Base of the estimators; see their own documentation."""

    estimator: Any
    n_clusters: int
    n_resamples: int
    votes: str
    matching: str
    init: str
    n_init: int
    max_iter: int
    never_selected: str
    ties: str
    keep_estimators: bool
    warm_start: bool
    executor: Any
    progress: Any
    random_state: Any

    #: digest of the ready draws that were fitted
    _replayed_: bytes | None

    # -- what a subclass gives --------------------------------------------------------------
    def _check_own(self, x: np.ndarray) -> None:
        """Raise for a parameter of its own that is not allowed."""
        raise NotImplementedError

    def _prepare(self, x: np.ndarray) -> None:
        """Set `_scheme_` and `_sampler_`; the base clustering is there."""
        raise NotImplementedError

    def _base_settings(self) -> tuple[str, int]:
        """Starts of the base k-means: init, n_init."""
        raise NotImplementedError

    def _overlap(self) -> str:
        """Which votes count in the overlap."""
        raise NotImplementedError

    def _weighted(self) -> bool:
        """Whether weights of draws count in the fit."""
        raise NotImplementedError

    def _weights_count(self, ready: Ready | None) -> bool:
        """Whether the weights of the draws, which may be ready ones, count in the fit."""
        return self._weighted()

    # -- fitting ----------------------------------------------------------------------------
    def _fit(self, X: Any, base: Any, draws: BootstrapDraws | None) -> None:
        x = self._objects(X, reset=True)
        self._naming_ = naming_of(X)
        self._check_parameters(x)
        digest = digest_of(x)
        if self.warm_start and hasattr(self, "votes_"):
            self._check_same(digest, base)
        else:
            self._begin(x, base, digest)
        self._prepare(x)
        ready = None if draws is None else self._check_draws(draws, x)
        self._check_same_draws(ready)
        total = self.n_resamples if ready is None else ready.source.shape[0]
        if total < self._done_:
            raise ClusteringError(f"{self._done_} replicates are fitted already and "
                                  f"{'n_resamples' if ready is None else 'draws'} asks for "
                                  f"{total} in all; ask for more, or set warm_start=False")
        try:
            try:
                self._run(x, ready, total)
            finally:
                self._replayed_ = None if ready is None else ready.digest(self._done_)
        except BaseException as error:
            # What is finished stays usable, and fit with warm_start=True goes on from there.
            finished = self._done_ - len(self.failures_)
            if finished:
                with quiet():
                    self._finish()
            else:
                del self.votes_
            if isinstance(error, KeyboardInterrupt):
                raise interrupted("replicates", finished, total, GO_ON) from None
            raise
        try:
            problem = check_failures(self.failures_, self._done_)
        except ClusteringError:
            del self.votes_   # nothing to continue from
            raise
        self._finish()
        if problem:
            warn(problem, FailedReplicatesWarning, stacklevel=3)

    def _begin(self, x: np.ndarray, base: Any, digest: str) -> None:
        self._streams_ = Streams(self.random_state)
        self.n_iter_ = 1   # of a ready base clustering or a clusterer's
        self.base_labels_, self.base_centers_ = (
            self._base(x) if base is None else self._given_base(x, base))
        clusters = self.base_centers_.shape[0]
        self.votes_ = np.zeros((x.shape[0], clusters), dtype=np.int64)
        self.n_selected_ = np.zeros(x.shape[0], dtype=np.int64)
        self.failures_: list[ReplicateFailure] = []
        self._kept_: list[Any] = []
        self._centers_: list[np.ndarray] = []
        self._happened_ = np.zeros(3, dtype=np.int64)
        self._done_ = 0
        self._left_: list[Any] = []
        self._settings_ = self._settings()
        self._begun_with_ = objects_of(self)
        self._replayed_ = None
        self._digest_ = digest

    def _run(self, x: np.ndarray, ready: Ready | None, total: int) -> None:
        common: dict[str, Any] = {
            "scheme": self._scheme_, "streams": self._streams_, "sampler": self._sampler_,
            "ready": ready, "x": x, "base_labels": self.base_labels_,
            "weighted": self._weights_count(ready), "overlap": self._overlap(),
            "voting": self.votes}
        options: dict[str, Any] = {"executor": self.executor, "leftovers": self._left_,
                                   "progress": self.progress}
        if self._is_fast():
            work = KMeansVotes(base_centers=self.base_centers_, init=self.init,
                               n_init=self.n_init, max_iter=self.max_iter, **common)
            run_blocks(work, self._done_, total, self._add_block, **options)
            return
        task = FitReplicate(estimator=self.estimator, n_clusters=self._n_clusters(),
                            n_base=self.base_centers_.shape[0], matching=self.matching,
                            n_init=self.n_init, max_iter=self.max_iter,
                            keep=self.keep_estimators or self.estimator is None, **common)
        run_replicates(task, self._done_, total, self._add_one, fail=self._add_failure, **options)

    def _is_fast(self) -> bool:
        return self.estimator is None and self.matching == "trace"

    def _n_clusters(self) -> int | None:
        return self.n_clusters

    def _add_block(self, start: int, stop: int, block: BlockVotes) -> None:
        self.votes_ += block.votes
        self.n_selected_ += block.votes.sum(axis=1)
        self._happened_ += block.happened
        self._centers_.append(block.centers)
        self._done_ = stop

    def _add_one(self, b: int, fit: Aligned) -> None:
        clusters = fit.n_clusters
        if clusters > self.votes_.shape[1]:   # clusters that no base cluster was left for
            more = clusters - self.votes_.shape[1]
            self.votes_ = np.pad(self.votes_, ((0, 0), (0, more)))
        if fit.membership is not None:
            self.votes_ = self.votes_.astype(np.float64, copy=False)
            self.votes_[:, :fit.membership.shape[1]] += fit.membership
            self.n_selected_ += 1
        else:
            np.add.at(self.votes_, (fit.objects, fit.labels), 1)
            np.add.at(self.n_selected_, fit.objects, 1)
        self._happened_[0] += fit.tied
        if fit.centers is not None:
            self._centers_.append(fit.centers[None])
        elif fit.estimator is not None:
            self._kept_.append(fit.estimator)
        self._done_ = b + 1

    def _add_failure(self, failure: ReplicateFailure) -> None:
        self.failures_.append(failure)
        self._done_ = failure.replicate + 1

    # -- base clustering --------------------------------------------------------------------
    def _base(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rng = self._streams_.own()
        if self.estimator is not None:
            labels, centers = fit_base(self.estimator, x, self._n_clusters(), rng)
            wanted, found = self._n_clusters(), centers.shape[0]
            if wanted not in (None, found):
                raise ClusteringError(f"{type(self.estimator).__name__} found {found} clusters in "
                                      f"X and n_clusters is {wanted}; set n_clusters={found}, or "
                                      "take a clusterer whose number of clusters can be set")
            return labels, centers
        distinct = count_distinct(x, self.n_clusters)
        if distinct < self.n_clusters:
            raise ClusteringError(f"X has {distinct} distinct objects; n_clusters="
                                  f"{self.n_clusters} needs at least as many")
        init, n_init = self._base_settings()
        labels, centers, self.n_iter_ = base_kmeans(x, self.n_clusters, init, n_init,
                                                    self.max_iter, rng)
        return labels, centers

    def _given_base(self, x: np.ndarray, base: Any) -> tuple[np.ndarray, np.ndarray]:
        if isinstance(base, HardClustering):
            base = base.codes
        pair = isinstance(base, tuple) and len(base) == 2
        labels, centers = base if pair else (base, None)
        labels = np.asarray(labels)
        if labels.shape != (x.shape[0],) or labels.dtype.kind not in "iu" or labels.min() < 0:
            raise ClusteringError(f"base labels have shape {labels.shape} and type "
                                  f"{labels.dtype}; one whole number >= 0 for each of "
                                  f"{x.shape[0]} objects is needed")
        count = int(labels.max()) + 1
        if self.estimator is None:
            if count > self.n_clusters:
                raise ClusteringError(f"base labels go up to {count - 1}; n_clusters="
                                      f"{self.n_clusters} allows 0..{self.n_clusters - 1}")
            count = self.n_clusters
        labels = np.ascontiguousarray(labels, dtype=np.int64)
        if centers is None:
            sizes = np.bincount(labels, minlength=count)
            if not sizes.all():
                raise ClusteringError(f"base cluster {int(np.argmin(sizes))} has no object; give "
                                      "base=(labels, centers)")
            return labels, np.array([x[labels == k].mean(axis=0) for k in range(count)])
        means = np.array(centers, dtype=np.float64, order="C")
        if means.shape != (count, x.shape[1]) or not np.isfinite(means).all():
            raise ClusteringError(f"base centers have shape {means.shape}; ({count}, "
                                  f"{x.shape[1]}) finite numbers are needed")
        return labels, means

    # -- results ----------------------------------------------------------------------------
    def _finish(self) -> None:
        self.n_resamples_ = self._done_ - len(self.failures_)
        self.n_overlap_ties_, unfinished, self.n_degenerate_ = map(int, self._happened_)
        never = self.n_selected_ == 0
        with np.errstate(invalid="ignore", divide="ignore"):
            membership = self.votes_ / self.n_selected_[:, None]
        membership[never] = np.nan
        if never.any() and self.never_selected == "base":
            membership[never] = 0.0
            membership[never, self.base_labels_[never]] = 1.0
        self.membership_ = membership
        self.labels_ = self._majority(never)
        self.n_clusters_ = membership.shape[1]
        self.entropy_ = row_entropies(membership)
        known = self.entropy_[~np.isnan(self.entropy_)]
        self.mean_entropy_ = float(known.mean()) if known.size else float("nan")
        if self._centers_:
            self._centers_ = [np.concatenate(self._centers_)]
        if never.any() and self.never_selected == "nan":
            warn(f"{int(never.sum())} of {never.size} objects were never selected: their "
                 "membership is nan and their label that of the base clustering; raise "
                 "n_resamples, or set never_selected='base'", ResamplingWarning,
                 stacklevel=4)
        if unfinished:
            warn(f"k-means of {unfinished} of {self.n_resamples_} replicates stopped "
                 f"after max_iter={self.max_iter} passes; raise max_iter",
                 ConvergenceWarning, stacklevel=4)

    def _majority(self, never: np.ndarray) -> np.ndarray:
        largest = self.votes_ == self.votes_.max(axis=1, keepdims=True)
        labels = largest.argmax(axis=1)
        rows = np.arange(labels.size)
        several = (largest.sum(axis=1) > 1) & ~never
        if self.ties == "random":
            uniform = self._streams_.generator(_LAST_CHILD).random(labels.size)
            for i in np.flatnonzero(several):
                tied = np.flatnonzero(largest[i])
                labels[i] = tied[int(uniform[i] * tied.size)]
        else:
            base = several & largest[rows, self.base_labels_]
            labels[base] = self.base_labels_[base]
        labels[never] = self.base_labels_[never]
        return labels

    @property
    def clustering_(self) -> FuzzyClustering:
        """`membership_` as a clustering; raises when an object was never selected."""
        check_is_fitted(self, "membership_")
        missing = int(np.isnan(self.membership_[:, 0]).sum())
        if missing:
            raise ClusteringError(f"{missing} objects were never selected and have no membership; "
                                  "raise n_resamples, or set never_selected='base'")
        return FuzzyClustering(self.membership_, object_names=getattr(self, "_naming_", None))

    @property
    def pairwise_entropy_(self) -> PairwiseEntropy:
        """Mean entropies between pairs of clusters, over objects that were selected."""
        check_is_fitted(self, "membership_")
        return pairwise_of_rows(self.membership_)

    @property
    def estimators_(self) -> list[Any]:
        """The fitted clusterers of the replicates, with ``keep_estimators=True``."""
        check_is_fitted(self, "membership_")
        return [fit for fit, _, _ in self._kept_]

    @property
    def cluster_centers_(self) -> np.ndarray:
        """Centres of each k-means replicate in the order of the base clusters, (B, K, d)."""
        check_is_fitted(self, "membership_")
        if not self._centers_:
            raise AttributeError("cluster_centers_ exist for k-means (estimator=None) alone")
        return self._centers_[0]

    def fit_predict(self, X: Any, y: Any = None, **kwargs: Any) -> np.ndarray:
        """Fit and return `labels_`; arguments as in `fit`."""
        return np.asarray(self.fit(X, **kwargs).labels_)

    def predict_proba(self, X: Any) -> np.ndarray:
        """Shares of the replicates that put new objects into each cluster.

        Parameters
        ----------
        X : array-like, shape (m, d)

        Returns
        -------
        ndarray, shape (m, K)
            Rows sum to 1: share of replicates whose nearest aligned centre, or whose aligned
            prediction, is the cluster.

        Raises
        ------
        ClusteringError
            If a clusterer was given and its fits were not kept.
        """
        check_is_fitted(self, "membership_")
        x = self._objects(X, reset=False)
        if self._centers_:
            return nearest_shares(x, self._centers_[0])
        if not self._kept_:
            raise ClusteringError("the fits of the replicates were not kept; set "
                                  "keep_estimators=True before fit to predict new objects")
        return shares_of_estimators(x, self._kept_, self.n_clusters_)

    def predict(self, X: Any) -> np.ndarray:
        """Cluster with the largest share for new objects, the lowest on ties; (m,) int64."""
        return np.asarray(self.predict_proba(X).argmax(axis=1))

    def assign(self, X: Any) -> FuzzyClustering:
        """The fuzzy clustering of new objects by `predict_proba`."""
        return named_after(FuzzyClustering(self.predict_proba(X)), X)

    def resamples(self, X: Any) -> BootstrapDraws:
        """The draws of the fitted replicates, made again: to be saved and replayed elsewhere.

        Parameters
        ----------
        X : array-like, shape (n, d)
            The data of `fit`.

        Raises
        ------
        ClusteringError
            If X is other data, or the fit had ready draws.
        """
        check_is_fitted(self, "membership_")
        x = self._objects(X, reset=False)
        check_data_of_fit(x, self._digest_)
        if self._replayed_ is not None:
            raise ClusteringError("this fit replayed ready draws; they are what you gave")
        return draws_of(x, self._scheme_, self._sampler_, self._streams_, 0, self._done_)

    # -- checks -----------------------------------------------------------------------------
    def _objects(self, X: Any, *, reset: bool) -> np.ndarray:
        x = validate_data(self, X, dtype=np.float64, order="C", reset=reset)
        check_size(x)
        # Kernels are compiled for arrays that may be written.
        return x if x.flags.writeable else x.copy()

    def _check_parameters(self, x: np.ndarray) -> None:
        for name in ("n_resamples", "n_init", "max_iter"):
            check_count(name, getattr(self, name))
        if self.estimator is None:
            check_count("n_clusters", self.n_clusters)
        for name, allowed in (("votes", VOTES), ("matching", MATCHINGS), ("init", STARTS),
                              ("never_selected", ("nan", "base")), ("ties", ("base", "random"))):
            check_choice(name, getattr(self, name), allowed)
        check_executor(self.executor)
        self._check_own(x)
        if self.estimator is not None:
            needs(self.estimator, weights=self._weighted(), everyone=self.votes == "all")

    def _check_draws(self, draws: Any, x: np.ndarray) -> Ready:
        if not isinstance(draws, BootstrapDraws):
            raise TypeError(f"draws is a {type(draws).__name__}; BootstrapDraws are needed")
        n, d = x.shape
        if draws.points.shape[2] != d or draws.source.max() >= n:
            raise ClusteringError(
                f"draws have {draws.points.shape[2]} features and sources up to "
                f"{int(draws.source.max())}; X has {d} features and objects 0..{n - 1}")
        taken = draws.source >= 0
        if not np.array_equal(draws.points[taken], x[draws.source[taken]]):
            raise ClusteringError("draws.points differ from the rows of X that draws.source "
                                  "names; these draws belong to other data")
        if self._scheme_.code != PROPER:
            if not taken.all():
                raise ClusteringError("draws have points of a prior (source -1); "
                                      "BayesianBaggedClustering takes them")
            return Ready(first=0, source=draws.source, points=np.empty((1, 0, d)),
                         weights=draws.weights)
        return Ready(first=0, source=draws.source, points=draws.points, weights=draws.weights)

    def _check_same_draws(self, ready: Ready | None) -> None:
        """Raise when replicates that are there were drawn otherwise than this call says."""
        if not self._done_:
            return
        if (ready is None) != (self._replayed_ is None):
            was, now = (("ready", "random") if ready is None else ("random", "ready"))
            raise ClusteringError(f"the {self._done_} replicates that warm_start=True continues "
                                  f"have {was} draws and this call {now} ones; go on with {was} "
                                  "ones, or set warm_start=False")
        if ready is not None and ready.digest(self._done_) != self._replayed_:
            raise ClusteringError(f"the first {self._done_} draws are not those of the fit that "
                                  "warm_start=True continues; give these again with more behind "
                                  "them, or set warm_start=False")

    def _settings(self) -> dict[str, str]:
        return described((name, getattr(self, name)) for name in names_of(type(self))
                         if name not in _FREE)

    def _check_same(self, digest: str, base: Any) -> None:
        if base is not None:
            raise ClusteringError("base is given, but warm_start=True continues a fit that has "
                                  "its base clustering; leave base out")
        if digest != self._digest_:
            raise ClusteringError("X is not the data of the fit that warm_start=True continues; "
                                  "set warm_start=False for a new fit")
        check_same_settings(self._settings_, self._settings(), "set warm_start=False for a new fit")
        check_same_objects(self._begun_with_, objects_of(self))

    # -- copies -----------------------------------------------------------------------------
    def __sklearn_clone__(self) -> Any:
        # An executor or a progress function is shared; it cannot be copied.
        params = self.get_params(deep=False)
        shared = {name: params.pop(name) for name in ("executor", "progress")}
        return type(self)(**{name: clone(value, safe=False) for name, value in params.items()},
                          **shared)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.update(executor=None, progress=state.get("progress") is True)
        return state
