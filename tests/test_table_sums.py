"""Measures as ratios of sums over the contingency table, and these sums from anywhere."""

import numpy as np
import pytest

import softclust as sc
from softclust.measures import get_measure, registry
from softclust.tables.quotient import Polynomial
from softclust.tables.sums import COLUMNS

X = [0, 0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5]
Y = [0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 5]


def naive_sums(x, y):
    """The sums by counting, name by name."""
    objects = list(zip(x, y))
    cells = {pair: objects.count(pair) for pair in objects}
    a, b = ({k: side.count(k) for k in side} for side in (x, y))
    sums = {"n": len(x), "n_x": len(a), "n_y": len(b), "n_cells": len(cells)}
    for name, counts in (("cells", cells), ("x", a), ("y", b)):
        sums[f"{name}_squares"] = sum(t * t for t in counts.values())
        sums[f"{name}_logs"] = sum(t * np.log(t) for t in counts.values())
    for i, (name, sizes) in enumerate((("x", a), ("y", b))):
        sums[f"{name}_largest"] = sum(max(t for pair, t in cells.items() if pair[i] == k)
                                      for k in sizes)
        sums[f"{name}_shares"] = sum(t * t / sizes[pair[i]] for pair, t in cells.items())
    sums["equal_clusters"] = sum(t == a[k] == b[l] for (k, l), t in cells.items())
    return sums


SUMS = naive_sums(X, Y)
RATIOS = ["rand_index", "rand_distance", "symmetric_difference_distance", "adjusted_rand_index",
          "jaccard_index", "wallace_index", "pair_f_index", "variation_of_information",
          "normalized_variation_of_information", "mutual_information",
          "normalized_mutual_information", "v_measure_index", "homogeneity_index",
          "completeness_index", "purity_index", "van_dongen_distance", "bcubed_index",
          "cluster_f_index", "muc_index"]


@pytest.mark.parametrize("name", RATIOS)
def test_a_formula_tells_the_ratio_that_it_is(name):
    ratio = get_measure(name).ratio(n=len(X))
    value = ratio.over.at(SUMS) / ratio.under.at(SUMS)
    assert value == pytest.approx(get_measure(name).function(X, Y), rel=1e-12)
    for each in sorted(ratio.over.names | ratio.under.names):   # slopes, by differences
        up, down = ({**SUMS, each: SUMS[each] + step} for step in (1e-4, -1e-4))
        for part in (ratio.over, ratio.under):
            assert part.slope(each).at(SUMS) == pytest.approx(
                (part.at(up) - part.at(down)) / 2e-4, rel=1e-6, abs=1e-6)


def test_known_sums_and_other_unknowns():
    """Pairs in place of squares; with the sizes of y given it is a ratio of linear functions."""
    joined = Polynomial.unknown("joined")
    ratio = get_measure("adjusted_rand_index").ratio(
        n=12, cells_squares=2 * joined + 12, y_squares=SUMS["y_squares"])
    assert ratio.over.degree == ratio.under.degree == 1
    assert ratio.over.names == {"joined", "x_squares"}
    known = {"joined": (SUMS["cells_squares"] - 12) / 2, "x_squares": SUMS["x_squares"]}
    assert ratio.over.at(known) / ratio.under.at(known) == pytest.approx(
        sc.adjusted_rand_index(X, Y), rel=1e-12)
    assert get_measure("rand_index").ratio(n=12).under.coefficient() == 66


def test_what_is_no_ratio_says_so():
    for name, why in (("fowlkes_mallows_index", "sqrt"), ("normalized_information_distance", "abs"),
                      ("transfer_distance", "more than sums"), ("alpha_rand_index", "more than"),
                      ("adjusted_mutual_information", "sizes of the clusters")):
        with pytest.raises(ValueError, match=why):
            get_measure(name).ratio(n=12)
    with pytest.raises(ValueError, match="larger or the smaller"):
        get_measure("normalized_mutual_information").ratio({"average": "max"}, n=12)
    with pytest.raises(ValueError, match="needs the contingency table"):
        get_measure("bcubed_index").ratio({"weights": "equal"}, n=12)


def test_sums_of_labels_in_memory():
    sums = sc.table_sums("x", "y", data={"x": X, "y": Y})
    numbers = (sums.n, *sums.clusters, sums.cells, *sums.squares, *sums.logs, *sums.largest,
               *sums.shares, sums.equal)
    assert dict(zip(COLUMNS, numbers)) == pytest.approx(SUMS, rel=1e-13)


def test_every_measure_takes_sums_or_says_what_it_needs():
    sums = sc.table_sums("x", "y", data={"x": X, "y": Y})
    needs_table, values = set(), {}
    for m in registry().values():
        if m.arity == 2 and m.statistic.of_table_sums is not None:
            try:
                values[m.name] = m.function(sums)
            except sc.ClusteringError:
                needs_table.add(m.name)
                continue
            assert values[m.name] == pytest.approx(m.function(X, Y), rel=1e-12), m.name
    assert needs_table == {"adjusted_mutual_information", "blanc_index", "ceaf_index", "lea_index",
                           "merge_split_dissimilarity", "orphan_clusters_dissimilarity",
                           "panoptic_index"}
    assert set(values) > set(RATIOS)
