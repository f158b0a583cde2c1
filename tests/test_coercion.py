"""The one door: what is seen, what is asked, what is refused."""

import sys
import types
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.cluster import DBSCAN, HDBSCAN, KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import softclust as sc
from softclust.clusterings import coercion

# -- what is seen ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("obj", "kind"), [
    ([0, 1], "hard"), (["a", "b"], "hard"), (np.array([True, False]), "hard"),
    ((0.0, 1.0), "hard"), (pd.Categorical(["a"]), "hard"),
    ([[True, False], [False, True]], "fuzzy"), (np.eye(2, dtype=bool), "fuzzy"),
    (pd.DataFrame({"a": [True], "b": [False]}), "fuzzy"),
    (pd.DataFrame({"a": [True], "b": [False]}).astype("boolean"), "fuzzy"),
    (scipy.sparse.eye(2, dtype=bool, format="csr"), "fuzzy"),
    ([[0, 1], [1, 0]], "fuzzy"), (np.eye(3, dtype=np.uint8), "fuzzy"),
    (pd.DataFrame({"a": [1], "b": [0]}), "fuzzy"),
    (np.eye(2), "fuzzy"), ([[0.5, 0.5]], "fuzzy"), ([[1.0]], "fuzzy"),
    ([np.array([0.5, 0.5]), np.array([1.0, 0.0])], "fuzzy"),
    ([pd.Series([0.5, 0.5])], "fuzzy"), (pd.DataFrame({"a": [0.5], "b": [0.5]}), "fuzzy"),
    (pd.DataFrame({"a": [0.5], "b": [0.5]}).astype("Float64"), "fuzzy"),
    (pd.DataFrame({"a": [1.0], "b": [0]}), "fuzzy"),
    (scipy.sparse.eye(2, format="csr"), "fuzzy"), (np.eye(2, dtype=np.float32), "fuzzy"),
])
def test_seen(obj, kind):
    assert sc.as_clustering(obj).kind == kind
    assert sc.as_clustering(obj, kind).kind == kind


@pytest.mark.parametrize("dtype", ["bool", "boolean", "int64", "uint8", "float64", "Float32"])
def test_one_rule_for_one_hot_frames(dtype):
    labels = ["a", "b", "c", "a"]
    x = sc.as_clustering(pd.get_dummies(labels).astype(dtype))
    assert x.kind == "fuzzy"
    assert [x.cluster_names[k] for k in x.harden().labels] == labels
    assert sc.alpha_rand_index(labels, x) == 1.0


@pytest.mark.parametrize(("name", "says"), [
    ("AnnData", r'column of its obs .* adata\.obs\["leiden"\]'),
    ("DuckDBPyRelation", r"relation\.fetchnumpy\(\)\[name\]")])
def test_tables_of_other_packages_name_the_way(name, says):
    table = type(name, (), {"shape": (3, 2)})()
    with pytest.raises(sc.ClusteringError, match=f"y: an object of type {name} .*{says}"):
        sc.adjusted_rand_index([0, 1, 1], table)


def test_a_mapping_to_overlapping_communities():
    with pytest.raises(sc.ClusteringError, match=r"CoverClustering\.from_clusters the same where"):
        sc.as_clustering({"first": ["a", "b"], "second": ["b", "c"]})


def test_clusterings_pass():
    for x in (sc.HardClustering([0, 1]), sc.FuzzyClustering([[1.0]])):
        assert sc.as_clustering(x) is x
        assert sc.as_clustering(x, x.kind) is x


@pytest.mark.parametrize("kind", ["rough", "fuzzy", "possibilistic", "evidential"])
def test_said(kind):
    x = sc.as_clustering(pd.DataFrame([[1, 0], [0, 1]], index=["a", "b"]), kind=kind)
    assert x.kind == kind
    assert x.object_names == ("a", "b")


def test_power_set():
    mass = [[0.1, 0.2, 0.3, 0.1, 0.1, 0.1, 0.05, 0.05]]
    x = sc.as_clustering(mass, kind="evidential")
    assert x.n_clusters == 3
    assert x.focal_masks.tolist() == list(range(8))
    assert x.mass.tolist() == mass
    assert x == sc.as_clustering(scipy.sparse.csr_matrix(mass), kind="evidential")
    with pytest.raises(sc.ClusteringError, match=r"with 3 columns .*2\*\*c sets .*focal_sets\)"):
        sc.as_clustering([[0.5, 0.5, 0.0]], kind="evidential")
    with pytest.raises(sc.ClusteringError, match="with 1 columns"):
        sc.as_clustering([[1.0]], kind="evidential")


BINARY = r'may be several things; say kind="rough" .*"fuzzy", "possibilistic" or "evidential"'


