"""Contingency tables: dense, folded, with carries, sorted; exact to a thousand million objects."""

import os

import naive
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import all_partitions

import softclust as sc
from softclust.tables import counting
from softclust.tables.contingency import Contingency, contingency, contingency_from_table
from softclust.tables.pair_counts import PairCounts

JIT_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
#: a few blocks of the kernel, the last one not full; without JIT fewer objects
MANY = 20_011 if JIT_OFF else 200_003


@pytest.fixture
def threads():
    yield sc.set_num_threads
    sc.set_num_threads(None)


def codes(values, clusters, dtype=None):
    return np.asarray(values).astype(dtype or np.min_scalar_type(max(clusters - 1, 0)))


@pytest.fixture(autouse=True, params=[0, 1024], ids=["kernels", "as shipped"])
def small(request, monkeypatch):
    """Few objects are counted by numpy; here also by the kernels."""
    monkeypatch.setattr(counting, "SMALL", request.param)


def counted(x, r, y, s):
    """A contingency checked in every part against numpy's counts."""
    c = contingency(codes(x, r), r, codes(y, s), s)
    x, y = np.asarray(x, dtype=np.int64), np.asarray(y, dtype=np.int64)
    keys, counts = np.unique(x * s + y, return_counts=True)
    assert (c.n, c.r, c.s, c.n_cells) == (len(x), r, s, len(keys))
    np.testing.assert_array_equal(c.rows, keys // s)
    np.testing.assert_array_equal(c.cols, keys % s)
    np.testing.assert_array_equal(c.counts, counts)
    np.testing.assert_array_equal(c.a, np.bincount(x, minlength=r))
    np.testing.assert_array_equal(c.b, np.bincount(y, minlength=s))
    assert c.squares == int((counts.astype(object) ** 2).sum())
    for array in (c.a, c.b, c.rows, c.cols, c.counts):
        assert array.dtype == np.int64
        assert not array.flags.writeable
    if r * s <= 10**6:
        dense = np.zeros((r, s), np.int64)
        dense[keys // s, keys % s] = counts
        np.testing.assert_array_equal(c.dense(), dense)
        assert c.dense().dtype == np.int64
    return c


def test_all_small_partitions():
    for n in (2, 3, 4):
        for x in all_partitions(n):
            for y in all_partitions(n):
                c = counted(x, n, y, n + 1)  # with empty clusters
                assert dict(zip(zip(c.rows.tolist(), c.cols.tolist()), c.counts.tolist())) \
                    == naive.contingency(x, y)
                assert tuple(getattr(PairCounts.of(c), f) for f in ("n11", "n10", "n01", "n00")) \
                    == naive.pair_counts(x, y)
                assert c.same_partition == naive.same_partition(x, y)


@pytest.mark.parametrize("clusters", [(1, 1), (2, 2), (2, 3), (3, 3), (10, 10), (11, 9), (1, 200),
                                      (40, 30), (100, 100), (120, 110), (300, 256), (257, 300)])
@pytest.mark.parametrize("kind", ["even", "skewed", "sorted"])
def test_dense_tables(clusters, kind):
    """Four tables and one; counters of a byte that start again."""
    r, s = clusters
    rng = np.random.default_rng(r + s)
    x, y = rng.integers(r, size=MANY), rng.integers(s, size=MANY)
    if kind != "even":
        rare = rng.random(MANY) < 0.9
        x, y = np.where(rare, 0, x), np.where(rare, s - 1, y)
    if kind == "sorted":
        x = np.sort(x)
    c = counted(x, r, y, s)
    assert c.table is not None


@pytest.mark.parametrize("n", [2, 3, 5, 255, 256, 257, 8191, 8192, 8193, 65_535, 65_536, 65_537])
def test_sizes_around_blocks_and_carries(n):
    if JIT_OFF and n > 9000:
        pytest.skip("slow without JIT: sizes around 65,536 are tried with JIT only")
    counted(np.zeros(n, int), 1, np.zeros(n, int), 1)
    counted(np.arange(n) % 3, 3, np.arange(n) // 2 % 2, 2)


def test_code_types_may_differ():
    rng = np.random.default_rng(2)
    for r, s, x_type, y_type in [(3, 300, np.uint8, np.uint16), (70_000, 2, np.uint32, np.uint8),
                                 (5, 5, np.uint32, np.uint16)]:
        x, y = rng.integers(r, size=500), rng.integers(s, size=500)
        c = contingency(codes(x, r, x_type), r, codes(y, s, y_type), s)
        assert c.n_cells == len(set(zip(x.tolist(), y.tolist())))
        assert int(c.counts.sum()) == 500


def test_many_clusters_are_sorted_not_tabled():
    """Singletons against singletons: no n^2 cells."""
    n = 2_000 if JIT_OFF else 100_000
    rng = np.random.default_rng(3)
    c = counted(rng.permutation(n), n, rng.permutation(n), n)
    assert c.table is None
    assert c.same_partition
    assert PairCounts.of(c) == PairCounts(n11=0, n10=0, n01=0, n00=n * (n - 1) // 2)
    half = counted(rng.permutation(n) // 2, n, rng.permutation(n), n)
    assert half.y_refines_x
    assert not half.x_refines_y
    assert PairCounts.of(half).n10 == n // 2


def test_both_ways_agree(monkeypatch):
    rng = np.random.default_rng(4)
    x, y = rng.integers(30, size=3000), rng.integers(20, size=3000)
    dense = contingency(codes(x, 30), 30, codes(y, 20), 20)
    monkeypatch.setattr(counting, "fits", lambda cells, n: False)
    listed = contingency(codes(x, 30), 30, codes(y, 20), 20)
    assert listed.table is None
    for name in ("rows", "cols", "counts", "a", "b", "n_cells", "squares"):
        np.testing.assert_array_equal(getattr(dense, name), getattr(listed, name))
    np.testing.assert_array_equal(dense.dense(), listed.dense())


@pytest.mark.parametrize("clusters", [3, 10, 60, 400])
def test_threads_do_not_matter(threads, clusters):
    n = 10_000 if JIT_OFF else 3_000_000
    rng = np.random.default_rng(clusters)
    x, y = (codes(rng.integers(clusters, size=n), clusters) for _ in range(2))
    tables = []
    for count in (1, 4):
        threads(count)
        tables.append(contingency(x, clusters, y, clusters).dense())
    np.testing.assert_array_equal(*tables)
    np.testing.assert_array_equal(
        tables[0].ravel(), np.bincount(x.astype(int) * clusters + y, minlength=clusters**2))


@settings(max_examples=50, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), min_size=1, max_size=40))
def test_any_codes(pairs):
    x, y = zip(*pairs)
    counted(x, 5, y, 7)


# -- labels that are never coded --------------------------------------------------------------


def same_contingency(c, expected):
    for name in ("n", "r", "s", "n_cells", "squares"):
        assert getattr(c, name) == getattr(expected, name)
    for name in ("a", "b", "rows", "cols", "counts"):
        np.testing.assert_array_equal(getattr(c, name), getattr(expected, name))


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize(("low", "clusters", "step"), [
    (0, 3, 1), (-5, 10, 1), (7, 60, 3), (10**9, 300, 1), (-(2**31), 2, 1), (2**31 - 4, 4, 1),
    (0, 20, 10**6)])
def test_labels_count_as_their_codes(dtype, low, clusters, step, monkeypatch):
    """Offsets, gaps, the ends of a type; the last has too many cells and returns None."""
    monkeypatch.setattr(counting, "LABELS_FROM", 2)
    n = 9_000 if JIT_OFF else 70_001
    rng = np.random.default_rng(clusters)
    x, y = (rng.integers(clusters, size=n) * step + low for _ in range(2))
    x, y = x.astype(dtype), y.astype(dtype)
    found = Contingency.of_labels(x, y)
    if step == 10**6:
        assert found is None
    else:
        same_contingency(found, sc.Joint(x, y).contingency)
    assert sc.pair_counts(x, y) == sc.pair_counts(sc.Joint(x, y))


@pytest.mark.parametrize("rare", [-1, 11, 2**40, -(2**63), 2**63 - 1])
@pytest.mark.parametrize("side", [0, 1])
def test_a_rare_label_that_no_sample_shows(rare, side, monkeypatch):
    monkeypatch.setattr(counting, "LABELS_FROM", 2)
    n = 2 * 16384 + 5
    sides = [np.arange(n) % 7, np.arange(n) % 11]
    sides[side][16384] = rare
    found = Contingency.of_labels(*sides)
    assert (found is None) == (abs(rare) > 11)
    if found is not None:
        same_contingency(found, sc.Joint(*sides).contingency)
    assert sc.pair_counts(*sides) == sc.pair_counts(sc.Joint(*sides))


def test_labels_are_read_directly_only_when_plain(monkeypatch):
    """Labels of other types have the same value, and what is no label has its message."""
    monkeypatch.setattr(counting, "LABELS_FROM", 2)
    plain = np.arange(6) % 2
    assert sc.rand_index(plain, plain) == 1.0
    others = (plain.tolist(), plain.astype(float), plain[::-1], plain.astype(np.uint8),
              plain.astype(">i8"))
    for other in others:
        assert sc.rand_index(plain, other) == sc.rand_index(other, plain) == 1.0
    with pytest.raises(sc.ClusteringError, match="missing"):
        sc.rand_index(plain, np.ma.array(plain, mask=[1, 0, 0, 0, 0, 0]))
    with pytest.raises(sc.ClusteringError, match="x has 6 objects and y has 5"):
        sc.rand_index(plain, plain[:5])
    with pytest.raises(sc.ClusteringError, match=r"y has 3|y: .*shape \(3, 2\)"):
        sc.rand_index(plain, np.arange(6).reshape(3, 2))
    with pytest.raises(sc.ClusteringError, match="1 object"):
        sc.rand_index(plain[:1], plain[:1])


# -- exact counts ----------------------------------------------------------------------------


def exact_pairs(table):
    """Pair counts in Python integers."""
    table = [[int(v) for v in row] for row in table]
    n = sum(map(sum, table))
    joined = [v * (v - 1) // 2 for row in table for v in row]
    in_x = [sum(row) for row in table]
    in_y = [sum(column) for column in zip(*table)]
    n11 = sum(joined)
    n10 = sum(v * (v - 1) // 2 for v in in_x) - n11
    n01 = sum(v * (v - 1) // 2 for v in in_y) - n11
    return sc.PairCounts(n11=n11, n10=n10, n01=n01, n00=n * (n - 1) // 2 - n11 - n10 - n01)


@pytest.mark.parametrize("table", [
    [[10**9]],
    [[5 * 10**8, 1], [1, 5 * 10**8 - 2]],
    [[333_333_333, 166_666_667], [250_000_001, 249_999_999]],
    [[2**31 - 1, 2**31 - 1], [7, 2**31 - 1]],       # beyond int64 sums of squares
    [[10**9, 10**9, 10**9], [10**9, 0, 10**9]],
    [[3_037_000_498, 1]], [[3_037_000_499, 1]],      # the last that fits, the first that does not
    [[10**12, 10**12]],
])
def test_pair_counts_are_exact(table):
    c = contingency_from_table(np.array(table))
    assert PairCounts.of(c) == exact_pairs(table)
    assert all(type(getattr(PairCounts.of(c), f)) is int for f in ("n11", "n10", "n01", "n00"))
    assert c.n == sum(map(sum, table))
    assert c.a.tolist() == [sum(row) for row in table]
    assert c.b.tolist() == [sum(column) for column in zip(*table)]


def test_a_table_gives_what_its_objects_give():
    rng = np.random.default_rng(5)
    x, y = rng.integers(4, size=90), rng.integers(6, size=90)
    c = contingency(codes(x, 4), 4, codes(y, 6), 6)
    again = contingency_from_table(c.dense())
    assert PairCounts.of(again) == PairCounts.of(c)
    assert again.n_cells == c.n_cells


@pytest.mark.parametrize(("table", "message"), [
    ([1, 2], "two-dimensional array of integers"),
    ([[0.5]], "two-dimensional array of integers"),
    ([[0, 0]], "not all of them zero"),
    ([[1, -1]], "counts >= 0"),
])
def test_bad_tables_are_refused(table, message):
    with pytest.raises(sc.ClusteringError, match=message):
        contingency_from_table(np.array(table))


def test_a_huge_dense_table_is_refused():
    n = 20_000
    x = np.arange(n)
    c = contingency(codes(x, n), n, codes(x, n), n)
    with pytest.raises(sc.ClusteringError, match=r"400000000 cells, .* the 20000 non-zero"):
        c.dense()


def test_more_cells_than_numbers_are_refused():
    x = np.zeros(3, np.uint32)
    with pytest.raises(sc.ClusteringError, match="leave out empty clusters"):
        contingency(x, 1 << 32, x, 1 << 32)


def test_repr_is_short():
    c = sc.Joint([0, 0, 1], [0, 1, 1]).contingency
    assert repr(c) == "Contingency(n=3, r=2, s=2, n_cells=3)"
    with pytest.raises(AttributeError):
        c.n = 4
