"""Sums over pairs of objects of a distance between masses on "together" and "apart"."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice
from .._parallel import Progress
from ..measures.draws import Draws
from ..measures.statistic import Replicates, Statistic
from ._resampled_pairs import TOO_MANY_SETS, credal_object_rows
from .moments import MembershipMoments
from .pair_sums import PairSums, conflict_sum

DISTANCES = ("belief", "jousselme", "conflict")


@dataclass(frozen=True, slots=True, kw_only=True)
class CredalLoss(Statistic):
    """Sum of the distances of pairs, and the number of pairs."""

    total: Any
    n_pairs: Any

    @classmethod
    def of(cls, source: Any, *, distance: str = "belief", method: str = "auto",
           progress: Progress | bool | None = None) -> CredalLoss:
        """The sum of one of the `DISTANCES`."""
        check_choice("distance", distance, DISTANCES)
        if source.sums is not None and not source.both_hard:
            return cls(n_pairs=source.n_pairs, total=_of_sums(source, distance))
        if distance == "conflict" and method == "auto" and not source.both_hard:
            pair = source.objects
            return cls(n_pairs=source.n_pairs, total=conflict_sum(
                pair.x, pair.y, lambda: pair.pair_table, progress))
        sums = source.statistic(PairSums, method=method, jousselme=distance != "belief",
                                progress=progress)
        total = getattr(sums, distance)
        if total is None:
            raise ClusteringError(f'method="{method}" does not give the {distance}; "auto", '
                                  '"rows" and "pairs" do')
        return cls(total=total, n_pairs=sums.n_pairs)

    @classmethod
    def left_out(cls, source: Any, *, distance: str = "belief", method: str = "auto"
                 ) -> Replicates | None:
        """Without each object in turn: it takes its own pairs away. O(n^2) at most."""
        if _resampled(source, distance, method):
            return _belief(source.without_each(PairSums))
        if method != "auto":
            return None
        pair, n = source.objects, source.n_objects
        rows = credal_object_rows(pair.x, pair.y)
        if rows is None:
            return Replicates.none(TOO_MANY_SETS)
        total = source.statistic(cls, distance=distance).total
        left = total - rows[:, 0 if distance == "jousselme" else 1]
        return Replicates(times=np.ones(rows.shape[0], np.int64), of_sample=rows.shape[0] < n,
                          statistic=cls(total=left, n_pairs=(n - 1) * (n - 2) // 2))

    @classmethod
    def resampled(cls, source: Any, draws: Draws, *, distance: str = "belief",
                  method: str = "auto") -> Replicates | None:
        """Of objects drawn again."""
        if not _resampled(source, distance, method):
            return None
        return _belief(source.redrawn(PairSums, draws))


def _of_sums(source: Any, distance: str) -> float:
    """Sum of the conflicts of two hard or fuzzy clusterings, from sums of memberships."""
    if distance != "conflict" or "possibilistic" in source.kinds:
        return source.objects   # raises
    m = source.statistic(MembershipMoments).pairs
    return m.first + m.second - 2 * m.both


def _resampled(source: Any, distance: str, method: str) -> bool:
    """Whether the sums of resampled objects have this distance; all are one for hard sides."""
    return source.both_hard or (distance == "belief" and method == "auto")


def _belief(found: Replicates) -> Replicates:
    if found.lacking:
        return found
    sums = found.statistic
    return replace(found, statistic=CredalLoss(total=sums.belief, n_pairs=sums.n_pairs))
