"""The simulated experiment of the transport paper: fits, intervals, circles and claims.

Stored values: golden/simulated-experiment.json (n = 600 and 10,000), with its own tolerances.
The claims hold for the settings below; the paper does not print its own.
"""

import json
import math
import warnings
from functools import lru_cache
from pathlib import Path

import naive
import numpy as np
import pytest
from sklearn.cluster import KMeans
from strategies import JIT_OFF

import softclust as sc

RUNS = {run["n"]: run for run in json.loads(
    (Path(__file__).parent / "golden" / "simulated-experiment.json").read_text())["runs"]}
MU = np.array([[0.0, 0.0], [2.0, 0.0], [1.0, math.sqrt(3.0)]])
NAMES = ("Truth", "KM", "RKM", "FCM", "PCM", "ECM")
MEASURES = {"alpha_rand": "alpha_rand_interval",
            "alpha_partition_distance": "alpha_partition_interval"}
#: a fifth to a third of the starts reach the best circles
N_INIT = 24
#: pairs whose values the file has
COUNTS = {(600, "alpha_rand"): 5, (600, "alpha_partition_distance"): 15,
          (10_000, "alpha_rand"): 15, (10_000, "alpha_partition_distance"): 0}

pytestmark = pytest.mark.skipif(
    JIT_OFF, reason="15 pairs of 600 objects take minutes without JIT; each kernel has a test of "
                    "its own that holds it to the same bits")


def lloyd(x, start):
    return KMeans(3, init=start, n_init=1, tol=0.0, max_iter=1000, algorithm="lloyd").fit(x)


def fit_all(x, start, tol=1e-10):
    """The five algorithms with the settings of the specification."""
    options = {"tol": tol, "max_iter": 20_000}
    rkm = sc.cluster.RoughKMeans(3, variant="peters-2014", ratio=1.1, init=start).fit(x)
    fcm = sc.cluster.FuzzyCMeans(3, m=2.0, init=start, **options).fit(x)
    with warnings.catch_warnings():
        # on overlapping data all possibilistic centres meet in one point
        warnings.filterwarnings("ignore", message="two centres of PossibilisticCMeans")
        pcm = sc.cluster.PossibilisticCMeans(3, m=2.0, eta_factor=1.0, init=fcm.cluster_centers_,
                                             **options).fit(x)
    ecm = sc.cluster.EvidentialCMeans(3, alpha=2.0, beta=2.0, delta=10.0, focal="full",
                                      init=start, **options).fit(x)
    return {"km": lloyd(x, start), "rkm": rkm, "fcm": fcm, "pcm": pcm, "ecm": ecm}


def ensemble(truth, fits):
    soft = {name: fits[name.lower()].clustering_ for name in NAMES[2:]}
    soft["PCM"] = soft["PCM"].normalize("maximum")
    return sc.Ensemble({"Truth": truth, "KM": fits["km"].labels_} | soft)


@lru_cache
def experiment(n):
    data = sc.datasets.overlapping_gaussians(n)
    fits = fit_all(data.data, MU)
    return data, fits, ensemble(data.labels, fits)


@lru_cache
def matrix(n, key):
    return sc.compare_all(experiment(n)[2], measure=MEASURES[key])


@lru_cache
def circles(n, key):
    return matrix(n, key).mds(n_init=N_INIT, rng=0)


def claims(found):
    """Whether the configuration shows what section 5.2 says."""
    distance, radius = np.array(found.center_distances), found.radii
    truth, km, rkm, fcm, pcm, ecm = range(6)
    mean = distance.sum(axis=1) / 5
    np.fill_diagonal(distance, math.inf)
    nearest = distance.argmin(axis=1)
    return {
        "KM and RKM nearer to Truth than FCM, PCM, ECM":
            bool(distance[truth, [km, rkm]].max() < distance[truth, [fcm, pcm, ecm]].min()),
        "RKM nearest to Truth": bool(distance[truth, rkm] < distance[truth, km]),
        "KM and RKM mutually nearest": bool(nearest[km] == rkm and nearest[rkm] == km),
        "PCM has the largest circle": bool(radius.argmax() == pcm),
        "PCM and ECM have the two largest circles": set(np.argsort(-radius)[:2]) == {pcm, ecm},
        "ECM and PCM mutually nearest": bool(nearest[ecm] == pcm and nearest[pcm] == ecm),
        "FCM has the largest mean centre distance among the algorithms":
            bool(mean[1:].argmax() + 1 == fcm),
    }


