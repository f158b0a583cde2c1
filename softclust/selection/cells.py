"""Computations of `cluster_number` for one number of clusters, and early stopping."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from .._checks import IncompleteWarning
from ..running.blas import one_thread
from ..running.jobs import ReplicateFailure, run_jobs
from ..running.warnings import listening, quiet
from ..soft_pairs.entropies import pairwise_of_rows
from ..soft_pairs.uncertainty import row_entropies
from .criteria import CRITERIA

# -- one number of clusters (at one prior scale): what a worker computes, picklable ---------------
#: blocks of replicates that the jackknife leaves out in turn
BLOCKS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class CellValue:
    """Result of one cell; nan if a criterion was not computed."""

    criterion: float
    mc_error: float = float("nan")
    entropy: float = float("nan")
    pairwise_entropy: float = float("nan")
    pair: tuple[int, int] = (-1, -1)
    n_resamples: int = 0
    dropped: bool = False

    @classmethod
    def of(cls, found: float | tuple[float, float] | CellValue) -> CellValue:
        """Make one of the value of a criterion, or a pair (value, error)."""
        if isinstance(found, CellValue):
            return found
        value, error = found if isinstance(found, tuple) else (found, math.nan)
        return cls(criterion=value, mc_error=error)


def observed(x: Any, number: int, cell: Any) -> tuple[CellValue, list[str]]:
    """The result of a cell, and the warnings of softclust's estimators."""
    with listening() as warned:
        return cell(x), warned


@dataclass(frozen=True, slots=True, kw_only=True)
class EntropyCell:
    """Mean entropies of a bagged clustering, with jackknife Monte Carlo errors."""

    criterion: str
    estimator: Any

    def __call__(self, x: Any) -> CellValue:
        total = self.n_resamples
        votes = votes_after(self.estimator, x, marks_of(total)) if total > 1 else []
        if not votes:
            self.estimator.fit(x)
        return replace(self.value_of(votes), n_resamples=total)

    @property
    def n_resamples(self) -> int:
        """Number of replicates of a whole fit; 0 for an estimator that cannot be continued."""
        parameters = self.estimator.get_params(deep=False)
        total = parameters.get("n_resamples")
        return 0 if total is None or "warm_start" not in parameters else int(total)

    def value_of(self, votes: list[np.ndarray]) -> CellValue:
        """The entropies of the fitted estimator; `votes` cumulated after each block."""
        fitted = self.estimator
        rows = np.asarray(fitted.membership_)
        known = rows[~np.isnan(rows).any(axis=1)]
        pairs = pairwise_of_rows(known)
        score, error = CRITERIA[self.criterion].score, math.nan
        if votes:
            # the jackknife leaves out one block of replicates at a time
            cumulated = np.stack([np.zeros_like(votes[-1]), *votes]).astype(np.float64)
            left_out = []
            for rest in cumulated[-1] - np.diff(cumulated, axis=0):
                voted = rest[rest.sum(axis=1) > 0]
                shares = voted / voted.sum(axis=1, keepdims=True)
                left_out.append(score(shares, row_entropies(shares)))
            error = float(np.sqrt((len(left_out) - 1) * np.var(left_out)))
        return CellValue(criterion=score(known, fitted.entropy_), mc_error=error,
                         entropy=float(np.nanmean(fitted.entropy_)),
                         pairwise_entropy=float(pairs.maximum), pair=pairs.pair or (-1, -1))


def marks_of(total: int, blocks: int = BLOCKS) -> list[int]:
    """Replicates after each block of the jackknife."""
    marks: list[int] = np.unique(np.linspace(0, total, min(blocks, total) + 1).astype(int)).tolist()
    return marks[1:]


def votes_after(estimator: Any, x: Any, marks: list[int]) -> list[np.ndarray]:
    """Cumulated votes after each of these numbers of replicates; empty if there are none.

    The fit continues from the estimator's state, with the same bits as in one run.
    """
    total = estimator.get_params(deep=False)["n_resamples"]
    estimator.set_params(warm_start=True, n_resamples=marks[-1])
    try:
        staged = []
        for mark in marks:
            estimator.set_params(n_resamples=mark)
            with nullcontext() if mark == marks[-1] else quiet():   # few replicates lack much
                estimator.fit(x)
            if not hasattr(estimator, "votes_"):
                return []
            staged.append(np.array(estimator.votes_))
        return staged
    finally:
        estimator.set_params(n_resamples=total)


@dataclass(frozen=True, slots=True, kw_only=True)
class FitCell:
    """A criterion of the fitted clusterer's own; without one, of a single cluster."""

    criterion: str
    estimator: Any

    def __call__(self, x: Any) -> CellValue:
        if self.estimator is not None:
            self.estimator.fit(x)
        return CellValue.of(CRITERIA[self.criterion].score(self.estimator))


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelsCell:
    """A criterion of data and the labels of a clusterer."""

    criterion: str
    estimator: Any

    def __call__(self, x: Any) -> CellValue:
        from ..ensembles.clusterers import fitted_labels
        own = CRITERIA[self.criterion]
        with one_thread():
            labels = fitted_labels(self.estimator, x, None)
            if not 2 <= np.unique(labels).size < x.shape[0]:
                raise ValueError(f"the clusterer found {np.unique(labels).size} clusters; the "
                                 f"{own.short} needs 2 to n - 1")
            return CellValue.of(own.score(x, labels))


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCell:
    """A criterion that runs its own k-means, on the data and on reference sets."""

    criterion: str
    n_clusters: int
    references: np.ndarray
    power: int
    seed: int
    n_starts: int

    def __call__(self, x: np.ndarray) -> CellValue:
        return CellValue.of(CRITERIA[self.criterion].score(
            x, self.n_clusters, self.references, self.power, self.n_starts, self.seed))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsCell:
    """A criterion of runs on halves of the data."""

    criterion: str
    estimator: Any
    n_resamples: int
    seed: int

    def __call__(self, x: Any) -> CellValue:
        from ..ensembles import resampled_clusterings
        with listening(IncompleteWarning) as warned:
            runs = resampled_clusterings(x, self.estimator, n_resamples=self.n_resamples,
                                         rng=self.seed)
        if any("interrupted" in text for text in warned):   # some runs are no criterion
            raise KeyboardInterrupt

        def labels() -> np.ndarray:
            """Labels of all objects."""
            from ..ensembles.clusterers import fitted_labels
            with one_thread():
                return fitted_labels(self.estimator, x, None)

        return CellValue.of(CRITERIA[self.criterion].score(runs, self.seed, labels))


