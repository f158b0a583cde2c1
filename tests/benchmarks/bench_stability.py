"""Stability of runs: pairs of objects, and clusters that come back."""

import tracemalloc

import numpy as np
from _ratios import Table, Times, main, turn

import softclust as sc

RUNS = 100


def runs_of(n, clusters, *, seed=0):
    """Noisy copies of clusters, each on half of the objects."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, clusters, n)
    labels = np.where(rng.random((RUNS, n)) < 0.2, rng.integers(0, clusters, (RUNS, n)), truth)
    return truth, sc.PartialEnsemble(np.where(rng.random((RUNS, n)) < 0.5, labels, -1))


def numpy_pac(labels):
    """PAC by an n x n matrix, as peers do it."""
    n = labels.shape[1]
    together, held = np.zeros((n, n), np.float32), np.zeros((n, n), np.float32)
    for row in labels:
        present = (row >= 0).astype(np.float32)
        members = (row[:, None] == np.arange(row.max() + 1)).astype(np.float32)
        together += members @ members.T
        held += present[:, None] * present
    upper = np.triu_indices(n, 1)
    with np.errstate(invalid="ignore"):
        shares = together[upper] / held[upper]
    shares = shares[held[upper] > 0]
    return float(((shares > np.float32(0.1)) & (shares <= np.float32(0.9))).mean())


def looped_stability(reference, labels):
    """Jaccard indices by loops over pairs of clusters, as peers do it."""
    r = reference.max() + 1
    found = np.empty((labels.shape[0], r))
    for b, row in enumerate(labels):
        held = row >= 0
        for k in range(r):
            own = (reference == k) & held
            found[b, k] = max((own & (row == q)).sum() / (own | (row == q)).sum()
                              for q in range(row.max() + 1))
    return found


def run(table: Table) -> None:
    """Add the rows."""
    table.section(f"stability of {RUNS} runs on half of the objects each")
    _, runs = runs_of(2000, 8)
    labels = np.array(runs.labels)
    assert abs(numpy_pac(labels) - sc.coassociation(runs).pac()) < 1e-6
    times = Times({"numpy": lambda: numpy_pac(labels),
                   "ours": lambda: sc.coassociation(runs).pac()}, rounds=3, once=("numpy",))
    table.add("PAC n = 2000: numpy n x n / ours", times.ratio("numpy", "ours"), must=15, goal=40)

    _, runs = runs_of(20_000, 8)
    threads = sc.get_num_threads()
    sc.set_num_threads(1)
    try:
        seconds = turn(lambda: sc.coassociation(runs).pac(), once=True)
        tracemalloc.start()
        sc.coassociation(runs).pac()
        peak = tracemalloc.get_traced_memory()[1] / 2**20
        tracemalloc.stop()
    finally:
        sc.set_num_threads(threads)
    table.add("PAC n = 20,000: seconds on one core", seconds, must=10, goal=3, least=False)
    table.add("PAC n = 20,000: MB beyond the labels", peak, must=20, least=False)

    reference, runs = runs_of(100_000, 10)
    labels = np.array(runs.labels)
    times = Times({"loops": lambda: looped_stability(reference, labels),
                   "ours": lambda: sc.cluster_stability(reference, runs)},
                  rounds=3, once=("loops",))
    table.add("clusters, n = 100,000, 10: loops over pairs of clusters / ours",
              times.ratio("loops", "ours"), must=10, goal=40)


if __name__ == "__main__":
    raise SystemExit(main(run))
