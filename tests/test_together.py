"""The helper that runs many small cases in one test."""

import pytest
from together import for_each


def test_every_failure_is_named():
    @for_each("k", range(4))
    def odd(k, fixed):
        assert k % 2 == fixed

    with pytest.raises(AssertionError, match=r"(?s)2 of 4 fail\n0: AssertionError.*\n2: Assert"):
        odd(fixed=1)


def test_no_values_are_a_mistake():
    @for_each("k", [])
    def test(k):
        pass

    with pytest.raises(AssertionError):
        test()
