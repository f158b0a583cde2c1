"""Any clustering as masses on the focal sets that occur: what relations and kernels read."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ._base import Clustering
from .evidential import EvidentialClustering
from .fuzzy import FuzzyClustering
from .hard import HardClustering
from .possibilistic import PossibilisticClustering
from .rough import RoughClustering

#: numbers up to which the masses of a soft clustering are kept with it
KEPT = 1 << 16
#: a table of all sets of so many labels is small beside a clustering
_COUNTED_LABELS = 12
_NO_INDEX = np.zeros((0, 0), dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class MassTable:
    """Mass functions over the non-empty focal sets that occur.

    Attributes
    ----------
    mass : (n, e) float64
        Masses of each object's entries.
    index : (n, e) int64
        Set of each entry; shape (0, 0) when e = f and entry b belongs to set b.
    clusters : (f,) int64
        When every set is a single cluster: which. Empty otherwise.
    listed : (f, c) bool
        The sets, distinct and not empty; shape (0, c) when `clusters` says it.
    nonempty : (n,) float64
        g_i = 1 - m_i(empty); shape (0,) when all are 1.
    logical : bool
        Whether every object has one focal set (possibly the empty one) of mass exactly 1.
    """

    mass: np.ndarray
    index: np.ndarray
    clusters: np.ndarray
    listed: np.ndarray
    nonempty: np.ndarray
    logical: bool

    @property
    def n_sets(self) -> int:
        """Number f of focal sets."""
        return int(self.clusters.size or self.listed.shape[0])

    @property
    def all_single(self) -> bool:
        """Whether every set is a single cluster: then two sets are disjoint unless equal."""
        return self.listed.shape[0] == 0

    @property
    def single(self) -> np.ndarray:
        """Which sets have exactly one cluster, (f,) bool."""
        if self.all_single:
            return np.ones(self.n_sets, dtype=bool)
        return self.listed.sum(axis=1) == 1

    @property
    def sets(self) -> np.ndarray:
        """The sets, (f, c) bool."""
        if not self.all_single:
            return self.listed
        sets = np.zeros((self.n_sets, self.listed.shape[1]), dtype=bool)
        sets[np.arange(self.n_sets), self.clusters] = True
        return sets

    @property
    def masks(self) -> np.ndarray:
        """The sets as bit masks, (f, words) uint64; no words when all are single clusters."""
        if self.all_single:
            return np.zeros((self.n_sets, 0), dtype=np.uint64)
        return pack(self.listed)

    def part(self, objects: slice) -> MassTable:
        """Of some of the objects."""
        return replace(self, mass=self.mass[objects], index=self.index[objects],
                       nonempty=self.nonempty[objects])

    def dense(self) -> np.ndarray:
        """Masses as a matrix (n, f)."""
        if self.index.size == 0:
            return self.mass
        matrix = np.zeros((self.mass.shape[0], self.n_sets))
        np.put_along_axis(matrix, self.index, self.mass, axis=1)
        return matrix

    def certain(self) -> np.ndarray:
        """For a logical table: the set of each object, (n,) int64; f for the empty set."""
        if self.index.shape[1] == 1 and not self.nonempty.size:
            return self.index[:, 0]
        codes = np.full(self.mass.shape[0], self.n_sets)
        if self.n_sets:
            best = self.mass.argmax(axis=1)
            sets = best
            if self.index.size:
                sets = np.take_along_axis(self.index, best[:, None], axis=1)[:, 0]
            codes = np.where(self.mass.any(axis=1), sets, codes)
        return codes.astype(np.int64)


def pack(sets: np.ndarray) -> np.ndarray:
    """0/1 rows (f, c) as bit masks (f, words) uint64: bit k of word w is column 64 w + k."""
    f, c = sets.shape
    words = max(1, -(-c // 64))
    padded = np.zeros((f, 64 * words), dtype=np.uint8)
    padded[:, :c] = sets
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def mass_table(clustering: Clustering) -> MassTable:
    """The clustering as masses on the non-empty focal sets that occur; kept where it is small."""
    kept = clustering._cache
    if "masses" in kept:
        found: MassTable = kept["masses"]
        return found
    found = _masses(clustering)
    if found.mass.size <= KEPT or clustering.kind == "hard":
        kept["masses"] = found
    return found


def _masses(clustering: Clustering) -> MassTable:
    c = clustering.n_clusters
    if isinstance(clustering, HardClustering):
        return _certain(clustering.labels, np.arange(c), np.zeros((0, c), dtype=bool))
    if isinstance(clustering, RoughClustering):
        packed = pack(clustering.upper)
        if c <= _COUNTED_LABELS:   # sets are found by counting, in the order of np.unique
            words = packed[:, 0].astype(np.int64)
            occurs = np.bincount(words, minlength=1 << c) > 0
            rows = (np.flatnonzero(occurs)[:, None] >> np.arange(c)) & 1 == 1
            return _certain((np.cumsum(occurs) - 1)[words], *_shape(rows))
        if packed.shape[1] == 1:
            _, first, codes = np.unique(packed[:, 0], return_index=True, return_inverse=True)
        else:
            _, first, codes = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        return _certain(codes.reshape(-1), *_shape(clustering.upper[first]))
    if isinstance(clustering, FuzzyClustering):
        used = clustering.membership.any(axis=0)
        return _table(clustering.membership[:, used], np.flatnonzero(used),
                      np.zeros((0, c), dtype=bool), np.zeros(0))
    if isinstance(clustering, PossibilisticClustering):
        return _consonant(clustering.typicality)
    if not isinstance(clustering, EvidentialClustering):
        clustering = clustering.to_evidential()   # a cover says that it has no masses
    used = clustering.mass.any(axis=0) & clustering.focal_sets.any(axis=1)
    empty = clustering.empty_mass
    return _table(clustering.mass[:, used], *_shape(clustering.focal_sets[used]),
                  1.0 - empty if empty.any() else np.zeros(0))


def _shape(sets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`clusters` and `listed` for 0/1 rows."""
    if (sets.sum(axis=1) == 1).all():
        return sets.argmax(axis=1).astype(np.int64), sets[:0]
    return np.zeros(0, dtype=np.int64), sets


