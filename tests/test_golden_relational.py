"""Every public value of golden/relational.json, by every method that applies.

The printed transport values in the file belong to the transport measures and are tested there.
The tolerance is the file's own, 1e-12 absolute: its exact fractions have up to a thousand terms,
and a plain float64 evaluation stays within 1.1e-14.
"""

import json
import math
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import naive
import numpy as np
import pytest
from together import for_each

import softclust as sc
from softclust.soft_pairs.pair_rows import forms_of_masses

GOLDEN = json.loads((Path(__file__).parent / "golden" / "relational.json").read_text())
TOLERANCE = 1e-12
ALPHAS_OF_SUMS = ("0", "1/2", "1")
METHODS = ("auto", "contingency", "logical", "binary", "rows", "pairs")


def number(text):
    return float(Fraction(text))


def numbers(rows):
    return np.array([[number(v) for v in row] for row in rows], dtype=float).reshape(len(rows), -1)


def clustering(entry):
    if isinstance(entry, str):
        entry = GOLDEN["paper_clusterings"][entry]
    kind, c = entry["kind"], entry["n_clusters"]
    if kind == "hard":
        result = sc.HardClustering(entry["labels"], n_clusters=c)
    elif kind == "rough":
        result = sc.RoughClustering(entry["lower"], entry["upper"])
    elif kind == "fuzzy":
        result = sc.FuzzyClustering(numbers(entry["membership"]))
    elif kind == "possibilistic":
        result = sc.PossibilisticClustering(numbers(entry["typicality"]))
    else:
        result = sc.EvidentialClustering(numbers(entry["mass"]), entry["focal_sets"])
    assert result.n_clusters == c
    return result


def masses(entry):
    if isinstance(entry, str):
        entry = GOLDEN["paper_clusterings"][entry]
    if entry["kind"] == "hard":
        return naive.hard_masses(entry["labels"], entry["n_clusters"])
    if entry["kind"] == "rough":
        return naive.rough_masses(entry["upper"])
    if entry["kind"] == "fuzzy":
        return naive.fuzzy_masses(entry["membership"])
    if entry["kind"] == "possibilistic":
        return naive.possibilistic_masses(entry["typicality"])
    return naive.evidential_masses(entry["mass"], entry["focal_sets"])


def pair(x, i, j):
    m = x.relation().pair(i, j)
    return [m.same, m.different, m.undetermined, m.conflict]


def close(value, expected):
    expected = number(expected) if isinstance(expected, str) else expected
    return value == pytest.approx(expected, rel=0, abs=TOLERANCE)


def is_logical(x):
    """Whether every object has all its mass on one focal set."""
    if x.kind in ("hard", "rough"):
        return True
    if x.kind == "fuzzy":
        return bool(((x.membership == 0) | (x.membership == 1)).all())
    if x.kind == "possibilistic":
        return bool(((x.typicality == 0) | (x.typicality == 1)).all())
    return bool(((x.mass == 0) | (x.mass == 1)).all())


def applicable(method, x, y):
    """Whether a method applies by the specification; None where the code may choose.

    The closed form for logical clusterings may be given to kinds that are logical by their
    numbers only; it must take those that are logical by kind or by mass functions.
    """
    if method == "contingency":
        return x.kind == y.kind == "hard"
    if method == "binary":
        return x.kind == y.kind == "fuzzy" and x.n_clusters == y.n_clusters == 2
    if method == "logical":
        if any(z.kind in ("hard", "rough", "evidential") and is_logical(z) for z in (x, y)):
            return True
        return None if is_logical(x) or is_logical(y) else False
    return True


def cases(*sections):
    for section in sections:
        for number_, entry in enumerate(GOLDEN[section]):
            if entry.get("values", True) is not None:
                name = entry.get("name") or entry.get("method") or ""
                yield pytest.param(entry, id=f"{section}-{number_}-{name}".replace(" ", "_"))


VALUES = list(cases("paper_examples", "random", "evclust", "degenerate", "counterexamples"))
SUMS = [*VALUES, *cases("closed_forms")]


