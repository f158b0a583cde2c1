"""Python's words as R has them, for messages, notes, titles and help pages.

Messages of Python name Python's functions and values and count positions from 0; R's count from 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

#: names of the functions of the R package without "sc_", which R says when it starts
EXPORTS: set[str] = set()
#: patterns in the words of Python and what they are in R, one after the other
_SPELLINGS: list[tuple[str, str | Callable[[re.Match[str]], str]]] = [
    (r"as_clustering\(labels\)[.]to_possibilistic\(\) converts, |: [.]to_possibilistic[^;]*$", ""),
    (r"as_clustering\(labels\)[.](\w+\(\)) converts", r"sc_\1 converts"),
    (r"\b(\w+)[.]normalize\(rule\)", r"sc_normalize(\1, rule)"),
    (r'(^|[^.\w])[.]?normalize\(("\w+")\)', r"\1sc_normalize(x, \2)"),
    (r"\bsubset\([.]{3}\)", "x[i]"),
    (r"\b(\w+)[.](harden|to_fuzzy|to_rough|to_evidential|normalize)\(\)", r"sc_\2(\1)"),
    (r"(^|[^.\w])[.]?(harden|to_cover|to_fuzzy|to_rough|to_evidential|normalize)\(\)",
     r"\1sc_\2()"),
    (r"softclust[.]list_measures\(\)", "sc_measures()"),
    (r"softclust[.](measures|medoid|consensus|compare|compare_all|pair_counts)\(", r"sc_\1("),
    (" [(]on the command line: [^()]*[)]| of a label image| [(]shape [(][0-9, ]*[)][)]", ""),
    (r"align and compare\b", "sc_align() and sc_compare()"),
    (r"\b(label|labels) (is|are) missing\b", r"\1 \2 NA"),
    ("is nan;", "is NA;"),
    (r"\bnan is returned", "NaN is returned"),
    ("or nan for", "or NA for"),
    (r"\b(is|to) (-?)inf\b", r"\1 \2Inf"),
    ("boolean matrix", "logical matrix"),
    ("labels, which must be one-dimensional(?!:)", "labels, which are a vector: x[, 1]"),
    ("one-dimensional labels", "labels"),
    (r"(?<![.\w])([a-z_]+) has no keyword", r"sc_\1 has no option"),
    ("has no keyword", "has no option"),
    (r"give a pandas Series, a mapping \{object: label\}, or a clustering with object_names=",
     "give names to a vector, or row names to a matrix"),
    ("float labels", "labels"),
    ("kind= ", "kind = "),
    (" [(]align, compare, as_clustering[)]", ""),
    ("must be one-dimensional: [.]ravel[(][)]",
     "are a vector; several clusterings in columns, as of cutree(h, k = 2:4): "
     "sc_ensemble(as.data.frame(x))"),
    ("must be one-dimensional: matrix[.]ravel[(][)] makes them", "are a vector: x[, 1]"),
    (r"\bEvidentialClustering\b(?![(])", "sc_evidential()"),
    (r"\bEvidentialClustering[(]", "sc_evidential("),
    (r"\b(Fuzzy|Possibilistic|Rough|Cover)Clustering\b(?![(.])",
     lambda found: f'kind = "{found[1].lower()}"'),
    ("as_clustering[(]", "sc_clustering("),
    (r"softclust[.](\w+)\(x", r'sc_measure("\1", x'),
    (r'(\w+)[.]to_fuzzy\(rule="shares"\)', r"sc_to_fuzzy(\1)"),
    (r' [.]to_fuzzy\(rule="shares"\)', " sc_to_fuzzy(x)"),
    (r"(\w+)[.]to_cover\(threshold=[.]{3}\)", r"sc_to_cover(\1, threshold)"),
    ("RoughClustering[.]from_upper[(]upper[)]", "sc_rough(NULL, upper)"),
    (r"\b[A-Z]\w*Error: ", ""),
    ("; if they are probabilities p of the second of two classes, np[.]column_stack[^;]*$",
     "; if they are probabilities p of the second of two classes, cbind(1 - p, p) makes "
     "memberships"),
    (r"\bshape (?=\([^()]*, )", "dimensions "),
    (r"\b(random_state|rng)\b", "seed"),
    (r"\bdtype\b", "type"),
    (r"missing \d+ required positional arguments?: ", "needs "),
    (r"\barray\(\[\[.*\]\]\) is of type ndarray", "a matrix was given"),
    (r"\barray\(\[\[.*?\]\]\)", "a matrix"),
    (r"\bndarray\b", "array"),
    (r"\b(\w+)[.]T\b", r"t(\1)"),
    ("'str' object cannot be interpreted as an integer",
     "a string was given where a whole number is needed"),
    (r"(\w+\(\)) got an unexpected keyword argument '(\w+)'", r"there is no option `\2` here"),
    (r"could not convert string to float: np[.]str_\((.*?)\)", r"numbers are needed, not \1"),
    (r"(^|[ =([])'([\w./-]+)'", r'\1"\2"'),
    (r'\b(\w+)=("[^"]*")', r"\1 = \2"),
    (r"(^|[(, ])([a-z_]+)=(?=\w)", r"\1\2 = "),
    (r"\b(array|tensor)\(\[([^][]*)\](, dtype=\w+)?\)",
     lambda found: "c(" + re.sub(r"(\d)[.] *(?=,|$)", r"\1", found[2]) + ")"),
    (r"\b(is|not) (-?\d+)[.]0(?=[;,]| and |$)", r"\1 \2"),
    (r"has shape \((\d+),\)", r"has length \1"),
    (r"(?<=\d|n)\*\*(?=\w)", "^"),
    (r"\b1 objects\b", "1 object"),
    ("see failures_", "see $failures"),
    (r"measures=\[[.]{3}\] asks", "measures = asks"),
    (r"\b([a-z_]+)=\[([^]\[]*)\]", r"\1 = c(\2)"),
    (r"\b([a-z_]+)=[.]{3}", r"\1 = ..."),
    (" [(][.]T[)]", ": t(x)"),
    (r"\bnp[.](?:(?:float64|int64|str_)\((.*?)\)|(True|False)_)",
     lambda found: (found[1] or found[2]).removesuffix(".0")),
    (r"^(None|True|False|inf|nan)(?= is of type)",
     lambda found: {"None": "NULL", "inf": "Inf", "nan": "NaN"}.get(found[1], found[1].upper())),
    (r"\{.*\} is of type dict\b", "a list is given"),
    (r"\bis of type (int|float|float64|int64|bool|list|NoneType)\b", "is given"),
    (r"\barray\((True|False|[-+.\w]+)\)", r"\1"), (r"\bis a tuple of (\d+)\b", r"has length \1"),
    ("None where the truth", "NA where the truth"),
    # Values, and not the names of clusters and objects.
    (r"\bTrue/False\b", "TRUE/FALSE"),
    (r"(= |; |\b(?:is|are|or|of|not|to|\d+) )None\b", r"\1NULL"),
    (r"(= |\b(?:is|are|or|of|not|to|\d+) )nan\b", r"\1NaN"),
    (r"(= |; |\b(?:is|are|or|of|not|to|\d+) )True\b", r"\1TRUE"),
    (r"(= |; |TRUE, |\b(?:is|are|or|of|not|to|\d+) )False\b", r"\1FALSE"),]
#: before a number in a message that is a position
_PLACES = (r"(\w\[\d+, )(\d+)(?=\])",
           r"(\b(?:object|clustering|rows?|draw|member|run|replicate|the first is) )"
           r"(\d+)\b(?! objects)", r"(\w\[)(\d+)(?=[],])", r"(and )(\d+)(?= are the same)")


def spelled(text: str, exports: Iterable[str] | None = None) -> str:
    """The text with functions and values as R calls them."""
    for pattern, words in _SPELLINGS:
        text = re.sub(pattern, words, text, flags=re.ASCII)
    names = "|".join(sorted(EXPORTS if exports is None else exports))
    return re.sub(rf"(^|[^\w.:])(?:softclust[.])?({names})\(", r"\1sc_\2(", text, flags=re.ASCII
                  ) if names else text


def message(text: str) -> str:
    """A message in R's words, with positions from 1."""
    # Python calls a table of data X.
    text = spelled(re.sub(r"(?<![\w.\"'=$])X(?=\[|[;,.]? |$)", "data", text, flags=re.ASCII))
    for pattern in _PLACES:
        text = re.sub(pattern, lambda found: f"{found[1]}{int(found[2]) + 1}", text,
                      flags=re.ASCII)
    return text
