"""What measures of membership matrices share: the check of kinds, sums kept in the Joint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .._checks import ClusteringError
from .._joint import Joint

if TYPE_CHECKING:
    from ..statistics.moments import Columns

#: a denominator of at most this absolute value counts as 0
ZERO = 1e-12
#: condition of claims about measures that are 0/0 where their hard namesake is set to 1
WHERE_DEFINED = "where it is defined"

_WAYS = {"rough": "{0}.to_fuzzy() or {0}.harden() makes one by a named rule",
         "evidential": "{0}.to_fuzzy() or {0}.harden() makes one by a named rule",
         "fuzzy": "{0}.to_rough() or {0}.harden() makes one by a named rule",
         "possibilistic": "{0}.to_fuzzy() or {0}.harden() makes one by a named rule"}


def check_kinds(joint: Joint, kinds: Sequence[str], why: str = "") -> None:
    """ClusteringError naming the conversions unless both sides are of one of `kinds`."""
    for name, side in (("x", joint.x), ("y", joint.y)):
        if side.kind not in kinds:
            wanted = " or ".join(filter(None, [", ".join(kinds[:-1]), kinds[-1]]))
            raise ClusteringError(f"{name} is {side.kind}; a {wanted} clustering is needed{why}: "
                                  + _WAYS[side.kind].format(name))


def both_hard(joint: Joint) -> bool:
    """Whether both sides are hard, so that exact pair counts serve."""
    return joint.x.kind == joint.y.kind == "hard"


def unless_both_hard(joint: Joint) -> str:
    """Why `compare()` does not list a soft measure: the hard one says the same."""
    return "equals its hard namesake" if both_hard(joint) else ""


def sides(joint: Joint) -> tuple[Columns, Columns]:
    """Memberships of both sides."""
    from ..statistics.moments import columns
    return joint.of_side("x", "columns", columns), joint.of_side("y", "columns", columns)
