# %% [markdown]
# # Two clusterings against a truth: the Prayatul matrix
#
# A. Biswas, *Prayatul Matrix for Evaluating Clustering Algorithms: A Direct Comparison Approach*,
# 2023.
#
# **The paper.** Two clusterings of the same objects are compared with a truth pair by pair, in one
# 2 × 2 table, and five measures are computed from it. The paper claims that they show what the Rand
# index, mutual information and confusion matrices cannot, and states six theorems about them.
#
# **What we find.** We reproduce all cells of Table I except one, which is a misprint. Theorems 2, 3
# and 6 and parts of 5 are wrong; counterexamples are below. The five measures are functions of
# three Rand indices, and they order two clusterings as the Rand index does. The table itself is
# useful: it shows on which objects two clusterings differ, and how certain the difference is.

# %%
import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
from claims import Claims, fast
from prayatul_paper import checks, pictures
from prayatul_paper import printed as paper
from prayatul_paper.checks import measures
from prayatul_paper.printed import ALGORITHMS, DATA, KMEANS_COUNTS, MEASURES, TABLE_I, TABLE_II
from show import show

import softclust as sc

CLAIMS = Claims("A. Biswas: Prayatul Matrix for Evaluating Clustering Algorithms (2023)")

# %% [markdown]
# ## The matrix (Figure 1, equations 1 to 9, Algorithm 1)
#
# A pair of objects is *right* in a clustering if it is together there and in the truth, or apart
# in both.

# %%
show(pictures.draw_scheme(), "Figure 1 of the paper: what the four cells count, in pairs.")

# %% [markdown]
# With $T$ pairs in total the measures are $\sigma = (RW - WR)/(RW + WR)$,
# $\alpha = (BR + RW - BW)/T$, $\xi_c = (BR + RW)/(BR + RW + WR)$,
# $\xi_e = (BR + RW - WR)/(BR + RW + WR)$ and $\phi = (BR + RW - WR)/T$. In softclust:

# %%
truth = ["a", "a", "a", "b", "b", "b", "c", "c"]
primary, alternative = [0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 0, 1, 1, 1, 0, 2]
result = sc.prayatul(truth, primary, alternative)
show(result.plot(), "Areas are shares of the pairs.")
result.summary()

# %% [markdown]
# Algorithm 1 of the paper visits all pairs. softclust needs three contingency tables instead,
# $O(n)$, and exact integers up to a billion objects. Both give the same matrix:

# %%
loop = checks.algorithm_1(truth, primary, alternative)
CLAIMS.add("Equations 1 to 4, Algorithm 1, eight objects", loop, result.counts)
for number, symbol, expected, found in zip(range(5, 10), MEASURES, checks.by_equations(*loop),
                                           measures(result)):
    CLAIMS.add(f"Equation {number}, {symbol}, eight objects", float(expected), found, 1e-15)

# %% [markdown]
# ## The data sets and clusterings (Figure 2)
#
# Three data sets of scikit-learn's gallery, 1500 objects each. The paper leaves out the seed, the
# standardisation and parts of the parameters; the values in `recipe` are inferred from the tables.
# "KMeans" must have been mini-batch k-means: some of its cells are no fixed point of k-means. Noise
# of DBSCAN counts as one more cluster.

# %%
data = {"NC": sc.datasets.noisy_circles(), "NM": sc.datasets.noisy_moons(),
        "NS": sc.datasets.anisotropic_blobs()}
labels = {name: paper.stored(name) for name in DATA}
agreement = pd.DataFrame({DATA[name]: {
    algorithm: sc.adjusted_rand_index(labels[name][algorithm], found)
    for algorithm, found in checks.recipe(name, data[name]).items()}
    for name in DATA if name == "NS" or not fast()})
show(agreement.T, "The recipe run now against the labels used here (adjusted Rand index; 1: the "
     "same). Versions of scikit-learn may differ, so the labels are stored.")

# %%
for name in DATA:
    CLAIMS.add(f"Section IV-B, {DATA[name]}, number of instances", 1500, len(data[name].labels))
    assert (data[name].labels == labels[name]["truth"]).all()
show(pictures.draw_clusterings({name: data[name].data for name in DATA}, labels, DATA),
     "Figure 2 redrawn (every third object). Colour and marker: the class with which a cluster "
     "is matched. Black: misplaced.")

