"""How often confidence limits cover: the tables of the guide, and laws of your own.

``python tests/benchmarks/limits_coverage.py [hard] [difficult] [random] [soft] [bootstrap]
[ranking] [grouped]`` prints Markdown tables; ``--samples`` sets how many samples each figure rests
on. With 400 the standard error of a coverage of .95 is .011. All parts take some minutes.

``--law table.csv --n 200 1000`` does the same for a distribution of your own: a table without
names, one row per class and one column per cluster, of counts or of probabilities.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Callable, Iterable

import numpy as np

import softclust as sc

SIZES = (80, 200, 1000)
HARD = ("rand_index", "adjusted_rand_index", "jaccard_index", "fowlkes_mallows_index",
        "wallace_index", "adjusted_fowlkes_mallows_index", "katz_powell_index",
        "mutual_information", "variation_of_information", "normalized_mutual_information",
        "normalized_variation_of_information", "normalized_information_distance",
        "purity_index", "coclassification_index", "normalized_accuracy_index",
        "van_dongen_distance", "element_centric_index", "adjusted_element_centric_index",
        "bcubed_index", "soft_average_mutual_information")
SOFT = ("fuzzy_rand_index", "fuzzy_adjusted_rand_index", "fuzzy_jaccard_index",
        "fuzzy_fowlkes_mallows_index", "fuzzy_gamma_index", "fuzzy_minkowski_dissimilarity",
        "frobenius_rand_index", "frobenius_adjusted_rand_index", "anderson_rand_index",
        "anderson_adjusted_rand_index", "anderson_jaccard_index", "concordance_index",
        "alpha_rand_index", "credal_rand_index", "fuzzy_mutual_information",
        "fuzzy_normalized_mutual_information", "fuzzy_variation_of_information",
        "euclidean_membership_index", "manhattan_membership_index", "matched_cosine_index",
        "coclassification_index", "alpha_partition_dissimilarity")
#: means over pairs of objects: their mean over samples is what they estimate
MEANS_OVER_PAIRS = ("concordance_index", "alpha_rand_index", "credal_rand_index")


# -- five laws of two hard labels -------------------------------------------------------------
def zipf() -> np.ndarray:
    """Six classes of sizes 1, 1/2, ..., 1/6; 15 % of the labels are drawn anew by size."""
    sizes = 1.0 / np.arange(1, 7)
    sizes /= sizes.sum()
    return 0.85 * np.diag(sizes) + 0.15 * np.outer(sizes, sizes)


def split_and_merged() -> np.ndarray:
    """Four classes, of which one is split in three and two are merged; 10 % noise."""
    table = np.zeros((4, 5))
    table[0, :3] = [0.15, 0.1, 0.05]
    table[1, 3], table[2, 4], table[3, 4] = 0.3, 0.25, 0.15
    return 0.9 * table + 0.1 * np.outer(table.sum(axis=1), np.full(5, 0.2))


def ring() -> np.ndarray:
    """Eight equal classes, each taken for the next one with probability 1/4."""
    return (0.75 * np.eye(8) + 0.25 * np.roll(np.eye(8), 1, axis=1)) / 8


def irregular() -> np.ndarray:
    """A law of 5 x 4 cells from a Dirichlet distribution."""
    return np.random.default_rng(2026).dirichlet([0.3] * 20).reshape(5, 4)


def weak() -> np.ndarray:
    """3 x 5 classes that are nearly independent."""
    rows, columns = np.array([0.5, 0.3, 0.2]), np.full(5, 0.2)
    table = 0.9 * np.outer(rows, columns)
    table[[0, 1, 2], [0, 1, 2]] += 0.1 * rows
    return table


LAWS = (zipf, split_and_merged, ring, irregular, weak)


def whole(law: np.ndarray, name: str) -> float:
    """The measure of the law: of a table of 10^12 objects, per object where it counts objects."""
    counts = np.rint(law * 1e12).astype(np.int64)
    value = float(sc.get_measure(name).function(sc.ContingencyTable.from_counts(counts)))
    return value / counts.sum() if name == "van_dongen_distance" else value


def coverage(law: np.ndarray, n: int, samples: int, level: float, rng: np.random.Generator,
             names: Iterable[str] = HARD) -> dict[str, list[bool]]:
    """For each measure whether limits cover, in the samples that have limits."""
    truth = {name: whole(law, name) for name in names}
    hits: dict[str, list[bool]] = {name: [] for name in names}
    for _ in range(samples):
        counts = rng.multinomial(n, law.ravel()).reshape(law.shape)
        for row in sc.compare(sc.ContingencyTable.from_counts(counts), measures=tuple(names),
                              ci="jackknife", level=level):
            if row.ci is not None and row.ci.method != "none":
                at = truth[row.name] * (n if row.name == "van_dongen_distance" else 1.0)
                hits[row.name].append(row.ci_low - 1e-9 <= at <= row.ci_high + 1e-9)
    return hits


def tables(settings: Iterable[tuple[str, np.ndarray, int]], samples: int, level: float
           ) -> list[list[str]]:
    """Coverage by measure of named laws with so many objects."""
    rows = []
    for k, (name, law, n) in enumerate(settings):
        hits = coverage(law, n, samples, level, np.random.default_rng([2026, k, n]))
        rows.append([name, str(n), *(_share(hits[m], samples) for m in HARD)])
    return [["law", "n", *HARD], *rows]


def hard(samples: int, level: float) -> list[list[str]]:
    """Coverage by measure and ordinary law."""
    return tables(((law.__name__, law(), n) for law in LAWS for n in SIZES), samples, level)


# -- laws with many, small or independent classes ---------------------------------------------
def noisy(sizes: Iterable[float], share: float) -> np.ndarray:
    """Classes of these sizes; this share of the labels is drawn anew by size."""
    p = np.array(list(sizes), float)
    p /= p.sum()
    return (1 - share) * np.diag(p) + share * np.outer(p, p)


def shifted(k: int) -> np.ndarray:
    """k equal classes, each taken for the next one with probability 1/4."""
    return (0.75 * np.eye(k) + 0.25 * np.roll(np.eye(k), 1, axis=1)) / k


HALF_AND_FIFTY = [0.5] + [0.01] * 50
DUST = [0.3] * 3 + [0.002] * 50
DIFFICULT = (
    ("200 classes, noise", noisy([1] * 200, 0.15), (50, 500, 1000)),
    ("200 classes, shifted", shifted(200), (500, 2000)),
    ("one half and fifty", noisy(HALF_AND_FIFTY, 0.15), (500, 2000)),
    ("dust", noisy(DUST, 0.15), (200, 1000)),
    ("99 : 1", noisy([0.99, 0.01], 0.05), (50, 500)),
    ("10 independent", noisy([1] * 10, 1.0), (100, 1000)),
)


def difficult(samples: int, level: float) -> list[list[str]]:
    """Coverage where there are many, small or independent classes."""
    return tables(((name, law, n) for name, law, sizes in DIFFICULT for n in sizes), samples, level)


def random_laws(samples: int, level: float, count: int = 30) -> list[list[str]]:
    """Mean and lowest coverage over random laws of 2 to 30 classes, 50 to 1500 objects."""
    rng, samples_rng = np.random.default_rng(20261123), np.random.default_rng(20261124)
    found: dict[str, list[float]] = {name: [] for name in HARD}
    given: dict[str, list[float]] = {name: [] for name in HARD}
    for _ in range(count):
        r, s = rng.integers(2, 31, size=2)
        kind, n = rng.random(), int(np.exp(rng.uniform(np.log(50), np.log(1500))))
        if kind < 0.4:
            law = rng.dirichlet(np.full(r * s, rng.uniform(0.05, 0.5))).reshape(r, s)
        else:
            law = noisy(rng.dirichlet(np.full(r, rng.uniform(0.5, 5))), rng.uniform(0.03, 0.6))
        for name, hits in coverage(law, n, samples, level, samples_rng).items():
            given[name].append(len(hits) / samples)
            if len(hits) >= samples / 4:
                found[name].append(float(np.mean(hits)))

    def text(value: float) -> str:
        return f"{value:.2f}".removeprefix("0")

    return [["measure", "mean", "lowest", "laws with limits", "samples with limits"],
            *([name, text(float(np.mean(found[name]))), text(min(found[name])),
               f"{len(found[name])} of {count}", f"{100 * np.mean(given[name]):.0f} %"]
              if found[name] else [name, "", "", f"0 of {count}", ""] for name in HARD)]


def _share(hits: list[bool], samples: int) -> str:
    """Coverage; in brackets the share of samples that had limits, where it is below 95 %."""
    if len(hits) < 0.1 * samples:
        return "none"
    text = f"{np.mean(hits):.2f}".lstrip("0")
    return text if len(hits) >= 0.95 * samples else f"{text} ({100 * len(hits) / samples:.0f} %)"


# -- soft clusterings -------------------------------------------------------------------------
def memberships(rng: np.random.Generator, n: int, spread: float, alike: float, k: int
                ) -> tuple[np.ndarray, np.ndarray]:
    """Rows around a class, of k and of k; `alike`: share of y that follows x."""
    classes = rng.integers(k, size=n)
    x = rng.dirichlet([1.0] * k, n) * spread + (1 - spread) * np.eye(k)[classes]
    other = rng.dirichlet([2.1 / k] * k, n)
    return x, alike * x + (1 - alike) * other


#: spread of the rows, share of y that follows x, clusters
SOFT_LAWS = (("sharp, alike", 0.2, 0.8, 3), ("blurred, alike", 0.7, 0.7, 3),
             ("blurred, apart", 0.6, 0.1, 3), ("ten sharp, alike", 0.1, 0.8, 10),
             ("five independent", 0.5, 0.0, 5))


def soft(samples: int, level: float) -> list[list[str]]:
    """Coverage of soft measures by law and n."""
    rows = []
    for name, spread, alike, k in SOFT_LAWS:
        rng = np.random.default_rng([7, int(100 * spread), int(100 * alike), k])
        many = [name for name in SOFT if name not in MEANS_OVER_PAIRS]
        big = memberships(rng, 200_000, spread, alike, k)
        truth = {m: float(sc.get_measure(m).function(*big)) for m in many}
        for n in (50, 200):
            found: dict[str, list[tuple[float, float, float]]] = {m: [] for m in SOFT}
            for _ in range(samples):
                made = sc.compare(*memberships(rng, n, spread, alike, k), measures=SOFT,
                                  ci="jackknife", level=level)
                for row in made:
                    found[row.name].append((row.low, row.ci_low, row.ci_high))
            cells = []
            for m in SOFT:
                value, low, high = np.array(found[m]).T
                at = truth.get(m, float(np.mean(value)))
                used = ~np.isnan(low)
                cells.append(_share(((low <= at) & (at <= high))[used].tolist(), samples))
            rows.append([name, str(n), *cells])
    return [["law", "n", *SOFT], *rows]


# -- covers, rough and evidential clusterings: groups of objects left out together -------------
def coded(rng: np.random.Generator, n: int, share: float, redrawn: float, k: int
          ) -> tuple[sc.Clustering, sc.Clustering]:
    """Two covers: each object is in each of k clusters with probability `share`; in the second
    cover so many of its memberships are drawn again.
    """
    first = rng.random((n, k)) < share
    again = np.where(rng.random((n, k)) < redrawn, rng.random((n, k)) < share, first)
    return sc.CoverClustering(first), sc.CoverClustering(again)


def doubtful(rng: np.random.Generator, n: int, doubt: float, redrawn: float, k: int
             ) -> tuple[sc.RoughClustering, sc.RoughClustering]:
    """Two rough clusterings: a share of objects has two possible classes, `redrawn` of the classes
    of the second are drawn again.
    """
    classes = rng.integers(k, size=n)
    other = np.where(rng.random(n) < redrawn, rng.integers(k, size=n), classes)

    def upper(labels: np.ndarray) -> np.ndarray:
        allowed = np.eye(k, dtype=bool)[labels]
        allowed[np.arange(n), np.where(rng.random(n) < doubt, rng.integers(k, size=n), labels)] = 1
        return allowed

    first, second = map(upper, (classes, other))
    return sc.RoughClustering.from_upper(first), sc.RoughClustering.from_upper(second)


def believed(rng: np.random.Generator, n: int, doubt: float, redrawn: float, k: int
             ) -> tuple[sc.Clustering, sc.Clustering]:
    """A hard clustering and masses: on its class, `redrawn` of them drawn again, and on all."""
    classes = rng.integers(k, size=n)
    other = np.where(rng.random(n) < redrawn, rng.integers(k, size=n), classes)
    mass = np.zeros((n, k + 1))
    mass[:, k] = doubt * rng.random(n)
    mass[np.arange(n), other] = 1.0 - mass[:, k]
    return (sc.HardClustering(classes),
            sc.EvidentialClustering(mass, np.vstack([np.eye(k), np.ones(k)]).astype(bool)))


def blurred(rng: np.random.Generator, n: int, spread: float, alike: float, k: int
            ) -> tuple[sc.FuzzyClustering, sc.FuzzyClustering]:
    """Two fuzzy clusterings, see `memberships`."""
    first, second = memberships(rng, n, spread, alike, k)
    return sc.FuzzyClustering(first), sc.FuzzyClustering(second)


OF_COVERS = ("omega_index", "cover_rand_index", "bcubed_index", "adjusted_element_centric_index",
             "element_centric_index")
OF_DOUBT = ("adjusted_alpha_rand_index", "adjusted_credal_rand_index",
            "soft_logical_mutual_information")
OF_FUZZY = ("adjusted_alpha_rand_index", "mallows_distance", "element_centric_index")
GROUPED = (("cover, alike", coded, OF_COVERS, (0.35, 0.2, 4)),
           ("cover, apart", coded, OF_COVERS, (0.35, 0.7, 4)),
           ("cover, twelve", coded, OF_COVERS, (0.12, 0.3, 12)),
           ("rough, alike", doubtful, OF_DOUBT, (0.3, 0.15, 4)),
           ("rough, apart", doubtful, OF_DOUBT, (0.5, 0.6, 4)),
           ("evidential", believed, OF_DOUBT[:2], (0.6, 0.3, 3)),
           ("fuzzy, alike", blurred, OF_FUZZY, (0.5, 0.8, 3)),
           ("fuzzy, apart", blurred, OF_FUZZY, (0.6, 0.1, 3)))
#: objects and draws whose mean is the true value
MANY_OBJECTS, DRAWS = 3000, 10


def per_object(name: str, value: float, n: int) -> float:
    """The value of a measure that grows with n, for one object."""
    return value / n if name == "mallows_distance" else value


def grouped(samples: int, level: float, sizes: Iterable[int] = (300,),
            laws: Iterable[str] = (), names: Iterable[str] = ()) -> list[list[str]]:
    """Coverage with 100 random groups left out in turn; of these laws and measures, else of all."""
    from softclust.comparison import limits
    longest, rows = limits.LONGEST, []
    columns = [m for m in dict.fromkeys((*OF_COVERS, *OF_DOUBT, *OF_FUZZY)) if m in (names or [m])]
    simulated = limits.Estimated.not_in_groups
    try:
        limits.LONGEST = 0.0
        limits.Estimated.not_in_groups = ""   # measures that have no limits yet, too
        for k, (name, draw, of_law, settings) in enumerate(GROUPED):
            measures = [m for m in of_law if m in columns]
            if not measures or (laws and name not in laws):
                continue
            for n in sizes:
                rng = np.random.default_rng([31, k, n])
                big = [draw(rng, MANY_OBJECTS, *settings) for _ in range(DRAWS)]
                truth = {m: per_object(m, float(np.mean([sc.get_measure(m).function(*pair)
                                                         for pair in big])), MANY_OBJECTS)
                         for m in measures}
                hits: dict[str, list[bool]] = {m: [] for m in measures}
                for _ in range(samples):
                    for row in sc.compare(*draw(rng, n, *settings), measures=measures,
                                          ci="jackknife", level=level):
                        if not math.isnan(row.ci_low):
                            assert row.ci.method.endswith("100 random groups")
                            low, high = (per_object(row.name, v, n)
                                         for v in (row.ci_low, row.ci_high))
                            hits[row.name].append(low <= truth[row.name] <= high)
                rows.append([name, str(n), *(_share(hits[m], samples) if m in hits else ""
                                             for m in columns)])
    finally:
        limits.LONGEST, limits.Estimated.not_in_groups = longest, simulated
    return [["law", "n", *columns], *rows]


# -- the bootstrap of information measures ----------------------------------------------------
REFLECTED = ("mutual_information", "variation_of_information", "normalized_mutual_information",
             "normalized_variation_of_information", "normalized_information_distance")


def bootstrap(samples: int, level: float) -> list[list[str]]:
    """Coverage of reflected bootstrap limits, with 299 resamples."""
    rows = []
    for law in LAWS:
        table, n = law(), 200
        rng = np.random.default_rng([99, LAWS.index(law)])
        truth = {name: whole(table, name) for name in REFLECTED}
        hits: dict[str, list[bool]] = {name: [] for name in REFLECTED}
        for k in range(samples):
            counts = rng.multinomial(n, table.ravel()).reshape(table.shape)
            for row in sc.compare(sc.ContingencyTable.from_counts(counts), measures=REFLECTED,
                                  ci="bootstrap", n_resamples=299, level=level, rng=k):
                if row.ci is not None and row.ci.method != "none":
                    hits[row.name].append(row.ci_low <= truth[row.name] <= row.ci_high)
        rows.append([law.__name__, str(n), *(_share(hits[name], samples) for name in REFLECTED)])
    return [["law", "n", *REFLECTED], *rows]


# -- rankings ---------------------------------------------------------------------------------
SETTINGS = (("all equal", (0.2, 0.2, 0.2, 0.2)), ("one better", (0.1, 0.25, 0.25, 0.25)),
            ("spread", (0.1, 0.15, 0.2, 0.3)))
RANKED = ("adjusted_rand_index", "jaccard_index", "normalized_mutual_information",
          "variation_of_information")


def _law_of_noise(share: float, k: int = 4) -> np.ndarray:
    return ((1 - share) * np.eye(k) + share / k) / k


def ranking(samples: int, level: float) -> list[list[str]]:
    """Best in the set, all leads inside their limits, and any false difference of all pairs."""
    rows = []
    for setting, shares in SETTINGS:
        rng = np.random.default_rng([5, len(setting)])
        for n in (80, 300):
            for name in RANKED:
                values = np.array([whole(_law_of_noise(s), name) for s in shares])
                sign = 1.0 if sc.get_measure(name).sense == "agreement" else -1.0
                gains = np.array([sign * v - max(sign * np.delete(values, i))
                                  for i, v in enumerate(values)])
                best = int(np.argmax(gains))   # of equal ones the first
                inside, covered, false = [], [], []
                for _ in range(samples):
                    truth = rng.integers(4, size=n)
                    found = [np.where(rng.random(n) < s, rng.integers(4, size=n), truth)
                             for s in shares]
                    made = sc.rank_clusterings(truth, found, measure=name, level=level,
                                               n_draws=5000)
                    inside.append(best in made.possibly_best)
                    covered.append(bool(((made.low <= gains + 1e-12)
                                         & (gains <= made.high + 1e-12)).all()))
                    same = np.isclose(values[:, None], values[None, :])
                    false.append(bool((made.p_values[same] < 1 - level).any()))
                rows.append([setting, str(n), name, *(
                    f"{np.mean(part):.3f}".lstrip("0") for part in (inside, covered, false))])
    return [["setting", "n", "measure", "best in the set", "all leads covered",
             "any false difference"], *rows]


PARTS: dict[str, Callable[[int, float], list[list[str]]]] = {
    "hard": hard, "difficult": difficult, "random": random_laws, "soft": soft,
    "bootstrap": bootstrap, "ranking": ranking, "grouped": grouped}


def turned(rows: list[list[str]]) -> list[list[str]]:
    """Measures as rows, laws as columns, all numbers of objects of a law in one cell."""
    header, *body = rows
    laws = list(dict.fromkeys(row[0] for row in body))

    def cell(law: str, k: int) -> str:
        cells = [row[k] for row in body if row[0] == law]
        return cells[0] if len(set(cells)) == 1 and cells[0] == "none" else ", ".join(cells)

    names = ["n", *(f"`{name}`" for name in header[2:])]
    return [["", *laws], *([name, *(cell(law, k) for law in laws)]
                           for k, name in enumerate(names, 1))]


def markdown(rows: list[list[str]]) -> str:
    """A table with the first row as header."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def main() -> None:
    """Print the tables asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--level", type=float, default=0.95)
    parser.add_argument("--law", help="file with a table of your own")
    parser.add_argument("--n", type=int, nargs="+", default=SIZES, help="objects, with --law")
    options = parser.parse_args()
    warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
    if options.law:
        law = np.loadtxt(options.law, delimiter=",", ndmin=2)
        settings = [(options.law, law / law.sum(), n) for n in options.n]
        print(markdown(turned(tables(settings, options.samples, options.level))))
        return
    for name in options.parts or PARTS:
        rows = PARTS[name](options.samples, options.level)
        print(f"\n{name}, level {options.level:g}, {options.samples} samples\n")
        print(markdown(rows if name in ("ranking", "random") else turned(rows)), flush=True)


if __name__ == "__main__":
    main()
