"""Measures of agreement, dissimilarity and uncertainty, one module per family.

Every function under ``@measure`` in these modules is registered when `registry()` imports them,
and is an attribute of this package: ``softclust.measures.rand_index``.
"""

from typing import Any

from ._registry import (
    ALL_KINDS,
    KINDS,
    Answer,
    Claim,
    Measure,
    ends,
    function_of,
    get_measure,
    list_measures,
    measure,
    registry,
    value_of,
)

__all__ = ["ALL_KINDS", "KINDS", "Answer", "Claim", "Measure", "ends", "get_measure",
           "list_measures", "measure", "registry", "value_of"]


def __getattr__(name: str) -> Any:
    # Families are imported by name; only other names are measures.
    function = None if name.startswith("_") else function_of(name)
    if function is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return function


def __dir__() -> list[str]:
    return sorted({*__all__, *registry()})
