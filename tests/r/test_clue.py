"""Functions of clue under their own names: values stored from R, softclust's, and bad input."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import squareform

import r_bridge
import softclust as sc
from r_bridge import clue

pytestmark = pytest.mark.r

GOLDEN = Path(__file__).parent.parent / "golden" / "r"
#: R's own numbers, computed by the same routines
TOLERANCE = 1e-12
#: criteria of iterations that stop at a relative change of 1.5e-8
CRITERION = 1e-8


def stored(name):
    return json.loads((GOLDEN / name).read_text(encoding="utf-8"))


CONSENSUS = stored("clue_consensus.json")["ensembles"]
MISC = stored("clue_misc.json")


def members(case):
    """Stored members: labels from 1, or memberships."""
    return sc.Ensemble([np.array(m) - 1 if np.ndim(m) == 1 else np.array(m)
                        for m in case["members"]])


def same_partition(x, y):
    return sc.rand_index(x, y) == 1


# -- proximities, accessors, assignment --------------------------------------------------------
def test_clue_proximities():
    x, y, z = [0, 0, 1, 1], [0, 1, 1, 1], [0, 1, 2, 2]
    rand = sc.rand_index(x, y)
    assert clue.cl_agreement(x, y, method="Rand") == pytest.approx(rand, rel=1e-15)
    assert clue.cl_dissimilarity(x, y, method="Rand") == pytest.approx(1 - rand, rel=1e-15)
    square = clue.cl_dissimilarity([x, y, z], method="BA/A")
    assert square.shape == (3, 3)
    assert np.array_equal(square, square.T)
    assert np.array_equal(clue.cl_dissimilarity(sc.Ensemble([x, y]), sc.Ensemble([x, z, y]),
                                                       method="BA/A"), square[:2][:, [0, 2, 1]])
    assert clue.cl_dissimilarity(x, y, method="Mallows", p=2) == pytest.approx(
        clue.cl_dissimilarity(x, y), rel=1e-9)  # solved by different programmes
    with pytest.raises(TypeError, match="y is missing"):
        clue.cl_agreement(x)


def test_clue_accessors():
    x = sc.HardClustering([2, 0, 0], n_clusters=4)
    assert clue.cl_class_ids(x).tolist() == [2, 0, 0]
    assert clue.cl_membership(x).tolist() == [[0, 1], [1, 0], [1, 0]]
    assert clue.cl_membership(x, 3).tolist() == [[0, 1, 0], [1, 0, 0], [1, 0, 0]]
    assert clue.n_of_classes(x) == 2
    assert clue.n_of_objects(x) == 3


def test_clue_assignment():
    table = np.array([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0]])
    columns = clue.solve_LSAP(table)
    assert columns.dtype == np.int64
    assert table[[0, 1], columns].sum() == 3
    assert clue.solve_LSAP(table, maximum=True).tolist() == [0, 2]


def test_a_list_of_rows_is_a_matrix_and_a_list_of_labels_an_ensemble():
    assert clue.cl_fuzziness([[0.5, 0.5], [1, 0]]) == 0.5
    assert clue.cl_fuzziness([[0, 1, 1], [0, 0, 1]]).tolist() == [0, 0]
    assert clue.cl_fuzziness([np.array([[0.5, 0.5], [1, 0]]), [0, 1]]).tolist() == [0.5, 0]


def test_object_names_must_agree_in_order():
    x = sc.HardClustering([0, 0, 1], object_names=list("abc"))
    y = sc.HardClustering([0, 1, 1], object_names=list("acb"))
    for function in (clue.cl_agreement, clue.cl_dissimilarity, clue.cl_meet, clue.cl_join):
        with pytest.raises(sc.ClusteringError, match="object 1 is 'b' in x and 'c' in y"):
            function(x, y)
    with pytest.raises(sc.ClusteringError, match="object 1"):
        clue.cl_agreement(sc.Ensemble([x, x]), y)
    assert clue.cl_agreement(x, [0, 1, 1]) == clue.cl_agreement([0, 0, 1], y)


@pytest.mark.parametrize("x", [sc.RoughClustering.from_upper([[1, 0], [1, 1]]),
                               sc.PossibilisticClustering([[0.5, 0.1], [1.0, 0.2]]),
                               sc.EvidentialClustering([[1.0], [1.0]], [[1, 1]])],
                         ids=lambda x: x.kind)
def test_clue_takes_hard_and_fuzzy_clusterings(x):
    for function in (clue.cl_membership, clue.cl_margin, clue.n_of_classes, clue.cl_fuzziness):
        with pytest.raises(sc.ClusteringError, match=f"x is {x.kind}; clue takes hard and fuzzy"):
            function(x)
    with pytest.raises(sc.ClusteringError, match=f"y is {x.kind}"):
        clue.cl_agreement([0, 1], x)
    with pytest.raises(TypeError, match=x.kind):
        clue.cl_consensus([x, x])


def test_numbers_of_objects_must_agree():
    with pytest.raises(sc.ClusteringError, match="3 objects and y has 2"):
        clue.cl_agreement([0, 0, 1], [0, 1])


@pytest.mark.parametrize("name", list(CONSENSUS))
def test_proximities_of_stored_ensembles(name):
    case = CONSENSUS[name]
    e = members(case)
    for function, kinds in ((clue.cl_dissimilarity, case["dissimilarity"]),
                            (clue.cl_agreement, case["agreement"])):
        for method, expected in kinds.items():
            # clue takes roots of differences of squares: near 0 half of the digits are left
            loose = 1e-7 if method == "comemberships" else TOLERANCE
            np.testing.assert_allclose(function(e, method=method), np.array(expected, float),
                                       rtol=TOLERANCE, atol=loose, err_msg=method)
    cross = clue.cl_agreement(e[:2], e[2:5])
    np.testing.assert_allclose(cross, case["cross_agreement_1to2_vs_3to5"], rtol=TOLERANCE)


# -- ensembles ---------------------------------------------------------------------------------
@pytest.mark.parametrize("name", list(CONSENSUS))
@pytest.mark.parametrize("key", ["SE", "SE_2starts", "SE_weights", "SE_k2", "GV1", "GV1_weights",
                                 "HE", "HE_2starts", "HM", "DWH_order", "DWH_weights"])
def test_consensus_from_stored_starts(name, key):
    case = CONSENSUS[name]
    result = case["results"][key]
    method, variant = (key.split("_") + [""])[:2]
    starts = [np.array(s) for s in case["starts"]]
    control = {"start": starts[0]}
    if "start" in result:
        control = {"start": np.array(result["start"])}
    if variant == "2starts":
        control = {"start": starts}
    if method == "DWH":  # clue's own order is random
        control = {"order": np.array(result.get("order", range(1, len(members(case)) + 1))) - 1}
    if variant == "k2":
        control["k"] = 2
    weights = case["weights"] if variant == "weights" else 1
    found = clue.cl_consensus(members(case), method, weights, control, seed=1)
    assert found.objective == pytest.approx(result["objval_recomputed"], rel=CRITERION)
    if "objval_reported" in result:
        assert found.objval == pytest.approx(result["objval_reported"], rel=CRITERION)
        assert found.converged is True
    else:
        assert np.isnan(found.objval)
        assert found.converged is None
    if method == "SE":
        assert sc.euclidean_membership_distance(
            found.clustering, np.array(result["membership"])) <= 1e-6
    # softclust's criterion of the same clustering, its own way
    kind, power = clue._ensembles._CRITERIA[method.lower()]
    ours = {"euclidean": sc.euclidean_membership_distance,
            "manhattan": sc.manhattan_membership_distance,
            "GV1": sc.gordon_vichi_dissimilarity}[kind]
    w = np.broadcast_to(np.asarray(weights, float), len(members(case)))
    mean = sum(v * ours(found.clustering, m) ** power for v, m in zip(w, members(case))) / w.sum()
    assert found.objective == pytest.approx(mean, rel=1e-8)


def test_consensus_record():
    result = clue.cl_consensus([[0, 0, 1], [0, 1, 1], [0, 0, 1]], seed=3)
    assert result.method == "SE"
    assert result.clustering.kind == "fuzzy"
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.objval = 0.0
    again = clue.cl_consensus([[0, 0, 1], [0, 1, 1], [0, 0, 1]], seed=3)
    assert again.clustering == result.clustering
    named = sc.Ensemble([sc.HardClustering(v, object_names=list("abc"))
                         for v in ([0, 0, 1], [0, 1, 1])])
    assert clue.cl_consensus(named, seed=1).clustering.object_names == ("a", "b", "c")
    assert clue.cl_consensus(named, method="HE", seed=1).clustering.object_names is not None
    assert np.isnan(clue.cl_consensus(named, method="soft/symdiff", seed=1).objective)


def test_consensus_needs_an_ensemble():
    for function in (clue.cl_consensus, clue.cl_medoid, clue.cl_tabulate):
        with pytest.raises(sc.ClusteringError, match="an Ensemble or a list"):
            function([0, 0, 1])
    with pytest.raises(r_bridge.RError):
        clue.cl_consensus([[0, 1], [0, 0]], method="no such method")


@pytest.mark.parametrize("name", list(CONSENSUS))
def test_medoids_of_stored_ensembles(name):
    case = CONSENSUS[name]
    e = members(case)
    for method in ("euclidean", "VI"):
        expected = e[case[f"medoid_{method}"] - 1]
        assert sc.euclidean_membership_distance(clue.cl_medoid(e, method), expected) < 1e-9
    found = clue.cl_pam(e, 2)
    assert (found.medoid_indices + 1).tolist() == case["pam_k2"]["medoid_ids"]
    assert (found.labels + 1).tolist() == case["pam_k2"]["cluster"]
    assert found.criterion == pytest.approx(case["pam_k2"]["criterion"], rel=TOLERANCE)
    assert found.prototypes[0] == e[int(found.medoid_indices[0])]


@pytest.mark.parametrize("name", list(MISC["tabulate"]))
def test_tabulate(name):
    case = MISC["tabulate"][name]
    found = clue.cl_tabulate(members(case))
    assert found.counts.tolist() == case["counts"]
    assert [(m.labels + 1).tolist() for m in found.clusterings] == case["values"]


# -- one partition -----------------------------------------------------------------------------
@pytest.mark.parametrize("name", list(MISC["lattice"]))
def test_meet_and_join(name):
    case = MISC["lattice"][name]
    a, b, c = (np.array(case[key]) for key in "ABC")
    assert same_partition(clue.cl_meet(a, b), case["meet_AB"])
    assert same_partition(clue.cl_join(a, b), case["join_AB"])
    assert same_partition(clue.cl_meet([a, b, c]), case["meet_ABC"])
    assert same_partition(clue.cl_join(sc.Ensemble([a, b, c])), case["join_ABC"])


def test_meet_and_join_of_names_and_gaps():
    x = sc.HardClustering([0, 2, 2], n_clusters=4, object_names=list("abc"))
    assert clue.cl_join(x, x).labels.tolist() == [0, 1, 1]
    assert clue.cl_join(x, x).object_names == ("a", "b", "c")
    with pytest.raises(sc.ClusteringError, match="y is missing"):
        clue.cl_meet(x)
    for function in (clue.cl_meet, clue.cl_join):
        with pytest.raises(sc.ClusteringError, match="a member is fuzzy"):
            function([[0.5, 0.5], [0.5, 0.5]], [0, 1])


@pytest.mark.parametrize("name", list(MISC["validity"]))
def test_validity(name):
    case = MISC["validity"][name]
    d, x = np.array(case["d"], float), sc.FuzzyClustering(np.array(case["membership"], float))
    value = clue.cl_validity(x, d)
    assert value == pytest.approx(case["dissimilarity_accounted_for"], rel=TOLERANCE)
    assert clue.cl_validity(x, squareform(d, checks=False)) == value
    assert value == pytest.approx(sc.dissimilarity_accounted_for(x, d), rel=TOLERANCE)
    with pytest.raises(ValueError, match="d has shape"):
        clue.cl_validity([0, 0, 1], [1.0, 2.0])


@pytest.mark.parametrize("name", list(MISC["partition"]))
def test_accessors_of_stored_partitions(name):
    case = MISC["partition"][name]
    x = np.array(case["input"])
    x = sc.as_clustering(x if x.ndim == 1 else x.astype(float))
    np.testing.assert_allclose(clue.cl_membership(x), case["membership"], rtol=TOLERANCE)
    extra = clue.cl_membership(x, len(case["membership"][0]) + 2)
    np.testing.assert_allclose(extra, case["membership_two_extra_columns"], rtol=TOLERANCE)
    np.testing.assert_allclose(clue.cl_margin(x), case["margin"], rtol=TOLERANCE)
    assert (clue.cl_class_ids(x) + 1).tolist() == case["class_ids"]
    assert clue.n_of_classes(x) == case["n_of_classes"]
    assert clue.n_of_objects(x) == case["n_of_objects"]
    for name, method, normalize in (("PC", "PC", False), ("PC_normalized", None, True),
                                    ("PE", "PE", False), ("PE_normalized", "PE", True)):
        assert clue.cl_fuzziness(x, method, normalize) == pytest.approx(
            case[f"fuzziness_{name}"], rel=TOLERANCE)


def test_fuzziness_agrees_with_softclust():
    x = np.random.default_rng(0).dirichlet([1, 1, 1], 20)
    for letters, method in (("PC", "partition_coefficient"), ("PE", "partition_entropy")):
        for normalize in (True, False):
            assert clue.cl_fuzziness(x, letters, normalize) == pytest.approx(
                sc.fuzziness(x, method=method, normalize=normalize), rel=TOLERANCE)


# -- bagging -----------------------------------------------------------------------------------
BLOBS = np.concatenate([np.random.default_rng(5).normal(size=(20, 2)),
                        np.random.default_rng(6).normal(6, 1, size=(20, 2))])


@pytest.mark.parametrize("algorithm", ["kmeans", "stats::kmeans", "cmeans", "pam",
                                       "cluster::clara"])
def test_bagging_by_name_of_an_r_function(algorithm):
    found = clue.cl_bag(BLOBS, 6, 2, algorithm=algorithm, seed=1)
    assert found.kind == "fuzzy"
    assert same_partition(found.harden(), [0] * 20 + [1] * 20)
    assert clue.cl_bag(BLOBS, 6, 2, algorithm=algorithm, seed=1) == found


def test_bagging_passes_parameters():
    crisp = clue.cl_bag(BLOBS, 4, 2, algorithm="cmeans", parameters={"m": 1.1}, seed=1)
    soft = clue.cl_bag(BLOBS, 4, 2, algorithm="cmeans", parameters={"m": 3.0}, seed=1)
    assert sc.fuzziness(crisp) < sc.fuzziness(soft)


def test_boot_returns_the_runs():
    runs = clue.cl_boot(BLOBS, 5, 2, seed=1)
    assert len(runs) == 5
    assert set(runs.kinds) == {"hard"}
    soft = clue.cl_boot(BLOBS, 3, 2, algorithm="cmeans", resample=True, seed=1)
    assert set(soft.kinds) == {"fuzzy"}
    assert soft.n_objects == 40


def test_bagging_of_what_is_no_function():
    with pytest.raises(ValueError, match="name of an R function"):
        clue.cl_bag(BLOBS, 2, 2, algorithm="system('ls')")
    with pytest.raises(r_bridge.RError, match="no function nonsense; write package::nonsense"):
        clue.cl_bag(BLOBS, 2, 2, algorithm="nonsense")
    with pytest.raises(r_bridge.RError, match="Cannot make new predictions"):
        clue.cl_bag(BLOBS, 2, 2, algorithm="fanny")
    with pytest.raises(r_bridge.RUnavailableError, match="nosuchpackage"):
        clue.cl_bag(BLOBS, 2, 2, algorithm="nosuchpackage::f")
    with pytest.raises(ValueError, match="1 dimensions"):
        clue.cl_boot([1.0, 2.0], 2, 2)


def test_truecluster_calls_no_r(run_python):
    lines = run_python("""
