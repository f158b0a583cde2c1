"""The same bits for any number of threads and with JIT on or off; interrupts; progress; memory."""

import json
import logging
import os
import subprocess
import sys
from collections import deque
from pathlib import Path

import numpy as np
import pytest
from strategies import JIT_OFF, KINDS, random_clustering

import softclust as sc
from softclust.running import announcements
from softclust.running import threads as running_threads

HERE = Path(__file__).parent
#: enough objects for several chunks of every kernel; without JIT kernels run as Python
N_OBJECTS = 70 if JIT_OFF else 6000
N_LABELS = 2000 if JIT_OFF else 1_000_000


def run(code, *, jit=True, timeout=300):
    """Run `code` in a fresh interpreter; its standard output."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0" if jit else "1",
                   "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], env=environment,
                          capture_output=True, text=True, timeout=timeout, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def threads():
    yield sc.set_num_threads
    sc.set_num_threads(None)


def bits(n, kinds=KINDS, labels=2000):
    """Numbers of every family as hexadecimal floats, all kernels on a path that uses them."""
    rng = np.random.default_rng(5)
    sides = {kind: (random_clustering(rng, kind, n, 3, empty=True),
                    random_clustering(rng, kind, n, 3, empty=True)) for kind in kinds}
    result = {}
    for first, second in [("evidential", "evidential"), ("fuzzy", "fuzzy"),
                          ("possibilistic", "evidential"), ("possibilistic", "possibilistic"),
                          ("fuzzy", "evidential"), ("hard", "fuzzy"), ("rough", "evidential")]:
        x, y = sides[first][0], sides[second][1]
        joint = sc.Joint(x, y)
        name = f"{first}-{second}"
        result[name] = [
            *sc.alpha_rand_curve(joint, method="pairs").sums, *sc.alpha_rand_curve(joint).sums,
            *joint.pair_table.ravel(), *joint.restriction_costs.ravel(),
            sc.credal_rand_index(joint), sc.credal_rand_index(joint, distance="jousselme"),
            sc.credal_rand_index(joint, distance="conflict"),
            sc.alpha_partition_dissimilarity(joint, alpha=0.3), sc.pair_nonspecificity(x),
        ]
    two = [random_clustering(rng, "fuzzy", n, 2) for _ in range(2)]
    result["binary"] = [*sc.alpha_rand_curve(*two, method="binary").sums]
    result["rows"] = [*sc.alpha_rand_curve(*two, method="rows").sums]
    u, v = rng.integers(40, size=labels), rng.integers(30, size=labels)
    joint = sc.Joint(sc.HardClustering(u), sc.HardClustering(v))
    counts = sc.pair_counts(joint)
    result["hard"] = [counts.n11, counts.n10, counts.n01, counts.n00,
                      sc.mutual_information(joint), sc.adjusted_mutual_information(joint),
                      sc.variation_of_information(joint), sc.partition_distance(joint),
                      sc.adjusted_rand_index(joint), sc.normalized_mutual_information(joint)]
    result["single"] = [f(sides[kind][0]) for kind in ("fuzzy", "evidential")
                        for f in (sc.membership_entropy, sc.nonspecificity)
                        if kind in sc.get_measure(f.__name__).kinds]
    return {name: [float(v).hex() for v in values] for name, values in result.items()}


@pytest.mark.slow
def test_same_bits_for_any_number_of_threads(threads):
    threads(1)
    expected = bits(N_OBJECTS, labels=N_LABELS)
    for count in (2, 4, 8):
        threads(count)
        assert bits(N_OBJECTS, labels=N_LABELS) == expected


@pytest.mark.slow
def test_same_bits_for_chunks_in_any_order(monkeypatch, threads):
    calls = []

    def in_another_order(starts):
        calls.append(len(starts))
        return deque(np.random.default_rng(len(calls)).permutation(starts).tolist())

    threads(2)
    expected = bits(N_OBJECTS, labels=N_LABELS)
    monkeypatch.setattr(running_threads, "deque", in_another_order)
    assert bits(N_OBJECTS, labels=N_LABELS) == expected
    assert max(calls) >= 2
    assert len(calls) > 20


@pytest.mark.slow
def test_same_bits_with_and_without_jit():
    here = bits(150)
    code = "import json, test_reproducibility as t; print(json.dumps(t.bits(150)))"
    assert json.loads(run(code, jit=JIT_OFF)) == here


def test_same_bits_twice_and_from_a_fresh_process():
    code = "import json, test_reproducibility as t; print(json.dumps(t.bits(25, labels=500)))"
    here = bits(25, labels=500)
    assert bits(25, labels=500) == here
    assert json.loads(run(code, jit=not JIT_OFF)) == here


def test_progress_is_called_and_never_goes_back(threads):
    rng = np.random.default_rng(6)
    n = N_OBJECTS
    x, y = (random_clustering(rng, "evidential", n, 3) for _ in range(2))
    for count in (1, 2):
        threads(count)
        done, totals = [], []

        def progress(pairs_done, pairs_total, done=done, totals=totals):
            done.append(pairs_done)
            totals.append(pairs_total)

        sc.alpha_rand_index(x, y, method="pairs", progress=progress)
        # the calling thread reports; with two, the other one may do all chunks but one
        assert len(done) > (0 if JIT_OFF or count > 1 else 1)
        assert done == sorted(done)
        assert set(totals) == {n * (n - 1) // 2}
        assert done[-1] == totals[-1]


INTERRUPT = """
import os, signal, threading
import numpy as np
import softclust as sc
rng = np.random.default_rng(1)
def make(n):
    return sc.EvidentialClustering(rng.dirichlet(np.ones(7), n), [
        [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]])
