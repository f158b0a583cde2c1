"""Functions of clue that need few words of their own, each made by one call of `_mirror`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

import softclust as sc

from .._call import call
from ._arguments import dissimilarities, ensemble_or_clustering, partition, with_names
from ._bagging import FIND

_ARGUMENTS = {
    "x": "clustering-like or Dendrogram\n        Or an Ensemble or list, if asked for ensembles.",
    "tree": "Dendrogram\n        Or an hclust as a mapping.",
    "d": "array-like, shape (n, n) or (n(n-1)/2,)\n        Dissimilarities; condensed ones in "
         "SciPy's order.",
    "data": "array-like, shape (n, p)\n        Data of the fit.",
    "costs": "array-like, shape (rows, columns)\n        Nonnegative, rows <= columns.",
    "k": "int\n        Number of clusters; of columns, at least the clusters of x.",
    "newdata": "array-like, shape (m, p), optional\n        Objects to predict; default: the data.",
    "type": '{"class_ids", "memberships"}\n        What is predicted.',
    "maximum": "bool\n        Maximise the sum instead of minimising it.",
    "algorithm": "str\n        R function of data and k, as for `cl_bag`.",
    "parameters": "dict, optional\n        Further arguments of `algorithm`.",
    "nterms": "int\n        Number of ultrametrics, at least 2.",
    "method": "str\n        Of clue.",
    "weights": "float or array-like\n        Weights >= 0 of the dissimilarities.",
    "control": "dict, optional\n        Options by name, as in clue.",
    "seed": "int, optional\n        Of R's random numbers.",
    "x0": "array-like\n        Where the search starts.",
    "L": "str\n        Text of the R function to minimise.",
    "P": "str\n        Text of the R function that is 0 where the constraints hold, else above 0.",
}
_REQUIRED = inspect.Parameter.empty
_FIT = {"d": _REQUIRED, "method": "SUMT", "weights": 1, "control": None, "seed": None}
_HOW = {"algorithm": "kmeans", "parameters": None, "seed": None}
_CONDENSED = "ndarray, shape (n(n-1)/2,)"
_PRELUDE = """
  dist <- function(d) structure(d, Size = as.integer((1 + sqrt(1 + 8 * length(d))) / 2),
                                Diag = FALSE, Upper = FALSE, class = "dist")
  numbers <- function(m) array(as.double(m), dim(m))
  fit <- function() do.call(find(algorithm), c(list(data, k), parameters))