import sys
from r_bridge import truecluster
import softclust as sc
x, y = [0, 0, 1, 1, 2], [1, 1, 0, 0, 2]
a = truecluster.matchindex(x, y, rng=0)
b = sc.match_clusters(x, y, method="truematch", rng=0)
c = truecluster.matchindex(x, y, "tracemax", rng=0)
d = sc.match_clusters(x, y, method="truematch_heuristic", rng=0)
print(a.permutation.tolist() == b.permutation.tolist(), a.method, c.method == d.method)
print(truecluster.matchindex(a.table, rng=0).permutation.tolist() == a.permutation.tolist())
print(truecluster.mmcc([x, y], rng=0).votes.sum() == 10)
print(truecluster.cic(x) == sc.cluster_information_criterion(x))
try:
    truecluster.matchindex(x, y, "trace")
except ValueError as error:
    print("match_clusters" in str(error))
print(any(m.startswith("rpy2") for m in sys.modules))
""")
    assert lines == ["True truematch True", "True", "True", "True", "True", "False"]


# -- trees ---------------------------------------------------------------------------------------
TREES = [sc.Dendrogram(merges, object_names="abcd") for merges in (
    [[0, 1, 1.0], [2, 3, 2.0], [4, 5, 3.0]], [[0, 1, 1.0], [4, 2, 1.5], [5, 3, 4.0]],
    [[0, 1, 1.0], [2, 3, 2.0], [4, 5, 3.5]])]


def test_a_tree_goes_to_r_and_back():
    for tree in (*TREES, sc.Dendrogram([[1, 0, 2.0], [3, 2, 1.0]])):
        back = r_bridge.call("function(h) stats::as.hclust(h)", tree)
        assert np.array_equal(back.merges, tree.merges)
        assert np.array_equal(back.order, tree.order)
        assert back.object_names == tree.object_names
    assert r_bridge.call("function(h) stats::cutree(h, 2)", TREES[0]).tolist() == [1, 1, 2, 2]
    agnes = r_bridge.call("function() cluster::agnes(c(1, 2, 9))")
    assert agnes.heights.tolist() == [1.0, 7.5]


def test_functions_of_trees():
    assert clue.cl_dissimilarity(TREES[0], TREES[1], "Chebyshev") == 2
    square = clue.cl_agreement(TREES, method="angle")
    assert square[0, 2] == pytest.approx(
        sc.dendrogram_proximity(TREES[0], TREES[2], method="angle", sense="agreement"), rel=1e-12)
    assert clue.cl_medoid(TREES).merges.tolist() == TREES[0].merges.tolist()
    assert clue.cl_pam(TREES, 2).labels.tolist() == [0, 1, 0]
    assert clue.cl_tabulate([*TREES, TREES[0]]).counts.tolist() == [2, 1, 1]
    assert clue.cl_ultrametric(TREES[1]).tolist() == [1, 1.5, 4, 1.5, 4, 4]
    assert [c.tolist() for c in clue.cl_classes(TREES[0])][4:] == [[0, 1], [2, 3], [0, 1, 2, 3]]
    assert clue.n_of_objects(TREES[0]) == 4
    assert clue.cl_object_names(TREES[0]) == list("abcd")
    assert clue.is_cl_hierarchy(TREES[0])
    assert clue.is_cl_ensemble(TREES)
    majority = clue.cl_consensus(TREES, "majority")
    assert majority.objective == pytest.approx(2 / 3)   # {a, b} and {c, d}; {a, b, c} in one tree
    assert sc.cluster_set_distance(majority.clustering, TREES[0]) == 0
    assert clue.cl_consensus(TREES, seed=1).clustering.object_names == tuple("abcd")
    found = clue.cl_pclust([*TREES, TREES[1]], 2, seed=1)
    assert same_partition(found.clustering, [0, 1, 0, 1])
    assert sorted(t.heights[-1] for t in found.prototypes) == pytest.approx([3.25, 4], abs=1e-4)
    meet = clue.cl_meet(TREES[0], TREES[1])
    assert sc.cluster_set_distance(meet, sc.Dendrogram([[0, 1, 1], [2, 4, 2], [3, 5, 2]])) == 0
    d = clue.cl_ultrametric(TREES[0])
    assert clue.cl_validity(TREES[0], d).tolist() == [1, 1]
    assert clue.as_cl_ultrametric(squareform(d)).object_names is None


def test_clusters_of_partitions():
    runs = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 0, 1]]
    soft = clue.cl_pclust(runs, 2, m=1.5, seed=1)
    assert soft.clustering.kind == "fuzzy"
    assert same_partition(soft.clustering.harden(), [0, 0, 1, 1])
    assert len(soft.prototypes) == 2
    best = clue.kmedoids(np.abs(np.subtract.outer([0, 1, 9, 10.0], [0, 1, 9, 10])), 2)
    assert same_partition(best.labels, [0, 0, 1, 1])
    assert best.criterion == 2
    assert best.prototypes is None


def test_fits_of_trees_and_predictions():
    d = [2.0, 4.0, 6.0]
    target = sc.Dendrogram([[0, 1, 1], [2, 3, 2]])
    for fit in (clue.ls_fit_ultrametric(d, seed=1), clue.ls_fit_ultrametric_target(d, target)):
        assert fit.heights == pytest.approx([2, 5], abs=1e-4)
    x = np.array([[0.0], [1.0], [9.0], [10.0]])
    labels = clue.cl_predict(x, 2, [[0.4], [11.0]], seed=1)
    assert sorted(labels.tolist()) == [0, 1]
    member = clue.cl_predict(x, 2, None, "memberships", "cmeans", {"m": 2}, seed=1)
    assert member.shape == (4, 2)
    assert member.sum(axis=1) == pytest.approx(1)
    assert sorted(clue.cl_prototypes(x, 2, seed=1).ravel().tolist()) == [0.5, 9.5]


@pytest.mark.parametrize(("call", "message"), [
    (lambda: clue.cl_dissimilarity(TREES[0], [0, 0, 1, 1]), "one side is a tree"),
    (lambda: clue.cl_medoid([TREES[0], [0, 0, 1, 1]]), "members of one kind"),
    (lambda: clue.cl_agreement(TREES[0], sc.Dendrogram([[0, 1, 1]])), "4 objects and y has 2"),
    (lambda: clue.ls_fit_ultrametric([1.0, 2.0]), "symmetric matrix"),
    (lambda: clue.cl_validity(TREES[0], [1.0]), "needed for 4 objects"),
    (lambda: clue.cl_ultrametric([0, 1]), "merges"),
])
def test_bad_trees(call, message):
    with pytest.raises(ValueError, match=message):
        call()