small = make(1000), make(1000)
expected = sc.alpha_rand_curve(*small, method="pairs").sums
n = 100_000  # ten seconds of work
x, y = make(n), make(n)
def interrupted():
    done, running = [0], threading.Event()
    def interrupt():
        running.wait()
        done.append(done[0])
        os.kill(os.getpid(), signal.SIGINT)
    def progress(pairs_done, total):
        done[0] = pairs_done
        running.set()
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        sc.alpha_rand_index(x, y, method="pairs", progress=progress)
    except KeyboardInterrupt:
        return (done[0] - done[1]) / (n * (n - 1) / 2)
    raise SystemExit("not interrupted")
for threads in (1, 2):
    sc.set_num_threads(threads)
    print(threads, interrupted())
    assert sc.alpha_rand_curve(*small, method="pairs").sums == expected
"""


def test_an_interrupt_is_answered_soon():
    """Counted in pairs, because a busy machine only adds to the seconds."""
    told = [line.split() for line in run(INTERRUPT).splitlines()]
    assert [threads for threads, _ in told] == ["1", "2"]
    assert max(float(share) for _, share in told) < 0.2


MEMORY = """
import numpy as np
import softclust as sc
def status(key):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(key)) / 1024
rng = np.random.default_rng(1)
def make(n):
    return sc.EvidentialClustering(rng.dirichlet(np.ones(7), n), [
        [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]])
def work(x, y):
    joint = sc.Joint(x, y)
    if len(x) <= 10_000:
        sc.alpha_rand_interval(joint, method="pairs")
        sc.credal_rand_index(joint, distance="jousselme")
    sc.credal_rand_index(joint, distance="conflict")
    sc.alpha_rand_index(x, sc.HardClustering(np.arange(len(x)) % 3))
    sc.alpha_partition_interval(joint)
    sc.pair_nonspecificity(x)
