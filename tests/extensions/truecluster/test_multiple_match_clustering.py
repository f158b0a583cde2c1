"""MultipleMatchClustering: stored criterion, bits, clusterers, interruption, files, messages."""

import json
import pickle
import signal
import subprocess
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator
from strategies import JIT_OFF
from together import SPARSE_CHECKS

import softclust as sc

ITEM = next(item for item in json.loads((Path(__file__).parents[2] / "golden" / "truecluster.json")
                                        .read_text(encoding="utf-8"))["items"]
            if item["id"] == "mmcc-kmeans")
X = np.array(ITEM["input"]["X"])
#: three groups of six objects
SMALL = np.random.default_rng(0).normal(scale=0.2, size=(18, 2)) + np.repeat(
    [[0, 0], [3, 0], [0, 3]], 6, axis=0)
FITTED = ("votes_", "membership_", "labels_", "entropy_", "cluster_centers_", "history_")
B = 60 if not JIT_OFF else 6

#: writes its state each time; with "hold" it stops to be killed when some of the work is written
RUN = """
import os, sys, threading, numpy as np, softclust as sc
from softclust.ensembles import checkpoint
checkpoint._SECONDS = checkpoint._TIMES = 0.0
def hold(done, total):
    if sys.argv[3:] == ["hold"] and os.path.exists(sys.argv[1]):
        print("held", flush=True)
        threading.Event().wait()
x = np.random.default_rng(0).normal(size=(200, 3))
fit = sc.MultipleMatchClustering(n_clusters=4, n_resamples=6000, tol=None, random_state=3,
                                 checkpoint=sys.argv[1], progress=hold).fit(x)
np.save(sys.argv[2], fit.votes_)
"""


def fitted(**options):
    x = options.pop("x", SMALL)
    options = {"n_clusters": 3, "n_resamples": B, "tol": None, "n_init": 2, "random_state": 1,
               **options}
    return sc.MultipleMatchClustering(**options).fit(x)


def same(a, b, names=FITTED):
    return all(np.array_equal(getattr(a, name), getattr(b, name),
                              equal_nan=getattr(a, name).dtype.kind == "f") for name in names)


@pytest.mark.skipif(JIT_OFF, reason="thousands of fits")
def test_number_of_clusters_by_the_criterion():
    found = {}
    for c in range(1, 7):
        fit = sc.MultipleMatchClustering(n_clusters=c, n_resamples=400, tol=None, n_init=5,
                                         random_state=0).fit(X)
        found[c] = fit.cic_.criterion
    for c, value in ITEM["expected"]["criterion"].items():
        assert abs(found[int(c)] - value) <= ITEM["tolerance"][c], found
    assert max(found, key=found.get) == ITEM["expected"]["best_n_clusters_of_1_to_6"]


def test_what_is_fitted():
    fit = fitted()
    assert fit.votes_.sum() == 18 * B   # everyone votes in each replicate
    assert fit.n_resamples_ == B
    assert fit.n_attempts_ == B + fit.n_dropped_
    assert np.array_equal(fit.membership_, fit.votes_ / B)
    assert np.array_equal(fit.clustering_.membership, fit.membership_)
    assert sc.rand_index(fit.labels_, np.repeat([0, 1, 2], 6)) == 1
    assert np.allclose(fit.entropy_, sc.membership_entropy(fit.clustering_, average=False),
                       rtol=0, atol=1e-14)   # sums of three numbers
    assert fit.cic_ == sc.cluster_information_criterion(fit.clustering_)
    assert fit.cluster_centers_.shape == (B, 3, 2)
    # aligned centres lie with the group of their number
    for k in range(3):
        group = SMALL[fit.labels_ == k].mean(axis=0)
        assert np.abs(np.median(fit.cluster_centers_[:, k], axis=0) - group).max() < 0.5
    assert np.array_equal(fit.predict(SMALL), fit.labels_)
    assert fit.assign([[3.0, 0.1]]).membership.argmax() == fit.labels_[6]
    assert not fit.degenerate_
    assert not fit.converged_


def test_bits_do_not_depend_on_threads_workers_or_chunks(monkeypatch):
    whole = fitted()
    for threads in (1, 4):
        try:
            sc.set_num_threads(threads)
            assert same(whole, fitted())
        finally:
            sc.set_num_threads(None)
    with ThreadPoolExecutor(3) as pool:
        assert same(whole, fitted(executor=pool))
    monkeypatch.setattr("softclust.running.jobs.THREAD_SECONDS", 1e-6)
    assert same(whole, fitted())
    assert not same(whole, fitted(random_state=2), ["votes_"])


