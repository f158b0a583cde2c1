"""Combining evidential clusterings, changing their frame, and the clusterings of a rough one."""

from itertools import product

import naive
import numpy as np
import pytest
from strategies import KINDS, naive_masses, random_clustering, random_pairs

import softclust as sc

RULES = ("dempster", "conjunctive", "disjunctive")
#: sums of a few products of numbers in [0, 1]
CLOSE = 1e-14

#: example 2.3 of Campagner, Ciucci, Denoeux (2023), and m({not s}) of its table 1
M = [{1: 1.0}, {2: 1.0}, {(2, 3): 0.5, (1, 2, 3): 0.5}, {3: 1.0},
     {(1, 2, 3): 0.5, 1: 1 / 6, 2: 1 / 6, 3: 1 / 6}]
TABLE_1 = {(0, 1): 1, (0, 2): 1 / 2, (0, 3): 1, (0, 4): 1 / 3, (1, 2): 0, (1, 3): 1,
           (1, 4): 1 / 3, (2, 3): 0, (2, 4): 1 / 12, (3, 4): 1 / 3}


def masses(x):
    """{set of names: mass} of each object, without zeros."""
    sets = [frozenset(np.array(x.cluster_names, dtype=object)[row]) for row in x.focal_sets]
    return [{a: m for a, m in zip(sets, row) if m} for row in x.mass.tolist()]


def same(got, expected):
    assert len(got) == len(expected)
    for a, b in zip(got, expected):
        assert a == pytest.approx({key: float(v) for key, v in b.items()}, abs=CLOSE)
        assert a.keys() == b.keys()


def fractions(x):
    """Exact masses by cluster number; on the empty set is what the others lack."""
    return [{frozenset(a): m for a, m in row.items() if m} for row in naive_masses(x)]


@pytest.mark.parametrize("rule", RULES)
def test_combinations_are_those_of_the_definition(rule):
    rng = np.random.default_rng(5)
    undefined = 0
    for kind, other in product(KINDS, repeat=2):
        for _ in range(8):
            n, c = (int(v) for v in rng.integers(1, 5, size=2))
            x = random_clustering(rng, kind, n, c, empty=True)
            y = random_clustering(rng, other, n, c, empty=True)
            expected = [naive.combined_masses(a, b, rule)
                        for a, b in zip(fractions(x), fractions(y))]
            e = x.to_evidential("occurring")
            if None in expected:
                undefined += 1
                with pytest.raises(sc.ClusteringError, match=f"object {expected.index(None)} "
                                                             "has total conflict"):
                    e.combine(y, rule)
            else:
                same(masses(e.combine(y, rule)), expected)
    assert (undefined > 10) == (rule == "dempster")


def test_the_conflict_of_two_objects_is_their_mass_on_different():
    x = sc.EvidentialClustering.from_dicts(M)
    for (i, j), expected in TABLE_1.items():
        both = x.subset([i]).combine(x.subset([j]), "conjunctive")
        assert both.empty_mass[0] == pytest.approx(expected, abs=CLOSE)


def test_zadehs_example():
    x = sc.EvidentialClustering.from_dicts([{"a": 0.99, "b": 0.01}], cluster_names=list("abc"))
    y = sc.EvidentialClustering.from_dicts([{"c": 0.99, "b": 0.01}], cluster_names=list("abc"))
    assert masses(x.combine(y)) == [{frozenset("b"): 1.0}]
    assert x.combine(y, "conjunctive").empty_mass[0] == pytest.approx(0.9999)


@pytest.mark.parametrize("rule", RULES)
def test_order_does_not_matter(rule):
    rng = np.random.default_rng(8)
    x, y, z = (random_clustering(rng, "evidential", 6, 3).combine(
        sc.EvidentialClustering(np.tile([0.9, 0.1], (6, 1)), [[1, 1, 1], [1, 0, 1]]))
        for _ in range(3))
    whole = sc.EvidentialClustering(np.ones((6, 1)), [[1, 1, 1]])
    same(masses(x.combine(y, rule)), masses(y.combine(x, rule)))
    same(masses(x.combine(y, rule).combine(z, rule)), masses(x.combine(y.combine(z, rule), rule)))
    same(masses(x.combine(whole, rule)), masses(whole if rule == "disjunctive" else x))


def test_objects_and_clusters_are_matched_by_name():
    x = sc.EvidentialClustering.from_dicts([{"a": 1.0}, {("a", "b"): 1.0}], object_names=["p", "q"])
    y = sc.EvidentialClustering([[0.25, 0.75], [1, 0]], [[1, 0], [1, 1]], cluster_names=["b", "a"],
                                object_names=["q", "p"])
    both = x.combine(y, "conjunctive")
    assert (both.object_names, both.cluster_names) == (("p", "q"), ("a", "b"))
    assert masses(both) == [{frozenset(): 1.0},
                            {frozenset("b"): 0.25, frozenset("ab"): 0.75}]
    for wrong, text in ((y.renamed(["q", "r"]), "'p'"), (y.subset([0]), "1; the same objects"),
                        (sc.HardClustering([0, 1]), "one frame is needed")):
        with pytest.raises(sc.ClusteringError, match=text):
            x.combine(wrong)
    with pytest.raises(TypeError, match="a clustering is needed"):
        x.combine([0, 1])
    with pytest.raises(ValueError, match="rule"):
        x.combine(y, "yager")


