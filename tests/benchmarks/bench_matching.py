"""Assignment of tiny tables, votes of ten thousand replicates, the reliability grid.

The peer of the assignment is SciPy called table by table; that of the votes the same loop with
numpy and SciPy's assignment of scores, for some hundred replicates, scaled.
"""

import numpy as np
from _ratios import Table, Times, main

import softclust as sc
from softclust.statistics.assignment import best_assignments

#: rows: tables in a turn, (must, goal) of scipy / ours a call. Turns of ours and of SciPy take
#: about half a millisecond each, so that a busy machine cuts both alike.
SIZES = {3: (4_000, (10, 20)), 6: (1_000, (3, 6)), 10: (400, (2, 4))}
CALLS = 300
#: the models of table 7: sizes, whether the first cluster stays
MODELS = {"random 50:49:1": ([50, 49, 1], False), "random 99:1": ([99, 1], False),
          "random 50:50": ([50, 50], False), "single 100": ([100], False),
          "justified 50 random 49:1": ([50, 49, 1], True), "justified 50:50": ([50, 50], None)}
REPLICATES, LOOPED = 10_000, 100
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


def loop(labels, c):
    """Votes by numpy and SciPy, exact truematch with ties as SciPy breaks them."""
    from scipy.optimize import linear_sum_assignment
    rng = np.random.default_rng(0)
    objects = np.arange(labels.shape[1])
    votes = np.zeros((labels.shape[1], c))
    votes[objects, labels[0]] += 1
    for member in labels[1:]:
        most = votes == votes.max(axis=1, keepdims=True)
        reference = (most * rng.random(votes.shape)).argmax(axis=1)
        table = np.zeros((c, c))
        np.add.at(table, (reference, member), 1)
        expected = np.multiply.outer(table.sum(axis=1), table.sum(axis=0)) / len(objects)
        excess = table - expected
        score = np.divide(excess * np.abs(excess), expected, out=np.zeros_like(excess),
                          where=expected > 0)
        rows, columns = linear_sum_assignment(score, maximize=True)
        names = np.empty(c, dtype=int)
        names[columns] = rows
        votes[objects, names[member]] += 1
    return votes


def assignments(table: Table) -> None:
    """SciPy / ours for tables of 3, 6 and 10 rows."""
    from scipy.optimize import linear_sum_assignment
    table.section("assignment of tables of counts, one thread")
    for size, (count, (must, goal)) in SIZES.items():
        tables = np.random.default_rng(size).integers(0, 1000, (count, size, size))

        def ours(tables=tables):
            sc.set_num_threads(1)
            try:
                return best_assignments(tables)
            finally:
                sc.set_num_threads(None)

        def theirs(tables=tables):
            for b in range(CALLS):
                linear_sum_assignment(tables[b], maximize=True)

        times = Times({"ours": ours, "theirs": theirs})
        table.add(f"scipy / ours a call, {size} x {size}",
                  times.ratio("theirs", "ours") * count / CALLS, must=must, goal=goal,
                  note=f"ours {1e9 * times['ours'] / count:.0f} ns")


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
    labels, c = ensembles["random 50:49:1"]
    times = Times({"ours": lambda: sc.mmcc(labels, method="truematch", n_clusters=c, rng=0),
                   "loop": lambda: loop(labels[:LOOPED], c)}, rounds=5)
    table.add("loop with numpy and scipy / ours, random 50:49:1",
              times.ratio("loop", "ours") * REPLICATES / LOOPED, must=8,
              note=f"ours {1e6 * times['ours'] / REPLICATES:.1f} us a replicate")


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
    assignments(table)
    votes(table)
    grid(table)


if __name__ == "__main__":
    raise SystemExit(main(run))
