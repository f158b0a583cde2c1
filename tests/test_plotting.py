"""Charts: what is drawn where."""

import builtins
import math

import numpy as np
import pytest

import softclust as sc
from softclust.comparison import ComparedMeasure, Comparison

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
plt = matplotlib.pyplot = __import__("matplotlib.pyplot", fromlist=["pyplot"])


def row(name="toy_index", value=0.5, sense="agreement", bounds=(0.0, 1.0), chance=math.nan):
    return ComparedMeasure(name=name, value=value, sense=sense, range=bounds, chance=chance,
                           source="")


def comparison(*rows):
    return Comparison(rows=rows, names=("species", "found"), kinds=("hard", "rough"),
                      n_objects=7, n_clusters=(2, 3), notes=())


@pytest.fixture
def drawn():
    """Draw rows on fresh axes: lines by gid, texts."""
    def draw(*rows):
        ax = sc.plotting.plot_comparison(comparison(*rows))
        lines = {}
        for line in ax.lines:
            lines.setdefault(line.get_gid(), []).append(line)
        return ax, lines, [text.get_text() for text in ax.texts]
    yield draw
    plt.close("all")


def test_a_number_is_a_marker_on_its_range(drawn):
    ax, lines, texts = drawn(row(value=0.25), row(name="other_index", value=0.0, bounds=(-1, 1)))
    assert [float(line.get_xdata()[0]) for line in lines["value"]] == [0.25, 0.0], "one axis"
    assert [float(line.get_ydata()[0]) for line in lines["value"]] == [0, 1]
    assert len(lines["rail"]) == 2
    assert [t.get_text() for t in ax.get_yticklabels()] == ["toy index", "other index"]
    assert {"0.2500", "0.0000"} <= set(texts)
    assert [t.get_text() for t in ax.get_xticklabels()] == ["0", "0.25", "0.5", "0.75", "1"]
    assert ax.get_title(loc="left") == "species (hard) and found (rough), 7 objects"


def test_an_interval_is_a_bar_from_low_to_high(drawn):
    _, lines, texts = drawn(row(value=sc.Interval(0.25, 0.75)))
    assert list(lines["interval"][0].get_xdata()) == [0.25, 0.75]
    assert "value" not in lines
    assert "0.2500 to 0.7500" in texts


def test_further_right_is_more_alike(drawn):
    _, lines, texts = drawn(row(value=0.5, sense="dissimilarity", bounds=(0.0, 2.0)),
                            row(value=sc.Interval(0.0, 0.5), sense="dissimilarity"))
    assert float(lines["value"][0].get_xdata()[0]) == 0.75
    assert list(lines["interval"][0].get_xdata()) == [0.5, 1.0]
    assert texts[:2] == ["2", "0"]


def test_senses_differ_in_colour_and_in_shape(drawn):
    _, lines, _ = drawn(row(), row(sense="dissimilarity"))
    a, b = lines["value"]
    assert a.get_color() != b.get_color()
    assert a.get_marker() != b.get_marker()


def test_chance_is_a_tick_where_known(drawn):
    ax, lines, _ = drawn(row(chance=0.125), row())
    assert len(lines["chance"]) == 1
    assert list(lines["chance"][0].get_xdata()) == [0.125, 0.125]
    assert "chance" in [t.get_text() for t in ax.get_legend().get_texts()]


def test_undefined_measures_have_no_marker(drawn):
    _, lines, texts = drawn(row(value=math.nan), row(value=sc.Interval(math.nan, math.nan)))
    assert not {"value", "interval"} & set(lines)
    assert texts.count("undefined") == 2


@pytest.mark.parametrize("bounds", [(0.0, math.inf), (-math.inf, 1.0), (-math.inf, math.inf)])
def test_an_infinite_end_has_no_place_on_the_axis(drawn, bounds):
    ax, lines, texts = drawn(row(value=0.5, bounds=bounds))
    assert float(lines["value"][0].get_xdata()[0]) == 0.5
    assert not any("inf" in text for text in texts)
    assert ax.get_xlim()[0] == pytest.approx(-0.04)


