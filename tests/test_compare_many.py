"""compare_all() over shared statistics: the bits of single calls, workers, rng, order."""

import pickle
from concurrent.futures import Executor, Future

import numpy as np
import pytest
from strategies import JIT_OFF
from toy_measures import toy

import softclust as sc
from softclust.measures import _registry
from softclust.soft_pairs.pair_sums import PairSums, sweep_sums

#: objects beyond a tile of columns, so that every branch of the sweep is met (slow without JIT)
N = 300 if not JIT_OFF else 9


class Pickling(Executor):
    """Runs here what it pickled."""

    _max_workers = 2

    def submit(self, function, *args):
        function, args = pickle.loads(pickle.dumps((function, args)))
        future = Future()
        future.set_result(function(*args))
        return future


def all_kinds(n=N, seed=0):
    rng = np.random.default_rng(seed)
    sets = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]], bool)
    upper = np.eye(4, dtype=bool)[rng.integers(0, 4, n)] | (rng.random((n, 4)) < 0.2)
    fuzzy = sc.FuzzyClustering(rng.dirichlet([0.5] * 4, n))
    return {
        "hard": sc.HardClustering(rng.integers(0, 3, n)), "fuzzy": fuzzy, "again": fuzzy,
        "fuzzy 2": sc.FuzzyClustering(rng.dirichlet([0.5, 0.5], n)),
        "fuzzy 5": sc.FuzzyClustering(rng.dirichlet([0.5] * 5, n)),
        "rough": sc.RoughClustering.from_upper(upper),
        "possibilistic": sc.PossibilisticClustering(rng.uniform(0.1, 1.0, (n, 3))),
        "evidential": sc.EvidentialClustering(rng.dirichlet([0.4] * 6, n), sets),
        "normalised": sc.EvidentialClustering(rng.dirichlet([0.4] * 5, n), sets[1:]),
    }


def test_a_sweep_has_the_bits_of_single_pairs():
    runs = list(all_kinds().values())
    pairs = [(i, j) for i in range(len(runs)) for j in range(len(runs))]
    found = sweep_sums(runs, pairs)
    assert {(1, 2), (1, 4), (4, 1), (0, 7)} <= set(found)
    for (i, j), sums in found.items():
        assert sums == PairSums.of(sc.Joint(runs[i], runs[j])), (i, j)


def test_a_sweep_in_groups_has_the_same_bits(monkeypatch):
    runs = [x for name, x in all_kinds(40 if not JIT_OFF else 6, 1).items() if name != "hard"]
    pairs = [(i, j) for i in range(len(runs)) for j in range(i, len(runs))]
    whole = sweep_sums(runs, pairs)
    monkeypatch.setattr("softclust.soft_pairs.pair_sums._GROUP", 2)
    seen = []
    assert sweep_sums(runs, pairs, lambda done, total: seen.append((done, total))) == whole
    assert seen[-1][0] == seen[-1][1]
    assert seen == sorted(seen)


def test_objects_with_equal_rows_take_the_shortcut_of_single_calls():
    rng = np.random.default_rng(2)
    few = rng.dirichlet([1.0] * 3, 4)
    runs = [sc.FuzzyClustering(few[rng.integers(0, 4, 240)]) for _ in range(2)]
    runs.append(sc.FuzzyClustering(rng.dirichlet([1.0] * 3, 240 if not JIT_OFF else 1).repeat(
        1 if not JIT_OFF else 240, axis=0)))
    pairs = [(0, 1), (0, 2), (2, 2)]
    found = sweep_sums(runs, pairs)
    assert {p: s.method for p, s in found.items()} == {
        (i, j): PairSums.of(sc.Joint(runs[i], runs[j])).method for i, j in pairs}
    assert found[0, 1].method == "rows"


@pytest.mark.parametrize("measure", ["alpha_rand_interval", "alpha_rand_index",
                                     "credal_rand_index"])
def test_pair_measures_have_the_bits_of_single_calls(measure):
    runs = all_kinds(70 if not JIT_OFF else 6, 3)
    matrix = sc.compare_all(runs, measure=measure)
    function = getattr(sc, measure)
    names = list(runs)
    for a, i in enumerate(names):
        for j in names[a:]:
            assert matrix[i, j] == function(runs[i], runs[j]), (i, j)


@pytest.mark.parametrize("measure", [
    "euclidean_membership_distance", "euclidean_membership_index", "matched_cosine_index",
    "manhattan_membership_distance", "coclassification_index", "comembership_dissimilarity",
    "gordon_vichi_dissimilarity", "frobenius_rand_index", "frobenius_adjusted_rand_index",
    "anderson_rand_index"])
