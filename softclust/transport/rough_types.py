"""Two rough clusterings as counted types of objects: (label set of x, label set of y)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..tables.contingency import contingency
from .parts import as_masks
from .problem import MAX_MASK_LABELS, Limits, Problem

#: tables of all subsets of labels are made for up to so many labels
MOST_SUBSET_LABELS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RoughTypes:
    """How many objects have each pair of label sets; labels not in use are left out.

    Attributes
    ----------
    n : int
        Number of objects.
    k, c : int
        Labels in use by x and by y, numbered anew.
    x_sets, y_sets : (f, k) and (g, c) bool
        The distinct sets of each side.
    rows, cols, m : (t,) int64
        The types: set of x, set of y, number of objects (above 0).
    """

    n: int
    k: int
    c: int
    x_sets: np.ndarray
    y_sets: np.ndarray
    rows: np.ndarray
    cols: np.ndarray
    m: np.ndarray

    @property
    def masked(self) -> bool:
        """Whether the sets of both sides fit one word."""
        return max(self.k, self.c) <= MAX_MASK_LABELS

    @property
    def a(self) -> np.ndarray:
        """Set of x of each type as a bit mask, (t,) int64."""
        return as_masks(self.x_sets)[self.rows]

    @property
    def b(self) -> np.ndarray:
        """Set of y of each type as a bit mask, (t,) int64."""
        return as_masks(self.y_sets)[self.cols]

    @property
    def n_cells(self) -> int:
        """Pairs of labels that types may have, summed over the types."""
        return int((self.x_sets.sum(axis=1)[self.rows] * self.y_sets.sum(axis=1)[self.cols]).sum())

    @property
    def x_hard(self) -> bool:
        """Whether every set of x is one label."""
        return bool((self.x_sets.sum(axis=1) == 1).all())

    @property
    def y_hard(self) -> bool:
        """Whether every set of y is one label."""
        return bool((self.y_sets.sum(axis=1) == 1).all())

    def swapped(self) -> RoughTypes:
        """The same with x and y exchanged: all distances are symmetric."""
        return RoughTypes(n=self.n, k=self.c, c=self.k, x_sets=self.y_sets, y_sets=self.x_sets,
                          rows=self.cols, cols=self.rows, m=self.m)

    def hard_first(self) -> RoughTypes | None:
        """The types with a hard side in front, the one with more open sets behind; or None."""
        if self.x_hard:
            return self
        return self.swapped() if self.y_hard else None

    def counts_by_mask(self) -> np.ndarray:
        """x hard: objects by label of x and set of y, (k, 2^c) int64; c <= 10."""
        table = np.zeros((self.k, 1 << self.c), np.int64)
        np.add.at(table, (self.x_sets.argmax(axis=1)[self.rows], self.b), self.m)
        return table


def types_of_masks(a: np.ndarray, b: np.ndarray, m: np.ndarray) -> RoughTypes:
    """Types from bit masks a, b (t,) int64 and counts m (t,) int64; equal types are joined."""
    kept = m > 0
    x_masks, rows = np.unique(a[kept], return_inverse=True)
    y_masks, cols = np.unique(b[kept], return_inverse=True)
    table = np.zeros((x_masks.shape[0], y_masks.shape[0]), np.int64)
    np.add.at(table, (rows.reshape(-1), cols.reshape(-1)), m[kept])
    return _packed(_sets(x_masks), _sets(y_masks), *_cells(table))


def rough_types(problem: Problem) -> RoughTypes:
    """Types of a problem with two hard or rough sides; counted once, in O(n)."""
    def count() -> RoughTypes:
        x, y = problem.x, problem.y
        cells = contingency(x.code, x.sets.shape[0], y.code, y.sets.shape[0])
        return _packed(x.sets, y.sets, cells.rows, cells.cols, cells.counts)
    return problem.kept("rough types", count)


def _cells(table: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows, cols = np.nonzero(table)
    return rows, cols, table[rows, cols]


def _packed(x_sets: np.ndarray, y_sets: np.ndarray, rows: np.ndarray, cols: np.ndarray,
            m: np.ndarray) -> RoughTypes:
    """Leave out sets and labels that no object has."""
    x_used, rows = np.unique(rows, return_inverse=True)
    y_used, cols = np.unique(cols, return_inverse=True)
    x_sets, y_sets = x_sets[x_used], y_sets[y_used]
    x_sets, y_sets = x_sets[:, x_sets.any(axis=0)], y_sets[:, y_sets.any(axis=0)]
    return RoughTypes(n=int(m.sum()), k=x_sets.shape[1], c=y_sets.shape[1], x_sets=x_sets,
                      y_sets=y_sets, rows=rows.reshape(-1).astype(np.int64),
                      cols=cols.reshape(-1).astype(np.int64),
                      m=np.ascontiguousarray(m, dtype=np.int64))


def _sets(masks: np.ndarray) -> np.ndarray:
    """Bit masks as rows of booleans."""
    return ((masks[:, None] >> np.arange(MAX_MASK_LABELS, dtype=np.int64)) & 1).astype(bool)


def few_subsets(problem: Problem, limits: Limits) -> str:
    """"" or why tables of all subsets of labels are not made."""
    types = rough_types(problem)
    if max(types.k, types.c) > MOST_SUBSET_LABELS:
        return f"{max(types.k, types.c)} labels; tables of subsets stop at {MOST_SUBSET_LABELS}"
    return ""


def many_subsets(problem: Problem, limits: Limits) -> str:
    """The opposite for two hard or rough sides: general bounds serve where tables stop."""
    return "tables of subsets serve" if problem.whole and not few_subsets(problem, limits) else ""
