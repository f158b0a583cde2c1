"""Pair sums without a pair loop (spec relational-measures section 8.1 and 8.2)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .. import _kernels
from .._checks import ClusteringError
from .._parallel import run_chunks
from ..clusterings import Clustering
from ..clusterings.focal import MassTable, mass_table, pack

#: largest moment matrix, in numbers: 128 MiB
MAX_CELLS = 1 << 24
_STEP = 1 << 14  # objects between two looks at Ctrl-C


def _in_steps(kernel_call, n: int) -> None:  # type: ignore[no-untyped-def]
    """Call ``kernel_call(first, stop)`` over objects in order (sums continue)."""
    for first in range(0, n, _STEP):
        kernel_call(first, min(first + _STEP, n))


def self_masses(table: MassTable) -> np.ndarray:
    """(n, 3): same, different, non-empty mass of each object paired with itself."""
    n = table.mass.shape[0]
    out = np.empty((n, 3))
    masks, single = table.masks, table.single
    run_chunks(lambda a, b: _kernels.bilinear.self_masses(
        table.mass, table.index, masks, single, table.nonempty, a * 1024, min(b * 1024, n), out),
        -(-n // 1024), 16)
    return out


def group_sums(codes: np.ndarray, n_groups: int, table: MassTable) -> np.ndarray:
    """(G, f + 1): masses of `table` added up within groups of objects; last column g."""
    total = np.zeros((n_groups, table.n_sets + 1))
    lost = np.zeros_like(total)
    _in_steps(lambda a, b: _kernels.bilinear.group_sums(
        codes, table.mass, table.index, table.nonempty, a, b, total, lost), codes.shape[0])
    return total + lost


def disjoint_product(table: MassTable, x: np.ndarray) -> np.ndarray:
    """K_n x, x (f, q): row a gets the sum of the rows of the sets disjoint from set a."""
    if table.all_single:
        return x.sum(axis=0) - x
    masks = table.masks
    out = np.empty_like(x)
    rows = max(1, (1 << 25) // max(1, x.size))
    run_chunks(lambda a, b: _kernels.bilinear.disjoint_product(masks, x, a, b, out),
               masks.shape[0], rows)
    return out


def _own_sums(table: MassTable, own: np.ndarray) -> np.ndarray:
    """Sums over i < j of (same, different, non-empty) of one clustering."""
    zeros = np.zeros(table.mass.shape[0], dtype=np.int64)
    v = group_sums(zeros, 1, table)[0]
    masses = np.ascontiguousarray(v[:-1, None])
    different = float(v[:-1] @ disjoint_product(table, masses)[:, 0])
    same = float(np.sum(v[:-1][table.single] ** 2))
    whole = np.array([same, different, v[-1] ** 2])
    return (whole - compensated(own)) / 2


def compensated(rows: np.ndarray) -> np.ndarray:
    """Compensated sums of the columns of `rows` (m, q)."""
    out = np.empty(rows.shape[1])
    _kernels.bilinear.neumaier_rows(np.ascontiguousarray(rows), out)
    return out


def relation_sums(x: Clustering) -> np.ndarray:
    """Sums over i < j of the pair masses (same, different, undetermined, conflict), (4,)."""
    table = mass_table(x)
    s, d, g = _own_sums(table, self_masses(table))
    pairs = x.n_objects * (x.n_objects - 1) / 2
    return np.array([s, d, g - s - d, pairs - g])


def pair_table(x: Clustering, y: Clustering) -> np.ndarray:
    """T[a, b] = sum over i < j of m1(a) m2(b), (4, 4), in the order of `relation_sums`.

    Time O(n f1 f2 + f1^2 f2 + f1 f2^2), memory O(f1 f2).
    """
    first, second = mass_table(x), mass_table(y)
    f1, f2 = first.n_sets, second.n_sets
    if f1 * f2 > MAX_CELLS:
        raise ClusteringError(
            f"x has {f1} and y {f2} focal sets: the pair table would need {f1 * f2:.2g} moments "
            f"(at most {MAX_CELLS}); drop focal sets of negligible mass first")
    # One more row and column for "any non-empty set", so g needs no special case.
    n = x.n_objects
    total = np.zeros((f1, f2))
    lost = np.zeros_like(total)
    _in_steps(lambda a, b: _kernels.bilinear.outer_sums(
        first.mass, first.index, second.mass, second.index, a, b, total, lost), n)
    moments = total + lost
    left = _forms(first, moments)
    right = [np.ascontiguousarray(m.T) for m in _forms(second, np.ascontiguousarray(moments.T))]
    own1, own2 = self_masses(first), self_masses(second)
    basis = np.empty((4, 4))  # same, different, non-empty, anything
    products = (own1[:, :, None] * own2[:, None, :]).reshape(n, 9)
    selves = compensated(products).reshape(3, 3)
    for a in range(3):
        for b in range(3):
            basis[a, b] = (np.sum(left[a] * right[b]) - selves[a, b]) / 2
    basis[:3, 3] = _own_sums(first, own1)
    basis[3, :3] = _own_sums(second, own2)
    basis[3, 3] = n * (n - 1) / 2
    # undetermined = non-empty - same - different, conflict = anything - non-empty
    change = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [-1, -1, 1, 0], [0, 0, -1, 1]], dtype=float)
    return change @ basis @ change.T


def _forms(table: MassTable, moments: np.ndarray) -> list[np.ndarray]:
    """K m for the forms same, different, non-empty on the rows of `moments` (f, q)."""
    same = np.where(table.single[:, None], moments, 0.0)
    different = disjoint_product(table, moments)
    whole = np.broadcast_to(moments.sum(axis=0), moments.shape)
    return [same, different, whole]


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
    masses = np.ascontiguousarray(values[:, :-1].T)
    disjoint = np.ascontiguousarray(disjoint_product(other, masses).T)
    single = other.single
    within = _within_groups(codes, values, disjoint, single, self_masses(other))
    if other.all_single:
        # so that nothing is left undetermined, not even by rounding
        within[:, 1] = within[:, 2] - within[:, 0]
    kernels = _kernels.bilinear
    rows = np.zeros((used.size + 1, 4))
    if (sizes == 1).all():
        # Two groups always say "different": all pairs less those within groups.
        total = values.sum(axis=0)
        apart = disjoint_product(other, np.ascontiguousarray(total[:-1, None]))[:, 0]
        whole = np.array([np.sum(total[:-1][single] ** 2), total[:-1] @ apart, total[-1] ** 2])
        squares = _squares(values, disjoint, single)
        s, n, g = (whole - compensated(squares)) / 2
        if other.all_single:
            n = g - s
        pairs = (counts.sum() ** 2 - np.sum(counts**2)) / 2
        kernels.add_logical(rows[-1], kernels.DIFFERENT, pairs, s, n, g)
    else:
        sets = np.zeros((used.size, certain.listed.shape[1]), dtype=bool)
        sets[some] = certain.sets[used[some]]
        masks = pack(sets)
        step = max(1, (1 << 26) // max(1, used.size * (other.n_sets + 4)))
        run_chunks(lambda a, b: kernels.logical_sums(
            masks, sizes == 0, counts, values, disjoint, single, other.all_single, a, b, rows),
            used.size, step)
    for a in range(used.size):
        kind = (kernels.CONFLICT, kernels.SAME)[sizes[a]] if sizes[a] < 2 else (
            kernels.UNDETERMINED)
        kernels.add_logical(rows[a], kind, (counts[a] ** 2 - squares_within[a]) / 2, *within[a])
    return compensated(rows)


def _squares(values: np.ndarray, disjoint: np.ndarray, single: np.ndarray) -> np.ndarray:
    """(G, 3): same, different, non-empty forms of the group sums with themselves."""
    masses = values[:, :-1]
    return np.column_stack([np.sum(masses[:, single] ** 2, axis=1),
                            np.sum(masses * disjoint, axis=1), values[:, -1] ** 2])


def _within_groups(codes: np.ndarray, values: np.ndarray, disjoint: np.ndarray,
                   single: np.ndarray, own: np.ndarray) -> np.ndarray:
    """(G, 3): sums of same, different, non-empty over the pairs within each group."""
    selves = np.empty((values.shape[0], 3))
    for q in range(3):
        column = np.zeros((values.shape[0], 2))
        lost = np.zeros_like(column)
        _kernels.bilinear.group_sums(codes, np.ascontiguousarray(own[:, q:q + 1]),
                                     np.zeros((0, 0), dtype=np.int64), np.zeros(0),
                                     0, codes.shape[0], column, lost)
        selves[:, q] = column[:, 0] + lost[:, 0]
    return (_squares(values, disjoint, single) - selves) / 2
