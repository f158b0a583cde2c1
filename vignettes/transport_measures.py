# %% [markdown]
# # Transport measures, 1: definitions and examples
#
# A. Campagner, D. Ciucci, T. Denoeux, "A general framework for evaluating and comparing soft
# clusterings", *Information Sciences* 623 (2023) 70-93, doi 10.1016/j.ins.2022.11.114.
#
# The paper reads every soft clustering (rough, fuzzy, possibilistic, evidential) as incomplete
# knowledge of one hard clustering, and extends any distance between hard clusterings to soft ones.
# The result is an interval: one end forgives ambiguity, the other counts it as error.
#
# Four pages follow the paper:
#
# 1. this one: definitions and numbered examples, Table 1 and Table 3;
# 2. [statements of sections 2 to 4.1](transport_errata.html), with counterexample and proof where
#    one is false;
# 3. [bounds and approximations](transport_bounds.html): the same for sections 4.2 and 4.3;
# 4. [the two experiments](transport_experiments.html): Table 2 and figures 1 to 4.
#
# **How to read the page.** Each printed number becomes a *claim*: as printed, as softclust computes
# it, and what is right where the print is wrong. "By hand" means `transport/by_hand.py`: the
# definitions in rational arithmetic, a few lines each, written without softclust. The table at the
# end lists all claims.

# %%
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
from claims import Claims
from show import show
from transport import by_hand, charts, tell

import softclust as sc

CLAIMS = Claims("Campagner, Ciucci, Denoeux (2023), sections 2 to 4: definitions and examples")

# %% [markdown]
# ## Examples 2.1 to 2.5: five clusterings of five objects
#
# All examples of the paper use the same five clusterings: C is hard, R rough, F fuzzy,
# P possibilistic, M evidential. Objects are x1 to x5; the clusters have the numbers 1 to 3.

# %%
names = {"object_names": ["x1", "x2", "x3", "x4", "x5"], "cluster_names": [1, 2, 3]}
third = 1 / 3
C = sc.HardClustering([0, 1, 1, 2, 0], **names)
R = sc.RoughClustering.from_upper(
    [[1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 1, 1]], **names)
F = sc.FuzzyClustering(
    [[1, 0, 0], [0, 1, 0], [0, 0.5, 0.5], [0, 0, 1], [third, third, third]], **names)
P = sc.PossibilisticClustering(
    [[1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 1, 0.8]], **names)
M = sc.EvidentialClustering.from_dicts(
    [{1: 1}, {2: 1}, {(2, 3): 0.5, (1, 2, 3): 0.5}, {3: 1},
     {(1, 2, 3): 0.5, 1: 1 / 6, 2: 1 / 6, 3: 1 / 6}], **names)
soft = {"R": R, "F": F, "P": P, "M": M}

show(charts.five_clusterings({"C": C, **soft}),
     "The five clusterings. Dark: belief that the object belongs to the cluster. Dark and light: "
     "plausibility. The light parts are ambiguity.")

# %% [markdown]
# The same clusterings in fractions, for the calculations by hand.

# %%
hand = {
    "C": by_hand.rough("1|2|2|3|1"),
    "R": by_hand.rough("1|2|23|3|123"),
    "F": by_hand.fuzzy("1 0 0", "0 1 0", "0 1/2 1/2", "0 0 1", "1/3 1/3 1/3"),
    "P": by_hand.evidential({"1": 1}, {"2": 1}, {"23": 1}, {"3": 1}, {"123": ".8", "12": ".2"}),
    "M": by_hand.evidential({"1": 1}, {"2": 1}, {"23": "1/2", "123": "1/2"}, {"3": 1},
                            {"123": "1/2", "1": "1/6", "2": "1/6", "3": "1/6"}),
}

# %% [markdown]
# **Example 2.2** writes C as an equivalence relation, but lists only the pairs of different
# objects: four. The five pairs of an object with itself belong to the relation as well.

# %%
together = C.relation().dense()[:, :, 0] == 1
CLAIMS.add("Example 2.2, number of pairs in [C]", 4, int(together.sum()), status="corrected",
           corrected=sum(a == b for a, b in product([1, 2, 2, 3, 1], repeat=2)),
           reason="An equivalence relation is reflexive: the print lacks the pairs (x, x).")
tell(CLAIMS, "Example 2.2")

# %% [markdown]
# **Example 2.4** lists C(R), the hard clusterings that are compatible with R.

