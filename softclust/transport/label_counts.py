"""Focal transport of two fuzzy sides with two clusters and few distinct rows, by counts.

Objects with the same pair of rows are exchangeable on both sides, and the distances do not ask
which of them is which: a state is the number of objects with label 0 in each group, and two
states cost what their best matching costs. Proof: given the counts both sides are spread evenly
over the objects of a group, so renaming the objects of a best matching at random is a coupling,
and no coupling does better than the best matching of its counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .problem import Problem


@dataclass(frozen=True)
class Groups:
    """Groups of objects with equal pairs of rows: sizes (g,), probabilities u, v of label 0."""

    sizes: np.ndarray
    u: np.ndarray
    v: np.ndarray

    @property
    def states(self) -> tuple[float, float]:
        """Counts that are possible on each side; certain rows leave no choice."""
        first, second = (float(np.prod(np.where((p > 0) & (p < 1), self.sizes + 1.0, 1.0)))
                         for p in (self.u, self.v))
        return first, second


def groups(problem: Problem) -> Groups | None:
    """The groups, when both sides are fuzzy with two labels."""
    if problem.c != 2 or not all(kind in ("hard", "fuzzy") for kind in problem.kinds):
        return None
    rows = np.column_stack([z.membership[:, 0] / z.membership.sum(axis=1)
                            for z in (problem.x, problem.y)])
    rows, sizes = np.unique(rows, axis=0, return_counts=True)
    return Groups(sizes, rows[:, 0], rows[:, 1])


def count_law(sizes: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Counts of label 0 by group, (s, g) int64, and their probabilities (s,)."""
    counts, mass = np.zeros((1, 0), dtype=np.int64), np.ones(1)
    for m, q in zip(sizes.tolist(), p.tolist()):
        if 0.0 < q < 1.0:
            k = np.arange(m + 1)
            # Ratios from the mode on: logarithms of factorials would cost digits.
            mode = min(m, int((m + 1) * q))
            up, down = k[mode:m], k[mode:0:-1]
            rise = np.cumprod((m - up) / (up + 1.0) * (q / (1.0 - q)))
            fall = np.cumprod(down / (m - down + 1.0) * ((1.0 - q) / q if mode else 0.0))
            law = np.concatenate([fall[::-1], [1.0], rise])
            law /= law.sum()
        else:
            k, law = np.array([m if q == 1.0 else 0]), np.ones(1)
        counts = np.column_stack([np.repeat(counts, k.size, axis=0),
                                  np.tile(k, counts.shape[0])])
        mass = np.outer(mass, law).reshape(-1)
    return counts, mass / mass.sum()


def count_costs(a: np.ndarray, b: np.ndarray, sizes: np.ndarray, base: str) -> np.ndarray:
    """Least distance between clusterings with counts a (s, g) and b (s', g), (s, s') float64.

    h objects differ in their label, h between the sum of |R - S| and that of
    min(R + S, 2m - R - S); h(n - h) and min(h, n - h) are concave in h.
    """
    n = int(sizes.sum())
    least, most = (np.zeros((a.shape[0], b.shape[0])) for _ in range(2))
    for g, m in enumerate(sizes.tolist()):
        r, s = a[:, g, None], b[None, :, g]
        least += np.abs(r - s)
        most += np.minimum(r + s, 2 * m - r - s)
    if base == "rand":
        return np.minimum(least * (n - least), most * (n - most))
    return np.minimum(least, n - most)
