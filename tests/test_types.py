"""Public types: mypy rejects misspelled options; a Literal is what the function itself takes."""

import ast
import builtins
import inspect
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from public_options import add_choices, choices, parameters
from together import for_each

import softclust as sc

HERE = Path(__file__).parent

#: calls with one wrong option each
WRONG = ['compare([0, 1], [0, 1], ci="jacknife")', 'adjusted_rand_index(3, [0, 1])',
         'compare([0, 1], [0, 1], objects="both")',
         'consensus([[0, 1]], method="se")',
         'BaggedClustering(scheme="boot")', 'posterior_partition([[0, 1]], loss="vl")',
         'chance([0, 1], [0, 1], "rand_index", method="exakt")', 'align([0], [0], noise="dropp")',
         'HardClustering([0, 1]).harden("max_beleif")',
         'HardClustering([0, 1]).to_fuzzy("plausible")', 'Ensemble([[0, 1]], missing="abscent")',
         'normalized_mutual_information([0, 1], [0, 1], average="arithmetik")',
         'adjusted_rand_index([0, 1], [0, 1], model="permutations")',
         'fuzzy_rand_index([0, 1], [0, 1], t_norm="minimal")',
         'bcubed_index([0, 1], [0, 1], part="precise")',
         'concordance_index([0, 1], [0, 1], metric="euclid")',
         'mallows_distance([0, 1], [0, 1], weights="uniformly")',
         'transport_dissimilarity([0, 1], [0, 1], method="monte-carlo")',
         'BaggedClustering(init="kmeans++")', 'BayesianBaggedClustering(votes="drawn")',
         'cluster.FuzzyCMeans(2, init="kmeans++")', 'cluster.RoughKMeans(variant="peters")',
         'cluster.EvidentialCMeans(focal="pair")', 'explain([0, 1], [0, 1], objects="both")',
         'explain([0, 1], [0, 1]).to_frame("objekts")', 'influence([0, 1], [0, 1], side="z")',
         'sampled_truth([0], [0], design="cluster", probabilities=0.5)',
         'pair_roc([0, 1], [[0, 1, 1.0]], ties="blocks")', 'datasets.noisy_moons(rng="papers")',
         'plotting.plot_explanation(sc.explain([0, 1], [0, 1]), kind="flow")',
         'measures.van_dongen_distance([0, 1], [0, 1], side="z")',
         'compare([0, 1], [0, 1]).to_frame("panda")', 'report([[0.0]], algorithms="kmeans")',
         'coassociation([[0, 1]]).plot(kind="heat")',
         'compare_all([[0, 1], [0, 0]], "rand_index").ordered("dendogram")',
         'ContingencyCounter(missing="dropp")']

#: parameters that take any text, since anyone may add to it or only the user knows it: names of
#: measures, objects, columns, runs, fields and files; titles, dates
TEXTS = ("measure", "measures", "index", "name", "title", "text", "label", "groups", "id", "date",
         "called", "key", "source of replicated", "target of replicated", "source of sentence",
         "target of sentence", "field", "word", "question", "kinds", "kind of stands_for",
         "kind of takes_kind", "no_limits", "separator", "aligns", "on", "sql", "table_sums",
         "reference of plot_against", "reference of element_consistency",
         "criterion of cluster_number",
         "estimator of compare_settings", "method of dendrogram_proximity",
         "delta of dendrogram_proximity", "source of verdict", "target of verdict")
#: parameters that may be anything: labels are any objects (of noise also a set of them, or one per
#: side); statistics hold numbers, or arrays with a replicate in each row; fields have types each
ANY = ("noise_label", "PairCounts", "PartedTable.of_cells", "TableSums.statistic", "in_weights",
       "redrawn", "fields of measure", "listed_value")
#: options whose message does not list them: libraries are narwhals' own, simulations list what
#: they have, seeds and orders are mostly something else, parts of a table were asked for before
UNLISTED = ("backend", "version", "rng", "order of ComparisonMatrix.plot", "PartedTable",
            "options_of")
