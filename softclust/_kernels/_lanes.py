"""One pass of k-means over a block of points, eight points at a time.

`assign_and_sum` finds the nearest centres and, while the points are at hand, the sums that the next
centres are made of. It has two forms: vector instructions written out for LLVM, which maps them to
whatever width the machine has, and plain Python for runs without JIT. They are written out because
a compiler may not reorder sums: left to itself it adds point after point, which costs twice as much
as all distances.

Tiles (`_tiles`) are no substitute: fits of 100 to 4000 points with two to six clusters take 1.2 to
3.0 times as long in them in two or three dimensions, 1.0 to 1.9 times in four.

Lane l holds the points l, l + 8, l + 16, ...; sums are taken lane by lane and the lanes are then
added. That order is fixed, so the bits are the same on every machine and without JIT.
"""

from ._jit import JIT_ENABLED, borrowing, python_form

LANES = 8

#: what is written out: in it, all sums and centres of a pass stay in registers or nearly so
CLUSTERS = (2, 6)
FEATURES = (1, 4)


def _assign_and_sum(points, moments, masses, centers, labels, nearest, sums, s, b, size):
    """`assign_and_sum` in Python."""
    _, clusters, features = centers.shape
    means = [[float(value) for value in center] for center in centers[s]]
    totals = [[0.0] * LANES for _ in range(clusters * (features + 1))]
    changed = 0
    for t in range(size):
        point = [float(points[b, j, t]) for j in range(features)]
        squares = [_square_sum(point, mean) for mean in means]
        label = squares.index(min(squares))
        changed = 1 if labels[s, b, t] != label else changed
        labels[s, b, t] = label
        nearest[s, b, t] = squares[label]
        terms = [masses[b, t], *(moments[b, j, t] for j in range(features))]
        for j, term in enumerate(terms):
            totals[label * (features + 1) + j][t % LANES] += float(term)
    for r, lanes in enumerate(totals):
        sums[s, 0, r] += _total(lanes)
    return changed


def _square_sum(point, center):
    """Squared distance: an odd feature alone and first, then pairs."""
    terms = [(value - at) * (value - at) for value, at in zip(point, center)]
    total = terms.pop(0) if len(terms) % 2 else None
    for i in range(0, len(terms), 2):
        pair = terms[i] + terms[i + 1]
        total = pair if total is None else total + pair
    return total


def _total(lanes):
    """Sum of the lanes: (0+4 + 1+5) + (2+6 + 3+7)."""
    a, b, c, d = (lanes[l] + lanes[l + 4] for l in range(4))
    return (a + b) + (c + d)


def _lane_sums(terms):
    """Sum of the terms, lane by lane; the lanes as ((0+1) + (2+3)) + ((4+5) + (6+7))."""
    lanes = [0.0] * LANES
    for i, term in enumerate(terms):
        lanes[i % LANES] += term
    first, second = ((lanes[l] + lanes[l + 1]) + (lanes[l + 2] + lanes[l + 3]) for l in (0, 4))
    return first + second


def _gap_sum(u, a, v, b, start, size):
    """`gap_sum` in Python."""
    return _lane_sums(abs(float(u[a, i]) - float(v[b, i])) for i in range(start, start + size))


def _product_sum(u, a, v, b, start, size):
    """`product_sum` in Python."""
    return _lane_sums(float(u[a, i]) * float(v[b, i]) for i in range(start, start + size))


