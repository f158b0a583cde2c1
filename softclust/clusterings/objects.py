"""Comparing and matching the objects of several clusterings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, compress, repeat
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .._checks import ClusteringError
from ._base import Clustering
from .arrays import NUMBERED, Keys, frame_names, index_of

if TYPE_CHECKING:
    from .sides import Side

C = TypeVar("C", bound=Clustering)


def check_object_names(sides: Iterable[tuple[str, Clustering]]) -> None:
    """Raise ClusteringError unless all sides that have names of objects have the same, in order.

    Parameters
    ----------
    sides : iterable of (str, Clustering)
        Name of each side in messages, for example "x" or "clustering 'a'", and its clustering; all
        with the same number of objects.
    """
    named, unnamed = [], False
    for called, side in sides:
        names = side.matched_names
        if names is None:
            unnamed = True
        else:
            named.append((called, names))
    if unnamed:
        for called, names in named:
            check_beside_unnamed(called, names)
    for called, names in named[1:]:
        if not same_names(names, named[0][1]):
            raise ClusteringError(object_difference(named[0], (called, names)))


def matching_hint(*sides: Clustering) -> str:
    """Return the way to compare named clusterings of different objects; "" for unnamed ones."""
    if any(side.matched_names is None for side in sides):
        return ""
    return ': objects="common" matches them by name, as align(x, y, objects="common") does'


def check_beside_unnamed(called: str, names: Sequence[Any] | None) -> None:
    """Raise where names say that objects may be in another order than those of an unnamed side.

    A mapping has no order, except by keys 0, ..., n - 1. The rows of a pandas object have one, and
    an index too: where that holds 0, ..., n - 1 in another order, either may be meant.
    """
    if names is None or isinstance(names, range):
        return
    n = len(names)
    if (n and set(map(type, names)) == {int} and min(names) == 0
            and max(names) == n - 1):   # distinct, so they are all of 0, ..., n - 1
        if not in_order(np.array(names)):
            raise ClusteringError(
                f"the names of {called} are 0 to {n - 1} in another order and another side has "
                "none, so its objects may be in the order of the names or of the rows: sort by "
                "the names (.sort_index() of a pandas object), or drop them (.to_numpy())")
    elif isinstance(names, Keys):
        raise ClusteringError(
            f"{called} is a mapping and another side has no names, so objects cannot be matched; "
            "name the objects of all sides (mappings, pandas objects, object_names=), or give the "
            "labels as a list in the order of the others")


def check_indexes(sides: Iterable[tuple[str, Any]], where: str = "") -> None:
    """Raise ClusteringError unless all sides that name their objects use the same names, in order.

    Parameters
    ----------
    sides : iterable of (str, object)
        Name of each side in messages, and labels or numbers of its objects: a pandas index and the
        names of a clustering count, even if repeated.
    where : str
        Text appended to the message.
    """
    named: list[tuple[str, Any, Any]] = [
        (called, side, side.matched_names if isinstance(side, Clustering) else index_of(side))
        for called, side in sides if side is not None]
    if any(names is None for *_, names in named):
        for called, _, index in named:
            # an index of pandas may hold 0, ..., n - 1 in another order
            if type(index).__name__ == "Index" and index.dtype.kind == "i" and len(index) > 0 and (
                    len(index) == index.max() + 1):
                check_beside_unnamed(called, _listed(index))
    check_same_objects(((called, names) for called, _, names in named), where)


def check_same_objects(sides: Iterable[tuple[str, Any]], where: str = "") -> None:
    """Check names themselves like `check_indexes`, None for none, but not their number."""
    first: tuple[str, Any] | None = None
    for called, names in sides:
        if names is None:
            continue
        if first is None:
            first = called, names
            continue
        known = first[1]
        if len(names) == len(known) and known is not names and not (
                known.equals(names) if hasattr(known, "equals") and hasattr(names, "equals")
                else tuple(known) == tuple(names)):
            difference = object_difference((first[0], _listed(known)), (called, _listed(names)))
            raise ClusteringError(difference.replace(";", f"{where};", 1))


def _listed(names: Any) -> Sequence[Any]:
    numbered = hasattr(names, "step") and names.start == 0 and names.step == 1
    return range(len(names)) if numbered else list(names)


def same_names(a: Sequence[Any], b: Sequence[Any]) -> bool:
    """Test whether two sequences hold equal names in the same order."""
    return len(a) == len(b) and (a is b or (a == b if type(a) is type(b) else tuple(a) == tuple(b)))


def object_difference(a: tuple[str, Sequence[Any]], b: tuple[str, Sequence[Any]]) -> str:
    """Message about two named sides whose object names differ."""
    (called, names), (other, others) = a, b
    i = next(k for k, (u, v) in enumerate(zip(names, others)) if u != v)
    what = "in another order" if set(names) == set(others) else "different"
    hint = ""
    if isinstance(names, range) or isinstance(others, range):
        hint = " (the index of a pandas object counts, a default one too; .to_numpy() drops it)"
    return (f"the object names of {called} and {other} are {what}: object {i} is {names[i]!r} in "
            f"{called} and {others[i]!r} in {other}; sort or select the objects first, or match "
            f'them by name with align(..., objects="common"){hint}')


def names_in(data: Any) -> Sequence[Any] | None:
    """Names of the objects of data, labels or a clustering, repeated ones too; None without any."""
    if isinstance(data, Mapping) and not hasattr(data, "tocsr"):
        return Keys(data)
    if hasattr(data, "matched_names"):   # clusterings and tables of objects
        return data.matched_names
    index = index_of(data)
    if index is not None:
        return _listed(index)
    names = frame_names(data)[0]
    return None if names is None else list(names)


def matched(names: Sequence[Any] | None, others: Sequence[Any] | None, *,
            called: tuple[str, str], more: bool = False) -> np.ndarray | None:
    """Positions in a second side of the objects of a first side, in their order.

    Parameters
    ----------
    names, others : sequence or None
        Names of the objects of both sides, see `names_in`; None for a side without names.
    called : (str, str)
        Names of the sides in messages.
    more : bool
        Whether the second side may have further objects, where both have names.

    Returns
    -------
    (n,) int64, or None
        None if both have the same order, or one has no names: objects then correspond by place.

    Raises
    ------
    ClusteringError
        If the names are not the same, are in another order and not unique, or a side without names
        leaves open what the order of the other side means.

    Examples
    --------
    >>> from softclust.clusterings.objects import matched
    >>> matched(("a", "b", "c"), ("c", "a", "b"), called=("X", "labels"))
    array([1, 2, 0])
    """
    if names is None or others is None:
        check_beside_unnamed(called[0], names)
        check_beside_unnamed(called[1], others)
        return None
    if len(names) != len(others) and not more:
        raise ClusteringError(f"{called[0]} has {len(names)} objects and {called[1]} has "
                              f"{len(others)}; the same objects are needed")
    if same_names(names, others):
        return None
    place = dict(zip(others, range(len(others))))
    if more:
        absent = next((name for name in names if name not in place), None)
        if len(place) < len(others) or absent is not None:
            raise ClusteringError(f"the names of {called[1]} are " + (
                "not unique" if absent is None else f"not those of the objects of {called[0]}, "
                f"such as {absent!r}") + "; match them first")
    elif len(place) < len(others) or place.keys() != set(names):
        raise ClusteringError(object_difference((called[0], names), (called[1], others)))
    return np.fromiter(map(place.__getitem__, names), np.int64, count=len(names))


def ordered(values: Any, names: Sequence[Any] | None, *, called: tuple[str, str],
            more: bool = False) -> Any:
    """Values of objects, one each, in the order of the named objects; see `matched`."""
    if not hasattr(values, "__len__"):   # None, or one value for all
        return values
    order = matched(names, names_in(values), called=called, more=more)
    if order is None:
        return values
    if hasattr(values, "iloc"):
        return values.iloc[order]
    if isinstance(values, Clustering):
        return values.subset(order)
    if isinstance(values, Mapping):
        values = list(values.values())
    return [values[i] for i in order]


def naming_of(data: Any) -> tuple[Any, ...] | None:
    """Value of ``object_names`` for a clustering of the rows of `data`; None without any.

    Rows with repeated names cannot be matched and count as unnamed, so that an estimator can still
    be fitted.
    """
    names = frame_names(data)[0]
    if names is None or names is NUMBERED:
        return names
    try:
        return tuple(names) if len(set(names)) == len(names) else None
    except TypeError:   # names that cannot be hashed
        return None


def named_after(clustering: C, data: Any) -> C:
    """The clustering of the rows of `data` with their names, where it has none of its own."""
    names = naming_of(data)
    if names is None or clustering.naming is not None:
        return clustering
    return clustering.renamed(names)


# -- matching by name -------------------------------------------------------------------------
def in_order(positions: np.ndarray) -> bool:
    """Test whether positions are 0, 1, 2, ..."""
    n = positions.shape[0]
    if n and positions[n // 2] != n // 2:
        return False
    return bool((positions == np.arange(n)).all())


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """Rows of each side that are the same objects; None for all in order, -1 for absent.

    `n` objects are matched, of `n_names` on any side.
    """

    n: int
    n_names: int
    rows: list[np.ndarray | None]
    names: Sequence[Any] | None
    absent: tuple[int, ...]


def match_objects(sides: list[Side], called: tuple[str, ...], objects: str) -> Matched:
    """Match the objects of all sides, by position or by name."""
    if objects == "same":
        first, n = sides[0], sides[0].n
        for side, name in zip(sides[1:], called[1:]):
            if side.n != n:
                hint = ""
                if side.names is not None and first.names is not None:
                    hint = ': objects="common" matches them by name, objects="all" keeps all'
                raise ClusteringError(f"{called[0]} has {n} objects and {name} has {side.n}; "
                                      f"clusterings of the same objects are needed{hint}")
        named = [(name, side.names) for side, name in zip(sides, called) if side.names is not None]
        if len(named) < len(sides):
            for name, side_names in named:
                check_beside_unnamed(name, side_names)
        for name, side_names in named[1:]:
            if not same_names(side_names, named[0][1]):
                raise ClusteringError(object_difference(named[0], (name, side_names)))
        return Matched(n=n, n_names=n, rows=[None] * len(sides), absent=(0,) * len(sides),
                       names=named[0][1] if named else None)

    names: list[Sequence[Any]] = []
    for side, name in zip(sides, called):
        if side.names is None:
            raise ClusteringError(f'objects="{objects}" matches objects by name and {name} has '
                                  "none; give a pandas Series, a mapping {object: label}, or a "
                                  "clustering with object_names=")
        names.append(side.names)
    if all(same_names(side_names, names[0]) for side_names in names[1:]):
        return Matched(n=len(names[0]), n_names=len(names[0]), rows=[None] * len(sides),
                       names=names[0], absent=(0,) * len(sides))
    n_first = len(names[0])
    if objects == "common":
        wanted, n_all = names[0], 0 if len(names) == 2 else len(set().union(*names))
    else:
        wanted = list(dict.fromkeys(chain.from_iterable(names)))
        n_all = len(wanted)
    places = np.arange(len(wanted))
    rows = [np.where(places < n_first, places, -1),
            *(_places(side_names, wanted) for side_names in names[1:])]
    if objects == "common":
        inside = np.logical_and.reduce([row >= 0 for row in rows])
        wanted, rows = list(compress(wanted, inside)), [row[inside] for row in rows]
        n_all = n_all or sum(map(len, names)) - len(wanted)
    whole = [None if len(side_names) == len(wanted) and in_order(row) else row
             for side_names, row in zip(names, rows)]
    return Matched(n=len(wanted), n_names=n_all, rows=whole, names=wanted,
                   absent=tuple(n_all - len(side_names) for side_names in names))


def _places(side_names: Sequence[Any], wanted: Sequence[Any]) -> np.ndarray:
    """Position in `own` of each name that is wanted, -1 if absent."""
    place = dict(zip(side_names, range(len(side_names))))
    return np.fromiter(map(place.get, wanted, repeat(-1)), np.int64, count=len(wanted))


def nothing_common(sides: list[Side], called: tuple[str, ...], matched: Matched) -> str:
    """Message for fewer than two common names."""
    names = [side.names or () for side in sides]
    numbers = ", ".join(f"{name} has {len(side_names)}" for name, side_names in zip(called, names))
    types = ["/".join(sorted({type(v).__name__ for v in side_names})) for side_names in names]
    differ = ""
    if len(set(types)) > 1:
        differ = "; names of " + ", ".join(f"{name} are {kind}" if i == 0 else f"of {name} {kind}"
                                           for i, (name, kind) in enumerate(zip(called, types)))
    what = "no name" if matched.n == 0 else "1 name"
    return (f"{what} is common to all sides ({numbers}){differ}; at least 2 are needed"
            + costliest(called, matched.absent, 'objects="common"'))


def costliest(called: tuple[str, ...], lost: Sequence[int], options: str) -> str:
    """The two of several sides that lack most objects; `options` are those of `compare_all`."""
    if len(called) < 3:
        return ""
    first, second = sorted(range(len(called)), key=lambda i: -lost[i])[:2]
    return (f"; most objects are lost by {called[first]} ({lost[first]}) and {called[second]} "
            f'({lost[second]}): leave these out, or compare_all({options}, drop="pair") compares '
            "each pair on its own objects")


def own_names(sides: Sequence[Any], defaults: Sequence[str]) -> Sequence[str]:
    """Names of Series, if all sides have distinct ones; else the defaults."""
    names = [getattr(side, "name", None) for side in sides]
    known = all(isinstance(name, str) for name in names) and len(set(names)) == len(names)
    return names if known else defaults   # type: ignore[return-value]
