"""Python end of the R package: decode what R sent, call softclust, encode the answer.

R calls `call(command, arguments)` and nothing else. Everything crosses as plain lists, strings,
numbers and bytes, because reticulate 1.28 cannot carry matrices of numpy 2. Every dict that
crosses has a tag under ".t"; R/python.R of the package is the other end and uses the same tags:

=====  ==================================================================================
"n"    numbers: raw bytes (little endian, column by column), type d, i or l, dim, names
"s"    strings: v, and na, the positions of missing ones
"a"    unnamed list: v
"m"    named list: names k, values v
"f"    data frame: names k, columns v, number of rows n, row_names or None
"c"    clustering: kind, its arrays, objects and clusters (names or None)
"e"    ensemble: members v, names k or None
"of"   what a function of softclust makes, from R only: its name and its arguments
"h"    tree of hclust(): merge, height, labels or None
"sd"   one side of a comparison, from R only: a clustering, or labels or rows with gaps
=====  ==================================================================================

From Python to R counts go as doubles (an R integer ends at 2^31), bool as logical, None as NULL,
and labels are raised by 1; from R to Python whole numbers of length 1 become int. Both happen
here and nowhere else. A module named in `MODULES` may add commands with the decorator `command`.

Errors and warnings are data: R makes conditions of them. KeyboardInterrupt passes.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import dataclasses
import importlib
import threading
import warnings
import zlib
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

import numpy as np

import softclust as sc
from softclust.results.text import counting_from
from softclust.running.threads import end_idle_threads

from ._dendrogram import merges_from_r
from ._sides import side_from_r
from ._words import EXPORTS, message, spelled

#: modules of this package with further commands; each is imported when a command is missing
MODULES = ("_front_records", "_front_comparing", "_front_fitting", "_front_pictures")
COMMANDS: dict[str, Callable[..., Any]] = {}
#: warnings for programmers of Python packages say nothing to users of R
SILENT = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning,
          BytesWarning, FutureWarning)
EXACT_DOUBLE_LIMIT = 2**53
#: kinds that are one matrix or two, by the names of these
MATRICES: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "fuzzy": (sc.FuzzyClustering, ("membership",)),
    "possibilistic": (sc.PossibilisticClustering, ("typicality",)),
    "rough": (sc.RoughClustering, ("lower", "upper")),
    "evidential": (sc.EvidentialClustering, ("mass", "focal_sets"))}
#: tuples of texts, which stay character vectors when they are empty
TEXTS = ("notes", "warnings", "failures")
#: fields that are sentences, which R has in its words
SPOKEN = {"notes", "failures"}


class Encoded(dict[str, Any]):
    """A value that is encoded already."""


class FrontError(TypeError):
    """A value cannot cross the border between R and Python."""


def command(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register `function` under its name; it is called with decoded keyword arguments."""
    COMMANDS[function.__name__] = function
    return function


