"""The gate: errors, silence, seeds, threads, Ctrl-C, forks, and refusals with a reason."""

import contextlib
import os
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

import r_bridge
import softclust as sc
from r_bridge import _gate, _start, call

pytestmark = pytest.mark.r


# -- conditions ---------------------------------------------------------------------------------
def test_error_carries_message_call_and_classes():
    with pytest.raises(r_bridge.RError, match=r"^no such luck$") as caught:
        call("""function(x) {
          inner <- function(value) stop("no such luck")
          inner(x)
        }""", 1)
    assert caught.value.call == "inner(x)"
    assert caught.value.classes == ("simpleError", "error", "condition")


def test_error_of_another_class():
    with pytest.raises(r_bridge.RError, match="mine") as caught:
        call("""function() stop(structure(class = c("special", "error", "condition"),
                                          list(message = "mine", call = NULL)))""")
    assert caught.value.classes == ("special", "error", "condition")
    assert caught.value.call is None


@pytest.mark.parametrize("message", ["NULL", "character()"])
def test_conditions_without_a_message(message):
    signal = "function() stop(structure(class = c(%s'condition'), list(message = %s, call = NULL)))"
    with pytest.raises(r_bridge.RError, match="R failed without a message"):
        call(signal % ("'special', 'error', ", message))
    for classes in ("'interrupt', ", "'interrupt', 'error', "):
        with pytest.raises(KeyboardInterrupt):
            call(signal % (classes, message))
    assert call("function() 1") == 1


@pytest.mark.parametrize("code", ["function(", "1 + 1", "", "function() 1; function() 2"])
def test_code_must_be_one_function(code):
    with pytest.raises(r_bridge.RError):
        call(code)


def test_code_must_be_text():
    with pytest.raises(TypeError, match="the text of an R function"):
        call(len)


def test_warnings_come_back_each_and_with_the_value():
    with pytest.warns(r_bridge.RWarning) as caught:
        value = call("function() { warning('first'); warning('second'); 7 }")
    assert [str(w.message) for w in caught] == ["first", "second"]
    assert caught[0].filename == __file__
    assert value == 7


def test_warnings_come_back_before_an_error():
    with pytest.warns(r_bridge.RWarning, match="careful"), pytest.raises(r_bridge.RError):
        call("function() { warning('careful'); stop('too late') }")


def test_nothing_is_printed(capfd):
    value = call("""function() {
      message("a message"); print("printed"); cat("written\\n"); invisible(5)
    }""")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call("function() warning('w')")
    with pytest.raises(r_bridge.RError):
        call("function() stop('e')")
    assert value == 5
    assert capfd.readouterr() == ("", "")


def test_code_sees_base_r_only():
    with pytest.raises(r_bridge.RError, match="could not find function"):
        call("function() median(1:3)")
    assert call("function() stats::median(1:3)") == 2


def test_named_arguments_are_not_matched_partially():
    assert call("function(.fun, .s) .fun + .s", **{".s": 1, ".fun": 2}) == 3
    assert call("function(...) names(list(...))", **{"iter.max": 1, "é": 2}) == ["iter.max", "é"]


def test_missing_package_names_the_remedy():
    with pytest.raises(r_bridge.RUnavailableError, match=r"install\.packages\('nosuchpackage'\)"):
        call("function() nosuchpackage::f()")
    assert "r-cran-clue" in _gate.how_to_install("clue")
    assert _gate.how_to_install("evclust") == "install.packages('evclust') in R"
    # it is not on CRAN
    assert "install.packages" not in _gate.how_to_install("FARI")
    assert "install_github('its-likeli-jeff/FARI')" in _gate.how_to_install("FARI")


# -- what stays untouched -----------------------------------------------------------------------
def test_global_environment_stays_empty():
    call("function() { x <- 1; x }")
    call("function() stats::runif(1)", seed=1)
    left = call("function() ls(globalenv(), all.names = TRUE)")
    assert set(left) <= {".Random.seed"}  # R's own draws make it


