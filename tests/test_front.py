"""The Python end of the R package: what crosses the border, without R."""

import base64
import math
import re
import sys
import threading
import warnings
import zlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import softclust as sc
from r_bridge import _front, _front_comparing, _front_records
from r_bridge._front import call, decode, encode, strings
from softclust.running.threads import pool_of_threads

ROOT = Path(__file__).parents[1]


def numbers(values, kind="d", dim=None):
    """What R sends for a vector or, with dim, an array (column by column)."""
    dtype = {"d": "<f8", "i": "<i4", "l": "u1"}[kind]
    return {".t": "n", "b": bytearray(np.asarray(values, dtype=dtype).tobytes()), "type": kind,
            "dim": dim}


def hard(labels, **names):
    labels = np.asarray(labels)
    return {".t": "c", "kind": "hard", "labels": numbers(labels, "i"),
            "n_clusters": int(labels.max()), **names}


# -- R to Python --------------------------------------------------------------------------------
@pytest.mark.parametrize(("kind", "dtype"), [("d", np.float64), ("i", np.int64), ("l", np.bool_)])
def test_vectors_and_matrices(kind, dtype):
    vector = decode(numbers([1, 0, 1], kind))
    assert vector.dtype == dtype
    assert vector.tolist() == [1, 0, 1]
    matrix = decode(numbers([1, 0, 1, 0, 1, 1], kind, [2, 3]))
    assert matrix.dtype == dtype
    assert matrix.flags.c_contiguous
    np.testing.assert_array_equal(matrix, [[1, 1, 1], [0, 0, 1]])
    for array in (vector, matrix):
        assert array.flags.writeable
        assert array.flags.owndata


def test_arrays_do_not_share_memory_with_r():
    sent = numbers([1.0, 2.0])
    array = decode(sent)
    sent["b"][:] = bytes(16)
    assert array.tolist() == [1.0, 2.0]


def test_missing_doubles_are_nan():
    assert np.isnan(decode(numbers([math.nan, 1.0]))).tolist() == [True, False]


@pytest.mark.parametrize(("value", "result"), [
    (3.0, 3), (0.5, 0.5), (-2.0, -2), (2.0**60, 2.0**60), (True, True), ("a", "a"), (None, None),
    (7, 7),
])
def test_scalars(value, result):
    found = decode(value)
    assert found == result
    assert type(found) is type(result)


def test_infinite_and_nan_scalars_stay_floats():
    assert decode(math.inf) == math.inf
    assert math.isnan(decode(math.nan))


def test_strings_and_lists():
    assert decode({".t": "s", "v": ["a", "é"]}) == ["a", "é"]
    assert decode({".t": "s", "v": "alone"}) == ["alone"]
    assert decode({".t": "s", "v": []}) == []
    assert decode({".t": "a", "v": [1.0, "x", {".t": "a", "v": []}]}) == [1, "x", []]
    assert decode({".t": "m", "k": ["a"], "v": [2.0]}) == {"a": 2}
    assert decode({".t": "m", "k": [], "v": []}) == {}


def test_labels_fall_by_one_and_names_stay():
    x = decode(hard([2, 1, 2], objects=["a", "b", "c"], clusters=["u", "v"]))
    assert x == sc.HardClustering([1, 0, 1], n_clusters=2, cluster_names=["u", "v"],
                                  object_names=["a", "b", "c"])
    alone = decode(hard([1, 1], clusters="only"))   # R sends one string without its list
    assert alone.cluster_names == ("only",)


