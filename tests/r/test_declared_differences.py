"""R still does what the declared differences (r_bridge/README.md, by number) say, and we do not."""

import warnings

import numpy as np
import pytest

import r_bridge
import softclust as sc
from r_bridge import call
from r_bridge import clue as bridge_clue

pytestmark = pytest.mark.r

SOFT_X = sc.FuzzyClustering([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.3, 0.7]])
SOFT_Y = sc.FuzzyClustering([[0.7, 0.3], [0.1, 0.9], [0.4, 0.6], [0.8, 0.2]])
ONE_CLASS, SINGLETONS = [0, 0, 0, 0], [0, 1, 2, 3]


# -- 1: soft partitions are hardened silently --------------------------------------------------
@pytest.mark.parametrize("method", ["Rand", "KP", "FM", "Jaccard", "purity", "PS"])
def test_1_agreements_harden_soft_partitions(method):
    hardened = bridge_clue.cl_agreement(SOFT_X.harden(), SOFT_Y.harden(), method=method)
    assert bridge_clue.cl_agreement(SOFT_X, SOFT_Y, method=method) == hardened


@pytest.mark.parametrize("method", ["symdiff", "Rand", "BA/A", "BA/C", "BA/D", "BA/E"])
def test_1_dissimilarities_harden_soft_partitions(method):
    hardened = bridge_clue.cl_dissimilarity(SOFT_X.harden(), SOFT_Y.harden(), method=method)
    assert bridge_clue.cl_dissimilarity(SOFT_X, SOFT_Y, method=method) == hardened


@pytest.mark.parametrize("method", ["NMI", "cRand"])
def test_1_some_stop_instead(method):
    with pytest.raises(r_bridge.RError, match="hard partitions"):
        bridge_clue.cl_agreement(SOFT_X, SOFT_Y, method=method)


def test_1_softclust_refuses():
    hard_only = [m for m in map(sc.get_measure, sc.measures().index)
                 if m.kinds == ("hard",) and m.arity == 2]
    assert "rand_index" in {m.name for m in hard_only}
    for record in hard_only:
        with pytest.raises(sc.ClusteringError, match=r"fuzzy.*harden"):
            record.function(SOFT_X, SOFT_Y)


# -- 2: ties are broken at random --------------------------------------------------------------
@pytest.mark.parametrize("near", [0.0, 1e-7])
def test_2_r_draws_the_class_of_a_tie(near):
    tied = np.tile([0.5 + near, 0.5 - near], (40, 1))
    ids = call("function(u) as.integer(clue::cl_class_ids(clue::as.cl_partition(u)))", tied, seed=1)
    assert set(ids) == {1, 2}
    assert sc.FuzzyClustering(tied).harden().labels.tolist() == [0] * 40


# -- 3: rows are divided by their sums ---------------------------------------------------------
def test_3_r_rescales_rows():
    as_partition = "function(u) clue::cl_membership(clue::as.cl_partition(u))[, 1:2]"
    uneven = np.array([[0.2, 0.6], [0.5, 0.5]])
    assert call(as_partition, uneven)[0] == pytest.approx([0.25, 0.75], rel=1e-15)
    assert np.isnan(call(as_partition, np.array([[0.0, 0.0], [0.5, 0.5]]))[0]).all()
    crisp = np.array([[0.5, 0.0], [0.0, 1.0]])
    assert np.array_equal(call(as_partition, crisp), [[1, 0], [0, 1]])
    assert not call("function(u) clue::is.cl_hard_partition(clue::as.cl_partition(u))", crisp)[0]
    for matrix in (uneven, crisp):
        with pytest.raises(sc.ClusteringError, match="sums to"):
            sc.FuzzyClustering(matrix)


# -- 4: empty classes --------------------------------------------------------------------------
def test_4_r_drops_empty_classes_and_appends_zero_columns():
    gap = sc.HardClustering([0, 2, 2], n_clusters=4)
    assert bridge_clue.n_of_classes(gap) == 2
    assert bridge_clue.cl_membership(gap, 4).tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0]]
    soft = sc.FuzzyClustering([[0.0, 0.5, 0.5], [0.0, 1.0, 0.0]])
    assert bridge_clue.n_of_classes(soft) == 2
    assert bridge_clue.cl_membership(soft, 3).tolist() == [[0.5, 0.5, 0], [1, 0, 0]]
    assert (gap.n_clusters, soft.n_clusters) == (4, 3)


