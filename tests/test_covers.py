"""Covers: objects that belong to all of their clusters; the door, files, tables."""

import gzip
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import softclust as sc

MATRIX = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]])


def cover(**names):
    return sc.CoverClustering(MATRIX, **names)


def test_a_cover_has_its_clusters_both_ways():
    x = cover()
    assert (x.kind, x.n_objects, x.n_clusters) == ("cover", 4, 3)
    assert x.sizes.tolist() == [2, 2, 0]
    assert x.multiplicity.tolist() == [1, 2, 1, 0]
    assert x.uncovered.tolist() == [3]
    assert [c.tolist() for c in x.clusters] == [[0, 1], [1, 2], []]
    assert x.membership.dtype == np.bool_
    assert (x.membership.toarray() == MATRIX).all()
    assert not x.clusters[0].flags.writeable


def test_no_cluster_at_all():
    """A dense matrix without columns is the cover that a sparse one and an empty list make."""
    found = sc.CoverClustering(np.zeros((3, 0), dtype=bool))
    assert found == sc.CoverClustering.from_clusters([], n_objects=3)
    assert found.n_clusters == 0
    with pytest.raises(sc.ClusteringError, match="membership is empty"):
        sc.CoverClustering(np.zeros((0, 3), dtype=bool))


@pytest.mark.parametrize("given", [
    MATRIX, MATRIX.astype(bool), MATRIX.astype(float), scipy.sparse.csr_matrix(MATRIX),
    scipy.sparse.coo_array(MATRIX.astype(bool)), pd.DataFrame(MATRIX), MATRIX.tolist(),
])
def test_zero_one_matrices_are_covers_when_this_is_said(given):
    assert sc.as_clustering(given, kind="cover") == cover() or isinstance(given, pd.DataFrame)
    assert (sc.as_clustering(given, kind="cover").membership.toarray() == MATRIX).all()


def test_from_clusters():
    x = sc.CoverClustering.from_clusters([{"a", "b"}, {"c", "b"}, ()])
    assert x.object_names == ("a", "b", "c")
    assert x.n_clusters == 3
    y = sc.CoverClustering.from_clusters({"p": [0, 1], "q": [1, 2]}, n_objects=4)
    assert (y.cluster_names, y.object_names, y.uncovered.tolist()) == (("p", "q"), None, [3])
    z = sc.CoverClustering.from_clusters([["c"], ["c", "a"]], objects=["c", "b", "a"])
    assert [c.tolist() for c in z.clusters] == [[0], [0, 2]]
    assert sc.CoverClustering.from_clusters([], n_objects=2).n_clusters == 0


