"""The vignettes in fast mode, the record of their claims, and the runner."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "vignettes"
sys.path.insert(0, str(FOLDER))
import build  # noqa: E402
import pages as html_pages  # noqa: E402
import states  # noqa: E402
from claims import Claim, Claims, close, shown  # noqa: E402

README = FOLDER / "README.md"
#: runs a page as a plain script and writes its claims
SCRIPT = """
import json, runpy, sys
sys.path.insert(0, sys.argv[2])
found = runpy.run_path(sys.argv[1], run_name="__main__")
with open(sys.argv[3], "w") as file:
    json.dump([found["CLAIMS"].paper, found["CLAIMS"].records()], file)
"""


def written_pages():
    return [page for page in build.PAGES if (FOLDER / f"{page}.py").exists()]


@pytest.mark.slow
@pytest.mark.parametrize("page", written_pages())
def test_page_in_fast_mode(page, tmp_path):
    """It runs as a script without a warning; its claims hold and agree with README.md."""
    out = tmp_path / "claims.json"
    environment = os.environ | {"SOFTCLUST_VIGNETTE_FAST": "1", "MPLBACKEND": "Agg",
                                "PYTHONWARNINGS": "error",
                                # its numbers are tested without compiling elsewhere
                                "NUMBA_DISABLE_JIT": "0"}
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, FOLDER / f"{page}.py", FOLDER, out], cwd=tmp_path,
        env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    paper, records = json.loads(out.read_text())
    assert records
    assert not [r for r in records if r["status"] not in states.STATUSES]
    assert not [r["place"] for r in records if r["full_only"]], "left out of the fast mode?"
    known = states.read(README.read_text(encoding="utf-8"))
    assert page in known, "run: make vignettes"
    assert known[page][0] == paper
    listed = {r["place"]: r["status"] for r in known[page][1]}
    # What cannot be settled on this machine for lack of R may be settled there.
    here = {r["place"]: listed.get(r["place"]) if r["needs"] else r["status"] for r in records}
    # Few replicates widen a tolerance: what is reproduced in full may be compatible here.
    assert plainly(here) == plainly({place: listed.get(place) for place in here})


def plainly(statuses):
    return {place: "reproduced" if status == "compatible" else status
            for place, status in statuses.items()}


def test_states_of_all_claims_are_stored():
    if not README.exists():
        pytest.skip("no page has been run in full yet")
    known = states.read(README.read_text(encoding="utf-8"))
    assert set(known) <= set(written_pages())
    for _, records in known.values():
        for record in records:
            assert record["status"] in states.STATUSES
            assert record["status"] in ("reproduced", "own") or record["reason"], record["place"]
    assert README.read_text(encoding="utf-8") == states.written(known)


def test_printed_numbers_are_those_of_the_other_tests():
    """Two transcriptions of the tables, by different hands."""
    from extensions.prayatul import test_prayatul_tables
    from prayatul_paper.printed import TABLE_I, TABLE_II
    from roc_paper.printed import KMAX, LINKAGES, LOST, LOST_COLUMNS, SIZES, TABLE_1
    from table1 import NOT_REPRODUCIBLE, TABLE1
    assert {cell: list(row) for cell, row in TABLE_I.items()} == test_prayatul_tables.PRINTED
    assert TABLE_II == test_prayatul_tables.TABLE_II
    for name, (n, kmax, areas) in TABLE1.items():
        assert (SIZES[name][0], KMAX[name]) == (n, kmax)
        assert areas == {LINKAGES[c]: TABLE_1[name][c] for c in LINKAGES}
    assert {name for name, _ in NOT_REPRODUCIBLE} == set(LOST) | set(LOST_COLUMNS)


# -- claims -----------------------------------------------------------------------------------
def claim(**changed):
    return Claim(**{"place": "Table 1", "published": 0.25, "ours": 0.2502, "tolerance": 5e-4,
                    "status": "reproduced"} | changed)


@pytest.mark.parametrize("changed", [
    {"ours": 0.26}, {"ours": "0.25"}, {"ours": (0.25, 0.25)}, {"ours": float("nan")},
    {"status": "corrected", "corrected": 0.3, "reason": "by hand"},          # ours is another
    {"status": "corrected", "corrected": 0.2502, "reason": "by hand"},       # the print is right
    {"status": "unreachable", "reason": "no data"},                          # reached
    {"published": (1, 2), "ours": (1, 3)}, {"published": "a", "ours": "b"},
    {"published": True, "ours": 1}])
def test_false_status_is_caught(changed):
    assert claim().holds
    false = claim(**changed)
    assert not false.holds
    assert false.state.startswith("FAILED: ")
    claims = Claims("a paper", [claim(place="before"), false])
    assert claims.failures() == [false]
    with pytest.raises(AssertionError, match=r"^Table 1: \w+, published"):
        claims.check()
    assert claims.table().status.tolist() == ["reproduced", false.state]


@pytest.mark.parametrize("changed", [
    {}, {"ours": 0.2505, "published": 0.25}, {"published": "a", "ours": "a", "tolerance": 0},
    {"published": float("nan"), "ours": float("nan")}, {"published": (1, (2, 3)),
                                                       "ours": (1, (2, 3.0001))},
    {"status": "corrected", "corrected": 0.2501, "published": 0.4, "reason": "by hand"},
    {"status": "unreachable", "ours": None, "reason": "no data"},
    {"status": "unreachable", "ours": 0.4, "reason": "other data"}])
def test_true_status_holds(changed):
    assert claim(**changed).holds


@pytest.mark.parametrize(("changed", "message"), [
    ({"status": "green"}, "choose one of"), ({"status": "unreachable"}, "needs its reason"),
    ({"status": "corrected", "reason": "x"}, "the value that is right"),
    ({"ours": None}, "ours is missing")])
def test_claims_that_say_too_little(changed, message):
    with pytest.raises(ValueError, match=message):
        claim(**changed)


def test_claims_are_kept_in_order_and_once():
    import numpy as np

    import softclust as sc
    claims = Claims("a paper")
    claims.add("b", np.float64(0.5), np.array([0.5, 0.25])[0], 0.0)
    claims.add("a", (0.1, 0.2), sc.Interval(0.1, 0.2), 0.0)
    with pytest.raises(ValueError, match="a is claimed twice"):
        claims.add("a", 1, 1)
    assert [c.place for c in claims.items] == ["b", "a"]
    assert claims.counts() == {"reproduced": 2, "compatible": 0, "corrected": 0, "own": 0,
                               "unreachable": 0}
    claims.add("c", 3, 3, needs="R")
    needs = claims.items[-1]
    assert (needs.status, needs.ours, needs.holds) == ("unreachable", None, True)
    assert "needs R" in needs.reason
    json.dumps(claims.records())


@pytest.mark.parametrize(("published", "tolerance", "reason", "status"), [
    (0.12, 0.17, "one draw", "compatible"), (0.12, 0.17, "", "reproduced"),
    (0.12, 0.002, "one draw", "reproduced"), (0, 0.0005, "rounding", "reproduced"),
    (0, 0.01, "draws", "compatible"), ((0, 50), 2, "seeds", "compatible"),
    ((0, 50), 1, "seeds", "reproduced"), ("yes", 0, "draws", "reproduced"),
    (True, 1, "draws", "reproduced"),
])
def test_wide_tolerances_are_no_reproductions(published, tolerance, reason, status):
    claims = Claims("a paper")
    claims.add("a", published, published, tolerance, reason=reason)
    assert claims.items[0].status == status
    assert claims.items[0].holds


def test_own_statements_are_counted_apart():
    claims = Claims("a paper")
    claims.add("Theorem 1 corrected", 0, 0, status="own")
    claims.add("Theorem 2 corrected", 0, 1, status="own")
    assert claims.counts()["own"] == 2
    assert [c.place for c in claims.failures()] == ["Theorem 2 corrected"]


def test_numbers_as_text():
    assert [shown(v) for v in (None, 0.1234567, (1, "a"), 3)] == ["–", "0.123457", "(1, a)", "3"]
    assert close(0.2855, 0.285, 5e-4)
    assert not close(0.2856, 0.285, 5e-4)


# -- README.md and the pages ------------------------------------------------------------------
def test_states_are_read_as_written():
    claims = Claims("A, \"B | C\" (2020)")
    claims.add("Table 1 | x", 0.5, 0.5)
    claims.add("Table 2", 1, None, status="unreachable", reason="no data")
    text = states.written({"prayatul": (claims.paper, claims.records())})
    again = states.read(text)
    assert again["prayatul"][0] == claims.paper
    assert [r["place"] for r in again["prayatul"][1]] == ["Table 1 | x", "Table 2"]
    assert states.written(again) == text
    assert "| 2 | 1 | 0 | 0 | 0 | 1 |" in text


def test_formulas_become_pictures():
    found = html_pages.formulas("a $x^2$ b `$y$` costs \\$5 and 3$")
    assert found.count("<img class='formula'") == 1
    assert "`$y$`" in found
    assert "class='formula display'" in html_pages.formulas("$$\\frac{a}{b}$$")
    with pytest.raises(ValueError, match="cannot be drawn"):
        html_pages.formulas("$\\nosuchthing$")


PAGE = """# %% [markdown]
# # A page
#
# ## A section
# %%
import sys, time
from claims import Claims
from show import show
import pandas as pd
import matplotlib.pyplot as plt
{more}
CLAIMS = Claims("a paper")
CLAIMS.add("Table 1", 1, 1)
show(pd.DataFrame({{"a": [1, 2]}}), "Two rows.")
show(plt.subplots()[1], "Empty <axes>.")
CLAIMS.table()
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of vignettes of its own."""
    for name in ("claims.py", "show.py"):
        (tmp_path / name).write_text((FOLDER / name).read_text(encoding="utf-8"))
    monkeypatch.setattr(build, "HERE", tmp_path)
    monkeypatch.setattr(states, "HERE", tmp_path)
    monkeypatch.setattr(build, "PAGES", ("one", "two", "three"))
    for name in ("SOFTCLUST_VIGNETTE_FAST", "MPLBACKEND", "PYDEVD_DISABLE_FILE_VALIDATION"):
        monkeypatch.setenv(name, "")
    pytest.importorskip("nbclient")
    return tmp_path


@pytest.mark.slow
def test_build(folder, capsys):
    (folder / "one.py").write_text(PAGE.format(more=""))
    (folder / "two.py").write_text(PAGE.format(more="1 / 0"))
    assert build.main(["--fast", "--out", str(folder / "html")]) == 1
    printed = capsys.readouterr().out
    assert "three: not written yet" in printed
    assert "two: ZeroDivisionError" in printed
    assert "1 of 2 pages written" in printed
    assert not (folder / "README.md").exists()
    page = (folder / "html/one.html").read_text(encoding="utf-8")
    for part in ("<title>A page</title>", "<td class='status reproduced'>", "Two rows.",
                 "<figcaption>Empty &lt;axes&gt;.", "data:image/svg+xml", "fast mode",
                 "1 claims: 1 reproduced</p>", "<a href='#section-1'>A section</a>"):
        assert part in page
    assert "http" not in page.replace("http://www.w3.org", ""), "a page needs no network"
    (folder / "two.py").unlink()
    assert build.main(["--out", str(folder / "html")]) == 0
    assert states.read((folder / "README.md").read_text(encoding="utf-8")).keys() == {"one"}


@pytest.mark.slow
def test_build_says_what_a_page_writes_to_stderr(folder, capsys):
    (folder / "one.py").write_text(PAGE.format(more="print('beware', file=sys.stderr)"))
    assert build.main(["--fast", "one", "--out", str(folder / "html")]) == 1
    assert "one: writes to stderr: beware" in capsys.readouterr().out


@pytest.mark.slow
def test_interrupt_keeps_the_pages_that_are_written(folder):
    (folder / "one.py").write_text(PAGE.format(more=""))
    (folder / "two.py").write_text(PAGE.format(more="open('running', 'w'); time.sleep(60)"))
    for name in ("build.py", "pages.py", "states.py"):
        text = (FOLDER / name).read_text(encoding="utf-8")
        (folder / name).write_text(re.sub(r"\nPAGES = \([^)]*\)", "\nPAGES = ('one', 'two')", text))
    # Started from a shell's background the signal would be ignored.
    running = subprocess.Popen(
        [sys.executable, folder / "build.py"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    try:
        for _ in range(600):
            if (folder / "running").exists():
                break
            time.sleep(0.1)
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=30)
    finally:
        running.kill()
    assert running.returncode == 130
    assert "1 of 2 pages written, interrupted" in out
    assert (folder / "html/one.html").exists()
    assert not (folder / "html/two.html").exists()
    assert states.read((folder / "README.md").read_text(encoding="utf-8")).keys() == {"one"}


def test_unknown_page(capsys):
    with pytest.raises(SystemExit) as stop:
        build.main(["nosuch"])
    assert stop.value.code == 2
    assert "there is no page 'nosuch'" in capsys.readouterr().err
