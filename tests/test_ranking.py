"""`rank_clusterings`: the theorem's steps, ties, order, p-values, odd input, chart, table."""

import json
import math
from statistics import NormalDist

import naive
import numpy as np
import pytest

import softclust as sc
from softclust.comparison import ranking as ranking_module
from softclust.measures import get_measure, registry


def noisy(seed, n=60, shares=(0.05, 0.2, 0.25, 0.5), k=3):
    """A truth and clusterings with more and more noise, some of it in common."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n)
    common = rng.random(n) < 0.1
    found = []
    for share in shares:
        wrong = common | (rng.random(n) < share)
        found.append(np.where(wrong, rng.integers(k, size=n), truth))
    return truth, found


def deleted(measure, truth, labels):
    """The measure without each object."""
    n = len(truth)
    keep = [np.delete(np.arange(n), i) for i in range(n)]
    return [float(measure(truth[k].tolist(), labels[k].tolist())) for k in keep]


@pytest.mark.parametrize(("measure", "best", "larger"), [
    ("rand_index", 1.0, True), ("jaccard_index", 1.0, True),
    ("rand_distance", 0.0, False)])
def test_the_steps_by_loops(measure, best, larger):
    truth, found = noisy(0, n=25)
    critical = [1.7, 2.0, 2.2, 2.4]
    oracle = getattr(naive, measure)
    values = [deleted(oracle, truth, labels) for labels in found]
    influences = [[-24 * (v - sum(column) / 25) for v in column] for column in values]
    estimates = [float(oracle(truth.tolist(), labels.tolist())) for labels in found]
    expected = naive.ranked(estimates, influences, best, larger, critical, 25)
    result = sc.rank_clusterings(truth, found, measure=measure, critical=critical)
    np.testing.assert_allclose(result.estimate, estimates, atol=1e-12)
    np.testing.assert_array_equal(result.value, result.estimate)
    np.testing.assert_allclose(result.root_standard_error, expected["se"], atol=1e-10)
    for name in ("gain", "low", "high"):
        np.testing.assert_allclose(getattr(result, name), expected[name], atol=1e-10)
    assert list(result.possibly_best) == expected["possibly_best"]
    np.testing.assert_allclose(result.standard_error,
                               [naive.jackknife_error(column) for column in values], atol=1e-12)
    np.testing.assert_array_equal(result.critical, critical)


def test_a_relabelled_copy_ties():
    truth, found = noisy(1)
    result = sc.rank_clusterings(truth, [found[0], found[2], (found[0] + 1) % 3])
    assert result.root_standard_error[0, 2] <= 1e-12
    assert result.p_values[0, 2] == 1.0
    assert result.ranks() == [1, 3, 1]
    assert {0, 2} <= set(result.possibly_best)
    assert result.gain[0] == pytest.approx(0.0, abs=1e-12)
    alone = sc.rank_clusterings(truth, [found[0], found[2]])
    assert (0 in alone.possibly_best) == (0 in result.possibly_best)


def test_clusterings_that_differ_in_few_objects_are_not_told_apart():
    # Of two equally good ones with 10 % of wrong labels one was "the best" in half of the samples.
    truth = np.arange(20) % 2
    better, worse = truth.copy(), truth.copy()
    worse[:4] = 1 - worse[:4]
    found = sc.rank_clusterings(truth, [better, worse])
    assert found.possibly_best == (0, 1)
    assert found.p_values[0, 1] > 0.05
    assert found.notes == ("1 pair of clusterings differs in fewer than 6 objects, too few to tell "
                           "them apart",)
    plain = sc.rank_clusterings(truth, [better, worse], critical=found.critical)   # as they are
    assert plain.notes == ()
    gap = 2 * np.sqrt(1 - plain.estimate[1])   # of the roots; a sign test of four has p = 1/16
    assert plain.root_standard_error[0, 1] < gap / NormalDist().inv_cdf(15 / 16)
    assert found.root_standard_error[0, 1] == pytest.approx(gap / NormalDist().inv_cdf(15 / 16))
    worse[:6] = 1 - truth[:6]
    found = sc.rank_clusterings(truth, [better, worse])
    assert found.possibly_best == (0,)
    assert found.notes == ()


@pytest.mark.slow
def test_level_where_few_objects_are_wrong():
    wrong = dict.fromkeys((12, 20), 0)
    for n in wrong:
        for b in range(200):
            rng = np.random.default_rng([9, b, n])
            truth = rng.integers(3, size=n)
            found = [np.where(rng.random(n) < 0.1, rng.integers(3, size=n), truth) for _ in "ab"]
            wrong[n] += sc.rank_clusterings(truth, found).p_values[0, 1] <= 0.05
    assert max(wrong.values()) <= 10 + 3 * 3.1   # standard error of 10 of 200: 3.1


def test_order_of_the_clusterings_permutes_the_record():
    truth, found = noisy(2)
    order = [2, 0, 3, 1]
    one = sc.rank_clusterings(truth, found)
    two = sc.rank_clusterings(truth, [found[i] for i in order])
    for name in ("estimate", "gain", "low", "high", "critical", "standard_error"):
        np.testing.assert_allclose(getattr(two, name), getattr(one, name)[order], rtol=1e-9,
                                   atol=1e-12, err_msg=name)
    np.testing.assert_allclose(two.p_values, one.p_values[np.ix_(order, order)], atol=1e-12)
    assert {order[i] for i in two.possibly_best} == set(one.possibly_best)
    again = sc.rank_clusterings(truth, found)
    np.testing.assert_array_equal(again.critical, one.critical)


def test_two_clusterings_have_students_quantile():
    truth, found = noisy(3, n=40)
    result = sc.rank_clusterings(truth, found[:2], level=0.9)
    # both tails outside: a two-sided level of 0.8
    np.testing.assert_allclose(result.critical, naive.student(0.8, 39), atol=1e-9)
    t = abs(2 * (math.sqrt(1 - result.estimate[0]) - math.sqrt(1 - result.estimate[1])))
    t /= result.root_standard_error[0, 1]
    two_sided = result.p_values[0, 1]
    assert naive.student(1 - two_sided, 39) == pytest.approx(t, rel=1e-6)


def test_drawn_quantiles_are_near_those_of_students_law():
    """Of two clusterings and a third that is one of them."""
    truth, found = noisy(3, n=40)
    result = sc.rank_clusterings(truth, [found[0], found[1], found[0]], n_draws=20_000)
    # standard error of a drawn quantile: about .02
    np.testing.assert_allclose(result.critical[1], naive.student(0.9, 39), atol=0.06)


def test_joint_p_values_of_independent_estimates_are_those_of_the_studentized_range():
    """Tukey's q(.05; 3, 20) = 3.578; the standard error of a drawn p-value is .002."""
    from softclust.comparison.ranking import _simulated
    units = np.eye(4)[:, :3] * math.sqrt(12.0)   # covariance 1 of each of three estimates
    errors = math.sqrt(2.0) * (1 - np.eye(3))
    statistic = 3.578 / math.sqrt(2.0) * (1 - np.eye(3))
    _, p = _simulated(units, errors, np.zeros(3), statistic, 0.95, 20, 10_000)
    np.testing.assert_allclose(p, np.where(np.eye(3) == 1, 1.0, 0.05), atol=0.007)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("measure", ["adjusted_rand_index", "variation_of_information",
                                     "normalized_mutual_information"])
