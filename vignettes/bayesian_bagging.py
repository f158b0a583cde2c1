# %% [markdown]
# # Bayesian bagged clustering
#
# F. M. Quetti, S. Figini, E. Ballante, *A Bayesian approach to clustering via the proper Bayesian
# bootstrap: the Bayesian Bagged Clustering (BBC) algorithm*.
#
# Bagging clusters many resamples, and each object votes for the clusters it falls in. The shares of
# votes are fuzzy memberships, and their entropy shows how certain the clustering is. BBC draws its
# resamples from a mixture of the data and a model of the data. The paper proposes to choose the
# number of clusters with the smallest entropy.
#
# The paper does not publish its simulated data, seeds, number of replicates and starts of k-means,
# so this page compares a printed number with the *distribution* over fresh data sets of the same
# kind: it is compatible if it lies in the interval that contains 99 % of the draws.

# %%
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from bagging import figures, printed, study
from chance import one_run
from claims import Claims, fast
from show import show
from sklearn.cluster import KMeans

import softclust as sc

CLAIMS = Claims("F. M. Quetti, S. Figini, E. Ballante, A Bayesian approach to clustering via the "
                "proper Bayesian bootstrap (BBC)")

# %% [markdown]
# ## Section 2.1: three bootstraps
#
# Efron's bootstrap draws counts (equation 1), Rubin's draws Dirichlet weights (equation 2). The
# proper Bayesian bootstrap of Muliere and Secchi (algorithm 1) draws m points from
# $G_n = w F_0 + (1 - w) F_n$, with $w = k/(k+n)$ the confidence in the prior $F_0$, and gives them
# Dirichlet weights. softclust has each of them; `proper_bayesian_bootstrap` returns the draws.
#
# For the weighted mean of one feature with variance $V(\cdot)$ under a distribution, theory gives
# Efron $V(F_n)/n$, Rubin $V(F_n)/(n+1)$, the posterior of the Dirichlet process $V(G_n)/(n+k+1)$,
# and algorithm 1 $(a+1)\,V(G_n)/(n+k+1)$ with $a = (n+k)/m$, because points are drawn before they
# are weighted. With m = n, as BBC uses it, the variance is *at least twice* that of the posterior,
# so "if k → 0 we fall back on the proposal of Rubin" needs m → ∞.

# %%
N, RESAMPLES = 50, 4_000 if fast() else 40_000
x1 = (37 * np.arange(N) % 50) / 10 - 2.5
prior = sc.GaussianMixturePrior([1.0], [[0.5]], [[[4.0]]])
rng = np.random.default_rng(1996)


def means_of(confidence, n_draws):
    """Weighted means of the resamples of algorithm 1."""
    draws = sc.proper_bayesian_bootstrap(x1[:, None], prior=prior, prior_weight=confidence,
                                         sample_size=n_draws, n_resamples=RESAMPLES, rng=rng)
    return (draws.weights * draws.points[:, :, 0]).sum(axis=1)


efron = x1[sc.bootstrap_indices(N, RESAMPLES, rng=rng)].mean(axis=1)
rubin = sc.bayesian_bootstrap_weights(N, RESAMPLES, rng=rng) @ x1
proper, proper_0 = means_of(0.5, N), means_of(0.0, N)
# a tenth of the resamples: with m = 20 n they are large
RESAMPLES //= 10
proper_many = means_of(0.0, 20 * N)

variance = x1.var()
mixed = 0.5 * 4.0 + 0.5 * variance + 0.25 * (0.5 - x1.mean()) ** 2    # variance of G_n, w = 1/2
NOISE = "4 standard errors of a variance from {} resamples"
laws = [("Efron", efron, variance / N), ("Rubin", rubin, variance / (N + 1)),
        ("proper, w = 0.5, m = n", proper, 3 * mixed / 101),
        ("proper, w = 0, m = n", proper_0, 2 * variance / 51),
        ("proper, w = 0, m = 20 n", proper_many, 1.05 * variance / 51)]
show(pd.DataFrame([(name, v.mean(), v.var(), law) for name, v, law in laws],
                  columns=["bootstrap", "mean", "variance", "variance by theory"]).round(5),
     "Distribution of the mean of a feature over resamples")

error = 4 * np.sqrt(2 / len(efron))
CLAIMS.add("Section 2.1, Efron and Rubin: variances of the mean agree up to n/(n + 1)", 50 / 51,
           rubin.var() / efron.var(), 1.5 * error, reason=NOISE.format(len(efron)) + ", for both")
