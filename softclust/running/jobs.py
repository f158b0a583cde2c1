"""Run jobs by number: the one driver of replicates, references, starts, cells, waves and chunks.

A job is known by its number. Its random numbers depend on the root and on that number alone
(`Streams`), and results are added in the order of the numbers; so neither threads, workers, chunks
nor interruptions can change a bit, and 100 replicates after 100 are 200 in one go.

Jobs run here, on any `concurrent.futures.Executor` or on a backend of joblib; tasks and results
then travel by pickle, so a task is a module-level function or a frozen dataclass with
``__call__``. Kernels on threads alone are for `run_chunks`.
"""

from __future__ import annotations

import os
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import Executor, Future, wait
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from .._checks import shown
from .blas import one_thread
from .interrupts import interrupts_later
from .threads import Progress, get_num_threads, pool_of_threads, progress_bar
from .warnings import listening

#: seconds that a chunk should take: on workers, and on threads between looks for Ctrl-C
WORKER_SECONDS = 0.4
THREAD_SECONDS = 0.1
#: seconds that an interrupt waits for chunks under way
PATIENCE = 0.4
#: most growth from one chunk to the next; chunks under way per worker
_GROWTH = 8
_AHEAD = 2
#: chunks towards the end are not cut below this: handing over costs a tenth of it
_SHORTEST = 0.002


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicateFailure:
    """A replicate without a result.

    Attributes
    ----------
    replicate : int
        Number of the replicate, from 0.
    reason : str
        Name and message of the error.

    Examples
    --------
    >>> import softclust
    >>> softclust.results.ReplicateFailure(replicate=7, reason="ValueError: no cluster found")
    ReplicateFailure(replicate=7, reason='ValueError: no cluster found')
    """

    replicate: int
    reason: str


def run_jobs(task: Callable[..., Any], jobs: Iterable[Any], add: Callable[..., object], *,
             ranges: bool = False, fail: Callable[[ReplicateFailure], object] | None = None,
             told: Callable[[int, list[str]], object] | None = None, limit_blas: bool = True,
             executor: Any = None, progress: Progress | bool | None = False,
             what: str = "replicates") -> None:
    """Call ``task(number)`` for each of the jobs and ``add(number, result)`` in their order.

    Parameters
    ----------
    task : callable
        Where it has ``part(start, stop)``, this part of it goes to an executor.
    jobs : range or iterable
        The numbers; several go to a worker at once. Or any objects, even without a known end, for
        ``task(number, job)``: each goes to a worker alone, its place is its number.
    add : callable
    ranges : bool, optional
        Call ``task(start, stop)`` on ranges that cover `jobs` and ``add(start, stop, result)``:
        compiled work. Their sizes follow the clock, so a sum over ranges must not depend on them:
        counts are whole numbers, other results come by number.
    fail : callable, optional
        Told in place of `add` when a task raises an Exception; without it the run ends.
    told : callable, optional
        Gets number and texts of what softclust's own code warns of within a task, in order; it is
        then never an error, whatever the filters of warnings say.
    limit_blas : bool, optional
        One thread of BLAS and OpenMP within tasks: more are slower in small problems and could
        change bits.
    executor : None, "joblib" or executor
        None: tasks run one after another here (scikit-learn's clusterers are not faster on
        threads), ranges on `get_num_threads()` threads, since kernels leave the GIL.
    progress, what
        As `progress_bar` takes them.

    Notes
    -----
    Ctrl-C, or an executor that breaks, ends the run with that exception after everything that was
    finished in its turn was added.
    """
    if executor is not None:
        check_executor(executor)
    first, total = (jobs.start, len(jobs)) if isinstance(jobs, range) else (
        0, len(jobs) if isinstance(jobs, Sized) else 0)
    work = task if ranges else _Each(task, fail is not None, told is not None, limit_blas)
    with progress_bar(progress, what) as callback:
        def finish(chunk: _Chunk) -> None:
            with interrupts_later():
                if ranges:
                    add(chunk.start, chunk.stop, chunk.result)
                else:
                    for b, (outcome, warned) in enumerate(chunk.result, start=chunk.start):
                        if warned and told is not None:
                            told(b, warned)
                        if fail is not None and isinstance(outcome, ReplicateFailure):
                            fail(outcome)
                        else:
                            add(b, outcome)
            if callback is not None:
                callback(chunk.stop - first, max(total, chunk.stop - first))

        with one_thread() if limit_blas and not ranges else nullcontext():
            if executor == "joblib":
                _run_joblib(work, jobs, finish)
            elif executor is not None:
                _run_on(executor, work, _Plan(jobs, WORKER_SECONDS, _workers(executor)), finish)
            elif not ranges:
                # One by one: Ctrl-C in the middle of a chunk would lose others.
                for start, stop, items in _Plan(jobs, 0.0, 1):
                    finish(_timed(work, start, stop, items))
            else:
                # On a thread of its own even when it is the only one: here Ctrl-C is answered
                # while a kernel is busy with a long replicate.
                workers = get_num_threads()
                plan = _Plan(jobs, THREAD_SECONDS, workers, getattr(work, "pilot", 1))
                with pool_of_threads(workers) as pool:
                    _run_on(pool, work, plan, finish)