#: methods that hand an option on
HANDED = {"PosteriorPartition.plot": "plot_posterior",
          "ElementCentric.plot": "plot_element_centric"}
#: values that the message does not list, since the function itself takes them; or lists, though a
#: message of its own says why they will not do here
OWN = {"Ensemble.__init__": "absent", "compare": "bounds", "as_clustering": "drop",
       "credible_ball": "omari"}


def functions():
    """Public functions and methods, unwrapped, by name."""
    for room in (sc, sc.plotting, sc.cluster, sc.datasets, sc.measures, sc.results):
        for name in sc._public() if room is sc else room.__all__:
            obj = getattr(room, name)
            if inspect.isfunction(obj):
                yield name, inspect.unwrap(obj)
            for owner in inspect.getmro(obj) if inspect.isclass(obj) else ():
                for key, member in vars(owner).items():
                    method = inspect.unwrap(getattr(member, "__func__", member))
                    if inspect.isfunction(method) and owner.__module__.startswith("softclust") and (
                            key == "__init__" or key[0] != "_") and (
                            method.__code__.co_filename != "<string>"):   # of a dataclass
                        yield f"{owner.__name__}.{key}", method


FUNCTIONS = dict(functions())


def listed(name, parameter, exceptions):
    return not {parameter, name, name.partition(".")[0], name.rpartition(".")[2],
                f"{parameter} of {name}", f"{parameter} of {name.rpartition('.')[2]}",
                }.isdisjoint(exceptions)


def test_types_say_what_they_can():
    assert len(FUNCTIONS) > 400
    for exceptions, wide in ((TEXTS, "str"), (ANY, "Any")):
        found = [f"{parameter} of {name}" for name, function in FUNCTIONS.items()
                 for parameter, annotation in parameters(function)
                 if wide in annotation.split(" | ") and not listed(name, parameter, exceptions)]
        assert found == []


OPTIONS = {f"{name}({parameter})": (name, parameter, {*choices(function, parameter)})
           for name, function in FUNCTIONS.items()
           for parameter, _ in parameters(function)
           if choices(function, parameter) and not listed(name, parameter, UNLISTED)}

LABELS, FRACTIONS = [0, 0, 1, 1], [0.5]
MEMBERSHIP = [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.1, 0.9]]
SEVERAL, TWO = [LABELS, LABELS], {"x": LABELS, "y": LABELS}
MEASURED = {**TWO, "measure": "rand_index"}
UPPER = [[1, 1], [0, 1], [1, 0], [1, 0]]
KINDS = {"hard": LABELS, "fuzzy": MEMBERSHIP, "cover": sc.CoverClustering(UPPER),
         "rough": sc.RoughClustering.from_upper(UPPER),
         "possibilistic": sc.PossibilisticClustering(MEMBERSHIP),
         "evidential": sc.HardClustering(LABELS).to_evidential()}
#: required arguments by name, also of some functions that take a table in place of two sides
ARGUMENTS = {
    "measure": "rand_index", "merges": [[0, 1, 1.0], [2, 3, 1.0], [4, 5, 2.0]], "table": UPPER,
    **dict.fromkeys(("data", "X"), np.arange(16.0).reshape(8, 2)),
    **dict.fromkeys(("draws", "clusterings", "ensemble", "runs", "levels", "alternatives"),
                    SEVERAL),
    **dict.fromkeys(("fractions", "reliabilities"), FRACTIONS), "n_resamples": 3,
    "prior": sc.GaussianMixturePrior.from_labels(np.arange(8.0).reshape(4, 2), LABELS),
    "prior_weight": 0.5, "record": sc.element_centric(LABELS, LABELS)}
#: other arguments that a call needs
NEEDED = {
    **dict.fromkeys(("compare", "match_clusters", "fuzzy_pair_counts", "alpha_rand_curve",
                     "cssd_dissimilarity", "explain", "cluster_changes"), TWO),
    **dict.fromkeys(("chance", "chance_level"), MEASURED),
    "cluster_number": {"criterion": "gap"}, "thin": {"family": "negative_binomial"},
    "compare_all": {"clusterings": SEVERAL},
    "contingency_table": {"x": "id", "y": "id", "on": "id", "data": ({"id": [1]}, {"id": [1]})}}
