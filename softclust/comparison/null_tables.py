"""Null values from random tables, from all tables, and from exact moments."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from .._checks import ClusteringError
from .._records import Interval
from .._warnings import quiet
from ..measures import Measure, ends, get_measure
from ..measures.statistic import Source
from ..tables.contingency import Contingency, contingency, contingency_from_table
from ..tables.entropy import Information, TableInformation
from ..tables.pair_counts import PairCounts
from ..tables.partition_draws import draw_sizes
from ..tables.sums import SQUARE, Sums
from ..tables.table_law import all_tables, law_of_sums, table_sampler
from ..tables.table_moments import pair_moments, pearson_tails
from .levels import linear_form, linear_moments

#: what was asked for: names of measures and their options
Wanted = tuple[tuple[str, dict[str, Any]], ...]
#: numbers of a block of random tables
_NUMBERS = 1 << 22
#: a table with fewer objects than this per cell is counted from permuted labels
_OBJECTS_PER_CELL = 4
#: objects whose labels are permuted at most, and objects of random tables
MOST_PERMUTED, MOST_DRAWN = 10**8, 10**9


def as_row(value: float | Interval) -> tuple[float, ...]:
    """A number, or both ends of an interval."""
    return ends(value) if isinstance(value, Interval) else (value,)


def values_of(m: Measure, options: dict[str, Any], source: Source, n11: int | None
              ) -> tuple[float, ...]:
    """Values of a measure for a table, from its pairs together in both where these suffice."""
    if n11 is not None and m.statistic is PairCounts and m.formula is not None:
        found = m.formula(source.statistic(PairCounts).with_n11(n11), **m.of_formula(options))
        return as_row(m.listed_value(found))
    return as_row(m.listed_value(m.evaluate(source, options)))


# -- random tables ----------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class RandomTables:
    """All measures on random tables: (values (m, k), numbers of pairs together in both)."""

    source: Contingency
    wanted: Wanted
    streams: Any
    model: str
    fixed: str | None

    def __post_init__(self) -> None:
        c = self.source
        if c.n > MOST_DRAWN:
            raise ClusteringError(
                f"the table has {c.n} objects; random tables are drawn of up to {MOST_DRAWN:.0e}: "
                'take method="moments" (measures that are linear in pairs) or "exact" (few '
                "clusters), or a random part of the objects")

    def __call__(self, start: int, stop: int) -> tuple[np.ndarray, list[int]]:
        pairs: list[int] = []
        with quiet():
            forms = [self._form(m, options) for m, options in self._measures]
            found: list[list[tuple[float, ...]]] = [[] for _ in forms]
            wanted = [(m, o, into) for (m, o), form, into in zip(self._measures, forms, found)
                      if form is None]
            for first in range(start, stop, self._block):
                last = min(first + self._block, stop)
                for source, n11 in self._drawn(first, last, [m for m, _, _ in wanted]):
                    for m, options, into in wanted:
                        into.append(values_of(m, options, source, n11))
                    pairs.append(n11)
        n11s = np.array([float(v) for v in pairs])
        columns = [np.array(values).reshape(len(pairs), -1) if form is None
                   else (form[0] + form[1] * n11s)[:, None] for values, form in zip(found, forms)]
        return np.hstack(columns), pairs

    def _form(self, m: Measure, options: dict[str, Any]) -> tuple[float, float] | None:
        """Intercept and slope of a measure that is linear in n11; None for others."""
        linear = (m.linear_in_pairs and self.model == "permutation"
                  and options.get("model", "permutation") == "permutation")
        return linear_form(self.source, m, options) if linear else None

    @property
    def _measures(self) -> list[tuple[Measure, dict[str, Any]]]:
        return [(get_measure(name), options) for name, options in self.wanted]

    @property
    def _block(self) -> int:
        return max(1, _NUMBERS // (self.source.r * self.source.s))

    def _drawn(self, first: int, last: int, wanted: list[Measure]) -> Any:
        if self.model != "permutation":
            return (self._modelled(b) for b in range(first, last))
        c = self.source
        if c.n < _OBJECTS_PER_CELL * c.r * c.s:
            return (self._permuted(b) for b in range(first, last))
        return self._tables(first, last, wanted)

    def _tables(self, first: int, last: int, wanted: list[Measure]) -> Any:
        """Tables with the margins of the source."""
        c = self.source
        draw = table_sampler(c.a, c.b)
        out = np.stack([draw(self.streams.generator(b)) for b in range(first, last)])
        squares = (out * out).sum(axis=(1, 2)).tolist()
        like = TableInformation(c)
        plain = all(m.statistic is PairCounts for m in wanted)
        for i, square in enumerate(squares):
            n11 = (square - c.n) // 2
            yield (c if plain else _table(out[i], square, like)), n11

    def _permuted(self, b: int) -> tuple[Source, int]:
        """A table of permuted labels."""
        c = self.source
        x, y = np.repeat(c.rows, c.counts), np.repeat(c.cols, c.counts)
        order = self.streams.generator(b).permutation(c.n)
        return _with_pairs(contingency(x, c.r, y[order], c.s))

    def _modelled(self, b: int) -> tuple[Source, int]:
        """A table of two partitions of the model."""
        c, rng = self.source, self.streams.generator(b)
        sizes = [given if side == self.fixed else draw_sizes(self.model, given, c.n, rng)
                 for side, given in (("x", c.a), ("y", c.b))]
        a, b_sizes = (s[s > 0].astype(np.int64) for s in sizes)
        r, s = a.shape[0], b_sizes.shape[0]
        if c.n >= _OBJECTS_PER_CELL * r * s:
            return _with_pairs(contingency_from_table(table_sampler(a, b_sizes)(rng)))
        if c.n > MOST_PERMUTED:
            raise ClusteringError(f"partitions of {c.n} objects into {r} and {s} clusters have no "
                                  f"table that fits; at most {MOST_PERMUTED} objects are drawn")
        x = np.repeat(np.arange(r), a)
        y = rng.permutation(np.repeat(np.arange(s), b_sizes))
        return _with_pairs(contingency(x, r, y, s))


def _with_pairs(table: Contingency) -> tuple[Contingency, int]:
    return table, (table.squares - table.n) // 2


def _table(table: np.ndarray, squares: int, like: TableInformation) -> Contingency:
    """A drawn table with the margins of the table of `like`."""
    c = like.table
    found = Contingency(n=c.n, r=c.r, s=c.s, a=c.a, b=c.b, n_cells=int(np.count_nonzero(table)),
                        squares=squares, table=table)
    found.keep(Information, TableInformation(found, like))
    return found


# -- all tables -------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Law:
    """The exact law of one number: values, pairs together in both (or None), probabilities."""

    values: np.ndarray
    pairs: list[int] | None
    chances: list[Fraction]


def exact_laws(source: Contingency, wanted: Wanted, max_tables: float) -> list[Law]:
    """One law for each number of each measure."""
    if all(get_measure(name).of_sums for name, _ in wanted):
        return [law for name, options in wanted
                for law in _law(source, get_measure(name), options, max_tables)]
    rows: list[list[float]] = []
    chances: list[Fraction] = []
    pairs: list[int] = []
    measures = [(get_measure(name), options) for name, options in wanted]
    with quiet():
        for table, chance in all_tables(source.a, source.b, max_tables):
            found, n11 = _with_pairs(contingency_from_table(table.copy()))
            rows.append([value for m, options in measures
                         for value in values_of(m, options, found, n11)])
            chances.append(chance)
            pairs.append(n11)
    values, at, laws = np.array(rows), 0, []
    for name, options in wanted:
        m = get_measure(name)
        for _ in values_of(m, options, source, None):
            laws.append(Law(values[:, at], pairs if m.linear_in_pairs else None, chances))
            at += 1
    return laws


def _law(source: Contingency, m: Measure, options: dict[str, Any], most: float) -> list[Law]:
    """The law of a formula on a view of sums of phi, from the law of the sum over the cells."""
    assert m.statistic is not None
    assert m.formula is not None
    phi, a, b = m.statistic.phi, source.a, source.b
    law = source.kept(("law of sums", phi, most),
                      lambda: law_of_sums(a, b, phi.whole, most))
    given, pairs = m.of_formula(options), None
    with quiet():
        if phi is SQUARE:
            p = source.statistic(PairCounts)
            pairs = [(total - source.n) // 2 for total in law]
            rows = [as_row(m.listed_value(m.formula(p.with_n11(n11), **given))) for n11 in pairs]
        else:
            of_x, of_y = (np.full(len(law), math.fsum(phi.values(v).tolist())) for v in (a, b))
            sums = Sums(n=source.n, cells=phi.unit * np.array([float(total) for total in law]),
                        rows=of_x, columns=of_y, sizes=(a, b))
            rows = m.formula(m.statistic.from_sums(sums), **given)[:, None].tolist()
    return [Law(np.array(column), pairs if m.linear_in_pairs else None, list(law.values()))
            for column in zip(*rows)]


# -- moments ----------------------------------------------------------------------------------
def moments_of(source: Contingency, name: str, options: dict[str, Any]
               ) -> tuple[float, float, float, float, float, float]:
    """Mean, sd and skewness of a linear measure; chances of as many pairs, and of as few; z.

    z comes from n11 and its mean, a fraction: values of 1e9 objects are nearer to their mean than
    floats tell apart.
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


__all__ = ["Law", "RandomTables", "Wanted", "as_row", "exact_laws", "moments_of"]
