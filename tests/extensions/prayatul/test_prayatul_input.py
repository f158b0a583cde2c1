"""What `prayatul` takes and refuses: noise labels, bad input, names of objects."""

import math
import warnings

import naive
import pandas as pd
import pytest

import softclust as sc


def quiet(*args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
        return sc.prayatul(*args, **options)


def test_noise():
    g = [0, 0, 0, 1, 1, 1, 1]
    p = [0, 0, -1, -1, 1, 1, 1]
    q = [-1, 0, 0, 1, 1, 1, 1]
    as_cluster = sc.prayatul(g, p, q)
    assert as_cluster.n_noise == (2, 1)
    assert list(as_cluster.counts) == naive.prayatul(g, p, q)
    assert "Noise objects: 2 in primary, 1 in alternative." in " ".join(
        str(as_cluster).split())
    single = sc.prayatul(g, p, q, noise="singletons")
    assert list(single.counts) == naive.prayatul(g, [0, 0, 7, 8, 1, 1, 1], q)
    assert single.n_noise == (2, 1)
    dropped = quiet(g, p, q, noise="drop")
    keep = [1, 4, 5, 6]
    assert list(dropped.counts) == naive.prayatul(*([x[k] for k in keep] for x in (g, p, q)))
    assert (dropped.n, dropped.n_dropped) == (4, 3)
    assert list(dropped.objects().labels) == keep
    assert dropped.positions.tolist() == keep
    other = sc.prayatul(g, ["?" if k < 0 else str(k) for k in p], q, noise="singletons",
                        noise_label="?")
    assert list(other.counts) == naive.prayatul(g, [0, 0, 7, 8, 1, 1, 1], q)
    # -1 in the truth is a class
    assert sc.prayatul([-1, -1, 0], [0, 0, 1], [0, 1, 1], noise="drop").n == 3
    # True is not the label 1
    assert sc.prayatul([True, False, True], [True, True, False], [0, 2, 2],
                       noise="drop", noise_label=1).n == 3
    with pytest.raises(sc.ClusteringError, match=r'1 of 3 objects are left.*"drop" left out'):
        sc.prayatul([0, 0, 1], [-1, -1, 0], [0, 0, 1], noise="drop")
    with pytest.raises(ValueError, match="noise='ignore' is not known"):
        sc.prayatul(g, p, q, noise="ignore")


@pytest.mark.parametrize(("arguments", "message"), [
    (([0, 1], [0, 1, 1], [0, 1]), "truth has 2 objects and primary has 3"),
    (([0], [0], [0]), "have 1 object; at least 2"),
    (([0, 1], [0, None], [0, 1]), "primary: 1 label is missing"),
    (([0, 1], [0, 1], [[0], [1]]), "alternative: "),
    (([0.0, math.inf], [0, 1], [0, 1]), "truth: "),
    (([0, 1], [[0.5, 0.4], [1.0, 0.0]], [0, 1]), "primary: row 0 of the matrix sums to 0.9"),
    (([0, 1], [[1.5, -0.5], [1.0, 0.0]], [0, 1]), "primary: "),
])
def test_bad_clusterings(arguments, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.prayatul(*arguments)


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"weights": [1, 2]}, sc.ClusteringError, r"weights has shape \(2,\); one number"),
    ({"weights": [1, -2, 1]}, sc.ClusteringError, r"weights\[1\] is -2.0; finite numbers >= 0"),
    ({"weights": [1, math.nan, 1]}, sc.ClusteringError, r"weights\[1\] is nan"),
    ({"weights": [0, 0, 1]}, sc.ClusteringError, "weights are positive for 1 objects"),
    ({"weights": "abc"}, sc.ClusteringError, "cannot be read as numbers"),
    ({"coupling": "maximum"}, ValueError, "coupling='maximum' is not known"),
    ({"empty": "drop"}, ValueError, "empty='drop' is not known"),
    ({"zero_division": "nan?"}, TypeError, "zero_division is 'nan"),
    ({"names": "ab"}, ValueError, "two names, of primary and alternative"),
])
def test_bad_options(options, error, message):
    with pytest.raises(error, match=message):
        sc.prayatul([0, 0, 1], [0, 1, 1], [0, 1, 0], **options)


@pytest.mark.parametrize(("table", "message"), [
    ([[1, 2]], r"shape \(1, 2\) and dtype int64"),
    ([[[1.0, 2.0]]], "dtype float64"),
    ([[[3, -1]]], r"table\[0, 0, 1\] is -1; counts >= 0"),
    ([[[1, 0]]], "table counts 1 objects"),
])
def test_bad_tables(table, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.prayatul_from_counts(table)


def test_object_names_must_agree():
    def series(order, labels):
        return pd.Series(labels, index=order)
    g = series(["a", "b", "c"], [0, 0, 1])
    result = sc.prayatul(g, series(["a", "b", "c"], [0, 1, 1]), [0, 1, 0])
    assert result.objects().to_frame().index.tolist() == ["a", "b", "c"]
    with pytest.raises(sc.ClusteringError, match="truth and primary are in another order: object "
                                                 "0 is 'a' in truth and 'b' in primary"):
        sc.prayatul(g, series(["b", "a", "c"], [0, 1, 1]), [0, 1, 0])
