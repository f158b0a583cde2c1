"""chance(): permutations of the objects, adjusted values, p-values, workers, interrupts."""

import itertools
import pickle
import signal
import warnings
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import numpy as np
import pytest

import softclust as sc

X = [0, 0, 1, 1, 2, 2]
Y = [0, 0, 1, 2, 2, 2]
EVERY = np.array(list(itertools.permutations(range(6))))
FUZZY = sc.FuzzyClustering([[1, 0], [.8, .2], [.5, .5], [.3, .7], [0, 1], [.1, .9]])
ROUGH = sc.RoughClustering.from_upper([[1, 0], [1, 1], [0, 1], [1, 0], [0, 1], [1, 1]])


class Pickling(Executor):
    """Runs here what it pickled, as a worker of another process would get it."""

    _max_workers = 2

    def __init__(self):
        self.sizes = []

    def submit(self, function, *args):
        data = pickle.dumps((function, args))
        self.sizes.append(len(data))
        function, args = pickle.loads(data)
        future = Future()
        future.set_result(function(*args))
        return future


def by_definition(x, y, name, rows, **options):
    """Values for each permutation by single calls on clusterings of permuted objects."""
    x, y = sc.as_clustering(x), sc.as_clustering(y)
    return [getattr(sc, name)(x, y.subset(row), **options) for row in rows]


@pytest.mark.parametrize("name", ["rand_index", "jaccard_index", "fowlkes_mallows_index",
                                  "variation_of_information", "partition_distance",
                                  "normalized_mutual_information", "adjusted_rand_index"])
def test_rows_are_single_calls_on_permuted_objects(name):
    result = sc.chance(X, Y, name, indices=EVERY[::17])
    values = by_definition(X, Y, name, EVERY[::17])
    assert result.null[:, 0].tolist() == values
    row = result[name]
    assert row.observed == getattr(sc, name)(X, Y)
    assert row.mean == pytest.approx(np.mean(values), abs=1e-15)
    assert row.sd == pytest.approx(np.std(values, ddof=1), abs=1e-15)


@pytest.mark.parametrize("name", ["euclidean_membership_distance", "comembership_dissimilarity",
                                  "frobenius_adjusted_rand_index", "fuzzy_rand_index",
                                  "alpha_partition_dissimilarity"])
def test_soft_measures_that_keep_what_belongs_to_one_side(name):
    other = sc.FuzzyClustering(1 - FUZZY.membership[::-1])
    result = sc.chance(FUZZY, other, name, indices=EVERY[::61])
    assert result.null[:, 0].tolist() == by_definition(FUZZY, other, name, EVERY[::61])


@pytest.mark.parametrize("x", [X, FUZZY, ROUGH], ids=["hard", "fuzzy", "rough"])
@pytest.mark.parametrize("y", [Y, FUZZY, ROUGH], ids=["hard", "fuzzy", "rough"])
def test_soft_kinds_and_intervals(x, y):
    rows = EVERY[::97]
    result = sc.chance(x, y, "alpha_rand_interval", indices=rows)
    values = by_definition(x, y, "alpha_rand_interval", rows)
    assert result.null.tolist() == [[v.low, v.high] for v in values]
    assert result.ends == ("low", "high")
    observed = sc.alpha_rand_interval(x, y)
    assert [row.observed for row in result] == [observed.low, observed.high]


def test_over_all_permutations_the_adjusted_rand_index_is_the_adjusted_rand_index():
    result = sc.chance(X, Y, "rand_index", indices=EVERY)
    # a mean of 720 numbers in [0, 1]: some units in the last place
    assert result["rand_index"].adjusted == pytest.approx(sc.adjusted_rand_index(X, Y), abs=1e-13)
    mutual = sc.chance(X, Y, "mutual_information", indices=EVERY)["mutual_information"]
    mean = np.mean(by_definition(X, Y, "mutual_information", EVERY))
    assert mutual.mean == pytest.approx(mean, abs=1e-14)


def test_p_values_count_the_permutations_that_are_as_alike():
    result = sc.chance(X, Y, ["rand_index", "partition_distance"], indices=EVERY)
    values = np.array(by_definition(X, Y, "rand_index", EVERY))
    alike = (values >= sc.rand_index(X, Y) - 1e-12).sum()
    assert result["rand_index"].p_value == (1 + alike) / 721
    values = np.array(by_definition(X, Y, "partition_distance", EVERY))
    alike = (values <= sc.partition_distance(X, Y) + 1e-12).sum()
    assert result["partition_distance"].p_value == (1 + alike) / 721


