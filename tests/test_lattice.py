"""Meet, join and refinement of hard clusterings."""

import numpy as np
import pytest
from strategies import all_partitions

import softclust as sc


def together(labels):
    labels = np.asarray(labels)
    return labels[:, None] == labels[None, :]


def test_all_pairs_of_small_partitions():
    partitions = [np.array(p) for p in all_partitions(4)]
    for x in partitions:
        for y in partitions:
            meet, join = sc.meet(x, y), sc.join(x, y)
            assert (together(meet.labels) == (together(x) & together(y))).all()
            reach = together(x) | together(y)
            for _ in range(4):
                reach = reach @ reach
            assert (together(join.labels) == reach).all()
            refines = bool((together(x) <= together(y)).all())
            assert sc.is_refinement(x, y) == refines
            assert (together(meet.labels) == together(x)).all() == refines


def test_numbering_is_by_first_appearance_and_several_sides():
    assert sc.meet(["b", "b", "a"], [1, 2, 2]).labels.tolist() == [0, 1, 2]
    assert sc.join([5, 5, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]).labels.tolist() == [0, 0, 1, 1]
    ensemble = sc.Ensemble([[0, 0, 1, 1], [0, 1, 1, 1]])
    assert sc.meet(ensemble).labels.tolist() == [0, 1, 2, 2]


def test_large():
    x = np.arange(300_000) // 3
    y = np.arange(300_000) // 7
    assert sc.meet(x, y).n_clusters == np.unique(x * 10**6 + y).size
    assert sc.join(x, y).n_clusters == np.unique(np.arange(300_000) // 21).size


@pytest.mark.parametrize(("sides", "message"), [
    (([0, 1], [[.5, .5], [1, 0]]), "clustering 1 is fuzzy"),
    (([0, 1], [0, 1, 1]), "clustering 1 has 3 objects"),
])
def test_bad_sides(sides, message):
    for function in (sc.meet, sc.join, sc.is_refinement):
        with pytest.raises(sc.ClusteringError, match=message):
            function(*sides)


def test_nothing_given():
    with pytest.raises(TypeError, match="at least one"):
        sc.meet()


@pytest.mark.parametrize("function", [sc.meet, sc.join])
def test_a_list_of_clusterings_is_no_clustering(function):
    one = sc.HardClustering([0, 0, 1])
    with pytest.raises(TypeError, match=r"one by one, as meet\(a, b\), or as an Ensemble"):
        function([one, one])
    assert function([0, 0, 1]).labels.tolist() == [0, 0, 1]


@pytest.mark.parametrize("function", [sc.meet, sc.join])
def test_object_names_stay(function):
    named = sc.HardClustering([0, 0, 1], object_names=["p", "q", "r"])
    assert function([0, 1, 1], named).object_names == ("p", "q", "r")
    assert function([0, 1, 1], [0, 0, 1]).object_names is None


@pytest.mark.parametrize("function", [sc.meet, sc.join, sc.is_refinement])
def test_object_names_in_another_order(function):
    x = sc.HardClustering([0, 0, 1], object_names=["p", "q", "r"])
    y = sc.HardClustering([0, 0, 1], object_names=["r", "q", "p"])
    with pytest.raises(sc.ClusteringError, match="object 0 is 'p' in clustering 0 and 'r' in"):
        function(x, y)


def test_names_are_compared_with_the_first_that_has_any():
    x = sc.HardClustering([0, 0, 1], object_names=["p", "q", "r"])
    y = sc.HardClustering([0, 0, 1], object_names=["r", "q", "p"])
    assert sc.meet(x, [0, 1, 1], x).object_names == ("p", "q", "r")
    with pytest.raises(sc.ClusteringError, match="in clustering 1 and 'r' in clustering 2"):
        sc.join([0, 1, 1], x, y)
