"""The door of data: clusterers get rows in the kind that was given; numbers are needed for ours."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from together import for_each

import softclust as sc
from softclust.clusterings.object_table import ObjectTable, as_objects
from softclust.clusterings.objects import matched

N = 60


def customers(seed=0, n=N):
    """Two groups by income and city, some incomes missing."""
    rng = np.random.default_rng(seed)
    group = np.arange(n) % 2
    income = 20.0 + 30 * group + rng.normal(size=n)
    income[::15] = np.nan
    return pd.DataFrame({"income": income, "age": 40 + 20 * group + rng.normal(size=n),
                         "city": np.where(group, "Oslo", "Bergen")},
                        index=[f"c{i}" for i in range(n)]), group


def by_column():
    return make_pipeline(
        ColumnTransformer([
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["income", "age"]),
            ("text", OneHotEncoder(), ["city"])]),
        KMeans(2, n_init=2))


def of_city(frame):
    """A function of a DataFrame's rows."""
    return (frame["city"] == "Oslo").to_numpy().astype(int)


FRAME, GROUP = customers()
POINTS = np.random.default_rng(1).normal(size=(N, 2)) + 8 * GROUP[:, None]


def runs_of(X, estimator, **options):
    return sc.resampled_clusterings(X, estimator, **{"n_resamples": 4, "rng": 0, **options})


# -- rows in the kind that was given ------------------------------------------------------------
def test_a_function_gets_the_rows_of_the_frame():
    seen = []

    def watch(frame):
        seen.append(frame)
        return of_city(frame)

    runs = runs_of(FRAME, watch)
    for frame, row in zip(seen, sc.subsample_indices(N, 4, rng=0)):
        pd.testing.assert_frame_equal(frame, FRAME.iloc[row])
    assert runs.object_names == tuple(FRAME.index)


KINDS = {
    "pipeline by column": lambda: (FRAME, by_column()),
    "function of a frame": lambda: (FRAME, of_city),
    "polars": lambda: (pytest.importorskip("polars").from_pandas(FRAME), by_column()),
    "pyarrow": lambda: (pytest.importorskip("pyarrow").table(dict(FRAME)), by_column()),
    "distances": lambda: (np.abs(POINTS[:, None] - POINTS[None]).sum(axis=2),
                          AgglomerativeClustering(2, metric="precomputed", linkage="average")),
    "frame of distances": lambda: (
        pd.DataFrame(np.abs(POINTS[:, None] - POINTS[None]).sum(axis=2), index=FRAME.index,
                     columns=FRAME.index)[FRAME.index[::-1]],
        AgglomerativeClustering(2, metric="precomputed", linkage="average")),
    "sparse": lambda: (scipy.sparse.coo_array(np.abs(POINTS).round(2)),
                       make_pipeline(TruncatedSVD(1), KMeans(2, n_init=2))),
    "series": lambda: (np.stack([POINTS, POINTS + 1], axis=1),
                       lambda x: (x[:, 0, 0] > 4).astype(int)),
    "texts": lambda: ([f"{'cat dog' if g else 'sun moon'} {i % 5}" for i, g in enumerate(GROUP)],
                      make_pipeline(TfidfVectorizer(), KMeans(2, n_init=2))),
}


@for_each("kind", KINDS)
def test_kinds_through_functions_that_need_labels_only(kind):
    X, estimator = KINDS[kind]()
    runs = runs_of(X, estimator)
    for run, held in zip(runs.labels, runs.present):
        assert np.count_nonzero(held) == N // 2
        assert sc.measures.adjusted_rand_index(GROUP[held], run[held]) == 1.0
    with ThreadPoolExecutor(2) as pool:
        assert runs_of(X, estimator, executor=pool) == runs


def test_mixed_data_replicate_without_references():
    other, _ = customers(5)
    found = sc.replicate({"a": FRAME, "b": other[["city", "age", "income"]]}, by_column(),
                         reference=None, n_resamples=4, n_splits=2, rng=0)
    assert found.agreement.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert np.isnan(found.to_frame()["in_group"]).all()   # no distances between rows
    with pytest.raises(sc.ClusteringError, match=r"cohort a: .* 'income' has 4 missing.* 'city' has"
                                                 r" text \('Bergen', 'Oslo'"):
        sc.replicate({"a": FRAME, "b": other}, by_column(), n_resamples=2, rng=0)


