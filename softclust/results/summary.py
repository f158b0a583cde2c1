"""Tables to read, as text, HTML, LaTeX or CSV, with notes below: the one place that escapes."""

from __future__ import annotations

import csv
import html
import io
import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .text import visible

if TYPE_CHECKING:
    from great_tables import GT

_LATEX = {"\\": r"\textbackslash{}", "#": r"\#", "$": r"\$", "%": r"\%", "&": r"\&",
          "_": r"\_", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
          "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$", "|": r"$|$"}
_STYLES = {"l": "", "r": ' style="text-align: right"', "c": ' style="text-align: center"'}
#: notes are wrapped to the width of the table, but at least to this
_WIDTH = 72


class _Right(list[str]):
    """Texts of a right-aligned column."""


def right(values: Iterable[Any], form: Callable[[Any], str] | str = str) -> _Right:
    """Make a right-aligned column: values as texts, by a function or a format specification."""
    return _Right(form(v) if callable(form) else format(v, form) for v in values)


class SummaryTable:
    """A table of texts with a title and notes, as returned by `summary()` of a result.

    Names come from users and may contain anything: each format escapes every string.

    Attributes
    ----------
    title : str
    headers : list of str
    rows : list of list of str
        The cells.
    notes : list of str
    aligns : str
        "l" or "r" for each column.

    Examples
    --------
    >>> import softclust
    >>> table = softclust.HardClustering(["a", "b", "a"]).summary()
    >>> table.rows[0]
    ['objects', '3']
    >>> table.as_csv().splitlines()[0]
    'quantity,value'
    """

    __slots__ = ("aligns", "headers", "notes", "rows", "title")

    def __init__(self, rows: Iterable[Iterable[str]], headers: Iterable[str], *, title: str = "",
                 notes: Iterable[str] = (), aligns: str = "") -> None:
        self.title = visible(title).rstrip()
        self.headers = [visible(header) for header in headers]
        self.rows = [[visible(cell) for cell in row] for row in rows]
        self.notes = [visible(note) for note in notes]
        self.aligns = aligns or "l" * len(self.headers)

    @classmethod
    def of(cls, columns: Mapping[str, Iterable[Any]], *, title: str = "",
           notes: Iterable[str] = ()) -> SummaryTable:
        """Make a table from columns: texts left-aligned, whole numbers and `right` right-aligned.

        Parameters
        ----------
        columns : mapping
            From headers to values.
        title : str
        notes : iterable of str

        Returns
        -------
        SummaryTable
        """
        cells, aligns = [], ""
        for values in columns.values():
            values = values if isinstance(values, _Right) else [*values]
            aligns += "r" if isinstance(values, _Right) or all(
                isinstance(v, (int, np.integer)) for v in values) else "l"
            cells.append([str(v) for v in values])
        return cls(zip(*cells), columns, title=title, notes=notes, aligns=aligns)

    def as_text(self) -> str:
        """Return the table as text, with notes wrapped to its width.

        Returns
        -------
        str
        """
        widths = [max(map(len, column)) for column in zip(self.headers, *self.rows)]
        lines = ["  ".join(cell.rjust(width) if side == "r" else cell.ljust(width)
                           for cell, width, side in zip(row, widths, self.aligns)).rstrip()
                 for row in (self.headers, *self.rows)]
        length = sum(widths) + 2 * (len(widths) - 1)
        lines = ["=" * length, lines[0], "-" * length, *lines[1:], "=" * length]
        width = max(_WIDTH, *map(len, lines))
        wrapped = (line for note in self.notes
                   for line in textwrap.wrap(note, width, subsequent_indent="  "))
        return "\n".join([*([self.title] if self.title else []), *lines, *wrapped])

    __str__ = __repr__ = as_text

    def as_csv(self) -> str:
        """Return the cells as CSV, without title and notes.

        Returns
        -------
        str
        """
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([self.headers, *self.rows])
        return text.getvalue().rstrip("\n")

    def as_great_table(self) -> GT:
        """Return the table for great_tables, for further styling; needs the extra ``report``.

        Returns
        -------
        great_tables.GT
            Cells, headers and notes are plain text.

        Raises
        ------
        ImportError
            If great_tables is missing.
        """
        try:
            from great_tables import GT
        except ImportError:
            raise ImportError("as_great_table needs great_tables: pip install "
                              "'softclust[report]'") from None
        import pandas as pd
        keys = [f"column{k}" for k in range(len(self.headers))]
        table = GT(pd.DataFrame(self.rows, columns=keys)).cols_label(dict(zip(keys, self.headers)))
        if self.title:
            table = table.tab_header(self.title)
        table = table.cols_align("right", [key for key, side in zip(keys, self.aligns)
                                           if side == "r"])
        for note in self.notes:
            table = table.tab_source_note(note)
        return table

    def as_html(self) -> str:
        """Return the table as HTML, with notes as small paragraphs.

        Returns
        -------
        str
        """
        # MathJax of notebooks ignores these classes: "$" in a name starts no formula.
        lines = ['<div class="tex2jax_ignore mathjax_ignore">', '<table class="simpletable">']
        if self.title:
            lines.append(f"<caption>{html.escape(self.title)}</caption>")
        lines += [self._html_row("th", self.headers)]
        lines += [self._html_row("td", row) for row in self.rows]
        lines.append("</table>")
        lines += [f"<p><small>{html.escape(note)}</small></p>" for note in self.notes]
        lines.append("</div>")
        return "\n".join(lines)

    _repr_html_ = as_html

    def _html_row(self, tag: str, cells: list[str]) -> str:
        written = (f"<{tag}{_STYLES[side]}>{html.escape(cell)}</{tag}>"
                   for side, cell in zip(self.aligns, cells))
        return f"<tr>{''.join(written)}</tr>"

    def as_latex_tabular(self, center: bool = True) -> str:
        """Return the table as LaTeX (needs booktabs), with title and notes as small lines below.

        Parameters
        ----------
        center : bool
            Centre the table on the page.

        Returns
        -------
        str
        """
        headers = (rf"\textbf{{{escape_latex(header)}}}" for header in self.headers)
        # After \\ a bracket (and a star) would be an option of the new line.
        rows = ((("{}" if cell[:1] in ("[", "*") else "") + escape_latex(cell) for cell in row)
                for row in self.rows)
        lines = [rf"\begin{{tabular}}{{{self.aligns}}}", r"\toprule", _latex_row(headers),
                 r"\midrule", *map(_latex_row, rows),
                 r"\bottomrule", r"\end{tabular}"]
        if center:
            lines = [r"\begin{center}", *lines, r"\end{center}"]
        lines += [rf"\par{{\footnotesize {escape_latex(text)}}}"
                  for text in (self.title, *self.notes) if text]
        return "\n".join(lines)


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"


def escape_latex(data: Any) -> str:
    """`data` as LaTeX text."""
    return "".join(_LATEX.get(character, character) for character in visible(data))
