"""Fuzzy information measures: stored values, oracles, weights, odd input."""

import json
import math
import warnings
from itertools import product
from pathlib import Path

import naive
import numpy as np
import pytest
from strategies import all_fuzzy, all_partitions

import softclust as sc

GOLDEN = json.loads((Path(__file__).parent / "golden" / "soft-measures.json").read_text())
NAMES = ("fuzzy_mutual_information", "fuzzy_normalized_mutual_information",
         "fuzzy_variation_of_information")
HARD = {name: name.removeprefix("fuzzy_") for name in NAMES}
AVERAGES = ("arithmetic", "max", "min", "geometric", "joint")
CLUE = json.loads((Path(__file__).parent / "golden" / "r" / "clue_pairs.json").read_text())["cases"]


def built(name):
    given = GOLDEN["inputs"][name]
    return given["labels"] if given["kind"] == "hard" else np.array(given["membership"])


def quiet(name, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
        return getattr(sc, name)(*args, **options)


@pytest.mark.parametrize("case", [c for c in GOLDEN["cases"] if c["function"] in NAMES],
                         ids=lambda c: c["id"])
def test_golden_values(case):
    value = quiet(case["function"], *map(built, case["args"]), **case["kwargs"])
    if case["expected"] is None:
        assert math.isnan(value)
    else:
        assert value == pytest.approx(case["expected"], rel=0, abs=case["abs_tol"])


@pytest.mark.parametrize("name", [n for n, c in CLUE.items() if isinstance(c["x"][0], list)])
def test_stored_variation_of_clue(name):
    sides = []
    for side in (CLUE[name]["x"], CLUE[name]["y"]):
        rows = np.array(side, dtype=float)
        # printed rows sum to 1 up to 1e-15
        sides.append(side if rows.ndim == 1 else rows / rows.sum(axis=1, keepdims=True))
    n = len(sides[0])
    assert sc.fuzzy_variation_of_information(*sides) == pytest.approx(
        CLUE[name]["dissimilarity"]["VI"], rel=1e-12, abs=1e-13)
    assert sc.fuzzy_variation_of_information(*sides, weights=range(1, n + 1)) == pytest.approx(
        CLUE[name]["VI_weights_1_to_n"], rel=1e-12, abs=1e-13)


def random_rows(rng, n, c):
    rows = rng.dirichlet(np.full(c, 0.5), size=n)
    rows[rng.random(n) < 0.3] = np.eye(c)[0]
    return rows


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("weighted", [False, True])
def test_against_loops(name, weighted):
    rng = np.random.default_rng(11)
    for _ in range(25):
        n = int(rng.integers(2, 9))
        x, y = (random_rows(rng, n, int(rng.integers(1, 5))) for _ in range(2))
        weights = rng.integers(0, 4, n) + np.eye(n)[0] if weighted else None
        value = quiet(name, x, y, weights=weights)
        # differences of entropies of order 1
        assert value == pytest.approx(getattr(naive, name)(x.tolist(), y.tolist(), weights=weights),
                                      rel=0, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("average", AVERAGES)
def test_averages(average):
    rng = np.random.default_rng(5)
    x, y = random_rows(rng, 8, 3), random_rows(rng, 8, 2)
    assert sc.fuzzy_normalized_mutual_information(x, y, average=average) == pytest.approx(
        naive.fuzzy_normalized_mutual_information(x.tolist(), y.tolist(), average), rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_hard_input_equals_the_hard_measure(name):
    for n in (2, 3, 4):
        for x, y in product(all_partitions(n), repeat=2):
            expected = quiet(HARD[name], x, y)
            value = quiet(name, x, y)
            crisp = quiet(name, *(np.eye(max(side) + 1)[side] for side in (x, y)))
            if "normalized" in name and max(x) == max(y) == 0:
                assert math.isnan(value)
                assert math.isnan(crisp)
                continue
            assert value == expected
            assert crisp == pytest.approx(expected, rel=0, abs=1e-14)


def test_weights_of_hard_clusterings():
    x, y, w = [0, 0, 1, 1, 2], [0, 1, 1, 1, 0], [3, 0, 1, 2, 1]
    rows = [np.eye(3)[x].tolist(), np.eye(2)[y].tolist()]
    for name in NAMES:
        assert getattr(sc, name)(x, y, weights=w) == pytest.approx(
            getattr(naive, name)(*rows, weights=w), rel=0, abs=1e-14)


def test_variation_keeps_the_triangle_inequality():
    group = all_fuzzy(3, 2)
    d = np.array([[sc.fuzzy_variation_of_information(x, y) for y in group] for x in group])
    for j in range(len(group)):
        assert (d <= d[:, j, None] + d[None, j, :] + 1e-13).all()


def test_not_reflexive_for_fuzzy_input():
    u = built("U")
    assert sc.fuzzy_variation_of_information(u, u) > 1.8
    assert sc.fuzzy_normalized_mutual_information(u, u) < 0.2


def test_information_of_many_objects_does_not_depend_on_threads():
    u = np.random.default_rng(1).dirichlet([1, 1, 1], size=40_000)
    found = []
    for threads in (1, 2):
        sc.set_num_threads(threads)
        try:
            found.append([getattr(sc, name)(u, u[::-1]) for name in NAMES])
        finally:
            sc.set_num_threads(None)
    assert found[0] == found[1]


@pytest.mark.parametrize("name", NAMES)
def test_odd_input_is_explained(name):
    rough = sc.RoughClustering.from_upper([[1, 1], [1, 0]])
    with pytest.raises(sc.ClusteringError, match=r"y is rough; a hard or fuzzy .* y\.to_fuzzy\(\)"):
        getattr(sc, name)([0, 1], rough)
    with pytest.raises(sc.ClusteringError, match="weights has shape"):
        getattr(sc, name)(np.eye(2), [0, 1], weights=[1, 2, 3])


def test_unknown_average():
    with pytest.raises(ValueError, match="average='mean' is not known"):
        sc.fuzzy_normalized_mutual_information([0, 1], [0, 1], average="mean")


def test_one_cluster_is_undefined():
    with pytest.warns(sc.UndefinedMeasureWarning, match="the arithmetic of the entropies is 0"):
        assert math.isnan(sc.fuzzy_normalized_mutual_information([0, 0], np.ones((2, 1))))


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
def test_one_cluster_has_no_geometric_average():
    x = [[0.5, 0.5], [0.9, 0.1], [1, 0]]
    for average in ("geometric", "min"):
        assert math.isnan(sc.fuzzy_normalized_mutual_information(x, [0, 0, 0], average=average))
