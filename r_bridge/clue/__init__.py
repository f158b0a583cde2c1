"""Functions of the R package clue under their own names, for any clustering-like arguments.

Clusterings may be anything `softclust.as_clustering` takes; trees are `softclust.Dendrogram` or an
hclust as a mapping; ensembles are `softclust.Ensemble`, lists of clusterings or lists of trees.
What clue writes with a dot has "_" here: `is_cl_partition`. Clusters, columns, members and objects
count from 0. Values are R's, its peculiarities included (list of differences: README.md): soft
partitions are hardened silently where a method needs hard ones, ties at random. Random numbers are
R's, set by ``seed=``.

>>> from r_bridge import clue
>>> clue.cl_agreement([0, 0, 1], [0, 1, 1], method="Rand")
0.33333333333333337
"""

from ._bagging import cl_bag, cl_boot
from ._ensembles import (
    ClueClusters,
    ClueConsensus,
    ClueMedoids,
    ClueTabulation,
    cl_consensus,
    cl_medoid,
    cl_pam,
    cl_pclust,
    cl_tabulate,
    kmedoids,
)
from ._mirrored import FUNCTIONS as _FUNCTIONS
from ._partitions import cl_fuzziness, cl_join, cl_meet, cl_validity
from ._proximities import cl_agreement, cl_dissimilarity

__all__ = [
    "cl_agreement", "cl_dissimilarity", "cl_consensus", "cl_bag", "cl_boot", "cl_medoid", "cl_pam",
    "cl_pclust", "kmedoids", "cl_fuzziness", "cl_validity", "cl_meet", "cl_join", "cl_tabulate",
    "ClueClusters", "ClueConsensus", "ClueMedoids", "ClueTabulation", *_FUNCTIONS,
]
globals().update(_FUNCTIONS)