# -- fits -------------------------------------------------------------------------------------
def check_fits(n):
    data, fits, _ = experiment(n)
    stored = RUNS[n]["fits"]
    assert data.data.sum() == pytest.approx(RUNS[n]["x_sum"], abs=1e-8)
    for name, fit in fits.items():
        if name not in stored:
            continue
        # 1e-6 is the file's tolerance: it stored fits that had stopped at 1e-10 themselves
        np.testing.assert_allclose(fit.cluster_centers_, stored[name]["centers"], rtol=0,
                                   atol=1e-6, err_msg=name)
        if name != "km":
            assert fit.converged_
        if "objective" in stored[name]:
            assert fit.objective_ == pytest.approx(stored[name]["objective"], rel=1e-8)
    assert fits["km"].inertia_ == pytest.approx(stored["km"]["inertia"], rel=1e-8)
    assert int((fits["km"].labels_ != data.labels).sum()) == stored["km"]["errors"]
    boundary = fits["rkm"].clustering_.upper.sum(axis=1) > 1
    assert (boundary.sum(), fits["rkm"].n_iter_) == (stored["rkm"]["n_boundary"],
                                                    stored["rkm"]["n_iter"])


def test_fits():
    check_fits(600)
    stored, fits = RUNS[600]["fits"], experiment(600)[1]
    np.testing.assert_allclose(fits["pcm"].eta_, stored["pcm"]["eta"], rtol=1e-8)
    assert fits["pcm"].min_center_distance_ == pytest.approx(
        stored["pcm"]["min_center_distance"], abs=1e-6)
    empty = ~fits["ecm"].focal_sets_.astype(bool).any(axis=1)
    assert fits["ecm"].mass_[:, empty].mean() == pytest.approx(
        stored["ecm"]["mean_empty_mass"], abs=1e-8)


@pytest.mark.slow
def test_fits_of_10000_objects():
    check_fits(10_000)


def test_possibilistic_centres_coincide_and_this_is_said():
    # caution 1 of the specification
    data = sc.datasets.overlapping_gaussians(600)
    with pytest.warns(UserWarning, match="two centres of PossibilisticCMeans"):
        sc.cluster.PossibilisticCMeans(3, init=MU).fit(data.data)


# -- intervals --------------------------------------------------------------------------------
def check_intervals(n, key):
    found = matrix(n, key)
    stored = {pair: values[key] for pair, values in RUNS[n]["pairwise"].items() if key in values}
    for pair, values in stored.items():
        interval = found[tuple(pair.split("|"))]
        low, high = sorted(values[::2])
        assert interval.low == pytest.approx(low, abs=1e-7), pair
        assert interval.high == pytest.approx(high, abs=1e-7), pair
    return len(stored)


@pytest.mark.parametrize("key", MEASURES)
def test_pairwise_intervals(key):
    assert check_intervals(600, key) == COUNTS[600, key]


def test_values_at_one_half_lie_between():
    runs = experiment(600)[2]
    for key, single in (("alpha_rand", "alpha_rand_index"),
                        ("alpha_partition_distance", "alpha_partition_dissimilarity")):
        half, ends = sc.compare_all(runs, measure=single), matrix(600, key)
        # ends and middle are rounded on their own
        assert (ends.lower <= half.value + 1e-12).all()
        assert (half.value <= ends.upper + 1e-12).all()
        for pair, values in RUNS[600]["pairwise"].items():
            if key in values:
                assert half[tuple(pair.split("|"))] == pytest.approx(values[key][1], abs=1e-7)


def test_k_means_is_compatible_with_rough_k_means():
    assert matrix(600, "alpha_rand")["KM", "RKM"].high == 1.0
    assert matrix(600, "alpha_partition_distance")["KM", "RKM"].low == 0.0


def test_the_partition_distance_is_not_cut_at_1():
    runs = experiment(600)[2]
    n, c = 600, 3
    vacuous = sc.RoughClustering.from_upper(np.ones((n, c)))
    assert sc.alpha_partition_interval(runs["Truth"], vacuous).high == pytest.approx(
        c * n / (2 * (n - 1)))
    assert matrix(600, "alpha_partition_distance")["Truth", "PCM"].high > 1.0


@pytest.mark.parametrize("key", MEASURES)
def test_labels_of_clusters_do_not_matter(key):
    runs = experiment(600)[2]
    turned = np.array([2, 0, 1])[runs["Truth"].labels]
    function = getattr(sc, MEASURES[key])
    for name in NAMES[1:]:
        one, two = matrix(600, key)["Truth", name], function(turned, runs[name])
        assert two.low == pytest.approx(one.low, abs=1e-12)
        assert two.high == pytest.approx(one.high, abs=1e-12)


