"""R from Python: call R, convert clusterings, compare softclust with R's packages.

``import r_bridge`` loads neither rpy2 nor R; R starts at the first call. Install with
``pip install 'softclust[r]'`` (README.md beside this file names the versions).

>>> import r_bridge
>>> r_bridge.RError.__mro__[1].__name__
'RuntimeError'
"""

from importlib import import_module as _import_module
from typing import Any as _Any


class RUnavailableError(ImportError):
    """R, rpy2 or an R package cannot be used here; the message names the remedy."""


class RError(RuntimeError):
    """R stopped with an error.

    Attributes
    ----------
    call : str or None
        First line of the R call that failed.
    classes : tuple of str
        R's condition classes, the most special first.
    """

    def __init__(self, message: str, *, call: str | None = None,
                 classes: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.call = call
        self.classes = tuple(classes)


class RConversionError(TypeError):
    """A value has no counterpart on the other side; nothing is dropped or guessed."""


class RWarning(UserWarning):
    """A warning that R gave during a call."""


#: where each public name lives
_HOMES = {
    "available": "_call",
    "call": "_call",
    "versions": "_call",
    "crosscheck": "_crosscheck",
    "CrossCheck": "_crosscheck",
    "to_r": "_convert",
    "from_r": "_convert",
    "clustering_from_r": "_convert",
    "converter": "_convert",
    "merges_from_r": "_dendrogram",
}
_SUBMODULES = ("clue", "evclust", "truecluster")
_ERRORS = ("RConversionError", "RError", "RUnavailableError", "RWarning")


def __getattr__(name: str) -> _Any:
    if name in _SUBMODULES:
        return _import_module(f".{name}", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(_import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*_HOMES, *_SUBMODULES, *_ERRORS})