def test_every_kind_of_clustering_comes_back_as_it_went():
    upper = np.array([[True, False], [True, True]])
    for x in (
        sc.HardClustering([0, 2, 2], n_clusters=4, object_names=["a", "b", "c"]),
        sc.HardClustering(["u", "v", "u"]),
        sc.FuzzyClustering([[0.9, 0.1], [0.4, 0.6]], cluster_names=["é", "b"]),
        sc.RoughClustering.from_upper(upper),
        sc.PossibilisticClustering([[0.5, 0.1], [0.4, 1.0]]),
        sc.EvidentialClustering([[0.2, 0.8], [0.0, 1.0]], [[0, 0], [1, 1]],
                                object_names=["a", "b"]),
    ):
        sent = encode(x)
        for part in ("labels", "first", "second"):
            if part in sent and sent[part]["type"] == "d" and x.kind == "hard":
                values = np.frombuffer(sent[part]["b"])
                sent[part] = numbers(values, "i")
            elif part in sent:
                sent[part] = {**sent[part], "dim": [int(d) for d in sent[part]["dim"]]}
        for part in ("objects", "clusters"):
            sent[part] = None if sent[part] is None else sent[part]["v"]
        assert decode(sent) == x


def test_ensembles_keep_names():
    runs = decode({".t": "e", "v": [hard([1, 2]), hard([1, 1])], "k": ["a", "b"]})
    assert runs == sc.Ensemble({"a": [0, 1], "b": sc.HardClustering([0, 0], n_clusters=1)})


# -- Python to R --------------------------------------------------------------------------------
def test_counts_cross_as_doubles():
    found = encode({"big": 2**40, "flag": True, "none": None, "array": np.array([2**40])})
    assert found["k"] == ["big", "flag", "none", "array"]
    assert found["v"][:3] == [2.0**40, True, None]
    assert type(found["v"][0]) is float
    assert np.frombuffer(found["v"][3]["b"]).tolist() == [2.0**40]


def test_matrices_go_column_by_column():
    sent = encode(np.array([[1, 2, 3], [4, 5, 6]]))
    assert sent["dim"] == [2.0, 3.0]
    assert np.frombuffer(sent["b"]).tolist() == [1, 4, 2, 5, 3, 6]
    assert encode(np.array([[True], [False]]))["type"] == "l"
    assert isinstance(sent["b"], bytearray)   # reticulate 1.28 carries no bytes


def test_intervals_have_names():
    sent = encode(sc.Interval(0.25, 0.5))
    assert sent["names"] == ["low", "high"]
    assert np.frombuffer(sent["b"]).tolist() == [0.25, 0.5]


def test_only_plain_dicts_cross():
    """reticulate leaves instances of subclasses of dict as Python objects."""
    def plain(value):
        if isinstance(value, dict):
            assert type(value) is dict
            for item in value.values():
                plain(item)
        elif isinstance(value, list):
            for item in value:
                plain(item)
        else:
            assert value is None or type(value) in (str, float, bool, bytearray)

    runs = sc.Ensemble([[0, 1], [0, 0]])
    rows = encode({"rows": pd.DataFrame({"a": [1.0], "b": ["x"]}, index=["one"]), "runs": [runs]})
    plain(rows)
    plain(encode(sc.prayatul([0, 0, 1], [0, 1, 1], [0, 1, 0]).objects().to_frame()))
    plain(encode(sc.pair_counts([0, 0, 1], [0, 1, 1])))
    x = {"x": hard([1, 1, 2]), "y": hard([1, 2, 2])}
    empty = {".t": "m", "k": [], "v": []}
    for name, more in (("run", {"name": "compare", "arguments": {
            ".t": "m", "k": list(x), "v": list(x.values())}}),
                       ("measure", {"name": "alpha_rand_interval", "options": empty, **x})):
        answer = call(name, more)
        assert "error" not in answer
        plain(answer)


def test_missing_strings():
    assert strings(["a", None, float("nan")]) == {".t": "s", "v": ["a", "", ""], "na": [2.0, 3.0]}
    assert encode(["a", None])["na"] == [2.0]


def test_what_has_no_counterpart_raises():
    with pytest.raises(TypeError, match="complex"):
        encode(np.array([1j]))
    with pytest.raises(TypeError, match="object has no counterpart"):
        encode(object())


# -- calls --------------------------------------------------------------------------------------
def test_errors_are_data():
    answer = call("about", {"name": "explode"})
    assert answer["error"][0] == "ValueError"
    assert '"explode"' in answer["error"][1]   # in R's words
    assert answer["value"] is None
    answer = call("measure", {"name": "rand_index", "x": hard([1, 2]), "y": hard([1, 2, 3]),
                              "options": {".t": "m", "k": [], "v": []}})
    assert answer["error"][0] == "ClusteringError"
    assert call("no_such", {})["error"][0] == "LookupError"


