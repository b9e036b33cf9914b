# make run sets everything up and runs the demo; make test tests. Python 3.11+, git and make suffice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
export DVC_NO_ANALYTICS := 1
export MLFLOW_DISABLE_TELEMETRY := true
export DO_NOT_TRACK := 1

.PHONY: run test lint types realdata ui clean setup data

run: data ## set up, restore the demo's data, run the demo, say where to look
	@dvc repro -q
	@echo && echo "rerank: which run puts the informative paragraphs first?" && cat results/demo_rerank/table.md
	@echo && echo "retrieve: which run finds the pages that describe the feature?" && cat results/demo_retrieve/table.md
	@echo && echo "classify: does an LLM find a feature's value in a grammar? (this one is far too small)" && cat results/demo_classify/table.md
	@echo
	@echo "Every run is in MLflow: make ui, then open http://127.0.0.1:5000"
	@echo "Another run:            $(BIN)/python -m src.run reranker=none query=term"

test: data ## the default tests: offline, no GPU
	@python -m pytest -q -n auto -m "not realdata"

realdata: setup ## the tests that read ../shared/data
	@python -m pytest -q -n auto -m realdata

lint: setup
	@ruff check . && ruff format --check . && lint-imports --no-logo

types: setup
	@mypy

ui: setup ## MLflow's page on the runs
	@mlflow ui --backend-store-uri sqlite:///mlruns/mlflow.db --port 5000

data: setup ## restore the demo's data from dvcstore/
	@dvc pull -q -r demo data.dvc 2>/dev/null || echo "data/demo is not as data.dvc has it, and is left as it is: 'dvc commit -f data.dvc' keeps your changes, 'dvc checkout --force data.dvc' drops them."

setup: $(VENV)/installed

$(VENV)/installed: requirements.lock requirements-alone.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Grambench needs Python 3.11 or newer: make run PYTHON=python3.11")'
	@echo "Installing the packages of requirements.lock into $(VENV)/ (once, a few minutes) ..."
	@$(PYTHON) -m venv $(VENV)
	@pip install -q --disable-pip-version-check -r requirements.lock
	@pip install -q --disable-pip-version-check --no-deps -r requirements-alone.lock
	@touch $@

clean: ## remove the environment and all that runs made; data/, mlruns/ and replies/ stay
	rm -rf $(VENV) outputs results cache .pytest_cache .mypy_cache .ruff_cache .hypothesis