# %% [markdown]
# According to the text, DBSCAN and Spectral find exactly the classes of the first two sets. They
# do. It also says that DBSCAN has ε = .3 everywhere; on Aniso that gives one cluster.

# %%
for name, algorithm in itertools.product(("NC", "NM"), ("DBSCAN", "Spectral")):
    CLAIMS.add(f"Section IV-C1, {algorithm} on {DATA[name]} against the truth (NMI, ARI, AMI)",
               (1, 1, 1), [f(labels[name]["truth"], labels[name][algorithm]) for f in (
                   sc.normalized_mutual_information, sc.adjusted_rand_index,
                   sc.adjusted_mutual_information)], 1e-12)
found = {epsilon: checks.clusters_of_dbscan(data["NS"], labels["NS"]["DBSCAN"], epsilon)
         for epsilon in (.15, .3)}
show(pd.DataFrame(found, index=["clusters", "agreement with Table I's clustering"]).T)
CLAIMS.add("Section IV-B1, DBSCAN's ε on Aniso", .3, max(found, key=lambda e: found[e][1]), 0,
           status="corrected", corrected=.15,
           reason="ε = .3 finds one cluster there; with .15, which section IV-B gives as ε, all "
           "cells of Table I are reached")

# %% [markdown]
# ## Table I
#
# KMeans on Noisy Circles is the one run that could not be found. But Table II leaves only one
# 2 × 2 table of counts for it (below), and Table I then leaves one free number, the objects that it
# shares with BIRCH. With 381 of them every printed digit is reproduced, so the author's matrix is
# known, even though his run is not: BR, RW, WR, BW = 282 661, 282 570, 279 089, 279 930.

# %%
used = {name: dict(labels[name]) for name in DATA}
used["NC"]["KMeans"] = paper.implied_kmeans(labels["NC"]["truth"], labels["NC"]["BIRCH"])
tables = {name: sc.prayatul_all(used[name]["truth"], {a: used[name][a] for a in ALGORITHMS},
                                zero_division=0.0) for name in DATA}

WHY = {"implied": "labels built from the counts of Table II and one free number; the author's run "
                  "is not known",
       "zero": "0/0: both clusterings are the truth; 0 is the author's convention, softclust "
               "returns nan unless asked for zero_division=0",
       "cut": "printed digits are cut off, not rounded"}
for (primary, alternative, name), printed in TABLE_I.items():
    result = tables[name][primary, alternative]
    for symbol, value, ours in zip(MEASURES, printed, measures(result)):
        place = f"Table I, {primary} over {alternative}, {name}, {symbol}"
        if (primary, alternative, name, symbol) == paper.MISPRINT:
            CLAIMS.add(place, value, ours, 1e-4, status="corrected",
                       corrected=-TABLE_I["KMeans", "Spectral", "NS"][0],
                       reason="exchanging the two changes the sign of σ (equation 5); the opposite "
                       "row prints -.9474, and all other 17 pairs of rows obey")
            continue
        reasons = [WHY["implied"]] if name == "NC" and "KMeans" in (primary, alternative) else []
        if symbol == "σ" and not result.right_wrong + result.wrong_right:
            reasons.append(WHY["zero"])
        cut = abs(ours - value) > 5e-5 + 1e-12 and math.trunc(ours * 1e4) == round(value * 1e4)
        CLAIMS.add(place, value, ours, 1e-4 if cut else 5e-5,
                   reason="; ".join(reasons + [WHY["cut"]] * cut))

for name in DATA:
    show(checks.table_1(tables[name], name), f"Table I, {DATA[name]} ({name}).")

# %% [markdown]
# The head of Table I calls the last measure φc; its definition calls it φe.

# %%
CLAIMS.add("Table I, head, symbol of effective superiority", "phi_c", "phi_e", status="corrected",
           corrected="phi_e", reason="definition 7 and theorem 1 call it phi_e")

# %% [markdown]
# ## Tables II and III
#
# Table II shows scores of a confusion matrix of raw labels. They depend on the names of the
# clusters, which is the paper's argument against them. The names that KMeans and Spectral give
# depend on the run, so here they are permuted to fit; those of BIRCH and DBSCAN are unchanged.

