"""Hard and rough sides: D1 to D7 against stored values, the definition and each other."""

import itertools
import time
import warnings

import numpy as np
import pytest
from naive.transport import transport_value
from transport_cases import load_cases

import softclust as sc
from softclust import _kernels
from softclust._transport import rough, rough_hausdorff
from softclust._transport.problem import Limits, Problem, Side
from softclust._transport.rough_types import rough_types, types_of_masks
from softclust._transport.solvers import solvers

BASES = ("rand", "partition")
ENDS = ("lower", "upper")
EXACT = ("D1", "D2", "D3", "D4", "D5", "D6", "D7")
CASES = [case for case in load_cases() if case.expected
         and {Side(case.x).kind, Side(case.y).kind} in ({"hard", "rough"}, {"rough"})]


# -- what the tests need ------------------------------------------------------------------------
def problem(x, y, base):
    return Problem(x=Side(x), y=Side(y), base=base)


def of_sets(sets, c):
    """A rough clustering, or a hard one when every set is one label."""
    upper = [[k in s for k in range(c)] for s in sets]
    return sc.RoughClustering.from_upper(upper)


def run(name, p, end, limits=None):
    """A solver called directly; None when it does not serve this problem."""
    s = solvers()[name]
    limits = limits or Limits()
    if p.base not in s.bases or end not in s.ends or s.fits(p, limits):
        return None
    # D2 and D5 are for a hard side, D3 and D6 for two rough ones.
    if (name in ("D2", "D5")) != ("hard" in p.kinds) and name in ("D2", "D3", "D5", "D6",
                                                                  "D6 bounds"):
        return None
    return s.function(p, end, limits)


def assert_all_solvers(x, y, expected):
    """Every solver that fits finds `expected[base][end]`, the bounds enclose it."""
    for base in BASES:
        p = problem(x, y, base)
        for end in ENDS:
            truth = expected[base][end] * p.most
            found = 0
            for name in EXACT:
                finding = run(name, p, end)
                if finding is not None:
                    found += 1
                    assert finding.low == finding.high == pytest.approx(truth, abs=1e-6), (
                        name, base, end)
                    assert finding.status == "ok" and finding.solver in (name, "D6 bounds")
            assert found
            finding = run("D6 bounds", p, end)
            if finding is not None:
                assert finding.low <= truth + 1e-6 and truth - 1e-6 <= finding.high


def random_sets(rng, n, c, most=4, single=0.5):
    """n random label sets."""
    return [frozenset(rng.choice(c, 1 if rng.random() < single else
                                 rng.integers(1, min(c, most) + 1), replace=False).tolist())
            for _ in range(n)]


def permuted(sets, order, labels):
    return [frozenset(int(labels[v]) for v in sets[i]) for i in order]


def definition(x, y):
    laws = [[{s: 1} for s in side] for side in (x, y)]
    return {base: {end: transport_value(*laws, base, float(end == "upper")) for end in ENDS}
            for base in BASES}


def type_arrays(rng, n_types, k, c, most):
    """Random types with many objects."""
    a, b = rng.integers(1, 1 << k, n_types), rng.integers(1, 1 << c, n_types)
    return a, b, rng.integers(1, most, n_types)


# -- stored values --------------------------------------------------------------------------------
@pytest.mark.parametrize("case", CASES, ids=repr)
def test_stored_values_from_every_solver(case):
    assert_all_solvers(case.x, case.y, case.expected)


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_stored_values_through_the_door(case):
    rng = np.random.default_rng(1)
    order = rng.permutation(case.n)
    for base in BASES:
        for x, y in ((case.x, case.y), (case.y.subset(order), case.x.subset(order))):
            found = sc.transport_dissimilarity(x, y, base=base)
            wanted = case.expected[base]
            assert found.exact and found.status == "ok"
            # Integers scaled once: rounding of one division.
            assert found.lower == pytest.approx(wanted["lower"], abs=1e-12)
            assert found.upper == pytest.approx(wanted["upper"], abs=1e-12)
            assert found.value == pytest.approx(wanted["half"], abs=1e-12)
