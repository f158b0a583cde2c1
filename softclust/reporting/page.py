"""A report as one HTML page without references to anything outside it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from . import sentences
from . import words as w
from .pictures import principal
from .short import in_short

if TYPE_CHECKING:
    from .fits import Fit
    from .record import Report

#: features in the table of cluster means; doubtful objects that are listed; groups in a table
FEATURES, DOUBTFUL, GROUPS = 12, 10, 15
#: features that are described at all
DESCRIBED = 200

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="softclust {version}">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<div class="frame">
<header>
<h1>{title}</h1>
<p>{facts}</p>
</header>
<div class="columns">
<nav aria-labelledby="contents">
<h2 id="contents">Contents</h2>
<ol>
{contents}
</ol>
</nav>
<main id="main">
{body}
</main>
</div>
<footer><p>Made by softclust {version}, {date}.</p></footer>
</div>
</body>
</html>
"""


def page(report: Report) -> str:
    """The whole page."""
    sections = [("short", "In short", _short(report)), ("data", "The data", _data(report)),
                ("number", "How many clusters", _number(report)),
                ("clusterings", "Clusterings", _clusterings(report))]
    if report.objects.label is not None:
        sections.append(("label", f"Agreement with {report.objects.label_name}", _label(report)))
    sections += [("agreement", "Agreement among the clusterings", _agreement(report)),
                 ("stability", "Stability", _stability(report)),
                 ("made", "How this was made", _made(report))]
    boxed = {"short": ' class="short"'}
    body = "\n".join(f'<section id="{key}"{boxed.get(key, "")}>\n<h2>{escape(title)}</h2>\n'
                     f"{text}\n</section>" for key, title, text in sections)
    o = report.objects
    return PAGE.format(
        title=escape(f"Clusters in {o.source}"), version=escape(report.versions["softclust"]),
        date=escape(report.date), style=style(), body=body,
        facts=escape(f"{w.many(o.n_objects, 'object')}, {w.many(len(o.columns), 'feature')}, "
                     f"{len(report.done_fits)} clusterings; seed {report.plan.seed}"),
        contents="\n".join(f'<li><a href="#{key}">{escape(title)}</a></li>'
                           for key, title, _ in sections))


def style() -> str:
    """The style sheet."""
    return files(__package__).joinpath("page.css").read_text(encoding="utf-8")


# -- pieces -----------------------------------------------------------------------------------
def prose(text: str) -> str:
    """Text as HTML; options as code, and no line break within names such as k-means."""
    text = re.sub(r"(?<![\w-])(--[a-z][a-z-]*(?: (?:[\d:]+|none|standard|all))?|[a-z_]+=[\w']+)",
                  r'<code class="nb">\1</code>', escape(text, quote=False))
    return _together(text)


def _together(text: str) -> str:
    """HTML without line breaks within names of algorithms."""
    return re.sub(r"\b(?:\w+ )?[kc]-means\b", r'<span class="nb">\g<0></span>', text)


def paragraphs(texts: Iterable[str]) -> str:
    """A paragraph each."""
    return "\n".join(f"<p>{prose(text)}</p>" for text in texts)


def table(headers: Sequence[str], rows: Iterable[Sequence[str]], *, caption: str,
          numbers: Iterable[int] = (), best: Iterable[tuple[int, int]] = ()) -> str:
    """A table whose first column names the rows; it scrolls by itself where it is too wide."""
    right, marked = set(numbers), set(best)

    def kind(i: int, j: int) -> str:
        names = ["num"] * (j in right) + ["best"] * ((i, j) in marked)
        return f' class="{" ".join(names)}"' if names else ""

    lines = [f"<table>\n<caption><span>{escape(caption)}</span></caption>\n<thead>\n<tr>"]
    lines += [f'<th scope="col"{kind(-1, j)}>{escape(h)}</th>' for j, h in enumerate(headers)]
    lines.append("</tr>\n</thead>\n<tbody>")
    for i, row in enumerate(rows):
        cells = [f'<th scope="row"{kind(i, 0)}>{_together(escape(row[0]))}</th>']
        cells += [f"<td{kind(i, j)}>{escape(cell)}</td>" for j, cell in enumerate(row) if j]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</tbody>\n</table>")
    return (f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(caption)}">\n'
            + "\n".join(lines) + "\n</div>")