def test_prediction_strength_of_mixed_data():
    strength = sc.prediction_strength(FRAME, lambda x, k: of_city(x), [2], n_splits=2, rng=0,
                                      classifier=make_pipeline(
                                          ColumnTransformer([("c", OneHotEncoder(), ["city"])]),
                                          KMeans(2)))
    assert strength.n_clusters.tolist() == [2]


def test_cluster_number_of_distances_is_that_of_the_points():
    ward = AgglomerativeClustering(linkage="average")
    far = AgglomerativeClustering(linkage="average", metric="precomputed")
    distances = np.sqrt(((POINTS[:, None] - POINTS[None]) ** 2).sum(axis=2))
    for criterion in ("silhouette", "pac"):
        a, b = (sc.cluster_number(x, [2, 3], criterion=criterion, estimator=e, rng=0,
                                  **({"n_resamples": 5} if criterion == "pac" else {}))
                for x, e in ((POINTS, ward), (distances, far)))
        np.testing.assert_allclose(a.criterion, b.criterion, rtol=1e-9)   # of x'x - 2x'y + y'y
        assert a.best == b.best == 2


def test_references_are_frames_with_the_columns():
    numeric = pd.DataFrame(POINTS, columns=["income", "age"])
    scaled = make_pipeline(ColumnTransformer([("s", StandardScaler(), ["age", "income"])]),
                           KMeans(2, n_init=2))

    def clusters(frame, k):
        assert list(frame.columns) == ["income", "age"]
        return scaled.set_params(kmeans__n_clusters=k).fit_predict(frame)

    found = sc.cluster_test(numeric, 2, estimator=clusters, n_references=19, rng=0)
    assert found.best == 2
    assert found.p_value.tolist() == [0.05]
    assert sc.replicate([numeric, numeric + 0.1], make_pipeline(
        ColumnTransformer([("s", StandardScaler(), ["age", "income"])]), KMeans(2, n_init=2)),
        n_resamples=2, n_splits=1, n_references=19, rng=0).agreement[0, 1] == 1.0


# -- numbers for our own computations -----------------------------------------------------------
OURS = {
    "cluster_test": lambda x: sc.cluster_test(x, 2, n_references=19),
    "cluster_number": lambda x: sc.cluster_number(x, [2]),
    "gap": lambda x: sc.cluster_number(x, [2], criterion="gap"),
    "jitter": lambda x: sc.resampled_clusterings(x, KMeans(2), scheme="jitter"),
    "bagging": lambda x: sc.BaggedClustering(2).fit(x),
    "mmcc": lambda x: sc.MultipleMatchClustering(2).fit(x),
    "c-means": lambda x: sc.cluster.FuzzyCMeans(2).fit(x),
}


@for_each("call", OURS)
def test_columns_that_are_no_numbers_are_named(call):
    frame = FRAME.assign(since=pd.Timestamp("2020-02-01"), whole=pd.array([1, None] * 30, "Int64"))
    with pytest.raises(ValueError, match=r"finite numbers: column 'income' has 4 missing \(NaN\) "
                       r"values; column 'city' has text \('Bergen', 'Oslo'\); column 'since' has "
                       r"dates .*; column 'whole' has 30 missing .* \(guide: Mixed data\)"):
        OURS[call](frame)


def test_sparse_tables_are_dense_up_to_a_size():
    counts = scipy.sparse.csr_array(POINTS)
    assert sc.cluster_test(counts, 2, n_references=19, rng=0).best == 2
    with pytest.raises(sc.ClusteringError, match="TruncatedSVD"):
        sc.cluster_test(scipy.sparse.csr_array((20000, 20000)), 2)


