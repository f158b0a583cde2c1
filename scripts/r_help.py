"""Help pages of the R package: R's own words, and Python's where nothing else is written.

``python scripts/r_help.py`` (``make r``) rewrites ``NAMESPACE`` and ``man/``, without R,
``--check`` only says what is stale. A line ``#' @python name`` in a block stands for what the page
does not say by hand: description, parameters, value, details, references and related functions,
from the docstring of that function, in R's words. A value that begins with "+" follows Python's.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any

from numpydoc.docscrape import NumpyDocString

TOP = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TOP), str(TOP / "scripts")]

import r_wrappers  # noqa: E402
import rd  # noqa: E402

import softclust  # noqa: E402
from r_bridge import _words  # noqa: E402
from r_bridge._front import is_position  # noqa: E402
from r_bridge._front_records import _NOT_OPTIONS, NAMES, words_of  # noqa: E402

PACKAGE = TOP / "r_bridge" / "softclust"
WRAPPERS = PACKAGE / "R" / "generated.R"
#: options in the dots that no R user needs to read about
_UNSAID = {*_NOT_OPTIONS, "progress", "names", "classifier", "merges"}
#: R's words for parameters of many functions
_PARAMETERS = {
    "data": "Matrix or data frame of finite numbers, one row per object.",
    "seed": "Whole number; `NULL` draws one from R's random numbers. A given seed gives the same "
            "numbers as in Python.",
    "n_init": "Starts of k-means.",
    "noise": "How to treat noise and missing labels, and which objects to compare; see "
             "[sc_align()]. By default noise is a cluster, `NA` is an error, and the objects must "
             "be the same."}
_PARAMETERS |= dict.fromkeys(("noise_label", "missing", "objects"), _PARAMETERS["noise"])
#: what R calls otherwise
_CALLED = {"rng": "seed", "random_state": "seed", "X": "data", "RoughKMeans": '"rough_kmeans"',
           "FuzzyCMeans": '"fuzzy_cmeans"',
           "SLAGLO": '"slaglo"', "BaggedClustering": '"bagclust1"'}
#: Python's words and R's, outside of code; the order matters
_WORDS = [
    (r", default .*|(?:, )?\boptional\b|\b(?:scikit-learn|SciPy's?) ", ""),
    (r"\bEnsemble, (?:mapping, DataFrame or )?sequence of clustering-like\b",
     "several clusterings, see [sc_ensemble()]"),
    (r"\bclustering-like\b", "anything [sc_clustering()] takes"),
    (r"\b(?:array-like|ndarray|array)(?: of \w+(?: >= 0)?)?,? (?:shape )?\((\w+),\)",
     r"vector of length \1"),
    (r"\b(?:array-like|ndarray|array)(?: of \w+(?: >= 0)?)?,? (?:shape )?\((.+?), ([^()]+)\)",
     r"matrix, \1 by \2"),
    (r"(matrix, \w+ by \w+), (\w+)", r"\1 by \2"),
    (r"(length \w+) or \((\w+), (\w+)\)", r"\1 or matrix, \2 by \3"),
    (r"\((\w+),\)(?: (?:int|float)64)?", r"length \1"),
    (r"\((\w+), (\w+)\) (?:int|float)64", r"\1 by \2"),
    (r" or callable\b| Or a function[^.]*\.", ""),
    (r", or name of a column(?: of (?:data|the frame))?", ""),
    (r"(?:(?<=[.:] )|^)[^.]*\b(?:scipy|pandas|polars|numpy)\b[^.]*\.(?: |$)", ""),
    (r"\b(?:int|float) or (?:iterable|sequence) of (int|float)\b", r"\1s"),
    (r"\bsequences? of (int|float)\b", r"\1s"), (r"\bints\b", "whole numbers"),
    (r"\bfloats\b", "numbers"), (r"\bint\b", "whole number"), (r"\bfloat\b", "number"),
    (r"\bbool\b", "`TRUE` or `FALSE`"), (r"\bNone\b", "`NULL`"), (r"\bTrue\b", "`TRUE`"),
    (r"\bFalse\b", "`FALSE`"), (r"(?<!\")\bnan\b", "`NaN`"), (r"\barray-likes?\b", "vector"),
    (r"\btuple of str\b|\bsequences? of str\b|\(str, str\)", "names"),
    (r"\b(?:mapping|dict)\b", "named list"), (r"\b(?:tuple|sequence)\b", "vector"),
    (r"\bDataFrame\b", "data frame"), (r"\bcallable\b", "function"), (r"\bNotes\b", "Details"),
    (r", with the columns described in the class", ""),
    (r"\bTheory: docs/(\S+)\.md\.", r"The page \1 of the guide derives this.")]
#: words about positions, which count from 0 in Python and have -1 for none
_POSITIONS = [(r"(?<![\w.])-1\b|`NULL`", "`NA`"), (r"\b0, 1\b", "1, 2"), (r"\b0 (?=for|if)", "1 ")]
_PLAIN = [
    (r"\\(?:mathrm|text|overline|mathbb|mathcal|operatorname|bar|hat|tilde) *\{([^{}]*)\}", r"\1"),
    (r"\\(?:bar|hat|tilde|mathrm) *|\\var(?=phi|epsilon)", ""),
    (r"([_^])\{(\w+|-?\d+|\([^()]*\))\}", r"\1\2"), (r"([_^])\{([^{}]*)\}", r"\1(\2)"),
    (r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)"), (r"\\d?t?frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1)/(\2)"),
    (r"\\binom *(?:\{([^{}]*)\}|(\w))(?:\{([^{}]*)\}|(\w))", r"C(\1\2, \3\4)"), (r"\\_", "_"),
    (r"(?<!\w)\((\w+)\)/", r"\1/"), (r"/\((\w+)\)", r"/\1")]
_SIGNS = [
    (r"\\[,;!]", " "), (r"\\(?:qquad|quad|left|right|[Bb]igg?|limits|displaystyle)(?![a-z])", " "),
    (r"\\(?:le|leq)\b", "<="), (r"\\(?:ge|geq)\b", ">="), (r"\\neq?\b", "!="),
    (r"\\times\b|\\cdot\b", "x"), (r"\\to\b", "->"), (r"\\[lc]?dots\b", "..."),
    (r"\\mid\b", "|"), (r"\\\|", "||"), (r"\\[{}]", ""), (r"\\([A-Za-z]+)", r"\1"),
    (r"[{}]", ""), (r"\s+", " ")]


@dataclass
class Page:
    """A help page: parameters that it explains, its functions, and what was told already."""

    said: set[str] = field(default_factory=set)
    functions: list[str] = field(default_factory=list)
    told: set[str] = field(default_factory=set)


_THERE = re.findall(r"export\(sc_(\w+)\)", (PACKAGE / "NAMESPACE").read_text(encoding="utf-8"))
#: the R name of each function of Python that R has
TWINS = {name: f"sc_{name}" for name in _THERE} | {
    name: f"sc_{twin}" for name, twin in NAMES.items() if twin in _THERE}


def _span(match: re.Match[str]) -> str:
    literal, name = match.groups()
    called = re.sub(r"^softclust\.|\(\)$", "", name or literal)
    if called in TWINS and (name or literal.endswith("()")):
        return f"[{TWINS[called]}()]"
    text = _CALLED.get(called, name or literal)
    return f"`{re.sub(r'=(?! )', ' = ', text) if re.fullmatch(r'[a-z_]+=.*', text) else text}`"


def prose(text: str) -> str:
    """A paragraph of a docstring in R's words and in Markdown."""
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"[;,] (?:or (?:x )?a `Joint`|see `[A-Z]\w+\.)[^.]*", "", text)
    text = re.sub(r"\s*R: ``sc_[^`]*``\.|[^.]*`Joint`[^.]*\.", "", text)
    pieces = re.split(r"(``.+?``|`[^`]+`)", text.strip())
    for i, piece in enumerate(pieces):
        if i % 2:
            pieces[i] = re.sub(r"``(.+?)``|`([^`]+)`", _span, piece)
            continue
        for old, new in _WORDS:
            piece = re.sub(old, new, piece)
        links = re.split(r"(\[[\w:]+\(\)\]|`[^`]*`)", piece)
        links[::2] = [re.sub(r"([][{}])", r"\\\1", each) for each in links[::2]]
        pieces[i] = "".join(links)
    return "".join(pieces).strip()


