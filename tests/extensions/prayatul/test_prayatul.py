"""The Prayatul matrix of hard clusterings: golden values, the double loop, identities."""

import itertools
import json
import math
import pickle
import warnings
from fractions import Fraction
from pathlib import Path

import naive
import numpy as np
import pytest
from strategies import all_partitions

import softclust as sc

GOLDEN = {item["id"]: item for item in json.loads(
    (Path(__file__).parents[2] / "golden" / "prayatul.json").read_text())["items"]}
MEASURES = ("comparative_deviation", "polarization", "comparative_rightness",
            "effective_rightness", "effective_superiority")
#: the golden file prints ten digits
TOLERANCE = 1e-9


def measures(result):
    return [getattr(result, name) for name in MEASURES]


def quiet(*args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
        return sc.prayatul(*args, **options)


def triple(n, c, seed):
    return [list(map(int, x)) for x in np.random.default_rng(seed).integers(c, size=(3, n))]


def test_printed_ranges_are_those_of_all_triples():
    """Of three objects; every bound is attained."""
    results = [quiet(*triple) for triple in itertools.product(all_partitions(3), repeat=3)]
    frame = results[0].to_frame()
    for name in ("delta", "rand_primary", "rand_alternative", "rand_between", *MEASURES):
        values = [getattr(result, name) for result in results]
        assert frame.loc[name, ["low", "high"]].tolist() == [np.nanmin(values), np.nanmax(values)]


# -- golden ---------------------------------------------------------------------------------
def test_twenty():
    item = GOLDEN["twenty"]
    data, expected = item["input"], item["expected"]
    result = sc.prayatul(data["truth"], data["primary"], data["alternative"])
    assert list(result.counts) == expected["matrix"]
    np.testing.assert_allclose(measures(result), expected["measures"], rtol=TOLERANCE)
    assert result.objects().rows.tolist() == expected["rows"]
    intervals = result.jackknife()
    np.testing.assert_allclose(result.delta, expected["delta"], rtol=TOLERANCE)
    np.testing.assert_allclose(intervals.standard_error,
                               [expected["se_delta"], *expected["se_measures"]], rtol=1e-8)
    assert naive.prayatul_rows(*data.values()) == expected["rows"]


def test_twenty_weights():
    data = GOLDEN["twenty"]["input"]
    item = GOLDEN["twenty-weights"]
    weights = item["input"]["weights"]
    result = sc.prayatul(data["truth"], data["primary"], data["alternative"], weights=weights)
    np.testing.assert_allclose(result.counts, item["expected"]["matrix"], rtol=TOLERANCE)
    np.testing.assert_allclose(measures(result), item["expected"]["measures"], rtol=TOLERANCE)
    plain = sc.prayatul(data["truth"], data["primary"], data["alternative"])
    indices = [np.repeat(np.arange(20), weights)]
    for draws in ({"weights": [weights]}, {"indices": indices}):
        replicate = plain.bootstrap(**draws).replicates
        np.testing.assert_allclose(replicate[0, 1:], item["expected"]["measures"], rtol=TOLERANCE)


def test_six_rows_and_parts():
    item = GOLDEN["six-rows"]
    data, expected = item["input"], item["expected"]
    result = sc.prayatul(data["truth"], data["primary"], data["alternative"])
    assert list(result.counts) == expected["matrix"]
    np.testing.assert_allclose(measures(result), expected["measures"], rtol=TOLERANCE)
    objects = result.objects()
    assert objects.rows.tolist() == expected["rows"]
    parts = result.parts()
    assert parts.same_class.ravel().tolist() == expected["same_class"]
    assert parts.different_class.ravel().tolist() == expected["different_class"]
    assert (objects.same_class.sum(axis=0) == 2 * np.array(expected["same_class"])).all()


def test_counts_of_a_thousand_million_objects():
    item = GOLDEN["counts-1e9"]
    result = sc.prayatul_from_counts(item["input"]["table"])
    assert list(result.counts) == item["expected"]["matrix"]
    assert (result.n, result.pairs) == (item["expected"]["n"], item["expected"]["pairs"])
    assert all(type(count) is int for count in (*result.counts, result.pairs))
    np.testing.assert_allclose(measures(result), item["expected"]["measures"], rtol=TOLERANCE)
    exact = naive.prayatul_measures(list(map(Fraction, result.counts)))
    assert measures(result) == [float(v) for v in exact]   # correctly rounded
    objects = result.objects(by="cell")
    assert objects.count.sum() == result.n
    doubled = [sum(int(c) * int(v) for c, v in zip(objects.count, column))
               for column in objects.rows.T]
    assert doubled == [2 * count for count in result.counts]
    parts = result.parts()
    assert (parts.same_class + parts.different_class == result.matrix).all()
    with pytest.raises(sc.ClusteringError, match="no single objects"):
        result.objects()
    with pytest.raises(sc.ClusteringError, match="more than the 100000000 that can be resampled"):
        result.bootstrap(0, n_resamples=2)


def test_counts_beyond_int64_are_python_integers():
    table = [[[4 * 10**9, 0], [0, 10**9]], [[0, 10**9], [0, 4 * 10**9]]]
    result = sc.prayatul_from_counts(table)
    n = 10**10
    assert result.pairs == n * (n - 1) // 2 == sum(result.counts)
    assert result.matrix.dtype == object
    # right in both: the large cells inside and against each other, the small ones inside
    large, small = 4 * 10**9, 10**9
    both = large * (large - 1) + small * (small - 1) + large * large
    assert result.both_right >= both
    assert sc.prayatul_from_counts(np.array(table).transpose(0, 2, 1)).counts == tuple(
        result.counts[k] for k in (0, 2, 1, 3))
    assert math.isfinite(result.jackknife(0.9)["delta"].low)


def test_every_triple_of_three_objects():
    expected = GOLDEN["all-n3"]["expected"]
    found = [quiet(*labels) for labels in itertools.product(all_partitions(3), repeat=3)]
    counts = np.array([r.counts for r in found])
    assert counts.sum(axis=0).tolist() == expected["matrix_sum"]
    sigma = np.array([r.comparative_deviation for r in found])
    assert np.count_nonzero(~np.isnan(sigma)) == expected["defined_deviations"]
    np.testing.assert_allclose(np.nansum(sigma**2), expected["sum_of_squared_deviation"],
                               rtol=TOLERANCE)
    assert len({r.counts for r in found}) == expected["distinct_matrices"]
    # the ranges are attained
    lows = np.nanmin([measures(r) for r in found], axis=0).tolist()
    highs = np.nanmax([measures(r) for r in found], axis=0).tolist()
    assert lows == [-1, -1, 0, -1, -1]
    assert highs == [1, 1, 1, 1, 1]


@pytest.mark.parametrize("case", GOLDEN["degenerate"]["expected"])
def test_degenerate_cases(case):
    data = case["truth"], case["primary"], case["alternative"]
    with pytest.warns(sc.UndefinedMeasureWarning) as caught:
        result = sc.prayatul(*data)
    assert len(caught) == 1
    assert list(result.counts) == case["matrix"]
    undefined = [name for name in MEASURES if math.isnan(getattr(result, name))]
    assert undefined == case["undefined"]
    assert all(name in str(caught[0].message) for name in undefined)
    assert caught[0].filename == __file__
    for name in ("polarization", "effective_superiority"):
        assert getattr(result, name) == case.get(name, getattr(result, name))
    # a given value comes without a warning
    author = sc.prayatul(*data, zero_division=0.0)
    assert [getattr(author, name) for name in undefined] == [0.0] * len(undefined)


# -- the double loop ------------------------------------------------------------------------
@pytest.mark.parametrize("n", [2, 3])
def test_every_triple_against_the_double_loop(n):
    for labels in itertools.product(all_partitions(n), repeat=3):
        check_against_loop(*labels)


def test_triples_of_four_objects_against_the_double_loop():
    for labels in list(itertools.product(all_partitions(4), repeat=3))[::7]:
        check_against_loop(*labels)


@pytest.mark.parametrize("seed", range(6))
def test_random_triples_against_the_double_loop(seed):
    n, c = ((60, 3), (41, 8), (25, 25), (17, 2), (33, 40), (58, 5))[seed]
    check_against_loop(*triple(n, c, seed))


def check_against_loop(truth, primary, alternative):
    result = quiet(truth, primary, alternative)
    expected = naive.prayatul(truth, primary, alternative)
    assert list(result.counts) == expected
    assert result.matrix.ravel().tolist() == expected
    assert all(type(count) is int for count in result.counts)
    np.testing.assert_equal(measures(result), naive.prayatul_measures(expected))
    rows = naive.prayatul_rows(truth, primary, alternative)
    assert result.objects().rows.tolist() == rows
    same, different = naive.prayatul_parts(truth, primary, alternative)
    parts = result.parts()
    assert parts.same_class.ravel().tolist() == same
    assert parts.different_class.ravel().tolist() == different


# -- identities (spec sections 5 to 7) --------------------------------------------------------
@pytest.mark.parametrize("seed", range(4))
def test_closed_forms_in_rand_indices(seed):
    g, p, q = triple(40, 4, seed)
    r = sc.prayatul(g, p, q)
    a, b, c = sc.rand_index(p, g), sc.rand_index(q, g), sc.rand_index(p, q)
    assert (r.rand_primary, r.rand_alternative, r.rand_between) == (a, b, c)
    t = r.pairs
    close = {"rtol": 1e-12, "atol": 1e-12}   # a few roundings of numbers up to T
    np.testing.assert_allclose(r.counts, [t * (a + b + c - 1) / 2, t * (1 + a - b - c) / 2,
                                          t * (1 - a + b - c) / 2, t * (1 - a - b + c) / 2],
                               rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(measures(r), [(a - b) / (1 - c), (3 * a + b - c - 1) / 2,
                                             2 * a / (1 + a + b - c),
                                             4 * a / (1 + a + b - c) - 1,
                                             (3 * a - b + c - 1) / 2], **close)
    assert r.delta == pytest.approx(a - b, abs=1e-15)
    other = sc.prayatul(g, q, p)
    assert (other.matrix == r.matrix.T).all()
    differences = np.array(measures(r)) - measures(other)
    if a != b:
        assert (np.sign(differences) == np.sign(a - b)).all()
    np.testing.assert_allclose(
        differences[1:], [r.delta, r.delta * t / (t - r.both_wrong),
                          2 * r.delta * t / (t - r.both_wrong), 2 * r.delta], **close)


def test_against_the_truth_itself_measures_are_the_rand_index():
    g, p, _ = triple(30, 3, 7)
    r = sc.prayatul(g, p, g)
    a = sc.rand_index(p, g)
    np.testing.assert_allclose(measures(r), [-1, a, a, 2 * a - 1, 2 * a - 1], rtol=1e-14)
    assert r.right_wrong == r.both_wrong == 0


def test_rows():
    g, p, q = triple(23, 4, 3)
    r = sc.prayatul(g, p, q)
    objects = r.objects()
    assert (objects.rows >= 0).all()
    assert (objects.rows.sum(axis=1) == 22).all()
    assert (objects.rows.sum(axis=0) == 2 * r.matrix.ravel()).all()
    assert (objects.same_class + objects.different_class == objects.rows).all()
    assert objects.advantage.mean() == pytest.approx(r.delta, abs=1e-15)
    assert (objects.right_primary - objects.right_alternative
            == pytest.approx(objects.advantage, abs=1e-15))
    for i in (0, 11, 22):
        keep = [k for k in range(23) if k != i]
        without = quiet(*([x[k] for k in keep] for x in (g, p, q)))
        assert (r.matrix.ravel() - objects.rows[i] == without.matrix.ravel()).all()


def test_rows_by_cell_stand_for_their_objects():
    g, p, q = triple(200, 3, 5)
    r = sc.prayatul([f"class {k}" for k in g], p, q)
    by_object, by_cell = r.objects(), r.objects(by="cell")
    assert by_cell.count.sum() == 200
    assert len(by_cell) == len(set(zip(g, p, q)))
    rows = dict(zip(by_cell.labels, by_cell.rows.tolist()))
    for i, cell in enumerate(zip(g, p, q)):
        assert rows[(f"class {cell[0]}", *cell[1:])] == by_object.rows[i].tolist()
    frame = by_cell.to_frame()
    assert frame.index.names == ["truth", "primary", "alternative"]
    assert frame["count"].sum() == 200


def test_relabelling_and_reordering_change_nothing():
    g, p, q = triple(50, 4, 11)
    r = sc.prayatul(g, p, q)
    names = {k: f"x{(7 * k) % 5}" for k in range(4)}
    assert sc.prayatul([names[k] for k in g], [9 - k for k in p], q).counts == r.counts
    order = np.random.default_rng(0).permutation(50)
    assert sc.prayatul(*(np.array(x)[order] for x in (g, p, q))).counts == r.counts


def test_table_of_counts_is_the_same_as_labels():
    g, p, q = triple(300, 3, 2)
    table = np.zeros((3, 3, 3), int)
    np.add.at(table, (g, p, q), 1)
    a, b = sc.prayatul(g, p, q), sc.prayatul_from_counts(table, names=("one", "two"))
    assert a.counts == b.counts
    assert b.names == ("one", "two")
    assert (a.parts().same_class == b.parts().same_class).all()
    np.testing.assert_array_equal(a.jackknife().standard_error, b.jackknife().standard_error)
    # tables of pieces add up
    pieces = np.zeros((2, 3, 3, 3), int)
    for piece, half in enumerate((slice(0, 120), slice(120, 300))):
        np.add.at(pieces[piece], (g[half], p[half], q[half]), 1)
    assert sc.prayatul_from_counts(pieces.sum(axis=0)).counts == a.counts
    assert b.bootstrap(0, n_resamples=20)["delta"].width > 0


@pytest.mark.parametrize(("n", "clusters"), [(5000, 3), (5000, 700), (5000, 3000),
                                             (40_000, 40_000)])
def test_many_objects_and_clusters(n, clusters):
    """Dense tables, sorted keys, and n singletons against n singletons without n^2 cells."""
    rng = np.random.default_rng(clusters)
    g = rng.integers(200, size=n)
    p, q = (np.arange(n), rng.permutation(n)) if clusters == n else rng.integers(
        clusters, size=(2, n))
    r = quiet(g, p, q)
    expected = [sc.rand_index(g, p), sc.rand_index(g, q), sc.rand_index(p, q)]
    assert [r.rand_primary, r.rand_alternative, r.rand_between] == expected
    objects = r.objects()
    assert (objects.rows.sum(axis=0) == 2 * r.matrix.ravel()).all()
    i = 17
    loop = [0, 0, 0, 0]
    for j in range(n):
        if j != i:
            same = g[i] == g[j]
            loop[2 * int((p[i] == p[j]) != same) + int((q[i] == q[j]) != same)] += 1
    assert objects.rows[i].tolist() == loop


def test_same_bits_for_any_number_of_threads():
    g, p, q = np.random.default_rng(1).integers(6, size=(3, 70_000))
    found = []
    for threads in (1, 8):
        sc.set_num_threads(threads)
        try:
            r = sc.prayatul(g, p, q)
            found.append((r.counts, *measures(r), *r.jackknife().standard_error,
                          *r.bootstrap(3, n_resamples=4).replicates.ravel()))
        finally:
            sc.set_num_threads(None)
    assert found[0] == found[1]


# -- weights ------------------------------------------------------------------------------------
def test_weights_of_hard_clusterings():
    rng = np.random.default_rng(4)
    g, p, q = triple(30, 4, 4)
    w = rng.integers(0, 5, 30) / 4
    r = sc.prayatul(g, p, q, weights=w)
    assert list(r.counts) == pytest.approx(naive.prayatul(g, p, q, w), abs=1e-10)
    assert r.pairs == pytest.approx(sum(r.counts))
    ones = sc.prayatul(g, p, q, weights=np.ones(30))
    plain = sc.prayatul(g, p, q)
    assert list(ones.counts) == list(plain.counts)
    assert (ones.objects().rows == plain.objects().rows).all()
    assert (ones.parts().same_class == plain.parts().same_class).all()
    np.testing.assert_allclose(ones.jackknife().standard_error, plain.jackknife().standard_error,
                               rtol=1e-12)
    objects = r.objects()
    np.testing.assert_allclose((w[:, None] * objects.rows).sum(axis=0) / 2, r.counts, atol=1e-10)
    np.testing.assert_allclose((w[:, None] * objects.same_class).sum(axis=0) / 2,
                               r.parts().same_class.ravel(), atol=1e-10)
    with pytest.raises(sc.ClusteringError, match='by="cell" needs objects of equal weight'):
        r.objects(by="cell")
    # one partition under other names stays exactly undefined
    same = quiet(g, p, [9 - k for k in p], weights=rng.random(30))
    assert same.right_wrong == same.wrong_right == 0.0
    assert math.isnan(same.comparative_deviation)


# -- the record -----------------------------------------------------------------------------
def test_record():
    g, p, q = triple(20, 3, 0)
    r = sc.prayatul(g, p, q, names=("one", "two"))
    with pytest.raises(AttributeError):
        r.delta = 0.0
    with pytest.raises(ValueError, match="read-only"):
        r.matrix[0, 0] = 1
    again = pickle.loads(pickle.dumps(r))
    assert again.counts == r.counts
    assert (again.objects().rows == r.objects().rows).all()
    frame = r.to_frame()
    assert frame.loc["both_right", "value"] == r.both_right
    assert frame["share"].iloc[:4].sum() == pytest.approx(1.0)
    assert frame.loc["comparative_rightness", "low"] == 0.0
    text = str(r)
    assert "Prayatul matrix of one and two, 20 objects, 190 pairs" in text
    assert f"one {sc.adjusted_rand_index(g, p):.4f}" in " ".join(text.split())
    assert r.kinds == ("hard", "hard", "hard")
    assert "<table" in r._repr_html_()
    top = str(r.objects())
    assert "one right" in top
    assert "splits=" in repr(r.parts())
    assert r.parts().to_frame().loc["same_class"].sum() + r.parts().to_frame().loc[
        "different_class"].sum() == 190


def test_labels_given_may_change_afterwards():
    g, p, q = np.array(triple(40, 3, 1))
    r = sc.prayatul(g, p, q)
    before = r.objects().rows.copy()
    p[:] = 0
    assert (r.objects().rows == before).all()


def test_all_pairs():
    g, p, q = triple(40, 3, 1)
    table = sc.prayatul_all(g, {"p": p, "q": q, "g": g})
    assert [r.names for r in table] == [("p", "q"), ("p", "g"), ("q", "p"), ("q", "g"),
                                        ("g", "p"), ("g", "q")]
    sides = {"p": p, "q": q, "g": g}
    for r in table:
        one = sc.prayatul(g, sides[r.names[0]], sides[r.names[1]], names=r.names)
        assert r.counts == one.counts
        assert measures(r) == measures(one)
        assert (r.objects().rows == one.objects().rows).all()
        assert (r.jackknife().standard_error == pytest.approx(one.jackknife().standard_error,
                                                              nan_ok=True)
                if "g" not in r.names else True)
    frame = table.to_frame()
    assert frame.loc[("p", "q"), "both_right"] == table["p", "q"].both_right
    assert str(table).count("\n") > 8
    with pytest.raises(KeyError, match="no row"):
        table["p", "p"]
    with pytest.raises(TypeError, match="not a pair of names"):
        table["p"]
    with pytest.raises(sc.ClusteringError, match="there is 1 clustering"):
        sc.prayatul_all(g, [p])


def test_all_pairs_with_noise_and_notes():
    g, p, q = triple(40, 3, 1)
    p[3] = q[5] = q[6] = -1
    table = sc.prayatul_all(g, {"p": p, "q": q, "r": [5 - k for k in p]}, noise="drop")
    assert [r.n for r in table] == [37, 39, 37, 38, 39, 38]
    assert table["q", "p"].n_noise == (2, 1)
    # without its noise r is p under other names
    assert math.isnan(table["p", "r"].comparative_deviation)
    assert len(table.notes) == 1
    assert "comparative_deviation is undefined" in table.notes[0]
    done = []
    sc.prayatul_all(g, [p, q, g], progress=lambda *counts: done.append(counts))
    assert done == [(1, 3), (2, 3), (3, 3)]
