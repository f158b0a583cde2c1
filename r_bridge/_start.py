"""Start R in this process, once, or raise an error with the reason and the remedy.

A forked child never touches R, and leaves the parent's temporary folder alone.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator
from importlib import metadata
from typing import Any

from . import RUnavailableError

MINIMUM_R = (4, 2)
PIN = ("R 4.2 to 4.4 needs rpy2-rinterface 3.6.5 (pip install 'softclust[r]'), R 4.5 and later "
       "3.6.7 or newer (pip install 'softclust[r-current]')")

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
          warned <<- c(warned, enc2utf8(as.character(conditionMessage(w))))
          tryInvokeRestart("muffleWarning")
        },
        message = function(m) tryInvokeRestart("muffleMessage"))),
      interrupt = function(i) list(status = "interrupt"),
      error = function(e) list(
        status = "error", value = enc2utf8(as.character(conditionMessage(e))),
        call = if (!is.null(conditionCall(e)))
          enc2utf8(deparse(conditionCall(e), width.cutoff = 80L, nlines = 1L)[1L]),
        classes = class(e),
        package = if (inherits(e, "packageNotFoundError")) e$package))
    outcome$warnings <- warned
    outcome
  }
  list(compile, guard)
}
"""

#: process that started R
owner: int | None = None
#: R's side of the gate: "compile" and "guard"
machine: dict[str, Any] = {}
#: compiled functions by their text
compiled: dict[str, Any] = {}


def start() -> None:
    """Start R unless it is running; raise RUnavailableError with reason and remedy."""
    global owner
    if owner == os.getpid():
        return
    if owner is not None:
        raise RUnavailableError(_FORKED)
    _refuse_inside_r()
    with _own_library_path():
        rinterface = _load_rpy2()
        _refuse_foreign_start()
        from rpy2.rinterface_lib import openrlib
        with openrlib.rlock:
            if owner is None:
                _initialise(rinterface)
                owner = os.getpid()


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
    found = re.search(r"R version [\d.]+", shown.stdout)
    return found[0] if found else "an R that does not start"


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
            home = os.environ.get("R_HOME")
            told = f", R_HOME is {home} (unset it unless it is right)" if home else ""
            raise RUnavailableError(
                f"R did not start: on PATH there is {_r_on_path()}{told} "
                f"({type(error).__name__}: {error}); python -m rpy2.situation says more"
            ) from error
    if main and handler is not None:
        signal.signal(signal.SIGINT, handler)  # rpy2 put its own
    build = rinterface.baseenv["eval"](rinterface.parse(_MACHINE), rinterface.baseenv)
    machine["compile"], machine["guard"] = build()
    major, minor = _r_version(rinterface)[:2]
    if (major, minor) < MINIMUM_R:
        raise RUnavailableError(f"R {major}.{minor} is too old; R >= 4.2 is needed (a newer one "
                                "comes with a newer system or from CRAN's repositories)")
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
    if owner == os.getpid():
        compiled.clear()
        machine.clear()
