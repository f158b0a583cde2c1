"""compare() and its record."""

import dataclasses
import math
import pickle
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest
from measure_tables import QUESTIONS
from strategies import JIT_OFF
from toy_measures import toy

import softclust as sc
from softclust.measures import _registry
from softclust.results.summary import SummaryTable, right
from softclust.running.warnings import warn

KINDS = _registry.KINDS
HARD = sc.HardClustering([0, 0, 1, 1, 2])
OTHER = sc.HardClustering([0, 0, 1, 2, 2])
SOFT = {
    "hard": OTHER,
    "rough": sc.RoughClustering.from_upper([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1],
                                            [0, 0, 1]]),
    "fuzzy": sc.FuzzyClustering([[1, 0, 0], [.5, .5, 0], [0, 1, 0], [0, .25, .75], [0, 0, 1]]),
    "possibilistic": sc.PossibilisticClustering([[1, 0, 0], [1, .5, 0], [0, 1, 0], [0, .25, 1],
                                                 [0, 0, .5]]),
    "evidential": sc.EvidentialClustering.from_dicts(
        [{0: 1.0}, {(0, 1): 1.0}, {1: .5, (): .5}, {(1, 2): .5, (0, 1, 2): .5}, {2: 1.0}]),
}


@pytest.fixture
def registry():
    before = dict(_registry._REGISTRY)
    yield _registry._REGISTRY
    _registry._REGISTRY.clear()
    _registry._REGISTRY.update(before)


@pytest.mark.parametrize("x", KINDS)
@pytest.mark.parametrize("y", KINDS)
def test_every_pair_of_kinds_compares(x, y):
    result = sc.compare(HARD if x == "hard" else SOFT[x], SOFT[y])
    assert result.kinds == (x, y)
    assert (result.n_objects, result.n_clusters) == (5, (3, 3))
    assert len(result) == len(list(result)) > 0
    for row in result:
        m = sc.get_measure(row.name)
        assert m.takes(x, y)
        assert row.sense == m.sense != "uncertainty"
        assert row.source == m.source
        # Rounding of a sum of a few numbers below 1.
        assert row.range[0] - 1e-12 <= row.low <= row.high <= row.range[1] + 1e-12, row.label


@pytest.mark.parametrize("kind", KINDS)
def test_values_are_those_of_the_measures(kind):
    for row in sc.compare(HARD, SOFT[kind]):
        m = sc.get_measure(row.name)
        result = getattr(sc, row.name)(HARD, SOFT[kind], **m.compare_options)
        assert row.value == (m.shown(result) if m.shown else result)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_begin_with_what_the_guide_recommends(kind):
    found = sc.compare(HARD, SOFT[kind])
    shown = [row.name for row in found]
    places = [sc.get_measure(name).place for name in shown]
    first = [place for place in places if place < math.inf]
    assert places[:len(first)] == sorted(first)
    others = shown[len(first):]
    assert others == [name for name in _registry.registry() if name in others]
    advised = [m.name for m, _ in QUESTIONS[0].answers if m.name in shown]
    wanted = next(m.name for m, _ in QUESTIONS[0].answers if m.takes("hard", kind))
    assert shown[0] == advised[0] == wanted


