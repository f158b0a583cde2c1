"""A report on the clusters in a table: computed, explained, written as HTML and JSON.

The package shares its name with the public function ``softclust.report()``. Importing a submodule
binds the package in its parent and would hide the function, so the package itself can be called.
"""

import sys
from types import ModuleType
from typing import Any

from .record import Report
from .run import report

__all__ = ["Report", "report"]


class _CallablePackage(ModuleType):
    __doc__ = report.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Report:
        return report(*args, **kwargs)


sys.modules[__name__].__class__ = _CallablePackage
