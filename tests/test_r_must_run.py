"""With CI=true a test that needs R cannot pass by being skipped (tests/conftest.py)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CASES = """
import pytest

@pytest.mark.r
def test_skips_inside():
    pytest.skip("no R here")

@pytest.mark.r
@pytest.mark.skip(reason="by hand")
def test_skips_by_mark():
    pass

@pytest.mark.r
def test_known_reason():
    pytest.xfail("a reason that stays")

@pytest.mark.r
@pytest.mark.r_cran
def test_cran():
    pytest.skip("CRAN only")

def test_without_r():
    pytest.skip("something else")
"""


@pytest.mark.parametrize(("ci", "outcome"), [
    ("true", "1 failed, 2 skipped, 1 xfailed, 1 error"), ("", "4 skipped, 1 xfailed"),
])
def test_skipped_means_failed_in_ci(tmp_path, ci, outcome):
    shutil.copy(Path(__file__).with_name("conftest.py"), tmp_path)
    (tmp_path / "test_cases.py").write_text(CASES)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  r: R\n  r_cran: CRAN\n")
    done = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(tmp_path)],
                          cwd=tmp_path, capture_output=True, text=True, timeout=60,
                          env={**os.environ, "CI": ci})
    assert outcome in done.stdout
    assert ("CI=true: tests with R must run" in done.stdout) == (ci == "true")
