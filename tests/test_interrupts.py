"""Ctrl-C where it was lost: while numba is imported, in a compilation, between finished pairs."""

import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import softclust as sc
from softclust import cluster
from softclust.comparison import pairs
from softclust.running import interrupts


def run(script):
    """Output of a script in a process of its own, with the usual Ctrl-C."""
    before = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    done = subprocess.run([sys.executable, "-c", before + textwrap.dedent(script)],
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_while_numba_is_imported_leaves_the_session_whole():
    assert run("""
        import os, sys
        class Aim:
            hit = False
            def find_spec(self, name, path=None, target=None):
                if name == "numba.core.types" and not self.hit:
                    self.hit = True
                    os.kill(os.getpid(), signal.SIGINT)
        aim = Aim()
        sys.meta_path.insert(0, aim)
        import softclust
        for _ in range(2):
            try:
                print(softclust.rand_index([0, 0, 1] * 1000, [0, 1, 1] * 1000) > 0)
            except KeyboardInterrupt:
                print("interrupted")
        print(aim.hit)
    """) == ["interrupted", "True", "True"]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_that_the_compiler_swallows_is_no_error_of_numba(tmp_path):
    (tmp_path / "interrupted_kernel.py").write_text(
        "from softclust.running.compiler import kernel\n\n\n"
        "@kernel\ndef double(x):\n    return 2.0 * x\n")
    assert run("""
        import sys
        from numba.core.codegen import CPUCodeLibrary

        times = [1]
        answers = CPUCodeLibrary._object_compiled_hook.__func__   # a callback of llvmlite

        def answer(cls, module, code):
            if "double" in module.name and times:
                times.pop()
                raise KeyboardInterrupt
            answers(cls, module, code)

        CPUCodeLibrary._object_compiled_hook = classmethod(answer)
        sys.path.insert(0, FOLDER)
        from interrupted_kernel import double
        try:
            double(1.5)
        except KeyboardInterrupt:
            print("interrupted")
        print(double(1.5))
    """.replace("FOLDER", repr(str(tmp_path)))) == ["interrupted", "3.0"]


def test_compare_all_keeps_the_pairs_that_are_finished(monkeypatch):
    rng = np.random.default_rng(0)
    runs = [rng.dirichlet(np.ones(3), size=20) for _ in range(4)]
    whole = sc.compare_all(runs, measure="alpha_rand_index")
    calls = iter(range(10))
    evaluate = pairs._evaluate

    def interrupted(m, joint, options):
        if next(calls) == 5:
            raise KeyboardInterrupt
        return evaluate(m, joint, options)
    monkeypatch.setattr(pairs, "_evaluate", interrupted)
    with pytest.warns(sc.IncompleteWarning, match="interrupted after 5 of 10 pairs"):
        found = sc.compare_all(runs, measure="alpha_rand_index")
    known = ~np.isnan(found.value)
    assert known.sum() == 8   # (0, 0), ..., (0, 3), (1, 1), both ways
    np.testing.assert_array_equal(found.value[known], whole.value[known])
    assert "interrupted after 5 of 10 pairs" in str(found)


def test_a_query_that_ctrl_c_ended_is_an_interrupt():
    class InterruptException(Exception):
        pass
    for error in (RuntimeError("Query interrupted"), InterruptException("INTERRUPT Error")):
        with pytest.raises(KeyboardInterrupt, match="nothing is kept"), (
                interrupts.engine_interrupts()):
            raise error
    with pytest.raises(RuntimeError, match="no such column"), interrupts.engine_interrupts():
        raise RuntimeError("no such column")


def test_nothing_is_said_to_be_kept_when_nothing_is():
    with pytest.raises(KeyboardInterrupt, match="first of 5 fits; nothing is kept"), (
            interrupts.keep_finished("fits", 5, lambda: 0)):
        raise interrupts.interrupted("replicates", 3, 10, "call fit again")


@pytest.mark.parametrize("call", [
    lambda: sc.rand_index([0, 0, 1], [0, 1, 1]),
    lambda: sc.alpha_rand_index(sc.as_clustering([0, 0, 1]).to_fuzzy(), [0, 1, 1]),
    lambda: sc.compare([0, 0, 1, 1], [0, 1, 1, 1]),
    lambda: sc.contingency_table([0, 0, 1], [0, 1, 1]),
    lambda: cluster.FuzzyCMeans(2, random_state=0).fit(np.arange(12.0).reshape(6, 2) ** 2)])
def test_a_short_call_does_nothing_beside_its_computation(call, monkeypatch, capfd):
    call()   # compiles, imports

    def never(*_):
        raise AssertionError("a thread or a handler of signals")

    for place, name in ((threading.Thread, "start"), (signal, "signal")):
        monkeypatch.setattr(place, name, never)
    call()
    assert capfd.readouterr() == ("", "")
