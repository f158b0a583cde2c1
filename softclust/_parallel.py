"""Run blocks of kernel work on threads: the driver between doors and kernels.

Blocks are fixed by the data alone and their results are stored by block number, so neither the
number of threads nor the schedule can change a bit. Kernels release the GIL; a thread pool
serves them (no OpenMP region: spec/performance.md rule 1 says why).
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

_lock = threading.Lock()
_threads: int | None = None


def get_num_threads() -> int:
    """Number of threads that kernels use.

    The last value given to `set_num_threads`, else the environment variable
    ``SOFTCLUST_NUM_THREADS``, else the number of processors this process may use.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.get_num_threads() >= 1
    True
    """
    if _threads is not None:
        return _threads
    text = os.environ.get("SOFTCLUST_NUM_THREADS", "")
    if text:
        if not text.isdigit() or int(text) < 1:
            raise ValueError(f"SOFTCLUST_NUM_THREADS={text!r}; a whole number >= 1 is needed")
        return int(text)
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def set_num_threads(n_threads: int | None) -> None:
    """Set the number of threads that kernels use.

    Results do not depend on it, to the last bit.

    Parameters
    ----------
    n_threads : int or None
        At least 1; None returns to the default of `get_num_threads`.

    Raises
    ------
    ValueError
        If `n_threads` is below 1.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.set_num_threads(2)
    >>> sc.get_num_threads()
    2
    >>> sc.set_num_threads(None)
    """
    global _threads
    if n_threads is not None and (n_threads != int(n_threads) or n_threads < 1):
        raise ValueError(f"n_threads is {n_threads}; a whole number >= 1 or None is needed")
    with _lock:
        _threads = None if n_threads is None else int(n_threads)


def run_chunks(
    work: Callable[[int, int], object],
    n_blocks: int,
    blocks_per_chunk: int,
    *,
    progress: Callable[[int, int], object] | None = None,
) -> None:
    """Call ``work(start, stop)`` on consecutive chunks that cover ``range(n_blocks)``.

    `work` writes its results by block number; what it returns is ignored. A chunk should take
    about 0.2 s: between chunks `progress(done, n_blocks)` is called and Ctrl-C is answered.
    After an interrupt or a failure the chunks under way finish, the others never start, and the
    exception goes on.
    """
    chunks = deque(
        (start, min(start + blocks_per_chunk, n_blocks))
        for start in range(0, n_blocks, blocks_per_chunk)
    )
    done = 0
    threads = min(get_num_threads(), len(chunks))
    if threads <= 1:
        for start, stop in chunks:
            work(start, stop)
            done += stop - start
            if progress is not None:
                progress(done, n_blocks)
        return
    with ThreadPoolExecutor(threads, thread_name_prefix="softclust") as pool:
        running: deque[tuple[Future[object], int]] = deque()
        try:
            while chunks or running:
                while chunks and len(running) < 2 * threads:
                    start, stop = chunks.popleft()
                    running.append((pool.submit(work, start, stop), stop - start))
                future, size = running.popleft()
                future.result()
                done += size
                if progress is not None:
                    progress(done, n_blocks)
        except BaseException:
            for future, _ in running:
                future.cancel()
            raise
