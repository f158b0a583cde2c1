"""R still does what the declared differences (r_bridge/README.md, by number) say, and we do not."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest

import r_bridge
import softclust as sc
from r_bridge import call, crosscheck
from r_bridge import clue as bridge_clue

pytestmark = pytest.mark.r

SOFT_X = sc.FuzzyClustering([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.3, 0.7]])
SOFT_Y = sc.FuzzyClustering([[0.7, 0.3], [0.1, 0.9], [0.4, 0.6], [0.8, 0.2]])
CONSENSUS = json.loads((Path(__file__).parent.parent / "golden/r/clue_consensus.json").read_text(
    encoding="utf-8"))["ensembles"]
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
    hard_only = [m for m in map(sc.get_measure, sc.list_measures().index)
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


# -- 6 and 7: rounding below 0 -----------------------------------------------------------------
NEGATIVE = "x must be a matrix with nonnegative entries."


def nearly_equal(count):
    """Fuzzy clusterings that differ by rounding, of a size that lets products differ too."""
    rng = np.random.default_rng(1)
    for _ in range(count):
        u = rng.dirichlet(np.ones(4), 30)
        v = u * (1 + rng.normal(size=u.shape) * 1e-16)
        yield sc.FuzzyClustering(u), sc.FuzzyClustering(v / v.sum(axis=1, keepdims=True))


def test_6_gordon_vichi_stops_on_nearly_equal_fuzzy_partitions():
    stopped = []
    for x, y in nearly_equal(20):
        try:
            bridge_clue.cl_dissimilarity(x, y, method="GV1")
        except r_bridge.RError as error:
            stopped.append(str(error))
            row, = crosscheck(x, y, measures=["gordon_vichi_dissimilarity"]).rows
            assert (row.note, row.failed) == ("declared difference 6", False)
        assert 0 <= sc.gordon_vichi_dissimilarity(x, y) < 1e-6
    assert set(stopped) == {NEGATIVE}


def test_6_so_does_its_consensus():
    stopped = []
    for y, z in nearly_equal(20):
        try:
            bridge_clue.cl_consensus([y, y, z], "GV1", control={"start": y.membership})
        except r_bridge.RError as error:
            stopped.append(str(error))
        assert sc.consensus([y, y, z], method="GV1", start=y.membership).objective < 1e-12
    assert set(stopped) == {NEGATIVE}


def test_7_comemberships_are_nan_from_rounding():
    missing = 0
    for x, y in nearly_equal(20):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", r_bridge.RWarning)  # NaNs produced
            value = bridge_clue.cl_dissimilarity(x, y, method="comemberships")
        assert 0 <= sc.comembership_dissimilarity(x, y) < 1e-6
        if np.isnan(value):
            missing += 1
            row, = crosscheck(x, y, measures=["comembership_dissimilarity"]).rows
            assert (row.note, row.failed) == ("declared difference 7", False)
    assert missing > 0


# -- 8: the reported criterion of several starts -----------------------------------------------
@pytest.mark.parametrize("method", ["SE", "HE", "SM", "HM"])
def test_8_objval_is_wrong_with_several_starts(method):
    ensemble = CONSENSUS["fuzzy_n20_k3_B5"]
    members = sc.Ensemble([np.array(m) for m in ensemble["members"]])
    starts = [np.array(s) for s in ensemble["starts"]]
    single = [bridge_clue.cl_consensus(members, method, control={"start": s}, seed=1).objective
              for s in starts]
    best = int(np.argmin(single))
    last_is_worse = [starts[best], starts[1 - best]]
    found = bridge_clue.cl_consensus(members, method, control={"start": last_is_worse}, seed=1)
    assert found.objective == pytest.approx(min(single), rel=1e-9)
    if single[0] != pytest.approx(single[1], rel=1e-9):
        assert found.objval != pytest.approx(found.objective, rel=1e-6)
    ours = sc.consensus(members, method=method, start=last_is_worse)
    assert ours.objective <= found.objective * (1 + 1e-6)


# -- those that meet the bridge itself ---------------------------------------------------------
def test_9_agreements_of_an_ensemble_have_1_on_the_diagonal():
    pair = sc.Ensemble([SOFT_X, SOFT_Y])
    assert np.diag(bridge_clue.cl_agreement(pair, method="diag")).tolist() == [1, 1]
    assert bridge_clue.cl_agreement(SOFT_X, SOFT_X, method="diag") < 1


def test_10_variation_of_information_of_soft_partitions_with_themselves():
    assert bridge_clue.cl_dissimilarity(SOFT_X, SOFT_X, method="VI") > 0.1
    with pytest.raises(sc.ClusteringError, match="fuzzy"):
        sc.variation_of_information(SOFT_X, SOFT_X)
    assert sc.fuzzy_variation_of_information(SOFT_X, SOFT_X) == pytest.approx(
        bridge_clue.cl_dissimilarity(SOFT_X, SOFT_X, method="VI"), rel=1e-12)


def test_11_lattice_distance_stops_on_labels_with_gaps():
    gap = sc.HardClustering([0, 2, 2])  # names 0 and 2 are codes 0 and 1: sent as 1 and 2
    assert bridge_clue.cl_dissimilarity(gap, gap, method="BA/C") == 0
    with pytest.raises(r_bridge.RError, match="out of bounds"):
        bridge_clue.cl_dissimilarity(sc.HardClustering([0, 2, 2], n_clusters=3), [0, 1, 1],
                                     method="BA/C")


def test_12_relabelled_copies_are_kept_apart():
    copies = sc.Ensemble([[0, 0, 1], [1, 1, 0]])
    assert bridge_clue.cl_tabulate(copies).counts.tolist() == [1, 1]
    assert call("function(e) length(unique(e))", copies) == 2
    assert copies.tabulate().counts.tolist() == [2]


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


def test_19_solve_lsap_does_not_look_for_nan():
    with pytest.raises(r_bridge.RError, match="missing value where TRUE/FALSE"):
        bridge_clue.solve_LSAP([[np.nan, 1.0], [1.0, 2.0]])
    with pytest.raises(ValueError, match="finite"):
        sc.match_table([[np.nan, 1.0], [1.0, 2.0]])
    assert sc.match_table([[1.0], [2.0]]).pairs.tolist() == [[1, 0]]


# -- 15 to 18: fuzziness, margin, bagging, symmetric differences -------------------------------
def test_15_normalised_fuzziness():
    for method, ours in (("PC", "partition_coefficient"), ("PE", "partition_entropy")):
        for x, value in ((sc.FuzzyClustering(np.full((4, 3), 1 / 3)), 1.0), ([0, 1, 2, 0], 0.0)):
            assert bridge_clue.cl_fuzziness(x, method) == pytest.approx(value, abs=1e-15)
            assert sc.fuzziness(x, method=ours) == pytest.approx(value, abs=1e-15)
    assert bridge_clue.cl_fuzziness([0, 1, 1], "PC", normalize=False) == 1
    assert sc.fuzziness([0, 1, 1], normalize=False) == 1


def test_16_margins_of_near_ties_may_be_negative():
    near = np.tile([0.5 + 1e-7, 0.5 - 1e-7], (40, 1))
    value = call("function(u) as.vector(clue::cl_margin(clue::as.cl_partition(u)))", near, seed=1)
    assert value.min() < 0
    assert sc.margin(near).min() == pytest.approx(2e-7)


def test_17_bagging_ignores_method_and_control():
    code = """function(x, ...) {
      bag <- clue::cl_bag(x, 4, 2, stats::kmeans, ...)
      unclass(clue::cl_membership(bag))[, 1:2]
    }"""
    x = np.random.default_rng(0).normal(size=(20, 2))
    plain = call(code, x, seed=1)
    assert np.array_equal(call(code, x, method="no such method", control={"no": 1}, seed=1), plain)
    with pytest.raises(TypeError, match="method"):
        bridge_clue.cl_bag(x, 4, 2, method="DFBC1")


def test_17_prediction_of_cmeans_needs_m_as_a_number():
    code = """function(x) {
      fit <- (function(exponent) e1071::cmeans(x, 2, m = exponent))(1.5)
      clue::cl_predict(fit, x)
    }"""
    with pytest.raises(r_bridge.RError, match="non-numeric argument"):
        call(code, np.random.default_rng(0).normal(size=(20, 2)))


def test_18_symmetric_differences_with_k_stop():
    """Live it needs the package relations, which Debian has not: the stored outcome stands in."""
    stored = CONSENSUS["fuzzy_n20_k3_B5"]["results"]["hard/symdiff_k2"]
    assert stored["error"] == "argument is of length zero"
    runs = sc.Ensemble([[0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 2]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", r_bridge.RWarning)
        with pytest.raises((r_bridge.RError, r_bridge.RUnavailableError),
                           match=r"argument is of length zero|package relations is not"):
            bridge_clue.cl_consensus(runs, "hard/symdiff", control={"k": 2})
    assert sc.consensus(runs, method="hard/symdiff", n_clusters=2, rng=0).optimal


# -- 20 to 24: evclust and fclust, what softclust does; R's part is in cran_checks.py ----------
def test_20_softclust_needs_no_order_of_focal_sets():
    x = sc.EvidentialClustering([[0.2, 0.5, 0.3]], [[0, 0, 1], [1, 1, 0], [1, 1, 1]])
    assert x.belief().tolist() == [[0.0, 0.0, 0.2]]


def test_21_softclust_takes_label_0_one_class_and_one_object():
    assert sc.as_clustering([0, 1, 2]).to_evidential().harden().labels.tolist() == [0, 1, 2]
    assert sc.as_clustering([0, 0, 0]).to_evidential().n_clusters == 1
    assert sc.as_clustering([0]).to_evidential().n_objects == 1


def test_22_softclust_refuses_unequal_numbers_and_unknown_types():
    with pytest.raises(sc.ClusteringError, match="objects"):
        sc.credal_rand_index([0, 0, 1, 1], [0, 1, 0])
    with pytest.raises(ValueError, match="distance"):
        sc.credal_rand_index([0, 1], [0, 1], distance="x")


def test_23_softclust_refuses_memberships_above_1():
    with pytest.raises(sc.ClusteringError, match="sums to"):
        sc.FuzzyClustering([[1.0, 0.5], [0.5, 0.5]])


def test_24_softclust_takes_fuzzy_x_and_refuses_missing_labels():
    assert 0 <= sc.fuzzy_rand_index(SOFT_X, SOFT_Y, relation="t_norm") <= 1
    assert sc.fuzzy_rand_index([0, 0, 1, 1], SOFT_Y) == sc.fuzzy_rand_index([1, 1, 2, 2], SOFT_Y)
    with pytest.raises(sc.ClusteringError):
        sc.fuzzy_rand_index([0, np.nan, 1, 1], SOFT_Y)
    with pytest.raises(sc.ClusteringError, match="objects"):
        sc.fuzzy_rand_index([0, 1, 1], SOFT_Y)


# -- 25: help and code -------------------------------------------------------------------------
def test_25_help_of_clue_differs_from_its_code():
    x, y = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]
    agree = {m: bridge_clue.cl_agreement(x, y, method=m) for m in ("Rand", "purity", "PS")}
    # help: d = (1 - a) / 2
    assert bridge_clue.cl_dissimilarity(x, y, method="Rand") == pytest.approx(1 - agree["Rand"])
    assert sc.rand_distance(x, y) == pytest.approx(1 - agree["Rand"])
    # help: classes of y are pure; the code has those of x
    table = np.array([[2, 1], [0, 2], [0, 1]])
    assert agree["purity"] == pytest.approx(table.max(axis=1).sum() / 6)
    assert agree["purity"] != pytest.approx(table.max(axis=0).sum() / 6)
    assert sc.purity_index(x, y) == agree["purity"]
    # help: least over the classes of y; the code has those of x
    assert agree["PS"] == pytest.approx(1 / 3)
    assert bridge_clue.cl_agreement(y, x, method="PS") != pytest.approx(agree["PS"])
    assert sc.prediction_strength_index(x, y) == pytest.approx(agree["PS"])
    # help: NMI hardens soft partitions; the code stops
    with pytest.raises(r_bridge.RError, match="hard partitions"):
        bridge_clue.cl_agreement(SOFT_X, SOFT_Y, method="NMI")


# -- 26: ties make a consensus arbitrary -------------------------------------------------------
@pytest.mark.parametrize("method", ["HE", "HM", "DWH"])
def test_26_ties_make_the_partition_arbitrary(method):
    case = CONSENSUS["hard_n24_k3_B7"]
    members = sc.Ensemble([np.array(m) - 1 for m in case["members"]][:4])
    control = {"order": [0, 1, 2, 3]} if method == "DWH" else {"start": np.array(case["starts"][0])}
    found = [bridge_clue.cl_consensus(members, method, control=control, seed=seed)
             for seed in range(12)]
    ours = sc.consensus(members, method=method, **(
        {"order": control["order"]} if method == "DWH" else {"n_starts": 20, "rng": 0}))
    assert ours.objective <= min(f.objective for f in found) * (1 + 1e-6) or method == "DWH"
    if method != "DWH":
        assert len({tuple(f.clustering.harden().labels) for f in found}) > 1
        assert sc.consensus(members, method=method, start=control["start"]).clustering == (
            sc.consensus(members, method=method, start=control["start"]).clustering)


# -- the list ----------------------------------------------------------------------------------
def test_31_trees_of_one_height_or_with_falling_heights():
    flat, zero = sc.Dendrogram([[0, 1, 1], [2, 3, 1]]), sc.Dendrogram([[0, 1, 0], [2, 3, 0]])
    other, falling = sc.Dendrogram([[0, 1, 1], [2, 3, 2]]), sc.Dendrogram([[0, 1, 2], [2, 3, 1]])
    for x, options in ((zero, {"method": "symdiff"}), (flat, {"method": "BO", "delta": "Rand"})):
        with pytest.raises(r_bridge.RError, match="'col'"):
            r_bridge.clue.cl_dissimilarity(x, x, **options)
        assert {row.note for row in r_bridge.crosscheck(x, x).rows if row.note} == {
            "declared difference 31"}
    assert sc.dendrogram_proximity(zero, other, method="symdiff") == 1
    assert not r_bridge.clue.is_cl_hierarchy(falling)
    assert sc.dendrogram_proximity(falling, other, method="euclidean") == 3 ** 0.5


def rows_of_the_list():
    text = (Path(r_bridge.__file__).parent / "README.md").read_text(encoding="utf-8")
    section = text.split("## Declared differences")[1].split("\n## ")[0]
    return [int(line.split("|")[1]) for line in section.splitlines()
            if line.startswith("| ") and line.split("|")[1].strip().isdigit()]


def test_every_row_of_the_list_has_a_test():
    assert rows_of_the_list() == list(range(1, 32))
    here = Path(__file__).read_text(encoding="utf-8")
    cran = (Path(__file__).parent / "cran_checks.py").read_text(encoding="utf-8")
    for number in rows_of_the_list():
        if number < 27 or number == 31:
            assert f"def test_{number}_" in here, number
        if number in range(20, 25) or 27 <= number < 31:
            assert f"def test_{number}_" in cran, number


def test_crosscheck_knows_rows_of_the_list_only():
    from r_bridge._declared import DECLARED
    assert set(DECLARED) <= set(rows_of_the_list())