def test_a_key_error_keeps_its_words():
    @_front.command
    def fails():
        raise KeyError("there is no such name")
    try:
        assert call("fails", {})["error"] == ["KeyError", "there is no such name"]
    finally:
        del _front.COMMANDS["fails"]


def test_ctrl_c_passes():
    @_front.command
    def interrupted():
        raise KeyboardInterrupt
    try:
        with pytest.raises(KeyboardInterrupt):
            call("interrupted", {})
    finally:
        del _front.COMMANDS["interrupted"]


def test_warnings_are_data():
    one, singles = hard([1, 1, 1]), hard([1, 2, 3])
    answer = call("measure", {"name": "katz_powell_index", "x": one, "y": singles,
                              "options": {".t": "m", "k": [], "v": []}})
    assert answer["types"] == ["UndefinedMeasureWarning"]
    assert "katz_powell_index" in answer["texts"][0]


def test_warnings_for_programmers_stay_here():
    @_front.command
    def old():
        warnings.warn("old", DeprecationWarning, stacklevel=2)
        warnings.warn("seen", UserWarning, stacklevel=2)
        warnings.warn("seen", UserWarning, stacklevel=2)
        return 1
    try:
        assert call("old", {}) == {"value": 1.0, "types": ["UserWarning"], "texts": ["seen"]}
    finally:
        del _front.COMMANDS["old"]


# -- comparing ----------------------------------------------------------------------------------
U = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.5, 0.5]])
V = np.array([[0.3, 0.7], [0.6, 0.4], [0.1, 0.9], [1.0, 0.0]])


def test_a_seed_gives_what_it_gives_in_python():
    result = _front_records.run("compare", {"x": U, "y": V, "ci": "bootstrap", "n_resamples": 50,
                                            "measures": ["alpha_rand_index"]}, seed=3)
    row = sc.compare(U, V, measures="alpha_rand_index", ci="bootstrap", n_resamples=50,
                     rng=3).rows[0]
    columns = dict(zip(result["rows"]["k"], result["rows"]["v"]))
    assert np.frombuffer(columns["ci_low"]["b"]).tolist() == [row.ci_low]


@pytest.mark.filterwarnings("ignore::softclust.SamplingBiasWarning")
def test_a_seed_that_nobody_used_is_reported():
    result = _front_comparing.measure("alpha_rand_index", U, {}, V, seed=5)
    assert result == {"value": sc.alpha_rand_index(U, V), "drew": False, "class": None}
    drawn = _front_comparing.measure("transport_rand_index", U, {"method": "sample"}, V, seed=5)
    assert drawn["drew"]


def test_matrices_by_measures_that_draw_by_some_methods_only():
    runs = [np.array([1, 1, 2]), np.array([[1, 0], [0.5, 0.5], [0, 1]])]
    found = _front_records.run("compare_all", {"clusterings": sc.Ensemble(runs),
                                               "measure": "alpha_rand_index"}, seed=3)
    assert not found["drew"]
    assert found["value"][0, 1] == sc.alpha_rand_index(*runs)


def test_a_measure_that_raises_other_type_errors_keeps_them():
    with pytest.raises(TypeError, match="no option 'foo'"):
        _front_comparing.measure("rand_index", [0, 1], {"foo": 1}, [0, 1])
    with pytest.raises(TypeError, match="leave out y"):
        _front_comparing.measure("nonspecificity", [0, 1], {}, [0, 1])
    with pytest.raises(TypeError, match="give y"):
        _front_comparing.measure("rand_index", [0, 1], {})


def test_the_registry_is_complete():
    table = _front_comparing.measures()
    columns = dict(zip(table["k"], table["v"]))
    assert columns["name"]["v"] == list(sc.list_measures().index)
    assert int(table["n"]) == len(sc.list_measures())


