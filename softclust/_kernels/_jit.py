"""The one place that sets numba options.

``@kernel`` compiles lazily, without the GIL, and keeps what it compiled on disk (`_cache`).

``fma(a, b, c)`` is a*b + c rounded once, on every machine and with JIT on or off, so kernels
get the fused instruction's speed and still the same bits everywhere. (The fastmath flag
"contract" leaves the fusing to the compiler: its bits depend on the machine.) ``bits_of`` and
``from_bits`` let a kernel take a float64 apart without a call, so that its loops vectorise.
"""

import struct
from fractions import Fraction

import numba
from numba import types
from numba.extending import intrinsic

from . import _cache

JIT_ENABLED = not numba.config.DISABLE_JIT


def kernel(function=None, *, flags=(), counting=True):
    """Compile `function` with the project's options; `flags` are LLVM fast-math flags by name."""
    if "fast" in flags or flags is True:
        raise ValueError("fastmath=True deletes NaN guards; name single flags instead")
    if function is None:
        return lambda f: kernel(f, flags=flags, counting=counting)
    options = {"nogil": True, "error_model": "numpy", "fastmath": set(flags) or False}
    if not counting:
        options["_nrt"] = False
    dispatcher = numba.njit(**options)(function)
    return _cache.attach(dispatcher) if JIT_ENABLED else dispatcher


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
