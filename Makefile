# softclust: run "make" to see what there is.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# arguments for pytest, as in: make test ARGS="-k rand -x"
ARGS   ?=
# Tests start many processes: they read the bytecode that the first one wrote.
unexport PYTHONDONTWRITEBYTECODE

PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help venv demo test test-slow check lint bench tables pictures docs screenshots r-check \
        r clean distclean

help:  ## show this list
	@echo "softclust: make TARGET"
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

venv: $(VENV)/.made-dev  ## make .venv with everything for development
	@echo "$(VENV) is ready: $(BIN)/python"

demo: $(VENV)/.made-demo  ## ten questions about clusters on one data set; picture in demo-output/
	@$(BIN)/softclust demo

test: $(VENV)/.made-dev  ## install R if it is missing, run the tests (some minutes, two workers)
	@scripts/install_r.sh --python $(BIN)/python
	$(PYTEST) -n 2 --dist loadfile -m "not slow" $(ARGS)

test-slow: $(VENV)/.made-dev  ## run the tests that take long (about ten minutes)
	@scripts/install_r.sh --python $(BIN)/python
	$(PYTEST) -n 2 --dist loadfile -m slow $(ARGS)

check: lint  ## ruff, mypy, tables; tests with 1 and 4 threads, and without JIT
	SOFTCLUST_NUM_THREADS=1 $(PYTEST) -q $(ARGS)
	SOFTCLUST_NUM_THREADS=4 $(PYTEST) -q $(ARGS)
	NUMBA_DISABLE_JIT=1 SOFTCLUST_NUM_THREADS=4 $(PYTEST) -q $(ARGS)

lint: $(VENV)/.made-dev  ## ruff, mypy, spelling, words of style, stale tables
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/codespell
	$(BIN)/python scripts/style.py
	$(BIN)/python scripts/generate.py --check

bench: $(VENV)/.made-bench  ## compare speed with other packages and with the machine's limits
	$(BIN)/python -m tests.benchmarks $(ARGS)

tables: $(VENV)/.made-demo  ## rewrite what is generated: tables of the guide, __init__.pyi
	$(BIN)/python scripts/generate.py

pictures: $(VENV)/.made-demo  ## draw the pictures of the README and of the guide anew
	$(BIN)/python scripts/guide_pictures.py

vignettes: $(VENV)/.made-vignettes  ## replicate the papers in full: vignettes/html/index.html
	@scripts/install_r.sh --python $(BIN)/python
	$(BIN)/python vignettes/build.py $(ARGS)

docs: $(VENV)/.made-dev  ## build the user guide, offline, into docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going -q -j 2 -b html docs docs/_build/html
	@echo "the guide is ready: docs/_build/html/index.html"

screenshots: docs  ## pictures of every page of the guide, 1280 and 400 pixels wide (chromium)
	$(BIN)/python scripts/screenshots.py docs/_build/html docs/_build/screenshots

r-check: $(VENV)/.made-dev  ## R CMD check of the R package, with Python and as without it
	scripts/check_r_package.sh --python $(BIN)/python
	CI= scripts/check_r_package.sh --no-python

r: $(VENV)/.made-dev  ## rewrite what is generated of the R package: help pages, NAMESPACE
	$(BIN)/python scripts/r_help.py

clean:  ## remove caches and the demo's output
	rm -rf demo-output vignettes/html docs/_build docs/reference/generated build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find softclust tests r_bridge -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean  ## clean, and remove .venv
	rm -rf $(VENV)

# One stamp a set of extras; a changed pyproject.toml installs them anew.
$(VENV)/.made:
	@scripts/make_venv.sh $(PYTHON) $(VENV)
	@touch $@

$(VENV)/.made-demo: pyproject.toml | $(VENV)/.made
	@echo "installing softclust with its dependencies into $(VENV) (about a minute)"
	@$(PIP) -e '.[report]'
	@touch $@

$(VENV)/.made-dev: pyproject.toml | $(VENV)/.made
	@echo "installing softclust with tools for development into $(VENV) (about a minute)"
	@$(PIP) -e '.[dev]'
	@touch $@

$(VENV)/.made-vignettes: pyproject.toml | $(VENV)/.made
	@echo "installing softclust with what runs the vignettes into $(VENV) (about a minute)"
	@$(PIP) -e '.[vignettes]'
	@touch $@

$(VENV)/.made-bench: pyproject.toml | $(VENV)/.made
	@echo "installing softclust with packages to compare with into $(VENV)"
	@$(PIP) -e '.[bench]'
	@touch $@
