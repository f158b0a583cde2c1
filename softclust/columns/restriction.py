"""Costs between single clusters of two clusterings, and the cheapest matching of them."""

from __future__ import annotations

import numpy as np

from .._checks import ClusteringError
from .._parallel import run_chunks
from ..clusterings import Clustering
from ..clusterings.focal import MassTable
from ..pairs.pair_rows import forms_of_masses

#: largest table of costs
MAX_BYTES = 1 << 32
#: costs of objects that are held at a time
CELLS = 1 << 17


def restrictions(x: Clustering) -> np.ndarray:
    """Masses of {k, not k} per object and cluster, (n, c, 4) [eq. 26-29].

    Last axis: cluster, not cluster, undetermined, conflict.
    """
    return restricted(x.mass_table(), x.n_clusters)


def restricted(table: MassTable, c: int) -> np.ndarray:
    """Restrictions to c clusters (n, c, 4): an empty one is "not it" wherever there is mass."""
    sets = np.zeros((table.n_sets, c))
    sets[:, :table.listed.shape[1]] = table.sets
    own = sets * table.single[:, None]
    sets -= own
    n = table.mass.shape[0]
    out = np.zeros((n, c, 4))
    for a in range(table.mass.shape[1]):
        which = table.index[:, a] if table.index.size else a
        out[:, :, 0] += table.mass[:, a, None] * own[which]
        out[:, :, 2] += table.mass[:, a, None] * sets[which]
    g = table.nonempty[:, None] if table.nonempty.size else np.ones((n, 1))
    out[:, :, 1] = np.maximum(g - (out[:, :, 0] + out[:, :, 2]), 0.0)
    out[:, :, 3] = 1.0 - g
    return out


def cluster_forms(first: MassTable, second: MassTable, c: int) -> np.ndarray:
    """r between cluster k of x and l of y at alpha 0, 1/2, 1, of each object: (n, 3, c, c)."""
    forms = forms_of_masses(restricted(first, c)[:, :, None], restricted(second, c)[:, None])
    return np.stack(forms[:3], axis=1)


def restriction_costs(x: Clustering, y: Clustering) -> np.ndarray:
    """W[q, k, l], (3, c, c): sum over objects of r between cluster k of x and l of y.

    q = 0, 1, 2 for alpha 0, 1/2, 1; c = max(c1, c2), missing clusters are empty.
    Time O(n (f c + c^2)), memory O(c^2).
    """
    c = max(x.n_clusters, y.n_clusters)
    if 72 * c * c > MAX_BYTES:
        raise ClusteringError(f"{c} clusters make {c * c:.3g} costs for each alpha, more than "
                              f"{MAX_BYTES / 1e9:.3g} GB allow: merge or drop clusters first")
    step = max(1, CELLS // (c * c))
    blocks = -(-x.n_objects // step)
    first, second = x.mass_table(), y.mass_table()
    # Blocks are added in their order, some at a time, so memory does not grow with n.
    at_once = max(1, min(blocks, (1 << 26) // (24 * c * c)))
    sums = np.zeros((3, c, c))
    for start in range(0, blocks, at_once):
        out = np.zeros((min(at_once, blocks - start), 3, c, c))

        def work(begin: int, end: int, start: int = start, out: np.ndarray = out) -> None:
            for b in range(begin, end):
                own = slice((start + b) * step, (start + b + 1) * step)
                out[b] = cluster_forms(first.part(own), second.part(own), c).sum(axis=0)

        run_chunks(work, out.shape[0], 1)
        sums += out.sum(axis=0)
    return sums
