"""Rows of points, written out in vectors: sums of rows, copies, tiles of rows, drawn points.

Every number is the result of one product and one addition, so the bits are the same on every
machine and without JIT.
"""

import numpy as np

from ._jit import JIT_ENABLED, python_form
from ._lanes import LANES
from ._tiles import TILE

#: points that `move_points` makes together
TOGETHER = 4


def _add_row(sums, r, rows, t, mass):
    """`add_row` in Python."""
    row = rows[t // rows.shape[1], t % rows.shape[1]]
    sums[r] += mass
    for j in range(row.shape[0]):
        sums[r + 1 + j] += float(mass) * float(row[j])


def _move_row(sums, r, q, rows, t, mass):
    """`move_row` in Python."""
    row = rows[t // rows.shape[1], t % rows.shape[1]]
    sums[r] -= mass
    sums[q] += mass
    for j in range(row.shape[0]):
        value = float(mass) * float(row[j])
        sums[r + 1 + j] -= value
        sums[q + 1 + j] += value


def _copy_row(x, i, rows, t):
    """`copy_row` in Python."""
    rows[t // rows.shape[1], t % rows.shape[1]] = x[i]


def _turn_rows(rows, t, points):
    """`turn_rows` in Python."""
    _turn_chosen(rows, range((t + 1) * TILE), t, points)


def _turn_chosen(rows, order, t, points):
    """`turn_chosen` in Python."""
    for i in range(TILE):
        at = order[t * TILE + i]
        points[t, :, i] = rows[at // rows.shape[1], at % rows.shape[1]]


def _move_points(points, order, first, last, mean, root, normals):
    """`move_points` in Python."""
    d = mean.shape[0]
    for t in order[first:last]:
        total = np.zeros(d)
        for row, normal in zip(root, normals[t * d:t * d + d]):
            total += row * normal
        points[t] = mean + total


if JIT_ENABLED:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    from ._lanes import _DOUBLE, _DOUBLES, _WORD, _array, _load, _pick, _spread, _store
    from ._tiles import _at, _word

    def _along_row(builder, d, work, sizes):
        """`work(place, size)` along a row of length d in vectors of these sizes; the last is 1."""
        first = _word(0)
        for size in sizes:
            last = builder.and_(d, _word(-size))
            with cgutils.for_range_slice(builder, first, last, _word(size), _WORD) as (j, _):
                work(j, size)
            first = last

    def _change(builder, data, place, change, value):
        """data[place] = change(data[place], value)."""
        _store(builder, change(_load(builder, data, place, value.type), value), data, place)

    def _row_sums(builder, arrays, t, mass, changes):
        """The mass and mass * row t are added to (or taken from) sums that start at some places."""
        (sums, _), (rows, (_, _, d)) = arrays
        row = _at(builder, rows, builder.mul(t, d))
        for change, r in changes:
            _change(builder, sums, r, change, mass)
        starts = [(change, builder.add(r, _word(1))) for change, r in changes]

        def work(j, size):
            factor = mass if size == 1 else _spread(builder, mass, size)
            value = builder.fmul(factor, _load(builder, row, j, factor.type))
            for change, start in starts:
                _change(builder, sums, builder.add(start, j), change, value)

        _along_row(builder, d, work, (8, 4, 2, 1))

    @intrinsic
    def add_row(typing_context, sums, r, rows, t, mass):
        """sums[r] += mass, and the numbers after it mass * row t; sums flat, rows (., BLOCK, d)."""
        signature = types.void(sums, types.int64, rows, types.int64, types.float64)

        def build(context, builder, sig, args):
            arrays = [_array(context, builder, sig.args[i], args[i]) for i in (0, 2)]
            _row_sums(builder, arrays, args[3], args[4], [(builder.fadd, args[1])])
            return context.get_dummy_value()

        return signature, build

    @intrinsic
    def move_row(typing_context, sums, r, q, rows, t, mass):
        """Row t, `mass` times, leaves the sums that start at r and joins those at q != r."""
        signature = types.void(sums, types.int64, types.int64, rows, types.int64, types.float64)

        def build(context, builder, sig, args):
            arrays = [_array(context, builder, sig.args[i], args[i]) for i in (0, 3)]
            _row_sums(builder, arrays, args[4], args[5], [(builder.fsub, args[1]),
                                                          (builder.fadd, args[2])])
            return context.get_dummy_value()

        return signature, build

    @intrinsic
    def copy_row(typing_context, x, i, rows, t):
        """Row t of rows (., BLOCK, d) becomes row i of x (n, d)."""
        signature = types.void(x, types.int64, rows, types.int64)

        def build(context, builder, sig, args):
            (x_data, (_, d)), (row_data, _) = (
                _array(context, builder, sig.args[i], args[i]) for i in (0, 2))
            start, end = (_at(builder, data, builder.mul(place, d))
                          for data, place in ((x_data, args[1]), (row_data, args[3])))

            def work(j, size):
                kind = _DOUBLE if size == 1 else ir.VectorType(_DOUBLE, size)
                _store(builder, _load(builder, start, j, kind), end, j)

            _along_row(builder, d, work, (8, 4, 2, 1))
            return context.get_dummy_value()

        return signature, build

    def _turned(builder, rows):
        """Transpose of eight vectors: at each step vectors 4, 2, 1 apart exchange halves."""
        for half in (4, 2, 1):
            lanes = [i for start in range(0, LANES, 2 * half)
                     for side in (0, LANES) for i in range(start + side, start + side + half)]
            others = [i + half for i in lanes]
            turned = list(rows)
            for i in range(LANES):
                if i & half == 0:
                    turned[i] = _pick(builder, rows[i], rows[i + half], lanes)
                    turned[i + half] = _pick(builder, rows[i], rows[i + half], others)
            rows = turned
        return rows

    def _fill_tile(builder, rows, tile, d):
        """A tile from eight rows (pointers)."""
        def work(j, size):
            kind = _DOUBLE if size == 1 else _DOUBLES
            values = [_load(builder, row, j, kind) for row in rows]
            values = values if size == 1 else _turned(builder, values)
            for i, value in enumerate(values):
                at = builder.mul(j, _word(LANES))
                _store(builder, value, tile, builder.add(at, _word(i * size)))

        _along_row(builder, d, work, (LANES, 1))

    @intrinsic
    def turn_rows(typing_context, rows, t, points):
        """Tile t of points from its eight rows."""
        signature = types.void(rows, types.int64, points)

        def build(context, builder, sig, args):
            (row_data, (_, _, d)), (point_data, _) = (
                _array(context, builder, sig.args[i], args[i]) for i in (0, 2))
            start = builder.mul(builder.mul(args[1], d), _word(LANES))
            rows = [_at(builder, row_data, builder.add(start, builder.mul(d, _word(i))))
                    for i in range(LANES)]
            _fill_tile(builder, rows, _at(builder, point_data, start), d)
            return context.get_dummy_value()

        return signature, build

    @intrinsic
    def turn_chosen(typing_context, rows, order, t, points):
        """Tile t of points from the rows that `order` names at its eight places."""
        signature = types.void(rows, order, types.int64, points)

        def build(context, builder, sig, args):
            (row_data, (_, _, d)), (order_data, _), (point_data, _) = (
                _array(context, builder, sig.args[i], args[i]) for i in (0, 1, 3))
            start = builder.mul(args[2], _word(LANES))
            rows = [_at(builder, row_data, builder.mul(d, builder.load(_at(
                builder, order_data, builder.add(start, _word(i)))))) for i in range(LANES)]
            _fill_tile(builder, rows, _at(builder, point_data, builder.mul(start, d)), d)
            return context.get_dummy_value()

        return signature, build

    @intrinsic
    def move_points(typing_context, points, order, first, last, mean, root, normals):
        """points[t] = mean + sum_j root[j] normals[t d + j] for t in order[first:last].

        Sums in the order of j, products and sums rounded apart. Points go together, so that a row
        of the root is read once for all of them.
        """
        signature = types.void(points, order, types.int64, types.int64, mean, root, normals)

        def build(context, builder, sig, args):
            (point_data, (_, d)), (order_data, _), (mean_data, _), (root_data, _), (
                normal_data, _) = (_array(context, builder, sig.args[i], args[i])
                                   for i in (0, 1, 4, 5, 6))

            def move(first, count):
                """`count` points from a place of the order on."""
                starts = [builder.mul(d, builder.load(_at(builder, order_data, builder.add(
                    first, _word(i))))) for i in range(count)]

                def work(place, size):
                    kind = _DOUBLE if size == 1 else ir.VectorType(_DOUBLE, size)
                    totals = [cgutils.alloca_once(builder, kind) for _ in starts]
                    for total in totals:
                        builder.store(ir.Constant(kind, 0.0 if size == 1 else [0.0] * size), total)
                    with cgutils.for_range(builder, d, intp=_WORD) as loop:
                        row = _load(builder, root_data, builder.add(builder.mul(
                            loop.index, d), place), kind)
                        for start, total in zip(starts, totals):
                            normal = builder.load(_at(builder, normal_data, builder.add(
                                start, loop.index)))
                            factor = normal if size == 1 else _spread(builder, normal, size)
                            builder.store(builder.fadd(builder.load(total), builder.fmul(
                                row, factor)), total)
                    mean = _load(builder, mean_data, place, kind)
                    for start, total in zip(starts, totals):
                        _store(builder, builder.fadd(mean, builder.load(total)), point_data,
                               builder.add(start, place))

                _along_row(builder, d, work, (8, 4, 2, 1))

            whole = builder.sub(args[3], builder.urem(builder.sub(args[3], args[2]),
                                                      _word(TOGETHER)))
            for start, end, step in ((args[2], whole, TOGETHER), (whole, args[3], 1)):
                with cgutils.for_range_slice(builder, start, end, _word(step), _WORD) as (at, _):
                    move(at, step)
            return context.get_dummy_value()

        return signature, build

    for _compiled, _function in (
            (add_row, _add_row), (move_row, _move_row), (copy_row, _copy_row),
            (turn_rows, _turn_rows), (turn_chosen, _turn_chosen), (move_points, _move_points)):
        python_form(_compiled, _function)

else:

    add_row, move_row, copy_row = _add_row, _move_row, _copy_row
    turn_rows, turn_chosen, move_points = _turn_rows, _turn_chosen, _move_points