# %%
printed = {(1, 2, 3, 3, 3), (1, 2, 3, 3, 2), (1, 2, 3, 3, 1),
           (1, 2, 2, 3, 3), (1, 2, 2, 3, 2), (1, 2, 2, 3, 1)}
compatible = list(product(*[np.flatnonzero(row) + 1 for row in R.upper]))
CLAIMS.add("Example 2.4, C(R)", sorted(printed), sorted(compatible))
tell(CLAIMS, "Example 2.4")

# %% [markdown]
# ## Example 2.6 and Table 1: pairs of objects under M
#
# Two objects are in the *same* cluster, in *different* ones, or the masses leave it open. The pair
# masses of eq. 3 are sums of products of masses, computed by `relation()`.

# %%
table_1 = {
    "(x1, x2)": "0 0 1 0", "(x1, x3)": "0 0 .5 .5", "(x1, x4)": "0 0 1 0",
    "(x1, x5)": "0 1/6 1/3 .5", "(x2, x3)": "0 0 0 1", "(x2, x4)": "0 0 1 0",
    "(x2, x5)": "0 1/6 1/3 .5", "(x3, x4)": "0 0 0 1", "(x3, x5)": "0 0 1/12 11/12",
    "(x4, x5)": "0 1/6 1/3 .5",
}
relation = M.relation()
for pair, text in table_1.items():
    mass = relation.pair(int(pair[2]) - 1, int(pair[6]) - 1)
    CLAIMS.add(f"Table 1, {pair}", [Fraction(v) for v in text.split()],
               (mass.conflict, mass.same, mass.different, mass.undetermined), 1e-12)
tell(CLAIMS, "Table 1", "Table 1: masses on the empty set, same, different, either")

# %% [markdown]
# ## Example 2.7: two distances of pair masses
#
# The pair (x2, x3) is undetermined in M. M1 is sure of "same", M2 gives "same" and "different" a
# mass of one half each. By the belief distance both are equally far from M1; by Jousselme's
# distance the undetermined pair is farther. With two objects there is one pair, so 1 -
# `credal_rand_index` is the distance of its masses. (The last d_B of the example is a misprint for
# d_J.)

# %%
m, m1 = M.subset([1, 2]), [0, 0]
m2 = sc.FuzzyClustering([[1, 0], [0.5, 0.5]])
for distance, letter, first, second in (("belief", "B", 0.5, 0.5), ("jousselme", "J", 0.71, 0.5)):
    CLAIMS.add(f"Example 2.7, d_{letter}(M, M1)", first,
               1 - sc.credal_rand_index(m, m1, distance=distance), 0.005)
    CLAIMS.add(f"Example 2.7, d_{letter}(M2, M1)", second,
               1 - sc.credal_rand_index(m2, m1, distance=distance), 0.005)
tell(CLAIMS, "Example 2.7")

# %% [markdown]
# ## Example 3.1: soft clusterings as distributions of hard ones
#
# Objects are independent, so F is a probability on hard clusterings (eq. 12), P a possibility
# (eq. 13), M a mass function on rough clusterings (eq. 11). The print has (1, 2, 3, 3, 1) twice;
# the last of the six must be (1, 2, 2, 3, 1).

# %%
def law(clustering):
    """Return {focal rough clustering: mass}: one label set per object, objects independent."""
    whole = clustering.to_evidential()
    sets = [tuple(np.flatnonzero(row) + 1) for row in whole.focal_sets]
    found = {}
    for chosen in product(*[np.flatnonzero(row) for row in whole.mass]):
        masses = [whole.mass[i, b] for i, b in enumerate(chosen)]
        found[tuple(sets[b] for b in chosen)] = float(np.prod(masses))
    return found


probability = {tuple(int(labels[0]) for labels in focal): mass for focal, mass in law(F).items()}
CLAIMS.add("Example 3.1, clusterings of probability 1/6 under F", 5,
           len({c for c, p in probability.items() if abs(p - 1 / 6) < 1e-12}), status="corrected",
           corrected=len(by_hand.law(hand["F"])),
           reason="(1, 2, 3, 3, 1) is printed twice; the six are C(R) of example 2.4.")
