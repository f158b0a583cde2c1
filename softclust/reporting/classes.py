"""Clusters and the known classes: which class went where, and what as many clusters would find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..clusterings import HardClustering
from . import words as w

#: classes up to which a headline names them
NAMED = 12
#: a class is in a cluster with at least this share of its objects
PRESENT = 1 / 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AtClasses:
    """k-means with as many clusters as there are classes.

    Attributes
    ----------
    n_clusters : int
        The number of classes.
    adjusted_rand_index : float
        Of its labels and the classes.
    n_moved : int
        Objects that would have to change cluster to match the classes.
    counts : (classes, clusters) int64
        Objects of each class in each cluster.
    """

    n_clusters: int
    adjusted_rand_index: float
    n_moved: int
    counts: np.ndarray


def counted(label: HardClustering, labels: HardClustering) -> np.ndarray:
    """Objects of each class in each cluster."""
    counts = np.zeros((label.n_clusters, labels.n_clusters), dtype=np.int64)
    np.add.at(counts, (label.labels, labels.labels), 1)
    return counts


def at_classes(label: HardClustering, labels: HardClustering) -> AtClasses:
    """The record of one clustering with as many clusters as there are classes."""
    from ..tables.pair_counting import adjusted_rand_index
    from ..tables.set_matching import transfer_distance
    return AtClasses(n_clusters=label.n_clusters,
                     adjusted_rand_index=float(adjusted_rand_index(label, labels)),
                     n_moved=round(float(transfer_distance(label, labels))),
                     counts=counted(label, labels))


def classes_of(counts: np.ndarray) -> list[list[int]]:
    """The classes in each cluster: those with at least `PRESENT` of their objects there."""
    sizes = np.maximum(counts.sum(axis=1, keepdims=True), 1)
    inside = counts / sizes >= PRESENT
    return [np.flatnonzero(inside[:, k]).tolist() for k in range(counts.shape[1])]


def correspondence(counts: np.ndarray, names: Sequence[object]) -> list[str]:
    """Which classes each cluster holds, and which classes are split, one sentence each."""
    called = [f"“{name}”" for name in names]
    inside = classes_of(counts)
    said = []
    for k, classes in enumerate(inside):
        total = int(counts[:, k].sum())
        if not total:
            continue
        what, own = w.both(called[g] for g in classes), int(counts[classes, k].sum())
        if not classes:
            g = int(counts[:, k].argmax())
            what, own = ((f"a part of {called[g]}", int(counts[g, k]))
                         if 2 * counts[g, k] > total else ("a mixture of classes", total))
        others = "" if own == total else f" (and {w.many(total - own, 'other object')})"
        said.append(f"cluster {k + 1} is {what}{others}")
    sentences = [f"{'; '.join(said)[:1].upper()}{'; '.join(said)[1:]}."] if said else []
    split = [g for g in range(counts.shape[0]) if sum(g in classes for classes in inside) > 1]
    for g in split:
        where = [str(k + 1) for k, classes in enumerate(inside) if g in classes]
        sentences.append(f"{called[g]} is split between clusters {w.both(where)}.")
    return sentences


def headline(counts: np.ndarray, names: Sequence[object], label: str = "") -> str:
    """What the clusters make of the classes of `label`, in words of the data."""
    called = [f"“{name}”" for name in names]
    inside = classes_of(counts)
    alone = [classes[0] for classes in inside if len(classes) == 1]
    merged = Counter(tuple(classes) for classes in inside if len(classes) > 1)
    split = {g for g in range(counts.shape[0]) if sum(g in classes for classes in inside) > 1}
    apart = sorted(set(alone) - split)
    if len(apart) == counts.shape[0]:
        return f"each group{label and f' of “{label}”'} has a cluster of its own"
    if len(names) > NAMED:
        return (f"{w.small(len(apart)) if apart else 'none'} of the {len(names)} groups "
                f"{'has a cluster' if len(apart) == 1 else 'have clusters'} of their own")
    parts = []
    if apart:
        verb = "has a cluster of its own" if len(apart) == 1 else "have clusters of their own"
        parts.append(f"{w.both(called[g] for g in apart)} {verb}")
    parts += [f"{w.both(called[g] for g in classes)} share {w.small(shared)}"
              for classes, shared in merged.items()]
    if merged and not apart:
        parts[0] += f" cluster{'s' * (next(iter(merged.values())) > 1)}"
    whole = [g for g in sorted(split) if not any(g in classes for classes in merged)]
    if whole:
        parts.append(f"{w.both(called[g] for g in whole)} "
                     f"{'is' if len(whole) == 1 else 'are'} spread over several")
    if not parts:
        return "every group is spread over many"
    return ", and ".join(parts) if len(parts) < 3 else "; ".join(parts)


def own_cluster(counts: np.ndarray, names: Sequence[object]) -> str:
    """How many objects are in the cluster of their own class, and which two are mixed up most.

    Each class has the one cluster that makes most objects right.
    """
    from scipy.optimize import linear_sum_assignment
    rows, columns = linear_sum_assignment(counts, maximize=True)
    n, right = int(counts.sum()), int(counts[rows, columns].sum())
    said = f"{w.part(right, n)} {'is' if right == 1 else 'are'} in the cluster of their own group"
    own = dict(zip(rows.tolist(), columns.tolist()))
    mixed = {(g, h): int(counts[g, own[h]] + counts[h, own[g]]) for g in own for h in own if g < h}
    if not mixed or n == right:
        return said
    g, h = max(mixed, key=lambda pair: mixed[pair])
    if counts[g, own[h]] < counts[h, own[g]]:
        g, h = h, g
    there, back = int(counts[g, own[h]]), int(counts[h, own[g]])
    if 2 * (there + back) <= n - right:
        return said
    also = f", {w.whole(back)} the other way round" if back else ""
    return (f"{said}; {w.whole(there)} of “{names[g]}” {'is' if there == 1 else 'are'} in that of "
            f"“{names[h]}”{also}")
