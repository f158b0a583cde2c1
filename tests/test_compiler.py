"""numba's options: what is announced, and what happens without a folder for the cache."""

import gc
import logging
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numba
import numpy as np
import pytest
from strategies import JIT_OFF

from softclust.running import announcements, compiler

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")
CHILD = '''
    from softclust.running import compiler

    @compiler.kernel
    def double(x, out):
        for i in range(x.size):
            out[i] = 2.0 * x[i]

    if __name__ == "__main__":
        import numpy as np
        out = np.empty(3)
        double(np.arange(3.0), out)
        print(*out, sum(double.stats.cache_hits.values()))
'''


@pytest.fixture
def clock(monkeypatch):
    """Seconds that each outermost compilation takes by the clock."""
    now, seconds = [0.0], [5.0]

    def monotonic():
        now[0] += seconds[0]
        return now[0]

    monkeypatch.setattr(compiler.time, "monotonic", monotonic)
    monkeypatch.setattr(announcements, "LONG", 2.0)
    monkeypatch.setattr(compiler, "kernels", [])
    return seconds


def test_a_long_compilation_is_named_when_it_is_done(clock, caplog, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "long_kernels.py").write_text(textwrap.dedent("""
        from softclust.running.compiler import kernel

        @kernel
        def _twice(x):
            return 2.0 * x

        @kernel
        def _sum_twice(x):
            return _twice(x) + _twice(x + 1)
        """))
    import long_kernels
    with caplog.at_level(logging.INFO, logger="softclust"):
        assert long_kernels._sum_twice(1.0) == 6.0   # compiles the other one within
        assert long_kernels._sum_twice(2.0) == 10.0
    assert caplog.messages == ["compiled sum_twice in 5 s; the next start loads it from disk"]


def test_without_a_folder_nothing_is_promised_of_the_next_start(clock, caplog):
    kernel = compiler.numba.njit(lambda x: x + 3.0)
    compiler.kernels.append(kernel)
    with caplog.at_level(logging.INFO, logger="softclust"):
        kernel(1.0)
    assert caplog.messages == ["compiled <lambda> in 5 s"]


def test_short_compilations_and_those_of_others_are_not_announced(clock, caplog):
    with caplog.at_level(logging.INFO, logger="softclust"):
        assert compiler.numba.njit(lambda x: x * x)(3.0) == 9.0   # not a kernel of ours
        kernel = compiler.numba.njit(lambda x: x + x)
        compiler.kernels.append(kernel)
        with pytest.raises(numba.TypingError):
            kernel({})
        clock[0] = 1.9
        assert kernel(3.0) == 6.0
    assert not caplog.records


@pytest.mark.parametrize("on", [True, False])
def test_the_garbage_collector_waits_and_is_left_as_it_was(on):
    class Seen(numba.core.event.Listener):
        def on_start(self, event):
            found.append(gc.isenabled())

        def on_end(self, event):
            pass

    found, was = [], gc.isenabled()
    (gc.enable if on else gc.disable)()
    try:
        with numba.core.event.install_listener("numba:compile", Seen()):
            assert compiler.numba.njit(lambda x: x - 1.0)(3.0) == 2.0
            with pytest.raises(numba.TypingError):   # a failing compilation, too
                compiler.numba.njit(lambda x: x.nothing)(3.0)
        assert found == [False, False]
        assert gc.isenabled() is on
    finally:
        (gc.enable if was else gc.disable)()


def run(folder, **environment):
    script = folder / "child.py"
    if not script.exists():   # its time is part of the cache's stamp
        script.write_text(textwrap.dedent(CHILD))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "PYTHONPATH": str(ROOT), **environment}, check=True)
    return [float(word) for word in done.stdout.split()]


def test_compiled_kernels_are_kept_on_disk(tmp_path):
    where = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    assert run(tmp_path, **where) == [0, 2, 4, 0]
    assert run(tmp_path, **where) == [0, 2, 4, 1]


def test_without_a_folder_kernels_are_compiled_in_memory(monkeypatch):
    def no_folder(function=None, *, cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(**options)

    njit = compiler.numba.njit
    before = list(compiler.kernels)
    monkeypatch.setattr(compiler.numba, "njit", no_folder)
    kernel = compiler.kernel(lambda x: x[0])
    compiler.kernels[:] = before
    assert kernel(np.array([4.0])) == 4.0


@pytest.mark.slow   # compiles everything
def test_warmup_compiles_every_kernel(tmp_path):
    code = ("import pkgutil, importlib, softclust\n"
            "softclust.warmup()\n"
            "for m in pkgutil.walk_packages(softclust.__path__, 'softclust.'):\n"
            "    if '._kernels.' in m.name: importlib.import_module(m.name)\n"
            "from softclust.running.compiler import kernels\n"
            "print(*[k.py_func.__module__ + '.' + k.py_func.__name__ for k in kernels"
            " if not k.signatures])")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True,
                          text=True, check=True,
                          env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)})
    assert not done.stdout.split(), done.stdout