CLAIMS.add("Section 2.1, equation for G_n: mean of the posterior, w = .5", 0.5 * 0.5
           + 0.5 * x1.mean(), proper.mean(), 4 * proper.std() / np.sqrt(len(proper)),
           reason="4 standard errors")
CLAIMS.add("Section 2.1, k to 0 falls back on Rubin: variance of the mean with m = n",
           variance / 51, proper_0.var(), error * 2 * variance / 51, status="corrected",
           corrected=2 * variance / 51,
           reason="""Points are drawn first and weighted then, so the variance is
           (a + 1)/(n + k + 1) V(G_n) with a = (n + k)/m; for m = n and k = 0 that is twice Rubin's
           V(F_n)/(n + 1). """
           + NOISE.format(len(proper_0)))
CLAIMS.add("Section 2.1, k to 0 falls back on Rubin: variance of the mean with m = 20 n",
           variance / 51, proper_many.var(),
           (0.05 + 4 * np.sqrt(2 / len(proper_many))) * variance / 51,
           reason="1/20 from a = 1/20, and " + NOISE.format(len(proper_many)))

# %% [markdown]
# ## Sections 2.2 and 3.1: BagClust1 and BBC
#
# *BagClust1* (algorithm 2): cluster all objects; cluster Efron resamples; rename their clusters for
# the largest overlap with the first clustering; let objects vote. *BBC* (algorithm 3) draws from
# the data and from a Gaussian mixture fitted to the first clustering, with covariances times s. The
# confidence (w) is called `prior_weight`, the factor `scale` (s).

# %%
example = sc.datasets.bbc_gaussians(1, rng=1)
for fit in (sc.BaggedClustering(n_clusters=3, random_state=0).fit(example.data),
            sc.BayesianBaggedClustering(3, random_state=0).fit(example.data)):
    print(f"{type(fit).__name__:25} mean entropy {fit.mean_entropy_:.3f} bits, most blurred pair "
          f"{fit.pairwise_entropy_.pair} with {fit.pairwise_entropy_.maximum:.3f}")
p = fit.prior_
show(pd.DataFrame({"weight": p.weights, "mean": list(map(tuple, p.means.round(2).tolist())),
                   "covariance": [tuple(map(tuple, c.round(2).tolist())) for c in p.covariances]},
                  index=[f"component {k}" for k in range(3)]).round(3),
     "The prior of BBC, made from the base clustering")

# %% [markdown]
# ### Figure 1: memberships in the simplex
#
# 500 points uniform in a square, three clusters: there is nothing to find, and many objects lie
# between the corners. The second figure has four clusters; the simplex is projected on a square.

# %%
uniform = np.random.default_rng(500).random((500, 2))
square = sc.BayesianBaggedClustering(3, random_state=1).fit(uniform)
CLAIMS.add("Figure 1, points in the worst case are shared between clusters (above 0.9 bits)",
           "yes", "yes" if square.entropy_.max() > 0.9 else "no")
CLAIMS.add("Section 3.1, memberships lie in a simplex of K - 1 dimensions (largest error of a sum)",
           0.0, np.abs(square.membership_.sum(axis=1) - 1).max(), 1e-12, reason="rounding")
show(figures.memberships_in_space_and_simplex(uniform, square),
     "Figure 1. Left: the data; right: their memberships")

# %%
four = sc.BayesianBaggedClustering(4, random_state=1).fit(uniform)
show(figures.memberships_in_space_and_simplex(uniform, four),
     "Four clusters: a tetrahedron projected on a square")

# %% [markdown]
# ## Section 3.2: two entropies
#
# For memberships u of an object, $S(u) = -\sum_k u_k \log_2 u_k$ measures how the votes spread over
# all clusters; $S_{lm}(u) = h(q)$ with $q = u_l/(u_l+u_m)$ and h the entropy of a coin measures how
# undecided the object is between l and m. Both are averaged over objects, the second then maximised
# over pairs. Where $u_l + u_m = 0$ softclust counts 0.
#
# Two misprints. The sum for S runs over i, which is the object; it must run over the clusters. The
# last logarithm of $S_{lm}$ is printed as $\log_2 \frac{u_l}{u_m + u_m}$; the entropy of the two
# normalised components, as the text calls it, has $\log_2 \frac{u_m}{u_l + u_m}$.

