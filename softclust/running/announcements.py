"""Short messages about long computations and unavailable features, printed in one place.

They go to stderr, on a terminal, in a notebook and in a pipe alike. Where logging is set up and
shows them, they go to the logger ``softclust`` instead, as information or, where urgent, as a
warning. ``logging.getLogger("softclust").setLevel("ERROR")`` silences both.
"""

from __future__ import annotations

import logging
import sys
from contextvars import ContextVar

_logger = logging.getLogger("softclust")
#: seconds of compiling above which it is announced
LONG = 2.0
#: True if an outer loop has a bar or announces itself
within: ContextVar[bool] = ContextVar("softclust_within", default=False)


def announce(text: str, *, urgent: bool = False) -> None:
    """Announce a long computation."""
    level = logging.WARNING if urgent else logging.INFO
    if _logger.disabled or _logger.level > level:
        return
    if _logger.isEnabledFor(level) and _logger.hasHandlers():
        _logger.log(level, "%s", text)
    elif sys.stderr is not None:   # pythonw has none
        print(f"softclust: {text}", file=sys.stderr, flush=True)
