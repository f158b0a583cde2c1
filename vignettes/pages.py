"""HTML of the executed pages: one style, no file from elsewhere, formulas as vector pictures."""

from __future__ import annotations

import base64
import html
import io
import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from states import STATUSES, title

_MARKS = {"reproduced": "✓", "compatible": "≈", "corrected": "✎", "own": "✦", "unreachable": "○"}
#: the code of a cell
_INPUT = re.compile(r'(<div class="[^"]*highlight hl-ipython3[^"]*">.*?</pre></div>)', re.DOTALL)
_STYLE = """
:root { --ink: #1f2328; --soft: #57606a; --line: #d8dee4; --paper: #f6f8fa; --link: #0072B2; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: white;
  font: 16px/1.55 system-ui, "Segoe UI", "DejaVu Sans", Arial, sans-serif; }
nav { padding: .7rem 1.5rem; background: var(--paper); border-bottom: 1px solid var(--line);
  font-size: .9rem; }
nav ul { margin: .4rem 0 0; padding-left: 1.2rem; }
nav [aria-current] { font-weight: 600; }
summary { cursor: pointer; color: var(--link); }
details.code { margin: .5rem 0; font-size: .9rem; }
a { color: var(--link); }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem 3rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 1.2rem 0 .8rem; }
h2 { font-size: 1.3rem; margin: 2.4rem 0 .6rem; padding-top: .9rem;
  border-top: 1px solid var(--line); }
h3 { font-size: 1.08rem; margin: 1.6rem 0 .4rem; }
p, li { max-width: 48rem; }
blockquote { margin: .8rem 0; padding: .1rem 1rem; border-left: 3px solid var(--line);
  color: var(--soft); }
.highlight pre, pre { margin: .5rem 0; padding: .7rem .9rem; overflow-x: auto; font: 13px/1.45
  ui-monospace, "DejaVu Sans Mono", Consolas, monospace; }
.highlight { background: var(--paper); border: 1px solid var(--line); border-radius: 6px; }
.highlight pre { margin: 0; background: none; }
.output_stream pre, .output_text pre { background: none;
  padding: .2rem .9rem; border-left: 3px solid var(--line); }
code { font-family: ui-monospace, "DejaVu Sans Mono", Consolas, monospace; font-size: .88em; }
p code, li code, td code { background: var(--paper); padding: .08em .3em; border-radius: 4px; }
figure { margin: 1rem 0 1.2rem; }
figure.picture { text-align: center; }
figure.picture img { max-width: 100%; height: auto; }
svg { max-width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: .88rem; max-width: 48rem; margin: .35rem 0; }
.picture figcaption { margin: .35rem auto; }
.highlight + .highlight, .code_cell + .code_cell { margin-top: .7rem; }
.frame, .output_area { overflow-x: auto; }
table { border-collapse: collapse; font-size: .84rem; line-height: 1.4; margin: .6rem 0;
  border: 0; font-variant-numeric: tabular-nums; }
th, td { padding: .26rem .6rem; text-align: right; border: 0;
  border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { border-bottom: 2px solid var(--ink); text-align: right; vertical-align: bottom; }
tbody th, td:first-child, th:first-child { text-align: left; }
tbody tr:hover { background: var(--paper); }
td.text, th.text { text-align: left; min-width: 9rem; }
.frame tbody th { white-space: nowrap; }
.claims { width: 100%; }
.claims td:first-child { min-width: 16rem; }
.claims td:nth-child(2), .claims td:nth-child(3) { min-width: 6.2rem; }
.claims td:nth-child(6) { min-width: 14rem; }
.claims :is(td, th) { text-align: left; }
.status { white-space: nowrap; text-align: left; font-weight: 600; }
.status span { padding: .05rem .5rem; border-radius: 9px; }
.reproduced span { background: #d9efe7; color: #00563f; }
.compatible span { background: #eef7f3; color: #2b5f4e; }
.own span { background: #e2f1fb; color: #0a4a73; }
.corrected span { background: #fbe9c6; color: #7a4a00; }
.unreachable span { background: #e4e6ea; color: #3f4752; }
.FAILED span { background: #8b0000; color: white; }
.page { min-width: 19rem; }
.bar { display: inline-flex; width: 8rem; height: .8rem; border-radius: 4px; overflow: hidden; }
.bar i { display: block; height: 100%; border-right: 1px solid white; }
.counts { color: var(--soft); font-size: .9rem; }
.counts .bar { vertical-align: -.05rem; margin-right: .5rem; }
.contents { columns: 2; column-gap: 2rem; padding: .7rem 1rem .7rem 2rem; margin: .8rem 0 1.2rem;
  background: var(--paper); border-radius: 6px; font-size: .9rem; }
.formula { vertical-align: var(--depth, 0); }
.display { display: block; margin: .7rem 1.5rem; max-width: calc(100% - 1.5rem); }
@media (max-width: 40rem) {
  main { padding: .5rem .8rem 2rem; } nav { padding: .7rem .8rem; }
  .contents { columns: 1; } h1 { font-size: 1.45rem; overflow-wrap: anywhere; }
  p, li, figcaption { overflow-wrap: anywhere; }
  .claims :is(tbody, tr, td) { display: block; border: 0; text-align: left; }
  .claims thead { display: none; }
  .claims tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .claims td { padding: 0; overflow-wrap: anywhere; }
  .claims td:first-child { font-weight: 600; }
  .claims td:nth-child(2)::before { content: "published "; color: var(--soft); }
  .claims td:nth-child(3)::before { content: "ours "; color: var(--soft); }
  .claims td:nth-child(4):not(.status)::before { content: "tolerance "; color: var(--soft); }
}
footer { color: var(--soft); font-size: .82rem; border-top: 1px solid var(--line);
  margin-top: 3rem; padding-top: .6rem; }
@media print { nav { display: none; } .highlight { break-inside: avoid; } }
"""


