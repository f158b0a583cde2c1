"""`MultipleMatchClustering`: resample, cluster, align with the majority so far, vote."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ..._checks import ClusteringError, check_choice
from ..._types import RNG, ArrayLike, Estimator, Margins, MatchingRule, StrPath, Workers
from ...cluster.batched_kmeans import batched_kmeans
from ...cluster.checks import check_count, check_number, count_distinct
from ...clusterings.object_table import are_numeric, finite_rows
from ...ensembles.checkpoint import Checkpoint, read_arrays
from ...ensembles.clusterers import (
    FittedVotes,
    MatchedReplicate,
    checked_labels,
    fitted_labels,
    needs,
    prepared,
)
from ...ensembles.consensus_record import majorities, votes_as_membership
from ...ensembles.replicates import ResamplingWarning
from ...ensembles.resampled_kmeans import KMeansLabels, LabelBlock
from ...ensembles.resampling_estimator import Resampled
from ...ensembles.schemes import EFRON, Ready, Scheme, check_indices
from ...results.stored import check_arrays, readable
from ...running.jobs import ReplicateFailure, run_jobs
from ...running.random_numbers import Streams
from ...running.threads import Progress
from ...running.warnings import warn
from ...soft_pairs.entropies import CIC, criterion_of_rows
from ...soft_pairs.uncertainty import row_entropies
from ...tables.counting import cross_counts
from ...tables.matching import match_columns, method_code, n_choices
from .multiple_match import Voting, draw_uniforms

#: replicates between two entries of the history; convergence is tested at every second one from
#: the eighth on
_NOTED = 25
_TESTED_FROM = 200
#: attempts per requested replicate
_ATTEMPTS = 20
#: replicate numbers that are never reached: for ties of final labels, and the fit to all objects
_FINAL, _WHOLE = 2**32 - 1, 2**32 - 2
KIND = "replicates of MultipleMatchClustering"
#: arrays of the state
STORED = ("votes", "words", "counts", "centers", "notes", "majorities")
HISTORY = np.dtype([("n_resamples", np.int64), ("criterion", np.float64),
                    ("uncertainty", np.float64), ("standard_error", np.float64)])


class MultipleMatchClustering(Resampled):
    """Votes of many resampled clusterings, each aligned with the majority so far (MMCC).

    Parameters
    ----------
    n_clusters : int, optional
        Number of clusters c. By default that of `estimator`, 2 for k-means.
    estimator : clusterer, optional
        Any scikit-learn clusterer with ``fit`` and ``predict``; its parameters ``n_clusters``
        (or ``n_components``) and ``random_state`` are set. By default the compiled k-means, which
        also replaces scikit-learn's `KMeans` as in `BaggedClustering`, see `engine`.
    n_resamples : int
        Number of replicates; with `tol`, the maximum number.
    method, margins : str
        The matching rule, see `match_clusters`.
    out_of_bag : {"predict", "skip"}
        "predict": objects that were not drawn are assigned by the replicate's fit and vote, too.
        Clusterers with ``assign`` (those of `softclust.cluster`) may let them vote in fractions.
    degenerate : {"drop", "keep"}
        Replace replicates whose voters fall into fewer than c clusters, or keep them.
    max_attempts : int, optional
        Maximum number of replicates tried; 20 times `n_resamples` by default.
    tol : float or None
        Stop early when the votes have settled, which is checked at 200, 250, 300, ... replicates:
        no standard error of a membership is above `tol`, and compared with half as many replicates
        the criterion changed by less than `tol` bits and less than a share `tol` of the objects
        changed their majority. None: exactly `n_resamples`; use it for given draws that should all
        count.
    n_init, max_iter : int
        Number of starts (k-means++) and maximum number of passes of the compiled k-means.
    keep_estimators : bool
        Keep the fits of the given clusterer, for `predict`.
    warm_start : bool
        Let ``fit`` add replicates until there are `n_resamples`; 100 and 100 more equal 200 at
        once.
    checkpoint : path, optional
        File to which the state is written, at most twice a second and when ``fit`` ends. If it
        exists, ``fit`` continues from it: a killed process loses only what was not yet written. Not
        available with `keep_estimators`.
    executor : concurrent.futures.Executor or "joblib", optional
        Runs the fits; matching and voting happen in this process in the order of replicates.
    progress : bool or callable
        True shows a progress bar; a function is called with (done, total).
    random_state : None, int, Generator or RandomState
        Replicate b uses child b of it, so bits do not depend on threads, workers or chunks.

    Attributes
    ----------
    votes_ : (n, c) float64
    membership_ : (n, c) float64
        Votes divided by their sums; a row without votes is nan.
    labels_ : (n,) int64
        Cluster with most votes, ties broken at random once. Objects without votes get the label of
        a fit to all objects, with a warning.
    clustering_ : FuzzyClustering
        `membership_`; raises if an object has no votes.
    entropy_ : (n,) float64
        Entropy of each object's memberships in bits.
    cic_ : CIC
        Criterion of the objects with votes.
    n_resamples_, n_dropped_, n_attempts_ : int
        Numbers of replicates that voted, were replaced, and were tried. `n_iter_` is the first.
    converged_ : bool
    degenerate_ : bool
        True if fewer than c clusters win an object.
    history_ : structured array
        n_resamples, criterion, uncertainty (bits) and largest standard error after every 25
        replicates.
    failures_ : list of ReplicateFailure
        Replicates of a given clusterer that raised; they are not replaced.
    warnings_ : list of str
        Warnings of softclust's clusterers in replicates.
    engine : str
        Name of the clusterer that runs the replicates: "compiled k-means", or
        "GaussianMixture.fit".
    cluster_centers_ : (B, c, d) float64
        Aligned centres of the compiled k-means.
    n_features_in_ : int

    Warns
    -----
    ResamplingWarning, FailedReplicatesWarning, ConvergenceWarning
        From `fit`: if few replicates voted, some failed, or the votes did not settle.

    See Also
    --------
    mmcc, BaggedClustering, cluster_information_criterion

    Notes
    -----
    Each replicate draws n objects with replacement, runs the clusterer, labels all objects, matches
    its clusters with the majorities of the votes so far, and votes. With the default rule, clusters
    that the data do not support get spread votes: entropy is high, the criterion low. Matching and
    voting take 0.1 to 0.2 milliseconds per replicate for n = 150 and three clusters. Memory O(n c),
    a block of replicates, and c d numbers per replicate.

    Theory: docs/theory/truecluster.md.

    References
    ----------
    J. Oehlschlaegel, "Truecluster matching", arXiv:0705.4302 (2007), section 4.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.datasets.load_iris().data
    >>> fit = softclust.MultipleMatchClustering(2, n_resamples=100, tol=None, random_state=0).fit(x)
    >>> round(fit.cic_.criterion, 2), round(float(fit.entropy_.mean()), 2)
    (0.91, 0.01)
    """

    _FREE = (*Resampled._FREE, "checkpoint", "max_attempts", "tol")
    _NEW = "set warm_start=False, or name another checkpoint"
    _EVERYONE = "out_of_bag='predict'"

    method: MatchingRule
    margins: Margins
    out_of_bag: str
    degenerate: str
    max_attempts: int | None
    tol: float | None
    checkpoint: Any

    def __init__(self, n_clusters: int | None = None, *, estimator: Estimator | None = None,
                 n_resamples: int = 1000, method: MatchingRule = "truematch_heuristic",
                 margins: Margins = "remaining", out_of_bag: Literal["predict", "skip"] = "predict",
                 degenerate: Literal["drop", "keep"] = "drop", max_attempts: int | None = None,
                 tol: float | None = 0.02, n_init: int = 10, max_iter: int = 300,
                 keep_estimators: bool = False, warm_start: bool = False,
                 checkpoint: StrPath | None = None, executor: Workers | None = None,
                 progress: Progress | bool | None = False, random_state: RNG = None) -> None:
        self._set(locals())

    # -- fitting ----------------------------------------------------------------------------
    def fit(self, X: ArrayLike, y: object = None, *, indices: ArrayLike | None = None
            ) -> MultipleMatchClustering:
        """Resample the objects in the rows of X, cluster and vote.

        Parameters
        ----------
        X : array-like, shape (n, d)
            Finite numbers.
        y : ignored
        indices : array-like of int, shape (B, n), optional
            Given draws, one row per attempt, instead of `n_resamples` random ones.

        Returns
        -------
        self

        Raises
        ------
        ClusteringError
            If a parameter is not allowed, there are too few distinct objects, no replicate was
            left, or `warm_start` or `checkpoint` belongs to other data or parameters.
        OSError
            If the checkpoint could not be written at the end; the fit is complete nevertheless.
        KeyboardInterrupt
            The attributes have the finished replicates; ``warm_start=True`` continues.
        """
        x, digest = self._enter(X)
        n, d = x.shape
        self._scheme_ = Scheme(code=EFRON, n=n, d=d, m=n)
        ready = None if indices is None else _ready(indices, n)
        if self.warm_start and hasattr(self, "_voting_"):
            self._check_same(digest)
        else:
            self._begin_votes(x, digest)
        self.converged_ = self._settled()   # with the tolerance of this call
        self._go(x, ready, self._voted_)
        return self

    def _begin_votes(self, x: np.ndarray, digest: str) -> None:
        self._begin(digest)
        self._c_ = self._number()
        self._voting_ = Voting(x.shape[0], self._c_, method_code(self.method, self.margins))
        self._voted_ = self.n_dropped_ = 0
        self._notes_: list[tuple[Any, ...]] = []
        self._majorities_: list[np.ndarray] = []
        self.converged_ = False
        # Continue from the file, if there is one, and write to it from now on.
        self._file_ = None if self.checkpoint is None else Checkpoint(self.checkpoint, KIND)
        if self.checkpoint is not None and Path(self.checkpoint).exists():
            self._restore(read_arrays(self.checkpoint, KIND, STORED))

    def _run(self, x: np.ndarray, total: int) -> None:
        of, predict = self._of_, self.out_of_bag == "predict"
        shared: dict[str, Any] = {"x": x, "scheme": self._scheme_, "streams": self._streams_,
                                  "ready": self._ready_, "n_clusters": self._c_,
                                  "predict": predict}
        attempts = (total if self._ready_ is not None
                    else self.max_attempts or _ATTEMPTS * self.n_resamples)
        while self._missing(total) > 0 and self._done_ < attempts and not self.converged_:
            # All replicates that may be needed before the next test of convergence.
            count = self._missing(total)
            if self.tol is not None:
                count = min(count, max(_TESTED_FROM, (self._voted_ // 50 + 1) * 50)
                            - self._voted_)
            last = min(attempts, self._done_ + count)
            if of.estimator is None:
                run_jobs(KMeansLabels(n_init=of.n_init, max_iter=of.max_iter, **shared),
                         range(self._done_, last), self._add_block, ranges=True,
                         executor=self.executor, progress=self.progress)
            else:
                self._run_task(MatchedReplicate(estimator=of.estimator, weighted=False,
                                                keep=self.keep_estimators, **shared),
                               self._done_, last, self._add_one)

    def _finished(self) -> int:
        return self._voted_

    def _missing(self, total: int) -> int:
        return total - self._voted_ - len(self.failures_)

    def _add_block(self, start: int, stop: int, block: LabelBlock) -> None:
        labels, centers = block.labels, block.centers
        clusters = sum((labels == k).any(axis=1).astype(int) for k in range(self._c_))
        voters = np.flatnonzero((clusters == self._c_) | (self.degenerate == "keep"))
        self._done_ = stop
        self.n_dropped_ += stop - start - voters.size
        while voters.size:   # history is recorded at fixed numbers of replicates
            now, voters = np.split(voters, [_NOTED - self._voted_ % _NOTED])
            permutations = np.array([self._voting_.cast(labels[b], 1.0, block.uniforms[b])
                                     for b in now])
            aligned = np.empty_like(centers[now])
            aligned[np.arange(now.size)[:, None], permutations] = centers[now]
            self._centers_.append(aligned)
            self._voted_ += now.size
            self._note()
        self._save()

    def _add_one(self, b: int, fit: FittedVotes) -> None:
        votes, c = fit.votes, self._c_
        self._done_ = b + 1
        if votes.ndim == 1:
            present = np.unique(votes[votes >= 0]).size
        else:
            present = int((np.nan_to_num(votes).sum(axis=0) > 0).sum())
        if present < c and self.degenerate == "drop":
            self.n_dropped_ += 1
            return
        permutation = self._voting_.cast(votes, 1.0, fit.uniforms)
        if fit.estimator is not None:
            self._kept_.append((fit.estimator, np.arange(c), permutation))
        self._voted_ += 1
        self._note()
        self._save()

    # -- convergence ------------------------------------------------------------------------
    def _note(self) -> None:
        if self._voted_ % _NOTED or self._voted_ // _NOTED <= len(self._notes_):
            return
        votes = self._voting_.votes
        totals = votes.sum(axis=1)
        membership = votes_as_membership(votes)
        known = membership[totals > 0]
        cic = criterion_of_rows(known)
        error = float(np.sqrt((known * (1 - known) / totals[totals > 0, None]).max()))
        if known.shape[0] < votes.shape[0]:
            error = np.inf
        self._notes_.append((self._voted_, cic.criterion, cic.uncertainty, error))
        small = np.min_scalar_type(self._c_)
        self._majorities_.append(votes.argmax(axis=1).astype(small))
        self.converged_ = self._settled()

    def _settled(self) -> bool:
        """Return True if the votes so far stop the run."""
        if self.tol is None or self._voted_ % 50 or self._voted_ < _TESTED_FROM:
            return False
        half = self._voted_ // 2 // _NOTED - 1
        _, criterion, _, error = self._notes_[-1]
        moved = abs(criterion - self._notes_[half][1])
        changed = (self._majorities_[-1] != self._majorities_[half]).mean()
        return bool(error <= self.tol and moved < self.tol and changed < self.tol)

    # -- results ----------------------------------------------------------------------------
    def _conclude(self, x: np.ndarray, total: int) -> None:
        if not self._voted_ and len(self.failures_) < self._done_:
            raise ClusteringError(
                f"none of {self._done_} replicates has {self._c_} clusters among its voters; "
                "ask for fewer clusters, or set degenerate='keep'")
        super()._conclude(x, total)
        if not self.converged_ and self._missing(total) > 0 and not self._replayed_:
            warn(f"only {self._voted_} of {total} replicates voted after {self._done_} attempts, "
                 f"{self.n_dropped_} of which had fewer than {self._c_} clusters and were "
                 "dropped; raise max_attempts, or ask for fewer clusters", ResamplingWarning,
                 stacklevel=4)
        elif self.tol is not None and not self.converged_:
            warn(f"the votes did not settle within tol={self.tol} after {self._voted_} "
                 "replicates; raise n_resamples or tol, or set tol=None",
                 ConvergenceWarning, stacklevel=4)

    def _finish(self, x: np.ndarray) -> None:
        votes = self._voting_.votes
        self.votes_ = votes.copy()
        self.membership_ = votes_as_membership(votes)
        uniforms = draw_uniforms(self._streams_, _FINAL, _FINAL + 1, votes.shape[0])[0]
        self.labels_ = majorities(votes, uniforms)
        silent = votes.sum(axis=1) == 0
        if silent.any():
            self._label_silent(x, silent)
        self.cic_: CIC = criterion_of_rows(self.membership_[~silent])
        self.entropy_ = row_entropies(self.membership_)
        self.n_resamples_, self.n_attempts_ = self._voted_, self._done_
        self.n_iter_ = self._voted_
        self.degenerate_ = bool(np.unique(self.labels_).size < self._c_)
        self.history_ = np.array(self._notes_, dtype=HISTORY)
        if self._centers_:
            self._centers_ = [np.concatenate(self._centers_)]

    def _label_silent(self, x: np.ndarray, silent: np.ndarray) -> None:
        """Label objects without votes by a fit to all, matched with the majorities."""
        c, of = self._c_, self._of_
        numbers = draw_uniforms(self._streams_, _WHOLE, _WHOLE + 1, 1 + of.n_init * c + c)[0]
        if of.estimator is None:
            starts = numbers[1:1 + of.n_init * c].reshape(1, of.n_init, c)
            fitted = batched_kmeans(x, uniforms=starts, max_iter=of.max_iter).labels
            assert fitted is not None
            labels = fitted[0]
        else:
            fit = prepared(of.estimator, c, int(numbers[0] * 2**31))
            labels = checked_labels(fitted_labels(fit, x, None), c)
        table = cross_counts(self.labels_[~silent], labels[~silent], c, c)
        code = self._voting_.code
        columns, _ = match_columns(table, code, numbers[-c:][:n_choices(code, c, c)])
        self.labels_[silent] = np.argsort(columns)[labels[silent]]
        warn(f"{int(silent.sum())} of {silent.size} objects have no votes: their "
             "membership is nan and their label that of a fit to all objects; raise "
             "n_resamples, or set out_of_bag='predict'", ResamplingWarning, stacklevel=7)

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Cluster information criterion of `predict_proba`, in bits: larger is better.

        Parameters
        ----------
        X : array-like, shape (m, d)
        y : ignored
        """
        return float(criterion_of_rows(self.predict_proba(X)).criterion)

    # -- checks -----------------------------------------------------------------------------
    def _number(self) -> int:
        """Number of clusters."""
        number = self._of_.number
        if number is None:
            raise ClusteringError(f"{type(self._of_.estimator).__name__} has no number of "
                                  "clusters; give n_clusters")
        return number

    def _check_own(self, x: np.ndarray) -> None:
        if self.max_attempts is not None:
            check_count("max_attempts", self.max_attempts)
        if self.tol is not None:
            check_number("tol", self.tol, 0.0, strict=True)
        method_code(self.method, self.margins)
        check_choice("out_of_bag", self.out_of_bag, ("predict", "skip"))
        check_choice("degenerate", self.degenerate, ("drop", "keep"))
        if self._of_.estimator is not None:
            needs(self._of_.estimator, weights=False, everyone=False)
        c = self._number()
        distinct = count_distinct(finite_rows(x), c) if are_numeric(x) else len(x)
        if distinct < c:
            raise ClusteringError(f"X has {distinct} distinct objects; n_clusters={c} needs at "
                                  "least as many")
        if self.checkpoint is not None:
            if not isinstance(self.checkpoint, (str, os.PathLike)):
                raise TypeError(f"checkpoint is {self.checkpoint!r}; the path of a file is needed")
            if not Path(self.checkpoint).parent.is_dir():
                raise ClusteringError(f"the folder of checkpoint={str(self.checkpoint)!r} does not "
                                      "exist; create it first")
            if self.keep_estimators and self._of_.estimator is not None:
                raise ClusteringError("a checkpoint cannot hold the fits of a clusterer; leave out "
                                      "checkpoint or set keep_estimators=False")
        estimator = self._of_.estimator
        if estimator is not None and self.out_of_bag == "predict" and not (
                hasattr(estimator, "predict") or hasattr(estimator, "assign")):
            raise ClusteringError(f"{type(estimator).__name__} has no predict, which is needed for "
                                  "objects that were not drawn; set out_of_bag='skip'")

    # -- the state in a file ----------------------------------------------------------------
    def _save(self) -> None:
        if self._file_ is not None:
            self._file_.keep(self._state)

    def _close(self) -> list[str]:
        if self._file_ is None or not self._voted_:
            return []
        error = self._file_.close(self._state())
        return [f"the checkpoint {self.checkpoint} could not be written ({error})"] if error else []

    def _state(self) -> dict[str, Any]:
        root = self._streams_.root
        words = {"entropy": root.entropy, "spawn_key": list(root.spawn_key),
                 "pool_size": root.pool_size, "digest": self._digest_,
                 "settings": self._settings_,
                 "replayed": self._replayed_,
                 "failures": [(f.replicate, f.reason) for f in self.failures_]}
        c = self._c_
        return {
            "votes": self._voting_.votes, "words": np.array(json.dumps(words, default=int)),
            "counts": np.array([self._voted_, self._done_, self.n_dropped_, self.converged_]),
            "centers": np.concatenate(self._centers_) if self._centers_ else np.empty((0, c, 0)),
            "notes": np.array(self._notes_, dtype=HISTORY),
            "majorities": np.array(self._majorities_)}

    def _restore(self, state: dict[str, np.ndarray]) -> None:
        root = self._streams_.root
        with readable(self.checkpoint, KIND, "name another checkpoint"):
            words = json.loads(str(state["words"]))
            self._digest_, digest = str(words["digest"]), self._digest_
            self._settings_ = dict(words["settings"])
            self._check_same(digest)
            self._replayed_ = bool(words["replayed"])
            self._streams_ = Streams(np.random.SeedSequence(
                words["entropy"], spawn_key=words["spawn_key"], pool_size=words["pool_size"]))
            self.failures_ = [ReplicateFailure(replicate=int(b), reason=str(reason))
                              for b, reason in words["failures"]]
            n, c = self._voting_.votes.shape
            check_arrays(state, votes=f"f {n} {c}", counts="i 4", notes="V h",
                         centers=f"f b {c} d")
            if (state["notes"].dtype != HISTORY or state["counts"].min() < 0
                    or state["votes"].min() < 0
                    or state["majorities"].shape not in ((0,), (len(state["notes"]), n))):
                raise ValueError("its parts do not fit together")
        if self.random_state is not None and (
                root.entropy != words["entropy"] or list(root.spawn_key) != words["spawn_key"]):
            raise ClusteringError(f"{self.checkpoint} was begun with another random_state; use "
                                  "that, or name another checkpoint")
        self._voting_.votes[:] = state["votes"]
        self._voted_, self._done_, self.n_dropped_ = map(int, state["counts"][:3])
        self._voting_.started = self._voted_ > 0
        self.converged_ = bool(state["counts"][3])
        self._centers_ = [state["centers"]] if state["centers"].size else []
        self._notes_ = [tuple(row) for row in state["notes"].tolist()]
        self._majorities_ = list(state["majorities"])


def _ready(indices: Any, n: int) -> Ready:
    """Given draws (B, n)."""
    source = check_indices(indices, n)
    if source.shape[1] != n:
        raise ClusteringError(f"indices has shape {source.shape}; (B, {n}) is needed, one draw of "
                              "n objects per row")
    return Ready(first=0, source=source, points=np.empty((len(source), 0, 0)),
                 weights=np.ones(source.shape))
