"""What a fit was begun with, so that a continuation with something else raises."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError

#: names of the parameters of a class; scikit-learn inspects the signature at every question
_parameters: dict[type, tuple[str, ...]] = {}
#: of an object in memory; it differs from process to process
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def described(parameters: Iterable[tuple[str, Any]]) -> dict[str, str]:
    """Parameters as text, those of clusterers one by one: equal text, equal settings.

    The seeds of clusterers are left out: each replicate sets its own.
    """
    found: dict[str, str] = {}
    for name, value in parameters:
        found[name] = _text(value)
        if _is_estimator(value):
            inner = sorted(value.get_params(deep=True).items())
            found.update((f"{name}__{key}", _text(given)) for key, given in inner
                         if not key.endswith("random_state"))
    return found


def check_same_settings(before: dict[str, str], now: dict[str, str], remedy: str) -> None:
    """Raise, naming every parameter that differs."""
    changed = [f"{name} was {before.get(name, 'not there')} and is {now.get(name, 'not there')}"
               for name in dict.fromkeys([*before, *now]) if before.get(name) != now.get(name)]
    if changed:
        raise ClusteringError(f"{'; '.join(changed)} now; the fit that is to go on needs the same: "
                              f"{remedy}")


def objects_of(estimator: Any) -> dict[str, Any]:
    """Its parameters but those that do not travel by pickle and change no result."""
    return {name: getattr(estimator, name) for name in names_of(type(estimator))
            if name not in ("executor", "progress")}


def digest_of(array: np.ndarray) -> str:
    """Tells the numbers of an array from others."""
    return hashlib.blake2b(memoryview(np.ascontiguousarray(array)), digest_size=16).hexdigest()


def check_data_of_fit(x: np.ndarray, digest: str) -> None:
    """Raise unless x is what the digest was made of."""
    if digest_of(x) != digest:
        raise ClusteringError("X is not the data of fit")


def names_of(own: type) -> tuple[str, ...]:
    """Names of the parameters of an estimator's class."""
    if own not in _parameters:
        _parameters[own] = tuple(own._get_param_names())   # type: ignore[attr-defined]
    return _parameters[own]


def check_same_objects(before: dict[str, Any], now: dict[str, Any]) -> None:
    """Raise for other random numbers, and for functions that no text tells apart."""
    for name, value in now.items():
        was = before[name]
        if value is was or name == "checkpoint" or _is_estimator(value):
            continue
        if name == "random_state":
            whole = all(isinstance(state, (int, np.integer)) for state in (was, value))
            if value is not None and not (whole and was == value):
                raise ClusteringError(f"random_state was {was!r} and is {value!r} now; the fit "
                                      "that is to go on keeps its random numbers: give the same "
                                      "or None, or set warm_start=False for a new fit")
        elif _ADDRESS.search(repr(value)):
            raise ClusteringError(f"{name} is another object now, {value!r}; the fit that is to "
                                  "go on needs the same: set warm_start=False for a new fit")


def _is_estimator(value: Any) -> bool:
    return hasattr(value, "get_params") and not isinstance(value, type)


def _text(value: Any) -> str:
    if _is_estimator(value):
        return type(value).__name__
    if isinstance(value, np.ndarray):
        data = np.ascontiguousarray(value)
        content = (data.tobytes() if data.dtype != object else repr(data.tolist()).encode())
        return (f"an array of shape {value.shape} and type {value.dtype} "
                f"({hashlib.blake2b(content, digest_size=6).hexdigest()})")
    if is_dataclass(value) and not isinstance(value, type):
        return ", ".join([type(value).__name__, *(_text(getattr(value, field.name))
                                                  for field in fields(value))])
    return _ADDRESS.sub("", repr(value))
