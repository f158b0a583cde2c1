"""Bad surroundings on the side of Python: each is refused with its reason and a remedy."""

import os
import subprocess
import sys
import sysconfig

import pytest

import r_bridge
from r_bridge import _start, call

pytestmark = pytest.mark.r

REFUSED = """
import r_bridge
try:
    r_bridge.call("function() 1")
except r_bridge.RUnavailableError as error:
    print(error)
print(r_bridge.available())
"""


def in_python(script, **environment):
    """Output of a script in a Python of its own, with other variables (None: unset)."""
    env = {**os.environ, **environment}
    done = subprocess.run([sys.executable, "-c", script], text=True, capture_output=True,
                          timeout=100, env={k: v for k, v in env.items() if v is not None})
    assert done.returncode == 0, done.stderr
    return done.stdout


# -- no R, another R ---------------------------------------------------------------------------
def test_no_r_on_the_path(tmp_path):
    shown = in_python(REFUSED, PATH=str(tmp_path), R_HOME=None)
    assert "there is no R (on Debian: apt-get install r-base-dev)" in shown
    assert shown.endswith("False\n")


def test_wrong_r_home():
    shown = in_python(REFUSED, R_HOME="/nowhere/R")
    assert "R_HOME is /nowhere/R (unset it unless it is right)" in shown
    assert "False" in shown


def test_softclust_works_without_r(tmp_path):
    script = "import softclust as sc; print(sc.rand_index([0, 0, 1], [0, 1, 1]))"
    assert in_python(script, PATH=str(tmp_path), R_HOME=None).startswith("0.333")


def test_r_too_old():
    # R's version is all that is changed: an older R is not on this machine.
    shown = in_python("""
import r_bridge
from r_bridge import _start
_start._r_version = lambda rinterface: (4, 1, 3)
""" + REFUSED)
    assert "R 4.1 is too old; R >= 4.2 is needed" in shown


@pytest.mark.parametrize(("error", "told"), [
    ("ImportError('undefined symbol: R_getVar')", "undefined symbol: R_getVar"),
    ("OSError('libR.so: cannot open shared object file')", "libR.so"),
    ("ValueError('openrlib is empty')", "openrlib"),
])
def test_r_too_old_for_the_rpy2_installed(tmp_path, error, told):
    # What rpy2 3.6.6 and newer say with R before 4.5, and rpy2 built for a library that is gone.
    package = tmp_path / "rpy2"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rinterface.py").write_text(f"raise {error}")
    shown = in_python(REFUSED, PYTHONPATH=str(tmp_path))
    assert told in shown
    assert "does not load with R version" in shown
    assert "R 4.2 to 4.4 needs rpy2-rinterface 3.6.5 (pip install 'softclust[r]')" in shown
    assert "R 4.5 and later 3.6.7" in shown
    assert shown.endswith("False\n")


def test_rpy2_is_missing():
    shown = in_python("""
import importlib.metadata as metadata
true_version = metadata.version
def version(name):
    if name.startswith("rpy2"):
        raise metadata.PackageNotFoundError(name)
    return true_version(name)
metadata.version = version
""" + REFUSED)
    assert "rpy2 is not installed: pip install 'softclust[r]'" in shown
    assert "r-base-dev" in shown


# -- several processes -------------------------------------------------------------------------
def test_pool_by_fork_is_refused_and_by_spawn_works(tmp_path):
    script = tmp_path / "pool.py"
    script.write_text("""
import multiprocessing, sys, warnings
import r_bridge
warnings.simplefilter("ignore", DeprecationWarning)

def work(k):
    try:
        return float(r_bridge.call("function(k) k + 1", k)[0])
    except r_bridge.RUnavailableError as error:
        return str(error)

if __name__ == "__main__":
    r_bridge.call("function() 1")
    for way in ("fork", "spawn"):
        with multiprocessing.get_context(way).Pool(2) as pool:
            print(way, pool.map(work, [1, 2]))
    print(r_bridge.call("function() 42")[0])
""")
    done = subprocess.run([sys.executable, str(script)], text=True, capture_output=True,
                          timeout=100)
    lines = done.stdout.splitlines()
    assert lines[0].count("start worker processes with the 'spawn'") == 2
    assert lines[1:] == ["spawn [2.0, 3.0]", "42.0"], done.stderr


# -- inside R ----------------------------------------------------------------------------------
@pytest.fixture
def rscript(r_session):
    if r_session["reticulate"] is None:
        pytest.skip("the R package reticulate is not installed (r-cran-reticulate)")
    if not sysconfig.get_config_var("Py_ENABLE_SHARED"):
        pytest.skip("reticulate needs a Python with a shared library, this one has none")

    def run(script):
        done = subprocess.run(["Rscript", "--vanilla", "-e", script], text=True,
                              capture_output=True, timeout=100,
                              env={**os.environ, "RETICULATE_PYTHON": sys.executable})
        assert done.returncode == 0, done.stderr
        return done.stdout
    return run


ASK = r"""
ask <- function() reticulate::py_eval("__import__('ask').ask()")
reticulate::py_run_string("
import sys, types
def ask():
    import r_bridge
    try:
        r_bridge.call('function() 1')
        return 'R was started a second time'
    except r_bridge.RUnavailableError as error:
        return str(error)
module = types.ModuleType('ask')
module.ask = ask
sys.modules['ask'] = module
")
"""


def test_inside_r_and_in_children_that_mclapply_forks(rscript):
    shown = rscript(ASK + """
cat(ask(), "\\n")
told <- parallel::mclapply(1:2, function(i) ask(), mc.cores = 2)
cat(unlist(told), sep = "\\n")
cat("\\nR goes on", 1 + 1)
""")
    assert shown.count("runs inside R (reticulate)") == 3
    assert shown.count("use the R package softclust there") == 3
    assert "R goes on 2" in shown


def test_python_started_by_r_as_a_process_may_start_its_own_r(rscript):
    shown = rscript("""
Sys.setenv(R_SESSION_INITIALIZED = sprintf('PID=%d:NAME="reticulate"', Sys.getpid()))
cat(system2(Sys.getenv("RETICULATE_PYTHON"), c("-c", shQuote(paste(
  "import r_bridge; print(r_bridge.call('function() 40 + 2')[0])"))), stdout = TRUE))
""")
    assert "42.0" in shown


def test_available_says_no_without_raising(monkeypatch):
    monkeypatch.setattr(_start, "owner", None)
    monkeypatch.setenv("R_SESSION_INITIALIZED", f"PID={os.getpid()}:NAME=x")
    assert not r_bridge.available()
    with pytest.raises(r_bridge.RUnavailableError):
        r_bridge.versions()
    monkeypatch.undo()
    assert call("function() 1") == 1
