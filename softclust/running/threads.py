"""Run blocks of kernel work on threads: the driver between public functions and kernels.

Blocks depend on the data only, and their results are stored by block number, so neither the
number of threads nor the schedule can change a bit. Kernels release the GIL; the calling thread
and those of a pool, which is kept for the next call, take chunks in turn (no OpenMP region: a
child process forked after one crashes, as in R's mclapply).
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import copy_context

from .._checks import shown
from .announcements import announce, within

#: state of an interrupt in a thread that shares work: its `flag` is set once there was one
stopping = threading.local()
#: number of kernels compiled so far (counted by `compiler`)
counts = {"compiled": 0}
_lock = threading.Lock()
_threads: int | None = None


def get_num_threads() -> int:
    """Number of threads that compiled code uses.

    The last value given to `set_num_threads`, else the environment variable
    ``SOFTCLUST_NUM_THREADS``, else the number of processors this process may use.

    Returns
    -------
    int
        At least 1.

    See Also
    --------
    set_num_threads

    Examples
    --------
    >>> import softclust
    >>> softclust.get_num_threads() >= 1
    True
    """
    if _threads is not None:
        return _threads
    text = os.environ.get("SOFTCLUST_NUM_THREADS", "")
    if text:
        if not text.isdigit() or int(text) < 1:
            raise ValueError(f"SOFTCLUST_NUM_THREADS={shown(text)}; a whole number >= 1 is needed")
        return int(text)
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def set_num_threads(n_threads: int | None) -> None:
    """Set the number of threads that compiled code uses.

    Results do not depend on it, to the last bit.

    Parameters
    ----------
    n_threads : int or None
        At least 1; None returns to the default of `get_num_threads`.

    Raises
    ------
    ValueError
        If `n_threads` is below 1.

    See Also
    --------
    get_num_threads

    Examples
    --------
    >>> import softclust
    >>> softclust.set_num_threads(2)
    >>> softclust.get_num_threads()
    2
    >>> softclust.set_num_threads(None)
    """
    global _threads
    if n_threads is not None and (n_threads != int(n_threads) or n_threads < 1):
        raise ValueError(f"n_threads is {n_threads}; a whole number >= 1 or None is needed")
    with _lock:
        _threads = None if n_threads is None else int(n_threads)


Progress = Callable[[int, int], object]


def run_chunks(
    work: Callable[[int, int], object],
    n_blocks: int,
    blocks_per_chunk: int,
    *,
    progress: Progress | None = None,
) -> None:
    """Call ``work(start, stop)`` on consecutive chunks that cover ``range(n_blocks)``.

    `work` writes its results by block number; its return value is ignored. A chunk should take
    about 0.2 s: between chunks `progress(done, n_blocks)` is called and Ctrl-C is handled. After an
    interrupt or a failure the chunks under way finish, the others never start, and the exception
    that came first is raised. One chunk alone runs here, without threads.
    """
    step = max(1, blocks_per_chunk)
    starts = deque(range(0, n_blocks, step))
    helpers = min(get_num_threads(), len(starts)) - 1
    if helpers <= 0:
        for start in starts:
            stop = min(start + step, n_blocks)
            work(start, stop)
            if progress is not None:
                progress(stop, n_blocks)
        return
    flag, lock = threading.Event(), threading.Lock()   # kernels see the flag
    errors: list[BaseException] = []
    done = reported = 0

    def take_turns(report: Progress | None) -> None:
        nonlocal done, reported
        outer, stopping.flag = getattr(stopping, "flag", None), flag
        try:
            while not flag.is_set():
                try:
                    start = starts.popleft()
                except IndexError:
                    return
                stop = min(start + step, n_blocks)
                work(start, stop)
                with lock:
                    done += stop - start
                if report is not None:
                    reported = done
                    report(reported, n_blocks)
        except BaseException as error:   # Ctrl-C, too
            errors.append(error)
            flag.set()
        finally:
            stopping.flag = outer

    with pool_of_threads(get_num_threads()) as pool:
        futures = [pool.submit(copy_context().run, take_turns, None) for _ in range(helpers)]
        try:
            take_turns(progress)
            wait(futures)
        except BaseException as error:   # Ctrl-C while it waits for the others
            errors.append(error)
            flag.set()
            wait(futures)
        if errors:
            raise errors.pop(0)
    if progress is not None and reported < n_blocks:
        progress(n_blocks, n_blocks)


#: pools that wait for the next call, by process and size: starting threads takes longer than many
#: a pass. R forks without telling Python (mclapply), and threads do not come along.
_idle: dict[tuple[int, int], list[ThreadPoolExecutor]] = {}


@contextmanager
def pool_of_threads(size: int) -> Iterator[ThreadPoolExecutor]:
    """A pool for exclusive use; after an error it gets no other task."""
    waiting = _idle.setdefault((os.getpid(), size), [])
    try:
        pool = waiting.pop()
    except IndexError:
        pool = ThreadPoolExecutor(size, thread_name_prefix="softclust")
    try:
        yield pool
    except BaseException:   # Ctrl-C, too: a pool with work left must not serve the next call
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    waiting.append(pool)


def end_idle_threads() -> None:
    """End the threads that wait for the next call.

    For R, which may fork at any moment: a thread that wants Python's lock just then leaves the
    child waiting for it for ever.
    """
    for (process, _), pools in list(_idle.items()):
        while pools and process == os.getpid():
            pools.pop().shutdown()


class _Announcer:
    """Announces once the likely duration of a loop, if it is more than two seconds.

    The pace is measured from the first call, and again after each compilation, whose time does not
    count. An estimate needs two measurements that are alike, each as long as all before it. Where
    more than twice the announced time turns out to be left, that is announced, too.
    """

    #: seconds still to go that are announced; of those that come with advice; of measuring
    LONG, VERY_LONG, MEASURED = 2.0, 60.0, 0.25
    #: ratio of two measured paces that are alike
    ALIKE = 1.4
    #: messages of one loop
    MOST = 4

    def __init__(self, what: str, advice: str) -> None:
        self.what, self.advice = what, advice
        self.begin: tuple[float, int] | None = None   # of the measurement under way
        self.counts = dict(counts)
        self.end, self.said = math.inf, 0   # as announced, so many times

    def __call__(self, done: int, total: int) -> None:
        now = time.perf_counter()
        if self.begin is None or self.counts["compiled"] != counts["compiled"]:
            self.begin, self.counts = (now, done), dict(counts)
            self.start, self.wait, self.pace = now, self.MEASURED, math.inf
            return
        elapsed, steps = now - self.begin[0], done - self.begin[1]
        if elapsed < self.wait or steps <= 0:
            return
        before, self.pace = self.pace, elapsed / steps
        self.begin, self.wait = (now, done), now - self.start
        alike = max(before, self.pace) <= self.ALIKE * min(before, self.pace)
        rest, first = self.pace * (total - done), not self.said
        if alike and rest > self.LONG and self.said < self.MOST and (
                first or (10 * done >= total and rest > 2.0 * max(self.end - now,
                                                                  abs(self.LONG)))):
            self.end, self.said = now + rest, self.said + 1
            very = rest >= self.VERY_LONG
            advice = f" {self.advice}" if very and self.advice else ""
            announce(f"{self.what}: about {duration(rest)} to go{'' if first else ' now'}; Ctrl-C "
                     f"stops it.{advice}", urgent=very)


def duration(seconds: float) -> str:
    """Seconds in words, with about two figures."""
    for size, unit in ((3600.0, "h"), (60.0, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}" if seconds >= 10 * size else (
                f"{seconds / size:.1f} {unit}")
    return f"{seconds:.0f} s"


@contextmanager
def progress_bar(progress: Progress | bool | None, what: str,
                 advice: str = "") -> Iterator[Progress | None]:
    """A callback from the user's argument: a function, True for a tqdm bar, False or None.

    With False or None the outermost loop announces its likely duration once, if it is more than two
    seconds, and gives `advice` if it is more than a minute.
    """
    inner, token = within.get(), within.set(True)
    try:
        if progress is None or progress is False:
            yield None if inner else _Announcer(what, advice)
            return
        if progress is True:
            from tqdm import tqdm
            with tqdm(desc=what, unit_scale=True, leave=False) as bar:
                def update(done: int, total: int) -> None:
                    bar.total = total
                    bar.update(done - bar.n)
                yield update
        elif callable(progress):
            yield progress
        else:
            raise TypeError(f"progress is {shown(progress)}; True, False, None or a function "
                            "(done, total) is needed")
    finally:
        within.reset(token)

