"""Null values of measures: random tables, all tables, exact moments, permuted objects and groups.

Objects are permuted, objects within strata, or the labels of whole groups.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ..clusterings import HardClustering
from ..measures import Measure, ends, get_measure
from ..measures.joint import Joint
from ..measures.statistic import Source
from ..results.records import Interval
from ..running.random_numbers import Streams
from ..running.warnings import quiet
from ..tables.contingency import Contingency, contingency, contingency_from_table
from ..tables.entropy import Information, TableInformation
from ..tables.pair_counts import PairCounts
from ..tables.partition_models import draw_sizes
from ..tables.parts import Parts, names_of, part_codes
from ..tables.strata import Strata
from ..tables.sums import SQUARE, Sums
from ..tables.table_law import all_tables, law_of_sums, table_sampler
from ..tables.table_moments import pair_moments, pearson_tails
from .levels import linear_form, linear_moments

#: requested measures: names and their options
Wanted = tuple[tuple[str, dict[str, Any]], ...]
Measures = list[tuple[Measure, dict[str, Any]]]
#: a random table and its number of pairs together in both
Drawn = tuple[Contingency, int]
#: numbers in a block of random tables
_NUMBERS = 1 << 22
#: a table with fewer objects than this per cell is counted from permuted labels
_OBJECTS_PER_CELL = 4
#: largest number of objects whose labels are permuted, and of objects in random tables
MOST_PERMUTED, MOST_DRAWN = 10**8, 10**9
BOTH_VARY = ("labels of both sides vary within groups: strata=groups tests agreement beyond the "
             "groups; compare(..., groups=, ci='jackknife') gives confidence intervals")


def measures_of(wanted: Wanted) -> Measures:
    """The measures with their options."""
    return [(get_measure(name), options) for name, options in wanted]


def as_row(value: float | Interval) -> tuple[float, ...]:
    """A number, or both ends of an interval."""
    return ends(value) if isinstance(value, Interval) else (value,)


def values_of(measures: Measures, source: Source, n11: int | None = None) -> list[float]:
    """Values of all measures, from the pairs together in both where these suffice."""
    values: list[float] = []
    for m, options in measures:
        if n11 is not None and m.statistic is PairCounts and m.formula is not None:
            value = m.formula(source.statistic(PairCounts).permuted(n11),
                              **m.options_of("formula", options))
        else:
            value = m.evaluate(source, options)
        values += as_row(m.listed_value(value))
    return values


def _with_pairs(table: Contingency) -> Drawn:
    return table, (table.squares - table.n) // 2


# -- random tables ----------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class RandomTables:
    """All measures on random tables: (values (m, k), numbers of pairs together in both)."""

    source: Contingency
    wanted: Wanted
    streams: Streams
    model: str = "permutation"
    fixed: str | None = None
    #: strata whose random tables are added
    strata: Strata | None = None

    def __call__(self, start: int, stop: int) -> tuple[np.ndarray, list[int]]:
        rows: list[list[list[float]]] = []
        pairs: list[int] = []
        measures = measures_of(self.wanted)
        with quiet():
            forms = [self._form(m, options) for m, options in measures]
            others = [each for each, form in zip(measures, forms) if form is None]
            for source, n11 in self._drawn(start, stop, others):
                rows.append([values_of([each], source, n11) for each in others])
                pairs.append(n11)
        n11s, evaluated = np.array([float(v) for v in pairs]), iter(zip(*rows))
        columns = [np.array(next(evaluated)) if form is None
                   else (form[0] + form[1] * n11s)[:, None] for form in forms]
        return np.hstack(columns), pairs

    def _form(self, m: Measure, options: dict[str, Any]) -> tuple[float, float] | None:
        """Intercept and slope of a measure that is linear in n11; None for others."""
        linear = (m.linear_in_pairs and self.model == "permutation"
                  and options.get("model", "permutation") == "permutation")
        return linear_form(self.source, m, options) if linear else None

    def _drawn(self, start: int, stop: int, others: Measures) -> Iterator[Drawn]:
        c = self.source
        if self.strata is not None:
            yield from self._stratified(self.strata.parts, start, stop)
        elif self.model != "permutation":
            yield from (self._modelled(self.streams.generator(b)) for b in range(start, stop))
        elif c.n < _OBJECTS_PER_CELL * c.r * c.s:
            x, y = np.repeat(c.rows, c.counts), np.repeat(c.cols, c.counts)
            for b in range(start, stop):
                order = self.streams.generator(b).permutation(c.n)
                yield _with_pairs(contingency(x, c.r, y[order], c.s))
        else:
            plain = all(m.statistic is PairCounts for m, _ in others)
            block = max(1, _NUMBERS // (c.r * c.s))
            for first in range(start, stop, block):
                yield from self._tables(first, min(first + block, stop), plain)

    def _tables(self, first: int, last: int, plain: bool) -> Iterator[Drawn]:
        """Tables with the margins of the source; with `plain`, the source itself represents them.
        """
        c = self.source
        draw = table_sampler(c.a, c.b)
        tables = np.stack([draw(self.streams.generator(b)) for b in range(first, last)])
        like = TableInformation(c)
        for table, squares in zip(tables, (tables * tables).sum(axis=(1, 2)).tolist()):
            n11 = (squares - c.n) // 2
            if plain:
                yield c, n11
                continue
            drawn = Contingency(n=c.n, r=c.r, s=c.s, a=c.a, b=c.b, squares=squares, table=table,
                                n_cells=int(np.count_nonzero(table)))
            drawn.keep(Information, TableInformation(drawn, like))
            yield drawn, n11

    def _stratified(self, parts: Parts, start: int, stop: int) -> Iterator[Drawn]:
        """Sums of random tables, one per stratum with its margins."""
        samplers = []
        for h in range(parts.n_parts):
            table = parts.table(h)
            a, b = table.sum(axis=1), table.sum(axis=0)
            rows, cols = np.flatnonzero(a), np.flatnonzero(b)
            samplers.append((np.ix_(rows, cols), table_sampler(a[rows], b[cols])))
        for replicate in range(start, stop):
            rng = self.streams.generator(replicate)
            whole = np.zeros((parts.r, parts.s), np.int64)
            for place, draw in samplers:
                whole[place] += draw(rng)
            yield _with_pairs(contingency_from_table(whole))

    def _modelled(self, rng: np.random.Generator) -> Drawn:
        """A table of two partitions drawn from the model."""
        c = self.source
        a, b = (sizes[sizes > 0].astype(np.int64) for sizes in (
            known if side == self.fixed else draw_sizes(self.model, known, c.n, rng)
            for side, known in (("x", c.a), ("y", c.b))))
        r, s = a.shape[0], b.shape[0]
        if c.n >= _OBJECTS_PER_CELL * r * s:
            return _with_pairs(contingency_from_table(table_sampler(a, b)(rng)))
        if c.n > MOST_PERMUTED:
            raise ClusteringError(f"partitions of {c.n} objects into {r} and {s} clusters have no "
                                  f"table that fits; at most {MOST_PERMUTED} objects can be drawn")
        x = np.repeat(np.arange(r), a)
        return _with_pairs(contingency(x, r, rng.permutation(np.repeat(np.arange(s), b)), s))


# -- exact laws -------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Law:
    """The exact distribution of one number: values, pairs together in both (or None),
    probabilities.
    """

    values: np.ndarray
    pairs: list[int] | None
    chances: list[Fraction]


def exact_laws(source: Contingency, wanted: Wanted, largest: float) -> list[Law]:
    """Compute one exact distribution for each number of each measure."""
    measures = measures_of(wanted)
    if all(m.of_sums for m, _ in measures):
        return [law for m, options in measures for law in _law(source, m, options, largest)]
    tables = ((table.copy(), chance) for table, chance in all_tables(source.a, source.b, largest))
    return _laws_of_tables(tables, measures)


def stratified_laws(strata: Strata, wanted: Wanted, largest: float) -> list[Law]:
    """Compute exact distributions over all tables of each stratum, added."""
    parts = strata.parts
    shape = parts.r, parts.s
    sums: dict[bytes, Fraction] = {np.zeros(shape, np.int64).tobytes(): Fraction(1)}
    for h in range(parts.n_parts):
        table = parts.table(h)
        tables = [(each.copy(), chance) for each, chance in
                  all_tables(table.sum(axis=1), table.sum(axis=0), largest)]
        if len(tables) * len(sums) > largest:
            raise ClusteringError(f"there are more than {largest:.0e} sums of tables of the "
                                  'strata; use method="tables", or a larger max_tables')
        after: dict[bytes, Fraction] = defaultdict(Fraction)
        for key, chance in sums.items():
            before = np.frombuffer(key, np.int64).reshape(shape)
            for each, other in tables:
                after[(before + each).tobytes()] += chance * other
        sums = after
    whole = ((np.frombuffer(key, np.int64).reshape(shape).copy(), chance)
             for key, chance in sums.items())
    return _laws_of_tables(whole, measures_of(wanted))


def _laws_of_tables(tables: Iterable[tuple[np.ndarray, Fraction]], measures: Measures
                    ) -> list[Law]:
    rows: list[list[float]] = []
    pairs: list[int] = []
    chances: list[Fraction] = []
    with quiet():
        for table, chance in tables:
            source, n11 = _with_pairs(contingency_from_table(table))
            rows.append(values_of(measures, source, n11))
            pairs.append(n11)
            chances.append(chance)
    return [Law(column, pairs, chances) for column in np.array(rows).T]


def _law(source: Contingency, m: Measure, options: dict[str, Any], largest: float) -> list[Law]:
    """Distribution of a formula on sums of phi, from the distribution of the sum over the cells."""
    assert m.statistic is not None
    assert m.formula is not None
    phi, a, b = m.statistic.phi, source.a, source.b
    law = source.kept(("law of sums", phi, largest),
                      lambda: law_of_sums(a, b, phi.whole, largest))
    settings, pairs = m.options_of("formula", options), None
    with quiet():
        if phi is SQUARE:
            p = source.statistic(PairCounts)
            pairs = [(total - source.n) // 2 for total in law]
            rows = [as_row(m.listed_value(m.formula(p.permuted(n11), **settings)))
                    for n11 in pairs]
        else:
            of_x, of_y = (np.full(len(law), math.fsum(phi.values(v).tolist())) for v in (a, b))
            sums = Sums(n=source.n, cells=phi.unit * np.array([float(total) for total in law]),
                        rows=of_x, columns=of_y, sizes=(a, b))
            rows = m.formula(m.statistic.from_sums(sums), **settings)[:, None].tolist()
    return [Law(np.array(column), pairs, list(law.values())) for column in zip(*rows)]


# -- moments ----------------------------------------------------------------------------------
def moments_of(source: Contingency, name: str, options: dict[str, Any]
               ) -> tuple[float, float, float, float, float, float]:
    """Mean, sd and skewness of a linear measure; probabilities of at least and of at most as many
    pairs; z.

    z comes from n11 and its mean, a fraction: values of 1e9 objects are nearer to their mean than
    floats can resolve.
    """
    m = get_measure(name)
    moments = source.kept("moments of n11", lambda: pair_moments(source.a, source.b))
    n11 = source.statistic(PairCounts).n11
    above, below = pearson_tails(moments, n11)
    with quiet():
        mean, sd, skewness = linear_moments(source, m, options)
        slope = linear_form(source, m, options)[1]
    z = math.copysign(1.0, slope) * float(n11 - moments.mean) / moments.sd if sd > 0 else math.nan
    return mean, sd, skewness, above, below, z


def stratified_moments(strata: Strata, source: Source, name: str, options: dict[str, Any]
                       ) -> tuple[float, float, float, float, float, float]:
    """Mean and sd of a measure that is linear in the pairs together in both; the rest are nan."""
    low, slope = linear_form(source, get_measure(name), options)
    return (low + slope * strata.mean, abs(slope) * math.sqrt(strata.variance), math.nan,
            math.nan, math.nan, math.nan)


# -- permutations -----------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class NullReplicates:
    """All measures on one replicate; (k,) numbers, the two ends of an interval in sequence."""

    wanted: Wanted
    streams: Streams
    #: computed once: measures, and results that depend on x only, which stays fixed
    memory: dict[Hashable, Any] = field(default_factory=dict, compare=False)

    def __call__(self, b: int) -> np.ndarray:
        if "measures" not in self.memory:
            self.memory["measures"] = measures_of(self.wanted)
        with quiet():
            return np.array(values_of(self.memory["measures"], self._replicate(b)))

    def _replicate(self, b: int) -> Source:
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"memory": {}}   # recomputed by the worker


@dataclass(frozen=True, kw_only=True)
class Permutations(NullReplicates):
    """The objects of y permuted, all of them or within strata (n,), or by given `indices`."""

    x: Any
    y: Any
    indices: np.ndarray | None = None
    first: int = 0
    strata: np.ndarray | None = None

    def _replicate(self, b: int) -> Source:
        """Return x and y in another order; their table only if both are hard and that is enough."""
        x, y = self.x, self.y
        if self.indices is not None:
            order = self.indices[b - self.first]
        elif self.strata is None:
            order = self.streams.generator(b).permutation(x.n_objects)
        else:
            keys: Any = (self.streams.generator(b).random(x.n_objects), self.strata)
            order = np.empty(x.n_objects, np.int64)
            order[np.argsort(self.strata, kind="stable")] = np.lexsort(keys)
        codes = x.hard_codes, y.hard_codes
        if codes[0] is None or codes[1] is None or any(
                "weights" in options for _, options in self.wanted):
            return Joint.of_checked(x, y.subset(order), self.memory.setdefault("of x", {}))
        return contingency(codes[0], x.n_clusters, codes[1][order], y.n_clusters)

    def part(self, start: int, stop: int) -> Permutations:
        """The part that a worker needs for permutations `start` to `stop` - 1."""
        if self.indices is None:
            return self
        return replace(self, indices=self.indices[start - self.first:stop - self.first],
                       first=start)


@dataclass(frozen=True, kw_only=True)
class Blocks:
    """Labels of one side, constant within groups, that are permuted among the groups.

    Attributes
    ----------
    codes : ndarray, shape (n,), int64
        Group of each object.
    labels : ndarray, shape (G,), int64
        Cluster of each group, on the side that is permuted.
    side : str
        "x" or "y".
    other : Clustering
        The side that is held fixed.
    """

    codes: np.ndarray
    labels: np.ndarray
    side: str
    other: Any

    @classmethod
    def of(cls, source: Source, groups: Any) -> Blocks:
        """Take the side whose labels are constant within groups; y if both are."""
        pair = source.objects
        codes, names = part_codes("groups", groups, pair.n_objects, names_of(source))
        first = np.unique(codes, return_index=True)[1]
        for side, permuted, other in (("y", pair.y, pair.x), ("x", pair.x, pair.y)):
            of_objects = permuted.hard_codes
            if of_objects is not None and np.array_equal(of_objects, of_objects[first][codes]):
                if len(names) < 2:
                    raise ClusteringError(f"all {pair.n_objects} objects are in group "
                                          f"{names[0]!r}; 2 groups are needed to permute them")
                return cls(codes=codes, labels=of_objects[first].astype(np.int64), side=side,
                           other=other)
        raise ClusteringError(BOTH_VARY)

    def arranged(self, labels: np.ndarray) -> Joint:
        """Join both sides when the groups have these labels."""
        permuted = HardClustering(labels[self.codes])
        return (Joint.of_checked(self.other, permuted) if self.side == "y"
                else Joint.of_checked(permuted, self.other))

    def laws(self, wanted: Wanted, largest: float) -> list[Law]:
        """Exact laws over all arrangements of the labels."""
        times = Counter(self.labels.tolist())
        count = math.factorial(self.labels.size)
        for number in times.values():
            count //= math.factorial(number)
        if count > largest:
            raise ClusteringError(f"the labels of groups have {count} arrangements, more "
                                  f'than max_tables={largest:.0e}; use method="permutations"')
        measures = measures_of(wanted)
        with quiet():
            values = np.array([values_of(measures, self.arranged(np.array(labels)))
                               for labels in _arrangements(times, self.labels.size)])
        return [Law(column, None, [Fraction(1, count)] * count) for column in values.T]


@dataclass(frozen=True, kw_only=True)
class PermutedGroups(NullReplicates):
    """The labels of whole groups permuted."""

    blocks: Blocks

    def _replicate(self, b: int) -> Source:
        return self.blocks.arranged(self.streams.generator(b).permutation(self.blocks.labels))


def _arrangements(times: Counter[int], length: int) -> Iterator[list[int]]:
    """All distinct orders of labels, each label as often as `times` tells."""
    if not length:
        yield []
        return
    for label in sorted(times):
        if times[label]:
            times[label] -= 1
            for rest in _arrangements(times, length - 1):
                yield [label, *rest]
            times[label] += 1
