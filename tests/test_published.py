"""Tables and sentences for papers: `tabulate`, `describe`, great_tables."""

import re

import pytest

import softclust as sc
from softclust.measures import cited, registry

TRUTH = [0, 1, 2] * 20
LABELS = {"a": [0, 1, 2] * 15 + [0, 2, 1] * 5, "b": [0, 1, 1] * 20}
MEASURES = ["rand_index", "adjusted_rand_index"]
RESULTS = {name: sc.compare(TRUTH, labels, measures=MEASURES, ci="jackknife")
           for name, labels in LABELS.items()}


def test_comparisons_side_by_side():
    table = sc.tabulate(RESULTS)
    assert table.headers == ["measure", "a", "b"]
    assert [row[0] for row in table.rows] == [
        "rand_index", "  95 % CI", "  chance", "adjusted_rand_index", "  95 % CI",
        "  chance", "objects"]
    for k, result in enumerate(RESULTS.values(), 1):
        rand, adjusted = result
        assert table.rows[0][k] == f"{rand.value:.3f}"
        assert table.rows[1][k] == f"{rand.ci_low:.3f} to {rand.ci_high:.3f}"
        assert table.rows[2][k] == f"{rand.chance:.3f}"
        assert table.rows[3][k] == f"{adjusted.value:.3f}"
        assert table.rows[-1][k] == "60"
    assert "0.831" in table.as_html()
    assert r"rand\_index" in table.as_latex_tabular()
    assert len(table.notes) == 2


def test_measures_names_and_digits_of_a_table():
    other = sc.compare(TRUTH, LABELS["b"], measures=["jaccard_index", "alpha_rand_interval"])
    table = sc.tabulate([*RESULTS.values(), other], names=["p", "q", "r"],
                        measures=["ARI", "jaccard_index"], digits=1)
    assert [row[0] for row in table.rows if row[0][0] != " "] == [
        "adjusted_rand_index", "jaccard_index", "objects"]
    assert table.rows[0][1:] == ["0.6", "0.6", ""]
    assert sc.tabulate(other).headers == ["measure", "x, y"]
    plain = sc.tabulate(sc.compare([0, 0, 1], [[0.5, 0.5], [1, 0], [0, 1]],
                                   measures="alpha_rand_interval"))
    assert re.fullmatch(r"\[0\.\d{3}, \d\.\d{3}\]", plain.rows[0][1])
    assert not any("limits" in note for note in plain.notes)


def test_what_cannot_be_tabulated():
    with pytest.raises(TypeError, match="results of compare"):
        sc.tabulate([sc.chance(TRUTH, LABELS["a"], "rand_index", rng=0)])
    with pytest.raises(ValueError, match="at least one"):
        sc.tabulate([])
    with pytest.raises(ValueError, match="1 names for 2"):
        sc.tabulate(RESULTS, names=["only"])
    with pytest.raises(ValueError, match="no comparison has the measure 'jaccard_index'"):
        sc.tabulate(RESULTS, measures=["jaccard_index"])


def test_a_table_for_great_tables():
    great_tables = pytest.importorskip("great_tables")
    table = sc.tabulate([RESULTS["a"]], names=["<a>"]).as_great_table()
    assert isinstance(table, great_tables.GT)
    page = table.as_raw_html()
    assert "&lt;a&gt;" in page
    assert "<a>" not in page
    assert "0.831" in page
    assert "held fixed" in page


def test_a_comparison_describes_itself():
    text = RESULTS["a"].describe()
    assert text == (
        "The clusterings x (hard) and y (hard) of 60 objects were compared by the Rand index "
        "[@rand1971] and the adjusted Rand index [@hubert1985]. The 95 % confidence intervals "
        "(jackknife) treat the labels as fixed and the objects as a random sample (softclust "
        f"{sc.__version__} [@softclust]). The value of rand_index was 0.8305 (95 % CI 0.7120 to "
        "0.9152) and adjusted_rand_index was 0.6118 (95 % CI 0.3405 to 0.8058).")
    drawn = sc.compare(TRUTH, LABELS["a"], measures="ARI", ci="bootstrap", n_resamples=99, rng=3)
    assert "(bootstrap)" in drawn.describe()
    assert ", seed 3)." in drawn.describe()


def test_a_chance_result_describes_its_null_model():
    drawn = sc.chance(TRUTH, LABELS["a"], "ARI", rng=1).describe()
    assert "999 random permutations" in drawn
    assert drawn.endswith(", seed 1). The value of adjusted_rand_index was 0.6118 (p = 0.001).")
    exact = sc.chance(TRUTH, LABELS["a"], "ARI", method="moments").describe()
    assert "exact moments" in exact
    assert "seed" not in exact


def test_keys_of_papers_are_authors_and_years():
    known = registry()
    for name, m in known.items():
        keys = re.findall(r"@(\S+?)[;\]]", cited([name], known))
        assert all(re.fullmatch(r"[a-z]{3,}(18|19|20)\d\d", key) for key in keys), m.source
        assert len(keys) >= 1 or not re.search(r"\d{4}", m.source), m.source
    assert cited(["van_dongen_distance"], known) == "the van Dongen distance [@dongen2000]"
