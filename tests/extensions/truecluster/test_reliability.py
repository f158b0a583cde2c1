"""The reliability simulation: stored cells, bits, files, a killed run, figures, messages."""

import json
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import naive.matching as oracle
import numpy as np
import pytest
from strategies import JIT_OFF

import softclust as sc
from softclust.extensions.truecluster import _kernels
from softclust.running import jobs

ITEMS = {item["id"]: item for item in json.loads(
    (Path(__file__).parents[2] / "golden" / "truecluster.json").read_text())["items"]}
CELLS = [name for name, item in ITEMS.items() if "fraction" in item["input"]]
ARRAYS = ("uncertainty", "complexity", "information", "criterion", "accepted", "attempts",
          "degenerate")
GRID = {"fractions": [0.1, 0.3, 0.5], "reliabilities": [0, 0.5, 1],
        "n_resamples": 1000 if not JIT_OFF else 5, "n_objects": 100 if not JIT_OFF else 20}
#: writes its state each time; with "hold" it stops to be killed when some cells are written
LONG = """
import os, sys, threading, numpy as np, softclust as sc
from softclust.ensembles import checkpoint
checkpoint._SECONDS = checkpoint._TIMES = 0.0
def hold(done, total):
    if sys.argv[2:] == ["hold"] and os.path.exists(sys.argv[1]):
        print("held", flush=True)
        threading.Event().wait()
sim = sc.reliability_simulation(np.arange(30, 70) / 100, np.arange(0, 97, 12) / 100, rng=4,
                                method=["truematch", "truematch_heuristic"], resume=sys.argv[1],
                                n_resamples=200, progress=hold)
sim.save(sys.argv[1] + ".done")
"""


def same(a, b):
    return all(np.array_equal(getattr(a, name), getattr(b, name), equal_nan=True)
               for name in ARRAYS)


@pytest.mark.skipif(JIT_OFF, reason="thousands of samples a cell")
@pytest.mark.parametrize("name", CELLS)
def test_stored_cells(name):
    given, expected = ITEMS[name]["input"], ITEMS[name]["expected"]
    exact = ITEMS[name]["tolerance"] == 1e-9
    sims = [sc.reliability_simulation(
        [given["fraction"]], [given["reliability"]], method=given["matching"],
        fixed=given["fixed"], rng=seed) for seed in range(5 if exact else 20)]
    assert np.mean([sim.degenerate.all() for sim in sims]) == expected["degenerate"]
    for part, value in expected.items():
        if part == "degenerate":
            continue
        tolerance = 1e-9 if exact else ITEMS[name]["tolerance"][part]
        found = [getattr(sim, part).item() for sim in sims[:5] if not sim.degenerate.all()]
        assert abs(np.mean(found) - value) <= tolerance, (part, found)


def test_same_bits_for_threads_executors_and_subgrids():
    try:
        sc.set_num_threads(1)
        whole = sc.reliability_simulation(**GRID, rng=1)
        sc.set_num_threads(4)
        assert same(whole, sc.reliability_simulation(**GRID, rng=1))
    finally:
        sc.set_num_threads(None)
    with ThreadPoolExecutor(2) as pool:
        assert same(whole, sc.reliability_simulation(**GRID, rng=1, executor=pool))
    part = sc.reliability_simulation(**{**GRID, "fractions": [0.3], "reliabilities": [1, 0.5]},
                                     rng=1, method="truematch")
    assert np.array_equal(part.criterion[0, 0, 0], whole.criterion[1, 0, 1, [2, 1]])
    assert not np.array_equal(part.criterion, sc.reliability_simulation(
        **{**GRID, "fractions": [0.3], "reliabilities": [1, 0.5]}, rng=2,
        method="truematch").criterion)


@pytest.mark.slow
def test_same_bits_from_processes():
    whole = sc.reliability_simulation(**GRID, rng=1)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert same(whole, sc.reliability_simulation(**GRID, rng=1, executor=pool))


