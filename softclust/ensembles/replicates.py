"""Run replicates: the driver shared by all estimators that resample.

A replicate is known by its number. Its random numbers depend on the root and on that number
alone (`Streams`), and results are added in the order of the numbers; so neither threads, workers,
chunks nor interruptions can change a bit, and 100 replicates after 100 are 200 in one go.

Two doors: `run_replicates` for a task that serves one replicate (any clusterer, failures are
recorded), `run_blocks` for compiled work that serves a range of them. Both take any
`concurrent.futures.Executor`; tasks and results then travel by pickle, so a task is a
module-level function or a frozen dataclass with ``__call__``.
"""

from __future__ import annotations

import os
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from .._checks import ClusteringError, shown
from ..running.blas import one_thread
from ..running.interrupts import interrupts_later
from ..running.random_numbers import as_generator
from ..running.threads import Progress, get_num_threads, pool_of_threads, progress_bar
from ..running.warnings import listening

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


class ResamplingWarning(UserWarning):
    """A resampled clustering rests on fewer votes, or on worse fits, than requested.

    Some objects were never drawn, few replicates voted, or the clusterer warned; see the
    message.
    """

    __module__ = "softclust"


class FailedReplicatesWarning(ResamplingWarning):
    """Some replicates failed; the result rests on the others.

    The message gives their number and the first reason; a fitted estimator lists all of them in
    ``failures_``.
    """

    __module__ = "softclust"


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


class Streams:
    """Random numbers of replicates: child b serves replicate b.

    Parameters
    ----------
    random_state : None, int, SeedSequence, Generator or RandomState
        A Generator or RandomState moves on, so a second use gives other children.

    Notes
    -----
    `seed` is the b-th child that the root spawns.
    """

    def __init__(self, random_state: Any = None, name: str = "rng") -> None:
        if isinstance(random_state, np.random.SeedSequence):
            self.root = random_state
        elif random_state is None or isinstance(random_state, (int, np.integer)):
            as_generator(random_state, name)   # its message for negative numbers
            self.root = np.random.SeedSequence(
                None if random_state is None else int(random_state))
        else:
            generator = as_generator(random_state, name)
            words = generator.integers(0, 2**32, size=8, dtype=np.uint32)
            self.root = np.random.SeedSequence([int(w) for w in words])

    def own(self) -> np.random.Generator:
        """The root's own generator, for what is drawn once: the same at each call."""
        return np.random.default_rng(self.root)

    def seed(self, *key: int) -> np.random.SeedSequence:
        """Child b; or of several numbers, a child of a child."""
        return np.random.SeedSequence(self.root.entropy, pool_size=self.root.pool_size,
                                      spawn_key=(*self.root.spawn_key, *map(int, key)))

    def generator(self, *key: int) -> np.random.Generator:
        """A numpy Generator on child b."""
        return np.random.default_rng(self.seed(*key))


@dataclass(frozen=True, slots=True)
class _Chunk:
    start: int
    stop: int
    result: Any
    seconds: float


def run_replicates(task: Callable[[int], Any], first: int, last: int,
                   add: Callable[[int, Any], object], *,
                   fail: Callable[[ReplicateFailure], object], executor: Any = None,
                   progress: Progress | bool | None = None, what: str = "replicates",
                   told: Callable[[int, list[str]], object] | None = None) -> None:
    """Call ``task(b)`` for b = first, ..., last - 1 and ``add(b, result)`` in that order.

    With `told`, what softclust's own code warns of within a task goes there, in order, and is
    never an error, whatever the filters of warnings say.

    An Exception of a task is told to `fail` in place of `add`. Without `executor` the tasks run
    one after another here (scikit-learn's clusterers are not faster on threads). BLAS and OpenMP
    are limited to one thread: more are slower in small problems and could change bits.

    Ctrl-C, or an executor that breaks, ends the run with that exception after everything that
    was finished in its turn was added.
    """
    def deliver(chunk: _Chunk) -> None:
        for b, (outcome, warned) in enumerate(chunk.result, start=chunk.start):
            if warned and told is not None:
                told(b, warned)
            if isinstance(outcome, ReplicateFailure):
                fail(outcome)
            else:
                add(b, outcome)

    with one_thread():
        _drive(_EachReplicate(task, told is not None), first, last, deliver, executor, progress,
               what)


