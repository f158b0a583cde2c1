"""Adjusted indices of 1e6 objects against scikit-learn.

scikit-learn's adjusted mutual information with many clusters takes half a minute, so it gets a
single turn; ours takes its turns as always.
"""

from _ratios import Table, Times, main
from bench_contingency import labels

import softclust as sc

N = 10**6
#: clusters: (must, goal) of scikit-learn / ours
ADJUSTED_RAND = {10: (40, 80), 100: (40, 80), 1000: (None, None)}
ADJUSTED_MUTUAL = {10: (100, 260), 100: (200, None), 1000: (500, 2500)}


def run(table: Table) -> None:
    """Rows for 10, 100 and 1000 clusters."""
    from sklearn import metrics
    for clusters in (10, 100, 1000):
        x, y = labels(N, clusters)
        times = Times({
            "ari": lambda x=x, y=y: sc.adjusted_rand_index(x, y),
            "ami": lambda x=x, y=y: sc.adjusted_mutual_information(x, y),
            "nmi": lambda x=x, y=y: sc.normalized_mutual_information(x, y),
            "their ari": lambda x=x, y=y: metrics.adjusted_rand_score(x, y),
            "their nmi": lambda x=x, y=y: metrics.normalized_mutual_info_score(x, y),
            "their ami": lambda x=x, y=y: metrics.adjusted_mutual_info_score(x, y),
        }, rounds=5, once=("their ami",))
        table.section(f"n = {N:.0e}, {clusters} clusters; ours: adjusted Rand "
                      f"{1e3 * times['ari']:.2f} ms, adjusted mutual information "
                      f"{1e3 * times['ami']:.2f} ms")
        must, goal = ADJUSTED_RAND[clusters]
        table.add("scikit-learn's adjusted_rand_score / adjusted_rand_index",
                  times.ratio("their ari", "ari"), must=must, goal=goal)
        must, goal = ADJUSTED_MUTUAL[clusters]
        table.add("scikit-learn's adjusted_mutual_info_score / ours",
                  times.ratio("their ami", "ami"), must=must, goal=goal,
                  note=f"one run of scikit-learn's, {times['their ami']:.3g} s")
        table.add("scikit-learn's normalized_mutual_info_score / ours",
                  times.ratio("their nmi", "nmi"))


if __name__ == "__main__":
    raise SystemExit(main(run))