@pytest.mark.parametrize(("value", "at", "marker"), [(-3.0, -1.0, "<"), (-0.3, -0.3, "o")])
def test_negative_values_are_in_place_or_an_arrow_at_the_end(drawn, value, at, marker):
    _, lines, texts = drawn(row(value=value, bounds=(-math.inf, 1.0)), row(value=0.9))
    point = lines["value"][0]
    assert float(point.get_xdata()[0]) == at
    assert point.get_marker() == marker
    assert f"{value:.4f}" in texts


def test_a_range_of_one_point(drawn):
    _, lines, _ = drawn(row(value=0.0, bounds=(0.0, 0.0)))
    assert float(lines["value"][0].get_xdata()[0]) == 1.0


def test_given_axes_are_used_and_returned():
    figure, ax = plt.subplots()
    result = sc.compare([0, 0, 1, 1], [0, 0, 1, 2])
    assert result.plot(ax=ax) is ax
    assert len(ax.get_yticks()) == len(result)
    plt.close(figure)


def test_panels():
    one = comparison(row(), row())
    figure = sc.plotting.plot_comparisons([one, one, one], columns=2, title="All")
    assert len(figure.axes) == 3
    assert figure.get_suptitle() == "All"
    plt.close(figure)
    with pytest.raises(ValueError, match="comparisons is empty"):
        sc.plotting.plot_comparisons([])


def test_missing_matplotlib_says_how_to_get_it(monkeypatch):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *args, **kwargs)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r"pip install 'softclust\[plot\]'"):
        sc.plotting.plot_comparison(comparison(row()))


# -- circles ----------------------------------------------------------------------------------
@pytest.fixture
def circles():
    lower = [[0, 1, 2], [1, 0, 1.5], [2, 1.5, 0]]
    upper = [[0, 2, 3], [2, 0, 2.5], [3, 2.5, 0]]
    yield lambda **options: sc.interval_mds(lower, upper, rng=0, n_init=2,
                                            names=["Truth", "KM", "RKM"], **options)
    plt.close("all")


def test_circles_are_drawn_at_their_places(circles):
    found = circles()
    ax = found.plot()
    outlines = {patch.get_gid(): patch for patch in ax.patches if patch.get_gid()}
    marks = {line.get_gid(): line for line in ax.lines}
    assert set(marks) == set(found.names)
    for name, (x, y), radius in zip(found.names, found.centers, found.radii):
        assert (float(marks[name].get_xdata()[0]), float(marks[name].get_ydata()[0])) == (x, y)
        if radius > 0:
            assert outlines[name].get_radius() == radius
            assert outlines[name].center == (x, y)
    assert sorted(text.get_text() for text in ax.texts) == sorted(found.names)
    assert ax.get_aspect() == 1.0
    # Neither colour nor shape alone tells the things apart.
    assert len({line.get_color() for line in ax.lines}) == 3
    assert len({line.get_marker() for line in ax.lines}) == 3


def test_circles_and_names_lie_inside_the_axes(circles):
    found = circles()
    ax = found.plot()
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    for (x, y), radius in zip(found.centers, found.radii):
        assert left <= x - radius <= x + radius <= right
        assert bottom <= y - radius <= y + radius <= top
    for text in ax.texts:
        x, y = text.get_position()
        assert left <= x <= right
        assert bottom <= y <= top


def test_wide_names_of_near_circles_do_not_touch():
    near = 0.01 * (1 - np.eye(4))
    near[3, :3] = near[:3, 3] = 1.0
    found = sc.interval_mds(near, near, rng=0, n_init=2, names=["MMWW", "WWMM", "OMWQ", "far"])
    figure = found.plot().figure
    figure.canvas.draw()
    # Without the lines to the circles, which an annotation counts as its own.
    boxes = [matplotlib.text.Text.get_window_extent(text) for text in figure.axes[0].texts]
    assert len(boxes) == 4
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:i])
    plt.close(figure)


