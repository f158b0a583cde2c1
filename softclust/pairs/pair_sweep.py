"""Sums of pair dissimilarities for many pairs of clusterings of the same objects."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._parallel import Progress
from ..clusterings import Clustering
from ._features import Side, side
from .pair_rows import membership_totals
from .pair_sums import PairSums, distinct_rows, shortcut

#: objects up to which clusterings are swept; beyond, a pair of them takes its time anyway
_UP_TO = 100_000
#: clusterings whose masses are formed together, so that a pair of groups fits the second cache
_GROUP = 24

Pair = tuple[int, int]


def sweep_sums(clusterings: Sequence[Clustering], pairs: Sequence[Pair],
               progress: Progress | None = None) -> dict[Pair, PairSums]:
    """`pair_sums` of the listed pairs of clusterings, where many at once cost less than each alone.

    Pairs with a shortcut take it. For memberships the objects are swept once for each pair of
    groups of clusterings, up to 100,000 objects. Other pairs are not in the dictionary.
    """
    found: dict[Pair, PairSums] = {}
    distinct = [distinct_rows(x) for x in clusterings]
    sides: dict[int, Side] = {}
    blocks: dict[Pair, list[Pair]] = {}
    for i, j in pairs:
        sums = shortcut(clusterings[i], clusterings[j], rows=not (distinct[i] or distinct[j]))
        if sums is not None:
            found[i, j] = sums
            continue
        for k in (i, j):
            if k not in sides:
                sides[k] = side(clusterings[k])
        if sides[i].memberships and sides[j].memberships:
            low, high = sorted((i // _GROUP, j // _GROUP))
            blocks.setdefault((low, high), []).append((i, j))
    n = clusterings[0].n_objects
    if n > _UP_TO:
        return found
    done, count = 0, sum(map(len, blocks.values()))
    for block in blocks.values():
        def show(part: int, total: int, done: int = done, block: list[Pair] = block) -> None:
            if progress is not None:
                progress(done + len(block) * part // max(total, 1), count)
        used = sorted({k for pair in block for k in pair})
        totals = membership_totals([sides[k] for k in used], [
            (used.index(i), used.index(j)) for i, j in block], np.ones(n), progress=show)
        for pair, total in zip(block, totals.tolist()):
            found[pair] = PairSums(r0=total, half=total, r1=total, belief=total, n_objects=n,
                                   n_pairs=n * (n - 1) // 2, method="pairs")
        done += len(block)
        show(0, 1, done)
    return found
