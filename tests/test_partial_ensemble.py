"""Runs that label some of the objects each."""

import copy
import pickle
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

import softclust as sc
from softclust.clusterings.labels import by_appearance

RUNS = [[0, 0, 1, -1], [-1, 5, 5, 2], [3, -1, 3, 0]]


def naive_by_appearance(labels):
    """Numbers in the order in which labels are met."""
    met = []
    for label in labels:
        if label not in met:
            met.append(label)
    return [met.index(label) for label in labels]


def test_what_it_holds():
    x = sc.PartialEnsemble(RUNS)
    assert isinstance(x, Sequence)
    assert x.labels.tolist() == [[0, 0, 1, -1], [-1, 0, 0, 1], [0, -1, 0, 1]]
    assert x.labels.dtype == np.int8
    assert x.present.tolist() == [[v >= 0 for v in row] for row in RUNS]
    assert x.counts.tolist() == [2, 2, 3, 2]
    assert x.n_clusters.tolist() == [2, 2, 2]
    assert (x.n_runs, x.n_objects, len(x), x.names) == (3, 4, 3, ("0", "1", "2"))
    assert x.object_names is None
    assert not x.is_complete
    assert repr(x) == "PartialEnsemble(3 runs of 4 objects)"
    for array in (x.labels, x.present, x.counts, x.n_clusters):
        assert not array.flags.writeable
    with pytest.raises(AttributeError, match="frozen"):
        x.names = ()
    with pytest.raises(TypeError):
        hash(x)


def test_a_run_is_the_clustering_of_its_objects():
    x = sc.PartialEnsemble(RUNS, names=["a", "b", "c"], object_names=["p", "q", "r", "s"])
    assert x["b"].labels.tolist() == [0, 0, 1]
    assert x["b"].object_names == ("q", "r", "s")
    assert x[-1].object_names == ("p", "r", "s")
    assert [run.n_objects for run in x] == [3, 3, 3]
    assert x[1:].names == ("b", "c")
    assert x[::-1][0] == x[2]
    for key, error in (("z", KeyError), (3, IndexError), (1.5, TypeError)):
        with pytest.raises(error):
            x[key]
    with pytest.raises(sc.ClusteringError, match="holds no run"):
        x[3:]


def test_everything_that_means_absent():
    expected = sc.PartialEnsemble(RUNS).labels
    gaps = np.array(RUNS) < 0
    numbers = np.where(gaps, np.nan, np.array(RUNS, dtype=float))
    given = [numbers, np.array(RUNS, dtype=np.int16), np.ma.masked_array(RUNS, gaps),
             [[None if v < 0 else v for v in row] for row in RUNS],
             np.array([[None if v < 0 else v for v in row] for row in RUNS], dtype=object),
             [[pd.NA if v < 0 else v for v in row] for row in RUNS],
             pd.DataFrame(numbers.T), pd.DataFrame(numbers.T).astype("Int64"),
             {str(b): row for b, row in enumerate(RUNS)},
             [pd.Series(row) for row in RUNS], sc.PartialEnsemble(RUNS)]
    for labels in given:
        np.testing.assert_array_equal(sc.PartialEnsemble(labels).labels, expected)
    shifted = np.array(RUNS) + 1
    np.testing.assert_array_equal(sc.PartialEnsemble(shifted, absent_label=0).labels, expected)
    np.testing.assert_array_equal(
        sc.PartialEnsemble(numbers, absent_label=None).labels, expected)
    complete = sc.Ensemble([[0, 1, 1], [2, 2, 0]], names=["u", "v"])
    assert sc.PartialEnsemble(complete).names == ("u", "v")


def test_a_frame_names_runs_and_objects():
    frame = pd.DataFrame({"u": [1.0, None], "v": [0.0, 0.0]}, index=["o1", "o2"])
    x = sc.PartialEnsemble(frame)
    assert (x.names, x.object_names) == (("u", "v"), ("o1", "o2"))
    assert x["u"].object_names == ("o1",)
    polars = pytest.importorskip("polars")
    assert sc.PartialEnsemble(polars.DataFrame({"u": [1, None], "v": [0, 0]})).names == ("u", "v")


