"""Docstrings of measures, completed with the sections that `_sections` keeps in one place."""

from __future__ import annotations

import inspect
import re
import textwrap

from ._sections import ARTICLES, LETTERS, PAGES, SECTIONS

#: sections in the order of numpydoc
ORDER = ("", "Parameters", "Returns", "Raises", "Warns", "See Also", "Notes", "References",
         "Examples")


def completed(name: str, doc: str | None, family: str = "") -> str | None:
    """`doc` of the measure called `name` with equation, warning, relatives and articles.

    What the docstring says itself stays; without an entry in `SECTIONS` it stays as it is.
    """
    if doc is None or name not in SECTIONS:
        return doc
    equation, letters, related, articles = SECTIONS[name]
    parts = _parts(inspect.cleandoc(doc))
    parts["Notes"] = "\n\n".join(filter(None, [
        f".. math:: {equation}", textwrap.fill(LETTERS[letters], 95), parts.get("Notes", ""),
        f"Theory: docs/theory/{PAGES[family]}.md." if family in PAGES else ""]))
    if "with a warning" in " ".join(parts.get("Returns", "").split()):
        parts.setdefault("Warns", "UndefinedMeasureWarning\n    If the value is undefined: nan.")
    parts.setdefault("See Also", "\n".join(related))
    if articles:
        parts.setdefault("References", "\n".join(
            textwrap.fill(ARTICLES[key], 95, break_on_hyphens=False) for key in articles))
    return "\n\n".join(f"{title}\n{'-' * len(title)}\n{parts[title]}" if title else parts[title]
                       for title in sorted(parts, key=_place)) + "\n"


def _parts(doc: str) -> dict[str, str]:
    """Title of a section (empty for the beginning) -> its text."""
    pieces = re.split(r"(?:\n\n|\A)(\w[\w ]*)\n-{3,}\n", doc)
    return {"": pieces[0], **dict(zip(pieces[1::2], pieces[2::2]))}


def _place(title: str) -> int:
    """Where a section stands; one that numpydoc does not know, before the notes."""
    return ORDER.index(title if title in ORDER else "See Also")