def page_html(body: str, *, page: str, pages: Sequence[str], footer: str,
              records: Sequence[Mapping[str, Any]] = ()) -> str:
    """A whole page around what nbconvert made of the cells; `records` are its claims."""
    from pygments.formatters import HtmlFormatter
    head = re.search(r"<h1[^>]*>(.*?)</h1>", body, re.DOTALL)
    name = re.sub("<[^>]*>", "", head.group(1)) if head else title(page)
    numbers = itertools.count(1)
    body = re.sub(r"<h2[^>]*>", lambda _: f"<h2 id='section-{next(numbers)}'>", body)
    if head:
        body = body[:head.end()] + _overview(body, records) + body[head.end():]
    body = _INPUT.sub(r"<details class='code'><summary>code</summary>\1</details>", body)
    links = "".join(
        f"<li><span aria-current='page'>{title(p)}</span></li>" if p == page else
        f"<li><a href='{p}.html'>{title(p)}</a></li>" for p in pages)
    return (f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{name}</title>"
            "<meta name='viewport' content='width=device-width, initial-scale=1'><style>"
            f"{HtmlFormatter(style='default').get_style_defs('.highlight')}{_STYLE}</style></head>"
            "<body><nav><details><summary><b>softclust vignettes</b></summary><ul>"
            f"<li><a href='index.html'>Overview</a></li>{links}</ul></details></nav><main>"
            f"{_statuses(body)}<footer>{footer}</footer></main></body></html>")


def _overview(body: str, records: Sequence[Mapping[str, Any]]) -> str:
    """Counts of the claims and links to the sections, below the title."""
    if not records:
        return ""
    counts = Counter(record["status"] for record in records)
    failed = len(records) - sum(counts[s] for s in STATUSES)
    words = [f"{counts[s]} {s}" for s in STATUSES if counts[s]] + (
        [f"{failed} FAILED"] if failed else [])
    sections = "".join(f"<li><a href='#{name}'>{text}</a></li>" for name, text in re.findall(
        r"<h2 id='([^']*)'>(.*?)</h2>", body, re.DOTALL))
    return (f"<p class='counts'>{_bar(counts)} {len(records)} claims: {', '.join(words)}</p>"
            f"<ul class='contents'>{sections}</ul>")


def _bar(counts: Mapping[str, int]) -> str:
    colours = {"reproduced": "#009E73", "compatible": "#7CC7A9", "corrected": "#E69F00",
               "own": "#56B4E9", "unreachable": "#9aa1ab"}
    parts = "".join(f"<i style='flex:{counts[s]};background:{colours[s]}'></i>"
                    for s in STATUSES if counts[s])
    return f"<span class='bar' aria-hidden='true'>{parts}</span>"


