"""What stands for compiled code in kernels that run as Python gives the same bits."""

import math
from fractions import Fraction

import numpy as np
import pytest

from softclust._kernels import _fma, _tier, credal_partition, memberships, starts
from softclust._kernels._jit import JIT_ENABLED


def same_bits(a, b):
    return a.shape == b.shape and (a.view(np.int64) == b.view(np.int64)).all()


def hard_cases():
    """Numbers (m, 3): products that cancel, that need all bits, that end between two numbers."""
    rng = np.random.default_rng(0)
    n = 400
    a, b, sign = *rng.normal(size=(2, n)), rng.choice([-1.0, 1.0], n)
    whole = rng.integers(2**26, 2**27, (2, n)).astype(float)
    far = 2.0 ** rng.integers(-110, 110, n)
    cases = [(a, b, rng.normal(size=n)), (a, b, -a * b), (a, b, a * b * far * sign),
             (a, b, -a * b * (1.0 + rng.integers(-3, 4, n) * 2.0**-52)),
             (*whole, sign * 2.0 ** rng.integers(-10, 2, n)),
             (*whole, rng.integers(2**52, 2**53, n) * 2.0 ** rng.integers(-54, 3, n)),
             (0.5 * sign, rng.integers(0, 4, n) + 1.0 / far**2, 2.0**52 + np.arange(n))]
    return np.concatenate([np.array(case).T for case in cases])


@pytest.mark.parametrize("fma", [_fma.python_fma, _fma._fraction_fma], ids=["found", "fractions"])
def test_fma_is_rounded_once(fma):
    rng = np.random.default_rng(0)
    cases = [*_fma._HARD_CASES, *hard_cases()[::7].tolist()]
    for _ in range(100):
        a, b = rng.normal(size=2) * 10.0 ** rng.integers(-150, 150, 2)
        cases += [(a, b, rng.normal()), (a, b, -a * b), (a, b, -a * b * (1 + rng.normal() * 1e-15))]
    for a, b, c in cases:
        try:
            exact = float(Fraction(a) * Fraction(b) + Fraction(c))
        except OverflowError:
            continue
        assert fma(a, b, c) == exact
    assert math.isnan(fma(math.inf, 0.0, 1.0))
    assert fma(math.inf, 1.0, 1.0) == math.inf
    assert math.copysign(1.0, fma(-1.0, 0.0, -0.0)) == -1.0


def one_by_one(a, b, total):
    return np.array([_fma.python_fma(*case) for case in zip(a, b, total)])


def test_arrays_get_the_bits_of_single_numbers():
    a, b, total = hard_cases().T.copy()
    once = _fma.fma_steps(a[None], b[None], total)
    assert same_bits(once, one_by_one(a, b, total))
    twice = _fma.fma_steps(np.array([a, b]), np.array([b, total]), total)
    assert same_bits(twice, one_by_one(b, total, once))


def test_arrays_with_extreme_numbers_go_one_by_one():
    values = np.array([0.0, -0.0, 1.0, -1.0, 5e-324, 2.0**-537, -3e-200, 1e308, np.inf, -np.inf])
    for a in values:
        for b in values:
            with np.errstate(all="ignore"):
                steps = _fma.fma_steps(np.full((1, values.size), a),
                                       np.full((1, values.size), b), values)
            expected = one_by_one(np.full_like(values, a), np.full_like(values, b), values)
            known = ~np.isnan(expected)
            assert (np.isnan(steps) == ~known).all()
            assert same_bits(steps[known], expected[known])


@pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")
@pytest.mark.parametrize("m", [2.0, 1.5, 2.3])
@pytest.mark.parametrize(("n", "p", "c"), [(1, 1, 1), (127, 2, 2), (150, 4, 3), (1100, 5, 2)])
def test_passes_give_the_bits_of_compiled_ones(n, p, c, m):
    rng = np.random.default_rng(n)
    count = -(-n // memberships.TILE)
    x = rng.normal(size=(count * memberships.TILE, p))
    x[n:] = 0.0
    tiles = np.ascontiguousarray(x.reshape(count, memberships.TILE, p).swapaxes(1, 2))
    weights = np.where(np.arange(x.shape[0]) < n, rng.random(x.shape[0]), 0.0)
    weights = weights.reshape(count, memberships.TILE)
    centers = x[rng.integers(0, n, c)] + 0.0
    blocks = -(-count // memberships.TILES)
    for kernel, options in ((memberships.fuzzy_pass, (n, centers, m)),
                            (memberships.possibilistic_pass, (n, centers, np.full(c, 0.5), m)),
                            (starts.hard_pass, (n, centers))):
        found = []
        for call in (kernel, _tier.python_function(kernel)):
            found.append(np.empty((blocks, c, p + 2)))
            with _tier.compiling(), np.errstate(all="ignore"):
                call(tiles, weights, *options, 0, blocks, found[-1])
        assert same_bits(*found)
    squares = []
    for call in (starts.potentials, _tier.python_function(starts.potentials)):
        squares += [np.empty((c, *weights.shape)), np.empty((blocks, c))]
        with _tier.compiling():
            call(tiles, weights, centers, np.full_like(weights, np.inf), 0, blocks, *squares[-2:])
    assert same_bits(squares[0], squares[2])
    assert same_bits(squares[1], squares[3])


@pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")
@pytest.mark.parametrize("beta", [2.0, 1.7, 3.0])
@pytest.mark.parametrize(("n", "empty_cost"), [(1, 4.0), (150, 4.0), (2100, math.inf)])
def test_evidential_passes_give_the_bits_of_compiled_ones(n, empty_cost, beta):
    rng = np.random.default_rng(n)
    p, c = 3, 3
    sets = np.array([[a >> k & 1 for k in range(c)] for a in range(2**c)])
    sizes = sets.sum(axis=1).astype(float)
    xt, weights = rng.normal(size=(p, n)), rng.random(n)
    points = sets @ rng.normal(size=(c, p)) / np.maximum(sizes, 1.0)[:, None]
    xt[:, -1] = points[1]   # an object on a barycentre
    sums = (xt, weights, points, sizes, sizes, np.append(0, np.cumsum(sets.sum(axis=1))),
            np.nonzero(sets)[1], empty_cost, 1.0 / (beta - 1.0), beta)
    blocks = -(-n // credal_partition.BLOCK)
    found = []
    for version in (lambda kernel: kernel, _tier.python_function):
        mass = np.empty((n, sets.shape[0]))
        out = np.empty((blocks, sets.shape[0])), np.empty((blocks, c, p)), np.empty(blocks)
        with _tier.compiling(), np.errstate(all="ignore"):
            version(credal_partition.masses)(xt, *sums[2:4], *sums[7:9], 0, blocks, mass)
            version(credal_partition.sums)(*sums, 0, blocks, *out)
        found.append((mass, *out))
    for compiled, interpreted in zip(*found):
        assert same_bits(compiled, interpreted)
