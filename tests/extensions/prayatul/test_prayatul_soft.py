"""The Prayatul matrix of soft clusterings: expected, minimum coupling, evidential bounds."""

import itertools
import json
import math
import warnings
from fractions import Fraction
from pathlib import Path

import naive
import numpy as np
import pytest
from strategies import (
    JIT_OFF,
    fraction_rows,
    naive_masses,
    random_clustering,
)

import softclust as sc

GOLDEN = {item["id"]: item for item in json.loads(
    (Path(__file__).parents[2] / "golden" / "prayatul.json").read_text())["items"]}
MEASURES = ("comparative_deviation", "polarization", "comparative_rightness",
            "effective_rightness", "effective_superiority")
#: sums of at most 100 pairs of numbers in [0, 1]
CLOSE = {"rtol": 0, "atol": 1e-11}


def quiet(*args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
        return sc.prayatul(*args, **options)


def fuzzy(seed, n=7, c=3):
    return fraction_rows(np.random.default_rng(seed), n, c)


def exact(rows):
    return [[Fraction(float(v)).limit_denominator(64) for v in row] for row in rows]


def onehot(labels, c):
    return np.eye(c)[labels]


# -- golden -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("coupling", "truth", "key"), [
    ("expected", "truth_labels", "expected_hard_truth"),
    ("minimum", "truth_labels", "minimum_hard_truth"),
    ("expected", "truth_membership", "expected_soft_truth"),
    ("minimum", "truth_membership", "minimum_soft_truth")])
def test_soft_six(coupling, truth, key):
    item = GOLDEN["soft-six"]
    data, expected = item["input"], item["expected"]
    primary, alternative = (np.array(data[k], float) for k in ("primary", "alternative"))
    result = sc.prayatul(data[truth], primary, alternative, coupling=coupling)
    np.testing.assert_allclose(result.counts, expected[key], rtol=0, atol=item["tolerance"])
    assert sum(result.counts) == pytest.approx(15)
    assert result.coupling == coupling
    rows = result.objects().rows
    np.testing.assert_allclose(rows.sum(axis=0) / 2, result.counts, **CLOSE)
    np.testing.assert_allclose(rows.sum(axis=1), 5, **CLOSE)
    if key == "expected_hard_truth":
        np.testing.assert_allclose(rows, expected["expected_rows_hard_truth"], rtol=0,
                                   atol=item["tolerance"])


@pytest.mark.parametrize(("name", "empty"), [
    ("evidential-six", "unknown"), ("evidential-six-empty", "unknown"),
    ("evidential-six-empty", "normalise")])
def test_evidential_six(name, empty):
    item = GOLDEN[name]
    data = item["input"]
    expected = item["expected"].get(empty, item["expected"])
    sides = [sc.EvidentialClustering(data[f"{side}_mass"], data["focal_sets"])
             for side in ("primary", "alternative")]
    result = sc.prayatul(data["truth"], *sides, coupling="evidential", empty=empty)
    tolerance = item["tolerance"]
    np.testing.assert_allclose(result.matrix, expected["matrix3"], rtol=0, atol=tolerance)
    for k, measure in enumerate(MEASURES):
        ends = getattr(result, measure)
        assert ends.low == pytest.approx(expected["lower"][k], abs=tolerance)
        assert ends.high == pytest.approx(expected["upper"][k], abs=tolerance)
    assert result.pairs == 15


# -- oracles ----------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(4))
def test_expected_is_the_mean_over_drawn_labels(seed):
    g, p, q = fuzzy(seed, 4, 2), fuzzy(seed + 10, 4, 3), fuzzy(seed + 20, 4, 2)
    result = quiet(g, p, q)
    mean = naive.expected_prayatul(exact(g), exact(p), exact(q))
    np.testing.assert_allclose(result.counts, [float(v) for v in mean], **CLOSE)
    # the same mean over whole labelings, for the smallest
    if seed == 0:
        total = np.zeros(4)
        for labels in itertools.product(range(2), range(3), range(2), repeat=4):
            sides = labels[0::3], labels[1::3], labels[2::3]
            chance = math.prod(x[i, k] for x, side in zip((g, p, q), sides)
                               for i, k in enumerate(side))
            if chance:
                total += chance * np.array(naive.prayatul(*sides))
        np.testing.assert_allclose(result.counts, total, **CLOSE)


