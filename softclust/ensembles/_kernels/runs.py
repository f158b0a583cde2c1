"""Pairs of objects over many runs: in how many both are, in how many they are together."""

from ...running.compiler import kernel

#: columns at once: their counts stay in the first-level cache
BLOCK = 4096


@kernel
def count_pairs(labels, first, last, together, held, table):
    """Add the pairs i < j of rows i = first, ..., last - 1 to `table`.

    labels : (B, n) int32, -1 for absent; `together`, `held` (BLOCK,) int32 scratch;
    `table` (B + 1, B + 1) int64 counts pairs by runs that hold both, and runs that join them.
    """
    many = labels.shape[0]
    n = labels.shape[1]
    for start in range(0, n, BLOCK):
        stop = min(n, start + BLOCK)
        for i in range(first, min(last, stop - 1)):
            begin = max(start, i + 1)
            for j in range(stop - begin):
                together[j] = 0
                held[j] = 0
            for b in range(many):
                label = labels[b, i]
                if label >= 0:
                    other = labels[b, begin:stop]
                    for j in range(stop - begin):
                        together[j] += other[j] == label
                        held[j] += other[j] >= 0
            for j in range(stop - begin):
                table[held[j], together[j]] += 1
    return many