def parsed(thing: Any, renamed: Mapping[str, str] = MappingProxyType({})) -> NumpyDocString:
    """The docstring; names of its own parameters and attributes are marked as code."""
    text = inspect.getdoc(thing) or ""
    text = re.sub(r"(?<!\()\bX\b(?! :)", "`data`", text) if (
        "\nX : " in text or hasattr(thing, "fit")) else text
    doc = NumpyDocString(text)
    own = {name: name for section in ("Parameters", "Attributes") for p in doc[section]
           for name in re.split("[ ,*]+", p.name)}
    return NumpyDocString(marked(text, own | dict(renamed)))


def marked(text: str, own: Mapping[str, str]) -> str:
    """The text with own names as code, by their names in R."""
    return re.sub(r"(?<!`)`(\w+)`(?!`)", lambda m: f"``{own.get(m[1], '')}``" if m[1] in own
                  else m[0], text)


def formula(tex: str) -> str:
    """A formula for pages of HTML, and in plain text for the console."""
    plain = tex = re.sub(r"\s+", " ", tex).strip()
    for old, new in _PLAIN * 3 + _SIGNS:
        plain = re.sub(old, new, plain)
    return rf"\deqn{{{tex}}}{{{plain.strip()}}}"


def paragraphs(lines: list[str]) -> list[str]:
    """The paragraphs of a section; formulas and items of lists are their own."""
    text = re.sub(r"\.\. math::(.*?)(?=\n\S|\Z)", lambda m: f"\n\n.. {m[1]}\n\n",
                  "\n".join(lines), flags=re.S)
    found = re.split(r"\n\s*\n|\n(?=- )", re.sub(r"(?<=\n)\n+(?=  )", " ", text))
    return [formula(each[2:]) if each.startswith("..") else
            f"* {prose(each[2:])}" if each.startswith("- ") else prose(each)
            for each in map(str.strip, found) if each]