def call(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Run a command and return its result, or its error, and its warnings.

    Parameters
    ----------
    name : str
        A name in `COMMANDS`.
    arguments : dict
        Encoded keyword arguments.

    Returns
    -------
    dict
        value (encoded), or error: [type, message]; warnings: list of [type, message].
    """
    value, error = None, None
    with warnings.catch_warnings(record=True) as caught, counting_from(1):
        warnings.simplefilter("always")
        try:
            function = _command(name)
            value = encode(function(**{k: decode(v) for k, v in arguments.items()}))
        except Exception as failure:
            value, error = None, [_type_name(failure), message(_message(failure))]
    said = list(dict.fromkeys((w.category.__name__, message(str(w.message))) for w in caught
                              if not issubclass(w.category, SILENT)))
    kinds, texts = map(list, zip(*said)) if said else ((), ())
    return {"value": value} | ({"error": error} if error else {}) | (
        {"types": kinds, "texts": texts} if said else {})


class Job:
    """Run a call in its own thread, so that R can check for Ctrl-C and time limits.

    Parameters
    ----------
    name, arguments
        As `call` takes them.
    """

    def __init__(self, name: str, arguments: Mapping[str, Any]) -> None:
        self._answer: dict[str, Any] = {}
        self._thread = threading.Thread(target=self._run, args=(name, arguments), daemon=True)
        self._thread.start()

    def _run(self, name: str, arguments: Mapping[str, Any]) -> None:
        with contextlib.suppress(KeyboardInterrupt):   # nobody waits for the answer any more
            self._answer = call(name, arguments)
            end_idle_threads()

    def wait(self, seconds: float) -> dict[str, Any] | None:
        """Return the answer, or None if it takes longer than this."""
        self._thread.join(seconds)
        return None if self._thread.is_alive() else self._answer

    def cancel(self) -> bool:
        """Interrupt the call, wait a few seconds, and return True if it has ended."""
        number = ctypes.c_ulong(self._thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(KeyboardInterrupt))
        self._thread.join(5.0)
        return not self._thread.is_alive()


def _command(name: str) -> Callable[..., Any]:
    if name not in COMMANDS:
        for module in MODULES:
            importlib.import_module(f"{__package__}.{module}")
        if name not in COMMANDS:
            raise LookupError(f"r_bridge has no command {name!r}; the R package and the Python "
                              "package have different versions: reinstall both")
    return COMMANDS[name]


def named(name: Any) -> Any:
    """The public function, class or method of softclust with this name."""
    home, _, last = name.rpartition(".") if isinstance(name, str) else ("", "", "")
    found = {"": sc, "cluster": sc.cluster}.get(home)
    if found is None and home in dir(sc) and isinstance(getattr(sc, home), type):
        found = getattr(sc, home)
    if found is None or last.startswith("_") or last not in dir(found) or not callable(
            getattr(found, last)):
        raise FrontError(f"{str(name)[:80]!r} is not a function of softclust")
    return getattr(found, last)


def _type_name(failure: BaseException) -> str:
    """The class of an error; of one that is not public the class it comes from."""
    return next(kind.__name__ for kind in type(failure).__mro__
                if not kind.__module__.startswith("softclust.") or hasattr(sc, kind.__name__))


def _message(failure: BaseException) -> str:
    # str(KeyError("text")) is the repr of the text.
    if isinstance(failure, KeyError) and failure.args:
        return str(failure.args[0])
    return str(failure) or _type_name(failure)


# -- R to Python --------------------------------------------------------------------------------
def decode(value: Any) -> Any:
    """Convert a value from R to Python."""
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) <= EXACT_DOUBLE_LIMIT
        return int(value) if whole else value
    if not isinstance(value, Mapping):
        return value
    return DECODERS[value[".t"]](value)


def _numbers(value: Mapping[str, Any]) -> np.ndarray:
    """float64, int64 or bool; C order, own and writable memory."""
    source, target = {"d": ("<f8", np.float64), "i": ("<i4", np.int64),
                      "l": ("u1", np.bool_)}[value["type"]]
    flat = np.frombuffer(value["b"], dtype=source)
    if value.get("dim") is None:
        return flat.astype(target)
    shape = tuple(int(d) for d in value["dim"])
    return np.array(flat.reshape(shape, order="F"), dtype=target, order="C", copy=True)


def _strings(value: Any) -> list[Any] | None:
    """A list of str; R sends a single string without its list."""
    if value is None:
        return None
    return [value] if isinstance(value, str) else list(value)


def _clustering(value: Mapping[str, Any]) -> Any:
    kind = value["kind"]
    names = {"object_names": _strings(value.get("objects")),
             "cluster_names": _strings(value.get("clusters"))}
    if kind == "hard":
        return sc.HardClustering(_numbers(value["labels"]) - 1,
                                 n_clusters=int(value["n_clusters"]), **names)
    arrays = [_numbers(value[part]) for part in ("first", "second") if part in value]
    if kind == "cover":
        from scipy.sparse import coo_array
        places = tuple(array.astype(np.int64) - 1 for array in arrays)
        shape = int(value["n_objects"]), int(value["n_clusters"])
        return sc.CoverClustering(coo_array((np.ones(places[0].shape), places), shape), **names)
    return MATRICES[kind][0](*arrays, **names)


def _ensemble(value: Mapping[str, Any]) -> sc.Ensemble:
    return sc.Ensemble([_clustering(v) for v in value["v"]], _strings(value.get("k")))


#: how each tag is read; modules add theirs
DECODERS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "n": _numbers,
    "s": lambda v: _strings(v["v"]),
    "a": lambda v: [decode(item) for item in v["v"]],
    "m": lambda v: dict(zip(_strings(v["k"]) or [], (decode(item) for item in v["v"]))),
    "c": _clustering,
    "e": _ensemble,
    "h": lambda v: sc.Dendrogram(
        merges_from_r({"merge": np.atleast_2d(_numbers(v["merge"])),
                       "height": _numbers(v["height"])}), object_names=_strings(v.get("labels"))),
    "sd": lambda v: side_from_r({k: decode(part) for k, part in v.items() if k != ".t"}),
}


# -- Python to R --------------------------------------------------------------------------------
def encode(value: Any) -> Any:
    """Convert a result of softclust to R."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, Encoded):
        return dict(value)   # reticulate converts plain dicts only
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, np.ndarray):
        return numbers(value)
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, Mapping):
        return {".t": "m", "k": ["->".join(map(str, k)) if isinstance(k, tuple) else str(k)
                                 for k in value], "v": [encode(v) for v in value.values()]}
    if isinstance(value, (list, tuple)):
        return sequence(value)
    if isinstance(value, sc.Interval):
        return numbers(np.array([value.low, value.high]), names=["low", "high"])
    if isinstance(value, sc.Ensemble):
        return {".t": "e", "v": [encode(member) for member in value], "k": list(value.names)}
    if hasattr(value, "kind") and hasattr(value, "object_names"):
        return _clustering_to_r(value)
    if dataclasses.is_dataclass(value):
        return encode({name: _part(value, name) for name in public(value).split()})
    if type(value).__module__.partition(".")[0] == "pandas":
        return dict(framed(value, "rows"))
    raise FrontError(f"a {type(value).__name__} has no counterpart in R")


