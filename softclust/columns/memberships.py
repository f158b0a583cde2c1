"""What measures of membership matrices share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .._warnings import quiet
from ..measures.statistic import Source

#: a denominator of at most this absolute value counts as 0
ZERO = 1e-12
#: condition of claims about measures that are 0/0 where their hard namesake is set to 1
WHERE_DEFINED = "where it is defined"
#: objects that are tried first by `zero_where_defined`
_FEW = 50


def unless_both_hard(source: Source) -> str:
    """Why `compare()` does not list a soft measure: the hard one says the same."""
    return "equal to those of hard clusterings" if source.both_hard else ""


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
    """The measure that is the same number as its interval where both sides are hard or fuzzy."""
    def same(source: Source, alpha: float | None) -> str:
        return name if set(source.kinds) <= {"hard", "fuzzy"} else ""
    return same


def as_alpha_rand(source: Source, alpha: float | None) -> str:
    """Soft Rand indices that equal alpha-Rand for a hard and a fuzzy clustering."""
    return "alpha_rand_index" if set(source.kinds) == {"hard", "fuzzy"} else ""
