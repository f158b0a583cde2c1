"""The compiled k-means: all stages of many replicates at once, see `_pipeline`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from .. import _kernels
from .._kernels._jit import JIT_ENABLED
from .._parallel import run_chunks
from ..cluster.batched_kmeans import (
    Bounds,
    batched_kmeans,
    fit_scratch,
    point_arrays,
    starts_abreast,
)
from ._draws import PROPER, Ready, Scheme, draw_block, drawn
from ._voting import draw_uniforms
from .prior import sample_from
from .replicates import Streams

#: codes of the kernel
STARTS = {"k-means++": 0, "random": 1, "warm": 2}
VOTES = {"draws": 0, "once": 1, "all": 2}
#: nearest centres found by a thread at once
_CHUNK = 1 << 24
#: seconds of k-means, about ten passes, for each object, centre, feature and start
_TERM_SECONDS = 2.5e-9


class Given(NamedTuple):
    """Ready draws of a range of replicates; empty for none."""

    source: np.ndarray
    points: np.ndarray
    weights: np.ndarray


class Base(NamedTuple):
    """Objects (n, d), the same in blocks or tiles, and their base clustering."""

    x: np.ndarray
    blocks: np.ndarray
    labels: np.ndarray
    centers: np.ndarray


class Plan(NamedTuple):
    """How replicates are fitted and counted, in codes of the kernel."""

    init: int
    max_iter: int
    weighted: bool
    overlap: int
    voting: int


class Result(NamedTuple):
    """What a range of replicates leaves, see `BlockVotes`."""

    votes: np.ndarray
    centers: np.ndarray
    happened: np.ndarray


class Room(NamedTuple):
    """What the kernel works in."""

    # draws
    uniforms: np.ndarray
    normals: np.ndarray
    places: np.ndarray
    by_component: np.ndarray
    source: np.ndarray
    extra: np.ndarray
    weights: np.ndarray
    # random numbers of starts and ties; draws of each object
    starts: np.ndarray
    tie: np.ndarray
    object_counts: np.ndarray
    objects: np.ndarray
    # points to fit, see `_kernels.seeding`
    points: np.ndarray
    moments: np.ndarray
    masses: np.ndarray
    index: np.ndarray   # type: ignore[assignment]
    # k-means
    best: np.ndarray
    trial: np.ndarray
    chosen: np.ndarray
    current: np.ndarray
    before: np.ndarray
    nearest: np.ndarray
    values: np.ndarray
    runs: np.ndarray
    total: np.ndarray
    new: np.ndarray
    counts: np.ndarray
    sums: np.ndarray
    passes: np.ndarray
    ends: np.ndarray
    bounds: Bounds
    order: np.ndarray
    # labels of all objects; matching
    all_labels: np.ndarray
    all_nearest: np.ndarray
    table: np.ndarray
    cluster: np.ndarray
    columns: np.ndarray
    numbers: np.ndarray
    ways: np.ndarray
    marks: np.ndarray


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockVotes:
    """What a range of replicates leaves.

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


