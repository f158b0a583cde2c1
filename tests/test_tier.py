"""Kernels that start as Python: the same bits, no trace when too long or interrupted, counted."""

import importlib.util
import logging
import os
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from softclust import _notices, _parallel
from softclust._kernels import _cache, _tier
from softclust._kernels._jit import JIT_ENABLED

pytestmark = pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")
ROOT = Path(_tier.__file__).parents[2]
KERNELS = '''
    import math
    from softclust._kernels._jit import bits_of, fma, from_bits, inlined, kernel
    from softclust._kernels.random import load, step, store

    @inlined
    def half(x):
        return 0.5 * x

    @kernel
    def mixed(state, x, out):
        """Random numbers, fused products, bits, a helper, numbers of several types."""
        a, b, c, d = load(state)
        for i in range(out.size):
            u, a, b, c, d = step(a, b, c, d)
            out[i] = fma(u, x[i], half(out[i])) + math.log(1.0 + u)
        store(state, a, b, c, d)
        return out.size, from_bits(bits_of(out[0]) ^ 1), out[0] > 0.5

    @kernel
    def squared(labels):
        labels[1] = -1
        return labels[0] * labels[0]

    @kernel
    def fill_row(array, row):
        for j in range(array.shape[1]):
            array[row, j] = 7

    @kernel
    def lend(out):
        return out[:2]

    @kernel
    def add_ones(out, rounds):
        for _ in range(rounds):
            for i in range(out.size):
                out[i] += 1.0
        return rounds
'''


