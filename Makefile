# The two main commands are `make tour` and `make test`. Both set up the environment (.venv) first, once.
# Without make, see "without make" in README.md, or read the recipes; each is one line of Python.
# PYTHON=python3.12 make tour   chooses an interpreter.

ifdef PYTHON
SWITCH := --switch
else
PYTHON := python3
endif
BIN := .venv/bin
UNIT ?=
PYTEST ?=
# One process per core. All tests of a file run in the same process, so that their fixtures are made only once.
TESTS := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --maxprocesses 8 --dist loadfile --no-loadscope-reorder

.PHONY: help setup english tour test test-all lab build site check clean

help:  ## show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | awk -F'\t' '{printf "  make %-8s %s\n", $$1, $$2}'

setup:  ## set up .venv: 1 to 5 minutes the first time, then immediate
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) on this machine. Install Python 3.10 to 3.14 (https://www.python.org/downloads/), or name another interpreter: PYTHON=python3.12 make $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) scripts/setup_env.py $(SWITCH)

english: setup  ## download the English model once (91 MB); tour and lab do this, too, unless ENGLISH=no
	@[ "$(ENGLISH)" = no ] || $(BIN)/minibert download english || echo "The English model could not be downloaded. The lessons also work without it."

tour: english  ## pretrain a small BERT, fine-tune it and grade exercises: 6 minutes on two cores
	@echo "The tour pretrains and fine-tunes a small BERT on this machine and grades sample submissions. It takes 6 minutes on two cores."
	@$(BIN)/minibert tour

test: setup  ## run the everyday tests on all cores: 10 minutes on two
	@echo "Running the everyday tests on all cores (10 minutes on two). Tests that need node or bubblewrap are skipped if it is missing."
	@$(TESTS) $(PYTEST)

test-all: setup  ## run all tests, including each lesson in a browser: an hour on two cores
	@echo "Running all tests on all cores (an hour on two). Tests that need a browser, node or bubblewrap are skipped if it is missing."
	@$(TESTS) --all $(PYTEST)

lab: english  ## open JupyterLab at a lesson: make lab UNIT=02
	@$(BIN)/minibert lab $(UNIT)

build: setup  ## build the notebooks from their text sources: seconds
	@$(BIN)/minibert build

site: english  ## build the site in build/site: a minute, and 20 more the first time, for the outputs of the lessons
	@$(BIN)/python docs/site/pages.py

check: setup  ## check style, types, imports, dependencies, and that the notebooks are up to date: a minute
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/deptry minibert
	@$(BIN)/codespell minibert benchmarks scripts docs README.md CONTRIBUTING.md Makefile
	@$(BIN)/minibert build --check

clean:  ## remove caches and the results of runs, but not .venv
	@rm -rf build dist tour .pytest_cache .hypothesis .ruff_cache *.egg-info .venv-setup.log
	@find . -path ./.venv -prune -o \( -name __pycache__ -o -name .ipynb_checkpoints \) -type d -print0 | xargs -0 rm -rf