@pytest.mark.parametrize("seed", range(6))
def test_minimum_against_the_pair_loop(seed):
    rng = np.random.default_rng(seed)
    n = 9
    g = onehot(rng.integers(2, size=n), 2) if seed % 2 else fuzzy(seed, n, 2)
    p, q = fuzzy(seed + 1, n, 3), fuzzy(seed + 2, n, 4)
    w = None if seed < 3 else rng.random(n)
    result = sc.prayatul(g, p, q, coupling="minimum", weights=w)
    np.testing.assert_allclose(result.counts, naive.minimum_prayatul(g, p, q, w), **CLOSE)


def test_minimum_over_several_tiles():
    n = 140 if JIT_OFF else 300
    g, p, q = fuzzy(1, n, 2), fuzzy(2, n, 3), np.random.default_rng(0).integers(3, size=n)
    result = sc.prayatul(g, p, q, coupling="minimum")
    expected = naive.minimum_prayatul(g, p, onehot(q, 3)) if not JIT_OFF else None
    if expected is not None:
        np.testing.assert_allclose(result.counts, expected, rtol=1e-12)
    np.testing.assert_allclose(result.objects().rows.sum(axis=1), n - 1, rtol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_evidential_against_the_pair_loop(seed):
    rng = np.random.default_rng(seed)
    n, kinds = 8, ("rough", "fuzzy", "possibilistic", "evidential", "hard")
    p, q = (random_clustering(rng, str(rng.choice(kinds)), n, 3, empty=True) for _ in range(2))
    g = rng.integers(3, size=n).tolist()
    w = None if seed % 2 else rng.integers(0, 5, n) / 4
    result = quiet(g, p, q, coupling="evidential", weights=w)
    weights = None if w is None else [Fraction(float(v)) for v in w]
    expected = naive.evidential_prayatul(g, naive_masses(p), naive_masses(q), weights)
    np.testing.assert_allclose(result.matrix, np.array(expected, float), **CLOSE)


# -- reduction and identities -------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(3))
def test_onehot_rows_give_the_hard_matrix(seed):
    g, p, q = np.random.default_rng(seed).integers(3, size=(3, 12))
    hard = sc.prayatul(g, p, q)
    for coupling in ("expected", "minimum"):
        soft = sc.prayatul(onehot(g, 3), onehot(p, 3), q, coupling=coupling)
        assert list(soft.counts) == list(hard.counts)
        assert (soft.objects().rows == hard.objects().rows).all()
        assert (soft.parts().same_class == hard.parts().same_class).all() if (
            coupling == "expected") else True
        mixed = sc.prayatul(g, onehot(p, 3), q, coupling=coupling)
        assert (mixed.parts().same_class == hard.parts().same_class).all()
        assert (mixed.objects().same_class == hard.objects().same_class).all()
    bounds = sc.prayatul(g, p, q, coupling="evidential")
    assert (bounds.matrix[:2, :2] == hard.matrix).all()
    assert bounds.matrix[2].sum() == bounds.matrix[:, 2].sum() == 0
    for measure in (*MEASURES, "delta"):
        ends = getattr(bounds, measure)
        assert ends.low == ends.high == pytest.approx(getattr(hard, measure), rel=1e-15)


def test_masses_on_single_clusters_give_the_expected_form():
    g, p, q = [0, 0, 1, 1, 2, 2, 0], fuzzy(1), fuzzy(2)
    expected = sc.prayatul(g, p, q)
    bounds = sc.prayatul(g, p, q, coupling="evidential")
    np.testing.assert_allclose(bounds.matrix[:2, :2].ravel(), expected.counts, **CLOSE)
    assert bounds.matrix[2].sum() == bounds.matrix[:, 2].sum() == 0


@pytest.mark.parametrize("coupling", ["expected", "minimum"])
def test_transposes_and_ignores_the_order_of_columns(coupling):
    g, p, q = fuzzy(3), fuzzy(4), fuzzy(5, c=4)
    r = sc.prayatul(g, p, q, coupling=coupling)
    other = sc.prayatul(g, q, p, coupling=coupling)
    np.testing.assert_allclose(other.matrix, r.matrix.T, **CLOSE)
    shuffled = sc.prayatul(g[:, ::-1], p[:, [2, 0, 1]], q, coupling=coupling)
    np.testing.assert_allclose(shuffled.matrix, r.matrix, **CLOSE)
    table = sc.prayatul_all(g, {"p": p, "q": q}, coupling=coupling)
    assert table["p", "q"].counts == tuple(table["q", "p"].counts[k] for k in (0, 2, 1, 3))
    np.testing.assert_allclose(table["q", "p"].objects().rows, other.objects().rows, **CLOSE)
    np.testing.assert_allclose(table["q", "p"].counts, other.counts, **CLOSE)
    one, two = (sc.prayatul([0, 0, 1, 1, 2, 2, 0], *sides, coupling=coupling)
                for sides in ((p, q), (q, p)))
    table = sc.prayatul_all([0, 0, 1, 1, 2, 2, 0], {"p": p, "q": q}, coupling=coupling)
    for pair, direct in ((("p", "q"), one), (("q", "p"), two)):
        np.testing.assert_allclose(table[pair].parts().same_class, direct.parts().same_class,
                                   **CLOSE)
        np.testing.assert_allclose(table[pair].jackknife().standard_error,
                                   direct.jackknife().standard_error, rtol=1e-9)


def test_a_soft_clustering_with_itself():
    g, p = [0, 0, 1, 1, 2, 2, 0], fuzzy(6)
    expected = sc.prayatul(g, p, p)
    assert expected.right_wrong == expected.wrong_right > 0
    minimum = quiet(g, p, p, coupling="minimum")
    assert minimum.right_wrong == minimum.wrong_right == 0.0
    assert math.isnan(minimum.comparative_deviation)


def test_minimum_with_a_hard_truth_has_the_expected_difference():
    g, p, q = [0, 0, 1, 1, 2, 2, 0], fuzzy(7), fuzzy(8)
    a, b = (sc.prayatul(g, p, q, coupling=c) for c in ("expected", "minimum"))
    assert a.delta == pytest.approx(b.delta, abs=1e-14)
    assert b.both_right >= a.both_right
    assert b.both_wrong >= a.both_wrong


def test_same_hard_partition_against_a_soft_truth_is_exactly_the_same():
    g, p = fuzzy(9, 12), np.random.default_rng(0).integers(3, size=12)
    r = quiet(g, p, 5 - p)
    assert r.right_wrong == r.wrong_right == 0.0
    r = quiet(g, p, onehot(p, 4), weights=np.random.default_rng(1).random(12))
    assert r.right_wrong == r.wrong_right == 0.0


@pytest.mark.parametrize("hard_truth", [True, False])
def test_expected_parts(hard_truth):
    g = np.array([0, 0, 1, 1, 2, 2, 0]) if hard_truth else fuzzy(10)
    p, q = fuzzy(11), fuzzy(12)
    r = sc.prayatul(g, p, q)
    parts, objects = r.parts(), r.objects()
    np.testing.assert_allclose(parts.same_class + parts.different_class, r.matrix, **CLOSE)
    np.testing.assert_allclose(objects.same_class.sum(axis=0) / 2, parts.same_class.ravel(),
                               **CLOSE)
    joined = (onehot(g, 3) if hard_truth else g) @ (onehot(g, 3) if hard_truth else g).T
    assert parts.same_class.sum() == pytest.approx((joined.sum() - np.trace(joined)) / 2)
    if hard_truth:
        # within a class a pair is right as far as it is joined
        inside = sc.prayatul([0, 0, 0], p[[0, 1, 6]], q[[0, 1, 6]]).matrix + sum(
            sc.prayatul([0, 0], p[i:i + 2], q[i:i + 2]).matrix for i in (2, 4))
        np.testing.assert_allclose(parts.same_class, inside, **CLOSE)


def test_minimum_parts_need_a_hard_truth():
    p, q = fuzzy(11), fuzzy(12)
    r = sc.prayatul([0, 0, 1, 1, 2, 2, 0], p, q, coupling="minimum")
    np.testing.assert_allclose(r.objects().same_class.sum(axis=0) / 2,
                               r.parts().same_class.ravel(), **CLOSE)
    soft = sc.prayatul(fuzzy(13), p, q, coupling="minimum")
    with pytest.raises(sc.ClusteringError, match="neither in one class nor in two"):
        soft.parts()
    assert soft.objects().same_class is None
    assert "same_both_right" not in soft.objects().to_frame()


@pytest.mark.parametrize("coupling", ["expected", "minimum"])
@pytest.mark.parametrize("sides", ["fuzzy", "mixed"])
def test_weights_and_rows(coupling, sides):
    rng = np.random.default_rng(3)
    g, p = rng.integers(2, size=9), fuzzy(1, 9)
    q = fuzzy(2, 9) if sides == "fuzzy" else rng.integers(3, size=9)
    w = rng.integers(0, 4, 9) / 2
    r = sc.prayatul(g, p, q, coupling=coupling, weights=w)
    rows = r.objects().rows
    np.testing.assert_allclose((w[:, None] * rows).sum(axis=0) / 2, r.counts, **CLOSE)
    # whole weights are copies of objects without pairs among the copies of one
    whole = rng.integers(0, 3, 9)
    replicate = sc.prayatul(g, p, q, coupling=coupling).bootstrap(
        weights=[whole]).replicates[0, 2]
    weighted = sc.prayatul(g, p, q, coupling=coupling, weights=whole)
    assert replicate == pytest.approx(weighted.polarization, abs=1e-14)
    left_out = sc.prayatul(g, p, q, coupling=coupling, weights=np.arange(9) != 4)
    plain = sc.prayatul(g, p, q, coupling=coupling)
    np.testing.assert_allclose(np.subtract(plain.counts, plain.objects().rows[4]),
                               left_out.counts, **CLOSE)


def test_jackknife_of_soft_clusterings_leaves_objects_out():
    g, p, q = [0, 0, 1, 1, 2, 2, 0, 1], fuzzy(1, 8), fuzzy(2, 8)
    for coupling in ("expected", "minimum"):
        left = []
        for i in range(8):
            keep = [k for k in range(8) if k != i]
            r = sc.prayatul([g[k] for k in keep], p[keep], q[keep], coupling=coupling)
            left.append([r.delta, *(getattr(r, m) for m in MEASURES)])
        expected = np.sqrt(7 / 8 * ((left - np.mean(left, axis=0))**2).sum(axis=0))
        found = sc.prayatul(g, p, q, coupling=coupling).jackknife().standard_error
        np.testing.assert_allclose(found, expected, rtol=1e-10)


# -- bounds ---------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(3))
def test_every_selection_of_a_rough_clustering_is_within_the_bounds(seed):
    rng = np.random.default_rng(seed)
    n = 5
    p, q = (random_clustering(rng, "rough", n, 3) for _ in range(2))
    g = rng.integers(2, size=n)
    bounds = quiet(g, p, q, coupling="evidential")
    for chosen in zip(itertools.product(*(np.flatnonzero(row) for row in p.upper)),
                      itertools.product(*(np.flatnonzero(row) for row in q.upper))):
        r = quiet(g, *map(list, chosen))
        for name in (*MEASURES, "delta", "rand_primary", "rand_alternative", "both_right",
                     "right_wrong", "wrong_right", "both_wrong"):
            value, ends = getattr(r, name), getattr(bounds, name)
            assert math.isnan(value) or ends.low - 1e-12 <= value <= ends.high + 1e-12


def test_bounds_are_nan_where_every_allocation_is_undefined():
    with pytest.warns(sc.UndefinedMeasureWarning, match="comparative_deviation is undefined"):
        r = sc.prayatul([0, 0, 1], [0, 1, 1], [5, 2, 2], coupling="evidential")
    assert math.isnan(r.comparative_deviation.low)
    assert r.polarization.low == r.polarization.high
    assert "undefined" in str(r)


def test_normalising_total_conflict_is_an_error():
    masses = sc.EvidentialClustering([[1.0, 0.0], [0.0, 1.0]], [[0], [1]])
    with pytest.raises(sc.ClusteringError, match="primary: object 0 has all its mass on the "
                                                 "empty set"):
        sc.prayatul([0, 1], masses, [0, 1], coupling="evidential", empty="normalise")
    r = sc.prayatul([0, 1], masses, [0, 0], coupling="evidential")
    assert r.matrix.ravel().tolist() == [0, 0, 0, 0, 0, 0, 0, 1, 0]


def test_table_of_bounds():
    rng = np.random.default_rng(0)
    sides = {name: random_clustering(rng, kind, 8, 3) for name, kind in (
        ("rough", "rough"), ("fuzzy", "fuzzy"), ("hard", "hard"))}
    g = rng.integers(3, size=8)
    table = sc.prayatul_all(g, sides, coupling="evidential")
    one = quiet(g, sides["hard"], sides["rough"], coupling="evidential")
    np.testing.assert_allclose(table["hard", "rough"].matrix, one.matrix, **CLOSE)
    assert "delta_low" in table.to_frame()
    assert "[" in str(table)
    assert table["fuzzy", "rough"].kinds == ("hard", "fuzzy", "rough")
    frame = one.to_frame()
    assert (frame.lower <= frame.upper).all()


# -- errors, progress, threads --------------------------------------------------------------
def test_kinds_that_do_not_suit():
    rough = sc.RoughClustering.from_upper([[1, 0], [1, 1]])
    with pytest.raises(sc.ClusteringError, match='primary is rough; coupling="expected" takes '
                                                 "hard and fuzzy"):
        sc.prayatul([0, 1], rough, [0, 1])
    with pytest.raises(sc.ClusteringError, match="truth is rough"):
        sc.prayatul(rough, [0, 1], [0, 1], coupling="minimum")
    with pytest.raises(sc.ClusteringError, match='truth is fuzzy; coupling="evidential" needs a '
                                                 "hard truth"):
        sc.prayatul([[0.5, 0.5], [1.0, 0.0]], [0, 1], [0, 0], coupling="evidential")
    r = sc.prayatul([0, 0, 1], [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]], [0, 1, 1])
    with pytest.raises(sc.ClusteringError, match='by="cell" needs hard'):
        r.objects(by="cell")


