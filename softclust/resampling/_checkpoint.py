"""Files that a killed run is resumed from: written atomically, read with checks."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .._checks import ClusteringError

#: seconds between two writings, and how many times longer than a writing they are at least
_SECONDS = 0.5
_TIMES = 10.0


def write_arrays(path: Any, kind: str, arrays: Mapping[str, Any]) -> None:
    """Write arrays to `path` (npz) so that at any moment it holds the old or the new state."""
    target = Path(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"the folder of {str(target)!r} does not exist; make it first")
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(draft, "wb") as file:
            np.savez(file, kind=np.array(kind), **arrays)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    finally:
        draft.unlink(missing_ok=True)


def read_arrays(path: Any, kind: str) -> dict[str, np.ndarray]:
    """The arrays that `write_arrays` wrote under the same kind."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except FileNotFoundError:
        raise
    except Exception as error:
        raise ClusteringError(f"{path} cannot be read as a file of {kind}: {error}; remove it or "
                              "name another") from error
    found = str(arrays.pop("kind", ""))
    if found != kind:
        raise ClusteringError(f"{path} holds {found or 'something else'}, not {kind}; name "
                              "another file")
    return arrays


class Pace:
    """When to write: not more often than twice a second, nor a tenth of the time."""

    def __init__(self) -> None:
        self._last, self._took = time.monotonic(), 0.0

    def due(self) -> bool:
        """Whether it is time to write again."""
        return time.monotonic() - self._last >= max(_SECONDS, _TIMES * self._took)

    def write(self, path: Any, kind: str, arrays: Mapping[str, Any]) -> None:
        """Write now and remember how long it took."""
        begin = time.monotonic()
        write_arrays(path, kind, arrays)
        self._last = time.monotonic()
        self._took = self._last - begin