def sentence(kind: str, lines: list[str], choices: bool = True) -> str:
    """Type and meaning of a parameter."""
    kind = re.sub(r"^\{(.*)\}(.*)", r"one of \1\2" if choices else "", kind)
    kind = re.sub(r"^[ ,.]+|[ ,]+$", "", prose(re.sub(r"^str\b(,| or)?", "", kind)))
    kind = kind and f"{kind[0].upper()}{kind[1:]}."
    said = " ".join(paragraphs(lines))
    trivial = kind in ("`TRUE` or `FALSE`.", "Name.", "Function.", "Ignored.") and said
    return said if trivial else f"{kind} {said}".strip()


def options(function: Any, unsaid: set[str]) -> list[str]:
    """Items for the options of a function, with their defaults; of one text together."""
    said, given = defaultdict(list), inspect.signature(function).parameters
    for p in parsed(function)["Parameters"]:
        for name in re.split(", *", p.name):
            if name in unsaid or "**" in name:
                continue
            default = given[name].default
            shown = f' = "{default}"' if isinstance(default, str) else (
                f" = {default:g}".replace("nan", "NaN") if isinstance(default, float) else
                f" = {default}" if isinstance(default, int) else "")
            said[sentence(p.type, p.desc)].append(f"`{name}{shown}`")
    return [f"  * {', '.join(names)}: {text}" for text, names in said.items()]


def parameters(function: Any, formals: list[str], said: set[str], items: list[str]
               ) -> Iterator[str]:
    """A tag for each parameter of R that the page does not explain yet."""
    found = parsed(function)["Parameters"]
    own = {name.strip(" *"): p for p in found for name in p.name.split(",")}
    done = defaultdict(list)
    for name in [name for name in formals if name not in {*said, "..."}]:
        p = own.get(name)
        text = _PARAMETERS.get(name) or (p and sentence(p.type, p.desc, choices=False))
        if text:
            done[text].append(name)
            said.add(name)
    for text, names in done.items():
        yield f"@param {','.join(names)} {text}"
    if "..." in formals and "..." not in said:
        said.add("...")
        many = next((p for p in found if p.name.startswith("**")), None)
        head = prose(" ".join(many.desc)) if many else "Further options" + ":" * bool(items)
        yield "\n".join([f"@param ... {head}", *items])


