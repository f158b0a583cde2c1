"""The chart of one small clustering: bars of belief and plausibility."""

import numpy as np
import pytest

import softclust as sc

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

ROUGH = sc.RoughClustering.from_upper([[1, 0, 0], [0, 1, 1], [1, 1, 1]])


@pytest.fixture(autouse=True)
def _closed():
    yield
    __import__("matplotlib.pyplot", fromlist=["close"]).close("all")


def widths(ax, name):
    """Bars by cluster and object, in parts of the cell."""
    bars = [patch.get_width() for box in ax.containers for patch in box
            if patch.get_gid() == name]
    return np.reshape(bars, (-1, 3)) / 0.94


def test_bars_are_belief_and_plausibility():
    ax = sc.plotting.plot_clustering(ROUGH)
    np.testing.assert_allclose(widths(ax, "belief"), ROUGH.belief().T)
    np.testing.assert_allclose(widths(ax, "plausibility"), ROUGH.plausibility().T)
    assert ax.get_title() == "rough"


def test_a_hard_clustering_is_dark_all_over():
    ax = sc.plotting.plot_clustering([0, 1, 2])
    np.testing.assert_array_equal(widths(ax, "belief"), widths(ax, "plausibility"))


def test_names_stand_at_rows_and_columns():
    named = sc.RoughClustering.from_upper([[1, 0], [1, 1]], object_names=["ann", "bob"],
                                          cluster_names=["left", "right"])
    ax = sc.plotting.plot_clustering(named)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["ann", "bob"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["left", "right"]


def test_many_objects_are_drawn_as_sizes():
    ax = sc.HardClustering([0] * 150 + [1] * 51).plot()
    dark = [patch.get_width() for patch in ax.patches if patch.get_gid() == "belief"]
    assert dark == [150, 51]
    assert ax.get_title(loc="left") == "hard, 201 objects"
