"""Level and power of versions and cohorts (slow): six rows of the tables of the theory pages."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))
from versions_cohorts_level import answers, means_of_cohorts

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
# Bounds: .05 and three standard errors of 40 sets; the page less three standard errors for power.


@pytest.mark.parametrize(("row", "column", "low", "high"), [
    (0, 0, 0.0, 0.15), (2, 0, 0.0, 0.15), (3, 0, 0.0, 0.15), (0, 1, 0.95, 1.0), (0, 2, 0.95, 1.0),
    (0, 3, 0.8, 1.0), (4, 2, 0.95, 1.0)],
    ids=["5 and 5, no change", "19 and 1, no change", "6 pairs, no change", "two clusters merged",
         "8 objects moved", "two small clusters merged", "8 objects moved, 10 pairs"])
def test_changes_of_versions(row, column, low, high):
    assert low <= answers(row, column, 40)[0] <= high


def test_the_same_seeds_that_are_not_declared():
    assert answers(5, 0, 40)[1] >= 0.95


def test_three_clusters_replicate():
    between, ceiling, floor, _, replicated = means_of_cohorts(0, 20)
    assert floor < 0.6 < 0.9 < min(between, ceiling)
    assert replicated >= 0.5   # .78 on the page


@pytest.mark.parametrize("row", [2, 4], ids=["one long cluster", "one ball"])
def test_one_cluster_does_not_replicate(row):
    between, _, floor, p, replicated = means_of_cohorts(row, 20)
    assert between < floor + 0.05
    assert p <= 0.2   # .05 and three standard errors of 20 sets
    assert replicated == 0.0
