"""The numbers of a report as JSON data: version 1 of the schema.

Top level: format, version, softclust, complete, interrupted, date, command, settings, versions,
steps, then the keys of the sections (data, number_of_clusters, clusterings, label_agreement,
label_ranking, agreement, stability, changed, replication), objects, text. Keys are added while the
version stays, never changed or removed. Undefined and unreached numbers are null. Clusters are
numbered from 1 in the
order of k-means, from the largest to the smallest. ``text`` is for people: its wording may change
at any time.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import TYPE_CHECKING, Any

from ..results.text import counting_from
from ..results.writing import plainly
from . import words as w
from .section import Prose, every, in_short, sections

if TYPE_CHECKING:
    from .record import Report

FORMAT, VERSION = "softclust-report", 1
#: objects up to which their labels are in the data
LISTED_OBJECTS = 100_000


def as_data(report: Report) -> dict[str, Any]:
    """The report as dicts and lists that JSON can hold."""
    data: dict[str, Any] = {
        "format": FORMAT, "version": VERSION, "softclust": report.versions["softclust"],
        "complete": report.complete, "interrupted": report.interrupted or None,
        "date": report.date, "command": report.command or None,
        "settings": dataclasses.asdict(report.plan) | {"scale": report.objects.scale},
        "versions": report.versions, "steps": [dataclasses.asdict(step) for step in report.steps]}
    with counting_from(1):
        for section in sections():
            data |= section.data(report)
    o, objects = report.objects, None
    if o.n_objects <= LISTED_OBJECTS:
        objects = {"names": o.names, "clusters": {
            fit.key: fit.labels.labels + 1 for fit in report.done_fits if fit.labels is not None},
            "stable_share": None if report.stability is None else report.stability.share.round(6)}
    text = {section.key: [text for block in every(section.blocks(report))
                          if isinstance(block, Prose) for text in block.texts]
            for section in sections(o)} | {"in_short": in_short(report)}
    plain: dict[str, Any] = plainly(data | {"objects": objects, "text": text})
    return plain


# -- A report as one HTML page without references to anything outside it --------------------------
#: the markers of clusters in the pictures, of a square of 10 units
_SHAPES = ('<circle cx="5" cy="5" r="4"/>', '<path d="M1.5 1.5h7v7h-7z"/>',
           '<path d="M5 .3 9.7 5 5 9.7 .3 5z"/>', '<path d="M5 1 9.3 8.8H.7z"/>',
           '<path d="M5 9 .7 1.2h8.6z"/>',
           '<path d="M3.5 1h3v2.5H9v3H6.5V9h-3V6.5H1v-3h2.5z"/>',
           '<path d="M3 1 5 3l2-2 2 2-2 2 2 2-2 2-2-2-2 2-2-2 2-2-2-2z"/>',
           '<path d="M.8 5 9 .7v8.6z"/>')


def jinja() -> Any:
    """The module jinja2; ImportError that names the remedy when it is missing."""
    try:
        import jinja2
    except ImportError as error:
        raise ImportError('the HTML page of a report needs jinja2, which is not installed: pip '
                          'install "softclust[report]"; to_json and summary work without it'
                          ) from error
    return jinja2


def page(report: Report) -> str:
    """The whole page."""
    o = report.objects
    parts = [{"key": one.key, "title": one.title(o),
              "blocks": [*one.blocks(report), one.problems(report)]} for one in sections(o)]
    facts = (f"{w.many(o.n_objects, 'object')}, {w.many(len(o.columns), 'feature')}, "
             f"{len(report.done_fits)} clusterings; seed {report.plan.seed}")
    text: str = _environment().get_template("page.html.j2").render(
        report=report, parts=parts, title=f"Clusters in {o.source}", facts=facts)
    return text + "\n"


@functools.cache
def _environment() -> Any:
    jinja2 = jinja()
    made = jinja2.Environment(loader=jinja2.PackageLoader(__package__, "templates"),
                              autoescape=True, undefined=jinja2.StrictUndefined)
    made.filters |= {"prose": prose, "marked": marked, "drawn": drawn}
    return made


# -- filters of the template: text in, HTML out -----------------------------------------------
def prose(text: str) -> Any:
    """Text as HTML; options as code, and no line break within names such as k-means."""
    from markupsafe import Markup, escape
    coded = re.sub(
        r"(?<![\w-])(--[a-z][a-z-]*(?: (?:[\d:]+|none|standard|all))?|"
        r"[a-z_]+=(?:\w|&#39;|&#34;)+)", r'<code class="nb">\1</code>', str(escape(text)))
    return Markup(re.sub(r"\b(?:\w+ )?[kc]-means\b", r'<span class="nb">\g<0></span>', coded))


def marked(text: str) -> Any:
    """`prose`; "cluster 1" at its beginning gets the marker of cluster 1 in the pictures."""
    from markupsafe import Markup

    from ..plotting.figures import PALETTE

    def with_marker(found: re.Match[str]) -> str:
        k = int(found[1]) - 1
        return ('<span class="nb"><svg class="marker" viewBox="0 0 10 10" aria-hidden="true" '
                f'fill="{PALETTE[k % len(PALETTE)]}">{_SHAPES[k % len(_SHAPES)]}</svg>{found[0]}'
                "</span>")
    return Markup(re.sub(r"^[Cc]luster (\d+)\b", with_marker, str(prose(text))))


def drawn(svg: str, alt: str) -> Any:
    """A picture with its alternative text; the drawing is ours, the text is escaped."""
    from markupsafe import Markup, escape
    return Markup(svg.replace("<svg ", f'<svg role="img" aria-label="{escape(alt)}" ', 1))
