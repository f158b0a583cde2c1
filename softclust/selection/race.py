"""A race of numbers of clusters: those that are clearly worse get fewer replicates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from .._warnings import listening
from .cells import BLOCKS, CellValue, EntropyCell, marks_of, votes_after

#: shares of the replicates after which numbers are compared; with fewer replicates none are
_SHARES, FROM = (0.1, 0.2, 0.4), 200
#: blocks of the jackknife before the last stage: the votes after each are kept
_BLOCKS = 10
#: standard errors behind the best from which on a number is given up
BEHIND = 3.0


def stages(total: int) -> list[int]:
    """Replicates after which numbers are compared: 20, 40, 80, 200 of 200."""
    return [*(round(share * total) for share in _SHARES if total >= FROM), total]


def _marks(stage: int, total: int) -> set[int]:
    """Replicates after each block of the jackknife of a stage."""
    return set(marks_of(stage, BLOCKS if stage == total else _BLOCKS))


def can_race(cell: Any) -> bool:
    """Whether a cell can be stopped and continued."""
    if not isinstance(cell, EntropyCell):
        return False
    return len(stages(cell.n_resamples)) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """A cell on its way: what a worker takes and gives back, picklable.

    Attributes
    ----------
    cell : EntropyCell
        Its estimator is fitted so far.
    votes : dict
        Cumulated votes (n, K) by number of replicates, those that later stages need.
    value : CellValue or None
        What the last stage found.
    finished : bool
    """

    cell: EntropyCell
    votes: dict[int, np.ndarray] = field(default_factory=dict)
    value: CellValue | None = None
    finished: bool = False

    def after(self, x: np.ndarray, stage: int) -> tuple[Runner, list[str]]:
        """The cell with `stage` replicates, and its warnings, which only count at the end."""
        total = self.cell.n_resamples
        if stage == total and not self.votes:   # it never began, or has no votes
            with listening() as warned:
                value = self.cell(x)
            return replace(self, value=value, finished=True), warned
        later = {b for s in stages(total) if s >= stage for b in _marks(s, total)}
        marks = sorted(b for b in later if max(self.votes, default=0) < b <= stage)
        with listening() as warned:
            found = votes_after(self.cell.estimator, x, marks)
        if not found:
            return replace(self, votes={}).after(x, total)
        votes = self.votes | dict(zip(marks, found))
        value = replace(self.cell.value_of([votes[b] for b in sorted(_marks(stage, total))]),
                        n_resamples=stage)
        still = {b for s in stages(total) if s > stage for b in _marks(s, total)}
        return replace(self, value=value, finished=stage == total,
                       votes={b: v for b, v in votes.items() if b in still or b == stage}), warned


def after(runner: Runner, x: np.ndarray, stage: int) -> tuple[Runner, list[str]]:
    """`Runner.after` as a function, for workers."""
    return runner.after(x, stage)


#: what a cell found and warned of, or the error it raises
Outcome = Callable[[], tuple[CellValue, list[str]]]


def race(cells: list[EntropyCell], groups: list[list[int]], x: np.ndarray,
         executor: Executor | None) -> Iterator[tuple[int, Outcome]]:
    """Run cells stage by stage; each as soon as it is at its end, given up or failed.

    `groups`: the cells that are compared with each other.
    """
    runners: dict[int, Runner] = {j: Runner(cell=cell) for j, cell in enumerate(cells)}
    for stage in stages(cells[0].n_resamples):
        jobs: dict[int, Any] = {} if executor is None else {
            j: executor.submit(after, runner, x, stage) for j, runner in runners.items()
            if not runner.finished}
        try:
            for j in [j for j, runner in runners.items() if not runner.finished]:
                try:
                    runners[j], warned = (jobs[j].result() if jobs else runners[j].after(x, stage))
                except Exception as error:   # the user's estimator may raise anything
                    del runners[j]
                    yield j, partial(_fail, error)
                    continue
                value = runners[j].value
                if runners[j].finished and value is not None:
                    yield j, partial(_outcome, value, warned)
        finally:
            for job in jobs.values():
                job.cancel()
        for group in groups:
            for j in _far_behind({j: runners[j] for j in group if j in runners}):
                value = runners[j].value
                assert value is not None
                value = replace(value, dropped=True)
                runners[j] = replace(runners[j], finished=True, votes={}, value=value)
                yield j, partial(_outcome, value, [])


def _far_behind(runners: dict[int, Runner]) -> list[int]:
    """Unfinished cells more than `BEHIND` standard errors behind the best that is not given up."""
    values = {j: r.value for j, r in runners.items()
              if r.value is not None and not r.value.dropped and not math.isnan(r.value.criterion)}
    if not values:
        return []
    best = min(values.values(), key=lambda v: v.criterion)
    # An error that is nan gives up nothing.
    return [j for j, v in values.items() if not runners[j].finished and
            v.criterion - best.criterion > BEHIND * math.hypot(v.standard_error,
                                                               best.standard_error)]


def _fail(error: Exception) -> tuple[CellValue, list[str]]:
    raise error


def _outcome(value: CellValue, warned: list[str]) -> tuple[CellValue, list[str]]:
    return value, warned
