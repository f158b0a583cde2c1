"""Packages whose names load at their first use (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def by_name(homes: Mapping[str, str]) -> dict[str, str]:
    """Map each name to its module, from names (separated by spaces) by module."""
    return {name: home for home, names in homes.items() for name in names.split()}


def lazy(package: str, homes: Mapping[str, str]
         ) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """`__all__`, `__getattr__` and `__dir__` of a package with these names by module."""
    modules = by_name(homes)

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f".{modules[name]}", package), name)
        setattr(sys.modules[package], name, value)
        return value

    return [*modules], get, lambda: sorted(modules)


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
