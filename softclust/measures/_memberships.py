"""What measures of membership matrices share."""

from __future__ import annotations

from ..statistics.base import Source

#: a denominator of at most this absolute value counts as 0
ZERO = 1e-12
#: condition of claims about measures that are 0/0 where their hard namesake is set to 1
WHERE_DEFINED = "where it is defined"


def unless_both_hard(source: Source) -> str:
    """Why `compare()` does not list a soft measure: the hard one says the same."""
    return "equal to those of hard clusterings" if source.both_hard else ""
