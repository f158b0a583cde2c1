"""Starts R once for all tests of this folder, or says why not."""

import os
import subprocess
import sys

import pytest

import r_bridge


@pytest.fixture(scope="session", autouse=True)
def r_session():
    """R is running; without it the tests skip, with CI=true they fail."""
    try:
        return r_bridge.versions()
    except r_bridge.RUnavailableError as error:
        if os.environ.get("CI") == "true":
            pytest.fail(f"CI=true and R cannot be used: {error}")
        pytest.skip(f"R cannot be used: {error}")


@pytest.fixture
def run_python():
    """Run a script in a Python of its own (what may hang or abort); returns its output lines."""
    def run(script, *, timeout=60):
        done = subprocess.run([sys.executable, "-W", "error", "-c", script], text=True,
                              capture_output=True, timeout=timeout)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stderr == ""
        return done.stdout.splitlines()
    return run