def numbers(values: Any, names: list[str] | None = None) -> Any:
    """An array as raw bytes; integers as doubles."""
    array = np.asarray(values)
    if array.dtype.kind in "OUST" and array.ndim == 1:
        return sequence(array.tolist())
    if array.dtype.kind not in "bfiu":
        raise FrontError(f"an array of {array.dtype} with {array.ndim} dimensions has no "
                         "counterpart in R")
    logical = array.dtype.kind == "b"
    flat = np.ravel(array.astype("u1" if logical else "<f8", copy=False), order="F")
    return {".t": "n", "b": bytearray(flat.tobytes()), "type": "l" if logical else "d",
            "dim": None if array.ndim == 1 else [float(d) for d in array.shape],
            "names": None if names is None else [str(v) for v in names]}


def sequence(values: Any) -> Any:
    """Encode a list of strings (None is NA), of numbers or of other values."""
    values = list(values)
    if values and all(v is None or isinstance(v, str) for v in values) and any(values):
        return strings(values)
    logical = [isinstance(v, (bool, np.bool_)) for v in values]
    if values and (all(logical) or (not any(logical) and all(
            isinstance(v, (int, float, np.number)) for v in values))):
        return numbers(np.array(values, dtype=bool if all(logical) else float))
    return {".t": "a", "v": [encode(v) for v in values]}


def strings(values: Any) -> dict[str, Any]:
    """A character vector, also of length 0; None is NA."""
    values = [None if v is None or v != v else str(v) for v in values]
    missing = [float(i + 1) for i, v in enumerate(values) if v is None]
    return {".t": "s", "v": ["" if v is None else v for v in values], "na": missing or None}