CLAIMS.add("Example 3.1, Pr_F of each", Fraction(1, 6), max(probability.values()), 1e-12)
possibility = {c: min(P.typicality[i, k - 1] for i, k in enumerate(c)) for c in compatible}
CLAIMS.add("Example 3.1, Poss_P of (1, 2, 3, 3, 3) and (1, 2, 2, 3, 3)", (0.8, 0.8),
           (possibility[1, 2, 3, 3, 3], possibility[1, 2, 2, 3, 3]), 1e-12)
CLAIMS.add("Example 3.1, Poss_P of the other four", (1, 1, 1, 1),
           [p for c, p in possibility.items() if c[-1] != 3], 1e-12)
mass_m = law(M)
CLAIMS.add("Example 3.1, m_M of (1, 2, 23, 3, Omega) and (1, 2, Omega, 3, Omega)", (0.25, 0.25),
           [v for focal, v in mass_m.items() if focal[-1] == (1, 2, 3)], 1e-12)
CLAIMS.add("Example 3.1, m_M of the other six", Fraction(1, 12),
           max(v for focal, v in mass_m.items() if len(focal[-1]) == 1), 1e-12)
tell(CLAIMS, "Example 3.1")

# %% [markdown]
# ## Examples 3.2 and 3.3: transport values
#
# Two rough clusterings are compared by their closest compatible hard clusterings ($d_0$, eq. 14a)
# and by the Hausdorff distance of the two sets ($d_1$, eq. 14b); $d_\alpha$ lies between. Two
# distributions are coupled at minimum cost (eq. 15). `transport_dissimilarity` gives both ends and
# says whether they are exact.

# %%
result = sc.transport_dissimilarity(C, M)
print(result)
show(result.plot(), "Transport dissimilarity of C and M, base 1 - Rand.")

# %% [markdown]
# C is hard, so there is only one coupling, and the values are means over the focal rough
# clusterings of the other side. This is theorem 3.3: $d_0$ and $d_1$ are the lower and the upper
# expectation of the distance to C. The picture has one bar for each focal clustering, from the
# smallest to the largest distance between C and a compatible hard clustering.

# %%
focal = {}
for name, clustering in soft.items():
    rows = []
    for sets, mass in law(clustering).items():
        distances = [1 - sc.rand_index([1, 2, 2, 3, 1], list(c)) for c in product(*sets)]
        rows.append((sets, mass, min(distances), max(distances)))
    ours = sc.transport_dissimilarity(C, clustering)
    expected = [sum(row[1] * row[k] for row in rows) for k in (2, 3)]
    CLAIMS.add(f"Theorem 3.3, (C, {name}): lower and upper expectation", expected,
               (ours.lower, ours.upper), 1e-12)
    focal[name] = rows
show(charts.focal_distances(focal),
     "Focal rough clusterings (1|2|23|3|123: object 3 in cluster 2 or 3, object 5 in any) with "
     "their distances to C. The width of a bar is its mass; the vertical lines are the means of "
     "the left and of the right ends: the transport values.")

# %% [markdown]
# **The printed partition distances are divided by n, not by n - 1.** Eq. 10 defines the partition
# distance as moved objects divided by n - 1 (the sum counts each object twice, so it is divided by
# 2(n - 1)). All printed
# values with this base are (n - 1)/n = 4/5 of the definition. softclust follows the definition; the
# table has both.

# %%
def partition_claims(place, published, ours, exact, tolerance):
    """A number that the paper divides by 2n: the definition, and the printed convention."""
    assert not np.allclose(float(exact), published, atol=tolerance)
    CLAIMS.add(f"{place}, as eq. 10 and 30 define it", published, ours, 1e-9, status="corrected",
               corrected=exact, reason="Printed with 2n in place of 2(n - 1); by hand "
               f"{exact}, times (n - 1)/n = 4/5 it is {exact * Fraction(4, 5)}.")
    CLAIMS.add(f"{place}, divided by 2n", published, 0.8 * ours, tolerance)


def at(alpha, x, y, base):
    """softclust's value and that by hand."""
    found = sc.transport_dissimilarity({"C": C, **soft}[x], {"C": C, **soft}[y], base=base,
                                       alpha=float(alpha))
    assert found.exact
    metric = {"rand": by_hand.disagreement, "partition": by_hand.moved}[base]
    exact = by_hand.transport(hand[x], hand[y], metric, alpha)
    assert abs(found.value - exact) < 1e-9
    return found.value, exact


