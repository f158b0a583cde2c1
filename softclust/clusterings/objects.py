"""Whether clusterings are about the same objects, in the same order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from .._checks import ClusteringError
from ._base import Clustering
from .arrays import NUMBERED, frame_names, index_of

C = TypeVar("C", bound=Clustering)


def check_object_names(sides: Iterable[tuple[str, Clustering]]) -> None:
    """Raise ClusteringError unless all sides that have names of objects have the same, in order.

    Parameters
    ----------
    sides : iterable of (str, Clustering)
        What messages call each side, for example "x" or "clustering 'a'", and its clustering; all
        of as many objects.
    """
    first: tuple[str, Sequence[Any]] | None = None
    for called, side in sides:
        names = side.matched_names
        if names is None:
            continue
        if first is None:
            first = called, names
        elif not same_names(names, first[1]):
            raise ClusteringError(object_difference(first, (called, names)))


def check_indexes(sides: Iterable[tuple[str, Any]], where: str = "") -> None:
    """Raise ClusteringError unless all sides that name their objects name the same, in order.

    Parameters
    ----------
    sides : iterable of (str, object)
        What messages call each side, and labels or numbers of each object: an index of pandas
        and the names of a clustering count, repeated names too.
    where : str
        Is added to what is wrong.
    """
    check_same_objects(((called, side.matched_names if isinstance(side, Clustering)
                         else index_of(side)) for called, side in sides), where)


def check_same_objects(sides: Iterable[tuple[str, Any]], where: str = "") -> None:
    """As `check_indexes`, of the names themselves; None for none. Lengths are checked elsewhere."""
    first: tuple[str, Any] | None = None
    for called, names in sides:
        if names is None:
            continue
        if first is None:
            first = called, names
        elif len(names) == len(first[1]) and not _same_index(first[1], names):
            said = object_difference((first[0], _listed(first[1])), (called, _listed(names)))
            raise ClusteringError(said.replace(";", f"{where};", 1))


def _same_index(a: Any, b: Any) -> bool:
    return a is b or (a.equals(b) if hasattr(a, "equals") and hasattr(b, "equals")
                      else tuple(a) == tuple(b))


def _listed(names: Any) -> Sequence[Any]:
    numbered = hasattr(names, "step") and names.start == 0 and names.step == 1
    return range(len(names)) if numbered else list(names)


def same_names(a: Sequence[Any], b: Sequence[Any]) -> bool:
    """Whether two sequences hold equal names in the same order."""
    return len(a) == len(b) and (a is b or (a == b if type(a) is type(b) else tuple(a) == tuple(b)))


def object_difference(a: tuple[str, Sequence[Any]], b: tuple[str, Sequence[Any]]) -> str:
    """What to say of two sides, by name, whose names of objects differ."""
    (called, names), (other, others) = a, b
    i = next(k for k, (u, v) in enumerate(zip(names, others)) if u != v)
    what = "in another order" if set(names) == set(others) else "different"
    hint = ""
    if isinstance(names, range) or isinstance(others, range):
        hint = " (the index of a pandas object counts, a default one too; .to_numpy() drops it)"
    return (f"the object names of {called} and {other} are {what}: object {i} is {names[i]!r} in "
            f"{called} and {others[i]!r} in {other}; sort or select the objects first, or match "
            f'them by name with align(..., objects="common"){hint}')


def naming_of(data: Any) -> tuple[Any, ...] | None:
    """What a clustering of the rows of `data` takes as ``object_names``; None without any.

    Rows with repeated names cannot be matched and count as nameless: that the data cannot tell
    its objects apart is no reason to keep an estimator from fitting.
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
