"""Focal sets asked for, limits, ties, objects with nothing but the empty set, wrong options."""

import numpy as np
import pytest
from strategies import KINDS, random_clustering

import softclust as sc
from softclust.clusterings import focal

#: sums of a few numbers in [0, 1]
CLOSE = 1e-14
HARDEN = ("max_plausibility", "max_belief", "max_pignistic")


def near(actual, expected):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=CLOSE)


def sample(kind):
    return random_clustering(np.random.default_rng(2), kind, 5, 3, empty=False)


# -- focal sets ------------------------------------------------------------------------------------


def test_chosen_focal_sets():
    x = sc.RoughClustering.from_upper([[1, 0, 0], [1, 1, 0]])
    y = x.to_evidential([[0, 0, 0], [1, 1, 0], [1, 0, 0], [1, 1, 1]])
    assert y.mass.tolist() == [[0, 0, 1, 0], [0, 1, 0, 0]]
    named = sc.RoughClustering.from_upper([[1, 0], [1, 1]], cluster_names=["a", "b"])
    with pytest.raises(sc.ClusteringError, match=r"object 1 has mass 1 on the set \{a, b\}, which "
                                                 r"is not among focal_sets; .*\"occurring\""):
        named.to_evidential([[1, 0], [0, 1]])
    possible = sc.PossibilisticClustering([[0.5, 0.5]])
    with pytest.raises(sc.ClusteringError, match=r"mass 0.5 on the set \{\}"):
        possible.to_evidential([[1, 1]])
    assert possible.to_evidential([[0, 0], [1, 1]]).mass.tolist() == [[0.5, 0.5]]


