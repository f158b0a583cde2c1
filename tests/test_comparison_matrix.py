"""compare_all() and its record: values, triangles, diagonal, messages, charts, circles."""

import dataclasses
import math
import pickle

import naive
import numpy as np
import pandas as pd
import pytest
from toy_measures import toy

import softclust as sc
from softclust.comparison.matrix import _usual
from softclust.comparison.pairs import Together
from softclust.measures import _registry
from softclust.measures._registry import Claim

RUNS = {
    "hard": sc.HardClustering([0, 0, 1, 1, 2]),
    "rough": sc.RoughClustering.from_upper([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1]]),
    "fuzzy": sc.FuzzyClustering([[1, 0, 0], [.5, .5, 0], [0, 1, 0], [0, .25, .75], [0, 0, 1]]),
    "possibilistic": sc.PossibilisticClustering(
        [[1, 0, 0], [1, .5, 0], [0, 1, 0], [0, .25, 1], [0, 0, .5]]),
    "evidential": sc.EvidentialClustering.from_dicts(
        [{0: 1.0}, {(0, 1): 1.0}, {1: .5, (): .5}, {(1, 2): .5, (0, 1, 2): .5}, {2: 1.0}]),
}
HARD = {"a": [0, 0, 1, 1], "b": [0, 0, 1, 2], "c": [0, 1, 0, 1]}


@pytest.fixture
def registry():
    before = dict(_registry._REGISTRY)
    yield _registry._REGISTRY
    _registry._REGISTRY.clear()
    _registry._REGISTRY.update(before)


def two_sided():
    table = sc.list_measures()
    # measures with records (transport) take no empty set; tests/extensions/transport/ has them
    return [name for name in table.index
            if sc.get_measure(name).in_compare and sc.get_measure(name).shown is None
            and name != "adjusted_alpha_rand_index"]   # no exact form with mass on the empty set


@pytest.mark.parametrize("name", two_sided())
def test_every_entry_is_the_measure_of_its_pair(name):
    m = sc.get_measure(name)
    runs = {k: x for k, x in RUNS.items() if k in m.kinds} | {"other": [0, 1, 1, 2, 2]}
    matrix = sc.compare_all(runs, measure=name)
    assert matrix.names == tuple(runs)
    for a in runs:
        for b in runs:
            expected = m.function(runs[a], runs[b])
            found = matrix[a, b]
            assert isinstance(found, sc.Interval) == isinstance(expected, sc.Interval)
            if not isinstance(expected, sc.Interval):
                expected, found = sc.Interval(expected, expected), sc.Interval(found, found)
            # the mirror image of a symmetric measure may differ in the last bits
            assert found.low == pytest.approx(expected.low, abs=1e-12), (a, b)
            assert found.high == pytest.approx(expected.high, abs=1e-12), (a, b)
    assert matrix.sense == m.sense


def test_numbers_agree_with_the_definition():
    matrix = sc.compare_all(HARD, measure="rand_index")
    expected = [[float(naive.rand_index(x, y)) for y in HARD.values()] for x in HARD.values()]
    np.testing.assert_allclose(matrix.value, expected, atol=1e-15)
    assert (matrix.value == matrix.lower).all()
    assert (matrix.value == matrix.upper).all()
    assert not matrix.interval_valued


def test_intervals_have_no_value():
    matrix = sc.compare_all(RUNS)
    assert matrix.interval_valued
    assert np.isnan(matrix.value).all()
    assert (matrix.lower <= matrix.upper).all()
    assert (matrix.lower == matrix.lower.T).all()
    assert matrix["hard", "rough"] == sc.alpha_rand_interval(RUNS["hard"], RUNS["rough"])


def test_options_reach_the_measure():
    matrix = sc.compare_all(RUNS, measure="alpha_rand_index", alpha=0.2)
    assert matrix.label == "alpha_rand_index (alpha=0.2)"
    assert matrix["rough", "fuzzy"] == sc.alpha_rand_index(RUNS["rough"], RUNS["fuzzy"], alpha=0.2)


