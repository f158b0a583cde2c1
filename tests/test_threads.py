"""Chunks on threads: all are done, failures stop the others, the pool is kept."""

import ctypes
import logging
import os
import re
import signal
import threading

import numpy as np
import pytest

import softclust as sc
from softclust.running import announcements
from softclust.running import threads as running_threads


@pytest.fixture(autouse=True)
def three_threads():
    sc.set_num_threads(3)
    yield
    sc.set_num_threads(None)


@pytest.mark.parametrize("blocks", [1, 2, 7, 100])
def test_every_block_is_done_once_and_progress_ends_with_all(blocks):
    seen, told = [], []
    running_threads.run_chunks(lambda start, stop: seen.extend(range(start, stop)), blocks, 3,
                         progress=lambda done, total: told.append((done, total)))
    assert sorted(seen) == list(range(blocks))
    assert told == sorted(told)
    assert told[-1] == (blocks, blocks)


@pytest.mark.parametrize("helper", [True, False])
def test_a_failure_in_any_thread_stops_the_others_and_goes_on(helper):
    main, both, calls = threading.get_ident(), threading.Barrier(3), []

    def work(start, stop):
        both.wait(60)   # every thread has a chunk
        calls.append(start)
        if (threading.get_ident() != main) == helper:
            raise RuntimeError("no such luck")
        flag = running_threads.stopping.flag
        assert flag.wait(60)   # the others hear of it
        raise ValueError("what came first is told")

    with pytest.raises(RuntimeError, match="no such luck"):
        running_threads.run_chunks(work, 3000, 1)
    assert len(calls) <= 3
    assert getattr(running_threads.stopping, "flag", None) is None


def test_calls_inside_of_calls_and_the_pool_of_the_call_before():
    total = []

    def inner(start, stop):
        running_threads.run_chunks(lambda a, b: total.append(b - a), 5, 1)

    for _ in range(3):
        running_threads.run_chunks(inner, 6, 1)
    assert len(total) == 90
    idle = sum(map(len, running_threads._idle.values()))
    running_threads.run_chunks(inner, 6, 1)
    assert sum(map(len, running_threads._idle.values())) <= max(idle, 4)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")   # of fork with threads
@pytest.mark.parametrize("by_python", [True, False], ids=["by Python", "as R does"])
def test_a_forked_child_makes_its_own_threads(by_python):
    fork = os.fork if by_python else ctypes.PyDLL(None).fork   # Python hears nothing of this one
    all_three = threading.Barrier(3)   # so that the pool has all of its threads
    running_threads.run_chunks(lambda start, stop: all_three.wait(60), 3, 1)
    child = fork()
    if child == 0:
        done = []
        running_threads.run_chunks(lambda start, stop: done.append(start), 6, 1)
        os._exit(0 if len(done) == 6 else 1)
    for _ in range(600):
        finished, status = os.waitpid(child, os.WNOHANG)
        if finished:
            break
        threading.Event().wait(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert finished
    assert os.waitstatus_to_exitcode(status) == 0


def said_and_left(monkeypatch, capsys, seconds):
    """Seconds announced as still to go, what was left, and the share done."""
    clock, left = [0.0], []
    monkeypatch.setattr(announcements, "_logger", logging.Logger("without handlers"))
    monkeypatch.setattr(running_threads.time, "perf_counter", lambda: clock[0])
    with running_threads.progress_bar(None, "cells") as report:
        for done in range(len(seconds) + 1):
            report(done, len(seconds))
            for line in capsys.readouterr().err.splitlines():
                number, unit = re.search(r"about ([\d.]+) (s|min) to go", line).groups()
                left.append((float(number) * (60 if unit == "min" else 1), sum(seconds[done:]),
                             done / len(seconds)))
            clock[0] += sum(seconds[done:done + 1])
    return left


@pytest.mark.parametrize("growth", [-1.0, -0.3, 0.0, 0.3, 1.0, 1.7])
def test_no_estimate_is_off_by_more_than_two(monkeypatch, capsys, growth):
    """Steps that take longer, or less long, than those before."""
    steps = np.arange(1, 1001) ** growth
    said = said_and_left(monkeypatch, capsys, (50 * steps / steps.sum()).tolist())
    assert all(left / 2 <= number <= 2 * left for number, left, share in said if share >= 0.1)
    assert (len(said) == 1 and said[0][0] == pytest.approx(said[0][1], rel=0.05)) == (growth == 0)


def test_an_estimate_that_was_wrong_is_corrected(monkeypatch, capsys):
    said = said_and_left(monkeypatch, capsys, [0.1] * 50 + [1.0] * 50)
    assert [number for number, _, _ in said] == [9, 31]
    assert said[1][0] == pytest.approx(said[1][1], rel=0.05)
