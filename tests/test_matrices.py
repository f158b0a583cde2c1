"""Memberships, typicalities, masses and upper approximations from matrices of every make."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import softclust as sc
from softclust.clusterings import arrays

SETS = [[0, 0], [1, 0], [0, 1], [1, 1]]
MASS = [[0.1, 0.4, 0.2, 0.3], [0.0, 0.0, 0.0, 1.0]]
FUZZY = [[0.25, 0.75], [1.0, 0.0]]


@pytest.mark.parametrize("form", [
    np.asfortranarray, lambda m: m[::-1][::-1], lambda m: np.repeat(m, 2, axis=1)[:, ::2],
    lambda m: m.astype(">f8"), lambda m: m.astype(np.float16), lambda m: m.astype(np.longdouble),
    np.matrix, lambda m: m.tolist(), lambda m: tuple(map(tuple, m)), pd.DataFrame,
    lambda m: m.astype(object), lambda m: np.ma.masked_array(m), scipy.sparse.csr_matrix,
    scipy.sparse.coo_array, lambda m: pd.DataFrame(m).astype("Float64"),
    lambda m: pd.DataFrame(m).astype("float64[pyarrow]"),
])
def test_matrices_of_every_make(form):
    given = np.array([[0.25, 0.75, 0.0], [0.5, 0.0, 0.5]])
    if form is np.matrix:
        with pytest.warns(PendingDeprecationWarning):
            given_form = form(given)
    else:
        given_form = form(given)
    x = sc.FuzzyClustering(given_form)
    assert x.membership.tolist() == given.tolist()
    assert x.membership.dtype == np.float64
    assert x.membership.flags.c_contiguous
    assert type(x.membership) is np.ndarray


@pytest.mark.parametrize("form", [
    lambda m: m, lambda m: m.astype(np.uint8), lambda m: m.astype(float), pd.DataFrame,
    lambda m: pd.DataFrame(m).astype("boolean"), scipy.sparse.csr_matrix, lambda m: m.tolist(),
    lambda m: pd.DataFrame({"a": m[:, 0], "b": m[:, 1].astype(int)}),
])
def test_boolean_matrices_of_every_make(form):
    upper = np.array([[True, False], [True, True]])
    x = sc.RoughClustering.from_upper(form(upper))
    assert x.upper.tolist() == upper.tolist()
    assert x.upper.dtype == bool


def test_missing_entries_of_frames_are_found():
    frame = pd.DataFrame({"a": [1.0, 0.5], "b": [0.0, None]}).astype("Float64")
    with pytest.raises(sc.ClusteringError, match=r"membership\[1, 1\] is nan"):
        sc.FuzzyClustering(frame)
    frame = pd.DataFrame({"a": [True, None], "b": [True, True]}).astype("boolean")
    with pytest.raises(sc.ClusteringError, match=r"upper\[1, 0\] is nan"):
        sc.RoughClustering.from_upper(frame)


def test_sparse_memory_rule(monkeypatch):
    huge = scipy.sparse.csr_matrix((10**8, 1000))
    message = r"membership .* 745 GiB when dense; at most 2 GiB"
    with pytest.raises(sc.ClusteringError, match=message):
        sc.FuzzyClustering(huge)
    small = scipy.sparse.eye(4, format="csr")
    monkeypatch.setattr(arrays, "MAX_DENSE_BYTES", 127)
    with pytest.raises(sc.ClusteringError, match="sparse matrix of shape"):
        sc.FuzzyClustering(small)
    monkeypatch.setattr(arrays, "MAX_DENSE_BYTES", 128)
    assert sc.FuzzyClustering(small).n_clusters == 4


def test_frames_give_names():
    frame = pd.DataFrame(FUZZY, index=["x1", "x2"], columns=["c1", "c2"])
    for x in (sc.FuzzyClustering(frame), sc.PossibilisticClustering(frame),
              sc.RoughClustering.from_upper(frame > 0)):
        assert x.object_names == ("x1", "x2")
        assert x.cluster_names == ("c1", "c2")
    own = sc.FuzzyClustering(frame, object_names=[5, 6], cluster_names=["u", "v"])
    assert own.object_names == (5, 6)
    assert own.cluster_names == ("u", "v")
    assert all(type(v) is int for v in own.object_names)
    masses = pd.DataFrame(MASS, index=["x1", "x2"], columns=["none", "a", "b", "both"])
    x = sc.EvidentialClustering(masses, pd.DataFrame(SETS, columns=["a", "b"]))
    assert x.object_names == ("x1", "x2")
    assert x.cluster_names == ("a", "b")


def test_default_index_is_no_names():
    x = sc.FuzzyClustering(pd.DataFrame(FUZZY))
    assert x.object_names is None
    assert x._cluster_names is None
    assert sc.FuzzyClustering(pd.DataFrame(FUZZY, index=[1, 2])).object_names == (1, 2)
    assert sc.FuzzyClustering(pd.DataFrame(FUZZY)[1:]).object_names == (1,)


def test_repeated_index_says_the_way_out():
    frame = pd.DataFrame(FUZZY, index=["a", "a"])
    with pytest.raises(sc.ClusteringError, match=r"'a' at 0 and at 1; .*reset_index"):
        sc.FuzzyClustering(frame)
