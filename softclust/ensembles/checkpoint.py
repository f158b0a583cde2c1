"""Files that a killed run is resumed from: written atomically, read with checks."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from .._checks import ClusteringError, IncompleteWarning
from ..results.stored import read_npz
from ..results.writing import whole_file
from ..running.warnings import warn

#: of the arrays in a file; others raise
VERSION = 3
#: seconds between two writings, and how many times longer than a writing they are at least
_SECONDS = 0.5
_TIMES = 10.0
#: arrays that every file has
_OWN = ("kind", "version", "digest")


def write_arrays(path: Any, kind: str, arrays: Mapping[str, Any]) -> None:
    """Write arrays to `path` (npz) so that at any moment it holds the old or the new state."""
    content: dict[str, Any] = {name: np.asarray(array) for name, array in arrays.items()}
    with whole_file(path, "wb") as file:
        np.savez(file, kind=np.array(kind), version=np.array(VERSION),
                 digest=np.array(_digest(content)), **content)


def read_arrays(path: Any, kind: str, needed: Iterable[str]) -> dict[str, np.ndarray]:
    """The arrays `needed` that `write_arrays` wrote under the same kind."""
    arrays = read_npz(path, f"a file of {kind}", "remove it or name another")
    header = {name: str(arrays.pop(name, "")) for name in _OWN}
    if header["kind"] != kind:
        raise ClusteringError(f"{path} holds {header['kind'] or 'something else'}, not {kind}; "
                              "name another file")
    if header["version"] != str(VERSION):
        raise ClusteringError(f"{path} was written by another version of softclust (format "
                              f"{header['version'] or 1}, this one reads {VERSION}); remove it or "
                              "name another")
    missing = [name for name in needed if name not in arrays]
    if missing:
        raise ClusteringError(f"{path} lacks {', '.join(missing)}; remove it or name another")
    if header["digest"] != _digest(arrays):
        raise ClusteringError(f"{path} is damaged: its content is not what was written; remove it "
                              "or name another")
    return arrays


def _digest(arrays: Mapping[str, np.ndarray]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


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
