"""Lists of clusters by object, and of objects by cluster: starts and entries, as in sparse rows."""

from __future__ import annotations

import numpy as np


def entries_of_rows(starts: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Starts of the rows wanted, and the positions of their entries."""
    counts = starts[rows + 1] - starts[rows]
    ends = np.zeros(rows.shape[0] + 1, dtype=np.int64)
    np.cumsum(counts, out=ends[1:])
    within = np.arange(ends[-1]) - np.repeat(ends[:-1], counts)
    return ends, np.repeat(starts[rows], counts) + within


def transposed(starts: np.ndarray, columns: np.ndarray, n_columns: int
               ) -> tuple[np.ndarray, np.ndarray]:
    """Starts of the columns, and the rows of each, ascending."""
    ends = np.zeros(n_columns + 1, dtype=np.int64)
    np.cumsum(np.bincount(columns, minlength=n_columns), out=ends[1:])
    rows = np.repeat(np.arange(starts.shape[0] - 1), np.diff(starts))
    return ends, rows[np.argsort(columns, kind="stable")]


def coded_rows(starts: np.ndarray, columns: np.ndarray, n_columns: int,
               codes: np.ndarray | None = None) -> np.ndarray:
    """Codes of the rows, equal exactly for equal rows (of equal `codes`, where these are given).

    Columns ascend within rows. The entries at the first places are compared, then those at the
    second among the rows that have one, and so on: O(m log m) for m entries.
    """
    n = starts.shape[0] - 1
    lengths = np.diff(starts)
    codes = np.zeros(n, dtype=np.int64) if codes is None else codes.astype(np.int64)
    # Rows of different lengths differ, so a row keeps its code when its entries are used up.
    codes = _ranks(codes * (int(lengths.max(initial=0)) + 1) + lengths)
    active = np.flatnonzero(lengths)
    place = 0
    while active.size:
        pairs = codes[active] * n_columns + columns[starts[active] + place]
        # Other rows keep codes below the new ones.
        codes[active] = int(codes.max()) + 1 + _ranks(pairs)
        place += 1
        active = active[lengths[active] > place]
    return _ranks(codes)


def _ranks(values: np.ndarray) -> np.ndarray:
    return np.unique(values, return_inverse=True)[1].reshape(-1)
