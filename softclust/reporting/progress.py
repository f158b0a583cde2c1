"""What the terminal shows while a report is made."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

#: seconds between two looks at the clock
BEAT = 0.5


@contextmanager
def bar(progress: bool, what: str = "", total: int | None = None) -> Iterator[Any]:
    """A tqdm bar on stderr whose clock runs on within long steps; with `what` alone a clock."""
    from tqdm import tqdm
    steps = "|{bar}| {n_fmt}/{total_fmt} " if total is not None else ""
    with tqdm(total=total, desc=what, disable=not progress, leave=False, unit="step",
              bar_format="{desc:<44.44}" + steps + "[{elapsed}]") as shown:
        over = threading.Event()

        def beat() -> None:
            while not over.wait(BEAT):
                shown.refresh()

        clock = threading.Thread(target=beat, daemon=True, name="softclust-clock")
        if progress:
            clock.start()
        try:
            yield shown
        finally:
            over.set()
            if progress:
                clock.join()
