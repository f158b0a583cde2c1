"""Rough clusterings of any number of labels: relabellings, and bounds that follow from them."""

from __future__ import annotations

import numpy as np

from .rough_types import RoughTypes

#: a matrix of sets of x by sets of y may have so many cells
_DENSE_SETS = 1 << 20


def meetings(types: RoughTypes, chosen: np.ndarray | None = None) -> np.ndarray:
    """W[a, b] = objects of the `chosen` types that may have labels a and b, padded square."""
    m = types.m if chosen is None else np.where(chosen, types.m, 0)
    shape = types.x_sets.shape[0], types.y_sets.shape[0]
    size = max(types.k, types.c)
    table = np.zeros((size, size), np.int64)
    if shape[0] * shape[1] <= _DENSE_SETS:
        joint = np.zeros(shape, np.int64)
        joint[types.rows, types.cols] = m
        found = types.x_sets.T.astype(np.int64) @ joint @ types.y_sets
    else:
        from scipy.sparse import csr_array
        joint = csr_array((m, (types.rows, types.cols)), shape=shape)
        found = (csr_array(types.x_sets.astype(np.int64)).T @ joint
                 @ csr_array(types.y_sets.astype(np.int64))).toarray()
    table[:types.k, :types.c] = found
    return table


def best_relabelling(types: RoughTypes) -> np.ndarray:
    """The permutation of the larger number of labels that meets most labels, (size,)."""
    from scipy.optimize import linear_sum_assignment
    return np.asarray(linear_sum_assignment(meetings(types), maximize=True)[1], dtype=np.int64)


def moved_by(types: RoughTypes, columns: np.ndarray) -> int:
    """Objects whose sets do not meet when label a becomes columns[a] (>= c: none)."""
    kept = columns < types.c
    images = np.zeros((types.x_sets.shape[0], types.c), dtype=bool)
    images[:, columns[kept]] = types.x_sets[:, kept]
    meet = (images[types.rows] & types.y_sets[types.cols]).any(axis=1)
    return types.n - int(types.m[meet].sum())


def moved_bounds(types: RoughTypes) -> tuple[int, int]:
    """Bounds of the most moved objects, from the best relabelling.

    Above: labels follow it wherever they may, so at most m objects move, m the larger number of
    sets of one side that reach outside the other's. Below: labels whose partner the other side
    cannot have are chosen first, and the best matching of what the other side may answer.
    """
    from scipy.optimize import linear_sum_assignment
    low, high = 0, 0
    for side in (types, types.swapped()):
        columns, m = best_relabelling(side)[:side.k], side.m[:, None]
        inside = np.zeros((side.m.shape[0], side.k), dtype=bool)
        inside[:, columns < side.c] = side.y_sets[side.cols][:, columns[columns < side.c]]
        mine = side.x_sets[side.rows]
        high = max(high, int(side.m[(mine & ~inside).any(axis=1)].sum()))
        price = np.where(mine, inside.astype(np.int64), 2)
        table = np.zeros((side.k, side.c), np.int64)
        np.add.at(table, price.argmin(axis=1), m * side.y_sets[side.cols])
        rows, columns = linear_sum_assignment(table, maximize=True)
        low = max(low, side.n - int(table[rows, columns].sum()))
    return low, high


def near_labels(types: RoughTypes) -> np.ndarray:
    """A label of y for each type that the best relabelling makes one of x where possible."""
    b = types.y_sets.argmax(axis=1)[types.cols]
    for x, y in enumerate(best_relabelling(types)[:types.k].tolist()):
        if y < types.c:
            b[types.x_sets[types.rows, x] & types.y_sets[types.cols, y]] = y
    return b
