"""Two soft sides: certificates, most of them with a rough side as well."""

import itertools
import math
import warnings

import numpy as np
import pytest
from extensions.transport.transport_cases import evidential, load_cases, served
from extensions.transport.transport_soft_cases import (
    BASES,
    HALF_CASES,
    SOFT,
    SOFT_CASES,
    assert_bracket,
    problem,
    random_law,
    run,
    slow,
    solved,
)
from naive.transport_values import transport_value
from strategies import JIT_OFF
from together import SOME_OR_ALL

import softclust as sc
from softclust.extensions.transport import (
    chords,
    couplings,
)
from softclust.extensions.transport.problem import Limits, RandomSide, solvers

BOUNDS = ("coupled_matching", "coupling_bound", "selection_bound", "coupling_descent",
          "size_chords", "cell_chords")


@pytest.mark.parametrize("name", BOUNDS)
@pytest.mark.parametrize("base", BASES)
@SOME_OR_ALL
def test_certificates_hold_the_stored_values(name, base, whole):
    held = 0
    for case in (SOFT_CASES + HALF_CASES)[::1 if whole else 5]:
        for x, y in ((case.x, case.y), (case.y, case.x))[:2 if case.n <= 6 else 1]:
            for end, key in (("lower", "lower"), ("upper", "upper"), ("value", "half")):
                p = problem(x, y, base)
                found = run(name, p, end)
                if found is not None:
                    assert_bracket(found, case.expected[base][key], p, (case.id, name, end))
                    held += 1
    serves = any(served(name, base, end) for end in ("lower", "upper", "value"))
    assert held >= (0 if not serves else 100 if whole and not JIT_OFF else 10)


def test_rough_against_random_sides_held():
    """Bounds with a rough side, against the definition."""
    rng = np.random.default_rng(8)
    for kind in SOFT * (1 if JIT_OFF else 4):
        n, c = int(rng.integers(2, 5)), int(rng.integers(2, 4))
        y = random_law(rng, n, c, kind)
        upper = np.eye(c, dtype=bool)[rng.integers(c, size=n)] | (rng.random((n, c)) < 0.4)
        x = [{frozenset(np.flatnonzero(row).tolist()): 1.0} for row in upper]
        for base in BASES:
            for end, alpha in (("lower", 0.0), ("upper", 1.0), ("value", 0.5)):
                truth = transport_value(x, y, base, alpha)
                p = problem(evidential(x, c), evidential(y, c), base, alpha)
                for name in BOUNDS:
                    found = run(name, p, end)
                    if found is not None:
                        assert_bracket(found, truth, p, (name, base, end, x, y))


@slow
@pytest.mark.parametrize("id", ["iris-ecm-like-pair", "iris-fcm-2.0-vs-1.7"])
@pytest.mark.parametrize("base", BASES)
def test_iris_intervals_are_as_narrow_as_the_reference(id, base):
    case = next(c for c in load_cases() if c.id == id)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.InexactWarning)
        result = sc.transport_dissimilarity(case.x, case.y, base=base)
    for end in ("lower", "upper"):
        low, high = case.reference[base][end]
        ours = getattr(result, f"{end}_low"), getattr(result, f"{end}_high")
        # Both hold the truth; 10% wider is accepted.
        assert ours[0] <= high
        assert low <= ours[1]
        assert ours[1] - ours[0] <= max(1.1 * (high - low), 1e-6)
    assert result.value_low <= result.value <= result.value_high
    assert result.lower_low <= result.value_low


@slow
def test_farthest_pairs_are_enclosed_narrowly():
    """Bounds on the stored cases of 40 to 150 objects: most are certain there."""
    widths, closest = [], []
    for case in SOFT_CASES + HALF_CASES:
        p = problem(case.x, case.y)
        if case.group != "mid" or p.one_end or p.kinds == ("rough", "rough"):
            continue
        low, high = run("selection_bound", p, "upper").low, run("size_chords", p, "upper").high
        widths.append((high - low) / p.most)
        closest.append((run("coupling_descent", p).high - run("cell_chords", p).low) / p.most)
    assert len(widths) >= 10
    # Without chords the medians are above .1 and .02.
    assert np.median(widths) < 0.02
    assert np.median(closest) < 0.005


def test_chords_lie_above_squares():
    """E max over labels of |r|^2 / 2 - slope r <= constant, by listing; exact for fuzzy sides."""
    rng = np.random.default_rng(14)
    for kind in SOFT * (2 if JIT_OFF else 5):
        n, c = int(rng.integers(2, 5)), int(rng.integers(2, 4))
        rows = random_law(rng, n, c, kind)
        z = couplings.masses(RandomSide(evidential(rows, c)))
        c = z.c
        chord = chords.chord(z, Limits())
        mean = 0.0
        for sets in itertools.product(*(row.items() for row in rows)):
            p = math.prod(m for _, m in sets)
            sizes = [np.bincount(labels, minlength=c)[:c]
                     for labels in itertools.product(*(s for s, _ in sets))]
            mean += p * max(r @ r / 2 - chord.slope @ r for r in sizes)
        assert mean <= chord.constant + 1e-12
        if kind == "fuzzy":
            assert mean == pytest.approx(chord.constant, abs=1e-12)


