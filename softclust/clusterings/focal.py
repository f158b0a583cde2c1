"""Any clustering as masses on the focal sets that occur, for relations and kernels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._checks import ClusteringError

#: evidential clusterings have at most this many clusters
MAX_CLUSTERS = 64
#: all 2**c sets are listed up to this number of clusters
MAX_FULL_CLUSTERS = 16
#: largest matrix of masses that a conversion makes
MAX_MASS_BYTES = 2**31
#: a table of all sets of this many labels is small beside a clustering
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
        The cluster of each set, when every set is a single cluster; empty otherwise.
    listed : (f, c) bool
        The sets, distinct and not empty; shape (0, c) when `clusters` gives them.
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
        """True if every set is a single cluster, so that two sets are disjoint or equal."""
        return self.listed.shape[0] == 0

    @property
    def single(self) -> np.ndarray:
        """Mask of the sets with exactly one cluster, (f,) bool."""
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
        """Statistic of some of the objects."""
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
        """Set of each object of a logical table, (n,) int64; f for the empty set."""
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


def of_sets(upper: np.ndarray) -> MassTable:
    """Mass 1 on the set of each object, a row of `upper` (n, c)."""
    packed, c = pack(upper), upper.shape[1]
    if c <= _COUNTED_LABELS:   # sets are found by counting, in the order of np.unique
        words = packed[:, 0].astype(np.int64)
        occurs = np.bincount(words, minlength=1 << c) > 0
        rows = (np.flatnonzero(occurs)[:, None] >> np.arange(c)) & 1 == 1
        return certain((np.cumsum(occurs) - 1)[words], rows)
    if packed.shape[1] == 1:
        _, first, codes = np.unique(packed[:, 0], return_index=True, return_inverse=True)
    else:
        _, first, codes = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    return certain(codes.reshape(-1), upper[first])


def _shape(sets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`clusters` and `listed` for 0/1 rows."""
    if (sets.sum(axis=1) == 1).all():
        return sets.argmax(axis=1).astype(np.int64), sets[:0]
    return np.zeros(0, dtype=np.int64), sets


def table(mass: np.ndarray, sets: np.ndarray | None, empty: np.ndarray | None = None) -> MassTable:
    """Masses (n, f) on sets (f, c), of which those that are used are taken; None: one per cluster.
    """
    used = mass.any(axis=0)
    if sets is None:
        clusters, listed = np.flatnonzero(used), np.zeros((0, mass.shape[1]), dtype=np.bool_)
    else:
        used &= sets.any(axis=1)
        clusters, listed = _shape(sets[used])
    mass = mass if used.all() else mass[:, used]   # a copy only where a set is not used
    nonempty = 1.0 - empty if empty is not None and empty.any() else np.zeros(0)
    return MassTable(mass=np.ascontiguousarray(mass), index=_NO_INDEX, clusters=clusters,
                     listed=listed, nonempty=nonempty,
                     logical=is_whole(mass) and is_whole(nonempty))


def certain(codes: np.ndarray, sets: np.ndarray | None, n_clusters: int = 0) -> MassTable:
    """Mass 1 on one set of each object: its row of `sets`, or cluster without any."""
    clusters, listed = ((np.arange(n_clusters), np.zeros((0, n_clusters), dtype=np.bool_))
                        if sets is None else _shape(sets))
    index = np.ascontiguousarray(codes.astype(np.int64)[:, None])
    return MassTable(mass=np.ones(index.shape), index=index, clusters=clusters, listed=listed,
                     nonempty=np.zeros(0), logical=True)


def consonant(typicality: np.ndarray) -> MassTable:
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
                     logical=is_whole(typicality))


def is_whole(values: np.ndarray) -> bool:
    """Test whether every number is 0 or 1; the first object nearly always decides."""
    first = values[:1]
    return bool(((first == 0.0) | (first == 1.0)).all()
                and ((values == 0.0) | (values == 1.0)).all())


def bit_masks(sets: np.ndarray) -> np.ndarray:
    """0/1 rows of up to 64 columns as uint64 bit masks, (f,): bit k is column k."""
    powers = np.left_shift(np.uint64(1), np.arange(sets.shape[1], dtype=np.uint64))
    return (sets * powers).sum(axis=1, dtype=np.uint64)


def bits(masks: np.ndarray, c: int) -> np.ndarray:
    """Bit masks (f,) as sets, (f, c) bool."""
    return (masks[:, None] >> np.arange(c, dtype=np.uint64) & np.uint64(1)).astype(np.bool_)


def occurring_sets(masks: np.ndarray, masses: np.ndarray, c: int) -> np.ndarray:
    """The sets with mass for some object, (f, c) bool in bit mask order."""
    return bits(np.sort(masks[0, (masses > 0.0).any(axis=0)]) if masks.shape[0] == 1
                else np.unique(masks[masses > 0.0]), c)


def on_full_sets(masks: np.ndarray, masses: np.ndarray, n: int, c: int
                 ) -> tuple[np.ndarray, np.ndarray]:
    """Masses (n, 2**c) on all sets, in bit mask order, and these."""
    if c > MAX_FULL_CLUSTERS or 8 * n << c > MAX_MASS_BYTES:
        raise ClusteringError(
            f"all 2**{c} sets of clusters for {n} objects take {8 * n * 2.0**c / 2**30:.3g} GiB; "
            f"up to {MAX_FULL_CLUSTERS} clusters and {MAX_MASS_BYTES / 2**30:.3g} GiB are listed "
            'in full: to_evidential(focal_sets="occurring") lists the sets that have mass')
    mass = np.zeros((n, 1 << c))
    if masks.shape[0] == 1:
        mass[:, masks[0].astype(np.int64)] = masses
    else:
        np.put_along_axis(mass, masks.astype(np.int64), masses, axis=1)
    return mass, bits(np.arange(1 << c, dtype=np.uint64), c)


