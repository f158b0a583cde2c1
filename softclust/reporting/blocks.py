"""What a section of a report is made of: records that the template turns into HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class Block:
    """A piece of a section; the macro `show` of the template writes it."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """What the template knows it by."""
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
class Pairs(Block):
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
