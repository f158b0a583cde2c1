"""Options of numba, set in this file only, and the message when compiling takes long.

A kernel is compiled for one signature: drivers pass C-contiguous, writable arrays of one dtype for
each argument. numba's cache on disk is then safe between processes: two that compile the same
signature write the same files, each whole. (Two that compile different signatures of one kernel at
the same time may leave an index that names the wrong machine code.) numba looks for changes in the
file of the kernel only, so its helpers stand in that file.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

from .announcements import watched
from .interrupts import NotedInterrupts, interrupts_later
from .threads import counts

with interrupts_later():   # half an import would leave numba broken for the session
    import numba
    from numba.core import event

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
    """Announces the outermost compilation of a thread when it takes long.

    Loading from disk does not count. A Ctrl-C that the compiler swallows, or turns into an error
    of its own, ends the compilation as KeyboardInterrupt. The garbage collector waits meanwhile: a
    compiler makes many objects that stay, and looking through them takes a sixth of the time.
    """

    def __init__(self) -> None:
        self.state = threading.local()

    def on_start(self, event: Any) -> None:
        self.state.depth = getattr(self.state, "depth", 0) + 1
        if self.state.depth == 1:
            self.state.interrupts = NotedInterrupts()
            self.state.collects = gc.isenabled()
            gc.disable()
            name = event.data["dispatcher"].py_func.__name__.strip("_").replace("_", " ")
            self.state.watched = watched(
                f"compiling ({name})", "numba keeps the result on disk", compiling=True)
            self.state.watched.__enter__()

    def on_end(self, event: Any) -> None:
        self.state.depth -= 1
        if self.state.depth == 0:
            if self.state.collects:
                gc.enable()
            self.state.watched.__exit__()
            counts["compiled"] += 1
            self.state.interrupts.end()


event.register("numba:compile", _Compiling())
