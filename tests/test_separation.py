"""`separation_test`: golden values, the oracle, groups, streams, messages, command, report."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, permutations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from naive import separation as naive
from sklearn.cluster import HDBSCAN, KMeans, SpectralClustering

import softclust as sc
from softclust.cli import main
from softclust.running import jobs
from softclust.selection.compared_pairs import largest_separations
from softclust.selection.separation import groups_of

CASES = json.loads((Path(__file__).parent / "golden" / "apart.json").read_text())["cases"]
B = {"n_references": 39, "rng": 0}


def lehmer_sets(seed, B, N, low, high, **_):
    """Sets of the golden file."""
    sets = np.empty((B, N, len(low)))
    for b in range(B):
        state, drawn = seed + b, []
        for place in range(3 + N * len(low)):
            state = 16807 * state % (2**31 - 1)
            if place >= 3:
                drawn.append(state / (2**31 - 1))
        sets[b] = np.array(low) + np.reshape(drawn, (N, len(low))) * np.subtract(high, low)
    return sets


def lumps(*centres, sizes=None, d=2, seed=0):
    """Gaussian lumps, and the lump of each object."""
    rng = np.random.default_rng(seed)
    sizes = [40] * len(centres) if sizes is None else sizes
    x = np.concatenate([rng.normal(size=(n, d)) + np.resize(np.append(c, np.zeros(d)), d)
                        for n, c in zip(sizes, centres)])
    return x, np.repeat(range(len(centres)), sizes)


def ring(n, seed, radius=3.0, noise=0.4):
    rng = np.random.default_rng(seed)
    angle = np.sort(rng.uniform(0, 2 * np.pi, n))
    return radius * np.column_stack([np.cos(angle), np.sin(angle)]) + rng.normal(0, noise, (n, 2))


def given(x, labels, count=19, size=lambda i, j: None, seed=5, **options):
    """Test with sets that a generator of their own makes, shapes as the message asks."""
    sets = {}
    while True:
        try:
            return sc.separation_test(x, labels, reference_sets=sets, **options), sets
        except sc.ClusteringError as error:
            text = str(error)
        if "no sets for the pair" in text:
            pair = eval(text.split("pair ")[1].split("; each")[0])
            sets[pair] = np.zeros((count, 1, 1))
        else:
            shape = text.split("(B, ")[1].split(")")[0].split(", ")
            pair = eval(text.split("sets[")[1].split("] has")[0])
            key = [seed, *np.frombuffer(repr(pair).encode(), np.uint8).tolist()]
            sets[pair] = np.random.default_rng(key).uniform(size=(count, *map(int, shape)))


# -- values ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES])
def test_golden_values(case):
    source, expected = case["input"], case["expected"]
    found = sc.separation_test(source["x"], source["labels"], reference_sets={
        tuple(s["pair"]): lehmer_sets(**s) for s in source["sets"]}, **case["kwargs"])
    assert list(found.clusters) == expected["clusters"]
    assert list(found.small) == expected["small"]
    rows = found.pairs.to_frame().to_dict("records")
    assert len(rows) == len(expected["pairs"])
    for row, pair in zip(rows, expected["pairs"]):
        assert {name: row[name] for name in pair} == pytest.approx(pair, abs=1e-9)
    for name in ("p_value", "adjusted"):
        assert getattr(found, name) == pytest.approx(expected[name], abs=1e-12)
    assert [found.clusters[r] for r in found.rival] == expected["rival"]
    for name in ("apart", "group", "labels"):
        assert getattr(found, name).tolist() == expected[name]
    edges = found.edges.to_frame().to_dict("records")
    assert len(edges) == len(expected["edges"])
    for edge in expected["edges"]:
        same = [e for e in edges if (e["first"], e["second"]) == (edge["first"], edge["second"])]
        assert same == [pytest.approx(edge, abs=1e-12)]


@pytest.mark.parametrize(("seed", "size", "noise"), [(0, "whole", 0), (1, "whole", 3), (2, 10, 2)])
def test_all_of_it_by_the_definition(seed, size, noise):
    rng = np.random.default_rng(seed)
    counts = [6, 5, 6] if size == "whole" else [11, 12]
    x = np.concatenate([rng.normal(size=(n, 2)) + 4 * rng.normal(size=2) for n in counts])
    labels = np.repeat(["a", "b", "c"][:len(counts)], counts).tolist()
    x = np.concatenate([x, rng.normal(size=(noise, 2)) * 3]).round(2)
    labels += [None] * noise
    options = {"min_size": 5, "window": size, "significance": 0.5}
    found, sets = given(x, labels, count=4 if size == "whole" else 2, **options)
    expected = naive.pairs_of(x.tolist(), labels, lambda i, j, n: sets[i, j].tolist(), size)
    frame = found.pairs.to_frame()
    assert [*zip(frame["first"], frame["second"])] == [*expected]
    for row, pair in enumerate(expected.values()):
        assert found.pairs.references[row] == pytest.approx(pair.pop("references"), abs=1e-8)
        assert {name: frame[name][row] for name in pair} == pytest.approx(pair, abs=1e-8)


def test_cuts_of_references_by_the_definition():
    rng = np.random.default_rng(3)
    for n, d in ((8, 1), (7, 3), (5, 9)):   # more features than objects, too
        sets = rng.integers(4, size=(2, n, d)) if d == 3 else rng.normal(size=(2, n, d))
        for curved in (False, True):
            found = largest_separations(np.asarray(sets, float), curved)
            assert found == pytest.approx(
                [naive.reference(rows, curved) for rows in sets.tolist()], abs=1e-8)
    assert largest_separations(np.full((2, 6, 2), 0.1), True).tolist() == [0.0, 0.0]


def test_groups_are_those_of_every_spanning_tree():
    rng = np.random.default_rng(0)
    for trial in range(300):
        k = int(rng.integers(2, 6))
        pairs = [*combinations(range(k), 2)]
        p = rng.integers(1, 20, len(pairs)) / 20 if trial % 2 else rng.random(len(pairs)) ** 3
        rows = SimpleNamespace(first=np.array(pairs)[:, 0], second=np.array(pairs)[:, 1],
                               p_value=p, separation=rng.random(len(pairs)), names=tuple(range(k)))
        edges, group = groups_of(k, rows, 0.2)
        answers = naive.all_groups(k, dict(zip(pairs, p.tolist())), 0.2)
        assert answers == {tuple(group.tolist())}
        # A cluster's largest p-value is that of an edge, and it is apart by the same adjustment.
        for g in range(k):
            largest = max(v for e, v in zip(pairs, p) if g in e)
            adjusted = edges.adjusted[np.searchsorted(edges.p_value, largest)]
            assert largest in edges.p_value
            assert (adjusted <= 0.2 + 1e-12) == (group.tolist().count(group[g]) == 1)


def test_the_error_over_pieces_of_lumps_is_the_significance():
    # Two lumps in two pieces each; all p-values between the lumps are 0.
    rng, pairs = np.random.default_rng(0), [*combinations(range(4), 2)]
    first, second = np.array(pairs).T
    wrong, trials = 0, 2000
    for _ in range(trials):
        p = np.where([pair in ((0, 1), (2, 3)) for pair in pairs], rng.random(6), 0.0)
        group = groups_of(4, SimpleNamespace(first=first, second=second, p_value=p,
                                             separation=-p, names=range(4)), 0.05)[1]
        wrong += group[0] != group[1] or group[2] != group[3]
    assert wrong / trials == pytest.approx(0.05, abs=0.015)   # three standard errors


# -- what the golden file does not pin ------------------------------------------------------------
def test_edges_of_the_tree_of_means_are_compared():
    # A cluster far away on a line: no object of another has it among its two nearest means.
    x, labels = lumps(0, 3, 6, 40, sizes=[20, 20, 20, 20])
    found = sc.separation_test(x, labels, significance=0.2, n_references=19, rng=0)
    assert (2, 3) in [*zip(found.pairs.first.tolist(), found.pairs.second.tolist())]
    corners = [[0, 0], [10, 0], [0, 11], [100, 100]]   # the edge of the tree of a far corner
    x = np.repeat(corners, 10, axis=0) + np.random.default_rng(0).normal(size=(40, 2)) * 0.1
    pairs = sc.separation_test(x, np.repeat(range(4), 10), significance=0.2, rng=0,
                               n_references=19).pairs
    assert [*zip(pairs.first.tolist(), pairs.second.tolist())] == [(0, 1), (0, 2), (2, 3)]


def test_noise_can_make_neighbours():
    x, labels = lumps([0, 0], [0, 10], [20, 5], sizes=[20, 20, 20])
    pairs = sc.separation_test(x, labels, **B, significance=0.1).pairs
    before = {*zip(pairs.first.tolist(), pairs.second.tolist())}
    # Objects of no cluster: their two nearest means are 0 and 2, 1 and 2.
    more = np.concatenate([x, [[11.0, -4.0], [11.0, 14.0]]])
    pairs = sc.separation_test(more, [*labels, -1, -1], **B, significance=0.1).pairs
    assert {*zip(pairs.first.tolist(), pairs.second.tolist())} - before <= {(0, 2), (1, 2)}
    assert pairs.first.size == 3


@pytest.mark.parametrize(("wrong", "order", "apart"), [(1, 0.9, True), (2, 0.8, True),
                                                       (3, 0.7, False)])
def test_the_order_of_labels(wrong, order, apart):
    # `wrong` objects of the second cluster lie among those of the first.
    x = np.concatenate([np.linspace(0, 1, 10), np.full(wrong, 0.5),
                        np.linspace(9, 10, 10 - wrong)])[:, None]
    found = sc.separation_test(x, np.repeat([0, 1], 10), **B)
    assert found.pairs.order[0] == pytest.approx(order, abs=1e-12)
    assert (found.pairs.separation[0] > 0) == apart
    note = "labels cross the line between 0 and 1 (order .70): nested or curved clusters"
    assert any(text.startswith(note) for text in found.notes) == (not apart)


def test_ties_with_references_count_and_adjusted_at_the_level_is_apart():
    x, labels = lumps(0, 9, sizes=[10, 10])
    found, sets = given(x, labels, count=19)
    assert found.p_value[0] == found.adjusted[0] == 0.05
    assert found.apart.all()   # at the significance exactly
    # The data themselves as references: the same separation counts.
    sets = {(0, 1): np.repeat(x[None], 19, axis=0)}
    assert sc.separation_test(x, labels, reference_sets=sets).p_value[0] == 1.0
    many, _ = given(*lumps(0, 9, 18, 27, sizes=[10] * 4), count=59)
    assert many.adjusted.tolist() == [0.05] * 4   # 3/60, which is not .05 in binary digits
    assert many.n_groups == 4


def test_a_window_with_noise():
    x, labels = lumps([0, 0], [14, 0], sizes=[30, 30])
    x = np.concatenate([x, [[4.0, 0.0], [8.0, 0.0], [50.0, 0.0]]])
    found = sc.separation_test(x, [*labels, -1, -1, None], window=10, **B)
    # By the nearest object: 4 to the left, 8 to the right, 50 to the right.
    assert found.pairs.objects[0] == 20
    assert found.moved == 3
    assert found.labels[-3:].tolist() == [-1, -1, -1]
    assert "3 of 63 objects are noise; each counts in its nearest cluster" in found.notes
    assert "window 10 is half" not in " ".join(found.notes)
    wide = sc.separation_test(x, [*labels, -1, -1, None], window=25, **B)
    assert "window 25 is half of clusters 0 and 1: nearly the whole window" in wide.notes


@pytest.mark.filterwarnings("ignore:70 of 80 rows repeat:UserWarning")
def test_integers_and_one_feature():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.integers(0, 5, 40), rng.integers(20, 25, 40)])[:, None]
    found = sc.separation_test(x, np.repeat([0, 1], 40), **B)
    assert found.units.tolist() == [1.0]
    assert found.p_value.tolist() == [1 / 40] * 2
    assert found.notes[0] == "1 feature is recorded in units; noise of one unit was added"
    one = np.rint(rng.normal(size=(80, 1)))
    assert sc.separation_test(one, (one[:, 0] > 0).astype(int), **B).n_groups == 1
    # Given sets and functions: no noise.
    kept, _ = given(x, np.repeat([0, 1], 40))
    assert kept.units.tolist() == [0.0]


def test_missing_labels_and_sets_of_noise():
    x, labels = lumps(0, 8, sizes=[20, 23])
    usual = sc.separation_test(x, np.where(np.arange(43) >= 40, -1, labels), **B)
    for gaps in ([*labels[:40].astype(float), np.nan, np.nan, np.nan],
                 [*map(str, labels[:40]), None, None, None],
                 [*map(str, labels[:40]), "-1", "-1", None]):
        found = sc.separation_test(x, gaps, **B)
        assert found.labels.tolist() == usual.labels.tolist()
        np.testing.assert_array_equal(found.pairs.references, usual.pairs.references)
    named = sc.separation_test(x, [*map(str, labels[:40]), "out", "??", "??"],
                               noise_label={"out", "??"}, **B)
    assert named.clusters == ("0", "1")
    assert named.moved == 3
    with pytest.raises(sc.ClusteringError, match="at least 10 objects"):
        sc.separation_test(x, [None] * 43)


def test_large_clusters_are_thinned():
    x, labels = lumps(0, 7, sizes=[90, 40], d=3)
    found = sc.separation_test(x, labels, max_objects=50, **B)
    assert found.objects.tolist() == [90, 40]
    assert "clusters of more than 50 objects were thinned" in found.notes
    assert found.pairs.objects[0] == 80
    drawn = np.sort(np.random.default_rng(np.random.SeedSequence(0, spawn_key=(1, 0))).choice(
        np.arange(90), 50, replace=False))
    rows = [*drawn, *range(90, 130)]
    alone = sc.separation_test(x[rows], labels[rows], **B)
    assert alone.pairs.dip[0] == pytest.approx(found.pairs.dip[0], abs=1e-12)
    np.testing.assert_array_equal(alone.pairs.references, found.pairs.references)


def test_references_come_from_streams_of_their_own():
    from softclust.selection.references import References
    x, labels = lumps(0, 4, 9, sizes=[15, 15, 15])
    found = sc.separation_test(x, labels, rng=7, n_references=39)
    pair = found.pairs.first.tolist().index(1)
    u = x[15:] - x[15:].mean(axis=0)
    one = References.of(u, np.zeros(30, int), "uniform", np.zeros(2))
    seed = np.random.SeedSequence(7, spawn_key=(2, 1, 2, 5))
    drawn = one.draw(np.random.default_rng(seed))
    assert found.pairs.references[pair, 5] == largest_separations(drawn[None], False)[0]
    assert found.pairs.z[pair] == pytest.approx(
        (found.pairs.separation[pair] - found.pairs.references[pair].mean())
        / found.pairs.references[pair].std(ddof=1))
    assert found.pairs.reference_high[pair] == np.quantile(found.pairs.references[pair], 0.95)


# -- invariances ----------------------------------------------------------------------------------
def test_moving_turning_scaling_and_reordering_change_nothing():
    x, labels = lumps([0, 0], [3, 2], [1, 5], sizes=[14, 12, 16])
    own, sets = given(x, labels, significance=0.2)
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(2, 2)))[0]
    order = np.random.default_rng(1).permutation(42)
    for other, names in ((x + 1e6, labels), (x @ turn, labels), (-3e-5 * x, labels),
                         (x[order], labels[order]), (x, labels * 7 - 3)):
        sets_of = {tuple(np.array(pair) * 7 - 3) if names is not labels and other is x else pair:
                   values for pair, values in sets.items()}
        found = sc.separation_test(other, names, reference_sets=sets_of, significance=0.2)
        np.testing.assert_allclose(found.pairs.separation, own.pairs.separation, atol=1e-8)
        np.testing.assert_array_equal(found.pairs.p_value, own.pairs.p_value)


def test_permuting_names_permutes_the_record():
    x, labels = lumps([0, 0], [2.5, 1], [1, 6], sizes=[14, 12, 16])
    own, sets = given(x, labels, significance=0.2)
    for names in permutations(range(3)):
        turned = {tuple(sorted((names[i], names[j]))): values for (i, j), values in sets.items()}
        found = sc.separation_test(x, np.array(names)[labels], reference_sets=turned,
                                   significance=0.2)
        back = np.array(names)
        for name in ("p_value", "adjusted", "apart", "objects"):
            np.testing.assert_array_equal(getattr(found, name)[back], getattr(own, name))
        assert sc.rand_index(found.labels, own.labels) == 1.0


def test_the_same_bits_on_any_number_of_threads_and_workers(monkeypatch):
    x, labels = lumps(0, 5, 9, sizes=[20, 30, 25])
    results = []
    for threads in (1, 4):
        sc.set_num_threads(threads)
        results.append(sc.separation_test(x, labels, **B))
    sc.set_num_threads(None)
    monkeypatch.setattr("softclust.selection.compared_pairs._HELD", 500)
    with ThreadPoolExecutor(2) as pool:
        results.append(sc.separation_test(x, labels, executor=pool, **B))
    for found in results[1:]:
        np.testing.assert_array_equal(found.pairs.references, results[0].pairs.references)
        assert found.to_json() == results[0].to_json()
    other = sc.separation_test(x, labels, n_references=39, rng=1)
    np.testing.assert_array_equal(other.pairs.separation, results[0].pairs.separation)
    assert (other.pairs.references != results[0].pairs.references).any()


# -- what it says ---------------------------------------------------------------------------------
def test_three_lumps_one_of_them_cut():
    x, truth = lumps([0, 0], [7, 0], [3.5, 6], sizes=[60, 60, 60])
    labels = truth.copy()
    labels[(truth == 2) & (x[:, 0] > 3.5)] = 3
    found = sc.separation_test(x, labels, rng=0)
    assert found.group.tolist() == [0, 1, 2, 2]
    assert found.p_value[:2].tolist() == [1 / 200] * 2
    assert sc.rand_index(found.labels, truth) == 1.0
    assert found.sentence == "2 of 4 clusters are apart from every other; 2 and 3 are one."
    assert str(found).splitlines()[0] == (
        found.sentence[:-1] + " (whole window, uniform reference, 199 sets, significance 0.05)")
    assert "2 and 3 are not more separated than one flat cluster of the same spread, cut in two." \
        in " ".join(str(found).split())


@pytest.mark.parametrize("window", ["whole", 25])
def test_labels_at_random_are_one_group(window):
    x, _ = lumps(0, 10, sizes=[50, 50])
    for seed in range(20):
        labels = np.random.default_rng(seed).integers(2, size=100)
        assert sc.separation_test(x, labels, window=window, n_references=19, rng=seed
                                  ).n_groups == 1


def test_noise_of_a_clusterer_makes_no_gap():
    split = 0
    for seed in range(10):
        x = np.random.default_rng(seed).normal(size=(100, 2))
        labels = HDBSCAN(min_cluster_size=10, copy=True).fit_predict(x)
        if np.unique(labels[labels >= 0]).size > 1:
            split += sc.separation_test(x, labels, n_references=39, rng=seed).n_groups > 1
    assert split <= 1


def test_nested_and_curved_clusters_with_a_window():
    inner, outer = ring(100, 0, 1.0, 0.1), ring(150, 1, 4.0, 0.1)
    x, labels = np.concatenate([inner, outer]), np.repeat([0, 1], [100, 150])
    assert sc.separation_test(x, labels, window=25, **B).n_groups == 2
    found = sc.separation_test(x, labels, **B)
    assert found.n_groups == 1
    assert "window=25 looks near the gap only" in found.notes[0]
    rng = np.random.default_rng(0)
    angle = np.sort(rng.uniform(0, 2 * np.pi, 300))
    links = [np.column_stack([np.cos(angle), np.sin(angle), 0 * angle]),
             np.column_stack([1 + np.cos(angle), 0 * angle, np.sin(angle)])]
    chain = np.concatenate(links) + rng.normal(0, 0.05, (600, 3))
    assert sc.separation_test(chain, np.repeat([0, 1], 300), window=25, **B).n_groups == 2
    x = ring(300, 2)
    thirds = np.repeat([0, 1, 2], 100)
    assert sc.separation_test(x, thirds, window=25, **B).n_groups == 1
    assert sc.separation_test(x, thirds, **B).n_groups > 1   # where "whole" fails


def test_chains_are_noted():
    x, labels = lumps([0, 0], [6, 0], [3, 2.5], sizes=[60, 60, 12], seed=3)
    found = sc.separation_test(x, labels, rng=0)
    assert found.n_groups == 1
    assert ("0 and 1 are apart as a pair, but both are joined to 2 (12 objects)" in found.notes)
    assert found.sentence == "No cluster is apart from every other: 0, 1 and 2 may be one."
    apart = sc.separation_test(x, labels, min_size=13, rng=0)
    assert apart.n_groups == 2
    assert apart.sentence == "Both clusters are apart from each other."
    assert "cluster 2 has 12 objects: too small to judge" in apart.notes
    assert apart.labels[-1] == 2


def test_small_clusters_keep_a_group_each():
    x, labels = lumps(0, 9, 20, 30, sizes=[20, 20, 4, 1])
    found = sc.separation_test(x, labels, **B)
    assert found.small == (2, 3)
    assert found.labels.tolist() == labels.tolist()
    assert "clusters 2 and 3 have fewer than 10 objects: too small to judge" in found.notes
    assert "5 of 45 objects are noise; each counts in its nearest cluster" in found.notes
    assert found.means.shape == (4, 2)


def test_the_record_is_a_frame_and_can_be_drawn_and_kept():
    pytest.importorskip("matplotlib")
    x, labels = lumps([0, 0], [7, 0], [2, 1], [20, 20], sizes=[30, 30, 30, 3])
    names = np.array(["left", "right", "near", "few"])[labels]
    found = sc.separation_test(x, names, **B)
    frame = found.to_frame()
    assert frame.columns.tolist() == ["cluster", "objects", "group", "rival", "separation",
                                      "reference_mean", "z", "p_value", "adjusted", "apart"]
    assert frame["cluster"].tolist() == ["left", "near", "right"]
    assert frame["rival"].tolist()[:2] == ["near", "left"]
    assert frame["apart"].tolist() == [False, False, True]
    assert found.sentence == "1 of 3 clusters is apart from every other; left and near are one."
    assert found.tidy()["term"].tolist() == ["left", "near", "right"]
    assert sc.results.from_json(found.to_json()).to_json() == found.to_json()
    ax = found.plot()
    assert ax.get_title(loc="left") == "2 groups of 3 clusters"
    lines = [line for line in ax.lines if str(line.get_gid()).startswith("line")]
    assert [line.get_gid() for line in lines] == ["line 0 1"]
    assert lines[0].get_linewidth() == pytest.approx(1 + 3 * found.p_value[0])
    hollow = [dot for dot in ax.collections if dot.get_gid() == "cluster 3"]
    assert hollow[0].get_facecolor()[0, :3].tolist() == [1.0, 1.0, 1.0]
    two = sc.separation_test(x[:60], names[:60], **B).plot()
    assert two.get_ylabel() == ""


def test_named_labels_are_matched_with_the_objects():
    x, labels = lumps(0, 6, sizes=[20, 25])
    frame = pd.DataFrame(x, index=[f"o{i}" for i in range(45)])
    plain = sc.separation_test(x, labels, **B)
    order = np.random.default_rng(0).permutation(45)
    series = pd.Series(labels, index=frame.index)
    for given_labels in (labels, series, series.iloc[order], dict(series.iloc[order])):
        found = sc.separation_test(frame, given_labels, **B)
        np.testing.assert_array_equal(found.labels, plain.labels)
        np.testing.assert_array_equal(found.pairs.references, plain.pairs.references)
    with pytest.raises(sc.ClusteringError, match="object names of X and labels are different"):
        sc.separation_test(frame, series.rename(index={"o3": "p3"}), **B)
    with pytest.raises(sc.ClusteringError, match="0 to 44 in another order"):
        sc.separation_test(x, pd.Series(labels).iloc[order], **B)
    assert sc.separation_test(pd.DataFrame(x), pd.Series(labels), **B).n_groups == 2


# -- odd input ------------------------------------------------------------------------------------
X, LABELS = lumps(0, 6, sizes=[20, 20])
K21 = lumps(*range(0, 210, 10), sizes=[10] * 21)


@pytest.mark.parametrize(("labels", "options", "error", "message"), [
    (LABELS[:5], {}, sc.ClusteringError, "labels has 5 entries for 40 objects"),
    (np.eye(2)[LABELS] * 0.5 + 0.25, {}, sc.ClusteringError,
     "one cluster for every object is needed"),
    (np.random.default_rng(0).normal(size=(40, 3)), {}, sc.ClusteringError, "labels: "),
    ([1, "a"] * 20, {}, sc.ClusteringError, "labels: "),
    (np.zeros(40, int), {}, sc.ClusteringError,
     r"labels has 1 cluster of at least 10 objects; two are needed \(min_size=10\)"),
    (np.full(40, -1), {}, sc.ClusteringError, "labels has 0 clusters of at least 10 objects"),
    (LABELS, {"min_size": 30}, sc.ClusteringError, "labels has 0 clusters of at least 30 objects"),
    (LABELS, {"min_size": 1}, ValueError, "min_size is 1; a whole number >= 2"),
    (LABELS, {"max_objects": 9}, ValueError, "max_objects is 9; a whole number >= 10"),
    (LABELS, {"window": 9}, ValueError, 'window is 9; "whole" or a whole number >= 10'),
    (LABELS, {"window": "part"}, ValueError, "window is 'part'"),
    (LABELS, {"window": 25.0}, ValueError, "window is 25.0"),
    (LABELS, {"reference": "box"}, ValueError, "uniform"),
    (LABELS, {"significance": 1.0}, ValueError, "significance is 1.0"),
    (LABELS, {"n_references": 0}, ValueError, "n_references is 0; a whole number >= 1"),
    (LABELS, {"n_references": 9}, ValueError,
     r"9 references give an adjusted p of .1 at least for 2 clusters; significance 0.05 needs "
     r"n_references >= 19"),
    (LABELS, {"reference_sets": {}}, sc.ClusteringError, r"no sets for the pair \(0, 1\)"),
    (LABELS, {"reference_sets": {(0, 1): np.zeros((19, 39, 2))}}, sc.ClusteringError,
     r"reference_sets\[\(0, 1\)\] has shape \(19, 39, 2\); \(B, 40, 2\) is needed"),
    (LABELS, {"reference_sets": {(0, 1): np.full((19, 40, 2), np.nan)}}, sc.ClusteringError,
     "entries that are not finite"),
    (LABELS, {"reference_sets": {(0, 1): np.zeros((9, 40, 2))}}, ValueError, "9 references give"),
    (LABELS, {"reference": lambda U, sides, rng: U[1:]}, sc.ClusteringError,
     r"reference 0 of 0 and 1 has shape \(39, 2\)"),
])
def test_wrong_arguments(labels, options, error, message):
    with pytest.raises(error, match=message):
        sc.separation_test(X, labels, **options)


def test_more_clusters_need_more_references():
    x, labels = K21
    with pytest.raises(ValueError, match=r"199 references give an adjusted p of .1 at least for 21 "
                                         "clusters; significance 0.05 needs n_references >= 399"):
        sc.separation_test(x, labels, n_references=199)
    assert sc.separation_test(x, labels, rng=0, significance=0.5).n_references == 199
    three = {(0, 1): np.zeros((59, 20, 1)), (1, 2): np.zeros((39, 20, 1))}
    with pytest.raises(sc.ClusteringError, match="pairs with different numbers of sets"):
        sc.separation_test(np.arange(30.0)[:, None], np.repeat([0, 1, 2], 10),
                           reference_sets=three)


@pytest.mark.parametrize("data", [[[1.0, np.nan]] * 40, [["a", "b"]] * 40, [1.0] * 40,
                                  np.zeros((40, 2001))], ids=["nan", "text", "vector", "wide"])
def test_wrong_data(data):
    with pytest.raises(sc.ClusteringError):
        sc.separation_test(data, LABELS)


def test_a_function_of_references_gets_the_compared_objects():
    seen = []

    def flat(U, sides, rng):
        seen.append((U.copy(), sides.copy()))
        return rng.uniform(size=U.shape)

    found = sc.separation_test(X, LABELS, reference=flat, **B)
    assert found.reference == "function"
    np.testing.assert_array_equal(seen[0][0], X)
    np.testing.assert_array_equal(seen[0][1], LABELS)
    assert found.p_value[0] == 1 / 40


@pytest.mark.filterwarnings("ignore:39 of 40 rows repeat:UserWarning")
def test_constant_data_and_more_features_than_objects():
    same = sc.separation_test(np.full((40, 3), 0.1), LABELS, **B)
    assert same.p_value.tolist() == [1.0, 1.0]
    assert same.pairs.order.tolist() == [0.0]
    assert np.isnan(same.pairs.z).all()
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(40, 150)) + 3 * LABELS[:, None]
    found = sc.separation_test(wide, LABELS, **B)
    assert found.n_groups == 2
    assert found.notes[0].endswith("reduce the features first")


def test_warnings_about_the_data():
    with pytest.warns(UserWarning, match="40 of 80 rows repeat others: copies are no evidence"):
        found = sc.separation_test(np.repeat(X, 2, axis=0), np.repeat(LABELS, 2), **B)
    assert found.sentence.startswith("Not tested: 40 of 80 rows repeat others")
    assert not found.apart.any()
    assert found.p_value.tolist() == [1.0, 1.0]
    assert str(found).startswith("Not tested (whole window")
    assert "1.000" not in str(found)
    binary = np.random.default_rng(0).integers(2, size=(40, 8))
    with pytest.warns(UserWarning, match="use 'uniform'"):
        found = sc.separation_test(binary, LABELS, reference="gaussian", **B)
    assert any("fewer than 10 objects per feature" in note for note in found.notes)


def test_an_interrupted_test_keeps_its_pairs(monkeypatch):
    monkeypatch.setattr(jobs, "THREAD_SECONDS", 0.0)   # one by one, also on one thread
    x, labels = lumps(0, 9, 18, sizes=[20, 20, 20])

    def stop(done, total):
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.warns(sc.IncompleteWarning, match="interrupted after 1 of 2 pairs"):
        found = sc.separation_test(x, labels, progress=stop, **B)
    assert found.pairs.p_value.tolist() == [1 / 40, 1.0]
    assert found.missing == "interrupted after 1 of 2 pairs"
    assert found.notes[-1] == "interrupted after 1 of 2 pairs; the others count as p = 1"
    assert found.group.tolist() == [0, 1, 1]
    assert np.isnan(found.pairs.references[1]).all()


# -- command and report ---------------------------------------------------------------------------
FRAME = sc.datasets.load_iris()
TABLE = pd.DataFrame(FRAME.data, columns=["a", "b", "c", "d"]).assign(
    species=np.array(FRAME.label_names)[FRAME.labels])


def test_the_command_line(tmp_path, capsys):
    path = tmp_path / "flowers.csv"
    TABLE.assign(garden="north", species=TABLE["species"].where(TABLE.index != 3)).to_csv(
        path, index=False)
    assert main(["separation", str(path), "--label", "species", "--drop", "garden"]) == 0
    assert capsys.readouterr().out.startswith("1 of 3 clusters is apart from every other; ")
    assert main(["separation", str(path), "--label", "species", "--drop", "garden", "--window",
                 "25", "--scale", "standard", "--json", "-"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["window"] == 25
    assert data["labels"][:5] == [0, 0, 0, -1, 0]
    assert [row["apart"] for row in data["clusters"]] == [True, False, False]
    assert len(data["pairs"]) == 3
    for wrong, message in ((["--label", "kind"], "no column 'kind'; its columns are 'a'"),
                           (["--label", "species"], "not numeric: 'garden'; --drop garden")):
        assert main(["separation", str(path), *wrong]) == 1
        assert message in capsys.readouterr().err
    assert main(["separation", str(path), "--label", "species", "--window", "all"]) == 2
    picture = tmp_path / "clusters.png"
    assert main(["separation", str(path), "--label", "species", "--drop", "garden", "--min-size",
                 "20", "--plot", str(picture), "--json", str(tmp_path / "found.json")]) == 0
    assert picture.stat().st_size > 1000


def test_the_report_has_its_sentences():
    found = sc.report(TABLE, label="species", n_clusters=3, algorithms="k-means", quick=True,
                      pictures=False)
    assert ("1 of 3 clusters is apart from every other; versicolor and virginica are one "
            "(separation test of column species).") in found.summary()
    data = found.to_data()["separation"]
    assert [row["cluster"] for row in data["k-means"]["clusters"]] == [1, 2, 3]
    assert [row["group"] for row in data["label"]["clusters"]] == [1, 2, 2]
    few = TABLE.assign(species=np.where(np.arange(150) < 5, "few", "-1"))
    found = sc.report(few, label="species", n_clusters=2, algorithms="k-means", quick=True,
                      pictures=False)
    # One group of five, and noise: there is nothing to test.
    assert list(found.to_data()["separation"]) == ["k-means"]
    assert ("Both clusters are apart from each other (separation test of the clusters of "
            "k-means).") in found.summary()


# -- level and power, in short --------------------------------------------------------------------
def spiral(rng, n=300):
    turn = 2 * np.pi * 1.25 * np.sqrt(rng.uniform(0.05, 1, n))
    return np.column_stack([turn * np.cos(turn), turn * np.sin(turn)]) + rng.normal(0, 0.3, (n, 2))


def kmeans(k):
    return lambda x: KMeans(k, n_init=10, random_state=0).fit_predict(x)


def spectral(x):
    return SpectralClustering(3, affinity="nearest_neighbors", random_state=0).fit_predict(x)


def blobs(*centres):
    return lambda rng: np.concatenate([rng.normal(size=(n, len(c))) + c for n, c in centres])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("law", "clusterer", "options", "groups", "low", "high"), [
    (lambda r: r.uniform(-1, 1, (100, 2)) * [3, 1], kmeans(2), {}, 2, 0.0, 0.10),
    (lambda r: r.normal(size=(100, 30)), kmeans(2), {}, 2, 0.0, 0.06),
    (spiral, spectral, {"window": 25}, (2, 3), 0.0, 0.10),
    (blobs((50, [0, 0]), (50, [5, 0])), kmeans(2), {}, 2, 0.95, 1.0),
    (blobs((100, [0, 0, 0]), (60, [6, 0, 0]), (60, [3, 5.2, 0])), kmeans(5), {}, 3, 0.70, 1.0),
], ids=["box 3:1", "Gaussian, 30 features", "spiral", "5 sd apart", "three in five"])
def test_level_and_power(law, clusterer, options, groups, low, high):
    groups = (groups,) if isinstance(groups, int) else groups
    share = [sc.separation_test(x, clusterer(x), n_references=79, rng=b, **options).n_groups
             in groups for b in range(200) for x in [law(np.random.default_rng([3, b]))]]
    assert low <= np.mean(share) <= high


def test_labels_are_a_column_of_another_frame():
    rng = np.random.default_rng(0)
    names = [f"cell{i}" for i in range(40)]
    x = pd.DataFrame(rng.normal(size=(40, 2)) + 9 * (np.arange(40) % 2)[:, None], index=names)
    obs = pd.DataFrame({"leiden": np.arange(40) % 2, "batch": 0}, index=names)
    found = sc.separation_test(x, "leiden", data=obs.sample(frac=1, random_state=0), rng=0)
    assert found.apart.tolist() == [True, True]
    assert found.p_value.tolist() == sc.separation_test(x, obs["leiden"], rng=0).p_value.tolist()
    with pytest.raises(sc.ClusteringError, match="louvain"):
        sc.separation_test(x, "louvain", data=obs)
    with pytest.raises(TypeError, match="the name of a column is needed"):
        sc.separation_test(x, obs["leiden"], data=obs)
