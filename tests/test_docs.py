"""The guide: its examples give what it prints, its links lead somewhere, it builds in silence."""

import doctest
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import links
import pytest

import softclust as sc
from softclust.measures import registry

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(page for page in DOCS.rglob("*.md")
               if not {"_build", "generated"} & set(page.relative_to(DOCS).parts))
#: its blocks are files to be saved; tests/test_add_a_measure.py runs them
FILES = ("add-a-measure",)
#: its story is told by tests/test_cli.py, too, which asks for its sentences
LONG = ("tutorial",)
#: pages whose examples need packages that the tests do not bring: extra "tutorials"
NEEDED = {"single-cell": ("scanpy", "igraph")}
#: what people who know other packages look for -> a page of the guide
SEARCHED = {
    "p-value": "chance", "significance": "chance", "confidence interval": "confidence-intervals",
    "noise": "noise-and-missing", "large data": "scaling", "consensus": "bagging-consensus",
    "dendrogram": "comparing-trees", "posterior": "posterior-samples", "R": "getting-started-r",
    "number of clusters": "number-of-clusters", "stability": "stability",
    "fuzzy": "comparing-soft", "overlapping": "overlapping-communities", "v_measure": "coming-from",
    "record linkage": "record-linkage", "coreference": "words-of-your-field",
    "segmentation": "words-of-your-field", "diarization": "words-of-your-field",
    "scanpy": "single-cell", "topic model": "topic-models"}
#: fourteen questions: the page that answers, and what the first 40 lines of it have
QUESTIONS = {"known-classes": "softclust.compare(", "comparing-soft": "FuzzyClustering(",
             "noise-and-missing": "noise=", "confidence-intervals": 'ci="jackknife"',
             "chance": "p_value", "rank-clusterings": "rank_clusterings(",
             "which-setting": "compare_settings(", "stability": "cluster_stability(",
             "bagging-consensus": "consensus(", "posterior-samples": "posterior_partition(",
             "overlapping-communities": "CoverClustering", "comparing-trees": "dendrogram_curve(",
             "scaling": "a million objects?", "getting-started-r": "sc_compare("}
JIT_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
#: pages on which seconds are the data, or what softclust does by itself, not what it takes
TIMES_OF_DATA = {"interoperability", "installation"}
#: folders whose Markdown is ours
OWN = ("", "docs", "docs/reference", "r_bridge", "r_bridge/softclust",
       "r_bridge/softclust/vignettes", "vignettes", "tests", "tests/golden")


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"),
                      flags=re.MULTILINE | re.DOTALL)


# -- examples ------------------------------------------------------------------------------------
@pytest.mark.parametrize("page", [
    pytest.param(page, id=page.stem, marks=[pytest.mark.slow] * (page.stem in LONG))
    for page in PAGES if blocks(page, "python") and page.stem not in FILES])
def test_python_examples_give_what_is_printed(page):
    for package in NEEDED.get(page.stem, ()):
        if importlib.util.find_spec(package) is None:
            # An extra of its own (scanpy brings forty packages), not in the one for development.
            pytest.skip(f"{page.name} needs {package}")
    threads = sc.get_num_threads()
    text = "\n".join(blocks(page, "python"))
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, page.name, 0)
    assert test.examples
    said = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    result = doctest.DocTestRunner(optionflags=flags).run(test, out=said.append)
    assert not result.failed, "".join(said)
    assert sc.get_num_threads() == threads


@pytest.mark.parametrize("page", [page for page in PAGES if page.stem not in FILES],
                         ids=lambda page: page.stem)
def test_python_blocks_are_doctests(page):
    for block in blocks(page, "python"):
        assert block.startswith(">>> "), f"{page.name}: not run by the tests:\n{block}"


def test_commands_named_exist():
    from softclust.cli import main
    text = "\n".join(block for page in PAGES for block in blocks(page, "console"))
    named = set(re.findall(r"^softclust ([a-z]+)", text, re.MULTILINE))
    assert {"compare", "report", "measures"} <= named
    for command in named:
        assert main([command, "--help"]) == 0


def test_options_named_exist(capsys):
    from softclust.cli import main
    text = (DOCS / "command-line.md").read_text(encoding="utf-8")
    for command in ("compare", "report", "count", "chance", "measures", "demo"):
        main([command, "--help"])
    helped = capsys.readouterr().out
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)) - {"--help"}:
        assert option in helped, f"docs/command-line.md names {option}"


