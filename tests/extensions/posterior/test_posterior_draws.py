"""What counts as posterior draws, what is no draw, and searches that are cut short."""

import signal
import threading
import warnings

import numpy as np
import pytest

import softclust as sc
from softclust.extensions.posterior import _search as search
from softclust.extensions.posterior import point
from softclust.extensions.posterior._draws import read_draws

DRAWS = [[0, 0, 1, 1, 1], [5, 5, 2, 2, 0], [0, 0, 0, 1, 1], [3, 3, 1, 1, 1]]


class Labelled:
    """What this package asks of an array with named dimensions."""

    def __init__(self, values, dims):
        self.values, self.dims = np.asarray(values), dims

    def transpose(self, *dims):
        return Labelled(self.values.transpose([self.dims.index(d) for d in dims]), dims)


def test_every_form_of_draws_is_read_alike():
    import pandas as pd
    whole = np.array(DRAWS)
    forms = [DRAWS, whole, whole.astype(float), whole.astype(np.uint8), whole[None],
             whole.reshape(2, 2, 5), np.asfortranarray(whole), pd.DataFrame(DRAWS).T,
             pd.DataFrame(DRAWS, dtype="Int64").T, whole.astype(object), whole + 2**40,
             np.ma.masked_array(whole), sc.Ensemble(DRAWS), [sc.HardClustering(z) for z in DRAWS],
             sc.Ensemble.from_runs(DRAWS), Labelled(whole, ("draw", "obs")),
             Labelled(whole.T, ("obs", "sample")),
             Labelled(whole.reshape(2, 2, 5).transpose(2, 1, 0), ("obs", "draw", "chain"))]
    wanted = read_draws(DRAWS)
    assert wanted.rows.tolist() == [[0, 0, 1, 1, 1], [0, 0, 1, 1, 2], [0, 0, 0, 1, 1]]
    assert wanted.index.tolist() == [0, 1, 2, 0]
    for form in forms:
        found = read_draws(form)
        assert found.rows.tolist() == wanted.rows.tolist()
        assert found.index.tolist() == wanted.index.tolist()
        assert found.rows.dtype == np.uint16
    assert read_draws(forms[-1]).n_chains == 2
    assert read_draws(whole).n_chains == 0


def test_xarray_and_arviz():
    xarray = pytest.importorskip("xarray")
    z = xarray.DataArray(np.array(DRAWS).reshape(2, 2, 5), dims=("chain", "draw", "z_dim_0"))
    assert sc.posterior_partition(z, rng=0).labels.tolist() == [0, 0, 1, 1, 1]
    with pytest.raises(sc.ClusteringError, match=r"give the one with the labels"):
        sc.posterior_partition(xarray.Dataset({"z": z}))
    stacked = z.stack(sample=("chain", "draw"))
    assert sc.expected_loss(DRAWS[0], stacked) == sc.expected_loss(DRAWS[0], DRAWS)


def test_names_of_objects_come_from_an_ensemble():
    runs = sc.Ensemble([sc.HardClustering(z, object_names=list("abcde")) for z in DRAWS])
    found = sc.posterior_partition(runs, rng=0)
    assert found.clustering.object_names == tuple("abcde")
    assert found.objects().index.tolist() == list("abcde")
    assert found.core().to_frame().index[0] == "a"


def test_many_labels_in_wide_types():
    rng = np.random.default_rng(0)
    draws = rng.permutation(np.repeat(np.arange(400), 2))[None].repeat(2, axis=0).tolist()
    found = read_draws(draws)
    assert found.rows.dtype == np.uint16
    assert found.n_clusters.tolist() == [400]
    first = {}
    assert found.rows[0].tolist() == [first.setdefault(v, len(first)) for v in draws[0]]


FUZZY = sc.FuzzyClustering([[0.5, 0.5], [1, 0]])


@pytest.mark.parametrize(("draws", "message"), [
    ([0, 0, 1], r"shape \(3,\), which is one clustering; give draws as rows"),
    (sc.HardClustering([0, 1]), "single HardClustering; give draws as rows"),
    ([], "at least one of each"),
    (np.zeros((0, 4), int), "at least one of each"),
    (np.zeros((2, 2, 2, 2), int), "at least one of each"),
    ([[0, -1], [0, 1]], "draws holds the label -1, which is negative; draws must be"),
    ([[0, 1], [0, np.nan]], "object 1 is absent from draw '1'; draws must be complete"),
    ([[0, 1], [0, None]], "object 1 is absent from draw"),
    ([[0.5, 0.5], [1, 0]], "run '0' has the label 0.5 for object 0; whole numbers"),
    ([[0, 1], [0]], "rows of different lengths"),
    ([["a", "b"]], "whole numbers are needed"),
    (np.ma.masked_array([[0, 1]], mask=[[0, 1]]), "masked labels; draws must be complete"),
    (sc.Ensemble.from_runs([[0, -1], [0, 1]]), "object 1 is absent from draw '0'; draws must be"),
    (sc.Ensemble([FUZZY]), "member '0' is fuzzy; runs are hard clusterings: .harden"),
    (Labelled(np.zeros((2, 2, 2), int), ("draw", "a", "b")), "chain, draw and one dimension of"),
])
def test_what_is_no_draw(draws, message):
    for function in (sc.posterior_partition, sc.partition_core,
                     lambda d: sc.partition_representatives(d, 1),
                     lambda d: sc.credible_ball([0, 1], d),
                     lambda d: sc.expected_loss([0, 1], d)):
        with pytest.raises(sc.ClusteringError, match=message):
            function(draws)


