"""What the numbers of a report mean, in sentences made from their values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..clusterings import EvidentialClustering, HardClustering, RoughClustering
from . import words as w
from .classes import correspondence, counted

if TYPE_CHECKING:
    from .data import Objects
    from .fits import Fit
    from .record import Against, Report

#: largest membership below which an object counts as doubtful
DOUBTFUL = 0.6
#: features that are named in a sentence; different whole numbers that may be codes
NAMED, CODES = 12, 6
CRITERION_NAMES = {"silhouette": "silhouette", "gap": "gap statistic", "entropy": "entropy"}


def group_names(report: Report) -> list[str]:
    """Names of the known groups."""
    label = report.objects.label
    assert label is not None
    return [str(name) for name in label.cluster_names or range(label.n_clusters)]


def labelled(report: Report, labels: HardClustering) -> HardClustering:
    rows = report.objects.labelled
    return labels if rows.size == report.objects.n_objects else labels.subset(rows)


def ari_word(row: object) -> str:
    low, value = row.ci_low, row.low  # type: ignore[attr-defined]
    if not math.isnan(low) and low <= 0.0:
        return "not distinguishable from chance"
    return f"{w.agreement(value)} agreement"


def half(low: float, high: float) -> float:
    return (high - low) / 2


def nearest(report: Report) -> tuple[Fit, Against]:
    """The fit whose labels agree most with the label; the first on ties."""
    pairs = [(fit, report.against[fit.key]) for fit in report.done_fits
             if fit.key in report.against]
    return max(pairs, key=lambda pair: _or_least(pair[1].labels.rows[0].low))


def _or_least(v: float) -> float:
    return -math.inf if math.isnan(v) else v


def stability_word(mean: float) -> str:
    for least, word in ((0.98, "very stable"), (0.93, "stable"), (0.8, "moderately stable")):
        if mean > least:
            return word
    return "unstable"


# -- the data ---------------------------------------------------------------------------------
def _codes(report: Report) -> list[str]:
    """Features of whole numbers with few different values, which may stand for categories."""
    o = report.objects
    if len(o.columns) > 500 or o.n_objects < 30:
        return []
    x = o.original()[:100_000]
    found = []
    for q, name in enumerate(o.columns):
        values = np.unique(np.round(x[:, q], 9))
        if values.size <= CODES and bool((values == np.round(values)).all()):
            found.append(f"“{name}”")
    return found[:NAMED]


def data(report: Report, shares: np.ndarray) -> list[str]:
    """Scaling, ids, what was left out, what the picture keeps."""
    o = report.objects
    named = w.both([*(f"“{c}”" for c in o.columns[:NAMED]),
                    *([f"{w.whole(len(o.columns) - NAMED)} more"] if len(o.columns) > NAMED
                      else [])])
    said = [f"{'Feature' if len(o.columns) == 1 else 'Features'}: {named}."]
    codes = _codes(report)
    if codes:
        said[0] += (f" {w.both(codes)} {'holds' if len(codes) == 1 else 'hold'} a few whole "
                    "numbers only: if they are codes rather than amounts, leave them out ("
                    + w.option(bool(report.command), "drop", "...").replace("'", "") + ").")
    if o.scale == "standard":
        said.append("Features were standardised: mean 0 and standard deviation 1, so that each has "
                    "the same weight whatever its unit. "
                    + w.option(bool(report.command), "scale", "none")
                    + " leaves them as they are.")
    else:
        said.append("Features were used as they are: those with a large spread decide most. "
                    + w.option(bool(report.command), "scale", "standard")
                    + " gives each the same weight.")
    if o.id_column is not None:
        how = "looks like ids and was taken as such" if o.id_guessed else "holds the ids"
        said.append(f"The column “{o.id_column}” {how}; it is no feature.")
    if o.left_out:
        said.append("Left out as you asked: " + w.both(f"“{c}”" for c in o.left_out) + ".")
    if o.rows_left_out:
        said.append(f"{w.many(o.rows_left_out, 'row')} with missing values were left out as you "
                    "asked. If values are not missing by chance, this biases what follows.")
    if o.label is not None:
        said.append(f"The label “{o.label_name}” was not used to find clusters, only to judge "
                    "them.")
        said[-1] += "".join(f" It {text}." for text in noise_and_gaps(o))
    if shares.size > 1:
        kept = float(shares[:2].sum())
        text = (f"The pictures show the first two principal components, which keep "
                f"{w.percent(kept)} of the variance (0 to 100 %, more is better). ")
        text += ("Distances in the pictures are close to the true ones." if kept > 0.8 else
                 "Groups that overlap in the pictures may be apart in the other components."
                 if kept > 0.5 else
                 "That is little: groups that overlap in the pictures may well be apart in the "
                 "other components.")
        said.append(text)
    return said


def noise_and_gaps(o: Objects) -> list[str]:
    """What the label's missing labels and noise were taken for, to stand after its name."""
    done = o.label_alignment
    if done is None:
        return []
    said = []
    for what, count, rule in (("missing", done.n_missing[1], done.missing[1]),
                              ("noise", done.n_noise[1], done.noise[1])):
        if count and (what, rule) != ("noise", "cluster"):
            then = ("left out of the comparisons with the label alone" if rule == "drop" else
                    "one more group of the label")
            said.append(f"is {what} for {w.part(count, o.n_objects)}: they are clustered like the "
                        f"others and {then}")
    return said