# -- completeness --------------------------------------------------------------------------------
def test_every_public_name_is_in_the_reference():
    text = "\n".join(page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("*.md"))
    listed = re.findall(r"^   (?:results\.)?(\w+)$", text, re.MULTILINE)
    assert len(listed) == len(set(listed)), "listed twice"
    modules = ("cluster", "datasets", "plotting", "results")
    # The package of measures has a page of its own.
    public = {name for name in sc._public() if not name.startswith("_")} - {*modules, "measures"}
    public |= {name for module in modules for name in getattr(sc, module).__all__}
    assert public - {"experimental"} == set(listed)


def test_every_public_name_is_on_a_page_of_the_guide():
    guide = "".join(path.read_text(encoding="utf-8") for path in DOCS.glob("*.md"))
    names = {name for name in sc._public() if not name.startswith("_")}
    assert not names - set(re.findall(r"\w+", guide))


def test_every_page_is_in_the_table_of_contents():
    named = set()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for tree in re.findall(r"^```\{toctree\}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            named |= {(page.parent / line).with_suffix(".md") for line in tree.splitlines()
                      if line and not line.startswith(":")}
    assert named | {DOCS / "index.md"} == set(PAGES)


def test_pictures_are_drawn_by_a_script():
    scripts = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "scripts").glob("*.py"))
    for picture in (DOCS / "pictures").iterdir():
        assert f"{picture.stem}" in scripts, f"nothing draws {picture.name}"


def test_claims_of_speed_follow_the_measured_table():
    """Sentences about time say no more than `make bench` wrote into the guide."""
    def prose(name):
        return " ".join((DOCS / f"{name}.md").read_text(encoding="utf-8").split())

    text = (DOCS / "reference" / "benchmarks.md").read_text(encoding="utf-8")
    measured = {name: float(value) for name, value in
                re.findall(r"^\| (.*?) \| ([\d.]+) \| [<>]= ", text, re.MULTILINE)}
    bagging = [value for name, value in measured.items() if name.startswith("bagging")
               and "scikit-learn" in name]
    assert len(bagging) == 3
    assert "two to sixty times as fast as scikit-learn's in a loop" in prose("bagging-consensus")
    assert 2 < min(bagging) <= max(bagging) < 60
    draws = measured["posterior_partition of 10,000 draws of 10,000 objects: seconds"]
    assert "10,000 draws of 10,000 objects take less than a minute" in prose("posterior-samples")
    assert draws < 60
    first = [value for name, value in measured.items() if name.startswith(
        ("compare two", "alpha_rand_index of two", "four c-means", "fuzzy c-means of digits"))]
    assert len(first) == 5
    assert "This adds a few seconds to the first call" in prose("installation")
    assert max(first) < 4
    assert max(value for name, value in measured.items()
               if name in ("softclust demo", "bagging of digits, 200 replicates")) < 60
    assert measured["alpha-Rand of 100,000 objects: MB above the inputs"] < 150


MEASURED = re.compile(r"\b\d[\d.]* (?:ms|s|seconds?|minutes?)\b|[Ii]n simulations|"
                      r"[Ss]imulated coverage|were (?:simulated|sampled) \d+ times")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_measured_numbers_name_the_script_that_measures_them(page):
    """Times and simulated shares come from a script, or the page says that they are not redone."""
    text = "".join(re.split(r"^```.*?^```$", page.read_text(encoding="utf-8"),
                            flags=re.MULTILINE | re.DOTALL))
    named = re.findall(r"tests/[\w/]+\.py|make bench", text)
    assert all((ROOT / name).exists() for name in named if name != "make bench")
    if page.stem not in TIMES_OF_DATA and MEASURED.search(" ".join(text.split())):
        assert named or "not redone" in text, MEASURED.findall(" ".join(text.split()))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_paragraph_stands_on_a_page_twice(page):
    prose = re.split(r"^```.*?^```$", page.read_text(encoding="utf-8"),
                     flags=re.MULTILINE | re.DOTALL)
    long = [text for part in prose for text in part.split("\n\n") if len(text) > 120]
    assert len(long) == len(set(long))