@pytest.mark.parametrize(("focal_sets", "message"), [
    ([[1, 0, 0]], "focal_sets has 3 columns for 2 clusters"),
    ([[1, 0], [1, 0]], "the same set"),
    ([[1, 0], [0, 0]], "the empty set is focal set 1"),
    ([[1, 2]], r"focal_sets\[0, 1\] is 2"),
])
def test_bad_focal_sets(focal_sets, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.HardClustering([0, 1]).to_evidential(focal_sets)


def test_evidential_on_other_sets():
    x = sc.EvidentialClustering([[0.5, 0.5, 0.0]], [[1, 1], [0, 1], [1, 0]])
    assert x.to_evidential().mass.tolist() == [[0.0, 0.0, 0.5, 0.5]]
    assert x.to_evidential("occurring").mass.tolist() == [[0.5, 0.5]]
    assert x.to_evidential("occurring").focal_sets.tolist() == [[False, True], [True, True]]
    assert x.to_evidential([[0, 1], [1, 1]]).mass.tolist() == [[0.5, 0.5]]


def test_limits_of_the_power_set(monkeypatch):
    x = sc.HardClustering([0, 16], n_clusters=17)
    with pytest.raises(sc.ClusteringError, match=r"all 2\*\*17 .*up to 16 clusters.*occurring"):
        x.to_evidential()
    assert x.to_evidential("occurring").focal_masks.tolist() == [1, 1 << 16]
    assert sc.HardClustering([0, 15], n_clusters=16).to_evidential().mass.shape == (2, 1 << 16)
    monkeypatch.setattr(focal, "MAX_MASS_BYTES", 100)
    with pytest.raises(sc.ClusteringError, match=r"take .* GiB"):
        sc.HardClustering([0, 1, 2, 3]).to_evidential()
    with pytest.raises(sc.ClusteringError, match="4 focal sets for 4 objects take"):
        sc.HardClustering([0, 1, 2, 3]).to_evidential("occurring")
    wide = sc.HardClustering([0, 1], n_clusters=65)
    with pytest.raises(sc.ClusteringError, match=r"there are 65 clusters; .*at most 64"):
        wide.to_evidential("occurring")


def test_sixty_four_and_more_clusters():
    rng = np.random.default_rng(5)
    for c in (64, 65, 100):
        u = np.eye(c)[rng.integers(c, size=6)] / 2 + 1 / (2 * c)
        fuzzy, possible = sc.FuzzyClustering(u), sc.PossibilisticClustering(u)
        hard = fuzzy.harden()
        assert possible.harden() == hard
        assert hard.to_rough().harden() == hard
        assert fuzzy.to_rough("max_mass").harden() == hard
        near(possible.pignistic().sum(axis=1), 1.0)
        near(possible.to_rough("max_mass", on_empty="nonempty").upper.sum(axis=1), 1)
        if c == 64:
            near(possible.to_evidential("occurring").pignistic(), possible.pignistic())
            near(fuzzy.to_evidential("occurring").to_fuzzy().membership, u)


# -- ties ------------------------------------------------------------------------------------------


def test_ties_go_to_the_first():
    x = sc.FuzzyClustering([[0.4, 0.4, 0.2], [0.2, 0.4, 0.4 + 1e-13], [0.1, 0.4, 0.5]])
    for rule in HARDEN:
        assert x.harden(rule).labels.tolist() == [0, 1, 2]
        assert x.harden(rule, tie_tol=0).labels.tolist() == [0, 2, 2]
        assert x.harden(rule, tie_tol=0.11).labels.tolist() == [0, 1, 1]
    assert x.to_rough().upper.astype(int).tolist() == [[1, 1, 0], [0, 1, 1], [0, 0, 1]]
    assert x.to_rough(tie_tol=0).upper.astype(int).tolist() == [[1, 1, 0], [0, 0, 1], [0, 0, 1]]
    assert x.to_rough("max_mass").upper.astype(int).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    sets = [[1, 1], [0, 1]]
    tied = sc.EvidentialClustering([[0.5, 0.5]], sets)
    assert tied.to_rough("max_mass").upper.tolist() == [[True, True]]
    tied = sc.EvidentialClustering([[0.5, 0.5]], sets[::-1])
    assert tied.to_rough("max_mass").upper.tolist() == [[False, True]]
    with pytest.raises(sc.ClusteringError, match=r"largest mass, 0\.5, on the empty set"):
        sc.PossibilisticClustering([[0.5, 0.5]]).to_rough("max_mass")
    for bad in (-1, 1.0, "0", None, float("nan")):
        with pytest.raises(ValueError, match=r"tie_tol is .*; a number in \[0, 1\)"):
            x.harden(tie_tol=bad)
        with pytest.raises(ValueError, match="tie_tol is"):
            x.to_rough(tie_tol=bad)


# -- nothing but the empty set ---------------------------------------------------------------------


@pytest.mark.parametrize("x", [
    sc.EvidentialClustering([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
                            [[0, 0], [1, 0], [1, 1]]),
    sc.PossibilisticClustering([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]),
], ids=["evidential", "possibilistic"])
def test_all_mass_on_the_empty_set(x):
    which = r"undefined for 2 objects \(the first is 1\) with all mass on the empty set; .*yager"
    with pytest.raises(sc.ClusteringError, match=r"dempster normalization is " + which):
        x.normalize()
    with pytest.raises(sc.ClusteringError, match=r"a membership is " + which):
        x.to_fuzzy()
    with pytest.raises(sc.ClusteringError, match=which):
        x.to_fuzzy("plausibility")
    for rule in HARDEN:
        with pytest.raises(sc.ClusteringError, match=r"a label is " + which):
            x.harden(rule)
    with pytest.raises(sc.ClusteringError, match=r"2 such objects.*\"vacuous\""):
        x.to_rough("max_mass")
    with pytest.raises(sc.ClusteringError, match=r"no best non-empty set; choose .*\"vacuous\""):
        x.to_rough("max_mass", on_empty="nonempty")
    assert x.to_rough("max_mass", on_empty="vacuous").upper.tolist() == [
        [True, False], [True, True], [True, True]]
    assert x.to_rough().upper.tolist() == [[True, False], [True, True], [True, True]]
    with pytest.warns(sc.UndefinedMeasureWarning, match=r"undefined for 2 objects .*nan") as caught:
        shares = x.pignistic()
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(shares, [[1, 0], [np.nan, np.nan], [np.nan, np.nan]])
    assert x.pignistic(normalized=False).tolist() == [[1, 0], [0, 0], [0, 0]]
    assert x.normalize("yager").pignistic().tolist() == [[1, 0], [0.5, 0.5], [0.5, 0.5]]
    assert x.to_possibilistic().typicality.tolist() == [[1, 0], [0, 0], [0, 0]]
    assert x.belief().tolist() == [[1, 0], [0, 0], [0, 0]]
    with pytest.raises(sc.ClusteringError, match=r"undefined for object 1 with"):
        x.subset([0, 1]).normalize()


def test_only_the_empty_set_is_listed():
    x = sc.EvidentialClustering([[1.0], [1.0]], [[0, 0]])
    assert x.normalize("yager").mass.tolist() == [[0, 1], [0, 1]]
    assert x.to_evidential().mass.tolist() == [[1, 0, 0, 0]] * 2
    assert x.plausibility("all").tolist() == [[0, 0, 0, 0]] * 2
    with pytest.raises(sc.ClusteringError, match="no best non-empty set"):
        x.to_rough("max_mass", on_empty="nonempty")


def test_maximum_raises_for_a_zero_row_and_for_other_kinds():
    with pytest.raises(sc.ClusteringError, match="maximum normalization is undefined for object 0"):
        sc.PossibilisticClustering([[0.0]]).normalize("maximum")
    for kind in ("hard", "rough", "fuzzy", "evidential"):
        with pytest.raises(sc.ClusteringError, match=f"for typicalities and this is {kind}"):
            sample(kind).normalize("maximum")


def test_little_mass_left():
    """Rows may sum to 1 + 1e-8; what is left beside the empty set is then mostly error."""
    x = sc.EvidentialClustering([[1 - 1e-7, 1e-7 + 5e-9]], [[0, 0], [1, 1]])
    near(x.to_fuzzy().membership, [[0.5, 0.5]])
    near(x.normalize().mass, [[0.0, 1.0]])
    near(x.pignistic(), [[0.5, 0.5]])


# -- wrong options ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_unknown_rules(kind):
    x = sample(kind)
    for method in ("harden", "to_rough", "to_fuzzy", "normalize"):
        with pytest.raises(ValueError, match="rule='best' is not known; choose one of"):
            getattr(x, method)("best")
    with pytest.raises(ValueError, match="on_empty='drop' is not known"):
        x.to_rough(on_empty="drop")
    with pytest.raises(ValueError, match="focal_sets='simple' is not known; choose one of 'full'"):
        x.to_evidential("simple")
    for method in (x.belief, x.plausibility):
        with pytest.raises(ValueError, match="sets='every' is not known"):
            method("every")
        with pytest.raises(sc.ClusteringError, match=r"sets has 9 columns for \d clusters"):
            method(np.ones((1, 9)))
        with pytest.raises(sc.ClusteringError, match=r"sets has shape \(2,\)"):
            method([0, 1])