def test_limits_and_set_agree(seed, measure):
    truth, found = noisy(seed, shares=(0.1, 0.1, 0.3, 0.6, 0.12))
    result = sc.rank_clusterings(truth, found, measure=measure, n_draws=2000)
    larger = get_measure(measure).sense == "agreement"
    nearest = int(np.argmax(result.estimate if larger else -result.estimate))
    assert nearest in result.possibly_best
    assert result.order[0] == nearest
    assert (result.low <= 1e-15).all()
    assert (result.high >= -1e-15).all()
    for i in range(5):
        assert (i in result.possibly_best) == (result.high[i] > 0) or i == nearest
    if len(result.possibly_best) == 1:
        assert result.low[nearest] == 0.0
    assert (result.p_values == result.p_values.T).all()
    assert (np.diag(result.p_values) == 1.0).all()


def test_soft_clusterings_and_a_truth():
    rng = np.random.default_rng(0)
    truth = rng.integers(3, size=50)
    sharp = np.eye(3)[truth] * 0.8 + 0.2 / 3
    blurred = 0.5 * sharp + 0.5 * rng.dirichlet([1] * 3, 50)
    for measure in ("fuzzy_adjusted_rand_index", "alpha_rand_index", "concordance_index",
                    "frobenius_adjusted_rand_index"):
        result = sc.rank_clusterings(truth, {"sharp": sharp, "blurred": blurred}, measure=measure)
        assert result.names == ("sharp", "blurred")
        assert result.order == (0, 1)
        assert result.possibly_best == (0,)
    mixed = sc.rank_clusterings(truth, [truth[::-1], sharp], measure="alpha_rand_index")
    assert mixed.order == (1, 0)


