# Every target sets up what it needs: a clean clone, Python 3.12 or later, and the package registries.

PYTHON ?= $(shell for each in python3.13 python3.14 python3.12 python3 python; do \
	"$$each" -c 'import sys; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1 && echo "$$each" && break; done)
PORT ?= 8000
BIN := $(abspath .venv/bin)
export NO_MKDOCS_2_WARNING := 1
# The matrices here are small: more threads than one only wait for each other.
export OPENBLAS_NUM_THREADS := 1
export PATH := $(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help serve build test bench test-engines mutants bits peers lint format clean

help:  ## Show what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/:/' | awk -F': *' '{ printf "make %-14s%s\n", $$1, $$2 }'

serve: .venv/docs  ## Build the site and serve it, building again at every change
	mkdocs serve --dev-addr 127.0.0.1:$(PORT)

build: .venv/docs  ## Build the site into site/
	mkdocs build --strict

test: lint .venv/browser .venv/engines  ## Check everything: style, types, package, pages, and the site in real browsers
	python -m pytest --numprocesses auto --maxprocesses 4 --dist loadgroup

mutants: .venv/test  ## See whether tests notice small faults in every tagged statement
	python -m optim_ref_docs.mutations

bench: .venv/browser build  ## Measure how fast the site is, and write the tables of benchmarks/results.md and its page
	PYTHONPATH=tests:tests/browser:. python benchmarks/bench_site.py

bits: .venv/browser  ## Record which bits the browser's Python and CPython agree in
	WRITE_RECORDS=1 python -m pytest tests/browser/test_bits.py

peers: .venv/test  ## Record how the cases of other libraries fare
	WRITE_RECORDS=1 python -m pytest tests/docs/test_recorded.py -k fare

test-engines: .venv/test  ## Check that the live examples work in Firefox and WebKitGTK, and install both
	python -m tests.engines.install
	python -m pytest tests/engines

lint: .venv/test  ## Check style and types of Python and JavaScript
	ruff check .
	ruff format --check .
	mypy src widgets
	python -m optim_ref_docs prepare
	npm --prefix widgets run --silent lint

format: .venv/test  ## Rewrite Python and JavaScript in the project's style
	ruff check --fix .
	ruff format .
	npm --prefix widgets run --silent format

clean:  ## Remove what was built, but not the cache of downloads
	rm -rf .venv build dist site docs/assets/live widgets/node_modules

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "optim_ref needs Python 3.12 or later, and found none. Install one, or name it: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/docs: pyproject.toml constraints.txt | .venv/bin/python
	python -m pip install --quiet --editable ".[docs]" --constraint constraints.txt
	@touch $@

.venv/test: .venv/docs
	python -m pip install --quiet --editable ".[docs,test]" --constraint constraints.txt
	@touch $@

.venv/browser: .venv/test
	python -m tests.browser.install
	@touch $@

# Where these cannot be had, their tests are skipped and say so.
.venv/engines: .venv/test
	python -m tests.engines.install || true
	@touch $@
