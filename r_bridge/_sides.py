"""Read one side of a comparison from what R sends."""

from __future__ import annotations

from typing import Any

import numpy as np


def side_from_r(given: dict[str, Any]) -> Any:
    """Convert one side from what R sent to what `align` takes."""
    if "clustering" in given:
        return given["clustering"]
    import pandas as pd
    objects = given.get("objects")
    if "codes" in given:
        codes = np.asarray(given["codes"], dtype=np.int64) - 1
        values = pd.Categorical.from_codes(codes, categories=given["levels"])
        return values if objects is None else pd.Series(values, index=objects)
    rows = np.atleast_2d(given["rows"])
    if objects is None and given.get("clusters") is None:
        return rows
    frame = pd.DataFrame(rows, columns=given.get("clusters"))
    return frame if objects is None else frame.set_axis(objects, axis=0)
