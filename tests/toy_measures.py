"""Measures for tests: a formula of a pair of clusterings under a door of its own."""

import inspect

from softclust.measures._registry import KINDS, measure, value_of
from softclust.measures.joint import Pair

GIVEN = {"sense": "agreement", "kinds": KINDS, "bounds": (0.0, 1.0), "cost": "O(1)",
         "source": "this test"}


def toy_door(formula, name="toy_index"):
    """A function of (x, y) with the options of ``formula(source, *, ...)``."""
    def door(x, y=None, **options):
        return value_of(door, x, y, **options)

    options = [p for p in inspect.signature(formula).parameters.values()
               if p.kind is p.KEYWORD_ONLY]
    sides = [inspect.Parameter("x", inspect.Parameter.POSITIONAL_OR_KEYWORD),
             inspect.Parameter("y", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)]
    door.__signature__ = inspect.Signature([*sides, *options])
    door.__name__ = name
    door.__doc__ = "A toy."
    return door


def toy(formula, name="toy_index", *, statistic=Pair, **changes):
    """Register the formula; the caller restores the registry."""
    return measure(statistic, formula, **{**GIVEN, **changes})(toy_door(formula, name))
