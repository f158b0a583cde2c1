"""Pages of replications: the claims that the vignettes wrote into vignettes/README.md.

Tables of the papers are shown side by side, and the built vignettes are linked where they exist.
"""

import importlib.util
import re
import shutil
from collections import Counter
from pathlib import Path

VIGNETTES = Path(__file__).parents[2] / "vignettes"
#: in a page: the claims of one vignette, or of each page how many of each kind
_CLAIMS, _COUNTS = re.compile(r"<!-- claims of (\w+) -->"), "<!-- counts of claims -->"
#: the most instructive claims come first; long lists of equal numbers are folded
TITLES = {"corrected": "Corrected: the published number or statement is wrong",
          "own": "Our own statements, which replace wrong ones",
          "unreachable": "Unreachable: data or settings are missing",
          "compatible": "Compatible: within the spread of random results",
          "reproduced": "Reproduced: equal to the published numbers"}
COLUMNS = ("place", "published", "ours", "tolerance", "reason")
#: rows of a table that is not folded
OPEN = 40
#: cells and columns of a printed table that is shown side by side, and how full it has to be
CELLS, WIDTH, FULL = 6, 10, 0.5
#: what marks a number of ours in such a table, and the sentence that says so
MARKS = {"corrected": ("**", "**"), "compatible": ("*", "*"), "unreachable": ("", " †")}
LEGEND = ("Each cell shows the published number / ours: **bold** where the published number is "
          "wrong, *italic* where ours is only compatible, † where data or settings are missing.")
_COMMA = re.compile(r", (?![^(]*\))")
#: the built vignettes; in the guide they are in a folder of the same name
HTML = VIGNETTES / "html"

SPEC = importlib.util.spec_from_file_location("states", VIGNETTES / "states.py")
STATES = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(STATES)


def known():
    """Paper and claims of each vignette."""
    return STATES.read((VIGNETTES / "README.md").read_text(encoding="utf-8"))


def claims(page):
    """The claims of a vignette as Markdown, one section for each status."""
    _, records = known()[page]
    counts = Counter(record["status"] for record in records)
    shares = ", ".join(f"{counts[status]} {status}" for status in TITLES if counts[status])
    lines = [f"{len(records)} claims: {shares}. `python vignettes/{page}.py` recomputes them.",
             link(page)]
    tables = printed_tables(records)
    lines += ["", LEGEND] if tables else []
    for name, parts in tables.items():
        lines += ["", f"## {name}, side by side"]
        for cells in parts:
            lines += ["", *side_by_side(cells)]
    for status, title in TITLES.items():
        rows = [record for record in records if record["status"] == status]
        if rows:
            lines += ["", f"## {title}", "", *_folded(rows)]
    return "\n".join(lines)


def link(page, folder=HTML):
    """Link to the vignette if it is built, otherwise how to build it."""
    if (folder / f"{page}.html").exists():
        return f'<a href="../vignettes/{page}.html">The vignette</a> has its code and figures.'
    return ("This guide was built without the vignettes, which have the code and figures: "
            "in a checkout run `make vignettes`, then `make docs`.")


def printed_tables(records):
    """Table of the paper -> its parts, each {(row, column): claim}.

    Places such as "Table 2, FCM, upper end" say where a number stands.
    """
    parts = {}
    for record in records:
        name, *place = _COMMA.split(record["place"])
        if name.startswith("Table ") and len(place) > 1:
            part = parts.setdefault((name, len(place)), {})
            part[", ".join(place[:-1]), place[-1]] = record
    tables = {}
    for (name, _), cells in parts.items():
        of_column = Counter(column for _, column in cells)
        cells = {key: record for key, record in cells.items() if of_column[key[1]] > 1}
        rows, columns = ({key[i] for key in cells} for i in (0, 1))
        if (len(cells) >= CELLS and 2 <= len(columns) <= WIDTH
                and len(cells) >= FULL * len(rows) * len(columns)):
            tables.setdefault(name, []).append(cells)
    return tables


def side_by_side(cells):
    """A printed table in Markdown; each cell has the published number and ours."""
    rows, columns = (list(dict.fromkeys(key[i] for key in cells)) for i in (0, 1))
    decimals = max((len(digits) for record in cells.values()
                    for digits in re.findall(r"\.(\d+)", record["published"])), default=2) + 1
    table = ["|  | " + " | ".join(columns) + " |", "|" + "---|" * (1 + len(columns))]
    for row in rows:
        texts = [_both(cells[row, column], decimals) if (row, column) in cells else " "
                 for column in columns]
        table.append(f"| {row} | " + " | ".join(texts) + " |")
    if len(rows) <= OPEN:
        return [":::{container} printed", *table, ":::"]
    return [f":::{{dropdown}} {len(rows)} rows", ":class-container: printed", "", *table, ":::"]


def _both(record, decimals):
    """Published and ours, with one digit more than any number of the table has."""
    before, after = MARKS.get(record["status"], ("", ""))
    ours = re.sub(r"-?\d+\.\d+(e-?\d+)?", lambda n: f"{float(n[0]):.{decimals}f}", record["ours"])
    return f"{record['published']} / {before}{ours}{after}".replace("|", "\\|")


