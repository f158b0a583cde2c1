"""Tables of counts of many pairs of hard clusterings, in one sweep."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._parallel import Progress, run_chunks
from . import _kernels
from .counting import fits

#: steps of a kernel, and cells of all tables, of one task
_STEPS, _CELLS = 1 << 24, 1 << 20


def sweep_tables(labels: np.ndarray, pairs: np.ndarray,
                 use: Callable[[int, np.ndarray], object], *,
                 progress: Progress | None = None) -> bool:
    """Call ``use(first, tables)`` for the tables of counts of all pairs, some at a time.

    Parameters
    ----------
    labels : ndarray of shape (B, n), int64
        Clusters 0, 1, ... of the objects in each clustering; -1 for an object that is absent.
    pairs : ndarray of shape (P, 2), int64
        Which two rows of `labels`.
    use : callable
        Takes the position of the first pair and tables (p, K, K) int64 of that and the next ones,
        K the largest number of clusters; on threads, in any order.
    progress : callable, optional
        Called with (pairs_done, pairs_total).

    Returns
    -------
    bool
        False, and nothing done, where tables would be large beside the objects.

    Notes
    -----
    Time O(P (n + K^2)).
    """
    n = labels.shape[1]
    width = int(labels.max()) + 1
    if not fits(width * width, n):
        return False
    labels, pairs = (np.array(given, np.int64, order="C") for given in (labels, pairs))

    def work(start: int, stop: int) -> None:
        tables = np.zeros((stop - start, width, width), np.int64)
        _kernels.pair_tables.count_objects(labels, pairs[start:stop], tables)
        use(start, tables)

    run_chunks(work, pairs.shape[0], max(1, min(_STEPS // n, _CELLS // width**2)),
               progress=progress)
    return True
