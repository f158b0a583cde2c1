"""Consensus by pairs of objects: GV3, symmetric differences, co-association."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ..clusterings import HardClustering
from ..clusterings.focal import is_whole
from ..clusterings.labels import by_appearance
from ..extensions import feature
from .consensus_fits import Members

#: gradient steps that count as one iteration
STEPS = 20
#: starts of a descent
STARTS = {"GV3": 10, "soft/symdiff": 4}
#: widths of the smoothed absolute value, one after the other
_SMOOTH = (0.1, 0.01, 0.001)
#: entries of matrices of pairs that are held at once
_BLOCK = 1 << 22
#: objects up to which an integer programme may prove a hard consensus (after merging those that
#: are together in all members), and its nodes
_MOST_PROVED, _NODES = 30, 2000
#: objects of a tree of co-association
MOST_OBJECTS = 5_000


def pair_distances(members: Members, m: np.ndarray, method: str) -> np.ndarray:
    """Distances^e of all members from memberships m (n, k), (B,).

    GV3: sum over ordered pairs, also of an object with itself, of (c - c')^2, where c is the
    product of the memberships of two objects; symmetric differences: of |c - c'| / 2.
    """
    soft = method == "soft/symdiff" and not (members.codes is not None and is_whole(m))
    values = np.empty(members.count)
    for b in range(members.count):
        y = members.matrix(b)
        if soft:
            values[b] = np.abs(y @ y.T - m @ m.T).sum() / 2
        else:
            own, both, other = ((np.square(u.T @ v)).sum() for u, v in ((y, y), (y, m), (m, m)))
            values[b] = max(own - 2.0 * both + other, 0.0) / (1.0 if method == "GV3" else 2.0)
    return values


# -- descents ---------------------------------------------------------------------------------
Slope = Callable[[np.ndarray], tuple[float, np.ndarray]]


def squares(members: Members, weights: np.ndarray) -> Slope:
    """Value and slope of GV3 without its constant: ||M'M||^2 - 2 ||B'M||^2, B = sqrt(w_b) M_b."""
    columns = np.hstack([np.sqrt(w) * members.matrix(b) for b, w in enumerate(weights) if w > 0])

    def at(m: np.ndarray) -> tuple[float, np.ndarray]:
        own, other = m.T @ m, columns.T @ m
        return (float(np.square(own).sum() - 2.0 * np.square(other).sum()),
                4.0 * (m @ own - columns @ other))
    return at


def _absolute(members: Members, weights: np.ndarray, width: float) -> Slope:
    """The same of soft/symdiff, with sqrt(r^2 + width^2) for |r|."""
    used = np.flatnonzero(weights > 0)
    step = max(1, _BLOCK // members.n ** 2)
    blocks = [used[i:i + step] for i in range(0, used.size, step)]

    def pairs(block: np.ndarray) -> np.ndarray:
        return np.stack([(y := members.matrix(int(b))) @ y.T for b in block])

    kept = pairs(blocks[0]) if len(blocks) == 1 else None

    def at(m: np.ndarray) -> tuple[float, np.ndarray]:
        together, value, slope = m @ m.T, 0.0, np.zeros((members.n, members.n))
        for block in blocks:
            rest = together - (pairs(block) if kept is None else kept)
            size = np.sqrt(rest * rest + width * width)
            value += float(weights[block] @ size.sum(axis=(1, 2))) / 2
            slope += np.tensordot(weights[block], rest / size, 1)
        return value, slope @ m
    return at


def descend(m: np.ndarray, at: Slope, max_iter: int, tol: float) -> tuple[np.ndarray, int, bool]:
    """Projected gradients with backtracking from m: memberships, iterations, whether it settled."""
    value, slope = at(m)
    step = 1.0 / m.shape[0]
    for iteration in range(1, max_iter + 1):
        before = value
        for _ in range(STEPS):
            while True:
                moved = on_simplex(m - step * slope)
                change = moved - m
                after, next_slope = at(moved)
                if step < 1e-16 or after <= (value + (slope * change).sum() + np.square(
                        change).sum() / (2 * step) + 1e-14 * abs(value)):
                    break
                step /= 2
            m, value, slope, step = moved, after, next_slope, 1.5 * step
        if before - value <= tol * (abs(value) + tol):
            return m, iteration, True
    return m, max_iter, False


def on_simplex(m: np.ndarray) -> np.ndarray:
    """The nearest row of numbers >= 0 with sum 1, for each row."""
    falling = -np.sort(-m, axis=1)
    surplus = np.cumsum(falling, axis=1) - 1.0
    count = (falling * np.arange(1, m.shape[1] + 1) > surplus).sum(axis=1)
    shift = surplus[np.arange(m.shape[0]), count - 1] / count
    return np.maximum(m - shift[:, None], 0.0)


def soft_descent(members: Members, weights: np.ndarray, method: str, begin: np.ndarray,
                 max_iter: int, tol: float) -> tuple[np.ndarray, int, bool]:
    """The descent of one start; soft/symdiff follows that of GV3 with ever less smoothing."""
    m, n_iter, converged = descend(begin, squares(members, weights), max_iter, tol)
    for width in _SMOOTH if method == "soft/symdiff" else ():
        m, more, converged = descend(m, _absolute(members, weights, width), max_iter, tol)
        n_iter += more
    return m, n_iter, converged


def soft_bound(members: Members, weights: np.ndarray, method: str) -> float:
    """No memberships in k clusters are nearer to the members.

    GV3: M M' has rank k, so the best matrix leaves the other eigenvalues of the mean C of the
    co-memberships; soft/symdiff: each entry of M M' may be the weighted median of the members'.
    """
    if method == "GV3":
        columns = np.hstack([np.sqrt(w) * members.matrix(b) for b, w in enumerate(weights)])
        small = columns if columns.shape[0] < columns.shape[1] else columns.T
        eigenvalues = np.linalg.eigvalsh(small @ small.T)[::-1]
        spread = sum(w * np.square(members.matrix(b).T @ members.matrix(b)).sum()
                     for b, w in enumerate(weights)) - np.square(eigenvalues).sum()
        return max(0.0, float(spread + np.square(eigenvalues[members.k:]).sum()))
    total, used = 0.0, np.flatnonzero(weights > 0)
    for i in range(members.n):
        rows = np.stack([members.matrix(int(b)) @ members.matrix(int(b))[i] for b in used])
        order = np.argsort(rows, axis=0, kind="stable")
        below = np.cumsum(weights[used][order], axis=0)
        middle = np.take_along_axis(
            rows, np.take_along_axis(order, (below < 0.5 - 1e-12).sum(axis=0)[None], 0), 0)
        total += float((weights[used] @ np.abs(rows - middle)).sum()) / 2
    return total


# -- hard symmetric differences ----------------------------------------------------------------
def hard_symdiff(members: Members, weights: np.ndarray, max_clusters: int | None, n_starts: Any,
                 rng: Any) -> tuple[np.ndarray, float, Any]:
    """Labels with the least sum of symmetric differences, a bound on it, and the search.

    The sum is n^2 / 2 times the expected Binder loss of the members.
    """
    found = feature("posterior_partition")(members.codes, loss="binder", weights=weights, rng=rng,
                                max_clusters=max_clusters, n_starts=n_starts)
    labels, bound = found.labels, found.bound * members.n ** 2 / 2
    if not found.optimal and (proof := _proved(members, weights)) is not None:
        if max_clusters is None or proof[0].max() < max_clusters:
            labels = proof[0]
        bound = max(bound, proof[1])
    return labels, bound, found


def _proved(members: Members, weights: np.ndarray) -> tuple[np.ndarray, float] | None:
    """Optimal labels in any number of clusters and their value by an integer programme.

    One variable for each pair of objects, 1 where it is together, and three triangle
    inequalities for each triple; objects that all members join are one.
    """
    from scipy.optimize import LinearConstraint, milp
    from scipy.sparse import csr_array
    assert members.codes is not None
    runs, groups, sizes = np.unique(members.codes[weights > 0], axis=1, return_inverse=True,
                                    return_counts=True)
    groups, size = groups.reshape(-1), runs.shape[1]
    if not 3 <= size <= _MOST_PROVED:
        return None
    rows, columns = np.triu_indices(size, 1)
    number = np.zeros((size, size), dtype=np.int64)
    number[rows, columns] = number[columns, rows] = np.arange(rows.size)
    share = weights[weights > 0] @ (runs[:, rows] == runs[:, columns])
    pairs = sizes[rows] * sizes[columns]
    triples = np.array(list(combinations(range(size), 3)))
    sides = np.stack([number[triples[:, a], triples[:, b]] for a, b in ((0, 1), (1, 2), (0, 2))])
    sides = np.hstack([sides, np.roll(sides, 1, axis=0), np.roll(sides, 2, axis=0)])
    inequality = csr_array((np.repeat([1.0, 1.0, -1.0], sides.shape[1]),
                            (np.tile(np.arange(sides.shape[1]), 3), sides.ravel())))
    found = milp(pairs * (1.0 - 2.0 * share), integrality=np.ones(rows.size),
                 bounds=(0, 1), constraints=LinearConstraint(inequality, ub=1.0),
                 options={"node_limit": _NODES})
    if found.status != 0:
        return None
    together = np.eye(size, dtype=bool)
    together[rows, columns] = together[columns, rows] = found.x > 0.5
    first = together.argmax(axis=1)
    return (np.unique(first, return_inverse=True)[1][groups],
            float((pairs * share).sum() + found.fun))


# -- co-association ----------------------------------------------------------------------------
def cut_coassociation(ensemble: Any, weights: Any, linkage: str, k: int
                      ) -> tuple[HardClustering, np.ndarray]:
    """Cut of the tree of 1 - M into k clusters, and its merges as of SciPy."""
    from scipy.cluster.hierarchy import linkage as merge
    from scipy.spatial.distance import squareform

    from .together import coassociation
    found = coassociation(ensemble, weights=weights)
    apart = 1.0 - found.matrix(MOST_OBJECTS)
    if np.isnan(apart).any():
        i, j = np.argwhere(np.isnan(apart))[0]
        raise ClusteringError(f"objects {i} and {j} are in no run together, so their "
                              "co-association is unknown: add runs, or drop one by .subset")
    merges = merge(squareform(apart, checks=False), linkage)
    n = apart.shape[0]
    if k > n:
        raise ClusteringError(f"n_clusters is {k}; {n} objects have at most {n} clusters")
    heights = merges[:, 2]
    if 1 < k < n and heights[n - k] - heights[n - k - 1] <= 1e-9 * max(1.0, heights[-1]):
        same = np.abs(heights - heights[n - k]) <= 1e-9
        low, high = n - np.flatnonzero(same)[-1] - 1, n - np.flatnonzero(same)[0]
        raise ClusteringError(
            f"no cut of the tree has {k} clusters: {same.sum()} merges have the height "
            f"{heights[n - k]:g}. Take n_clusters={low} or {high}, more runs, or another linkage")
    return HardClustering(cut_merges(merges, k), object_names=found.runs.naming), merges


def cut_merges(merges: np.ndarray, k: int) -> np.ndarray:
    """Labels, by first appearance, after all but the last k - 1 merges of a tree in SciPy's form.

    SciPy's `cut_tree` cuts by height, which is another cut where heights fall.
    """
    n = len(merges) + 1
    node = np.arange(2 * n - 1)
    for t in range(n - k - 1, -1, -1):
        node[merges[t, :2].astype(int)] = node[n + t]
    return by_appearance(np.unique(node[:n], return_inverse=True)[1].reshape(-1))
