"""Every row of the two conversion tables, both ways, and what raises."""

import datetime

import numpy as np
import pytest

import r_bridge
import softclust as sc
from r_bridge import _convert, call

pytestmark = pytest.mark.r

IDENTITY = "function(x) x"
KIND = "function(x) c(typeof(x), class(x))"


def same(value):
    return call(IDENTITY, value)


def r(code):
    """An R object, as a user of rpy2 has it."""
    import rpy2.robjects
    return rpy2.robjects.r(code)


# -- arrays and scalars -------------------------------------------------------------------------
@pytest.mark.parametrize("array", [
    np.array([1.5, -2.0, np.inf]),
    np.arange(6.0).reshape(2, 3),
    np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    np.arange(24.0).reshape(2, 3, 4),
    np.arange(20.0).reshape(4, 5)[::2, ::-2],
    np.array([1.5, 2.5], dtype=np.float32),
    np.array([1.5, 2.5], dtype=">f8"),
    np.array([]), np.empty((0, 3)), np.empty((3, 0)), np.array([[7.0]]),
    np.array([3, -4]), np.arange(6, dtype=np.uint8).reshape(3, 2), np.empty((2, 0), dtype=int),
    np.array([2**31 - 1, -2**31 + 1]),
    np.array([True, False]), np.array([[True], [False]]),
], ids=lambda a: f"{a.dtype}{a.shape}")
def test_arrays_come_back(array):
    back = same(array)
    assert np.array_equal(back, array)
    assert back.shape == array.shape
    assert back.dtype == {"f": np.float64, "i": np.int64, "u": np.int64, "b": np.bool_}[
        array.dtype.kind]
    assert back.flags.c_contiguous
    assert back.flags.owndata
    assert back.flags.writeable


def test_r_sees_rows_and_columns():
    matrix = np.arange(6.0).reshape(2, 3)
    assert call("function(m) m[2, 3]", matrix) == 5
    assert call("function(m) dim(m)", matrix).tolist() == [2, 3]
    assert np.array_equal(call("function() matrix(1:6, 2)"), [[1, 3, 5], [2, 4, 6]])


def test_read_only_array():
    array = np.arange(3.0)
    array.setflags(write=False)
    assert np.array_equal(same(array), array)


def test_values_have_memory_of_their_own():
    array = np.arange(1000.0)
    back = same(array)
    array[:] = -1.0
    call("function() { for (i in 1:50) stats::runif(1e5); gc(); NULL }", seed=1)
    assert np.array_equal(back, np.arange(1000.0))


@pytest.mark.parametrize(("value", "kind", "back"), [
    (True, "logical", [True]), (3, "integer", [3]), (-2**31 + 1, "integer", [-2**31 + 1]),
    (2**31, "double", [2.0**31]), (-2**31, "double", [-(2.0**31)]), (2**53, "double", [2.0**53]),
    (1.5, "double", [1.5]), (np.int32(4), "integer", [4]), (np.float32(0.5), "double", [0.5]),
    (np.bool_(False), "logical", [False]),
])
def test_scalars(value, kind, back):
    assert call(KIND, value)[0] == kind
    assert same(value).tolist() == back


@pytest.mark.parametrize(("value", "back"), [
    ("é – 漢", ["é – 漢"]), (["a", ""], ["a", ""]), (np.array(["u", "v"]), ["u", "v"]),
    (np.str_("w"), ["w"]), (None, None), ([], []), ({}, []),
])
def test_strings_and_nothing(value, back):
    assert same(value) == back


def test_lists_and_dicts():
    back = same({"a": 1, "b": [1.5, "x", None], "ü": {"deep": np.eye(2)}})
    assert list(back) == ["a", "b", "ü"]
    assert back["b"][1:] == [["x"], None]
    assert np.array_equal(back["ü"]["deep"], np.eye(2))
    assert call(KIND, {"a": 1}) == ["list", "list"]
    assert call(KIND, [1, 2]) == ["list", "list"]
    assert isinstance(call("function() list(a = 1, 2)"), list)  # not fully named


def test_na_and_nan_of_doubles_are_nan():
    assert np.isnan(call("function() c(NA_real_, NaN)")).all()
    assert call("function(x) is.nan(x)", np.nan)
    assert np.isnan(call("function() c(1, NA)").sum())  # R's NA signals: numpy must not warn