def _folded(rows):
    columns = [c for c in COLUMNS if any(row[c] for row in rows)]
    table = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns),
             *("| " + " | ".join(row[c].replace("|", "\\|") or " " for c in columns) + " |"
               for row in rows)]
    if len(rows) <= OPEN:
        return [":::{container} claims", *table, ":::"]
    return [f":::{{dropdown}} {len(rows)} claims", ":class-container: claims", "", *table, ":::"]


def counts(titles):
    """Number of claims of each kind on each page; `titles` leads from vignette to title and page.
    """
    lines = ["| page | claims | " + " | ".join(STATES.STATUSES) + " |",
             "|---|" + "---:|" * (1 + len(STATES.STATUSES))]
    total = Counter()
    for vignette, (_, records) in known().items():
        found = Counter(record["status"] for record in records)
        total += found
        title, page = titles[vignette]
        lines.append(f"| [{title}]({page}) | {len(records)} | "
                     + " | ".join(str(found[status]) for status in STATES.STATUSES) + " |")
    return "\n".join([*lines, f"| all | {total.total()} | "
                      + " | ".join(str(total[status]) for status in STATES.STATUSES) + " |"])


def titles(folder):
    """Title and page in the guide of each vignette."""
    found = {}
    for path in folder.glob("replications/*.md"):
        text = path.read_text(encoding="utf-8")
        if not _CLAIMS.search(text):   # the page of all rows
            continue
        found[_CLAIMS.search(text)[1]] = (text.split("\n", 1)[0].removeprefix("# "),
                                          f"replications/{path.name}")
    return found


# -- the table of all rows ---------------------------------------------------------------------
ROWS = Path(__file__).with_name("paper_rows.txt")
_PAGE = """# All rows of the papers and of clue

<!-- generated by make tables from docs/_ext/paper_rows.txt and vignettes/README.md -->

Examples, statements, tables and figures of the five papers that softclust follows, and the
functions of R's clue: which call gives them, and how many of their published numbers are
reproduced, compatible, corrected, our own statements or unreachable. The
[pages of the papers](../replications.md) have the numbers.
"""


def all_rows(package, mirrored):
    """The page of all rows; `package` is softclust, `mirrored` the names of its bridge to clue.

    ValueError for a claim without a row, a row without a claim or test, or an unknown call.
    """
    rows = {}
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            page, place, what, calls, test = (*map(str.strip, line.split("|")), "")[:5]
            _check_calls(package, calls)
            rows.setdefault(page, {})[place] = what, calls, test
    parts = [_PAGE]
    for page, (_, records) in known().items():
        found = {place: Counter() for place in rows[page]}
        for record in records:
            fits = [place for place in found if re.match(re.escape(place) + r"\b", record["place"])]
            if not fits:
                raise ValueError(f"{ROWS.name} has no row of {page} for {record['place']!r}")
            found[max(fits, key=len)][record["status"]] += 1
        parts += [f"## {STATES.title(page)}", "", *_HEAD]
        for place, counts in found.items():
            what, calls, test = rows[page][place]
            if not counts and not (VIGNETTES.parent / (test or "none")).is_file():
                raise ValueError(f"{ROWS.name}: no claim and no test of {page}, {place}")
            status = ", ".join(f"{counts[s]} {s}" for s in TITLES if counts[s]) or f"`{test}`"
            parts.append(f"| {place} | {what} | {_code(calls)} | {status} |")
        parts.append("")
    parts += ["## R's clue", "", "`r_bridge.clue` has functions of clue under their names, with "
              "`_` for dots.", "", *_HEAD]
    for place, (what, calls, _) in rows["clue"].items():
        others = [name for name in place.split(", ") if name.replace(".", "_") not in mirrored]
        status = f"`r_bridge.clue`{', except ' if others else ''}{_code(', '.join(others))}"
        parts.append(f"| {_code(place)} | {what} | {_code(calls)} | {status} |")
    return "\n".join([*parts, ""])


_HEAD = ["| where | what | call | status |", "|---|---|---|---|"]


def _code(names):
    return ", ".join(f"`{name}`" for name in re.split(r", (?![^(]*\))", names) if name) or " "


def _check_calls(package, calls):
    for call in re.sub(r"\([^)]*\)", "", calls).split(", ") if calls else ():
        place = package
        for name in call.split("."):
            place = getattr(place, name)   # AttributeError says which
        assert callable(place), call


def put(app, docname, source):
    """Replace the comments by the claims."""
    source[0] = _CLAIMS.sub(lambda found: claims(found[1]), source[0])
    if _COUNTS in source[0]:
        source[0] = source[0].replace(_COUNTS, counts(titles(Path(app.srcdir))))


def copy_vignettes(app, error):
    """Put the built vignettes beside the pages of the guide, which link to them."""
    if error is None and HTML.is_dir() and app.builder.format == "html":
        shutil.copytree(HTML, Path(app.outdir) / "vignettes", dirs_exist_ok=True)


def setup(app):
    app.connect("source-read", put)
    app.connect("build-finished", copy_vignettes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