def picture(report: Report, name: str, *, alt: str, caption: str = "", size: str = "middle"
            ) -> str:
    """A figure with its alternative text; empty when the picture is not there."""
    svg = report.pictures.get(name)
    if svg is None:
        return ""
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{escape(alt)}" ', 1)
    if size == "wide":
        svg = ('<div class="scroll wide" tabindex="0" role="region" aria-label="picture">'
               f"{svg}</div>")
    below = f"\n<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f'<figure class="{size}">\n{svg}{below}\n</figure>'


def _problems(report: Report, *prefixes: str) -> str:
    """What went wrong or was not reached in the steps with these names."""
    said, missed = [], []
    for step in report.steps:
        key = step.name.partition(":")[2]
        if (not step.name.startswith(prefixes) or (step.state == "done" and not step.message)
                or (step.state == "failed" and any(f.key == key and f.failure
                                                   for f in report.fits))):
            continue   # the failure of an algorithm is told where it is described
        if step.state == "not reached":
            missed.append(step.title)
        else:
            what = {"interrupted": "interrupted here", "failed": step.message,
                    "done": f"done, with a warning: {step.message}"}[step.state]
            said.append(f"{sentences.capital(step.title)}: {what}.")
    if missed:
        said.append(f"Not reached before the interruption: {w.both(missed)}.")
    return "\n".join(f'<p class="missing">{prose(text)}</p>' for text in said)


# -- sections ---------------------------------------------------------------------------------
def _short(report: Report) -> str:
    items = "\n".join(f"<li>{prose(text)}</li>" for text in in_short(report))
    return f"<ul>\n{items}\n</ul>"


def _data(report: Report) -> str:
    o = report.objects
    shares = principal(o.x)[1]
    rows = [[name, *(w.general(float(v)) for v in (o.mean[q], o.deviation[q], o.least[q],
                                                  o.most[q]))]
            for q, name in enumerate(o.columns[:DESCRIBED])]
    parts = [paragraphs(sentences.data(report, shares)),
             picture(report, "data", alt=_data_alt(report), caption=_drawn(report))]
    features = table(["feature", "mean", "standard deviation", "least", "largest"], rows,
                     caption="Features as given", numbers=range(1, 5))
    if len(rows) > FEATURES:
        how = (f"All {len(rows)} features" if len(rows) == len(o.columns) else
               f"The first {len(rows)} of {w.whole(len(o.columns))} features")
        features = f"<details>\n<summary>{how}</summary>\n{features}\n</details>"
    parts.append(features)
    if o.label is not None:
        sizes = np.bincount(o.label.labels, minlength=o.label.n_clusters)
        names = o.label.cluster_names or range(o.label.n_clusters)
        parts.append(table(
            [o.label_name, "objects", "share"],
            [[str(names[k]), w.whole(int(sizes[k])), w.percent(sizes[k] / o.label.n_objects)]
             for k in range(len(sizes))], caption="Groups of the label", numbers=(1, 2)))
    return "\n".join([*parts, _problems(report, "picture:data")])


def _data_alt(report: Report) -> str:
    o = report.objects
    shares = principal(o.x)[1]
    text = (f"Scatter plot of {w.many(min(o.n_objects, report.plan.n_drawn), 'object')} in the "
            "first two principal components, which keep "
            f"{w.percent(float(shares[:2].sum()))} of the variance")
    if o.label is None:
        return f"{text}."
    sizes = np.bincount(o.label.labels, minlength=o.label.n_clusters)
    groups = [f"{name} ({w.whole(int(size))})" for name, size in zip(
        sentences.group_names(report)[:GROUPS], sizes)]
    return f"{text}, coloured by {o.label_name}: {w.both(groups)}."


def _drawn(report: Report) -> str:
    n, m = report.objects.n_objects, report.plan.n_drawn
    text = "The objects in the first two principal components"
    return f"{text}." if m == n else (f"{text}: {w.whole(m)} of {w.whole(n)}, drawn at random.")