@pytest.mark.parametrize("value", [
    object(), np.array([object()]), np.array(["2020-01-01"], dtype="datetime64[D]"),
    datetime.date(2020, 1, 1), 1j, np.array([1j]), np.ma.masked_array([1.0], [True]), b"bytes",
    {1: 2}, {"": 1}, 2**53 + 1, np.array([2**31]), np.array([-2**31]),
    np.array([2**63], dtype=np.uint64), np.array([["a"], ["b"]]), {1, 2}, len, np.longdouble(1.0),
], ids=lambda v: f"{type(v).__name__}")
def test_python_values_without_counterpart(value):
    with pytest.raises(r_bridge.RConversionError):
        same(value)


def test_pandas_is_refused_with_a_way_out():
    import pandas as pd
    with pytest.raises(r_bridge.RConversionError, match="Make an array"):
        same(pd.Series([1.0]))


@pytest.mark.parametrize(("code", "named"), [
    ("function() c(1L, NA)", "NA"), ("function() c(TRUE, NA)", "NA"),
    ("function() c('a', NA)", "NA"), ("function() matrix('a')", "character matrix"),
    ("function() function(x) x", "function"),
    ("function() new.env()", "environment"), ("function() data.frame(a = 1)", "data.frame"),
    ("function() 1i", "complex"), ("function() as.raw(1)", "raw"), ("function() quote(x)", "name"),
    ("function() Sys.Date()", "Date"), ("function() y ~ x", "formula"),
    ("function() expression(1)", "expression"), ("function() c", "function"),
    ("function() stats::lm(y ~ x, list(x = 1:3, y = c(1, 2, 4)))", "lm"),
    ("function() list(1, 2i)", "complex"), ("function() list(a = 1, a = 2)", "repeated"),
    ("function() methods::getClass('numeric')", "classRepresentation"),
])
def test_r_values_without_counterpart(code, named):
    with pytest.raises(r_bridge.RConversionError, match=named):
        call(code)


def test_proximities_are_condensed():
    points = np.array([[0.0], [1.0], [3.0], [7.0]])
    from scipy.spatial.distance import pdist
    assert np.array_equal(call("function(x) stats::dist(x)", points), pdist(points))
    runs = sc.Ensemble([[0, 0, 1], [0, 1, 1], [0, 1, 2]])
    condensed = call("function(e) clue::cl_dissimilarity(e, method = 'BA/A')", runs)
    assert condensed.tolist() == [1, 1, 1]
    assert call("function(e) clue::cl_agreement(e, method = 'Rand')", runs).shape == (3,)


# -- clusterings to R ---------------------------------------------------------------------------
def test_hard_to_r():
    x = sc.HardClustering([2, 0, 0], n_clusters=4, object_names=["p", "ö", "r"])
    assert call("function(x) class(x)", x)[1] == "cl_hard_partition"
    assert call("function(x) as.integer(clue::cl_class_ids(x))", x).tolist() == [3, 1, 1]
    assert call("function(x) clue::cl_object_names(x)", x) == ["p", "ö", "r"]
    assert call("function(x) clue::n_of_classes(x)", x) == 2  # difference 4


def test_fuzzy_to_r():
    u = [[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]]
    x = sc.FuzzyClustering(u, object_names=list("abc"), cluster_names=["k", "l"])
    assert np.array_equal(call("function(x) unclass(clue::cl_membership(x))[, 1:2]", x), u)
    assert call("function(x) dimnames(clue::cl_membership(x))", x) == [["a", "b", "c"], ["k", "l"]]
    assert call("function(x) clue::is.cl_hard_partition(x)", x).tolist() == [False]


def test_rough_and_possibilistic_to_r():
    rough = sc.RoughClustering.from_upper([[1, 0], [1, 1]])
    back = same(rough)
    assert np.array_equal(back["lower"], [[1, 0], [0, 0]])
    assert np.array_equal(back["upper"], [[1, 0], [1, 1]])
    typicality = sc.PossibilisticClustering([[0.5, 0.1], [1.0, 1.0]])
    assert np.array_equal(same(typicality), typicality.typicality)
    with pytest.raises(r_bridge.RError):
        call("function(x) clue::cl_dissimilarity(x, x)", rough)


