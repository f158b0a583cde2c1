"""Tables to read: statsmodels' SimpleTable with notes below it.

Imported inside functions only, because statsmodels is slow to import.
"""

from __future__ import annotations

import html
import textwrap
from typing import Any

from statsmodels.iolib.table import Cell, SimpleTable

_LATEX = {"\\": r"\textbackslash{}", "#": r"\#", "$": r"\$", "%": r"\%", "&": r"\&",
          "_": r"\_", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
          "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$", "|": r"$|$"}


class _Cell(Cell):
    """A cell whose header is aligned as the column below it.

    SimpleTable centres headers; in LaTeX that would end the tabular after the header.
    """

    def alignment(self, output_format: str, **options: Any) -> str:
        if self.datatype != "header":
            return str(super().alignment(output_format, **options))
        aligns = self.row.table.output_formats["txt"]["data_aligns"]
        return str(aligns[1 + next(k for k, cell in enumerate(self.row) if cell is self)])


class NotedTable(SimpleTable):
    """A SimpleTable of strings with a left-aligned title and notes below.

    Special characters are escaped in HTML and LaTeX (SimpleTable escapes the first column and
    the header only).
    """

    title: str

    def __init__(self, data: list[list[str]], headers: list[str], *, title: str = "",
                 notes: list[str] | None = None, aligns: str = "") -> None:
        self.notes = list(notes or [])
        columns = len(headers)
        # Data types count from 1: cells of type 0 would be escaped twice in LaTeX.
        super().__init__(
            data, headers=headers, title=title, celltype=_Cell,
            datatypes=list(range(1, columns + 1)), data_aligns="l" + (aligns or "l" * columns),
            txt_fmt={"title_align": "l", "colsep": "  ", "table_dec_below": "="},
            html_fmt={"data_fmts": [_html_cell] * (columns + 1)},
            ltx_fmt={"data_fmts": [escape_latex] * (columns + 1)},
        )

    def as_text(self, **options: Any) -> str:
        """The table as text, notes wrapped to its width."""
        text = str(super().as_text(**options))
        lines = [line.rstrip() for line in text.split("\n")]
        width = max(72, *map(len, lines[1:]))
        for note in self.notes:
            lines += textwrap.wrap(note, width, subsequent_indent="  ")
        return "\n".join(lines)

    def as_html(self, **options: Any) -> str:
        """The table as HTML, notes as small paragraphs."""
        title, self.title = self.title, html.escape(self.title)
        try:
            table = str(super().as_html(**options))
        finally:
            self.title = title
        return "\n".join([table, *(f"<p><small>{html.escape(n)}</small></p>"
                                   for n in self.notes)])

    def as_latex_tabular(self, center: bool = True, **options: Any) -> str:
        """The table as LaTeX (needs booktabs), title and notes as small lines below."""
        title, self.title = self.title, ""
        try:
            table = str(super().as_latex_tabular(center=center, **options))
        finally:
            self.title = title
        return "\n".join([table, *(rf"\par{{\footnotesize {escape_latex(n)}}}"
                                   for n in (title, *self.notes) if n)])


def _html_cell(data: Any) -> str:
    return f"<td>{html.escape(str(data))}</td>"


def escape_latex(data: Any) -> str:
    """`data` as LaTeX text."""
    return "".join(_LATEX.get(character, character) for character in str(data))
