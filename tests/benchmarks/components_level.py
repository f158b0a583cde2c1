"""Level of the report's test and choice on principal components of noise with many features.

``python tests/benchmarks/components_level.py [COMPONENTS [SETS]]``: share of the data sets with
p <= .05, of `compare_settings` and of `cluster_test` (60 sets: a minute).
"""

import sys
import warnings

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA

import softclust as sc

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    k, sets = (int(v) for v in [*sys.argv[1:], *["10", "60"][len(sys.argv) - 1:]])
    for n, d in ((300, 300), (100, 300), (40, 800)):
        small = []
        for b in range(sets):
            x = np.random.default_rng([n, d, 100 + b]).normal(size=(n, d))
            x = PCA(min(k, n - 1), svd_solver="randomized", random_state=0).fit_transform(x)
            one = sc.compare_settings(x, KMeans(), {"n_clusters": [2, 3]}, n_blocks=12,
                                      n_references=19, rng=b)
            test = sc.cluster_test(x, [2, 3], n_references=19, rng=b)
            small.append((one.p_value <= 0.051, test.steps[0].p_value <= 0.051))
        print(n, d, np.mean(small, axis=0).round(3), flush=True)