def test_what_is_no_option():
    for options, message in [
            ({"loss": "rand"}, "loss='rand' is not known; choose one of 'vi', 'binder', 'nvi'"),
            ({"a": 0}, r"a is 0; a number in \(0, 2\)"), ({"a": 2.0}, r"a number in \(0, 2\)"),
            ({"a": "x"}, r"a number in \(0, 2\)"),
            ({"a": 0.5, "loss": "nid"}, "a belongs to the losses 'vi' and 'binder'")]:
        with pytest.raises(ValueError, match=message):
            sc.expected_loss(DRAWS[0], DRAWS, **options)
        with pytest.raises(ValueError, match=message):
            sc.posterior_partition(DRAWS, **options)
    for name in ("max_clusters", "n_starts"):
        for value in (0, 1.5, True, "x"):
            with pytest.raises(ValueError, match=f"{name} is .*; a whole number >= 1 or None"):
                sc.posterior_partition(DRAWS, **{name: value})
    for value in (0, -1, "x", float("nan")):
        with pytest.raises(ValueError, match=r"time_limit is .*; a number > 0 or None"):
            sc.posterior_partition(DRAWS, time_limit=value)
    for weights in ([1, 1], [1, 1, 1, -1], [0] * 4, ["a"] * 4, [np.nan] * 4):
        with pytest.raises(sc.ClusteringError, match="weights"):
            sc.posterior_partition(DRAWS, weights=weights)
    with pytest.raises(TypeError, match="executor is 3"):
        sc.posterior_partition(DRAWS, executor=3)


def test_what_is_no_estimate():
    with pytest.raises(sc.ClusteringError, match="estimates has 2 objects and the draws have 5"):
        sc.expected_loss([0, 1], DRAWS)
    with pytest.raises(sc.ClusteringError, match="estimates is fuzzy; a hard"):
        sc.expected_loss(FUZZY, [[0, 1]])
    with pytest.raises(sc.ClusteringError, match="estimates is empty"):
        sc.expected_loss([], DRAWS)


def test_one_estimate_or_several():
    one = sc.expected_loss(DRAWS[0], DRAWS)
    assert one.shape == (1,)
    assert sc.expected_loss([sc.posterior_partition(DRAWS, rng=0), DRAWS[1]], DRAWS).shape == (2,)
    for same in (sc.HardClustering(DRAWS[0]), sc.posterior_partition(DRAWS, rng=0), [DRAWS[0]],
                 np.array(DRAWS[:1]),
                 sc.Ensemble([DRAWS[0]]), [sc.HardClustering(DRAWS[0])], list("aabbb")):
        assert sc.expected_loss(same, DRAWS).tolist() == one.tolist()


# -- cut short --------------------------------------------------------------------------------
def many():
    rng = np.random.default_rng(0)
    return rng.integers(0, 6, (60, 150))


def test_out_of_time_keeps_the_best_so_far():
    with pytest.warns(sc.IncompleteWarning, match=r"stopped by time_limit after \d+ of 16 starts"):
        found = sc.posterior_partition(many(), time_limit=1e-4, rng=0)
    assert not found.converged
    assert found.interrupted
    assert found.labels.size == 150
    assert found.expected_loss == pytest.approx(sc.expected_loss(found.labels, many())[0])
    assert 0.0 <= found.bound <= found.expected_loss
    assert "Stopped by time_limit" in str(found)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_keeps_the_best_so_far(threads, monkeypatch):
    calls = []
    sweep = search.Descent.sweep

    def interrupting(self, order):
        moved = sweep(self, order)
        calls.append(1)
        if len(calls) == 3:
            signal.raise_signal(signal.SIGINT) if threads == 1 else _interrupt_main()
        return moved

    monkeypatch.setattr(search.Descent, "sweep", interrupting)
    sc.set_num_threads(threads)
    try:
        with pytest.warns(sc.IncompleteWarning, match=r"interrupted after \d+ of 16 starts"):
            found = sc.posterior_partition(many(), rng=0)
    finally:
        sc.set_num_threads(None)
    assert not found.converged
    assert np.isnan(found.bound)
    assert found.expected_loss == pytest.approx(sc.expected_loss(found.labels, many())[0])


def test_ctrl_c_while_bounds_are_computed_keeps_the_estimate(monkeypatch):
    def interrupting(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(point, "lower_bound", interrupting)
    with pytest.warns(sc.IncompleteWarning, match="call it again for the bound"):
        found = sc.posterior_partition(DRAWS, rng=0)
    assert np.isnan(found.bound)
    assert np.isnan(found.gap)
    assert not found.optimal
    assert found.labels.tolist() == [0, 0, 1, 1, 1]


def _interrupt_main():
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)


def test_progress_counts_starts():
    seen = []
    sc.posterior_partition(DRAWS, n_starts=6, rng=0, progress=lambda done, total: seen.append(
        (done, total)))
    assert seen == [(4, 6), (6, 6)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sc.posterior_partition(DRAWS, n_starts=6, rng=0).n_starts == 6
