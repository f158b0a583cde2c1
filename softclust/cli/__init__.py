"""The command line ``softclust``: demo, compare, explain, report, count, chance and others.

Exit codes: 0 success, 1 problem with the data, 2 wrong usage, 130 interrupted by Ctrl-C.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import entry_points

from .. import __version__
from .._checks import IncompleteWarning
from ..running.warnings import showing
from .arguments import add_file_arguments, read_clusterings
from .options import add_options, chosen
from .output import say

__all__ = ["add_file_arguments", "add_options", "chosen", "main", "read_clusterings"]
#: modules of the commands, which have a function add_NAME, and their help
COMMANDS = {
    "demo": (".demo", "ten questions about clusters, on one data set"),
    "compare": (".comparing", "compare the clusterings in two files"),
    "explain": (".explaining", "show which clusters and objects disagree"),
    "report": ("..reporting.command", "cluster a table and explain what was found, as HTML"),
    "count": (".counting", "compare two columns of labels of any number of objects"),
    "chance": (".counting", "could two columns agree only by chance?"),
    "versions": (".versions", "did a new version of a pipeline change the clusters?"),
    "replicate": (".replicating", "are the clusters found again in other data?"),
    "separation": (".separating", "which given clusters are apart, and which are one?"),
    "settings": (".settings", "which settings of a clusterer may be best?"),
    "measures": (".measures", "list the measures")}
#: entry points of other packages that add commands
COMMAND_GROUP = "softclust.commands"
DATA_ERROR, USAGE, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141
#: new objects after which the garbage collector runs, in a process of our own
_COLLECTED = 100_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments; those of the process by default.

    Returns
    -------
    int
        The exit code.

    Examples
    --------
    >>> from softclust.cli import main
    >>> main(["--version"])
    softclust ...
    0
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if argv is None:
        _collect_seldom()
        for name in ("stdout", "stderr"):   # None: the shell has closed it
            if getattr(sys, name) is None:
                nowhere = os.open(os.devnull, os.O_WRONLY)
                setattr(sys, name, os.fdopen(nowhere, "w", encoding="utf-8"))
    debug = "--debug" in arguments
    try:
        with _warnings_as_lines():
            code = _dispatch(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as stop:   # argparse: --help, --version, usage errors
        return stop.code if isinstance(stop.code, int) else USAGE
    except BrokenPipeError:
        # The reader has closed the pipe (softclust measures | head): nothing more can be printed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt as stop:
        if debug:
            raise
        say(str(stop) or "interrupted")
        return INTERRUPTED
    except Exception as error:
        if debug:
            raise
        say(_explain(error))
        return getattr(error, "exit_code", DATA_ERROR)


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    """Print a warning as one line, without the line of the program that gave it.

    A result that Ctrl-C left unfinished ends the command: nothing is written.
    """
    def tell(message: str, category: type[Warning]) -> bool:
        if issubclass(category, IncompleteWarning) and message.startswith("interrupted"):
            raise KeyboardInterrupt(message.partition(";")[0])
        say(f"warning: {message}")
        return True

    with showing(tell, lambda text: say(f"warning: {text}")):
        yield


def _collect_seldom() -> None:
    """Run the garbage collector seldom, in a process of our own.

    For a report on 20,000 rows it takes a tenth of the time, half of it at the end.
    """
    gc.set_threshold(_COLLECTED)
    atexit.register(gc.freeze)


def _explain(error: Exception) -> str:
    """Explain an error of the data or the machine in one line; add a hint to any other."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, (ValueError, ImportError)):
        return str(error)
    if isinstance(error, MemoryError):
        return f"not enough memory{f': {error}' if str(error) else ''}"
    return (f"unexpected {type(error).__name__}: {error} (this may be a bug; --debug shows "
            "where it happened)")


def _dispatch(arguments: list[str]) -> int:
    # Commands added by installed packages.
    others = {entry.name: entry for entry in entry_points(group=COMMAND_GROUP)
              if entry.name not in COMMANDS}
    command = next((a for a in arguments if not a.startswith("-")), None)
    if command in others:
        rest = list(arguments)
        rest.remove(command)
        return int(others[command].load()([a for a in rest if a != "--debug"]) or 0)
    parser = command_parser(command, others)
    options = parser.parse_args(arguments)
    if options.version:
        text = f"softclust {__version__}"
        if options.verbose:
            from ..running.installed_versions import versions_text
            text = versions_text()
        print(text)
        return 0
    if options.run is None:
        parser.print_help()
        return USAGE
    return options.run(options, parser)


def command_parser(command: str | None, others: Collection[str] = ()) -> argparse.ArgumentParser:
    """Make the parser of all commands, of which one has its options."""
    epilog = "exit codes: 0 success, 1 problem with the data, 2 wrong usage, 130 interrupted"
    if others:
        epilog = f"further commands: {', '.join(sorted(others))} (each with --help); " + epilog
    parser = argparse.ArgumentParser(
        prog="softclust", epilog=epilog,
        description="Compare clusterings: hard, rough, fuzzy, possibilistic, evidential.")
    parser.add_argument("--version", action="store_true",
                        help="show the version; with --verbose also those of dependencies")
    parser.add_argument("--verbose", action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(run=None)
    common = argparse.ArgumentParser(add_help=False)
    for each, default in ((parser, False), (common, argparse.SUPPRESS)):
        each.add_argument("--debug", action="store_true", default=default,
                          help="show the traceback of errors")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name, (module, what) in COMMANDS.items():
        each = commands.add_parser(name, parents=[common], help=what)
        if name == command:   # its function is loaded for its signature
            getattr(import_module(module, __name__), f"add_{name}")(each)
    return parser
