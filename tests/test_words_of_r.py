"""Messages of Python in the words of R: functions, values, positions from 1."""

import re
from pathlib import Path

import pytest

from r_bridge import _words

PACKAGE = Path(__file__).parents[1] / "r_bridge" / "softclust"


@pytest.fixture(autouse=True)
def exports(monkeypatch):
    """The functions of the R package, which R says when it starts."""
    text = (PACKAGE / "NAMESPACE").read_text(encoding="utf-8")
    monkeypatch.setattr(_words, "EXPORTS", set(re.findall(r"export\(sc_(\w+)\)", text)))


@pytest.mark.parametrize(("python", "r"), [
    ("x is fuzzy: x.harden() makes one", "x is fuzzy: sc_harden(x) makes one"),
    ("rule (harden(), to_fuzzy(), to_rough())", "rule (sc_harden(), sc_to_fuzzy(), sc_to_rough())"),
    ("(softclust.measures() lists all)", "(sc_measures() lists all)"),
    ("call softclust.fuzziness(x) for each", 'call sc_measure("fuzziness", x) for each'),
    ("normalize='dempster' or 'yager', or x.normalize(rule) first",
     'normalize = "dempster" or "yager", or sc_normalize(x, rule) first'),
    ('object 0: normalize("yager") moves it, subset(...) leaves it out',
     'object 1: sc_normalize(x, "yager") moves it, x[i] leaves it out'),
    ("weights[0] is None, not array([1, 2]); has shape (3,), not True",
     "weights[1] is NULL, not c(1, 2); has length 3, not TRUE"),
    ("mass[0, 1] is nan; objects 0 and 3 are the same",
     "mass[1, 2] is NA; objects 0 and 4 are the same"),
    ("alpha must be a number in [0, 1], not array([0. , 0.5]); weights[0] is -1.0; 2.0 stays",
     "alpha must be a number in [0, 1], not c(0, 0.5); weights[1] is -1; 2.0 stays"),
    # Apostrophes and numbers of objects stay.
    ("race is 3; True, False or 'auto' is needed; rng has dtype int8; separator=';' and shape "
     "(2, 3)", "race is 3; TRUE, FALSE or \"auto\" is needed; seed has type int8; separator=';' "
     "and dimensions (2, 3)"),
    ("the objects' features, 3 objects", "the objects' features, 3 objects"),
    ("draw 0 has 3 objects: softclust.compare(x, y) or compare(x)",
     "draw 1 has 3 objects: sc_compare(x, y) or sc_compare(x)"),
    ("more than 2**25 pairs; coassociation(n_draws=...) draws some",
     "more than 2^25 pairs; sc_coassociation(n_draws = ...) draws some"),
    ("chance has no keyword 'a'; kind=[\"b\", \"c\"], x[0] is inf; a boolean matrix",
     'sc_chance has no option "a"; kind = c("b", "c"), x[1] is Inf; a logical matrix'),
    # What is not a function here stays, and so do functions of R.
    ("sc_compare(x), x.compare(y), replicate 4, recompare(x)",
     "sc_compare(x), x.compare(y), replicate 5, recompare(x)")])
def test_message(python, r):
    assert _words.message(python) == r
