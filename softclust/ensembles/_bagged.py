"""The bagging estimators: base clustering, votes, labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from .._checks import ClusteringError, check_choice
from .._warnings import warn
from ..cluster.checks import check_count, count_distinct
from ..pairs.entropies import PairwiseEntropy, pairwise_of_rows, row_entropies
from ._draws import PROPER, Ready
from ._estimator import Resampled
from ._kmeans import STARTS, VOTES, BlockVotes, KMeansVotes, base_kmeans
from ._pipeline import Aligned, AlignToBase, FitClusterer, Replicate, SchemeDraw
from .clusterers import NOISE, fit_base
from .replicates import ReplicateFailure, ResamplingWarning
from .schemes import BootstrapDraws, draws_of

MATCHINGS = ("trace", "truematch", "truematch_heuristic")
#: replicate number that nobody reaches: its stream serves ties of the final labels
_LAST_CHILD = 2**32 - 1


class Bagged(Resampled):
    """Base of the estimators; see their own documentation."""

    votes: str
    matching: str
    init: str
    never_selected: str
    ties: str
    #: what noise of a clusterer is, where the estimator has no parameter for it
    noise = "raise"

    _INITS = ("k-means++", "random")
    _EVERYONE = "never_selected='base'"

    # -- what a subclass gives --------------------------------------------------------------
    def _prepare(self, x: np.ndarray) -> None:
        """Set `_scheme_`; the base clustering is there."""
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
    def fit_staged(self, X: Any, stages: Iterable[int]) -> list[np.ndarray]:
        """Fit, and keep the votes after some numbers of replicates.

        Parameters
        ----------
        X : array-like, shape (n, d)
            As for `fit`.
        stages : iterable of int
            Whole numbers up to `n_resamples`, with ``warm_start=True`` above the number of
            replicates that are fitted already.

        Returns
        -------
        list of ndarray, shape (n, K)
            `votes_` after each of these numbers of replicates.

        Raises
        ------
        ClusteringError
            As `fit`; if a number is out of range.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.datasets.bbc_gaussians(1, rng=0).data
        >>> fit = softclust.BaggedClustering(3, n_resamples=20, random_state=0)
        >>> [int(votes.sum()) for votes in fit.fit_staged(x, [10, 20])]
        [648, 1264]
        """
        check_count("n_resamples", self.n_resamples)
        stages = list(stages)
        done = self._done_ if self.warm_start and hasattr(self, "votes_") else 0
        for stage in stages:
            if stage not in range(done + 1, self.n_resamples + 1):
                raise ClusteringError(f"stages has {stage!r}; {done} replicates are fitted and "
                                      f"n_resamples is {self.n_resamples}, so {done + 1} to "
                                      f"{self.n_resamples} are allowed")
        self._stages_, self._staged_ = stages, dict[int, np.ndarray]()
        try:
            self.fit(X)
            return [self._staged_[stage] for stage in stages]
        finally:
            del self._stages_, self._staged_

    def _keep_stage(self) -> None:
        """Keep the votes if replicates end here."""
        if self._done_ in self._stages_:
            self._staged_[self._done_] = self.votes_.copy()

    def _fit(self, X: Any, base: Any, draws: BootstrapDraws | None) -> None:
        x, digest = self._enter(X)
        if self.warm_start and hasattr(self, "votes_"):
            if base is not None:
                raise ClusteringError("base is given, but warm_start=True continues a fit that "
                                      "has its base clustering; leave base out")
            self._check_same(digest)
        else:
            self._begin_votes(x, base, digest)
        self._prepare(x)
        ready = None if draws is None else self._check_draws(draws, x)
        self._go(x, ready, self._done_)

    def _begin_votes(self, x: np.ndarray, base: Any, digest: str) -> None:
        self._begin(digest)
        self.n_iter_ = 1   # of a ready base clustering or a clusterer's
        self.base_labels_, self.base_centers_ = (
            self._base(x) if base is None else self._given_base(x, base))
        clusters = self.base_centers_.shape[0]
        self.votes_ = np.zeros((x.shape[0], clusters), dtype=np.int64)
        self.n_selected_ = np.zeros(x.shape[0], dtype=np.int64)
        self._happened_ = np.zeros(3, dtype=np.int64)

    def _run(self, x: np.ndarray, total: int) -> None:
        of, n_base = self._of_, self.base_centers_.shape[0]
        drawing: dict[str, Any] = {
            "scheme": self._scheme_, "streams": self._streams_, "ready": self._ready_, "x": x,
            "weighted": self._weights_count(self._ready_)}
        voting: dict[str, Any] = {
            "base_labels": self.base_labels_, "voting": self.votes, "matching": self.matching,
            "overlap": "once" if self.votes == "all" else self._overlap()}
        if of.estimator is None:
            self._run_work(KMeansVotes(base_centers=self.base_centers_, init=of.init,
                                       n_init=of.n_init, max_iter=of.max_iter, **drawing,
                                       **voting), self._done_, total)
            return
        self._run_task(Replicate(
            draw=SchemeDraw(**drawing),
            fit=FitClusterer(estimator=of.estimator, n_clusters=of.n_clusters),
            align=AlignToBase(x=x, n_base=n_base, keep=self.keep_estimators,
                              drops_noise=self.noise == "drop", **voting)), self._done_, total)

    def _finished(self) -> int:
        return self._done_ - len(self.failures_)

    def _forget(self) -> None:
        del self.votes_   # nothing to continue from

    def _add_block(self, start: int, stop: int, block: BlockVotes) -> None:
        self.votes_ += block.votes
        self.n_selected_ += block.votes.sum(axis=1)
        self._happened_ += block.happened
        self._centers_.append(block.centers)
        self._done_ = stop
        self._keep_stage()

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
            np.add.at(self.n_selected_, fit.silent, 1)
        self._happened_[0] += fit.tied
        if fit.estimator is not None:
            self._kept_.append(fit.estimator)
        self._done_ = b + 1
        self._keep_stage()

    def _add_failure(self, failure: ReplicateFailure) -> None:
        super()._add_failure(failure)
        self._keep_stage()

    # -- base clustering --------------------------------------------------------------------
    def _base(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rng = self._streams_.own()
        of, wanted = self._of_, self._of_.n_clusters
        if of.estimator is not None:
            labels, centers = fit_base(of.estimator, x, wanted, rng, self.noise == "drop")
            found = centers.shape[0]
            if wanted not in (None, found):
                raise ClusteringError(f"{type(of.estimator).__name__} found {found} clusters in "
                                      f"X and n_clusters is {wanted}; set n_clusters={found}, or "
                                      "take a clusterer whose number of clusters can be set")
            return labels, centers
        assert wanted is not None
        distinct = count_distinct(x, wanted)
        if distinct < wanted:
            raise ClusteringError(f"X has {distinct} distinct objects; n_clusters={wanted} needs "
                                  "at least as many")
        init, n_init = self._base_settings()
        labels, centers, self.n_iter_ = base_kmeans(x, wanted, init, n_init, of.max_iter, rng)
        return labels, centers

    def _given_base(self, x: np.ndarray, base: Any) -> tuple[np.ndarray, np.ndarray]:
        base = getattr(base, "hard_codes", base)
        pair = isinstance(base, tuple) and len(base) == 2
        labels, centers = base if pair else (base, None)
        labels = np.asarray(labels)
        if labels.shape != (x.shape[0],) or labels.dtype.kind not in "iu" or (
                labels.min() < (NOISE if self.noise == "drop" else 0)) or labels.max() < 0:
            raise ClusteringError(f"base labels have shape {labels.shape} and type "
                                  f"{labels.dtype}; one whole number >= 0 for each of "
                                  f"{x.shape[0]} objects is needed")
        count = int(labels.max()) + 1
        wanted = self._of_.n_clusters
        if self._of_.estimator is None and wanted is not None:
            if count > wanted:
                raise ClusteringError(f"base labels go up to {count - 1}; n_clusters={wanted} "
                                      f"allows 0..{wanted - 1}")
            count = wanted
        labels = np.ascontiguousarray(labels, dtype=np.int64)
        if centers is None:
            sizes = np.bincount(labels[labels >= 0], minlength=count)
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
    def _finish(self, x: np.ndarray) -> None:
        self.n_resamples_ = self._finished()
        self.n_overlap_ties_, unfinished, self.n_degenerate_ = map(int, self._happened_)
        never = self.n_selected_ == 0
        # Noise casts no vote.
        self.n_votes_ = (np.rint(self.votes_.sum(axis=1)).astype(np.int64)
                         if self.noise == "drop" else self.n_selected_.copy())
        silent = self.n_votes_ == 0
        with np.errstate(invalid="ignore", divide="ignore"):
            membership = self.votes_ / self.n_votes_[:, None]
        membership[silent] = np.nan
        if self.never_selected == "base":
            known = np.flatnonzero(silent & (self.base_labels_ >= 0))
            membership[known] = 0.0
            membership[known, self.base_labels_[known]] = 1.0
        self.membership_ = membership
        self.labels_ = self._majority(silent)
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
                 stacklevel=6)
        noise = int((silent & ~never).sum())
        if noise:
            warn(f"{noise} of {silent.size} objects are noise in every replicate that drew them: "
                 "they have no vote (n_votes_ is 0), and their label is that of the base "
                 "clustering, -1 where it is noise there, too", ResamplingWarning, stacklevel=6)
        if unfinished:
            warn(f"k-means of {unfinished} of {self.n_resamples_} replicates stopped "
                 f"after max_iter={self._of_.max_iter} passes; raise max_iter",
                 ConvergenceWarning, stacklevel=6)

    def _majority(self, silent: np.ndarray) -> np.ndarray:
        largest = self.votes_ == self.votes_.max(axis=1, keepdims=True)
        labels = largest.argmax(axis=1)
        rows = np.arange(labels.size)
        several = (largest.sum(axis=1) > 1) & ~silent
        if self.ties == "random":
            uniform = self._streams_.generator(_LAST_CHILD).random(labels.size)
            for i in np.flatnonzero(several):
                tied = np.flatnonzero(largest[i])
                labels[i] = tied[int(uniform[i] * tied.size)]
        else:
            base = several & (self.base_labels_ >= 0) & largest[rows, self.base_labels_]
            labels[base] = self.base_labels_[base]
        labels[silent] = self.base_labels_[silent]
        return labels

    @property
    def pairwise_entropy_(self) -> PairwiseEntropy:
        """Mean entropies between pairs of clusters, over objects that were selected."""
        check_is_fitted(self, "membership_")
        return pairwise_of_rows(self.membership_)

    def score(self, X: Any, y: Any = None) -> float:
        """Minus the mean entropy of `predict_proba`, in bits: 0 at best.

        Parameters
        ----------
        X : array-like, shape (m, d)
        y : ignored
        """
        return -float(row_entropies(self.predict_proba(X)).mean())

    def _draws(self, x: np.ndarray) -> BootstrapDraws:
        return draws_of(x, self._scheme_, self._streams_, 0, self._done_)

    # -- checks -----------------------------------------------------------------------------
    def _check_votes(self) -> None:
        for name, allowed in (("votes", VOTES), ("matching", MATCHINGS), ("init", STARTS),
                              ("never_selected", ("nan", "base")), ("ties", ("base", "random")),
                              ("noise", ("raise", "drop"))):
            check_choice(name, getattr(self, name), allowed)
        self._check_estimator(weights=self._weighted(), everyone=self.votes == "all")

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
