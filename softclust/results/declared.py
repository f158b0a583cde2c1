"""Check of records that were read from a text: the declared content of their fields.

The annotations are the declarations: their types, and in ``Annotated[type, form]`` the form of
arrays, numbers and names. A form has a kind, lengths, and what all values fulfil::

    "f n k"             floats in an array of n rows and k columns
    "i n <names"        positions in the field `names`; with "-1<names" -1, too
    "f n 0..1"          numbers from 0 to 1, or nan
    "names n"         n distinct names
    ">=1"             a number (not an array) from 1 on
    "key TITLES"        a key of this constant of the module of the record
    "keys NAMES"        a mapping that has all these keys, with plain values
    "some"              one or more
    "big"               a whole number of any size
    "measure"           the name of a measure

Kinds of arrays: f (floats, whole numbers too), i (whole numbers), b (booleans). A length is a
number, the name of a field (its value if that is a whole number, else its length), or a letter
that stands for the same number in all fields; ``_`` is any length.
"""

from __future__ import annotations

import builtins
import dataclasses
import functools
import re
import sys
import types
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import numpy as np

from .._checks import ClusteringError

_KINDS = {"f": "fiu", "i": "iu", "b": "b"}


def check_record(record: Any) -> None:
    """Raise ClusteringError unless the fields of a record hold what they are declared to hold.

    A class whose fields depend on each other in other ways has `_check`, which is called then.
    """
    lengths: dict[str, int] = {}
    kind: Any = type(record)
    hints = _hints(kind)
    for field in dataclasses.fields(record):
        where = f"{kind.__name__}.{field.name}"
        try:
            value = getattr(record, field.name)
        except AttributeError:
            raise ClusteringError(f"{where} is missing in the text") from None
        if not _conforms(value, hints[field.name], record, lengths):
            raise ClusteringError(f"{where} is not what such a result holds: the text was changed, "
                                  "or is damaged")
    if hasattr(record, "_check"):
        record._check()


class _Named:
    """A class that a module knows only for type checkers, by its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __or__(self, other: Any) -> Any:
        return Union[self, other]   # noqa: UP007  (it is no type)

    __ror__ = __or__

    def __call__(self) -> None:
        """Be a type for `Union`."""


class _Names(dict[str, Any]):
    """The names of a module, and `_Named` for those that it does not have."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, None) or _Named(name)


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    """The annotations of a record by its fields."""
    hints = {}
    for each in reversed(kind.__mro__):
        names = _Names(vars(sys.modules[each.__module__]))
        for name, hint in vars(each).get("__annotations__", {}).items():
            hints[name] = eval(hint, {}, names) if isinstance(hint, str) else hint
    return hints


def _conforms(value: Any, hint: Any, record: Any, lengths: dict[str, int]) -> bool:
    """Test if a value has a type, and the form beside it."""
    def each(values: Any, hint: Any) -> bool:
        return all(_conforms(v, hint, record, lengths) for v in values)

    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        if "big" in parts:   # counts of pairs and seeds
            return isinstance(value, int)
        return _conforms(value, parts[0], record, lengths) and (
            value is None or all(_has_form(value, form, record, lengths) for form in parts[1:]))
    if origin in (Union, types.UnionType):
        if type(value) is int and {int, float} <= {*parts}:   # a count of pairs, exact
            return True
        return any(_conforms(value, part, record, lengths) for part in parts)
    if origin is Literal:
        return isinstance(value, (str, int, type(None))) and value in parts
    if origin is tuple:
        if not isinstance(value, tuple) or (Any in parts and not _are_hashable(value)):
            return False
        return (
            each(value, parts[0]) if parts[1:] == (...,) else len(value) == len(parts) and all(
                _conforms(v, part, record, lengths) for v, part in zip(value, parts)))
    if origin in (list, Sequence):
        return isinstance(value, range) or (isinstance(value, (list, tuple))
                                            and each(value, parts[0]))
    if origin in (dict, Mapping):
        return isinstance(value, Mapping) and each(value, parts[0]) and each(
            value.values(), parts[1])
    if isinstance(hint, _Named):
        return any(kind.__name__ == hint.name for kind in type(value).__mro__)
    if hint in (int, float):
        return isinstance(value, hint) or (type(value) is int and abs(value) < 1 << 63)
    if hint is None or hint is type(None):
        return value is None
    return not isinstance(hint, type) or hint is Any or isinstance(value, hint)


def _has_form(value: Any, form: str, record: Any, lengths: dict[str, int]) -> bool:
    """Test if a value has a form, such as "f n k"."""
    words = form.split()
    kind = words.pop(0) if words[0] in ("f", "i", "b", "distinct", "measure", "key", "keys") else ""
    if kind in ("key", "keys"):
        constant = getattr(sys.modules[type(record).__module__], words[0])
        return value in constant if kind == "key" else set(constant) <= set(
            value) and not any(isinstance(v, (list, tuple, dict)) for v in value.values())
    sizes = [word for word in words if re.fullmatch(r"[\w.+]+", word) and ".." not in word
             and word not in ("finite", "some")]
    if kind == "measure":
        measure = import_module("softclust.measures").get_measure
        try:
            return bool(measure(value))
        except (ClusteringError, LookupError, ValueError, TypeError):
            return False
    if kind == "distinct" and not (_are_hashable(value) and len(set(value)) == len(value)):
        return False
    if kind in _KINDS and (not isinstance(value, np.ndarray) or value.dtype.kind not in _KINDS[kind]
                           or value.ndim != len(sizes)):
        return False
    shape = value.shape if isinstance(value, np.ndarray) else (len(value),) if sizes else ()
    for n, size in zip(shape, sizes):
        name, sign, more = size.partition("+")
        if name == "_":
            continue
        expected = _size(name, record, lengths)
        if expected is None:
            expected = lengths.setdefault(name, n)
        if n != expected + (int(more) if sign else 0):
            return False
    return all(_within(value, word, record, lengths) for word in words if word not in sizes)


def _are_hashable(names: Any) -> bool:
    try:
        return isinstance(set(names), set)
    except TypeError:
        return False


def _size(name: str, record: Any, lengths: dict[str, int]) -> int | None:
    if name.isdecimal():
        return int(name)
    value = record
    for part in name.split("."):
        value = getattr(value, part, None)
    return lengths.get(name) if value is None else value if isinstance(value, int) else len(value)


def _within(value: Any, word: str, record: Any, lengths: dict[str, int]) -> bool:
    """Test if all numbers are in the range of a word such as ``0..1``, ``>=1`` or ``<names``."""
    numbers = np.asarray(value)
    if "<" in word:
        low, _, name = word.partition("<")
        end = _size(name, record, lengths)
        return end is None or bool(((numbers >= int(low or 0)) & (numbers < end)).all())
    if word == "some":
        return numbers.size > 0
    if word == "finite":
        return bool(np.isfinite(numbers).all())
    low, _, high = word.removeprefix(">=").partition("..")
    known = numbers[~np.isnan(numbers)] if numbers.dtype.kind == "f" else numbers
    return bool((known >= float(low)).all() and (not high or (known <= float(high)).all()))
