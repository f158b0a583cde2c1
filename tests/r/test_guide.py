"""The R blocks of the guide, run in one R session: they print what the pages show.

R runs in a process of its own: the R inside this process belongs to rpy2.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
END = "#### end\n"
#: what rpy2 sets for its own R and children inherit; the numbers do not depend on the compiler
LEFT_OUT = ("LD_LIBRARY_PATH", "R_HOME", "R_SESSION_INITIALIZED", "R_TESTS", "R_LIBS",
            "R_LIBS_USER", "NUMBA_DISABLE_JIT")

pytestmark = [pytest.mark.r, pytest.mark.slow]


@pytest.fixture(scope="session", autouse=True)
def r_session():
    """Only Rscript is needed here, no rpy2: takes the place of the folder's own fixture."""
    if shutil.which("Rscript") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI=true and R is missing; scripts/install_r.sh installs it")
        pytest.skip("R is missing; scripts/install_r.sh installs it")


def blocks():
    """Page and text of each R block: of the README, then of the pages in their order."""
    return [(page.name, block) for page in (ROOT / "README.md", *sorted(DOCS.glob("*.md")))
            for block in re.findall(r"^```r\n(.*?)^```$", page.read_text(encoding="utf-8"),
                                    flags=re.MULTILINE | re.DOTALL)]


def test_python_blocks_that_call_r():
    """What the other tests skip, in a process of its own with an R of its own."""
    python = re.findall(r"^```python\n(.*?)^```$", (DOCS / "interoperability.md").read_text(
        encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    # pyannote is not here: its annotation stays skipped
    text = "\n".join(block for block in python if "annotation" not in block).replace(
        "# doctest: +SKIP", "")
    assert "r_bridge.call(" in text
    script = ("import doctest, sys\n"
              "text = sys.stdin.read()\n"
              "test = doctest.DocTestParser().get_doctest(text, {}, 'page', 'page', 0)\n"
              "flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE\n"
              "sys.exit(bool(doctest.DocTestRunner(optionflags=flags).run(test).failed))\n")
    done = subprocess.run([sys.executable, "-c", script], input=text, cwd=ROOT, text=True,
                          capture_output=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def test_r_blocks_print_what_is_shown(tmp_path):
    found = blocks()
    assert len(found) > 5
    kept = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
    environment = {**kept, "RETICULATE_PYTHON": sys.executable, "R_LIBS": str(tmp_path / "lib"),
                   "LC_ALL": "C.UTF-8", "SOFTCLUST_NUM_THREADS": "2"}
    (tmp_path / "lib").mkdir()
    # A copy: installing writes into the folder that it installs from.
    shutil.copytree(ROOT / "r_bridge" / "softclust", tmp_path / "softclust")
    installed = subprocess.run(
        ["R", "CMD", "INSTALL", "--no-docs", "--no-byte-compile", f"--library={tmp_path / 'lib'}",
         str(tmp_path / "softclust")], env=environment, capture_output=True, text=True, timeout=120)
    assert installed.returncode == 0, installed.stdout + installed.stderr
    script = tmp_path / "blocks.R"
    script.write_text("".join(block + END for _, block in found), encoding="utf-8")
    done = subprocess.run(["Rscript", "--vanilla", str(ROOT / "tests" / "r" / "run_blocks.R"),
                           str(script)], env=environment, capture_output=True, text=True,
                          timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split(END)[:-1]
    assert len(printed) == len(found)
    for (page, shown), now in zip(found, printed):
        assert shown == now, f"{page} shows\n{shown}\nR prints\n{now}"
    assert not list(tmp_path.glob("Rplots*"))
