"""Methods of a report, and sources of its measures and rules of thumb."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .. import words as w
from ..plan import ALL, LARGE, MANY, WIDE
from ..section import Block, Heading, KeyValues, Prose, Section

if TYPE_CHECKING:
    from ..record import Report

REFERENCES = (
    "A. Campagner, D. Ciucci, T. Denoeux (2023), A general framework for evaluating and comparing "
    "soft clusterings, Information Sciences 623, 70-93 (alpha-Rand interval).",
    "L. Hubert, P. Arabie (1985), Comparing partitions, Journal of Classification 2, 193-218 "
    "(adjusted Rand index).",
    "A. Ben-Hur, A. Elisseeff, I. Guyon (2002), A stability based method for discovering structure "
    "in clustered data, Pacific Symposium on Biocomputing 7, 6-17 (stability of half-samples).",
    "L. Kaufman, P. Rousseeuw (1990), Finding Groups in Data, Wiley (silhouette and its rule of "
    "thumb).",
    "R. Tibshirani, G. Walther, T. Hastie (2001), Estimating the number of clusters in a data set "
    "via the gap statistic, JRSS B 63, 411-423.",
    "F. M. Quetti, S. Figini, E. Ballante, A Bayesian approach to clustering via the proper "
    "Bayesian bootstrap (entropy criterion).",
    "S. Dudoit, J. Fridlyand (2003), Bagging to improve the accuracy of a clustering procedure, "
    "Bioinformatics 19, 1090-1099 (bagging).",
    "T. Denoeux, M. Masson (2000), Multidimensional scaling of interval-valued dissimilarity data, "
    "Pattern Recognition Letters 21, 83-92 (map of circles).",
)


class Made(Section):
    """Methods behind the numbers, and how to reproduce them."""

    heading = "How this was made"
    key, place = "made", 80

    def show(self, report: Report) -> Iterable[Block]:
        yield Prose(method(report))
        again = [("reproduce with", report.command)] if report.command else []
        yield KeyValues([*again, ("seed", str(report.plan.seed)),
                     ("versions", ", ".join(f"{k} {v}" for k, v in report.versions.items()))])
        yield Heading("References")
        yield Prose(REFERENCES, "bullets")


def method(report: Report) -> list[str]:
    """Methods behind the numbers."""
    plan, n = report.plan, report.objects.n_objects
    texts = ["Everything random comes from the seed: the same data, options and versions give the "
             "same report, for any number of threads. Every algorithm had "
             f"at most {w.small(plan.n_starts)} starts; the best was kept."]
    samples = []
    if plan.n_criteria < n and len(plan.candidates) > 1:
        samples.append(f"the criteria for the number of clusters ({w.whole(plan.n_criteria)})")
    if plan.n_pairs < n:
        samples.append(f"the agreement among the clusterings ({w.whole(plan.n_pairs)})")
    if plan.pictures and plan.n_drawn < n:
        samples.append(f"the scatter plots ({w.whole(plan.n_drawn)})")
    if samples:
        texts.append(f"Of the {w.whole(n)} objects, random samples without replacement were "
                     f"used for {w.both(samples)}. The clusterings, their comparison with a label "
                     "and their stability use all objects.")
        if (plan.n_criteria < n and len(plan.candidates) > 1) or plan.n_pairs < n:
            texts[-1] += (f" {w.option(bool(report.command), 'sample_size', ALL)} uses all "
                          "objects for the criteria and the agreement, in a time that grows with "
                          "the square of their number; a number sets the size of the samples.")
    else:
        texts.append("All results use all objects.")
    if plan.n_criteria > LARGE and len(plan.candidates) > 1 and not plan.quick:
        texts.append(f"For more than {w.whole(LARGE)} objects the criteria make fewer starts of "
                     f"k-means (10 instead of 50), refits ({plan.n_entropy} instead of 200) and "
                     f"reference sets ({plan.n_references} instead of 50).")
    if n > MANY and not plan.quick:
        texts.append(f"For more than {w.whole(MANY)} objects the report makes fewer starts (up to "
                     f"{plan.n_starts} instead of 10) and fewer refits on bootstrap samples "
                     f"({plan.n_bagged} instead of 200).")
    if plan.wide:
        texts.append(f"For more than {WIDE} features the report leaves out what grows faster than "
                     "their number: the test for clusters, full covariances of the Gaussian "
                     "mixture (they are diagonal), and a description of every feature on this "
                     "page. The JSON file describes all.")
    if plan.quick:
        texts.append("This is a quick report, with fewer starts and replicates and smaller "
                     "samples: take it as a preview.")
    found = report.choice
    asked = report.evidence is not None or (found is not None and found.p_value is not None)
    tested = "" if asked else " Nothing here tests whether there are clusters at all."
    texts.append("Algorithms return as many clusters as they are told, even in data without any."
                 f"{tested} Look at the pictures, and at what the clusters mean.")
    return texts
