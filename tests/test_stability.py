"""Stability of ready runs: pairs, clusters, objects, labels."""

import json
import pickle
import warnings
from itertools import product
from pathlib import Path

import matplotlib as mpl
import naive.stability as oracle
import numpy as np
import pytest

import softclust as sc
from softclust.ensembles import (
    instability,
    together,
)
from softclust.ensembles.consistency import pairs_of_runs

CASES = {case["id"]: case for case in json.loads(
    (Path(__file__).parent / "golden" / "stability.json").read_text(encoding="utf-8"))["cases"]}


def of(function):
    return [name for name, case in CASES.items() if case["function"] == function]


def runs_of(name):
    return sc.Ensemble.from_runs([[None if v == "." else int(v) for v in row]
                               for row in CASES[name]["input"]["runs"]])


def numbers(values):
    """Lists with None for nan as an array."""
    return np.array(values, dtype=float)


def random_labels(seed, *, n=7, many=4, k=3, share=0.7):
    rng = np.random.default_rng(seed)
    labels = np.where(rng.random((many, n)) < share, rng.integers(0, k, (many, n)), -1)
    labels[:, 0] = np.where((labels >= 0).any(axis=1), labels[:, 0], 0)
    return labels


def as_lists(labels):
    return [[None if v < 0 else int(v) for v in row] for row in labels]


# -- stored values ----------------------------------------------------------------------------
@pytest.mark.parametrize("name", of("coassociation"))
def test_stored_pairs(name):
    case = CASES[name]
    found, expected, tol = sc.coassociation(runs_of(name)), case["expected"], case["abs_tol"]
    assert found.n_pairs == expected["n_pairs"] - expected["never"]
    assert found.never_together == expected["never"]
    for key, value in (("mean", found.mean), ("area", found.area), ("pac", found.pac()),
                       ("pac_open", found.pac(closed="neither")), ("cdf_half", found.cdf(0.5))):
        assert value == pytest.approx(expected[key], abs=max(tol, 1e-11))
    zero = (found.pac() * found.n_pairs) / (found.n_pairs + found.never_together)
    assert zero == pytest.approx(expected["pac_zero_filled"], abs=1e-11)   # ConsensusClusterPlus
    n = found.runs.n_objects
    upper = np.triu_indices(n, 1)
    both, joined = np.array(expected["together"]), np.array(expected["same"])
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(found.matrix()[upper], joined / both)
    table = {(int(c), int(s)): int(count) for c, s, count in found.histogram}
    assert table == {pair: int(((both == pair[0]) & (joined == pair[1])).sum()) for pair in
                     set(zip(both.tolist(), joined.tolist()))}


@pytest.mark.parametrize("name", of("cluster_stability"))
def test_stored_clusters(name):
    case = CASES[name]
    found = sc.cluster_stability(case["input"]["reference"], runs_of(name))
    for key, value in case["expected"].items():
        np.testing.assert_allclose(getattr(found, key), numbers(value), atol=1e-11)


@pytest.mark.parametrize("name", of("element_consistency"))
def test_stored_objects(name):
    found = sc.element_consistency(runs_of(name))
    np.testing.assert_allclose(found.values, numbers(CASES[name]["expected"]["objects"]),
                               atol=1e-11)


@pytest.mark.parametrize("name", of("label_instability"))
def test_stored_labels(name):
    found = sc.label_instability(runs_of(name), n_draws=10, rng=0)
    assert found.value == pytest.approx(CASES[name]["expected"]["instability"], abs=1e-11)


def test_stored_null_of_two_clusters():
    case = CASES["null-two-classes"]
    for n, text in zip(case["input"]["n"], case["expected"]):
        top, _, bottom = text.partition("/")
        value, error = instability.null_instability(2, n, 10, np.random.default_rng(0))
        assert (value, error) == (int(top) / int(bottom or 1), 0.0)


# -- definitions ------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(6))
def test_pairs_by_their_definition(seed):
    labels = random_labels(seed)
    weights = [None, [1, 2, 0, 5]][seed % 2]
    shares, never = oracle.pair_shares(as_lists(labels), weights)
    found = sc.coassociation(sc.Ensemble.from_runs(labels), weights=weights)
    assert (found.n_pairs, found.never_together) == (len(shares), never)
    for (i, j), value in shares.items():
        assert found.matrix()[i, j] == float(value)     # rounded correctly
    for limits in ((0.1, 0.9), (0.0, 1.0), (1 / 3, 2 / 3), (0.5, 0.75)):
        assert found.pac(*limits) == pytest.approx(float(oracle.pac(shares, *limits)), abs=1e-15)
        assert found.pac(*limits, closed="neither") == pytest.approx(
            float(oracle.pac(shares, *limits, open_end=True)), abs=1e-15)
    assert found.area == pytest.approx(float(oracle.area_under_cdf(shares)), abs=1e-15)
    assert found.area == 1.0 - found.mean