def test_ensemble_to_r():
    runs = sc.Ensemble([[0, 1, 1], [[0.5, 0.5], [0.1, 0.9], [1.0, 0.0]]])
    assert "cl_ensemble" in call("function(e) class(e)", runs)
    assert call("function(e) length(e)", runs) == 2
    assert same(runs) == runs
    mixed = sc.Ensemble([sc.RoughClustering.from_upper([[1, 1], [1, 0]])])
    with pytest.raises(r_bridge.RConversionError, match="rough"):
        same(mixed)


def test_credal_partition_in_the_order_evclust_needs():
    # Difference 20: a missing or misplaced singleton makes evclust's bel and y.bel wrong.
    mass = np.array([[0.5, 0.2, 0.3], [0.1, 0.9, 0.0]])
    sets = np.array([[1, 0, 1], [0, 0, 1], [1, 1, 1]], dtype=bool)
    ordered, focal = _convert.credpart_order(mass, sets)
    assert focal.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1]]
    assert ordered.tolist() == [[0, 0, 0, 0.2, 0.5, 0.3], [0, 0, 0, 0.9, 0.1, 0]]


@pytest.mark.r_cran
def test_evidential_round_trip(r_session):
    if r_session["evclust"] is None:
        pytest.skip("evclust is on CRAN only; credpart_order and the way back are tested without")
    # two objects: evclust cannot hold one
    x = sc.EvidentialClustering([[0.1, 0.5, 0.2, 0.2], [0.0, 0.25, 0.25, 0.5]],
                                [[0, 0], [1, 0], [0, 1], [1, 1]])
    assert same(x) == x


def test_evidential_without_evclust(r_session):
    if r_session["evclust"] is not None:
        assert call("function(x) class(x)", sc.as_clustering([0, 1]).to_evidential()) == [
            "credpart"]
        return
    with pytest.raises(r_bridge.RUnavailableError, match=r"install\.packages\('evclust'\)"):
        same(sc.EvidentialClustering([[1.0]], [[1]]))


# -- clusterings from R -------------------------------------------------------------------------
@pytest.mark.parametrize("x", [
    sc.HardClustering([1, 0, 0, 2]),
    sc.HardClustering([0]),
    sc.HardClustering([0, 1, 1], object_names=["a", "ß", "c"]),
    sc.FuzzyClustering([[0.25, 0.75], [0.5, 0.5]]),
    sc.FuzzyClustering([[0.25, 0.75]], object_names=["a"], cluster_names=["k", "l"]),
    sc.RoughClustering.from_upper([[1, 0], [1, 1]]),
], ids=repr)
def test_round_trip(x):
    assert r_bridge.clustering_from_r(r_bridge.to_r(x)) == x


def test_crisp_memberships_are_hard_for_clue():
    back = same(sc.FuzzyClustering([[1.0, 0.0], [0.0, 1.0]]))
    assert back == sc.HardClustering([0, 1])


def test_million_objects():
    labels = np.random.default_rng(0).integers(0, 7, 10**6)
    assert np.array_equal(same(sc.HardClustering(labels)).labels, labels)


@pytest.mark.parametrize(("code", "labels", "names"), [
    ("factor(c('b', 'a', 'b'), levels = c('b', 'unused', 'a'))", [0, 1, 0], ("b", "a")),
    ("c(2L, -1L, 0L, 2L)", [2, 0, 1, 2], (-1, 0, 2)),
    ("c(1, 2, 2)", [0, 1, 1], (1, 2)),
    ("c('y', 'x', 'y')", [1, 0, 1], ("x", "y")),
    ("c(TRUE, FALSE)", [1, 0], (False, True)),
    ("clue::as.cl_hard_partition(c(2, 1, 1))", [1, 0, 0], (0, 1)),
    ("clue::as.cl_hard_partition(c(3, 10, 77))", [0, 1, 2], (3, 10, 77)),
    ("clue::as.cl_hard_partition(c('u', 'v', 'u'))", [0, 1, 0], ("u", "v")),
    ("clue::cl_class_ids(clue::as.cl_hard_partition(c(2, 1)))", [1, 0], (0, 1)),
    ("cutree(hclust(dist(c(1, 2, 9))), 2)", [0, 0, 1], (1, 2)),
])
def test_hard_from_r(code, labels, names):
    x = sc.as_clustering(r(code))
    assert isinstance(x, sc.HardClustering)
    assert x.labels.tolist() == labels
    assert x.cluster_names == names