@pytest.mark.parametrize(("labels", "options", "message"), [
    ([], {}, "holds no run"),
    ([[0, 1], [-1, -1]], {}, "run '1' labels no object"),
    ([[0.5, 1.0]], {}, "0.5"),
    (np.array([[0.5, 1.0]]), {}, r"run '0' has the label 0.5 for object 0; whole numbers"),
    ([[-2, 0]], {}, "give absent_label="),
    ([[-1, 0]], {"absent_label": None}, "give absent_label="),
    ([[-1, 0]], {"absent_label": 0}, "give absent_label="),
    ([["a", "b"]], {}, "labels of type str; whole numbers"),
    ([[True, False]], {}, "labels of type bool; whole numbers"),
    ([[0, 1], [0]], {}, "run '1' has 1 labels and '0' has 2"),
    ([0, 1], {}, "give .labels."),
    (np.array([0, 1]), {}, r"shape \(2,\); \(runs, objects\) is needed"),
    (np.zeros((2, 0)), {}, "at least one run and one object"),
    (None, {}, "labels is of type NoneType"),
    ([[0, 1]], {"names": ["a", "b"]}, "names has 2 names for 1 runs"),
    ([[0, 1]], {"names": "a"}, "names is the string"),
    ([[0, 1]], {"object_names": ["a"]}, "object_names has 1 names for 2 objects"),
    (sc.HardClustering([0, 1]), {}, "a list of runs is needed"),
    (sc.Ensemble([[[0.5, 0.5]]]), {}, "member '0' is fuzzy"),
])
def test_refused(labels, options, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.PartialEnsemble(labels, **options)


def test_the_error_of_an_ensemble_names_this_class():
    for runs in ([[0, None], [0, 1]], [[0, 1], [float("nan"), 1]]):
        with pytest.raises(sc.ClusteringError, match="PartialEnsemble takes runs"):
            sc.Ensemble(runs)


def test_by_indices():
    x = sc.PartialEnsemble.from_indices([[7, 7, 2], [1, 1]], [[0, 2, 1], [3, 2]], 4)
    assert x.labels.tolist() == [[0, 1, 0, -1], [-1, -1, 0, 0]]
    copies = sc.PartialEnsemble.from_indices([[4, 4, 0]], [[1, 1, 0]], 3)
    assert copies.labels.tolist() == [[0, 1, -1]]
    absent = sc.PartialEnsemble.from_indices([[-1, 0]], [[0, 1]], 2)
    assert absent.labels.tolist() == [[-1, 0]]
    for labels, indices, n, message in [
            ([[0, 1]], [[1, 1]], 2, "gives object 1 the labels 0 and 1"),
            ([[0, 1]], [[0, 2]], 2, "reach from 0 to 2"), ([[0, 1]], [[0]], 2, "2 labels for 1"),
            ([[0]], [], 2, "1 runs and indices 0"), ([[0]], [[0.0]], 2, "list of whole numbers"),
            ([[0]], [[0]], 0, "n_objects is 0")]:
        with pytest.raises(sc.ClusteringError, match=message):
            sc.PartialEnsemble.from_indices(labels, indices, n)


def test_complete_runs_are_an_ensemble():
    labels = [[0, 0, 1], [1, 0, 0]]
    x = sc.PartialEnsemble(labels, names=["a", "b"], object_names=list("xyz"))
    assert x.is_complete
    ensemble = x.to_ensemble()
    assert ensemble.names == ("a", "b")
    assert ensemble.object_names == ("x", "y", "z")
    assert [sc.rand_index(u, v) for u, v in zip(ensemble, labels)] == [1.0, 1.0]
    assert sc.PartialEnsemble(ensemble) == x
    with pytest.raises(sc.ClusteringError, match="object 3 is absent from run '0'"):
        sc.PartialEnsemble(RUNS).to_ensemble()


def test_subset_equality_copies():
    x = sc.PartialEnsemble(pd.DataFrame(np.array(RUNS).T))
    assert x.subset([2, 0]).labels.tolist() == [[0, 1], [0, -1], [0, 0]]
    assert x.subset([2, 0]).object_names == (2, 0)
    assert x.subset(np.array([True, True, True, False])).n_objects == 3
    with pytest.raises(sc.ClusteringError, match="run '0' labels no object"):
        x.subset([3])
    for other in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert other == x
        assert other.naming is x.naming
    assert x == sc.PartialEnsemble(np.array(RUNS) * 3 + 2 * (np.array(RUNS) < 0))
    assert x != sc.PartialEnsemble(RUNS, names=["a", "b", "c"])
    assert x != RUNS


def test_labels_are_renumbered_by_appearance_in_the_smallest_type():
    rng = np.random.default_rng(0)
    for high in (3, 50, 10**6, 2**62):
        labels = rng.integers(0, high, size=40)
        assert by_appearance(labels).tolist() == naive_by_appearance(labels.tolist())
    for count, kind in ((128, np.int8), (129, np.int16), (32768, np.int16), (32769, np.int32)):
        assert sc.PartialEnsemble([np.arange(count)[::-1]]).labels.dtype == kind
    big = sc.PartialEnsemble(np.array([[2**64 - 1, 2**63, 2**64 - 1]], dtype=np.uint64))
    assert big.labels.tolist() == [[0, 1, 0]]


def test_tables():
    x = sc.PartialEnsemble([[0, 0, 1, -1, -1], [-1, 0, 0, 1, -1]])
    assert x.to_frame()["n_objects"].tolist() == [3, 3]
    text = x.summary().as_text()
    assert "2 runs of 5 objects" in text
    assert "1 objects are in no run" in text
