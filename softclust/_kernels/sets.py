"""Sets of clusters as bit masks of one or more words."""

from ._jit import inlined


@inlined
def disjoint(masks, a, b):
    """Whether sets a and b of `masks` (f, words) have no cluster in common."""
    for w in range(masks.shape[1]):
        if masks[a, w] & masks[b, w] != 0:
            return False
    return True
