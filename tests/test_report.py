"""The report: numbers, sentences, page, JSON, same bytes for the same seed."""

import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from report_frames import IRIS, frame

import softclust as sc
from softclust.reporting import (
    plan,
    run,
    words,
)
from softclust.reporting.section import in_short
from softclust.reporting.sections.agreement import Agreement


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def full():
    """One report with everything, made once."""
    return sc.report(frame(), label="species", id="id", n_clusters=range(2, 5), quick=True,
                     date="2026-01-01")


# -- numbers ------------------------------------------------------------------------------------
def test_every_step_is_done(full):
    assert [s for s in full.steps if s.state != "done"] == []
    assert full.complete
    done = [fit.key for fit in full.done_fits]
    assert done == ["k-means", "mixture", "fuzzy", "rough", "evidential", "possibilistic",
                    "bagged"]


def test_numbers_are_those_of_the_functions(full):
    label, k = full.objects.label, full.n_clusters
    for fit in full.done_fits:
        against = full.against[fit.key]
        assert fit.clustering.n_clusters == k
        assert against.labels.value("adjusted_rand_index") == sc.adjusted_rand_index(
            label, fit.labels)
        assert against.soft.value("alpha_rand_interval") == sc.alpha_rand_interval(
            label, fit.clustering)
        assert full.matrix["species", fit.title] == against.soft.value("alpha_rand_interval")
    shares = full.fit("bagged").clustering.membership
    np.testing.assert_array_equal(full.stability.share, shares.max(axis=1))


def test_agreement_is_said_by_the_ends_of_intervals(full):
    """The guide says to report intervals, not their middles."""
    m = full.matrix
    titles = {fit.title for fit in full.done_fits}
    own = [i for i, name in enumerate(m.names) if name in titles]
    pairs = [(i, j) for i in own for j in own if i < j]
    best, least = max(pairs, key=lambda p: m.lower[p]), min(pairs, key=lambda p: m.upper[p])
    text = " ".join(full.to_data()["text"]["agreement"])
    assert "middle" not in text
    names = [f"{m.names[i]} and {m.names[j]} (" for i, j in (best, least)]
    assert f"Most alike are {names[0]}alpha-Rand interval " in text
    assert f", least alike {names[1]}" in text
    assert m.most_alike(titles) in text
    assert full.circles.sentence in text
    assert "large circles are" not in text


def test_the_nearest_algorithms_are_those_of_the_ranking(full):
    label = full.objects.label
    expected = sc.rank_clusterings(label, {fit.title: fit.labels for fit in full.done_fits},
                                   n_draws=10_000)
    np.testing.assert_array_equal(full.ranking.high, expected.high)
    data = full.to_data()["label_ranking"]
    assert data["possibly_best"] == [expected.names[i] for i in expected.possibly_best]
    from softclust.reporting.page import page
    said = re.sub("<.*?>", "", page(full))
    assert "simultaneous 95 % confidence intervals" in said
    assert expected.answer in said
    assert "Which algorithm is closest to the label?" in page(full)


def test_clusters_have_one_order(full):
    first = full.fit("k-means").labels.labels
    sizes = np.bincount(first)
    assert list(sizes) == sorted(sizes, reverse=True)
    for fit in full.done_fits:
        same = (fit.labels.labels == first).mean()
        assert same >= max((np.roll(np.arange(full.n_clusters), r)[fit.labels.labels] == first
                            ).mean() for r in range(full.n_clusters))


def test_the_largest_excess_decides(full):
    from sklearn.cluster import KMeans
    expected = sc.compare_settings(np.array(full.objects.x), KMeans(), {"n_clusters": [2, 3, 4]},
                                   n_blocks=12, n_references=19, rng=0)
    np.testing.assert_array_equal(full.choice.excess, expected.excess)
    assert full.n_clusters == expected.n_clusters[expected.largest]
    data = full.to_data()["number_of_clusters"]["choice"]
    assert data["possibly_best"] == expected.n_clusters[[*expected.possibly_best]].tolist()
    assert data["excess"] == expected.excess.tolist()
    assert data["answer"] == expected.answer
    assert set(full.label_curve) == {2, 3, 4}