@pytest.mark.parametrize(("obj", "kind", "message"), [
    ([[0, 1], [1, 1]], None, "a matrix of 0/1 entries .*" + BINARY),
    (np.tri(3, dtype=np.uint8), None, BINARY),
    (pd.DataFrame({"a": [1], "b": [1]}), None, BINARY),
    ([[1], [1]], None, "may be labels, which must be one-dimensional"),
    ([[True], [True]], None, "may be labels, which must be one-dimensional"),
    ([[0, 2], [1, 0]], None, "a matrix of integers .*" + BINARY),
    ([[0.5, 0.6]], None, 'row 0 of the matrix sums to 1.1, .*"possibilistic".*"rough"'),
    ([[0.5, 0.5], [0.5, 0.4]], None, "row 1 of the matrix sums to 0.9"),
    ([[0.5, np.nan]], None, r"membership\[0, 1\] is nan"),
    ([[1.5, -0.5]], None, r"membership\[0, 1\] is -0.5"),
    (np.ones((2, 2, 2)), None, "an array with 3 dimensions is not a clustering"),
    (np.array(1.0), None, "with 0 dimensions"),
    (np.float64(1), None, "with 0 dimensions"),
    ([["a", "b"]], None, "the matrix has dtype <U1; real numbers"),
    ([[0.5], [0.5, 0.5]], None, "different lengths"),
    (np.zeros((0, 2)), None, r"the matrix is empty \(shape \(0, 2\)\)"),
    ([], None, "labels is empty"),
    (np.eye(2), "hard", "one-dimensional labels and this is a matrix; .*harden"),
    ([0, 1], "fuzzy", r"are a hard clustering, not fuzzy: as_clustering\(labels\).to_fuzzy\(\)"),
    ([0, 1], "rough", r"to_rough\(\)"),
    ([[0.5, 0.6]], "fuzzy", "membership row 0 sums to 1.1"),
    ([[0.5, 0.6]], "rough", r"upper\[0, 0\] is 0.5"),
    ([[1.5]], "possibilistic", r"typicality\[0, 0\] is 1.5"),
    (sc.HardClustering([0]), "fuzzy",
     r"a hard clustering and kind='fuzzy' was asked; .*\.to_fuzzy\(\) does, by a named rule"),
    (sc.FuzzyClustering([[1.0]]), "hard", r"\.harden\(\) does"),
    (sc.FuzzyClustering([[1.0]]), "evidential", r"\.to_evidential\(\) does"),
    ("abc", None, "an object of type str is not a clustering; give one label per object"),
    (None, None, "an object of type NoneType is not a clustering"),
    (3, None, "an object of type int is not a clustering"),
    ({"a": 1.5}, None, "float labels must be whole numbers"),
    ({0, 1}, None, "an object of type set is not a clustering"),
    ((v for v in [0]), None, "an object of type generator is not a clustering"),
    (sc.HardClustering, None, "the class HardClustering is not a clustering"),
    ([sc.HardClustering([0, 1])], None, "a list of clusterings; one clustering is needed"),
    (sc.Joint([0, 1], [0, 1]), None, "an object of type Joint is not a clustering"),
    (sc.Ensemble([[0, 1]]), None, "a list of clusterings; one clustering is needed"),
    (scipy.sparse.csr_matrix((10**8, 1000)), None, "the matrix is a sparse .* GiB"),
])
def test_refused(obj, kind, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.as_clustering(obj, kind)


def test_unknown_kind():
    with pytest.raises(ValueError, match=r"kind='crisp' is not known; choose one of 'hard'"):
        sc.as_clustering([0, 1], kind="crisp")


@pytest.mark.parametrize("name", ["x", "y", "truth"])
def test_name_stands_first(name):
    with pytest.raises(sc.ClusteringError, match=f"^{name}: 1 label is missing"):
        sc.as_clustering([0, None], name=name)
    with pytest.raises(sc.ClusteringError, match=r"^y: membership row 0|^y: row 0"):
        sc.rand_index([0, 1], [[0.5, 0.6], [1.0, 0.0]])


def test_kind_can_be_given_by_position():
    assert sc.as_clustering([[0, 1]], "rough").kind == "rough"


# -- estimators -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(0)
    return np.vstack([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 6, [[90.0, 90.0]]])


def test_labels_of_estimators(points):
    fitted = KMeans(3, n_init=1, random_state=0).fit(points)
    assert sc.as_clustering(fitted).labels.tolist() == fitted.labels_.tolist()
    assert sc.as_clustering(fitted, "hard").kind == "hard"
    with pytest.raises(sc.ClusteringError, match=r"hard clustering and kind='fuzzy'.*to_fuzzy"):
        sc.as_clustering(fitted, "fuzzy")
    with pytest.raises(sc.ClusteringError, match="KMeans has no predict_proba, so X has no use"):
        sc.as_clustering(fitted, X=points)


def test_noise_is_a_cluster(points):
    for estimator in (DBSCAN(eps=2.0), HDBSCAN(min_cluster_size=5, copy=True)):
        fitted = estimator.fit(points)
        assert -1 in fitted.labels_
        x = sc.as_clustering(fitted)
        assert x.cluster_names[0] == -1
        assert x.n_clusters == len(set(fitted.labels_.tolist()))


def test_rows_with_infinities_are_noise_of_hdbscan():
    rows = np.random.default_rng(0).normal(scale=0.1, size=(43, 2))
    rows[20:40] += 5
    rows[40:] = [[50, 50], [-50, 50], [np.inf, 0]]
    fitted = HDBSCAN(min_cluster_size=5, copy=True).fit(rows)
    assert fitted.labels_.tolist()[-3:] == [-1, -1, -2]
    x = sc.as_clustering(fitted)
    assert x.n_clusters == 3
    assert x.cluster_names[x.labels[-1]] == x.cluster_names[x.labels[-2]] == -1


def test_memberships_of_estimators(points):
    mixture = GaussianMixture(2, random_state=0).fit(points)
    x = sc.as_clustering(mixture, X=points)
    np.testing.assert_array_equal(x.membership, mixture.predict_proba(points))
    frame = pd.DataFrame(points, index=[f"o{i}" for i in range(len(points))])
    assert sc.as_clustering(mixture, X=frame.to_numpy()).object_names is None
    named = GaussianMixture(2, random_state=0).fit(frame.rename(columns=str))
    assert sc.as_clustering(named, X=frame.rename(columns=str)).object_names[1] == "o1"
    with pytest.raises(sc.ClusteringError, match=r"GaussianMixture has no labels_; .*X=X\)"):
        sc.as_clustering(mixture)
    with pytest.raises(sc.ClusteringError, match=r"fuzzy clustering and kind='hard'.*harden"):
        sc.as_clustering(mixture, "hard", X=points)
    with pytest.raises(sc.ClusteringError, match="x: a GaussianMixture has no"):
        sc.alpha_rand_index(mixture, [0, 1])


def test_classes_name_the_clusters(points):
    labels_given = np.array(["far", "near"])[(np.arange(len(points)) < 20).astype(int)]
    fitted = LogisticRegression().fit(points, labels_given)
    assert sc.as_clustering(fitted, X=points).cluster_names == ("far", "near")


def test_clustering_attribute_comes_first(points):
    fitted = KMeans(2, n_init=1, random_state=0).fit(points)
    fitted.clustering_ = sc.FuzzyClustering(np.full((len(points), 2), 0.5))
    assert sc.as_clustering(fitted) is fitted.clustering_
    with pytest.raises(sc.ClusteringError, match="has a clustering_ already; leave out X"):
        sc.as_clustering(fitted, X=points)


def test_estimators_refused(points):
    with pytest.raises(sc.ClusteringError, match="x: this KMeans is not fitted; call fit"):
        sc.as_clustering(KMeans(2), name="x")
    with pytest.raises(sc.ClusteringError, match="this GaussianMixture is not fitted"):
        sc.as_clustering(GaussianMixture(2), X=points)
    with pytest.raises(sc.ClusteringError, match="KMeans is a class; give an instance"):
        sc.as_clustering(KMeans)
    pipeline = make_pipeline(StandardScaler(), KMeans(2, n_init=1)).fit(points)
    with pytest.raises(sc.ClusteringError, match=r"give its last step: estimator\[-1\]"):
        sc.as_clustering(pipeline)
    assert sc.as_clustering(pipeline[-1]).kind == "hard"
    with pytest.raises(sc.ClusteringError, match="StandardScaler has no clustering_, labels_ or"):
        sc.as_clustering(StandardScaler().fit(points))
    with pytest.raises(sc.ClusteringError, match=r"X is the data for predict_proba .* with a list"):
        sc.as_clustering([0, 1], X=points)
    with pytest.raises(sc.ClusteringError, match="leave it out with a HardClustering"):
        sc.as_clustering(sc.HardClustering([0, 1]), X=points)


# -- other packages -------------------------------------------------------------------------------


class Foreign:
    def __init__(self, values):
        self.values = values


class Entry:
    value = "somewhere:convert"

    def __init__(self, convert):
        self.convert = convert

    def load(self):
        return self.convert


@pytest.fixture
def converter(monkeypatch):
    """Install a converter for objects of the package "foreign"; what is asked is recorded."""
    asked = []
    monkeypatch.setattr(Foreign, "__module__", "foreign.objects")

    def install(convert):
        def entry_points(*, group, name):
            asked.append((group, name))
            return [Entry(convert)] if name == "foreign" else []
        monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
        return asked
    return install


def test_converters_are_found_by_package(converter):
    asked = converter(lambda obj: sc.HardClustering(obj.values))
    assert sc.as_clustering(Foreign([0, 1])).labels.tolist() == [0, 1]
    assert asked == [("softclust.converters", "foreign")]
    with pytest.raises(sc.ClusteringError, match="hard clustering and kind='fuzzy'"):
        sc.as_clustering(Foreign([0, 1]), "fuzzy")
    with pytest.raises(sc.ClusteringError, match="x: labels is empty"):
        sc.as_clustering(Foreign([]), name="x")


def test_converters_that_take_a_kind(converter):
    converter(lambda obj, kind=None: sc.as_clustering(obj.values, kind))
    assert sc.as_clustering(Foreign([[1, 0]]), "rough").kind == "rough"


def test_converters_must_return_a_clustering(converter):
    converter(lambda obj: [0, 1])
    with pytest.raises(TypeError, match="somewhere:convert returned a list; a Clustering"):
        sc.as_clustering(Foreign([0]))


def test_no_look_up_for_known_types(converter):
    asked = converter(None)
    for obj in ([0, 1], np.eye(2), pd.Series([0, 1]), sc.HardClustering([0])):
        sc.as_clustering(obj)
    assert asked == []
    with pytest.raises(sc.ClusteringError, match="an object of type SimpleNamespace is not"):
        sc.as_clustering(types.SimpleNamespace())


def test_the_bridge_is_registered():
    from importlib.metadata import entry_points
    found = entry_points(group=coercion.CONVERTER_GROUP, name="rpy2")
    assert [e.value for e in found] == ["r_bridge._convert:clustering_from_r"]


def test_arrays_by_protocol():
    class Tensor:
        def __init__(self, values):
            self.values = np.asarray(values)

        @property
        def shape(self):
            return self.values.shape

        def __array__(self, dtype=None, copy=None):
            return self.values

    assert sc.as_clustering(Tensor([0, 1, 1])).kind == "hard"
    assert sc.as_clustering(Tensor([[0.5, 0.5]])).kind == "fuzzy"


def test_names_are_found_without_pandas():
    from softclust.clusterings.arrays import frame_names
    assert frame_names([1, 2]) == (None, None)
    assert frame_names(np.eye(2)) == (None, None)
    assert frame_names(pd.Index(["a"])) == (None, None)
    assert frame_names(pd.DataFrame([[1]], index=["i"], columns=["c"])) == (["i"], ["c"])


def called(function):
    """Functions of softclust that a second call goes through."""
    import sys
    from pathlib import Path
    root, names = str(Path(sc.__file__).parent), []

    def note(frame, event, argument):
        if event == "call" and frame.f_code.co_filename.startswith(root):
            names.append(frame.f_code.co_name)

    function()
    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
    return names


def test_labels_are_read_in_ten_steps():
    for labels in ([0, 0, 1, 5], list("aabb"), np.array([3, 3, 1])):
        steps = called(lambda labels=labels: sc.as_clustering(labels))
        assert len(steps) <= (10 if type(labels) is list else 12)
    x, y = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2, 2, 2]
    assert called(lambda: sc.adjusted_rand_index(x, y)).index("count_few") <= 8
    assert len(called(lambda: sc.adjusted_rand_index(x, y))) <= 30


@pytest.mark.parametrize("labels", [[0, 0, 1, 2, 1], ["a", "b", "a"], np.array([0, 1, 1])])
def test_reading_labels_takes_few_functions(labels):
    sc.as_clustering(labels)
    package = str(Path(sc.__file__).parent)
    functions = set()

    def note(frame, event, argument):
        if event == "call" and frame.f_code.co_filename.startswith(package):
            functions.add(frame.f_code)

    sys.setprofile(note)
    try:
        sc.as_clustering(labels)
    finally:
        sys.setprofile(None)
    assert 1 < len(functions) <= 10


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("matrix", "message"), [
    ([[np.inf, -np.inf]], r"membership\[0, 0\] is inf; finite numbers are needed"),
    ([[1e308, 1e308, 1e308]], "row 0 of the matrix sums to inf")])
def test_numbers_without_a_sum_give_no_warning_of_numpy(matrix, message):
    for given in (np.array(matrix), pd.DataFrame(matrix), matrix):
        with pytest.raises(sc.ClusteringError, match=message):
            sc.as_clustering(given)
