"""Draws the invented customers of the guide: ``python scripts/customers.py``.

Three segments that are known here only; the file does not have them.
"""

from pathlib import Path

import numpy as np
import pandas as pd

FILE = Path(__file__).parent.parent / "softclust" / "datasets" / "customers.csv"
#: for each segment the means and standard deviations of the numbers (basket: of its logarithm)
MEANS = {"age": (29, 38, 66), "orders": (22, 10, 7), "basket": (3.4, 4.7, 3.7),
         "returns": (27, 10, 8), "discount": (14, 40, 11)}
SPREADS = {"age": (6, 7, 8), "orders": (5, 4, 3), "basket": (.35, .35, .35),
           "returns": (6, 5, 4), "discount": (6, 9, 5)}
#: probabilities of the channels app, web and shop, and of a renewed contract
CHANNELS = ((.8, .1, .1), (.1, .8, .1), (.1, .1, .8))
RENEWED = (.45, .8, .7)
#: names that marketing has given: the second segment has two
NAMES = ("young", "family", "silver")


def customers(n: int = 300, seed: int = 1) -> tuple[pd.DataFrame, np.ndarray]:
    """The table, and the segment of each customer."""
    rng = np.random.default_rng(seed)
    segment = rng.choice(3, n, p=(.4, .35, .25))
    # Twelve customers are halfway between their segment and the next one.
    between = np.arange(n) >= n - 12
    share = np.eye(3)[segment] - .5 * between[:, None] * (
        np.eye(3)[segment] - np.eye(3)[(segment + 1) % 3])
    draw = {name: rng.normal(share @ MEANS[name], share @ SPREADS[name]) for name in MEANS}
    basket = np.exp(draw["basket"]).round(2)
    marketing = np.array(NAMES, dtype=object)[segment]
    marketing[(segment == 1) & (basket > np.median(basket[segment == 1]))] = "family plus"
    agency = segment.copy()
    for labels, values, share_wrong in ((marketing, [*NAMES, "family plus"], .04),
                                        (agency, range(3), .06)):
        wrong = rng.random(n) < share_wrong
        labels[wrong] = rng.choice(values, wrong.sum())
    marketing[rng.random(n) < .08] = None
    age = draw["age"].clip(18, 90).round()
    age[rng.random(n) < .05] = np.nan   # in the file an empty cell
    days = pd.to_timedelta(rng.integers(730, size=n), unit="D")
    frame = pd.DataFrame({
        "joined": (pd.Timestamp("2023-01-01") + days).strftime("%Y-%m-%d"),
        "age": pd.array(age, "Int64"),
        "orders": draw["orders"].clip(1).round().astype(int),
        "basket": basket,
        "returns": draw["returns"].clip(0, 60).round(1),
        "discount": draw["discount"].clip(0, 90).round(1),
        "channel": [rng.choice(["app", "web", "shop"], p=CHANNELS[k]) for k in segment],
        "warehouse": rng.choice(["north", "south"], n),
        "segment": marketing, "agency": np.array(list("ABC"))[agency],
        "renewed": np.where(rng.random(n) < np.array(RENEWED)[segment], "yes", "no")})
    order = rng.permutation(n)
    frame = frame.iloc[order]
    frame.index = pd.Index([f"C{i:03}" for i in range(1, n + 1)], name="customer")
    return frame, segment[order]


if __name__ == "__main__":
    customers()[0].to_csv(FILE, lineterminator="\n")