def test_a_clustering_equal_to_the_truth():
    truth, found = noisy(4)
    result = sc.rank_clusterings(truth, [truth, found[3]])
    assert result.estimate[0] == 1.0
    assert result.standard_error[0] == 0.0
    assert result.possibly_best == (0,)
    assert "is the best of 2" in result.answer


def test_mutual_information_is_ranked_by_itself():
    """Its best value depends on the numbers of clusters; the gain is a difference all the same."""
    truth, found = noisy(5)
    merged = np.where(found[0] == 2, 1, found[0])
    result = sc.rank_clusterings(truth, [found[1], merged], measure="mutual_information")
    assert result.gain[0] == pytest.approx(result.estimate[0] - result.estimate[1], abs=1e-12)


def test_few_rare_objects_are_noted():
    truth = [0, 1, 2] * 20
    found = [[0, 1, 2] * 19 + [0, 2, 1], [0, 1, 2] * 10 + [0, 2, 1, 1, 0, 2] * 5]
    result = sc.rank_clusterings(truth, found, measure="variation_of_information",
                                 names=["near", "far"])
    assert [note.split(":")[0] for note in result.notes] == ["near"]
    assert "measures need 5" in " ".join(str(result).split())


# -- odd input --------------------------------------------------------------------------------
X = [0, 0, 1, 1, 2, 2, 0, 1]


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"clusterings": [X]}, sc.ClusteringError, "1 clustering to rank; at least 2"),
    ({"clusterings": [X[:7], X[:7]]}, sc.ClusteringError, "has 7 objects and 'truth' has 8"),
    ({"measure": "prediction_strength_index"}, sc.ClusteringError,
     "prediction_strength_index is a minimum or maximum over classes.*choose one of adjusted"),
    ({"measure": "purity_index"}, sc.ClusteringError, "a share of the objects"),
    ({"measure": "symmetric_difference"}, ValueError, "symmetric_difference_distance"),
    ({"measure": "comembership_dissimilarity"}, sc.ClusteringError, "function of another"),
    ({"measure": "alpha_rand_interval"}, sc.ClusteringError, "is an interval"),
    ({"level": 1.0}, ValueError, "level is 1.0"), ({"level": True}, ValueError, "level is True"),
    ({"critical": [1.0]}, ValueError, "2 finite numbers >= 0"),
    ({"critical": [1.0, -1.0]}, ValueError, "2 finite numbers >= 0"),
    ({"n_draws": 999}, ValueError, "n_draws is 999"),
    ({"averages": "max"}, TypeError, "adjusted_rand_index has no option 'averages'"),
    ({"measures": "ARI"}, TypeError, "did you mean 'measure'"),
])
def test_odd_input(options, error, message):
    given = {"clusterings": [X, X[::-1]]} | options
    with pytest.raises(error, match=message):
        sc.rank_clusterings(X, **given)


