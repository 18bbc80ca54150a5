# `make serve` plays, `make test` tests; `make help` lists the rest.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
RUNS := .venv/runs
STAMP := .venv/installed
PORT ?= 8000
MINUTES ?= 10
DEALS ?= 4000
GREEDY := greedy=tests.bots.greedy:Greedy
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: help install serve demo test check lint types contracts format messages openapi openapi-check openapi-lint openapi-diff lock bench bench-growth bench-profile bench-streams bench-processes bench-hands ladder chaos races full-counts clean

help: ## List what there is to make.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP) ## Set up the virtual environment, with all tools; quick where nothing has changed.

$(STAMP): requirements-dev.lock $(RUNS)
	@echo "Installing the tools of requirements-dev.lock, about a gigabyte; this takes minutes ..."
	@$(PIP) --require-hashes -r requirements-dev.lock
	@touch $(STAMP)

# What serves and plays needs a fifth of what the tools do.
$(RUNS): pyproject.toml requirements.lock requirements-build.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Installing what requirements.lock names, about 200 MB; this takes a minute or two ..."
	@$(PIP) --require-hashes -r requirements.lock -r requirements-build.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $(RUNS)

serve: $(RUNS) ## Start the whole service on port 8000 (PORT=… for another).
	@$(BIN)/paiute serve --port $(PORT)

demo: $(RUNS) ## Watch a deal being played over the API.
	@$(BIN)/paiute demo

test: install ## Run all tests, in two processes at once (JOBS=… for more, 0 for one after the other).
	@$(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadfile

check: lint types contracts openapi-check openapi-lint openapi-diff test ## Run everything: lint, types, import contracts, document, tests.

lint: install ## Check style and format.
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: install ## Check types.
	@$(BIN)/mypy

contracts: install ## Check who imports whom.
	@$(BIN)/lint-imports

format: install ## Format the code, and mend what can be mended by itself.
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

messages: install ## Bring the translations up to date, and say what is to be translated.
	@$(BIN)/python -m service.locale

openapi: install ## Write openapi/openapi.json anew, with examples of a game that is played.
	@$(BIN)/python -m tests.document.recording
	@$(BIN)/paiute openapi openapi/openapi.json

openapi-check: install ## Compare openapi/openapi.json with the code.
	@$(BIN)/paiute openapi --check openapi/openapi.json

openapi-lint: install ## Lint openapi/openapi.json.
	@$(BIN)/python -m tests.support.npm redocly lint --config openapi/redocly.yaml openapi/openapi.json

openapi-diff: install ## Find what openapi/v1.json promises and openapi/openapi.json does not keep.
	@$(BIN)/python -m tests.document.narrowing openapi/v1.json openapi/openapi.json

lock: ## Pin all dependencies anew, with hashes.
	@$(PYTHON) -m venv .venv-lock && .venv-lock/bin/pip install --quiet uv
	@$(LOCK) --extra tracing --output-file requirements.lock
	@$(LOCK) --extra tracing --extra dev --constraint requirements.lock --output-file requirements-dev.lock
	@sed -n '/^setuptools==/,/[^\\]$$/p' requirements-dev.lock > requirements-build.lock
	@rm -r .venv-lock

# For every Python 3.11 and every platform; no address of a registry is written down.
LOCK := .venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11.0 \
	--generate-hashes --no-header pyproject.toml

bench: install ## Measure the service beside what others do, on this machine; takes ten minutes.
	@$(BIN)/python -m bench

bench-growth: install ## Measure what moves take with up to 100,000 tables, bytes in Redis, and the start.
	@$(BIN)/python -m bench.growth

bench-profile: install ## Measure what a move takes in one process, and where that goes.
	@$(BIN)/python -m bench.inprocess

bench-streams: install ## Measure how soon events arrive by 100 streams, and by 1,000 from one process.
	@$(BIN)/python -m bench.streams
	@$(BIN)/python -m bench.streams --many --streams 1000 --tables 50

bench-processes: install ## Measure moves per second with 1, 2 and 4 API processes, and what limits them.
	@$(BIN)/python -m bench.processes

bench-hands: install ## Measure how fast hands are judged.
	@$(BIN)/python -m bench.hands

ladder: install ## Measure how strong the bots are, and draw docs/ladder.svg; takes half an hour (DEALS=…).
	@$(BIN)/paiute simulate --levels easy,medium,hard,expert --bot $(GREEDY) --deals $(DEALS) --plot docs/ladder.svg
	@$(BIN)/paiute simulate --levels expert --bot $(GREEDY) --deals 20000
	@$(BIN)/paiute simulate --levels expert --bot $(GREEDY) --deals 20000 --players 4

chaos: install ## Kill and cut everything while games are played (MINUTES=…, SEED=…, API=…, WORKERS=…, CLUSTER=1).
	@$(BIN)/python -m tests.chaos --minutes $(MINUTES) $(if $(SEED),--seed $(SEED)) $(if $(API),--api $(API)) $(if $(WORKERS),--workers $(WORKERS)) $(if $(CLUSTER),--cluster)

races: install ## Run the races at full length (1,000 rounds of 50 threads).
	@FULL_RACES=1 $(BIN)/python -m pytest tests/races

full-counts: install ## Count all hands of all wild ranks (minutes).
	@$(BIN)/python -m tests.engine.full_counts

clean: ## Remove the virtual environment and caches; data/ stays.
	@rm -rf .venv tests/clients/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
