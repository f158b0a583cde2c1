"""Progress of long transport problems: what users give, as what `Limits` asks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .._checks import shown
from .._parallel import announcer

Report = Callable[[float, str], object]


@contextmanager
def reporting(progress: Any) -> Iterator[Report | None]:
    """A report function from True (a tqdm bar), a function (fraction, text), False or None.

    With False or None a problem that takes more than two seconds says so once, unless a loop
    around it does.
    """
    if progress is None or progress is False:
        yield announcer("transport", "it stops at time_limit= or Ctrl-C with the bounds that "
                                     "it has proved by then")
    elif progress is True:
        from tqdm import tqdm
        with tqdm(total=100, unit="%", leave=False,
                  bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}") as bar:
            def update(fraction: float, text: str) -> None:
                bar.set_description_str(text or "transport", refresh=False)
                bar.n = 0 if math.isnan(fraction) else round(100 * fraction)
                bar.refresh()
            yield update
    elif callable(progress):
        yield progress
    else:
        raise TypeError(f"progress is {shown(progress)}; True, False, None or a function "
                        "(fraction, text) is needed")
