"""Read one side of a comparison from what R sends."""

from __future__ import annotations

from typing import Any

import numpy as np


def side_from_r(given: dict[str, Any]) -> Any:
    """Convert one side from what R sent to what `align` takes."""
    if "clustering" in given or "labels" in given:
        return given.get("clustering", given.get("labels"))
    objects, clusters = given.get("objects"), given.get("clusters")
    rows = np.atleast_2d(given["rows"]) if "rows" in given else None
    if rows is not None and (rows.shape[1] == 1 or objects is clusters is None):
        return rows   # a frame with one column would be labels
    import pandas as pd
    if rows is not None:
        return pd.DataFrame(rows, columns=clusters, index=objects)
    codes = np.asarray(given["codes"], dtype=np.int64) - 1
    values = pd.Categorical.from_codes(codes, categories=given["levels"])
    return values if objects is None else pd.Series(values, index=objects)
