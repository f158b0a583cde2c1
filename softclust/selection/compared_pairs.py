"""Pairs of clusters: the objects that are compared, their separation, and that of references.

Theory: docs/theory/separation.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ..cluster.batched_kmeans import NO_UNIFORMS, fit_block, near_origin
from ..results.text import both
from ..running.blas import one_thread
from ..running.random_numbers import Streams
from .evidence import separations
from .references import References

#: axes along which a reference is cut, and rounds of k-means from there
_AXES, _MAX_ITER = 3, 300
#: numbers that are held at once
_HELD = 1 << 18
#: values that differ by less are equal
SAME = 1e-12
#: eigenvalues below this share of the first are those of axes without any spread
_FLAT = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPair:
    """Two clusters that are compared.

    Attributes
    ----------
    clusters : (int, int)
    names : tuple
        Their labels.
    rows : (N,) int64
        The compared objects, those of the first cluster first.
    size : int
        Number of those.
    objects : int
        Of both clusters.
    sets : (B, N, d) or None
        Given references.
    """

    clusters: tuple[int, int]
    names: tuple[Any, Any]
    rows: np.ndarray
    size: int
    objects: int
    sets: np.ndarray | None = None

    @classmethod
    def of(cls, x: np.ndarray, clusters: tuple[int, int], names: tuple[Any, ...],
           members: list[np.ndarray], window: Any) -> ComparedPair:
        """All objects of two clusters, or those nearest to the middle of the closest two."""
        first, second = members[clusters[0]], members[clusters[1]]
        objects = first.size + second.size
        if window != "whole":
            places, distances = nearest_rows(x[first], x[second])
            a = int(distances.argmin())
            middle = (x[first[a]] + x[second[places[a, 0]]])[None] / 2
            m = min(window, first.size, second.size)
            first, second = (
                rows[np.argsort(nearest_rows(x[rows], middle)[1][:, 0], kind="stable")[:m]]
                for rows in (first, second))
        return cls(clusters=clusters, names=(names[clusters[0]], names[clusters[1]]),
                   rows=np.concatenate([first, second]), size=first.size, objects=objects)

    def with_sets(self, reference_sets: Any, d: int) -> ComparedPair:
        """The pair with its given references."""
        if self.names not in reference_sets:
            raise ClusteringError(f"reference_sets has no sets for the pair {self.names}; each of "
                                  "the compared pairs of labels (first, second) needs some")
        sets = np.array(reference_sets[self.names], dtype=np.float64)
        if sets.ndim != 3 or sets.shape[1:] != (self.rows.size, d) or not sets.shape[0]:
            raise ClusteringError(f"reference_sets[{self.names}] has shape {sets.shape}; (B, "
                                  f"{self.rows.size}, {d}) is needed")
        if not np.isfinite(sets).all():
            raise ClusteringError(f"reference_sets[{self.names}] has entries that are not finite")
        return replace(self, sets=sets)

    def separation(self, x: np.ndarray) -> tuple[int, float, float]:
        """Objects in the balanced window, the order of the labels, and the dip."""
        points, _ = near_origin(x[self.rows][None])
        objects, dips = separations(points, (np.arange(self.rows.size) >= self.size)[None], 2)
        first, second = points[0, :self.size], points[0, self.size:]
        way = second.mean(axis=0) - first.mean(axis=0)
        if np.abs(way).max() <= SAME * np.abs(points).max():
            return int(objects[0, 0]), 0.0, float(dips[0, 0])
        # Summed row by row: equal rows have equal places.
        first, second = (np.sort((side * way).sum(axis=1)) for side in (first, second))
        lead = (np.arange(1, first.size + 1) / first.size
                - np.searchsorted(second, first, side="right") / second.size)
        return int(objects[0, 0]), float(lead.max()), float(dips[0, 0])


@dataclass(frozen=True, slots=True, kw_only=True)
class PairReferences:
    """Separations of references: number r B + b is set b of pair r.

    Attributes
    ----------
    x : (n, d) float64
        Without the noise of units.
    pairs : tuple of ComparedPair
    before : int
        Pairs before these.
    count : int
        Sets B of a pair.
    reference : str or callable
    units : (d,) float64
    streams : Streams
    curved : bool
        Whether thresholds on the first axis count, too.
    """

    x: np.ndarray
    pairs: tuple[ComparedPair, ...]
    count: int
    reference: Any
    units: np.ndarray
    streams: Streams
    curved: bool
    before: int = 0

    def part(self, start: int, stop: int) -> PairReferences:
        """The part that a range of references needs."""
        before = start // self.count
        pairs = self.pairs[before:-(-stop // self.count)]
        needed, places = np.unique(np.concatenate([pair.rows for pair in pairs]),
                                   return_inverse=True)
        ends = np.cumsum([pair.rows.size for pair in pairs])[:-1]
        return replace(self, x=self.x[needed], before=before, pairs=tuple(
            replace(pair, rows=rows) for pair, rows in zip(
                pairs, np.split(places.reshape(-1), ends))))

    def __call__(self, start: int, stop: int) -> np.ndarray:
        parts = []
        with one_thread():
            for r in range(start // self.count, -(-stop // self.count)):
                pair, first = self.pairs[r - self.before], r * self.count
                make = self._maker(pair)
                last = min(stop - first, self.count)
                step = max(1, _HELD // (pair.rows.size * self.x.shape[1]))
                for b in range(max(start - first, 0), last, step):
                    points = np.array([make(c) for c in range(b, min(b + step, last))])
                    if pair.sets is not None or callable(self.reference):
                        points, _ = near_origin(points)
                    parts.append(largest_separations(points, self.curved))
        return np.concatenate(parts)

    def _maker(self, pair: ComparedPair) -> Callable[[int], np.ndarray]:
        """Function that gives reference b of a pair."""
        if pair.sets is not None:
            return pair.sets.__getitem__
        u, sides = self.x[pair.rows], (np.arange(pair.rows.size) >= pair.size).astype(np.int64)
        if not callable(self.reference):
            # Around 0, which changes nothing and keeps all digits.
            one = References.of(u - u.mean(axis=0), np.zeros(len(u), np.int64), self.reference,
                                self.units)
            return lambda b: one.draw(self.streams.generator(2, *pair.clusters, b))

        def make(b: int) -> np.ndarray:
            rng = self.streams.generator(2, *pair.clusters, b)
            made = np.asarray(self.reference(u, sides, rng), dtype=np.float64)
            if made.shape != u.shape or not np.isfinite(made).all():
                raise ClusteringError(
                    f"reference {b} of {both(pair.names)} has shape {made.shape} or entries that "
                    f"are not finite; {u.shape} finite numbers are needed")
            return made
        return make


def largest_separations(points: np.ndarray, curved: bool) -> np.ndarray:
    """Separation of the best of several cuts of each data set (B, N, d) near 0 in two, (B,).

    A set is cut at its mean along each of its first principal axes, and k-means moves the cut; if
    `curved`, thresholds along the first axis that leave a third on each side count, too. 0 for a
    set without any spread.
    """
    count, n, d = points.shape
    centred = points - points.mean(axis=1, keepdims=True)
    turned = centred.transpose(0, 2, 1)
    values, vectors = np.linalg.eigh(centred @ turned if d > n else turned @ centred)
    values, axes = values[:, :-_AXES - 1:-1], vectors[:, :, :-_AXES - 1:-1]
    axes = turned @ axes if d > n else axes
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], axis=1)
    scores = centred @ (axes * np.where(largest < 0.0, -1.0, 1.0))
    best, spread = np.zeros(count), values[:, 0] > n * (
        SAME * np.abs(points).max(axis=(1, 2))) ** 2

    def cut(sides: np.ndarray, valid: np.ndarray) -> None:
        objects, dips = separations(points, sides, 2)
        np.maximum(best, np.where(valid, np.sqrt(objects[:, 0]) * dips[:, 0], 0.0), out=best)

    for a in range(values.shape[1]):
        ones = (scores[:, None, :, a] > 0.0).astype(np.float64)
        starts = [(side @ points) / np.maximum(side.sum(axis=2, keepdims=True), 1.0)
                  for side in (1.0 - ones, ones)]
        fit = fit_block(points, np.ones((1, n)), count, uniforms=NO_UNIFORMS,
                        init=np.stack(starts, axis=2), max_iter=_MAX_ITER)
        assert fit.labels is not None
        cut(fit.labels, spread & (values[:, a] > _FLAT * values[:, 0]))
    if curved:
        rank = np.argsort(np.argsort(scores[:, :, 0], axis=1, kind="stable"), axis=1)
        least = max(1, n // 3)
        for t in range(least, n - least + 1):
            cut(rank >= t, spread)
    return best


def nearest_rows(x: np.ndarray, others: np.ndarray, count: int = 1
                 ) -> tuple[np.ndarray, np.ndarray]:
    """Places and distances of the nearest of others, (n, count), the first among equal ones."""
    from scipy.spatial.distance import cdist
    places, nearest = np.empty((len(x), count), np.int64), np.empty((len(x), count))
    step = max(1, _HELD // others.shape[0])
    for start in range(0, len(x), step):
        distances = cdist(x[start:start + step], others)
        rows = np.arange(len(distances))
        for c in range(count):
            found = distances.argmin(axis=1)
            places[start:start + step, c] = found
            nearest[start:start + step, c] = distances[rows, found]
            distances[rows, found] = np.inf
    return places, nearest
