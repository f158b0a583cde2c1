"""Small inputs need no compiler: kernels start as plain Python, and are compiled when it pays.

numba's dispatcher asks one undocumented method, `_compile_for_args`, for a version that is not in
memory, and calls what it returns. Here that method first looks at the disk; when nothing is
there and the work is small, it returns the kernel's own Python function, which gives the same
bits. Calls of compiled versions never come here, so they cost nothing more.

Python's seconds are counted per kernel and kept in the cache folder. A kernel is compiled when
they exceed a share of what compiling is likely to cost, in one run or in many: nobody waits
much longer than with the better choice (the ski rental problem). A call works on copies of its
arrays: one that turns out longer than what is left is made again by the compiled kernel, and
one that Ctrl-C ends leaves no trace.

``SOFTCLUST_COMPILE=always`` turns this off: every kernel is compiled at its first call.
"""

import atexit
import dis
import os
import struct
import threading
import time
from collections import defaultdict
from contextlib import contextmanager
from functools import cache
from types import FunctionType

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target

from .._notices import announce
from .._parallel import counts, stopping
from . import _cache

#: elements of all arrays of a call beyond which a kernel is compiled at once
SMALL = 200_000
#: seconds that Python takes for one inner step, for kernels that say how many they make
STEP = 4e-7
#: share of the seconds of compiling that a kernel may spend in Python
SHARE = 0.6
#: seconds that numba takes for a kernel, an instruction of its code, a call of another kernel
#: (whose code is optimised once more in its caller); fitted to 150 kernels on a machine whose
#: Python took LOOP seconds for `_loop`
COMPILE, COMPILE_STEP, COMPILE_CALL, LOOP = 0.045, 2.2e-3, 0.21, 9.5e-4
#: seconds of compiling that are announced
ANNOUNCED = 1.0
#: seconds between two looks at the clock's finer sister and at Ctrl-C
LOOK = 0.05


class _TooLong(BaseException):
    """An interpreted call has used up what was left."""


class _Stopped(BaseException):
    """The pool that this call runs in was interrupted."""


# -- Python in place of what only the compiler has ----------------------------------------------
#: id of a compiled object -> its form in Python
_python_forms = {}
_kept = []


def python_form(compiled, function):
    """Let interpreted kernels call `function` where kernels call `compiled`."""
    _python_forms[id(compiled)] = function
    _kept.append(compiled)   # its id must stay its own


def python_bits_of(x):
    """The 64 bits of a float64 as an int64."""
    return struct.unpack("<q", struct.pack("<d", x))[0]


def python_from_bits(bits):
    """The float64 with these 64 bits."""
    return struct.unpack("<d", struct.pack("<q", bits))[0]


def python_bit_count(word):
    """How many of the 64 bits of a uint64 are set."""
    return bin(int(word)).count("1")


# -- kernels as plain functions -------------------------------------------------------------------
_worlds = {}
#: held while a world is filled: another thread must not run a kernel in half of one
_filling = threading.RLock()


def python_function(dispatcher):
    """The kernel in Python; all that it calls is Python too."""
    if id(dispatcher) in _python_forms:
        return _python_forms[id(dispatcher)]
    f = dispatcher.py_func
    return FunctionType(f.__code__, _world(f.__globals__), f.__name__, f.__defaults__,
                        f.__closure__)


def _world(names):
    """Global names of a kernel module with Python in place of what is compiled."""
    with _filling:
        world = _worlds.get(id(names))
        if world is None:
            world = _worlds[id(names)] = {}
            for name, value in list(names.items()):
                made = id(value) in _python_forms or isinstance(value, Dispatcher)
                world[name] = python_function(value) if made else value
            world["range"] = _range
    return world


#: thread -> [time of the next look, what is left of CPU time, the pool's flag, CPU time at start]
_clocks = {}


def _range(*bounds):
    """`range`; loops are where an interpreted kernel looks at the clock."""
    clock = _clocks.get(threading.get_ident())
    if clock is not None and time.perf_counter() > clock[0]:
        _look(clock)
    return range(*bounds)


def _look(clock):
    if clock[2] is not None and clock[2].is_set():
        raise _Stopped
    if time.thread_time() - clock[3] > clock[1]:
        raise _TooLong
    clock[0] = time.perf_counter() + LOOK


# -- when to compile ------------------------------------------------------------------------------
_always = [os.environ.get("SOFTCLUST_COMPILE", "auto") == "always"]


def compiles_at_once():
    """Whether every kernel is compiled at its first call."""
    return _always[0]


@contextmanager
def compiling():
    """Compile every kernel at its first call within this block."""
    previous, _always[0] = _always[0], True
    try:
        yield
    finally:
        _always[0] = previous