zero, half, one = by_hand.ALPHAS
printed = [("3.2", "R", zero, 0.0, 0.0), ("3.2", "R", one, 0.5, 0.4), ("3.2", "R", half, 0.25, 0.2),
           ("3.3", "F", zero, 0.267, 0.23), ("3.3", "F", one, 0.267, 0.23),
           ("3.3", "P", zero, 0.0, 0.0), ("3.3", "P", one, 0.48, 0.4),
           ("3.3", "M", zero, Fraction(1, 12), 0.07), ("3.3", "M", one, 0.442, 0.37)]
rows = []
for number, y, alpha, rand, partition in printed:
    value, exact = at(alpha, "C", y, "rand")
    place = f"Example {number}, (C, {y}), alpha {alpha}"
    CLAIMS.add(f"{place}, base 1 - Rand", rand, value, 0.0005)
    moved, by_definition = at(alpha, "C", y, "partition")
    if partition == 0.0:
        CLAIMS.add(f"{place}, base partition distance", partition, moved, 1e-12)
    else:
        partition_claims(f"{place}, base partition distance", partition, moved, by_definition,
                         0.005)
    rows.append([number, f"C, {y}", str(alpha), str(rand), f"{value:.4f}", str(exact),
                 str(partition), f"{moved:.4f}", str(by_definition),
                 str(by_definition * Fraction(4, 5))])
show(pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples(
    [("", "example"), ("", "pair"), ("", "alpha"), ("base 1 - Rand", "printed"),
     ("base 1 - Rand", "softclust"), ("base 1 - Rand", "by hand"),
     ("base partition distance", "printed"), ("base partition distance", "softclust"),
     ("base partition distance", "by hand"), ("base partition distance", "times 4/5")])),
     "Examples 3.2 and 3.3")

# %% [markdown]
# The examples of the paper always have a hard side. Two soft clusterings need an optimisation; for
# five objects its dual solution proves the optimum. Here are the values for all pairs, again equal
# to those by hand.

# %%
rows = []
for x, y in (("R", "F"), ("R", "P"), ("R", "M"), ("F", "P"), ("F", "M"), ("P", "M")):
    cells = [at(alpha, x, y, base) for base in ("rand", "partition") for alpha in (zero, one)]
    rows.append([f"{x}, {y}", *(f"{value:.4f} = {exact}" for value, exact in cells)])
show(pd.DataFrame(rows, columns=["pair", "rand, d_0", "rand, d_1", "partition, d_0",
                                 "partition, d_1"]), "Transport values of two soft clusterings")

# %% [markdown]
# ## Example 4.1: why sampling misleads
#
# C is compared with the clustering that leaves every object open. Section 4.1 samples compatible
# hard clusterings and takes the smallest and the largest distance. The example says $d_1 = 1$,
# which is wrong: 1 - Rand reaches 1 only between one cluster and all singletons, and here five
# objects share three clusters. Its point is right: the extremes of a sample stay near the middle.

# %%
vacuous = sc.RoughClustering.from_upper(np.ones((5, 3)))
result = sc.transport_dissimilarity(C, vacuous)
every = np.array([float(by_hand.disagreement((1, 2, 2, 3, 1), c))
                  for c in product((1, 2, 3), repeat=5)])
CLAIMS.add("Example 4.1, d_0(C, R')", 0, result.lower, 1e-12)
CLAIMS.add("Example 4.1, d_1(C, R')", 1, result.upper, 1e-12, status="corrected",
           corrected=by_hand.hausdorff(hand["C"], by_hand.rough("123|123|123|123|123"),
                                       by_hand.disagreement),
           reason="The largest distance of the 243 compatible clusterings; 1 would need all "
                  "objects in one cluster on one side and five clusters on the other.")
tell(CLAIMS, "Example 4.1")

show(charts.extremes_of_draws(every, [(0.0, "$d_0 = 0$"), (0.8, "$d_1 = 4/5$")]),
     "Example 4.1. Left: the distribution p_R of the distance. Right: extremes of s draws, mean "
     "and 5 to 95 % range of 400 repetitions. The interval is too narrow until s is as large as "
     "the number of compatible clusterings: 243 here, astronomical in practice.")

# %% [markdown]
# ## Example 4.2: the alpha-Rand index
#
# `alpha_rand_index` couples each pair of objects by itself (eq. 24); alpha is the cost of
# ambiguity. `alpha_rand_interval` has the ends alpha = 1 and alpha = 0. **The printed numbers do
# not follow eq. 24:** they are means over all n² ordered pairs with the pairs (x, x) counted as
# agreement. The option `pairs="all"` exists only to reproduce them.

