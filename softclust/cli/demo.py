"""``softclust demo``: the questions that come after a clustering, asked of 300 customers."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from textwrap import fill
from typing import Any

from .options import Table, add_options, chosen

_OPTIONS: Table = {"out": {"metavar": "DIR"}, "plot": {"help": "make no picture"}}
NUMBERS = ["age", "orders", "basket", "returns", "discount"]
#: questions, the calls that answer them, and the answers
Story = Iterator[tuple[str, str, str]]


def add_demo(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    parser.description = ("Cluster 300 invented customers and ask what one asks of clusters: are "
                          "they real, how certain, do they agree with a label, do they replicate?")
    add_options(parser, run_demo, _OPTIONS)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    run_demo(**chosen(options, _OPTIONS))
    return 0


def run_demo(out: str = "demo-output", *, plot: bool = True) -> None:
    """Run the demo, and print its questions and answers.

    Parameters
    ----------
    out : str
        Folder for customers.csv and the picture customers.png.
    plot : bool
        Make the picture.
    """
    start = time.perf_counter()
    from ..datasets import customers_file
    folder = Path(out)
    if plot:
        # Before the computation: report a missing matplotlib or an unwritable folder at once.
        from .. import plotting
        plotting.without_window()
    folder.mkdir(parents=True, exist_ok=True)
    copyfile(customers_file(), folder / "customers.csv")
    results: dict[str, Any] = {}
    for question, call, answer in tell(results, progress=sys.stderr.isatty()):
        print(question, f"  {call}", fill(answer, 98, initial_indent="  ", subsequent_indent="  "),
              sep="\n", end="\n\n", flush=True)
    if plot:
        save_picture(results, folder / "customers.png")
        print(f"picture: {folder / 'customers.png'}")
    print(f"Next, a page with pictures of the same file:\n  softclust report "
          f"{folder / 'customers.csv'} --auto --label segment "
          f"--drop joined,warehouse,agency,renewed\n")
    print(f"done in {time.perf_counter() - start:.1f} s")


def tell(results: dict[str, Any], *, progress: bool = False) -> Story:
    """Ask the questions of docs/tutorial.md one by one; results with a picture go to `results`."""
    import numpy as np
    import pandas as pd
    from sklearn.cluster import KMeans
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    import softclust
    customers = pd.read_csv(softclust.datasets.customers_file(), index_col="customer")
    table = customers[[*NUMBERS, "channel"]].assign(basket=np.log(customers["basket"]))
    encode = make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), NUMBERS),
        (OneHotEncoder(sparse_output=False), ["channel"])).set_output(transform="pandas")
    x = encode.fit_transform(table)
    yield ("What is in my table?", "X = encode.fit_transform(table)",
           f"{len(x)} customers; {len(NUMBERS)} numbers and a column of text are {x.shape[1]} "
           f"features; {table['age'].isna().sum()} missing ages are filled in.")
    test = softclust.cluster_test(x, n_references=99, rng=0, progress=progress)
    yield "Are there clusters?", "cluster_test(X)", test.sentence
    settings = softclust.compare_settings(x, KMeans(n_init=5), {"n_clusters": range(2, 7)},
                                          rng=0, progress=progress)
    yield ("Which setting, how many?",
           'compare_settings(X, KMeans(n_init=5), {"n_clusters": range(2, 7)})', settings.answer)
    cluster = pd.Series(KMeans(3, n_init=10, random_state=0).fit_predict(x), x.index)
    cluster = cluster.map({0: "frequent", 1: "deals", 2: "quiet"})
    segment = customers["segment"]
    apart, by_hand = (softclust.separation_test(x, labels, rng=0) for labels in (cluster, segment))
    yield ("Which clusters are real?", "separation_test(X, cluster), separation_test(X, segment)",
           f"k-means: {apart.sentence} By marketing: {by_hand.sentence}")
    pipeline = make_pipeline(encode, KMeans(3, n_init=5, random_state=0))
    runs = softclust.resampled_clusterings(table, pipeline, n_resamples=30, rng=0,
                                           progress=progress)
    uncertain = softclust.element_consistency(runs).values < 0.8
    yield ("How certain is each customer?", "element_consistency(runs)",
           f"{uncertain.sum()} of {len(x)} are not: {', '.join(x.index[uncertain])}.")
    known = segment.notna()
    value = softclust.compare(segment[known], cluster[known], measures="ARI",
                              ci="jackknife")["ARI"]
    yield ("Do they agree with marketing's segments, and how sure is that?",
           'compare(segment, cluster, measures="ARI", ci="jackknife")',
           f"adjusted Rand index {value.value:.2f} ({value.ci_low:.2f} to {value.ci_high:.2f})")
    why = softclust.explain(segment[known], cluster[known], "ARI", names=("segment", "cluster"),
                            top=2)
    yield ("Where do they differ?", "explain(segment, cluster)",
           " ".join(str(why).splitlines()[1:3]))
    batch = softclust.batch_effect(cluster, customers["warehouse"], rng=0)
    yield "Is it a batch?", "batch_effect(cluster, warehouse)", batch.answer
    year = customers["joined"].str[:4]
    cohorts = {name: x[year == name] for name in ("2023", "2024")}
    again = softclust.replicate(cohorts, KMeans(3, n_init=5), n_resamples=50, n_references=39,
                                rng=0, progress=progress)
    yield ("Do they replicate?", "replicate(cohorts, KMeans(3, n_init=5))",
           again.sentence("2023", "2024"))
    raw = table.assign(basket=customers["basket"])
    old, new = ([make_pipeline(encode, KMeans(3, n_init=5, random_state=seed)).fit_predict(rows)
                 for seed in range(8)] for rows in (table, raw))
    changed = softclust.compare_versions(old, new, paired=True)
    yield ("Do they change without the logarithm of the basket?",
           "compare_versions(old, new, paired=True)", changed.sentence)
    share = (customers["renewed"] == "yes").groupby(cluster).mean()
    yield ("What may I test?", "a column that was not used to cluster, such as renewed",
           ", ".join(f"{name} {part:.0%}" for name, part in share.items()) + " renewed.")
    results |= {"settings": settings, "by_hand": by_hand, "why": why, "again": again}


def save_picture(results: dict[str, Any], path: Path) -> None:
    """Settings, marketing's segments, where they and the clusters differ, and the cohorts."""
    from ..plotting import pyplot, save_figure
    figure = pyplot().figure(figsize=(11, 8.6), layout="constrained")
    for ax, result in zip(figure.subplots(2, 2).flat, results.values(), strict=True):
        result.plot(ax=ax)
    figure.suptitle("300 customers", fontsize=13, fontweight="bold")
    save_figure(figure, path)
