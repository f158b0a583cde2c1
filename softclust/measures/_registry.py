"""The registry of measures: what `compare()`, the tables, R and the tests read.

A measure is one public function in a module of this package under ``@measure(...)``; the
decorator records it and returns it untouched. Nothing else is needed: `softclust.<name>`,
`compare()`, the README table, `measures()` and the tests find it here.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import pandas as pd

    from .._joint import Joint

KINDS = ("hard", "rough", "fuzzy", "possibilistic", "evidential")
SENSES = ("agreement", "dissimilarity", "uncertainty")
#: every property that may be claimed; tests/test_properties.py has one checker for each
PROPERTIES = (
    "symmetric", "reflexive", "metric", "pseudo-metric", "separating", "chance-corrected",
    "relabelling-invariant", "monotone-in-alpha", "reduces-to",
)

Bounds = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class RCall:
    """An R call that gives the value of a measure.

    Attributes
    ----------
    code : str
        R expression in x and y (also x_labels, y_membership, ...).
    options : mapping
        Options of the measure under which the numbers are the same; empty for its defaults.
    inexact : float
        How far R's value may be off where R approximates, relative to values above 1.
    """

    code: str
    options: Mapping[str, Any] = field(default_factory=dict)
    inexact: float = 0.0

    @property
    def packages(self) -> tuple[str, ...]:
        """R packages that must be installed for the call, in order."""
        import re
        named = dict.fromkeys(re.findall(r"([A-Za-z][\w.]*)::", self.code))
        return tuple(name for name in named if name not in ("base", "methods", "stats", "utils"))

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"`{self.code}`" + (f" ({options})" if options else "")


F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A property claimed by a measure, with the condition under which it was proved.

    Attributes
    ----------
    name : str
        One of `PROPERTIES`. "metric" and "pseudo-metric" speak of the dissimilarity, or of
        1 - index for an agreement; "separating": the best value only for equal clusterings.
    options : mapping
        Values of options for which it holds; each entry a tuple of values that tests try.
    kinds : tuple of str or None
        Kinds for which it holds (both sides); None: all kinds of the measure.
    max_clusters : int or None
        Holds up to this number of clusters.
    target : str or None
        For "reduces-to": the hard measure it equals on hard input.
    condition : str
        The condition in words, for tables; empty when it holds always.
    """

    name: str
    options: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    kinds: tuple[str, ...] | None = None
    max_clusters: int | None = None
    target: str | None = None
    condition: str = ""

    def __str__(self) -> str:
        text = f"reduces to {self.target}" if self.target else self.name
        return f"{text} ({self.condition})" if self.condition else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One registered measure.

    Attributes
    ----------
    name : str
    function : callable
        ``function(x, y, **options)``, or ``function(x, **options)`` when `arity` is 1.
    family : str
        Module inside `softclust.measures`.
    arity : int
        1 (uncertainty of one clustering) or 2.
    sense : str
        "agreement" (large is alike), "dissimilarity" or "uncertainty".
    kinds : tuple of str
        Kinds that each side may have.
    bounds : (low, high) or callable
        Range; None where unbounded. A callable takes the Joint and returns the pair.
    properties : tuple of Claim
    cost : str
        Time, in n objects, c (r, s) clusters, f focal sets.
    source : str
        The paper and equation.
    r : str or None
        R call in x and y (also x_labels, y_membership, ...) that gives the same number.
    r_calls : tuple of RCall
        That call, then those of other packages or under other options.
    options : tuple of str
        Names of the keyword options.
    in_compare : bool or callable
        Whether `compare()` lists it without being asked; a callable takes the Joint and returns
        why not, "" when it does.
    shown : callable or None
        Makes the float or Interval that `compare()` lists out of a record.
    compare_options : mapping
        Options with which `compare()` calls it.
    by_object : bool
        Whether it is a function of sums over objects, so that copies of an object may count as
        objects when a bootstrap draws them.
    chance : callable or None
        Takes the Joint, and options of the measure on which it depends by keyword; the mean of
        the measure under random permutation of the objects, nan where it takes too long.
    meaning : str
        First line of the docstring.
    """

    name: str
    function: Callable[..., Any]
    family: str
    arity: int
    sense: str
    kinds: tuple[str, ...]
    bounds: Bounds | Callable[[Joint], Bounds]
    properties: tuple[Claim, ...]
    cost: str
    source: str
    r: str | None
    r_calls: tuple[RCall, ...]
    options: tuple[str, ...]
    in_compare: bool | Callable[[Joint], str]
    shown: Callable[[Any], Any] | None
    compare_options: Mapping[str, Any]
    by_object: bool
    chance: Callable[..., float] | None
    meaning: str

    def takes(self, *kinds: str) -> bool:
        """Whether clusterings of these kinds (one per side) are allowed."""
        return len(kinds) == self.arity and all(k in self.kinds for k in kinds)

    def listed(self, joint: Joint) -> bool:
        """Whether `compare()` lists it for these clusterings without being asked."""
        if not self.takes(joint.x.kind, joint.y.kind):
            return False
        return not self.in_compare(joint) if callable(self.in_compare) else self.in_compare

    def range(self, joint: Joint) -> Bounds:
        """Least and largest possible value for these clusterings; None where unbounded."""
        return self.bounds(joint) if callable(self.bounds) else self.bounds


_REGISTRY: dict[str, Measure] = {}


def measure(
    *,
    sense: str,
    kinds: Sequence[str],
    bounds: Bounds | Callable[[Joint], Bounds],
    properties: Sequence[str | Claim] = (),
    cost: str,
    source: str,
    r: str | Sequence[str | RCall] = (),
    in_compare: bool | Callable[[Joint], str] = True,
    shown: Callable[[Any], Any] | None = None,
    compare_options: Mapping[str, Any] | None = None,
    by_object: bool = False,
    chance: Callable[..., float] | None = None,
) -> Callable[[F], F]:
    """Register the decorated function as a measure and return it untouched.

    See `Measure` for the meaning of the arguments. A property is a name or a `Claim`; `r` is one
    R call or several, a text for those under the default options.
    """
    if sense not in SENSES:
        raise ValueError(f"sense={sense!r} is not one of {SENSES}")
    unknown = set(kinds) - set(KINDS)
    if unknown or not kinds:
        raise ValueError(f"kinds={kinds!r}: choose from {KINDS}")
    claims = tuple(Claim(name=p) if isinstance(p, str) else p for p in properties)
    for claim in claims:
        if claim.name not in PROPERTIES:
            raise ValueError(f"property {claim.name!r} is not one of {PROPERTIES}")

    calls = tuple(RCall(each) if isinstance(each, str) else each
                  for each in ([r] if isinstance(r, str) else r))

    def register(function: F) -> F:
        name = function.__name__
        if name in _REGISTRY:
            raise ValueError(f"measure {name!r} is registered twice")
        parameters = inspect.signature(function).parameters.values()
        positional = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
        if positional not in (["x"], ["x", "y"]):
            raise TypeError(f"measure {name!r} must take (x) or (x, y), then keyword options")
        _REGISTRY[name] = Measure(
            name=name, function=function, family=function.__module__.rpartition(".")[2],
            arity=len(positional), sense=sense, kinds=tuple(k for k in KINDS if k in kinds),
            bounds=bounds, properties=claims, cost=cost, source=source,
            r=next((call.code for call in calls if not call.options), None), r_calls=calls,
            options=tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY),
            in_compare=in_compare if len(positional) == 2 else False, shown=shown,
            compare_options=MappingProxyType(dict(compare_options or {})), by_object=by_object,
            chance=chance,
            meaning=(inspect.getdoc(function) or "").split("\n", 1)[0].rstrip("."),
        )
        return function

    return register


def registry() -> Mapping[str, Measure]:
    """All measures by name, in the order of families (alphabetical) and of their definition."""
    _import_families()
    # Sorted, because a module may have been imported before its turn.
    return MappingProxyType(dict(sorted(_REGISTRY.items(), key=lambda item: item[1].family)))


@functools.cache
def _import_families() -> None:
    """Import every module of measures; looking through the folder costs more than the rest."""
    package = importlib.import_module(__package__ or "")
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        if not module.startswith("_"):
            importlib.import_module(f"{__package__}.{module}")


def get_measure(name: str) -> Measure:
    """The registered measure called `name`.

    Parameters
    ----------
    name : str
        Its name; common abbreviations (``"ARI"``) and clue's names (``"cRand"``) are understood.

    Returns
    -------
    Measure
        Its record; ``.function`` is the function itself.

    Raises
    ------
    ValueError
        If there is none, or several are called so; the message names the nearest ones.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.get_measure("rand_index").sense
    'agreement'
    """
    from ._names import full_name
    found = registry()
    return found[full_name(name, found)]


def measures() -> pd.DataFrame:
    """All registered measures as a table.

    Returns
    -------
    pandas.DataFrame
        Indexed by name: family, sense, kinds, low, high (None: unbounded, "n, c": depends on the
        clusterings), properties, cost, source, r, meaning.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.measures().loc["rand_index", "sense"]
    'agreement'
    """
    import pandas as pd

    def row(m: Measure) -> dict[str, Any]:
        low, high = ("n, c", "n, c") if callable(m.bounds) else m.bounds
        return {
            "name": m.name, "family": m.family, "sense": m.sense, "kinds": ", ".join(m.kinds),
            "low": low, "high": high, "properties": "; ".join(map(str, m.properties)),
            "options": ", ".join(m.options), "cost": m.cost, "source": m.source, "r": m.r,
            "meaning": m.meaning,
        }

    return pd.DataFrame([row(m) for m in registry().values()]).set_index("name")
