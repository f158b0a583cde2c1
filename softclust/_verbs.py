"""The verbs of broom, `tidy` and `glance`: one table of estimates, one row for the whole."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ._records import Columns

_ESTIMATES = ("estimate", "std_error", "conf_low", "conf_high", "p_value")


class Tidied:
    """A result with estimates: `_estimates` gives its rows, `_whole` the one row about it all."""

    __slots__ = ()

    def _estimates(self) -> Sequence[Mapping[str, Any]]:
        raise NotImplementedError

    def _whole(self) -> Mapping[str, Any]:
        raise NotImplementedError

    def tidy(self, backend: str = "pandas") -> Any:
        """One row per estimate, with the columns that table makers of other packages read.

        Parameters
        ----------
        backend : str
            The package whose frame it becomes, as in ``to_frame``.

        Returns
        -------
        data frame
            Columns ``term``, ``estimate``, ``std_error``, ``conf_low``, ``conf_high``,
            ``p_value`` (nan where there is none) and ``method``.
        """
        rows = self._estimates()
        columns: dict[str, Any] = {"term": [row["term"] for row in rows]}
        columns |= {name: [float(row.get(name, math.nan)) for row in rows] for name in _ESTIMATES}
        columns["method"] = [row.get("method", "") for row in rows]
        return _framed(columns, backend)

    def glance(self, backend: str = "pandas") -> Any:
        """One row about the whole result.

        Parameters
        ----------
        backend : str
            The package whose frame it becomes, as in ``to_frame``.

        Returns
        -------
        data frame
        """
        return _framed({name: [value] for name, value in self._whole().items()}, backend)


def _framed(columns: dict[str, Any], backend: str) -> Any:
    found = Columns(columns)
    return found.to_pandas() if backend == "pandas" else found.to_native(backend)
