"""Bounds of transport values hold after rounding: many equal rows, sums a little off, tiny mass."""

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from extensions.transport.transport_soft_cases import problem, run
from strategies import JIT_OFF

import softclust as sc
from softclust.extensions.transport.focal_transport import count_law
from softclust.extensions.transport.laws import SumLaw
from softclust.extensions.transport.plan import EndState
from softclust.extensions.transport.problem import Finding, Limits


@pytest.mark.skipif(JIT_OFF, reason="10,000 objects; the sums that matter are numpy's")
@pytest.mark.parametrize("q", [0.1, 0.3, 1e-9])
def test_sums_of_equal_rows_stay_within_the_allowance(q):
    """One cluster against equal rows (q, 1 - q): adding the same number 10,000 times drifts."""
    n = 10_000
    p = problem(sc.HardClustering(np.zeros(n, int), n_clusters=2),
                sc.FuzzyClustering(np.tile([q, 1 - q], (n, 1))))
    rows = [Fraction(float(u)) for u in p.y.mass[0]]
    truth = Fraction(n * (n - 1), 2) * (1 - sum((u / sum(rows)) ** 2 for u in rows))
    for name in ("selection_bound", "coupling_descent", "size_chords", "cell_chords"):
        for end in ("lower", "upper"):
            if (found := run(name, p, end)) is None:
                continue
            state = EndState(low=0.0, high=float(p.most))
            state.add(p, found, "certificate")
            assert Fraction(state.low) <= truth <= Fraction(state.high), (name, end)
    assert p.rounding < 1e-10 * p.most


@pytest.mark.parametrize("total", [1 - 9e-9, 1 + 9e-9])
@pytest.mark.parametrize("base", ["rand", "partition"])
def test_rows_a_little_off_are_probabilities_for_every_algorithm(total, base):
    """What a row lacks is no distance: sets that always meet are at 0."""
    n = 12
    masses = np.tile([0.7 * total, 0.3 * total], (n, 1))
    y = sc.EvidentialClustering(masses, [[1, 0, 0], [1, 1, 0]])
    even = sc.EvidentialClustering(np.tile([0.7, 0.3], (n, 1)), [[1, 0, 0], [1, 1, 0]])
    for x in (sc.HardClustering(np.zeros(n, int), n_clusters=3),
              sc.RoughClustering.from_upper(np.repeat([[1, 1, 0]], n, axis=0))):
        results = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sc.InexactWarning)
            for z in (y, even):
                results += [sc.transport_dissimilarity(x, z, base=base, method=method)
                            for method in ("exact", "certified")]
        for found in results:
            assert found.lower_low == 0.0 <= found.lower_high < 1e-12
            assert found.upper_low <= results[2].upper + 1e-12
            assert results[2].upper <= found.upper_high + 1e-12


def test_mass_outside_the_window_counts_at_the_largest_sum():
    """Three labels of mass 1e-20: their sums are cut off, the bounds stay above."""
    p = 1e-20
    law = SumLaw.of(np.tile([0.0, 1.0], (3, 1)), np.tile([1.0, p], (3, 1)), Limits())
    assert law.high < 3
    for s in range(-1, 4):
        parts = [(math.prod(Fraction(p) if one else 1 for one in ones), sum(ones))
                 for ones in itertools.product((0, 1), repeat=3)]
        for power, found in ((1, law.excess), (2, law.squares)):
            truth = sum(chance * max(total - s, 0) ** power for chance, total in parts)
            assert Fraction(float(found(np.array([s]))[0])) >= truth * (1 - Fraction(1, 10 ** 15))


def test_bounds_that_happen_to_be_whole_are_widened():
    p = problem(sc.FuzzyClustering([[0.5, 0.5]] * 4), sc.FuzzyClustering([[0.25, 0.75]] * 4))
    for low, high, guarantee, widened in ((1.0, 2.0, "certificate", True),
                                          (1.5, 1.5, "certificate", True),
                                          (1.5, 1.5, "exact", False),
                                          (0.0, 0.0, "certificate", False)):
        state = EndState(low=0.0, high=float(p.most))
        state.add(p, Finding(low=low, high=high, solver="coupling_descent"), guarantee)
        assert (state.low < low and high < state.high) == widened
    hard = sc.HardClustering([0, 0, 1, 1])
    state = EndState(low=0.0, high=6.0)
    state.add(problem(hard, hard), Finding(low=1.0, high=2.0), "certificate")
    assert (state.low, state.high) == (1.0, 2.0)


def test_laws_of_counts_keep_their_digits():
    """Counts of label 0 in groups of equal rows, by exact binomial probabilities."""
    for m, q in ((1, 0.3), (7, 1e-300), (7, 1 - 2.0 ** -53), (60, 0.5), (400, 0.1), (400, 0.97)):
        counts, mass = count_law(np.array([m]), np.array([q]))
        exact = [math.comb(m, k) * Fraction(q) ** k * (1 - Fraction(q)) ** (m - k)
                 for k in range(m + 1)]
        assert counts[:, 0].tolist() == list(range(m + 1))
        # About 2 roundings of a ratio; masses that count are within some sqrt(m) of the mode.
        for found, truth in zip(mass.tolist(), exact):
            assert abs(Fraction(found) - truth) <= Fraction(1, 10 ** 15)
