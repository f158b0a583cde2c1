"""Pair sums without a pair loop."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ..clusterings import Clustering
from ..clusterings.focal import MassTable, pack
from ..running.blas import one_thread

#: largest moment matrix, in numbers: 128 MiB
MAX_CELLS = 1 << 24
#: objects at a time
_STEP = 1 << 14
#: codes of what a certain pair of sets says
SAME, DIFFERENT, UNDETERMINED, CONFLICT = range(4)


def column_sums(rows: np.ndarray) -> np.ndarray:
    """Sums of the columns of `rows` (m, q), by pairwise summation."""
    return np.ascontiguousarray(rows.T).sum(axis=1)


def relation_masses(table: MassTable, rows: np.ndarray | None = None,
                    columns: np.ndarray | None = None) -> np.ndarray:
    """(m, 3): same, different, non-empty mass of the pairs of objects rows[p] and columns[p].

    By default (n, 3), each object paired with itself.
    """
    if rows is None or columns is None:
        rows = columns = np.arange(table.mass.shape[0])
    out = np.ones((rows.shape[0], 3))
    single = table.single
    for start in range(0, rows.shape[0], _STEP):
        part = slice(start, start + _STEP)
        i, j = rows[part], columns[part]
        left, right = table.mass[i], table.mass[j]
        if table.nonempty.size:
            out[part, 2] = table.nonempty[i] * table.nonempty[j]
        if not table.index.size:
            out[part, 0] = (left * right)[:, single].sum(axis=1)
            out[part, 1] = (left * disjoint_product(table, right.T).T).sum(axis=1)
            continue
        out[part, :2], masks = 0.0, table.masks
        for a in range(left.shape[1]):
            for b in range(right.shape[1]):
                p, q = table.index[i, a], table.index[j, b]
                both = left[:, a] * right[:, b]
                same = p == q
                apart = ~same if table.all_single else ((masks[p] & masks[q]) == 0).all(axis=1)
                out[part, 0] += both * (same & single[p])
                out[part, 1] += both * apart
    return out


def group_sums(codes: np.ndarray, n_groups: int, table: MassTable) -> np.ndarray:
    """(G, f + 1): masses of `table` added up within groups of objects; last column g."""
    f = table.n_sets
    total = np.zeros((n_groups, f + 1))
    ones = np.ones(codes.shape[0]) if not table.nonempty.size else table.nonempty
    for start in range(0, codes.shape[0], _STEP):
        part = slice(start, start + _STEP)
        groups = codes[part]
        total[:, f] += np.bincount(groups, ones[part], minlength=n_groups)
        if table.index.size:
            np.add.at(total, (groups[:, None], table.index[part]), table.mass[part])
        elif n_groups == 1:
            total[0, :f] += column_sums(table.mass[part])
        else:
            for b in range(f):
                total[:, b] += np.bincount(groups, table.mass[part, b], minlength=n_groups)
    return total


def cross_sums(mass1: np.ndarray, index1: np.ndarray, f1: int, mass2: np.ndarray,
               index2: np.ndarray, f2: int) -> np.ndarray:
    """sum over objects of m_i(a) m'_i(b), (f1, f2); sets by `index` (n, e), or in their order."""
    if index2.size and not index1.size:
        return cross_sums(mass2, index2, f2, mass1, index1, f1).T.copy()
    total = np.zeros((f1, f2))
    for start in range(0, mass1.shape[0], _STEP):
        part = slice(start, start + _STEP)
        left, right = mass1[part], mass2[part]
        if index2.size:
            for a in range(left.shape[1]):
                np.add.at(total, (index1[part, a, None], index2[part]), left[:, a, None] * right)
        elif index1.size:
            for a in range(left.shape[1]):
                for b in range(f2):
                    total[:, b] += np.bincount(index1[part, a], left[:, a] * right[:, b],
                                               minlength=f1)
        else:
            with one_thread():
                total += left.T @ right
    return total


