"""The state of every claim as text: `vignettes/README.md`, written by full runs, read by tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
STATUSES = ("reproduced", "compatible", "corrected", "own", "unreachable")
HEADS = ("reproduced", "compatible (random draws differ)", "corrected", "own statements",
         "unreachable")
COLUMNS = ("place", "published", "ours", "tolerance", "status", "reason")
_SECTION = re.compile(r"^<!-- page (\w+): (.*) -->$", re.MULTILINE)
_HEAD = """# Vignettes: five papers replicated

Each page replicates a paper, or a part of one, and is a plain Python script:
`python vignettes/prayatul.py`. `make vignettes` runs all of them and writes
`vignettes/html/index.html` and this file (`build.py` says more). This file is written by full runs
only; the tests run the fast mode and compare it with what is written here.

- **reproduced**: ours is the published number within the tolerance, which covers rounding.
- **compatible** (random draws differ): ours is within the spread of the authors' random draws,
  which is more than 2 % of the number. The published number is consistent with ours, but too
  imprecise to confirm our digits.
- **corrected**: the published number is wrong. The correct value is known without softclust; the
  reason gives the proof or says where it is.
- **own**: a statement of softclust that replaces a wrong one, checked here.
- **unreachable**: data or settings of the paper are not known; the reason says which.
"""


@cache
def title(page: str) -> str:
    """The title of a vignette: its script begins with it."""
    script = (HERE / f"{page}.py").read_text(encoding="utf-8")
    return script.split("# # ", 1)[1].split("\n", 1)[0]


def written(pages: Mapping[str, tuple[str, Sequence[Mapping[str, Any]]]]) -> str:
    """The whole file: counts, then the tables. `pages` maps page to (paper, records)."""
    lines = [_HEAD, "| page | paper | claims | " + " | ".join(HEADS) + " |",
             "|---|---|" + "---:|" * (1 + len(STATUSES))]
    for page, (paper, records) in pages.items():
        counts = Counter(record["status"] for record in records)
        lines.append(f"| [{title(page)}]({page}.py) | {paper} | {len(records)} | "
                     + " | ".join(str(counts[s]) for s in STATUSES) + " |")
    for page, (paper, records) in pages.items():
        lines += ["", f"<!-- page {page}: {paper} -->", f"## {title(page)}", "", paper, "",
                  "| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
        lines += ["| " + " | ".join(_cell(record[c]) for c in COLUMNS) + " |"
                  for record in records]
    return "\n".join(lines) + "\n"


def read(text: str) -> dict[str, tuple[str, list[dict[str, str]]]]:
    """Content that `written` wrote: page to (paper, records)."""
    parts = _SECTION.split(text)[1:]
    pages = {}
    for page, paper, body in zip(parts[::3], parts[1::3], parts[2::3]):
        rows = [_cells(line) for line in body.splitlines() if line.startswith("| ")]
        pages[page] = (paper, [dict(zip(COLUMNS, row)) for row in rows[1:]])
    return pages


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ") or " "


def _cells(line: str) -> list[str]:
    return [cell.replace("\\|", "|").strip()
            for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
