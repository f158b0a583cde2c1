"""Estimates of a measure without each object, for limits and for rankings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._records import Interval
from .._warnings import quiet
from ..measures import Measure, ends
from ..measures.limit_rules import LogScale
from ..measures.statistic import Replicates, Source, Statistic
from ..tables.contingency import Contingency, cell_of_objects

#: objects up to which a measure whose statistic has no shortcut is left out object by object: any
#: measure, and one that takes O(n) because it sums over objects
OBJECT_BY_OBJECT, SUMS_OBJECT_BY_OBJECT = 200, 5000
UNDEFINED = "the measure is undefined when some object is left out"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Estimates without an object.

    Attributes
    ----------
    values : ndarray, shape (R, 2)
        Both ends of each estimate.
    times : ndarray, shape (R,)
        How many objects are alike; they sum to n.
    method : str
        How they were made; "" with `reason`.
    of_sample : bool
        Whether they are those of some objects only.
    reason : str
        Why there are none.
    """

    values: np.ndarray
    times: np.ndarray
    method: str = "jackknife"
    of_sample: bool = False
    reason: str = ""

    @classmethod
    def none(cls, reason: str) -> LeftOut:
        """None, and why."""
        return cls(values=np.zeros((0, 2)), times=np.zeros(0, np.int64), reason=reason)

    def standard_errors(self, n: int) -> np.ndarray:
        """Values of both ends, (2,)."""
        if self.of_sample:
            return np.sqrt((n - 1) * self.values.var(axis=0, ddof=1))
        times, (low, high) = self.times.astype(np.float64), np.ascontiguousarray(self.values.T)
        squares = []
        for end in (low,) if np.array_equal(low, high) else (low, high):
            apart = end - times @ end / n
            squares.append(times @ (apart * apart))
        return np.sqrt(np.array(squares * (3 - len(squares))) * ((n - 1) / n))

    def by_object(self, source: Source) -> np.ndarray:
        """The lower ends of all objects in their order, (n,)."""
        if self.times.shape[0] == source.n_objects and not source.both_hard:
            return self.values[:, 0]
        return self.values[cell_of_objects(source.statistic(Contingency), *source.objects.codes), 0]


@dataclass(frozen=True, slots=True)
class Estimated:
    """A measure, or the corrected estimate that its record names, of one source."""

    source: Source
    measure: Measure
    options: Mapping[str, Any]
    rule: LogScale

    @property
    def statistic(self) -> type[Statistic]:
        """What the estimate rests on."""
        found = self.rule.statistic or self.measure.statistic
        assert found is not None
        return found

    def of_statistic(self) -> dict[str, Any]:
        """Options of that statistic."""
        if self.rule.statistic is not None:
            return {}
        given = self.measure.of_statistic(self.options)
        given.pop("progress", None)
        return given

    def value(self, plug_in: float | Interval) -> tuple[float, float]:
        """Both ends of the estimate."""
        if self.rule.formula is None:
            return ends(plug_in)
        found = float(self._formula(self.source.statistic(self.statistic)))
        return found, found

    def floor(self) -> float:
        """Standard deviation when labels are permuted; 0 where there is no floor."""
        if self.rule.floor is None:
            return 0.0
        found = self.source.statistic(self.statistic, **self.of_statistic())
        return self.rule.floor(self.source, found, dict(self.options))

    def left_out(self) -> LeftOut:
        """The estimate without each object; of n objects where it grows with them."""
        found = self._left_out()
        if self.rule.degree is None or found.reason:
            return found
        n = self.source.n_objects
        return replace(found, values=found.values
                       * (n / (n - 1)) ** self.rule.degree(self.options))

    def _left_out(self) -> LeftOut:
        found = self.source.without_each(self.statistic, **self.of_statistic())
        if found is None:
            return self._one_by_one()
        if found.lacking:
            return LeftOut.none(found.lacking)
        values = self.replicated(found)
        if np.isnan(values).any():
            return LeftOut.none(UNDEFINED)
        return LeftOut(values=values, times=found.times, of_sample=found.of_sample,
                       method="jackknife, sampled pairs" if found.of_sample else
                       "jackknife, corrected" if self.rule.corrected else "jackknife")

    def replicated(self, found: Replicates) -> np.ndarray:
        """Both ends of the estimate of each replicate, (R, 2)."""
        with quiet():
            if self.rule.formula is None:
                return self.measure.replicated(found, self.options)
            if found.each is not None:
                value = np.array([self._formula(each) for each in found.each()])
            else:
                value = np.broadcast_to(self._formula(found.statistic), found.times.shape)
        return np.column_stack([value, value]).astype(float, copy=False)

    def _formula(self, found: Any) -> Any:
        assert self.rule.formula is not None
        return self.rule.formula(found, **{name: self.options[name] for name in ("average",)
                                           if name in self.options})

    # -- object by object ---------------------------------------------------------------------
    def _one_by_one(self) -> LeftOut:
        n, sums = self.source.n_objects, self.measure.by_object
        most = SUMS_OBJECT_BY_OBJECT if sums else OBJECT_BY_OBJECT
        if n > most:
            return LeftOut.none(
                f"leaving out each of {n} objects would take {n} evaluations of a measure without "
                f"shortcut (at most {most} are made)" + ('; ci="bootstrap" can' if sums else ""))
        everything = np.arange(n)
        values = self.of_objects(np.delete(everything, i) for i in range(n))
        if np.isnan(values).any():
            return LeftOut.none(UNDEFINED)
        return LeftOut(values=values, times=np.ones(n, np.int64),
                       method="jackknife, object by object")

    def of_objects(self, orders: Iterator[np.ndarray]) -> np.ndarray:
        """Both ends of the measure of each of these lists of objects, (R, 2)."""
        pair, m = self.source.objects, self.measure
        with quiet():
            return np.array([ends(m.listed_value(m.evaluate(pair.subset(order), self.options)))
                             for order in orders])
