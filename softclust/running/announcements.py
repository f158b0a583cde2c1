"""Short messages about long computations and unavailable features, printed in one place.

They go to stderr, on a terminal, in a notebook and in a pipe alike. Where logging is set up and
shows them, they go to the logger ``softclust`` instead, as information or, where urgent, as a
warning. ``logging.getLogger("softclust").setLevel("ERROR")`` silences both.
"""

from __future__ import annotations

import logging
import math
import sys
import threading
import time
from contextvars import ContextVar

_logger = logging.getLogger("softclust")
#: seconds without a message after which a call is announced, and between two looks
LONG, LOOK = 2.0, 0.25
#: calls under way, the innermost last, and the thread that looks at them with what ends it
_calls: list[watched] = []
_looking: list[tuple[threading.Thread, threading.Event]] = []
#: True if an outer loop has a bar or announces itself
within: ContextVar[bool] = ContextVar("softclust_within", default=False)
#: when the last message was
_last = [-math.inf]


class watched:
    """A call that is announced when it takes longer than `LONG` and nothing else was announced.

    Of calls within each other the outermost counts, and what is `compiling`, which is named first.
    In a loop that announces itself or has a bar no other does.
    """

    __slots__ = ("begin", "compiling", "text")

    def __init__(self, what: str, advice: str = "Ctrl-C stops it", compiling: bool = False
                 ) -> None:
        self.text = f"{what} takes longer than two seconds; {advice}"
        self.compiling = compiling

    def __enter__(self) -> None:
        self.begin = time.monotonic() if self.compiling or not within.get() else math.inf
        _calls.append(self)
        # Without a lock, which a fork could leave locked: at worst a message is missed.
        if not (_looking and _looking[0][0].is_alive()):
            over = threading.Event()
            _looking[:] = [(threading.Thread(target=_look, args=(over,), daemon=True), over)]
            _looking[0][0].start()

    def __exit__(self, *error: object) -> None:
        _calls.remove(self)


def stop_looking() -> None:
    """End the thread that looks, which otherwise lives until its next look."""
    for thread, over in _looking:
        over.set()
        thread.join()


def _look(over: threading.Event) -> None:
    """Announce what takes long, until no call is under way."""
    while _calls and not over.wait(LOOK):
        if text := due(time.monotonic()):
            announce(text)


def due(now: float) -> str:
    """The message for a call that takes long without one; empty if there is none."""
    calls = _calls.copy()
    late = [each for each in calls if (each is calls[0] or each.compiling)
            and each.begin > _last[0]]
    return late[-1].text if late and now - late[0].begin > LONG else ""


def told() -> None:
    """Note that the user sees by other means what goes on."""
    _last[0] = time.monotonic()


def announce(text: str, *, urgent: bool = False) -> None:
    """Announce a long computation."""
    told()
    level = logging.WARNING if urgent else logging.INFO
    if _logger.disabled or _logger.level > level:
        return
    if _logger.isEnabledFor(level) and _logger.hasHandlers():
        _logger.log(level, "%s", text)
    elif sys.stderr is not None:   # pythonw has none
        print(f"softclust: {text}", file=sys.stderr, flush=True)