def test_distances_have_no_coordinates():
    precomputed = AgglomerativeClustering(2, metric="precomputed", linkage="average")
    distances = np.abs(POINTS[:, None] - POINTS[None]).sum(axis=2)
    with pytest.raises(sc.ClusteringError, match="no coordinates"):
        sc.cluster_test(distances, 2, estimator=precomputed)
    with pytest.raises(sc.ClusteringError, match="square matrix of distances is needed"):
        sc.resampled_clusterings(POINTS, precomputed)
    with pytest.raises(sc.ClusteringError, match="do not give labels to others"):
        sc.resampled_clusterings(distances, precomputed, predict=True)


TABLES = {"array": POINTS, "list": POINTS.tolist(), "frame": pd.DataFrame(POINTS),
                "objects": POINTS.astype(object), "whole": POINTS.round().astype(int),
                "nullable": pd.DataFrame(POINTS).convert_dtypes()}


@for_each("kind", TABLES)
def test_numbers(kind):
    x = TABLES[kind]
    table = as_objects(x)
    assert table.numbers.dtype == np.float64
    assert table.numbers.flags.c_contiguous
    np.testing.assert_array_equal(table.numbers, np.array(np.asarray(x), dtype=float))
    assert (type(table.rows) is np.ndarray) == (not isinstance(x, pd.DataFrame))


def test_no_tables():
    for x, message in (("abc", "X is a str"), (None, "X is a NoneType"), ([[1.0]], "has 1 object "),
                       ({"a": 1}, "X is a dict")):
        with pytest.raises(sc.ClusteringError, match=message):
            as_objects(x)


def test_an_annotated_table_is_given_by_its_parts():
    class AnnData:
        obs_names, X = ["a"], None

    with pytest.raises(sc.ClusteringError, match=r"obsm\['X_pca'\]"):
        as_objects(AnnData())


def test_the_parts_of_an_annotated_table_keep_its_names():
    """The table of the guide's page Single cells: names, points and sparse counts."""
    cells = pd.Index([f"cell{i}" for i in range(N)])
    adata = SimpleNamespace(
        obs_names=cells, obs=pd.DataFrame({"leiden": GROUP.astype(str)}, index=cells),
        obsm={"X_pca": POINTS}, X=scipy.sparse.csr_matrix(np.random.default_rng(0).poisson(
            3.0, size=(N, 4))))
    points = pd.DataFrame(adata.obsm["X_pca"], index=adata.obs_names)
    assert as_objects(points).names == tuple(cells)
    found = sc.separation_test(points, adata.obs["leiden"][::-1], n_references=19, rng=0)
    assert found.n_groups == 2
    again = sc.separation_test(POINTS, GROUP.astype(str), n_references=19, rng=0)
    assert found.sentence == again.sentence
    one, other = sc.thin(adata.X, rng=0)
    assert scipy.sparse.issparse(one)
    assert (one + other != adata.X).nnz == 0
    named = pd.DataFrame(adata.X.toarray(), index=cells, columns=list("abcd"))   # adata.to_df()
    assert sc.thin(named, rng=0)[0].index.equals(cells)


# -- names --------------------------------------------------------------------------------------
def test_names_are_matched():
    assert matched(("a", "b", "c"), ("c", "a", "b"), called=("X", "y")).tolist() == [1, 2, 0]
    assert matched(("a", "b"), ("a", "b"), called=("X", "y")) is None
    assert matched(None, ("a", "b"), called=("X", "y")) is None
    assert matched(("a", "a"), ("a", "a"), called=("X", "y")) is None
    for names, others, message in ((("a", "b"), ("a", "c"), "different"),
                                   (("a", "b", "a"), ("a", "a", "b"), "another order"),
                                   (("a", "b"), ("a",), "2 objects and y has 1"),
                                   (None, (1, 0, 2), "order of the names or of the rows")):
        with pytest.raises(sc.ClusteringError, match=message):
            matched(names, others, called=("X", "y"))


def test_a_table_knows_its_rows():
    table = as_objects(FRAME)
    assert isinstance(table, ObjectTable)
    assert as_objects(table) is table
    assert table[np.array([2, 0])].data.index.tolist() == ["c2", "c0"]
    assert table.features == ["income", "age", "city"]
    assert (table.shape, as_objects(["a", "b", "c"]).shape) == ((60, 3), (3, 0))