def test_each_clustering_is_converted_once(monkeypatch):
    from softclust.clusterings import ensemble
    seen = []
    real = ensemble.as_clustering
    monkeypatch.setattr(ensemble, "as_clustering", lambda x, **k: seen.append(x) or real(x, **k))
    sc.compare_all(HARD, measure="rand_index")
    assert len(seen) == 3


def test_ensembles_lists_and_frames():
    one = sc.compare_all(sc.Ensemble(HARD), measure="rand_index")
    two = sc.compare_all(list(HARD.values()), measure="rand_index", names=["a", "b", "c"])
    three = sc.compare_all(pd.DataFrame(HARD), measure="rand_index")
    assert one.names == two.names == three.names
    assert (one.value == two.value).all()
    assert (one.value == three.value).all()
    assert sc.compare_all([[0, 1]], measure="rand_index").value.tolist() == [[1.0]]


# -- symmetry and the diagonal ----------------------------------------------------------------
def first_labels(source, *, order="down"):
    of_x, of_y = source.n_clusters
    return float(of_x - 2 * of_y)


def test_asymmetric_measures_fill_both_triangles(registry):
    toy(first_labels, bounds=(None, None))
    matrix = sc.compare_all(HARD, measure="toy_index")
    assert not matrix.symmetric
    assert matrix["a", "b"] == 2 - 6
    assert matrix["b", "a"] == 3 - 4
    assert "not symmetric" in str(matrix)
    with pytest.raises(sc.ClusteringError, match="toy_index is not symmetric"):
        matrix.mds()


@pytest.mark.parametrize(("claim", "options", "symmetric"), [
    (Claim(name="symmetric"), {}, True),
    (Claim(name="symmetric", options={"order": ("down",)}), {}, True),
    (Claim(name="symmetric", options={"order": ("down",)}), {"order": "up"}, False),
    (Claim(name="symmetric", options={"order": (0.5, 1.0)}), {"order": 0.7}, True),
    (Claim(name="symmetric", options={"order": (0.5, 1.0)}), {"order": 0.2}, False),
    (Claim(name="symmetric", kinds=("fuzzy",)), {}, False),
    (Claim(name="symmetric", max_clusters=2), {}, False),
    (Claim(name="reflexive"), {}, False),
])
def test_symmetry_is_taken_from_the_claim_and_its_condition(registry, claim, options, symmetric):
    toy(first_labels, properties=(claim,), bounds=(None, None))
    assert sc.compare_all(HARD, measure="toy_index", **options).symmetric is symmetric


def test_the_diagonal_is_computed():
    # The conflict of a fuzzy clustering with itself is not 0.
    matrix = sc.compare_all(RUNS, measure="credal_rand_index", distance="conflict")
    assert matrix["hard", "hard"] == 1.0
    own = sc.credal_rand_index(RUNS["fuzzy"], RUNS["fuzzy"], distance="conflict")
    assert matrix["fuzzy", "fuzzy"] == own < 1.0
    with pytest.raises(sc.ClusteringError, match="not at its best for 'fuzzy' and itself"):
        sc.compare_all({k: RUNS[k] for k in ("hard", "fuzzy")}, measure="credal_rand_index",
                       distance="conflict").mds()


# -- refusals ---------------------------------------------------------------------------------
def test_kinds_are_checked_before_anything_is_computed(monkeypatch):
    from softclust.comparison import matrix as comparison_matrix
    monkeypatch.setattr(comparison_matrix, "evaluate_pairs",
                        lambda *args: pytest.fail("computed before the check"))
    with pytest.raises(sc.ClusteringError, match=r"rand_index takes hard clusterings; 'rough' is "
                                                 r"rough, 'fuzzy' is fuzzy.*harden\(\)"):
        sc.compare_all({k: RUNS[k] for k in ("hard", "rough", "fuzzy")}, measure="rand_index")
    many = {str(i): RUNS["fuzzy"] for i in range(9)}
    with pytest.raises(sc.ClusteringError, match="and 4 more are not"):
        sc.compare_all(many, measure="rand_index")