def fields(kind: type, more: str) -> list[str]:
    """Items for the parts of a record that R has and `more` does not explain."""
    parts = {word.rpartition("=")[2].rstrip("#@!"): word for word in words_of(kind)}
    named = {python: word.partition("=")[0].rstrip("#@!") for python, word in parts.items()}
    doc = parsed(kind, named)
    own = {name.strip(): p for p in doc["Attributes"] for name in p.name.split(",")}
    said = defaultdict(list)
    for python, name in named.items():
        if re.search(rf"[`-]{name}\b", more):
            continue
        p, getter = own.get(python), getattr(kind, python, None)
        text = " ".join(paragraphs(p.desc)) if p else ""
        if not p and (isinstance(getter, property) or inspect.isfunction(getter)):
            text = prose(marked((inspect.getdoc(getter) or "").partition("\n\n")[0], named))
        if is_position(kind, python) or "#" in parts.get(python, ""):
            for old, new in _POSITIONS:
                text = re.sub(old, new, text)
        shape = p and re.search(r"\(([^(),]+), ([^(),]+)\) \w+64|shape \((.+), (.+?)\)", p.type)
        side = f" ({' by '.join(filter(None, shape.groups()))})" if shape else ""
        said[side + ":" * bool(text) + f" {text}"].append(f"`{name}`")
    alone = said.pop(" ", [])
    return [", ".join(names) + text for text, names in said.items()] + (
        [", ".join(alone) + "."] if alone else [])


def value(doc: NumpyDocString, function: Any, label: str, kind: str, page: Page,
          more: str) -> str:
    """The value of a function: a list of a class with its parts, or something else."""
    record = getattr(softclust.results, str(
        inspect.signature(function).return_annotation).split(" | ")[0], None)
    if not kind or record is None:
        if record is not None and not record.__name__.endswith("Clustering"):
            raise ValueError(f"@python {function.__name__}: give the class in R behind the name")
        return label + " ".join(sentence(p.type, p.desc) for p in doc["Returns"])
    if f"class {kind}" in page.told:
        return f"{label}also a list of class `{kind}`."
    page.told.add(f"class {kind}")
    return "\n".join([f"{label}{'a' if label else 'A'} list of class `{kind}`, see [sc_result]:",
                      *(f"  * {item}" for item in fields(record, more))])


def references(lines: list[str]) -> list[str]:
    """The references, a paragraph each."""
    found = re.split(r"(?<=\.)\n(?=[A-Z]\.)|\n\s*\n", "\n".join(lines).strip())
    return [prose(each) for each in found if each]


#: a block of comments and the code behind it
_BLOCK = re.compile(r"((?:^#'.*\n)+)((?:(?!#').*\n)*)", re.MULTILINE)


def place(comment: str, code: str) -> tuple[str, str]:
    """The function of a block and the page that it belongs to."""
    name = re.match(r"[\w.]*", code)[0]
    at = re.search(r"@(?:rdname|name) (\S+)", comment)
    return name, at[1] if at else name


def formals_of(code: str) -> list[str]:
    """The names of the arguments of an R function."""
    header, before = code.partition("function(")[2], ""
    while header != before:
        header, before = re.sub(r"\([^()]*\)", "", header), header
    return re.findall(r"(?:^|,)\s*(\.\.\.|[\w.]+)", header.partition(")")[0])


def generated(asked: str, code: str, comment: str, page: Page,
              more: Mapping[str, str]) -> list[str]:
    """The tags of a block that come from a docstring.

    What is asked is the name of the function, the class if the code does not say it, options that
    stay unsaid with "-", options of R's own with "+". `more` follows by hand.
    """
    name, *words = asked.split()
    function, called = getattr(softclust, name), re.match(r"\w+", code)[0]
    doc = parsed(function)
    formals = formals_of(code)
    unsaid = {*_UNSAID, *formals, *re.findall(r"\b(\w+) = ", code),
              *(word[1:] for word in words if word[0] == "-")}
    items = [*(f"  * `{word[1:]}`: {_PARAMETERS[word[1:]]}" for word in words if word[0] == "+"),
             *options(function, unsaid)]
    kind = next((word for word in words if word.startswith("sc_")), "") or re.search(
        r'((?:record_of\("\w+"|new_result\(\w+), *(?:c\()?"|$)(\w*)', code)[2]
    label = f"`{called}()`: " if len(page.functions) > 1 else ""
    related = [TWINS[n] for group, _ in doc["See Also"] for n, _ in group if n in TWINS]
    by_hand = set(re.findall(r"(?m)^@(\w+)", comment))
    tags = {
        "description": "" if "@rdname" in comment or re.search(r"\n\n[^@]", comment) else
        prose(" ".join(doc["Summary"])),
        "return": "" if "return" in by_hand else value(
            doc, function, label, kind, page, more.get("return", "") + asked),
        "details": "\n\n".join([label, *paragraphs(doc["Notes"])] if doc["Notes"] else []),
        "references": "\n\n".join(each for each in references(doc["References"])
                                  if each not in page.told),
        "seealso": ", ".join(f"[{n}()]" for n in dict.fromkeys(related)
                             if n not in {*page.functions, *page.told})}
    page.told.update(references(doc["References"]), related)
    return [*parameters(function, formals, page.said, items), *(
        f"@{tag}\n{text}" if tag == "details" else f"@{tag} {text}"
        for tag, text in tags.items() if text and tag not in by_hand)]


