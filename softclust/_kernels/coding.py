"""Integer labels to small unsigned codes, block by block.

In the common case (labels in a range of 256 or 65,536) every label is read once from memory: the
differences from the lowest are or-ed together and cut to one or two bytes in the same loop.
Which values occur is looked up while the codes are in cache, and only until every value up to
the largest one has been seen.
"""

import numpy as np

from ._jit import kernel

#: objects per block; a block of codes stays in the first-level cache
BLOCK = 1 << 14
#: slots and distinct values of the hash table for labels in a wide range
SLOTS = 1 << 18
MAX_DISTINCT = 1 << 16
#: the range of int64
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1


@kernel
def code_by_cutting(labels, low, codes, reach, seen, start, stop):
    """Cut ``labels - low`` to the width of `codes`; tell which values occur.

    codes (n,) uint8 or uint16; reach (blocks,) int64: or of all differences in the block, so
    that a block fits when 0 <= reach < size; seen (size,) uint8, size 256 or 65,536, zeros on
    entry, is set to 1 for the codes of the blocks that fit. Threads share `seen`: flags are
    only ever set, and read first, since threads that write to the same cache line wait for
    each other.
    """
    n = labels.shape[0]
    mask = seen.shape[0] - 1
    known = 0
    for b in range(start, stop):
        first = b * BLOCK
        last = min(n, first + BLOCK)
        block = labels[first:last]
        out = codes[first:last]
        bits_used = 0
        for i in range(block.shape[0]):
            v = int(block[i]) - low
            bits_used |= v
            out[i] = v & mask
        # Only Python's integers, without JIT, can leave the range; neither fits.
        reach[b] = min(max(bits_used, LOWEST), HIGHEST)
        if bits_used & ~mask != 0:
            continue
        largest = out[0]
        for i in range(out.shape[0]):
            largest = max(largest, out[i])
        # All values below `known` have been seen: a block within them tells nothing new.
        while known <= largest and seen[known] != 0:
            known += 1
        if known <= largest:
            for i in range(out.shape[0]):
                if seen[out[i]] == 0:
                    seen[out[i]] = 1


@kernel
def mark_seen(labels, low, seen, start, stop):
    """Set ``seen[label - low]`` to 1 for every label; threads may set the same flag.

    Flags are read first, since threads that write to the same cache line wait for each other;
    unsigned indices spare the test for negative ones.
    """
    n = labels.shape[0]
    for b in range(start, stop):
        first = b * BLOCK
        block = labels[first:min(n, first + BLOCK)]
        for i in range(block.shape[0]):
            value = np.uint64(int(block[i]) - low)
            if seen[value] == 0:
                seen[value] = 1


@kernel
def code_by_table(labels, low, table, codes, start, stop):
    """``codes = table[labels - low]``; `codes` may be `labels` itself."""
    n = labels.shape[0]
    for b in range(start, stop):
        first = b * BLOCK
        last = min(n, first + BLOCK)
        block = labels[first:last]
        out = codes[first:last]
        for i in range(block.shape[0]):
            out[i] = table[np.uint64(int(block[i]) - low)]


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
        found = slots[place]
        while found >= 0 and values[found] != v:
            place = (place + 1) & (SLOTS - 1)
            found = slots[place]
            spare -= 1
        spare += 2
        if spare < 0:
            return -1
        if found < 0:
            if distinct == MAX_DISTINCT:
                return -1
            found = distinct
            slots[place] = found
            values[found] = v
            distinct += 1
        codes[i] = found
    return distinct


@kernel
def count_codes(codes, counts):
    """Objects of each code; counts (2, c) int64, whose rows take turns and are to be added.

    Two runs of equal codes in a row would otherwise wait for each other's sums.
    """
    n = codes.shape[0]
    for i in range(0, n - 1, 2):
        counts[0, codes[i]] += 1
        counts[1, codes[i + 1]] += 1
    if n % 2:
        counts[0, codes[n - 1]] += 1


@kernel
def rename_codes(codes, names, renamed):
    """``renamed[i] = names[codes[i]]``."""
    for i in range(codes.shape[0]):
        renamed[i] = names[codes[i]]
