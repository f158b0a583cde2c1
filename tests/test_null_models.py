"""Random tables, their exact law and moments, and the models of Gates and Ahn, by enumeration."""

import itertools
import time
from collections import Counter
from fractions import Fraction

import naive
import numpy as np
import pytest
from scipy.stats import chi2

import softclust as sc
from softclust.tables import partition_models
from softclust.tables.partition_models import RandomPartition, _mean_numbers, draw_sizes
from softclust.tables.table_law import (
    _fillings,
    _n_fillings,
    all_tables,
    count_tables,
    law_of_sums,
    table_sampler,
)
from softclust.tables.table_moments import pair_moments

MARGINS = [((1, 1), (2,)), ((2, 1), (1, 2)), ((2, 2), (1, 1, 2)), ((3, 2), (2, 2, 1)),
           ((1, 1, 1, 1, 1), (3, 2)), ((3, 2, 1), (2, 2, 2)), ((4, 2), (3, 3)), ((6,), (1, 5)),
           ((2, 2, 2), (4, 1, 1))]
TABLE = sc.ContingencyTable.from_counts([[7, 1, 3], [4, 6, 3], [0, 4, 4]])


def partitions(n, most=None):
    """Sizes of the clusters of all partitions of n objects."""
    if n == 0:
        yield ()
    for first in range(min(n, most or n), 0, -1):
        yield from ((first, *rest) for rest in partitions(n - first, first))


@pytest.mark.parametrize("n", range(2, 7))
def test_moments_of_all_margins(n):
    for a, b in itertools.combinations_with_replacement(partitions(n), 2):
        law = naive.joined_pairs_law(a, b)
        moments = pair_moments(np.array(a), np.array(b))
        mean = sum(v * p for v, p in law.items())
        assert moments.mean == mean
        assert moments.variance == sum((v - mean) ** 2 * p for v, p in law.items())
        assert moments.third == sum((v - mean) ** 3 * p for v, p in law.items())
        assert law_of_sums(np.array(a), np.array(b), lambda t: t * (t - 1) // 2, 1e6) == dict(
            sorted(law.items()))


