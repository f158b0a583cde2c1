"""Tables of counts of resampled objects: copies of one object form no pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .base import Replicates, Source
from .contingency import Contingency, exact_squares
from .draws import MOST_KEPT, Draws, drawn_weights

#: cells visited by all tables that leave one object out
MOST_CELLS = 1 << 31


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class WeightedContingency(Contingency):
    """A contingency of weighted objects; `n` and the counts are sums of weights.

    Attributes
    ----------
    own_weight : int
        Sum of the squared weights.
    """

    own_weight: int

    @property
    def own(self) -> int:
        """Sum of the squared weights of the objects."""
        return self.own_weight

    @property
    def n_pairs(self) -> int:
        """Sum of w_i w_j over pairs of distinct objects."""
        return (self.n * self.n - self.own_weight) // 2


def weighted_contingency(original: Contingency, counts: np.ndarray, own: int
                         ) -> WeightedContingency:
    """The contingency with other counts (n_cells,) in the non-zero cells of `original`."""
    used = counts > 0
    rows, cols, kept = original.rows[used], original.cols[used], counts[used]
    n = int(kept.sum())
    a, b = np.zeros(original.r, np.int64), np.zeros(original.s, np.int64)
    np.add.at(a, rows, kept)
    np.add.at(b, cols, kept)
    return WeightedContingency(n=n, r=original.r, s=original.s, a=a, b=b, n_cells=kept.size,
                               squares=exact_squares(kept, n), table=None,
                               memory={"cells": (rows, cols, kept)}, own_weight=own)


def left_out(table: Contingency) -> Replicates:
    """One table a cell, without an object of it."""
    if table.n_cells**2 > MOST_CELLS:
        return Replicates.none(f"{table.n_cells} cells are too many to leave out an object of "
                               'each; ci="bootstrap" can')

    def each() -> Iterator[Contingency]:
        for cell in range(table.n_cells):
            counts = table.counts.copy()
            counts[cell] -= 1
            yield weighted_contingency(table, counts, table.n - 1)

    return Replicates(times=table.counts, each=each)


def resampled(source: Source, draws: Draws) -> Replicates:
    """One table a resample of the objects."""
    counts, own = drawn_counts(source, draws)
    if counts is None:
        return Replicates.none(own)
    table = source.statistic(Contingency)

    def each() -> Iterator[Contingency]:
        for b in range(draws.count):
            yield weighted_contingency(table, counts[b], int(own[b]))

    return Replicates(times=np.ones(draws.count, np.int64), each=each)


def drawn_counts(source: Any, draws: Draws) -> tuple[np.ndarray | None, Any]:
    """Cell counts (B, n_cells) and sums of squared weights (B,), or None and why not."""
    def compute() -> tuple[np.ndarray | None, Any]:
        table = source.statistic(Contingency)
        if draws.count * table.n_cells > MOST_KEPT:
            return None, (f"{table.n_cells} cells are too many for {draws.count} resamples; "
                          "take fewer")
        cells = _cell_of_objects(table, *source.codes)
        parts = draws.run(_CountCells(cells, table.n_cells, draws.seeds), draws.count, "resamples")
        return (np.concatenate([part[0] for part in parts]),
                np.concatenate([part[1] for part in parts]))

    return source.kept(("drawn counts", draws), compute)


def _cell_of_objects(table: Contingency, x_codes: np.ndarray, y_codes: np.ndarray) -> np.ndarray:
    """Which of the non-zero cells each object is in, (n,) int64."""
    keys = table.rows * table.s + table.cols
    return np.searchsorted(keys, x_codes.astype(np.int64) * table.s + y_codes)


@dataclass(frozen=True, slots=True)
class _CountCells:
    """Cell counts (m, n_cells) and sums of squared weights (m,) of resamples."""

    cells: np.ndarray
    n_cells: int
    seeds: Any

    def __call__(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        counts = np.empty((stop - start, self.n_cells), np.int64)
        own = np.empty(stop - start, np.int64)
        n = self.cells.shape[0]
        for b in range(start, stop):
            weights = drawn_weights(n, self.seeds.generator(b))
            # Sums of whole numbers in float64 are exact; this reads the cells in their order.
            counts[b - start] = np.bincount(self.cells, weights, minlength=self.n_cells)
            own[b - start] = int(weights @ weights)
        return counts, own


def derived(kind: Any, tables: Replicates) -> Replicates:
    """Replicates of a statistic that is computed from the tables one by one."""
    if tables.lacking or tables.each is None:
        return tables
    every = tables.each
    return Replicates(times=tables.times, each=lambda: (t.statistic(kind) for t in every()))
