"""a*b + c rounded once, without a compiler: numbers one by one, and whole arrays.

Kernels that run as Python need it: its bits are those of the processor's instruction.
"""

import ctypes
import math
from fractions import Fraction

import numpy as np


def _fraction_fma(a, b, c):
    """a*b + c in exact rational arithmetic, rounded once."""
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return float(a) * float(b) + float(c)
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    if exact == 0:   # a fraction has no sign of zero
        return float(a) * float(b) + float(c)
    return float(exact)


def _find_fma():
    """The fused multiply-add of Python (3.13), of the C library, or of fractions."""
    candidates = [getattr(math, "fma", None)]
    for library in (None, "libm.so.6", "ucrtbase"):
        try:
            found = ctypes.PyDLL(library).fma
        except (OSError, AttributeError, TypeError):
            continue
        found.restype, found.argtypes = ctypes.c_double, [ctypes.c_double] * 3
        candidates.append(found)
    for candidate in candidates:
        if candidate is not None and all(
                candidate(*case) == _fraction_fma(*case) for case in _HARD_CASES):
            return candidate
    return _fraction_fma


#: a product that needs 106 bits, one that cancels, one below the normal numbers
_HARD_CASES = ((1.0 + 2.0**-52, 1.0 - 2.0**-52, -1.0), (1.0 + 2.0**-30, 1.0 + 2.0**-30, 2.0**-60),
               (2.0**-600, 3.0 * 2.0**-474, 2.0**-1074), (0.1, 10.0, -1.0))
python_fma = _find_fma()

#: splits 53 bits into 26 and 27
_SPLITTER = 2.0**27 + 1.0
#: products and numbers beyond these go one by one: their parts might over- or underflow
_LEAST, _MOST = 2.0**-900, 2.0**900
_one_by_one = np.vectorize(python_fma, otypes=[np.float64])


def fma_steps(a, b, total):
    """total + a[0]*b[0] + a[1]*b[1] + ..., each step a fused multiply-add of whole arrays.

    A step takes 15 us for a hundred numbers, 45 us as a hundred calls. Products and sums are taken
    with their errors (Dekker 1971; Knuth), and what is left is rounded to odd before it is added,
    so that nothing is rounded twice (Boldo, Melquiond 2008).
    """
    products, errors = _product(a, b)
    if not (_safe(products, (a == 0.0) | (b == 0.0)) and _safe(a, True) and _safe(b, True)
            and _safe(total, True)):
        for ai, bi in zip(a, b):
            total = _one_by_one(ai, bi, total)
        return total
    for product, error in zip(products, errors):
        high, low = _sum(total, error)
        whole, rest = _sum(product, high)
        out = whole + _odd_sum(low, rest)
        # An exact sum of zero has the sign that the plain sum gives it.
        total = np.where(out == 0.0, product + total, out)
    return total


def _safe(numbers, small):
    """Whether all are of middle size; where `small` they may be as small as they like."""
    size = np.abs(numbers)
    return bool(((size <= _MOST) & (small | (size >= _LEAST))).all())


def _product(a, b):
    """a*b rounded, and the rounding error."""
    product = a * b
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    return product, a2 * b2 - (((product - a1 * b1) - a2 * b1) - a1 * b2)


def _halves(a):
    """Two numbers of at most 26 bits whose sum is a."""
    t = _SPLITTER * a
    high = t - (t - a)
    return high, a - high


def _sum(a, b):
    """a + b rounded, and the rounding error."""
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)


def _odd_sum(a, b):
    """a + b rounded to the neighbour whose last bit is 1, where it is not a number itself."""
    total, error = _sum(a, b)
    even = (total.view(np.int64) & 1) == 0
    return np.where((error != 0.0) & even, np.nextafter(total, np.copysign(np.inf, error)), total)
