# The only place where commands are spelt. `make help` lists them.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest
WORKERS ?= auto
# What fits for minutes unless it is compiled, and tests no kernel: papers, pages, whole procedures.
COMPILED := --ignore=tests/studies --ignore=tests/docs --ignore=tests/workflows/test_study_verdicts.py

.DEFAULT_GOAL := help
.PHONY: help demo test quick check format lint types contracts docs nojit lowest bench performance typeonerror picture release-check clean

help:  ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# ---- environments: each stamp is made anew only when what it depends on has changed -------------------------

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	@touch $@

$(VENV)/.installed: $(VENV)/.made pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.developing: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable '.[all]' --group test --group elsewhere --group check --group docs
	@touch $@

# ---- what a newcomer types ----------------------------------------------------------------------------------

demo: $(VENV)/.installed  ## from a bare machine to a first verdict and report.html
	$(BIN)/foldproof compare sklearn:breast_cancer \
	  -l "bayes=sklearn.naive_bayes.GaussianNB()" \
	  -l "tree=sklearn.tree.DecisionTreeClassifier(max_depth=3)" \
	  --html report.html
	@echo "The page is in report.html"

test: $(VENV)/.developing  ## from a bare machine to a green suite
	$(PYTEST) -n $(WORKERS) --dist worksteal

# ---- what a developer types ---------------------------------------------------------------------------------

quick: $(VENV)/.developing  ## the suite without what is slow
	$(PYTEST) -n $(WORKERS) --dist worksteal -m "not slow and not statistical"

check: format lint types contracts test docs  ## everything that must hold before a change lands

format: $(VENV)/.developing  ## is the formatting as ruff would have it?
	$(BIN)/ruff format --check .

lint: $(VENV)/.developing  ## ruff's rules
	$(BIN)/ruff check .

types: $(VENV)/.developing  ## mypy, strict
	$(BIN)/mypy

contracts: $(VENV)/.developing  ## the doors between the rooms
	PATH="$(abspath $(BIN)):$$PATH" lint-imports --no-cache

docs: $(VENV)/.developing  ## the documentation, strictly
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

nojit: $(VENV)/.developing  ## the suite with the kernels as plain Python
	FOLDPROOF_JIT=0 $(PYTEST) -n $(WORKERS) --dist worksteal -m "not slow and not statistical" $(COMPILED)

lowest:  ## the suite with the lowest versions that pyproject.toml admits
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --upgrade pip
	.venv-lowest/bin/python scripts/lowest.py pyproject.toml > .venv-lowest/lowest.txt
	.venv-lowest/bin/python -m pip install --quiet --editable . --group test --constraint .venv-lowest/lowest.txt
	.venv-lowest/bin/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow and not statistical"

bench: $(VENV)/.developing  ## side-by-side measurements: ratios, never bare seconds
	@for file in benchmarks/bench_*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

performance: $(VENV)/.developing  ## the measurements of docs/performance.md, written there; takes a while
	$(BIN)/python benchmarks/performance.py

picture: $(VENV)/.developing  ## the README's picture, made anew from a run
	$(BIN)/python scripts/picture.py

release-check: $(VENV)/.made  ## two builds with the same bytes, and the demo in an empty environment
	$(BIN)/python scripts/release_check.py

clean:  ## remove what was made
	rm -rf $(VENV) .venv-lowest site build dist report.html
