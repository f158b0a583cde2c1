"""Functions of the R package clue under their own names, for any clustering-like arguments.

Clusterings may be anything `softclust.as_clustering` takes; ensembles are `softclust.Ensemble` or
lists of clusterings. Clusters, columns, members and objects count from 0. Values are R's, its
peculiarities included (list of differences: README.md): soft partitions are hardened silently
where a method needs hard ones, ties at random. Random numbers are R's, set by ``seed=``.

>>> from r_bridge import clue
>>> clue.cl_agreement([0, 0, 1], [0, 1, 1], method="Rand")
0.33333333333333337
"""

from ._bagging import cl_bag, cl_boot
from ._ensembles import (
    ClueConsensus,
    ClueMedoids,
    ClueTabulation,
    cl_consensus,
    cl_medoid,
    cl_pam,
    cl_tabulate,
)
from ._partitions import (
    cl_class_ids,
    cl_fuzziness,
    cl_join,
    cl_margin,
    cl_meet,
    cl_membership,
    cl_validity,
    n_of_classes,
    n_of_objects,
    solve_LSAP,
)
from ._proximities import cl_agreement, cl_dissimilarity

__all__ = [
    "cl_agreement", "cl_dissimilarity", "cl_membership", "cl_class_ids", "n_of_classes",
    "n_of_objects", "cl_consensus", "cl_bag", "cl_boot", "cl_medoid", "cl_pam", "cl_margin",
    "cl_fuzziness", "cl_validity", "cl_meet", "cl_join", "cl_tabulate", "solve_LSAP",
    "ClueConsensus", "ClueMedoids", "ClueTabulation",
]
