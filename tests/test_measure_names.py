"""Measures under the names that people use for them."""

import numpy as np
import pytest

import softclust as sc
from softclust.measures import list_words, registry

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


# -- records are asked by every name ---------------------------------------------------------------
A, B = [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]


@pytest.mark.parametrize("name", ["ARI", "adjusted_rand_index", "cRand", "adjusted Rand",
                                  sc.adjusted_rand_index])
def test_every_name_opens_every_record(name):
    ari = sc.adjusted_rand_index(A, B)
    words = ["ARI", "pairwise precision", "adapted Rand error"]
    found = sc.compare(A, B, measures=words)
    assert found[name].value == found.value(name) == ari
    assert sc.chance(A, B, "adjusted_rand_index", rng=0)[name].observed == ari
    shown = sc.compare(A, B)
    assert shown["alpha_rand_index"] is shown["RI"] is shown["rand_index"]   # the same number
    known = sc.sampled_truth(A, B, design="clusters", probabilities=1)
    assert known[name].value == pytest.approx(ari, rel=1e-12)


def test_words_with_options_open_their_rows_only():
    found = sc.compare(A, B, measures=["pairwise precision", "adapted Rand error", "homogeneity"])
    assert found["Pairwise_Precision"].value == 2 / 3   # 2 of 3 joined pairs, by hand
    assert found.value("adapted Rand error") == pytest.approx(1 - sc.pair_f_index(A, B))
    assert found["homogeneity_index"] is found.rows[2]
    for other in ("pairwise recall", "pair_f_index", "homogeneity_score", "nonsense", 3):
        with pytest.raises(KeyError, match="it has pairwise precision, adapted Rand error, homog"):
            found[other]
    both = sc.chance(A, B, ["ARI", "pairwise precision"], rng=0)
    assert both["pairwise precision"].observed == 2 / 3
    assert sc.chance(A, B, "adapted Rand error", rng=0)["adapted Rand error"].measure == (
        "pair_f_index")
    assert sc.chance(A, B, "homogeneity_score", rng=0)["homogeneity_score"].measure == (
        "homogeneity_index")
    with pytest.raises(KeyError, match="there is no row"):
        sc.chance(A, B, "homogeneity_index", rng=0)["homogeneity_score"]
    known = sc.sampled_truth(A, B, design="clusters", probabilities=1,
                             measures="pairwise precision")
    assert known["pair_precision"] is known["pairwise precision"] is known.rows[0]
    with pytest.raises(KeyError, match="was not estimated"):
        known["ARI"]
    largest = sc.compare(A, B, measures={"AMI": {"average": "max"}})
    assert largest["AMI"] is largest.rows[0]


# -- what has another home ------------------------------------------------------------------------
@pytest.mark.parametrize(("word", "way"), [
    *((word, "Coders and raters") for word in (
        "kappa", "Cohen's kappa", "fleiss_kappa", "Krippendorff's alpha", "rater", "inter-rater",
        "coder", "annotator agreement")),
    ("relative entropy", "fuzziness"), ("entropy R2", "fuzziness")])
def test_words_that_lead_elsewhere(word, way):
    for call in (sc.get_measure, lambda word: sc.compare(A, B, measures=word)):
        with pytest.raises(ValueError, match=way):
            call(word)


def test_relative_entropy_is_what_the_hint_says():
    rows = [[0.5, 0.5], [1.0, 0.0]]
    assert 1 - sc.fuzziness(rows, method="partition_entropy") == pytest.approx(0.5)   # by hand


def test_superpixels():
    """Six pixels in two segments; a superpixel of three leaks by one, so 5 of 6 can be right."""
    truth, superpixels = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 2]
    assert sc.compare(superpixels, truth, measures="ASA").rows[0].value == 5 / 6
    error = sc.compare(superpixels, truth, measures="undersegmentation error")
    assert error.rows[0].value == pytest.approx(1 / 6)


def test_words_under_their_headings():
    for heading, field in (("record linkage", "linkage"), ("Machine learning", "learning"),
                           ("Networks and k-means", "networks"), ("Segmentation", "segmentation")):
        assert list_words(heading).equals(list_words(field))
    with pytest.raises(ValueError, match="linkage"):
        list_words("genealogy")