# %%
u = np.array([[0.2, 0.8]])
q = u[0, 0] / u.sum()
as_printed = -(q * np.log2(q) + (1 - q) * np.log2(u[0, 0] / (2 * u[0, 1])))
CLAIMS.add("Section 3.2, S_lm of memberships (.2, .8) in bits", as_printed,
           sc.pairwise_entropy(u).maximum, 1e-9, status="corrected",
           corrected=-(0.2 * np.log2(0.2) + 0.8 * np.log2(0.8)),
           reason="""The printed last term gives 2.86 bits; the text defines S_lm as the Shannon
           entropy of two normalised components, which is at most 1.""")
CLAIMS.add("Section 3.2, S of memberships (.7, .2, .1) in bits", -sum(
    p * np.log2(p) for p in (0.7, 0.2, 0.1)), sc.membership_entropy([[0.7, 0.2, 0.1]]), 1e-9)
names = [f"cluster {k}" for k in range(3)]
show(sc.pairwise_entropy(square.clustering_).to_frame().set_axis(names).round(3),
     "Mean pairwise entropies of Figure 1 (bits)")

# %% [markdown]
# ## Section 4.1: Iris
#
# Rows are species, columns are clusters. Table 1 is k-means. For Tables 2a and 2b we run each
# setting with several seeds and show the most frequent table.

# %%
iris = sc.datasets.load_iris()
kmeans = KMeans(3, n_init=20, random_state=0).fit(iris.data)
table_1 = study.iris_table(kmeans.labels_)
for name, row, ours in zip(("setosa", "versicolor", "virginica"), printed.TABLE_1, table_1):
    CLAIMS.add(f"Table 1, {name}", row, ours)

SEEDS = 3 if fast() else 30
ours_2 = {key: study.most_frequent(study.iris_tables(*key[1:], SEEDS)) for key in printed.TABLE_2}
BORDER = "One object on the border between two species; seeds of ours differ by one as well."
NOT_REACHED = """No reading of the algorithm gives it: cold or warm starts, with or without weights,
 full, pooled or diagonal covariances. All give 47 or 48 and 14, whatever w. The number of
 replicates, the starts and the seed are not stated."""
MISSED = {(10, 0.1, "versicolor"), (100, 0.1, "versicolor"), (1, 0.5, "versicolor"),
          (1, 0.5, "virginica"), (1, 0.7, "versicolor"), (1, 0.7, "virginica")}
rows = []
for (table, s, w), whole in printed.TABLE_2.items():
    for name, row, ours in zip(("setosa", "versicolor", "virginica"), whole, ours_2[table, s, w]):
        missed = (s, w, name) in MISSED
        CLAIMS.add(f"Table {table}, s = {s}, w = {w}, {name}", row, ours, 1,
                   status="unreachable" if missed else "reproduced",
                   reason=NOT_REACHED if missed else BORDER if list(ours) != row else "")
        rows.append([table, s, w, name, *row, *ours])
show(pd.DataFrame(rows, columns=["table", "s", "w", "species", "1", "2", "3", "ours 1", "ours 2",
                                 "ours 3"]), "Tables 2a and 2b: printed and ours")

# %% [markdown]
# Confirmed: at s = 1 the method is robust over w, and at s = 100 versicolor and virginica merge
# (with cold starts; a warm start mostly holds the two apart). *Not* confirmed: that errors fall as
# w grows. In Table 2b they fall from 17 to 14; ours stay at 17.

# %%
merged = ours_2["2a", 100, 0.1][1:, 2].sum()
CLAIMS.add("Table 2a, s = 100: versicolor and virginica in one cluster (objects of 100)", 97,
           merged, 3, reason="three standard deviations over seeds are 3 objects")
errors = {w: 150 - int(np.trace(ours_2[table, s, w]))
          for (table, s, w) in printed.TABLE_2 if s == 1}
CLAIMS.add("Section 4.1, s = 1: the method is robust over w (errors of 150 differ by)", 3,
           max(errors.values()) - min(errors.values()), 3,
           reason="printed 16, 17, 15, 14 errors: at most 3 apart; ours are no further apart")
CLAIMS.add("Table 2b, errors at w = .7 less errors at w = .1", -2, errors[0.7] - errors[0.1], 1,
           status="unreachable", reason=NOT_REACHED)

# %% [markdown]
# ## Section 4.2: choosing the number of clusters
#
# Table 3 describes six Gaussian mixtures; `sc.datasets.bbc_gaussians(number)` draws them.

