"""compare_all() of many clusterings: against clue, and against a loop over single calls."""

from __future__ import annotations

import numpy as np
from _ratios import Table, Times, need, need_r

import softclust as sc

N, CLUSTERS, MANY = 5000, 5, 50
#: clusterings that clue gets: its time grows with their pairs, and is scaled by them
FOR_CLUE = 25
#: clusterings for measures that visit all pairs of objects
FOR_PAIRS = 16


def run(table: Table) -> None:
    """All rows."""
    runs = _runs(MANY)
    _against_clue(table, runs)
    _hard(table)
    table.section(f"compare_all of {FOR_PAIRS} fuzzy clusterings against the loop over single "
                  f"calls: {N} objects, {CLUSTERS} clusters")
    few = runs[:FOR_PAIRS]
    for name in ("alpha_rand_interval", "credal_rand_index"):
        function = getattr(sc, name)
        times = Times({
            "compare_all": lambda name=name: sc.compare_all(few, measure=name),
            "loop": lambda function=function: [function(few[i], few[j]) for i in range(len(few))
                                               for j in range(i, len(few))],
        }, rounds=3)
        table.add(f"{name}: loop / compare_all", times.ratio("loop", "compare_all"), must=3.0,
                  note=f"{times['compare_all']:.2f} s")


def _against_clue(table: Table, runs: list[sc.FuzzyClustering]) -> None:
    table.section(f"compare_all of {MANY} fuzzy clusterings, Euclidean, {N} objects, {CLUSTERS} "
                  f"clusters, against clue's of {FOR_CLUE} (scaled by the number of pairs)")
    if not need_r("clue"):
        return
    import r_bridge
    # Clusterings are converted once, outside of the time; R's own clock.
    seconds = float(np.squeeze(r_bridge.call("""function(runs) {
        runs <- lapply(runs, function(m) clue::as.cl_membership(m))
        runs <- clue::cl_ensemble(list = lapply(runs, clue::as.cl_partition))
        clue::cl_dissimilarity(runs[1:2], method = "euclidean")
        stats::median(replicate(3, system.time(
            clue::cl_dissimilarity(runs, method = "euclidean"))[["elapsed"]]))
    }""", [np.asarray(x.membership) for x in runs[:FOR_CLUE]])))
    scaled = seconds * (MANY * (MANY - 1)) / (FOR_CLUE * (FOR_CLUE - 1))
    times = Times({"ours": lambda: sc.compare_all(
        runs, measure="euclidean_membership_distance")}, rounds=7)
    table.add("clue (scaled) / compare_all", scaled / times["ours"], must=5.0,
              note=f"{times['ours']:.3f} s against {scaled:.2f} s")


def _hard(table: Table) -> None:
    table.section(f"compare_all of {2 * MANY} hard clusterings, adjusted Rand, {N} objects, "
                  f"{CLUSTERS} clusters")
    if not need("genieclust"):
        return
    from genieclust.compare_partitions import adjusted_rand_score
    labels = np.random.default_rng(0).integers(0, CLUSTERS, (2 * MANY, N))
    ensemble = sc.Ensemble(list(labels))
    times = Times({
        "ours": lambda: sc.compare_all(ensemble, measure="adjusted_rand_index"),
        "loop": lambda: [adjusted_rand_score(labels[i], labels[j]) for i in range(2 * MANY)
                         for j in range(i, 2 * MANY)],
    }, rounds=3)
    table.add("genieclust loop / compare_all", times.ratio("loop", "ours"), must=1.2, goal=3,
              note=f"{times['ours']:.3f} s")


def _runs(count: int) -> list[sc.FuzzyClustering]:
    rng = np.random.default_rng(0)
    base = rng.dirichlet([0.3] * CLUSTERS, N)
    return [sc.FuzzyClustering(0.7 * base + 0.3 * rng.dirichlet([0.3] * CLUSTERS, N))
            for _ in range(count)]
