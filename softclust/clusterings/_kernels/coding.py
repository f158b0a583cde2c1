"""Labels in a wide range to small codes."""

import numpy as np

from ...running.compiler import kernel

#: slots and distinct values of the hash table
SLOTS = 1 << 18
MAX_DISTINCT = 1 << 16


@kernel
def code_by_hash(labels, codes, values, slots):
    """Number the distinct `labels` (uint64 bit patterns) in the order of their first object.

    codes (n,) uint16; values (MAX_DISTINCT,) uint64 receives the distinct labels; slots (SLOTS,)
    int32 is -1 on entry. Returns the number of distinct labels, or -1 when there are more than
    MAX_DISTINCT or the labels collide too often: then another method is needed.
    """
    n = labels.shape[0]
    half = np.uint64(32)
    low_half = np.uint64(0xFFFFFFFF)
    # Odd factors below 2^31, so that products of 32-bit halves stay below 2^63.
    factor_low = np.uint64(1327217885)
    factor_high = np.uint64(1103515245)
    shift = np.uint64(14)
    distinct = 0
    spare = 8 * MAX_DISTINCT
    for i in range(n):
        v = labels[i]
        mixed = ((v & low_half) * factor_low) ^ ((v >> half) * factor_high)
        place = int((mixed ^ (mixed >> np.uint64(31))) >> shift) & (SLOTS - 1)
        code = slots[place]
        while code >= 0 and values[code] != v:
            place = (place + 1) & (SLOTS - 1)
            code = slots[place]
            spare -= 1
        spare += 2
        if spare < 0:
            return -1
        if code < 0:
            if distinct == MAX_DISTINCT:
                return -1
            code = distinct
            slots[place] = code
            values[code] = v
            distinct += 1
        codes[i] = code
    return distinct
