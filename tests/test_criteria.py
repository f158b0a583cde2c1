"""Criteria for the number of clusters: each in one place, which everything else reads."""

import ast
import inspect
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from naive import criteria as naive
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.metrics import pairwise_distances

import softclust as sc
from softclust.selection import criteria
from softclust.selection.criteria import CRITERIA

X = np.random.default_rng(0).normal(size=(45, 2)) + 7 * np.array([[0, 0], [1, 0], [0, 1]])[
    np.arange(45) % 3]
#: few replicates, where there are any
FEW = {"n_resamples": 12, "n_references": 4, "n_starts": 3}


def few(name):
    return {key: value for key, value in FEW.items() if key in CRITERIA[name].options}


@pytest.mark.parametrize("name", ["calinski_harabasz", "davies_bouldin"])
def test_criteria_of_scikit_learn(name):
    rng = np.random.default_rng(1)
    for k in (2, 3, 5):
        x, labels = rng.normal(size=(30, 3)), rng.permutation(np.arange(30) % k)
        expected = getattr(naive, name)(x.tolist(), labels.tolist())
        assert CRITERIA[name].score(x, labels) == pytest.approx(expected, rel=1e-12)
    ward = AgglomerativeClustering()
    found = sc.cluster_number(X, range(2, 6), criterion=name, estimator=ward)
    for k, value in zip(found.n_clusters, found.criterion[:, 0]):
        labels = AgglomerativeClustering(k).fit_predict(X)
        assert value == pytest.approx(getattr(naive, name)(X.tolist(), labels.tolist()), rel=1e-12)
    assert found.best == 3
    frame = pd.DataFrame(X, columns=["a", "b"])   # rows of a frame go to the clusterer
    np.testing.assert_array_equal(sc.cluster_number(frame, range(2, 6), criterion=name,
                                                    estimator=ward).criterion, found.criterion)


@pytest.mark.parametrize("name", CRITERIA)
def test_every_criterion_is_tried_printed_and_drawn(name):
    own = CRITERIA[name]
    found = sc.cluster_number(X, [2, 3, 4], criterion=name, rng=0, **few(name))
    assert found.best == 3
    assert found.rule == own.rule
    assert str(found).startswith(f"Number of clusters by {own.title}: 3")
    assert f"* best ({own.direction} value, rule {own.rule})." in " ".join(str(found).split())
    assert found.plot().get_ylabel() == own.title
    if own.why_not_one:
        with pytest.raises(sc.ClusteringError, match=f"'{name}': {own.why_not_one}"):
            sc.cluster_number(X, [1, 2], criterion=name)
    else:
        assert 1 in sc.cluster_number(X, [1, 2], criterion=name, rng=0, **few(name)).n_clusters


def test_one_place_is_enough():
    @criteria.criterion(needs="labels_", direction="least", title="largest cluster (objects)",
                        short="largest cluster", looks_at="how large it is", beware="favours many",
                        note="A note.")
    def largest_cluster(x, labels):
        return float(np.bincount(labels).max())

    try:
        found = sc.cluster_number(X, [2, 3], criterion="largest_cluster", rng=0)
        assert found.criterion[:, 0].tolist() == [30.0, 15.0]
        assert found.best == 3
        assert "A note." in str(found)
        assert found.plot().get_ylabel() == "largest cluster (objects)"
        assert "largest cluster (objects), the smallest is best" in " ".join(
            criteria.in_words().split())
        assert '| `"largest_cluster"` | smallest | how large it is | favours many |' in (
            criteria.table())
        with pytest.raises(ValueError, match="'largest_cluster' does not use"):
            sc.cluster_number(X, criterion="largest_cluster", n_references=3)
    finally:
        del CRITERIA["largest_cluster"]


def test_there_is_no_other_list_of_criteria():
    """No literal holds two of their names, except fields of records that have the same name."""
    fields = {"entropy", "pairwise_entropy"}   # of results
    root = Path(sc.__file__).parent
    listed = []
    for path in [*root.rglob("*.py"), *(root.parent / "r_bridge").glob("*.py")]:
        if path == Path(criteria.__file__):
            continue
        text = path.read_text(encoding="utf-8")
        if sum(name in text for name in CRITERIA.keys() - fields) < 2:
            continue
        for node in ast.walk(ast.parse(text)):
            values = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
            names = {value.value for value in values if isinstance(value, ast.Constant)}
            if len(names & (CRITERIA.keys() - fields)) > 1:
                listed.append(f"{path.name}:{node.lineno}")
    assert listed == []
    text = " ".join(inspect.getdoc(sc.cluster_number).split())
    assert all(f'"{name}", {own.title}, {criteria.BEST[own.rule]} is best' in text
               for name, own in CRITERIA.items())
    guide = (root.parent / "docs" / "number-of-clusters.md").read_text(encoding="utf-8")
    assert criteria.table() in guide


def test_distances_are_for_criteria_that_take_them():
    class OfDistances(AgglomerativeClustering):
        def __init__(self, n_clusters=2, metric="precomputed", linkage="average"):
            super().__init__(n_clusters, metric=metric, linkage=linkage)
    distances = pairwise_distances(X)
    assert sc.cluster_number(distances, [2, 3], criterion="silhouette",
                             estimator=OfDistances()).best == 3
    with pytest.raises(sc.ClusteringError, match="'davies_bouldin' needs the objects themselves"):
        sc.cluster_number(distances, [2, 3], criterion="davies_bouldin", estimator=OfDistances())


def test_a_clusterer_without_memberships():
    with pytest.raises(sc.ClusteringError, match=r"criterion='silhouette' or 'calinski_harabasz' "
                                                 r"or 'davies_bouldin' or 'pac'"):
        sc.cluster_number(X, [2, 3], criterion="entropy", estimator=KMeans())
