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


# between, ceiling, floor, p <= .05, found again, as well, less well, elsewhere, no clusters
@pytest.mark.parametrize("row", [0, 1, 5], ids=["two, 20 sd", "two, 6 sd", "three, 6 sd"])
def test_true_clusters_are_found_again(row):
    between, ceiling, floor, _, found, *_ = means_of_cohorts(row, 12)
    assert floor < 0.9 < 0.95 < min(between, ceiling)
    assert found >= 0.75


def test_clusters_elsewhere():
    means = means_of_cohorts(3, 12)
    assert means[4] == 0.0
    assert means[7] >= 0.75


@pytest.mark.parametrize("row", [4, 9, 12], ids=["in one only", "one long cluster", "one ball"])
def test_one_cluster_is_not_found_again(row):
    means = means_of_cohorts(row, 12)
    assert means[4] == 0.0
    assert means[8] >= 0.9
