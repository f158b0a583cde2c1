"""The label of a report: known groups, with what noise and missing labels are."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import shown
from ..clusterings import Aligned, HardClustering, align

NOISE = ("cluster", "drop", "raise")
MISSING = ("drop", "cluster", "raise")


def check_label_policies(noise: Any, missing: Any, dashes: bool) -> None:
    """Raise for a policy that would leave a report without groups to show."""
    for name, rule, allowed in (("noise", noise, NOISE), ("missing", missing, MISSING)):
        if rule not in allowed:
            option = f"--{name}" if dashes else name
            raise ValueError(
                f"{option} is {shown(rule)}; a report takes {', '.join(map(repr, allowed))} for "
                "its label, because it shows the groups one by one. For other policies save the "
                "clusters found (to_frame) and compare them with the label: compare(..., "
                f"{name}={shown(rule)})")


def settle_label(name: str, groups: HardClustering, labelled: np.ndarray, n: int, *, noise: str,
                 noise_label: Any, missing: str) -> tuple[HardClustering, np.ndarray, Aligned]:
    """Groups of the objects that are compared with the label, their rows, and what was done.

    `groups` are those of the rows `labelled` of n objects; names of groups are texts.
    """
    texts = noise_label if isinstance(noise_label, (set, frozenset)) else {noise_label}
    everybody = HardClustering(np.zeros(n, np.int64), object_names=range(n))
    label = HardClustering(groups.labels, cluster_names=groups.cluster_names,
                           object_names=labelled.tolist())
    done = align(everybody, label, noise=("cluster", noise), missing=("raise", missing),
                 noise_label=(-1, {str(v) for v in texts}), objects="all", names=("data", name))
    found, rows = done[1].as_hard(name), done.positions[0]
    return HardClustering(found.labels, cluster_names=found.cluster_names), rows, done