def disjoint_product(table: MassTable, x: np.ndarray) -> np.ndarray:
    """K_n x, x (f, q): row a gets the sum of the rows of the sets disjoint from set a."""
    if table.all_single:
        return x.sum(axis=0) - x
    masks = table.masks
    out = np.empty(x.shape)
    rows = max(1, (1 << 22) // masks.size)
    with one_thread():
        for a in range(0, masks.shape[0], rows):
            apart = ((masks[a:a + rows, None] & masks) == 0).all(axis=2)
            out[a:a + rows] = apart.astype(np.float64) @ x
    return out


def _own_sums(table: MassTable, selves: np.ndarray) -> np.ndarray:
    """Sums over i < j of (same, different, non-empty) of one clustering."""
    v = group_sums(np.zeros(table.mass.shape[0], dtype=np.int64), 1, table)[0]
    different = float(np.sum(v[:-1] * disjoint_product(table, v[:-1, None])[:, 0]))
    same = float(np.sum(v[:-1][table.single] ** 2))
    whole = np.array([same, different, v[-1] ** 2])
    return (whole - column_sums(selves)) / 2


def relation_sums(x: Clustering) -> np.ndarray:
    """Sums over i < j of the pair masses (same, different, undetermined, conflict), (4,)."""
    table = x.mass_table()
    s, d, g = _own_sums(table, relation_masses(table))
    pairs = x.n_objects * (x.n_objects - 1) / 2
    return np.array([s, d, g - s - d, pairs - g])


def pair_table(x: Clustering, y: Clustering) -> np.ndarray:
    """T[a, b] = sum over i < j of m1(a) m2(b), (4, 4), in the order of `relation_sums`.

    Time O(n f1 f2 + f1^2 f2 + f1 f2^2), memory O(f1 f2).
    """
    first, second = x.mass_table(), y.mass_table()
    f1, f2 = first.n_sets, second.n_sets
    if f1 * f2 > MAX_CELLS:
        raise ClusteringError(
            f"x has {f1} and y {f2} focal sets: the pair table would need {f1 * f2:.2g} moments "
            f"(at most {MAX_CELLS}); drop focal sets of negligible mass first")
    n = x.n_objects
    moments = cross_sums(first.mass, first.index, f1, second.mass, second.index, f2)
    left = bilinear_forms(first, moments)
    right = [m.T for m in bilinear_forms(second, moments.T)]
    own1, own2 = relation_masses(first), relation_masses(second)
    basis = np.empty((4, 4))  # same, different, non-empty, anything
    selves = column_sums((own1[:, :, None] * own2[:, None, :]).reshape(n, 9)).reshape(3, 3)
    for a, b in np.ndindex(3, 3):
        basis[a, b] = (np.sum(left[a] * right[b]) - selves[a, b]) / 2
    basis[:3, 3] = _own_sums(first, own1)
    basis[3, :3] = _own_sums(second, own2)
    basis[3, 3] = n * (n - 1) / 2
    # undetermined = non-empty - same - different, conflict = anything - non-empty
    change = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [-1, -1, 1, 0], [0, 0, -1, 1]], dtype=float)
    return change @ basis @ change.T


def bilinear_forms(table: MassTable, moments: np.ndarray) -> list[np.ndarray]:
    """K m for the forms same, different, non-empty on the rows of `moments` (f, q)."""
    same = np.where(table.single[:, None], moments, 0.0)
    different = disjoint_product(table, moments)
    whole = np.broadcast_to(moments.sum(axis=0), moments.shape)
    return [same, different, whole]


def logical_sides(x: Clustering, y: Clustering) -> tuple[MassTable, MassTable] | None:
    """The logical side with fewer sets and the other one; None if neither is logical."""
    first, second = x.mass_table(), y.mass_table()
    if not (first.logical or second.logical):
        return None
    if not first.logical or (second.logical and second.n_sets < first.n_sets):
        return second, first
    return first, second