def framed(table: Any, words: str = "") -> Encoded:
    """A frame of pandas as R has it; the words say what is done with its columns.

    "k#" holds whole numbers, "first+" positions, "cluster@" names (without any they count from 1),
    "value=criterion" renames, "-pair" leaves out, "rows" makes the index the names of the rows,
    which is a column otherwise.
    """
    done = words.split()
    rows = table.index if "rows" in done and type(table.index).__name__ != "RangeIndex" else None
    table = table.reset_index() if rows is None and any(table.index.names) else table
    called = dict(reversed(word.split("=")) for word in done if "=" in word)
    columns = {called.get(name, name): table[name] for name in map(str, table.columns)
               if f"-{name}" not in done}
    return Encoded({
        ".t": "f", "k": list(columns), "n": float(len(table)),
        "v": [dict(_column(name, column, done)) for name, column in columns.items()],
        "row_names": None if rows is None else [str(v) for v in rows]})


def _column(name: str, column: Any, done: list[str]) -> Any:
    """A column of a frame: whole numbers, positions, names, numbers, logicals or strings."""
    marks = next((word[len(name):] for word in done if word.rstrip("#+@") == name), "")
    if "@" in marks:
        return strings(names_from_one(column))
    if marks:
        return whole(from_one(column) if "+" in marks else column)
    if column.dtype.kind in "iuf":
        return numbers(column.to_numpy(float, na_value=np.nan))
    found = sequence(column.tolist())
    return found if found[".t"] == "n" else strings(column)


def _clustering_to_r(x: Any) -> dict[str, Any]:
    clusters = None if x.cluster_names == tuple(range(x.n_clusters)) else x.cluster_names
    parts: dict[str, Any] = {
        ".t": "c", "kind": x.kind, "n_clusters": float(x.n_clusters),
        "objects": None if x.object_names is None else strings(x.object_names),
        "clusters": None if clusters is None else strings(clusters)}
    if x.kind == "hard":
        return parts | {"labels": numbers(x.labels + 1)}
    if x.kind == "cover":
        starts, members = x.by_cluster
        clusters = np.repeat(np.arange(1, x.n_clusters + 1), np.diff(starts))
        return parts | {"first": numbers(members + 1), "second": numbers(clusters),
                        "n_objects": float(x.n_objects)}
    arrays = [numbers(getattr(x, name)) for name in MATRICES[x.kind][1]]
    return parts | dict(zip(("first", "second"), arrays))


# -- set-up -------------------------------------------------------------------------------------
@command
def versions() -> dict[str, str]:
    """Versions of Python and of the packages that determine the numbers."""
    import platform
    from importlib.metadata import PackageNotFoundError, version
    found = {"softclust": sc.__version__, "python": platform.python_version()}
    for package in ("numpy", "scipy", "numba", "scikit-learn"):
        found[package] = "missing"
        with contextlib.suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


@command
def exports(names: list[str]) -> None:
    """Note the functions of the R package, which messages name."""
    EXPORTS.update(name.removeprefix("sc_") for name in names)


@command
def echo(value: Any) -> Any:
    """Return what was sent, for tests of the conversion."""
    return value


def from_one(positions: Any) -> Any:
    """Positions counted from 1; -1, which stands for none, becomes nan (R's NA)."""
    values = np.asarray(positions, dtype=np.float64)
    return np.where(values < 0, np.nan, values + 1.0)[()]


def whole(values: Any) -> Encoded:
    """Whole numbers as R's integers; nan and None are NA."""
    array = np.asarray(values, dtype=np.float64)
    known = np.where(np.isnan(array), -2.0**31, array).astype("<i4")
    return Encoded(numbers(array) | {"b": bytearray(np.ravel(known, order="F").tobytes()),
                                     "type": "i", "dim": None if array.ndim < 2 else
                                     [float(d) for d in array.shape]})


def from_zero(positions: Any, name: str) -> Any:
    """Convert R's positions, counted from 1, to positions from 0."""
    if isinstance(positions, list):
        return [from_zero(np.atleast_1d(each), name) for each in positions]
    values = np.asarray(positions)
    if values.dtype.kind == "b":   # one for each object
        return values
    if values.dtype.kind not in "iu":
        whole = np.asarray(values, dtype=np.float64)
        if not (np.isfinite(whole) & (whole == np.floor(whole))).all():
            raise sc.ClusteringError(f"{name} holds numbers that are not whole")
        values = whole.astype(np.int64)
    if values.size and values.min() < 1:
        raise sc.ClusteringError(f"{name} holds {values.min()}; in R positions count from 1")
    return values - 1 if values.ndim else int(values) - 1