def check_executor(executor: Any) -> None:
    """Raise unless `executor` is None, "joblib" or has ``submit``."""
    if executor not in (None, "joblib") and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor is {shown(executor)}; None, 'joblib' or a "
                        "concurrent.futures.Executor is needed (dask: client.get_executor())")


# -- chunks ---------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Chunk:
    start: int
    stop: int
    result: Any
    seconds: float


@dataclass(frozen=True, slots=True)
class _Each:
    """A task of one job as work on a range."""

    task: Callable[..., Any]
    catches: bool
    listens: bool
    limit_blas: bool

    def __call__(self, start: int, stop: int, *items: Any) -> list[tuple[Any, list[str]]]:
        """The result or failure of each job, and the warnings meanwhile."""
        outcomes = []
        with one_thread() if self.limit_blas else nullcontext():
            for b in range(start, stop):
                hears: AbstractContextManager[list[str]] = (
                    listening() if self.listens else nullcontext([]))
                with hears as warned:
                    try:
                        result = self.task(b, *items)
                    except Exception as error:
                        if not self.catches:
                            raise
                        result = ReplicateFailure(replicate=b,
                                                  reason=f"{type(error).__name__}: {error}")
                outcomes.append((result, warned))
        return outcomes

    def part(self, start: int, stop: int) -> _Each:
        """The part of a task that a range needs, if the task has one."""
        part = getattr(self.task, "part", None)
        return _Each(part(start, stop), self.catches, self.listens,
                     self.limit_blas) if part else self


def _timed(work: Callable[..., Any], start: int, stop: int, items: tuple[Any, ...] = ()) -> _Chunk:
    """Run and time a chunk on a worker."""
    begin = time.perf_counter()
    result = work(start, stop, *items)
    return _Chunk(start, stop, result, time.perf_counter() - begin)


