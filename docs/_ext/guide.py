"""What the guide needs beyond Sphinx: members of our own only, plain text, pages made anew."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

REPLICATIONS = "<!-- vignettes: inserted when the guide is built -->"
NOT_RUN = "*The vignettes have not been run in this checkout: `make vignettes` does it.*"
#: what may be markup inside a line of a docstring: code stays as it is
_CODE = re.compile(r"(``.*?``|`[^`]*`)")


def ours(app: Any, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what scikit-learn, tuples and exceptions add to our classes."""
    if what != "class" or skip:
        return None
    target = obj.fget if isinstance(obj, property) else obj
    if callable(target):
        target = inspect.unwrap(target)
    home = getattr(target, "__module__", None)
    if home is None:
        home = getattr(getattr(target, "__objclass__", None), "__module__", None)
    if home is not None and not home.startswith(("softclust", "r_bridge")):
        return True
    return None


def plain_text(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings write |x| and labels_ as text; reStructuredText would read markup into them."""
    doctest = False
    for i, line in enumerate(lines):
        doctest = line.lstrip().startswith(">>>") or (doctest and bool(line.strip()))
        if not doctest:
            # numpydoc itself escapes the names of parameters (name_ : type).
            name, text = re.fullmatch(r"(\s*[\w, *]+ : )?(.*)", line).groups()
            lines[i] = (name or "") + "".join(part if part.startswith("`") else escaped(part)
                                              for part in _CODE.split(text))


def escaped(text: str) -> str:
    """`text` without substitutions (|x|) and references (name_)."""
    return re.sub(r"(?<=\w)_(?![\w`])", r"\\_", text.replace("|", r"\|"))


def insert_vignettes(app: Any, docname: str, source: list[str]) -> None:
    """Put vignettes/README.md, which `make vignettes` writes, into the page of replications."""
    if REPLICATIONS not in source[0]:
        return
    path = Path(app.srcdir).parent / "vignettes" / "README.md"
    text = adapted(path.read_text(encoding="utf-8")) if path.exists() else NOT_RUN
    source[0] = source[0].replace(REPLICATIONS, text)


def adapted(text: str) -> str:
    """A page of the folder vignettes as a part of another page: no title, no links to files."""
    text = re.sub(r"\A# .*\n", "", text.lstrip())
    return re.sub(r"(?<!!)\[([^\]]*)\]\((?!https?://|#)[^)]*\)", r"\1", text)


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("autodoc-skip-member", ours)
    app.connect("autodoc-process-docstring", plain_text, priority=400)   # before numpydoc
    app.connect("source-read", insert_vignettes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