def _number(report: Report) -> str:
    said = sentences.number(report)
    if len(report.plan.candidates) == 1:
        return paragraphs(said)
    figures = [picture(report, f"number:{name}", size="small", alt=_curve_alt(report, name),
                       caption=f"{_curve_name(name)}: {_best(name, c.rule)} is best (ringed)")
               for name, c in report.criteria.items() if c.best]
    if report.label_curve:
        figures.append(picture(
            report, "number:label", size="small", caption="Not used for the choice: agreement of "
            f"k-means with {report.objects.label_name}",
            alt="Adjusted Rand index of k-means and the label: " + ", ".join(
                f"{w.value(v)} for {k} clusters" for k, v in report.label_curve.items()) + "."))
    headers, rows = ["clusters"], [[str(k)] for k in report.plan.candidates]
    best = []
    for name, chosen in report.criteria.items():
        headers.append(name)
        order = [list(chosen.n_clusters).index(k) for k in report.plan.candidates]
        for i, at in enumerate(order):
            rows[i].append(w.general(float(chosen.criterion[at, 0])))
            if report.plan.candidates[i] == chosen.best:
                best.append((i, len(headers) - 1))
                rows[i][-1] += " *"
    if report.label_curve:
        headers.append("label (ARI)")
        for i, k in enumerate(report.plan.candidates):
            rows[i].append(w.value(report.label_curve.get(k, math.nan)))
    parts = [paragraphs(said[-1:] if not report.criteria else []),
             f'<div class="figures">\n{"".join(figures)}\n</div>' if any(figures) else "",
             table(headers, rows, caption="Criteria by number of clusters (* the choice of each)",
                   numbers=range(len(headers)), best=best) if len(headers) > 1 else "",
             paragraphs(said if report.criteria else []), _problems(report, "number:",
                                                                    "picture:number")]
    return "\n".join(p for p in parts if p)


_BEST = {"silhouette": "the largest", "gap": "the first within one standard error of the next",
         "entropy": "the least"}


def _best(name: str, rule: str) -> str:
    return "the largest" if rule == "max" else _BEST[name]


def _curve_name(name: str) -> str:
    return {"silhouette": "Silhouette", "gap": "Gap statistic", "entropy": "Entropy"}[name]


def _curve_alt(report: Report, name: str) -> str:
    c = report.criteria[name]
    values = ", ".join(f"{w.value(float(v))} for {k}" for k, v in zip(c.n_clusters,
                                                                      c.criterion[:, 0]))
    return f"{_curve_name(name)} by number of clusters: {values}; best {c.best}."


def _clusterings(report: Report) -> str:
    parts = []
    if report.fits:
        rows = []
        for fit in report.fits:
            if fit.clustering is None or fit.labels is None:
                rows.append([fit.title, "failed", ""])
                continue
            sizes = np.bincount(fit.labels.labels, minlength=fit.clustering.n_clusters)
            shown = ", ".join(w.whole(int(s)) for s in sizes[:GROUPS])
            rows.append([fit.title, fit.clustering.kind,
                         shown + (", ..." if sizes.size > GROUPS else "")])
        parts.append(table(["algorithm", "kind", "objects by cluster (hardened)"], rows,
                           caption=f"The algorithms, {report.n_clusters} clusters each; cluster "
                           "numbers mean the same in all"))
    figures = [picture(report, f"clusters:{fit.key}", size="small",
                       alt=_clusters_alt(fit),
                       caption=fit.title) for fit in report.done_fits]
    if any(figures):
        parts.append(f'<div class="figures">\n{"".join(figures)}\n</div>')
        parts.append(paragraphs([
            "Colour and shape show the most plausible cluster; colours turn grey where an object "
            "belongs to several. Hollow: more than one cluster is possible. Cross: outlier. "
            + ("Colours and shapes repeat after seven clusters. "
               if (report.n_clusters or 0) > 7 else "") + _drawn(report)]))
    parts += [paragraphs(f"{sentences.clustering(fit)}"
                         + (f" Settings: {fit.settings}." if fit.settings else "")
                         for fit in report.fits), _profiles(report),
              _problems(report, "cluster:", "bagging", "picture:clusterings")]
    return "\n".join(p for p in parts if p)


