"""Costs of matchings without each object: all at once, to the bits of leaving them out."""

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import softclust as sc
from softclust.memberships import matched_columns as matching_costs
from softclust.memberships.matched_columns import MatchingCosts


def soft(kind, n_clusters, groups):
    """A clustering of this kind that follows the groups roughly."""
    n = groups.size
    rng = np.random.default_rng(n_clusters)
    u = rng.dirichlet(np.full(n_clusters, 0.5), n)
    u[np.arange(n), groups % n_clusters] += 1.5
    u /= u.sum(axis=1, keepdims=True)
    if kind == "fuzzy":
        return sc.FuzzyClustering(u)
    if kind == "rough":
        return sc.RoughClustering.from_upper(u >= 0.6 * u.max(axis=1, keepdims=True))
    if kind == "possibilistic":
        return sc.PossibilisticClustering(u / u.max(axis=1, keepdims=True))
    sets = np.vstack([np.zeros(n_clusters), np.eye(n_clusters), np.ones(n_clusters)]).astype(bool)
    mass = np.column_stack([0.1 * u[:, 0], 0.7 * u, np.zeros(n)])
    mass[:, -1] = 1.0 - mass.sum(axis=1)
    return sc.EvidentialClustering(mass, sets)


def without_each(joint):
    """By leaving out the objects, one after the other."""
    n = joint.n_objects
    return [joint.subset(np.delete(np.arange(n), i)).restriction_costs for i in range(n)]


def cheapest(costs):
    return costs[linear_sum_assignment(costs)].sum()


@pytest.mark.parametrize("kind", ["fuzzy", "rough", "possibilistic", "evidential"])
@pytest.mark.parametrize("groups", [2, 5])
@pytest.mark.parametrize("n_clusters", [2, 5])
def test_costs_are_those_of_objects_left_out(kind, groups, n_clusters, monkeypatch):
    """Also where clusters without objects make matchings equally good."""
    monkeypatch.setattr(matching_costs, "ROWS", 16)   # several blocks
    label = sc.HardClustering(np.random.default_rng(groups).integers(groups, size=40))
    joint = sc.Joint(label, soft(kind, n_clusters, label.labels))
    expected = without_each(joint)
    for one_by_one in (40, 0):
        monkeypatch.setattr(matching_costs, "ONE_BY_ONE", one_by_one)
        found = MatchingCosts.left_out(joint).statistic
        assert found.n_objects == 39
        for alpha, at in ((0.0, 0), (0.5, 1), (1.0, 2)):
            np.testing.assert_allclose(found.matched(alpha), [cheapest(c[at]) for c in expected],
                                       rtol=1e-12, atol=1e-14,
                                       err_msg="rounding of sums of 39 costs")


def test_close_matchings_are_looked_for_again():
    """Both groups have the same memberships: who is left out decides which matching is best."""
    label = sc.HardClustering([0, 1] * 20)
    share = np.repeat(np.random.default_rng(0).uniform(0.1, 0.9, 20), 2)
    joint = sc.Joint(label, sc.FuzzyClustering(np.column_stack([share, 1 - share])))
    total = joint.restriction_costs[2]
    matching = linear_sum_assignment(total)
    least = MatchingCosts.left_out(joint).statistic.matched(1.0)
    without = [costs[2] for costs in without_each(joint)]
    np.testing.assert_allclose(least, [cheapest(c) for c in without], rtol=1e-12,
                               err_msg="rounding of sums of 39 costs")
    assert any(c[matching].sum() > v + 0.1 for c, v in zip(without, least)), "another is better"


def test_many_objects_need_few_matchings(monkeypatch):
    """Clusters are not matched anew for each object."""
    import scipy.optimize
    calls, solve = [], scipy.optimize.linear_sum_assignment

    def counting(*args, **options):
        calls.append(1)
        return solve(*args, **options)
    monkeypatch.setattr(scipy.optimize, "linear_sum_assignment", counting)
    label = sc.HardClustering(np.random.default_rng(0).integers(4, size=6000))
    made = sc.compare(label, soft("fuzzy", 4, label.labels), ci="jackknife",
                      measures="alpha_partition_interval")
    assert 0 < len(calls) < 100
    assert all(row.ci_low < row.low <= row.high < row.ci_high for row in made.rows)


@pytest.mark.parametrize(("x", "y", "largest"), [
    ([0, 0, 1, 1], sc.FuzzyClustering(np.full((4, 2), 1 / 2)), 2 / 3),
    ([0, 0, 1, 1, 2, 2], sc.FuzzyClustering(np.full((6, 3), 1 / 3)), 4 / 5),
    ([0, 0, 1, 1], sc.RoughClustering.from_upper([[1, 1]] * 4), 4 / 3),
    ([0, 0, 0, 1], [0, 1, 2, 3], 1.0)])
def test_the_printed_range_is_the_smallest_that_holds(x, y, largest):
    """(c - 1)/c n/(n - 1) of memberships, c/2 n/(n - 1) of sets: attained if nothing is known."""
    row = sc.compare(x, y, measures="alpha_partition_dissimilarity").rows[0]
    assert row.range == pytest.approx((0.0, largest), rel=1e-12)
    if not isinstance(y, list):
        worst = sc.alpha_partition_dissimilarity(x, y, alpha=1.0 if y.kind == "rough" else 0.5)
        assert worst == pytest.approx(largest, rel=1e-12)
