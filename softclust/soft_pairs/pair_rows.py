"""Sums over pairs of objects of the dissimilarities of their masses.

Pairs are visited by blocks of rows against the columns to their right: with NumPy for few objects,
in a kernel for many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ..clusterings import Clustering, PossibilisticClustering
from ..clusterings.focal import MassTable
from ..measures.resamples import MOST_KEPT, Draws, drawn_weights, objects_left_out
from ..running.blas import one_thread
from ..running.threads import Progress, progress_bar, run_chunks
from . import _kernels
from .bilinear import (
    CONFLICT,
    DIFFERENT,
    SAME,
    UNDETERMINED,
    column_sums,
    disjoint_product,
    group_sums,
    logical_forms,
    logical_sides,
    logical_sums,
    relation_masses,
)

#: elementary steps (an entry of a pair) of one chunk: about 0.1 s
_STEPS = 1e8
_SUBSET = "A .subset of the objects estimates it in seconds."


def run_triangle(work: Callable[[int, int], object], n: int, block: int, depth: int, *,
                 progress: Progress | bool | None = False, advice: str = _SUBSET,
                 objects: int | None = None) -> None:
    """Call ``work(first, stop)`` on ranges of blocks of `block` rows with about equal work.

    `depth` is the number of elementary steps a pair takes. With `objects`, this many rows meet all
    columns, not only those to their right.
    """
    first = np.arange(0, n if objects is None else objects, block)
    last = np.minimum(first + block, n if objects is None else objects)
    # pairs of the rows first, ..., last - 1
    sizes = ((last - first) * n - (last * (last + 1) - first * (first + 1)) // 2
             if objects is None else (last - first) * (n - 1))
    target = max(1.0, _STEPS / max(depth, 1))
    ends = np.searchsorted(np.cumsum(sizes), np.arange(target, sizes.sum() + target, target))
    bounds = np.unique(np.concatenate([[0], np.minimum(ends + 1, sizes.size), [sizes.size]]))
    with progress_bar(progress, "pairs of objects", advice) as callback:
        pairs = np.concatenate([[0], np.cumsum(sizes)])[bounds]
        run_chunks(lambda a, b: work(int(bounds[a]), int(bounds[b])), bounds.size - 1, 1,
                   progress=callback and (lambda done, total: callback(int(pairs[done]),
                                                                       int(pairs[total]))))


# -- one clustering as the features from which the masses of pairs of objects follow --------------
#: largest feature matrix of one side
MAX_BYTES = 1 << 33


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """Features of one side; see `_kernels.relations.relation_rows` for what they mean.

    Attributes
    ----------
    same : (k, n) float64
    left, right : (d, n) float64
        Empty when nothing is undetermined.
    order : (d, n) int64
        Of a possibilistic side, else empty.
    g : (n,) float64
        Mass off the empty set.
    memberships : bool
        Whether all sets are single clusters and no mass is on the empty set.
    """

    same: np.ndarray
    left: np.ndarray
    right: np.ndarray
    order: np.ndarray
    g: np.ndarray
    memberships: bool

    @property
    def arguments(self) -> tuple[np.ndarray, ...]:
        """The features in the order of the kernel's arguments."""
        return self.same, self.left, self.right, self.order, self.g

    @property
    def depth(self) -> int:
        """Number of features that a pair reads."""
        return self.same.shape[0] + self.left.shape[0]

    @property
    def rows(self) -> np.ndarray:
        """Rows (n, ...) that are equal only for objects with equal features."""
        return np.concatenate([self.same, self.right, self.g[None]]).T

    def part(self, objects: np.ndarray) -> Features:
        """Statistic of some of the objects, in this order."""
        same, left, right, order = (np.ascontiguousarray(a[:, objects])
                                    for a in self.arguments[:4])
        return Features(same=same, left=left, right=right, order=order, g=self.g[objects].copy(),
                    memberships=self.memberships)

    def masses(self, rows: slice, columns: slice) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(same, undetermined, off the empty set) of the pairs of rows and columns."""
        s = products(self.same[:, rows], self.same[:, columns])
        g = self.g[rows, None] * self.g[columns]
        if self.order.size:
            t, best = -s, np.zeros_like(s)
            for weights, which in zip(self.left[:, rows], self.order[:, rows]):
                np.maximum(best, self.right[which, columns], out=best)
                t += weights[:, None] * best
            return s, np.maximum(t, 0.0), g
        if self.left.shape[0]:
            return s, g + products(self.left[:, rows], self.right[:, columns]), g
        return s, np.zeros_like(s), g


def products(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """sum_k left[k, i] right[k, j]; one after the other, not by BLAS, so the bits are the same for
    any number of its threads."""
    total = np.zeros((left.shape[1], right.shape[1]))
    term = np.empty_like(total)
    for a, b in zip(left, right):
        if a.any():
            np.multiply(a[:, None], b, out=term)
            total += term
    return total


def side(clustering: Clustering) -> Features:
    """Features of `clustering`."""
    n = clustering.n_objects
    if isinstance(clustering, PossibilisticClustering):
        # typicalities in descending order, and the steps between them
        typicality = clustering.typicality
        order = np.argsort(-typicality, axis=1, kind="stable")
        steps = np.take_along_axis(typicality, order, axis=1)
        top = steps[:, 0].copy()
        steps[:, :-1] -= steps[:, 1:]
        same = np.zeros((typicality.shape[1], n))
        same[order[:, 0], np.arange(n)] = steps[:, 0]
        return Features(same=same, left=np.ascontiguousarray(steps.T),
                        right=np.array(typicality.T, order="C"),
                        order=np.ascontiguousarray(order.T), g=top, memberships=False)

    none, ones = np.zeros((0, n)), np.ones(n)
    f = clustering.n_clusters if clustering.has_memberships else clustering.mass_table().n_sets
    if 24 * f * n > MAX_BYTES:
        raise ClusteringError(
            f"a {clustering.kind} clustering of {n} objects with {f} focal sets needs "
            f"{24e-9 * f * n:.3g} GB in the pair loop, more than "
            f"{MAX_BYTES / 1e9:.3g} GB: merge clusters or sets, or take a .subset of the objects")
    if clustering.has_memberships:
        return Features(same=np.array(clustering.memberships().T, order="C"), left=none, right=none,
                    order=none.astype(np.int64), g=ones, memberships=True)
    table = clustering.mass_table()
    masses = np.ascontiguousarray(table.dense().T)
    same, left, right = masses, masses[:0], masses[:0]
    if not table.all_single:
        same = np.ascontiguousarray(masses[table.single])
        # t = g - s - d: the sets that say "same" or "different" with some set
        left = disjoint_product(table, masses)
        left[table.single] += same
        used = np.flatnonzero(left.any(axis=1) & masses.any(axis=1))
        left, right = -left[used], np.ascontiguousarray(masses[used])
        if not used.size:   # nothing is said: t = g
            left = right = np.zeros((1, n))
    g = table.nonempty
    same, left, right = np.array(same), np.array(left), np.array(right)
    return Features(same=same, left=left, right=right, order=np.zeros((0, n), np.int64),
                g=np.array(g) if g.size else ones, memberships=not g.size and not left.shape[0])


# -- sums of the dissimilarities of pairs ----------------------------------------------------------
#: up to this many objects no kernel is compiled
SMALL = 512
#: objects at a time, of a block
_ROWS = 32
#: hint when all pairs take more than a minute
_ADVICE = ("softclust.alpha_rand_estimate gives the index from random pairs, with its uncertainty, "
           "in seconds.")

Masses = tuple[np.ndarray, np.ndarray, np.ndarray]


def pair_forms(first: Masses, second: Masses, credal: bool = False) -> list[np.ndarray]:
    """(r_0, r_1/2, r_1, d_belief) of pairs with these masses: same, undetermined, non-empty.

    With `credal` also the Jousselme distance and the conflict [eq. 36; section 2.3.1].
    """
    (s1, t1, g1), (s2, t2, g2) = first, second
    more = g2 >= g1   # the side with more empty mass is named first, by the sign
    sign = np.where(more, 1.0, -1.0)
    e = np.abs(g2 - g1)
    ds, dt = sign * (s1 - s2), sign * (t1 - t2)
    dn = -(e + ds + dt)
    p = np.maximum(ds, 0.0) + np.maximum(dn, 0.0)
    r = np.maximum(p + dt, 0.0)
    undetermined = np.maximum(np.where(more, t2, t1), 0.0)
    forms = [e + np.maximum(p - undetermined, 0.0), e + 0.5 * (p + r), e + np.maximum(p, r),
             0.5 * (np.abs(ds) + np.abs(dn) + e)]
    if not credal:
        return forms
    n1, n2 = np.maximum(g1 - s1 - t1, 0.0), np.maximum(g2 - s2 - t2, 0.0)
    ds, dt, de = s1 - s2, t1 - t2, g2 - g1
    dn = -(ds + dt + de)
    square = 0.5 * (ds * ds + dn * dn + dt * dt + de * de + (ds + dn) * dt)
    return [*forms, np.sqrt(np.maximum(square, 0.0)), 1.0 - g1 * g2 + (s1 * n2 + n1 * s2)]


def forms_of_masses(m1: np.ndarray, m2: np.ndarray) -> list[np.ndarray]:
    """`pair_forms` of masses (..., 4) on same, different, undetermined and the empty set."""
    first, second = ((m[..., 0], m[..., 2], m[..., 0] + m[..., 1] + m[..., 2]) for m in (m1, m2))
    return pair_forms(first, second)


def block_forms(first: Features, second: Features, rows: slice, columns: slice, credal: bool = False
                ) -> list[np.ndarray]:
    """The forms of the pairs of rows and columns."""
    one, two = first.masses(rows, columns), second.masses(rows, columns)
    if first.memberships and second.memberships and not credal:
        return 4 * [np.abs(one[0] - two[0])]
    return pair_forms(one, two, credal)


def pair_rows(first: Features, second: Features, weights: np.ndarray, *, credal: bool = False,
              every: bool = False, objects: int | None = None,
              progress: Progress | bool | None = False) -> np.ndarray:
    """Sums over j > i of w_j times each form, (n, 4); (n, 6) with `credal`.

    With `every` over all j except i, of the first `objects` objects.
    """
    n = weights.shape[0]
    out = np.zeros((n if objects is None else objects, 6))
    if n > SMALL:
        kernels = _kernels.relations

        def work(start: int, stop: int) -> None:
            kernels.relation_rows(*first.arguments, *second.arguments, weights, credal, every,
                                  start, stop, out)

        run_triangle(work, n, kernels.BLOCK, 2 * (first.depth + second.depth) + 20,
                     progress=progress, advice=_ADVICE, objects=out.shape[0] if every else None)
        return out if credal else out[:, :4]
    place = np.arange(n)
    for start in range(0, out.shape[0], _ROWS):
        rows = slice(start, min(start + _ROWS, out.shape[0]))
        columns = slice(0 if every else start, n)
        first_of, second_of = place[rows, None], place[columns]
        w = weights[columns] * (second_of != first_of if every else second_of > first_of)
        for q, form in enumerate(block_forms(first, second, rows, columns, credal)):
            out[rows, q] = (form * w).sum(axis=1)
    return out if credal else out[:, :4]


def pair_totals(first: Features, second: Features, copies: np.ndarray | None = None, *,
                credal: bool = False, progress: Progress | bool | None = False) -> np.ndarray:
    """Sums over all pairs of each form, (4,) or (6,); of copies[i] objects equal to object i."""
    n = first.g.shape[0]
    weights = np.ones(n) if copies is None else copies
    if first.memberships and second.memberships and not credal:
        totals = np.repeat(membership_totals([first, second], [(0, 1)], weights,
                                             progress=progress), 4)
    else:
        rows = pair_rows(first, second, weights, credal=credal, progress=progress)
        totals = column_sums(rows * weights[:, None])
    if copies is None:
        return totals
    equal = np.zeros((n, totals.size))   # each object with another one that is equal
    for start in range(0, n, _ROWS):
        part = slice(start, start + _ROWS)
        for q, form in enumerate(block_forms(first, second, part, part, credal)):
            equal[part, q] = form.diagonal()
    return totals + column_sums(equal * (0.5 * copies * (copies - 1.0))[:, None])


def membership_totals(sides: Sequence[Features], pairs: Sequence[tuple[int, int]],
                      weights: np.ndarray, *, progress: Progress | bool | None = False
                      ) -> np.ndarray:
    """Sums over i < j of w_i w_j |s_k - s_l| for the pairs (k, l) of memberships, (P,)."""
    n = weights.shape[0]
    if n <= SMALL:
        totals = np.zeros((-(-n // _ROWS), len(pairs)))
        place = np.arange(n)
        for b, start in enumerate(range(0, n, _ROWS)):
            rows, columns = slice(start, start + _ROWS), slice(start, n)
            w = (weights[rows, None] * weights[columns]
                 * (place[columns] > place[rows, None])).ravel()
            same = np.empty((len(sides), w.size))
            for k, z in enumerate(sides):
                same[k] = products(z.same[:, rows], z.same[:, columns]).ravel()
            for p, (k, m) in enumerate(pairs):
                totals[b, p] = (np.abs(same[k] - same[m]) * w).sum()
        return column_sums(totals)
    kernels = _kernels.relations
    x = np.concatenate([z.same for z in sides])
    starts = np.cumsum([0, *(z.same.shape[0] for z in sides)], dtype=np.int64)
    sums = np.empty((-(-n // kernels.BLOCK), len(pairs)))
    which = np.array(pairs, np.int64).reshape(-1, 2)
    run_triangle(lambda start, stop: kernels.membership_blocks(
        x, starts, which, weights, start, stop, sums), n, kernels.BLOCK,
        x.shape[0] + 3 * len(pairs), progress=progress, advice=_ADVICE)
    return column_sums(sums)


# -- sums over the pairs of each object, and of resampled objects ----------------------------------
#: largest table of numbers by object: masses of a side
MOST_NUMBERS = 1 << 25
#: objects of a block of pair sums of resamples
_DRAWN_ROWS, _DRAWN_COLUMNS = 64, 1 << 10
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
    """Compute `object_rows` for (Jousselme distance, conflict), (n, 2). O(n^2 f)."""
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


def resampled_sums(x: Clustering, y: Clustering, total: np.ndarray, squares: np.ndarray,
                   draws: Draws) -> tuple[np.ndarray | None, bool]:
    """Sums (B, 4) in each resample, and whether they are first-order forms.

    `total` (4,) are the sums of all objects, `squares` (B,) the sums of squared weights.
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
        # means over pairs, moved by the means of the drawn objects (Hajek projection)
        mean = total / (n * (n - 1) // 2)
        moved = draws.sums(np.ascontiguousarray(rows / (n - 1) - mean)) * (2.0 / n)
        pairs = (float(n) ** 2 - squares) / 2
        return (mean + moved) * pairs[:, None], True

    weights = np.empty((n, count), np.uint16)
    for b in range(count):
        weights[:, b] = drawn_weights(n, draws.seeds.generator(b))
    parts = draws.run(_SumForms(*sides, weights, forms), -(-n // _DRAWN_ROWS), "pairs")
    sums = np.zeros((count, forms))
    for part in parts:
        for block in part:   # in their order, whoever computed them
            sums += block
    return np.repeat(sums, 4 // forms, axis=1), False


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

    first: Features
    second: Features
    weights: np.ndarray
    forms: int

    def __call__(self, start: int, stop: int) -> np.ndarray:
        n, count = self.weights.shape
        out = np.zeros((stop - start, count, self.forms))
        place = np.arange(n)
        for block in range(start, stop):
            rows = slice(block * _DRAWN_ROWS, min((block + 1) * _DRAWN_ROWS, n))
            left = self.weights[rows].astype(np.float64)
            for first in range(rows.start, n, _DRAWN_COLUMNS):
                columns = slice(first, min(first + _DRAWN_COLUMNS, n))
                others = self.weights[columns].astype(np.float64)
                right = place[columns] > place[rows, None]
                forms = block_forms(self.first, self.second, rows, columns)[:self.forms]
                with one_thread():
                    for q, form in enumerate(forms):
                        out[block - start, :, q] += (left * ((form * right) @ others)).sum(axis=0)
        return out


# -- pairs ------------------------------------------------------------------------------------
def _few_sets(x: Clustering, y: Clustering) -> tuple[MassTable, MassTable] | None:
    """(logical side, other side) when that is the cheap way to sums over pairs, else None."""
    sides = logical_sides(x, y)
    if sides is None:
        return None
    certain, other = sides
    few = certain.all_single or 4 * certain.n_sets <= x.n_objects
    return (certain, other) if few else None


def feature_sides(x: Clustering, y: Clustering) -> tuple[Features, Features] | None:
    """Features of both sides; None when masses on all sets are too many."""
    for z in (x, y):
        table = z.mass_table()
        f, n = table.n_sets, z.n_objects
        if z.kind != "possibilistic" and (3 * n * f > MOST_NUMBERS or f * f * n > 1 << 34):
            return None
    return side(x), side(y)


def logical_rows(certain: MassTable, other: MassTable) -> np.ndarray:
    """Sums over the pairs of each object, O(n f) if all certain sets are single, else O(n G f)."""
    sets_of = certain.certain()
    seen = np.bincount(sets_of, minlength=certain.n_sets + 1)
    used = np.flatnonzero(seen)
    codes = (np.cumsum(seen > 0) - 1)[sets_of]
    some = used < certain.n_sets
    sizes = np.zeros(used.size, dtype=np.int64)
    sizes[some] = 1 if certain.all_single else certain.listed[used[some]].sum(axis=1)
    counts = seen[used].astype(np.float64)
    values = group_sums(codes, used.size, other)
    masses, selves = other.dense(), relation_masses(other)
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
    out = forms(alike, counts - 1, sums(values[codes]) - selves)
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
