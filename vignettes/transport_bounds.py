# %% [markdown]
# # Transport measures, 3: bounds and approximations
#
# A. Campagner, D. Ciucci, T. Denoeux, "A general framework for evaluating and comparing soft
# clusterings", *Information Sciences* 623 (2023) 70-93, sections 4.2 and 4.3.
#
# The paper bounds the transport value by two measures that are quick to compute: the alpha-Rand
# index and the alpha partition dissimilarity. Both are useful, but several of the bounds fail. Each
# failure is computed twice: with softclust, and by hand (`transport/by_hand.py`: the definitions in
# rational arithmetic, every optimum proved by its dual solution). True statements are tried on
# random pairs.
#
# **How to read the page.** A label set {1, 2} is written 12, a rough clustering 1|12|3: object 1 in
# cluster 1, object 2 in 1 or 2, object 3 in 3. The table at the end lists all claims.

# %%
import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pandas as pd
from claims import Claims, fast
from show import show
from transport import by_hand, charts, statements, sure, tell
from transport.trials import pairs_of_kinds, random_clustering, soften, transported, trial

import softclust as sc

CLAIMS = Claims("Campagner, Ciucci, Denoeux (2023), sections 4.2 and 4.3: statements")
refute, holds = statements(CLAIMS)
TRIALS = 20 if fast() else 200
EPS = 1e-9
zero, half, one = by_hand.ALPHAS
d = transported   # softclust's transport dissimilarity, in the notation of by_hand

# %% [markdown]
# ## Theorem 4.1: does alpha-Rand bound the transport value?
#
# The theorem: $Rand_1 \leq 1 - d_0 \leq Rand_0$ and $1 - d_1 \leq 1 - d_0 \leq Rand_0$. The upper
# bounds always hold, because any coupling of clusterings also couples each pair of objects. **The
# lower bound $Rand_1 \leq 1 - d_0$ is false**, because good couplings of single pairs need not fit
# together.

# %%
def alpha_rand(x, y, alpha):
    return sc.alpha_rand_index(soften(x), soften(y), alpha=float(alpha))


couples = {"rough": (by_hand.rough("12|2|1"), by_hand.rough("12|1|1")),
           "fuzzy": (by_hand.fuzzy(*["1/2 1/2 0"] * 3), by_hand.fuzzy(*["2/3 1/6 1/6"] * 3))}
rows = []
for kind, (x, y) in couples.items():
    index = by_hand.alpha_rand(x, y, one)
    exact = by_hand.transport(x, y, by_hand.disagreement, zero)
    sure(index > 1 - exact, abs(alpha_rand(x, y, one) - index) < EPS)
    refute(f"Theorem 4.1, two {kind} clusterings: 1 - d_0", f"at least {index} (Rand_1)",
           1 - d(x, y, alpha=zero), 1 - exact,
           "12|2|1 against 12|1|1" if kind == "rough" else
           "Memberships (1/2, 1/2, 0) against (2/3, 1/6, 1/6), three objects each: all pair masses "
           "are equal, so Rand_alpha = 1, but the laws differ.")
    rows.append([kind, str(index), str(1 - exact)])
show(pd.DataFrame(rows, columns=["clusterings", "Rand_1", "1 - d_0"]), "Theorem 4.1 fails")

# %% [markdown]
# *Corrected:* $Rand_1 \leq 1 - d_1 \leq 1 - d_0 \leq Rand_0$ if one side is hard, or one is rough
# and the other fuzzy: then there is one coupling, and a maximum of sums is at most the sum of the
# maxima. Hard against fuzzy: equality. How often the printed bound fails for random pairs of four
# objects in three clusters:

# %%
def ends(x, y):
    agreement, index = sc.transport_rand_index(x, y), sc.alpha_rand_interval(x, y)
    assert agreement.exact
    return agreement, index


def printed_bound(x, y):
    agreement, index = ends(x, y)
    return index.low <= agreement.upper + EPS