# %%
DRAWS = 40 if fast() else 400
for number, (sizes, centers, covariance) in printed.TABLE_3.items():
    drawn = [sc.datasets.bbc_gaussians(number, rng=seed) for seed in range(DRAWS)]
    labels = drawn[0].labels
    stacked = np.concatenate([d.data for d in drawn])
    classes = np.tile(labels, DRAWS)
    CLAIMS.add(f"Table 3, data set {number}, points in each component", sizes, np.bincount(labels))
    CLAIMS.add(f"Table 3, data set {number}, dimension", len(centers[0]), stacked.shape[1])
    found = np.array([stacked[classes == k].mean(axis=0) for k in range(len(sizes))])
    rest = stacked - found[classes]
    CLAIMS.add(f"Table 3, data set {number}, centroids", centers, found,
               4.5 / np.sqrt(DRAWS * min(sizes)), reason=f"means of {DRAWS} draws, 4.5 errors")
    CLAIMS.add(f"Table 3, data set {number}, covariance", covariance, rest.T @ rest / len(rest),
               4.5 * np.sqrt(2 / len(rest)), reason=f"from {DRAWS} draws, 4.5 errors")

# %% [markdown]
# ### Figures 2 and 5: data sets 1 and 5

# %%
figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained")
shown = {1: sc.datasets.bbc_gaussians(1, rng=1001), 5: sc.datasets.bbc_gaussians(5, rng=5001)}
for ax, (number, dataset) in zip(axes, shown.items()):
    figures.classes(dataset, ax).set_title(f"data set {number}", loc="left", fontsize=10.5)
show(figure, "Figures 2 and 5 (draws of ours)")

# %% [markdown]
# ### The unit of Table 4
#
# Section 3.2 defines both entropies with base 2. For K = 2 they are the *same* function of the
# memberships, so Tables 4 and 5 must agree in the column K = 2. They differ by the factor 1.44 in
# every row: 1/ln 2. Table 4 is in nats, Table 5 in bits.

# %%
for number, (nats, bits) in enumerate(zip(printed.TABLE_4, printed.TABLE_5), start=1):
    CLAIMS.add(f"Table 5 / Table 4, data set {number}, K = 2", bits[0] / nats[0], 1 / np.log(2),
               (0.0005 + 0.0005 * bits[0] / nats[0]) / nats[0], reason="rounding of both numbers")
two = sc.BayesianBaggedClustering(2, random_state=0).fit(example.data)
CLAIMS.add("Tables 4 and 5, K = 2: ratio of the two measures in one unit", 1 / np.log(2),
           two.pairwise_entropy_.maximum / two.mean_entropy_, 1e-9, status="corrected",
           corrected=1.0, reason="""Two clusters have one pair, and then S = S_lm by definition. The
           six printed ratios all contain 1/ln 2 in their rounding intervals: Table 4 is in nats
           though the text defines bits.""")

# %% [markdown]
# ### Tables 4 and 5: entropies
#
# The size of the entropies depends on two choices that the paper does not state: how k-means starts
# in a replicate, and whether the Dirichlet weights are used. The *warm* reading (replicates start
# from the base solution, which has a single random start) fits the printed numbers; softclust's
# *default* (best of ten k-means++ starts in every replicate) gives larger entropies and, as shown
# below, chooses K better: a warm start holds the replicates near the base solution and hides
# surplus clusters.

# %%
REPEATS = 2 if fast() else 60
READINGS = ("warm", "default", "BagClust1")
with study.progress(6 * len(READINGS) * REPEATS, "Tables 4 and 5", fast()) as bar:
    drawn = {reading: [study.entropies(number, reading, REPEATS, bar=bar)
                       for number in range(1, 7)] for reading in READINGS}


def claim_cells(table, cells, values, note, missed=()):
    """One claim per printed cell, full mode only; `values` holds (R, K) for each data set."""
    for number, (row, found) in enumerate(zip(cells, values), start=1):
        for k, value, column in zip(printed.K, row, found.T):
            out = (number, k) in missed
            CLAIMS.add(f"{table}, data set {number}, K = {k}", value, column.mean(),
                       one_run(column, 0.0005, level=figures.LEVEL), full_only=True,
                       status="unreachable" if out else "reproduced",
                       reason=OUTSIDE if out else note.format(len(column)))


