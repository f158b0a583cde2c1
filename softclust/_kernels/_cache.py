"""Compiled kernels on disk: one file for each compiled version of a kernel.

A file is named after all that its machine code depends on: the kernel's source and the kernel
sources it imports (path and content), the types of the arguments, the options, the processor,
the versions of Python, numba, llvmlite and numpy. There is no index that two processes could
spoil, so no lock is needed and file systems without locks are as safe as others: a file is
written under a name of its own and then renamed, which no reader sees half done, and two
processes that write the same entry write the same thing.

What is read must carry the right digest, the full name of the entry, and the signature that was
asked for. Anything else is removed and compiled again; the user is told once. When the folder
cannot be written the process compiles in memory and says so once.

numba's own cache keeps an index per function: two processes that compile different signatures
at the same time take the same file for both, and later runs load the wrong machine code.
"""

import hashlib
import os
import pickle
import re
import shutil
import sys
import time
import uuid
from functools import cache
from pathlib import Path

import llvmlite
import numba
import numpy as np
from numba.core import config
from numba.core.caching import CompileResultCacheImpl
from numba.core.serialize import dumps

from .._notices import warn_once

_MAGIC = b"softclust kernel 2\n"
_PACKAGE = Path(__file__).parent.parent
_IMPORT = re.compile(r"^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^#\n]*))",
                     re.MULTILINE)
_DAY = 86400.0
#: days after which an entry that nobody has loaded is removed
_KEPT = 60
_folders: list[Path | None] = []


def cache_folder():
    """The folder for compiled kernels and what is known about them; None when there is none.

    ``SOFTCLUST_CACHE_DIR``, else ``NUMBA_CACHE_DIR``, else ``softclust`` in the user's cache
    folder. A folder that a variable names is used even when it can only be read.
    """
    if not _folders:
        _folders.append(_choose_folder())
    return _folders[0]


def _choose_folder():
    for variable in ("SOFTCLUST_CACHE_DIR", "NUMBA_CACHE_DIR"):
        if os.environ.get(variable):
            folder = Path(os.environ[variable]).absolute()
            _writable(folder)
            return folder
    bases = [Path(os.environ[v]) for v in ("XDG_CACHE_HOME", "LOCALAPPDATA") if os.environ.get(v)]
    home = os.path.expanduser("~")
    if home != "~":
        bases.append(Path(home) / ("Library/Caches" if sys.platform == "darwin" else ".cache"))
    for base in bases:
        if base.is_absolute() and _writable(base / "softclust"):
            return base / "softclust"
    return None


def _writable(folder):
    probe = folder / f".probe-{uuid.uuid4().hex[:12]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True


# -- what an entry depends on -----------------------------------------------------------------
def imported_files(path):
    """Files of this package that a kernel module imports, as its text says."""
    found = set()
    for dots, stem, listed, named in _IMPORT.findall(path.read_text(encoding="utf-8")):
        if dots:
            base = path.parents[len(dots) - 1].joinpath(*filter(None, stem.split(".")))
        elif stem.split(".")[0] == _PACKAGE.name:
            base = _PACKAGE.joinpath(*stem.split(".")[1:])
        else:
            continue
        inside = [base / name.split()[0] for name in (listed or named).split(",") if name.strip()]
        for candidate in (base, *inside):
            file = candidate.with_name(candidate.name + ".py")
            if file.is_file():
                found.add(file)
    return found


@cache
def source_digest(path):
    """Digest of a kernel module and of all kernel modules that it needs: names and contents."""
    seen, waiting = set(), [Path(path)]
    while waiting:
        file = waiting.pop()
        if file not in seen:
            seen.add(file)
            if file.name != "_jit.py":   # what that imports decides when to compile, not what
                waiting.extend(imported_files(file) - seen)
    digest = hashlib.sha256()
    for file in sorted(seen):
        digest.update(f"{file}\n".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


@cache
def _surroundings():
    settings = [(name, getattr(config, name, None))
                for name in ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE",
                             "USING_SVML", "DEBUGINFO_DEFAULT")]
    return repr((sys.implementation.cache_tag, sys.platform, numba.__version__,
                 llvmlite.__version__, np.__version__, settings))


