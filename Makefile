# Needs make and Python 3.11 or newer; everything else is installed into $(VENV).
#
#   make run     installs the tool and shows it on an example (DIR=~/project: on your own agents)
#   make test    tells whether a change is right (ARGS="-k hover" is handed to pytest)
#   make quick   lint, types, and the tests of what has changed since `main`
#   make lint    ruff, and who may import whom      make types   mypy, strict
#   make bench   times of the server and of check beside others (ARGS="--starts 5" is handed on)
#   make vsix    dist/*.vsix, the VS Code extension for this platform (ARGS=all: for all of them)
#   make docs    dist/site, these pages to browse and to search
#   make wheel   dist/*.whl and *.tar.gz     make clean   removes what make made
#   make release dist/release-*, all that is uploaded, and a commit with a tag (ARGS=--dry-run: no commit)
#
# What `make test` leaves out, because it takes long or wants a machine to itself:
#
#   make test-hostile  more files made to break or to slow a reader, and more random data
#   make test-limits   bounds of memory and time, and the benchmarks
#   make test-editors  a real Neovim and a real Emacs
#   make test-vscode   a real VS Code
#   make test-runtimes real runtimes, which are installed the first time (RUNTIME=version for another one)
#   make fuzz          an editor at random, for a time (SECONDS=3600 SEED=7 ONLY=type,ask KEEP=folder)

PYTHON ?= python3
VENV ?= .venv
DIST ?= dist
ARGS ?=
# What `make run` looks at: by default, agents of Claude Code with mistakes.
EXAMPLE := examples/newsroom
DIR ?= $(EXAMPLE)
# A report may be long, and `make run` fits on a screen: the first findings with the summary, and
# the systems with their first agents, or the systems alone if there are many.
SHORT := awk '{line[NR] = $$0} END {for (i = 1; i <= NR; i++) \
	if (NR <= 11 || i <= 8 || i > NR - 2) print line[i]; else if (i == 9) print "..."}'
NAMES := awk '/^error: no agents found/{print "none: no agent system has a template in this folder itself"; exit} \
	/^error: /{print substr($$0, 1, 160); next} \
	/^note: |^(descriptions| )|built into the runtime/{next} \
	/ agents? of .* for a session/{head[++all] = $$0; next} \
	NF{if (++many[all] <= 3) rows[all] = rows[all] "\n" $$0; else rows[all] = rows[all] (many[all] == 4 ? "\n..." : "")} \
	END {for (i = 1; i <= all; i++) print head[i] (all < 4 ? rows[i] : "")}'
# Which version of a runtime `make test-runtimes` runs; without one, that which was measured.
RUNTIME ?=
# How many tests run at once, and how many times more `make test-hostile` tries than before a change
# lands; then it draws other data each time, of which each failure tells how to have it again.
JOBS ?= auto
EFFORT ?= 1
# How long `make fuzz` plays, and from which seed: it draws one and prints it.
SECONDS ?= 60
SEED ?=
ONLY ?=
KEEP ?=

BIN := $(abspath $(VENV))/bin
TOOL := $(BIN)/agent-template-lsp
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# A stamp for each set of packages: nothing is installed twice until these files change.
NEEDS := pyproject.toml constraints.txt $(VENV)/.created

PYTEST := $(BIN)/python -m pytest
# A file's tests share a server or an editor, so they stay together.
PARALLEL := $(PYTEST) -n $(JOBS) --dist loadfile
USUAL := -m 'not (hostile or limits or editors or runtimes)'
# Where those tests are: to collect the others takes longer than to run these.
EDITORS := tests/neovim tests/emacs
LIMITS := tests/test_benchmarks.py tests/hostile
# What pytest ends with if there was nothing to run.
NO_TESTS := 5

# Tests start many processes, each of which would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run dev all test quick test-hostile test-limits test-editors test-vscode test-runtimes fuzz lint types bench docs wheel vsix release clean

run: $(VENV)/.installed
	@test -d $(DIR) || { echo 'make run: there is no folder $(DIR)' >&2; exit 1; }
	@echo '── What is wrong with the agents in $(DIR):  agent-template-lsp check'
	@cd $(DIR) && $(TOOL) check --format concise 2>&1 | $(SHORT)
	@echo
	@echo '── Which agents a session in this folder finds:  agent-template-lsp list'
	@cd $(DIR) && $(TOOL) list 2>&1 | $(NAMES)
	@if test '$(DIR)' = $(EXAMPLE); then \
		echo; echo '── What one of these agents gets in Claude Code:  agent-template-lsp preview archivist'; \
		cd $(DIR) && $(TOOL) preview archivist | sed -n '1,10p'; echo '...'; fi
	@echo
	@echo '── Your own agents:  make run DIR=~/project'
	@echo '── Connect an editor'
	@echo 'Command:  $(TOOL) serve --stdio'
	@echo 'VS Code:  make vsix, then: code --install-extension $(DIST)/agent-templates-*.vsix'
	@echo 'Neovim:   put $(CURDIR) on the runtimepath and the folder $(BIN) on PATH, then vim.lsp.enable("agent_template_lsp")'

