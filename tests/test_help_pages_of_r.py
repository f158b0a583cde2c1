"""Help pages of the R package: what docstrings and roxygen2 make of them, in R's words."""

import importlib.util
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import softclust as sc
from r_bridge._front_records import NAMES
from softclust.measures import registry

ROOT = Path(__file__).parents[1]
SPEC = importlib.util.spec_from_file_location("r_help", ROOT / "scripts" / "r_help.py")
r_help = sys.modules["r_help"] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(r_help)
#: functions of Python that R has by another name, or has no use for
OTHERWISE = {
    "adjusted_nested_rand_index": "sc_nested_rand_index(adjusted = TRUE)",
    "alpha_rand_curve": 'sc_measure("alpha_rand_index", alpha = )',
    "as_clustering": "sc_clustering()", "as_dendrogram": "stats::hclust()",
    "bayesian_bootstrap_weights": "stats::rexp()", "bootstrap_indices": "sample()",
    "subsample_indices": "sample()", "get_measure": "sc_measures()",
    "list_measures": "sc_measures()", "get_num_threads": "SOFTCLUST_NUM_THREADS",
    "set_num_threads": "SOFTCLUST_NUM_THREADS", "show_versions": "sc_config()",
    "prayatul_from_counts": "sc_prayatul() of labels", "proper_bayesian_bootstrap": "sc_bagged()",
    "load_reliability_simulation": "files of Python",
    "reliability_simulation": "simulation of a paper", "sql": "databases of Python",
    "table_sums": "databases of Python", "warmup": "the first call compiles"}
PACKAGE = ROOT / "r_bridge" / "softclust"
#: words of Python, which R has otherwise or not at all
PYTHON = re.compile(r"\b(?:None|True(?! clusters)|False|(?<!\")nan|ndarray|numpy|int64|float64|"
                    r"dtype|tuple|dict|DataFrame|callable|array-like|clustering-like|self|rng|random_state|"
                    r"[a-z_]\w*=\w+|[a-z]\w*\.[a-z_]+\(\))\b")


def test_every_function_has_its_twin():
    there = set(re.findall(r"export\(sc_(\w+)\)", (PACKAGE / "NAMESPACE").read_text()))
    public = {name for name in sc._public() if inspect.isfunction(getattr(sc, name))
              and name not in registry()}
    assert {name for name in public if NAMES.get(name, name) not in there} == set(OTHERWISE)


def test_pages_are_in_the_words_of_r():
    bad = {}
    for page in (PACKAGE / "man").glob("*.Rd"):
        text = re.sub(r"(?s)\\(?:examples|usage)\{.*?\n\}|\\deqn.*?\n", "",
                      page.read_text(encoding="utf-8"))
        bad |= {f"{page.name}: {m[0]}": m.start() for m in PYTHON.finditer(text)}
    assert not bad


def test_pages_are_made_of_these_docstrings():
    assert r_help.digest() == r_help.kept_digest(), "run make r-docs"


@pytest.mark.slow
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