def _statuses(body: str) -> str:
    """Cells that hold a status get its colour and mark, long texts are set to the left."""
    def badge(match: re.Match[str]) -> str:
        text = match.group(1)
        mark = _MARKS.get(text, "✗")
        return f"<td class='status {text.split(':')[0]}'><span>{mark} {text}</span></td>"
    body = re.sub(r"<table[^>]*>(?:(?!</table>).)*?<th>place</th>.*?</table>", _without_numbers,
                  body, flags=re.DOTALL)
    body = re.sub(rf"<td>((?:FAILED: )?(?:{'|'.join(STATUSES)}))</td>", badge, body)
    return re.sub(r"<td>([^<\d\s][^<]{15,}|[^<]{40,})</td>", r"<td class='text'>\1</td>", body)


def _without_numbers(match: re.Match[str]) -> str:
    """The table of claims without pandas' count of its rows."""
    return re.sub(r"<th>\d*</th>", "", match.group()).replace("<table", "<table class='claims'", 1
                                                              ).replace('class="dataframe"', "", 1)


def formulas(markdown: str) -> str:
    """``$...$`` of a cell as SVG pictures, which need no script and no network."""
    def picture(match: re.Match[str]) -> str:
        whole, formula = bool(match.group(1)), match.group(1) or match.group(2)
        return _formula(" ".join(formula.split()), whole)
    parts = re.split(r"(```.*?```|`[^`\n]*`)", markdown, flags=re.DOTALL)
    parts[::2] = [re.sub(r"\$\$(.+?)\$\$|(?<![\\$\w])\$([^$\n]+?)\$(?![\d$])", picture, part,
                         flags=re.DOTALL) for part in parts[::2]]
    return "".join(parts)


def _formula(formula: str, whole: bool) -> str:
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import math_to_image
    file = io.BytesIO()
    drawn = formula.replace("\\frac", "\\dfrac") if whole else formula
    try:
        depth = math_to_image(f"${drawn}$", file, format="svg", dpi=72,
                              prop=FontProperties(size=11.5))
    except ValueError as error:
        raise ValueError(f"the formula ${formula}$ cannot be drawn by matplotlib's mathtext: "
                         f"{str(error).strip().splitlines()[-1]}") from None
    data = base64.b64encode(file.getvalue()).decode()
    return (f"<img class='formula{' display' if whole else ''}' alt='"
            f"{html.escape(formula, quote=True)}' style='--depth:{-depth:.1f}pt' "
            f"src='data:image/svg+xml;base64,{data}'>")


def index_html(states: Mapping[str, tuple[str, Sequence[Mapping[str, Any]]]], *,
               pages: Sequence[str], footer: str) -> str:
    """The page that lists the pages, with the counts of their claims."""
    rows = []
    for page in pages:
        paper, records = states.get(page, ("", []))
        counts = Counter(record["status"] for record in records)
        failed = sum(n for s, n in counts.items() if s not in STATUSES)
        rows.append(f"<tr><td class='page'><a href='{page}.html'>{title(page)}</a><br>"
                    f"{html.escape(paper)}</td>"
                    + f"<td>{len(records)}</td>"
                    + "".join(f"<td>{counts[s]}</td>" for s in STATUSES)
                    + f"<td>{failed}</td><td>{_bar(counts)}</td></tr>")
    body = ("<h1>softclust vignettes</h1><p>Five papers replicated: each published number beside "
            "ours, each figure drawn again, each error with its proof. A claim is a published "
            "number or statement.</p><div class='frame'><table><thead><tr><th>page</th>"
            "<th>claims</th>" + "".join(f"<th>{s}</th>" for s in STATUSES)
            + "<th>failed</th><th></th></tr></thead><tbody>" + "".join(rows)
            + "</tbody></table></div>"
            "<ul><li><b>reproduced</b>: ours is the published number within the tolerance.</li>"
            "<li><b>compatible</b> (random draws differ): ours is within the spread of the "
            "authors' random draws, which is more than 2 % of the number.</li>"
            "<li><b>own</b>: a statement of softclust that replaces a wrong one.</li>"
            "<li><b>corrected</b>: the published number is wrong; the page has the proof.</li>"
            "<li><b>unreachable</b>: data or settings of the paper are not known; the page says "
            "which.</li></ul>")
    return page_html(body, page="index", pages=pages, footer=footer)
