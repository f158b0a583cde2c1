"""The pair of clusterings as a statistic."""

from __future__ import annotations

from typing import Any

from ..tables.contingency import Contingency
from .statistic import Replicates, Source, Statistic


class Pair(Statistic):
    """The source itself, for formulas that combine statistics or need the objects.

    Such a formula takes from the source what it needs; ``source.objects`` is the Joint, and raises
    for a table.
    """

    @classmethod
    def of(cls, source: Source) -> Source:
        """The source, unchanged."""
        return source

    @classmethod
    def left_out(cls, source: Source) -> Replicates | None:
        """Tables without an object of each cell; None where the objects are left out one by one.
        """
        if not source.both_hard:
            return None
        return source.without_each(Contingency)

    @classmethod
    def resampled(cls, source: Source, draws: Any) -> Replicates | None:
        """Tables of objects drawn again; None for other than hard clusterings."""
        if not source.both_hard:
            return None
        return source.redrawn(Contingency, draws)
