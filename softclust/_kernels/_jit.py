"""What older kernels use until they are plain; new ones take `softclust._numba`."""


import numba
from numba import types
from numba.extending import intrinsic

from . import _cache

JIT_ENABLED = not numba.config.DISABLE_JIT


def kernel(function=None, *, flags=(), counting=True, steps=None):
    """A kernel with helpers in other files, which numba's own cache does not see."""
    if function is None:
        return lambda f: kernel(f, flags=flags)
    options = {"nogil": True, "error_model": "numpy", "fastmath": set(flags) or False}
    dispatcher = numba.njit(**options)(function)
    return _cache.attach(dispatcher) if JIT_ENABLED else dispatcher


borrowing = kernel


def python_form(compiled, function):
    """Nothing runs as Python any more."""


def inlined(function):
    """Compile a helper that numba copies into the kernels of the same module."""
    return numba.njit(nogil=True, error_model="numpy", inline="always")(function)


def _python_bits_of(x):
    import struct
    return struct.unpack("<q", struct.pack("<d", x))[0]


def _python_from_bits(bits):
    import struct
    return struct.unpack("<d", struct.pack("<q", bits))[0]


def _python_bit_count(word):
    return bin(int(word)).count("1")


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

else:

    def fma(a, b, c):
        return a * b + c

    bits_of, from_bits, bit_count = _python_bits_of, _python_from_bits, _python_bit_count
