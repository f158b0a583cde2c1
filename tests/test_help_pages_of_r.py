"""Help pages of the R package: what comments and docstrings make of them, in R's words."""

import importlib.util
import inspect
import re
import sys
from pathlib import Path

import softclust as sc
from r_bridge._front_records import NAMES
from softclust.measures import registry

ROOT = Path(__file__).parents[1]
SPEC = importlib.util.spec_from_file_location("r_help", ROOT / "scripts" / "r_help.py")
r_help = sys.modules["r_help"] = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(r_help)
#: functions of Python that R has by another name, or has no use for
OTHERWISE = {
    "adjusted_nested_rand_index": "sc_nested_rand_index(adjusted = TRUE)",
    "alpha_rand_curve": 'sc_measure("alpha_rand_index", alpha = )',
    "as_clustering": "sc_clustering()", "as_dendrogram": "stats::hclust()",
    "bayesian_bootstrap_weights": "stats::rexp()", "bootstrap_indices": "sample()",
    "subsample_indices": "sample()", "get_measure": "sc_measures()",
    "list_measures": "sc_measures()", "get_num_threads": "SOFTCLUST_NUM_THREADS",
    "set_num_threads": "SOFTCLUST_NUM_THREADS", "show_versions": "sc_config()",
    "prayatul_from_counts": "sc_prayatul() of labels", "proper_bayesian_bootstrap": "sc_bagged()",
    "load_reliability_simulation": "files of Python",
    "reliability_simulation": "simulation of a paper", "sql": "databases of Python",
    "table_sums": "databases of Python", "warmup": "the first call compiles"}
PACKAGE = ROOT / "r_bridge" / "softclust"
#: words of Python, which R has otherwise or not at all
PYTHON = re.compile(r"\b(?:None|True(?! clusters)|False|(?<!\")nan|ndarray|numpy|int64|float64|"
                    r"dtype|tuple|dict|DataFrame|callable|array-like|clustering-like|self|rng|random_state|"
                    r"[a-z_]\w*=\w+|[a-z]\w*\.[a-z_]+\(\))\b")


def test_every_function_has_its_twin():
    there = set(re.findall(r"export\(sc_(\w+)\)", (PACKAGE / "NAMESPACE").read_text()))
    public = {name for name in sc._public() if inspect.isfunction(getattr(sc, name))
              and name not in registry()}
    assert {name for name in public if NAMES.get(name, name) not in there} == set(OTHERWISE)


def test_pages_are_in_the_words_of_r():
    bad = {}
    for page in (PACKAGE / "man").glob("*.Rd"):
        text = re.sub(r"(?s)\\(?:examples|usage)\{.*?\n\}|\\deqn.*?\n", "",
                      page.read_text(encoding="utf-8"))
        bad |= {f"{page.name}: {m[0]}": m.start() for m in PYTHON.finditer(text)}
    assert not bad


def test_pages_are_what_comments_and_docstrings_give():
    texts = r_help.made()
    kept = {path: path.read_text(encoding="utf-8") for path in texts if path.exists()}
    pages = set(PACKAGE.glob("man/*.Rd")) - {PACKAGE / "man" / "measures.Rd"}
    assert kept == texts, "run make r"
    assert pages <= set(texts), "run make r"


def test_markdown_becomes_rd():
    text = """A *word*, `x[i]`, `$seed` and
[sc_compare()], 5 % of \\[0, 1\\]:
* one,
  two of [stats::hclust()];
* [autoplot].

After."""
    assert r_help.rd.rd(text) == r"""A \emph{word}, \code{x[i]}, \verb{$seed} and
\code{\link[=sc_compare]{sc_compare()}}, 5 \% of [0, 1]:
\itemize{
\item one,
two of \code{\link[stats:hclust]{stats::hclust()}};
\item \link{autoplot}.
}

After."""


def test_long_calls_have_an_argument_on_each_line():
    code = ('f <- function(x, method = c("one, two", "three"),\n'
            '              n = g(1, 2), ..., other = NULL) x\n')
    heads = r_help.rd.heads_of(code)
    assert heads == {"f": [("x", ""), ("method", 'c("one, two", "three")'), ("n", "g(1, 2)"),
                           ("...", ""), ("other", "NULL")]}
    (block,) = r_help.rd.blocks_of("R/f.R", "#' Title\n#'\n#' @export\n" + code, heads)
    assert r_help.rd.usage(block).startswith("f(x, method")
    assert r_help.rd.namespace([block]).endswith("export(f)\n")


def made_of(*tags):
    comment = "".join(f"#' {tag}\n" for tag in tags)
    text, (code,) = r_help.r_wrappers.woven(f"{comment}\nother <- 1\n")
    assert text == f"#' @python {tags[0].split()[1]}\n{code}\n\nother <- 1\n"
    return code


def test_a_wrapper_has_defaults_and_readers_of_the_signature():
    assert made_of("@python medoid", "@wraps sc_medoid(x -> ensemble, measure, ...)",
                   "@names runs: totals") == """\
sc_medoid <- function(x, measure = "euclidean_membership_distance", ...) {
  ensemble <- as_ensemble(x)
  found <- record_of("medoid", "sc_medoid", ensemble = ensemble, measure = measure,
                     options = dots(...))
  name_parts(found, run_names(ensemble), "totals")
}"""
    assert made_of("@python thin", "@wraps sc_thin(data, family, ..., seed)") == """\
sc_thin <- function(data, family = c("poisson", "negative_binomial", "gaussian"), ...,
                    seed = NULL) {
  table <- as_table(data)
  run("thin", X = unname(table), family = chosen(family), options = dots(...),
      seed = draw_seed(seed))
}"""
    assert made_of("@python nonspecificity", "@wraps sc_nonspecificity(x)") == """\
sc_nonspecificity <- function(x) {
  x <- sc_clustering(x)
  run("nonspecificity", x = x)
}"""


def test_long_lines_of_code_are_broken_behind_arguments():
    wrapped = r_help.r_wrappers.wrapped
    assert wrapped("x <- f(a, b)", 12) == "x <- f(a, b)"
    assert wrapped('x <- f(a, g(b, "c, d"), e = 1)', 20) == (
        'x <- f(a,\n       g(b, "c, d"),\n       e = 1)')
