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

CASES = json.loads((Path(__file__).parent / "golden" / "versions.json").read_text())["cases"]
OLD = [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 0]]
NEW = [[0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 2], [0, 0, 1, 1, 2, 0]]


def digits(runs):
    return [[int(v) for v in run] for run in runs]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["id"])
def test_stored_values(case):
    found = sc.compare_versions(*(digits(case["input"][side]) for side in ("old", "new")),
                                **case["kwargs"])
    for name, value in case["expected"].items():
        own = getattr(found, name)
        if value is None:
            assert own is None
        else:
            np.testing.assert_allclose(own, value, atol=case["abs_tol"])


def test_values_by_loops():
    rng = np.random.default_rng(0)
    for m, k in ((2, 3), (3, 3), (1, 4)):
        runs = rng.integers(3, size=(m + k, 7)).tolist()
        found = sc.compare_versions(runs[:m], runs[m:], measure="rand_distance")

        def d(a, b):
            return np.sqrt(sc.rand_distance(a, b))
        assert found.statistic == pytest.approx(naive.statistic(runs[:m], runs[m:], d))
        assert found.p_value == pytest.approx(naive.p_value(runs, m, d))
        own, p = naive.objects(runs, m)
        np.testing.assert_allclose(found.objects, own, atol=1e-12)
        np.testing.assert_allclose(found.objects_p, p)


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
    assert "less than seeds explain. Changed (p = 0.029, 70 splits)." in found.sentence
    assert "From run 'old 0' to run 'new 0', the most central ones" in str(found)
    assert found.to_frame()["n_pairs"].tolist() == [16, 6, 6]
    assert found.augment().columns.tolist() == ["object", "statistic", "p_value"]
    same = sc.compare_versions(OLD, OLD)
    assert same.sentence.startswith("No evidence of a change (p = ")
    equal = sc.compare_versions([OLD[0]] * 4, [OLD[0]] * 4)
    assert (equal.statistic, equal.p_value, equal.changed) == (0.0, 1.0, False)
    sure = sc.compare_versions([OLD[0]] * 4, [NEW[0]] * 4)   # deterministic pipelines
    assert sure.p_value == 2 / 70
    few = sc.compare_versions(OLD[:2], NEW[:2])
    assert few.changed is None
    assert "4 of each, or 19 of one version and 1 of the other can" in few.notes[0]


def test_charts():
    pytest.importorskip("matplotlib")
    found = sc.compare_versions(OLD, NEW)
    assert len(found.plot().patches) == 2
    assert found.plot(kind="objects").get_ylabel() == "change of their cluster"
    with pytest.raises(ValueError, match="objects were not compared"):
        sc.compare_versions(OLD, NEW, objects=False).plot(kind="objects")


@pytest.mark.parametrize(("sides", "options", "error", "message"), [
    ((OLD[0], NEW[0]), {}, sc.ClusteringError, "one run each cannot show what the seed does"),
    ((OLD, NEW), {"measure": "alpha_rand_interval"}, ValueError, "gives intervals"),
    ((OLD, NEW), {"measure": "mutual_information"}, ValueError, "no best value"),
    ((OLD, NEW), {"significance": 0}, ValueError, "at most 0.5"),
    ((OLD, NEW), {"level": 0.95}, TypeError, "level is that of .* significance"),
    ((OLD, NEW), {"objects": "yes"}, ValueError, "True, False or 'auto'"),
    ((OLD, NEW), {"n_permutations": 0}, ValueError, "whole number"),
    ((OLD, NEW), {"n_permutations": 20}, ValueError, "at least 99"),
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
    for estimator in (AgglomerativeClustering(3), lambda rows: rows[:, 0] > 1):
        with pytest.raises(sc.ClusteringError, match="sets random_state in every run"):
            sc.resampled_clusterings(x, estimator, scheme="rerun", n_resamples=2)


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
    assert main(["versions", "old.csv", "new.csv", "--json", "out.json"]) == 3
    assert "Changed (p = 0.029" in capsys.readouterr().out
    data = json.loads(Path("out.json").read_text())
    assert data["changed"] is True
    assert data["p_value"] == sc.compare_versions(OLD, NEW).p_value
    assert main(["versions", "old.csv", "old.csv", "--json", "-"]) == 0
    assert main(["versions", "old.csv", "new.csv", "--level", "0.95"]) == 2
    assert main(["versions", "old.csv", "new.csv", "--significance", "0.95"]) == 2
    assert json.loads(capsys.readouterr().out)["changed"] is False
    assert main(["versions", "old.csv", "new.csv", "--measure", "nothing"]) == 2
    assert main(["versions", "old.csv", "missing.csv"]) == 1
    write(Path("other.csv"), NEW, list("uvwxyz"))
    assert main(["versions", "old.csv", "other.csv"]) == 1
    assert "ids differ" in capsys.readouterr().err
