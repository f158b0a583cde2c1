"""Circles for interval dissimilarities: golden values, gradient, recovery, invariance, messages."""

import json
import warnings
from pathlib import Path

import naive
import numpy as np
import pandas as pd
import pytest

import softclust as sc
from softclust.comparison.scaling import initial_radii, stress_and_gradient

CASES = {case["id"]: case for case in json.loads(
    (Path(__file__).parent / "golden" / "interval-mds.json").read_text())["cases"]}
#: enough for the best of the small cases: a quarter to a third of the starts reach it
N_INIT = 16


def arrays(name, *keys):
    return [np.array(CASES[name][key], dtype=float) for key in keys]


def circles(rng, n, p=2):
    """Random circles (30 percent are points) and the intervals between them."""
    centers = rng.normal(size=(n, p))
    radii = np.where(rng.random(n) < 0.3, 0.0, rng.uniform(0.0, 0.8, n))
    distances = np.sqrt(((centers[:, None] - centers) ** 2).sum(axis=2))
    sums = radii[:, None] + radii
    lower, upper = np.maximum(0.0, distances - sums), distances + sums
    np.fill_diagonal(upper, 0.0)
    return centers, radii, lower, upper


def distances(centers):
    return np.sqrt(((centers[:, None] - centers) ** 2).sum(axis=2))


# -- golden values ----------------------------------------------------------------------------
def test_golden_stress_and_gradient():
    case = CASES["stress-and-gradient-4"]
    given = arrays("stress-and-gradient-4", "lower", "upper", "centers", "radii")
    stress, by_center, by_radius = stress_and_gradient(*given[:2], np.ones((4, 4)), *given[2:])
    expected = case["expected"]
    assert stress == pytest.approx(expected["stress"], abs=case["abs_tol"])
    np.testing.assert_allclose(by_center, expected["gradient_centers"], atol=case["abs_tol"])
    np.testing.assert_allclose(by_radius, expected["gradient_radii"], atol=case["abs_tol"])
    np.testing.assert_allclose(initial_radii(*given[:2]), expected["initial_radii"],
                               atol=case["abs_tol"])


@pytest.mark.parametrize("name", ["recovery-separated", "inconsistent-6", "zero-width",
                                  "simulated-experiment-ARI"])
def test_golden_circles(name):
    case = CASES[name]
    expected, tol = case["expected"], case["abs_tol"]
    if not isinstance(tol, dict):
        tol = dict.fromkeys(("radii", "center_distances"), tol)
    found = sc.interval_mds(*arrays(name, "lower", "upper"), n_init=N_INIT, rng=0)
    if "stress" in expected:
        assert found.stress == pytest.approx(expected["stress"], abs=tol["stress"])
        assert found.normalized_stress == pytest.approx(expected["normalized_stress"],
                                                        abs=tol["normalized_stress"])
    else:
        assert found.stress < expected["stress_below"]
    np.testing.assert_allclose(found.radii, expected["radii"], rtol=0, atol=tol["radii"])
    np.testing.assert_allclose(found.center_distances, expected["center_distances"], rtol=0,
                               atol=tol["center_distances"])
    if "initial_radii" in expected:
        np.testing.assert_allclose(initial_radii(*arrays(name, "lower", "upper")),
                                   expected["initial_radii"], atol=tol["initial_radii"])
    assert found.converged


def test_golden_two_objects():
    case = CASES["two-objects"]
    found = sc.interval_mds(*arrays("two-objects", "lower", "upper"), n_init=4, rng=1)
    assert found.stress < case["expected"]["stress_below"]
    assert found.best_start == 0
    assert found.center_distances[0, 1] == pytest.approx(case["expected"]["center_distance"])
    np.testing.assert_allclose(found.radii, [0.5, 0.5], atol=1e-12)   # halves: W/2 each


def test_restarts_are_necessary():
    # information in the golden file: where the deterministic start alone ends
    case = CASES["inconsistent-6"]["expected"]
    lower, upper = arrays("inconsistent-6", "lower", "upper")
    alone = sc.interval_mds(lower, upper, n_init=1)
    assert alone.stress == pytest.approx(case["stress_reached_from_deterministic_start"], abs=1e-7)
    assert alone.stress > case["stress"] + 0.1