def test_seed_gives_r_numbers_and_restores_the_stream():
    draw = "function(n) stats::runif(n)"
    by_hand = """function(seed, n) {
      set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
      stats::runif(n)
    }"""
    whole = call(by_hand, 11, 4)
    assert np.array_equal(call(draw, 4, seed=11), whole)
    first = call(by_hand, 11, 2)
    call(draw, 1000, seed=5)
    with pytest.raises(r_bridge.RError):
        call("function() { stats::runif(3); stop('no') }", seed=5)
    assert np.array_equal(np.concatenate([first, call(draw, 2)]), whole)


def test_seed_leaves_no_stream_where_there_was_none():
    call("function() rm(list = '.Random.seed', envir = globalenv())"
         if call("function() exists('.Random.seed', globalenv())") else "function() NULL")
    call("function() stats::runif(1)", seed=2)
    assert not call("function() exists('.Random.seed', globalenv())")


@pytest.mark.parametrize("seed", [2**31, -2**31])
def test_seed_outside_r_integers(seed):
    with pytest.raises(ValueError, match="2\\^31"):
        call("function() 1", seed=seed)


def test_seed_must_be_whole():
    with pytest.raises(TypeError, match="whole number"):
        call("function() 1", seed=0.5)


def test_none_keeps_its_references():
    """rpy2's memoryview() loses one reference of None each time: in the end Python 3.11 aborts."""
    def work():
        for _ in range(300):
            call("function(x, y) list(x, y, TRUE, 'a', NULL)", np.eye(2), {"a": [1, 2]})
    work()
    before = sys.getrefcount(None)
    work()
    assert abs(sys.getrefcount(None) - before) < 50  # 300 x 4 would be lost


class WatchedLock:
    """rpy2's lock that counts R objects in Python's hands whenever it is let go."""

    def __init__(self, lock):
        self.lock, self.depth, self.held = lock, 0, []

    def acquire(self, *args, **kwargs):
        taken = self.lock.acquire(*args, **kwargs)
        self.depth += taken
        return taken

    def release(self):
        self.depth -= 1
        if self.depth == 0:
            self.held.append(objects_in_hand())
        self.lock.release()

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *error):
        self.release()


def objects_in_hand():
    from rpy2.rinterface_lib import _rinterface_capi
    return sum(count for _, count in _rinterface_capi.protected_rids())


def test_no_r_object_outlives_the_lock(monkeypatch):
    """The rule that keeps threads from corrupting R; breaking it hangs only now and then."""
    from rpy2.rinterface_lib import openrlib
    works = ("function(x, a, ...) list(x, a, list(...))", np.eye(3), {"k": [1, "b"]},
             sc.HardClustering([0, 1, 1]), sc.Ensemble([[0, 1], [0, 0]]))
    fails = ("function(x) stop(x)", "now")
    cannot = ("function(x) list(x, quote(y))", np.eye(2))
    kept = []
    for arguments in (works, fails, cannot):  # compiled and kept from here on
        with contextlib.suppress(r_bridge.RError, r_bridge.RConversionError):
            call(*arguments)
    before = objects_in_hand()
    lock = WatchedLock(openrlib.rlock)
    monkeypatch.setattr(openrlib, "rlock", lock)
    for _ in range(3):
        kept.append(call(*works))
        for arguments in (fails, cannot, (works[0], object())):
            try:
                call(*arguments)
            except (r_bridge.RError, r_bridge.RConversionError) as error:
                kept.append(error)  # with its traceback
    assert len(kept) == 12
    assert lock.held == [before] * 12


def test_frames_of_the_callers_own_exception_stay():
    def fails():
        local = "kept"
        raise KeyError(local)
    try:
        fails()
    except KeyError as error:
        with pytest.raises(r_bridge.RError):
            call("function() stop('x')")
        kept = error.__traceback__.tb_next.tb_frame.f_locals
    assert kept == {"local": "kept"}


