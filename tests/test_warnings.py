"""Warnings of ours are heard within one thread; the filters of the process stay as they are."""

import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from toy_measures import toy

import softclust as sc
from softclust.measures import _registry
from softclust.running.threads import run_chunks
from softclust.running.warnings import listening, process_filter, quiet, warn


def state():
    return list(warnings.filters), warnings.showwarning


@pytest.fixture
def meeting(monkeypatch):
    """A measure that the second thread enters and leaves just after the first one."""
    events = {name: threading.Event() for name in ("first in", "second in", "first out")}

    def meet(source):
        name = threading.current_thread().name
        events[f"{name} in"].set()
        events["second in" if name == "first" else "first out"].wait(timeout=20)
        warn(f"{name} is here", sc.UndefinedMeasureWarning)
        return 0.5

    monkeypatch.setattr(_registry, "_REGISTRY", dict(_registry.registry()))
    toy(meet, "meeting_index")
    return events


@pytest.mark.parametrize("call", ["compare", "compare_all"])
def test_two_threads_at_once_leave_the_filters_alone(meeting, call):
    x, y = [0, 1, 2, 3], [0, 0, 1, 1]
    sc.compare_all([x, y])   # imports what it needs; scipy.sparse adds a filter
    found, before = {}, state()

    def work():
        name = threading.current_thread().name
        result = (sc.compare(x, y, measures="meeting_index") if call == "compare"
                  else sc.compare_all([x, y], measure="meeting_index"))
        found[name] = " ".join(result.notes)
        if name == "first":
            meeting["first out"].set()

    threads = [threading.Thread(target=work, name=name) for name in ("first", "second")]
    threads[0].start()
    assert meeting["first in"].wait(timeout=20)
    threads[1].start()
    for thread in threads:
        thread.join(timeout=60)
    assert state() == before
    assert {name: "first is here" in text for name, text in found.items()} == {
        "first": True, "second": False}


def test_a_listener_hears_its_own_thread_alone():
    at_once, heard = threading.Barrier(2), {}

    def work(name):
        with listening() as said:
            at_once.wait(timeout=20)
            warn(name, UserWarning)
            at_once.wait(timeout=20)
        heard[name] = said

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, "ab"))
    assert heard == {"a": ["a"], "b": ["b"]}


def test_threads_of_the_driver_are_heard_too():
    with listening() as said:
        run_chunks(lambda start, stop: warn(f"block {start}", UserWarning), 6, 1)
    assert sorted(said) == [f"block {b}" for b in range(6)]


def test_what_is_not_taken_goes_on():
    with listening() as outer, listening(sc.UndefinedMeasureWarning) as inner:
        warn("of another kind", UserWarning)
        warn("0/0", sc.UndefinedMeasureWarning)
        warn("0/0", sc.UndefinedMeasureWarning)
    assert inner == ["of another kind", "0/0"]
    assert outer == ["of another kind"]
    with listening() as outer, quiet(sc.UndefinedMeasureWarning):
        warn("seen", UserWarning)
        warn("0/0", sc.UndefinedMeasureWarning)
    assert outer == ["seen"]


def test_warnings_name_the_line_that_called():
    with pytest.warns(sc.UndefinedMeasureWarning) as said:
        sc.fowlkes_mallows_index([0, 1, 2], [0, 0, 1])
    assert said[0].filename == __file__


def test_filters_as_errors_leave_handled_warnings_alone():
    rng = np.random.default_rng(3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sc.compare([0, 1, 2], [0, 0, 1])
        fit = sc.BaggedClustering(n_clusters=2, n_resamples=10, random_state=1)
        fit.fit(rng.normal(size=(30, 2)))
        sc.prayatul_all([0, 1, 2, 3], {"a": [0, 0, 1, 1], "b": [0, 1, 1, 1]})
    assert fit.n_resamples_ == 10


def test_filters_of_the_process_are_changed_by_one_thread_at_a_time():
    before = state()

    def work(_):
        with process_filter("always") as said:
            warnings.warn("from elsewhere", UserWarning, stacklevel=1)
        return [str(w.message) for w in said]

    with ThreadPoolExecutor(4) as pool:
        assert set(map(tuple, pool.map(work, range(200)))) == {("from elsewhere",)}
    assert state() == before


def test_a_warning_names_the_line_of_a_script_even_at_its_top_level():
    code = "from softclust.running.warnings import warn; warn('careful', UserWarning, stacklevel=9)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr.startswith("<string>:1: UserWarning: careful")
