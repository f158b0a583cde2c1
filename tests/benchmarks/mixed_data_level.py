"""How often cluster_test rejects for mixed data of one cluster: independent numbers and categories.

Run: python tests/benchmarks/mixed_data_level.py [data sets]
"""

import sys

import numpy as np

import softclust as sc


def rejections(n_sets, categories, n=100, numbers=2, seed=0):
    """Share of data sets with p <= .05, and its Monte Carlo error."""
    rejected = 0
    for b in range(n_sets):
        rng = np.random.default_rng([seed, b])
        x = rng.normal(size=(n, numbers))
        if categories:
            x = np.hstack([x, np.eye(categories)[rng.integers(categories, size=n)]])
        rejected += sc.cluster_test(x, 2, n_references=39, rng=b).p_value[0] <= 0.05
    share = rejected / n_sets
    return share, (share * (1 - share) / n_sets) ** 0.5


if __name__ == "__main__":
    for categories in (0, 2, 5):
        share, error = rejections(int(sys.argv[1]) if len(sys.argv) > 1 else 100, categories)
        print(f"{categories} categories: {share:.2f} +- {error:.2f}", flush=True)
