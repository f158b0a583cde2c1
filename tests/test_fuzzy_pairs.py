"""Fuzzy pair counts and their indices: golden values, oracles, reductions, counterexamples."""

import math
from itertools import permutations, product

import naive
import numpy as np
import pytest
from soft_measures import check_golden, golden, membership_rows, random_side
from strategies import JIT_OFF, all_fuzzy, partition_pairs, random_clustering

import softclust as sc
from softclust.running import threads
from softclust.soft_pairs import fuzzy_pair_sums as fuzzy_pairs
from softclust.soft_pairs import pair_rows

INDICES = ("fuzzy_rand_index", "fuzzy_adjusted_rand_index", "fuzzy_jaccard_index",
           "fuzzy_fowlkes_mallows_index", "fuzzy_gamma_index", "fuzzy_minkowski_dissimilarity")
NORMS = [{"relation": "t_norm", "t_norm": t, "t_conorm": s}
         for t, s in product(fuzzy_pairs.T_NORMS, fuzzy_pairs.T_CONORMS)]
RELATIONS = [{"relation": "product"}, {"relation": "cosine"}, *NORMS]


def counts_of(p):
    return p.n11, p.n10, p.n01, p.n00


@pytest.mark.parametrize("case", golden("fuzzy_pair_counts", "rough_rand_index", *INDICES))
def test_golden_values(case):
    check_golden(case)


@pytest.mark.parametrize("options", RELATIONS, ids=str)
def test_counts_against_definition(options):
    rng = np.random.default_rng(1)
    kinds = ["hard", "fuzzy", *(["possibilistic"] if options["relation"] == "t_norm" else [])]
    for _ in range(15):
        n = int(rng.integers(2, 9))
        x, y = (random_side(rng, str(rng.choice(kinds)), n, int(rng.integers(1, 5)))
                for _ in range(2))
        found = sc.fuzzy_pair_counts(x, y, **options)
        expected = naive.fuzzy_pair_counts(membership_rows(x), membership_rows(y), **options)
        assert counts_of(found) == pytest.approx(expected, rel=0, abs=1e-12)  # 36 terms


@pytest.mark.parametrize("name", INDICES)
def test_indices_against_definition(name):
    rng = np.random.default_rng(2)
    for options in RELATIONS:
        if "drastic" in str(options):   # most degrees are 0 or 1: indices are undefined
            continue
        x, y = random_side(rng, "fuzzy", 7, 3), random_side(rng, "fuzzy", 7, 2)
        expected = getattr(naive, name)(membership_rows(x), membership_rows(y), **options)
        assert getattr(sc, name)(x, y, **options) == pytest.approx(expected, rel=0, abs=1e-12)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_crisp_memberships_count_as_hard_clusterings_do(n):
    options = [{"relation": r} for r in ("product", "cosine", "t_norm")]
    for x, y in partition_pairs(n):
        expected = counts_of(sc.pair_counts(x, y))
        crisp = [sc.FuzzyClustering(np.eye(n)[k]) for k in (x, y)]
        for each in options[:2] if JIT_OFF and n == 5 else options:
            assert counts_of(sc.fuzzy_pair_counts(*crisp, **each)) == expected


def test_hard_clusterings_have_integer_counts():
    assert repr(sc.fuzzy_pair_counts([0, 0, 1], [0, 1, 1])) == repr(
        sc.pair_counts([0, 0, 1], [0, 1, 1]))


def test_product_with_bounded_sum_is_the_product_relation():
    rng = np.random.default_rng(3)
    x, y = random_side(rng, "fuzzy", 40, 4), random_side(rng, "fuzzy", 40, 3)
    norms = {"relation": "t_norm", "t_norm": "product", "t_conorm": "bounded_sum"}
    assert counts_of(sc.fuzzy_pair_counts(x, y, **norms)) == pytest.approx(
        counts_of(sc.fuzzy_pair_counts(x, y)), rel=0, abs=1e-10)  # 780 pairs


def test_product_rand_is_the_conflict_index():
    rng = np.random.default_rng(4)
    for _ in range(5):
        x, y = random_side(rng, "fuzzy", 9, 3), random_side(rng, "fuzzy", 9, 4)
        assert sc.fuzzy_rand_index(x, y) == pytest.approx(
            sc.credal_rand_index(x, y, distance="conflict"), rel=0, abs=1e-12)


