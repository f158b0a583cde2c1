"""Rough clusterings of any number of labels: relabellings, and bounds that follow from them."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from .rough_types import RoughTypes

#: all relabellings are listed up to so many labels, and tried as starts up to so many
_MOST_LISTED, MOST_STARTED = 6, 4
#: a matrix of sets of x by sets of y may have so many cells
_DENSE_SETS = 1 << 20
#: labels times types in one array; above, only bounds that need none are computed
_MOST_ENTRIES = 20_000_000


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


def relabellings(types: RoughTypes) -> np.ndarray:
    """Labels of y for those of x, (p, size): the best first; all when they are few."""
    size = max(types.k, types.c)
    best = [best_relabelling(types)]
    return np.array(best + (list(permutations(range(size))) if size <= _MOST_LISTED else []),
                    dtype=np.int64)


def starts(types: RoughTypes) -> np.ndarray:
    """Few relabellings of x that a good solution may follow, (p, k); labels >= c match nothing."""
    found = relabellings(types)
    if max(types.k, types.c) > MOST_STARTED:
        found = found[:1]
    return np.ascontiguousarray(found[:, :types.k])


def moved_by(types: RoughTypes, columns: np.ndarray) -> int:
    """Objects whose sets do not meet when label a becomes columns[a] (>= c: none)."""
    kept = columns < types.c
    images = np.zeros((types.x_sets.shape[0], types.c), dtype=bool)
    images[:, columns[kept]] = types.x_sets[:, kept]
    meet = (images[types.rows] & types.y_sets[types.cols]).any(axis=1)
    return types.n - int(types.m[meet].sum())


def touched(types: RoughTypes) -> tuple[int, int]:
    """Upper bounds of the most moved objects and of the most disagreeing pairs.

    Labels follow a relabelling wherever they may: at most m objects move, m the larger number
    of sets of one side that reach outside the other's. m objects are in m (2n - m - 1) / 2 pairs.
    Moved one after the other, each object changes only its pairs with the cluster it leaves and
    the one it enters; on the way every object has a label that one of its sets allows, so those
    two clusters have no more objects than may have the two labels.
    """
    n, size = types.n, max(types.k, types.c)
    entries = types.m.shape[0] * size
    if entries > _MOST_ENTRIES:
        return n - 1, n * (n - 1) // 2
    y_sets = np.zeros((types.cols.shape[0], size), dtype=bool)
    y_sets[:, :types.c] = types.y_sets[types.cols]
    least, pairs = n - 1, n * (n - 1) // 2
    for columns in relabellings(types)[:max(1, _MOST_ENTRIES // entries)]:
        images = np.zeros_like(y_sets)
        images[:, columns[:types.k]] = types.x_sets[types.rows]
        outside_y = int(types.m[(images & ~y_sets).any(axis=1)].sum())
        outside_x = int(types.m[(y_sets & ~images).any(axis=1)].sum())
        moved = max(outside_y, outside_x)
        largest = np.sort(types.m @ (images | y_sets))
        reach = min(n, int(largest[-2:].sum()))
        least = min(least, moved)
        pairs = min(pairs, moved * (2 * n - moved - 1) // 2, moved * max(0, reach - 1))
    return least, pairs


def settled_pairs(types: RoughTypes) -> int:
    """Disagreeing pairs among the objects with one label on both sides."""
    single = ((types.x_sets.sum(axis=1) == 1)[types.rows]
              & (types.y_sets.sum(axis=1) == 1)[types.cols])
    return _pairs(types.x_sets.argmax(axis=1)[types.rows[single]],
                  types.y_sets.argmax(axis=1)[types.cols[single]], types.m[single])


def near_labels(types: RoughTypes) -> tuple[np.ndarray, np.ndarray]:
    """A label of x and one of y for each type, joined by the best relabelling where possible."""
    columns = best_relabelling(types)
    a = types.x_sets.argmax(axis=1)[types.rows]
    b = types.y_sets.argmax(axis=1)[types.cols]
    for x in range(types.k if types.k * a.shape[0] <= _MOST_ENTRIES else 0):
        if columns[x] < types.c:
            both = types.x_sets[types.rows, x] & types.y_sets[types.cols, columns[x]]
            a[both], b[both] = x, columns[x]
    return a, b


def near_pairs(types: RoughTypes) -> int:
    """Disagreeing pairs when every type takes its `near_labels`."""
    return _pairs(*near_labels(types), types.m)


def far_pairs(types: RoughTypes) -> int:
    """x hard: disagreeing pairs of some far choice of labels of y, a lower bound of the most."""
    a = types.x_sets.argmax(axis=1)[types.rows]
    if a.shape[0] * types.c > _MOST_ENTRIES:
        return _pairs(a, types.y_sets.argmax(axis=1)[types.cols], types.m)
    open_sets = types.y_sets[types.cols]
    met = meetings(types)[:types.k, :types.c]
    totals = types.m @ open_sets
    prices = (met[a], np.broadcast_to(totals, open_sets.shape),
              np.broadcast_to(-totals, open_sets.shape))
    worst = 2 * types.n + 1   # for labels outside the set
    return max(_pairs(a, np.where(open_sets, price, worst).argmin(axis=1), types.m)
               for price in prices)


def far_moved(types: RoughTypes) -> int:
    """Moved objects of some far choice of labels of either side, a lower bound of the most."""
    from scipy.optimize import linear_sum_assignment
    best = 0
    if types.m.shape[0] * max(types.k, types.c) > _MOST_ENTRIES:
        return best
    for side in (types, types.swapped()):
        columns = best_relabelling(side)[:side.k]
        inside = np.zeros((side.m.shape[0], side.k), dtype=bool)
        kept = columns < side.c
        inside[:, kept] = side.y_sets[side.cols][:, columns[kept]]
        # Labels whose partner the other side cannot have come first.
        price = np.where(side.x_sets[side.rows], inside.astype(np.int64), 2)
        table = np.zeros((side.k, side.c), np.int64)
        np.add.at(table, price.argmin(axis=1), side.m[:, None] * side.y_sets[side.cols])
        rows, columns = linear_sum_assignment(table, maximize=True)
        best = max(best, side.n - int(table[rows, columns].sum()))
    return best


def _pairs(a: np.ndarray, b: np.ndarray, m: np.ndarray) -> int:
    """Disagreeing pairs of types with the labels a and b, each m objects."""
    from scipy.sparse import coo_array
    if not m.size:
        return 0
    table = coo_array((m, (a, b)), shape=(int(a.max()) + 1, int(b.max()) + 1)).tocsr()
    r, s = np.asarray(table.sum(axis=1)), np.asarray(table.sum(axis=0))
    return int((r @ r + s @ s - 2 * (table.data @ table.data)) // 2)
