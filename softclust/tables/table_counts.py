"""Counts of pairs of labels that add up in any order, for tables and counters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ..clusterings.labels import foreign_array, known_labels, label_codes
from .contingency import contingency
from .counting import count_labels, exact_total

#: objects that a table may count
MOST_OBJECTS = 1 << 63
_SHIFT = 32
#: objects whose weights are summed at once
_OBJECTS = 1 << 20
#: weights that are allowed
_SMALLEST, _LARGEST = 1e-60, 1e60
_WORDS = {bool: "booleans", int: "whole numbers", str: "strings", bytes: "bytes"}


class Names:
    """The labels of one side, numbered as they come."""

    def __init__(self, side: str) -> None:
        self.side = side
        self.codes: dict[Any, int] = {}
        self.kind: type | None = None

    def numbers(self, names: Iterable[Any], where: str) -> np.ndarray:
        """Numbers (k,) int64 of distinct names, all of one type."""
        labels = list(names)
        for name in labels:
            kind = _kind(name)
            if self.kind is None:
                self.kind = kind
            elif kind is not self.kind:
                raise ClusteringError(
                    f"{self.side} has {_word(kind)}{where} and {_word(self.kind)} before; labels "
                    "of one type are needed in all chunks: [str(v) for v in labels] makes strings")
        codes = self.codes
        for name in labels:
            codes.setdefault(name, len(codes))
        if len(codes) >= 1 << 31:
            raise ClusteringError(f"{self.side} has {len(codes)} distinct labels; at most 2^31 - 1 "
                                  "are allowed")
        return np.array([codes[name] for name in labels], np.int64)

    def in_order(self) -> tuple[tuple[Any, ...], np.ndarray]:
        """The names sorted by value, and the place of each number."""
        names = list(self.codes)
        try:
            order = sorted(range(len(names)), key=names.__getitem__)
        except TypeError:
            order = list(range(len(names)))   # categories without an order of their own
        place = np.empty(len(names), np.int64)
        place[order] = np.arange(len(names))
        return tuple(names[k] for k in order), place


def _kind(name: Any) -> type:
    for kind in _WORDS:
        if isinstance(name, kind):
            return kind
    return type(name)


def _word(kind: type | None) -> str:
    return _WORDS.get(kind, f"labels of type {getattr(kind, '__name__', kind)}")  # type: ignore


# -- chunks -----------------------------------------------------------------------------------
class Chunk:
    """Labels of some objects, checked: codes and names of both sides, weights."""

    def __init__(self, x: Any, y: Any, weights: np.ndarray | None, missing: str, where: str
                 ) -> None:
        self.dropped = 0
        #: frequencies or weights of the dropped objects
        self.lost: np.ndarray | None = None
        self.table: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        if weights is None and _plain(x) and _plain(y) and x.shape == y.shape:
            self.table = count_labels(x, y)
            if self.table is not None:
                return
        if weights is not None and weights.shape[0] != _length(x):
            raise ClusteringError(f"there are {weights.shape[0]} weights or frequencies for "
                                  f"{_length(x)} objects{where}; one per object is needed")
        lost_x, x = _known("x", x, missing, where)
        lost_y, y = _known("y", y, missing, where)
        if lost_x is not None or lost_y is not None:
            _same_length(x, y, where)
            lost = np.zeros(_length(x), bool)
            for mask in (lost_x, lost_y):
                if mask is not None:
                    lost |= mask
            x, y, self.dropped = _taken(x, ~lost), _taken(y, ~lost), int(lost.sum())
            if weights is not None:
                self.lost, weights = weights[lost], weights[~lost]
        if weights is not None and not (weights > 0).all():
            _same_length(x, y, where)
            used = weights > 0
            x, y, weights = _taken(x, used), _taken(y, used), weights[used]
        self.weights = weights
        self.x, self.y = _coded("x", x, where), _coded("y", y, where)
        _same_length(self.x[0], self.y[0], where)


def _plain(labels: Any) -> bool:
    return (type(labels) is np.ndarray and labels.ndim == 1 and labels.flags.c_contiguous
            and labels.dtype in (np.dtype(np.int64), np.dtype(np.int32)))


def _length(labels: Any) -> int:
    return int(labels.shape[0]) if hasattr(labels, "shape") else len(labels)


def _same_length(x: Any, y: Any, where: str) -> None:
    n, m = _length(x), _length(y)
    if n != m:
        raise ClusteringError(f"x has {n} labels and y has {m}{where}; two labels per object are "
                              "needed")


def _known(side: str, labels: Any, missing: str, where: str) -> tuple[np.ndarray | None, Any]:
    """Mask of the missing labels, and the labels in a form that can be masked."""
    if getattr(labels, "kind", None) == "hard":   # a HardClustering
        names = labels.cluster_names
        codes = labels.labels
        return None, _Coded(codes, tuple(range(labels.n_clusters) if names is None else names))
    if not isinstance(labels, Sequence) and not hasattr(labels, "shape") and (
            not hasattr(labels, "__array__") and not hasattr(labels, "to_numpy")):
        if not hasattr(labels, "__dlpack__"):
            raise ClusteringError(f"{side} is of type {type(labels).__name__}{where}; a list or "
                                  "array with one label per object is needed")
        labels = foreign_array(labels)
    lost, _ = known_labels(labels)
    if lost is None:
        return None, labels
    if missing == "raise":
        count = int(np.count_nonzero(lost))
        raise ClusteringError(
            f"{side} has {count} missing label{'s' if count > 1 else ''}{where} (the first is "
            f'{side}[{int(lost.argmax())}]); missing="drop" leaves out objects without a label '
            "(on the command line: --missing drop)")
    return lost, labels


class _Coded:
    """Codes of a hard clustering with its names."""

    def __init__(self, codes: np.ndarray, names: tuple[Any, ...]) -> None:
        self.codes, self.names = codes, names
        self.shape = codes.shape


def _taken(labels: Any, mask: np.ndarray) -> Any:
    if isinstance(labels, _Coded):
        return _Coded(labels.codes[mask], labels.names)
    if type(labels).__module__.partition(".")[0] in ("pandas", "numpy"):
        return labels[mask]
    if hasattr(labels, "to_numpy"):
        return foreign_array(labels)[mask]
    return [value for value, use in zip(labels, mask.tolist()) if use]


def _coded(side: str, labels: Any, where: str) -> tuple[np.ndarray, int, tuple[Any, ...]]:
    if _length(labels) == 0:
        return np.zeros(0, np.uint8), 0, ()
    if isinstance(labels, _Coded):
        return labels.codes, len(labels.names), labels.names
    try:
        codes, count, names = label_codes(labels)
    except ClusteringError as error:
        raise ClusteringError(f"{side}{where}: {error}") from None
    return codes, count, tuple(range(count)) if names is None else names


def coded_cells(x: Any, y: Any, rows: np.ndarray, counts: np.ndarray, missing: str
                ) -> tuple[np.ndarray, list[tuple[np.ndarray, tuple[Any, ...]]], int]:
    """Mask of the cells (k,) without missing labels, their codes and names, and dropped objects.

    `rows` are the numbers of objects, `counts` these or their weights.
    """
    lost = np.zeros(rows.shape[0], bool)
    for side, labels in (("x", x), ("y", y)):
        mask, _ = known_labels(labels)
        if mask is not None and missing == "raise" and rows[mask].any():
            raise ClusteringError(f"{side} has {int(rows[mask].sum())} missing labels; "
                                  'missing="drop" leaves out objects without a label '
                                  "(on the command line: --missing drop)")
        lost |= False if mask is None else mask
    used = ~lost & (counts > 0)
    coded = [_coded(side, _taken(labels, used), "")[::2] for side, labels in (("x", x), ("y", y))]
    return used, coded, int(rows[lost].sum())


# -- sums -------------------------------------------------------------------------------------
class Tally:
    """Counts, or sums of weights, of pairs of labels.

    Sorted runs of cells are merged while the last is more than half the one before: each cell is
    sorted O(log chunks) times, memory O(distinct cells).
    """

    def __init__(self) -> None:
        self.x, self.y = Names("x"), Names("y")
        self.runs: list[tuple[np.ndarray, np.ndarray]] = []
        self.weighted: bool | None = None
        self.total = 0
        self.dropped = 0

    def add_chunk(self, chunk: Chunk, *, frequencies: bool, where: str = "") -> None:
        """Count the objects of a chunk; nothing is counted when something is wrong."""
        weighted = chunk.table is None and chunk.weights is not None and not frequencies
        self._check_weighted(weighted)
        if chunk.table is not None:
            table, *labels = chunk.table
            rows, cols = np.nonzero(table)
            counts = table[rows, cols].astype(np.int64)
            names: tuple[Any, Any] = (labels[0].tolist(), labels[1].tolist())
            self._add(rows, cols, counts, names, where)
        elif chunk.x[0].shape[0]:
            (x, r, x_names), (y, s, y_names) = chunk.x, chunk.y
            names = (x_names, y_names)
            if chunk.weights is None:
                c = contingency(x, r, y, s)
                self._add(c.rows, c.cols, c.counts, names, where)
            elif weighted:
                check_weights(chunk.weights)
                for start in range(0, x.shape[0], _OBJECTS):
                    part = slice(start, start + _OBJECTS)
                    self._add(x[part], y[part], weight_sums(chunk.weights[part]), names, where)
            else:
                keys, cell = np.unique(x.astype(np.int64) * s + y, return_inverse=True)
                counts = np.zeros(keys.shape[0], np.int64)
                self._check_total(exact_total(chunk.weights))
                np.add.at(counts, cell.reshape(-1), chunk.weights)
                self._add(keys // s, keys % s, counts, names, where)
        if frequencies and chunk.lost is not None:
            self.dropped += exact_total(chunk.lost)
        else:
            self.dropped += chunk.dropped

    def _check_weighted(self, weighted: bool) -> None:
        if self.weighted is not None and self.weighted != weighted and self.runs:
            raise ClusteringError("tables with and without weights do not merge: a count is not "
                                  "a sum of weights; count all objects with weights (1 where "
                                  "there is none), or all without")
        self.weighted = weighted

    def _check_total(self, more: int) -> None:
        if self.total + more >= MOST_OBJECTS:
            raise ClusteringError(f"{self.total + more} objects are counted; fewer than 2^63 are "
                                  "allowed")

    def _add(self, rows: np.ndarray, cols: np.ndarray, counts: np.ndarray,
             names: tuple[Any, Any], where: str) -> None:
        total = exact_total(counts) if counts.ndim == 1 else int(counts[3].sum())
        self._check_total(total)
        x, y = self.x.numbers(names[0], where), self.y.numbers(names[1], where)
        self.runs.append(_summed((x[rows] << _SHIFT) | y[cols], counts))
        while len(self.runs) > 1 and 2 * len(self.runs[-1][0]) > len(self.runs[-2][0]):
            (k1, c1), (k2, c2) = self.runs.pop(), self.runs.pop()
            self.runs.append(_summed(np.concatenate([k1, k2]),
                                     np.concatenate([c1, c2], axis=-1)))
        self.total += total

    def add_counts(self, rows: np.ndarray, cols: np.ndarray, counts: Any,
                   names: tuple[Any, Any], dropped: int = 0) -> None:
        """Add counts (k,) int64, or `weight_sums` (4, k), of cells (k,), numbers in `names`."""
        self._check_weighted(counts.ndim == 2)
        if rows.size:
            self._add(rows, cols, counts, names, "")
        self.dropped += dropped

    def cells(self) -> tuple[tuple[Any, ...], tuple[Any, ...], np.ndarray, np.ndarray, Any]:
        """Names of both sides, sorted, cells in row-major order, and counts or `weight_sums`."""
        x_names, x_place = self.x.in_order()
        y_names, y_place = self.y.in_order()
        runs = self.runs or [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
        keys, counts = _summed(*(np.concatenate(each, axis=-1) for each in zip(*runs)))
        x_names, rows = used_names(x_names, x_place[keys >> _SHIFT])
        y_names, cols = used_names(y_names, y_place[keys & ((1 << _SHIFT) - 1)])
        order = np.lexsort((cols, rows))
        return x_names, y_names, rows[order], cols[order], counts[..., order]


def used_names(names: tuple[Any, ...], codes: np.ndarray) -> tuple[tuple[Any, ...], np.ndarray]:
    """The names that occur, and codes among them."""
    used = np.zeros(len(names), bool)
    used[codes] = True
    if used.all():
        return names, codes
    return tuple(name for name, u in zip(names, used.tolist()) if u), (np.cumsum(used) - 1)[codes]


def check_weights(weights: np.ndarray) -> None:
    """Raise unless products of four weights are finite and normal floats."""
    if weights.size and not _SMALLEST <= weights.min() <= weights.max() <= _LARGEST:
        raise ClusteringError(f"weights are between {weights.min():g} and {weights.max():g}; only "
                              f"orders of magnitude from {_SMALLEST:g} to {_LARGEST:g} are "
                              "allowed: divide the weights by their mean")


def weight_sums(weights: np.ndarray, squares: Any = None, objects: Any = 1) -> np.ndarray:
    """Sums of weights, of their squares and of the products of pairs, and objects, (4, k).

    By default each weight is that of one object. The products are kept because squares of sums
    minus sums of squares lose the digits of small weights next to large ones.
    """
    check_weights(weights)
    products = np.zeros(weights.size) if squares is None else np.where(
        np.asarray(objects) > 1, np.maximum(weights**2 - squares, 0.0) / 2, 0.0)
    return np.stack([weights, weights**2 if squares is None else squares, products,
                     np.broadcast_to(objects, weights.shape)])


def _summed(keys: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sorted distinct keys and the sums of their counts (k,) or `weight_sums` (4, k)."""
    if not keys.size:
        return keys, counts
    order = np.argsort(keys, kind="stable") if counts.ndim == 1 else np.lexsort((counts[0], keys))
    keys, counts = keys[order], counts[..., order]
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    sums = np.add.reduceat(counts, starts, axis=-1)
    if counts.ndim == 2:
        sums[2] += pair_products(counts[0], starts)
    return keys[starts], sums


def pair_products(weights: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Sums of the products of all pairs in each group of weights, which ascend in a group.

    The largest weight is multiplied by the sum of the others, so that nothing cancels.
    """
    last = np.append(starts[1:], weights.size) - 1
    others = weights.copy()
    others[last] = 0.0
    rest, squares = np.add.reduceat(others, starts), np.add.reduceat(others * others, starts)
    return weights[last] * rest + np.maximum(rest * rest - squares, 0.0) / 2
