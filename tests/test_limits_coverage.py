"""Simulated coverage of confidence limits and rankings (slow)."""

import sys
from pathlib import Path

import numpy as np
import pytest

import softclust as sc

sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))
from limits_coverage import (
    DIFFICULT,
    GROUPED,
    HARD,
    LAWS,
    OF_COVERS,
    OF_DOUBT,
    OF_FUZZY,
    coverage,
    grouped,
    whole,
)

pytestmark = pytest.mark.slow
#: pair counting, information
CHECKED = ("adjusted_rand_index", "rand_index", "jaccard_index", "normalized_mutual_information",
           "variation_of_information")


def shares(law, n, samples, seed, names=CHECKED, least=0.5):
    """Share of samples with limits that cover, of measures of which enough samples have limits."""
    found = coverage(law, n, samples, 0.95, np.random.default_rng(seed), names)
    return {name: np.mean(hits) for name, hits in found.items() if len(hits) > least * samples}


@pytest.mark.parametrize("z", [0.1, 0.2, 0.5, 1.0])
@pytest.mark.parametrize("k", [2, 5, 10])
def test_labels_redrawn_with_probability_z(k, z):
    law = ((1 - z) * np.eye(k) + z / k) / k
    for name, share in shares(law, 200, 1000, [k, int(10 * z)]).items():
        # the map's worst is .92; three standard errors of 1000 samples are .02
        assert share >= 0.90, name


@pytest.mark.parametrize("law", LAWS, ids=[law.__name__ for law in LAWS])
def test_laws_that_played_no_part_in_choosing_methods(law):
    for name, share in shares(law(), 150, 400, 11, HARD).items():
        # .95 less four standard errors of 400 samples
        assert share >= 0.90, name


@pytest.mark.parametrize(("law", "n"), [
    pytest.param(law, n, id=f"{name}, {n}") for name, law, sizes in DIFFICULT for n in sizes])
def test_many_small_and_independent_classes(law, n):
    for name, share in shares(law, n, 200, 12, least=0.25).items():
        # the lowest of the guide's table, .87, less three standard errors of 200 samples
        assert share >= 0.80, name


def test_plain_limits_would_not_cover():
    """Ten classes, half of the labels redrawn: what the correction is for."""
    k, z, n = 10, 0.5, 200
    law = ((1 - z) * np.eye(k) + z / k) / k
    name = "normalized_mutual_information"
    target, rng = whole(law, name), np.random.default_rng(0)
    values = [sc.normalized_mutual_information(sc.ContingencyTable.from_counts(
        rng.multinomial(n, law.ravel()).reshape(k, k))) for _ in range(100)]
    assert min(values) > target   # every sample lies above
    assert shares(law, n, 300, 1, (name,))[name] >= 0.9


def test_familywise_error_of_rankings():
    rng = np.random.default_rng(8)
    false, missed = [], []
    for _ in range(300):
        truth = rng.integers(4, size=100)
        found = [np.where(rng.random(100) < 0.2, rng.integers(4, size=100), truth)
                 for _ in range(5)]
        made = sc.rank_clusterings(truth, found, n_draws=2000)
        false.append((made.p_values < 0.05).any())
        missed.append(0 not in made.possibly_best)
    # .05 and three standard errors
    assert np.mean(false) <= 0.05 + 3 * 0.0126
    assert np.mean(missed) <= 0.05 + 3 * 0.0126


def test_limits_by_random_groups():
    """The short part of the table of the guide: 30 samples of 210 objects of each kind, without
    the adjusted alpha-Rand index of fuzzy clusterings, which takes long."""
    fuzzy = [name for name, *_ in GROUPED if name.startswith("fuzzy")]
    quick = [name for name in (*OF_COVERS, *OF_DOUBT, *OF_FUZZY)
             if name != "adjusted_credal_rand_index"]   # the same number
    header, *rows = grouped(30, 0.95, (210,), [
        name for name, *_ in GROUPED if name not in fuzzy], quick)
    rows += grouped(30, 0.95, (210,), fuzzy, [
        name for name in OF_FUZZY if name != "adjusted_alpha_rand_index"])[1:]
    assert len(rows) == 8
    for row in rows:
        shares = [float(cell.split()[0]) for cell in row[2:] if cell]
        assert shares
        assert min(shares) >= 0.8, dict(zip(header, row))   # of .95, 1 in 1,000 is below
