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
#: answers on the front pages that are words -> what the tutorial prints
WORDS = {"two are one": "family and family plus are one",
         "two segments share a cluster": "family and family plus are merged in cluster deals",
         "as well as in halves": "are found again in 2024, as well as in halves of it",
         "no evidence (p": "No evidence that",
         "evidence for 3": "Evidence for 3 clusters",
         "only 3 may be best": "1 of 5 settings may be best: n_clusters=3;"}


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
    """Answers on the front pages, by question, and the sentences of the text for the boss."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8").split("## By task")[0]
    yield from re.findall(r"^\| \[(.*?)\].*\| (.*) \|$", readme.split("## Read on")[0], re.M)
    yield from re.findall(r"^:::\{grid-item-card\} (.*)\n.*\n.*\n`.*?`: (.*)$", index, re.M)
    yield "text for the boss", " ".join(re.findall(r"^> (.*)$", TUTORIAL, re.M))


def printed(number, text=PRINTED):
    """Whether a tutorial prints a number, or the share that it is in per cent."""
    forms = [number, f"{float(number.strip(' %')) / 100:.2f}" if number.endswith("%") else number]
    return any(re.search(rf"(?<![\w.]){re.escape(form.strip(' %'))}(\.0)?(?![\w.]?\d)", text)
               for form in forms)


@pytest.mark.parametrize(("question", "answer"), list(answers()))
def test_numbers_on_the_front_pages_are_printed_by_the_tutorial(question, answer):
    answer = re.sub(r"softclust [\d.]+", "", answer)
    for number in re.findall(r"\d[\d.]*(?:e-\d+)?(?: %)?", answer):
        number = number.rstrip(".")
        if question == "text for the boss" and number in ("95 %", "10", "0"):   # chosen, not found
            continue
        if question.startswith("How certain") and number == "5":
            rows = PRINTED.split("certainty\ncustomer")[1].split("{")[0]
            assert len(re.findall(r"^C\d+", rows, re.M)) == 5
        else:
            assert printed(number), number
    for words, sentence in WORDS.items():
        assert words not in answer or sentence in " ".join(PRINTED.split()), words


def test_numbers_of_the_report_on_coders_are_printed_above_it():
    report = " ".join(re.findall(r"^> (.*)$", CODERS, re.M))
    numbers = set(re.findall(r"\d[\d.]*\d(?: %)?", report)) - {"95 %", "240"}
    assert len(numbers) == 10
    assert not [number for number in numbers if not printed(number, printed_by(CODERS))]
    assert "rng.choice(list(words), 240)" in CODERS


def test_the_order_of_questions_is_the_same_everywhere():
    """README, index and tutorial ask in one order."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8").split("## Read on")[0]
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8").split("## By task")[0]
    rows = re.findall(r"^\| \[.*?\]\(docs/([\w-]+)\.md\) \| ", readme, re.M)
    cards = re.findall(r"^:link: ([\w-]+)$", index, re.M)
    assert rows == cards
    assert len(rows) == 12
    calls = ("encode.fit_transform", "cluster_test", "compare_settings", "separation_test",
             "element_consistency", "compare", "explain", "batch_effect", "replicate",
             "compare_versions", "chi2_contingency")
    places = [TUTORIAL.index(f"{call}(") for call in calls]
    assert places == sorted(places)
