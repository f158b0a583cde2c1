"""Sides, groups and strata named as columns of a frame: `compare(data=frame, x="a", y="b")`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .._checks import ClusteringError
from ..clusterings.alignment import Policies
from ..results.frames import as_frame, check_columns, columns_of, is_lazy, library
from ..tables.counter import contingency_table


@dataclass(frozen=True, slots=True)
class Units:
    """Groups and strata of the objects, and the names of their columns.

    Attributes
    ----------
    groups, strata : array-like, True or None
        One label per object; True if a table has them; None for none.
    columns : (str, str)
        Names of their columns; "" where they have none.
    """

    groups: Any = None
    strata: Any = None
    columns: tuple[str, str] = ("", "")
    #: both sides and the weight of each object, if objects have weights
    weighted: tuple[Any, Any, Any] | None = None

    @classmethod
    def named(cls, groups: Any, strata: Any) -> Units:
        """Take groups and strata with the names of columns and of Series."""
        names = [each if isinstance(each, str) else getattr(each, "name", None)
                 for each in (groups, strata)]
        return cls(groups, strata, (str(names[0] or ""), str(names[1] or "")))

    def read(self, columns: Mapping[Any, Any]) -> Units:
        """Replace the names of columns by their labels."""
        groups, strata = (columns[part] if isinstance(part, str) else part
                          for part in (self.groups, self.strata))
        return replace(self, groups=groups, strata=strata)

    def known_to(self, source: Any) -> Units:
        """Add the groups that a table was counted with, and the strata of these groups."""
        if self.what or not (hasattr(source, "parts") and source.has_parts("groups")):
            return self
        return replace(self, groups=True, strata=source.has_parts("strata") or None)

    @property
    def what(self) -> str:
        """The argument that was given: "groups" or "strata"; "" for neither."""
        return "groups" if self.groups is not None else "strata" if self.strata is not None else ""


#: neither groups nor strata
NOTHING = Units()


def read_columns(x: Any, y: Any, data: Any, weights: Any, policies: Policies, units: Units
                 ) -> tuple[Any, Any, Policies, Units]:
    """Read both sides from a frame; return them with the policies left to apply, and the units.

    The sides are two columns of a frame in memory; or their table, without y, if an engine has the
    rows or objects have weights.
    """
    if x is None or y is None:
        raise TypeError("x and y are needed: with data, the names of two of its columns")
    named = [part for part in (units.groups, units.strata) if isinstance(part, str)]
    in_memory = data is not None and _in_memory(data)
    if in_memory:
        pairs = columns_of(data) or []
        check_columns([x, y, *named], [name for name, _ in pairs])
        columns = dict(pairs)
        units = units.read(columns) if named else units
        if weights is None:
            return columns[x], columns[y], policies, units
    if policies.missing not in ("raise", "drop"):
        raise ClusteringError(f"missing={policies.missing!r} needs the objects; with weights, and "
                              'for rows in an engine, missing is "raise" or "drop"')
    if weights is not None and units.what and (in_memory or data is None):
        units = replace(units, weighted=tuple(
            columns[side] if in_memory and isinstance(side, str) else side
            for side in (x, y, weights)))
    parts = {} if in_memory or units.weighted is not None else {
        "groups": units.groups, "strata": units.strata}
    table = contingency_table(x, y, data=data, weights=weights, missing=policies.missing, **parts)
    if named and not in_memory:
        units = units.read(dict.fromkeys(named, True))
    return table, None, replace(policies, missing="raise"), units


def _in_memory(data: Any) -> bool:
    if library(data) == "pandas":
        return True
    frame = as_frame(data)
    return frame is not None and not is_lazy(frame)
