"""Subjects that stand by themselves: each folder has kernels, formulas, records and charts.

The core names none of them. An extension says in its ``__init__`` what it offers, as text, so that
nothing else of it is imported before it is used:

- ``PUBLIC``: names of `softclust`, by module,
- ``RECORDS``: classes of `softclust.results`, by module,
- ``CHARTS``: names of `softclust.plotting`, by module,
- ``MEASURES``: modules that register measures,
- ``CRITERIA``: modules that register criteria for the number of clusters,
- ``FEATURES``: functions that the core calls by what they are for (`feature`), by module,
- ``warmup``: a function that calls what it compiles.

A folder that is deleted is gone: nothing else has to be edited. ``tests/extensions`` has the tests.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any


@cache
def extensions() -> dict[str, Any]:
    """The packages of all extensions by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {name: import_module(f"{__name__}.{name}") for name in names}


def declared(what: str) -> dict[str, str]:
    """Collect what all extensions offer of one sort: names, separated by spaces, by module.

    Modules are named from the package `softclust` on.
    """
    return {f"extensions.{name}.{module}": names for name, package in extensions().items()
            for module, names in getattr(package, what, {}).items()}


def modules(what: str) -> list[str]:
    """Full names of the modules that all extensions list under `what`."""
    return [f"{__name__}.{name}.{module}" for name, package in extensions().items()
            for module in getattr(package, what, ())]


def feature(name: str) -> Any:
    """The function or class that an extension offers to the core under this name.

    Raises
    ------
    ImportError
        If no extension offers it, as for a module that is not installed.
    """
    for module, names in declared("FEATURES").items():
        if name in names.split():
            return getattr(import_module(f"softclust.{module}"), name)
    raise ImportError(f"{name} is part of an extension of softclust, and this installation has "
                      f"only {', '.join(extensions())}: install softclust anew")