# -- tiny and huge numbers ----------------------------------------------------------------------
@pytest.mark.parametrize(("factor", "message"), [
    (1e-165, r"differ by at most .*e-164; 1e-140 is needed, .*: multiply X by a constant"),
    (1e160, r"an entry of size .*e\+16\d; at most 1e\+140 is allowed, .*: divide X by a constant")])
@pytest.mark.parametrize("kind", [np.asarray, pd.DataFrame])
def test_squares_that_vanish_or_overflow_are_an_error(factor, message, kind):
    kmeans, X = KMeans(2, n_init=2, random_state=0), kind(POINTS * factor)
    for reference in ("uniform", None):
        with pytest.raises(sc.ClusteringError, match=f"cohort A: .*{message}"):
            sc.replicate([X, X], kmeans, reference=reference)
    with pytest.raises(sc.ClusteringError, match=f"cohort A: .*{message}"):
        sc.replicate([(X, GROUP), (X, GROUP)])
    for estimator in (kmeans, by_size):
        with pytest.raises(sc.ClusteringError, match=message):
            sc.prediction_strength(X, estimator, [2, 3])
    for near in (1e-130, 1e130):   # the same labels at any scale
        found = sc.prediction_strength(kind(POINTS * near), kmeans, [2], n_splits=2, rng=0)
        assert found.values.tolist() == [[1.0, 1.0]]


# -- functions, and clusterers with noise -------------------------------------------------------
def by_size(X, n_clusters):
    return (np.asarray(X)[:, 0] > 3.0).astype(int)


@pytest.mark.parametrize(("call", "message"), [
    (lambda f: sc.cluster_number(POINTS, [2], criterion="silhouette", estimator=f),
     "estimator is a function; a scikit-learn clusterer is needed, such as a class derived from "),
    (lambda f: sc.BaggedClustering(2, estimator=f).fit(POINTS), "estimator is a function; "),
    (lambda f: sc.cluster_test(POINTS, 2, estimator=lambda X: X, n_references=19),
     r"a function of \(X\); here it is called with \(X, n_clusters\)"),
    (lambda f: sc.prediction_strength(POINTS, lambda X: X, [2]),
     r"here it is called with \(X, n_clusters\)"),
    (lambda f: sc.replicate([POINTS, POINTS], f),
     r"a function of \(X, n_clusters\); here it is called with \(X\)"),
    (lambda f: sc.resampled_clusterings(POINTS, f), r"here it is called with \(X\)"),
    (lambda f: sc.cluster_number(POINTS, [2], criterion="pac", estimator=OnlyFit()),
     "estimator is a OnlyFit without get_params; a scikit-learn clusterer is needed")])
def test_functions_that_do_not_fit(call, message):
    with pytest.raises(TypeError, match=message):
        call(by_size)


class OnlyFit:
    def fit(self, X):
        return self


def test_hdbscan_through_functions_that_take_a_clusterer():
    """Noise of scikit-learn's HDBSCAN: its objects are in no cluster, or the error names noise."""
    rng = np.random.default_rng(3)
    group = np.arange(80) % 2
    x = np.vstack([9.0 * group[:, None] + rng.normal(size=(80, 2)), [[40, -40], [-40, 40]]])
    density = HDBSCAN(min_cluster_size=8, copy=True)
    assert sorted(np.flatnonzero(density.fit_predict(x) == -1))[-2:] == [80, 81]
    runs = {noise: runs_of(x, density, noise=noise) for noise in ("cluster", "drop")}
    for drop, keep in zip(runs["drop"].labels, runs["cluster"].labels):
        assert set(np.unique(drop[:80])) <= {-1, 0, 1}
        assert (drop[80:] == -1).all()   # in no cluster of any run
        there = drop[:80] >= 0
        assert there.sum() > 25
        assert sc.adjusted_rand_index(group[there], drop[:80][there]) == 1.0
        assert sc.adjusted_rand_index(keep[:80][there], drop[:80][there]) == 1.0
    with ThreadPoolExecutor(2) as pool:
        assert runs_of(x, density, noise="drop", executor=pool) == runs["drop"]
    with pytest.warns(sc.ResamplingWarning, match="noise in every replicate"):
        fit = sc.BaggedClustering(estimator=density, noise="drop", n_resamples=20,
                                  random_state=0).fit(x)
    assert sc.adjusted_rand_index(group, fit.labels_[:80]) > 0.9
    joined = sc.replicate([x[:41], x[41:]], join_noise, n_resamples=3, n_splits=2,
                          n_references=3, rng=0)
    assert joined.agreement[0, 1] > 0.7   # the noise that joins is not the same
    for call in (lambda: sc.prediction_strength(x, density, [2]), lambda: sc.cluster_number(
            x, [2], criterion="pac", estimator=density), lambda: sc.cluster_test(
            x, 2, estimator=density)):
        with pytest.raises(ValueError, match=r"HDBSCAN has no .*number of clusters"):
            call()
    with pytest.raises(sc.ClusteringError, match="no noise in every cohort; reference=None"):
        sc.replicate([x, x], density, n_resamples=3, n_splits=2, n_references=3, rng=0)
    found = sc.replicate([x, x], density, reference=None, n_resamples=3, n_splits=2, rng=0)
    assert found.agreement[0, 1] > 0.9


