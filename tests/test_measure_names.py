"""Measures under the names that people use for them."""

import numpy as np
import pytest

import softclust as sc
from softclust.measures import registry

X, Y = [0, 0, 1, 1, 2], [0, 1, 1, 1, 2]


@pytest.mark.parametrize(("name", "full"), [
    ("cRand", "adjusted_rand_index"), ("ARI", "adjusted_rand_index"),
    ("ari", "adjusted_rand_index"), ("adjusted_rand", "adjusted_rand_index"),
    ("Adjusted Rand index", "adjusted_rand_index"), ("RI", "rand_index"),
    ("NMI", "normalized_mutual_information"), ("VI", "variation_of_information"),
    ("AMI", "adjusted_mutual_information"), ("FM", "fowlkes_mallows_index"),
    ("Jaccard", "jaccard_index"), ("BA/A", "transfer_distance"),
    ("BA/C", "lattice_distance"), ("KP", "katz_powell_index"),
    ("FARI", "frobenius_adjusted_rand_index"), ("GV1", "gordon_vichi_dissimilarity"),
    ("symdiff", "symmetric_difference_distance"), ("PS", "prediction_strength_index"),
])
def test_common_names(name, full):
    assert sc.get_measure(name) is sc.get_measure(full)


def test_every_abbreviation_names_a_measure_and_no_other_one():
    names = set(sc.list_measures().index)
    for m in registry().values():
        for short in m.abbreviations:
            assert short not in names
            assert sc.get_measure(short) is m


def test_every_own_name_stays_its_own():
    for name in sc.list_measures().index:
        assert sc.get_measure(name).name == name


def test_clue_and_softclust_mean_the_same():
    """A name taken from a recorded call means the measure that records it."""
    assert sc.get_measure("cRand").r == "clue::cl_agreement(x, y, method = 'cRand')"


@pytest.mark.parametrize(("name", "near"), [
    ("rand", ["rand_distance", "rand_index"]),
    ("euclidean", ["euclidean_membership_distance", "euclidean_membership_index"]),
    ("mallows", ["mallows_distance", "manhattan_membership_distance"]),
])
def test_what_may_be_several_measures_is_not_guessed(name, near):
    with pytest.raises(ValueError, match=f"no measure '{name}'; similar: {', '.join(near)} "):
        sc.get_measure(name)


def test_near_misses_of_the_corrected_index_name_the_corrected_index():
    """"cRan" was answered by the index that is not corrected."""
    for wrong in ("cRan", "cRandd", "adjusted_rnd_index", "AR1"):
        with pytest.raises(ValueError, match="similar: adjusted_rand_index"):
            sc.get_measure(wrong)


def test_wherever_a_measure_is_given_by_name():
    value = sc.adjusted_rand_index(X, Y)
    row, = sc.compare(X, Y, measures=["ARI", "adjusted_rand_index"]).rows
    assert (row.name, row.value) == ("adjusted_rand_index", value)
    matrix = sc.compare_all({"x": X, "y": Y}, measure="cRand")
    assert matrix.measure == "adjusted_rand_index"
    assert np.isclose(matrix.value[0, 1], value)
    assert sc.medoid([X, Y, Y], measure="VI").measure == "variation_of_information"
    assert "adjusted_rand_index" in str(sc.chance(X, Y, "ARI", n_permutations=5, rng=0))
