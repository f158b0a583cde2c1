"""The common parts of results: a summary, frames, broom's verbs, a chart; and the interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, TypeVar, overload

import numpy as np

from .summary import SummaryTable, right
from .text import number, position

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from .._types import FrameLibrary


#: metadata of a field whose values are positions of clusters or objects: R counts them from 1
POSITION = {"position": True}
Getter = TypeVar("Getter", bound=Callable[..., Any])


def of_positions(getter: Getter) -> Getter:
    """Mark the getter of a property whose values are positions, as `POSITION` marks a field."""
    getter.position = True  # type: ignore[attr-defined]
    return getter


class EqualValues:
    """A record that equals another of its class with the same values; nan equals nan.

    Dataclasses compare by `==`, for which nan differs from nan, and arrays have no truth.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self is other or _same_fields(self, other)

    def __hash__(self) -> int:
        values = (getattr(self, f.name) for f in fields(self))   # type: ignore[arg-type]
        return hash((type(self), *(v for v in values if isinstance(v, (str, int, float))
                                   and v == v)))


def _same_fields(a: Any, b: Any) -> bool:
    return all(_same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a) if f.compare)


def _same(a: Any, b: Any) -> bool:
    """Test for equal values; nan equals nan, also in tuples, mappings and arrays."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = np.asarray(a), np.asarray(b)
        return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc" and b.dtype.kind in "fc")
    if isinstance(a, (tuple, list)) and type(a) is type(b):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(_same(value, b[name]) for name, value in a.items())
    if type(a) is type(b) and is_dataclass(a):   # a part of a record
        return a is b or _same_fields(a, b)
    if type(a) is type(b) and hasattr(a, "_restored") and type(a).__eq__ is object.__eq__:
        return a is b or _same(a.__reduce_ex__(2)[1:], b.__reduce_ex__(2)[1:])
    return bool(a == b or (a != a and b != b))


class Storable(EqualValues):
    """A result that is kept as JSON text, which later versions read."""

    __slots__ = ()

    def to_json(self) -> str:
        """Return the result as JSON text; `softclust.results.from_json` reads it.

        Returns
        -------
        str
            All fields, with all digits; nan and arrays included. The format has a version, and
            later versions of softclust read it. A result with clusterings has these, too.

        Raises
        ------
        TypeError
            If a field is an object that is not of softclust, such as a fitted estimator.
        """
        from .kept import to_json
        return to_json(self)


class Valued:
    """A result that is one number, `value`: `float()`, `max()` and `sorted()` take it."""

    __slots__ = ()

    value: float

    def __float__(self) -> float:
        return float(self.value)

    def __lt__(self, other: Any) -> bool:
        return NotImplemented if not hasattr(other, "__float__") else float(self) < float(other)

    def __le__(self, other: Any) -> bool:
        return NotImplemented if not hasattr(other, "__float__") else float(self) <= float(other)

    def __gt__(self, other: Any) -> bool:
        return NotImplemented if not hasattr(other, "__float__") else float(self) > float(other)

    def __ge__(self, other: Any) -> bool:
        return NotImplemented if not hasattr(other, "__float__") else float(self) >= float(other)


class Drawn(Storable):
    """A result with a chart: `.plot()` calls the function of `softclust.plotting` that it names.

    The module is loaded by the call, so results do not need matplotlib.
    """

    __slots__ = ()

    #: name of the function
    _chart: ClassVar[str]

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the result; the function in `softclust.plotting` has the options.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        **options
            Options of that function.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If matplotlib is missing; the message says how to install it.
        """
        chart = getattr(import_module("softclust.plotting"), self._chart)
        drawn: Axes = chart(self, ax=ax, **options)
        return drawn


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a frame, from which `to_frame` of a result is made.

    Attributes
    ----------
    data : mapping
        Values of equal length by column name.
    index : mapping
        The same for the row names: the index in pandas, the first columns elsewhere. Rows are
        numbered if it is empty; the name None stands for an index without a name.
    across : str or None
        Meaning of the columns: in pandas the name of their index.
    """

    data: Mapping[Any, Any]
    index: Mapping[str | None, Any] = field(default_factory=dict)
    across: str | None = None

    @classmethod
    def of_matrix(cls, matrix: np.ndarray, rows: Iterable[Any], columns: Iterable[Any],
                  names: str | None = None, across: str | None = None) -> Columns:
        """The columns of a matrix, with names of rows and columns."""
        return cls({name: matrix[:, k] for k, name in enumerate(columns)}, {names: [*rows]},
                   across)

    def to_native(self, backend: Any = "pandas") -> Any:
        """Make the frame of pandas, or of another package that narwhals supports."""
        if backend == "pandas":
            return self.to_pandas()
        import narwhals as nw
        columns = {"index" if name is None else name: values
                   for name, values in self.index.items()} | dict(self.data)
        return nw.from_dict({str(name): _one_type(values) for name, values in columns.items()},
                            backend=backend).to_native()

    def to_pandas(self) -> pd.DataFrame:
        """Make the pandas frame."""
        import pandas as pd
        index: Any = None
        if len(self.index) == 1:
            [(name, values)] = self.index.items()
            # Tuples remain single names instead of becoming levels.
            index = pd.Index(values if isinstance(values, (np.ndarray, range)) else [*values],
                             name=name, tupleize_cols=False)
        elif self.index:
            index = pd.MultiIndex.from_arrays([[*v] for v in self.index.values()],
                                              names=[*self.index])
        frame = pd.DataFrame(dict(enumerate(self.data.values())), index=index)
        frame.columns = pd.Index([*self.data], name=self.across, tupleize_cols=False)
        return frame


def _one_type(values: Any) -> Any:
    """The values of a column as an array or list of one type, as texts if they have several."""
    if isinstance(values, np.ndarray) and values.dtype != object:
        return np.asarray(values)
    if hasattr(values, "to_numpy"):
        values = values.to_numpy(object, na_value=None)
    values = [v.item() if isinstance(v, np.generic) else v for v in values]
    types = {type(v) for v in values if v is not None}
    if types <= {int, float}:
        return values if len(types) < 2 else [None if v is None else float(v) for v in values]
    return values if types == {str} or types == {bool} else [
        None if v is None else str(v) for v in values]


class Framed(Storable):
    """A result that can be a data frame: `_frame` has its columns, with all digits."""

    __slots__ = ("_library", "_seed")

    #: package of the input frames, if they are not of pandas, and the given seed
    #: (`same_frames`)
    _library: str
    _seed: int

    def _frame(self) -> Columns:
        raise NotImplementedError(f"{type(self).__name__} has no to_frame()")

    @overload
    def to_frame(self, backend: Literal["pandas"]) -> pd.DataFrame: ...

    @overload
    def to_frame(self, backend: FrameLibrary | None = None) -> Any: ...

    def to_frame(self, backend: FrameLibrary | None = None) -> Any:
        """The result as a data frame, with the columns described in the class.

        Parameters
        ----------
        backend : str, optional
            The package of the data frame: "pandas", or another that narwhals supports, such as
            "polars" or "pyarrow". By default that of the frames given as input, or pandas. In
            other packages than pandas the index becomes the first columns.

        Returns
        -------
        data frame
        """
        return self._native(self._frame(), backend)

    def _native(self, columns: Columns, backend: str | None) -> Any:
        return columns.to_native(backend or getattr(self, "_library", "pandas"))


#: columns of `tidy`, besides term and method
_ESTIMATES = ("estimate", "std_error", "conf_low", "conf_high", "p_value")


class Tidied(Framed):
    """A result with estimates, for broom's verbs `tidy` and `glance`.

    A class declares its contents: `_tidy` maps columns of its frame to columns of `tidy`
    ("term=measure estimate=value"; in "term=cluster@" clusters without a name are counted as in
    printed results), `_glance` lists attributes. If that is not enough it has `_estimates` or
    `_whole`.
    """

    __slots__ = ()

    _tidy: ClassVar[str]
    _glance: ClassVar[tuple[str, ...]]

    def _estimates(self) -> Sequence[Mapping[str, Any]]:
        """One row per estimate."""
        frame = self._frame()
        columns = {**frame.index, **frame.data}
        source = dict(part.split("=") for part in self._tidy.split())
        return [dict(zip(source, row)) for row in zip(*(
            map(position, columns[name[:-1]]) if name.endswith("@") else columns[name]
            for name in source.values()))]

    def _whole(self) -> Mapping[str, Any]:
        """The row about the whole result."""
        return {name: getattr(self, name) for name in self._glance}

    def tidy(self, backend: FrameLibrary | None = None) -> Any:
        """Return one row per estimate, with the column names of R's broom package.

        Parameters
        ----------
        backend : str, optional
            The package of the data frame, as in ``to_frame``.

        Returns
        -------
        data frame
            Columns ``term``, ``estimate``, ``std_error``, ``conf_low``, ``conf_high``,
            ``p_value`` (nan if there is none) and ``method``; in between what else tells the rows
            apart.
        """
        rows = self._estimates()
        columns: dict[str, Any] = {"term": [str(row["term"]) for row in rows]}
        columns |= {name: [row[name] for row in rows] for name in (rows[0] if rows else ())
                    if name not in ("term", "method", *_ESTIMATES)}
        columns |= {name: [float(row.get(name, math.nan)) for row in rows] for name in _ESTIMATES}
        columns["method"] = [row.get("method", "") for row in rows]
        return self._native(Columns(columns), backend)

    def glance(self, backend: FrameLibrary | None = None) -> Any:
        """Return one row about the whole result.

        Parameters
        ----------
        backend : str, optional
            The package of the data frame, as in ``to_frame``.

        Returns
        -------
        data frame
        """
        return self._native(Columns({name: [value] for name, value in self._whole().items()}),
                            backend)


class Augmented(Framed):
    """A result with values of objects, for broom's verb `augment`.

    Its frame has one row per object, or it has `_per_object`.
    """

    __slots__ = ()

    #: attribute with the names of the objects
    _objects_named: ClassVar[str] = "object_names"

    def _per_object(self) -> Mapping[str, Any]:
        """Columns of values of objects."""
        return self._frame().data

    def augment(self, backend: FrameLibrary | None = None) -> Any:
        """Return one row per object.

        Parameters
        ----------
        backend : str, optional
            The package of the data frame, as in ``to_frame``.

        Returns
        -------
        data frame
            Column ``object`` has the name of each object (its position if it has none).
        """
        columns = self._per_object()
        names = attrgetter(self._objects_named)(self)
        if names is None:
            names = range(len(next(iter(columns.values()))))
        return self._native(Columns({"object": [*names], **columns}), backend)


class Described(Framed):
    """A result that a paper reports: `_methods` has two sentences without full stops, `_values`
    names, values and what follows them in brackets.
    """

    __slots__ = ()

    def _methods(self) -> tuple[str, str]:
        raise NotImplementedError

    def _values(self) -> list[tuple[str, str, str]]:
        raise NotImplementedError

    def describe(self) -> str:
        """Return sentences for a paper: measures, null model, version and seed, then the values.

        Returns
        -------
        str
            Papers are cited by keys such as [@hubert1985]: first author and year.
        """
        from .. import __version__
        first, second = self._methods()
        seed = getattr(self, "_seed", None)
        values = [f"{name} was {value}" + (f" ({more})" if more else "")
                  for name, value, more in self._values()]
        listed = ", ".join(values[:-1]) + (" and " if values[:-1] else "") + values[-1]
        return (f"{first}. {second} (softclust {__version__} [@softclust]"
                + ("" if seed is None else f", seed {seed}") + f"). The value of {listed}.")


class Record(Framed):
    """A result that prints as its `summary()`, in notebooks as HTML, and can be a data frame.

    `_table` has the columns, title and notes to show, by default those of the frame;
    `SummaryTable` prints them.
    """

    __slots__ = ()

    def _title(self) -> str:
        """First line of the summary."""
        return repr(self)

    def _table(self) -> SummaryTable:
        frame = self._frame()
        columns = {"" if name is None else str(name): values
                   for name, values in (*frame.index.items(), *frame.data.items())}
        return SummaryTable.of({name: right(values, number)
                                if np.asarray(values).dtype.kind == "f" else values
                                for name, values in columns.items()}, title=self._title())

    def summary(self) -> SummaryTable:
        """The result as a printable table.

        Returns
        -------
        SummaryTable
            Prints as text; ``.as_html()``, ``.as_latex_tabular()`` and ``.as_csv()`` give other
            formats.
        """
        return self._table()

    def __str__(self) -> str:
        return self.summary().as_text()

    def _repr_html_(self) -> str:
        return self.summary().as_html()


@dataclass(frozen=True, slots=True, eq=False)
class Interval(EqualValues):
    """A closed interval of values.

    Attributes
    ----------
    low, high : float
        The ends, low <= high; both nan if undefined.

    Examples
    --------
    >>> import softclust
    >>> interval = softclust.Interval(0.25, 0.75)
    >>> interval.width, 0.5 in interval
    (0.5, True)
    """

    low: float
    high: float

    @property
    def width(self) -> float:
        """high - low."""
        return self.high - self.low

    @property
    def middle(self) -> float:
        """(low + high) / 2."""
        return (self.low + self.high) / 2

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __format__(self, spec: str) -> str:
        return f"[{self.low:{spec}}, {self.high:{spec}}]"

    def __round__(self, ndigits: int | None = None) -> Interval:
        return Interval(float(round(self.low, ndigits)), float(round(self.high, ndigits)))


if TYPE_CHECKING:
    # A checker takes them for the first, as `re.Match.group`: the other is rare, and then known.
    Value: TypeAlias = float | Any
    Number: TypeAlias = int | Any
else:
    Value, Number = float | Interval, int | None

