"""Quotients that may be 0/0, for one value, for arrays of replicates, and for expressions.

A formula can also be called with expressions instead of numbers: the result is the formula itself,
as SQL or as a ratio of polynomials in sums over the table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from .._checks import warn_undefined


def quotient(over: Any, under: Any, *, name: str, reason: str | Callable[[], str],
             equal: Any = False, at_equal: float = 1.0, zero: float = 0.0,
             undefined: str = "", positive: bool = False) -> Any:
    """over / under; `at_equal` where `equal` holds, nan where |under| <= `zero` otherwise.

    With `positive` it is nan where under <= `zero`.
    A single undefined value warns that measure `name` is undefined for this `reason`, or for
    `undefined` where numerator or denominator are nan already; replicates do not.
    """
    if isinstance(under, Expression):
        return under.divides(over, equal, at_equal, zero, positive)
    if isinstance(under, np.ndarray):
        small = (under if positive else np.abs(under)) <= zero
        value = np.where(small, np.nan, over / np.where(small, 1.0, under))
        return np.where(equal, at_equal, value)
    if equal:
        return at_equal
    if (under if positive else abs(under)) <= zero:
        return warn_undefined(name, reason() if callable(reason) else reason)
    value = over / under
    return warn_undefined(name, undefined) if undefined and value != value else value


def root(value: Any) -> Any:
    """Square root with the bits of `math.sqrt`, for one value and for arrays."""
    return np.sqrt(value) if hasattr(value, "__array_ufunc__") else math.sqrt(value)


def least(first: Any, second: Any) -> Any:
    """The smaller of two, for one value and for arrays; nan stays nan."""
    if hasattr(first, "__array_ufunc__") or hasattr(second, "__array_ufunc__"):
        return np.minimum(first, second)
    return min(first, second)


def largest(first: Any, second: Any) -> Any:
    """The larger of two, for one value and for arrays."""
    return -least(-first, -second)


# -- expressions ------------------------------------------------------------------------------
class Expression(NDArrayOperatorsMixin):
    """A number that is not computed but written down."""

    __slots__ = ()
    __hash__ = None   # type: ignore[assignment]

    def apply(self, function: np.ufunc, *operands: Any) -> Any:
        """The expression of a function of numpy of these operands."""
        raise NotImplementedError

    def divides(self, over: Any, equal: Any, at_equal: float, zero: float, positive: bool) -> Any:
        """over / self as `quotient` defines it."""
        return self.apply(np.divide, over, self)

    def __array_ufunc__(self, function: np.ufunc, method: str, *operands: Any, **_: Any) -> Any:
        return self.apply(function, *operands)

    def __bool__(self) -> bool:
        raise NotImplementedError("the formula needs a value where there is an expression only")


@dataclass(frozen=True, slots=True, eq=False)
class Polynomial(Expression):
    """A polynomial in unknown numbers.

    Attributes
    ----------
    terms : mapping
        Coefficients, exact fractions or floats, of the products of unknowns, each a sorted tuple
        of names; () is the product of none.
    """

    terms: Mapping[tuple[str, ...], Any]

    @classmethod
    def unknown(cls, name: str) -> Polynomial:
        """An unknown number."""
        return cls({(name,): Fraction(1)})

    @classmethod
    def number(cls, value: Any) -> Polynomial:
        """A known number; whole ones are exact."""
        return cls({(): Fraction(int(value)) if isinstance(value, (int, np.integer)) else value})

    @property
    def names(self) -> frozenset[str]:
        """The unknowns."""
        return frozenset(name for product in self.terms for name in product)

    @property
    def degree(self) -> int:
        """Number of factors of the longest product."""
        return max(map(len, self.terms), default=0)

    def coefficient(self, *names: str) -> float:
        """Coefficient of a product; of none: the constant."""
        return float(self.terms.get(tuple(sorted(names)), 0.0))

    def at(self, values: Mapping[str, Any]) -> Any:
        """The value where the unknowns have these values."""
        return sum(float(c) * math.prod(values[name] for name in product)
                   for product, c in self.terms.items())

    def slope(self, name: str) -> Polynomial:
        """The derivative by an unknown."""
        terms: dict[tuple[str, ...], Any] = {}
        for product, c in self.terms.items():
            if name in product:
                k = product.index(name)
                terms[product[:k] + product[k + 1:]] = product.count(name) * c
        return Polynomial(terms)

    def apply(self, function: np.ufunc, *operands: Any) -> Any:
        """Sums, products and ratios."""
        if function in (np.less, np.less_equal, np.equal):   # not the cases of 0/0
            return False
        if function in (np.minimum, np.maximum):
            return _unclamped(function, *operands)
        if any(isinstance(each, Ratio) for each in operands):
            return Ratio.of(self).apply(function, *operands)
        first, *more = (each if isinstance(each, Polynomial) else Polynomial.number(each)
                        for each in operands)
        terms: dict[tuple[str, ...], Any] = {}
        if function in (np.add, np.subtract):
            sign = 1 if function is np.add else -1
            for each, factor in ((first, 1), (more[0], sign)):
                for product, c in each.terms.items():
                    terms[product] = terms.get(product, 0) + factor * c
        elif function is np.negative:
            terms = {product: -c for product, c in first.terms.items()}
        elif function is np.multiply:
            for one, c in first.terms.items():
                for other, d in more[0].terms.items():
                    product = tuple(sorted(one + other))
                    terms[product] = terms.get(product, 0) + c * d
        elif function is np.divide:
            if isinstance(operands[1], Polynomial):
                return Ratio(first, more[0])
            terms = {product: c / more[0].terms[()] for product, c in first.terms.items()}
        else:
            raise NotImplementedError(f"it needs the {function.__name__} of a sum")
        return Polynomial({product: c for product, c in terms.items() if c})


@dataclass(frozen=True, slots=True, eq=False)
class Ratio(Expression):
    """A ratio of polynomials.

    Attributes
    ----------
    over, under : Polynomial
    """

    over: Polynomial
    under: Polynomial

    @classmethod
    def of(cls, value: Any) -> Ratio:
        """A ratio, polynomial or number as a ratio."""
        if isinstance(value, Ratio):
            return value
        return cls(value if isinstance(value, Polynomial) else Polynomial.number(value),
                   Polynomial.number(1))

    def apply(self, function: np.ufunc, *operands: Any) -> Any:
        """Sums, products and ratios."""
        if function in (np.less, np.less_equal, np.equal):
            return False
        if function in (np.minimum, np.maximum):
            return _unclamped(function, *operands)
        first, *more = map(Ratio.of, operands)
        if function is np.negative:
            return Ratio(-first.over, first.under)
        if function in (np.add, np.subtract):
            return Ratio(function(first.over * more[0].under, more[0].over * first.under),
                         first.under * more[0].under)
        if function is np.multiply:
            return Ratio(first.over * more[0].over, first.under * more[0].under)
        if function is np.divide:
            return Ratio(first.over * more[0].under, first.under * more[0].over)
        raise NotImplementedError(f"it needs the {function.__name__} of a ratio")


def _unclamped(function: np.ufunc, first: Any, second: Any) -> Any:
    """The value without the limit that rounding alone could cross: at least 0, or at most 1."""
    limit = 0.0 if function is np.maximum else 1.0
    for value, other in ((first, second), (second, first)):
        if not isinstance(other, Expression) and other == limit:
            return value
    raise NotImplementedError("it needs the larger or the smaller of two sums")
