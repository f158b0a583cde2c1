"""What the tests of soft measures share: golden cases and random sides."""

import json
import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import softclust as sc

STORED = json.loads((Path(__file__).parent / "golden" / "soft-measures.json").read_text())


def built(data):
    """A stored input."""
    if data["kind"] == "hard":
        return sc.HardClustering(data["labels"])
    if data["kind"] == "rough":
        return sc.RoughClustering.from_upper(data["upper"])
    if data["kind"] == "evidential":
        return sc.EvidentialClustering(data["mass"], data["focal_sets"])
    if data["kind"] == "fuzzy":
        return sc.FuzzyClustering(data["membership"])
    return sc.PossibilisticClustering(data["typicality"])


INPUTS = {name: built(data) for name, data in STORED["inputs"].items()}


def golden(*names):
    """The golden cases of some functions, as parameters."""
    found = [pytest.param(case, id=case["id"]) for case in STORED["cases"]
             if case["function"] in names]
    assert {case.values[0]["function"] for case in found} == set(names)
    return found


def check_golden(case):
    """Compare a golden case within its tolerance; null means nan with one warning."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        value = getattr(sc, case["function"])(*(INPUTS[name] for name in case["args"]),
                                              **case["kwargs"])
    if case["expected"] is None:
        assert math.isnan(value)
        assert [w.category for w in said] == [sc.UndefinedMeasureWarning]
        return
    assert not said
    if isinstance(value, sc.PairCounts):
        value = [value.n11, value.n10, value.n01, value.n00]
    assert value == pytest.approx(case["expected"], rel=0, abs=case["abs_tol"])


def random_side(rng, kind, n, c):
    """A clustering with entries of all sizes, zeros among them."""
    if kind == "hard":
        return sc.HardClustering(rng.integers(c, size=n), n_clusters=c)
    rows = rng.dirichlet(np.full(c, 0.7), size=n)
    if kind == "fuzzy":
        rows[rng.random(n) < 0.3] = np.eye(c)[0]
        return sc.FuzzyClustering(rows)
    assert kind == "possibilistic"
    return sc.PossibilisticClustering(rng.random((n, c)) * (rng.random((n, c)) < 0.8))


def membership_rows(x):
    """Memberships or typicalities as lists."""
    if x.kind == "possibilistic":
        return x.typicality.tolist()
    return x.to_fuzzy().membership.tolist()
