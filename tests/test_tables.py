"""Contingency tables: chunks, names, weights, files, engines."""

import itertools
import json
import pickle
import warnings
from fractions import Fraction

import naive
import numpy as np
import pandas as pd
import pytest

import softclust as sc
from softclust.measures import registry

pytestmark = pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")

MEASURES = [m for m in registry().values() if m.arity == 2 and m.takes("hard", "hard")]


def pair(seed, n=60, r=4, s=3):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, r, n)
    return x, np.where(rng.random(n) < 0.6, x % s, rng.integers(0, s, n))


def as_type(kind, labels):
    if kind == "str":
        return np.array([f"k{v}" for v in labels])
    if kind == "bool":
        return labels % 2 == 0
    if kind == "category":
        return pd.Series([f"k{v}" for v in labels]).astype("category")
    return labels


# -- chunks -----------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["int", "str", "bool", "category"])
@pytest.mark.parametrize("weighted", [False, True])
def test_any_cut_order_and_tree_give_the_same_table(kind, weighted):
    x, y = pair(0)
    rng = np.random.default_rng(1)
    w = rng.random(60) * 10.0 ** rng.integers(-3, 4, 60)
    whole = sc.contingency_table(as_type(kind, x), as_type(kind, y),
                                 weights=w if weighted else None)
    for _ in range(5):
        cuts = np.sort(rng.integers(0, 61, 4))
        parts = np.split(rng.permutation(60), cuts)
        chunks = [(as_type(kind, x[p]), as_type(kind, y[p]), *([w[p]] if weighted else []))
                  for p in parts if len(p)]
        tables = [sc.contingency_table(iter([chunk])) for chunk in chunks]
        while len(tables) > 1:   # a random tree
            i, j = sorted(rng.choice(len(tables), 2, replace=False))
            tables[i] = tables[i] + tables.pop(j)
        if not weighted:
            assert tables[0] == whole == sc.contingency_table(chunks)
            assert sc.mutual_information(tables[0]) == sc.mutual_information(whole)
            continue
        for table in (tables[0], sc.contingency_table(chunks)):
            # Floats are added in the order of the chunks: their last digits depend on it.
            assert table.to_frame()[["x", "y"]].equals(whole.to_frame()[["x", "y"]])
            np.testing.assert_array_equal(table.object_counts(), whole.object_counts())
            np.testing.assert_allclose(table.counts, whole.counts, rtol=1e-12)
            for value in (lambda t: t.total_weight, lambda t: t.own_weight, lambda t: t.n_pairs,
                          lambda t: sc.pair_counts(t).n11, lambda t: sc.pair_counts(t).n00,
                          sc.mutual_information):
                assert value(table) == pytest.approx(value(whole), rel=1e-12)


@pytest.mark.parametrize("m", MEASURES, ids=lambda m: m.name)
def test_every_measure_of_hard_clusterings_takes_a_table_with_the_same_bits(m):
    for seed, n in ((0, 5), (1, 40), (2, 1200)):
        x, y = pair(seed, n)
        table = sc.contingency_table(x, y)
        of_labels, of_table = m.function(x, y), m.function(table)
        assert repr(m.listed_value(of_table)) == repr(m.listed_value(of_labels))
        assert repr(m.listed_value(m.function(sc.contingency_table(
            as_type("str", x), as_type("str", y))))) == repr(m.listed_value(of_labels))


def test_counting_follows_no_path_of_its_own():
    # plain arrays are counted uncoded, others through codes, many clusters by sorting
    rng = np.random.default_rng(3)
    x, y = rng.integers(-5, 5, 20_000), rng.integers(0, 9, 20_000)
    expected = naive.count_label_pairs(x.tolist(), y.tolist())
    for table in (sc.contingency_table(x, y), sc.contingency_table(x.tolist(), y),
                  sc.contingency_table([(x[:7], y[:7]), (x[7:], y[7:])])):
        found = dict(zip(((table.x_names[k], table.y_names[j])
                          for k, j in zip(table.rows, table.columns)), table.counts.tolist()))
        assert found == expected
    many = sc.contingency_table(np.arange(3000), np.arange(3000)[::-1])
    assert many.n_cells == 3000


