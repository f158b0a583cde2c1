"""Level, power and coverage of `compare_settings` (slow): four rows of its page."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))
from settings_level import TRUTHS, open_shares, shares

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
SETS = 20
NAMES = list(TRUTHS)


@pytest.mark.parametrize("name", ["one long box 4:1", "one Gaussian, sd 3 and 1"])
def test_one_cluster_is_rejected_no_more_often_than_promised(name):
    *_, wrong, _, small, size = shares(NAMES.index(name), SETS)
    assert wrong <= small <= 0.2   # .05 and three standard errors
    assert size > 5   # of 7: nothing tells the numbers apart


# power: that of the page less three standard errors
@pytest.mark.parametrize(("name", "power", "largest_set"), [
    ("three, 4 sd", 0.27, 3.5), ("four, in two pairs", 0.95, 4.0)])
def test_the_number_is_found_and_covered(name, power, largest_set):
    right, *_, wrong, covered, small, size = shares(NAMES.index(name), SETS)
    assert right >= 0.9
    assert wrong <= 0.1
    assert covered >= 0.95
    assert small >= power
    assert size <= largest_set


def test_clusterers_at_a_distance_are_rejected_no_more_often():
    assert open_shares("average linkage at a distance", "Gaussian", SETS).max() <= 0.2
