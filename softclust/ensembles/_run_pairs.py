"""Pairs of runs: all of them, or a sample."""

from __future__ import annotations

import numpy as np

#: pairs of runs up to which all are looked at
MOST = 5_000


def pairs_of_runs(count: int, rng: np.random.Generator, most: int = MOST) -> np.ndarray:
    """Pairs b < c of runs, (m, 2) int64: all, or `most` different ones drawn at random."""
    total = count * (count - 1) // 2
    if total <= most:
        first, second = np.triu_indices(count, 1)
        return np.column_stack([first, second]).astype(np.int64)
    places = np.sort(rng.choice(total, size=most, replace=False))
    # Pair t of the rows 0-1, 0-2, ..., 1-2, ...: row b begins at b (2 B - b - 1) / 2.
    starts = np.arange(count) * (2 * count - np.arange(count) - 1) // 2
    first = np.searchsorted(starts, places, side="right") - 1
    return np.column_stack([first, places - starts[first] + first + 1]).astype(np.int64)
