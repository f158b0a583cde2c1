"""Null models of dependent objects: y permuted within strata, or the labels of whole groups."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from .._checks import ClusteringError
from .._warnings import quiet
from ..measures import get_measure
from ..measures.joint import Joint
from ..measures.statistic import Source
from ..tables.contingency import contingency_from_table
from ..tables.parts import part_codes
from ..tables.strata import Strata
from ..tables.table_law import all_tables, table_sampler
from .levels import linear_form
from .null_tables import Law, Wanted, values_of

BOTH_VARY = ("labels of both sides vary within groups: strata=groups tests agreement beyond the "
             "groups; compare(..., groups=, ci='jackknife') gives limits")


# -- strata -----------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class StratifiedTables:
    """All measures on sums of random tables, one for each stratum."""

    strata: Strata
    wanted: Wanted
    streams: Any

    def __call__(self, start: int, stop: int) -> tuple[list[np.ndarray], list[int]]:
        parts = self.strata.parts
        measures = [(get_measure(name), options) for name, options in self.wanted]
        places = []
        for h in range(parts.n_parts):
            table = parts.table(h)
            rows, cols = (np.flatnonzero(table.any(axis=axis)) for axis in (1, 0))
            places.append((np.ix_(rows, cols), table_sampler(table.sum(axis=1)[rows],
                                                             table.sum(axis=0)[cols])))
        values: list[np.ndarray] = []
        pairs: list[int] = []
        with quiet():
            for b in range(start, stop):
                rng = self.streams.generator(b)
                whole = np.zeros((parts.r, parts.s), np.int64)
                for place, draw in places:
                    whole[place] += draw(rng)
                values.append(_evaluated(measures, whole, pairs))
        return values, pairs


def _evaluated(measures: list[Any], table: np.ndarray, pairs: list[int]) -> np.ndarray:
    source = contingency_from_table(table)
    n11 = (source.squares - source.n) // 2
    pairs.append(n11)
    return np.array([value for m, options in measures
                     for value in values_of(m, options, source, n11)])


def stratified_laws(strata: Strata, wanted: Wanted, most: float) -> list[Law]:
    """Exact laws: all tables of each stratum, added."""
    parts = strata.parts
    sums: dict[bytes, Fraction] = {np.zeros((parts.r, parts.s), np.int64).tobytes(): Fraction(1)}
    for h in range(parts.n_parts):
        table = parts.table(h)
        tables = [(found.copy(), chance) for found, chance in
                  all_tables(table.sum(axis=1), table.sum(axis=0), most)]
        if len(tables) * len(sums) > most:
            raise ClusteringError(f"there are more than {most:.0e} sums of tables of the strata; "
                                  'take method="tables", or a larger max_tables')
        after: dict[bytes, Fraction] = defaultdict(Fraction)
        for key, chance in sums.items():
            before = np.frombuffer(key, np.int64).reshape(parts.r, parts.s)
            for found, other in tables:
                after[(before + found).tobytes()] += chance * other
        sums = after
    whole = (np.frombuffer(key, np.int64).reshape(parts.r, parts.s).copy() for key in sums)
    return _laws(whole, list(sums.values()), wanted)


def _laws(tables: Iterator[np.ndarray], chances: list[Fraction], wanted: Wanted) -> list[Law]:
    measures = [(get_measure(name), options) for name, options in wanted]
    pairs: list[int] = []
    with quiet():
        values = np.array([_evaluated(measures, table, pairs) for table in tables])
    linear = [m.linear_in_pairs for m, _ in measures]
    if values.shape[1] != len(measures):   # intervals
        linear = [False] * values.shape[1]
    return [Law(column, pairs if by_pairs else None, chances)
            for column, by_pairs in zip(values.T, linear)]


def stratified_moments(strata: Strata, source: Source, name: str, options: dict[str, Any]
                       ) -> tuple[float, float]:
    """Mean and sd of a measure that is linear in the pairs together in both."""
    low, slope = linear_form(source, get_measure(name), options)
    return low + slope * strata.mean, abs(slope) * math.sqrt(strata.variance)


def within(codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A permutation of the objects within their strata."""
    order = np.empty(codes.shape[0], np.int64)
    keys: Any = (rng.random(codes.shape[0]), codes)
    order[np.argsort(codes, kind="stable")] = np.lexsort(keys)
    return order