@pytest.mark.parametrize("kind", ["dbscan", "dbscan_fast", "hdbscan"])
def test_noise_of_dbscan_is_a_cluster_called_0(kind):
    code = f"structure(list(cluster = c(0L, 1L, 2L, 1L)), class = '{kind}')"
    x = sc.as_clustering(r(code))
    assert x.cluster_names == (0, 1, 2)
    assert sc.align(x, x, noise="drop", noise_label=0).n_objects == 3


def test_names_of_objects_from_r():
    assert sc.as_clustering(r("c(p = 1L, q = 2L)")).object_names == ("p", "q")
    # Row numbers are names, so that another order is noticed.
    numbers = tuple(str(i) for i in range(1, 10))
    assert sc.as_clustering(r("kmeans(iris[1:9, 1:2], iris[1:2, 1:2])")).object_names == numbers
    assert sc.as_clustering(r("matrix(c(.5, 1, .5, 0), 2)")).object_names is None
    rows = sc.as_clustering(r("data.frame(k = c(.5, 1), l = c(.5, 0), row.names = c('a', 'b'))"))
    assert rows.object_names == ("a", "b")
    assert rows.cluster_names == ("k", "l")
    frame = "data.frame(k = c(.5, 1), l = c(.5, 0))"
    assert sc.as_clustering(r(frame)).object_names == ("1", "2")
    tibble = f"`class<-`({frame}, c('tbl_df', 'tbl', 'data.frame'))"
    assert sc.as_clustering(r(tibble)).object_names is None


@pytest.mark.parametrize(("x", "y"), [
    ("data.frame(k = c(.5, 1), l = c(.5, 0))", "data.frame(k = c(.5, 1), l = c(.5, 0))[2:1, ]"),
    ("c(`1` = 1, `2` = 2)", "c(`2` = 2, `1` = 1)"),
    ("kmeans(head(iris, 20)[1:4], 2)", "kmeans(iris[20:1, 1:4], 2)"),
])
def test_the_same_objects_in_another_order_raise(x, y):
    """Default row names count: they were dropped, and the objects compared by position."""
    for a, b in ((x, y), (y, x)):
        with pytest.raises(sc.ClusteringError, match="another order"):
            sc.pair_counts(sc.as_clustering(r(a)), sc.as_clustering(r(b)))
    # without names on one side positions count
    assert sc.pair_counts(sc.as_clustering(r("c(1, 2)")), sc.HardClustering([0, 1])).n_pairs == 1


@pytest.mark.parametrize("code", [
    "kmeans(iris[1:4], iris[c(1, 51, 101), 1:4])",
    "cluster::pam(iris[1:4], 3)",
    "clue::as.cl_hard_partition(kmeans(iris[1:4], iris[c(1, 51, 101), 1:4]))",
])
def test_hard_fits_from_r(code):
    x = sc.as_clustering(r(code))
    assert x.kind == "hard"
    assert (x.n_objects, x.n_clusters, x.cluster_names) == (150, 3, (0, 1, 2))


@pytest.mark.parametrize(("code", "part"), [
    ("e1071::cmeans(iris[1:4], iris[c(1, 51, 101), 1:4])", "x$membership"),
    ("cluster::fanny(iris[1:60, 1:4], 2)", "x$membership"),
    ("eval(quote(Mclust(iris[1:4], G = 2, verbose = FALSE)), new.env(parent = asNamespace('mclust')"
     "))", "x$z"),
    # What fclust::FKM returns has the same class as what e1071::cmeans does.
    ("structure(list(U = cbind(c(.5, .2), c(.5, .8)), clus = 1:2), class = 'fclust')", "x$U"),
    ("clue::as.cl_partition(cbind(c(.5, .2), c(.5, .8)))",
     "unclass(clue::cl_membership(x))[, 1:2]"),
    ("clue::cl_membership(clue::as.cl_partition(c(1, 2, 2)))", "unclass(x)[, 1:2]"),
    ("cbind(c(.5, .2), c(.5, .8))", "x"),
])
def test_fuzzy_from_r(code, part):
    fit = r(code)
    x = sc.as_clustering(fit)
    assert isinstance(x, sc.FuzzyClustering)
    assert np.array_equal(x.membership, call(f"function(x) {part}", fit))


def test_mclust_keeps_components_that_win_no_object():
    z = r("structure(list(z = cbind(c(.6, .7), c(.3, .2), .1), G = 3), class = 'Mclust')")
    assert sc.as_clustering(z).n_clusters == 3