if not fast():
    note = "99 % interval of one draw, from {} data sets; warm reading"
    OUTSIDE = """The data are not public, and the number lies outside the 99 % interval of one draw
     of the warm reading; of 60 cells 0.6 are expected to. It is the number 0.124 of the same cell
     of Table 4, where the unit is another: perhaps a slip."""
    claim_cells("Table 4 (nats)", printed.TABLE_4, [v[:, :, 0] for v in drawn["warm"]], note)
    claim_cells("Table 5 (bits)", printed.TABLE_5, [v[:, :, 1] for v in drawn["warm"]], note,
                missed={(5, 6)})

# %%
show(figures.printed_and_drawn(printed.TABLE_4, [v[:, :, 0] for v in drawn["warm"]],
                               "mean entropy (nats)"),
     "Table 4 and the distribution over fresh data sets, warm reading; dotted: true K")

# %%
show(figures.printed_and_drawn(printed.TABLE_5, [v[:, :, 1] for v in drawn["warm"]],
                               "pairwise entropy (bits)"),
     "Table 5 and the distribution over fresh data sets, warm reading; dotted: true K")

# %% [markdown]
# **"Both measures are able to find as optimal K the one used for generation of the dataset"**, in
# all six data sets. The table counts how often that happens. Under the warm reading it is a lucky
# draw to find all six; the default finds K far more often. BagClust1, which has no prior, does as
# well as the default: on these data the gain comes not from the prior but from starting each
# replicate anew.

# %%
hits = {}
for reading, values in drawn.items():
    for q, measure in enumerate(("S", "S_lm")):
        hits[reading, measure] = [float((v[:, :, q].argmin(axis=1) + 2 == k).mean())
                                  for v, k in zip(values, printed.TRUE_K)]
table = pd.DataFrame(hits, index=[f"data set {number}" for number in range(1, 7)]).T
table["all six"] = table.prod(axis=1)
show(table.round(2), "Share of data sets with the smallest entropy at the true K")
for q, (measure, cells) in enumerate((("S", printed.TABLE_4), ("S_lm", printed.TABLE_5))):
    CLAIMS.add(f"Tables 4 and 5, printed minima of {measure}", printed.TRUE_K,
               np.array(cells).argmin(axis=1) + 2)
    if not fast():
        CLAIMS.add(f"Section 4.2, {measure} finds K in all six data sets (probability)", 1.0,
                   table.loc[("warm", measure), "all six"], 0.12, status="corrected",
                   corrected=(0.05, 0.17)[q], full_only=True,
                   reason="""Product of the shares of data sets with the minimum at the true K; the
                   right value is that of 60 other data sets and an independent program. The printed
                   tables are one lucky draw.""")

# %%
show(figures.three_readings({name: drawn[name][0] for name in READINGS}, 3),
     "Data set 1: entropies over K, mean and standard deviation over data sets")

# %% [markdown]
# ### Figures 3, 4, 6, 7: entropy over K and the scale of the prior
#
# `cluster_number` fits BBC for each K and scale s and keeps both entropies. The figures show our
# data sets 1 and 5, with the warm reading, as in the paper, and with softclust's default.

# %%
curves = {}
for number, dataset in shown.items():
    for reading in ("default",) if fast() else ("default", "warm"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sc.ResamplingWarning)
            curves[number, reading] = sc.cluster_number(
                dataset.data, printed.K, scale=printed.SCALES, race=False, rng=3,
                estimator=study.clusterer(reading))
for number, names in ((1, "Figures 3 and 4"), (5, "Figures 6 and 7")):
    show(figures.entropy_curves({reading: chosen for (which, reading), chosen in curves.items()
                                 if which == number}),
         f"{names}: data set {number}, five scales of the prior; ring: minimum")

# %%
OTHERS = "One draw of ours; on others large scales give 4 as well."
for number, (first, second) in ((1, ("Figure 3, S", "Figure 4, S_lm")),
                                (5, ("Figure 6, S", "Figure 7, S_lm"))):
    chosen = curves[number, "default"]
    best = chosen.best_by_scale
    best_pair = chosen.n_clusters[chosen.pairwise_entropy.argmin(axis=0)]
    if number == 1:
        CLAIMS.add(f"{first}: best K for s = 1, 1.5, 3, 4.5, 6", (3,) * 5, best)
        CLAIMS.add(f"{second}: best K for s = 1, 1.5, 3, 4.5, 6", (3,) * 5, best_pair)
        continue
    CLAIMS.add(f"{first}: best K for s = 1, 3, 4.5, 6", (5,) * 4, best[[0, 2, 3, 4]],
               reason=OTHERS)
    CLAIMS.add(f"{first}: best K for s = 1.5 is another than 5", "yes",
               "yes" if best[1] != 5 else "no", status="unreachable",
               reason="""A property of the paper's one draw, which is not public: K = 4 and 5 are
               close there, and draws of ours show 4 for some scales or for none.""")
    CLAIMS.add(f"{second}: best K is 4 or 5 for every s", "yes",
               "yes" if {4, 5} >= set(best_pair) else "no")