@pytest.mark.parametrize("x", KINDS)
@pytest.mark.parametrize("y", KINDS)
@pytest.mark.parametrize("alpha", [None, 0.2])
def test_names_of_one_number_are_one_row(x, y, alpha):
    rng = np.random.default_rng(11)
    sides = []
    for kind, c in ((x, 3), (y, 4)):
        members = rng.dirichlet(np.full(c, 0.6), 14)
        sides.append({
            "hard": lambda u=members: sc.HardClustering(u.argmax(axis=1)),
            "rough": lambda u=members: sc.RoughClustering.from_upper(u >= 0.3 * u.max()),
            "fuzzy": lambda u=members: sc.FuzzyClustering(u),
            "possibilistic": lambda u=members: sc.PossibilisticClustering(u),
            "evidential": lambda u=members, c=c: sc.EvidentialClustering(
                rng.dirichlet(np.ones(2**c), 14), [[b >> k & 1 for k in range(c)]
                                                   for b in range(2**c)])}[kind]())
    result = sc.compare(*sides, alpha=alpha)
    for row in result:
        for name in row.also:
            other = sc.compare(*sides, measures=name, alpha=None if name not in (
                "alpha_rand_index", "alpha_partition_dissimilarity") else alpha).rows[0]
            assert (other.low, other.high) == pytest.approx((row.low, row.high), abs=1e-12), name
            assert result.value(name) == row.value
            assert f"The same number for these kinds: {row.name}, " in " ".join(str(result).split())
    if {x, y} <= {"hard", "fuzzy"}:
        pairs = [(row.low, row.high) for row in result]
        assert len({(round(a, 9), round(b, 9)) for a, b in pairs}) == len(pairs)


def test_ranges_are_bounds_that_are_attained():
    """One cluster against 700 is the worst there is, and it is drawn so."""
    one, singles = [0] * 700, list(range(700))
    rows = sc.compare(one, singles, measures=["alpha_partition_dissimilarity", "VI",
                                              "alpha_partition_interval"]).rows
    for row in rows:
        assert row.low == pytest.approx(row.range[1], rel=1e-12)
    even = np.full((8, 4), 0.25)
    row = sc.compare([0] * 8, even, measures="alpha_partition_dissimilarity").rows[0]
    assert row.value == pytest.approx(row.range[1], rel=1e-12)
    x, y = np.repeat([0, 1], 50), np.tile([0, 1], 50)   # independent
    row = sc.compare(x, y, measures="VI").rows[0]
    assert row.value == pytest.approx(row.range[1], rel=1e-12)
    assert "Range: bounds for clusterings of these kinds and sizes" in " ".join(
        str(sc.compare(x, y)).split())


@pytest.mark.parametrize("kinds", [("hard", "hard"), ("hard", "fuzzy"), ("fuzzy", "fuzzy")])
def test_the_partition_dissimilarity_stays_in_its_range(kinds):
    rng = np.random.default_rng(2)
    for _ in range(200):
        n, c, d = rng.integers(2, 8), *rng.integers(1, 5, 2)
        x, y = (rng.integers(k, size=n) if kind == "hard" else
                rng.dirichlet(np.full(k, rng.choice([0.05, 1.0, 50.0])), n)
                for kind, k in zip(kinds, (c, d)))
        row = sc.compare(x, y, measures="alpha_partition_dissimilarity").rows[0]
        assert row.low <= row.range[1] + 1e-9


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_left_out_has_a_reason(kind):
    found = sc.compare(HARD, SOFT[kind])
    suiting = {m.name for m in map(sc.get_measure, sc.list_measures().index)
               if m.takes("hard", kind)}
    shown = {name for row in found for name in (row.name, *row.also)}
    assert shown | set(found.left_out) == suiting
    assert not shown & set(found.left_out)
    assert all(found.left_out.values())
    assert "Not shown: " in str(found)
    assert sc.compare(HARD, SOFT[kind], measures=["alpha_rand_index"]).left_out == {}
    every = sc.compare(HARD, SOFT[kind], measures="all")
    rare = {name for name, why in found.left_out.items() if why == "used less often"}
    assert found.left_out.keys() - rare == every.left_out.keys()
    assert rare <= {name for row in every for name in (row.name, *row.also)}
    assert all(every.value(row.name) == row.value for row in found if row.name in {
        other.name for other in every})


def test_reasons_name_few_measures_and_count_many():
    rng = np.random.default_rng(5)
    soft = [rng.dirichlet(np.full(3, .5), 60) for _ in range(2)]
    text = " ".join(str(sc.compare(*soft)).split())
    assert "measures (used less often)" in text
    assert "transport_dissimilarity, transport_rand_index (no fast exact algorithm" in text