@pytest.mark.parametrize("code", [
    "structure(list(mass = cbind(.25, .5, .25), F = rbind(c(0, 0), c(1, 0), c(1, 1))), "
    "class = 'credpart')",
    # the empty set need not come first in R
    "structure(list(mass = cbind(.5, .25, .25), F = rbind(c(1, 0), c(0, 0), c(1, 1))), "
    "class = 'credpart')",
])
def test_credal_partition_from_r(code):
    x = sc.as_clustering(r(code))
    assert x == sc.EvidentialClustering([[0.25, 0.5, 0.25]], [[0, 0], [1, 0], [1, 1]])


@pytest.mark.parametrize("code", [
    "list(upperApprox = rbind(c(1, 0), c(1, 1)), clusterMeans = 0)",
    "list(lower = rbind(c(1, 0), c(0, 0)), upper = rbind(c(1, 0), c(1, 1)))",
])
def test_rough_from_r(code):
    x = sc.as_clustering(r(code))
    assert isinstance(x, sc.RoughClustering)
    assert x.upper.tolist() == [[True, False], [True, True]]


@pytest.mark.parametrize("code", ["rbind(c(TRUE, FALSE), c(TRUE, TRUE))",
                                  "data.frame(a = c(TRUE, TRUE), b = c(FALSE, TRUE))"])
def test_logical_matrices_from_r_need_their_kind(code):
    with pytest.raises(sc.ClusteringError, match="may mean two things"):
        sc.as_clustering(r(code))
    assert sc.as_clustering(r(code), kind="rough").upper.tolist() == [[True, False], [True, True]]
    assert sc.as_clustering(r(code), kind="cover").sizes.tolist() == [2, 1]
    assert sc.as_clustering(r("diag(2) == 1")).kind == "fuzzy"


def test_matrix_of_a_named_kind():
    matrix = r("cbind(c(1, .2), c(.5, .1))")
    with pytest.raises(sc.ClusteringError, match=r"row 1 .*sums to 1.5.*kind='possibilistic'"):
        sc.as_clustering(matrix)
    assert sc.as_clustering(matrix, kind="possibilistic").kind == "possibilistic"
    assert sc.as_clustering(r("cbind(1:0, 0:1)")).kind == "fuzzy"
    whole = r("cbind(1:1, 0:1)")
    with pytest.raises(sc.ClusteringError, match=r"sums to 2.*kind='rough'"):
        sc.as_clustering(whole)
    assert sc.as_clustering(whole, kind="rough").kind == "rough"
    with pytest.raises(sc.ClusteringError, match="hard"):
        sc.as_clustering(matrix, kind="hard")
    with pytest.raises(sc.ClusteringError, match="kind='fuzzy'"):
        sc.as_clustering(r("c(1L, 2L)"), kind="fuzzy")


@pytest.mark.parametrize("code", ["c(1L, NA)", "c('a', NA)", "factor(c('a', NA))", "c(1, NaN)",
                                  "c(TRUE, NA)"])
def test_missing_labels_raise(code):
    with pytest.raises(sc.ClusteringError, match="NA"):
        sc.as_clustering(r(code))


def test_fractions_are_no_labels():
    with pytest.raises(sc.ClusteringError, match="fractions"):
        sc.as_clustering(r("c(1, 1.5)"))


@pytest.mark.parametrize("code", ["hclust(dist(1:3))", "list(a = 1)", "function(x) x", "iris",
                                  "Sys.Date()", "array(0, c(1, 1, 1))"])
def test_no_clustering_in_r(code):
    with pytest.raises((r_bridge.RConversionError, sc.ClusteringError)):
        sc.as_clustering(r(code))


# -- rpy2's own way -----------------------------------------------------------------------------
def test_converter_in_a_local_context():
    import rpy2.robjects as ro
    with r_bridge.converter.context():
        assert ro.r("matrix(1:4, 2)").tolist() == [[1, 3], [2, 4]]
        assert ro.r["mean"](np.arange(5.0)) == 2
        x = sc.HardClustering([0, 1, 1])
        assert ro.r("clue::n_of_classes")(x) == 2
        assert isinstance(ro.r("factor('a')"), sc.HardClustering)
    assert not isinstance(ro.r("1"), np.ndarray)  # never activated
    assert r_bridge.from_r(ro.r("1:2")).tolist() == [1, 2]


