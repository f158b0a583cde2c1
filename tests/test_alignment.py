"""Noise, missing labels and different objects: golden values, naive rewriting, names, errors."""

import json
import math
import pickle
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from naive import partial
from together import SOME_OR_ALL

import softclust as sc

CASES = json.loads((Path(__file__).parent / "golden" / "partial-labels.json").read_text())["cases"]


def of(function):
    return [pytest.param(c, id=c["id"]) for c in CASES
            if c["function"] == function and "words" not in c["expected"]]


def tupled(value):
    return tuple(value) if isinstance(value, list) else value


def given(case):
    if case.get("form") == "series":
        return [pd.Series(labels, index=names) for names, labels in case["inputs"]]
    if case.get("form") == "dict":
        return [dict(zip(names, labels)) for names, labels in case["inputs"]]
    return case["inputs"]


def number(value):
    return float(Fraction(value)) if isinstance(value, str) else float(value)


@pytest.mark.parametrize("case", of("measure"))
def test_golden_measures(case):
    found = sc.align(*given(case), **{k: tupled(v) for k, v in case["align"].items()})
    expected = dict(case["expected"])
    for name, value in expected.pop("values").items():
        options = case.get("options", {}).get(name, {})
        got = getattr(sc, name)(*found, **options)
        ends = [(got.low, value[0]), (got.high, value[1])] if isinstance(value, list) else [
            (got, value)]
        for a, b in ends:
            assert abs(float(a) - number(b)) <= case["abs_tol"], name
    if "positions" in expected:
        assert found.positions[0].tolist() == expected.pop("positions")
    if "kinds" in expected:
        assert [x.kind for x in found] == expected.pop("kinds")
    for name, value in expected.items():
        got = getattr(found, name)
        assert (list(got) if isinstance(got, tuple) else got) == value, name


@pytest.mark.parametrize("case", of("as_clustering"))
def test_golden_rows(case):
    obj = case["input"]
    obj = (np.array(obj["matrix"]) if "matrix" in obj else
           SimpleNamespace(**{k: np.array(v) for k, v in obj["estimator"].items()}))
    x = sc.as_clustering(obj, **case["kwargs"])
    expected = case["expected"]
    assert x.kind == expected["kind"]
    if "membership" in expected:
        assert np.abs(x.membership - np.array(expected["membership"])).max() <= case["abs_tol"]
        assert x.cluster_names[-1] == expected["last_cluster_name"]
        return
    for i, row in enumerate(expected["mass"]):
        mine = {"".join(map(str, np.flatnonzero(s))): m
                for s, m in zip(x.focal_sets, x.mass[i]) if m > 0}
        assert mine.keys() == row.keys()
        assert all(abs(mine[k] - row[k]) <= case["abs_tol"] for k in row)


@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES
                                  if "words" in c.get("expected", {})])
def test_golden_errors(case):
    with pytest.raises(ValueError, match=case["expected"]["words"][0]) as found:
        sc.align(*given(case), **case.get("align", {}))
    assert all(word in str(found.value) for word in case["expected"]["words"])


# -- policies against naive rewriting ----------------------------------------------------------
LABELINGS = list(product([0, 1, -1, None], repeat=4))
NOISE = ("cluster", "singletons", "drop", "unknown", "empty")
MISSING = ("cluster", "singletons", "drop", "unknown")


def sets_of(x):
    """For each object the set of its possible clusters; empty for none."""
    if x.kind == "hard":
        return [{k} for k in x.labels.tolist()]
    if x.kind == "rough":
        return [set(np.flatnonzero(row).tolist()) for row in x.upper]
    return [set(np.flatnonzero(x.focal_sets[row.argmax()]).tolist()) for row in x.mass]


def same_up_to_names(mine, naive):
    """Whether a renaming of clusters turns one list of sets into the other."""
    labels = sorted(set().union(*naive), key=str)
    signs = {v: tuple(v in s for s in naive) for v in labels}
    mine_labels = sorted(set().union(*mine))
    return (sorted(signs.values()) == sorted(tuple(k in s for s in mine) for k in mine_labels)
            and [len(s) for s in mine] == [len(s) for s in naive])


