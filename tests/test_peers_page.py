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