work(make(3000), make(3000))
x, y = make({n}), make({n})
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak counts from here
before = status("VmRSS")
work(x, y)
print(status("VmHWM") - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read from /proc")
@pytest.mark.parametrize(("n", "megabytes"), [(5000, 50), (100_000, 100)])
def test_pair_measures_need_little_memory(n, megabytes):
    """Beyond the inputs; a matrix of pairs would take 200 MB for n = 5000.

    For n = 100,000 the measures that need no pair loop.
    """
    assert float(run(MEMORY.format(n=n))) < megabytes


def test_long_pair_loops_are_announced_once_by_the_outermost_loop(monkeypatch, caplog, capsys):
    clock = iter(np.arange(0.0, 1e4, 0.5))
    monkeypatch.setattr(running_threads.time, "perf_counter", lambda: float(next(clock)))
    with running_threads.progress_bar(None, "replicates", "Take fewer.") as outer:
        with running_threads.progress_bar(False, "pairs") as inner:
            assert inner is None
        outer(2, 100)   # compiling, perhaps: the pace is measured from here
        outer(3, 100)
        outer(4, 100)
    # No terminal, as in a notebook: said all the same, here where information is not logged.
    assert not sys.stderr.isatty()
    assert caplog.messages == []
    assert capsys.readouterr().err == (
        "softclust: replicates: about 48 s to go; Ctrl-C stops it.\n")
    monkeypatch.setattr(announcements, "_logger", logging.Logger("without handlers"))
    for pace in (1, 20, 2000):
        with running_threads.progress_bar(None, "replicates", "Take fewer.") as outer:
            for done in (10, 11, 12):
                outer(done, 10 + 2 * pace)
    assert capsys.readouterr().err == (
        "softclust: replicates: about 19 s to go; Ctrl-C stops it.\n"
        "softclust: replicates: about 33 min to go; Ctrl-C stops it. Take fewer.\n")


def test_messages_are_logged_once_where_logging_shows_them(caplog, capsys):
    with caplog.at_level("INFO", logger="softclust"):
        announcements.announce("this takes a while")
    assert caplog.messages == ["this takes a while"]
    with caplog.at_level("ERROR", logger="softclust"):
        announcements.announce("this takes a while", urgent=True)
    assert caplog.messages == ["this takes a while"]
    assert capsys.readouterr().err == ""


def test_the_pace_leaves_out_compiling(monkeypatch, capsys):
    clock = [0.0]
    monkeypatch.setattr(announcements, "_logger", logging.Logger("without handlers"))
    monkeypatch.setattr(running_threads.time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(running_threads, "counts", {"compiled": 0})
    with running_threads.progress_bar(None, "replicates") as report:
        for done, seconds, happened in ((1, 0.0, None), (2, 0.1, None),
                                        (3, 30.0, "compiled"), (4, 0.1, None), (13, 0.9, None),
                                        (23, 1.0, None)):
            clock[0] += seconds
            if happened:
                running_threads.counts[happened] += 1
            report(done, 103)
    assert capsys.readouterr().err == (
        "softclust: replicates: about 8 s to go; Ctrl-C stops it.\n")


def test_walks_of_many_objects_are_announced(monkeypatch, caplog):
    monkeypatch.setattr(running_threads, "_threads", 1)
    monkeypatch.setattr(running_threads._Announcer, "MEASURED", 0.0)
    monkeypatch.setattr(running_threads._Announcer, "ALIKE", np.inf)
    monkeypatch.setattr(running_threads._Announcer, "LONG", -1.0)
    monkeypatch.setattr("softclust.covers.walks._BLOCK", 200)
    rng = np.random.default_rng(3)
    with caplog.at_level("INFO", logger="softclust"):
        sc.element_centric_index(*(random_clustering(rng, "fuzzy", 60, 3) for _ in range(2)))
    assert [text.partition(":")[0] for text in caplog.messages] == ["walks of objects"]


def test_a_failure_in_progress_goes_through_and_leaves_no_state(threads):
    rng = np.random.default_rng(8)
    x, y = (random_clustering(rng, "evidential", N_OBJECTS, 3) for _ in range(2))
    expected = sc.alpha_rand_curve(x, y, method="pairs").sums

    def fail(done, total):
        raise RuntimeError("stop here")

    for count in (1, 2):
        threads(count)
        joint = sc.Joint(x, y)
        with pytest.raises(RuntimeError, match="stop here"):
            sc.alpha_rand_curve(joint, method="pairs", progress=fail)
        assert sc.alpha_rand_curve(joint, method="pairs").sums == expected