# -- one kernel -------------------------------------------------------------------------------
class KernelCache:
    """What numba asks of a function's cache; see the top of the module."""

    def __init__(self, dispatcher):
        function = dispatcher.py_func
        self._impl = CompileResultCacheImpl(function)
        self._file = function.__code__.co_filename
        self._label = f"{function.__module__.split('.')[-1]}.{function.__qualname__}"
        self._stem = re.sub(r"[^\w.]", "", self._label)
        self._options = repr(sorted(
            (k, repr(sorted(v) if isinstance(v, set) else v))
            for k, v in dispatcher.targetoptions.items()))
        self._entries = {}
        self._code = hashlib.sha256(function.__code__.co_code).hexdigest()

    @property
    def cache_path(self):
        return str(cache_folder())

    def enable(self):
        """Nothing: `SOFTCLUST_CACHE_DIR` decides."""

    disable = flush = enable

    def entry(self, signature, codegen):
        """Path and full name of the entry, or None without a folder."""
        folder = cache_folder()
        if folder is None:
            return None
        if (folder, signature) in self._entries:
            return self._entries[folder, signature]
        where = repr((self._file, self._label, str(signature), codegen.magic_tuple(),
                      self._options, _surroundings()))
        what = f"{source_digest(self._file)} {self._code}"
        name = f"{self._stem}-{_short(where)}-{_short(what)}.kernel"
        entry = folder / "kernels" / name, f"{where}\n{what}".encode()
        self._entries[folder, signature] = entry
        return entry

    def known(self):
        """Whether the disk had any version of this kernel when this process first looked.

        On a first day nothing is there: calls of kernels that run as Python need no types then,
        which numba takes a quarter of a millisecond to find.
        """
        folder = cache_folder()
        return folder is not None and self._stem in _stems(folder)

    def has(self, signature, context):
        """Whether the disk has this version (it is checked when it is loaded)."""
        entry = self.entry(signature, context.codegen())
        return entry is not None and entry[0].exists()

    def load_overload(self, signature, context):
        """The compiled version, or None."""
        context.refresh()
        entry = self.entry(signature, context.codegen())
        if entry is None:
            return None
        path, name = entry
        try:
            data = path.read_bytes()
        except OSError:
            return None
        try:
            found = self._impl.rebuild(context, pickle.loads(unpacked(data, name)))
            if tuple(found.signature.args) != tuple(getattr(signature, "args", signature)):
                raise ValueError("another signature")
        except Exception as error:   # a damaged file can raise anything
            _discard(path, error)
            return None
        _touch(path)
        return found

    def save_overload(self, signature, result):
        """Keep a compiled version."""
        if _broken or not self._impl.check_cachable(result):
            return
        entry = self.entry(signature, result.codegen)
        if entry is None:
            _memory_only(None, "no folder can be written")
            return
        path, name = entry
        try:
            replace(path, packed(dumps(self._impl.reduce(result)), name))
            for old in path.parent.glob(f"{path.name.rsplit('-', 1)[0]}-*.kernel"):
                if old != path:   # made from an earlier text of the same file
                    old.unlink(missing_ok=True)
            _sweep(path.parent)
        except OSError as error:
            _memory_only(path.parent, error.strerror or str(error))


@cache
def _stems(folder):
    """Kernels of which the cache folder has a version."""
    return {path.name.split("-")[0] for path in (folder / "kernels").glob("*.kernel")}


def packed(payload, name):
    """Bytes of an entry: what it is, the digest of the rest, its full name, numba's data."""
    rest = len(name).to_bytes(8, "little") + name + payload
    return _MAGIC + hashlib.sha256(rest).digest() + rest


def unpacked(data, name):
    """numba's data, when the entry is whole and bears this full name."""
    start = len(_MAGIC)
    digest, rest = data[start:start + 32], data[start + 32:]
    if not data.startswith(_MAGIC) or hashlib.sha256(rest).digest() != digest:
        raise ValueError("the digest does not fit the content")
    size = int.from_bytes(rest[:8], "little")
    if rest[8:8 + size] != name:
        raise ValueError("it belongs to another kernel")
    return rest[8 + size:]


def _short(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# -- files ------------------------------------------------------------------------------------
def append(path, data):
    """Add lines in one write, so that those of two processes do not mix."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "ab", buffering=0) as file:
        file.write(data)


def replace(path, data):
    """Write a file whole: under a name of its own, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{uuid.uuid4().hex[:12]}.tmp")
    try:
        draft.write_bytes(data)
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


#: set once nothing can be kept: every further kernel compiles in memory
_broken: list[str] = []


def _memory_only(folder, why):
    _broken.append(why)
    place = f"cannot be kept in {folder} ({why})" if folder else f"cannot be kept ({why})"
    warn_once("cache", f"compiled kernels {place}: they are compiled in memory, in each process "
              "anew. Set SOFTCLUST_CACHE_DIR to a folder with space that can be written.")


def keeps():
    """Whether what is compiled now will be on disk, as far as is known."""
    return not _broken and cache_folder() is not None


def contents():
    """Number of compiled kernels on disk, and their bytes."""
    folder = cache_folder()
    sizes = [] if folder is None else [
        path.stat().st_size for path in (folder / "kernels").glob("*.kernel")]
    return len(sizes), sum(sizes)


def _discard(path, error):
    try:
        path.unlink()
        done = "was removed"
    except OSError:
        done = "is passed over"
    warn_once("damaged", f"a damaged file of compiled kernels {done}, and the kernel is compiled "
              f"again: {path} ({error or type(error).__name__})")


def _touch(path):
    """Note the use, once a day: what is used is kept."""
    try:
        if time.time() - path.stat().st_mtime > _DAY:
            os.utime(path)
    except OSError:
        pass


_swept: list[Path] = []


def _sweep(folder):
    """Once per process that compiles: remove entries that nobody has used, and lost drafts."""
    if _swept:
        return
    _swept.append(folder)
    now = time.time()
    for path in folder.glob("*.kernel*"):
        age = now - path.stat().st_mtime if path.exists() else 0.0
        if age > (_DAY if path.suffix == ".tmp" else _KEPT * _DAY):
            path.unlink(missing_ok=True)
    for old in folder.parent.glob("kernels-*"):   # of softclust 0.1, an index for each function
        if now - old.stat().st_mtime > _KEPT * _DAY:
            shutil.rmtree(old, ignore_errors=True)


def attach(dispatcher):
    """Let a dispatcher keep its compiled versions here; in memory where numba has changed."""
    if hasattr(dispatcher, "_cache"):
        dispatcher._cache = KernelCache(dispatcher)
    return dispatcher
