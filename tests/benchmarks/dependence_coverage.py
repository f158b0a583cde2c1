"""How often limits cover when objects come in groups, and when the truth is known for a sample.

Five laws that served for nothing else, drawn once: `python tests/benchmarks/dependence_coverage.py`
prints the tables of the guide in about two minutes; a number after it is the samples of each cell.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np

import softclust as sc

GROUPS = (10, 25, 60, 150)
MEASURES = ("adjusted_rand_index", "jaccard_index", "normalized_mutual_information",
            "purity_index", "bcubed_index")


def draw(law: str, n_groups: int, rng: np.random.Generator):
    """Labels x, y and groups of one sample."""
    if law == "large groups":
        sizes = np.minimum(1 + rng.lognormal(1.6, 0.8, n_groups), 60).astype(int)
    elif law == "laboratories":
        sizes = rng.integers(2, 20, n_groups)
    else:
        sizes = 1 + rng.poisson(8, n_groups)
    groups = np.repeat(np.arange(n_groups), sizes)
    n = groups.size
    shares = rng.dirichlet([1.2, 0.9, 0.6, 0.3], n_groups)
    x = (rng.random(n)[:, None] > np.cumsum(shares, axis=1)[groups][:, :3]).sum(axis=1)
    if law == "independent":
        other = rng.dirichlet([1.0, 1.0, 1.0], n_groups)
        return x, (rng.random(n)[:, None] > np.cumsum(other, axis=1)[groups][:, :2]).sum(
            axis=1), groups
    if law == "annotators":
        rate = rng.beta(1.0, 6.0, n_groups)
    elif law == "laboratories":
        rate = np.where(rng.random(n_groups) < 0.5, 0.02, 0.3)
    elif law == "exchanged":
        rate = np.where(rng.random(n_groups) < 0.3, 0.5, 0.03)
    else:
        rate = np.minimum(0.5, sizes / 60)
    wrong = rng.random(n) < rate[groups]
    if law == "exchanged":
        return x, np.where(wrong & (x < 2), 1 - x, x), groups
    return x, np.where(wrong, (x + 1) % 4, x), groups


LAWS = ("annotators", "laboratories", "exchanged", "large groups", "independent")


def population(law: str) -> dict[str, float]:
    """Values on the law of a random object, from 2e5 groups."""
    x, y, _ = draw(law, 200_000, np.random.default_rng(1))
    p = np.bincount(x * 4 + y, minlength=16).reshape(4, 4) / x.size
    a, b = p.sum(axis=1), p.sum(axis=0)
    both, one, two = (float((v * v).sum()) for v in (p, a, b))

    def entropy(v):
        v = v[v > 0]
        return -float((v * np.log(v)).sum())

    information = entropy(a) + entropy(b) - entropy(p.ravel())
    return {"adjusted_rand_index": (both - one * two) / ((one + two) / 2 - one * two),
            "jaccard_index": both / (one + two - both),
            "normalized_mutual_information": 2 * information / (entropy(a) + entropy(b)),
            "purity_index": float(p.max(axis=1).sum()),
            "bcubed_index": 2 / (1 / float((p * p / a[:, None]).sum())
                                 + 1 / float((p * p / np.maximum(b, 1e-300)).sum()))}


def of_groups(samples: int) -> None:
    print("| law | G | limits of objects, ARI | ARI | Jaccard | NMI | purity "
          "| B-cubed F | given |")
    print("|---|---|---|---|---|---|---|---|---|")
    for number, law in enumerate(LAWS):
        true = population(law)
        for n_groups in GROUPS:
            rng = np.random.default_rng([number, n_groups])
            hits = {name: [] for name in MEASURES}
            plain = []
            for _ in range(samples):
                x, y, groups = draw(law, n_groups, rng)
                for row in sc.compare(x, y, measures=MEASURES, ci="jackknife", groups=groups):
                    if row.ci.method != "none":
                        hits[row.name].append(row.ci_low <= true[row.name] <= row.ci_high)
                row = sc.compare(x, y, measures=MEASURES[0], ci="jackknife").rows[0]
                if row.ci.method != "none":
                    plain.append(row.ci_low <= true[row.name] <= row.ci_high)
            cells = [np.mean(v) if v else np.nan for v in (plain, *hits.values())]
            given = len(hits[MEASURES[0]]) / samples
            print(f"| {law} | {n_groups} | " + " | ".join(f"{c:.2f}" for c in cells)
                  + f" | {100 * given:.0f} % |", flush=True)


#: indices that sum products of memberships, and one of all pairs
SOFT = ("fuzzy_rand_index", "fuzzy_adjusted_rand_index", "concordance_index")


def softened(labels, groups, rng):
    """Memberships of labels, less certain in some groups than in others."""
    doubt = rng.beta(2.0, 3.0, groups.max() + 1)[groups, None]
    return (1.0 - doubt) * np.eye(4)[labels] + doubt / 4.0


def of_other_limits(samples: int) -> None:
    """Bootstrap of groups, pairs within groups, and memberships."""
    kinds = (("bootstrap", MEASURES[:2]), ("within", MEASURES[:2]), ("soft", SOFT))
    names = [f"{kind} {name}" for kind, measures in kinds for name in measures]
    print("\n| distribution | G | " + " | ".join(names) + " |\n|---|---|" + "---|" * len(names))
    for number, law in enumerate(LAWS):
        true = population(law)
        rng = np.random.default_rng(2)
        x, y, groups = draw(law, 20_000, rng)
        within = {row.name: row.value for row in sc.compare(
            x, y, measures=MEASURES[:2], ci="jackknife", groups=groups, pairs="within")}
        u, v = (softened(labels, groups, rng) for labels in (x, y))
        soft = {row.name: row.value for row in sc.compare(u, v, measures=SOFT[:2])}
        some = groups < 5000   # all pairs of 180,000 objects take minutes
        soft[SOFT[2]] = sc.concordance_index(u[some], v[some])
        for n_groups in GROUPS:
            rng = np.random.default_rng([7, number, n_groups])
            hits = {name: [] for name in names}

            def note(kind, rows, true, hits=hits):
                for row in rows:
                    if row.ci.method != "none":
                        hits[f"{kind} {row.name}"].append(row.ci_low <= true[row.name]
                                                          <= row.ci_high)

            for _ in range(samples):
                x, y, groups = draw(law, n_groups, rng)
                note("bootstrap", sc.compare(x, y, measures=MEASURES[:2], ci="bootstrap", rng=rng,
                                             groups=groups, n_resamples=399), true)
                note("within", sc.compare(x, y, measures=MEASURES[:2], ci="jackknife",
                                          groups=groups, pairs="within"), within)
                u, v = (softened(labels, groups, rng) for labels in (x, y))
                note("soft", sc.compare(u, v, measures=SOFT, ci="jackknife", groups=groups), soft)
            print(f"| {law} | {n_groups} | " + " | ".join(
                f"{np.mean(v):.2f}" if len(v) > samples / 2 else "none" for v in hits.values())
                + " |", flush=True)


def of_weights(samples: int) -> None:
    """Objects of one class sampled at a third of the rate of the others, with three times their
    weight.
    """
    print("\n| distribution | G | weights: ARI | weights: Jaccard | no weights: ARI |"
          "\n|---|---|---|---|---|")
    for number, law in enumerate(LAWS):
        true = population(law)
        for n_groups in GROUPS:
            rng = np.random.default_rng([11, number, n_groups])
            hits = {name: [] for name in ("weights 0", "weights 1", "plain 0")}
            for _ in range(samples):
                x, y, groups = draw(law, n_groups, rng)
                kept = (x > 0) | (rng.random(x.size) < 1 / 3)
                x, y, groups = x[kept], y[kept], groups[kept]
                weights = np.where(x > 0, 1.0, 3.0)
                for kind, names, options in (("weights", MEASURES[:2], {"weights": weights}),
                                             ("plain", MEASURES[:1], {})):
                    rows = sc.compare(x, y, measures=names, ci="jackknife", groups=groups,
                                      **options).rows
                    for k, row in enumerate(rows):
                        if row.ci.method != "none":
                            hits[f"{kind} {k}"].append(row.ci_low <= true[row.name] <= row.ci_high)
            print(f"| {law} | {n_groups} | " + " | ".join(
                f"{np.mean(v):.2f}" if len(v) > samples / 2 else "none" for v in hits.values())
                + " |", flush=True)


def of_samples(samples: int) -> None:
    names = ("pair_precision", "pair_recall", "bcubed_recall", "adjusted_rand_index")
    print("\n| sizes | design | " + " | ".join(names) + " |\n|---|---|---|---|---|---|")
    for heavy in (True, False):
        rng = np.random.default_rng(7 + heavy)
        sizes = np.minimum(rng.zipf(2.0, 500), 30) if heavy else rng.geometric(0.4, 500)
        truth = np.repeat(np.arange(500), sizes)
        split = rng.random(truth.size) < 0.15
        merged = rng.random(500) < 0.1
        predicted = np.where(merged, np.arange(500) // 2 * 2, np.arange(500))[truth] * 2 + split
        full = sc.sampled_truth(predicted, truth, design="clusters", probabilities=1)
        for design in ("objects", "clusters"):
            hits = {name: [] for name in names}
            for _ in range(samples):
                if design == "objects":
                    sample = rng.choice(truth.size, 80, replace=False)
                    found = sc.sampled_truth(predicted, truth, design=design, sample=sample,
                                             probabilities=80 / truth.size)
                else:
                    drawn = rng.choice(500, 80, replace=False)
                    known = [int(e) if e in drawn else None for e in truth]
                    found = sc.sampled_truth(predicted, known, design=design,
                                             probabilities=80 / 500)
                for name in names:
                    row = found[name]
                    if row.method == "design":
                        hits[name].append(row.low <= full[name].value <= row.high)
            print(f"| {'zipf, at most 30' if heavy else 'geometric'} | {design} | " + " | ".join(
                f"{np.mean(v):.2f} ({100 * len(v) / samples:.0f} %)" if v else "none"
                for v in hits.values()) + " |", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    of_groups(count)
    of_other_limits(count)
    of_weights(count)
    of_samples(count)