def test_the_chosen_measures_come_in_the_order_asked_for():
    asked = ["rand_index", "jaccard_index", "rand_index"]
    assert [r.name for r in sc.compare(HARD, OTHER, measures=asked)] == asked[:2]
    assert len(sc.compare(HARD, OTHER, measures="rand_index")) == 1


def test_measures_may_be_functions():
    found = sc.compare(HARD, OTHER, measures=[sc.rand_index, "ARI"])
    assert found.rows == sc.compare(HARD, OTHER, measures=["rand_index", "ARI"]).rows
    assert sc.compare(HARD, OTHER, measures=sc.rand_index).rows == found.rows[:1]
    row = sc.compare([0, 1, None], [0, 1, 1], measures=sc.rand_index, missing="bounds").rows[0]
    assert row.name == "rand_index"
    assert sc.get_measure(sc.rand_index).name == "rand_index"
    with pytest.raises(ValueError, match="function len is not a measure of softclust"):
        sc.compare(HARD, OTHER, measures=[len])


def test_a_wrong_keyword_names_the_near_one():
    with pytest.raises(TypeError, match="no keyword 'measure'; did you mean 'measures'"):
        sc.compare(HARD, OTHER, measure="ARI")
    with pytest.raises(TypeError, match="did you mean 'rng'"):
        sc.compare(HARD, OTHER, random_state=1)
    with pytest.raises(TypeError, match="'colour'; it takes x, y, data, on, weights, measures"):
        sc.compare(HARD, OTHER, colour=1)
    with pytest.raises(TypeError, match="did you mean 'measure'"):
        sc.compare_all([HARD, OTHER], measures="ARI")


def test_work_is_shared_through_a_joint():
    joint = sc.Joint(HARD, SOFT["fuzzy"])
    assert sc.compare(joint).rows == sc.compare(HARD, SOFT["fuzzy"]).rows
    with pytest.raises(TypeError, match="leave out y"):
        sc.compare(joint, HARD)
    with pytest.raises(TypeError, match="y is missing"):
        sc.compare(HARD)


def test_alpha_reaches_every_measure_that_has_it():
    x, y = SOFT["rough"], SOFT["evidential"]
    result = sc.compare(x, y, alpha=0.25)
    taking = [row for row in result if "alpha" in sc.get_measure(row.name).options]
    assert taking
    for row in taking:
        assert row.value == getattr(sc, row.name)(x, y, alpha=0.25)
        assert dict(row.options) == {"alpha": 0.25}
        assert row.label == f"{row.name} (alpha=0.25)"


def test_the_default_alpha_is_shown():
    row = next(r for r in sc.compare(HARD, SOFT["rough"]) if r.name == "alpha_rand_index")
    assert row.label == "alpha_rand_index (alpha=0.5)"


@pytest.mark.parametrize("alpha", [-0.1, 1.5, math.nan])
def test_alpha_outside_its_range_raises(alpha):
    with pytest.raises(sc.ClusteringError, match=r"a number in \[0, 1\] is needed"):
        sc.compare(HARD, OTHER, alpha=alpha)


def test_alpha_without_effect_raises():
    with pytest.raises(ValueError, match="alpha has no effect"):
        sc.compare(HARD, OTHER, measures="rand_index", alpha=0.5)


def test_unknown_measures_raise_with_near_ones():
    with pytest.raises(ValueError, match=r"no measure 'rand'; similar: .*rand_index"):
        sc.compare(HARD, OTHER, measures=["rand"])
    with pytest.raises(ValueError, match="measures is empty"):
        sc.compare(HARD, OTHER, measures=[])


def test_unsuitable_kinds_raise_and_say_what_is_needed():
    with pytest.raises(sc.ClusteringError,
                       match=r"rand_index: y is fuzzy; a hard .* needed: y\.harden\(\)"):
        sc.compare(HARD, SOFT["fuzzy"], measures="rand_index")


