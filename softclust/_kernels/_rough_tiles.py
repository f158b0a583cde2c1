"""Tiles of rough k-means, written out in vectors: squared distances, sets, sums over clusters.

Squared distances to some centres stay in registers over all features, the sets of eight objects
over all clusters, the shares of a tile over all its features. A compiler that does not know that
arrays lie apart stores and loads them at every step, which takes twice as long. Bits are those of
the plain form on every machine.
"""

import numpy as np

from ._fma import python_fma
from ._jit import JIT_ENABLED, python_form
from .memberships import LANES as PLACES
from .memberships import TILE

#: clusters of a word
BITS = 64


def _tile_squares(x, centers, d2, least):
    """`tile_squares` in Python."""
    least[:] = np.inf
    for center, squares in zip(centers, d2):
        squares[:] = 0.0
        for row, at in zip(x.reshape(-1, TILE), center):
            squares += (row - at) * (row - at)
        np.minimum(least, squares, out=least)


def _tile_sets(d2, bound, words, t, size):
    """`tile_sets` in Python."""
    size[:] = 0.0
    for h in range(words.shape[0]):
        words[h, t] = 0
        for k in range(h * BITS, min(d2.shape[0], (h + 1) * BITS)):
            inside = d2[k] <= bound
            words[h, t, inside] |= np.uint64(1 << k - h * BITS)
            size += inside


def _least_square(d2, k, w):
    """`least_square` in Python."""
    return float(d2[k].min(where=w > 0.0, initial=np.inf))


def _add_tile(a, x, sums):
    """`add_tile` in Python."""
    for i in np.flatnonzero(a).tolist():   # a term of 0 changes no sum
        mass, place = float(a[i]), i % PLACES
        for j, row in enumerate(x.reshape(-1, TILE)):
            sums[j, place] = python_fma(mass, float(row[i]), float(sums[j, place]))
        sums[-1, place] += mass