class Rooms:
    """Scratch that the ranges of a run use in turn; it stays behind when work is pickled.

    Memory that is touched for the first time costs a fourth of a replicate of 1800 objects with
    64 features, in each range.
    """

    def __init__(self) -> None:
        self._free: list[Room] = []

    def take(self, make: Callable[[], Room]) -> Room:
        """Scratch that no range uses, or new one."""
        try:
            return self._free.pop()
        except IndexError:
            return make()

    def put_back(self, room: Room) -> None:
        """For the next range."""
        self._free.append(room)

    def __reduce__(self) -> tuple[type[Rooms], tuple[()]]:
        return Rooms, ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KMeansVotes:
    """Work on a range of replicates; picklable.

    Attributes
    ----------
    scheme, streams, sampler
        How replicates are drawn; `sampler` gives points of a prior that is no Gaussian mixture.
    ready : Ready, optional
        Draws used in place of the scheme's.
    x : (n, d) float64
    base_labels : (n,) int64
    base_centers : (K, d) float64
    init, n_init, max_iter
        Starts of a replicate's k-means.
    weighted : bool
        Whether the weights of the draws count.
    overlap, voting : str
        Which votes count in the overlap and in the result.
    rooms : Rooms
    """

    scheme: Scheme
    streams: Streams
    sampler: Any
    ready: Ready | None
    x: np.ndarray
    base_labels: np.ndarray
    base_centers: np.ndarray
    init: str
    n_init: int
    max_iter: int
    weighted: bool
    overlap: str
    voting: str
    rooms: Rooms = field(default_factory=Rooms)

    def part(self, start: int, stop: int) -> KMeansVotes:
        """What the range needs of this."""
        return self if self.ready is None else replace(self, ready=self.ready.rows(start, stop))

    @property
    def guessed_seconds(self) -> float:
        """Seconds of a replicate, to within a factor of some three; 0 (unknown) without JIT."""
        if not JIT_ENABLED:
            return 0.0
        return _TERM_SECONDS * self.n_init * self.base_centers.size * self.x.shape[0]

    def __call__(self, start: int, stop: int) -> BlockVotes:
        n, d = self.x.shape
        clusters = self.base_centers.shape[0]
        ready = self._ready(start, stop)
        result = BlockVotes(
            votes=np.zeros((n, clusters), dtype=np.int64),
            centers=np.empty((stop - start, clusters, d)), happened=np.zeros(3, dtype=np.int64))
        everyone = self.voting == "all"
        room = self.rooms.take(lambda: self._room(n, d, clusters, ready.source.shape[1],
                                                  everyone))
        _kernels.bagging.bag(
            self.streams.states(start, stop), self.scheme.arguments(),
            Given(ready.source, ready.points, ready.weights),
            Base(self.x, in_blocks(self.x) if everyone else np.empty((0, d, 1)),
                 self.base_labels, self.base_centers),
            Plan(STARTS[self.init], self.max_iter, self.weighted,
                 VOTES["once" if everyone else self.overlap], VOTES[self.voting]),
            Result(result.votes, result.centers, result.happened), room)
        self.rooms.put_back(room)
        return result

    def _ready(self, start: int, stop: int) -> Ready:
        if self.ready is not None:
            return self.ready.rows(start, stop)
        d = self.x.shape[1]
        if self.scheme.code != PROPER or self.scheme.prior is not None:
            return Ready(first=start, source=np.empty((0, 0), dtype=np.int64),
                         points=np.empty((1, 0, d)), weights=np.empty((1, 0)))
        source, points, weights = draw_block(self.scheme, self.streams, start, stop)
        for b in np.flatnonzero((source < 0).any(axis=1)):
            points[b] = sample_from(self.sampler, self.scheme.m, d,
                                    self.streams.generator(start + int(b)))
        return Ready(first=start, source=source, points=points, weights=weights)

    def _room(self, n: int, d: int, clusters: int, m_ready: int, everyone: bool) -> Room:
        """The kernel's scratch."""
        bagging, assignment = _kernels.bagging, _kernels.assignment
        block = _kernels.seeding.BLOCK
        m = max(self.scheme.m, m_ready)
        most = min(n, m) + (m if self.scheme.code == PROPER else 0)
        all_blocks = -(-n // block) if everyone else 0
        points, moments, masses = point_arrays(most, d)
        abreast = starts_abreast(self.n_init, most, d, clusters)
        drawing = self.scheme.scratch()
        source, extra, weights = self.scheme.one()
        integers = np.int64
        subsets = 1 << min(clusters, bagging.UNIFORM)
        (current, before, nearest, values, runs, total, new, counts, sums, passes,
         ends, bounds) = fit_scratch(most, d, clusters, self.n_init)
        return Room(
            uniforms=drawing.uniforms, normals=drawing.normals,
            by_component=drawing.by_component, places=np.empty(m, dtype=integers),
            source=source, extra=extra, weights=weights,
            starts=np.empty((self.n_init, clusters)), tie=np.empty(1),
            object_counts=np.empty(n, dtype=integers), objects=np.empty(n),
            points=points, moments=moments, masses=masses, index=np.empty(n + 1, dtype=integers),
            best=np.empty((clusters, d)), trial=np.empty((abreast, clusters, d)),
            chosen=np.empty(n, dtype=integers), current=current, before=before, nearest=nearest,
            values=values, runs=runs, total=total, new=new, counts=counts, sums=sums,
            passes=passes, ends=ends, bounds=bounds,
            order=np.empty(most if self.init == "random" else 0, dtype=integers),
            all_labels=np.empty((all_blocks, block), dtype=integers),
            all_nearest=np.empty((all_blocks, block)),
            table=np.empty((2 * clusters, clusters), dtype=integers),
            cluster=np.empty(clusters, dtype=integers), columns=np.empty(clusters, dtype=integers),
            numbers=np.empty(max(subsets, assignment.numbers_size(clusters, clusters)
                                 + clusters * (clusters + 1)), dtype=integers),
            ways=np.empty(subsets, dtype=integers),
            marks=np.empty(assignment.marks_size(clusters, clusters), dtype=integers))


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelBlock:
    """Labels (B, n) int32, -1 where an object does not vote, and centres (B, c, d)."""

    labels: np.ndarray
    centers: np.ndarray


@dataclass(frozen=True, slots=True, kw_only=True)
class KMeansLabels:
    """Work on a range of attempts: draw, k-means, nearest centre for the objects left out.

    Attributes
    ----------
    x : (n, d) float64
    streams : Streams
        Child b gives n draws, n_init c numbers for starts, n for ties, c for the match.
    ready : Ready, optional
        Draws in place of random ones.
    n_clusters, n_init, max_iter : int
    predict : bool
        Whether objects that were not drawn vote.
    """

    x: np.ndarray
    streams: Streams
    ready: Ready | None
    n_clusters: int
    n_init: int
    max_iter: int
    predict: bool

    def part(self, start: int, stop: int) -> KMeansLabels:
        """What the range needs of this."""
        return self if self.ready is None else replace(self, ready=self.ready.rows(start, stop))

    @property
    def n_before(self) -> int:
        """Numbers of a child that come before those for ties."""
        return self.x.shape[0] + self.n_init * self.n_clusters

    def __call__(self, start: int, stop: int) -> LabelBlock:
        n = self.x.shape[0]
        numbers = draw_uniforms(self.streams, start, stop, self.n_before)
        indices = (drawn(numbers[:, :n]) if self.ready is None
                   else self.ready.rows(start, stop).source)
        starts = np.ascontiguousarray(numbers[:, n:]).reshape(-1, self.n_init, self.n_clusters)
        fit = batched_kmeans(self.x, indices=indices, uniforms=starts, max_iter=self.max_iter,
                             labels=not self.predict)
        if fit.labels is not None:
            return LabelBlock(labels=fit.labels, centers=fit.centers)
        # A drawn object's label is its nearest centre too.
        points = in_blocks(self.x)
        block = _kernels.seeding.BLOCK
        blocks = -(-n // block)
        labels = np.empty((stop - start, n), dtype=np.int32)
        _kernels.matching.label_replicates(
            0, stop - start, points, n, fit.centers, labels,
            np.zeros((blocks, block), dtype=np.int64), np.empty((blocks, block)),
            np.empty(block), np.empty(block, dtype=np.int64))
        return LabelBlock(labels=labels, centers=fit.centers)


def in_blocks(x: np.ndarray) -> np.ndarray:
    """Points as the kernels take them: in blocks, or in tiles, features first."""
    n, d = x.shape
    blocks = point_arrays(n, d)[0]
    blocks.fill(0.0)
    size = blocks.shape[2]
    for b in range(-(-n // size)):
        rows = x[b * size:(b + 1) * size]
        blocks[b, :, :rows.shape[0]] = rows.T
    return blocks


def nearest_shares(x: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Share of replicates whose k-th centre is nearest, (n, K); centers (B, K, d)."""
    n, d = x.shape
    count, clusters = centers.shape[:2]
    points, block = in_blocks(x), _kernels.seeding.BLOCK
    votes = np.empty((n, clusters), dtype=np.int64)

    def work(start: int, stop: int) -> None:
        _kernels.bagging.count_nearest(
            start, stop, points, n, centers, votes, np.empty((1, block), dtype=np.int64),
            np.empty((1, block)), np.empty(block), np.empty(block, dtype=np.int64))

    run_chunks(work, -(-n // block), max(1, _CHUNK // (count * clusters * d * block)))
    return votes / count


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
