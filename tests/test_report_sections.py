"""The sections of a report: one class and one file each, written by one template."""

import re
import sys
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from report_frames import QUICK, frame, write

import softclust as sc
from softclust import cli
from softclust.reporting import fits, section
from softclust.reporting.page import marked, page, prose
from softclust.reporting.plan import seen
from softclust.reporting.sections import clusterings, stability
from softclust.tables.correspondence import own_cluster

#: a stranger's section, as a file of its own
OUTLYING = '''
from softclust.reporting.section import Picture, Section, Table, Task


class Outlying(Section):
    """Objects far from the mean."""

    key, place, turn, drawn = "outlying", 65, 65, 66
    pictures, steps = "outlying objects", ("outlying",)

    def title(self, objects):
        return "Outlying <objects>"

    def tasks(self, work):
        def far():
            work.found["more"]["outlying"] = (abs(work.x) > 2.0).any(axis=1)
        yield Task(self.turn, "outlying", "outlying objects", far)

    def short(self, report):
        return [f"{report.more['outlying'].sum()} objects lie far out."]

    def show(self, report):
        return ["Far out is 2 standard deviations.", Table(["a"], [["1"]], "Some table"),
                Picture("outlying", lambda ax: ax.plot(report.more["outlying"]), "Who is far out"),
                report.at_classes]

    def data(self, report):
        return {"outlying": int(report.more["outlying"].sum())}
'''
OPTIONS = {"id": "id", "n_clusters": 3, "quick": True, "algorithms": "k-means", "date": "today"}