def test_late_interrupt_is_not_left_to_the_next_user_of_r():
    from rpy2.rinterface_lib import openrlib

    def interrupted(running):
        with _gate.Gate() as gate:
            gate._running = running
            gate._on_interrupt(2, None)
            gate._running = False
            if not running:  # between two uses of R: the next one is not begun
                gate.run("function() 1", [])
    for running in (True, False):
        with pytest.raises(KeyboardInterrupt):
            interrupted(running)
        assert openrlib.rlib.R_interrupts_pending == 0
    assert call("function() 1") == 1


def test_lock_is_free_after_failures():
    with pytest.raises(r_bridge.RConversionError):
        call("function(x) x", object())
    with pytest.raises(r_bridge.RConversionError):
        call("function() 1i")
    with pytest.raises(r_bridge.RError):
        call("function() stop('x')")
    found = []
    thread = threading.Thread(target=lambda: found.append(call("function() 3")[0]), daemon=True)
    thread.start()
    thread.join(20)
    assert found == [3]


def test_compiled_functions_are_bounded(monkeypatch):
    monkeypatch.setattr(_gate, "_MAX_COMPILED", 5)
    assert [call(f"function() {i}")[0] for i in range(12)] == list(range(12))
    assert len(_start.compiled) <= 5


# -- processes of their own ---------------------------------------------------------------------
def test_threads_take_turns(run_python):
    # 6 x 150 calls with errors in between: a Sexp freed outside the lock hangs or aborts R.
    lines = run_python("""
import threading, numpy as np, softclust as sc, r_bridge
r_bridge.call("function() 0")
x, code = sc.HardClustering([0, 1, 1, 2]), '''function(v, x) {
  kept <- lapply(1:20, function(i) v + i)
  list(sum = sum(v), k = clue::n_of_classes(x), y = kept[[3]])
}'''
good = []
def work(k):
    for i in range(150):
        v = np.arange(50.0) + k
        found = r_bridge.call(code, v, x)
        good.append(found["sum"][0] == v.sum() and found["k"][0] == 3
                    and np.array_equal(found["y"], v + 3))
        if i % 10 == 0:
            try:
                r_bridge.call("function(v) stop('x')", v)
            except r_bridge.RError:
                pass
threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
for t in threads: t.start()
for t in threads: t.join()
print(len(good), all(good))
""", timeout=100)
    assert lines == ["900 True"]


def test_control_c_stops_r_and_leaves_it_usable(run_python):
    """What is not stopped runs until the process is given up."""
    lines = run_python("""
import os, signal, threading, r_bridge
r_bridge.call("function() 0")
for code in ("function() Sys.sleep(1000)", "function() repeat 1 + 1",
             "function() repeat tryCatch(sort(stats::runif(1000)), error = function(e) 0)"):
    try:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        r_bridge.call(code)
    except KeyboardInterrupt:
        print(r_bridge.call("function() 42")[0],
              signal.getsignal(signal.SIGINT) is signal.default_int_handler)
""")
    assert lines == ["42.0 True"] * 3


def test_control_c_while_another_thread_has_r(run_python, tmp_path):
    """The other thread keeps R until Ctrl-C has been answered."""
    lines = run_python(f"""
import os, pathlib, signal, threading, time, r_bridge
r_bridge.call("function() 0")
folder = pathlib.Path({str(tmp_path)!r})
other = threading.Thread(target=r_bridge.call, args=(
    "function() {{ file.create('" + str(folder / "begun") + "'); "
    "while (!file.exists('" + str(folder / "answered") + "')) 1; 1 }}",))
other.start()
while not (folder / "begun").exists():
    time.sleep(0.01)
try:
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    r_bridge.call("function() 1")
except KeyboardInterrupt:
    print("answered")
(folder / "answered").touch()
other.join()
print(r_bridge.call("function() 2")[0])
""")
    assert lines == ["answered", "2.0"]


def test_forked_child_is_refused_and_spares_the_temporary_folder(run_python):
    lines = run_python("""
import os, sys, warnings, r_bridge
warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of BLAS threads
folder = r_bridge.call("function() tempdir()")[0]
child = os.fork()
if child == 0:
    try:
        r_bridge.call("function() 1")
    except r_bridge.RUnavailableError as error:
        print(error, flush=True)
    sys.exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), os.path.isdir(folder),
      r_bridge.call("function() 2")[0])
""")
    assert "forked" in lines[0]
    assert "spawn" in lines[0]
    assert lines[1:] == ["0 True 2.0"]


