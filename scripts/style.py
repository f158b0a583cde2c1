"""Words of style that prose avoids, and what to say instead: a part of ``make lint``.

``python scripts/style.py`` looks at Markdown, docstrings, comments and messages of Python and R.
A line that must have such a word ends in a comment "style: ok". Exit code 1 if something is found.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
#: pattern -> what to say
WORDS = {
    r"refus(?:e|ed|es|ing|al)": "raise, reject, does not take",
    r"heed(?:s|ed|ing|less)?": "respect, follow",
    r"dear(?:er|est)?": "expensive",
    r"shall|shalt": "will, must",
    r"least possible": "minimum",
    r"greatest possible": "maximum",
    r"one (?:row|column|label|line|cell|colour|panel|mark) an? (?!time\b)\w+": "one row per object",
    r"a (?:row|column|label|line) an? (?:object|cluster|measure|replicate|draw|set|clustering)":
        "one row per object",
    r"belongs? to no \w+ alone": "is shared, utilities",
    r"(?:thrice|hither|hence|whereupon|thereof|therein|herein|whilst|amongst)":
        "the usual word",
    r"(?<!there )is no (?:clustering|number|whole number|metric|matrix|table|tree|dendrogram)":
        "is not a",
    r"(?:at most|up to|until|into|may have) so many": "this many",
    r"by (?:objects|cells|sizes|rounding|seeds|name|names) alone": "only by",
    r"(?:nothing|dropped|changed|converted|shift|shifts|hardened)(?: \w+){0,3} in silence":
        "without telling, silently",
    r"go(?:es)? in as (?:it is|they are)": "you can pass ... directly",
    r"(?:is|are) to (?:cover|hold)": "should",
    r"hangs? on": "depends on",
    r"all the same(?! for)": "nevertheless",
    r"worth while": "worth it",
    r"after this page": "what the page is about",
    r"in the place of": "instead of",
    r"(?:passed on or|or is) not used": "ignored",
    r"whole numbers? (?:for|of) the (?:starts|draws|seed)": "integer seed",
    r"\.\./shared/\S+|(?<![\w/.])spec/[\w-]+\.md": "a page under docs/theory or the literature",
}
#: what no docstring begins with: a noun or an imperative says more
FIRST = re.compile(r'^\s*r?"""(?:Of|What|How|Whether) ')
PATTERN = re.compile("|".join(rf"(?P<w{i}>\b(?:{word}))(?!\w)" for i, word in enumerate(WORDS)),
                     re.IGNORECASE)
ADVICE = list(WORDS.values())
ENDINGS = (".md", ".py", ".R", ".Rmd", ".Rd", ".js", ".sh", ".toml", ".yml")
#: what is not our prose: stored output, names in tests, this list
LEFT_OUT = ("tests/", "r_bridge/softclust/tests/", "vignettes/README.md", "scripts/style.py")


def found(text: str) -> list[tuple[int, str, str]]:
    """Line, words and advice for each place of `text`."""
    places = []
    for number, line in enumerate(text.splitlines(), 1):
        if "style: ok" in line:
            continue
        if first := FIRST.match(line):
            places.append((number, first[0].strip(), "an imperative or a noun"))
        for match in PATTERN.finditer(line):
            places.append((number, match[0], ADVICE[int((match.lastgroup or "w0")[1:])]))
    return places


def files() -> list[Path]:
    """The files of the repository that hold prose."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, text=True, check=True).stdout.split("\n")
    return [ROOT / name for name in listed if name.endswith(ENDINGS)
            and not name.startswith(LEFT_OUT) and (ROOT / name).is_file()]


def main() -> int:
    """Print what is found; 1 if there is anything."""
    count = 0
    for path in files():
        for number, words, advice in found(path.read_text(encoding="utf-8")):
            count += 1
            print(f"{path.relative_to(ROOT)}:{number}: {words!r}; rather: {advice}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