@pytest.mark.parametrize("entry", VALUES)
def test_values(entry):
    x, y = clustering(entry["x"]), clustering(entry["y"])
    values = entry["values"]
    joint = sc.Joint(x, y)
    for alpha, expected in values["alpha_rand"].items():
        a = number(alpha)
        assert close(sc.alpha_rand_index(joint, alpha=a), expected)
        assert close(sc.alpha_rand_index(joint, alpha=a, pairs="all"),
                     values["alpha_rand_all_pairs"][alpha])
        assert close(sc.alpha_partition_dissimilarity(joint, alpha=a),
                     values["alpha_partition"][alpha])
        assert close(sc.alpha_partition_dissimilarity(joint, alpha=a, denominator="2n"),
                     values["alpha_partition_2n"][alpha])
    interval = sc.alpha_rand_interval(joint)
    assert close(interval.low, values["alpha_rand"]["1"])
    assert close(interval.high, values["alpha_rand"]["0"])
    interval = sc.alpha_rand_interval(joint, pairs="all")
    assert close(interval.low, values["alpha_rand_all_pairs"]["1"])
    assert close(interval.high, values["alpha_rand_all_pairs"]["0"])
    interval = sc.alpha_partition_interval(joint)
    assert close(interval.low, values["alpha_partition"]["0"])
    assert close(interval.high, values["alpha_partition"]["1"])
    assert close(sc.credal_rand_index(joint), values["belief_rand"])
    assert close(sc.credal_rand_index(joint, distance="belief"), values["belief_rand"])
    assert close(sc.credal_rand_index(joint, distance="jousselme"), values["jousselme_rand"])
    assert close(sc.credal_rand_index(joint, distance="conflict"), values["conflict_rand"])
    assert close(sc.pair_nonspecificity(x), values["pair_nonspecificity_x"])
    assert close(sc.pair_nonspecificity(y), values["pair_nonspecificity_y"])


@pytest.mark.parametrize("method", METHODS)
@for_each("entry", [p.values[0] for p in SUMS], show=lambda e: f"{e['x']}, {e['y']}")
def test_sums_by_every_method(entry, method):
    x, y = clustering(entry["x"]), clustering(entry["y"])
    expected = entry.get("values", entry)["sum_r"]
    fits = applicable(method, x, y)
    if fits is False:
        with pytest.raises(sc.ClusteringError, match=method):
            sc.alpha_rand_index(x, y, method=method)
        return
    try:
        curve = sc.alpha_rand_curve(x, y, method=method)
    except sc.ClusteringError:
        assert fits is None
        return
    n = x.n_objects
    assert curve.n_pairs == n * (n - 1) // 2
    for value, alpha in zip(curve.sums, ALPHAS_OF_SUMS, strict=True):
        assert close(value, expected[alpha])
        a = number(alpha)
        index = 1 - number(expected[alpha]) / curve.n_pairs
        assert close(curve.at(a), index)
        assert close(sc.alpha_rand_index(x, y, alpha=a, method=method), index)


@pytest.mark.parametrize("entry", list(cases("closed_forms")))
def test_sum_of_belief_distances(entry):
    x, y = clustering(entry["x"]), clustering(entry["y"])
    n_pairs = x.n_objects * (x.n_objects - 1) // 2
    assert close((1 - sc.credal_rand_index(x, y)) * n_pairs, entry["sum_belief"])


@pytest.mark.parametrize("entry", [p for p in SUMS if "pair_table" in p.values[0]])
def test_pair_tables(entry):
    x, y = clustering(entry["x"]), clustering(entry["y"])
    table = numbers(entry["pair_table"])
    np.testing.assert_allclose(sc.Joint(x, y).pair_table, table, rtol=0, atol=TOLERANCE)
    np.testing.assert_allclose(sc.Joint(y, x).pair_table, table.T, rtol=0, atol=TOLERANCE)


def test_pair_dissimilarities():
    entries = GOLDEN["r_alpha"]
    m1 = numbers([e["m1"] for e in entries])
    m2 = numbers([e["m2"] for e in entries])
    for first, second in ((m1, m2), (m2, m1)):
        for row, entry in zip(np.transpose(forms_of_masses(first, second)[:3]), entries):
            r0, half, r1 = row
            for alpha, expected in entry["r"].items():
                a = number(alpha)
                value = ((1 - 2 * a) * r0 + 2 * a * half if a <= 0.5
                         else (2 - 2 * a) * half + (2 * a - 1) * r1)
                assert close(value, expected)


