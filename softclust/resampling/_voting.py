"""Votes of replicates, aligned one after another with the majority so far."""

from __future__ import annotations

import numpy as np

from .. import _kernels
from .._interrupts import interrupts_later
from .._parallel import Progress
from ..statistics.matching import TIE_TOLERANCE, is_heuristic, match_columns
from .replicates import Streams

#: steps of the kernel between looks for Ctrl-C, about 50 ms
_STEPS = 1 << 24
#: uniform numbers kept at once
_NUMBERS = 1 << 22


class Voting:
    """The multiple match cluster count of n objects and c clusters.

    Replicates are cast in order; their bits depend on nothing else.
    """

    def __init__(self, n: int, c: int, code: int, tolerance: float = TIE_TOLERANCE) -> None:
        self.code, self.tolerance = code, tolerance
        self.votes = np.zeros((n, c))
        self.started = False
        self.cast_so_far = 0
        counted = c <= _kernels.matching.COUNTED or is_heuristic(code)
        self._work = _kernels.matching.scratch(c, c if counted else 1, code)
        self._table = np.zeros((c, c), dtype=np.int64)
        self._columns = np.zeros(c, dtype=np.int64)

    @property
    def n_uniforms(self) -> int:
        """Numbers that a replicate takes: ties of the majorities, then the match."""
        return sum(self.votes.shape)

    def cast(self, labels: np.ndarray, weights: np.ndarray, uniforms: np.ndarray,
             progress: Progress | None = None, out: np.ndarray | None = None) -> np.ndarray:
        """Replicates in the rows of `labels` (B, n) int32 vote, -1 keeping silent.

        `weights` (B,) and `uniforms` (B, n + c). Returns (B, c), which may be given as `out`: the
        cluster that each cluster of a replicate was called. Ctrl-C is answered between
        replicates: `cast_so_far` counts those whose votes are in.
        """
        count, n = labels.shape
        c = self.votes.shape[1]
        anonymous = -1 if self.started else 0
        permutations = np.zeros((count, c), dtype=np.int64) if out is None else out
        step, position, matched = max(1, _STEPS // (n * c)), 0, False
        while position < count:
            last = min(count, position + step)
            with interrupts_later():
                stop = _kernels.matching.vote(
                    position, last, anonymous, matched, labels, weights, self.votes, uniforms,
                    self.code, self._table, self._columns, permutations, self._work)
                matched = stop < last
                if matched:   # float64 could not tell, or the table is large
                    self._columns[:], _ = match_columns(self._table, self.code,
                                                        uniforms[stop, n:])
                self.cast_so_far += stop - position
                self.started = self.started or stop > position
                position = stop
            if progress is not None:
                progress(position, count)
        return permutations

    def cast_soft(self, membership: np.ndarray, weight: float, uniforms: np.ndarray
                  ) -> np.ndarray:
        """One replicate votes in fractions: (n, c), rows of nan keeping silent."""
        n, c = self.votes.shape
        voting = ~np.isnan(membership[:, 0])
        permutation = np.arange(c)
        if self.started:
            reference = np.empty(n, dtype=np.int64)
            _kernels.matching.majorities(self.votes, uniforms[:n], reference)
            table = np.zeros((c, c))
            np.add.at(table, reference[voting], membership[voting])
            columns, _ = match_columns(table, self.code, uniforms[n:], tolerance=self.tolerance)
            permutation[columns] = np.arange(c)
        with interrupts_later():
            self.votes[np.ix_(voting, permutation)] += weight * membership[voting]
            self.started = True
            self.cast_so_far += 1
        return permutation

    def majorities(self, uniforms: np.ndarray) -> np.ndarray:
        """Cluster with most votes of each object, ties by `uniforms` (n,)."""
        labels = np.empty(self.votes.shape[0], dtype=np.int64)
        _kernels.matching.majorities(self.votes, uniforms, labels)
        return labels


def draw_uniforms(streams: Streams, first: int, last: int, count: int) -> np.ndarray:
    """The first `count` uniform numbers of replicates `first` to `last` - 1."""
    uniforms = np.empty((last - first, count))
    _kernels.matching.draw_uniforms(streams.states(first, last), 0, last - first, uniforms)
    return uniforms


def replicates_at_once(count: int) -> int:
    """How many replicates may have `count` uniform numbers each in memory."""
    return max(1, _NUMBERS // count)