# -- names ------------------------------------------------------------------------------------
def test_labels_are_told_apart_by_value():
    assert sc.contingency_table([1.0, 2.0], [0, 0]) == sc.contingency_table([1, 2], [0, 0])
    assert sc.contingency_table([0, 1], [0, 0]) != sc.contingency_table([False, True], [0, 0])
    counter = sc.ContingencyCounter().update([1, 2], [0, 0])
    with pytest.raises(sc.ClusteringError, match="strings in chunk 1 and whole numbers before"):
        counter.update(["1", "2"], [0, 0])
    # nothing of the bad chunk is counted
    assert counter.table() == sc.contingency_table([1, 2], [0, 0])


def test_categoricals_count_by_value():
    ordered = pd.Categorical(["b", "a", "b"], categories=["c", "b", "a"])
    table = sc.contingency_table(ordered, [0, 1, 1])
    assert table.x_names == ("a", "b")
    assert table == sc.contingency_table(["b", "a", "b"], [0, 1, 1])


@pytest.mark.parametrize("labels", [
    [0, None, 1], pd.Series([0, None, 1]), np.ma.masked_array([0, 5, 1], [0, 1, 0]),
    pd.array([0, pd.NA, 1], dtype="Int64"), [0.0, float("nan"), 1.0],
    pd.Categorical(["a", None, "b"])])
def test_missing_labels_raise_or_are_counted(labels):
    with pytest.raises(sc.ClusteringError, match=r"x has 1 missing label.*x\[1\]"):
        sc.contingency_table(labels, [0, 0, 1])
    table = sc.contingency_table(labels, [0, 0, 1], missing="drop")
    assert (table.n_objects, table.n_dropped) == (2, 1)
    assert sc.rand_index(table) == 1.0


# -- from counts ------------------------------------------------------------------------------
def test_counts_come_from_anywhere():
    from scipy.sparse import coo_array
    x, y = pair(4)
    names = np.array(["a", "b", "c", "d"])[x]
    table = sc.contingency_table(names, y)
    frame = pd.crosstab(pd.Series(names), pd.Series(y))
    assert sc.ContingencyTable.from_counts(frame) == table
    assert sc.ContingencyTable.from_counts(frame.to_numpy(), rows="abcd") == table
    assert sc.ContingencyTable.from_counts(coo_array(frame.to_numpy()), rows=list("abcd")) == table
    assert sc.ContingencyTable.from_counts(np.ones(60), rows=names, columns=y) == table
    grouped = pd.DataFrame({"x": names, "y": y}).groupby(["x", "y"]).size().reset_index(name="n")
    assert sc.ContingencyTable.from_frame(grouped, count="n") == table
    assert sc.ContingencyTable.from_frame(table.to_frame()) == table
    assert table.transpose().transpose() == table
    np.testing.assert_array_equal(table.to_sparse().toarray(), table.dense())
    assert sc.contingency_table(*table.expand()) == table


def test_margins_are_not_counted():
    x, y = (np.array(list("abcd"))[side] for side in pair(4))
    frame = pd.crosstab(x, y, margins=True)
    with pytest.raises(sc.ClusteringError, match=r"'All', are the sums of the others.*iloc"):
        sc.ContingencyTable.from_counts(frame)
    with pytest.raises(sc.ClusteringError, match="'Sum', are the sums"):
        sc.ContingencyTable.from_counts(pd.crosstab(x, y, margins=True, margins_name="Sum"))
    with pytest.raises(sc.ClusteringError, match="margins"):
        sc.ContingencyTable.from_counts(pd.crosstab([1, 1], [1, 1], margins=True))
    assert sc.ContingencyTable.from_counts(frame.iloc[:-1, :-1]) == sc.contingency_table(x, y)
    even = pd.DataFrame([[1, 1], [1, 1]], index=list("ab"), columns=list("ab"))
    assert sc.ContingencyTable.from_counts(even).n_objects == 4
    with pytest.raises(TypeError, match=r"from_counts\(x\) makes one from a matrix of counts"):
        sc.adjusted_rand_index(pd.crosstab(x, y))