def test_one_file_adds_a_section(tmp_path, monkeypatch):
    (tmp_path / "outlying_section.py").write_text(OUTLYING, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import outlying_section  # noqa: F401
    try:
        found = sc.report(frame(), label="species", **OPTIONS)
        count = found.more["outlying"].sum()
        assert f"{count} objects lie far out." in found.summary()
        assert found.to_data()["outlying"] == count
        text = page(found)
        assert '<a href="#outlying">Outlying &lt;objects&gt;</a>' in text
        order = re.findall(r'<section id="(\w+)"', text)
        assert order[-4:] == ["agreement", "outlying", "stability", "made"]
        assert "outlying" in found.pictures
        assert "<span>Contingency table of 50 objects, 3 by 3 clusters</span>" in text
    finally:
        section.forget("outlying")
        del sys.modules["outlying_section"]
    assert "outlying" not in [one.key for one in section.sections()]


def test_every_file_of_sections_has_one_section():
    folder = Path(clusterings.__file__).parent
    names = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    found = section.sections()
    assert {type(one).__module__.rpartition(".")[2] for one in found} == names
    assert len(found) == len(names)
    assert [one.place for one in found] == sorted({one.place for one in found})


def test_the_template_is_package_data():
    folder = files("softclust.reporting").joinpath("templates")
    assert {part.name for part in folder.iterdir()} >= {"page.html.j2", "page.css"}


def test_a_missing_jinja2_is_said_before_the_work(tmp_path, monkeypatch, capsys):
    found = sc.report(frame(), pictures=False, drop=["species"], **OPTIONS)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    section_page = sys.modules["softclust.reporting.page"]
    section_page._environment.cache_clear()
    with pytest.raises(ImportError, match=r'pip install "softclust\[report\]"'):
        found.to_html(tmp_path / "r.html")
    monkeypatch.chdir(tmp_path)
    write(frame())
    monkeypatch.setattr(sys.modules["softclust.reporting.run"].Work, "run",
                        lambda *a: pytest.fail("it began to work"))
    assert cli.main(["report", "d.csv", "--label", "species", *QUICK]) == 1
    assert 'pip install "softclust[report]"' in capsys.readouterr().err
    assert not (tmp_path / "r.html").exists()


# -- filters and sentences --------------------------------------------------------------------
def test_filters_escape():
    assert str(prose("<b> k-means --scale none")) == (
        '&lt;b&gt; <span class="nb">k-means</span> <code class="nb">--scale none</code>')
    text = str(marked("cluster 2 <script>"))
    assert text.startswith('<span class="nb"><svg class="marker"')
    assert text.endswith("cluster 2</span> &lt;script&gt;")
    assert "<svg" not in str(marked("clusters"))


@pytest.mark.parametrize(("counts", "told"), [
    ([[50, 0, 0], [0, 39, 11], [0, 14, 36]],
     "125 of 150 objects (83 %) are in the cluster of their own group; 14 of “c” are in that of "
     "“b”, 11 the other way round"),
    ([[0, 9], [8, 1]], "17 of 18 objects (94 %) are in the cluster of their own group; 1 of “b” "
     "is in that of “a”"),
    ([[5, 0], [0, 5]], "all 10 objects are in the cluster of their own group"),
    ([[8, 1, 1], [1, 8, 1], [1, 1, 8]],
     "24 of 30 objects (80 %) are in the cluster of their own group"),
])
def test_who_is_in_the_cluster_of_their_own_group(counts, told):
    table = sc.ContingencyTable.from_counts(counts, rows=["a", "b", "c"][:len(counts)])
    assert own_cluster(table) == told
    assert table.sentence.endswith(f"; {told}.")


def stability_told(share, n_clusters, one_cluster=(0.7, 0.8)):
    """The sentences on the stability of objects with these shares of refits."""
    found = fits.Stability(n_replicates=50, share=share, entropy=np.zeros(share.size),
                           one_cluster=np.array(one_cluster),
                           by_cluster=np.full(n_clusters, share.mean()), pair=(0, 1))
    report = SimpleNamespace(stability=found, evidence=SimpleNamespace(best=2), choice=None,
                             objects=SimpleNamespace(groups_name=""), more={})
    return " ".join(stability._sentences(report))


def test_stability_has_the_word_of_the_number_as_it_is_written():
    shares = np.full(10, 0.978)
    told = stability_told(shares, 3)
    assert "98 % of the time; none of 10 objects leave their usual cluster in more than" in told
    assert ("That is very stable, and more than data with one cluster reach (70 % to 80 % in 2 "
            "data sets with one cluster)") in told
    assert "Data without clusters are divided as stably" in stability_told(shares, 3, (0.9, 0.99))
    untold = stability_told(shares, 3, ())
    assert "was not computed for this size" in untold
    assert "just as stably" not in untold   # there is evidence for clusters
    one = np.r_[np.ones(19), 0.9]
    assert "1 of 20 objects (5 %) leaves its usual cluster in more than 1 of 20" in stability_told(
        one, 3)
    assert "Clusters 1 and 2 exchange objects most often" in stability_told(one, 3)
    assert "exchange" not in stability_told(one, 2)


def test_pictures_are_described():
    assert seen(np.repeat([0, 2], [20, 1]), ["a", "b", "c"]) == "a (20 objects); c (1 object)"
    many = seen(np.arange(20), [str(k) for k in range(20)])
    assert many.endswith("17 (1 object); and 2 more")


def test_algorithms_that_look_the_same_share_a_picture():
    found = sc.report(frame(), drop=["species"], id="id", n_clusters=2, quick=True,
                      algorithms=["mixture", "evidential"])
    groups = clusterings.alike(found.fits)
    assert [fit.key for group in groups for fit in group if fit.key == "k-means"] == ["k-means"]
    drawn = {name for name in found.pictures if name.startswith("clusters:")}
    assert drawn == {f"clusters:{group[0].key}" for group in groups}
    assert len(groups) < len(found.done_fits)
    first = groups[0]
    assert {"k-means", "bagged"} <= {fit.key for fit in first}
    for fit in first:
        assert (fit.labels.labels != first[0].labels.labels).mean() <= clusterings.ALIKE


def test_a_function_that_returns_records_is_a_section():
    @section.section("apart-again", "Apart, again", 25)
    def again(work):
        return [sc.cluster_test(work.x, 2, n_references=19, rng=0)]
    try:
        found = sc.report(frame(), drop=["species"], pictures=False, **OPTIONS)
        record, = found.more["apart-again"]
        assert record.sentence in found.summary()
        text = page(found)
        order = re.findall(r'<section id="([\w-]+)"', text)
        assert order[order.index("data") + 1] == "apart-again"
        assert record.summary().title in text
        assert set(record.summary().notes) <= set(found.to_data()["text"]["apart-again"])
    finally:
        section.forget("apart-again")