test: $(VENV)/.installed-test
	$(PARALLEL) $(USUAL) $(ARGS)

quick: lint
	$(BIN)/mypy
	tests=$$($(BIN)/python scripts/changed_tests.py) && \
	{ test -z "$$tests" || $(PARALLEL) $(USUAL) $(ARGS) $$tests || test $$? -eq $(NO_TESTS); }

test-hostile: $(VENV)/.installed-test
	AGENT_TEMPLATE_FUZZ=$(EFFORT) $(PARALLEL) -m 'hostile or hypothesis' $(ARGS)

# One at a time: they measure.
test-limits: $(VENV)/.installed-test
	$(PYTEST) -m limits $(LIMITS) $(ARGS)

test-editors: $(VENV)/.installed-test
	$(PYTEST) -m editors $(EDITORS) $(ARGS)

# What a real Claude Code does beside what the product says; outside of this folder it takes 400 MB.
test-runtimes: $(VENV)/.installed-test
	claude=$$(PYTHON=$(BIN)/python tests/runtimes/install-claude $(RUNTIME)) && \
	CLAUDE_PROGRAM=$$claude $(PYTEST) -m runtimes tests/runtimes $(ARGS)

fuzz: $(VENV)/.installed-test
	$(BIN)/python -m tests.hostile.fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) \
	$(if $(ONLY),--only $(ONLY)) $(if $(KEEP),--keep $(KEEP)) $(ARGS)

test-vscode: $(VENV)/.created
	PYTHON=$(BIN)/python DIST=$(abspath $(DIST)) tests/vscode/run

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache --no-logo

# A cache for each platform, or each run would throw away what the one before has found.
types: $(VENV)/.installed-dev
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 agent_lsp
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin agent_lsp

bench: $(VENV)/.installed
	others=$$(benchmarks/others $(BIN)/python) && \
	$(BIN)/python benchmarks/latency.py $(ARGS) && \
	$(BIN)/python benchmarks/branch.py && \
	PYTHON=$(BIN)/python scripts/with-node $(BIN)/python benchmarks/yaml_server.py --others $$others && \
	PYTHON=$(BIN)/python scripts/with-node $(BIN)/python benchmarks/batch.py --others $$others

# A warning is an error, so that no link leads nowhere.
docs: $(VENV)/.installed-docs
	$(BIN)/sphinx-build -q -W --keep-going -E -d $(DIST)/doctrees -b html -c scripts/site . $(DIST)/site
	@echo 'Open $(DIST)/site/index.html'

# The wheel is built from the source distribution, so both are known to be complete. What builds them
# is installed already; the extension and a release build with packages of their own.
wheel: $(VENV)/.installed-dev
	$(BIN)/python -m build --no-isolation --outdir $(DIST)

vsix: $(VENV)/.created
	PYTHON=$(BIN)/python DIST=$(abspath $(DIST)) scripts/vsix $(ARGS)

release: $(VENV)/.installed-release
	$(BIN)/python -m scripts.release --dist $(abspath $(DIST)) $(ARGS)

# All that a developer needs, installed at once; and all that there is, with what makes the pages and
# a release, so that nothing has to be installed while tests run.
dev: $(VENV)/.installed-dev
all: $(VENV)/.installed-all

clean:
	rm -rf $(VENV) $(DIST) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/.created:
	@command -v $(PYTHON) >/dev/null || { echo 'There is no `$(PYTHON)` here; name a Python 3.11 or newer: make PYTHON=/path/to/python3' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'agent-template-lsp needs Python 3.11 or newer, and `$(PYTHON)` is' "$$($(PYTHON) --version 2>&1); name another one: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(NEEDS)
	$(PIP) --editable .
	@touch $@

$(VENV)/.installed-test: $(NEEDS)
	$(PIP) --editable '.[test]'
	@touch $@

$(VENV)/.installed-docs: $(NEEDS)
	$(PIP) --editable '.[docs]'
	@touch $@

$(VENV)/.installed-release: $(NEEDS)
	$(PIP) --editable '.[release]'
	@touch $@

$(VENV)/.installed-dev: $(NEEDS)
	$(PIP) --editable '.[test,lint,build]'
	@touch $@ $(VENV)/.installed-test $(VENV)/.installed

$(VENV)/.installed-all: $(NEEDS)
	$(PIP) --editable '.[test,lint,build,docs,release]'
	@touch $@ $(VENV)/.installed-dev $(VENV)/.installed-test $(VENV)/.installed-docs $(VENV)/.installed-release $(VENV)/.installed
