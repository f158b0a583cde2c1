"""The invented customers: their file, and what README, index and tutorial say about them."""

import doctest
import importlib.util
import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans

import softclust as sc

ROOT = Path(__file__).parent.parent
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
CODERS = (ROOT / "docs" / "coders-and-a-model.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)


def printed_by(page):
    """What the examples of a page print; tests/test_docs.py runs them."""
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return "\n".join(line for block in blocks for line in block.splitlines()
                     if not line.startswith((">>>", "...")))


PRINTED = printed_by(TUTORIAL)
#: pages of the questions -> what the front pages answer, and what the tutorial prints for it
ANSWERS = {
    "mixed-data": ("now 8 numbers", "(300, 8)"),
    "are-there-clusters": ("evidence for 3", "Evidence for 3 clusters"),
    "which-setting": ("only 3 may be best", "1 of 5 settings may be best: n_clusters=3;"),
    "are-these-clusters-real": ("two are one",
                                "2 of 4 clusters are apart from every other; "
                                "family and family plus are one"),
    "stability": ("5 of 300 are uncertain", "C050 C102 C115 C117 C206"),
    "confidence-intervals": ("0.77 (0.68 to 0.84)", "0.77 (0.68 to 0.84)"),
    "which-objects": ("two segments share a cluster",
                      "segment family and family plus are merged in cluster deals"),
    "confounders": ("no evidence (p = 0.41)", "No evidence that the clusters follow the batch: 0 % "
                    "of the batch can be read from them, 1 % by chance (p = 0.41)"),
    "do-the-clusters-replicate": ("as well as in halves",
                                  "are found again in 2024, as well as in halves of it"),
    "did-the-pipeline-change": ("6 customers", "Objects that changed: 6 of 300"),
    "testing-after-clustering": ("column", "p = 2e-13"),
    "reproduce-and-report": ("a page to send", "")}


@pytest.fixture(scope="module")
def drawn():
    """The table as its script draws it, and the segments."""
    spec = importlib.util.spec_from_file_location("customers", ROOT / "scripts" / "customers.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script.customers()


def test_the_file_is_what_its_script_draws(drawn):
    buffer = io.StringIO(drawn[0].to_csv())
    pd.testing.assert_frame_equal(pd.read_csv(sc.datasets.customers_file()), pd.read_csv(buffer))


def test_the_tutorial_finds_the_segments_that_were_drawn(drawn):
    """k-means finds them, marketing's are right but for one that is cut in two, at its median."""
    frame, segment = drawn
    names = {}
    for block in BLOCKS[:2]:
        for example in doctest.DocTestParser().get_examples(block):
            exec(example.source, names)
    found = KMeans(3, n_init=10, random_state=0).fit_predict(names["X"])
    assert sc.adjusted_rand_index(found, segment) == pytest.approx(0.9396, abs=1e-4)
    joined = frame["segment"].replace("family plus", "family")
    known = joined.notna().to_numpy()
    assert sc.adjusted_rand_index(joined[known].to_numpy(), segment[known]) > 0.9
    families = frame[(segment == 1) & known]
    above = families["basket"] > np.median(frame.loc[segment == 1, "basket"])
    assert (above == (families["segment"] == "family plus")).mean() > 0.95


def answers():
    """Name of the front page, page of the question and line that answers it."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8").split("## Read on")[0]
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8").split("## By task")[0]
    rows = re.findall(r"^\| \[.*?\]\(docs/([\w-]+)\.md\) (\| .*)$", readme, re.M)
    cards = re.findall(r"^:link: ([\w-]+)\n:link-type: doc\n(.*)$", index, re.M)
    return [(name, *row) for name, found in (("README", rows), ("index", cards)) for row in found]


def printed(number, text=PRINTED):
    """Whether a tutorial prints a number, or the share that it is in per cent."""
    forms = [number, f"{float(number.strip(' %')) / 100:.2f}" if number.endswith("%") else number]
    return any(re.search(rf"(?<![\w.]){re.escape(form.strip(' %'))}(\.0)?(?![\w.]?\d)", text)
               for form in forms)


@pytest.mark.parametrize(("name", "page", "line"), answers())
def test_answers_on_the_front_pages_are_those_of_the_tutorial(name, page, line):
    answer, sentence = ANSWERS[page]
    assert answer in line
    assert all(value in PRINTED for value in re.findall(r"p = [\d.e-]+\d", line))
    rows = re.sub(r"(?m)^(C\d+) .*\n", r"\1 ", PRINTED)      # ids of the uncertain customers
    assert sentence in " ".join(PRINTED.split()) or sentence in rows
    if page == "stability":
        assert len(re.findall(r"(?m)^C\d+ ", PRINTED)) == 5


def test_numbers_of_the_text_are_printed_above_it():
    text = " ".join(re.findall(r"^> (.*)$", TUTORIAL, re.M)).replace("softclust 0.2.0", "")
    numbers = re.findall(r"\d[\d.]*(?:e-\d+)?(?: %)?", text)
    chosen = ("95 %", "10", "0.", "2023", "2024")
    assert len(numbers) > 15
    assert not [n for n in numbers if n not in chosen and not printed(n.rstrip("."))]


def test_numbers_of_the_report_on_coders_are_printed_above_it():
    report = " ".join(re.findall(r"^> (.*)$", CODERS, re.M))
    numbers = set(re.findall(r"\d[\d.]*\d(?: %)?", report)) - {"95 %", "240"}
    assert len(numbers) == 10
    assert not [number for number in numbers if not printed(number, printed_by(CODERS))]
    assert "rng.choice(list(words), 240)" in CODERS


def test_the_order_of_questions_is_the_same_everywhere():
    """README, index and tutorial ask in one order."""
    found = {name: [page for where, page, _ in answers() if where == name]
             for name in ("README", "index")}
    assert found["README"] == found["index"] == list(ANSWERS)
    calls = ("encode.fit_transform", "cluster_test", "compare_settings", "separation_test",
             "element_consistency", "compare", "explain", "batch_effect", "replicate",
             "compare_versions", "chi2_contingency")
    places = [TUTORIAL.index(f"{call}(") for call in calls]
    assert places == sorted(places)