def join_noise(X):
    """HDBSCAN with noise as part of the first cluster."""
    return np.maximum(HDBSCAN(min_cluster_size=8, copy=True).fit_predict(X), 0)


@pytest.mark.slow
def test_cluster_test_keeps_its_level_on_mixed_data_of_one_cluster():
    """The short part of the guide's sentence: two normal features, a category of 2 or 5 values."""
    sys.path.insert(0, str(Path(__file__).parent / "benchmarks"))
    from mixed_data_level import rejections
    for categories in (2, 5):
        share, _ = rejections(20, categories, seed=7)
        assert share <= 0.2   # of level .05, 3 in 1,000 are above


# -- clusterers of other packages ---------------------------------------------------------------
def k_modes():
    kmodes = pytest.importorskip("kmodes.kmodes", reason="pip install kmodes")
    return FRAME[["city"]].assign(size=np.where(GROUP, "big", "small")), kmodes.KModes(2, n_init=1)


def k_prototypes():
    kprototypes = pytest.importorskip("kmodes.kprototypes", reason="pip install kmodes")

    class ByColumn(kprototypes.KPrototypes):
        """Its fit needs the places of the text columns."""

        def fit(self, X, y=None):
            return super().fit(X.to_numpy(dtype=object), categorical=[1])

        def predict(self, X):
            return super().predict(X.to_numpy(dtype=object), categorical=[1])

    return FRAME[["age", "city"]], ByColumn(2, n_init=1)


def time_series():
    clustering = pytest.importorskip("tslearn.clustering", reason="pip install tslearn")
    x = np.sin(np.linspace(0, 6, 20))[None, :, None] + 5.0 * GROUP[:, None, None]
    return x, clustering.TimeSeriesKMeans(2, n_init=1)


def mixture():
    stepmix = pytest.importorskip("stepmix.stepmix", reason="pip install stepmix")
    return POINTS, stepmix.StepMix(2, measurement="continuous", n_init=2, progress_bar=0,
                                   verbose=0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("made", [k_modes, k_prototypes, time_series, mixture])
def test_clusterers_of_other_packages(made):
    X, estimator = made()
    runs = runs_of(X, estimator)
    for run, held in zip(runs.labels, runs.present):
        assert sc.measures.adjusted_rand_index(GROUP[held], run[held]) == 1.0
    with ThreadPoolExecutor(2) as pool:
        assert runs_of(X, estimator, executor=pool) == runs
    fit = sc.BaggedClustering(2, estimator=estimator, n_resamples=4, random_state=0,
                              never_selected="base").fit(X)
    assert sc.measures.adjusted_rand_index(GROUP, fit.labels_) == 1.0
    found = sc.replicate([X, X], estimator, reference=None, n_resamples=2, n_splits=1, rng=0)
    assert found.agreement[0, 1] == 1.0
    assert sc.prediction_strength(X, estimator, [2], n_splits=2, rng=0).best == 2
    assert sc.cluster_number(X, [2], criterion="pac", estimator=estimator, n_resamples=4,
                             rng=0).best == 2