# -- stress and gradient ----------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(20))
def test_gradient_is_the_central_difference(seed):
    rng = np.random.default_rng(seed)
    n, p = 5, 1 + seed % 3
    lower, upper = (sc_matrix + sc_matrix.T for sc_matrix in
                    (np.triu(rng.uniform(size=(n, n)), 1), np.triu(rng.uniform(1, 2, (n, n)), 1)))
    weights = rng.uniform(size=(n, n))
    weights += weights.T
    centers, radii = rng.normal(size=(n, p)), rng.uniform(size=n) * (rng.random(n) < 0.6)
    stress, by_center, by_radius = stress_and_gradient(lower, upper, weights, centers, radii)
    assert stress == pytest.approx(naive.interval_stress(lower, upper, weights, centers, radii))
    step = 1e-5
    point = np.concatenate([centers.ravel(), radii])
    for k, slope in enumerate([*by_center.ravel(), *by_radius]):
        ends = []
        for sign in (1, -1):
            moved = point.copy()
            moved[k] += sign * step
            ends.append(naive.interval_stress(lower, upper, weights,
                                              moved[:n * p].reshape(n, p), moved[n * p:]))
        # truncation of the difference is of order step^2, its rounding 1e-16 / step
        assert (ends[0] - ends[1]) / (2 * step) == pytest.approx(slope, abs=1e-6)


def test_coincident_centres_have_no_direction():
    lower, upper = np.zeros((2, 2)), np.array([[0.0, 1.0], [1.0, 0.0]])
    stress, by_center, by_radius = stress_and_gradient(lower, upper, np.ones((2, 2)),
                                                       np.zeros((2, 2)), np.array([0.1, 0.2]))
    assert stress == pytest.approx(0.7**2)
    assert not by_center.any()
    np.testing.assert_allclose(by_radius, [-1.4, -1.4])


# -- what the method promises -----------------------------------------------------------------
def test_recovers_circles_from_the_deterministic_start_alone():
    rng = np.random.default_rng(5)
    for _ in range(50):
        n = int(rng.integers(4, 10))
        centers, radii, lower, upper = circles(rng, n)
        found = sc.interval_mds(lower, upper, n_init=1)
        assert found.stress < 1e-9
        if (lower[np.triu_indices(n, 1)] > 0).all():
            # overlapping circles do not determine their radii
            np.testing.assert_allclose(found.radii, radii, atol=1e-6)
            np.testing.assert_allclose(found.center_distances, distances(centers), atol=1e-6)


def test_permuting_things_permutes_circles():
    lower, upper = arrays("inconsistent-6", "lower", "upper")
    order = np.array([3, 0, 5, 1, 4, 2])
    one = sc.interval_mds(lower, upper, n_init=N_INIT, rng=0)
    two = sc.interval_mds(lower[np.ix_(order, order)], upper[np.ix_(order, order)],
                          n_init=N_INIT, rng=0)
    assert two.stress == pytest.approx(one.stress, abs=1e-9)
    # the stress is flat at its minimum: 1e-12 there is 1e-6 in the radii
    np.testing.assert_allclose(two.radii, one.radii[order], atol=1e-5)
    np.testing.assert_allclose(two.center_distances, one.center_distances[np.ix_(order, order)],
                               atol=1e-5)


def test_a_rigid_motion_of_the_start_changes_nothing():
    lower, upper = arrays("inconsistent-6", "lower", "upper")
    rng = np.random.default_rng(3)
    centers, radii = rng.normal(size=(6, 2)), rng.uniform(size=6)
    turn = np.array([[0.6, 0.8], [0.8, -0.6]])
    one = sc.interval_mds(lower, upper, n_init=1, init=(centers, radii))
    two = sc.interval_mds(lower, upper, n_init=1, init=(centers @ turn + [5, -7], radii))
    assert two.stress == pytest.approx(one.stress, abs=1e-9)
    np.testing.assert_allclose(two.center_distances, one.center_distances, atol=1e-5)