def two_objects(mass):
    """A clustering of two objects whose pair mass is `mass`: object 0 is certainly in cluster 0."""
    return sc.EvidentialClustering(
        [[0, 1, 0, 0], [mass[3], mass[0], mass[1], mass[2]]], [[0, 0], [1, 0], [0, 1], [1, 1]])


@pytest.mark.parametrize("entry", GOLDEN["r_alpha"][::6])
def test_credal_distances_of_single_pairs(entry):
    m1, m2 = ([number(v) for v in entry[m]] for m in ("m1", "m2"))
    x, y = two_objects(m1), two_objects(m2)
    assert pair(x, 0, 1) == pytest.approx(m1, rel=0, abs=TOLERANCE)
    assert close(1 - sc.credal_rand_index(x, y), entry["belief"])
    # a square root near 0 turns 1e-16 into 1e-8, so squares are compared
    assert close((1 - sc.credal_rand_index(x, y, distance="jousselme"))**2,
                 entry["jousselme_squared"])
    assert close(1 - sc.credal_rand_index(x, y, distance="conflict"), entry["conflict"])
    for alpha, expected in entry["r"].items():
        assert close(1 - sc.alpha_rand_index(x, y, alpha=number(alpha)), expected)


@pytest.mark.parametrize("entry", GOLDEN["pair_masses"])
def test_pair_masses_and_restrictions(entry):
    x = clustering(entry["x"])
    assert pair(x, 0, 1) == pytest.approx([number(v) for v in entry["pair"]],
                                                    rel=0, abs=TOLERANCE)
    rows = masses(entry["x"])
    for i, row in enumerate(entry["restrictions"]):
        for k, expected in enumerate(row):
            assert [str(v) for v in naive.restriction(rows[i], k)] == expected
    # the costs of the code, through restrictions against themselves in every pair of clusters
    costs = sc.Joint(x, x).restriction_costs
    for level, alpha in enumerate(ALPHAS_OF_SUMS):
        expected = naive.restriction_costs(rows, rows, alpha)
        np.testing.assert_allclose(costs[level], numbers(expected), rtol=0, atol=TOLERANCE)


def test_paper_table_1():
    x = clustering("M")
    for objects, expected in GOLDEN["paper_table1"].items():
        i, j = (int(v) - 1 for v in objects.split(","))
        masses_ = [number(v) for v in expected]
        assert pair(x, i, j) == pytest.approx(masses_, rel=0, abs=TOLERANCE)
    assert len(GOLDEN["paper_table1"]) == len(list(combinations(range(5), 2)))


PRINTED_INDICES = {
    "alpha Rand index": (sc.alpha_rand_index, {'pairs="all"': {"pairs": "all"}}),
    "alpha partition dissimilarity": (sc.alpha_partition_dissimilarity,
                                      {'denominator="2n"': {"denominator": "2n"}}),
}
PRINTED_DISTANCES = {
    "belief distance, undetermined against same": ("belief", (0, 0, 1, 0)),
    "belief distance, half same half different against same": ("belief", (0.5, 0.5, 0, 0)),
    "Jousselme distance, undetermined against same": ("jousselme", (0, 0, 1, 0)),
    "Jousselme distance, half same half different against same": ("jousselme", (0.5, 0.5, 0, 0)),
}


def test_every_printed_value_has_a_home():
    other = {e["quantity"] for e in GOLDEN["paper_printed"]} - {*PRINTED_INDICES,
                                                               *PRINTED_DISTANCES}
    assert other == {"transport distance, base 1 - Rand",
                     "transport distance, base partition distance"}


@pytest.mark.parametrize("entry", [e for e in GOLDEN["paper_printed"]
                                   if e["quantity"] in PRINTED_INDICES])
def test_printed_indices(entry):
    function, conventions = PRINTED_INDICES[entry["quantity"]]
    options = {} if entry["option"] == "definition" else conventions[entry["option"]]
    x, y = clustering(entry["x"]), clustering(entry["y"])
    alphas = ("0", "1/5", "1/2", "1") if entry["alpha"] == "any" else (entry["alpha"],)
    for alpha in alphas:
        value = function(x, y, alpha=number(alpha), **options)
        assert close(value, entry["compat"])
        # the printed digits are rounded or cut
        digits = len(entry["printed"].partition(".")[2])
        assert abs(value - float(entry["printed"])) < 10.0**-digits
        assert close(function(x, y, alpha=number(alpha)), entry["definition"])


