# ruff: noqa: F403, F405
"""The registry of measures, and their door: ``softclust.measures.rand_index``.

A measure is a function under ``@measure`` in a module of the rooms `tables`, `pairs`, `columns`,
`covers` and `transport`; `registry()` imports them.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._registry import *

__all__ = ["ALL_KINDS", "KINDS", "OF_CLASSES", "PROPERTIES", "SENSES", "Answer", "Bounds", "Claim",
           "Measure", "MeasureWord", "RCall", "Shares", "Word", "answering", "cited", "ends",
           "get_measure", "in_reading_order", "list_measures", "list_words", "measure",
           "measure_of", "places_of", "registry", "value_of"]


def __getattr__(name: str) -> Any:
    # Families are imported by name; only other names are measures. The registry waits for its first
    # use: it imports the rooms, whose modules import other modules of this one.
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _registry
    if name in __all__ or name == "function_of":
        return getattr(_registry, name)
    function = _registry.function_of(name)
    if function is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return function


def __dir__() -> list[str]:
    from ._registry import registry
    return sorted({*__all__, *registry()})