class _Plan:
    """Ranges in order, whose lengths follow the pace of the latest chunk; or items one by one."""

    def __init__(self, jobs: Iterable[Any], target: float, workers: int, pilot: int = 1) -> None:
        self.jobs, self.target, self.workers = jobs, target, workers
        self.seconds = 0.0   # of a job
        self.size = pilot

    def note(self, chunk: _Chunk) -> None:
        """Learn the pace from a chunk."""
        self.seconds = chunk.seconds / (chunk.stop - chunk.start)
        wanted = self.target / max(self.seconds, 1e-9)
        self.size = max(1, int(min(wanted, _GROWTH * self.size)))

    def __iter__(self) -> Iterator[tuple[int, int, tuple[Any, ...]]]:
        if not isinstance(self.jobs, range):
            for k, item in enumerate(self.jobs):
                yield k, k + 1, (item,)
            return
        start, last = self.jobs.start, self.jobs.stop
        while start < last:
            # Towards the end all workers should have something to do, but nothing tiny.
            left = last - start
            fair = left if self.workers == 1 else -(-left // (_AHEAD * self.workers))
            if self.seconds:
                fair = max(fair, int(_SHORTEST / self.seconds))
            stop = start + min(self.size, fair, left)
            yield start, stop, ()
            start = stop


def _run_on(executor: Executor, work: Callable[..., Any], plan: _Plan,
            finish: Callable[[_Chunk], None]) -> None:
    running: deque[Future[_Chunk]] = deque()
    part = getattr(work, "part", None)   # what a range needs of work that holds much
    ranges = iter(plan)
    try:
        while True:
            for start, stop, items in islice(ranges, _AHEAD * plan.workers - len(running)):
                running.append(executor.submit(_timed, part(start, stop) if part else work, start,
                                               stop, items))
            if not running:
                return
            chunk = running[0].result()
            running.popleft()
            plan.note(chunk)
            finish(chunk)
    except BaseException:
        for future in running:
            future.cancel()
        # dask's futures are concurrent.futures.Future too when they come from its executor.
        wait([future for future in running if not future.cancelled()], timeout=PATIENCE)
        while running and running[0].done() and not (
                running[0].cancelled() or running[0].exception()):
            finish(running.popleft().result())
        raise


def _run_joblib(work: Callable[..., Any], jobs: Iterable[Any],
                finish: Callable[[_Chunk], None]) -> None:
    """Chunks on the backend of ``joblib.parallel_config``; all get the same arrays."""
    from joblib import Parallel, delayed, effective_n_jobs
    from joblib.parallel import get_active_backend
    backend = get_active_backend()[0]
    streams = backend.supports_return_generator   # ray and spark give results at the end only
    parallel = Parallel(return_as="generator" if streams else "list", batch_size=1)
    plan = _Plan(jobs, WORKER_SECONDS, effective_n_jobs(parallel.n_jobs))
    if not streams and isinstance(jobs, range):
        plan.size = max(1, len(jobs) // (4 * plan.workers))
    alone = plan.workers == 1 or getattr(backend, "supports_sharedmem", False)
    sent = (work,) if alone else packed(work)
    chunks = parallel(delayed(_timed_packed)(*chunk, *sent) for chunk in plan)
    with closing(chunks) if streams else nullcontext():
        for chunk in chunks:
            plan.note(chunk)
            finish(chunk)


def packed(value: Any) -> tuple[Any, ...]:
    """A pickle without its arrays, and these as bytes, in one argument each.

    joblib sends an array once, however many tasks have it as an argument: loky maps it into the
    workers' memory, dask scatters it.
    """
    try:
        import cloudpickle
    except ImportError:   # joblib below 1.6 brings its own
        from joblib.externals import cloudpickle
    buffers: list[Any] = []
    head = cloudpickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    return head, *(np.frombuffer(buffer.raw(), np.uint8) for buffer in buffers)


def _timed_packed(start: int, stop: int, items: tuple[Any, ...], work: Any, *arrays: np.ndarray
                  ) -> _Chunk:
    """Run and time a chunk on a worker of joblib."""
    return _timed(pickle.loads(work, buffers=arrays) if isinstance(work, bytes) else work, start,
                  stop, items)


def _workers(executor: Executor) -> int:
    """Number of tasks that the executor runs at once; a guess if it is not known."""
    count = getattr(executor, "_max_workers", None)
    if isinstance(count, int):
        return max(1, count)
    client = getattr(executor, "_client", None)   # dask
    if getattr(client, "status", "running") in ("closing", "closed"):
        raise RuntimeError("executor belongs to a dask client that is closed; connect again: "
                           "Client(...).get_executor()")
    if client is not None and hasattr(client, "nthreads"):
        return max(1, sum(client.nthreads().values()))
    return os.cpu_count() or 1
