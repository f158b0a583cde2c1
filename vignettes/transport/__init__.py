"""Shared parts of the pages on the transport paper."""

from show import show

#: what rounding of sums of a few terms leaves
ROUNDING = 1e-9


def tell(claims, places, caption=""):
    """Show the claims whose place begins with one of `places` (a text or a tuple of texts)."""
    table = claims.table()
    here = table[table["place"].str.startswith(places)]
    show(here[["place", "published", "ours", "status"]].reset_index(drop=True),
         caption or str(places))


def sure(*facts):
    """Stop if one of the facts is false."""
    for number, fact in enumerate(facts, start=1):
        assert fact, f"fact {number} is false"


def statements(claims):
    """Two ways to record a statement: refuted by a number, or without failure in trials."""
    def refute(place, printed, ours, right, reason):
        """`printed` is a number or a text such as "at most 1/3" that `right` contradicts."""
        claims.add(place, printed, ours, ROUNDING, status="corrected", corrected=right,
                   reason=reason)

    def holds(place, failures):
        # A corrected theorem is softclust's own statement, not one of the paper.
        own = " corrected, " in place
        claims.add(f"{place}: failures in random trials", 0, failures,
                   status="own" if own else "reproduced")
    return refute, holds
