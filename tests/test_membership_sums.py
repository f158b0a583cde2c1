"""Sums of memberships in place of two soft clusterings, merged from parts."""

import itertools
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import softclust as sc
from softclust.measures import registry

from .naive import membership_matching, soft_pairs

CASES = [c for c in json.loads((Path(__file__).parent / "golden" / "tally.json").read_text())
         ["cases"] if c["function"] == "membership_sums"]

pytestmark = pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")


def memberships(seed, n, c, low=0.0):
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(c, 0.7), n) + low
    return sc.FuzzyClustering(rows / rows.sum(axis=1, keepdims=True))


def allowed(m):
    """Options under which sums are enough."""
    names = list(m.from_sums)
    return [dict(zip(names, values)) for values in itertools.product(*m.from_sums.values())]


HALVES, FLAT = [[0.5, 0.5]] * 2, [[0.4, 0.4, 0.2]] * 3
ENOUGH = [m for m in registry().values() if m.from_sums is not None]


@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_golden_values(case):
    x, y, cut = (case["input"][key] for key in ("x", "y", "cut"))
    whole = sc.membership_sums(x, y)
    assert_close(sc.membership_sums(x[cut:], y[cut:]) + sc.membership_sums(x[:cut], y[:cut]), whole)
    for name, expected in case["expected"].items():
        assert getattr(sc, name)(whole) == pytest.approx(expected, abs=case["abs_tol"])


@pytest.mark.parametrize("m", ENOUGH, ids=lambda m: m.name)
def test_sums_give_the_values_of_the_clusterings(m):
    soft, other = memberships(0, 60, 3), memberships(1, 60, 4)
    labels = np.random.default_rng(2).integers(0, 3, 60)
    typical = sc.PossibilisticClustering(np.random.default_rng(3).random((60, 2)))
    pairs = [(soft, other), (labels, other), (soft, labels), (soft, soft)]
    if "possibilistic" in m.kinds and m.family != "soft_pairs" and "credal" not in m.name:
        pairs.append((typical, soft))
    for (x, y), options in itertools.product(pairs, allowed(m)):
        sums = sc.membership_sums(x, y)
        assert m.function(sums, **options) == pytest.approx(
            m.function(x, y, **options), rel=3e-13, abs=3e-13), options


def test_all_other_measures_say_why_sums_are_not_enough():
    sums = sc.membership_sums(memberships(0, 9, 3), memberships(1, 9, 3))
    others = [m for m in registry().values() if m.arity == 2 and m.from_sums is None]
    for m in others:
        with pytest.raises(sc.ClusteringError,
                           match=r"sums over objects|hard clustering is needed|is fuzzy"):
            m.function(sums)


def test_values_agree_with_loops_over_pairs():
    x, y = memberships(4, 6, 2), memberships(5, 6, 3)
    u, v = x.membership.tolist(), y.membership.tolist()
    sums = sc.membership_sums(x, y)
    for name in ("fuzzy_rand_index", "fuzzy_jaccard_index", "anderson_rand_index",
                 "frobenius_rand_index"):
        expected = getattr(soft_pairs, name)(u, v)
        assert getattr(sc, name)(sums) == pytest.approx(expected, abs=1e-12)
    assert sc.manhattan_membership_distance(sums) == pytest.approx(
        membership_matching.manhattan_membership_distance(u, v), abs=1e-12)


def assert_close(found, expected, rtol=1e-14):
    for name in ("cross", "x_products", "y_products", "x_totals", "y_totals", "gaps"):
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=rtol)


def test_any_parts_in_any_order_give_the_same_sums():
    x, y = memberships(6, 1000, 5), memberships(7, 1000, 3)
    whole, rng = sc.membership_sums(x, y), np.random.default_rng(8)
    for _ in range(3):
        order = rng.permutation(1000)
        cuts = [0, *np.sort(rng.choice(999, 6, replace=False) + 1), 1000]
        parts = [sc.membership_sums(x.subset(order[i:j]), y.subset(order[i:j]))
                 for i, j in itertools.pairwise(cuts)]
        for merged in (parts[0].merge(*parts[1:]), (parts[5] + (parts[0] + parts[3]))
                       + parts[1].merge(parts[2], parts[4], parts[6])):
            assert_close(merged, whole)
            assert sc.fuzzy_adjusted_rand_index(merged) == pytest.approx(
                sc.fuzzy_adjusted_rand_index(whole), rel=1e-13)


def test_sums_are_the_products_of_the_matrices():
    x, y = memberships(9, 40, 3), sc.PossibilisticClustering(
        np.random.default_rng(10).random((40, 2)))
    sums, u, v = sc.membership_sums(x, y), x.membership, y.typicality
    for found, expected in (
            (sums.cross, u.T @ v), (sums.x_products, u.T @ u), (sums.y_products, v.T @ v),
            (sums.x_totals, u.sum(axis=0)), (sums.y_totals, v.sum(axis=0)),
            (sums.gaps, abs(u[:, :, None] - v[:, None, :]).sum(axis=0))):
        np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert sums.to_frame().to_numpy().tolist() == sums.cross.tolist()
    assert (sums.n_objects, sums.n_clusters, sums.kinds) == (40, (3, 2), ("fuzzy", "possibilistic"))


