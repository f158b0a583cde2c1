"""Simulated coverage of limits of groups (slow): six settings of the tables of the guide."""

import sys
from pathlib import Path

import numpy as np
import pytest

import softclust as sc

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))
from dependence_coverage import LAWS, draw, population

pytestmark = pytest.mark.slow
NAMES = ("adjusted_rand_index", "jaccard_index", "normalized_mutual_information")


def shares(law, n_groups, samples, **options):
    """Share of samples with limits that cover, of each measure."""
    true, rng = population(law), np.random.default_rng([19, n_groups])
    hits = {name: [] for name in NAMES}
    for _ in range(samples):
        x, y, groups = draw(law, n_groups, rng)
        for row in sc.compare(x, y, measures=NAMES, ci="jackknife", **options | (
                {} if "groups" in options else {"groups": groups})):
            if row.ci.method != "none":
                hits[row.name].append(row.ci_low <= true[row.name] <= row.ci_high)
    return {name: np.mean(each) for name, each in hits.items() if len(each) > samples / 2}


@pytest.mark.parametrize(("law", "n_groups"), [*((law, 25) for law in LAWS), (LAWS[1], 150)])
def test_limits_of_groups_cover(law, n_groups):
    found = shares(law, n_groups, 200)
    assert len(found) == 3
    for name, share in found.items():
        # The table of the guide has .93 and more; .015 is the standard error of 200 samples.
        assert share >= 0.89, name


def test_limits_of_objects_do_not():
    assert shares("laboratories", 150, 200, groups=None)["adjusted_rand_index"] < 0.85
