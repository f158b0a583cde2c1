"""Consensus of fuzzy partitions against clue, live.

clue fits each row of SM by a linear programme; it gets a part of the objects and one iteration,
scaled to all objects, since its time is proportional to their number.
"""

import numpy as np
from _ratios import Table, Times, main, need_r

import softclust as sc

OBJECTS, MEMBERS, CLUSTERS = 5000, 50, 5
#: objects that clue gets
PART = 100


def members(n):
    """Fuzzy partitions that share some structure."""
    rng = np.random.default_rng(0)
    base = np.eye(CLUSTERS)[rng.integers(0, CLUSTERS, OBJECTS)]
    return [(0.6 * base + 0.4 * rng.dirichlet(np.ones(CLUSTERS), OBJECTS))[:n]
            for _ in range(MEMBERS)]


def run(table: Table) -> None:
    """Add the rows."""
    _against_clue(table)
    _hard(table)
    _search(table)


def _against_clue(table: Table) -> None:
    import warnings

    from sklearn.exceptions import ConvergenceWarning

    from r_bridge._call import call

    table.section(f"one iteration, {MEMBERS} fuzzy partitions of {OBJECTS} objects, "
                  f"{CLUSTERS} clusters")
    if not need_r("clue"):
        return
    whole, part = members(OBJECTS), members(PART)
    start = np.random.default_rng(1).random((OBJECTS, CLUSTERS))
    start /= start.sum(axis=1, keepdims=True)

    def ours(method):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)   # one iteration is the point
            return sc.consensus(whole, method=method, start=start, max_iter=1)

    code = """function(rows, n, k, method, start) {
      made <- lapply(seq_len(length(rows) / (n * k)), function(b)
        clue::as.cl_partition(matrix(rows[seq_len(n * k) + (b - 1) * n * k], n, byrow = TRUE)))
      invisible(clue::cl_consensus(do.call(clue::cl_ensemble, made), method = method,
        control = list(start = matrix(start, n, byrow = TRUE), maxiter = 1)))
      0
    }"""

    def theirs(method, given, begin):
        rows = np.concatenate([m.ravel() for m in given])
        return call(code, rows, given[0].shape[0], CLUSTERS, method, begin.ravel())

    times = Times({"ours": lambda: ours("SM"), "clue": lambda: theirs("SM", part, start[:PART])},
                  rounds=3, once=("clue",))
    table.add("SM: clue / ours", OBJECTS / PART * times.ratio("clue", "ours"), must=100,
              note=f"clue on {PART} objects, scaled")
    times = Times({"ours": lambda: ours("SE"), "clue": lambda: theirs("SE", whole, start)},
                  rounds=3, once=("clue",))
    table.add("SE: clue / ours", times.ratio("clue", "ours"))


def _search(table: Table) -> None:
    """The default search against the best of 100 random starts of the plain iteration."""
    rng = np.random.default_rng(3)
    ensembles = [sc.Ensemble([rng.dirichlet(np.full(3, 0.5), 24) for _ in range(7)])
                 for _ in range(5)]
    starts = rng.dirichlet(np.ones(3), (100, 24))

    def auto(method):
        return [sc.consensus(e, method=method, rng=0).objective for e in ensembles]

    def hundred(method):
        return [min(sc.consensus(e, method=method, start=s).objective for s in starts)
                for e in ensembles]

    table.section("default search of 5 ensembles (24 objects, 3 clusters, 7 members) against the "
                  "best of 100 random starts of the plain iteration")
    for method in ("SE", "HE"):
        times = Times({"auto": lambda method=method: auto(method),
                       "100": lambda method=method: hundred(method)}, rounds=3, once=("100",))
        table.add(f"{method}: time of the default / 100 starts", times.ratio("auto", "100"),
                  must=1, goal=0.4, least=False)
        better, worse = (np.subtract(auto(method), hundred(method)) < -1e-9,
                         np.subtract(auto(method), hundred(method)) > 1e-9)
        table.add(f"{method}: ensembles where the default is worse", int(worse.sum()), must=0,
                  least=False, note=f"better in {int(better.sum())} of 5")


def _hard(table: Table) -> None:
    """A whole search of hard members against numpy's sums of one pass over them."""
    many, rng = 200, np.random.default_rng(0)
    base = rng.integers(0, CLUSTERS, OBJECTS)
    labels = [rng.permutation(CLUSTERS)[np.where(rng.random(OBJECTS) < 0.3, rng.integers(
        0, CLUSTERS, OBJECTS), base)] for _ in range(many)]
    ensemble = sc.Ensemble(labels)
    m = np.eye(CLUSTERS)[base]

    def sums():
        for b in range(many):
            y = np.eye(CLUSTERS)[labels[b]]
            np.array([[np.abs(u - v).sum() for v in y.T] for u in m.T])

    table.section(f"consensus of {many} hard partitions of {OBJECTS} objects, one start, against "
                  "numpy's sums that match each of them once")
    for method in ("SM", "HM"):
        times = Times({"ours": lambda method=method: sc.consensus(
            ensemble, method=method, n_starts=1, rng=0), "sums": sums}, rounds=3)
        table.add(f"{method}: ours / sums", times.ratio("ours", "sums"), must=3, goal=1.3,
                  least=False, note=f"{times['ours']:.2f} s")


if __name__ == "__main__":
    raise SystemExit(main(run))
