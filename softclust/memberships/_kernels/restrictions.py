"""Costs between single clusters, from masses over focal sets, one object after the other."""

import numpy as np

from ...running.compiler import kernel


@kernel
def restrict(i, mass, index, starts, members, nonempty, single, wider):
    """Masses of {k} and {k, not k} for each cluster k of object i [eq. 26, 28]; returns g_i.

    Set b holds the clusters members[starts[b]:starts[b + 1]]; mass (n, e), index (n, e) and
    nonempty (n,) as of `MassTable`. The mass of {not k} is g_i minus both [eq. 27], that of the
    empty set 1 - g_i [eq. 29].
    """
    for k in range(single.shape[0]):
        single[k] = wider[k] = 0.0
    for a in range(mass.shape[1]):
        b = index[i, a] if index.shape[0] else a
        first, last = starts[b], starts[b + 1]
        if last - first == 1:
            single[members[first]] += mass[i, a]
        else:
            for p in range(first, last):
                wider[members[p]] += mass[i, a]
    return nonempty[i] if nonempty.shape[0] else 1.0


@kernel(flags=("contract",))
def add_costs(mass_x, index_x, starts_x, members_x, nonempty_x, mass_y, index_y, starts_y,
              members_y, nonempty_y, start, stop, each, out):
    """Add r at alpha 0, 1/2, 1 of cluster k of x and l of y, for objects start, ..., stop - 1.

    To out[i - start, :, k, l], (n, 3, c, c), if `each`, else all to out[0]. The forms are those of
    `pair_forms`.
    """
    c = out.shape[2]
    s1, t1, s2, t2 = np.empty(c), np.empty(c), np.empty(c), np.empty(c)
    for i in range(start, stop):
        filled1 = restrict(i, mass_x, index_x, starts_x, members_x, nonempty_x, s1, t1)
        filled2 = restrict(i, mass_y, index_y, starts_y, members_y, nonempty_y, s2, t2)
        to = out[i - start if each else 0]
        for k in range(c):
            g1 = max(filled1, s1[k] + t1[k])
            for l in range(c):
                g2 = max(filled2, s2[l] + t2[l])
                ds, dt, e = s1[k] - s2[l], t1[k] - t2[l], g2 - g1
                ambiguous = t2[l]
                if e < 0.0:   # the side with more empty mass is named first
                    ds, dt, e, ambiguous = -ds, -dt, -e, t1[k]
                dn = -(e + ds + dt)
                p = max(ds, 0.0) + max(dn, 0.0)
                r = max(p + dt, 0.0)
                to[0, k, l] += e + max(p - max(ambiguous, 0.0), 0.0)
                to[1, k, l] += e + 0.5 * (p + r)
                to[2, k, l] += e + max(p, r)
