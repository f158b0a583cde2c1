"""Noise and missing labels turned into a clustering, object by object, by a named policy.

The clustering of the objects with known clusters is the base. Every other object gets its own
cluster or joins one for all of them, is unknown (in one of the clusters that occur), or is in none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice
from ._base import Clustering
from .cover import CoverClustering
from .evidential import EvidentialClustering
from .focal import MAX_CLUSTERS, bit_masks
from .fuzzy import FuzzyClustering
from .hard import HardClustering
from .possibilistic import PossibilisticClustering
from .rough import RoughClustering

NOISE = ("cluster", "singletons", "drop", "unknown", "empty", "uncovered", "raise")
MISSING = ("raise", "cluster", "singletons", "drop", "unknown", "uncovered")
#: up to this many clusters those made for single objects get names
MAX_NAMED = 65_536
#: largest matrix that unknown or single objects may make
MAX_BYTES = 2**31


def check_policy(what: str, rule: Any) -> str:
    """Return `rule` if it is a policy for "noise" or "missing", else raise."""
    if what == "missing" and isinstance(rule, str) and rule == "empty":
        raise ClusteringError('missing="empty" would mean that the object is in no cluster, but a '
                              "missing label says nothing; choose one of "
                              + ", ".join(map(repr, MISSING)))
    if isinstance(rule, str) and rule == "bounds":
        raise ClusteringError(f'{what}="bounds" is for all sides in compare and compare_all; '
                              "completion_bounds(x, y) gives the range of one measure")
    return check_choice(what, rule, NOISE if what == "noise" else MISSING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Special:
    """Objects that are not in the base.

    Attributes
    ----------
    new_cluster : (n,) int64
        Number of the new cluster of each object, -1 for none.
    names : list
        Names of the new clusters.
    unknown, empty : (n,) bool
        In one of the clusters that occur; in none of them.
    cover : bool
        Whether hard labels become a cover, so that these objects are in no cluster.
    """

    new_cluster: np.ndarray
    names: list[Any]
    unknown: np.ndarray
    empty: np.ndarray
    cover: bool = False

    @property
    def any(self) -> np.ndarray:
        """Mask of all special objects, (n,) bool."""
        return (self.new_cluster >= 0) | self.unknown | self.empty


def special(n: int, parts: list[tuple[str, np.ndarray, str, Any]], used_names: tuple[Any, ...]
            ) -> Special:
    """Apply policies to objects without a known cluster.

    Parameters
    ----------
    n : int
    parts : list of (what, positions, policy, name)
        For "noise" and "missing": positions of these objects, their policy, and the name of a
        cluster for all of them.
    used_names : tuple
        Names of the other clusters.
    """
    new_cluster = np.full(n, -1, dtype=np.int64)
    unknown, empty = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
    names: list[Any] = []
    many = len(used_names) + sum(len(rows) for _, rows, rule, _ in parts if rule == "singletons")
    for what, rows, rule, name in parts:
        if not rows.size:
            continue
        if rule == "cluster":
            new_cluster[rows] = len(names)
            free, k = name, 2
            while free in used_names or free in names:
                free, k = f"{name} {k}", k + 1
            names.append(free)
        elif rule == "singletons":
            new_cluster[rows] = len(names) + np.arange(rows.size)
            names += ([f"{what} {i}" for i in rows.tolist()] if many <= MAX_NAMED
                      else [None] * rows.size)
        elif rule == "unknown":
            unknown[rows] = True
        else:
            empty[rows] = True
    cover = any(rule == "uncovered" and rows.size for _, rows, rule, _ in parts)
    return Special(new_cluster=new_cluster, names=names, unknown=unknown, empty=empty, cover=cover)


def compose(base: Clustering | None, source: np.ndarray | None, what: Special) -> Clustering:
    """The base at `source` (n,), with the special objects added.

    `base` is None when no object is in a cluster; `source` is None for 0, ..., n - 1 and
    anything for special objects.
    """
    if what.cover and not (base is None or isinstance(base, HardClustering | CoverClustering)):
        raise ClusteringError('"uncovered" is for labels and covers, and this clustering is '
                              f'{base.kind}; "drop" leaves the objects out')
    if what.unknown.any() and (what.cover or isinstance(base, CoverClustering)):
        raise ClusteringError('"unknown" says that an object is in one of the clusters, and those '
                              'of a cover may be any number; for covers choose "singletons", '
                              '"cluster" or "drop"')
    if base is None or isinstance(base, HardClustering):
        return _from_hard(base, source, what)
    rows = np.arange(base.n_objects) if source is None else source
    safe = np.where(what.any, 0, rows)
    if isinstance(base, RoughClustering):
        return _rough(base, safe, what)
    if isinstance(base, CoverClustering):
        return _cover(base, safe, what)
    if isinstance(base, PossibilisticClustering):
        return _possibilistic(base, safe, what)
    if isinstance(base, FuzzyClustering) and not (what.unknown.any() or what.empty.any()):
        columns = _extended(base.membership[safe], what, 0.0)
        return FuzzyClustering(columns, cluster_names=_names(base.cluster_names, what))
    return _evidential(base.to_evidential("occurring"), safe, what)


def _names(names: tuple[Any, ...], what: Special) -> tuple[Any, ...] | None:
    if not what.names and names == tuple(range(len(names))):
        return None
    return None if None in what.names else (*names, *what.names)


# -- hard -------------------------------------------------------------------------------------
def _from_hard(base: HardClustering | None, source: np.ndarray | None, what: Special) -> Clustering:
    """Add special objects to hard labels; clusters that no longer occur are left out."""
    n = what.new_cluster.shape[0]
    codes = np.zeros(n, dtype=np.int64)
    names: tuple[Any, ...] = ()
    outside = what.any
    if base is not None:
        codes = (base.codes if source is None else base.codes[np.where(outside, 0, source)])
        counts = np.bincount(codes[~outside], minlength=base.n_clusters)
        used = np.flatnonzero(counts)
        if used.size < base.n_clusters:
            rank = np.zeros(base.n_clusters, dtype=np.int64)
            rank[used] = np.arange(used.size)
            codes = rank[codes]
        names = tuple(base.cluster_names[k] for k in used)
    old, new = len(names), len(what.names)
    labels = codes.astype(np.min_scalar_type(max(old + new - 1, 1)))
    mine = what.new_cluster >= 0
    labels[mine] = old + what.new_cluster[mine]
    called = _names(names, what)
    if what.cover:
        inside = np.flatnonzero(~what.empty)
        return CoverClustering.of_entries(inside, labels[inside], n, old + new,
                                          cluster_names=called)
    if not (what.unknown.any() or what.empty.any()):
        return HardClustering(labels, n_clusters=old + new, cluster_names=called)
    if old + new == 0:
        raise ClusteringError(
            "no cluster is left, so noise and missing labels can be neither in nor outside one; "
            'noise="singletons" (missing="singletons") makes each object a cluster of its own')
    inside = ~(what.unknown | what.empty)
    if not what.empty.any():
        _check_size(n, old + new, 1)
        upper = np.zeros((n, old + new), dtype=np.bool_)
        upper[inside, labels[inside]] = True
        upper[what.unknown] = True
        return RoughClustering.from_upper(upper, cluster_names=called)
    _check_clusters(old + new)
    _check_size(n, old + new + 2, 8)
    singles = np.zeros((n, old + new))
    singles[inside, labels[inside]] = 1.0
    return with_outside(singles, what.empty, what.unknown if what.unknown.any() else None, called)


def with_outside(singles: np.ndarray, empty: np.ndarray | None, unknown: np.ndarray | None,
                 names: tuple[Any, ...] | None) -> EvidentialClustering:
    """Masses (n, c) on single clusters, with some (n,) on no cluster or on the set of all."""
    c = singles.shape[1]
    sets, mass = [np.eye(c, dtype=np.bool_)], [singles]
    if unknown is not None and c > 1:
        sets, mass = [*sets, np.ones((1, c), np.bool_)], [*mass, unknown[:, None]]
    elif unknown is not None:   # a single cluster is the set of all clusters
        mass = [singles + unknown[:, None]]
    if empty is not None:
        sets, mass = [np.zeros((1, c), np.bool_), *sets], [empty[:, None], *mass]
    return EvidentialClustering(np.hstack(mass), np.vstack(sets), cluster_names=names)


def _check_clusters(c: int) -> None:
    if c > MAX_CLUSTERS:
        raise ClusteringError(f"{c} clusters are too many for masses on sets of them (at most "
                              f'{MAX_CLUSTERS}), which "empty" and "unknown" make; "singletons", '
                              '"cluster" and "drop" work with any number')


def _check_size(n: int, columns: int, size: int) -> None:
    if n * columns * size > MAX_BYTES:
        raise ClusteringError(f"a matrix of {n} objects by {columns} columns takes "
                              f"{n * columns * size / 2**30:.3g} GiB, more than "
                              f"{MAX_BYTES / 2**30:.3g}; \"drop\" or \"cluster\" need none")


# -- soft -------------------------------------------------------------------------------------
def _extended(values: np.ndarray, what: Special, unknown: float) -> np.ndarray:
    """Rows of the base with columns for the new clusters."""
    n, c = values.shape
    _check_size(n, c + len(what.names), values.itemsize)
    out = np.zeros((n, c + len(what.names)), dtype=values.dtype)
    out[:, :c] = values
    out[what.any] = 0
    mine = np.flatnonzero(what.new_cluster >= 0)
    out[mine, c + what.new_cluster[mine]] = 1
    out[what.unknown] = unknown
    return out


def _rough(base: RoughClustering, rows: np.ndarray, what: Special) -> Clustering:
    if what.empty.any():
        return _evidential(base.to_evidential("occurring"), rows, what)
    return RoughClustering.from_upper(_extended(base.upper[rows], what, True),
                                      cluster_names=_names(base.cluster_names, what))


def _cover(base: CoverClustering, rows: np.ndarray, what: Special) -> Clustering:
    c, ordinary = base.n_clusters, np.flatnonzero(~what.any)
    starts, clusters = (base.subset(rows[ordinary]).by_object if ordinary.size else
                        (np.zeros(1, np.int64), np.zeros(0, np.int64)))
    mine = np.flatnonzero(what.new_cluster >= 0)
    return CoverClustering.of_entries(
        np.concatenate([np.repeat(ordinary, np.diff(starts)), mine]),
        np.concatenate([clusters, c + what.new_cluster[mine]]), rows.shape[0], c + len(what.names),
        cluster_names=_names(base.cluster_names, what))


def _possibilistic(base: PossibilisticClustering, rows: np.ndarray, what: Special) -> Clustering:
    return PossibilisticClustering(_extended(base.typicality[rows], what, 1.0),
                                   cluster_names=_names(base.cluster_names, what))


def _evidential(base: EvidentialClustering, rows: np.ndarray, what: Special
                ) -> EvidentialClustering:
    c, new = base.n_clusters, len(what.names)
    _check_clusters(c + new)
    old = np.hstack([base.focal_sets, np.zeros((base.focal_sets.shape[0], new), dtype=np.bool_)])
    more = [np.eye(c + new, dtype=np.bool_)[c:]]
    if what.unknown.any():
        more.append(np.ones((1, c + new), dtype=np.bool_))
    if what.empty.any():
        more.append(np.zeros((1, c + new), dtype=np.bool_))
    masks = np.unique(bit_masks(np.vstack([old, *more])))
    place = {int(mask): b for b, mask in enumerate(masks)}
    sets = (masks[:, None] >> np.arange(c + new, dtype=np.uint64) & np.uint64(1)).astype(np.bool_)
    mass = np.zeros((rows.shape[0], len(masks)))
    mass[:, [place[int(mask)] for mask in bit_masks(old)]] = base.mass[rows]
    mass[what.any] = 0.0
    mine = np.flatnonzero(what.new_cluster >= 0)
    mass[mine, [place[1 << int(c + k)] for k in what.new_cluster[mine]]] = 1.0
    if what.unknown.any():
        mass[what.unknown, place[int(bit_masks(np.ones((1, c + new), dtype=np.bool_))[0])]] = 1.0
    if what.empty.any():
        mass[what.empty, place[0]] = 1.0
    return EvidentialClustering(mass, sets, cluster_names=_names(base.cluster_names, what))
