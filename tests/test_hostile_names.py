"""Names come from users: none may become HTML, LaTeX, a formula in a chart or broken XML."""

import io
import re
import warnings
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

import softclust as sc
from softclust.results.summary import SummaryTable
from softclust.results.text import visible

HOSTILE = ("<img src=x onerror=alert(1)>", "a & b_1 % # ~ ^ \\ {x} $\\frac{a$",
           "_[0]\x00\x1b[31m\n\u202e", "'\"</td></table><script>alert(1)</script>")
TRUTH = [0, 0, 0, 1, 1, 1, 2, 2]
FOUND = [0, 0, 1, 1, 1, 1, 2, 2]


def hard(labels=TRUTH, names=HOSTILE):
    return sc.HardClustering(labels, cluster_names=names[:3], object_names=None)


def ensemble():
    return {name: np.roll(TRUTH, shift) for shift, name in enumerate(HOSTILE)}


def curve():
    return sc.pair_roc_partitions([0, 0, 1, 1], {1: [0] * 4, 2: [0, 0, 1, 1], 3: [0, 0, 1, 2]})


def prayatul():
    return sc.prayatul(TRUTH, FOUND, [0, 1] * 4, names=HOSTILE[:2])


def interval_circles():
    low = np.ones((4, 4)) - np.eye(4)
    return sc.interval_mds(low, 2 * low, names=HOSTILE, rng=0)


RECORDS = {
    "compare": lambda: sc.compare(TRUTH, FOUND, names=HOSTILE[:2]),
    "compare_all": lambda: sc.compare_all(ensemble()),
    "clustering": lambda: hard(),
    "ensemble": lambda: sc.Ensemble(ensemble()),
    "matching": lambda: sc.match_clusters(hard(), hard(FOUND, HOSTILE[1:])),
    "chance": lambda: sc.chance(TRUTH, FOUND, "rand_index", n_permutations=9, rng=0),
    "circles": interval_circles,
    "prayatul": prayatul,
    "prayatul_all": lambda: sc.prayatul_all(TRUTH, ensemble()),
    "prayatul_intervals": lambda: prayatul().jackknife(),
    "prayatul_objects": lambda: prayatul().objects(),
    "roc": curve,
    "transport": lambda: sc.transport_dissimilarity(TRUTH, FOUND),
}
CHARTS = {
    **{name: lambda name=name: RECORDS[name]().plot() for name in
       ("compare", "compare_all", "matching", "chance", "circles", "prayatul", "prayatul_all",
        "prayatul_intervals", "roc", "transport")},
    "against": lambda: sc.plotting.plot_against(sc.compare_all(ensemble()), HOSTILE[2]),
    "clustering": lambda: sc.plotting.plot_clustering(hard()),
    "simplex": lambda: sc.plotting.plot_simplex(hard()),
    "roc_by_name": lambda: sc.plotting.plot_roc({name: curve() for name in HOSTILE}),
    "roc_errors": lambda: sc.plotting.plot_roc_errors({name: curve() for name in HOSTILE}),
    "consensus": lambda: sc.plotting.plot_consensus([[1.0, 0.0], [0.4, 0.6]], [0, 1],
                                                    title=HOSTILE[1]),
    "comparisons": lambda: sc.plotting.plot_comparisons([RECORDS["compare"]()], title=HOSTILE[1]),
    "subsets": lambda: sc.plotting.plot_roc_subsets({HOSTILE[1]: sc.pair_roc_subsets(
        TRUTH, linkage(np.arange(8.0)[:, None]), fractions=[0.5, 1],
        n_draws=2, rng=0)}),
}


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = set()

    def handle_starttag(self, tag, attrs):
        self.found.add(tag)


def bare(latex):
    """LaTeX without what escapes, commands of ours and the separators of cells."""
    latex = re.sub(r"\\[#$%&_{}]|\$[<>|]\$|\\text(backslash|asciitilde|asciicircum)\{\}", "", latex)
    latex = re.sub(r"\\(textbf|par|footnotesize|toprule|midrule|bottomrule)\b|\\\\", "", latex)
    return re.sub(r"\\(begin|end)\{(center|tabular)\}", "", latex)


@pytest.mark.parametrize("name", RECORDS)
def test_tables_escape_names(name):
    table = RECORDS[name]().summary()
    tags = Tags()
    tags.feed(table.as_html())
    assert tags.found <= {"div", "table", "caption", "tr", "th", "td", "p", "small"}
    latex = table.as_latex_tabular()
    rest = bare(latex)
    assert not set(rest) & set("\\#$%~^_")
    assert rest.count("{") == rest.count("}")
    cells = {row.replace(r"\&", "").count("&") for row in latex.split("\n")
             if row.endswith(r" \\")}
    assert len(cells) == 1
    for text in (table.as_text(), table.as_html(), latex, table.as_csv()):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", text)


def test_all_tables_are_made_in_the_place_that_escapes():
    package = Path(sc.__file__).parent
    for path in package.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name != "summary.py":
            assert "SimpleTable(" not in text, path
        for body in re.findall(r"def _repr_html_\(self\) -> str:\n\s+(.*)\n", text):
            assert body == "return self.summary().as_html()", path


@pytest.mark.parametrize("name", CHARTS)
def test_charts_draw_hostile_names(name):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        drawn = CHARTS[name]()
        drawn = drawn.flat[0] if isinstance(drawn, np.ndarray) else drawn
        figure = getattr(drawn, "figure", drawn)
        for fonttype in ("path", "none"):
            text = io.StringIO()
            with matplotlib.rc_context({"svg.fonttype": fonttype}):
                figure.savefig(text, format="svg")
            root = ElementTree.fromstring(text.getvalue())
            assert not [node for node in root.iter()
                        if node.tag.rsplit("}")[-1] in ("img", "script")]
        plt.close("all")


def test_names_in_charts_are_those_given():
    pytest.importorskip("matplotlib")
    from softclust.plotting.figures import written
    assert written("setosa (1)") == "setosa (1)"
    assert written("$x$") == r"\$x\$"
    assert written("_x") == " _x"
    assert written("a" * 50 + "b" * 50) == "a" * 20 + "\N{HORIZONTAL ELLIPSIS}" + "b" * 19


def test_hidden_characters_are_shown():
    assert visible("a\tb\x1b[31m\u202e\ud800") == r"a\tb\x1b[31m\u202e\ud800"
    assert visible("Größe μ 日本 é") == "Größe μ 日本 é"


def test_csv_of_a_table_can_be_read_back():
    pandas = pytest.importorskip("pandas")
    table = SummaryTable([["a,b", '"'], ["", "x"]], ["p", "q"], title="t", notes=["n"])
    frame = pandas.read_csv(io.StringIO(table.as_csv()), keep_default_na=False)
    assert frame.to_numpy().tolist() == [["a,b", '"'], ["", "x"]]
