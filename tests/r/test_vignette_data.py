"""The orders of merges that the vignette of the ROC paper stores, against the data of R's MASS."""

import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.r
sys.path.insert(0, str(Path(__file__).parent.parent.parent / "vignettes"))


@pytest.mark.parametrize("name", ["crabs", "breast"])
def test_stored_merges(name):
    from roc_paper import data
    from scipy.cluster.hierarchy import linkage
    x = data.measured(name)   # holds the classes too
    stored = data.known()[name]
    assert x.shape == stored.sizes[:2]
    for method in ("single", "complete", "average", "ward", "centroid", "median"):
        assert (linkage(x, method)[:, :2] == stored.merges(method)[:, :2]).all(), method
