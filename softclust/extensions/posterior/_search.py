"""Search for the partition with the least expected loss: descents from many starts."""

from __future__ import annotations

import time
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..._checks import ClusteringError
from ...running.jobs import run_jobs
from ...running.threads import run_chunks, stopping
from . import _kernels
from ._draws import Sample
from ._losses import LossRule, canonical, distances

#: smallest gain of a move
SLACK = 1e-12
#: bytes that the tables of one descent may take
TABLE_BYTES = 512 << 20
#: starts that go together: what one learns from another does not depend on threads
WAVE = 4
#: table look-ups between two looks at the clock, about 0.03 s
_CHUNK = 1 << 24


class Stopped(Exception):
    """Time is up, or Ctrl-C came; the state holds what was reached."""


class SearchInput(NamedTuple):
    """Draws and loss, as the kernels of a search take them; see `_kernels.search`."""

    draws: np.ndarray
    first: np.ndarray
    weights: np.ndarray
    f: np.ndarray
    step: np.ndarray
    power: int
    a: float
    total: float
    slack: float

    @classmethod
    def of(cls, draws: Sample, rule: LossRule) -> SearchInput:
        n = draws.n_objects
        first = np.concatenate([[0], np.cumsum(draws.n_clusters)[:-1]])
        by_object = np.ascontiguousarray(draws.rows.T)
        return cls(by_object, first, np.array(draws.weights), rule.f(n), rule.steps(n), rule.power,
                   rule.a, float(draws.weights.sum()), SLACK)


class State(NamedTuple):
    """One estimate and its tables with all draws; see `_kernels.search`."""

    labels: np.ndarray
    tables: np.ndarray
    sizes: np.ndarray
    rows: np.ndarray
    joint: np.ndarray
    drawn: np.ndarray
    estimate: np.ndarray
    counts: np.ndarray

    @classmethod
    def empty(cls, n: int, rows: int, draws: int, columns: int) -> State:
        """Without any object."""
        return cls(np.full(n, -1), np.zeros((columns, rows), np.int32),
                   np.zeros(columns, np.int64), np.zeros(rows, np.int64), np.zeros(draws),
                   np.zeros(draws), np.zeros(1), np.zeros(3, np.int64))

    def copied(self) -> State:
        return State(*(array.copy() for array in self))

    def widened(self, columns: int) -> State:
        """The same with room for more clusters."""
        more = columns - self.sizes.size
        return self._replace(tables=np.pad(self.tables, ((0, more), (0, 0))),
                             sizes=np.pad(self.sizes, (0, more)))

    def refresh(self, p: SearchInput) -> np.ndarray:
        """Recompute the sums J, B and A from the tables; f of the cells, (clusters, R)."""
        clusters = int(self.counts[0])
        cells = p.f[self.tables[:clusters]]
        self.joint[:] = np.add.reduceat(cells.sum(axis=0), p.first)
        self.drawn[:] = np.add.reduceat(p.f[self.rows], p.first)
        self.estimate[0] = p.f[self.sizes[:clusters]].sum()
        return cells

    def without(self, k: int) -> State:
        """A copy whose objects of cluster k have none; the last cluster takes its place."""
        new, last = self.copied(), int(self.counts[0]) - 1
        new.rows[:] -= new.tables[k]
        new.counts[:2] -= [1, new.sizes[k]]
        new.labels[self.labels == k] = -1
        new.tables[k], new.sizes[k] = new.tables[last], new.sizes[last]
        new.labels[self.labels == last] = k if k < last else -1
        new.tables[last], new.sizes[last] = 0, 0
        return new