@pytest.mark.parametrize("seed", range(6))
def test_clusters_by_their_definition(seed):
    labels = random_labels(seed, n=9)
    reference = np.random.default_rng(seed + 50).integers(0, 3, 9)
    reference[:3] = [0, 1, 2]
    rows, runs = as_lists(labels), sc.Ensemble.from_runs(labels)
    found = sc.cluster_stability(reference, runs)
    best = numbers([[oracle.best_jaccard(reference, run, k) for k in range(3)] for run in rows])
    np.testing.assert_allclose(found.values, best, atol=1e-15)
    np.testing.assert_array_equal(found.dissolved, (best <= 0.5).sum(axis=0))
    np.testing.assert_array_equal(found.recovered, (best >= 0.75).sum(axis=0))
    np.testing.assert_array_equal(found.absent, np.isnan(best).sum(axis=0))
    np.testing.assert_allclose(
        found.consensus, numbers([oracle.pooled_consensus(reference, rows, k) for k in range(3)]))
    np.testing.assert_allclose(
        sc.cluster_stability(reference, runs, pooled=False).consensus,
        numbers([oracle.mean_of_pairs(reference, rows, k) for k in range(3)]))
    np.testing.assert_allclose(found.objects, numbers(
        [[oracle.company(reference, rows, i, q) for q in range(3)] for i in range(9)]))
    zero = sc.cluster_stability(reference, runs, absent="zero")
    np.testing.assert_allclose(zero.jaccard, np.nan_to_num(best).mean(axis=0))


@pytest.mark.parametrize("seed", range(3))
def test_objects_by_random_walks(seed):
    labels = random_labels(seed, n=6, many=3)
    found = sc.element_consistency(sc.Ensemble.from_runs(labels))
    for damping in (0.9, 0.3):
        np.testing.assert_allclose(
            found.values, numbers(oracle.consistency(as_lists(labels), damping)), atol=1e-12)


def test_element_similarity_of_all_partitions_of_four():
    partitions = {tuple(sc.Ensemble.from_runs([v]).labels[0]) for v in product(range(4), repeat=4)}
    assert len(partitions) == 15
    for x, y in product(sorted(partitions), repeat=2):
        found = sc.element_consistency([list(x), list(y)])
        cells = [sum(a == x[i] and b == y[i] for a, b in zip(x, y)) / max(
            x.count(x[i]), y.count(y[i])) for i in range(4)]
        np.testing.assert_allclose(found.values, cells, atol=1e-15)
        np.testing.assert_allclose(found.agreement, [np.mean(cells)] * 2, atol=1e-15)


@pytest.mark.parametrize("seed", range(4))
def test_labels_by_all_matchings(seed):
    labels = random_labels(seed, n=8)
    found = sc.label_instability(sc.Ensemble.from_runs(labels), n_draws=10, rng=0)
    assert found.value == pytest.approx(float(oracle.instability(as_lists(labels))), abs=1e-15)


def test_null_by_enumeration_and_simulation():
    for n in (1, 2, 3, 4):
        assert instability.null_instability(2, n, 10, np.random.default_rng(0))[0] == float(
            oracle.null_instability(2, n))
    value, error = instability.null_instability(3, 3, 4000, np.random.default_rng(1))
    assert abs(value - float(oracle.null_instability(3, 3))) < 4 * error
    assert instability.null_instability(1, 5, 10, np.random.default_rng(0)) == (0.0, 0.0)
    one = sc.label_instability([[0, 0], [0, 0]])
    assert (one.value, one.null) == (0.0, 0.0)
    assert np.isnan(one.normalized)


# -- relations between ensembles --------------------------------------------------------------
def everything(runs, reference, **options):
    weights = options.get("weights")
    pairs = sc.coassociation(runs, weights=weights)
    return {"matrix": pairs.matrix(), "cdf": pairs.cdf(np.linspace(0, 1, 21))}


