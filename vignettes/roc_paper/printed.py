"""Table 1 as printed, and what is known of its data."""

from __future__ import annotations

COLUMNS = ("SL", "CL", "AL", "WL", "CeL", "MeL", "SLAGLO", "SLDID", "k-means")
LINKAGES = {"SL": "single", "CL": "complete", "AL": "average", "WL": "ward", "CeL": "centroid",
            "MeL": "median"}
#: data set: samples, features, classes, then the areas
_TABLE_1 = """
barras-c3   400  2  2 0.139 0.025 0.025 0.010 0.010 0.011 0.102 0.087 0.034
image-1     1000 2  7 0.007 0.082 0.068 0.063 0.067 0.087 0.002 0.175 0.074
image-2     1000 2  2 0.467 0.211 0.274 0.224 0.261 0.245 0.030 0.343 0.266
semicircles 500  2  2 0     0.283 0.296 0.256 0.280 0.272 0     0.049 0.320
austra      690  15 2 0.489 0.428 0.472 0.470 0.483 0.486 0.489 0.496 0.320
biomed      194  5  2 0.304 0.279 0.273 0.250 0.280 0.271 0.292 0.408 0.273
breast      683  9  2 0.351 0.121 0.070 0.049 0.049 0.127 0.397 0.419 0.064
chromo      1143 8 24 0.451 0.395 0.394 0.397 0.401 0.416 0.451 0.454 0.403
crabs       200  5  2 0.486 0.501 0.492 0.485 0.498 0.496 0.481 0.480 0.499
derm        366  11 6 0.112 0.057 0.041 0.031 0.041 0.054 0.098 0.092 0.055
ecoli       272  7  3 0.332 0.100 0.072 0.093 0.070 0.162 0.257 0.322 0.095
german      1000 18 2 0.488 0.492 0.485 0.484 0.489 0.481 0.487 0.487 0.487
imox        192  8  4 0.342 0.214 0.285 0.033 0.325 0.140 0.148 0.195 0.134
iris        150  4  3 0.086 0.169 0.057 0.064 0.057 0.097 0.083 0.067 0.089
"""
#: data set: (samples, features, classes)
SIZES: dict[str, tuple[int, int, int]] = {}
#: data set: column: printed area
TABLE_1: dict[str, dict[str, float]] = {}
for _line in _TABLE_1.strip().splitlines():
    _name, *_numbers = _line.split()
    SIZES[_name] = (int(_numbers[0]), int(_numbers[1]), int(_numbers[2]))
    TABLE_1[_name] = dict(zip(COLUMNS, map(float, _numbers[3:])))

#: the largest number of clusters on the curve, not printed: inferred from the column SL
KMAX = {"iris": 20, "crabs": 30, "ecoli": 60, "breast": 100}
#: why a row cannot be computed
LOST = {
    "barras-c3": "synthetic, neither data nor recipe are published",
    "image-1": "synthetic, neither data nor recipe are published",
    "image-2": "synthetic, neither data nor recipe are published",
    "semicircles": "synthetic, neither data nor recipe are published",
    "austra": "15 features are stated; the public set has 14, and its areas differ",
    "biomed": "no public set is known to be the one used",
    "chromo": "no public set is known to be the one used",
    "derm": "the 11 features stated match neither the clinical nor the histological ones of the "
            "public set",
    "german": "18 features are stated; the public set has 20 or 24",
    "imox": "no public set is known to be the one used",
}
#: why a column cannot be computed
LOST_COLUMNS = {
    "SLAGLO": "the paper gives no increments, sizes or parameters, and tunes by the area itself; "
              "no variant tried fits several data sets",
    "SLDID": "the paper gives no increments, sizes or parameters, and tunes by the area itself; "
             "no variant tried fits several data sets",
}
