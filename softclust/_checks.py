"""Errors, warnings and small checks shared by all public functions.

A message says what was given, what is allowed and what to do.
"""

from __future__ import annotations

import difflib
import functools
import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from numbers import Real
from typing import Any, TypeVar, cast

import numpy as np

from .running.warnings import warn

F = TypeVar("F", bound=Callable[..., Any])

ROW_SUM_TOLERANCE = 1e-8
#: largest number of draws, starts or clusters that is asked for
MOST = 10**9
#: longer messages are cut in the middle: values from users may have any size
MAX_MESSAGE = 2000
#: weights are divided by a power of two if the largest is not between these
LIGHT, HEAVY = 1e-100, 1e100


class ClusteringError(ValueError):
    """An argument is not a clustering of the form that is needed.

    A `ValueError`, so that ``except ValueError`` catches it, too. The message says what was
    given, what is allowed and what to do.

    Examples
    --------
    >>> import softclust
    >>> try:
    ...     softclust.rand_index([0, 0, 1, 1], [0, 0, 1])
    ... except softclust.ClusteringError:
    ...     print("not of the same objects")
    not of the same objects
    """

    __module__ = "softclust"   # shown in imports and tracebacks

    def __init__(self, *arguments: object) -> None:
        super().__init__(*(shortened(a) if isinstance(a, str) else a for a in arguments))


class UndefinedMeasureWarning(UserWarning):
    """A measure is 0/0 for these clusterings; nan was returned.

    The page of each measure says under Returns when this happens. `compare` puts the text in the
    notes of its result instead.
    """

    __module__ = "softclust"


class InexactWarning(UserWarning):
    """A limit on time or size was reached, and the result is not exact.

    Functions that prove bounds return an interval that contains the exact value; see the page of
    each function. A higher limit, such as ``max_states`` or ``time_limit``, may give the exact
    value.
    """

    __module__ = "softclust"


class IncompleteWarning(UserWarning):
    """Part of the work failed or was interrupted; the result has the finished part.

    Ctrl-C in a long computation gives this warning instead of an error if there is a result
    to keep.
    """

    __module__ = "softclust"


def shortened(text: str, max_length: int = MAX_MESSAGE) -> str:
    """`text`, or its beginning and end with the number of characters left out."""
    if len(text) <= max_length:
        return text
    tail = max_length // 4
    head = max_length - tail - 60
    cut = len(text) - head - tail
    return f"{text[:head]} ... ({cut} characters left out) ... {text[len(text) - tail:]}"


def shown(value: Any, max_length: int = 200) -> str:
    """Format a value from the user for messages: its repr, cut to a line or two."""
    try:
        text = repr(value)
    except Exception as error:   # a user's class
        text = f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"
    return shortened(text, max_length)


def warn_undefined(measure: str, reason: str) -> float:
    """Warn that `measure` is undefined because of `reason`; return nan."""
    warn(f"{measure} is undefined: {reason}; nan is returned", UndefinedMeasureWarning,
         stacklevel=2)
    return math.nan


def check_alpha(alpha: Any) -> float:
    """`alpha` as a float in [0, 1]."""
    try:
        value = float(alpha)
    except (TypeError, ValueError):
        raise TypeError(f"alpha must be a number in [0, 1], not {shown(alpha)}") from None
    if not 0.0 <= value <= 1.0:
        raise ClusteringError(f"alpha is {alpha}; a number in [0, 1] is needed")
    return value


def check_whole(name: str, value: Any, minimum: int = 1, *, also: str = "") -> int:
    """`value` as an int >= `minimum`; `also` describes other allowed values.

    Counts (``n_draws``, not ``n_objects``) end at `MOST`: beyond it a loop never ends.
    """
    try:
        whole = (not isinstance(value, (bool, np.bool_, str, np.ndarray))
                 and int(value) == value and value >= minimum)
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole:
        raise ClusteringError(f"{name} is {shown(value)}; a whole number >= {minimum}{also} is "
                              "needed")
    if value > MOST and name.startswith("n_") and name != "n_objects":
        raise ClusteringError(f"{name} is {int(value):.3g}; at most {MOST:,} is possible")
    return int(value)


def check_level(level: Any, *, whole: bool = False) -> float:
    """`level` as a float strictly between 0 and 1; 1 is allowed if `whole`."""
    if (isinstance(level, (bool, np.bool_)) or not isinstance(level, Real)
            or not 0.0 < float(level) <= 1.0 or (level == 1 and not whole)):
        needed = "above 0 and at most 1" if whole else "strictly between 0 and 1"
        raise ClusteringError(f"level is {shown(level)}; a number {needed} is needed")
    return float(level)