@pytest.fixture
def kernels(tmp_path, monkeypatch):
    """A module of kernels with an empty cache, in the tier."""
    monkeypatch.setenv("SOFTCLUST_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("_folders", "_broken", "_swept"):
        monkeypatch.setattr(_cache, name, [])
    monkeypatch.setattr(_tier, "_always", [False])
    monkeypatch.setattr(_tier, "_spent", None)
    monkeypatch.setattr(_tier, "_new", type(_tier._new)(float))
    (tmp_path / "tiny_kernels.py").write_text(textwrap.dedent(KERNELS))
    spec = importlib.util.spec_from_file_location("tiny_kernels", tmp_path / "tiny_kernels.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compiled(kernel):
    return bool(kernel.overloads)


def test_the_same_bits_as_compiled(kernels):
    def run():
        state = np.arange(1, 5, dtype=np.uint64) * np.uint64(2**61 + 12345)
        x, out = np.linspace(-1, 1, 50), np.linspace(0, 3, 50)
        value = kernels.mixed(state, x, out)
        return value, [type(v) for v in value], state.tobytes(), out.tobytes()
    interpreted = run()
    assert not compiled(kernels.mixed)
    with _tier.compiling():
        assert run() == interpreted
    assert compiled(kernels.mixed)
    assert run() == interpreted


FIRST_CALLS = '''
import numpy as np, softclust as sc
from softclust.cluster import FuzzyCMeans, RoughKMeans
rng = np.random.default_rng(0)
x, y = (sc.FuzzyClustering(rng.dirichlet(np.ones(3), 40)) for _ in range(2))
print([float(v).hex() for v in sc.compare(x, y).to_frame()["value"].map(float)])
data = rng.normal(size=(60, 2)) + 3 * rng.integers(0, 2, 60)[:, None]
bagged = sc.BaggedClustering(n_clusters=2, n_resamples=4, random_state=0).fit(data)
print(bagged.clustering_.membership.tobytes().hex()[:400])
print(FuzzyCMeans(2, random_state=0).fit(data).clustering_.membership.tobytes().hex()[:400])
print(RoughKMeans(2, random_state=0).fit(data).clustering_.upper.sum())
import sys
print(*(d.py_func.__name__ for m in list(sys.modules.values())
        if getattr(m, "__name__", "").startswith("softclust._kernels.")
        for d in vars(m).values() if getattr(d, "overloads", None)), file=sys.stderr)
'''


def test_first_calls_give_the_bits_of_later_calls(tmp_path):
    def child(**variables):
        return subprocess.run([sys.executable, "-c", FIRST_CALLS], capture_output=True, text=True,
                              check=True, env={**os.environ, "PYTHONPATH": str(ROOT), **variables})
    first = child(SOFTCLUST_COMPILE="auto", SOFTCLUST_CACHE_DIR=str(tmp_path))
    later = child(SOFTCLUST_COMPILE="always")
    assert first.stdout == later.stdout
    assert not first.stderr.split()   # nothing was compiled
    assert "single_units" in later.stderr
    assert "relations.single_units" in (tmp_path / "interpreted.txt").read_text()


def test_a_call_that_takes_too_long_is_undone_and_compiled(kernels, monkeypatch):
    monkeypatch.setattr(_tier, "LOOK", 0.0)
    monkeypatch.setattr(_tier._Tier, "left", lambda self: 0.02)
    out = np.arange(3.0)
    assert kernels.add_ones(out, 300_000) == 300_000
    assert compiled(kernels.add_ones)
    assert out.tolist() == [300_000.0, 300_001.0, 300_002.0]


def test_an_interrupted_call_leaves_its_arrays(kernels, monkeypatch):
    def interrupt(clock):
        raise KeyboardInterrupt
    monkeypatch.setattr(_tier, "LOOK", 0.0)
    monkeypatch.setattr(_tier, "_look", interrupt)
    out, inner = np.zeros(3), np.arange(2.0)
    with pytest.raises(KeyboardInterrupt):
        kernels.add_ones(out, 10_000)
    assert not out.any()
    assert not _tier._clocks
    monkeypatch.undo()
    assert [a.tolist() for a in _tier._arrays((out, 1, (inner, (out,))))] == [
        [0.0] * 3, [0.0, 1.0], [0.0] * 3]


def test_an_interrupt_stops_interpreted_kernels_in_the_threads_of_a_pool(kernels, monkeypatch):
    monkeypatch.setattr(_tier._Tier, "left", lambda self: 60.0)
    monkeypatch.setattr(_parallel, "_threads", 2)
    begun, outs, seen = threading.Event(), np.zeros((4, 3)), []

    def work(start, stop):
        if start == 0:
            begun.wait(60)
            raise KeyboardInterrupt
        try:
            begun.set()
            kernels.add_ones(outs[start], 10**9)   # hours
        except BaseException as error:
            seen.append(type(error))
            raise
    with pytest.raises(KeyboardInterrupt):
        _parallel.run_chunks(work, 2, 1)
    assert seen == [_tier._Stopped]
    assert not outs.any()


def test_narrow_whole_numbers_are_widened_as_numba_does(kernels):
    labels = np.array([50_000, 7], np.int32)
    assert kernels.squared(labels) == 50_000**2
    assert not compiled(kernels.squared)
    assert labels.tolist() == [50_000, -1]


@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.int64, bool])
@pytest.mark.parametrize("ends", ["well", "too late", "stopped"])
def test_rows_that_other_threads_write_meanwhile_stay(kernels, monkeypatch, dtype, ends):
    """An array of nan or -1, of which every call fills its row, as threads do."""
    out = np.full((2, 3), np.nan if dtype is float else -1).astype(dtype)
    before = out.copy()
    tier = kernels.fill_row._compile_for_args.__self__

    def slow(array, row):
        array[row] = 7
        out[1 - row] = 1   # another thread ends just now
        if ends != "well":
            raise _tier._TooLong if ends == "too late" else _tier._Stopped
    tier.function = slow
    if ends == "stopped":
        with pytest.raises(_tier._Stopped):
            kernels.fill_row(out, 0)
        assert out[0].tobytes() == before[0].tobytes()
    else:
        kernels.fill_row(out, 0)
        assert (out[0] == np.array(7).astype(dtype)).all()
    assert (out[1] == 1).all()
    assert compiled(kernels.fill_row) == (ends == "too late")


def test_arrays_that_share_memory_are_left_to_the_compiler(kernels):
    tier = kernels.add_ones._compile_for_args.__self__
    memory = np.zeros((4, 3))
    frozen = memory[1:3].view()
    frozen.flags.writeable = False
    rest = memory[2:]
    assert tier.small((memory[:2], rest, rest, (memory[:0],)))
    assert tier.small((memory, memory))
    assert tier.small((frozen, frozen[1:]))
    assert not tier.small((memory, frozen))
    assert not tier.small((memory[:2], (1, memory[1:])))
    assert not tier.small((memory[::-1], memory[3]))
    out = np.zeros(3)
    assert kernels.lend(out)[1:].base is not None
    assert compiled(kernels.lend)   # the array handed out must be the one that was given
    kernels.lend(out)[0] = 5.0
    assert out[0] == 5.0


def test_large_calls_and_narrow_numbers_are_compiled_at_once(kernels):
    kernels.add_ones(np.zeros(_tier.SMALL), 1)
    assert compiled(kernels.add_ones)
    before = len(kernels.add_ones.overloads)
    kernels.add_ones(np.zeros(3, np.float32), 1)
    assert len(kernels.add_ones.overloads) == before + 1
    tier = _tier._Tier(kernels.mixed, None, lambda *args: 1e12)
    assert not tier.small((np.zeros(1),))


