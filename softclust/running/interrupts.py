"""Ctrl-C: one behaviour everywhere.

A result that can be used unfinished is returned and marked as partial, with
`IncompleteWarning` (`keep_finished`). If nothing is finished yet, or a fit cannot be used,
`KeyboardInterrupt` is raised after the finished part is kept; its message says how much there is
and how to continue (`interrupted`).
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .._checks import IncompleteWarning
from .warnings import warn


@dataclass(slots=True)
class Interruption:
    """Outcome of a block of work that Ctrl-C may end, and the message.

    Attributes
    ----------
    text : str
        Empty if the work was completed, else "interrupted after 12 of 100 permutations".
    go_on : str
        Advice for the rest, as a clause; may be empty.
    """

    text: str = ""
    go_on: str = ""

    def __bool__(self) -> bool:
        return bool(self.text)

    @property
    def notes(self) -> list[str]:
        """`text` as a list of one note, or an empty list."""
        return [self.text] if self.text else []

    def warn(self, *, stacklevel: int = 2) -> None:
        """Give the `IncompleteWarning` if there was an interruption."""
        if self.text:
            rest = f": {self.go_on}" if self.go_on else ""
            warn(f"{self.text}; the result holds what was finished{rest}",
                          IncompleteWarning, stacklevel=stacklevel + 1)


@contextmanager
def keep_finished(what: str, total: int, done: Callable[[], int], go_on: str = ""
                  ) -> Iterator[Interruption]:
    """End the block at Ctrl-C and continue after it, if something is finished.

    Parameters
    ----------
    what : str
        Parts of the work, in the plural ("permutations").
    total : int
        Number of parts.
    done : callable
        Number of finished parts; 0 lets KeyboardInterrupt pass.
    go_on : str
        Advice to the user for the rest.

    Yields
    ------
    Interruption
        False unless Ctrl-C came. Make the result, then call ``.warn()``.
    """
    interruption = Interruption(go_on=go_on)
    try:
        yield interruption
    except KeyboardInterrupt:
        count = done()
        if not count:   # a fit inside may have said what it keeps, but nobody can get at it
            raise KeyboardInterrupt(f"interrupted before the first of {total} {what}; nothing is "
                                    "kept") from None
        interruption.text = f"interrupted after {count} of {total} {what}"


@contextmanager
def engine_interrupts() -> Iterator[None]:
    """Turn the error with which a database ends a query at Ctrl-C into KeyboardInterrupt."""
    try:
        yield
    except Exception as error:   # of DuckDB, pyarrow
        if type(error).__name__ not in ("InterruptException", "ArrowCancelled") and (
                "query interrupted" not in str(error).lower()):
            raise
        raise KeyboardInterrupt("interrupted while the database counted; nothing is kept") from None


def interrupted(what: str, done: int, total: int, go_on: str) -> KeyboardInterrupt:
    """The exception of a fit that cannot be used but keeps its finished part."""
    return KeyboardInterrupt(f"interrupted after {done} of {total} {what}"
                             + (f", which are kept: {go_on}" if done else "; nothing is kept"))


@contextmanager
def interrupts_later() -> Iterator[None]:
    """Hold Ctrl-C back while a result is added, so that none is added partially."""
    if threading.current_thread() is not threading.main_thread() or (
            signal.getsignal(signal.SIGINT) is not signal.default_int_handler):
        yield   # Ctrl-C raises nothing here
        return
    noted: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if noted:
        raise KeyboardInterrupt
