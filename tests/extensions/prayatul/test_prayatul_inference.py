"""Jackknife and bootstrap of Prayatul measures: objects are sampled, never pairs."""

import json
import math
import warnings
from pathlib import Path

import naive
import numpy as np
import pytest
from scipy.stats import t
from strategies import JIT_OFF

import softclust as sc
from softclust.extensions.prayatul.per_object import RANGES

GOLDEN = {item["id"]: item for item in json.loads(
    (Path(__file__).parents[2] / "golden" / "prayatul.json").read_text())["items"]}


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
def test_limits_stay_inside_the_range_of_their_measure():
    """Two nearly equal clusterings, both nearly right: estimate + t s.e. would leave the range."""
    truth = np.repeat([0, 1], 30)
    first, second = truth.copy(), truth.copy()
    first[0], second[[1, 31]] = 1, [1, 0]
    result = sc.prayatul(truth, first, second)
    outside = 0
    for limits in (result.jackknife(), result.bootstrap(1, n_resamples=200)):
        for name in limits.measures:
            low, high = RANGES[name]
            k = limits.measures.index(name)
            assert np.isnan(limits.lower[k]) or low <= limits.lower[k] <= limits.upper[k] <= high
            outside += limits.estimate[k] + 2 * limits.standard_error[k] > high
    assert outside


def noisy(rng, n=200, classes=3, noise=0.1):
    """Truth, and two copies in which labels are redrawn: exchangeable by construction."""
    truth = rng.integers(classes, size=n)
    return truth, *(np.where(rng.random(n) < noise, rng.integers(classes, size=n), truth)
                    for _ in range(2))


@pytest.mark.parametrize("seed", range(4))
def test_jackknife_leaves_out_objects(seed):
    g, p, q = (x.tolist() for x in noisy(np.random.default_rng(seed), 24, 3, 0.4))
    r = sc.prayatul(g, p, q)
    found = r.jackknife(0.9)
    np.testing.assert_allclose(found.standard_error, naive.prayatul_jackknife(g, p, q),
                               rtol=1e-10)
    # the formula of the specification for delta
    h = r.objects().advantage
    n = 24
    se = math.sqrt(4 * (n - 1) / (n * (n - 2)**2) * ((h - r.delta)**2).sum())
    assert found.standard_error[0] == pytest.approx(se, rel=1e-12)
    half = t.ppf(0.95, n - 1) * se
    assert found["delta"].low == pytest.approx(r.delta - half)
    assert found["delta"].high == pytest.approx(r.delta + half)
    assert found.significant == (abs(r.delta) > half)
    assert found.statistic == pytest.approx(r.delta / se)
    assert found.p_value == pytest.approx(2 * t.sf(abs(r.delta / se), n - 1))
    assert (found.p_value < 0.1) == found.significant
    assert found.estimate.tolist() == [r.delta, r.comparative_deviation, r.polarization,
                                       r.comparative_rightness, r.effective_rightness,
                                       r.effective_superiority]


def test_null_simulation():
    """McNemar's test on pairs rejects nearly always; the jackknife keeps its level."""
    rng = np.random.default_rng(2023)
    sets = 300 if JIT_OFF else 2000
    mcnemar = jackknife = 0
    squares = []
    for _ in range(sets):
        r = sc.prayatul(*noisy(rng))
        square = (r.right_wrong - r.wrong_right)**2 / (r.right_wrong + r.wrong_right)
        squares.append(square)
        mcnemar += square > 3.841
        h = r.objects().advantage
        se = math.sqrt(4 * 199 / (200 * 198**2) * ((h - r.delta)**2).sum())
        jackknife += abs(r.delta) > 1.971957 * se   # t with 199 degrees of freedom
    assert mcnemar / sets > 0.8
    # 3.8 standard errors of a rate of .05 around the interval of the specification
    assert 0.03 <= jackknife / sets <= 0.07 or JIT_OFF
    assert np.mean(squares) > 80   # 115 in the specification, 1 if pairs were independent
    assert GOLDEN["null-simulation"]["expected"]["plain_mcnemar"] == pytest.approx(
        mcnemar / sets, abs=0.06 if JIT_OFF else 0.03)


def test_no_mcnemar_is_offered():
    assert not [name for name in dir(sc.results.PrayatulResult) if "mcnemar" in name.lower()]
    assert "McNemar" in sc.results.PrayatulResult.jackknife.__doc__