def test_the_adjusted_value_is_1_at_the_best_and_in_the_sense_of_the_measure():
    same = sc.chance(X, X, ["rand_index", "variation_of_information"], n_permutations=50, rng=0)
    assert same.adjusted.tolist() == [1.0, 1.0]
    worse = sc.chance(X, Y, ["variation_of_information"], indices=EVERY)
    assert 0.0 < worse.adjusted[0] < 1.0


def test_p_values_are_small_for_alike_and_large_for_independent_clusterings():
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 3, 200), rng.integers(0, 3, 200)
    near = np.where(rng.random(200) < 0.2, rng.integers(0, 3, 200), x)
    assert sc.chance(x, near, "rand_index", rng=0, n_permutations=199).p_value[0] == 1 / 200
    assert sc.chance(x, y, "rand_index", rng=0, n_permutations=199).p_value[0] > 0.05


def test_options_are_given_by_a_mapping():
    result = sc.chance(X, FUZZY, {"alpha_rand_index": {"alpha": 0.2}, "alpha_rand_interval": {}},
                       rng=1, n_permutations=9)
    assert result["alpha_rand_index"].observed == sc.alpha_rand_index(X, FUZZY, alpha=0.2)
    assert result["alpha_rand_index"].label == "alpha_rand_index (alpha=0.2)"
    assert len(result) == 3


def test_measures_share_the_permutations():
    both = sc.chance(X, Y, ["rand_index", "jaccard_index"], rng=5, n_permutations=30)
    one = sc.chance(X, Y, "jaccard_index", rng=5, n_permutations=30)
    assert both["jaccard_index"].null.tolist() == one.null[:, 0].tolist()


def test_bits_do_not_depend_on_workers_or_the_number_of_permutations():
    here = sc.chance(X, FUZZY, "alpha_rand_interval", rng=7, n_permutations=40)
    with ThreadPoolExecutor(2) as pool:
        threads = sc.chance(X, FUZZY, "alpha_rand_interval", rng=7, n_permutations=40,
                            executor=pool)
    far = sc.chance(X, FUZZY, "alpha_rand_interval", rng=7, n_permutations=40,
                    executor=Pickling())
    longer = sc.chance(X, FUZZY, "alpha_rand_interval", rng=7, n_permutations=60)
    assert here.null.tobytes() == threads.null.tobytes() == far.null.tobytes()
    assert longer.null[:40].tobytes() == here.null.tobytes()
    assert sc.chance(X, FUZZY, "alpha_rand_interval", rng=8,
                     n_permutations=40).null.tobytes() != here.null.tobytes()


def test_workers_get_the_permutations_of_their_chunk_only():
    rng = np.random.default_rng(0)
    rows = np.array([rng.permutation(500) for _ in range(60)])
    x, y = rng.integers(0, 3, 500), rng.integers(0, 3, 500)
    executor = Pickling()
    far = sc.chance(x, y, "rand_index", indices=rows, executor=executor)
    assert far.null.tobytes() == sc.chance(x, y, "rand_index", indices=rows).null.tobytes()
    assert max(executor.sizes) < 0.8 * rows.nbytes


def test_ctrl_c_keeps_what_was_finished():
    def stop(done, total):
        if done == 12:
            signal.raise_signal(signal.SIGINT)

    with pytest.warns(sc.IncompleteWarning, match="after 12 of 100"):
        part = sc.chance(X, Y, "rand_index", rng=2, n_permutations=100, progress=stop,
                         method="permutations")
    whole = sc.chance(X, Y, "rand_index", rng=2, n_permutations=100, method="permutations")
    assert part.n_permutations == 12
    assert part.n_requested == 100
    assert part.null.tobytes() == whole.null[:12].tobytes()
    assert "interrupted" in str(part)


def test_undefined_permutations_are_counted_and_said():
    # Katz-Powell of two clusterings is 0/0 when one joins all objects
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = sc.chance([0, 0, 0, 0], [0, 0, 1, 1], "katz_powell_index", n_permutations=5,
                           rng=0)
    assert np.isnan(result.observed[0])
    assert np.isnan(result.p_value[0])
    assert np.isnan(result.null).all()
    assert any("undefined in 5 of 5" in note for note in result.notes)
    assert "undefined" in str(result)


def test_a_constant_null_has_no_adjusted_value():
    one = [0] * 5
    result = sc.chance(one, one, "rand_index", n_permutations=9, rng=0)
    assert np.isnan(result.adjusted[0])
    assert result.p_value[0] == 1.0


