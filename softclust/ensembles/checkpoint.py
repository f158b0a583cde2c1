"""Files that a killed run is resumed from: written atomically, read with checks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from .._checks import ClusteringError, IncompleteWarning
from ..results.stored import read_npz, write_npz
from ..running.warnings import warn

#: of the arrays in a file
VERSION = 4
#: seconds between two writings, and how many times longer than a writing they are at least
_SECONDS = 0.5
_TIMES = 10.0
ADVICE = "remove it or name another"


def write_arrays(path: Any, kind: str, arrays: Mapping[str, Any]) -> None:
    """Write the state of a run."""
    write_npz(path, kind, VERSION, arrays)


def read_arrays(path: Any, kind: str, needed: Iterable[str]) -> dict[str, np.ndarray]:
    """The state, which has the arrays `needed`."""
    _, arrays = read_npz(path, kind, VERSION, ADVICE)
    missing = [name for name in needed if name not in arrays]
    if missing:
        raise ClusteringError(f"{path} lacks {', '.join(missing)}; {ADVICE}")
    return arrays


class Checkpoint:
    """A file of a running fit: written at most twice a second and for at most a tenth of the time.

    A write that fails during the run is reported once and tried again later; the result of `close`
    tells if the last one failed.
    """

    def __init__(self, path: Any, kind: str) -> None:
        self.path, self.kind = path, kind
        self._last, self._took = time.monotonic(), 0.0
        self._warned = False

    def keep(self, state: Callable[[], Mapping[str, Any]]) -> None:
        """Write the state if it is time to."""
        if time.monotonic() - self._last < max(_SECONDS, _TIMES * self._took):
            return
        begin = time.monotonic()
        try:
            write_arrays(self.path, self.kind, state())
        except OSError as error:
            if not self._warned:
                self._warned = True
                warn(f"{self.path} cannot be written ({error}); the run continues and "
                              "this is tried again: make room meanwhile", IncompleteWarning,
                              stacklevel=2)
        self._last = time.monotonic()
        self._took = self._last - begin

    def close(self, state: Mapping[str, Any]) -> OSError | None:
        """Write the last state; return the error if that fails."""
        try:
            write_arrays(self.path, self.kind, state)
        except OSError as error:
            return error
        return None
