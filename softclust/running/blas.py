"""Small problems on one thread of BLAS and OpenMP: more are slower and may change bits."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_lock = threading.Lock()
_inside: list[Any] = []
#: the controller of the libraries that were there with this many modules: a new one takes 8 ms
_controller: tuple[int, Any] = (0, None)


def controller() -> Any:
    """The controller of the libraries that are loaded now; its `limit` is a context."""
    global _controller
    if _controller[0] != len(sys.modules):
        from threadpoolctl import ThreadpoolController  # comes with scikit-learn
        _controller = len(sys.modules), ThreadpoolController()
    return _controller[1]


@contextmanager
def one_thread() -> Iterator[None]:
    """A context in which BLAS and OpenMP have one thread, until the last thread of Python leaves.
    """
    with _lock:
        _inside.append(_inside[0] if _inside else controller().limit(limits=1))
    try:
        yield
    finally:
        with _lock:
            limits = _inside.pop()
            if not _inside:
                limits.restore_original_limits()
