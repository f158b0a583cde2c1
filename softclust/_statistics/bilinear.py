"""Pair sums without a pair loop (spec relational-measures section 8.1 and 8.2)."""

from __future__ import annotations

import numpy as np

from .. import _kernels
from .._checks import ClusteringError
from .._parallel import run_chunks
from ..clusterings import Clustering
from .features import MassTable, mass_table

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


def _disjoint_product(masks: np.ndarray, x: np.ndarray) -> np.ndarray:
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
    different = float(v[:-1] @ _disjoint_product(table.masks, masks_first(masses))[:, 0])
    same = float(np.sum(v[:-1][table.single] ** 2))
    whole = np.array([same, different, v[-1] ** 2])
    return (whole - compensated(own)) / 2


def masks_first(x: np.ndarray) -> np.ndarray:
    """`x` in C order, as kernels take it."""
    return np.ascontiguousarray(x)


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
    different = _disjoint_product(table.masks, moments)
    whole = np.broadcast_to(moments.sum(axis=0), moments.shape)
    return [same, different, whole]


def logical_sums(certain: MassTable, other: MassTable) -> np.ndarray:
    """(r_0, r_1/2, r_1, belief) summed over i < j when one side is logical, (4,).

    Time O(n f^2 + G^2 f), G distinct sets on the logical side; memory O(n + G f).
    """
    codes, sets = certain.groups()
    used, codes = np.unique(codes, return_inverse=True)
    codes = np.ascontiguousarray(codes.reshape(-1).astype(np.int64))
    sets = sets[used]
    counts = np.bincount(codes, minlength=used.size).astype(np.float64)
    kinds = statement_kinds(sets)
    values = group_sums(codes, used.size, other)
    masses = np.ascontiguousarray(values[:, :-1].T)
    disjoint = np.ascontiguousarray(_disjoint_product(other.masks, masses).T)
    single = other.single
    rows = np.empty((used.size, 4))
    step = max(1, (1 << 26) // max(1, used.size * (other.n_sets + 4)))
    run_chunks(lambda a, b: _kernels.bilinear.logical_sums(
        kinds, counts, values, disjoint, single, a, b, rows), used.size, step)
    own = self_masses(other)
    selves = np.empty((used.size, 3))
    for q in range(3):
        column = np.zeros((used.size, 2))
        lost = np.zeros_like(column)
        _kernels.bilinear.group_sums(codes, np.ascontiguousarray(own[:, q:q + 1]),
                                     np.zeros((0, 0), dtype=np.int64), np.zeros(0),
                                     0, codes.shape[0], column, lost)
        selves[:, q] = column[:, 0] + lost[:, 0]
    for a in range(used.size):
        v = values[a]
        s = (np.sum(v[:-1][single] ** 2) - selves[a, 0]) / 2
        n = (np.sum(v[:-1] * disjoint[a]) - selves[a, 1]) / 2
        g = (v[-1] ** 2 - selves[a, 2]) / 2
        _kernels.bilinear.add_logical(rows[a], kinds[a, a], counts[a] * (counts[a] - 1) / 2,
                                      s, n, g)
    return compensated(rows)


def statement_kinds(sets: np.ndarray) -> np.ndarray:
    """What certain sets say of a pair, (G, G): 0 same, 1 different, 2 undetermined, 3 conflict."""
    sizes = sets.sum(axis=1)
    common = sets.astype(np.float32) @ sets.astype(np.float32).T
    kinds = np.where(common == 0, 1, 2)
    same = (common == 1) & (sizes[:, None] == 1) & (sizes[None, :] == 1)
    kinds[same] = 0
    kinds[(sizes == 0), :] = 3
    kinds[:, (sizes == 0)] = 3
    return np.ascontiguousarray(kinds.astype(np.int64))
