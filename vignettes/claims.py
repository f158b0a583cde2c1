"""Printed numbers and statements of papers next to ours: one `Claim` for each.

A vignette makes one `Claims` and adds to it while it goes along; at its end ``CLAIMS.table()``
shows all of them and ``CLAIMS.check()`` raises if one does not hold. Nothing is true because it
is written here: `Claim.holds` compares the numbers again.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

#: what a claim may be: as printed, as printed up to chance, printed wrong (`corrected` is right), a
#: statement of softclust's own, or out of reach
STATUSES = ("reproduced", "compatible", "corrected", "own", "unreachable")
#: those whose numbers agree within the tolerance
AGREE = ("reproduced", "compatible", "own")
#: a tolerance above this share of the value shows that draws agree, not that a number was reached
WIDE = 0.02
FAST_VARIABLE = "SOFTCLUST_VIGNETTE_FAST"


def fast() -> bool:
    """True in the fast mode of the tests: few replicates, claims that need many left out."""
    return os.environ.get(FAST_VARIABLE, "") not in ("", "0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One printed number or statement.

    Attributes
    ----------
    place : str
        Where it stands, unique in its vignette: "Table 2, FCM, A-RI, upper".
    published : number, str, tuple
        As printed, misprints included.
    ours : number, str, tuple or None
        What softclust computes; None only where nothing can be computed (unreachable).
    tolerance : float
        Largest absolute difference that rounding of the print (or chance, then with `reason`)
        explains; 0 for text.
    status : str
        "reproduced": `ours` is `published` within `tolerance`. "compatible": the same, but random
        draws differ and the tolerance is wide. "own": a statement that softclust puts in the place
        of a wrong one, `published` is what it says. "corrected": the print is wrong;
        `ours` is `corrected` within `tolerance` and differs from `published` by more.
        "unreachable": the paper's setting cannot be restored; `reason` says why.
    corrected : number, str, tuple or None
        The right value, known without softclust's measure (by hand, exact, by an oracle).
    reason : str
        Needed for corrected (the proof, or where it is) and unreachable.
    full_only : bool
        Left out of the fast mode.
    needs : str
        What is missing here ("R"), where the claim could be settled elsewhere: then `ours` is None
        and the status "unreachable" for this run alone.
    """

    place: str
    published: Any
    ours: Any
    tolerance: float
    status: str
    corrected: Any = None
    reason: str = ""
    full_only: bool = False
    needs: str = ""

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"{self.place}: status={self.status!r}; choose one of {STATUSES}")
        if self.status not in ("reproduced", "own") and not self.reason:
            raise ValueError(f"{self.place}: a {self.status} claim needs its reason")
        if self.status == "corrected" and self.corrected is None:
            raise ValueError(f"{self.place}: a corrected claim needs the value that is right")
        if self.ours is None and self.status != "unreachable":
            raise ValueError(f"{self.place}: ours is missing")

    @property
    def holds(self) -> bool:
        """Test whether `status` is true of the numbers."""
        if self.status in AGREE:
            return close(self.ours, self.published, self.tolerance)
        if self.status == "corrected":
            return (close(self.ours, self.corrected, self.tolerance)
                    and not close(self.ours, self.published, self.tolerance))
        # A claim called unreachable that is reached must be called reproduced.
        return self.ours is None or not close(self.ours, self.published, self.tolerance)

    @property
    def state(self) -> str:
        """`status`, or that it is not true."""
        return self.status if self.holds else f"FAILED: {self.status}"


def close(a: Any, b: Any, tolerance: float) -> bool:
    """Equal within `tolerance`: numbers, text, or tuples of them."""
    if isinstance(a, (tuple, list)) or isinstance(b, (tuple, list)):
        return (isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)) and len(a) == len(b)
                and all(close(p, q, tolerance) for p, q in zip(a, b)))
    if isinstance(a, (str, bool)) or isinstance(b, (str, bool)):
        return type(a) is type(b) and a == b
    a, b = float(a), float(b)
    # A print of .285 rounds .2855 too: a hair beyond half a unit is the binary form of the numbers.
    return (math.isnan(a) and math.isnan(b)) or abs(a - b) <= tolerance + 1e-12


