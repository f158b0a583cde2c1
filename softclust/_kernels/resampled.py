"""Sums over objects and over pairs of distinct objects, for resampled objects.

A resample is a weight of each object; copies of one object never form a pair, so pair (i, j),
i < j, counts w_i w_j times and no object is paired with itself.

Pairs are described by dense masses. Each side brings mass (n, f), same (n, f) = mass on single
clusters else 0, apart (n, f) = mass that is disjoint from each set, g (n,) = mass off the empty
set, and whether all its sets are single clusters (then nothing is undetermined).
"""

import numpy as np

from ._jit import kernel
from .relations import credal, r_general

#: what is compiled, in messages
TOPIC = "resampled pairs"


@kernel
def weighted_rows(weights, values, out):
    """out[q] = sum over i of weights[i] values[i, q], in the order of the objects."""
    for q in range(values.shape[1]):
        out[q] = 0.0
    for i in range(values.shape[0]):
        w = float(weights[i])
        if w != 0.0:
            for q in range(values.shape[1]):
                out[q] += w * values[i, q]


@kernel
def _pair(mass, same, apart, g, single, i, j):
    """(same, undetermined, non-empty) masses of a pair."""
    s = 0.0
    d = 0.0
    for b in range(mass.shape[1]):
        s += same[i, b] * mass[j, b]
        d += apart[i, b] * mass[j, b]
    whole = g[i] * g[j]
    if single:
        return s, 0.0, whole
    return s, max(whole - s - d, 0.0), whole


@kernel
def row_sums(mass1, same1, apart1, g1, single1, mass2, same2, apart2, g2, single2, first, stop,
             out):
    """out[i] = sums over j != i of (r_0, r_1/2, r_1, d_belief), for objects first to stop."""
    n = mass1.shape[0]
    for i in range(first, stop):
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for j in range(n):
            if j == i:
                continue
            s1, t1, w1 = _pair(mass1, same1, apart1, g1, single1, i, j)
            s2, t2, w2 = _pair(mass2, same2, apart2, g2, single2, i, j)
            r0, half, r1, belief = r_general(s1, t1, w1, s2, t2, w2)
            a += r0
            b += half
            c += r1
            d += belief
        out[i, 0] = a
        out[i, 1] = b
        out[i, 2] = c
        out[i, 3] = d


@kernel
def credal_rows(mass1, same1, apart1, g1, single1, mass2, same2, apart2, g2, single2, first, stop,
                out):
    """out[i] = sums over j != i of (d_jousselme, conflict), for objects first to stop."""
    n = mass1.shape[0]
    for i in range(first, stop):
        a, b = 0.0, 0.0
        for j in range(n):
            if j == i:
                continue
            s1, t1, w1 = _pair(mass1, same1, apart1, g1, single1, i, j)
            s2, t2, w2 = _pair(mass2, same2, apart2, g2, single2, i, j)
            jousselme, conflict = credal(s1, t1, w1, s2, t2, w2)
            a += jousselme
            b += conflict
        out[i, 0] = a
        out[i, 1] = b


@kernel
def weighted_forms(mass1, same1, apart1, g1, single1, mass2, same2, apart2, g2, single2, weights,
                   rows, first, stop, out):
    """Sums over pairs for many resamples at once, by blocks of `rows` objects i < j.

    weights (n, B): column b is a resample. out[block - first, q, b] gets the sum over i in the
    block and j > i of w_ib w_jb r_q(i, j); q = r_0, r_1/2, r_1, d_belief as far as out reaches.
    """
    n = mass1.shape[0]
    forms = out.shape[1]
    copies = weights.shape[1]
    value = np.zeros(4)
    inner = np.zeros((forms, copies))
    for block in range(first, stop):
        target = out[block - first]
        target[:] = 0.0
        for i in range(block * rows, min((block + 1) * rows, n)):
            inner[:] = 0.0
            for j in range(i + 1, n):
                s1, t1, w1 = _pair(mass1, same1, apart1, g1, single1, i, j)
                s2, t2, w2 = _pair(mass2, same2, apart2, g2, single2, i, j)
                value[0], value[1], value[2], value[3] = r_general(s1, t1, w1, s2, t2, w2)
                other = weights[j]
                for q in range(forms):
                    r = value[q]
                    if r != 0.0:
                        sums = inner[q]
                        for b in range(copies):
                            sums[b] += r * other[b]
            own = weights[i]
            for q in range(forms):
                sums = inner[q]
                total = target[q]
                for b in range(copies):
                    total[b] += own[b] * sums[b]
