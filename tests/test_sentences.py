"""Sentences of records, which the report shows in the same words."""

import numpy as np
import pytest

import softclust as sc
from softclust.results.text import counting_from

LABELS = [0, 0, 0, 1, 1, 1, 2, 2, 2, 2]
FOUND = [0, 0, 0, 1, 1, 1, 2, 2, 2, 1]


# -- clusterings --------------------------------------------------------------------------------
@pytest.mark.parametrize(("clustering", "text"), [
    (sc.HardClustering(LABELS),
     "The 3 clusters have 3, 3 and 4 objects; nothing is said about uncertainty."),
    (sc.HardClustering(range(20)),
     "The 20 clusters have 1 object each; nothing is said about uncertainty."),
    (sc.HardClustering([0, 0]),
     "The only cluster has 2 objects; nothing is said about uncertainty."),
    (sc.HardClustering([*range(20), 3, 3]),
     "The 20 clusters have 1 to 3 objects; nothing is said about uncertainty."),
    (sc.FuzzyClustering([[0.9, 0.1], [0.45, 0.55], [0.8, 0.2], [0.25, 0.75]]),
     "The largest membership of an object is 0.75 on average (0.50 to 1; 1 is certain); it is "
     "below 0.6 for 1 of 4 objects (25 %)."),
    (sc.RoughClustering([[1, 0], [0, 0], [0, 1]], [[1, 0], [1, 1], [0, 1]]),
     "More than one cluster is possible for 1 of 3 objects (33 %)."),
    (sc.EvidentialClustering.from_dicts([{"a": 1}, {"a": 0.4, ("a", "b"): 0.6}, {(): 0.8, "b": 0.2},
                                         {"b": 1}]),
     "The heaviest set is a single cluster for 2 of 4 objects (50 %), several clusters "
     "(undecided) for 1 of 4 objects (25 %), and the empty set (an outlier) for 1 of 4 objects "
     "(25 %); a single cluster holds 0.65 of the mass on average (0 to 1; 1 is decided). With the "
     "mass of all sets counted, more than one cluster stays possible for 1 of 4 objects (25 %)."),
    (sc.PossibilisticClustering([[1, 0.7], [1, 0.2], [0.5, 1]]),
     "1 of 3 objects (33 %) has a typicality above 0.5 for more than one cluster (0 to 1, for each "
     "cluster on its own)."),
    (sc.CoverClustering([[1, 1], [1, 0], [0, 0]]),
     "In several clusters: 1 of 3 objects (33 %); in none: 1 of 3 objects (33 %)."),
])
def test_a_clustering_says_how_certain_it_is(clustering, text):
    assert clustering.sentence == text


def test_memberships_that_are_nearly_even_are_called_so():
    assert "Memberships are nearly even" in sc.FuzzyClustering(np.full((4, 3), 1 / 3)).sentence
    rough = sc.RoughClustering(np.zeros((9, 2)), np.ones((9, 2))).sentence
    assert rough == ("More than one cluster is possible for all 9 objects. Many objects lie "
                     "between clusters, so the clusters are not well separated.")


def test_possible_clusters_are_not_dominated():
    """A cluster is possible unless another one is believed more than this one is plausible."""
    rng = np.random.default_rng(0)
    sets = [(), ("a",), ("b",), ("c",), ("a", "b"), ("b", "c"), ("a", "b", "c")]
    rows = [dict(zip(sets, rng.dirichlet(np.full(len(sets), 0.4)))) for _ in range(50)]
    x = sc.EvidentialClustering.from_dicts(rows)
    for row, possible in zip(rows, x.possible_clusters()):
        for k, name in enumerate("abc"):
            plausible = sum(mass for inside, mass in row.items() if name in inside)
            believed = max(row.get((other,), 0.0) for other in "abc")
            assert possible[k] == (plausible > 0 and plausible >= believed - 1e-12)


