"""The transport problem and the registry of algorithms that solve it.

A problem is two sides of independent random label sets, a base distance and limits. An algorithm is
one function under ``@solver(...)`` in a module of this package; its name is that of the function.
`plan.PLAN` assigns it to kinds, bases and ends; that table, the documentation page and the tests
read its record.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, TypeVar

import numpy as np

from ..._checks import ClusteringError, shown
from ...clusterings import Clustering, RoughClustering
from ...clusterings.focal import MassTable

T = TypeVar("T")

#: the order of the simplest kinds: the first argument of a problem has the simpler one
SIMPLEST = ("hard", "rough", "fuzzy", "evidential")
#: label sets are bit masks of one signed word
MAX_MASK_LABELS = 62
#: the name of biased draws
NESTED = "nested sampling"


class RandomSide:
    """One clustering as independent random non-empty label sets, one per object (eq. 11).

    `kind` is the simplest kind that fits the *content*: memberships that are all 0 or 1 are hard,
    masses on one set per object rough, masses on single labels fuzzy; "evidential" also stands for
    possibilistic. Rows that sum to 1 only within 1e-8 are divided by their sum, so that every
    algorithm works with probabilities.
    """

    def __init__(self, clustering: Clustering) -> None:
        self.clustering = clustering
        self.given_kind = clustering.kind
        self.n = clustering.n_objects
        table = clustering.mass_table()
        if not (table.logical or table.nonempty.size):
            # Rows that sum to 1, so that no bound counts missing mass as a distance.
            sums = table.mass.sum(axis=1, keepdims=True)
            if (sums != 1.0).any():
                table = replace(table, mass=table.mass / sums)
        self.table: MassTable = table
        self.c = _width(clustering, table)
        if table.logical:
            self.kind = "hard" if bool(table.single[table.certain()].all()) else "rough"
        else:
            self.kind = "fuzzy" if table.all_single else "evidential"

    @cached_property
    def sets(self) -> np.ndarray:
        """The distinct sets that occur, (f, c) bool."""
        sets = np.zeros((self.table.n_sets, self.c), dtype=bool)
        listed = self.table.sets[:, :self.c]   # columns beyond the labels in use are empty
        sets[:, :listed.shape[1]] = listed
        return sets

    @cached_property
    def mass(self) -> np.ndarray:
        """Mass of each object on each of `sets`, (n, f) float64, C order."""
        return np.ascontiguousarray(self.table.dense())

    @cached_property
    def code(self) -> np.ndarray:
        """Hard or rough: position in `sets` of the set of each object, (n,) int64."""
        return self.table.certain()

    @cached_property
    def labels(self) -> np.ndarray:
        """Hard: the label of each object, (n,) int64."""
        single = self.table.clusters if self.table.all_single else self.sets.argmax(axis=1)
        return np.ascontiguousarray(single[self.code].astype(np.int64))

    @cached_property
    def membership(self) -> np.ndarray:
        """Hard or fuzzy: probability of each label, (n, c) float64, C order."""
        membership = np.zeros((self.n, self.c))
        single = self.table.clusters if self.table.all_single else self.sets.argmax(axis=1)
        membership[:, single] = self.mass
        return membership

    def nested(self) -> tuple[np.ndarray, list[RandomSide]]:
        """Masses and rough clusterings of typicalities cut at one level for all objects.

        Normalised typicalities, so that no set is empty; a hard or rough side is one of mass 1.
        """
        if self.kind in ("hard", "rough"):
            return np.ones(1), [self]
        if self.given_kind != "possibilistic":
            raise ClusteringError(f"a side is {self.given_kind}, whose objects draw independently; "
                                  "possibilistic='nested' needs hard, rough or possibilistic sides")
        degrees = self.clustering.plausibility()
        levels = np.unique(degrees[degrees > 0.0])[::-1]
        sides = [RandomSide(RoughClustering.from_upper(degrees >= level)) for level in levels]
        for side in sides:
            side.c = self.c
        return -np.diff(levels, append=0.0), sides


def _width(clustering: Clustering, table: MassTable) -> int:
    """One more than the largest label in use; later labels are irrelevant."""
    if table.all_single:
        return int(table.clusters.max()) + 1
    return int(np.flatnonzero(table.listed.any(axis=0)).max()) + 1


class LimitReached(Exception):
    """A limit was hit; `status` names it. Solvers catch it and return the bounds proved so far."""

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


def status_of(stop: BaseException) -> str:
    """The status after a limit or Ctrl-C."""
    return stop.status if isinstance(stop, LimitReached) else "cancelled"


@dataclass(kw_only=True)
class Limits:
    """Limits on the work of solvers, checked between slices of at most 50 ms.

    Attributes
    ----------
    max_states : int
        States (of counts, of enumerations) that an exact solver may build; predicted beforehand.
    max_nodes : int
        Nodes of one branch and bound.
    tol : float
        Width of a certificate, of the final value in [0, 1], that is narrow enough.
    deadline : float
        `time.monotonic()` at which work stops; inf without a time limit.
    report : callable
        ``report(fraction, text)`` returns False to cancel; fraction nan when unknown.
    """

    max_states: int = 2_000_000
    max_nodes: int = 10_000_000
    tol: float = 1e-6
    deadline: float = math.inf
    report: Callable[[float, str], object] | None = None

    def check(self, fraction: float = math.nan, text: str = "") -> None:
        """Raise `LimitReached` when time is up or progress cancels."""
        if time.monotonic() >= self.deadline:
            raise LimitReached("time_limit")
        if self.report is not None and self.report(fraction, text) is False:
            raise LimitReached("cancelled")

    def too_many(self, states: float, *, at_least: str = "") -> str:
        """Reason why this many states are not built, or ""; a count may exceed floats."""
        if states <= self.max_states:
            return ""
        large = isinstance(states, int) and states >= 10**300
        shown = f"1e{len(str(states)) - 1}" if large else f"{states:.3g}"
        return f"{at_least}{shown} states; max_states is {self.max_states:.3g}"

    def seconds_left(self) -> float:
        """Seconds until the deadline, at least 0; inf without one (for scipy's `milp`)."""
        return max(0.0, self.deadline - time.monotonic())


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """Options of Monte Carlo solvers; `n_draws` None means the default of each method."""

    n_draws: int | None = None
    n_inner: int = 20
    target_se: float | None = None
    level: float = 0.95
    rng: Any = None
    uniforms: np.ndarray | None = None


@dataclass(slots=True, kw_only=True)
class Finding:
    """Result of one solver about one end, proved or estimated, in raw units.

    Raw units are disagreeing pairs ("rand") or moved objects ("partition"). Used as a context
    manager it collects bounds: a limit ends the block and becomes the status; bounds set before are
    kept.

    Attributes
    ----------
    low, high : float
        Deterministic certificate low <= value <= high; equal when exact. The plan cuts it off
        at the ends of the range.
    solver : str
        Its name, which the plan fills in.
    estimate, se : float
        Mean and standard error of unbiased draws; nan without sampling.
    ci : (float, float) or None
        Confidence interval of the estimate.
    n_states, n_nodes, n_draws, n_unsolved : int
        Work done.
    status : str
        "ok" or the limit that was hit: "max_states", "max_nodes", "time_limit", "cancelled".
    note : str
        Reason for this method, or other remarks; may be empty.
    """

    low: float = 0.0
    high: float = math.inf
    solver: str = ""
    estimate: float = math.nan
    se: float = math.nan
    ci: tuple[float, float] | None = None
    n_states: int = 0
    n_nodes: int = 0
    n_draws: int = 0
    n_unsolved: int = 0
    status: str = "ok"
    note: str = ""

    @classmethod
    def exact(cls, value: float, n_states: int = 0) -> Finding:
        """A finding that the end is `value`."""
        return cls(low=value, high=value, n_states=n_states)

    @classmethod
    def integers(cls, low: int, high: int, status: str, **more: Any) -> Finding:
        """Whole bounds; a limit that was hit does not matter when they are equal."""
        return cls(low=float(low), high=float(high), status="ok" if low == high else status,
                   **more)

    def __enter__(self) -> Finding:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        if isinstance(error, LimitReached):
            self.status = error.status
        return isinstance(error, LimitReached)


@dataclass(kw_only=True)
class Problem:
    """Two sides, the simpler first, a base distance and alpha.

    Attributes
    ----------
    x, y : RandomSide
        Padded to the same number `c` of labels; ``SIMPLEST`` orders their kinds.
    base : str
        "rand" or "partition", or the name of another base distance.
    alpha : float
        For the end "value" of two soft sides.
    sampling : Sampling
    reach : (float, float)
        Range of another base distance.
    swapped : bool
        Whether the sides were exchanged.
    """

    x: RandomSide
    y: RandomSide
    base: str
    alpha: float = 0.5
    sampling: Sampling = field(default_factory=Sampling)
    reach: tuple[float, float] = (-math.inf, math.inf)
    swapped: bool = False

    def __post_init__(self) -> None:
        if SIMPLEST.index(self.x.kind) > SIMPLEST.index(self.y.kind):
            self.swapped = not self.swapped
            self.x, self.y = self.y, self.x
        self.x.c = self.y.c = max(self.x.c, self.y.c)
        self._kept: dict[Hashable, Any] = {}

    @property
    def n(self) -> int:
        """Number of objects."""
        return self.x.n

    @property
    def c(self) -> int:
        """Number of labels, the same on both sides (one more than the largest in use)."""
        return self.x.c

    @property
    def kinds(self) -> tuple[str, str]:
        """Simplest kinds, the simpler first: the row of the decision table."""
        return self.x.kind, self.y.kind

    @property
    def point_mass(self) -> bool:
        """True if one coupling exists: a side is hard or rough."""
        return self.x.kind in ("hard", "rough")

    @property
    def one_end(self) -> bool:
        """True if d0 = d1 always: both sides hard or fuzzy."""
        return all(kind in ("hard", "fuzzy") for kind in self.kinds)

    @property
    def most(self) -> int:
        """Raw units of the value 1: n(n-1)/2 pairs, n - 1 moved objects, else 1."""
        return {"rand": self.n * (self.n - 1) // 2, "partition": self.n - 1}.get(self.base, 1)

    @property
    def rounding(self) -> float:
        """Possible rounding error of a certificate, in raw units.

        Sums of n terms, laws of n objects and transports of f by g sets have relative errors of
        about n + f + g rounding units in the worst case; a moved object counts as 1, and as n - 1
        pairs.
        """
        x, y = self.x.table.n_sets, self.y.table.n_sets
        each = self.n if self.base == "rand" else 1
        return 8.0 * self.n * each * (self.n + x + y) * 2.0 ** -53

    @property
    def whole(self) -> bool:
        """True if distances are whole numbers: no random side."""
        return all(kind in ("hard", "rough") for kind in self.kinds)

    def alpha_of(self, end: str) -> float:
        """0 for "lower", 1 for "upper", the problem's alpha for "value"."""
        return {"lower": 0.0, "upper": 1.0, "value": self.alpha}[end]

    def kept(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Cached result of `compute` under `key`, so that ends share work."""
        if key not in self._kept:
            self._kept[key] = compute()
        return self._kept[key]


# -- base distances between two hard clusterings, as functions of label tuples --------------------
Labels = tuple[int, ...]
Distance = Callable[[Labels, Labels], float]


def canonical(labels: Any) -> Labels:
    """Labels numbered by first appearance: equal for equal partitions."""
    names: dict[Any, int] = {}
    return tuple(names.setdefault(label, len(names)) for label in labels)


def base_distance(problem: Problem, base: Any) -> Distance:
    """Raw distance of labellings of both sides for "rand", "partition" or a function of x and y."""
    if base == "rand":
        return disagreeing_pairs
    if base == "partition":
        return moved_objects

    def distance(a: Labels, b: Labels) -> float:
        if problem.swapped:
            a, b = b, a
        value = float(base(np.array(a), np.array(b)))
        if not math.isfinite(value):
            raise ValueError(f"the base dissimilarity is {value} for the labels {list(a)} and "
                             f"{list(b)}; a finite number for every pair is needed")
        return value
    return distance


def disagreeing_pairs(a: Labels, b: Labels) -> float:
    """Pairs together on one side only."""
    table = _table(a, b)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    return float((rows @ rows + columns @ columns - 2 * (table * table).sum()) // 2)


def moved_objects(a: Labels, b: Labels) -> float:
    """Objects outside the best one-to-one matching of clusters."""
    from scipy.optimize import linear_sum_assignment
    table = _table(a, b)
    rows, columns = linear_sum_assignment(table, maximize=True)
    return float(len(a) - table[rows, columns].sum())


def _table(a: Labels, b: Labels) -> np.ndarray:
    r, s = max(a) + 1, max(b) + 1
    return np.bincount(np.array(a) * s + np.array(b), minlength=r * s).reshape(r, s)


# -- A hard or rough side against a random one: what is fixed and what is random ------------------
#: algorithms that list sets of labels, permutations of labels
MAX_SET_LABELS = 8
MAX_ORDER_LABELS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class SideParts:
    """Fixed and random part of each object, with labels renumbered within each side.

    Attributes
    ----------
    fixed : (n,) int64
        Position in `fixed_masks` of the set of each object.
    fixed_sets, random_sets : (G, c1), (f, c2) bool
        Sets of labels.
    mass : (n, f) float64
        Probabilities of the random sets.
    n_labels : int
        Labels of the side that uses more.
    hard : str
        The part that is always a single label: "fixed", "random", "both" or "".
    """

    fixed: np.ndarray
    fixed_sets: np.ndarray
    random_sets: np.ndarray
    mass: np.ndarray
    n_labels: int
    hard: str

    @property
    def n(self) -> int:
        return int(self.fixed.shape[0])

    @property
    def fixed_masks(self) -> np.ndarray:
        """The fixed sets as bit masks, (G,) int64; at most 62 labels."""
        return as_masks(self.fixed_sets)

    @property
    def random_masks(self) -> np.ndarray:
        """The random sets as bit masks, (f,) int64; at most 62 labels."""
        return as_masks(self.random_sets)


def parts_of(problem: Problem) -> SideParts:
    """The parts of a problem whose first side is hard or rough; kept."""
    return problem.kept("parts", lambda: _parts(problem))


def _parts(problem: Problem) -> SideParts:
    used, fixed = np.unique(problem.x.code, return_inverse=True)
    fixed_sets, random_sets = (sets[:, sets.any(axis=0)]
                               for sets in (problem.x.sets[used], problem.y.sets))
    hard = {(True, True): "both", (True, False): "fixed", (False, True): "random",
            (False, False): ""}[problem.x.kind == "hard", problem.y.kind == "fuzzy"]
    return SideParts(fixed=np.ascontiguousarray(fixed.reshape(-1).astype(np.int64)),
                 fixed_sets=fixed_sets, random_sets=random_sets, mass=problem.y.mass,
                 n_labels=max(fixed_sets.shape[1], random_sets.shape[1]), hard=hard)


def as_masks(sets: np.ndarray) -> np.ndarray:
    """Rows of booleans as bit masks; at most 62 columns."""
    return (sets.astype(np.int64) << np.arange(sets.shape[1], dtype=np.int64)).sum(axis=1)


def used_labels(problem: Problem) -> int:
    """Labels of the side that uses more (cheaper than `parts_of`, any number of labels)."""
    return problem.kept("used labels", lambda: max(
        int(problem.x.sets[np.unique(problem.x.code)].any(axis=0).sum()),
        int(problem.y.sets.any(axis=0).sum())))


def few_labels(problem: Problem, max_labels: int) -> str:
    """Reason why an algorithm that lists sets of labels does not fit, or ""."""
    c = used_labels(problem)
    return "" if c <= max_labels else f"{c} labels; at most {max_labels}"


def group_mass(parts: SideParts) -> np.ndarray:
    """Mass by fixed and random set, (G, f)."""
    return np.stack([np.bincount(parts.fixed, parts.mass[:, k], len(parts.fixed_sets))
                     for k in range(len(parts.random_sets))], axis=1)


# -- progress of long transport problems: what users give, as what `Limits` asks ------------------
Report = Callable[[float, str], object]


@contextmanager
def reporting(progress: Any) -> Iterator[Report | None]:
    """Make a report function from True (a tqdm bar), a function (fraction, text), False or None."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        from tqdm import tqdm
        with tqdm(total=100, unit="%", leave=False,
                  bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}") as bar:
            def update(fraction: float, text: str) -> None:
                bar.set_description_str(text or "transport", refresh=False)
                bar.n = 0 if math.isnan(fraction) else round(100 * fraction)
                bar.refresh()
            yield update
    elif callable(progress):
        yield progress
    else:
        raise TypeError(f"progress is {shown(progress)}; True, False, None or a function "
                        "(fraction, text) is needed")


# -- the registry of algorithms -------------------------------------------------------------------
GUARANTEES = ("exact", "certificate", "unbiased")

Solve = Callable[[Problem, str, Limits], Finding]


@dataclass(frozen=True, slots=True, kw_only=True)
class Solver:
    """One algorithm.

    Attributes
    ----------
    name : str
        Name that says what it does, such as "box_search".
    guarantee : str
        "exact": low = high unless a limit is hit. "certificate": proved bounds.
        "unbiased": draws with exact inner solutions, a standard error, no proof.
    cost : str
        Time in n objects, c labels and so on.
    fits : callable
        ``fits(problem, limits)`` returns "" when the algorithm applies to this problem and
        fits its limits, else the reason in words ("3e+09 states; max_states is 2e+06").
    cheap : callable
        Whether `compare()` may run it by default (about 50 ms).
    function : callable
        ``function(problem, end, limits) -> Finding``; `end` is "lower" (alpha 0), "upper"
        (alpha 1) or "value" (the alpha of two soft sides; "monte_carlo" also offers it for
        point masses, from the same draws).
    meaning : str
        First line of its docstring.
    """

    name: str
    guarantee: str
    cost: str
    fits: Callable[[Problem, Limits], str]
    cheap: Callable[[Problem], bool]
    function: Solve
    meaning: str


_SOLVERS: dict[str, Solver] = {}


def always(problem: Problem, limits: Limits) -> str:
    """The algorithm fits every problem of its row."""
    return ""


def solver(guarantee: str, *, cost: str, fits: Callable[[Problem, Limits], str] = always,
           cheap: Callable[[Problem], bool] = lambda problem: False,
           ) -> Callable[[Solve], Solve]:
    """Register the decorated function as an algorithm; see `Solver`."""
    assert guarantee in GUARANTEES

    def register(function: Solve) -> Solve:
        name = function.__name__
        assert name not in _SOLVERS, f"solver {name} is registered twice"
        _SOLVERS[name] = Solver(
            name=name, guarantee=guarantee, cost=cost, fits=fits, cheap=cheap, function=function,
            meaning=(function.__doc__ or "").strip().split("\n")[0])
        return function
    return register


def solvers() -> dict[str, Solver]:
    """All algorithms by name; imports the modules of this package once."""
    _import_all()
    return _SOLVERS


@cache
def _import_all() -> None:
    package = importlib.import_module(__package__)
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{__package__}.{module.name}")
