"""Input as people have it, at the edges of the door: precision, sets, sizes, wrong arguments."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import softclust as sc
from softclust._checks import MAX_MESSAGE, check_choice, shortened, shown
from softclust.cli import main
from softclust.running.random_numbers import as_generator

ROWS = np.random.default_rng(0).dirichlet(np.ones(6), 400)


# -- precision --------------------------------------------------------------------------------
@pytest.mark.parametrize("given", [
    ROWS.astype(np.float32), pd.DataFrame(ROWS).astype(np.float32), list(ROWS.astype(np.float32))],
    ids=["array", "frame", "list of rows"])
def test_single_precision_is_divided_by_its_sums(given):
    assert np.abs(np.asarray(given, dtype=float).sum(axis=1) - 1).max() > 1e-8
    x = sc.as_clustering(given)
    assert x.kind == "fuzzy"
    assert np.abs(x.membership.sum(axis=1) - 1).max() < 4e-16
    assert np.array_equal(sc.FuzzyClustering(given).membership, x.membership)


def test_masses_in_single_precision():
    rows = ROWS[:, :4].copy()
    rows /= rows.sum(axis=1, keepdims=True)
    for given in (rows.astype(np.float32), pd.DataFrame(rows.astype(np.float32))):
        mass = sc.as_clustering(given, "evidential").mass
        assert np.abs(mass.sum(axis=1) - 1).max() < 4e-16


def test_double_precision_rows_are_never_rescaled():
    rows = ROWS.copy()
    rows[0, 0] += 5e-9
    assert np.array_equal(sc.as_clustering(rows).membership, rows)
    rows[0, 0] += 5e-8
    with pytest.raises(sc.ClusteringError, match=r'rounded.*normalize="rows".*--normalize'):
        sc.as_clustering(rows)
    with pytest.raises(sc.ClusteringError, match=r'rounded.*normalize="rows".*--normalize'):
        sc.FuzzyClustering(rows)


def test_single_precision_beyond_rounding_is_an_error():
    rows = ROWS.astype(np.float32)
    rows[3, 0] += 1e-4
    with pytest.raises(sc.ClusteringError, match="row 3 "):
        sc.as_clustering(rows)


def test_rounded_rows_on_request():
    rounded = pd.DataFrame(ROWS.round(4), index=[f"o{i}" for i in range(400)],
                           columns=list("abcdef"))
    x = sc.as_clustering(rounded, normalize="rows")
    assert x.cluster_names == tuple("abcdef")
    assert x.object_names[399] == "o399"
    assert np.abs(x.membership - rounded / rounded.to_numpy().sum(axis=1, keepdims=True)
                  ).to_numpy().max() < 1e-15
    mass = sc.as_clustering(ROWS[:, :4], "evidential", normalize="rows").mass
    assert np.abs(mass.sum(axis=1) - 1).max() < 4e-16
    huge = sc.as_clustering([[1e308, 1e308], [1e-320, 0.0]], normalize="rows").membership
    assert huge.tolist() == [[0.5, 0.5], [1.0, 0.0]]


@pytest.mark.parametrize(("given", "kind", "text"), [
    ([[0.5, 0.4], [0.0, 0.0]], None, "row 1 sums to 0"),
    ([[0.5, -0.4]], None, "numbers >= 0"), ([[1, 1]], None, 'say kind="fuzzy"'),
    ([0, 1], None, "hard clustering; leave it out"),
    ([[0.5, 0.4]], "possibilistic", "not for possibilistic"),
    (sc.HardClustering([0, 1]), None, "leave it out")])
def test_rows_that_cannot_be_divided(given, kind, text):
    with pytest.raises(sc.ClusteringError, match=text):
        sc.as_clustering(given, kind, normalize="rows")
    with pytest.raises(ValueError, match="normalize='columns' is not known"):
        sc.as_clustering(given, kind, normalize="columns")


def test_normalize_on_the_command_line(tmp_path, capsys):
    path = tmp_path / "x.csv"
    pd.DataFrame(ROWS.round(4), columns=list("abcdef")).to_csv(path)
    assert main(["compare", str(path), str(path), "--measures", "rand_index"]) == 1
    assert "--normalize" in capsys.readouterr().err
    assert main(["compare", str(path), str(path), "--normalize", "--measures",
                 "alpha_rand_index"]) == 0


# -- sets and mappings -------------------------------------------------------------------------
def test_lists_of_sets_are_clusters():
    x = sc.as_clustering([{"b", "d"}, frozenset({"a"}), {"c"}])
    assert x.object_names == ("a", "b", "c", "d")
    assert x.labels.tolist() == [1, 0, 2, 0]
    assert x.n_clusters == 3


def test_overlapping_sets_say_what_else_was_meant():
    with pytest.raises(sc.ClusteringError, match=r"object 0 is in the sets 0 and 2.*from_upper.*"
                                                 r"from_dicts") as found:
        sc.as_clustering([{0}, {1}, {0, 1}], kind="hard")
    assert sc.as_clustering([{0}, {1, 2}, {0, 1}]).kind == "cover"
    assert "str(v)" not in str(found.value)


def test_mappings_name_objects():
    x = sc.as_clustering({"b": 1, "a": 0, "c": 1})
    assert x.object_names == ("b", "a", "c")
    assert x.labels.tolist() == [1, 0, 1]
    with pytest.raises(sc.ClusteringError, match="from_clusters one from clusters"):
        sc.as_clustering({"a": [0, 1], "b": [2]})
    with pytest.raises(sc.ClusteringError, match="is empty"):
        sc.as_clustering({})


def test_partitions_from_clusters():
    x = sc.HardClustering.from_clusters({"u": ["q", "p"], "v": [], "w": ["r"]})
    assert x.cluster_names == ("u", "v", "w")
    assert x.object_names == ("p", "q", "r")
    assert x.labels.tolist() == [0, 0, 2]
    y = sc.HardClustering.from_clusters([[2, 0], [1]], n_objects=3)
    assert y.labels.tolist() == [0, 1, 0]
    assert y.object_names is None
    z = sc.HardClustering.from_clusters([["q"], ["p"]], objects=["q", "p"])
    assert z.object_names == ("q", "p")
    mixed = sc.HardClustering.from_clusters([["q", 1], [2]])
    assert mixed.object_names == ("q", 1, 2)


@pytest.mark.parametrize(("arguments", "text"), [
    (([[0, 1], [1]],), "object 1 is in the sets 0 and 1"),
    (([[0, 5]], 3), "object 5 of cluster 0 is not among 0, ..., 2"),
    (([[0]], 3), r"object 1 is in no cluster \(2 such objects\)"), (([[]],), "no objects"),
    (("ab",), "a list with the objects of each cluster"), (([1, 2],), "cluster 0 is 1"),
    (([[0]], 0), "n_objects is 0")])
def test_clusters_that_make_no_partition(arguments, text):
    with pytest.raises(sc.ClusteringError, match=text):
        sc.HardClustering.from_clusters(arguments[0], n_objects=(*arguments, None)[1])


def test_the_command_line_as_a_module():
    run = subprocess.run([sys.executable, "-m", "softclust", "--version"], capture_output=True,
                         text=True, check=True)
    assert run.stdout.startswith("softclust ")


# -- sizes -------------------------------------------------------------------------------------
WEIGHTS = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
X, Y = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("factor", [1e160, 1e-200, 2.0**600, 1e-300, 1e307])
def test_weights_of_any_size(factor):
    expected = sc.variation_of_information(X, Y, weights=WEIGHTS)
    assert expected > 0.5
    assert abs(sc.variation_of_information(X, Y, weights=WEIGHTS * factor) - expected) < 1e-13
    plain = sc.prayatul(X, Y, [0, 1] * 3, weights=WEIGHTS)
    with pytest.warns(UserWarning, match=r"divided by 2\*\*"):
        scaled = sc.prayatul(X, Y, [0, 1] * 3, weights=WEIGHTS * factor)
    assert abs(scaled.rand_primary - plain.rand_primary) < 1e-13
    assert abs(scaled.effective_superiority - plain.effective_superiority) < 1e-13
    assert "Prayatul" in str(scaled)


def test_sizes_beyond_squares():
    with pytest.raises(sc.ClusteringError, match="divide lower and upper by one constant"):
        sc.interval_mds(np.zeros((3, 3)), 1e300 * (1 - np.eye(3)))
    with pytest.raises(sc.ClusteringError, match=r"X has an entry of size .*divide X by a const"):
        sc.cluster_number(1e200 * np.random.default_rng(0).normal(size=(20, 2)), [2, 3])


# -- wrong arguments ---------------------------------------------------------------------------
def test_lists_that_hold_themselves_are_no_seed():
    cyclic: list = [1]
    cyclic.append(cyclic)
    for wrong in (cyclic, [[1]], [1.5], "abc", -1, [-1], object(), {1: 2}.values, np.array([0.5])):
        with pytest.raises(ValueError, match="None, a whole number >= 0 or a numpy Generator"):
            as_generator(wrong)
    seeds = [None, 3, np.int32(3), [1, 2], (1, 2), np.array([1, 2]), np.random.PCG64(1),
             np.random.SeedSequence(1), np.random.RandomState(1), np.random.default_rng(1)]
    for seed in seeds:
        as_generator(seed).random()
    assert as_generator([1, 2]).random() == np.random.default_rng([1, 2]).random()


@pytest.mark.parametrize("wrong", [np.array([1, 2]), np.array(["a"]), ["a"], None, {}])
def test_choices_are_single_texts(wrong):
    with pytest.raises(ValueError, match="is not known; choose one of 'a', 'b'"):
        check_choice("rule", wrong, ["a", "b"])
    assert check_choice("rule", "a", ["a", "b"]) == "a"


def test_long_messages_are_shortened():
    name = "x" * 100_000
    with pytest.raises(sc.ClusteringError, match="characters left out") as found:
        sc.HardClustering([0, 1], object_names=[name, name])
    assert len(str(found.value)) <= MAX_MESSAGE
    assert shortened("short") == "short"

    class Broken:
        def __repr__(self):
            raise RuntimeError

    assert shown(Broken()) == "<Broken, whose repr raises RuntimeError>"
    with pytest.raises(ValueError, match="characters left out") as found:
        as_generator(name)
    assert len(str(found.value)) < 500


def test_index_of_an_ensemble():
    runs = sc.Ensemble({"a": [0, 0, 1], "b": [0, 1, 1]})
    assert runs.index(runs["b"]) == 1
    assert runs.index(sc.HardClustering([0, 1, 1])) == 1
    with pytest.raises(ValueError, match="is not among the 2 clusterings"):
        runs.index("a")
    with pytest.raises(ValueError, match="is not among"):
        runs.index(runs["a"], 1)


@pytest.mark.parametrize("name", [
    "plot_chance", "plot_circles", "plot_comparison", "plot_comparisons", "plot_matching",
    "plot_matrix", "plot_prayatul", "plot_prayatul_table", "plot_prayatul_intervals",
    "plot_reliability", "plot_roc", "plot_roc_errors", "plot_roc_subsets", "plot_cluster_number",
    "plot_taxonomy", "plot_transport"])
def test_charts_say_which_record_they_need(name):
    pytest.importorskip("matplotlib")
    for wrong in (3, [1.0, 2.0]):
        with pytest.raises(TypeError, match=r"is of type .*needed, as .* returns"):
            getattr(sc.plotting, name)(wrong)


# -- the report --------------------------------------------------------------------------------
def test_a_frame_has_the_id_column_of_a_file(tmp_path):
    from softclust.reporting.data import read_objects
    options = {"label": None, "id": None, "columns": None, "drop": None, "scale": "none",
               "missing_values": "raise"}
    frame = pd.DataFrame({"customer_id": [17, 4, 9, 12], "age": [1.5, 2.0, 3.0, 4.0],
                          "income": [3.0, 1.0, 4.0, 1.0]})
    frame.to_csv(tmp_path / "data.csv", index=False)
    ways = [read_objects(data, **options) for data in (frame, tmp_path / "data.csv")]
    for found in ways:
        assert found.names == ("17", "4", "9", "12")
        assert found.columns == ("age", "income")
        assert found.id_column == "customer_id"
        assert found.id_guessed
    assert read_objects(frame, **options | {"id": False}).columns == (
        "customer_id", "age", "income")
    named = frame.rename(columns={"customer_id": "customer"}).assign(customer=list("abcd"))
    assert read_objects(named, **options).names == tuple("abcd")
    assert read_objects(frame, **options | {"columns": ["customer_id", "age"]}).names is None


@pytest.mark.parametrize("call", [
    lambda long: sc.compare([0, 1], [0, 1], names=long),
    lambda long: sc.consensus([[0, 1], [0, 1]], weights=long),
    lambda long: sc.transport_dissimilarity([0, 1], [0, 1], base=long),
    lambda long: sc.cluster_number(np.eye(6), long),
    lambda long: sc.chance([0, 1], [0, 1], "rand_index", progress=long),
    lambda long: sc.membership_entropy([[1.0, 0.0]], log_base=long)])
def test_errors_about_long_values_stay_short(call):
    long = [f"value {i}" for i in range(1000)]
    with pytest.raises((TypeError, ValueError)) as caught:
        call(long)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(("name", "call"), [
    ("rng", lambda: sc.compare([0, 1, 1], [0, 1, 0], ci="bootstrap", rng="seed")),
    ("rng", lambda: sc.chance([0, 1, 1], [0, 1, 0], "rand_index", rng="seed")),
    ("random_state", lambda: sc.BaggedClustering(2, random_state="seed").fit(np.eye(4)))])
def test_a_wrong_seed_is_called_as_the_user_called_it(name, call):
    with pytest.raises(ValueError, match=f"^{name} is 'seed'"):
        call()