def test_finished_cells_are_kept_after_an_interrupt(tmp_path, monkeypatch):
    monkeypatch.setattr(jobs, "THREAD_SECONDS", 0.0)   # one by one, also on one thread
    path = tmp_path / "cells.npz"
    whole = sc.reliability_simulation(**GRID, rng=1)

    def stop(done, total):
        if done >= 4:
            raise KeyboardInterrupt

    with pytest.warns(sc.IncompleteWarning, match=r"of 18 cells; .* the same call$"):
        part = sc.reliability_simulation(**GRID, rng=1, progress=stop, resume=path)
    begun = sc.load_reliability_simulation(path)
    assert (part.attempts > 0).sum() == (begun.attempts > 0).sum()
    assert "of 18 cells not finished" in repr(part)
    assert 4 <= (begun.accepted > 0).sum() < 18
    told = []
    again = sc.reliability_simulation(**GRID, progress=lambda done, total: told.append(total),
                                      resume=path)
    assert same(whole, again)
    assert again.entropy == 1
    assert told[0] == 18 - (begun.accepted > 0).sum()
    # nothing is left to do, and a record resumes as a file does
    assert same(whole, sc.reliability_simulation(**GRID, rng=1, resume=path, progress=stop))
    assert same(whole, sc.reliability_simulation(**GRID, resume=again, progress=stop))


