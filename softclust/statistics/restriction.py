"""Costs between single clusters of two clusterings, and the cheapest matching of them."""

from __future__ import annotations

from functools import partial

import numpy as np

from .. import _kernels
from .._checks import ClusteringError
from .._parallel import run_chunks
from ..clusterings import Clustering
from ..clusterings.focal import MassTable, mass_table

#: largest table of costs while it is computed
MAX_BYTES = 1 << 32



def restrictions(x: Clustering) -> np.ndarray:
    """Masses of {k, not k} per object and cluster, (n, c, 4) [eq. 26-29].

    Last axis: cluster, not cluster, undetermined, conflict.
    """
    return restricted(mass_table(x), x.n_clusters)


def restricted(table: MassTable, c: int) -> np.ndarray:
    """Restrictions to c clusters (n, c, 4): an empty one is "not it" wherever there is mass."""
    sets = np.zeros((table.n_sets, c), dtype=bool)
    sets[:, :table.listed.shape[1]] = table.sets
    out = np.empty((table.mass.shape[0], c, 4))
    _kernels.restriction.restrictions(table.mass, table.index, sets, table.single,
                                      table.nonempty, out)
    return out


def restriction_costs(x: Clustering, y: Clustering) -> np.ndarray:
    """W[q, k, l], (3, c, c): sum over objects of r between cluster k of x and l of y.

    q = 0, 1, 2 for alpha 0, 1/2, 1; c = max(c1, c2), missing clusters are empty.
    Time O(n (f c + c^2)), memory O(c^2).
    """
    c = max(x.n_clusters, y.n_clusters)
    if 72 * c * c > MAX_BYTES:
        raise ClusteringError(f"{c} clusters make {c * c:.3g} costs for each alpha, more than "
                              f"{MAX_BYTES / 1e9:.3g} GB allow: merge or drop clusters first")
    block = _kernels.restriction.BLOCK
    n_blocks = -(-x.n_objects // block)
    first, second = mass_table(x), mass_table(y)
    # Blocks are added in their order, some at a time, so memory does not grow with n.
    at_once = max(1, min(n_blocks, (1 << 26) // (24 * c * c)))
    sums = np.zeros((2, 3 * c * c))
    for start in range(0, n_blocks, at_once):
        count = min(at_once, n_blocks - start)
        out = np.empty((count, 3, c, c))
        work = partial(_cost_blocks, first, second, start, out)
        run_chunks(work, count, max(1, int(5e7 / (block * c * c))))
        _kernels.bilinear.add_rows(out.reshape(count, -1), sums[0], sums[1])
    return sums.sum(axis=0).reshape(3, c, c)


def _cost_blocks(first: MassTable, second: MassTable, start: int, out: np.ndarray,
                 begin: int, end: int) -> None:
    _kernels.restriction.cost_blocks(*_arguments(first), *_arguments(second), start, begin, end,
                                     out)


def _arguments(table: MassTable) -> tuple[np.ndarray, ...]:
    return table.mass, table.index, table.sets, table.single, table.nonempty
