"""Posterior draws of partitions: read, renumbered, equal ones merged."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._checks import ClusteringError, check_weights
from ...clusterings import Clustering, Ensemble
from ...clusterings.arrays import NUMBERED
from ...clusterings.draws import GAPS, draws_matrix
from ...clusterings.labels import MAX_EXACT_FLOAT

#: labels in a range up to this, per object, are renumbered by a table; entries of a block that is
#: read at once; clusters of a draw
_TABLE, _BLOCK, _MOST = 16, 1 << 22, 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """Distinct partitions of n objects and how often each was drawn.

    Attributes
    ----------
    rows : (D, n) uint16
        Labels by first appearance of the distinct draws, in order of appearance.
    index : (S,) int64
        The distinct draw of each draw.
    counts : (D,) int64
        How often each occurs.
    weights : (D,) float64
        Sums of weights; counts where no weights were given.
    each : (S,) float64 or None
        Weights of the draws of sum 1, where they were given.
    n_clusters : (D,) int64
    n_chains : int
        0 for draws without chains.
    naming : tuple or None
        Names of the objects, for clusterings.
    """

    rows: np.ndarray
    index: np.ndarray
    counts: np.ndarray
    weights: np.ndarray
    each: np.ndarray | None
    n_clusters: np.ndarray
    n_chains: int = 0
    naming: Any = None

    @property
    def n_objects(self) -> int:
        return int(self.rows.shape[1])

    @property
    def object_names(self) -> Sequence[Any] | None:
        """Object names."""
        return range(self.n_objects) if self.naming is NUMBERED else self.naming

    @property
    def n_draws(self) -> int:
        return int(self.index.size)

    @property
    def n_distinct(self) -> int:
        return int(self.rows.shape[0])

    @property
    def shares(self) -> np.ndarray:
        """Weights (D,) of sum 1."""
        return np.asarray(self.weights / self.weights.sum())

    @property
    def whole(self) -> bool:
        """Whether each draw counts once."""
        return self.each is None

    def mean(self, values: np.ndarray) -> float:
        """Weighted mean of values (D,) of the distinct draws."""
        return math.fsum(self.weights * values) / math.fsum(self.weights)

    def some(self, chosen: np.ndarray) -> Draws:
        """The distinct draws at these positions, with their weights; each occurs once."""
        return Draws(rows=self.rows[chosen], index=np.arange(chosen.size),
                     counts=self.counts[chosen], weights=self.weights[chosen], each=self.each,
                     n_clusters=self.n_clusters[chosen], naming=self.naming)

    def that_count(self) -> Draws:
        """Without draws of weight 0."""
        return self if (self.weights > 0).all() else self.some(np.flatnonzero(self.weights > 0))


def read_draws(draws: Any, weights: Any = None) -> Draws:
    """Draws from what users have; raises `ClusteringError` with what to do."""
    if isinstance(draws, Draws):
        return draws
    labels, naming = _matrix(draws)
    chains = labels.shape[0] if labels.ndim == 3 else 0
    labels = labels.reshape(-1, labels.shape[-1])
    each = _weights(weights, labels.shape[0])
    rows, n_clusters = _renumbered(labels)
    first, index = _merged(rows)
    counts = np.bincount(index, minlength=first.size)
    heavy = counts.astype(np.float64) if each is None else np.bincount(
        index, each, minlength=first.size)
    if first.size < rows.shape[0]:
        rows, n_clusters = rows[first], n_clusters[first]
    return Draws(rows=rows, index=index, counts=counts, weights=heavy, each=each,
                 n_clusters=n_clusters, n_chains=chains, naming=naming)


def _matrix(draws: Any) -> tuple[np.ndarray, Any]:
    """Draws as integers or floats (S, n) or (chains, draws, n), and names of objects."""
    if isinstance(draws, (Clustering, str, bytes)):
        raise ClusteringError(f"draws is a single {type(draws).__name__}; give draws as rows of a "
                              "matrix, or as an Ensemble")
    clusterings = isinstance(draws, (Ensemble, dict)) or (
        isinstance(draws, (list, tuple)) and bool(draws) and isinstance(draws[0], Clustering))
    if not clusterings:
        return draws_matrix(draws)
    members = draws if isinstance(draws, Ensemble) else Ensemble(draws)
    if not members.is_complete:
        b, i = (int(v) for v in np.argwhere(~members.present)[0])
        raise ClusteringError(f"object {i} is absent from run {members.names[b]!r}; {GAPS}")
    for name, kind in zip(members.names, members.kinds):
        if kind != "hard":
            raise ClusteringError(f"draw {name!r} is {kind}; draws are hard clusterings: harden "
                                  "each draw")
    return members.labels, members.naming


def _renumbered(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Labels by first appearance, and numbers of clusters."""
    many, n = labels.shape
    codes, sizes = np.empty((many, n), np.uint16), np.zeros(many, np.int64)
    first = np.empty(0, np.int64)
    step = max(1, _BLOCK // n)
    for start in range(0, many, step):
        block = _whole(labels[start:start + step], start)
        if block.max() >= first.size:
            first = np.empty(int(block.max()) + 1, np.int64)
        for s, row in enumerate(block, start):
            first[:] = n
            first[row[::-1]] = np.arange(n - 1, -1, -1)   # the last one written is the first
            used = np.flatnonzero(first < n)
            sizes[s] = used.size
            if used.size > _MOST:
                raise ClusteringError(f"draw {s} has {used.size} clusters; at most {_MOST} are "
                                      "possible")
            first[used[np.argsort(first[used])]] = np.arange(used.size)
            codes[s] = first[row]
    return codes, sizes


def _whole(block: np.ndarray, start: int) -> np.ndarray:
    """A block of draws as int64 in a range that a table can hold."""
    if block.dtype.kind == "f":
        _check(np.isnan(block), block, start, f"which is missing; {GAPS}")
        _check((block != np.trunc(block)) | (np.abs(block) >= MAX_EXACT_FLOAT), block, start,
               "which is not a whole number; draws are labels of clusters, not membership "
               "probabilities")
    if block.dtype.kind != "u":
        _check(block < 0, block, start, f"which is negative; {GAPS}, and give noise a label >= 0")
    if block.max() >= _TABLE * block.shape[1]:
        block = np.unique(block, return_inverse=True)[1].reshape(block.shape)
    return np.ascontiguousarray(block, dtype=np.int64)


def _check(wrong: np.ndarray, block: np.ndarray, start: int, why: str) -> None:
    if wrong.any():
        s, i = (int(v) for v in np.argwhere(wrong)[0])
        raise ClusteringError(f"draw {start + s} has the label {block[s, i]:g} for object {i}, "
                              f"{why}")


def _merged(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the first of equal rows, and for each row which of these it equals."""
    seen: dict[bytes, int] = {}
    first: list[int] = []
    index = np.empty(rows.shape[0], dtype=np.int64)
    for s, row in enumerate(rows):
        key = row.tobytes() if row.nbytes <= 64 else hashlib.blake2b(row, digest_size=24).digest()
        place = seen.setdefault(key, len(first))
        if place == len(first):
            first.append(s)
        index[s] = place
    return np.array(first), index


def _weights(weights: Any, many: int) -> np.ndarray | None:
    """Weights of sum 1, one for each draw; None for none."""
    if weights is None:
        return None
    flat = np.reshape(weights, -1) if np.ndim(weights) == 2 else weights
    w = check_weights(flat, many, "draws")
    w = w / w.max()
    return np.asarray(w / w.sum())