def test_measures_of_other_kinds_name_the_kinds(registry):
    toy(lambda source: 1.0, kinds=("fuzzy", "hard"))
    with pytest.raises(sc.ClusteringError, match=r"toy_index: x is rough; a hard or fuzzy "
                                                 r"clustering is needed: .* by a named rule"):
        sc.compare(SOFT["rough"], HARD, measures="toy_index")


def test_measures_of_one_clustering_raise():
    with pytest.raises(ValueError, match=r"one clustering; call softclust\.nonspecificity\(x\)"):
        sc.compare(HARD, OTHER, measures="nonspecificity")


@pytest.mark.parametrize("asked", [None, "toy_counts"])
def test_records_are_refused(registry, asked):
    toy(lambda source: sc.PairCounts(n11=1, n10=0, n01=0, n00=0), "toy_counts")
    with pytest.raises(ValueError, match=r"gives a PairCounts, .*softclust\.toy_counts\(x, y\)"):
        sc.compare(HARD, OTHER, measures=asked)


def test_undefined_measures_are_nan_and_their_reason_is_kept():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = sc.compare([0, 1, 2], [0, 0, 1])   # no pair together in x
    assert math.isnan(result.value("fowlkes_mallows_index"))
    row = next(r for r in result if r.name == "fowlkes_mallows_index")
    assert "undefined" in row.note
    assert row.note.startswith("fowlkes_mallows_index is undefined")
    assert row.note in result.notes
    assert "undefined" in result.to_frame().loc["fowlkes_mallows_index", "note"]
    assert row.note in " ".join(str(result).split())


def test_other_warnings_are_kept_and_shown_at_once(registry):
    def slow(source):
        warn("this takes long", UserWarning, stacklevel=2)
        return 0.5
    toy(slow)
    with pytest.warns(UserWarning, match="this takes long"):
        result = sc.compare(HARD, OTHER, measures="toy_index")
    assert result.notes == ("toy_index: this takes long",)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="this takes long"):
            sc.compare(HARD, OTHER, measures="toy_index")


def test_the_handler_of_warnings_is_put_back(registry):
    def fails(source):
        raise RuntimeError("broken")
    toy(fails)
    before = warnings.showwarning
    with pytest.raises(RuntimeError, match="broken"):
        sc.compare(HARD, OTHER, measures="toy_index")
    assert warnings.showwarning is before


def test_chance_levels_and_ranges(registry):
    toy(lambda source: 0.5, "toy_distance", sense="dissimilarity", bounds=(0.0, None),
        chance=lambda joint: joint.n_objects / 2)
    row = sc.compare(HARD, OTHER, measures="toy_distance").rows[0]
    assert row.range == (0.0, math.inf)
    assert row.chance == 2.5
    toy(lambda source: 0.5, bounds=lambda source: (-1.0 / source.n_objects, 1.0))
    row = sc.compare(HARD, OTHER, measures="toy_index").rows[0]
    assert row.range == (-0.2, 1.0)
    assert math.isnan(row.chance)


def test_progress_reaches_the_measures(registry):
    seen = []
    toy(lambda source, *, progress=None: float(seen.append(progress) or 1.0))
    sc.compare(HARD, OTHER, measures="toy_index")
    sc.compare(HARD, OTHER, measures="toy_index", progress=True)
    assert seen == [None, True]


def test_names():
    result = sc.compare(HARD, SOFT["fuzzy"], names=("species", "mixture"))
    assert str(result).startswith("Comparison of species (hard, 3 clusters) and mixture (fuzzy, "
                                  "3 clusters), 5 objects\n")
    assert repr(result) == (f"Comparison(species: hard, mixture: fuzzy, n_objects=5, "
                            f"{len(result)} measures)")
    for wrong in ("ab", ("a",), ("a", "b", "c")):
        with pytest.raises(ValueError, match="two names"):
            sc.compare(HARD, OTHER, names=wrong)