def attach(dispatcher, steps=None):
    """Let a kernel start as Python; where numba has changed it is compiled as ever."""
    compile_now = getattr(dispatcher, "_compile_for_args", None)
    if (compile_now is None or not isinstance(dispatcher._cache, _cache.KernelCache)
            or dispatcher.py_func.__defaults__):   # numba passes defaults in a form of its own
        return dispatcher
    tier = _Tier(dispatcher, compile_now, steps)
    dispatcher._compile_for_args = tier.choose
    return dispatcher


class _Tier:
    """One kernel: which version a call gets."""

    def __init__(self, dispatcher, compile_now, steps):
        self.dispatcher, self.compile_now, self.steps = dispatcher, compile_now, steps
        f = dispatcher.py_func
        self.label = f"{f.__module__.split('.')[-1]}.{f.__name__}"
        self.function = None
        self.announced = set()

    def choose(self, *args, **kwargs):
        """What numba calls for arguments without a compiled version in memory."""
        if kwargs:
            return self.compile_now(*args, **kwargs)
        if self.dispatcher._cache.known():
            signature = tuple(self.dispatcher.typeof_pyval(a) for a in args)
            if self.dispatcher._cache.has(signature, cpu_target.target_context):
                return self.compile_now(*args)
        if _always[0] or self.left() <= 0.0 or not self.small(args):
            return self.compiled(args)
        if self.function is None:
            self.function = python_function(self.dispatcher)
        return self.interpreted

    def compiled(self, args):
        """Compile for these arguments, and say so when it takes long."""
        signature = tuple(self.dispatcher.typeof_pyval(a) for a in args)
        seconds = compile_seconds(self.dispatcher)
        with _lock:
            first = signature not in self.announced
            self.announced.add(signature)
        if first and seconds >= ANNOUNCED:
            announce(f"compiling {topic(self.dispatcher)}, about {seconds:.0f} s, "
                     + ("once (kept on disk)" if _cache.keeps() else "for this process alone"))
        try:
            return self.compile_now(*args)
        finally:
            counts["compiled"] += 1

    def left(self):
        """Seconds that the kernel may still spend in Python."""
        return SHARE * compile_seconds(self.dispatcher) - spent()[self.label]

    def small(self, args):
        """Whether Python is likely to be done in the seconds that are left."""
        if any(not (_same_in_python(a) or _narrow(a)) for a in _arrays(args)) or _overlap(args):
            return False
        size = sum(a.size for a in _arrays(args))
        if self.steps is None:
            return size < SMALL
        return size < 10 * SMALL and self.steps(*args) * STEP * _slowness() < self.left()

    def interpreted(self, *args):
        """The call in Python; compiled after all when it takes too long."""
        me = threading.get_ident()
        if me in _clocks:   # called by a kernel's own Python, as a function that was passed
            return self.function(*args)
        counts["interpreted"] += 1
        own = _Own()
        start = time.thread_time()
        _clocks[me] = [time.perf_counter() + LOOK, self.left(), getattr(stopping, "flag", None),
                       start]
        try:
            with np.errstate(all="ignore"):
                result = self.function(*own.copies(args))
            if not own.lends(result):
                own.write()
                return _plain(result)
        except _TooLong:
            pass
        finally:
            del _clocks[me]
            note(self.label, time.thread_time() - start)
        self.compiled(args)
        return self.dispatcher(*args)


class _Own:
    """Copies of the arrays of one call, and what the call changed in them.

    Threads share arrays and write parts of their own: a call that ends early must leave no trace,
    and one that ends must write nothing but what it changed.
    """

    def __init__(self):
        self.pairs = {}

    def copies(self, value):
        """`value` with copies in place of the arrays that a kernel may write to."""
        if isinstance(value, tuple):
            items = [self.copies(v) for v in value]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        if not isinstance(value, np.ndarray) or not (value.flags.writeable or _narrow(value)):
            return value
        if id(value) not in self.pairs:
            copy = value.astype(np.int64) if _narrow(value) else value.copy(order="K")
            self.pairs[id(value)] = value, copy, copy.copy(order="K")
        return self.pairs[id(value)][1]

    def lends(self, result):
        """Whether `result` has arrays that lie in a copy: a kernel would hand out the array."""
        return any(np.may_share_memory(a, copy) for a in _arrays((result,))
                   for _, copy, _ in self.pairs.values())

    def write(self):
        """Write what has changed, bit by bit, to the arrays themselves."""
        for array, copy, before in self.pairs.values():
            if array.flags.writeable:
                kind = np.dtype(f"i{copy.dtype.itemsize}")
                changed = copy.view(kind) != before.view(kind)
                if changed.any():
                    array[changed] = copy[changed]   # narrow numbers wrap as in compiled kernels


def _arrays(args):
    """Arrays among arguments and in the tuples among them."""
    for a in args:
        if isinstance(a, np.ndarray):
            yield a
        elif isinstance(a, tuple):
            yield from _arrays(a)


def _same_in_python(array):
    """Whether numpy's numbers behave as numba's: narrow ones wrap, which numba widens."""
    return array.dtype.itemsize == 8 or array.dtype == bool


