"""Votes of replicates, aligned one after another with the majority so far."""

from __future__ import annotations

import numpy as np

from .._interrupts import interrupts_later
from ..tables.matching import TIE_TOLERANCE, match_columns
from .replicates import Streams

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

    def cast(self, labels: np.ndarray, weights: np.ndarray, uniforms: np.ndarray,
             out: np.ndarray | None = None) -> np.ndarray:
        """Replicates in the rows of `labels` (B, n) vote, -1 keeping silent.

        `weights` (B,) and `uniforms` (B, n + c). Returns (B, c), which may be given as `out`: the
        cluster that each cluster of a replicate was called. Ctrl-C is answered between
        replicates: `cast_so_far` counts those whose votes are in.
        """
        n, c = self.votes.shape
        permutations = np.zeros((len(labels), c), dtype=np.int64) if out is None else out
        flat = self.votes.reshape(-1)
        for b in range(len(labels)):
            i = np.flatnonzero(labels[b] >= 0)
            label = labels[b, i]
            permutation = np.arange(c)
            if self.started:
                cells = self.majorities(uniforms[b, :n])[i] * c + label
                permutation = self._matched(
                    np.bincount(cells, minlength=c * c).reshape(c, c), uniforms[b, n:])
            with interrupts_later():
                flat[i * c + permutation[label]] += weights[b]
                permutations[b] = permutation
                self.started = True
                self.cast_so_far += 1
        return permutations

    def cast_soft(self, membership: np.ndarray, weight: float, uniforms: np.ndarray
                  ) -> np.ndarray:
        """One replicate votes in fractions: (n, c), rows of nan keeping silent."""
        n, c = self.votes.shape
        voting = ~np.isnan(membership[:, 0])
        permutation = np.arange(c)
        if self.started:
            table = np.zeros((c, c))
            np.add.at(table, self.majorities(uniforms[:n])[voting], membership[voting])
            permutation = self._matched(table, uniforms[n:])
        with interrupts_later():
            self.votes[np.ix_(voting, permutation)] += weight * membership[voting]
            self.started = True
            self.cast_so_far += 1
        return permutation

    def _matched(self, table: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        """The row of each column of a table of the majorities against a replicate."""
        columns, _ = match_columns(table, self.code, uniforms, tolerance=self.tolerance)
        permutation = np.empty(columns.size, dtype=np.int64)
        permutation[columns] = np.arange(columns.size)
        return permutation

    def majorities(self, uniforms: np.ndarray) -> np.ndarray:
        """Cluster with most votes of each object; number floor(u N) of N tied ones."""
        tied = self.votes == self.votes.max(axis=1, keepdims=True)
        count = tied.sum(axis=1)
        labels = tied.argmax(axis=1)
        several = np.flatnonzero(count > 1)
        if several.size:
            number = (uniforms[several] * count[several]).astype(np.int64)
            labels[several] = (tied[several].cumsum(axis=1) > number[:, None]).argmax(axis=1)
        return labels


def draw_uniforms(streams: Streams, first: int, last: int, count: int) -> np.ndarray:
    """The first `count` uniform numbers of replicates `first` to `last` - 1."""
    return np.array([streams.generator(b).random(count) for b in range(first, last)])


def replicates_at_once(count: int) -> int:
    """How many replicates may have `count` uniform numbers each in memory."""
    return max(1, _NUMBERS // count)
