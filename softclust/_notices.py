"""Short messages about what takes time or does not work, said in one place.

On a terminal they go to stderr. Elsewhere (a notebook, a service, a pipe) they go to the logger
``softclust``: as information, which nobody sees unless logging is set up, or as a warning, which
Python shows on stderr.
"""

from __future__ import annotations

import logging
import sys

_logger = logging.getLogger("softclust")
_said: set[str] = set()


def announce(text: str, *, urgent: bool = False) -> None:
    """Say what takes time; what is urgent is seen without logging set up."""
    _say(text, logging.WARNING if urgent else logging.INFO)


def warn_once(topic: str, text: str) -> None:
    """Say what does not work, once per process and topic."""
    if topic not in _said:
        _said.add(topic)
        _say(text, logging.WARNING)


def on_terminal() -> bool:
    """Whether somebody sees stderr."""
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):   # no stderr (pythonw), or a closed one
        return False


def _say(text: str, level: int) -> None:
    if on_terminal() and not _logger.handlers:
        print(f"softclust: {text}", file=sys.stderr, flush=True)
    else:
        _logger.log(level, "%s", text)