def test_membership_measures_have_the_bits_of_single_calls(measure):
    rng = np.random.default_rng(4)
    n = 130 if not JIT_OFF else 20
    runs = {f"{c} {k}": sc.FuzzyClustering(rng.dirichlet([0.5] * c, n))
            for c in (2, 4, 5) for k in range(2)}
    runs["hard"] = sc.HardClustering(rng.integers(0, 3, n))
    runs["same"] = runs["4 0"]
    matrix = sc.compare_all(runs, measure=measure)
    function = getattr(sc, measure)
    names = list(runs)
    for a, i in enumerate(names):
        for j in names[a:]:
            assert matrix[i, j] == function(runs[i], runs[j]), (i, j)


def test_workers_give_the_same_bits():
    runs = all_kinds(30 if not JIT_OFF else 6, 5)
    here = sc.compare_all(runs)
    seen = []
    far = sc.compare_all(runs, executor=Pickling(), progress=lambda *d: seen.append(d))
    for end in ("lower", "upper"):
        assert getattr(here, end).tobytes() == getattr(far, end).tobytes()
    assert seen[-1] == (45, 45)
    notes = sc.compare_all([[0, 0, 0], [0, 0, 1]], measure="katz_powell_index")
    assert notes.notes == sc.compare_all([[0, 0, 0], [0, 0, 1]], measure="katz_powell_index",
                                         executor=Pickling()).notes != ()


def test_a_failing_pair_is_named_by_workers():
    with pytest.raises(RuntimeError, match=r"a, a: .*alpha"):
        sc.compare_all({"a": [0, 0, 1], "b": [0, 1, 1]}, measure="alpha_rand_index", alpha=2,
                       executor=Pickling())


def test_each_pair_has_draws_of_its_own(monkeypatch):
    def drawn(source, *, scale=1.0, rng=None):
        return scale * np.random.default_rng(rng).random()

    monkeypatch.setattr(_registry, "_REGISTRY", dict(_registry._REGISTRY))
    toy(drawn, "drawn_index")
    runs = {"a": [0, 0, 1], "b": [0, 1, 1], "c": [0, 1, 2]}
    one = sc.compare_all(runs, measure="drawn_index", rng=1, scale=0.5)
    assert np.unique(one.value).size == 9
    far = sc.compare_all(runs, measure="drawn_index", rng=1, scale=0.5, executor=Pickling())
    assert one.value.tobytes() == far.value.tobytes()
    other = sc.compare_all(runs, measure="drawn_index", rng=2, scale=0.5)
    assert one.value.tobytes() != other.value.tobytes()
    with pytest.raises(TypeError, match="rand_index makes no random draws"):
        sc.compare_all([[0, 1], [0, 0]], measure="rand_index", rng=1)


BLOCKS = {"a": [0, 0, 0, 1, 1, 1], "p": [0, 1, 0, 1, 0, 1], "b": [0, 0, 1, 1, 1, 1],
          "q": [0, 1, 0, 1, 0, 2], "c": [0, 0, 0, 1, 1, 2]}


@pytest.mark.parametrize("measure", ["rand_index", "rand_distance", "alpha_rand_interval",
                                     "wallace_index"])
def test_the_dendrogram_brings_the_alike_together(measure):
    matrix = sc.compare_all(BLOCKS, measure=measure)
    ordered = matrix.ordered()
    assert sorted(ordered.names) == sorted(BLOCKS)
    places = [ordered.names.index(k) for k in "pq"]
    assert abs(places[0] - places[1]) == 1
    assert set(places) in ({0, 1}, {3, 4})
    for x in BLOCKS:
        for y in BLOCKS:
            assert ordered[x, y] == matrix[x, y]
    assert ordered.kinds == ("hard",) * 5


def test_an_order_by_names():
    matrix = sc.compare_all(BLOCKS, measure="rand_index")
    assert matrix.ordered(["q", "p", "c", "b", "a"]).names == ("q", "p", "c", "b", "a")
    with pytest.raises(ValueError, match="each of the names once"):
        matrix.ordered(["a", "b"])
    with pytest.raises(ValueError, match="order='size' is not known"):
        matrix.ordered("size")
    undefined = sc.compare_all([[0, 0, 0], [0, 0, 1], [0, 1, 2]], measure="katz_powell_index")
    with pytest.raises(sc.ClusteringError, match="a dendrogram needs every entry"):
        undefined.ordered()
    two = sc.compare_all([[0, 0, 1], [0, 1, 1]], measure="rand_index")
    assert two.ordered().names == two.names


