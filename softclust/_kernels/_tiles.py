"""Points in tiles of eight: nearest centres, written out in vectors.

A tile holds eight points, features first: a vector is one feature of all eight, and their squared
distances to some centres stay in registers over all features. So many multiply-adds a number read
are what lets long rows reach the speed of the machine; a compiler left to itself keeps no such
block in registers.

A squared distance is a sum over the even features plus one over the odd ones, in their order, each
square added by a multiply-add that rounds once. That order does not depend on how centres are
grouped, on the machine, or on whether kernels are compiled. There are two sums so that fewer
additions wait for the one before them.
"""

import math

from llvmlite import binding

from ._fma import python_fma
from ._jit import JIT_ENABLED, borrowing, python_form
from ._lanes import FEATURES, LANES

#: points of a tile
TILE = LANES


def _group():
    """Most centres whose distances stay in registers together, two sums of each.

    Five where the machine has 32 registers of eight numbers: with four, a pass takes up to a tenth
    longer there. Elsewhere three: with five, up to 1.6 times as long.
    """
    return 5 if JIT_ENABLED and binding.get_host_cpu_features().get("avx512f") else 3


GROUP = _group()


def _square(points, t, i, center):
    """Squared distance of point i of tile t to a centre: even features plus odd ones."""
    totals = [0.0, 0.0]
    for j, at in enumerate(center):
        e = float(points[t, j, i]) - at
        totals[j % 2] = python_fma(e, e, totals[j % 2])
    return totals[0] + totals[1]


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


def _shrink_margins(margins, t, drift, labels, guard, marks):
    """`shrink_margins` in Python."""
    block, start = t * TILE // labels.shape[1], t * TILE % labels.shape[1]
    own = max(float(drift[k]) for k in labels[block, start:start + TILE])
    close = 0
    for k in range(margins.shape[1]):
        margins[t, k] = left = float(margins[t, k]) - (float(drift[k]) + own)
        marks[k] = 0 if left > guard else 1
        close |= marks[k]
    return int(close)