# -- early stopping: numbers of clusters that are clearly worse get fewer replicates ---------------
#: shares of the replicates after which numbers are compared; with fewer replicates none are
_SHARES, FROM = (0.1, 0.2, 0.4), 200
#: blocks of the jackknife before the last stage: the votes after each are kept
_FEW_BLOCKS = 10
#: Monte Carlo errors behind the best above which a number of clusters is dropped
BEHIND = 3.0


def stages(total: int) -> list[int]:
    """Replicates after which numbers are compared: 20, 40, 80, 200 of 200."""
    return [*(round(share * total) for share in _SHARES if total >= FROM), total]


def _marks(stage: int, total: int) -> set[int]:
    """Replicates after each block of the jackknife of a stage."""
    return set(marks_of(stage, BLOCKS if stage == total else _FEW_BLOCKS))


def can_race(cell: Any) -> bool:
    """Return True if a cell can be stopped and continued."""
    if not isinstance(cell, EntropyCell):
        return False
    return len(stages(cell.n_resamples)) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """A cell under way: a worker takes it and returns it, picklable.

    Attributes
    ----------
    cell : EntropyCell
        The cell; its estimator is fitted so far.
    votes : dict
        Cumulated votes (n, K) by number of replicates, those that later stages need.
    value : CellValue or None
        Result of the last stage.
    finished : bool
    """

    cell: EntropyCell
    votes: dict[int, np.ndarray] = field(default_factory=dict)
    value: CellValue | None = None
    finished: bool = False

    def after(self, x: Any, stage: int) -> tuple[Runner, list[str]]:
        """The cell with `stage` replicates, and its warnings, which only count at the end."""
        total = self.cell.n_resamples
        if stage == total and not self.votes:   # it never began, or has no votes
            with listening() as warned:
                value = self.cell(x)
            return replace(self, value=value, finished=True), warned
        later = {b for s in stages(total) if s >= stage for b in _marks(s, total)}
        marks = sorted(b for b in later if max(self.votes, default=0) < b <= stage)
        with listening() as warned:
            staged = votes_after(self.cell.estimator, x, marks)
        if not staged:
            return replace(self, votes={}).after(x, total)
        votes = self.votes | dict(zip(marks, staged))
        value = replace(self.cell.value_of([votes[b] for b in sorted(_marks(stage, total))]),
                        n_resamples=stage)
        still = {b for s in stages(total) if s > stage for b in _marks(s, total)}
        return replace(self, value=value, finished=stage == total,
                       votes={b: v for b, v in votes.items() if b in still or b == stage}), warned


def race(cells: list[EntropyCell], groups: list[list[int]], x: Any, executor: Any,
         add: Callable[[int, tuple[CellValue, list[str]]], object],
         fail: Callable[[ReplicateFailure], object]) -> None:
    """Run cells stage by stage; each until it is complete, dropped or failed.

    `groups`: the cells that are compared with each other. `add` gets number, result and warnings.
    """
    runners: dict[int, Runner] = {j: Runner(cell=cell) for j, cell in enumerate(cells)}
    racing: list[int] = []

    def note(k: int, outcome: tuple[Runner, list[str]]) -> None:
        runner, warned = outcome
        runners[racing[k]] = runner
        if runner.finished and runner.value is not None:
            add(racing[k], (runner.value, warned))

    def lose(failure: ReplicateFailure) -> None:   # the user's estimator may raise anything
        j = racing[failure.replicate]
        del runners[j]
        fail(replace(failure, replicate=j))

    for stage in stages(cells[0].n_resamples):
        racing[:] = [j for j, runner in runners.items() if not runner.finished]
        run_jobs(partial(_after, x, stage), [runners[j] for j in racing], note, fail=lose,
                 executor=executor)
        for group in groups:
            for j in _far_behind({j: runners[j] for j in group if j in runners}):
                value = runners[j].value
                assert value is not None
                value = replace(value, dropped=True)
                runners[j] = replace(runners[j], finished=True, votes={}, value=value)
                add(j, (value, []))


def _after(x: Any, stage: int, number: int, runner: Runner) -> tuple[Runner, list[str]]:
    return runner.after(x, stage)


def _far_behind(runners: dict[int, Runner]) -> list[int]:
    """Unfinished cells more than `BEHIND` errors behind the best that was not dropped."""
    values = {j: r.value for j, r in runners.items()
              if r.value is not None and not r.value.dropped and not math.isnan(r.value.criterion)}
    if not values:
        return []
    best = min(values.values(), key=lambda v: v.criterion)
    # An error that is nan gives up nothing.
    return [j for j, v in values.items() if not runners[j].finished and
            v.criterion - best.criterion > BEHIND * math.hypot(v.mc_error,
                                                               best.mc_error)]