def test_objects_must_be_the_same():
    with pytest.raises(sc.ClusteringError, match="x has 5 objects and y has 4"):
        sc.compare(HARD, [0, 1, 1, 0])


def test_value_looks_up_by_name():
    result = sc.compare(HARD, SOFT["rough"])
    assert isinstance(result.value("alpha_rand_interval"), sc.Interval)
    with pytest.raises(KeyError, match=r"no measure 'rand_index'; it has .*alpha_rand_index"):
        result.value("rand_index")


def test_frame():
    frame = sc.compare(HARD, SOFT["rough"]).to_frame()
    interval = sc.alpha_rand_interval(HARD, SOFT["rough"])
    row = frame.loc["alpha_rand_interval"]
    assert (row["low"], row["high"]) == (interval.low, interval.high)
    assert np.isnan(row["value"])
    point = frame.loc["alpha_rand_index"]
    assert point["value"] == point["low"] == point["high"]
    assert point["options"] == "alpha=0.5"
    assert frame["range_high"].dtype == float


def test_summary_in_three_forms():
    result = sc.compare(HARD, SOFT["rough"], names=("a<b", "50% & more_"))
    interval = result.value("alpha_rand_interval")
    text = result.summary().as_text()
    assert f"[{interval.low:.4f}, {interval.high:.4f}]" in text
    assert "larger is more alike" in text
    assert max(map(len, text.splitlines())) <= 100
    html = result.summary().as_html()
    assert html == result._repr_html_()
    assert "a&lt;b" in html
    assert "<td>alpha_rand_interval</td>" in html
    latex = result.summary().as_latex_tabular()
    assert r"50\% \& more\_" in latex
    assert r"alpha\_rand\_interval" in latex
    assert r"\textbf{measure}" in latex


def test_cells_are_escaped():
    table = SummaryTable([["a_b", "<i>"]], ["p & q", "r"], title="t", notes=["n < m"])
    assert "<td>&lt;i&gt;</td>" in table.as_html()
    assert "n &lt; m" in table.as_html()
    latex = table.as_latex_tabular()
    assert r"\textbf{p \& q} & \textbf{r}" in latex
    assert r"a\_b & $<$i$>$" in " ".join(latex.split())
    assert r"n $<$ m" in latex


def test_columns_of_a_summary_are_aligned():
    table = SummaryTable.of({"name": ["a", "b\n"], "n": [1, 20], "p": right([0.5, 0.25], ".3f")},
                            title="T", notes=["n: a count."])
    assert table.as_text() == """T
===============
name   n      p
---------------
a      1  0.500
b\\n   20  0.250
===============
n: a count."""
    assert str(table) == repr(table) == table.as_text()


@pytest.mark.parametrize("backend", ["polars", "pyarrow"])
def test_frames_of_other_packages(backend):
    pytest.importorskip(backend)
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 3, (2, 60))
    results = [sc.compare(x, y), sc.compare_all([x, y]), sc.chance(x, y, "rand_index", rng=0),
               sc.rank_clusterings(x, [x, y]), sc.prayatul(x, y, y[::-1]), sc.align(x, y),
               sc.contingency_table(x, y), sc.consensus([x, y], rng=0),
               sc.cluster_stability(x, [x, y]), sc.posterior_partition([x, y], rng=0)]
    for result in results:
        ours, frame = result.to_frame(), result.to_frame(backend)
        names = frame.columns if backend == "polars" else frame.column_names
        assert len(frame) == len(ours)
        assert [*names][-len(ours.columns):] == [str(name) for name in ours.columns]
    frame = sc.compare(x, y).to_frame(backend)
    assert frame["measure"].to_pylist() if backend == "pyarrow" else frame["measure"].to_list()


