"""Recipes of docs/words-of-your-field.md on data that one side lacks, against values by hand."""

import math
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import softclust as sc

#: records d, e are in x only, f and g in y only
X = pd.Series(["p", "p", "q", "q", "r"], index=list("abcde"))
Y = pd.Series([1, 1, 1, 2, 2], index=list("abcfg"))


def value(word, x, y):
    return sc.compare(x, y, measures=word).rows[0].value


@pytest.mark.parametrize(("word", "expected"), [
    ("pairwise precision", 1 / 2), ("pairwise recall", 1 / 4), ("pairwise F1", 1 / 3),
    ("bcubed precision", (1 + 1 + 1 / 2) / 5), ("bcubed recall", (2 / 3 + 2 / 3 + 1 / 3) / 5),
    ("closest cluster precision", (2 / 3 + 1 / 4) / 3), ("closest cluster recall", (2 / 3) / 2),
    ("cluster F1", 0.0)])
def test_records_that_only_one_side_has(word, expected):
    sides = sc.align(X, Y, objects="all", missing="uncovered")
    assert value(word, *sides) == pytest.approx(expected)
    # the same as covers, which lack what the other side has
    records = list("abcdefg")
    covers = [sc.CoverClustering.from_clusters(
        [[records.index(r) for r in members] for members in clusters], n_objects=7)
        for clusters in (["ab", "cd", "e"], ["abc", "fg"])]
    assert value(word, *covers) == pytest.approx(expected)


def test_the_merge_distance_of_records_that_only_one_side_has():
    sides = sc.align(X, Y, objects="all", missing="singletons")
    # split cd; merge ab with c, f with g
    assert value("GMD", *sides) == 3
    with pytest.raises(sc.ClusteringError, match="singletons"):
        value("GMD", *sc.align(X, Y, objects="all", missing="uncovered"))


@pytest.mark.parametrize(("word", "expected"), [
    ("CEAFe precision", 0.8 / 3), ("CEAFe recall", 0.8 / 2), ("CEAFm precision", 2 / 5),
    ("MUC precision", 1 / 2), ("MUC recall", 1 / 3)])
def test_mentions_that_only_one_side_has(word, expected):
    assert value(word, *sc.align(X, Y, objects="all", missing="uncovered")) == pytest.approx(
        expected)


def test_clusters_of_one_mention_are_dropped_from_a_response():
    x, y = sc.align(X, Y, objects="all", missing="uncovered")
    assert value("CEAFe precision", x.drop_small(2), y) == pytest.approx(0.8 / 2)
    assert value("MUC precision", x.drop_small(2), y) == value("MUC precision", x, y)


@pytest.mark.parametrize("turned", [False, True])
def test_the_adapted_rand_error_drops_the_background_of_the_truth(turned):
    found, truth = [0, 0, 1, 1, 1, 1, 2, 2, 0, 3], [0, 0, 0, 5, 5, 5, 5, 6, 6, 6]
    if turned:
        found, truth = truth, found
    x, y = sc.align(found, truth, noise=("cluster", "drop"), noise_label=0)
    kept = [(a, b) for a, b in zip(found, truth) if b != 0]
    pairs = list(combinations(kept, 2))
    both, of_x, of_y = (sum(map(joined, pairs)) for joined in (
        lambda p: p[0] == p[1], lambda p: p[0][0] == p[1][0], lambda p: p[0][1] == p[1][1]))
    assert value("adapted Rand error", x, y) == pytest.approx(1 - 2 * both / (of_x + of_y))
    n = len(kept)
    split = sum(math.log(sum(b == d for _, d in kept) / kept.count((a, b))) for a, b in kept) / n
    assert value("VI split", x, y) == pytest.approx(split)


def test_silence_is_in_no_cluster():
    none = None
    x = [["A"], ["A"], ["A", "B"], ["B"], none, none, ["B"]]
    y = [["u"], ["u"], ["u"], none, ["v"], none, ["v"]]
    sides = [sc.CoverClustering.from_clusters(
        [[k for k, speakers in enumerate(side) if speakers and name in speakers]
         for name in names], n_objects=7) for side, names in ((x, "AB"), (y, "uv"))]
    # A is u, B is v: missed 4; false alarm 2 (B over u) and 3; no confusion
    assert value("DER", *sides) == pytest.approx(3 / 5)
    # purity: of what x says, 3 + 1 speaker-frames of the best speaker, out of 6
    assert value("cluster purity", *sides) == pytest.approx(4 / 6)
    assert value("cluster coverage", *sides) == pytest.approx((3 + 1) / 5)


def test_no_label_is_background_unless_asked():
    found, truth = np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1])
    assert value("PQ", found, truth) != value(
        "PQ", *sc.align(found, truth, noise="uncovered", noise_label=0))
