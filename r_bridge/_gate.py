"""The gate: the only way to R, one caller at a time.

Rules that keep R alive inside Python (measured; breaking one hangs or aborts the process):

- no R object outlives the lock: a Sexp freed while R runs in another thread corrupts R's list
  of preserved objects;
- Ctrl-C reaches R as its own pending interrupt, never as an exception inside a callback.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import traceback
from types import FrameType, TracebackType
from typing import Any

from . import RError, RUnavailableError, _start

#: R packages worth naming in `versions`, and how each is installed
DEBIAN_PACKAGES = {
    "clue": "r-cran-clue", "cluster": "r-cran-cluster", "e1071": "r-cran-e1071",
    "lpSolve": "r-cran-lpsolve", "mclust": "r-cran-mclust", "quadprog": "r-cran-quadprog",
    "reticulate": "r-cran-reticulate", "jsonlite": "r-cran-jsonlite",
    "testthat": "r-cran-testthat",
}
CRAN_PACKAGES = ("FARI", "aricode", "dtwclust", "evclust", "fclust", "genieclust",
                 "partitionComparison", "SoftClustering")
#: packages that are neither in Debian nor on CRAN: where they are on GitHub
GITHUB_PACKAGES = {"FARI": "its-likeli-jeff/FARI"}

#: compiled functions are dropped beyond this number
_MAX_COMPILED = 256


class Gate:
    """Everything that touches R happens inside ``with Gate() as gate``.

    Holds rpy2's lock, silences R's console, turns Ctrl-C into R's pending interrupt and, on an
    exception, clears the frames below so that no R object leaves with it.
    """

    interrupted = False
    _running = False
    _previous: Any = None

    def __enter__(self) -> Gate:
        _start.start()
        from rpy2.rinterface_lib import callbacks, openrlib
        self._openrlib = openrlib
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if handler not in (None, signal.SIG_IGN):
                self._previous = handler
                signal.signal(signal.SIGINT, self._on_interrupt)
        # The handler only takes note, so waiting for another thread's call looks up for it.
        while not openrlib.rlock.acquire(timeout=0.2):
            if self.interrupted:
                signal.signal(signal.SIGINT, self._previous)
                raise KeyboardInterrupt
        self._writers = (callbacks.consolewrite_print, callbacks.consolewrite_warnerror)
        _set_writers(_write_nothing, _write_nothing)
        # An exception that the caller is just handling is not ours to clear.
        self._outer = sys.exc_info()[1]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        try:
            if error is not None:
                _clear_frames(error, self._outer)
            _set_writers(*self._writers)
            if self._previous is not None:
                signal.signal(signal.SIGINT, self._previous)
                # Left pending, it would jump out of the next use of R, whoever makes it.
                self._openrlib.rlib.R_interrupts_pending = 0
        finally:
            self._openrlib.rlock.release()
        if self.interrupted:
            raise KeyboardInterrupt from None

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        self.interrupted = True
        if self._running:
            self._openrlib.rlib.R_interrupts_pending = 1

    def run(self, code: str, args: Any, named: Any = (), *, seed: Any = None,
            warned: list[str] | None = None) -> Any:
        """Call the R function `code` with Sexp arguments and return its value, a Sexp.

        Parameters
        ----------
        code : str
        args : sequence of Sexp
        named : iterable of (str, Sexp)
        seed : int or None
        warned : list of str or None
            Receives R's warnings.
        """
        from rpy2 import rinterface
        function = self._function(code)
        r_seed = rinterface.NULL if seed is None else rinterface.IntSexpVector([seed])
        pairs = [*((None, a) for a in args), *named, (".f", function), (".seed", r_seed)]
        outcome = self._guarded(_start.machine["guard"], pairs)
        fields = dict(zip(outcome.names, outcome))
        if warned is not None:
            warned.extend(_texts(fields, "warnings"))
        status = fields["status"][0]
        if status == "value":
            return fields["value"]
        if status == "interrupt":
            self.interrupted = True
            raise KeyboardInterrupt
        raise _failure(fields)

    def _function(self, code: str) -> Any:
        from rpy2 import rinterface
        found = _start.compiled.get(code)
        if found is None:
            text = rinterface.StrSexpVector([code])
            pairs = [(None, text), (".f", _start.machine["compile"]), (".seed", rinterface.NULL)]
            outcome = self._guarded(_start.machine["guard"], pairs)
            fields = dict(zip(outcome.names, outcome))
            if fields["status"][0] != "value":
                raise _failure(fields)
            if len(_start.compiled) >= _MAX_COMPILED:
                _start.compiled.clear()
            found = _start.compiled[code] = fields["value"]
        return found

    def _guarded(self, guard: Any, pairs: list[tuple[str | None, Any]]) -> Any:
        from rpy2 import rinterface
        from rpy2.rinterface_lib import embedded
        if self.interrupted:
            raise KeyboardInterrupt
        self._running = True
        try:
            return guard.rcall(pairs, rinterface.globalenv)
        except embedded.RRuntimeError:
            # Only an interrupt before R's own handler stands can come this way.
            if self.interrupted:
                raise KeyboardInterrupt from None
            raise
        finally:
            self._running = False


def _write_nothing(s: str) -> None:
    """Replace rpy2's console writers during a call."""


def _set_writers(printer: Any, warner: Any) -> None:
    from rpy2.rinterface_lib import callbacks
    callbacks.consolewrite_print, callbacks.consolewrite_warnerror = printer, warner


def _clear_frames(error: BaseException, outer: BaseException | None) -> None:
    """Clear the frames of `error` and of its causes, but not of `outer` and its causes."""
    seen = {id(outer)}
    waiting: list[BaseException | None] = [error]
    while waiting:
        each = waiting.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        with contextlib.suppress(RuntimeError):
            traceback.clear_frames(each.__traceback__)
        waiting += [each.__cause__, each.__context__]


def _failure(fields: dict[str, Any]) -> Exception:
    package = _texts(fields, "package")
    if package:
        return RUnavailableError(f"the R package {package[0]} is not installed: "
                                 + how_to_install(package[0]))
    where = _texts(fields, "call")
    text = " ".join(_texts(fields, "value")) or "R failed without a message"
    return RError(text, call=where[0] if where else None,
                  classes=_texts(fields, "classes"))


def _texts(fields: dict[str, Any], name: str) -> tuple[str, ...]:
    from rpy2 import rinterface
    value = fields.get(name)
    return tuple(str(t) for t in value) if isinstance(value, rinterface.StrSexpVector) else ()


def how_to_install(package: str) -> str:
    """The command that installs an R package."""
    if package in DEBIAN_PACKAGES:
        return f"apt-get install {DEBIAN_PACKAGES[package]} (Debian, Ubuntu) or " \
               f"install.packages('{package}') in R"
    if package in GITHUB_PACKAGES:
        return f"remotes::install_github('{GITHUB_PACKAGES[package]}') in R (it is not on CRAN)"
    return f"install.packages('{package}') in R"