class Descent:
    """One estimate on its way down; `labels` is complete or None at any time."""

    def __init__(self, setting: Setting, stop: Callable[[], bool]) -> None:
        self.p, self.rule, draws = setting.problem, setting.rule, setting.draws
        self.n, self.table_rows = draws.n_objects, int(draws.n_clusters.sum())
        self.max_clusters, self.stop = min(setting.max_clusters, self.n), stop
        self.limit = max(1, TABLE_BYTES // (4 * self.table_rows))
        self.state = State.empty(self.n, self.table_rows, self.p.first.size, self._columns(1))

    def _columns(self, clusters: int) -> int:
        """Columns for this many clusters and a new one."""
        columns = self.max_clusters + (self.max_clusters < self.n)
        if min(clusters + 1, columns) > self.limit:
            raise ClusteringError(
                f"tables of {self.p.first.size} draws with {clusters + 1} clusters of the estimate "
                f"take more than {TABLE_BYTES >> 20} MB; give max_clusters=, or thin the draws")
        return min(max(2 * clusters, clusters + 8), columns, self.limit)

    @property
    def labels(self) -> np.ndarray | None:
        """The partition by first appearance, where every object has a cluster."""
        return self.partition() if (self.state.labels >= 0).all() else None

    def partition(self) -> np.ndarray:
        """Labels by first appearance."""
        return canonical(self.state.labels)

    # -- beginnings -------------------------------------------------------------------------
    def begin(self, labels: np.ndarray) -> None:
        """Start from a partition; of too many clusters the smaller ones are left out."""
        labels = canonical(labels)
        sizes = np.bincount(labels)
        if sizes.size > self.max_clusters:
            largest = np.sort(np.argsort(-sizes, kind="stable")[:self.max_clusters])
            place = np.full(sizes.size, -1)
            place[largest] = np.arange(largest.size)
            labels = place[labels]
        self.state = State.empty(self.n, self.table_rows, self.p.first.size,
                                 self._columns(int(labels.max()) + 1))
        self._chunks(lambda lo, hi: _kernels.search.fill(self.p, self.state, labels, lo, hi))
        self.state.refresh(self.p)
        self.allocate(np.flatnonzero(labels < 0))

    # -- moves ------------------------------------------------------------------------------
    def sweep(self, order: np.ndarray) -> int:
        """Move every object to its best cluster; how many moved."""
        self.state.refresh(self.p)
        before = int(self.state.counts[2])
        self.allocate(order)
        return int(self.state.counts[2]) - before

    def allocate(self, order: np.ndarray) -> None:
        """Give these objects their best cluster in turn, or a new one."""
        place = 0
        while place < order.size:
            if self.stop():
                raise Stopped
            width = self.state.sizes.size
            step = max(1, _CHUNK // (self.p.first.size * (int(self.state.counts[0]) + 1)))
            scores = np.empty(width)
            if not self.p.power:
                step, scores = 1, self._scores(int(order[place]), width)
            place = _kernels.search.pass_over(
                self.p, self.state, order, place, min(order.size, place + step), self.max_clusters,
                scores)
            clusters = int(self.state.counts[0])
            if clusters >= width and clusters < self.max_clusters:
                self.state = self.state.widened(self._columns(clusters))

    def _scores(self, i: int, width: int) -> np.ndarray:
        """The mean loss with object i in each cluster, as if it were taken out first."""
        p, s, step = self.p, self.state, self.p.step
        here, clusters = int(s.labels[i]), int(s.counts[0])
        rows = p.first + p.draws[i]
        cells, sizes = s.tables[:clusters + 1, rows], s.sizes[:clusters + 1].copy()
        joint, estimate, drawn = s.joint, float(s.estimate[0]), s.drawn
        if here >= 0:
            cells[here] -= 1
            sizes[here] -= 1
            joint, estimate = joint - step[cells[here]], estimate - step[sizes[here]]
        else:
            drawn = drawn + step[s.rows[rows]]
        losses = self.rule.values(joint + step[cells], (estimate + step[sizes])[:, None], drawn,
                                  int(s.counts[1]) + (here < 0))
        scores = np.full(width, np.inf)
        scores[:sizes.size] = losses @ p.weights / p.total
        return scores

    def _chunks(self, work: Callable[[int, int], object]) -> None:
        step = max(1, _CHUNK // (8 * self.p.first.size))
        for lo in range(0, self.n, step):
            if self.stop():
                raise Stopped
            work(lo, min(self.n, lo + step))

    def descend(self, rng: np.random.Generator) -> None:
        """Sweeps in random order until one changes nothing."""
        while self.sweep(rng.permutation(self.n)):
            pass

    def loss(self) -> float:
        self.state.refresh(self.p)
        return self._mean(self.state.joint, float(self.state.estimate[0]))

    def _mean(self, joint: np.ndarray, estimate: float) -> float:
        p, s = self.p, self.state
        losses = self.rule.values(joint, estimate, s.drawn, int(s.counts[1]))
        return float(losses @ p.weights) / p.total

    def leave(self) -> bool:
        """Take the first move of whole clusters that gains: a merge, else a dissolved cluster."""
        loss = self.loss()
        if self._merge(loss):
            return True
        for k in range(int(self.state.counts[0])):
            if self.stop():
                raise Stopped
            members = np.flatnonzero(self.state.labels == k)
            if members.size == 1:
                continue   # sweeps have tried it
            trial = copy(self)
            trial.state = self.state.without(k)
            trial.state.refresh(self.p)
            trial.allocate(members)
            if trial.loss() < loss - SLACK:
                self.state = trial.state
                return True
        return False

    def _merge(self, loss: float) -> bool:
        """Join the first pair of clusters that gains more than the slack, if there is one."""
        p, s, f = self.p, self.state, self.p.f
        cells, clusters = s.refresh(p), int(s.counts[0])
        for k in range(clusters):
            if self.stop():
                raise Stopped
            for h in range(k + 1, clusters):
                more = np.add.reduceat(f[s.tables[k] + s.tables[h]] - cells[k] - cells[h], p.first)
                one, other = s.sizes[k], s.sizes[h]
                estimate = float(s.estimate[0] + f[one + other] - f[one] - f[other])
                if self._mean(s.joint + more, estimate) < loss - SLACK:
                    self.state = s.without(h)
                    # `without` has closed the column of h > k.
                    self.state.tables[k] += s.tables[h]
                    self.state.rows[:] = s.rows
                    self.state.sizes[k] += s.sizes[h]
                    self.state.labels[s.labels == h] = k
                    self.state.counts[1] = s.counts[1]
                    return True
        return False


# -- tasks of threads and executors -----------------------------------------------------------
@dataclass(slots=True)
class SearchTask:
    """One start, or the rest of a descent; what it finds is in `labels` and `ended`."""

    rng: np.random.Generator
    begin: np.ndarray | None = None
    polish: bool = False
    labels: np.ndarray | None = None
    ended: bool = False
    descent: Descent | None = field(default=None, repr=False)


class Setting(NamedTuple):
    """State shared by all tasks."""

    draws: Sample
    rule: LossRule
    max_clusters: int
    problem: SearchInput
    deadline: float
    known: frozenset[bytes]


def run_task(setting: Setting, number: int, task: SearchTask) -> SearchTask:
    """Do one task; `Stopped` leaves what was reached."""
    def stop() -> bool:
        flag = getattr(stopping, "flag", None)
        return time.time() > setting.deadline or (flag is not None and flag.is_set())

    try:
        descent = task.descent = Descent(setting, stop)
        if task.begin is None:
            descent.allocate(task.rng.permutation(descent.n))
        else:
            task.labels = task.begin if int(task.begin.max()) < setting.max_clusters else None
            descent.begin(task.begin)
        if not task.polish:
            descent.descend(task.rng)
        else:
            while descent.partition().tobytes() not in setting.known and descent.leave():
                descent.descend(task.rng)
        task.ended = True
    except Stopped:
        pass
    if task.descent is not None and task.descent.labels is not None:
        task.labels = task.descent.labels
    task.descent = None
    return task


def run_tasks(setting: Setting, tasks: list[SearchTask], executor: Any) -> None:
    """Do tasks on threads, or on an executor, whose answers replace them in the list."""
    job = partial(run_task, setting)
    if executor is None:
        run_chunks(lambda number, _: job(number, tasks[number]), len(tasks), 1)
    else:
        run_jobs(job, tasks, tasks.__setitem__, limit_blas=False, executor=executor)


# -- the search -------------------------------------------------------------------------------
class Search:
    """Waves of starts; what is the best so far is kept at every moment."""

    #: starts without a number given; how often their best must be reached to stop earlier; labels
    #: of distinct draws up to which all starts are made, since they cost nothing
    STARTS, HITS, SMALL = 16, 4, 20_000

    def __init__(self, draws: Sample, rule: LossRule, max_clusters: int | None,
                 rng: np.random.Generator, *, deadline: float = float("inf"),
                 executor: Any = None, also: tuple[np.ndarray, ...] = ()
                 ) -> None:
        self.draws, self.rule, self.rng, self.executor = draws, rule, rng, executor
        self.max_clusters = draws.n_objects if max_clusters is None else max_clusters
        self.setting = Setting(draws, rule, self.max_clusters, SearchInput.of(draws, rule),
                               deadline, frozenset())
        self.also = list(also)
        self.under_way: list[SearchTask] = []
        self.losses: list[float] = []
        self.stopped = False
        self.best: np.ndarray | None = None
        self.best_loss = float("inf")
        self._known: dict[bytes, float] = {}

    def run(self, n_starts: int | None, progress: Callable[[int, int], object] | None = None
            ) -> None:
        """All starts; without a number at most 16, fewer when the best was reached 4 times."""
        total = self.STARTS if n_starts is None else n_starts
        seeds = self.rng.spawn(total)
        picks = self.rng.permutation(self.draws.n_distinct)
        while len(self.losses) < total and not self.stopped:
            tasks = []
            for s in range(len(self.losses), min(total, len(self.losses) + WAVE)):
                # By turns: a given partition, a random draw, an allocation in random order.
                turn, begin = s - len(self.also), None
                if turn < 0:
                    begin = self.also[s]
                elif turn % 2 == 0 and turn // 2 < picks.size:
                    begin = self.draws.rows[picks[turn // 2]].astype(np.int64)
                tasks.append(SearchTask(seeds[s], begin))
            self._wave(tasks)
            if progress is not None:
                progress(len(self.losses), total)
            if n_starts is None and self.hits >= self.HITS and self.draws.rows.size > self.SMALL:
                break

    def _wave(self, tasks: list[SearchTask]) -> None:
        self.under_way = tasks
        run_tasks(self.setting, tasks, self.executor)
        rest: dict[bytes, SearchTask] = {}
        keys = []
        for task in tasks:
            keys.append(b"" if task.labels is None else task.labels.tobytes())
            if task.ended and keys[-1] not in self._known and keys[-1] not in rest:
                rest[keys[-1]] = SearchTask(task.rng, task.labels, polish=True)
        setting = self.setting._replace(known=frozenset(self._known))
        polished = list(rest.values())
        self.under_way = tasks + polished
        run_tasks(setting, polished, self.executor)
        ends = dict(zip(rest, polished))
        for key, task in zip(keys, tasks):
            end = ends.get(key, task)
            self._note(end)
            if not task.ended or not end.ended:
                self.stopped = True
            else:
                assert end.labels is not None
                self.losses.append(self._known.setdefault(
                    end.labels.tobytes(), self._loss(end.labels)))
        self.under_way = []

    def _loss(self, labels: np.ndarray) -> float:
        known = self._known.get(labels.tobytes())
        return known if known is not None else self.draws.mean(
            distances(labels, self.draws, self.rule))

    def _note(self, task: SearchTask) -> None:
        labels = task.labels
        if task.descent is not None:   # Ctrl-C in the middle
            labels = task.descent.labels if task.descent.labels is not None else labels
        if labels is None or int(labels.max()) >= self.max_clusters:
            return
        loss = self._loss(labels)
        if loss < self.best_loss:
            self.best, self.best_loss = labels, loss

    def finished(self) -> int:
        """Starts that ended, or one that is under way with a partition."""
        held = any(task.labels is not None or (task.descent is not None and
                                               task.descent.labels is not None)
                   for task in self.under_way)
        return max(len(self.losses), int(held or self.best is not None))

    def settle(self) -> None:
        """After Ctrl-C: look at what was under way."""
        for task in self.under_way:
            self._note(task)
        self.stopped = True

    @property
    def hits(self) -> int:
        """Starts that reached the best value."""
        near = self.best_loss + 1e-9 * (1.0 + abs(self.best_loss))
        return sum(loss <= near for loss in self.losses)