def run_blocks(work: Callable[[int, int], Any], first: int, last: int,
               add: Callable[[int, int, Any], object], *, executor: Any = None,
               progress: Progress | bool | None = None, what: str = "replicates") -> None:
    """Call ``work(start, stop)`` on ranges that cover first, ..., last - 1.

    ``add(start, stop, result)`` is called in the order of the ranges. Their sizes follow the
    clock, so a sum over ranges must not depend on them: counts are whole numbers, other results
    come by replicate. Without `executor` the ranges run on `get_num_threads()` threads, since
    kernels leave the GIL. ``work.part(start, stop)``, where it exists, is what goes to an executor
    in place of `work`. Interrupts as in `run_replicates`.
    """
    _drive(work, first, last, lambda chunk: add(chunk.start, chunk.stop, chunk.result), executor,
           progress, what)


def check_executor(executor: Any) -> None:
    """Raise unless `executor` is None, "joblib" or has ``submit``."""
    if executor not in (None, "joblib") and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor is {shown(executor)}; None, 'joblib' or a "
                        "concurrent.futures.Executor is needed (dask: client.get_executor())")


def ready_executor(executor: Any) -> Executor | None:
    """`executor` itself; for "joblib" that of the backend of ``joblib.parallel_config``."""
    check_executor(executor)
    if executor != "joblib":
        return executor
    from joblib.externals.loky import get_reusable_executor
    from joblib.parallel import get_active_backend
    backend, n_jobs = get_active_backend()
    workers = backend.effective_n_jobs(n_jobs)
    name = type(backend).__name__
    if name == "DaskDistributedBackend":
        return backend.client.get_executor()
    if name in ("ThreadingBackend", "SequentialBackend") or workers == 1:
        return ThreadPoolExecutor(workers)
    if name != "LokyBackend":
        raise TypeError(f'executor="joblib" has the backend {name}; loky, threading and dask are '
                        "supported: give an executor of this one")
    return get_reusable_executor(max_workers=workers)


# -- chunks ---------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _EachReplicate:
    """A task of one replicate as work on a range."""

    task: Callable[[int], Any]
    listens: bool

    def __call__(self, start: int, stop: int) -> list[Any]:
        with one_thread():
            return [self._outcome(b) for b in range(start, stop)]

    def part(self, start: int, stop: int) -> _EachReplicate:
        """The part of a task that a range needs, if the task has one."""
        part = getattr(self.task, "part", None)
        return _EachReplicate(part(start, stop), self.listens) if part else self

    def _outcome(self, b: int) -> tuple[Any, list[str]]:
        """The result or failure of replicate b, and the warnings meanwhile."""
        hears: AbstractContextManager[list[str]] = listening() if self.listens else nullcontext([])
        with hears as warned:
            try:
                return self.task(b), warned
            except Exception as error:
                return ReplicateFailure(replicate=b,
                                        reason=f"{type(error).__name__}: {error}"), warned


def _timed(work: Callable[[int, int], Any], start: int, stop: int) -> _Chunk:
    """Run and time a chunk on a worker."""
    begin = time.perf_counter()
    result = work(start, stop)
    return _Chunk(start, stop, result, time.perf_counter() - begin)


