"""Parts of a section of a report: records that the template turns into HTML."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from . import words as w

if TYPE_CHECKING:
    from .data import Objects
    from .drawing import Canvas
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

    def style(self, i: int, j: int) -> str:
        """Classes of the cell in row i (-1: the headers) and column j."""
        return " ".join(["num"] * (j in self.numbers) + ["best"] * ((i, j) in self.best))


@dataclass(frozen=True, slots=True)
class Picture(Block):
    """A picture of the report by its name: small, middle or wide; nothing where there is none."""

    name: str
    alt: str
    caption: str = ""
    size: str = "middle"


@dataclass(frozen=True, slots=True)
class Group(Block):
    """Blocks in a row or a grid (style "row", "figures", "figures curves"), or under a summary."""

    blocks: Sequence[Block]
    style: str = ""
    summary: str = ""


# -- the sections of a report: what each computes, says, draws and shows stands in one class ------
# A file in ``reporting/sections/`` with a subclass of `Section` adds a section; so does a class
# in any module that was imported before the report is made.
_REGISTERED: dict[str, type[Section]] = {}


@dataclass(frozen=True, slots=True)
class Task:
    """One step of the work: steps are done by `turn`; `name` is for machines."""

    turn: int
    name: str
    title: str
    run: Callable[[], None]


class Section(ABC):
    """One section of a report.

    Attributes
    ----------
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
    steps : tuple of str
        Beginnings of names of steps whose failure this section tells.

    Examples
    --------
    A section that counts large values; `title` and `show` alone would do:

    >>> from softclust.reporting.section import Prose
    >>> from softclust.reporting.section import Section, Task, forget
    >>> class Large(Section):
    ...     key, place, turn, steps = "large", 25, 46, ("large",)
    ...     def title(self, objects):
    ...         return "Large values"
    ...     def tasks(self, work):
    ...         def count():
    ...             work.found["more"]["large"] = int((work.x > 2).sum())
    ...         yield Task(self.turn, "large", "large values", count)
    ...     def show(self, report):
    ...         return [Prose([f"{report.more['large']} values are large."])]
    ...     def data(self, report):
    ...         return {"large": report.more.get("large")}
    >>> import softclust
    >>> found = softclust.report(softclust.datasets.load_iris().data[::5], n_clusters=3,
    ...                          algorithms="k-means", quick=True, pictures=False)
    >>> found.to_data()["large"]
    1
    >>> forget("large")
    """

    key: ClassVar[str] = ""
    place: ClassVar[int] = 0
    turn: ClassVar[int] = 0
    drawn: ClassVar[int] = 0
    pictures: ClassVar[str] = ""
    steps: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        if cls.key:
            _REGISTERED[cls.key] = cls

    def applies(self, objects: Objects) -> bool:
        """Return True if this report has the section."""
        return True

    @abstractmethod
    def title(self, objects: Objects) -> str:
        """Its heading."""

    def tasks(self, work: Work) -> Iterable[Task]:
        """Computations: steps that put their results into ``work.found``."""
        return ()

    def draw(self, canvas: Canvas) -> dict[str, str]:
        """Its pictures as SVG, by name."""
        return {}

    def short(self, report: Report) -> Sequence[str]:
        """Its sentences at the top of the page."""
        return ()

    def show(self, report: Report) -> Iterable[Block]:
        """Content of the page, from top to bottom."""
        return ()

    def data(self, report: Report) -> dict[str, Any]:
        """Its keys of the JSON data; also of a report without the section."""
        return {}

    def all_tasks(self, work: Work) -> Iterable[Task]:
        """Computing and drawing."""
        yield from self.tasks(work)
        if self.pictures and work.plan.pictures:
            yield Task(self.drawn, f"picture:{self.key}", f"pictures of {self.pictures}",
                       lambda: work.draw(self))

    def problems(self, report: Report) -> Prose:
        """Steps of this section that failed or were not reached."""
        problems, missed = [], []
        names = (*self.steps, f"picture:{self.key}")
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
    return [text for one in sections(report.objects) for text in one.short(report)]
