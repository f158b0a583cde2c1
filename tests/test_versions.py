"""`compare_versions`: golden values, permutations, messages, the command line."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from naive import versions as naive
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import softclust as sc
from softclust.cli import main
from softclust.comparison import versions
from softclust.running.warnings import warn

CASES = json.loads((Path(__file__).parent / "golden" / "changes.json").read_text())["cases"]
OLD = [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 0]]
NEW = [[0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 2, 0]]


def side(runs):
    """Runs as strings, a character per object; "." is an absent object."""
    rows = [[-1 if v == "." else int(v) for v in run] for run in runs]
    return sc.Ensemble.from_runs(rows) if any("." in run for run in runs) else rows


def root(a, b):
    return np.sqrt(sc.rand_distance(a, b))


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["id"])
def test_stored_values(case):
    options = {"significance" if name == "level" else name: value
               for name, value in case["kwargs"].items()}
    found = sc.compare_versions(*(side(case["input"][name]) for name in ("old", "new")), **options)
    for name, value in case["expected"].items():
        own = getattr(found, name)
        if value is None:
            assert own is None
        elif name == "clusters":
            for row, expected in zip(own, value, strict=True):
                for key, number in expected.items():
                    np.testing.assert_allclose(
                        row[key], np.nan if number is None else number, atol=case["abs_tol"])
        else:
            np.testing.assert_allclose(own, value, atol=case["abs_tol"])


def test_values_by_loops():
    rng = np.random.default_rng(0)
    for m, k in ((2, 3), (3, 3), (1, 4)):
        runs = rng.integers(3, size=(m + k, 7)).tolist()
        found = sc.compare_versions(runs[:m], runs[m:], measure="rand_distance")
        assert found.statistic == pytest.approx(naive.statistic(runs[:m], runs[m:], root))
        assert found.p_value == pytest.approx(naive.p_value(runs, m, root))
        own, p = naive.objects(runs, m)
        np.testing.assert_allclose(found.objects, own, atol=1e-12)
        np.testing.assert_allclose(found.objects_p, p)
        rows = naive.clusters(runs, m, found.reference.tolist())
        for cluster, row in enumerate(found.clusters):
            np.testing.assert_allclose((row["size"], row["statistic"], row["p_value"]),
                                       rows[cluster], atol=1e-12)


def test_pairs_by_loops():
    rng = np.random.default_rng(1)
    runs = rng.integers(3, size=(8, 9)).tolist()
    old, new = runs[:4], runs[4:]
    found = sc.compare_versions(old, new, measure="rand_distance", paired=True)
    assert found.statistic == pytest.approx(naive.paired_statistic(old, new, root))
    assert found.p_value == pytest.approx(naive.paired_p(old, new, root))
    assert found.matched == pytest.approx(np.mean([sc.rand_distance(a, b)
                                                   for a, b in zip(old, new)]))
    unpaired = sc.compare_versions(old, new, measure="rand_distance")
    assert unpaired.seeds_p == pytest.approx(naive.seeds_p(old, new, root))


def test_random_exchanges_of_partners():
    """Of 128 exchanges 99 are drawn; the standard error of their p-value is about .05."""
    runs = np.random.default_rng(2).integers(3, size=(16, 8)).tolist()
    old, new = runs[:8], runs[8:]
    every = sc.compare_versions(old, new, measure="rand_distance", paired=True, objects=False)
    drawn = sc.compare_versions(old, new, measure="rand_distance", paired=True,
                                objects=False, n_permutations=99, rng=0)
    assert (every.exact, drawn.exact, drawn.n_splits) == (True, False, 99)
    assert every.p_value == 0.5
    assert drawn.statistic == pytest.approx(every.statistic)
    assert drawn.p_value == pytest.approx(0.5, abs=0.15)
    assert drawn.p_value * 100 == pytest.approx(round(drawn.p_value * 100))


def noisy(truth, rng, share=0.2):
    return np.where(rng.random(truth.size) < share, rng.integers(5, size=truth.size), truth)


def with_the_same_seeds(count):
    """Runs of a version that moves eight objects, each of the seed of its partner."""
    truth = np.arange(150) % 5
    moved = np.where(np.arange(150) < 8, (truth + 1) % 5, truth)
    return tuple([noisy(t, np.random.default_rng(seed)) for seed in range(count)]
                 for t in (truth, moved))


def test_the_same_seeds_hide_a_change_and_are_found():
    old, new = with_the_same_seeds(10)
    found = sc.compare_versions(old, new, rng=0, n_permutations=999)
    assert found.changed is None
    assert found.seeds_p == 1 / 1000
    assert found.sentence.startswith("Cannot tell: old run i and new run i are alike: same seeds")
    paired = sc.compare_versions(old, new, paired=True)
    assert paired.changed is True
    assert (paired.p_value, paired.n_splits) == (paired.smallest_p, 512)
    assert set(np.flatnonzero(paired.objects_p <= 0.05)) <= set(range(8))
    assert (paired.objects_p <= 0.05).sum() >= 4
    few = sc.compare_versions(old[:4], new[:4])
    assert few.seeds_p == 1 / 24
    assert few.changed is None


def test_blocks_of_splits_and_objects_change_nothing(monkeypatch):
    old, new = with_the_same_seeds(5)
    whole = sc.compare_versions(old, new)
    paired = sc.compare_versions(old, new, paired=True)
    monkeypatch.setattr(versions, "_HELD", 400)
    monkeypatch.setattr(versions, "_PRODUCT", 30)
    for options, expected in (({}, whole), ({"paired": True}, paired)):
        parts = sc.compare_versions(old, new, **options)
        assert parts.p_value == expected.p_value
        np.testing.assert_allclose(parts.objects, expected.objects, atol=1e-14)
        np.testing.assert_array_equal(parts.objects_p, expected.objects_p)
        assert [row["p_value"] for row in parts.clusters] == [
            row["p_value"] for row in expected.clusters]


def partitions(n):
    """All partitions of n objects as labels by first appearance."""
    if n == 0:
        return [[]]
    return [[*rest, k] for rest in partitions(n - 1) for k in range(max(rest, default=-1) + 2)]


@pytest.mark.parametrize("measure", ["element_centric_index", "rand_index", "adjusted_rand_index",
                                     "jaccard_index", "fowlkes_mallows_index"])
@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
def test_no_law_of_runs_agrees_better_with_another_than_with_itself(measure):
    """-r is conditionally positive definite on all partitions of 3 to 5 objects."""
    for n in (3, 4, 5):
        runs = partitions(n)
        value = np.nan_to_num(np.array(sc.compare_all(runs, measure=measure).value))
        np.fill_diagonal(value, 1.0)
        r = np.sqrt(np.maximum(1.0 - value, 0.0))
        centred = np.eye(len(runs)) - 1 / len(runs)
        assert np.linalg.eigvalsh(-centred @ r @ centred).min() > -1e-12


def test_one_new_run_has_the_rank_of_its_mean_distance():
    runs = [*OLD, NEW[0]]
    found = sc.compare_versions(OLD, NEW[0], measure="rand_distance")
    means = [np.mean([np.sqrt(sc.rand_distance(a, b)) for b in runs if b is not a]) for a in runs]
    assert found.p_value == np.mean([m >= means[-1] - 1e-12 for m in means])


def test_order_and_direction_do_not_matter():
    found = sc.compare_versions(OLD[:3], NEW[:3])
    turned = sc.compare_versions(NEW[:3], OLD[:3])
    assert turned.p_value == found.p_value
    for order in permutations(range(3)):
        again = sc.compare_versions([OLD[k] for k in order], NEW[:3])
        assert again.p_value == found.p_value
        assert again.statistic == pytest.approx(found.statistic, abs=1e-14)


def test_random_splits_where_there_are_many():
    rng = np.random.default_rng(0)
    base = rng.integers(4, size=60)
    runs = [np.where(rng.random(60) < 0.85, base, rng.integers(4, size=60)) for _ in range(20)]
    found = sc.compare_versions(runs[:10], runs[10:], n_permutations=199, rng=1)
    assert not found.exact
    assert found.n_splits == 199
    assert found.p_value == sc.compare_versions(runs[:10], runs[10:], n_permutations=199,
                                                rng=1).p_value
    assert found.changed is False
    merged = [np.where(run == 3, 2, run) for run in runs[10:]]
    changed = sc.compare_versions(runs[:10], merged, n_permutations=199, rng=1)
    assert changed.changed is True
    assert (changed.objects_p <= 0.05).sum() > 5


def test_what_it_says():
    found = sc.compare_versions(OLD, NEW)
    assert found.changed is True
    assert found.sentence.startswith("Two runs of the old version agree 0.")
    assert "less. Changed (p = 0.029, 70 splits; 4 runs each). Clusters that changed: " in (
        found.sentence)
    assert "From run 'old 0' to run 'new 0', the most central ones" in str(found)
    assert found.to_frame()["size"].sum() == 6
    assert found.to_frame("objects").columns.tolist() == ["object", "statistic", "p_value"]
    assert found.tidy()["estimate"].tolist() == [found.drop]
    assert "an old and a new run of one seed" in str(sc.compare_versions(OLD, NEW, paired=True))
    rng = np.random.default_rng(5)
    same = rng.integers(3, size=(8, 9))
    assert sc.compare_versions(same[:4], same[4:]).sentence.startswith(
        "No evidence of a change (p = ")
    equal = sc.compare_versions([OLD[0]] * 4, [OLD[0]] * 4)
    assert (equal.statistic, equal.p_value, equal.changed) == (0.0, 1.0, False)
    assert equal.sentence == "All runs of both versions are the same clustering."
    sure = sc.compare_versions([OLD[0]] * 4, [NEW[0]] * 4)   # deterministic pipelines
    assert sure.p_value == 2 / 70
    assert "shows no effect of the seed" in sure.notes[-1]
    few = sc.compare_versions(OLD[:2], NEW[:2])
    assert few.changed is None
    assert few.sentence == ("Cannot tell: 2 and 2 runs reach p = 0.33 at best; 4 of each are "
                            "needed, or 19 of one version and 1 of the other.")
    assert "6 pairs are needed" in sc.compare_versions(OLD, NEW, paired=True).sentence


def test_absent_objects():
    gaps = sc.Ensemble.from_runs([[-1, *run[1:]] for run in NEW])
    found = sc.compare_versions(OLD, gaps)
    assert found.objects is None
    assert "1 object is absent from all runs of one version only" in found.notes[0]
    with pytest.raises(sc.ClusteringError, match="0 objects in common; at least 2"):
        sc.compare_versions(sc.Ensemble.from_runs([[0, 1, -1, -1], [0, 1, 1, 1]]),
                            sc.Ensemble.from_runs([[-1, -1, 0, 1]]))


def test_one_interrupt_ends_it(monkeypatch):
    """The matrix that Ctrl-C left with gaps is not mistaken for an undefined measure."""
    def stopped(*args, progress=None, **options):
        warn("stopped", sc.IncompleteWarning)
        return compare_all(*args, **options)

    compare_all = versions.compare_all
    monkeypatch.setattr(versions, "compare_all", stopped)
    with pytest.raises(KeyboardInterrupt):
        sc.compare_versions(OLD, NEW)


def test_charts():
    pytest.importorskip("matplotlib")
    found = sc.compare_versions(OLD, NEW)
    assert len(found.plot().patches) == 2
    assert found.plot(kind="objects").get_ylabel() == "change of their cluster"
    labels = [t.get_text() for t in found.plot(kind="clusters").get_yticklabels()]
    assert labels[0].startswith("cluster 0 (")
    for kind in ("objects", "clusters"):
        with pytest.raises(ValueError, match="objects were not compared"):
            sc.compare_versions(OLD, NEW, objects=False).plot(kind=kind)


@pytest.mark.parametrize(("sides", "options", "error", "message"), [
    ((OLD[0], NEW[0]), {}, sc.ClusteringError, "one run each cannot show what the seed does"),
    ((OLD, NEW), {"measure": "alpha_rand_interval"}, ValueError, "gives intervals"),
    ((OLD, NEW), {"measure": "mutual_information"}, ValueError, "no best value"),
    ((OLD, NEW), {"significance": 0.95}, ValueError, "significance is 0.95; .* as 0.05"),
    ((OLD, NEW), {"level": 0.95}, TypeError, "level is that of .* significance=0.05"),
    ((OLD, NEW), {"objects": "yes"}, ValueError, "True, False or 'auto'"),
    ((OLD, NEW), {"n_permutations": 0}, ValueError, "whole number"),
    ((OLD, NEW), {"n_permutations": 20}, ValueError, "at least 99"),
    ((OLD, NEW), {"measure": "wallace_index"}, ValueError, "has a direction"),
    ((OLD, NEW[:3]), {"paired": True}, sc.ClusteringError, "partners are runs of the same seed"),
    ((OLD, [[0, 1]] * 3), {}, sc.ClusteringError, "the same objects are needed"),
    (([[0, 1, 2]] * 3, [[0, 1, 2], [0, 0, 0]]), {"measure": "fowlkes_mallows_index"}, ValueError,
     "is undefined for runs 'old 0' and 'new 1'"),
])
@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
def test_wrong_input(sides, options, error, message):
    with pytest.raises(error, match=message):
        sc.compare_versions(*sides, **options)


def test_soft_runs_have_no_objects():
    fuzzy = [sc.as_clustering(run).to_fuzzy() for run in OLD]
    found = sc.compare_versions(fuzzy, fuzzy[:2], measure="frobenius_adjusted_rand_index")
    assert found.objects is None
    assert "hard runs only" in found.notes[-1]


# -- runs that differ by the seed -----------------------------------------------------------------
def test_rerun_changes_only_the_seed():
    x = sc.datasets.load_iris().data
    runs = sc.resampled_clusterings(x, KMeans(6, n_init=1), scheme="rerun", n_resamples=4, rng=0)
    assert runs.n_objects == 150
    assert len({tuple(run.labels) for run in runs}) > 1
    again = sc.resampled_clusterings(x, KMeans(6, n_init=1), scheme="rerun", n_resamples=2, rng=0)
    assert [run.labels.tolist() for run in again] == [run.labels.tolist() for run in runs][:2]
    pipe = make_pipeline(StandardScaler(), KMeans(3, n_init=1))
    assert sc.resampled_clusterings(x, pipe, scheme="rerun", n_resamples=2, rng=0).n_runs == 2
    with pytest.raises(sc.ClusteringError, match="AgglomerativeClustering has no random_state: "
                                                 "all its runs are equal, one is enough"):
        sc.resampled_clusterings(x, AgglomerativeClustering(3), scheme="rerun", n_resamples=2)


def test_a_function_may_take_the_seed():
    x = sc.datasets.load_iris().data

    def clusters(rows, random_state):
        return KMeans(6, n_init=1, random_state=random_state).fit_predict(rows)

    runs = sc.resampled_clusterings(x, clusters, scheme="rerun", n_resamples=4, rng=0)
    expected = sc.resampled_clusterings(x, KMeans(6, n_init=1), scheme="rerun", n_resamples=4,
                                        rng=0)
    np.testing.assert_array_equal(runs.labels, expected.labels)
    with pytest.warns(UserWarning, match="all runs of the function are equal"):
        sc.resampled_clusterings(x, lambda rows: rows[:, 0] > 6, scheme="rerun", n_resamples=2)


# -- the command line -----------------------------------------------------------------------------
def write(path, runs, ids=None):
    rows = ["".join(["id,"] if ids else []) + ",".join(f"run{k}" for k in range(len(runs)))]
    rows += [(f"{ids[i]}," if ids else "") + ",".join(str(run[i]) for run in runs)
             for i in range(len(runs[0]))]
    path.write_text("\n".join(rows) + "\n")


def test_the_command_has_an_exit_status(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ids = list("abcdef")
    write(Path("old.csv"), OLD, ids)
    shuffled = [5, 2, 0, 1, 4, 3]
    write(Path("new.csv"), [[run[i] for i in shuffled] for run in NEW], [ids[i] for i in shuffled])
    assert main(["versions", "old.csv", "new.csv", "--json", "out.json"]) == 1
    assert "Changed (p = 0.029" in capsys.readouterr().out
    data = json.loads(Path("out.json").read_text())
    assert data["changed"] is True
    assert data["p_value"] == sc.compare_versions(OLD, NEW).p_value
    assert main(["versions", "old.csv", "new.csv", "--least-drop", "0.9"]) == 0
    assert "Changed, but by less than 0.9." in capsys.readouterr().out
    assert main(["versions", "old.csv", "new.csv", "--paired"]) == 2
    assert "Cannot tell: 4 and 4 runs" in capsys.readouterr().out
    rng = np.random.default_rng(5)
    same = rng.integers(3, size=(8, 9)).tolist()
    write(Path("a.csv"), same[:4])
    write(Path("b.csv"), same[4:])
    assert main(["versions", "a.csv", "b.csv", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["changed"] is False
    for words in (["old.csv", "new.csv", "--measure", "nothing"], ["old.csv", "missing.csv"],
                  ["old.csv", "new.csv", "--significance", "0.95"],
                  ["old.csv", "new.csv", "--level", "0.95"]):
        assert main(["versions", *words]) == 2
    write(Path("other.csv"), [run[1:] for run in NEW], list("bcdef"))
    write(Path("soft.csv"), [[0.5] * 6] * 3, ids)
    capsys.readouterr()
    assert main(["versions", "old.csv", "other.csv"]) == 2
    assert "give --objects common" in capsys.readouterr().err
    assert main(["versions", "old.csv", "other.csv", "--objects", "common"]) in (0, 1)
    assert "1 of 6 objects of old.csv are left out" in capsys.readouterr().out
    assert main(["versions", "old.csv", "soft.csv"]) == 2
    assert "has fractions; columns are runs of labels" in capsys.readouterr().err