@pytest.mark.skipif(JIT_OFF, reason="a grid of minutes without JIT")
@pytest.mark.slow
def test_a_killed_run_goes_on_and_ends_with_the_same_bits(tmp_path):
    script = tmp_path / "run.py"
    script.write_text(LONG, encoding="utf-8")
    killed, calm = tmp_path / "killed.npz", tmp_path / "calm.npz"
    with subprocess.Popen([sys.executable, str(script), str(killed), "hold"],
                          stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        process.kill()
    assert process.returncode == -signal.SIGKILL
    begun = (sc.load_reliability_simulation(killed).attempts > 0).sum()
    assert 0 < begun < 40 * 9 * 2
    subprocess.run([sys.executable, str(script), str(killed)], check=True)
    subprocess.run([sys.executable, str(script), str(calm)], check=True)
    one, other = (sc.load_reliability_simulation(f"{path}.done") for path in (killed, calm))
    assert same(one, other)
    assert (one.attempts > 0).all()


def test_save_and_load(tmp_path):
    sim = sc.reliability_simulation([0.25, 0.5], [0.5], rng=3, n_resamples=20, fixed=[False, True],
                                    duplicates="shared", guess="half", n_objects=12)
    sim.save(tmp_path / "sim.npz")
    back = sc.load_reliability_simulation(tmp_path / "sim.npz")
    assert same(sim, back)
    for name in ("methods", "versions", "n_objects", "duplicates", "guess", "entropy"):
        assert getattr(back, name) == getattr(sim, name)
    assert not list(tmp_path.glob(".*"))
    (tmp_path / "text.npz").write_text("no")
    with pytest.raises(sc.ClusteringError, match="cannot be read"):
        sc.load_reliability_simulation(tmp_path / "text.npz")
    np.savez(tmp_path / "other.npz", kind="something")
    with pytest.raises(sc.ClusteringError, match="holds a something, not a reliability simulation"):
        sc.load_reliability_simulation(tmp_path / "other.npz")


# -- the model ------------------------------------------------------------------------------


def simulate(numbers, *, ones, same_one=1.0, same_zero=1.0, target=-1, shared=False, n=20,
             samples=1, method=0):
    votes, counts = np.zeros((n, 2), dtype=np.int64), np.zeros(3, dtype=np.int64)
    _kernels.reliability.simulate(numbers, ones, same_one, same_zero, target, shared, method,
                                  samples, votes, counts)
    return votes, counts


def numbers_of(seed, *, n=20, fixed=False, attempts=10):
    width = _kernels.reliability.n_numbers(n, fixed)
    return np.random.default_rng(seed).random((attempts, width))


@pytest.mark.parametrize("method", ["trace", "truematch", "truematch_heuristic"])
@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("shared", [False, True])
def test_votes_by_the_naive_loop(method, fixed, shared):
    n, ones, samples, same = 9, 3, 12, (0.7, 0.8)
    code = ["trace", "truematch", "truematch_heuristic"].index(method)
    for seed in range(6):
        numbers = numbers_of(seed, n=n, fixed=fixed, attempts=40)
        expected, accepted, tried = oracle.reliability_votes(
            numbers.tolist(), ones, n, *same, ones if fixed else None, shared, method, samples)
        votes, counts = simulate(numbers, ones=ones, same_one=same[0], same_zero=same[1], n=n,
                                 target=ones if fixed else -1, shared=shared, samples=samples,
                                 method=code)
        assert votes.tolist() == expected
        assert counts[0] == accepted
        assert counts[1] == tried or counts[2] == 1


def test_one_perfect_sample_votes_for_the_truth():
    numbers = numbers_of(0)
    votes, counts = simulate(numbers, ones=8)
    assert counts[0] == 1
    assert votes[8:, 1].sum() == votes[:8, 0].sum() == 0
    drawn = (numbers[counts[1] - 1, :20] * 20).astype(int)
    assert np.array_equal(votes.sum(axis=1), np.bincount(drawn, minlength=20))


def test_the_size_is_fixed_by_moving_draws():
    for seed in range(10):
        votes, counts = simulate(numbers_of(seed, fixed=True), ones=8, same_one=0.9,
                                 same_zero=0.2, target=8)
        assert counts[0] == 1
        assert votes[:, 1].sum() == 8


def test_copies_of_an_object_may_share_their_class():
    mixed = {False: 0, True: 0}
    for shared in mixed:
        for seed in range(10):
            votes, _ = simulate(numbers_of(seed), ones=10, same_one=0.5, same_zero=0.5,
                                shared=shared)
            mixed[shared] += ((votes > 0).sum(axis=1) == 2).sum()
    assert mixed[True] == 0 < mixed[False]


def test_shares_of_right_classes():
    """P(1|1) = rel + (1 - rel) f and P(0|0) = rel + (1 - rel)(1 - f)."""
    right = np.zeros(2)
    total = np.zeros(2)
    for seed in range(400 if not JIT_OFF else 40):
        votes, _ = simulate(numbers_of(seed), ones=6, same_one=0.65, same_zero=0.85)
        for k, own in enumerate((slice(6, None), slice(6))):
            total[k] += votes[own].sum()
            right[k] += votes[own, k].sum()
    error = np.sqrt(0.25 / total)
    assert (np.abs(right / total - [0.85, 0.65]) < 4.5 * error).all()


def test_objects_that_no_sample_drew_are_left_out():
    """One sample of a clusterer that is always right: each drawn object is certain."""
    sim = sc.reliability_simulation([0.5], [1.0], rng=0, n_resamples=1, n_objects=12)
    assert (sim.uncertainty == 0.0).all()
    assert (sim.complexity > 0.0).all()


def test_absorbed_cells_end_early():
    sim = sc.reliability_simulation([0.1], [0.0], method="trace", rng=0,
                                    n_objects=GRID["n_objects"])
    assert sim.degenerate.all()
    assert np.isnan(sim.criterion).all()
    assert sim.attempts.item() < 20_000


# -- record and messages --------------------------------------------------------------------


def test_text_frame_and_figures():
    sim = sc.reliability_simulation(np.arange(1, 10) / 10, np.arange(0, 11) / 10, rng=0,
                                    n_resamples=40 if not JIT_OFF else 3, n_objects=20,
                                    fixed=[False, True])
    frame = sim.to_frame()
    assert len(frame) == 2 * 2 * 9 * 11
    row = frame.iloc[2 * 99 + 14]
    assert row["method"] == "truematch"
    assert row["fraction"] == 0.2
    assert row["reliability"] == 0.3
    assert row["attempts"] == sim.attempts[1, 0, 1, 3]
    assert "truematch" in str(sim)
    assert "9 fractions x 11 reliabilities" in repr(sim)
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt
    for version in ("free", "fixed"):
        axes = sim.plot(version=version)
        assert axes.shape == (2, 3)
        assert axes[1, 1].get_title(loc="left") == "uncertainty, truematch"
        plt.close(axes[0, 0].figure)
    with pytest.raises(ValueError, match="version='both'"):
        sim.plot(version="both")


def test_smoothing_keeps_a_plane_and_leaves_out_what_is_degenerate():
    from softclust.extensions.truecluster.truecluster_charts import smooth
    f, rel = np.linspace(0, 1, 40), np.linspace(0, 1, 30)
    plane = 0.3 + 0.5 * f[:, None] - 0.2 * rel
    plane[:10, :5] = np.nan
    found = smooth(plane, f, rel)
    # local lines reproduce a plane
    assert np.allclose(found, plane, atol=1e-8, equal_nan=True)


@pytest.mark.parametrize(("changes", "message"), [
    ({"fractions": [0.001]}, "leave one of two clusters"),
    ({"fractions": [0.3, 0.30001]}, "equal entries"),
    ({"fractions": [[0.3]]}, "1 axes are needed"),
    ({"reliabilities": [1.5]}, r"\[0, 1\]"),
    ({"reliabilities": []}, "empty"),
    ({"n_resamples": 0}, "n_resamples is 0"),
    ({"n_objects": 1}, "n_objects is 1"),
    ({"reliabilities": [0.2, -1]}, r"\[-1\.\] are outside"),
    ({"method": ["trace", "trace"]}, "method is empty or has equal"),
    ({"resume": "/no/such/folder/x.npz"}, "folder"),
])
def test_messages(changes, message):
    with pytest.raises(sc.ClusteringError, match=message):
        sc.reliability_simulation(**{"fractions": [0.5], "reliabilities": [0.5], **changes})


def test_two_objects_are_the_fewest():
    sim = sc.reliability_simulation([0.5], [1.0], n_resamples=5, n_objects=2, rng=1)
    assert sim.n_objects == 2
    assert np.isfinite(sim.criterion).all()


def test_other_options_do_not_resume():
    sim = sc.reliability_simulation([0.5], [0.5], n_resamples=5, n_objects=10, rng=1)
    for changes, message in (({"n_resamples": 6}, "n_resamples=5"), ({"rng": 2}, "rng=1"),
                             ({"guess": "half"}, "guess='margins'")):
        with pytest.raises(sc.ClusteringError, match=message):
            sc.reliability_simulation([0.5], [0.5], resume=sim, **{
                "n_resamples": 5, "n_objects": 10, **changes})
    with pytest.raises(ValueError, match="duplicates"):
        sc.reliability_simulation([0.5], [0.5], duplicates="some")
    with pytest.raises(TypeError, match="fixed"):
        sc.reliability_simulation([0.5], [0.5], fixed=["free"])
    with pytest.raises(TypeError, match="fixed is None"):
        sc.reliability_simulation([0.5], [0.5], fixed=None)
    with pytest.raises(ValueError, match="method=None"):
        sc.reliability_simulation([0.5], [0.5], method=None)
    with pytest.raises(TypeError, match="resume is 3; a path or"):
        sc.reliability_simulation([0.5], [0.5], resume=3)
    with pytest.raises(FileNotFoundError, match=r"No such folder; create it first.*none"):
        sim.save("none/here/cells.npz")


def test_cells_that_are_missing_in_a_record_are_simulated(tmp_path):
    path = tmp_path / "cells.npz"
    options = {"n_resamples": 5, "n_objects": 10, "method": "truematch", "rng": 1}
    for f, rel in ((0.3, 0.5), (0.5, 1.0)):
        sc.reliability_simulation([f], [rel], resume=path, **options)
    half = sc.load_reliability_simulation(path)
    assert half.attempts.ravel().tolist().count(0) == 2
    assert "2 of 4 cells are not finished" in str(half)
    assert "nan" not in str(half)
    whole = sc.reliability_simulation([0.3, 0.5], [0.5, 1.0], **options)
    half.save(tmp_path / "again.npz")
    for resumed in (half, tmp_path / "again.npz"):
        found = sc.reliability_simulation([0.3, 0.5], [0.5, 1.0], resume=resumed, **options)
        np.testing.assert_array_equal(found.criterion, whole.criterion)
        np.testing.assert_array_equal(found.attempts, whole.attempts)


def test_an_interrupt_without_a_file_loses_nothing():
    def stop(done, total):
        if done >= 4:
            raise KeyboardInterrupt

    whole = sc.reliability_simulation(**GRID, rng=1)
    with pytest.warns(sc.IncompleteWarning, match="with resume=this result"):
        part = sc.reliability_simulation(**GRID, rng=1, progress=stop)
    assert same(whole, sc.reliability_simulation(**GRID, resume=part))
