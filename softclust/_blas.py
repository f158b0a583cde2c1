"""Matrix products on one thread of BLAS, whose number of threads may change the bits of sums."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

_lock = threading.Lock()
_inside: list[Any] = []


@cache
def _controller() -> Any:
    from threadpoolctl import ThreadpoolController  # comes with scikit-learn
    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """A context in which BLAS has one thread, until the last thread of Python has left it."""
    with _lock:
        _inside.append(_inside[0] if _inside else _controller().limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _lock:
            limits = _inside.pop()
            if not _inside:
                limits.restore_original_limits()