@pytest.mark.parametrize(("given", "options", "error", "message"), [
    (HARD, {"measure": "rand"}, ValueError, "no measure 'rand'; similar"),
    (HARD, {"measure": "nonspecificity"}, ValueError, "measure of one clustering"),
    (HARD, {"measure": "rand_index", "alpha": 0.5}, TypeError, "no option 'alpha'; it has none"),
    (HARD, {"beta": 0.5}, TypeError, "no option 'beta'; its options are model, fixed"),
    (HARD, {"measure": "alpha_rand_index", "alpha": 2}, ValueError, "alpha is 2"),
    ([[0], [0]], {}, sc.ClusteringError, "1 object; at least 2"),
    ([], {}, sc.ClusteringError, "empty"),
    ([[0, 1], [0, 1, 2]], {}, sc.ClusteringError, "3 objects"),
    (HARD, {"progress": "yes"}, TypeError, "progress is 'yes'"),
])
def test_messages(given, options, error, message):
    with pytest.raises(error, match=message):
        sc.compare_all(given, **options)


def test_records_are_refused(registry):
    toy(lambda source: "text", kinds=("hard",))
    with pytest.raises(ValueError, match="toy_index gives a str, not a number"):
        sc.compare_all(HARD, measure="toy_index")


def test_undefined_entries_are_noted():
    runs = {"one": [0, 0, 0], "single": [0, 1, 2]}
    matrix = sc.compare_all(runs, measure="fowlkes_mallows_index")
    assert math.isnan(matrix["one", "single"])
    assert matrix.notes
    assert matrix.notes[0].startswith("one, single: ")
    many = sc.compare_all(runs | {f"s{i}": [0, 1, 2] for i in range(4)},
                          measure="fowlkes_mallows_index")
    assert len(many.notes) == 1
    assert many.notes[0].startswith("one, single; one, s0; one, s1 and 2 more pairs: fowlkes")
    assert "undefined" in str(matrix)
    with pytest.raises(sc.ClusteringError, match="undefined for 'one' and 'single'"):
        matrix.mds()


def test_progress():
    seen = []
    sc.compare_all(HARD, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(k, 6) for k in range(1, 7)]


@pytest.mark.parametrize(("kinds", "measure"), [
    (["hard"], "adjusted_rand_index"), (["hard", "fuzzy"], "frobenius_adjusted_rand_index"),
    (["hard", "possibilistic"], "frobenius_adjusted_rand_index"),
    (["hard", "rough", "fuzzy"], "adjusted_alpha_rand_index"),
    # the evidential one has mass on the empty set: no exact expectation
    (["hard", "fuzzy", "evidential"], "alpha_rand_interval")])
def test_the_default_is_corrected_for_chance(kinds, measure):
    rng = np.random.default_rng(4)
    runs = {k: RUNS[k] for k in kinds} | {"random": rng.integers(4, size=5)}
    matrix = sc.compare_all(runs)
    assert matrix.measure == measure
    assert matrix.symmetric
    if measure.endswith("index"):
        np.testing.assert_allclose(np.diag(matrix.value), 1.0, atol=1e-12)
        matrix.mds(rng=0, n_init=2)
    with pytest.raises((TypeError, ValueError), match=r"rng|draws nothing"):
        sc.compare_all(runs, rng=1)


def test_the_default_of_many_objects_is_quick():
    rng = np.random.default_rng(0)
    hard, upper = rng.integers(3, size=3000), rng.random((3000, 3)) < 0.6
    upper[np.arange(3000), hard] = True
    rough = sc.RoughClustering.from_upper(upper)
    fuzzy = rng.dirichlet(np.ones(3), 3000)
    assert sc.compare_all([hard, rough]).measure == "adjusted_alpha_rand_index"
    assert sc.compare_all([hard, hard[::-1], [0, 1, 2] * 1000]).value[0, 1] == pytest.approx(
        0.0, abs=0.01)
    assert sc.compare_all([hard, fuzzy]).measure == "frobenius_adjusted_rand_index"
    assert _usual(Together(sc.Ensemble([rough, fuzzy])), 3000).name == "alpha_rand_interval"


def test_progress_bar(capsys):
    sc.compare_all(HARD, progress=True)
    assert "adjusted_rand_index" in capsys.readouterr().err