# %%
rows = {}
for algorithm, name in itertools.product(TABLE_II, DATA):
    printed = TABLE_II[algorithm][list(DATA).index(name)]
    truth, found = labels[name]["truth"], labels[name][algorithm]
    if algorithm in ("KMeans", "Spectral"):
        found = paper.relabelled(truth, found, printed, name != "NS")
    for score, value, ours in zip(("accuracy", "precision", "recall"), printed,
                                  paper.scores(truth, found, name != "NS")):
        rows.setdefault(f"{algorithm}, {name}", {}).update({
            (score, "print"): f"{value:g}", (score, "ours"): f"{ours:.4f}"})
        lost = (name, algorithm) == ("NC", "KMeans") and abs(value - ours) > 5.1e-5
        CLAIMS.add(f"Table II, {algorithm}, {name}, {score}", value, ours, 5.1e-5,
                   status="unreachable" if lost else "reproduced",
                   reason="the author's run of KMeans was not found; ours is the nearest one. The "
                   "counts that the three printed scores imply explain 30 cells of Table I"
                   if lost else "")
show(pd.DataFrame(rows).T, "Table II. Precision on Aniso is the mean over DBSCAN's "
     "five labels or the others' three, recall is weighted by class.")

# %% [markdown]
# The scores of KMeans on the circles, accuracy .5, precision .5, recall .5013 among 750 + 750
# objects, leave one table of counts: recall × 750 is 376 hits, accuracy × 1500 = 750 leaves 374 in
# the other class, precision .5 then means 376 false ones. Table I's rows of KMeans against DBSCAN
# and Spectral (both equal to the truth) follow from it:

# %%
expanded = [np.repeat([0, 0, 1, 1], KMEANS_COUNTS.ravel()),
            np.repeat([0, 1, 0, 1], KMEANS_COUNTS.ravel())]
implied = sc.prayatul(expanded[0], expanded[1], expanded[0])
show(pd.DataFrame(KMEANS_COUNTS, index=["class 0", "class 1"], columns=["cluster 0", "cluster 1"]))
CLAIMS.add("Tables I and II, Noisy Circles, KMeans over DBSCAN, five measures from the counts",
           TABLE_I["KMeans", "DBSCAN", "NC"], measures(implied), 5e-5)

# %% [markdown]
# Table III and Figure 3 are pictures in the paper, without text to compare with. Ours:

# %%
rows = {}
for name, algorithm in itertools.product(DATA, ALGORITHMS):
    pair = used[name]["truth"], used[name][algorithm]
    rows.setdefault(algorithm, {}).update({
        (name, "NMI"): sc.normalized_mutual_information(*pair),
        (name, "ARI"): sc.adjusted_rand_index(*pair),
        (name, "AMI"): sc.adjusted_mutual_information(*pair)})
show(pd.DataFrame(rows).T.round(4), "Table III, ours.")
CLAIMS.add("Table III, NMI, ARI and AMI", "a picture", None, status="unreachable",
           reason="its numbers are in a picture without text; those that the text repeats are "
           "claims of section IV-C1")

# %% [markdown]
# ## The matrices of BIRCH (Figure 3)

# %%
show(pictures.draw_mosaics(tables, "BIRCH", ("DBSCAN", "KMeans", "Spectral"), DATA),
     "Figure 3 as mosaics: areas are shares of the 1 124 250 pairs. Left column of each: BIRCH "
     "right.")
counts = pd.DataFrame({
    (DATA[name], other): dict(zip(("BR", "RW", "WR", "BW"), tables[name]["BIRCH", other].counts))
    for name in DATA for other in ("DBSCAN", "KMeans", "Spectral")}).T
show(counts, "Figure 3, numbers.")
CLAIMS.add("Figure 3, matrices of BIRCH", "a picture", None, status="unreachable",
           reason="its numbers are in a picture without text; measures of all nine matrices are in "
           "Table I, and zeros named in the text are claims of section IV-C2")
for name, other in itertools.product(("NC", "NM"), ("DBSCAN", "Spectral")):
    CLAIMS.add(f"Section IV-C2, RW of BIRCH over {other}, {name}", 0,
               tables[name]["BIRCH", other].right_wrong)
CLAIMS.add("Section IV-C2, BIRCH has more right decisions than KMeans (RW > WR)", "mostly",
           "mostly" if sum(tables[name]["BIRCH", "KMeans"].delta > 0 for name in DATA) == 2
           else "otherwise", reason="on NC and NM, not on NS")

