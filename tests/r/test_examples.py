"""The examples in the docstrings of r_bridge, which need R."""

import doctest
import importlib

import pytest

pytestmark = pytest.mark.r


@pytest.mark.parametrize("name", ["r_bridge", "r_bridge._call", "r_bridge._crosscheck",
                                  "r_bridge.clue", "r_bridge.clue._proximities",
                                  "r_bridge.clue._partitions", "r_bridge.clue._ensembles",
                                  "r_bridge.clue._bagging", "r_bridge.clue._mirrored"])
def test_examples(name):
    done = doctest.testmod(importlib.import_module(name))
    assert done.attempted > 0
    assert done.failed == 0