def test_deviation_has_no_interval_when_one_is_never_wrong_alone():
    r = sc.prayatul([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 0])
    assert r.comparative_deviation == 1.0
    with pytest.warns(sc.UndefinedMeasureWarning, match="the interval of delta tells") as caught:
        found = r.jackknife()
    assert caught[0].filename == __file__
    assert math.isnan(found["comparative_deviation"].low)
    assert math.isnan(found.standard_error[1])
    assert not math.isnan(found["delta"].low)
    assert "Note: the interval of comparative_deviation" in " ".join(str(found).split())
    with pytest.warns(sc.UndefinedMeasureWarning, match="the interval of delta tells"):
        again = r.bootstrap(0, n_resamples=50)
    assert math.isnan(again["comparative_deviation"].low)
    assert not math.isnan(again["delta"].low)


def test_undefined_measures_have_undefined_intervals():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
        r = sc.prayatul([0, 0, 1, 1], [0, 1, 1, 1], [1, 0, 0, 0], zero_division=0.0)
        found = r.jackknife()
    assert math.isnan(found["comparative_deviation"].low)
    assert found["delta"] == sc.Interval(0.0, 0.0)
    assert found.p_value == 1.0
    assert math.isnan(found.statistic)


def test_undefined_without_one_of_the_objects():
    # Without object 1 the pair of 0 and 2 is left, and both are wrong about it.
    r = sc.prayatul([0, 0, 0], [0, 0, 1], [0, 1, 1])
    assert r.counts == (0, 1, 1, 1)
    with pytest.warns(sc.UndefinedMeasureWarning, match="without one of the objects") as caught:
        found = r.jackknife()
    assert len(caught) == 3   # the three quotients by pairs that somebody is right about
    assert math.isnan(found["comparative_rightness"].low)
    assert not math.isnan(found["polarization"].low)


def test_jackknife_needs_three_objects():
    with pytest.raises(sc.ClusteringError, match="at least 3 objects of positive weight; there "
                                                 "are 2"):
        sc.prayatul([0, 0], [0, 1], [0, 0]).jackknife()
    with pytest.raises(sc.ClusteringError, match="there are 2"):
        sc.prayatul([0, 0, 1], [0, 1, 1], [0, 0, 0], weights=[1, 1, 0]).jackknife()
    with pytest.raises(ValueError, match="level is 95; a number strictly between 0 and 1"):
        sc.prayatul([0, 0, 1], [0, 1, 1], [0, 1, 0]).jackknife(95)


