"""Sums over pairs without a pair loop: moments of mass functions.

Masses come as entries: mass (n, e) on the sets index (n, e), or on sets 0, ..., f - 1 when
`index` is empty. Sums over objects are compensated (Neumaier), in the order of objects, so
chunks of objects can be added one after the other.
"""

import numpy as np

from ._jit import kernel
from .sets import disjoint

#: what a certain pair of sets says
SAME, DIFFERENT, UNDETERMINED, CONFLICT = range(4)


@kernel
def _add(total, lost, k, value):
    """total[k] + lost[k] += value, keeping what rounding loses."""
    t = total[k] + value
    if abs(total[k]) >= abs(value):
        lost[k] += (total[k] - t) + value
    else:
        lost[k] += (value - t) + total[k]
    total[k] = t


@kernel
def group_sums(codes, mass, index, nonempty, first, stop, total, lost):
    """total[codes[i], b] += m_i(b), and in the last column g_i; flat (groups * (f + 1),)."""
    f1 = total.shape[1]
    flat, flat_lost = total.reshape(-1), lost.reshape(-1)
    for i in range(first, stop):
        base = codes[i] * f1
        for a in range(mass.shape[1]):
            b = index[i, a] if index.size > 0 else a
            _add(flat, flat_lost, base + b, mass[i, a])
        _add(flat, flat_lost, base + f1 - 1, nonempty[i] if nonempty.size > 0 else 1.0)


@kernel
def outer_sums(mass1, index1, mass2, index2, first, stop, total, lost):
    """total[a, b] += m_i(a) m'_i(b)."""
    f2 = total.shape[1]
    flat, flat_lost = total.reshape(-1), lost.reshape(-1)
    for i in range(first, stop):
        for a in range(mass1.shape[1]):
            value = mass1[i, a]
            if value == 0.0:
                continue
            base = (index1[i, a] if index1.size > 0 else a) * f2
            for b in range(mass2.shape[1]):
                k = index2[i, b] if index2.size > 0 else b
                _add(flat, flat_lost, base + k, value * mass2[i, b])


@kernel
def self_masses(mass, index, masks, single, nonempty, first, stop, out):
    """out[i] = (same, different, nonempty) of the pair of object i with itself."""
    for i in range(first, stop):
        same = 0.0
        different = 0.0
        for a in range(mass.shape[1]):
            value = mass[i, a]
            if value == 0.0:
                continue
            p = index[i, a] if index.size > 0 else a
            if single[p]:
                same += value * value
            for b in range(a):
                other = mass[i, b]
                if other != 0.0:
                    q = index[i, b] if index.size > 0 else b
                    if disjoint(masks, p, q):
                        different += 2.0 * value * other
        g = nonempty[i] if nonempty.size > 0 else 1.0
        out[i, 0] = same
        out[i, 1] = different
        out[i, 2] = g * g


@kernel
def disjoint_product(masks, x, first, stop, out):
    """Rows `first` to `stop` of K_n x, K_n[a, b] = 1 where sets a and b are disjoint."""
    for a in range(first, stop):
        row = out[a]
        for j in range(x.shape[1]):
            row[j] = 0.0
        for b in range(x.shape[0]):
            if disjoint(masks, a, b):
                source = x[b]
                for j in range(x.shape[1]):
                    row[j] += source[j]


@kernel
def logical_sums(masks, empty, counts, values, disjoint_values, single, crisp, first, stop,
                 out):
    """Sums of the point-mass forms of r over pairs of groups (spec sections 4 and 8.2).

    Objects are grouped by their certain set: masks (G, words), `empty` (G,) where there is none;
    sets are distinct, so two groups say "different", "undetermined" or "conflict". values
    (G, f + 1) are group sums of the other side's masses, last column of g; disjoint_values =
    K_n applied to the masses (G, f); `crisp`: all sets of the other side are single clusters.
    out[A] gets the sums of (r_0, r_1/2, r_1, belief) over B > A; pairs within a group are the
    driver's.
    """
    f = disjoint_values.shape[1]
    for a in range(first, stop):
        for q in range(4):
            out[a, q] = 0.0
        for b in range(a + 1, masks.shape[0]):
            s = 0.0
            n = 0.0
            for k in range(f):
                if single[k]:
                    s += values[a, k] * values[b, k]
                n += values[a, k] * disjoint_values[b, k]
            g = values[a, f] * values[b, f]
            if crisp:
                n = g - s  # so that nothing is left undetermined, not even by rounding
            kind = UNDETERMINED
            if empty[a] or empty[b]:
                kind = CONFLICT
            elif disjoint(masks, a, b):
                kind = DIFFERENT
            add_logical(out[a], kind, counts[a] * counts[b], s, n, g)


@kernel
def add_logical(out, kind, pairs, s, n, g):
    """Add `pairs` pairs with sums s, n, g on the soft side and a certain statement `kind`."""
    t = max(g - s - n, 0.0)
    e = max(pairs - g, 0.0)
    if kind == SAME:
        fixed, ambiguous, belief = n + e, t, 0.5 * (pairs - s + n + e)
    elif kind == DIFFERENT:
        fixed, ambiguous, belief = s + e, t, 0.5 * (pairs + s - n + e)
    elif kind == UNDETERMINED:
        fixed, ambiguous, belief = e, s + n, 0.5 * (s + n + e)
    else:
        fixed, ambiguous, belief = pairs - e, 0.0, 0.5 * (pairs + s + n - e)
    out[0] += fixed
    out[1] += fixed + 0.5 * ambiguous
    out[2] += fixed + ambiguous
    out[3] += belief


@kernel
def add_rows(rows, total, lost):
    """Compensated sum of `rows` (m, q) onto total + lost (q,), in order."""
    for m in range(rows.shape[0]):
        for q in range(rows.shape[1]):
            _add(total, lost, q, rows[m, q])


@kernel
def neumaier_rows(rows, out):
    """Compensated sum over the first axis of `rows` (m, q) into out (q,), in order."""
    lost = np.zeros(rows.shape[1])
    for q in range(rows.shape[1]):
        out[q] = 0.0
    add_rows(rows, out, lost)
    for q in range(rows.shape[1]):
        out[q] += lost[q]


@kernel
def pair_masses(mass, index, masks, single, nonempty, rows, columns, first, stop, out):
    """out[p] = (same, different, undetermined, conflict) of objects rows[p] and columns[p]."""
    for p in range(first, stop):
        i, j = rows[p], columns[p]
        same = 0.0
        different = 0.0
        for a in range(mass.shape[1]):
            value = mass[i, a]
            if value == 0.0:
                continue
            left = index[i, a] if index.size > 0 else a
            for b in range(mass.shape[1]):
                other = mass[j, b]
                if other == 0.0:
                    continue
                right = index[j, b] if index.size > 0 else b
                if left == right:
                    if single[left]:
                        same += value * other
                elif disjoint(masks, left, right):
                    different += value * other
        g = nonempty[i] * nonempty[j] if nonempty.size > 0 else 1.0
        out[p, 0] = same
        out[p, 1] = different
        out[p, 2] = max(g - same - different, 0.0)
        out[p, 3] = 1.0 - g
