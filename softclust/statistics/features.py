"""One clustering as the features that the pair kernel reads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._checks import ClusteringError
from ..clusterings import Clustering, PossibilisticClustering
from ..clusterings.focal import mass_table

DOT, COMPLEMENT, POSSIBILISTIC = 0, 1, 2  # as in _kernels.relations
#: largest feature matrix of one side
MAX_BYTES = 1 << 33

@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """Features of one side of the pair kernel; see `_kernels.relations.pair_units`."""

    x: np.ndarray
    singles: int
    masks: np.ndarray
    g: np.ndarray
    rule: int

    @property
    def arguments(self) -> tuple[np.ndarray, int, np.ndarray, np.ndarray, int]:
        """In the kernel's order."""
        return self.x, self.singles, self.masks, self.g, self.rule

    @property
    def depth(self) -> int:
        """Number of feature rows D."""
        return int(self.x.shape[0])


def side(clustering: Clustering) -> Side:
    """Features of `clustering` for the pair kernel."""
    if isinstance(clustering, PossibilisticClustering):
        return _possibilistic_side(clustering.typicality)
    table = mass_table(clustering)
    if 8 * table.n_sets * clustering.n_objects > MAX_BYTES:
        raise ClusteringError(
            f"a {clustering.kind} clustering of {clustering.n_objects} objects with "
            f"{table.n_sets} focal sets needs {8e-9 * table.n_sets * clustering.n_objects:.3g} GB "
            f"in the pair loop, more than {MAX_BYTES / 1e9:.3g} GB: merge clusters or sets, or "
            "take a .subset of the objects")
    single, masks = table.single, table.masks
    if table.all_single:
        rule, columns = COMPLEMENT, np.arange(single.size)
    else:
        rule = DOT
        active = ~single & _disjoint_from_some(masks)
        columns = np.concatenate([np.flatnonzero(single), np.flatnonzero(active)])
    return Side(x=np.ascontiguousarray(table.dense().T[columns]), singles=int(single.sum()),
                masks=np.ascontiguousarray(masks[columns]),
                g=np.ascontiguousarray(table.nonempty), rule=rule)


def _disjoint_from_some(masks: np.ndarray) -> np.ndarray:
    """Which sets are disjoint from another one, (f,) bool; blocks bound the memory."""
    result = np.zeros(masks.shape[0], dtype=bool)
    for start in range(0, masks.shape[0], 1024):
        rows = masks[start:start + 1024]
        meets = (rows[:, None, :] & masks[None, :, :]).any(axis=2)
        result[start:start + 1024] = ~meets.all(axis=1)
    return result


def _possibilistic_side(typicality: np.ndarray) -> Side:
    n, c = typicality.shape
    best = typicality.argmax(axis=1)
    top = typicality[np.arange(n), best]
    second = np.partition(typicality, c - 2, axis=1)[:, c - 2] if c > 1 else np.zeros(n)
    x = np.zeros((2 * c, n))
    x[:c] = typicality.T
    x[c + best, np.arange(n)] = top - second
    g = np.zeros(0) if bool(np.all(top == 1.0)) else top.copy()
    return Side(x=x, singles=c, masks=np.zeros((0, 1), dtype=np.uint64), g=g,
                rule=POSSIBILISTIC)