# %% [markdown]
# ## Conclusions that the text draws from the measures
#
# Two statements are wrong. "KMeans is better than BIRCH" on circles and moons contradicts Table I.
# "Almost 50 % of the instances are clustered correctly" on the circles is called an "insight nearly
# impossible" to get from ARI; but random labels also have half of the *pairs* right.

# %%
rng = np.random.default_rng(0)
truth = used["NC"]["truth"]
chance = [sc.prayatul(truth, rng.permutation(truth), truth).polarization for _ in range(50)]
show(pd.DataFrame({"polarization against the truth": {
    "KMeans (printed .4997)": tables["NC"]["KMeans", "DBSCAN"].polarization,
    "BIRCH (printed .5028)": tables["NC"]["BIRCH", "DBSCAN"].polarization,
    "random labels, mean of 50": np.mean(chance), "random labels, least": min(chance),
    "random labels, largest": max(chance)}}).round(5))
# E of the share of right pairs: both together or both apart, by chance, sizes 750 and 750
together = Fraction(749, 1499)
CLAIMS.add("Section IV-C1, α = .4997 of KMeans on the circles shows", "half the instances right",
           "no more than chance" if abs(TABLE_I["KMeans", "DBSCAN", "NC"][1] - np.mean(chance))
           < 1e-3 else "more than chance", status="corrected", corrected="no more than chance",
           reason="labels of two halves drawn by chance have two objects together with probability "
           f"{together}, so a pair is right with probability "
           f"{float(together**2 + (1 - together)**2):.7f}")
for name in ("NC", "NM"):
    better = tables[name]["BIRCH", "KMeans"]
    CLAIMS.add(f"Section IV-C1, better of BIRCH and KMeans on {DATA[name]}", "KMeans",
               "BIRCH" if better.delta > 0 else "KMeans", status="corrected", corrected="BIRCH",
               reason="all five measures of Table I are larger for BIRCH over KMeans than for "
               f"KMeans over BIRCH; its σ is {TABLE_I['BIRCH', 'KMeans', name][0]}")
CLAIMS.add("Section IV-C1, better of BIRCH and KMeans on Aniso", "KMeans",
           "KMeans" if tables["NS"]["BIRCH", "KMeans"].delta < 0 else "BIRCH")
for name, algorithm in itertools.product(("NM", "NS"), ("BIRCH", "KMeans")):
    CLAIMS.add(f"Section IV-C1, α of {algorithm} over DBSCAN and Spectral above .5, {name}", True,
               all(tables[name][algorithm, o].polarization > .5 for o in ("DBSCAN", "Spectral")))

# %% [markdown]
# ## Five measures, three Rand indices
#
# Let $a$, $b$ be the Rand indices of primary and alternative with the truth, $c$ that of one with
# the other. Then
# $$BR = T\frac{a+b+c-1}{2},\quad RW = T\frac{1+a-b-c}{2},\quad WR = T\frac{1-a+b-c}{2},
# \quad BW = T\frac{1-a-b+c}{2}$$
# so $\sigma = (a-b)/(1-c)$, and similarly for the others. This has two consequences. First,
# $\xi_e = 2\xi_c - 1$, so there are four measures, not five. Second, each of them prefers the
# clustering with the larger Rand index.

# %%
every = [result for name in DATA for result in tables[name]]
gap = max(abs(r.effective_rightness - (2 * r.comparative_rightness - 1)) for r in every)
draws = [sc.prayatul(*rng.integers(0, 3, (3, 12)), zero_division=0.0) for _ in range(200)]
columns = np.array([(1, *measures(result)) for result in draws])
CLAIMS.add("Definitions 3 to 7, number of measures that say different things", 5,
           int(np.linalg.matrix_rank(columns, tol=1e-9)) - 1, status="corrected", corrected=4,
           reason="ξe = 2 ξc - 1, from equations 7 and 8: BR + RW - WR = 2(BR + RW) - "
           "(BR + RW + WR)")
signs = {tuple(np.sign(np.subtract(measures(tables[name][r.names]), measures(
    tables[name][r.names[::-1]])) * np.sign(r.delta or 1)).astype(int).tolist())
    for name in DATA for r in tables[name]}