@pytest.mark.parametrize("entry", [e for e in GOLDEN["paper_printed"]
                                   if e["quantity"] in PRINTED_DISTANCES])
def test_printed_distances(entry):
    distance, mass = PRINTED_DISTANCES[entry["quantity"]]
    same = two_objects((1, 0, 0, 0))
    value = 1 - sc.credal_rand_index(two_objects(mass), same, distance=distance)
    square = entry.get("definition_squared")
    assert close(value, entry["definition"] if square is None else math.sqrt(number(square)))
    assert abs(value - float(entry["printed"])) <= 0.005


@pytest.mark.parametrize("entry", list(cases("evclust")))
def test_values_of_r_package_evclust(entry):
    x, y = clustering(entry["x"]), clustering(entry["y"])
    stored = entry["r"]
    assert close(sc.credal_rand_index(x, y, distance="conflict"), stored["credal_RI_c"])
    assert close(sc.credal_rand_index(x, y, distance="jousselme"), stored["credal_RI_j"])
    assert close(sc.credal_rand_index(x, y, distance="belief"), stored["credal_RI_b"])
    assert close(sc.pair_nonspecificity(x), stored["nonspecificity_x"])
    assert close(sc.pair_nonspecificity(y), stored["nonspecificity_y"])


@pytest.mark.parametrize("entry", [e for e in GOLDEN["degenerate"] if e["values"] is None])
def test_refused(entry):
    assert "ClusteringError" in entry["remark"]
    x, y = clustering(entry["x"]), clustering(entry["y"])
    for function in (sc.alpha_rand_index, sc.alpha_rand_interval, sc.alpha_rand_curve,
                     sc.credal_rand_index, sc.alpha_partition_dissimilarity,
                     sc.alpha_partition_interval):
        with pytest.raises(sc.ClusteringError):
            function(x, y)
    with pytest.raises(sc.ClusteringError):
        sc.pair_nonspecificity(x)


def test_iris_rough_kmeans():
    entry = GOLDEN["iris_rough_kmeans"]
    x = sc.RoughClustering.from_upper(entry["upper"])
    y = sc.HardClustering(np.repeat([0, 1, 2], 50))
    for method in ("auto", "logical", "rows", "pairs"):
        curve = sc.alpha_rand_curve(x, y, method=method)
        for value, alpha in zip(curve.sums, ALPHAS_OF_SUMS, strict=True):
            assert close(value, entry["sum_r"][alpha])
    for alpha in ALPHAS_OF_SUMS:
        a = number(alpha)
        assert close(sc.alpha_rand_index(x, y, alpha=a), entry["alpha_rand"][alpha])
        assert close(sc.alpha_partition_dissimilarity(x, y, alpha=a),
                     entry["alpha_partition"][alpha])
        assert close(sc.alpha_partition_dissimilarity(x, y, alpha=a, denominator="2n"),
                     entry["alpha_partition_2n"][alpha])
    low, high = (float(v) for v in entry["printed"]["alpha_rand"].strip("()").split(", "))
    interval = sc.alpha_rand_interval(x, y)
    # three printed digits
    assert interval.low == pytest.approx(low, abs=5e-4)
    assert interval.high == pytest.approx(high, abs=5e-4)


@pytest.mark.parametrize("entry", VALUES[::3])
def test_oracles_reproduce_the_file_exactly(entry):
    x, y = masses(entry["x"]), masses(entry["y"])
    values = entry["values"]
    for alpha in ("1/5", "1/2", "1"):
        a = Fraction(alpha)
        assert naive.alpha_rand_index(x, y, alpha=a) == Fraction(values["alpha_rand"][alpha])
        assert naive.alpha_partition_dissimilarity(x, y, alpha=a) == Fraction(
            values["alpha_partition"][alpha])
    assert naive.alpha_rand_curve(x, y).sums == tuple(
        Fraction(values["sum_r"][a]) for a in ALPHAS_OF_SUMS)
    assert naive.credal_rand_index(x, y) == Fraction(values["belief_rand"])
    assert naive.credal_rand_index(x, y, distance="conflict") == Fraction(values["conflict_rand"])
    assert naive.pair_nonspecificity(x) == Fraction(values["pair_nonspecificity_x"])