# %%
printed = [("R", one, 0.52), ("R", zero, 1.0), ("F", one, 0.79), ("F", zero, 0.79),
           ("P", one, 0.54), ("P", zero, 1.0), ("M", one, 0.55), ("M", zero, 0.95)]
rows = []
for y, alpha, value in printed:
    ours = sc.alpha_rand_index(C, soft[y], alpha=float(alpha))
    every_pair = sc.alpha_rand_index(C, soft[y], alpha=float(alpha), pairs="all")
    exact = by_hand.alpha_rand(hand["C"], hand[y], alpha)
    place = f"Example 4.2, Rand_{alpha}(C, {y})"
    if exact == 1:
        CLAIMS.add(place, value, ours, 1e-12)
    else:
        CLAIMS.add(f"{place}, as eq. 24 defines it", value, ours, 1e-9, status="corrected",
                   corrected=exact,
                   reason=f"Eq. 24 is a mean over distinct pairs: {exact} by hand. Over all "
                   f"25 ordered pairs it is 1 - (4/5)(1 - {exact}) = "
                   f"{1 - Fraction(4, 5) * (1 - exact)}.")
        CLAIMS.add(f"{place}, pairs (x, x) included", value, every_pair, 0.005)
    rows.append([f"Rand_{alpha}(C, {y})", value, f"{ours:.4f}", str(exact), f"{every_pair:.4f}"])
show(pd.DataFrame(rows, columns=["", "printed", "softclust", "by hand", 'pairs="all"']),
     "Example 4.2")

# %% [markdown]
# The example adds that only Rand_0(C, R) and Rand_0(C, P) equal the transport value. That is an
# effect of the same convention: by eq. 24 the index of C and F is the transport value too.

# %%
equal = []
for y in soft:
    exact, interval = sc.transport_rand_index(C, soft[y]), sc.alpha_rand_interval(C, soft[y])
    for end, a, b in (("Rand_1", interval.low, exact.lower),
                      ("Rand_0", interval.high, exact.upper)):
        if abs(a - b) < 1e-12:
            equal.append(f"{end}(C, {y})")
right = [f"Rand_{alpha}(C, {y})" for y in soft for alpha in (one, zero)
         if by_hand.alpha_rand(hand["C"], hand[y], alpha)
         == 1 - by_hand.transport(hand["C"], hand[y], by_hand.disagreement, alpha)]
CLAIMS.add("Example 4.2, ends that equal the transport value",
           "Rand_0(C, R), Rand_0(C, P)", ", ".join(equal), status="corrected",
           corrected=", ".join(right), reason="The printed list holds for means over all n² pairs; "
           "by eq. 24 Rand(C, F) = 11/15 = 1 - 4/15 as well.")
tell(CLAIMS, "Example 4.2, ends", "Example 4.2, which ends are transport values")

# %%
show(charts.agreement_curves(C, soft),
     "Agreement with C for every cost of ambiguity. With a hard side both are straight lines, and "
     "the alpha-Rand interval encloses the transport interval; for a fuzzy side they are equal and "
     "alpha plays no part.")

# %% [markdown]
# ## Example 4.3: the alpha partition dissimilarity
#
# The same idea for the partition distance (eq. 30). The printed values are divided by 2n again;
# `denominator="2n"` reproduces them.

# %%
printed = [("R", zero, 0.0), ("R", one, 0.5), ("F", one, 0.23), ("P", zero, 0.0), ("P", one, 0.48),
           ("M", zero, 0.07), ("M", one, 0.47)]
rows = []
for y, alpha, value in printed:
    ours = sc.alpha_partition_dissimilarity(C, soft[y], alpha=float(alpha))
    as_printed = sc.alpha_partition_dissimilarity(C, soft[y], alpha=float(alpha), denominator="2n")
    exact = by_hand.delta(hand["C"], hand[y], alpha)
    assert abs(as_printed - 0.8 * ours) < 1e-12
    place = f"Example 4.3, delta_{alpha}(C, {y})"
    if exact == 0:
        CLAIMS.add(place, value, ours, 1e-12)
    else:
        partition_claims(place, value, ours, exact, 0.005)
    rows.append([f"delta_{alpha}(C, {y})", value, f"{ours:.4f}", str(exact), f"{as_printed:.4f}"])
