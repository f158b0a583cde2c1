"""Random numbers of one replicate, from a state that the parent spawned for it.

xoshiro256++ (Blackman and Vigna 2021, public domain algorithm): the state is four uint64 that
the caller owns, one row per replicate, so any schedule draws the same numbers. A kernel that
draws thus stays a function of its arguments. Without JIT the same bits come from Python's
integers, because numpy's scalars warn where a word overflows.
"""

import math

import numpy as np

from ._jit import JIT_ENABLED, borrowing, inlined, python_form

#: 2^-53: a word's upper 53 bits as a number in [0, 1)
UNIT = 2.0**-53
_MASK = (1 << 64) - 1


def _load(state):
    """The four words of a state, in Python."""
    return tuple(int(word) for word in state)


def _step(a, b, c, d):
    """The next uniform number and the state after it, in Python."""
    total = (a + d) & _MASK
    word = ((((total << 23) & _MASK) | (total >> 41)) + a) & _MASK
    t = (b << 17) & _MASK
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = ((d << 45) & _MASK) | (d >> 19)
    return (word >> 11) * UNIT, a, b, c, d


if JIT_ENABLED:
    _11, _17, _19, _23, _41, _45 = (np.uint64(k) for k in (11, 17, 19, 23, 41, 45))

    @inlined
    def load(state):
        """The four words of a state."""
        return state[0], state[1], state[2], state[3]

    @inlined
    def step(a, b, c, d):
        """The next uniform number and the state after it."""
        total = a + d
        word = ((total << _23) | (total >> _41)) + a
        t = b << _17
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        d = (d << _45) | (d >> _19)
        return np.int64(word >> _11) * UNIT, a, b, c, d

    python_form(load, _load)
    python_form(step, _step)

else:
    load, step = _load, _step


@inlined
def store(state, a, b, c, d):
    """Keep the four words."""
    state[0] = a
    state[1] = b
    state[2] = c
    state[3] = d


@borrowing
def fill_uniforms(state, out):
    """Numbers in [0, 1)."""
    a, b, c, d = load(state)
    for i in range(out.shape[0]):
        u, a, b, c, d = step(a, b, c, d)
        out[i] = u
    store(state, a, b, c, d)


@borrowing
def fill_below(state, n, out):
    """Whole numbers floor(u n) in 0, ..., n - 1; u n stays below n for every n < 2^53."""
    a, b, c, d = load(state)
    for i in range(out.shape[0]):
        u, a, b, c, d = step(a, b, c, d)
        out[i] = int(u * n)
    store(state, a, b, c, d)


@borrowing
def fill_discs(state, out):
    """Points of the unit disc but its centre, for `to_normals`; `out` has an even length."""
    a, b, c, d = load(state)
    i = 0
    while i < out.shape[0]:
        u, a, b, c, d = step(a, b, c, d)
        v, a, b, c, d = step(a, b, c, d)
        x = 2.0 * u - 1.0
        y = 2.0 * v - 1.0
        square = x * x + y * y
        # Written always, kept sometimes: rejections would mislead a branch.
        out[i] = x
        out[i + 1] = y
        i += 2 if (square < 1.0) & (square > 0.0) else 0
    store(state, a, b, c, d)


@borrowing
def to_normals(out, first, last):
    """Two standard normal numbers from each point of the disc (polar method), in place.

    Apart from `fill_discs`, because numbers that nobody reads need no logarithm.
    """
    for i in range(first, last, 2):
        square = out[i] * out[i] + out[i + 1] * out[i + 1]
        factor = math.sqrt(-2.0 * math.log(square) / square)
        out[i] *= factor
        out[i + 1] *= factor


@borrowing
def fill_gammas(state, shape, out):
    """Gamma numbers of `shape` > 0 and scale 1 (Marsaglia and Tsang 2000).

    Shape 1 takes -log(1 - u), shape 2 the sum of two; below 1 the number for shape + 1 is
    multiplied by u^(1/shape).
    """
    a, b, c, d = load(state)
    if shape == 1.0 or shape == 2.0:
        for i in range(out.shape[0]):
            u, a, b, c, d = step(a, b, c, d)
            left = 1.0 - u
            if shape == 2.0:
                u, a, b, c, d = step(a, b, c, d)
                left *= 1.0 - u
            out[i] = -math.log(left)
        store(state, a, b, c, d)
        return
    lift = shape if shape > 1.0 else shape + 1.0
    third = lift - 1.0 / 3.0
    spread = 1.0 / math.sqrt(9.0 * third)
    for i in range(out.shape[0]):
        value = 0.0
        while value == 0.0:
            square = 2.0
            x = 0.0
            while square >= 1.0 or square == 0.0:
                u, a, b, c, d = step(a, b, c, d)
                v, a, b, c, d = step(a, b, c, d)
                x = 2.0 * u - 1.0
                y = 2.0 * v - 1.0
                square = x * x + y * y
            x *= math.sqrt(-2.0 * math.log(square) / square)
            cube = 1.0 + spread * x
            u, a, b, c, d = step(a, b, c, d)
            if cube <= 0.0:
                continue
            cube = cube * cube * cube
            if math.log(1.0 - u) < 0.5 * x * x + third * (1.0 - cube + math.log(cube)):
                value = third * cube
        if shape < 1.0:
            u, a, b, c, d = step(a, b, c, d)
            value *= (1.0 - u) ** (1.0 / shape)
        out[i] = value
    store(state, a, b, c, d)