INSTANCES = {"Coassociation": lambda: sc.coassociation([LABELS, LABELS]),
             "ElementCentric": lambda: ARGUMENTS["record"],
             "Joint": lambda: sc.Joint(MEMBERSHIP, MEMBERSHIP)}


def own_check(function, parameter):
    """Values that a call of check_choice in the function's own body allows."""
    known = {**vars(builtins), **function.__globals__}
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "check_choice" and (
                getattr(node.args[0], "value", "") == parameter):
            return set(eval(ast.unparse(node.args[2]), known))
    return None


def message(name, parameter):
    """What the function says of an option that it does not know."""
    owner, _, method = name.partition(".")
    function = (getattr(INSTANCES[owner](), method) if owner in INSTANCES
                else next(getattr(room, owner) for room in (sc, sc.plotting, sc.cluster)
                          if hasattr(room, owner)))
    measure = sc.measures.registry().get(name)
    side = KINDS[measure.kinds[-1]] if measure else LABELS
    several, arguments = [], {}
    for p in inspect.signature(function).parameters.values():
        if p.kind is p.VAR_POSITIONAL:
            several = [LABELS, LABELS]
        elif p.kind is not p.VAR_KEYWORD and (p.default is p.empty or (
                measure and p.name in ("x", "y"))):
            arguments[p.name] = ARGUMENTS.get(p.name, side)
    arguments |= NEEDED.get(name, {}) | {parameter: "misspelled"}
    with pytest.raises((ValueError, TypeError), match="misspelled") as caught:
        function(*several, **arguments).fit(ARGUMENTS["X"])
    return str(caught.value)


@for_each("option", sorted(OPTIONS))
def test_a_literal_is_what_the_function_takes(option):
    name, parameter, values = OPTIONS[option]
    allowed = own_check(FUNCTIONS[HANDED.get(name, name)], parameter)
    if allowed is None:
        text = message(name, parameter)
        allowed = set(re.findall(r"""['"]([^'"]+)['"]""", text)) - {"misspelled"}
    assert values ^ allowed <= {OWN.get(name)}


def test_pages_list_the_choices():
    lines = inspect.getdoc(sc.fuzzy_jaccard_index).split("\n")
    add_choices(None, "function", "", sc.fuzzy_jaccard_index, None, lines)
    assert ('    Choices of `relation`: "product", "cosine", "t_norm"; of `t_norm`: "minimum", '
            '"product", "lukasiewicz", "drastic"; of `t_conorm`: "maximum", "bounded_sum", '
            '"probabilistic_sum", "drastic_sum".') in lines
    lines = inspect.getdoc(sc.consensus).split("\n")
    add_choices(None, "function", "", sc.consensus, None, lines)
    assert "\n".join(lines) == inspect.getdoc(sc.consensus)   # they are there


@pytest.mark.slow
def test_strict_scripts(tmp_path):
    pytest.importorskip("mypy")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("\n".join(["import softclust as sc", *(f"sc.{call}" for call in WRONG), ""]))
    options = ["--strict", "--ignore-missing-imports", "--follow-imports=silent",
               "--config-file", str(tmp_path / "none.ini")]
    (tmp_path / "none.ini").write_text("[mypy]\n")
    done = subprocess.run([sys.executable, "-m", "mypy", *options, str(HERE / "typed_script.py"),
                           str(wrong)], capture_output=True, text=True, cwd=HERE.parent)
    errors = [line for line in done.stdout.splitlines() if "error:" in line]
    assert [line for line in errors if "typed_script" in line] == []
    lines = {int(line.split(":")[1]) for line in errors if "wrong.py" in line}
    assert lines == set(range(2, len(WRONG) + 2)), done.stdout