def _overlap(args):
    """Whether an array that may be written lies in the memory of another: copies would not."""
    spans = sorted({(low, high, id(a), a.flags.writeable) for a in _arrays(args) if a.size
                    for low, high in [_span(a)]})
    end, writable = 0, False
    for low, high, _, mine in spans:
        if low < end and (mine or writable):
            return True
        end, writable = (high, mine) if high > end else (end, writable)
    return False


def _span(array):
    """First byte of an array and the one after its last."""
    low = high = array.__array_interface__["data"][0]
    for size, stride in zip(array.shape, array.strides):
        low, high = low + min(0, (size - 1) * stride), high + max(0, (size - 1) * stride)
    return low, high + array.itemsize


def _narrow(value):
    """Whether it is an array of narrow signed numbers, which an interpreted kernel gets widened."""
    return isinstance(value, np.ndarray) and value.dtype.kind == "i" and value.dtype.itemsize < 8


def _plain(value):
    """Numbers of Python in place of numpy's, as compiled kernels return them."""
    if isinstance(value, np.generic):
        return value.item()
    if type(value) is tuple:
        return tuple(_plain(v) for v in value)
    return value


# -- what compiling costs -----------------------------------------------------------------------
def compile_seconds(dispatcher):
    """Seconds that compiling a kernel is likely to take, from the size of its code."""
    if dispatcher not in _compile_costs:
        _compile_costs[dispatcher] = _slowness() * sum(
            _own_seconds(d) for d in _callees(dispatcher, set()))
    return _compile_costs[dispatcher]


_compile_costs = {}


@cache
def _slowness():
    """Time of this machine, busy as it is, relative to the one of the fit."""
    return min(_loop() for _ in range(3)) / LOOP


def _loop():
    start, total = time.thread_time(), 0.0
    for i in range(20000):
        total += i * 0.5
    return time.thread_time() - start


def _own_seconds(dispatcher):
    instructions, calls = _size(dispatcher)
    return COMPILE + COMPILE_STEP * instructions + COMPILE_CALL * calls


def _size(dispatcher):
    """Instructions, inlined helpers included, and calls of other kernels."""
    f, instructions, calls = dispatcher.py_func, 0, 0
    for instruction in dis.get_instructions(f):
        instructions += 1
        value = f.__globals__.get(instruction.argval) if instruction.opname == "LOAD_GLOBAL" else 0
        if isinstance(value, Dispatcher):
            more = _size(value) if _inlined(value) else (0, 1)
            instructions, calls = instructions + more[0], calls + more[1]
    return instructions, calls


def _inlined(dispatcher):
    return dispatcher.targetoptions.get("inline") == "always"


def _callees(dispatcher, seen):
    """The kernel and all kernels that it calls, but those that are inlined."""
    if not _inlined(dispatcher):
        seen.add(dispatcher)
    f = dispatcher.py_func
    for name in f.__code__.co_names:
        value = f.__globals__.get(name)
        if isinstance(value, Dispatcher) and value not in seen:
            _callees(value, seen)
    return seen


def topic(dispatcher):
    """What a kernel is for, in words."""
    f = dispatcher.py_func
    module = f.__module__.split(".")[-1].strip("_").replace("_", " ")
    return f.__globals__.get("TOPIC", module)


# -- what Python has spent -----------------------------------------------------------------------
_spent = None
_new = defaultdict(float)
_lock = threading.Lock()


def spent():
    """Seconds that each kernel has spent in Python, in this and in earlier processes."""
    global _spent
    if _spent is None:
        _spent = defaultdict(float, _read())
    return _spent


def note(label, seconds):
    """Count seconds."""
    total = spent()
    with _lock:
        total[label] += seconds
        _new[label] += seconds


def _path():
    folder = _cache.cache_folder()
    return None if folder is None else folder / "interpreted.txt"


def _read():
    """One line per process and kernel: label, seconds."""
    total = defaultdict(float)
    path = _path()
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path else []
    except (OSError, UnicodeDecodeError):
        lines = []
    for line in lines:
        words = line.split()
        try:
            total[words[0]] += min(max(float(words[1]), 0.0), 1e6)
        except (IndexError, ValueError):
            continue   # a line that two processes spoiled counts for nothing
    return total


@atexit.register
def keep_spent():
    """Add the seconds of this process to the file in the cache folder."""
    path = _path() if _new else None
    if path is None:
        return
    text = "".join(f"{label} {seconds:.3f}\n" for label, seconds in _new.items()
                   if seconds >= 0.001)
    _new.clear()
    try:
        if path.exists() and path.stat().st_size > 100_000:
            sums = "".join(f"{label} {seconds:.3f}\n" for label, seconds in _read().items())
            _cache.replace(path, (sums + text).encode())
        else:
            _cache.append(path, text.encode())
    except OSError:
        pass   # the next process starts with less to know
