"""Costs between single clusters of two clusterings (spec relational-measures section 7)."""

from __future__ import annotations

import numpy as np

from .. import _kernels
from .._parallel import run_chunks
from ..clusterings import Clustering
from .bilinear import compensated
from .features import MassTable, mass_table


def restrictions(x: Clustering) -> np.ndarray:
    """Masses of {k, not k} per object and cluster, (n, c, 4) [eq. 26-29].

    Last axis: cluster, not cluster, undetermined, conflict.
    """
    table = mass_table(x)
    out = np.empty((x.n_objects, x.n_clusters, 4))
    _kernels.restriction.restrictions(table.mass, table.index, table.sets, table.single,
                                      table.nonempty, out)
    return out


def restriction_costs(x: Clustering, y: Clustering) -> np.ndarray:
    """W[q, k, l], (3, c, c): sum over objects of r between cluster k of x and l of y.

    q = 0, 1, 2 for alpha 0, 1/2, 1; c = max(c1, c2), missing clusters are empty.
    Time O(n (f c + c^2)), memory O(n c^2 / 4096).
    """
    c = max(x.n_clusters, y.n_clusters)
    block = _kernels.restriction.BLOCK
    n_blocks = -(-x.n_objects // block)
    out = np.empty((n_blocks, 3, c, c))
    first, second = mass_table(x), mass_table(y)
    run_chunks(lambda a, b: _kernels.restriction.cost_blocks(
        *_arguments(first), *_arguments(second), a, b, out),
        n_blocks, max(1, int(5e7 / (block * c * c))))
    return compensated(out.reshape(n_blocks, -1)).reshape(3, c, c)


def _arguments(table: MassTable) -> tuple[np.ndarray, ...]:
    return table.mass, table.index, table.sets, table.single, table.nonempty
