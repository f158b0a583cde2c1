"""Sums over the pairs of resampled objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._blas import one_thread
from ..clusterings import Clustering
from ..clusterings.focal import MassTable
from ..measures.draws import MOST_KEPT, Draws, drawn_weights, objects_left_out
from .bilinear import (
    CONFLICT,
    DIFFERENT,
    SAME,
    UNDETERMINED,
    disjoint_product,
    group_sums,
    logical_forms,
    logical_sides,
    logical_sums,
    self_masses,
)
from .pair_rows import Side, block_forms, pair_rows, side

#: largest table of numbers by object: masses of a side
MOST_NUMBERS = 1 << 25
#: objects of a block of pair sums
ROWS = 64
_COLUMNS = 1 << 10
#: multiply-adds of the pairs of all resamples; beyond it their first-order form is used
FORMS_AT_MOST = 1e11
TOO_MANY_SETS = "there are too many focal sets to keep the masses of every object"


def object_rows(x: Clustering, y: Clustering) -> np.ndarray | None:
    """Sums over the pairs of each object, (n, 4); None when masses on all sets are too many.

    Of a sample of the objects (m, 4) where each needs a pass over all others and pairs are many.
    """
    logical = _few_sets(x, y)
    if logical is not None:
        return logical_rows(*logical)
    return _over_objects(x, y, credal=False)


def credal_object_rows(x: Clustering, y: Clustering) -> np.ndarray | None:
    """As `object_rows`, of (Jousselme distance, conflict), (n, 2). O(n^2 f)."""
    rows = _over_objects(x, y, credal=True)
    return None if rows is None else rows[:, 4:]


def _over_objects(x: Clustering, y: Clustering, credal: bool) -> np.ndarray | None:
    """Sums of every object, or of a sample of them. O(n^2 f)."""
    sides = feature_sides(x, y)
    if sides is None:
        return None
    objects = objects_left_out(x.n_objects)
    # The sample comes first; its order and that of the others change nothing but rounding.
    if objects.shape[0] < x.n_objects:
        order = np.concatenate([objects, np.setdiff1d(np.arange(x.n_objects), objects)])
        sides = sides[0].part(order), sides[1].part(order)
    return pair_rows(*sides, np.ones(x.n_objects), credal=credal, every=True,
                     objects=objects.shape[0])


def resampled_sums(x: Clustering, y: Clustering, total: np.ndarray, own: np.ndarray,
                   draws: Draws) -> tuple[np.ndarray | None, bool]:
    """Sums (B, 4) in each resample, and whether they are first-order forms.

    `total` (4,) are the sums of all objects, `own` (B,) the sums of squared weights.
    """
    logical = _few_sets(x, y)
    if logical is not None:
        work = _SumLogical(*logical, draws.seeds)
        return np.concatenate(draws.run(work, draws.count, "pairs")), False
    sides = feature_sides(x, y)
    if sides is None:
        return None, False
    n, count = draws.n_objects, draws.count
    forms = 1 if sides[0].memberships and sides[1].memberships else 4
    if 0.5 * n * n * count * forms > FORMS_AT_MOST or n * count > MOST_KEPT:
        rows = pair_rows(*sides, np.ones(n), every=True)
        return _first_order(rows, total, own, draws), True
    weights = np.empty((n, count), np.uint16)
    for b in range(count):
        weights[:, b] = drawn_weights(n, draws.seeds.generator(b))
    parts = draws.run(_SumForms(*sides, weights, forms), -(-n // ROWS), "pairs")
    sums = np.zeros((count, forms))
    for part in parts:
        for block in part:   # in their order, whoever computed them
            sums += block
    return np.repeat(sums, 4 // forms, axis=1), False


def _first_order(rows: np.ndarray, total: np.ndarray, own: np.ndarray, draws: Draws
                 ) -> np.ndarray:
    """Means over pairs moved by the means of the drawn objects (Hajek projection), as sums."""
    n = draws.n_objects
    mean = total / (n * (n - 1) // 2)
    moved = draws.sums(np.ascontiguousarray(rows / (n - 1) - mean)) * (2.0 / n)
    pairs = (float(n) ** 2 - own) / 2
    return (mean + moved) * pairs[:, None]


@dataclass(frozen=True, slots=True)
class _SumLogical:
    """Sums of (r_0, r_1/2, r_1, belief) over pairs, (m, 4), when one side is logical."""

    certain: MassTable
    other: MassTable
    seeds: Any

    def __call__(self, start: int, stop: int) -> np.ndarray:
        n = self.other.mass.shape[0]
        return np.array([logical_sums(self.certain, self.other, drawn_weights(
            n, self.seeds.generator(b)).astype(np.float64)) for b in range(start, stop)])


@dataclass(frozen=True, slots=True)
class _SumForms:
    """Sums over pairs i < j of weights times (r_0, r_1/2, r_1, belief), by blocks of rows.

    The result of blocks start to stop is (blocks, B, forms): to be added in their order.
    """

    first: Side
    second: Side
    weights: np.ndarray
    forms: int

    def __call__(self, start: int, stop: int) -> np.ndarray:
        n, count = self.weights.shape
        out = np.zeros((stop - start, count, self.forms))
        place = np.arange(n)
        for block in range(start, stop):
            rows = slice(block * ROWS, min((block + 1) * ROWS, n))
            own = self.weights[rows].astype(np.float64)
            for first in range(rows.start, n, _COLUMNS):
                columns = slice(first, min(first + _COLUMNS, n))
                others = self.weights[columns].astype(np.float64)
                right = place[columns] > place[rows, None]
                found = block_forms(self.first, self.second, rows, columns)[:self.forms]
                with one_thread():
                    for q, form in enumerate(found):
                        out[block - start, :, q] += (own * ((form * right) @ others)).sum(axis=0)
        return out


# -- pairs ------------------------------------------------------------------------------------
def _few_sets(x: Clustering, y: Clustering) -> tuple[MassTable, MassTable] | None:
    """(logical side, other side) when that is the cheap way to sums over pairs, else None."""
    if not (x.is_logical or y.is_logical):
        return None
    certain, other = logical_sides(x, y)
    few = certain.all_single or 4 * certain.n_sets <= x.n_objects
    return (certain, other) if few else None


def feature_sides(x: Clustering, y: Clustering) -> tuple[Side, Side] | None:
    """Features of both sides; None when masses on all sets are too many."""
    for z in (x, y):
        table = z.mass_table()
        f, n = table.n_sets, z.n_objects
        if z.kind != "possibilistic" and (3 * n * f > MOST_NUMBERS or f * f * n > 1 << 34):
            return None
    return side(x), side(y)


def logical_rows(certain: MassTable, other: MassTable) -> np.ndarray:
    """The same, O(n f) when all certain sets are single clusters, else O(n G f)."""
    sets_of = certain.certain()
    seen = np.bincount(sets_of, minlength=certain.n_sets + 1)
    used = np.flatnonzero(seen)
    codes = (np.cumsum(seen > 0) - 1)[sets_of]
    some = used < certain.n_sets
    sizes = np.zeros(used.size, dtype=np.int64)
    sizes[some] = 1 if certain.all_single else certain.listed[used[some]].sum(axis=1)
    counts = seen[used].astype(np.float64)
    values = group_sums(codes, used.size, other)
    masses, own = other.dense(), self_masses(other)
    g = other.nonempty if other.nonempty.size else np.ones(masses.shape[0])

    def sums(totals: np.ndarray) -> np.ndarray:
        """(n, 3) same, different, non-empty of each object with masses (n or 1, f + 1)."""
        apart = disjoint_product(other, totals[:, :-1].T).T
        return np.column_stack([(masses * totals[:, :-1])[:, other.single].sum(axis=1),
                                (masses * apart).sum(axis=1), g * totals[:, -1]])

    def forms(kind: np.ndarray, pairs: np.ndarray, parts: np.ndarray) -> np.ndarray:
        """Statistic of the pairs of each object, whose kind and number its group says."""
        s, n, whole = parts.T
        return logical_forms(kind[codes], pairs[codes], s, whole - s if other.all_single else n,
                             whole)

    alike = np.where(sizes == 1, SAME, np.where(sizes == 0, CONFLICT, UNDETERMINED))
    out = forms(alike, counts - 1, sums(values[codes]) - own)
    if (sizes == 1).all():
        rest = values.sum(axis=0) - values
        return out + forms(np.full(used.size, DIFFERENT), counts.sum() - counts, sums(rest[codes]))
    sets = np.zeros((used.size, certain.listed.shape[1]), dtype=bool)
    sets[some] = certain.sets[used[some]]
    for b in range(used.size):
        kind = np.where((sizes == 0) | (sizes[b] == 0), CONFLICT,
                        np.where((sets & sets[b]).any(axis=1), UNDETERMINED, DIFFERENT))
        away = (codes != b)[:, None]
        out += away * forms(kind, np.full(used.size, counts[b]), sums(values[b:b + 1]))
    return out
