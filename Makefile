# The few commands a person types. Needs Python >= 3.11, a C++20 compiler and pip; nothing else.
PYTHON ?= python3
BIN := .venv/bin
RUNNING := .venv/.running
INSTALLED := .venv/.installed
ENGINE_SOURCES := CMakeLists.txt $(shell find cpp -name '*.cc' -o -name '*.h')

.PHONY: help install demo test check reproduce bench fuzz soak sanitize lock docs clean

help: ## show this list
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 12

install: $(INSTALLED) ## make .venv and install the package with its development tools

# The C++ core is compiled here and again whenever a source of it changes; Python files need no reinstall.
$(RUNNING): pyproject.toml constraints.txt $(ENGINE_SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet -c constraints.txt pip cmake ninja nanobind scikit-build-core
	$(BIN)/python -m pip install --quiet -c constraints.txt --no-build-isolation -e .
	touch $@

$(INSTALLED): $(RUNNING)
	$(BIN)/python -m pip install --quiet -c constraints.txt --no-build-isolation -e '.[dev,model]'
	touch $@

demo: $(RUNNING) ## the main job, on bundled samples; installs only what running needs
	$(BIN)/controldag demo

test: $(INSTALLED) ## all tests, on all cores, and what share of the package's lines they ran
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report=
	@echo "lines of the package that tests ran: $$($(BIN)/python -m coverage report --format=total) %"

check: $(INSTALLED) ## ruff, strict mypy, import-linter, links of the documents
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.make_site

docs: $(INSTALLED) ## the documents as a site, in build/site/index.html
	$(BIN)/python -m tools.make_site

# FLAGS='--limit 200' for a first look; what is there already is not run again.
REPRODUCED ?= runs/reproduce
reproduce: $(INSTALLED) ## the paper's tables with the bundled models, on a CPU; needs the data (docs/reproduce.md)
	$(BIN)/python -m recipes reproduce sgd --model ours=sgd-mini --only ours,templates,nearest-template --out $(REPRODUCED) --log $(REPRODUCED)/test-log.jsonl $(FLAGS)
	$(BIN)/python -m recipes reproduce dart --model ours=dart-mini --only ours,nearest-template --out $(REPRODUCED) --log $(REPRODUCED)/test-log.jsonl $(FLAGS)

bench: $(INSTALLED) ## the benchmarks that need no GPU; figures go to benchmarks/results
	$(BIN)/controldag bench data --save
	$(BIN)/controldag bench engine --save

fuzz: $(INSTALLED) ## 100,000 small lattices against enumeration, 2,000 larger ones against pynini, hostile and heavy ones
	$(BIN)/python -m tests.fuzz small --cases 100000
	$(BIN)/python -m tests.fuzz large --cases 2000
	$(BIN)/python -m tests.fuzz hostile --cases 20000
	CONTROLDAG_NEW_CASES=1 $(BIN)/python -m pytest tests/property
	$(BIN)/python -m tests.fuzz heavy --cases 1000 --workers 1

MINUTES ?= 5
soak: $(INSTALLED) ## the service at three times saturation, and beside an abusive client; MINUTES=5
	$(BIN)/controldag bench serving --soak $(MINUTES)
	$(BIN)/controldag bench serving --soak $(MINUTES) --abuse

sanitize: $(INSTALLED) ## C++ and engine tests, and ten minutes of fuzzing, under ASan and UBSan
	tools/sanitize.sh 10

lock: $(INSTALLED) ## constraints.txt anew, for every extra; what is pinned stays
	$(BIN)/python -m tools.make_constraints

clean: ## remove what building and testing left
	rm -rf .venv build dist .mypy_cache .ruff_cache .hypothesis .import_linter_cache