def test_to_frame_and_summary():
    result = sc.chance(X, ROUGH, ["alpha_rand_interval", "alpha_rand_index"], n_permutations=20,
                       rng=0)
    frame = result.to_frame()
    assert frame.index.tolist() == [("alpha_rand_interval", "low"),
                                    ("alpha_rand_interval", "high"),
                                    ("alpha_rand_index", "value")]
    assert (frame["n_permutations"] == 20).all()
    assert "alpha_rand_interval, low end" in str(result)
    assert "<table" in result._repr_html_()
    with pytest.raises(KeyError, match="gives intervals"):
        result["alpha_rand_interval"]
    with pytest.raises(KeyError, match="no row 'rand_index'"):
        result["rand_index"]
    assert pickle.loads(pickle.dumps(result)).null.tobytes() == result.null.tobytes()


def test_plot_has_a_strip_for_each_row():
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt
    one = sc.chance(X, ROUGH, "alpha_rand_interval", n_permutations=30, rng=0)
    ax = one.plot()
    assert [line.get_gid() for line in ax.lines].count("observed") == 2
    far = sc.chance([0, 1] * 40, [0, 1] * 40, "rand_index", n_permutations=30, rng=0)
    ax = far.plot()
    assert "observed" not in [line.get_gid() for line in ax.lines], "no place inside the frame"
    assert [t.get_text()[:4] for t in ax.texts if t.get_gid() == "observed"] == ["1.00"]
    several = sc.chance(X, Y, ["rand_index", "variation_of_information"], n_permutations=30,
                        rng=0)
    _, given = plt.subplots()
    assert several.plot(ax=given) is given
    assert "standard deviations" in given.get_xlabel()
    undefined = sc.chance([0, 0, 0, 0], [0, 0, 1, 1], "katz_powell_index", n_permutations=5, rng=0)
    undefined.plot()
    plt.close("all")


@pytest.mark.parametrize(("change", "error", "message"), [
    ({"measure": "no_index"}, ValueError, "there is no measure"),
    ({"measure": []}, ValueError, "measure is empty"),
    ({"measure": ["rand_index", "rand_index"]}, ValueError, "named twice"),
    ({"measure": "nonspecificity"}, ValueError, "one clustering"),
    ({"measure": {"rand_index": {"alpha": 1}}}, TypeError, "no option 'alpha'"),
    ({"y": FUZZY}, sc.ClusteringError, "y is fuzzy"),
    ({"n_permutations": 0}, ValueError, "n_permutations is 0"),
    ({"executor": 3}, TypeError, "executor is 3"),
    ({"indices": [[0, 1, 2]]}, sc.ClusteringError, r"shape \(m, 6\)"),
    ({"indices": [[0, 1, 2, 3, 4, 4]]}, sc.ClusteringError, r"indices\[0\] is not a permutation"),
])
def test_messages(change, error, message):
    given = {"x": X, "y": Y, "measure": "rand_index"} | change
    with pytest.raises(error, match=message):
        sc.chance(given.pop("x"), given.pop("y"), given.pop("measure"), **given)


SAME_N11 = [([0] * 5, [0] * 5), ([0] * 5, [0, 0, 1, 1, 1]), (list(range(5)), [0] * 5),
            (list(range(5)), list(range(5))), ([0, 0, 1, 1, 1], list(range(5)))]


@pytest.mark.parametrize("method", ["tables", "exact", "moments", "permutations"])
@pytest.mark.parametrize("name", ["adjusted_rand_index", "fowlkes_mallows_index",
                                  "katz_powell_index", "rand_distance"])
@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
def test_where_every_order_of_the_objects_is_the_same(name, method):
    for x, y in SAME_N11:
        row = sc.chance(x, y, name, method=method, n_permutations=20, rng=0)[name]
        value = sc.get_measure(name).function(x, y)
        if np.isnan(value):
            assert np.isnan([row.observed, row.p_value]).all()
        else:
            assert row.p_value == 1.0
            assert (row.observed, row.mean) == pytest.approx((value, value), abs=1e-14)


def test_a_wrong_keyword_names_the_near_one_and_functions_are_measures():
    with pytest.raises(TypeError, match="chance has no keyword 'measures'; did you mean 'measure'"):
        sc.chance([0, 0, 1], [0, 1, 1], measures="ARI")
    assert sc.chance([0, 0, 1], [0, 1, 1], sc.rand_index, rng=0)["rand_index"].observed == 1 / 3
