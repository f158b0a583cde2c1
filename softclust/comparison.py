"""`compare()`: every measure that suits two clusterings, in one record."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ._checks import ClusteringError, UndefinedMeasureWarning, check_alpha
from ._joint import Joint, as_joint
from ._records import Interval
from ._text import number, range_text
from .measures._registry import KINDS, Measure, get_measure, registry

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from statsmodels.iolib.table import SimpleTable


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedMeasure:
    """One row of a `Comparison`: a measure and what it says.

    Attributes
    ----------
    name : str
        Name of the measure: ``softclust.<name>`` is its function.
    value : float or Interval
        nan when undefined; `note` then says why.
    sense : str
        "agreement" (larger is more alike) or "dissimilarity" (smaller is more alike).
    range : (float, float)
        Least and largest possible value for these clusterings; infinite where unbounded.
    chance : float
        Mean of the measure when the objects of one clustering are permuted at random; nan when
        not known.
    source : str
        The paper and equation.
    note : str
        Warnings of the measure; empty when there were none.
    options : mapping
        Value of each option that shapes the result (``alpha``).
    """

    name: str
    value: float | Interval
    sense: str
    range: tuple[float, float]
    chance: float
    source: str
    note: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Name with its options: ``alpha_rand_index (alpha=0.5)``."""
        if not self.options:
            return self.name
        return f"{self.name} ({', '.join(f'{k}={v}' for k, v in self.options.items())})"

    @property
    def low(self) -> float:
        """Lower end of the interval; the value itself when it is a number."""
        return self.value.low if isinstance(self.value, Interval) else self.value

    @property
    def high(self) -> float:
        """Upper end of the interval; the value itself when it is a number."""
        return self.value.high if isinstance(self.value, Interval) else self.value


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Comparison:
    """Two clusterings compared by several measures; made by `compare`.

    Attributes
    ----------
    rows : tuple of ComparedMeasure
        One a measure. Iterating over the comparison gives them too; ``len()`` counts them.
    names : (str, str)
        What the two clusterings are called.
    kinds : (str, str)
        Their kinds.
    n_objects : int
        Number of objects n.
    n_clusters : (int, int)
        Their numbers of clusters, empty ones included.
    notes : tuple of str
        Every warning that a measure gave, "name: text".

    Examples
    --------
    >>> import softclust as sc
    >>> result = sc.compare([0, 0, 1, 1], [0, 0, 1, 2], measures=["rand_index", "jaccard_index"])
    >>> [(row.name, row.value) for row in result]
    [('rand_index', 0.8333333333333334), ('jaccard_index', 0.5)]
    """

    rows: tuple[ComparedMeasure, ...]
    names: tuple[str, str]
    kinds: tuple[str, str]
    n_objects: int
    n_clusters: tuple[int, int]
    notes: tuple[str, ...]

    def __iter__(self) -> Iterator[ComparedMeasure]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        (a, b), (kind_a, kind_b) = self.names, self.kinds
        return (f"Comparison({a}: {kind_a}, {b}: {kind_b}, n_objects={self.n_objects}, "
                f"{len(self.rows)} measures)")

    def __str__(self) -> str:
        return self.summary().as_text()

    def _repr_html_(self) -> str:
        return self.summary().as_html()

    def value(self, name: str) -> float | Interval:
        """The value of the measure called `name`.

        Parameters
        ----------
        name : str
            A measure of this comparison.

        Returns
        -------
        float or Interval
            nan when the measure is undefined here.

        Raises
        ------
        KeyError
            If the comparison has no such measure; the message lists those it has.

        Examples
        --------
        >>> import softclust as sc
        >>> sc.compare([0, 0, 1, 1], [0, 0, 1, 2]).value("rand_index")
        0.8333333333333334
        """
        for row in self.rows:
            if row.name == name:
                return row.value
        raise KeyError(f"this comparison has no measure {name!r}; it has "
                       + ", ".join(row.name for row in self.rows))

    def summary(self) -> SimpleTable:
        """The comparison as a table to read.

        Returns
        -------
        statsmodels.iolib.table.SimpleTable
            Prints as text; ``.as_html()`` and ``.as_latex_tabular()`` give the other forms.

        Examples
        --------
        >>> import softclust as sc
        >>> print(sc.compare([0, 0, 1, 1], [0, 0, 1, 2], measures="rand_index").summary())
        Comparison of x (hard, 2 clusters) and y (hard, 3 clusters), 4 objects
        ...
        rand_index 0.8333 ...
        """
        from ._summary import NotedTable
        sides = [f"{name} ({kind}, {c} cluster{'s' if c != 1 else ''})" for name, kind, c
                 in zip(self.names, self.kinds, self.n_clusters)]
        return NotedTable(
            [_table_row(row) for row in self.rows],
            ["measure", "value", "range", "chance", "sense"], aligns="lrlrl",
            title=f"Comparison of {sides[0]} and {sides[1]}, {self.n_objects} objects",
            notes=_table_notes(self),
        )

    def to_frame(self) -> pd.DataFrame:
        """The comparison as a data frame.

        Returns
        -------
        pandas.DataFrame
            Indexed by measure: value (nan for an interval or when undefined), low and high (the
            interval; the value twice for a number), sense, range_low, range_high, chance,
            options, source, note.

        Examples
        --------
        >>> import softclust as sc
        >>> sc.compare([0, 0, 1, 1], [0, 0, 1, 2]).to_frame().loc["rand_index", "range_high"]
        np.float64(1.0)
        """
        import pandas as pd
        records = [{
            "measure": row.name,
            "value": math.nan if isinstance(row.value, Interval) else row.value,
            "low": row.low, "high": row.high, "sense": row.sense,
            "range_low": row.range[0], "range_high": row.range[1], "chance": row.chance,
            "options": ", ".join(f"{k}={v}" for k, v in row.options.items()),
            "source": row.source, "note": row.note,
        } for row in self.rows]
        columns = ["measure", "value", "low", "high", "sense", "range_low", "range_high",
                   "chance", "options", "source", "note"]
        return pd.DataFrame(records, columns=columns).set_index("measure")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Chart with one line a measure, each on its own range; see `softclust.plotting`.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If matplotlib is missing; the message says how to install it.
        """
        from .plotting import plot_comparison
        return plot_comparison(self, ax=ax)


def compare(x: Any, y: Any = None, *, measures: str | Iterable[str] | None = None,
            alpha: float | None = None, names: tuple[str, str] = ("x", "y"),
            progress: bool = False) -> Comparison:
    """Compare two clusterings of the same objects by every measure that suits their kinds.

    Parameters
    ----------
    x, y : clustering-like
        Anything `as_clustering` takes, with the same n >= 2 objects. `x` may be a `Joint`, then
        without `y`.
    measures : str or sequence of str, optional
        Names of measures, in the order wanted; by default all that suit both kinds, in the
        order of `softclust.measures()`.
    alpha : float in [0, 1], optional
        Cost of ambiguity relative to an error, for the measures with this option; each
        measure's own default otherwise.
    names : (str, str), optional
        What to call the clusterings in tables and charts.
    progress : bool, optional
        Show a progress bar on stderr while pairs of objects are visited.

    Returns
    -------
    Comparison
        One row a measure: value or interval, sense, range, chance level where known, source.
        Measures that are undefined here (0/0) give nan; the reason is kept in ``notes``.

    Raises
    ------
    ClusteringError
        If the objects differ, or a measure named in `measures` does not take these kinds.
    ValueError
        If a name is unknown (the message has the nearest ones), names a measure of a single
        clustering or one whose result is a record, or `alpha` would have no effect.

    Notes
    -----
    The measures share one `Joint`, so the contingency table and the pass over pairs are paid
    once. Time O(n) for two hard clusterings and for one hard or rough side; O(n^2) for other
    pairs of soft clusterings, in blocks that answer Ctrl-C, with memory O(n).

    Examples
    --------
    >>> import softclust as sc
    >>> species = ["setosa", "setosa", "virginica", "virginica"]
    >>> found = [[0.9, 0.1], [0.8, 0.2], [0.0, 1.0], [0.3, 0.7]]
    >>> result = sc.compare(species, found)
    >>> result
    Comparison(x: hard, y: fuzzy, n_objects=4, ... measures)
    >>> round(result.value("alpha_rand_index"), 4)
    0.7367
    """
    joint = as_joint(x, y)
    called = _check_names(names)
    chosen = _choose(joint, measures)
    given: dict[str, Any] = {}
    if alpha is not None:
        given["alpha"] = check_alpha(alpha)
        if not any("alpha" in m.options for m in chosen):
            raise ValueError("alpha has no effect: none of the measures has this option; leave "
                             "it out or add one, such as 'alpha_rand_index'")
    if progress:
        given["progress"] = True
    rows = []
    for m in chosen:
        row = _evaluate(m, joint, {**m.compare_options,
                                   **{k: v for k, v in given.items() if k in m.options}},
                        asked=measures is not None)
        if row is not None:
            rows.append(row)
    return Comparison(
        rows=tuple(rows), names=called, kinds=(joint.x.kind, joint.y.kind),
        n_objects=joint.n_objects, n_clusters=(joint.x.n_clusters, joint.y.n_clusters),
        notes=tuple(f"{row.name}: {row.note}" for row in rows if row.note),
    )


def _check_names(names: Any) -> tuple[str, str]:
    if isinstance(names, str) or len(tuple(names)) != 2:
        raise ValueError(f"names={names!r}; two names, one for each clustering, are needed")
    a, b = names
    return str(a), str(b)


def _choose(joint: Joint, wanted: str | Iterable[str] | None) -> list[Measure]:
    """The measures to evaluate; those asked for by name must suit both kinds."""
    kinds = (joint.x.kind, joint.y.kind)
    if wanted is None:
        return [m for m in registry().values() if m.arity == 2 and m.listed(joint)]
    listed = [wanted] if isinstance(wanted, str) else list(dict.fromkeys(wanted))
    if not listed:
        raise ValueError("measures is empty; name at least one, or leave it out for all")
    chosen = [get_measure(name) for name in listed]
    for m in chosen:
        if m.arity != 2:
            raise ValueError(f"{m.name} is a measure of one clustering; call "
                             f"softclust.{m.name}(x) for each of them")
        for side, kind in zip("xy", kinds):
            if kind not in m.kinds:
                raise ClusteringError(_unsuitable(m, side, kind))
    return chosen


def _unsuitable(m: Measure, side: str, kind: str) -> str:
    if m.kinds == KINDS[:1]:
        return (f"{m.name} takes hard clusterings; {side} is {kind}: {side}.harden() makes one "
                "by a named rule")
    return (f"{m.name} takes {', '.join(m.kinds)} clusterings; {side} is {kind}: convert it "
            f"by a named rule (such as {side}.to_fuzzy() or {side}.harden()) or leave it out")


def _evaluate(m: Measure, joint: Joint, options: dict[str, Any], *, asked: bool
              ) -> ComparedMeasure | None:
    """One row, or None when the result is a record and was not asked for by name."""
    result, said = _listen(lambda: m.function(joint, **options))
    if m.shown is not None:
        result = m.shown(result)
    if isinstance(result, Interval):
        value: float | Interval = result
    elif isinstance(result, (int, float)) or hasattr(result, "__float__"):
        value = float(result)
    elif asked:
        raise ValueError(f"{m.name} gives a {type(result).__name__}, not a number; call "
                         f"softclust.{m.name}(x, y)")
    else:
        return None
    chance = math.nan
    if (mean := m.chance) is not None:
        # Where the chance level is undefined the measure has said so already.
        chance = float(_listen(lambda: mean(joint))[0])
    low, high = m.range(joint)
    return ComparedMeasure(
        name=m.name, value=value, sense=m.sense,
        range=(-math.inf if low is None else float(low),
               math.inf if high is None else float(high)),
        chance=chance, source=m.source, note="; ".join(said),
        options=_shown_options(m, options),
    )


def _listen(call: Callable[[], Any]) -> tuple[Any, list[str]]:
    """Result of `call` and the warnings it gave.

    "Undefined" warnings are kept for the record. Others, such as a notice of long work, are
    kept and also shown at once by whatever filters the caller has set.
    """
    said: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("always", UndefinedMeasureWarning)
        show = warnings.showwarning

        def keep(message: Warning | str, category: type[Warning], *args: Any,
                 **kwargs: Any) -> None:
            if str(message) not in said:
                said.append(str(message))
            if not issubclass(category, UndefinedMeasureWarning):
                show(message, category, *args, **kwargs)

        warnings.showwarning = keep
        result = call()
    return result, said


def _shown_options(m: Measure, options: dict[str, Any]) -> dict[str, Any]:
    shown = {name: options[name] for name in m.compare_options}
    # A measure shown as an interval over alpha has no alpha to show.
    if "alpha" in m.options and m.shown is None:
        default = inspect.signature(m.function).parameters["alpha"].default
        shown["alpha"] = options.get("alpha", default)
    return shown


# -- the table --------------------------------------------------------------------------------
def _table_row(row: ComparedMeasure) -> list[str]:
    if isinstance(row.value, Interval) and not math.isnan(row.low):
        value = f"[{number(row.low)}, {number(row.high)}]"
    else:
        value = number(row.low)
    chance = "" if math.isnan(row.chance) else number(row.chance)
    return [row.label, value, range_text(*row.range), chance, row.sense]


def _table_notes(comparison: Comparison) -> list[str]:
    notes = ["Agreement: larger is more alike. Dissimilarity: smaller is more alike. Range: least "
             "and largest possible value. Chance: mean when objects are permuted at random, "
             "where known."]
    if any(isinstance(row.value, Interval) for row in comparison.rows):
        notes.append("[a, b]: one end counts ambiguity as error, the other forgives it.")
    return notes + [f"Note: {note}." for note in comparison.notes]
