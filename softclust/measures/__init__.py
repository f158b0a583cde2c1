"""Measures of agreement, dissimilarity and uncertainty, one module per family.

Every function under ``@measure`` in these modules is registered when `registry()` imports them.

The package shares its name with the public function ``softclust.measures()``. Importing a
submodule binds the package in its parent and would hide the function, so the package itself can
be called.
"""

import sys
from types import ModuleType
from typing import Any

from ._registry import Claim, Measure, get_measure, measure, measures, registry

__all__ = ["Claim", "Measure", "get_measure", "measure", "measures", "registry"]


class _CallablePackage(ModuleType):
    __doc__ = measures.__doc__

    def __call__(self) -> Any:
        return measures()


sys.modules[__name__].__class__ = _CallablePackage
