"""Measures of covers: stored values, definitions with loops, claims on all small covers."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import softclust as sc

STORED = json.loads((Path(__file__).parent / "golden" / "covers.json").read_text())
MEASURES = ("omega_index", "cover_rand_index", "overlapping_normalized_mutual_information",
            "best_match_index", "bcubed_index", "element_centric_index",
            "adjusted_element_centric_index")


def given(name):
    stored = STORED["inputs"][name]
    if stored["kind"] == "cover":
        return sc.CoverClustering.from_clusters(stored["clusters"], n_objects=stored["n"])
    if stored["kind"] == "fuzzy":
        return sc.FuzzyClustering(stored["membership"])
    return sc.HardClustering(stored["labels"])


def same(value, case):
    wanted = case["expected"]
    if wanted is None:
        return math.isnan(value)
    return np.allclose(value, wanted, rtol=0, atol=case["abs_tol"])


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
@pytest.mark.parametrize("case", [c for c in STORED["cases"] if c["function"] in MEASURES],
                         ids=lambda c: c["id"])
def test_stored_values(case):
    value = getattr(sc, case["function"])(*map(given, case["args"]), **case["kwargs"])
    assert same(value, case), value


@pytest.mark.parametrize("case", [c for c in STORED["cases"] if c["function"] == "element_centric"],
                         ids=lambda c: c["id"])
def test_stored_similarities_of_objects(case):
    found = sc.element_centric(*map(given, case["args"]), **case["kwargs"])
    wanted = case["expected"]
    for name, value in (wanted.items() if isinstance(wanted, dict) else [("values", wanted)]):
        assert getattr(found, name) == pytest.approx(value, abs=case["abs_tol"], nan_ok=True)
