"""Options of the command line come from the signatures and docstrings of functions."""

import argparse
import inspect
import re
from pathlib import Path
from typing import Literal

import pytest

import softclust as sc
from softclust import cli
from softclust.cli import files
from softclust.cli.demo import run_demo
from softclust.cli.options import add_options, annotated, chosen, descriptions, in_shell_words
from softclust.measures import list_words

FILES = [files.read_table, files.to_clustering, files.same_objects]
#: functions whose parameters are options, by command; the first one that has the parameter counts
FUNCTIONS = {
    "demo": [run_demo],
    "compare": [sc.align, *FILES, sc.compare],
    "explain": [sc.align, *FILES, sc.explain],
    "report": [sc.report, files.read_table],
    "count": [sc.contingency_table, files.read_table],
    "chance": [sc.contingency_table, sc.chance, files.read_table],
    "versions": [files.same_objects, files.without_missing, files.read_table,
                 sc.compare_versions],
    "replicate": [sc.replicate, files.read_table],
    "separation": [sc.separation_test, files.read_table],
    "settings": [sc.compare_settings, files.read_table],
    "measures": [list_words],
}
#: options whose default is not that of the function, and why
OTHERS = {
    ("chance", "method"): "tables",          # files are counted
    ("compare", "reference"): "b",           # sides are called a and b
    ("explain", "names"): None,              # the names of the files
    ("replicate", "rng"): 0, ("separation", "rng"): 0,   # the same numbers each time
    ("settings", "estimator"): "KMeans",     # has none in Python
}


def actions(command):
    parser = cli.command_parser(command)
    commands = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return {a.dest: a for a in commands.choices[command]._actions if a.dest != "help"}


def parameters(command):
    """Options that are parameters: the action and the first function that has the parameter."""
    for name, action in actions(command).items():
        for function in FUNCTIONS[command]:
            if name in inspect.signature(function).parameters:
                yield name, action, function
                break


def test_each_command_is_looked_at():
    assert [*FUNCTIONS] == sorted(FUNCTIONS, key=[*cli.COMMANDS].index)
    assert {*FUNCTIONS} == {*cli.COMMANDS}
    assert sum(len([*parameters(command)]) for command in FUNCTIONS) > 95


@pytest.mark.parametrize("command", FUNCTIONS)
def test_defaults_are_those_of_the_function(command):
    for name, action, function in parameters(command):
        default = inspect.signature(function).parameters[name].default
        if default is inspect.Parameter.empty and not action.option_strings:
            continue   # a file
        expected = OTHERS.get((command, name), default)
        if isinstance(expected, tuple):
            expected = [*expected]
        found = action.default
        assert found == expected or (name == "noise_label" and found == str(expected)), (
            f"softclust {command} {action.option_strings[0]} is {found!r}, {name} of "
            f"{function.__name__} is {default!r}")


@pytest.mark.parametrize("command", FUNCTIONS)
def test_choices_are_values_of_the_function(command):
    for name, action, function in parameters(command):
        values = {part for part in annotated(inspect.unwrap(function), name)
                  if isinstance(part, str)}
        allowed = {("compare", "missing"): {"bounds"}, ("explain", "missing"): {"bounds"},
                   ("compare", "reference"): {"a", "b"}}.get((command, name), set())
        assert {*(action.choices or ())} <= values | allowed, (command, name)


@pytest.mark.parametrize("command", FUNCTIONS)
def test_help_is_in_words_of_a_shell(command):
    for name, action in actions(command).items():
        text = action.help
        if text == argparse.SUPPRESS:
            continue
        assert text, f"softclust {command}: {name} has no help"
        assert not re.search(r"`|array|Series|Sequence|\bnan\b|\brng\b|\bTrue\b|\bNone\b", text), (
            f"softclust {command}: {name} is explained as in Python: {text}")
        assert not text.endswith("."), text
        underscores = {*re.findall(r"\w+_\w+", text)} - {
            "adjusted_rand_index", "SOURCE_DATE_EPOCH", "min_cluster_size"}
        assert not underscores, f"softclust {command}: {name}: {underscores}"


def test_few_options_are_written_by_hand():
    sources = [path.read_text(encoding="utf-8") for path in Path(sc.__file__).parent.rglob("*.py")]
    assert sum(text.count("add_argument(") for text in sources) <= 45


def example(table, *, sizes: Literal["small", "large"] = "small", share: float = 0.5,
            n_draws: int = 9, quick: bool = False, charts: bool = True,
            names: str | None = None, checked: bool | None = None, rows: "Unknown | int" = 3):  # noqa: F821
    """Do nothing.

    Parameters
    ----------
    table : file
    sizes : {"small", "large"}
        Sizes of the clusters. More of this.
    share, n_draws : numbers
        Share, 50% by default, of `sizes`, e.g. of 1.5; see `compare`.
    quick : bool
    names : str
        ID of what ``n_draws`` gives
        in two lines.

    Returns
    -------
    None
    """


def test_options_of_an_example():
    parser = argparse.ArgumentParser()
    table = {"sizes": {}, "share": {}, "n_draws": {}, "quick": {}, "charts": {"help": "no chart"},
             "names": {"flag": "--called", "type": str.upper}, "checked": {},
             "rows": {"default": 4}}
    add_options(parser, example, table)
    usual = {"sizes": "small", "share": 0.5, "n_draws": 9, "quick": False, "charts": True,
             "names": None, "checked": None, "rows": 4}
    assert chosen(parser.parse_args([]), table) == usual
    given = ["--sizes", "large", "--share", ".1", "--draws", "3", "--quick", "--no-charts",
             "--called", "me", "--no-checked", "--rows", "2"]
    assert chosen(parser.parse_args(given), table) == {
        "sizes": "large", "share": 0.1, "n_draws": 3, "quick": True, "charts": False,
        "names": "ME", "checked": False, "rows": 2}
    text = " ".join(parser.format_help().split())
    assert "--sizes {small,large} sizes of the clusters (default: small)" in text
    assert "share, 50% by default, of --sizes, e.g. of 1.5" in text
    assert "--called NAME ID of what --draws gives in two lines" in text
    for wrong in (["--sizes", "none"], ["--share", "x"], ["--draws", "1.5"]):
        with pytest.raises(SystemExit):
            parser.parse_args(wrong)


def test_descriptions():
    found = descriptions(example)
    assert {*found} == {"table", "sizes", "share", "n_draws", "quick", "names"}
    assert found["share"] == found["n_draws"]
    assert found["table"] == found["quick"] == ""
    assert in_shell_words("A file. Then more.", {}) == "a file"
    assert in_shell_words('Of "a" or "b"; see `x`. "c" is new.', {}) == 'of "a" or "b"'
    assert descriptions(lambda: None) == {}
