"""The R package: built, installed and tested with the running Python, file by file.

R runs in processes of its own: the R inside this process belongs to rpy2.
"""

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import softclust as sc
import softclust._types
from r_bridge._front_records import NAMES

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "r_bridge" / "softclust"
FILES = sorted((PACKAGE / "tests" / "testthat").glob("test-*.R"))
#: what rpy2 sets for its own R and children inherit
OF_RPY2 = ("LD_LIBRARY_PATH", "R_HOME", "R_SESSION_INITIALIZED", "R_TESTS", "R_LIBS", "R_LIBS_USER",
           # compiled or not: the border is the same, and without JIT this would take minutes
           "NUMBA_DISABLE_JIT")

pytestmark = [pytest.mark.r, pytest.mark.slow]


def environment(python=sys.executable, **more):
    """The environment of an R process that finds `python`."""
    kept = {name: value for name, value in os.environ.items() if name not in OF_RPY2}
    return {**kept, "RETICULATE_PYTHON": str(python), "SOFTCLUST_NUM_THREADS": "2",
            "SOFTCLUST_GOLDEN": str(ROOT / "tests" / "golden"), "LC_ALL": "C.UTF-8", **more}


def run(*command, cwd, env=None, timeout=300):
    """A finished process with its output as text."""
    return subprocess.run([str(part) for part in command], cwd=cwd, env=env or environment(),
                          capture_output=True, text=True, timeout=timeout)


@pytest.fixture(scope="session", autouse=True)
def r_session():
    """Only Rscript is needed here, no rpy2: takes the place of the folder's own fixture."""
    if shutil.which("Rscript") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI=true and R is missing; scripts/install_r.sh installs it")
        pytest.skip("R is missing; scripts/install_r.sh installs it")


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    """A temporary library with the R package, installed from its built archive."""
    folder = tmp_path_factory.mktemp("r-package")
    built = run("R", "CMD", "build", "--no-build-vignettes", PACKAGE, cwd=folder)
    assert built.returncode == 0, built.stdout + built.stderr
    (archive,) = folder.glob("softclust_*.tar.gz")
    made = folder / "library"
    made.mkdir()
    installed = run("R", "CMD", "INSTALL", "--no-docs", "--no-byte-compile", f"--library={made}",
                    archive, cwd=folder)
    assert installed.returncode == 0, installed.stdout + installed.stderr
    return made


@pytest.fixture(scope="session")
def testthat(library, tmp_path_factory):
    """Output of one run of all testthat files, and its lines (file, kind, test, message)."""
    folder = tmp_path_factory.mktemp("testthat")
    shutil.copytree(PACKAGE / "tests" / "testthat", folder / "testthat")
    done = run("Rscript", "--vanilla", ROOT / "tests" / "r" / "run_testthat.R", library,
               folder / "testthat", folder / "results.txt", cwd=folder, timeout=500)
    results = folder / "results.txt"
    assert results.exists(), f"testthat did not finish\n{done.stdout}\n{done.stderr}"
    lines = [line.split("\t", 3) for line in results.read_text(encoding="utf-8").splitlines()]
    return done.stdout + done.stderr, lines


@pytest.mark.parametrize("name", [path.name for path in FILES])
def test_testthat_file(testthat, name):
    output, lines = testthat
    print(output)
    own = [(kind, test, message) for file, kind, test, message in lines if file == name]
    assert any(kind == "ran" for kind, _, _ in own), f"{name} ran no test\n{output}"
    bad = [f"{kind} in {test!r}: {message}" for kind, test, message in own
           if kind in ("failure", "error", "warning")]
    assert not bad, "\n".join([*bad, "", output])
    skipped = [f"{test!r}: {message}" for kind, test, message in own if kind == "skip"]
    if os.environ.get("CI") == "true":
        needed = [line for line in skipped if "CRAN" not in line]
        assert not needed, "\n".join(["CI=true and these were skipped:", *needed])


