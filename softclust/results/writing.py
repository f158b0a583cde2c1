"""JSON, and files that are always complete: written to a temporary file, then renamed.

At any moment the path has the old content or the new one, even if the disk is full, the
process is killed, or several threads and processes write the same file (the last one wins).
"""

from __future__ import annotations

import json
import math
import os
import stat
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

#: seconds after which an unfinished file belongs to no process any more
_OLD = 3600.0


@contextmanager
def whole_file(path: Any, mode: str = "w", **options: Any) -> Iterator[IO[Any]]:
    """As `open` for writing; `path` is replaced at the end, whole, or not at all.

    A symbolic link stays one: the file that it names is replaced. Permissions of an older file
    stay. What is not a regular file (a pipe, /dev/stdout) is written directly, as is a file in a
    folder where nothing else may be written.
    """
    check_writable(path)
    target = Path(os.path.realpath(path))
    options = {"encoding": "utf-8"} | options if "b" not in mode else options
    name = f".{target.name[:100]}."
    draft = target.with_name(f"{name}{uuid.uuid4().hex[:12]}.part")
    # What processes that were killed while they wrote this file have left.
    with suppress(OSError):
        for left in target.parent.iterdir():
            if (left.name.startswith(name) and left.name.endswith(".part")
                    and time.time() - left.stat().st_mtime > _OLD):
                with suppress(OSError):
                    left.unlink()
    try:
        if target.exists() and not (target.is_file() and os.access(target.parent, os.W_OK)):
            with open(target, mode, **options) as file:
                yield file
            return
        with open(draft, mode, **options) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            draft.chmod(stat.S_IMODE(target.stat().st_mode))
        os.replace(draft, target)
    except OSError as error:
        if error.filename in (None, str(draft)):   # the name that the user knows
            error.filename = str(path)
        raise
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def plainly(value: Any) -> Any:
    """The value as JSON has it: arrays as lists, None for nan and infinity, which it has not."""
    if isinstance(value, Mapping):
        return {str(name): plainly(part) for name, part in value.items()}
    if isinstance(value, (list, tuple, range, np.ndarray)):
        return [plainly(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def json_text(value: Any) -> str:
    """The value as JSON for people and other programs."""
    return json.dumps(plainly(value), indent=2, allow_nan=False, ensure_ascii=False)


def check_writable(path: Any) -> None:
    """Raise OSError if no file can be written at `path`: before a long computation, too."""
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise FileNotFoundError(2, "No such folder; create it first", str(Path(path).parent))
    if target.is_dir():
        raise IsADirectoryError(21, "Is a directory; a file name is needed", str(path))
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))