@pytest.mark.parametrize("scale", [0.25, 1000.0])
def test_scaling_the_input_scales_the_circles(scale):
    lower, upper = arrays("inconsistent-6", "lower", "upper")
    one = sc.interval_mds(lower, upper, n_init=6, rng=0)
    two = sc.interval_mds(scale * lower, scale * upper, n_init=6, rng=0)
    assert two.stress == pytest.approx(scale**2 * one.stress, rel=1e-9)
    assert two.normalized_stress == pytest.approx(one.normalized_stress, rel=1e-9)
    np.testing.assert_allclose(two.radii, scale * one.radii, rtol=1e-5)


def test_same_seed_same_bits_and_never_worse_than_the_first_start():
    lower, upper = arrays("inconsistent-6", "lower", "upper")
    try:
        runs = []
        for threads in (1, 8):
            sc.set_num_threads(threads)
            runs.append(sc.interval_mds(lower, upper, n_init=8, rng=4))
    finally:
        sc.set_num_threads(None)
    one, two = runs
    assert one.stresses.tobytes() == two.stresses.tobytes()
    assert one.centers.tobytes() == two.centers.tobytes()
    assert one.radii.tobytes() == two.radii.tobytes()
    # one is read off the aligned circles: rotation rounds
    assert one.stress == pytest.approx(one.stresses.min(), rel=1e-12)
    assert one.stress <= one.stresses[0]
    assert (sc.interval_mds(lower, upper, n_init=3, rng=4).stresses == one.stresses[:3]).all()


def test_result_is_stationary():
    rng = np.random.default_rng(8)
    for _ in range(5):
        low = np.triu(rng.uniform(0.2, 1.0, (5, 5)), 1)
        lower = low + low.T
        upper = lower + np.triu(rng.uniform(0, 0.5, (5, 5)), 1)
        upper = np.triu(upper, 1) + np.triu(upper, 1).T
        found = sc.interval_mds(lower, upper, n_init=4, rng=0)
        _, by_center, by_radius = stress_and_gradient(lower, upper, np.ones((5, 5)),
                                                      found.centers, found.radii)
        by_radius[(found.radii == 0) & (by_radius > 0)] = 0.0
        assert distances(found.centers)[np.triu_indices(5, 1)].min() > 1e-6
        assert max(np.abs(by_center).max(), np.abs(by_radius).max()) < 1e-6 * upper.max()


def test_raising_a_lower_bound_never_lowers_its_fit():
    # At global minima: add the two inequalities of optimality.
    lower, upper = arrays("inconsistent-6", "lower", "upper")
    before = sc.interval_mds(lower, upper, n_init=N_INIT, rng=0)
    for i, j in ((0, 1), (2, 4)):
        higher = lower.copy()
        higher[i, j] = higher[j, i] = (lower[i, j] + upper[i, j]) / 2
        after = sc.interval_mds(higher, upper, n_init=N_INIT, rng=0)
        assert after.fitted_lower[i, j] >= before.fitted_lower[i, j] - 1e-6


def test_weights():
    lower, upper = arrays("inconsistent-6", "lower", "upper")
    one = sc.interval_mds(lower, upper, n_init=6, rng=0)
    three = sc.interval_mds(lower, upper, n_init=6, rng=0, weights=np.full((6, 6), 3.0))
    assert three.stress == pytest.approx(3 * one.stress)
    # A thing without weight leaves the others as if it were not there.
    weights = np.ones((6, 6))
    weights[5] = weights[:, 5] = 0.0
    without = sc.interval_mds(lower[:5, :5], upper[:5, :5], n_init=N_INIT, rng=0)
    assert sc.interval_mds(lower, upper, weights=weights, n_init=N_INIT, rng=0
                           ).stress == pytest.approx(without.stress, abs=1e-9)


def test_start_from_a_result():
    lower, upper = arrays("inconsistent-6", "lower", "upper")
    best = sc.interval_mds(lower, upper, n_init=N_INIT, rng=0)
    again = sc.interval_mds(lower, upper, n_init=1, init=best)
    assert again.stress == pytest.approx(best.stress, abs=1e-12)


