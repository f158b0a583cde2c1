"""Every value of golden/limits.json: corrected entropies, limits, where there are none, rankings.

The tolerances are the file's own, for values that were computed there in two ways.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import softclust as sc

CASES = json.loads((Path(__file__).parent / "golden" / "limits.json").read_text())["cases"]


def cases(function):
    return [pytest.param(case, id=case["id"]) for case in CASES if case["function"] == function]


def close(found, expected, tolerance):
    if expected is None:   # JSON has no infinity
        expected = np.inf
    np.testing.assert_allclose(np.asarray(found, float), np.asarray(expected, float), rtol=0,
                               atol=tolerance)


def row_of(*clusterings, case):
    return sc.compare(*clusterings, measures=case["input"]["measure"], ci="jackknife",
                      **case["kwargs"]).rows[0]


def check(row, case):
    for name, expected in case["expected"].items():
        found = ([getattr(row.ci.low, name), getattr(row.ci.high, name)]
                 if name in ("low", "high") else getattr(row.ci, name))
        close(found, [expected, expected], case["abs_tol"])


def test_the_file_is_read_whole():
    assert len(CASES) == 110
    assert {case["function"] for case in CASES} == {
        "corrected_entropy", "limits", "no_limits", "soft_limits", "rank_clusterings"}


@pytest.mark.parametrize("case", cases("corrected_entropy"))
def test_corrected_entropy(case):
    close(sc.corrected_entropy(case["input"]["counts"]), case["expected"], case["abs_tol"])


@pytest.mark.parametrize("case", cases("limits"))
def test_limits_of_a_table_and_of_its_labels(case):
    table = sc.ContingencyTable.from_counts(case["input"]["counts"])
    check(row_of(table, case=case), case)
    check(row_of(*table.expand(), case=case), case)


@pytest.mark.parametrize("case", cases("no_limits"))
def test_where_there_are_none(case):
    table = sc.ContingencyTable.from_counts(case["input"]["counts"])
    row = row_of(table, case=case)
    assert row.ci.method == case["expected"]["method"] == "none"
    assert row.note.startswith("no confidence interval: ")
    assert np.isnan([row.ci_low, row.ci_high, *row.ci.estimate, *row.ci.standard_error]).all()


@pytest.mark.parametrize("case", cases("soft_limits"))
def test_limits_of_soft_clusterings(case):
    x, y = (sc.FuzzyClustering(case["input"][side]) for side in "xy")
    check(row_of(x, y, case=case), case)


@pytest.mark.parametrize("case", cases("rank_clusterings"))
def test_rankings(case):
    given = case["input"]
    found = sc.rank_clusterings(given["truth"], given["clusterings"], measure=given["measure"],
                                **case["kwargs"])
    for name, expected in case["expected"].items():
        close(getattr(found, name), expected, case["abs_tol"])