print(f"largest |ξe - (2 ξc - 1)| in Table I: {gap:.1e}")
CLAIMS.add("Abstract, insight of the five measures into which clustering is better",
           "beyond ARI, NMI and others", "the order of the Rand index" if signs <= {
               (1,) * 5, (0,) * 5} else "another order", status="corrected",
           corrected="the order of the Rand index",
           reason="m(p, q) - m(q, p) has the sign of RW - WR = T(a - b) for each of the five")

# %% [markdown]
# ## The theorems
#
# Theorem 1 (ranges) and theorem 4 (names of labels do not matter) hold. The table below has all
# triples of partitions of three objects, which already attain both ends of every range.


# %%
three = [measures(sc.prayatul(*triple, zero_division=0.0))
         for triple in itertools.product(checks.partitions(3), repeat=3)]
for symbol, low, least, most in zip(MEASURES, (-1, -1, 0, -1, -1), np.min(three, axis=0),
                                    np.max(three, axis=0)):
    CLAIMS.add(f"Theorem 1, range of {symbol}", (low, 1), (least, most))
base = sc.prayatul(truth, used["NC"]["BIRCH"], used["NC"]["KMeans"])
renamed = sc.prayatul(truth, 1 - used["NC"]["BIRCH"], np.array(["x", "y"])[used["NC"]["KMeans"]])
CLAIMS.add("Theorem 4, matrix with other names of clusters", base.counts, renamed.counts)
CLAIMS.add("Section III-C, number of axioms", 4, 5, status="corrected", corrected=5,
           reason="the list has scale, data, permutation invariance, monotonicity, continuity")

# %% [markdown]
# **Theorem 2, scale invariance,** mistakes $\ln(u - v)$ for $\ln u - \ln v$. Equation 17 then says
# that σ of scaled counts is a product of two sigmas. With RW, WR = 2, 1, scaled by 2 and 5, it
# gives -1/7, but ten objects with RW, WR = 4, 5 give -1/9. Repeating every object changes α.

# %%
sample = next(found for found in (sc.prayatul(*rng.integers(0, 3, (3, 10)), zero_division=0.0)
                                  for _ in range(100_000))
              if (found.right_wrong, found.wrong_right) == (4, 5))
CLAIMS.add("Equation 17, σ of RW, WR = 2, 1 scaled by 2 and 5", Fraction(2 - 5, 2 + 5)
           * Fraction(2 - 1, 2 + 1), Fraction(sample.comparative_deviation).limit_denominator(99),
           1e-12, status="corrected", corrected=Fraction(4 - 5, 4 + 5),
           reason="equation 5 with RW, WR = 4, 5; in the proof ln(u - v) is taken as ln u - ln v")
eight = ([0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 0, 1, 1, 1, 0, 2])
once, twice = sc.prayatul(*eight), sc.prayatul(*(x * 2 for x in eight))
CLAIMS.add("Theorem 2, α when every one of eight objects is doubled", once.polarization,
           twice.polarization, 1e-9, status="corrected", corrected=Fraction(7, 10),
           reason="BR, RW, WR, BW are 13, 7, 7, 1 for eight objects, α = 19/28, and 60, 28, 28, 4 "
           "for sixteen, α = 84/120")
show(pd.DataFrame([[*r.counts, *measures(r)] for r in (once, twice)], index=["once", "twice"],
                  columns=["BR", "RW", "WR", "BW", *MEASURES]).round(6))

# %% [markdown]
# **Theorem 3, data invariance.** If one clustering has one cluster and the other has singletons,
# only the sizes of the classes decide which is better.

# %%
rows = {}
for sizes in ((500, 500), (900, 100), (990, 10)):
    classes = np.repeat([0, 1], sizes)
    found = sc.prayatul(classes, np.zeros(1000, int), np.arange(1000)).comparative_deviation
    same = sum(math.comb(m, 2) for m in sizes)
    exact = Fraction(2 * same - math.comb(1000, 2), math.comb(1000, 2))
    rows[f"{sizes[0]}/{sizes[1]}"] = (f"{found:.4f}", str(exact))
    if sizes != (500, 500):
        CLAIMS.add(f"Theorem 3, σ of one cluster over singletons, classes {sizes[0]}/{sizes[1]} "
                   "(theorem: as for 500/500)", Fraction(-1, 999), found, 1e-12,
                   status="corrected", corrected=exact, reason="RW are the same-class pairs, WR "
                   "the others: σ = (S - D)/(S + D)")
