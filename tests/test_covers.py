"""Covers: objects that belong to all of their clusters; the door, files, tables."""

import gzip
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
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


# -- labels of each object ------------------------------------------------------------------------
CODES = ["joy", "fear", "anger", "grief", "calm"]


def coded(seed, n=60):
    g = np.random.default_rng(seed)
    return [{code for code in CODES if g.random() < 0.4} for _ in range(n)]


def omega_by_pairs(a, b):
    """Omega by its definition: how many labels two objects share, over all pairs of objects."""
    pairs = [(len(a[i] & a[j]), len(b[i] & b[j])) for i in range(len(a)) for j in range(i)]
    levels = range(len(CODES) + 1)
    equal = sum(p == q for p, q in pairs) / len(pairs)
    by_chance = sum(sum(p == k for p, _ in pairs) * sum(q == k for _, q in pairs)
                    for k in levels) / len(pairs)**2
    return (equal - by_chance) / (1 - by_chance)


def test_sets_of_labels():
    a, b = coded(0), coded(1)
    b = [x if i % 3 else y for i, (x, y) in enumerate(zip(a, b))]
    expected = omega_by_pairs(a, b)
    x, y = map(sc.CoverClustering.from_labels, (a, b))
    assert (x.n_objects, x.cluster_names) == (60, tuple(sorted(CODES)))
    assert [{x.cluster_names[k] for k in row.nonzero()[0]} for row in x.membership.toarray()] == a
    assert sc.omega_index(x, y) == pytest.approx(expected, rel=1e-12)
    assert sc.omega_index(pd.Series(a), pd.Series(b)) == pytest.approx(expected, rel=1e-12)
    text = [";".join(sorted(each)) for each in a]
    assert sc.CoverClustering.from_labels(text, separator=";") == x
    for sets in (a, dict(enumerate(a)).values()):
        with pytest.raises(sc.ClusteringError, match=r"60 sets.*from_labels.*from_clusters\("):
            sc.omega_index(list(sets), b)
    with pytest.raises(sc.ClusteringError, match="from_labels"):
        sc.CoverClustering.from_clusters(dict(enumerate(a)))
    assert sc.CoverClustering.from_clusters(a, objects=CODES).n_clusters == 60   # meant


def test_a_stored_cover_may_have_objects_in_no_cluster():
    x = sc.CoverClustering(np.array([[1, 0], [0, 0], [1, 1], [0, 0]], dtype=bool))
    again = sc.CoverClustering._restored(x.__getstate__())
    assert again == x
    assert again.uncovered.tolist() == [1, 3]


def test_labels_of_objects_with_names_and_gaps():
    sets = pd.Series([{"a"}, None, {"a", "b"}, set()], index=list("wxyz"))
    x = sc.CoverClustering.from_labels(sets)
    assert x.object_names == ("w", "y", "z")
    assert x.uncovered.tolist() == [2]
    assert sc.CoverClustering.from_labels(sets.tolist()).object_names == (0, 2, 3)
    assert sc.CoverClustering.from_labels(sets.dropna().to_dict()) == x
    other = pd.Series([{"a"}, {"b"}, {"b"}, {"b"}], index=list("wxyz"))
    with pytest.raises(sc.ClusteringError, match="1 object without labels"):
        sc.compare(sets, other)
    assert sc.align(sets, other, missing="drop").object_names == ("w", "y", "z")
    assert sc.align(sets, other, missing="uncovered")[0].uncovered.tolist() == [1, 3]
    assert "1 absent" in sc.align(x, other, objects="common").header
    for labels in (pl.Series([["a"], ["b", "a"], None, []]),
                   pa.array([["a"], ["b", "a"], None, []])):
        assert sc.CoverClustering.from_labels(labels).sizes.tolist() == [2, 1]


@pytest.mark.parametrize(("labels", "message"), [
    (["a;b", "b"], r'separator=";" splits'), ([["a", "a"], ["b"]], "object 0 has the label 'a'"),
    ([["a", None]], "a label of object 0 is missing"), ([3, ["b"]], "object 0 are 3"),
    ([None], "no object has labels"), ([], "no object has labels"), ("a;b", "is of type str"),
    (pd.DataFrame({"a": [0]}), "takes a 0/1 matrix or frame"),
    ({"t1": [("a", 0.5)]}, "labels of object 't1'"),
])
def test_labels_that_are_no_sets(labels, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.CoverClustering.from_labels(labels)


@pytest.mark.parametrize(("given", "message"), [
    ([[0, 1], [2, 3, 4]], "HardClustering.from_clusters reads"),
    ([[0, 3], [2, 1]], "HardClustering.from_clusters reads lists"),
    ([["a", "b"], ["b"]], "from_labels reads"), ([["a", "b"], ["b", "c"]], "from_labels"),
    ([np.array([0, 1, 1, 2]), np.array([0, 0, 1]), np.array([0, 0])], r"nested blocks.*lists\[0\]"),
    ([[(0, 0.3), (1, 0.7)], [(1, 1.0)]], "corpus2dense"),
    ([0.2, 0.3, 0.9], r"np.column_stack\(\[1 - p, p\]\)"),
    ([[0.2], [0.3]], r"np.column_stack\(\[1 - p, p\]\)"),
    (np.array(coded(0), dtype=object), "from_labels"), (pd.Series([["a"], ["b"]]), "from_labels"),
    ({"t1": {"a"}, "t2": {"a", "b"}}, "from_labels"),
])
def test_what_reads_other_lists(given, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.as_clustering(given)


# -- rows without a number ------------------------------------------------------------------------
def test_missing_rows_of_a_cover():
    frame = pd.DataFrame({"a": [1, 0, np.nan, 1], "b": [1, 1, 0, 0]}, index=list("wxyz"))
    for call in (lambda: sc.CoverClustering(frame), lambda: sc.as_clustering(frame, kind="cover")):
        with pytest.raises(sc.ClusteringError, match=r'missing="drop"'):
            call()
    for call in (lambda: sc.as_clustering(frame), lambda: sc.align(frame, frame, missing="drop")):
        with pytest.raises(sc.ClusteringError, match=r'kind="cover".*"rough"'):
            call()
    x = sc.as_clustering(frame, kind="cover", missing="drop")
    assert (x.object_names, x.cluster_names) == (("w", "x", "z"), ("a", "b"))
    assert x == sc.CoverClustering(frame.dropna())
    assert sc.as_clustering(frame, kind="cover", missing="uncovered").uncovered.tolist() == [2]
    alone = sc.as_clustering(frame, kind="cover", missing="singletons")
    assert alone.membership.toarray()[2].tolist() == [False, False, True]
    assert sc.as_clustering(frame, kind="rough", missing="unknown").upper[2].all()
    unnamed = sc.as_clustering(frame.to_numpy(), kind="possibilistic", missing="drop")
    assert unnamed.object_names == (0, 1, 3)
    with pytest.raises(sc.ClusteringError, match="all 4 objects are missing"):
        sc.as_clustering(frame * np.nan, kind="cover", missing="drop")