def test_printing_loads_no_pandas():
    script = ("import softclust as sc, sys; r = sc.compare([0, 0, 1], [0, 1, 1]); str(r); "
              "str(sc.chance([0, 0, 1], [0, 1, 1], 'rand_index', rng=0)); "
              "sys.exit('pandas' in sys.modules or 'statsmodels' in sys.modules)")
    subprocess.run([sys.executable, "-c", script], check=True)


def test_numbers_in_tables():
    from softclust.results.text import number, range_text, short
    assert [number(v) for v in (0.0, 0.5, -0.25, 1e-7, 1234.5678, 2.5e8, math.nan, math.inf)] == [
        "0.0000", "0.5000", "-0.2500", "1e-07", "1234.5678", "2.5e+08", "undefined", "inf"]
    assert range_text(0, 1) == "[0, 1]"
    assert range_text(-math.inf, math.inf) == "(-inf, inf)"
    assert short(1.0986122886681098) == "1.099"


def test_the_record_is_frozen_and_pickles():
    result = sc.compare(HARD, SOFT["rough"])
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.rows = ()
    again = pickle.loads(pickle.dumps(result))
    assert str(again) == str(result)


def test_large_hard_clusterings_take_no_pair_loop():
    # A loop over 5e11 pairs, or over 2e8 in plain Python, would take longer than all tests.
    n = 1_000_000 if not JIT_OFF else 20_000
    x = np.arange(n, dtype=np.uint8) % 5
    result = sc.compare(x, (np.arange(n) * 5 // n).astype(np.uint8))
    # Every cell of the contingency table has n/25 objects: as independent as can be.
    assert abs(result.value("adjusted_rand_index")) < 1e-3


def test_what_rounding_leaves_of_zero_is_printed_as_zero():
    x, y = [2, 2, 2, 0, 1, 0, 0, 2], [2, 2, 1, 1, 1, 2, 0, 2]
    row = sc.compare(x, y)["adjusted_element_centric_index"]
    assert 0.0 < abs(row.value) < 1e-12   # 0 in exact arithmetic
    printed = str(sc.compare(x, y, measures=row.name))
    assert re.search(rf"{row.name} +0\.0000 ", printed)
    assert "e-1" not in printed
    assert "e-1" not in str(sc.compare_all([x, y], measure=row.name))
    assert "-0.0000" not in sc.tabulate([sc.compare(x, y, measures=row.name)]).as_text()
    from softclust.results.text import amount
    assert (amount(-3.4e-16), amount(-3.4e-8)) == ("0.0000", "-3.4e-08")


def test_an_explanation_has_a_form_for_notebooks():
    why = sc.explain([0, 0, 1, 1], [0, 1, 1, 1], "rand_index")
    assert why._repr_html_() == why.summary().as_html()
    assert "<table" in why._repr_html_()


def test_named_sides_of_different_objects_are_told_how_to_match():
    x, y = {"a": 0, "b": 0, "c": 1}, {"a": 1, "b": 0}
    for call in (sc.rand_index, sc.compare, lambda a, b: sc.chance(a, b, "ARI"),
                 lambda a, b: sc.compare_all({"a": a, "b": b})):
        with pytest.raises(sc.ClusteringError, match='objects="common" matches them by name'):
            call(x, y)
    with pytest.raises(sc.ClusteringError, match=r"objects are needed$"):
        sc.rand_index([0, 0, 1], [0, 1])


def test_objects_lost_by_one_of_several_lead_to_pairs():
    gaps = {"a": [0, 0, 1, None], "b": [0, 1, None, None], "c": [None, None, 1, 1]}
    with pytest.raises(sc.ClusteringError, match=r'compare_all\(missing="drop", drop="pair"\)'):
        sc.compare_all(gaps, missing="drop")
    assert sc.compare_all(gaps, missing="drop", drop="pair")["a", "b"] == sc.adjusted_rand_index(
        [0, 0], [0, 1])
