"""The runner of replicates: order, failures, executors, interrupts, streams."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pytest

import softclust as sc
from softclust.ensembles.replicates import check_failures
from softclust.running import jobs
from softclust.running.jobs import ReplicateFailure, packed, run_jobs
from softclust.running.random_numbers import Streams


def task(b):
    if b == 3:
        raise ValueError("three is no good")
    return b * b


def slow(b):
    time.sleep(0.005)
    return b * b


def collect(work=task, first=0, last=40, **options):
    got, failed = [], []
    try:
        run_jobs(work, range(first, last), lambda b, r: got.append((b, r)), fail=failed.append,
                 **options)
    except KeyboardInterrupt:
        failed.append("interrupted")
    return got, failed


class Backwards(Executor):
    """Runs what it was given in the reverse order, when somebody waits."""

    def __init__(self):
        self.waiting = []

    def submit(self, function, *args):
        self.waiting.append((Later(self), function, args))
        return self.waiting[-1][0]

    def run(self):
        while self.waiting:
            future, function, args = self.waiting.pop()
            future.set_result(function(*args))


class Later(Future):
    def __init__(self, owner):
        super().__init__()
        self.owner = owner

    def result(self, timeout=None):
        self.owner.run()
        return super().result(timeout)


@pytest.mark.parametrize("make", [lambda: None, lambda: ThreadPoolExecutor(3), Backwards])
def test_results_come_in_order_and_failures_with_their_number(make):
    got, failed = collect(executor=make())
    assert got == [(b, b * b) for b in range(40) if b != 3]
    assert failed == [ReplicateFailure(replicate=3, reason="ValueError: three is no good")]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("count", [1, 7, 1000])
def test_blocks_cover_the_range_in_order(threads, count):
    sc.set_num_threads(threads)
    try:
        got = []
        run_jobs(lambda a, b: list(range(a, b)), range(5, 5 + count),
                 lambda a, b, r: got.extend(r), ranges=True)
    finally:
        sc.set_num_threads(None)
    assert got == list(range(5, 5 + count))


def labelled(number, word):
    return f"{number}: {word}"


@pytest.mark.parametrize("make", [lambda: None, lambda: ThreadPoolExecutor(2), Backwards,
                                  lambda: "joblib"])
def test_jobs_may_be_objects_without_a_known_end(make):
    executor, got, seen, taken = make(), [], [], []

    def words():
        for k in range(30):
            taken.append(k - len(got))
            yield chr(65 + k)

    run_jobs(labelled, words(), lambda b, r: got.append((b, r)), executor=executor,
             progress=lambda done, total: seen.append((done, total)))
    assert got == [(k, f"{k}: {chr(65 + k)}") for k in range(30)]
    assert seen == [(k, k) for k in range(1, 31)]
    if executor != "joblib":   # it takes what it wants
        assert max(taken) <= 2 * (getattr(executor, "_max_workers", None) or os.cpu_count())


@pytest.mark.parametrize("make", [lambda: None, lambda: ThreadPoolExecutor(2)])
def test_an_error_that_nobody_is_told_of_ends_the_run_as_it_is(make):
    got = []
    with pytest.raises(ValueError, match="three is no good"):
        run_jobs(task, range(10), lambda b, r: got.append(r), executor=make())
    assert got == [0, 1, 4]


def interrupt_after(event):
    """Send Ctrl-C to this process from another thread as soon as the event has come."""
    def send():
        event.wait()
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send, daemon=True).start()


@pytest.mark.parametrize("make", [lambda: None, lambda: ThreadPoolExecutor(2)])
def test_an_interrupt_is_answered_soon_and_what_is_finished_is_kept(make):
    executor = make()
    begun = threading.Event()
    interrupt_after(begun)
    got, failed = collect(work=slow, last=100_000, executor=executor,
                          progress=lambda done, total: done > 20 and begun.set())
    # All of them would take minutes.
    assert failed == ["interrupted"]
    assert 20 < len(got) < 50_000
    assert got == [(b, b * b) for b in range(len(got))]
    n = len(got)
    more, _ = collect(work=slow, first=n, last=n + 20, executor=executor)
    assert got + more == [(b, b * b) for b in range(n + 20)]


def test_what_was_finished_in_its_turn_is_added_when_a_worker_dies():
    class Dies(Executor):
        def submit(self, function, *args):
            future = Future()
            if args[1] <= 3 < args[2]:
                future.set_exception(RuntimeError("a worker died"))
            else:
                future.set_result(function(*args))
            return future

    got = []
    with pytest.raises(RuntimeError, match="a worker died"):
        run_jobs(lambda a, b: range(a, b), range(30), lambda a, b, r: got.extend(r), ranges=True,
                 executor=Dies())
    assert 0 < len(got) <= 3
    assert got == list(range(len(got)))


class AtOnce(Executor):
    """Has everything finished as soon as it is asked for."""

    def submit(self, function, *args):
        future = Future()
        future.set_result(function(*args))
        return future


def test_what_workers_have_finished_is_added_after_an_interrupt():
    def stop(done, total):
        if not stopped:
            stopped.append(done)
            raise KeyboardInterrupt

    stopped = []
    got, failed = collect(work=lambda b: -b, executor=AtOnce(), progress=stop)
    assert failed == ["interrupted"]
    assert stopped == [1]
    assert got == [(b, -b) for b in range(len(got))]
    assert len(got) == 2 * os.cpu_count()   # all that was sent


def test_tasks_have_one_thread_of_blas_if_they_should():
    threadpoolctl = pytest.importorskip("threadpoolctl")

    def threads_of_blas(b):
        return max((each["num_threads"] for each in threadpoolctl.threadpool_info()), default=1)

    with threadpoolctl.threadpool_limits(2):
        usual = threads_of_blas(0)
        # As on a worker, where nothing else limits them.
        for limit, expected in ((True, 1), (False, usual)):
            work = jobs._Each(threads_of_blas, False, False, limit)
            assert work(0, 2) == [(expected, [])] * 2
            got = {}
            run_jobs(threads_of_blas, range(1), got.__setitem__, limit_blas=limit)
            assert got == {0: expected}


@dataclass
class Rows:
    """Work on rows of a table; also whether the table is mapped into memory from a file."""

    x: np.ndarray

    def __call__(self, start, stop):
        base = self.x
        while base is not None and not isinstance(base, np.memmap):
            base = base.obj if isinstance(base, memoryview) else getattr(base, "base", None)
        return [(float(self.x[b].sum()), base is not None) for b in range(start, stop)]


@pytest.mark.parametrize(("backend", "mapped"), [("loky", True), ("threading", False),
                                                 ("sequential", False)])
def test_joblib_workers_get_one_copy_of_the_data(backend, mapped):
    joblib = pytest.importorskip("joblib")
    work, got = Rows(np.arange(400_000.0).reshape(40, -1)), []
    with joblib.parallel_config(backend, n_jobs=2):
        run_jobs(work, range(40), lambda a, b, r: got.extend(r), ranges=True, executor="joblib")
    assert got == [(row.sum(), mapped) for row in work.x]
    head, *arrays = packed(work)
    assert len(head) < 1000
    assert any(np.shares_memory(array, work.x) for array in arrays)


def test_an_interrupt_while_a_result_is_added_waits_for_it():
    got = []

    def add(b, result):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        got.append(b)

    with pytest.raises(KeyboardInterrupt):
        run_jobs(task, range(3), add, fail=got.append)
    assert got == [0]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_progress_counts_replicates():
    seen = []
    collect(progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (40, 40)
    assert seen == sorted(seen)
    collect(first=20, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (20, 20)


def test_an_executor_needs_submit():
    with pytest.raises(TypeError, match="get_executor"):
        collect(executor=4)


def test_streams_depend_on_the_root_and_the_number():
    a, b = Streams(7), Streams(7)
    assert a.generator(3).random() == b.generator(3).random()
    assert a.generator(3).random() != a.generator(4).random()
    spawned = np.random.SeedSequence(7).spawn(4)[3]
    assert np.random.default_rng(spawned).random() == a.generator(3).random()


def test_a_generator_moves_on():
    rng = np.random.default_rng(1)
    assert Streams(rng).generator(0).random() != Streams(rng).generator(0).random()
    for bad in (-1, "seed"):
        with pytest.raises(ValueError, match="rng is"):
            Streams(bad)


def test_failures_are_told_and_none_left_is_an_error():
    failures = [ReplicateFailure(replicate=3, reason="ValueError: no")]
    assert check_failures([], 5) is None
    assert "1 of 5 replicates failed" in check_failures(failures, 5)
    with pytest.raises(sc.ClusteringError, match="all 1 replicates failed; replicate 3"):
        check_failures(failures, 1)


def test_threads_wait_for_the_next_call_of_their_process():
    from softclust.running.threads import pool_of_threads
    # The other one as from another thread, while the first is in use.
    with pool_of_threads(2) as first, pool_of_threads(2) as other:
        assert other is not first
    with suppress(KeyError), pool_of_threads(2) as again:
        assert again is first
        raise KeyError
    assert first._shutdown
    with pool_of_threads(2) as again:
        assert again is other
        assert not other._shutdown


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_starts_threads_of_its_own():
    script = """
import os, numpy as np, softclust as sc
x = np.random.default_rng(0).normal(size=(30, 2))
fit = lambda: sc.BaggedClustering(n_clusters=2, n_resamples=40, random_state=0,
                                  never_selected="base").fit(x).votes_
here = fit()
child = os.fork()
if child == 0:
    os._exit(0 if np.array_equal(fit(), here) else 3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), np.array_equal(fit(), here))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                          timeout=120, check=True)
    assert done.stdout.split() == ["0", "True"]
