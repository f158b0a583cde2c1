"""Every function with `executor=` on a pool of spawned processes: the bits of threads."""

import inspect
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import joblib
import numpy as np
import pytest
from sklearn.cluster import KMeans

import softclust as sc
from softclust.measures import registry

X = sc.datasets.bbc_gaussians(1, rng=0).data[::3]
RUNS = {str(k): np.random.default_rng(k).integers(0, 3, 60) for k in range(5)}
ONE, TWO = RUNS["0"], RUNS["1"]
KMEANS = KMeans(3, n_init=1)
CALLS = {
    "BaggedCenters": lambda pool: sc.BaggedCenters(
        3, n_base=5, n_resamples=6, random_state=0, executor=pool).fit(X).cluster_centers_,
    "BaggedClustering": lambda pool: sc.BaggedClustering(
        n_clusters=3, n_resamples=20, random_state=0, executor=pool).fit(X).votes_,
    "BayesianBaggedClustering": lambda pool: sc.BayesianBaggedClustering(
        3, n_resamples=20, random_state=0, executor=pool).fit(X).votes_,
    "MultipleMatchClustering": lambda pool: sc.MultipleMatchClustering(
        n_clusters=3, n_resamples=20, random_state=0, executor=pool).fit(X).membership_,
    "chance": lambda pool: sc.chance(ONE, TWO, ["ARI", "AMI"], n_permutations=99, rng=0,
                                     executor=pool),
    "cluster_number": lambda pool: sc.cluster_number(
        X, [2, 3], criterion="gap", n_references=4, rng=0, executor=pool),
    "cluster_test": lambda pool: sc.cluster_test(X, 2, n_references=19, estimator=KMeans(2, tol=0),
                                                 rng=0, executor=pool),
    "compare_settings": lambda pool: sc.compare_settings(
        X, KMeans(tol=0), {"n_clusters": [2, 3]}, n_blocks=8, n_references=3, level=0.75, rng=0,
        executor=pool),
    "separation_test": lambda pool: sc.separation_test(
        X, X[:, 0] > np.median(X[:, 0]), min_size=5, n_references=19, rng=0, executor=pool),
    "compare": lambda pool: sc.compare(ONE, TWO, ci="bootstrap", n_resamples=40, rng=0,
                                       executor=pool),
    "compare_all": lambda pool: sc.compare_all(RUNS, measure="nid", executor=pool),
    "contingency_table": lambda pool: sc.contingency_table(
        ((ONE[i:i + 20], TWO[i:i + 20]) for i in range(0, 60, 20)), executor=pool).dense(),
    "posterior_partition": lambda pool: sc.posterior_partition(
        np.array(list(RUNS.values())), rng=0, executor=pool),
    "reliability_simulation": lambda pool: sc.reliability_simulation(
        [0.5], [0.5, 0.9], n_objects=20, n_resamples=10, rng=0, executor=pool),
    "replicate": lambda pool: sc.replicate([X[::2], X[1::2]], KMEANS, n_resamples=6, n_splits=2,
                                           n_references=19, rng=0, executor=pool),
    "resampled_clusterings": lambda pool: sc.resampled_clusterings(
        X, KMEANS, n_resamples=6, rng=0, executor=pool),
}


def bits(value):
    """Everything in a result, to be compared."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, sc.Ensemble):
        return [value[k].labels.tolist() for k in range(len(value))]
    return value.to_json() if hasattr(value, "to_json") else repr(value)


def test_no_function_is_left_out():
    takers = {name for name in dir(sc) if callable(getattr(sc, name)) and not name.startswith("_")
              and "executor" in _parameters(getattr(sc, name))}
    assert takers == set(CALLS)


def _parameters(thing):
    try:
        return inspect.signature(thing).parameters
    except ValueError:
        return {}


@pytest.mark.parametrize("name", sorted(registry()))
def test_measures_pickle_by_name(name):
    measure = sc.get_measure(name)
    assert pickle.loads(pickle.dumps(measure)) is measure


@pytest.fixture(scope="module")
def processes():
    # spawn: nothing of this process but what is pickled
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_processes_give_the_bits_of_threads(name, processes):
    with ThreadPoolExecutor(2) as threads:
        expected = bits(CALLS[name](threads))
    assert bits(CALLS[name](processes)) == expected
    assert bits(CALLS[name](None)) == expected
    with joblib.parallel_config("threading", n_jobs=2):
        assert bits(CALLS[name]("joblib")) == expected