# -- degenerate input -------------------------------------------------------------------------
def test_one_thing():
    found = sc.interval_mds([[0]], [[0]], n_init=2)
    assert not found.centers.any()
    assert not found.radii.any()
    assert found.stress == found.normalized_stress == 0.0
    assert "1 thing in" in str(found)


def test_all_equal_and_identical_rows():
    found = sc.interval_mds(np.zeros((4, 4)), np.zeros((4, 4)), n_init=3, rng=0)
    assert found.stress == found.normalized_stress == 0.0
    assert not found.radii.any()
    upper = np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0.0]])
    twins = sc.interval_mds(upper / 2, upper, n_init=3, rng=0)
    assert np.isfinite(twins.centers).all()


def test_radii_stay_at_0_where_the_widths_ask_for_less():
    # r_1 + r_2 = 1/2 and r_1 + r_3 = r_2 + r_3 = 0 would make r_3 = -1/4
    middle, half = 2.0 * (1 - np.eye(3)), np.zeros((3, 3))
    half[0, 1] = half[1, 0] = 0.5
    found = sc.interval_mds(middle - half, middle + half, n_init=3, rng=0)
    assert found.radii[2] == 0.0
    assert (found.radii >= 0.0).all()
    assert found.radii[:2].min() > 0.1


def test_rounding_is_made_exact_and_values_above_1_stay():
    e = 1e-14
    found = sc.interval_mds([[0, 1.5 + e, 2], [1.5, 0, -e], [2, -e, 0]],
                            [[0, 1.5, 2], [1.5, 0, 1], [2, 1, 0]], n_init=1)
    assert (found.lower <= found.upper).all()
    assert found.lower[1, 2] == 0.0
    assert (found.lower == found.lower.T).all()
    assert found.upper.max() == 2.0


LOW, HIGH = [[0, 1, 1], [1, 0, 1], [1, 1, 0]], [[0, 2, 2], [2, 0, 2], [2, 2, 0]]


@pytest.mark.parametrize(("changes", "message"), [
    ({"lower": [[0, 1], [1, 0]]}, r"lower has shape \(2, 2\) and upper \(3, 3\)"),
    ({"lower": [1, 2]}, r"lower has shape \(2,\); a square matrix"),
    ({"lower": "ab"}, "lower cannot be read"),
    ({"lower": [[0, 1, 1], [1, 0, 3], [1, 3, 0]]}, r"lower\[1, 2\] is 3.0, above upper\[1, 2\]"),
    ({"lower": [[0, -1, 1], [-1, 0, 1], [1, 1, 0]]}, r"lower\[0, 1\] is -1.0; .* give 1 - s"),
    ({"lower": [[0, 1, 1], [1.5, 0, 1], [1, 1, 0]]}, r"lower\[0, 1\] is 1.0 but its mirror"),
    ({"lower": [[0, 1, np.nan], [1, 0, 1], [np.nan, 1, 0]]}, r"lower\[0, 2\] is nan"),
    ({"upper": [[0, 2, 2], [2, 1, 2], [2, 2, 0]]}, r"upper\[1, 1\] is 1.0; a thing has"),
    ({"weights": -np.ones((3, 3))}, r"weights\[0, 0\] is -1.0"),
    ({"weights": np.ones((2, 2))}, r"weights has shape \(2, 2\); \(3, 3\)"),
    ({"weights": np.eye(3)}, "weights is 0 for every pair"),
    ({"n_components": 3}, "n_components is 3 for 3 objects; at most 2"),
    ({"n_components": 0}, "n_components is 0; a whole number"),
    ({"n_init": 0}, "n_init is 0; a whole number"),
    ({"n_init": "many"}, "n_init is 'many'; a whole number"),
    ({"tol": 0.0}, "tol is 0.0"),
    ({"names": ["a", "b"]}, "names has 2 names for 3 objects"),
    ({"names": "abc"}, "names is the string"),
    ({"init": np.zeros((3, 2))}, "init must be an IntervalMDS or a pair"),
    ({"init": (np.zeros((3, 3)), np.zeros(3))}, r"init has centers of shape \(3, 3\)"),
    ({"init": (np.zeros((3, 2)), -np.ones(3))}, "with radii >= 0"),
])
def test_messages(changes, message):
    given = {"lower": LOW, "upper": HIGH} | changes
    with pytest.raises(sc.ClusteringError, match=message):
        sc.interval_mds(given.pop("lower"), given.pop("upper"), **given)


