"""Sums of products of memberships as whole numbers: the same for any parts in any order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .. import _kernels
from .._checks import ClusteringError
from .bilinear import MAX_CELLS
from .exact import scaled
from .moments import Columns, MembershipMoments, PairMoments

#: memberships are multiples of 2^-54, in three limbs of 18 bits
BITS, _LIMB, _LIMBS = 54, 18, 3
#: objects at a time at most, numbers of a block, and objects whose products fit an int64
_OBJECTS, _NUMBERS, _SPILL = 1 << 14, 1 << 21, 1 << 26


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExactSums:
    """The sums as whole numbers, which add up in any order.

    Attributes
    ----------
    n : int
    shape : (int, int)
        Numbers r and s of clusters.
    products : ndarray of object, shape (r + s, r + s)
        Sums of products of memberships in the clusters of x, then y, in 2^-108.
    totals : ndarray of object, shape (r + s,)
        Sums of memberships, in 2^-54.
    gaps : ndarray of object, shape (r, s)
        Sums of |u_ik - v_il|, in 2^-54.
    both : int
        Sum of |u_i|^2 |v_i|^2, each rounded to 2^-54, in 2^-54.
    """

    n: int
    shape: tuple[int, int]
    products: np.ndarray
    totals: np.ndarray
    gaps: np.ndarray
    both: int

    def plus(self, other: ExactSums) -> ExactSums:
        """The sums over the objects of both."""
        return ExactSums(n=self.n + other.n, shape=self.shape,
                         products=self.products + other.products,
                         totals=self.totals + other.totals, gaps=self.gaps + other.gaps,
                         both=self.both + other.both)

    def placed(self, places: tuple[np.ndarray, np.ndarray], shape: tuple[int, int]) -> ExactSums:
        """The sums with more clusters, cluster k of x at places[0][k]; new ones are empty."""
        found = _nothing(*shape)
        every = np.concatenate([places[0], shape[0] + places[1]])
        found.products[np.ix_(every, every)] = self.products
        found.totals[every] = self.totals
        # Against an empty cluster the differences are the memberships.
        r = self.shape[0]
        own = [np.zeros(count, object) for count in shape]
        own[0][places[0]], own[1][places[1]] = self.totals[:r], self.totals[r:]
        found.gaps[:] = own[0][:, None] + own[1][None, :]
        found.gaps[np.ix_(*places)] = self.gaps
        return ExactSums(n=self.n, shape=shape, products=found.products, totals=found.totals,
                         gaps=found.gaps, both=self.both)

    def equals(self, other: ExactSums) -> bool:
        """Whether all sums are the same."""
        return (self.n, self.shape, self.both) == (other.n, other.shape, other.both) and all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("products", "totals", "gaps"))

    # -- parts --------------------------------------------------------------------------------
    @property
    def blocks(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """U'U, V'V and U'V."""
        r = self.shape[0]
        return self.products[:r, :r], self.products[r:, r:], self.products[:r, r:]

    @property
    def sizes(self) -> tuple[np.ndarray, np.ndarray]:
        """U'1 and V'1."""
        return self.totals[:self.shape[0]], self.totals[self.shape[0]:]

    def squared_gaps(self) -> np.ndarray:
        """Sums of (u_ik - v_il)^2, (r, s), in 2^-108."""
        first, second, cross = self.blocks
        return first.diagonal()[:, None] + second.diagonal()[None, :] - 2 * cross


def _nothing(r: int, s: int) -> ExactSums:
    return ExactSums(n=0, shape=(r, s), products=np.zeros((r + s, r + s), object),
                     totals=np.zeros(r + s, object), gaps=np.zeros((r, s), object), both=0)


def in_floats(values: np.ndarray, bits: int) -> np.ndarray:
    """Whole numbers of 2^-bits as floats, each rounded once."""
    return np.array([scaled(v, -bits) for v in values.ravel().tolist()]).reshape(values.shape)


def _norm(values: np.ndarray) -> int:
    return sum(v * v for v in values.ravel().tolist())


