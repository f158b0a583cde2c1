"""What strangers need to join: files that are there, agree with each other and can be read."""

import doctest
import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
GITHUB = ROOT / ".github"
if not GITHUB.exists():
    pytest.skip("an unpacked source distribution has no .github", allow_module_level=True)


def text(*parts):
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md",
                                  "RELEASE.md", "paper/paper.md", "conda/meta.yaml",
                                  "r_bridge/softclust/NEWS.md"])
def test_files_are_there(name):
    assert len(text(name)) > 300


def test_workflows_and_forms_are_yaml():
    yaml = pytest.importorskip("yaml")
    files = [*GITHUB.rglob("*.yml"), ROOT / "CITATION.cff"]
    assert len(files) >= 5
    for path in files:
        assert isinstance(yaml.safe_load(path.read_text(encoding="utf-8")), dict), path.name


def test_workflow_covers_the_platforms():
    yaml = pytest.importorskip("yaml")
    jobs = yaml.safe_load(text(".github/workflows/tests.yml"))["jobs"]
    matrix = jobs["python"]["strategy"]["matrix"]
    assert {name.split("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    offered = [line.rsplit(" ", 1)[1] for line in PROJECT["classifiers"]
               if re.search(r":: 3\.\d+$", line)]
    # Versions are offered once tests have run there: RELEASE.md.
    assert offered
    assert set(offered) <= set(matrix["python"])
    assert jobs["dependencies"]["strategy"]["matrix"]["which"] == ["oldest", "newest"]
    assert jobs["r"]["strategy"]["matrix"]["r"] == ["release", "devel"]
    for name, job in jobs.items():
        assert "timeout-minutes" in job, name
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), name


def test_oldest_dependencies_are_those_of_the_project():
    import sys
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from oldest_dependencies import OF_THEIR_AGE, oldest
    finally:
        sys.path.pop(0)
    pins = dict(pin.split("==") for pin in oldest(["report"]))
    named = {re.match(r"[\w.-]+", line)[0] for line in
             PROJECT["dependencies"] + PROJECT["optional-dependencies"]["report"]}
    assert set(pins) - named == {pin.split("==")[0] for pin in OF_THEIR_AGE.values()}
    assert named <= set(pins)
    assert set(OF_THEIR_AGE) <= named
    for line in PROJECT["dependencies"]:
        name, bound = re.match(r"([\w.-]+)>=([\d.]+)", line).groups()
        assert pins[name].removesuffix(".*") == bound


def test_targets_of_the_workflow_exist():
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))
    for page in (".github/workflows/tests.yml", "CONTRIBUTING.md", "RELEASE.md"):
        named = set(re.findall(r"(?:`|run: |^)make ([a-z-]+)", text(page), re.MULTILINE))
        assert named, page
        assert named <= targets, page


def test_the_address_stands_in_one_place():
    """Elsewhere `make tables` writes it; tests/test_readme.py sees what is stale."""
    address = PROJECT["urls"]["Repository"]
    carried = {"pyproject.toml", "CITATION.cff", "meta.yaml", "DESCRIPTION"}
    folders = [ROOT, ROOT / "conda", ROOT / "docs", ROOT / "docs" / "theory", GITHUB,
               ROOT / "r_bridge", ROOT / "r_bridge" / "softclust", ROOT / "paper"]
    for folder in folders:
        for path in folder.iterdir():
            named = (path.is_file() and path.suffix in (".md", ".toml", ".yaml", ".yml", ".cff", "")
                     and address in path.read_text(encoding="utf-8", errors="replace"))
            assert not named or path.name in carried, path.name


@pytest.mark.parametrize("placeholder", [
    PROJECT["urls"]["Repository"], "The softclust developers", "To be completed by the authors",
    "softclust@example.org", "REPLACE_AT_RELEASE", "not on PyPI"])
def test_every_placeholder_is_listed(placeholder):
    listed = text("RELEASE.md")
    generated = ("docs/_build", "docs/reference/generated", "r_bridge/softclust.Rcheck", "tests",
                 "RELEASE.md")
    named = [path.relative_to(ROOT).as_posix() for folder in
             (".", "conda", "docs", "paper", "r_bridge") for path in
             ((ROOT / folder).rglob("*") if folder != "." else ROOT.iterdir())
             if path.is_file() and path.suffix in (".md", ".toml", ".yaml", ".cff", ".json", ".py",
                                                   ".Rd", "")]
    holding = [name for name in named if not name.startswith(generated)
               and placeholder in text(name)]
    assert holding
    assert [name for name in holding if f"`{name}`" not in listed] == []


def test_versions_agree():
    version = PROJECT["version"]
    assert f'{{% set version = "{version}" %}}' in text("conda/meta.yaml")
    assert f"\nVersion: {version}\n" in text("r_bridge/softclust/DESCRIPTION")
    assert f"\nversion: {version}\n" in text("CITATION.cff")
    assert json.loads(text("codemeta.json"))["version"] == version
    assert text("r_bridge/softclust/NEWS.md").startswith("# softclust ")


def test_conda_needs_what_pip_needs():
    recipe = text("conda/meta.yaml")
    run = recipe[recipe.index("  run:"):recipe.index("  run_constrained:")]
    named = {re.sub(r"[^\w-].*", "", line[6:]): re.sub(r"^[\w-]+\s*", "", line[6:])
             for line in run.splitlines() if line.startswith("    - ")}
    wanted = {re.sub(r"[^\w-].*", "", line): re.sub(r"^[\w-]+", "", line)
              for line in PROJECT["dependencies"]}
    wanted["python"] = PROJECT["requires-python"]
    assert named == wanted


def test_the_case_of_the_paper_gives_what_is_printed():
    examples = "\n".join(re.findall(r"^```python\n(.*?)^```$", text("paper/paper.md"),
                                    re.MULTILINE | re.DOTALL))
    case = doctest.DocTestParser().get_doctest(examples, {}, "paper.md", "paper.md", 0)
    assert len(case.examples) > 10
    assert not doctest.DocTestRunner(verbose=False).run(case).failed


def test_the_paper_counts_the_claims_of_the_vignettes():
    rows = re.findall(r"^\| \[.*\.py\) \| .*" + r" \| (\d+)" * 6 + r" \|$",
                      text("vignettes/README.md"), re.MULTILINE)
    total, reproduced, compatible, corrected, own, unreachable = (
        sum(map(int, column)) for column in zip(*rows))
    prose = " ".join(text("paper/paper.md").split())
    for part in (f"{total} claims", f"{reproduced} published numbers are reproduced",
                 f"{corrected} statements or numbers", f"{compatible} agree", f"and {own} are our",
                 f"{unreachable} cannot be reproduced"):
        assert part in prose, part


def test_the_paper_cites_what_its_list_has():
    cited = set(re.findall(r"@(\w+\d{4})", text("paper/paper.md")))
    assert cited == set(re.findall(r"^@\w+\{(\w+),$", text("paper/paper.bib"), re.MULTILINE))
    for picture in re.findall(r"\]\((\S+)\)", text("paper/paper.md")):
        assert (ROOT / "paper" / picture).exists()
