"""Exact sums of differences of memberships that are whole numbers of 2^-54."""

from ._jit import kernel

#: bits of the lower half of a difference: sums of 2^36 halves fit an int64
HALF = 27
_MASK = (1 << HALF) - 1


@kernel
def add_gaps(left, right, high, low):
    """Add sum_i |left[k, i] - right[l, i]| to high[k, l] * 2^27 + low[k, l]."""
    n = left.shape[1]
    for k in range(left.shape[0]):
        for m in range(right.shape[0]):
            a, b = left[k], right[m]
            above = 0
            below = 0
            for i in range(n):
                gap = abs(a[i] - b[i])
                above += gap >> HALF
                below += gap & _MASK
            high[k, m] += above
            low[k, m] += below
