"""Tables of counts of many pairs of hard clusterings of the same objects."""

from ..._numba import kernel


@kernel
def count_objects(labels, pairs, tables):
    """Add to tables[p, k, l] the objects with labels k and l in the rows pairs[p] of labels (B, n).

    Absent objects have the label -1.
    """
    for p in range(pairs.shape[0]):
        x, y = labels[pairs[p, 0]], labels[pairs[p, 1]]
        for i in range(x.shape[0]):
            if x[i] >= 0 and y[i] >= 0:
                tables[p, x[i], y[i]] += 1
