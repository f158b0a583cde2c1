"""Additions to Sphinx: only our own members, docstrings as plain text, links, inserted pages."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from public_options import add_choices
from sphinx import addnodes

#: a page from outside docs, and what stands there when it does not exist
INSERTED = re.compile(r"<!-- insert (\S+) else:?(.*?)-->", re.DOTALL)
#: what may be markup inside a line of a docstring: code stays as it is
_CODE = re.compile(r"(``.*?``|`[^`]*`)")
#: a short piece of code in a page; a formula and what follows it without a space
_SHOWN = re.compile(r'(<span class="pre">)([^<]+)(</span>)')
_FOLLOWED = re.compile(r"(<math(?:(?!</math>).)*</math>)([.,;:)?!]+)", re.DOTALL)
#: where a name may go on in the next line, how long a piece may be that does not break, and how
#: long a name may be that is a line of text on a phone
_PLACES = re.compile(r"(?<=\w[_(=/])(?=[&\w])|(?<=[A-Za-z][.])(?=[A-Za-z])|(?<=[a-z])(?=[A-Z])")
_PIECE, _LINE = 24, 36
#: a page of the guide that a docstring cites
_PAGE = re.compile(r"docs/([\w/-]+)\.md")
#: an initial that begins a line, as of an author; authors at the beginning; the end of an article
_INITIAL = re.compile(r"\A(\s*)(?=[A-Z]\.( |\Z))")
_AUTHORS = re.compile(r"\s*([A-Z]\.[ -])+")
_FINISHED = re.compile(r"(\w\w|\d|\))\.\Z")
#: what only other classes of ours call: caches, names for messages, ways to make statistics
_INNER = {
    "keep", "kept", "knows", "redrawn", "without_each", "of_checked", "of_side", "in_weights",
    "has_objects", "both_hard", "by_object", "hard_codes", "mass_table", "naming", "matched_names",
    "stands_for", "taken_as", "equality_key", "of_codes", "of_entries", "of_columns", "of_cells",
    "unknown", "as_hard", "memberships", "has_memberships", "sums"}


def ours(app: Any, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what only our code calls, and what scikit-learn, tuples and exceptions add."""
    if what != "class" or skip:
        return None
    if name in _INNER:
        return True
    target = obj.fget if isinstance(obj, property) else obj
    if callable(target):
        target = inspect.unwrap(target)
    if getattr(target, "__qualname__", "").startswith("PairCounts.") and target is obj:
        return True
    home = getattr(target, "__module__", None)
    if home is None:
        home = getattr(getattr(target, "__objclass__", None), "__module__", None)
    if home is not None and not home.startswith(("softclust", "r_bridge")):
        return True
    return None