class ExactMoments(MembershipMoments):
    """`MembershipMoments` from whole numbers; each value is rounded once."""

    def __init__(self, sums: ExactSums) -> None:
        self.sums, self.n_objects = sums, sums.n

    @cached_property
    def cross(self) -> np.ndarray:
        """U'V, (r, s)."""
        return in_floats(self.sums.blocks[2], 2 * BITS)

    @cached_property
    def totals(self) -> tuple[np.ndarray, np.ndarray]:
        """Sums of the memberships in each cluster, (r,) and (s,)."""
        first, second = self.sums.sizes
        return in_floats(first, BITS), in_floats(second, BITS)

    @cached_property
    def cross_norm(self) -> float:
        """||U'V||^2."""
        return scaled(_norm(self.sums.blocks[2]), -4 * BITS)

    @cached_property
    def own_norms(self) -> tuple[float, float]:
        """||U'U||^2 and ||V'V||^2."""
        first, second = (scaled(_norm(b), -4 * BITS) for b in self.sums.blocks[:2])
        return first, second

    @cached_property
    def total_norms(self) -> tuple[float, float]:
        """||U'1||^2 and ||V'1||^2."""
        first, second = (scaled(_norm(size), -2 * BITS) for size in self.sums.sizes)
        return first, second

    @cached_property
    def _traces(self) -> tuple[int, int]:
        first, second = (sum(b.diagonal().tolist()) for b in self.sums.blocks[:2])
        return first, second

    @cached_property
    def traces(self) -> tuple[float, float]:
        """Sums of the squared memberships."""
        return scaled(self._traces[0], -2 * BITS), scaled(self._traces[1], -2 * BITS)

    @cached_property
    def pairs(self) -> PairMoments:
        """Sums over the pairs of objects."""
        sums, n = self.sums, self.n_objects
        both = _norm(sums.blocks[2]) - (sums.both << 3 * BITS)
        first, second = (_norm(size) - own for size, own in zip(sums.sizes, self._traces))
        return PairMoments(both=scaled(both, -4 * BITS - 1), first=scaled(first, -2 * BITS - 1),
                           second=scaled(second, -2 * BITS - 1), n_pairs=n * (n - 1) // 2)


# -- the pass over the objects --------------------------------------------------------------------
def exact_sums(x: Columns, y: Columns) -> ExactSums:
    r, s = x.n_clusters, y.n_clusters
    if (r + s) ** 2 > MAX_CELLS:
        raise ClusteringError(f"{r} and {s} clusters would need {(r + s) ** 2} sums of products "
                              f"(at most {MAX_CELLS}); leave out empty clusters")
    n = x.values.shape[0]
    step = max(1, min(_OBJECTS, _NUMBERS // (_LIMBS * (r + s))))
    total = _nothing(r, s)
    for first in range(0, n, _SPILL):
        pass_ = _Pass(r, s)
        for start in range(first, min(first + _SPILL, n), step):
            pass_.add(x, y, start, min(start + step, first + _SPILL, n))
        total = total.plus(pass_.sums())
    return total


class _Pass:
    """Sums of at most 2^26 objects, in int64."""

    def __init__(self, r: int, s: int) -> None:
        self.shape, self.n = (r, s), 0
        self.products = np.zeros((_LIMBS * (r + s),) * 2, np.int64)
        self.halves = np.zeros((2, r + s), np.int64)
        self.gaps = np.zeros((2, r, s), np.int64)
        self.both = 0

    def add(self, x: Columns, y: Columns, start: int, stop: int) -> None:
        """Add the objects start, ..., stop - 1."""
        r, half = self.shape[0], _kernels.membership_sums.HALF
        whole = np.empty((sum(self.shape), stop - start), np.int64)
        whole[:r], whole[r:] = _whole(x, start, stop), _whole(y, start, stop)
        mask = (1 << _LIMB) - 1
        limbs = np.concatenate([whole & mask, (whole >> _LIMB) & mask, whole >> 2 * _LIMB])
        # Products below 2^36 of at most 2^17 objects: exact in double precision.
        limbs = limbs.astype(np.float64)
        self.products += (limbs @ limbs.T).astype(np.int64)
        self.halves += (whole >> half).sum(axis=1), (whole & ((1 << half) - 1)).sum(axis=1)
        _kernels.membership_sums.add_gaps(whole[:r], whole[r:], *self.gaps)
        self.both += _both(x, y, start, stop)
        self.n += stop - start

    def sums(self) -> ExactSums:
        """The sums as Python integers."""
        wide, half = sum(self.shape), _kernels.membership_sums.HALF
        limbs = self.products.reshape(_LIMBS, wide, _LIMBS, wide)
        products = np.zeros((wide, wide), object)
        for i in range(_LIMBS):
            for j in range(_LIMBS):
                products += limbs[i, :, j].astype(object) * (1 << _LIMB * (i + j))
        totals, gaps = ((high.astype(object) * (1 << half)) + low.astype(object)
                        for high, low in (self.halves, self.gaps))
        return ExactSums(n=self.n, shape=self.shape, products=products, totals=totals, gaps=gaps,
                         both=self.both)


def _whole(side: Columns, start: int, stop: int) -> np.ndarray:
    """Memberships of some objects in units of 2^-54, (c, m) int64."""
    part = Columns(values=side.values[start:stop], index=side.index[start:stop],
                   n_clusters=side.n_clusters)
    return np.rint(part.dense().T * float(1 << BITS)).astype(np.int64)


def _both(x: Columns, y: Columns, start: int, stop: int) -> int:
    """Sum of |u_i|^2 |v_i|^2, each rounded to 2^-54."""
    value = _squares(x.values[start:stop]) * _squares(y.values[start:stop])
    floor = np.floor(value)
    rest = np.rint((value - floor) * float(1 << BITS)).astype(np.int64)
    half = _kernels.membership_sums.HALF
    below = (int((rest >> half).sum()) << half) + int((rest & ((1 << half) - 1)).sum())
    return (int(floor.sum()) << BITS) + below


def _squares(rows: np.ndarray) -> np.ndarray:
    """Squared lengths, added cluster by cluster: the same bits in blocks of any size."""
    found = np.zeros(rows.shape[0])
    for k in range(rows.shape[1]):
        found += rows[:, k] * rows[:, k]
    return found
