"""Table 1 of the ROC paper: which printed cells can be reached, and why the others cannot."""

#: data set: objects, largest number of clusters (inferred), printed areas by linkage
TABLE1 = {
    "iris": (150, 20, {"single": 0.086, "complete": 0.169, "average": 0.057, "ward": 0.064,
                       "centroid": 0.057, "median": 0.097}),
    "crabs": (200, 30, {"single": 0.486, "complete": 0.501, "average": 0.492, "ward": 0.485,
                        "centroid": 0.498, "median": 0.496}),
    "ecoli": (272, 60, {"single": 0.332, "complete": 0.100, "average": 0.072, "ward": 0.093,
                        "centroid": 0.070, "median": 0.162}),
    "breast": (683, 100, {"single": 0.351, "complete": 0.121, "average": 0.070, "ward": 0.049,
                          "centroid": 0.049, "median": 0.127}),
}
#: reached whatever way ties are broken
ACCEPTANCE = {
    "iris": ("average", "centroid"),
    "crabs": ("single", "complete", "average", "ward", "median"),
    "ecoli": ("average", "ward", "centroid"),
}
#: not tie-free: how the printed value is reached, and the computed one where it is another
OTHER = {
    ("iris", "single"): ("row order", None),
    ("iris", "complete"): ("row order", None),
    ("iris", "ward"): ("row order", None),
    # a frequent outcome when ties are broken at random, not that of the row order
    ("iris", "median"): ("jitter", 0.1778),
    ("crabs", "centroid"): ("row order", None),
    ("ecoli", "single"): ("row order", None),
    ("ecoli", "complete"): ("row order", None),
    ("ecoli", "median"): ("row order", None),
    # integer data with hundreds of ties: not an acceptance set
    ("breast", "single"): ("row order", None),
    ("breast", "average"): ("row order", None),
    ("breast", "ward"): ("row order", None),
    ("breast", "centroid"): ("jitter", 0.0531),
    ("breast", "complete"): ("not reached", 0.1191),
    ("breast", "median"): ("not reached", 0.0689),
}
#: rows and columns that nobody can recompute
NOT_REPRODUCIBLE = (
    ("derm", "the stated 11 features match neither the clinical nor the histological ones"),
    ("austra", "15 features are stated, the public set has 14, and values differ"),
    ("biomed", "data not public, or not the ones used"),
    ("chromo", "data not public, or not the ones used"),
    ("german", "18 features are stated; data not public, or not the ones used"),
    ("imox", "data not public, or not the ones used"),
    ("barras-c3", "synthetic, data not published"),
    ("image-1", "synthetic, data not published"),
    ("image-2", "synthetic, data not published"),
    ("semicircles", "synthetic, data not published"),
    ("SLAGLO", "increments, small clusters and tuned parameters not described; chosen by the "
               "area itself"),
    ("SLDID", "as SLAGLO"),
)
