"""A user's script that mypy --strict accepts without a cast: see test_types."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import mkdtemp

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import polars as pl

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
    sc.fuzzy_rand_index(memberships, y), sc.adjusted_rand_index(sc.contingency_table(x, y)),
    sc.normalized_mutual_information(x, y, average="joint"), sc.adjusted_rand_index(x, y, strata=x),
    sc.adjusted_mutual_information(x, y, model="number", fixed="x"),
    sc.fuzzy_rand_index(memberships, y, relation="t_norm", t_norm="product"),
    sc.bcubed_index(x, y, part="recall", weights="equal"),
    sc.mallows_distance(memberships, y, weights=(np.full(3, 1 / 3), [0.2, 0.3, 0.5])),
    sc.concordance_index(memberships, y, metric="cosine")]
clustering = sc.as_clustering(x, "hard", noise="cluster")
mixed = sc.FuzzyClustering([[1, 0], [0.5, 0.5]], object_names=pd.Index(["a", "b"]))

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
aligned: sc.results.Aligned = sc.align(x, y, objects="same")
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

# tables, frames and files
frames = pd.DataFrame({"x": x, "y": y, "w": 1.0})
folder = Path(mkdtemp())
table: sc.ContingencyTable = sc.contingency_table("x", "y", data=frames, weights="w")
table.save(folder / "table.npz")
from_polars: sc.results.Comparison = sc.compare("x", "y", data=pl.from_pandas(frames))
completed = sc.compare([0, 0, None, 1], [0, 1, 1, 1], missing="bounds")
counter = sc.ContingencyCounter(missing="drop").update(x, y, frequencies=np.ones(60, int))
absent = sc.Ensemble([[0, 0, 1, None], [None, 5, 5, 2]], missing="absent")

# explanations, samples, strata
explanation = sc.explain(x, y, noise="cluster", objects="same")
cells = explanation.to_frame("cells", "polars")
sampled = sc.sampled_truth(x, y, design="objects", probabilities=0.5, sample=np.arange(40),
                           measures=["pairwise precision"])
by_stratum = sc.agreement_by_strata(x, y, x > 0)
information = sc.conditional_mutual_information(x, y, strata=y)

# trees
merges = [[0, 1, 1.0], [2, 3, 2.0]]
roc: sc.results.PairRoc = sc.pair_roc([0, 0, 1], merges, ties="order", labelled=[True, True, True])
curve: sc.results.DendrogramCurve = sc.dendrogram_curve(sc.as_dendrogram(merges), merges)

# fitted clusterers
centers = np.array([[0.0, 0.0], [1.0, 1.0]])
fuzzy: sc.FuzzyClustering = sc.cluster.FuzzyCMeans(2, init=centers).fit(data).clustering_
rough = sc.cluster.RoughKMeans(2, variant="lingras-west", random_state=rng).fit(pd.DataFrame(data))
with ThreadPoolExecutor(2) as pool:
    bayes = sc.BayesianBaggedClustering(2, estimator=sc.cluster.FuzzyCMeans(2), n_resamples=3,
                                        weighted=True, votes="draws", executor=pool,
                                        random_state=1).fit(data)
loss: float = sc.posterior_partition([x, y], loss=sc.rand_distance, rng=1).expected_loss

# pictures
figure, axes = plt.subplots()
axes = sc.plotting.plot_clustering(memberships, ax=axes)
axes = sc.plotting.plot_explanation(explanation, kind="table")
sc.plotting.save_figure(figure, folder / "figure.png")
moons: sc.datasets.Dataset = sc.datasets.noisy_moons(rng="paper")

# as the guide writes it
read = sc.as_clustering(np.full((4, 2), 0.5)).membership
largest: int = sc.cluster_number(data, range(2, 4), n_resamples=5, rng=0).best
rounded = [(round(row.value, 4), f"{row.value:.2f}", row.value > 0.5) for row in comparison]
row_of_ari = round(comparison["ARI"].value, 3)