@pytest.mark.parametrize("relation", ["product", "cosine"])
def test_adjusted_indices_are_zero_on_average_over_all_orders(relation):
    rng = np.random.default_rng(5)
    x, y = random_side(rng, "fuzzy", 5, 3), random_side(rng, "fuzzy", 5, 2)
    for name in ("fuzzy_adjusted_rand_index", "fuzzy_gamma_index"):
        values = [getattr(sc, name)(x, y.subset(list(order)), relation=relation)
                  for order in permutations(range(5))]
        assert np.mean(values) == pytest.approx(0, abs=1e-12)
        assert np.ptp(values) > 0.1
    formal = [sc.fuzzy_adjusted_rand_index(x, y.subset(list(order)), relation="t_norm")
              for order in permutations(range(5))]
    assert abs(np.mean(formal)) > 1e-4


@pytest.mark.parametrize("name", ["fuzzy_rand_index", "fuzzy_fowlkes_mallows_index"])
def test_chance_level_is_the_mean_over_all_orders(name):
    rng = np.random.default_rng(6)
    x, y = random_side(rng, "fuzzy", 5, 3), random_side(rng, "fuzzy", 5, 2)
    mean = naive.mean_over_orders(getattr(naive, name), membership_rows(x), membership_rows(y))
    assert sc.get_measure(name).chance(sc.Joint(x, y)) == pytest.approx(mean, rel=0, abs=1e-12)


def test_chance_level_of_rough_clusterings():
    rng = np.random.default_rng(7)
    x, y = (random_clustering(rng, "rough", 5, 3) for _ in range(2))
    mean = naive.mean_over_orders(naive.rough_rand_index, x.upper.tolist(), y.upper.tolist())
    found = sc.get_measure("rough_rand_index").chance(sc.Joint(x, y))
    assert found == pytest.approx(mean, rel=0, abs=1e-12)
    assert sc.rough_rand_index(x, y) == pytest.approx(
        naive.rough_rand_index(x.upper.tolist(), y.upper.tolist()), rel=0, abs=1e-12)


@pytest.mark.parametrize("relation", ["product", "cosine"])
def test_triangle_inequality_of_rand(relation):
    group = all_fuzzy(3, 2)
    d = 1 - np.array([[sc.fuzzy_rand_index(x, y, relation=relation) for y in group]
                      for x in group])
    assert (d[:, None, :] - (d[:, :, None] + d[None, :, :])).max() <= 1e-12


def test_minimum_and_maximum_break_the_triangle_and_call_different_clusterings_equal():
    """Spec section 2: 2/3 > 1/2 + 0."""
    x, y, z = ([[0, 0, 1], [0, 0, 1], third] for third in
               ([0, 0, 1], [0.5, 0.5, 0], [0, 1, 0]))
    options = {"relation": "t_norm"}
    rand = [sc.fuzzy_rand_index(sc.FuzzyClustering(a), sc.FuzzyClustering(b), **options)
            for a, b in ((x, y), (y, z), (x, z))]
    assert rand == pytest.approx([1 / 2, 1, 1 / 3])


@pytest.mark.parametrize("options", RELATIONS, ids=str)
def test_a_soft_clustering_does_not_agree_with_itself(options):
    u = np.random.default_rng(8).dirichlet([1, 1, 1], 20)
    if options.get("t_norm") not in ("lukasiewicz", "drastic"):   # small degrees are 0 there
        assert sc.fuzzy_rand_index(u, u, **options) < 0.95


def test_minkowski_is_not_symmetric():
    x, y = [0, 0, 0, 1], [0, 0, 1, 2]
    assert sc.fuzzy_minkowski_dissimilarity(x, y) == pytest.approx(math.sqrt(2 / 3))
    assert sc.fuzzy_minkowski_dissimilarity(y, x) == pytest.approx(math.sqrt(2))


@pytest.mark.parametrize("name", INDICES[1:])
def test_undefined_values_warn(name):
    with pytest.warns(sc.UndefinedMeasureWarning, match=f"{name} is undefined: .*0"):
        assert math.isnan(getattr(sc, name)([0, 1, 2], [0, 1, 2]))
    apart = sc.FuzzyClustering(np.eye(3))
    with pytest.warns(sc.UndefinedMeasureWarning):
        assert math.isnan(getattr(sc, name)(apart, apart))


