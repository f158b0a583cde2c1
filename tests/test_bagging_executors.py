"""Bagging on threads, processes and a dask cluster of two workers: the bits of the serial run."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest
from sklearn.cluster import KMeans
from strategies import JIT_OFF

import softclust as sc


@contextmanager
def threads():
    with ThreadPoolExecutor(3) as pool:
        yield pool


@contextmanager
def processes():
    # spawn: a forked child of a process with threads may hang
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@contextmanager
def dask():
    distributed = pytest.importorskip("distributed")
    with (distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0")
          as cluster, distributed.Client(cluster) as client):
        yield client.get_executor()


def fits(executor):
    x = sc.datasets.bbc_gaussians(1, rng=0).data[::3]
    count = 60 if not JIT_OFF else 6
    common = {"n_resamples": count, "random_state": 3, "executor": executor, "n_init": 2,
              "never_selected": "base"}
    draws = sc.BootstrapDraws.from_indices(x, sc.bootstrap_indices(33, count, rng=1))
    yield sc.BayesianBaggedClustering(3, **common).fit(x)
    yield sc.BaggedClustering(n_clusters=3, votes="all", **common).fit(x, draws=draws)
    yield sc.BaggedClustering(estimator=KMeans(3, n_init=1, tol=1e-3), **common).fit(x)
    yield sc.BayesianBaggedClustering(3, matching="truematch", **common).fit(x)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*:DeprecationWarning:distributed")
@pytest.mark.parametrize("make", [threads, processes, dask])
def test_the_same_bits_on_every_executor(make):
    with make() as executor:
        for serial, other in zip(fits(None), fits(executor)):
            np.testing.assert_array_equal(serial.votes_, other.votes_)
            np.testing.assert_array_equal(serial.n_selected_, other.n_selected_)
            assert serial.n_overlap_ties_ == other.n_overlap_ties_
            if serial.estimator is None:
                np.testing.assert_array_equal(serial.cluster_centers_, other.cluster_centers_)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_joblib_runs_the_replicates_under_its_own_settings(backend):
    joblib = pytest.importorskip("joblib")
    runs = {str(k): np.random.default_rng(k).integers(0, 3, 40) for k in range(6)}
    expected = sc.compare_all(runs, measure="rand_index")
    with joblib.parallel_config(backend, n_jobs=2):
        found = sc.compare_all(runs, measure="rand_index", executor="joblib")
    np.testing.assert_array_equal(found.value, expected.value)


def test_an_executor_that_is_none():
    with pytest.raises(TypeError, match="joblib"):
        sc.compare_all([[0, 1], [0, 1]], executor="dask")