PARTS = [{"a": ["p"], "b": ["q", "r"], "c": ["s"]}, {"c": [3, 1], "a": [0], "b": [2, 4]}]


@pytest.mark.parametrize("parts", PARTS)
def test_a_finer_frame_and_back(parts):
    rng = np.random.default_rng(2)
    for _ in range(20):
        x = random_clustering(rng, "evidential", 4, 3, empty=True)
        x = sc.EvidentialClustering(x.mass, x.focal_sets, cluster_names=list("abc"))
        fine = x.extend(parts)
        assert fine.cluster_names == tuple(v for name in "abc" for v in parts[name])
        same(masses(fine), [naive.extended_masses(m, parts) for m in masses(x)])
        same(masses(fine.coarsen(parts)), masses(x))


def test_a_coarser_frame():
    for parts in ({"u": [0, 2], "v": [1, 3]}, {0: [3, 1, 0], 1: [2]}, {"all": [0, 1, 2, 3]}):
        for x, _ in random_pairs(4, ("evidential",), count=20, c_max=4):
            if x.n_clusters < 4:
                x = sc.EvidentialClustering(x.mass, np.pad(x.focal_sets,
                                                           ((0, 0), (0, 4 - x.n_clusters))))
            coarse = x.coarsen(parts)
            assert coarse.cluster_names == tuple(parts)
            expected = [naive.coarsened_masses(m, parts) for m in masses(x)]
            same(masses(coarse), expected)
            # the belief in a coarser set is the belief in the union of its parts
            sets = np.array([[k in members for k in range(4)] for members in parts.values()])
            np.testing.assert_allclose(coarse.belief(), x.belief(sets), rtol=0, atol=CLOSE)


@pytest.mark.parametrize(("parts", "error", "text"), [
    ([["a"], ["b"]], TypeError, "a dict from coarser"),
    ({"a": [], "b": ["c"]}, None, "at least one"),
    ({"a": "xy", "b": ["c"]}, None, "a list of at least one"),
    ({"a": ["x"]}, None, "'b' is not a key"),
    ({"a": ["x"], "b": ["x"]}, None, "lists 'x' twice"),
    ({"a": ["x"], "b": ["y"], "c": ["z"]}, None, "'c' is a key of parts, and no cluster"),
    ({"a": range(40), "b": range(40, 80)}, None, "at most 64")])
def test_wrong_parts(parts, error, text):
    x = sc.EvidentialClustering.from_dicts([{"a": 0.5, "b": 0.5}])
    with pytest.raises(error or sc.ClusteringError, match=text):
        x.extend(parts)


def test_wrong_parts_of_a_coarser_frame():
    x = sc.EvidentialClustering.from_dicts([{"a": 0.5, "b": 0.5}])
    for parts, text in (({"u": ["a"]}, "'b' is not in the lists"),
                        ({"u": ["a", "b", "c"]}, "'c' is in the lists of parts, and no cluster")):
        with pytest.raises(sc.ClusteringError, match=text):
            x.coarsen(parts)


def test_names_of_objects_stay():
    x = sc.EvidentialClustering.from_dicts([{"a": 0.5, "b": 0.5}], object_names=["p"])
    parts = {"a": ["a"], "b": ["b"]}
    for y in (x.extend(parts), x.coarsen(parts), x.combine(x)):
        assert (y.object_names, y.cluster_names) == (("p",), ("a", "b"))


# -- the clusterings of a rough one -------------------------------------------------------------
def test_compatible_clusterings_of_example_2_4():
    sets = [[1], [2], [2, 3], [3], [1, 2, 3]]
    x = sc.RoughClustering.from_upper([[k in t for k in (1, 2, 3)] for t in sets],
                                      cluster_names=[1, 2, 3], object_names=list("pqrst"))
    listed = x.compatible()
    assert {tuple((member.labels + 1).tolist()) for member in listed} == {
        (1, 2, 3, 3, 3), (1, 2, 3, 3, 2), (1, 2, 3, 3, 1),
        (1, 2, 2, 3, 3), (1, 2, 2, 3, 2), (1, 2, 2, 3, 1)}
    assert (len(listed), listed.object_names) == (6, tuple("pqrst"))
    assert all(m.cluster_names == (1, 2, 3) and m.n_clusters == 3 for m in listed)


def test_compatible_clusterings_are_all_choices_in_order():
    for x, _ in random_pairs(1, ("rough",), count=20, n_max=6):
        sets = [np.flatnonzero(row).tolist() for row in x.upper]
        assert [m.labels.tolist() for m in x.compatible()] == [list(v) for v in product(*sets)]


def test_compatible_has_a_limit():
    x = sc.RoughClustering.from_upper(np.ones((3, 2)))
    assert len(x.compatible(max_clusterings=8)) == 8
    with pytest.raises(sc.ClusteringError, match="8 hard clusterings are compatible, and max_clus"):
        x.compatible(max_clusterings=7)
    with pytest.raises(sc.ClusteringError, match="more than 1e15"):
        sc.RoughClustering.from_upper(np.ones((60, 2))).compatible()
    with pytest.raises(sc.ClusteringError, match="whole number"):
        x.compatible(0)
