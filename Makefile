# Every target sets up what it needs: a clean clone, Python 3.12 or later, and the package registries.

PYTHON ?= $(shell for each in python3.13 python3.14 python3.12 python3 python; do \
	"$$each" -c 'import sys; sys.exit(sys.version_info < (3, 12))' >/dev/null 2>&1 && echo "$$each" && break; done)
PORT ?= 8000
BIN := .venv/bin
export NO_MKDOCS_2_WARNING := 1

.DEFAULT_GOAL := help
.PHONY: help serve build test lint bench clean

help:  ## Show what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

serve: .venv/docs  ## Build the site and serve it, building again at every change
	$(BIN)/mkdocs serve --dev-addr 127.0.0.1:$(PORT)

build: .venv/docs  ## Build the site into site/
	$(BIN)/mkdocs build --strict

test: lint .venv/browser  ## Check everything: style, types, package, pages, and the site in a real browser
	$(BIN)/python -m pytest

lint: .venv/test  ## Check style and types of Python and JavaScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy src widgets
	$(BIN)/python -m optim_ref_docs lint-widgets

clean:  ## Remove what was built, but not the cache of downloads
	rm -rf .venv build dist site docs/assets/live widgets/node_modules

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "optim_ref needs Python 3.12 or later, and found none. Install one, or name it: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/docs: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[docs]" --constraint constraints.txt
	@touch $@

.venv/test: .venv/docs
	$(BIN)/python -m pip install --quiet --editable ".[docs,test]" --constraint constraints.txt
	@touch $@

.venv/browser: .venv/test
	$(BIN)/python -m tests.browser.install
	@touch $@
