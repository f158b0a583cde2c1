"""Sums over the pairs of resampled objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _kernels
from .._parallel import run_chunks
from ..clusterings import Clustering
from ..clusterings.focal import MassTable, is_logical, mass_table
from .bilinear import disjoint_product, group_sums, logical_sums, self_masses
from .draws import MOST_KEPT, Draws, drawn_weights, objects_left_out

#: largest table of numbers by object: masses of a side
MOST_NUMBERS = 1 << 25
#: objects of a block of pair sums
ROWS = 16
#: multiply-adds of the pairs of all resamples; beyond it their first-order form is used
FORMS_AT_MOST = 1e11
TOO_MANY_SETS = "there are too many focal sets to keep the masses of every object"


def pair_rows(x: Clustering, y: Clustering) -> np.ndarray | None:
    """Sums over the pairs of each object, (n, 4); None when masses on all sets are too many.

    Of a sample of the objects (m, 4) where each needs a pass over all others and pairs are many.
    """
    logical = logical_sides(x, y)
    if logical is not None:
        return logical_rows(*logical)
    return _over_objects(x, y, row_sums)


def credal_pair_rows(x: Clustering, y: Clustering) -> np.ndarray | None:
    """As `pair_rows`, of (Jousselme distance, conflict), (n, 2). O(n^2 f)."""
    return _over_objects(x, y, lambda sides, objects=None: _rows_of(
        _kernels.resampled.credal_rows, sides, objects, 2))


def _over_objects(x: Clustering, y: Clustering, rows: Callable[..., np.ndarray]
                  ) -> np.ndarray | None:
    """Sums of every object, or of a sample of them."""
    sides = dense_sides(x, y)
    if sides is None:
        return None
    objects = objects_left_out(x.n_objects)
    if objects.shape[0] == x.n_objects:
        return rows(sides)
    # The sample comes first; its order and that of the others change nothing but rounding.
    rest = np.setdiff1d(np.arange(x.n_objects), objects)
    order = np.concatenate([objects, rest])
    moved = tuple(part[order] if isinstance(part, np.ndarray) else part for part in sides)
    return rows(moved, objects.shape[0])


def resampled_sums(x: Clustering, y: Clustering, total: np.ndarray, own: np.ndarray,
                   draws: Draws) -> tuple[np.ndarray | None, bool]:
    """Sums (B, 4) in each resample, and whether they are first-order forms.

    `total` (4,) are the sums of all objects, `own` (B,) the sums of squared weights.
    """
    logical = logical_sides(x, y)
    if logical is not None:
        work = _SumLogical(*logical, draws.seeds)
        return np.concatenate(draws.run(work, draws.count, "pairs")), False
    sides = dense_sides(x, y)
    if sides is None:
        return None, False
    n, count, forms = draws.n_objects, draws.count, n_forms(sides)
    if 0.5 * n * n * count * forms > FORMS_AT_MOST or n * count > MOST_KEPT:
        return _first_order(row_sums(sides), total, own, draws), True
    weights = np.empty((n, count), np.uint16)
    for b in range(count):
        weights[:, b] = drawn_weights(n, draws.seeds.generator(b))
    parts = draws.run(_SumForms(sides, weights, forms), -(-n // ROWS), "pairs")
    sums = np.zeros((forms, count))
    for part in parts:
        for block in part:   # in their order, whoever computed them
            sums += block
    return all_forms(np.ascontiguousarray(sums.T)), False


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
            apart = np.ascontiguousarray(disjoint_product(table, np.ascontiguousarray(mass.T)).T)
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


def row_sums(sides: tuple[Any, ...], objects: int | None = None) -> np.ndarray:
    """Sums over the pairs of each object of (r_0, r_1/2, r_1, belief), (n, 4). O(n^2 f).

    Of the first `objects` of them where this is given.
    """
    return _rows_of(_kernels.resampled.row_sums, sides, objects, 4)


def _rows_of(kernel: Callable[..., None], sides: tuple[Any, ...], objects: int | None, width: int
             ) -> np.ndarray:
    n, work = sides[0].shape[0], sides[0].shape[1] + sides[5].shape[1] + 10
    out = np.empty((n if objects is None else objects, width))
    run_chunks(lambda a, b: kernel(*sides, a, b, out), out.shape[0],
               max(1, int(1e8 / (n * work))))
    return out


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
    kinds = _kernels.bilinear
    out = np.zeros((codes.size, 4))

    def sums(totals: np.ndarray) -> np.ndarray:
        """(n, 3) same, different, non-empty of each object with masses (n or 1, f + 1)."""
        apart = disjoint_product(other, np.ascontiguousarray(totals[:, :-1].T)).T
        return np.column_stack([(masses * totals[:, :-1])[:, other.single].sum(axis=1),
                                (masses * apart).sum(axis=1), g * totals[:, -1]])

    def add(kind: np.ndarray, pairs: np.ndarray, parts: np.ndarray) -> None:
        """Add pairs of each object, whose kind and number its group says."""
        for k in np.unique(kind):
            at = slice(None) if (kind == k).all() else (kind == k)[codes]
            out[at] += _logical_parts(int(k), pairs[codes[at]], parts[at], other.all_single)

    within = sums(values[codes]) - own
    alike = np.where(sizes == 1, kinds.SAME, np.where(sizes == 0, kinds.CONFLICT,
                                                      kinds.UNDETERMINED))
    add(alike, counts - 1, within)
    if (sizes == 1).all():
        rest = values.sum(axis=0) - values
        add(np.full(used.size, kinds.DIFFERENT), counts.sum() - counts, sums(rest[codes]))
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
