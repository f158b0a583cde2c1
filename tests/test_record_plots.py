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
           "Record", "LevelAgreement", "ClusterChanges"}


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
    "core": lambda: sc.partition_core([TRUTH, TRUTH, [0, 0, 0, 1]], probability=1),
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


def test_members_are_shares_of_all_objects():
    ax = sc.Ensemble([[0, 0, 0, 1], list(range(4))]).plot()
    widths = [p.get_width() for p in ax.patches]
    np.testing.assert_allclose(widths, [0.75, 0.25, 0.25, 0.25, 0.25, 0.25])
    partial = sc.Ensemble.from_runs([[0, 0, 1, -1], [0, 0, 0, 0]]).plot()
    absent = [p.get_width() for p in partial.patches if p.get_gid() == "absent"]
    np.testing.assert_allclose(absent, [0.25])


def test_sides_of_an_alignment_add_up():
    found = sc.align([0, 0, 1, None], [0, 1, 1, -1], noise="singletons", missing="drop")
    ax = found.plot()
    ends = [max(p.get_x() + p.get_width() for p in ax.patches if round(p.get_y() + 0.3) == side)
            for side in (0, 1)]
    assert ends == [4, 4]
    assert "3 compared" in [text.get_text() for text in ax.get_legend().get_texts()]


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
