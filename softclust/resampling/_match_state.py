"""Checks, stored state and copies of `MultipleMatchClustering`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.utils.validation import validate_data

from .._checks import ClusteringError, check_choice
from ..cluster._base import check_count, check_number, check_size, count_distinct
from ..statistics.matching import method_code
from ._checkpoint import Checkpoint
from ._replicate_fit import needs
from ._replicates import ReplicateFailure, Streams, check_executor
from ._settings import check_same_settings, described, digest_of, names_of
from ._voting import Voting

#: parameters that may change between a fit and its continuation
_FREE = ("n_resamples", "warm_start", "executor", "progress", "random_state", "checkpoint",
         "max_attempts", "tol")
#: numbers of ready draws that tell them from others
_COMPARED = 1 << 20
KIND = "replicates of MultipleMatchClustering"
#: arrays of the state
STORED = ("votes", "words", "counts", "centers", "notes", "majorities")
HISTORY = np.dtype([("n_resamples", np.int64), ("criterion", np.float64),
                    ("uncertainty", np.float64), ("standard_error", np.float64)])


class MatchState(ClusterMixin, BaseEstimator):
    """Base of the estimator; see its own documentation."""

    estimator: Any
    n_clusters: int
    n_resamples: int
    method: str
    margins: str
    out_of_bag: str
    degenerate: str
    max_attempts: int | None
    tol: float | None
    n_init: int
    max_iter: int
    keep_estimators: bool
    warm_start: bool
    checkpoint: Any
    executor: Any
    progress: Any
    random_state: Any

    _streams_: Streams
    _voting_: Voting
    _voted_: int
    _tried_: int
    n_dropped_: int
    converged_: bool
    failures_: list[ReplicateFailure]
    _centers_: list[np.ndarray]
    _notes_: list[tuple[Any, ...]]
    _majorities_: list[np.ndarray]
    _file_: Checkpoint | None
    _digest_: str
    _settings_: dict[str, str]
    _begun_with_: dict[str, Any]
    _ready_: np.ndarray | None
    _replayed_: tuple[int, str] | None

    # -- checks -----------------------------------------------------------------------------
    def _objects(self, X: Any, *, reset: bool) -> np.ndarray:
        x = validate_data(self, X, dtype=np.float64, order="C", reset=reset)
        check_size(x)
        # Kernels are compiled for arrays that may be written.
        return x if x.flags.writeable else x.copy()

    def _check_parameters(self, x: np.ndarray) -> None:
        for name in ("n_clusters", "n_resamples", "n_init", "max_iter"):
            check_count(name, getattr(self, name))
        if self.max_attempts is not None:
            check_count("max_attempts", self.max_attempts)
        if self.tol is not None:
            check_number("tol", self.tol, 0.0, strict=True)
        method_code(self.method, self.margins)
        check_choice("out_of_bag", self.out_of_bag, ("predict", "skip"))
        check_choice("degenerate", self.degenerate, ("drop", "keep"))
        check_executor(self.executor)
        distinct = count_distinct(x, self.n_clusters)
        if distinct < self.n_clusters:
            raise ClusteringError(f"X has {distinct} distinct objects; n_clusters="
                                  f"{self.n_clusters} needs at least as many")
        self._check_checkpoint()
        if self.estimator is None:
            return
        needs(self.estimator, weights=False, everyone=False)
        if self.out_of_bag == "predict" and not (hasattr(self.estimator, "predict")
                                                 or hasattr(self.estimator, "assign")):
            raise ClusteringError(f"{type(self.estimator).__name__} has no predict, which objects "
                                  "that were not drawn need; set out_of_bag='skip'")

    def _settings(self) -> dict[str, str]:
        return described((name, getattr(self, name)) for name in names_of(type(self))
                         if name not in _FREE)

    def _check_same(self, digest: str) -> None:
        if digest != self._digest_:
            raise ClusteringError("X is not the data of the fit that is to go on; set "
                                  "warm_start=False, or name another checkpoint")
        check_same_settings(self._settings_, self._settings(),
                            "set warm_start=False, or name another checkpoint")

    def _check_checkpoint(self) -> None:
        if self.checkpoint is None:
            return
        if not isinstance(self.checkpoint, (str, os.PathLike)):
            raise TypeError(f"checkpoint is {self.checkpoint!r}; the path of a file is needed")
        if not Path(self.checkpoint).parent.is_dir():
            raise ClusteringError(f"the folder of checkpoint={str(self.checkpoint)!r} does not "
                                  "exist; make it first")
        if self.keep_estimators and self.estimator is not None:
            raise ClusteringError("a checkpoint cannot hold the fits of a clusterer; leave out "
                                  "checkpoint or set keep_estimators=False")

    def _fitted_draws(self) -> tuple[int, str] | None:
        """Number and digest of the first ready draws that were fitted, None for random ones."""
        if self._ready_ is None:
            return None
        rows = min(self._tried_, max(1, _COMPARED // self._ready_.shape[1]))
        return rows, digest_of(self._ready_[:rows])

    def _check_same_draws(self, draws: np.ndarray | None) -> None:
        """Raise when attempts that are there were drawn otherwise than this call says."""
        if not self._tried_:
            return
        if (draws is None) != (self._replayed_ is None):
            was, now = ("ready", "random") if draws is None else ("random", "ready")
            raise ClusteringError(f"the {self._tried_} attempts of the fit that is to go on have "
                                  f"{was} draws and this call {now} ones; go on with {was} ones, "
                                  "set warm_start=False, or name another checkpoint")
        if draws is not None and self._replayed_ is not None:
            rows, digest = self._replayed_
            if digest_of(draws[:rows]) != digest:
                raise ClusteringError("the ready draws do not begin with those of the fit that is "
                                      "to go on; give these again with more behind them, set "
                                      "warm_start=False, or name another checkpoint")

    # -- the state in a file ----------------------------------------------------------------
    def _save(self) -> None:
        if self._file_ is not None:
            self._file_.keep(self._state)

    def _close(self) -> list[str]:
        """End the run's draws and write its last state; what is to be said if that fails."""
        self._replayed_, self._ready_ = self._fitted_draws(), None
        if self._file_ is None or not self._voted_:
            return []
        error = self._file_.close(self._state())
        return [f"the checkpoint {self.checkpoint} could not be written ({error})"] if error else []

    def _state(self) -> dict[str, Any]:
        root = self._streams_.root
        words = {"entropy": root.entropy, "spawn_key": list(root.spawn_key),
                 "pool_size": root.pool_size, "digest": self._digest_,
                 "settings": self._settings_,
                 "draws": self._replayed_ if self._ready_ is None else self._fitted_draws(),
                 "failures": [(f.replicate, f.reason) for f in self.failures_]}
        c = self.n_clusters
        return {
            "votes": self._voting_.votes, "words": np.array(json.dumps(words, default=int)),
            "counts": np.array([self._voted_, self._tried_, self.n_dropped_, self.converged_]),
            "centers": np.concatenate(self._centers_) if self._centers_ else np.empty((0, c, 0)),
            "notes": np.array(self._notes_, dtype=HISTORY),
            "majorities": np.array(self._majorities_)}

    def _restore(self, state: dict[str, np.ndarray]) -> None:
        words = json.loads(str(state["words"]))
        given = self._streams_.root
        self._digest_, digest = words["digest"], self._digest_
        self._settings_ = words["settings"]
        self._check_same(digest)
        if self.random_state is not None and (
                given.entropy != words["entropy"]
                or list(given.spawn_key) != words["spawn_key"]):
            raise ClusteringError(f"{self.checkpoint} was begun with another random_state; give "
                                  "that, or name another checkpoint")
        self._replayed_ = None if words["draws"] is None else tuple(words["draws"])
        self._streams_ = Streams(np.random.SeedSequence(
            words["entropy"], spawn_key=words["spawn_key"], pool_size=words["pool_size"]))
        self._voting_.votes[:] = state["votes"]
        self._voted_, self._tried_, self.n_dropped_ = map(int, state["counts"][:3])
        self._voting_.started = self._voted_ > 0
        self.converged_ = bool(state["counts"][3])
        self.failures_ = [ReplicateFailure(replicate=b, reason=reason)
                          for b, reason in words["failures"]]
        self._centers_ = [state["centers"]] if state["centers"].size else []
        self._notes_ = [tuple(row) for row in state["notes"].tolist()]
        self._majorities_ = list(state["majorities"])

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


def checked_indices(indices: Any, n: int) -> np.ndarray:
    """Ready draws (B, n) as int64."""
    array = np.asarray(indices)
    if array.ndim != 2 or array.shape[1] != n or array.dtype.kind not in "iu" or not array.size:
        raise ClusteringError(f"indices has shape {array.shape} and type {array.dtype}; whole "
                              f"numbers of shape (B, {n}) are needed, a draw of n objects a row")
    if array.min() < 0 or array.max() >= n:
        raise ClusteringError(f"indices go from {array.min()} to {array.max()}; objects are 0 to "
                              f"{n - 1}")
    return np.ascontiguousarray(array, dtype=np.int64)