# -- the record -------------------------------------------------------------------------------
def test_record():
    matrix = sc.compare_all(RUNS)
    assert len(matrix) == 5
    assert matrix.n_objects == 5
    assert matrix.kinds == tuple(RUNS)
    with pytest.raises(dataclasses.FrozenInstanceError):
        matrix.measure = "x"
    with pytest.raises(ValueError, match="read-only"):
        matrix.lower[0, 0] = 2.0
    again = pickle.loads(pickle.dumps(matrix))
    assert (again.lower == matrix.lower).all()
    with pytest.raises(KeyError, match="no clustering is called 'x'; the names are 'hard'"):
        matrix["hard", "x"]
    with pytest.raises(TypeError, match="not a pair of names"):
        matrix["hard"]


def test_table_and_frame():
    matrix = sc.compare_all({k: RUNS[k] for k in ("hard", "rough")}, measure="alpha_rand_interval")
    low, high = matrix["hard", "rough"].low, matrix["hard", "rough"].high
    text = str(matrix)
    assert text.count(f"[{low:.3f}, {high:.3f}]") == 1   # the other triangle is left out
    assert "Agreement: larger is more alike." in text
    assert "<table" in matrix._repr_html_()
    frame = matrix.to_frame()
    assert frame.shape == (4, 5)
    assert frame.loc[("rough", "hard"), "upper"] == high
    assert frame.loc[("rough", "hard"), "kind_x"] == "rough"


def test_circles():
    matrix = sc.compare_all(RUNS)
    circles = matrix.mds(rng=0, n_init=4)
    assert circles.names == matrix.names
    off = ~np.eye(5, dtype=bool)
    np.testing.assert_allclose(circles.lower[off], (1 - matrix.upper)[off], atol=1e-15)
    np.testing.assert_allclose(circles.upper[off], (1 - matrix.lower)[off], atol=1e-15)
    distances = sc.compare_all(RUNS, measure="alpha_partition_interval")
    # a dissimilarity goes in as it is, also above 1
    np.testing.assert_allclose(distances.mds(rng=0, n_init=2).upper[off], distances.upper[off])
    with pytest.raises(sc.ClusteringError, match="agreement whose best value is not 1"):
        sc.compare_all(HARD, measure="mutual_information").mds()


def test_heat_map():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    matrix = sc.compare_all(RUNS)
    ax = matrix.plot()
    assert [t.get_text() for t in ax.get_xticklabels()] == list(RUNS)
    shown = [(i, j) for i in range(5) for j in range(i)]   # below the diagonal
    assert [t.get_text() for t in ax.texts] == [
        matrix.text(i, j) for i in range(5) for j in range(i + 1)], "the diagonal has no colour"
    cells = ax.collections[0]
    expected = []   # two halves of an interval, the upper first; one square of a number
    for at in shown:
        low, high = matrix.lower[at], matrix.upper[at]
        expected += [low] if low == high else [high, low]
    assert len(expected) > len(shown)
    np.testing.assert_array_equal(cells.get_array(), expected)
    assert len(cells.get_paths()) == len(expected)
    apart = np.tril(np.ones((5, 5), bool), -1)
    # Colours run over the values of different clusterings.
    assert cells.get_clim() == (matrix.lower[apart].min(), matrix.upper[apart].max())
    assert cells.get_cmap().name == "Blues"
    _, given = plt.subplots()
    undefined = sc.compare_all({"one": [0, 0, 0], "single": [0, 1, 2]},
                               measure="fowlkes_mallows_index")
    assert undefined.plot(ax=given) is given
    assert given.collections[0].get_array().mask.any()
    assert len(given.collections[0].get_paths()) == 1
    plt.close("all")


def test_prints_of_many_clusterings_are_shortened():
    rng = np.random.default_rng(0)
    matrix = sc.compare_all([rng.integers(0, 3, 40) for _ in range(30)], measure="rand_index")
    text = str(matrix)
    assert len(text.splitlines()) < 20
    assert max(map(len, text.splitlines())) < 140
    assert "The first and the last 6 of 30 clusterings are shown" in " ".join(text.split())
    assert len(matrix.summary().as_text().splitlines()) > 30
    assert len(matrix._repr_html_()) == len(matrix.summary().as_html())