if JIT_ENABLED:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    _WORD = ir.IntType(64)
    _DOUBLE = ir.DoubleType()
    _WORDS = ir.VectorType(_WORD, LANES)
    _DOUBLES = ir.VectorType(_DOUBLE, LANES)
    _ZEROS = ir.Constant(_DOUBLES, [0.0] * LANES)

    def _words(value):
        """The same whole number in all lanes."""
        return ir.Constant(_WORDS, [value] * LANES)

    def _array(context, builder, array_type, value):
        """Data pointer and shape of an array argument."""
        array = context.make_array(array_type)(context, builder, value)
        return array.data, cgutils.unpack_tuple(builder, array.shape)

    def _row(builder, data, shape, *index):
        """Pointer to the row of a C-contiguous array that the leading indices name."""
        flat = ir.Constant(_WORD, 0)
        for i, extent in zip((*index, ir.Constant(_WORD, 0)), shape):
            flat = builder.add(builder.mul(flat, extent), i)
        return builder.gep(data, [flat])

    def _load(builder, row, t, vector):
        at = builder.bitcast(builder.gep(row, [t]), vector.as_pointer())
        return builder.load(at, align=8)

    def _store(builder, value, row, t):
        at = builder.bitcast(builder.gep(row, [t]), value.type.as_pointer())
        builder.store(value, at, align=8)

    def _spread(builder, value, lanes=LANES):
        """The same number in all lanes."""
        vector = ir.VectorType(value.type, lanes)
        one = builder.insert_element(ir.Constant(vector, ir.Undefined), value,
                                     ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), ir.Constant(
            ir.VectorType(ir.IntType(32), lanes), [0] * lanes))

    def _pick(builder, low, high, lanes):
        """Lanes of two vectors as one; numbers count through both."""
        return builder.shuffle_vector(low, high, ir.Constant(
            ir.VectorType(ir.IntType(32), len(lanes)), lanes))

    def _totals(builder, vectors):
        """Sums of the lanes of four vectors, as one vector of four: (0+4 + 1+5) + (2+6 + 3+7)."""
        quarters = [builder.fadd(_pick(builder, v, v, [0, 1, 2, 3]),
                                 _pick(builder, v, v, [4, 5, 6, 7])) for v in vectors]
        pairs = []
        for v, w in (quarters[:2], quarters[2:]):
            pairs.append(builder.fadd(_pick(builder, v, w, [0, 4, 2, 6]),
                                      _pick(builder, v, w, [1, 5, 3, 7])))
        return builder.fadd(_pick(builder, *pairs, [0, 1, 4, 5]),
                            _pick(builder, *pairs, [2, 3, 6, 7]))

    def _squares(builder, point, center):
        """Squared distance: an odd feature alone and first, then pairs."""
        terms = []
        for value, at in zip(point, center):
            e = builder.fsub(value, at)
            terms.append(builder.fmul(e, e))
        total = terms.pop(0) if len(terms) % 2 else None
        for i in range(0, len(terms), 2):
            pair = builder.fadd(terms[i], terms[i + 1])
            total = pair if total is None else builder.fadd(total, pair)
        return total

    def _pass(builder, arrays, s, b, size, clusters, features):
        """Code of the pass for a fixed number of clusters and features; whether a label changed."""
        points, moments, masses, centers, labels, nearest, sums = arrays
        zero, step = ir.Constant(_WORD, 0), ir.Constant(_WORD, LANES)
        rows = [_row(builder, *points, b, ir.Constant(_WORD, j)) for j in range(features)]
        term_rows = [_row(builder, *masses, b), *(
            _row(builder, *moments, b, ir.Constant(_WORD, j)) for j in range(features))]
        label_row = _row(builder, *labels, s, b)
        nearest_row = _row(builder, *nearest, s, b)
        center_row = _row(builder, *centers, s, zero)
        sum_row = _row(builder, *sums, s, zero)
        means = [[_spread(builder, builder.load(builder.gep(center_row, [ir.Constant(
            _WORD, k * features + j)]))) for j in range(features)] for k in range(clusters)]
        totals = [[cgutils.alloca_once_value(builder, _ZEROS) for _ in range(features + 1)]
                  for _ in range(clusters)]
        # A bit that differs anywhere stays set: cheaper than counting.
        differing = cgutils.alloca_once_value(builder, _words(0))
        with cgutils.for_range_slice(builder, zero, size, step, _WORD) as (t, _):
            point = [_load(builder, row, t, _DOUBLES) for row in rows]
            least, label = _squares(builder, point, means[0]), _words(0)
            for k in range(1, clusters):
                value = _squares(builder, point, means[k])
                better = builder.fcmp_ordered("<", value, least)
                least = builder.select(better, value, least)
                label = builder.select(better, _words(k), label)
            builder.store(builder.or_(builder.load(differing), builder.xor(
                label, _load(builder, label_row, t, _WORDS))), differing)
            _store(builder, label, label_row, t)
            _store(builder, least, nearest_row, t)
            terms = [_load(builder, row, t, _DOUBLES) for row in term_rows]
            for k in range(clusters):
                own = builder.icmp_signed("==", label, _words(k))
                for total, term in zip(totals[k], terms):
                    held = builder.load(total)
                    builder.store(builder.select(own, builder.fadd(held, term), held), total)
        flat = [builder.load(total) for own in totals for total in own]
        for first in range(0, len(flat), 4):
            some = flat[first:first + 4]
            found = _totals(builder, some + [_ZEROS] * (4 - len(some)))
            if len(some) == 4:
                held = _load(builder, sum_row, ir.Constant(_WORD, first), ir.VectorType(_DOUBLE, 4))
                _store(builder, builder.fadd(held, found), sum_row, ir.Constant(_WORD, first))
                continue
            for r in range(len(some)):
                at = builder.gep(sum_row, [ir.Constant(_WORD, first + r)])
                builder.store(builder.fadd(builder.load(at), builder.extract_element(
                    found, ir.Constant(ir.IntType(32), r))), at)
        moved = builder.icmp_signed("!=", builder.load(differing), _words(0))
        return builder.zext(builder.icmp_signed("!=", builder.bitcast(
            moved, ir.IntType(LANES)), ir.Constant(ir.IntType(LANES), 0)), _WORD)

    @intrinsic
    def assign_and_sum(typing_context, points, moments, masses, centers, labels, nearest, sums, s,
                       b, size):
        """One pass over block b for set s of centres: labels, distances, and sums added to.

        Returns 1 if a label changed, or 0. points, moments (., d, BLOCK), masses (., BLOCK)
        float64; a row for each set: centers (K, d), labels int64 and nearest (., BLOCK), sums
        (., K (d + 1)), in whose first row lie the mass of each cluster, then its features. K and d
        must lie in CLUSTERS and FEATURES, see `written_out`. Up to the next multiple of eight the
        last point must be repeated, with its label and mass 0, see `seeding.complete`.
        """
        signature = types.int64(points, moments, masses, centers, labels, nearest, sums,
                                types.int64, types.int64, types.int64)

        def build(context, builder, sig, args):
            arrays = [_array(context, builder, kind, value)
                      for kind, value in zip(sig.args[:7], args[:7])]
            _, clusters, features = arrays[3][1]
            changed = cgutils.alloca_once_value(builder, ir.Constant(_WORD, 0))
            for d in range(FEATURES[0], FEATURES[1] + 1):
                with builder.if_then(builder.icmp_signed("==", features, ir.Constant(_WORD, d))):
                    for k in range(CLUSTERS[0], CLUSTERS[1] + 1):
                        with builder.if_then(builder.icmp_signed(
                                "==", clusters, ir.Constant(_WORD, k))):
                            builder.store(_pass(builder, arrays, *args[7:], k, d), changed)
            return builder.load(changed)

        return signature, build

    python_form(assign_and_sum, _assign_and_sum)

    def _gap(builder, p, q):
        size = builder.and_(builder.bitcast(builder.fsub(p, q), _WORDS), _words((1 << 63) - 1))
        return builder.bitcast(size, _DOUBLES)

    def _lane_sum(term):
        """Code of a sum of terms of two rows of arrays, in the order of `_lane_sums`."""
        def build(context, builder, sig, args):
            start, size = args[4:]
            rows = [builder.gep(_row(builder, *_array(context, builder, sig.args[k], args[k]),
                                     args[k + 1]), [start]) for k in (0, 2)]
            total = cgutils.alloca_once(builder, _DOUBLES)
            builder.store(_ZEROS, total)   # here, not at the entry: the call may stand in a loop
            with cgutils.for_range_slice(builder, ir.Constant(_WORD, 0), size, ir.Constant(
                    _WORD, LANES), _WORD) as (t, _):
                added = term(builder, *(_load(builder, row, t, _DOUBLES) for row in rows))
                builder.store(builder.fadd(builder.load(total), added), total)
            found = builder.load(total)
            while found.type.count > 2:
                width = found.type.count
                found = builder.fadd(_pick(builder, found, found, list(range(0, width, 2))),
                                     _pick(builder, found, found, list(range(1, width, 2))))
            return builder.fadd(*(builder.extract_element(found, ir.Constant(ir.IntType(32), i))
                                  for i in range(2)))

        return build

    @intrinsic
    def gap_sum(typing_context, u, a, v, b, start, size):
        """Sum of |u[a, i] - v[b, i]| over `size` entries from `start` on; u, v (., n) float64.

        `size` is a multiple of eight; see `_lane_sums` for the order.
        """
        return types.float64(u, types.int64, v, types.int64, types.int64,
                             types.int64), _lane_sum(_gap)

    @intrinsic
    def product_sum(typing_context, u, a, v, b, start, size):
        """As `gap_sum`, sum of u[a, i] v[b, i]."""
        return types.float64(u, types.int64, v, types.int64, types.int64, types.int64), _lane_sum(
            lambda builder, p, q: builder.fmul(p, q))

    python_form(gap_sum, _gap_sum)
    python_form(product_sum, _product_sum)

else:
    assign_and_sum, gap_sum, product_sum = _assign_and_sum, _gap_sum, _product_sum


@borrowing
def written_out(clusters, features):
    """Whether `assign_and_sum` knows these numbers."""
    return (CLUSTERS[0] <= clusters and clusters <= CLUSTERS[1]
            and FEATURES[0] <= features and features <= FEATURES[1])