def test_each_term_of_the_glossary_has_a_definition():
    terms = (DOCS / "glossary.md").read_text(encoding="utf-8").split("## Terms\n\n")[1]
    for entry in terms.strip().split("\n\n"):
        assert entry.split("\n")[1].startswith(": "), entry


# -- links ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("page", [*PAGES, *sorted((DOCS / "theory").glob("*.md"))],
                         ids=lambda page: page.stem)
def test_rows_of_a_table_have_equally_many_cells(page):
    """A bar inside a formula cuts the cell: write \\lvert, \\rvert or \\mid."""
    before = 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        bars = line.count("|") - line.count("\\|") if line.startswith("|") else 0
        assert not (before and bars) or bars == before, f"{page.name}:{number}"
        before = bars


@pytest.mark.parametrize("folder", OWN, ids=lambda folder: folder or "top")
def test_links_in_markdown(folder):
    wrong = []
    for page in sorted((ROOT / folder).glob("*.*md")):
        wrong += links.check_markdown(page, ROOT)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(("text", "expected"), [
    ("[a](no.md)", "no such file"), ("[a](b.md#there)", ""),
    ("[a](b.md#nowhere)", "no such heading"),
    ("![p](p.svg)", "no such file"), ("[a](#own-heading)", ""), ("[a](#other)", "no such heading"),
    ("[a](../../../x.md)", "leads out"), ("`[a](no.md)`", ""), ("```\n[a](no.md)\n```", ""),
    ("[a](https://example.org/x)", ""), ("[a](htp://example.org)", "scheme"),
    ("[a](https://example)", "no host"), ("[a](mailto:me)", "no mail address"),
    ("[a]: no.md", "no such file"), ('<img src="no.png">', "no such file"),
])
def test_the_link_checker_sees(tmp_path, text, expected):
    (tmp_path / "b.md").write_text("# B\n\n## There\n", encoding="utf-8")
    page = tmp_path / "a.md"
    page.write_text(f"# Own heading\n\n{text}\n", encoding="utf-8")
    wrong = links.check_markdown(page, tmp_path)
    assert bool(wrong) == bool(expected)
    assert not expected or expected in wrong[0]


@pytest.mark.parametrize(("text", "expected"), [
    ('<a href="no.html">', "no such file"), ('<a href="b.html#x">', ""),
    ('<a href="b.html#y">', "no such anchor"),
    ('<img src="https://x.org/a.png" alt="a">', "network"),
    ('<script src="//cdn.org/a.js"></script>', "network"), ('<img src="b.html">', "without a text"),
    ('<link rel="stylesheet" href="https://fonts.org/f.css">', "network"),
    ('<a href="https://example.org">', ""), ('<a href="../x.html">', "leads out"),
    ('<img src="data:image/png;base64,AA" alt="a">', ""),
])
def test_the_checker_of_pages_sees(tmp_path, text, expected):
    (tmp_path / "b.html").write_text('<p id="x">', encoding="utf-8")
    (tmp_path / "a.html").write_text(text, encoding="utf-8")
    wrong = links.check_html(tmp_path)
    assert bool(wrong) == bool(expected)
    assert not expected or expected in wrong[0]


def test_styles_that_load_from_the_network_are_seen(tmp_path):
    (tmp_path / "a.css").write_text("@font-face { src: url('https://fonts.org/a.woff') }",
                                    encoding="utf-8")
    assert "loads https://fonts.org/a.woff" in links.check_html(tmp_path)[0]


@pytest.mark.parametrize("folder", ["softclust", "r_bridge", "tests", "vignettes", "scripts"])
def test_pages_cited_in_code_exist(folder):
    """Comments, messages and docstrings name pages of docs, and headings, that are there."""
    wrong = []
    for path in (ROOT / folder).rglob("*.*"):
        if path.suffix not in (".py", ".R", ".Rmd") or path.name == Path(__file__).name:
            continue
        for name, anchor in re.findall(r"\b(docs/[\w/-]+\.md)(?:#([\w-]+))?",
                                       path.read_text(encoding="utf-8")):
            page = ROOT / name
            if not page.exists() or (anchor and anchor not in links.heading_anchors(
                    page.read_text(encoding="utf-8"))):
                wrong.append(f"{path.relative_to(ROOT)}: {name}#{anchor}")
    assert not wrong, "\n".join(wrong)


