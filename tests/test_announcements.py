"""What takes longer than two seconds says so, by one rule for all calls."""

import math
import threading

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import SpectralClustering

import softclust as sc
from softclust._checks import named_keywords
from softclust.running import announcements, threads

X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [6, 6]], 30, axis=0)
RUNS = [np.repeat([0, 1], 30), np.repeat([0, 1, 2], 20), np.tile([0, 1], 30)]


def test_a_long_call_without_a_loop_is_announced_once(monkeypatch, caplog):
    announcements.stop_looking()
    monkeypatch.setattr(announcements, "LONG", 0.0)
    monkeypatch.setattr(announcements, "LOOK", 0.001)

    looks, due = threading.Semaphore(0), announcements.due

    def look(now):
        looks.release()
        return due(now)

    monkeypatch.setattr(announcements, "due", look)

    @named_keywords
    def slow():
        for _ in range(20):   # the first look announces it
            assert looks.acquire(timeout=60)

    with caplog.at_level("INFO", logger="softclust"):
        slow()
    (message,) = caplog.messages
    assert message.endswith("slow takes longer than two seconds; Ctrl-C stops it")


@pytest.fixture
def calls(monkeypatch):
    """Calls that began at given times, where two seconds are long."""
    monkeypatch.setattr(announcements, "LONG", 2.0)
    monkeypatch.setattr(announcements, "_last", [0.0])
    monkeypatch.setattr(announcements, "_calls", [])

    def begin(text, at, compiling=False):
        announcements._calls.append(announcements.watched(text, compiling=compiling))
        announcements._calls[-1].begin = at

    return begin


def test_the_call_of_the_user_is_named_or_what_is_compiling(calls):
    calls("compare", 10.0)
    calls("transport", 10.5)
    assert announcements.due(11.9) == ""
    assert announcements.due(12.1).startswith("compare takes longer")
    calls("compiling", 12.05, compiling=True)
    assert announcements.due(12.1).startswith("compiling takes longer")


def test_after_a_message_nothing_more_is_said_of_calls_under_way(calls):
    calls("compare", 10.0)
    announcements._last[0] = 11.0   # a loop announced itself
    assert announcements.due(20.0) == ""
    calls("part", 12.0)
    assert announcements.due(20.0) == ""
    calls("compiling", 12.0, compiling=True)
    assert announcements.due(13.0) == ""
    assert announcements.due(14.5).startswith("compiling takes longer")


def test_calls_in_a_loop_that_speaks_or_has_a_bar_are_not_named(calls):
    for progress in (None, lambda done, total: None):
        with threads.progress_bar(progress, "loop"), announcements.watched("each step"):
            loop, step = announcements._calls
            assert step.begin == math.inf
            assert announcements.due(loop.begin + 5.0) == ("" if progress else loop.text)
    assert announcements._calls == []


@pytest.mark.parametrize(("name", "call"), {
    "alpha_rand_index": lambda: sc.alpha_rand_index(sc.as_clustering(RUNS[0]).to_fuzzy(), RUNS[1]),
    "contingency_table": lambda: sc.contingency_table(RUNS[0], RUNS[1]),
    "compare_all": lambda: sc.compare_all(RUNS, ci="jackknife"),
    "cluster_number": lambda: sc.cluster_number(X, range(2, 4), criterion="silhouette", rng=0),
    "posterior_partition": lambda: sc.posterior_partition(RUNS, rng=0),
    "report": lambda: sc.report(pd.DataFrame(X), clusters=2, algorithms=["k-means"], quick=True,
                                pictures=False),
    "BaggedClustering.fit": lambda: sc.BaggedClustering(
        2, estimator=SpectralClustering(2), n_resamples=12, random_state=0).fit(X),
    "transport": lambda: sc.transport_rand_index(sc.as_clustering(RUNS[0]).to_fuzzy(), RUNS[1]),
}.items())
def test_what_may_take_long_is_watched(name, call, monkeypatch):
    begun, enter = [], announcements.watched.__enter__
    monkeypatch.setattr(announcements.watched, "__enter__",
                        lambda self: (begun.append(self.text), enter(self)))
    call()
    assert any(text.startswith(f"{name} takes longer than two seconds") for text in begun)
    assert announcements._calls == []