def test_seconds_in_python_are_kept_and_lead_to_compiling(kernels, monkeypatch, tmp_path):
    kernels.add_ones(np.zeros(100), 200)
    assert not compiled(kernels.add_ones)
    seconds = _tier.spent()["tiny_kernels.add_ones"]
    assert seconds > 0.001
    _tier.keep_spent()
    kept = tmp_path / "cache" / "interpreted.txt"
    with open(kept, "a") as file:   # what two processes may have spoiled
        file.write("tiny_kernels.add_ones tiny\nx\n\ntiny_kernels.add_ones 1e3\n")
    monkeypatch.setattr(_tier, "_spent", None)
    assert _tier.spent()["tiny_kernels.add_ones"] == pytest.approx(1000 + seconds, abs=2e-3)
    kernels.add_ones(np.zeros(3), 1)
    assert compiled(kernels.add_ones)


def test_the_file_of_seconds_stays_short(kernels, tmp_path):
    kept = tmp_path / "cache" / "interpreted.txt"
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("a.b 0.5\n" * 20_000)
    _tier.note("a.b", 1.0)
    _tier.keep_spent()
    assert kept.stat().st_size < 200
    assert _tier._read()["a.b"] == pytest.approx(10_001)


def test_one_announcement_for_long_compilations_alone(kernels, monkeypatch, capsys, caplog):
    monkeypatch.setattr(_tier, "compile_seconds", lambda dispatcher: 7.2)
    monkeypatch.setattr(_notices, "on_terminal", lambda: True)
    kernels.TOPIC = "tiny things"
    with _tier.compiling():
        kernels.add_ones(np.zeros(3), 1)
        kernels.add_ones(np.zeros(3), 1)
    assert capsys.readouterr().err == (
        "softclust: compiling tiny things, about 7 s, once (kept on disk)\n")
    monkeypatch.setattr(_notices, "on_terminal", lambda: False)
    monkeypatch.setattr(_cache, "_broken", ["full"])
    with _tier.compiling(), caplog.at_level(logging.INFO, logger="softclust"):
        kernels.add_ones(np.zeros(3, np.int64), 1)
    assert capsys.readouterr().err == ""
    assert caplog.messages == ["compiling tiny things, about 7 s, for this process alone"]
    monkeypatch.undo()
    assert _tier.compile_seconds(kernels.add_ones) < _tier.ANNOUNCED


def test_costs_count_helpers_and_callees():
    from softclust._kernels import relations
    of = _tier.compile_seconds
    assert of(relations.pair_units) > of(relations._add_general) > 0
    assert 1.0 < of(relations.pair_units) / _tier._slowness() < 40.0
    assert _tier.topic(relations.pair_units) == "pair comparisons"


def test_numba_asks_for_missing_versions_as_the_tier_expects(kernels):
    """Fails first when numba changes: then look at `_tier.attach`."""
    asked = []
    kernel = kernels.add_ones
    kernel._compile_for_args = lambda *args: asked.append(args) or (lambda *a: "answer")
    out = np.zeros(1)
    assert kernel(out, 1) == "answer"
    assert asked == [(out, 1)]
    del kernel._compile_for_args
    kernel(out, 1)
    assert compiled(kernel)
    assert kernel(out, 1) == 1


def test_without_the_method_kernels_are_compiled_as_ever():
    class Changed:
        _cache = None
    changed = Changed()
    assert _tier.attach(changed) is changed
    assert not hasattr(changed, "_compile_for_args")


def test_no_thread_runs_a_kernel_in_half_of_its_names():
    """A second thread asks for the names of a module while the first one fills them in."""
    filling, asked = threading.Event(), threading.Event()

    class Names(dict):
        def items(self):
            every = list(super().items())
            yield every[0]
            filling.set()
            asked.wait(10)
            # A thread that waits for a lock can give no event: the lock is what is tested.
            time.sleep(0.05)
            yield from every[1:]

    names, found = Names(one=1, two=2, three=3), []

    def second():
        filling.wait(10)
        asked.set()
        found.append(set(_tier._world(names)))

    threads = [threading.Thread(target=work) for work in (lambda: _tier._world(names), second)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
    finally:
        _tier._worlds.pop(id(names), None)
    assert found == [{"one", "two", "three", "range"}]
