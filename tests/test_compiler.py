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


def test_long_compilations_are_announced_once(monkeypatch, caplog):
    announcements.stop_looking()
    monkeypatch.setattr(announcements, "LONG", 0.0)
    monkeypatch.setattr(announcements, "LOOK", 0.001)

    def inner(x):
        return x + 1.0

    one = compiler.numba.njit(inner)

    def outer_sum(x):
        return one(x) + one(2.0 * x)

    kernel = compiler.numba.njit(outer_sum)
    with caplog.at_level(logging.INFO, logger="softclust"):
        assert kernel(1.0) == 5.0
        assert kernel(2.0) == 8.0
    assert [r.getMessage() for r in caplog.records if "compiling" in r.getMessage()] == [
        "compiling (outer sum) takes longer than two seconds; numba keeps the result on disk"]


def test_short_compilations_are_not_announced(caplog):
    with caplog.at_level(logging.INFO, logger="softclust"):
        assert compiler.numba.njit(lambda x: x * x)(3.0) == 9.0
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