@pytest.mark.slow
def test_bits_from_processes():
    options = {"estimator": KMeans(n_init=1, tol=1e-3), "n_resamples": 8}
    names = ["votes_", "labels_"]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert same(fitted(), fitted(executor=pool))
        assert same(fitted(**options), fitted(executor=pool, **options), names)


@pytest.mark.slow
def test_bits_from_dask():
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")   # ports that are taken
        cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False,
                                           dashboard_address=":0")
        with cluster, distributed.Client(cluster) as client:
            assert same(fitted(), fitted(executor=client.get_executor()))


def test_ready_draws_give_the_votes_of_the_loop():
    """The whole run by hand: k-means of each draw, labels, `mmcc` with the same numbers."""
    from softclust.ensembles.resampled_kmeans import KMeansLabels
    from softclust.ensembles.schemes import EFRON, Ready, Scheme
    from softclust.running.random_numbers import Streams
    indices = np.random.default_rng(5).integers(0, 18, (8, 18))
    fit = sc.MultipleMatchClustering(n_clusters=3, tol=None, n_init=2, random_state=1,
                                     degenerate="keep").fit(SMALL, indices=indices)
    streams = Streams(1)
    ready = Ready(first=0, source=indices, points=np.empty((8, 0, 2)), weights=np.ones((8, 18)))
    work = KMeansLabels(x=SMALL, scheme=Scheme(code=EFRON, n=18, d=2, m=18), streams=streams,
                        ready=ready, n_clusters=3, n_init=2, max_iter=300, predict=True)
    block = work(0, 8)
    for b in range(8):
        near = ((SMALL[:, None] - block.centers[b]) ** 2).sum(axis=2).argmin(axis=1)
        assert np.array_equal(block.labels[b], near)
    votes = sc.mmcc(block.labels, uniforms=block.uniforms, n_clusters=3).votes
    assert np.array_equal(votes, fit.votes_)
    assert fit.n_resamples_ == 8


# -- clusterers -----------------------------------------------------------------------------


def test_any_clusterer():
    fit = fitted(estimator=KMeans(n_init=1, tol=1e-3), n_resamples=6, keep_estimators=True)
    assert sc.rand_index(fit.labels_, np.repeat([0, 1, 2], 6)) > 0.9
    assert fit.votes_.sum() == 18 * 6
    assert np.array_equal(fit.predict(SMALL), fit.membership_.argmax(axis=1))
    again = fitted(estimator=KMeans(n_init=1, tol=1e-3), n_resamples=6)
    assert same(fit, again, ["votes_", "labels_"])
    with pytest.raises(sc.ClusteringError, match="keep_estimators=True"):
        again.predict(SMALL)


def test_soft_clusterers_vote_in_fractions():
    fit = fitted(estimator=sc.cluster.FuzzyCMeans(n_init=1), n_resamples=6)
    assert fit.votes_.sum(axis=1) == pytest.approx(np.full(18, 6.0))
    assert (fit.votes_ != np.round(fit.votes_)).any()
    assert sc.rand_index(fit.labels_, np.repeat([0, 1, 2], 6)) == 1


def test_clusterers_without_predict():
    with pytest.raises(sc.ClusteringError, match="out_of_bag='skip'"):
        fitted(estimator=AgglomerativeClustering())
    fit = fitted(estimator=AgglomerativeClustering(), out_of_bag="skip", n_resamples=8)
    assert fit.votes_.sum() < 18 * 8
    assert fit.votes_.max() <= 8


class Moody(BaseEstimator):
    """k-means that fails or merges clusters for some seeds."""

    def __init__(self, n_clusters=3, random_state=None, mood="fail"):
        self.n_clusters = n_clusters
        self.random_state = random_state
        self.mood = mood

    def fit(self, X, y=None):
        bad = self.random_state % 3 == 0
        if self.mood == "always" or (bad and self.mood == "fail"):
            raise RuntimeError("not today")
        self.fit_ = KMeans(self.n_clusters, n_init=1, random_state=0).fit(X)
        self.labels_ = self.fit_.labels_ * (0 if bad and self.mood == "merge" else 1)
        self.merged_ = bad and self.mood == "merge"
        return self

    def predict(self, X):
        return self.fit_.predict(X) * (0 if self.merged_ else 1)


def test_failed_replicates_are_told_with_their_reason():
    with pytest.warns(sc.FailedReplicatesWarning, match="RuntimeError: not today"):
        fit = fitted(estimator=Moody(), n_resamples=9)
    assert len(fit.failures_) > 0
    assert fit.n_resamples_ + len(fit.failures_) == 9
    assert fit.votes_.sum() == 18 * fit.n_resamples_
    with pytest.raises(sc.ClusteringError, match="all 4 replicates failed"):
        fitted(estimator=Moody(mood="always"), n_resamples=4)


