"""Warnings of this package, which can be caught or silenced within one thread.

`warnings.catch_warnings` changes filters of the whole process: if two threads use it at once, the
filters of one may stay in effect for good. So every warning of ours goes through `warn`, which
first asks for listeners in this context (a `ContextVar`; threads of `run_chunks` inherit it).
Filters do not change.
"""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from typing import Literal

#: receives a warning; True: it goes no further
Listener = Callable[[str, type[Warning]], bool]
#: held while filters of the process are changed
_filters = threading.RLock()
#: from the innermost to the outermost
_listeners: ContextVar[tuple[Listener, ...]] = ContextVar("softclust_warnings", default=())


def warn(message: str, category: type[Warning], stacklevel: int = 1) -> None:
    """Warn as `warnings.warn`, unless a listener in this context takes the warning.

    The warning names the calling line outside this package, or by `stacklevel` if there is none.
    """
    for listener in _listeners.get():
        if listener(message, category):
            return
    # The first frame outside this package, seen from here.
    through = (__name__.partition(".")[0], "sklearn", "contextlib")   # decorators of methods
    frame: FrameType | None = sys._getframe(1)
    level = 2
    while frame is not None and (
            str(frame.f_globals.get("__name__", "")).partition(".")[0] in through):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=stacklevel + 1 if frame is None else level)


@contextmanager
def listening(*categories: type[Warning]) -> Iterator[list[str]]:
    """Collect the different warnings of ours given meanwhile, in order.

    Those of `categories` (all if there are none) are only kept; others are kept and also
    shown at once, subject to the caller's filters.
    """
    quieted = categories or (Warning,)
    messages: list[str] = []

    def keep(message: str, category: type[Warning]) -> bool:
        if message not in messages:
            messages.append(message)
        return issubclass(category, quieted)

    token = _listeners.set((keep, *_listeners.get()))
    try:
        yield messages
    finally:
        _listeners.reset(token)


@contextmanager
def showing(listener: Listener, show: Callable[[str], None]) -> Iterator[None]:
    """Give warnings of ours to a listener, and show those of other packages as one line."""
    token = _listeners.set((listener, *_listeners.get()))
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: show(" ".join(str(message).split()))
            yield
    finally:
        _listeners.reset(token)


#: drop warnings of ours: those of the categories given, or all
quiet = listening


@contextmanager
def process_filter(action: Literal["always", "ignore", "error"], message: str = ""
                   ) -> Iterator[list[warnings.WarningMessage]]:
    """Filter warnings of other packages as well; with "always" they are recorded, not shown.

    As `warnings.catch_warnings`, but one thread after the other. Not for frequent calls.
    """
    with _filters, warnings.catch_warnings(record=action == "always") as record:
        warnings.filterwarnings(action, message)
        yield [] if record is None else record
