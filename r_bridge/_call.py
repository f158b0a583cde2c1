"""The only place that runs R: start-up checks, the lock, `call`.

Rules that keep R alive inside Python (measured; breaking one hangs or aborts the process):

- no R object outlives the lock: a Sexp freed while R runs in another thread corrupts R's list
  of preserved objects;
- Ctrl-C reaches R as its own pending interrupt, never as an exception inside a callback;
- a forked child never touches R, and leaves the parent's temporary folder alone.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from importlib import metadata
from types import FrameType, TracebackType
from typing import Any

from . import RError, RUnavailableError, RWarning

MINIMUM_R = (4, 2)
#: R packages worth naming in `versions`, and how each is installed
DEBIAN_PACKAGES = {
    "clue": "r-cran-clue", "cluster": "r-cran-cluster", "e1071": "r-cran-e1071",
    "lpSolve": "r-cran-lpsolve", "mclust": "r-cran-mclust", "quadprog": "r-cran-quadprog",
    "reticulate": "r-cran-reticulate", "jsonlite": "r-cran-jsonlite",
    "testthat": "r-cran-testthat",
}
CRAN_PACKAGES = ("aricode", "evclust", "fclust", "genieclust", "partitionComparison",
                 "SoftClustering")
PIN = ("R 4.2 to 4.4 needs rpy2-rinterface 3.6.5 (pip install 'softclust[r]'), R 4.5 and later "
       "3.6.7 or newer (pip install 'softclust[r-current]')")

#: compiled functions kept by their text; emptied beyond this number
_MAX_COMPILED = 256

# Runs every function: a list goes back, nothing is printed, no condition escapes.
_MACHINE = """
function() {
  compile <- function(code) {
    parsed <- parse(text = code, keep.source = FALSE, encoding = "UTF-8")
    value <- if (length(parsed) == 1L) eval(parsed[[1L]], new.env(parent = baseenv()))
    if (!is.function(value)) stop("the code is not the text of one R function", call. = FALSE)
    value
  }
  guard <- function(..., .f, .seed) {
    if (!is.null(.seed)) {
      global <- globalenv()
      old <- get0(".Random.seed", envir = global, inherits = FALSE)
      on.exit(if (is.null(old)) rm(list = ".Random.seed", envir = global)
              else assign(".Random.seed", old, envir = global))
      set.seed(.seed, kind = "Mersenne-Twister", normal.kind = "Inversion",
               sample.kind = "Rejection")
    }
    warned <- character()
    outcome <- tryCatch(
      list(status = "value", value = withCallingHandlers(
        .f(...),
        warning = function(w) {
          warned <<- c(warned, enc2utf8(conditionMessage(w)))
          tryInvokeRestart("muffleWarning")
        },
        message = function(m) tryInvokeRestart("muffleMessage"))),
      error = function(e) list(
        status = "error", value = enc2utf8(conditionMessage(e)),
        call = if (!is.null(conditionCall(e)))
          enc2utf8(deparse(conditionCall(e), width.cutoff = 80L, nlines = 1L)[1L]),
        classes = class(e),
        package = if (inherits(e, "packageNotFoundError")) e$package),
      interrupt = function(i) list(status = "interrupt"))
    outcome$warnings <- warned
    outcome
  }
  list(compile, guard)
}
"""

_owner: int | None = None
_machine: dict[str, Any] = {}
_compiled: dict[str, Any] = {}


# -- starting R ---------------------------------------------------------------------------------
def start() -> None:
    """Start R unless it runs already, or RUnavailableError with the reason and the remedy."""
    global _owner
    if _owner == os.getpid():
        return
    if _owner is not None:
        raise RUnavailableError(_FORKED)
    _refuse_inside_r()
    with _own_library_path():
        rinterface = _load_rpy2()
        _refuse_foreign_start()
        from rpy2.rinterface_lib import openrlib
        with openrlib.rlock:
            if _owner is None:
                _initialise(rinterface)
                _owner = os.getpid()


@contextlib.contextmanager
def _own_library_path() -> Iterator[None]:
    """LD_LIBRARY_PATH as it was: rpy2 puts R's there, for this process without effect.

    Children would load the system's libpython instead of their own and fail, such as workers
    of a process pool or of dask.
    """
    before = os.environ.get("LD_LIBRARY_PATH")
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("LD_LIBRARY_PATH", None)
        else:
            os.environ["LD_LIBRARY_PATH"] = before


_FORKED = ("R was started before this process was forked and cannot be used in the child; "
           "start worker processes with the 'spawn' method, or call R in the parent only")


def _refuse_inside_r() -> None:
    # Children inherit the variable, so the pid decides.
    inside = f"PID={os.getpid()}:" in os.environ.get("R_SESSION_INITIALIZED", "") + ":"
    if inside or "rpycall" in sys.modules:
        raise RUnavailableError("this Python runs inside R (reticulate); a second R cannot be "
                                "started in it: use the R package softclust there")


def _load_rpy2() -> Any:
    try:
        version = metadata.version("rpy2-rinterface")
    except metadata.PackageNotFoundError:
        raise RUnavailableError("rpy2 is not installed: pip install 'softclust[r]' (needs R and "
                                "its headers, on Debian r-base-dev)") from None
    try:
        from rpy2 import rinterface
    except Exception as error:  # ImportError, OSError or ValueError, as the failure has it
        raise RUnavailableError(
            f"rpy2-rinterface {version} does not load with {_r_on_path()} "
            f"({type(error).__name__}: {error}): {PIN}") from error
    return rinterface


def _r_on_path() -> str:
    import subprocess
    try:
        shown = subprocess.run(["R", "--version"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return "no R (on Debian: apt-get install r-base-dev)"
    return shown.stdout.partition(" (")[0] or "an R that does not start"


def _refuse_foreign_start() -> None:
    # rpy2 may have started R for the user before a fork; it leaves its pid in the environment.
    from rpy2.rinterface_lib import embedded
    left = os.environ.get("PYTHON_SESSION_INITIALIZED", "")
    if embedded.isinitialized() and f"current_pid={os.getpid()}:" not in left + ":":
        raise RUnavailableError(_FORKED)


def _initialise(rinterface: Any) -> None:
    from rpy2.rinterface_lib import embedded
    main = threading.current_thread() is threading.main_thread()
    handler = signal.getsignal(signal.SIGINT)
    if not embedded.isinitialized():
        # A saved workspace would fill the global environment.
        options: Any = (*embedded.get_initoptions(), "--no-restore")
        embedded.set_initoptions(options)
        try:
            rinterface.initr()
        except Exception as error:
            raise RUnavailableError(
                f"R did not start: on PATH there is {_r_on_path()} ({type(error).__name__}: "
                f"{error}); python -m rpy2.situation says more") from error
    if main and handler is not None:
        signal.signal(signal.SIGINT, handler)  # rpy2 put its own
    build = rinterface.baseenv["eval"](rinterface.parse(_MACHINE), rinterface.baseenv)
    _machine["compile"], _machine["guard"] = build()
    major, minor = _r_version(rinterface)[:2]
    if (major, minor) < MINIMUM_R:
        raise RUnavailableError(f"R {major}.{minor} is too old; R >= 4.2 is needed")
    os.register_at_fork(after_in_child=_after_fork)
    atexit.register(_forget)


def _r_version(rinterface: Any) -> tuple[int, ...]:
    version = rinterface.baseenv["R.version"]
    parts = dict(zip(version.names, version))
    return (int(parts["major"][0]), *(int(p) for p in parts["minor"][0].split(".")))


def _after_fork() -> None:
    # A child that leaves by sys.exit would end R and delete the parent's temporary folder.
    from rpy2 import rinterface
    atexit.unregister(rinterface.endr)


def _forget() -> None:
    # Before rpy2 ends R at exit (atexit runs backwards); in a child R's lists stay untouched.
    if _owner == os.getpid():
        _compiled.clear()
        _machine.clear()


# -- the gate -----------------------------------------------------------------------------------
class Gate:
    """Everything that touches R happens inside ``with Gate() as gate``.

    Holds rpy2's lock, silences R's console, turns Ctrl-C into R's pending interrupt and, on an
    exception, clears the frames below so that no R object leaves with it.
    """

    interrupted = False
    _running = False
    _previous: Any = None

    def __enter__(self) -> Gate:
        start()
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
        """The value (a Sexp) of the R function `code` called with Sexp arguments.

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
        outcome = self._guarded(_machine["guard"], pairs)
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
        found = _compiled.get(code)
        if found is None:
            text = rinterface.StrSexpVector([code])
            pairs = [(None, text), (".f", _machine["compile"]), (".seed", rinterface.NULL)]
            outcome = self._guarded(_machine["guard"], pairs)
            fields = dict(zip(outcome.names, outcome))
            if fields["status"][0] != "value":
                raise _failure(fields)
            if len(_compiled) >= _MAX_COMPILED:
                _compiled.clear()
            found = _compiled[code] = fields["value"]
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
    """Replaces rpy2's writers to the console during a call."""


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
    return RError(_texts(fields, "value")[0], call=where[0] if where else None,
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
    return f"install.packages('{package}') in R"


# -- public -------------------------------------------------------------------------------------
def call(code: str, /, *args: Any, seed: int | None = None, **kwargs: Any) -> Any:
    """Call an R function given by its text and return plain Python.

    Parameters
    ----------
    code : str
        Text of an R function. It sees base R only: write ``pkg::name`` for anything else. It is
        compiled once and kept by its text.
    *args, **kwargs
        Its arguments: numbers, strings, arrays, lists, dicts, None, clusterings, ensembles
        (README.md lists what becomes what).
    seed : int, optional
        Sets R's random numbers (Mersenne-Twister, Inversion, Rejection) for this call;
        ``.Random.seed`` is restored afterwards.

    Returns
    -------
    object
        Arrays (always; a number is an array of length 1), lists of str, None, dicts, lists,
        clusterings.

    Raises
    ------
    RUnavailableError
        If R, rpy2 or an R package is missing, with the remedy.
    RError
        If R stops; ``.call`` and ``.classes`` say where and how.
    RConversionError
        If an argument or the value has no counterpart.
    KeyboardInterrupt
        On Ctrl-C; R stays usable.

    Warns
    -----
    RWarning
        Once for each warning of R. Messages and printed output of R are dropped.

    Notes
    -----
    Threads take turns; the lock covers conversion and call. The first call starts R (0.2 to 1 s),
    a small one then takes 0.1 to 0.3 ms, arrays 2 ms per MB. Compiled code that never looks for
    interrupts cannot be stopped. Call R code that waits (Sys.sleep, sockets) from the main thread
    only: in another one Ctrl-C aborts the process, because R jumps between threads.

    Examples
    --------
    >>> import numpy as np, r_bridge
    >>> r_bridge.call("function(x, p) stats::quantile(x, p)", np.array([1.0, 2.0]), p=0.25)
    array([1.25])
    """
    from . import _convert
    if not isinstance(code, str):
        raise TypeError(f"code is {type(code).__name__}; the text of an R function is needed")
    r_seed = None if seed is None else _check_seed(seed)
    warned: list[str] = []
    try:
        with Gate() as gate:
            return _inside(gate, _convert, code, args, kwargs, r_seed, warned)
    finally:
        for text in warned:
            warnings.warn(text, RWarning, stacklevel=2)


def _inside(gate: Gate, convert: Any, code: str, args: tuple[Any, ...], kwargs: dict[str, Any],
            seed: int | None, warned: list[str]) -> Any:
    # Every R object of a call is a local of this frame or of those below.
    value = gate.run(code, [convert.to_sexp(gate, a) for a in args],
                     [(k, convert.to_sexp(gate, v)) for k, v in kwargs.items()],
                     seed=seed, warned=warned)
    return convert.from_sexp(gate, value)


def _check_seed(seed: Any) -> int:
    import operator
    try:
        value = operator.index(seed)
    except TypeError:
        raise TypeError(f"seed is {seed!r}; a whole number is needed") from None
    if not -2**31 < value < 2**31:
        raise ValueError(f"seed is {value}; R takes whole numbers with absolute value below 2^31")
    return value


def available() -> bool:
    """Whether R can be called from here; starts it when it can.

    Returns
    -------
    bool
        False when R, rpy2 or the combination does not work; `versions` then raises the reason.
    """
    try:
        start()
    except RUnavailableError:
        return False
    return True


def versions() -> dict[str, str | None]:
    """Versions of R, rpy2 and the R packages that softclust can be compared with.

    Returns
    -------
    dict
        From name to version; None for an R package that is not installed.

    Raises
    ------
    RUnavailableError
        If R cannot be used.
    """
    names = [*DEBIAN_PACKAGES, *CRAN_PACKAGES]
    found = call("""function(names) c(
        paste(R.version$major, R.version$minor, sep = "."),
        vapply(names, function(name) if (length(find.package(name, quiet = TRUE)))
          as.character(utils::packageVersion(name)) else "", ""))""", names)
    result: dict[str, str | None] = {"R": found[0]}
    for name in ("rpy2-rinterface", "rpy2-robjects"):
        try:
            result[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            result[name] = None
    result.update({name: version or None for name, version in zip(names, found[1:])})
    return result
