"""Help pages of the R package: what docstrings and roxygen2 make of them, in R's words."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "r_bridge" / "softclust"
#: words of Python, which R has otherwise or not at all
PYTHON = re.compile(r"\b(?:None|True(?! clusters)|False|nan|ndarray|numpy|int64|float64|dtype|"
                    r"tuple|dict|DataFrame|callable|array-like|clustering-like|self|rng|random_state|"
                    r"[a-z_]\w*=\w+|[a-z]\w*\.[a-z_]+\(\))\b")


def test_pages_are_in_the_words_of_r():
    bad = {}
    for page in (PACKAGE / "man").glob("*.Rd"):
        text = re.sub(r"(?s)\\(?:examples|usage)\{.*?\n\}|\\deqn.*?\n", "",
                      page.read_text(encoding="utf-8"))
        bad |= {f"{page.name}: {m[0]}": m.start() for m in PYTHON.finditer(text)}
    assert not bad


def test_pages_are_current():
    wanted = re.search(r"^RoxygenNote: (\S+)", (PACKAGE / "DESCRIPTION").read_text(), re.M)[1]
    found = shutil.which("Rscript") and subprocess.run(
        ["Rscript", "--vanilla", "-e", "cat(as.character(utils::packageVersion('roxygen2')))"],
        capture_output=True, text=True).stdout
    if found != wanted:   # other versions write other pages
        pytest.skip(f"roxygen2 {wanted} is needed (Debian r-cran-roxygen2)")
    done = subprocess.run([sys.executable, ROOT / "scripts" / "r_help.py", "--check"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
