"""Posterior draws of partitions: read, renumbered, equal ones merged."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._checks import ClusteringError, check_weights, shown
from ...clusterings import Clustering, Ensemble
from ...clusterings.arrays import NUMBERED
from ...clusterings.labels import MAX_EXACT_FLOAT
from ...clusterings.objects import check_indexes, naming_of
from ...clusterings.partial_ensemble import PartialEnsemble

#: labels in a range up to this, per object, are renumbered by a table; entries of a block that is
#: read at once; clusters of a draw
_TABLE, _BLOCK, _MOST = 16, 1 << 22, 1 << 16
#: dimensions of xarray objects that are no objects to cluster
_CHAIN, _DRAW = ("chain", "chains"), ("draw", "draws", "sample")
_GAPS = "draws must be complete; thin or complete them"


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
        """What the objects are called."""
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
    if isinstance(draws, PartialEnsemble):
        if not draws.is_complete:
            b, i = (int(v) for v in np.argwhere(draws.labels < 0)[0])
            raise ClusteringError(f"object {i} is absent from run {draws.names[b]!r}; {_GAPS}")
        return draws.labels, draws.naming
    if isinstance(draws, (Clustering, str, bytes)):
        raise ClusteringError(f"draws is a single {type(draws).__name__}; give draws as rows of a "
                              "matrix, or as an Ensemble")
    if isinstance(draws, Ensemble) or _holds_clusterings(draws):
        members = draws if isinstance(draws, Ensemble) else Ensemble(draws)
        for name, member in zip(members.names, members):
            if member.hard_codes is None:
                raise ClusteringError(f"draw {name!r} is {member.kind}; draws are hard "
                                      "clusterings: harden each draw")
        return np.stack([m.as_hard().labels for m in members]), members.naming
    naming = None
    if isinstance(draws, (list, tuple)) and draws:
        check_indexes((f"draw {s}", row) for s, row in enumerate(draws))
        naming = naming_of(draws[0])
    return _numbers(_ordered(draws)), naming


def _holds_clusterings(draws: Any) -> bool:
    return (isinstance(draws, dict) or (isinstance(draws, (list, tuple)) and bool(draws)
                                        and isinstance(draws[0], Clustering)))


def _ordered(draws: Any) -> Any:
    """The values of an xarray object in the order chain, draw, object; others as they are."""
    if hasattr(draws, "posterior") or hasattr(draws, "data_vars"):
        raise ClusteringError(f"draws is a {type(draws).__name__}, which holds several variables; "
                              "give the one with the labels, as in idata.posterior['z']")
    dims = getattr(draws, "dims", None)
    if dims is None or not hasattr(draws, "transpose"):
        return draws
    lead = [d for names in (_CHAIN, _DRAW) for d in dims if d in names]
    rest = [d for d in dims if d not in lead]
    if len(rest) != 1:
        raise ClusteringError(f"draws has the dimensions {', '.join(map(str, dims))}; chain, draw "
                              "and one dimension of objects are needed: select one of the others")
    return draws.transpose(*lead, *rest).values


def _numbers(draws: Any) -> np.ndarray:
    """Whole numbers in two or three dimensions."""
    if isinstance(draws, np.ma.MaskedArray):
        if np.ma.getmaskarray(draws).any():
            raise ClusteringError(f"draws has masked labels; {_GAPS}")
        draws = draws.data
    try:
        found = np.asarray(draws)
    except ValueError:
        raise ClusteringError("draws has rows of different lengths; one label for each object in "
                              "every draw is needed") from None
    if found.ndim == 1 and found.size:
        raise ClusteringError(f"draws has shape {found.shape}, which is one clustering; give draws "
                              "as rows")
    if found.ndim not in (2, 3) or not found.size:
        raise ClusteringError(f"draws has shape {found.shape}; (draws, objects) or (chains, draws, "
                              "objects) with at least one of each are needed")
    if found.dtype.kind == "O":
        found = _from_objects(found)
    if found.dtype.kind not in "iubf":
        raise ClusteringError(f"draws holds labels of dtype {found.dtype}; whole numbers are "
                              "needed: pandas.factorize makes them")
    return found


def _from_objects(found: np.ndarray) -> np.ndarray:
    """Numbers kept as Python objects; None and pandas' NA count as missing."""
    try:
        return np.asarray(found.tolist(), dtype=np.float64)
    except (TypeError, ValueError):
        missing = any(v is None or type(v).__name__ in ("NAType", "NaTType") for v in found.flat)
        raise ClusteringError(f"draws has missing labels; {_GAPS}" if missing else
                              f"draws holds {shown(next(iter(found.flat)))}, which is no whole "
                              "number; integer labels are needed") from None


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
        _check(np.isnan(block), block, start, f"which is missing; {_GAPS}")
        _check((block != np.trunc(block)) | (np.abs(block) >= MAX_EXACT_FLOAT), block, start,
               "which is no whole number; draws are labels of clusters, not membership "
               "probabilities")
    if block.dtype.kind != "u":
        _check(block < 0, block, start, f"which is negative; {_GAPS}, and give noise a label >= 0")
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
