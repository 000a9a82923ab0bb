# Needs make and Python 3.11 or newer; everything else is installed into $(VENV).
#
#   make run     installs the tool and shows it on examples/
#   make test    runs the tests (ARGS="-k hover" is handed to pytest)
#   make lint    ruff: rules and format      make types   mypy, strict
#   make bench   times of the server and of check beside others (ARGS="--starts 5" is handed on)
#   make vsix    dist/*.vsix, the VS Code extension for this platform
#   make test-vscode   its tests, in a real VS Code
#   make wheel   dist/*.whl and *.tar.gz     make clean   removes what make made

PYTHON ?= python3
VENV ?= .venv
DIST ?= dist
ARGS ?=

BIN := $(abspath $(VENV))/bin
TOOL := $(BIN)/agent-template-lsp
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
# A stamp for each set of packages: nothing is installed twice until these files change.
NEEDS := pyproject.toml constraints.txt $(VENV)/.created

.PHONY: run test test-vscode lint types bench wheel vsix clean

run: $(VENV)/.installed
	@echo '── agent-template-lsp check examples/shop   (examples/faults has a fault of each kind)'
	@$(TOOL) check examples/shop || test $$? -eq 1
	@echo
	@echo '── agent-template-lsp list   (in examples/shop)'
	@cd examples/shop && $(TOOL) list
	@echo
	@echo '── agent-template-lsp preview reviewer --persona security   (in examples/shop)'
	@cd examples/shop && $(TOOL) preview reviewer --persona security
	@echo
	@echo '── Connect an editor'
	@echo 'Command:  $(TOOL) serve --stdio'
	@echo 'VS Code:  make vsix, then: code --install-extension $(DIST)/agent-templates-*.vsix'
	@echo 'Neovim:   put $(CURDIR) on the runtimepath and the folder $(BIN) on PATH, then vim.lsp.enable("agent_template_lsp")'

test: $(VENV)/.installed-test
	@echo 'The VS Code extension has tests of its own: make test-vscode'
	$(BIN)/python -m pytest $(ARGS)

test-vscode: $(VENV)/.created
	PYTHON=$(BIN)/python DIST=$(abspath $(DIST)) tests/vscode/run

lint: $(VENV)/.installed-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-lint $(VENV)/.installed-test
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 agent_lsp
	$(BIN)/mypy --platform darwin agent_lsp

bench: $(VENV)/.installed
	others=$$(benchmarks/others $(BIN)/python) && \
	$(BIN)/python benchmarks/latency.py $(ARGS) && \
	PYTHON=$(BIN)/python scripts/with-node $(BIN)/python benchmarks/yaml_server.py --others $$others && \
	PYTHON=$(BIN)/python scripts/with-node $(BIN)/python benchmarks/batch.py --others $$others

# The wheel is built from the source distribution, so both are known to be complete.
wheel: $(VENV)/.installed-build
	$(BIN)/python -m build --outdir $(DIST)

vsix: $(VENV)/.created
	PYTHON=$(BIN)/python DIST=$(abspath $(DIST)) scripts/vsix

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

$(VENV)/.installed-%: $(NEEDS)
	$(PIP) --editable '.[$*]'
	@touch $@