# -- number of clusters -----------------------------------------------------------------------
def number(report: Report) -> list[str]:
    """One paragraph a criterion, then the choice."""
    plan, n = report.plan, report.objects.n_objects
    if len(plan.candidates) == 1:
        return [f"You gave the number of clusters, {plan.candidates[0]}; no criterion was asked. "
                "A range compares several numbers."]
    said = []
    if plan.n_criteria < n:
        said.append(f"The criteria were computed on {w.whole(plan.n_criteria)} of the "
                    f"{w.whole(n)} objects, drawn at random: some need all pairs of objects.")
    said += [_CRITERION_TEXTS[name](report) for name, c in report.criteria.items() if c.best]
    bests = {name: c.best for name, c in report.criteria.items() if c.best}
    if bests and report.n_clusters is not None:
        if len(set(bests.values())) == 1:
            said.append(f"All criteria prefer {report.n_clusters} clusters. They ask different "
                        "questions, so this is good evidence, though no proof.")
        else:
            listed = w.both(f"{k} ({CRITERION_NAMES[name]})" for name, k in bests.items())
            how = ("the number that most of them prefer"
                   if list(bests.values()).count(report.n_clusters) > 1
                   else "the choice of the silhouette, since no two agree")
            said.append(f"The criteria prefer {listed}. The report goes on with "
                        f"{report.n_clusters}, {how}. Data may have structure at several levels; "
                        "giving one number shows another.")
        edge = [k for k in set(bests.values()) if k == max(plan.candidates) > 2]
        if edge:
            said.append(f"A criterion prefers {edge[0]}, the largest number tried: a wider range "
                        "may tell more.")
    if report.label_curve:
        top = max(report.label_curve, key=lambda k: report.label_curve[k])
        said.append(f"For comparison only: k-means agrees best with the label at {top} clusters "
                    f"(adjusted Rand index {w.value(report.label_curve[top])}). The label was not "
                    "used for the choice.")
    return said


def at_best(report: Report, name: str) -> tuple[int, float, float]:
    chosen = report.criteria[name]
    assert chosen.best is not None   # unfinished criteria are not asked
    at = list(chosen.n_clusters).index(chosen.best)
    return chosen.best, float(chosen.criterion[at, 0]), float(chosen.standard_error[at, 0])


def _silhouette(report: Report) -> str:
    k, value, _ = at_best(report, "silhouette")
    return (f"Silhouette (range -1 to 1, large is good): how much nearer objects are to their own "
            f"cluster than to the next one, for k-means. It is largest, {w.value(value)}, for {k} "
            f"clusters; by a common rule of thumb that is {w.silhouette(value)}. It favours round "
            "clusters of like size.")


_GAP_RULES = {"1se": "The first number of clusters whose gap is within one standard error of the "
                     "next is", "max": "The gap is largest for a number of clusters of"}


def _gap(report: Report) -> str:
    chosen = report.criteria["gap"]
    k, value, error = at_best(report, "gap")
    order = np.argsort(chosen.n_clusters)
    rising = bool(np.all(np.diff(chosen.criterion[order, 0]) > 0))
    text = (f"Gap statistic (no fixed range, large is good): how much tighter k-means clusters are "
            f"than those of {report.plan.n_references} sets of points spread evenly over the same "
            f"region. {_GAP_RULES[chosen.rule]} {k}, with a gap of {w.value(value)} (standard "
            f"error {w.error(error)}).")
    if rising:
        text += " It keeps rising up to the largest number tried, so it shows no clear number."
    if k == 1:
        text += " A single cluster: by this criterion the data show no clusters."
    return text


