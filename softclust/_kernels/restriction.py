"""Restrictions of mass functions to single clusters, and the costs between them."""

import numpy as np

from ._jit import kernel
from .relations import r_general

#: objects of one block of sums
BLOCK = 4096


@kernel
def _restrict(mass, index, sets, single, i, s, p):
    """s[k] = m_i({k}) and p[k] = mass of the sets that contain k."""
    for k in range(sets.shape[1]):
        s[k] = 0.0
        p[k] = 0.0
    for a in range(mass.shape[1]):
        value = mass[i, a]
        if value == 0.0:
            continue
        b = index[i, a] if index.size > 0 else a
        for k in range(sets.shape[1]):
            if sets[b, k]:
                p[k] += value
                if single[b]:
                    s[k] += value


@kernel
def restrictions(mass, index, sets, single, nonempty, out):
    """out[i, k] = (same, different, undetermined, conflict) masses of {k, not k}."""
    s = np.zeros(sets.shape[1])
    p = np.zeros(sets.shape[1])
    for i in range(mass.shape[0]):
        _restrict(mass, index, sets, single, i, s, p)
        g = nonempty[i] if nonempty.size > 0 else 1.0
        for k in range(sets.shape[1]):
            out[i, k, 0] = s[k]
            out[i, k, 1] = max(g - p[k], 0.0)
            out[i, k, 2] = p[k] - s[k]
            out[i, k, 3] = 1.0 - g


@kernel
def cost_blocks(mass1, index1, sets1, single1, nonempty1, mass2, index2, sets2, single2,
                nonempty2, start, first, stop, out):
    """out[b, q, k, l] = sum over block start + b of r_q(restriction of x to k, of y to l).

    q = 0, 1, 2 for alpha 0, 1/2, 1; k, l < c = max(c1, c2), missing clusters are empty.
    """
    n = mass1.shape[0]
    c = out.shape[2]
    s1, p1, s2, p2 = np.zeros(c), np.zeros(c), np.zeros(c), np.zeros(c)
    for b in range(first, stop):
        for q in range(3):
            for k in range(c):
                for l in range(c):
                    out[b, q, k, l] = 0.0
        for i in range((start + b) * BLOCK, min((start + b + 1) * BLOCK, n)):
            _restrict(mass1, index1, sets1, single1, i, s1, p1)
            _restrict(mass2, index2, sets2, single2, i, s2, p2)
            g1 = nonempty1[i] if nonempty1.size > 0 else 1.0
            g2 = nonempty2[i] if nonempty2.size > 0 else 1.0
            for k in range(c):
                for l in range(c):
                    r0, half, r1, _ = r_general(s1[k], p1[k] - s1[k], g1,
                                                s2[l], p2[l] - s2[l], g2)
                    out[b, 0, k, l] += r0
                    out[b, 1, k, l] += half
                    out[b, 2, k, l] += r1


@kernel
def leave_out(first, second, sums, columns, weights, out, gain):
    """Cost of given matchings without each object, and the most that another may gain by it.

    first, second (m, c, 4) from `restrictions`; sums (3, c, c) of all objects at alpha 0, 1/2, 1.
    Matching a pairs cluster k with columns[a, k], at the alpha whose weights of the three are
    weights[a]; out[a, i] is its cost. gain[a, i]: what object i costs at most in any matching,
    less what it costs in this one.
    """
    c = columns.shape[1]
    most = np.empty(columns.shape[0])
    for i in range(first.shape[0]):
        out[:, i] = 0.0
        gain[:, i] = 0.0
        for k in range(c):
            most[:] = 0.0
            for l in range(c):
                m1, m2 = first[i, k], second[i, l]
                r0, half, r1, _ = r_general(m1[0], m1[2], m1[0] + m1[1] + m1[2],
                                            m2[0], m2[2], m2[0] + m2[1] + m2[2])
                for a in range(columns.shape[0]):
                    w0, w1, w2 = weights[a, 0], weights[a, 1], weights[a, 2]
                    value = w0 * r0 + w1 * half + w2 * r1
                    most[a] = max(most[a], value)
                    if columns[a, k] == l:
                        out[a, i] += (w0 * max(sums[0, k, l] - r0, 0.0)
                                      + w1 * max(sums[1, k, l] - half, 0.0)
                                      + w2 * max(sums[2, k, l] - r1, 0.0))
                        gain[a, i] -= value
            for a in range(columns.shape[0]):
                gain[a, i] += most[a]