def check_pair(a, b, noise, missing):
    sides = [partial.rewrite(labels, noise, missing) for labels in (a, b)]
    kept = partial.keep(sides)
    lost = [not set().union(*(s[i] for i in kept if s[i] != "unknown"))
            and any(s[i] in ("unknown", set()) for i in kept) for s in sides]
    if len(kept) < 2 or any(lost):
        with pytest.raises(sc.ClusteringError, match="singletons"):
            sc.align(list(a), list(b), noise=noise, missing=missing)
        return None
    found = sc.align(list(a), list(b), noise=noise, missing=missing)
    assert found.positions[0].tolist() == kept
    naive = [partial.resolve(side, kept) for side in sides]
    for x, expected in zip(found, naive):
        assert same_up_to_names(sets_of(x), expected)
    return found, naive


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("noise", NOISE)
@SOME_OR_ALL
def test_policies_on_all_labelings_of_one_side(noise, missing, whole):
    for a in LABELINGS[::1 if whole else 3]:
        check_pair(a, (0, 0, 1, 1), noise, missing)


def one_of_each_kind():
    """Pairs of labelings of 4 objects, one of those that differ in order and names of clusters."""
    found = set()
    swap = {0: 1, 1: 0, -1: -1, None: None}
    for a, b in product(LABELINGS, LABELINGS):
        alike = [tuple(sorted(zip(x, y), key=str))
                 for x in (a, tuple(swap[v] for v in a)) for y in (b, tuple(swap[v] for v in b))]
        found.add(min(alike, key=str))
    return sorted(found, key=str)


@pytest.mark.slow
def test_every_policy_on_all_labelings_up_to_order_and_names():
    """All 65,536 pairs of labelings by all 20 policies: rules look at each object alone."""
    kinds = one_of_each_kind()
    assert len(kinds) > 900
    for kind, noise, missing in product(kinds, NOISE, MISSING):
        done = check_pair(*zip(*kind), noise, missing)
        if done is not None and all(x.kind == "hard" for x in done[0]):
            assert abs(sc.rand_index(*done[0]) - partial.pairs_alike(*done[1])) < 1e-15