def logical_sums(certain: MassTable, other: MassTable, weights: np.ndarray | None = None
                 ) -> np.ndarray:
    """(r_0, r_1/2, r_1, belief) summed over i < j when one side is logical, (4,).

    With `weights` (n,) the pair of i and j counts w_i w_j times, and none is made of one object.

    Time O(n f^2 + G^2 f), G distinct sets on the logical side (hard: O(n f^2 + G f^2)); memory
    O(n + G f).
    """
    used, codes = np.unique(certain.certain(), return_inverse=True)
    codes = np.ascontiguousarray(codes.reshape(-1).astype(np.int64))
    # The empty set, if any object has it, is the last of the used ones.
    some = used < certain.n_sets
    sizes = np.zeros(used.size, dtype=np.int64)
    sizes[some] = 1 if certain.all_single else certain.listed[used[some]].sum(axis=1)
    counts: np.ndarray = np.bincount(codes, weights, minlength=used.size).astype(np.float64)
    squares_within: np.ndarray = counts
    if weights is not None:
        squares_within = np.bincount(codes, weights**2, minlength=used.size)
        other = replace(other, mass=other.mass * weights[:, None],
                        nonempty=weights * (other.nonempty if other.nonempty.size else 1.0))
    values = group_sums(codes, used.size, other)
    disjoint = disjoint_product(other, values[:, :-1].T).T
    single = other.single
    selves = np.empty((used.size, 3))
    for form, masses_of_selves in enumerate(relation_masses(other).T):
        selves[:, form] = np.bincount(codes, masses_of_selves, minlength=used.size)
    masses = values[:, :-1]   # same, different, non-empty forms of the sums with themselves
    squares = np.column_stack([np.sum(masses[:, single] ** 2, axis=1),
                               np.sum(masses * disjoint, axis=1), values[:, -1] ** 2])
    s, n, g = (squares - selves).T / 2
    if other.all_single:
        n = g - s   # so that nothing is left undetermined, not even by rounding
    kind = np.where(sizes == 1, SAME, np.where(sizes == 0, CONFLICT, UNDETERMINED))
    total = column_sums(logical_forms(kind, (counts**2 - squares_within) / 2, s, n, g))
    if (sizes == 1).all():
        # Two groups always say "different": all pairs minus those within groups.
        whole = values.sum(axis=0)
        apart = disjoint_product(other, whole[:-1, None])[:, 0]
        s, n, g = (np.array([np.sum(whole[:-1][single] ** 2), np.sum(whole[:-1] * apart),
                             whole[-1] ** 2]) - column_sums(squares)) / 2
        if other.all_single:
            n = g - s
        pairs = (counts.sum() ** 2 - np.sum(counts**2)) / 2
        return total + logical_forms(DIFFERENT, pairs, s, n, g)
    sets = np.zeros((used.size, certain.listed.shape[1]), dtype=bool)
    sets[some] = certain.sets[used[some]]
    masks = pack(sets)
    step = max(1, (1 << 18) // used.size)
    parts = []
    for a in range(0, used.size, step):
        rows, others = slice(a, a + step), slice(a, used.size)
        kind = np.where((sizes[rows, None] == 0) | (sizes[others] == 0), CONFLICT, np.where(
            ((masks[rows, None] & masks[others]) == 0).all(axis=2), DIFFERENT, UNDETERMINED))
        with one_thread():
            s = values[rows, :-1][:, single] @ values[others, :-1][:, single].T
            n = values[rows, :-1] @ disjoint[others].T
        g = values[rows, -1:] * values[others, -1]
        if other.all_single:
            n = g - s
        right = np.arange(used.size)[others] > np.arange(used.size)[rows, None]
        parts.append(column_sums(logical_forms(
            kind[right], (counts[rows, None] * counts[others])[right], s[right], n[right],
            g[right])))
    return total + column_sums(np.array(parts))


def logical_forms(kind: Any, pairs: Any, s: Any, n: Any, g: Any) -> np.ndarray:
    """(r_0, r_1/2, r_1, belief) of `pairs` pairs that certainly say `kind`, (..., 4).

    s, n, g are the sums of the masses of the other side on "same", "different" and off the empty
    set.
    """
    t, e = np.maximum(g - s - n, 0.0), np.maximum(pairs - g, 0.0)
    fixed = np.choose(kind, [n + e, s + e, e, pairs - e])
    ambiguous = np.choose(kind, [t, t, s + n, 0.0 * s])
    belief = 0.5 * np.choose(kind, [pairs - s + n + e, pairs + s - n + e, s + n + e,
                                    pairs + s + n - e])
    return np.stack([fixed, fixed + 0.5 * ambiguous, fixed + ambiguous, belief], axis=-1)