def test_noise_of_hard_sides_beside_soft_ones():
    g, q = [0, 0, 1, 1, 0], [0, -1, 1, 1, 0]
    p = fuzzy(3, 5)
    r = sc.prayatul(g, p, q, noise="drop")
    keep = [0, 2, 3, 4]
    direct = sc.prayatul([g[k] for k in keep], p[keep], [q[k] for k in keep])
    np.testing.assert_allclose(r.counts, direct.counts, **CLOSE)
    assert r.n_noise == (0, 1)


@pytest.mark.parametrize("coupling", ["expected", "minimum", "evidential"])
def test_same_bits_for_any_number_of_threads(coupling):
    n = 60 if JIT_OFF else 9000 if coupling != "minimum" else 1500
    g, p, q = np.random.default_rng(0).integers(3, size=n), fuzzy(1, n), fuzzy(2, n, 4)
    found = []
    for threads in (1, 8):
        sc.set_num_threads(threads)
        try:
            r = sc.prayatul(g, p, q, coupling=coupling)
            bits = [r.matrix.tobytes()]
            if coupling != "evidential":
                bits += [r.objects().rows.tobytes(), r.objects().same_class.tobytes()]
            if coupling == "expected":
                bits.append(r.bootstrap(1, n_resamples=3).replicates.tobytes())
            found.append(bits)
        finally:
            sc.set_num_threads(None)
    assert found[0] == found[1]


