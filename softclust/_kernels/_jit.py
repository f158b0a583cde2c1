"""The one place that sets numba options.

``@kernel`` compiles lazily, without the GIL, and caches on disk. Two things numba leaves open
are settled here. When no cache folder can be written (a read-only install without HOME) the
kernel compiles anew in each process instead of failing at import. And the cache folder is
named after a hash of all kernel sources: numba stamps a cache entry with the file of the
function alone, so a callee changed in another file would silently return old results.

``fma(a, b, c)`` is a*b + c rounded once, on every machine and with JIT on or off, so kernels
get the fused instruction's speed and still the same bits everywhere. (The fastmath flag
"contract" leaves the fusing to the compiler: its bits depend on the machine.) ``bits_of`` and
``from_bits`` let a kernel take a float64 apart without a call, so that its loops vectorise.
"""

import hashlib
import os
import shutil
import struct
import time
from fractions import Fraction
from pathlib import Path

import numba
from numba import types
from numba.extending import intrinsic

JIT_ENABLED = not numba.config.DISABLE_JIT
_FOLDER = Path(__file__).parent


def _source_hash():
    digest = hashlib.sha256()
    for path in sorted(_FOLDER.parent.rglob("_kernels/*.py")):   # of the wings too
        digest.update(path.relative_to(_FOLDER.parent).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder):
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True


def cache_folder():
    """The folder for compiled kernels, or None when none can be written."""
    candidates = []
    if numba.config.CACHE_DIR:
        candidates.append(Path(numba.config.CACHE_DIR))
    candidates.append(_FOLDER / "__pycache__")
    if os.environ.get("XDG_CACHE_HOME"):
        candidates.append(Path(os.environ["XDG_CACHE_HOME"]) / "softclust")
    elif os.environ.get("HOME"):
        candidates.append(Path(os.environ["HOME"]) / ".cache" / "softclust")
    for base in candidates:
        folder = base / f"kernels-{_source_hash()}"
        if _writable(folder):
            _remove_old(base, folder)
            return folder
    return None


def _remove_old(base, current):
    """Remove folders of other kernel sources that nobody opened for a month."""
    limit = time.time() - 30 * 86400
    for folder in base.glob("kernels-*"):
        try:
            if folder != current and folder.stat().st_mtime < limit:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


_CACHE = cache_folder() if JIT_ENABLED else None


def kernel(function=None, *, flags=(), counting=True):
    """Compile `function` with the project's options; `flags` are LLVM fast-math flags by name."""
    if "fast" in flags or flags is True:
        raise ValueError("fastmath=True deletes NaN guards; name single flags instead")
    if function is None:
        return lambda f: kernel(f, flags=flags, counting=counting)
    options = {"nogil": True, "error_model": "numpy", "fastmath": set(flags) or False}
    if not counting:
        options["_nrt"] = False
    if _CACHE is None:
        return numba.njit(**options)(function)
    # numba chooses the cache folder while it decorates; the user's own setting is put back.
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(_CACHE)
    try:
        return numba.njit(cache=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = previous


def borrowing(function):
    """Compile a kernel that makes no arrays: numba counts no users of those it is given.

    Counting takes two atomic instructions for each array of a call and for each slice: in kernels
    of many short steps a sixth of the time, or more. Slices live as long as what they are cut from,
    which the caller keeps.
    """
    return kernel(function, counting=False)


def inlined(function):
    """Compile a helper that numba copies into the kernels of the same module."""
    return numba.njit(nogil=True, error_model="numpy", inline="always")(function)


if JIT_ENABLED:

    @intrinsic
    def fma(typing_context, a, b, c):
        """a*b + c, rounded once."""
        signature = types.float64(types.float64, types.float64, types.float64)

        def build(context, builder, sig, args):
            return builder.fma(*args)

        return signature, build

    @intrinsic
    def bits_of(typing_context, x):
        """The 64 bits of a float64 as an int64."""
        def build(context, builder, sig, args):
            return builder.bitcast(args[0], context.get_value_type(types.int64))

        return types.int64(types.float64), build

    @intrinsic
    def from_bits(typing_context, bits):
        """The float64 with these 64 bits."""
        def build(context, builder, sig, args):
            return builder.bitcast(args[0], context.get_value_type(types.float64))

        return types.float64(types.int64), build

else:

    def fma(a, b, c):
        """a*b + c, rounded once (exact rational arithmetic: slow, only without JIT)."""
        exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        return float(exact)

    def bits_of(x):
        """The 64 bits of a float64 as an int64."""
        return struct.unpack("<q", struct.pack("<d", x))[0]

    def from_bits(bits):
        """The float64 with these 64 bits."""
        return struct.unpack("<d", struct.pack("<q", bits))[0]