@pytest.mark.parametrize(("groups", "reason"), [
    (None, "8 blocks need 16 objects; X has 14"),
    (["a", "b"] * 15, "2 groups cannot be dealt into 8 blocks")])
def test_the_silhouette_decides_where_halves_cannot_be_compared(groups, reason):
    x = np.random.default_rng(0).normal(size=(14 if groups is None else 30, 2))
    x[::2] += 6
    table = pd.DataFrame(x, columns=["a", "b"])
    if groups:
        table["patient"] = groups
    found = sc.report(table, n_clusters=[2, 3], algorithms="k-means", quick=True, pictures=False,
                      groups="patient" if groups else None)
    assert found.choice is None
    assert found.n_clusters == found.criteria["silhouette"].best == 2
    assert ("Halves of the data could not be compared; of 2 and 3 clusters, 2 have the largest "
            "silhouette.") in str(found)
    step = next(step for step in found.steps if step.name == "number:choice")
    assert step.message.startswith("the silhouette decides, since halves cannot be compared: ")
    assert reason in step.message
    assert found.to_data()["number_of_clusters"]["choice"] is None


def test_groups_are_dealt_into_the_halves_and_leave_no_p():
    x = np.random.default_rng(0).normal(size=(48, 2))
    x[::2] += 9
    table = pd.DataFrame(x, columns=["a", "b"]).assign(patient=np.arange(48) // 4)
    found = sc.report(table, n_clusters=[2, 3], algorithms="k-means", quick=True, pictures=False,
                      groups="patient")
    assert np.unique(found.choice.blocks.reshape(12, 4), axis=1).shape == (12, 1)
    assert found.choice.p_value is None
    assert re.search(r"settings may be best: [^;]*; n_clusters=2 is the most reproducible beyond "
                     r"one cluster, with an excess of [0-9.]+ \([0-9. to]+\), without a p-value\.",
                     str(found))
    # Rows of few patients make lumps: all of 30 clouds of 8 patients had p <= .05.
    assert found.evidence is None
    assert "apart" not in found.more
    assert ("Whether there are clusters was not tested: rows of one patient may depend on each "
            "other, tests take one row of each patient, and 12 are too few (30 are needed)."
            ) in str(found)
    assert str(found).startswith("Divided into 2 clusters: ")   # not: the data suggest
    assert "p =" not in str(found)
    assert ("The refits draw rows, not whole groups: other groups of rows (“patient”) may be "
            "divided less stably.") in str(found)
    assert "stable" not in str(found).replace("less stably", "")


def test_copies_leave_nothing_tested(tmp_path):
    x = np.repeat(np.round(np.random.default_rng(1).normal(size=(40, 2)), 1), 3, axis=0)
    found = sc.report(pd.DataFrame(x, columns=["a", "b"]), n_clusters=[2, 3], quick=True,
                      algorithms="k-means", pictures=False)
    text = str(found)
    assert "Whether there are clusters was not tested: 82 of 120 rows repeat others" in text
    assert "Not tested: 82 of 120 rows repeat others" in text
    assert "p =" not in text
    assert "than data with one" not in text
    assert found.evidence is None
    found.to_json(tmp_path / "a.json")
    data = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert data["number_of_clusters"]["not_tested"].startswith("82 of 120 rows")


def test_with_groups_a_cohort_and_earlier_clusters_have_no_tests_of_rows():
    rng = np.random.default_rng(1)
    table = pd.DataFrame(np.repeat(rng.normal(size=(40, 2)), 3, axis=0), columns=["a", "b"])
    table += rng.normal(scale=.05, size=table.shape)
    other = pd.DataFrame(rng.normal(size=(60, 2)), columns=["a", "b"])
    found = sc.report(table.assign(patient=np.repeat(np.arange(40), 3)), n_clusters=[2, 3],
                      algorithms="k-means", quick=True, pictures=False, groups="patient",
                      cohort=other, compare=pd.Series(rng.integers(2, size=120)))
    assert found.more["again"].verdict(*found.more["again"].names) == "not tested"
    assert np.isnan(found.more["again"].low).all()
    assert math.isnan(found.more["changed"]["comparison"].rows[0].ci_low)
    assert "than data with one" not in str(found)


def test_with_groups_the_tests_take_one_row_of_each(tmp_path):
    from softclust.reporting.run import Work
    x = np.repeat(np.random.default_rng(1).normal(size=(40, 2)), 5, axis=0)
    x += np.random.default_rng(2).normal(scale=.05, size=x.shape)
    table = pd.DataFrame(x, columns=["a", "b"]).assign(patient=np.repeat(np.arange(40), 5))
    found = sc.report(table, n_clusters=[2, 3], algorithms="k-means", quick=True, pictures=False,
                      groups="patient")
    work = Work(found.objects, found.plan)
    rows = work.independent(200, 1)
    assert sorted(rows // 5) == list(range(40))
    assert len(set(work.independent(35, 1) // 5)) == 35
    assert "p =" in str(found)
    assert "There is evidence" not in str(found)
    found.to_html(tmp_path / "a.html")
    assert ("The tests take one row of each patient, drawn at random"
            in (tmp_path / "a.html").read_text(encoding="utf-8"))


def test_very_many_objects_get_fewer_replicates():
    from softclust.reporting.plan import make_plan
    options = {"algorithms": ["k-means"], "seed": 0, "quick": False, "pictures": True}
    sizes = {n: make_plan(n, (3,), **options) for n in (100, 50_000, 100_000, 1_000_000)}
    assert [p.n_bagged for p in sizes.values()] == [200, 200, 100, 50]
    assert [p.n_starts for p in sizes.values()] == [10, 10, 10, 3]
    assert max(p.n_pairs for p in sizes.values()) == 10_000


def test_data_without_clusters_are_called_so():
    noise = np.random.default_rng(0).normal(size=(60, 3))
    found = sc.report(noise, n_clusters=[2, 3], algorithms="k-means", quick=True, pictures=False)
    assert found.criteria["gap"].n_clusters.tolist() == [1, 2, 3]
    assert found.criteria["gap"].best == 1
    assert "There may be no clusters: " in str(found)
    assert "not more separated than data of one cluster" in str(found)
    assert found.evidence.best == 1
    assert found.n_clusters in (2, 3)


def test_more_clusters_than_six_are_tried_while_the_largest_number_is_chosen():
    rng = np.random.default_rng(0)
    corners = 3 * np.vstack([np.zeros(3), np.eye(3), -np.eye(3)])   # seven balls, as FCPS hepta
    balls = np.concatenate([rng.normal(size=(30, 3)) * 0.4 + corner for corner in corners])
    found = sc.report(balls, algorithms="k-means", quick=True, pictures=False)
    assert found.n_clusters == 7
    assert found.plan.candidates == tuple(range(2, 10))
    assert str(found).startswith("There is evidence of at least 6 clusters (p = 0.025 against data "
                                 "of one cluster). The most reproducible number is 7, but 6 and 8 "
                                 "may be as good. Divided into ")
    assert "7 clusters: 30 objects each." in str(found)


def test_a_choice_beyond_the_evidence_is_named():
    rng = np.random.default_rng(0)
    halves = np.concatenate([rng.normal(size=(60, 2)), rng.normal(size=(60, 2)) + [9, 0],
                             rng.normal(size=(60, 2)) + [9, 2.7]])
    found = sc.report(halves, algorithms="k-means", quick=True, pictures=False)
    assert str(found).startswith("There is evidence of 2 clusters (p = 0.025 against data of one "
                                 "cluster). The most reproducible number is 3, but 4, 5 and 6 may "
                                 "be as good. Divided into 3 clusters: ")


def test_the_set_is_named_where_criteria_disagree():
    rng = np.random.default_rng(0)   # two bars and a ball, as FCPS lsun
    x = np.concatenate([rng.uniform([0, 0], [4, .7], (200, 2)),
                        rng.uniform([0, 1.3], [.7, 5], (100, 2)),
                        rng.normal([3, 3.5], .35, (100, 2))])
    found = sc.report(x, algorithms="k-means", quick=True, pictures=False)
    assert len({c.best for c in found.criteria.values()}) == 3
    assert str(found).startswith("There is evidence of 2 clusters (p = 0.025 against data of one "
                                 "cluster). The most reproducible number is 6, but 2, 3, 5, 7 and "
                                 "9 may be as good. Divided into 6 clusters: ")
    assert "goes on with 6: take 2 (n_clusters=2) if every two clusters must be" in str(found)


@pytest.mark.parametrize("clusters", [2, [2, 3]])
def test_a_label_does_not_silence_doubts_about_the_features(clusters):
    x = np.random.default_rng(1).normal(size=(200, 2))
    x[:100, 0] += 2.4
    table = pd.DataFrame(x, columns=["a", "b"]).assign(group=["u"] * 100 + ["v"] * 100)
    found = str(sc.report(table, label="group", n_clusters=clusters, algorithms="k-means",
                          quick=True, pictures=False))
    doubt = ("The features alone leave doubt that there are clusters: they are not more separated "
             "than data of one cluster, divided in the same way (p = 0.65). ")
    assert found.startswith(doubt + ("With 2 clusters, the number that you gave: " if clusters == 2
                                     else "Divided into 2 clusters: "))
    assert found.count("not more separated") == 1
    assert "The clusters nevertheless agree with the label (adjusted Rand index 0.72" in found
    assert not re.search(r"excellent|moderate|good|stable,", found)
    assert ("No setting is better than one cluster (p = " in found) == (clusters != 2)


def test_a_curved_cluster_is_not_praised():
    angle = np.random.default_rng(0).uniform(0, np.pi, 300)
    noise = np.random.default_rng(1).normal(0, 0.3, (300, 2))
    curve = np.column_stack([np.cos(angle), np.sin(angle)]) * 3 + noise
    found = sc.report(curve, algorithms="k-means", quick=True, pictures=False)
    assert str(found).startswith("There may be no clusters")
    assert "stable" not in str(found)
    assert "a curved cluster can do that, too" in str(found)
    assert "Nothing here tests" not in str(found.to_data()["text"])


def test_one_long_cloud_is_not_called_stable():
    cloud = np.random.default_rng(1).normal(size=(150, 3)) * [4, 1, 1]
    found = sc.report(cloud, algorithms="k-means", quick=True, pictures=False)
    assert "There may be no clusters" in str(found)
    assert "very stable" not in str(found)
    assert "Data without clusters are divided as stably" in str(found)
    assert found.plan.candidates == (2, 3, 4, 5, 6)


def test_large_data_use_samples():
    table = sc.datasets.overlapping_gaussians(2100, separation=5.0, rng=1)
    found = sc.report(table.data, n_clusters=3, algorithms="k-means", quick=True, pictures=False)
    assert found.plan.n_pairs == found.matrix.n_objects == 2000
    assert found.fit("k-means").clustering.n_objects == 2100
    one, two = (run.Work(found.objects, found.plan).sample(50, 1) for _ in range(2))
    np.testing.assert_array_equal(one, two)
    assert (np.diff(one) > 0).all()
    assert "2,000 of the 2,100 objects" in " ".join(found.to_data()["text"]["agreement"])


def test_an_algorithm_that_fails_leaves_its_message(monkeypatch):
    from softclust.reporting import fits

    def broken(x, k, plan):
        raise RuntimeError("oh dear")
    monkeypatch.setitem(fits._FITS, "rough", broken)
    found = sc.report(frame(), label="species", id="id", n_clusters=3, pictures=False, quick=True,
                      algorithms=["rough", "fuzzy"])
    assert found.complete
    assert found.fit("rough") is None
    states = {s.name: (s.state, s.message) for s in found.steps}
    assert states["cluster:rough"] == ("failed", "oh dear")
    assert states["label:fuzzy"] == ("done", "")
    found.to_html("r.html")
    text = Path("r.html").read_text()
    assert "Rough k-means gave no clustering: oh dear." in re.sub(r"<.*?>", "", text)
    assert any("Rough k-means gave no clustering; the section" in line for line in in_short(found))


def test_warnings_are_in_the_report_and_not_on_the_terminal():
    far = np.r_[np.random.default_rng(0).normal(size=(60, 2)), [[1e6, 1e6]]]
    found = sc.report(far, n_clusters=[2, 3], algorithms="k-means", quick=True, pictures=False)
    step = next(s for s in found.steps if s.name == "number:entropy")
    assert step.state == "done"
    assert "cluster 1 has 1 object" in step.message
    found.to_html("r.html")
    assert "done, with a warning: " in Path("r.html").read_text()


def test_names_may_be_anything():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(40, 2)), columns=["$a_b$ \\frac{", "x" * 120])
    table["$label^"] = np.where(np.arange(40) < 20, "_under_score" * 5, "$x^2_{ 名")
    found = sc.report(table, label="$label^", n_clusters=2, algorithms="k-means", quick=True)
    assert [s for s in found.steps if s.state != "done" or s.message] == []
    found.to_html("r.html")
    Page(Path("r.html").read_text())


@pytest.mark.parametrize("n", [4, 5, pytest.param(9, marks=pytest.mark.slow)])
def test_few_objects(n):
    table = pd.DataFrame(np.random.default_rng(n).normal(size=(n, 2)), columns=["a", "b"])
    table["group"] = ["u", "v"] * (n // 2) + ["u"] * (n % 2)
    found = sc.report(table, label="group", n_clusters=[2, 3] if n > 4 else 2, quick=True,
                      pictures=False)
    assert [s.name for s in found.steps if s.state != "done"] in ([], ["cluster:possibilistic"])
    found.to_html("r.html")
    found.to_json("r.json")


def test_without_kmeans_the_report_still_stands(monkeypatch):
    from softclust.reporting import fits

    def broken(x, k, plan):
        raise MemoryError
    monkeypatch.setitem(fits._FITS, "k-means", broken)
    found = sc.report(frame(), label="species", id="id", n_clusters=3, pictures=False, quick=True,
                      algorithms=["fuzzy"])
    assert [fit.key for fit in found.done_fits] == ["fuzzy"]
    assert found.stability is None
    found.to_html("r.html")
    found.to_json("r.json")


def test_one_feature_and_no_label():
    table = frame()[["pl"]]
    found = sc.report(table, n_clusters=[2, 3], algorithms="rough", quick=True)
    assert [s for s in found.steps if s.state != "done"] == []
    assert found.against == {}
    found.to_html("r.html")
    assert 'href="#label"' not in Path("r.html").read_text()


# -- sentences ----------------------------------------------------------------------------------
@pytest.mark.parametrize(("given", "text"), [
    ((0.5681, np.nan), "0.57"), ((0.5681, 0.02), "0.57"),
    ((0.9439, 0.003), "0.944"), ((0.99901, np.nan), "0.999"),
    ((0.99999, np.nan), "nearly 1"), ((1.0, 0.0), "1.000"), ((0.0, np.nan), "0.00"),
    ((1e-9, np.nan), "nearly 0"), ((-0.004, np.nan), "-0.004"), ((np.nan, 0.1), "undefined"),
])
def test_values_have_as_many_digits_as_they_deserve(given, text):
    assert words.value(*given) == text


def test_words():
    assert words.part(0, 150) == "none of 150 objects"
    assert words.part(150, 150) == "all 150 objects"
    assert words.part(12, 150) == "12 of 150 objects (8 %)"
    assert words.part(3, 50_000) == "3 of 50,000 objects (below 0.1 %)"
    assert words.both(["a", "b", "c"]) == "a, b and c"
    assert words.interval(0.561, 0.711) == "0.56 to 0.71"
    assert words.interval(0.7, 0.7001) == "0.70"
    assert [words.general(v) for v in (0.0, 5.843, 186.2, 12345.6, 1e9, 0.00123)] == [
        "0", "5.84", "186", "12,350", "1e+09", "0.00123"]


def test_sentences_hold_the_numbers(full):
    text = "\n".join(in_short(full))
    best = max(full.against.values(), key=lambda a: a.labels.rows[0].low).labels.rows[0]
    assert "50 objects with 4 features" in text
    assert words.value(best.low, (best.ci_high - best.ci_low) / 2) in text
    assert full.choice.answer in text
    assert (f"; n_clusters={full.n_clusters} is the most reproducible beyond one cluster, with an "
            "excess of ") in text
    assert str(full) == full.summary() == text
    for said in full.to_data()["text"].values():
        for paragraph in said:
            assert paragraph.endswith((".", ").", ":"))
            assert "nan" not in paragraph.split()


def test_options_are_named_as_the_user_writes_them():
    found = sc.report(frame(), label="species", id="id", n_clusters=2, pictures=False, quick=True,
                      algorithms="k-means")
    assert "n_clusters=3 gives every algorithm" in str(found)
    assert "--" not in str(found)


# -- HTML ---------------------------------------------------------------------------------------
class Page(HTMLParser):
    """Collects what the tests look at; raises where tags do not close in order."""

    VOID = ("meta", "br", "hr", "img", "link", "input")

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.headings, self.attributes = [], [], [], [], []
        self.tags, self.roles = [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append((tag, given))
        self.attributes += attrs
        if "id" in given:
            self.ids.append(given["id"])
        for name in ("href", "xlink:href", "src"):
            if name in given:
                self.links.append(given[name])
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def html(full, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    full.to_html(path)
    return path.read_text(encoding="utf-8")


def test_the_page_is_well_formed_and_refers_to_nothing_else(html):
    page = Page(html)
    assert len(set(page.ids)) == len(page.ids)
    assert page.links
    for link in page.links:
        assert link.startswith(("#", "data:image/png;base64,")), link[:80]
        assert not link.startswith("#") or link[1:] in page.ids
    for reference in re.findall(r"url\((.*?)\)", html):
        assert reference.strip("'\"")[1:] in page.ids
    assert "@import" not in html
    assert not {tag for tag, _ in page.tags} & {"script", "link", "iframe", "img", "object"}
    # What remains of addresses are names of XML namespaces, which nobody fetches.
    assert set(re.findall(r"https?://[^\s\"<>]+", html)) <= {
        "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}


def test_the_page_can_be_used_without_seeing_it(html):
    page = Page(html)
    assert dict(page.tags)["html"] == {"lang": "en"}
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    assert all(b <= a + 1 for a, b in zip(page.headings, page.headings[1:]))
    pictures_ = [given for tag, given in page.tags if tag == "svg" and "aria-hidden" not in given]
    assert len(pictures_) >= 9
    assert all(given["role"] == "img" and len(given["aria-label"]) > 20 for given in pictures_)
    assert all(given.get("scope") in ("col", "row") for tag, given in page.tags if tag == "th")
    assert ("main", {"id": "main"}) in page.tags


def test_all_sections_are_there(html):
    for key in ("short", "data", "number", "clusterings", "label", "agreement", "stability",
                "made"):
        assert f'<section id="{key}"' in html
        assert f'href="#{key}"' in html
    for text in ("2026-01-01", "seed", f"softclust {sc.__version__}", "numpy"):
        assert text in html


def test_what_users_write_is_escaped():
    table = frame().rename(columns={"sl": "<b>&"})
    table["species"] = table.species.str.replace("setosa", '<script>"x"')
    sc.report(table, label="species", id="id", n_clusters=2, algorithms="k-means", quick=True,
              pictures=False).to_html("r.html")
    text = Path("r.html").read_text()
    assert "<script" not in text
    assert "<b>" not in text
    assert "&lt;script&gt;" in text
    Page(text)


def test_pictures_of_many_objects_are_small(monkeypatch):
    # pairs take long without JIT
    monkeypatch.setattr(Agreement, "compute", lambda self, work: None)
    table = sc.datasets.overlapping_gaussians(3050, separation=4.0, rng=1)
    sc.report(table.data, n_clusters=3, algorithms="fuzzy", quick=True).to_html("r.html")
    text = Path("r.html").read_text()
    assert len(text) < 1_500_000
    assert "3,000 of 3,050, drawn at random" in text
    assert "data:image/png" in text


def test_principal_components_keep_distances():
    points, shares = plan.principal(IRIS.data[:, :2])
    given = IRIS.data[:, :2]
    np.testing.assert_allclose(np.linalg.norm(points[0] - points[1]),
                               np.linalg.norm(given[0] - given[1]), rtol=1e-12)
    assert abs(shares.sum() - 1) < 1e-12
    assert shares[0] >= shares[1]


# -- JSON ---------------------------------------------------------------------------------------
#: version 1: keys may be added, none of these may go
SCHEMA = {
    "": {"format", "version", "softclust", "complete", "interrupted", "date", "command",
         "settings", "versions", "steps", "data", "evidence", "number_of_clusters", "clusterings",
         "label_agreement", "label_ranking", "limits_by_group", "disagreement",
         "agreement", "separation",
         "stability", "objects", "text", "changed", "replication"},
    "disagreement": {"algorithm", "measure", "total", "sentences"},
    "settings": {"candidates", "algorithms", "seed", "quick", "pictures", "n_criteria", "n_pairs",
                 "n_choice", "n_drawn", "n_entropy", "n_references", "n_bagged", "n_starts",
                 "scale", "criteria", "wide", "n_evidence", "open_ended"},
    "data": {"source", "n_objects", "n_features", "features", "id_column", "id_guessed", "label",
             "columns_left_out", "columns_counting_rows", "indicators", "dates", "values_filled",
             "rows_left_out"},
    "number_of_clusters": {"chosen", "given", "choice", "criteria", "label_adjusted_rand_index",
                           "at_number_of_classes", "not_tested"},
    "number_of_clusters.choice": {"n_clusters", "possibly_best", "stability", "one_cluster",
                                  "excess", "low", "high", "level", "p_value", "n_references",
                                  "answer", "notes"},
    "number_of_clusters.criteria.gap": {"best", "rule", "n_clusters", "value", "mc_error",
                                        "standard_error",
                                        "failures"},
    "clusterings.0": {"key", "title", "kind", "n_clusters", "sizes", "settings", "warnings",
                      "failure", "fuzziness", "nonspecificity"},
    "label_agreement.0": {"key", "limits_level", "limits_method", "hardened", "as_it_is"},
    "label_agreement.0.hardened.0": {"measure", "options", "sense", "low", "high", "limits",
                                     "chance", "range", "note"},
    "agreement": {"measure", "sense", "n_objects", "names", "low", "high", "circles"},
    "evidence": {"best", "p_values", "significance", "level", "n_references", "sentence", "notes"},
    "separation.label": {"sentence", "clusters", "reference_sets", "separation"},
    "stability": {"n_replicates", "mean_share", "mean_share_of_one_cluster", "mean_entropy_bits",
                  "n_below_0.95", "share_by_cluster", "most_exchanged"},
    "objects": {"names", "clusters", "stable_share"},
    "steps.0": {"name", "title", "state", "message"},
}


def test_the_schema_of_version_1(full):
    full.to_json("r.json")
    data = json.loads(Path("r.json").read_text())
    assert (data["format"], data["version"]) == ("softclust-report", 1)
    for path, keys in SCHEMA.items():
        part = data
        for name in filter(None, path.split(".")):
            part = part[int(name) if name.isdigit() else name]
        assert set(part) == keys, path
    assert data == full.to_data()
    assert data["objects"]["clusters"]["k-means"] == (full.fit("k-means").labels.labels + 1
                                                      ).tolist()
    assert data["data"]["label"]["groups"][0] == {"name": "setosa", "size": 17}


def test_to_frame_has_a_row_an_object(full):
    table = full.to_frame()
    assert table.shape == (50, 9)
    assert table.index[1] == "f3"
    assert table["k-means"].min() == 1
    assert list(table["species"][:2]) == ["setosa", "setosa"]


# -- determinism --------------------------------------------------------------------------------
def test_same_seed_same_bytes(full, html):
    sc.set_num_threads(1)
    try:
        again = sc.report(frame(), label="species", id="id", n_clusters=range(2, 5), quick=True,
                          date="2026-01-01")
    finally:
        sc.set_num_threads(None)
    again.to_html("again.html")
    assert Path("again.html").read_text() == html
    assert again.to_data() == full.to_data()


def test_the_date_is_an_option(monkeypatch):
    from softclust.reporting.run import report_date
    assert report_date("some day") == "some day"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert report_date(None) == "1970-01-02"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(ValueError, match="SOURCE_DATE_EPOCH"):
        report_date(None)
