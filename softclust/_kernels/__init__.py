"""Compiled kernels: arrays in, numbers out; no checks, no randomness, no exceptions.

Each submodule is imported at the first use of its name (PEP 562), because importing one
imports numba. Callers write ``from .. import _kernels`` and then ``_kernels.counting.f(...)``.
Wings (`softclust.transport`) hold kernels of their own in a folder of the same name.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazily(package: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package that imports its submodules at their first use."""
    def attribute(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None
    return attribute


__getattr__ = lazily(__name__)