if JIT_ENABLED:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    from ._lanes import (
        _DOUBLES,
        _WORD,
        _WORDS,
        _ZEROS,
        LANES,
        _array,
        _load,
        _spread,
        _store,
        _words,
    )
    from ._tiles import _INFINITY, _at, _fma, _in_groups, _least_lane, _word

    _ONES = ir.Constant(_DOUBLES, [1.0] * LANES)

    def _rows(builder, p):
        """A loop over the features; its index is where their rows begin in a tile."""
        return cgutils.for_range_slice(builder, _word(0), builder.mul(p, _word(TILE)),
                                       _word(TILE), _WORD)

    def _fetch(builder, data, place):
        """Have the line of the cache at a place brought near, for later; any address will do."""
        kind = ir.IntType(8).as_pointer()
        number = ir.IntType(32)
        prefetch = cgutils.get_or_insert_function(builder.module, ir.FunctionType(
            ir.VoidType(), [kind, number, number, number]), "llvm.prefetch.p0")
        builder.call(prefetch, [builder.bitcast(_at(builder, data, place), kind), number(0),
                                number(2), number(1)])

    def _columns(builder):
        """A loop over the tile, eight objects at a time."""
        return cgutils.for_range_slice(builder, _word(0), _word(TILE), _word(LANES), _WORD)

    def _squares(builder, column, p, centers):
        """Squared distances of the eight objects of a column to centres (pointers)."""
        totals = [cgutils.alloca_once(builder, _DOUBLES) for _ in centers]
        for total in totals:
            builder.store(_ZEROS, total)   # here, not at the entry: this stands in a loop
        with _rows(builder, p) as (row, j):
            point = _load(builder, column, row, _DOUBLES)
            for center, total in zip(centers, totals):
                e = builder.fsub(point, _spread(builder, builder.load(_at(builder, center, j))))
                builder.store(builder.fadd(builder.load(total), builder.fmul(e, e)), total)
        return [builder.load(total) for total in totals]

    @intrinsic
    def tile_squares(typing_context, x, centers, d2, least):
        """Squared distances d2 (c, TILE) of a tile x (p * TILE,) to all centres, and the least.

        Sums in the order of the features, products and sums rounded apart. The tile that lies
        behind this one is brought near meanwhile: it is read by columns, for which processors do
        not look ahead, and a third of a pass was waiting.
        """
        signature = types.void(x, centers, d2, least)

        def build(context, builder, sig, args):
            (tile, (length,)), (center_data, (c, p)), (square_data, _), (least_data, _) = (
                _array(context, builder, kind, value) for kind, value in zip(sig.args, args))
            held = cgutils.alloca_once(builder, _DOUBLES)
            with _columns(builder) as (column, _):
                builder.store(_INFINITY, held)

                def look(place, size):
                    numbers = [builder.add(place, _word(k)) for k in range(size)]
                    centers = [_at(builder, center_data, builder.mul(k, p)) for k in numbers]
                    best = builder.load(held)
                    for k, square in zip(numbers, _squares(
                            builder, _at(builder, tile, column), p, centers)):
                        _store(builder, square, square_data, builder.add(
                            builder.mul(k, _word(TILE)), column))
                        nearer = builder.fcmp_ordered("<", square, best)
                        best = builder.select(nearer, square, best)
                    builder.store(best, held)

                _in_groups(builder, c, look)
                _store(builder, builder.load(held), least_data, column)
                with _rows(builder, p) as (row, _):
                    _fetch(builder, tile, builder.add(builder.add(row, column), length))
            return context.get_dummy_value()

        return signature, build

    @intrinsic
    def tile_sets(typing_context, d2, bound, words, t, size):
        """Sets of the clusters whose squared distance d2 (c, TILE) is at most `bound` (TILE,).

        words (., T, TILE) uint64: their bits in tile t; size (TILE,): how many clusters.
        """
        signature = types.void(d2, bound, words, types.int64, size)

        def build(context, builder, sig, args):
            (square_data, (c, _)), (bound_data, _), (word_data, (_, tiles, _)), (size_data, _) = (
                _array(context, builder, sig.args[i], args[i]) for i in (0, 1, 2, 4))
            word, size = (cgutils.alloca_once(builder, kind) for kind in (_WORDS, _DOUBLES))
            with _columns(builder) as (column, _):
                bound = _load(builder, bound_data, column, _DOUBLES)
                builder.store(_ZEROS, size)
                with cgutils.for_range_slice(builder, _word(0), c, _word(BITS),
                                             _WORD) as (first, h):
                    builder.store(_words(0), word)
                    left = builder.sub(c, first)
                    full = builder.icmp_signed("<", _word(BITS), left)
                    with cgutils.for_range(builder, builder.select(full, _word(BITS), left),
                                           intp=_WORD) as loop:
                        k = builder.add(first, loop.index)
                        inside = builder.fcmp_ordered("<=", _load(
                            builder, square_data, builder.add(builder.mul(k, _word(TILE)), column),
                            _DOUBLES), bound)
                        bit = _spread(builder, builder.shl(_word(1), loop.index))
                        held, count = builder.load(word), builder.load(size)
                        builder.store(builder.select(inside, builder.or_(held, bit), held), word)
                        builder.store(builder.select(inside, builder.fadd(count, _ONES), count),
                                      size)
                    tile = builder.add(builder.mul(h, tiles), args[3])
                    _store(builder, builder.load(word), word_data, builder.add(
                        builder.mul(tile, _word(TILE)), column))
                _store(builder, builder.load(size), size_data, column)
            return context.get_dummy_value()

        return signature, build

    @intrinsic
    def least_square(typing_context, d2, k, w):
        """The least of the squared distances d2[k] (TILE,) where the weight w is positive."""
        signature = types.float64(d2, types.int64, w)

        def build(context, builder, sig, args):
            (square_data, _), (weight_data, _) = (
                _array(context, builder, sig.args[i], args[i]) for i in (0, 2))
            row = _at(builder, square_data, builder.mul(args[1], _word(TILE)))
            least = cgutils.alloca_once(builder, _DOUBLES)
            builder.store(_INFINITY, least)
            with _columns(builder) as (column, _):
                square, held = _load(builder, row, column, _DOUBLES), builder.load(least)
                weighs = builder.fcmp_ordered(
                    ">", _load(builder, weight_data, column, _DOUBLES), _ZEROS)
                better = builder.and_(weighs, builder.fcmp_ordered("<", square, held))
                builder.store(builder.select(better, square, held), least)
            return _least_lane(builder, builder.load(least))

        return signature, build

    @intrinsic
    def add_tile(typing_context, a, x, sums):
        """sums (p + 1, PLACES) += a x for each feature, and a, over a tile x (p * TILE,).

        Place j holds the objects j, j + PLACES, ... in their order, each added by a multiply-add
        that rounds once.
        """
        signature = types.void(a, x, sums)

        def build(context, builder, sig, args):
            (share_data, _), (tile, (length,)), (sum_data, _) = (
                _array(context, builder, kind, value) for kind, value in zip(sig.args, args))
            shares = [_load(builder, share_data, _word(i), _DOUBLES)
                      for i in range(0, TILE, LANES)]

            def add(start, term):
                """`term(total, share, i)` for the vectors at i that each place holds."""
                for first in range(0, PLACES, LANES):
                    at = builder.add(start, _word(first))
                    total = _load(builder, sum_data, at, _DOUBLES)
                    for i in range(first, TILE, PLACES):
                        total = term(total, shares[i // LANES], i)
                    _store(builder, total, sum_data, at)

            p = builder.udiv(length, _word(TILE))
            with _rows(builder, p) as (row, j):
                add(builder.mul(j, _word(PLACES)), lambda total, share, i: _fma(
                    builder, share, _load(builder, tile, builder.add(row, _word(i)), _DOUBLES),
                    total))
            add(builder.mul(p, _word(PLACES)), lambda total, share, i: builder.fadd(total, share))
            return context.get_dummy_value()

        return signature, build

    for _compiled, _function in (
            (tile_squares, _tile_squares), (tile_sets, _tile_sets),
            (least_square, _least_square), (add_tile, _add_tile)):
        python_form(_compiled, _function)

else:
    tile_squares, tile_sets, least_square, add_tile = (
        _tile_squares, _tile_sets, _least_square, _add_tile)
