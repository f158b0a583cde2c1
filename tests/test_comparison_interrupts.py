"""Ctrl-C while limits are computed: what is finished is kept, what is missing is said."""

import math

import numpy as np
import pytest

import softclust as sc
from softclust.comparison import limits

X, Y = [0, 0, 1, 1, 2, 2] * 5, [0, 0, 1, 2, 2, 2] * 5
MEASURES = ["rand_index", "jaccard_index", "purity_index"]


def interrupt_at(monkeypatch, call):
    """KeyboardInterrupt when the limits of the measure with this number are begun."""
    find, calls = limits._Limits.find, []

    def stopping(self, draws):
        calls.append(1)
        if len(calls) == call:
            raise KeyboardInterrupt
        return find(self, draws)
    monkeypatch.setattr(limits._Limits, "find", stopping)


@pytest.mark.parametrize("ci", ["jackknife", "bootstrap"])
def test_finished_limits_and_all_values_are_kept(monkeypatch, ci):
    options = {"rng": 0} if ci == "bootstrap" else {}
    whole = sc.compare(X, Y, measures=MEASURES, ci=ci, **options)
    interrupt_at(monkeypatch, 3)
    with pytest.warns(sc.IncompleteWarning, match="intervals of 2 of 3 measures"):
        part = sc.compare(X, Y, measures=MEASURES, ci=ci, **options)
    assert [row.value for row in part.rows] == [row.value for row in whole.rows]
    assert [row.ci_low for row in part.rows[:2]] == [row.ci_low for row in whole.rows[:2]]
    assert math.isnan(part.rows[2].ci_low)
    assert "interrupted" in part.rows[2].note
    assert "interrupted" in str(part)


def test_with_nothing_finished_the_interrupt_goes_on(monkeypatch):
    interrupt_at(monkeypatch, 1)
    with pytest.raises(KeyboardInterrupt):
        sc.compare(X, Y, measures=MEASURES, ci="jackknife")


def test_a_closed_dask_client_is_said():

    from softclust.running.jobs import run_jobs

    class Client:
        status = "closed"

    class Executor:
        _client = Client()

        def submit(self, *args):
            raise AssertionError("nothing is sent to a closed client")

    with pytest.raises(RuntimeError, match="dask client that is closed; connect again"):
        run_jobs(lambda start, stop: None, range(3), lambda *part: None, ranges=True,
                 executor=Executor(), what="parts")


def test_all_pairs_of_memberships_keep_what_is_finished(monkeypatch):
    """One sweep serves a group of pairs: after a quarter of the time an eighth is there."""
    from softclust.soft_pairs import pair_sums
    monkeypatch.setattr(pair_sums, "_GROUP", 4)
    g = np.random.default_rng(0)
    members = [sc.FuzzyClustering(g.dirichlet(np.ones(3), 30)) for _ in range(12)]
    whole = sc.compare_all(members, measure="fuzzy_rand_index")
    monkeypatch.setattr(pair_sums, "_LONG_SWEEP", 0)

    def stop(done, total):
        if done >= total // 4:
            raise KeyboardInterrupt
    with pytest.warns(sc.IncompleteWarning, match="interrupted after"):
        part = sc.compare_all(members, measure="fuzzy_rand_index", progress=stop)
    known = ~np.isnan(part.value)
    assert known.sum() >= known.size // 8
    np.testing.assert_array_equal(part.value[known], whole.value[known])
    assert sc.compare_all(members, measure="fuzzy_rand_index") == whole