def test_replicates_with_too_few_clusters_are_replaced():
    fit = fitted(estimator=Moody(mood="merge"), n_resamples=6)
    assert fit.n_resamples_ == 6
    assert fit.n_dropped_ > 0
    kept = fitted(estimator=Moody(mood="merge"), n_resamples=6, degenerate="keep")
    assert kept.n_dropped_ == 0
    with pytest.warns(sc.ResamplingWarning,
                      match="of 6 replicates voted after 5 attempts, .*raise max_attempts"):
        few = fitted(estimator=Moody(mood="merge"), n_resamples=6, max_attempts=5)
    assert few.n_attempts_ == 5
    same_object = np.zeros((3, 6), dtype=int)
    with pytest.raises(sc.ClusteringError, match=r"none of 3 replicates.*degenerate='keep'"):
        sc.MultipleMatchClustering(random_state=0).fit([[0.0]] * 5 + [[9.0]], indices=same_object)


def test_objects_without_votes_have_the_label_of_a_whole_fit():
    indices = np.tile(np.arange(17)[:, None], (1, 3)).T[:, np.r_[0:17, 0]]   # never object 17
    with pytest.warns(sc.ResamplingWarning, match="1 of 18 objects have no votes"):
        fit = sc.MultipleMatchClustering(n_clusters=3, tol=None, n_init=2, random_state=1,
                                         out_of_bag="skip").fit(SMALL, indices=indices)
    assert np.isnan(fit.membership_[17]).all()
    assert np.isnan(fit.entropy_[17])
    assert fit.labels_[17] == fit.labels_[16]
    with pytest.raises(sc.ClusteringError, match="1 objects have no votes"):
        _ = fit.clustering_


# -- stopping, going on ---------------------------------------------------------------------


@pytest.mark.skipif(JIT_OFF, reason="hundreds of fits")
def test_stops_when_the_votes_settle():
    fit = fitted(n_resamples=5000, tol=0.02)
    assert fit.converged_
    assert fit.n_resamples_ % 50 == 0
    assert 200 <= fit.n_resamples_ < 5000
    last = fit.history_[-1]
    assert last["n_resamples"] == fit.n_resamples_
    assert last["standard_error"] <= 0.02
    p = fit.membership_
    assert last["standard_error"] == np.sqrt(p * (1 - p) / fit.n_resamples_).max()
    assert last["criterion"] == fit.cic_.criterion
    exact = fitted(n_resamples=fit.n_resamples_)
    assert same(fit, exact)   # where it stops changes nothing before
    with pytest.warns(ConvergenceWarning, match="did not settle within tol=0.0001 after 250"):
        fitted(x=X, n_resamples=250, tol=1e-4)


def test_more_replicates_equal_one_go():
    whole = fitted(n_resamples=B)
    fit = sc.MultipleMatchClustering(n_clusters=3, n_resamples=B // 2, tol=None, n_init=2,
                                     random_state=1, warm_start=True).fit(SMALL)
    assert fit.n_resamples_ == B // 2
    assert same(whole, fit.set_params(n_resamples=B).fit(SMALL))
    with pytest.raises(sc.ClusteringError, match="ask for more"):
        fit.set_params(n_resamples=1).fit(SMALL)
    with pytest.raises(sc.ClusteringError, match="not the data"):
        fit.set_params(n_resamples=B).fit(SMALL + 1)
    with pytest.raises(sc.ClusteringError, match=r"method was .* and is 'trace' now"):
        fit.set_params(method="trace").fit(SMALL)


@pytest.mark.parametrize("estimator", [None, KMeans(n_init=1, tol=1e-3)])
def test_an_interrupt_keeps_what_is_finished(estimator):
    options = {"n_resamples": B if estimator is None else 6, "estimator": estimator}

    def stop(done, total):
        if done >= 2:
            raise KeyboardInterrupt

    whole = fitted(**options)
    fit = sc.MultipleMatchClustering(n_clusters=3, tol=None, n_init=2, random_state=1,
                                     warm_start=True, progress=stop, **options)
    with pytest.raises(KeyboardInterrupt, match=r"after \d+ of .* with warm_start=True"):
        fit.fit(SMALL)
    begun = fit.n_resamples_
    assert 2 <= begun < options["n_resamples"] or (begun and estimator is None)
    assert fit.votes_.sum() == 18 * begun
    fit.set_params(progress=False).fit(SMALL)
    assert same(whole, fit, ["votes_", "labels_", "history_"])


