"""Sums of pair dissimilarities of normalised masses by a dual tree (spec section 8.6).

Every r is a combination of |bilinear form| of the masses of two objects. Eigenvectors turn a form
into w_i' J w_j with J = diag(+-1); balls around the nodes of a tree tell where its sign is
constant.

It serves certified bounds of many objects with crisp memberships, where it is several times as fast
as all pairs (tests/benchmarks/bench_special_routes.py); exact sums gain nothing by it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import _kernels
from .._parallel import Progress, progress_bar, run_chunks
from ..clusterings import Clustering
from ..clusterings.focal import MassTable, mass_table
from .bilinear import compensated

#: points of a leaf; node pairs that are shared out among threads; most focal sets of both sides
_LEAF, _ROOTS, MOST_SETS = 24, 1024, 64
_ROOTS_PER_CHUNK = 16
#: eigenvalues below this share of the largest are rounding
_ZERO = 1e-13
#: points that leave their mean by less along a direction have no part in it; the kernel's margin
#: is larger
_ACROSS = 1e-13


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSums:
    """Certified sums over i < j.

    Attributes
    ----------
    low, high : ndarray, shape (3,)
        r_0, r_1/2 (also the belief distance) and r_1.
    visited : float
        Share of the pairs of objects that were visited one by one, of all forms.
    """

    low: np.ndarray
    high: np.ndarray
    visited: float


def applies(x: Clustering, y: Clustering) -> bool:
    """Whether both sides are normalised and have few enough focal sets."""
    tables = mass_table(x), mass_table(y)
    return (not any(t.nonempty.size for t in tables)
            and sum(t.n_sets for t in tables) <= MOST_SETS)


def tree_sums(x: Clustering, y: Clustering, *, tolerance: float = 0.0,
              progress: Progress | bool | None = None) -> TreeSums:
    """Sums of r_0, r_1/2, r_1 within `tolerance` a pair of objects; exact when it is 0."""
    first, second = mass_table(x), mass_table(y)
    masses = np.concatenate([first.dense(), second.dense(), np.ones((x.n_objects, 1))], axis=1)
    (s1, n1), (s2, n2) = (_matrices(t) for t in (first, second))
    n_pairs = x.n_objects * (x.n_objects - 1) / 2
    if first.all_single and second.all_single:   # n = 1 - s: every r is |ds|
        form = _Form(masses, _block(s1, -s2, 0.0))
        low, high, _, seen = form.sums(tolerance, progress)
        return TreeSums(low=np.full(3, low), high=np.full(3, high), visited=seen / n_pairs)
    forms = {"s": _block(s1, -s2, 0.0), "n": _block(n1, -n2, 0.0),
             "t": _block(-s1 - n1, s2 + n2, 0.0),
             "p": _block(s1, n2, -1.0), "q": _block(n1, s2, -1.0)}
    found = {name: _Form(masses, matrix).sums(tolerance, progress)
             for name, matrix in forms.items()}
    ends = []
    for end in (0, 1):
        s, n, t = (found[name][end] for name in "snt")
        positive = [(found[name][2] + found[name][end]) / 2 for name in "pq"]
        ends.append(np.array([max(sum(positive), 0.0), (s + n) / 2, (s + n + t) / 2]))
    visited = sum(f[3] for f in found.values()) / len(found) / n_pairs
    return TreeSums(low=ends[0], high=ends[1], visited=visited)


def _matrices(table: MassTable) -> tuple[np.ndarray, np.ndarray]:
    """Forms "same" and "different" over the focal sets, (f, f)."""
    sets = table.sets.astype(np.int64)
    return np.diag(table.single.astype(float)), (sets @ sets.T == 0).astype(float)


def _block(first: np.ndarray, second: np.ndarray, corner: float) -> np.ndarray:
    a, b = first.shape[0], second.shape[0]
    matrix = np.zeros((a + b + 1, a + b + 1))
    matrix[:a, :a], matrix[a:a + b, a:a + b], matrix[-1, -1] = first, second, corner
    return matrix


class _Form:
    """One bilinear form, its points and their tree."""

    def __init__(self, masses: np.ndarray, matrix: np.ndarray) -> None:
        if np.count_nonzero(matrix - np.diag(np.diag(matrix))):
            values, vectors = np.linalg.eigh(matrix)
        else:   # so that equal sides cancel exactly
            values, vectors = np.diag(matrix), np.eye(matrix.shape[0])
        used = np.flatnonzero(np.abs(values) > _ZERO * max(np.abs(values).max(), 1e-300))
        used = used[np.argsort(-np.sign(values[used]), kind="stable")]
        self.plus = int((values[used] > 0).sum())
        points = (masses @ vectors[:, used]) * np.sqrt(np.abs(values[used]))
        order, self.bounds, self.children = _tree(points)
        rows = points[order]
        self.points = np.ascontiguousarray(rows.T)
        self.own = np.empty(rows.shape[0])
        _kernels.dual_tree.own_forms(self.points, self.plus, self.own)
        self._describe(rows)

    def _describe(self, rows: np.ndarray) -> None:
        nodes = self.bounds.shape[0]
        self.totals = np.empty((nodes, rows.shape[1]))
        self.centres = np.empty_like(self.totals)
        self.radii, self.selves = np.empty(nodes), np.empty(nodes)
        for a, (start, stop) in enumerate(self.bounds):
            part = rows[start:stop]
            self.totals[a] = part.sum(axis=0)
            self.centres[a] = self.totals[a] / (stop - start)
            # Widened by rounding, so that the ball holds its points.
            distance = np.sqrt(((part - self.centres[a]) ** 2).sum(axis=1).max())
            self.radii[a] = distance * (1 + 1e-12) + 1e-15
            self.selves[a] = self.own[start:stop].sum()
        # A point less the centre of its node lies in the span of differences: memberships sum
        # to 1, so the part of the other centre across it (1, ..., 1) never counts.
        signs = np.where(np.arange(rows.shape[1]) < self.plus, 1.0, -1.0)
        spread = rows - self.centres[0]
        _, directions = np.linalg.eigh(spread.T @ spread)
        kept = np.abs(spread @ directions).max(axis=0) > _ACROSS
        span = (self.centres * signs) @ directions[:, kept]
        self.norms = np.sqrt((span**2).sum(axis=1)) * (1 + 1e-12)

    def sums(self, tolerance: float, progress: Progress | bool | None
             ) -> tuple[float, float, float, float]:
        """Low and high end of the sum of |form| over i < j, the sum of the form, pairs visited."""
        roots = self._roots()
        out = np.empty((roots.shape[0], 3))
        with progress_bar(progress, "nodes") as callback:
            run_chunks(lambda start, stop: _kernels.dual_tree.node_pairs(
                self.points, self.plus, self.bounds, self.children, self.totals, self.centres,
                self.radii, self.norms, self.selves, roots, tolerance, start, stop, out),
                roots.shape[0], _ROOTS_PER_CHUNK, progress=callback)
        low, high, visited = (float(v) for v in compensated(out))
        signs = np.where(np.arange(self.totals.shape[1]) < self.plus, 1.0, -1.0)
        whole = float((self.totals[0] * signs) @ self.totals[0] - self.selves[0]) / 2
        return low, high, whole, visited

    def _roots(self) -> np.ndarray:
        """Node pairs that cover all pairs of points once, largest first, for threads."""
        pairs = [(0, 0)]
        while len(pairs) < _ROOTS:
            cut: list[tuple[int, int]] = []
            for a, b in pairs:
                left, right = self.children[a]
                if left < 0 or self.children[b, 0] < 0:
                    cut.append((a, b))
                elif a == b:
                    cut += [(left, left), (left, right), (right, right)]
                else:
                    cut += [(k, m) for k in (left, right) for m in self.children[b]]
            if len(cut) == len(pairs):
                break
            pairs = cut
        return np.array(pairs, np.int64)


def _tree(points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Order of the points, (nodes, 2) ranges and (nodes, 2) children; the widest side is halved."""
    order = np.arange(points.shape[0])
    bounds, children = [(0, points.shape[0])], [(-1, -1)]
    at = 0
    while at < len(bounds):
        start, stop = bounds[at]
        if stop - start > _LEAF:
            part = points[order[start:stop]]
            widths = part.max(axis=0) - part.min(axis=0)
            if widths.size and widths.max() > 0.0:
                half = (stop - start) // 2
                order[start:stop] = order[start:stop][
                    np.argsort(part[:, int(widths.argmax())], kind="stable")]
                children[at] = (len(bounds), len(bounds) + 1)
                bounds += [(start, start + half), (start + half, stop)]
                children += [(-1, -1), (-1, -1)]
        at += 1
    return order, np.array(bounds, np.int64), np.array(children, np.int64)
