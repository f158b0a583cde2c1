"""Options of a command, from the signature and the docstring of the function that it calls."""

from __future__ import annotations

import argparse
import builtins
import collections.abc
import inspect
import re
import types
from collections import ChainMap, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

from .. import _types

#: names of parameters, and what differs for each on the command line: arguments of `add_argument`,
#: and `flag` (its name), `exclusive` (a group of options that exclude each other), `without` (the
#: help of a second option, --no-NAME, that stores False)
Table: TypeAlias = dict[str, dict[str, Any]]
_OWN = ("flag", "exclusive", "without")


class _TypeNames(ChainMap[str, Any]):
    """Names in annotations; those that only type checkers import stand for any type."""

    def __missing__(self, name: str) -> Any:
        return Any


def add_options(parser: argparse.ArgumentParser, function: Callable[..., Any], table: Table
                ) -> None:
    """Add an option for each parameter of a function that a table names.

    The default, the choices (of a `Literal`) and the type are those of the parameter, the help is
    the first sentence of its description. The option is called as the parameter, without ``n_``.
    `chosen` has its value.

    Parameters
    ----------
    parser : argparse.ArgumentParser
    function : callable
        A function with a numpydoc docstring.
    table : mapping of str to mapping
        Parameters, and for each what differs on the command line.
    """
    plain = inspect.unwrap(function)
    parameters = inspect.signature(plain).parameters
    flags = {name: differs.get("flag") or f"--{name.removeprefix('n_').replace('_', '-')}"
             for name, differs in table.items()}
    sentences = {name: in_shell_words(text, flags) for name, text in descriptions(plain).items()}
    groups: dict[str, Any] = defaultdict(parser.add_mutually_exclusive_group)
    for name, differs in table.items():
        default = parameters[name].default
        given = _given(annotated(plain, name), None if default is inspect.Parameter.empty
                       else default) | {"help": sentences.get(name, "")}
        if "type" in differs:
            given.pop("choices", None)
        given |= {key: value for key, value in differs.items() if key not in _OWN}
        default = given.get("default")
        if not (default is None or isinstance(default, bool) or default == []
                or "default" in given["help"]):
            given["help"] += " (default: %(default)s)"
        if given.get("action") == "append" and "repeated" not in given["help"]:
            given["help"] += "; may be repeated"
        flag, without = flags[name], f"--no-{flags[name].removeprefix('--')}"
        target = groups[differs.get("exclusive", name)] if {"exclusive", "without"} & {*differs} \
            else parser
        target.add_argument(without if given.get("action") == "store_false" else flag, dest=name,
                            **given)
        if "without" in differs:
            target.add_argument(without, dest=name, action="store_const", const=False,
                                help=differs["without"])


def chosen(options: argparse.Namespace, table: Table) -> dict[str, Any]:
    """Get the arguments of the function of `add_options`."""
    return {name: getattr(options, name) for name in table}


def _given(parts: list[Any], default: Any) -> dict[str, Any]:
    """Arguments of `add_argument` for the members of a type and a default."""
    texts = [part for part in parts if isinstance(part, str)]
    if isinstance(default, bool):
        return {"action": "store_false" if default else "store_true", "default": default}
    if bool in parts and str not in parts:
        return {"action": argparse.BooleanOptionalAction, "default": default}
    if texts:
        return {"choices": texts, "default": default}
    for kind in (int, float):
        if kind in parts:
            return {"type": kind, "metavar": "NUMBER", "default": default}
    if Sequence[str] in parts and str not in parts:
        return {"action": "append", "metavar": "NAME",
                "default": None if default is None else [*default]}
    column = {*members(_types.ArrayLike)} <= {*parts}   # an array, or the name of a column
    return {"metavar": "COLUMN" if column else "NAME", "default": default}


def annotated(function: Callable[..., Any], name: str) -> list[Any]:
    """Members of the type of a parameter."""
    names = _TypeNames({}, vars(_types), function.__globals__, vars(collections.abc),
                       vars(builtins))
    annotation = inspect.signature(function).parameters[name].annotation
    return members(eval(annotation, {}, names) if isinstance(annotation, str) else annotation)


def members(annotation: Any) -> list[Any]:
    """Types in a union, and the values of a `Literal` in place of it."""
    if get_origin(annotation) in (Union, types.UnionType):
        return [member for part in get_args(annotation) for member in members(part)]
    return [*get_args(annotation)] if get_origin(annotation) is Literal else [annotation]


def descriptions(function: Callable[..., Any]) -> dict[str, str]:
    """Read the description of each parameter from a numpydoc docstring."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n---|\Z)",
                        inspect.getdoc(function) or "", re.MULTILINE | re.DOTALL)
    entries = re.findall(r"^(\w[\w, ]*) :.*\n((?:(?: {4}.*)?\n?)*?)(?=^\S|\Z)",
                         section[1] if section else "", re.MULTILINE)
    return {name: text for names, text in entries for name in names.split(", ")}


def in_shell_words(text: str, flags: Mapping[str, str]) -> str:
    """The first sentence of a description, without marks of reStructuredText.

    Parameters that are options are called by their flags; what points to pages is left out.
    """
    sentence = re.split(r"\.(?= [A-Z\"`]|$)", " ".join(text.split()), maxsplit=1)[0]
    sentence = re.sub(r"[;,] see [^;]*$", "", sentence)
    sentence = re.sub(r"`+([^`]*)`+", lambda mark: flags.get(mark[1], mark[1]), sentence)
    first = sentence[:1] if sentence[1:2].isupper() else sentence[:1].lower()
    return (first + sentence[1:]).replace("%", "%%")


# -- the values of options: what is wrong ends with exit code 2 before any work --------------------
def names(text: str) -> list[str]:
    """Names joined by commas."""
    listed = [name.strip() for name in text.split(",") if name.strip()]
    if not listed:
        raise argparse.ArgumentTypeError("names nothing; give names joined by commas")
    return listed


def character(text: str) -> str:
    """One character; "tab" is a tab."""
    if text != "tab" and len(text) != 1:
        raise argparse.ArgumentTypeError(f"{text!r}; one character is needed")
    return "\t" if text == "tab" else text


def whole_number(text: str, low: int = 0, high: int = 2**63 - 1) -> int:
    """A whole number from `low` to `high`."""
    if not text.lstrip("-").isdecimal() or not low <= int(text) <= high:
        raise argparse.ArgumentTypeError(f"{text!r}; a whole number >= {low} and <= {high} is "
                                         "needed")
    return int(text)


#: for parameters called rng
SEED: dict[str, Any] = {"flag": "--seed", "type": whole_number, "metavar": "NUMBER"}