@pytest.mark.parametrize(("clusters", "options", "message"), [
    ([["a", "b"]], {"objects": ["a"]}, "object 'b' of cluster 0 is not among objects"),
    ([[0, 5]], {"n_objects": 3}, r"object 5 of cluster 0 is not among 0, ..., 2"),
    ([[0], [1, 1]], {}, "object 1 is twice in cluster 1"),
    ([], {}, "the clusters have no objects"),
    (["ab"], {}, "cluster 0 is 'ab'; a collection"),
    ([], {"objects": []}, "objects is empty"),
])
def test_bad_clusters(clusters, options, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.CoverClustering.from_clusters(clusters, **options)


def test_both_options_are_too_many():
    with pytest.raises(TypeError, match="exclude each other"):
        sc.CoverClustering.from_clusters([[0]], n_objects=1, objects=[0])


@pytest.mark.parametrize(("given", "message"), [
    ([[0, 2]], r"membership\[0, 1\] is 2; True/False or 0/1"),
    (scipy.sparse.csr_matrix([[0.5, 0]]), "has the entry 0.5"),
    (scipy.sparse.csr_matrix((0, 2)), "at least one object"),
])
def test_bad_matrices(given, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.CoverClustering(given)


def test_lists_of_sets_are_covers_where_they_overlap():
    assert sc.as_clustering([{0, 1}, {1, 2}]).kind == "cover"
    assert sc.as_clustering([{0, 1}, {2}]).kind == "hard"
    assert sc.as_clustering([{0, 1}, {2}], kind="cover").kind == "cover"
    with pytest.raises(sc.ClusteringError, match="object 1 is in the sets 0 and 1"):
        sc.as_clustering([{0, 1}, {1, 2}], kind="hard")


@pytest.mark.parametrize("given", [MATRIX.astype(bool), MATRIX[:2].astype(bool).tolist(),
                                   scipy.sparse.csr_array(MATRIX.astype(bool))])
def test_boolean_matrices_are_not_guessed(given):
    with pytest.raises(sc.ClusteringError, match=r"kind=\"rough\" when.*one of these.*"
                                                 r"kind=\"cover\" when.*all of them"):
        sc.as_clustering(given)
    assert sc.as_clustering(np.eye(2, dtype=bool)).kind == "fuzzy"
    assert sc.as_clustering(np.eye(2, dtype=bool), kind="cover").kind == "cover"


def test_integers_name_the_cover_only_where_they_are_zero_and_one():
    with pytest.raises(sc.ClusteringError, match='kind="cover"'):
        sc.as_clustering([[0, 1], [1, 1]])
    with pytest.raises(sc.ClusteringError) as found:
        sc.as_clustering([[0, 3], [1, 1]])
    assert "cover" not in str(found.value)


@pytest.mark.parametrize(("made", "kind", "message"), [
    (lambda: sc.HardClustering([0, 1]), "cover", r"\.to_cover\(\) does"),
    (lambda: sc.FuzzyClustering([[1.0]]), "cover", r"\.to_cover\(threshold=...\) does"),
    (lambda: sc.RoughClustering.from_upper([[1]]), "cover", r"CoverClustering\(x.upper\)"),
    (cover, "hard", r"patterns\(\)"), (cover, "fuzzy", r"to_fuzzy\(rule=\"shares\"\) does"),
])
def test_kind_converts_nothing(made, kind, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.as_clustering(made(), kind=kind)


# -- conversions -----------------------------------------------------------------------------------
def test_conversions_to_covers():
    hard = sc.HardClustering(["b", "a", "b"], object_names=list("xyz")).to_cover()
    assert [c.tolist() for c in hard.clusters] == [[1], [0, 2]]
    assert (hard.cluster_names, hard.object_names) == (("a", "b"), ("x", "y", "z"))
    fuzzy = sc.FuzzyClustering([[0.5, 0.5], [0.9, 0.1], [0.4, 0.6]]).to_cover(threshold=0.5)
    assert [c.tolist() for c in fuzzy.clusters] == [[0, 1], [0, 2]]
    typical = sc.PossibilisticClustering([[0.2, 0.1], [0.9, 0.7]]).to_cover(threshold=0.7)
    assert typical.uncovered.tolist() == [0]


@pytest.mark.parametrize("threshold", [0.0, 1.5, True, "a", None, float("nan")])
def test_thresholds(threshold):
    with pytest.raises(sc.ClusteringError, match="threshold is"):
        sc.FuzzyClustering([[1.0]]).to_cover(threshold=threshold)


def test_shares():
    shares = sc.CoverClustering(MATRIX[:3]).to_fuzzy()
    assert shares.membership.tolist() == [[1, 0, 0], [0.5, 0.5, 0], [0, 1, 0]]
    with pytest.raises(sc.ClusteringError, match=r"object 3 is in no cluster.*\.subset"):
        cover().to_fuzzy(rule="shares")
    with pytest.raises(sc.ClusteringError, match="object 'd' is in no cluster"):
        cover(object_names=list("abcd")).to_fuzzy()


@pytest.mark.parametrize("call", [
    lambda x: x.to_evidential(), lambda x: x.to_rough(), lambda x: x.to_possibilistic(),
    lambda x: x.harden(), lambda x: x.normalize(), lambda x: x.belief(),
    lambda x: x.plausibility(), lambda x: x.pignistic(), lambda x: x.relation(),
    lambda x: x.to_fuzzy("pignistic"),
])
def test_covers_have_no_masses(call):
    with pytest.raises(sc.ClusteringError, match=r"to_fuzzy\(rule=\"shares\"\).*patterns\(\)"):
        call(cover())


def test_patterns_are_distinct_rows():
    rng = np.random.default_rng(1)
    rows = rng.random((60, 4)) < 0.4
    labels = sc.CoverClustering(rows).patterns().labels
    same = (rows[:, None] == rows[None]).all(axis=2)
    assert ((labels[:, None] == labels[None]) == same).all()
    assert labels[0] == 0


def test_overlaps():
    rng = np.random.default_rng(2)
    a, b = rng.random((2, 30, 4)) < 0.4
    x, y = sc.CoverClustering(a), sc.CoverClustering(b)
    assert (x.overlaps(y).toarray() == a.T.astype(int) @ b).all()
    assert x.overlaps(sc.HardClustering([0, 1] * 15)).shape == (4, 2)
    assert sc.match_table(x.overlaps(y)).table.tolist() == x.overlaps(y).toarray().tolist()
    with pytest.raises(sc.ClusteringError, match="same objects"):
        x.overlaps(cover())
    with pytest.raises(sc.ClusteringError, match="is fuzzy"):
        cover().overlaps(sc.FuzzyClustering([[1.0]] * 4))


# -- what every clustering has ---------------------------------------------------------------------
def test_objects_names_and_copies():
    x = cover(object_names=list("abcd"), cluster_names=list("pqr"))
    part = x.subset([3, 1, 1])
    assert part.membership.toarray().astype(int).tolist() == [[0, 0, 0], [1, 1, 0], [1, 1, 0]]
    assert part.object_names == ("d", "b", "b")
    assert pickle.loads(pickle.dumps(x)) == x
    assert x != cover()
    assert x.renamed(list("wxyz")).object_names == ("w", "x", "y", "z")
    with pytest.raises(AttributeError, match="frozen"):
        x.kind = "hard"


def test_frames_and_tables():
    x = cover(object_names=list("abcd"), cluster_names=list("pqr"))
    frame = x.to_frame()
    assert frame.dtypes.eq(bool).all()
    assert sc.as_clustering(frame, kind="cover") == x
    text = x.summary().as_text()
    assert "objects in no cluster" in text
    assert "size of cluster q" in text


def test_ensembles_of_covers():
    runs = sc.Ensemble([cover(), sc.CoverClustering(MATRIX[:, ::-1]), [0, 0, 1, 1]])
    assert runs.kinds == ("cover", "cover", "hard")
    assert runs.tabulate().counts.tolist() == [2, 1]
    assert np.isnan(runs.to_frame()["certain"][:2]).all()


def test_alignment_gives_absent_objects_clusters_of_their_own():
    x = cover(object_names=list("abcd"))
    y = sc.HardClustering([0, 1], object_names=list("ae"))
    aligned = sc.align(x, y, objects="all", missing="singletons")
    assert aligned.clusterings[0].sizes.tolist() == [2, 2, 0, 1]
    with pytest.raises(sc.ClusteringError, match='"unknown" says'):
        sc.align(x, y, objects="all", missing="unknown")


# -- files -----------------------------------------------------------------------------------------
def test_read_cover_of_clusters(tmp_path):
    path = tmp_path / "communities.txt.gz"
    with gzip.open(path, "wt") as file:
        file.write("# comment\n10 2 3\n\n3\t4\n")
    x = sc.datasets.read_cover(path)
    assert x.object_names == (2, 3, 4, 10)
    assert [c.tolist() for c in x.clusters] == [[0, 1, 3], [1, 2]]
    assert sc.datasets.read_cover(path, objects=[1, 2, 3, 4, 10]).uncovered.tolist() == [0]
    with pytest.raises(sc.ClusteringError, match=r"communities.txt.gz: object 10 of cluster 0"):
        sc.datasets.read_cover(path, objects=[2, 3, 4])


def test_read_cover_of_objects(tmp_path):
    path = tmp_path / "community.dat"
    path.write_text("b x y\na y\nc\n")
    x = sc.datasets.read_cover(path, layout="objects")
    assert (x.object_names, x.cluster_names) == (("b", "a", "c"), ("x", "y"))
    assert [c.tolist() for c in x.clusters] == [[0], [0, 1]]
    path.write_text("a x\na y\n")
    with pytest.raises(sc.ClusteringError, match="object 'a' has two lines"):
        sc.datasets.read_cover(path, layout="objects")
    path.write_text("a x x\n")
    with pytest.raises(sc.ClusteringError, match="'a' has a cluster twice"):
        sc.datasets.read_cover(path, layout="objects")


@pytest.mark.parametrize("call", [
    lambda x: sc.nonspecificity(x), lambda x: sc.Joint(x, x).pair_sums(),
    lambda x: sc.Joint(x, x).pair_table, lambda x: sc.match_clusters(x, x),
    lambda x: sc.rand_index(x, x), lambda x: sc.meet(x, x), lambda x: sc.consensus([x, x]),
    lambda x: sc.alpha_rand_index(x, x), lambda x: sc.prayatul(x, x, x),
    lambda x: sc.membership_entropy(x), lambda x: sc.contingency_table(x, x),
])
def test_what_needs_another_kind_says_so(call):
    with pytest.raises(sc.ClusteringError, match=r"[Cc]over"):
        call(cover())


def test_pictures_of_covers():
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    sc.plotting.plot_clustering(cover())
    sc.compare(cover(), cover().subset([1, 0, 2, 3])).plot()
    sc.match_table(cover().overlaps(cover())).plot()
    plt.close("all")


def test_covers_in_files_of_the_command_line(tmp_path, capsys):
    from softclust.cli import main
    for name, rows in (("a", "u,1,0\nv,1,1\nw,0,1\n"), ("b", "u,1,0\nv,1,0\nw,0,1\n")):
        (tmp_path / f"{name}.csv").write_text("id,a,b\n" + rows)
    files = [str(tmp_path / f"{name}.csv") for name in "ab"]
    assert main(["compare", *files, "--kind-a", "cover", "--kind-b", "cover"]) in (0, None)
    assert "omega_index" in capsys.readouterr().out