def plain_text(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings write |x| and labels_ as text; reStructuredText would read markup into them."""
    doctest = formula = False
    lines[:] = apart(lines)
    for i, line in enumerate(lines):
        formula = ".. math::" in line or (formula and (not line or line[0] == " "))
        if formula:
            continue
        doctest = line.lstrip().startswith(">>>") or (doctest and bool(line.strip()))
        if not doctest:
            # numpydoc itself escapes the names of parameters (name_ : type).
            line = _PAGE.sub(r":doc:`/\1`", line)
            name, text = re.fullmatch(r"(\s*[\w, *]+ : )?(.*)", line).groups()
            lines[i] = (name or "") + "".join(part if part.startswith("`") else escaped(part)
                                              for part in _CODE.split(text))


def index_abbreviations(app: Any, what: str, name: str, obj: Any, options: Any,
                        lines: list[str]) -> None:
    """Search finds a measure by its abbreviations and by its names in other packages and fields."""
    from softclust.measures import registry
    measure = registry().get(name.rpartition(".")[2]) if what == "function" else None
    if measure is not None:
        names = dict.fromkeys([*measure.abbreviations, *(word.word for word in measure.words)])
        # after the summary, which the lists of functions take from the first paragraph
        start = next((i for i, line in enumerate(lines) if line.strip()), 0)
        after = lines.index("", start) if "" in lines[start:] else len(lines)
        lines[after:after] = (["", ".. index::", *(f"   ! {short}" for short in names), ""]
                              if names else [])


def apart(lines: list[str]) -> list[str]:
    """`lines` with each article of the references in a paragraph of its own."""
    found: list[str] = []
    cited = False
    for i, line in enumerate(lines):
        if line.strip() and set(line.strip()) == {"-"}:
            cited = lines[i - 1].strip() == "References"
        elif cited and _AUTHORS.match(line) and _FINISHED.search(lines[i - 1]):
            found.append("")
        found.append(line)
    return found


def escaped(text: str) -> str:
    """`text` without substitutions (|x|), references (name_) and lists that initials (B.) begin."""
    text = re.sub(r"(?<=\w)_(?![\w`])", r"\\_", text.replace("|", r"\|"))
    return _INITIAL.sub(r"\1\\", text)


def insert_pages(app: Any, docname: str, source: list[str]) -> None:
    """Put pages from outside the folder docs where a comment names them."""
    def found(match: re.Match[str]) -> str:
        path = Path(app.srcdir).parent / match[1]
        return adapted(path.read_text(encoding="utf-8")) if path.exists() else match[2].strip()
    source[0] = INSERTED.sub(found, source[0])


def adapted(text: str) -> str:
    """A page of another folder as a part of a page: no title, no links or pictures of its own."""
    text = re.sub(r"\A# .*\n", "", text.lstrip())
    text = re.sub(r"!\[[^\]]*\]\((?!https?://)[^)]*\)", "", text)
    return re.sub(r"\[([^\]]*)\]\((?!https?://|#)[^)]*\)", r"\1", text)


#: packages whose names are documented under their own
ROOMS = ("cluster", "datasets", "plotting", "results")


@cache
def public_names() -> dict[str, str]:
    """Names that inline code may hold, and the objects that they mean."""
    import softclust
    names = {name: f"softclust.{name}" for name in softclust._public()
             if not name.startswith("_") and name not in ROOMS}
    for module in ROOMS:
        names |= {name: f"softclust.{module}.{name}" for name in getattr(softclust, module).__all__}
        names |= {f"{module}.{name}": f"softclust.{module}.{name}"
                  for name in getattr(softclust, module).__all__}
    return names


def meant(text: str) -> str | None:
    """The public object that inline code names, as in compare(x, y) or Matching.apply."""
    names = public_names()
    plain = re.sub(r"\A(softclust|sc)\.|\(.*", "", text, flags=re.DOTALL)
    if plain in names:
        return names[plain]
    owner, _, member = plain.rpartition(".")
    return f"{names[owner]}.{member}" if owner in names and member.isidentifier() else None


def link_to(target: str, shown: nodes.literal, docname: str) -> addnodes.pending_xref:
    """`shown` as a link to the reference; plain code where the reference has no such entry."""
    link = addnodes.pending_xref("", refdomain="py", reftype="obj", reftarget=target,
                                 refexplicit=False, refwarn=False, refdoc=docname)
    link += shown
    return link


def name_role(role: str, rawtext: str, text: str, lineno: int, inliner: Any,
              options: Any = None, content: Any = None) -> tuple[list[nodes.Node], list[Any]]:
    """`name` in docstrings: code, and a link where it is a public name of the package.

    Sphinx's own role for this takes any method of that name for the object that is meant.
    """
    shown = nodes.literal(rawtext, text)
    target = meant(text)
    docname = inliner.document.settings.env.docname
    return [link_to(target, shown, docname) if target else shown], []


def link_names(app: Any, doctree: nodes.document) -> None:
    """Make `compare` and `compare(x, y)` in the guide lead to the reference."""
    if app.env.docname.startswith("reference/"):
        return
    for literal in list(doctree.findall(nodes.literal)):
        target = meant(literal.astext())
        if target and not isinstance(literal.parent, nodes.title | nodes.reference):
            shown = literal.deepcopy()
            literal.replace_self(link_to(target, shown, app.env.docname))


def breakable(app: Any, pagename: str, templatename: str, context: dict[str, Any],
              doctree: Any) -> None:
    """Names break at few places, options nowhere; no line begins with what follows a formula."""
    if "body" not in context:
        return
    body = _SHOWN.sub(lambda shown: shown[1] + in_pieces(shown[2]) + shown[3], context["body"])
    if pagename.startswith("reference/generated/"):   # its title is a name, too
        body = re.sub("<h1>[^<]*", lambda title: title[0].replace("_", "_<wbr>"), body, count=1)
    context["body"] = _FOLLOWED.sub(r'<span class="unbroken">\1\2</span>', body)


def in_pieces(name: str) -> str:
    """HTML of a name in code, in pieces between which a line may end, in text if it is long."""
    place = '<wbr class="long">' if len(name) > _LINE else "<wbr>"
    return place.join(f'<span class="unbroken">{piece}</span>' if len(piece) <= _PIECE else piece
                      for piece in _PLACES.split(name))


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_role("name", name_role)
    app.connect("autodoc-skip-member", ours)
    app.connect("autodoc-process-docstring", add_choices, priority=300)
    app.connect("autodoc-process-docstring", plain_text, priority=400)   # before numpydoc
    app.connect("autodoc-process-docstring", index_abbreviations, priority=900)   # after it
    app.connect("source-read", insert_pages)
    app.connect("doctree-read", link_names)
    app.connect("html-page-context", breakable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