def test_nothing_together_and_nothing_apart():
    nothing = sc.PossibilisticClustering(np.zeros((3, 2)))
    with pytest.warns(sc.UndefinedMeasureWarning, match="all degrees are 0"):
        assert math.isnan(sc.fuzzy_rand_index(nothing, nothing, relation="t_norm"))


def test_rounding_leaves_no_counts_where_there_are_none():
    rows = np.tile([0.1, 0.2, 0.7], (1000, 1))
    p = sc.fuzzy_pair_counts(rows, rows, relation="cosine")
    assert (p.n10, p.n01, p.n00) == (0.0, 0.0, 0.0)
    with pytest.warns(sc.UndefinedMeasureWarning):
        assert math.isnan(sc.fuzzy_adjusted_rand_index(rows, rows, relation="cosine"))


def test_other_kinds_are_refused_with_the_way_out():
    rough = sc.RoughClustering.from_upper([[1, 0], [1, 1], [0, 1]])
    typical = sc.PossibilisticClustering([[1, 0.2], [0.3, 0.9], [0, 1]])
    with pytest.raises(sc.ClusteringError, match=r"x is rough; a hard or fuzzy .*x\.to_fuzzy"):
        sc.fuzzy_rand_index(rough, [0, 0, 1])
    with pytest.raises(sc.ClusteringError, match=r'possibilistic.* relation="t_norm"'):
        sc.fuzzy_rand_index([0, 0, 1], typical)
    assert 0 <= sc.fuzzy_rand_index([0, 0, 1], typical, relation="t_norm") <= 1
    with pytest.raises(sc.ClusteringError, match=r"y is fuzzy; a hard or rough .*y\.to_rough"):
        sc.rough_rand_index(rough, sc.FuzzyClustering([[0.5, 0.5]] * 3))


@pytest.mark.parametrize(("option", "value"), [
    ("relation", "sum"), ("t_norm", "maximum"), ("t_conorm", "minimum")])
def test_unknown_options(option, value):
    with pytest.raises(ValueError, match=f"{option}='{value}' is not known"):
        sc.fuzzy_jaccard_index([0, 1], [0, 1], **{option: value})


@pytest.mark.parametrize("options", NORMS[:2] if JIT_OFF else NORMS, ids=str)
def test_the_same_bits_for_any_number_of_threads(options, monkeypatch):
    monkeypatch.setattr(pair_rows, "_STEPS", 1.0)
    rng = np.random.default_rng(9)
    n = 70 if JIT_OFF else 700
    x, y = random_side(rng, "fuzzy", n, 4), random_side(rng, "fuzzy", n, 3)
    found = set()
    for n_threads in (1, 8):
        sc.set_num_threads(n_threads)
        found.add(counts_of(sc.fuzzy_pair_counts(x, y, **options)))
    sc.set_num_threads(None)
    assert len(found) == 1


def test_compare_lists_the_best_known_for_soft_clusterings_only():
    u = np.random.default_rng(0).dirichlet([1, 1], 6)
    listed = {name for row in sc.compare([0, 0, 0, 1, 1, 1], u) for name in (row.name, *row.also)}
    assert {"fuzzy_rand_index", "fuzzy_adjusted_rand_index"} <= listed
    assert not listed & {"fuzzy_jaccard_index", "fuzzy_gamma_index"}
    hard = {row.name for row in sc.compare([0, 0, 1], [0, 1, 1])}
    assert not [name for name in hard if name.startswith("fuzzy")]


def test_long_loops_are_announced_with_advice(monkeypatch, caplog):
    monkeypatch.setattr(pair_rows, "_STEPS", 100.0)
    monkeypatch.setattr(threads, "_threads", 1)   # with more, another one may do all the rest
    monkeypatch.setattr(threads._Announcer, "MEASURED", 0.0)
    monkeypatch.setattr(threads._Announcer, "ALIKE", np.inf)
    monkeypatch.setattr(threads._Announcer, "LONG", -1.0)
    monkeypatch.setattr(threads._Announcer, "VERY_LONG", -1.0)
    u = np.full((300, 2), 0.5)
    sc.fuzzy_rand_index(u, u, relation="t_norm")
    assert len(caplog.messages) == 1
    assert "pairs of objects: about" in caplog.text
    assert "subset" in caplog.text