@dataclass
class Claims:
    """The claims of one paper, in the order of the paper.

    Attributes
    ----------
    paper : str
        Citation.
    items : list of Claim
    """

    paper: str
    items: list[Claim] = field(default_factory=list)

    def add(self, place: str, published: Any, ours: Any, tolerance: float = 0.0, *,
            status: str = "reproduced", corrected: Any = None, reason: str = "",
            full_only: bool = False, needs: str = "") -> None:
        """Add one claim; `place` must be new."""
        if any(item.place == place for item in self.items):
            raise ValueError(f"{place} is claimed twice")
        if needs:
            status, ours, corrected = "unreachable", None, None
            reason = f"needs {needs}, which is not here"
        if status == "reproduced" and reason and by_chance(plain(published), tolerance):
            status = "compatible"
        claim = Claim(place=place, published=plain(published), ours=plain(ours),
                      tolerance=float(tolerance), status=status, corrected=plain(corrected),
                      reason=" ".join(reason.split()), full_only=full_only, needs=needs)
        self.items.append(claim)

    def failures(self) -> list[Claim]:
        """Claims whose numbers contradict their status."""
        return [item for item in self.items if not item.holds]

    def check(self) -> None:
        """Raise AssertionError naming every claim that does not hold."""
        failed = self.failures()
        if failed:
            raise AssertionError("\n".join(
                f"{c.place}: {c.status}, published {shown(c.published)}, ours {shown(c.ours)}"
                + (f", right {shown(c.corrected)}" if c.corrected is not None else "")
                + f", tolerance {c.tolerance:g}" for c in failed))

    def counts(self) -> dict[str, int]:
        """Number of claims a status."""
        return {status: sum(c.status == status for c in self.items) for status in STATUSES}

    def table(self) -> Any:
        """All claims as a pandas DataFrame: place, published, ours, tolerance, status, reason."""
        import pandas as pd
        return pd.DataFrame([{
            "place": c.place, "published": shown(c.published), "ours": shown(c.ours),
            "tolerance": f"{c.tolerance:g}", "status": c.state, "reason": c.reason}
            for c in self.items])

    def records(self) -> list[dict[str, Any]]:
        """All claims as plain text and flags: what `build.py` stores and the tests compare."""
        return [{"place": c.place, "published": shown(c.published), "ours": shown(c.ours),
                 "tolerance": f"{c.tolerance:g}", "status": c.state, "reason": c.reason,
                 "full_only": c.full_only, "needs": c.needs} for c in self.items]


def by_chance(published: Any, tolerance: float) -> bool:
    """Test whether the tolerance exceeds rounding: wide relative to the printed number."""
    if isinstance(published, (tuple, list)):
        sizes = [_size(part) for part in published]
        return any(sizes) and tolerance > WIDE * max(sizes)
    size = _size(published)
    return tolerance > max(WIDE * size, 1e-3) and not isinstance(published, (str, bool))


def _size(value: Any) -> float:
    """The largest absolute number in it; 0 for text and where there is none."""
    if isinstance(value, (tuple, list)):
        return max((_size(part) for part in value), default=0.0)
    return 0.0 if isinstance(value, (str, bool)) or value is None else abs(float(value))


def plain(value: Any) -> Any:
    """numpy scalars and arrays as plain numbers and tuples, so that claims can be stored."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return tuple(plain(v) for v in value)
    if hasattr(value, "low") and hasattr(value, "high"):   # softclust.Interval
        return (float(value.low), float(value.high))
    return value


def shown(value: Any) -> str:
    """Numbers with six digits; fractions as fractions; None as a dash."""
    if value is None:
        return "–"
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(shown(v) for v in value) + ")"
    if isinstance(value, (str, bool, int, Fraction)):
        return str(value)
    return f"{value:.6g}"
