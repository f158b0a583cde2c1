"""Many small cases in one test: pytest takes longer for a case of its own than such a case does."""

import functools
import inspect

import pytest

#: checks of scikit-learn whose predict_proba of sparse tables must be that of a classifier of four
#: classes; of the test's clusterers it has the columns of their clusters
SPARSE_CHECKS = dict.fromkeys(("check_estimator_sparse_array", "check_estimator_sparse_matrix"),
                              "predict_proba has a column per cluster, not per class of y")


#: `whole`: the quick run takes some of the cases, the slow one all
SOME_OR_ALL = pytest.mark.parametrize(
    "whole", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["some", "all"])


def for_each(name, values, show=str):
    """Call a test for each of these values; its failure names every value that failed, and why."""
    values = list(values)

    def decorate(test):
        parameters = [p for p in inspect.signature(test).parameters.values() if p.name != name]

        @functools.wraps(test)
        def run(**given):
            assert values
            failed = []
            for value in values:
                try:
                    test(**{name: value}, **given)
                except (Exception, pytest.fail.Exception) as error:
                    failed.append(f"{show(value)}: {type(error).__name__}: {error}")
            assert not failed, f"{len(failed)} of {len(values)} fail\n" + "\n".join(failed)

        del run.__wrapped__
        run.__signature__ = inspect.Signature(parameters)
        return run
    return decorate