# -- 5: 0/0 ------------------------------------------------------------------------------------
@pytest.mark.parametrize(("method", "labels"), [
    ("cRand", ONE_CLASS), ("cRand", SINGLETONS), ("NMI", ONE_CLASS), ("KP", ONE_CLASS),
    ("FM", SINGLETONS), ("Jaccard", SINGLETONS),
])
def test_5_equal_partitions_are_nan_in_r(method, labels):
    assert np.isnan(bridge_clue.cl_agreement(labels, labels, method=method))


def test_5_more_of_it():
    assert np.isnan(bridge_clue.cl_dissimilarity(ONE_CLASS, ONE_CLASS, method="BA/E"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", r_bridge.RWarning)  # min() of nothing
        assert np.isinf(bridge_clue.cl_agreement(SINGLETONS, SINGLETONS, method="PS"))


def test_5_softclust_gives_the_best_value():
    for labels in (ONE_CLASS, SINGLETONS):
        assert sc.adjusted_rand_index(labels, labels) == 1
        assert sc.jaccard_index(labels, labels) == 1
        assert sc.fowlkes_mallows_index(labels, labels) == 1
        assert sc.normalized_mutual_information(labels, labels) == 1


def test_5_other_0_by_0_is_nan_on_both_sides():
    x, y = SINGLETONS, [0, 0, 1, 1]
    assert np.isnan(bridge_clue.cl_agreement(x, y, method="FM"))
    with pytest.warns(sc.UndefinedMeasureWarning):
        assert np.isnan(sc.fowlkes_mallows_index(x, y))


# -- those that meet the bridge itself ---------------------------------------------------------
def test_9_agreements_of_an_ensemble_have_1_on_the_diagonal():
    pair = sc.Ensemble([SOFT_X, SOFT_Y])
    assert np.diag(bridge_clue.cl_agreement(pair, method="diag")).tolist() == [1, 1]
    assert bridge_clue.cl_agreement(SOFT_X, SOFT_X, method="diag") < 1


def test_10_variation_of_information_of_soft_partitions_with_themselves():
    assert bridge_clue.cl_dissimilarity(SOFT_X, SOFT_X, method="VI") > 0.1
    with pytest.raises(sc.ClusteringError, match="fuzzy"):
        sc.variation_of_information(SOFT_X, SOFT_X)


def test_11_lattice_distance_stops_on_labels_with_gaps():
    gap = sc.HardClustering([0, 2, 2])  # names 0 and 2 are codes 0 and 1: sent as 1 and 2
    assert bridge_clue.cl_dissimilarity(gap, gap, method="BA/C") == 0
    with pytest.raises(r_bridge.RError, match="out of bounds"):
        bridge_clue.cl_dissimilarity(sc.HardClustering([0, 2, 2], n_clusters=3), [0, 1, 1],
                                     method="BA/C")


def test_13_mclust_with_a_component_that_wins_no_object():
    fit = """structure(list(z = cbind(c(.6, .7), c(.3, .2), .1), G = 3, n = 2L,
                            classification = c(1, 1)), class = "Mclust")"""
    with pytest.raises(r_bridge.RError, match="number of classes"):
        call(f"function() unclass(clue::cl_membership({fit}))[1, ]")
    import rpy2.robjects
    assert sc.as_clustering(rpy2.robjects.r(fit)).n_clusters == 3


def test_14_fkm_objects_are_read_as_cmeans():
    fit = "structure(list(U = cbind(c(.6, .7), c(.4, .3)), clus = cbind(1, 1)), class = 'fclust')"
    try:
        found = call(f"function() as.vector(unclass(clue::cl_membership({fit})))")
    except r_bridge.RError:
        found = None
    assert found is None or found.size == 0
    import rpy2.robjects
    assert np.array_equal(sc.as_clustering(rpy2.robjects.r(fit)).membership,
                          [[0.6, 0.4], [0.7, 0.3]])


def test_19_solve_lsap_takes_nonnegative_tables_with_rows_up_to_columns():
    with pytest.raises(r_bridge.RError, match="negative"):
        bridge_clue.solve_LSAP([[-1.0, 0.0], [0.0, 1.0]])
    with pytest.raises(r_bridge.RError, match="more rows"):
        bridge_clue.solve_LSAP([[1.0], [2.0]])
