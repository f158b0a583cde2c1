"""Pages of replications: the claims that the vignettes wrote into vignettes/README.md."""

import importlib.util
import re
from collections import Counter
from pathlib import Path

VIGNETTES = Path(__file__).parents[2] / "vignettes"
#: in a page: the claims of one vignette, or of each page how many of each kind
_CLAIMS, _COUNTS = re.compile(r"<!-- claims of (\w+) -->"), "<!-- counts of claims -->"
#: what a reader learns from comes first; long lists of equal numbers are folded
TITLES = {"corrected": "Corrected: the print is wrong",
          "own": "Own statements, in the place of wrong ones",
          "unreachable": "Unreachable: data or settings are missing",
          "compatible": "Compatible: within the spread of random draws",
          "reproduced": "Reproduced: the printed numbers"}
COLUMNS = ("place", "published", "ours", "tolerance", "reason")
#: rows of a table that is not folded
OPEN = 40

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
    said = ", ".join(f"{counts[status]} {status}" for status in TITLES if counts[status])
    lines = [f"{len(records)} claims: {said}. `python vignettes/{page}.py` computes them."]
    for status, title in TITLES.items():
        rows = [record for record in records if record["status"] == status]
        if rows:
            lines += ["", f"## {title}", "", *_folded(rows)]
    return "\n".join(lines)


def _folded(rows):
    columns = [c for c in COLUMNS if any(row[c] for row in rows)]
    table = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns),
             *("| " + " | ".join(row[c].replace("|", "\\|") or " " for c in columns) + " |"
               for row in rows)]
    if len(rows) <= OPEN:
        return [":::{container} claims", *table, ":::"]
    return [f":::{{dropdown}} {len(rows)} claims", ":class-container: claims", "", *table, ":::"]


def counts(titles):
    """How many claims of each kind each page has; `titles` leads from vignette to title and page.
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
        found[_CLAIMS.search(text)[1]] = (text.split("\n", 1)[0].removeprefix("# "),
                                          f"replications/{path.name}")
    return found


def put(app, docname, source):
    """The claims in the place of the comments."""
    source[0] = _CLAIMS.sub(lambda found: claims(found[1]), source[0])
    if _COUNTS in source[0]:
        source[0] = source[0].replace(_COUNTS, counts(titles(Path(app.srcdir))))


def setup(app):
    app.connect("source-read", put)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
