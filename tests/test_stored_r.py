"""softclust against values stored from the R packages evclust and SoftClustering (no R needed)."""

import json
from pathlib import Path

import numpy as np
import pytest

import softclust as sc

GOLDEN = Path(__file__).parent / "golden" / "r"
EVCLUST = json.loads((GOLDEN / "evclust.json").read_text(encoding="utf-8"))
ROUGH = json.loads((GOLDEN / "rough.json").read_text(encoding="utf-8"))["cases"]
#: relative; sums over 190 pairs
SAME = 1e-12
VARIANTS = {"LW": "lingras-west", "PE": "peters-2006", "PI": "peters-2014"}


def credal(name):
    stored = EVCLUST["credal_partitions"][name]
    mass = np.array(stored["mass"], dtype=float)
    # R's 1 - sum(u) may be -1e-17
    return sc.EvidentialClustering(np.where(np.abs(mass) < 1e-15, 0.0, mass), stored["focal_sets"])


# -- evclust -----------------------------------------------------------------------------------
@pytest.mark.parametrize("name", list(EVCLUST["pairwise"]))
def test_pair_masses(name):
    stored, relation = EVCLUST["pairwise"][name], credal(name).relation()
    pairs = [relation.pair(i, j) for i in range(20) for j in range(i + 1, 20)]
    for field, theirs in (("same", "same"), ("different", "different"), ("conflict", "empty")):
        np.testing.assert_allclose([getattr(p, field) for p in pairs], stored[theirs], rtol=SAME,
                                   atol=SAME)


@pytest.mark.parametrize("name", list(EVCLUST["nonspecificity"]))
def test_nonspecificity_of_pairs(name):
    assert sc.pair_nonspecificity(credal(name)) == pytest.approx(EVCLUST["nonspecificity"][name],
                                                                 rel=SAME, abs=SAME)


@pytest.mark.parametrize("distance", ["conflict", "jousselme", "belief"])
def test_credal_rand_indices(distance):
    stored = EVCLUST[f"credal_rand_{distance}"]
    assert len(stored) == 36
    for key, value in stored.items():
        a, b = map(credal, key.split(" | "))
        assert sc.credal_rand_index(a, b, distance=distance) == pytest.approx(value, rel=SAME), key


@pytest.mark.parametrize("name", list(EVCLUST["hard_pairs"]))
def test_credal_rand_indices_of_hard_clusterings(name):
    case = EVCLUST["hard_pairs"][name]
    assert sc.rand_index(case["x"], case["y"]) == pytest.approx(case["rand"], rel=SAME)
    for letter, distance in (("c", "conflict"), ("j", "jousselme"), ("b", "belief")):
        assert sc.credal_rand_index(case["x"], case["y"], distance=distance) == pytest.approx(
            case[f"credal_rand_{letter}"], rel=SAME)


@pytest.mark.parametrize("name", ["blobs_default", "blobs_beta3"])
def test_evidential_c_means(name):
    """R's masses belong to the centres before the last update, and it stops at epsi = 1e-10."""
    case = EVCLUST["ecm"][name]
    fit = sc.cluster.EvidentialCMeans(
        2, delta=case["delta"], beta=case.get("beta", 2.0), init=np.array(case["start"], float),
        tol=1e-12, max_iter=5000).fit(np.array(case["x"]))
    # R stopped when its criterion rested: its centres and masses are right to about the root of
    # that; ours ran on to 1e-12.
    np.testing.assert_allclose(fit.cluster_centers_, case["centers"], rtol=0, atol=1e-4)
    np.testing.assert_array_equal(fit.focal_sets_, np.array(case["focal_sets"]) == 1)
    np.testing.assert_allclose(fit.mass_, case["mass"], rtol=0, atol=1e-4)
    # at the solution errors of the centres count by their squares
    assert fit.objective_ == pytest.approx(case["crit"], rel=1e-9)


# -- SoftClustering ----------------------------------------------------------------------------
@pytest.mark.parametrize("name", [n for n, c in ROUGH.items() if c["data"] == "stored"])
def test_rough_k_means(name):
    case = ROUGH[name]
    given = case["parameters"]
    weight = given["weight_lower"]
    estimator = sc.cluster.RoughKMeans(
        len(case["start"]), variant=VARIANTS[given["variant"]], ratio=given["threshold"],
        lower_weight=0.7 if weight is None else weight, init=np.array(case["start"], float),
        max_iter=given["max_iter"])
    x = np.array(case["x"])
    if "does not converge" in case.get("note", ""):
        with pytest.warns(UserWarning, match=r"converge|repeat|cycle"):
            assert not estimator.fit(x).converged_
        return
    fit = estimator.fit(x)
    np.testing.assert_array_equal(fit.upper_, np.array(case["upper"]) == 1)
    np.testing.assert_array_equal(fit.lower_, np.array(case["lower"]) == 1)
    np.testing.assert_allclose(fit.cluster_centers_, case["centers"], rtol=SAME, atol=SAME)
    assert abs(fit.n_iter_ - case["n_iter"]) <= 1
