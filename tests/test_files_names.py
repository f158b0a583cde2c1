"""What to_frame() writes as CSV, TSV or parquet is read back with every legal name of a cluster."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import softclust as sc
from softclust.cli.files import read_table, to_clustering
from softclust.clusterings.set_names import read_set

NAMES = st.lists(st.text(max_size=6), min_size=2, max_size=3, unique=True)
#: what a cell of CSV cannot hold, for pandas drops it or UTF-8 has no code for it
UNWRITABLE = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"),
                              max_size=6), min_size=2, max_size=3, unique=True)


def evidential(names):
    sets = np.array([[0] * len(names), [1] + [0] * (len(names) - 1), [1] * len(names)])
    return sc.EvidentialClustering([[0.2, 0.3, 0.5], [0.0, 0.75, 0.25]], sets, cluster_names=names)


def written(x, folder, ending):
    frame, path = x.to_frame(), folder / f"x{ending}"
    if ending == ".parquet":
        frame.rename_axis(columns=None).to_parquet(path)
    else:
        frame.to_csv(path, sep="\t" if ending == ".tsv" else ",")
    return str(path)


def read(path, **options):
    return to_clustering(read_table(path), **options)


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet"])
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(names=NAMES)
@example(names=["a,b", "c"])
@example(names=["", " a"])
@example(names=["{a}", '"b"'])
@example(names=["\t", "a\nb", "\u2028"])
@example(names=["10", "9"])
def test_evidential_clusterings(tmp_path_factory, ending, names):
    x = evidential(names)
    y = read(written(x, tmp_path_factory.mktemp("files"), ending), kind="evidential")
    assert set(y.cluster_names) == set(names)
    order = [y.cluster_names.index(name) for name in names]
    assert (y.focal_sets[:, order] == x.focal_sets).all()
    assert (y.mass == x.mass).all()


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet"])
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(names=UNWRITABLE)
@example(names=["a,b", "c"])
@example(names=["", " a"])
@example(names=["index", "id"])
@example(names=["0", "1"])
@example(names=["a\nb", '"'])
def test_fuzzy_clusterings(tmp_path_factory, ending, names):
    rows = np.random.default_rng(0).dirichlet(np.ones(len(names)), 2)
    x = sc.FuzzyClustering(rows, cluster_names=names)
    y = read(written(x, tmp_path_factory.mktemp("files"), ending))
    assert y.cluster_names == tuple(names)
    assert np.array_equal(y.membership, x.membership)


def test_a_comma_no_longer_makes_another_cluster(tmp_path):
    x = evidential(["a,b", "c"])
    assert list(x.to_frame().columns) == ["{}", '{"a,b"}', '{"a,b", c}']
    assert read(written(x, tmp_path, ".csv"), kind="evidential").n_clusters == 2


def test_names_that_are_one_text_cannot_be_written():
    x = evidential([1, "1"])
    with pytest.raises(sc.ClusteringError, match="two clusters are called '1'"):
        x.to_frame()


@pytest.mark.parametrize(("text", "names"), [
    ("{}", []), ("", []), ("a", ["a"]), ("{a, b}", ["a", "b"]), ("{a,b,}", ["a", "b"]),
    ('{"a, b", c}', ["a, b", "c"]), ('"x"', ["x"]), ("{a b}", ["a b"])])
def test_sets_written_by_hand(text, names):
    assert read_set(text) == names


@pytest.mark.parametrize("text", ['{"a" b}', '{"\\x"}'])
def test_sets_that_are_not_read(text):
    with pytest.raises(sc.ClusteringError, match="cannot be read as a set of clusters"):
        read_set(text)


def test_a_cluster_twice_in_a_set():
    with pytest.raises(sc.ClusteringError, match="names a cluster twice"):
        read_set("{a, a}")


def test_rounded_files_on_request(tmp_path):
    rows = np.random.default_rng(0).dirichlet(np.ones(7), 50).round(4)
    path = str(tmp_path / "x.csv")
    pd.DataFrame(rows, columns=list("abcdefg")).to_csv(path)
    with pytest.raises(sc.ClusteringError, match=r'normalize="rows".*--normalize'):
        read(path)
    x = read(path, normalize=True)
    assert np.abs(x.membership.sum(axis=1) - 1).max() < 1e-15
    assert np.abs(x.membership - rows).max() < 1e-3
