"""Which objects of several sides are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, compress, repeat
from typing import Any

import numpy as np

from .._checks import ClusteringError
from .objects import object_difference, same_names
from .sides import Side


def in_order(positions: np.ndarray) -> bool:
    """Whether positions are 0, 1, 2, ..."""
    n = positions.shape[0]
    if n and positions[n // 2] != n // 2:
        return False
    return bool((positions == np.arange(n)).all())


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """Rows of each side that are the same objects; None for all in order, -1 for absent."""

    n: int
    rows: list[np.ndarray | None]
    names: Sequence[Any] | None
    absent: tuple[int, ...]


def match(sides: list[Side], called: tuple[str, ...], objects: str) -> Matched:
    """Match the objects of all sides, by position or by name."""
    if objects == "same":
        return _by_position(sides, called)
    names = [_own_names(side, name, objects) for side, name in zip(sides, called)]
    if all(same_names(own, names[0]) for own in names[1:]):
        return Matched(n=len(names[0]), rows=[None] * len(sides), names=names[0],
                        absent=(0,) * len(sides))
    n_first = len(names[0])
    if objects == "common":
        wanted, n_all = names[0], 0 if len(names) == 2 else len(set().union(*names))
    else:
        wanted = list(dict.fromkeys(chain.from_iterable(names)))
        n_all = len(wanted)
    rows = [_padded(n_first, len(wanted)), *(_places(own, wanted) for own in names[1:])]
    if objects == "common":
        inside = np.logical_and.reduce([row >= 0 for row in rows])
        wanted, rows = list(compress(wanted, inside)), [row[inside] for row in rows]
        n_all = n_all or sum(map(len, names)) - len(wanted)
    whole = [None if len(own) == len(wanted) and in_order(row) else row
             for own, row in zip(names, rows)]
    return Matched(n=len(wanted), rows=whole, names=wanted,
                   absent=tuple(n_all - len(own) for own in names))


def _padded(n: int, total: int) -> np.ndarray:
    """0, ..., n - 1, then -1 up to `total`."""
    rows = np.arange(total)
    rows[n:] = -1
    return rows


def _places(own: Sequence[Any], wanted: Sequence[Any]) -> np.ndarray:
    """Where each name that is wanted stands in `own`, -1 for nowhere."""
    place = dict(zip(own, range(len(own))))
    return np.fromiter(map(place.get, wanted, repeat(-1)), np.int64, count=len(wanted))


def _by_position(sides: list[Side], called: tuple[str, ...]) -> Matched:
    first, n = sides[0], sides[0].n
    for side, name in zip(sides[1:], called[1:]):
        if side.n != n:
            hint = ""
            if side.names is not None and first.names is not None:
                hint = ': objects="common" matches them by name, objects="all" keeps all'
            raise ClusteringError(f"{called[0]} has {n} objects and {name} has {side.n}; "
                                  f"clusterings of the same objects are needed{hint}")
    named = [(name, side.names) for side, name in zip(sides, called) if side.names is not None]
    for name, own in named[1:]:
        if own is not None and named[0][1] is not None and not same_names(own, named[0][1]):
            raise ClusteringError(object_difference((named[0][0], named[0][1]), (name, own)))
    return Matched(n=n, rows=[None] * len(sides), absent=(0,) * len(sides),
                    names=named[0][1] if named else None)


def _own_names(side: Side, name: str, objects: str) -> Sequence[Any]:
    if side.names is None:
        raise ClusteringError(f'objects="{objects}" matches objects by name and {name} has none; '
                              "give a pandas Series, a mapping {object: label}, or a clustering "
                              "with object_names=")
    return side.names


def nothing_common(sides: list[Side], called: tuple[str, ...], matched: Matched) -> str:
    """Message for fewer than two common names."""
    names = [side.names or () for side in sides]
    numbers = ", ".join(f"{name} has {len(own)}" for name, own in zip(called, names))
    types = ["/".join(sorted({type(v).__name__ for v in own})) for own in names]
    differ = ""
    if len(set(types)) > 1:
        differ = "; names of " + ", ".join(f"{name} are {kind}" if i == 0 else f"of {name} {kind}"
                                           for i, (name, kind) in enumerate(zip(called, types)))
    what = "no name" if matched.n == 0 else "1 name"
    return (f"{what} is common to all sides ({numbers}){differ}; at least 2 are needed"
            + costliest(called, matched.absent))


def costliest(called: tuple[str, ...], lost: Sequence[int]) -> str:
    """The two of several sides that lack most objects."""
    if len(called) < 3:
        return ""
    first, second = sorted(range(len(called)), key=lambda i: -lost[i])[:2]
    return (f"; most objects are lost by {called[first]} ({lost[first]}) and {called[second]} "
            f'({lost[second]}): leave these out, or compare_all(drop="pair") compares each pair on '
            "its own objects")
