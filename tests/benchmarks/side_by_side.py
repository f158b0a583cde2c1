"""softclust beside its peers on the same jobs: ``python tests/benchmarks/side_by_side.py``.

Prints the table of the page on peers (docs/peers.md). One thread, medians of turns in this process
or in one process of R; packages that are not installed are named and left out: scikit-fuzzy and
genieclust from PyPI, e1071 and clue from Debian, fclust, evclust and aricode from CRAN.
"""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from _ratios import Times

import softclust as sc

#: objects of labels; of points and their features; of points for evidential c-means
LABELS, N, P, FEW = 1_000_000, 20_000, 10, 500
#: iterations of fuzzy c-means
UPDATES = 20
_R = """
d <- commandArgs(TRUE)[1]; read <- function(f) as.matrix(read.csv(file.path(d, f), header = FALSE))
seconds <- function(f) { f(); median(replicate(3, system.time(f())[["elapsed"]])) }
tell <- function(name, package, f) if (requireNamespace(package, quietly = TRUE))
  cat(name, package, as.character(packageVersion(package)),
      tryCatch(seconds(f), error = function(e) NA), "\\n") else cat(name, package, "-", "NA", "\\n")
x <- read("x.csv"); few <- read("few.csv"); a <- scan(file.path(d, "a.csv"), quiet = TRUE)
b <- scan(file.path(d, "b.csv"), quiet = TRUE); runs <- read("runs.csv")
tell("fuzzy", "e1071", function() e1071::cmeans(x, x[1:5, ], iter.max = UPDATES, m = 2,
                                                control = list(reltol = 1e-300)))
tell("fuzzy", "fclust", function() fclust::FKM(x, k = 5, m = 2, RS = 1, maxit = UPDATES,
                                               conv = 1e-300, index = "PC"))
tell("evidential", "evclust", function() evclust::ecm(few, c = 3, g0 = few[1:3, ], disp = FALSE))
tell("rand", "aricode", function() aricode::ARI(a, b))
tell("consensus", "clue", function() clue::cl_consensus(clue::cl_ensemble(
  list = apply(runs, 2, clue::as.cl_hard_partition)), "SM"))
"""


def data() -> dict[str, np.ndarray]:
    """The inputs of all jobs."""
    rng = np.random.default_rng(0)
    a = rng.integers(10, size=LABELS)
    b = np.where(rng.random(LABELS) < 0.3, rng.integers(10, size=LABELS), a)
    x = rng.normal(size=(N, P)) + 3.0 * rng.normal(size=(5, P))[rng.integers(5, size=N)]
    few = rng.normal(size=(FEW, 2)) + 4.0 * rng.normal(size=(3, 2))[rng.integers(3, size=FEW)]
    truth = rng.integers(4, size=300)
    runs = np.where(rng.random((20, 300)) < 0.3, rng.integers(4, size=(20, 300)), truth).T
    return {"a": a, "b": b, "x": x, "few": few, "runs": runs}


def jobs(d: dict[str, np.ndarray]) -> dict[str, tuple[str, Callable[[], object],
                                                      dict[str, Callable[[], object]]]]:
    """By name: what it is, softclust, and peers in Python."""
    x, few = d["x"], d["few"]
    found: dict[str, tuple[str, Callable[[], object], dict[str, Callable[[], object]]]] = {
        "rand": (f"adjusted Rand index of {LABELS:,} labels",
                 lambda: sc.adjusted_rand_index(d["a"], d["b"]), {}),
        "fuzzy": (f"fuzzy c-means, {N:,} x {P}, 5 clusters, {UPDATES} updates",
                  lambda: sc.cluster.FuzzyCMeans(5, init=x[:5], tol=0, max_iter=UPDATES).fit(x),
                  {}),
        "evidential": (f"evidential c-means, {FEW} x 2, 3 clusters",
                       lambda: sc.cluster.EvidentialCMeans(3, init=few[:3]).fit(few), {}),
        "consensus": ("consensus (SM) of 20 hard clusterings of 300 objects",
                      lambda: sc.consensus(list(d["runs"].T), method="SM", rng=0), {})}
    for package in ("sklearn", "genieclust", "skfuzzy"):
        try:
            importlib.import_module(package)
        except ImportError:
            print(f"{package} is not installed", file=sys.stderr)
            continue
        if package == "sklearn":
            from sklearn.metrics import adjusted_rand_score
            found["rand"][2]["scikit-learn"] = lambda: adjusted_rand_score(d["a"], d["b"])
        elif package == "genieclust":
            from genieclust.compare_partitions import adjusted_rand_score as theirs
            found["rand"][2]["genieclust"] = lambda: theirs(d["a"], d["b"])
        else:
            from skfuzzy import cmeans
            start = sc.cluster.FuzzyCMeans(5, init=x[:5], tol=0, max_iter=1).fit(x).membership_
            found["fuzzy"][2]["scikit-fuzzy"] = partial(
                cmeans, x.T, 5, 2.0, error=0.0, maxiter=UPDATES, init=start.T)
    return found


def in_r(d: dict[str, np.ndarray]) -> list[tuple[str, str, float]]:
    """Seconds of packages of R: (job, package, seconds), nan where it is not installed."""
    if shutil.which("Rscript") is None:
        print("R is not installed", file=sys.stderr)
        return []
    with tempfile.TemporaryDirectory() as folder:
        for name, values in d.items():
            np.savetxt(Path(folder) / f"{name}.csv", values, delimiter=",", fmt="%.17g")
        script = Path(folder) / "peers.R"
        script.write_text(_R.replace("UPDATES", str(UPDATES)))
        done = subprocess.run(["Rscript", str(script), folder], capture_output=True, text=True,
                              check=False)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
    rows = [line.split() for line in done.stdout.splitlines()]
    return [(job, f"{package} {version}".removesuffix(" -"), float(seconds.replace("NA", "nan")))
            for job, package, version, seconds in rows]


def main() -> None:
    """The table, in Markdown."""
    sc.set_num_threads(1)
    warnings.simplefilter("ignore")
    d = data()
    others = in_r(d)
    print("| job | softclust | beside | seconds | times faster |\n|---|---|---|---|---|")
    for name, (title, ours, peers) in jobs(d).items():
        times = Times({"softclust": ours, **peers}, rounds=3)
        mine = times["softclust"]
        rows = [(peer, times[peer]) for peer in peers]
        rows += [(package, seconds) for job, package, seconds in others if job == name]
        for peer, seconds in rows:
            known = seconds == seconds
            print(f"| {title} | {mine:.3g} | {peer} | "
                  + (f"{seconds:.3g} | {seconds / mine:.3g} |" if known
                     else "not run | |"), flush=True)


if __name__ == "__main__":
    main()
