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
    assert ax.get_title(loc="left") == "rough; pale: possible"


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
    assert len(sc.HardClustering([0] * 40).plot().get_yticks()) == 40
    ax = sc.HardClustering([0] * 30 + [1] * 11).plot()
    dark = [patch.get_width() for patch in ax.patches if patch.get_gid() == "belief"]
    assert dark == [30, 11]
    assert ax.get_title(loc="left") == "hard, 41 objects"


def test_long_names_of_columns_are_turned():
    named = {name: sc.HardClustering([name] * 2 + ["rest"]).plot() for name in ("b", "versicolor")}
    turned = {name: {text.get_rotation() for text in ax.get_xticklabels()}
              for name, ax in named.items()}
    assert turned == {"b": {0.0}, "versicolor": {40.0}}