class _Plan:
    """Ranges in order, whose lengths follow the pace of the latest chunk."""

    def __init__(self, first: int, last: int, target: float, workers: int, pilot: int = 1
                 ) -> None:
        self.position, self.last = first, last
        self.target, self.workers = target, workers
        self.seconds = 0.0   # of a replicate
        self.size = pilot

    def note(self, chunk: _Chunk) -> None:
        """Learn the pace from a chunk."""
        self.seconds = chunk.seconds / (chunk.stop - chunk.start)
        wanted = self.target / max(self.seconds, 1e-9)
        self.size = max(1, int(min(wanted, _GROWTH * self.size)))

    def __iter__(self) -> Iterator[tuple[int, int]]:
        while self.position < self.last:
            # Towards the end all workers should have something to do, but nothing tiny.
            left = self.last - self.position
            fair = left if self.workers == 1 else -(-left // (_AHEAD * self.workers))
            if self.seconds:
                fair = max(fair, int(_SHORTEST / self.seconds))
            start, self.position = self.position, self.position + min(self.size, fair, left)
            yield start, self.position


def _drive(work: Callable[[int, int], Any], first: int, last: int,
           deliver: Callable[[_Chunk], object], executor: Any,
           progress: Progress | bool | None, what: str) -> None:
    check_executor(executor)
    with progress_bar(progress, what) as callback:
        def finish(chunk: _Chunk) -> None:
            with interrupts_later():
                deliver(chunk)
            if callback is not None:
                callback(chunk.stop - first, last - first)

        if executor == "joblib":
            _run_joblib(work, first, last, finish)
        elif executor is not None:
            _run_on(executor, work, _Plan(first, last, WORKER_SECONDS, _workers(executor)), finish)
        elif isinstance(work, _EachReplicate):
            for b in range(first, last):   # Ctrl-C in the middle of a chunk would lose others
                finish(_timed(work, b, b + 1))
        else:
            # On a thread of its own even when it is the only one: here Ctrl-C is answered while
            # a kernel is busy with a long replicate.
            workers = get_num_threads()
            plan = _Plan(first, last, THREAD_SECONDS, workers, getattr(work, "pilot", 1))
            with pool_of_threads(workers) as pool:
                _run_on(pool, work, plan, finish)


def _run_on(executor: Executor, work: Callable[[int, int], Any], plan: _Plan,
            finish: Callable[[_Chunk], None]) -> None:
    running: deque[Future[_Chunk]] = deque()
    part = getattr(work, "part", None)   # what a range needs of work that holds much
    ranges = iter(plan)
    try:
        while True:
            for start, stop in islice(ranges, _AHEAD * plan.workers - len(running)):
                running.append(executor.submit(_timed, part(start, stop) if part else work, start,
                                               stop))
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


def _run_joblib(work: Callable[[int, int], Any], first: int, last: int,
                finish: Callable[[_Chunk], None]) -> None:
    """Chunks on the backend of ``joblib.parallel_config``; all get the same arrays."""
    from joblib import Parallel, delayed, effective_n_jobs
    from joblib.parallel import get_active_backend
    backend = get_active_backend()[0]
    streams = backend.supports_return_generator   # ray and spark give results at the end only
    parallel = Parallel(return_as="generator" if streams else "list", batch_size=1)
    plan = _Plan(first, last, WORKER_SECONDS, effective_n_jobs(parallel.n_jobs))
    if not streams:
        plan.size = max(1, (last - first) // (4 * plan.workers))
    alone = plan.workers == 1 or getattr(backend, "supports_sharedmem", False)
    sent = (work,) if alone else packed(work)
    chunks = parallel(delayed(_timed_packed)(start, stop, *sent) for start, stop in plan)
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


def _timed_packed(start: int, stop: int, work: Any, *arrays: np.ndarray) -> _Chunk:
    """Run and time a chunk on a worker of joblib."""
    return _timed(pickle.loads(work, buffers=arrays) if isinstance(work, bytes) else work, start,
                  stop)


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


def check_failures(failures: list[ReplicateFailure], n_replicates: int, what: str = "replicate",
                   then: str = "do not count, see failures_") -> str | None:
    """A sentence about failed replicates, or None; raises when none succeeded."""
    if not failures:
        return None
    reason = f"{what} {failures[0].replicate}: {failures[0].reason}"
    if len(failures) >= n_replicates:
        raise ClusteringError(f"all {n_replicates} {what}s failed; {reason}")
    return f"{len(failures)} of {n_replicates} {what}s failed and {then}; {reason}"
