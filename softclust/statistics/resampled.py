"""What two clusterings share when objects are resampled: copies of one object form no pair.

A resample is a weight w_i of each object. Sums over objects count object i w_i times; the pair
i < j counts w_i w_j times, and no object is paired with itself: counting the copies of an object
as pairs would add n(n-1)/2 / n agreements to a bootstrap resample on average.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _kernels
from .._parallel import run_chunks
from .._records import PairCounts
from ..clusterings import Clustering
from ..clusterings._focal import MassTable, is_logical, mass_table
from .bilinear import _disjoint_product, group_sums, logical_sums, self_masses
from .counting import Contingency, exact_squares
from .restriction import restrictions

#: largest table of numbers by object: masses of a side, costs between clusters
MOST_NUMBERS = 1 << 25
#: objects of a block of pair sums
ROWS = 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class WeightedContingency(Contingency):
    """A contingency of weighted objects; `n` and the counts are sums of weights.

    Attributes
    ----------
    own : int
        Sum of the squared weights.
    """

    own: int

    def pair_counts(self) -> PairCounts:
        """Pairs of distinct objects: those of copies are taken off the squares."""
        rows, columns = exact_squares(self.a, self.n), exact_squares(self.b, self.n)
        n11 = (self.squares - self.own) // 2
        n10 = (rows - self.squares) // 2
        n01 = (columns - self.squares) // 2
        pairs = (self.n * self.n - self.own) // 2
        return PairCounts(n11=n11, n10=n10, n01=n01, n00=pairs - n11 - n10 - n01)


def weighted_contingency(original: Contingency, counts: np.ndarray, own: int
                         ) -> WeightedContingency:
    """The contingency with other counts (n_cells,) in the non-zero cells of `original`."""
    used = counts > 0
    rows, cols, kept = original.rows[used], original.cols[used], counts[used]
    n = int(kept.sum())
    a, b = np.zeros(original.r, np.int64), np.zeros(original.s, np.int64)
    np.add.at(a, rows, kept)
    np.add.at(b, cols, kept)
    return WeightedContingency(n=n, r=original.r, s=original.s, a=a, b=b, n_cells=kept.size,
                               squares=exact_squares(kept, n), table=None,
                               kept={"cells": (rows, cols, kept)}, own=own)


def cell_of_objects(contingency: Contingency, x_codes: np.ndarray, y_codes: np.ndarray
                    ) -> np.ndarray:
    """Which of the non-zero cells each object is in, (n,) int64."""
    keys = contingency.rows * contingency.s + contingency.cols
    return np.searchsorted(keys, x_codes.astype(np.int64) * contingency.s + y_codes)


def drawn_weights(n: int, rng: np.random.Generator) -> np.ndarray:
    """How often each of n objects is among n draws with replacement, (n,) int64."""
    return np.bincount(rng.integers(n, size=n), minlength=n)


# -- work on a range of replicates; `seeds.generator(b)` serves replicate b -------------------
@dataclass(frozen=True, slots=True)
class CountCells:
    """Cell counts (m, n_cells) and sums of squared weights (m,) of resamples."""

    cells: np.ndarray
    n_cells: int
    seeds: Any

    def __call__(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        counts = np.empty((stop - start, self.n_cells), np.int64)
        own = np.empty(stop - start, np.int64)
        n = self.cells.shape[0]
        for b in range(start, stop):
            weights = drawn_weights(n, self.seeds.generator(b))
            # Sums of whole numbers in float64 are exact; this reads the cells in their order.
            counts[b - start] = np.bincount(self.cells, weights, minlength=self.n_cells)
            own[b - start] = int(weights @ weights)
        return counts, own


@dataclass(frozen=True, slots=True)
class SumSquares:
    """Sums of squared weights of resamples, (m,)."""

    n: int
    seeds: Any

    def __call__(self, start: int, stop: int) -> np.ndarray:
        weights = (drawn_weights(self.n, self.seeds.generator(b)) for b in range(start, stop))
        return np.array([int(w @ w) for w in weights])


@dataclass(frozen=True, slots=True)
class SumObjects:
    """Weighted sums over the objects of values (n, q), (m, q)."""

    values: np.ndarray
    seeds: Any

    def __call__(self, start: int, stop: int) -> np.ndarray:
        out = np.empty((stop - start, self.values.shape[1]))
        for b in range(start, stop):
            weights = drawn_weights(self.values.shape[0], self.seeds.generator(b))
            _kernels.resampled.weighted_rows(weights, self.values, out[b - start])
        return out


@dataclass(frozen=True, slots=True)
class SumLogical:
    """Sums of (r_0, r_1/2, r_1, belief) over pairs, (m, 4), when one side is logical."""

    certain: MassTable
    other: MassTable
    seeds: Any

    def __call__(self, start: int, stop: int) -> np.ndarray:
        n = self.other.mass.shape[0]
        return np.array([logical_sums(self.certain, self.other, drawn_weights(
            n, self.seeds.generator(b)).astype(np.float64)) for b in range(start, stop)])


@dataclass(frozen=True, slots=True)
class SumForms:
    """Sums over pairs i < j of weights times (r_0, r_1/2, r_1, belief), by blocks of rows.

    The result of blocks start to stop is (blocks, forms, B): to be added in their order.
    """

    sides: tuple[Any, ...]
    weights: np.ndarray
    forms: int

    def __call__(self, start: int, stop: int) -> np.ndarray:
        out = np.empty((stop - start, self.forms, self.weights.shape[1]))
        _kernels.resampled.weighted_forms(*self.sides, self.weights, ROWS, start, stop, out)
        return out


# -- pairs ------------------------------------------------------------------------------------
def logical_sides(x: Clustering, y: Clustering) -> tuple[MassTable, MassTable] | None:
    """(logical side, other side) when that is the cheap way to sums over pairs, else None."""
    if not (is_logical(x) or is_logical(y)):
        return None
    first, second = mass_table(x), mass_table(y)
    certain, other = first, second
    if not first.logical or (second.logical and second.n_sets < first.n_sets):
        certain, other = second, first
    if certain.all_single or 4 * certain.n_sets <= x.n_objects:
        return certain, other
    return None


def dense_sides(x: Clustering, y: Clustering) -> tuple[Any, ...] | None:
    """Arguments of the kernels for pairs; None when masses on all sets are too many."""
    arguments: list[Any] = []
    for table in (mass_table(x), mass_table(y)):
        n, f = table.mass.shape[0], table.n_sets
        if 3 * n * f > MOST_NUMBERS or f * f * n > 1 << 34:
            return None
        mass = np.ascontiguousarray(table.dense())
        apart = np.zeros_like(mass)
        if not table.all_single:
            apart = np.ascontiguousarray(_disjoint_product(table, np.ascontiguousarray(mass.T)).T)
        g = table.nonempty if table.nonempty.size else np.ones(n)
        arguments += [mass, mass * table.single, apart, np.ascontiguousarray(g), table.all_single]
    return tuple(arguments)


def n_forms(sides: tuple[Any, ...]) -> int:
    """How many of (r_0, r_1/2, r_1, belief) differ from those before them."""
    if (sides[3] != 1.0).any() or (sides[8] != 1.0).any():
        return 4
    return 1 if sides[4] and sides[9] else 3


def all_forms(found: np.ndarray) -> np.ndarray:
    """(R, 4) from the forms that differ, (R, forms)."""
    which = {1: [0, 0, 0, 0], 3: [0, 1, 2, 1], 4: [0, 1, 2, 3]}[found.shape[1]]
    return found[:, which]


def row_sums(sides: tuple[Any, ...]) -> np.ndarray:
    """Sums over the pairs of each object of (r_0, r_1/2, r_1, belief), (n, 4). O(n^2 f)."""
    n, work = sides[0].shape[0], sides[0].shape[1] + sides[5].shape[1] + 10
    out = np.empty((n, 4))
    run_chunks(lambda a, b: _kernels.resampled.row_sums(*sides, a, b, out), n,
               max(1, int(1e8 / (n * work))))
    return out


def logical_rows(certain: MassTable, other: MassTable) -> np.ndarray:
    """The same, O(n f) when all certain sets are single clusters, else O(n G f)."""
    used, codes = np.unique(certain.certain(), return_inverse=True)
    codes = codes.reshape(-1)
    some = used < certain.n_sets
    sizes = np.zeros(used.size, dtype=np.int64)
    sizes[some] = 1 if certain.all_single else certain.listed[used[some]].sum(axis=1)
    counts = np.bincount(codes).astype(np.float64)
    values = group_sums(codes.astype(np.int64), used.size, other)
    masses, own = other.dense(), self_masses(other)
    g = other.nonempty if other.nonempty.size else np.ones(masses.shape[0])
    kinds = _kernels.bilinear
    out = np.zeros((codes.size, 4))

    def sums(totals: np.ndarray) -> np.ndarray:
        """(n, 3) same, different, non-empty of each object with masses (n or 1, f + 1)."""
        apart = _disjoint_product(other, np.ascontiguousarray(totals[:, :-1].T)).T
        return np.column_stack([(masses * totals[:, :-1])[:, other.single].sum(axis=1),
                                (masses * apart).sum(axis=1), g * totals[:, -1]])

    def add(kind: np.ndarray, pairs: np.ndarray, parts: np.ndarray) -> None:
        for k in np.unique(kind):
            at = kind == k
            out[at] += _logical_parts(int(k), pairs[at], parts[at], other.all_single)

    within = sums(values[codes]) - own
    alike = np.where(sizes == 1, kinds.SAME, np.where(sizes == 0, kinds.CONFLICT,
                                                      kinds.UNDETERMINED))
    add(alike[codes], counts[codes] - 1, within)
    if (sizes == 1).all():
        rest = values.sum(axis=0) - values
        add(np.full(codes.size, kinds.DIFFERENT), (counts.sum() - counts)[codes],
            sums(rest[codes]))
        return out
    sets = np.zeros((used.size, certain.listed.shape[1]), dtype=bool)
    sets[some] = certain.sets[used[some]]
    for b in range(used.size):
        kind = np.where((sizes == 0) | (sizes[b] == 0), kinds.CONFLICT,
                        np.where((sets & sets[b]).any(axis=1), kinds.UNDETERMINED,
                                 kinds.DIFFERENT))[codes]
        parts, away = sums(values[b:b + 1]), codes != b
        for k in np.unique(kind[away]):
            at = away & (kind == k)
            out[at] += _logical_parts(int(k), np.full(int(at.sum()), counts[b]), parts[at],
                                      other.all_single)
    return out


def _logical_parts(kind: int, pairs: np.ndarray, parts: np.ndarray, crisp: bool) -> np.ndarray:
    """As the kernel `add_logical`, for many objects: (m, 4)."""
    kinds = _kernels.bilinear
    s, g = parts[:, 0], parts[:, 2]
    n = g - s if crisp else parts[:, 1]
    t, e = np.maximum(g - s - n, 0.0), np.maximum(pairs - g, 0.0)
    zero = np.zeros_like(s)
    fixed, ambiguous, belief = {
        kinds.SAME: (n + e, t, 0.5 * (pairs - s + n + e)),
        kinds.DIFFERENT: (s + e, t, 0.5 * (pairs + s - n + e)),
        kinds.UNDETERMINED: (e, s + n, 0.5 * (s + n + e)),
        kinds.CONFLICT: (pairs - e, zero, 0.5 * (pairs + s + n - e)),
    }[kind]
    return np.column_stack([fixed, fixed + 0.5 * ambiguous, fixed + ambiguous, belief])


# -- costs between clusters -------------------------------------------------------------------
def object_costs(x: Clustering, y: Clustering) -> np.ndarray | None:
    """Costs between single clusters, by object, (n, 3 c c); None when they are too many."""
    n, c = x.n_objects, max(x.n_clusters, y.n_clusters)
    if 3 * n * c * c > MOST_NUMBERS:
        return None
    first, second = (_padded(z, c) for z in (x, y))
    out = np.empty((n, 3 * c * c))
    step = max(1, 500_000 // (c * c))

    def work(start: int, stop: int) -> None:
        for i in range(start * step, min(stop * step, n), step):
            j = min(i + step, n)
            shape = (j - i, c, c, 4)
            left = np.ascontiguousarray(np.broadcast_to(first[i:j, :, None], shape))
            right = np.ascontiguousarray(np.broadcast_to(second[i:j, None], shape))
            parts = np.empty(((j - i) * c * c, 3))
            _kernels.relations.r_alpha_masses(left.reshape(-1, 4), right.reshape(-1, 4), parts)
            out[i:j] = parts.reshape(j - i, c * c, 3).transpose(0, 2, 1).reshape(j - i, -1)

    run_chunks(work, -(-n // step), 1)
    return out


def _padded(z: Clustering, c: int) -> np.ndarray:
    """Restrictions to c clusters (n, c, 4): an empty one is "not it" wherever there is mass."""
    found = restrictions(z)
    missing = c - found.shape[1]
    if not missing:
        return found
    table = mass_table(z)
    g = table.nonempty if table.nonempty.size else np.ones(z.n_objects)
    more = np.zeros((z.n_objects, missing, 4))
    more[:, :, 1] = g[:, None]
    more[:, :, 3] = 1.0 - g[:, None]
    return np.concatenate([found, more], axis=1)
