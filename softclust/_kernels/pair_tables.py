"""Tables of counts of many pairs of hard clusterings of the same objects.

Few clusters: each cluster is a row of bits, one an object, and a count is the number of bits that
two rows have in common, 64 objects at once. Many clusters: objects are counted one by one.
"""

import numpy as np

from ._jit import bit_count, borrowing

#: the 64 bits of a word
ONES = np.left_shift(np.uint64(1), np.arange(64, dtype=np.uint64))


@borrowing
def set_bits(labels, ones, bits):
    """Set bit i of ``bits[b, labels[b, i]]``, (B, K, words) uint64, zeros on entry; none for -1."""
    for b in range(labels.shape[0]):
        for i in range(labels.shape[1]):
            if labels[b, i] >= 0:
                bits[b, labels[b, i], i >> 6] |= ones[i & 63]


def _steps(bits, pairs, tables):
    return pairs.shape[0] * bits.shape[1] ** 2 * bits.shape[2]


@borrowing(steps=_steps)
def count_bits(bits, pairs, tables):
    """tables[p, k, l]: bits that ``bits[pairs[p, 0], k]`` and ``bits[pairs[p, 1], l]`` share."""
    for p in range(pairs.shape[0]):
        for k in range(bits.shape[1]):
            u = bits[pairs[p, 0], k]
            for m in range(bits.shape[1]):
                v = bits[pairs[p, 1], m]
                count = 0
                for w in range(u.shape[0]):
                    count += bit_count(u[w] & v[w])
                tables[p, k, m] = count


def _objects(labels, pairs, tables):
    return pairs.shape[0] * labels.shape[1]


@borrowing(steps=_objects)
def count_objects(labels, pairs, tables):
    """As `count_bits`, from labels (B, n), -1 for absent objects; `tables` zeros on entry."""
    for p in range(pairs.shape[0]):
        x = labels[pairs[p, 0]]
        y = labels[pairs[p, 1]]
        for i in range(x.shape[0]):
            if x[i] >= 0 and y[i] >= 0:
                tables[p, x[i], y[i]] += 1
