"""What every run shares: versions on top; long files first; with CI=true nothing that needs R may
be skipped."""

import os

# Two workers share two cores: threads of scikit-learn that wait must not keep a core busy.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import gc
import math
import shutil
import signal
import subprocess
import sys
import threading
import zlib
from importlib import metadata

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from softclust.running import announcements

CI = os.environ.get("CI") == "true"

# Compiling and other processes make single examples slow; that says nothing about a strategy.
settings.register_profile("softclust", deadline=None, derandomize=CI,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("softclust")

#: a script for mypy; whoever looks for doctests in it runs it
collect_ignore = ["typed_script.py"]
#: R packages whose versions matter for values and for what is tested at all
R_PACKAGES = ("clue", "cluster", "e1071", "mclust", "lpSolve", "quadprog", "reticulate", "testthat",
              "knitr", "rmarkdown", "evclust", "fclust", "aricode", "genieclust")
#: files of many seconds, which two workers begin with: none is left alone with one at the end
LONG = ("test_properties", "test_completion", "test_pictures", "test_docs",
        "test_cran", "test_bayesian_bagging", "test_call", "test_mmcc", "test_reproducibility",
        "test_report", "test_transport_soft_bounds", "test_schemes", "test_relational",
        "test_report_data", "test_hostile_names", "test_transport_rough_limits",
        "test_surroundings", "test_fields", "test_without_jit", "test_cover_measures",
        "test_architecture", "test_transport", "test_structure", "test_cli",
        "test_chance_corrected", "test_pair_dissimilarity", "test_bagging", "test_transport_random",
        "test_transport_soft", "test_reference", "test_matching", "test_report_command",
        "test_transport_montecarlo", "test_tally_golden", "test_golden_relational",
        "test_posterior_uncertainty")
_PRINT_VERSIONS = """
version <- function(p) if (length(find.package(p, quiet = TRUE)))
  as.character(utils::packageVersion(p)) else "missing"
cat(paste("R", R.version$major), R.version$minor, sep = ".")
for (p in commandArgs(TRUE)) cat(",", p, version(p))
"""


def pytest_configure(config):
    """Tests of Ctrl-C need the usual handler, also under ``nohup`` or in the background, where the
    parent ignores SIGINT; processes that tests start inherit what is set here."""
    if (threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.SIG_IGN):
        signal.signal(signal.SIGINT, signal.default_int_handler)
    announcements.LONG = math.inf   # what is slow here must not show in the output of tests
    if hasattr(config.option, "loadscopereorder"):   # pytest-xdist takes files as they come
        config.option.loadscopereorder = False
    if CI:
        np.random.default_rng = _generator
    gc.disable()   # collecting ten thousand tests makes no garbage; the search for it took a third


def pytest_collection_finish(session):
    """The tests that were collected stay: later searches for garbage pass them by."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)   # and are rare: most of them find nothing
    gc.enable()


def pytest_collection_modifyitems(items):
    """Workers take whole files, in this order; tests/test_pictures.py runs the examples of charts.
    """
    items[:] = [item for item in items if ".plot_" not in item.name or not (
        item.nodeid.startswith("softclust/plotting/") or item.path.stem.endswith("_charts"))]
    if "PYTEST_XDIST_WORKER" in os.environ:
        rank = {name: k for k, name in enumerate(LONG)}
        items.sort(key=lambda item: rank.get(item.path.stem, len(LONG)))


def pytest_runtest_setup(item):
    """With CI=true what a test leaves to chance starts from its name: a failure can be repeated.
    Elsewhere it is new in each run, so that chance finds what nobody thought of."""
    if CI:
        _left_to_chance[0] = zlib.crc32(item.nodeid.encode())
        np.random.seed(_left_to_chance[0])   # noqa: NPY002 - also scikit-learn's draws


_default_rng = np.random.default_rng
_left_to_chance = [0]


def _generator(seed=None):
    if seed is None:
        _left_to_chance[0] += 1
        seed = [_left_to_chance[0]]
    return _default_rng(seed)


@pytest.fixture(scope="session", autouse=True)
def one_signature_per_kernel():
    """numba's cache is safe between processes as long as no kernel is compiled for two kinds of
    arguments; a driver that passes another dtype or a read-only array shows here."""
    yield
    numba_options = sys.modules.get("softclust.running.compiler")
    several = [f"{k.py_func.__module__}.{k.py_func.__name__}: {k.signatures}"
               for k in getattr(numba_options, "kernels", ())
               if len(getattr(k, "signatures", ())) > 1]
    assert not several, "\n".join(["kernels with several signatures:", *several])


def pytest_report_header(config):
    return [_installed("softclust", "numpy", "scipy", "numba", "scikit-learn"),
            _r_line(), _installed("rpy2-rinterface", "rpy2-robjects")]


def _installed(*names):
    def version(name):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            return "missing"
    return ", ".join(f"{name} {version(name)}" for name in names)


def _r_line():
    # A process of its own: the header must not start R inside Python.
    rscript = shutil.which("Rscript")
    if rscript is None:
        return "R missing"
    try:
        shown = subprocess.run([rscript, "--vanilla", "-e", _PRINT_VERSIONS, *R_PACKAGES],
                               capture_output=True, text=True, timeout=20).stdout
    except (OSError, subprocess.SubprocessError):
        shown = ""
    return shown if shown.startswith("R ") else "R does not start"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """With CI=true a test marked `r` that skips has failed; `r_cran` may skip."""
    report = yield
    if (CI and report.skipped and not hasattr(report, "wasxfail")
            and item.get_closest_marker("r") and not item.get_closest_marker("r_cran")):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"CI=true: tests with R must run, this one did not ({reason})"
    return report