show(pd.DataFrame(rows, index=["σ", "exactly"]).T)

# %% [markdown]
# **Theorem 5, monotonicity.** No measure falls when the primary clustering is right on more pairs
# and wrong on no other; we checked all partitions of four objects. But the proof also counts a
# smaller BW, or a worse alternative, as an improvement. Both can lower a measure.

# %%
worst = checks.least_change(4, every=2 if fast() else 1)
CLAIMS.add("Theorem 5, least change of a measure when the primary is right on more pairs, four "
           "objects", "≥ 0", "≥ 0" if worst >= -1e-15 else "< 0")

better = [sc.prayatul([0, 0, 0, 0, 1], [0, 0, 0, 1, 1], q, zero_division=0.0)
          for q in ([0, 0, 1, 2, 3], [0, 0, 1, 1, 2])]
worse = [sc.prayatul([0] * 4, [0, 0, 0, 1], q, zero_division=0.0) for q in ([0] * 4, [0, 0, 0, 1])]
show(pd.DataFrame([[*r.counts, *measures(r)] for r in (*better, *worse)], index=[
    "truth 00001, primary 00011, alternative 00123", "the same, alternative 00112",
    "truth 0000, primary 0001, alternative 0000", "the same, alternative 0001"],
    columns=["BR", "RW", "WR", "BW", *MEASURES]).round(3),
    "Row 2: BW falls from 3 to 2, and so do ξc, ξe, φ. Row 4: the alternative is worse, α falls.")
for symbol, k, exact in (("ξc", 2, (Fraction(6, 7), Fraction(6, 8))),
                         ("ξe", 3, (Fraction(5, 7), Fraction(4, 8))),
                         ("φ", 4, (Fraction(5, 10), Fraction(4, 10)))):
    assert math.isclose(measures(better[0])[k], exact[0])
    CLAIMS.add(f"Theorem 5, change of {symbol} when BW decreases from 3 to 2", "not negative",
               "negative" if measures(better[1])[k] < measures(better[0])[k] else "not negative",
               status="corrected", corrected="negative",
               reason=f"truth 00001, primary 00011, alternative 00123 to 00112: {exact[0]} to "
               f"{exact[1]}")
CLAIMS.add("Theorem 5, change of α when the alternative gets wrong on more pairs", "not negative",
           "negative" if worse[1].polarization < worse[0].polarization else "not negative",
           status="corrected", corrected="negative",
           reason="truth 0000, primary 0001, alternative 0000 to 0001: BR, RW, WR, BW = 3, 0, 3, 0 "
           "to 3, 0, 0, 3, so 3/6 to 0")

# %% [markdown]
# **Theorem 6, continuity.** One object of 1500 takes σ from 0 (by convention) to -1. α and φ are
# continuous: an object is in $n - 1$ pairs, so they move by at most $4/n$. The proof also misprints
# the first case of equation 19 in equation 20, and says that the number of pairs grows
# exponentially.

# %%
moved = truth.copy()
moved[0] = 1 - moved[0]
before, after = (sc.prayatul(truth, p, truth, zero_division=0.0) for p in (truth, moved))
CLAIMS.add("Theorem 6, change of σ by one object of 1500", "small",
           "small" if abs(after.comparative_deviation - before.comparative_deviation) < .5
           else "half of its range", status="corrected", corrected="half of its range",
           reason="primary and alternative equal the truth: σ = 0/0, 0 by the author's convention; "
           "with one object of the primary misplaced RW = 0 < WR and σ = -1")
for name in ("polarization", "effective_superiority"):
    CLAIMS.add(f"Theorem 6, change of {name.replace('_', ' ')} by one object of 1500 at most 4/n",
               True, abs(getattr(after, name) - getattr(before, name)) <= 4 / 1500 + 1e-12)
one_more = next(found for found in (sc.prayatul(*rng.integers(0, 3, (3, 6)), zero_division=0.0)
                                    for _ in range(100_000))
                if (found.right_wrong, found.wrong_right) == (3, 1))
CLAIMS.add("Equation 20, first case (RW increases), from RW, WR = 2, 1", Fraction(1 - 1, 3 + 1),
           one_more.comparative_deviation, 1e-12, status="corrected",
           corrected=Fraction(1 + 1, 3 + 1), reason="equation 19 has RW - WR + 1 = a + 1 above the "
           "line; equation 20 prints a - 1")
