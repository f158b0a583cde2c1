"""A user's script that mypy --strict accepts without a cast: see test_types."""

import numpy as np
import pandas as pd

import softclust as sc

rng = np.random.default_rng(1)
data = rng.normal(size=(60, 2))
x, y = rng.integers(0, 3, 60), rng.integers(0, 3, 60).tolist()
named = pd.Series(x).map({0: "a", 1: "b", 2: "c"})
memberships = sc.FuzzyClustering(np.full((60, 3), 1 / 3))
several = {"x": x, "y": y}

# measures
values: list[float] = [
    sc.rand_index(x, y), sc.adjusted_rand_index(named, y), sc.jaccard_index(x, y),
    sc.fowlkes_mallows_index(x, y), sc.mutual_information(x, y),
    sc.normalized_mutual_information(x, y), sc.adjusted_mutual_information(x, y),
    sc.variation_of_information(x, y), sc.purity_index(x, y), sc.transfer_distance(x, y),
    sc.fuzzy_rand_index(memberships, y), sc.adjusted_rand_index(sc.contingency_table(x, y))]
clustering = sc.as_clustering(x, "hard", noise="cluster")

# comparisons
comparison = sc.compare(x, y, ci="jackknife", objects="same", noise=("cluster", "singletons"))
value: float | sc.Interval = comparison.value("rand_index")
text: str = comparison.summary().as_latex_tabular()
frame: pd.DataFrame = comparison.to_frame()
everything = comparison.to_frame("polars")
matrix: float | sc.Interval = sc.compare_all(several, drop="pair")["x", "y"]
p_value: float = sc.chance(x, y, "rand_index", method="tables", rng=1)["rand_index"].p_value
level: float = sc.chance_level(x, y, "rand_index", model="permutation")
best: tuple[int, ...] = sc.rank_clusterings(x, several, level=0.9).possibly_best
pairs: np.ndarray = sc.match_clusters(x, y, method="trace").pairs
aligned: sc.Aligned = sc.align(x, y, objects="same")
delta: float | sc.Interval = sc.prayatul(x, x, y, coupling="expected").delta
low: float = sc.completion_bounds([0, 0, None, 1], [0, 1, 1, 1], clusters="observed").low
n11: int | float = sc.pair_counts(x, y).n11

# many clusterings
labels: np.ndarray = sc.consensus(several.values(), method="SE", n_starts=2, rng=1).labels
votes = sc.mmcc(several.values(), method="trace", rng=1).votes
point: np.ndarray = sc.posterior_partition([x, y], loss="vi", rng=1).labels
radius: float = sc.credible_ball(x, [x, y], loss="binder").radius
core: np.ndarray = sc.partition_core([x, y], rng=1).objects
jaccard: np.ndarray = sc.cluster_stability(x, [x, y], absent="skip").jaccard
pac: float = sc.coassociation([x, y]).pac()
runs = sc.resampled_clusterings(data, sc.cluster.FuzzyCMeans(2), scheme="bootstrap",
                                n_resamples=2, rng=1)
number: int | None = sc.cluster_number(data, [2, 3], criterion="silhouette",
                                       rng=1).best
bagged = sc.BaggedClustering(3, scheme="bootstrap", n_resamples=5, random_state=1).fit(data)
soft: sc.FuzzyClustering = bagged.clustering_