# -- build ---------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def built(tmp_path_factory):
    pytest.importorskip("sphinx", reason="the guide needs softclust[docs]")
    if JIT_OFF:
        # Its examples run without JIT in the tests above; the build itself calls no kernel.
        pytest.skip("the guide has no kernels of its own: built with JIT only")
    folder = tmp_path_factory.mktemp("guide")
    for name in ("docs", "CHANGELOG.md", "CONTRIBUTING.md", "r_bridge/README.md",
                 "r_bridge/softclust/README.md", "vignettes/README.md", "vignettes/states.py"):
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("_build", "generated"))
        elif source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-j", "2", "-b", "html",
         str(folder / "docs"), str(folder / "html")],
        capture_output=True, text=True, timeout=300, env={**os.environ, "PYTHONPATH": str(ROOT)})
    return folder / "html", done


@pytest.mark.slow
def test_the_guide_builds_without_warnings(built):
    html, done = built
    assert done.returncode == 0, done.stderr
    # With a cold cache the examples announce that kernels are compiled: no warning of Sphinx.
    said = [line for line in done.stderr.splitlines() if not line.startswith("softclust: ")]
    assert not "".join(said).strip(), done.stderr
    pages = list((html / "reference" / "generated").glob("*.html"))
    assert len(pages) > 150
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert re.search(r'<dl class="py (function|class|exception)"', text), page.name
        assert "<p>" in text.split("</dt>", 1)[1], f"{page.name} says nothing"
    # Lists of functions have a summary for each.
    rows = re.findall(r'<tr class="row-.*?</tr>', (html / "reference" / "measures.html").read_text(
        encoding="utf-8"), flags=re.DOTALL)
    assert len(rows) > 80
    assert not [row for row in rows if re.sub(r"<[^>]+>", "", row).strip().endswith(")")]


@pytest.mark.slow
def test_links_of_the_built_pages(built):
    html, _ = built
    wrong = links.check_html(html)
    assert not wrong, "\n".join(wrong[:40])


@pytest.mark.slow
def test_built_pages_hide_no_markup(built):
    """What Sphinx did not understand would stand there as text."""
    html, _ = built
    for page in html.rglob("*.html"):
        if page.name in ("genindex.html", "search.html"):
            continue
        whole = page.read_text(encoding="utf-8")
        assert "doctest: +" not in whole, f"{page.relative_to(html)} shows a flag of doctest"
        text = re.sub(r"<pre>.*?</pre>|<script.*?</script>", "", whole, flags=re.DOTALL)
        shown = re.sub(r"<[^>]+>", "", text)
        for mark in ("&lt;!--", "--&gt;", "```", ":::", "{eval-rst}", "{toctree}"):
            assert mark not in shown, f"{page.relative_to(html)} shows {mark}"


