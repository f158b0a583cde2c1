"""What the tests of soft transport share: problems, random sides, stored cases of their kinds."""

import itertools

import numpy as np
import pytest
from extensions.transport.transport_cases import load_cases, served
from strategies import JIT_OFF

import softclust as sc
from softclust.extensions.transport.couplings import cheapest_plan
from softclust.extensions.transport.problem import Limits, Problem, RandomSide, solvers

BASES = ("rand", "partition")
SOFT = ("fuzzy", "possibilistic", "evidential")


def chosen(wanted):
    """Stored cases of these kinds; without JIT a few small ones. Content decides the kind."""
    cases = [case for case in load_cases() if case.expected
             and wanted({RandomSide(case.x).kind, RandomSide(case.y).kind} & {"hard", "rough"})]
    return [case for case in cases if case.n <= 4][::5] if JIT_OFF else cases


SOFT_CASES = chosen(lambda certain: not certain)
#: sides that most bounds also serve
HALF_CASES = chosen(lambda certain: certain == {"rough"})
slow = pytest.mark.skipif(JIT_OFF, reason="150 objects or more: minutes without JIT, and smaller "
                          "ones go the same way")


def problem(x, y, base="rand", alpha=0.5):
    return Problem(x=RandomSide(x), y=RandomSide(y), base=base, alpha=alpha)


def run(name, p, end="lower", limits=None):
    """A solver called directly; None when it does not serve this problem."""
    s = solvers()[name]
    limits = limits or Limits()
    if not served(name, p.base, end) or s.fits(p, limits):
        return None
    return s.function(p, end, limits)


def random_law(rng, n, c, kind):
    """A small random side as a list over objects of {set of labels: mass}."""
    sets = [frozenset(s) for k in range(1, c + 1) for s in itertools.combinations(range(c), k)]
    if kind == "fuzzy":
        sets = sets[:c]
    rows = []
    for _ in range(n):
        few = [sets[k] for k in rng.permutation(len(sets))[:rng.integers(1, 4)]]
        if kind == "possibilistic":   # nested
            order = rng.permutation(c)
            few = [frozenset(order[:k].tolist()) for k in range(1, rng.integers(1, c + 1) + 1)]
        # Multiples of 1/8 sum to 1 exactly.
        cuts = np.sort(rng.choice(np.arange(1, 8), len(few) - 1, replace=False))
        parts = np.diff(np.concatenate([[0], cuts, [8]])) / 8
        rows.append({s: float(m) for s, m in zip(few, parts)})
    return rows


def tiny_pairs(seed, count, kinds=SOFT):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n, c = int(rng.integers(2, 5)), int(rng.integers(2, 4))
        yield tuple(random_law(rng, n, c, kinds[rng.integers(len(kinds))]) for _ in range(2)), c


def permuted(z, rng):
    """The same clustering with its labels renamed."""
    if z.kind == "evidential":
        order = rng.permutation(z.n_clusters)
        return sc.EvidentialClustering(z.mass, np.asarray(z.focal_sets)[:, order])
    values = z.membership if z.kind == "fuzzy" else z.typicality
    return type(z)(values[:, rng.permutation(z.n_clusters)])


def assert_bracket(finding, truth, p, what):
    """The certificate holds the truth, up to the allowance for rounding that the walk adds."""
    assert finding.low <= truth * p.most + p.rounding, (what, finding, truth * p.most)
    assert finding.high >= truth * p.most - p.rounding, (what, finding, truth * p.most)


def solved(a, b, cost):
    plan, u, v, status = cheapest_plan(a, b, cost, Limits())
    assert status == "ok"
    return float((plan * cost).sum()), plan, u, v