def test_a_file_takes_up_where_it_ended(tmp_path):
    path = tmp_path / "votes.npz"
    whole = fitted()
    half = fitted(n_resamples=B // 2, checkpoint=path)
    assert half.n_resamples_ == B // 2
    assert same(whole, fitted(checkpoint=path))
    # an unknown seed is in the file too
    again = sc.MultipleMatchClustering(n_clusters=3, n_resamples=B, tol=None, n_init=2,
                                       checkpoint=path).fit(SMALL)
    assert same(whole, again)
    with pytest.raises(sc.ClusteringError, match="another random_state"):
        fitted(checkpoint=path, random_state=2)
    with pytest.raises(sc.ClusteringError, match="name another checkpoint"):
        fitted(checkpoint=path, x=SMALL + 1)
    with pytest.raises(sc.ClusteringError, match="name another checkpoint"):
        fitted(checkpoint=path, method="trace")
    with pytest.raises(sc.ClusteringError, match="cannot hold the fits"):
        fitted(checkpoint=path, estimator=KMeans(), keep_estimators=True)


@pytest.mark.skipif(JIT_OFF, reason="thousands of fits")
@pytest.mark.slow
def test_a_killed_fit_goes_on_and_ends_with_the_same_bits(tmp_path):
    script = tmp_path / "run.py"
    script.write_text(RUN, encoding="utf-8")
    path, calm = tmp_path / "votes.npz", tmp_path / "calm.npz"
    with subprocess.Popen([sys.executable, str(script), str(path), str(tmp_path / "a.npy"), "hold"],
                          stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        process.kill()
    assert process.returncode == -signal.SIGKILL
    with np.load(path) as state:
        assert 0 < state["counts"][0] < 6000
        assert state["votes"].sum() == 200 * state["counts"][0]
    for file, name in ((path, "a.npy"), (calm, "b.npy")):
        subprocess.run([sys.executable, str(script), str(file), str(tmp_path / name)], check=True)
    assert np.array_equal(np.load(tmp_path / "a.npy"), np.load(tmp_path / "b.npy"))


# -- the rest -------------------------------------------------------------------------------


def test_copies_and_pickles():
    fit = fitted(n_resamples=5)
    assert same(fit, pickle.loads(pickle.dumps(fit)))
    with ThreadPoolExecutor(1) as pool:
        model = sc.MultipleMatchClustering(n_clusters=3, executor=pool)
        assert clone(model).executor is pool
        assert pickle.loads(pickle.dumps(model)).executor is None
    assert "n_clusters=3" in repr(sc.MultipleMatchClustering(n_clusters=3))


@pytest.mark.slow
@pytest.mark.skipif(JIT_OFF, reason="hundreds of fits; nothing in them depends on JIT")
@pytest.mark.filterwarnings("ignore")
def test_check_estimator():
    check_estimator(sc.MultipleMatchClustering(n_resamples=20, tol=None, n_init=1), on_skip=None,
                    expected_failed_checks=SPARSE_CHECKS)


def test_one_cluster():
    fit = fitted(n_clusters=1, n_resamples=4)
    assert (fit.labels_ == 0).all()
    assert fit.cic_.criterion == 0


@pytest.mark.parametrize(("options", "message"), [
    ({"n_clusters": 0}, "n_clusters is 0"), ({"n_resamples": 0}, "n_resamples is 0"),
    ({"n_clusters": 19}, "18 distinct objects"), ({"tol": -1}, "tol is -1"),
    ({"max_attempts": 0}, "max_attempts is 0"), ({"n_init": 0}, "n_init is 0"),
])
def test_messages(options, message):
    with pytest.raises(sc.ClusteringError, match=message):
        fitted(**options)


def test_other_messages():
    with pytest.raises(ValueError, match="'predict', 'skip'"):
        fitted(out_of_bag="guess")
    with pytest.raises(ValueError, match="'drop', 'keep'"):
        fitted(degenerate="replace")
    with pytest.raises(ValueError, match="'trace'"):
        fitted(method="best")
    with pytest.raises(TypeError, match="executor"):
        fitted(executor=3)
    with pytest.raises(TypeError, match="without fit"):
        fitted(estimator="kmeans")
    for indices, message in (([[0, 1]], r"\(B, 18\)"), (np.full((2, 18), 18), "18"),
                             (np.zeros((2, 18)), "float64")):
        with pytest.raises(sc.ClusteringError, match=message):
            sc.MultipleMatchClustering(n_clusters=3).fit(SMALL, indices=indices)
    with pytest.raises(ValueError, match="NaN"):
        fitted(x=np.full((5, 2), np.nan))