CLAIMS.add("Proof of theorem 6, number of pairs when n is doubled (750 to 1500)", "exponentially",
           "four times" if abs(base.pairs / math.comb(750, 2) - 4) < .01 else "otherwise",
           status="corrected", corrected="four times", reason="n(n - 1)/2 grows as n squared")
CLAIMS.add("Section III-B, subtraction in the polarization", "BR from BW", "BW from BR"
           if math.isclose(base.polarization, (base.both_right + base.right_wrong
                                               - base.both_wrong) / base.pairs) else "other",
           status="corrected", corrected="BW from BR", reason="equation 6")

# %% [markdown]
# ## Which objects, and what kind of error
#
# Beyond the paper: the matrix splits into rows of objects (each object with its $n - 1$ partners)
# and into pairs of one class and of two classes. `advantage` is the share of an object's pairs that
# only the primary has right, minus the share that only the alternative has right; its mean is
# $a - b$.

# %%
result = sc.prayatul(used["NS"]["truth"], used["NS"]["BIRCH"], used["NS"]["DBSCAN"],
                     names=("BIRCH", "DBSCAN"))
show(pictures.draw_objects(data["NS"].data, result.objects(), "BIRCH", "DBSCAN"),
     "Aniso: where BIRCH and DBSCAN differ. Size and colour: how much.")
result.parts().summary()

# %% [markdown]
# ## How certain is the difference?
#
# The paper mentions McNemar's test. It must not be used on pairs: pairs that share an object are
# dependent, and the more objects there are, the more often the test rejects a true null hypothesis.
# softclust resamples objects: a jackknife in closed form, or a bootstrap. (The labels are taken as
# fixed; to compare *algorithms*, fit them on several data sets.)

# %%
show(result.jackknife().plot(), "Aniso: jackknife intervals.")
boot = result.bootstrap(rng=1, n_resamples=200 if fast() else 2000)
limits = {name: intervals["delta"] for name, intervals in (
    ("jackknife", result.jackknife()), ("bootstrap", boot))}
show(pd.DataFrame({name: {"low": ends.low, "high": ends.high}
                   for name, ends in limits.items()}).T.round(4),
     "95 % intervals of the difference of the Rand indices.")

repeats = 60 if fast() else 1000
rates = pd.DataFrame({n: checks.null_rates(n, repeats, np.random.default_rng(n))
                      for n in (50, 200, 1000)},
                     index=["McNemar on pairs", "jackknife over objects"]).T
show(pictures.draw_rejections(rates, .05, repeats),
     f"Share of {repeats} data sets without a difference where a test finds one, with 95 % "
     "confidence intervals.")

# %% [markdown]
# ## Soft clusterings
#
# The paper covers only hard labels. softclust has three extensions, each equal to the paper's
# matrix for hard labels: the *expected* matrix when labels are drawn by the memberships, the
# *minimum* coupling, which finds no difference between a clustering and itself, and, for evidential
# clusterings, right, wrong and *unknown* pairs with bounds of all measures.

# %%
few = np.arange(0, 1500, 10)
x, g = data["NS"].data[few], used["NS"]["truth"][few]
fuzzy = sc.cluster.FuzzyCMeans(3, random_state=0).fit(x).clustering_
credal = sc.cluster.EvidentialCMeans(3, random_state=0).fit(x).clustering_
spectral = used["NS"]["Spectral"][few]
rows = {f"fuzzy c-means over {name}, {coupling}": sc.prayatul(
    g, fuzzy, other, coupling=coupling, zero_division=0.0)
    for name, other in (("Spectral", spectral), ("itself", fuzzy))
    for coupling in ("expected", "minimum")}
show(pd.DataFrame([[f"{v:.1f}" for v in r.counts] + [f"{v:.4f}" for v in measures(r)]
                   for r in rows.values()], index=list(rows),
                  columns=["BR", "RW", "WR", "BW", *MEASURES]), "150 objects of Aniso.")
bounds = sc.prayatul(g, credal, spectral, coupling="evidential",
                     names=("evidential c-means", "Spectral"))
show(bounds.plot(), "Evidential c-means against Spectral: some pairs are unknown.")
bounds.summary()

# %% [markdown]
# ## Claims

# %%
CLAIMS.check()
CLAIMS.table()
