"""Values printed in the paper on truecluster matching, and the models behind its Table 7."""

PRINTED_6 = {   # share (percent), diagonal, kappa, Rand, corrected Rand; signs restored
    "Tracemax RandomMatch": (1.0, 1.00, 1.00, 1.000, 1.00),
    "Tracemax NonRandomMatch": (99.0, 0.98, -0.01, 0.960, -0.01),
    "Tracemax Expected": (100.0, 0.98, 0.00, 0.961, 0.00),
    "Truematch Expected": (100.0, 0.03, 0.01, 0.961, 0.00),
    "Truematch NonRandomMatch1": (49.5, 0.02, 0.00, 0.960, -0.01),
    "Truematch NonRandomMatch2": (49.5, 0.02, 0.00, 0.960, -0.01),
    "Truematch RandomMatch": (1.0, 1.00, 1.00, 1.000, 1.00),
}
COLUMNS_6 = ("share", "diagonal", "kappa", "Rand", "corrected Rand")

MODELS = {   # sizes, is the first cluster justified?, true K
    "random 50:49:1": ([50, 49, 1], False, 1), "random 99:1": ([99, 1], False, 1),
    "random 50:50": ([50, 50], False, 1), "single 100": ([100], True, 1),
    "justified 50 random 49:1": ([50, 49, 1], True, 2), "justified 50:50": ([50, 50], True, 2),
}
PRINTED_7 = {   # H, RMC, I, CIC; signs of CIC restored
    ("MMCC", "random 50:49:1"): (1.578, 0.020, 0.044, -1.534),
    ("MMCC", "random 99:1"): (1.000, 0.010, 0.014, -0.985),
    ("MMCC", "random 50:50"): (0.995, 0.010, 0.059, -0.936),
    ("MMCC", "single 100"): (0.0, 0.0, 0.0, 0.0),
    ("MMCC", "justified 50 random 49:1"): (0.499, 0.018, 0.695, 0.196),
    ("MMCC", "justified 50:50"): (0.0, 0.010, 0.990, 0.990),
    ("consensus", "random 50:49:1"): (1.066, 0.011, 0.049, -1.016),
    ("consensus", "random 50:50"): (0.995, 0.010, 0.048, -0.947),
    ("consensus", "random 99:1"): (0.081, 0.001, 0.001, -0.080),
    ("consensus", "single 100"): (0.0, 0.0, 0.0, 0.0),
    ("consensus", "justified 50 random 49:1"): (0.071, 0.011, 0.965, 0.895),
    ("consensus", "justified 50:50"): (0.0, 0.010, 0.990, 0.990),
}