def _approach_tiles(points, t, count, masses, centers, sets, k, labels, nearest, values):
    """`approach_tiles` in Python."""
    for s in range(sets):
        mean = [float(value) for value in centers[s, k]]
        for at in range(t * TILE, (t + count) * TILE):
            place = at // labels.shape[2], at % labels.shape[2]
            square = _square(points, at // TILE, at % TILE, mean)
            if k == 0 or square < nearest[s][place]:
                labels[s][place], nearest[s][place] = k, square
            values[s][place] = masses[place] * nearest[s][place]


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

    def _distances(builder, tile, d, centers):
        """Squared distances of a tile of points (pointer) to centres (pointers)."""
        totals = [[cgutils.alloca_once(builder, _DOUBLES) for _ in centers] for _ in range(2)]
        for total in (total for half in totals for total in half):
            builder.store(_ZEROS, total)   # here, not at the entry: this may stand in a loop

        def add(j, half):
            """The squares of feature j."""
            point = _load(builder, tile, builder.mul(j, _word(LANES)), _DOUBLES)
            for center, total in zip(centers, half):
                mean = _spread(builder, builder.load(_at(builder, center, j)))
                e = builder.fsub(point, mean)
                builder.store(_fma(builder, e, e, builder.load(total)), total)

        even = builder.and_(d, _word(-2))
        with cgutils.for_range_slice(builder, _word(0), even, _word(2), _WORD) as (j, _):
            add(j, totals[0])
            add(builder.add(j, _word(1)), totals[1])
        with builder.if_then(builder.icmp_signed("!=", even, d)):
            add(even, totals[0])
        return [builder.fadd(builder.load(total), builder.load(other))
                for total, other in zip(*totals)]

    def _keep_nearer(builder, square, number, least, label):
        """Where the distance is smaller it and its centre's number take the place of the least."""
        better = builder.fcmp_ordered("<", square, least)
        return (builder.select(better, square, least),
                builder.select(better, number, label))

    def _in_groups(builder, count, look):
        """`look(place, size)` for groups of at most GROUP of `count` centres, in their order."""
        # Groups of nearly one size: first `more` of size + 1, then the others. Longer ones are
        # looked at first, so the order of the centres is kept.
        groups = builder.udiv(builder.add(count, _word(GROUP - 1)), _word(GROUP))
        size = builder.udiv(count, groups)
        more = builder.urem(count, groups)
        after = builder.mul(more, builder.add(size, _word(1)))
        for own in range(GROUP, 0, -1):
            longer = builder.icmp_signed("==", builder.add(size, _word(1)), _word(own))
            shorter = builder.icmp_signed("==", size, _word(own))
            first = builder.select(shorter, after, _word(0))
            last = builder.select(shorter, count, builder.select(longer, after, _word(0)))
            with cgutils.for_range_slice(builder, first, last, _word(own), _WORD) as (place, _):
                look(place, own)

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
            for at, number, square in zip(places, numbers, _distances(builder, tile, d, rows)):
                visit(at, square)
                best, own = _keep_nearer(builder, square, _spread(builder, number), best, own)
            builder.store(best, least)
            builder.store(own, label)

        _in_groups(builder, count, look)
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
    def shrink_margins(typing_context, margins, t, drift, labels, guard, marks):
        """Margins of tile t after the centres have moved by `drift`; not 0 if some are too small.

        margins (., L), drift and marks (L,) with L a multiple of TILE. marks[k] is 0 where the
        margin of k exceeds `guard`, else 1, also where it is not a number.
        """
        signature = types.int64(margins, types.int64, drift, labels, types.float64, marks)

        def build(context, builder, sig, args):
            (margin_data, (_, length)), (drift_data, _), (label_data, _), (mark_data, _) = (
                _array(context, builder, sig.args[i], args[i]) for i in (0, 2, 3, 5))
            t, guard = args[1], _spread(builder, args[4])
            place = builder.mul(t, _word(LANES))
            ways = []
            for i in range(LANES):
                label = builder.load(_at(builder, label_data, builder.add(place, _word(i))))
                ways.append(builder.load(_at(builder, drift_data, label)))
            while len(ways) > 1:
                ways = [builder.select(builder.fcmp_ordered("<", a, b), b, a)
                        for a, b in zip(ways[::2], ways[1::2])]
            own = _spread(builder, ways[0])
            row = _at(builder, margin_data, builder.mul(t, length))
            close = cgutils.alloca_once(builder, _WORDS)
            builder.store(_words(0), close)
            with cgutils.for_range_slice(builder, _word(0), length, _word(LANES), _WORD) as (k, _):
                way = builder.fadd(_load(builder, drift_data, k, _DOUBLES), own)
                left = builder.fsub(_load(builder, row, k, _DOUBLES), way)
                _store(builder, left, row, k)
                mark = builder.zext(builder.fcmp_unordered("<=", left, guard), _WORDS)
                _store(builder, mark, mark_data, k)
                builder.store(builder.or_(builder.load(close), mark), close)
            some = builder.icmp_signed("!=", builder.load(close), _words(0))
            return builder.zext(builder.bitcast(some, ir.IntType(LANES)), _WORD)

        return signature, build

    @intrinsic
    def approach_tiles(typing_context, points, t, count, masses, centers, sets, k, labels, nearest,
                       values):
        """Centre k of each of the first `sets` sets joins those before it, for tiles from t on.

        centers (S, K, d); labels, nearest and values (S, ., BLOCK): where centre k is nearer
        (everywhere for k = 0) the label and the distance of a point are replaced; `values` become
        mass times distance. The other arrays as in `assign_tile`.
        """
        signature = types.void(points, types.int64, types.int64, masses, centers, types.int64,
                               types.int64, labels, nearest, values)

        def build(context, builder, sig, args):
            (point_data, (_, d, _)), (mass_data, _), (center_data, (_, clusters, _)), (
                label_data, (_, blocks, block)), (nearest_data, _), (value_data, _) = (
                    _array(context, builder, sig.args[i], args[i]) for i in (0, 3, 4, 7, 8, 9))
            _, t, count, _, _, sets, k = args[:7]
            number = _spread(builder, k)
            fresh = builder.icmp_signed("==", k, _word(0))
            row = builder.mul(blocks, block)

            def join(place, s, square):
                """The centre of set s, at these distances from the points from a place on."""
                own = builder.add(builder.mul(s, row), place)
                # At k = 0 what is there may be anything: it is read and not used.
                least = builder.select(fresh, _INFINITY,
                                       _load(builder, nearest_data, own, _DOUBLES))
                label = builder.select(fresh, _words(0), _load(builder, label_data, own, _WORDS))
                least, label = _keep_nearer(builder, square, number, least, label)
                _store(builder, least, nearest_data, own)
                _store(builder, label, label_data, own)
                mass = _load(builder, mass_data, place, _DOUBLES)
                _store(builder, builder.fmul(least, mass), value_data, own)

            def look(t, s, width):
                """A tile, and `width` sets from s on."""
                tile = _at(builder, point_data, builder.mul(builder.mul(t, d), _word(LANES)))
                numbers = [builder.add(s, _word(c)) for c in range(width)]
                rows = [_at(builder, center_data, builder.mul(builder.add(
                    builder.mul(own, clusters), k), d)) for own in numbers]
                place = builder.mul(t, _word(LANES))
                for own, square in zip(numbers, _distances(builder, tile, d, rows)):
                    join(place, own, square)

            end = builder.add(t, count)
            together = builder.sub(sets, builder.urem(sets, _word(GROUP)))
            for first, last, width in ((_word(0), together, GROUP), (together, sets, 1)):
                with cgutils.for_range_slice(builder, first, last, _word(width), _WORD) as (
                        s, _), cgutils.for_range_slice(builder, t, end, _word(1), _WORD) as (at, _):
                    look(at, s, width)
            return context.get_dummy_value()

        return signature, build

    for _compiled, _function in (
            (assign_tile, _assign_tile), (settle_tile, _settle_tile),
            (shrink_margins, _shrink_margins), (approach_tiles, _approach_tiles)):
        python_form(_compiled, _function)

else:

    assign_tile, settle_tile, shrink_margins, approach_tiles = (
        _assign_tile, _settle_tile, _shrink_margins, _approach_tiles)


@borrowing
def tiled(features):
    """Whether points with so many features lie in tiles."""
    return features > FEATURES[1]
