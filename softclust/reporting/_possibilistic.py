"""Possibilistic c-means tried with several eta factors after one fuzzy fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..cluster import PossibilisticCMeans


class OneFuzzyStart(PossibilisticCMeans):
    """Keeps its fuzzy fit, which no eta factor changes; only for fits of the same data."""

    _fuzzy: Any = None

    def _starts(self, data: Any) -> list[np.ndarray]:
        if self._fuzzy is None:
            return super()._starts(data)
        self.eta_ = super()._fuzzy_eta(data, self._fuzzy)
        return [self._fuzzy.centers]

    def _fuzzy_eta(self, data: Any, run: Any) -> np.ndarray:
        self._fuzzy = run
        return super()._fuzzy_eta(data, run)