def test_noise_is_known_by_its_name():
    x = sc.HardClustering([0, 1, 1, 2], cluster_names=["-1", "1", "2"])
    y = sc.HardClustering([0, 0, 1, 1], cluster_names=["1", "2"])
    found = _front_comparing.prayatul(y, x, y, ["a", "b"], True, {"noise": "drop"})
    assert found["n_dropped"] == 1
    assert found["positions"].tolist() == [2, 3, 4]
    assert found["objects"].index.tolist() == ["2", "3", "4"]


def test_pictures_say_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    answer = call("picture", {"x": encode(sc.HardClustering([0, 0, 1]))})
    assert answer["error"][0] == "ImportError"
    assert 'py_install("matplotlib")' in answer["error"][1]


def test_pictures_have_the_marks_of_the_chart():
    from r_bridge._front_pictures import picture
    plt = pytest.importorskip("matplotlib.pyplot")
    figures = plt.get_fignums()
    fuzzy = sc.FuzzyClustering([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]], cluster_names=["a", "b"])
    drawn = picture(fuzzy)
    assert plt.get_fignums() == figures   # no window
    assert plt.rcParams["text.parse_math"]
    assert decode(drawn["x_axis"]["names"]) == ["a", "b"]
    assert drawn["y_axis"]["at"].tolist() == [0.0, -1.0, -2.0]
    (bars,) = [mark for mark in drawn["marks"] if mark["type"] == "areas"]
    assert np.ptp(bars["x"][:4]) == pytest.approx(0.94 * 0.9)
    with pytest.raises(TypeError, match="has no option 'kind'"):
        picture(fuzzy, options={"kind": "x"})


def test_a_job_leaves_no_thread_behind():
    before = set(threading.enumerate())

    @_front.command
    def busy():
        with pool_of_threads(2) as pool:
            return pool.submit(lambda: 1.0).result()

    try:
        job = _front.Job("busy", {})
        while (answer := job.wait(1.0)) is None:
            pass
    finally:
        del _front.COMMANDS["busy"]
    assert answer["value"] == 1.0
    assert set(threading.enumerate()) <= before   # R may fork now


# -- what R may name ---------------------------------------------------------------------------
@pytest.mark.parametrize("name", [
    "results.stored.os.system", "os.system", "sql", "report", "cluster_number", "__class__", "",
    "MembershipSums.__init__", "PairCounts.__reduce__", None, 3, ["PairCounts"], {"a": 1}])
def test_objects_of_r_ask_for_what_they_need_only(name):
    with pytest.raises(_front.FrontError, match="was changed"):
        decode({".t": "of", "name": name, "command": "true"})


@pytest.mark.parametrize("name", ["results.stored.os.system", "cluster", "running", "_HOMES", "",
                                  "cluster.batched_kmeans.np.save", "Ensemble._made", None, "a.b",
                                  "HardClustering.labels.__class__", "__version__"])
def test_run_calls_public_functions_only(name):
    with pytest.raises(_front.FrontError, match="not a function"):
        _front.named(name)


def test_every_name_in_the_r_package_can_be_called():
    sources = "\n".join(path.read_text(encoding="utf-8")
                        for path in (ROOT / "r_bridge/softclust/R").glob("*.R"))
    made = set(re.findall(r"\bmade[(,]\s*(?:c\((?:list\()?)?\"([\w.]+)\"", sources))
    assert made == set(_front_records.MADE)
    asked = set(re.findall(r"\b(?:run|record_of)\(\"([\w.]+)\"", sources))
    assert len(asked) > 60
    for name in made | asked:
        assert callable(_front.named(name)), name


@pytest.mark.parametrize("record", [3, ["a"], {".t": "n"}, b"x"])
def test_the_record_of_a_picture_is_text(record):
    answer = call("picture", {"record": record})
    assert answer["error"][0] in ("TypeError", "FrontError", "KeyError")


def test_a_record_that_grows_without_end():
    packed = zlib.compress(bytes(1 << 20), 9)
    monkey = base64.b64encode(packed[:-8]).decode()
    assert "damaged" in call("picture", {"record": monkey})["error"][1]
