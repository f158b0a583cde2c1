"""The best match of columns of memberships, from sums over the objects alone."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from .exact import scaled
from .matched_columns import MatchedColumns
from .membership_sums import BITS, ExactSums, in_floats


class SummedColumns(MatchedColumns):
    """`MatchedColumns` of sums of memberships: differences of whole numbers, rounded once."""

    def __init__(self, source: Any) -> None:
        from scipy.optimize import linear_sum_assignment
        sums: ExactSums = source.sums
        width = max(sums.shape)
        self.source, self.n_objects, self.hard = source, sums.n, False
        self._sums = sums.placed((np.arange(sums.shape[0]), np.arange(sums.shape[1])),
                                 (width, width))
        self._match = linear_sum_assignment(self.cross, maximize=True)
        first, second, both = self._sums.blocks
        self.own_x, self.own_y, self.matched = (
            scaled(sum(values.tolist()), -2 * BITS)
            for values in (first.diagonal(), second.diagonal(), both[self._match]))

    @cached_property
    def cross(self) -> np.ndarray:
        """Sums of products of a column of x with one of y."""
        return in_floats(self._sums.blocks[2], 2 * BITS)

    @cached_property
    def squared(self) -> float:
        """Smallest sum of squared differences of matched columns."""
        return scaled(sum(self._sums.squared_gaps()[self._match].tolist()), -2 * BITS)

    @cached_property
    def absolute(self) -> float:
        """Smallest sum of absolute differences of columns, under a match of its own."""
        return self._least(self._sums.gaps, BITS)

    @cached_property
    def squared_disjoint(self) -> float:
        """Smallest sum of squared differences over min(r, s) pairs of columns in use."""
        used = [np.flatnonzero(size > 0) for size in self._sums.sizes]
        return self._least(self._sums.squared_gaps()[np.ix_(*used)], 2 * BITS)

    @cached_property
    def comembership(self) -> float:
        """||U U' - V V'||_F^2."""
        first, second, both = (sum(v * v for v in block.ravel().tolist())
                               for block in self._sums.blocks)
        return scaled(first - 2 * both + second, -4 * BITS)

    @staticmethod
    def _least(costs: np.ndarray, bits: int) -> float:
        from scipy.optimize import linear_sum_assignment
        return scaled(sum(costs[linear_sum_assignment(in_floats(costs, bits))].tolist()), -bits)