def check_mass_size(n: int, n_sets: int) -> None:
    """Raise ClusteringError if masses (n, n_sets) are too large."""
    if 8 * n * n_sets > MAX_MASS_BYTES:
        raise ClusteringError(
            f"{n_sets} focal sets for {n} objects take {8 * n * n_sets / 2**30:.3g} GiB; at most "
            f"{MAX_MASS_BYTES / 2**30:.3g} GiB are made: take fewer objects by subset(...)")


def on_sets(masks: np.ndarray, masses: np.ndarray, sets: np.ndarray, names: tuple[Any, ...]
            ) -> np.ndarray:
    """Masses (n, f) on the given sets, which must include every set that has mass."""
    n = masses.shape[0]
    check_mass_size(n, sets.shape[0])
    listed = bit_masks(sets)
    sorter = np.argsort(listed)
    place = sorter[np.searchsorted(listed, masks, sorter=sorter).clip(max=listed.size - 1)]
    missing = (listed[place] != masks) & (masses > 0.0)
    if missing.any():
        i, r = np.argwhere(missing)[0]
        inside = bits(np.broadcast_to(masks, masses.shape)[i, r][None], len(names))[0]
        called = ", ".join(str(name) for name, member in zip(names, inside) if member)
        raise ClusteringError(f"object {i} has mass {masses[i, r]:g} on the set {{{called}}}, "
                              'which is not among focal_sets; add it, or use "occurring"')
    rows, columns = np.nonzero(masses > 0.0)
    mass = np.zeros((n, sets.shape[0]))
    mass[rows, np.broadcast_to(place, masses.shape)[rows, columns]] = masses[rows, columns]
    return mass


def sums_over(weights: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Sum of each row of `weights` over the columns in each set, (rows, s).

    Uses einsum, not BLAS, for the same order of addition with any number of threads.
    """
    return np.einsum("if,sf->is", weights.astype(np.float64, copy=False),
                     np.ascontiguousarray(sets, dtype=np.float64))


def largest_over(values: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Largest entry of each row of `values` within each set, 0 for the empty set, (n, s)."""
    result = np.zeros((values.shape[0], sets.shape[0]))
    for j, inside in enumerate(sets):
        if inside.any():
            result[:, j] = values[:, inside].max(axis=1)
    return result


def consonant_levels(typicality: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Clusters from the largest typicality down, (n, c), and the masses of the nested sets.

    Column r - 1 of the second is the mass of the set of the first r clusters; sets that end
    within a tie get 0, so the order of tied clusters is irrelevant.
    """
    order = np.argsort(-typicality, axis=1, kind="stable")
    values = np.take_along_axis(typicality, order, axis=1)
    return order, -np.diff(values, axis=1, append=0.0)


def first_best(scores: np.ndarray, tie_tol: float) -> np.ndarray:
    """First column of each row within `tie_tol` of the largest entry, (n,) int64."""
    return np.argmax(scores >= scores.max(axis=1, keepdims=True) - tie_tol, axis=1)


def best_sets(masses: np.ndarray, starts_empty: bool, on_empty: str, tie_tol: float) -> np.ndarray:
    """Column of the largest mass of each row; -1 where `on_empty` says all clusters."""
    best = first_best(masses, tie_tol)
    if not starts_empty:
        return best
    empty = best == 0
    if not empty.any():
        return best
    count, i = int(empty.sum()), int(np.flatnonzero(empty)[0])
    more = f" ({count} such objects)" if count > 1 else ""
    if on_empty == "raise":
        raise ClusteringError(
            f"object {i} has its largest mass, {masses[i, 0]:g}, on the empty set{more}; choose "
            'on_empty="vacuous" for all clusters or "nonempty" for the best other set')
    if on_empty == "vacuous":
        best[empty] = -1
        return best
    others = masses[empty, 1:]
    if not others.size or not (others > 0.0).any(axis=1).all():
        raise ClusteringError(f"object {i} or a later one has all its mass on the empty set, so "
                              'there is no best non-empty set; choose on_empty="vacuous"')
    best[empty] = 1 + first_best(others, tie_tol)
    return best


def check_focal_sets(sets: np.ndarray, columns: int) -> None:
    """Raise ClusteringError unless the rows of `sets` are distinct, the empty set first at most.
    """
    f, c = sets.shape
    if f != columns:
        raise ClusteringError(f"mass has {columns} columns for {f} focal_sets; "
                              "one column per set is needed")
    if c > MAX_CLUSTERS:
        raise ClusteringError(f"focal_sets has {c} clusters; at most {MAX_CLUSTERS} are possible")
    empty = np.flatnonzero(~sets.any(axis=1))
    if empty.size and (empty.size > 1 or empty[0] != 0):
        raise ClusteringError(f"the empty set is focal set {', '.join(map(str, empty))}; it may "
                              "occur once, as the first: reorder the columns of mass")
    masks = bit_masks(sets)
    values, first = np.unique(masks, return_index=True)
    if values.size < f:
        b = int(np.setdiff1d(np.arange(f), first)[0])
        a = int(np.flatnonzero(masks == masks[b])[0])
        raise ClusteringError(f"focal_sets rows {a} and {b} are the same set; add up their "
                              "columns of mass first")