# -- groups -----------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class Blocks:
    """Labels of one side, each constant in groups, that are permuted among the groups.

    Attributes
    ----------
    codes : ndarray, shape (n,), int64
        Group of each object.
    labels : ndarray, shape (G,), int64
        Cluster of each group on the side that is permuted.
    side : str
        "x" or "y".
    n_clusters : int
        Of that side.
    other : Clustering
        The side that stays.
    """

    codes: np.ndarray
    labels: np.ndarray
    side: str
    n_clusters: int
    other: Any

    @classmethod
    def of(cls, source: Source, groups: Any) -> Blocks:
        """The side whose labels are constant in groups; y where both are."""
        pair = source.objects
        codes, names = part_codes("groups", groups, pair.n_objects)
        first = np.unique(codes, return_index=True)[1]
        for side, mine, other in (("y", pair.y, pair.x), ("x", pair.x, pair.y)):
            if mine.kind == "hard" and np.array_equal(mine.codes, mine.codes[first][codes]):
                if len(names) < 2:
                    raise ClusteringError(f"all {pair.n_objects} objects are in group "
                                          f"{names[0]!r}; 2 groups are needed to permute them")
                return cls(codes=codes, labels=mine.codes[first].astype(np.int64), side=side,
                           n_clusters=mine.n_clusters, other=other)
        raise ClusteringError(BOTH_VARY)

    def arranged(self, labels: np.ndarray) -> Joint:
        """Both sides when the groups have these labels."""
        from ..clusterings import HardClustering
        mine = HardClustering(labels[self.codes])
        return (Joint.of_checked(self.other, mine) if self.side == "y"
                else Joint.of_checked(mine, self.other))

    def laws(self, wanted: Wanted, most: float) -> list[Law]:
        """Exact laws over all arrangements of the labels."""
        times = Counter(self.labels.tolist())
        count = math.factorial(self.labels.size)
        for number in times.values():
            count //= math.factorial(number)
        if count > most:
            raise ClusteringError(f"there are {count} arrangements of the labels of groups, more "
                                  f'than max_tables={most:.0e}; take method="permutations"')
        measures = [(get_measure(name), options) for name, options in wanted]
        with quiet():
            values = np.array([_values(measures, self.arranged(np.array(labels)))
                               for labels in _arrangements(times, self.labels.size)])
        return [Law(column, None, [Fraction(1, count)] * count) for column in values.T]


@dataclass(frozen=True, kw_only=True)
class PermutedGroups:
    """All measures when the labels of whole groups are permuted."""

    blocks: Blocks
    wanted: Wanted
    streams: Any

    def __call__(self, start: int, stop: int) -> tuple[list[np.ndarray], list[int]]:
        measures = [(get_measure(name), options) for name, options in self.wanted]
        with quiet():
            return [_values(measures, self.blocks.arranged(
                self.streams.generator(b).permutation(self.blocks.labels)))
                for b in range(start, stop)], []


def _values(measures: list[Any], source: Source) -> np.ndarray:
    return np.array([value for m, options in measures
                     for value in values_of(m, options, source, None)])


def _arrangements(times: Counter[int], length: int) -> Iterator[list[int]]:
    """All distinct orders of labels, each as often as `times` says."""
    if not length:
        yield []
        return
    for label in sorted(times):
        if times[label]:
            times[label] -= 1
            for rest in _arrangements(times, length - 1):
                yield [label, *rest]
            times[label] += 1