def list_of(value: Any) -> list[Any]:
    """Return an R vector as a list; one of length 1 arrives as a plain value."""
    return value.tolist() if isinstance(value, np.ndarray) else (
        list(value) if isinstance(value, (list, tuple)) else [value])


def crossing(found: Any, names: str, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return attributes of a result under their names, and what R keeps beside them.

    `names` may rename, as in "value=criterion", and end with "#" where R has integers; methods are
    called. What is a position counts from 1 in R, and so does what ends with "@"; "!" marks
    names, of which those without count from 1. What is in `more` is taken from there.
    """
    more = dict(more or {})
    named = {word.partition("=")[0].rstrip("#@!"): word for word in names.split()}
    parts = {name: more.pop(name) if name in more else _part(found, word)
             for name, word in named.items()} | more
    for name in SPOKEN & parts.keys():
        if isinstance(parts[name], Encoded):
            parts[name] = Encoded(parts[name] | {"v": list(map(spelled, parts[name]["v"]))})
    return parts | (verbs(found) if hasattr(found, "summary") else {})


def public(found: Any, skip: str = "") -> str:
    """The public fields of a record but those in `skip`, for `crossing`."""
    return " ".join(f.name for f in dataclasses.fields(found)
                    if f.repr and not f.name.startswith("_") and f.name not in skip.split())


def _part(found: Any, word: str) -> Any:
    name = word.rpartition("=")[2].rstrip("#@!")
    value = attrgetter(name)(found)
    value = value() if callable(value) else value
    if "!" in word and value is not None:
        return Encoded(strings(names_from_one(value)))
    position = "@" in word or is_position(type(found), name)
    if isinstance(position, str):   # rows, of which one entry is a position
        value = [{**row, position: row[position] + 1} for row in value]
    elif isinstance(value, Mapping) and position:
        value = {name: from_one(each) for name, each in value.items()}
    elif value is not None and position:
        ragged = isinstance(value, tuple) and any(np.ndim(v) for v in value)
        value = list(map(from_one, value)) if ragged else from_one(value)
    if "#" in word:
        return [whole(v) for v in value] if isinstance(value, list) else whole(value)
    return Encoded(strings(value)) if name in TEXTS else value


def is_position(kind: type, name: str) -> Any:
    """Return what is declared of a field or property of a record that holds positions."""
    field = getattr(kind, "__dataclass_fields__", {}).get(name)
    getter = getattr(getattr(kind, name, None), "fget", None)
    return field.metadata.get("position") if field else getattr(getter, "position", False)


def names_from_one(names: Any) -> list[str]:
    """Names of clusters or objects; those without a name count from 1 in R."""
    return [str(name + 1 if isinstance(name, (int, np.integer)) else name) for name in names]


def verbs(result: Any) -> dict[str, Any]:
    """Return the summary of a result, and broom's tables if it has them."""
    tables = {verb: getattr(result, verb)() for verb in ("tidy", "glance")
              if hasattr(result, verb)}
    if hasattr(result, "plot") and hasattr(result, "to_json"):
        # For its chart: short for labels, and text, so that saveRDS() keeps it.
        with contextlib.suppress(TypeError):   # what a user's estimator holds has no text
            tables["record"] = base64.b64encode(
                zlib.compress(result.to_json().encode(), 1)).decode()
    return {"verbs": {**tables, "summary": printed(result)}}


def printed(result: Any) -> dict[str, Any]:
    """The summary of a result: title, columns of texts by their headers, notes."""
    with counting_from(1):
        table = result.summary()
    columns = list(zip(*table.rows)) if table.rows else [()] * len(table.headers)
    return {"title": spelled(table.title), "headers": Encoded(strings(table.headers)),
            "columns": [Encoded(strings(map(spelled, column) if header == "measure" else column))
                        for header, column in zip(table.headers, columns)],
            "notes": Encoded(strings(map(spelled, table.notes)))}
