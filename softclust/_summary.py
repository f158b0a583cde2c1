"""Tables to read, as text, HTML, LaTeX or CSV, with notes below: the one place that escapes.

Imported inside functions only, because statsmodels is slow to import.
"""

from __future__ import annotations

import csv
import html
import io
import textwrap
from typing import Any

from statsmodels.iolib.table import Cell, SimpleTable

from ._text import table_text, visible

_LATEX = {"\\": r"\textbackslash{}", "#": r"\#", "$": r"\$", "%": r"\%", "&": r"\&",
          "_": r"\_", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
          "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$", "|": r"$|$"}
_STYLES = {"l": "", "r": ' style="text-align: right"', "c": ' style="text-align: center"'}


class _Cell(Cell):
    """A cell whose header is aligned as the column below it (SimpleTable centres headers)."""

    def alignment(self, output_format: str, **options: Any) -> str:
        if self.datatype != "header":
            return str(super().alignment(output_format, **options))
        aligns = self.row.table.output_formats["txt"]["data_aligns"]
        return str(aligns[1 + next(k for k, cell in enumerate(self.row) if cell is self)])


class NotedTable(SimpleTable):
    """A SimpleTable of strings with a left-aligned title and notes below.

    Names come from users and may hold anything: each format escapes every string (SimpleTable
    leaves out headers).
    """

    title: str

    def __init__(self, data: list[list[str]], headers: list[str], *, title: str = "",
                 notes: list[str] | None = None, aligns: str = "") -> None:
        self.notes = [visible(note) for note in notes or []]
        self._headers = [visible(header) for header in headers]
        self._cells = [[visible(cell) for cell in row] for row in data]
        columns = len(headers)
        self._aligns = aligns or "l" * columns
        super().__init__(
            self._cells, headers=self._headers, title=visible(title), celltype=_Cell,
            datatypes=list(range(1, columns + 1)), data_aligns="l" + self._aligns,
            txt_fmt={"title_align": "l", "colsep": "  ", "table_dec_below": "="})

    def as_text(self, **options: Any) -> str:
        """The table as text, notes wrapped to its width."""
        if not options:
            return table_text(self._cells, self._headers, title=self.title, notes=self.notes,
                              aligns=self._aligns)
        text = str(super().as_text(**options))
        lines = [line.rstrip() for line in text.split("\n")]
        width = max(72, *map(len, lines[1:]))
        for note in self.notes:
            lines += textwrap.wrap(note, width, subsequent_indent="  ")
        return "\n".join(lines)

    def as_csv(self, **options: Any) -> str:
        """The cells as CSV, without title and notes."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self._headers, *self._cells])
        return text.getvalue().rstrip("\n")

    def as_html(self, **options: Any) -> str:
        """The table as HTML, notes as small paragraphs."""
        # MathJax of notebooks leaves these classes alone: "$" in a name starts no formula.
        lines = ['<div class="tex2jax_ignore mathjax_ignore">', '<table class="simpletable">']
        if self.title:
            lines.append(f"<caption>{html.escape(self.title)}</caption>")
        lines += [self._html_row("th", self._headers)]
        lines += [self._html_row("td", row) for row in self._cells]
        lines.append("</table>")
        lines += [f"<p><small>{html.escape(note)}</small></p>" for note in self.notes]
        lines.append("</div>")
        return "\n".join(lines)

    def _html_row(self, tag: str, cells: list[str]) -> str:
        written = (f"<{tag}{_STYLES[side]}>{html.escape(cell)}</{tag}>"
                   for side, cell in zip(self._aligns, cells))
        return f"<tr>{''.join(written)}</tr>"

    def as_latex_tabular(self, center: bool = True, **options: Any) -> str:
        """The table as LaTeX (needs booktabs), title and notes as small lines below."""
        headers = (rf"\textbf{{{escape_latex(header)}}}" for header in self._headers)
        lines = [rf"\begin{{tabular}}{{{self._aligns}}}", r"\toprule", _latex_row(headers),
                 r"\midrule", *(_latex_row(map(_latex_cell, row)) for row in self._cells),
                 r"\bottomrule", r"\end{tabular}"]
        if center:
            lines = [r"\begin{center}", *lines, r"\end{center}"]
        lines += [rf"\par{{\footnotesize {escape_latex(text)}}}"
                  for text in (self.title, *self.notes) if text]
        return "\n".join(lines)


def _latex_row(cells: Any) -> str:
    return " & ".join(cells) + r" \\"


def _latex_cell(cell: str) -> str:
    # After \\ a bracket (and a star) would be an option of the new line.
    return ("{}" if cell[:1] in ("[", "*") else "") + escape_latex(cell)


def escape_latex(data: Any) -> str:
    """`data` as LaTeX text."""
    return "".join(_LATEX.get(character, character) for character in visible(data))