def _clusters_alt(fit: Fit) -> str:
    """What the scatter plot of a clustering shows."""
    assert fit.labels is not None
    sizes = np.bincount(fit.labels.labels, minlength=fit.labels.n_clusters)
    shown = w.both(f"cluster {k + 1} with {w.many(int(size), 'object')}"
                   for k, size in enumerate(sizes[:GROUPS]))
    return f"Scatter plot of the objects by the clusters of {fit.title}: {shown}."


def _profiles(report: Report) -> str:
    fit, o = report.fit("k-means"), report.objects
    if fit is None or fit.labels is None:
        return ""
    x, labels, k = o.original(), fit.labels.labels, fit.labels.n_clusters
    sizes = np.bincount(labels, minlength=k)
    means = np.array([x[labels == c].mean(axis=0) for c in range(k) if sizes[c]])
    present = [c for c in range(k) if sizes[c]]
    between = (sizes[present, None] * ((means - o.mean) / o.deviation) ** 2).sum(axis=0)
    shown = np.sort(np.argsort(-between, kind="stable")[:FEATURES])
    rows = [[o.columns[q], *(w.general(float(m[q])) for m in means), w.general(float(o.mean[q]))]
            for q in shown]
    more = len(o.columns) - len(shown)
    return "\n".join([
        "<h3>What the clusters of k-means are like</h3>",
        "<ul>\n" + "\n".join(f"<li>{escape(t)}</li>" for t in sentences.profiles(report))
        + "\n</ul>",
        table(["feature", *(f"cluster {c + 1}" for c in present), "all"], rows,
              caption="Means in the units of the data" + (
                  f"; {more} features that differ less between clusters are not shown" if more
                  else ""), numbers=range(1, len(present) + 2))])


def _label(report: Report) -> str:
    rows, best = [], []
    values = {}
    for i, (key, against) in enumerate(report.against.items()):
        hard, moved = against.labels.rows[0], against.labels.rows[1]
        index, interval = against.soft.rows[0], against.soft.rows[1]
        fit = report.fit(key)
        assert fit is not None
        values[i] = -math.inf if math.isnan(hard.low) else hard.low
        rows.append([
            fit.title, w.value(hard.low, (hard.ci_high - hard.ci_low) / 2),
            w.limits(hard.ci_low, hard.ci_high), w.whole(round(moved.low)),
            w.interval(interval.low, interval.high),
            w.limits(interval.ci_low, interval.ci_high), w.value(index.chance)])
    parts = []
    if rows:
        top = max(values.values())
        best = [(i, 1) for i, v in values.items() if v == top]
        parts.append(picture(report, "label", alt=f"Agreement of each clustering with "
                             f"{report.objects.label_name}; the numbers are in the table below."))
        parts.append(table(
            ["algorithm", "adjusted Rand index", "95 % limits", "objects to move",
             "alpha-Rand interval", "95 % limits", "chance level"], rows, best=best,
            numbers=range(1, 7), caption=f"Agreement with {report.objects.label_name} (bold: "
            "largest adjusted Rand index; chance level: of the alpha-Rand index at alpha = 1/2)"))
    parts += [paragraphs(sentences.label(report)), _ranking(report), _cross_tables(report),
              _problems(report, "label:", "picture:label")]
    return "\n".join(p for p in parts if p)


def _ranking(report: Report) -> str:
    """Which algorithm is nearest to the label."""
    ranking = report.ranking
    if ranking is None:
        return ""
    rows = [[ranking.names[i], w.value(float(ranking.gain[i])),
             w.limits(float(ranking.low[i]), float(ranking.high[i])),
             "yes" if i in ranking.possibly_best else "no"] for i in ranking.order]
    return "\n".join([
        "<h3>Which algorithm is nearest to the label?</h3>",
        table(["algorithm", "lead", f"{100 * ranking.level:g} % limits", "may be the nearest"],
              rows, numbers=range(1, 3), caption="Lead in the adjusted Rand index over the best of "
              "the others; the limits hold together")])


