"""`compare_settings`: golden values, the design, families, answers, messages."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from naive import settings as naive
from naive.evidence import separation
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import softclust as sc
from softclust.cli import main
from softclust.selection import half_samples
from softclust.selection.half_samples import BLOCKS, HalvesError, design
from softclust.selection.settings import (
    ClustererSetting,
    _remarks,
    of_as_many,
    p_of_largest,
    read_settings,
)

CASES = json.loads((Path(__file__).parent / "golden" / "settings.json").read_text())["cases"]
VALUES = [case for case in CASES if "stability" in case["expected"]]


# -- rules of the stored cases ----------------------------------------------------------------
def cut(x, places):
    return np.searchsorted(np.sort(places), x[:, 0], side="left")


def largest_gaps(x, k):
    v = np.sort(x[:, 0])
    chosen = np.argsort(-np.diff(v), kind="stable")[:k - 1]
    return cut(x, (v[chosen] + v[chosen + 1]) / 2)


def gaps_over(x, u, least):
    v = np.sort(x[:, 0])
    wide = np.flatnonzero(np.diff(v) > u)
    parts = cut(x, (v[wide] + v[wide + 1]) / 2)
    large = [part for part in np.unique(parts) if (parts == part).sum() >= least]
    return np.array([large.index(part) if part in large else -1 for part in parts])


def equal_counts(x, k):
    rank = np.empty(len(x), int)
    rank[np.argsort(x[:, 0], kind="stable")] = np.arange(len(x))
    return rank * k // len(x)


RULES = {"largest_gaps": (largest_gaps, ["k"]), "gaps_over": (gaps_over, ["u", "least"]),
         "equal_counts": (equal_counts, ["k"]),
         "threshold": (lambda x, t: (x[:, 0] > t).astype(int), ["t"]),
         "all_one": (lambda x: np.zeros(len(x), int), []),
         "all_noise": (lambda x: np.full(len(x), -1), [])}


def mapping(given):
    """One grid for each family."""
    settings, made = list(given["settings"].values()), {}
    for family in dict.fromkeys(given["families"]):
        own = [s for s, f in zip(settings, given["families"]) if f == family]
        rule, names = RULES[own[0]["rule"]]
        made[str(family)] = rule, {name: list(dict.fromkeys(s["arguments"][j] for s in own))
                                   for j, name in enumerate(names)}
    return made


def compared(case, **options):
    given = case["input"]
    return sc.compare_settings(np.array(given["x"]), mapping(given), blocks=given["blocks"],
                               reference_sets=given["reference_sets"],
                               **{**case["kwargs"], **options})


@pytest.mark.parametrize("case", VALUES, ids=lambda c: c["id"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_stored_values(case):
    found = compared(case)
    for name, value in case["expected"].items():
        own = {"se": found.standard_error, "clusters_of_halves": found.found.mean(axis=1)}.get(
            name) if name in ("se", "clusters_of_halves") else getattr(found, name)
        if name == "plateaus":
            assert [list(plateau) for plateau in own] == value
        elif value is None:
            assert own is None
        else:
            np.testing.assert_allclose(own, np.array(value, dtype=float), atol=1e-9)


@pytest.mark.parametrize("case", [c for c in CASES if "error" in c["expected"]],
                         ids=lambda c: c["id"])
def test_stored_errors(case):
    kind = sc.ClusteringError if case["expected"]["error"] == "ClusteringError" else ValueError
    with pytest.raises(kind) as caught:
        compared(case)
    for word in case["expected"]["words"]:
        assert word in str(caught.value)


# -- the design and its error -----------------------------------------------------------------
@pytest.mark.parametrize("n_blocks", BLOCKS)
def test_halves_are_balanced(n_blocks):
    halves = design(n_blocks)
    assert (halves.sum(axis=1) == n_blocks // 2).all()
    common = halves.astype(int) @ halves.T.astype(int)
    complement = np.arange(len(halves)) ^ 1
    assert (common[np.arange(len(halves)), complement] == 0).all()
    common[np.arange(len(halves)), complement] = n_blocks // 4
    np.fill_diagonal(common, n_blocks // 4)
    assert (common == n_blocks // 4).all()
    # A mean of block values has its own deviations as influences.
    value = np.random.default_rng(0).normal(size=n_blocks)
    means = (halves @ value) / (n_blocks // 2)
    q = n_blocks - 1
    r = np.array([(means.sum() - means[a] - means[a ^ 1]) / (2 * q - 2) + means[a]
                  for a in range(2 * q)]) / 2   # h(a, b): the mean of both
    error = HalvesError.of(halves, r[None], np.zeros((1, 1)))
    np.testing.assert_allclose(error.influence[0] / error.influence[0].std(),
                               (value - value.mean()) / value.std(), atol=1e-10)


def test_the_stored_design():
    case = next(c for c in CASES if c["id"] == "design-8")
    assert [np.flatnonzero(row).tolist() for row in design(8)] == case["expected"]["halves"]
    assert [sorted(half) for half in naive.halves(8)] == case["expected"]["halves"]


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("noise", ["cluster", "singletons"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_values_by_loops(noise, given):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(24, 1)) + 4 * (np.arange(24) % 2)[:, None]
    blocks = np.arange(24) % 8
    sets = rng.normal(size=(5, 24, 1)) * 2
    grid = {"u": [0.3, 0.8, 1.4], "least": [2]}
    drawn = iter(sets)
    found = sc.compare_settings(
        x, gaps_over, grid, blocks=blocks, n_blocks=8, noise=noise, level=0.8, critical=[2, 2, 2],
        **({"reference_sets": sets} if given else
           {"reference": lambda *given: next(drawn), "n_references": 5}))

    def by_object(points, members, u):
        labels = gaps_over(points[members], u, 2)
        return {i: (k if k >= 0 else -1 - i if noise == "singletons" else -1)
                for i, k in zip(members, labels.tolist())}

    halves = [[i for i in range(24) if blocks[i] in half] for half in naive.halves(8)]
    means = [naive.mean_agreements([by_object(x, half, u) for half in halves])
             for u in grid["u"]]
    np.testing.assert_allclose(found.stability, [np.mean(row) for row in means])

    def pairs(points, u):
        labels = [by_object(points, half, u) for half in halves[:4]]
        values = []
        for a, b in ((0, 2), (0, 3), (1, 2), (1, 3)):
            common = sorted(set(labels[a]) & set(labels[b]))
            values.append(naive.adjusted_rand([labels[a][i] for i in common],
                                              [labels[b][i] for i in common]))
        return np.mean(values), np.mean([len({k for k in row.values() if k >= 0})
                                         for row in labels])

    made = [[pairs(points, u) for u in grid["u"]] for points in sets]
    at = [np.mean([row[s][1] for row in made]) for s in range(3)]
    clusters = [np.mean([len(set(gaps_over(x[half], u, 2)) - {-1}) for half in halves])
                for u in grid["u"]]
    one = [[naive.interpolated(clusters[s], [(at[t], row[t][0]) for t in range(3)])
            for s in range(3)] for row in made]
    np.testing.assert_allclose(found.one_cluster, np.mean(one, axis=0))
    np.testing.assert_allclose(found.one_cluster_sets, one)
    for s in range(3):
        for t in range(3):
            if s != t:
                assert found.difference_se[s, t] == pytest.approx(naive.difference_se(
                    means[s], means[t], [row[s] for row in one], [row[t] for row in one], 8))

    def separated(points, u):
        points, labels = points.tolist(), gaps_over(points, u, 2).tolist()
        count = len(set(labels) - {-1})
        if given:   # compared as they are, without noise
            points = [row for row, k in zip(points, labels) if k >= 0]
            labels = [k for k in labels if k >= 0]
        return count, separation(points, naive.with_noise(points, labels)) if count > 1 else 0.0

    np.testing.assert_allclose(found.separation, [separated(x, u)[1] for u in grid["u"]])
    each = [[separated(points, u) for u in grid["u"]] for points in sets]
    assert {count for row in each for count, _ in row} >= {1, 2, 3}
    assert found.n_clusters.tolist() != [count for count, _ in each[0]]
    many = [[naive.as_many(k, row) if k > 1 and not given else row[s][1]
             for s, k in enumerate(found.n_clusters.tolist())] for row in each]
    np.testing.assert_allclose(found.reference_separation, many)
    p, each = naive.p_values(found.separation.tolist(), many)
    assert found.p_value == p
    np.testing.assert_allclose(found.p_values, each)
    assert all(-1 in gaps_over(x, u, 2) for u in grid["u"])   # noise: no p by the stability
    if given:
        stable = naive.p_values(found.stability.tolist(), [[v for v, _ in row] for row in made])
        assert found.p_value_stability == stable[0]
        np.testing.assert_allclose(found.p_values_stability, stable[1])
    else:
        assert found.p_value_stability is None
        assert np.isnan(found.p_values_stability).all()


def test_failed_references_count_as_larger():
    p, each = p_of_largest(np.array([1.0, 2.0]), np.array([[0.0, 0.0], [np.nan, 0.1]]))
    assert p == 2 / 3
    assert each.tolist() == [2 / 3, 2 / 3]


def test_references_are_cut_into_as_many_clusters():
    """A distance is right for the data, not for data of one cluster: of 20 Gaussian clouds 12 had
    p <= .05 when the references were cut at the same distance, mostly into one cluster."""
    of_references = np.array([[5, 2, 1, 4], [1, 1, 1, 4]])
    apart = np.array([[0.3, 0.5, 0.0, 0.9], [0.0, 0.0, 0.0, 0.8]])
    family, clusters = np.array([0, 0, 0, 3]), np.array([4, 2, 1, 2])
    np.testing.assert_array_equal(
        of_as_many(family, clusters, of_references, apart),
        [[0.3, 0.5, 0.0, 0.9], [np.nan, np.nan, 0.0, 0.8]])
    p, each = p_of_largest(np.array([np.nan, 1.0]), np.array([[0.0, 0.5], [0.0, np.nan]]))
    assert (p, each[1]) == (2 / 3, 2 / 3)
    assert np.isnan(each[0])
    assert p_of_largest(np.array([np.nan]), np.zeros((3, 1)))[0] is None


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_one_cluster_is_never_cut_into_is_not_tested():
    x = np.random.default_rng(2).normal(size=(60, 2))
    x[0] += 20
    cut = AgglomerativeClustering(None, linkage="average")
    found = sc.compare_settings(x, cut, {"distance_threshold": [14.0, 15.0]}, n_blocks=8,
                                n_references=19, rng=0)
    assert found.n_clusters.tolist() == [2, 2]
    assert found.p_value is None
    assert found.best is None
    assert found.notes[-1].startswith("distance_threshold=14 and distance_threshold=15: no p-value")
    assert "without a p-value" in found.answer
    assert "nan" not in str(found)


def test_plateaus_agree_with_all_before(monkeypatch):
    from softclust.selection.settings import _plateaus
    chain = np.array([[1, 0.96, 0.9, 0], [0.96, 1, 0.96, 0], [0.9, 0.96, 1, 0], [0, 0, 0, 1]])
    assert _plateaus(chain, 0.95) == ((0, 1), (2,), (3,))


def test_equal_numbers_of_clusters_are_averaged():
    made = half_samples.of_one_cluster(np.zeros(3, int), np.array([2.0, 3.0, 9.0]),
                                       np.array([2.0, 2.0, 4.0]), np.array([[0.2, 0.4, 0.8]]))
    np.testing.assert_allclose(made, [[0.3, 0.55, 0.8]])


# -- settings ---------------------------------------------------------------------------------
def test_names_and_families():
    settings = read_settings({
        "k-means": (KMeans(), {"n_clusters": [2, 3]}),
        "agglomerative": (AgglomerativeClustering(), {"linkage": ["ward", "average"],
                                                      "n_clusters": [2, 3]}),
        "HDBSCAN": HDBSCAN()}, None, ["min_cluster_size"])
    assert [s.name for s in settings] == [
        "k-means, n_clusters=2", "k-means, n_clusters=3",
        "agglomerative, linkage=ward, n_clusters=2", "agglomerative, linkage=ward, n_clusters=3",
        "agglomerative, linkage=average, n_clusters=2",
        "agglomerative, linkage=average, n_clusters=3", "HDBSCAN"]
    assert [s.family for s in settings] == [0, 0, 2, 2, 4, 4, 6]
    assert settings[-1].scaled == {"min_cluster_size": 5}
    pipe = make_pipeline(StandardScaler(), KMeans(n_init=1))
    assert [s.name for s in read_settings(pipe, {"kmeans__n_clusters": [2, 3]}, ())] == [
        "kmeans__n_clusters=2", "kmeans__n_clusters=3"]


def test_scaled_parameters_are_half_as_large_in_halves():
    seen = []

    def clusterer(x, size):
        seen.append((len(x), size))
        return largest_gaps(x, 2)

    x = np.arange(24.0)[:, None]**2
    sc.compare_settings(x, clusterer, {"size": [2, 9]}, scaled="size", n_blocks=8,
                        reference_sets=[x] * 4, level=0.8)
    assert set(seen) == {(24, 2), (24, 9), (12, 2), (12, 5)}


THREE = 5 * np.array([[0, 0], [1, 0], [0.5, 0.866]])[np.arange(96) % 3] + (
    np.random.default_rng(0).normal(size=(96, 2)))
QUICK = {"n_blocks": 12, "n_references": 19}


@pytest.fixture(scope="module")
def three():
    return sc.compare_settings(THREE, KMeans(), {"n_clusters": [2, 3, 4]}, rng=0, **QUICK)


def test_three_clusters_are_the_best(three):
    assert three.best_name == "n_clusters=3"
    assert 1 in three.possibly_best
    assert 2 not in three.possibly_best
    assert three.p_value == 0.05
    assert three.answer.startswith("2 of 3 settings may be best: n_clusters=2, 3; n_clusters=3 "
                                   "is the most reproducible beyond one cluster, with an excess "
                                   "of 0.")
    assert three.to_frame()["best"].tolist() == [False, True, False]
    assert three.runs("n_clusters=3").n_runs == 22
    assert str(three.summary()).startswith("2 of 3 settings may be best: n_clusters=2, 3 (95 %); "
                                           "n_clusters=3 is the best guess")
    assert (three.low < three.excess).all()
    assert three.order == tuple(sorted(range(3), key=lambda s: -three.excess[s]))


def test_same_bits_and_the_first_references(three):
    with ThreadPoolExecutor(2) as pool:
        again = sc.compare_settings(THREE, KMeans(), {"n_clusters": [2, 3, 4]}, rng=0,
                                    executor=pool, n_blocks=12, n_references=21)
    np.testing.assert_array_equal(again.stability, three.stability)
    np.testing.assert_array_equal(again.reference_separation[:19], three.reference_separation)
    np.testing.assert_array_equal(again.references, three.references)


def test_moved_and_scaled_data_give_the_same(three):
    again = sc.compare_settings(3 * THREE + 100, KMeans(), {"n_clusters": [2, 3, 4]}, rng=0,
                                **QUICK)
    np.testing.assert_array_equal(again.labels, three.labels)
    np.testing.assert_allclose(again.excess, three.excess, atol=1e-9)
    assert again.p_value == three.p_value


def test_clusterers_get_rows_in_the_kind_that_is_given(three):
    frame = pd.DataFrame(THREE, columns=["a", "b"], index=[f"i{k}" for k in range(96)])

    def clusterer(rows, n_clusters):
        assert list(rows.columns) == ["a", "b"]
        return KMeans(n_clusters, n_init=2, random_state=0).fit_predict(rows)

    found = sc.compare_settings(frame, clusterer, {"n_clusters": [3, 4]}, rng=0, **QUICK)
    assert found.stability[0] == pytest.approx(three.stability[1], abs=0.02)
    assert found.runs("n_clusters=3").object_names == tuple(frame.index)


def test_scikit_learn_and_the_compiled_kmeans_agree(three):
    class Own(KMeans):
        """Not replaced by the compiled one."""

    found = sc.compare_settings(THREE, Own(n_init=3), {"n_clusters": [2, 3, 4]}, rng=0, **QUICK)
    assert found.best == 1
    assert sc.adjusted_rand_index(found.labels[1], three.labels[1]) == 1
    assert found.stability[1] == pytest.approx(three.stability[1], abs=0.02)


def test_one_cluster():
    rng = np.random.default_rng(1)
    found = sc.compare_settings(rng.normal(size=(80, 2)) * [3, 1], KMeans(),
                                {"n_clusters": [2, 3]}, rng=0, **QUICK)
    assert found.best is None
    assert found.separated is None
    assert found.answer.startswith("No setting is better than one cluster (p = ")
    same = sc.compare_settings(THREE, KMeans(), {"n_clusters": [2, 3]}, rng=0, n_blocks=12,
                               reference_sets=[THREE] * 19)
    assert same.p_value == 1.0


def test_what_finds_nothing_never_wins():
    with pytest.warns(UserWarning, match="1 of 2 settings found one cluster in X: one"):
        found = sc.compare_settings(THREE, {"one": lambda x: [0] * len(x), "k": (KMeans(), {
            "n_clusters": [3]})}, rng=0, significance=0.5, **QUICK)
    assert found.excess[0] == 0.0
    assert "1 of 2 settings found one cluster in X: one" in found.notes


def test_stability_as_evidence(three):
    found = sc.compare_settings(THREE, KMeans(), {"n_clusters": [2, 3, 4]}, rng=0,
                                evidence="stability", **QUICK)
    assert found.p_value == three.p_value
    assert found.p[0] == found.p_value_stability
    assert "p is valid unless features are strongly skewed and correlated" in found.notes


def test_copies_have_no_p_value():
    x = np.repeat(np.round(np.random.default_rng(1).normal(size=(40, 2)), 1), 3, axis=0)
    with pytest.warns(UserWarning, match="82 of 120 rows repeat others"):
        found = sc.compare_settings(x, KMeans(n_init=2), {"n_clusters": [2, 3]}, n_blocks=12,
                                    n_references=19, rng=0)
    assert found.p_value is None
    assert found.best is None
    assert "without a p-value" in found.answer
    assert "make p too small" in found.notes[1]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_noise_has_no_p_by_the_stability():
    """Of 12 clouds with long tails (t with 3 degrees of freedom) DBSCAN had p <= .05 in 12."""
    x = np.random.default_rng(1).standard_t(3, (60, 2))
    found = sc.compare_settings(x, DBSCAN(min_samples=4), {"eps": [0.5, 0.8]}, n_blocks=8,
                                n_references=19, evidence="stability", rng=0)
    assert found.n_noise.min() > 0
    assert found.p == (None, pytest.approx([np.nan, np.nan], nan_ok=True))
    assert found.best is None
    assert "settings with noise have no p-value by the stability" in str(found.notes)


def test_groups_have_no_p_value():
    groups = np.repeat(np.arange(24), 4)
    found = sc.compare_settings(THREE, KMeans(), {"n_clusters": [2, 3]}, groups=groups, rng=0,
                                **QUICK)
    assert found.p_value is None
    assert found.best is None
    assert found.answer.startswith("1 of 2 settings may be best: n_clusters=3; n_clusters=3 is the "
                                   "most reproducible beyond one cluster, with an excess of ")
    assert "), without a p-value" in found.answer
    found = replace(found, n_clusters=np.ones(2, np.int64))
    assert "found one cluster: no best guess" in found.answer
    assert "references have no groups" in found.notes[-1]
    for group in range(24):
        assert np.unique(found.blocks[groups == group]).size == 1


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_setting_that_fails_is_left_out():
    def clusterer(x, k):
        if k == 3 and len(x) < 90:
            raise ValueError("too few")
        return largest_gaps(x, k)

    found = sc.compare_settings(THREE, clusterer, {"k": [2, 3, 4]}, rng=0, **QUICK)
    assert found.names == ("k=2", "k=4")
    assert found.notes[0] == "k=3 is left out, since it failed on half 0: ValueError: too few"
    with pytest.raises(sc.ClusteringError, match="1 of 2 settings could be fitted"):
        sc.compare_settings(THREE, clusterer, {"k": [2, 3]}, rng=0, **QUICK)
    with pytest.raises(sc.ClusteringError, match=r"k=4 .* failed on X: .*shape \(2,\)"):
        sc.compare_settings(THREE, lambda x, k: [0, 1], {"k": [2, 4]}, rng=0, **QUICK)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("failing", [{7}, {7, 12}])
def test_references_that_cannot_be_clustered(failing):
    """One of 39 counts as more separated than the data; two are more than a twentieth."""
    drawn = []

    def numbered(x, labels, rng):
        drawn.append(len(drawn))
        made = rng.normal(size=x.shape)
        made[:, 1] = drawn[-1]
        return made

    def clusterer(x, k):
        if k == 3 and x[0, 1] in failing:
            raise ValueError("no luck")
        return largest_gaps(x, k)

    def compared():
        return sc.compare_settings(THREE, clusterer, {"k": [2, 3]}, rng=0, n_blocks=12,
                                   n_references=39, reference=numbered)

    if len(failing) == 2:
        with pytest.raises(sc.ClusteringError, match="2 of 39 references could not be clustered "
                                                     "with k=3"):
            compared()
        return
    found = compared()
    assert "references that could not be clustered with k=3: 1; they count as more" in str(
        found.notes)
    assert np.isnan(found.reference_separation).sum() == 1
    assert found.p_value == p_of_largest(found.separation, found.reference_separation)[0] >= 2 / 40


def test_halves_that_find_fewer_clusters_are_told():
    with pytest.warns(UserWarning, match=r"set scaled=\('min_cluster_size',\)"):
        sc.compare_settings(THREE, HDBSCAN(copy=True), {"min_cluster_size": [18, 20]}, rng=0,
                            **QUICK)


@pytest.mark.parametrize(("found", "smallest", "count", "expected"), [
    (5, 5, 30, []), (3, 5, 30, []),
    (6, 5, 30, ["s0 found 4 clusters in X, 6 in halves"]),
    (4, 4, 30, ["a cluster of s0 has 4 objects: the test can hardly count it"]),
    (4, 1, 30, ["a cluster of s0 has 1 object: the test can hardly count it"]),
    (4, 5, 31, ["the set grows with the number of settings"])])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_limits_a_comparison(found, smallest, count, expected):
    """More than a quarter of the clusters, fewer than 5 objects, more than 30 settings."""
    notes, names = [], [f"s{i}" for i in range(count)]
    labels = np.repeat([-1, 0, 1, 2, 3], [2, 9, 8, 7, smallest])[None]
    setting = ClustererSetting(name="s0", parameters={}, clusterer=None, family=0, scaled={})
    _remarks(notes, names, labels.repeat(count, 0), np.full(count, 4),
             np.array([[found] * 3] + [[4] * 3] * (count - 1)), 0, [setting] * count)
    assert notes == expected


def test_an_interrupt_keeps_finished_references():
    def stopping(x, labels, rng):
        stopping.made += 1
        if stopping.made > 20:
            raise KeyboardInterrupt
        return rng.normal(size=x.shape)

    stopping.made = 0
    with pytest.warns(sc.IncompleteWarning):
        found = sc.compare_settings(THREE, KMeans(), {"n_clusters": [2, 3]}, rng=0, n_blocks=12,
                                    n_references=39, reference=stopping)
    assert found.p_value == 1 / 21
    assert found.missing.startswith("interrupted after 20 of 39 references")


def test_charts(three):
    pytest.importorskip("matplotlib")
    ax = three.plot()
    assert len(ax.figure.axes) == 2
    assert sum(line.get_gid() == "best" for line in ax.lines) == 1
    assert three.plot(kind="lines").get_ylabel() == "adjusted Rand index of halves"


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"n_blocks": 10}, ValueError, "n_blocks is 10; balanced halves exist for 8 and 12"),
    ({"n_blocks": 70}, ValueError, "n_blocks is 70; balanced halves exist for 68 and 72"),
    ({"n_blocks": 60}, ValueError, "60 blocks need 120 objects; X has 96: n_blocks=48"),
    ({"blocks": [0, 1]}, sc.ClusteringError, "blocks has 2 entries for 96 objects"),
    ({"blocks": np.arange(96) % 11}, sc.ClusteringError, "no object is in block 11 of 12"),
    ({"groups": np.arange(96) % 5}, sc.ClusteringError, "5 groups cannot be dealt into 12"),
    ({"scaled": ["size"]}, ValueError, "scaled names 'size', which is no parameter"),
    ({"level": 2}, ValueError, "level is 2"),
    ({"same": 1.5}, ValueError, "same is 1.5"),
    ({"noise": "drop"}, ValueError, "noise='drop'"),
    ({"reference": "flat"}, ValueError, "reference='flat'"),
    ({"evidence": "p"}, ValueError, "evidence='p'"),
    ({"n_references": 9}, ValueError, "9 references give p = 0.1 at least"),
    ({"reference_sets": np.zeros((19, 2, 2))}, sc.ClusteringError, r"reference_sets has shape"),
    ({"critical": [1.0]}, ValueError, "3 finite numbers >= 0"),
    ({"param_grid": {"k": [2, 3]}}, ValueError, "Invalid parameter 'k'"),
    ({"param_grid": {"n_clusters": [2]}}, sc.ClusteringError, "one setting to compare"),
    ({"param_grid": [{"n_clusters": [2, 3]}, {"n_clusters": [2, 4]}]}, sc.ClusteringError,
     "two settings are called 'n_clusters=2'"),
    ({"estimator": {"a": DBSCAN()}}, ValueError, "param_grid goes with one clusterer"),
    ({"estimator": 3}, TypeError, "estimator is a int without fit"),
    ({"X": [[1.0], [np.nan]]}, sc.ClusteringError, "finite numbers"),
])
def test_wrong_input(options, error, message):
    given = {"X": THREE, "estimator": KMeans(), "param_grid": {"n_clusters": [2, 3, 4]}, "rng": 0,
             **QUICK, **options}
    with pytest.raises(error, match=message):
        sc.compare_settings(**given)


def test_the_command(tmp_path, capsys):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n" + "\n".join(f"{a},{b}" for a, b in THREE) + "\n")
    options = ["settings", str(path), "--clusterer", "KMeans", "--blocks", "12", "--references",
               "19", "--seed", "0"]
    assert main([*options, "--grid", "n_clusters=2:4", "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["best"] == "n_clusters=3"
    assert [row["setting"] for row in data["settings"]] == [
        f"n_clusters={k}" for k in (2, 3, 4)]
    assert main([*options, "--grid", "n_clusters=2,x"]) == 2
    assert main(["settings", str(path), "--clusterer", "Nothing", "--grid", "a=1:2"]) == 2
    assert main([*options, "--grid", "clusters=2:4"]) == 1
    assert "Invalid parameter 'clusters'" in capsys.readouterr().err
