"""What a section of a report is made of: records that the template turns into HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a section; the macro of its `kind` in the template writes it."""

    kind: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Prose(Block):
    """A paragraph for each text."""

    texts: Sequence[str]
    kind: ClassVar[str] = "prose"


@dataclass(frozen=True, slots=True)
class Lead(Block):
    """The most important sentences, in large letters."""

    texts: Sequence[str]
    kind: ClassVar[str] = "lead"


@dataclass(frozen=True, slots=True)
class Bullets(Block):
    """A list."""

    texts: Sequence[str]
    kind: ClassVar[str] = "bullets"


@dataclass(frozen=True, slots=True)
class Problems(Block):
    """What went wrong."""

    texts: Sequence[str]
    kind: ClassVar[str] = "problems"


@dataclass(frozen=True, slots=True)
class Heading(Block):
    """A heading inside a section."""

    text: str
    kind: ClassVar[str] = "heading"


@dataclass(frozen=True, slots=True)
class Command(Block):
    """A command line."""

    before: str
    text: str
    kind: ClassVar[str] = "command"


@dataclass(frozen=True, slots=True)
class Pairs(Block):
    """Names and what they are."""

    pairs: Sequence[tuple[str, str]]
    kind: ClassVar[str] = "pairs"


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
    kind: ClassVar[str] = "table"

    def style(self, i: int, j: int) -> str:
        """Classes of the cell in row i (-1: the headers) and column j."""
        return " ".join(["num"] * (j in self.numbers) + ["best"] * ((i, j) in self.best))


@dataclass(frozen=True, slots=True)
class Picture(Block):
    """A picture of the report by its name; nothing where it was not drawn."""

    name: str
    alt: str
    caption: str = ""
    size: str = "middle"   # "small", "middle", "wide"
    kind: ClassVar[str] = "picture"


@dataclass(frozen=True, slots=True)
class Pictures(Block):
    """Pictures beside each other."""

    pictures: Sequence[Picture]
    style: str = ""   # "curves" for narrow ones
    kind: ClassVar[str] = "pictures"


@dataclass(frozen=True, slots=True)
class Row(Block):
    """Blocks beside each other where there is room."""

    blocks: Sequence[Block]
    kind: ClassVar[str] = "row"


@dataclass(frozen=True, slots=True)
class Folded(Block):
    """Blocks that open at a click."""

    summary: str
    blocks: Sequence[Block]
    kind: ClassVar[str] = "folded"