def _entropy(report: Report) -> str:
    k, value, error = at_best(report, "entropy")
    return (f"Entropy (0 bits to the logarithm of the number of clusters, {math.log2(k):.1f} bits "
            f"for {k}; small is good): how undecided {report.plan.n_entropy} refits on resampled "
            f"data, with points of a prior added, are about the clusters of an object. It is "
            f"least, {w.value(value, error)} bits (standard error {w.error(error)}), for {k} "
            f"clusters.{_near(report, k, value, error)} It tends to favour few clusters, which are "
            "easier to find again.")


def _near(report: Report, k: int, value: float, error: float) -> str:
    """Numbers of clusters whose entropy is within one standard error of the least."""
    chosen = report.criteria["entropy"]
    near = [int(other) for other, v in zip(chosen.n_clusters, chosen.criterion[:, 0])
            if other != k and v <= value + error]
    return f" Within one standard error of it: {w.both(map(str, near))}." if near else ""


_CRITERION_TEXTS = {"silhouette": _silhouette, "gap": _gap, "entropy": _entropy}


# -- clusterings ------------------------------------------------------------------------------
def clustering(fit: Fit) -> str:
    """One algorithm: what an object gets, and how sure the clusters are."""
    x = fit.clustering
    if x is None:
        return f"{capital(fit.title)} gave no clustering: {fit.failure}."
    n, k = x.n_objects, x.n_clusters
    assert fit.labels is not None
    empty = k - np.unique(fit.labels.labels).size
    text = _KIND_TEXTS[x.kind](fit, n, k)
    if empty:
        verb = "has" if empty == 1 else "have"
        text += f" {capital(w.small(empty))} of the {k} clusters {verb} no object of its own."
    if fit.notes:
        text += " The algorithm warned: " + "; ".join(fit.notes) + "."
    return text


def _hard_text(fit: Fit, n: int, k: int) -> str:
    assert fit.labels is not None
    sizes = np.bincount(fit.labels.labels, minlength=k)
    return (f"{capital(fit.title)} puts every object into one cluster and says nothing about "
            f"doubt. The clusters have {w.both(w.whole(int(s)) for s in sizes)} objects.")


def _fuzzy_text(fit: Fit, n: int, k: int) -> str:
    assert fit.clustering is not None
    largest = fit.clustering.pignistic().max(axis=1)
    mean, doubtful = float(largest.mean()), int((largest < DOUBTFUL).sum())
    what = ("share of the refits" if fit.key == "bagged" else
            "probability" if fit.key == "mixture" else "membership")
    text = (f"{capital(fit.title)} gives every object a {what} for each cluster. The largest is "
            f"{w.value(mean)} on average (range {w.value(1 / k)} to 1; 1 is certain); for "
            f"{w.part(doubtful, n)} it is below {DOUBTFUL}.")
    if mean < 1 / k + 0.3 * (1 - 1 / k):
        text += (" Memberships are nearly even, so this clustering says little. Fuzzy c-means does "
                 "that in many dimensions or where clusters overlap.")
    return text


def _rough_text(fit: Fit, n: int, k: int) -> str:
    assert isinstance(fit.clustering, RoughClustering)
    open_ = int((fit.clustering.upper.sum(axis=1) > 1).sum())
    verdict = ("Few objects stand between clusters." if open_ < 0.05 * n else
               "A fair number of objects stand between clusters." if open_ < 0.25 * n else
               "Many objects stand between clusters, so the clusters are not well apart.")
    return (f"{capital(fit.title)} leaves an object open between clusters that are nearly as near "
            f"as the nearest: here {w.part(open_, n)}. {verdict}")


def _evidential_text(fit: Fit, n: int, k: int) -> str:
    assert isinstance(fit.clustering, EvidentialClustering)
    x = fit.clustering
    mass, sizes = x.mass, x.focal_sets.sum(axis=1)
    heaviest = sizes[mass.argmax(axis=1)]
    out, open_ = int((heaviest == 0).sum()), int((heaviest > 1).sum())
    plausibility, belief = x.plausibility(), x.belief()
    possible = ((plausibility >= belief.max(axis=1, keepdims=True) - 1e-12)
                & (plausibility > 0)).sum(axis=1)
    return (f"{capital(fit.title)} spreads a mass of 1 over sets of clusters. The heaviest set is "
            f"a single cluster for {w.part(n - out - open_, n)}, several clusters (undecided) for "
            f"{w.part(open_, n)}, and none (an outlier) for {w.part(out, n)}; a single cluster "
            f"holds {w.value(float(mass[:, sizes == 1].sum(axis=1).mean()))} of the mass on "
            "average (0 to 1; 1 is decided). Counting what the heaviest set leaves open, more than "
            f"one cluster stays possible for {w.part(int((possible > 1).sum()), n)} (hollow in the "
            "picture).")


