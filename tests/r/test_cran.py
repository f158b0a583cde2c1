"""R packages that only CRAN has: calls are tried with stand-ins written from the formulas.

The stand-ins in the folder `standins` have the names and arguments of the packages; their values
are held to those stored from the packages themselves. Where the packages are installed the same
checks run on them (marker r_cran).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent


@pytest.fixture(scope="session")
def standins(tmp_path_factory):
    """An R library with the stand-ins."""
    library = tmp_path_factory.mktemp("standins")
    done = subprocess.run(
        ["R", "CMD", "INSTALL", f"--library={library}", "--no-docs", "--no-test-load",
         "--no-byte-compile",
         *map(str, sorted((FOLDER / "standins").iterdir()))],
        text=True, capture_output=True, timeout=120, cwd=library)
    assert done.returncode == 0, done.stderr
    return library


def run_checks(**environment):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header",
         str(FOLDER / "cran_checks.py")],
        text=True, capture_output=True, timeout=300, cwd=ROOT, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    assert " passed" in done.stdout
    return done.stdout


@pytest.mark.r
def test_calls_of_cran_packages_with_stand_ins(standins):
    before = os.environ.get("R_LIBS", "")
    run_checks(R_LIBS=f"{standins}{os.pathsep}{before}".rstrip(os.pathsep),
               SOFTCLUST_STANDINS="1")


@pytest.mark.r_cran
def test_calls_of_the_packages_themselves(r_session):
    missing = [p for p in ("evclust", "fclust") if r_session[p] is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} are on CRAN only; stored values cover them")
    run_checks()
