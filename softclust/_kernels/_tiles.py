"""Points in tiles of eight: nearest centres and sums of rows, written out in vectors.

A tile holds eight points, features first: a vector is one feature of all eight, and their squared
distances to some centres stay in registers over all features. So many multiply-adds a number read
are what lets long rows reach the speed of the machine; a compiler left to itself keeps no such
block in registers.

A squared distance is a sum over the features in their order, each square added by a multiply-add
that rounds once. That order does not depend on how centres are grouped, on the machine, or on
whether kernels are compiled.
"""

import math

from ._jit import JIT_ENABLED, borrowing, python_form
from ._lanes import FEATURES, LANES
from ._tier import python_fma

#: points of a tile
TILE = LANES
#: most centres whose distances stay in registers together
GROUP = 6
#: tiles whose distances to one centre are found together: an addition need not wait for the last
ABREAST_TILES = 4


def _square(points, t, i, center):
    """Squared distance of point i of tile t to a centre."""
    total = 0.0
    for j, at in enumerate(center):
        e = float(points[t, j, i]) - at
        total = python_fma(e, e, total)
    return total


def _assign_tile(points, t, centers, labels, nearest):
    """`assign_tile` in Python."""
    means = [[float(value) for value in center] for center in centers]
    block, start = t * TILE // labels.shape[1], t * TILE % labels.shape[1]
    changed = 0
    for i in range(TILE):
        squares = [_square(points, t, i, mean) for mean in means]
        label = squares.index(min(squares))
        changed |= int(labels[block, start + i] != label) << i
        labels[block, start + i] = label
        nearest[block, start + i] = squares[label]
    return changed


def _settle_tile(points, t, centers, chosen, count, labels, nearest, squares, margins):
    """`settle_tile` in Python."""
    block, start = t * TILE // labels.shape[1], t * TILE % labels.shape[1]
    numbers = [int(k) for k in chosen[:count]]
    means = {k: [float(value) for value in centers[k]] for k in numbers}
    margins[t, numbers] = math.inf
    changed = 0
    for i in range(TILE):
        far = [_square(points, t, i, means[k]) for k in numbers]
        label = numbers[far.index(min(far))]
        changed |= int(labels[block, start + i] != label) << i
        labels[block, start + i] = label
        nearest[block, start + i] = min(far)
        for k, square in zip(numbers, far):
            gap = math.sqrt(square) - math.sqrt(min(far))
            if k != label and not gap >= margins[t, k]:
                margins[t, k] = gap
    return changed


