"""What a call from R costs beyond the same call in Python, n = 1000 objects.

Both are timed in turns in one R process with the same running Python, on one thread; the least of
41 turns, and milliseconds in place of ratios.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from _ratios import Table

PACKAGE = Path(__file__).parents[2] / "r_bridge" / "softclust"

SCRIPT = """
library(softclust, lib.loc = commandArgs(TRUE)[1])
set.seed(1)
n <- 1000
hard <- sample(4, n, TRUE)
other <- sample(c("a", "b", "c"), n, TRUE)
fuzzy <- matrix(rexp(4 * n), n); fuzzy <- fuzzy / rowSums(fuzzy)
second <- matrix(rexp(3 * n), n); second <- second / rowSums(second)
runs <- lapply(1:10, function(i) sample(4, n, TRUE))
made <- lapply(list(hard = hard, other = other), sc_clustering)
x <- matrix(rnorm(4 * n), n)
front <- softclust:::front_call
python <- reticulate::py_run_string("
import time, numpy as np, softclust as sc
rng = np.random.default_rng(0)
n = 1000
hard, other = rng.integers(0, 4, n), rng.choice(['a', 'b', 'c'], n)
fuzzy = rng.dirichlet(np.ones(4), n)
second = rng.dirichlet(np.ones(3), n)
runs = [rng.integers(0, 4, n) for _ in range(10)]
x = rng.normal(size=(n, 4))
CASES = {
    'rand_index, labels': lambda: sc.rand_index(hard, other),
    'rand_index, sc_clustering': (
        lambda a=sc.as_clustering(hard), b=sc.as_clustering(other): sc.rand_index(a, b)),
    'alpha_rand_index, memberships': lambda: sc.alpha_rand_index(fuzzy, second),
    'margin': lambda: sc.margin(fuzzy),
    'match_clusters': lambda: sc.match_clusters(hard, other, rng=1),
    'compare, labels': lambda: sc.compare(hard, other),
    'mmcc, 10 clusterings': lambda: sc.mmcc(runs, rng=1),
    'fuzzy c-means, 5 passes': lambda: sc.cluster.FuzzyCMeans(
        3, init=x[:3], max_iter=5, tol=0.0, random_state=1).fit(x),
}
def turn(name):
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        start = time.perf_counter()
        CASES[name]()
        return time.perf_counter() - start
")
cases <- list(
  "rand_index, labels" = function() sc_measure("rand_index", hard, other),
  "rand_index, sc_clustering" = function() sc_measure("rand_index", made$hard, made$other),
  "alpha_rand_index, memberships" = function() sc_measure("alpha_rand_index", fuzzy, second),
  "margin" = function() sc_margin(fuzzy),
  "match_clusters" = function() sc_match(hard, other, seed = 1),
  "compare, labels" = function() sc_compare(hard, other),
  "mmcc, 10 clusterings" = function() sc_mmcc(runs, seed = 1),
  "fuzzy c-means, 5 passes" = function() sc_cluster(x, 3, "fuzzy_cmeans", init = x[1:3, ],
                                                     max_iter = 5, tol = 0, seed = 1))
now <- function() as.numeric(Sys.time())
for (name in names(cases)) {
  call <- cases[[name]]
  suppressWarnings(call())
  python$turn(name)
  times <- t(replicate(41, {
    start <- now()
    suppressWarnings(call())
    c(now() - start, python$turn(name))
  }))
  # The least: what other processes take away says nothing about the call.
  ms <- 1e3 * apply(times, 2, min)
  cat("case\\t", name, "\\t", ms[1], "\\t", ms[2], "\\n", sep = "")
}
"""


def run(table: Table) -> None:
    """A row a call: milliseconds beyond Python's own."""
    if shutil.which("Rscript") is None:
        print("  R is missing: its rows are left out", file=sys.stderr)
        return
    env = {name: value for name, value in os.environ.items()
           if name not in ("LD_LIBRARY_PATH", "R_HOME", "R_SESSION_INITIALIZED")}
    env |= {"RETICULATE_PYTHON": sys.executable, "SOFTCLUST_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        copy, library = Path(folder) / "source" / "softclust", Path(folder) / "library"
        shutil.copytree(PACKAGE, copy)
        library.mkdir()
        made = subprocess.run(["R", "CMD", "INSTALL", "--no-docs", f"--library={library}", copy],
                              env=env, text=True, capture_output=True, check=False)
        if made.returncode:
            print(f"  the R package cannot be installed, its rows are left out:\n{made.stderr}",
                  file=sys.stderr)
            return
        script = Path(folder) / "script.R"
        script.write_text(SCRIPT)
        done = subprocess.run(["Rscript", "--vanilla", script, library], env=env, text=True,
                              capture_output=True, check=False, cwd=folder)
    if done.returncode:
        raise RuntimeError(done.stderr)
    table.section("calls from R, n = 1000: milliseconds beyond the same call in Python")
    for line in done.stdout.splitlines():
        if line.startswith("case\t"):
            _, name, in_r, in_python = line.split("\t")
            table.add(name, float(in_r) - float(in_python), must=5, goal=2.5, least=False,
                      note=f"{float(in_r):.2f} ms in R, {float(in_python):.2f} ms in Python")


if __name__ == "__main__":
    from _ratios import main
    raise SystemExit(main(run))