@pytest.mark.slow
def test_search_knows_abbreviations_and_words_of_fields(built):
    """The first hit of the search is the index entry of the same spelling."""
    html, _ = built
    text = (html / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    pages = dict(enumerate(index["docnames"]))
    measures = {short: m.name for m in registry().values()
                for short in (*m.abbreviations, *(word.word for word in m.words))}
    expected = {short: f"reference/generated/softclust.{name}" for short, name in measures.items()}
    expected |= SEARCHED
    for word, page in expected.items():
        hits = [pages[hit[0]] for hit in index["indexentries"].get(word.lower(), [])]
        assert page in hits, f"a search for {word!r} leads to {hits}"


def test_questions_are_one_click_from_the_front_page():
    """Each of the fourteen questions has a card, and the page answers it on its first screen."""
    cards = dict(re.findall(r":::\{grid-item-card\} (.*)\n:link: (\S+)",
                            (DOCS / "index.md").read_text(encoding="utf-8")))
    assert set(QUESTIONS) <= set(cards.values())
    for page, answer in QUESTIONS.items():
        text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
        first = re.sub(r"^```\{index\}.*?^```$", "", text, flags=re.M | re.S).splitlines()[:40]
        assert answer in "\n".join(first), f"{page}: {answer} comes too late"


def extension(name):
    """A module of docs/_ext."""
    pytest.importorskip("docutils", reason="the guide needs softclust[docs]")
    spec = importlib.util.spec_from_file_location(name, DOCS / "_ext" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_reference_is_a_paragraph_and_no_initial_begins_a_list():
    pytest.importorskip("sphinx", reason="the guide needs softclust[docs]")
    lines = ["Of B.", "", "References", "----------", "K. Hornik (2005), A CLUE, in: R. N.",
             "Shepard, Journal 14.", "J.-P. Barthelemy, B. Leclerc (1995), The median, by",
             "M. I. T."]
    extension("guide").plain_text(None, "function", "f", None, None, lines)
    assert lines == [*lines[:4], r"\K. Hornik (2005), A CLUE, in: R. N.", "Shepard, Journal 14.",
                     "", "J.-P. Barthelemy, B. Leclerc (1995), The median, by", r"\M. I. T."]


def test_each_vignette_has_a_page_of_the_guide():
    states = (ROOT / "vignettes" / "README.md").read_text(encoding="utf-8")
    pages = [page.read_text(encoding="utf-8") for page in (DOCS / "replications").glob("*.md")]
    assert sorted(re.findall(r"<!-- claims of (\w+) -->", "".join(pages))) == sorted(
        re.findall(r"^<!-- page (\w+):", states, re.MULTILINE))


def test_printed_tables_are_shown_side_by_side():
    def claim(place, published, ours, status="reproduced"):
        return {"place": place, "published": published, "ours": ours, "status": status}

    pages = extension("replications")
    cells = [claim(f"Table 2, {row}, {column}", "0.25", "0.251234")
             for row in ("(a, b)", "c") for column in ("low", "high", "mean")]
    cells[1] = claim("Table 2, (a, b), high", "0.3", "0.5", "corrected")
    cells[4] = claim("Table 2, c, high", "0.3", "–", "unreachable")
    alone = claim("Table 2, c, seen once", "1", "1")
    ((name, (part,)),) = pages.printed_tables([*cells, alone, claim("Section 1, x, y", "1", "1")]
                                              ).items()
    assert name == "Table 2"
    assert pages.side_by_side(part)[1:-1] == [
        "|  | low | high | mean |", "|---|---|---|---|",
        "| (a, b) | 0.25 / 0.251 | 0.3 / **0.500** | 0.25 / 0.251 |",
        "| c | 0.25 / 0.251 | 0.3 / – † | 0.25 / 0.251 |"]


@pytest.mark.parametrize(("old", "new", "message"), [
    ("Table 7 | information", "Table 77 | information", "no row of truecluster for 'Table 7"),
    ("| tests/test_combination.py", "| tests/test_no.py", "no claim and no test of transport_mea"),
    ("| mmcc, consensus", "| mmc, consensus", "no attribute 'mmc'")])
def test_rows_of_the_papers_without_a_claim_or_call_are_errors(tmp_path, old, new, message):
    pages = extension("replications")
    assert len(pages.titles(DOCS)) == 8
    text = pages.ROWS.read_text(encoding="utf-8")
    assert old in text
    pages.ROWS = tmp_path / "paper_rows.txt"
    pages.ROWS.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises((ValueError, AttributeError), match=message):
        pages.all_rows(sc, ())


def test_built_vignettes_are_linked(tmp_path):
    pages = extension("replications")
    assert "make vignettes" in pages.link("prayatul", tmp_path)
    (tmp_path / "prayatul.html").write_text("", encoding="utf-8")
    assert 'href="../vignettes/prayatul.html"' in pages.link("prayatul", tmp_path)


def test_displayed_formulas_may_break_between_their_parts():
    formulas = extension("formulas")
    shown = formulas.mathml(r"E = |x - y| + 1 \ge -1, \quad S = \{k\}", as_block=True)
    assert re.sub(r"<(?!wbr|/?span)[^>]*>", "", shown) == (
        "<span>E=|x−y|<wbr>+1<wbr>≥−1,</span> <span>S={k}</span>")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_formulas_can_be_drawn_offline(page):
    formulas = extension("formulas")
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    text = re.sub(r"`[^`\n]*`", "", text)
    for shown, inline in re.findall(
            r"\$\$(.+?)\$\$|(?<![\\$\w])\$([^$\n]+?(?:\n[^$\n]+?)?)\$", text, re.S):
        assert "<math" in formulas.mathml(shown or inline, bool(shown))
