"""The one place that sets numba options.

``@kernel`` compiles when it pays (`_tier`), without the GIL, and keeps what it compiled on disk
(`_cache`).

``fma(a, b, c)`` is a*b + c rounded once, on every machine and with JIT on or off, so kernels
get the fused instruction's speed and still the same bits everywhere. (The fastmath flag
"contract" leaves the fusing to the compiler: its bits depend on the machine.) ``bits_of`` and
``from_bits`` let a kernel take a float64 apart without a call, so that its loops vectorise;
``bit_count`` counts the bits of a uint64.
"""

import numba
from numba import types
from numba.extending import intrinsic

from . import _cache, _tier
from ._fma import python_fma

python_form = _tier.python_form
JIT_ENABLED = not numba.config.DISABLE_JIT


def kernel(function=None, *, flags=(), counting=True, steps=None):
    """Compile `function` with the project's options.

    `flags` are LLVM fast-math flags by name; ``steps(*args)`` says how many inner steps a call
    makes, for kernels whose arguments' sizes do not say how long a call takes.
    """
    if "fast" in flags or flags is True:
        raise ValueError("fastmath=True deletes NaN guards; name single flags instead")
    if function is None:
        return lambda f: kernel(f, flags=flags, counting=counting, steps=steps)
    options = {"nogil": True, "error_model": "numpy", "fastmath": set(flags) or False}
    if not counting:
        options["_nrt"] = False
    dispatcher = numba.njit(**options)(function)
    return _tier.attach(_cache.attach(dispatcher), steps) if JIT_ENABLED else dispatcher


def borrowing(function=None, *, steps=None):
    """Compile a kernel that makes no arrays: numba counts no users of those it is given.

    Counting takes two atomic instructions for each array of a call and for each slice: in kernels
    of many short steps a sixth of the time, or more. Slices live as long as what they are cut from,
    which the caller keeps.
    """
    return kernel(function, counting=False, steps=steps)


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

    @intrinsic
    def bit_count(typing_context, word):
        """How many of the 64 bits of a uint64 are set."""
        def build(context, builder, sig, args):
            return builder.ctpop(args[0])

        return types.int64(types.uint64), build

    for _compiled, _function in ((fma, python_fma), (bits_of, _tier.python_bits_of),
                                 (from_bits, _tier.python_from_bits),
                                 (bit_count, _tier.python_bit_count)):
        _tier.python_form(_compiled, _function)

else:

    fma, bits_of, from_bits, bit_count = (python_fma, _tier.python_bits_of,
                                          _tier.python_from_bits, _tier.python_bit_count)
