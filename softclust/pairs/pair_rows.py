"""Sums over pairs of objects of the dissimilarities of their masses.

Pairs are visited by blocks of rows against the columns right of them: with NumPy for few objects,
in a kernel for many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .._checks import ClusteringError
from .._parallel import Progress, progress_bar, run_ranges
from ..clusterings import Clustering, PossibilisticClustering
from . import _kernels
from .bilinear import column_sums, disjoint_product

#: elementary steps (an entry of a pair) of one chunk: about 0.1 s
_STEPS = 1e8
_SUBSET = "A .subset of the objects estimates it in seconds."


def run_triangle(work: Callable[[int, int], object], n: int, block: int, depth: int, *,
                 progress: Progress | bool | None = None, advice: str = _SUBSET,
                 objects: int | None = None) -> None:
    """Call ``work(first, stop)`` on ranges of blocks of `block` rows with about equal work.

    `depth` is the number of elementary steps a pair takes. With `objects`, so many rows meet all
    columns, not only those right of them.
    """
    first = np.arange(0, n if objects is None else objects, block)
    last = np.minimum(first + block, n if objects is None else objects)
    # pairs of the rows first, ..., last - 1
    sizes = ((last - first) * n - (last * (last + 1) - first * (first + 1)) // 2
             if objects is None else (last - first) * (n - 1))
    target = max(1.0, _STEPS / max(depth, 1))
    ends = np.searchsorted(np.cumsum(sizes), np.arange(target, sizes.sum() + target, target))
    bounds = np.unique(np.concatenate([[0], np.minimum(ends + 1, sizes.size), [sizes.size]]))
    chunks = [(int(a), int(b)) for a, b in pairwise(bounds)]
    with progress_bar(progress, "pairs of objects", advice) as callback:
        run_ranges(work, chunks, [int(sizes[a:b].sum()) for a, b in chunks], progress=callback)


# -- one clustering as the features from which the masses of pairs of objects follow --------------
#: largest feature matrix of one side
MAX_BYTES = 1 << 33


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
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
        """In the kernel's order."""
        return self.same, self.left, self.right, self.order, self.g

    @property
    def depth(self) -> int:
        """Number of features that a pair reads."""
        return self.same.shape[0] + self.left.shape[0]

    @property
    def rows(self) -> np.ndarray:
        """What tells two objects apart, (n, ...)."""
        return np.concatenate([self.same, self.right, self.g[None]]).T

    def part(self, objects: np.ndarray) -> Side:
        """Statistic of some of the objects, in this order."""
        same, left, right, order = (np.ascontiguousarray(a[:, objects])
                                    for a in self.arguments[:4])
        return Side(same=same, left=left, right=right, order=order, g=self.g[objects].copy(),
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


def side(clustering: Clustering) -> Side:
    """Features of `clustering`."""
    if isinstance(clustering, PossibilisticClustering):
        return _possibilistic_side(clustering.typicality)
    n = clustering.n_objects
    none, ones = np.zeros((0, n)), np.ones(n)
    f = clustering.n_clusters if clustering.has_memberships else clustering.mass_table().n_sets
    if 24 * f * n > MAX_BYTES:
        raise ClusteringError(
            f"a {clustering.kind} clustering of {n} objects with {f} focal sets needs "
            f"{24e-9 * f * n:.3g} GB in the pair loop, more than "
            f"{MAX_BYTES / 1e9:.3g} GB: merge clusters or sets, or take a .subset of the objects")
    if clustering.has_memberships:
        return Side(same=np.array(clustering.memberships().T, order="C"), left=none, right=none,
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
    return Side(same=same, left=left, right=right, order=np.zeros((0, n), np.int64),
                g=np.array(g) if g.size else ones, memberships=not g.size and not left.shape[0])


def _possibilistic_side(typicality: np.ndarray) -> Side:
    n, c = typicality.shape
    order = np.argsort(-typicality, axis=1, kind="stable")
    steps = np.take_along_axis(typicality, order, axis=1)
    top = steps[:, 0].copy()
    steps[:, :-1] -= steps[:, 1:]
    same = np.zeros((c, n))
    same[order[:, 0], np.arange(n)] = steps[:, 0]
    return Side(same=same, left=np.ascontiguousarray(steps.T),
                right=np.array(typicality.T, order="C"), order=np.ascontiguousarray(order.T),
                g=top, memberships=False)


# -- sums of the dissimilarities of pairs ----------------------------------------------------------
#: objects up to which no kernel is compiled
SMALL = 512
#: objects at a time, of a block
_ROWS = 32
#: said when all pairs take more than a minute
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


def block_forms(first: Side, second: Side, rows: slice, columns: slice, credal: bool = False
                ) -> list[np.ndarray]:
    """The forms of the pairs of rows and columns."""
    one, two = first.masses(rows, columns), second.masses(rows, columns)
    if first.memberships and second.memberships and not credal:
        return 4 * [np.abs(one[0] - two[0])]
    return pair_forms(one, two, credal)


def pair_rows(first: Side, second: Side, weights: np.ndarray, *, credal: bool = False,
              every: bool = False, objects: int | None = None,
              progress: Progress | bool | None = None) -> np.ndarray:
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


def pair_totals(first: Side, second: Side, copies: np.ndarray | None = None, *,
                credal: bool = False, progress: Progress | bool | None = None) -> np.ndarray:
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


def membership_totals(sides: Sequence[Side], pairs: Sequence[tuple[int, int]],
                      weights: np.ndarray, *, progress: Progress | bool | None = None
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
    # Each side gets an even number of features.
    depths = [2 * -(-z.same.shape[0] // 2) for z in sides]
    starts = np.concatenate([[0], np.cumsum(depths)]).astype(np.int64)
    x = np.zeros((starts[-1], n))
    for start, z in zip(starts, sides):
        x[start:start + z.same.shape[0]] = z.same
    sums = np.empty((-(-n // kernels.BLOCK), len(pairs)))
    which = np.array(pairs, np.int64).reshape(-1, 2)
    run_triangle(lambda start, stop: kernels.membership_blocks(
        x, starts, which, weights, start, stop, sums), n, kernels.BLOCK,
        x.shape[0] + 3 * len(pairs), progress=progress, advice=_ADVICE)
    return column_sums(sums)
