"""Conversions between the kinds: golden values, R, naive definitions, identities, ties, limits."""

import json
from fractions import Fraction
from itertools import chain, combinations
from pathlib import Path

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import KINDS, all_rough, clusterings, naive_masses, random_clustering

import softclust as sc

GOLDEN = Path(__file__).parent / "golden"
CASES = {case["id"]: case for case in json.loads(
    (GOLDEN / "conversions.json").read_text(encoding="utf-8"))["cases"]}
EVCLUST = json.loads((GOLDEN / "r" / "evclust_summaries.json").read_text(encoding="utf-8"))
#: sums of a few numbers in [0, 1]
CLOSE = 1e-14

RULES = {
    "harden": ("max_plausibility", "max_belief", "max_pignistic"),
    "to_rough": ("interval_dominance", "max_mass"),
    "to_fuzzy": ("pignistic", "plausibility"),
}


def power_set(c):
    return [[bits >> k & 1 for k in range(c)] for bits in range(1 << c)]


def subsets(c):
    clusters = range(c)
    return [frozenset(s) for s in chain.from_iterable(
        combinations(clusters, r) for r in range(c + 1))]


def near(actual, expected, tolerance=CLOSE):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance)


def samples(kinds=KINDS, count=6, empty=True, seed=2):
    """Random clusterings of the kinds, without objects that have all mass on the empty set."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < count * len(kinds):
        kind = kinds[len(found) % len(kinds)]
        x = random_clustering(rng, kind, 5, int(rng.integers(1, 5)), empty=empty)
        if (x.plausibility().sum(axis=1) > 0).all():
            found.append(x)
    return found


# -- golden values ---------------------------------------------------------------------------------


def test_possibilistic_to_evidential():
    case = CASES["possibilistic-to-evidential-a"]
    x = sc.PossibilisticClustering(case["input"]["typicality"]).to_evidential()
    near(x.mass, case["expected"]["mass"], case["tolerance"])
    assert x.focal_sets.astype(int).tolist() == power_set(3)


def test_rough_to_evidential():
    case = CASES["rough-to-evidential"]
    x = sc.RoughClustering.from_upper(case["input"]["upper"])
    near(x.to_evidential().mass, case["expected"]["mass"], case["tolerance"])
    near(x.pignistic(), case["expected"]["pignistic"], case["tolerance"])


def test_summaries_of_masses():
    case = CASES["evidential-summaries-a"]
    x = sc.EvidentialClustering(case["input"]["mass"], power_set(3))
    expected, tolerance = case["expected"], case["tolerance"]
    near(x.plausibility(), expected["plausibility"], tolerance)
    near(x.belief(), expected["singleton_belief"], tolerance)
    near(x.pignistic(normalized=False), expected["pignistic_unnormalized"], tolerance)
    near(x.pignistic(), expected["pignistic"], tolerance)
    for rule in RULES["harden"]:
        assert x.harden(rule).labels.tolist() == expected[f"labels_{rule}"]
    near(x.normalize("dempster").mass, expected["dempster_mass"], tolerance)
    near(x.normalize("yager").mass, expected["yager_mass"], tolerance)
    near(sc.nonspecificity(x), expected["nonspecificity"], tolerance)
    sets = np.array(expected["max_mass_set"], dtype=bool)
    dominance = np.array(expected["interval_dominance_set"], dtype=bool)
    outlier = np.array(expected["outlier"])
    np.testing.assert_array_equal(x.to_rough().upper, dominance)
    part = x.subset(~outlier)
    np.testing.assert_array_equal(part.to_rough("max_mass").upper, sets[~outlier])
    with pytest.raises(sc.ClusteringError, match=r"object 1 has its largest mass, 0.6, on the empty"
                                                 r".*\"vacuous\" .*\"nonempty\""):
        x.to_rough("max_mass")
    assert x.to_rough("max_mass", on_empty="vacuous").upper[1].all()
    best = x.to_rough("max_mass", on_empty="nonempty").upper
    assert best[1].tolist() == [True, False, False]   # four sets with mass 0.1: the first
    np.testing.assert_array_equal(best[~outlier], sets[~outlier])


def test_belief_of_all_subsets():
    case = CASES["belief-plausibility-all-subsets-a"]
    x = sc.EvidentialClustering(case["input"]["mass"], power_set(3))
    near(x.belief("all"), case["expected"]["belief"], case["tolerance"])
    near(x.plausibility("all"), case["expected"]["plausibility"], case["tolerance"])
    near(x.belief(power_set(3)), case["expected"]["belief"], case["tolerance"])
    near(x.plausibility(power_set(3)), case["expected"]["plausibility"], case["tolerance"])


# -- stored values of R evclust --------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(EVCLUST["credal_partitions"]))
def test_evclust_summaries(name):
    stored = EVCLUST["credal_partitions"][name]
    x = sc.EvidentialClustering(stored["mass"], stored["focal_sets"])
    near(x.plausibility(), stored["pl"])
    near(x.belief(), stored["bel"])
    near(x.pignistic(normalized=False), stored["betp"])
    near(x.pignistic(), stored["betp_normalized"])
    near(x.normalize().mass[:, 1:], stored["mass_normalized"])
    near(sc.nonspecificity(x), stored["N"])
    assert (x.harden().labels + 1).tolist() == stored["max_plausibility"]
    assert (x.harden("max_belief").labels + 1).tolist() == stored["max_belief"]
    np.testing.assert_array_equal(x.to_rough().upper, np.array(stored["non_dominated_set"]) == 1)
    outlier = np.isin(np.arange(1, x.n_objects + 1), stored["outlier"])
    rest = x.subset(~outlier).to_rough("max_mass").upper
    np.testing.assert_array_equal(rest, np.array(stored["max_mass_set"])[~outlier] == 1)


@pytest.mark.parametrize("name", sorted(EVCLUST["normalize"]))
def test_evclust_normalize(name):
    stored = EVCLUST["normalize"][name]
    source = EVCLUST["credal_partitions"][stored["of"]]
    x = sc.EvidentialClustering(source["mass"], source["focal_sets"])
    x = x.normalize(stored["method"].lower())
    near(x.mass, stored["mass"])
    np.testing.assert_array_equal(x.focal_sets, np.array(stored["focal_sets"]) == 1)
    near(sc.nonspecificity(x), stored["N"])


# -- naive definitions -----------------------------------------------------------------------------


@given(st.data())
def test_belief_functions_by_definition(data):
    x = data.draw(clusterings(data.draw(st.integers(1, 4))))
    masses, c = naive_masses(x), x.n_clusters
    sets = subsets(c)
    rows = [[k in s for k in range(c)] for s in sets]
    near(x.belief(rows), [[float(naive.belief(m, s)) for s in sets] for m in masses])
    near(x.plausibility(rows), [[float(naive.plausibility(m, s)) for s in sets] for m in masses])
    near(x.belief(), [[float(naive.belief(m, [k])) for k in range(c)] for m in masses])
    near(x.plausibility(), [[float(naive.plausibility(m, [k])) for k in range(c)] for m in masses])
    near(x.pignistic(normalized=False),
         [[float(naive.pignistic(m, k, normalized=False)) for k in range(c)] for m in masses])
    near(x.belief("all"), x.belief(power_set(c)))
    near(x.plausibility("all"), x.plausibility(power_set(c)))
    for values in (x.belief("all"), x.plausibility("all")):
        assert (values >= 0).all()
        assert (values[:, 0] == 0).all()
        assert (values <= 1 + CLOSE).all()
    if (x.empty_mass < 1).all():
        near(x.pignistic(),
             [[float(naive.pignistic(m, k)) for k in range(c)] for m in masses])


@given(st.data())
def test_evidential_form_by_definition(data):
    x = data.draw(clusterings(data.draw(st.integers(1, 4))))
    masses = naive_masses(x)
    for focal_sets in ("full", "occurring"):
        e = x.to_evidential(focal_sets)
        again = naive_masses(e)
        assert [dict(m) for m in again] == [dict(m) for m in masses]
        assert again.n_clusters == masses.n_clusters
        assert (np.diff(e.focal_masks.astype(np.int64)) > 0).all()
    assert (e.mass > 0).any(axis=0).all()


# -- identities of the specification ---------------------------------------------------------------


@given(st.data())
def test_belief_pignistic_plausibility_are_ordered(data):
    x = data.draw(clusterings(3))
    middle = x.pignistic(normalized=False)
    assert (x.belief() <= middle + CLOSE).all()
    assert (middle <= x.plausibility() + CLOSE).all()


@given(clusterings(4, kinds=("possibilistic",)))
def test_contour_of_the_masses_is_the_typicality(x):
    near(x.to_evidential().plausibility(), x.typicality)
    near(x.to_evidential().to_possibilistic().typicality, x.typicality)
    near(x.plausibility(), x.typicality)
    near(x.to_evidential().empty_mass, 1 - x.typicality.max(axis=1))


@pytest.mark.parametrize("focal_sets", ["full", "occurring"])
def test_round_trips_lose_nothing(focal_sets):
    for x in samples(("hard", "rough", "fuzzy")):
        e = x.to_evidential(focal_sets)
        if x.kind == "hard":
            for rule in RULES["harden"]:
                assert e.harden(rule) == x
            assert e.to_rough("max_mass").harden() == x
            assert e.to_fuzzy().harden() == x
        if x.kind == "rough":
            assert e.to_rough("max_mass") == x
            assert e.to_rough("interval_dominance") == x
        if x.kind == "fuzzy":
            assert e.to_fuzzy("pignistic") == x   # to the bit
            near(e.to_fuzzy("plausibility").membership, x.membership)


def test_every_rough_clustering_survives():
    for x in all_rough(2, 3):
        assert x.to_evidential().to_rough() == x
        assert x.to_evidential().to_rough("max_mass") == x


def test_interval_dominance_leaves_out_what_is_impossible():
    """No single cluster has belief, so cluster c is not dominated; but it is impossible."""
    x = sc.EvidentialClustering.from_dicts([{("a", "b"): 1.0}, {("a", "b"): 0.5, ("b", "c"): 0.5}],
                                           cluster_names=["a", "b", "c"])
    assert x.to_rough().upper.astype(int).tolist() == [[1, 1, 0], [1, 1, 1]]
    assert x.to_rough(tie_tol=0).upper.astype(int).tolist() == [[1, 1, 0], [1, 1, 1]]


@given(st.data())
def test_closed_forms_equal_the_evidential_route(data):
    """What a kind does directly, and what its masses do."""
    x = data.draw(clusterings(4))
    if x.kind == "evidential":   # ties go to the first focal set: compare in one order
        x = x.to_evidential("occurring")
    undefined = x.plausibility().sum(axis=1) == 0
    e = x.to_evidential()
    assert x.to_rough().upper.tolist() == e.to_rough().upper.tolist()
    for on_empty in ("vacuous", "raise"):
        if on_empty == "raise" and (e.mass[:, :1] >= e.mass - 1e-12).all(axis=1).any():
            for y in (x, e):
                with pytest.raises(sc.ClusteringError, match="on the empty set"):
                    y.to_rough("max_mass")
        else:
            assert (x.to_rough("max_mass", on_empty=on_empty).upper.tolist()
                    == e.to_rough("max_mass", on_empty=on_empty).upper.tolist())
    near(x.to_possibilistic().typicality, e.to_possibilistic().typicality)
    if undefined.any():
        return
    assert (x.to_rough("max_mass", on_empty="nonempty").upper.tolist()
            == e.to_rough("max_mass", on_empty="nonempty").upper.tolist())
    for rule in RULES["harden"]:
        assert x.harden(rule).labels.tolist() == e.harden(rule).labels.tolist()
    for rule in RULES["to_fuzzy"]:
        near(x.to_fuzzy(rule).membership, e.to_fuzzy(rule).membership)
    for rule in ("dempster", "yager"):
        near(x.normalize(rule).to_evidential().mass, e.normalize(rule).mass)


@given(clusterings(3, kinds=("possibilistic",)))
def test_maximum_is_dempster(x):
    if (x.typicality.max(axis=1) == 0).any():
        return
    near(x.normalize("maximum").typicality, x.normalize("dempster").typicality)
    near(x.normalize("maximum").to_evidential().mass, x.to_evidential().normalize("dempster").mass)
    near(x.normalize("maximum").typicality.max(axis=1), 1.0)


def test_normalized_masses_have_no_empty_mass():
    for x in samples(("possibilistic", "evidential")):
        for rule in ("dempster", "yager"):
            y = x.normalize(rule)
            assert y.kind == x.kind
            near(y.empty_mass, 0.0)
            near(y.pignistic().sum(axis=1), 1.0)


def test_normalizing_changes_only_what_has_empty_mass():
    x = sc.EvidentialClustering([[0.0, 0.5, 0.5 - 5e-9], [0.5, 0.25, 0.25]],
                                [[0, 0], [1, 0], [1, 1]])
    for rule in ("dempster", "yager"):
        assert x.normalize(rule).mass[0].tolist() == x.mass[0].tolist()
    for kind in ("hard", "rough", "fuzzy"):
        for y in samples((kind,)):
            assert y.normalize() is y
            assert y.normalize("yager") is y


def test_yager_adds_the_whole_set_when_it_is_not_listed():
    x = sc.EvidentialClustering([[0.25, 0.75]], [[0, 0], [1, 0]], cluster_names=["a", "b"])
    y = x.normalize("yager")
    assert y.focal_sets.tolist() == [[False, False], [True, False], [True, True]]
    assert y.mass.tolist() == [[0.0, 0.75, 0.25]]
    assert y.cluster_names == ("a", "b")


def test_hard_and_fuzzy_to_other_kinds():
    hard = sc.HardClustering(["b", "a", "b"])
    onehot = [[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]
    assert hard.to_fuzzy().membership.tolist() == onehot
    assert hard.to_possibilistic().typicality.tolist() == onehot
    assert hard.to_rough().lower.tolist() == np.array(onehot, dtype=bool).tolist()
    assert hard.harden() is hard
    fuzzy = sc.FuzzyClustering([[0.25, 0.75]])
    assert fuzzy.to_possibilistic().typicality.tolist() == [[0.25, 0.75]]
    assert fuzzy.to_fuzzy() is fuzzy
    assert fuzzy.to_rough().upper.tolist() == [[False, True]]
    rough = sc.RoughClustering.from_upper([[1, 1, 0]])
    for rule in RULES["to_fuzzy"]:
        assert rough.to_fuzzy(rule).membership.tolist() == [[0.5, 0.5, 0.0]]
    assert rough.to_rough() is rough
    assert rough.to_possibilistic().typicality.tolist() == [[1.0, 1.0, 0.0]]
    possible = sc.PossibilisticClustering([[0.5, 0.2]])
    assert possible.to_possibilistic() is possible


def named(x):
    """x again, with names for its objects and clusters."""
    fields = {"hard": ("labels",), "rough": ("lower", "upper"), "fuzzy": ("membership",),
              "possibilistic": ("typicality",), "evidential": ("mass", "focal_sets")}[x.kind]
    return type(x)(*(getattr(x, f) for f in fields), cluster_names=list("abc"),
                   object_names=[f"o{i}" for i in range(x.n_objects)])


@pytest.mark.parametrize("kind", KINDS)
def test_names_and_empty_clusters_are_kept(kind):
    x = named(random_clustering(np.random.default_rng(1), kind, 3, 3, empty=False))
    for y in (x.to_evidential(), x.to_evidential("occurring"), x.to_fuzzy(), x.to_rough(),
              x.to_possibilistic(), x.harden(), x.normalize(), x.normalize("yager")):
        assert y.object_names == ("o0", "o1", "o2")
        assert y.cluster_names == ("a", "b", "c")
        assert y.n_clusters == 3
        for name in y._fields:
            value = getattr(y, name)
            assert not isinstance(value, np.ndarray) or not value.flags.writeable


@given(st.data())
def test_results_pass_the_constructors(data):
    """Conversions skip the checks of the constructors; their arrays must pass them."""
    x = data.draw(clusterings(3))
    made = [x.to_evidential(), x.to_evidential("occurring"), x.to_rough(), x.to_possibilistic(),
            x.normalize("yager")]
    if (x.plausibility().sum(axis=1) > 0).all():
        made += [x.harden(), x.to_fuzzy(), x.to_fuzzy("plausibility"), x.normalize()]
    for y in made:
        if y.kind == "hard":
            again = sc.HardClustering(y.labels, n_clusters=y.n_clusters)
            assert again.codes.dtype == y.codes.dtype
        elif y.kind == "rough":
            again = sc.RoughClustering(y.lower, y.upper)
        elif y.kind == "fuzzy":
            again = sc.FuzzyClustering(y.membership)
        elif y.kind == "possibilistic":
            again = sc.PossibilisticClustering(y.typicality)
        else:
            again = sc.EvidentialClustering(y.mass, y.focal_sets)
        assert again == y
        for name in y._fields:
            if isinstance(getattr(y, name), np.ndarray):
                assert getattr(y, name).flags.c_contiguous
                assert getattr(y, name).dtype == getattr(again, name).dtype


def test_exact_fractions_stay_exact():
    """Halves and quarters are kept to the bit by every exact conversion."""
    x = sc.PossibilisticClustering([[0.75, 0.25, 0.5]])
    masses = naive.possibilistic_masses([[Fraction(3, 4), Fraction(1, 4), Fraction(1, 2)]])
    e = x.to_evidential("occurring")
    assert naive_masses(e, exact=False) == masses