def test_no_convergence_is_said():
    from sklearn.exceptions import ConvergenceWarning
    lower, upper = arrays("inconsistent-6", "lower", "upper")
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        found = sc.interval_mds(lower, upper, n_init=1, max_iter=2)
    assert not found.converged
    assert "did not converge" in str(found)


# -- the record -------------------------------------------------------------------------------
def test_record():
    names = ["a", "b", "c"]
    found = sc.interval_mds(pd.DataFrame(LOW, names, names), HIGH, n_init=2, rng=0)
    assert found.names == ("a", "b", "c")
    frame = found.to_frame()
    assert list(frame.columns) == ["x1", "x2", "radius"]
    assert list(frame.index) == names
    with pytest.raises(ValueError, match="read-only"):
        found.radii[0] = 1.0
    np.testing.assert_allclose(found.centers.mean(axis=0), 0.0, atol=1e-12)
    spread = (found.centers**2).sum(axis=0)
    assert spread[0] >= spread[1] - 1e-9
    low = np.maximum(0, found.center_distances - found.radii[:, None] - found.radii)
    np.testing.assert_allclose(found.fitted_lower, low * (1 - np.eye(3)), atol=1e-12)
    text = str(found)
    assert "Circles of 3 things in 2 dimensions" in text
    assert "[1.0000, 2.0000]" in text


def test_summary_says_when_positions_mean_little():
    upper = np.ones((4, 4)) - np.eye(4)
    vague = sc.interval_mds(np.zeros((4, 4)), upper, n_init=2, rng=0)
    assert vague.stress < 1e-12
    assert "every lower bound is 0" in str(vague)
    lower = np.zeros((4, 4))
    lower[0, 1] = lower[1, 0] = 0.4
    assert "weakly determined" in str(sc.interval_mds(lower, upper, n_init=8, rng=0))


@pytest.mark.r_cran
def test_fats_and_oils_of_smds():
    import shutil
    import subprocess
    code = ("if (!requireNamespace('smds', quietly = TRUE)) quit(status = 3);"
            "data(oil.idiss, package = 'smds'); cat(dim(oil.idiss), oil.idiss)")
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    run = subprocess.run(["Rscript", "--vanilla", "-e", code], capture_output=True, text=True,
                         timeout=120)
    if run.returncode:
        pytest.skip("the R package smds is not installed")
    _, n, _, *values = map(float, run.stdout.split())
    bounds = np.array(values).reshape(2, int(n), int(n), order="F")
    expected = CASES["fats-and-oils"]["expected"]
    tol = CASES["fats-and-oils"]["abs_tol"]
    assert sc.interval_mds(*bounds, rng=0).stress == pytest.approx(expected["best_stress"], abs=tol)
    assert sc.interval_mds(*bounds, n_init=1).stress == pytest.approx(
        expected["stress_reached_from_deterministic_start"], abs=tol)


@pytest.mark.parametrize("radii", [[2.0, 2.0], [1.0, 2.0, 3.0], [1.0, 0.5, 0.0, 4.0]])
def test_half_widths_that_are_sums_of_radii_give_these(radii):
    half = np.add.outer(radii, radii) * (1 - np.eye(len(radii)))
    np.testing.assert_allclose(initial_radii(5 - half, 5 + half), radii, atol=1e-12)


def test_no_warning_from_the_search():
    rng = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in (2, 3, 12):
            lower = rng.uniform(size=(n, n))
            lower = np.triu(lower, 1) + np.triu(lower, 1).T
            sc.interval_mds(lower, 1.3 * lower, n_init=3, rng=1)
