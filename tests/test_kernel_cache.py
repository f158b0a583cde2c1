"""Compiled kernels on disk: two processes at once, damaged files, a full disk, other sources."""

import ast
import errno
import importlib.util
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from softclust import _notices
from softclust._kernels import _cache, _tier
from softclust._kernels._jit import JIT_ENABLED

jit_only = pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")
PACKAGE = Path(_cache.__file__).parents[1]
TOTAL = '''
    from softclust._kernels._jit import kernel

    @kernel
    def total(x):
        s = x[0]
        for i in range(1, x.size):
            s += x[i]
        return s
'''
#: both compile before either writes; the one that began to write first ends last
CHILD = '''
import sys, time
from pathlib import Path
import numpy as np
from softclust._kernels import _cache
kind, other = sys.argv[1:3]
write, replace = _cache.replace, _cache.os.replace
def wait_for(name):
    while not Path(name).exists():
        time.sleep(0.01)
def slow_write(path, data):
    Path("compiled-" + kind).touch()
    wait_for("compiled-" + other)
    if kind == "i":
        wait_for("draft-f")
    write(path, data)
    Path("written-" + kind).touch()
def slow_replace(a, b):
    Path("draft-" + kind).touch()
    if kind == "f":
        wait_for("written-i")
    replace(a, b)
if other != "none":
    _cache.replace, _cache.os.replace = slow_write, slow_replace
import m
value = m.total(np.array([1, 2, 3], np.float64 if kind == "f" else np.int64))
print(type(value).__name__, value, sum(m.total.stats.cache_hits.values()))
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache in this process, and a forgetful `warn_once`."""
    monkeypatch.setenv("SOFTCLUST_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("_folders", "_broken", "_swept"):
        monkeypatch.setattr(_cache, name, [])
    monkeypatch.setattr(_notices, "_said", set())
    # These kernels are tiny: the interpreted tier would never write an entry.
    monkeypatch.setattr(_tier, "_always", [True])
    (tmp_path / "m.py").write_text(textwrap.dedent(TOTAL))
    return tmp_path


def fresh(folder):
    """The kernel of m.py as another process would see it: nothing in memory."""
    spec = importlib.util.spec_from_file_location("m", folder / "m.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.total


def sums(folder):
    """Sum of whole numbers, and how often the disk had it."""
    total = fresh(folder)
    assert total(np.array([1, 2, 3])) == 6
    return sum(total.stats.cache_hits.values())


def entries(folder):
    return sorted((folder / "cache" / "kernels").glob("*"))


@jit_only
def test_two_processes_that_compile_at_once_cannot_mix_their_machine_code(folder):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(PACKAGE.parent)])}

    def child(kind, other):
        return subprocess.Popen([sys.executable, "-c", CHILD, kind, other], env=environment,
                                cwd=folder, stdout=subprocess.PIPE, text=True)
    for others in (("i", "f"), ("none", "none")):
        runs = [child("f", others[0]), child("i", others[1])]
        hits = int(others[0] == "none")
        assert [run.communicate(timeout=120)[0].split() for run in runs] == [
            ["float", "6.0", str(hits)], ["int", "6", str(hits)]]
    assert len(entries(folder)) == 2


def emptied(path):
    path.write_bytes(b"")


def truncated(path):
    path.write_bytes(path.read_bytes()[:-100])


def flipped(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


def foreign(path):
    """A whole and sound entry, but of other arguments."""
    total = fresh(path.parents[2])
    total(np.array([1.0, 2.0]))
    other, = set(entries(path.parents[2])) - {path}
    other.replace(path)


def unknown(path):
    path.write_bytes(b"something else")


@jit_only
@pytest.mark.parametrize("damage", [emptied, truncated, flipped, foreign, unknown],
                         ids=lambda f: f.__name__)
def test_damaged_files_are_removed_and_compiled_again(folder, damage, caplog):
    assert sums(folder) == 0
    assert sums(folder) == 1
    path, = entries(folder)
    good = path.read_bytes()
    damage(path)
    assert sums(folder) == 0
    assert len(path.read_bytes()) > len(good) // 2
    assert sums(folder) == 1
    said = [r.getMessage() for r in caplog.records if r.name == "softclust"]
    assert len(said) == 1
    assert str(path) in said[0]
    damage(path)
    assert sums(folder) == 0
    assert len([r for r in caplog.records if r.name == "softclust"]) == 1


@jit_only
def test_a_full_disk_means_compiling_in_memory(folder, monkeypatch, caplog):
    def full(self, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))
    monkeypatch.setattr(Path, "write_bytes", full)
    assert sums(folder) == 0
    assert sums(folder) == 0
    assert not entries(folder)
    said = [r.getMessage() for r in caplog.records if r.name == "softclust"]
    assert len(said) == 1
    assert "No space left" in said[0]
    assert "SOFTCLUST_CACHE_DIR" in said[0]


@jit_only
def test_a_folder_that_can_only_be_read_is_read(folder, monkeypatch, caplog):
    assert sums(folder) == 0
    monkeypatch.setattr(_cache, "_folders", [])

    def denied(*args, **kwargs):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    monkeypatch.setattr(Path, "mkdir", denied)
    monkeypatch.setattr(Path, "write_bytes", denied)
    monkeypatch.setattr(Path, "touch", denied)
    assert sums(folder) == 1
    assert fresh(folder)(np.array([1.0, 2.0])) == 3.0
    assert "Permission denied" in caplog.text


@jit_only
def test_another_source_replaces_its_entry(folder):
    sums(folder)
    before = entries(folder)
    _cache.source_digest.cache_clear()
    text = (folder / "m.py").read_text()
    (folder / "m.py").write_text(text.replace("x[0]", "x[0] + 10"))
    assert fresh(folder)(np.array([1, 2, 3])) == 16
    after = entries(folder)
    assert len(after) == 1
    assert after != before


def test_the_digest_covers_imported_kernels_and_the_place(tmp_path):
    def written(name):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "helper.py").write_text("A = 1\n")
        (folder / "m.py").write_text("from .helper import A\n")
        return folder
    one, two = written("one"), written("two")
    first = _cache.source_digest(str(one / "m.py"))
    assert first != _cache.source_digest(str(two / "m.py"))
    _cache.source_digest.cache_clear()
    assert first == _cache.source_digest(str(one / "m.py"))
    (one / "helper.py").write_text("A = 2\n")
    _cache.source_digest.cache_clear()
    assert first != _cache.source_digest(str(one / "m.py"))


def kernel_modules():
    return sorted(p for p in PACKAGE.rglob("*.py")
                  if re.search(r"^from \S*_jit import .*(kernel|borrowing|inlined)",
                               p.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("path", kernel_modules(), ids=lambda p: p.stem)
def test_imported_files_are_those_of_the_syntax_tree(path):
    expected = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            for name in (base, *(base / alias.name for alias in node.names)):
                file = name.with_name(name.name + ".py")
                expected |= {file} if file.is_file() else set()
    assert _cache.imported_files(path) == expected


def test_the_folder_is_the_users(monkeypatch, tmp_path):
    variables = ("SOFTCLUST_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA")
    for name in variables:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(_cache.sys, "platform", "linux")
    assert _cache._choose_folder() == tmp_path / ".cache" / "softclust"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert _cache._choose_folder() == tmp_path / "xdg" / "softclust"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    assert _cache._choose_folder() == tmp_path / "numba"
    monkeypatch.setenv("SOFTCLUST_CACHE_DIR", str(tmp_path / "own"))
    assert _cache._choose_folder() == tmp_path / "own"
    assert (tmp_path / "own").is_dir()


def test_without_a_folder_that_can_be_written_there_is_none(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    for name in ("SOFTCLUST_CACHE_DIR", "NUMBA_CACHE_DIR", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    assert _cache._choose_folder() is None


@jit_only
def test_numba_has_what_the_cache_uses(folder):
    """Fails first when numba changes: then look at `_cache.KernelCache`."""
    from numba.core.caching import CompileResultCacheImpl, FunctionCache
    assert {"reduce", "rebuild", "check_cachable"} <= set(dir(CompileResultCacheImpl))
    asked = {"cache_path", "load_overload", "save_overload", "enable", "disable", "flush"}
    assert asked <= set(dir(FunctionCache))
    assert asked <= set(dir(_cache.KernelCache))
    total = fresh(folder)
    assert isinstance(total._cache, _cache.KernelCache)
    total(np.array([1.0]))
    assert total.stats.cache_path == str(folder / "cache")
