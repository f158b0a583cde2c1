"""Compiled kernels: arrays in, numbers out; no checks, no randomness, no exceptions.

Each submodule is imported at the first use of its name (PEP 562), because importing one
imports numba. Callers write ``from .. import _kernels`` and then ``_kernels.counting.f(...)``.
"""

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
