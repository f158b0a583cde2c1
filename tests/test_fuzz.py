"""Random bad arguments for every public callable: a result, or an error that says what is wrong.

``make test`` tries some seconds of it, ``make test-slow`` much more. A failure names the call; the
arguments follow from the name and the number alone.
"""

import inspect
import warnings
import zlib

import numpy as np
import pandas as pd
import pytest

import softclust as sc
from softclust.clusterings import Clustering

#: what a user may see; anything else is a fault of ours
ALLOWED = (ValueError, TypeError, ImportError, KeyError, FileNotFoundError, NotImplementedError,
           OverflowError)   # "int too large to convert to float" is as plain as can be
LONGEST_MESSAGE = 2500
QUICK, SLOW = 3, 120
#: too long for a test, of the whole process, or without arguments to try
LEFT_OUT = {"report", "warmup", "set_num_threads", "get_num_threads", "reliability_simulation",
            "without_window", "pyplot", "show_versions"}


def targets():
    """(name, callable) of functions, clusterings and estimators that users call."""
    import softclust.plotting as plotting
    homes = {"": sc, "cluster.": sc.cluster, "datasets.": sc.datasets, "plotting.": plotting}
    found = {}
    for prefix, home in homes.items():
        for name in sc._public() if home is sc else home.__all__:
            value = getattr(home, name)
            public = (callable(value) and not name.startswith("_")
                      and name not in LEFT_OUT)
            if not public or (inspect.isclass(value) and (
                    issubclass(value, (Warning, Exception)) or not made_by_users(value))):
                continue
            found[prefix + name] = value
    return found


def made_by_users(kind):
    return hasattr(kind, "fit") or issubclass(kind, (sc.Ensemble, Clustering))


class Odd:
    """Something that is no data at all."""

    def __repr__(self):
        return "Odd()"


def cyclic():
    inner = [1]
    inner.append(inner)
    return inner


GOOD = [
    lambda: [0, 0, 1, 1, 2, 2], lambda: np.array([0, 1, 0, 1, 0, 1]), lambda: list("aabbcc"),
    lambda: sc.FuzzyClustering([[1, 0], [.5, .5], [0, 1], [.2, .8], [0, 1], [1, 0]]),
    lambda: sc.RoughClustering.from_upper([[1, 0], [1, 1], [0, 1], [1, 1], [0, 1], [1, 0]]),
    lambda: np.arange(12.0).reshape(6, 2) ** 1.5, lambda: np.eye(3), lambda: 2, lambda: 0.5,
    lambda: {"a": [0, 0, 1, 1, 2, 2], "b": [0, 1, 1, 1, 2, 2]},
]
BAD = [
    lambda: None, lambda: -1, lambda: 0, lambda: 7, lambda: 2.5, lambda: np.nan, lambda: np.inf,
    lambda: 10**400, lambda: True, lambda: "", lambda: "x", lambda: b"x", lambda: 1j, Odd,
    list, lambda: [[]], lambda: [1], lambda: [1, 2], lambda: [None, 1], lambda: ["a", 1],
    lambda: (), dict, lambda: set(), lambda: {1, 2}, lambda: range(3), cyclic,
    lambda: iter([1, 2]), lambda: len, lambda: int, lambda: [[1], [1, 2]], lambda: [[0, 1], None],
    lambda: np.zeros((0, 2)), lambda: np.zeros((2, 0)), lambda: np.zeros(0), lambda: np.array(3),
    lambda: np.full((4, 2), np.nan), lambda: np.full(6, np.inf), lambda: np.ones((2, 2, 2)),
    lambda: np.array([1, "a", None], dtype=object), lambda: np.array("a"),
    lambda: np.ones(6) * 1e300,
    lambda: np.array(["2020-01-01"] * 3, dtype="datetime64[D]"), lambda: -np.ones((6, 2)),
    lambda: pd.DataFrame(), lambda: pd.Series([1, None, 2]),
    lambda: pd.DataFrame({"a": list("xyz")}),
    lambda: pd.Series(["a"] * 6, index=list("uuvvww")), lambda: np.ma.masked_invalid([1, np.nan]),
    lambda: [10**400, 1], lambda: [np.nan] * 6, lambda: [[0.5, 0.5]], lambda: "a" * 5000,
    lambda: sc.HardClustering([0, 1]), lambda: sc.as_clustering([[1.0], [1.0]], "fuzzy"),
]


def arguments(function, name, number):
    """Arguments that follow from name and number: the required ones and some options."""
    rng = np.random.default_rng([zlib.crc32(name.encode()), number])

    def some():
        pool = GOOD if rng.random() < 0.5 else BAD
        return pool[rng.integers(len(pool))]()

    args, options = [], {}
    for parameter in inspect.signature(function).parameters.values():
        kind, needed = parameter.kind, parameter.default is inspect.Parameter.empty
        if kind is parameter.VAR_POSITIONAL:
            args += [some() for _ in range(rng.integers(3))]
        elif kind is parameter.VAR_KEYWORD or parameter.name in ("ax", "executor"):
            continue
        elif needed and kind is not parameter.KEYWORD_ONLY:
            args.append(some())
        elif needed or rng.random() < 0.15:
            options[parameter.name] = some()
    return args, options


def written(args, options):
    def short(value):
        text = repr(value) if not isinstance(value, list) or value is not value else str(value)
        return text if len(text) < 80 else text[:77] + "..."
    return ", ".join([*map(short, args), *(f"{k}={short(v)}" for k, v in options.items())])


def attempt(name, function, number):
    """None, or what is wrong with the answer to one call."""
    args, options = arguments(function, name, number)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            made = function(*args, **options)
            if inspect.isclass(function) and hasattr(function, "fit"):
                args, options = arguments(made.fit, name, number)
                made.fit(*args, **options)
            else:
                repr(made)
    except ALLOWED as error:
        text = str(error)
        if not text.strip():
            return f"{name}({written(args, options)}): {type(error).__name__} without a message"
        if len(text) > LONGEST_MESSAGE and ours(error):
            return f"{name}({written(args, options)}): a message of {len(text)} characters"
    except Exception as error:
        return f"{name}({written(args, options)}): {type(error).__name__}: {str(error)[:200]}"
    finally:
        close_charts()
    return None


def ours(error):
    """Whether the message was written here; scikit-learn and numpy show what they were given."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    return "softclust" in trace.tb_frame.f_globals.get("__name__", "") and (
        "could not convert" not in str(error))


def close_charts():
    import sys
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


def fuzz(calls, first=0):
    wrong = []
    for name, function in targets().items():
        wrong += [attempt(name, function, number) for number in range(first, first + calls)]
    return [text for text in wrong if text]


@pytest.fixture(autouse=True)
def without_window(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pytest.importorskip("matplotlib").use("Agg")


def test_bad_arguments_give_plain_errors():
    assert fuzz(QUICK) == []


@pytest.mark.slow
def test_many_bad_arguments_give_plain_errors():
    assert fuzz(SLOW, first=QUICK) == []


def test_every_public_function_is_tried():
    tried = {name.rpartition(".")[2] for name in targets()}
    functions = {name for name in sc._public()
                 if not name.startswith("_") and inspect.isfunction(getattr(sc, name))}
    assert functions - tried <= LEFT_OUT
    assert len(tried) > 120
