"""A race of numbers of clusters: the number of a full search, and the bits of what is finished."""

import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
from strategies import JIT_OFF

import softclust as sc
from softclust.selection import cells

thousands_of_fits = pytest.mark.skipif(JIT_OFF, reason="thousands of k-means fits")


@cache
def data():
    return sc.datasets.bbc_gaussians(1, rng=1).data


@thousands_of_fits
@pytest.mark.parametrize("criterion", ["entropy", "pairwise_entropy"])
def test_a_race_finds_the_same_number_and_its_bits(criterion):
    options = {"criterion": criterion, "scale": [1.0, 2.0], "rng": 3}
    whole = sc.cluster_number(data(), range(2, 5), race=False, **options)
    raced = sc.cluster_number(data(), range(2, 5), **options)
    assert (whole.n_resamples == 200).all()
    assert set(raced.n_resamples.ravel().tolist()) <= {20, 40, 80, 200}
    np.testing.assert_array_equal(raced.best_by_scale, whole.best_by_scale)
    full = raced.n_resamples == 200
    assert full.any(axis=0).all()
    assert not full.all()
    for name in ("criterion", "mc_error", "entropy", "pairwise_entropy"):
        np.testing.assert_array_equal(getattr(raced, name)[full], getattr(whole, name)[full])
    assert raced.given_up == [k for k, row in zip(raced.n_clusters, full) if not row.all()]
    assert not whole.behind.any()
    assert "dropped" not in str(whole)
    assert "replicates" not in str(whole)


@thousands_of_fits
def test_tables_frames_and_charts_say_what_each_number_got():
    raced = sc.cluster_number(data(), [2, 3, 4], rng=3)
    j = int(np.flatnonzero(raced.n_clusters == raced.given_up[0])[0])
    few, value = raced.n_resamples[j, 0], raced.criterion[j, 0]
    row = next(line for line in str(raced).splitlines()
               if line.split()[0] == str(raced.given_up[0]))
    assert row.split()[1] == f"({value:.4f})"
    assert str(few) in row.split()
    assert "clearly worse" in str(raced)
    assert "race=False" in str(raced)
    taxonomy = str(raced.taxonomy())
    assert f"({value:.4f})" in taxonomy
    assert f"({value:.4f})*" not in taxonomy
    frame = raced.to_frame()
    assert frame.given_up.tolist() == raced.behind[:, 0].tolist()
    assert frame.n_resamples.tolist() == raced.n_resamples[:, 0].tolist()
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt
    for kind in ("curves", "taxonomy"):
        ax = raced.plot(kind=kind)
        hollow = [line for line in ax.lines if line.get_gid() == "given up"]
        assert {len(line.get_xdata()) for line in hollow} == {int(raced.behind.sum())}
        said = " ".join(text.get_text() for text in ax.texts)
        assert (f"{few} of " if kind == "curves" else "stopped early") in said
    plt.close("all")


@thousands_of_fits
def test_what_a_race_gives_up_has_the_entropy_of_a_short_fit_and_workers_change_nothing():
    raced = sc.cluster_number(data(), [2, 3, 4], rng=3)
    seeds = np.random.default_rng(3).integers(0, 2**63 - 1, size=4).tolist()
    for j, k in enumerate((2, 3, 4)):
        fit = sc.BayesianBaggedClustering(k, n_resamples=int(raced.n_resamples[j, 0]),
                                          random_state=seeds[j] % 2**32)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert raced.criterion[j, 0] == np.nanmean(fit.fit(data()).entropy_)
    with ThreadPoolExecutor(2) as pool:
        again = sc.cluster_number(data(), [2, 3, 4], rng=3, executor=pool)
    np.testing.assert_array_equal(again.criterion, raced.criterion)
    np.testing.assert_array_equal(again.n_resamples, raced.n_resamples)


def test_who_is_far_behind():
    assert cells.stages(200) == [20, 40, 80, 200]
    assert cells.stages(199) == [199]

    def runner(value, error, **given):
        return cells.Runner(cell=None, value=cells.CellValue(
            criterion=value, mc_error=error, **given))

    runners = {0: runner(1.0, 0.3), 1: runner(2.6, 0.4), 2: runner(2.4, 0.4),
               3: runner(9.0, float("nan")), 4: runner(0.1, 0.1, dropped=True),
               5: runner(float("nan"), 0.1)}
    assert cells._far_behind(runners) == [1]   # 3 sqrt(0.3^2 + 0.4^2) = 1.5


def test_race_is_true_or_false_and_leaves_other_criteria_alone():
    first, second = (sc.cluster_number(data(), [2, 3], criterion="silhouette", race=race, rng=0)
                     for race in (False, True))
    np.testing.assert_array_equal(first.criterion, second.criterion)
    with pytest.raises(TypeError, match="race is 1; True or False is needed"):
        sc.cluster_number(data(), [2, 3], race=1)


@thousands_of_fits
def test_a_failing_runner_is_named_and_ctrl_c_keeps_what_is_finished(monkeypatch):
    plain = cells.Runner.after

    def failing(self, x, stage):
        if self.cell.estimator.n_clusters == 2 and stage == 40:
            raise RuntimeError("no such luck")
        if self.cell.estimator.n_clusters == 3 and stage == stop:
            raise KeyboardInterrupt
        return plain(self, x, stage)

    monkeypatch.setattr(cells.Runner, "after", failing)
    monkeypatch.setattr(cells, "BEHIND", 1e9)
    stop = -1
    with pytest.warns(Warning, match="no such luck"):
        found = sc.cluster_number(data(), [2, 3], rng=3)
    assert found.best == 3
    assert "K = 2, scale 1: RuntimeError: no such luck" in found.failures
    monkeypatch.setattr(cells, "BEHIND", 0.0)   # all but the best are given up at once
    stop = 40
    with pytest.warns(Warning, match="interrupted"):
        found = sc.cluster_number(data(), [3, 4], rng=3)
    assert found.best is None
    assert found.missing == (3,)