def test_no_outline_passes_through_a_name():
    # Circles and points that lie so near that the spot next to one of them is on an outline.
    places = np.random.default_rng(4).random((5, 2))
    radii = np.array([0.35, 0.2, 0.05, 0.0, 0.0])
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    both = radii[:, None] + radii[None]
    np.fill_diagonal(both, 0.0)
    found = sc.interval_mds(np.maximum(0.0, apart - both), apart + both, rng=0, n_init=2,
                            names=["a rather long name", "another long name", "third of them",
                                   "fourth", "fifth name"])
    ax = found.plot()
    ax.figure.canvas.draw()
    assert found.radii.max() > 0
    outlines = [(ax.transData.transform(center), ax.transData.transform(center + [radius, 0.0]))
                for center, radius in zip(found.centers, found.radii)]
    for text in ax.texts:
        box = matplotlib.text.Text.get_window_extent(text)
        for middle, edge in outlines:
            away = np.abs(box.get_points() - middle)
            inside = (box.get_points() - middle).prod(axis=0) < 0
            nearest = np.hypot(*np.where(inside, 0.0, away.min(axis=0)))
            assert not nearest < edge[0] - middle[0] < np.hypot(*away.max(axis=0))
    plt.close(ax.figure)


def test_circles_of_one_dimension_one_thing_and_too_many_dimensions(circles):
    ax = circles(n_components=1).plot()
    assert {float(line.get_ydata()[0]) for line in ax.lines} == {0.0}
    assert len(sc.interval_mds([[0]], [[0]], n_init=1).plot().lines) == 1
    figure, given = plt.subplots()
    assert circles().plot(ax=given) is given
    plt.close(figure)
    four = [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]
    with pytest.raises(ValueError, match="3 dimensions; scale with n_components=2"):
        sc.interval_mds(four, four, n_components=3, n_init=1).plot()


def test_intervals_against_one_clustering():
    rough = sc.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    matrix = sc.compare_all({"truth": [0, 0, 1, 1], "rough": rough, "hard": [0, 0, 0, 1]},
                            measure="alpha_rand_interval")
    ax = sc.plotting.plot_against(matrix, "truth")
    drawn = [line.get_xdata() for line in ax.lines if line.get_gid() == "interval"]
    assert [tuple(map(float, ends)) for ends in drawn] == [(0.5, 1.0), (0.5, 0.5)]
    assert [t.get_text() for t in ax.texts] == ["[0.500, 1.000]", "0.500"]
    assert [t.get_text() for t in ax.get_yticklabels()] == ["rough (rough)", "hard (hard)"]
    with pytest.raises(KeyError, match="no clustering is called 'trut'"):
        sc.plotting.plot_against(matrix, "trut")


def test_objects_hollow_and_outside():
    x = [[0, 0], [1, 0], [2, 0], [3, 0]]
    clustering = sc.EvidentialClustering.from_dicts(
        [{(0,): 1.0}, {(0, 1): 1.0}, {(1,): 1.0}, {(): 0.9, (1,): 0.1}])
    ax = sc.plotting.plot_objects(x, clustering, centers=[[0, 0], [2, 0]])
    drawn = {tuple(map(float, offset)): part for part in ax.collections[:-1]
             for offset in part.get_offsets()}
    assert len(drawn) == 4
    hollow = [len(drawn[p].get_facecolors()) == 0 for p in [(0, 0), (1, 0), (2, 0)]]
    assert hollow == [False, True, False]
    assert ax.collections[-1].get_offsets().shape == (2, 2)
    with pytest.raises(sc.ClusteringError, match=r"X has shape \(3, 2\)"):
        sc.plotting.plot_objects(x[:3], clustering)


def test_the_worst_value_is_drawn_at_the_worst_end():
    one, singles = [0] * 700, list(range(700))
    result = sc.compare(one, singles, measures=["alpha_partition_dissimilarity", "VI"])
    x, y = np.repeat([0, 1], 50), np.tile([0, 1], 50)   # independent
    for found in (result, sc.compare(x, y, measures=["VI", "mutual_information"])):
        ax = sc.plotting.plot_comparison(found)
        places = [line.get_xdata()[0] for line in ax.lines if line.get_gid() == "value"]
        np.testing.assert_allclose(places, 0.0, atol=1e-12)
