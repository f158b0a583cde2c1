"""Cases that the reference scorer of coreference publishes with its source.

S. Pradhan and others (2014), Scoring coreference partitions of predicted mentions: A reference
implementation; scorer 8.01, test cases A1 to N6. A letter is a mention; recall, precision and F
of each metric. Fractions are the scorer's own, decimals as it prints them, five of them.
"""

import math
from fractions import Fraction as Q

import pytest
from together import for_each

import softclust as sc

KEY, NONE = "a bc def", (0, 0, 0)
ONE = (1, 1, 1)
METRICS = {
    "muc": sc.muc_index,
    "bcub": sc.bcubed_index,
    "ceafm": lambda x, y, part: sc.ceaf_index(x, y, part=part, similarity="mention"),
    "ceafe": sc.ceaf_index,
    "blanc": sc.blanc_index,
}
#: key, response, {metric: (recall, precision, F)}; F None: the harmonic mean of both
CASES = {
    "A1": (KEY, "a bc def", dict.fromkeys(METRICS, ONE)),
    "A2": (KEY, "a de", {
        "muc": (Q(1, 3), 1, 0.5), "bcub": (Q(7, 18), 1, Q(14, 25)), "ceafm": (0.5, 1, 0.66667),
        "ceafe": (0.6, 0.9, 0.72), "blanc": (0.21591, 1, 0.35385)}),
    "A3": (KEY, "a bcx defy z", {
        "muc": (1, Q(3, 5), 0.75), "bcub": (1, Q(55, 108), Q(110, 163)),
        "ceafm": (1, 0.66667, 0.8), "ceafe": (0.88571, 0.66429, 0.75918),
        "blanc": (1, 0.42593, 0.59717)}),
    "A4": (KEY, "a bcx dy z", {
        "muc": (Q(1, 3), Q(1, 3), Q(1, 3)), "bcub": (Q(5, 9), Q(17, 42), None),
        "ceafm": (0.66667, 0.57143, 0.61538), "ceafe": (0.73333, 0.55, 0.62857),
        "blanc": (0.35227, 0.27206, 0.30357)}),
    "A5": (KEY, "a bcxB dy z", {   # B: another mention, inside b
        "muc": (Q(1, 3), Q(1, 4), Q(2, 7)), "bcub": (Q(5, 9), Q(5, 16), None),
        "ceafm": (0.66667, 0.5, 0.57143), "ceafe": (0.68889, 0.51667, 0.59048),
        "blanc": (0.35227, 0.19048, 0.24716)}),
    "A6": (KEY, "a bcx dy Bz", {
        "muc": (Q(1, 3), Q(1, 4), Q(2, 7)), "bcub": (Q(5, 9), Q(17, 48), None),
        "ceafm": (0.66667, 0.5, 0.57143), "ceafe": (0.73333, 0.55, 0.62857),
        "blanc": (0.35227, 0.20870, 0.25817)}),
    "A10": (KEY, "a b c d e f", {
        "muc": NONE, "bcub": (Q(3, 6), 1, Q(2, 3)), "blanc": (0.5, 0.36667, 0.42308)}),
    "A11": (KEY, "abcdef", {
        "muc": (1, Q(3, 5), Q(6, 8)), "bcub": (1, Q(7, 18), Q(14, 25)),
        "blanc": (0.5, 0.13333, 0.21053)}),
    "A12": (KEY, "a x y c d e z", {
        "muc": NONE, "bcub": (Q(13, 36), Q(4, 7), None), "blanc": (0.22727, 0.11905, 0.15625)}),
    "A13": (KEY, "axycdez", {
        "muc": (Q(1, 3), Q(1, 6), Q(2, 9)), "bcub": (Q(17, 36), Q(6, 49), None),
        "blanc": (0.125, 0.02381, 0.04)}),
    "B1": ("ab cde", "bcx de", {"blanc": (Q(7, 24),) * 3}),
    "C1": ("ab cde fg", "bcx de fg", {"blanc": (Q(41, 80),) * 3}),
    "D1": ("12345 67 89ABC", "12345 6789ABC", {
        "muc": (1, Q(9, 10), None), "bcub": (1, Q(16, 21), None)}),
    "E1": ("12345 67 89ABC", "1234589ABC 67", {
        "muc": (1, Q(9, 10), None), "bcub": (1, Q(7, 12), None)}),
    "F1": ("ABCD", "AB CD", {"muc": (Q(2, 3), 1, None)}),   # I1 has the same chains
    "G1": ("AB CD", "ABCD", {"muc": (1, Q(2, 3), None)}),
    "H1": ("ABCD", "ABCD", {"muc": ONE}),
    "J1": ("ABC", "AC", {"muc": (Q(1, 2), 1, None)}),
    "K1": ("BCDEGHJ", "ABC DEF GHI", {"muc": (Q(3, 6), Q(3, 6), Q(3, 6))}),
    "L1": ("ABC DEFG", "AB CD FGH", {"muc": (Q(2, 5), Q(2, 4), None)}),
    "M1": ("abcdef", "abcdef", dict.fromkeys(METRICS, ONE)),
    "M2": ("abcdef", "a b c d e f", {"muc": NONE, "blanc": NONE}),
    "M3": ("abcdef", "ab cde f", {"blanc": (0.26667, 1, 0.42105)}),
    "M4": ("abcdef", "abcxyz", {"blanc": (0.2, 0.2, 0.2)}),
    "M5": ("abcdef", "a b c x y z", {"muc": NONE, "blanc": NONE}),
    "M6": ("abcdef", "ab cxy z", {"blanc": (0.06667, 0.25, 0.10526)}),
    "N1": ("a b c d e f", "a b c d e f", {"muc": NONE, "blanc": ONE}),
    "N2": ("a b c d e f", "abcdef", {"muc": NONE, "blanc": NONE}),
    "N3": ("a b c d e f", "ab cde f", {"blanc": (0.73333, 1, 0.84615)}),
    "N4": ("a b c d e f", "a b c x y z", {"muc": NONE, "blanc": (0.2, 0.2, 0.2)}),
    "N5": ("a b c d e f", "abcxyz", {"blanc": NONE}),
    "N6": ("a b c d e f", "ab cxy z", {"blanc": (0.13333, 0.18182, 0.15385)}),
}


