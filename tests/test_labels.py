"""Labels of every type to codes and names, and labels that are refused."""

import array
import collections
import enum
import os

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

import softclust as sc
from softclust.clusterings import labels
from softclust.clusterings.labels import label_codes

JIT_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
INTEGERS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
#: without JIT a kernel takes about a microsecond an object and pass
MANY = 3000 if JIT_OFF else 200_000


def check_codes(given_labels, expected=None):
    """Codes are ranks among the sorted distinct labels; names are these.

    Also where kernels code the few labels that numpy would sort.
    """
    few = labels.FEW
    for labels.FEW in (0, few):
        check_one_way(given_labels, expected)


def check_one_way(given_labels, expected):
    codes, count, names = label_codes(given_labels)
    plain = np.asarray(given_labels) if expected is None else np.asarray(expected)
    distinct, ranks = np.unique(plain, return_inverse=True)
    np.testing.assert_array_equal(codes, ranks.reshape(-1))
    assert count == len(distinct)
    assert list(range(count) if names is None else names) == distinct.tolist()
    assert codes.dtype == np.min_scalar_type(count - 1)
    assert codes.flags.owndata
    if names is not None:
        assert all(not isinstance(v, np.generic) for v in names)
        assert any(type(v) is not int for v in names) or list(names) != list(range(count))


# -- integer labels -------------------------------------------------------------------------------


RANGES = (
    (0, 0), (0, 3), (5, 5), (3, 9), (0, 63), (0, 64), (0, 200), (0, 255), (-1, 4), (-128, 127),
    (0, 256), (0, 1000), (-40, 300), (0, 70_000), (10**6, 10**6 + 50), (-(2**31), 2**31 - 1),
    (2**32, 2**32 + 3), (2**63, 2**63 + 5), (2**63 - 3, 2**63 + 3), (2**64 - 5, 2**64 - 1),
    (-(2**63), -(2**63) + 5), (-(2**63), 2**63 - 1), (0, 2**64 - 1),
)


@pytest.mark.parametrize(("dtype", "low", "high"), [
    pytest.param(dtype, low, high, id=f"{dtype.__name__} {low} to {high}")
    for dtype in INTEGERS for low, high in RANGES
    if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max])
def test_integer_labels(dtype, low, high):
    rng = np.random.default_rng(high % 1000)
    n = 600 if JIT_OFF else 20_000
    pool = rng.integers(low, high, size=300, dtype=dtype, endpoint=True)
    for given_labels in (pool[rng.integers(300, size=n)],
                         rng.integers(low, high, size=n, dtype=dtype, endpoint=True)):
        check_codes(given_labels)
    with_gaps = pool[:3][rng.integers(3, size=50)]
    check_codes(with_gaps)
    check_codes(pool[:1])


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda d: d.__name__)
def test_extremes_of_a_dtype_after_quiet_blocks(dtype):
    """What the first block suggests must not decide for later ones."""
    info = np.iinfo(dtype)
    base = np.zeros(2 * 16384 + 5, dtype=dtype)
    base[::2] = 1
    for place in (0, 16384, -1):
        for value in (info.min, info.max, info.max - 1, 7):
            changed = base.copy()
            changed[place] = value
            check_codes(changed)
    for edge in (info.min, info.max):
        changed = np.full(16390, edge, dtype=dtype)
        changed[-1] = info.max if edge == info.min else info.min
        check_codes(changed)


