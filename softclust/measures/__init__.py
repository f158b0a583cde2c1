"""The registry of measures, and their door: ``softclust.measures.rand_index``.

A measure is a function under ``@measure`` in a module of the rooms `tables`, `pairs`, `columns`,
`covers` and `transport`; `registry()` imports them.
"""

from typing import Any

from ._registry import (
    ALL_KINDS,
    KINDS,
    OF_CLASSES,
    PROPERTIES,
    SENSES,
    Answer,
    Bounds,
    Claim,
    Measure,
    RCall,
    ends,
    function_of,
    get_measure,
    list_measures,
    measure,
    registry,
    value_of,
)

__all__ = ["ALL_KINDS", "KINDS", "OF_CLASSES", "PROPERTIES", "SENSES", "Answer", "Bounds", "Claim",
           "Measure", "RCall", "ends", "get_measure", "list_measures", "measure", "registry",
           "value_of"]


def __getattr__(name: str) -> Any:
    # Families are imported by name; only other names are measures.
    function = None if name.startswith("_") else function_of(name)
    if function is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return function


def __dir__() -> list[str]:
    return sorted({*__all__, *registry()})
