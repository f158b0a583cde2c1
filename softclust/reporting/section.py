"""Parts of a section of a report: records and what the template turns into HTML."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ..results.text import counting_from
from . import words as w

if TYPE_CHECKING:
    from ..results.summary import SummaryTable
    from .data import Objects
    from .record import Report
    from .run import Work


class Block:
    """A piece of a section; the macro `show` of the template writes it."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """Name in the template."""
        return type(self).__name__.lower()


@dataclass(frozen=True, slots=True)
class Prose(Block):
    """A paragraph for each text, or a list: style "", "lead", "missing" or "bullets"."""

    texts: Sequence[str]
    style: str = ""


@dataclass(frozen=True, slots=True)
class Heading(Block):
    """A heading inside a section."""

    text: str


@dataclass(frozen=True, slots=True)
class KeyValues(Block):
    """Names and what they are."""

    pairs: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Table(Block):
    """A table whose first column names the rows.

    `numbers` are columns that stand at the right; `best` are cells (row, column) in bold.
    """

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str
    numbers: Iterable[int] = ()
    best: Iterable[tuple[int, int]] = ()

    @classmethod
    def of(cls, table: SummaryTable) -> Table:
        """The summary of a record, without its notes."""
        return cls(table.headers, table.rows, table.title,
                   [j for j, side in enumerate(table.aligns) if side == "r" and j])

    def style(self, i: int, j: int) -> str:
        """Classes of the cell in row i (-1: the headers) and column j."""
        return " ".join(["num"] * (j in self.numbers) + ["best"] * ((i, j) in self.best))


@dataclass(frozen=True, slots=True)
class Picture(Block):
    """A chart, drawn by ``draw(ax=)`` in some inches; small, middle or wide on the page.

    The page leaves it out where it was not drawn.
    """

    name: str
    draw: Callable[..., Any]
    alt: str
    caption: str = ""
    size: str = "middle"
    inches: tuple[float, float] = (4.6, 3.6)


@dataclass(frozen=True, slots=True)
class Group(Block):
    """Blocks in a row or a grid (style "row", "figures", "figures curves"), or under a summary."""

    blocks: Sequence[Block]
    style: str = ""
    summary: str = ""


def every(blocks: Iterable[Block]) -> Iterator[Block]:
    """All blocks, also those in groups."""
    for block in blocks:
        yield block
        if isinstance(block, Group):
            yield from every(block.blocks)


# -- the sections of a report: what each computes and shows stands in one class -------------------
# A file in ``reporting/sections/`` with a subclass of `Section` adds a section; so does a class
# in any module that was imported before the report is made.
_REGISTERED: dict[str, type[Section]] = {}
#: turn of sections that are functions
_LAST = 100
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Task:
    """One step of the work: steps are done by `turn`; `name` is for machines."""

    turn: int
    name: str
    title: str
    run: Callable[[], None]


class Section:
    """One section of a report: a title and a list of records.

    Attributes
    ----------
    heading : str
        Its title; "{0.label_name}" is an attribute of the objects.
    needs : str
        Attributes of the objects without which a report leaves it out.
    key : str
        Its id on the page.
    place : int
        Sections stand on the page, and their sentences at its top, in this order.
    turn : int
        When its work is done.
    drawn : int
        When its pictures are drawn.
    pictures : str
        What its pictures show, for the bar on the terminal; empty when it has none.
    step : str
        Title of its one step, `compute`, as in `heading`; empty if it has none, or has `tasks`.
    steps : tuple of str
        Beginnings of the names of tasks whose failure this section tells.

    See Also
    --------
    section : the short form, a function that returns records
    """

    heading: ClassVar[str] = ""
    needs: ClassVar[str] = ""
    key: ClassVar[str] = ""
    place: ClassVar[int] = 0
    turn: ClassVar[int] = 0
    drawn: ClassVar[int] = 0
    pictures: ClassVar[str] = ""
    step: ClassVar[str] = ""
    steps: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        if cls.key:
            _REGISTERED[cls.key] = cls

    def applies(self, objects: Objects) -> bool:
        """Return True if this report has the section."""
        return all(getattr(objects, name) is not None for name in self.needs.split())

    def title(self, objects: Objects) -> str:
        """Its heading."""
        return self.heading.format(objects)

    def compute(self, work: Work) -> None:
        """Put results into ``work.found``."""

    def tasks(self, work: Work) -> Iterable[Task]:
        """Computations: steps that put their results into ``work.found``."""
        if self.step:
            yield Task(self.turn, self.key, self.step.format(work.objects),
                       lambda: self.compute(work))

    def short(self, report: Report) -> Iterable[str]:
        """Its sentences at the top of the page."""
        return ()

    def show(self, report: Report) -> Iterable[Any]:
        """Content of the page, from top to bottom: records, sentences and blocks.

        A record is shown as it prints: the table of its summary, then the notes.
        """
        return ()

    def data(self, report: Report) -> dict[str, Any]:
        """Its keys of the JSON data; also of a report without the section."""
        return {}

    def blocks(self, report: Report) -> list[Block]:
        """The items of `show` as blocks."""
        blocks: list[Block] = []
        told: set[str] = set()   # a note of several records is written once
        with counting_from(1):
            for item in self.show(report):
                if isinstance(item, (str, Block)):
                    blocks.append(Prose([item]) if isinstance(item, str) else item)
                    continue
                table = item.summary()
                blocks += [Table.of(table), Prose([note for note in table.notes
                                                   if note not in told])]
                told.update(table.notes)
        return blocks

    def all_tasks(self, work: Work) -> Iterable[Task]:
        """Computing and drawing."""
        yield from self.tasks(work)
        if self.pictures and work.plan.pictures:
            yield Task(self.drawn, f"picture:{self.key}", f"pictures of {self.pictures}",
                       lambda: work.draw(self))

    def problems(self, report: Report) -> Prose:
        """Steps of this section that failed or were not reached."""
        problems, missed = [], []
        names = (*self.steps, self.key, f"picture:{self.key}")
        for step in report.steps:
            key = step.name.partition(":")[2]
            if (not step.name.startswith(names) or (step.state == "done" and not step.message)
                    or (step.state == "failed" and any(f.key == key and f.failure
                                                       for f in report.fits))):
                continue   # the failure of an algorithm is told where it is described
            if step.state == "not reached":
                missed.append(step.title)
            else:
                what = {"interrupted": "interrupted here", "failed": step.message,
                        "done": f"done, with a warning: {step.message}"}[step.state]
                problems.append(f"{w.capital(step.title)}: {what}.")
        if missed:
            problems.append(f"Not reached before the interruption: {w.both(missed)}.")
        return Prose(problems, "missing")


def section(key: str, title: str, place: int) -> Callable[[F], F]:
    """Make the decorated function a section: it gets the work and returns records.

    They are computed last, and shown one after another; what a record answers in a sentence also
    stands at the top of the page.

    Parameters
    ----------
    key : str
        Id on the page, name of the step, and place of the records in ``report.more``.
    title : str
    place : int
        Place on the page, as in `Section`.

    Returns
    -------
    callable
        A decorator.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> from softclust.reporting.section import forget, section
    >>> @section("strength", "Prediction strength", 35)
    ... def strength(work):
    ...     return [softclust.prediction_strength(work.x, KMeans(n_init=3), n_clusters=[2, 3],
    ...                                           n_splits=5, rng=work.plan.seed)]
    >>> found = softclust.report(softclust.datasets.load_iris().data[::5], n_clusters=3,
    ...                          algorithms="k-means", quick=True, pictures=False)
    >>> [type(record).__name__ for record in found.more["strength"]]
    ['PredictionStrength']
    >>> forget("strength")
    """
    def register(function: F) -> F:
        def short(self: Section, report: Report) -> list[str]:
            answers = [getattr(record, "sentence", getattr(record, "answer", None))
                       for record in report.more.get(key, ())]
            return [answer for answer in answers if isinstance(answer, str)]

        type(key, (Section,), {
            "key": key, "place": place, "steps": (key,), "title": lambda self, objects: title,
            "tasks": lambda self, work: [Task(_LAST, key, title, lambda: work.found["more"].update(
                {key: [*function(work)]}))],
            "short": short, "show": lambda self, report: report.more.get(key, ())})
        return function
    return register


def sections(objects: Objects | None = None) -> list[Section]:
    """All sections in the order of the page, or those of a report on these objects."""
    from . import sections as own
    for module in pkgutil.iter_modules(own.__path__):
        importlib.import_module(f"{own.__name__}.{module.name}")
    every = [cls() for cls in sorted(_REGISTERED.values(), key=lambda cls: (cls.place, cls.key))]
    return every if objects is None else [one for one in every if one.applies(objects)]


def forget(key: str) -> None:
    """Take a section out of the reports that follow."""
    _REGISTERED.pop(key, None)


def in_short(report: Report) -> list[str]:
    """The main findings, one sentence or two each."""
    with counting_from(1):
        return [text for one in sections(report.objects) for text in one.short(report)]
