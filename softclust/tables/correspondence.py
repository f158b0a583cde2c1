"""The known groups and the clusters of a table, in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from ..results.text import both, capital, many, part, position, small, whole

if TYPE_CHECKING:
    from .contingency_table import ContingencyTable

#: groups up to which they are named; share of its objects with which a group is in a cluster
NAMED, PRESENT = 12, 1 / 3


def _groups_and_clusters(table: ContingencyTable) -> tuple[list[str], list[list[int]], set[int]]:
    """Names of the groups, the groups in each cluster, and the groups in several."""
    counts = table.object_counts()
    inside = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1) >= PRESENT
    return ([f"“{position(name)}”" for name in table.x_names],
            [np.flatnonzero(column).tolist() for column in inside.T],
            set(np.flatnonzero(inside.sum(axis=1) > 1).tolist()))


def correspondence(table: ContingencyTable) -> list[str]:
    """The groups in each cluster, and groups that are split, in one sentence each."""
    counts = table.object_counts()
    called, inside, split = _groups_and_clusters(table)
    clusters = []
    for k, groups in enumerate(inside):
        total, count = int(counts[:, k].sum()), int(counts[groups, k].sum())
        what = both(called[g] for g in groups)
        if not groups:
            g = int(counts[:, k].argmax())
            what, count = ((f"a part of {called[g]}", int(counts[g, k]))
                           if 2 * counts[g, k] > total else ("a mixture of groups", total))
        others = "" if count == total else f" (and {many(total - count, 'other object')})"
        clusters.append(f"cluster {position(table.y_names[k])} is {what}{others}")
    return [f"{capital('; '.join(clusters))}.", *(
        f"{called[g]} is split between clusters "
        + both(position(table.y_names[k]) for k, groups in enumerate(inside) if g in groups) + "."
        for g in sorted(split))]


def headline(table: ContingencyTable, of: str = "") -> str:
    """Which groups have a cluster of their own, share one, or are spread over several."""
    called, inside, split = _groups_and_clusters(table)
    merged = Counter(tuple(groups) for groups in inside if len(groups) > 1)
    apart = sorted({groups[0] for groups in inside if len(groups) == 1} - split)
    if len(apart) == len(called):
        return f"each group{of and f' of “{of}”'} has a cluster of its own"
    if len(called) > NAMED:
        return (f"{small(len(apart)) if apart else 'none'} of the {len(called)} groups "
                f"{'has a cluster' if len(apart) == 1 else 'have clusters'} of their own")
    parts = []
    if apart:
        verb = "has a cluster of its own" if len(apart) == 1 else "have clusters of their own"
        parts.append(f"{both(called[g] for g in apart)} {verb}")
    parts += [f"{both(called[g] for g in groups)} share {small(shared)}"
              for groups, shared in merged.items()]
    if merged and not apart:
        parts[0] += f" cluster{'s' * (next(iter(merged.values())) > 1)}"
    spread = [called[g] for g in sorted(split) if not any(g in groups for groups in merged)]
    if spread:
        parts.append(f"{both(spread)} {'is' if len(spread) == 1 else 'are'} spread over several")
    return (", and " if len(parts) < 3 else "; ").join(parts or ["every group is spread over many"])


def own_cluster(table: ContingencyTable) -> str:
    """Number of objects in the cluster of their own group, and the two groups mixed up most.

    Each group has the one cluster that makes most objects right.
    """
    from scipy.optimize import linear_sum_assignment
    counts = table.object_counts()
    rows, columns = linear_sum_assignment(counts, maximize=True)
    n, right = int(counts.sum()), int(counts[rows, columns].sum())
    verdict = f"{part(right, n)} {'is' if right == 1 else 'are'} in the cluster of their own group"
    matched = counts[np.ix_(rows, columns)]   # groups beside the clusters of the same groups
    mixed = np.triu(matched + matched.T, 1)
    if n == right or not mixed.any():
        return verdict
    i, j = np.unravel_index(mixed.argmax(), mixed.shape)
    if matched[i, j] < matched[j, i]:
        i, j = j, i
    there, back = int(matched[i, j]), int(matched[j, i])
    if 2 * (there + back) <= n - right:
        return verdict
    one, other = (f"“{position(table.x_names[rows[k]])}”" for k in (i, j))
    return (f"{verdict}; {whole(there)} of {one} {'is' if there == 1 else 'are'} in that of {other}"
            + (f", {whole(back)} the other way round" if back else ""))
