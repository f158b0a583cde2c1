"""Reduced mutual information, and pair counts of given pairs: golden values, urns, properties."""

import json
import math
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from benchmarks import many_clusters
from naive import reduced_information as naive
from strategies import partition_pairs

import softclust as sc
from softclust.measures import registry
from softclust.tables.pair_counts import PairCounts
from softclust.tables.reduced_information import code_length, log_rising

CASES = json.loads((Path(__file__).parent / "golden" / "unbiased.json").read_text())["cases"]
RMI, NRMI = sc.reduced_mutual_information, sc.normalized_reduced_mutual_information
OF_PAIRS = [m for m in registry().values() if m.statistic is PairCounts]


def value(case):
    given, options = case["input"], case["kwargs"]
    if "table" in given:
        return (NRMI if options else RMI)(sc.ContingencyTable.from_counts(given["table"]),
                                          **options)
    x, y = given["x"], given["y"]
    match case["function"]:
        case "reduced":
            return RMI(x, y)
        case "normalized_reduced":
            return NRMI(x, y, **options)
        case "null_mean":
            return sc.chance(x, y, {NRMI.__name__: options}, method="exact")[NRMI.__name__].mean
        case "z":
            return sc.chance(x, y, given["measure"], **options)[given["measure"]].z
    counts = sc.pair_counts(x, y, pairs=(given["i"], given["j"]))
    if case["function"] == "given_pairs":
        return sc.get_measure(given["measure"]).function(counts, **options)
    return {name: getattr(counts, name) for name in ("n11", "n10", "n01", "n00")}


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
@pytest.mark.parametrize("case", CASES, ids=lambda c: c["id"])
def test_stored_values(case):
    expected = case["expected"]
    assert value(case) == (pytest.approx(math.nan, nan_ok=True) if expected is None else expected
                           if isinstance(expected, dict)
                           else pytest.approx(expected, abs=case["abs_tol"], rel=0))


# -- reduced information ----------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
def test_urns_of_four_objects_drawn_ball_by_ball():
    for x, y in partition_pairs(4):
        assert RMI(x, y) == pytest.approx(naive.reduced_mutual_information(x, y), abs=1e-3)
        if not sc.Joint(x, y).contingency.same_partition:
            for average in ("arithmetic", "y"):
                expected = naive.normalized_reduced_mutual_information(x, y, average)
                assert NRMI(x, y, average=average) == pytest.approx(expected, abs=1e-2,
                                                                    nan_ok=True)


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
def test_at_most_1_and_only_for_equal_partitions_of_five_objects():
    for x, y in partition_pairs(5):
        table = sc.Joint(x, y).contingency
        k = table.n_used[1]
        assert code_length(table.counts, table.a, k) >= table.n_cells * math.log(k) - 1e-12
        for average in ("arithmetic", "y"):
            share = NRMI(table, average=average)
            assert (share == 1.0) == table.same_partition
            assert not share > 1.0
        low, high = sc.get_measure("RMI").range(sc.Joint(x, y))
        assert low - 1e-12 <= RMI(table) <= high + 1e-12


