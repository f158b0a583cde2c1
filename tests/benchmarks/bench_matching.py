"""Votes of ten thousand replicates, the reliability grid."""

import numpy as np
from _ratios import Table, Times, main

import softclust as sc

#: the models of table 7: sizes, whether the first cluster stays
MODELS = {"random 50:49:1": ([50, 49, 1], False), "random 99:1": ([99, 1], False),
          "random 50:50": ([50, 50], False), "single 100": ([100], False),
          "justified 50 random 49:1": ([50, 49, 1], True), "justified 50:50": ([50, 50], None)}
REPLICATES = 10_000
#: seconds that the issue allows: all models; the full grid of one rule on two cores
MODEL_SECONDS, GRID_SECONDS = 10, 600


def members(sizes, justified, count):
    """Members of fixed sizes; None keeps all clusters."""
    rng = np.random.default_rng(0)
    labels = np.tile(np.repeat(np.arange(len(sizes)), sizes), (count, 1))
    if justified is not None:
        moving = labels[:, sizes[0]:] if justified else labels
        moving[...] = rng.permuted(moving, axis=1)
    names = rng.permuted(np.tile(np.arange(len(sizes)), (count, 1)), axis=1)
    return np.take_along_axis(names, labels, axis=1)


def votes(table: Table) -> None:
    """The six models of table 7."""
    table.section(f"multiple match cluster count, {REPLICATES} replicates of 100 objects")
    ensembles = {name: (members(sizes, justified, REPLICATES), len(sizes))
                 for name, (sizes, justified) in MODELS.items()}
    for method in ("truematch_heuristic", "truematch", "trace"):
        def six(method=method):
            for labels, c in ensembles.values():
                sc.mmcc(labels, method=method, n_clusters=c, rng=0)

        times = Times({"six": six}, rounds=5)
        table.add(f"all six models, {method}: seconds", times["six"], must=MODEL_SECONDS,
                  least=False)


def grid(table: Table) -> None:
    """A slice of the grid of appendix A, extrapolated to 99 x 101 cells of two versions."""
    fractions, reliabilities = np.arange(3, 100, 12) / 100, np.arange(0, 101, 10) / 100
    cells = len(fractions) * len(reliabilities) * 2
    full = 99 * 101 * 2
    table.section(f"reliability simulation: {cells} of {full} cells, spread evenly, extrapolated")
    for method in ("trace", "truematch", "truematch_heuristic"):
        def run(method=method):
            sc.reliability_simulation(fractions, reliabilities, method=method,
                                      fixed=[False, True], rng=0)

        times = Times({"run": run}, rounds=3)
        table.add(f"full grid, {method}: seconds", times["run"] * full / cells,
                  must=GRID_SECONDS, least=False,
                  note=f"{1e3 * times['run'] / cells:.2f} ms a cell on {sc.get_num_threads()} "
                       "threads")


def run(table: Table) -> None:
    """Add the rows."""
    votes(table)
    grid(table)


if __name__ == "__main__":
    raise SystemExit(main(run))
