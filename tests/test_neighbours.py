"""Objects of other Python packages: stand-ins with the documented attributes, and the packages."""

import numpy as np
import pytest

import softclust as sc


class Vertices:
    def __init__(self, names):
        self.names = names

    def attributes(self):
        return [] if self.names is None else ["name"]

    def __getitem__(self, key):
        assert key == "name"
        return self.names


class Graph:
    def __init__(self, names=None):
        self.vs = Vertices(names)


class VertexClustering:
    """As igraph.VertexClustering: membership of the vertices, iteration over communities."""

    def __init__(self, membership, names=None):
        self.membership, self.graph = membership, Graph(names)


class VertexCover:
    def __init__(self, communities, n, names=None):
        self.communities_, self.graph = communities, Graph(names)
        self.membership = [[k for k, members in enumerate(communities) if i in members]
                           for i in range(n)]

    def __iter__(self):
        return iter(self.communities_)


class Nodes:
    def __init__(self, nodes):
        self.nodes = nodes


class NodeClustering:
    """As cdlib.NodeClustering."""

    def __init__(self, communities, nodes):
        self.communities, self.graph = communities, Nodes(nodes)
        covered = {name for part in communities for name in part}
        self.node_coverage = len(covered) / len(nodes)
        self.overlap = sum(map(len, communities)) > len(covered)


class Tensor:
    """As a tensor of torch on a device: numpy cannot read it before it is on the host."""

    def __init__(self, values, device="cuda"):
        self.values, self.device = np.asarray(values), device
        self.shape = self.values.shape

    def detach(self):
        return Tensor(self.values, self.device)

    def cpu(self):
        return Tensor(self.values, "cpu")

    def __array__(self, dtype=None, copy=None):
        if self.device != "cpu":
            raise TypeError("can't convert cuda:0 device type tensor to numpy")
        return self.values


class CupyArray:
    """As cupy.ndarray."""

    def __init__(self, values):
        self.__cuda_array_interface__ = {"version": 3}
        self.values = np.asarray(values)
        self.shape = self.values.shape

    def get(self):
        return self.values

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Implicit conversion to a NumPy array is not allowed")


def test_communities_of_igraph():
    found = sc.as_clustering(VertexClustering([1, 0, 1], ["p", "q", "r"]))
    assert found == sc.HardClustering([1, 0, 1], object_names=["p", "q", "r"])
    assert sc.as_clustering(VertexClustering([1, 0, 1])).object_names is None
    cover = sc.as_clustering(VertexCover([[0, 1], [1, 2]], 4, list("pqrs")))
    assert cover.kind == "cover"
    assert cover.object_names == tuple("pqrs")
    assert [part.tolist() for part in cover.clusters] == [[0, 1], [1, 2]]


def test_communities_of_cdlib():
    hard = sc.as_clustering(NodeClustering([["b", "c"], ["a"]], ["a", "b", "c"]))
    assert hard.object_names == ("a", "b", "c")
    assert hard.labels.tolist() == [1, 0, 0]
    for communities in ([["b", "c"], ["a", "b"]], [["b", "c"]]):
        assert sc.as_clustering(NodeClustering(communities, ["a", "b", "c"])).kind == "cover"


def test_communities_that_are_yielded_one_by_one():
    sets = [{0, 1}, {2}]
    assert sc.as_clustering(iter(sets)) == sc.as_clustering(sets)
    assert sc.as_clustering(dict(enumerate(sets)).values()) == sc.as_clustering(sets)
    assert sc.as_clustering(frozenset(part) for part in ({0, 1}, {1})).kind == "cover"


def test_results_of_evclust():
    mass, focal = np.array([[0.0, 0.5, 0.25, 0.25], [0.1, 0.0, 0.9, 0.0]]), (
        np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    found = sc.as_clustering({"F": focal, "mass": mass, "y_pl": np.array([0, 1])})
    assert found == sc.EvidentialClustering(mass, focal)
    assert sc.as_clustering({"mass": 0, "F": 1}).object_names == ("mass", "F")


@pytest.mark.parametrize("made", [Tensor, CupyArray])
def test_arrays_on_another_device(made):
    labels, membership = [0, 1, 1], [[0.25, 0.75], [1.0, 0.0], [0.5, 0.5]]
    assert sc.as_clustering(made(labels)) == sc.HardClustering(labels)
    assert sc.as_clustering(made(membership)) == sc.FuzzyClustering(membership)
    assert sc.adjusted_rand_index(made(labels), labels) == 1.0
    assert sc.contingency_table(made(labels), labels).n_objects == 3


def test_objects_that_hold_several_clusterings_name_the_way():
    for name, way in (("AnnData", "column of its obs"), ("Annotation", "speakers of its frames"),
                      ("VertexDendrogram", "as_clustering()")):
        with pytest.raises(sc.ClusteringError, match=way.replace("()", r"\(\)")):
            sc.as_clustering(type(name, (), {})())


def test_igraph_itself():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph.Famous("Zachary")
    parts = graph.community_multilevel()
    assert sc.as_clustering(parts) == sc.HardClustering(parts.membership)
    cover = igraph.VertexCover(graph, [[0, 1, 2], [2, 3]])
    assert sc.as_clustering(cover).multiplicity[:4].tolist() == [1, 1, 2, 1]


def test_networkx_and_cdlib_themselves():
    networkx = pytest.importorskip("networkx")
    graph = networkx.karate_club_graph()
    parts = networkx.community.label_propagation_communities(graph)
    assert sc.as_clustering(parts).n_clusters == len(parts)
    cdlib = pytest.importorskip("cdlib")
    found = cdlib.NodeClustering([list(part) for part in parts], graph)
    assert sc.adjusted_rand_index(found, parts) == 1.0


def test_evclust_itself():
    ecm = pytest.importorskip("evclust.ecm")
    np.random.seed(0)   # noqa: NPY002 (evclust draws from the global generator)
    rows = np.random.default_rng(0).normal(size=(30, 2))
    result = ecm.ecm(np.concatenate([rows, rows + 6]), 2)
    found = sc.as_clustering(result)
    np.testing.assert_allclose(found.plausibility(), result["pl"], atol=1e-12)
    np.testing.assert_allclose(found.belief(), result["bel"], atol=1e-12)
    np.testing.assert_allclose(found.pignistic(), result["betp_n"], atol=1e-12)