def test_sampling_understates_the_uncertainty_of_rough_k_means():
    runs = experiment(600)[2]
    upper, rng = runs["RKM"].upper.astype(bool), np.random.default_rng(0)
    draws = np.where(upper, rng.random((1000, *upper.shape)), -1.0).argmax(axis=2)
    sampled = [sc.rand_index(runs["Truth"], labels) for labels in draws]
    whole = matrix(600, "alpha_rand")["Truth", "RKM"]
    assert whole.low <= min(sampled) <= max(sampled) <= whole.high
    assert max(sampled) - min(sampled) < whole.width / 2


def test_oracle_on_a_part_of_the_objects():
    runs = experiment(600)[2].subset(slice(0, 600, 40))
    for name in NAMES[1:]:
        x, y = runs["Truth"], runs[name]
        expected = naive.alpha_rand_interval(masses(x), masses(y))
        found = sc.alpha_rand_interval(x, y)
        assert found.low == pytest.approx(float(expected[0]), abs=1e-12)
        assert found.high == pytest.approx(float(expected[1]), abs=1e-12)


def masses(clustering):
    evidential = clustering.to_evidential()
    return naive.evidential_masses(evidential.mass.tolist(), evidential.focal_sets.tolist())


# -- circles and claims -----------------------------------------------------------------------
def check_circles(n, key):
    found = circles(n, key)
    stored = RUNS[n]["imds"].get(key)
    if stored is not None:
        assert found.stress == pytest.approx(stored["stress"], abs=1e-7)
        np.testing.assert_allclose(found.radii, stored["radii"], rtol=0, atol=1e-4)
        np.testing.assert_allclose(found.center_distances, stored["center_distances"], rtol=0,
                                   atol=1e-4)
        assert claims(found) == stored["claims"]
    assert all(claims(found).values()), claims(found)


@pytest.mark.parametrize("key", MEASURES)
def test_circles_and_claims(key):
    check_circles(600, key)


def test_the_nearer_circle_of_rough_k_means_comes_from_its_lower_end():
    # caution 2 of the specification
    one, two = (1 - matrix(600, "alpha_rand")["Truth", name].high for name in ("RKM", "KM"))
    assert one < two
    one, two = (1 - matrix(600, "alpha_rand")["Truth", name].low for name in ("RKM", "KM"))
    assert one > two


@pytest.mark.slow
@pytest.mark.parametrize("key", MEASURES)
def test_intervals_circles_and_claims_of_10000_objects(key):
    assert check_intervals(10_000, key) == COUNTS[10_000, key]
    check_circles(10_000, key)


#: claims that hold on at least this many of the 16 data sets: the specification counts 16 of 16
#: for all, but 14 for the last one by the partition distance; one or two may differ with n
LEAST = {"alpha_rand": 14, "alpha_partition_distance": 12}


@pytest.mark.slow
def test_claims_on_16_further_data_sets():
    n = 1000
    held = {key: dict.fromkeys(claims(circles(600, key)), 0) for key in MEASURES}
    for covariance in ("equal", "unequal"):
        for separation in (1.5, 2.0, 2.5, 3.0):
            for seed in (0, 1):
                data = sc.datasets.overlapping_gaussians(
                    n, separation=separation, covariance=covariance, rng=seed)
                three = np.random.default_rng(seed).choice(n, 3, replace=False)
                start = lloyd(data.data, data.data[three]).cluster_centers_
                runs = ensemble(data.labels, fit_all(data.data, start, tol=1e-8))
                for key, measure in MEASURES.items():
                    found = sc.compare_all(runs, measure=measure).mds(n_init=12, rng=0)
                    for claim, true in claims(found).items():
                        held[key][claim] += true
    for key, counts in held.items():
        assert min(counts.values()) >= LEAST[key], held


def test_same_seed_same_bits_for_any_number_of_threads():
    bits = []
    for threads in (1, 8):
        sc.set_num_threads(threads)
        try:
            data = sc.datasets.overlapping_gaussians(300)
            runs = ensemble(data.labels, fit_all(data.data, MU, tol=1e-6))
            found = sc.compare_all(runs)
            scaled = found.mds(n_init=3, rng=1)
        finally:
            sc.set_num_threads(None)
        bits.append([a.tobytes() for a in (found.lower, found.upper, scaled.centers, scaled.radii,
                                           scaled.stresses)])
    assert bits[0] == bits[1]
