"""Short messages about what takes time or does not work, said in one place.

They go to stderr, on a terminal, in a notebook and in a pipe alike. Where logging is set up and
shows them, they go to the logger ``softclust`` instead, as information or, where urgent, as a
warning. ``logging.getLogger("softclust").setLevel("ERROR")`` silences both.
"""

from __future__ import annotations

import logging
import sys

_logger = logging.getLogger("softclust")
_said: set[str] = set()


def announce(text: str, *, urgent: bool = False) -> None:
    """Say what takes time."""
    _say(text, logging.WARNING if urgent else logging.INFO)


def warn_once(topic: str, text: str) -> None:
    """Say what does not work, once per process and topic."""
    if topic not in _said:
        _said.add(topic)
        _say(text, logging.WARNING)


def _say(text: str, level: int) -> None:
    if _logger.disabled or _logger.level > level:
        return
    if _logger.isEnabledFor(level) and _logger.hasHandlers():
        _logger.log(level, "%s", text)
    elif sys.stderr is not None:   # pythonw has none
        print(f"softclust: {text}", file=sys.stderr, flush=True)
