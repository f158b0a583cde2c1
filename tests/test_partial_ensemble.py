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
    x = sc.Ensemble.from_runs(RUNS)
    assert isinstance(x, Sequence)
    assert x.labels.tolist() == [[0, 0, 1, -1], [-1, 0, 0, 1], [0, -1, 0, 1]]
    assert x.labels.dtype == np.int8
    assert x.present.tolist() == [[v >= 0 for v in row] for row in RUNS]
    assert x.counts.tolist() == [2, 2, 3, 2]
    assert x.n_clusters == (2, 2, 2)
    assert (x.n_runs, x.n_objects, len(x), x.names) == (3, 4, 3, ("0", "1", "2"))
    assert x.object_names is None
    assert not x.is_complete
    assert repr(x) == "Ensemble(3 clusterings of 4 objects, 3 absent labels)"
    for array in (x.labels, x.present, x.counts):
        assert not array.flags.writeable
    with pytest.raises(AttributeError, match="frozen"):
        x.names = ()
    with pytest.raises(TypeError):
        hash(x)


def test_a_run_is_the_clustering_of_its_objects():
    x = sc.Ensemble.from_runs(RUNS, names=["a", "b", "c"], object_names=["p", "q", "r", "s"])
    assert x["b"].labels.tolist() == [0, 0, 1]
    assert x["b"].object_names == ("q", "r", "s")
    assert x[-1].object_names == ("p", "r", "s")
    assert [run.n_objects for run in x] == [3, 3, 3]
    assert x[1:].names == ("b", "c")
    assert x[::-1][0] == x[2]
    for key, error in (("z", KeyError), (3, IndexError), (1.5, TypeError)):
        with pytest.raises(error):
            x[key]
    with pytest.raises(sc.ClusteringError, match="holds no clustering"):
        x[3:]


def test_everything_that_means_absent():
    expected = sc.Ensemble.from_runs(RUNS).labels
    gaps = np.array(RUNS) < 0
    numbers = np.where(gaps, np.nan, np.array(RUNS, dtype=float))
    given = [numbers, np.array(RUNS, dtype=np.int16), np.ma.masked_array(RUNS, gaps),
             [[None if v < 0 else v for v in row] for row in RUNS],
             np.array([[None if v < 0 else v for v in row] for row in RUNS], dtype=object),
             [[pd.NA if v < 0 else v for v in row] for row in RUNS],
             pd.DataFrame(numbers.T), pd.DataFrame(numbers.T).astype("Int64"),
             {str(b): row for b, row in enumerate(RUNS)},
             [pd.Series(row) for row in RUNS], sc.Ensemble.from_runs(RUNS)]
    for labels in given:
        np.testing.assert_array_equal(sc.Ensemble.from_runs(labels).labels, expected)
    shifted = np.array(RUNS) + 1
    np.testing.assert_array_equal(sc.Ensemble.from_runs(shifted, absent_label=0).labels, expected)
    np.testing.assert_array_equal(
        sc.Ensemble.from_runs(numbers, absent_label=None).labels, expected)
    complete = sc.Ensemble([[0, 1, 1], [2, 2, 0]], names=["u", "v"])
    assert sc.Ensemble.from_runs(complete).names == ("u", "v")


def test_a_frame_names_runs_and_objects():
    frame = pd.DataFrame({"u": [1.0, None], "v": [0.0, 0.0]}, index=["o1", "o2"])
    x = sc.Ensemble.from_runs(frame)
    assert (x.names, x.object_names) == (("u", "v"), ("o1", "o2"))
    assert x["u"].object_names == ("o1",)
    polars = pytest.importorskip("polars")
    found = sc.Ensemble.from_runs(polars.DataFrame({"u": [1, None], "v": [0, 0]}))
    assert found.names == ("u", "v")


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
        sc.Ensemble.from_runs(labels, **options)


def test_the_error_of_an_ensemble_names_the_way_out():
    for runs in ([[0, None], [0, 1]], [[0, 1], [float("nan"), 1]]):
        with pytest.raises(sc.ClusteringError, match="takes runs that label"):
            sc.Ensemble(runs)


def test_by_indices():
    x = sc.Ensemble.from_indices([[7, 7, 2], [1, 1]], [[0, 2, 1], [3, 2]], 4)
    assert x.labels.tolist() == [[0, 1, 0, -1], [-1, -1, 0, 0]]
    copies = sc.Ensemble.from_indices([[4, 4, 0]], [[1, 1, 0]], 3)
    assert copies.labels.tolist() == [[0, 1, -1]]
    absent = sc.Ensemble.from_indices([[-1, 0]], [[0, 1]], 2)
    assert absent.labels.tolist() == [[-1, 0]]
    for labels, indices, n, message in [
            ([[0, 1]], [[1, 1]], 2, "gives object 1 the labels 0 and 1"),
            ([[0, 1]], [[0, 2]], 2, "reach from 0 to 2"), ([[0, 1]], [[0]], 2, "2 labels for 1"),
            ([[0]], [], 2, "1 runs and indices 0"), ([[0]], [[0.0]], 2, "list of whole numbers"),
            ([[0]], [[0]], 0, "n_objects is 0")]:
        with pytest.raises(sc.ClusteringError, match=message):
            sc.Ensemble.from_indices(labels, indices, n)


