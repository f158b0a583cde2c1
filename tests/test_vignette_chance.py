"""The tolerance of the vignettes for numbers that chance made."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "vignettes"))
import chance


@pytest.mark.parametrize("count", [3, 20])
def test_one_more_run_lies_within(count):
    runs = np.random.default_rng(0).normal(size=(4000, count + 1))
    inside = np.mean([abs(run[-1] - run[:-1].mean()) <= chance.one_run(run[:-1], 0.0, level=0.9)
                      for run in runs])
    # 4000 trials with probability 0.9: four standard errors
    assert inside == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / 4000))


def test_rounding_is_added():
    assert chance.one_run([1.0, 1.0, 1.0], 0.005) == 0.005
