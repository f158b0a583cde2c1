"""Tables of parts of the objects: of groups and of strata. They add up to the table of all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, shown
from ..clusterings.objects import names_in, ordered
from .contingency import Contingency, contingency_from_cells

#: keys that are counted densely, per object
_DENSE_PER_OBJECT = 4


def part_codes(what: str, labels: Any, n: int, names: Any = None
               ) -> tuple[np.ndarray, tuple[Any, ...]]:
    """Codes (n,) int64 and names of the groups or strata of n objects, one label each.

    Labels with names of objects are put in the order of the `names` of the n objects.
    """
    import pandas as pd
    if hasattr(labels, "__len__") and len(labels) == n:
        labels = ordered(labels, names, called=("x", what))
    values = labels
    if not isinstance(labels, (np.ndarray, pd.Series, pd.Index, pd.Categorical)):
        if isinstance(labels, str) or not hasattr(labels, "__len__"):
            raise ClusteringError(f"{what} is {shown(labels)}; one label for each of the {n} "
                                  "objects is needed")
        values = np.empty(len(labels), dtype=object)
        values[:] = list(labels)
    if len(getattr(values, "shape", (0,))) != 1 or len(values) != n:
        raise ClusteringError(f"{what} has {len(values)} labels; one for each of the {n} objects "
                              "is needed")
    try:
        codes, parts = pd.factorize(values, sort=True)
    except TypeError:   # labels of several types
        codes, parts = pd.factorize(values)
    if (codes < 0).any():
        raise ClusteringError(f"{what}: the label of {np.count_nonzero(codes < 0)} objects is "
                              f"missing, first of object {int(np.argmax(codes < 0))}; give these "
                              "objects a label or drop them")
    return codes.astype(np.int64), tuple(np.asarray(parts, dtype=object).tolist())


def names_of(source: Any) -> Any:
    """Names of the objects of two clusterings; None without any."""
    pair = source.objects
    return next((side.matched_names for side in (pair.x, pair.y)
                 if side.matched_names is not None), None)


def kept_labels(labels: Any, what: str, alignment: Any) -> Any:
    """Labels of the objects that are left when clusterings were aligned."""
    if alignment is None or labels is None:
        return labels
    names = alignment[0].object_names
    if names is not None and names_in(labels) is not None:
        return ordered(labels, names, called=(alignment.names[0], what), more=True)
    labels = ordered(labels, None if alignment[0].matched_names is None else
                     range(alignment.n_given[0]), called=(alignment.names[0], what))
    values = np.empty(len(labels), dtype=object)
    values[:] = list(labels)
    places = alignment.positions[0]
    if values.size != alignment.n_given[0] or (places < 0).any():
        raise ClusteringError(f"{what} has {values.size} labels; one for each of the "
                              f"{alignment.n_given[0]} objects of {alignment.names[0]} is needed, "
                              "which must have all objects that are compared")
    return values[places]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parts:
    """Non-empty cells of the tables of all parts, sorted by part, row and column.

    Attributes
    ----------
    names : tuple
        Of the parts.
    r, s : int
        Numbers of clusters of x and y.
    part, rows, cols, counts : ndarray, shape (k,), int64
    """

    names: tuple[Any, ...]
    r: int
    s: int
    part: np.ndarray
    rows: np.ndarray
    cols: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, source: Any, codes: np.ndarray, names: tuple[Any, ...],
           weights: np.ndarray | None = None) -> Parts:
        """Statistic of two hard clusterings, whose objects are in the parts `codes`.

        With weights of the objects (n,) counts are their sums, float64.
        """
        x, y = source.objects.codes
        r, s = source.n_clusters
        keys, counts = _counted((codes * r + x) * s + y, len(names) * r * s, weights)
        return cls(names=names, r=r, s=s, part=keys // (r * s), rows=keys // s % r,
                   cols=keys % s, counts=counts)

    @property
    def n_parts(self) -> int:
        return len(self.names)

    def by_part(self, values: np.ndarray) -> np.ndarray:
        """Sums of values (k,) of cells by part, int64; exact below 2^53."""
        return _sums(self.part, values, self.n_parts)

    @property
    def sizes(self) -> np.ndarray:
        """Objects of each part."""
        return self.by_part(self.counts)

    @property
    def squares(self) -> np.ndarray:
        """Sum of squared counts of each part."""
        return self.by_part(self.counts * self.counts)

    def margin(self, side: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Part, cluster and size of the non-empty clusters of "x" or "y" in each part."""
        clusters, width = (self.rows, self.r) if side == "x" else (self.cols, self.s)
        keys, sizes = _counted(self.part * width + clusters, self.n_parts * width, self.counts)
        return keys // width, keys % width, sizes

    def sizes_of_cells(self, side: str) -> np.ndarray:
        """Objects of the part in the cluster of "x" or "y" of each cell, (k,)."""
        part, cluster, sizes = self.margin(side)
        clusters, width = (self.rows, self.r) if side == "x" else (self.cols, self.s)
        return sizes[np.searchsorted(part * width + cluster, self.part * width + clusters)]

    def pooled(self) -> Contingency:
        """The table of all objects."""
        keys, counts = _counted(self.rows * self.s + self.cols, self.r * self.s, self.counts)
        return contingency_from_cells(keys // self.s, keys % self.s, counts, self.r, self.s)

    def table(self, h: int) -> np.ndarray:
        """The table of one part, (r, s) int64."""
        inside = slice(*np.searchsorted(self.part, [h, h + 1]))
        table = np.zeros((self.r, self.s), np.int64)
        table[self.rows[inside], self.cols[inside]] = self.counts[inside]
        return table


def parts_of(source: Any, what: str, labels: Any) -> Parts:
    """Tables of the groups or strata of two hard clusterings, one label for each object."""
    if labels is True and hasattr(source, "parts"):
        return source.parts(what)
    if not source.has_objects:
        raise ClusteringError(f"the table has no {what}: count with {what}=")
    for side, kind in zip("xy", source.kinds):
        if kind != "hard":
            raise ClusteringError(f"{side} is {kind}; tables of {what} need two hard clusterings: "
                                  f"{side}.harden() makes one by a named rule")
    return Parts.of(source, *part_codes(what, labels, source.n_objects, names_of(source)))


def _counted(keys: np.ndarray, limit: int, weights: np.ndarray | None = None
             ) -> tuple[np.ndarray, np.ndarray]:
    """Distinct keys below `most`, sorted, and how often each occurs or the sum of its weights."""
    if limit <= _DENSE_PER_OBJECT * max(keys.shape[0], 1000):
        sums = _sums(keys, weights, limit)
        used = np.flatnonzero(sums)
        return used, sums[used]
    used, places = np.unique(keys, return_inverse=True)
    return used, _sums(places.reshape(-1), weights, used.shape[0])


def _sums(codes: np.ndarray, values: np.ndarray | None, size: int) -> np.ndarray:
    sums = np.bincount(codes, weights=values, minlength=size)
    whole = values is not None and values.dtype.kind in "iu"
    return np.rint(sums).astype(np.int64) if whole else sums
