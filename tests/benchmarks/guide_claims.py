"""Times and simulations that pages of the guide state in passing, one function for each claim.

``python tests/benchmarks/guide_claims.py [NAME ...]`` prints what the pages say; all of them take
some forty minutes on two cores. Times are CPU seconds of the second call, after compilation: a busy
machine changes them little.
"""

import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

import softclust as sc


def seconds(function, *arguments, **options):
    function(*arguments, **options)
    start = time.process_time()
    function(*arguments, **options)
    return time.process_time() - start


def noisy(labels, rate, rng, k):
    """The labels, a share of them replaced by another label."""
    shifted = (labels + rng.integers(1, k, labels.size)) % k
    return np.where(rng.random(labels.size) < rate, shifted, labels)


# -- times ------------------------------------------------------------------------------------
def chance():
    """docs/chance.md: a random table of 10 x 10 clusters."""
    for n in (5000, 10**8):
        counts = np.full((10, 10), n // 100)
        table = sc.ContingencyTable.from_counts(counts)
        for draws in (1000, 21_000):
            spent = seconds(sc.chance, table, measure="ARI", n_permutations=draws, rng=0)
            print(f"{n:,} objects, {draws:,} tables: {1000 * spent / draws:.3f} ms per table")


def trees():
    """docs/comparing-trees.md: correlations of two trees."""
    rng = np.random.default_rng(0)

    def tree(n):
        active, merges = list(range(n)), []
        for step in range(n - 1):
            pair = []
            for _ in range(2):
                i = rng.integers(len(active))
                active[i], active[-1] = active[-1], active[i]
                pair.append(active.pop())
            merges.append([*pair, float(step), 0])
            active.append(n + step)
        sizes = np.ones(2 * n - 1)
        for step, row in enumerate(merges):
            row[3] = sizes[n + step] = sizes[int(row[0])] + sizes[int(row[1])]
        return sc.as_dendrogram(np.array(merges, float))
    x, y = tree(100_000), tree(100_000)
    print(f"curve {seconds(sc.dendrogram_curve, x, y):.2f} s, Pearson "
          f"{seconds(sc.cophenetic_correlation, x, y):.2f} s of 100,000 objects")
    x, y = tree(10_000), tree(10_000)
    print(f"Kendall {seconds(sc.cophenetic_correlation, x, y, method='kendall'):.2f} s, "
          f"element-centric {seconds(sc.dendrogram_element_centric, x, y):.2f} s of 10,000")


def intervals():
    """docs/confidence-intervals.md: eleven measures of a million objects with intervals."""
    rng = np.random.default_rng(0)
    x = rng.integers(100, size=10**6)
    y = noisy(x, 0.2, rng, 100)
    names = ["ARI", "rand_index", "jaccard_index", "fowlkes_mallows_index", "pair_f_index",
             "wallace_index", "AMI", "NMI", "VI", "purity_index", "mutual_information"]
    print(f"{seconds(sc.compare, x, y, measures=names, ci='jackknife'):.3f} s")


def pairs():
    """docs/scaling.md: all pairs of two fuzzy clusterings."""
    rng = np.random.default_rng(0)
    for n in (10_000, 100_000):
        x, y = (sc.FuzzyClustering(rng.dirichlet(np.ones(3), n)) for _ in range(2))
        print(f"{n:,} objects: {seconds(sc.alpha_rand_index, x, y):.2f} s")


def evidence():
    """docs/are-there-clusters.md: cluster_test of many objects."""
    x = np.random.default_rng(0).normal(size=(100_000, 10))
    for n in (10_000, 100_000):
        start = time.process_time()
        sc.cluster_test(x[:n], rng=0)
        print(f"{n:,} x 10: {time.process_time() - start:.0f} s", flush=True)


PEAK = ("import resource, runpy, sys; sys.argv = sys.argv[1:]\n"
        "try: runpy.run_module('softclust', run_name='__main__')\n"
        "finally:\n"
        "    used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "    print(f'{used.ru_utime + used.ru_stime:.0f} s, {used.ru_maxrss / 1e6:.1f} GB')")


def command(*arguments):
    """CPU seconds and memory of a softclust command."""
    done = subprocess.run([sys.executable, "-c", PEAK, *map(str, arguments)], check=True,
                          capture_output=True, text=True)
    return done.stdout.splitlines()[-1]


def report():
    """docs/command-line.md: reports of large tables."""
    import pandas as pd
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        data, page = Path(folder, "data.csv"), Path(folder, "report.html")
        for n in (2000, 20_000, 50_000, 400_000, 1_000_000):   # the first compiles
            label = rng.integers(4, size=n)
            x = rng.normal(size=(n, 6)) + 3 * rng.normal(size=(4, 6))[label]
            pd.DataFrame(x, columns=list("abcdef")).assign(label=label).to_csv(data, index=False)
            spent = command("softclust", "report", data, "--label", "label", "--out", page)
            print(f"{n:,} rows: {spent}, page {page.stat().st_size / 1e6:.1f} MB", flush=True)


# -- simulations ------------------------------------------------------------------------------
SETTINGS = {"equal": (0.2,) * 4, "one better": (0.1, 0.25, 0.25, 0.25),
            "spread": (0.1, 0.15, 0.2, 0.3)}
NEARNESS = {"adjusted Rand": "ARI", "Jaccard": "jaccard_index", "NMI": "NMI", "VI": "VI"}


def rankings(sets=200):
    """docs/rank-clusterings.md: how often the ranking is right."""
    heads = ("setting", "measure", "best in set", "intervals hold", "false alarms")
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    for row, (setting, rates) in enumerate(SETTINGS.items()):
        rng = np.random.default_rng(row)
        many = rng.integers(4, size=10**6)
        population = [noisy(many, rate, rng, 4) for rate in rates]
        for name, measure in NEARNESS.items():
            true = np.array([sc.compare(many, y, measures=measure).rows[0].value
                             for y in population])
            true = true if measure != "VI" else -true
            lead = np.array([t - np.delete(true, i).max() for i, t in enumerate(true)])
            lead = np.zeros(4) if setting == "equal" else lead
            cells = []
            for n in (80, 300):
                best, hold, alarm = [], [], []
                for b in range(sets):
                    rng = np.random.default_rng([row, n, b])
                    truth = rng.integers(4, size=n)
                    found = sc.rank_clusterings(
                        truth, [noisy(truth, rate, rng, 4) for rate in rates], measure=measure)
                    best.append(0 in found.possibly_best)
                    hold.append(np.all((found.low <= lead + 1e-9) & (lead <= found.high + 1e-9)))
                    same = np.equal.outer(rates, rates) & ~np.eye(4, dtype=bool)
                    alarm.append(np.any(found.p_values[same] <= 0.05))
                cells.append((np.mean(best), np.mean(hold), np.mean(alarm)))
            print(f"| {setting} | {name} | " + " | ".join(
                f"{a:.3f}, {b:.3f}" for a, b in zip(*cells)) + " |", flush=True)


def strata(sets=400):
    """docs/confounders.md: tests where labels are independent given the batch."""
    for batches, size in ((4, 50), (10, 20), (30, 8)):
        plain, within = [], []
        for b in range(sets):
            rng = np.random.default_rng([batches, b])
            batch = np.repeat(np.arange(batches), size)
            x, y = ((rng.random(batch.size)[:, None] > np.cumsum(
                rng.dirichlet([0.7] * 3, batches), axis=1)[batch][:, :2]).sum(axis=1)
                for _ in range(2))
            p = [sc.chance(x, y, "rand_index", strata=given, n_permutations=199,
                           rng=b)["rand_index"].p_value for given in (None, batch)]
            plain.append(p[0] <= 0.05)
            within.append(p[1] <= 0.05)
        print(f"{batches} batches of {size}: unstratified {np.mean(plain):.3f}, stratified "
              f"{np.mean(within):.3f}", flush=True)


CLAIMS = {f.__name__: f for f in (chance, trees, intervals, pairs, evidence, report, rankings,
                                  strata)}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for name in sys.argv[1:] or CLAIMS:
        print(f"{name}: {CLAIMS[name].__doc__}", flush=True)
        CLAIMS[name]()