def expanded(texts: dict[Path, str]) -> Iterator[tuple[Path, str]]:
    """The files with every tag ``@python`` replaced; R respells the lines that begin with "@@"."""
    pages: dict[str, Page] = defaultdict(Page)
    found = [m.groups() for text in texts.values() for m in _BLOCK.finditer(text)]
    for comment, code in found:
        name, at = place(comment, code)
        pages[at].said |= set(",".join(re.findall(r"@param (\S+)", comment)).split(","))
        pages[at].functions += [name] if name.startswith("sc_") else []
    for comment, code in found:
        for source in re.findall(r"@inheritParams (\S+)", comment):
            pages[place(comment, code)[1]].said |= pages[source].said

    def respelt(text: str) -> str:
        return re.sub(r"(?m)^(?!\\deqn).*$", lambda m: _words.spelled(m[0], _THERE), text) + "\n"

    def replaced(match: re.Match[str]) -> str:
        lines, code = match.groups()
        comment = re.sub(r"(?m)^#' ?", "", lines)
        for tag, method, name in re.findall(r"(?m)^(@options (\S+) (\S+)\n)", comment):
            kind = attrgetter(name)(softclust)
            items = "\n".join(options(kind, {*_UNSAID, *formals_of(code)}))
            comment = comment.replace(tag, respelt("\n\n".join(
                [f"@section Method {method}:\n{items}", *paragraphs(parsed(kind)["Notes"])])))
        for tag, asked in re.findall(r"(?m)^(@python (.+)\n)", comment):
            more = dict(re.findall(r"(?ms)^@(\w+) \+ ?(.*?)(?=^@|\Z)", comment))
            comment = re.sub(r"(?ms)^@\w+ \+.*?(?=^@|\Z)", "", comment)
            made = ""
            for text in generated(asked, code, comment, pages[place(lines, code)[1]], more):
                made += respelt(text) + more.pop(re.match(r"@(\w+)", text)[1], "")
            made += "".join(f"@{name} {text}" for name, text in more.items())
            comment = comment.replace(tag, made)
        return re.sub(r"(?m)^", "#' ", comment.rstrip()) + "\n" + code

    return ((path, _BLOCK.sub(replaced, text)) for path, text in texts.items())


def sources() -> dict[Path, str]:
    """The files of the package's code that are written by hand."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.glob("R/*.R"))
            if path != WRAPPERS}


def made() -> dict[Path, str]:
    """All that is generated of the R package, by paths: code, NAMESPACE and help pages."""
    files = sources()
    texts = dict(expanded({path: r_wrappers.woven(text)[0] for path, text in files.items()}))
    heads = {name: head for text in texts.values() for name, head in rd.heads_of(text).items()}
    blocks = [block for path, text in texts.items()
              for block in rd.blocks_of(f"R/{path.name}", text, heads)]
    pages = rd.pages_of(blocks)
    addresses = re.findall(r"(?m)^(?:URL|BugReports): (\S+)$",
                           (PACKAGE / "DESCRIPTION").read_text(encoding="utf-8"))
    pages["softclust-package"].blocks[0].tags.append(
        ("seealso", " and ".join(f"\\url{{{each}}}" for each in addresses)))
    return {PACKAGE / "NAMESPACE": rd.namespace(blocks),
            WRAPPERS: r_wrappers.generated(files)} | {
        PACKAGE / "man" / f"{name}.Rd": rd.page_of(name, pages) for name in pages}


def main(argv: list[str] | None = None) -> int:
    """Rewrite the help pages; with ``--check`` return 1 when one is stale."""
    parser = argparse.ArgumentParser(prog="python scripts/r_help.py", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args(argv).check
    texts = made()
    kept = {path: path.read_text(encoding="utf-8") for path in [
        PACKAGE / "NAMESPACE", *PACKAGE.glob("man/*.Rd"), WRAPPERS] if path.exists()
        and path.stem != "measures"}
    stale = sorted({path for path, _ in kept.items() ^ texts.items()})
    for path in stale:
        print(f"{path.name} is stale: run make r" if check else f"wrote {path.name}")
        if not check:
            path.unlink(missing_ok=True)
        if not check and path in texts:
            path.write_text(texts[path], encoding="utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
