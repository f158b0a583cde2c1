"""Pairs of objects of two fuzzy clusterings, written out in vectors: sums of |s1 - s2|.

Objects come in strips of eight, features first. The dot products of four objects with a strip
stay in registers over all features, and the sums of a strip over all rows. Loops left to the
compiler store them after every three features: at five features they took 1.5 times as long, and
three times as long to compile.
"""

import numpy as np

from ._fma import fma_steps
from ._jit import JIT_ENABLED, python_form
from ._lanes import LANES
from .dots import ROWS


def _take_strips(strips, first, x, start, width):
    """`take_strips` in Python."""
    d, count = x.shape[0], -(-width // LANES)
    taken = np.zeros((d, count * LANES))
    taken[:, :width] = x[:, start:start + width]
    strips[:count, first:first + d] = taken.reshape(d, count, LANES).swapaxes(0, 1)


def _add_gaps(acc, left, right, split, rows, columns, diagonal):
    """`add_gaps` in Python."""
    left, right = (strips.swapaxes(0, 1).reshape(strips.shape[1], -1) for strips in (left, right))
    sums = acc[:columns]
    for row in range(0, rows, ROWS):
        s1, s2 = (fma_steps(left[part, row:row + ROWS, None], right[part, None, :columns],
                            np.zeros((ROWS, columns)))
                  for part in (slice(split), slice(split, None)))
        gaps = np.abs(s1 - s2)
        if diagonal:
            for gap in np.triu(gaps, row + 1):
                sums += gap
        else:
            a, b, c, d = gaps
            sums[:] = (sums + (a + b)) + (c + d)


if JIT_ENABLED:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    from ._lanes import (
        _DOUBLE,
        _DOUBLES,
        _WORD,
        _WORDS,
        _ZEROS,
        _array,
        _gap,
        _load,
        _spread,
        _store,
    )
    from ._tile_rows import _along_row
    from ._tiles import _at, _fma, _word

    def _strip(builder, data, features, place):
        """Pointer to an object of strips (., features, LANES): its features are LANES apart."""
        start = builder.mul(builder.and_(place, _word(-LANES)), features)
        return _at(builder, data, builder.add(start, builder.and_(place, _word(LANES - 1))))

    @intrinsic
    def take_strips(typing_context, strips, first, x, start, width):
        """`width` >= 1 columns of x (d, n) from `start` on become strips (., features, LANES).

        They are the features from `first` on; zeros fill the last strip.
        """
        signature = types.void(strips, types.int64, x, types.int64, types.int64)

        def build(context, builder, sig, args):
            (strip_data, (_, features, _)), (data, (d, n)) = (
                _array(context, builder, sig.args[i], args[i]) for i in (0, 2))
            _, first, _, start, width = args
            end = builder.and_(builder.sub(width, _word(1)), _word(-LANES))
            with cgutils.for_range(builder, d, intp=_WORD) as loop:
                row = _at(builder, data, builder.add(builder.mul(loop.index, n), start))
                feature = builder.mul(builder.add(first, loop.index), _word(LANES))

                def put(column, value):
                    at = _strip(builder, strip_data, features, column)
                    _store(builder, value, at, feature)

                def move(column, size):
                    put(column, _load(builder, row, column, _DOUBLE if size == 1 else _DOUBLES))

                put(end, _ZEROS)
                _along_row(builder, width, move, (LANES, 1))
            return context.get_dummy_value()

        return signature, build

    def _dots(builder, objects, strip, first, last):
        """Dot products of ROWS objects (at a pointer) with a strip, features first to last."""
        totals = [cgutils.alloca_once(builder, _DOUBLES) for _ in range(ROWS)]
        for total in totals:
            builder.store(_ZEROS, total)   # here, not at the entry: this stands in a loop
        size = _word(LANES)
        with cgutils.for_range_slice(builder, builder.mul(first, size), builder.mul(last, size),
                                     size, _WORD) as (at, _):
            column = _load(builder, strip, at, _DOUBLES)
            for r, total in enumerate(totals):
                factor = builder.load(_at(builder, objects, builder.add(at, _word(r))))
                builder.store(_fma(builder, _spread(builder, factor), column,
                                   builder.load(total)), total)
        return [builder.load(total) for total in totals]

    def _right_of(builder, column, row):
        """Lanes of the columns from `column` on that lie right of a row."""
        lanes = builder.add(_spread(builder, column), ir.Constant(_WORDS, list(range(LANES))))
        return builder.icmp_signed(">", lanes, _spread(builder, row))

    @intrinsic
    def add_gaps(typing_context, acc, left, right, split, rows, columns, diagonal):
        """acc[j] += |s1 - s2| of column j and each of the rows, where s1, s2 are dot products.

        left and right hold rows and columns, see `take_strips`; s1 takes the features before
        `split`. Rows are added in their order by twos: (acc + (a + b)) + (c + d). With `diagonal`
        rows and columns are the same objects, and the rows above column j are added one by one.
        """
        signature = types.void(acc, left, right, types.int64, types.int64, types.int64,
                               types.boolean)

        def build(context, builder, sig, args):
            (acc_data, _), (left_data, _), (right_data, (_, features, _)) = (
                _array(context, builder, sig.args[i], args[i]) for i in range(3))
            _, _, _, split, rows, columns, diagonal = args
            total = cgutils.alloca_once(builder, _DOUBLES)

            def add(term):
                builder.store(builder.fadd(builder.load(total), term), total)

            def add_rows(row, column):
                """ROWS rows to a strip."""
                objects = _strip(builder, left_data, features, row)
                strip = _strip(builder, right_data, features, column)
                a, b, c, d = gaps = [_gap(builder, s1, s2) for s1, s2 in zip(
                    _dots(builder, objects, strip, _word(0), split),
                    _dots(builder, objects, strip, split, features))]
                with builder.if_else(diagonal) as (same, other):
                    with same:
                        for r, gap in enumerate(gaps):
                            right_of = _right_of(builder, column, builder.add(row, _word(r)))
                            add(builder.select(right_of, gap, _ZEROS))
                    with other:
                        add(builder.fadd(a, b))
                        add(builder.fadd(c, d))

            with cgutils.for_range_slice(builder, _word(0), columns, _word(LANES),
                                         _WORD) as (column, _):
                builder.store(_load(builder, acc_data, column, _DOUBLES), total)
                with cgutils.for_range_slice(builder, _word(0), rows, _word(ROWS),
                                             _WORD) as (row, _):
                    add_rows(row, column)
                _store(builder, builder.load(total), acc_data, column)
            return context.get_dummy_value()

        return signature, build

    python_form(take_strips, _take_strips)
    python_form(add_gaps, _add_gaps)

else:

    take_strips, add_gaps = _take_strips, _add_gaps
