"""Tables, weights, null models and levels against the stored values of tests/golden/tally.json."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

import softclust as sc

CASES = json.loads((Path(__file__).parent / "golden" / "tally.json").read_text())["cases"]

pytestmark = pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")


def cases(*functions):
    chosen = [c for c in CASES if c["function"] in functions]
    assert chosen
    return pytest.mark.parametrize("case", chosen, ids=[c["id"] for c in chosen])


def from_cells(cells):
    rows, columns, counts = zip(*cells)
    return sc.ContingencyTable.from_counts(counts, rows=rows, columns=columns)


def with_margins(a, b):
    """Any table with these margins: the north-west corner rule."""
    a, b, cells, i, j = list(a), list(b), [], 0, 0
    while i < len(a) and j < len(b):
        t = min(a[i], b[j])
        cells.append((i, j, t))
        a[i] -= t
        b[j] -= t
        i, j = i + (a[i] == 0), j + (b[j] == 0)
    return from_cells(cells)


def tolerance(case, value):
    tol = case["abs_tol"]
    if isinstance(tol, str) and tol.startswith("relative"):
        return float(tol.split()[1]) * max(abs(value), 1e-6)
    return float(tol) * max(1.0, abs(value))


def check(case, value, expected):
    if expected is None:
        assert np.isnan(value)
    else:
        assert abs(value - expected) <= tolerance(case, expected)


@cases("contingency_table")
def test_tables_of_labels(case):
    x, y = case["input"]["x"], case["input"]["y"]
    table = sc.contingency_table(x, y)
    cells = [[table.x_names[k], table.y_names[j], count] for k, j, count in
             zip(table.rows, table.columns, table.counts.tolist())]
    assert cells == case["expected"]["cells"]
    assert table.n_objects == case["expected"]["n_objects"]
    cuts = [0, *case["input"]["cuts"], len(x)]
    chunks = [(x[i:j], y[i:j]) for i, j in itertools.pairwise(cuts)]
    assert sc.contingency_table(chunks) == sc.contingency_table(chunks[::-1]) == table
    for name, expected in case["expected"]["measures"].items():
        measure = getattr(sc, name)
        assert measure(table) == measure(x, y)
        check(case, measure(table), expected)


@cases("measures_of_counts", "frequencies", "weighted")
def test_measures_of_tables(case):
    given = case["input"]
    if case["function"] == "measures_of_counts":
        table = from_cells(given["cells"])
    else:
        role = "weights" if case["function"] == "weighted" else "frequencies"
        table = sc.contingency_table(given["x"], given["y"], **{role: given[role]})
    for name, expected in case["expected"].items():
        if name != "pair_counts":
            check(case, getattr(sc, name)(table), expected)
            continue
        pairs = sc.pair_counts(table)
        found = [pairs.n11, pairs.n10, pairs.n01, pairs.n00]
        if case["function"] == "weighted":
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
        else:
            assert [str(v) for v in found] == expected


@cases("chance_moments")
def test_exact_moments(case):
    table = with_margins(case["input"]["x_sizes"], case["input"]["y_sizes"])
    expected = dict(case["expected"])
    skewness = expected.pop("skewness")
    found = sc.chance(table, measure=list(expected), method="moments")
    for name, numbers in expected.items():
        check(case, found[name].mean, numbers["mean"])
        check(case, found[name].sd, numbers["sd"])
    check(case, found["rand_index"].skewness, skewness)


@cases("chance_exact")
def test_exact_law(case):
    table, expected = from_cells(case["input"]["cells"]), case["expected"]
    for alternative in ("alike", "unlike", "two-sided"):
        found = sc.chance(table, measure=list(expected), method="exact", alternative=alternative)
        for name, numbers in expected.items():
            rows = [found[name]]
            if alternative == "alike":   # alone, by the law of a sum over cells
                rows.append(sc.chance(table, measure=name, method="exact")[name])
            for row in rows:
                check(case, row.p_value, numbers[alternative])
                for key in ("observed", "mean", "sd"):
                    check(case, getattr(row, key), numbers[key])


@cases("chance_pearson")
def test_tails_from_three_moments(case):
    row = sc.chance(from_cells(case["input"]["cells"]), measure="rand_index",
                    method="moments")["rand_index"]
    for key, expected in case["expected"].items():
        check(case, getattr(row, key), expected)


@cases("sampled")
@pytest.mark.slow
def test_random_tables_have_the_exact_moments(case):
    table = with_margins(case["input"]["x_sizes"], case["input"]["y_sizes"])
    if table.n_objects > 10**9:
        with pytest.raises(sc.ClusteringError, match='method="moments"'):
            sc.chance(table, measure="rand_index", rng=0, **case["kwargs"])
        return
    row = sc.chance(table, measure="rand_index", rng=0, **case["kwargs"])["rand_index"]
    mean, sd, m = case["expected"]["mean"], case["expected"]["sd"], len(row.null)
    # The law of n11 has tails like a chi-square's: its sd is known to about 1.5 %.
    assert abs(row.mean - mean) < 5 * sd / m**0.5
    assert row.sd == pytest.approx(sd, rel=0.08)


@cases("chance_level", "chance_level_large")
def test_levels_of_null_models(case):
    given, kwargs = case["input"], case["kwargs"]
    if "x" in given:
        table = sc.contingency_table(given["x"], given["y"])
    elif "sizes" in given:
        table = sc.ContingencyTable.from_counts([[size] for size in given["sizes"]])
    else:
        n, k, s = given["n"], given["k"], given["l"]
        most = np.arange(max(k, s))
        table = sc.ContingencyTable.from_counts(
            np.where(most == 0, n - len(most) + 1, 1), rows=np.minimum(most, k - 1),
            columns=np.minimum(most, s - 1))
    for name, expected in case["expected"].items():
        found = (getattr(sc, name)(table, **kwargs) if name.startswith("adjusted")
                 else sc.chance_level(table, measure=name, **kwargs))
        check(case, found, expected)


@cases("jackknife")
def test_limits_of_tables(case):
    table = from_cells(case["input"]["cells"])
    found = sc.compare(table, measures=list(case["expected"]), ci="jackknife")
    for row in found.rows:
        check(case, row.ci.standard_error[0], case["expected"][row.name])
