"""Several clusterings of the same objects."""

import copy
import pickle
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from strategies import KINDS, random_clustering

import softclust as sc

ROUGH = sc.RoughClustering.from_upper([[1, 1], [0, 1], [1, 0]])
FUZZY = [[0.9, 0.1], [0.5, 0.5], [0.0, 1.0]]


def example():
    return sc.Ensemble({"a": [0, 0, 1], "b": FUZZY, "c": ROUGH})


def test_sequence_protocol():
    x = example()
    assert isinstance(x, Sequence)
    assert len(x) == 3
    assert x.names == ("a", "b", "c")
    assert x.kinds == ("hard", "fuzzy", "rough")
    assert x.n_clusters == (2, 2, 2)
    assert x.n_objects == 3
    assert [c.kind for c in x] == list(x.kinds)
    assert [c.kind for c in reversed(x)] == list(x.kinds)[::-1]
    assert list(x) == list(x.clusterings)
    assert x["c"] is ROUGH
    assert x[2] is ROUGH
    assert x[-1] is ROUGH
    assert x[np.int64(2)] is ROUGH
    assert ROUGH in x
    assert x.index(ROUGH) == 2
    assert repr(x) == "Ensemble(3 clusterings of 3 objects)"


def test_slices_keep_names():
    x = example()[1:]
    assert isinstance(x, sc.Ensemble)
    assert x.names == ("b", "c")
    assert x[0] is example()[1] or x[0] == example()[1]
    assert example()[::-1].names == ("c", "b", "a")
    with pytest.raises(sc.ClusteringError, match="holds no clustering"):
        example()[3:]


@pytest.mark.parametrize(("key", "error", "message"), [
    ("z", KeyError, "no clustering is called 'z'; the names are 'a', 'b', 'c'"),
    (3, IndexError, "position 3 is out of range for 3 clusterings"),
    (-4, IndexError, "position -4"),
    (1.0, TypeError, "1.0 is not a name, position or slice"),
    (None, TypeError, "None is not a name"),
])
def test_wrong_keys(key, error, message):
    with pytest.raises(error, match=message):
        example()[key]


def test_where_ensembles_come_from():
    assert sc.Ensemble([[0, 0, 1], [0, 1, 1]]).names == ("0", "1")
    assert sc.Ensemble(np.array([[0, 0, 1], [0, 1, 1]])).n_objects == 3
    assert sc.Ensemble([[0, 1]], names=["only"]).names == ("only",)
    assert sc.Ensemble({"a": [0, 1]}, names=["other"]).names == ("other",)
    assert sc.Ensemble(v for v in ([0, 1], [1, 1])).n_objects == 2
    frame = pd.DataFrame({"u": ["p", "q"], "v": ["p", "p"]}, index=["o1", "o2"])
    from_frame = sc.Ensemble(frame)
    assert from_frame.names == ("u", "v")
    assert from_frame.object_names == ("o1", "o2")
    assert from_frame["u"].cluster_names == ("p", "q")
    assert sc.Ensemble(pd.DataFrame([[0, 1], [1, 1]])).names == ("0", "1")
    assert sc.Ensemble(example()) == example()
    assert sc.Ensemble(example(), names=["x", "y", "z"])["z"] is ROUGH


def test_every_kind():
    rng = np.random.default_rng(0)
    members = [random_clustering(rng, kind, 5, 3, empty=True) for kind in KINDS]
    x = sc.Ensemble(members)
    assert x.kinds == KINDS
    assert all(a is b for a, b in zip(x, members))
    frame = x.to_frame()
    assert list(frame.index) == ["0", "1", "2", "3", "4"]
    np.testing.assert_allclose(frame[["certain", "undecided", "empty"]].sum(axis=1), 1, atol=1e-14)
    assert frame.loc["0", "certain"] == 1


@pytest.mark.parametrize(("clusterings", "names", "message"), [
    ([], None, "clusterings is empty"),
    ({}, None, "clusterings is empty"),
    (sc.HardClustering([0, 1]), None, "a single clustering; give a list"),
    (3, None, "clusterings is of type int; a list, a dict or a DataFrame"),
    ([[0, 1], [0, 1, 1]], None, "clustering '1' has 3 objects and '0' has 2; the same objects"),
    ([[0, 1]], ["a", "b"], "names has 2 names for 1 clusterings"),
    ([[0, 1], [0, 1]], ["a", "a"], "the name 'a' is repeated"),
    ([[0, 1], [0, 1]], "ab", "names is the string 'ab'"),
    ({2: [0, 1], 3: [0, 1]}, None, "the name 2 is of type int; names must be strings, such as '2'"),
    ([[0, 1]], [0], "the name 0 is of type int"),
    ([[0, 1], [0, None]], None, r"clusterings\['1'\]: 1 label is missing"),
    ({"k3": [[0.5, 0.6], [1.0, 0.0]]}, None, r"clusterings\['k3'\]: row 0 of the matrix sums"),
    ([0, 1, 1], None, r"clusterings\['0'\]: an object of type int is not"),
])
def test_refused(clusterings, names, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.Ensemble(clusterings, names)


def test_object_names_must_agree():
    one = sc.HardClustering([0, 1], object_names=["a", "b"])
    other = sc.HardClustering([0, 1], object_names=["b", "a"])
    assert sc.Ensemble([[0, 1], one]).object_names == ("a", "b")
    assert sc.Ensemble([[0, 1]]).object_names is None
    with pytest.raises(sc.ClusteringError, match="object 0 is 'a' in clustering '0' and 'b'"):
        sc.Ensemble([one, other])


def test_frozen():
    x = example()
    with pytest.raises(AttributeError, match="Ensemble is frozen"):
        x.names = ("a",)
    with pytest.raises(AttributeError, match="Ensemble is frozen"):
        del x._names
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)


def test_equality_and_pickle():
    x = example()
    for again in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x), copy.copy(x)):
        assert again == x
        assert again.names == x.names
    assert x != sc.Ensemble(x, names=["x", "y", "z"])
    assert x != x[:2]
    assert x != list(x)
    assert sc.Ensemble([[0, 1]]) == sc.Ensemble([[0, 1]], names=["0"])


def test_subset():
    x = example().subset([2, 0])
    assert x.n_objects == 2
    assert x.names == ("a", "b", "c")
    assert x["a"].labels.tolist() == [1, 0]
    assert x["c"].upper.tolist() == [[True, False], [True, True]]
    drawn = sc.Ensemble([sc.HardClustering([0, 1], object_names=["a", "b"])]).subset([1, 1])
    assert drawn.object_names == ("b", "b")
    with pytest.raises(sc.ClusteringError, match="indices reach from 3"):
        example().subset([3])


def test_tables():
    x = sc.Ensemble({"a": [0, 0], "e": sc.EvidentialClustering.from_dicts(
        [{"a": 1.0}, {("a", "b"): 0.5, (): 0.5}])})
    frame = x.to_frame()
    assert frame.index.name == "name"
    assert frame.loc["e"].tolist() == ["evidential", 2, 0.5, 0.25, 0.25]
    text = x.summary().as_text()
    assert text.startswith("2 clusterings of 2 objects")
    row = next(line for line in text.splitlines() if line.startswith("e "))
    assert row.split() == ["e", "evidential", "2", "0.5000", "0.2500", "0.2500"]