def test_undefined_for_one_of_them():
    with pytest.raises(sc.ClusteringError, match="undefined for singles"):
        sc.rank_clusterings(X, {"x": X[::-1], "singles": list(range(8))},
                            measure="fowlkes_mallows_index")


def test_every_measure_ranks_or_says_why_not():
    truth, found = noisy(0, n=20)
    for m in registry().values():
        if m.arity != 2 or not m.takes("hard", "hard"):
            continue
        try:
            result = sc.rank_clusterings(truth, found, measure=m.name, n_draws=1000)
        except sc.ClusteringError as error:
            assert m.name in str(error)   # noqa: PT017
            continue
        assert len(result.gain) == 4


# -- noise, missing labels and other objects --------------------------------------------------
def test_noise_and_missing_labels_as_in_compare():
    truth, found = noisy(3)
    labels = [each.copy() for each in found]
    labels[0][:5] = -1
    gaps = [float(v) for v in truth]
    gaps[7] = math.nan
    kept = np.setdiff1d(np.arange(60), [0, 1, 2, 3, 4, 7])
    result = sc.rank_clusterings(gaps, labels, noise="drop", missing="drop")
    expected = sc.rank_clusterings(truth[kept], [each[kept] for each in labels])
    np.testing.assert_array_equal(result.gain, expected.gain)
    assert result.n_objects == 54
    assert "5 noise (drop)" in str(result)
    both = sc.rank_clusterings(truth, labels, noise=("cluster", "singletons"))
    assert both.value[0] == sc.adjusted_rand_index(*sc.align(truth, labels[0],
                                                             noise=("cluster", "singletons")))
    with pytest.raises(sc.ClusteringError, match="missing"):
        sc.rank_clusterings(gaps, labels)
    shuffled = [dict(zip(map(str, range(59, -1, -1)), each[::-1].tolist())) for each in found]
    matched = sc.rank_clusterings(dict(zip(map(str, range(60)), truth.tolist())), shuffled,
                                  objects="common")
    np.testing.assert_array_equal(matched.gain, sc.rank_clusterings(truth, found).gain)


# -- what is shown ----------------------------------------------------------------------------
def test_table_frame_and_print():
    truth, found = noisy(1)
    result = sc.rank_clusterings(truth, found, names=["<a>", "b", "c", "d"])
    assert "at level 0.95" in str(result).split("\n")[0]
    assert "&lt;a&gt;" in result._repr_html_()
    assert repr(result).startswith("Ranking(adjusted_rand_index of 4 clusterings: possibly best ")
    frame = result.to_frame()
    assert frame.index.tolist() == ["<a>", "b", "c", "d"]
    assert frame["rank"].tolist() == result.ranks()
    assert frame.loc["b", "gain"] == result.gain[1]
    assert len(result) == 4


def test_the_column_of_a_measure_has_its_value():
    """The estimate, corrected for bias, is another column."""
    truth, found = noisy(1)
    result = sc.rank_clusterings(truth, found, measure="NMI")
    assert (np.abs(result.value - result.estimate) > 1e-3).all()
    lines = str(result).splitlines()
    assert lines[2].split()[:3] == ["clustering", "normalized_mutual_information", "estimate"]
    best = result.order[0]
    assert lines[4].split()[1:3] == [f"{result.value[best]:.4f}", f"{result.estimate[best]:.4f}"]
    assert "estimate" not in str(sc.rank_clusterings(truth, found))


def test_chart():
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    truth, found = noisy(1)
    result = sc.rank_clusterings(truth, found)
    ax = result.plot()
    limits = [line.get_xdata() for line in ax.lines if line.get_gid() == "limits"]
    np.testing.assert_allclose(limits, [(result.low[i], result.high[i]) for i in result.order])
    leads = [line for line in ax.lines if line.get_gid() == "lead"]
    filled = [i for i, line in zip(result.order, leads) if line.get_mfc() != "white"]
    assert sorted(filled) == list(result.possibly_best)
    plt.close("all")
    with pytest.raises(TypeError, match="rank_clusterings"):
        sc.plotting.plot_ranking(3)