def test_plots_take_an_order_or_are_circles():
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt
    matrix = sc.compare_all(BLOCKS)
    ax = matrix.plot(order="dendrogram")
    assert tuple(t.get_text() for t in ax.get_xticklabels()) == matrix.ordered().names
    assert matrix.plot(kind="circles", rng=0, n_init=1).get_aspect() == 1.0
    rng = np.random.default_rng(0)
    many = sc.compare_all([rng.integers(0, 3, 8) for _ in range(18)], measure="rand_index")
    assert not many.plot(order="dendrogram").texts
    with pytest.raises(ValueError, match="circles have no order"):
        matrix.plot(kind="circles", order="dendrogram")
    with pytest.raises(TypeError, match="no option 'n_init'"):
        matrix.plot(n_init=2)
    with pytest.raises(ValueError, match="kind='tree'"):
        matrix.plot(kind="tree")
    plt.close("all")


# -- hard clusterings in one sweep --------------------------------------------------------------
def of_pair_counts():
    from softclust.tables.pair_counts import PairCounts
    return [name for name, m in _registry.registry().items()
            if m.statistic is not None and issubclass(m.statistic, PairCounts)]


def hard_runs(n, many=12, seed=0):
    """Clusterings of few and many clusters, among them all that is degenerate."""
    rng = np.random.default_rng(seed)
    runs = [rng.integers(0, k, n) for k in rng.integers(2, 9, many - 4)]
    runs += [np.zeros(n, int), runs[0], 7 - runs[0], np.minimum(np.arange(n), n // 2)]
    return runs


@pytest.mark.parametrize("n", [30, 700 if not JIT_OFF else 40])
def test_hard_clusterings_in_one_sweep_have_the_bits_of_single_calls(n, monkeypatch):
    from softclust.comparison import pairs
    monkeypatch.setattr(pairs, "_SWEPT_OBJECTS", 1)
    runs = hard_runs(n)
    assert len(of_pair_counts()) > 5
    for name in of_pair_counts():
        swept = sc.compare_all(runs, measure=name)
        with monkeypatch.context() as single:
            single.setattr(pairs, "_SWEPT_PAIRS", 10**9)
            one = sc.compare_all(runs, measure=name)
        np.testing.assert_array_equal(swept.value, one.value)
        np.testing.assert_array_equal(swept.lower, one.lower)
        assert swept.notes == one.notes
    # Counts too large for products in float64 go through Python's integers.
    monkeypatch.setattr(pairs, "_EXACT_PAIRS", 0)
    for name in of_pair_counts():
        exact = sc.compare_all(runs, measure=name)
        with monkeypatch.context() as single:
            single.setattr(pairs, "_SWEPT_PAIRS", 10**9)
            one = sc.compare_all(runs, measure=name)
        np.testing.assert_array_equal(exact.value, one.value)
        assert exact.notes == one.notes


def test_partial_runs_in_one_sweep(monkeypatch):
    from softclust.comparison import pairs
    rng = np.random.default_rng(3)
    labels = np.where(rng.random((11, 60)) < 0.6, rng.integers(0, 4, (11, 60)), -1)
    labels[0, 30:], labels[1, :29], labels[2, :59] = -1, -1, -1
    labels[:3, 59], labels[0, 29] = 0, 1
    runs = sc.Ensemble.from_runs(labels)
    for name in ("adjusted_rand_index", "wallace_index"):
        one = sc.compare_all(runs, measure=name)
        monkeypatch.setattr(pairs, "_SWEPT_OBJECTS", 1)
        swept = sc.compare_all(runs, measure=name)
        monkeypatch.undo()
        np.testing.assert_array_equal(swept.value, one.value)
        assert swept.notes == one.notes
        assert any("fewer than 2 objects" in note for note in swept.notes)


@pytest.mark.parametrize("width", [4, 20])
def test_tables_of_pairs_are_counted(width):
    from softclust.tables.counting import sweep_tables
    rng = np.random.default_rng(width)
    labels = rng.integers(-1, width, (5, 130))
    labels[0, 0] = width - 1
    pairs = np.array([(i, j) for i in range(5) for j in range(5)])
    found = np.zeros((25, width, width), int)

    def use(first, tables):
        found[first:first + len(tables)] = tables

    assert sweep_tables(labels, pairs, use)
    for (i, j), table in zip(pairs, found):
        expected = np.zeros((width, width), int)
        for k, m in zip(labels[i], labels[j]):
            if k >= 0 and m >= 0:
                expected[k, m] += 1
        np.testing.assert_array_equal(table, expected)
    labels[0, 0] = 200   # a table of 201 by 201 cells is large beside 130 objects
    assert not sweep_tables(labels, pairs, use)