def test_equal_clusterings_are_at_distance_0_exactly():
    x = memberships(11, 500, 4)
    for order in (np.arange(4), np.array([2, 0, 3, 1])):
        sums = sc.membership_sums(x, sc.FuzzyClustering(x.membership[:, order]))
        for name in ("euclidean_membership_distance", "manhattan_membership_distance",
                     "comembership_dissimilarity", "gordon_vichi_dissimilarity",
                     "mallows_distance"):
            assert getattr(sc, name)(sums) == 0.0


def test_sums_of_two_hard_clusterings_are_a_table():
    rng = np.random.default_rng(12)
    x, y = rng.integers(0, 4, 300), rng.integers(0, 3, 300)
    sums = sc.membership_sums(x[:7], y[:7]) + sc.membership_sums(x[7:], y[7:])
    for m in registry().values():
        if m.arity == 2 and "hard" in m.kinds and "alpha" not in m.name:
            assert m.listed_value(m.function(sums)) == m.listed_value(m.function(x, y)) or (
                np.isnan(m.listed_value(m.function(x, y)))), m.name


def test_labels_of_hard_parts_are_put_together():
    y = memberships(13, 6, 2)
    parts = [sc.membership_sums(["b", "b", "a"], y.subset(np.arange(3))),
             sc.membership_sums(["c", "b", "c"], y.subset(np.arange(3, 6)))]
    whole = sc.membership_sums(["b", "b", "a", "c", "b", "c"], y)
    assert parts[0] + parts[1] == parts[1] + parts[0]
    assert_close(parts[0] + parts[1], whole)
    assert whole.x_names == ("a", "b", "c")
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert whole != parts[0]


def test_sums_go_through_text():
    whole = sc.membership_sums(["b", "a", "b"], memberships(13, 3, 2))
    assert sc.MembershipSums.from_json(whole.to_json()) == whole
    for text in ("{}", "no", '{"format": "softclust membership sums"}', whole.to_json()[:-40]):
        with pytest.raises(sc.ClusteringError, match=r"sums of memberships|a record"):
            sc.MembershipSums.from_json(text)
    with pytest.raises(sc.ClusteringError, match="it holds Comparison"):
        sc.MembershipSums.from_json(sc.compare([0, 0, 1], [0, 1, 1]).to_json())
    odd = sc.membership_sums(sc.HardClustering([0, 1], cluster_names=[(1, 2), "b"]), [0, 1])
    assert sc.MembershipSums.from_json(odd.to_json()) == odd


def test_compare_lists_what_sums_are_enough_for():
    x, y = memberships(14, 50, 3), memberships(15, 50, 3)
    found = sc.compare(sc.membership_sums(x, y))
    names = [row.name for row in found.rows]
    assert sorted(names) == sorted(m.name for m in ENOUGH if not m.unlisted(sc.Joint(x, y))
                                   and "credal" not in m.name)
    full = sc.compare(x, y, measures=names)
    for name in names:
        assert found.value(name) == pytest.approx(full.value(name), abs=1e-12)


@pytest.mark.parametrize(("act", "message"), [
    (lambda s: sc.concordance_index(s), "not a function of sums over objects"),
    (lambda s: sc.alpha_rand_index(s), "not a function of sums over objects"),
    (lambda s: sc.fuzzy_rand_index(s, relation="t_norm"), "relation='product' only"),
    (lambda s: sc.credal_rand_index(s), "distance='conflict' only"),
    (lambda s: sc.mallows_distance(s, p=3), "p=1 or p=2 only"),
    (lambda s: sc.fuzzy_mutual_information(s, weights=np.ones(3)), "weights=None only"),
    (lambda s: sc.compare(s, measures="concordance_index"), "not a function of sums"),
    (lambda s: sc.compare(s, ci="jackknife"), "need the objects"),
    (lambda s: sc.chance(s, measure="fuzzy_rand_index"), "give both clusterings"),
    (lambda s: sc.rand_index(s), "a hard clustering is needed"),
    (lambda s: s + sc.membership_sums(FLAT, [0, 1, 1]), "same clusters"),
    (lambda s: s + sc.membership_sums([0, 1, 1], [0, 1, 1]), "cannot be merged"),
    (lambda s: s + sc.membership_sums(HALVES, ["a", "b"]), "different types"),
    (lambda s: sc.membership_sums([0], [0, 1]), "1 objects and y has 2"),
    (lambda s: sc.membership_sums([0, 1], sc.RoughClustering.from_upper([[1, 1]] * 2)),
     "y is rough"),
    (lambda s: sc.fuzzy_rand_index(sc.membership_sums([[0.5, 0.5]], [0])), "1 object; at least 2"),
])
def test_what_sums_do_not_say_raises(act, message):
    with pytest.raises(sc.ClusteringError, match=message):
        act(sc.membership_sums([[0.5, 0.5], [1, 0], [0, 1]], [0, 0, 1]))


def test_sums_take_no_second_side():
    sums = sc.membership_sums([0, 0], HALVES)
    with pytest.raises(TypeError, match="leave out y"):
        sc.fuzzy_rand_index(sums, [0, 1])
    with pytest.raises(TypeError, match="made by membership_sums"):
        sc.MembershipSums()
    with pytest.raises(AttributeError, match="cannot be changed"):
        sums.x_names = ()
