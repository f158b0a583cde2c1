"""What users hand over, read as they meant it, or an error that says what to do."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import AgglomerativeClustering

import softclust as sc
from softclust.cli import main
from softclust.cli.files import read_table
from softclust.measures import list_words, registry

RNG = np.random.default_rng(0)
X = RNG.integers(3, size=60)
Y = np.where(RNG.random(60) < 0.6, X, RNG.integers(3, size=60))
FRAME = pd.DataFrame({"a": X, "b": Y})


# -- tables, sums and words -----------------------------------------------------------------------
SOURCES = {
    "TableSums": lambda: sc.table_sums("a", "b", data=FRAME),
    "ContingencyTable": lambda: sc.contingency_table(X, Y),
    "PartedTable": lambda: sc.contingency_table(X, Y, groups=np.repeat(np.arange(12), 5)),
    "MembershipSums": lambda: sc.membership_sums(sc.as_clustering(X).to_fuzzy(), Y),
    "weighted": lambda: sc.contingency_table(X, Y, weights=np.ones(60)),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_every_measure_and_word_of_counts_has_a_value_or_a_reason(source):
    counts, of_labels = source(), sc.Joint(X, Y)
    assert sc.compare(counts).rows
    for word in [*registry(), *list_words().index]:
        try:
            row = sc.compare(counts, measures=word).rows[0]
        except ValueError:   # a ClusteringError that says what is needed
            continue
        if counts.kinds == ("hard", "hard"):
            expected = sc.compare(of_labels, measures=word).rows[0].value
            assert str(row.value) == str(expected) or row.value == pytest.approx(
                expected, rel=1e-9, nan_ok=True), word


def test_the_chance_level_of_pairwise_scores_from_sums():
    sums, labels = sc.table_sums("a", "b", data=FRAME), (X, Y)
    for part in ("f1", "precision", "recall"):
        assert (sc.chance_level(sums, measure="pair_f_index", part=part)
                == pytest.approx(sc.chance_level(*labels, "pair_f_index", part=part)))


# -- labels ---------------------------------------------------------------------------------------
def test_an_index_of_several_levels_is_no_list_of_labels():
    index = pd.MultiIndex.from_arrays([[0, 0, 1], [0, 1, 1]])
    for call in (sc.as_clustering, sc.HardClustering, lambda v: sc.rand_index(v, [0, 0, 1]),
                 lambda v: sc.contingency_table(v, [0, 0, 1]),
                 lambda v: sc.align(v, [0, 0, 1], missing="drop")):
        with pytest.raises(sc.ClusteringError, match="MultiIndex of 2 levels"):
            call(index)


class OnlyDLPack:
    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_with_nothing_but_dlpack():
    assert sc.rand_index(OnlyDLPack(np.array([0, 0, 1])), [0, 0, 1]) == 1
    fuzzy = sc.as_clustering(OnlyDLPack(np.array([[0.5, 0.5], [1.0, 0.0]])))
    assert fuzzy.kind == "fuzzy"


@pytest.mark.parametrize("frame", [
    pd.DataFrame({"a": ["u", "u", "v"]}), pd.DataFrame({"a": [0, 0, 1]}),
    pytest.importorskip("polars").DataFrame({"a": [0, 0, 1]}),
    pytest.importorskip("pyarrow").table({"a": [0, 0, 1]}),
], ids=["text", "pandas", "polars", "arrow"])
def test_a_frame_with_one_column_is_labels(frame):
    assert sc.as_clustering(frame).labels.tolist() == [0, 0, 1]
    assert sc.compare(frame, [0, 0, 1], measures="ARI").rows[0].value == 1


def test_a_column_vector_and_a_label_image_say_ravel():
    for values in (np.array([[0], [0], [1]]), np.array([[0, 2, 2], [0, 1, 1]])):
        with pytest.raises(sc.ClusteringError, match=r"ravel\(\)"):
            sc.as_clustering(values)


def test_two_columns_of_one_name_are_named():
    frame = pd.DataFrame([[0, 1, 1], [1, 0, 0]], columns=["a", "b", "b"])
    with pytest.raises(sc.ClusteringError, match="data has 2 columns 'b'"):
        sc.compare(data=frame, x="a", y="b")


def test_communities_of_each_node_are_no_objects_of_each_cluster():
    with pytest.raises(sc.ClusteringError, match="labels of 3 objects rather"):
        sc.CoverClustering.from_clusters({"n1": [0], "n2": [0], "n3": [1]})
    cover = sc.CoverClustering.from_clusters({"c1": ["u"], "c2": ["v"]})   # two clusters of one
    assert cover.n_objects == 2


# -- memberships ----------------------------------------------------------------------------------
def test_rounding_outside_the_range_is_clipped():
    for kind in ("fuzzy", "possibilistic", "evidential"):
        rows = [[-1e-17, 1.0], [0.5, 0.5]]
        read = sc.as_clustering(np.array(rows), kind=kind)
        values = read.mass if kind == "evidential" else getattr(
            read, "membership" if kind == "fuzzy" else "typicality")
        assert values.min() == 0
        with pytest.raises(sc.ClusteringError, match="-1e-06"):
            sc.as_clustering(np.array([[-1e-6, 1.0 + 1e-6], [0.5, 0.5]]), kind=kind)
    top = sc.PossibilisticClustering([[1 + 1e-12, 0.2]])
    assert top.typicality.max() == 1


def test_memberships_with_clusters_as_rows_say_so():
    by_cluster = np.array([[0.2, 0.5, 0.9], [0.8, 0.5, 0.1]])   # as scikit-fuzzy returns them
    for call in (sc.FuzzyClustering, sc.as_clustering, lambda v: sc.compare(v, [0, 1, 0])):
        with pytest.raises(sc.ClusteringError, match=r"scikit-fuzzy: pass matrix\.T"):
            call(by_cluster)
    assert sc.as_clustering(by_cluster.T).n_clusters == 2


# -- other packages -------------------------------------------------------------------------------
def test_a_dendrogram_of_igraph_is_a_tree():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph.Famous("Zachary")
    graph.vs["name"] = [f"member {i}" for i in range(34)]
    tree = sc.as_dendrogram(graph.community_fastgreedy())
    assert tree.n_objects == 34
    assert tree.object_names[0] == "member 0"
    with pytest.raises(sc.ClusteringError, match="its tree is not complete"):
        sc.as_dendrogram((igraph.Graph.Full(3) + igraph.Graph.Full(3)).community_walktrap())


def test_coordinates_of_xarray_are_names():
    xarray = pytest.importorskip("xarray")
    labels = xarray.DataArray([0, 0, 1], coords={"cell": ["a", "b", "c"]}, dims="cell")
    assert sc.as_clustering(labels).object_names == ("a", "b", "c")
    rows = xarray.DataArray([[0.5, 0.5], [1.0, 0.0]], dims=("cell", "topic"),
                            coords={"cell": ["a", "b"], "topic": ["u", "v"]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fuzzy = sc.as_clustering(rows)
    assert (fuzzy.object_names, fuzzy.cluster_names) == (("a", "b"), ("u", "v"))


# -- hostile clusterers and files -----------------------------------------------------------------
class Careless(ClusterMixin, BaseEstimator):
    """Changes its data in place."""

    def __init__(self, n_clusters=2, random_state=None):
        self.n_clusters, self.random_state = n_clusters, random_state

    def fit(self, X, y=None):
        X *= 2
        self.centre_ = X.mean()
        self.labels_ = (X[:, 0] > self.centre_).astype(int)
        return self

    def predict(self, X):
        X *= 2
        return (X[:, 0] > self.centre_).astype(int)


@pytest.mark.parametrize("call", [
    lambda x: sc.BaggedClustering(2, estimator=Careless(), n_resamples=5, random_state=0).fit(x),
    lambda x: sc.cluster_number(x, [2], criterion="silhouette", estimator=Careless(), rng=0),
    lambda x: sc.cluster_number(x, [2], criterion="jaccard", estimator=Careless(), n_resamples=5,
                                rng=0),
    lambda x: sc.resampled_clusterings(x, Careless(), n_resamples=3, scheme="rerun", rng=0),
    lambda x: sc.prediction_strength(x, Careless(), [2], n_splits=2, rng=0),
    lambda x: sc.replicate({"a": x[:10], "b": x[10:]}, Careless(), n_references=19, rng=0)])
@pytest.mark.filterwarnings("ignore")
def test_a_clusterer_that_changes_its_data_changes_nobody_elses(call):
    x = np.random.default_rng(0).normal(size=(20, 2)) + np.repeat([[0], [8]], 10, axis=0)
    before = x.copy()
    call(x)
    np.testing.assert_array_equal(x, before)


def test_a_clusterer_without_memberships_is_told_before_it_is_fitted():
    with pytest.raises(sc.ClusteringError, match="AgglomerativeClustering does not have: bag it"):
        sc.cluster_number(np.zeros((50, 2)) + np.arange(50)[:, None],
                          estimator=AgglomerativeClustering(2), rng=0)


def test_a_column_of_lists_is_named(tmp_path):
    path = tmp_path / "lists.parquet"
    pd.DataFrame({"a": [[1, 2], [3]], "b": [1, 2]}).to_parquet(path)
    with pytest.raises(sc.ClusteringError, match=r"column a of .* holds lists"):
        read_table(str(path))


SOFT = np.array([[.6, .2], [.5, .5], [np.nan, .2], [.1, .7], [.9, .1], [0, 0]])
CLASSES = [0, 0, 0, 1, 0, 1]


def test_soft_rows_of_hdbscan_give_one_number_by_all_doors(tmp_path, capsys):
    known = SOFT[[0, 1, 3, 4, 5]]
    by_hand = np.column_stack([known, 1 - known.sum(axis=1)]).round(12)
    want = sc.frobenius_adjusted_rand_index(by_hand, np.eye(2)[[0, 0, 1, 0, 1]])
    rules = {"noise": "cluster", "missing": "drop"}
    both = sc.align(SOFT, CLASSES, **rules)
    measure = "frobenius_adjusted_rand_index"
    assert sc.frobenius_adjusted_rand_index(*both) == pytest.approx(want)
    assert sc.compare(SOFT, CLASSES, **rules).value(measure) == pytest.approx(want)
    every = sc.compare_all([SOFT, CLASSES], measure=measure, drop="pair", **rules)
    assert every.value[0, 1] == pytest.approx(want)
    table = sc.prayatul_all(CLASSES, {"soft": SOFT, "hard": CLASSES}, **rules)
    assert table["soft", "hard"].delta == sc.prayatul(CLASSES, SOFT, CLASSES, **rules).delta
    left = sc.as_clustering(known, noise="cluster")
    assert sc.frobenius_adjusted_rand_index(left, both[1]) == pytest.approx(want)
    pd.DataFrame(SOFT, columns=["a", "b"]).to_csv(tmp_path / "soft.csv", index=False)
    pd.DataFrame({"k": CLASSES}).to_csv(tmp_path / "true.csv", index=False)
    assert main(["compare", str(tmp_path / "soft.csv"), str(tmp_path / "true.csv"), "--noise",
                 "cluster", "--missing", "drop", "--measures", measure, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["measures"][0]["value"] == pytest.approx(want)


def test_soft_noise_is_told_as_a_share_of_the_objects():
    both = sc.align(SOFT, CLASSES, noise="cluster", missing="drop")
    assert both.noise_share == pytest.approx(((0.2 + 0.2 + 1) / 6, 0))
    assert "x: 23.3 % noise (one more cluster), 1 missing (drop)" in both.header
    assert "23.3 % (cluster)" in str(both.summary())
    assert "23.3 % noise (cluster), 1 missing" in str(
        sc.compare_all([SOFT, CLASSES], noise="cluster", missing="drop", drop="pair"))
    whole = sc.align([[1, 0], [0, 0], [0, 1.0]], [0, 0, 1], noise="cluster")
    assert whole.header.startswith("x: 1 noise (one more cluster), 0 missing")


def test_soft_rows_without_a_rule_say_which_way_out_there_is():
    with pytest.raises(sc.ClusteringError, match='if the rest is noise, say noise="cluster"'):
        sc.compare(SOFT[:2], CLASSES[:2])
    for door in (lambda: sc.as_clustering(SOFT, noise="cluster"),
                 lambda: sc.align(SOFT, CLASSES, noise="cluster")):
        with pytest.raises(sc.ClusteringError, match='leave such rows out with missing="drop"'):
            door()
    with pytest.raises(sc.ClusteringError) as over:   # more than 1 is no noise
        sc.as_clustering(np.array([[0.9, 0.9], [0.5, 0.5]]))
    assert "noise" not in str(over.value)


def test_a_table_with_groups_does_not_take_objects_as_independent_in_chance():
    table = sc.contingency_table(X, Y, groups=np.repeat(np.arange(12), 5))
    with pytest.raises(sc.ClusteringError, match="counted with groups, whose objects are not"):
        sc.chance(table, measure="rand_index", rng=0)


def test_runs_of_a_version_may_be_mappings():
    runs = [dict(enumerate(part.tolist())) for part in (X, Y)]
    expected = sc.compare_versions([X, Y], [Y, Y], significance=0.4).statistic
    assert sc.compare_versions(runs, [Y, Y], significance=0.4).statistic == expected


def test_series_in_a_list_have_their_names():
    series = [FRAME["a"], FRAME["b"]]
    assert sc.compare_all(series).names == ("a", "b")
    assert sc.align(*series).names == ("a", "b")
    assert sc.rank_clusterings(X, series).names == ("a", "b")
    assert sc.compare_all([FRAME["a"], FRAME["a"]]).names == ("0", "1")


def test_a_column_of_text_says_that_labels_have_one_dimension():
    for text in (np.array([["u"], ["v"]]), np.array([["u"], ["v"]], dtype=object)):
        with pytest.raises(sc.ClusteringError, match=r"\.ravel\(\) of a label image or of one"):
            sc.as_clustering(text)


def test_two_columns_of_one_name_are_named_in_every_frame():
    frame = pd.DataFrame([[0, 1, 1], [1, 0, 0]], columns=["a", "b", "b"])
    with pytest.raises(sc.ClusteringError, match="2 columns 'b'"):
        sc.compare_all(frame)


class Labelled(ClusterMixin, BaseEstimator):
    def __init__(self, values=None):
        self.values = values

    def fit(self, X, y=None):
        self.labels_ = np.resize(self.values, len(X))
        return self


@pytest.mark.parametrize("values", [
    np.array([0, 2**70], dtype=object), np.array([0, None], dtype=object), np.array([0, 1e30])],
    ids=["beyond int64", "missing", "float"])
def test_labels_of_a_clusterer_that_are_none_are_clustering_errors(values):
    data = np.arange(40.0).reshape(20, 2)
    with pytest.raises(sc.ClusteringError):
        sc.BaggedClustering(estimator=Labelled(values), n_resamples=2, random_state=0).fit(data)


def test_unsigned_labels_beyond_int64_stay_clusters():
    data = np.arange(40.0).reshape(20, 2)
    labels = np.array([0, 2**63 + 5], dtype=np.uint64)
    runs = sc.resampled_clusterings(data, Labelled(labels), n_resamples=2, rng=0)
    assert runs.labels.max() == 1


def test_ids_of_a_file_stay_text_where_some_look_missing(tmp_path):
    path = tmp_path / "ids.csv"
    path.write_text("id,k\n007,1\nNA,2\nb,3\n")
    frame = read_table(str(path)).frame
    assert list(frame.iloc[:, 0] if "id" in frame else frame.index) == ["007", "NA", "b"]
    assert frame["k"].tolist() == [1, 2, 3]