# %% [markdown]
# The paper announces "a taxonomy of clustering results" from both entropies, but does not draw one.
# A plot of one entropy against the other can serve as one: near the origin the clustering is clear;
# to the right many objects are slightly uncertain; at the top two clusters should probably be
# merged.

# %%
show(sc.cluster_number(shown[5].data, printed.K, race=False, rng=3).plot(kind="taxonomy"),
     "Data set 5, s = 1: mean entropy and largest pairwise entropy; (l,m): the pair that has it")

# %% [markdown]
# ### Tables 6 and 7: silhouette and gap
#
# The silhouettes fit k-means with *one random start*. The gap statistic uses distances (not
# squared) and natural logarithms. In both tables the row of data set 6 fits the *first two of its
# three coordinates*, which is why silhouette and gap statistic "fail" there. With all three
# coordinates both find 4 clusters. We cannot explain why every row of Table 7 lies below our mean.

# %%
COUNT = 2 if fast() else 40
features = {6: 2}
silhouettes = [study.silhouettes(n, COUNT, features=features.get(n)) for n in range(1, 7)]
gaps = [study.gaps(n, COUNT, features=features.get(n)) for n in range(1, 7)]
if not fast():
    note = "99 % interval of one draw, from {} data sets; data set 6: first two coordinates"
    claim_cells("Table 6", printed.TABLE_6, silhouettes, note)
    claim_cells("Table 7", printed.TABLE_7, gaps, note)
    means = np.mean([found.mean(axis=1) for found in gaps], axis=0)    # of the whole table
    CLAIMS.add("Table 7, mean of all cells", np.mean(printed.TABLE_7), means.mean(),
               one_run(means, 0.0005, level=figures.LEVEL), status="unreachable", full_only=True,
               reason="""Each cell lies within its interval, but the table as a whole is too low for
               six independent data sets. Starts of k-means, power 2 and the box of the references
               do not explain it.""")
show(figures.printed_and_drawn(printed.TABLE_6, silhouettes, "silhouette"),
     "Table 6; data set 6 by its first two coordinates")

# %%
show(figures.printed_and_drawn(printed.TABLE_7, gaps, "gap (nats)"),
     "Table 7; data set 6 by its first two coordinates")

# %%
whole_silhouettes, whole_gaps = study.silhouettes(6, COUNT), study.gaps(6, COUNT)
ARTEFACT = """The printed row is that of the first two coordinates (claims above). In three
 dimensions the maximum of the mean over data sets is at 4, the true number."""
for name, cells, values in (("Table 6, silhouette", printed.TABLE_6, whole_silhouettes),
                            ("Table 7, gap", printed.TABLE_7, whole_gaps)):
    CLAIMS.add(f"{name}, data set 6, chosen K", int(np.argmax(cells[5])) + 2,
               int(values.mean(axis=0).argmax()) + 2, status="corrected", corrected=4,
               reason=ARTEFACT)
CLAIMS.add("Table 6, silhouette, data set 5, chosen K", 4,
           int(silhouettes[4].mean(axis=0).argmax()) + 2, status="unreachable",
           reason="""The maximum of the mean over data sets is at 5, the true number; the print is
           one draw, and a minority of draws has it at 4.""")
show(pd.DataFrame({"silhouette": whole_silhouettes.mean(axis=0), "gap": whole_gaps.mean(axis=0)},
                  index=printed.K).T.round(3), "Data set 6 in three dimensions: means over draws")

# %% [markdown]
# ## Errors of the paper
#
# * S sums over the object's index; the last term of $S_{lm}$ (Section 3.2).
# * "k → 0 falls back on Rubin": with m = n the variance is twice Rubin's (section 2.1).
# * Table 4 is in nats, Table 5 in bits.
# * Tables 6 and 7 use only two of the three coordinates of data set 6.
# * "In all cases": a lucky draw under the reading that fits the numbers.
# * Algorithm 2 prints its overlap without the brackets of the indicator, k stands for the
#   confidence and for a cluster, and equations (1) and (2) are numbered twice.
#
# ## All claims

# %%
CLAIMS.check()
show(CLAIMS.table())
