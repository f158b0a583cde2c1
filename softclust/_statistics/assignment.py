"""Optimal assignments of tables of any size: the compiled kernel, or SciPy for large ones."""

from __future__ import annotations

import numpy as np

from .. import _kernels
from .._parallel import run_chunks

#: steps of the kernel in one task of the thread pool, about 20 ms
_STEPS_PER_TASK = 1 << 24


def best_assignments(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct columns for the rows of each table with the largest sum.

    Parameters
    ----------
    tables : ndarray of shape (B, r, c)
        Finite int64 or float64, r, c >= 1; negate to minimise.

    Returns
    -------
    columns : ndarray of shape (B, r), int64
        -1 for rows without a column (r > c). Up to 32 rows and columns the lexicographically
        smallest among optimal ones (int64: exactly; float64: as sums round), above as SciPy
        finds it.
    values : ndarray of shape (B,)
        The sums, of the type of `tables`.

    Notes
    -----
    Time O(B m^3), m = max(r, c); memory of the results. Bits do not depend on threads.
    """
    tables = np.ascontiguousarray(tables)
    count, r, c = tables.shape
    columns = np.full((count, r), -1, dtype=np.int64)
    values = np.empty(count, dtype=tables.dtype)
    kernels = _kernels.assignment
    if max(r, c) <= kernels.LARGEST:
        def work(first: int, last: int) -> None:
            kernels.assign_max_batch(tables, first, last, columns, values,
                                     np.empty(kernels.numbers_size(r, c), tables.dtype),
                                     np.empty(kernels.marks_size(r, c), np.int64))

        run_chunks(work, count, max(1, _STEPS_PER_TASK // max(r, c) ** 3))
        return columns, values
    from scipy.optimize import linear_sum_assignment
    for b in range(count):
        rows, found = linear_sum_assignment(tables[b], maximize=True)
        columns[b, rows] = found
        values[b] = tables[b, rows, found].sum()
    return columns, values