def _approach_tiles(points, t, count, masses, centers, k, labels, nearest, values):
    """`approach_tiles` in Python."""
    mean = [float(value) for value in centers[k]]
    for at in range(t * TILE, (t + count) * TILE):
        place = at // labels.shape[1], at % labels.shape[1]
        square = _square(points, at // TILE, at % TILE, mean)
        if k == 0 or square < nearest[place]:
            labels[place], nearest[place] = k, square
        values[place] = masses[place] * nearest[place]


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
        _load,
        _pick,
        _spread,
        _store,
        _words,
    )

    _INFINITY = ir.Constant(_DOUBLES, [float("inf")] * LANES)

    def _word(value):
        return ir.Constant(_WORD, value)

    def _fma(builder, a, b, c):
        name = f"llvm.fma.v{LANES}f64"
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_DOUBLES, [_DOUBLES] * 3), name)
        return builder.call(function, [a, b, c])

    def _at(builder, data, place):
        return builder.gep(data, [place])

    def _distances(builder, tiles, d, centers):
        """Squared distances of tiles of points (pointers) to centres (pointers), tile by tile."""
        totals = [[cgutils.alloca_once(builder, _DOUBLES) for _ in centers] for _ in tiles]
        for total in (total for own in totals for total in own):
            builder.store(_ZEROS, total)   # here, not at the entry: this may stand in a loop
        with cgutils.for_range(builder, d, intp=_WORD) as loop:
            row = builder.mul(loop.index, _word(LANES))
            points = [_load(builder, tile, row, _DOUBLES) for tile in tiles]
            for k, center in enumerate(centers):
                mean = _spread(builder, builder.load(_at(builder, center, loop.index)))
                for point, own in zip(points, totals):
                    e = builder.fsub(point, mean)
                    builder.store(_fma(builder, e, e, builder.load(own[k])), own[k])
        return [[builder.load(total) for total in own] for own in totals]

    def _keep_nearer(builder, square, number, least, label):
        """Where the distance is smaller it and its centre's number take the place of the least."""
        better = builder.fcmp_ordered("<", square, least)
        return (builder.select(better, square, least),
                builder.select(better, number, label))

    def _look_around(builder, tile, d, centers, count, number_of, visit):
        """Nearest of `count` centres for the points of a tile: least squares and labels.

        `number_of(place)` is the number of the centre at a place, which must increase; `visit`
        is called with each place and its squares.
        """
        least = cgutils.alloca_once(builder, _DOUBLES)
        label = cgutils.alloca_once(builder, _WORDS)
        builder.store(_INFINITY, least)
        builder.store(_words(0), label)

        def look(place, size):
            """The centres at `size` places."""
            places = [builder.add(place, _word(c)) for c in range(size)]
            numbers = [number_of(at) for at in places]
            rows = [_at(builder, centers, builder.mul(number, d)) for number in numbers]
            best, own = builder.load(least), builder.load(label)
            for at, number, square in zip(places, numbers, _distances(
                    builder, [tile], d, rows)[0]):
                visit(at, square)
                best, own = _keep_nearer(builder, square, _spread(builder, number), best, own)
            builder.store(best, least)
            builder.store(own, label)

        # Groups of nearly one size: first `more` of size + 1, then the others. Longer ones are
        # looked at first, so the order of the centres is kept.
        groups = builder.udiv(builder.add(count, _word(GROUP - 1)), _word(GROUP))
        size = builder.udiv(count, groups)
        more = builder.urem(count, groups)
        after = builder.mul(more, builder.add(size, _word(1)))
        for own in range(GROUP, 0, -1):
            for found, first, last in ((builder.add(size, _word(1)), _word(0), after),
                                       (size, after, count)):
                with builder.if_then(builder.icmp_signed("==", found, _word(own))):
                    with cgutils.for_range_slice(builder, first, last, _word(own),
                                                 _WORD) as (place, _):
                        look(place, own)
        return builder.load(least), builder.load(label)

    def _set_nearest(builder, t, least, label, labels, nearest):
        """Store them for tile t; bit i is set if the label of point i changed."""
        place = builder.mul(t, _word(LANES))
        moved = builder.icmp_signed("!=", label, _load(builder, labels, place, _WORDS))
        _store(builder, label, labels, place)
        _store(builder, least, nearest, place)
        return builder.zext(builder.bitcast(moved, ir.IntType(LANES)), _WORD)

    @intrinsic
    def assign_tile(typing_context, points, t, centers, labels, nearest):
        """Nearest centres of the points of tile t; bit i is set if the label of point i changed.

        points (., d, TILE), centers (K, d), nearest float64, labels int64 (., BLOCK): a point
        lies where its number says. Ties go to the first centre.
        """
        signature = types.int64(points, types.int64, centers, labels, nearest)

        def build(context, builder, sig, args):
            (point_data, (_, d, _)), (center_data, (clusters, _)), (label_data, _), (
                nearest_data, _) = (_array(context, builder, sig.args[i], args[i])
                                    for i in (0, 2, 3, 4))
            tile = _at(builder, point_data, builder.mul(builder.mul(args[1], d), _word(LANES)))
            least, label = _look_around(builder, tile, d, center_data, clusters,
                                        lambda place: place, lambda place, square: None)
            return _set_nearest(builder, args[1], least, label, label_data, nearest_data)

        return signature, build

    def _sqrt(builder, value):
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_DOUBLES, [_DOUBLES]), f"llvm.sqrt.v{LANES}f64")
        return builder.call(function, [value])

    def _least_lane(builder, value):
        """The smallest of the lanes."""
        for half in (4, 2, 1):
            low, high = (_pick(builder, value, value, list(range(start, start + half)))
                         for start in (0, half))
            value = builder.select(builder.fcmp_ordered("<", low, high), low, high)
        return builder.extract_element(value, ir.Constant(ir.IntType(32), 0))

    @intrinsic
    def settle_tile(typing_context, points, t, centers, chosen, count, labels, nearest, squares,
                    margins):
        """`assign_tile` among the centres chosen[:count], in increasing order, with margins.

        margins[t, k] of each of them: how much farther it is than the nearest one, for the point
        of the tile for which that is least, not counting points whose nearest it is. `squares`
        (K, TILE) is scratch.
        """
        signature = types.int64(points, types.int64, centers, chosen, types.int64, labels,
                                nearest, squares, margins)

        def build(context, builder, sig, args):
            (point_data, (_, d, _)), (center_data, _), (chosen_data, _), (label_data, _), (
                nearest_data, _), (square_data, _), (margin_data, (_, clusters)) = (
                    _array(context, builder, sig.args[i], args[i]) for i in (0, 2, 3, 5, 6, 7, 8))
            t, count = args[1], args[4]
            tile = _at(builder, point_data, builder.mul(builder.mul(t, d), _word(LANES)))

            def number_of(place):
                return builder.load(_at(builder, chosen_data, place))

            def keep(place, square):
                _store(builder, square, square_data, builder.mul(place, _word(LANES)))

            least, label = _look_around(builder, tile, d, center_data, count, number_of, keep)
            own = _sqrt(builder, least)
            row = _at(builder, margin_data, builder.mul(t, clusters))
            with cgutils.for_range(builder, count, intp=_WORD) as loop:
                number = number_of(loop.index)
                far = _sqrt(builder, _load(builder, square_data, builder.mul(
                    loop.index, _word(LANES)), _DOUBLES))
                mine = builder.icmp_signed("==", label, _spread(builder, number))
                gap = builder.select(mine, _INFINITY, builder.fsub(far, own))
                builder.store(_least_lane(builder, gap), _at(builder, row, number))
            return _set_nearest(builder, t, least, label, label_data, nearest_data)

        return signature, build

    @intrinsic
    def approach_tiles(typing_context, points, t, count, masses, centers, k, labels, nearest,
                       values):
        """Centre k joins those before it, for `count` tiles from t on.

        Labels and distances are replaced where it is nearer (everywhere for k = 0); `values`
        (., BLOCK) become mass times distance. The other arrays as in `assign_tile`.
        """
        signature = types.void(points, types.int64, types.int64, masses, centers, types.int64,
                               labels, nearest, values)

        def build(context, builder, sig, args):
            (point_data, (_, d, _)), (mass_data, _), (center_data, _), (label_data, _), (
                nearest_data, _), (value_data, _) = (
                    _array(context, builder, sig.args[i], args[i]) for i in (0, 3, 4, 6, 7, 8))
            _, t, count, _, _, k = args[:6]
            center = _at(builder, center_data, builder.mul(k, d))
            number = _spread(builder, k)
            fresh = builder.icmp_signed("==", k, _word(0))

            def look(first, size):
                tiles = [_at(builder, point_data, builder.mul(builder.mul(
                    builder.add(first, _word(p)), d), _word(LANES))) for p in range(size)]
                for p, (square,) in enumerate(_distances(builder, tiles, d, [center])):
                    place = builder.mul(builder.add(first, _word(p)), _word(LANES))
                    # At k = 0 what is there may be anything: it is read and not used.
                    least = builder.select(fresh, _INFINITY,
                                           _load(builder, nearest_data, place, _DOUBLES))
                    label = builder.select(fresh, _words(0),
                                           _load(builder, label_data, place, _WORDS))
                    least, label = _keep_nearer(builder, square, number, least, label)
                    _store(builder, least, nearest_data, place)
                    _store(builder, label, label_data, place)
                    _store(builder, builder.fmul(least, _load(
                        builder, mass_data, place, _DOUBLES)), value_data, place)

            end = builder.add(t, count)
            whole = builder.sub(end, builder.urem(count, _word(ABREAST_TILES)))
            for first, last, step in ((t, whole, ABREAST_TILES), (whole, end, 1)):
                with cgutils.for_range_slice(builder, first, last, _word(step), _WORD) as (at, _):
                    look(at, step)
            return context.get_dummy_value()

        return signature, build

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

    for _compiled, _function in (
            (assign_tile, _assign_tile), (settle_tile, _settle_tile),
            (approach_tiles, _approach_tiles), (add_row, _add_row), (move_row, _move_row),
            (copy_row, _copy_row), (turn_rows, _turn_rows), (turn_chosen, _turn_chosen)):
        python_form(_compiled, _function)

else:

    assign_tile, settle_tile, approach_tiles = _assign_tile, _settle_tile, _approach_tiles
    add_row, move_row, copy_row = _add_row, _move_row, _copy_row
    turn_rows, turn_chosen = _turn_rows, _turn_chosen


@borrowing
def tiled(features):
    """Whether points with so many features lie in tiles."""
    return features > FEATURES[1]