@pytest.mark.parametrize("low", [0, -5, 10**9])
@pytest.mark.parametrize("width", [255, 256, 65_535, 65_536])
def test_a_rare_label_that_no_sample_shows(low, width):
    """The type of the codes is chosen from the two ends and every hundredth label or so."""
    n = 2 * 16384 + 5
    usual = np.array([0, width // 2, width])[np.arange(n) % 3] + low
    for rare in (low - 1, low + 1, low + width + 1, -(2**63), 2**63 - 1):
        changed = usual.copy()
        changed[16384] = rare
        check_codes(changed)


@given(st.lists(st.one_of(st.integers(-2, 2), st.integers(-(2**63), 2**63 - 1),
                          st.integers(250, 260), st.integers(65530, 65540)),
                min_size=1, max_size=30))
def test_any_integers(values):
    check_codes(np.array(values, dtype=np.int64))
    check_codes(values, np.array(values, dtype=np.int64))


def test_many_distinct_labels_in_a_wide_range():
    n = 2000 if JIT_OFF else 150_000   # above the size of the hash table
    rng = np.random.default_rng(0)
    check_codes(rng.integers(-(2**62), 2**62, size=n))
    check_codes(np.arange(n, dtype=np.int64) << 40)


def test_collisions_fall_back_to_sorting():
    """Labels made to crowd a few neighbouring slots of the hash table."""
    from softclust.clusterings import _kernels
    kernels = _kernels.coding
    candidates = np.arange(400_000 if JIT_OFF else 2_000_000, dtype=np.uint64)
    mixed = candidates * np.uint64(1327217885)
    mixed ^= mixed >> np.uint64(31)
    place = (mixed >> np.uint64(14)) & np.uint64(kernels.SLOTS - 1)
    crowd = candidates[place < 1000].astype(np.int64)
    check_codes(np.append(crowd, 2**50))
    if not JIT_OFF:   # millions of steps, at which the kernel gives up
        slots = np.full(kernels.SLOTS, -1, dtype=np.int32)
        values = np.empty(kernels.MAX_DISTINCT, dtype=np.uint64)
        codes = np.empty(crowd.size, dtype=np.uint16)
        assert kernels.code_by_hash(crowd.view(np.uint64), codes, values, slots) == -1


def test_fallback_gives_the_same_as_the_hash_table(monkeypatch):
    from softclust.clusterings import _kernels
    given_labels = np.random.default_rng(1).integers(2**40, 2**60, size=2000)
    before = label_codes(given_labels)
    monkeypatch.setattr(_kernels.coding, "code_by_hash", lambda *a: -1)
    after = label_codes(given_labels)
    np.testing.assert_array_equal(before[0], after[0])
    assert before[0].dtype == after[0].dtype
    assert before[1:] == after[1:]


@pytest.mark.parametrize("form", [
    lambda v: np.repeat(v, 2)[::2], lambda v: v[::-1][::-1], lambda v: v.astype(">i8"),
    lambda v: v.astype(">i2"), lambda v: np.asfortranarray(np.column_stack([v, v]))[:, 1],
    lambda v: np.column_stack([v, v])[:, 0], lambda v: np.ma.masked_array(v),
    lambda v: v.tolist(), lambda v: tuple(v.tolist()), lambda v: array.array("l", v.tolist()),
    lambda v: collections.deque(v.tolist()), lambda v: collections.UserList(v.tolist()),
    pd.Series, pd.Index, pd.array, lambda v: pd.Series(v, dtype="Int64"),
    lambda v: pd.Series(v, dtype="int32[pyarrow]"), lambda v: pd.Series(v, dtype="Sparse[int]"),
    lambda v: v.astype(float), lambda v: v.astype(np.float16), lambda v: v.astype(object),
    lambda v: v.astype(float).tolist(), lambda v: pd.Series(v, dtype="Float64"), pa.array,
    lambda v: pa.chunked_array([v[:2], v[2:]]), lambda v: list(v),
])
def test_integers_of_every_make(form):
    plain = np.array([3, 1, 3, -1, 2])
    x = sc.HardClustering(form(plain))
    assert x.labels.tolist() == [3, 1, 3, 0, 2]
    assert x.cluster_names == (-1, 1, 2, 3)
    assert all(type(v) is int for v in x.cluster_names)
    assert sc.as_clustering(form(plain)) == x


def test_ranges():
    assert sc.HardClustering(range(3)).labels.tolist() == [0, 1, 2]


def test_integers_beyond_64_bits():
    x = sc.HardClustering([2**70, -1, 2**70])
    assert x.labels.tolist() == [1, 0, 1]
    assert x.cluster_names == (-1, 2**70)
    assert sc.HardClustering([2**64 - 1, 0]).cluster_names == (0, 2**64 - 1)


def test_declared_codes():
    assert label_codes(np.array([0, 5], dtype=np.int64), 300)[0].dtype == np.uint16
    assert label_codes([1.0, 0.0], 2)[0].tolist() == [1, 0]
    for given_labels in ([0, 3], [-1, 0]):
        with pytest.raises(sc.ClusteringError, match="with n_clusters=3 they must lie in 0 to 2"):
            sc.HardClustering(given_labels, n_clusters=3)
    for given_labels in (["a", "b"], [True, False], pd.Categorical([0, 1])):
        with pytest.raises(sc.ClusteringError, match="must be codes 0 to 1"):
            sc.HardClustering(given_labels, n_clusters=2)
    with pytest.raises(sc.ClusteringError, match="n_clusters is 0"):
        sc.HardClustering([0], n_clusters=0)
    for bad in (2.0, "2", True):
        with pytest.raises(TypeError, match=r"n_clusters is .* a whole number"):
            sc.HardClustering([0], n_clusters=bad)


def test_threads_do_not_matter():
    rng = np.random.default_rng(3)
    n = 40_000 if JIT_OFF else 6_000_000
    cases = [rng.integers(7, size=n), rng.integers(1000, size=n) - 5]
    try:
        results = []
        for threads in (1, 8):
            sc.set_num_threads(threads)
            results.append([label_codes(v) for v in cases])
    finally:
        sc.set_num_threads(None)
    for one, eight in zip(*results):
        np.testing.assert_array_equal(one[0], eight[0])
        assert one[1:] == eight[1:]


def test_a_million_labels():
    rng = np.random.default_rng(4)
    for plain in (rng.integers(5, size=5 * MANY), rng.integers(5, size=5 * MANY) - 1):
        check_codes(plain)
    names = np.array(["north", "south", "east"])[rng.integers(3, size=MANY)]
    check_codes(names)


# -- other labels ---------------------------------------------------------------------------------


class Colour(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


@pytest.mark.parametrize("form", [
    list, np.array, lambda v: np.array(v, dtype=object), pd.Series, pd.Index,
    lambda v: pd.Series(v, dtype="string"), lambda v: pd.Series(v, dtype="string[pyarrow]"),
    lambda v: pd.Series(v, dtype=object), pa.array, lambda v: list(np.array(v)),
    lambda v: list(map(Colour, v)), lambda v: collections.deque(v),
    lambda v: pa.array(v).dictionary_encode(),
])
def test_strings_of_every_make(form):
    x = sc.HardClustering(form(["red", "blue", "red"]))
    assert x.labels.tolist() == [1, 0, 1]
    assert x.cluster_names == ("blue", "red")
    assert all(type(v) is str for v in x.cluster_names)


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="numpy 2 has it")
def test_variable_width_strings():
    given_labels = np.array(["b", "a"], dtype=np.dtypes.StringDType())
    assert sc.HardClustering(given_labels).cluster_names == ("a", "b")


def test_bytes():
    assert sc.HardClustering([b"b", b"a"]).cluster_names == (b"a", b"b")
    assert sc.HardClustering(np.array([b"b", b"a"])).labels.tolist() == [1, 0]


@pytest.mark.parametrize("form", [
    list, np.array, pd.Series, lambda v: pd.Series(v, dtype="boolean"),
    lambda v: pd.Series(v, dtype="bool[pyarrow]"), lambda v: np.array(v, dtype=object), pa.array,
])
def test_booleans_of_every_make(form):
    x = sc.HardClustering(form([True, False, True]))
    assert x.labels.tolist() == [1, 0, 1]
    assert x.cluster_names == (False, True)
    assert all(type(v) is bool for v in x.cluster_names)
    assert sc.HardClustering(form([True, True])).cluster_names == (True,)
    assert sc.as_clustering(form([True, False, True])) == x


def test_nul_names_are_strings():
    assert sc.HardClustering(["nan", "None", "nan"]).cluster_names == ("None", "nan")


@pytest.mark.parametrize("holder", [
    lambda c: c, pd.Series, pd.CategoricalIndex, lambda c: pd.Series(c, index=[7, 8, 9, 10])])
def test_categoricals_keep_their_order(holder):
    c = pd.Categorical(["low", "high", "low", "mid"], ["low", "unused", "mid", "high"])
    x = sc.HardClustering(holder(c))
    assert x.cluster_names == ("low", "mid", "high")
    assert x.labels.tolist() == [0, 2, 0, 1]


def test_categoricals_of_numbers():
    x = sc.HardClustering(pd.Categorical([1, 0, 1], [1, 0]))
    assert x.cluster_names == (1, 0)
    assert x.labels.tolist() == [0, 1, 0]
    x = sc.HardClustering(pd.cut([1, 5, 9], [0, 3, 6, 10]))
    assert x.n_clusters == 3
    many = pd.Categorical.from_codes(np.arange(400) % 300, range(300))
    assert sc.HardClustering(many).n_clusters == 300


def test_series_names():
    assert sc.HardClustering(pd.Series([0, 1], index=["a", "b"])).object_names == ("a", "b")
    assert sc.HardClustering(pd.Series([0, 1])).object_names is None
    assert sc.as_clustering(pd.Series([0, 1], index=[3, 4])).object_names == (3, 4)
    days = pd.Series([0, 1], index=pd.date_range("2024-01-01", periods=2))
    assert sc.HardClustering(days).object_names[1].day == 2


NA = [None, float("nan"), np.nan, pd.NA, pd.NaT, np.float64("nan")]


@pytest.mark.parametrize("missing", NA, ids=["None", "nan", "np.nan", "NA", "NaT", "float64"])
@pytest.mark.parametrize("values", [["a", "b"], [0, 1], [0.0, 1.0], [True, False]])
@pytest.mark.parametrize("form", [list, lambda v: np.array(v, dtype=object),
                                  lambda v: pd.Series(v, dtype=object), collections.deque])
def test_missing_labels(missing, values, form):
    with pytest.raises(sc.ClusteringError,
                       match=r"2 labels are missing \(the first is labels\[2\]\); every object"):
        sc.HardClustering(form([*values, missing, values[0], missing]))


@pytest.mark.parametrize("given_labels", [
    pd.Series([0, None, 1], dtype="Int64"), pd.Series(["a", None, "b"], dtype="string"),
    pd.Series([True, None, False], dtype="boolean"), pd.Categorical(["a", None, "b"]),
    pd.Series(["a", None, "b"]).astype("category"), pd.Series([0, None, 1], dtype="int64[pyarrow]"),
    pd.Series(["a", None, "b"], dtype="string[pyarrow]"), pd.Series([0.0, np.nan, 1.0]),
    pa.array([0, None, 1]), pa.array(["a", None, "b"]), np.array([0.0, np.nan, 1.0]),
    np.ma.masked_array([0, 1, 2], [False, True, False]),
    np.ma.masked_array(["a", "b", "c"], [False, True, False]),
])
def test_missing_labels_of_libraries(given_labels):
    with pytest.raises(sc.ClusteringError, match=r"1 label is missing \(the first is labels\[1\]"):
        sc.HardClustering(given_labels)


@pytest.mark.parametrize(("given_labels", "message"), [
    ([], "labels is empty; at least one object"),
    (np.array([], dtype=int), "labels is empty"),
    (pd.Series([], dtype="category"), "labels is empty"),
    (np.array(3), r"labels has shape \(\)"),
    ([[0, 1], [1, 0]], "labels is a nested list; .*FuzzyClustering"),
    (np.eye(2), r"labels has shape \(2, 2\); one dimension"),
    (np.zeros((3, 1), dtype=int), r"shape \(3, 1\); .*labels.ravel\(\) makes it one"),
    (pd.DataFrame({"a": [1]}), r"labels is a DataFrame .*frame\['name'\]"),
    ("aab", "labels is of type str; a list or array"),
    ({0: 1}, "labels is of type dict; a list or array"),
    ({0, 1}, "labels is of type set; a list or array"),
    ((v for v in [0, 1]), "labels is of type generator; a list or array"),
    (3, "labels is of type int; a list or array"),
    (None, "labels is of type NoneType; a list or array"),
    (scipy.sparse.eye(2), "labels is of type dia_.*; a list or array"),
    ([0, 1.5], r"labels\[1\] is 1.5; float labels must be whole"),
    (np.array([0.0, np.inf]), r"labels\[1\] is inf; float labels"),
    ([2.0**53, 1.0], r"labels\[0\] is 9007199254740992; .*below 2\*\*53"),
    ([2**53 + 1, 0.0], "float labels must be whole numbers below"),
    (["a", 1], r"labels are a mixture of int, str; .*\[str\(v\) for v in labels\]"),
    (np.array(["a", 1], dtype=object), "mixture of int, str"),
    (pd.Series(["a", 1]), "mixture of int, str"),
    ([True, 1], "mixture of bool, int"),
    ([True, 1.0], "mixture of bool, float"),
    (["a", b"a"], "mixture of bytes, str"),
    ([1j, 2], "mixture of complex, int"),
    (np.array([1j]), "labels are of dtype complex128"),
    (np.array(["2024-01-01"], dtype="M8[D]"), r"dates or durations; .*labels.astype\(str\)"),
    ([object()], "labels are of type object"),
    ([{"a": 1.0}], "labels are of type dict"),
])
def test_labels_refused(given_labels, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.HardClustering(given_labels)
