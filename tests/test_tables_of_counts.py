"""Measures of two hard clusterings take their table in place of the labels, with the same bits."""

import warnings

import numpy as np
import pytest

import softclust as sc
from softclust.measures._registry import registry
from softclust.tables.contingency import Contingency, contingency_from_table

OF_COUNTS = [m.name for m in registry().values()
             if m.arity == 2 and m.takes("hard", "hard")]
PAIRS = {
    "few": ([0, 0, 1, 1, 2], [0, 1, 1, 1, 0]), "equal": ([0, 0, 1, 2], [1, 1, 0, 2]),
    "one cluster": ([0, 0, 0, 0], [0, 1, 1, 2]), "single": ([0, 1, 2, 3], [0, 0, 1, 1]),
}
rng = np.random.default_rng(4)
PAIRS["random"] = rng.integers(0, 4, 300), rng.integers(0, 6, 300)
PAIRS["larger"] = rng.integers(0, 9, 20_000), rng.integers(0, 5, 20_000)
PAIRS["empty clusters"] = (sc.HardClustering(rng.integers(0, 3, 50), n_clusters=5),
                           sc.HardClustering(rng.integers(0, 3, 50), n_clusters=4))


def ends(value):
    if isinstance(value, sc.results.TransportResult):
        return value.lower, value.upper
    return (value.low, value.high) if isinstance(value, sc.Interval) else (value, value)


def bits(value):
    return [float(end).hex() for end in ends(value)]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("name", OF_COUNTS)
def test_a_table_gives_the_bits_of_the_labels(name, pair):
    x, y = PAIRS[pair]
    m = sc.get_measure(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
        expected = bits(m.function(x, y))
        assert bits(m.function(sc.Joint(x, y))) == expected
        table = sc.Joint(x, y).statistic(Contingency)
        assert bits(m.function(table)) == expected
        # A table of counts alone, as from a database: entropies are summed in another order, which
        # rounding of numbers of order 1 shows.
        value = m.function(contingency_from_table(table.dense()))
        np.testing.assert_allclose(ends(value), ends(m.function(x, y)), rtol=1e-13, atol=1e-14)


def test_a_table_is_given_alone():
    table = contingency_from_table([[2, 1], [0, 3]])
    with pytest.raises(TypeError, match="x is a table of both clusterings already; leave out y"):
        sc.rand_index(table, [0, 1])


@pytest.mark.parametrize("name", ["mutual_information", "variation_of_information",
                                  "adjusted_mutual_information"])
def test_a_dense_table_gives_the_bits_of_the_labels(name):
    """Few objects are listed and many counted in a dense table; sums go by the rule, not by it."""
    draw, measure = np.random.default_rng(5), getattr(sc, name)
    for n in (*draw.integers(2, 1100, 20), 3000):
        x, y = draw.integers(0, draw.integers(1, 40), n), draw.integers(0, 30, n)
        table = sc.contingency_table(x, y)
        assert measure(contingency_from_table(table.dense())) == measure(table) == measure(x, y)