def test_r_started_by_rpy2_before_a_fork_is_refused_too(run_python):
    lines = run_python("""
import os, warnings, r_bridge
import rpy2.rinterface
warnings.simplefilter("ignore", DeprecationWarning)
rpy2.rinterface.initr()
child = os.fork()
if child == 0:
    try:
        r_bridge.call("function() 1")
    except r_bridge.RUnavailableError as error:
        print("forked" in str(error), flush=True)
    os._exit(0)
os.waitpid(child, 0)
print(r_bridge.call("function() 2")[0])
""")
    assert lines == ["True", "2.0"]


def test_saved_workspace_is_not_loaded(run_python, tmp_path):
    code = f"""
import os, r_bridge
os.chdir({str(tmp_path)!r})
print(r_bridge.call("function() ls(globalenv(), all.names = TRUE)"))
"""
    call("function(file) { stale <- 1; save(stale, file = file) }", str(tmp_path / ".RData"))
    assert run_python(code) == ["[]"]


def test_import_loads_neither_rpy2_nor_r(run_python):
    lines = run_python("""
import sys, softclust, r_bridge
print(sorted(dir(r_bridge))[:3], any(m.split(".")[0] == "rpy2" for m in sys.modules))
""")
    assert lines == ["['CrossCheck', 'RConversionError', 'RError'] False"]


# -- refusals, one by one -----------------------------------------------------------------------
@pytest.fixture
def not_started(monkeypatch):
    monkeypatch.setattr(_start, "owner", None)


@pytest.mark.usefixtures("not_started")
def test_inside_r_is_known_by_the_process_number(monkeypatch):
    monkeypatch.setenv("R_SESSION_INITIALIZED", f'PID={os.getpid()}:NAME="reticulate"')
    with pytest.raises(r_bridge.RUnavailableError, match="runs inside R"):
        call("function() 1")
    assert not r_bridge.available()
    # A child of R inherits the variable and may start its own.
    monkeypatch.setenv("R_SESSION_INITIALIZED", f'PID={os.getpid()}1:NAME="reticulate"')
    _start._refuse_inside_r()


@pytest.mark.usefixtures("not_started")
def test_rpy2_missing(monkeypatch):
    def missing(name):
        raise _start.metadata.PackageNotFoundError(name)
    monkeypatch.setattr(_start.metadata, "version", missing)
    with pytest.raises(r_bridge.RUnavailableError, match=r"pip install 'softclust\[r\]'"):
        call("function() 1")


@pytest.mark.usefixtures("not_started")
def test_rpy2_that_does_not_load(monkeypatch):
    monkeypatch.setitem(sys.modules, "rpy2", None)
    with pytest.raises(r_bridge.RUnavailableError, match=r"does not load with R version .*3\.6\.7"):
        call("function() 1")


def test_available_and_versions(r_session):
    assert r_bridge.available()
    assert r_session["R"].split(".")[0].isdigit()
    assert r_session["clue"] is not None
    assert r_session["rpy2-rinterface"] is not None


def test_children_keep_their_own_libraries():
    """rpy2 points LD_LIBRARY_PATH at R's libraries, among them the system's libpython."""
    before = subprocess.run([sys.executable, "-c", "import os; print(os.environ.get("
                             "'LD_LIBRARY_PATH'))"], capture_output=True, text=True, check=True)
    code = ("import os, subprocess, sys; from r_bridge._call import call; call('function() 1'); "
            "subprocess.run([sys.executable, '-c', 'import ssl'], check=True); "
            "print(os.environ.get('LD_LIBRARY_PATH'))")
    after = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                           check=False, timeout=120)
    assert after.returncode == 0, after.stderr
    assert after.stdout.splitlines()[-1] == before.stdout.strip()