def test_complete_runs_are_an_ensemble():
    labels = [[0, 0, 1], [1, 0, 0]]
    x = sc.Ensemble.from_runs(labels, names=["a", "b"], object_names=list("xyz"))
    assert x.is_complete
    ensemble = x.complete()
    assert ensemble.names == ("a", "b")
    assert ensemble.object_names == ("x", "y", "z")
    assert [sc.rand_index(u, v) for u, v in zip(ensemble, labels)] == [1.0, 1.0]
    assert sc.Ensemble.from_runs(ensemble) == x == sc.Ensemble(x)
    with pytest.raises(sc.ClusteringError, match="object 3 is absent from run '0'"):
        sc.Ensemble.from_runs(RUNS).complete()


def test_subset_equality_copies():
    x = sc.Ensemble.from_runs(pd.DataFrame(np.array(RUNS).T))
    assert x.subset([2, 0]).labels.tolist() == [[0, 1], [0, -1], [0, 0]]
    assert x.subset([2, 0]).object_names == (2, 0)
    assert x.subset(np.array([True, True, True, False])).n_objects == 3
    with pytest.raises(sc.ClusteringError, match="run '0' labels no object"):
        x.subset([3])
    for other in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert other == x
        assert other.naming is x.naming
    assert x == sc.Ensemble.from_runs(np.array(RUNS) * 3 + 2 * (np.array(RUNS) < 0))
    assert x != sc.Ensemble.from_runs(RUNS, names=["a", "b", "c"])
    assert x != RUNS


def test_labels_are_renumbered_by_appearance_in_the_smallest_type():
    rng = np.random.default_rng(0)
    for high in (3, 50, 10**6, 2**62):
        labels = rng.integers(0, high, size=40)
        assert by_appearance(labels).tolist() == naive_by_appearance(labels.tolist())
    for count, kind in ((128, np.int8), (129, np.int16), (32768, np.int16), (32769, np.int32)):
        assert sc.Ensemble.from_runs([np.arange(count)[::-1]]).labels.dtype == kind
    big = sc.Ensemble.from_runs(np.array([[2**64 - 1, 2**63, 2**64 - 1]], dtype=np.uint64))
    assert big.labels.tolist() == [[0, 1, 0]]


def test_tables():
    x = sc.Ensemble.from_runs([[0, 0, 1, -1, -1], [-1, 0, 0, 1, -1]])
    assert x.to_frame()["n_objects"].tolist() == [3, 3]
    text = x.summary().as_text()
    assert "2 runs of 5 objects" in text
    assert "1 objects are in no run" in text


def test_every_way_into_an_ensemble_gives_the_same():
    rows = [[0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 1]]
    wanted = sc.Ensemble(rows)
    frame = pd.DataFrame(np.array(rows).T, columns=["0", "1", "2"])
    ways = [sc.Ensemble(np.array(rows)), sc.Ensemble(frame), sc.Ensemble(frame, missing="absent"),
            sc.Ensemble(list(zip("012", rows))), sc.Ensemble(rows, missing="absent"),
            sc.Ensemble.from_runs(rows), sc.Ensemble.from_draws(rows),
            sc.Ensemble.from_draws(frame), sc.Ensemble.from_draws(np.array(rows)[None]),
            sc.Ensemble.from_indices(rows, [range(4)] * 3, 4)]
    for found in ways:
        assert found.names == wanted.names
        assert found.labels.tolist() == wanted.labels.tolist() == rows
        assert found.is_complete
    consensus = [sc.consensus(found, rng=0).labels.tolist() for found in ways]
    assert consensus == [consensus[0]] * len(ways)


def test_in_a_frame_a_row_is_an_object_everywhere():
    frame = pd.DataFrame(np.array([[0, 0, 1, 1, 1], [0, 0, 1, 1, 2], [0, 0, 1, 1, 1]]).T,
                         index=list("abcde"))
    assert frame.shape == (5, 3)
    assert sc.consensus(frame, rng=0).clustering.n_objects == 5
    found = sc.posterior_partition(frame, rng=0)
    assert found.labels.tolist() == [0, 0, 1, 1, 1]
    assert found.clustering.object_names == tuple("abcde")
    assert sc.expected_loss(frame.iloc[:, :2], frame).shape == (2,)
    for tall in (pd.DataFrame(np.zeros((9, 2), dtype=int)), frame.rename_axis("draw")):
        with pytest.warns(UserWarning, match="read as . draws of . objects"):
            sc.Ensemble.from_draws(tall)


def test_bare_arrays_that_may_be_meant_the_other_way_round_say_how_they_were_read():
    few_draws, few_objects = np.zeros((3, 60), dtype=int), np.zeros((60, 3), dtype=int)
    for call in (sc.Ensemble.from_draws, sc.posterior_partition):
        with pytest.warns(UserWarning, match="60 columns, read as 3 draws of 60 objects; if a"):
            call(few_draws)
        assert call(few_objects) is not None   # many draws of few objects: as usual
    for call in (sc.Ensemble, sc.consensus, sc.coassociation):
        with pytest.warns(UserWarning, match="read as 60 clusterings of 3 objects"):
            call(few_objects)
        assert call(few_draws) is not None


def test_absent_objects_are_not_taken_for_present_ones():
    runs = sc.Ensemble([[0, 0, 1, None], [0, 1, 1, 0]], missing="absent")
    assert runs.counts.tolist() == [2, 2, 2, 1]
    assert runs.tabulate().counts.tolist() == [1, 1]
    for call in (lambda: sc.meet(runs), lambda: sc.posterior_partition(runs)):
        with pytest.raises(sc.ClusteringError, match="absent"):
            call()
    with pytest.raises(sc.ClusteringError, match="noise='drop' is for"):
        sc.compare_all(runs, noise="drop")