def check_significance(significance: Any) -> float:
    """`significance` as a float above 0, at most 1/2."""
    if (isinstance(significance, (bool, np.bool_)) or not isinstance(significance, Real)
            or not 0.0 < float(significance) <= 0.5):
        raise ValueError(f"significance is {shown(significance)}; a number above 0 and at most 0.5 "
                         "is needed: the largest p-value that is evidence, such as 0.05")
    return float(significance)


def finite_array(name: str, value: Any, axes: int) -> np.ndarray:
    """A new array of finite floats with this number of axes, not empty."""
    try:
        array = np.array(value, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise ClusteringError(f"{name} cannot be read as an array of numbers") from None
    if array.ndim != axes or not array.size:
        raise ClusteringError(f"{name} has shape {array.shape}; {axes} axes are needed, none of "
                              "them empty")
    if not (math.isfinite(array.min()) and math.isfinite(array.max())):
        raise ClusteringError(f"{name} has entries that are not finite")
    return array


def check_uniforms(uniforms: Any, shape: tuple[int, ...], why: str) -> np.ndarray:
    """Given random numbers in [0, 1) of this shape."""
    array = finite_array("uniforms", uniforms, len(shape))
    if array.shape != shape:
        raise ClusteringError(f"uniforms has shape {array.shape}; {shape} is needed: {why}")
    if not ((array >= 0.0) & (array < 1.0)).all():
        raise ClusteringError("uniforms must lie in [0, 1)")
    return array


def check_choice(name: str, value: Any, allowed: Iterable[str]) -> str:
    """`value` if it is one of `allowed`."""
    allowed = list(allowed)
    if not isinstance(value, Hashable) or isinstance(value, np.ndarray) or value not in allowed:
        raise ValueError(f"{name}={shown(value)} is not known; choose one of "
                         + ", ".join(repr(a) for a in allowed))
    return value


#: other names of parameters: an unknown keyword suggests the known one
_ALIKE = (("rng", "random_state", "seed"), ("n_starts", "n_init"), ("level", "confidence_level"),
          ("significance", "alpha", "significance_level"),
          ("n_resamples", "n_bootstrap", "n_estimators"))


def named_keywords(function: F) -> F:
    """Decorate a function: an unknown keyword is a TypeError that suggests the nearest one."""
    known = keywords_of(function)

    @functools.wraps(function)
    def checked(*args: Any, **options: Any) -> Any:
        if not known.keys() >= options.keys():
            raise unknown_keyword(function, options)
        return function(*args, **options)

    return cast("F", checked)


def keywords_of(function: Callable[..., Any]) -> dict[str, None]:
    """Names of the parameters, in order."""
    code = function.__code__
    return dict.fromkeys(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount])


def unknown_keyword(function: Callable[..., Any], options: Mapping[str, Any]) -> TypeError:
    """The error for options that the function does not have."""
    known = keywords_of(function)
    name = next(name for name in options if name not in known)
    called = function.__qualname__.removesuffix(".__init__")
    return TypeError(f"{called} has no keyword {name!r}; {near_keyword(name, known)}")


def near_keyword(name: str, known: Iterable[str]) -> str:
    """Suggestion for an unknown keyword: the nearest one, or all."""
    known = [k for k in known if k != "self"]
    if name == "level" and "significance" in known:
        return ("a level is that of confidence intervals; the largest p-value that is evidence is "
                "significance, such as significance=0.05")
    alike = [k for names in _ALIKE if name in names for k in names if k in known]
    near = alike or difflib.get_close_matches(name, known, n=2)
    return (f"did you mean {' or '.join(map(repr, near))}?" if near else
            f"it takes {', '.join(known)}")


def check_weights(weights: Any, n: int, what: str = "objects") -> np.ndarray:
    """`weights` as n finite numbers >= 0, not all of them 0.

    Divided by a power of two, which changes no ratio, if squares or sums of them could overflow or
    underflow.
    """
    try:
        w = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError(f"weights cannot be read as numbers; one number >= 0 for each of "
                              f"the {n} {what} is needed") from None
    if w.shape != (n,):
        raise ClusteringError(f"weights has shape {w.shape}; one number >= 0 for each of the {n} "
                              f"{what} is needed")
    bad = np.flatnonzero(~(np.isfinite(w) & (w >= 0.0)))
    if bad.size:
        raise ClusteringError(f"weights[{bad[0]}] is {w[bad[0]]}; finite numbers >= 0 are needed")
    if not w.any():
        raise ClusteringError("weights are all 0; at least one weight > 0 is needed")
    largest = float(w.max())
    if LIGHT <= largest <= HEAVY:
        return w
    return np.ldexp(w, -math.frexp(largest)[1])


def frozen(array: np.ndarray) -> np.ndarray:
    """`array` marked read-only."""
    array.setflags(write=False)
    return array


def read_only(array: np.ndarray) -> np.ndarray:
    """A read-only view in C order: kernels see one type, whoever owns the numbers."""
    return frozen(np.ascontiguousarray(array)[:])