def test_jackknife_keeps_its_digits_for_a_thousand_million_objects():
    """n times as many objects of each kind: the standard error falls like 1 / sqrt(n)."""
    table = np.array(GOLDEN["counts-1e9"]["input"]["table"])
    large = sc.prayatul_from_counts(table).jackknife()
    small = sc.prayatul_from_counts(table // 10**5).jackknife()
    np.testing.assert_allclose(large.standard_error * math.sqrt(10**5), small.standard_error,
                               rtol=1e-3)


def test_bootstrap_draws():
    g, p, q = noisy(np.random.default_rng(1), 40)
    r = sc.prayatul(g, p, q)
    found = r.bootstrap(7, n_resamples=60, level=0.8)
    assert found.replicates.shape == (60, 6)
    again = r.bootstrap(np.random.default_rng(7), n_resamples=60)
    assert (again.replicates == found.replicates).all()
    children = np.random.default_rng(7).spawn(60)
    indices = np.array([child.integers(0, 40, size=40) for child in children])
    ready = r.bootstrap(indices=indices)
    assert (ready.replicates == found.replicates).all()
    counts = np.array([np.bincount(row, minlength=40) for row in indices])
    assert (r.bootstrap(weights=counts).replicates == found.replicates).all()
    assert found["delta"].low == pytest.approx(np.quantile(found.replicates[:, 0], 0.1))
    assert found.standard_error[0] == found.replicates[:, 0].std(ddof=1)
    assert (found.method, found.level) == ("bootstrap", 0.8)
    assert math.isnan(found.p_value)
    # replicate b does not depend on how many are drawn
    assert (r.bootstrap(7, n_resamples=5).replicates == found.replicates[:5]).all()


def test_a_replicate_is_the_matrix_without_pairs_of_copies():
    g, p, q = noisy(np.random.default_rng(3), 15, 3, 0.5)
    row = np.random.default_rng(0).integers(0, 15, size=15)
    found = sc.prayatul(g, p, q).bootstrap(indices=[row]).replicates[0]
    counts = [0, 0, 0, 0]
    for a in range(15):
        for b in range(a):
            i, j = row[a], row[b]
            if i != j:
                pair = naive.prayatul(*([x[i], x[j]] for x in (g, p, q)))
                counts = [u + v for u, v in zip(counts, pair)]
    np.testing.assert_allclose(found[1:], naive.prayatul_measures(counts), rtol=1e-12)


def test_weights_of_the_result_and_of_a_resample_multiply():
    rng = np.random.default_rng(8)
    g, p, q = noisy(rng, 30, 3, 0.4)
    w, counts = rng.random(30), rng.integers(0, 3, 30)
    found = sc.prayatul(g, p, q, weights=w).bootstrap(weights=[counts]).replicates[0]
    both = sc.prayatul(g, p, q, weights=w * counts)
    np.testing.assert_allclose(found, [both.delta, both.comparative_deviation, both.polarization,
                                       both.comparative_rightness, both.effective_rightness,
                                       both.effective_superiority], rtol=1e-12)


def test_bootstrap_and_jackknife_agree_on_many_objects():
    r = sc.prayatul(*noisy(np.random.default_rng(5), 800, 3, 0.2))
    a, b = r.jackknife(), r.bootstrap(0, n_resamples=300)
    # 300 resamples know a standard error to 4 %: three of these, and 1/n effects
    np.testing.assert_allclose(a.standard_error, b.standard_error, rtol=0.15)


@pytest.mark.parametrize(("options", "message"), [
    ({"rng": 0, "weights": [[1.0] * 3]}, "give one of rng, indices and weights"),
    ({"indices": [[0, 1, 3]]}, "indices reach from 0 to 3; positions of objects, 0 to 2"),
    ({"indices": [0, 1, 2]}, r"indices has shape \(3,\)"),
    ({"indices": [[0.5, 1, 2]]}, "dtype float64"),
    ({"weights": [[1.0, 2.0]]}, r"weights has shape \(1, 2\); \(n_resamples, 3\)"),
    ({"weights": [[1.0, 2.0, -1.0]]}, "negative or not finite"),
    ({"n_resamples": 0}, "n_resamples is 0; a whole number >= 1"),
    ({"n_resamples": 2.5}, "n_resamples is 2.5"),
    ({"rng": "seed"}, "rng is 'seed'"),
    ({"level": 1.0}, "level is 1.0"),
    ({"rng": 0, "n_resamples": 2, "progress": "bar"}, "progress is 'bar'"),
])
def test_bad_draws(options, message):
    r = sc.prayatul([0, 0, 1], [0, 1, 1], [0, 1, 0])
    with pytest.raises((ValueError, TypeError), match=message):
        r.bootstrap(**options)


def test_resamples_without_a_pair_leave_intervals_undefined():
    r = sc.prayatul([0, 0, 1], [0, 1, 1], [0, 1, 0])
    with pytest.warns(sc.UndefinedMeasureWarning, match="0/0 in 1 of 2 resamples"):
        found = r.bootstrap(indices=[[0, 0, 0], [0, 1, 2]])
    assert math.isnan(found["delta"].low)
    assert math.isnan(found.statistic)


def test_record():
    r = sc.prayatul(*noisy(np.random.default_rng(2), 60, 3, 0.3), names=("one", "two"))
    found = r.jackknife()
    frame = found.to_frame()
    assert frame.index[0] == "delta"
    assert frame.loc["polarization", "lower"] == found["polarization"].low
    text = str(found)
    assert "95 % jackknife intervals, one (primary) against two (alternative)" in text
    assert "refit on independent data" in " ".join(text.split())
    assert "PrayatulIntervals(jackknife, level=0.95" in repr(found)
    assert "<table" in found._repr_html_()
    with pytest.raises(KeyError, match="there is no interval for 'rand_primary'"):
        found["rand_primary"]
    with pytest.raises(ValueError, match="read-only"):
        found.lower[0] = 0.0