def test_check_is_clean():
    # testthat has run above; a second time inside the check would only cost a minute.
    done = run(ROOT / "scripts" / "check_r_package.sh", "--python", sys.executable, "--no-tests",
               cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Status: OK" in done.stdout


# -- surroundings -------------------------------------------------------------------------------
def unavailable(library, tmp_path, expression, **env):
    """Class and message of the condition that `expression` signals, in an R of its own."""
    script = f"""
    library(softclust, lib.loc = {str(library)!r})
    cat("available:", sc_available(), "\\n")
    found <- tryCatch({{ {expression}; NULL }}, error = function(e) e)
    cat("class:", class(found), "\\n")
    cat("message:", gsub("\\n", " ", conditionMessage(found)), "\\n")
    """
    (tmp_path / "script.R").write_text(script)
    done = run("Rscript", "--vanilla", "script.R", cwd=tmp_path, env=environment(**env),
               timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    # Nothing else is printed, by reticulate either.
    assert all(re.match(r"(available|class|message): ", line) for line in done.stdout.splitlines())
    return dict(re.findall(r"^(\w+): (.*?) *$", done.stdout, re.M))


def test_older_r_is_refused(tmp_path):
    """R itself reads the least version that DESCRIPTION names."""
    copy = tmp_path / "softclust"
    shutil.copytree(PACKAGE, copy)
    text = (copy / "DESCRIPTION").read_text()
    assert "R (>= 4.2)" in text
    (copy / "DESCRIPTION").write_text(text.replace("R (>= 4.2)", "R (>= 99.0)"))
    (tmp_path / "library").mkdir()
    done = run("R", "CMD", "INSTALL", f"--library={tmp_path / 'library'}", copy, cwd=tmp_path)
    assert done.returncode != 0
    assert "requires R 99.0" in done.stderr or "needs R" in done.stderr or ">= 99.0" in done.stderr


CALL = "sc_measure('rand_index', c(1, 1, 2, 2), c(1, 2, 2, 2))"


def test_without_python(library, tmp_path):
    seen = unavailable(library, tmp_path, CALL, python=tmp_path / "none" / "bin" / "python")
    assert seen["available"] == "FALSE"
    assert seen["class"].startswith("softclust_unavailable softclust_error error")
    assert "install_softclust(" in seen["message"]


def bare_python(folder, **modules):
    """A Python that has numpy and the given modules, and no softclust."""
    made = subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")],
                          capture_output=True, text=True, timeout=60)
    assert made.returncode == 0, made.stderr
    python = folder / "venv" / "bin" / "python"
    (site,) = (folder / "venv").glob("lib/python*/site-packages")
    import numpy
    home = Path(numpy.__file__).parents[1]
    for name in ("numpy", "numpy.libs"):
        if (home / name).exists():
            (site / name).symlink_to(home / name)
    for name, text in modules.items():
        (site / f"{name}.py").write_text(text)
    return python


def test_without_the_module(library, tmp_path):
    seen = unavailable(library, tmp_path, CALL, python=bare_python(tmp_path))
    assert seen["available"] == "FALSE"
    assert seen["class"].startswith("softclust_unavailable softclust_error error")
    assert "install_softclust(" in seen["message"]


def test_module_of_another_version(library, tmp_path):
    python = bare_python(tmp_path)
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    paths = ("softclust", "r_bridge")
    for name in paths:
        shutil.copytree(ROOT / name, site / name, ignore=shutil.ignore_patterns("softclust*")
                        if name == "r_bridge" else shutil.ignore_patterns("__pycache__"))
    text = (site / "softclust" / "__init__.py").read_text()
    changed = re.sub(r'__version__ = "[^"]*"', '__version__ = "9.8.7"', text)
    assert changed != text
    (site / "softclust" / "__init__.py").write_text(changed)
    seen = unavailable(library, tmp_path, CALL, python=python)
    assert seen["class"].startswith("softclust_unavailable softclust_error error")
    assert "9.8" in seen["message"]
    assert "install_softclust(" in seen["message"]


#: defaults of R that are none of Python's, which has no default there
OWN_DEFAULTS = {("sc_chance", "measure"), ("sc_chance_level", "measure"),
                ("sc_resampled_clusterings", "size"), ("sc_sampled_truth", "design")}
SIGNATURES = """
library("softclust", lib.loc = commandArgs(TRUE))
names <- grep("^sc_", getNamespaceExports("softclust"), value = TRUE)
found <- lapply(stats::setNames(names, names), function(name) {
  values <- lapply(formals(name), function(default) {
    if (!identical(default, quote(expr = ))) tryCatch(eval(default), error = function(e) NULL)
  })
  Filter(function(value) is.atomic(value) && length(value), values)
})
cat(jsonlite::toJSON(found, auto_unbox = TRUE, digits = NA))
"""


def choices(hint):
    """The strings of all Literals in an annotation."""
    values = typing.get_args(hint)
    if typing.get_origin(hint) is typing.Literal:
        return {value for value in values if value is not None}
    return set().union(*map(choices, values))


def test_choices_and_defaults_of_r_are_those_of_python(library, tmp_path):
    script = tmp_path / "signatures.R"
    script.write_text(SIGNATURES)
    seen = run("Rscript", "--vanilla", script, library, cwd=tmp_path)
    assert seen.returncode == 0, seen.stderr
    renamed = {name: python for python, name in NAMES.items() if python != "pairwise_entropy"}
    compared = 0
    for name, defaults in json.loads(seen.stdout).items():
        function = getattr(sc, renamed.get(name[3:], name[3:]), None)
        if not inspect.isfunction(function):
            continue
        function = inspect.unwrap(function)
        known = {**vars(typing), **vars(softclust._types), **function.__globals__}
        for option, given in inspect.signature(function).parameters.items():
            if option not in defaults or (name, option) in OWN_DEFAULTS:
                continue
            value, default = defaults[option], given.default
            if isinstance(value, list) and isinstance(value[0], str):
                assert set(value) == choices(eval(given.annotation, known)), (name, option)
                value = value[0]
            default = list(default) if isinstance(default, (range, tuple)) else default
            assert value == default, (name, option)
            compared += 1
    assert compared > 70
