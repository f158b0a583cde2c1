"""Replicates by the compiled k-means: many at once, drawn, fitted and counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..cluster.batched_kmeans import (
    EMPTY,
    NO_STARTS,
    NO_UNIFORMS,
    STOPPED,
    batched_kmeans,
    fit_block,
    near_origin,
    nearest_labels,
)
from ..running.blas import one_thread
from ..running.threads import run_chunks
from ..tables.matching import match_columns, method_code, n_choices
from .schemes import PROPER, Drawing

STARTS = ("k-means++", "random", "warm")
VOTES = ("draws", "once", "all")
#: numbers of the points and weights of replicates that are fitted at once
_HELD = 1 << 20
#: starts times centres times features times objects that take about a hundredth of a second, and
#: those that take as long as drawing a replicate
_PILOT_TERMS, _DRAW_TERMS = 3e6, 3e4
#: scores of nearest centres held at once
_SCORES = 1 << 22


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockVotes:
    """Results of a range of replicates.

    Attributes
    ----------
    votes : (n, K) int64
    centers : (B, K, d) float64
        Centres of each replicate in the order of the base clusters.
    happened : (3,) int64
        Matchings with equal optima, fits cut short, fits with too few distinct points.
    """

    votes: np.ndarray
    centers: np.ndarray
    happened: np.ndarray


@dataclass(frozen=True, slots=True, kw_only=True)
class KMeansVotes(Drawing):
    """The votes of a range of bagging replicates.

    Attributes
    ----------
    base_labels : (n,) int64
    base_centers : (K, d) float64
    init, n_init, max_iter
        Starts of a replicate's k-means.
    weighted : bool
        Whether the weights of the draws count.
    overlap, voting, matching : str
        Which votes count in the overlap and in the result; how clusters are renamed.
    """

    base_labels: np.ndarray
    base_centers: np.ndarray
    init: str
    n_init: int
    max_iter: int
    weighted: bool
    overlap: str
    voting: str
    matching: str

    @property
    def pilot(self) -> int:
        """Replicates of the first chunk: of about a hundredth of a second."""
        terms = self.n_init * self.base_centers.size * self.x.shape[0]
        return 1 + int(_PILOT_TERMS / (_DRAW_TERMS + terms))

    def __call__(self, start: int, stop: int) -> BlockVotes:
        clusters, d = self.base_centers.shape
        result = BlockVotes(
            votes=np.zeros((self.x.shape[0], clusters), dtype=np.int64),
            centers=np.empty((stop - start, clusters, d)), happened=np.zeros(3, dtype=np.int64))
        x, shift = near_origin(self.x[None])
        held = (self.x.shape[0] + self._n_extra) * (d + 1 if self._n_extra else 1)
        step = max(1, _HELD // held)
        with one_thread():
            for first in range(start, stop, step):
                last = min(first + step, stop)
                result.centers[first - start:last - start] = shift + self._add(
                    first, last, x, shift, result)
        return result

    @property
    def _n_extra(self) -> int:
        """Points of a replicate that may come from the prior."""
        if self.scheme.code != PROPER:
            return 0
        return self.scheme.m if self.ready is None else self.ready.source.shape[1]

    def _add(self, first: int, last: int, x: np.ndarray, shift: np.ndarray, result: BlockVotes
             ) -> np.ndarray:
        """Fit replicates and add their votes; their centres in the order of the base clusters."""
        count, n = last - first, self.x.shape[0]
        clusters, d = self.base_centers.shape
        code = method_code(self.matching, "remaining")
        counts = np.empty((count, n), dtype=np.int64)      # draws of each object
        mass = np.zeros((count, n + self._n_extra))        # their weights, and those of the prior
        points = np.empty((count, mass.shape[1], d)) if self._n_extra else x
        uniforms = np.empty((count, self.n_init, clusters))
        choices = np.empty((count, n_choices(code, clusters, clusters)))
        starts = (np.empty((count, self.n_init, clusters, d)) if self.init == "random"
                  else (self.base_centers - shift)[:, None] if self.init == "warm" else NO_STARTS)
        for i in range(count):
            rng, source, extra, weights = self.draw(first + i)
            drawn = source >= 0
            counts[i] = np.bincount(source[drawn], minlength=n)
            mass[i, :n] = (np.bincount(source[drawn], weights[drawn], minlength=n)
                           if self.weighted else counts[i])
            if self._n_extra:
                points[i, :n], points[i, n:] = x[0], extra - shift[0]
                mass[i, n:] = np.where(drawn, 0.0, weights if self.weighted else 1.0)
            rng.random(out=uniforms[i])
            rng.random(out=choices[i])
            if self.init == "random":   # different points; the last again where there are too few
                there = np.flatnonzero(mass[i])
                order = rng.random((self.n_init, there.size)).argsort(axis=1)
                places = order[:, np.minimum(np.arange(clusters), there.size - 1)]
                starts[i] = points[i if self._n_extra else 0][there[places]]
        fit = fit_block(points, mass, count, init=starts, max_iter=self.max_iter,
                        uniforms=uniforms if self.init == "k-means++" else NO_UNIFORMS)
        assert fit.labels is not None
        labels = fit.labels[:, :n]
        voters = counts > 0
        if self.voting == "all":
            labels, voters = nearest_labels(x[0], fit.centers), np.ones((count, n), dtype=bool)
        elif (labels[voters] < 0).any():   # a weight that underflows is 0; its object votes
            labels = np.where(labels < 0, nearest_labels(x[0], fit.centers), labels)
        b, obj = np.nonzero(voters)
        label, base, times = labels[b, obj], self.base_labels[obj], counts[b, obj]
        known = base >= 0
        tables = _counts((b * clusters + base) * clusters + label, count * clusters**2,
                         times if self.overlap == "draws" else None, known)
        names, tied = match_tables(tables.reshape(count, clusters, clusters), code, choices)
        result.votes[:] += _counts(obj * clusters + names[b, label], n * clusters,
                                times if self.voting == "draws" else None).reshape(n, clusters)
        result.happened[:] += (tied, (fit.status == STOPPED).sum(), (fit.status == EMPTY).sum())
        aligned = np.empty_like(fit.centers)
        aligned[np.arange(count)[:, None], names] = fit.centers
        return aligned


def _counts(cells: np.ndarray, size: int, times: np.ndarray | None,
            known: np.ndarray | slice = slice(None)) -> np.ndarray:
    """Number of times each cell occurs, or the sum of its `times`; whole numbers."""
    sums = np.bincount(cells[known], None if times is None else times[known], minlength=size)
    return sums.astype(np.int64)


def match_tables(tables: np.ndarray, code: int, choices: np.ndarray) -> tuple[np.ndarray, int]:
    """The row (base cluster) of each column of tables (B, K, K), and how many had a tie.

    Equal optima are chosen by the uniform numbers `choices`, see `match_columns`.
    """
    count, clusters = tables.shape[:2]
    rows = np.arange(clusters)
    best = tables.argmax(axis=2)
    # One largest entry in every row, no two in a column: no other matching is as good.
    single = ((tables == tables.max(axis=2, keepdims=True)).sum(axis=2) == 1).all(axis=1)
    clear = (single & (np.sort(best, axis=1) == rows).all(axis=1)
             & (code == method_code("trace", "remaining")))
    names = np.empty((count, clusters), dtype=np.int64)
    np.put_along_axis(names, best, np.broadcast_to(rows, best.shape), axis=1)
    tied = 0
    for b in np.flatnonzero(~clear):
        columns, optima = match_columns(tables[b], code, choices[b])
        names[b, columns] = rows
        tied += optima is not None and optima > 1
    return names, tied


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelBlock:
    """Labels (B, n) int32, -1 where an object does not vote; centres (B, c, d); the numbers
    (B, n + c) for ties of the majorities and matches."""

    labels: np.ndarray
    centers: np.ndarray
    uniforms: np.ndarray


@dataclass(frozen=True, slots=True, kw_only=True)
class KMeansLabels(Drawing):
    """The labels of a range of attempts, by nearest centre for the objects left out.

    Child b gives n draws, n_init c numbers for starts, n for ties, c for the match.

    Attributes
    ----------
    n_clusters, n_init, max_iter : int
    predict : bool
        Whether objects that were not drawn vote.
    """

    n_clusters: int
    n_init: int
    max_iter: int
    predict: bool

    def __call__(self, start: int, stop: int) -> LabelBlock:
        count, n = stop - start, self.x.shape[0]
        mass = np.empty((count, n))
        starts = np.empty((count, self.n_init, self.n_clusters))
        uniforms = np.empty((count, n + self.n_clusters))
        for i in range(count):
            rng, source, _, _ = self.draw(start + i)
            mass[i] = np.bincount(source, minlength=n)
            rng.random(out=starts[i])
            rng.random(out=uniforms[i])
        x, shift = near_origin(self.x[None])
        fit = fit_block(x, mass, count, uniforms=starts, init=NO_STARTS, max_iter=self.max_iter)
        labels = fit.labels
        assert labels is not None
        if self.predict:
            with one_thread():
                for i in range(count):
                    left = np.flatnonzero(labels[i] < 0)
                    labels[i, left] = nearest_labels(x[0, left], fit.centers[i:i + 1])[0]
        return LabelBlock(labels=labels, centers=fit.centers + shift, uniforms=uniforms)


def nearest_shares(x: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Share of replicates whose k-th centre is nearest, (n, K); centers (B, K, d)."""
    count, clusters = centers.shape[:2]
    moved, shift = near_origin(x[None])
    near, votes = centers - shift, np.empty((x.shape[0], clusters))

    def work(start: int, stop: int) -> None:
        labels = nearest_labels(moved[0, start:stop], near)
        for k in range(clusters):
            votes[start:stop, k] = (labels == k).mean(axis=0)

    with one_thread():
        run_chunks(work, x.shape[0], max(1, _SCORES // (count * clusters)))
    return votes


def base_kmeans(x: np.ndarray, n_clusters: int, init: str, n_init: int, max_iter: int,
                rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, int]:
    """Labels, centres and passes of the best of `n_init` starts on all objects."""
    if init == "random":
        starts = np.array([x[rng.choice(x.shape[0], n_clusters, replace=False)]
                           for _ in range(n_init)])
        fit = batched_kmeans(x, init=starts[None], max_iter=max_iter)
    else:
        fit = batched_kmeans(x, uniforms=rng.random((1, n_init, n_clusters)), max_iter=max_iter)
    assert fit.labels is not None
    return fit.labels[0].astype(np.int64), fit.centers[0], int(fit.n_iter[0])
