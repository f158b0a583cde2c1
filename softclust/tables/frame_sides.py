"""Sides, groups and strata named as columns of a frame: `compare(data=frame, x="a", y="b")`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from .._checks import ClusteringError, shown
from ..clusterings.alignment import Policies
from ..results.frames import as_frame, check_columns, columns_of, is_lazy, library
from .counter import contingency_table


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
#: all policies by default
USUAL = Policies()


def frame_columns(data: Any, names: list[Any]) -> list[Any]:
    """These columns of a frame in memory; one that has no name of a column is taken as it is."""
    columns = columns_of(data)
    if columns is None:
        raise TypeError(f"data is of type {type(data).__name__}; a frame in memory, as of pandas "
                        "or polars, is needed")
    check_columns([name for name in names if isinstance(name, str)], [name for name, _ in columns])
    values = dict(columns)
    return [values[name] if isinstance(name, str) else name for name in names]


def sides_of(x: Any, y: Any, data: Any, on: Any, policies: Policies = USUAL
             ) -> tuple[Any, Any, Policies]:
    """Both sides, read from a frame where `data` or `on` is given, and the policies left."""
    if data is None and on is None:
        return x, y, policies
    return read_columns(x, y, data, None, policies, NOTHING, on)[:3]


def read_columns(x: Any, y: Any, data: Any, weights: Any, policies: Policies, units: Units,
                 on: Any = None) -> tuple[Any, Any, Policies, Units]:
    """Read both sides from a frame; return them with the policies left to apply, and the units.

    The sides are two columns of a frame in memory; or their table, without y, if an engine has the
    rows or objects have weights. With `on` they are columns of two frames with this key, and what
    only one of them has is left out unless the policies say otherwise.
    """
    if x is None or y is None:
        raise TypeError("x and y are needed: with data, the names of two of its columns")
    if on is not None or (isinstance(data, (tuple, list)) and len(data) == 2):
        return _joined(x, y, data, weights, policies, units, on)
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


def _joined(x: Any, y: Any, data: Any, weights: Any, policies: Policies, units: Units, on: Any
            ) -> tuple[Any, Any, Policies, Units]:
    """Columns of two frames, their rows matched by a key."""
    _check_two(data, on)
    if weights is not None or isinstance(units.groups, str) or isinstance(units.strata, str):
        raise TypeError("with on=, weights, groups and strata cannot be columns; join the tables "
                        "first")
    objects = "common" if policies.objects == "same" else policies.objects
    if not all(map(_in_memory, data)):
        table = contingency_table(data=(data[0], data[1]), on=on, x=x, y=y, objects=objects,
                                  missing=policies.missing)
        return table, None, replace(policies, missing="raise", objects="same"), units
    return (_by_key(data[0], x, on), _by_key(data[1], y, on), replace(policies, objects=objects),
            units)


def _check_two(data: Any, on: Any) -> None:
    if on is None or not isinstance(data, (tuple, list)) or len(data) != 2:
        raise TypeError("two tables and the key of both are needed: data=(left, right), or both "
                        "first, and on=...; x is a column of the first, y of the second")


def runs_of(old: Any, new: Any, data: Any, on: Any) -> list[dict[str, Any]]:
    """Columns of a frame as runs of two versions; with `on` each version has its own frame."""
    named = [[side] if isinstance(side, str) else list(side) for side in (old, new)]
    if on is None and not isinstance(data, (tuple, list)):
        return [dict(zip(names, frame_columns(data, names))) for names in named]
    _check_two(data, on)
    return [{name: _by_key(frame, name, on) for name in names}
            for frame, names in zip(data, named)]


def _by_key(frame: Any, column: Any, on: Any) -> Any:
    """Labels of a column as a Series whose index is the key."""
    import pandas as pd
    keys = [on] if isinstance(on, str) else list(on)
    columns = columns_of(frame) or []
    check_columns([column, *keys], [name for name, _ in columns])
    values = dict(columns)
    index = pd.Index(list(values[keys[0]]) if len(keys) == 1 else
                     list(zip(*(values[key] for key in keys))), tupleize_cols=False)
    if index.has_duplicates:
        twice = index[index.duplicated()].tolist()[0]
        raise ClusteringError(f"the key {shown(twice)} occurs twice in a table; one row per object "
                              "is needed")
    labels = values[column]
    return pd.Series(labels.array if isinstance(labels, pd.Series) else labels, index=index,
                     name=column)


def _in_memory(data: Any) -> bool:
    if library(data) == "pandas":
        return True
    frame = as_frame(data)
    return frame is not None and not is_lazy(frame)