def _possibilistic_text(fit: Fit, n: int, k: int) -> str:
    assert fit.clustering is not None
    second = np.sort(fit.clustering.plausibility(), axis=1)[:, -2]
    both = int((second > 0.5).sum())
    return (f"{capital(fit.title)} says how typical an object is of each cluster, from 0 to 1, "
            f"without sharing; 1 for its best cluster. {capital(w.part(both, n))} are more than "
            "half as typical of a second cluster.")


_KIND_TEXTS = {"hard": _hard_text, "fuzzy": _fuzzy_text, "rough": _rough_text,
               "evidential": _evidential_text, "possibilistic": _possibilistic_text}


def profiles(report: Report, most: int = 3) -> list[str]:
    """What sets each cluster of k-means apart, feature by feature."""
    fit = report.fit("k-means")
    if fit is None or fit.labels is None:
        return []
    o, said = report.objects, []
    x = o.original()
    for c in range(fit.labels.n_clusters):
        own = fit.labels.labels == c
        if not own.any():
            continue
        mean = x[own].mean(axis=0)
        z = (mean - o.mean) / o.deviation
        far = [q for q in np.argsort(-np.abs(z), kind="stable")[:most] if abs(z[q]) >= 0.4]
        parts = [f"{'high' if z[q] > 0 else 'low'} {o.columns[q]} ({w.general(float(mean[q]))}; "
                 f"all {w.general(float(o.mean[q]))})" for q in far]
        said.append(f"Cluster {c + 1}, {w.part(int(own.sum()), o.n_objects)}: "
                    + (w.both(parts) if parts else "near the mean in every feature") + ".")
    return said


# -- label ------------------------------------------------------------------------------------
def ranked(report: Report) -> list[str]:
    """Which algorithm is nearest to the label, or that it cannot be told."""
    ranking = report.ranking
    if ranking is None:
        return []
    names = [ranking.names[i] for i in ranking.order if i in ranking.possibly_best]
    if len(names) == 1:
        said = f"{capital(names[0])} is nearer than every other algorithm, by more than chance"
    elif len(names) == len(ranking):
        said = "Any of the algorithms may be the nearest: other objects could change their order"
    else:
        said = (f"{capital(w.both(names))} may be the nearest; the others are farther away by more "
                "than chance")
    return [f"{said} ({100 * ranking.level:g} % limits of all leads together, objects sampled, "
            "labels as they are)."]


def label(report: Report) -> list[str]:
    """The comparison with the label, and how to read it."""
    o = report.objects
    if not report.against or o.label is None:
        return []
    fit, against = nearest(report)
    row = against.labels.rows[0]
    said = [
        "The adjusted Rand index compares the labels (soft clusterings hardened by the largest "
        "plausibility) over pairs of objects: 1 is the same grouping, 0 is what chance gives, "
        "negative is worse. A rule of thumb calls 0.90 excellent, 0.80 good, 0.65 moderate and "
        "less poor.",
        f"The nearest is {fit.title} with {w.value(row.low, half(row.ci_low, row.ci_high))}"
        + (f" (95 % limits {w.limits(row.ci_low, row.ci_high)})" if not math.isnan(row.ci_low)
           else "") + (f": {ari_word(row)}." if o.label.n_clusters == report.n_clusters else
                       ": it cannot reach 1, since there are more or fewer clusters than groups.")]
    said += ranked(report)
    own = report.fit("k-means")
    if own is not None and own.labels is not None:
        names = group_names(report)
        said += correspondence(counted(o.label, labelled(report, own.labels)), names)
        same = report.at_classes
        if same is not None and same.n_clusters != own.labels.n_clusters:
            said.append(f"With {same.n_clusters} clusters of k-means, as many as there are groups "
                        f"(adjusted Rand index {w.value(same.adjusted_rand_index)}): "
                        + " ".join(correspondence(same.counts, names)))
    said.append("The alpha-Rand interval takes soft clusterings as they are: its low end counts "
                "every ambiguity as an error, its high end forgives it (0 to 1, large is good). "
                "Unlike the adjusted index it is not corrected: compare it with its chance level.")
    widths = {f.title: a.soft.rows[1].high - a.soft.rows[1].low for f in report.done_fits
              if (a := report.against.get(f.key)) is not None}
    widest = max(widths, key=lambda name: _or_least(widths[name]))
    if widths[widest] > 0.02:
        said.append(f"The widest interval is that of {widest}, {w.value(widths[widest])}: so much "
                    "depends on how its ambiguity is priced.")
    else:
        said.append("No interval is wider than 0.02: ambiguity hardly matters here.")
    low = [f.title for f in report.done_fits if (a := report.against.get(f.key)) is not None
           and a.soft.rows[0].low < a.soft.rows[0].chance + 0.05]
    if low:
        said.append(f"{capital(w.both(low))} {'is' if len(low) == 1 else 'are'} hardly above the "
                    "chance level as soft clustering: memberships so even agree with no grouping, "
                    "even where the hardened labels do.")
    said.append("Confidence limits treat the objects as a sample and hold the labels fixed "
                f"(jackknife, {w.many(o.labelled.size, 'object')}). They say how the numbers would "
                "vary with other objects, not with another run of the algorithm. The groups of a "
                "label need not be clusters of these features.")
    return said


