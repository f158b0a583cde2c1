"""Numbers and names formatted for tables and charts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

#: control characters, turns of the direction of writing, halves of surrogate pairs, non-characters
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


#: values of measures that are nearer to 0 are printed as 0
ROUNDED_ZERO = 1e-13
#: number of the first cluster or object in printed results
_FIRST: ContextVar[int] = ContextVar("_FIRST", default=0)


@contextmanager
def counting_from(first: int) -> Iterator[None]:
    """Print clusters and objects without a name from this number on; R counts from 1."""
    token = _FIRST.set(first)
    try:
        yield
    finally:
        _FIRST.reset(token)


def position(name: Any) -> Any:
    """Return a name as it is printed: positions as their numbers."""
    return name + _FIRST.get() if hasattr(name, "__index__") else name


def visible(text: object) -> str:
    r"""`text` on one line; invisible characters, or those that break a terminal, as \n, \x1b."""
    return _HIDDEN.sub(lambda hidden: hidden.group().encode("unicode_escape").decode("ascii"),
                       str(text))


def number(value: float) -> str:
    """Four decimals, or four significant digits if needed; "undefined" for nan."""
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if value != 0.0 and (abs(value) < 5e-5 or abs(value) >= 1e5):
        return f"{value:.4g}"
    return f"{value:.4f}"


def amount(value: float) -> str:
    """The value of a measure, or a mean of it: what rounding leaves of a 0 is 0."""
    return number(0.0 if abs(value) < ROUNDED_ZERO else value)


def short(value: float) -> str:
    """The end of a range, in as few digits as possible."""
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return f"{value:.4g}"


def both(names: Iterable[Any]) -> str:
    """a; a and b; a, b and c."""
    listed = [str(n) for n in names]
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} and {listed[-1]}"


def range_text(low: float, high: float) -> str:
    """A range such as [0, 1] or [0, inf)."""
    left = "(" if math.isinf(low) else "["
    right = ")" if math.isinf(high) else "]"
    return f"{left}{short(low)}, {short(high)}{right}"


def bounds_text(low: float | str | None, high: float | str | None) -> str:
    """A range as text; None is unbounded, a text names what it depends on."""
    if isinstance(low, str) or isinstance(high, str):
        return f"by {low}"
    left = "(-inf" if low is None else f"[{short(low)}"
    right = "inf)" if high is None else f"{short(high)}]"
    return f"{left}, {right}"


_PEOPLE = re.compile(r"\b(anderson|aone|dongen|fowlkes|frobenius|gordon|jaccard|katz|larsen|"
                     r"mallows|minkowski|powell|rand|vichi|wallace)\b")


def in_words(measure: str) -> str:
    """The name of a measure as sentences and charts write it; options in parentheses stay."""
    name, bracket, options = measure.partition(" (")
    name = _PEOPLE.sub(lambda found: found[0].title(), name.replace("_", " "))
    name = re.sub(r"\b(alpha|Fowlkes|Gordon|Katz|Larsen) (?=[A-Z])", r"\1-", name)
    return name + bracket + options


# -- numbers in sentences -------------------------------------------------------------------------
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def value(v: float, half_width: float = math.nan) -> str:
    """Two decimals; three where limits are narrow, or two would say 1 or 0 and it is not."""
    if math.isnan(v):
        return "undefined"
    fine = half_width < 0.005 or 0.995 <= abs(v) < 1.0 or 0.0 < abs(v) < 0.01
    if 0.9995 <= abs(v) < 1.0:
        return "nearly 1" if v > 0 else "nearly -1"
    if 0.0 < abs(v) < 0.0005:
        return "nearly 0"
    text = f"{v:.{3 if fine else 2}f}"
    return text if float(text) else text.lstrip("-")


def whole(count: int) -> str:
    """1,234."""
    return f"{count:,}"


def small(count: int) -> str:
    """two; 11."""
    return _SMALL[count] if 0 <= count < len(_SMALL) else whole(count)


def many(count: int, what: str) -> str:
    """1 object; 150 objects."""
    return f"{whole(count)} {what}{'' if count == 1 else 's'}"


def percent(share: float) -> str:
    """8 %; 0.4 %; below 0.1 %."""
    p = 100.0 * share
    if p == 0.0 or p == 100.0:
        return f"{p:.0f} %"
    if p < 0.1:
        return "below 0.1 %"
    if p > 99.9:
        return "more than 99.9 %"
    return f"{p:.1f} %" if p < 1.0 or p > 99.0 else f"{p:.0f} %"


def part(count: int, of: int, what: str = "object") -> str:
    """12 of 150 objects (8 %); none of 150 objects; all 150 objects."""
    if count in (0, of):
        return f"{'none of' if count == 0 else 'all'} {many(of, what)}"
    return f"{whole(count)} of {many(of, what)} ({percent(count / of)})"


def capital(text: str) -> str:
    """The text with a large first letter."""
    # k-means begins with a small letter everywhere.
    return text if text.startswith("k-") else text[:1].upper() + text[1:]
