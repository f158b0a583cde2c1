"""The estimate from posterior draws: a large sample, and salso where R has it."""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from _ratios import PEAK, Table, main, turn

import softclust as sc

CLUSTERS = 10
#: a process of its own, whose largest memory is that of the draws and the search alone
ALONE = PEAK + """
import sys, time
sys.path.insert(0, sys.argv[1])
import numpy as np, softclust as sc
from bench_posterior import draws_of
few = draws_of(60, 50)
sc.posterior_partition(few, rng=0)
draws = draws_of(int(sys.argv[2]), int(sys.argv[2]))
start, cpu = time.perf_counter(), time.process_time()
found = sc.posterior_partition(draws, rng=0)
print(time.perf_counter() - start, time.process_time() - cpu,
      peak() / 1024, found.n_clusters, found.gap, found.n_starts)
"""


def draws_of(many, n, *, seed=0):
    """Labels that move around one partition; every object has its own doubt."""
    rng = np.random.default_rng(seed)
    base, other = rng.integers(0, CLUSTERS, (2, n))
    doubt = 0.6 * rng.beta(0.3, 2.0, n)
    found = np.empty((many, n), dtype=np.uint8)
    for row in found:
        labels = np.where(rng.random(n) < doubt, other, base)
        labels = np.where(rng.random(n) < 0.01, rng.integers(0, CLUSTERS + 2, n), labels)
        row[:] = rng.permutation(CLUSTERS + 2)[labels]
    return found


def alone(size):
    """Seconds, seconds of all cores, gigabytes and what was found, of a fresh process."""
    here = str(Path(__file__).parent)
    printed = subprocess.run([sys.executable, "-c", ALONE, here, str(size)], check=True,
                             capture_output=True, text=True).stdout
    return [float(v) for v in printed.split()]


def salso_seconds(draws):
    """Seconds and expected loss in nats of salso, or None where R does not have it."""
    if shutil.which("Rscript") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "draws.csv"
        np.savetxt(path, draws + 1, fmt="%d", delimiter=",")
        code = f"""
        if (!requireNamespace("salso", quietly = TRUE)) quit(status = 3)
        x <- as.matrix(read.csv("{path}", header = FALSE))
        seconds <- system.time(found <- salso::salso(x, loss = salso::VI(), nCores = 2))[[3]]
        cat(seconds, log(2) * salso::partition.loss(x, found, loss = salso::VI()))
        """
        done = subprocess.run(["Rscript", "--vanilla", "-e", code], check=False,
                              capture_output=True, text=True)
    return [float(v) for v in done.stdout.split()] if done.returncode == 0 else None


def run(table: Table, size: int = 10_000) -> None:
    """Add the rows; `size` draws of as many objects."""
    table.section(f"posterior draws, {CLUSTERS} clusters")
    alone(200)   # compiles
    seconds, cpu, memory, clusters, gap, starts = alone(size)
    whole = size == 10_000   # smaller samples are for a quick look
    note = (f"{clusters:.0f} clusters, gap {100 * gap:.1f} %, {starts:.0f} starts, {cpu:.1f} s "
            "of all cores")
    table.add(f"{size:,} draws of {size:,} objects: seconds", seconds, must=60 if whole else None,
              goal=25 if whole else None, least=False, note=note)
    table.add(f"{size:,} draws of {size:,} objects: GB of the process", memory, must=1.0,
              least=False)
    draws = draws_of(1000, 500)
    theirs = salso_seconds(draws)
    start = time.perf_counter()
    found = sc.posterior_partition(draws, rng=0)
    first = time.perf_counter() - start
    ours = turn(lambda: sc.posterior_partition(draws, rng=0), once=True)
    if theirs is None:
        table.add("1,000 draws of 500 objects: seconds", min(first, ours),
                  note="salso is not installed")
        return
    assert found.expected_loss <= theirs[1] + 1e-9
    table.add("1,000 draws of 500 objects: salso / ours", theirs[0] / min(first, ours), must=0.5,
              goal=2)


if __name__ == "__main__":
    raise SystemExit(main(lambda table: run(table, int(sys.argv[1]) if sys.argv[1:] else 10_000)))
