"""Confidence limits of eleven measures of 1e6 objects, and rankings.

Limits are compared with the values themselves: leaving out an object costs O(1) for each cell.
"""

import time

from _ratios import Table, Times, main
from bench_contingency import labels

import softclust as sc

N = 10**6
MEASURES = ("rand_index", "adjusted_rand_index", "jaccard_index", "fowlkes_mallows_index",
            "wallace_index", "mutual_information", "normalized_mutual_information",
            "adjusted_mutual_information", "variation_of_information",
            "normalized_variation_of_information", "normalized_information_distance")
#: milliseconds that values and limits of the eleven measures may take
MOST = 50.0


def run(table: Table) -> None:
    """Rows for 100 by 100 clusters, and for 20 clusterings of 1e5 objects."""
    counts = sc.contingency_table(*labels(N, 100)).dense()

    def compared(**options: str) -> None:
        # a table of its own each time: it keeps what was computed of it
        sc.compare(sc.ContingencyTable.from_counts(counts), measures=MEASURES, **options)

    times = Times({"values": compared, "limits": lambda: compared(ci="jackknife")}, rounds=5)
    both = 1e3 * times["limits"]
    table.section(f"limits of {len(MEASURES)} measures, 100 x 100 clusters, n = {N:.0e}: "
                  f"values {1e3 * times['values']:.1f} ms, with limits {both:.1f} ms")
    table.add(f"{MOST:g} ms / time of values and limits", MOST / both, must=None, goal=1.0)

    truth, _ = labels(10**5, 10)
    found = [labels(10**5, 10)[1] for _ in range(20)]
    sc.rank_clusterings(truth[:1000], [each[:1000] for each in found])
    start = time.perf_counter()
    sc.rank_clusterings(truth, found)
    table.section(f"ranking of 20 clusterings, n = 1e5: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    raise SystemExit(main(run))
