"""Shared parts of the measures of membership matrices."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._checks import check_weights
from ..measures.resamples import Draws
from ..measures.statistic import Replicates, Source, Statistic
from ..running.warnings import quiet
from ..soft_pairs.moments import MembershipMoments, cross, sides
from ..tables.contingency import Contingency, derived
from ..tables.entropy import Information

#: a denominator of at most this absolute value counts as 0
ZERO = 1e-12
#: condition of claims about measures that are 0/0 where their hard namesake is set to 1
WHERE_DEFINED = "where it is defined"
#: objects that are tried first by `zero_where_defined`
_FEW = 50


def zero_where_defined(statistic: Any, formula: Callable[..., Any]) -> Callable[[Source], float]:
    """The chance level of a corrected measure: 0, or nan where every order of the objects is 0/0.

    A measure that is defined for some of the objects is defined for all.
    """
    def chance(source: Source) -> float:
        n = source.n_objects
        parts = [source]
        if source.has_objects and n > _FEW:
            parts.insert(0, source.objects.subset(np.linspace(0, n - 1, _FEW).astype(np.int64)))
        with quiet():
            defined = any(not math.isnan(formula(part.statistic(statistic))) for part in parts)
        return 0.0 if defined else math.nan

    return chance


def without_ambiguity(name: str) -> Callable[[Source, float | None], str]:
    """The measure that equals the interval where both sides are hard or fuzzy."""
    def same(source: Source, alpha: float | None) -> str:
        return name if set(source.kinds) <= {"hard", "fuzzy"} else ""
    return same


def as_alpha_rand(source: Source, alpha: float | None) -> str:
    """Soft Rand indices that equal alpha-Rand for a hard and a fuzzy clustering."""
    return "alpha_rand_index" if set(source.kinds) == {"hard", "fuzzy"} else ""


# -- entropies and mutual information of the joint table of two membership matrices, in nats ------
#: largest rounding error of a sum whose only term is subtracted
_ROUNDING = 1e-13


@dataclass(frozen=True, slots=True, kw_only=True)
class JointInformation(Statistic):
    """Entropies of the margins, mutual information and variation of the table g = U'V / n.

    Attributes
    ----------
    h_x, h_y, mutual, apart : float
    equal : bool
        Whether both sides are hard and the same partition into two clusters or more.
    """

    h_x: float
    h_y: float
    mutual: float
    apart: float
    equal: bool = False

    @classmethod
    def of(cls, source: Any, *, weights: Any = None) -> JointInformation:
        """Statistic of memberships, also of weighted objects; of hard ones from the counts."""
        if not source.both_hard:
            return _of_memberships(source, weights)
        if weights is None:
            i = source.statistic(Information)
            return cls(h_x=i.h_x, h_y=i.h_y, mutual=i.mutual, apart=i.variation,
                       equal=i.equal and source.statistic(Contingency).n_used != (1, 1))
        return replace(_of_memberships(source, weights),
                       apart=source.statistic(Information, weights=weights).variation)

    @classmethod
    def left_out(cls, source: Any, *, weights: Any = None) -> Replicates | None:
        """Without each object, O(n r s); None where they have weights."""
        if weights is not None:
            return None
        if source.both_hard:
            return derived(cls, source.without_each(Contingency))
        u, v = sides(source)
        rows_x, rows_y = u.dense(), v.dense()
        table = source.statistic(MembershipMoments).cross

        def each() -> Iterator[JointInformation]:
            for x, y in zip(rows_x, rows_y):
                # A cell that only this object had is empty, whatever rounding leaves of it.
                left = table - np.outer(x, y)
                yield _of_table(np.where(left > _ROUNDING * table, left, 0.0))

        return Replicates(times=np.ones(rows_x.shape[0], np.int64), each=each)

    @classmethod
    def resampled(cls, source: Any, draws: Draws, *, weights: Any = None) -> Replicates | None:
        """Statistic of two hard clusterings whose objects are drawn again; None for others."""
        if weights is not None or not source.both_hard:
            return None
        return derived(cls, source.redrawn(Contingency, draws))


def _of_memberships(source: Any, weights: Any) -> JointInformation:
    if weights is None:
        table = source.statistic(MembershipMoments).cross
    else:
        u, v = sides(source)
        w = check_weights(weights, source.n_objects)
        table = cross(replace(u, values=np.ascontiguousarray(u.values * w[:, None])), v)
    return _of_table(table)


def _of_table(table: np.ndarray) -> JointInformation:
    table = table / math.fsum(table.ravel())
    p, q = table.sum(axis=1), table.sum(axis=0)
    rows, cols = np.nonzero(table)
    g, a, b = table[rows, cols], p[rows], q[cols]
    # g <= p and g <= q, so the terms of the variation are >= 0 up to rounding.
    return JointInformation(
        h_x=_entropy(p), h_y=_entropy(q),
        mutual=max(0.0, math.fsum(g * np.log(g / (a * b)))),
        apart=max(0.0, math.fsum(g * (np.log(a / g) + np.log(b / g)))))


def _entropy(shares: np.ndarray) -> float:
    used = shares[shares > 0.0]
    return max(0.0, -math.fsum(used * np.log(used)))