show(pd.DataFrame(rows, columns=["", "printed", "softclust", "by hand", 'denominator="2n"']),
     "Example 4.3")

# %%
coincide = []
for y, alpha in (("R", zero), ("P", zero), ("M", zero), ("F", one)):
    exact = sc.transport_dissimilarity(C, soft[y], base="partition", alpha=float(alpha)).value
    if abs(exact - sc.alpha_partition_dissimilarity(C, soft[y], alpha=float(alpha))) < 1e-9:
        coincide.append(f"delta_{alpha}(C, {y})")
CLAIMS.add("Example 4.3, ends that equal the transport value",
           "delta_0(C, R), delta_0(C, P), delta_0(C, M), delta_1(C, F)", ", ".join(coincide),
           reason="The print has delta_0(C, R) twice; the second is delta_0(C, P).")
tell(CLAIMS, "Example 4.3, ends", "Example 4.3, which ends are transport values")

# %% [markdown]
# ## Table 3: properties and cost
#
# The table of the paper, with a column of what is true. Proofs and counterexamples are on the pages
# [statements](transport_errata.html) and [bounds](transport_bounds.html).

# %%
show(pd.DataFrame([
    ["transport-based measure", "1 - d_0 consistency, d_1 metric", "NP-hard",
     "d_1 is a metric on sets of compatible partitions. NP-hard only when the number of clusters "
     "grows with the data; for a fixed number most ends are polynomial, and softclust computes "
     "them: see sc.transport_methods()"],
    ["sampling", "-", "O(n² s + s³ log s)",
     "biased when both sides are soft; too narrow extremes for ambiguous sides"],
    ["Rand_alpha", "Rand_0 consistency, Rand_1 similarity", "O(n²)",
     "a similarity of relations; of clusterings a pseudo-similarity. O(n) with a hard or rough "
     "side"],
    ["delta_alpha", "1 - delta_0 consistency, delta_1 metric", "O(n 2^k + k³)",
     "a metric for at most 3 clusters, beyond that a pseudo-metric; not bounded by 1"],
], columns=["measure", "printed: properties", "printed: cost", "what holds"]), "Table 3")
methods = sc.transport_methods()
exact_share = methods[methods.guarantee == "exact"].groupby(["x", "y", "base"]).size()
print(f"{len(exact_share)} of {methods.groupby(['x', 'y', 'base']).ngroups} "
      "combinations of kinds and base have an exact algorithm (for two soft sides: small data)")

# %% [markdown]
# ## Misprints
#
# Misprints that change no result, for readers who have the paper open.

# %%
show(pd.DataFrame([
    ["eq. 3b, 3c", "m(∅), m(s)", "m^{x,y}(∅), m^{x,y}({s})"],
    ["after eq. 3", "it holds that m^{x,x}({s}) = 1", "a convention; eq. 3a: sum of squares"],
    ["before eq. 3", "Dempster's rule", "the unnormalised conjunctive rule: eq. 3d keeps m(∅)"],
    ["example 2.7", "m(Ω); > 0.5 = d_B", "m(Θ); d_J"],
    ["example 3.1", "(1,2,3,3,1) twice", "the last is (1,2,2,3,1)"],
    ["example 3.2", "d = 1 - R and", "d = 1 - Rand"],
    ["prop. 3.2", "o(k^m)", "O(k^m); with two rough sides k^(m1 + m2) pairs"],
    ["prop. 4.1", "t; denominator |d_R(R1, R2)| of eq. 17", "ε; the number of pairs"],
    ["eq. 20, 24", "sum of 1 - r", "parentheses around 1 - r"],
    ["eq. 21", "Ω²; \"the solution of Eq (15)\"", "Θ²; Eq (21)"],
    ["proof of thm 4.1", "r of (C1, C2) = 1 implies r_0", "the converse"],
    ["4.2, open problem", "|d_α - Rand_α|", "|1 - d_α - Rand_α|"],
    ["after cor. 4.2", "Theorem 4.3", "corollary 4.2"],
    ["example 4.3", "δ_1(C,F) for all α; δ_0(C,R) twice", "δ_α; the second is δ_0(C,P)"],
    ["5.1, 5.2", "Theorem 3.2 (complexity)", "proposition 3.2"],
], columns=["place", "printed", "meant"]), "Misprints")

# %% [markdown]
# ## All claims of this page

# %%
CLAIMS.check()
show(CLAIMS.table(), "Claims")