def _cross_tables(report: Report) -> str:
    label = report.objects.label
    if label is None or label.n_clusters > GROUPS or (report.n_clusters or 0) > GROUPS:
        return ""
    parts = []
    names = label.cluster_names or range(label.n_clusters)
    for key in report.against:
        fit = report.fit(key)
        if fit is None or fit.labels is None:
            continue
        counts = np.zeros((label.n_clusters, fit.labels.n_clusters), dtype=np.int64)
        np.add.at(counts, (label.labels, fit.labels.labels[report.objects.labelled]), 1)
        parts.append(table(
            [report.objects.label_name, *(f"cluster {c + 1}" for c in range(counts.shape[1]))],
            [[str(names[g]), *(w.whole(int(v)) for v in counts[g])] for g in range(len(counts))],
            caption=f"Objects by {report.objects.label_name} and cluster: {fit.title}",
            numbers=range(1, counts.shape[1] + 1)))
    return ("<details>\n<summary>Objects by group and cluster, for each algorithm</summary>\n"
            + "\n".join(parts) + "\n</details>") if parts else ""


def _agreement(report: Report) -> str:
    said = sentences.agreement(report)
    parts = [paragraphs(said[:1]), picture(
        report, "matrix", size="wide", alt="Heat map of the alpha-Rand intervals between all pairs "
        "of clusterings; the numbers are in the table below.",
        caption="Light cells: more alike. Upper left half of a cell: ambiguity forgiven; lower "
                "right half: counted as error.")]
    if report.matrix is not None:
        m = report.matrix
        rows = [[name, *("" if j < i else w.interval(float(m.lower[i, j]), float(m.upper[i, j]))
                         for j in range(len(m)))] for i, name in enumerate(m.names)]
        parts.append("<details>\n<summary>The matrix as a table</summary>\n" + table(
            ["", *m.names], rows, caption="Alpha-Rand intervals", numbers=range(1, len(m) + 1))
            + "\n</details>")
    parts += [paragraphs(said[1:3]), picture(
        report, "circles", alt="Map of the clusterings as circles: near circles are alike, large "
        "ones ambiguous.", caption="Map of the clusterings. Only distances count; the axes have "
        "no meaning of their own."), paragraphs(said[3:]),
        _problems(report, "agreement", "picture:agreement")]
    return "\n".join(p for p in parts if p)


def _stability(report: Report) -> str:
    s, o = report.stability, report.objects
    parts = [paragraphs(sentences.stability(report)),
             picture(report, "stability", alt="Scatter plot of the objects by the share of refits "
                     "that agree on their cluster.", caption=_drawn(report)
                     + " Doubtful objects lie on top.")]
    if s is not None:
        fit = report.fit("bagged")
        if fit is not None and fit.labels is not None:
            sizes = np.bincount(fit.labels.labels, minlength=s.by_cluster.size)
            parts.append(table(
                ["cluster", "objects", "mean share of refits that agree"],
                [[str(c + 1), w.whole(int(sizes[c])), w.value(float(s.by_cluster[c]))]
                 for c in range(sizes.size)], caption="Stability by cluster", numbers=(1, 2)))
        order = [int(i) for i in np.argsort(s.share, kind="stable")[:DOUBTFUL]
                 if s.share[i] < 0.95]
        if order and fit is not None and fit.labels is not None:
            parts.append("<details>\n<summary>The most doubtful objects</summary>\n" + table(
                ["object", "cluster", "share of refits that agree", "entropy (bits)"],
                [[o.name(i), str(int(fit.labels.labels[i]) + 1), w.value(float(s.share[i])),
                  w.value(float(s.entropy[i]))] for i in order],
                caption=f"The {len(order)} least stable objects", numbers=(1, 2, 3))
                + "\n</details>")
    parts.append(_problems(report, "bagging", "picture:stability"))
    return "\n".join(p for p in parts if p)


def _made(report: Report) -> str:
    from .method import method
    parts = [paragraphs(method(report))]
    pairs = [("seed", str(report.plan.seed)),
             ("versions", ", ".join(f"{k} {v}" for k, v in report.versions.items()))]
    if report.command:
        parts.append(f"<p>Made again by <code>{escape(report.command)}</code></p>")
    parts.append("<dl>\n" + "\n".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>"
                                      for k, v in pairs) + "\n</dl>")
    from .method import REFERENCES
    parts.append("<h3>References</h3>\n<ul>\n" + "\n".join(f"<li>{escape(r)}</li>"
                                                           for r in REFERENCES) + "\n</ul>")
    return "\n".join(parts)
