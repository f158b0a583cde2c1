"""Charts of records that are drawn as bars, brackets and small tables; each record has one."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import softclust
import softclust as sc

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

FUZZY = sc.FuzzyClustering([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.0, 1.0]])
TRUTH = [0, 0, 1, 1]
#: data that are no result, and what has a chart of its own elsewhere
WITHOUT = {"Interval", "MembershipSums", "BootstrapDraws", "FlowOrder", "Drawn", "Framed",
           "BestCut", "CutChance", "Estimate", "Storable", "PartitionClusters", "ClusterPairs",
           "ClusterEdges",
           "Record", "ClusterChanges", "Augmented", "Described", "Tidied"}


@pytest.fixture(autouse=True)
def _closed():
    yield
    importlib.import_module("matplotlib.pyplot").close("all")


RECORDS = {
    "hard": lambda: sc.HardClustering(["a", "a", "b"]),
    "rough": lambda: sc.RoughClustering.from_upper([[1, 0], [1, 1]]),
    "cover": lambda: sc.as_clustering([[1, 1], [0, 1]], kind="cover"),
    "ensemble": lambda: sc.Ensemble([TRUTH, FUZZY], names=["truth", "fuzzy"]),
    "tabulation": lambda: sc.Ensemble([TRUTH, [1, 1, 0, 0], [0, 1, 1, 1]]).tabulate(),
    "aligned": lambda: sc.align([0, 0, 1, None], [0, 1, 1, -1], noise="singletons",
                                missing="drop"),
    "table": lambda: sc.contingency_table(TRUTH, [0, 1, 1, 1]),
    "completions": lambda: sc.completion_bounds([0, 0, 1, None], TRUTH),
    "expected": lambda: sc.expected_index(TRUTH, FUZZY, index="jaccard"),
    "criterion": lambda: sc.cluster_information_criterion(FUZZY),
    "entropy": lambda: sc.pairwise_entropy(FUZZY),
    "objects": lambda: sc.prayatul(TRUTH, [0, 1, 1, 1], [0, 1, 0, 1]).objects(),
    "core": lambda: sc.partition_core([TRUTH, TRUTH, [0, 0, 0, 1]], level=1),
    "representatives": lambda: sc.partition_representatives([TRUTH, [0, 1, 1, 1]], 2, rng=0),
    "ties": lambda: sc.tie_range(TRUTH, [[0.0], [1.0], [2.0], [9.0]], method="single", rng=0),
    "medoid": lambda: sc.medoid([TRUTH, [0, 0, 0, 1], [0, 1, 0, 1]], measure="rand_index"),
    "parts": lambda: sc.prayatul(TRUTH, [0, 1, 1, 1], [0, 1, 0, 1]).parts(),
}


@pytest.mark.parametrize("name", RECORDS)
def test_plot_draws_into_given_axes(name):
    plt = importlib.import_module("matplotlib.pyplot")
    record = RECORDS[name]()
    own = record.plot()
    assert own.has_data()
    assert own.get_xlabel() or own.get_title() or own.get_title(loc="left")
    _, given = plt.subplots()
    assert record.plot(ax=given) is given
    given.figure.draw_without_rendering()


def test_every_record_has_a_chart():
    found = {}
    for info in pkgutil.walk_packages(softclust.__path__, "softclust."):
        if any(part in info.name for part in ("_kernels", "__main__", "report", "plotting")):
            continue
        module = importlib.import_module(info.name)
        found |= {name: value for name, value in vars(module).items()
                  if inspect.isclass(value) and value.__module__ == info.name
                  and (hasattr(value, "summary") or hasattr(value, "to_frame"))
                  and not name.startswith("_")}
    assert len(found) > 40
    assert {name for name, value in found.items() if not hasattr(value, "plot")} <= WITHOUT


def test_sizes_are_beliefs_and_plausibilities():
    ax = sc.plotting.plot_sizes(sc.RoughClustering.from_upper([[1, 0], [1, 1], [0, 1]]))
    widths = {gid: [p.get_width() for p in ax.patches if p.get_gid() == gid]
              for gid in ("belief", "plausibility")}
    assert widths == {"belief": [1, 1], "plausibility": [2, 2]}


def stripes(ax):
    """The colours of each row, and the numbers written into it."""
    pixels = np.asarray(ax.images[0].get_array())
    return ([["".join(f"{v:.2f}" for v in cell) for cell in row] for row in pixels],
            [(text.get_position()[1], text.get_text()) for text in ax.texts])


def test_members_have_the_colours_of_the_clusters_that_they_match():
    colours, numbers = stripes(sc.Ensemble([[0, 1, 0, 1], [5, 3, 5, 3], [0, 0, 0, 1]]).plot())
    first, second, third = colours
    assert first == second, "other names, the same partition"
    assert first[0] == first[1] != first[2] == first[3], "objects by cluster of the first row"
    assert sorted(third.count(c) for c in set(third)) == [1, 3]
    assert numbers[:4] == [(0, "0"), (0, "1"), (1, "0"), (1, "1")]


def test_clusters_without_a_match_have_colours_of_their_own():
    colours, numbers = stripes(sc.Ensemble([[0, 0, 0, 1], list(range(4))]).plot())
    assert len(set(colours[1])) == 4
    assert sorted(int(text) for row, text in numbers if row == 1)[:2] == [0, 1]


def test_objects_that_a_run_does_not_hold_are_white():
    colours, _ = stripes(sc.Ensemble.from_runs([[0, 0, 1, -1], [0, 0, 0, 0]]).plot())
    white = "1.00" * 3
    assert [row.count(white) for row in colours] == [1, 0]


def test_sides_of_an_alignment_add_up():
    found = sc.align([0, 0, 1, None], [0, 1, 1, -1], noise="singletons", missing="drop")
    ax = found.plot()
    ends = [max(p.get_x() + p.get_width() for p in ax.patches if round(p.get_y() + 0.3) == side)
            for side in (0, 1)]
    assert ends == [4, 4]
    assert ax.get_title(loc="left") == "3 objects compared"


def test_numbers_of_a_table_can_be_read():
    ax = sc.contingency_table([0] * 9 + [1], [0] * 9 + [1]).plot()
    assert [(t.get_text(), t.get_color()) for t in ax.texts] == [
        ("9", "white"), ("0", "black"), ("0", "black"), ("1", "white")]
    large = sc.contingency_table(np.arange(30), np.arange(30)).plot()
    assert not large.texts
    with pytest.raises(ValueError, match="at most 200"):
        sc.contingency_table(np.arange(300), np.arange(300)).plot()


@pytest.mark.parametrize("chart", ["plot_completion", "plot_criterion", "plot_members",
                                   "plot_contingency", "plot_alignment"])
def test_other_records_are_an_error(chart):
    with pytest.raises(TypeError, match="is needed"):
        getattr(sc.plotting, chart)(3)