""" + FIND

FUNCTIONS: dict[str, Callable[..., Any]] = {}


def _mirror(name: str, returns: str, summary: str, body: str, example: str,
            convert: Callable[[Any], Any] | None = None, **defaults: Any) -> None:
    """Make the function `name`: R's value of `body`, converted, with a page of help."""
    code = f"function({', '.join(n for n in defaults if n != 'seed')}) {{{_PRELUDE}{body}}}"
    signature = inspect.Signature([
        inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=value)
        for n, value in defaults.items()])

    def function(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        seed = bound.arguments.pop("seed", None)
        values = {n: _argument(n, value) for n, value in bound.arguments.items()}
        found = call(code, *values.values(), seed=seed)
        if convert is not None:
            return convert(found)
        like = values.get("tree", sc.HardClustering([0, 0]))
        if isinstance(found, list):
            return [with_names(v, like) if isinstance(v, sc.Dendrogram) else v for v in found]
        return with_names(found, like) if isinstance(found, sc.Dendrogram) else found

    told = "\n    ".join(f"{n} : {_ARGUMENTS[n]}" for n in defaults)
    function.__name__ = function.__qualname__ = name
    vars(function)["__signature__"] = signature
    example = example.replace("\n", "\n    ")
    function.__doc__ = f"""{summary}, ``clue::{name.replace('is_', 'is.').replace('as_', 'as.')}``.

    Parameters
    ----------
    {told}

    Returns
    -------
    {returns}

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import clue
    >>> clue.{example}
    """
    FUNCTIONS[name] = function


def _argument(name: str, value: Any) -> Any:
    if name == "x":
        return ensemble_or_clustering(value, "x")
    if name == "tree":
        return sc.as_dendrogram(partition(value, name))
    if name == "d":
        return dissimilarities(value)
    if name in ("data", "newdata", "weights", "x0", "costs"):
        return None if value is None else np.asarray(value, dtype=np.float64)
    return {} if name in ("control", "parameters") and value is None else value


def _first(found: Any) -> Any:
    return found[0].item()


def _from_0(found: Any) -> Any:
    """Positions, which R counts from 1; memberships stay."""
    if isinstance(found, list):
        return [_from_0(each) for each in found]
    return found - 1 if found.dtype.kind == "i" else found


# -- partitions and trees ------------------------------------------------------------------------
for _kind, _what, _yes in (
        ("partition", "a partition", True), ("hard_partition", "a hard partition", True),
        ("soft_partition", "a soft partition", False), ("hierarchy", "a hierarchy", False),
        ("dendrogram", "a tree with heights that do not fall", False)):
    _mirror(f"is_cl_{_kind}", "bool", f"Whether x is {_what}", f"clue::is.cl_{_kind}(x)",
            f"is_cl_{_kind}([0, 0, 1])\n{_yes}", _first, x=_REQUIRED)
_mirror("is_cl_ensemble", "bool", "Whether x is an ensemble", "clue::is.cl_ensemble("
        "if (is.list(x) && !is.object(x)) clue::cl_ensemble(list = x) else x)",
        "is_cl_ensemble([[0, 0, 1], [0, 1, 1]])\nTrue", _first, x=_REQUIRED)
_mirror("cl_membership", "ndarray, shape (n, k)", "Memberships, empty clusters left out and zero "
        "columns last", "numbers(if (is.null(k)) clue::cl_membership(x) else "
        "clue::cl_membership(x, k))", "cl_membership([0, 1, 1], 3).tolist()\n"
        "[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]", x=_REQUIRED, k=None)
_mirror("cl_class_ids", "ndarray of int64, shape (n,)", "Label of each object, ties of soft "
        "clusterings at random", "as.integer(clue::cl_class_ids(x))",
        "cl_class_ids([[0.75, 0.25], [0.125, 0.875]])\narray([0, 1])", _from_0, x=_REQUIRED)
_mirror("cl_classes", "list of ndarray", "Objects of each class of a partition or tree",
        "unname(lapply(unclass(clue::cl_classes(x)), as.integer))",
        "cl_classes([0, 0, 1])\n[array([0, 1]), array([2])]", _from_0, x=_REQUIRED)
_mirror("cl_object_names", "list of str or None", "Names of the objects",
        "clue::cl_object_names(x)", "cl_object_names([0, 0, 1])", x=_REQUIRED)
_mirror("n_of_classes", "int", "Number of non-empty classes", "clue::n_of_classes(x)",
        "n_of_classes([0, 2, 2])\n2", _first, x=_REQUIRED)
_mirror("n_of_objects", "int", "Number of objects", "clue::n_of_objects(x)",
        "n_of_objects([0, 1, 1])\n3", _first, x=_REQUIRED)
_mirror("cl_margin", "ndarray, shape (n,)", "Largest minus second largest membership, 1 if hard; "
        "near ties may come out negative", "as.vector(clue::cl_margin(x))",
        "cl_margin([[0.75, 0.25], [0.5, 0.5]])\narray([0.5, 0. ])", x=_REQUIRED)
_mirror("solve_LSAP", "ndarray of int64, shape (rows,)", "Column of each row in an optimal "
        "assignment, arbitrary under ties", "as.integer(clue::solve_LSAP(costs, maximum))",
        "solve_LSAP([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0]])\narray([2, 1])", _from_0,
        costs=_REQUIRED, maximum=False)
_mirror("cl_predict", "ndarray, shape (m,) or (m, k)", "Labels or memberships of new objects by "
        "the fit of an R function", """found <- clue::cl_predict(fit(), newdata, type)
  if (type == "class_ids") as.integer(found) else numbers(found)""",
        "cl_predict([[0.0], [1.0], [9.0]], 2, [[2.0], [0.0]], seed=1).std()\nnp.float64(0.0)",
        _from_0, data=_REQUIRED, k=_REQUIRED, newdata=None, type="class_ids", **_HOW)
_mirror("cl_prototypes", "ndarray, shape (k, p)", "Prototypes of the clusters that an R function "
        "fits", "numbers(as.matrix(clue::cl_prototypes(fit())))",
        "cl_prototypes([[0.0], [1.0], [9.0]], 2, seed=1).shape\n(2, 1)",
        data=_REQUIRED, k=_REQUIRED, **_HOW)

# -- ultrametrics and their fits -----------------------------------------------------------------
_mirror("cl_ultrametric", _CONDENSED, "Heights at which a tree joins pairs",
        "as.double(clue::cl_ultrametric(tree))",
        'cl_ultrametric({"merge": [[-1, -2], [-3, 1]], "height": [1.0, 2.0]})\n'
        "array([1., 2., 2.])", tree=_REQUIRED)
_mirror("as_cl_ultrametric", "Dendrogram", "Tree with these ultrametric distances",
        "stats::as.hclust(clue::as.cl_ultrametric(d))",
        "as_cl_ultrametric([1.0, 2.0, 2.0]).heights\narray([1., 2.])", d=_REQUIRED)
for _norm, _what in (("ls", "squares"), ("l1", "absolute differences")):
    _mirror(f"{_norm}_fit_ultrametric", "Dendrogram", f"Tree near to dissimilarities by {_what}",
            f"stats::as.hclust(clue::{_norm}_fit_ultrametric(dist(d), method, weights, control))",
            f"{_norm}_fit_ultrametric([1.0, 2.0, 2.0], seed=1).heights.round(4)\narray([1., 2.])",
            **_FIT)
    _mirror(f"{_norm}_fit_ultrametric_target", "Dendrogram", "Heights of a given tree that are "
            f"nearest to dissimilarities by {_what}",
            f"stats::as.hclust(clue::{_norm}_fit_ultrametric_target(dist(d), tree, weights))",
            f'{_norm}_fit_ultrametric_target([1.0, 2.0, 4.0], {{"merge": [[-1, -2], [-3, 1]],\n'
            '...     "height": [1, 2]}).heights.round(4)\narray([1., 3.])',
            d=_REQUIRED, tree=_REQUIRED, weights=1)
_mirror("ls_fit_addtree", _CONDENSED, "Distances in an additive tree near to dissimilarities by "
        "squares", "as.double(clue::ls_fit_addtree(dist(d), method, weights, control))",
        "ls_fit_addtree([1.0, 2.0, 2.0], seed=1).round(4)\narray([1., 2., 2.])", **_FIT)
_mirror("ls_fit_centroid", _CONDENSED, "Distances in a star near to dissimilarities by squares",
        "as.double(clue::ls_fit_centroid(dist(d)))",
        "ls_fit_centroid([1.0, 2.0, 2.0]).round(4)\narray([1., 2., 2.])", d=_REQUIRED)
_mirror("ls_fit_sum_of_ultrametrics", "list of Dendrogram", "Trees whose heights sum to "
        "dissimilarities by squares", "lapply(clue::ls_fit_sum_of_ultrametrics(dist(d), nterms, "
        "weights, control), stats::as.hclust)", "ls_fit_sum_of_ultrametrics([1.0, 2.0, 2.0], "
        'control={"maxiter": 1}, seed=1)[0].n_objects\n3',
        d=_REQUIRED, nterms=2, weights=1, control=None, seed=None)
_mirror("sumt", "ndarray", "Minimum under constraints by penalties",
        "clue::sumt(x0, eval(parse(text = L)), eval(parse(text = P)), control = control)$x",
        'sumt([1.0], "function(x) sum((x - 2)^2)", "function(x) max(0, x - 1)^2").round(4)\n'
        "array([1.])", x0=_REQUIRED, L=_REQUIRED, P=_REQUIRED, control=None, seed=None)
__test__ = FUNCTIONS   # where doctest looks
