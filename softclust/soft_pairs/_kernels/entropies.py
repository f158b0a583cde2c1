"""Entropies of memberships of pairs of clusters, in nats."""

import numpy as np

from ...running.compiler import kernel


@kernel
def pair_entropies(u, start, stop, sums, counts):
    """Add h(u_il / (u_il + u_im)) to sums[l, m], l < m, for rows without nan; counts: u > 0.

    counts[l, m]: rows with u_il + u_im > 0; counts[l, l]: rows without nan.
    """
    c = u.shape[1]
    for i in range(start, stop):
        missing = False
        for k in range(c):
            missing |= np.isnan(u[i, k])
        if missing:
            continue
        for l in range(c):
            counts[l, l] += 1
            for m in range(l + 1, c):
                a, b = u[i, l], u[i, m]
                if a + b > 0.0:
                    counts[l, m] += 1
                    if a > 0.0 and b > 0.0:
                        q, p = a / (a + b), b / (a + b)
                        sums[l, m] -= q * np.log(q) + p * np.log(p)
