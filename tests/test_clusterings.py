"""The five kinds: what they hold, what they refuse, and that nothing changes them."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from strategies import KINDS, random_clustering

import softclust as sc

SETS = [[0, 0], [1, 0], [0, 1], [1, 1]]
MASS = [[0.1, 0.4, 0.2, 0.3], [0.0, 0.0, 0.0, 1.0]]
FUZZY = [[0.25, 0.75], [1.0, 0.0]]


def one_of_each():
    """One named clustering of each kind, the same in every run."""
    rng = np.random.default_rng(11)
    return [random_clustering(rng, kind, 6, 3, empty=True) for kind in KINDS]


def arrays(x):
    return {name: getattr(x, name.removeprefix("_")) for name in x._fields
            if isinstance(getattr(x, name), np.ndarray)}


# -- what they hold -----------------------------------------------------------------------------


def test_hard():
    x = sc.HardClustering(["b", "a", "b"])
    assert x.kind == "hard"
    assert (x.n_objects, x.n_clusters, len(x)) == (3, 2, 3)
    assert x.labels.tolist() == [1, 0, 1]
    assert x.labels.dtype == np.int64
    assert x.codes.dtype == np.uint8
    assert x.cluster_names == ("a", "b")
    assert x.object_names is None
    assert x.sizes.tolist() == [1, 2]
    assert x.labels is x.labels


def test_hard_declared_codes():
    x = sc.HardClustering([0, 2, 2], n_clusters=4)
    assert x.n_clusters == 4
    assert x.cluster_names == (0, 1, 2, 3)
    assert x.sizes.tolist() == [1, 0, 2, 0]
    named = sc.HardClustering([0, 2], cluster_names=["a", "b", "c"])
    assert named.cluster_names == ("a", "b", "c")
    assert named.labels.tolist() == [0, 2]


def test_rough():
    x = sc.RoughClustering.from_upper([[1, 0, 0], [1, 1, 0]])
    assert x.lower.tolist() == [[True, False, False], [False, False, False]]
    assert x.upper.dtype == bool
    assert x.boundary.tolist() == [[False, False, False], [True, True, False]]
    assert x == sc.RoughClustering(x.lower, x.upper)


def test_fuzzy_and_possibilistic():
    assert sc.FuzzyClustering(FUZZY).membership.tolist() == FUZZY
    assert sc.PossibilisticClustering([[0.0, 0.0], [1.0, 1.0]]).typicality.tolist() == [
        [0.0, 0.0], [1.0, 1.0]]


def test_evidential():
    x = sc.EvidentialClustering(MASS, SETS)
    assert (x.n_objects, x.n_clusters) == (2, 2)
    assert x.mass.tolist() == MASS
    assert x.focal_sets.tolist() == np.array(SETS, dtype=bool).tolist()
    assert x.focal_masks.tolist() == [0, 1, 2, 3]
    assert x.empty_mass.tolist() == [0.1, 0.0]
    assert sc.EvidentialClustering([[1.0]], [[1, 1]]).empty_mass.tolist() == [0.0]


def test_sixty_four_clusters():
    rng = np.random.default_rng(0)
    sets = np.vstack([np.zeros(64), np.eye(64), np.ones(64)])
    mass = rng.dirichlet(np.ones(66), size=5)
    x = sc.EvidentialClustering(mass / mass.sum(axis=1, keepdims=True), sets)
    assert x.n_clusters == 64
    assert x.focal_masks[-1] == 2**64 - 1
    assert x.focal_masks[64] == 1 << 63
    x.harden()
    x.to_evidential("occurring")
    with pytest.raises(sc.ClusteringError, match="focal_sets has 65 clusters; at most 64"):
        sc.EvidentialClustering(np.ones((2, 1)), np.ones((1, 65)))


def test_one_object_and_one_cluster():
    for x in (sc.HardClustering([7]), sc.RoughClustering.from_upper([[1]]),
              sc.FuzzyClustering([[1.0]]), sc.PossibilisticClustering([[0.5]]),
              sc.EvidentialClustering([[0.5, 0.5]], [[0], [1]])):
        assert (x.n_objects, x.n_clusters) == (1, 1)
        assert x.harden().labels.tolist() == [0]
        assert x.to_rough().upper.tolist() == [[True]]
        assert x.to_evidential().n_clusters == 1
        assert x.summary() is not None


def test_all_mass_on_the_empty_set_is_legal():
    x = sc.EvidentialClustering([[1.0]], [[0, 0, 0]])
    assert x.empty_mass.tolist() == [1.0]
    assert x.plausibility().tolist() == [[0.0, 0.0, 0.0]]


# -- from_dicts ---------------------------------------------------------------------------------


def test_from_dicts():
    x = sc.EvidentialClustering.from_dicts(
        [{"a": 1.0}, {("b", "a"): 0.5, frozenset("c"): 0.25, (): 0.25}],
        object_names=["first", "second"])
    assert x.cluster_names == ("a", "b", "c")
    assert x.object_names == ("first", "second")
    assert x.focal_sets.astype(int).tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 1]]
    assert x.mass.tolist() == [[0.0, 1.0, 0.0, 0.0], [0.25, 0.0, 0.5, 0.25]]


def test_from_dicts_keeps_the_order_given():
    x = sc.EvidentialClustering.from_dicts([{"a": 1.0}], cluster_names=["b", "a", "z"])
    assert x.cluster_names == ("b", "a", "z")
    assert x.harden().labels.tolist() == [1]


def test_from_dicts_with_numbers_as_names():
    x = sc.EvidentialClustering.from_dicts([{0: 0.5, (0, 1): 0.5}])
    assert x._cluster_names is None


@pytest.mark.parametrize(("rows", "options", "message"), [
    ([], {}, "rows is empty"),
    ([["a"]], {}, r"rows\[0\] is list; a dict"),
    ([{"z": 1.0}], {"cluster_names": ["a"]}, "'z' is not in cluster_names .* outside the frame"),
    ([{(): 1.0}], {}, "give cluster_names"),
    ([{"a": 0.5, ("a",): 0.5}], {}, r"rows\[0\] names the set .* twice"),
    ([{"a": "much"}], {}, r"rows\[0\] gives 'a' the mass 'much'; a number"),
    ([{"a": 0.5}], {}, "mass row 0 sums to 0.5"),
    ([{"a": 1.0}, {}], {}, "mass row 1 sums to 0"),
])
def test_from_dicts_refuses(rows, options, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.EvidentialClustering.from_dicts(rows, **options)


# -- what they refuse ---------------------------------------------------------------------------


@pytest.mark.parametrize(("make", "message"), [
    (lambda: sc.FuzzyClustering([[0.5, 0.6]]), r"membership row 0 sums to 1.1; .* within 1e-08"),
    (lambda: sc.FuzzyClustering([[1.0, 0.0], [0.2, 0.2], [0.1, 0.1]]),
     r"row 1 sums to 0.4 \(2 such rows\).*divide the rows by their sums"),
    (lambda: sc.FuzzyClustering([[1.5, -0.5]]), r"membership\[0, 1\] is -0.5; numbers >= 0"),
    (lambda: sc.FuzzyClustering([[1.0], [np.nan]]), r"membership\[1, 0\] is nan; finite"),
    (lambda: sc.FuzzyClustering([[1.0, np.inf]]), r"membership\[0, 1\] is inf; finite"),
    (lambda: sc.FuzzyClustering([[1.0, None]]), r"membership\[0, 1\] is nan; finite"),
    (lambda: sc.FuzzyClustering([[np.inf, -np.inf]]), r"membership\[0, 0\] is inf; finite"),
    (lambda: sc.FuzzyClustering([0.5, 0.5]), r"membership has shape \(2,\); .*two dimensions"),
    (lambda: sc.FuzzyClustering(np.ones((2, 1, 1))), r"shape \(2, 1, 1\)"),
    (lambda: sc.FuzzyClustering([]), r"membership has shape \(0,\)"),
    (lambda: sc.FuzzyClustering(np.ones((0, 3))), r"membership is empty \(shape \(0, 3\)\)"),
    (lambda: sc.FuzzyClustering(np.ones((3, 0))), r"membership is empty \(shape \(3, 0\)\)"),
    (lambda: sc.FuzzyClustering([[1.0], [0.5, 0.5]]), "rows of different lengths"),
    (lambda: sc.FuzzyClustering([["a", "b"]]), "membership has dtype <U1; real numbers"),
    (lambda: sc.FuzzyClustering([["1.0"]]), "real numbers are needed"),
    (lambda: sc.FuzzyClustering(np.array([["1.0"]], dtype=object)),
     r"membership\[0, 0\] is '1.0'; real numbers"),
    (lambda: sc.FuzzyClustering([[1.0 + 0j]]), "complex128; real numbers"),
    (lambda: sc.FuzzyClustering(np.ma.masked_array([[1.0, 0.0]], [[True, False]])),
     r"1 masked entries, the first at \(0, 0\)"),
    (lambda: sc.PossibilisticClustering([[1.0, 1.5]]),
     r"typicality\[0, 1\] is 1.5; numbers in \[0, 1\]"),
    (lambda: sc.PossibilisticClustering([[-1e-3, 0.5]]), r"typicality\[0, 0\] is -0.001"),
    (lambda: sc.PossibilisticClustering([[np.nan]]), "is nan; finite"),
    (lambda: sc.RoughClustering.from_upper([[0, 0], [1, 0]]),
     "upper row 0 has no cluster; .*EvidentialClustering"),
    (lambda: sc.RoughClustering.from_upper([[2, 0]]), r"upper\[0, 0\] is 2; True/False or 0/1"),
    (lambda: sc.RoughClustering.from_upper([[0.5, 1.0]]), r"upper\[0, 0\] is 0.5"),
    (lambda: sc.RoughClustering([[1, 0]], [[1, 1]]), "lower row 0 does not fit upper row 0"),
    (lambda: sc.RoughClustering([[0, 0]], [[1, 0]]), "from_upper"),
    (lambda: sc.RoughClustering([[1, 0]], [[1, 0, 0]]), r"lower has shape \(1, 2\) and upper"),
    (lambda: sc.EvidentialClustering(MASS, SETS[:3]), "mass has 4 columns for 3 focal_sets"),
    (lambda: sc.EvidentialClustering([[0.5, 0.5]], [[1, 0], [1, 0]]),
     "rows 0 and 1 are the same set; add up"),
    (lambda: sc.EvidentialClustering([[0.5, 0.5]], [[1, 0], [0, 0]]),
     "the empty set is focal set 1; .*reorder"),
    (lambda: sc.EvidentialClustering([[0.5, 0.5]], [[0, 0], [0, 0]]),
     "the empty set is focal set 0, 1"),
    (lambda: sc.EvidentialClustering([[0.5, 0.4]], [[1, 0], [0, 1]]),
     "mass row 0 sums to 0.9; .*give the missing mass"),
    (lambda: sc.EvidentialClustering([[1.5, -0.5]], [[1, 0], [0, 1]]), r"mass\[0, 1\] is -0.5"),
    (lambda: sc.EvidentialClustering([[1.0]], [[0.5, 1]]), r"focal_sets\[0, 0\] is 0.5"),
    (lambda: sc.HardClustering([0, 1], object_names=["a"]), "object_names has 1 names for 2 obj"),
    (lambda: sc.HardClustering([0, 1], object_names="ab"), "object_names is 'ab'; a list"),
    (lambda: sc.HardClustering([0, 1, 0], object_names=[1, 2, 1]),
     "the name 1 at 0 and at 2; names must be distinct"),
    (lambda: sc.HardClustering([0, 1], n_clusters=2, cluster_names=["a"]),
     "cluster_names has 1 names for 2 clusters"),
    (lambda: sc.FuzzyClustering(FUZZY, cluster_names=["a", "a"]), "cluster_names has the name 'a'"),
])
def test_refusals(make, message):
    with pytest.raises(sc.ClusteringError, match=message):
        make()


def test_errors_are_value_errors():
    with pytest.raises(ValueError):
        sc.FuzzyClustering([[0.5, 0.4]])


def test_row_sums_within_the_tolerance_are_kept_as_given():
    given = [[0.5, 0.5 + 5e-9]]
    assert sc.FuzzyClustering(given).membership.tolist() == given
    with pytest.raises(sc.ClusteringError, match=r"sums to 1\.00000002"):
        sc.FuzzyClustering([[0.5, 0.5 + 2e-8]])


@pytest.mark.parametrize("wrap", [lambda m: m, pd.DataFrame])
def test_single_precision_sums_are_divided_out(wrap):
    u = wrap(np.array([[1 / 3, 1 / 3, 1 / 3], [0.7, 0.2, 0.1]], dtype=np.float32))
    repaired = np.asarray(u).astype(float)
    repaired /= repaired.sum(axis=1, keepdims=True)
    assert sc.FuzzyClustering(u).membership.tolist() == repaired.tolist()
    exact = wrap(np.array([[0.5, 0.5], [0.25, 0.75]], dtype=np.float32))
    assert sc.FuzzyClustering(exact).membership.dtype == np.float64


# -- nothing changes them -------------------------------------------------------------------------


@pytest.mark.parametrize("x", one_of_each(), ids=KINDS)
def test_frozen(x):
    for name in ("labels", "membership", "kind", "anything"):
        with pytest.raises(AttributeError, match="is frozen"):
            setattr(x, name, 1)
    with pytest.raises(AttributeError, match="is frozen"):
        del x._cache
    assert arrays(x)
    for array in arrays(x).values():
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    if x.kind == "hard":
        with pytest.raises(ValueError, match="read-only"):
            x.labels[0] = 0


def test_input_is_copied():
    labels, u = np.array([0, 1, 1]), np.array(FUZZY)
    sets, mass = np.array(SETS, dtype=bool), np.array(MASS)
    upper = np.array([[True, False]])
    made = [sc.HardClustering(labels), sc.HardClustering(labels.astype(np.uint8), n_clusters=2),
            sc.FuzzyClustering(u), sc.PossibilisticClustering(u),
            sc.EvidentialClustering(mass, sets), sc.RoughClustering.from_upper(upper)]
    before = [pickle.dumps(x) for x in made]
    small = np.array([0, 1, 1], dtype=np.uint8)
    made.append(sc.HardClustering(small))
    before.append(pickle.dumps(made[-1]))
    for array in (labels, u, sets, mass, upper, small):
        array[:] = 0
        assert array.flags.writeable
    assert [pickle.dumps(x) for x in made] == before


def test_read_only_input():
    u = np.array(FUZZY)
    labels = np.array([0, 1, 1])
    u.setflags(write=False)
    labels.setflags(write=False)
    assert sc.FuzzyClustering(u).n_objects == 2
    assert sc.HardClustering(labels).n_clusters == 2


@pytest.mark.parametrize("x", one_of_each(), ids=KINDS)
def test_pickle_copy_and_equality(x):
    for again in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert again == x
        assert type(again) is type(x)
        for array in arrays(again).values():
            assert not array.flags.writeable
    assert x != "something else"
    assert x.__eq__(3) is NotImplemented
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)


def test_pickle_keeps_names_and_leaves_out_the_cache():
    x = sc.HardClustering(["b", "a"], object_names=["o1", "o2"])
    assert x.labels.tolist() == [1, 0]
    again = pickle.loads(pickle.dumps(x))
    assert again._cache == {}
    assert again.object_names == ("o1", "o2")
    assert again.cluster_names == ("a", "b")


def test_equality_looks_at_everything():
    x = sc.FuzzyClustering(FUZZY)
    assert x == sc.FuzzyClustering(FUZZY)
    assert x == sc.FuzzyClustering(FUZZY, cluster_names=[0, 1])
    assert x != sc.FuzzyClustering(FUZZY, cluster_names=["a", "b"])
    assert x != sc.FuzzyClustering(FUZZY, object_names=["a", "b"])
    assert x != sc.FuzzyClustering(FUZZY[::-1])
    assert x != sc.PossibilisticClustering(FUZZY)
    assert sc.HardClustering([0, 1]) != sc.HardClustering([0, 1], n_clusters=3)
    assert sc.HardClustering([0, 1]) != sc.HardClustering([0, 1, 1])


def test_repr():
    assert repr(sc.HardClustering([0, 1])) == "HardClustering(n_objects=2, n_clusters=2)"


# -- subset ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("x", one_of_each(), ids=KINDS)
@pytest.mark.parametrize(("indices", "rows"), [
    ([4, 0, 0], [4, 0, 0]), ([-1], [5]), (np.array([2, 3], dtype=np.uint8), [2, 3]),
    (slice(1, 4), [1, 2, 3]), ([True, False, True, False, False, False], [0, 2]),
    (np.arange(6) > 3, [4, 5]), (pd.Series([1, 2]), [1, 2]),
])
def test_subset(x, indices, rows):
    part = x.subset(indices)
    assert type(part) is type(x)
    assert part.n_clusters == x.n_clusters
    assert part.cluster_names == x.cluster_names
    assert part.n_objects == len(rows)
    np.testing.assert_array_equal(part.plausibility(), x.plausibility()[rows])
    for array in arrays(part).values():
        assert not array.flags.writeable


def test_subset_names():
    x = sc.HardClustering([0, 1, 2], object_names=["a", "b", "c"])
    assert x.subset([2, 0]).object_names == ("c", "a")
    assert x.subset([1, 1]).object_names == ("b", "b")
    assert x.subset([1]).labels.tolist() == [1]


@pytest.mark.parametrize(("indices", "error", "message"), [
    ([6], sc.ClusteringError, r"indices reach from 6 to 6 for 6 objects \(0 to 5\)"),
    ([-7], sc.ClusteringError, "reach from -7"),
    ([], sc.ClusteringError, "selects no object"),
    ([False] * 6, sc.ClusteringError, "selects no object"),
    (slice(9, 12), sc.ClusteringError, "selects no object"),
    ([True, False], sc.ClusteringError, "the mask has length 2 for 6 objects"),
    ([[0, 1]], sc.ClusteringError, "indices has 2 dimensions"),
    ([0.0, 1.0], TypeError, "indices has dtype float64"),
])
def test_subset_refuses(indices, error, message):
    with pytest.raises(error, match=message):
        sc.HardClustering([0, 1, 0, 1, 0, 1]).subset(indices)


# -- tables ---------------------------------------------------------------------------------------


def test_frames_make_the_clustering_again():
    names = {"object_names": ["o1", "o2"], "cluster_names": ["a", "b"]}
    hard = sc.HardClustering([1, 1], n_clusters=2, **names)
    frame = hard.to_frame()
    assert list(frame.columns) == ["cluster"]
    assert frame["cluster"].tolist() == ["b", "b"]
    assert frame["cluster"].cat.categories.tolist() == ["a", "b"]
    assert sc.as_clustering(frame["cluster"]).cluster_names == ("b",)
    fuzzy = sc.FuzzyClustering(FUZZY, **names)
    assert sc.as_clustering(fuzzy.to_frame()) == fuzzy
    rough = sc.RoughClustering.from_upper([[1, 1], [0, 1]], **names)
    assert sc.as_clustering(rough.to_frame(), kind="rough") == rough
    possible = sc.PossibilisticClustering([[0.5, 0.2], [0.0, 0.0]], **names)
    assert sc.as_clustering(possible.to_frame(), kind="possibilistic") == possible
    evidential = sc.EvidentialClustering(MASS, SETS, **names)
    frame = evidential.to_frame()
    assert list(frame.columns) == ["{}", "{a}", "{b}", "{a, b}"]
    assert frame.columns.name == "focal set"
    again = sc.as_clustering(frame, kind="evidential")
    assert again.mass.tolist() == evidential.mass.tolist()
    assert again.object_names == ("o1", "o2")


def test_frames_without_names():
    for x in one_of_each():
        frame = x.to_frame()
        assert len(frame) == x.n_objects
        assert type(frame.index) is pd.RangeIndex
    u = sc.FuzzyClustering(FUZZY)
    frame = u.to_frame()
    frame.iloc[0, 0] = 5.0
    assert u.membership.tolist() == FUZZY
    assert sc.as_clustering(u.to_frame()) == u


def test_frames_with_tuples_as_names():
    x = sc.FuzzyClustering(FUZZY, object_names=[("a", 1), ("a", 2)])
    assert x.to_frame().index.tolist() == [("a", 1), ("a", 2)]


def test_summaries():
    texts = [x.summary().as_text() for x in one_of_each()]
    for kind, text in zip(KINDS, texts):
        assert text.startswith(f"{kind.capitalize()} clustering")
        assert "objects" in text
    x = sc.EvidentialClustering.from_dicts([{"a": 1.0}, {("a", "b"): 0.5, (): 0.5}])
    rows = dict(x.summary().rows)
    assert rows["mass on single clusters"] == "0.5000"
    assert rows["mass on larger sets"] == "0.2500"
    assert rows["mass on the empty set"] == "0.2500"
    assert rows["size of cluster a"] == "1.00 to 1.50"
    rough = sc.RoughClustering.from_upper([[1, 0], [1, 1]])
    assert "size of cluster 0        1 to 2" in rough.summary().as_text()
    many = sc.HardClustering(np.arange(30)).summary().as_text()
    assert "19 more clusters" in many
    assert "<table" in x.summary().as_html()
    assert "tabular" in x.summary().as_latex_tabular()