def sides(key, response):
    mentions = sorted(set(key + response) - {" "})
    return [sc.CoverClustering.from_clusters([list(chain) for chain in chains.split()],
                                             objects=mentions) for chains in (response, key)]


#: MUC without links is 0/0: 0 for the scorer; here nan, or 1 where both sides are equal
UNDEFINED = {("A10", "precision"), ("A12", "precision"), ("M2", "precision"), ("M5", "precision"),
             ("N2", "recall"), ("N4", "recall"), ("N4", "precision"), ("N4", "f1")}


@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
@for_each("name", CASES)
def test_values_of_the_reference_scorer(name):
    key, response, values = CASES[name]
    x, y = sides(key, response)
    for metric, (recall, precision, f) in values.items():
        if f is None:
            f = 2 * recall * precision / (recall + precision)
        for part, expected in (("recall", recall), ("precision", precision), ("f1", f)):
            found = METRICS[metric](x, y, part=part)
            if metric == "muc" and (name, part) in UNDEFINED:
                assert expected == 0
                assert math.isnan(found), (metric, part)
            elif metric == "muc" and name == "N1":
                assert found == 1.0, (metric, part)
            else:   # decimals are rounded to five places
                tolerance = 5.1e-6 if isinstance(expected, float) else 1e-15
                assert found == pytest.approx(float(expected), abs=tolerance), (metric, part)


def test_repeated_mentions_are_errors():
    """A7 to A9: the scorer removes them, which gives A4."""
    mentions, y = list("abcdefxyz"), sides(KEY, "xyz")[1]
    with pytest.raises(sc.ClusteringError, match="'b' is twice in cluster 1"):
        sc.CoverClustering.from_clusters([["a"], list("bcxb"), ["d", "y"]], objects=mentions)
    x = sc.CoverClustering.from_clusters([list("a"), list("bcx"), list("dy"), list("bz")],
                                         objects=mentions)
    for metric in ("muc", "ceafm", "ceafe", "blanc"):
        with pytest.raises(sc.ClusteringError, match="object 'b' in 2 clusters"):
            METRICS[metric](x, y, part="f1")