# -- comparisons --------------------------------------------------------------------------------
def test_a_compared_measure_says_its_value_and_what_chance_gives():
    result = sc.compare(LABELS, FOUND, ci="jackknife", measures=["ARI", "transfer_distance"])
    row = result["ARI"]
    assert row.sentence.startswith(f"The adjusted Rand index is {row.value:.2f} (95 % confidence "
                                   f"interval {row.ci_low:.2f} to ")
    assert "; chance gives 0)" in row.sentence
    assert result["transfer_distance"].sentence.startswith("The transfer distance is 1.00")
    plain = sc.compare(LABELS, FOUND, measures="rand_index").rows[0]
    assert plain.sentence == (f"The Rand index is {plain.value:.2f} (chance gives "
                              f"{plain.chance:.2f}).")
    soft = sc.compare(LABELS, sc.RoughClustering(np.eye(3)[FOUND] * (np.arange(10) > 1)[:, None],
                                                 np.maximum(np.eye(3)[FOUND], 0)
                                                 + (np.arange(10) < 2)[:, None] > 0),
                      measures="alpha_rand_interval").rows[0]
    assert f"is {soft.low:.2f} to {soft.high:.2f}" in soft.sentence


def test_chance_within_the_interval_is_said():
    rng = np.random.default_rng(0)
    row = sc.compare(rng.integers(0, 3, 60), rng.integers(0, 3, 60), measures="ARI",
                     ci="jackknife").rows[0]
    assert row.ci_low <= 0 <= row.ci_high
    assert row.sentence.endswith("chance gives 0) and is not distinguishable from chance.")


def test_the_most_alike_are_compared_by_the_worse_end():
    runs = {"a": LABELS, "b": FOUND, "c": [0, 1] * 5}
    matrix = sc.compare_all(runs, measure="rand_index")
    assert matrix.most_alike().startswith("Most alike are a and b (Rand index 0.")
    assert matrix.most_alike(["c", "a"]) == (
        f"Most alike are a and c (Rand index {matrix.text(0, 2)}).")
    assert matrix.most_alike(["a"]) == ""
    distance = sc.compare_all(runs, measure="transfer_distance")
    assert distance.most_alike().startswith("Most alike are a and b (transfer distance 1.000)")
    with pytest.raises(KeyError, match="no clustering is called 'd'"):
        matrix.most_alike(["a", "d"])


def test_circles_say_what_is_far_and_how_well_they_fit():
    lower = [[0, 2, 9], [2, 0, 8], [9, 8, 0]]
    upper = [[0, 4, 11], [4, 0, 10], [11, 10, 0]]
    text = sc.interval_mds(lower, upper, names=["a", "b", "c"], rng=0).sentence
    assert "Farthest from the others is c." in text
    assert "(0 is a perfect fit; this is a good one)" in text


def test_a_table_says_which_groups_have_a_cluster():
    table = sc.contingency_table(LABELS, FOUND)
    assert table.sentence == ("Each group has a cluster of its own; 9 of 10 objects (90 %) are in "
                              "the cluster of their own group; 1 of “2” is in that of “1”.")
    with counting_from(1):
        assert table.sentences() == ["Cluster 1 is “1”; cluster 2 is “2” (and 1 other object); "
                                     "cluster 3 is “3”."]


def test_a_criterion_says_its_choice():
    x = sc.datasets.bbc_gaussians(1, rng=1).data
    found = sc.cluster_number(x, [2, 3], criterion="silhouette", rng=0)
    value = f"{found.criterion[1, 0]:.2f}"
    assert found.sentence.startswith(f"Silhouette: 3 clusters are best, with {value}. It looks at "
                                     "how much closer objects are to their own cluster")
    gap = sc.cluster_number(np.random.default_rng(0).normal(size=(60, 3)), [1, 2], criterion="gap",
                            rng=0)
    assert gap.best == 1
    assert "1 cluster is best" in gap.sentence
    assert "that is no evidence of a single cluster" in gap.sentence
