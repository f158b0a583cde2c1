"""Options of numba, set in this file only, and the message when compiling took long.

A kernel is compiled for one signature: drivers pass C-contiguous, writable arrays of one dtype for
each argument. numba's cache on disk is then safe between processes: two that compile the same
signature write the same files, each whole. (Two that compile different signatures of one kernel at
the same time may leave an index that names the wrong machine code.) numba looks for changes in the
file of the kernel only, so its helpers stand in that file.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from typing import Any

from . import announcements
from .threads import counts, duration

try:
    import numba
    from numba.core import event
except KeyboardInterrupt:   # half an import would leave numba broken for the session
    for name in [name for name in sys.modules if name.partition(".")[0] == "numba"]:
        del sys.modules[name]
    raise

#: all imported kernels, for the test of signatures
kernels: list[Any] = []


def kernel(function: Callable[..., Any] | None = None, *, flags: tuple[str, ...] = ()) -> Any:
    """Compile `function` at its first call, without the GIL, and keep the result on disk.

    `flags` are LLVM fast-math flags by name: "contract" allows fused multiply-adds, "reassoc"
    another order of sums. Without a folder that can be written, numba compiles in memory.
    """
    if function is None:
        return lambda f: kernel(f, flags=flags)
    if "fast" in flags:
        raise ValueError("fastmath=True deletes NaN guards; name single flags instead")
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy",
                               "fastmath": set(flags) or False}
    try:
        dispatcher = numba.njit(cache=True, **options)(function)
    except RuntimeError:   # "cannot cache function: no locator available"
        dispatcher = numba.njit(**options)(function)
    kernels.append(dispatcher)
    return dispatcher


def cache_place() -> str:
    """Describe where compiled kernels are kept."""
    settings: Any = numba.config   # filled by numba on import
    if settings.DISABLE_JIT:
        return "none (NUMBA_DISABLE_JIT is set)"
    return f"kept in {settings.CACHE_DIR or 'the folders __pycache__ of softclust'}"


class _Compiling(event.Listener):
    """Tells which kernel took long to compile, when the outermost compilation ends.

    numba's lock admits one thread at a time; loading from disk does not count. The garbage
    collector waits meanwhile: a compiler makes many objects that stay, and looking through them
    takes a sixth of the time. LLVM answers Ctrl-C in a callback, which would swallow it.
    """

    depth = 0

    def on_start(self, event: Any) -> None:
        self.depth += 1
        if self.depth == 1:
            self.interrupted, self.hook = False, sys.unraisablehook
            sys.unraisablehook = self._swallowed
            self.collects, self.begin = gc.isenabled(), time.monotonic()
            gc.disable()

    def _swallowed(self, error: Any) -> None:
        if error.exc_type is KeyboardInterrupt:
            self.interrupted = True
        else:
            self.hook(error)

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth > 0:
            return
        if self.collects:
            gc.enable()
        sys.unraisablehook = self.hook
        counts["compiled"] += 1
        if self.interrupted:
            raise KeyboardInterrupt
        compiled, seconds = event.data["dispatcher"], time.monotonic() - self.begin
        if seconds > announcements.LONG and compiled in kernels and sys.exception() is None:
            kept = "; the next start loads it from disk" if compiled.stats.cache_path else ""
            announcements.announce(f"compiled {compiled.py_func.__name__.strip('_')} in "
                                   f"{duration(seconds)}{kept}")


event.register("numba:compile", _Compiling())