def test_progress_and_interrupts():
    done = []
    p, q = fuzzy(1, 30), fuzzy(2, 30)
    g = [0, 1] * 15
    sc.prayatul(g, p, q, coupling="minimum", progress=lambda *counts: done.append(counts))
    assert done[-1] == (30, 30)
    done.clear()
    sc.prayatul(g, p, q, coupling="evidential", progress=lambda *counts: done.append(counts))
    assert done[-1] == (2, 2)

    def stop(*counts):
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        sc.prayatul(g, p, q, coupling="minimum", progress=stop)
    with pytest.raises(KeyboardInterrupt):
        sc.prayatul(g, p, q).bootstrap(0, n_resamples=5, progress=stop)


def test_bounds_are_a_result_without_counts():
    found = sc.prayatul([0, 0, 1, 1], fuzzy(1, 4), [0, 1, 1, 1], coupling="evidential")
    counted = sc.prayatul([0, 0, 1], [0, 1, 1], [0, 0, 0])
    assert type(found) is sc.results.PrayatulResult is type(counted)
    assert found.to_frame().columns.tolist() == ["lower", "upper"]
    assert "with bounds" in str(found)
    for ask in (found.objects, found.parts, found.jackknife, found.bootstrap):
        with pytest.raises(sc.ClusteringError, match=r"gives bounds alone; .* needs counts"):
            ask()
