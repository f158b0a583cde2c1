"""Entropies of membership rows."""

import math

from ._jit import kernel

#: objects per block
BLOCK = 1 << 12


@kernel
def row_entropies(membership, entropies, start, stop):
    """Entropy of each row in nats, with 0 log 0 = 0; (n, c) to (n,), blocks start to stop."""
    n = membership.shape[0]
    for i in range(start * BLOCK, min(n, stop * BLOCK)):
        total = 0.0
        row = membership[i]
        for k in range(row.shape[0]):
            u = row[k]
            if u > 0.0:
                total -= u * math.log(u)
        # A membership of 1 + 1e-9, within the tolerance of row sums, has a negative term.
        entropies[i] = max(total, 0.0)