def test_progress_counts_clusterings():
    seen = []
    truth, found = noisy(1)
    sc.rank_clusterings(truth, found, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (4, 4)


def test_the_fewest_objects():
    result = sc.rank_clusterings([0, 0, 1], [[0, 1, 1], [0, 0, 1]])
    assert result.order == (1, 0)
    with pytest.raises(sc.ClusteringError, match="needs at least 3"):
        sc.rank_clusterings([0, 1], [[0, 1], [0, 0]])
    assert ranking_module.FEWEST_DRAWS == 1000
    json.dumps(result.order)


# -- command line -----------------------------------------------------------------------------
def files_of(folder, truth, found, ids=False):
    paths = []
    for name, labels in {"truth": truth, **found}.items():
        path = folder / f"{name}.csv"
        lines = ["id,label" if ids else "label"]
        lines += [f"o{i},c{v}" if ids else f"c{v}" for i, v in enumerate(labels)]
        path.write_text("\n".join(lines) + "\n")
        paths.append(str(path))
    return paths


def test_command_line(tmp_path, capsys):
    from softclust.cli import main
    truth, found = noisy(1)
    named = dict(zip("abcd", found))
    paths = files_of(tmp_path, truth, named)
    assert main(["compare", *paths, "--rank", "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    expected = sc.rank_clusterings(truth, named)
    assert made["possibly_best"] == [expected.names[i] for i in expected.possibly_best]
    assert [row["gain"] for row in made["clusterings"]] == expected.gain.tolist()
    chart = tmp_path / "ranking.svg"
    assert main(["compare", *paths, "--rank", "--measures", "VI", "--plot", str(chart)]) == 0
    assert "may be best" in capsys.readouterr().out
    assert chart.exists()


def test_command_line_with_noise(tmp_path, capsys):
    from softclust.cli import main
    truth, found = noisy(1)
    for each in found:
        each[:4] = -1
    folder = files_of(tmp_path, truth, {})
    for name, labels in zip("ab", found):
        path = tmp_path / f"{name}.csv"
        path.write_text("label\n" + "\n".join(map(str, labels)) + "\n")
        folder.append(str(path))
    assert main(["compare", *folder, "--rank", "--noise", "drop", "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["n_objects"] == 56
    expected = sc.rank_clusterings(truth, found[:2], noise="drop")
    assert [row["gain"] for row in made["clusterings"]] == expected.gain.tolist()


def test_command_line_leaves_out_what_one_file_lacks(tmp_path, capsys):
    from softclust.cli import main
    truth, found = noisy(1)
    paths = files_of(tmp_path, truth, dict(zip("ab", found)), ids=True)
    last = tmp_path / "b.csv"
    last.write_text(last.read_text().replace("o3,c", "o3x,c").replace("\no5,c", "\no5,#"))
    lines = [line if not line.startswith("o5,") else "o5," for line in
             last.read_text().splitlines()]
    last.write_text("\n".join(lines) + "\n")
    assert main(["compare", *paths, "--rank"]) == 1
    options = ["--rank", "--objects", "common", "--missing", "drop", "--format", "json"]
    assert main(["compare", *paths, *options]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["n_objects"] == 58
    kept = np.setdiff1d(np.arange(60), [3, 5])
    expected = sc.rank_clusterings(truth[kept], [labels[kept] for labels in found[:2]])
    assert [row["gain"] for row in made["clusterings"]] == pytest.approx(expected.gain.tolist())


@pytest.mark.parametrize(("arguments", "message"), [
    (["t", "a", "--rank"], "at least three files"), (["t", "a", "b"], "add --rank"),
    (["t", "a", "b", "--rank", "--ci", "jackknife"], "--ci has no effect"),
    (["t", "a", "b", "--rank", "--measures", "VI,NMI"], "one measure"),
    (["t", "a", "b", "--rank", "--missing", "bounds"], "--missing drop")])
def test_command_line_usage(arguments, message, capsys):
    from softclust.cli import main
    assert main(["compare", *arguments]) == 2
    assert message in capsys.readouterr().err
