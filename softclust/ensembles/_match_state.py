"""Parameters and stored state of `MultipleMatchClustering`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice
from .._stored import check_arrays, readable
from ..cluster.checks import check_count, check_number, count_distinct
from ..tables.matching import method_code
from ._checkpoint import Checkpoint, read_arrays
from ._draws import Ready
from ._estimator import Resampled
from ._voting import Voting
from .replicates import ReplicateFailure, Streams

KIND = "replicates of MultipleMatchClustering"
#: arrays of the state
STORED = ("votes", "words", "counts", "centers", "notes", "majorities")
HISTORY = np.dtype([("n_resamples", np.int64), ("criterion", np.float64),
                    ("uncertainty", np.float64), ("standard_error", np.float64)])


class MatchState(Resampled):
    """Base of the estimator; see its own documentation."""

    method: str
    margins: str
    out_of_bag: str
    degenerate: str
    max_attempts: int | None
    tol: float | None
    checkpoint: Any

    _voting_: Voting
    _c_: int
    _voted_: int
    n_dropped_: int
    converged_: bool
    _notes_: list[tuple[Any, ...]]
    _majorities_: list[np.ndarray]
    _file_: Checkpoint | None

    _FREE = (*Resampled._FREE, "checkpoint", "max_attempts", "tol")
    _NEW = "set warm_start=False, or name another checkpoint"
    _EVERYONE = "out_of_bag='predict'"

    # -- checks -----------------------------------------------------------------------------
    def _number(self) -> int:
        """Number of clusters."""
        found = self._of_.own_number
        if found is None:
            raise ClusteringError(f"{type(self._of_.estimator).__name__} has no number of "
                                  "clusters; give n_clusters")
        return int(found)

    def _check_own(self, x: np.ndarray) -> None:
        if self.max_attempts is not None:
            check_count("max_attempts", self.max_attempts)
        if self.tol is not None:
            check_number("tol", self.tol, 0.0, strict=True)
        method_code(self.method, self.margins)
        check_choice("out_of_bag", self.out_of_bag, ("predict", "skip"))
        check_choice("degenerate", self.degenerate, ("drop", "keep"))
        self._check_estimator(weights=False, everyone=False)
        c = self._number()
        distinct = count_distinct(x, c)
        if distinct < c:
            raise ClusteringError(f"X has {distinct} distinct objects; n_clusters={c} needs at "
                                  "least as many")
        self._check_checkpoint()
        given = self._of_.estimator
        if given is not None and self.out_of_bag == "predict" and not (
                hasattr(given, "predict") or hasattr(given, "assign")):
            raise ClusteringError(f"{type(given).__name__} has no predict, which objects that "
                                  "were not drawn need; set out_of_bag='skip'")

    def _check_checkpoint(self) -> None:
        if self.checkpoint is None:
            return
        if not isinstance(self.checkpoint, (str, os.PathLike)):
            raise TypeError(f"checkpoint is {self.checkpoint!r}; the path of a file is needed")
        if not Path(self.checkpoint).parent.is_dir():
            raise ClusteringError(f"the folder of checkpoint={str(self.checkpoint)!r} does not "
                                  "exist; make it first")
        if self.keep_estimators and self._of_.estimator is not None:
            raise ClusteringError("a checkpoint cannot hold the fits of a clusterer; leave out "
                                  "checkpoint or set keep_estimators=False")

    # -- the state in a file ----------------------------------------------------------------
    def _open(self) -> None:
        """Go on from the file, if there is one, and write to it from now on."""
        self._file_ = None if self.checkpoint is None else Checkpoint(self.checkpoint, KIND)
        if self.checkpoint is not None and Path(self.checkpoint).exists():
            self._restore(read_arrays(self.checkpoint, KIND, STORED))

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
        draws = self._replayed_ if self._ready_ is None else self._digest_of_draws()
        words = {"entropy": root.entropy, "spawn_key": list(root.spawn_key),
                 "pool_size": root.pool_size, "digest": self._digest_,
                 "settings": self._settings_,
                 "draws": draws.hex() if draws else None,
                 "failures": [(f.replicate, f.reason) for f in self.failures_]}
        c = self._c_
        return {
            "votes": self._voting_.votes, "words": np.array(json.dumps(words, default=int)),
            "counts": np.array([self._voted_, self._done_, self.n_dropped_, self.converged_]),
            "centers": np.concatenate(self._centers_) if self._centers_ else np.empty((0, c, 0)),
            "notes": np.array(self._notes_, dtype=HISTORY),
            "majorities": np.array(self._majorities_)}

    def _restore(self, state: dict[str, np.ndarray]) -> None:
        given = self._streams_.root
        with readable(self.checkpoint, KIND, "name another checkpoint"):
            words = json.loads(str(state["words"]))
            self._digest_, digest = str(words["digest"]), self._digest_
            self._settings_ = dict(words["settings"])
            self._check_same(digest)
            self._replayed_ = None if words["draws"] is None else bytes.fromhex(words["draws"])
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
                given.entropy != words["entropy"]
                or list(given.spawn_key) != words["spawn_key"]):
            raise ClusteringError(f"{self.checkpoint} was begun with another random_state; give "
                                  "that, or name another checkpoint")
        self._voting_.votes[:] = state["votes"]
        self._voted_, self._done_, self.n_dropped_ = map(int, state["counts"][:3])
        self._voting_.started = self._voted_ > 0
        self.converged_ = bool(state["counts"][3])
        self._centers_ = [state["centers"]] if state["centers"].size else []
        self._notes_ = [tuple(row) for row in state["notes"].tolist()]
        self._majorities_ = list(state["majorities"])


def checked_indices(indices: Any, n: int) -> Ready:
    """Ready draws (B, n)."""
    array = np.asarray(indices)
    if array.ndim != 2 or array.shape[1] != n or array.dtype.kind not in "iu" or not array.size:
        raise ClusteringError(f"indices has shape {array.shape} and type {array.dtype}; whole "
                              f"numbers of shape (B, {n}) are needed, a draw of n objects a row")
    if array.min() < 0 or array.max() >= n:
        raise ClusteringError(f"indices go from {array.min()} to {array.max()}; objects are 0 to "
                              f"{n - 1}")
    return Ready(first=0, source=np.ascontiguousarray(array, dtype=np.int64),
                 points=np.empty((1, 0, 0)), weights=np.ones((1, n)))
