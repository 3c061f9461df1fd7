# The two commands of the README, and what they need. All that they install goes into
# .venv (the product and its tools) and .venv-proto (the pinned protocol generator).

PYTHON ?= python3
BIN := .venv/bin
DATA ?= arena-data
JOBS ?= 2

.PHONY: demo test lint unit studies fault-table proto clean

demo: .venv/referee
	$(BIN)/thousand tournament run tournaments/demo.toml --data $(DATA) --jobs $(JOBS)
	@echo "Next: source .venv/bin/activate; thousand log list; thousand new mybot"

test:
	@$(MAKE) --no-print-directory -j2 .venv/dev .venv-proto/done
	@$(MAKE) --no-print-directory -j2 lint unit

lint: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

unit: .venv/dev .venv-proto/done
	$(BIN)/pytest -n 3 --dist worksteal -m "not study and not containers"

# What takes long: proofs by simulation, such as uniform worlds, and runs that are killed.
studies: .venv/dev
	$(BIN)/pytest -n 3 --dist worksteal -m study

# Plays a match with every faulty bot, and writes down what came out. Containers are
# left out without an engine and a base image: source .ci/docker.
fault-table: .venv/dev
	rm -f .fault-results
	THOUSAND_FAULT_TABLE=$(CURDIR)/.fault-results $(BIN)/pytest -n 2 -k faults_reach_that_seat \
		tests/thousand_referee/test_faults_end_to_end.py \
		tests/thousand_referee/launch/test_faults_in_containers.py
	$(BIN)/python tests/fault_table.py .fault-results > docs/FAULTY_BOTS.md
	rm -f .fault-results

# Writes sdk/thousand/v1 anew from proto/.
proto: .venv-proto/done
	.venv-proto/bin/python proto/generate.py

.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@echo "Installing into .venv: a minute or two, and some hundred megabytes"
	$(PYTHON) -m venv .venv
	@touch $@

.venv/referee: .venv/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[referee]'
	@touch $@

.venv/dev: .venv/referee
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

.venv-proto/done: proto/requirements.txt
	$(PYTHON) -m venv .venv-proto
	.venv-proto/bin/pip install --quiet --disable-pip-version-check -r proto/requirements.txt
	@touch $@

clean:
	rm -rf .venv .venv-proto .mypy_cache .ruff_cache .pytest_cache .hypothesis