@pytest.mark.parametrize(("a", "b"), MARGINS)
def test_law_and_moments_are_those_of_all_orders(a, b):
    law = naive.joined_pairs_law(a, b)
    a, b = np.array(a), np.array(b)
    assert law_of_sums(a, b, lambda t: t * (t - 1) // 2, 1e6) == dict(sorted(law.items()))
    moments = pair_moments(a, b)
    mean = sum(v * p for v, p in law.items())
    assert moments.mean == mean
    assert moments.variance == sum((v - mean) ** 2 * p for v, p in law.items())
    assert moments.third == sum((v - mean) ** 3 * p for v, p in law.items())
    tables = [(table.tolist(), p) for table, p in all_tables(a, b, 1e6)]
    assert len(tables) == count_tables(a, b, 1e6)
    assert all(p == naive.chance_of_table(table) for table, p in tables)
    assert sum(p for _, p in tables) == Fraction(1)


def test_too_many_tables_are_told_at_once():
    """Minutes before: the tables were visited until there were too many."""
    for counts in (np.full((9, 9), 50), np.full((3, 3), 40), np.full((2, 2), 10**7)):
        start = time.perf_counter()
        with pytest.raises(sc.ClusteringError, match="more than max_tables"):
            sc.chance(sc.ContingencyTable.from_counts(counts), measure="rand_index",
                      method="exact")
        assert time.perf_counter() - start < 5.0   # under a second on an idle machine


@pytest.mark.parametrize(("row", "columns"), [(0, (2,)), (3, (3,)), (4, (1, 2, 5)), (7, (3, 3, 3)),
                                              (5, (1, 1)), (2, (1, 1, 1, 1))])
def test_rows_are_counted_before_they_are_listed(row, columns):
    assert _n_fillings(row, columns) == sum(1 for _ in _fillings(row, columns))


@pytest.mark.parametrize(("a", "b"), [
    ((5,), (2, 3)), ((2, 3), (5,)), ((4,), (4,)), ((0, 4), (2, 2)), ((2, 0, 2), (1, 0, 3)),
    ((0, 3, 0), (1, 2))])
def test_drawn_tables_of_empty_and_of_single_clusters(a, b):
    draw = table_sampler(np.array(a), np.array(b))
    for seed in range(5):
        table = draw(np.random.default_rng(seed))
        assert table.sum(axis=1).tolist() == list(a)
        assert table.sum(axis=0).tolist() == list(b)
        assert table.min() >= 0


@pytest.mark.parametrize(("a", "b"), [
    ((3, 2, 1), (2, 2, 2)), ((5, 4), (3, 3, 3)), ((2, 2), (1, 3)), ((20, 10), (15, 15))])
def test_drawn_tables_have_their_law(a, b):
    a, b, m = np.array(a), np.array(b), 4000
    draw, rng = table_sampler(a, b), np.random.default_rng(1)
    drawn = Counter(draw(rng)[0].tobytes() for _ in range(m))   # the first row of each
    law = Counter()
    for table, p in all_tables(a, b, 1e6):
        law[table[0].tobytes()] += p
    often = [key for key, p in law.items() if p * m > 5]
    statistic = sum((drawn[key] - m * float(law[key])) ** 2 / (m * float(law[key]))
                    for key in often)
    assert chi2(max(1, len(often) - 1)).sf(statistic) > 1e-4
    assert set(drawn) <= set(law)


def test_random_tables_beyond_a_thousand_million_objects_name_another_way():
    table = sc.ContingencyTable.from_counts(np.full((2, 2), 10**9))
    with pytest.raises(sc.ClusteringError, match='method="moments"'):
        sc.chance(table, measure="rand_index")
    assert sc.chance(table, measure="rand_index", method="moments").p_value[0] > 0.3


def test_draws_do_not_depend_on_threads():
    found = []
    for threads in (1, 4):
        sc.set_num_threads(threads)
        result = sc.chance(TABLE, measure=["rand_index", "mutual_information"],
                           n_permutations=300, rng=3)
        found.append(result.null.tobytes())
    sc.set_num_threads(None)
    assert found[0] == found[1]


def test_random_tables_agree_with_all_tables():
    names = ["rand_index", "jaccard_index", "mutual_information", "katz_powell_index"]
    exact = sc.chance(TABLE, measure=names, method="exact")
    drawn = sc.chance(TABLE, measure=names, method="tables", n_permutations=2000, rng=0)
    for name in names:
        p = exact[name].p_value
        assert abs(drawn[name].p_value - p) < 4 * (p * (1 - p) / 2000) ** 0.5 + 1 / 2001
        assert abs(drawn[name].mean - exact[name].mean) < 5 * exact[name].sd / 2000**0.5
    assert exact["rand_index"].p_value_error == 0.0
    assert exact["rand_index"].z == pytest.approx(
        (exact["rand_index"].observed - exact["rand_index"].mean) / exact["rand_index"].sd)


PAIRS = [([0, 0, 1, 1, 2], [0, 1, 1, 1, 0]), ([0, 0, 0, 1], [0, 1, 2, 2]), ([0, 0, 0], [0, 1, 2])]


@pytest.mark.parametrize("model", ["number", "all"])
@pytest.mark.parametrize("fixed", [None, "x", "y"])
def test_levels_are_means_over_all_partitions(model, fixed):
    for x, y in PAIRS:
        for name in ("rand_index", "mutual_information", "variation_of_information"):
            expected = naive.mean_under_model(getattr(naive, name), x, y, model, fixed)
            found = sc.chance_level(x, y, name, model=model, fixed=fixed)
            assert found == pytest.approx(float(expected), abs=1e-13)


@pytest.mark.parametrize(("n", "k"), [(5, 2), (5, 3), (6, 5)])
def test_sizes_of_drawn_partitions(n, k):
    """A multiset of sizes has the share of partitions that have it."""
    rng, m = np.random.default_rng(0), 2000
    for model in ("number", "all"):
        drawn = Counter(tuple(sorted(draw_sizes(model, np.ones(k), n, rng).tolist()))
                        for _ in range(m))
        every = Counter(tuple(sorted(Counter(p).values())) for p in naive.all_label_partitions(n)
                        if model == "all" or len(set(p)) == k)
        total = sum(every.values())
        statistic = sum((drawn[s] - m * t / total) ** 2 / (m * t / total) for s, t in every.items())
        assert chi2(max(1, len(every) - 1)).sf(statistic) > 1e-4
        assert set(drawn) <= set(every)


@pytest.mark.parametrize(("model", "k"), [("all", 1), *(("number", k) for k in (
    2, 3, 20, 150, 300, 599))])
def test_mean_numbers_of_clusters_by_size(model, k):
    """Against ratios of whole numbers, C(n, t) S(n - t, k - 1) / S(n, k) or of Bell numbers."""
    n = 600
    sizes, times = RandomPartition(model, np.ones(k), n).mean_sizes()
    expected = _mean_numbers(model, n, k)
    assert (sizes * times).sum() == pytest.approx(n, rel=1e-13)
    np.testing.assert_allclose(times, expected[sizes - 1], rtol=1e-7, atol=1e-13 * times.max())
    assert np.delete(expected, sizes - 1).sum() < 1e-12


@pytest.mark.parametrize(("n", "k"), [(10**5, 5), (10**6, 999_000), (10**6, 3000), (10**9, 7)])
def test_mean_numbers_of_clusters_of_many_objects(n, k):
    for model in ("number", "all"):
        sizes, times = RandomPartition(model, np.ones(k), n).mean_sizes()
        assert (sizes * times).sum() == pytest.approx(n, rel=1e-12)
        # The chance that a second object shares the cluster of the first.
        joined = (times * sizes * (sizes - 1.0)).sum() / (n * (n - 1.0))
        assert joined == pytest.approx(RandomPartition(model, np.ones(k), n).joined(), rel=1e-9,
                                       abs=0)


def test_parabola_of_shares_just_below_n(monkeypatch):
    """Mean numbers C(n, t) Bell(n - t) / Bell(n): their ratios are shares of joined pairs."""
    n = 10**6
    monkeypatch.setattr(partition_models, "_SMOOTH", n)
    sizes, times = RandomPartition("all", np.ones(1), n).mean_sizes()
    for t in (20, 40, 50):
        share = times[t] / times[t - 1] * (t + 1) / (n - t)
        assert sizes[t] == t + 1
        assert share == pytest.approx(RandomPartition("all", np.ones(1), n - t).joined(),
                                      rel=1e-11, abs=0)


@pytest.mark.parametrize(("model", "fixed"), [("all", None), ("all", "x"), ("number", None)])
def test_information_of_many_objects_has_the_mean_of_draws(model, fixed):
    rng = np.random.default_rng(3)
    table = sc.contingency_table(rng.integers(0, 3000, 4000), rng.integers(0, 3500, 4000))
    for name in ("mutual_information", "variation_of_information"):
        row = sc.chance(table, measure=name, model=model, fixed=fixed, n_permutations=60,
                        rng=1)[name]
        level = sc.chance_level(table, measure=name, model=model, fixed=fixed)
        assert abs(row.mean - level) < 5 * row.sd / 60**0.5


@pytest.mark.parametrize(("n", "k"), [(3000, 2990), (3000, 1500), (50_000, 30_000)])
def test_draws_of_nearly_as_many_clusters_as_objects(n, k):
    rng, m = np.random.default_rng(4), 40
    joined = []
    for _ in range(m):
        sizes = draw_sizes("number", np.ones(k), n, rng)
        assert (sizes.sum(), len(sizes), sizes.min() > 0) == (n, k, True)
        joined.append((sizes * (sizes - 1.0)).sum() / (n * (n - 1.0)))
    mean = RandomPartition("number", np.ones(k), n).joined()
    assert abs(np.mean(joined) - mean) < 5 * np.std(joined) / m**0.5


def test_models_are_drawn_with_the_exact_mean():
    for model, fixed in (("number", None), ("all", "x")):
        row = sc.chance(TABLE, measure="rand_index", model=model, fixed=fixed, rng=1,
                        n_permutations=400)["rand_index"]
        level = sc.chance_level(TABLE, measure="rand_index", model=model, fixed=fixed)
        assert abs(row.mean - level) < 5 * row.sd / 20


def test_equal_partitions_are_adjusted_to_one():
    for model in ("number", "all"):
        assert sc.adjusted_rand_index([0, 0, 0], [1, 1, 1], model=model) == 1.0
        assert sc.adjusted_mutual_information([0, 1, 2], [2, 1, 0], model=model, fixed="x") == 1.0
    with pytest.raises(ValueError, match='needs fixed="x" or "y"'):
        sc.adjusted_mutual_information([0, 1, 1], [0, 0, 1], model="all")


@pytest.mark.parametrize(("options", "error", "says"), [
    ({"measure": "jaccard_index", "method": "moments"}, ValueError, "linear"),
    ({"measure": "rand_index", "method": "normal"}, ValueError, "normal"),
    ({"measure": "rand_index", "model": "any"}, ValueError, "any"),
    ({"measure": "rand_index", "alternative": "less"}, ValueError, "less"),
    ({"measure": "rand_index", "model": "all", "method": "exact"}, ValueError, "random tables"),
    ({"measure": "rand_index", "method": "exact", "max_tables": 3}, sc.ClusteringError,
     'method="tables"'),
    ({"measure": "rand_index", "method": "permutations"}, sc.ClusteringError, "no objects"),
    ({}, TypeError, "measure is missing")])
def test_wrong_options_are_named(options, error, says):
    with pytest.raises(error, match=says):
        sc.chance(TABLE, **options)


def test_levels_that_are_not_known_name_the_way_out():
    with pytest.raises(ValueError, match=r"chance\(x, y, .*model=.*estimates it"):
        sc.chance_level(TABLE, measure="jaccard_index", model="all")
    with pytest.raises(ValueError, match="estimates it"):
        sc.chance_level(TABLE, measure="jaccard_index")