def _table(mass: np.ndarray, clusters: np.ndarray, listed: np.ndarray, nonempty: np.ndarray
           ) -> MassTable:
    whole = _all_whole(mass) and _all_whole(nonempty)
    return MassTable(mass=np.ascontiguousarray(mass), index=_NO_INDEX, clusters=clusters,
                     listed=listed, nonempty=nonempty, logical=whole)


def _certain(codes: np.ndarray, clusters: np.ndarray, listed: np.ndarray) -> MassTable:
    index = np.ascontiguousarray(codes.astype(np.int64)[:, None])
    return MassTable(mass=np.ones(index.shape), index=index, clusters=clusters, listed=listed,
                     nonempty=np.zeros(0), logical=True)


def _consonant(typicality: np.ndarray) -> MassTable:
    """Masses pi_(r) - pi_(r+1) on the sets of the r most typical clusters, r = 1, ..., c."""
    n, c = typicality.shape
    order = np.argsort(-typicality, axis=1, kind="stable")
    sorted_ = np.take_along_axis(typicality, order, axis=1)
    steps = sorted_.copy()
    steps[:, :-1] -= sorted_[:, 1:]
    words = max(1, -(-c // 64))
    bits = np.zeros((n, c, words), dtype=np.uint64)
    np.put_along_axis(bits, (order // 64)[:, :, None],
                      np.left_shift(np.uint64(1), (order % 64).astype(np.uint64))[:, :, None],
                      axis=2)
    nested = np.bitwise_or.accumulate(bits, axis=1).reshape(n * c, words)
    if words == 1:
        masks, index = np.unique(nested[:, 0], return_inverse=True)
        masks = masks[:, None]
    else:
        masks, index = np.unique(nested, axis=0, return_inverse=True)
    sets = np.unpackbits(np.ascontiguousarray(masks).astype("<u8").view(np.uint8), axis=1,
                         bitorder="little")[:, :c].astype(bool)
    top = sorted_[:, 0]
    clusters, listed = _shape(sets)
    return MassTable(mass=steps, index=index.reshape(n, c).astype(np.int64),
                     clusters=clusters, listed=listed,
                     nonempty=np.zeros(0) if bool(np.all(top == 1.0)) else top.copy(),
                     logical=_all_whole(typicality))


def is_logical(clustering: Clustering) -> bool:
    """Whether every object has one focal set of mass exactly 1 (cheaper than the table)."""
    if isinstance(clustering, (HardClustering, RoughClustering)):
        return True
    return _all_whole(getattr(clustering, clustering._fields[0]))


def _all_whole(values: np.ndarray) -> bool:
    """Whether every number is 0 or 1; the first object decides nearly always."""
    return all(bool(((part == 0.0) | (part == 1.0)).all()) for part in (values[:1], values))