def test_lines_lie_above_squared_cells():
    """E T_ab^2 below every line of the cell chords under the worst coupling."""
    rng = np.random.default_rng(16)
    for kind in SOFT * (1 if JIT_OFF else 5):
        n, c = 2 if JIT_OFF else int(rng.integers(2, 4)), 2
        x, y = (couplings.masses(RandomSide(evidential(random_law(rng, n, c, k), c)))
                for k in (kind, "evidential"))
        if x.c != 2 or y.c != 2:
            continue
        sure = [z.mass[:, one] @ z.sets[one].astype(float) for z in (x, y)
                for one in [z.sets.sum(axis=1) == 1]]
        states = [list(itertools.product(*(np.flatnonzero(row) for row in z.mass)))
                  for z in (x, y)]
        laws = [np.array([math.prod(z.mass[i, k] for i, k in enumerate(state)) for state in s])
                for z, s in zip((x, y), states)]
        for a, b in itertools.product(range(c), repeat=2):
            # Objects that may, that must have both labels: T^2 - slope T is convex in T.
            ends = [[(sum(x.sets[s, a] and y.sets[t, b] for s, t in zip(u, v)),
                      sum(x.sets[s, a] and y.sets[t, b] and x.sets[s].sum() == y.sets[t].sum() == 1
                          for s, t in zip(u, v))) for v in states[1]] for u in states[0]]
            for slope, constant in chords.Cell(x, y, tuple(sure), a, b, Limits()).lines():
                gain = (np.array(ends, dtype=float) ** 2 - slope * np.array(ends)).max(axis=2)
                assert -solved(*laws, -gain)[0] <= constant + 1e-12


def test_positive_parts():
    """Attained by two equally likely values of one size; above any other law."""
    assert chords.positive_part(0.0, 1.0) == 0.5
    assert chords.positive_part(-3.0, 0.0) == 0.0
    z = np.random.default_rng(15).normal(0.3, 2.0, 200)
    assert np.maximum(z, 0).mean() <= chords.positive_part(z.mean(), z.var())


def test_size_chords_with_hard_and_rough_sides():
    """A hard side leaves one coupling and one direction; rough sides leave both."""
    rng = np.random.default_rng(13)
    for kind in ("hard", "rough", "fuzzy", "evidential"):
        for _ in range(1 if JIT_OFF else 4):
            n, c = int(rng.integers(3, 5)), 3
            x = random_law(rng, n, c, "evidential" if kind in ("rough", "hard") else kind)
            if kind in ("rough", "hard"):
                x = [{max(row, key=len): 1.0} for row in x]
            if kind == "hard":
                x = [{frozenset([min(s) for s in row]): 1.0} for row in x]
            y = [{max(row, key=len): 1.0} for row in random_law(rng, n, c, "evidential")]
            for end, alpha in (("upper", 1.0), ("value", 0.4)):
                p = problem(evidential(x, c), evidential(y, c), "rand", alpha)
                found = solvers()["size_chords"].function(p, end, Limits())
                assert_bracket(found, transport_value(x, y, "rand", alpha), p, (kind, end, x, y))


def test_couplings_too_large_to_hold(monkeypatch):
    """The descent falls back to couplings of the matching, still a bound."""
    monkeypatch.setattr(couplings, "MAX_JOINT", 1)
    for case in SOFT_CASES[:10]:
        p = problem(case.x, case.y)
        assert_bracket(run("coupling_descent", p), case.expected["rand"]["lower"], p, case.id)


def test_more_labels_than_can_be_listed():
    """c = 8: one relabelling, the pair sum below; still a certificate."""
    rng = np.random.default_rng(11)
    labels = rng.integers(0, 8, 20)
    labels[:8] = np.arange(8)
    mass = np.zeros((20, 9))
    mass[np.arange(20), labels] = 1.0
    mass[:3] *= 0.5
    mass[:3, 8] = 0.5
    sets = np.vstack([np.eye(8, dtype=bool), np.ones((1, 8), dtype=bool)])
    x = sc.EvidentialClustering(mass, sets)
    fuzzy = np.eye(8)[labels]
    fuzzy[-2:] = 0.5 * fuzzy[-2:] + 0.5 * np.roll(fuzzy[-2:], 1, axis=1)
    y = sc.FuzzyClustering(fuzzy)
    for base in BASES:
        exact = sc.transport_dissimilarity(x, y, base=base, method="exact")
        assert exact.exact
        held = sc.transport_dissimilarity(x, y, base=base, method="certified")
        for end in ("lower", "upper", "value"):
            truth = getattr(exact, end)
            assert getattr(held, f"{end}_low") <= truth + 1e-12
            assert getattr(held, f"{end}_high") >= truth - 1e-12
