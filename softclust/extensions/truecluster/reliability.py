"""The grid of a reliability simulation: rules, sizes, fractions and reliabilities."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from ..._checks import (
    ClusteringError,
    IncompleteWarning,
    check_choice,
    check_whole,
    finite_array,
    frozen,
    shown,
)
from ..._types import RNG, ArrayLike, SimulatedRule, StrPath, Workers
from ...ensembles.checkpoint import Checkpoint, read_arrays, write_arrays
from ...results.records import Columns, Record
from ...results.stored import check_arrays, readable
from ...results.summary import SummaryTable
from ...results.text import many
from ...running.interrupts import keep_finished
from ...running.jobs import run_jobs
from ...running.random_numbers import as_generator
from ...running.threads import Progress
from ...running.warnings import warn
from ...soft_pairs.entropies import criterion_of_rows
from ...tables import matching
from . import _kernels

#: the rules of the kernel
METHODS = matching.METHODS[:3]
VERSIONS = ("free", "fixed")
#: fractions and reliabilities are whole multiples of 1 / UNITS
UNITS = 10_000

#: method, version, fraction, reliability
Key = tuple[int, int, int, int]


class Grid(NamedTuple):
    """Indices of rules and sizes, and numbers of steps: cells are their combinations."""

    methods: Sequence[int]
    versions: Sequence[int]
    fractions: Sequence[int]
    reliabilities: Sequence[int]


def checked_grid(method: Any, fixed: Any, fractions: Any, reliabilities: Any, n_objects: Any
                 ) -> Grid:
    """Return the grid, or raise with the reason why it is wrong."""
    methods = (method,) if isinstance(method, str) or not np.iterable(method) else tuple(method)
    for name in methods:
        check_choice("method", name, METHODS)
    flags = tuple(fixed) if np.iterable(fixed) else (fixed,)
    if not all(isinstance(flag, (bool, np.bool_)) for flag in flags):
        raise TypeError(f"fixed is {shown(fixed)}; True, False or several of them are needed")
    n_objects = check_whole("n_objects", n_objects, 2)
    f, rel = (finite_array(name, np.atleast_1d(values), 1) for name, values in (
        ("fractions", fractions), ("reliabilities", reliabilities)))
    ones = np.round(f * n_objects)
    if not ((ones >= 1) & (ones <= n_objects - 1)).all():
        raise ClusteringError(f"fractions {f[(ones < 1) | (ones > n_objects - 1)]} leave one of "
                              f"two clusters of {n_objects} objects empty; round(f n) must be in "
                              "1, ..., n - 1")
    if not ((rel >= 0) & (rel <= 1)).all():
        raise ClusteringError(f"reliabilities {rel[(rel < 0) | (rel > 1)]} are outside [0, 1]")
    grid = Grid([METHODS.index(m) for m in methods], [int(flag) for flag in flags], units(f),
                units(rel))
    for name, values in zip(("method", "fixed", "fractions", "reliabilities"), grid):
        if not len(values) or len(set(values)) < len(values):
            raise ClusteringError(f"{name} is empty or has equal entries; different ones are "
                                  f"needed (numbers must differ by {1 / UNITS:g} or more)")
    return grid


def units(values: np.ndarray) -> list[int]:
    """Convert to whole numbers of steps."""
    return [round(value * UNITS) for value in values.tolist()]


# -- bias of resampled clusterings by the matching rule: a clusterer of known reliability ---------
_KIND = "reliability simulation"
DUPLICATES, GUESSES = ("independent", "shared"), ("margins", "half")
#: values stored for a cell
_VALUES = ("uncertainty", "complexity", "information", "criterion", "accepted", "attempts",
           "degenerate")
#: attempts whose random numbers are drawn at once
_ATTEMPTS = 256
#: values of a cell that is not finished
_MISSING = np.array([np.nan] * 4 + [0.0] * 3)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ReliabilitySimulation(Record):
    """Votes of a simulated clusterer over a grid; made by `reliability_simulation`.

    Arrays have shape (methods, versions, fractions, reliabilities).

    Attributes
    ----------
    fractions : (F,) float64
        Share of the objects that truly belong to the first of two clusters.
    reliabilities : (R,) float64
        0: the clusterer guesses; 1: it is right.
    methods, versions : tuple of str
        Matching rules; "free" and "fixed" cluster sizes.
    uncertainty, complexity, information, criterion : float64 arrays
        Parts of the cluster information criterion in bits; nan if degenerate.
    accepted, attempts : int64 arrays
        Samples that voted and samples that were tried.
    degenerate : bool array
        True if fewer than `n_resamples` samples were accepted: all objects went to one cluster.
    n_objects, n_resamples, max_attempts : int
    duplicates, guess : str
        The options.
    entropy : int
        Root of the random numbers: ``rng=entropy`` gives the same bits.

    Notes
    -----
    ``to_frame()``: one row per cell. Columns: method, version, fraction, reliability, uncertainty,
    complexity, information, criterion, accepted, attempts, degenerate.

    Examples
    --------
    >>> import softclust
    >>> sim = softclust.reliability_simulation([0.5], [0.0, 1.0], method="trace", n_resamples=50,
    ...                                        rng=0)
    >>> float(sim.uncertainty[0, 0, 0, 1])
    0.0
    """

    fractions: Annotated[np.ndarray, "f F 0..1 finite"]
    reliabilities: Annotated[np.ndarray, "f R 0..1 finite"]
    methods: tuple[str, ...]
    versions: tuple[str, ...]
    uncertainty: Annotated[np.ndarray, "f methods versions fractions reliabilities"]
    complexity: Annotated[np.ndarray, "f methods versions fractions reliabilities"]
    information: Annotated[np.ndarray, "f methods versions fractions reliabilities"]
    criterion: Annotated[np.ndarray, "f methods versions fractions reliabilities"]
    accepted: Annotated[np.ndarray, "i methods versions fractions reliabilities"]
    attempts: Annotated[np.ndarray, "i methods versions fractions reliabilities"]
    degenerate: Annotated[np.ndarray, "b methods versions fractions reliabilities"]
    n_objects: int
    n_resamples: int
    max_attempts: int
    duplicates: str
    guess: str
    entropy: Annotated[int, "big"]

    def __repr__(self) -> str:
        missing = int((self.attempts == 0).sum())
        note = f", {missing} of {self.attempts.size} cells not finished" if missing else ""
        return (f"ReliabilitySimulation({', '.join(self.methods)}; {', '.join(self.versions)}; "
                f"{len(self.fractions)} fractions x {len(self.reliabilities)} reliabilities, "
                f"n_objects={self.n_objects}, n_resamples={self.n_resamples}{note})")

    def save(self, path: StrPath) -> None:
        """Write the cells to a file that ``resume=`` and `load_reliability_simulation` read.

        Parameters
        ----------
        path : str or path
            The file is replaced in one step.
        """
        write_arrays(path, _KIND, _stored(self._model(), self._cells()))

    def _model(self) -> _Model:
        return _Model(**{part.name: getattr(self, part.name) for part in fields(_Model)})

    def _cells(self) -> dict[Key, np.ndarray]:
        keys = product(map(METHODS.index, self.methods), map(VERSIONS.index, self.versions),
                       units(self.fractions), units(self.reliabilities))
        values = np.stack([getattr(self, name).ravel() for name in _VALUES], axis=1)
        finished = self.attempts.ravel() > 0   # the others come from an interrupted simulation
        return {key: row for key, row, done in zip(keys, values.astype(np.float64), finished)
                if done}

    def _frame(self) -> Columns:
        method, version, fraction, reliability = np.indices(self.criterion.shape).reshape(4, -1)
        return Columns({"method": np.array(self.methods)[method],
                        "version": np.array(self.versions)[version],
                        "fraction": self.fractions[fraction],
                        "reliability": self.reliabilities[reliability]}
                       | {name: getattr(self, name).ravel() for name in _VALUES})

    def _table(self) -> SummaryTable:
        picked = np.unique(np.linspace(0, len(self.reliabilities) - 1, 11).round().astype(int))
        data = []
        for m, method in enumerate(self.methods):
            for v, version in enumerate(self.versions):
                for k in picked:
                    finished = self.attempts[m, v, :, k] > 0
                    lost = self.degenerate[m, v, :, k]
                    row = [method, version, f"{self.reliabilities[k]:g}",
                           f"{lost[finished].mean():.2f}" if finished.any() else ""]
                    for name in ("uncertainty", "information", "criterion"):
                        values = getattr(self, name)[m, v, :, k][finished & ~lost]
                        row.append(f"{values.mean():.3f}" if values.size else "")
                    data.append(row)
        return SummaryTable(
            data, ["method", "sizes", "reliability", "degenerate", "uncertainty", "information",
                   "criterion"], aligns="llrrrrr",
            title=f"Reliability simulation, {many(len(self.fractions), 'fraction')}, "
                  f"{self.n_objects} objects, {self.n_resamples} samples",
            notes=["Degenerate: share of fractions for which all objects went to one cluster; the "
                   "means, in bits, are over the others.", *([] if (self.attempts > 0).all() else [
                       f"{int((self.attempts == 0).sum())} of {self.attempts.size} cells are not "
                       "finished and left out."])])

    def plot(self, *, version: Literal["free", "fixed"] | None = None) -> np.ndarray:
        """Draw information, uncertainty and criterion over the grid.

        See `softclust.plotting.plot_reliability`.

        Parameters
        ----------
        version : {"free", "fixed"}, optional
            The first by default.

        Returns
        -------
        ndarray of matplotlib axes, shape (methods, 3)
        """
        from ...plotting import plot_reliability
        return plot_reliability(self, version=version)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    """Settings that the numbers of a cell depend on, besides its place in the grid."""

    n_objects: int
    n_resamples: int
    max_attempts: int
    duplicates: str
    guess: str
    entropy: int

    def run(self, key: Key) -> np.ndarray:
        """The values of one cell."""
        method, fixed, f, rel = key
        n, fraction, reliability = self.n_objects, f / UNITS, rel / UNITS
        ones = round(fraction * n)
        chance = (fraction, 1 - fraction) if self.guess == "margins" else (0.5, 0.5)
        same = [reliability + (1 - reliability) * p for p in chance]
        rng = np.random.default_rng(np.random.SeedSequence(self.entropy, spawn_key=key))
        votes, counts = np.zeros((n, 2), dtype=np.int64), np.zeros(3, dtype=np.int64)
        width = _kernels.reliability.n_numbers(n, bool(fixed))
        while counts[0] < self.n_resamples and counts[1] < self.max_attempts and not counts[2]:
            attempts = min(_ATTEMPTS, self.max_attempts - int(counts[1]))
            _kernels.reliability.simulate(
                rng.random((attempts, width)), ones, float(same[0]), float(same[1]),
                ones if fixed else -1, self.duplicates == "shared", method, self.n_resamples,
                votes, counts)
        degenerate = counts[0] < self.n_resamples
        parts = [np.nan] * 4
        if not degenerate:
            totals = votes.sum(axis=1)
            cic = criterion_of_rows(votes[totals > 0] / totals[totals > 0, None])
            parts = [cic.uncertainty, cic.complexity, cic.information, cic.criterion]
        return np.array([*parts, counts[0], counts[1], degenerate])


@dataclass(frozen=True, slots=True, kw_only=True)
class _GridCells:
    """Work on a range of cells; picklable."""

    model: _Model
    keys: list[Key]
    first: int = 0

    def part(self, start: int, stop: int) -> _GridCells:
        """The cells of a range."""
        keys = self.keys[start - self.first:stop - self.first]
        return _GridCells(model=self.model, keys=keys, first=start)

    def __call__(self, start: int, stop: int) -> list[np.ndarray]:
        return [self.model.run(key) for key in self.part(start, stop).keys]


def reliability_simulation(fractions: ArrayLike, reliabilities: ArrayLike, *,
                           method: SimulatedRule | Sequence[SimulatedRule] = ("trace", "truematch"),
                           fixed: bool | Sequence[bool] = False, n_objects: int = 100,
                           n_resamples: int = 1000,
                           duplicates: Literal["independent", "shared"] = "independent",
                           guess: Literal["margins", "half"] = "margins",
                           max_attempts: int = 20_000, rng: RNG = None,
                           executor: Workers | None = None,
                           progress: Progress | bool | None = False,
                           resume: ReliabilitySimulation | StrPath | None = None
                           ) -> ReliabilitySimulation:
    r"""Simulate votes of a clusterer of known reliability (appendix A of the matching paper).

    Parameters
    ----------
    fractions : array-like, shape (F,)
        Shares of the objects in the first of two true clusters; round(f n) must lie in 1, ...,
        n - 1. Rounded to steps of 0.0001.
    reliabilities : array-like, shape (R,)
        In [0, 1], rounded to steps of 0.0001; 0: the clusterer guesses, 1: it is right.
    method : str or sequence of str
        Matching rules, see `match_clusters`.
    fixed : bool or sequence of bool
        True: samples are forced to have round(f n) ones by moving draws, in random order, out of
        the class that is too large.
    n_objects, n_resamples : int
        Number of objects, and number of samples that must vote.
    duplicates : {"independent", "shared"}
        Classify copies of an object in a sample separately or together.
    guess : {"margins", "half"}
        A guess is right with the true share of the class, or half of the time.
    max_attempts : int
        Maximum number of samples tried in a cell.
    rng : None, int or Generator
        Seed or generator; each cell has its own stream, so its bits do not depend on the grid, the
        order or the workers.
    executor : concurrent.futures.Executor or "joblib", optional
        Runs the cells; threads by default.
    progress : bool or callable
        True shows a progress bar; a function is called with (done, total).
    resume : path or ReliabilitySimulation, optional
        Finished cells are taken from it. A path is also written to, at most twice a second and at
        the end: repeat the same call after an interruption.

    Returns
    -------
    ReliabilitySimulation

    Raises
    ------
    ClusteringError
        If an argument is not allowed, or `resume` belongs to other options.

    Warns
    -----
    IncompleteWarning
        If Ctrl-C stopped the run: unfinished cells are nan, with 0 attempts.

    See Also
    --------
    load_reliability_simulation, mmcc

    Notes
    -----
    .. math::

        \mathrm{rel} + (1 - \mathrm{rel}) f \quad \text{and} \quad \mathrm{rel} + (1 -
        \mathrm{rel}) (1 - f)

    f is the fraction and rel the reliability: the two formulas are the probabilities that a draw
    from the first and from the second class gets its true class. A sample is n draws with
    replacement; it is dropped if it, or the majorities of its objects, have one class only. Each
    draw votes; objects that were not drawn do not. Once all objects have a strict majority for one
    class, no further sample is accepted: the cell ends as degenerate. The formulas are missing from
    the text; this model is inferred. About 2 milliseconds per cell of 100 objects and 1000 samples.

    Theory: docs/theory/truecluster.md.

    References
    ----------
    J. Oehlschlaegel, "Truecluster matching", arXiv:0705.4302 (2007), appendix A.

    Examples
    --------
    >>> import softclust
    >>> sim = softclust.reliability_simulation([0.3], [0.0, 1.0], n_resamples=200, rng=0)
    >>> sim.degenerate[0, 0].tolist(), sim.degenerate[1, 0].tolist()
    ([[True, False]], [[False, False]])
    >>> round(float(sim.criterion[1, 0, 0, 1]), 4)
    0.8738
    """
    grid = checked_grid(method, fixed, fractions, reliabilities, n_objects)
    check_choice("duplicates", duplicates, DUPLICATES)
    check_choice("guess", guess, GUESSES)
    options = {"n_objects": int(n_objects), "n_resamples": check_whole("n_resamples", n_resamples),
               "max_attempts": check_whole("max_attempts", max_attempts),
               "duplicates": duplicates, "guess": guess}
    path = None
    if isinstance(resume, (str, os.PathLike)):
        path = Path(resume)
    elif resume is not None and not isinstance(resume, ReliabilitySimulation):
        raise TypeError(f"resume is {shown(resume)}; a path or a ReliabilitySimulation is needed")
    model, done = _resumed(resume, path, options, rng)
    keys: list[Key] = list(product(*grid))
    todo = [key for key in dict.fromkeys(keys) if key not in done]
    file = None if path is None else Checkpoint(path, _KIND)

    def add(start: int, stop: int, values: list[np.ndarray]) -> None:
        done.update(zip(todo[start:stop], values))
        if file is not None:
            file.keep(lambda: _stored(model, done))

    with keep_finished("cells", len(keys), lambda: sum(key in done for key in keys),
                       "repeat the same call"
                       + ("" if path is not None else " with resume=this result")) as stop:
        try:
            run_jobs(_GridCells(model=model, keys=todo), range(len(todo)), add, ranges=True,
                     executor=executor, progress=progress, what="cells")
        finally:
            unwritten = file.close(_stored(model, done)) if file is not None and todo else None
    if unwritten is not None:
        warn(f"{path} could not be written ({unwritten}); the result has all cells: save it "
                      "elsewhere with its method save", IncompleteWarning, stacklevel=2)
    stop.warn()
    return _record(model, grid, done)


def load_reliability_simulation(path: StrPath) -> ReliabilitySimulation:
    """Read a saved simulation, finished or interrupted.

    Parameters
    ----------
    path : str or path
        Written by `ReliabilitySimulation.save` or ``reliability_simulation(..., resume=path)``.

    Returns
    -------
    ReliabilitySimulation
        The smallest grid that contains all its cells; unfinished cells are nan, with 0 accepted
        and attempts, and not degenerate.

    Raises
    ------
    ClusteringError
        If the file has other contents.

    See Also
    --------
    reliability_simulation

    Examples
    --------
    >>> import tempfile, pathlib, softclust
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "cells.npz"
    ...     sim = softclust.reliability_simulation([0.5], [1.0], n_resamples=50, rng=0, resume=path)
    ...     softclust.load_reliability_simulation(path).criterion.shape
    (2, 1, 1, 1)
    """
    model, done = _loaded(path)
    if not done:
        raise ClusteringError(f"{path} has no finished cell")
    return _record(model, Grid(*(sorted(set(column)) for column in zip(*done))), done)


def _record(model: _Model, grid: Grid, done: dict[Key, np.ndarray]) -> ReliabilitySimulation:
    values = np.array([done.get(key, _MISSING) for key in product(*grid)]).reshape(
        *map(len, grid), len(_VALUES))
    types = {"accepted": np.int64, "attempts": np.int64, "degenerate": np.bool_}
    arrays: dict[str, Any] = {
        name: frozen(values[..., k].astype(types.get(name, np.float64)))
        for k, name in enumerate(_VALUES)}
    return ReliabilitySimulation(
        fractions=frozen(np.array(grid.fractions) / UNITS),
        reliabilities=frozen(np.array(grid.reliabilities) / UNITS),
        methods=tuple(METHODS[m] for m in grid.methods),
        versions=tuple(VERSIONS[v] for v in grid.versions), **asdict(model), **arrays)


# -- files ----------------------------------------------------------------------------------
def _stored(model: _Model, done: dict[Key, np.ndarray]) -> dict[str, Any]:
    return {"keys": np.array(list(done), dtype=np.int64).reshape(-1, 4),
            "values": np.array(list(done.values())).reshape(-1, len(_VALUES)),
            "sizes": np.array([model.n_objects, model.n_resamples, model.max_attempts]),
            "words": np.array([model.duplicates, model.guess, str(model.entropy)])}


def _loaded(path: Any) -> tuple[_Model, dict[Key, np.ndarray]]:
    arrays = read_arrays(path, _KIND, ("keys", "values", "sizes", "words"))
    with readable(path, _KIND, "remove it or name another"):
        check_arrays(arrays, keys="i k 4", values=f"f k {len(_VALUES)}", sizes="i 3", words="U 3")
        n, resamples, attempts = map(int, arrays["sizes"])
        duplicates, guess, entropy = map(str, arrays["words"])
        keys, ends = arrays["keys"], (len(METHODS), len(VERSIONS), UNITS + 1, UNITS + 1)
        whole = arrays["values"][:, 4:]   # accepted, attempts, degenerate
        if not ((whole >= 0) & (whole <= 2**53)).all() or (whole[:, 2] > 1).any():
            raise ValueError("a count of replicates is impossible")
        if (min(n - 1, resamples, attempts) < 1 or (keys < 0).any() or (keys >= ends).any()
                or duplicates not in DUPLICATES or guess not in GUESSES
                or not entropy.isdecimal()):
            raise ValueError("a number or word is impossible")
        model = _Model(n_objects=n, n_resamples=resamples, max_attempts=attempts,
                       duplicates=duplicates, guess=guess, entropy=int(entropy))
    return model, dict(zip(map(tuple, keys.tolist()), arrays["values"]))


def _resumed(resume: Any, path: Path | None, options: dict[str, Any], rng: Any
             ) -> tuple[_Model, dict[Key, np.ndarray]]:
    """The model, and the cells that exist already."""
    if path is not None and not path.exists():
        if not path.parent.is_dir():
            raise ClusteringError(f"the folder of resume={str(path)!r} does not exist")
        resume = None
    if resume is None:
        return _Model(entropy=_entropy(rng), **options), {}
    if path is not None:
        model, done = _loaded(path)
    else:
        model, done = resume._model(), resume._cells()
    for name, value in options.items():
        if getattr(model, name) != value:
            raise ClusteringError(f"the cells to resume have {name}={getattr(model, name)!r}, this "
                                  f"call {value!r}; use the same, or another file")
    if rng is not None and _entropy(rng) != model.entropy:
        raise ClusteringError(f"the cells to resume have rng={model.entropy}; use that, leave rng "
                              "out, or name another file")
    return model, done


def _entropy(rng: Any) -> int:
    if rng is None:
        return _entropy(np.random.default_rng())
    if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool) and rng >= 0:
        return int(rng)
    words = as_generator(rng).integers(0, 2**32, size=4, dtype=np.uint64)
    return sum(int(word) << 32 * k for k, word in enumerate(words))
