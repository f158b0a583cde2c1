"""Blocks of rows against the columns right of them: how pair loops are cut into chunks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from .._parallel import Progress, progress_bar, run_ranges

#: elementary steps (an entry of a pair) of one chunk: about 0.1 s
_STEPS = 1e8
_ADVICE = "A .subset of the objects estimates it in seconds."


def run_triangle(work: Callable[[int, int], object], n: int, block: int, depth: int, *,
                 progress: Progress | bool | None = None, advice: str = _ADVICE,
                 objects: int | None = None) -> None:
    """Call ``work(first, stop)`` on ranges of blocks of `block` rows with about equal work.

    `depth` is the number of elementary steps a pair takes. With `objects`, so many rows meet all
    columns, not only those right of them.
    """
    first = np.arange(0, n if objects is None else objects, block)
    last = np.minimum(first + block, n if objects is None else objects)
    # pairs of the rows first, ..., last - 1
    sizes = ((last - first) * n - (last * (last + 1) - first * (first + 1)) // 2
             if objects is None else (last - first) * (n - 1))
    target = max(1.0, _STEPS / max(depth, 1))
    ends = np.searchsorted(np.cumsum(sizes), np.arange(target, sizes.sum() + target, target))
    bounds = np.unique(np.concatenate([[0], np.minimum(ends + 1, sizes.size), [sizes.size]]))
    chunks = [(int(a), int(b)) for a, b in pairwise(bounds)]
    with progress_bar(progress, "pairs of objects", advice) as callback:
        run_ranges(work, chunks, [int(sizes[a:b].sum()) for a, b in chunks], progress=callback)