@pytest.mark.parametrize(("counts", "says"), [
    ([[1, -1]], "value -1"), ([[0.5]], "value 0.5"), ([[float("inf")]], "value inf"),
    ([[2**63]], "2\\^63"), ([[2**62], [2**62]], "fewer than 2\\^63")])
def test_bad_counts_are_named(counts, says):
    with pytest.raises(sc.ClusteringError, match=says):
        sc.ContingencyTable.from_counts(counts)


def test_a_group_without_a_label_is_not_dropped_silently():
    frame = pd.DataFrame({"x": ["a", None], "y": [0, 1], "count": [2, 2]})
    with pytest.raises(sc.ClusteringError, match=r"missing label.*dropna=False"):
        sc.ContingencyTable.from_frame(frame)


def test_counts_of_any_size_are_exact():
    table = sc.ContingencyTable.from_counts([[2**62, 3], [5, 2**61]])
    pairs = sc.pair_counts(table)
    n = 2**62 + 2**61 + 8
    assert pairs.n_pairs == n * (n - 1) // 2
    assert pairs.n11 == sum(t * (t - 1) // 2 for t in (2**62, 3, 5, 2**61))


# -- files ------------------------------------------------------------------------------------
def test_tables_are_kept_and_sent(tmp_path):
    x, y = pair(5)
    for weights in (None, np.random.default_rng(0).random(60)):
        for kind in ("int", "str", "bool"):
            table = sc.contingency_table(as_type(kind, x), y, weights=weights)
            table.save(tmp_path / "t.npz")
            assert sc.ContingencyTable.load(tmp_path / "t.npz") == table
            assert pickle.loads(pickle.dumps(table)) == table
    (tmp_path / "other.npz").write_bytes(b"no table")
    with pytest.raises(sc.ClusteringError, match="contingency table"):
        sc.ContingencyTable.load(tmp_path / "other.npz")
    np.savez(tmp_path / "arrays.npz", header=np.frombuffer(json.dumps({}).encode(), np.uint8))
    with pytest.raises(sc.ClusteringError, match="contingency table"):
        sc.ContingencyTable.load(tmp_path / "arrays.npz")


def test_tables_cannot_be_changed():
    table = sc.contingency_table([0, 1], [0, 1])
    with pytest.raises(AttributeError, match="cannot be changed"):
        table.x_names = ("a", "b")
    with pytest.raises(ValueError, match="read-only"):
        table.counts[0] = 7


def test_summary_shows_the_largest_clusters():
    x = np.repeat(np.arange(30), np.arange(1, 31))
    text = str(sc.contingency_table(x, x % 2))
    assert "The 12 largest of 30 clusters of x" in text
    assert "465" in text


# -- weights ----------------------------------------------------------------------------------
def test_frequencies_are_copies():
    x, y = pair(6, 12)
    f = np.random.default_rng(0).integers(0, 4, 12)
    assert sc.contingency_table(x, y, frequencies=f) == sc.contingency_table(
        np.repeat(x, f), np.repeat(y, f))


def test_dropped_copies_are_counted_as_copies():
    table = sc.contingency_table([0, 0, None, 1], [0, 1, 0, None], frequencies=[5, 6, 7, 8],
                                 missing="drop")
    assert (table.n_objects, table.n_dropped) == (11, 15)


WEIGHTED = [m for m in MEASURES if m.weight_degree is not None]
#: options under which a measure has a form with weights, where its defaults have none
WITH_WEIGHTS = {"ceaf_index": {"similarity": "mention"}}


def numbers(m, table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = m.listed_value(m.function(table, **WITH_WEIGHTS.get(m.name, {})))
    return np.array([value.low, value.high] if hasattr(value, "low") else [value, value])


@pytest.mark.parametrize("m", WEIGHTED, ids=lambda m: m.name)
def test_weights_of_one_scaled_and_zero(m):
    x, y = pair(7, 30)
    w = np.random.default_rng(2).random(30)
    plain, ones = sc.contingency_table(x, y), sc.contingency_table(x, y, weights=np.ones(30))
    # Pairs are floats with weights and whole numbers without: only the last digits differ.
    np.testing.assert_allclose(numbers(m, ones), numbers(m, plain).astype(float), rtol=1e-12)
    table = sc.contingency_table(x, y, weights=w)
    scaled = sc.contingency_table(x, y, weights=8 * w)
    np.testing.assert_array_equal(numbers(m, scaled), numbers(m, table) * 8.0**m.weight_degree)
    used = np.arange(30) % 3 > 0
    np.testing.assert_array_equal(
        numbers(m, sc.contingency_table(x, y, weights=w * used)),
        numbers(m, sc.contingency_table(x[used], y[used], weights=w[used])))


def test_weighted_pairs_are_sums_of_products():
    for seed in range(20):
        x, y = pair(seed, 9)
        w = np.random.default_rng(seed).random(9).round(2)
        pairs = sc.pair_counts(sc.contingency_table(x, y, weights=w))
        expected = naive.weighted_pair_sums(x, y, w)
        np.testing.assert_allclose([pairs.n11, pairs.n10, pairs.n01, pairs.n00],
                                   [float(v) for v in expected], rtol=1e-14)


def test_weights_of_any_size_are_added_to_the_last_digits():
    rng = np.random.default_rng(5)
    w = rng.random(4000) * 10.0 ** rng.integers(-12, 12, 4000)
    table = sc.contingency_table(np.zeros(4000, int), np.arange(4000) % 2, weights=w)
    parts = [sc.contingency_table(np.zeros(400, int), np.arange(400) % 2, weights=v)
             for v in np.split(w, 10)]
    exact = [Fraction(v) for v in w.tolist()]
    pairs = sum(sum(part) ** 2 - sum(v * v for v in part) for part in (exact[::2], exact[1::2])) / 2
    # Sums of floats, whose last digits are rounded.
    for one in (table, parts[0].merge(*parts[1:])):
        assert one.total_weight == pytest.approx(float(sum(exact)), rel=1e-12)
        assert one.own_weight == pytest.approx(float(sum(v * v for v in exact)), rel=1e-12)
        assert sc.pair_counts(one).n11 == pytest.approx(float(pairs), rel=1e-12)


def test_pairs_of_one_cell_keep_their_digits_beside_a_large_weight():
    for order in itertools.permutations([1e12, 1e-3, 2e-3, 3.0]):
        exact = [Fraction(v) for v in order]
        expected = float(sum(v * w for v, w in itertools.combinations(exact, 2)))
        tables = [sc.contingency_table([0], [0], weights=[v]) for v in order]
        for table in (tables[0].merge(*tables[1:]),
                      sc.contingency_table([0] * 4, [0] * 4, weights=order)):
            assert sc.pair_counts(table).n11 == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("large", [1e3, 1e10, 1e16])
def test_a_weight_far_above_the_others_loses_no_digit(large):
    x, y, w = [0, 0, 1, 1, 2, 2, 2], [0, 1, 1, 1, 0, 0, 0], [large, 1, 2, 3, 4, 1, 2.5]
    n11, n10, n01, n00 = naive.weighted_pair_sums(x, y, w)
    table = sc.contingency_table(x, y, weights=w)
    assert sc.rand_index(table) == pytest.approx(float((n11 + n00) / (n11 + n10 + n01 + n00)),
                                                 rel=1e-15, abs=0)
    assert sc.jaccard_index(table) == pytest.approx(float(n11 / (n11 + n10 + n01)), rel=1e-15,
                                                    abs=0)


def test_weights_too_far_apart_raise():
    for large, small in ((1e20, 1.0), (1e16, 0.1), (1e200, 1.0)):
        with pytest.raises(sc.ClusteringError, match="orders of magnitude"):
            sc.contingency_table([0, 0, 1, 2], [0, 1, 1, 1], weights=[large, small, small, small])
    with pytest.raises(sc.ClusteringError, match="orders of magnitude"):   # in one cell
        sc.contingency_table([0, 0, 1], [0, 0, 0], weights=[1e300, 1e-300, 1e300])


def test_single_objects_of_any_weight_form_no_pair():
    w = np.random.default_rng(0).random(300)
    table = sc.contingency_table(np.arange(300), np.arange(300) // 2, weights=w)
    assert sc.pair_counts(table).n11 == 0
    with pytest.warns(sc.UndefinedMeasureWarning):
        assert np.isnan(sc.fowlkes_mallows_index(table))


def test_values_of_weighted_objects_are_inside_the_range():
    rng = np.random.default_rng(0)
    for w in ([9, 3, 3, 1], [100, 10, 10, 1], 10.0 ** rng.uniform(0, 4, 4)):
        table = sc.contingency_table([0, 0, 1, 1], [0, 1, 0, 1], weights=w)
        for m in WEIGHTED:
            low, high = (-np.inf if end is None and k == 0 else np.inf if end is None else end
                         for k, end in enumerate(m.range(table)))
            values = numbers(m, table)
            assert (np.isnan(values) | (low <= values) & (values <= high * (1 + 1e-12))).all(), m


def test_a_cluster_of_one_object_has_no_pair_whatever_it_weighs():
    table = sc.contingency_table([0, 0, 1], [0, 0, 0], weights=[0.3, 0.7, 1e-9])
    assert sc.prediction_strength_index(table) == 1.0


@pytest.mark.parametrize(("weights", "says"), [
    ([1, -1, 1], r"weights\[1\] is -1"), ([1, float("nan"), 1], r"weights\[1\] is nan"),
    ([1, 1], "2 weights or frequencies for 3 objects"), ([1, float("inf"), 1], "inf")])
def test_bad_weights_are_named(weights, says):
    with pytest.raises(sc.ClusteringError, match=says):
        sc.contingency_table([0, 0, 1], [0, 1, 1], weights=weights)


def test_what_weights_do_not_have_raises():
    table = sc.contingency_table([0, 0, 1, 1], [0, 1, 1, 1], weights=[1, 2, 3, 4.5])
    with pytest.raises(sc.ClusteringError, match="not defined for weighted objects"):
        sc.adjusted_mutual_information(table)
    with pytest.raises(sc.ClusteringError, match="weight of each"):
        sc.chance(table, measure="rand_index")
    with pytest.raises(sc.ClusteringError, match="weight of each object"):
        sc.compare(table, ci="jackknife")
    with pytest.raises(sc.ClusteringError, match="with and without weights"):
        table + sc.contingency_table([0, 1], [0, 1])
    with pytest.raises(ValueError, match="exclude each other"):
        sc.contingency_table([0, 1], [0, 1], weights=[1, 1], frequencies=[1, 1])
    assert {row.name for row in sc.compare(table).rows} >= {"rand_index", "mutual_information"}


def test_level_with_weights_is_the_mean_over_permutations_of_the_other_side():
    x, y, w = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [4, 1, 1, 1, 1]
    table = sc.contingency_table(x, y, weights=w)
    orders = list(itertools.permutations(range(5)))
    for fixed in "xy":
        values = [sc.rand_index(sc.contingency_table(
            x if fixed == "x" else [x[i] for i in order],
            y if fixed == "y" else [y[i] for i in order], weights=w)) for order in orders]
        assert sc.chance_level(table, measure="rand_index", fixed=fixed) == pytest.approx(
            np.mean(values), abs=1e-14)
    values = [sc.wallace_index(sc.contingency_table(x, [y[i] for i in order], weights=w))
              for order in orders]
    assert sc.chance_level(table, measure="wallace_index", fixed="x") == pytest.approx(
        np.mean(values), abs=1e-14)
    with pytest.raises(sc.ClusteringError, match='fixed="x" or "y"'):
        sc.chance_level(table, measure="rand_index")
    for name, fixed in (("wallace_index", "y"), ("adjusted_rand_index", "x")):
        with pytest.raises(sc.ClusteringError, match="is not known"):
            sc.chance_level(table, measure=name, fixed=fixed)


# -- doors ------------------------------------------------------------------------------------
def test_what_needs_objects_says_so():
    table = sc.contingency_table([0, 0, 1], [0, 1, 1])
    with pytest.raises(sc.ClusteringError, match=r"table\.expand\(\)"):
        sc.variation_of_information(table, weights=[1, 2, 3])
    with pytest.raises(sc.ClusteringError, match=r"table\.expand\(\)"):
        sc.transport_rand_index(table, method="enumerate")
    with pytest.raises(TypeError, match="leave out y"):
        sc.rand_index(table, [0, 1, 1])
    with pytest.raises(sc.ClusteringError, match="the table has 1 object"):
        sc.rand_index(sc.contingency_table([0], [0]))
    assert sc.contingency_table([], []).n_objects == 0


def test_compare_of_a_table_is_that_of_labels():
    x, y = pair(8)
    of_table, of_labels = sc.compare(sc.contingency_table(x, y)), sc.compare(x, y)
    assert [(r.name, r.value, r.chance) for r in of_table.rows] == [
        (r.name, r.value, r.chance) for r in of_labels.rows]


def test_hard_clusterings_are_counted_with_their_names():
    x = sc.HardClustering(["b", "a", "b"])
    assert sc.contingency_table(x, x) == sc.contingency_table(["b", "a", "b"], ["b", "a", "b"])


def test_wrong_arguments_are_named():
    frame = pd.DataFrame({"a": [0, 1], "b": [0, 1]})
    with pytest.raises(TypeError, match="data=frame"):
        sc.contingency_table(frame)
    with pytest.raises(sc.ClusteringError, match="no column 'c'"):
        sc.contingency_table("a", "c", data=frame)
    with pytest.raises(sc.ClusteringError, match="x has 2 labels and y has 3"):
        sc.contingency_table([0, 1], [0, 1, 2])
    with pytest.raises(sc.ClusteringError, match="in chunk 1"):
        sc.contingency_table([([0, 1], [0, 1]), ([0, 1], [0])])
    with pytest.raises(TypeError, match="y is missing"):
        sc.contingency_table(np.array([0, 1]))
    assert sc.contingency_table("a", "b", data=frame) == sc.contingency_table([0, 1], [0, 1])


@pytest.mark.parametrize("n", [105, 12_000])
def test_bootstrap_from_a_table_has_the_law_of_that_from_labels(n):
    """Objects are drawn one by one up to 10,000 of them, else counts of cells are."""
    draw = np.random.default_rng(0)
    x = draw.integers(0, 4, n)
    y = np.where(draw.random(n) < 0.7, x, draw.integers(0, 3, n))
    options = {"measures": "adjusted_rand_index", "ci": "bootstrap", "n_resamples": 2000, "rng": 1}
    one, two = (sc.compare(*given, **options).rows[0]
                for given in ((x, y), (sc.contingency_table(x, y),)))
    error = one.ci.standard_error[0]
    # Of 2000 draws a standard deviation is known to 2 %, a limit to 0.06 of it.
    assert two.ci.standard_error[0] == pytest.approx(error, rel=0.1)
    assert two.ci_low == pytest.approx(one.ci_low, abs=0.4 * error)
    assert two.ci_high == pytest.approx(one.ci_high, abs=0.4 * error)


def test_pairs_of_copies_are_left_out_of_drawn_counts():
    """Sums of squared weights have the mean n + n - 1, as the numbers of copies of n objects."""
    from softclust.measures.resamples import Draws
    from softclust.running.random_numbers import Streams
    from softclust.tables.contingency import Contingency, drawn_counts
    table = sc.ContingencyTable.from_counts([[9000, 1000], [3, 4000]])
    draws = Draws(n_objects=table.n_objects, count=2000, seeds=Streams(5),
                  run=lambda work, stop, what: [work(0, stop)])
    counts, own = drawn_counts(table, draws)
    n = table.n_objects
    assert (counts.sum(axis=1) == n).all()
    np.testing.assert_allclose(counts.mean(axis=0), table.statistic(Contingency).counts, rtol=0.05)
    assert own.mean() == pytest.approx(2 * n - 1, rel=1e-3)
    # Twice the number of coincident pairs, pairwise independent: variance 4 C(n, 2) (1/n)(1 - 1/n)
    assert own.std() == pytest.approx((2 * (n - 1) * (1 - 1 / n)) ** 0.5, rel=0.1)
