# Two commands do everything: `make tour` and `make test`. Both set the environment up first (.venv, once).
# Without make: see "Without make" in README.md, or read the recipes; each is one line of Python.
# PYTHON=python3.12 make tour   picks an interpreter.

ifdef PYTHON
SWITCH := --switch
else
PYTHON := python3
endif
BIN := .venv/bin
UNIT ?=
PYTEST ?=
# One process a core. The tests of a file run in one of them, so that what they share is made once.
TESTS := OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --maxprocesses 8 --dist loadfile --no-loadscope-reorder

.PHONY: help setup english tour test test-all lab build check clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | awk -F'\t' '{printf "  make %-8s %s\n", $$1, $$2}'

setup:  ## environment in .venv: 1 to 5 minutes the first time, at once afterwards
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) on this machine. Install Python 3.10 to 3.14 (https://www.python.org/downloads/), or name yours: PYTHON=python3.12 make $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) scripts/setup_env.py $(SWITCH)

english: setup  ## the English model into your cache, 91 MB, once; tour and lab do it, ENGLISH=no leaves it out
	@[ "$(ENGLISH)" = no ] || $(BIN)/minibert download english || echo "The lessons go on without the English model."

tour: english  ## the whole story: pretrain a small BERT, fine-tune it, grade: 6 minutes on two cores
	@echo "Tour: pretrains and fine-tunes a small BERT on this machine and grades sample submissions. 6 minutes on two cores."
	@$(BIN)/minibert tour

test: setup  ## the everyday tests, on all cores: 20 minutes on two
	@echo "Tests, on all cores: 20 minutes on two. Those that need node or bubblewrap are skipped where it is missing."
	@$(TESTS) $(PYTEST)

test-all: setup  ## all tests, also each lesson in a browser and answers through nbgrader: an hour on two
	@echo "All tests, on all cores: an hour on two. Those that need a browser, node or bubblewrap are skipped where it is missing."
	@$(TESTS) --all $(PYTEST)

lab: english  ## JupyterLab at a lesson: make lab UNIT=02
	@$(BIN)/minibert lab $(UNIT)

build: setup  ## notebooks from their text sources, exercises from solutions: seconds
	@$(BIN)/minibert build

check: setup  ## style, types, imports, dependencies, and whether the notebooks are fresh: a minute
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/deptry minibert
	@$(BIN)/codespell minibert benchmarks scripts docs README.md CONTRIBUTING.md Makefile
	@$(BIN)/minibert build --check

clean:  ## remove what a run left behind; .venv stays
	@rm -rf build dist tour .pytest_cache .hypothesis .ruff_cache *.egg-info .venv-setup.log
	@find . -path ./.venv -prune -o \( -name __pycache__ -o -name .ipynb_checkpoints \) -type d -print0 | xargs -0 rm -rf
