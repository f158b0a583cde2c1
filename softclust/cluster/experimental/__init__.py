"""Experimental clusterers: inferred in part from abstracts; they may change without notice."""

from importlib import import_module
from typing import Any

_HOMES = {
    "SLAGLO": "dissimilarity_increments",
    "SLDID": "dissimilarity_increments",
    "increment_density": "dissimilarity_increments",
    "ExperimentalWarning": "dissimilarity_increments",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
