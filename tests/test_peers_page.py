"""docs/peers.md: the largest differences from R packages, as figures."""

import re
from pathlib import Path

TEXT = (Path(__file__).parent.parent / "docs" / "peers.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines()
        if re.match(r"\| \w+ \| \d", line)]


def test_every_package_has_a_figure():
    found = {row[0]: float(row[3]) for row in ROWS}
    assert set(found) >= {"aricode", "clue", "dtwclust", "evclust", "FARI", "fclust", "flexclust",
                          "genieclust", "mclustcomp", "partitionComparison", "SoftClustering"}
    # aricode sums in single precision
    assert all(value < (1e-6 if name == "aricode" else 1e-11) for name, value in found.items())


def test_the_guide_links_the_page():
    docs = Path(__file__).parent.parent / "docs"
    assert "\npeers\n" in (docs / "index.md").read_text(encoding="utf-8")
    assert "peers.md" in (docs / "interoperability.md").read_text(encoding="utf-8")


#: sentences of docs/why-softclust.md -> the page and the row that has their number
CITED = {
    "[126 times as fast](peers.md#speed)": ("peers.md", "| 126 |"),
    "[32 times as fast](peers.md#speed) for 20 clusterings of 300 objects":
        ("peers.md", "of 300 objects | 0.0515 s | clue 0.3-64: 1.65 s | 32 |"),
    "648 values [differ by at most 4.3e-13]": ("peers.md", "| clue | 0.3-64 | 648 | 4.3e-13 |"),
    "[6.1 times as fast](peers.md#speed)": ("peers.md", "genieclust 1.3.0: 0.0055 s | 6.1 |"),
    "in none of 200 Gaussian data sets": ("theory/evidence.md", "| Gaussian | .000 |"),
    "in .030 of long flat boxes": ("theory/evidence.md", "| long box 4:1, n = 100 | .030 |"),
    "in .825 of the data sets": ("theory/evidence.md", "| two, 4 sd apart | .825 |"),
    "at 3 only in .125": ("theory/evidence.md", "| two, 3 sd apart | .125 |"),
    "four clusters in two pairs": ("theory/settings.md",
                                   "| four, in two pairs | 1.00 | 0.00 | 0.00 |"),
    "for four on a line in 1.00, .23 and .40": ("theory/settings.md",
                                                "| four on a line | 1.00 | 0.23 | 0.40 |"),
    "covered .97 on average, .90 at least": ("theory/coverage.md",
                                             "| `adjusted_rand_index` | .97 | .90 | 29 |")}


def test_numbers_of_the_comparison_are_those_of_the_pages_that_it_cites():
    docs = Path(__file__).parent.parent / "docs"
    why = " ".join((docs / "why-softclust.md").read_text(encoding="utf-8").split())
    for sentence, (page, row) in CITED.items():
        assert sentence in why
        assert row in (docs / page).read_text(encoding="utf-8"), f"{page}: {row}"
    rows = re.findall(r"^\| two, 4 sd \|.*|^\| three, . sd \|.*",
                      (docs / "theory" / "settings.md").read_text(encoding="utf-8"), re.M)
    assert len(rows) == 3   # "two or three round clusters": right in .97 or more
    assert min(float(cell) for row in rows for cell in row.split("|")[2:5]) >= 0.97
