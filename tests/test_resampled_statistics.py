"""Statistics of resampled objects equal those of the objects left, or drawn, one by one."""

from itertools import combinations

import numpy as np
import pytest
from test_comparison_ci import KIND_PAIRS, N, drawn, plain_draws, replicate_of_object, sides

import softclust as sc
from softclust.memberships.matched_columns import MatchingCosts
from softclust.soft_pairs.pair_sums import CredalLoss, PairSums
from softclust.tables.contingency import Contingency
from softclust.tables.pair_counts import PairCounts


def counts_of(x, y, objects):
    """Counts (r, s) of these objects, one by one."""
    table = np.zeros((x.n_clusters, y.n_clusters), np.int64)
    for i in objects:
        table[x.codes[i], y.codes[i]] += 1
    return table


def pairs_of(x, y, objects):
    """Pairs of these objects by (together in x, together in y); copies form no pair."""
    found = {(a, b): 0 for a in (True, False) for b in (True, False)}
    for u, v in combinations(list(objects), 2):
        if u != v:
            found[bool(x.codes[u] == x.codes[v]), bool(y.codes[u] == y.codes[v])] += 1
    return found[True, True], found[True, False], found[False, True], found[False, False]


@pytest.mark.parametrize("seed", range(4))
def test_tables_and_counts_of_resampled_objects_are_exact(seed):
    x, y = sides("hard", seed, n=12), sides("hard", seed + 10, n=12, c=4)
    joint, draws, everything = sc.Joint(x, y), plain_draws(8, n=12, seed=seed), np.arange(12)

    def check(found, objects, without):
        for kind, replicates in found.items():
            for b, kept in enumerate(objects):
                at = replicate_of_object(joint, replicates)[b] if without else b
                if kind is PairCounts:
                    p = replicates.statistic
                    values = p.n11[at], p.n10[at], p.n01[at], p.n00[at]
                    assert values == pairs_of(x, y, kept)
                    continue
                one = list(replicates.each())[at]
                if kind is Contingency:
                    np.testing.assert_array_equal(one.dense(), counts_of(x, y, kept))
                    np.testing.assert_array_equal(one.a, counts_of(x, y, kept).sum(axis=1))
                    np.testing.assert_array_equal(one.b, counts_of(x, y, kept).sum(axis=0))
                    assert one.n == len(kept)
                    assert one.squares == int((counts_of(x, y, kept) ** 2).sum())
                    assert one.n_pairs == sum(pairs_of(x, y, kept))
                    p = PairCounts.of(one)
                    assert (p.n11, p.n10, p.n01, p.n00) == pairs_of(x, y, kept)
                else:
                    copies = sc.Joint(x.subset(kept), y.subset(kept))
                    assert one.lowest == copies.statistic(MatchingCosts).lowest
                    assert one.n_objects == len(kept)

    kinds = (Contingency, PairCounts, MatchingCosts)
    check({kind: joint.without_each(kind) for kind in kinds},
          [np.delete(everything, i) for i in range(12)], True)
    check({kind: joint.redrawn(kind, draws) for kind in kinds},
          [np.sort(drawn(b, 12, seed)) for b in range(8)], False)


@pytest.mark.parametrize(("one", "two"), [p for p in KIND_PAIRS if p != ("hard", "hard")])
def test_sums_over_resampled_objects(one, two):
    """Pair sums and matching costs against those of the objects left, or drawn, literally."""
    x, y = sides(one, 7), sides(two, 8)
    joint, draws = sc.Joint(x, y), plain_draws(6)
    single = {}
    for u, v in combinations(range(N), 2):
        s = sc.Joint(x.subset([u, v]), y.subset([u, v])).statistic(PairSums)
        single[u, v] = np.array([s.r0, s.half, s.r1, s.belief])

    def total(objects):
        found = [single[u, v] for u, v in combinations(sorted(objects), 2) if u != v]
        return np.sum(found, axis=0), len(found)

    left, again = joint.without_each(PairSums), joint.redrawn(PairSums, draws)
    assert not again.first_order
    for replicates, objects in ((left, [np.delete(np.arange(N), i) for i in range(N)]),
                                (again, [drawn(b) for b in range(6)])):
        s = replicates.statistic
        for b, kept in enumerate(objects):
            sums, n_pairs = total(kept.tolist())
            np.testing.assert_allclose([s.r0[b], s.half[b], s.r1[b], s.belief[b]], sums,
                                       rtol=1e-12, atol=1e-12)
            assert np.broadcast_to(s.n_pairs, s.r0.shape)[b] == n_pairs

    left, again = joint.without_each(MatchingCosts), joint.redrawn(MatchingCosts, draws)
    for replicates, objects in ((left, [np.delete(np.arange(N), i) for i in range(N)]),
                                (again, [np.sort(drawn(b)) for b in range(6)])):
        assert not replicates.lacking
        for alpha in (0.0, 0.2, 0.5, 0.8, 1.0):
            least = replicates.statistic.matched(alpha)
            plain = [sc.Joint(x.subset(k), y.subset(k)).statistic(MatchingCosts).matched(alpha)
                     for k in objects]
            np.testing.assert_allclose(least, plain, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("distance", ["jousselme", "conflict"])
@pytest.mark.parametrize(("one", "two"), [p for p in KIND_PAIRS if p != ("hard", "hard")])
def test_credal_sums_without_each_object(one, two, distance):
    x, y = sides(one, 7), sides(two, 8)
    left = sc.Joint(x, y).without_each(CredalLoss, distance=distance)
    kept = [np.delete(np.arange(N), i) for i in range(N)]
    plain = [sc.Joint(x.subset(k), y.subset(k)).statistic(CredalLoss, distance=distance)
             for k in kept]
    np.testing.assert_allclose(left.statistic.total, [s.total for s in plain], rtol=1e-9,
                               atol=1e-7 if distance == "jousselme" else 1e-12)
    assert {s.n_pairs for s in plain} == {left.statistic.n_pairs}
    assert not left.of_sample


@pytest.mark.parametrize("ci", ["jackknife", "bootstrap"])
def test_limits_leave_nothing_behind(ci):
    """A pair can be pickled after limits, and bootstraps do not pile up in it."""
    import pickle
    x, y = [0, 0, 1, 1, 2, 2, 0, 1] * 4, [0, 0, 1, 2, 2, 2, 1, 1] * 4
    joint = sc.Joint(x, y)
    options = {"ci": ci, "measures": ["rand_index", "mutual_information", "partition_distance"],
               **({"n_resamples": 200} if ci == "bootstrap" else {})}
    first = sc.compare(joint, **options, **({"rng": 0} if ci == "bootstrap" else {}))
    kept = len(joint.memory)
    for seed in range(3):
        sc.compare(joint, **options, **({"rng": seed} if ci == "bootstrap" else {}))
    assert len(joint.memory) == kept
    if ci == "jackknife":
        sc.compare(joint.contingency, **options)
    for source in (joint, joint.contingency):
        again = pickle.loads(pickle.dumps(source))
        assert sc.rand_index(again) == sc.rand_index(joint)
        made = sc.compare(again, **options, **({"rng": 0} if ci == "bootstrap" else {}))
        if source is joint:
            assert [r.ci_low for r in made.rows] == [r.ci_low for r in first.rows]
