"""Text files of separated columns, read for every command by one function.

pandas converts; errors that it would silently ignore (rows longer or shorter than the header,
empty lines of a single column) are reported here with the line number.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from .._checks import ClusteringError, shown

if TYPE_CHECKING:
    import pandas as pd

#: texts for a missing value outside the id column, where "NA" may be an id
MISSING = ("", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "<NA>")
#: separators that a file of a single column may have used
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
#: maximum number of characters in a cell, as in Python's csv
LONGEST = 131_072
_PACKED: dict[str, Callable[..., Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_OTHER = (".zst", ".7z", ".rar", ".tar", ".tgz", ".xlsx", ".xls", ".ods")


@dataclass(frozen=True, slots=True)
class _Form:
    """Format of the file."""

    path: str
    separator: str
    decimal: str
    header: bool
    columns: list[str]


def plain_suffix(path: str) -> str:
    """The extension without that of compression: .tsv for "a.tsv.gz"."""
    suffixes = [s.lower() for s in Path(path).suffixes]
    if suffixes and (suffixes[-1] in _PACKED or suffixes[-1] == ".zip"):
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def read_text_table(path: str, separator: str | None, header: bool | None, decimal: str
                    ) -> pd.DataFrame:
    """The cells, with the names of the columns; errors name the file.

    `header` None: a first line that is not all numbers is one.
    """
    for name, value in (("separator", separator), ("decimal", decimal)):
        if value is not None and len(value) != 1:
            raise ValueError(f"{name} is {shown(value)}; one character is needed")
    with _explained(path):
        return _read(_form(path, separator, header, decimal))


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Name the file, and what to do, in errors of reading it."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise ClusteringError(
            f"{path} is not text in UTF-8 (it has the byte {error.object[error.start]:#04x}); save "
            "it as CSV in UTF-8, or as parquet with the ending .parquet") from None
    except (OSError, EOFError, RuntimeError, zlib.error, lzma.LZMAError,
            zipfile.BadZipFile) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise   # no such file, no permission: not about the content
        raise ClusteringError(f"{path} cannot be unpacked: {error}") from None
    except csv.Error as error:
        raise ClusteringError(f"{path} cannot be read as a table: {error} (is a quotation mark "
                              "left open?)") from None
    except MemoryError:
        raise ClusteringError(f"{path} does not fit into memory (compressed files grow when they "
                              "are read)") from None


def text_chunks(path: str, separator: str | None, columns: list[str], rows: int
                ) -> Iterator[pd.DataFrame]:
    """Some columns as text, `rows` at a time; the file has a header."""
    with _explained(path):
        form = _form(path, separator, True, ".")
        for name in columns:
            if name not in form.columns:
                raise ClusteringError(f"{path} has no column {name!r}; it has "
                                      + ", ".join(map(repr, form.columns)))
        yield from _parts(form, columns, rows)


def _parts(form: _Form, columns: list[str], rows: int) -> Iterator[pd.DataFrame]:
    import pandas as pd
    width = len(form.columns)
    chosen = sorted({form.columns.index(name) for name in columns})
    last = width - 1 if width > 1 else 0
    # Column `width` has the surplus of long lines; reading only some columns would hide it.
    try:
        with _opened(form.path) as file:
            next(row for row in _rows(file, form.separator) if row and row != [""])
            for frame in pd.read_csv(
                    file, sep=form.separator, header=None, names=range(width + 1),
                    index_col=False, dtype=str,
                    keep_default_na=False, na_values=list(MISSING), chunksize=rows,
                    skip_blank_lines=width > 1):
                if frame[width].notna().any() or (width > 1 and frame[last].isna().any()):
                    _check_widths(form)
                yield frame[chosen].set_axis([form.columns[c] for c in chosen], axis=1)
    except pd.errors.EmptyDataError:
        return
    except pd.errors.ParserError as error:
        _check_widths(form)
        raise ClusteringError(f"{form.path} cannot be read as a table: {error}") from None


@contextmanager
def _opened(path: str) -> Iterator[IO[str]]:
    """The text of a file, uncompressed."""
    suffix = Path(path).suffix.lower()
    if suffix == ".zip":
        with zipfile.ZipFile(path) as folder:
            names = [name for name in folder.namelist() if not name.endswith("/")]
            if len(names) != 1:
                raise ClusteringError(f"{path} contains {len(names)} files; unpack it and name one")
            with folder.open(names[0]) as file:
                yield io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
        return
    with _PACKED.get(suffix, open)(path, "rt", encoding="utf-8-sig", newline="") as file:
        yield file


def _rows(file: IO[str], separator: str) -> Any:
    return csv.reader(file, delimiter=separator, skipinitialspace=False)


def _form(path: str, separator: str | None, header: bool | None, decimal: str) -> _Form:
    if Path(path).suffix.lower() in _OTHER:
        raise ClusteringError(f"{path} is not text; unpack it, or save the table as CSV, .tsv or "
                              ".parquet")
    mark = separator or ("\t" if plain_suffix(path) in (".tsv", ".tab") else ",")
    with _opened(path) as file:
        first = next((row for row in _rows(file, mark) if row and row != [""]), None)
    if first is None:
        raise ClusteringError(f"{path} is empty")
    if header is None:
        count = len(first)
        numbers = [[str(i + start) for i in range(count)] for start in (0, 1)]   # of columns
        if all(map(_is_number, first)) and (count == 1 or first not in numbers):
            raise ClusteringError(f"the first line of {path} has only numbers "
                                  f"({', '.join(first[:4])}{', ...' if count > 4 else ''}): use "
                                  "--header if these are column names, --no-header if they are "
                                  "data")
        header = True
    columns = list(first) if header else [f"column {i}" for i in range(len(first))]
    repeated = columns[1:] if columns[0] == "" else columns   # an index without a name
    if len(set(repeated)) < len(repeated):
        twice = next(c for c in repeated if repeated.count(c) > 1)
        raise ClusteringError(f"{path} has two columns called {twice!r}; make the names distinct")
    if separator is None and len(columns) == 1:
        # Do the first two lines of a file with one column have another separator equally often?
        with _opened(path) as file:
            lines = list(islice((line for line in file if line.strip()), 2))
        for other, meant in _SEPARATORS.items():
            if other == " " and not all(map(_is_number, lines[-1].split())):
                continue   # words of a name
            counts = {line.strip("\r\n").count(other) for line in lines}
            if len(lines) == 2 and len(counts) == 1 and counts != {0}:
                name = "tab" if other == "\t" else other
                raise ClusteringError(f"{path} has one column, {columns[0]!r}: it seems to be "
                                      f"separated by {meant}; if so, use --separator {name!r}")
    return _Form(path, mark, decimal, header, columns)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


# -- cells ------------------------------------------------------------------------------------
def _read(form: _Form) -> pd.DataFrame:
    import pandas as pd
    width = len(form.columns)
    try:
        frame = _converted(form)
    except pd.errors.EmptyDataError:
        return pd.DataFrame(columns=form.columns)
    except pd.errors.ParserError as error:
        _check_widths(form)
        hint = " (a quotation mark is left open)" if "inside string" in str(error) else ""
        raise ClusteringError(f"{form.path} cannot be read as a table: {error}{hint}") from None
    # A column too many has the surplus of rows beyond the header; separators at line ends only do
    # no harm.
    if frame[width].notna().any() or (width > 1 and frame[width - 1].isna().any()):
        _check_widths(form)
    if width > 1 and form.header and form.columns[-1] == "" and frame[width - 1].isna().all():
        width -= 1   # separators at the ends of all lines
    frame = frame.iloc[:, :width].copy()
    for c, dtype in enumerate(frame.dtypes):
        if dtype.kind in "iufb":
            continue
        if frame[c].dtype == object:   # integers beyond 64 bits are text
            frame[c] = frame[c].map(str, na_action="ignore")
        length = frame[c].str.len()
        if length.max() > LONGEST:
            row = int((length > LONGEST).to_numpy().argmax()) + 1
            raise ClusteringError(
                f"{form.path} has a cell of {int(length.max()):,} characters in data row {row} "
                f"(column {form.columns[c]!r}); cells hold {LONGEST:,} at most (is a "
                "quotation mark left open?)")
    if width == 1:
        # Empty lines at the end are ignored; others are empty cells.
        filled = frame[0].notna().to_numpy().nonzero()[0]
        frame = frame.iloc[:int(filled[-1]) + 1 if filled.size else 0]
    return frame.set_axis(pd.Index(form.columns[:width]), axis=1)


def _converted(form: _Form) -> pd.DataFrame:
    """The data as pandas converts them, with one column too many."""
    import pandas as pd
    several = len(form.columns) > 1

    def read(**options: Any) -> pd.DataFrame:
        with _opened(form.path) as file:
            rows = _rows(file, form.separator)
            if form.header:
                next(row for row in rows if row and row != [""])
            return pd.read_csv(file, sep=form.separator, decimal=form.decimal, header=None,
                               names=range(len(form.columns) + 1), index_col=False,
                               keep_default_na=False, skip_blank_lines=several, low_memory=False,
                               **options)

    frame = read(na_values=list(MISSING), dtype={0: str} if several else None)
    # Ids are text: "007" is kept and "NA" is not missing. Missing values for each column cost more.
    if several and frame[0].isna().any():
        frame[0] = read(dtype=str, na_filter=False)[0]
    return frame


def _check_widths(form: _Form) -> None:
    """Raise for the first row that is longer or shorter than the first one."""
    width = len(form.columns)
    with _opened(form.path) as file:
        rows = _rows(file, form.separator)
        for row in rows:
            extra = any(cell != "" for cell in row[width:])
            if row and (len(row) < width or extra) and not (width == 1 and row == [""]):
                what = "column names" if form.header else "cells in the first line"
                raise ClusteringError(
                    f"{form.path} has {len(row)} cell{'s' if len(row) > 1 else ''} in line "
                    f"{rows.line_num} and {width} {what}; every line needs as many "
                    "(is a separator inside a cell that is not quoted?)")
