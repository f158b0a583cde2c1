"""Pairs counted on the product of two membership matrices in place of a contingency table."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._checks import check_choice
from ..measures.draws import Draws
from ..measures.statistic import Replicates, Statistic
from ..tables.pair_counts import PairCounts
from .moments import MembershipMoments, bilinear_rows, sides, squared_norm

SCALES = ("none", "possibilistic")


@dataclass(frozen=True, slots=True, kw_only=True)
class MembershipPairs(Statistic):
    """The counts a, b, c, d, and joined pairs of each side, of the product C = phi U'V.

    nan where no object has membership in a cluster of x and in one of y.
    """

    a: Any
    b: Any
    c: Any
    d: Any
    joined_x: Any
    joined_y: Any
    n_pairs: Any

    @classmethod
    def of(cls, source: Any, *, scale: str = "none") -> MembershipPairs:
        """Of memberships; of two hard clusterings the pair counts."""
        check_choice("scale", scale, SCALES)
        if source.both_hard:
            return _of_counts(source.statistic(PairCounts))
        n = source.n_objects
        table = source.statistic(MembershipMoments).cross
        if scale == "possibilistic":
            whole = math.fsum(table.ravel())
            table = table * (n / whole) if whole > 0.0 else np.full_like(table, math.nan)
        total = math.fsum(table.ravel())
        squares = squared_norm(table)
        rows, columns = squared_norm(table.sum(axis=1)), squared_norm(table.sum(axis=0))
        return cls(a=(squares - total) / 2, b=(rows - squares) / 2, c=(columns - squares) / 2,
                   d=(n * n + squares - rows - columns) / 2, joined_x=(rows - total) / 2,
                   joined_y=(columns - total) / 2, n_pairs=source.n_pairs)

    @classmethod
    def left_out(cls, source: Any, *, scale: str = "none") -> Replicates | None:
        """Without each object, O(n r s); None for soft clusterings that are scaled."""
        if source.both_hard:
            return _replicates(source.without_each(PairCounts))
        if scale != "none":
            return None
        x, y = sides(source)
        u, v, n = x.dense(), y.dense(), source.n_objects
        table = source.statistic(MembershipMoments).cross
        in_x, in_y = u.sum(axis=1), v.sum(axis=1)
        own_u, own_v = x.squares, y.squares
        total = math.fsum(table.ravel()) - in_x * in_y
        squares = squared_norm(table) - 2 * bilinear_rows(u, table, v) + own_u * own_v
        # An object takes u_i (sum of v_i) from the row sums of the table.
        by_rows, by_columns = table.sum(axis=1), table.sum(axis=0)
        rows = squared_norm(by_rows) - 2 * (u @ by_rows) * in_y + own_u * in_y**2
        columns = squared_norm(by_columns) - 2 * (v @ by_columns) * in_x + own_v * in_x**2
        return Replicates(times=np.ones(n, np.int64), statistic=cls(
            a=(squares - total) / 2, b=(rows - squares) / 2, c=(columns - squares) / 2,
            d=((n - 1.0) ** 2 + squares - rows - columns) / 2, joined_x=(rows - total) / 2,
            joined_y=(columns - total) / 2, n_pairs=np.full(n, (n - 1) * (n - 2) / 2)))

    @classmethod
    def resampled(cls, source: Any, draws: Draws, *, scale: str = "none") -> Replicates | None:
        """Of two hard clusterings whose objects are drawn again; None for others."""
        return _replicates(source.redrawn(PairCounts, draws)) if source.both_hard else None


def _of_counts(p: PairCounts) -> MembershipPairs:
    return MembershipPairs(a=p.n11, b=p.n10, c=p.n01, d=p.n00, joined_x=p.in_x, joined_y=p.in_y,
                           n_pairs=p.n_pairs)


def _replicates(found: Replicates) -> Replicates:
    return found if found.lacking else replace(found, statistic=_of_counts(found.statistic))