# -- odd shapes and names ----------------------------------------------------------------------
@pytest.mark.parametrize("x", [
    sc.HardClustering([0], object_names=["ñ"]),
    sc.FuzzyClustering([[0.5, 0.5]]),
    sc.RoughClustering.from_upper([[1, 1, 0]]),
    sc.FuzzyClustering(np.asfortranarray([[0.25, 0.75], [0.5, 0.5]])[::-1]),
    sc.FuzzyClustering(np.array([[0.25, 0.75], [0.5, 0.5]], dtype=np.float32)),
    sc.HardClustering(np.array([3, 9, 0, 3])[::2]),
], ids=["name", "fuzzy1", "rough1", "backwards", "float32", "strided"])
def test_round_trip_of_odd_arrays(x):
    assert r_bridge.clustering_from_r(r_bridge.to_r(x)).n_objects == x.n_objects
    if x.kind != "hard" or x.cluster_names == tuple(range(x.n_clusters)):
        assert r_bridge.clustering_from_r(r_bridge.to_r(x)) == x


def test_an_empty_cluster_is_lost_in_clue_only():
    """Difference 4: clue has no empty classes; lists and credal partitions keep them."""
    gap = sc.HardClustering([0, 2], n_clusters=4)
    assert call("function(x) clue::n_of_classes(x)", gap) == 2
    assert same(sc.FuzzyClustering([[0.5, 0.0, 0.5], [1.0, 0.0, 0.0]])).n_clusters == 2
    rough = sc.RoughClustering.from_upper([[1, 0, 0], [1, 0, 1]])
    assert sc.as_clustering(r_bridge.to_r(rough)).n_clusters == 3
    sets, mass = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 1]]), np.array([[0.5, 0.25, 0.25]])
    assert _convert.credpart_order(mass, sets)[0].tolist() == [[0.5, 0.25, 0.0, 0.25]]


def test_million_fuzzy_objects():
    u = np.random.default_rng(1).dirichlet([1.0, 1.0, 1.0], 10**6)
    x = sc.FuzzyClustering(u)
    # clue divides rows by their sums, which differ from 1 by rounding
    np.testing.assert_allclose(same(x).membership, x.membership, rtol=1e-15)


def test_names_of_ensembles_and_levels():
    named = sc.as_clustering(r("factor(c('ß', '漢', 'ß'))"))
    assert set(named.cluster_names) == {"ß", "漢"}
    runs = same(sc.Ensemble({"erste": [0, 1], "zweite": [0, 0]}))
    assert len(runs) == 2
    e = r_bridge.from_r(r("clue::cl_ensemble(list = list(a = clue::as.cl_partition(c(1, 2)), "
                          "b = clue::as.cl_partition(c(1, 1))))"))
    assert e.names == ("a", "b")


def test_utf_8_where_r_runs_in_the_c_locale(run_python, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    lines = run_python("""
import r_bridge, softclust as sc
x = sc.HardClustering([0, 1], object_names=["ñ", "漢"])
print(r_bridge.call("function(s) s", "é – 漢") == ["é – 漢"],
      r_bridge.call("function(x) x", x).object_names == ("ñ", "漢"),
      r_bridge.call("function(l) names(l)", {"ü": 1}) == ["ü"])
""")
    assert lines == ["True True True"]


@pytest.mark.parametrize(("code", "message"), [
    ("matrix(c(.5, NA, .5, 1), 2)", "row 2 of the R matrix contains NA"),
    ("data.frame(a = c(.5, NaN), b = c(.5, 1))", "row 2 of the R matrix contains NA"),
    ("integer(0)", "empty"), ("factor(character(0))", "n_clusters is 0"),
    ("matrix(numeric(0), 0, 2)", "empty"),
    ("c(a = 1L, a = 2L)", "object"),
    ("clue::as.cl_hierarchy(hclust(dist(1:3)))", "not a clustering"),
])
def test_r_objects_that_are_no_clustering_say_why(code, message):
    with pytest.raises((sc.ClusteringError, r_bridge.RConversionError), match=message):
        sc.as_clustering(r(code))


def test_r_objects_meet_python_ones_in_any_function():
    fit = r("kmeans(iris[1:4], iris[c(1, 51, 101), 1:4])")
    species = r("iris$Species")
    assert sc.adjusted_rand_index(fit, species) == pytest.approx(
        call("function(x, y) mclust::adjustedRandIndex(x, y)",
             sc.as_clustering(fit).labels, sc.as_clustering(species).labels)[0])
    assert len(sc.compare(fit, species)) > 5