# -- agreement --------------------------------------------------------------------------------
def agreement(report: Report) -> list[str]:
    """The agreement of the clusterings among each other."""
    matrix = report.matrix
    if matrix is None:
        return []
    n = report.objects.n_objects
    said = ["Each cell compares two clusterings by the alpha-Rand interval: the share of pairs of "
            "objects on which they agree (0 to 1, 1 is the same), from counting every ambiguity as "
            "an error to forgiving it. It is not corrected for chance."]
    if isinstance(matrix.n_objects, int) and matrix.n_objects < n:
        said[0] += (f" Computed on {w.whole(matrix.n_objects)} of the {w.whole(n)} objects, drawn "
                    "at random.")
    own = [i for i, name in enumerate(matrix.names)
           if name in {fit.title for fit in report.done_fits}]
    pairs = [(i, j) for i in own for j in own if i < j]
    if pairs:
        middle = {(i, j): (matrix.lower[i, j] + matrix.upper[i, j]) / 2 for i, j in pairs}
        best, least = max(middle, key=lambda p: middle[p]), min(middle, key=lambda p: middle[p])

        def text(pair: tuple[int, int]) -> str:
            i, j = pair
            return (f"{matrix.names[i]} and {matrix.names[j]} "
                    f"({w.interval(float(matrix.lower[pair]), float(matrix.upper[pair]))})")

        said.append(f"Most alike among the algorithms are {text(best)}, least alike "
                    f"{text(least)}." if best != least else
                    f"The two clusterings compared are {text(best)}.")
        said.append("Where algorithms with different ideas of a cluster agree, the clusters do not "
                    "depend on that idea; agreement alone does not make them real. A clustering "
                    "with much doubt has wide intervals with all others.")
    if report.circles is not None and len(report.circles.names) > 2:
        stress = report.circles.normalized_stress
        said.append("In the map each clustering is a circle; near circles are alike, large circles "
                    "are ambiguous. The distances between two circles, from their nearest to their "
                    f"farthest points, fit the intervals with a normalised stress of "
                    f"{w.value(stress)} (0 is a perfect fit"
                    + ("; this is a good one)." if stress < 0.02 else
                       "; read it as a sketch)." if stress > 0.1 else ")."))
    return said


# -- stability --------------------------------------------------------------------------------
def stability(report: Report) -> list[str]:
    """What refits say of the objects and clusters."""
    s = report.stability
    if s is None:
        return []
    k, n = s.by_cluster.size, s.share.size
    mean, doubtful = float(s.share.mean()), int((s.share < 0.95).sum())
    said = [f"k-means was fitted again to {s.n_replicates} bootstrap samples of the objects. For "
            f"each object, the share of the refits that agree with the majority runs from "
            f"{w.value(1 / k)} (no idea) to 1 (always the same cluster); the mean is "
            f"{w.value(mean)}: the clustering is {stability_word(mean)}.",
            f"{capital(w.part(doubtful, n))} change cluster in more than 1 of 20 refits. The mean "
            f"entropy of the shares is {w.value(float(s.entropy.mean()))} bits (0 to "
            f"{math.log2(k):.1f}; 0 is certain)."]
    if not np.isnan(s.by_cluster).all():
        worst = int(np.nanargmin(s.by_cluster))
        if s.by_cluster[worst] < 0.98:
            said.append(f"The least stable is cluster {worst + 1}, with a mean share of "
                        f"{w.value(float(s.by_cluster[worst]))}.")
        if s.pair[0] >= 0 and doubtful:
            said.append(f"Clusters {s.pair[0] + 1} and {s.pair[1] + 1} exchange objects most "
                        "often.")
    said.append("Stability is needed for real clusters and not enough: too few clusters are often "
                "found again and again.")
    return said


def capital(text: str) -> str:
    """The text with a large first letter."""
    # k-means begins with a small letter everywhere.
    return text if text.startswith("k-") else text[:1].upper() + text[1:]