def unweighted(runs, reference):
    clusters = sc.cluster_stability(reference, runs)
    return {**everything(runs, reference), "values": np.sort(clusters.values, axis=0),
            "objects": clusters.objects, "consensus": clusters.consensus,
            "elements": sc.element_consistency(runs).values,
            "labels": sc.label_instability(runs, rng=0, n_draws=5).value}


def same(one, other, *, tol=1e-14):
    assert set(one) == set(other)
    for key, value in one.items():
        np.testing.assert_allclose(value, other[key], atol=tol, err_msg=key)


def test_complete_runs_names_of_labels_and_order():
    rng = np.random.default_rng(0)
    labels, reference = rng.integers(0, 3, (5, 12)), rng.integers(0, 2, 12)
    whole = unweighted(sc.Ensemble.from_runs(labels), reference)
    same(whole, unweighted(sc.Ensemble(labels), reference), tol=0)
    same(whole, unweighted(labels.tolist(), reference), tol=0)
    same(whole, unweighted(7 - labels[::-1], reference))
    partial = random_labels(3, n=12, many=5)
    moved = rng.permutation(12)
    one, other = (unweighted(sc.Ensemble.from_runs(v), r) for v, r in (
        (partial, reference), (partial[:, moved], reference[moved])))
    for key in ("objects", "elements"):
        one[key] = one[key][moved]
    one["matrix"] = one["matrix"][np.ix_(moved, moved)]
    same(one, other)


def test_weights_leave_out_and_double():
    labels = random_labels(8, n=10, many=4)
    runs = sc.Ensemble.from_runs(labels)
    reference = [0] * 10
    same(everything(runs, reference, weights=[1, 2, 1, 0]),
         everything(sc.Ensemble.from_runs(labels[[0, 1, 1, 2]]), reference))
    same(everything(runs, reference, weights=[3, 3, 3, 3]), everything(runs, reference), tol=0)
    assert sc.coassociation(runs, weights=[1, 2, 1, 0]).histogram is None


def test_few_runs_objects_and_clusters():
    single = sc.coassociation([[0, 1, 1]])
    assert single.pac() == 0.0      # one run: nothing is ambiguous
    assert single.values.tolist() == [0.0, 1.0]
    two = sc.coassociation([[0, 0], [0, 1]])
    assert (two.n_pairs, two.mean) == (1, 0.5)
    together = sc.coassociation([[0] * 5] * 3)
    assert (together.mean, together.pac()) == (1.0, 0.0)
    apart = sc.cluster_stability(list(range(5)), [list(range(5))] * 3)
    assert apart.jaccard.tolist() == [1.0] * 5
    assert np.isnan(apart.consensus).all()
    assert sc.element_consistency([list(range(5))] * 3).index == 1.0
    assert sc.label_instability([[0] * 4, [0, 1, 2, 3]], rng=0).value == 0.75


def test_drawn_pairs_of_more_runs_than_objects():
    runs = sc.Ensemble.from_runs([[0, 0, 1], [0, 1, 1], [0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 0, 1]])
    found = sc.coassociation(runs, n_draws=60, rng=0)
    assert found.values.tolist() == sc.coassociation(runs).values.tolist() == [2 / 6, 4 / 6]
    assert (found.counts.sum(), found.median_held) == (60, 6)


def test_many_clusters_count_the_cells_that_occur(monkeypatch):
    from softclust.ensembles import consistency
    labels = random_labels(4, n=30, many=4, k=9)
    whole = sc.element_consistency(sc.Ensemble.from_runs(labels))
    monkeypatch.setattr(consistency, "_CELLS", 0)
    part = sc.element_consistency(sc.Ensemble.from_runs(labels))
    np.testing.assert_array_equal(part.values, whole.values)
    np.testing.assert_allclose(part.agreement, whole.agreement, atol=1e-15)


def test_threads_and_chunks_change_no_bits(monkeypatch):
    labels = random_labels(5, n=300, many=20)
    runs, threads = sc.Ensemble.from_runs(labels), sc.get_num_threads()
    monkeypatch.setattr(together, "_PAIR_CHUNK", 20 * 300 * 7)
    found = []
    try:
        for count in (1, 3):
            sc.set_num_threads(count)
            found.append((sc.coassociation(runs), sc.coassociation(runs, weights=range(20)),
                          sc.coassociation(runs, n_draws=1000, rng=1)))
    finally:
        sc.set_num_threads(threads)
    for one, other in zip(*found):
        np.testing.assert_array_equal(one.counts, other.counts)
        np.testing.assert_array_equal(one.values, other.values)
        np.testing.assert_array_equal(one.matrix(), other.matrix())


