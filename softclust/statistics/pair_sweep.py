"""Sums of pair dissimilarities for many pairs of clusterings of the same objects."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import _kernels
from .._parallel import Progress, run_ranges
from ..clusterings import Clustering
from .bilinear import compensated
from .features import COMPLEMENT, Side, side
from .pairs import PairSums, distinct_rows, pair_chunks, shortcut

#: objects up to which clusterings are swept; beyond, a pair of them takes its time anyway
_UP_TO = 100_000
#: clusterings whose masses are formed together, so that a pair of groups fits the second cache;
#: fuzzy ones need one accumulator in place of three
_GROUP, _GROUP_FUZZY = 12, 24
#: bytes of the features of a pair of groups
_MOST_BYTES = 1 << 28
#: multiply-adds that cost as much as adding one dissimilarity to its accumulator
_ADD = 6

Pair = tuple[int, int]


def sweep_sums(clusterings: Sequence[Clustering], pairs: Sequence[Pair],
               progress: Progress | None = None) -> dict[Pair, PairSums]:
    """`pair_sums` of the listed pairs of clusterings, with the same bits.

    Pairs with a shortcut take it. For the others the objects are swept once for each pair of
    groups of clusterings. Beyond 100,000 objects the dictionary has only those with a shortcut.
    """
    found: dict[Pair, PairSums] = {}
    distinct = [distinct_rows(x) for x in clusterings]
    left: list[Pair] = []
    for i, j in pairs:
        sums = shortcut(clusterings[i], clusterings[j], rows=not (distinct[i] or distinct[j]))
        if sums is None:
            left.append((i, j))
        else:
            found[i, j] = sums
    if not left or clusterings[0].n_objects > _UP_TO:
        return found
    used = sorted({k for pair in left for k in pair})
    sides = {k: side(clusterings[k]) for k in used}
    size = _group_size(list(sides.values()))
    group = {k: at // size for at, k in enumerate(used)}
    blocks: dict[Pair, list[Pair]] = {}
    for i, j in left:
        low, high = sorted((group[i], group[j]))
        blocks.setdefault((low, high), []).append((i, j))
    done = 0
    for block in blocks.values():
        def show(part: int, total: int, done: int = done, block: list[Pair] = block) -> None:
            if progress is not None:
                progress(done + len(block) * part // max(total, 1), len(left))
        found |= _sweep(clusterings[0].n_objects, sides, block, show)
        done += len(block)
    return found


def _group_size(sides: Sequence[Side]) -> int:
    most = max(8 * s.depth * s.x.shape[1] for s in sides)
    fuzzy = all(s.rule == COMPLEMENT and not s.g.size for s in sides)
    return max(1, min(_GROUP_FUZZY if fuzzy else _GROUP, _MOST_BYTES // max(1, 2 * most)))


def _sweep(n: int, sides: dict[int, Side], pairs: list[Pair], progress: Progress
           ) -> dict[Pair, PairSums]:
    relations = _kernels.relations
    used = sorted({k for pair in pairs for k in pair})
    at = {k: position for position, k in enumerate(used)}
    chosen = [sides[k] for k in used]
    starts = np.concatenate([[0], np.cumsum([s.depth for s in chosen])]).astype(np.int64)
    words = max(1, *(s.masks.shape[1] for s in chosen))
    masks = np.zeros((starts[-1], words), np.uint64)
    with_g = [s.g for s in chosen if s.g.size]
    g = np.ascontiguousarray(with_g) if with_g else np.zeros((1, 0))
    g_rows = np.full(len(chosen), -1, np.int64)
    g_rows[[k for k, s in enumerate(chosen) if s.g.size]] = np.arange(len(with_g))
    for k, s in enumerate(chosen):
        masks[starts[k]:starts[k] + s.masks.shape[0], :s.masks.shape[1]] = s.masks
    x = np.concatenate([s.x for s in chosen])
    singles = np.array([s.singles for s in chosen], np.int64)
    rules = np.array([s.rule for s in chosen], np.int64)
    places = np.array([(at[i], at[j]) for i, j in pairs], np.int64)
    panels = -(-n // relations.PANEL)
    n_units = -(-n // relations.BLOCK) * panels
    sums = np.empty((n_units, len(pairs), relations.N_SUMS))
    features = int(starts[-1]) + int(singles.sum()) + _ADD * len(pairs)
    chunks, sizes = pair_chunks(n, n_units, panels, features)
    run_ranges(lambda start, stop: _kernels.relation_sweep.sweep_units(
        x, starts, singles, masks, g, g_rows, rules, places, start, stop, panels, sums),
        chunks, sizes, progress=progress)
    n_pairs = n * (n - 1) // 2
    found = {}
    for p, pair in enumerate(pairs):
        r0, half, r1, belief = (float(v) for v in compensated(sums[:, p])[:4])
        found[pair] = PairSums(r0=r0, half=half, r1=r1, belief=belief, n_objects=n,
                               n_pairs=n_pairs, method="pairs")
    return found
