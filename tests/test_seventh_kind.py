"""A seventh kind in one file: probabilities of a few partitions of the same objects."""

import matplotlib
import numpy as np
import pytest

import softclust as sc
from softclust.clusterings import Clustering
from softclust.clusterings.focal import MassTable, table

matplotlib.use("Agg")


class PartitionDistribution(Clustering):
    """Partitions (m, n) whose labels match, each with its probability.

    An object has the mass of each cluster that the partitions give it.
    """

    __slots__ = ("_labels", "_n_clusters", "_probability")
    kind = "distribution"
    taken_as = ("evidential",)
    _fields = ("_labels", "_probability", "_n_clusters")

    def __init__(self, labels, probability, *, object_names=None, cluster_names=None):
        self._fill((object_names, cluster_names), _labels=np.array(labels),
                   _probability=np.array(probability, dtype=float),
                   _n_clusters=int(np.max(labels)) + 1)

    @property
    def n_objects(self):
        return self._labels.shape[1]

    @property
    def n_clusters(self):
        return self._n_clusters

    def _masses(self) -> MassTable:
        rows = np.eye(self.n_clusters)[self._labels]
        return table(np.einsum("m,mnc->nc", self._probability, rows), None)

    def _take(self, field, rows):
        return self._labels[:, rows] if field == "_labels" else getattr(self, field)


X = PartitionDistribution([[0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]], [0.75, 0.25])
U = np.array([[1, 0, 0], [1, 0, 0], [.75, .25, 0], [0, 1, 0], [0, .75, .25], [0, 0, 1]])
F = sc.FuzzyClustering(U)
Y = [0, 0, 1, 1, 2, 2]


def test_conversions_and_masses_follow_from_the_masses():
    np.testing.assert_allclose(X.to_fuzzy().membership, U)
    np.testing.assert_allclose(X.belief("all"), F.belief("all"))
    np.testing.assert_allclose(X.plausibility([[1, 1, 0]]), F.plausibility([[1, 1, 0]]))
    assert X.harden() == F.harden()
    assert X.to_rough("max_mass") == F.to_rough("max_mass")
    assert X.to_evidential("occurring") == F.to_evidential("occurring")
    np.testing.assert_allclose(X.relation().dense(), F.relation().dense())
    assert X.subset([0, 2]).to_fuzzy().membership.shape == (2, 3)


def test_it_is_compared_like_its_masses():
    found, expected = (sc.compare(x, Y, measures=["alpha_rand_index", "credal_rand_index",
                                                  "alpha_rand_interval"])
                       for x in (X, F.to_evidential("occurring")))
    assert [r.name for r in found.rows] == [r.name for r in expected.rows]
    for a, b in zip(found.rows, expected.rows):
        assert sc.measures.ends(a.value) == pytest.approx(sc.measures.ends(b.value), abs=1e-12)
    assert "distribution" in str(found.summary())
    assert sc.nonspecificity(X) == 0.0
    with pytest.raises(sc.ClusteringError, match="distribution"):
        sc.adjusted_rand_index(X, Y)


def test_tables_and_plots():
    assert str(X.summary()).startswith("Distribution clustering")
    np.testing.assert_allclose(X.to_frame(), U)
    runs = sc.Ensemble({"x": X, "y": Y, "f": F})
    assert runs.kinds == ("distribution", "hard", "fuzzy")
    assert "distribution" in str(runs.summary())
    assert runs.tabulate().counts.tolist() == [1, 1, 1]
    matrix = sc.compare_all(runs)
    assert matrix.lower[0, 2] == pytest.approx(matrix.lower[2, 2])
    X.plot()
    runs.plot()
    matrix.plot()