def test_closed_forms_of_a_million_objects():
    sizes, n = np.full(50, 20_000), 1_000_000
    equal = sc.ContingencyTable.from_counts(np.diag(sizes))
    own = (n * math.log(50) - 50 * math.log(50)) / n
    assert RMI(equal) == pytest.approx(own, abs=1e-12)
    halves = sc.ContingencyTable.from_counts(np.repeat(np.diag(sizes // 2), 2, axis=0))
    assert RMI(halves) == pytest.approx((1 - 100 / n) * math.log(50), abs=1e-12)
    one = sc.ContingencyTable.from_counts(np.array([[900_000, 90_000, 10_000]]))
    assert RMI(one) == 0.0
    assert NRMI(one, average="y") == 0.0


def test_the_series_meets_the_gamma_function():
    for alpha in (31.9, 32.0, 1e3, 1e8):
        for t in (1, 7, 1000):
            direct = math.fsum(math.log(alpha + k) for k in range(t))
            assert float(log_rising(np.array(alpha), np.array(t))) == pytest.approx(
                direct, abs=2e-14 * t, rel=1e-15)


def test_same_bits_from_labels_tables_and_copies():
    rng = np.random.default_rng(0)
    x, y = rng.integers(6, size=300), rng.integers(4, size=300)
    expected = NRMI(x, y)
    assert NRMI(sc.contingency_table(x, y)) == expected
    halves = sc.contingency_table(x[:90], y[:90]) + sc.contingency_table(x[90:], y[90:])
    assert NRMI(halves) == expected
    pairs, copies = np.unique(np.column_stack([x, y]), axis=0, return_counts=True)
    assert NRMI(sc.contingency_table(*pairs.T, frequencies=copies)) == expected
    with pytest.raises(sc.ClusteringError, match="frequencies="):
        NRMI(sc.contingency_table(x, y, weights=rng.random(300)))


def test_a_truth_without_information_is_nan_with_the_reason():
    with pytest.warns(sc.UndefinedMeasureWarning, match="y is one cluster or all singletons"):
        assert math.isnan(NRMI([0, 0, 1, 1], [0, 1, 2, 3], average="y"))
    with pytest.warns(sc.UndefinedMeasureWarning, match="both are"):
        assert math.isnan(NRMI([0, 0, 0, 0], [0, 1, 2, 3]))
    assert NRMI([0, 0, 0, 0], [5, 5, 5, 5]) == 1.0
    with pytest.raises(ValueError, match="max"):
        NRMI([0, 1], [0, 1], average="max")


# -- given pairs ------------------------------------------------------------------------------
def test_given_pairs_by_loops():
    rng = np.random.default_rng(1)
    for _ in range(20):
        x, y = rng.integers(3, size=9), rng.integers(3, size=9)
        i, j = np.array([rng.choice(9, 2, replace=False) for _ in range(12)]).T
        p = sc.pair_counts(x, y, pairs=(i, j))
        assert (p.n11, p.n10, p.n01, p.n00) == naive.given_pairs(x, y, i, j)


@pytest.mark.parametrize("m", OF_PAIRS, ids=lambda m: m.name)
def test_all_pairs_listed_give_the_same_bits(m):
    rng = np.random.default_rng(2)
    x, y = rng.integers(3, size=30), rng.integers(4, size=30)
    counts = sc.pair_counts(x, y, pairs=np.triu_indices(30, 1))
    if m.name != "katz_powell_index":   # its diagonal is not listed
        assert m.function(counts) == m.function(x, y)
    assert m.function(sc.pair_counts(x, y)) == m.function(x, y)


def test_the_numerator_of_the_graph_aware_index_has_mean_0():
    x, y, pairs = [0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2], ([0, 1, 2, 3, 4, 0], [1, 2, 3, 4, 5, 2])
    total = Fraction(0)
    for order in permutations(range(6)):
        p = sc.pair_counts(x, [y[k] for k in order], pairs=pairs)
        total += p.n11 - Fraction(p.in_x * p.in_y, p.n_pairs)
    assert total == 0


def test_1_does_not_mean_equal():
    places = [(a, b) for a in range(4) for b in range(4)]
    quarters = [2 * (a // 2) + b // 2 for a, b in places]
    merged = [{3: 0}.get(k, k) for k in quarters]   # two that touch in a corner only
    edges = [(s, t) for s, t in combinations(range(16), 2)
             if sum(abs(u - v) for u, v in zip(places[s], places[t])) == 1]
    assert sc.adjusted_rand_index(sc.pair_counts(quarters, merged, pairs=zip(*edges))) == 1.0
    assert sc.adjusted_rand_index(quarters, merged) < 0.8


@pytest.mark.parametrize(("pairs", "message"), [
    ([0, 1], r"two arrays of positions \(i, j\)"), (5, "two arrays"), ("ab", "two arrays"),
    ([[0], [1, 2]], "1 positions i and 2 positions j"), (([], []), "empty"),
    (([0.5], [1.0]), "whole numbers"), (([0, 0], [1, 4]), "j of pair 1 is 4; positions"),
    (([-1], [0]), "i of pair 0 is -1"), (([0, 0, 0, 3], [1, 1, 1, 3]),
                                         "pair 3 is object 3 with itself")])
def test_pairs_that_are_none(pairs, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.pair_counts([0, 0, 1, 1], [0, 0, 1, 2], pairs=pairs)


def test_pair_counts_where_clusterings_are_needed():
    counts = sc.pair_counts([0, 0, 1, 1], [0, 0, 1, 2], pairs=([0, 1], [1, 2]))
    with pytest.raises(sc.ClusteringError, match="need the objects"):
        sc.pair_counts(sc.contingency_table([0, 1], [0, 1]), pairs=([0], [1]))
    with pytest.raises(TypeError, match="leave out y"):
        sc.rand_index(counts, [0, 0, 1, 1])
    with pytest.raises(TypeError, match="mutual_information needs Information"):
        sc.mutual_information(counts)
    no_objects = [
        lambda: sc.adjusted_rand_index(counts, model="number", fixed="y"),
        lambda: sc.adjusted_rand_index(counts, strata=[0, 0]), lambda: sc.compare(counts),
        lambda: sc.chance(counts, measure="ARI"), lambda: sc.compare(counts, [0, 0, 1, 1]),
        lambda: sc.rand_index([0, 0, 1, 1], counts)]
    for call in no_objects:
        with pytest.raises(ValueError, match="pair counts have no objects"):
            call()


# -- many clusters ----------------------------------------------------------------------------
@pytest.mark.slow
def test_measures_that_favour_many_clusters_are_those_that_say_so():
    names = {"adjusted Rand": "ARI", 'AMI "max"': "AMI", "AMI": "AMI", "NMI": "NMI",
             'NRMI "y"': "NRMI"}
    best = many_clusters.nearest_numbers("distance 2.5", 50,
                                         {name: many_clusters.MEASURES[name] for name in names})
    more = {name: sum(k > 4 for k in chosen) for name, chosen in best.items()}
    assert max(more["adjusted Rand"], more['AMI "max"']) < min(more["AMI"], more["NMI"])
    assert more["NMI"] < more['NRMI "y"'] > 25


def test_a_ranking_says_that_its_measure_favours_many_clusters():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 30)
    runs = {"two": np.repeat([0, 1], 60), "eight": np.where(
        rng.random(120) < 0.9, np.repeat(np.arange(8), 15), rng.integers(8, size=120))}

    def notes(**options):
        return " ".join(sc.rank_clusterings(truth, runs, **options).notes)
    assert "2 to 8 clusters, and normalized_mutual_information favours many" in notes(measure="NMI")
    assert "favours many" in notes(measure="AMI")
    assert "favours many" not in notes(measure="AMI", average="max")
    assert "favours many" not in notes()
    runs["two"] = truth
    assert "favours many" in notes(measure="NMI")
    runs["eight"] = truth // 2 * 2
    assert "2 to 4" in notes(measure="NMI")


# -- peers, where they are installed ----------------------------------------------------------
@pytest.mark.slow
def test_the_package_of_the_authors():
    peer = pytest.importorskip("clustering_mi")
    rng = np.random.default_rng(0)
    for _ in range(60):
        n = rng.integers(8, 200)
        x = rng.integers(rng.integers(2, 7), size=n)
        y = np.where(rng.random(n) < rng.random(), x, rng.integers(4, size=n))
        if min(len(set(x)), len(set(y))) > 1:
            # it searches alpha between 1e-4 and 1e4 only
            assert NRMI(x, y, average="y") == pytest.approx(
                peer.normalized_mutual_information(x, y), abs=2e-4)
            assert RMI(x, y) * n / math.log(2) == pytest.approx(
                peer.mutual_information(x, y), abs=1e-2)


@pytest.mark.slow
def test_graph_aware_indices_of_partition_igraph():
    igraph = pytest.importorskip("igraph")
    pytest.importorskip("partition_igraph")
    graph = igraph.Graph.Lattice([6, 6], circular=False)
    edges = np.array(graph.get_edgelist()).T
    rng = np.random.default_rng(0)
    for _ in range(10):
        x, y = rng.integers(4, size=36), rng.integers(3, size=36)
        counts = sc.pair_counts(x, y, pairs=edges)
        sides = [dict(enumerate(side.tolist())) for side in (x, y)]
        for method, plain, adjusted in (
                ("rand", sc.rand_index, sc.adjusted_rand_index),
                ("gmn", sc.fowlkes_mallows_index, sc.adjusted_fowlkes_mallows_index)):
            assert plain(counts) == pytest.approx(graph.gam(*sides, method=method, adjusted=False))
            assert adjusted(counts) == pytest.approx(graph.gam(*sides, method=method))