def test_the_most_clusters_of_a_byte():
    labels = np.vstack([np.arange(128), np.arange(128) // 2])
    labels[0, 5] = labels[1, 9] = -1
    runs = sc.Ensemble.from_runs(labels)
    assert runs.labels.dtype == np.int8
    assert sc.label_instability(runs, n_draws=2, rng=0).value == 62 / 126
    found = sc.cluster_stability(np.arange(128) // 2, runs)
    assert found.values[0, 0] == 0.5
    assert found.values[1, :3].tolist() == [1.0, 1.0, 1.0]


def test_more_than_255_runs():
    labels = random_labels(6, n=8, many=300)
    found = sc.coassociation(sc.Ensemble.from_runs(labels))
    shares, _ = oracle.pair_shares(as_lists(labels))
    assert found.mean == pytest.approx(float(sum(shares.values()) / len(shares)), abs=1e-14)


# -- samples ----------------------------------------------------------------------------------
def test_drawn_pairs():
    labels = random_labels(9, n=60, many=12)
    runs = sc.Ensemble.from_runs(labels)
    whole, part = sc.coassociation(runs), sc.coassociation(runs, n_draws=5000, rng=0)
    assert whole.exact
    assert not part.exact
    assert part.n_pairs + part.never_together == 5000
    assert whole.pac() in part.pac_interval(level=0.999)
    assert whole.pac_interval() == sc.Interval(whole.pac(), whole.pac())
    band = part.cdf_band(level=0.999)
    assert (band[:, 0] <= whole.cdf(part.values)).all()
    assert (whole.cdf(part.values) <= band[:, 1]).all()
    np.testing.assert_array_equal(whole.cdf_band()[:, 0], whole.cdf(whole.values))
    assert part.pac_interval(level=1) == sc.Interval(0.0, 1.0)
    assert part.cdf_band(level=1)[:, 1].min() == 1.0
    assert "(sampled)" in str(part)
    assert "sampled" in repr(part)
    assert "(sampled)" not in str(whole)
    limited = sc.coassociation(runs, max_objects=50, rng=0)
    assert limited.n_draws == 1_000_000
    assert limited.pac() == pytest.approx(whole.pac(), abs=0.01)
    weighted = sc.coassociation(runs, weights=np.arange(12), n_draws=5000, rng=0)
    exact = sc.coassociation(runs, weights=np.arange(12))
    assert weighted.mean == pytest.approx(exact.mean, abs=0.02)
    nothing = sc.coassociation([[0, 0, 0]], n_draws=20, rng=0)
    assert (nothing.pac_interval().low, nothing.pac_interval().high < 0.2) == (0.0, True)


def test_pairs_of_runs_are_different_and_ordered():
    rng = np.random.default_rng(0)
    every = pairs_of_runs(7, rng)
    assert every.tolist() == [[b, c] for b in range(7) for c in range(b + 1, 7)]
    all_by_draw = pairs_of_runs(120, rng, limit=7139)
    assert len({tuple(p) for p in all_by_draw.tolist()}) == 7139
    assert (all_by_draw[:, 0] < all_by_draw[:, 1]).all()
    assert all_by_draw.max() == 119


def test_many_pairs_of_runs_are_sampled():
    labels = np.random.default_rng(0).integers(0, 2, (110, 6)).tolist()
    found = sc.element_consistency(labels, rng=0)
    assert (found.n_sampled, found.n_pairs, found.exact) == (5000, 5995, False)
    assert "5000 of 5995 pairs" in repr(found)
    assert "Sampled" in str(found)
    again = sc.element_consistency(labels, rng=0)
    np.testing.assert_array_equal(found.values, again.values)


def test_against_one_run():
    labels = random_labels(2, n=9, many=4)
    runs = sc.Ensemble.from_runs(labels, names=list("abcd"))
    found = sc.element_consistency(runs, reference="c")
    parts = [sc.element_consistency(sc.Ensemble.from_runs(labels[[2, b]])).values
             for b in (0, 1, 3)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        np.testing.assert_allclose(found.values, np.nanmean(parts, axis=0), atol=1e-15)
    np.testing.assert_array_equal(sc.element_consistency(runs, reference=2).values, found.values)
    np.testing.assert_array_equal(sc.element_consistency(runs, reference=-2).values, found.values)
    assert "Each run against 'c'" in str(found)
    for wrong, error in (("z", sc.ClusteringError), (4, sc.ClusteringError), (1.5, TypeError)):
        with pytest.raises(error):
            sc.element_consistency(runs, reference=wrong)


# -- peers ------------------------------------------------------------------------------------
def test_fpc_counts_an_absent_cluster_as_dissolved():
    """A one-object cluster that is always found when drawn: 1 here, .45 in clusterboot."""
    rng = np.random.default_rng(0)
    reference = np.array([0] * 10 + [1] * 9 + [2])
    runs = np.full((100, 20), -1)
    for row in runs:
        held = rng.permutation(20)[:10]
        row[held] = reference[held]
    found = sc.cluster_stability(reference, sc.Ensemble.from_runs(runs))
    assert found.jaccard[2] == 1.0
    assert 30 <= found.absent[2] <= 70
    theirs = sc.cluster_stability(reference, sc.Ensemble.from_runs(runs), absent="zero")
    assert theirs.jaccard[2] == pytest.approx(1 - found.absent[2] / 100)
    assert "count as 0" in str(theirs)
    assert "are left out" in str(found)


# -- errors -----------------------------------------------------------------------------------
FUNCTIONS = {"coassociation": sc.coassociation,
             "cluster_stability": lambda runs: sc.cluster_stability([0, 0, 1], runs),
             "element_consistency": sc.element_consistency,
             "label_instability": sc.label_instability}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_runs_refused(name):
    for bare in (np.array([[0, 1, -1], [0, 0, 1]]), [[0, 1, -1], [0, 0, 1]]):
        with pytest.raises(sc.ClusteringError, match=r"from_runs\(labels.*Ensemble\(labels"):
            FUNCTIONS[name](bare)
    with pytest.raises(sc.ClusteringError, match="takes runs"):
        FUNCTIONS[name]([[0, 1, None], [0, 0, 1]])
    if name != "element_consistency":   # which takes them
        with pytest.raises(sc.ClusteringError, match="fuzzy"):
            FUNCTIONS[name]([[[0.5, 0.5], [1.0, 0.0], [0.5, 0.5]]] * 2)
    settled = sc.Ensemble([[0, 1, -1], [0, 0, 1]])   # -1 is a cluster like any other
    FUNCTIONS[name](settled)


@pytest.mark.parametrize(("call", "error", "message"), [
    (lambda: sc.element_consistency([[0, 1]]), sc.ClusteringError, "at least 2 are needed"),
    (lambda: sc.label_instability([[0, 1]]), sc.ClusteringError, "at least 2 are needed"),
    (lambda: sc.label_instability(sc.Ensemble.from_runs([[0, -1], [-1, 0]])), sc.ClusteringError,
     "no two runs have a common object"),
    (lambda: sc.label_instability([[0, 1], [0, 1]], n_draws=1), ValueError, "n_draws is 1"),
    (lambda: sc.coassociation([[0], [0]]), sc.ClusteringError, "1 object; at least 2"),
    (lambda: sc.coassociation(sc.Ensemble.from_runs([[0, -1], [-1, 0]])), sc.ClusteringError,
     "no pair of objects"),
    (lambda: sc.coassociation([[0, 1]], weights=[1, 2]), ValueError, r"shape \(2,\)"),
    (lambda: sc.coassociation([[0, 1]], weights=[-1]), ValueError, "finite numbers >= 0"),
    (lambda: sc.coassociation([[0, 1]], weights=["a"]), ValueError, "cannot be read as numbers"),
    (lambda: sc.coassociation([[0, 1]], n_draws=0), ValueError, "n_draws is 0"),
    (lambda: sc.coassociation([[0, 1]]).pac(0.9, 0.1), ValueError, "lower is 0.9"),
    (lambda: sc.coassociation([[0, 1]]).pac(closed="left"), ValueError, "closed="),
    (lambda: sc.coassociation([[0, 1]], n_draws=9).pac_interval(level=2), ValueError, "level is 2"),
    (lambda: sc.coassociation([[0, 1, 1]]).matrix(max_objects=2), sc.ClusteringError,
     r"use \.pac\(\) or \.cdf\(\)"),
    (lambda: sc.coassociation([[0, 1]]).plot(order=[0, 1]), ValueError, "no order"),
    (lambda: sc.cluster_stability([0, 1], [[0, 1, 1]]), sc.ClusteringError, "has 2 objects"),
    (lambda: sc.cluster_stability([0, None], [[0, 1]]), sc.ClusteringError, "1 label is missing"),
    (lambda: sc.cluster_stability([[0.5, 0.5]], [[0]]), sc.ClusteringError, "reference is fuzzy"),
    (lambda: sc.cluster_stability([0, 1], [[0, 1]], dissolved=0), ValueError, "dissolved is 0"),
    (lambda: sc.cluster_stability([0, 1], [[0, 1]], recovered=1.1), ValueError, "recovered is 1.1"),
    (lambda: sc.cluster_stability([0, 1], [[0, 1]], absent="no"), ValueError, "absent="),
])
def test_errors(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_names_of_objects_must_agree():
    runs = sc.Ensemble.from_runs([[0, 1]], object_names=["a", "b"])
    other = sc.HardClustering([0, 1], object_names=["b", "a"])
    with pytest.raises(sc.ClusteringError, match="in another order"):
        sc.cluster_stability(other, runs)


# -- tables and charts ------------------------------------------------------------------------
def test_tables_and_copies():
    labels = random_labels(1, n=12, many=5)
    runs = sc.Ensemble.from_runs(labels)
    pairs, clusters = sc.coassociation(runs), sc.cluster_stability([0, 1] * 6, runs)
    elements, apart = sc.element_consistency(runs), sc.label_instability(runs, rng=0)
    assert "Caution" in str(pairs)
    assert pairs.to_frame()["count"].sum() == pairs.n_pairs
    assert list(clusters.to_frame().index) == [0, 1]
    assert elements.to_frame()["value"].size == 12
    assert apart.to_frame()["normalized"][0] == apart.normalized
    for record in (pairs, clusters, elements, apart):
        assert str(pickle.loads(pickle.dumps(record))) == str(record)
        assert "<table" in record._repr_html_()
        with pytest.raises((AttributeError, TypeError)):   # frozen, with slots
            record.values = 1
    often = sc.coassociation(np.random.default_rng(0).integers(0, 2, (20, 6)))
    assert "Caution" not in str(often)


def test_charts():
    mpl.use("Agg")
    import matplotlib.pyplot as plt
    runs = sc.Ensemble.from_runs(random_labels(1, n=12, many=5))
    pairs = sc.coassociation(runs)
    ax = pairs.plot()
    assert [p.get_gid() for p in ax.patches] == ["window"]
    assert {c.get_gid() for c in sc.coassociation(runs, n_draws=99, rng=0).plot().collections} == {
        "band"}
    shown = pairs.plot(kind="matrix").images[0].get_array()
    assert shown.shape == (12, 12)
    by = pairs.plot(kind="matrix", order=[0, 1] * 6).images[0].get_array()
    places = [*range(0, 12, 2), *range(1, 12, 2)]
    np.testing.assert_array_equal(by.filled(np.nan), pairs.matrix()[np.ix_(places, places)])
    with pytest.raises(ValueError, match="a hard one of 12 objects"):
        pairs.plot(kind="matrix", order=[0, 1])
    clusters = sc.cluster_stability([0, 1] * 6, runs)
    means = clusters.plot().containers[0].lines[0]
    np.testing.assert_allclose(means.get_ydata(), clusters.jaccard)
    line = sc.element_consistency(runs).plot().lines[0]
    assert (np.diff(line.get_ydata()) >= 0).all()
    for plot in (sc.plotting.plot_coassociation, sc.plotting.plot_cluster_stability,
                 sc.plotting.plot_element_consistency, sc.plotting.plot_coassociation_matrix):
        with pytest.raises(TypeError, match="is needed, as"):
            plot(3)
    plt.close("all")


@pytest.mark.parametrize(("labels", "what"), [(range(30), "singletons"), ([0] * 30, "one cluster")])
def test_what_never_changes_is_stable_by_definition(labels, what):
    runs = [list(labels)] * 4
    note = f"A clustering of {what} never changes, by definition"
    assert note in " ".join(str(sc.cluster_stability(list(labels), runs)).split())
    assert note in " ".join(str(sc.label_instability(runs, rng=0)).split())
    halves = [[0, 1] * 15] * 4
    assert "by definition" not in str(sc.cluster_stability(halves[0], halves))
    assert "by definition" not in str(sc.cluster_stability([0] * 30, [[0] * 29 + [1]] * 4))