@pytest.mark.parametrize("step", [997, pytest.param(1, marks=pytest.mark.slow)])
def test_policies_on_pairs_of_labelings(step):
    pairs = list(product(LABELINGS, LABELINGS))[::step]
    for k, (a, b) in enumerate(pairs):
        noise, missing = NOISE[k % 5], MISSING[k // 5 % 4]
        done = check_pair(a, b, noise, missing)
        if done is not None and all(x.kind == "hard" for x in done[0]):
            assert abs(sc.rand_index(*done[0]) - partial.pairs_alike(*done[1])) < 1e-15


def test_without_noise_and_gaps_every_policy_is_the_plain_call():
    x, y = sc.HardClustering([0, 1, 1, 2, 2]), sc.FuzzyClustering(np.full((5, 2), 0.5))
    for noise, missing in product((*NOISE, "raise"), (*MISSING, "raise")):
        found = sc.align(x, y, noise=noise, missing=missing)
        assert found[0] is x
        assert found[1] is y
        assert not found.changed


def test_sides_exchanged():
    a, b = [0, 0, -1, 1, None, 1, -1], [1, -1, 0, 0, 0, None, 1]
    for noise, missing in product(NOISE, MISSING):
        one = sc.align(a, b, noise=noise, missing=missing)
        two = sc.align(b, a, noise=noise, missing=missing)
        assert one[0] == two[1]
        assert one[1] == two[0]


def test_dropping_at_random_keeps_the_mean_of_the_rand_index():
    x, y = [0, 0, 1, 1, 2], [0, 1, 1, 1, 0]
    n, rand = 5, Fraction(sc.rand_index(x, y)).limit_denominator(1000)
    from itertools import combinations
    for size in (2, 3, 4):
        values = []
        for lost in combinations(range(n), n - size):
            gaps = [None if i in lost else v for i, v in enumerate(x)]
            value = sc.rand_index(*sc.align(gaps, y, missing="drop"))
            values.append(Fraction(value).limit_denominator(1000))
        assert sum(values) / len(values) == rand


# -- forms of input ----------------------------------------------------------------------------
GAPS = [0, None, 1, -1, 1]


@pytest.mark.parametrize("labels", [
    GAPS, np.array([0, np.nan, 1, -1, 1]), np.array(GAPS, dtype=object), pd.Series(GAPS),
    pd.Series(GAPS, dtype="Int64"), pd.Series(GAPS, dtype="category"),
    pd.Series([0, pd.NA, 1, -1, 1]),
    np.ma.masked_array([0, 9, 1, -1, 1], mask=[0, 1, 0, 0, 0]), tuple(GAPS),
    pd.Categorical.from_codes([1, -1, 2, 0, 2], [-1, 0, 1])], ids=lambda v: type(v).__name__)
def test_missing_labels_of_every_type(labels):
    found = sc.align(labels, [0, 0, 1, 1, 1], noise="singletons", missing="drop")
    assert (found.n_noise, found.n_missing) == ((1, 0), (1, 0))
    assert found[0].sizes.tolist() == [1, 2, 1]
    with pytest.raises(sc.ClusteringError, match=r'1 label is missing.*s\[1\].*missing="drop"'):
        sc.as_clustering(labels)


def test_polars_and_arrow_labels():
    pa = pytest.importorskip("pyarrow")
    found = sc.align(pa.array(GAPS), pa.chunked_array([["a", None], ["b", "a", "c"]]),
                     missing="drop")
    assert found.n_missing == (1, 1)
    assert found.n_objects == 4


def test_strings_and_ready_clusterings_have_noise_labels():
    x = sc.HardClustering(["a", "out", "a", "b"])
    found = sc.align(x, ["b", "b", "out", "a"], noise="drop", noise_label="out")
    assert found.n_objects == 2
    assert found.n_noise == (1, 1)
    several = sc.align(["a", "o", "p", "b"], [0, 0, 1, 1], noise_label=({"o", "p"}, -1))
    assert several[0].cluster_names == ("a", "b", "noise")
    assert several.n_noise == (2, 0)
    assert sc.align([True, False, True], [0, 1, 1], noise="singletons",
                    noise_label=1).n_noise == (0, 2)


def test_one_policy_for_each_side():
    found = sc.align([0, -1, 1], [0, -1, -1], noise=("cluster", "singletons"))
    assert found[0].n_clusters == 3
    assert found[1].n_clusters == 3
    assert found.noise == ("cluster", "singletons")
    with pytest.raises(sc.ClusteringError, match="a tuple of 3 for 2"):
        sc.align([0, 1], [0, 1], noise=("cluster",) * 3)


def test_rows_of_a_mixture_with_gaps_and_noise():
    rows = np.array([[0.5, 0.5], [np.nan, 0.2], [0.0, 0.0], [1.0, 0.0]])
    found = sc.align(rows, [0, 0, 1, 1], noise="singletons", missing="drop")
    assert found.n_noise == (1, 0)
    assert found.n_missing == (1, 0)
    assert found[0].membership.tolist() == [[0.5, 0.5, 0], [0, 0, 1], [1, 0, 0]]
    whole = sc.as_clustering(rows, noise="empty", missing="unknown")
    assert whole.kind == "evidential"
    assert [sets_of(whole)[i] for i in (1, 2)] == [{0, 1}, set()]
    with pytest.raises(sc.ClusteringError, match="partly noise"):
        sc.align([[0.5, 0.2], [1.0, 0.0]], [0, 1], noise="drop")
    with pytest.raises(sc.ClusteringError, match='if the rest is noise, say noise="cluster"'):
        sc.align([[0.5, 0.2], [1.0, 0.0]], [0, 1])
    with pytest.raises(sc.ClusteringError, match=r"sums to 1\.2"):
        sc.align([[0.6, 0.6], [1.0, 0.0]], [0, 1], noise="empty")
    with pytest.raises(sc.ClusteringError, match="take 'cluster'"):
        sc.as_clustering(rows, "fuzzy", noise="empty", missing="unknown")


def test_absent_objects_of_soft_clusterings():
    x = sc.FuzzyClustering([[0.9, 0.1], [0.4, 0.6]], object_names=["a", "b"])
    y = {"b": 1, "c": 2, "a": 1}
    kinds = {"unknown": "evidential", "cluster": "fuzzy", "singletons": "fuzzy"}
    for rule, kind in kinds.items():
        found = sc.align(x, y, objects="all", missing=rule)
        assert found[0].kind == kind
        assert found.object_names == ("a", "b", "c")
        assert found.n_absent == (1, 0)
        assert found[0].object_names == found[1].object_names == ("a", "b", "c")
    rough = sc.RoughClustering.from_upper([[1, 0], [1, 1]], object_names=["a", "b"])
    assert sc.align(rough, y, objects="all", missing="unknown")[0].upper[2].tolist() == [True] * 2
    typical = sc.PossibilisticClustering([[1, 0], [0.5, 1]], object_names=["a", "b"])
    assert sc.align(typical, y, objects="all", missing="unknown")[0].typicality[2].tolist() == [
        1.0, 1.0]
    masses = rough.to_evidential("occurring")
    assert sets_of(sc.align(masses, y, objects="all", missing="cluster")[0])[2] == {2}


def test_hdbscan_with_rows_that_are_infinite_or_incomplete():
    from sklearn.cluster import HDBSCAN
    X = np.vstack([np.random.default_rng(0).normal(size=(30, 2)) * 0.1,
                   np.random.default_rng(1).normal(size=(30, 2)) * 0.1 + 5])
    X[3], X[4], X[40] = np.inf, [np.inf, 0.0], [np.nan, 1.0]
    fit = HDBSCAN(min_cluster_size=10, copy=True).fit(X)
    assert set(fit.labels_) >= {-2, -3}
    with pytest.raises(sc.ClusteringError, match="1 label is missing"):
        sc.as_clustering(fit)
    found = sc.align(fit, [0] * 30 + [1] * 30, noise="singletons", missing="drop")
    assert found.n_missing == (1, 0)
    assert found.n_noise[0] == 2 + int((fit.labels_ == -1).sum())
    soft = sc.as_clustering(fit, "evidential", noise="empty", missing="unknown")
    assert soft.empty_mass[[3, 4]].tolist() == [1.0, 1.0]
    assert sets_of(soft)[40] == {0, 1}
    with pytest.raises(sc.ClusteringError, match='noise="cluster" makes a column'):
        sc.as_clustering(fit, "fuzzy", missing="unknown")


# -- names -------------------------------------------------------------------------------------
@pytest.mark.parametrize("names", [
    [("a", 1), ("a", 2), ("b", 1), ("b", 2)], list(pd.date_range("2024-01-01", periods=4)),
    [3, 1, 2, 0], ["p", "q", "r", "s"]], ids=["multi", "dates", "integers", "strings"])
def test_names_of_every_type(names):
    index = pd.MultiIndex.from_tuples(names) if isinstance(names[0], tuple) else pd.Index(names)
    x = pd.Series([0, 0, 1, 1], index=index)
    y = x.iloc[[2, 0, 3]]
    found = sc.align(x, y, objects="common")
    assert found.object_names == (names[0], names[2], names[3])
    assert found.positions[1].tolist() == [1, 0, 2]
    assert sc.rand_index(*found) == 1.0
    assert found.n_absent == (0, 1)
    again = pickle.loads(pickle.dumps(found))
    assert again.header == found.header
    assert again[0] == found[0]


def test_a_shuffled_series_is_matched():
    s = pd.Series([0, 1, 2] * 100)
    found = sc.align(s, s.sample(frac=1, random_state=0), objects="common")
    assert sc.adjusted_rand_index(*found) == 1.0
    assert found.object_names == tuple(range(300))


def test_sets_of_objects_are_matched():
    found = sc.align([{"a", "b"}, {"c"}], {"c": 0, "b": 1, "a": 1}, objects="common")
    assert sc.rand_index(*found) == 1.0


@pytest.mark.parametrize(("call", "text"), [
    (lambda: sc.align([0, 1], {"a": 0, "b": 1}, objects="common"), "x has none; give a pandas"),
    (lambda: sc.align({"a": 0, "b": 1}, {"c": 0, "d": 1}, objects="common"),
     r"no name is common to all sides \(x has 2, y has 2\)"),
    (lambda: sc.align({"a": 0, "b": 1}, {"b": 0, "d": 1}, objects="common"), "1 name is common"),
    (lambda: sc.align({1: 0, 2: 1}, {"1": 0, "2": 1}, objects="common"),
     "names of x are int, of y str"),
    (lambda: sc.align(pd.Series([0, 1], index=["a", "a"]), [0, 1]), "'a' at 0 and at 1"),
    (lambda: sc.align([0, -1, None], [0, -1, 1], noise="drop", missing="drop"),
     r"1 of 3 objects are left.*x: 1 noise, 1 missing, 0 absent; y: 1 noise"),
    (lambda: sc.align({"a": 0, "b": 1}, {"a": 0}), 'objects="common"'),
    (lambda: sc.align({"a": 0, "b": 1}, {"b": 0, "c": 1}, objects="all"),
     'x: 1 label is missing.*missing="drop"'),
    (lambda: sc.align([0, -1], [0, 1], noise="raise"), "x: 1 object is noise"),
    (lambda: sc.align([0, 1], [0, 1], missing="bounds"), "compare and compare_all"),
    (lambda: sc.align([-1, -1, 0], [0, 1, 1], noise="unknown", missing="empty"),
     "a missing label says nothing"),
    (lambda: sc.align([-1, -1, -1], [0, 1, 1], noise="empty"), 'noise="singletons"'),
    (lambda: sc.as_clustering([0, -1], noise="drop"), "align"),
])
def test_errors(call, text):
    with pytest.raises(sc.ClusteringError, match=text):
        call()


def test_unknown_policies_name_all():
    with pytest.raises(ValueError, match="'cluster', 'singletons', 'drop', 'unknown', 'empty'"):
        sc.align([0, 1], [0, 1], noise="lose")
    with pytest.raises(ValueError, match="'same', 'common', 'all'"):
        sc.align([0, 1], [0, 1], objects="any")
    with pytest.raises(TypeError, match="at least one"):
        sc.align()


def test_the_record():
    found = sc.align({"a": 0, "b": -1, "c": None}, {"c": 1, "a": 0, "d": 0, "b": 1},
                     objects="common", missing="cluster", names=("mine", "theirs"))
    assert found.header == ("mine: 1 noise (one more cluster), 1 missing (one more cluster), "
                            "1 absent; theirs: 0 noise, 0 missing; 3 of 4 objects compared")
    assert found.to_frame()["n_given"].tolist() == [3, 4]
    assert "3 of 4 objects" in found.summary().as_text()
    assert found.changed
    assert len(found) == 2
    assert found[0].cluster_names == (-1, 0, "missing")
    assert repr(found).startswith("Aligned(mine")
    assert math.isfinite(sc.rand_index(*found))


@pytest.mark.parametrize("name", ["DBSCAN", "HDBSCAN", "OPTICS"])
def test_noise_of_a_fitted_estimator_is_reported(name):
    from sklearn import cluster
    data = np.r_[np.zeros((20, 2)), np.ones((20, 2)), [[9.0, 3.0]]]
    data[:40] += np.random.default_rng(0).normal(scale=0.02, size=(40, 2))
    options = {"DBSCAN": {"eps": 0.2}, "HDBSCAN": {"copy": True}, "OPTICS": {"max_eps": 1.0}}[name]
    found = getattr(cluster, name)(**options).fit(data)
    n_noise = int((found.labels_ == -1).sum())
    assert n_noise
    truth = np.repeat([0, 1], [20, 21])
    result = sc.compare(truth, found)
    assert result.alignment.n_noise == (0, n_noise)
    assert f"y: {n_noise} noise (one more cluster)" in " ".join(str(result).split())
    assert result.value("rand_index") == sc.rand_index(truth, found.labels_)
    assert sc.compare_all({"truth": truth, "found": found}).alignment is not None
    assert sc.compare(truth, found.labels_).alignment is None


# -- clusters that lose all their objects ---------------------------------------------------------
FIRST = pd.Series([0, 0, 1, 1, 2, 2, 2, 0], index=list("abcdefgh"))
SECOND = pd.Series([1, 1, 0, 0, 3], index=list("abcdx"))


@pytest.mark.parametrize("kind", ["hard", "fuzzy", "rough", "possibilistic", "evidential", "cover"])
def test_no_emptied_clusters_of_common_objects(kind):
    x, y = (x if kind == "hard" else getattr(x, f"to_{kind}")()
            for x in map(sc.as_clustering, (FIRST, SECOND)))
    for one, other in ((x, y), (y, x)):
        found = sc.align(one, other, objects="common")
        assert [each.kind for each in found] == [kind, kind]
        assert [each.n_clusters for each in found] == [2, 2]
        assert [each.cluster_names for each in found] == [(0, 1), (0, 1)]
        assert (found.n_objects, found.n_dropped, found.n_matched) == (4, 5, 4)
        assert found.header.endswith("4 of 9 objects compared")
    gap = sc.align(x, x.subset([7, 6, 5, 4]), objects="common")
    assert [each.cluster_names for each in gap] == [(0, 2), (0, 1, 2)]   # the second lost none
    # The same objects for other reasons: those dropped from the other side, one side's numbers.
    gone = [None] * 4 + [0] * 4
    dropped = sc.align(x.renamed(None), gone, missing="drop")
    assert dropped[0].cluster_names == (0, 2)
    assert sc.align(x, x, objects="common")[0] is x


def test_values_of_common_objects_know_no_emptied_clusters():
    both = sc.align(FIRST, SECOND, objects="common")
    assert sc.mallows_distance(*both) == 0.0
    assert sc.match_clusters(*both).table.shape == (2, 2)
    pair = sc.compare_all({"x": FIRST, "y": SECOND}, measure="mallows_distance",
                          objects="common", drop="pair")
    assert pair["x", "y"] == 0.0
    uncovered = sc.align(FIRST, sc.CoverClustering.from_clusters({"k": ["e"]}, objects="abex"),
                         objects="common").clusterings[1]
    assert uncovered.sizes.tolist() == [1]
