"""Sums of products of memberships that add up over parts of the objects."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._blas import one_thread
from .._checks import ClusteringError
from ..pairs.bilinear import MAX_CELLS, column_sums
from ..pairs.moments import Columns, MembershipMoments, squared_norm

#: objects at a time at most, and numbers of a block
_OBJECTS, _NUMBERS = 1 << 12, 1 << 21
#: the sums of `Sums`
PARTS = ("products", "totals", "gaps", "squared_gaps", "both")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sums:
    """Sums over objects.

    Attributes
    ----------
    n : int
    shape : (int, int)
        Numbers r and s of clusters.
    products : ndarray, shape (r + s, r + s)
        Of products of memberships in the clusters of x, then y.
    totals : ndarray, shape (r + s,)
        Of memberships.
    gaps, squared_gaps : ndarray, shape (r, s)
        Of |u_ik - v_il| and of (u_ik - v_il)^2.
    both : ndarray, shape ()
        Of |u_i|^2 |v_i|^2.
    """

    n: int
    shape: tuple[int, int]
    products: np.ndarray
    totals: np.ndarray
    gaps: np.ndarray
    squared_gaps: np.ndarray
    both: np.ndarray

    @staticmethod
    def shapes(r: int, s: int) -> tuple[tuple[int, ...], ...]:
        """Sums of `PARTS`."""
        return (r + s, r + s), (r + s,), (r, s), (r, s), ()

    def plus(self, other: Sums) -> Sums:
        """The sums over the objects of both."""
        return Sums(n=self.n + other.n, shape=self.shape, **{
            name: np.asarray(getattr(self, name) + getattr(other, name)) for name in PARTS})

    def placed(self, places: tuple[np.ndarray, np.ndarray], shape: tuple[int, int]) -> Sums:
        """The sums with more clusters, cluster k of x at places[0][k]; new ones are empty."""
        found = {name: np.zeros(size) for name, size in zip(PARTS, self.shapes(*shape))}
        every = np.concatenate([places[0], shape[0] + places[1]])
        found["products"][np.ix_(every, every)] = self.products
        found["totals"][every] = self.totals
        # Against an empty cluster the differences are the memberships.
        for name, own in (("gaps", found["totals"]),
                          ("squared_gaps", found["products"].diagonal())):
            found[name][:] = own[:shape[0], None] + own[shape[0]:]
            found[name][np.ix_(*places)] = getattr(self, name)
        found["both"] = self.both
        return Sums(n=self.n, shape=shape, **found)

    def equals(self, other: Sums) -> bool:
        """Whether all sums are the same."""
        return (self.n, self.shape) == (other.n, other.shape) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in PARTS)

    @property
    def blocks(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """U'U, V'V and U'V."""
        r = self.shape[0]
        return self.products[:r, :r], self.products[r:, r:], self.products[:r, r:]

    @property
    def sizes(self) -> tuple[np.ndarray, np.ndarray]:
        """U'1 and V'1."""
        return self.totals[:self.shape[0]], self.totals[self.shape[0]:]


def sums_of(x: Columns, y: Columns) -> Sums:
    """The sums over all objects."""
    r, s = x.n_clusters, y.n_clusters
    if (r + s) ** 2 > MAX_CELLS:
        raise ClusteringError(f"{r} and {s} clusters would need {(r + s) ** 2} sums of products "
                              f"(at most {MAX_CELLS}); leave out empty clusters")
    products, totals, gaps, squared, both = (np.zeros(shape) for shape in Sums.shapes(r, s))
    n = x.values.shape[0]
    step = max(1, min(_OBJECTS, _NUMBERS // (r + s)))
    for start in range(0, n, step):
        rows = np.concatenate([_dense(z, start, start + step) for z in (x, y)], axis=1)
        with one_thread():
            products += rows.T @ rows
        totals += column_sums(rows)
        v = np.ascontiguousarray(rows[:, r:].T)
        for k in range(r):
            apart = rows[:, k] - v
            gaps[k] += np.abs(apart).sum(axis=1)
            squared[k] += (apart * apart).sum(axis=1)
        both += ((rows[:, :r] ** 2).sum(axis=1) * (rows[:, r:] ** 2).sum(axis=1)).sum()
    return Sums(n=n, shape=(r, s), products=products, totals=totals, gaps=gaps,
                squared_gaps=squared, both=both)


def _dense(side: Columns, start: int, stop: int) -> np.ndarray:
    return Columns(values=side.values[start:stop], index=side.index[start:stop],
                   n_clusters=side.n_clusters).dense()


class SummedMoments(MembershipMoments):
    """`MembershipMoments` from sums."""

    def __init__(self, sums: Sums) -> None:
        self.sums, self.n_objects = sums, sums.n

    @cached_property
    def cross(self) -> np.ndarray:
        """U'V, (r, s)."""
        return self.sums.blocks[2]

    @cached_property
    def totals(self) -> tuple[np.ndarray, np.ndarray]:
        """Sums of the memberships in each cluster, (r,) and (s,)."""
        return self.sums.sizes

    @cached_property
    def own_norms(self) -> tuple[float, float]:
        """||U'U||^2 and ||V'V||^2."""
        first, second, _ = self.sums.blocks
        return squared_norm(first), squared_norm(second)

    @cached_property
    def traces(self) -> tuple[float, float]:
        """Sums of the squared memberships."""
        first, second, _ = self.sums.blocks
        return float(first.trace()), float(second.trace())

    @cached_property
    def both(self) -> float:
        """Sum of the products of the squared lengths of both rows."""
        return float(self.sums.both)