def right_ends(x, y):
    agreement, index = ends(x, y)
    return agreement.lower <= agreement.upper + EPS and agreement.upper <= index.high + EPS


def enclosed(x, y):
    agreement, index = ends(x, y)
    return right_ends(x, y) and index.low <= agreement.lower + EPS


shares, right, inside = {}, 0, 0
for kinds in pairs_of_kinds():
    shares[" and ".join(kinds)] = trial(printed_bound, kinds, TRIALS) / TRIALS
    right += trial(right_ends, kinds, TRIALS // 4, seed=2)
    if "hard" in kinds or kinds == ("rough", "fuzzy"):
        inside += trial(enclosed, kinds, TRIALS // 2, seed=3)
holds("Theorem 4.1, 1 - d_1 <= 1 - d_0 <= Rand_0, all kinds", right)
holds("Theorem 4.1 corrected, Rand_1 <= 1 - d_1 with a hard side or rough and fuzzy", inside)
show(charts.shares_of_failures(shares),
     f"Share of {TRIALS} random pairs for which Rand_1 <= 1 - d_0 fails. Two rough clusterings "
     "do so seldom, as 12|2|1 and 12|1|1 above.")
tell(CLAIMS, "Theorem 4.1", "Theorem 4.1")

# %% [markdown]
# ## Theorems 4.2 and 4.3, corollary 4.1 and a conjecture
#
# On pair masses $Rand_\alpha$ behaves as claimed: alpha has no effect on fuzzy clusterings, and
# $1 - Rand_\alpha$ is a metric for $\alpha \geq 1/2$ and a relaxed one below. For the clusterings
# themselves it is a pseudo-metric: different clusterings can have the same pair masses. **The
# conjecture** that this cannot happen when n is at least 2^c - 1 ("easily shown" for two clusters)
# is false for every n from 3 on.

# %%
def fuzzy_alpha(x, y):
    interval = sc.alpha_rand_interval(x, y)
    return interval.high - interval.low < EPS


def relaxed_triangles(distance, trials, seed=4):
    """Failures of d(x, z) <= rho (d(x, y) + d(y, z)), rho = max(1, 1/(2 alpha))."""
    rng, failed = np.random.default_rng(seed), 0
    for _ in range(trials):
        x, y, z = (soften(random_clustering("evidential", 4, 3, rng), 3) for _ in range(3))
        for alpha in (0.25, 0.5, 0.75, 1.0):
            rho = max(1.0, 1 / (2 * alpha))
            failed += distance(x, z, alpha) > rho * (distance(x, y, alpha)
                                                     + distance(y, z, alpha)) + EPS
    return failed


holds("Theorem 4.2", trial(fuzzy_alpha, ("fuzzy", "fuzzy"), TRIALS))
holds("Theorem 4.3 and corollary 4.1, (relaxed) triangle inequality", relaxed_triangles(
    lambda x, y, alpha: 1 - sc.alpha_rand_index(x, y, alpha=alpha), TRIALS))
x, y = by_hand.fuzzy("1 0", "1/2 1/2", "1/2 1/2"), by_hand.fuzzy(*["1/2 1/2"] * 3)
sure(by_hand.delta(x, y, one) > 0)
refute("Conjecture after corollary 4.1, c = 2, n = 3: Rand_1 of different clusterings",
       "below 1", alpha_rand(x, y, one), by_hand.alpha_rand(x, y, one),
       "Memberships (1, 0), (1/2, 1/2), (1/2, 1/2) against (1/2, 1/2) three times; more objects "
       "with (1/2, 1/2) on both sides change nothing.")
x, y = (by_hand.fuzzy(*[row] * 7) for row in ("1/2 1/2 0", "2/3 1/6 1/6"))
refute("Conjecture after corollary 4.1, c = 3, n = 7: Rand_1 of different clusterings",
       "below 1", alpha_rand(x, y, one), by_hand.alpha_rand(x, y, one),
       "The fuzzy pair of theorem 4.1 with seven objects: even the partitions they stand for have "
       "different laws (d >= 2/27, the value of any three objects).")
certificate = sc.transport_dissimilarity(soften(x), soften(y))
sure(certificate.lower_low >= 2 / 27 - EPS)
tell(CLAIMS, ("Theorem 4.2", "Theorem 4.3", "Conjecture"), "Theorems 4.2 and 4.3, conjecture")

# %% [markdown]
# ## Theorem 4.4, corollary 4.2: closed forms, only for normalised masses
#
# The closed forms and $Rand_{0.5} = Rand_B$ hold when no mass lies on the empty set, as the paper
# says; the table shows what happens otherwise. The formula of `alpha_rand_index` holds for every
# mass and alpha.

# %%
def belief_is_half(x, y):
    return abs(sc.alpha_rand_index(x, y) - sc.credal_rand_index(x, y)) < EPS


holds("Corollary 4.2, normalised masses", sum(trial(belief_is_half, kinds, TRIALS // 4, seed=5)
                                              for kinds in pairs_of_kinds()))
nothing, same = [{frozenset(): Fraction(1)}] * 2, by_hand.rough("1|1")
empty = sc.EvidentialClustering([[1.0], [1.0]], [[0, 0]])
# r_0 and r_1/2 of theorem 4.4 with m_1(s) = m_1(not s) = m_1(Theta) = 0 and m_2(s) = 1
printed = (half * (abs(0 + 0 - 1) + abs(0 + 1 - 1)), half * (abs(0 - 1) + abs(0 - 0)))
CLAIMS.add("Theorem 4.4 outside its condition, empty against same: r_0, r_1/2", printed,
           [1 - sc.alpha_rand_index(empty, soften(same, 2), alpha=a) for a in (0, 0.5)], EPS,
           status="corrected", corrected=[1 - by_hand.alpha_rand(nothing, same, a)
                                          for a in (zero, half)],
           reason="The theorem asks for normalised masses. softclust has a formula for all masses: "
                  "no statement agrees with the empty set.")
either = by_hand.rough("12|12")
CLAIMS.add("Corollary 4.2 outside its condition, empty against undetermined: Rand_1/2 by Rand_B",
           sc.credal_rand_index(empty, soften(either)), sc.alpha_rand_index(empty, soften(either)),
           EPS, status="corrected", corrected=by_hand.alpha_rand(nothing, either, half),
           reason="Needs normalised masses: the belief distance is 1/2, r_1/2 is 1.")
vacuous = by_hand.rough("12|12")
refute("Paragraph after corollary 4.2, m_1 logical against the vacuous mass: Rand_0.5", half,
       alpha_rand(vacuous, vacuous, half), by_hand.alpha_rand(vacuous, vacuous, half),
       "The vacuous mass is logical too. m_1 must be sure of same or of different.")
tell(CLAIMS, ("Theorem 4.4", "Corollary", "Paragraph"), "Theorem 4.4 and corollary 4.2")

# %% [markdown]
# ## Theorem 4.5: does the alpha partition dissimilarity bound the transport value?
#
# $\delta_0 \leq d_0 \leq \delta_1$ and $\delta_0 \leq d_0 \leq d_1$, base partition distance. Only
# $d_0 \leq d_1$ holds in general. (a) $\delta$ permutes the labels outside the expectation, $d$
# inside it. (b) With four clusters the restrictions lose too much. (c) $d_1 \leq \delta_1$ fails
# for two rough clusterings.
#
# *Corrected:* $\delta_0 \leq d_0$ for two hard or rough clusterings; $d_0 \leq \delta_1$ for at
# most three clusters; $d_1 \leq \delta_1$ if one side is hard, if both are fuzzy, or if one is
# rough and the other fuzzy. Two bounds always hold: $d_0$ is bounded from below by $Rand_0$, and
# $d_1$ from above by the total variations of the objects.

# %%
def delta(x, y, alpha):
    return sc.alpha_partition_dissimilarity(soften(x, 4), soften(y, 4), alpha=float(alpha))


x, y = by_hand.rough("1|2"), by_hand.fuzzy("1/2 1/2", "1/2 1/2")
exact = by_hand.transport(x, y, by_hand.moved, zero)
sure(by_hand.delta(x, y, zero) == 1 > exact, abs(delta(x, y, zero) - 1) < EPS)
refute("Theorem 4.5, delta_0 <= d_0: d_0", "at least 1 (delta_0)", d(x, y, "partition", zero),
       exact, "1|2 against memberships (1/2, 1/2) twice.")
x = by_hand.evidential({"1": 1}, {"1": "1/3", "234": "2/3"})
y = by_hand.evidential({"1": 1}, {"23": "1/3", "24": "1/3", "34": "1/3"})
exact = by_hand.transport(x, y, by_hand.moved, zero)
sure(by_hand.delta(x, y, one) == Fraction(1, 6) < exact, abs(delta(x, y, one) - 1 / 6) < EPS)
refute("Theorem 4.5, d_0 <= delta_1: d_0", "at most 1/6 (delta_1)", d(x, y, "partition", zero),
       exact, "Object 1 in cluster 1 on both sides; object 2 has 1/3 on 1 and 2/3 on 234 against "
       "1/3 each on 23, 24, 34. True for at most three clusters.")
x, y = by_hand.rough("123|1"), by_hand.rough("23|1")
exact = by_hand.transport(x, y, by_hand.moved, one)
sure(by_hand.delta(x, y, one) == half < exact, abs(delta(x, y, one) - 0.5) < EPS)
refute("Remark to theorem 4.5, is d_1 <= delta_1 (two rough clusterings): d_1",
       "at most 1/2 (delta_1), were it so", d(x, y, "partition", one), exact, "123|1 against 23|1.")


def d0_below_d1(x, y):
    found = sc.transport_dissimilarity(x, y, base="partition")
    return found.lower <= found.upper + EPS


def replacement(x, y):
    """d_0 from below by Rand_0: m moved objects change at most m(2n - m - 1)/2 pairs."""
    n = x.n_objects
    found = sc.transport_dissimilarity(x, y, base="partition")
    q = 2 * n - 1
    bound = q - math.sqrt(q * q - 4 * n * (n - 1) * (1 - sc.alpha_rand_index(x, y, alpha=0)))
    return found.lower >= bound / (2 * (n - 1)) - EPS


def summed_variation(x, y):
    """d_1 is at most the sum of total variations over n - 1, for the best names of clusters."""
    table = x.to_evidential(), y.to_evidential()
    sets, mass = [{tuple(np.flatnonzero(row)): k for k, row in enumerate(side.focal_sets)}
                  for side in table], [np.asarray(side.mass) for side in table]
    least = math.inf
    for order in permutations(range(3)):
        kept = 0.0
        for labels, k in sets[0].items():
            renamed = tuple(sorted(order[label] for label in labels))
            if renamed in sets[1]:
                kept += np.minimum(mass[0][:, k], mass[1][:, sets[1][renamed]]).sum()
        least = min(least, x.n_objects - kept)
    found = sc.transport_dissimilarity(x, y, base="partition")
    return found.upper <= least / (x.n_objects - 1) + EPS


def corrected(x, y):
    """The parts of theorem 4.5 that are left, for three clusters."""
    found, ends = (sc.transport_dissimilarity(x, y, base="partition"),
                   sc.alpha_partition_interval(x, y))
    logical = [bool((side.mass.max(axis=1) == 1).all()) for side in (x, y)]
    fuzzy = [bool((side.mass[:, side.focal_sets.sum(axis=1) > 1] == 0).all()) for side in (x, y)]
    hard = any(a and b for a, b in zip(logical, fuzzy))
    upper = hard or all(fuzzy) or (logical[0] and fuzzy[1])
    return (found.lower <= ends.high + EPS and (not all(logical) or ends.low <= found.lower + EPS)
            and (not upper or found.upper <= ends.high + EPS))


holds("Theorem 4.5 corrected, d_0 <= delta_1 (c <= 3), delta_0 <= d_0 (logical), d_1 <= delta_1",
      sum(trial(corrected, kinds, TRIALS // 4, seed=8) for kinds in pairs_of_kinds()))
holds("Theorem 4.5 corrected, an upper bound of d_1 from total variations",
      sum(trial(summed_variation, kinds, TRIALS // 4, seed=9) for kinds in pairs_of_kinds()))
holds("Theorem 4.5, d_0 <= d_1", sum(trial(d0_below_d1, kinds, TRIALS // 4, seed=6)
                                     for kinds in pairs_of_kinds()))
holds("Theorem 4.5 corrected, a lower bound of d_0 from Rand_0",
      sum(trial(replacement, kinds, TRIALS // 4, seed=7) for kinds in pairs_of_kinds()))
tell(CLAIMS, ("Theorem 4.5", "Remark"), "Theorem 4.5")

# %% [markdown]
# ## Theorem 4.6, Table 3, propositions 4.4 and 4.5
#
# $\delta_\alpha$ looks at one cluster at a time. With four clusters different masses can have the
# same restrictions, so it is at most a pseudo-metric. It is not normalised either: a hard
# clustering and one that leaves everything open are 3n/(2(n - 1)) apart. For two fuzzy clusterings
# it is the fuzzy partition distance (proposition 4.5). Proposition 4.4 gives its cost, O(n 2^c +
# c^3).

# %%
x = by_hand.evidential({"12": 1}, {"12": "1/2", "34": "1/2"})
y = by_hand.evidential({"12": 1}, {"13": "1/2", "24": "1/2"})
sure(by_hand.transport(x, y, by_hand.moved, one) == by_hand.alpha_rand(x, y, one) == half)
sure(abs(d(x, y, "partition", one) - 0.5) < EPS)
refute("Theorem 4.6, c = 4: delta_1 of two different clusterings", "above 0", delta(x, y, one),
       by_hand.delta(x, y, one),
       "Object 1 is 12 on both sides, object 2 has 1/2 on 12 and 34 against 1/2 on 13 and 24: all "
       "restrictions agree; d_1 = Rand_1 = 1/2 see the difference.")
holds("Theorem 4.6, (relaxed) triangle inequality", relaxed_triangles(
    lambda x, y, alpha: sc.alpha_partition_dissimilarity(x, y, alpha=alpha), TRIALS))
hard, vacuous = by_hand.rough("1|2|2|3|1"), by_hand.rough("|".join(["123"] * 5))
refute("Section 4.3 and Table 3, delta_1 of hard and vacuous, n = 5, c = 3", "at most 1",
       delta(hard, vacuous, one), by_hand.delta(hard, vacuous, one), "3n/(2(n - 1)) = 15/8.")
hard, uniform = by_hand.rough("1|2"), by_hand.fuzzy(*["1/3 1/3 1/3"] * 2)
refute("Section 4.3 and Table 3, delta of hard and uniform fuzzy, n = 2, c = 3", "at most 1",
       delta(hard, uniform, half), by_hand.delta(hard, uniform, half), "4/3.")


def fuzzy_partition_distance(x, y):
    u, v = x.to_fuzzy().membership, y.to_fuzzy().membership
    least = min(np.abs(u - v[:, list(order)]).sum() for order in permutations(range(3)))
    return abs(sc.alpha_partition_dissimilarity(x, y) - least / (2 * (len(u) - 1))) < EPS


holds("Proposition 4.5", trial(fuzzy_partition_distance, ("fuzzy", "fuzzy"), TRIALS))
tell(CLAIMS, ("Theorem 4.6", "Section 4.3", "Proposition"), "Theorem 4.6 to proposition 4.5")

# %% [markdown]
# ## All claims of this page

# %%
CLAIMS.check()
show(CLAIMS.table(), "Claims")
